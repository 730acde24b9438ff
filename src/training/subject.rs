//! What a family of games has to say of its positions so that it can be learned.

use crate::eval::learned::{Sample, StepFeatures};
use crate::eval::{amazons, damone, desdemona};
use crate::games::amazons::Amazons;
use crate::games::damone::Damone;
use crate::games::desdemona::Desdemona;
use crate::games::variant::{Family, Variant};
use crate::games::{MoveFireStep, Notation};

/// A game with a learned evaluation and policy.
pub trait Subject: Notation {
    /// Classes of draws; 0 if there are no draws.
    const DRAW_CLASSES: usize;

    /// What is counted in a position at the start of a turn; `None` if it is never judged by its counts.
    fn sample(&self) -> Option<Sample>;
    /// The place of a position among the phases of the policy, times 256.
    fn fine_step_phase(&self) -> usize;
    /// The features of all its steps, as many for each.
    fn step_features(&self, steps: &[Self::Step]) -> Vec<StepFeatures>;
}

impl Subject for Amazons {
    const DRAW_CLASSES: usize = 0;

    fn sample(&self) -> Option<Sample> {
        Some(amazons::sample(self))
    }

    fn fine_step_phase(&self) -> usize {
        amazons::fine_phase(self)
    }

    fn step_features(&self, steps: &[MoveFireStep]) -> Vec<StepFeatures> {
        amazons::step_features(self, steps)
    }
}

impl Subject for Desdemona {
    const DRAW_CLASSES: usize = desdemona::DRAW_CLASSES;

    fn sample(&self) -> Option<Sample> {
        desdemona::sample(self)
    }

    fn fine_step_phase(&self) -> usize {
        desdemona::fine_step_phase(self)
    }

    fn step_features(&self, steps: &[MoveFireStep]) -> Vec<StepFeatures> {
        desdemona::step_features(self, steps)
    }
}

impl Subject for Damone {
    const DRAW_CLASSES: usize = damone::DRAW_CLASSES;

    fn sample(&self) -> Option<Sample> {
        damone::sample(self)
    }

    fn fine_step_phase(&self) -> usize {
        damone::fine_step_phase(self)
    }

    fn step_features(&self, steps: &[Self::Step]) -> Vec<StepFeatures> {
        damone::step_features(self, steps)
    }
}

/// The name under which the tables of a rule set stand in weights files; rule sets that share one are learned together.
#[must_use]
pub fn group(variant: &Variant) -> &'static str {
    match variant.family {
        Family::Amazons => crate::eval::knowledge::AMAZONS,
        Family::Desdemona(rules) => desdemona::GROUPS[desdemona::group(rules)],
        Family::Damone(rules) => damone::GROUPS[damone::group(rules)],
    }
}
