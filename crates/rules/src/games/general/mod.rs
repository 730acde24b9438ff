//! Any game in which a piece moves and then fires, by [`Rules`] that are data: how pieces move, how and where they
//! fire, what a fire leaves and flips, and who wins when a side is stuck. The Amazons and the Desdemona family are such
//! games, with types of their own that are quicker.

mod count;
#[cfg(feature = "files")]
mod file;
#[cfg(feature = "files")]
mod ini;
mod line;
mod position;
mod rule_set;
mod rules;
mod text;
#[cfg(feature = "files")]
mod variations;
mod words;

#[cfg(feature = "files")]
pub use file::{LeftOut, RulesError, RulesFile, SCHEMA};
pub use position::{General, Pieces, QUIET_LIMIT};
pub use rule_set::{Part, Problem, RuleSet};
pub use rules::{FireAt, Flips, Leaves, Rules, Stuck, Tie};
#[cfg(feature = "files")]
pub use variations::{AXES, Variation, VariationsError, variations};
