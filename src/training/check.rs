//! Whether predicted probabilities are right: a reliability table from games that nothing was learned from.

use super::data::{for_each_turn, is_aside, read, variant_of};
use super::fit::{FitError, FitOptions};
use super::subject::{Subject, group};
use crate::eval::amazons::AmazonsEvaluator;
use crate::eval::damone::DamoneEvaluator;
use crate::eval::desdemona::DesdemonaEvaluator;
use crate::eval::{Evaluator, Knowledge};
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
    /// A table in Markdown: a row for each tenth; predicted → observed in per cent, and how many positions.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| predicted | win | positions | draw | positions | loss | positions |")?;
        writeln!(f, "| --- | --- | --- | --- | --- | --- | --- |")?;
        for tenth in 0..10 {
            write!(f, "| {}–{} % |", 10 * tenth, 10 * (tenth + 1))?;
            for bins in &self.bins {
                let Bin { positions, predicted, observed } = bins[tenth];
                let share = |sum: f64| 100.0 * sum / positions as f64;
                match positions {
                    0 => write!(f, " | 0 |")?,
                    _ => write!(f, " {:.1} → {:.1} | {positions} |", share(predicted), share(observed as f64))?,
                }
            }
            writeln!(f)?;
        }
        let [win, draw, loss] = self.errors().map(|error| 100.0 * error);
        write!(f, "\nMean error: win {win:.1} %, draw {draw:.1} %, loss {loss:.1} %; {} positions.", self.positions())
    }
}

/// Compares what `known` predicts with the results of the games left aside.
///
/// # Errors
///
/// Those of [`fit`](super::fit()).
pub fn check(files: &[PathBuf], known: &Knowledge, options: &FitOptions) -> Result<Reliability, FitError> {
    let variant = variant_of(files.first().ok_or(FitError::Few)?)?;
    let name = group(variant);
    match variant.family {
        Family::Amazons => check_with::<Amazons, _>(files, name, &AmazonsEvaluator::new(known), options),
        Family::Desdemona(rules) => {
            check_with::<Desdemona, _>(files, name, &DesdemonaEvaluator::new(rules, known), options)
        }
        Family::Damone(rules) => check_with::<Damone, _>(files, name, &DamoneEvaluator::new(rules, known), options),
    }
}

fn check_with<P: Subject, E: Evaluator<P>>(
    files: &[PathBuf],
    name: &'static str,
    evaluator: &E,
    options: &FitOptions,
) -> Result<Reliability, FitError> {
    let mut reliability = Reliability::default();
    for path in files {
        let (variant, games) = read(path, name)?;
        for game in games.iter().filter(|game| is_aside(game, options)) {
            let played = for_each_turn::<P>(game, variant, |_, position| {
                let value = evaluator.judge(position).value();
                let (white, draw) = (f64::from(value.white), f64::from(value.draw));
                let (win, loss) = (white - draw / 2.0, 1.0 - white - draw / 2.0);
                let mover = position.side_to_move() == Side::White;
                let predicted = if mover { [win, draw, loss] } else { [loss, draw, win] };
                let half_points = if mover { game.result } else { 2 - game.result };
                reliability.add(predicted, usize::from(2 - half_points));
                Some(())
            });
            played.ok_or_else(|| FitError::Illegal { path: path.clone(), number: game.number })?;
        }
    }
    if reliability.positions() > 0 { Ok(reliability) } else { Err(FitError::Few) }
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
