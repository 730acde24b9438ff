use super::pieces::Pieces;
use crate::board::Square;
use crate::games::variant::Variant;
use crate::games::{
    Effects, Ending, FenError, Game, GameTask, Notation, Outcome, Perft, Piece, Position, Refusal, Side, Steps, Style,
    Symmetry, Turn, TurnError, for_each_turn, perft_while,
};
use std::any::Any;
use std::fmt;
use std::ops::ControlFlow;
use thiserror::Error;

/// Why a position was refused. The board stays as it was.
///
/// ```
/// use hippolyta_rules::games::{Board, PositionError};
/// use hippolyta_rules::games::variant;
///
/// let amazons = &variant::find("amazons")?;
/// let error = Board::after(amazons, amazons.start(), &["d1d7,d7g7", "d1d2,d2d3"]).unwrap_err();
/// assert!(matches!(error, PositionError::Turn { index: 1, of: 2, .. }));
/// assert!(error.to_string().starts_with("move 2 of 2: illegal move"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PositionError {
    /// The FEN is bad.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// One of the turns is bad.
    #[error("move {} of {of}: {error}", index + 1)]
    Turn {
        /// Its place in the list, counted from 0.
        index: usize,
        /// The length of the list.
        of: usize,
        /// The fault of the turn.
        error: TurnError,
    },
}

/// A game of a rule set chosen at run time: a position with the turns that led to it. It knows the rules and nothing of
/// search. No method but [`perft_while`](Self::perft_while) takes noticeable time.
///
/// ```
/// use hippolyta_rules::games::{Board, variant};
///
/// let mut board = Board::from_fen(&variant::find("amazons")?, "q2/3/2Q w - - 0 1")?;
/// assert_eq!(board.legal_turns().len(), 29);
/// assert_eq!(board.play("c1b1/a1")?.to_string(), "c1b1,b1a1");
/// assert_eq!(board.fen(), "q2/3/*Q1 b - - 0 1");
/// assert!(board.play("a3a1,a1a2").is_err());
/// assert!(board.undo());
/// assert!(board.turns().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Board(Box<dyn AnyGame>);

/// A [`Game`] whose type of positions is forgotten.
trait AnyGame: Send + Sync {
    fn variant(&self) -> &Variant;
    fn boxed_clone(&self) -> Box<dyn AnyGame>;
    fn as_any(&self) -> &dyn Any;
    fn side_to_move(&self) -> Side;
    fn outcome(&self) -> Option<Outcome>;
    fn ending(&self) -> Option<Ending>;
    fn fen(&self) -> String;
    fn start_fen(&self) -> String;
    fn turns(&self) -> Vec<Turn>;
    fn key(&self) -> u64;
    fn size(&self) -> (usize, usize);
    fn at(&self, square: Square) -> Option<Piece>;
    fn symmetries(&self) -> Vec<Symmetry>;
    fn quiet(&self) -> u32;
    fn move_only(&self) -> bool;
    fn number(&self) -> u32;
    fn diagram(&self) -> String;
    fn legal_turns(&self) -> LegalTurns;
    fn ways(&self, turn: &Turn) -> Vec<Turn>;
    fn is_same(&self, other: &dyn AnyGame) -> bool;
    fn last_turn(&self) -> Option<Turn>;
    fn last_effects(&self) -> Option<Effects>;
    fn effects(&self, turn: &Turn) -> Result<Effects, Refusal>;
    fn read(&self, turn: &str) -> Result<Turn, TurnError>;
    fn text_of(&self, turn: &Turn, style: Style) -> String;
    fn play(&mut self, turn: &str) -> Result<Turn, TurnError>;
    fn play_turn(&mut self, turn: &Turn) -> Result<(), Refusal>;
    fn undo(&mut self) -> bool;
    fn perft_while(&self, depth: u32, go_on: &(dyn Fn() -> bool + Sync)) -> Option<Perft<Turn>>;
}

