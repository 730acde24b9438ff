//! Tools around the engine Hippolyta, for its builders and for whoever measures it.
//!
//! | module | holds |
//! | --- | --- |
//! | [`arena`] | matches between engines: referee, openings, clocks, records, statistics |
//! | [`training`] | games of self-play, and learning from them |
//! | [`calibration`] | how values of a search are shown, fitted to strong games |
//! | [`proving`] | proofs of positions that outlast one run |
//! | [`folder`] | the folder that a long run has for itself |
//! | [`problems`] | positions in which one turn wins, proven and graded |
//! | [`quality`] | what a rule set is like to play: balance, draws, length, depth |
//! | [`blunders`] | how often an engine throws away a result that is proven |
//! | [`tuning`] | the search's constants, tuned by games |
//!
//! The crate may change with any minor version.
#![deny(unsafe_code)]
#![warn(missing_docs)]

pub mod arena;
pub mod blunders;
pub mod calibration;
pub mod differences;
pub mod folder;
pub mod problems;
pub mod proving;
pub mod quality;
mod seeds;
pub mod training;
pub mod tuning;
