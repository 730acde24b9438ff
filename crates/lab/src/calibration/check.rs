//! How often what is shown comes true.

use super::fit::{fit, half_points};
use super::games::{Game, Look};
use crate::training::Bin;
use hippolyta::eval::calibration::Calibration;
use hippolyta::pictures::{Axis, Plot};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fmt;

/// The number of parts of the games: each is checked by a calibration that was fitted without it.
const PARTS: u64 = 5;
/// Fewer positions in a tenth say nothing.
const FEWEST: u64 = 400;

/// A diagram shows tenths with so many positions.
const FEWEST_DRAWN: u64 = 100;
/// Deep looks are too far between for pairs.
const FEW_PAIRS: u64 = 100_000;

/// What looks of one size showed, and how it came true.
#[derive(Clone, Copy, Debug, Default)]
struct Shown {
    /// Looks by tenths of the expected score of the side to move, and what they scored.
    scores: [Bin; 10],
    /// Looks by tenths of the probability of a draw, and how often games were drawn.
    draws: [Bin; 10],
    looks: u64,
    /// Sum of the logarithms of the probability of what came, in nats.
    log_likelihood: f64,
    /// Sum of the squared differences between the expected score and what was scored.
    brier: f64,
    /// Pairs of a position and the one after the best turn, and the sum of what the mover's expected score fell by. The
    /// last of a game is followed by its result.
    pairs: u64,
    fall: f64,
}

impl Shown {
    fn add(&mut self, [score, draw]: [f64; 2], half_points: u8) {
        let scored = f64::from(half_points) / 2.0;
        Bin::add(&mut self.scores, score, scored);
        Bin::add(&mut self.draws, draw, f64::from(u8::from(half_points == 1)));
        self.looks += 1;
        let odds = [1.0 - score - draw / 2.0, draw, score - draw / 2.0];
        self.log_likelihood += libm::log(odds[usize::from(half_points)].max(1e-6));
        self.brier += (score - scored).powi(2);
    }

    fn merge(&mut self, other: &Self) {
        for (bins, others) in [(&mut self.scores, &other.scores), (&mut self.draws, &other.draws)] {
            bins.iter_mut().zip(others).for_each(|(bin, other)| bin.merge(other));
        }
        self.looks += other.looks;
        self.log_likelihood += other.log_likelihood;
        self.brier += other.brier;
        self.pairs += other.pairs;
        self.fall += other.fall;
    }

    fn mean(&self, sum: f64) -> f64 {
        sum / self.looks.max(1) as f64
    }

    /// The greatest difference in points between shown and scored, over tenths with enough positions.
    fn worst(bins: &[Bin; 10]) -> f64 {
        let full = bins.iter().filter(|bin| bin.positions >= FEWEST);
        full.map(|bin| 100.0 * (bin.predicted - bin.observed).abs() / bin.positions as f64).fold(0.0, f64::max)
    }
}

/// How often what is shown comes true, before and after the calibration, by the positions evaluated for a look.
#[derive(Clone, Debug, Default)]
pub struct Check {
    games: usize,
    by_nodes: BTreeMap<u64, [Shown; 2]>,
}

/// Checks games by calibrations that were fitted to others of them.
#[must_use]
pub fn check(games: &[Game]) -> Check {
    let parts: Vec<Check> = (0..PARTS)
        .into_par_iter()
        .map(|part| {
            // Odd and even games have openings of two kinds.
            let (own, others): (Vec<_>, Vec<_>) = games.iter().partition(|game| game.number / 2 % PARTS == part);
            let calibration = fit(others);
            let mut check = Check::default();
            own.into_iter().for_each(|game| check.add(game, &calibration));
            check
        })
        .collect();
    let mut whole = Check::default();
    for part in parts {
        whole.games += part.games;
        for (nodes, shown) in part.by_nodes {
            let sums = whole.by_nodes.entry(nodes).or_default();
            sums.iter_mut().zip(&shown).for_each(|(sum, shown)| sum.merge(shown));
        }
    }
    whole
}

