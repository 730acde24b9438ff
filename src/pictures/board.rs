//! A position as SVG.

use super::figures;
use super::look::PLAIN;
use super::page::escaped;
use crate::board::Square;
use crate::engine::{Board, Owned, Owner, Pieces};
use crate::games::variant::Traits;
use crate::games::{Piece, Side, Turn};
use std::fmt::Write as _;

/// Units of a square's side.
const SQUARE: f64 = 100.0;
const HALF: f64 = SQUARE / 2.0;
const RIM: f64 = 7.0;
const MARGIN: f64 = 44.0;
/// Owned less than this is nobody's.
const LEAST: f64 = 0.08;

/// What an arrow means, which is its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrowKind {
    /// The best turn.
    Best,
    /// Another good one.
    Other,
    /// What the opponent wants.
    Threat,
    /// A hint.
    Hint,
    /// The turn that was played.
    Played,
}

impl ArrowKind {
    fn class(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Other => "other",
            Self::Threat => "threat",
            Self::Hint => "hint",
            Self::Played => "played",
        }
    }
}

/// A drawing of a position: pieces and arrows, and as far as it is told the last turn, arrows over the board and who
/// owns which squares. White stands at the bottom.
///
/// ```
/// use hippolyta::engine::Board;
/// use hippolyta::games::variant::VARIANTS;
/// use hippolyta::pictures::Picture;
///
/// for variant in VARIANTS {
///     assert!(Picture::new(&Board::new(variant)).svg().contains("White to move"));
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Picture {
    pieces: Pieces,
    traits: Traits,
    side: Side,
    label: String,
    last: Option<Turn>,
    arrows: Vec<(Turn, ArrowKind)>,
    owned: Owned,
    flipped: bool,
    coordinates: bool,
}

fn number(value: f64) -> String {
    // Plus 0 makes −0 plain 0.
    format!("{}", (value * 10.0).round() / 10.0 + 0.0)
}

