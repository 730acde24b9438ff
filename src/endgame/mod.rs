//! Exact knowledge of late positions. Knows neither the search tree nor the protocol.

pub mod amazons;
pub(crate) mod closed;
pub mod damone;
pub(crate) mod dfpn;
mod work;

use crate::games::{Outcome, Position, Steps};
pub use work::Work;

/// A result that is certain, with best play of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Who wins.
    pub outcome: Outcome,
    /// Turns of both sides until the game is over: exact or, where only bounds are known, the most that the loser can
    /// hold out.
    pub plies: u8,
}

/// How far a search for a proof has come.
#[derive(Clone, Debug, PartialEq)]
pub struct ProofStatus<P: Position> {
    /// Turns of the side to move, and how many of them are known to lose.
    pub turns: u32,
    /// See `turns`.
    pub refuted: u32,
    /// The turn nearest to a proof that it wins.
    pub best: Steps<P>,
    /// Replies to it, and how many of them are known to lose.
    pub replies: u32,
    /// See `replies`.
    pub answered: u32,
}

/// A search for a proof, a slice at a time, by one worker or several at once.
pub trait Solve<P: Position>: Send + Sync {
    /// Prepares for `workers` workers; there is one to begin with.
    fn employ(&mut self, workers: usize);

    /// Goes on from another position of the same rules, at the start of a turn, with all that it has found out. False,
    /// and nothing has changed, if it would not see all of that position.
    fn turn_to(&mut self, position: &P) -> bool;

    /// Runs worker `worker` (0-based) for about `positions` positions, fewer once `go_on`, which is asked often, says
    /// no. Returns how many it looked at: 0 once the result is known. Blocks if the same worker is already running.
    fn advance(&self, worker: usize, positions: u64, go_on: &dyn Fn() -> bool) -> u64;

    /// Whether the position is a late one of a large board, where a tree search proves about as much in the same time.
    fn is_late(&self) -> bool {
        false
    }

    /// Turns that keep the result, the first one at least, and the result; `None` as long as it is not known. Waits for
    /// worker 0.
    fn solved(&self) -> Option<(Vec<Steps<P>>, Proof)>;

    /// How far it has come; `None` if no turn has a chance to win any more. Waits for worker 0.
    fn status(&self) -> Option<ProofStatus<P>>;
}

/// Proofs of positions that follow from one, with a memory for all of them.
pub trait Prove<P: Position>: Send + Sync {
    /// Whether the side to move of `position`, at the start of a turn, wins, or where `draw_is_enough`, whether it does
    /// not lose. `None` if about `positions` positions do not tell.
    fn reaches(&self, position: &P, draw_is_enough: bool, positions: u64) -> Option<bool>;
}

/// A source of certain knowledge of a game's positions, beside the claims of an evaluation. A rule set says whether its
/// positions have one ([`Exact`](crate::games::variant::Exact)): what is true under some rules is false under others.
pub trait Oracle<P: Position>: Send + Sync {
    /// Certain facts, as text: regions, counts. Empty if there are none.
    fn remarks(&self, _position: &P) -> Vec<String> {
        Vec::new()
    }

    /// The result of a position at the start of a turn that is not finished, if it is known in microseconds: asked
    /// wherever a search evaluates.
    fn result(&self, _position: &P) -> Option<Proof> {
        None
    }

    /// Turns that keep a result which is certain, the first one the side to move's, and the result. For a position at
    /// the start of a turn that is not finished; asked once a search. `None` if nothing is certain, if it is worth a
    /// search how to play, or if `work` is over before this is known. If `patient`, more is looked at.
    fn certain_line(&self, _position: &P, _patient: bool, _work: &Work<'_>) -> Option<(Vec<Steps<P>>, Proof)> {
        None
    }

    /// A search for a proof of who wins from `position`, at the start of a turn, with `bytes` of memory: if the game
    /// has one and it fits.
    fn solver(&self, _position: &P, _bytes: usize) -> Option<Box<dyn Solve<P>>> {
        None
    }

    /// Proofs of what may follow from `root`, at the start of a turn, with `bytes` of memory: if the game has a search
    /// for them and it fits.
    fn prover(&self, _root: &P, _bytes: usize) -> Option<Box<dyn Prove<P>>> {
        None
    }
}

/// Knows nothing for certain.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoOracle;

impl<P: Position> Oracle<P> for NoOracle {}
