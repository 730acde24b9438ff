//! Strength from results: Elo differences with their errors, likelihood of superiority, the sequential
//! probability ratio test, and Bradley–Terry ratings.
//!
//! Scores count 1 for a win, ½ for a draw. Where an opening is played twice with colours swapped, the unit is the pair
//! of games, whose score is 0, ¼, ½, ¾ or 1 of two points (the *pentanomial* model): pairs vary less than single games,
//! as both players get the advantage of the opening once. All errors are 95 % confidence intervals.

use serde::{Deserialize, Serialize};

/// Half the width of a 95 % interval in standard deviations.
pub const CONFIDENCE: f64 = 1.959_963_984_540_054;
/// Elo for one unit of (mean − ½) / standard deviation of a game: 800 / ln 10.
const NORMALIZED: f64 = 347.435_585_522_601_5;

/// The largest difference of a test, in Elo or normalized Elo: in Elo that of a score of 0.00001. Each difference up to
/// there is that of some distribution over the scores, in both models, whatever was seen: where one side wins all games
/// but a few, the deviation is as small as one likes.
pub const FAR: f64 = 2_000.0;

/// How often each score occurred, evenly spaced from 0 to 1: three counts for games (loss, draw, win), five for pairs
/// of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts<const N: usize>(pub [u64; N]);

/// A difference and its error, in Elo. Infinite where there are too few results.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The difference.
    pub difference: f64,
    /// Half the width of its 95 % interval.
    pub error: f64,
}

/// The Elo difference at which `score` (0 … 1) is expected.
pub fn elo(score: f64) -> f64 {
    // Plus 0 makes −0 plain 0.
    -400.0 * libm::log10(1.0 / score - 1.0) + 0.0
}

/// The score expected at an Elo difference.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + libm::pow(10.0, -elo / 400.0))
}

/// The interval of 95 % for the mean of `total` results from 0 to 1, of which the seen ones sum to `points`. It is that of
/// Clopper and Pearson (*The use of confidence or fiducial limits illustrated in the case of the binomial*, 1934):
/// exact for results that are 0 or 1, and wider than need be for others, which vary less. So it holds for two results
/// as for a thousand, has a width whatever was seen, and stays within 0 and 1.
///
/// ```
/// use hippolyta_lab::arena::statistics::interval;
///
/// let near = |[low, high]: [f64; 2], wanted: [f64; 2]| (low - wanted[0]).abs() + (high - wanted[1]).abs() < 1e-4;
/// assert!(near(interval(10.0, 100.0), [0.0490, 0.1762]));
/// assert!(near(interval(0.0, 3.0), [0.0, 0.7076]));
/// assert_eq!(interval(0.0, 0.0), [0.0, 1.0]);
/// ```
pub fn interval(points: f64, total: f64) -> [f64; 2] {
    const TAIL: f64 = 0.025;
    let (points, lost) = (points.clamp(0.0, total), (total - points).clamp(0.0, total));
    let low = if points > 0.0 { beta_quantile(points, lost + 1.0, TAIL) } else { 0.0 };
    let high = if lost > 0.0 { beta_quantile(points + 1.0, lost, 1.0 - TAIL) } else { 1.0 };
    [low, high]
}

/// The number below which this share of a beta distribution lies.
fn beta_quantile(a: f64, b: f64, share: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    // Until there is no number between.
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return middle;
        }
        if beta_below(a, b, middle) < share { low = middle } else { high = middle }
    }
}

/// The share of a beta distribution below `x`: the regularized incomplete beta function, by its continued fraction (Press
/// et al., *Numerical Recipes*, 6.4).
fn beta_below(a: f64, b: f64, x: f64) -> f64 {
    // Beyond the mean the fraction of the other side is the one that ends soon.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - beta_below(b, a, 1.0 - x);
    }
    let logarithm = libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b) + a * libm::log(x) + b * libm::log1p(-x);
    let (mut c, mut d) = (1.0, 1.0 / (1.0 - (a + b) * x / (a + 1.0)));
    let mut fraction = d;
    for m in (1..10_000).map(f64::from) {
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let before = fraction;
        for term in [even, odd] {
            (c, d) = (1.0 + term / c, 1.0 / (1.0 + term * d));
            fraction *= c * d;
        }
        if (fraction - before).abs() <= 1e-15 * fraction.abs() {
            break;
        }
    }
    libm::exp(logarithm) * fraction / a
}

/// The Elo differences of two scores, infinite where nothing bounds them.
pub fn elo_bounds(scores: [f64; 2]) -> [f64; 2] {
    scores.map(|score| match score {
        score if score < 1e-9 => f64::NEG_INFINITY,
        score if score > 1.0 - 1e-9 => f64::INFINITY,
        score => elo(score),
    })
}

