use super::{Notation, Position, Steps, TurnError};

/// A position with the turns that led to it.
///
/// ```
/// use hippolyta_rules::games::{Game, Notation, amazons::Amazons, variant};
///
/// let variant = &variant::find("amazons6")?;
/// let mut game = Game::new(Amazons::from_fen(variant, variant.start())?);
/// game.play_text("b1b4,b4c4")?;
/// assert!(game.play_text("b1b4,b4c4").is_err());
/// assert_eq!(game.turns().len(), 1);
/// assert_eq!(game.current().fen(), "1q2q1/q4q/1Q*3/6/Q4Q/4Q1 b - - 0 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game<P: Position> {
    start: P,
    turns: Vec<Steps<P>>,
    /// The position before each of the turns.
    earlier: Vec<P>,
    current: P,
}

impl<P: Position> Game<P> {
    /// A game that begins at `start`, which must be at the start of a turn.
    pub fn new(start: P) -> Self {
        Self { current: start.clone(), start, turns: Vec::new(), earlier: Vec::new() }
    }

    /// The position in which the game began.
    pub fn start(&self) -> &P {
        &self.start
    }

    /// The turns played so far.
    pub fn turns(&self) -> &[Steps<P>] {
        &self.turns
    }

    /// The position in which the game stands now.
    pub fn current(&self) -> &P {
        &self.current
    }

    /// The turns played so far, each with the position before it.
    pub fn played(&self) -> impl ExactSizeIterator<Item = (&P, &Steps<P>)> {
        self.earlier.iter().zip(&self.turns)
    }

    /// Plays a whole turn. It must be legal, which only debug builds check.
    pub fn play(&mut self, turn: Steps<P>) {
        self.earlier.push(self.current.clone());
        for &step in &turn {
            self.current.play(step);
        }
        debug_assert!(self.current.at_turn_start());
        self.turns.push(turn);
    }

    /// Takes the last turn back; `None` if there is none.
    ///
    /// ```
    /// use hippolyta_rules::games::{Game, Notation, amazons::Amazons, variant};
    ///
    /// let variant = &variant::find("amazons6")?;
    /// let mut game = Game::new(Amazons::from_fen(variant, variant.start())?);
    /// game.play_text("b1b4,b4c4")?;
    /// assert_eq!(game.take_back().map(|turn| turn.len()), Some(2));
    /// assert_eq!(game.current(), game.start());
    /// assert!(game.take_back().is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn take_back(&mut self) -> Option<Steps<P>> {
        self.current = self.earlier.pop()?;
        self.turns.pop()
    }

    /// Reads a turn and plays it. Nothing changes on an error.
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

    /// The steps from `earlier`'s current position to this one's; `None` if this game does not continue `earlier`.
    pub fn steps_since(&self, earlier: &Self) -> Option<Vec<P::Step>> {
        let played = earlier.turns.len();
        let continues = self.start.key() == earlier.start.key()
            && self.turns.len() >= played
            && self.turns[..played] == earlier.turns[..];
        continues.then(|| self.turns[played..].iter().flatten().copied().collect())
    }
}
