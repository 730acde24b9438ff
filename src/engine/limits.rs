use super::owned::Include;
use super::strength::{Level, level};
use crate::games::variant::Variant;
use crate::games::{Notation, Side, TurnError};
use crate::search::{self, Clock};
use std::time::Duration;
use web_time::Instant;

/// The clocks of both sides, White's first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clocks {
    /// Time left.
    pub time: [Option<Duration>; 2],
    /// Time added after each turn.
    pub increment: [Duration; 2],
    /// Turns to the next time control, if there is one.
    pub moves_to_go: Option<u32>,
}

impl Clocks {
    /// The clock of `side`, if any clock was given. A time that was not named counts as run out: better too quick than
    /// lost.
    #[must_use]
    pub fn of(&self, side: Side) -> Option<Clock> {
        let Self { time, increment, moves_to_go } = self;
        let given = time.iter().any(Option::is_some) || increment.iter().any(|time| !time.is_zero());
        let time = time.get(side.index()).copied().flatten().unwrap_or_default();
        let increment = increment.get(side.index()).copied().unwrap_or_default();
        given.then_some(Clock { time, increment, moves_to_go: *moves_to_go })
    }
}

/// When a search ends, and what it is asked besides. Limits combine: the first one reached ends the search. Without any
/// it goes on until it is stopped or the result is proven.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// Positions evaluated, from 1 up, as in [`Analysis::nodes`](super::Analysis::nodes); exceeded by a few.
    pub nodes: Option<u64>,
    /// Time for this turn, all of it.
    pub move_time: Option<Duration>,
    /// The clocks, of which the search takes a sensible part.
    pub clocks: Clocks,
    /// Turns in the principal variation, from 1 up.
    pub depth: Option<u32>,
    /// A proven win for the side to move within this number of its turns, from 1 up.
    pub mate: Option<u32>,
    /// Never end before it is stopped, not even when the result is proven.
    pub infinite: bool,
    /// Begin on the opponent's time: no limit counts until [`Control::ponder_hit`](super::Control::ponder_hit). The
    /// control must have been made for it.
    pub ponder: bool,
    /// Only these turns, as text; all if empty.
    pub turns: Vec<String>,
    /// The rating to play with, within [`ELO_RANGE`](super::ELO_RANGE); `None` for full strength.
    pub elo: Option<u32>,
    /// Taken off every time limit: what is lost between engine and clock.
    pub overhead: Duration,
    /// When the search was ordered: time limits count from then. `None`: when it begins.
    pub ordered: Option<Instant>,
    /// Longest time between two analyses on the way. `None`: a second.
    pub report_every: Option<Duration>,
    /// What the last analysis tells beside the search.
    pub include: Include,
}

impl Limits {
    /// Whether nothing but a proven result ends the search.
    #[must_use]
    pub fn is_unlimited(&self) -> bool {
        let Self { nodes, move_time, depth, mate, .. } = self;
        nodes.is_none()
            && move_time.is_none()
            && depth.is_none()
            && mate.is_none()
            && self.clocks.of(Side::White).is_none()
    }

    /// The limits of a search of `position`, which is of `variant`.
    ///
    /// # Errors
    ///
    /// If one of the turns is not legal.
    pub(super) fn of<P: Notation>(
        &self,
        variant: &'static Variant,
        position: &P,
    ) -> Result<search::Limits<P>, TurnError> {
        let (nodes, by_policy) = match self.elo.and_then(|elo| level(variant, elo)) {
            Some(Level::Nodes(nodes)) => (Some(nodes), None),
            Some(Level::Policy(sharpness)) => (None, Some(sharpness)),
            None => (None, None),
        };
        Ok(search::Limits {
            nodes: self.nodes.into_iter().chain(nodes).min(),
            by_policy,
            move_time: self.move_time,
            clock: self.clocks.of(position.side_to_move()),
            depth: self.depth,
            mate: self.mate,
            infinite: self.infinite,
            ponder: self.ponder,
            turns: self.turns.iter().map(|text| position.parse_turn(text)).collect::<Result<_, _>>()?,
            overhead: self.overhead,
            ordered: self.ordered,
            report_every: self.report_every,
        })
    }
}
