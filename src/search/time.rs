//! How long a search may take.

use super::clock;
use super::limits::{Clock, Limits};
use super::task::Task;
use crate::endgame::Work;
use crate::games::Position;
use std::time::Duration;

/// The time for one turn, overhead taken off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Budget {
    /// When to stop if the choice is clear; may be exceeded up to `most`.
    pub usual: Duration,
    /// When to stop in any case.
    pub most: Duration,
    /// Whether stopping earlier saves time for later turns.
    pub saves: bool,
}

/// Shortest time for a turn: enough for the first simulations.
const LEAST: Duration = Duration::from_millis(1);

/// Longer delays have other causes, for example memory that was given back before the search.
const MOST_LAG: Duration = Duration::from_millis(100);

/// The overhead takes 1/`FIXED_SHARE` of a time for one turn at most, and of a clock, for all turns ahead together,
/// 1/`CLOCK_SHARE`: a search that gets no time at all is worse than one that may be late.
const FIXED_SHARE: u32 = 4;
const CLOCK_SHARE: u32 = 2;

/// Usual delay of a thread on any machine in use.
const USUAL_LAG: Duration = Duration::from_millis(10);

/// How late recent searches were: where other programs use the processor too, a thread waits for its turn.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lag(Duration);

impl Lag {
    /// A search began, or answered, this much late. Nothing is spared for what `overhead` covers, nor for a few
    /// milliseconds: at 20 ms a move and with both processors in use, sparing those as well cost 70 Elo.
    pub fn note(&mut self, late: Duration, overhead: Duration) {
        let uncovered = late.saturating_sub(overhead.max(USUAL_LAG));
        self.0 = uncovered.min(MOST_LAG).max(self.0.mul_f64(0.9));
    }

    /// Spares time for another delay: half of the budget at most.
    pub fn spare(self, budget: Budget) -> Budget {
        let most = (budget.most - self.0.min(budget.most / 2)).max(LEAST);
        Budget { usual: budget.usual.min(most), most, ..budget }
    }
}

/// The time for the turn of `task` where recent searches were late by `lag`; `None` if there is no limit.
pub(super) fn budget_of<P: Position>(task: &Task<'_, P>, lag: Lag) -> Option<Budget> {
    budget(task.limits, task.root().turns_to_think_about()).map(|budget| lag.spare(budget))
}

/// Positions of exact work that take about as long as a node of the search …
const POSITIONS: u64 = 16;
/// … and how many may be looked at however few nodes are allowed: milliseconds.
const LEAST_POSITIONS: u64 = 10_000;

/// Does exact `work` beside the search of `task`. It obeys the limits of the search: it takes 1/`share` of the time at
/// most, so that the search gets the rest, and ends when the search is stopped. A limit on nodes limits it as well, by
/// a number of positions that does not depend on the machine.
pub(super) fn beside<P: Position, R>(task: &Task<'_, P>, lag: Lag, share: u32, work: impl FnOnce(&Work<'_>) -> R) -> R {
    let (limits, control) = (task.limits, task.control);
    let most = budget_of(task, lag).filter(|_| !limits.infinite).map(|budget| budget.usual / share);
    let is_late = |most| control.counts_from(task.ordered()).is_some_and(|from| clock::since(from) >= most);
    let go_on = || !control.stopped() && !most.is_some_and(is_late);
    let positions = limits.nodes.map_or(u64::MAX, |nodes| nodes.saturating_mul(POSITIONS).max(LEAST_POSITIONS));
    work(&Work::new(positions, &go_on))
}

/// The budget under all time limits together, `None` if there are none. `turns_ahead`: number of turns, including this
/// one, for which the side to move is likely to need time.
fn budget<P: Position>(limits: &Limits<P>, turns_ahead: u32) -> Option<Budget> {
    let fixed = limits.move_time.map(|time| {
        let time = time.saturating_sub(limits.overhead.min(time / FIXED_SHARE)).max(LEAST);
        Budget { usual: time, most: time, saves: false }
    });
    let clocked = limits.clock.map(|clock| share(&clock, limits.overhead, turns_ahead));
    match (fixed, clocked) {
        (Some(fixed), Some(clocked)) => {
            Some(Budget { usual: clocked.usual.min(fixed.usual), most: clocked.most.min(fixed.most), saves: true })
        }
        (fixed, clocked) => fixed.or(clocked),
    }
}