impl<const N: usize> Counts<N> {
    /// Nothing yet.
    pub const NONE: Self = Self([0; N]);

    /// How many.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Games in one unit: 1 or 2.
    fn games_each(&self) -> f64 {
        if N == 5 { 2.0 } else { 1.0 }
    }

    /// Scores with their shares.
    fn shares(&self) -> Vec<(f64, f64)> {
        let total = self.total() as f64;
        self.0.iter().enumerate().map(|(i, &n)| (i as f64 / (N - 1) as f64, n as f64 / total)).collect()
    }

    /// The number of games and [`shares`](Self::shares), where scores that did not occur count a thousandth of a game:
    /// so logarithms exist.
    fn regular_shares(&self) -> (f64, Vec<(f64, f64)>) {
        let counts = self.0.map(|n| if n == 0 { 1e-3 } else { n as f64 });
        let total: f64 = counts.iter().sum();
        (total, counts.iter().enumerate().map(|(i, n)| (i as f64 / (N - 1) as f64, n / total)).collect())
    }

    /// The mean score, 0 … 1.
    pub fn score(&self) -> f64 {
        moments(&self.shares()).0
    }

    /// The Elo difference (logistic): the error is half the distance between the Elo of the ends of the mean's 95 %
    /// interval, infinite if that reaches none or all of the points.
    pub fn elo(&self) -> Elo {
        let (mean, variance) = moments(&self.shares());
        let margin = CONFIDENCE * (variance / self.total() as f64).sqrt();
        let (low, high) = (mean - margin, mean + margin);
        let error = if low > 0.0 && high < 1.0 { (elo(high) - elo(low)) / 2.0 } else { f64::INFINITY };
        Elo { difference: elo(mean), error }
    }

    /// The difference as [`elo`](Self::elo) gives it, once the results tell one: they must vary, and leave it bounded on
    /// both sides. Two games that each side won once vary in nothing, as a pair, and tell no error.
    pub fn known_elo(&self) -> Option<Elo> {
        // Without results it is not a number.
        let (_, variance) = moments(&self.shares());
        let found = (variance > 1e-12).then(|| self.elo())?;
        found.error.is_finite().then_some(found)
    }

    /// An interval of 95 % for the difference that is honest for few results too: that of [`interval`], for results that
    /// vary as much as any with their mean can. An end is infinite where nothing bounds it.
    pub fn elo_interval(&self) -> [f64; 2] {
        let total = self.total() as f64;
        if total == 0.0 { elo_bounds([0.0, 1.0]) } else { elo_bounds(interval(self.score() * total, total)) }
    }

    /// The normalized difference: in standard deviations of a game, scaled so that it is near Elo where draws are few
    /// (Van den Bergh, "Normalized Elo", 2020). It determines how many games a test of this difference takes,
    /// independently of the share of draws.
    pub fn normalized_elo(&self) -> Elo {
        let (mean, variance) = moments(&self.shares());
        let deviation = (variance * self.games_each()).sqrt();
        let games = self.total() as f64 * self.games_each();
        Elo {
            difference: in_units_of(deviation, mean - 0.5) * NORMALIZED,
            error: CONFIDENCE * NORMALIZED / games.sqrt(),
        }
    }

    /// The likelihood of superiority: of a mean score above ½, by the normal distribution.
    pub fn superiority(&self) -> f64 {
        let (mean, variance) = moments(&self.shares());
        let deviation = (variance / self.total() as f64).sqrt();
        0.5 * (1.0 + libm::erf(in_units_of(deviation, mean - 0.5) / std::f64::consts::SQRT_2))
    }
}

/// No difference is none in any unit, even if all games went alike.
fn in_units_of(unit: f64, difference: f64) -> f64 {
    if difference == 0.0 { 0.0 } else { difference / unit }
}

/// Mean and variance.
fn moments(shares: &[(f64, f64)]) -> (f64, f64) {
    let mean: f64 = shares.iter().map(|(score, share)| score * share).sum();
    (mean, shares.iter().map(|(score, share)| share * (score - mean) * (score - mean)).sum())
}

/// The unit of the hypotheses of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Elo.
    Logistic,
    /// Normalized Elo.
    Normalized,
}

/// A sequential probability ratio test (Wald 1945) of two differences.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// Difference under the null hypothesis.
    pub elo0: f64,
    /// Difference under the alternative.
    pub elo1: f64,
    /// Greatest probability of accepting the alternative wrongly.
    pub alpha: f64,
    /// Greatest probability of accepting the null hypothesis wrongly.
    pub beta: f64,
    /// Unit of the differences.
    pub model: Model,
}

