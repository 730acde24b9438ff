//! Plots as SVG: axes with labels, a grid, lines, dots with error bars, boxes.

use super::graph::{proper, round_step};
use super::page::escaped;
use std::fmt::Write as _;

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 46.0;
/// Room for the title in a file.
const HEAD: f64 = 24.0;

/// Attributes in place of classes, for programs that know no style sheets; what is left out is black.
const PLAIN: [(&str, &str); 9] = [
    ("grid", "stroke=\"#e4e4e0\""),
    ("axis", "stroke=\"#5c6166\""),
    ("mark", "fill=\"#5c6166\" font-size=\"12\""),
    ("label", "font-size=\"13\""),
    ("line one", "fill=\"none\" stroke=\"#0072b2\" stroke-width=\"2\""),
    ("line two", "fill=\"none\" stroke=\"#c05000\" stroke-width=\"2\""),
    ("line two dashed", "fill=\"none\" stroke=\"#c05000\" stroke-width=\"2\" stroke-dasharray=\"5 4\""),
    ("line even", "fill=\"none\" stroke=\"#8a8f94\" stroke-dasharray=\"4 4\""),
    ("plot", "font-family=\"sans-serif\""),
];

/// An axis of a [`Plot`].
#[derive(Clone, Debug)]
pub struct Axis {
    /// The quantity that it shows, with its unit.
    pub label: &'static str,
    /// Where it begins.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
    /// Marks with their text.
    pub marks: Vec<(f64, String)>,
}

impl Axis {
    /// An axis for these numbers, with some room and round marks.
    pub fn around(label: &'static str, numbers: impl Iterator<Item = f64> + Clone, decimals: usize) -> Self {
        let low = numbers.clone().fold(f64::INFINITY, f64::min);
        let high = numbers.fold(f64::NEG_INFINITY, f64::max);
        let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
        let least = if decimals > 0 { 0.001 } else { 1.0 };
        let step = round_step(((high - low) / 4.0).max(least));
        // A mark is not passed by a rounding.
        let (from, to) = ((low / step + 1e-9).floor() * step, (high / step - 1e-9).ceil() * step);
        let to = if to > from { to } else { from + step };
        let count = ((to - from) / step).round() as u32;
        let decimals = if step >= 1.0 { 0 } else { decimals.max(if step >= 0.1 { 1 } else { 2 }) };
        let marks = (0..=count).map(|mark| from + f64::from(mark) * step);
        Self {
            label,
            from,
            to,
            marks: marks.map(|mark| (mark, proper(&format!("{:.decimals$}", mark + 0.0)))).collect(),
        }
    }

    /// An axis of whole numbers, from one to another, with room at both ends.
    pub fn whole(label: &'static str, from: u64, to: u64, room: f64) -> Self {
        let step = ((to - from) / 12 + 1) as usize;
        let marks = (from..=to).step_by(step).map(|mark| (mark as f64, mark.to_string())).collect();
        Self { label, from: from as f64 - room, to: to as f64 + room, marks }
    }
}

/// A chart that is being drawn. What stands on it has classes: `one` and `two` are colours.
///
/// ```
/// use hippolyta_protocol::pictures::{Axis, Plot};
///
/// let y = Axis::around("Loss", [0.52, 0.69].into_iter(), 2);
/// let mut plot = Plot::new("Loss by epoch", Axis::whole("Epoch", 0, 4, 0.0), y);
/// plot.line("one", &[(0.0, 0.69), (4.0, 0.52)]);
/// assert!(plot.finish().contains("<polyline class=\"line one\""));
/// ```
#[derive(Clone, Debug)]
pub struct Plot {
    title: String,
    x: Axis,
    y: Axis,
    svg: String,
}

impl Plot {
    /// The axes of a plot; `title` says to those who do not see it what it shows.
    pub fn new(title: &str, x: Axis, y: Axis) -> Self {
        let mut svg = String::new();
        let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
        let mut chart = Self { title: escaped(title), x, y, svg: String::new() };
        for (mark, text) in &chart.y.marks {
            let at = chart.up(*mark);
            let class = if mark.abs() < 1e-9 { "axis" } else { "grid" };
            let _ = writeln!(
                svg,
                "<path class=\"{class}\" d=\"M{LEFT} {at:.1}H{right}\"/>\
                 <text class=\"mark\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>",
                LEFT - 8.0,
                at + 4.0
            );
        }
        for (mark, text) in &chart.x.marks {
            let at = chart.across(*mark);
            let _ = writeln!(
                svg,
                "<path class=\"axis\" d=\"M{at:.1} {bottom}v5\"/>\
                 <text class=\"mark\" x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{text}</text>",
                bottom + 19.0
            );
        }
        let (middle_x, middle_y) = ((LEFT + right) / 2.0, (TOP + bottom) / 2.0);
        let _ = writeln!(
            svg,
            "<path class=\"axis\" d=\"M{LEFT} {bottom}H{right}\"/>\
             <text class=\"label\" x=\"{middle_x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\
             <text class=\"label\" x=\"14\" y=\"{middle_y:.1}\" text-anchor=\"middle\" \
             transform=\"rotate(-90 14 {middle_y:.1})\">{}</text>",
            HEIGHT - 6.0,
            escaped(chart.x.label),
            escaped(chart.y.label)
        );
        chart.svg = svg;
        chart
    }

