//! Hippolyta: a game engine for games in which a turn is *move and fire*.
//!
//! Inside is a parallel Monte Carlo tree search over the steps of a turn, on bitboards, with a transposition table and
//! an evaluation for each family of games: the Amazons, Desdemona and its relatives, Damone. The program `hippolyta` is
//! a command line around this library.
//!
//! # One idea
//!
//! A turn is a sequence of *steps* by one side, and a step is one edge of the search tree. An amazon moves, then it
//! fires: so the 2,176 turns of the Amazons' start position are 80 moves with about 27 fires each. A capture in Damone
//! is one step, however long. Rules, search and evaluation speak of steps; text and people speak of turns.
//!
//! # The map
//!
//! The layers, bottom to top. Each uses only those above it in this table. The pages of larger modules have a map, too.
//!
//! | module | holds |
//! | --- | --- |
//! | [`board`] | squares, bitboards for any board up to 11×11, queen rays, floods, Zobrist keys; from the package `hippolyta-rules` |
//! | [`games`] | [`Position`](games::Position) and [`Notation`](games::Notation), the rules of each family, the table of rule sets, perft, [`Board`](games::Board); from the same package |
//! | [`endgame`] | exact knowledge: counting moves in closed territories, tables of Damone |
//! | [`eval`] | [`Evaluator`](eval::Evaluator): values and priors |
//! | [`search`] | [`Search`](search::Search): the tree, simulations, limits, time |
//! | [`engine`] | [`Engine`](engine::Engine): searches of a rule set chosen at run time, typed results |
//!
//! Packages above this one: `hippolyta-protocol` (UCI, UGI, GTP, JSON lines, game records, reviews, pictures),
//! `hippolyta-lab` (matches, self-play and learning, proofs, problems), `hippolyta-research` (what rule sets are like,
//! blunders, constants of the search) and `hippolyta-app` (the program `hippolyta`).
//!
//! # An engine
//!
//! Front ends need [`engine`] alone: a [`Board`](engine::Board) knows the rules and the game so far, an
//! [`Engine`](engine::Engine) searches it, an [`Analysis`](engine::Analysis) is what it has found. Scores are those of
//! the side to move. The same seed, one thread and a node limit give the same search on every machine.
//!
//! ```
//! use hippolyta::engine::{Board, Control, Engine, Limits, Model, Settings};
//! use hippolyta::games::variant;
//!
//! let board = Board::new(&variant::find("amazons6")?);
//! let settings = Settings { hash: 16, ..Settings::default() };
//! let mut engine = Engine::new(board.variant(), &Model::default(), settings)?;
//! let limits = Limits { nodes: Some(1_000), ..Limits::default() };
//! let analysis = engine.analyse(&board, &limits, &Control::default(), &mut |_| ())?;
//! println!("{:?}", analysis.best());
//! assert!(analysis.nodes >= 1_000);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Rules and search with their types
//!
//! A rule set is a [`Variant`](games::variant::Variant), a row of a table. [`Game`](games::Game) keeps a position with
//! the turns that led to it; what is written for any game is generic over [`Position`](games::Position), and
//! [`GameTask`](games::GameTask) finds the type that belongs to a variant. [`Search`](search::Search) takes any
//! position with any evaluator: also those of your own.
//!
//! ```
//! use hippolyta::eval::amazons::AmazonsEvaluator;
//! use hippolyta::games::{Game, Notation, Position, amazons::Amazons, legal_turns, variant};
//! use hippolyta::search::{Control, Limits, Search, Settings};
//!
//! let variant = &variant::find("amazons6")?;
//! let mut game = Game::new(Amazons::from_fen(variant, variant.start())?);
//! assert_eq!(legal_turns(game.current()).len(), 544);
//! game.play_text("b1b4,b4c4")?;
//! assert_eq!(game.current().outcome(), None);
//! let mut search = Search::new(AmazonsEvaluator::default(), Settings { hash: 16, ..Settings::default() })?;
//! let limits = Limits { nodes: Some(1_000), ..Limits::default() };
//! let report = search.run(&game, &limits, &Control::default(), &mut |_| ());
//! println!("{}", game.current().turn_text(&report.lines[0].turns[0]));
//! assert!(report.visits > 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! | feature | |
//! | --- | --- |
//! | `embedded`, a default | learned weights and endgame tables are in the program; else whoever uses the library hands them in: see [`host`] |
//! | `inspect`, a default | engines explain an evaluation and show their tree; without it the program is smaller |
//! | `own`, a default | engines take evaluators of one's own and playouts; without it the program is smaller |
//! | `tuning` | the constants of the search by name, for options `Tune.NAME` |
//! | `schema` | for tests: types that JSON lines show have a JSON Schema |
//!
//! # Errors, panics, versions
//!
//! Bad text, bad files and refusals of the system end in a `Result`. Its error says in one line what is wrong and
//! where. What the documentation demands of a caller, a legal step for example, is checked in debug builds only. In a
//! release build a caller who breaks such a demand gets a wrong result or a panic, never undefined behaviour.
//!
//! Versions follow [Semantic Versioning](https://semver.org). [`games`], [`eval`], [`search`], [`engine`] and
//! [`host`] are the library, with what their signatures name of [`board`] and [`endgame`]. The rest of these two is
//! public for tests and benches. It may change with any minor version, and so may the learned weights and what this
//! documentation hides.
//!
//! Enums of errors may get new members and structs of settings, limits and results new fields at any time: write
//! `..Settings::default()`.
#![deny(unsafe_code)]
#![warn(missing_docs)]

#[doc(hidden)]
pub mod container;
pub mod endgame;
pub mod engine;
pub mod eval;
#[doc(hidden)]
pub mod files;
pub mod host;
#[doc(hidden)]
pub mod json;
mod memory;
pub mod search;

#[doc(hidden)]
pub use hippolyta_rules::words;
pub use hippolyta_rules::{board, forks, games};
