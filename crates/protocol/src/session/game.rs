use super::split_word;
use crate::Dialect;
use hippolyta::engine::{Board, PositionError, decided};
use hippolyta::games::variant::Variant;
use hippolyta::games::{Outcome, Side};

/// The game that is played: what `position` and `moves` set, and what `query` asks for.
pub(super) struct Game {
    board: Board,
    /// In UGI, who has lost by an illegal turn.
    forfeited: Option<Side>,
}

impl Game {
    /// At the start position.
    pub fn new(variant: &Variant) -> Self {
        Self { board: Board::new(variant), forfeited: None }
    }

    /// The current position; what is searched is a copy of it.
    pub fn board(&self) -> &Board {
        &self.board
    }

    pub fn variant(&self) -> &Variant {
        self.board.variant()
    }

    pub fn is_forfeited(&self) -> bool {
        self.forfeited.is_some()
    }

    /// Forgets that a side has lost by an illegal turn; the position stays.
    pub fn forgive(&mut self) {
        self.forfeited = None;
    }

    /// Obeys `position`: `startpos` or `fen F`, then perhaps `moves M …`.
    ///
    /// # Errors
    ///
    /// The fault of `words`, and its place. [`play`](Self::play) says which position is then current.
    pub fn position(&mut self, words: &str, dialect: Dialect) -> Result<(), String> {
        let (first, rest) = split_word(words);
        let words: Vec<_> = rest.split_ascii_whitespace().collect();
        let split = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        let (fen, moves) = words.split_at(split);
        let moves = moves.get(1..).unwrap_or_default();
        let fen = match first {
            "startpos" if fen.is_empty() => self.variant().start().to_owned(),
            "fen" if !fen.is_empty() => fen.join(" "),
            "fen" => return Err("position fen: a FEN is expected".to_owned()),
            "startpos" => return Err("position startpos: 'moves' or nothing is expected after it".to_owned()),
            _ => return Err("position: 'startpos' or 'fen' is expected after it".to_owned()),
        };
        let start = Board::from_fen(self.variant(), &fen).map_err(|error| error.to_string())?;
        self.play(start, moves, dialect)
    }

    /// Obeys `moves`: plays on from the current position.
    ///
    /// # Errors
    ///
    /// As [`position`](Self::position), and if the game is forfeited.
    pub fn moves(&mut self, words: &str, dialect: Dialect) -> Result<(), String> {
        let moves: Vec<_> = words.split_ascii_whitespace().collect();
        if let Some(side) = self.forfeited {
            return Err(format!("moves: the game is over, {side} has lost by an illegal move"));
        }
        self.play(self.board.clone(), &moves, dialect)
    }

    /// Takes the position after `moves` from `start`. After an illegal one the old position stays; but in UGI it loses
    /// the game for who played it, and the position before it is taken.
    fn play(&mut self, start: Board, moves: &[&str], dialect: Dialect) -> Result<(), String> {
        let mut board = start.clone();
        let Err(error) = board.play_all(moves) else {
            *self = Self { board, forfeited: None };
            return Ok(());
        };
        let message = error.to_string();
        if let (Dialect::Ugi, PositionError::Turn { index, .. }) = (dialect, error) {
            let mut board = start;
            if board.play_all(moves.get(..index).unwrap_or_default()).is_ok() {
                *self = Self { forfeited: Some(board.side_to_move()), board };
            }
        }
        Err(message)
    }

