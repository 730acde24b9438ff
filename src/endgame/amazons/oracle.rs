use super::{Effort, Prover, certain_line, describe, may_be_decided, prove, solver};
use crate::board::Bitboard;
use crate::board::flood::{Kernel, KernelTask, Levels, QUEEN_LEVELS, with_best_kernel};
use crate::endgame::{Oracle, Proof, Prove, Solve, Work};
use crate::games::amazons::Amazons;
use crate::games::{Position, Steps};

/// Results that closed territories and small regions make certain, where whoever cannot move has lost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Territories;

/// The empty squares that each side's amazons reach.
struct Reached<'a>(&'a Amazons);

impl KernelTask for Reached<'_> {
    type Output = [Bitboard; 2];

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> [Bitboard; 2] {
        let Self(position) = self;
        let levels: Levels<QUEEN_LEVELS> =
            kernel.queen_levels(position.geometry(), position.both_amazons(), position.empty());
        [0, 1].map(|side| levels.reached(side))
    }
}

impl Oracle<Amazons> for Territories {
    fn remarks(&self, position: &Amazons) -> Vec<String> {
        describe(position)
    }

    fn result(&self, position: &Amazons) -> Option<Proof> {
        let reached = with_best_kernel(Reached(position));
        if may_be_decided(position.side_to_move(), &reached) { prove(position, reached) } else { None }
    }

    fn certain_line(&self, position: &Amazons, patient: bool, work: &Work<'_>) -> Option<(Vec<Steps<Amazons>>, Proof)> {
        certain_line(position, if patient { &Effort::DISPLAY } else { &Effort::MOVE }, work)
    }

    fn solver(&self, position: &Amazons, bytes: usize) -> Option<Box<dyn Solve<Amazons>>> {
        solver(position, bytes)
    }

    fn prover(&self, root: &Amazons, bytes: usize) -> Option<Box<dyn Prove<Amazons>>> {
        Some(Box::new(Prover::new(root, bytes, 1, u64::MAX)?))
    }
}
