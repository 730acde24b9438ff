//! The expected score over a game.

use super::look;
use super::page::escaped;
use std::fmt::Write as _;

const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 200.0;

/// A sign on a graph.
///
/// ```
/// let mark = hippolyta_protocol::pictures::Mark { place: 3, class: "blunder" };
/// assert!(hippolyta_protocol::pictures::score_graph(&[0.5; 5], &[mark], &[], "A flat game").contains("graph-mark blunder"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    /// On which score, from 0.
    pub place: usize,
    /// How it looks: `inaccuracy`, `mistake` or `blunder`.
    pub class: &'static str,
}

/// How far from the left a score stands, 0 … 1.
fn share(place: usize, count: usize) -> f64 {
    place as f64 / count.saturating_sub(1).max(1) as f64
}

/// How far from the top a score stands, 0 … 1.
fn height(scores: &[f64], place: usize) -> f64 {
    1.0 - scores.get(place).copied().unwrap_or(0.5).clamp(0.0, 1.0)
}

/// White's expected score from position to position: White's part is below the line.
fn curve(scores: &[f64], width: f64, high: f64) -> String {
    let mut line = String::new();
    for place in 0..scores.len() {
        let _ = write!(line, "{:.1},{:.1} ", width * share(place, scores.len()), high * height(scores, place));
    }
    let end = line.trim_end().rsplit(',').next().unwrap_or("100").to_owned();
    if scores.len() == 1 {
        let _ = write!(line, "{width},{end} ");
    }
    let line = line.trim_end();
    format!(
        "<rect class=\"graph-black\" width=\"{width}\" height=\"{high}\"/>\
         <polygon class=\"graph-white\" points=\"0,{high} {line} {width},{high}\"/>\
         <path class=\"graph-half\" d=\"M0 {}H{width}\"/><polyline class=\"graph-line\" points=\"{line}\"/>",
        high / 2.0
    )
}

/// The [`curve`] for a drawing, from `top` on, in a frame and with a mark at the position of index `at`.
pub(super) fn course(scores: &[f64], at: usize, (width, high): (f64, f64), top: f64) -> String {
    let x = width * share(at, scores.len());
    format!(
        "<g transform=\"translate(0 {top:.1})\">{}<rect width=\"{width}\" height=\"{high:.1}\" fill=\"none\" \
         stroke=\"{}\" stroke-width=\"4\"/><path class=\"graph-now\" d=\"M{x:.1} 0v{high:.1}\"/></g>",
        curve(scores, width, high),
        look::light("--frame")
    )
}

