//! The rules of the games. This layer knows neither search nor evaluation.
//!
//! A turn is a sequence of *steps* by one side: in the Game of the Amazons an amazon moves, then it fires. [`Position`]
//! speaks of steps only. [`Notation`] adds the text that people and protocols use: FEN and whole turns. Each family of
//! games is a module here. Its rule sets are rows of the table in [`variant`].
//!
//! | module | its one idea |
//! | --- | --- |
//! | `position` | [`Position`]: the rules, step by step; turns |
//! | `notation`, [`fen`], `spelling` | [`Notation`]: positions and turns as text |
//! | `game` | [`Game`]: a position with the turns that led to it |
//! | [`variant`] | the table of rule sets |
//! | `traits` | what distinguishes them |
//! | `runtime` | [`Board`]: a game of a rule set chosen at run time |
//! | `dispatch` | from a rule set to the type of its positions |
//! | [`perft`](perft()) | counting sequences of turns |
//! | `symmetry` | boards turned round and in a mirror |
//! | [`move_fire`] | games of move and fire: positions, rules as data, turns as text |
//! | [`amazons`], [`desdemona`] | such games with rules that the compiler knows |
//! | [`general`] | any other of them: rule sets from files |
//! | [`damone`] | Italian Damone |
//! | `pieces` | why pieces make no position |

pub mod amazons;
pub mod damone;
pub mod desdemona;
mod dispatch;
pub mod fen;
mod game;
pub mod general;
pub mod move_fire;
mod notation;
mod perft;
mod piece;
mod pieces;
mod position;
mod runtime;
mod spelling;
mod symmetry;
mod traits;
mod turn;
pub mod variant;

pub use dispatch::GameTask;
#[doc(hidden)]
pub use dispatch::with_family;
pub use fen::{Fen, FenError};
pub use game::Game;
pub use move_fire::{MoveFireStep, StepKind};
pub use notation::{Ending, Notation, Refusal, TurnError};
pub use perft::{Perft, perft, perft_while};
pub use piece::Piece;
pub use pieces::PiecesError;
pub use position::{IllegalStep, Outcome, Position, Side, Step, Steps, for_each_turn, legal_turns};
pub use runtime::{BegunTurn, Board, LegalTurns, Pieces, PositionError};
#[doc(hidden)]
pub use spelling::{Written, is_dash, is_separator};
pub use symmetry::Symmetry;
pub use turn::{Effects, Style, Turn, UnreadableTurn};