    fn across(&self, x: f64) -> f64 {
        LEFT + (WIDTH - LEFT - RIGHT) * (x - self.x.from) / (self.x.to - self.x.from)
    }

    fn up(&self, y: f64) -> f64 {
        TOP + (HEIGHT - TOP - BOTTOM) * (self.y.to - y) / (self.y.to - self.y.from)
    }

    /// A line through points.
    pub fn line(&mut self, class: &str, points: &[(f64, f64)]) {
        let points: Vec<_> = points.iter().map(|&(x, y)| format!("{:.1},{:.1}", self.across(x), self.up(y))).collect();
        let _ = writeln!(self.svg, "<polyline class=\"line {class}\" points=\"{}\"/>", points.join(" "));
    }

    /// A dot; `says` is what it shows when pointed at.
    pub fn dot(&mut self, class: &str, (x, y): (f64, f64), says: &str) {
        let (x, y) = (self.across(x), self.up(y));
        let _ = writeln!(
            self.svg,
            "<circle class=\"dot {class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\"><title>{}</title></circle>",
            escaped(says)
        );
    }

    /// An interval with short ends.
    pub fn interval(&mut self, class: &str, x: f64, low: f64, high: f64) {
        let (x, low, high) = (self.across(x), self.up(low), self.up(high));
        let _ = writeln!(
            self.svg,
            "<path class=\"interval {class}\" d=\"M{x:.1} {low:.1}V{high:.1}M{:.1} {low:.1}h8M{:.1} {high:.1}h8\"/>",
            x - 4.0,
            x - 4.0
        );
    }

    /// A box from `low` to `high`, so wide in units of the axis.
    pub fn block(&mut self, class: &str, x: f64, width: f64, low: f64, high: f64, says: &str) {
        let (left, right) = (self.across(x - width / 2.0), self.across(x + width / 2.0));
        let (low, high) = (self.up(low), self.up(high));
        let (width, height) = (right - left, (low - high).max(1.0));
        let _ = writeln!(
            self.svg,
            "<rect class=\"{class}\" x=\"{left:.1}\" y=\"{high:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"2\"><title>{}</title></rect>",
            escaped(says)
        );
    }

    /// A short line across, for a value within a box.
    pub fn level(&mut self, class: &str, x: f64, width: f64, y: f64) {
        let (left, right, y) = (self.across(x - width / 2.0), self.across(x + width / 2.0), self.up(y));
        let _ = writeln!(self.svg, "<path class=\"line {class}\" d=\"M{left:.1} {y:.1}H{right:.1}\"/>");
    }

    /// The plot for a [`Page`](super::Page).
    pub fn finish(&self) -> String {
        let Self { title, svg, .. } = self;
        format!(
            "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{title}\">\n{svg}</svg>\n"
        )
    }

    /// Plots side by side as a file of their own, each with its title.
    pub fn file(plots: &[Self]) -> String {
        let (width, height) = (WIDTH * plots.len() as f64, HEIGHT + HEAD);
        let mut file = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" class=\"plot\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        );
        for (number, Self { title, svg, .. }) in plots.iter().enumerate() {
            let left = WIDTH * number as f64;
            let _ = writeln!(
                file,
                "<g transform=\"translate({left} {HEAD})\"><text x=\"{LEFT}\" font-weight=\"bold\">{title}</text>\n{svg}</g>"
            );
        }
        for (class, attributes) in PLAIN {
            file = file.replace(&format!("class=\"{class}\""), attributes);
        }
        file + "</svg>\n"
    }

    /// The name of a kind of lines, above the plot: for a file.
    pub fn name(&mut self, number: usize, class: &str, name: &str) {
        let (x, y) = (LEFT + 140.0 + 170.0 * number as f64, -4.0);
        let _ = writeln!(
            self.svg,
            "<path class=\"line {class}\" d=\"M{x:.1} {y:.1}h24\"/><text class=\"label\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            x + 30.0,
            y + 4.0,
            escaped(name)
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_and_the_axis_holds_all_numbers() {
        let marks = |numbers: &[f64], decimals| {
            let axis = Axis::around("a", numbers.iter().copied(), decimals);
            assert!(numbers.iter().all(|&number| axis.from <= number && number <= axis.to));
            axis.marks.into_iter().map(|(_, text)| text).collect::<Vec<_>>()
        };
        assert_eq!(marks(&[-30.0, 95.0, 130.0], 0), ["−50", "0", "50", "100", "150"]);
        assert_eq!(marks(&[0.0, 0.0], 0), ["0", "1"]);
        assert_eq!(marks(&[0.52, 0.69], 2), ["0.50", "0.55", "0.60", "0.65", "0.70"]);
        assert_eq!(marks(&[], 0), ["0", "1"]);
        assert_eq!(Axis::whole("g", 1, 40, 0.5).marks.len(), 10);
    }

    #[test]
    fn what_is_more_stands_higher() {
        let axis = || Axis::around("a", [0.0, 10.0].into_iter(), 0);
        let mut chart = Plot::new("t", axis(), axis());
        chart.line("one", &[(0.0, 0.0), (10.0, 10.0)]);
        let svg = chart.finish();
        assert!(svg.contains("points=\"64.0,254.0 544.0,14.0\""), "{svg}");
    }
}
