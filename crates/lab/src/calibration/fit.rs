//! The numbers of a calibration with the least loss.

use super::games::{Game, Look};
use crate::training::{Fitted, Moments, Odds, Schedule, Target, mean_gradient, optimise};
use hippolyta::eval::calibration::{Calibration, GRID, Kind, PHASE_KNOTS, Point, SIZE, VISIT_KNOTS, tanh};
use hippolyta::eval::network::SCALE;
use hippolyta::games::Side;
use hippolyta::search::Control;

/// The games of one of several equal parts, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    /// Its number, from 0.
    pub part: u64,
    /// The number of parts.
    pub parts: u64,
}

impl Fold {
    /// Whether a game belongs to it.
    #[must_use]
    pub fn has(self, game: &Game) -> bool {
        // Odd and even games have openings of two kinds.
        game.number / 2 % self.parts == self.part
    }
}

/// How much two neighbouring numbers resemble each other: as if this number of looks said so, for a difference of 1.
const SMOOTHNESS: f32 = 60.0;
/// How much a number resembles 0.
const MODESTY: f32 = 1.0;

/// A look and how its game went.
struct Example {
    point: Point,
    target: Target,
}

/// The numbers as they are fitted, in the order of the table.
struct Numbers {
    numbers: Vec<f32>,
    /// The number of examples, by which the weight of smoothness shrinks.
    examples: f32,
    draws: bool,
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
    fn number(&self, kind: Kind, point: &Point) -> f32 {
        let grid = &self.numbers[kind as usize * GRID..][..GRID];
        point.knots.iter().map(|&(knot, weight)| grid[knot] * weight).sum()
    }

    fn add_gradient(&self, Example { point, target }: &Example, sum: &mut [f32]) {
        let [offset, near, far, base, width] = Kind::ALL.map(|kind| self.number(kind, point));
        let (near, far, width) = (libm::expf(near), libm::expf(far), libm::expf(width));
        let bent = tanh(point.logit);
        let logit = offset + far * point.logit + (near - far) * bent;
        let threshold = if self.draws { (base + width * point.threshold).max(0.0) } else { 0.0 };
        let (by_logit, by_threshold) = Odds::new(logit, threshold).slopes(target);
        let mut slopes = [by_logit, by_logit * near * bent, by_logit * far * (point.logit - bent), 0.0, 0.0];
        if self.draws && threshold > 0.0 {
            slopes[3] = by_threshold;
            slopes[4] = by_threshold * width * point.threshold;
        } else if self.draws && by_threshold < 0.0 {
            // Wider would be better, and the way there is open.
            slopes[3] = by_threshold;
        }
        for (kind, slope) in slopes.into_iter().enumerate() {
            for (knot, weight) in point.knots {
                sum[kind * GRID + knot] += slope * weight;
            }
        }
    }

    /// Adds what smoothness asks for, as a mean over the examples.
    fn add_smoothness(&self, gradient: &mut [f32]) {
        let share = 1.0 / self.examples.max(1.0);
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
#[must_use]
pub fn fit(games: &[Game]) -> Calibration {
    fit_of(&games.iter().collect::<Vec<_>>())
}

/// The calibration that the games outside of a part ask for.
#[must_use]
pub fn fit_without(games: &[Game], fold: Fold) -> Calibration {
    fit_of(&games.iter().filter(|game| !fold.has(game)).collect::<Vec<_>>())
}

fn fit_of(games: &[&Game]) -> Calibration {
    let of_game = |game: &&Game| -> Vec<Example> {
        let target = |look| Target { result: half_points(game, look), score: 0.0, share: 0.0 };
        game.looks.iter().map(|look| Example { point: look.seen().point(), target: target(look) }).collect()
    };
    let examples: Vec<Example> = games.iter().flat_map(of_game).collect();
    let draws = examples.iter().any(|example| example.target.result == 1);
    let mut numbers = Numbers { numbers: vec![0.0; SIZE], examples: examples.len() as f32, draws };
    let gradient = |numbers: &Numbers, batch: &[usize]| {
        let mut gradient = mean_gradient(SIZE, batch, &|index, sum| numbers.add_gradient(&examples[index], sum));
        numbers.add_smoothness(&mut gradient);
        gradient
    };
    let schedule = Schedule { epochs: 30, batch: 4_096, rate: 0.03, evidence: 0.0, others_only: false, seed: 1 };
    // No checkpoint is written, so nothing can fail.
    let _ = optimise(
        &mut numbers,
        Moments::default(),
        examples.len(),
        &schedule,
        &gradient,
        &mut |_, _| Ok(()),
        &Control::default(),
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
                assert!((score - expected).abs() < 0.04, "{score} instead of {expected}");
                assert!((draw - (truth.not_loss - truth.win)).abs() < 0.05, "{draw}");
            }
            let text = check(&games).to_string();
            let worst = |name: &str| -> f64 {
                let row = text.lines().find(|line| line.starts_with(&format!("| 1000 | {name}"))).unwrap();
                row.split('|').nth(4).unwrap().trim().parse().unwrap()
            };
            assert!(worst("before") > 8.0 && worst("after") < 4.0, "{text}");
        }
    }
}
