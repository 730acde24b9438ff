//! A game with the turn that has begun: square by square, or in any spelling of a whole turn.

use hippolyta::board::Square;
use hippolyta::engine::{BegunTurn, Board, Decided, Pieces};
use hippolyta::games::{Outcome, Side, Turn, TurnError, is_separator};
use hippolyta_protocol::records::Note;
use std::collections::BTreeMap;

/// A game that is being played.
pub(super) struct Game {
    board: Board,
    /// The engine's note on each turn.
    notes: Vec<Note>,
    begun: BegunTurn,
    /// Who has resigned.
    resigned: Option<Side>,
    /// With which result it was ended before the rules end it.
    ended: Option<Decided>,
    /// Those of the record that it was read from.
    pub tags: BTreeMap<String, String>,
    /// Whether all of it is in a file.
    pub saved: bool,
}

/// The effect of a typed turn.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Entered {
    /// It was played.
    Turn(Turn),
    /// It has begun.
    Half,
}

impl Game {
    pub fn new(board: Board) -> Self {
        let notes = vec![Note::default(); board.turns().len()];
        let begun = BegunTurn::new(&board);
        Self { board, notes, begun, resigned: None, ended: None, tags: BTreeMap::new(), saved: false }
    }

    /// The position at the start of the turn.
    pub fn board(&self) -> &Board {
        &self.board
    }

    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The squares of the turn so far.
    pub fn chosen(&self) -> &[Square] {
        self.begun.chosen()
    }

    pub fn resigned(&self) -> Option<Side> {
        self.resigned
    }

    /// The result with which it was ended before the rules end it.
    pub fn ended(&self) -> Option<&Decided> {
        self.ended.as_ref()
    }