/// All legal turns of a position, in the order of the rules, each made when it is asked for. It stays as it is when the
/// board goes on.
///
/// ```
/// use hippolyta_rules::games::{Board, variant};
///
/// let board = Board::new(&variant::find("amazons")?);
/// let turns = board.legal_turns();
/// assert_eq!((turns.len(), turns.is_empty()), (2_176, false));
/// assert_eq!(turns.get(7).as_ref(), turns.all().get(7));
/// assert_eq!(turns.get(turns.index(&"d1d7,d7g7".parse()?).ok_or("legal")?).ok_or("there")?.to_string(), "d1d7,d7g7");
/// assert_eq!((turns.get(2_176), turns.index(&"d1d2,d2c4".parse()?)), (None, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct LegalTurns(Box<dyn AnyTurns>);

/// [`Listed`] whose type of positions is forgotten.
trait AnyTurns: Send + Sync {
    fn len(&self) -> usize;
    fn get(&self, index: usize) -> Option<Turn>;
    fn all(&self) -> Vec<Turn>;
    fn index(&self, turn: &Turn) -> Option<usize>;
}

/// Only the first steps are listed, with the number of turns up to and with each: to count the second steps is quicker
/// than to write them down, and mostly one turn of many is wanted.
struct Listed<P: Position> {
    position: P,
    firsts: Vec<(P::Step, usize)>,
}

impl<P: Notation> Listed<P> {
    fn new(position: &P) -> Self {
        let (mut firsts, mut end) = (Vec::new(), 0);
        if position.outcome().is_none() {
            let _ = position.for_each_step(|first| {
                let after = position.after(first);
                end += if after.at_turn_start() { 1 } else { after.count_steps() };
                firsts.push((first, end));
                ControlFlow::Continue(())
            });
        }
        Self { position: position.clone(), firsts }
    }

    /// The number of turns that begin with steps before this one.
    fn before(&self, first: usize) -> usize {
        first.checked_sub(1).and_then(|last| self.firsts.get(last)).map_or(0, |&(_, end)| end)
    }
}

impl<P: Notation> AnyTurns for Listed<P> {
    fn len(&self) -> usize {
        self.before(self.firsts.len())
    }

    fn get(&self, index: usize) -> Option<Turn> {
        let at = self.firsts.partition_point(|&(_, end)| end <= index);
        let &(first, _) = self.firsts.get(at)?;
        let after = self.position.after(first);
        let mut turn = Steps::<P>::new();
        turn.push(first);
        if !after.at_turn_start() {
            let mut left = index - self.before(at);
            let _ = after.for_each_step(|second| {
                if left == 0 {
                    turn.push(second);
                    return ControlFlow::Break(());
                }
                left -= 1;
                ControlFlow::Continue(())
            });
        }
        self.position.turn(&turn)
    }

    fn all(&self) -> Vec<Turn> {
        let mut turns = Vec::with_capacity(self.len());
        for_each_turn(&self.position, &mut |turn, _| turns.extend(self.position.turn(turn)));
        turns
    }

    fn index(&self, turn: &Turn) -> Option<usize> {
        let turn = self.position.steps_of(turn).ok()?;
        let (&first, rest) = turn.split_first()?;
        let at = self.firsts.iter().position(|&(known, _)| known == first)?;
        let second = match rest.first() {
            None => 0,
            Some(step) => self.position.after(first).steps().iter().position(|known| known == step)?,
        };
        Some(self.before(at) + second)
    }
}

impl LegalTurns {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none: the game is over.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One of them, counted from 0.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Turn> {
        self.0.get(index)
    }

    /// Where a turn stands in the list; `None` if it is not legal.
    #[must_use]
    pub fn index(&self, turn: &Turn) -> Option<usize> {
        self.0.index(turn)
    }

    /// All of them.
    #[must_use]
    pub fn all(&self) -> Vec<Turn> {
        self.0.all()
    }
}

#[derive(Clone)]
struct Played<P: Position> {
    variant: Variant,
    game: Game<P>,
}

impl<P: Notation> Played<P> {
    fn position(&self) -> &P {
        self.game.current()
    }

    /// Reads a legal turn.
    fn read_steps(&self, text: &str) -> Result<(Turn, Steps<P>), TurnError> {
        let steps = self.position().parse_turn(text)?;
        // Every legal turn has a step.
        let none = || TurnError::Unreadable { text: text.to_owned(), expected: "a turn is expected".to_owned() };
        Ok((self.position().turn(&steps).ok_or_else(none)?, steps))
    }
}

