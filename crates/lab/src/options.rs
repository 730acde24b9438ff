//! Values that options of several commands take. The options themselves stand with what they are for; the command line,
//! the arguments of the Python package and what a run is held against are made of them.

use clap::builder::{RangedI64ValueParser, RangedU64ValueParser};
use clap::{Args, Command, Error};

/// Options from words of the command line.
///
/// # Errors
///
/// For words that it would refuse.
pub fn read<T: Args>(words: &[&str]) -> Result<T, Error> {
    T::from_arg_matches(&T::augment_args(Command::new("options").no_binary_name(true)).try_get_matches_from(words)?)
}

/// Options where nothing was said.
pub(crate) fn usual<T: Args>() -> T {
    read(&[]).unwrap_or_else(|error| unreachable!("{error}"))
}

/// The most threads, or games at a time.
pub(crate) const MOST_THREADS: u16 = 1024;

/// Threads, or games at a time.
pub fn threads() -> RangedI64ValueParser<u16> {
    RangedI64ValueParser::new().range(1..=MOST_THREADS.into())
}

/// Positions evaluated for a turn, or games.
pub fn many() -> RangedU64ValueParser {
    RangedU64ValueParser::new().range(1..=1_000_000_000)
}

/// A number of generations, or games of a task.
pub fn up_to(most: u64) -> RangedU64ValueParser {
    RangedU64ValueParser::new().range(1..=most)
}

/// The memory of a search, MiB.
pub fn mebibytes() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=32_768)
}

/// A number of positions, problems or turns, from `least`.
pub fn count(least: u64, most: u64) -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(least..=most)
}

/// A part of a whole.
///
/// # Errors
///
/// If it is none.
pub fn share(text: &str) -> Result<f32, String> {
    from_zero(text, 1)
}

/// A factor.
///
/// # Errors
///
/// If it is too large, or none.
pub fn factor(text: &str) -> Result<f32, String> {
    from_zero(text, 100)
}

fn from_zero(text: &str, most: u8) -> Result<f32, String> {
    let number = text.parse::<f32>().ok().filter(|number| (0.0..=f32::from(most)).contains(number));
    number.ok_or_else(|| format!("a number from 0 to {most} is expected"))
}
