//! Evaluators with weights: which of them an evaluator takes.

use super::{AMAZONS, Weights};
use crate::eval::Evaluated;
use crate::eval::amazons::{self, AmazonsEvaluator};
use crate::eval::damone::{self, DamoneEvaluator};
use crate::eval::desdemona::{self, DesdemonaEvaluator};
use crate::eval::general::{self, GeneralEvaluator};
use crate::games::amazons::Amazons;
use crate::games::damone::{Damone, Rules as RulesOfDamone};
use crate::games::desdemona::Desdemona;
use crate::games::general::General;
use crate::games::move_fire::Rules;
use crate::games::variant::{Exact, Variant};
use std::borrow::Cow;

impl Weights {
    fn amazons(&self, exact: Exact) -> AmazonsEvaluator {
        let single = self.amazons_sizes.iter().map(|(size, learned)| (size.sides(), learned));
        AmazonsEvaluator::of(&self.amazons, single, exact)
    }
}

impl AmazonsEvaluator {
    /// An evaluator with these weights.
    #[must_use]
    pub fn new(weights: &Weights) -> Self {
        weights.amazons(Exact::Territories)
    }
}

impl Default for AmazonsEvaluator {
    /// An evaluator with the embedded weights.
    fn default() -> Self {
        Self::new(&Weights::embedded())
    }
}

impl Evaluated for Amazons {
    type Evaluator = AmazonsEvaluator;

    fn evaluator(variant: &Variant, weights: &Weights) -> AmazonsEvaluator {
        weights.amazons(variant.exact())
    }

    fn group(_: &Variant) -> Cow<'static, str> {
        AMAZONS.into()
    }

    fn fine_phase(&self) -> usize {
        amazons::fine_phase(self)
    }
}

impl DesdemonaEvaluator {
    /// An evaluator for these rules, with these weights.
    #[must_use]
    pub fn new(rules: &Rules, weights: &Weights) -> Self {
        Self::of(rules, &weights.desdemona, Exact::SettledStones)
    }
}

impl Evaluated for Desdemona {
    type Evaluator = DesdemonaEvaluator;

    fn evaluator(variant: &Variant, weights: &Weights) -> DesdemonaEvaluator {
        DesdemonaEvaluator::of(&rules_of(variant), &weights.desdemona, variant.exact())
    }

    fn group(variant: &Variant) -> Cow<'static, str> {
        desdemona::GROUPS[desdemona::group(&rules_of(variant))].into()
    }

    fn fine_phase(&self) -> usize {
        desdemona::fine_step_phase(self)
    }
}

impl DamoneEvaluator {
    /// An evaluator for `rules`. It takes the endgame tables of `weights` if they are for these rules, and else those
    /// of three pieces, which the program contains.
    #[must_use]
    pub fn new(rules: &'static RulesOfDamone, weights: &Weights) -> Self {
        Self::of(rules, &weights.damone, weights.damone_tables.as_ref(), Exact::Tables)
    }
}

impl Default for DamoneEvaluator {
    /// An evaluator for the usual rules, without files.
    fn default() -> Self {
        Self::new(&RulesOfDamone::DAMONE, &Weights::embedded())
    }
}

impl Evaluated for Damone {
    type Evaluator = DamoneEvaluator;

    fn evaluator(variant: &Variant, weights: &Weights) -> DamoneEvaluator {
        DamoneEvaluator::of(Self::rules_of(variant), &weights.damone, weights.damone_tables.as_ref(), variant.exact())
    }

    fn group(variant: &Variant) -> Cow<'static, str> {
        damone::GROUPS[damone::group(Self::rules_of(variant))].into()
    }

    fn fine_phase(&self) -> usize {
        damone::fine_step_phase(self)
    }
}

/// The rules of a game of move and fire; of others there is no position of these families.
fn rules_of(variant: &Variant) -> Rules {
    Rules::of(variant).unwrap_or(Rules::AMAZONS)
}

impl Evaluated for General {
    type Evaluator = GeneralEvaluator;

    fn evaluator(variant: &Variant, weights: &Weights) -> GeneralEvaluator {
        GeneralEvaluator::of(&rules_of(variant), weights.own.get(&*Self::group(variant)))
    }

    fn group(variant: &Variant) -> Cow<'static, str> {
        general::group(&rules_of(variant)).into()
    }

    fn fine_phase(&self) -> usize {
        general::fine_phase(self)
    }
}