impl<P: Notation> AnyGame for Played<P> {
    fn variant(&self) -> &Variant {
        &self.variant
    }

    fn boxed_clone(&self) -> Box<dyn AnyGame> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        &self.game
    }

    fn side_to_move(&self) -> Side {
        self.position().side_to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.position().outcome()
    }

    fn ending(&self) -> Option<Ending> {
        self.position().ending()
    }

    fn fen(&self) -> String {
        self.position().fen()
    }

    fn start_fen(&self) -> String {
        self.game.start().fen()
    }

    fn turns(&self) -> Vec<Turn> {
        self.game.played().filter_map(|(before, turn)| before.turn(turn)).collect()
    }

    fn last_turn(&self) -> Option<Turn> {
        self.game.played().last().and_then(|(before, turn)| before.turn(turn))
    }

    fn last_effects(&self) -> Option<Effects> {
        self.game.played().last().map(|(before, turn)| before.effects(turn))
    }

    fn effects(&self, turn: &Turn) -> Result<Effects, Refusal> {
        self.position().steps_of(turn).map(|steps| self.position().effects(&steps))
    }

    fn is_same(&self, other: &dyn AnyGame) -> bool {
        let Some(other) = other.as_any().downcast_ref::<Game<P>>() else { return false };
        self.game.start().fen() == other.start().fen() && self.game.turns() == other.turns()
    }

    fn key(&self) -> u64 {
        self.position().key()
    }

    fn size(&self) -> (usize, usize) {
        self.position().board_size()
    }

    fn at(&self, square: Square) -> Option<Piece> {
        self.position().at(square)
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        self.position().symmetries()
    }

    fn quiet(&self) -> u32 {
        self.position().quiet()
    }

    fn move_only(&self) -> bool {
        self.position().move_only()
    }

    fn number(&self) -> u32 {
        self.position().number()
    }

    fn diagram(&self) -> String {
        self.position().diagram()
    }

    fn legal_turns(&self) -> LegalTurns {
        LegalTurns(Box::new(Listed::new(self.position())))
    }

    fn ways(&self, turn: &Turn) -> Vec<Turn> {
        self.position().ways(turn)
    }

    fn read(&self, turn: &str) -> Result<Turn, TurnError> {
        self.read_steps(turn).map(|(turn, _)| turn)
    }

    fn text_of(&self, turn: &Turn, style: Style) -> String {
        self.position().styled(turn, style)
    }

    fn play(&mut self, turn: &str) -> Result<Turn, TurnError> {
        let (turn, steps) = self.read_steps(turn)?;
        self.game.play(steps);
        Ok(turn)
    }

    fn play_turn(&mut self, turn: &Turn) -> Result<(), Refusal> {
        self.game.play(self.position().steps_of(turn)?);
        Ok(())
    }

    fn undo(&mut self) -> bool {
        self.game.take_back().is_some()
    }

    fn perft_while(&self, depth: u32, go_on: &(dyn Fn() -> bool + Sync)) -> Option<Perft<Turn>> {
        let counted = perft_while(self.position(), depth, go_on)?;
        let turn = |(steps, count): (Steps<P>, u64)| Some((self.position().turn(&steps)?, count));
        Some(Perft { divide: counted.divide.into_iter().filter_map(turn).collect(), nodes: counted.nodes })
    }
}

/// Makes a board from a FEN.
struct Read<'a>(&'a str);

impl GameTask for Read<'_> {
    type Output = Result<Board, FenError>;

    fn run<P: Notation>(self, variant: &Variant) -> Self::Output {
        Ok(Board::at_position(variant, P::from_fen(variant, self.0)?))
    }
}

impl Board {
    /// The start position of a rule set.
    #[must_use]
    #[allow(clippy::expect_used, clippy::missing_panics_doc, reason = "the table's FENs are tested")]
    pub fn new(variant: &Variant) -> Self {
        Self::from_fen(variant, variant.start()).expect("start positions are legal")
    }

    /// The position of a FEN. Fields that are missing at its end take their usual values.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong with the FEN, and where.
    pub fn from_fen(variant: &Variant, fen: &str) -> Result<Self, FenError> {
        variant.run(Read(fen))
    }

