//! Losses as a picture.

use super::fit::losses::Losses;
use crate::files::write_whole;
use std::fmt::Write;
use std::io;
use std::path::Path;

const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 240.0;
const MARGIN: f64 = 50.0;

/// Draws the losses by epoch into an SVG file, which is written whole or not at all: the evaluation's and the policy's
/// side by side, solid for training games, dashed for validation games.
///
/// # Errors
///
/// If the system refuses.
pub fn save_curves(losses: &[Losses], path: &Path) -> io::Result<()> {
    write_whole(path, curves(losses).as_bytes())
}

fn curves(losses: &[Losses]) -> String {
    let mut names: Vec<&str> = losses.iter().map(|losses| losses.what.as_str()).collect();
    names.dedup();
    let (width, height) = ((WIDTH + MARGIN) * names.len() as f64, HEIGHT + 2.0 * MARGIN);
    let mut svg =
        format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-size=\"12\">\n");
    for (number, name) in names.iter().enumerate() {
        let of: Vec<&Losses> = losses.iter().filter(|losses| losses.what == *name).collect();
        panel(&mut svg, name, &of, number as f64 * (WIDTH + MARGIN) + MARGIN);
    }
    svg.push_str("</svg>\n");
    svg
}

fn panel(svg: &mut String, name: &str, losses: &[&Losses], left: f64) {
    let all = losses.iter().flat_map(|losses| [losses.training, losses.validation]);
    let (lowest, highest) = all.fold((f64::MAX, f64::MIN), |(low, high), loss| (low.min(loss), high.max(loss)));
    let last = losses.iter().map(|losses| losses.epoch).max().unwrap_or(0).max(1);
    let x = |epoch: u32| left + WIDTH * 0.9 * f64::from(epoch) / f64::from(last);
    let y = |loss: f64| MARGIN + HEIGHT * (highest - loss) / (highest - lowest).max(1e-9);
    let mut line = |loss: &dyn Fn(&Losses) -> f64, dashes: &str| {
        let points: Vec<String> =
            losses.iter().map(|losses| format!("{:.1},{:.1}", x(losses.epoch), y(loss(losses)))).collect();
        let _ = writeln!(svg, "<polyline points=\"{}\" fill=\"none\" stroke=\"black\"{dashes}/>", points.join(" "));
    };
    line(&|losses| losses.training, "");
    line(&|losses| losses.validation, " stroke-dasharray=\"4\"");
    for loss in [highest, lowest] {
        let _ = writeln!(svg, "<text x=\"{left:.1}\" y=\"{:.1}\">{loss:.4}</text>", y(loss) - 4.0);
    }
    let below = MARGIN + HEIGHT + 20.0;
    let _ = writeln!(svg, "<text x=\"{left:.1}\" y=\"{below:.1}\">{name}, nats, {last} epochs</text>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_loss_is_a_point() {
        let losses: Vec<Losses> = ["value", "policy"]
            .into_iter()
            .flat_map(|what| {
                (0..4).map(|epoch| Losses {
                    what: what.to_owned(),
                    epoch,
                    training: 0.7 - 0.1 * f64::from(epoch),
                    validation: 0.6,
                })
            })
            .collect();
        let svg = curves(&losses);
        assert_eq!(svg.matches("<polyline").count(), 4);
        assert_eq!(svg.matches(',').count() - 4, 4 * 4, "{svg}");
        // The highest training loss is at the top, the lowest at the bottom.
        assert!(svg.contains("points=\"50.0,50.0 158.0,130.0 266.0,210.0 374.0,290.0\""), "{svg}");
    }
}
