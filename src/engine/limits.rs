use super::owned::Include;
use super::strength::{Level, level};
use crate::games::variant::Variant;
use crate::games::{Notation, Side, Turn, TurnError};
use crate::search::{self, Clock};
use std::time::Duration;
use web_time::Instant;

/// The clocks of both sides, White's first.
///
/// ```
/// use hippolyta::engine::{Clock, Clocks};
/// use hippolyta::games::Side;
/// use std::time::Duration;
///
/// let [minute, second] = [60, 1].map(Duration::from_secs);
/// let clocks = Clocks { time: [Some(minute), Some(2 * minute)], increment: [second; 2], moves_to_go: None };
/// assert_eq!(clocks.of(Side::Black), Some(Clock { time: 2 * minute, increment: second, moves_to_go: None }));
/// assert_eq!(Clocks::default().of(Side::White), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clocks {
    /// The time that each side has left; `None` if it is not known.
    pub time: [Option<Duration>; 2],
    /// The time that each side gains with every turn.
    pub increment: [Duration; 2],
    /// The number of turns until the next time control, if there is one.
    pub moves_to_go: Option<u32>,
}

impl Clocks {
    /// The clock of `side`; `None` if no clock was given at all. If only this side's time is missing, it counts as 0:
    /// it is better to play too fast than to lose on time.
    #[must_use]
    pub fn of(&self, side: Side) -> Option<Clock> {
        let Self { time, increment, moves_to_go } = self;
        let given = time.iter().any(Option::is_some) || increment.iter().any(|time| !time.is_zero());
        let time = time.get(side.index()).copied().flatten().unwrap_or_default();
        let increment = increment.get(side.index()).copied().unwrap_or_default();
        given.then_some(Clock { time, increment, moves_to_go: *moves_to_go })
    }
}

/// When a search ends, and what else it is asked. The first limit that is reached ends the search. Without any, it goes
/// on until it is stopped or the result is proven.
///
/// ```
/// use hippolyta::engine::Limits;
/// use std::time::Duration;
///
/// let limits = Limits { move_time: Some(Duration::from_millis(500)), nodes: Some(10_000), ..Limits::default() };
/// assert!(!limits.is_unlimited());
/// assert!(Limits::default().is_unlimited());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// The number of positions to evaluate, from 1, as in [`Analysis::nodes`](super::Analysis::nodes). A few more may
    /// be evaluated.
    pub nodes: Option<u64>,
    /// The time for this turn, which is used up.
    pub move_time: Option<Duration>,
    /// The clocks. The search takes its share of the time left.
    pub clocks: Clocks,
    /// The number of turns in the principal variation, from 1.
    pub depth: Option<u32>,
    /// A proven win of the side to move within this number of its own turns, from 1. Where there is a proof search, it
    /// runs on all threads.
    pub mate: Option<u32>,
    /// Never end before being stopped, not even when the result is proven.
    pub infinite: bool,
    /// Where there is a proof search, it works beside the tree as in an infinite search: so more results are proven,
    /// for a sixth of the time, a third where few turns are left. Its positions do not count as [`nodes`](Self::nodes), and
    /// what it does not prove is as without it.
    pub prove: bool,
    /// Begin on the opponent's time: no limit counts until [`Control::ponder_hit`](super::Control::ponder_hit). The
    /// control must be one for pondering, [`Control::new(true)`](super::Control::new).
    pub ponder: bool,
    /// Search only these turns. Empty for all.
    pub turns: Vec<Turn>,
    /// The rating to play at, within [`ELO_RANGE`](super::ELO_RANGE); `None` for full strength, as is a rating above the
    /// highest level of the rule set.
    pub elo: Option<u32>,
    /// In the first six plies of a game, by the number of its turn, the best turn is drawn from those that are shown
    /// within this many points, hundredths of the expected score, of the best; the same for the same seed and position.
    /// 0 for always the best. With a rating, these turns are found by a search of 16,000 positions at least, unless
    /// they are drawn at random anyway.
    pub variety: f32,
    /// Where the position is symmetric, turns that are images of each other count as one: of their lines only the first
    /// is told. Variety chooses among such lines always.
    pub merge_mirrored: bool,
    /// This is taken off every time limit: the time that is lost between engine and clock.
    pub overhead: Duration,
    /// The moment from which time limits count: when the search was ordered. `None` for when it begins.
    pub ordered: Option<Instant>,
    /// The longest time between two calls of the observer. `None` for one second.
    pub report_every: Option<Duration>,
    /// Fields that the last analysis has beside those of the search.
    pub include: Include,
}

/// Plies of a game after which variety ends.
const VARIED_PLIES: u32 = 6;
/// Positions of a search that tells which turns are as good as the best.
const VARIED_NODES: u64 = 16_000;
/// Policies that are as sharp as this play nearly always the same turn.
const SETTLED: f32 = 4.0;

