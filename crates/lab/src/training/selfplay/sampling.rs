//! Drawing by visits, so that games visit more positions than the best ones.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Draws an index in proportion to visits to the power of 1/`temperature`; `None` if there are no visits.
pub(super) fn draw(visits: &[u32], temperature: f32, random: &mut Xoshiro256PlusPlus) -> Option<usize> {
    let power = 1.0 / f64::from(temperature.max(1e-3));
    let most = f64::from(visits.iter().copied().max().filter(|&most| most > 0)?);
    let weight = |&visits: &u32| libm::pow(f64::from(visits) / most, power);
    let mut left = random.random::<f64>() * visits.iter().map(weight).sum::<f64>();
    let drawn = visits.iter().position(|visits| {
        left -= weight(visits);
        left < 0.0
    });
    // The sum may have been rounded up.
    drawn.or_else(|| visits.iter().rposition(|&visits| visits > 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    /// The share of each index among many draws.
    fn shares<const N: usize>(visits: [u32; N], temperature: f32) -> [f64; N] {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
        let mut counts = [0.0; N];
        (0..20_000).for_each(|_| counts[draw(&visits, temperature, &mut random).unwrap()] += 1.0 / 20_000.0);
        counts
    }

    fn close<const N: usize>(found: [f64; N], expected: [f64; N]) {
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 0.02), "{found:?} instead of {expected:?}");
    }

    #[test]
    fn the_temperature_says_how_much_visits_count() {
        let visits = [30, 0, 60, 10];
        close(shares(visits, 1.0), [0.3, 0.0, 0.6, 0.1]);
        // Squares of the visits, and roots.
        close(shares(visits, 0.5), [9.0 / 46.0, 0.0, 36.0 / 46.0, 1.0 / 46.0]);
        let roots = [30.0f64.sqrt(), 60.0f64.sqrt(), 10.0f64.sqrt()];
        let sum: f64 = roots.iter().sum();
        close(shares(visits, 2.0), [roots[0] / sum, 0.0, roots[1] / sum, roots[2] / sum]);
        assert_eq!(shares(visits, 0.0)[2].round(), 1.0);
        assert_eq!(shares(visits, 0.0)[0], 0.0);
    }

    #[test]
    fn what_has_no_visits_is_never_drawn() {
        assert_eq!(shares([0, 1, 0, 0], 100.0), shares([0, 1, 0, 0], 0.0));
        let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
        assert_eq!(draw(&[], 1.0, &mut random), None);
        assert_eq!(draw(&[0, 0], 1.0, &mut random), None);
    }

    #[test]
    fn the_same_seed_draws_the_same() {
        let drawn = |seed| {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
            (0..50).map(|_| draw(&[5, 6, 7, 8, 9], 1.0, &mut random)).collect::<Vec<_>>()
        };
        assert_eq!(drawn(1), drawn(1));
        assert_ne!(drawn(1), drawn(2));
    }
}
