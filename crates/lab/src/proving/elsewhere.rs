//! Leaves that other processes search, on any machine. The owner keeps the tree, the log and the folder; an [`Order`]
//! names a leaf, and what was found out comes back. So a run may change hands: one process with threads goes on with
//! what many machines have begun, and they with what it has.
//!
//! Whoever searches a leaf begins with an empty table, so a second slice would find what the first one has found. A
//! task has all slices of a leaf at once, and what is not decided then becomes an inner node.
//!
//! The owner believes nobody. It plays the turns of a new inner node by the rules. A position that is said to be
//! decided counts as all but decided, until the owner itself has searched it: at once if it is drawn for a sample, else
//! when the tree needs nothing else there, as for every leaf that the final result rests on. The log has results of the
//! owner's own searches alone. A worker that was caught with a false result is left out, and what it has said is
//! forgotten; those that give no name count as one.

use super::folder::{numbers, pair};
use super::run::{EXCHANGE, Ended, Options, PATIENCE, Run, Searched, Turns};
use super::status::Status;
use super::tree::{FREE, Leaf, Place, claimed};
use super::{ProvingError, fault};
use hippolyta::endgame::amazons::Numbers;
use hippolyta::games::Notation;
use hippolyta::games::variant::{self, UnknownVariant};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use thiserror::Error;

/// Answers about a leaf that may be refused; then the owner searches it.
const MOST_REFUSED: u32 = 3;
/// One of so many results of a worker is searched again at once, the first one among them.
const SAMPLE: u64 = 16;
/// How long the owner searches at a time.
const MOMENT: Duration = Duration::from_millis(50);
/// Leaves that wait for the owner's own search before no others are handed out.
const MOST_WAITING: usize = 64;

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
    pub fn may_pass(&self) -> bool {
        matches!(self, Self::Stopped | Self::Proving(ProvingError::TooLarge))
    }
}

impl Order {
    /// The turns from the root to the leaf, separated by blanks.
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
        Ok(Found { numbers: pair(numbers), positions, turns, microseconds: began.elapsed().as_micros() as u64 })
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
/// while run.result().is_none() {
///     if let Some(order) = leaves.order()? {
///         let found = order.clone().search(&Default::default())?;
///         leaves.add(&order, found, "a machine")?;
///     }
///     leaves.work()?;
/// }
/// assert_eq!(run.result(), Some(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Elsewhere<'a> {
    run: &'a Run,
    /// Those that are out, by the turns to them.
    leaves: HashMap<String, Leaf>,
    /// How many answers about a leaf were refused.
    refused: HashMap<String, u32>,
    /// Who says of a leaf that it is decided, and whether its side to move wins.
    claims: HashMap<Place, (String, bool)>,
    /// How many results each worker has told.
    told: HashMap<String, u64>,
    /// Workers that were caught with a false result.
    liars: HashSet<String>,
    /// Leaves that the owner itself searches, the first one now.
    own: VecDeque<Own>,
    kept: Instant,
}

/// A leaf that the owner itself searches.
struct Own {
    leaf: Leaf,
    positions: u64,
    microseconds: u64,
}

impl<'a> Elsewhere<'a> {
    /// The options of `run` are those of each task: its memory, and the positions of a slice.
    pub fn new(run: &'a Run) -> Self {
        Self {
            run,
            leaves: HashMap::new(),
            refused: HashMap::new(),
            claims: HashMap::new(),
            told: HashMap::new(),
            liars: HashSet::new(),
            own: VecDeque::new(),
            kept: Instant::now(),
        }
    }

    /// The leaf to be searched next. `None` if others have all of them or [`work`](Self::work) is left to the owner, or
    /// if the result is known.
    ///
    /// # Errors
    ///
    /// If nothing is out and nothing is left, which cannot be.
    pub fn order(&mut self) -> Result<Option<Order>, ProvingError> {
        let run = self.run;
        while self.own.len() < MOST_WAITING {
            let Some(leaf) = run.take() else {
                if run.result().is_none() && self.leaves.is_empty() && self.own.is_empty() {
                    return Err(fault("", "nothing is left to search, and nothing is decided"));
                }
                return Ok(None);
            };
            let at = run.path_text(&leaf.path);
            if leaf.is_claimed || self.refused.get(&at).is_some_and(|&count| count >= MOST_REFUSED) {
                self.own.push_back(Own { leaf, positions: 0, microseconds: 0 });
                continue;
            }
            let Options { hash, slice, learned, .. } = run.options();
            let positions = slice.saturating_mul(PATIENCE);
            let (variant, fen) = (run.variant().name().to_owned(), run.position().fen());
            self.leaves.insert(at.clone(), leaf);
            return Ok(Some(Order { variant, fen, at, positions, hash, learned }));
        }
        Ok(None)
    }

