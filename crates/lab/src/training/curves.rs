//! Losses as a picture.

use super::fit::losses::Losses;
use hippolyta::files::write_whole;
use hippolyta_protocol::pictures::{Axis, Plot};
use std::io;
use std::path::Path;

/// Draws the losses by epoch into an SVG file, which is written whole or not at all: the evaluation's and the policy's
/// side by side, dashed for training games, solid for validation games.
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
    let plots: Vec<_> = names.into_iter().map(|name| plot(name, losses)).collect();
    Plot::file(&plots)
}

type Loss = fn(&Losses) -> f64;

fn plot(name: &str, losses: &[Losses]) -> Plot {
    let of = || losses.iter().filter(|losses| losses.what == name);
    let last = of().map(|losses| losses.epoch).max().unwrap_or(0).max(1);
    let y = Axis::around("Mean loss, nats", of().flat_map(|losses| [losses.training, losses.validation]), 2);
    let mut plot = Plot::new(name, Axis::whole("Epoch", 0, last.into(), 0.0), y);
    let kinds: [(_, _, Loss); 2] = [
        ("two dashed", "training games", |losses| losses.training),
        ("one", "validation games", |losses| losses.validation),
    ];
    for (number, (class, kind, loss)) in kinds.into_iter().enumerate() {
        let points: Vec<_> = of().map(|losses| (f64::from(losses.epoch), loss(losses))).collect();
        plot.line(class, &points);
        plot.name(number, class, kind);
    }
    plot
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
            (">Mean loss, nats<", 2),
            (">Epoch<", 2),
            (">3<", 2),
            (">training games<", 2),
            (">validation games<", 2),
            (">0.70<", 2),
            (">0.40<", 2),
        ] {
            assert_eq!(svg.matches(words).count(), count, "{words}: {svg}");
        }
        // The highest training loss is at the top, the lowest at the bottom.
        assert!(svg.contains("points=\"64.0,14.0 224.0,94.0 384.0,174.0 544.0,254.0\""), "{svg}");
        assert!(!svg.contains("class="), "{svg}");
    }
}
