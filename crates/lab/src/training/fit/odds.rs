//! Probabilities of win, draw and loss from a logit and a threshold, and their loss.
//!
//! A side wins with probability `σ(l − d)` and loses with `σ(−l − d)`; the rest is the draw: the ordinal logit model.

use hippolyta::eval::learned::win_and_not_loss;

/// The target of a prediction, for the side whose logit it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// Half points scored in the game.
    pub result: u8,
    /// Score of the search, 0 to 1.
    pub score: f32,
    /// Weight of the score in the loss; the rest is the result's.
    pub share: f32,
}

/// The probabilities that a logit and a threshold give.
pub struct Odds {
    pub win: f32,
    pub not_loss: f32,
}

impl Odds {
    pub fn new(logit: f32, threshold: f32) -> Self {
        let [win, not_loss] = win_and_not_loss(logit, threshold);
        Self { win, not_loss }
    }

    fn draw(&self) -> f32 {
        (self.not_loss - self.win).max(1e-9)
    }

    fn score(&self) -> f32 {
        ((self.win + self.not_loss) / 2.0).clamp(1e-6, 1.0 - 1e-6)
    }

    /// The loss in nats.
    pub fn loss(&self, target: &Target) -> f64 {
        let ln = |p: f32| libm::log(f64::from(p).max(1e-9));
        let of_result = match target.result {
            2 => -ln(self.win),
            1 => -ln(self.draw()),
            _ => -ln(1.0 - self.not_loss),
        };
        let (score, share) = (self.score(), f64::from(target.share));
        let of_score = -f64::from(target.score) * ln(score) - f64::from(1.0 - target.score) * ln(1.0 - score);
        (1.0 - share) * of_result + if share > 0.0 { share * of_score } else { 0.0 }
    }

    /// The derivatives of the loss by logit and by threshold.
    pub fn slopes(&self, target: &Target) -> (f32, f32) {
        let Self { win, not_loss } = *self;
        let (steep_win, steep_loss) = (win * (1.0 - win), not_loss * (1.0 - not_loss));
        let of_result = match target.result {
            2 => (win - 1.0, 1.0 - win),
            1 => (win + not_loss - 1.0, -(steep_win + steep_loss) / self.draw()),
            _ => (not_loss, not_loss),
        };
        let score = self.score();
        let by_score = (score - target.score) / (score * (1.0 - score)) / 2.0;
        let of_score = (by_score * (steep_win + steep_loss), by_score * (steep_loss - steep_win));
        let mix = |result: f32, score: f32| (1.0 - target.share) * result + target.share * score;
        (mix(of_result.0, of_score.0), mix(of_result.1, of_score.1))
    }
}

/// Softplus, ln(1 + e^x).
pub fn softplus(x: f32) -> f32 {
    let x = f64::from(x);
    (x.max(0.0) + libm::log1p(libm::exp(-x.abs()))) as f32
}

/// The inverse of [`softplus`], for y > 0.
pub fn inverse_softplus(y: f32) -> f32 {
    let y = f64::from(y);
    (y + libm::log(-libm::expm1(-y))) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_leads_back() {
        for y in [1e-6, 0.001, 0.1, 0.5, 1.0, 5.0, 40.0] {
            assert!((softplus(inverse_softplus(y)) / y - 1.0).abs() < 1e-5, "{y}");
        }
    }

    #[test]
    fn slopes_are_those_of_the_loss() {
        for result in 0..3 {
            for share in [0.0, 0.3, 1.0] {
                for (logit, threshold) in [(0.3, 0.5), (-1.2, 0.1), (2.0, 1.5)] {
                    let target = Target { result, score: 0.7, share };
                    let loss = |logit, threshold| Odds::new(logit, threshold).loss(&target);
                    let (by_logit, by_threshold) = Odds::new(logit, threshold).slopes(&target);
                    let h = 1e-2;
                    let numeric = |high: f64, low: f64| ((high - low) / (2.0 * f64::from(h))) as f32;
                    let expected = numeric(loss(logit + h, threshold), loss(logit - h, threshold));
                    assert!((by_logit - expected).abs() < 2e-3 * (1.0 + 3.0 * expected.abs()), "{by_logit} {expected}");
                    let expected = numeric(loss(logit, threshold + h), loss(logit, threshold - h));
                    assert!(
                        (by_threshold - expected).abs() < 2e-3 * (1.0 + 3.0 * expected.abs()),
                        "{by_threshold} {expected}"
                    );
                }
            }
        }
    }
}
