use crate::games::{Position, Turn};
use std::time::Duration;
use web_time::Instant;

/// A game clock, as the side to move sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub time: Duration,
    /// Time added after each of its turns.
    pub increment: Duration,
    /// Turns until more time is added, if that is known.
    pub moves_to_go: Option<u32>,
}

/// When a search ends. Limits combine: the first one reached stops it. With none it goes on until it is stopped or the
/// result is proven.
#[derive(Clone, Debug)]
pub struct Limits<P: Position> {
    /// Positions evaluated, as in [`Report::nodes`](super::Report::nodes). Exceeded by less than one simulation, and
    /// by at most sixteen simulations of each other worker.
    pub nodes: Option<u64>,
    /// Time for this turn, all of it.
    pub move_time: Option<Duration>,
    /// A game clock, of which the search uses its share.
    pub clock: Option<Clock>,
    /// Turns in the principal variation.
    pub depth: Option<u32>,
    /// A proven win for the side to move within this number of its turns.
    pub mate: Option<u32>,
    /// Never end by itself, not even when the result is proven.
    pub infinite: bool,
    /// Begin on the opponent's time: no limit counts until [`Control::ponder_hit`](super::Control::ponder_hit).
    pub ponder: bool,
    /// Consider only these turns; all if empty.
    pub turns: Vec<Turn<P>>,
    /// Do not search: draw each step from the policy, with its logits multiplied by this number ≥ 0. With 0 all steps
    /// are equally likely. For play below full strength.
    pub by_policy: Option<f32>,
    /// Taken off every time limit: the time lost between engine and clock.
    pub overhead: Duration,
    /// When the search was ordered; time limits count from then. By default: when it begins.
    pub ordered: Option<Instant>,
    /// Longest time between two reports. By default: a second.
    pub report_every: Option<Duration>,
}

impl<P: Position> Limits<P> {
    /// Whether a second does not matter: no clock runs, and the search is to be a long one.
    pub(super) fn is_patient(&self) -> bool {
        let is_long = |nodes: u64| nodes >= 1_000_000;
        let is_slow = |time: Duration| time >= Duration::from_secs(10);
        self.clock.is_none() && self.move_time.is_none_or(is_slow) && self.nodes.is_none_or(is_long) && !self.ponder
    }
}

impl<P: Position> Default for Limits<P> {
    fn default() -> Self {
        Self {
            nodes: None,
            move_time: None,
            clock: None,
            depth: None,
            mate: None,
            infinite: false,
            ponder: false,
            turns: Vec::new(),
            by_policy: None,
            overhead: Duration::ZERO,
            ordered: None,
            report_every: None,
        }
    }
}
