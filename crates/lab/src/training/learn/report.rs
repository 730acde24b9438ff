//! The page with the curves of a run.

use super::results::{GameSummary, LossTable, Verdict};
use super::settings::Settings;
use crate::arena::signed;
use hippolyta::container::Seal;
use hippolyta_protocol::pictures::{Axis, Page, Plot, escaped};
use std::fmt::Write;

/// The data of a generation that the page shows.
pub(super) type Generation = (GameSummary, LossTable, Verdict);

/// The page, with its checksum at the end.
pub(super) fn page(settings: &Settings, generations: &[Generation]) -> Vec<u8> {
    let title = format!("Learning {}", settings.variant);
    let mut page = Page::new(&title);
    page.push(&format!("<h1>{}</h1>\n", escaped(&title)));
    head(&mut page, settings, generations);
    page.push("<div class=\"plots\">\n");
    strength(&mut page, generations);
    lengths(&mut page, generations);
    losses(&mut page, generations, "value", "Loss of the evaluation");
    losses(&mut page, generations, "policy", "Loss of the policy");
    page.push("</div>\n");
    table(&mut page, generations);
    Seal::PAGE.put(&page.finish("")).into_bytes()
}

/// Strength of the weights after each generation against the first ones, and half the width of the 95 % interval.
fn ladder(generations: &[Generation]) -> Vec<(f64, f64)> {
    let mut steps = vec![(0.0, 0.0)];
    let (mut elo, mut variance) = (0.0, 0.0);
    for (.., verdict) in generations {
        if verdict.accepted {
            let (gain, error) = verdict.bounded();
            elo += gain;
            variance += error * error;
        }
        steps.push((elo, f64::sqrt(variance)));
    }
    steps
}

fn head(page: &mut Page, settings: &Settings, generations: &[Generation]) {
    let Settings { games, nodes, seed, gate_nodes, .. } = settings;
    let from = settings.fen.as_deref().map_or(String::new(), |fen| format!(" from {}", escaped(fen)));
    let start = escaped(&settings.start.name);
    page.push(&format!(
        "<p class=\"lead\">Each generation: {games} games of self-play{from} with {nodes} nodes a turn, a fit, and a match \
         with {gate_nodes} nodes a turn against the weights before. First weights: {start}. Seed {seed}.</p>\n"
    ));
    if let Some((.., last)) = generations.last().filter(|_| generations.len() as u64 == settings.generations) {
        page.push(&format!("<p>The weights in the end: {}.</p>\n", last.percentages()));
    }
    let accepted = generations.iter().filter(|(.., verdict)| verdict.accepted).count();
    let played: u64 = generations.iter().map(|(games, ..)| games.games).sum();
    let (elo, error) = ladder(generations).last().copied().unwrap_or_default();
    let figures = [
        ("Stronger than the first weights by", format!("{} ± {error:.0} Elo", signed(elo))),
        ("Generations accepted", format!("{accepted} of {}", generations.len())),
        ("Games of self-play", played.to_string()),
    ];
    let cards =
        figures.map(|(name, figure)| format!("<div class=\"card\">{name}<div class=\"big\">{figure}</div></div>\n"));
    page.push(&format!("<div class=\"figures\">\n{}</div>\n", cards.concat()));
}

/// A figure: its title, what there is to say, its legend, its chart.
fn figure(page: &mut Page, title: &str, caption: &str, legend: &[(&str, &str)], plot: &Plot) {
    let sign = |(sign, text): &(&str, &str)| {
        format!("<span><svg class=\"sign\" viewBox=\"0 0 28 14\" aria-hidden=\"true\">{sign}</svg> {text}</span>\n")
    };
    let legend: String = legend.iter().map(sign).collect();
    page.push(&format!(
        "<figure>\n<h3>{title}</h3>\n<p class=\"legend\">\n{legend}</p>\n{}<figcaption>{caption}</figcaption>\n</figure>\n",
        plot.finish()
    ));
}