    /// Answers `query`.
    ///
    /// # Errors
    ///
    /// If the question is unknown.
    pub fn query(&self, words: &str) -> Result<String, String> {
        let forfeited = self.forfeited.map(|side| Outcome::Win(!side));
        Ok(match words.trim() {
            "p1turn" => (self.board.side_to_move() == Side::White).to_string(),
            // By the rules: what is decided may still be played out.
            "gameover" => forfeited.or(self.board.outcome()).is_some().to_string(),
            "result" => match forfeited.or_else(|| Some(decided(&self.board)?.outcome)) {
                None => "none",
                Some(Outcome::Draw) => "draw",
                Some(Outcome::Win(Side::White)) => "p1win",
                Some(Outcome::Win(Side::Black)) => "p2win",
            }
            .to_owned(),
            "margin" => match decided(&self.board).and_then(|decided| decided.margin).filter(|_| forfeited.is_none()) {
                Some(margin) => format!("{margin:+}"),
                None => "none".to_owned(),
            },
            other => return Err(format!("query '{other}': p1turn, gameover, result or margin is expected")),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hippolyta::games::variant;

    const AFTER_ONE: &str = "3q2q3/10/10/q2Q2*2q/10/10/Q8Q/10/10/6Q3 b - - 0 1";

    fn game() -> Game {
        let mut game = Game::new(variant::DEFAULT);
        assert_eq!(game.position("startpos moves d1d7,d7g7", Dialect::Uci), Ok(()));
        game
    }

    #[test]
    fn a_position_is_a_start_and_moves() {
        let mut game = game();
        assert_eq!(game.board().fen(), AFTER_ONE);
        assert_eq!(game.position(&format!("fen {AFTER_ONE}"), Dialect::Uci), Ok(()));
        assert_eq!((game.board().fen().as_str(), game.board().turns().len()), (AFTER_ONE, 0));
        assert_eq!(game.position("  startpos  ", Dialect::Uci), Ok(()));
        assert_eq!(game.moves(" d1d7,d7g7 ", Dialect::Uci), Ok(()));
        assert_eq!((game.board().fen().as_str(), game.board().turns().len()), (AFTER_ONE, 1));
    }

    #[test]
    fn what_is_wrong_leaves_the_last_good_position() {
        let mut game = game();
        for words in [
            "",
            "fen",
            "fen 9",
            "startpos d1d7,d7g7",
            "startpos moves a1a2,a2a3",
            "startpos moves d1d7,d7g7 a7a8,a8a9 a1a2,a2a3",
        ] {
            assert!(game.position(words, Dialect::Uci).is_err(), "{words}");
            assert_eq!((game.board().fen().as_str(), game.is_forfeited()), (AFTER_ONE, false), "{words}");
        }
        assert!(game.moves("a7a8,a8a9 x", Dialect::Uci).is_err());
        assert_eq!(game.board().fen(), AFTER_ONE);
    }

    #[test]
    fn a_result_is_told_as_soon_as_it_is_certain() {
        let mut game = Game::new(variant::DEFAULT);
        let ask = |game: &Game| ["gameover", "result", "margin"].map(|what| game.query(what).unwrap());
        assert_eq!(ask(&game), ["false", "none", "none"]);
        assert_eq!(game.position("fen Q1*1q/2*2/2*2 w", Dialect::Uci), Ok(()));
        assert_eq!(ask(&game), ["false", "p2win", "-0.5"]);
        assert_eq!(game.position("fen q*Q3/******/****** b", Dialect::Uci), Ok(()));
        assert_eq!(ask(&game), ["true", "p1win", "+3.5"]);
        assert!(game.position("startpos moves x", Dialect::Ugi).is_err());
        assert_eq!(ask(&game), ["true", "p2win", "none"]);
    }

    #[test]
    fn in_ugi_an_illegal_move_loses_before_it_is_played_and_a_bad_fen_does_not() {
        let mut game = game();
        assert!(game.position("fen 9", Dialect::Ugi).is_err());
        assert!(!game.is_forfeited());
        assert!(game.position("startpos moves x", Dialect::Ugi).is_err());
        assert_eq!(
            (game.board().fen().as_str(), game.query("result").as_deref()),
            (variant::DEFAULT.start(), Ok("p2win"))
        );
        assert_eq!(
            game.moves("d1d7,d7g7", Dialect::Ugi),
            Err("moves: the game is over, white has lost by an illegal move".to_owned())
        );
        assert!(game.position("startpos moves d1d7,d7g7 d1d2,d2d3", Dialect::Ugi).is_err());
        assert_eq!(game.board().fen(), AFTER_ONE);
        let ask = |game: &Game| ["p1turn", "gameover", "result"].map(|what| game.query(what).unwrap());
        assert_eq!(ask(&game), ["false", "true", "p1win"]);
        game.forgive();
        assert_eq!(ask(&game), ["false", "false", "none"]);
        assert_eq!(game.moves("a7a8,a8a9", Dialect::Ugi), Ok(()));
        assert_eq!(ask(&game), ["true", "false", "none"]);
        assert!(game.query("weather").is_err());
    }
}
