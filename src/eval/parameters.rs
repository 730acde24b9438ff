/// The constants of the search. Scores are expected scores, 0 … 1. A search begins with those of its evaluator
/// ([`Evaluator::parameters`]), which are the default ones if it does not say others.
///
/// ```
/// use hippolyta::eval::amazons::AmazonsEvaluator;
/// use hippolyta::games::amazons::Amazons;
/// use hippolyta::search::{Parameters, Search, Settings};
///
/// let mut search =
///     Search::<Amazons, _>::new(AmazonsEvaluator::default(), Settings { hash: 1, ..Settings::default() })?;
/// search.set_parameters(Parameters { first_play_reduction: 0.1, ..Parameters::default() });
/// assert_eq!(search.parameters().first_play_reduction, 0.1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`Evaluator::parameters`]: crate::eval::Evaluator::parameters
#[derive(Clone, Copy, Debug)]
pub struct Parameters {
    /// The weight of exploration at few visits.
    pub c_puct: f32,
    /// How fast that weight grows with the logarithm of the visits (AlphaZero's `c_base` form, Silver et al. 2018).
    pub c_puct_growth: f32,
    /// The number of visits at which the growth sets in.
    pub c_puct_base: f32,
    /// The weight of exploration at the root, instead of `c_puct`.
    pub c_puct_root: f32,
    /// First-play urgency: an unvisited child has the value of its parent's mean minus this.
    pub first_play_reduction: f32,
    /// The policy's logits are divided by this times [`Evaluator::policy_temperature`].
    ///
    /// [`Evaluator::policy_temperature`]: crate::eval::Evaluator::policy_temperature
    pub policy_temperature: f32,
    /// A random number between 0 and this is added to each logit to break ties.
    pub tie_noise: f32,
    /// The scale of the Gumbel noise on the logits of the first turn's steps, for exploration in self-play. With it the
    /// steps are ordered as if they were sampled from the policy without replacement (Kool et al. 2019).
    pub root_noise: f32,
    /// For steps whose position was evaluated to get a prior: logits per point of expected score.
    pub evaluation_sharpness: f32,
    /// To the logits of these steps, the policy's logits times this are added, unless the step is a whole turn.
    pub policy_share: f32,
    /// Multiplies the weight of exploration in the middle of a turn.
    pub last_step_exploration: f32,
    /// The final choice maximises the mean minus this number of standard errors …
    pub final_margin: f32,
    /// … among the turns with at least this share of the visits of the most visited turn.
    pub final_share: f32,
    /// The size of a bundle of simulations through a node, as a share of the node's visits …
    pub bundle_share: f32,
    /// … and at most this many.
    pub bundle_most: f32,
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            c_puct: 0.6,
            c_puct_growth: 0.2,
            c_puct_base: 1_000.0,
            c_puct_root: 0.6,
            first_play_reduction: 0.0,
            policy_temperature: 1.0,
            tie_noise: 0.01,
            root_noise: 0.0,
            evaluation_sharpness: 30.0,
            policy_share: 2.0,
            last_step_exploration: 0.7,
            final_margin: 1.0,
            final_share: 0.2,
            bundle_share: 1.0 / 16.0,
            bundle_most: 64.0,
        }
    }
}

impl Parameters {
    /// The constants to begin with for an evaluator of batches ([`Evaluator::batch`]): the priors are the policy's own, and
    /// every simulation chooses its way from the root.
    ///
    /// [`Evaluator::batch`]: crate::eval::Evaluator::batch
    ///
    /// ```
    /// use hippolyta::search::Parameters;
    ///
    /// let parameters = Parameters::for_batches();
    /// assert_eq!((parameters.tie_noise, parameters.bundle_share), (0.0, 0.0));
    /// ```
    #[must_use]
    pub fn for_batches() -> Self {
        Self { tie_noise: 0.0, bundle_share: 0.0, last_step_exploration: 1.0, ..Self::default() }
    }

    /// The constants by name, which is the name of their field, and what each is.
    ///
    /// ```
    /// use hippolyta::search::Parameters;
    ///
    /// let mut parameters = Parameters::default();
    /// assert!(parameters.named().into_iter().any(|(name, value)| name == "c_puct" && *value == 0.6));
    /// ```
    pub fn named(&mut self) -> impl IntoIterator<Item = (&'static str, &mut f32)> {
        macro_rules! named {
            ($($name:ident),* $(,)?) => { [$((stringify!($name), &mut self.$name)),*] };
        }
        named!(
            c_puct,
            c_puct_growth,
            c_puct_base,
            c_puct_root,
            first_play_reduction,
            policy_temperature,
            last_step_exploration,
            tie_noise,
            root_noise,
            evaluation_sharpness,
            policy_share,
            final_margin,
            final_share,
            bundle_share,
            bundle_most,
        )
    }

    /// Sets the constant called `name`. False if there is none.
    ///
    /// ```
    /// use hippolyta::search::Parameters;
    ///
    /// let mut parameters = Parameters::default();
    /// assert!(parameters.set("c_puct", 0.8) && !parameters.set("speed", 2.0));
    /// assert_eq!(parameters.c_puct, 0.8);
    /// ```
    pub fn set(&mut self, name: &str, value: f32) -> bool {
        let found = self.named().into_iter().find(|(known, _)| *known == name);
        found.map(|(_, constant)| *constant = value).is_some()
    }

    /// The number of simulations that pass a node with `visits` visits before its parent chooses again.
    #[inline]
    #[must_use]
    pub(crate) fn bundle(&self, visits: u32) -> u32 {
        (1.0 + visits as f32 * self.bundle_share).min(self.bundle_most) as u32
    }

    /// The weight of exploration at a node with `visits` visits.
    #[inline]
    #[must_use]
    pub(crate) fn exploration(&self, visits: f32, root: bool) -> f32 {
        let start = if root { self.c_puct_root } else { self.c_puct };
        start + self.c_puct_growth * log2(1.0 + visits / self.c_puct_base)
    }
}

/// Binary logarithm of `x` ≥ 1, linear between powers of two: fast, and the same on every machine.
#[inline]
fn log2(x: f32) -> f32 {
    let bits = x.to_bits();
    let exponent = (bits >> 23) as i32 - 127;
    let mantissa = f32::from_bits(bits & 0x7f_ffff | 0x3f80_0000);
    exponent as f32 + mantissa - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_is_exact_at_powers_of_two_and_rises_between() {
        assert_eq!([1.0, 2.0, 4.0, 1024.0].map(log2), [0.0, 1.0, 2.0, 10.0]);
        assert!((1..5000).all(|n| log2(n as f32) < log2(n as f32 + 1.0)));
    }

    #[test]
    fn exploration_grows_with_each_doubling_from_its_base_on() {
        let parameters = Parameters {
            c_puct: 0.5,
            c_puct_root: 1.0,
            c_puct_growth: 0.25,
            c_puct_base: 100.0,
            ..Parameters::default()
        };
        for (visits, growth) in [(0.0, 0.0), (100.0, 0.25), (300.0, 0.5), (700.0, 0.75)] {
            assert_eq!(parameters.exploration(visits, false), 0.5 + growth);
            assert_eq!(parameters.exploration(visits, true), 1.0 + growth);
        }
    }

    #[test]
    fn bundles_are_a_share_of_the_visits_up_to_a_limit() {
        let parameters = Parameters { bundle_share: 0.25, bundle_most: 10.0, ..Parameters::default() };
        assert_eq!([0, 3, 4, 8, 35, 36, 1_000].map(|visits| parameters.bundle(visits)), [1, 1, 2, 3, 9, 10, 10]);
    }
}
