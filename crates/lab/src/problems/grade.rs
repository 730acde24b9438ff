//! How hard problems are: which ratings find their turns.

use crate::play::{self, PlayError};
use hippolyta::engine::{Board, Control, Engine, Limits, Model, STRENGTHS};
use hippolyta::games::variant::Variant;

/// How often a level tries a problem, each time with another seed.
pub const TRIES: u32 = 4;
/// Levels in a row that found the turn in every try, after which higher ones are not asked.
const ENOUGH: usize = 3;
/// Nodes beyond the highest measured rating.
const MOST_NODES: u64 = 20_000;

/// The ratings that try problems of a rule set, the lowest first: those of the levels that have names.
pub fn levels(variant: &Variant) -> Vec<u32> {
    STRENGTHS.iter().filter_map(|strength| strength.elo(variant)).collect()
}

/// The rating from which on every measured level finds the turn in half of its tries or more, between two levels by
/// interpolation; `None` if the highest does not. `found` are the times out of `tries`, by level.
///
/// ```
/// use hippolyta_lab::problems::grade;
///
/// assert_eq!(grade(&[400, 800, 1_200], &[0, 1, 3], 4), Some(1_000));
/// assert_eq!(grade(&[400, 800, 1_200], &[4, 4, 4], 4), Some(400));
/// assert_eq!(grade(&[400, 800, 1_200], &[4, 4, 1], 4), None);
/// ```
pub fn grade(levels: &[u32], found: &[u8], tries: u32) -> Option<u32> {
    let rate = |found: u8| f64::from(found) / f64::from(tries.max(1));
    let rungs: Vec<(u32, f64)> = levels.iter().copied().zip(found.iter().map(|&found| rate(found))).collect();
    let missed = rungs.iter().rposition(|&(_, rate)| rate < 0.5);
    let (high, reached) = match missed {
        None => return rungs.first().map(|&(level, _)| level),
        Some(index) => *rungs.get(index + 1)?,
    };
    let (low, short) = rungs[missed?];
    let between = f64::from(low) + f64::from(high - low) * (0.5 - short) / (reached - short);
    Some((between / 10.0).round() as u32 * 10)
}

/// An engine that tries problems of a rule set.
pub(super) struct Grader {
    variant: Variant,
    engine: Engine,
}

impl Grader {
    pub fn new(variant: &Variant, model: &Model) -> Result<Self, PlayError> {
        Ok(Self { variant: variant.clone(), engine: play::engine(variant, model, 0)? })
    }

    /// Whether a rating, or full strength with this number of nodes, plays `turn`.
    pub fn finds(
        &mut self,
        board: &Board,
        turn: &str,
        elo: Option<u32>,
        nodes: Option<u64>,
        seed: u64,
        control: &Control,
    ) -> Result<bool, PlayError> {
        play::begin(&mut self.engine, seed)?;
        let limits = Limits { elo, nodes: nodes.or(Some(MOST_NODES)), ..Limits::default() };
        let analysis = self.engine.search(board, &limits, control)?;
        Ok(analysis.best().is_some_and(|best| best.to_string() == turn))
    }

    /// How often each level finds `turn`, from the lowest to the last that was asked, and the grade. Worth nothing once
    /// `control` is stopped.
    pub fn grade(&mut self, board: &Board, turn: &str, control: &Control) -> Result<(Vec<u8>, Option<u32>), PlayError> {
        let levels = levels(&self.variant);
        let mut found = Vec::new();
        for &level in &levels {
            let mut times = 0;
            for seed in 1..=TRIES {
                times += u8::from(self.finds(board, turn, Some(level), None, seed.into(), control)?);
            }
            found.push(times);
            let is_sure = |times: &u8| u32::from(*times) == TRIES;
            if found.len() >= ENOUGH && found.iter().rev().take(ENOUGH).all(is_sure) {
                break;
            }
        }
        let elo = grade(&levels, &found, TRIES);
        Ok((found, elo))
    }
}
