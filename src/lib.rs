//! Hippolyta: a game engine for games in which a turn is *move and fire*.
//!
//! Inside is a parallel Monte Carlo tree search over the steps of a turn, on bitboards, with a transposition table and an
//! evaluation for each family of games: the Amazons, Desdemona and its relatives, Damone. The layers, bottom to top, each using only what stands below it:
//!
//! | module | holds |
//! | --- | --- |
//! | [`board`] | squares, bitboards for any board up to 11×11, queen rays, floods, Zobrist keys |
//! | [`games`] | [`Position`](games::Position) and [`Notation`](games::Notation), the rules of each family of games, the table of rule sets, perft |
//! | [`endgame`] | exact knowledge: counting moves in closed territories, tables of Damone |
//! | [`eval`] | [`Evaluator`](eval::Evaluator): values and priors |
//! | [`search`] | the tree, simulations, limits, time |
//! | [`protocol`] | UCI and UGI |
//! | [`arena`] | matches between engines: referee, openings, clocks, records, statistics |
//! | [`training`] | games of self-play, for learning |
//! | [`files`] | files written whole or not at all |
//! | [`memory`] | large tables of plain numbers |
//!
//! One idea carries all of it: a turn is a sequence of *steps* by one side, and a step is one edge of the search tree. An
//! amazon moves, then it fires: so the 2,176 turns of the Amazons' start position are 80 moves with about 27 fires each. A capture in Damone is
//! one step, however long.
//!
//! ```
//! use hippolyta::eval::amazons::AmazonsEvaluator;
//! use hippolyta::games::{Game, Notation, amazons::Amazons, variant};
//! use hippolyta::search::{Control, Limits, Search, Settings};
//!
//! let variant = variant::find("amazons6")?;
//! let mut game = Game::new(Amazons::from_fen(variant, variant.start)?);
//! game.play_text("b1b4,b4c4")?;
//! let mut search = Search::new(AmazonsEvaluator::default(), Settings { hash: 16, ..Settings::default() })?;
//! let limits = Limits { nodes: Some(1_000), ..Limits::default() };
//! let report = search.run(&game, &limits, &Control::default(), &mut |_| ());
//! println!("{}", game.current().turn_text(&report.lines[0].turns[0]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![warn(missing_docs)]

pub mod arena;
pub mod board;
pub mod endgame;
pub mod eval;
pub mod files;
pub mod games;
pub mod memory;
pub mod protocol;
pub mod search;
pub mod training;
