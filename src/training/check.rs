//! Whether predicted probabilities are right: a reliability table from games that nothing was learned from.

use super::data::{for_each_turn, is_aside, read, variant_of};
use super::fit::{FitError, FitOptions, first};
use super::record::GameData;
use super::subject::{Subject, group};
use crate::eval::amazons::AmazonsEvaluator;
use crate::eval::damone::DamoneEvaluator;
use crate::eval::desdemona::DesdemonaEvaluator;
use crate::eval::{Evaluator, Judgement, Knowledge};
use crate::games::Side;
use crate::games::amazons::Amazons;
use crate::games::damone::Damone;
use crate::games::desdemona::Desdemona;
use crate::games::variant::Family;
use std::fmt;
use std::path::PathBuf;

/// Positions whose predicted probability lies in one tenth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Bin {
    positions: u64,
    /// Sum of the predictions.
    predicted: f64,
    /// How often it came true.
    observed: u64,
}

/// Predicted against observed probabilities, of the side to move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reliability {
    /// For win, draw and loss, by tenths of the predicted probability.
    bins: [[Bin; 10]; 3],
}

impl Reliability {
    fn add(&mut self, predicted: [f64; 3], result: usize) {
        for (kind, bins) in self.bins.iter_mut().enumerate() {
            let bin = &mut bins[((predicted[kind] * 10.0) as usize).min(9)];
            bin.positions += 1;
            bin.predicted += predicted[kind];
            bin.observed += u64::from(kind == result);
        }
    }

    /// Number of positions.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.bins[0].iter().map(|bin| bin.positions).sum()
    }

    /// Mean distance of predicted and observed probabilities of win, draw and loss, each bin with the weight of its positions.
    #[must_use]
    pub fn errors(&self) -> [f64; 3] {
        let total = self.positions().max(1) as f64;
        self.bins.map(|bins| bins.iter().map(|bin| (bin.predicted - bin.observed as f64).abs()).sum::<f64>() / total)
    }
}

impl fmt::Display for Reliability {
    /// A table in Markdown: a row for each tenth; predicted → observed in per cent, and how many positions. Draws are left out where there are none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = |bins: &[Bin; 10]| bins.iter().any(|bin| bin.predicted > 0.0 || bin.observed > 0);
        let kinds = ["win", "draw", "loss"].into_iter().zip(&self.bins).zip(self.errors());
        let kinds: Vec<_> = kinds.filter(|((_, bins), _)| known(bins)).collect();
        write!(f, "| predicted |")?;
        for ((name, _), _) in &kinds {
            write!(f, " {name} | positions |")?;
        }
        writeln!(f, "\n| ---{}", " | ---".repeat(2 * kinds.len()) + " |")?;
        for tenth in 0..10 {
            write!(f, "| {}–{} % |", 10 * tenth, 10 * (tenth + 1))?;
            for ((_, bins), _) in &kinds {
                let Bin { positions, predicted, observed } = bins[tenth];
                let share = |sum: f64| 100.0 * sum / positions as f64;
                match positions {
                    0 => write!(f, " | 0 |")?,
                    _ => write!(f, " {:.1} → {:.1} | {positions} |", share(predicted), share(observed as f64))?,
                }
            }
            writeln!(f)?;
        }
        let errors: Vec<_> = kinds.iter().map(|((name, _), error)| format!("{name} {:.1} %", 100.0 * error)).collect();
        write!(f, "\nMean error: {}; {} positions.", errors.join(", "), self.positions())
    }
}

/// What was predicted of a position, for the side to move.
pub(super) struct Prediction {
    /// Probabilities of win, draw and loss.
    pub odds: [f64; 3],
    /// Which of them came true: 0 for a win, 1 for a draw, 2 for a loss.
    pub outcome: usize,
    /// Whether it was no guess.
    pub certain: bool,
}

impl Prediction {
    /// What a judgement says for the side to move of a game in which White made so many half points.
    pub fn new(judgement: Judgement, mover: Side, half_points: u8) -> Self {
        let value = judgement.value();
        let (white, draw) = (f64::from(value.white), f64::from(value.draw));
        let (win, loss) = (white - draw / 2.0, 1.0 - white - draw / 2.0);
        let certain = matches!(judgement, Judgement::Exact(_));
        let (odds, half_points) =
            if mover == Side::White { ([win, draw, loss], half_points) } else { ([loss, draw, win], 2 - half_points) };
        Self { odds, outcome: usize::from(2 - half_points), certain }
    }
}

/// Compares what `known` predicts with the results of the games left aside.
///
/// # Errors
///
/// Those of [`fit`](super::fit()).
pub fn check(files: &[PathBuf], known: &Knowledge, options: &FitOptions) -> Result<Reliability, FitError> {
    let mut reliability = Reliability::default();
    for_each_prediction(files, known, &|game| is_aside(game, options), &mut |_, prediction| {
        reliability.add(prediction.odds, prediction.outcome);
    })?;
    FitError::if_few("positions in games left aside", reliability.positions() as usize, 1)?;
    Ok(reliability)
}

/// Calls `f` with what `known` predicts of each position in the `wanted` games of these files.
pub(super) fn for_each_prediction(
    files: &[PathBuf],
    known: &Knowledge,
    wanted: &dyn Fn(&GameData) -> bool,
    f: &mut dyn FnMut(&GameData, &Prediction),
) -> Result<(), FitError> {
    let variant = variant_of(first(files)?)?;
    let games = Games { files, name: group(variant), wanted };
    match variant.family {
        Family::Amazons => games.each::<Amazons>(&AmazonsEvaluator::new(known), f),
        Family::Desdemona(rules) => games.each::<Desdemona>(&DesdemonaEvaluator::new(rules, known), f),
        Family::Damone(rules) => games.each::<Damone>(&DamoneEvaluator::new(rules, known), f),
    }
}

struct Games<'a> {
    files: &'a [PathBuf],
    /// Of the group of rule sets.
    name: &'static str,
    wanted: &'a dyn Fn(&GameData) -> bool,
}

impl Games<'_> {
    fn each<P: Subject>(
        &self,
        evaluator: &dyn Evaluator<P>,
        f: &mut dyn FnMut(&GameData, &Prediction),
    ) -> Result<(), FitError> {
        for path in self.files {
            let (variant, games) = read(path, self.name)?;
            for game in games.iter().filter(|game| (self.wanted)(game)) {
                let played = for_each_turn::<P>(game, variant, |_, position| {
                    f(game, &Prediction::new(evaluator.judge(position), position.side_to_move(), game.result));
                    Some(())
                });
                played.ok_or_else(|| FitError::Illegal { path: path.clone(), number: game.number })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predictions_fall_into_their_tenths() {
        let mut table = Reliability::default();
        for result in [0, 0, 0, 1, 2] {
            table.add([0.6, 0.2, 0.2], result);
        }
        table.add([1.0, 0.0, 0.0], 0);
        assert_eq!(table.positions(), 6);
        assert_eq!(table.bins[0][6], Bin { positions: 5, predicted: 3.0, observed: 3 });
        assert_eq!(table.bins[0][9], Bin { positions: 1, predicted: 1.0, observed: 1 });
        assert_eq!(table.bins[1][2].observed, 1);
        assert!(table.errors().iter().all(|error| *error < 1e-9));
        table.add([0.5, 0.5, 0.0], 2);
        assert!((table.errors()[2] - 1.0 / 7.0).abs() < 1e-9);
        assert!(table.to_string().contains("| 60–70 % | 60.0 → 60.0 | 5 | | 0 | | 0 |"), "{table}");
    }
}