fn strength(page: &mut Page, generations: &[Generation]) {
    let steps = ladder(generations);
    let last = generations.len() as u64;
    // A refused candidate stands above or below the weights that it should have replaced.
    let refused: Vec<_> = generations
        .iter()
        .zip(1..)
        .filter(|((.., verdict), _)| !verdict.accepted)
        .map(|((.., verdict), g)| {
            let (gain, error) = verdict.bounded();
            (g, steps[g].0 + gain, error)
        })
        .collect();
    let ends =
        steps.iter().map(|&(elo, error)| (elo, error)).chain(refused.iter().map(|&(_, elo, error)| (elo, error)));
    let ends = ends.flat_map(|(elo, error)| [elo - error, elo + error]);
    let y = Axis::around("Elo against the first weights", ends, 0);
    let mut chart =
        Plot::new("Strength by generation", Axis::whole("Generation (0: the first weights)", 0, last, 0.3), y);
    for &(g, elo, error) in &refused {
        chart.interval("two", g as f64, elo - error, elo + error);
        let says = format!("generation {g}, refused: {} ± {error:.0}", signed(elo));
        chart.dot("two", (g as f64, elo), &says);
    }
    let line: Vec<_> = steps.iter().enumerate().map(|(g, &(elo, _))| (g as f64, elo)).collect();
    chart.line("one", &line);
    for (g, &(elo, error)) in steps.iter().enumerate() {
        if g == 0 || generations[g - 1].2.accepted {
            if error > 0.0 {
                chart.interval("one", g as f64, elo - error, elo + error);
            }
            chart.dot("one full", (g as f64, elo), &format!("generation {g}: {} ± {error:.0}", signed(elo)));
        }
    }
    let mut legend = vec![
        (
            "<path class=\"line one\" d=\"M1 7H27\"/><circle class=\"dot one full\" cx=\"14\" cy=\"7\" r=\"4\"/>",
            "weights in use",
        ),
        ("<path class=\"interval one\" d=\"M14 1V13M10 1h8M10 13h8\"/>", "95 % interval"),
    ];
    if !refused.is_empty() {
        legend.insert(1, ("<circle class=\"dot two\" cx=\"14\" cy=\"7\" r=\"4\"/>", "refused candidate"));
    }
    let caption = "The gains of the accepted candidates, added up; each was measured against the weights before it. A \
                   match that ends as soon as it is decided tends to show a little too much.";
    figure(page, "Strength", caption, &legend, &chart);
}

fn lengths(page: &mut Page, generations: &[Generation]) {
    let quantiles: Vec<_> = generations
        .iter()
        .map(|(games, ..)| [0.1, 0.25, 0.5, 0.75, 0.9].map(|share| f64::from(games.quantile(share))))
        .collect();
    let y = Axis::around("Turns of both sides", quantiles.iter().flatten().copied(), 0);
    let x = Axis::whole("Generation", 1, generations.len() as u64, 0.6);
    let mut chart = Plot::new("Lengths of the games of self-play by generation", x, y);
    for (g, &[tenth, quarter, median, three, nine]) in quantiles.iter().enumerate() {
        let at = g as f64 + 1.0;
        chart.interval("one", at, tenth, nine);
        let says = format!("generation {}: median {median}, half of the games {quarter} to {three}", g + 1);
        chart.block("half", at, 0.36, quarter, three, &says);
        chart.level("two", at, 0.36, median);
    }
    let legend = [
        ("<path class=\"line two\" d=\"M3 7H25\"/>", "median"),
        ("<rect class=\"half\" x=\"4\" y=\"2\" width=\"20\" height=\"10\" rx=\"2\"/>", "the middle half"),
        ("<path class=\"interval one\" d=\"M14 1V13M10 1h8M10 13h8\"/>", "10 % to 90 %"),
    ];
    figure(page, "Length of games", "Games of self-play end as soon as their result is proven.", &legend, &chart);
}

fn losses(page: &mut Page, generations: &[Generation], what: &str, title: &str) {
    let epochs = generations.iter().flat_map(|(_, losses, _)| losses.of(what)).map(|losses| losses.epoch).max();
    let epochs = f64::from(epochs.unwrap_or(0).max(1));
    // The epochs of a generation fill four fifths of the way to the next one.
    let at = |g: usize, epoch: u32| g as f64 + 1.0 + 0.8 * f64::from(epoch) / epochs - 0.4;
    let lines = |side: fn(&crate::training::fit::losses::Losses) -> f64| -> Vec<Vec<(f64, f64)>> {
        let of = |(g, (_, losses, _)): (usize, &Generation)| {
            losses.of(what).map(|losses| (at(g, losses.epoch), side(losses))).collect()
        };
        generations.iter().enumerate().map(of).collect()
    };
    let (training, validation) = (lines(|losses| losses.training), lines(|losses| losses.validation));
    let numbers = training.iter().chain(&validation).flatten().map(|&(_, loss)| loss);
    let y = Axis::around("Mean loss, nats", numbers, 2);
    let x = Axis::whole("Generation; within each its epochs, from left to right", 1, generations.len() as u64, 0.6);
    let mut chart = Plot::new(title, x, y);
    for (lines, class) in [(&training, "two dashed"), (&validation, "one")] {
        for line in lines.iter() {
            chart.line(class, line);
        }
    }
    for line in &validation {
        if let Some(&end) = line.last() {
            chart.dot("one full", end, &format!("{:.4}", end.1));
        }
    }
    let legend = [
        (
            "<path class=\"line one\" d=\"M1 7H21\"/><circle class=\"dot one full\" cx=\"22\" cy=\"7\" r=\"4\"/>",
            "validation games",
        ),
        ("<path class=\"line two dashed\" d=\"M1 7H27\"/>", "training games"),
    ];
    let caption =
        "Each generation has games of its own, so only the course within a generation tells what was learned.";
    figure(page, title, caption, &legend, &chart);
}

