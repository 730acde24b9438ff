use super::vertex;
use crate::board::Square;
use crate::engine::{Begun, Board};
use crate::games::variant::Family;
use crate::games::{Outcome, Side};

/// A game of which turns are played square by square: from, to, fire; in Damone every square that the piece stands on.
#[derive(Clone)]
pub(super) struct Game {
    start: Board,
    /// At the start of the turn.
    board: Board,
    /// The squares of the turn so far.
    chosen: Vec<Square>,
}

impl Game {
    /// At its start.
    pub fn new(start: Board) -> Self {
        Self { board: start.clone(), start, chosen: Vec::new() }
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
        &self.chosen
    }

    pub fn side_to_move(&self) -> Side {
        self.board.side_to_move()
    }

    pub fn outcome(&self) -> Option<Outcome> {
        self.board.outcome()
    }

    /// Whether amazons move and fire: three squares a turn.
    pub fn fires(&self) -> bool {
        !matches!(self.board.variant().family, Family::Damone(_))
    }

    /// How the turn may go on, with its squares: by a step of the rules, which may be two squares or more.
    fn ways(&self) -> Vec<(Vec<Square>, Begun)> {
        let mut ways = Vec::new();
        for first in self.board.steps("") {
            let squares = vertex::of_turn(&first.text);
            if !squares.starts_with(&self.chosen) {
                continue;
            }
            if squares.len() > self.chosen.len() {
                ways.push((squares, first));
            } else if !first.complete {
                let second = self.board.steps(&first.text).into_iter();
                ways.extend(second.map(|begun| (vertex::of_turn(&begun.text), begun)));
            }
        }
        ways
    }

    /// The squares that may be played next, in their order; none if the game is over.
    pub fn next(&self) -> Vec<Square> {
        let mut squares: Vec<_> =
            self.ways().iter().filter_map(|(squares, _)| squares.get(self.chosen.len()).copied()).collect();
        squares.sort_unstable();
        squares.dedup();
        squares
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
        self.chosen.push(square);
        let ways: Vec<_> =
            self.board.steps("").into_iter().map(|first| (vertex::of_turn(&first.text), first)).collect();
        let begins = |squares: &[Square]| squares.starts_with(&self.chosen);
        if let Some((_, whole)) = ways.iter().find(|(squares, first)| first.complete && *squares == self.chosen) {
            return self.finish(&whole.text);
        }
        if ways.iter().any(|(squares, _)| begins(squares)) {
            return Ok(());
        }
        let moved = self.chosen.get(..self.chosen.len() - 1).unwrap_or_default();
        let first = ways.iter().find(|(squares, first)| !first.complete && squares == moved);
        let shots = first.map(|(_, first)| self.board.steps(&first.text)).unwrap_or_default();
        match shots.into_iter().find(|shot| vertex::of_turn(&shot.text) == self.chosen) {
            Some(shot) => self.finish(&shot.text),
            None => {
                let text = vertex::list(&self.chosen);
                self.chosen.pop();
                Err(format!("illegal move: no legal turn of {} begins with {text}", self.side_to_move()))
            }
        }
    }

    /// Plays a whole turn, of which all squares were chosen.
    fn finish(&mut self, turn: &str) -> Result<(), String> {
        self.board.play(turn).map_err(|error| error.to_string())?;
        self.chosen.clear();
        Ok(())
    }

    /// Takes the last square back. False if there is none.
    pub fn undo(&mut self) -> bool {
        if self.chosen.pop().is_some() {
            return true;
        }
        let mut turns = self.board.turns();
        if turns.len() <= self.start.turns().len() {
            return false;
        }
        let Some(last) = turns.pop() else { return false };
        self.board.undo();
        self.chosen = vertex::of_turn(&last);
        self.chosen.pop();
        true
    }

    /// The legal turns that begin with the squares chosen; empty if none is chosen, which means all.
    pub fn begun_turns(&self) -> Vec<String> {
        if self.chosen.is_empty() {
            return Vec::new();
        }
        let turns = self.board.legal_turns().into_iter();
        turns.filter(|turn| vertex::of_turn(turn).starts_with(&self.chosen)).collect()
    }