/// A square around its middle.
fn rect(class: &str, (x, y): (f64, f64), half: f64, rx: u32) -> String {
    let (left, top, side) = (number(x - half), number(y - half), number(2.0 * half));
    let corner = if rx > 0 { format!(r#" rx="{rx}""#) } else { String::new() };
    format!(r#"<rect class="{class}" x="{left}" y="{top}" width="{side}" height="{side}"{corner}/>"#)
}

fn text((x, y): (f64, f64), size: f64, content: &str) -> String {
    let (x, y, size) = (number(x), number(y), number(size));
    format!(r#"<text x="{x}" y="{y}" font-size="{size}" text-anchor="middle">{}</text>"#, escaped(content))
}

impl Picture {
    /// The position of a board.
    #[must_use]
    pub fn new(board: &Board) -> Self {
        let side = board.side_to_move();
        let name = if side == Side::White { "White" } else { "Black" };
        Self {
            pieces: board.pieces(),
            traits: board.variant().traits(),
            side,
            label: format!("{}, {name} to move", board.variant().name),
            last: None,
            arrows: Vec::new(),
            owned: Owned::default(),
            flipped: false,
            coordinates: true,
        }
    }

    /// Marks the squares of the turn that led here.
    #[must_use]
    pub fn last_turn(mut self, turn: &Turn) -> Self {
        self.last = Some(turn.clone());
        self
    }

    /// Draws a turn over the board: an arrow for the move, a dashed line with a target for the shot. The first arrow
    /// lies on top of the others.
    #[must_use]
    pub fn arrow(mut self, turn: &Turn, kind: ArrowKind) -> Self {
        self.arrows.push((turn.clone(), kind));
        self
    }

    /// Draws who owns which squares: estimates as small shapes, White's round and Black's square, and settled regions
    /// hatched, with the number of turns in them.
    #[must_use]
    pub fn owned(mut self, owned: &Owned) -> Self {
        self.owned = owned.clone();
        self
    }

    /// Puts Black at the bottom.
    #[must_use]
    pub fn flipped(mut self) -> Self {
        self.flipped = true;
        self
    }

    /// Leaves the names of files and ranks out.
    #[must_use]
    pub fn without_coordinates(mut self) -> Self {
        self.coordinates = false;
        self
    }

    /// What is said to those who do not see the picture.
    #[must_use]
    pub fn label(mut self, label: &str) -> Self {
        label.clone_into(&mut self.label);
        self
    }

    /// The middle of a square; `None` if it is not on the board.
    fn at(&self, square: Square) -> Option<(f64, f64)> {
        if !self.pieces.contains(square) {
            return None;
        }
        let (mut column, mut row) = (square.file(), self.pieces.ranks() - 1 - square.rank());
        if self.flipped {
            (column, row) = (self.pieces.files() - 1 - column, square.rank());
        }
        Some((column as f64 * SQUARE + HALF, row as f64 * SQUARE + HALF))
    }

    /// The middles of a turn's squares; empty if one is not on the board.
    fn points(&self, turn: &Turn) -> Vec<(f64, f64)> {
        turn.squares().iter().map(|&square| self.at(square)).collect::<Option<_>>().unwrap_or_default()
    }

    /// Whether a piece that is nobody's is a square which an arrow has closed.
    fn burns(&self) -> bool {
        self.traits.fires && !self.traits.stones
    }

    /// The squares alone.
    fn ground(&self) -> String {
        let (width, height) = (self.pieces.files() as f64 * SQUARE + 10.0, self.pieces.ranks() as f64 * SQUARE + 10.0);
        let mut drawn = format!(r#"<rect class="frame" x="-5" y="-5" width="{width}" height="{height}" rx="5"/>"#);
        for (class, is_dark) in [("light", false), ("dark", true)] {
            // One path for each colour keeps the drawing small.
            let mut data = String::new();
            for (square, _) in self.pieces.squares() {
                // On Damone's board h1 is dark; on the others a1 is, as in chess.
                let even = (square.file() + square.rank()).is_multiple_of(2);
                if (even != self.traits.dark_squares) == is_dark
                    && let Some((x, y)) = self.at(square)
                {
                    let _ = write!(data, "M{} {}h100v100h-100z", x - HALF, y - HALF);
                }
            }
            let _ = write!(drawn, r#"<path class="{class}" d="{data}"/>"#);
        }
        drawn
    }

    /// On small boards squares are drawn larger; letters stay as they are.
    fn scale(&self) -> f64 {
        (self.pieces.files().max(self.pieces.ranks()) as f64 / 10.0).max(0.62)
    }

    fn names(&self) -> String {
        let (scale, columns, rows) = (self.scale(), self.pieces.files(), self.pieces.ranks());
        let mut drawn = String::new();
        for column in 0..columns {
            let file = if self.flipped { columns - 1 - column } else { column };
            let name = char::from(b'a' + file as u8).to_string();
            let place = (column as f64 * SQUARE + HALF, rows as f64 * SQUARE + 6.0 + 30.0 * scale);
            drawn += &text(place, 28.0 * scale, &name);
        }
        for row in 0..rows {
            let rank = if self.flipped { row + 1 } else { rows - row };
            let place = (-6.0 - 21.0 * scale, row as f64 * SQUARE + HALF + 9.0 * scale);
            drawn += &text(place, 28.0 * scale, &rank.to_string());
        }
        drawn
    }

    /// Where the last turn began is a dashed frame, where it went a filled one, where it fired one of another colour.
    fn last(&self) -> String {
        let Some(turn) = &self.last else { return String::new() };
        let end = turn.path().len() - 1;
        let mut drawn = String::new();
        for (index, &point) in self.points(turn).iter().enumerate() {
            let kind = match index {
                0 => "from",
                _ if index > end => "fire",
                _ if index == end => "to",
                _ => "between",
            };
            let (tint, edge) = (rect("tint", point, HALF, 0), rect("edge", point, HALF - 4.0, 3));
            let _ = write!(drawn, r#"<g class="{kind}">{tint}{edge}</g>"#);
        }
        drawn
    }

    fn pieces(&self) -> String {
        let mut drawn = String::new();
        for (square, piece) in self.pieces.squares() {
            if let (Some(piece), Some((x, y))) = (piece, self.at(square)) {
                let name = figures::name(piece, self.burns());
                let _ = write!(drawn, r##"<use href="#piece-{name}" x="{x}" y="{y}"/>"##);
            }
        }
        drawn
    }

    /// The owner of a square's settled region.
    fn settled(&self, square: Square) -> Option<Side> {
        let regions = self.owned.territory.iter().flat_map(|territory| &territory.regions);
        regions.filter(|region| region.squares.contains(&square)).find_map(|region| match region.owner {
            Owner::Territory(side) => Some(side),
            Owner::Contested => None,
        })
    }

    /// Marks under the pieces, and marks above them.
    fn marks(&self) -> [String; 2] {
        let [mut below, mut above] = [String::new(), String::new()];
        // Values are those of the side to move.
        let sign = if self.side == Side::White { 1.0 } else { -1.0 };
        let values = self.owned.ownership.as_deref().unwrap_or_default();
        for (index, (square, piece)) in self.pieces.squares().enumerate() {
            let Some(point) = self.at(square) else { continue };
            let value = sign * values.get(index).copied().flatten().unwrap_or(0.0);
            if let Some(side) = self.settled(square).filter(|_| piece != Some(Piece::Neutral)) {
                let (x, y, tint) = (number(point.0 - HALF), number(point.1 - HALF), rect("tint", point, HALF, 0));
                let _ = write!(
                    below,
                    r#"<g class="mark settled of-{side}">{tint}<rect fill="url(#hatch-{side})" x="{x}" y="{y}" width="100" height="100"/></g>"#
                );
            } else if value.abs() >= LEAST {
                // In a corner where a piece stands, so that it is seen.
                let (radius, place, marks) = if piece.is_none() {
                    (5.0 + 11.0 * value.abs(), point, &mut below)
                } else {
                    (4.0 + 9.0 * value.abs(), (point.0 + 33.0, point.1 - 33.0), &mut above)
                };
                if value > 0.0 {
                    let (x, y, radius) = (number(place.0), number(place.1), number(radius));
                    let _ = write!(marks, r#"<circle class="mark estimate of-white" cx="{x}" cy="{y}" r="{radius}"/>"#);
                } else {
                    *marks += &rect("mark estimate of-black", place, 0.9 * radius, 0);
                }
            }
        }
        [below, above]
    }

    /// The turns of each settled region, on its middlemost empty square.
    fn labels(&self) -> String {
        let mut drawn = String::new();
        for region in self.owned.territory.iter().flat_map(|territory| &territory.regions) {
            let Owner::Territory(side) = region.owner else { continue };
            let turns = if side == Side::White { region.turns.white } else { region.turns.black };
            let empty = region.squares.iter().filter(|&&square| self.pieces.at(square).is_none());
            let points: Vec<_> = empty.filter_map(|&square| self.at(square)).collect();
            let count = points.len() as f64;
            let middle =
                (points.iter().map(|p| p.0).sum::<f64>() / count, points.iter().map(|p| p.1).sum::<f64>() / count);
            let far = |p: &(f64, f64)| (p.0 - middle.0).powi(2) + (p.1 - middle.1).powi(2);
            let Some(&(x, y)) = points.iter().min_by(|a, b| far(a).total_cmp(&far(b))) else { continue };
            let [least, most] = turns;
            let said = if least == most { least.to_string() } else { format!("{least} to {most}") };
            let size = if said.len() > 6 {
                22.0
            } else if said.len() > 2 {
                28.0
            } else {
                36.0
            };
            let width = (said.len() as f64 * size * 0.56 + 22.0).max(52.0);
            // Round for White, square for Black, as the shapes of estimates.
            let corner = if side == Side::White { 26 } else { 4 };
            let label = text((x, y + 0.35 * size), size, &said);
            let _ = write!(
                drawn,
                r#"<g class="region-label of-{side}"><rect x="{}" y="{}" width="{}" height="52" rx="{corner}"/>{label}</g>"#,
                number(x - width / 2.0),
                number(y - 26.0),
                number(width)
            );
        }
        drawn
    }

    /// Arrows over the board, the first one last.
    fn turns(&self) -> String {
        let mut drawn = String::new();
        for (turn, kind) in self.arrows.iter().rev() {
            let points = self.points(turn);
            let moves = &points[..points.len().min(turn.path().len())];
            let _ = write!(drawn, r#"<g class="turn-arrow {}" opacity="0.95">"#, kind.class());
            for pair in moves.windows(2) {
                if let [from, to] = *pair {
                    // The head ends before the middle, so that a piece there can be seen.
                    let data = arrow(shorter(to, from, 22.0), shorter(from, to, 14.0), 22.0);
                    let _ = write!(drawn, r#"<path class="move" d="{data}"/>"#);
                }
            }
            if let (true, Some(&from), Some(&to)) = (moves.len() < points.len(), moves.last(), points.last()) {
                drawn += &shot(from, to, 22.0);
            }
            drawn.push_str("</g>");
        }
        drawn
    }

    /// The drawing for a page that has the style sheet and the figures of [`Page`](super::Page).
    #[must_use]
    pub fn embedded(&self) -> String {
        let mut svg = self.open("");
        svg += &self.body();
        svg + "</svg>"
    }

    /// The embedded drawing without pieces and label: the viewer adds its own.
    pub(super) fn bare(mut self) -> String {
        self.pieces = Pieces::new((self.pieces.files(), self.pieces.ranks()), |_| None);
        self.label("").embedded()
    }

    fn open(&self, more: &str) -> String {
        let (low, high) =
            if self.coordinates { (MARGIN * self.scale() + RIM, 22.0 * self.scale()) } else { (RIM, RIM) };
        let (width, height) =
            (self.pieces.files() as f64 * SQUARE + low + high, self.pieces.ranks() as f64 * SQUARE + low + high);
        let [low, high, width, height] = [-low, -high, width, height].map(number);
        format!(
            r#"<svg{more} class="board" viewBox="{low} {high} {width} {height}" role="img" aria-label="{}">"#,
            escaped(&self.label)
        )
    }

    fn body(&self) -> String {
        let [below, above] = self.marks();
        let names = if self.coordinates { self.names() } else { String::new() };
        let mut body = String::new();
        for (class, drawn) in [
            ("ground", self.ground()),
            ("coordinates", names),
            ("marks", below),
            ("last", self.last()),
            ("pieces", self.pieces()),
            ("marks", above),
            ("turns", self.turns()),
            ("labels", self.labels()),
        ] {
            // The viewer fills what is empty.
            if !drawn.is_empty() || ["last", "pieces"].contains(&class) {
                let _ = write!(body, r#"<g class="{class}">{drawn}</g>"#);
            }
        }
        body
    }

    /// The drawing as a file of its own, in the light theme, 480 pixels at its longer side.
    #[must_use]
    pub fn svg(&self) -> String {
        let [files, ranks] = [self.pieces.files(), self.pieces.ranks()];
        let longest = files.max(ranks).max(1);
        let [width, height] = [files, ranks].map(|count| 480 * count / longest);
        let more = format!(
            r#" xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="system-ui, sans-serif""#
        );
        let there = Piece::ALL.into_iter().filter(|&piece| self.pieces.count(piece) > 0);
        let figures = there.map(|piece| (piece, self.burns()));
        let mut svg = self.open(&more);
        let _ = write!(svg, "<style>{}</style>{}", *PLAIN, figures::definitions(figures));
        if self.coordinates {
            // A card under the letters, which else were unreadable on dark ground.
            svg.push_str("<rect x=\"-60\" y=\"-60\" width=\"110%\" height=\"110%\" fill=\"#f5f1e8\"/>");
        }
        svg += &self.body();
        svg + "</svg>"
    }
}

type Point = (f64, f64);

/// The point that lies `by` before `end` on the way from `start`; never behind the middle.
fn shorter(start: Point, end: Point, by: f64) -> Point {
    let length = (end.0 - start.0).hypot(end.1 - start.1);
    if length == 0.0 {
        return end;
    }
    let rest = (length / 2.0).max(length - by) / length;
    (start.0 + (end.0 - start.0) * rest, start.1 + (end.1 - start.1) * rest)
}

/// The outline of an arrow: a shaft that widens a little, and a head.
fn arrow(start: Point, end: Point, width: f64) -> String {
    let length = (end.0 - start.0).hypot(end.1 - start.1);
    if length == 0.0 {
        return String::new();
    }
    let (ux, uy) = ((end.0 - start.0) / length, (end.1 - start.1) / length);
    let neck = length - (length * 0.6).min(width * 2.0 + 10.0);
    let (thin, thick, wide) = (width * 0.38, width / 2.0, width * 1.15 + 4.0);
    let outline =
        [(0.0, -thin), (neck, -thick), (neck, -wide), (length, 0.0), (neck, wide), (neck, thick), (0.0, thin)];
    let point = |(along, across): Point| {
        format!("{} {}", number(start.0 + ux * along - uy * across), number(start.1 + uy * along + ux * across))
    };
    format!("M{}Z", outline.map(point).join("L"))
}

fn shot(start: Point, end: Point, width: f64) -> String {
    let ((x1, y1), (x2, y2)) = (shorter(end, start, 18.0), shorter(start, end, 24.0));
    let way = format!("M{} {}L{} {}", number(x1), number(y1), number(x2), number(y2));
    let (x, y) = (number(end.0), number(end.1));
    let cross = format!("M{} {}l18 18m0 -18l-18 18", number(end.0 - 9.0), number(end.1 - 9.0));
    format!(
        r#"<path class="halo" d="{way}" stroke-width="{}"/><path class="dashes" d="{way}" stroke-width="{}"/><circle class="target" cx="{x}" cy="{y}" r="26"/><path class="cross" d="{cross}"/>"#,
        number(width * 0.55 + 5.0),
        number(width * 0.55)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Both, RegionInfo, Territory};
    use crate::games::variant::{VARIANTS, find};

    /// How often a text stands in another.
    fn count(text: &str, part: &str) -> usize {
        text.matches(part).count()
    }

    #[test]
    fn every_rule_set_is_drawn_with_all_its_pieces_after_some_turns() {
        for variant in VARIANTS {
            let mut board = Board::new(variant);
            for turn in 0..6 {
                let legal = board.legal_turns();
                board.play_turn(&legal[turn * 37 % legal.len()]).unwrap();
            }
            let (fen, pieces) = (board.fen(), board.pieces().iter().count());
            let last = board.last_turn().unwrap();
            let svg = Picture::new(&board).last_turn(&last).arrow(&board.legal_turns()[0], ArrowKind::Best).svg();
            assert_eq!(count(&svg, "<use "), pieces, "{fen}");
            // Every figure that is used is there.
            for used in svg.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
                assert_eq!(count(&svg, &format!("id=\"{used}\"")), 1, "{used}");
            }
            assert_eq!(count(&svg, "class=\"edge\""), last.squares().len(), "{last}");
            assert!(svg.contains("turn-arrow best"));
        }
    }

    #[test]
    fn squares_lie_where_people_look_for_them() {
        let board = Board::from_fen(find("amazons").unwrap(), "q2/3/2Q w - - 0 1").unwrap();
        let turn = |text: &str| text.parse().unwrap();
        let usual = Picture::new(&board).last_turn(&turn("a3a2,a2b2")).arrow(&turn("c1b1,b1a1"), ArrowKind::Played);
        let svg = usual.embedded();
        assert!(
            svg.contains(r##"<use href="#piece-bq" x="50" y="50"/><use href="#piece-wq" x="250" y="250"/>"##),
            "{svg}"
        );
        assert!(svg.contains(r#"<g class="to"><rect class="tint" x="0" y="100""#), "{svg}");
        assert!(svg.contains(r#"<g class="fire"><rect class="tint" x="100" y="100""#), "{svg}");
        // The shot ends on a1.
        assert!(svg.contains(r#"<circle class="target" cx="50" cy="250""#), "{svg}");
        let flipped = usual.clone().flipped().embedded();
        assert!(flipped.contains(r##"<use href="#piece-wq" x="50" y="50"/>"##), "{flipped}");
        assert!(!usual.clone().without_coordinates().embedded().contains("<text"));
        // Squares off the board are not drawn.
        let off = Picture::new(&board).last_turn(&turn("a1a9")).arrow(&turn("c1k11"), ArrowKind::Hint);
        assert!(!off.embedded().contains("edge") && !off.embedded().contains("class=\"move\""));
    }

    #[test]
    fn a1_is_dark_and_on_the_board_of_damone_it_is_light() {
        for (name, dark) in [("amazons8", true), ("damone", false)] {
            let svg = Picture::new(&Board::new(find(name).unwrap())).embedded();
            let (_, rest) = svg.split_once("<path class=\"dark\" d=\"").unwrap();
            assert_eq!(rest.split('"').next().unwrap().contains("M0 700h"), dark, "{name}");
        }
    }

    #[test]
    fn ownership_is_drawn_from_whites_view_whoever_is_to_move() {
        let board = |side| Board::from_fen(find("amazons").unwrap(), &format!("q2/3/2Q {side} - - 0 1")).unwrap();
        let own = |side, values: &[Option<f64>]| {
            let owned = Owned { ownership: Some(values.to_vec()), ..Owned::default() };
            let svg = Picture::new(&board(side)).owned(&owned).embedded();
            (count(&svg, "mark estimate of-white"), count(&svg, "mark estimate of-black"))
        };
        let values = [Some(1.0), Some(-0.5), Some(0.05), None, Some(0.0), Some(1.0), Some(1.0), None, Some(1.0)];
        assert_eq!((own("w", &values), own("b", &values)), ((4, 1), (1, 4)));

        let region = |owner, squares: &[&str], turns| RegionInfo {
            owner,
            squares: squares.iter().map(|square| square.parse().unwrap()).collect(),
            empty: 1,
            turns,
            worth: [0, 0],
        };
        let white = region(Owner::Territory(Side::White), &["c1", "c2", "b1"], Both { white: [2, 2], black: [0, 0] });
        let black = region(Owner::Territory(Side::Black), &["a3", "a2"], Both { white: [0, 0], black: [1, 2] });
        let contested = region(Owner::Contested, &["b3", "c3"], Both { white: [0, 1], black: [0, 1] });
        let all = Both { white: [2, 2], black: [1, 2] };
        let regions = vec![white, black, contested];
        let territory = Some(Territory { regions, turns_left: all, margin: None, winner: None });
        let ownership = Some(vec![Some(1.0); 9]);
        let svg = Picture::new(&board("w")).owned(&Owned { territory, ownership, ..Owned::default() }).embedded();
        assert_eq!((count(&svg, "settled of-white"), count(&svg, "settled of-black")), (3, 2));
        assert_eq!(count(&svg, "mark estimate"), 4);
        assert!(svg.contains(">2</text></g>") && svg.contains(">1 to 2</text></g>"), "{svg}");
    }
}