/// The decision of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The alternative is accepted.
    H1,
    /// The null hypothesis is accepted.
    H0,
}

impl Sprt {
    /// The log-likelihood ratios at which the test ends: H0 at or below the first, H1 at or above the second.
    pub fn bounds(&self) -> (f64, f64) {
        (libm::log(self.beta / (1.0 - self.alpha)), libm::log((1.0 - self.beta) / self.alpha))
    }

    /// The decision at a log-likelihood ratio.
    pub fn verdict(&self, ratio: f64) -> Option<Verdict> {
        let (lower, upper) = self.bounds();
        if ratio >= upper {
            Some(Verdict::H1)
        } else if ratio <= lower {
            Some(Verdict::H0)
        } else {
            None
        }
    }

    /// The generalized log-likelihood ratio: each hypothesis is represented by the distribution that explains the
    /// results best under it (Van den Bergh, "A practical introduction to the GSPRT", 2020). 0 without any result.
    pub fn ratio<const N: usize>(&self, counts: &Counts<N>) -> f64 {
        if counts.total() == 0 {
            return 0.0;
        }
        let (total, shares) = counts.regular_shares();
        let cost = |elo: f64| match self.model {
            Model::Logistic => cost_of_mean(&shares, expected_score(elo)),
            Model::Normalized => cost_of_t_value(&shares, elo / NORMALIZED * counts.games_each().sqrt()),
        };
        total * (cost(self.elo0) - cost(self.elo1))
    }
}

/// By how much the log-likelihood of a result falls if the observed distribution pᵢ gives way to the likeliest one with
/// Σ qᵢ aᵢ = 0. That is qᵢ = pᵢ / (1 + x aᵢ), where x makes Σ pᵢ log(1 + x aᵢ) greatest; this sum is the cost. Infinite
/// if no distribution has that mean, as all aᵢ have one sign.
fn cost(weighted: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
    let bounds = weighted.clone().fold((f64::MAX, f64::MIN), |(least, most), (a, _)| (least.min(a), most.max(a)));
    let (least, most) = bounds;
    if least >= 0.0 || most <= 0.0 {
        return f64::INFINITY;
    }
    // The slope Σ pᵢ aᵢ / (1 + x aᵢ) falls from ∞ to −∞ between its poles.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    loop {
        let x = f64::midpoint(low, high);
        if x <= low || x >= high {
            return weighted.map(|(a, p)| p * libm::log1p(x * a)).sum();
        }
        let slope: f64 = weighted.clone().map(|(a, p)| p * a / (1.0 + x * a)).sum();
        if slope > 0.0 { low = x } else { high = x }
    }
}

/// The cost of the likeliest distribution with this mean.
fn cost_of_mean(shares: &[(f64, f64)], mean: f64) -> f64 {
    cost(shares.iter().map(|(score, share)| (score - mean, *share)))
}

/// The cost of the likeliest distribution with this (mean − ½) / deviation.
///
/// Let t be that value, positive, and k = 1 + 1 / t². The value of a distribution is t or more if its moments about ½
/// satisfy k M₁² ≥ M₂ and M₁ > 0. At each m > 0 the plane 2 k m M₁ − k m² = M₂ touches that surface. The distributions
/// below t are a convex set, which the planes bound; those above t are the union of what lies beyond each plane. So the
/// cost is the least of all planes if the observed value is below t. If it is above, the cost is the greatest of those
/// planes that the observed distribution lies beyond.
fn cost_of_t_value(shares: &[(f64, f64)], t: f64) -> f64 {
    // A negative value is a positive one with the scores turned round.
    let centred: Vec<_> = shares.iter().map(|(score, share)| ((score - 0.5) * t.signum(), *share)).collect();
    let k = 1.0 + 1.0 / (t * t);
    if !k.is_finite() {
        return cost_of_mean(shares, 0.5);
    }
    let pulls = |m: f64| centred.iter().map(move |(c, share)| (k * m * (2.0 * c - m) - c * c, *share));
    let first: f64 = centred.iter().map(|(c, share)| c * share).sum();
    let second: f64 = centred.iter().map(|(c, share)| c * c * share).sum();
    let beyond = first * first - second / k;
    if first > 0.0 && beyond >= 0.0 {
        let half = beyond.sqrt();
        return -least(first - half, first + half, |m| -cost(pulls(m)));
    }
    // Beyond a plane there is something only near enough to one of the scores.
    let width = 1.0 / (1.0 + t * t).sqrt();
    let costs = centred.iter().filter(|(c, _)| *c > 0.0).map(|(c, _)| {
        // 1 − width, without its rounding where t is small.
        let from = c * t * t * width * width / (1.0 + width);
        least(from, (c * (1.0 + width)).min(0.5), |m| cost(pulls(m)))
    });
    costs.fold(f64::INFINITY, f64::min)
}

