//! Calibration: predicted probabilities that come true. It is the last step after a fit (Platt, *Probabilistic
//! outputs for support vector machines*, 1999; for networks Guo et al., *On calibration of modern neural networks*,
//! 2017).
//!
//! A fit also learns from games of weaker players, and from games with many randomly drawn turns. Their results are
//! nearer to chance than those of the player that the weights are for, so the fitted probabilities are too close to
//! even. The order of positions is right, the scale of the logit is not. So three numbers are fitted to the results
//! of the newest games alone: the scale of the logit, and the scale and offset of the thresholds of draws. They are
//! multiplied into the weights, and cost nothing in play.

use super::check::{Prediction, for_each_prediction};
use super::fit::data::{FEWEST_GAMES, destination, is_aside};
use super::fit::error::FitError;
use super::fit::odds::{Odds, Target};
use super::fit::optimiser::{BLOCK, Fitted, Moments, Schedule, mean_gradient, optimise};
use super::fit::options::FitOptions;
use hippolyta::eval::Weights;
use hippolyta::eval::learned::Part;
use hippolyta::eval::network::{HIDDEN, SCALE};
use hippolyta::eval::shapes::value;
use hippolyta::eval::weights::Tables;
use hippolyta::search::Control;
use rayon::prelude::*;
use std::collections::HashSet;
use std::fmt;
use std::path::PathBuf;

/// The result of a calibration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    /// Factor of the logit.
    pub scale: f32,
    /// Factor of the thresholds of draws.
    pub width: f32,
    /// Offset of the thresholds, added after the factor.
    pub offset: f32,
    /// Mean loss of the results before, in nats, on training and on validation games.
    pub before: [f64; 2],
    /// Mean loss of the results after it.
    pub after: [f64; 2],
}

impl fmt::Display for Calibration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "logit × {:.3}", self.scale)?;
        match (self.width, self.offset) {
            // There are no draws.
            (1.0, 0.0) => Ok(()),
            (width, offset) => write!(f, ", thresholds × {width:.3} {offset:+.3}"),
        }
    }
}

/// The logarithm of the logit's scale, that of the thresholds', and their offset.
struct Scales([f32; 3]);

impl Fitted for Scales {
    fn weights(&self) -> &[f32] {
        &self.0
    }

    fn weights_mut(&mut self) -> &mut [f32] {
        &mut self.0
    }
}

impl Scales {
    const NONE: Self = Self([0.0; 3]);

    fn scale(&self) -> f32 {
        libm::expf(self.0[0])
    }

    fn width(&self) -> f32 {
        libm::expf(self.0[1])
    }

    fn threshold(&self, threshold: f32) -> f32 {
        (self.width() * threshold + self.0[2]).max(0.0)
    }

    fn odds(&self, point: &Point) -> Odds {
        Odds::new(self.scale() * point.logit, self.threshold(point.threshold))
    }

    fn loss(&self, points: &[Point]) -> f64 {
        let sums: Vec<f64> = points
            .par_chunks(BLOCK)
            .map(|points| points.iter().map(|point| self.odds(point).loss(&point.target)).sum())
            .collect();
        sums.iter().sum::<f64>() / points.len().max(1) as f64
    }

    fn add_gradient(&self, point: &Point, sum: &mut [f32]) {
        let (by_logit, by_threshold) = self.odds(point).slopes(&point.target);
        sum[0] += by_logit * self.scale() * point.logit;
        // Without draws there is nothing to fit.
        if point.threshold > 0.0 && self.threshold(point.threshold) > 0.0 {
            sum[1] += by_threshold * self.width() * point.threshold;
            sum[2] += by_threshold;
        }
    }

