use super::vertex;
use hippolyta::board::Square;
use hippolyta::engine::{BegunTurn, Board, Pieces};
use hippolyta::games::{Outcome, Side, Turn};

/// A game of which turns are played square by square: from, to, fire; in Damone every square that the piece stands on.
#[derive(Clone)]
pub(super) struct Game {
    start: Board,
    /// At the start of the turn.
    board: Board,
    begun: BegunTurn,
    /// Who has resigned.
    resigned: Option<Side>,
}

impl Game {
    /// At its start.
    pub fn new(start: Board) -> Self {
        Self { board: start.clone(), begun: BegunTurn::new(&start), start, resigned: None }
    }

    /// Back to the start.
    pub fn clear(&mut self) {
        *self = Self::new(self.start.clone());
    }

    /// The position at the start of the turn.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The position in which the game began.
    pub fn start(&self) -> &Board {
        &self.start
    }

    /// The squares of the turn so far.
    pub fn chosen(&self) -> &[Square] {
        self.begun.chosen()
    }

    pub fn side_to_move(&self) -> Side {
        self.board.side_to_move()
    }

    /// The result: by the rules, or because somebody resigned.
    pub fn outcome(&self) -> Option<Outcome> {
        self.board.outcome().or(self.resigned.map(|side| Outcome::Win(!side)))
    }

    pub fn resigned(&self) -> Option<Side> {
        self.resigned
    }

    /// A side resigns.
    ///
    /// # Errors
    ///
    /// If the game is over.
    pub fn resign(&mut self, side: Side) -> Result<(), String> {
        if self.outcome().is_some() {
            return Err("illegal move: the game is over".to_owned());
        }
        self.resigned = Some(side);
        Ok(())
    }

    /// Whether amazons move and fire: three squares a turn.
    pub fn fires(&self) -> bool {
        self.board.variant().traits().fires
    }

    /// The squares that may be played next, in their order; none if the game is over.
    pub fn next(&self) -> Vec<Square> {
        if self.resigned.is_some() { Vec::new() } else { self.begun.next() }
    }

    /// Plays one square.
    ///
    /// # Errors
    ///
    /// Why it is not legal. Nothing changes then.
    pub fn play(&mut self, side: Side, square: Square) -> Result<(), String> {
        if self.outcome().is_some() {
            return Err("illegal move: the game is over".to_owned());
        }
        if side != self.side_to_move() {
            return Err(format!("illegal move: it is {}'s turn", self.side_to_move()));
        }
        match self.begun.choose(square) {
            None => {
                let text = vertex::list(self.chosen().iter().chain([&square]));
                Err(format!("illegal move: no legal turn of {} begins with {text}", self.side_to_move()))
            }
            Some(None) => Ok(()),
            Some(Some(turn)) => {
                self.board.play_turn(&turn).map_err(|error| error.to_string())?;
                self.begun = BegunTurn::new(&self.board);
                Ok(())
            }
        }
    }

    /// Takes the last square back. False if there is none.
    pub fn undo(&mut self) -> bool {
        if self.resigned.take().is_some() || self.begun.take_back() {
            return true;
        }
        if self.board.turns().len() <= self.start.turns().len() {
            return false;
        }
        let Some(last) = self.board.last_turn() else { return false };
        self.board.undo();
        let all_but_one = last.squares().split_last().map_or(&[][..], |(_, before)| before);
        self.begun = BegunTurn::with(&self.board, all_but_one).unwrap_or_else(|| BegunTurn::new(&self.board));
        true
    }

    /// The legal turns that begin with the squares chosen; empty if none is chosen, which means all.
    pub fn begun_turns(&self) -> Vec<Turn> {
        if self.chosen().is_empty() { Vec::new() } else { self.begun.turns().cloned().collect() }
    }

    /// The legal turns that begin with the squares chosen and a next one that fits.
    pub fn turns_by(&self, fits: impl Fn(Square) -> bool) -> Vec<Turn> {
        let next = self.chosen().len();
        self.begun.turns().filter(|turn| turn.squares().get(next).is_some_and(|&at| fits(at))).cloned().collect()
    }

