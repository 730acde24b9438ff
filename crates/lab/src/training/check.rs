//! Whether predicted probabilities come true: a reliability table from validation games.

use super::fit::data::{destination, fates, first, for_each_turn, is_aside, read, variant_of};
use super::fit::error::FitError;
use super::fit::options::FitOptions;
use super::fit::start;
use super::record::GameData;
use super::trainable::{self, Trainable, TrainableTask, group};
use hippolyta::eval::amazons::shapes::owners::{Fate, is_contested};
use hippolyta::eval::{Evaluation, Evaluator, Weights};
use hippolyta::games::Side;
use std::fmt;
use std::path::PathBuf;

/// Positions whose predicted probability lies in one tenth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Bin {
    pub positions: u64,
    /// Sum of the predictions.
    pub predicted: f64,
    /// How often it came true, or the sum of what was scored.
    pub observed: f64,
}

impl Bin {
    /// Adds a prediction to its bin.
    pub fn add(bins: &mut [Self; 10], predicted: f64, observed: f64) {
        let bin = &mut bins[((predicted * 10.0) as usize).min(9)];
        bin.positions += 1;
        bin.predicted += predicted;
        bin.observed += observed;
    }

    /// Adds another bin to it.
    pub fn merge(&mut self, other: &Self) {
        self.positions += other.positions;
        self.predicted += other.predicted;
        self.observed += other.observed;
    }
}

/// Positions whose expected lead lies in one range.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct LeadBin {
    positions: u64,
    /// Sums of the expected leads, of the final margins, and of the squared differences.
    expected: f64,
    observed: f64,
    squares: f64,
}

/// The ranges of expected leads: this many, each of [`LEAD_RANGE`] turns, with the even one in the middle.
const LEADS: usize = 9;
const LEAD_RANGE: f64 = 3.0;

/// Predicted against observed probabilities, of the side to move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reliability {
    /// For win, draw and loss, by tenths of the predicted probability.
    bins: [[Bin; 10]; 3],
    /// For the squares that both sides can still reach, whether a side owns them in the end, by tenths of the
    /// probability. Each square counts for both sides.
    owned: [Bin; 10],
    /// The margin of the game by the lead that was expected.
    leads: [LeadBin; LEADS],
}

impl Reliability {
    fn add(&mut self, predicted: [f64; 3], result: usize) {
        for (kind, bins) in self.bins.iter_mut().enumerate() {
            Bin::add(bins, predicted[kind], f64::from(u8::from(kind == result)));
        }
    }

    fn add_lead(&mut self, expected: f64, observed: f64) {
        let range = (expected / LEAD_RANGE + LEADS as f64 / 2.0).clamp(0.0, (LEADS - 1) as f64) as usize;
        let bin = &mut self.leads[range];
        bin.positions += 1;
        bin.expected += expected;
        bin.observed += observed;
        bin.squares += (expected - observed).powi(2);
    }

    /// A table in Markdown of the squares' owners and one of the leads.
    fn write_ownership(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n\n| predicted | owned in the end | squares |\n| --- | --- | --- |")?;
        for (tenth, Bin { positions, predicted, observed }) in self.owned.iter().enumerate() {
            let share = |sum: f64| 100.0 * sum / (*positions).max(1) as f64;
            let (predicted, observed) = (share(*predicted), share(*observed));
            write!(f, "\n| {}–{} % | {predicted:.1} → {observed:.1} | {positions} |", 10 * tenth, 10 * (tenth + 1))?;
        }
        write!(f, "\n\n| expected lead in turns | margin of the game | positions |\n| --- | --- | --- |")?;
        for bin in self.leads.iter().filter(|bin| bin.positions > 0) {
            let mean = |sum: f64| sum / bin.positions as f64;
            let (expected, observed, deviation) = (mean(bin.expected), mean(bin.observed), mean(bin.squares).sqrt());
            write!(f, "\n| {expected:+.1} | {observed:+.1} ± {deviation:.1} | {} |", bin.positions)?;
        }
        Ok(())
    }

    /// Number of positions.
    pub fn positions(&self) -> u64 {
        self.bins[0].iter().map(|bin| bin.positions).sum()
    }

    /// Mean distance between predicted and observed probabilities of win, draw and loss, weighted by the positions of
    /// each bin.
    pub fn errors(&self) -> [f64; 3] {
        let total = self.positions().max(1) as f64;
        self.bins.map(|bins| bins.iter().map(|bin| (bin.predicted - bin.observed).abs()).sum::<f64>() / total)
    }
}

impl fmt::Display for Reliability {
    /// A table in Markdown with a row for each tenth: predicted → observed in per cent, and the number of positions.
    /// Draws are left out if there are none. Then, in the Amazons, a table of the squares' owners, and one of the lead:
    /// mean of the expected leads, mean of the games' margins ± the deviation of a single one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = |bins: &[Bin; 10]| bins.iter().any(|bin| bin.predicted > 0.0 || bin.observed > 0.0);
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
                    _ => write!(f, " {:.1} → {:.1} | {positions} |", share(predicted), share(observed))?,
                }
            }
            writeln!(f)?;
        }
        let errors: Vec<_> = kinds.iter().map(|((name, _), error)| format!("{name} {:.1} %", 100.0 * error)).collect();
        write!(f, "\nMean error: {}; {} positions.", errors.join(", "), self.positions())?;
        if self.owned.iter().any(|bin| bin.positions > 0) { self.write_ownership(f) } else { Ok(()) }
    }
}

/// The prediction for a position, of the side to move.
pub(super) struct Prediction {
    /// Probabilities of win, draw and loss.
    pub odds: [f64; 3],
    /// Which of them came true: 0 for a win, 1 for a draw, 2 for a loss.
    pub outcome: usize,
    /// Whether it is exact.
    pub certain: bool,
}

