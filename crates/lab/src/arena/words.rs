//! Tests and adjudication in `key=value` words, as the command line and files have them.

use super::game::{DrawRule, Resign};
use super::setup::refused;
use super::spec::{MatchError, key_value, number};
use super::statistics::{FAR, Model, Sprt};

impl Sprt {
    /// Reads `elo0=`, `elo1=`, `alpha=`, `beta=` and `model=`; `None` if there are no words.
    ///
    /// # Errors
    ///
    /// If they make no test.
    pub fn from_words(words: &[String]) -> Result<Option<Self>, MatchError> {
        if words.is_empty() {
            return Ok(None);
        }
        let (mut elo0, mut elo1, mut alpha, mut beta, mut model) = (None, None, 0.05, 0.05, Model::Logistic);
        for word in words {
            match key_value(word)? {
                ("elo0", value) => elo0 = Some(number::<f64>(word, value, "a number")?),
                ("elo1", value) => elo1 = Some(number::<f64>(word, value, "a number")?),
                ("alpha", value) => alpha = number(word, value, "a probability")?,
                ("beta", value) => beta = number(word, value, "a probability")?,
                ("model", "logistic") => model = Model::Logistic,
                ("model", "normalized") => model = Model::Normalized,
                _ => {
                    let known = "elo0=, elo1=, alpha=, beta=, model=logistic and model=normalized";
                    return refused(format!("'{word}' is none of {known}"));
                }
            }
        }
        let (Some(elo0), Some(elo1)) = (elo0, elo1) else { return refused("elo0= and elo1= are needed") };
        if !(elo0.abs() <= FAR && elo1.abs() <= FAR) {
            return refused(format!("elo0 and elo1 must be between -{FAR} and {FAR}: no match can tell more"));
        }
        if elo0 >= elo1 {
            return refused("elo0 must be less than elo1");
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return refused("alpha and beta must be above 0 and together below 1");
        }
        Ok(Some(Self { elo0, elo1, alpha, beta, model }))
    }

    /// Words that say the same.
    pub fn words(&self) -> Vec<String> {
        let mut words = vec![format!("elo0={}", self.elo0), format!("elo1={}", self.elo1)];
        let errors = [("alpha", self.alpha), ("beta", self.beta)].into_iter().filter(|(_, value)| *value != 0.05);
        words.extend(errors.map(|(key, value)| format!("{key}={value}")));
        words.extend((self.model == Model::Normalized).then(|| "model=normalized".to_owned()));
        words
    }
}

impl Resign {
    /// Reads `movecount=`, `score=` and `twosided=`; `None` if there are no words.
    ///
    /// # Errors
    ///
    /// For the first word that is not understood, and if there is no score.
    pub fn from_words(words: &[String]) -> Result<Option<Self>, MatchError> {
        let mut rule = Self { move_count: 3, score: 0, two_sided: false };
        for word in words {
            match key_value(word)? {
                ("movecount", value) => rule.move_count = count(word, value)?,
                ("score", value) => rule.score = whole(word, value)? as i32,
                ("twosided", "true") => rule.two_sided = true,
                ("twosided", "false") => rule.two_sided = false,
                _ => return refused(format!("'{word}' is none of movecount=, score= and twosided=true|false")),
            }
        }
        if rule.score == 0 && !words.is_empty() {
            return refused("score=CENTIPAWNS is needed");
        }
        Ok((!words.is_empty()).then_some(rule))
    }

    /// Words that say the same.
    pub(super) fn words(&self) -> Vec<String> {
        let mut words = vec![format!("movecount={}", self.move_count), format!("score={}", self.score)];
        words.extend(self.two_sided.then(|| "twosided=true".to_owned()));
        words
    }
}

impl DrawRule {
    /// Reads `movenumber=`, `movecount=` and `score=`; `None` if there are no words.
    ///
    /// # Errors
    ///
    /// For the first word that is not understood.
    pub fn from_words(words: &[String]) -> Result<Option<Self>, MatchError> {
        let mut rule = Self { move_number: 0, move_count: 8, score: 0 };
        for word in words {
            match key_value(word)? {
                ("movenumber", value) => rule.move_number = whole(word, value)?,
                ("movecount", value) => rule.move_count = count(word, value)?,
                ("score", value) => rule.score = whole(word, value)? as i32,
                _ => return refused(format!("'{word}' is none of movenumber=, movecount= and score=")),
            }
        }
        Ok((!words.is_empty()).then_some(rule))
    }

    /// Words that say the same.
    pub(super) fn words(&self) -> Vec<String> {
        let numbers = [("movenumber", self.move_number), ("movecount", self.move_count)];
        let numbers = numbers.into_iter().map(|(key, value)| format!("{key}={value}"));
        numbers.chain([format!("score={}", self.score)]).collect()
    }
}

/// A number of scores: after none, every game would be over at once.
fn count(word: &str, value: &str) -> Result<u32, MatchError> {
    match whole(word, value)? {
        0 => Err(MatchError::bad_value(word, "a number from 1 up")),
        count => Ok(count),
    }
}

fn whole(word: &str, value: &str) -> Result<u32, MatchError> {
    let expected = "a whole number up to 100000";
    let found = number::<u32>(word, value, expected)?;
    if found <= 100_000 { Ok(found) } else { Err(MatchError::bad_value(word, expected)) }
}
