use super::clock;
use super::control::Control;
use super::limits::Limits;
use crate::games::{Game, Position};
use std::time::Duration;
use web_time::Instant;

/// The task of one search.
pub(super) struct Task<'a, P: Position> {
    pub game: &'a Game<P>,
    pub limits: &'a Limits<P>,
    pub control: &'a Control,
    began: Instant,
}

impl<'a, P: Position> Task<'a, P> {
    /// The task begins now.
    pub fn new(game: &'a Game<P>, limits: &'a Limits<P>, control: &'a Control) -> Self {
        Self { game, limits, control, began: clock::now() }
    }

    /// The position to search.
    pub fn root(&self) -> &'a P {
        self.game.current()
    }

    /// When the search was ordered: time limits count from then.
    pub fn ordered(&self) -> Instant {
        self.limits.ordered.unwrap_or(self.began)
    }

    /// Time from the order to the beginning.
    pub fn delay(&self) -> Duration {
        self.began.saturating_duration_since(self.ordered())
    }
}

impl<P: Position> Clone for Task<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Position> Copy for Task<'_, P> {}
