//! The numbers of a calibration with the least loss.

use super::games::{Game, Look};
use crate::training::{Fitted, Moments, Odds, Schedule, Target, mean_gradient, optimise};
use hippolyta::eval::calibration::{Bend, Calibration, GRID, Kind, PHASE_KNOTS, Point, SIZE, VISIT_KNOTS};
use hippolyta::eval::network::SCALE;
use hippolyta::games::Side;
use hippolyta::search::Control;

/// How much two neighbouring numbers resemble each other: as if the looks at this number of games said so, for a
/// difference of 1. Looks at one game say little more than one does.
const SMOOTHNESS: f32 = 0.4;
/// How much a number resembles 0, in the same way.
const MODESTY: f32 = 0.05;

/// A look and how its game went.
struct Example {
    point: Point,
    target: Target,
}

/// The numbers as they are fitted, in the order of the table.
struct Numbers {
    numbers: Vec<f32>,
    /// The number of games, by which the weight of smoothness shrinks.
    games: f32,
}

impl Fitted for Numbers {
    fn weights(&self) -> &[f32] {
        &self.numbers
    }

    fn weights_mut(&mut self) -> &mut [f32] {
        &mut self.numbers
    }
}

impl Numbers {
    fn add_gradient(&self, Example { point, target }: &Example, sum: &mut [f32]) {
        let Bend { near, far, width, tanh, logit, threshold } = point.bend(|place| self.numbers[place]);
        let (by_logit, by_threshold) = Odds::new(logit, threshold).slopes(target);
        // At 0 a threshold can only grow, and without draws it stays there.
        let is_free = point.threshold > 0.0 && (threshold > 0.0 || by_threshold < 0.0);
        let by_threshold = if is_free { by_threshold } else { 0.0 };
        let slopes = [
            by_logit,
            by_logit * near * tanh,
            by_logit * far * (point.logit - tanh),
            by_threshold,
            by_threshold * width * point.threshold,
            by_logit * point.colour,
        ];
        for (kind, slope) in slopes.into_iter().enumerate() {
            for (knot, weight) in point.knots {
                sum[kind * GRID + knot] += slope * weight;
            }
        }
    }

    /// Adds what smoothness asks for, as a mean over the examples.
    fn add_smoothness(&self, gradient: &mut [f32]) {
        let share = 1.0 / self.games.max(1.0);
        for kind in 0..Kind::ALL.len() {
            for knot in 0..GRID {
                let at = kind * GRID + knot;
                gradient[at] += MODESTY * share * self.numbers[at];
                let later = (knot % PHASE_KNOTS + 1 < PHASE_KNOTS).then_some(at + 1);
                let deeper = (knot / PHASE_KNOTS + 1 < VISIT_KNOTS.len()).then_some(at + PHASE_KNOTS);
                for other in [later, deeper].into_iter().flatten() {
                    let pull = SMOOTHNESS * share * (self.numbers[at] - self.numbers[other]);
                    gradient[at] += pull;
                    gradient[other] -= pull;
                }
            }
        }
    }
}

/// Half points of the side to move.
pub(super) fn half_points(game: &Game, look: &Look) -> u8 {
    if look.side() == Side::White { game.white } else { 2 - game.white }
}

/// The calibration that these games ask for.
pub fn fit<'a>(games: impl IntoIterator<Item = &'a Game>) -> Calibration {
    fit_while(games, &Control::default())
}

/// As [`fit`], but worth nothing once `control` is stopped, which ends it.
pub(crate) fn fit_while<'a>(games: impl IntoIterator<Item = &'a Game>, control: &Control) -> Calibration {
    let of_game = |game: &'a Game| {
        let target = |look| Target { result: half_points(game, look), score: 0.0, share: 0.0 };
        game.looks.iter().map(move |look| Example { point: look.seen().point(), target: target(look) })
    };
    let games: Vec<&Game> = games.into_iter().collect();
    let examples: Vec<Example> = games.iter().copied().flat_map(of_game).collect();
    let mut numbers = Numbers { numbers: vec![0.0; SIZE], games: games.len() as f32 };
    let all: Vec<usize> = (0..examples.len()).collect();
    // Steps by some of the examples leave noise in numbers that few of them speak of, those of draws above all. So each
    // step takes all of them: to the optimiser they are one sample.
    let gradient = |numbers: &Numbers, _: &[usize]| {
        let mut gradient = mean_gradient(SIZE, &all, &|index, sum| numbers.add_gradient(&examples[index], sum));
        numbers.add_smoothness(&mut gradient);
        gradient
    };
    let schedule = Schedule { epochs: 300, batch: 1, rate: 0.1, evidence: 0.0, others_only: false, seed: 1 };
    // No checkpoint is written, so nothing can fail.
    let _ = optimise(
        &mut numbers,
        Moments::default(),
        usize::from(!examples.is_empty()),
        &schedule,
        &gradient,
        &mut |_, _| Ok(()),
        control,
    );
    let whole: Vec<i32> = numbers.numbers.iter().map(|number| (number.clamp(-15.0, 15.0) * SCALE) as i32).collect();
    Calibration::from_table(&whole).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibration::check;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Games of a search that is too hopeful and too timid: its logit is 0.4 of the true one, and 0.3 more.
    fn games(count: u64, draws: f32) -> Vec<Game> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
        let mut game = |number| {
            let truth = 6.0 * random.random::<f32>() - 3.0;
            let odds = Odds::new(truth, draws);
            let drawn: f32 = random.random();
            let white = if drawn < odds.win { 2 } else { u8::from(drawn < odds.not_loss) };
            let mut look = |ply: u32| {
                let white = ply.is_multiple_of(2);
                let logit = 0.4 * (if white { truth } else { -truth }) + 0.3;
                let seen = Odds::new(logit, 0.5 * draws);
                let (score, draw) = ((seen.win + seen.not_loss) / 2.0, seen.not_loss - seen.win);
                let visits = random.random_range(200..8_000);
                Look { ply, white, phase: ply as f32 / 20.0, nodes: 1_000, visits, score, draw }
            };
            let looks = (0..20).map(&mut look).collect();
            Game { number, white, turns: 20, looks }
        };
        (0..count).map(&mut game).collect()
    }

    #[test]
    fn a_timid_and_hopeful_search_is_shown_as_what_comes_true() {
        for draws in [0.0, 0.8] {
            let games = games(2_000, draws);
            let calibration = fit(&games);
            for look in games.iter().take(400).flat_map(|game| &game.looks) {
                let [score, draw] = calibration.shown(look.seen());
                let raw = look.seen().point();
                let truth = Odds::new((raw.logit - 0.3) / 0.4, 2.0 * raw.threshold);
                let expected = (truth.win + truth.not_loss) / 2.0;
                assert!((score - expected).abs() < 0.05, "{score} instead of {expected}");
                assert!((draw - (truth.not_loss - truth.win)).abs() < 0.05, "{draw}");
            }
            let text = check(&games).to_string();
            let worst = |name: &str| -> f64 {
                let row = text.lines().find(|line| line.starts_with(&format!("| 1000 | {name}"))).unwrap();
                row.split(['|', '±']).nth(4).unwrap().trim().parse().unwrap()
            };
            assert!(worst("before") > 8.0 && worst("after") < 4.0, "{text}");
        }
    }
}
