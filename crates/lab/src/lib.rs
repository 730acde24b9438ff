//! Tools around the engine Hippolyta, for its builders and for whoever measures it.
//!
//! | module | holds |
//! | --- | --- |
//! | [`alike`] | positions that are no different |
//! | [`arena`] | matches between engines: referee, openings, clocks, records, statistics |
//! | [`training`] | games of self-play, and learning from them |
//! | [`calibration`] | how values of a search are shown, fitted to strong games |
//! | [`play`] | games of the engine with itself |
//! | [`proving`] | proofs of positions that outlast one run |
//! | [`folder`] | the folder that a long run has for itself |
//! | [`options`] | values that options of several commands take |
//! | [`problems`] | positions in which one turn wins, proven and graded |
//! | [`times`] | times as options take them |
//!
//! The crate may change with any minor version.
#![deny(unsafe_code)]
#![warn(missing_docs)]

pub mod alike;
pub mod arena;
pub mod calibration;
pub mod differences;
pub mod folder;
pub mod options;
pub mod play;
pub mod problems;
pub mod proving;
#[doc(hidden)]
pub mod seeds;
pub mod times;
pub mod training;
