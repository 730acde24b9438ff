//! The expected score over a game.

use super::page::escaped;
use std::fmt::Write as _;

const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 200.0;

/// A sign on a graph.
///
/// ```
/// let mark = hippolyta::pictures::Mark { place: 3, class: "blunder" };
/// assert!(hippolyta::pictures::score_graph(&[0.5; 5], &[mark], &[], "A flat game").contains("graph-mark blunder"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    /// On which score, from 0.
    pub place: usize,
    /// How it looks: `inaccuracy`, `mistake` or `blunder`.
    pub class: &'static str,
}

/// White's expected score, 0 … 1, from position to position, as HTML for a [`Page`](super::Page): White's part is
/// below the line. `links` are addresses with what is said when one points at them, one for each score, or none.
#[must_use]
pub fn score_graph(scores: &[f64], marks: &[Mark], links: &[(String, String)], label: &str) -> String {
    let steps = scores.len().saturating_sub(1).max(1) as f64;
    let share = |place: usize| place as f64 / steps;
    let height = |place: usize| 1.0 - scores.get(place).copied().unwrap_or(0.5).clamp(0.0, 1.0);
    let mut line = String::new();
    for place in 0..scores.len() {
        let _ = write!(line, "{:.1},{:.1} ", WIDTH * share(place), HEIGHT * height(place));
    }
    let end = line.trim_end().rsplit(',').next().unwrap_or("100").to_owned();
    if scores.len() == 1 {
        let _ = write!(line, "{WIDTH},{end} ");
    }
    let line = line.trim_end();
    let mut drawn = format!(
        "<div class=\"graph\"><div class=\"graph-box\"><svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{}\">\
         <rect class=\"graph-black\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>\
         <polygon class=\"graph-white\" points=\"0,{HEIGHT} {line} {WIDTH},{HEIGHT}\"/>\
         <path class=\"graph-half\" d=\"M0 {}H{WIDTH}\"/><polyline class=\"graph-line\" points=\"{line}\"/></svg>",
        escaped(label),
        HEIGHT / 2.0
    );
    // Signs and links are no part of the drawing: its width stretches, theirs must not.
    for Mark { place, class } in marks {
        let (left, top) = (100.0 * share(*place), 100.0 * height(*place));
        let _ = write!(drawn, "<span class=\"graph-mark {class}\" style=\"left:{left:.2}%;top:{top:.2}%\"></span>");
    }
    for (place, (address, says)) in links.iter().enumerate() {
        let (left, width) = (100.0 * (share(place) - 0.5 / steps), 100.0 / steps);
        let (address, says) = (escaped(address), escaped(says));
        // The table of turns has the same links for the keyboard.
        let _ = write!(
            drawn,
            "<a href=\"{address}\" title=\"{says}\" tabindex=\"-1\" aria-hidden=\"true\" \
             style=\"left:{left:.2}%;width:{width:.2}%\"></a>"
        );
    }
    drawn + "</div></div>\n"
}
