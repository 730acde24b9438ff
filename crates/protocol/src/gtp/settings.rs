use super::engine::LazyEngine;
use crate::options::{MOST_VARIETY, seed_of_variety};
use hippolyta::engine::ELO_RANGE;

/// Choices of a client: how a session thinks, and what it answers with.
pub(super) struct Choices {
    pub engine: LazyEngine,
    pub seconds: f64,
    pub nodes: Option<u64>,
    pub elo: Option<u32>,
    pub lines: usize,
    /// Within how many points of the best the turns of an opening are drawn.
    pub variety: u32,
    /// Whether somebody has chosen a seed.
    pub has_seed: bool,
    /// Whether `genmove` may answer `resign`.
    pub resign: bool,
}

/// A parameter of `hippolyta-settings`.
pub(super) struct Setting {
    /// Its name.
    pub key: &'static str,
    /// The values that may be given, in words.
    pub values: &'static str,
    pub get: fn(&Choices) -> String,
    /// `None` if the value is not one of these.
    pub set: fn(&mut Choices, &str) -> Option<Result<(), String>>,
}

/// A whole number within limits.
fn number(value: &str, least: u64, most: u64) -> Option<u64> {
    value.parse().ok().filter(|number| (least..=most).contains(number))
}

/// The value for full strength.
const FULL: &str = "full";

/// All parameters, in the order in which they are listed.
pub(super) const SETTINGS: &[Setting] = &[
    Setting {
        key: "seconds_per_turn",
        values: "a number from 0.01 to 86400",
        get: |choices| choices.seconds.to_string(),
        set: |choices, value| {
            choices.seconds = value.parse().ok().filter(|seconds| (0.01..=86_400.0).contains(seconds))?;
            Some(Ok(()))
        },
    },
    Setting {
        key: "positions_per_turn",
        values: "a whole number from 1, or 0 for no limit",
        get: |choices| choices.nodes.unwrap_or(0).to_string(),
        set: |choices, value| {
            choices.nodes = Some(number(value, 0, u64::MAX)?).filter(|&nodes| nodes > 0);
            Some(Ok(()))
        },
    },
    Setting {
        key: "level",
        values: "full, or a rating from 0 to 4000",
        get: |choices| choices.elo.map_or_else(|| FULL.to_owned(), |elo| elo.to_string()),
        set: |choices, value| {
            let [least, most] = ELO_RANGE.map(u64::from);
            let full = value.eq_ignore_ascii_case(FULL);
            choices.elo = if full { None } else { Some(number(value, least, most)? as u32) };
            Some(Ok(()))
        },
    },
    Setting {
        key: "resign",
        values: "on or off",
        get: |choices| if choices.resign { "on" } else { "off" }.to_owned(),
        set: |choices, value| {
            choices.resign = match value.to_ascii_lowercase().as_str() {
                "on" | "1" | "true" => true,
                "off" | "0" | "false" => false,
                _ => return None,
            };
            Some(Ok(()))
        },
    },
    Setting {
        key: "variety",
        values: "points of the expected score, a whole number from 0 to 50",
        get: |choices| choices.variety.to_string(),
        set: |choices, value| {
            choices.variety = number(value, 0, MOST_VARIETY)? as u32;
            let seed = seed_of_variety(choices.variety);
            Some(if choices.has_seed { Ok(()) } else { choices.engine.change(|settings| settings.seed = seed) })
        },
    },
    Setting {
        key: "lines",
        values: "a whole number from 1 to 500",
        get: |choices| choices.lines.to_string(),
        set: |choices, value| {
            choices.lines = number(value, 1, 500)? as usize;
            Some(Ok(()))
        },
    },
    Setting {
        key: "threads",
        values: "a whole number from 1 to 1024",
        get: |choices| choices.engine.settings().threads.to_string(),
        set: |choices, value| {
            let threads = number(value, 1, 1_024)? as usize;
            Some(choices.engine.change(|settings| settings.threads = threads))
        },
    },
    Setting {
        key: "hash",
        values: "MiB, a whole number from 1 to 32768",
        get: |choices| choices.engine.settings().hash.to_string(),
        set: |choices, value| {
            let hash = number(value, 1, 32_768)? as usize;
            Some(choices.engine.change(|settings| settings.hash = hash))
        },
    },
    Setting {
        key: "seed",
        values: "a whole number from 0",
        get: |choices| choices.engine.settings().seed.to_string(),
        set: |choices, value| {
            let seed = number(value, 0, i64::MAX as u64)?;
            choices.has_seed = true;
            Some(choices.engine.change(|settings| settings.seed = seed))
        },
    },
];
