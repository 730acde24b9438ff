//! From a predicted final margin to win, draw and loss.

use super::{Value, logistic};

/// The value if White's final margin, a whole number, is spread around `expected` with this `scale` by the logistic distribution:
/// White wins from +1 up, a margin of 0 is a draw.
#[must_use]
pub(super) fn value_of_margin(expected: f32, scale: f32) -> Value {
    let win = logistic((expected - 0.5) / scale);
    let not_loss = logistic((expected + 0.5) / scale);
    Value { white: (win + not_loss) / 2.0, draw: not_loss - win }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_margin_gives_probabilities_that_make_sense() {
        let even = value_of_margin(0.0, 2.0);
        assert!((even.white - 0.5).abs() < 1e-6 && (0.1..0.2).contains(&even.draw));
        let sure = value_of_margin(0.0, 0.05);
        assert!(sure.draw > 0.99 && (sure.white - 0.5).abs() < 1e-6);
        let ahead = value_of_margin(3.0, 1.0);
        assert!(ahead.white > 0.9 && ahead.draw < 0.1);
        assert!((value_of_margin(-3.0, 1.0).white + ahead.white - 1.0).abs() < 1e-6);
    }
}
