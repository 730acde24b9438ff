//! Openings from a file or a suite, as the words of `--openings` say.

use super::opening::Opening;
use super::setup::{about, refused};
use super::spec::{MatchError, key_value, number};
use super::{openings, suite};
use hippolyta::games::variant::Variant;
use hippolyta_protocol::records::{self, Reader};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::num::NonZeroUsize;
use std::path::Path;

/// Openings from a file, or those that the program brings with it, and their order.
#[derive(Clone, Debug)]
pub struct OpeningList {
    /// The words that said so.
    pub words: Vec<String>,
    /// `None` for the suite.
    file: Option<String>,
    format: Option<records::Format>,
    shuffled: bool,
    /// How many are left out.
    skipped: usize,
    /// Turns that are taken from each.
    plies: usize,
}

impl OpeningList {
    /// The name of the file, without its folder.
    pub fn file_name(&self) -> Option<String> {
        let path = Path::new(self.file.as_ref()?);
        Some(path.file_name().unwrap_or_default().to_string_lossy().into_owned())
    }

    /// Whether their order is drawn by lot.
    pub fn is_shuffled(&self) -> bool {
        self.shuffled
    }

    /// Reads `suite` or `file=`, with `format=`, `order=`, `start=` and `plies=`; `None` if there are no words.
    ///
    /// # Errors
    ///
    /// For the first word that is not understood.
    pub fn from_words(words: &[String]) -> Result<Option<Self>, MatchError> {
        if words.is_empty() {
            return Ok(None);
        }
        let mut list =
            Self { words: words.to_vec(), file: None, format: None, shuffled: false, skipped: 0, plies: usize::MAX };
        let mut shipped = false;
        for word in words {
            if word == "suite" {
                shipped = true;
                continue;
            }
            match key_value(word)? {
                ("file", path) => list.file = Some(path.to_owned()),
                ("start", value) => {
                    list.skipped = number::<NonZeroUsize>(word, value, "a number from 1 up")?.get() - 1;
                }
                ("order", "random") => list.shuffled = true,
                ("order", "sequential") => list.shuffled = false,
                ("plies", value) => list.plies = number(word, value, "a number of turns")?,
                ("format", "text" | "epd") => list.format = Some(records::Format::Fen),
                ("format", name) => match name.parse() {
                    Ok(format) => list.format = Some(format),
                    Err(error) => {
                        return refused(format!("format={name}: {error}, nor text or epd, with one opening a line"));
                    }
                },
                // The only policy there is: a new opening for each pair of games.
                ("policy", "round") => {}
                _ => {
                    let known = "suite, file=, format=, order=sequential, order=random, start= and plies=";
                    return refused(format!("'{word}' is none of {known}"));
                }
            }
        }
        if shipped == list.file.is_some() {
            return refused("file=PATH or suite is needed");
        }
        Ok(Some(list))
    }

    /// The openings, in the order in which they are played.
    pub(super) fn openings(&self, variant: &Variant, seed: u64) -> Result<Vec<Opening>, MatchError> {
        let mut found = match &self.file {
            None => shipped(variant).map_err(about("--openings: suite"))?,
            Some(file) => self.read(variant, file).map_err(about(format!("--openings: {file}")))?,
        };
        if self.shuffled {
            found.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        }
        let length = found.len();
        found.rotate_left(self.skipped % length);
        Ok(found)
    }

    /// The openings of a file, in its order.
    fn read(&self, variant: &Variant, file: &str) -> Result<Vec<Opening>, MatchError> {
        let wrong = |error: &dyn std::fmt::Display| MatchError(error.to_string());
        let file = Path::new(file);
        let input = records::open(file).map_err(|error| wrong(&error))?;
        let reader = match self.format {
            Some(format) => Reader::new(format, input, variant),
            None => {
                let named = records::Format::of_input(file).unwrap_or(records::Format::Fen);
                Reader::guessing(input, Some(named), variant).map_err(|error| wrong(&error))?
            }
        };
        openings::from_records(reader, variant, self.plies).map_err(|error| wrong(&error))
    }
}

/// The openings that the program brings with it.
fn shipped(variant: &Variant) -> Result<Vec<Opening>, MatchError> {
    let Some(text) = suite::shipped(variant) else {
        return refused(format!("there is none for {}; `hippolyta openings` finds one", variant.name()));
    };
    suite::read(variant, text).map_err(|error| MatchError(error.to_string()))
}
