//! Our own drawings, each in a square of 100 units around the origin. Sides differ by fill and by outline, so that they
//! are told apart without colour, and on paper. The page has them in `web/src/board/figures.json`, which a test writes.

use hippolyta::games::{Piece, Side};
use std::fmt::Write as _;

// The amazon wears the crescent shield of her people as a crown, with an arrowhead in its middle: a queen who shoots.
const SKIRT: &str = "M-9 -1C-10 10 -14 19 -21 27H21C14 19 10 10 9 -1Z";
const PLINTH: &str = "M-28 41V36Q-28 27 -19 27H19Q28 27 28 36V41Z";
const CRESCENT: &str = "M-36 -27C-33 -9 -19 0 0 0C19 0 33 -9 36 -27C28 -17 17 -12 0 -12C-17 -12 -28 -17 -36 -27Z";
const ARROWHEAD: &str = "M0 -45L12 -23L4.5 -25.5V-12H-4.5V-25.5L-12 -23Z";
const CROWN: &str = "M-24 8L-31 -30L-14 -15L0 -42L14 -15L31 -30L24 8Q0 17 -24 8Z";
const STONE: &str = r#"<circle class="outline" r="35"/><circle class="body" r="35"/>"#;
const SHINE: &str = "M-24 -6A25 25 0 0 1 -6 -24";
const HATCH: &str = "M-24 4L4 -24M-20.5 17.5L17.5 -20.5M-11 25L25 -11M4 27L27 4";
/// A square that an arrow has closed for good.
const BURNT: &str = concat!(
    r#"<rect class="burnt" x="-40" y="-40" width="80" height="80" rx="12"/>"#,
    r#"<path class="burnt-cross" d="M-15 -15L15 15M15 -15L-15 15"/>"#
);

/// The hatching of settled squares: White's rises, Black's falls.
const HATCHES: [(&str, &str); 2] =
    [("white", "M-2 16L16 -2M-2 2L2 -2M12 16L16 12"), ("black", "M-2 -2L16 16M12 -2L16 2M-2 12L2 16")];

fn path(class: &str, data: &str) -> String {
    format!(r#"<path class="{class}" d="{data}"/>"#)
}

fn outlined(data: &str) -> String {
    path("outline", data) + &path("body", data)
}

/// A disc seen from above and in front.
fn disc(y: i32, thick: i32, ring: bool) -> String {
    let side = format!("M-35 {y}V{}A35 22 0 0 0 35 {}V{y}Z", y + thick, y + thick);
    let top = format!("M-35 {y}A35 22 0 1 1 35 {y}A35 22 0 1 1 -35 {y}Z");
    let mut drawn = path("outline", &format!("{side}{top}")) + &path("body edge", &side) + &path("body", &top);
    if ring {
        let _ = write!(drawn, r#"<ellipse class="line" cy="{y}" rx="22" ry="12.5"/>"#);
    }
    drawn
}

/// The drawing of a piece; `burns` says that one that is nobody's is a square which an arrow has closed.
fn figure(piece: Piece, burns: bool) -> String {
    match piece {
        Piece::Amazon(_) => {
            let amazon = outlined(&[SKIRT, PLINTH, CRESCENT, ARROWHEAD].concat());
            let lines = path("line", "M-24 34H24M-11 9Q0 12 11 9");
            format!(r#"<g transform="translate(0 1) scale(0.98)">{amazon}{lines}</g>"#)
        }
        Piece::Stone(_) => STONE.to_owned() + &path("shine", SHINE),
        Piece::Pedina(_) => disc(-2, 13, true),
        Piece::Dama(_) => disc(6, 14, false) + &disc(-14, 14, true),
        Piece::Damone(_) => disc(10, 14, false) + &outlined(CROWN) + &path("line", "M-25 -1Q0 8 25 -1"),
        Piece::Neutral if burns => BURNT.to_owned(),
        Piece::Neutral => STONE.to_owned() + &path("hatch", HATCH),
    }
}

/// The name of a figure, which is the end of its id.
pub(super) fn name(piece: Piece, burns: bool) -> String {
    let letter = piece.letter().to_ascii_lowercase();
    match piece.side() {
        None if burns => "burnt".to_owned(),
        None => "neutral".to_owned(),
        Some(Side::White) => format!("w{letter}"),
        Some(Side::Black) => format!("b{letter}"),
    }
}

/// The classes of a figure, and its drawing.
pub(super) fn drawn(piece: Piece, burns: bool) -> (String, String) {
    (format!("piece {}", piece.side().map_or("neutral", Side::name)), figure(piece, burns))
}

/// The hatching, which marks name.
pub(super) fn hatches() -> String {
    let hatch = |(side, data)| {
        let size = r#"width="14" height="14" patternUnits="userSpaceOnUse""#;
        format!(r#"<pattern id="hatch-{side}" {size}>{}</pattern>"#, path("hatch", data))
    };
    HATCHES.map(hatch).concat()
}

/// Definitions that drawings on a page name: the figures of all pieces, and the hatching.
pub(super) fn definitions() -> String {
    let mut text = String::from("<defs>");
    for (piece, burns) in Piece::ALL.into_iter().map(|piece| (piece, false)).chain([(Piece::Neutral, true)]) {
        let (name, (class, figure)) = (name(piece, burns), drawn(piece, burns));
        let _ = write!(text, r#"<g id="piece-{name}" class="{class}">{figure}</g>"#);
    }
    text + "</defs><g class=\"marks\"><defs>" + &hatches() + "</defs></g>"
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page draws pieces before it has an engine. With `HIPPOLYTA_BLESS=1` the file is written anew.
    #[test]
    fn the_page_has_the_figures_of_the_program() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/board/figures.json");
        let mut figures = serde_json::Map::new();
        for (piece, burns) in Piece::ALL.into_iter().map(|piece| (piece, false)).chain([(Piece::Neutral, true)]) {
            // Sides differ by class alone.
            let key = if burns { "burnt".to_owned() } else { piece.letter().to_ascii_lowercase().to_string() };
            let drawing = figure(piece, burns);
            let other = figures.insert(key, drawing.clone().into());
            assert!(other.is_none_or(|other| other == drawing), "{piece}");
        }
        let generated = format!("{:#}\n", serde_json::json!({"figures": figures, "hatches": hatches()}));
        if std::env::var_os("HIPPOLYTA_BLESS").is_some() {
            std::fs::write(path, generated).unwrap();
        } else {
            let kept = std::fs::read_to_string(path).unwrap_or_default();
            assert!(generated == kept, "{path} is not up to date: HIPPOLYTA_BLESS=1 writes it anew");
        }
    }
}
