//! Losses as a picture.

use super::fit::losses::Losses;
use hippolyta::files::write_whole;
use std::fmt::Write;
use std::io;
use std::path::Path;

const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 240.0;
const MARGIN: f64 = 60.0;

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
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n"
    );
    svg.push_str("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
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
    let (right, bottom) = (left + WIDTH * 0.9, MARGIN + HEIGHT);
    let x = |epoch: u32| left + (right - left) * f64::from(epoch) / f64::from(last);
    let y = |loss: f64| MARGIN + HEIGHT * (highest - loss) / (highest - lowest).max(1e-9);
    let _ = writeln!(svg, "<path d=\"M{left:.1} {MARGIN}V{bottom}H{right:.1}\" fill=\"none\" stroke=\"gray\"/>");
    let mut text = |x: f64, y: f64, words: &str, style: &str| {
        let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\"{style}>{words}</text>");
    };
    text(left, MARGIN - 30.0, name, " font-weight=\"bold\"");
    for loss in [highest, lowest] {
        text(left - 5.0, y(loss) + 4.0, &format!("{loss:.4}"), " text-anchor=\"end\"");
    }
    text(left, MARGIN - 12.0, "mean loss, nats", "");
    // At most ten numbers fit.
    for epoch in (0..=last).step_by(last.div_ceil(10) as usize) {
        text(x(epoch), bottom + 16.0, &epoch.to_string(), " text-anchor=\"middle\"");
    }
    text(right, bottom + 34.0, "epoch", " text-anchor=\"end\"");
    let kinds = [("training games", ""), ("validation games", " stroke-dasharray=\"4\"")];
    let losses_of: [fn(&Losses) -> f64; 2] = [|losses| losses.training, |losses| losses.validation];
    for (number, ((words, dashes), loss)) in kinds.into_iter().zip(losses_of).enumerate() {
        let points: Vec<String> =
            losses.iter().map(|losses| format!("{:.1},{:.1}", x(losses.epoch), y(loss(losses)))).collect();
        let _ = writeln!(svg, "<polyline points=\"{}\" fill=\"none\" stroke=\"black\"{dashes}/>", points.join(" "));
        let (x, y) = (right - 130.0, MARGIN - 26.0 + 16.0 * number as f64);
        let _ = writeln!(svg, "<path d=\"M{x:.1} {y:.1}h24\" stroke=\"black\"{dashes}/>");
        let _ = writeln!(svg, "<text x=\"{:.1}\" y=\"{:.1}\">{words}</text>", x + 30.0, y + 4.0);
    }
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
        for points in svg.split("points=\"").skip(1) {
            assert_eq!(points.split('"').next().unwrap().split(' ').count(), 4, "{svg}");
        }
        // Each panel says what it shows, and which line is which.
        for (words, count) in [
            (">value<", 1),
            (">policy<", 1),
            (">mean loss, nats<", 2),
            (">epoch<", 2),
            (">3<", 2),
            (">training games<", 2),
            (">validation games<", 2),
            (">0.7000<", 2),
            (">0.4000<", 2),
        ] {
            assert_eq!(svg.matches(words).count(), count, "{words}: {svg}");
        }
        // The highest training loss is at the top, the lowest at the bottom.
        assert!(svg.contains("points=\"60.0,60.0 168.0,140.0 276.0,220.0 384.0,300.0\""), "{svg}");
    }
}
