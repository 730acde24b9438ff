//! SPSA: constants of the search are moved by the games that they are played with.

use super::games::Pair;
use clap::{Args, value_parser};
use hippolyta::engine::Model;
use hippolyta::games::variant::{DEFAULT, Variant};
use hippolyta_lab::arena::statistics::interval;
use hippolyta_lab::differences::{by_checksum, by_text, is_built_in};
use hippolyta_lab::options::{many, up_to};
use hippolyta_lab::seeds;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A constant of the search that is tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Constant {
    /// Its name, that of a field of [`Parameters`](hippolyta::search::Parameters).
    pub name: String,
    /// Where it begins.
    pub start: f64,
    /// How far it is moved up and down in the last games; a third or so more in the first.
    pub step: f64,
    /// The least and the greatest value that games are played with.
    pub bounds: [f64; 2],
}

/// Nothing is below 0 unless the start is.
fn usual_bounds(start: f64) -> [f64; 2] {
    [if start < 0.0 { f64::MIN } else { 0.0 }, f64::MAX]
}

impl FromStr for Constant {
    type Err = String;

    /// Reads `NAME=START,STEP` or `NAME=START,STEP,LEAST,MOST`. By default nothing is below 0 unless the start is.
    fn from_str(text: &str) -> Result<Self, String> {
        let wanted = || format!("'{text}': NAME=START,STEP or NAME=START,STEP,LEAST,MOST is expected");
        let (name, numbers) = text.split_once('=').ok_or_else(wanted)?;
        let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite()).ok_or_else(wanted);
        let numbers: Vec<f64> = numbers.split(',').map(number).collect::<Result<_, _>>()?;
        let (start, step, bounds) = match numbers[..] {
            [start, step] => (start, step, usual_bounds(start)),
            [start, step, least, most] => (start, step, [least, most]),
            _ => return Err(wanted()),
        };
        let [least, most] = bounds;
        if step <= 0.0 || !(least..=most).contains(&start) {
            return Err(format!("'{text}': the step is above 0, and the start lies within the bounds"));
        }
        Ok(Self { name: name.to_owned(), start, step, bounds })
    }
}

impl fmt::Display for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, start, step, bounds } = self;
        write!(f, "{name}={start},{step}")?;
        let [least, most] = bounds;
        if *bounds == usual_bounds(*start) { Ok(()) } else { write!(f, ",{least},{most}") }
    }
}

/// The games to play, and the constants to tune.
#[derive(Clone, Debug, Serialize, Args)]
pub struct Plan {
    /// The rule set.
    #[arg(skip = DEFAULT.clone())]
    #[serde(serialize_with = "by_text")]
    pub variant: Variant,
    /// A constant: its name, where it begins, its step, and perhaps the least and the greatest value.
    #[arg(long = "constant", value_name = "NAME=START,STEP[,LEAST,MOST]", required = true)]
    #[serde(serialize_with = "by_words")]
    pub constants: Vec<Constant>,
    /// Positions evaluated for a turn.
    #[arg(long, default_value_t = 3_000, value_parser = many())]
    pub nodes: u64,
    /// Random turns at the beginning of each game.
    #[arg(id = "book_plies", long = "book-plies", value_name = "N")]
    #[arg(default_value_t = 4, value_parser = value_parser!(u32).range(1..=30))]
    #[serde(rename = "book_plies")]
    pub plies: u32,
    /// Pairs of games.
    #[arg(long, default_value_t = 10_000, value_parser = up_to(10_000_000))]
    pub pairs: u64,
    /// Pairs that are played with the same values before these move on.
    #[arg(id = "batch", long = "batch", value_name = "N", default_value_t = 8, value_parser = up_to(10_000))]
    #[serde(rename = "batch")]
    pub together: u64,
    /// How much of a step a constant moves in the end for each point.
    #[arg(long, default_value_t = 0.01)]
    pub rate: f64,
    /// Seed of what is random.
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Who evaluates.
    #[arg(skip)]
    #[serde(rename = "weights", serialize_with = "by_checksum", skip_serializing_if = "is_built_in")]
    pub model: Model,
}

/// Constants, in what a run is held against.
fn by_words<S: Serializer>(constants: &[Constant], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(constants.iter().map(ToString::to_string))
}

