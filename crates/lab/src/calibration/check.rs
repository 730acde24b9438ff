//! How often what is shown comes true.

use super::fit::{fit, half_points};
use super::games::{Game, Look};
use crate::training::Bin;
use hippolyta::eval::calibration::Calibration;
use hippolyta::games::Side;
use hippolyta_protocol::pictures::{Axis, Plot};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fmt;

/// The number of parts of the games: each is checked by a calibration that was fitted without it.
const PARTS: u64 = 5;
/// Fewer positions in a tenth say nothing.
const FEWEST: u64 = 400;

/// Positions that a tenth must have to be shown in a diagram.
const FEWEST_DRAWN: u64 = 100;
/// Deep looks are too far between for pairs.
const FEW_PAIRS: u64 = 100_000;

/// Looks by tenths of what was shown, and what came of them.
#[derive(Clone, Copy, Debug, Default)]
struct Tenths {
    bins: [Bin; 10],
    /// For each tenth the sum over games of the squared difference between the sums of what a game's looks showed and
    /// of what came of them. The positions of one game hang together, so games are the units of the sampling error.
    squares: [f64; 10],
    /// Sum of what White was shown less what it scored, and the sum of its squares over games.
    white: [f64; 2],
}

impl Tenths {
    fn add(&mut self, shown: f64, observed: f64) {
        Bin::add(&mut self.bins, shown, observed);
    }

    /// Adds those of a game.
    fn add_game(&mut self, game: &Self) {
        self.squares.iter_mut().zip(&game.bins).for_each(|(sum, bin)| *sum += (bin.predicted - bin.observed).powi(2));
        self.white[1] += game.white[0].powi(2);
        self.merge(game);
    }

    fn merge(&mut self, other: &Self) {
        self.bins.iter_mut().zip(&other.bins).for_each(|(bin, other)| bin.merge(other));
        self.squares.iter_mut().zip(&other.squares).for_each(|(sum, other)| *sum += other);
        self.white.iter_mut().zip(&other.white).for_each(|(sum, other)| *sum += other);
    }

    /// The greatest difference in points between shown and observed, over tenths with enough positions, and its
    /// standard error.
    fn worst(&self) -> [f64; 2] {
        let full = self.bins.iter().zip(&self.squares).filter(|(bin, _)| bin.positions >= FEWEST);
        let differences = full.map(|(bin, squares)| {
            [(bin.predicted - bin.observed).abs(), libm::sqrt(*squares)].map(|sum| 100.0 * sum / bin.positions as f64)
        });
        differences.max_by(|one, other| one[0].total_cmp(&other[0])).unwrap_or_default()
    }
}

/// The first time that a game shows as much for a side.
const PASSAGES: [f64; 2] = [0.6, 0.8];

/// Whether what is shown comes true where something has happened before it.
#[derive(Clone, Copy, Debug, Default)]
struct After {
    /// Over positions with a look two plies before: the change since then times what the result exceeds the number by,
    /// and the change times itself.
    changes: [f64; 2],
    /// Sums over games of products of these two sums of a game: of the first with itself, of both, of the second.
    products: [f64; 3],
    /// By [`PASSAGES`], over games that show a side as much: their number, what that side was shown first and what it
    /// scored, and the square of the difference.
    passages: [[f64; 4]; PASSAGES.len()],
}

impl After {
    /// That of a game: what White was shown at some plies, and what it scored.
    fn of(white: &[(u32, f64)], scored: f64) -> Self {
        let before = |ply: u32| white.iter().find(|look| look.0 + 2 == ply);
        let changes = white.iter().filter_map(|&(ply, shown)| Some((shown - before(ply)?.1, scored - shown)));
        let [lag, square] =
            changes.fold([0.0; 2], |sums, (change, rest)| [sums[0] + change * rest, sums[1] + change * change]);
        let passage = |least: f64| {
            let side = |&(_, shown): &(u32, f64)| [(shown, scored), (1.0 - shown, 1.0 - scored)];
            let first = white.iter().flat_map(side).find(|(shown, _)| *shown >= least);
            first.map_or([0.0; 4], |(shown, scored)| [1.0, shown, scored, (shown - scored).powi(2)])
        };
        Self {
            changes: [lag, square],
            products: [lag * lag, lag * square, square * square],
            passages: PASSAGES.map(passage),
        }
    }

    fn merge(&mut self, other: &Self) {
        let add = |sums: &mut [f64], others: &[f64]| sums.iter_mut().zip(others).for_each(|(sum, other)| *sum += other);
        add(&mut self.changes, &other.changes);
        add(&mut self.products, &other.products);
        self.passages.iter_mut().zip(&other.passages).for_each(|(sums, others)| add(sums, others));
    }