    /// The board at a position at the start of a turn, with what the position itself knows of the turns before it.
    pub fn at_position<P: Notation>(variant: &Variant, position: P) -> Self {
        Self(Box::new(Played { variant: variant.clone(), game: Game::new(position) }))
    }

    /// The position of a FEN after `turns`.
    ///
    /// # Errors
    ///
    /// If the FEN or one of the turns is bad.
    pub fn after(variant: &Variant, fen: &str, turns: &[impl AsRef<str>]) -> Result<Self, PositionError> {
        let mut board = Self::from_fen(variant, fen)?;
        board.play_all(turns)?;
        Ok(board)
    }

    /// The rule set.
    #[must_use]
    pub fn variant(&self) -> &Variant {
        self.0.variant()
    }

    /// The side to move.
    #[must_use]
    pub fn side_to_move(&self) -> Side {
        self.0.side_to_move()
    }

    /// The result, if the game is over.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    /// Why the game is over, if it is.
    ///
    /// ```
    /// use hippolyta_rules::games::{Board, Ending};
    /// use hippolyta_rules::games::variant;
    ///
    /// let damone = &variant::find("damone")?;
    /// assert_eq!(Board::from_fen(damone, "8/8/8/8/8/8/2D5/8 b - - 0 1")?.ending(), Some(Ending::NoPiece));
    /// assert_eq!(Board::new(damone).ending(), None);
    /// let imperatore = &variant::find("damone-imperatore")?;
    /// let board = Board::from_fen(imperatore, "8/8/6d1/8/8/8/2I5/8 w - - 0 1")?;
    /// assert_eq!(board.ending(), Some(Ending::NoDamone));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        self.0.ending()
    }

    /// The FEN of the position.
    #[must_use]
    pub fn fen(&self) -> String {
        self.0.fen()
    }

    /// The FEN of the position in which the game began.
    #[must_use]
    pub fn start_fen(&self) -> String {
        self.0.start_fen()
    }

    /// The turns played since then.
    #[must_use]
    pub fn turns(&self) -> Vec<Turn> {
        self.0.turns()
    }

    /// The last of these; `None` if there is none.
    #[must_use]
    pub fn last_turn(&self) -> Option<Turn> {
        self.0.last_turn()
    }

    /// Changes that the last turn made beside moving its piece and firing; `None` if no turn was played.
    #[must_use]
    pub fn last_effects(&self) -> Option<Effects> {
        self.0.last_effects()
    }

    /// The Zobrist key of the position, 64 bits. Equal positions have equal keys.
    #[must_use]
    pub fn key(&self) -> u64 {
        self.0.key()
    }

    /// The number of files and of ranks.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        self.0.size()
    }

    /// The piece on a square; `None` if the square is empty or not on the board.
    #[must_use]
    pub fn at(&self, square: Square) -> Option<Piece> {
        self.0.at(square)
    }

    /// The pieces on all squares.
    #[must_use]
    pub fn pieces(&self) -> Pieces {
        Pieces::new(self.size(), |square| self.at(square))
    }

    /// The symmetries of the board, besides the one that changes nothing, that leave the position as it is. None where
    /// plies were [quiet](Self::quiet): which positions may recur is not symmetric.
    ///
    /// ```
    /// use hippolyta_rules::games::{Board, Symmetry, variant};
    ///
    /// assert_eq!(Board::new(&variant::find("amazons")?).symmetries(), [Symmetry::MIRROR]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn symmetries(&self) -> Vec<Symmetry> {
        self.0.symmetries()
    }

    /// Plies in a row without capture, promotion or forward step of a pedina, which end a game of Damone at 80. Other
    /// games keep the number of the FEN.
    #[must_use]
    pub fn quiet(&self) -> u32 {
        self.0.quiet()
    }

    /// Whether the turn of the side to move is a move without fire in a game that fires otherwise.
    ///
    /// ```
    /// use hippolyta_rules::games::{Board, variant};
    ///
    /// let board = Board::new(&variant::find("desdemona")?);
    /// assert!(board.move_only());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn move_only(&self) -> bool {
        self.0.move_only()
    }

    /// The number of the turn as in chess: it grows after Black's turns.
    #[must_use]
    pub fn number(&self) -> u32 {
        self.0.number()
    }

    /// A picture of the board in plain characters, one line for each rank and one for the files.
    #[must_use]
    pub fn diagram(&self) -> String {
        self.0.diagram()
    }

    /// The legal turns; none if the game is over.
    #[must_use]
    pub fn legal_turns(&self) -> LegalTurns {
        self.0.legal_turns()
    }

    /// A legal turn in all ways in which it can be made. There are several where a turn may be a fire alone, and
    /// several pieces reach its square: which of them fires does not matter, and [`legal_turns`](Self::legal_turns)
    /// names the first.
    ///
    /// ```
    /// use hippolyta_rules::games::{Board, variant};
    ///
    /// let board = Board::new(&variant::find("a = { start = 'q3/4/4/Q2Q', move-or-fire = true }")?);
    /// let ways: Vec<_> = board.ways(&board.read("a1a1,a1a3")?).iter().map(ToString::to_string).collect();
    /// assert_eq!(ways, ["a1a1,a1a3"]);
    /// let ways: Vec<_> = board.ways(&board.read("a1a1,a1b1")?).iter().map(ToString::to_string).collect();
    /// assert_eq!(ways, ["a1a1,a1b1", "d1d1,d1b1"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ways(&self, turn: &Turn) -> Vec<Turn> {
        self.0.ways(turn)
    }

    /// Reads a legal turn in any spelling. It is not played.
    ///
    /// # Errors
    ///
    /// If the text is not a legal turn.
    pub fn read(&self, turn: &str) -> Result<Turn, TurnError> {
        self.0.read(turn)
    }

    /// Writes a legal turn in a style; in the usual one, where that is of other games.
    #[must_use]
    pub fn text_of(&self, turn: &Turn, style: Style) -> String {
        self.0.text_of(turn, style)
    }

    /// Changes that a legal turn would make beside moving its piece and firing.
    ///
    /// # Errors
    ///
    /// The rule that forbids it.
    pub fn effects(&self, turn: &Turn) -> Result<Effects, Refusal> {
        self.0.effects(turn)
    }

    /// Reads a turn and plays it. Nothing changes on an error.
    ///
    /// # Errors
    ///
    /// If the text is not a legal turn.
    pub fn play(&mut self, turn: &str) -> Result<Turn, TurnError> {
        self.0.play(turn)
    }

    /// Plays a turn. Nothing changes on an error.
    ///
    /// # Errors
    ///
    /// The rule that forbids it.
    pub fn play_turn(&mut self, turn: &Turn) -> Result<(), Refusal> {
        self.0.play_turn(turn)
    }

    /// Plays several turns. Nothing changes on an error.
    ///
    /// # Errors
    ///
    /// Names the first turn that is not legal.
    pub fn play_all(&mut self, turns: &[impl AsRef<str>]) -> Result<(), PositionError> {
        let mut game = self.0.boxed_clone();
        for (index, turn) in turns.iter().enumerate() {
            let of = turns.len();
            game.play(turn.as_ref()).map_err(|error| PositionError::Turn { index, of, error })?;
        }
        self.0 = game;
        Ok(())
    }

    /// The position after `turns` from a FEN.
    ///
    /// ```
    /// use hippolyta_rules::games::{Board, variant};
    ///
    /// let (variant, turn) = (&variant::find("amazons")?, "c1b1,b1a1".parse()?);
    /// assert_eq!(Board::replayed(variant, "q2/3/2Q w - - 0 1", [&turn])?.fen(), "q2/3/*Q1 b - - 0 1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the FEN is bad, or for the first turn that is not legal.
    pub fn replayed<'a>(
        variant: &Variant,
        fen: &str,
        turns: impl IntoIterator<Item = &'a Turn>,
    ) -> Result<Self, PositionError> {
        let mut board = Self::from_fen(variant, fen)?;
        let turns: Vec<_> = turns.into_iter().collect();
        for (index, turn) in turns.iter().enumerate() {
            board.play_turn(turn).map_err(|reason| {
                let error = TurnError::Illegal { text: turn.to_string(), reason };
                PositionError::Turn { index, of: turns.len(), error }
            })?;
        }
        Ok(board)
    }

    /// Takes the last turn back. False if there is none.
    pub fn undo(&mut self) -> bool {
        self.0.undo()
    }

    /// Counts the sequences of exactly `depth` turns; gives up with `None` once `go_on`, which is called often and from
    /// many threads, returns false. Blocks, and works on the rayon pool it is called from.
    ///
    /// ```
    /// use hippolyta_rules::games::{Board, variant};
    ///
    /// let board = Board::new(&variant::find("amazons6")?);
    /// let counted = board.perft_while(1, &|| true).ok_or("given up")?;
    /// assert_eq!((counted.nodes, counted.divide.len()), (544, 544));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn perft_while(&self, depth: u32, go_on: &(dyn Fn() -> bool + Sync)) -> Option<Perft<Turn>> {
        self.0.perft_while(depth, go_on)
    }

    /// The game, if its positions are of type `P`.
    #[must_use]
    pub fn game<P: Notation>(&self) -> Option<&Game<P>> {
        self.0.as_any().downcast_ref()
    }
}