/// The least value of a function between two positive places: the best of several where it has more than one valley.
fn least(from: f64, to: f64, f: impl Fn(f64) -> f64) -> f64 {
    const STEPS: usize = 96;
    let step = (to / from).powf(1.0 / STEPS as f64);
    let at = |i: usize| from * step.powi(i as i32);
    let values: Vec<_> = (0..=STEPS).map(|i| f(at(i))).collect();
    let mut best = f64::INFINITY;
    for i in 1..STEPS {
        if values[i] > values[i - 1] || values[i] > values[i + 1] || values[i].is_infinite() {
            continue;
        }
        // Golden section.
        const PART: f64 = 0.618_033_988_749_894_9;
        let (mut low, mut high) = (at(i - 1), at(i + 1));
        for _ in 0..50 {
            let (a, b) = (high - PART * (high - low), low + PART * (high - low));
            if f(a) < f(b) { high = b } else { low = a }
        }
        best = best.min(f(f64::midpoint(low, high)));
    }
    best
}

/// A rating and its error, in Elo; the mean of all ratings is 0 (of each group, if there are groups that have not met).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The rating.
    pub elo: f64,
    /// Half the width of its 95 % interval.
    pub error: f64,
}

/// Drawn games that are added for each pairing that has been played: keeps ratings finite where a player has won or
/// lost every game.
const PRIOR_DRAWS: f64 = 1.0;

/// Ratings by maximum likelihood in the model of Bradley and Terry (1952), draws counting as half a win, half a loss;
/// errors from the curvature of the likelihood. `points[i][j]` are the points of i against j. Players without games
/// have rating 0 and an infinite error.
pub fn ratings(points: &[Vec<f64>]) -> Vec<Rating> {
    let count = points.len();
    let games = |i: usize, j: usize| {
        let played = points[i][j] + points[j][i];
        if i != j && played > 0.0 { played + PRIOR_DRAWS } else { 0.0 }
    };
    let score = |i: usize, j: usize| if games(i, j) > 0.0 { points[i][j] + PRIOR_DRAWS / 2.0 } else { 0.0 };
    let idle = |i: usize| (0..count).all(|j| games(i, j) == 0.0);
    // Those that have met, directly or not, have the same label.
    let mut group: Vec<usize> = (0..count).collect();
    for _ in 0..count {
        for i in 0..count {
            for j in (0..count).filter(|&j| games(i, j) > 0.0) {
                group[i] = group[i].min(group[j]);
            }
        }
    }
    let size = |i: usize| group.iter().filter(|&&label| label == group[i]).count() as f64;
    // Minorization–maximization (Hunter 2004).
    let mut strength = vec![1.0; count];
    for _ in 0..20_000 {
        let before = strength.clone();
        for i in 0..count {
            if !idle(i) {
                let wins: f64 = (0..count).map(|j| score(i, j)).sum();
                let weight: f64 = (0..count).map(|j| games(i, j) / (strength[i] + strength[j])).sum();
                strength[i] = wins / weight;
            }
        }
        let logs: Vec<f64> = strength.iter().map(|s: &f64| libm::log(*s)).collect();
        for i in 0..count {
            let of_group = (0..count).filter(|&j| group[j] == group[i]).map(|j| logs[j]).sum::<f64>();
            strength[i] /= libm::exp(of_group / size(i));
        }
        let change =
            strength.iter().zip(&before).map(|(a, b)| (libm::log(*a) - libm::log(*b)).abs()).fold(0.0, f64::max);
        if change < 1e-10 {
            break;
        }
    }
    // The information matrix is a Laplacian: its pseudo-inverse is the covariance of ratings with mean 0.
    let mut information = vec![vec![0.0; count]; count];
    for i in 0..count {
        for j in 0..count {
            if group[i] == group[j] {
                information[i][j] += 1.0 / size(i);
            }
            if games(i, j) > 0.0 {
                let p = strength[i] / (strength[i] + strength[j]);
                information[i][i] += games(i, j) * p * (1.0 - p);
                information[i][j] -= games(i, j) * p * (1.0 - p);
            }
        }
    }
    let covariance = inverse(information);
    let scale = 400.0 / std::f64::consts::LN_10;
    let rating = |i: usize| {
        let variance = covariance.as_ref().map_or(f64::INFINITY, |inverse| inverse[i][i] - 1.0 / size(i));
        let error = if idle(i) { f64::INFINITY } else { CONFIDENCE * scale * variance.max(0.0).sqrt() };
        Rating { elo: scale * libm::log(strength[i]), error }
    };
    (0..count).map(rating).collect()
}