/// This turn's part of a clock: an even share of the time left and most of the increment; up to four times that if the
/// choice is hard; never so much that one delay could lose the game on time.
fn share(clock: &Clock, overhead: Duration, turns_ahead: u32) -> Budget {
    let turns = clock.moves_to_go.unwrap_or(turns_ahead).clamp(1, turns_ahead.max(1));
    let left = clock.time.saturating_sub(overhead * 2);
    // Each of these turns will lose the overhead once.
    let lost = overhead.saturating_mul(turns.saturating_add(1)).min(clock.time / CLOCK_SHARE);
    let even = clock.time.saturating_sub(lost) / turns;
    let usual = even + clock.increment.mul_f64(0.75);
    let last = turns == 1;
    let ceiling = if last { left.mul_f64(0.85) } else { left.mul_f64(0.35) };
    Budget { usual: usual.min(ceiling).max(LEAST), most: (usual * 4).min(ceiling).max(LEAST), saves: true }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::amazons::Amazons;

    fn limits(time: u64, increment: u64, moves_to_go: Option<u32>) -> Limits<Amazons> {
        let clock =
            Clock { time: Duration::from_millis(time), increment: Duration::from_millis(increment), moves_to_go };
        Limits { clock: Some(clock), overhead: Duration::from_millis(10), ..Limits::default() }
    }

    #[test]
    fn no_clock_and_no_move_time_mean_no_budget() {
        assert_eq!(budget(&Limits::<Amazons>::default(), 20), None);
    }

    #[test]
    fn move_time_is_used_but_for_the_overhead() {
        let limits = Limits::<Amazons> {
            overhead: Duration::from_millis(10),
            move_time: Some(Duration::from_secs(1)),
            ..Default::default()
        };
        let budget = budget(&limits, 20).unwrap();
        assert_eq!(
            (budget.usual, budget.most, budget.saves),
            (Duration::from_millis(990), Duration::from_millis(990), false)
        );
    }

    #[test]
    fn short_limits_keep_most_of_their_time() {
        let of = |limits: &Limits<Amazons>| budget(limits, 40).unwrap().usual.as_micros();
        let fixed = |time| Limits { move_time: Some(Duration::from_millis(time)), ..limits(0, 0, None) };
        for (time, searched) in [(4, 3_000), (10, 7_500), (20, 15_000), (40, 30_000), (50, 40_000), (1_000, 990_000)] {
            assert_eq!(of(&Limits { clock: None, ..fixed(time) }), searched, "{time}");
        }
        // Half a second for 40 turns, and ten: 41 times the overhead is nearly all of the former.
        assert_eq!(of(&limits(500, 0, None)), 250_000 / 40);
        assert_eq!(of(&limits(10_000, 0, None)), (10_000_000 - 410_000) / 40);
    }

    #[test]
    fn one_turn_leaves_most_of_the_clock() {
        // Twice the overhead is not there to be shared.
        let of = |time: u64, increment, moves_to_go, turns_ahead| {
            let Budget { usual, most, saves } =
                budget(&limits(time + 20, increment, moves_to_go), turns_ahead).unwrap();
            assert!(saves);
            [usual, most].map(|time| time.as_millis())
        };
        // Four times the usual time, but for 35 % of the clock.
        assert_eq!(of(40_000 + 190, 0, None, 20), [2_000, 8_000]);
        assert_eq!(of(10_000, 0, None, 4)[1], 3_500);
        assert_eq!(of(10_000, 60_000, None, 4), [3_500, 3_500]);
        assert_eq!(of(10_000, 0, Some(2), 30), [3_500, 3_500]);
        // The last turn before more time is added.
        assert_eq!(of(10_000, 0, Some(1), 30), [8_500, 8_500]);
        // Three quarters of the increment, with the share of the time.
        assert_eq!(of(10_000 + 190, 400, None, 20), [500 + 300, 3_200]);
    }

    #[test]
    fn the_clock_is_never_overrun_and_always_lasts() {
        for increment in [0, 10, 1_000] {
            for moves_to_go in [None, Some(1), Some(2), Some(40)] {
                for turns_ahead in [1, 8, 26, 60] {
                    let mut time = 10_000.0;
                    for turn in 0..200 {
                        let next = limits(time as u64, increment, moves_to_go);
                        let budget = budget(&next, turns_ahead).unwrap();
                        assert!(budget.usual <= budget.most);
                        let used = budget.most.as_secs_f64() * 1_000.0 + 8.0;
                        assert!(used <= time || time < 20.0 && increment == 0, "{used} of {time} at turn {turn}");
                        if used > time {
                            break;
                        }
                        time += increment as f64 - used;
                        if moves_to_go.is_some() && turn % 40 == 39 {
                            time += 10_000.0;
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn lateness_is_made_room_for_and_forgotten_slowly() {
        let milliseconds = Duration::from_millis;
        let budget = Budget { usual: milliseconds(80), most: milliseconds(100), saves: true };
        let mut lag = Lag::default();
        assert_eq!(lag.spare(budget), budget);
        lag.note(milliseconds(40), Duration::ZERO);
        assert_eq!(lag.spare(budget), Budget { usual: milliseconds(70), most: milliseconds(70), saves: true });
        lag.note(milliseconds(20), milliseconds(10));
        assert_eq!(lag.spare(budget).most, milliseconds(73));
        (0..100).for_each(|_| lag.note(USUAL_LAG, Duration::ZERO));
        assert!(lag.spare(budget).most > milliseconds(99));
        lag.note(milliseconds(5_000), milliseconds(10));
        assert_eq!(lag.spare(budget).most, milliseconds(50));
        let long = Budget { usual: milliseconds(800), most: milliseconds(1_000), saves: true };
        assert_eq!(lag.spare(long).most, milliseconds(900));
    }

    #[test]
    fn a_turn_takes_about_its_share() {
        let budget = budget(&limits(60_000, 0, None), 20).unwrap();
        assert!((2_500..3_500).contains(&budget.usual.as_millis()), "{budget:?}");
    }
}