    /// By which share of a change over two plies the result exceeds the number after it, and its standard error.
    fn lag(&self) -> [f64; 2] {
        let [both, squares] = self.changes;
        let share = both / squares.max(1e-9);
        let spread = self.products[0] - 2.0 * share * self.products[1] + share * share * self.products[2];
        [share, libm::sqrt(spread.max(0.0)) / squares.max(1e-9)]
    }
}

/// Odds that looks of one size showed, and how they came true.
#[derive(Clone, Copy, Debug, Default)]
struct Shown {
    /// The expected score of the side to move, and what it scored.
    scores: Tenths,
    /// The probability of a draw, and how often games were drawn.
    draws: Tenths,
    looks: u64,
    /// Sum of the logarithms of the probability of what came, in nats.
    log_likelihood: f64,
    /// Sum of the squared differences between the expected score and what was scored.
    brier: f64,
    /// Pairs of a position and the one after the best turn, and the sum of what the mover's expected score fell by. The
    /// last of a game is followed by its result.
    pairs: u64,
    fall: f64,
    after: After,
}

impl Shown {
    fn add(&mut self, [score, draw]: [f64; 2], half_points: u8, side: Side) {
        let scored = f64::from(half_points) / 2.0;
        self.scores.add(score, scored);
        self.scores.white[0] += if side == Side::White { score - scored } else { scored - score };
        self.draws.add(draw, f64::from(u8::from(half_points == 1)));
        self.looks += 1;
        let odds = [1.0 - score - draw / 2.0, draw, score - draw / 2.0];
        self.log_likelihood += libm::log(odds[usize::from(half_points)].max(1e-6));
        self.brier += (score - scored).powi(2);
    }

    /// Adds others by a way to add their tenths.
    fn merge(&mut self, other: &Self, tenths: fn(&mut Tenths, &Tenths)) {
        tenths(&mut self.scores, &other.scores);
        tenths(&mut self.draws, &other.draws);
        self.looks += other.looks;
        self.log_likelihood += other.log_likelihood;
        self.brier += other.brier;
        self.pairs += other.pairs;
        self.fall += other.fall;
        self.after.merge(&other.after);
    }

    fn mean(&self, sum: f64) -> f64 {
        sum / self.looks.max(1) as f64
    }
}

/// How often what is shown comes true, before and after the calibration, by the positions evaluated for a look.
#[derive(Clone, Debug, Default)]
pub struct Check {
    games: usize,
    by_nodes: BTreeMap<u64, [Shown; 2]>,
}

/// Checks games by calibrations that were fitted to others of them.
pub fn check(games: &[Game]) -> Check {
    let parts: Vec<Check> = (0..PARTS)
        .into_par_iter()
        .map(|part| {
            // Odd and even games have openings of two kinds.
            let (own, others): (Vec<_>, Vec<_>) = games.iter().partition(|game| game.number / 2 % PARTS == part);
            let calibration = fit(others);
            let mut check = Check::default();
            own.into_iter().for_each(|game| check.merge(&Check::of(game, &calibration), Tenths::add_game));
            check
        })
        .collect();
    let mut whole = Check::default();
    for part in parts {
        whole.merge(&part, Tenths::merge);
    }
    whole
}

/// Checks games by a calibration that was fitted to none of them.
pub fn check_by(games: &[Game], calibration: &Calibration) -> Check {
    let mut whole = Check::default();
    games.iter().for_each(|game| whole.merge(&Check::of(game, calibration), Tenths::add_game));
    whole
}

impl Check {
    fn merge(&mut self, other: &Self, tenths: fn(&mut Tenths, &Tenths)) {
        self.games += other.games;
        for (nodes, shown) in &other.by_nodes {
            let sums = self.by_nodes.entry(*nodes).or_default();
            sums.iter_mut().zip(shown).for_each(|(sum, shown)| sum.merge(shown, tenths));
        }
    }

    /// The check of one game.
    fn of(game: &Game, calibration: &Calibration) -> Self {
        let mut by_nodes: BTreeMap<u64, [Shown; 2]> = BTreeMap::new();
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
            let both = by_nodes.entry(look.nodes).or_default();
            for (at, sums) in both.iter_mut().enumerate() {
                sums.add(odds[at], half_points, look.side());
                if ply == look.ply + 1 && look.nodes < FEW_PAIRS {
                    sums.pairs += 1;
                    sums.fall += odds[at][0] - (1.0 - later[at]);
                }
            }
        }
        for (nodes, both) in &mut by_nodes {
            for (at, sums) in both.iter_mut().enumerate() {
                let of_white = |look: &Look| {
                    let [score, _] = shown(look)[at];
                    (look.ply, if look.side() == Side::White { score } else { 1.0 - score })
                };
                let white: Vec<_> = game.looks.iter().filter(|look| look.nodes == *nodes).map(of_white).collect();
                sums.after = After::of(&white, f64::from(game.white) / 2.0);
            }
        }
        Self { games: 1, by_nodes }
    }

    /// The odds that searches with this number of nodes showed, and how they came true, as an SVG file: expected scores
    /// to the left, draws, if there were any, to the right.
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
        let mut plots = vec![plot(name, "Scored, %", &|shown| shown.scores.bins)];
        if both[0].draws.bins.iter().map(|bin| bin.observed).sum::<f64>() > 0.0 {
            plots.push(plot("Draws", "Drawn, %", &|shown| shown.draws.bins));
        }
        Some(Plot::file(&plots))
    }
}

