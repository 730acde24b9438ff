//! One typed engine for everything outside: front ends, protocols, referees. Nobody above this layer needs the type of
//! a position, an evaluator or a search. Text is parsed only where it is a turn or a FEN.
//!
//! | module | its one idea |
//! | --- | --- |
//! | `board` | [`Board`]: a game of a rule set chosen at run time; no search |
//! | `handle` | [`Engine`]: a search for boards of one rule set |
//! | `limits` | [`Limits`]: when a search ends, and what else it is asked |
//! | `analysis` | [`Analysis`]: what a search has found |
//! | `assessment` | [`Assessment`]: what the evaluation alone says, without a search |
//! | `tree` | [`Branch`]: half-turns in the tree of a search |
//! | `owned` | [`Owned`]: who owns which squares, and what is counted, beside the search |
//! | `counter` | [`Counter`]: results that are certain before a game has ended, margins, and how to fill the rest |
//! | `outlook` | games played to their end by the policy alone, for `owned` |
//! | `model` | [`Model`]: which evaluation is used |
//! | `own` | [`Evaluators`]: those of one's own, with what the rules make certain; playouts |
//! | `simul` | [`Simul`]: many games on one thread, whose leaves make one batch |
//! | `strength` | play below full strength |
//! | `resignation` | [`Resignation`]: when an engine gives a game up |
//! | `book` | [`Book`]: turns for the opening, found beforehand |
//! | `rules` | [`load_rules`]: rule sets of one's own, from a file |
//! | `pool` | [`Pool`]: several engines that share memory |
//! | [`mod@bench`] | fixed searches whose node count is the build's signature |
//!
//! A [`Board`] belongs to its owner, who may ask and change it while an engine searches a clone of it. An [`Engine`]
//! searches one board at a time and blocks meanwhile. A [`Control`] stops it from any thread.
//!
//! ```
//! use hippolyta::engine::{Board, Control, Engine, Limits, Model, Settings};
//! use hippolyta::games::variant;
//!
//! let variant = &variant::find("amazons6")?;
//! let mut board = Board::new(variant);
//! board.play("b1b4,b4c4")?;
//! let mut engine = Engine::new(variant, &Model::default(), Settings { hash: 16, ..Settings::default() })?;
//! let limits = Limits { nodes: Some(1_000), ..Limits::default() };
//! let analysis = engine.analyse(&board, &limits, &Control::default(), &mut |_| ())?;
//! let best = analysis.best().expect("the game goes on");
//! println!("{best}: {:?}", analysis.score);
//! board.play_turn(best)?;
//! assert_eq!(board.turns().len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod analysis;
mod assessment;
pub mod bench;
mod book;
mod counter;
mod handle;
mod limits;
mod model;
mod outlook;
#[cfg(feature = "own")]
mod own;
mod owned;
mod pool;
mod resignation;
mod rules;
#[cfg(feature = "own")]
mod simul;
mod strength;
mod task;
#[cfg(feature = "inspect")]
mod tree;

pub use crate::endgame::amazons::Owner;
pub use crate::games::{BegunTurn, Board, Ending, LegalTurns, Pieces, PositionError};
pub use crate::search::{Clock, Control, Score, Settings, SettingsError};
pub use analysis::{Analysis, Line, ProofProgress};
pub use assessment::{AssessError, Assessment, Place};
pub use book::{Book, BookEntry, BookError};
#[doc(hidden)]
pub use book::{board_at, without_counters};
pub use counter::{Certainty, Counter, Decided, decided};
pub use handle::{AnalyseError, Engine};
#[cfg(feature = "inspect")]
pub use handle::{Explanation, HalfTurn};
pub use limits::{Clocks, Limits};
pub use model::Model;
#[cfg(feature = "own")]
pub use own::Evaluators;
#[doc(hidden)]
pub use owned::owned_now;
#[doc(hidden)]
pub use owned::rounded;
pub use owned::{Both, Counts, Include, Owned, RegionInfo, Stones, Territory};
pub use pool::{Lease, Pool};
pub use resignation::{Patience, Resignation};
pub use rules::{load_rules, read_rules};
#[cfg(feature = "own")]
pub use simul::Simul;
pub use strength::{DEFAULT_ELO, ELO_RANGE, STRENGTHS, Strength};
#[cfg(feature = "inspect")]
pub use tree::Branch;
