use super::{Notation, Position, Turn, TurnError};

/// A position with the turns that led to it.
#[derive(Clone, Debug)]
pub struct Game<P: Position> {
    start: P,
    turns: Vec<Turn<P>>,
    current: P,
}

impl<P: Position> Game<P> {
    /// A game that begins at `start`.
    pub fn new(start: P) -> Self {
        Self { current: start.clone(), start, turns: Vec::new() }
    }

    /// Where the game began.
    pub fn start(&self) -> &P {
        &self.start
    }

    /// The turns played so far.
    pub fn turns(&self) -> &[Turn<P>] {
        &self.turns
    }

    /// Where the game stands now.
    pub fn current(&self) -> &P {
        &self.current
    }

    /// Plays a whole legal turn.
    pub fn play(&mut self, turn: Turn<P>) {
        for &step in &turn {
            self.current.play(step);
        }
        debug_assert!(self.current.at_turn_start());
        self.turns.push(turn);
    }

    /// Reads and plays a turn; nothing changes on an error.
    ///
    /// # Errors
    ///
    /// If the text is not a legal turn.
    pub fn play_text(&mut self, text: &str) -> Result<(), TurnError>
    where
        P: Notation,
    {
        let turn = self.current.parse_turn(text)?;
        self.play(turn);
        Ok(())
    }

    /// The steps from `earlier`'s last position to this one's, if this game goes on from there.
    pub fn steps_since(&self, earlier: &Self) -> Option<Vec<P::Step>> {
        let played = earlier.turns.len();
        let continues = self.start.key() == earlier.start.key()
            && self.turns.len() >= played
            && self.turns[..played] == earlier.turns[..];
        continues.then(|| self.turns[played..].iter().flatten().copied().collect())
    }
}