    /// The pieces as letters of the FEN, `.` where there is none: ranks from the top, files from the left. The piece
    /// that moves stands where it has got to; what it captures is still there.
    pub fn pieces(&self) -> Vec<Vec<char>> {
        let (_, height) = self.board.size();
        let diagram = self.board.diagram();
        let rank = |line: &str| line.split_whitespace().skip(1).filter_map(|piece| piece.chars().next()).collect();
        let mut pieces: Vec<Vec<char>> = diagram.lines().take(height).map(rank).collect();
        if let [from, .., to] = self.chosen[..] {
            let mut cell = |square: Square, piece: char| {
                let rank = height.checked_sub(square.rank() + 1).and_then(|rank| pieces.get_mut(rank))?;
                rank.get_mut(square.file()).map(|cell| std::mem::replace(cell, piece))
            };
            if let Some(piece) = cell(from, '.') {
                cell(to, piece);
            }
        }
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::variant::{VARIANTS, find};
    use std::collections::HashSet;

    fn square(text: &str) -> Square {
        vertex::read(text).unwrap()
    }

    /// Plays whole turns.
    fn after(variant: &str, squares: &str) -> Game {
        let mut game = Game::new(Board::new(find(variant).unwrap()));
        for text in squares.split_whitespace() {
            game.play(game.side_to_move(), square(text)).unwrap();
        }
        game
    }

    #[test]
    fn squares_lead_to_all_turns_and_to_nothing_else() {
        fn walk(game: &Game, turns: &mut HashSet<String>) {
            let next = game.next();
            assert!(!next.is_empty() && next.is_sorted());
            for square in next {
                let mut after = game.clone();
                after.play(game.side_to_move(), square).unwrap();
                match after.chosen() {
                    [] => assert!(turns.insert(after.board.turns().pop().unwrap())),
                    _ => walk(&after, turns),
                }
            }
        }
        for name in ["amazons6", "desdemona", "damone"] {
            let game = Game::new(Board::new(find(name).unwrap()));
            let mut turns = HashSet::new();
            walk(&game, &mut turns);
            assert_eq!(turns, game.board().legal_turns().into_iter().collect(), "{name}");
        }
    }

    #[test]
    fn games_of_every_rule_set_are_played_and_taken_back_square_by_square() {
        for variant in VARIANTS {
            let mut game = Game::new(Board::new(variant));
            let (mut seen, mut number) = (Vec::new(), 12345usize);
            while game.outcome().is_none() && seen.len() < 60 {
                seen.push((game.board.fen(), game.chosen.clone(), game.next(), game.pieces()));
                let next = game.next();
                number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                game.play(game.side_to_move(), next[(number >> 33) % next.len()]).unwrap();
                // GoGui plays a square of a computer's move twice: the second time must be an error.
                let last = *game.chosen.last().unwrap_or(&square("A1"));
                if !game.chosen.is_empty() {
                    assert!(game.play(game.side_to_move(), last).is_err());
                }
            }
            while let Some(before) = seen.pop() {
                assert!(game.undo());
                assert_eq!((game.board.fen(), game.chosen.clone(), game.next(), game.pieces()), before);
            }
            assert!(!game.undo());
        }
    }

    #[test]
    fn a_turn_that_has_begun_is_shown_where_its_piece_stands() {
        let game = after("amazons", "D1 D7");
        assert_eq!(game.chosen().len(), 2);
        let pieces = game.pieces();
        assert_eq!((pieces[9][3], pieces[3][3]), ('.', 'Q'));
        assert_eq!(game.begun_turns().len(), game.next().len());
        assert!(game.begun_turns().iter().all(|turn| turn.starts_with("d1d7,d7")));
        assert_eq!(after("amazons", "D1 D7 G7").pieces()[3][6], '*');
    }

    #[test]
    fn what_is_illegal_is_said_and_changes_nothing() {
        let mut game = after("amazons", "D1 D7");
        let before = (game.board.fen(), game.chosen.clone());
        let mut error = |side, text| game.play(side, square(text)).unwrap_err();
        assert_eq!(error(Side::Black, "D1"), "illegal move: it is white's turn");
        assert_eq!(error(Side::White, "E1"), "illegal move: no legal turn of white begins with D1 D7 E1");
        assert_eq!((game.board.fen(), game.chosen.clone()), before);
        let over = Board::from_fen(find("amazons").unwrap(), "Q**/***/**q b - - 0 1").unwrap();
        assert_eq!(
            Game::new(over.clone()).play(Side::Black, square("A1")).unwrap_err(),
            "illegal move: the game is over"
        );
        assert_eq!(Game::new(over).next(), []);
    }

    #[test]
    fn a_capture_is_played_jump_by_jump() {
        let fen = "8/8/8/5d2/8/3d4/4D3/8 w - - 0 1";
        let mut game = Game::new(Board::from_fen(find("damone").unwrap(), fen).unwrap());
        let whole = game.board().legal_turns();
        let squares = vertex::of_turn(&whole[0]);
        assert!(squares.len() >= 2, "{whole:?}");
        for &square in &squares {
            assert!(game.next().contains(&square));
            game.play(Side::White, square).unwrap();
        }
        assert_eq!((game.board().turns().len(), game.chosen().len()), (1, 0));
    }
}