    /// The result: by the rules, because somebody resigned, or because it was certain.
    pub fn outcome(&self) -> Option<Outcome> {
        let resigned = self.resigned.map(|side| Outcome::Win(!side));
        self.board.outcome().or(resigned).or(self.ended.map(|decided| decided.outcome))
    }

    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub fn result(&self) -> &'static str {
        match self.outcome() {
            Some(Outcome::Win(Side::White)) => "1-0",
            Some(Outcome::Win(Side::Black)) => "0-1",
            Some(Outcome::Draw) => "1/2-1/2",
            None => "*",
        }
    }

    /// The squares that may come next; none if the game is over.
    pub fn targets(&self) -> Vec<Square> {
        self.begun.next()
    }

    /// The legal turns that begin with the squares chosen and `more`.
    pub fn turns_after(&self, more: &[Square]) -> Vec<Turn> {
        let squares = [self.chosen(), more].concat();
        self.board.legal_turns().all().into_iter().filter(|turn| turn.squares().starts_with(&squares)).collect()
    }

    /// The board with the piece that moves where it has got to; what it captures is still there.
    pub fn pieces(&self) -> Pieces {
        self.begun.shown(self.board.pieces())
    }

    /// Reads a turn, whole or begun, after what was chosen or from its start.
    ///
    /// # Errors
    ///
    /// Why it is not legal. Nothing changes then.
    pub fn enter(&mut self, text: &str) -> Result<Entered, String> {
        let joined: String = text.split_whitespace().collect::<String>().to_ascii_lowercase();
        let read = self.board.read(&joined);
        if let Ok(turn) = read {
            return Ok(self.play(turn, Note::default()));
        }
        let typed = squares(&joined).unwrap_or_default();
        if self.board.outcome().is_some() || typed.is_empty() {
            return Err(read.err().map_or_else(String::new, |error| error.to_string()));
        }
        let after = [self.chosen(), &typed].concat();
        for squares in [&after, &typed] {
            if let Some(begun) = BegunTurn::with(&self.board, squares) {
                if let Some(turn) = begun.whole() {
                    return Ok(self.play(turn.clone(), Note::default()));
                }
                self.begun = begun;
                return Ok(Entered::Half);
            }
            // Of a long capture its ends are enough, if they leave no doubt.
            if let [from, to] = squares[..]
                && self.board.variant().traits().promotes
            {
                let turns = self.board.legal_turns().all();
                let mut fits = turns.iter().filter(|turn| (turn.from(), turn.to()) == (from, to));
                if let (Some(turn), None) = (fits.next(), fits.next()) {
                    return Ok(self.play(turn.clone(), Note::default()));
                }
            }
        }
        Err(self.refusal(&joined, &typed))
    }

    /// Why no turn begins so.
    fn refusal(&self, text: &str, typed: &[Square]) -> String {
        let side = self.board.side_to_move();
        if !self.chosen().is_empty() {
            let chosen: String = self.chosen().iter().map(Square::to_string).collect();
            return format!("'{text}' does not continue {chosen}, and is no turn of its own");
        }
        match typed {
            [square] if !self.board.pieces().contains(*square) => format!("{square} is not on the board"),
            [square] if self.board.at(*square).is_some_and(|piece| piece.side() == Some(side)) => {
                format!("the piece on {square} has no legal turn")
            }
            [square] => format!("{side} is to move and has no piece on {square}"),
            _ => match self.board.read(text) {
                // A move alone is not what is wrong: its squares are.
                Err(error) if !matches!(error, TurnError::Unfinished { .. }) => error.to_string(),
                _ => {
                    let moved: String = typed.iter().map(Square::to_string).collect();
                    match self.turns_after(&typed[..1]).is_empty() {
                        true => self.refusal(text, &typed[..1]),
                        false => format!("no legal turn of {side} begins with {moved}"),
                    }
                }
            },
        }
    }

    /// Plays a legal turn.
    pub fn play(&mut self, turn: Turn, note: Note) -> Entered {
        let played = self.board.play_turn(&turn);
        debug_assert!(played.is_ok());
        if played.is_ok() {
            self.notes.push(note);
        }
        self.begun = BegunTurn::new(&self.board);
        (self.resigned, self.ended) = (None, None);
        self.saved = false;
        Entered::Turn(turn)
    }

    /// Takes the last square of a turn that has begun back. False if none has.
    pub fn take_square(&mut self) -> bool {
        self.begun.take_back()
    }

    /// Forgets a turn that has begun. False if none has.
    pub fn cancel(&mut self) -> bool {
        self.begun.clear()
    }

    /// Takes the last turn back. False if there is none.
    pub fn undo(&mut self) -> bool {
        (self.resigned, self.ended) = (None, None);
        self.notes.pop();
        let undone = self.board.undo();
        self.begun = BegunTurn::new(&self.board);
        self.saved &= !undone;
        undone
    }

    pub fn resign(&mut self, side: Side) {
        self.begun.clear();
        self.resigned = Some(side);
        self.saved = false;
    }

    /// Ends the game with a result that is certain.
    pub fn end(&mut self, decided: Decided) {
        self.begun.clear();
        self.ended = Some(decided);
        self.saved = false;
    }

    /// The game goes on after all, if somebody resigned or it was ended. Whether it does.
    pub fn revive(&mut self) -> bool {
        let was_ended = self.resigned.take().is_some() | self.ended.take().is_some();
        self.saved &= !was_ended;
        was_ended
    }

    /// A legal turn to show how turns are written.
    pub fn example(&self) -> Option<Turn> {
        let turns = self.board.legal_turns();
        turns.get(turns.len() / 2)
    }
}

