//! Percentages that come true: how values of a search are shown, fitted to strong games of the engine with itself.
//!
//! The form of a calibration, and what it is for, stand in `src/eval/calibration.rs`.
//!
//! | module | its one idea |
//! | --- | --- |
//! | `subject` | what is calibrated by itself: a rule set, or a size of the Amazons |
//! | `games` | games, and what searches of several sizes say of their positions |
//! | `fit` | the numbers of a calibration with the least loss |
//! | `check` | how often what is shown comes true |

mod check;
mod fit;
mod games;
mod subject;

pub use check::{Check, check, check_by};
pub use fit::fit;
pub use games::{Game, Look, Plan, play};
pub use subject::{SUBJECTS, Subject};

pub(crate) use fit::fit_while;
pub(crate) use subject::name_of;
