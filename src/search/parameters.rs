/// The constants of the search. Scores are expected scores, 0 … 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parameters {
    /// Weight of exploration at few visits.
    pub c_puct: f32,
    /// Growth of that weight with the logarithm of the visits (AlphaZero's `c_base` form, Silver et al. 2018).
    pub c_puct_growth: f32,
    /// Visits at which the growth sets in.
    pub c_puct_base: f32,
    /// The same at the root's first step.
    pub c_puct_root: f32,
    /// An unvisited child counts as its parent's mean less so much.
    pub first_play_reduction: f32,
    /// Divides the policy's logits.
    pub policy_temperature: f32,
    /// Breadth of the random part of a logit that breaks ties.
    pub tie_noise: f32,
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            c_puct: 0.6,
            c_puct_growth: 0.3,
            c_puct_base: 1_000.0,
            c_puct_root: 0.6,
            first_play_reduction: 0.05,
            policy_temperature: 1.0,
            tie_noise: 0.01,
        }
    }
}

impl Parameters {
    /// Weight of exploration at a node with so many visits.
    #[inline]
    pub fn exploration(&self, visits: f32, root: bool) -> f32 {
        let start = if root { self.c_puct_root } else { self.c_puct };
        start + self.c_puct_growth * libm::logf(1.0 + visits / self.c_puct_base)
    }
}
