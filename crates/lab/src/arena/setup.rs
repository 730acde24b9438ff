//! The setup of a match, down to its last detail, before it begins.

use super::client::{Client, Manners};
use super::game::Adjudication;
use super::opening::Opening;
use super::replay::Replay;
use super::schedule::Schedule;
use super::spec::{EngineSpec, MatchError};
use super::statistics::Sprt;
use clap::Args;
use hippolyta::engine::{Counter, Model};
use hippolyta::games::variant::Variant;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Names the option, or whatever an error is about.
pub(super) fn about<E: std::fmt::Display>(what: impl std::fmt::Display) -> impl FnOnce(E) -> MatchError {
    move |error| MatchError(format!("{what}: {error}"))
}

/// An error with this text.
pub(super) fn refused<T>(text: impl Into<String>) -> Result<T, MatchError> {
    Err(MatchError(text.into()))
}

/// All that is fixed before the first game.
pub struct MatchSetup {
    /// Who plays.
    pub engines: Vec<EngineSpec>,
    /// Models of engines within this process (`cmd=self`), by the engines' names. An engine without one has the
    /// built-in evaluation.
    pub models: BTreeMap<String, Model>,
    /// Rule set.
    pub variant: Variant,
    /// Openings, used in turn.
    pub openings: Vec<Opening>,
    /// Who plays whom.
    pub schedule: Schedule,
    /// When games are adjudicated.
    pub adjudication: Adjudication,
    /// Counts results and margins.
    pub counter: Counter,
    /// A test that may end the match early; for two engines.
    pub sprt: Option<Sprt>,
    /// Games at a time.
    pub concurrency: usize,
    /// Whether the tournament goes on after a crash.
    pub recover: bool,
    /// The longest time for an answer where no clock runs.
    pub patience: Duration,
    /// The longest time for an engine's greeting.
    pub greeting: Duration,
    /// Whether statistics are of pairs of games, each opening with both colours.
    pub pairs: bool,
    /// Title, event, site and date of the match, for the records.
    pub occasion: Occasion,
    /// Once set, games are broken off and the tournament ends.
    pub stop: Arc<AtomicBool>,
}

impl MatchSetup {
    /// The match, as its records are held against it.
    pub(super) fn replay(&self) -> Replay<'_> {
        Replay {
            names: self.engines.iter().map(|engine| engine.name.clone()).collect(),
            variant: self.variant.clone(),
            openings: &self.openings,
            schedule: self.schedule,
            adjudication: &self.adjudication,
            counter: &self.counter,
        }
    }

    /// Starts every engine once: what is wrong with a command line shows before the first game. Returns remarks: which
    /// engines differ in `Hash` or `Threads` and, unless `strict`, options that an engine does not know and values out
    /// of their range. `tell` is told what is waited for, if that takes long. A match that is stopped meanwhile has no
    /// errors.
    ///
    /// # Errors
    ///
    /// If an engine does not start, or refuses an option; if `strict`, also for such an option or value.
    pub fn try_engines(&self, strict: bool, tell: &dyn Fn(&str)) -> Result<Vec<String>, MatchError> {
        let mut remarks = Vec::new();
        let mut in_force = [("Hash", Vec::new()), ("Threads", Vec::new())];
        for engine in &self.engines {
            let name = format!("engine '{}'", engine.name);
            let waiting = |what: &str| tell(&format!("{name}: {what}"));
            let client = match Client::start(engine, &self.variant, &self.manners(&waiting)) {
                Ok(client) => client,
                // It is no fault of an engine that the match was stopped, which the engine may have heard as well.
                Err(_) if self.stop.load(Ordering::Relaxed) => return Ok(remarks),
                Err(error) => return Err(about(&name)(error)),
            };
            let doubts = client.doubts.iter().map(|doubt| format!("engine '{}': {doubt}", engine.name));
            match client.doubts.first() {
                Some(_) if !strict => remarks.extend(doubts),
                Some(_) => return refused(doubts.collect::<Vec<_>>().join("; ")),
                None => {}
            }
            for (name, values) in &mut in_force {
                values.extend(client.in_force(engine, name).map(|value| (engine.name.as_str(), value)));
            }
        }
        for (name, values) in in_force {
            if values.iter().any(|(_, value)| *value != values[0].1) {
                let each: Vec<_> = values.iter().map(|(engine, value)| format!("{engine} has {value}")).collect();
                remarks.push(format!("the engines differ in {name}: {}", each.join(", ")));
            }
        }
        Ok(remarks)
    }

    /// How an engine is waited for.
    pub(super) fn manners<'a>(&'a self, waiting: &'a dyn Fn(&str)) -> Manners<'a> {
        let Self { greeting, patience, ref stop, ref models, .. } = *self;
        Manners { greeting, patience, stop, waiting, models }
    }
}

/// Title, event, site and date of a match, for records, results and the page. They change no game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Args)]
pub struct Occasion {
    /// Title of the page; it names the event, too, unless --event does.
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Event, for the records.
    #[arg(long, value_name = "TEXT")]
    pub event: Option<String>,
    /// Site, for the records.
    #[arg(long, value_name = "TEXT")]
    pub site: Option<String>,
    /// Date, for the records, such as 2026.11.26 [default: the day on which a game ends].
    #[arg(long, value_name = "DATE")]
    pub date: Option<String>,
}

impl Occasion {
    /// With the date as PGN has it: year, month and day with points between, or hyphens.
    pub(super) fn checked(&self) -> Result<Self, MatchError> {
        let mut occasion = self.clone();
        if let Some(date) = &mut occasion.date {
            let parts: Vec<_> = date.split(['.', '-']).collect();
            let holds = |text: &str, length, most| {
                text.len() == length
                    && (text.bytes().all(|byte| byte == b'?')
                        || text.bytes().all(|byte| byte.is_ascii_digit())
                            && text.parse().is_ok_and(|number: u32| (1..=most).contains(&number)))
            };
            match parts[..] {
                [year, month, day] if holds(year, 4, 9999) && holds(month, 2, 12) && holds(day, 2, 31) => {}
                _ => return refused(format!("--date: '{date}': a date such as 2026.11.26 is expected")),
            }
            *date = parts.join(".");
        }
        Ok(occasion)
    }

    /// The fields, by name; `None` where nothing was said.
    pub(super) fn fields(&self) -> [(&'static str, Option<&String>); 4] {
        let Self { title, event, site, date } = self;
        [("title", title.as_ref()), ("event", event.as_ref()), ("site", site.as_ref()), ("date", date.as_ref())]
    }
}
