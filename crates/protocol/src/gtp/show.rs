//! Positions as text and as GoGui's graphics.

use super::game::Game;
use super::vertex;
use hippolyta::board::Square;
use hippolyta::engine::{Analysis, Board, Decided, Line, Owner, Score, Territory, decided};
use hippolyta::games::{Outcome, Piece, Side, Turn};

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
    let columns: String = (0..pieces.files()).flat_map(|file| [' ', vertex::column(file)]).collect();
    let rank = |(index, rank): (usize, &[Option<Piece>])| {
        let number = pieces.ranks() - index;
        let letters = rank.iter().flat_map(|piece| [' ', piece.map_or('.', Piece::letter)]);
        format!("{number:>2}{} {number}", letters.collect::<String>())
    };
    let ranks: Vec<_> = pieces.rows().enumerate().map(rank).collect();
    format!("  {columns}\n{}\n  {columns}\n{}", ranks.join("\n"), state(game))
}

/// The board as GoGui wants it: `O` for White's pieces, `X` for Black's, `.` for the rest.
pub(super) fn stones(game: &Game) -> String {
    let stone = |piece: &Option<Piece>| match piece.and_then(Piece::side) {
        Some(Side::White) => "O",
        Some(Side::Black) => "X",
        None => ".",
    };
    let rank = |rank: &[Option<Piece>]| rank.iter().map(stone).collect::<Vec<_>>().join(" ");
    game.pieces().rows().map(rank).collect::<Vec<_>>().join("\n")
}

