//! Leaves that other processes search, on any machine. The owner keeps the tree, the log and the folder; an [`Order`]
//! names a leaf, and what was found out comes back as the log would have it. So a run may change hands: one process
//! with threads goes on with what many machines have begun, and they with what it has.
//!
//! Whoever searches a leaf begins with an empty table, so a second slice would find what the first one has found. A
//! task has all slices of a leaf at once, and what is not decided then becomes an inner node. The owner believes no
//! turn: it plays those of a new inner node by the rules.

use super::folder::{Line, numbers, pair};
use super::run::{EXCHANGE, Ended, Options, PATIENCE, Run, Searched};
use super::status::Status;
use super::tree::{FREE, Leaf};
use super::{ProvingError, fault};
use hippolyta::games::Notation;
use hippolyta::games::variant::{self, UnknownVariant};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;
use thiserror::Error;

/// A leaf that somebody else is to search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Order {
    variant: String,
    fen: String,
    /// The turns to it.
    at: String,
    /// How many positions to look at.
    positions: u64,
    /// Memory for the table, in bytes.
    hash: usize,
    learned: bool,
}

/// The result of a search of a leaf.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Found {
    numbers: [u32; 2],
    positions: u64,
    microseconds: u64,
    /// Results on the way that took long, as in the log.
    facts: Vec<Line>,
    /// If it is not decided: its turns, and the numbers of the positions after them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    turns: Option<Vec<(String, [u32; 2])>>,
}

/// Why a leaf was not searched.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OrderError {
    /// This version has no such rules.
    #[error(transparent)]
    Variant(#[from] UnknownVariant),
    /// The position cannot be reached or searched.
    #[error(transparent)]
    Proving(#[from] ProvingError),
    /// It was broken off.
    #[error("stopped")]
    Stopped,
}

impl OrderError {
    /// Whether another attempt may succeed.
    #[must_use]
    pub fn may_pass(&self) -> bool {
        matches!(self, Self::Stopped | Self::Proving(ProvingError::TooLarge))
    }
}

impl Order {
    /// The turns from the root to the leaf, separated by blanks.
    #[must_use]
    pub fn at(&self) -> &str {
        &self.at
    }

    /// Searches the leaf, unless `stop` is set.
    ///
    /// # Errors
    ///
    /// If the rules do not lead there, there is no memory for the table, or it was stopped.
    pub fn search(self, stop: &AtomicBool) -> Result<Found, OrderError> {
        let began = Instant::now();
        let options = Options { threads: 1, hash: self.hash, slice: self.positions, learned: self.learned };
        let run = Run::before(&variant::find(&self.variant)?, &self.fen, options)?;
        let position = run.position_after(&self.at).map_err(|what| fault(&self.at, &what))?;
        let prover = run.prover();
        if !prover.sees(&position) {
            return Err(fault(&self.at, "another position").into());
        }
        let (numbers, positions) = prover.search(0, &position, self.positions, FREE, &|| !stop.load(Relaxed));
        if numbers.result().is_none() && stop.load(Relaxed) {
            return Err(OrderError::Stopped);
        }
        let turns = numbers.result().is_none().then(|| {
            let turns = run.turns(0, &position).into_iter();
            turns.map(|(turn, _, numbers)| (position.turn_text(&turn), pair(numbers))).collect()
        });
        Ok(Found {
            numbers: pair(numbers),
            positions,
            facts: prover.facts(0).iter().map(Line::proven).collect(),
            turns,
            microseconds: began.elapsed().as_micros() as u64,
        })
    }
}

/// A run whose leaves others search.
///
/// ```
/// use hippolyta::games::variant;
/// use hippolyta_lab::proving::{Elsewhere, Options, Run};
///
/// let options = Options { slice: 1_000, ..Options::default() };
/// let run = Run::new(&variant::find("amazons")?, "1q1/3/1Q1 w - - 0 1", None, options)?;
/// let mut leaves = Elsewhere::new(&run);
/// while let Some(order) = leaves.order()? {
///     let found = order.clone().search(&Default::default())?;
///     leaves.add(&order, found)?;
/// }
/// assert_eq!(run.result(), Some(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Elsewhere<'a> {
    run: &'a Run,
    /// Those that are out, by the turns to them.
    leaves: HashMap<String, Leaf>,
    kept: Instant,
}

impl<'a> Elsewhere<'a> {
    /// The options of `run` are those of each task: its memory, and the positions of a slice.
    #[must_use]
    pub fn new(run: &'a Run) -> Self {
        Self { run, leaves: HashMap::new(), kept: Instant::now() }
    }

    /// The leaf to be searched next. `None` if others have all of them, or if the result is known.
    ///
    /// # Errors
    ///
    /// If nothing is out and nothing is left, which cannot be.
    pub fn order(&mut self) -> Result<Option<Order>, ProvingError> {
        let run = self.run;
        let Some(leaf) = run.take() else {
            if run.result().is_none() && self.leaves.is_empty() {
                return Err(fault("", "nothing is left to search, and nothing is decided"));
            }
            return Ok(None);
        };
        let at = run.path_text(&leaf.path);
        let Options { hash, slice, learned, .. } = run.options();
        let positions = slice.saturating_mul(PATIENCE);
        let (variant, fen) = (run.variant().name().to_owned(), run.position().fen());
        self.leaves.insert(at.clone(), leaf);
        Ok(Some(Order { variant, fen, at, positions, hash, learned }))
    }

