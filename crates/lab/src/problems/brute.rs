//! Who wins by the rules alone: every turn is tried, nothing is counted, evaluated or looked up. It serves to check
//! what quicker ways have found, where the position is small enough.

use hippolyta::games::{Outcome, Position, Side};
use std::collections::HashMap;
use std::ops::ControlFlow;

/// A search of all steps, with a table.
pub struct Brute {
    side: Side,
    known: HashMap<u64, bool>,
    left: u64,
}

impl Brute {
    /// For whether `side` wins, in at most `positions` positions between two steps.
    pub fn new(side: Side, positions: u64) -> Self {
        Self { side, known: HashMap::new(), left: positions }
    }

    /// Whether the side wins; `None` once all positions are used up. Games must end by themselves: a game in which
    /// positions come again would take for ever.
    pub fn wins<P: Position>(&mut self, position: &P) -> Option<bool> {
        if position.at_turn_start()
            && let Some(outcome) = position.outcome()
        {
            return Some(outcome == Outcome::Win(self.side));
        }
        let key = position.key();
        if let Some(&known) = self.known.get(&key) {
            return Some(known);
        }
        self.left = self.left.checked_sub(1)?;
        let chooses = position.side_to_move() == self.side;
        let mut result = Some(!chooses);
        let _ = position.for_each_step(|step| match self.wins(&position.after(step)) {
            Some(wins) if wins != chooses => ControlFlow::Continue(()),
            decided => {
                result = decided;
                ControlFlow::Break(())
            }
        });
        self.known.insert(key, result?);
        result
    }
}