    /// The pieces on their squares. The piece that moves stands where it has got to; what it captures is still there.
    pub fn pieces(&self) -> Pieces {
        self.begun.shown(self.board.pieces())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hippolyta::games::Piece;
    use hippolyta::games::variant::{VARIANTS, find};

    fn square(text: &str) -> Square {
        vertex::read(text).unwrap()
    }

    /// Plays whole turns.
    fn after(variant: &str, squares: &str) -> Game {
        let mut game = Game::new(Board::new(&find(variant).unwrap()));
        for text in squares.split_whitespace() {
            game.play(game.side_to_move(), square(text)).unwrap();
        }
        game
    }

    #[test]
    fn games_of_every_rule_set_are_played_and_taken_back_square_by_square() {
        for variant in VARIANTS {
            let mut game = Game::new(Board::new(variant));
            let (mut seen, mut number) = (Vec::new(), 12345usize);
            while game.outcome().is_none() && seen.len() < 60 {
                seen.push((game.board.fen(), game.chosen().to_vec(), game.next(), game.pieces()));
                let next = game.next();
                number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                game.play(game.side_to_move(), next[(number >> 33) % next.len()]).unwrap();
                // GoGui plays a square of a computer's move twice: the second time must be an error.
                let last = *game.chosen().last().unwrap_or(&square("A1"));
                if !game.chosen().is_empty() {
                    assert!(game.play(game.side_to_move(), last).is_err());
                }
            }
            while let Some(before) = seen.pop() {
                assert!(game.undo());
                assert_eq!((game.board.fen(), game.chosen().to_vec(), game.next(), game.pieces()), before);
            }
            assert!(!game.undo());
        }
    }

    #[test]
    fn a_turn_that_has_begun_is_shown_where_its_piece_stands() {
        let game = after("amazons", "D1 D7");
        assert_eq!(game.chosen().len(), 2);
        let pieces = game.pieces();
        let white = Some(Piece::Amazon(Side::White));
        assert_eq!((pieces.at(square("D1")), pieces.at(square("D7"))), (None, white));
        assert_eq!(game.begun_turns().len(), game.next().len());
        assert!(game.begun_turns().iter().all(|turn| turn.to_string().starts_with("d1d7,d7")));
        assert_eq!(after("amazons", "D1 D7 G7").pieces().at(square("G7")), Some(Piece::Neutral));
    }

    #[test]
    fn what_is_illegal_is_said_and_changes_nothing() {
        let mut game = after("amazons", "D1 D7");
        let before = (game.board.fen(), game.chosen().to_vec());
        let mut error = |side, text| game.play(side, square(text)).unwrap_err();
        assert_eq!(error(Side::Black, "D1"), "illegal move: it is white's turn");
        assert_eq!(error(Side::White, "E1"), "illegal move: no legal turn of white begins with D1 D7 E1");
        assert_eq!((game.board.fen(), game.chosen().to_vec()), before);
        let over = Board::from_fen(&find("amazons").unwrap(), "Q**/***/**q b - - 0 1").unwrap();
        assert_eq!(
            Game::new(over.clone()).play(Side::Black, square("A1")).unwrap_err(),
            "illegal move: the game is over"
        );
        assert_eq!(Game::new(over).next(), []);
    }

    #[test]
    fn a_capture_is_played_jump_by_jump() {
        let fen = "8/8/8/5d2/8/3d4/4D3/8 w - - 0 1";
        let mut game = Game::new(Board::from_fen(&find("damone").unwrap(), fen).unwrap());
        let whole = game.board().legal_turns().all();
        let squares = whole[0].squares();
        assert!(squares.len() >= 2, "{whole:?}");
        for &square in squares {
            assert!(game.next().contains(&square));
            game.play(Side::White, square).unwrap();
        }
        assert_eq!((game.board().turns().len(), game.chosen().len()), (1, 0));
    }
}
