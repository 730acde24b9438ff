use super::{Effort, Solver, certain_line, describe};
use crate::endgame::{Oracle, Proof, Solve, Work};
use crate::games::Steps;
use crate::games::amazons::Amazons;

/// What closed territories and small regions tell of a position, where whoever cannot move has lost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Territories;

impl Oracle<Amazons> for Territories {
    fn remarks(&self, position: &Amazons) -> Vec<String> {
        describe(position)
    }

    fn certain_line(&self, position: &Amazons, patient: bool, work: &Work<'_>) -> Option<(Vec<Steps<Amazons>>, Proof)> {
        certain_line(position, if patient { &Effort::DISPLAY } else { &Effort::MOVE }, work)
    }

    fn solver(&self, position: &Amazons, bytes: usize) -> Option<Box<dyn Solve<Amazons>>> {
        Some(Box::new(Solver::new(position, bytes)?))
    }
}