impl Check {
    fn add(&mut self, game: &Game, calibration: &Calibration) {
        self.games += 1;
        let shown = |look: &Look| {
            let after = calibration.shown(look.seen());
            [[look.score, look.draw], after].map(|odds| odds.map(f64::from))
        };
        // By nodes, the next look's number and what the other side was shown then.
        let mut next: BTreeMap<u64, (u32, [f64; 2])> = BTreeMap::new();
        for look in game.looks.iter().rev() {
            let odds = shown(look);
            let half_points = half_points(game, look);
            let scored = f64::from(half_points) / 2.0;
            // After the last look of a search of this size the result was proven, or the game was over.
            let (ply, later) = next.get(&look.nodes).copied().unwrap_or((look.ply + 1, [1.0 - scored; 2]));
            next.insert(look.nodes, (look.ply, odds.map(|odds| odds[0])));
            let both = self.by_nodes.entry(look.nodes).or_default();
            for (at, sums) in both.iter_mut().enumerate() {
                sums.add(odds[at], half_points);
                if ply == look.ply + 1 && look.nodes < FEW_PAIRS {
                    sums.pairs += 1;
                    sums.fall += odds[at][0] - (1.0 - later[at]);
                }
            }
        }
    }

    /// What was shown by searches of so many nodes, and how it came true, as an SVG file: expected scores to the left,
    /// draws, if there were any, to the right.
    #[must_use]
    pub fn diagram(&self, name: &str, nodes: u64) -> Option<String> {
        let both = self.by_nodes.get(&nodes)?;
        let per_cent = |label| {
            let marks = (0..=5).map(|mark| (f64::from(20 * mark), (20 * mark).to_string())).collect();
            Axis { label, from: 0.0, to: 100.0, marks }
        };
        let plot = |title: &str, y, of: &dyn Fn(&Shown) -> [Bin; 10]| {
            let mut plot = Plot::new(title, per_cent("Shown, %"), per_cent(y));
            plot.line("even", &[(0.0, 0.0), (100.0, 100.0)]);
            for (number, (class, words)) in [("two", "before"), ("one", "calibrated")].into_iter().enumerate() {
                let bins = both.get(number).map(of).unwrap_or_default();
                let filled = bins.iter().filter(|bin| bin.positions >= FEWEST_DRAWN);
                let share = |sum: f64, bin: &Bin| 100.0 * sum / bin.positions as f64;
                let points: Vec<_> = filled.map(|bin| (share(bin.predicted, bin), share(bin.observed, bin))).collect();
                plot.line(class, &points);
                plot.name(number, class, words);
            }
            plot
        };
        let mut plots = vec![plot(name, "Scored, %", &|shown| shown.scores)];
        if both[0].draws.iter().map(|bin| bin.observed).sum::<f64>() > 0.0 {
            plots.push(plot("Draws", "Drawn, %", &|shown| shown.draws));
        }
        Some(Plot::file(&plots))
    }
}

impl fmt::Display for Check {
    /// Tables in Markdown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} games\n", self.games)?;
        writeln!(
            f,
            "| nodes | | positions | worst tenth | worst of draws | log-likelihood | Brier | fall by a turn |"
        )?;
        write!(f, "| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |")?;
        for (nodes, both) in &self.by_nodes {
            for (name, shown) in ["before", "after"].iter().zip(both) {
                let (scores, draws) = (Shown::worst(&shown.scores), Shown::worst(&shown.draws));
                let (likelihood, brier) = (shown.mean(shown.log_likelihood), shown.mean(shown.brier));
                let fall = 100.0 * shown.fall / shown.pairs.max(1) as f64;
                write!(
                    f,
                    "\n| {nodes} | {name} | {} | {scores:.1} | {draws:.1} | {likelihood:.4} | {brier:.4} | {fall:+.2} |",
                    shown.looks
                )?;
            }
        }
        for (nodes, both) in &self.by_nodes {
            write!(f, "\n\n| {nodes} nodes: shown | scored before | scored after | drawn before | drawn after |")?;
            write!(f, "\n| ---: | ---: | ---: | ---: | ---: |")?;
            for tenth in 0..10 {
                write!(f, "\n| {} to {} |", 10 * tenth, 10 * (tenth + 1))?;
                for bin in both.iter().map(|it| it.scores[tenth]).chain(both.iter().map(|it| it.draws[tenth])) {
                    let share = |sum: f64| 100.0 * sum / bin.positions as f64;
                    match bin.positions {
                        0 => write!(f, " |")?,
                        count => write!(f, " {:.0} → {:.0} ({count}) |", share(bin.predicted), share(bin.observed))?,
                    }
                }
            }
        }
        Ok(())
    }
}
