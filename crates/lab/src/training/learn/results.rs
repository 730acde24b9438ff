//! Results of tasks, as files.

use super::gate::Decision;
use super::settings::Calibrating;
use crate::arena::statistics;
use crate::calibration::Game;
use crate::training::fit::losses::Losses;
use crate::training::record::{Ending, GameData};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// A summary of a generation's games of self-play, for the report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct GameSummary {
    /// Number of games.
    pub games: u64,
    /// Games that Black won, draws, games that White won.
    pub results: [u64; 3],
    /// Games that the rules ended, that ended as soon as their result was proven, and that became too long.
    pub endings: [u64; 3],
    /// Number of games by turns, openings included.
    pub lengths: BTreeMap<u32, u64>,
}

impl GameSummary {
    pub fn add(&mut self, game: &GameData) {
        self.games += 1;
        self.results[usize::from(game.result.min(2))] += 1;
        self.endings[match game.ending {
            Ending::Rules => 0,
            Ending::Proven => 1,
            Ending::TooLong => 2,
        }] += 1;
        *self.lengths.entry((game.opening.len() + game.turns.len()) as u32).or_default() += 1;
    }

    /// The number of turns that `share` of the games do not exceed; 0 without games.
    pub fn quantile(&self, share: f64) -> u32 {
        let mut left = (self.games as f64 * share).ceil().max(1.0) as u64;
        for (&turns, &games) in &self.lengths {
            if left <= games {
                return turns;
            }
            left -= games;
        }
        self.lengths.keys().next_back().copied().unwrap_or(0)
    }

    /// The share of the points that White got.
    pub fn white(&self) -> f64 {
        (self.results[2] as f64 + self.results[1] as f64 / 2.0) / self.games.max(1) as f64
    }
}

impl fmt::Display for GameSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} games, White scored {:.3}, median {} turns", self.games, self.white(), self.quantile(0.5))
    }
}

/// The losses of a fit, before the first epoch and after each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct LossTable {
    pub epochs: Vec<Losses>,
}

impl LossTable {
    /// Those of the evaluation (`value`) or of the policy (`policy`).
    pub fn of(&self, what: &str) -> impl Iterator<Item = &Losses> {
        self.epochs.iter().filter(move |losses| losses.what == what)
    }
}

impl fmt::Display for LossTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "validation loss")?;
        for what in ["value", "policy"] {
            let mut found = self.of(what).map(|losses| losses.validation);
            let first = found.next();
            if let (Some(first), Some(last)) = (first, found.last().or(first)) {
                write!(f, ", {what} {first:.4} → {last:.4}")?;
            }
        }
        Ok(())
    }
}

/// Games that the percentages shown are fitted to; none if the weights had percentages of their own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct CalibrationShard {
    /// The number of the first one.
    pub first: u64,
    pub games: Vec<Game>,
}

/// The outcome of a gate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Verdict {
    /// Whether the next generation plays with the new weights.
    pub accepted: bool,
    /// How it ended: the test's decision, or `limit`.
    pub by: String,
    /// Pairs of games up to the one that decided, by the points of the new weights: 0, ½, 1, 1½, 2.
    pub pairs: [u64; 5],
    /// Losses, draws and wins of the new weights in these games.
    pub games: [u64; 3],
    /// Difference of the new weights to those before; `None` if it is infinite.
    pub elo: Option<f64>,
    /// Half the width of its 95 % interval; `None` if the pairs do not tell.
    pub error: Option<f64>,
    /// The log-likelihood ratio of the test.
    pub ratio: f64,
    /// The games that the percentages shown were fitted to then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibration: Option<Calibrating>,
}

impl Verdict {
    pub fn new(decision: &Decision) -> Self {
        let elo = decision.elo();
        let finite = |number: f64| Some(number).filter(|number| number.is_finite());
        let by = match decision.verdict {
            Some(statistics::Verdict::H1) => "H1",
            Some(statistics::Verdict::H0) => "H0",
            None => "limit",
        };
        Self {
            accepted: decision.accepted(),
            by: by.to_owned(),
            pairs: decision.counts.0,
            games: decision.games.0,
            elo: finite(elo.difference),
            // Pairs that all end alike have no spread, which says nothing of the next one.
            error: finite(elo.error).filter(|&error| error > 0.0),
            ratio: decision.ratio,
            calibration: None,
        }
    }
}

impl Verdict {
    /// What the percentages shown rest on, in words.
    pub fn percentages(&self) -> String {
        match self.calibration {
            Some(Calibrating { games, nodes }) => {
                format!("percentages fitted to {games} games of {nodes} nodes a turn")
            }
            None => "percentages fitted to no games".to_owned(),
        }
    }

    /// The difference and half the width of its interval. Where all pairs went alike they do not tell; there the games
    /// count one by one, with a drawn one more.
    pub fn bounded(&self) -> (f64, f64) {
        if let (Some(elo), Some(error)) = (self.elo, self.error) {
            return (elo, error);
        }
        let [losses, draws, wins] = self.games.map(|games| games as f64);
        let ratings = statistics::ratings(&[vec![0.0, wins + draws / 2.0], vec![losses + draws / 2.0, 0.0]]);
        (ratings[0].elo - ratings[1].elo, 2.0 * ratings[0].error)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.accepted { "accepted" } else { "refused" };
        let ([losses, draws, wins], pairs) = (self.games, self.pairs.iter().sum::<u64>());
        let (elo, error) = self.bounded();
        // Plus 0 makes −0 plain 0.
        write!(
            f,
            "{:+.0} ± {error:.0} Elo in {pairs} pairs ({wins} won, {losses} lost, {draws} drawn): {verdict}",
            elo.round() + 0.0
        )
    }
}
