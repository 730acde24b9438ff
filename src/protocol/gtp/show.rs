//! Positions as text and as GoGui's graphics.

use super::game::Game;
use super::vertex;
use crate::board::Square;
use crate::engine::{Analysis, Line, Score, Territory};
use crate::games::{Outcome, Side};

/// The colour of arrows and neutral stones.
const WALL: &str = "#000000";
/// The colour of squares where the turn may go on.
const TARGET: &str = "#7fc97f";
/// The colour of Damone's dark squares.
const DARK: &str = "#b58863";

/// `White` or `Black`.
pub(super) fn name(side: Side) -> &'static str {
    if side == Side::White { "White" } else { "Black" }
}

/// A picture for people, with GTP's coordinates.
pub(super) fn board(game: &Game) -> String {
    let pieces = game.pieces();
    let files = pieces.first().map_or(0, Vec::len);
    let columns: String = (0..files).flat_map(|file| [' ', vertex::column(file)]).collect();
    let rank = |(index, rank): (usize, &Vec<char>)| {
        let number = pieces.len() - index;
        format!("{number:>2}{} {number}", rank.iter().flat_map(|&piece| [' ', piece]).collect::<String>())
    };
    let ranks: Vec<_> = pieces.iter().enumerate().map(rank).collect();
    format!("  {columns}\n{}\n  {columns}\n{}", ranks.join("\n"), state(game))
}

/// The board as GoGui wants it: `O` for White's pieces, `X` for Black's, `.` for the rest.
pub(super) fn stones(game: &Game) -> String {
    let stone = |&piece: &char| match piece {
        'A'..='Z' => "O",
        'a'..='z' => "X",
        _ => ".",
    };
    let rank = |rank: Vec<char>| rank.iter().map(stone).collect::<Vec<_>>().join(" ");
    game.pieces().into_iter().map(rank).collect::<Vec<_>>().join("\n")
}

/// Every square with its piece, `.` for none.
fn squares(game: &Game) -> Vec<(Square, char)> {
    let pieces = game.pieces();
    let height = pieces.len();
    let mut squares = Vec::new();
    for (index, rank) in pieces.into_iter().enumerate() {
        for (file, piece) in rank.into_iter().enumerate() {
            squares.extend(Square::at(file, height - 1 - index).map(|square| (square, piece)));
        }
    }
    squares
}

/// What else is to be seen on GoGui's board: a graphics command a line.
pub(super) fn graphics(game: &Game) -> String {
    let mut lines = Vec::new();
    let squares = squares(game);
    let mut paint = |colour: &str, which: Vec<Square>| {
        if !which.is_empty() {
            lines.push(format!("{colour} {}", vertex::list(&which)));
        }
    };
    let like = |is: &dyn Fn(Square, char) -> bool| -> Vec<Square> {
        squares.iter().filter(|&&(square, piece)| is(square, piece)).map(|&(square, _)| square).collect()
    };
    if !game.fires() {
        paint(&format!("COLOR {DARK}"), like(&|square, _| (square.file() + square.rank()) % 2 == 1));
    }
    paint(&format!("COLOR {WALL}"), like(&|_, piece| piece == '*'));
    match game.chosen() {
        [] => {
            let last = game.board().turns().pop().map(|turn| vertex::of_turn(&turn)).unwrap_or_default();
            if let [from, rest @ ..] = &last[..] {
                paint("TRIANGLE", vec![*from]);
                let to = if game.fires() { rest.first() } else { rest.last() };
                paint("CIRCLE", to.copied().into_iter().collect());
            }
        }
        [.., at] => {
            paint("SQUARE", vec![*at]);
            paint(&format!("COLOR {TARGET}"), game.next());
        }
    }
    // Amazons among stones, and the ranks of Damone. Where all pieces are alike they need no letter.
    let has_stones = squares.iter().any(|(_, piece)| "SsPpDdIi".contains(*piece));
    let labels: Vec<_> = squares
        .iter()
        .filter(|(_, piece)| has_stones && "QDI".contains(piece.to_ascii_uppercase()))
        .map(|&(square, piece)| format!("{} {}", vertex::write(square), piece.to_ascii_uppercase()))
        .collect();
    if !labels.is_empty() {
        lines.push(format!("LABEL {}", labels.join(" ")));
    }
    lines.push(format!("TEXT {}", state(game)));
    lines.join("\n")
}

/// Who is to do what, or who has won.
pub(super) fn state(game: &Game) -> String {
    if game.outcome().is_some() {
        return result(game);
    }
    let side = name(game.side_to_move());
    let chosen = vertex::list(game.chosen());
    match (game.chosen().len(), game.fires()) {
        (0, true) => format!("{side} to move: choose an amazon"),
        (0, false) => format!("{side} to move: choose a piece"),
        (2.., true) => format!("{side}: {chosen}, choose where to fire"),
        _ => format!("{side}: {chosen}, choose where to go"),
    }
}

/// White's and Black's number of `letter`, a capital.
fn count(game: &Game, letter: char) -> [usize; 2] {
    let pieces = game.pieces();
    let count = |letter: char| pieces.iter().flatten().filter(|&&piece| piece == letter).count();
    [count(letter), count(letter.to_ascii_lowercase())]
}

/// The result in words.
pub(super) fn result(game: &Game) -> String {
    let [white, black] = count(game, 'S');
    let stones = if white + black > 0 { format!(", stones {white} to {black}") } else { String::new() };
    match game.outcome() {
        None => "The game is not over".to_owned(),
        Some(Outcome::Draw) => format!("The game is drawn{stones}"),
        Some(Outcome::Win(side)) => format!("{} wins{stones}", name(side)),
    }
}