impl fmt::Display for Check {
    /// Tables in Markdown; after ± is the standard error, by games. White's excess is what White was shown less what it
    /// scored, in points. *After a change*: the share of a change over two plies by which the result exceeds the number
    /// after it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} games\n", self.games)?;
        writeln!(
            f,
            "| nodes | | positions | worst tenth | worst of draws | log-likelihood | Brier | fall by a turn | White's excess |"
        )?;
        write!(f, "| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")?;
        for (nodes, both) in &self.by_nodes {
            for (name, shown) in ["before", "after"].iter().zip(both) {
                let [scores, draws] = [&shown.scores, &shown.draws].map(|tenths| {
                    let [worst, error] = tenths.worst();
                    format!("{worst:.1} ± {error:.1}")
                });
                let (likelihood, brier) = (shown.mean(shown.log_likelihood), shown.mean(shown.brier));
                let fall = 100.0 * shown.fall / shown.pairs.max(1) as f64;
                let [white, squares] = shown.scores.white;
                let [white, error] = [white, libm::sqrt(squares)].map(|sum| 100.0 * shown.mean(sum));
                write!(
                    f,
                    "\n| {nodes} | {name} | {} | {scores} | {draws} | {likelihood:.4} | {brier:.4} | {fall:+.2} | \
                     {white:+.1} ± {error:.1} |",
                    shown.looks
                )?;
            }
        }
        write!(f, "\n\n| nodes | | after a change |")?;
        PASSAGES.iter().try_for_each(|least| write!(f, " first {:.0} or more |", 100.0 * least))?;
        write!(f, "\n| ---: | --- |{}", " ---: |".repeat(1 + PASSAGES.len()))?;
        for (nodes, both) in &self.by_nodes {
            for (name, Shown { after, .. }) in ["before", "after"].iter().zip(both) {
                let [share, error] = after.lag();
                write!(f, "\n| {nodes} | {name} | {share:+.2} ± {error:.2} |")?;
                for [games, shown, scored, squares] in after.passages {
                    let [shown, scored, error] =
                        [shown, scored, libm::sqrt(squares)].map(|sum| 100.0 * sum / games.max(1.0));
                    write!(f, " {shown:.1} → {scored:.1} ± {error:.1} ({games}) |")?;
                }
            }
        }
        for (nodes, both) in &self.by_nodes {
            write!(f, "\n\n| {nodes} nodes: shown | scored before | scored after | drawn before | drawn after |")?;
            write!(f, "\n| ---: | ---: | ---: | ---: | ---: |")?;
            for tenth in 0..10 {
                write!(f, "\n| {} to {} |", 10 * tenth, 10 * (tenth + 1))?;
                for bin in both.iter().map(|it| it.scores.bins[tenth]).chain(both.iter().map(|it| it.draws.bins[tenth]))
                {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_followed_by_what_the_result_exceeds_it_by() {
        let mut after = After::of(&[(0, 0.5), (1, 0.9), (2, 0.7), (3, 0.8), (5, 0.9)], 1.0);
        after.merge(&After::of(&[(4, 0.5), (6, 0.3), (7, 0.1)], 0.5));
        // 0.2 and 0.3 more, −0.1 and 0.2 more, 0.1 and 0.1 more; −0.2 and 0.2 more.
        let close = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-9, "{found} is not {wanted}");
        close(after.lag()[0], (0.05 - 0.04) / (0.06 + 0.04));
        let [one, other] = [0.05 - 0.1 * 0.06, -0.04 - 0.1 * 0.04];
        close(after.lag()[1], libm::sqrt(one * one + other * other) / 0.1);
        // The first game shows White 90, the second one Black 70 and 90.
        let expected = [[2.0, 0.9 + 0.7, 1.5, 0.01 + 0.04], [2.0, 0.9 + 0.9, 1.5, 0.01 + 0.16]];
        after
            .passages
            .iter()
            .flatten()
            .zip(expected.iter().flatten())
            .for_each(|(found, wanted)| close(*found, *wanted));
    }
}