    /// Learns what a worker has found out about a leaf. It is written down within a second, or by [`keep`](Self::keep).
    ///
    /// # Errors
    ///
    /// [`ProvingError::Refused`] if it cannot be so, or the worker was caught with a false result: then the leaf is to
    /// be searched again. Others if the leaf is not out, or it cannot be written.
    pub fn add(&mut self, order: &Order, found: Found, worker: &str) -> Result<(), ProvingError> {
        let Some(leaf) = self.leaves.get(&order.at) else { return Err(fault(&order.at, "nobody searches it")) };
        let place = leaf.place;
        let (searched, turns) = match self.understood(order, found, worker) {
            Ok(understood) => understood,
            Err(what) => return Err(self.refuse(order, what)),
        };
        let Some(leaf) = self.leaves.remove(&order.at) else { return Ok(()) };
        if let Some(wins) = searched.numbers.result() {
            let told = self.told.entry(worker.to_owned()).or_default();
            *told += 1;
            self.claims.insert(place, (worker.to_owned(), wins));
            if *told % SAMPLE == 1 {
                self.own.push_back(Own { leaf, positions: 0, microseconds: 0 });
                return Ok(());
            }
        }
        let said = |numbers: Numbers| numbers.result().map_or(numbers, claimed);
        let turns = turns.map(|turns| {
            turns.into_iter().map(|(turn, situation, numbers)| (turn, situation, said(numbers))).collect()
        });
        self.run.put_back(&leaf, &Searched { numbers: said(searched.numbers), ..searched }, turns)?;
        for (below, wins) in self.run.claimed_below(place) {
            self.claims.entry(below).or_insert_with(|| (worker.to_owned(), wins));
        }
        if self.kept.elapsed() > EXCHANGE { self.keep() } else { Ok(()) }
    }

    /// What was found out, if it can be so.
    fn understood(&self, order: &Order, found: Found, worker: &str) -> Result<(Searched, Option<Turns>), String> {
        if self.liars.contains(worker) {
            return Err(format!("{} was caught with a false result before", named(worker)));
        }
        let Found { numbers: pair, positions, microseconds, turns } = found;
        let numbers = numbers(pair).ok_or("impossible numbers")?;
        let turns = match turns {
            _ if numbers.result().is_some() => None,
            Some(turns) => {
                let position = self.run.position_after(&order.at)?;
                Some(self.run.as_listed(&position, &turns)?)
            }
            None => return Err("neither a result nor turns".to_owned()),
        };
        Ok((Searched { numbers, positions, microseconds, facts: Vec::new() }, turns))
    }

    /// A leaf is to be searched again, as the answer was of no use: by others a few times, then by the owner.
    pub fn refuse(&mut self, order: &Order, what: String) -> ProvingError {
        if let Some(leaf) = self.leaves.remove(&order.at) {
            self.run.leave(&leaf);
            *self.refused.entry(order.at.clone()).or_default() += 1;
        }
        ProvingError::Refused { at: order.at.clone(), what }
    }

    /// Searches for a moment one of the leaves that are left to the owner; whether there was one.
    ///
    /// # Errors
    ///
    /// [`ProvingError::Refused`] if it turns out that a worker has told a false result; others if results contradict
    /// each other, or cannot be written.
    pub fn work(&mut self) -> Result<bool, ProvingError> {
        let (run, began) = (self.run, Instant::now());
        let Some(own) = self.own.front_mut() else { return Ok(false) };
        let position = run.reached(0, &own.leaf)?;
        let most = run.options().slice.saturating_mul(PATIENCE);
        let go_on = || began.elapsed() < MOMENT && !run.is_stopped();
        let (numbers, positions) = run.prover().search(0, &position, most - own.positions.min(most), FREE, &go_on);
        own.positions += positions;
        own.microseconds += began.elapsed().as_micros() as u64;
        let result = numbers.result();
        if result.is_none() && own.positions < most {
            return Ok(true);
        }
        let Some(Own { leaf, positions, microseconds }) = self.own.pop_front() else { return Ok(true) };
        let turns = result.is_none().then(|| run.turns(0, &position));
        run.put_back(&leaf, &Searched { numbers, positions, microseconds, facts: run.prover().facts(0) }, turns)?;
        match (self.claims.remove(&leaf.place), result) {
            (Some((worker, said)), Some(wins)) if said != wins => {
                self.leave_out(&worker)?;
                let [said, wins] = [said, wins].map(|wins| if wins { "wins" } else { "loses" });
                let what = format!(
                    "{} says that the side to move {said}, but it {wins}; the worker is left out, and what it has said \
                     is asked anew",
                    named(&worker)
                );
                Err(ProvingError::Refused { at: run.path_text(&leaf.path), what })
            }
            _ => Ok(true),
        }
    }

