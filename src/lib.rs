//! Hippolyta: a game engine for games in which a turn is *move and fire*.
//!
//! Inside is a parallel Monte Carlo tree search over the steps of a turn, on bitboards, with a transposition table and an
//! evaluation for each family of games: the Amazons, Desdemona and its relatives, Damone. The binary `hippolyta` is a command line around
//! this library, and uses nothing else of it than what is documented here.
//!
//! # One idea
//!
//! A turn is a sequence of *steps* by one side, and a step is one edge of the search tree. An
//! amazon moves, then it fires: so the 2,176 turns of the Amazons' start position are 80 moves with about 27 fires each. A capture in Damone is
//! one step, however long. Rules, search and evaluation speak of steps; text and people speak of turns.
//!
//! # The map
//!
//! The layers, bottom to top, each using only what stands below it; each module's page begins with its own map.
//!
//! | module | holds |
//! | --- | --- |
//! | [`board`] | squares, bitboards for any board up to 11×11, queen rays, floods, Zobrist keys |
//! | [`games`] | [`Position`](games::Position) and [`Notation`](games::Notation), the rules of each family of games, the table of rule sets, perft |
//! | [`endgame`] | exact knowledge: counting moves in closed territories, tables of Damone |
//! | [`eval`] | [`Evaluator`](eval::Evaluator): values and priors |
//! | [`search`] | [`Search`](search::Search): the tree, simulations, limits, time |
//! | [`protocol`] | UCI and UGI ([`serve`](protocol::serve)), many positions as JSON lines ([`analysis`](protocol::analysis)) |
//! | [`arena`] | matches between engines: referee, openings, clocks, records, statistics |
//! | [`training`] | games of self-play, and learning from them |
//! | [`container`] | the form that all binary files share |
//! | [`files`] | files written whole or not at all |
//!
//! # Rules
//!
//! A rule set is a [`Variant`](games::variant::Variant), a row of a table. [`Game`](games::Game) keeps a position with the turns that led to it;
//! what is written for any game is generic over [`Position`](games::Position), and [`GameTask`](games::GameTask) finds the type that belongs to a variant.
//!
//! ```
//! use hippolyta::games::{Game, Notation, Position, amazons::Amazons, legal_turns, variant};
//!
//! let variant = variant::find("amazons6")?;
//! let mut game = Game::new(Amazons::from_fen(variant, variant.start)?);
//! assert_eq!(legal_turns(game.current()).len(), 544);
//! game.play_text("b1b4,b4c4")?;
//! assert_eq!(game.current().fen(), "1q2q1/q4q/1Q*3/6/Q4Q/4Q1 b - - 0 1");
//! assert_eq!(game.current().outcome(), None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Search
//!
//! A [`Search`](search::Search) has an evaluator, memory and threads, and goes on with its tree as the game goes on. Scores are those of the side to
//! move. The same seed, one thread and a node limit give the same search on every machine.
//!
//! ```
//! use hippolyta::eval::amazons::AmazonsEvaluator;
//! use hippolyta::games::{Game, Notation, amazons::Amazons, variant};
//! use hippolyta::search::{Control, Limits, Search, Settings};
//!
//! let variant = variant::find("amazons6")?;
//! let game = Game::new(Amazons::from_fen(variant, variant.start)?);
//! let mut search = Search::new(AmazonsEvaluator::default(), Settings { hash: 16, ..Settings::default() })?;
//! let limits = Limits { nodes: Some(1_000), ..Limits::default() };
//! let report = search.run(&game, &limits, &Control::default(), &mut |_| ());
//! println!("{}", game.current().turn_text(&report.lines[0].turns[0]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Errors, panics, versions
//!
//! Whatever comes from outside, text, files, the system's refusals, ends in a `Result` whose error says in one line what is wrong and where. What
//! the documentation demands of a caller in the same process (a legal step, say) is checked in debug builds only.
//!
//! Versions follow [Semantic Versioning](https://semver.org). [`games`], [`search`], [`eval`] and [`protocol`] are the library; enums of errors may
//! get new members at any time. [`arena`], [`training`] and [`endgame`] are public for the binary, benches and examples, and may change with any minor version; so
//! may features, weights and whatever else an evaluation is made of.
#![deny(unsafe_code)]
#![warn(missing_docs)]

pub mod arena;
pub mod board;
pub mod container;
pub mod endgame;
pub mod eval;
pub mod files;
pub mod games;
mod memory;
pub mod protocol;
pub mod search;
pub mod training;
