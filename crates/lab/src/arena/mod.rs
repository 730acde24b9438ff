//! Matches and tournaments of engines that speak UCI or UGI. The referee uses our own rules. An engine that makes an
//! illegal move, crashes, falls silent or oversteps its time loses that game, and the record says why; it is restarted
//! for the next game.
//!
//! | module | its one idea |
//! | --- | --- |
//! | `spec` | an engine and its limits in `key=value` words |
//! | `engine_file` | engines described in a file; with the feature `cli` |
//! | `client` | a conversation with an engine: a child process, or this one's own |
//! | `process` | the child process: its output is bounded, and it never outlives the match |
//! | `opening` | where a game begins |
//! | `openings` | openings from a file, or random and balanced |
//! | [`suite`] | balanced openings found by deep search, and those that the program brings with it |
//! | [`book`] | opening books by search |
//! | [`explorer`] | what was played in the openings of recorded games |
//! | `game` | one game: clocks, faults, adjudication |
//! | `schedule` | who plays whom |
//! | `fixtures` | which game of the schedule comes next; pairings that depend on results |
//! | `ledger` | which games are left, and the results so far |
//! | `tournament` | all games, several at a time |
//! | `elsewhere` | games that other processes play, on any machine |
//! | `options` | the options of a match |
//! | `opening_list`, `words` | openings, tests and adjudication in `key=value` words |
//! | `setup` | all that is fixed before the first game |
//! | `record`, `store` | what is kept of a game, and where |
//! | `difference` | which options changed since a match was begun |
//! | [`statistics`] | Elo and its error, likelihood of superiority, SPRT, ratings |
//! | `results` | results so far, as text and JSON |
//! | `page` | the same as an HTML page |

pub mod book;
mod client;
mod difference;
mod elsewhere;
mod engine_file;
pub mod explorer;
mod fixtures;
mod game;
mod ledger;
mod opening;
mod opening_list;
pub mod openings;
mod options;
mod page;
mod process;
mod record;
mod replay;
mod results;
mod schedule;
mod setup;
mod spec;
pub mod statistics;
mod store;
pub mod suite;
mod tournament;
mod words;

pub use crate::folder::{local_time, today};
pub use client::{Answer, Client, EngineScore, Manners, SearchInfo, StartError, Thinking};
pub use elsewhere::{Elsewhere, Order, OrderError};
pub use engine_file::EngineFile;
pub use fixtures::{Fixtures, Next};
pub use game::{Adjudication, Certain, DrawRule, Resign};
pub use opening::{Opening, OpeningError};
pub use opening_list::OpeningList;
pub use openings::BookError;
pub use options::{MatchOptions, patience};
pub(crate) use page::signed;
pub use page::{Match, results_page};
pub use process::Lost;
pub use record::{GameRecord, MoveRecord, Reason};
pub use replay::Replay;
pub use results::Results;
pub use schedule::{Fixture, Format, Schedule};
pub use setup::{MatchSetup, Occasion};
pub use spec::{Allowance, EngineSpec, MatchError, Proto, TimeControl, key_value, number};
pub use store::{Store, configuration, games, games_of};
pub use tournament::{Event, TournamentError, add_games, run};