/// The gains' exponents, as Spall recommends them, and the share of all pairs in which the rate falls slowly at first.
const RATE_FALLS: f64 = 0.602;
const STEP_FALLS: f64 = 0.101;
const SLOW: f64 = 0.1;

/// Where a constant came to, and which way the games leaned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Leaning {
    /// The constant.
    pub name: String,
    /// Where it began.
    pub start: f64,
    /// Where it ended.
    pub end: f64,
    /// The share of points with the constant moved up, less that with it moved down, over all games: −1 to 1.
    pub up: f64,
    /// Its interval of 95 %.
    pub interval: [f64; 2],
}

impl Plan {
    /// The pairs that are played with the same values, the `number`th time.
    pub fn batch(&self, number: u64) -> RangeInclusive<u64> {
        let first = number * self.together;
        first..=(first + self.together - 1).min(self.pairs - 1)
    }

    /// How often values are changed.
    pub fn batches(&self) -> u64 {
        self.pairs.div_ceil(self.together)
    }

    /// A number that is random and depends on the seed and the pair alone.
    pub(super) fn seed_of(&self, pair: u64) -> u64 {
        seeds::of(self.seed, pair.wrapping_add(1))
    }

    /// Which constants the first player of a pair has moved up.
    pub(super) fn moved_up(&self, pair: u64) -> Vec<bool> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed_of(pair));
        self.constants.iter().map(|_| random.random()).collect()
    }

    /// How far constants are moved in a pair, in steps.
    pub(super) fn moves(&self, pair: u64) -> f64 {
        (self.pairs as f64 / (pair + 1) as f64).powf(STEP_FALLS)
    }

    /// The distance that a constant moves for a point of difference in a pair, in steps.
    fn gain(&self, pair: u64) -> f64 {
        let (all, now) = (self.pairs as f64, (pair + 1) as f64);
        let slow = SLOW * all;
        let falling = ((slow + all) / (slow + now)).powf(RATE_FALLS);
        self.rate * falling / self.moves(pair)
    }

    /// The values after these pairs, in the order of their numbers.
    pub fn values(&self, played: &[Pair]) -> Vec<f64> {
        let mut values: Vec<f64> = self.constants.iter().map(|constant| constant.start).collect();
        self.learn(&mut values, played);
        values
    }

    /// Moves the values on by pairs that were played since, in the order of their numbers.
    pub(super) fn learn<'a>(&self, values: &mut [f64], played: impl IntoIterator<Item = &'a Pair>) {
        for pair in played {
            let gain = self.gain(pair.number) * f64::from(pair.points);
            for ((value, constant), up) in values.iter_mut().zip(&self.constants).zip(self.moved_up(pair.number)) {
                let moved = if up { gain } else { -gain } * constant.step;
                *value = (*value + moved).clamp(constant.bounds[0], constant.bounds[1]);
            }
        }
    }

    /// The values of both players of a pair; `values` are those in between.
    pub(super) fn of_players(&self, pair: u64, values: &[f64]) -> [Vec<f64>; 2] {
        let (up, far) = (self.moved_up(pair), self.moves(pair));
        [1.0, -1.0].map(|sign| {
            let moved = values.iter().zip(&self.constants).zip(&up).map(|((value, constant), &up)| {
                let moved = if up { sign } else { -sign } * far * constant.step;
                (value + moved).clamp(constant.bounds[0], constant.bounds[1])
            });
            moved.collect()
        })
    }

    /// Where the constants came to.
    pub fn leanings(&self, played: &[Pair]) -> Vec<Leaning> {
        let ends = self.values(played);
        let count = played.len() as f64;
        let leaning = |(index, constant): (usize, &Constant)| {
            let of = |pair: &Pair| f64::from(pair.points) / if self.moved_up(pair.number)[index] { 2.0 } else { -2.0 };
            // Of the points in a pair, as a number from 0 to 1.
            let share = |pair| f64::midpoint(1.0, of(pair));
            let points: f64 = played.iter().map(share).sum();
            let (name, start, end) = (constant.name.clone(), constant.start, ends[index]);
            let lead = |share: f64| 2.0 * share - 1.0;
            let [up, low, high] = match played.len() {
                0 => [0.0, -1.0, 1.0],
                _ => {
                    let [low, high] = interval(points, count);
                    [points / count, low, high].map(lead)
                }
            };
            Leaning { name, start, end, up, interval: [low, high] }
        };
        self.constants.iter().enumerate().map(leaning).collect()
    }
}
