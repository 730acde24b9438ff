//! One typed engine for whoever is outside: front ends, the protocol, referees. Nobody above needs the type of a
//! position, an evaluation or a search, and nobody parses text but moves and FENs.
//!
//! | module | its one idea |
//! | --- | --- |
//! | `board` | [`Board`]: a game of a rule set chosen at run time; no search |
//! | `handle` | [`Engine`]: a search for boards of one rule set |
//! | `limits` | [`Limits`]: when a search ends, and what it is asked besides |
//! | `analysis` | [`Analysis`]: what a search has found |
//! | `owned` | who owns what, and what is counted, beside the search |
//! | `outlook` | games to their end by the policy alone, for `owned` |
//! | `model` | [`Model`]: who evaluates positions |
//! | `strength` | play below full strength |
//! | `pool` | [`Pool`]: several engines that share memory |
//! | [`mod@bench`] | fixed searches whose node count is the build's signature |
//!
//! A [`Board`] belongs to its owner: it may be asked and changed while an engine searches a copy of it. An [`Engine`]
//! searches one board at a time and blocks meanwhile; a [`Control`] stops it from any thread.
//!
//! ```
//! use hippolyta::engine::{Board, Control, Engine, Model, Limits, Settings};
//! use hippolyta::games::variant;
//!
//! let variant = variant::find("amazons6")?;
//! let mut board = Board::new(variant);
//! board.play("b1b4,b4c4")?;
//! let mut engine = Engine::new(variant, &Model::default(), Settings { hash: 16, ..Settings::default() })?;
//! let limits = Limits { nodes: Some(1_000), ..Limits::default() };
//! let analysis = engine.analyse(&board, &limits, &Control::default(), &mut |_| ())?;
//! let best = analysis.best().expect("the game goes on");
//! println!("{best}: {:?}", analysis.score);
//! board.play(best)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod analysis;
pub mod bench;
mod board;
mod handle;
mod limits;
mod model;
mod outlook;
mod owned;
mod pool;
mod strength;

pub use crate::search::{Clock, Control, Score, Settings, SettingsError};
pub use analysis::{Analysis, Line, ProofProgress};
pub use board::{Begun, Board, Perft, PositionError};
pub use handle::{AnalyseError, Engine, Explanation};
pub use limits::{Clocks, Limits};
pub use model::Model;
pub(crate) use owned::rounded;
pub use owned::{Both, Counts, Include, Owned, RegionInfo, Stones, Territory};
pub use pool::{Lease, Pool};
pub use strength::{DEFAULT_ELO, ELO_RANGE};
