//! A position as SVG.

use super::figures;
use super::graph;
use super::look;
use super::page::escaped;
use hippolyta::board::Square;
use hippolyta::engine::{Board, Owned, Owner, Pieces};
use hippolyta::games::variant::{Traits, Variant};
use hippolyta::games::{Piece, Side, Turn};
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// Units of a square's side.
const SQUARE: f64 = 100.0;
const HALF: f64 = SQUARE / 2.0;
const RIM: f64 = 7.0;
const MARGIN: f64 = 44.0;
/// Owned less than this is nobody's.
const LEAST: f64 = 0.08;
/// The height of the graph under a board of ten ranks.
const GRAPH: f64 = 240.0;

/// The meaning of an arrow, which is its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrowKind {
    /// The best turn.
    Best,
    /// Another good one.
    Other,
    /// The opponent's threat.
    Threat,
    /// A hint.
    Hint,
    /// The turn that was played.
    Played,
}

impl ArrowKind {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Best, Self::Other, Self::Threat, Self::Hint, Self::Played];

    /// `best`, `other`, `threat`, `hint` or `played`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Other => "other",
            Self::Threat => "threat",
            Self::Hint => "hint",
            Self::Played => "played",
        }
    }
}

/// A turn that is drawn over the board: an arrow for the move, a dashed line with a target for the shot.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrow {
    /// The turn. If one of its squares is not on the board, nothing is drawn.
    pub turn: Turn,
    /// Its meaning.
    pub kind: ArrowKind,
    /// A number or a few letters where it ends; empty for none.
    pub label: String,
    /// How wide it is, 0 … 1.
    pub weight: f64,
}

impl Arrow {
    /// An arrow of full width without a label.
    pub fn new(turn: &Turn, kind: ArrowKind) -> Self {
        Self { turn: turn.clone(), kind, label: String::new(), weight: 1.0 }
    }
}

