//! The rules of games in which a turn is *move and fire*: the Game of the Amazons on any board from 3×3 to 11×11,
//! Desdemona and its relatives Cassio and Iago, and any other such game by rules that are data; beside them Italian
//! Damone. Thirteen rule sets are built in, on bitboards. With the feature `files`, others are read from TOML
//! ([`games::general::RulesFile`]).
//!
//! | module | holds |
//! | --- | --- |
//! | [`board`] | squares, bitboards for any board up to 11×11, queen rays, floods, Zobrist keys |
//! | [`games`] | positions and turns of each family, as steps and as text; the table of rule sets; perft; [`Board`](games::Board), a rule set chosen at run time |
//! | [`forks`] | what the process shares is never half made when it forks |
//!
//! ```
//! use hippolyta_rules::games::{Board, variant};
//!
//! let mut board = Board::new(&variant::find("desdemona")?);
//! println!("{} legal turns, the first of them {}", board.legal_turns().len(), board.legal_turns().all()[0]);
//! let turn = board.legal_turns().all()[0].clone();
//! let effects = board.effects(&turn)?;
//! board.play_turn(&turn)?;
//! assert_eq!(board.last_effects(), Some(effects));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The engine `hippolyta` plays by these rules.
//!
//! # Errors, panics, versions
//!
//! Bad text ends in a `Result`. Its error says in one line what is wrong and where, and has it as data as well. What the
//! documentation demands of a caller, a legal step for example, is checked in debug builds only. In a release build a
//! caller who breaks such a demand gets a wrong result or a panic, never undefined behaviour.
//!
//! Versions follow [Semantic Versioning](https://semver.org). What is hidden in this documentation is for the engine
//! and may change at any time. Enums of errors may get new members at any time.
#![deny(unsafe_code)]
#![warn(missing_docs)]

pub mod board;
pub mod forks;
pub mod games;
#[doc(hidden)]
pub mod words;