/// The squares of a text that is nothing but squares and what stands between them; `None` if it is anything else.
pub(super) fn squares(text: &str) -> Option<Vec<Square>> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || is_separator(c) || ",/()>".contains(c));
        if rest.is_empty() {
            return Some(found);
        }
        let (square, tail) = Square::parse_prefix(rest).ok()?;
        found.push(square);
        rest = tail;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hippolyta::games::Piece;
    use hippolyta::games::variant::{VARIANTS, find};

    fn game(variant: &str) -> Game {
        Game::new(Board::new(&find(variant).unwrap()))
    }

    fn turn(text: &str) -> Entered {
        Entered::Turn(text.parse().unwrap())
    }

    fn on(variant: &str, fen: &str) -> Game {
        Game::new(Board::from_fen(&find(variant).unwrap(), fen).unwrap())
    }

    #[test]
    fn turns_are_read_in_every_spelling() {
        for text in
            ["d1d7,d7g7", "d1-d7/g7", "d1-d7(g7)", "d1d7g7", "d1 d7 g7", " D1 D7, G7 ", "d1 - d7 - g7", "d1d7,d7-g7"]
        {
            assert_eq!(game("amazons").enter(text), Ok(turn("d1d7,d7g7")), "{text}");
        }
        assert_eq!(game("iago").enter("d1d7"), Ok(turn("d1d7")));
        for text in ["h5g6", "h5-g6", "h5 g6", "H5XG6"] {
            assert_eq!(game("damone").enter(text), Ok(turn("h5g6")), "{text}");
        }
    }

    #[test]
    fn games_of_every_rule_set_are_played_by_squares_and_taken_back() {
        for variant in VARIANTS {
            let mut game = Game::new(Board::new(variant));
            let mut number = 12345usize;
            let mut fens = Vec::new();
            while game.outcome().is_none() && fens.len() < 40 {
                if game.chosen().is_empty() {
                    fens.push(game.board.fen());
                }
                let targets = game.targets();
                number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                game.enter(&targets[(number >> 33) % targets.len()].to_string()).unwrap();
                assert_eq!(game.pieces().ranks(), game.board.size().1);
            }
            let begun = game.cancel();
            for (index, fen) in fens.into_iter().enumerate().rev() {
                assert!(begun && index == game.board.turns().len() || game.undo());
                assert_eq!((game.board.fen(), game.notes.len()), (fen, game.board.turns().len()), "{}", variant.name());
            }
            assert!(!game.undo());
        }
    }

    #[test]
    fn a_long_capture_is_played_jump_by_jump_or_by_its_ends() {
        let fen = "8/8/8/5p2/8/3p4/2D5/8 w - - 0 1";
        assert_eq!(on("damone", fen).board.legal_turns().all(), ["c2e4g6".parse().unwrap()]);
        let mut game = on("damone", fen);
        assert_eq!(game.enter("c2"), Ok(Entered::Half));
        assert_eq!(game.targets()[0].to_string(), "e4");
        assert_eq!(game.enter("e4"), Ok(Entered::Half));
        assert_eq!(game.pieces().at("e4".parse().unwrap()), Some(Piece::Dama(Side::White)));
        assert_eq!(game.enter("g6"), Ok(turn("c2e4g6")));
        assert_eq!(on("damone", fen).enter("c2xg6"), Ok(turn("c2e4g6")));
        assert_eq!(on("damone", fen).enter("c2xe4"), Ok(Entered::Half));
        assert!(on("damone", fen).enter("c2b1").unwrap_err().contains("the best capture is compulsory: c2e4g6"));
    }

    #[test]
    fn what_is_wrong_is_said_and_changes_nothing() {
        let mut game = game("amazons");
        let mut error = |text: &str| game.enter(text).unwrap_err();
        assert_eq!(error("d10"), "white is to move and has no piece on d10");
        assert_eq!(error("a11"), "a11 is not on the board");
        assert_eq!(error("d1d9,d9c7"), "illegal move 'd1d9,d9c7': the amazon cannot fire from d9 to c7");
        assert_eq!(error("d1e3"), "no legal turn of white begins with d1e3");
        assert_eq!(error("a1a2"), "white is to move and has no piece on a1");
        assert!(error("castle").starts_with("'castle' is not a move"));
        assert_eq!(game.enter("d1"), Ok(Entered::Half));
        assert_eq!(game.enter("d10").unwrap_err(), "'d10' does not continue d1, and is no turn of its own");
        // Another piece may be chosen instead.
        assert_eq!(game.enter("g1"), Ok(Entered::Half));
        assert_eq!(game.chosen().len(), 1);
        assert!(game.take_square() && !game.take_square() && game.board.turns().is_empty());
    }
}
