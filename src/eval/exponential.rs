/// Terms that [`sum_of_exponentials`] adds side by side.
const LANES: usize = 8;

/// e to the power of `x`, to one part in a million, with the same bits on every machine: it uses additions and
/// multiplications alone, and compilers can do many at once. Below −87 it is 0 or nearly so, above 87 it is as at 87.
///
/// `2^(x / ln 2)`: the whole part goes into the exponent of the number, the rest into a polynomial (the Taylor series
/// of `2^f`).
#[inline(always)]
#[must_use]
pub fn exp(x: f32) -> f32 {
    // Adding this rounds to the nearest integer, which then stands in the low bits.
    const ROUNDING: f32 = 12_582_912.0;
    let power = x.clamp(-87.0, 87.0) * std::f32::consts::LOG2_E;
    let rounded = power + ROUNDING;
    let rest = (power - (rounded - ROUNDING)) * std::f32::consts::LN_2;
    let tail = 1.0 / 24.0 + rest * (1.0 / 120.0 + rest * (1.0 / 720.0));
    let scaled = 1.0 + rest * (1.0 + rest * (0.5 + rest * (1.0 / 6.0 + rest * tail)));
    f32::from_bits(scaled.to_bits().wrapping_add(rounded.to_bits() << 23))
}

/// The sum of `e^(logit − base)`, in an order that does not depend on the machine.
#[inline]
#[must_use]
pub fn sum_of_exponentials(logits: &[f32], base: f32) -> f32 {
    let (chunks, rest) = logits.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for chunk in chunks {
        for (sum, logit) in sums.iter_mut().zip(chunk) {
            *sum += exp(logit - base);
        }
    }
    let tail: f32 = rest.iter().map(|logit| exp(logit - base)).sum();
    sums.iter().sum::<f32>() + tail
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponential_is_right_to_a_millionth() {
        for step in -8_700..=8_700 {
            let x = step as f32 / 100.0;
            let exact = f64::from(x).exp();
            assert!((f64::from(exp(x)) / exact - 1.0).abs() < 1e-6 * (1.0 + f64::from(x.abs()) / 8.0), "{x}");
        }
        assert_eq!(exp(0.0), 1.0);
        assert!(exp(f32::NEG_INFINITY) < 1e-37 && exp(f32::INFINITY).is_finite());
    }

    #[test]
    fn sums_are_those_of_the_parts() {
        let logits: Vec<f32> = (0..37).map(|index| (index as f32 * 0.7).rem_euclid(9.0) - 5.0).collect();
        let exact: f64 = logits.iter().map(|&logit| f64::from(logit - 4.0).exp()).sum();
        assert!((f64::from(sum_of_exponentials(&logits, 4.0)) / exact - 1.0).abs() < 1e-6);
        assert_eq!(sum_of_exponentials(&[], 1.0), 0.0);
    }
}
