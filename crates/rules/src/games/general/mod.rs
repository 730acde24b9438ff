//! Any game of move and fire by [`Rules`] that are data: how amazons move, how and where they fire, what a fire leaves
//! and flips, and who wins when a side is stuck. Rules that are those of the Amazons or of a relative of Desdemona are
//! played by the types of these families, which are quicker.

#[cfg(feature = "files")]
mod file;
#[cfg(feature = "files")]
mod ini;
mod kind;
mod line;
mod rule_set;
#[cfg(feature = "files")]
mod variations;
mod words;

pub use crate::games::move_fire::{FireAt, Flips, Leaves, QUIET_LIMIT, Rules, Stuck, Tie, Turns};
#[cfg(feature = "files")]
pub use file::{LeftOut, RulesError, RulesFile, SCHEMA};
pub use kind::{General, GeneralRules};
pub use rule_set::{Part, Problem, RuleSet};
#[cfg(feature = "files")]
pub use variations::{AXES, Variation, VariationsError, variations};
