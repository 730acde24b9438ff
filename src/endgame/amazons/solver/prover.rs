//! The proof search for any position of a board: what a search that lasts for days is made of. It has no root of its
//! own, so several workers may prove different positions with one table.

pub use super::region::Situation;
use super::region::{Rooms, State, first_numbers};
use super::{Frame, open_squares, standing_beyond};
use crate::board::Bitboard;
use crate::endgame::Prove;
use crate::endgame::dfpn::{Crew, Fact, Field, Numbers, Search, go_on_below, turns_of};
use crate::games::Steps;
use crate::games::amazons::Amazons;

/// The numbers of a position by those of the positions after its turns; the index of the one that is to be searched;
/// and with which numbers that is to be left if the position is to be left with `most`.
#[must_use]
pub fn next_below(after: &[Numbers], most: Numbers) -> (Numbers, usize, Numbers) {
    go_on_below(after, most)
}

/// The result of a position, if the table or counting tells.
fn known(search: &mut Search<'_, Rooms>, state: &State) -> Option<bool> {
    search.known(state).and_then(Numbers::result).or_else(|| search.field().winner(state))
}

/// A table of what is known of a board's positions, and workers that prove more.
pub struct Prover {
    crew: Crew<Rooms>,
    /// The squares of the frame. On all other squares nothing ever moves: `beyond` has White's amazons there, Black's,
    /// and the empty squares.
    squares: Bitboard,
    beyond: [Bitboard; 3],
}

impl Prover {
    /// For positions that follow from `root`, with `bytes` of memory and `workers` workers, 1 at least. Results that
    /// took at least `keep_from` positions are kept for [`Prover::facts`]. `None` if more than 63 squares are open that
    /// do not fit in a small rectangle either (7×8, say), or the system refuses the memory.
    #[must_use]
    pub fn new(root: &Amazons, bytes: usize, workers: usize, keep_from: u64) -> Option<Self> {
        Self::within(Frame::around(open_squares(root))?, root, bytes, workers, keep_from)
    }

    /// As [`new`](Self::new), for any position on the board of `root`, even if it does not follow from `root`: a mirror
    /// image, for example. `None` as well if the board has more squares than 7×8.
    #[must_use]
    pub fn on_board(root: &Amazons, bytes: usize, workers: usize, keep_from: u64) -> Option<Self> {
        Self::within(Frame::rectangle(root.geometry().squares())?, root, bytes, workers, keep_from)
    }

    fn within(frame: Frame, root: &Amazons, bytes: usize, workers: usize, keep_from: u64) -> Option<Self> {
        let squares = frame.squares();
        let beyond = standing_beyond(root, squares);
        let mut crew = Crew::new(Rooms::new(frame, workers), bytes)?;
        crew.employ(workers);
        crew.keep_from(keep_from);
        Some(Self { crew, squares, beyond })
    }

    /// Whether this prover sees all of a position that matters. What stands beyond its squares, it does not see: it
    /// must be what stands there in the position that it was made for.
    #[must_use]
    pub fn sees(&self, position: &Amazons) -> bool {
        standing_beyond(position, self.squares) == self.beyond
    }

    fn with<T>(&self, worker: usize, position: &Amazons, f: impl FnOnce(&mut Search<'_, Rooms>, &State) -> T) -> T {
        debug_assert!(self.sees(position));
        self.crew.with(worker, &|| true, |mut search| {
            let state = search.state(position, 0);
            f(&mut search, &state)
        })
    }

    /// The situation of a position at the start of a turn. Waits for the worker, as all of these do.
    #[must_use]
    pub fn situation(&self, worker: usize, position: &Amazons) -> Situation {
        self.with(worker, position, |_, state| Situation { key: state.region.key(), spare: state.spare })
    }

    /// Whether the side to move wins, if the table or counting tells.
    #[must_use]
    pub fn known(&self, worker: usize, position: &Amazons) -> Option<bool> {
        self.with(worker, position, known)
    }

    /// Whether the side to move wins, if counting rooms of the position as it stands tells.
    #[must_use]
    pub fn by_counting(&self, worker: usize, position: &Amazons) -> Option<bool> {
        self.with(worker, position, |search, _| {
            let rooms = search.field();
            let state = rooms.as_it_stands(position);
            rooms.winner(&state)
        })
    }

    /// The numbers of a position, proven or estimated. A new position gets its first numbers by `lead`, the logits by
    /// which the side to move is ahead, or if that is `None` by the search's own guess.
    #[must_use]
    pub fn numbers(&self, worker: usize, position: &Amazons, lead: Option<f32>) -> Numbers {
        self.with(worker, position, |search, state| match (known(search, state), lead) {
            (Some(true), _) => Numbers::WON,
            (Some(false), _) => Numbers::LOST,
            (None, Some(lead)) if search.known(state).is_none() => first_numbers(lead.clamp(-16.0, 16.0)),
            _ => search.numbers(state),
        })
    }

    /// Searches a position for about `positions` positions, until it is decided, one of its numbers reaches that of
    /// `most`, or `go_on`, which is asked often, says no. Returns its numbers, and how many positions were looked at.
    pub fn search(
        &self,
        worker: usize,
        position: &Amazons,
        positions: u64,
        most: Numbers,
        go_on: &dyn Fn() -> bool,
    ) -> (Numbers, u64) {
        debug_assert!(self.sees(position));
        self.crew.with(worker, go_on, |mut search| {
            let state = search.state(position, 0);
            search.prove(&state, positions, most)
        })
    }

    /// The results that a worker kept since the last call.
    #[must_use]
    pub fn facts(&self, worker: usize) -> Vec<Fact> {
        self.crew.facts(worker)
    }

    /// Believes what others proved.
    pub fn learn(&self, facts: &[Fact]) {
        self.crew.learn(facts);
    }

    /// The turns of a position that are worth a look, with the positions after them and what these come to: of several
    /// turns to the same contested squares the one after which the other side has the fewest spare turns. Turns in
    /// closed territories only, if the side to move has spare ones: else they gain nothing, as in the search, and
    /// positions would come again after two of them. In an order that depends on the position alone.
    #[must_use]
    pub fn turns(&self, worker: usize, position: &Amazons) -> Vec<(Steps<Amazons>, Amazons, Situation)> {
        let (passed, may_pass) =
            self.with(worker, position, |search, state| (Rooms::key(&search.field().passed(state)), state.spare > 0));
        let turns = turns_of(position).into_iter();
        let mut turns: Vec<_> = turns.map(|(turn, next)| (self.situation(worker, &next), turn, next)).collect();
        turns.retain(|(situation, ..)| may_pass || situation.key != passed);
        // Stable: of equal ones the first stays.
        turns.sort_by_key(|&(situation, ..)| situation);
        turns.dedup_by_key(|(situation, ..)| situation.key);
        turns.into_iter().map(|(situation, turn, next)| (turn, next, situation)).collect()
    }
}

impl Prove<Amazons> for Prover {
    fn reaches(&self, position: &Amazons, _: bool, positions: u64) -> Option<bool> {
        self.crew.reaches(position, 0, positions)
    }
}