/// Marks on GoGui's board, beside the pieces: a graphics command a line.
pub(super) fn graphics(game: &Game) -> String {
    let mut lines = Vec::new();
    let pieces = game.pieces();
    let mut paint = |colour: &str, which: Vec<Square>| {
        if !which.is_empty() {
            lines.push(format!("{colour} {}", vertex::list(&which)));
        }
    };
    if game.board().variant().traits().dark_squares {
        let dark = pieces.squares().filter(|(square, _)| (square.file() + square.rank()) % 2 == 1);
        paint(&format!("COLOR {DARK}"), dark.map(|(square, _)| square).collect());
    }
    let walls = pieces.squares().filter(|(_, piece)| *piece == Some(Piece::Neutral));
    paint(&format!("COLOR {WALL}"), walls.map(|(square, _)| square).collect());
    match game.chosen() {
        [] => {
            if let Some(last) = game.board().last_turn() {
                paint("TRIANGLE", vec![last.from()]);
                paint("CIRCLE", vec![last.to()]);
            }
        }
        [.., at] => {
            paint("SQUARE", vec![*at]);
            paint(&format!("COLOR {TARGET}"), game.next());
        }
    }
    // Amazons among stones, and the ranks of Damone. Where all pieces are alike they need no letter.
    let is_labelled = |piece: &Piece| matches!(piece, Piece::Amazon(_) | Piece::Dama(_) | Piece::Damone(_));
    let are_alike = pieces.iter().all(|(_, piece)| matches!(piece, Piece::Amazon(_) | Piece::Neutral));
    let labels: Vec<_> = pieces
        .squares()
        .filter_map(|(square, piece)| Some((square, piece.filter(|piece| !are_alike && is_labelled(piece))?)))
        .map(|(square, piece)| format!("{} {}", vertex::write(square), piece.letter().to_ascii_uppercase()))
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

/// White's and Black's number of pieces of a kind.
fn count(game: &Game, kind: fn(Side) -> Piece) -> [usize; 2] {
    let pieces = game.board().pieces();
    [Side::White, Side::Black].map(|side| pieces.count(kind(side)))
}

/// The result in words.
pub(super) fn result(game: &Game) -> String {
    let [white, black] = count(game, Piece::Stone);
    let stones = if white + black > 0 { format!(", stones {white} to {black}") } else { String::new() };
    if let Some(side) = game.resigned() {
        return format!("{} resigns, {} wins", name(side), name(!side));
    }
    match game.outcome() {
        None => match decided(game.board()) {
            None => "The game is not over".to_owned(),
            Some(decided) => format!("The game is not over, but decided: {decided}, {}", decided.by.reason()),
        },
        Some(Outcome::Draw) => format!("The game is drawn{stones}"),
        Some(Outcome::Win(side)) => format!("{} wins{stones}", name(side)),
    }
}

/// The result as `final_score` gives it: `W+12` in stones, `W+3.5` in turns, `W+R` where the margin is not known;
/// `None` as long as the result is not certain.
pub(super) fn final_score(game: &Game) -> Option<String> {
    let (outcome, margin) = match game.resigned() {
        Some(side) => (Outcome::Win(!side), None),
        None => decided(game.board()).map(|Decided { outcome, margin, .. }| (outcome, margin))?,
    };
    Some(match (outcome, margin) {
        (Outcome::Draw, _) => "0".to_owned(),
        (Outcome::Win(side), margin) => {
            let letter = if side == Side::White { 'W' } else { 'B' };
            let margin = margin.map_or_else(|| "R".to_owned(), |margin| margin.abs().to_string());
            format!("{letter}+{margin}")
        }
    })
}

/// The pieces that Black and White have captured.
pub(super) fn captured(game: &Game) -> String {
    if !game.board().variant().traits().promotes {
        return "0 0".to_owned();
    }
    let all = |board: &Board| {
        let pieces = board.pieces();
        [Side::White, Side::Black].map(|side| pieces.iter().filter(|(_, piece)| piece.side() == Some(side)).count())
    };
    let [[white, black], [white_now, black_now]] = [all(game.start()), all(game.board())];
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
    let squares = |turn: &Turn| vertex::list(turn.squares().iter().skip(std::mem::take(&mut skip)));
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
    let mut lines = vec![
        format!("SQUARE {}", vertex::write(turn.from())),
        format!("CIRCLE {}", vertex::list(turn.path().iter().skip(1))),
    ];
    lines.extend(turn.fire().map(|at| format!("MARK {}", vertex::write(at))));
    let text = analysis.lines.first().map(|line| turns(line, game.chosen()).join(", ")).unwrap_or_default();
    lines.push(format!("TEXT {said}: {text}"));
    lines.join("\n")
}

/// Who owns the squares, as graphics: 1 is Black's, −1 White's.
pub(super) fn ownership(game: &Game, side: Side, owners: &[Option<f64>]) -> String {
    let pieces = game.pieces();
    let for_black = if side == Side::Black { 1.0 } else { -1.0 };
    let influence = |(square, owner): (Square, &Option<f64>)| {
        owner.filter(|owner| *owner != 0.0).map(|owner| format!("{} {:.2}", vertex::write(square), for_black * owner))
    };
    let pairs: Vec<_> = pieces.squares().map(|(square, _)| square).zip(owners).filter_map(influence).collect();
    format!("INFLUENCE {}", pairs.join(" ")).trim_end().to_owned()
}

/// The regions of the Amazons as graphics.
pub(super) fn territory(game: &Game, side: Side, territory: &Territory) -> String {
    let pieces = game.pieces();
    let owned = |side: Side| {
        let regions = territory.regions.iter().filter(|region| region.owner == Owner::Territory(side));
        vertex::list(regions.flat_map(|region| &region.squares).filter(|&&square| pieces.at(square).is_none()))
    };
    let range = |[least, most]: [u32; 2]| if least == most { least.to_string() } else { format!("{least} to {most}") };
    let (white, black) = (range(territory.turns_left.white), range(territory.turns_left.black));
    let ahead = |margin: f64| {
        let side = if margin < 0.0 { !side } else { side };
        format!(", {} ahead by {} turns", name(side), margin.abs())
    };
    let margin = territory.margin.map(ahead).unwrap_or_default();
    let mut lines = vec![format!("BLACK {}", owned(Side::Black)), format!("WHITE {}", owned(Side::White))];
    lines.retain(|line| line.contains(|c: char| c.is_ascii_digit()));
    lines.push(format!("TEXT turns left in own territory: White {white}, Black {black}{margin}"));
    lines.join("\n")
}