    /// The scales with the least loss.
    fn fit(points: &[Point]) -> Self {
        let mut scales = Self::NONE;
        let gradient = |scales: &Self, batch: &[usize]| {
            mean_gradient(3, batch, &|index, sum| scales.add_gradient(&points[index], sum))
        };
        let schedule = Schedule { epochs: 20, batch: 8_192, rate: 0.02, evidence: 0.0, others_only: false, seed: 1 };
        // No checkpoint is written, so nothing can fail.
        let _ = optimise(
            &mut scales,
            Moments::default(),
            points.len(),
            &schedule,
            &gradient,
            &mut |_, _| Ok(()),
            &Control::default(),
        );
        scales
    }

    /// Scales the tables of the group called `name`.
    fn apply(&self, tables: &mut Tables, name: &str) {
        let times = |weight: &mut i32| *weight = (*weight as f32 * self.scale()).round() as i32;
        for (known, table) in &mut tables.tables {
            match known.strip_prefix(name).and_then(Part::of_ending) {
                Some(Part::Linear) => table.iter_mut().for_each(times),
                Some(Part::Hidden) => {
                    let outputs = table.len() - HIDDEN;
                    table[outputs..].iter_mut().for_each(times);
                }
                Some(Part::Shapes) => value::scale(table, times),
                Some(Part::Draws) => table.iter_mut().for_each(|threshold| {
                    *threshold = (self.threshold(*threshold as f32 / SCALE) * SCALE).round() as i32;
                }),
                _ => {}
            }
        }
    }
}

/// An evaluated position and the result of its game.
struct Point {
    logit: f32,
    threshold: f32,
    target: Target,
}

impl Point {
    /// Logit and threshold from the probabilities that follow from them.
    fn new(prediction: &Prediction) -> Self {
        let [win, draw, _] = prediction.odds;
        let logit = |p: f64| {
            let p = p.clamp(1e-6, 1.0 - 1e-6);
            libm::log(p / (1.0 - p)) as f32
        };
        let (of_win, of_no_loss) = (logit(win), logit(win + draw));
        let target = Target { result: 2 - prediction.outcome as u8, score: 0.0, share: 0.0 };
        Self { logit: (of_win + of_no_loss) / 2.0, threshold: (of_no_loss - of_win) / 2.0, target }
    }
}