impl Prediction {
    /// The prediction of an evaluation for the side to move, `mover`. White scored `half_points` in the game.
    pub fn new(evaluation: Evaluation, mover: Side, half_points: u8) -> Self {
        let value = evaluation.value();
        let (white, draw) = (f64::from(value.white), f64::from(value.draw));
        let (win, loss) = (white - draw / 2.0, 1.0 - white - draw / 2.0);
        let certain = matches!(evaluation, Evaluation::Exact(_));
        let (odds, half_points) =
            if mover == Side::White { ([win, draw, loss], half_points) } else { ([loss, draw, win], 2 - half_points) };
        Self { odds, outcome: usize::from(2 - half_points), certain }
    }
}

/// Compares the predictions of `known` with the results of the validation games.
///
/// # Errors
///
/// Those of [`fit`](super::fit()).
pub fn check(files: &[PathBuf], known: &Weights, options: &FitOptions) -> Result<Reliability, FitError> {
    let (name, begun) = &destination(files, known)?;
    let mut reliability = Reliability::default();
    for_each_prediction(files, known, &|game| is_aside(game, options), &mut |_, prediction| {
        reliability.add(prediction.odds, prediction.outcome);
    })?;
    FitError::if_few("positions in games left aside", reliability.positions() as usize, 1)?;
    let variant = variant_of(first(files)?)?;
    let owning = Owning { files, group: &group(&variant), name, known: begun, options, reliability: &mut reliability };
    trainable::run(&variant, begun, owning)?;
    Ok(reliability)
}

/// Compares who is expected to own the squares, and the lead, with the validation games.
struct Owning<'a> {
    files: &'a [PathBuf],
    /// Name of the group of rule sets.
    group: &'a str,
    /// Name of the tables.
    name: &'a str,
    known: &'a Weights,
    options: &'a FitOptions,
    reliability: &'a mut Reliability,
}

impl TrainableTask for Owning<'_> {
    type Output = Result<(), FitError>;

    fn run<P: Trainable, E: Evaluator<P>>(self, _: impl Fn() -> E + Sync) -> Self::Output {
        let owners = start::owners(&self.known.tables(), self.name);
        if P::OWNERS == 0 || owners.is_blank() {
            return Ok(());
        }
        let reliability = self.reliability;
        for path in self.files {
            let (start, games) = read::<P>(path, self.group)?;
            for game in games.iter().filter(|game| is_aside(game, self.options)) {
                let fates = fates(game, &start).ok_or_else(|| FitError::illegal(path, game))?;
                let played = for_each_turn(game, &start, |_, position: &P| {
                    let (squares, mover) = (position.squares(), position.side_to_move());
                    let forecast = owners.0.forecast(&squares, position.fine_phase());
                    for (square, probabilities) in forecast.squares {
                        if is_contested(squares[2 + square]) && fates[square] != Fate::Open {
                            for (side, probability) in [mover, !mover].into_iter().zip(probabilities) {
                                let came_true = fates[square] == Fate::Owned(side);
                                Bin::add(&mut reliability.owned, probability.into(), f64::from(u8::from(came_true)));
                            }
                        }
                    }
                    if let Some(halves) = game.margin {
                        let own = if mover == Side::White { 0.5 } else { -0.5 };
                        reliability.add_lead(forecast.lead.into(), own * f64::from(halves));
                    }
                    Some(())
                });
                played.ok_or_else(|| FitError::illegal(path, game))?;
            }
        }
        Ok(())
    }
}

/// Calls `f` with the prediction of `known` for each position in the `wanted` games of these files.
pub(super) fn for_each_prediction(
    files: &[PathBuf],
    known: &Weights,
    wanted: &dyn Fn(&GameData) -> bool,
    f: &mut dyn FnMut(&GameData, &Prediction),
) -> Result<(), FitError> {
    let variant = variant_of(first(files)?)?;
    trainable::run(&variant, known, Predicting { files, group: &group(&variant), wanted, f })
}

/// The arguments of [`for_each_prediction`].
struct Predicting<'a> {
    files: &'a [PathBuf],
    /// Name of the group of rule sets.
    group: &'a str,
    wanted: &'a dyn Fn(&GameData) -> bool,
    f: &'a mut dyn FnMut(&GameData, &Prediction),
}

impl TrainableTask for Predicting<'_> {
    type Output = Result<(), FitError>;

    fn run<P: Trainable, E: Evaluator<P>>(self, evaluator: impl Fn() -> E + Sync) -> Self::Output {
        let evaluator = evaluator();
        for path in self.files {
            let (start, games) = read::<P>(path, self.group)?;
            for game in games.iter().filter(|game| (self.wanted)(game)) {
                let played = for_each_turn(game, &start, |_, position: &P| {
                    let prediction =
                        Prediction::new(evaluator.evaluate(position), position.side_to_move(), game.result);
                    (self.f)(game, &prediction);
                    Some(())
                });
                played.ok_or_else(|| FitError::illegal(path, game))?;
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
        assert_eq!(table.bins[0][6], Bin { positions: 5, predicted: 3.0, observed: 3.0 });
        assert_eq!(table.bins[0][9], Bin { positions: 1, predicted: 1.0, observed: 1.0 });
        assert_eq!(table.bins[1][2].observed, 1.0);
        assert!(table.errors().iter().all(|error| *error < 1e-9));
        table.add([0.5, 0.5, 0.0], 2);
        assert!((table.errors()[2] - 1.0 / 7.0).abs() < 1e-9);
        assert!(table.to_string().contains("| 60–70 % | 60.0 → 60.0 | 5 | | 0 | | 0 |"), "{table}");
    }
}