/// A drawing of a position: its pieces, and as far as it is told the last turn, arrows over the board, who owns which
/// squares, and under the board the course of the game. White stands at the bottom.
///
/// ```
/// use hippolyta::engine::Board;
/// use hippolyta::games::variant::VARIANTS;
/// use hippolyta_protocol::pictures::Picture;
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
    variant: String,
    label: Option<String>,
    last: Option<Turn>,
    arrows: Vec<Arrow>,
    owned: Owned,
    hatched: Vec<(Square, Side)>,
    course: Option<(Vec<f64>, usize)>,
    caption: Vec<String>,
    size: f64,
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
    pub fn new(board: &Board) -> Self {
        Self::of(board.variant(), board.pieces(), board.side_to_move())
    }

    /// A position that need not be one of the rule set, as after pieces were moved by hand.
    pub fn of(variant: &Variant, pieces: Pieces, side: Side) -> Self {
        Self {
            pieces,
            traits: variant.traits(),
            side,
            variant: variant.name().to_owned(),
            label: None,
            last: None,
            arrows: Vec::new(),
            owned: Owned::default(),
            hatched: Vec::new(),
            course: None,
            caption: Vec::new(),
            size: 480.0,
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

    /// Draws a turn over the board. The first arrow lies on top of the others.
    #[must_use]
    pub fn arrow(mut self, arrow: Arrow) -> Self {
        self.arrows.push(arrow);
        self
    }

    /// Draws who owns which squares: estimates as small shapes, White's round and Black's square, and settled regions
    /// hatched, with the number of turns in them. A contested region tells White's turns minus Black's, as soon as not
    /// all of it may go to either side.
    #[must_use]
    pub fn owned(mut self, owned: &Owned) -> Self {
        self.owned = owned.clone();
        self
    }

    /// Marks squares as those of a side, as settled ones are.
    #[must_use]
    pub fn hatched(mut self, squares: &[(Square, Side)]) -> Self {
        self.hatched = squares.to_vec();
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

    /// The text for those who do not see the picture, in place of the rule set, the side to move and the last turn.
    #[must_use]
    pub fn label(mut self, label: &str) -> Self {
        self.label = Some(label.to_owned());
        self
    }

    /// Draws under the board White's expected score, 0 … 1, in each position of the game; this is the one of index `at`.
    #[must_use]
    pub fn course(mut self, scores: &[f64], at: usize) -> Self {
        self.course = Some((scores.to_vec(), at));
        self
    }

    /// Writes a line under the board, and what the marks of owners mean.
    #[must_use]
    pub fn caption(mut self, line: &str) -> Self {
        self.caption.push(line.to_owned());
        self
    }

    /// How many pixels the longer side of [`Self::svg`] has; 480 if it is not said.
    #[must_use]
    pub fn size(mut self, pixels: f64) -> Self {
        self.size = pixels;
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

    /// The pieces, as the page's own figures or drawn anew.
    fn pieces(&self, on_page: bool) -> String {
        let mut drawn = String::new();
        for (square, piece) in self.pieces.squares() {
            if let (Some(piece), Some((x, y))) = (piece, self.at(square)) {
                if on_page {
                    let name = figures::name(piece, self.burns());
                    let _ = write!(drawn, r##"<use href="#piece-{name}" x="{x}" y="{y}"/>"##);
                } else {
                    let (class, figure) = figures::drawn(piece, self.burns());
                    let _ = write!(drawn, r#"<g class="{class}" transform="translate({x} {y})">{figure}</g>"#);
                }
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
            if let Some(&(_, side)) = self.hatched.iter().find(|(marked, _)| *marked == square) {
                below += &certain(point, HALF, side);
            }
            let value = sign * values.get(index).copied().flatten().unwrap_or(0.0).clamp(-1.0, 1.0);
            if let Some(side) = self.settled(square).filter(|_| piece != Some(Piece::Neutral)) {
                below += &certain(point, HALF, side);
            } else if value.abs() >= LEAST {
                // In a corner where a piece stands, so that it is seen.
                let (radius, place, marks) = if piece.is_none() {
                    (5.0 + 11.0 * value.abs(), point, &mut below)
                } else {
                    (4.0 + 9.0 * value.abs(), (point.0 + 33.0, point.1 - 33.0), &mut above)
                };
                *marks += &estimate(place, radius, if value > 0.0 { Side::White } else { Side::Black });
            }
        }
        [below, above]
    }

    /// The turns of each region, on its middlemost empty square.
    fn labels(&self) -> String {
        let mut drawn = String::new();
        for region in self.owned.territory.iter().flat_map(|territory| &territory.regions) {
            let empty = region.squares.iter().filter(|&&square| self.pieces.at(square).is_none());
            let points: Vec<_> = empty.filter_map(|&square| self.at(square)).collect();
            let (class, said) = match region.owner {
                Owner::Territory(side) => {
                    let [least, most] = if side == Side::White { region.turns.white } else { region.turns.black };
                    (side.name(), span([least, most].map(i64::from), false))
                }
                // As long as all of it may go to either side, nothing is counted.
                Owner::Contested if i64::from(region.worth[1] - region.worth[0]) >= 2 * points.len() as i64 => continue,
                Owner::Contested => ("nobody", span(region.worth.map(i64::from), true)),
            };
            let count = points.len() as f64;
            let middle =
                (points.iter().map(|p| p.0).sum::<f64>() / count, points.iter().map(|p| p.1).sum::<f64>() / count);
            let far = |p: &Point| (p.0 - middle.0).powi(2) + (p.1 - middle.1).powi(2);
            let Some(&(x, y)) = points.iter().min_by(|a, b| far(a).total_cmp(&far(b))) else { continue };
            let signs = said.chars().count();
            let size = if signs > 6 {
                22.0
            } else if signs > 2 {
                28.0
            } else {
                36.0
            };
            let width = (signs as f64 * size * 0.56 + 22.0).max(52.0);
            // Round for White, square for Black, as the shapes of estimates.
            let corner = match region.owner {
                Owner::Territory(Side::White) => 26,
                Owner::Territory(Side::Black) => 4,
                Owner::Contested => 12,
            };
            let label = text((x, y + 0.35 * size), size, &said);
            let _ = write!(
                drawn,
                r#"<g class="region-label of-{class}"><rect x="{}" y="{}" width="{}" height="52" rx="{corner}"/>{label}</g>"#,
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
        for (index, Arrow { turn, kind, label, weight }) in self.arrows.iter().enumerate().rev() {
            let points = self.points(turn);
            let weight = weight.clamp(0.0, 1.0);
            let (width, opacity) = (9.0 + 13.0 * weight, (70.0 + 25.0 * weight).round() / 100.0);
            let moves = &points[..points.len().min(turn.path().len())];
            let _ = write!(drawn, r#"<g class="turn-arrow {}" opacity="{opacity}">"#, kind.name());
            for pair in moves.windows(2) {
                if let [from, to] = *pair {
                    // The head ends before the middle, so that a piece there can be seen.
                    let data = arrow(shorter(to, from, 22.0), shorter(from, to, 14.0), width);
                    let _ = write!(drawn, r#"<path class="move" d="{data}"/>"#);
                }
            }
            if let (true, Some(&from), Some(&to)) = (moves.len() < points.len(), moves.last(), points.last()) {
                drawn += &shot(from, to, width);
            }
            if let ([.., before, end], false) = (&points[..], label.is_empty()) {
                // Lines often share a move and differ in the shot: the label stands where the turn ends, or before it
                // where one that lies further up ends, too.
                let is_taken =
                    self.arrows[..index].iter().any(|upper| upper.turn.squares().last() == turn.squares().last());
                let (x, y) = if is_taken { ((before.0 + end.0) / 2.0, (before.1 + end.1) / 2.0) } else { *end };
                let text = text((x, y + 9.0), 26.0, label);
                let _ = write!(drawn, r#"<g class="number"><circle cx="{x}" cy="{y}" r="19"/>{text}</g>"#);
            }
            drawn.push_str("</g>");
        }
        drawn
    }

    /// The meanings of the marks, side by side.
    fn legend(&self, top: f64) -> String {
        let mut kinds = Vec::new();
        for (side, whose) in [(Side::White, "White’s"), (Side::Black, "Black’s")] {
            kinds.extend(self.owned.ownership.as_ref().map(|_| (estimate((0.0, 0.0), 13.0, side), whose)));
            kinds.extend(self.owned.territory.as_ref().map(|_| (certain((0.0, 0.0), 15.0, side), "certain")));
        }
        let (width, scale) = (self.pieces.files() as f64 * SQUARE, self.scale());
        let mut drawn = String::new();
        for (index, (mark, meaning)) in kinds.iter().enumerate() {
            let x = width / 2.0 + (index as f64 - (kinds.len() as f64 - 1.0) / 2.0) * width / 4.0 - 50.0 * scale;
            let (x, y) = (number(x), number(top));
            let _ = write!(
                drawn,
                r#"<g transform="translate({x} {y}) scale({scale})">{mark}<text x="26" y="9" font-size="26">{meaning}</text></g>"#
            );
        }
        drawn
    }

    /// The room beside the board on which letters stand, and that on the other sides.
    fn margins(&self) -> (f64, f64) {
        if self.coordinates { (MARGIN * self.scale() + RIM, 22.0 * self.scale()) } else { (RIM, RIM) }
    }

    /// The part under the board, and where it ends.
    fn foot(&self) -> (String, f64) {
        let (width, scale) = (self.pieces.files() as f64 * SQUARE, self.scale());
        let mut end = self.pieces.ranks() as f64 * SQUARE + self.margins().0;
        let mut drawn = String::new();
        let is_owned = self.owned.ownership.is_some() || self.owned.territory.is_some();
        if is_owned && !self.caption.is_empty() {
            let _ = write!(drawn, r#"<g class="marks">{}</g>"#, self.legend(end + 20.0 * scale));
            end += 40.0 * scale;
        }
        if let Some((scores, at)) = &self.course {
            drawn += &graph::course(scores, *at, (width, GRAPH * scale), end);
            end += (GRAPH + 20.0) * scale;
        }
        for line in &self.caption {
            drawn += &text((width / 2.0, end + 40.0 * scale), 30.0 * scale, line);
            end += 44.0 * scale;
        }
        end += if self.caption.is_empty() { 0.0 } else { 16.0 * scale };
        if !drawn.is_empty() {
            drawn = format!(r#"<g class="foot" fill="{}">{drawn}</g>"#, look::light("--text"));
        }
        (drawn, end)
    }

    /// The drawing for a page that has the style sheet and the figures of [`Page`](super::Page).
    pub fn embedded(&self) -> String {
        format!(r#"<svg class="board" {} {}>{}</svg>"#, self.view().0, self.says(), self.body(self.pieces(true)))
    }

    /// The embedded drawing without pieces and label: the viewer adds its own.
    pub(super) fn bare(mut self) -> String {
        self.pieces = Pieces::new((self.pieces.files(), self.pieces.ranks()), |_| None);
        self.label("").embedded()
    }

    fn says(&self) -> String {
        let side = if self.side == Side::White { "White" } else { "Black" };
        let last = self.last.iter().map(|turn| format!(" after {turn}"));
        let usual = || format!("{}, {side} to move{}", self.variant, last.collect::<String>());
        format!(r#"role="img" aria-label="{}""#, escaped(&self.label.clone().unwrap_or_else(usual)))
    }

    /// The part of the plane that is seen, as an attribute, and its left, top, width and height.
    fn view(&self) -> (String, [f64; 4]) {
        let ((low, high), (_, end)) = (self.margins(), self.foot());
        let view = [-low, -high, self.pieces.files() as f64 * SQUARE + low + high, end + high];
        (format!(r#"viewBox="{}""#, view.map(number).join(" ")), view)
    }

    /// The board with what lies on it and under it.
    fn body(&self, pieces: String) -> String {
        let [below, above] = self.marks();
        let names = if self.coordinates { self.names() } else { String::new() };
        let mut body = String::new();
        for (class, drawn) in [
            ("ground", self.ground()),
            ("coordinates", names),
            ("marks", below),
            ("last", self.last()),
            ("pieces", pieces),
            ("marks", above),
            ("turns", self.turns()),
            ("labels", self.labels()),
        ] {
            // The viewer fills what is empty.
            if !drawn.is_empty() || ["last", "pieces"].contains(&class) {
                let _ = write!(body, r#"<g class="{class}">{drawn}</g>"#);
            }
        }
        body + &self.foot().0
    }

    /// The drawing as a file of its own, in the light theme. It has neither style sheets nor scripts, so it may stand
    /// beside others on a page that knows nothing of it.
    pub fn svg(&self) -> String {
        let (view, [left, top, width, height]) = self.view();
        let unit = self.size / width.max(height);
        let mut drawn = String::new();
        if self.coordinates {
            // A card under the letters, which else were unreadable on dark ground.
            let [left, top, width, height] = [left, top, width, height].map(number);
            let page = look::light("--page");
            let _ = write!(
                drawn,
                r#"<rect x="{left}" y="{top}" width="{width}" height="{height}" rx="14" fill="{page}"/>"#
            );
        }
        if self.owned.territory.is_some() {
            let _ = write!(drawn, r#"<g class="marks"><defs>{}</defs></g>"#, figures::hatches());
        }
        drawn += &self.body(self.pieces(false));
        // Drawings on one page share their names, so each has names of its own, the same whenever it is drawn.
        let mut hasher = DefaultHasher::new();
        drawn.hash(&mut hasher);
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{}" height="{}" {view} {} font-family="system-ui, sans-serif">{}</svg>"#,
            (width * unit).round(),
            (height * unit).round(),
            self.says(),
            look::painted(&drawn, &format!("hatch-{:x}-", hasher.finish()))
        )
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

/// The mark of a square that a side owns for certain, around its middle.
fn certain(middle: Point, half: f64, side: Side) -> String {
    let tint = rect("tint", middle, half, 0);
    let (x, y, width) = (number(middle.0 - half), number(middle.1 - half), number(2.0 * half));
    format!(
        r#"<g class="mark settled of-{side}">{tint}<rect fill="url(#hatch-{side})" x="{x}" y="{y}" width="{width}" height="{width}"/></g>"#
    )
}

/// The mark of a square that a side is expected to own.
fn estimate(middle: Point, radius: f64, side: Side) -> String {
    match side {
        Side::White => {
            let (x, y, radius) = (number(middle.0), number(middle.1), number(radius));
            format!(r#"<circle class="mark estimate of-white" cx="{x}" cy="{y}" r="{radius}"/>"#)
        }
        Side::Black => rect("mark estimate of-black", middle, 0.9 * radius, 0),
    }
}

/// A number, or from which to which it may be; `plus` writes the sign of a positive one.
fn span([least, most]: [i64; 2], plus: bool) -> String {
    let signed = |value: i64| {
        let text = if plus && value > 0 { format!("+{value}") } else { value.to_string() };
        text.replace('-', "−")
    };
    if least == most { signed(least) } else { format!("{} to {}", signed(least), signed(most)) }
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
    use hippolyta::engine::{Both, RegionInfo, Territory};
    use hippolyta::games::variant::{VARIANTS, find};

    /// How often a text stands in another.
    fn count(text: &str, part: &str) -> usize {
        text.matches(part).count()
    }

    #[test]
    fn every_rule_set_is_drawn_with_all_its_pieces_after_some_turns() {
        for variant in VARIANTS {
            let mut board = Board::new(variant);
            for turn in 0..6 {
                let legal = board.legal_turns().all();
                board.play_turn(&legal[turn * 37 % legal.len()]).unwrap();
            }
            let (fen, pieces) = (board.fen(), board.pieces().iter().count());
            // The figure of an amazon has a place of its own inside.
            let amazons = board.pieces().iter().filter(|(_, piece)| matches!(piece, Piece::Amazon(_))).count();
            let last = board.last_turn().unwrap();
            let picture =
                Picture::new(&board).last_turn(&last).arrow(Arrow::new(&board.legal_turns().all()[0], ArrowKind::Best));
            assert_eq!(count(&picture.svg(), "translate("), pieces + amazons, "{fen}");
            let svg = picture.embedded();
            assert_eq!(count(&svg, "<use "), pieces, "{fen}");
            assert_eq!(count(&svg, "class=\"edge\""), last.squares().len(), "{last}");
            assert!(svg.contains("turn-arrow best"));
        }
    }

    #[test]
    fn squares_lie_where_people_look_for_them() {
        let board = Board::from_fen(&find("amazons").unwrap(), "q2/3/2Q w - - 0 1").unwrap();
        let turn = |text: &str| text.parse().unwrap();
        let usual =
            Picture::new(&board).last_turn(&turn("a3a2,a2b2")).arrow(Arrow::new(&turn("c1b1,b1a1"), ArrowKind::Played));
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
        let off = Picture::new(&board).last_turn(&turn("a1a9")).arrow(Arrow::new(&turn("c1k11"), ArrowKind::Hint));
        assert!(!off.embedded().contains("edge") && !off.embedded().contains("class=\"move\""));
    }

    #[test]
    fn a1_is_dark_and_on_the_board_of_damone_it_is_light() {
        for (name, dark) in [("amazons8", true), ("damone", false)] {
            let svg = Picture::new(&Board::new(&find(name).unwrap())).embedded();
            let (_, rest) = svg.split_once("<path class=\"dark\" d=\"").unwrap();
            assert_eq!(rest.split('"').next().unwrap().contains("M0 700h"), dark, "{name}");
        }
    }

    #[test]
    fn ownership_is_drawn_from_whites_view_whoever_is_to_move() {
        let board = |side| Board::from_fen(&find("amazons").unwrap(), &format!("q2/3/2Q {side} - - 0 1")).unwrap();
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
        let contested = RegionInfo { worth: [-1, 1], ..contested };
        let all = Both { white: [2, 2], black: [1, 2] };
        let regions = vec![white, black, contested];
        let territory = Some(Territory { regions, turns_left: all, margin: None, winner: None });
        let ownership = Some(vec![Some(1.0); 9]);
        let svg = Picture::new(&board("w")).owned(&Owned { territory, ownership, ..Owned::default() }).embedded();
        assert_eq!((count(&svg, "settled of-white"), count(&svg, "settled of-black")), (3, 2));
        assert_eq!(count(&svg, "mark estimate"), 4);
        assert!(svg.contains(">2</text></g>") && svg.contains(">1 to 2</text></g>"), "{svg}");
        assert!(svg.contains(r#"<g class="region-label of-nobody">"#) && svg.contains(">−1 to +1</text></g>"), "{svg}");
    }
}