impl PartialEq for Board {
    /// The same rule set, the same position to begin with, and the same turns.
    fn eq(&self, other: &Self) -> bool {
        self.variant() == other.variant() && self.0.is_same(&*other.0)
    }
}

impl Eq for Board {}

impl Clone for Board {
    fn clone(&self) -> Self {
        Self(self.0.boxed_clone())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({} {})", self.variant().name(), self.fen())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::variant::{VARIANTS, find};
    use std::collections::HashSet;

    #[test]
    fn legal_turns_are_made_one_by_one_as_all_at_once() {
        for variant in VARIANTS {
            let board = Board::new(variant);
            let listed = board.legal_turns();
            let turns = listed.all();
            assert_eq!(listed.len(), turns.len());
            for (index, turn) in turns.iter().enumerate() {
                assert_eq!((listed.get(index).as_ref(), listed.index(turn)), (Some(turn), Some(index)));
            }
            assert_eq!(listed.get(turns.len()), None);
            let different: HashSet<_> = turns.iter().collect();
            assert_eq!(different.len(), turns.len());
        }
    }

    #[test]
    fn what_a_turn_does_is_told_before_and_after_it() {
        for (variant, fen, turn, captured, flipped, promoted) in [
            ("amazons", "q2/3/2Q w", "c1b1,b1a1", "", "", None),
            ("iago", "q4/5/1Ss2/5/4Q w - - 0 1", "e1e3,e3d3", "", "c3", None),
            ("damone", "8/8/8/5d2/8/3d4/4D3/8 w - - 0 1", "e2c4", "d3", "", None),
            ("damone", "8/1P6/6d1/8/8/8/8/8 w - - 0 1", "b7c8", "", "", Some(Piece::Dama(Side::White))),
        ] {
            let mut board = Board::from_fen(&find(variant).unwrap(), fen).unwrap();
            let squares = |text: &str| text.split_whitespace().map(|square| square.parse().unwrap()).collect();
            let expected = Effects { captured: squares(captured), flipped: squares(flipped), promoted };
            let turn = board.read(turn).unwrap();
            assert_eq!(board.effects(&turn), Ok(expected.clone()), "{turn}");
            assert_eq!(board.last_effects(), None);
            board.play_turn(&turn).unwrap();
            assert_eq!((board.last_effects(), board.last_turn()), (Some(expected), Some(turn)));
        }
    }

    #[test]
    fn an_illegal_turn_changes_nothing_and_its_place_is_told() {
        let mut board = Board::new(&find("amazons6").unwrap());
        let fen = board.fen();
        let error = board.play_all(&["b1b4,b4c4", "b1b2,b2b1"]).unwrap_err();
        assert!(error.to_string().starts_with("move 2 of 2: illegal move 'b1b2,b2b1'"), "{error}");
        assert_eq!((board.fen(), board.turns().len()), (fen.clone(), 0));
        let start = board.clone();
        board.play_all(&["b1b4/c4"]).unwrap();
        let turn: Turn = "b1b4,b4c4".parse().unwrap();
        assert_eq!((board.turns(), board.last_turn()), (vec![turn.clone()], Some(turn)));
        assert_ne!(board, start);
        assert!(board.undo() && !board.undo());
        assert_eq!((board.fen(), board.start_fen()), (fen.clone(), fen));
        assert_eq!(board, start);
        assert_eq!(board.last_turn(), None);
    }
}