/// By Gauss–Jordan elimination with pivots; `None` if there is none.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    for (i, row) in matrix.iter_mut().enumerate() {
        row.extend((0..size).map(|j| f64::from(u8::from(i == j))));
    }
    for column in 0..size {
        let pivot = (column..size).max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        matrix.swap(column, pivot);
        let divisor = matrix[column][column];
        if divisor.abs() < 1e-12 {
            return None;
        }
        matrix[column].iter_mut().for_each(|x| *x /= divisor);
        let row = matrix[column].clone();
        for (other, line) in matrix.iter_mut().enumerate() {
            let factor = line[column];
            if other != column && factor != 0.0 {
                line.iter_mut().zip(&row).for_each(|(x, y)| *x -= factor * y);
            }
        }
    }
    Some(matrix.into_iter().map(|row| row[size..].to_vec()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() <= 0.006_f64.max(expected.abs() * 0.001), "{found} instead of {expected}");
    }

    /// Figures that fastchess publishes in its tests, of results as (wins, losses, draws) and as five counts of pairs.
    #[test]
    fn elo_agrees_with_published_figures() {
        let games = |wins, losses, draws| Counts([losses, draws, wins]);
        let normalized = games(76, 89, 123).normalized_elo();
        close(normalized.difference, -20.76);
        close(normalized.error, 40.13);
        close(games(76, 89, 123).superiority() * 100.0, 15.53);
        let counts = games(136, 96, 111);
        close(counts.elo().difference, 40.70);
        close(counts.elo().error, 30.43);
        close(counts.normalized_elo().difference, 49.77);
        close(counts.superiority() * 100.0, 99.60);
        close(games(34, 356, 0).normalized_elo().difference, -508.44);
        assert!(games(38, 2, 0).elo().error.is_infinite() && games(5, 0, 0).elo().error.is_infinite());
        let pairs = Counts([34, 54, 31 + 32, 64, 75]);
        close(pairs.elo().difference, 55.58);
        close(pairs.elo().error, 27.65);
        close(pairs.normalized_elo().difference, 57.94);
        close(pairs.normalized_elo().error, 28.28);
        let pairs = Counts([332, 433, 457 + 41, 333, 334]);
        close(pairs.elo().difference, -8.64);
        close(pairs.elo().error, 10.33);
        close(pairs.superiority() * 100.0, 5.05);
    }

    #[test]
    fn equal_scores_are_no_difference_even_without_variance() {
        let counts = Counts([0, 7, 0]);
        assert_eq!((counts.superiority(), counts.normalized_elo().difference), (0.5, 0.0));
        assert_eq!(format!("{:.1}", counts.elo().difference), "0.0");
    }

    /// Likewise, with alpha = beta = 0.05.
    #[test]
    fn likelihood_ratios_agree_with_published_figures() {
        let test = |elo0, elo1, model| Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model };
        let near =
            |found: f64, expected: f64| assert!((found - expected).abs() < 0.011 * expected.abs().max(1.0), "{found}");
        near(test(0.0, 2.0, Model::Normalized).ratio(&Counts([36_027, 68_692, 36_433])), 0.92);
        near(test(-1.75, 0.25, Model::Normalized).ratio(&Counts([10_650, 20_431, 10_871])), 2.30);
        near(test(0.5, 2.5, Model::Logistic).ratio(&Counts([21_184, 40_708, 21_404])), -1.57);
        near(test(0.0, 2.0, Model::Logistic).ratio(&Counts([57_030, 106_593, 57_433])), -2.59);
        near(test(0.0, 2.0, Model::Normalized).ratio(&Counts([365, 16_618, 36_229, 16_974, 390])), 2.25);
        near(test(-1.75, 0.25, Model::Normalized).ratio(&Counts([127, 4_883, 10_712, 5_150, 104])), 3.01);
        near(test(0.5, 2.5, Model::Logistic).ratio(&Counts([223, 9_863, 21_279, 10_037, 246])), -3.07);
        near(test(0.0, 2.0, Model::Logistic).ratio(&Counts([871, 26_175, 55_983, 26_678, 821])), -4.98);
    }

    /// The cost of a t-value by another way: for each mean, which together with t gives the second moment, Newton's
    /// method finds the multipliers of the two; then the best mean.
    fn slow_cost<const N: usize>(counts: &Counts<N>, t: f64) -> f64 {
        let (_, shares) = counts.regular_shares();
        let centred: Vec<_> = shares.iter().map(|(score, share)| (score - 0.5, *share)).collect();
        let k = 1.0 + 1.0 / (t * t);
        let at = |m: f64| {
            let rows: Vec<_> = centred.iter().map(|&(c, share)| (c - m, c * c - k * m * m, share)).collect();
            let sum = |x: f64, y: f64| {
                let terms = rows.iter().map(|&(a, b, share)| share * (1.0 + x * a + y * b).max(0.0).ln());
                terms.sum::<f64>()
            };
            let (mut x, mut y, mut best) = (0.0, 0.0, 0.0);
            for _ in 0..200 {
                let (mut gx, mut gy, mut hxx, mut hxy, mut hyy) = (0.0, 0.0, 0.0, 0.0, 0.0);
                for &(a, b, share) in &rows {
                    let q = 1.0 / (1.0 + x * a + y * b);
                    gx += share * a * q;
                    gy += share * b * q;
                    hxx += share * a * a * q * q;
                    hxy += share * a * b * q * q;
                    hyy += share * b * b * q * q;
                }
                let determinant = hxx * hyy - hxy * hxy;
                let (dx, dy) = ((hyy * gx - hxy * gy) / determinant, (hxx * gy - hxy * gx) / determinant);
                let gain = gx * dx + gy * dy;
                let mut part = 1.0;
                while sum(x + part * dx, y + part * dy) < best + 1e-4 * part * gain && part > 1e-12 {
                    part /= 2.0;
                }
                (x, y) = (x + part * dx, y + part * dy);
                best = sum(x, y);
                // Out of reach: it would grow for ever.
                if gain < 1e-16 || part <= 1e-12 || best > 60.0 {
                    break;
                }
            }
            best
        };
        // Means that distributions with this t-value have at all.
        let inside = |m: f64| {
            let (second, step) = (k * m * m, 1.0 / (N - 1) as f64);
            let low = (m.abs() / step).floor() * step;
            second < 0.25 && second > low * low + (m.abs() - low) * (2.0 * low + step)
        };
        const STEPS: usize = 3_000;
        let place = |i: usize| 0.5 * t.signum() * (i as f64 / STEPS as f64).powf(1.5);
        let costs: Vec<_> = (0..=STEPS).map(|i| if inside(place(i)) { at(place(i)) } else { f64::INFINITY }).collect();
        let mut least = f64::INFINITY;
        for i in (1..STEPS).filter(|&i| costs[i] <= costs[i - 1] && costs[i] <= costs[i + 1] && costs[i] < 50.0) {
            let (mut low, mut high) = (place(i - 1), place(i + 1));
            for _ in 0..60 {
                let (a, b) = (low + (high - low) * 0.382, high - (high - low) * 0.382);
                let value = |m: f64| if inside(m) { at(m) } else { f64::INFINITY };
                if value(a) < value(b) { high = b } else { low = a }
            }
            least = least.min(at(f64::midpoint(low, high)));
        }
        least
    }

    fn compare<const N: usize>(patterns: &[[u64; N]], elos: &[f64]) {
        for counts in patterns.iter().map(|pattern| Counts(*pattern)) {
            let t = |elo: f64| elo / NORMALIZED * counts.games_each().sqrt();
            let (total, shares) = counts.regular_shares();
            for &elo in elos {
                let (found, slow) = (cost_of_t_value(&shares, t(elo)), slow_cost(&counts, t(elo)));
                let near = (found - slow).abs() * total < 1e-4 * (1.0 + slow * total);
                assert!(near, "{counts:?} at {elo}: {} instead of {}", found * total, slow * total);
            }
        }
    }

    #[test]
    fn normalized_tests_agree_with_a_slow_solver_at_near_and_far_bounds() {
        let elos = [-1000.0, -341.0, -160.0, -5.0, 0.5, 5.0, 100.0, 200.0, 232.0, 240.0, 500.0, 800.0, 1000.0];
        let games =
            [[6, 0, 6], [0, 12, 0], [1, 500, 3], [96, 111, 136], [0, 0, 40], [40, 0, 0], [300, 2, 0], [0, 1, 1]];
        let pairs = [
            [0, 0, 6, 0, 0],
            [0, 10, 480, 30, 0],
            [1, 4, 990, 5, 0],
            [34, 54, 63, 64, 75],
            [0, 0, 0, 0, 50],
            [50, 0, 0, 0, 0],
            [0, 0, 0, 7, 0],
            [3, 0, 0, 0, 5],
        ];
        compare(&games, &elos);
        compare(&pairs, &elos);
    }

    #[test]
    fn a_distribution_has_no_cost_at_its_own_difference() {
        for counts in [Counts([1, 30, 400, 90, 7]), Counts([0, 0, 6, 0, 0]), Counts([90, 20, 10, 2, 1])] {
            let (_, shares) = counts.regular_shares();
            let (mean, variance) = moments(&shares);
            let t = (mean - 0.5) / variance.sqrt();
            for (near, most) in [(0.0, 1e-9), (1e-3, 1e-5), (-1e-3, 1e-5)] {
                let cost = cost_of_t_value(&shares, t + near);
                assert!((-1e-12..most).contains(&cost), "{counts:?}: {cost}");
            }
        }
    }

    #[test]
    fn far_hypotheses_are_judged_by_what_was_seen() {
        for model in [Model::Logistic, Model::Normalized] {
            for (elo0, elo1) in
                [(200.0, 240.0), (900.0, 1_000.0), (-1_000.0, 1_000.0), (0.0, FAR), (-FAR, FAR), (FAR - 50.0, FAR)]
            {
                let test = Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model };
                let mirrored = Sprt { elo0: -elo1, elo1: -elo0, ..test };
                let level = |n: u64| test.ratio(&Counts([0, 0, n, 0, 0]));
                if elo0 >= 0.0 {
                    assert!(level(6) < 0.0 && test.ratio(&Counts([9, 1, 9])) < 0.0, "{test:?}: {}", level(6));
                    assert!(level(2_000) <= test.bounds().0, "{test:?}: {}", level(2_000));
                }
                // Whoever wins every game is the stronger one by any difference, in the end.
                let all = test.ratio(&Counts([0, 0, 0, 0, 4_000_000]));
                assert_eq!(test.verdict(all), Some(Verdict::H1), "{test:?}: {all}");
                let none = mirrored.ratio(&Counts([4_000_000, 0, 0, 0, 0]));
                assert!((none + all).abs() < 1e-3 * (1.0 + all.abs()), "{test:?}: {none}, {all}");
            }
        }
    }

    #[test]
    fn a_difference_is_known_once_results_vary_and_bounds_are_honest_before() {
        // One pair of a game each; three games won; a win and a draw: nothing is known but bounds.
        assert_eq!(Counts([0, 0, 1, 0, 0]).known_elo(), None);
        assert_eq!(Counts([0, 0, 3]).known_elo(), None);
        assert_eq!(Counts([0, 1, 1]).known_elo(), None);
        assert_eq!(Counts::<3>::NONE.known_elo(), None);
        let counts = Counts([96, 111, 136]);
        assert_eq!(counts.known_elo(), Some(counts.elo()));
        let [low, high] = Counts([1, 0, 1]).elo_interval();
        // One success in two trials: 1 - sqrt(0.975) at the lower end.
        close(low, elo(1.0 - 0.975_f64.sqrt()));
        close(high, -low);
        // All of three: at the lower end that is one chance in 40.
        let [low, high] = Counts([0, 0, 3]).elo_interval();
        close(low, elo(0.025_f64.cbrt()));
        assert!(high.is_infinite());
        // It is wider than the interval from many results, and holds it.
        let [low, high] = counts.elo_interval();
        let Elo { difference, error } = counts.elo();
        assert!(low < difference - error && high > difference + error);
        assert_eq!(Counts::<5>::NONE.elo_interval(), [f64::NEG_INFINITY, f64::INFINITY]);
    }

    /// How likely these intervals, by the sum of results, hold the mean of results whose evenly spaced scores have
    /// these probabilities.
    fn coverage(chances: &[f64], total: usize, intervals: &[[f64; 2]]) -> f64 {
        let steps = chances.len() - 1;
        let mut sums = vec![1.0];
        for _ in 0..total {
            let mut next = vec![0.0; sums.len() + steps];
            for (sum, chance) in sums.iter().enumerate() {
                chances.iter().enumerate().for_each(|(score, share)| next[sum + score] += chance * share);
            }
            sums = next;
        }
        let mean: f64 = chances.iter().enumerate().map(|(i, chance)| i as f64 * chance).sum::<f64>() / steps as f64;
        let held = sums.iter().zip(intervals).filter(|(_, [low, high])| (low - 1e-12..=high + 1e-12).contains(&mean));
        held.map(|(chance, _)| chance).sum()
    }

    #[test]
    fn intervals_hold_what_they_promise_for_two_results_and_for_fifty() {
        for total in (2..=12).chain([17, 25, 33, 50]) {
            let all = [1, 4, 4, 2].map(|steps| {
                let found = (0..=total * steps).map(|sum| interval(sum as f64 / steps as f64, total as f64));
                found.collect::<Vec<_>>()
            });
            for &[low, high] in all.iter().flatten() {
                assert!(0.0 <= low && low < high && high <= 1.0, "{total}: {low} {high}");
            }
            for p in [0.002, 0.01, 0.05, 0.1, 0.3, 0.5, 0.62, 0.75, 0.9, 0.97, 0.995] {
                let q: f64 = 1.0 - p;
                // Games that are won or lost; pairs of them; pairs that are mostly shared; games that are mostly drawn.
                let kinds: [&[f64]; 4] = [
                    &[q, p],
                    &[q.powi(4), 4.0 * p * q.powi(3), 6.0 * p * p * q * q, 4.0 * p.powi(3) * q, p.powi(4)],
                    &[0.05 * q, 0.1 * q, 0.85, 0.1 * p, 0.05 * p],
                    &[0.2 * q, 0.8, 0.2 * p],
                ];
                for (chances, intervals) in kinds.into_iter().zip(&all) {
                    let held = coverage(chances, total, intervals);
                    assert!(held >= 0.95 - 1e-9, "{chances:?} {total}: {held}");
                }
            }
        }
    }

    #[test]
    fn intervals_of_many_results_are_those_of_the_normal_distribution() {
        for (points, total) in [(5e4, 1e5), (9e4, 1e5), (3e6, 1e7)] {
            let mean: f64 = points / total;
            let error = CONFIDENCE * (mean * (1.0 - mean) / total).sqrt();
            let [low, high] = interval(points, total);
            assert!((low - (mean - error)).abs() < 0.03 * error && (high - (mean + error)).abs() < 0.03 * error);
        }
    }

    #[test]
    fn nothing_bounds_the_difference_where_one_side_has_all_the_points() {
        for games in 1..300 {
            let [won, lost] = [Counts([0, 0, games]), Counts([games, 0, 0])].map(|counts| counts.elo_interval());
            assert!(won[0].is_finite() && won[1] == f64::INFINITY, "{games}: {won:?}");
            assert!(lost[0] == f64::NEG_INFINITY && lost[1].is_finite(), "{games}: {lost:?}");
        }
    }

    #[test]
    fn no_distribution_has_a_mean_that_none_of_its_scores_reaches() {
        let shares = [(0.25, 0.5), (0.75, 0.5)];
        for mean in [0.0, 0.25, 0.75, 1.0] {
            assert_eq!(cost_of_mean(&shares, mean), f64::INFINITY, "{mean}");
        }
        assert!(cost_of_mean(&shares, 0.5) < 1e-9 && cost_of_mean(&shares, 0.7).is_finite());
    }

    #[test]
    fn a_test_ends_at_its_bounds() {
        let test = Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05, model: Model::Logistic };
        close(test.bounds().0, -2.944);
        close(test.bounds().1, 2.944);
        assert_eq!([-3.0, 0.0, 3.0].map(|ratio| test.verdict(ratio)), [Some(Verdict::H0), None, Some(Verdict::H1)]);
        assert_eq!(test.ratio(&Counts::<5>::NONE), 0.0);
        assert!(test.ratio(&Counts([0, 0, 0, 0, 200])) > 2.944);
        assert!(test.ratio(&Counts([200, 0, 0, 0, 0])) < -2.944);
    }

    #[test]
    fn two_ratings_are_the_elo_difference_of_their_games() {
        // 30 to 10 with the drawn game of the prior: 30.5 of 41.
        let found = ratings(&[vec![0.0, 30.0], vec![10.0, 0.0]]);
        close(found[0].elo - found[1].elo, elo(30.5 / 41.0));
        // Each rating is half the difference: so is its error.
        let (p, games) = (30.5 / 41.0, 41.0_f64);
        close(found[0].error, CONFIDENCE * 400.0 / std::f64::consts::LN_10 / (games * p * (1.0 - p)).sqrt() / 2.0);
    }

    #[test]
    fn ratings_are_ordered_and_finite_without_losses() {
        let found = ratings(&[vec![0.0, 20.0, 20.0], vec![0.0, 0.0, 12.0], vec![0.0, 8.0, 0.0]]);
        assert!(found.iter().all(|rating| rating.elo.is_finite() && rating.error.is_finite()));
        assert!(found[0].elo > found[1].elo && found[1].elo > found[2].elo);
        close(found.iter().map(|rating| rating.elo).sum(), 0.0);
        let idle = ratings(&[vec![0.0, 3.0, 0.0], vec![1.0, 0.0, 0.0], vec![0.0; 3]]);
        assert!(idle[2].error.is_infinite() && idle[0].error.is_finite());
    }
}