fn table(page: &mut Page, generations: &[Generation]) {
    let heads = [
        "Generation",
        "Verdict",
        "Elo",
        "Pairs",
        "Won",
        "Drawn",
        "Lost",
        "Value loss",
        "Policy loss",
        "White’s score",
        "Turns",
    ];
    let heads = heads.map(|head| format!("<th scope=\"col\">{head}"));
    let mut html = format!("<div class=\"scroll\"><table>\n<thead><tr>{}</thead>\n<tbody>\n", heads.concat());
    for ((games, losses, verdict), g) in generations.iter().zip(1..) {
        let (elo, error) = verdict.bounded();
        let [lost, drawn, won] = verdict.games;
        let last = |what| losses.of(what).last().map_or_else(String::new, |losses| format!("{:.4}", losses.validation));
        let said = if verdict.accepted { "accepted" } else { "refused" };
        let _ = writeln!(
            html,
            "<tr><td>{g}<td>{said}<td>{} ± {error:.0}<td>{}<td>{won}<td>{drawn}<td>{lost}<td>{}<td>{}<td>{:.3}<td>{}",
            signed(elo),
            verdict.pairs.iter().sum::<u64>(),
            last("value"),
            last("policy"),
            games.white(),
            games.quantile(0.5),
        );
    }
    page.push(&(html + "</tbody></table></div>\n"));
}

#[cfg(test)]
mod tests {
    use super::super::settings::Calibrating;
    use super::super::settings::tests::quick;
    use super::*;
    use crate::training::fit::losses::Losses;

    fn generation(accepted: bool, elo: f64) -> Generation {
        let games = GameSummary { games: 4, lengths: [(9, 1), (11, 2), (20, 1)].into(), ..GameSummary::default() };
        let epochs = ["value", "policy"].into_iter().flat_map(|what| {
            (0..3).map(move |epoch| Losses { what: what.to_owned(), epoch, training: 0.5, validation: 0.6 })
        });
        let verdict = Verdict {
            accepted,
            by: "limit".to_owned(),
            pairs: [1, 2, 3, 4, 5],
            games: [10, 0, 20],
            elo: Some(elo),
            error: Some(30.0),
            ratio: 0.0,
            calibration: Some(Calibrating { games: 20, nodes: 1_000 }),
        };
        (games, LossTable { epochs: epochs.collect() }, verdict)
    }

    #[test]
    fn strengths_of_accepted_generations_add_up_and_so_do_the_squares_of_their_errors() {
        let generations = [generation(true, 100.0), generation(false, -20.0), generation(true, 40.0)];
        let ladder = ladder(&generations);
        assert_eq!(ladder[..3], [(0.0, 0.0), (100.0, 30.0), (100.0, 30.0)]);
        assert!(ladder[3].0 == 140.0 && (ladder[3].1 - 30.0 * 2.0f64.sqrt()).abs() < 1e-9);
        assert_eq!([3.4, -3.6, 0.2, -0.2].map(signed), ["+3", "−4", "0", "0"]);
    }

    #[test]
    fn a_page_shows_every_generation() {
        let page = page(&quick(), &[generation(true, 100.0), generation(false, -20.0)]);
        let text = String::from_utf8(page.clone()).unwrap();
        // Two lines of losses for each generation, and one of strength.
        assert_eq!(text.matches("<polyline").count(), 2 * 2 * 2 + 1);
        assert_eq!(text.matches("<figure>").count(), 4);
        assert!(text.contains("<td>2<td>refused<td>−20 ± 30<td>15<td>20<td>0<td>10<td>0.6000<td>0.6000"), "{text}");
        assert!(text.contains("The weights in the end: percentages fitted to 20 games of 1000 nodes a turn."));
        assert!(text.contains("Elo against the first weights") && text.contains("refused candidate"));
        assert!(Seal::PAGE.take(&page).is_some());
    }
}