/// The result as `final_score` gives it: `W+12` in stones, `W+R` where nothing is counted; `None` until the end.
pub(super) fn final_score(game: &Game) -> Option<String> {
    let [white, black] = count(game, 'S');
    Some(match game.outcome()? {
        Outcome::Draw => "0".to_owned(),
        Outcome::Win(side) => {
            let letter = if side == Side::White { 'W' } else { 'B' };
            match white.abs_diff(black) {
                0 => format!("{letter}+R"),
                margin => format!("{letter}+{margin}"),
            }
        }
    })
}

/// The pieces that Black and White have captured.
pub(super) fn captured(game: &Game) -> String {
    if game.fires() {
        return "0 0".to_owned();
    }
    let all = |game: &Game| {
        let kinds = ['P', 'D', 'I'].map(|letter| count(game, letter));
        [0, 1].map(|side| kinds.iter().filter_map(|kind| kind.get(side)).sum::<usize>())
    };
    let [[white, black], [white_now, black_now]] = [all(&Game::new(game.start().clone())), all(game)];
    format!("{} {}", white.saturating_sub(white_now), black.saturating_sub(black_now))
}

/// A score in words, from the view of `side`.
pub(super) fn score(side: Side, score: Score) -> String {
    let side = name(side);
    match score {
        Score::Estimate { score, .. } => format!("{side} {:.1} %", 100.0 * score),
        Score::Win { plies: 0 } => format!("{side} has won"),
        Score::Loss { plies: 0 } => format!("{side} has lost"),
        Score::Win { plies } => format!("{side} wins within {} turns", plies.div_ceil(2)),
        Score::Loss { plies } => format!("{side} loses within {} turns", plies.div_ceil(2)),
        Score::Draw => "a draw".to_owned(),
    }
}

/// The turns of a line, each as its squares, without the squares that are chosen already.
pub(super) fn turns(line: &Line, chosen: &[Square]) -> Vec<String> {
    let mut skip = chosen.len();
    let squares = |turn: &String| vertex::list(vertex::of_turn(turn).iter().skip(std::mem::take(&mut skip)));
    line.turns.iter().map(squares).collect()
}

/// A line of `hippolyta-lines`.
pub(super) fn line(side: Side, (index, line): (usize, &Line), chosen: &[Square]) -> String {
    format!("{}: {}, {} visits: {}", index + 1, score(side, line.score), line.visits, turns(line, chosen).join(", "))
}

/// The best turn as graphics, with the score as text.
pub(super) fn best(analysis: &Analysis, game: &Game) -> String {
    let said = score(analysis.side, analysis.score);
    let Some(turn) = analysis.best() else { return format!("TEXT {said}") };
    let squares = vertex::of_turn(turn);
    let mut lines = Vec::new();
    if let [from, rest @ ..] = &squares[..] {
        lines.push(format!("SQUARE {}", vertex::write(*from)));
        let (to, fire) = if game.fires() { rest.split_at(rest.len().min(1)) } else { (rest, &[][..]) };
        lines.push(format!("CIRCLE {}", vertex::list(to)));
        if !fire.is_empty() {
            lines.push(format!("MARK {}", vertex::list(fire)));
        }
    }
    let text = analysis.lines.first().map(|line| turns(line, game.chosen()).join(", ")).unwrap_or_default();
    lines.push(format!("TEXT {said}: {text}"));
    lines.join("\n")
}

/// Who owns the squares, as graphics: 1 is Black's, −1 White's.
pub(super) fn ownership(game: &Game, side: Side, owners: &[Option<f64>]) -> String {
    let for_black = if side == Side::Black { 1.0 } else { -1.0 };
    let influence = |((square, _), owner): (&(Square, char), &Option<f64>)| {
        owner.filter(|owner| *owner != 0.0).map(|owner| format!("{} {:.2}", vertex::write(*square), for_black * owner))
    };
    let pairs: Vec<_> = squares(game).iter().zip(owners).filter_map(influence).collect();
    format!("INFLUENCE {}", pairs.join(" ")).trim_end().to_owned()
}

/// The regions of the Amazons as graphics.
pub(super) fn territory(game: &Game, side: Side, territory: &Territory) -> String {
    let empty: Vec<_> =
        squares(game).into_iter().filter(|(_, piece)| *piece == '.').map(|(square, _)| square).collect();
    let owned = |owner: &str| {
        let regions = territory.regions.iter().filter(|region| region.owner == owner);
        let squares = regions.flat_map(|region| &region.squares).filter_map(|text| text.parse::<Square>().ok());
        vertex::list(&squares.filter(|square| empty.contains(square)).collect::<Vec<_>>())
    };
    let range = |[least, most]: [u32; 2]| if least == most { least.to_string() } else { format!("{least} to {most}") };
    let (white, black) = (range(territory.turns_left.white), range(territory.turns_left.black));
    let ahead = |margin: f64| {
        let side = if margin < 0.0 { !side } else { side };
        format!(", {} ahead by {} turns", name(side), margin.abs())
    };
    let margin = territory.margin.map(ahead).unwrap_or_default();
    let mut lines = vec![format!("BLACK {}", owned("black")), format!("WHITE {}", owned("white"))];
    lines.retain(|line| line.contains(|c: char| c.is_ascii_digit()));
    lines.push(format!("TEXT turns left in own territory: White {white}, Black {black}{margin}"));
    lines.join("\n")
}