    /// Forgets all that a worker has said.
    fn leave_out(&mut self, worker: &str) -> Result<(), ProvingError> {
        self.liars.insert(worker.to_owned());
        let places: Vec<Place> =
            self.claims.iter().filter(|(_, (by, _))| by == worker).map(|(&place, _)| place).collect();
        for place in places {
            self.claims.remove(&place);
            // The owner searches some of them already.
            if self.own.iter().all(|own| own.leaf.place != place) {
                self.run.forget(place)?;
            }
        }
        Ok(())
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

/// A worker in messages.
fn named(worker: &str) -> String {
    if worker.is_empty() { "a worker without a name".to_owned() } else { format!("worker '{worker}'") }
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
                leaves.work().unwrap();
                if run.result().is_some() || number == end {
                    break; // in the second case it is killed
                }
                if out.is_empty() {
                    continue;
                }
                let order = out.swap_remove(number % out.len());
                let text = serde_json::to_string(&order.clone().search(&AtomicBool::default()).unwrap()).unwrap();
                leaves.add(&order, serde_json::from_str(&text).unwrap(), "").unwrap();
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

    /// Solves the board with workers that change what they have found; what was said to them.
    fn solved_with(fen: &str, spoil: impl Fn(u64, &Order, &mut Found) -> &'static str) -> (bool, Vec<String>) {
        let options = Options { hash: 1 << 20, slice: 200, ..Options::default() };
        let run = Run::new(&variant::find("amazons").unwrap(), fen, None, options).unwrap();
        let (mut leaves, mut said) = (Elsewhere::new(&run), Vec::new());
        for number in 0.. {
            let mut hear = |done: Result<(), ProvingError>| match done {
                Err(ProvingError::Refused { what, .. }) => said.push(what),
                done => done.unwrap(),
            };
            if let Some(order) = leaves.order().unwrap() {
                let mut found = order.clone().search(&AtomicBool::default()).unwrap();
                let worker = spoil(number, &order, &mut found);
                hear(leaves.add(&order, found, worker));
            }
            hear(leaves.work().map(drop));
            if let Some(wins) = run.result() {
                return (wins, said);
            }
        }
        unreachable!("it is decided in the end");
    }

    #[test]
    fn false_results_are_found_out_and_whoever_told_them_is_left_out() {
        // The first one is lost, the second one won.
        for (fen, wins) in [("1qq1/q2q/Q2Q/1QQ1 w - - 0 1", false), (FIVE_BY_FOUR, true)] {
            for (spoilt, caught) in [(1, true), (3, true), (0, false)] {
                // Every third worker turns its results round, as results of leaves or of their turns.
                let (result, said) = solved_with(fen, |number, _, found| {
                    if spoilt == 0 || number % spoilt != 0 {
                        return "honest";
                    }
                    found.numbers = pair(if number % 2 == 0 { Numbers::WON } else { Numbers::LOST });
                    "liar"
                });
                assert_eq!(result, wins, "{fen}: {spoilt}");
                assert_eq!(said.iter().any(|said| said.starts_with("worker 'liar' says that ")), caught, "{said:?}");
                assert!(said.iter().all(|said| !said.contains("'honest'")), "{said:?}");
            }
            // What is told of turns is no better.
            let (result, _) = solved_with(fen, |_, _, found| {
                found.turns.iter_mut().flatten().for_each(|(_, numbers)| *numbers = pair(Numbers::LOST));
                "liar"
            });
            assert_eq!(result, wins, "{fen}");
            // Whoever never finds anything out is not asked for ever.
            let (result, said) = solved_with(fen, |_, _, found| {
                (found.numbers, found.turns) = ([5, 5], None);
                found.positions = u64::MAX;
                ""
            });
            assert_eq!((result, &*said[0]), (wins, "neither a result nor turns"));
        }
    }

    #[test]
    fn what_the_rules_do_not_allow_is_refused() {
        let run = run_in(None);
        let mut leaves = Elsewhere::new(&run);
        let order = leaves.order().unwrap().unwrap();
        let found = order.clone().search(&AtomicBool::default()).unwrap();
        let mut turns = found.turns.clone().unwrap();
        turns.pop();
        let error = leaves.add(&order, Found { turns: Some(turns), ..found.clone() }, "").unwrap_err().to_string();
        assert_eq!(error, format!("after '{}': other turns than there are, or of another version", order.at()));
        // It is handed out again.
        let again = leaves.order().unwrap().unwrap();
        assert_eq!(again, order);
        let error = leaves.add(&again, Found { numbers: [0, 7], ..found }, "").unwrap_err().to_string();
        assert!(error.ends_with(": impossible numbers"), "{error}");
        let stray = Order { at: "a1a1,a1a1".to_owned(), ..order };
        assert!(matches!(stray.search(&AtomicBool::default()), Err(OrderError::Proving(ProvingError::Fault(_)))));
        let stopped = leaves.order().unwrap().unwrap().search(&AtomicBool::new(true));
        assert!(matches!(stopped, Err(OrderError::Stopped)));
    }
}
