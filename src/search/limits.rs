use crate::games::{Position, Steps};
use std::time::Duration;
use web_time::Instant;

/// A game clock of the side to move.
///
/// ```
/// use hippolyta::eval::amazons::AmazonsEvaluator;
/// use hippolyta::games::{Game, Notation, amazons::Amazons, variant};
/// use hippolyta::search::{Clock, Control, Limits, Search, Settings};
/// use std::time::Duration;
///
/// let variant = &variant::find("amazons6")?;
/// let game = Game::new(Amazons::from_fen(variant, variant.start())?);
/// let mut search = Search::new(AmazonsEvaluator::default(), Settings { hash: 1, ..Settings::default() })?;
/// let time = Duration::from_secs(2);
/// let clock = Clock { time, increment: Duration::ZERO, moves_to_go: None };
/// let limits = Limits { clock: Some(clock), ..Limits::default() };
/// let report = search.run(&game, &limits, &Control::default(), &mut |_| ());
/// assert!(report.time < Duration::from_secs(2)); // a share of what is left
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// The time left.
    pub time: Duration,
    /// The time added after each of its turns.
    pub increment: Duration,
    /// The number of turns until more time is added, if that is known.
    pub moves_to_go: Option<u32>,
}

/// When a search ends. The first limit that is reached ends it. Without any, it goes on until it is stopped or the
/// result is proven.
///
/// ```
/// use hippolyta::games::{Notation, amazons::Amazons, variant};
/// use hippolyta::search::Limits;
/// use std::time::Duration;
///
/// let variant = &variant::find("amazons6")?;
/// let start = Amazons::from_fen(variant, variant.start())?;
/// // Which of these two turns is better? At most a second for that.
/// let turns = vec![start.parse_turn("b1b4,b4c4")?, start.parse_turn("b1b2,b2b1")?];
/// let limits: Limits<Amazons> = Limits { turns, move_time: Some(Duration::from_secs(1)), ..Limits::default() };
/// assert!(limits.nodes.is_none() && !limits.infinite);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Limits<P: Position> {
    /// The number of positions to evaluate, as in [`Report::nodes`](super::Report::nodes). It is exceeded by less than
    /// one simulation, and by at most sixteen simulations of each other thread.
    pub nodes: Option<u64>,
    /// The time for this turn, which is used up.
    pub move_time: Option<Duration>,
    /// A game clock. The search uses a share of the time left.
    pub clock: Option<Clock>,
    /// The number of turns in the principal variation.
    pub depth: Option<u32>,
    /// A proven win of the side to move within this number of its own turns. Where there is a proof search, it runs on
    /// all threads.
    pub mate: Option<u32>,
    /// Never end by itself, not even when the result is proven.
    pub infinite: bool,
    /// Where there is a proof search, it works beside the tree as in an infinite search, and its positions do not count
    /// as nodes.
    pub prove: bool,
    /// Begin on the opponent's time: no limit counts until [`Control::ponder_hit`](super::Control::ponder_hit).
    pub ponder: bool,
    /// Consider only these turns, which must be legal. Empty for all.
    pub turns: Vec<Steps<P>>,
    /// Do not search, but draw each step from the policy: its logits are multiplied by this number, at least 0. With 0
    /// all steps are equally likely. This is for play below full strength.
    pub by_policy: Option<f32>,
    /// This is taken off every time limit: the time that is lost between engine and clock.
    pub overhead: Duration,
    /// The moment from which time limits count: when the search was ordered. `None` for when it begins.
    pub ordered: Option<Instant>,
    /// The longest time between two reports. `None` for one second.
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
            prove: false,
            ponder: false,
            turns: Vec::new(),
            by_policy: None,
            overhead: Duration::ZERO,
            ordered: None,
            report_every: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::amazons::Amazons;

    #[test]
    fn only_long_searches_without_a_clock_are_patient() {
        let limits = Limits::<Amazons>::default;
        let clock = Clock { time: Duration::from_secs(1_000), increment: Duration::ZERO, moves_to_go: None };
        let move_time = |millis| Limits { move_time: Some(Duration::from_millis(millis)), ..limits() };
        let nodes = |nodes| Limits { nodes: Some(nodes), ..limits() };
        for patient in [limits(), move_time(10_000), nodes(1_000_000)] {
            assert!(patient.is_patient(), "{patient:?}");
            assert!(!Limits { ponder: true, ..patient.clone() }.is_patient());
            assert!(!Limits { clock: Some(clock), ..patient }.is_patient());
        }
        for hasty in [move_time(9_999), nodes(999_999), Limits { nodes: Some(1 << 30), ..move_time(1) }] {
            assert!(!hasty.is_patient(), "{hasty:?}");
        }
    }
}