impl Limits {
    /// Whether there is no limit, so that only a proven result or a stop ends the search.
    #[must_use]
    pub fn is_unlimited(&self) -> bool {
        let Self { nodes, move_time, depth, mate, .. } = self;
        nodes.is_none()
            && move_time.is_none()
            && depth.is_none()
            && mate.is_none()
            && self.clocks.of(Side::White).is_none()
    }

    /// Whether something ends a search of a board of `variant` beside a proven result or a stop: a limit, or a rating
    /// that is below full strength there.
    ///
    /// ```
    /// use hippolyta::engine::Limits;
    /// use hippolyta::games::variant;
    ///
    /// let [amazons, damone] = ["amazons", "damone"].map(|name| variant::find(name).unwrap());
    /// let rated = Limits { elo: Some(2_000), ..Limits::default() };
    /// assert_eq!((rated.ends(&amazons), rated.ends(&damone)), (true, false));
    /// assert!(Limits { nodes: Some(100), ..rated }.ends(&damone));
    /// ```
    #[must_use]
    pub fn ends(&self, variant: &Variant) -> bool {
        !self.is_unlimited() || self.elo.is_some_and(|elo| level(variant, elo).is_some())
    }

    /// Whether variety draws the turn in `position`.
    pub(super) fn is_varied<P: Notation>(&self, position: &P) -> bool {
        let plies = 2 * (position.number().max(1) - 1) + u32::from(position.side_to_move() == Side::Black);
        self.variety > 0.0 && plies < VARIED_PLIES
    }

    /// The limits of a search of `position`, which is of `variant`.
    ///
    /// # Errors
    ///
    /// If one of the turns is not legal.
    pub(super) fn of<P: Notation>(&self, variant: &Variant, position: &P) -> Result<search::Limits<P>, TurnError> {
        let (nodes, by_policy) = match self.elo.and_then(|elo| level(variant, elo)) {
            // Such a level knows one turn at most that is as good as the best.
            Some(Level::Nodes(nodes)) if self.is_varied(position) => (Some(nodes.max(VARIED_NODES)), None),
            Some(Level::Policy(SETTLED..)) if self.is_varied(position) => (Some(VARIED_NODES), None),
            Some(Level::Nodes(nodes)) => (Some(nodes), None),
            Some(Level::Policy(sharpness)) => (None, Some(sharpness)),
            None => (None, None),
        };
        let steps = |turn: &Turn| {
            let illegal = |reason| TurnError::Illegal { text: turn.to_string(), reason };
            position.steps_of(turn).map_err(illegal)
        };
        Ok(search::Limits {
            nodes: self.nodes.into_iter().chain(nodes).min(),
            by_policy,
            move_time: self.move_time,
            clock: self.clocks.of(position.side_to_move()),
            depth: self.depth,
            mate: self.mate,
            infinite: self.infinite,
            prove: self.prove,
            ponder: self.ponder,
            turns: self.turns.iter().map(steps).collect::<Result<_, _>>()?,
            overhead: self.overhead,
            ordered: self.ordered,
            report_every: self.report_every,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::amazons::Amazons;
    use crate::games::variant;

    #[test]
    fn a_rating_and_a_limit_on_nodes_hold_together() {
        let variant = &variant::find("amazons").unwrap();
        let start = Amazons::from_fen(variant, variant.start()).unwrap();
        let of = |nodes, elo| {
            let limits = Limits { nodes, elo, ..Limits::default() }.of(variant, &start).unwrap();
            (limits.nodes, limits.by_policy.is_some())
        };
        let Some(Level::Nodes(rated)) = level(variant, 2_900) else { panic!("a search") };
        assert!((256..1_000).contains(&rated));
        assert_eq!(of(None, Some(2_900)), (Some(rated), false));
        assert_eq!(of(Some(rated + 1), Some(2_900)), (Some(rated), false));
        assert_eq!(of(Some(rated - 1), Some(2_900)), (Some(rated - 1), false));
        assert_eq!(of(Some(7), None), (Some(7), false));
        // An opening with variety is found by a search, where the level does not draw it at random.
        let varied = |elo, fen: &str| {
            let position = Amazons::from_fen(variant, fen).unwrap();
            let limits = Limits { elo: Some(elo), variety: 1.0, ..Limits::default() }.of(variant, &position).unwrap();
            (limits.nodes, limits.by_policy.is_some())
        };
        let later = variant.start().replace("0 1", "0 4");
        for (elo, fen, expected) in [
            (2_900, variant.start(), (Some(16_000), false)),
            (1_225, variant.start(), (Some(16_000), false)),
            (1_225, &*later, (None, true)),
            (2_900, &*later, (Some(rated), false)),
            (750, variant.start(), (None, true)),
        ] {
            assert_eq!(varied(elo, fen), expected, "{elo} {fen}");
        }
        // Without a search, or at full strength.
        assert_eq!(of(None, Some(0)), (None, true));
        assert_eq!(of(Some(7), Some(4_000)), (Some(7), false));
    }
}
