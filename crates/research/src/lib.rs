//! Research with the engine Hippolyta and with the tools of `hippolyta-lab`, for whoever measures and tunes.
//!
//! | module | holds |
//! | --- | --- |
//! | [`quality`] | what a rule set is like to play: balance, draws, length, depth |
//! | [`blunders`] | how often an engine throws away a result that is proven |
//! | [`tuning`] | the search's constants, tuned by games |
//!
//! The crate may change with any minor version.
#![deny(unsafe_code)]
#![warn(missing_docs)]

pub mod blunders;
pub mod quality;
pub mod tuning;