/// Fits the scales of the predictions of `known` to the results of the games in `files`, and returns the scaled
/// tables.
///
/// # Errors
///
/// Those of [`fit`](super::fit()).
pub fn calibrate(files: &[PathBuf], known: &Weights, options: &FitOptions) -> Result<(Tables, Calibration), FitError> {
    let (name, known) = &destination(files, known)?;
    let mut points = [Vec::new(), Vec::new()];
    let mut to_learn_from = HashSet::new();
    for_each_prediction(files, known, &|_| true, &mut |game, prediction| {
        if !prediction.certain {
            let aside = is_aside(game, options);
            points[usize::from(aside)].push(Point::new(prediction));
            if !aside {
                to_learn_from.insert(game.number);
            }
        }
    })?;
    FitError::if_few("games to learn from", to_learn_from.len(), FEWEST_GAMES)?;
    FitError::if_few("positions in games left aside", points[1].len(), 1)?;
    let scales = Scales::fit(&points[0]);
    let [before, after] = [&Scales::NONE, &scales].map(|scales| [0, 1].map(|part| scales.loss(&points[part])));
    let mut unshown = known.clone();
    unshown.forget_calibrations(name);
    let mut tables = unshown.tables();
    scales.apply(&mut tables, name);
    let calibration = Calibration { scale: scales.scale(), width: scales.width(), offset: scales.0[2], before, after };
    let note = format!("; calibrated by {} positions: {calibration}", points[0].len());
    let own = format!("{name}:");
    let notes = tables.notes.lines().map(|line| line.to_owned() + if line.starts_with(&own) { &note } else { "" });
    tables.notes = notes.collect::<Vec<_>>().join("\n");
    // Scaled weights may be out of bounds.
    known.with_tables(&tables)?;
    Ok((tables, calibration))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hippolyta::eval::amazons::AmazonsEvaluator;
    use hippolyta::eval::desdemona::DesdemonaEvaluator;
    use hippolyta::eval::{Evaluation, Evaluator, Value, logistic};
    use hippolyta::games::amazons::Amazons;
    use hippolyta::games::desdemona::Desdemona;
    use hippolyta::games::variant::{self, Family};
    use hippolyta::games::{Notation, Side};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn logits_and_thresholds_are_those_that_the_probabilities_came_from() {
        for (logit, threshold) in [(0.0f32, 0.5f32), (1.5, 0.2), (-2.0, 1.0), (0.7, 0.0)] {
            let odds = Odds::new(logit, threshold);
            let value = Value { white: (odds.win + odds.not_loss) / 2.0, draw: odds.not_loss - odds.win };
            let point = Point::new(&Prediction::new(Evaluation::Estimate(value), Side::White, 2));
            assert!((point.logit - logit).abs() < 1e-3 && (point.threshold - threshold).abs() < 1e-3);
            let turned = Point::new(&Prediction::new(Evaluation::Estimate(value), Side::Black, 2));
            assert!((turned.logit + logit).abs() < 1e-3 && turned.target.result == 0);
        }
    }

    #[test]
    fn timid_probabilities_are_stretched_to_what_came_true() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
        let points: Vec<Point> = (0..60_000)
            .map(|_| {
                let (logit, threshold) = (4.0 * random.random::<f32>() - 2.0, 0.2 + random.random::<f32>());
                let (win, loss) = (logistic(1.8 * logit - threshold), logistic(-1.8 * logit - threshold));
                let drawn = random.random::<f32>();
                let result = if drawn < win { 2 } else { u8::from(drawn < 1.0 - loss) };
                let target = Target { result, score: 0.0, share: 0.0 };
                // Predicted were too timid a logit and too wide a threshold.
                Point { logit, threshold: 2.0 * threshold + 0.3, target }
            })
            .collect();
        let scales = Scales::fit(&points);
        assert!((scales.scale() - 1.8).abs() < 0.05, "{}", scales.scale());
        for threshold in [0.2, 0.7, 1.2] {
            let found = scales.threshold(2.0 * threshold + 0.3);
            assert!((found - threshold).abs() < 0.06, "{found} instead of {threshold}");
        }
        assert!(scales.loss(&points) < Scales::NONE.loss(&points) - 0.02);
    }

    /// The prediction for the start position.
    fn start<P: Notation>(name: &str, evaluator: &dyn Evaluator<P>) -> Point {
        let variant = &variant::find(name).unwrap();
        let start = P::from_fen(variant, variant.start()).unwrap();
        Point::new(&Prediction::new(evaluator.evaluate(&start), Side::White, 2))
    }

    #[test]
    fn scaled_tables_predict_what_was_fitted() {
        let known = Weights::embedded();
        let scales = Scales([0.5, 0.25, 0.125]);
        let scaled = |group| {
            let mut tables = known.tables();
            scales.apply(&mut tables, group);
            known.with_tables(&tables).unwrap()
        };
        let Family::Desdemona(rules) = variant::find("iago").unwrap().family() else { panic!() };
        let [before, after] =
            [&*known, &scaled("iago")].map(|known| start::<Desdemona>("iago", &DesdemonaEvaluator::new(rules, known)));
        assert!(before.threshold > 0.0 && before.logit.abs() > 0.01);
        assert!((after.logit - scales.scale() * before.logit).abs() < 1e-3, "{} {}", before.logit, after.logit);
        assert!((after.threshold - scales.threshold(before.threshold)).abs() < 1e-3);
        let [before, after] =
            [&*known, &scaled("amazons")].map(|known| start::<Amazons>("amazons", &AmazonsEvaluator::new(known)));
        // Outputs of hidden units are whole numbers.
        assert!((after.logit - scales.scale() * before.logit).abs() < 3e-3, "{} {}", before.logit, after.logit);
        assert_eq!([before.threshold, after.threshold], [0.0; 2]);
    }
}