/// White's expected score, 0 … 1, from position to position, as HTML for a [`Page`](super::Page): White's part is
/// below the line. `links` are addresses with what is said when one points at them, one for each score, or none.
pub fn score_graph(scores: &[f64], marks: &[Mark], links: &[(String, String)], label: &str) -> String {
    let share = |place: usize| share(place, scores.len());
    let height = |place: usize| height(scores, place);
    let mut drawn = format!(
        "<div class=\"graph\"><div class=\"graph-box\"><svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{}\">{}</svg>",
        escaped(label),
        curve(scores, WIDTH, HEIGHT)
    );
    // Signs and links are no part of the drawing: its width stretches, theirs must not.
    for Mark { place, class } in marks {
        let (left, top) = (100.0 * share(*place), 100.0 * height(*place));
        let _ = write!(drawn, "<span class=\"graph-mark {class}\" style=\"left:{left:.2}%;top:{top:.2}%\"></span>");
    }
    for (place, (address, says)) in links.iter().enumerate() {
        let (left, width) = (100.0 * (share(place) - 0.5 * share(1)), 100.0 * share(1));
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

/// A line of a [`chart`], with its interval.
///
/// ```
/// use hippolyta_protocol::pictures::{Series, chart};
///
/// let series = Series { name: "A".to_owned(), points: vec![(1.0, 0.0, 40.0), (2.0, 10.0, 30.0)] };
/// assert!(chart(&[series], "Game", "Elo", "Strength over games").contains("<polyline"));
/// ```
#[derive(Clone, Debug)]
pub struct Series {
    /// Its name.
    pub name: String,
    /// Where it goes: x, y, and half the width of its interval, 0 for none.
    pub points: Vec<(f64, f64, f64)>,
}

/// The number of lines that have colours of their own.
pub const MOST_SERIES: usize = 8;

/// The next of 1, 2, 5, 10, 20 …, and of their tenths.
pub(super) fn round_step(least: f64) -> f64 {
    let power = 10f64.powf((least.max(1e-9) * 1.001).log10().floor());
    [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power).into_iter().find(|step| *step >= least * 0.999).unwrap_or(power)
}

/// About four round numbers from `low` to `high`.
fn marks(low: f64, high: f64) -> Vec<f64> {
    let step = round_step((high - low) / 4.0);
    let first = (low / step - 1e-9).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    (first..=last).map(|mark| mark as f64 * step).collect()
}

/// A number with a proper minus sign.
pub(super) fn proper(number: &str) -> String {
    number.replace('-', "−")
}

fn plain(value: f64) -> String {
    // Plus 0 makes −0 plain 0.
    proper(&format!("{}", (value * 100.0).round() / 100.0 + 0.0))
}

/// Lines over games, the first [`MOST_SERIES`] of them, as HTML for a [`Page`](super::Page). A single line is drawn with
/// its interval.
pub fn chart(series: &[Series], across: &str, up: &str, label: &str) -> String {
    let series = &series[..series.len().min(MOST_SERIES)];
    let all = || series.iter().flat_map(|series| &series.points);
    let with_band = series.len() == 1;
    let room = |&(_, y, error): &(f64, f64, f64)| if with_band { [y - error, y + error] } else { [y, y] };
    let low = all().flat_map(room).fold(0.0, f64::min);
    let high = all().flat_map(room).fold(0.0, f64::max);
    let (low, high) = if high - low < 1.0 { (low - 1.0, high + 1.0) } else { (low, high) };
    let (left, right) = (all().map(|p| p.0).fold(f64::INFINITY, f64::min), all().map(|p| p.0).fold(0.0, f64::max));
    let span = (right - left).max(1.0);
    let x = |value: f64| (value - left) / span;
    let y = |value: f64| (high - value) / (high - low);
    let mut html = String::from("<div class=\"chart\"><div class=\"chart-box\">");
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{}\">",
        escaped(label)
    );
    for mark in marks(low, high) {
        let class = if mark.abs() < 1e-9 { "axis" } else { "grid" };
        let _ = write!(svg, "<path class=\"{class}\" d=\"M0 {:.1}H{WIDTH}\"/>", HEIGHT * y(mark));
        let _ = write!(html, "<span class=\"up\" style=\"top:{:.2}%\">{}</span>", 100.0 * y(mark), plain(mark));
    }
    for mark in marks(left.min(right), right).into_iter().filter(|mark| mark.fract() == 0.0) {
        let _ = write!(html, "<span class=\"across\" style=\"left:{:.2}%\">{}</span>", 100.0 * x(mark), plain(mark));
    }
    for (number, series) in series.iter().enumerate() {
        let line = |side: f64| {
            let point = |&(at, value, error): &(f64, f64, f64)| {
                format!("{:.1},{:.1}", WIDTH * x(at), HEIGHT * y(value + side * error))
            };
            series.points.iter().map(point).collect::<Vec<_>>()
        };
        if with_band {
            let (upper, mut lower) = (line(1.0), line(-1.0));
            lower.reverse();
            let _ = write!(svg, "<polygon class=\"band\" points=\"{} {}\"/>", upper.join(" "), lower.join(" "));
        }
        let points = line(0.0).join(" ");
        let _ = write!(svg, "<polyline class=\"line line-{number}\" points=\"{points}\"/>");
    }
    let _ = writeln!(html, "{svg}</svg></div><p class=\"chart-name\">{}</p></div>", escaped(across));
    let mut legend = format!("<p class=\"legend\"><span>{}</span>", escaped(up));
    if !with_band {
        for (number, series) in series.iter().enumerate() {
            let name = escaped(&series.name);
            let _ = write!(
                legend,
                " <span><span class=\"swatch line-{number}\" aria-hidden=\"true\"></span> {name}</span>"
            );
        }
    }
    legend + "</p>\n" + &html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round() {
        assert_eq!(marks(-30.0, 130.0), [0.0, 50.0, 100.0]);
        assert_eq!(marks(0.0, 4.0), [0.0, 1.0, 2.0, 3.0, 4.0]);
        assert_eq!(marks(1.0, 400.0), [100.0, 200.0, 300.0, 400.0]);
    }

    #[test]
    fn what_white_gains_stands_higher() {
        let graph = score_graph(&[0.0, 0.5, 1.0], &[], &[], "");
        assert!(graph.contains("points=\"0.0,200.0 500.0,100.0 1000.0,0.0\""), "{graph}");
        assert!(score_graph(&[0.5], &[], &[], "").contains("points=\"0.0,100.0 1000,100.0\""));
        assert!(score_graph(&[], &[], &[], "<").contains("&lt;"));
    }
}