    /// Learns what was found out about a leaf. It is written down within a second, or by [`keep`](Self::keep).
    ///
    /// # Errors
    ///
    /// If the leaf is not out, the rules do not allow what was found, results contradict each other, or it cannot be
    /// written.
    pub fn add(&mut self, order: &Order, found: Found) -> Result<(), ProvingError> {
        let Some(leaf) = self.leaves.remove(&order.at) else { return Err(fault(&order.at, "nobody searches it")) };
        let wrong = |what: String| fault(&order.at, &what);
        let Found { numbers: pair, positions, microseconds, facts, turns } = found;
        let numbers = numbers(pair).ok_or_else(|| wrong("impossible numbers".to_owned()))?;
        let facts = facts.iter().map(|line| line.fact().ok_or_else(|| wrong("no result".to_owned())));
        let facts = facts.collect::<Result<_, _>>()?;
        let expanded = |turns: Vec<_>| {
            let position = self.run.position_after(&order.at)?;
            self.run.as_listed(&position, &turns)
        };
        let turns = turns.map(expanded).transpose().map_err(wrong)?;
        self.run.put_back(&leaf, &Searched { numbers, positions, microseconds, facts }, turns)?;
        if self.kept.elapsed() > EXCHANGE { self.keep() } else { Ok(()) }
    }

    /// Writes down what was found out.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn keep(&mut self) -> Result<(), ProvingError> {
        self.kept = Instant::now();
        self.run.keep(None)
    }

    /// How far the run has come.
    #[must_use]
    pub fn status(&self) -> Status {
        self.run.status()
    }

    /// How the run has ended: with a result, or stopped.
    ///
    /// # Errors
    ///
    /// If what was found out last cannot be written.
    pub fn close(mut self) -> Result<Ended, ProvingError> {
        self.keep()?;
        Ok(self.run.ended())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIVE_BY_FOUR: &str = "1q1q1/q3q/Q3Q/1Q1Q1 w - - 0 1";

    fn run_in(folder: Option<&std::path::Path>) -> Run {
        let options = Options { hash: 1 << 20, slice: 500, ..Options::default() };
        Run::new(&variant::find("amazons").unwrap(), FIVE_BY_FOUR, folder, options).unwrap()
    }

    #[test]
    fn many_that_search_at_once_and_an_owner_that_is_killed_come_to_the_same_result() {
        let folder = std::env::temp_dir().join(format!("hippolyta-leaves-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        for end in [5, 10, usize::MAX] {
            let run = run_in(Some(&folder));
            let (mut leaves, mut out) = (Elsewhere::new(&run), Vec::new());
            for number in 0.. {
                while out.len() < 8
                    && let Some(order) = leaves.order().unwrap()
                {
                    let text = serde_json::to_string(&order).unwrap();
                    assert_eq!(serde_json::from_str::<Order>(&text).unwrap(), order);
                    out.push(order);
                }
                if run.result().is_some() || number == end {
                    break; // in the second case it is killed
                }
                let order = out.swap_remove(number % out.len());
                let text = serde_json::to_string(&order.clone().search(&AtomicBool::default()).unwrap()).unwrap();
                leaves.add(&order, serde_json::from_str(&text).unwrap()).unwrap();
                leaves.keep().unwrap();
            }
            if run.result().is_some() {
                let Ended::Solved(solution) = leaves.close().unwrap() else { panic!("it is decided") };
                assert!(solution.wins && solution.turn.is_some());
            }
        }
        // It is a folder like any other.
        assert_eq!(Run::status_of(&folder).unwrap().wins, Some(true));
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_the_rules_do_not_allow_is_refused() {
        let run = run_in(None);
        let mut leaves = Elsewhere::new(&run);
        let order = leaves.order().unwrap().unwrap();
        let found = order.clone().search(&AtomicBool::default()).unwrap();
        let mut turns = found.turns.clone().unwrap();
        turns.pop();
        let error = leaves.add(&order, Found { turns: Some(turns), ..found.clone() }).unwrap_err().to_string();
        assert!(
            error.ends_with(&format!("{}: other turns than there are, or of another version", order.at())),
            "{error}"
        );
        let other = leaves.order().unwrap().unwrap();
        let error = leaves.add(&other, Found { numbers: [0, 7], ..found }).unwrap_err().to_string();
        assert!(error.ends_with(": impossible numbers"), "{error}");
        let stray = Order { at: "a1a1,a1a1".to_owned(), ..order };
        assert!(matches!(stray.search(&AtomicBool::default()), Err(OrderError::Proving(ProvingError::Fault(_)))));
        let stopped = leaves.order().unwrap().unwrap().search(&AtomicBool::new(true));
        assert!(matches!(stopped, Err(OrderError::Stopped)));
    }
}
