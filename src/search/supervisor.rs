//! When a search ends by itself, and when it reports.

use super::root::Root;
use super::time::Budget;
use super::worker::Progress;
use super::{Control, Limits, Score};
use crate::eval::Evaluator;
use crate::games::Position;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Watches the limits; asked by one worker after each batch.
pub(super) struct Supervisor<'a, P: Position> {
    limits: &'a Limits<P>,
    control: &'a Control,
    progress: &'a Progress,
    budget: Option<Budget>,
    /// A proven result ends the search.
    proof_suffices: bool,
    next_report: u64,
    last_report: Instant,
    next_depth_look: u64,
    next_clock_look: Instant,
}

/// How often a clock makes the supervisor compare the best turns.
const CLOCK_LOOK: Duration = Duration::from_millis(2);

impl<'a, P: Position> Supervisor<'a, P> {
    pub fn new(
        limits: &'a Limits<P>,
        control: &'a Control,
        progress: &'a Progress,
        budget: Option<Budget>,
        proof_suffices: bool,
    ) -> Self {
        let now = Instant::now();
        Self {
            limits,
            control,
            progress,
            budget,
            proof_suffices,
            next_report: 1,
            last_report: now,
            next_depth_look: 0,
            next_clock_look: now,
        }
    }

    /// Whether a report is due; asking takes note of it. First at powers of two of the nodes; after a second also by time,
    /// unless nodes alone limit the search: such a search says the same at every run.
    pub fn report_due(&mut self) -> bool {
        let nodes = self.progress.nodes.load(Relaxed);
        let by_nodes = nodes >= self.next_report;
        let repeatable = self.limits.nodes.is_some() && self.budget.is_none() && !self.limits.infinite;
        let usual = if repeatable { None } else { Some(Duration::from_secs(1)) };
        let longest = self.limits.report_every.or(usual);
        let by_time = longest.is_some_and(|longest| self.last_report.elapsed() >= longest);
        if by_nodes {
            self.next_report = (nodes + 1).next_power_of_two();
        }
        if by_nodes || by_time {
            self.last_report = Instant::now();
        }
        by_nodes || by_time
    }

    /// Whether the search goes on.
    pub fn go_on<E: Evaluator<P>>(&mut self, root: &Root<'_, P, E>) -> bool {
        if self.control.pondering() || self.limits.infinite {
            return true;
        }
        let proven = self.proof_suffices && root.proven();
        let nodes = self.progress.nodes.load(Relaxed);
        !(proven || self.deep_enough(root, nodes) || self.time_is_up(root, nodes))
    }

    /// The limits on depth and mate, looked at ever more rarely, by nodes: so the look does not depend on the machine.
    fn deep_enough<E: Evaluator<P>>(&mut self, root: &Root<'_, P, E>, nodes: u64) -> bool {
        let Limits { depth, mate, .. } = *self.limits;
        if depth.is_none() && mate.is_none() || nodes < self.next_depth_look {
            return false;
        }
        self.next_depth_look = nodes + nodes / 16;
        let lines = root.lines(1);
        let Some(line) = lines.first() else { return false };
        let is_mate = |turns| matches!(line.score, Score::Win { plies } if plies.div_ceil(2) <= turns);
        depth.is_some_and(|depth| line.turns.len() >= depth as usize) || mate.is_some_and(is_mate)
    }

    fn time_is_up<E: Evaluator<P>>(&mut self, root: &Root<'_, P, E>, nodes: u64) -> bool {
        let Some(budget) = self.budget else { return false };
        let elapsed = self.control.hit_at().unwrap_or(self.progress.started).elapsed();
        if elapsed >= budget.most {
            return true;
        }
        let now = Instant::now();
        if !budget.saves || now < self.next_clock_look {
            return false;
        }
        self.next_clock_look = now + CLOCK_LOOK;
        // Stop when the choice is clear and time is up, or the choice cannot change any more within it.
        let standing = root.standing();
        let speed = nodes as f64 / self.progress.started.elapsed().as_secs_f64().max(1e-3);
        let nodes_ahead = budget.usual.saturating_sub(elapsed).as_secs_f64() * speed;
        standing.forced || standing.clear && standing.lead as f64 >= nodes_ahead
    }
}
