//! The measures of a rule set, and those of its variations, as HTML pages.

use super::games::VARIETY;
use super::measures::{Interval, Report, Strength, part};
use super::variations::Variations;
use hippolyta_protocol::pictures::{Axis, Page, Plot, escaped};
use std::fmt::Write;

/// The page: what was measured in words, charts by strength, and a table. It loads nothing.
///
/// ```
/// use hippolyta_research::quality::{Report, page};
///
/// let report = Report {
///     variant: "amazons6".to_owned(),
///     title: "Amazons & more".to_owned(),
///     fen: "1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1".to_owned(),
///     seed: 0,
///     evaluation: "its built-in weights".to_owned(),
///     made: serde_json::Value::Null,
///     strengths: Vec::new(),
///     even_turns: Vec::new(),
///     words: vec!["The start is even.".to_owned()],
/// };
/// let text = page(&report);
/// assert!(text.contains("<h1>Amazons &amp; more</h1>") && text.contains("The start is even."));
/// ```
pub fn page(report: &Report) -> String {
    let mut page = Page::new(&report.title);
    page.push(&format!(
        "<h1>{}</h1>\n<p class=\"lead\">{}</p>\n",
        escaped(&report.title),
        escaped(&report.words.join(" "))
    ));
    page.push("<div class=\"plots\">\n");
    let share = |interval: Interval| [interval.low, interval.mean, interval.high].map(|share| 100.0 * share);
    chart(&mut page, report, "White’s share of the points, %", "50 % is an even start.", &|strength| {
        Some(share(strength.first_player))
    });
    chart(&mut page, report, "Drawn games, %", "Of games between equals.", &|strength| Some(share(strength.drawn)));
    let turns = "Turns of both sides: the median, and what four fifths of the games keep to.";
    chart(&mut page, report, "Length of a game, turns", turns, &|strength| {
        let [short, usual, long] = strength.turns;
        Some([short, usual, long].map(f64::from))
    });
    let deep = "What twice as many nodes gain. Where little is gained, a game is shallow or drawn.";
    chart(&mut page, report, "Elo of a doubling", deep, &|strength| {
        let [elo, low, high] = strength.doubling;
        Some([low?, elo?, high?])
    });
    page.push("</div>\n");
    table(&mut page, &report.strengths);
    if !report.even_turns.is_empty() {
        page.push("<h2>First turns that leave the game most even</h2>\n<ul>\n");
        for turn in &report.even_turns {
            page.push(&format!("<li>{}: {:.0} % for White</li>\n", escaped(&turn.turn), 100.0 * turn.score));
        }
        page.push("</ul>\n");
    }
    page.push(&format!(
        "<p>Games of the engine with itself from <code>{}</code>, seed {}, by {}. The intervals are those of 95 %; games \
         that begin alike count as one in them. In the first six turns of a game the engine draws among turns within {} \
         points of its best.</p>\n",
        escaped(&report.fen),
        report.seed,
        escaped(&report.evaluation),
        report.made["variety"].as_f64().unwrap_or(VARIETY.into()),
    ));
    page.finish("")
}

/// A chart of a measure by strength: `of` tells the lower end, the value and the upper end.
fn chart(
    page: &mut Page,
    report: &Report,
    title: &'static str,
    caption: &str,
    of: &dyn Fn(&Strength) -> Option<[f64; 3]>,
) {
    let known: Vec<(u64, u64, [f64; 3])> = report
        .strengths
        .iter()
        .zip(1..)
        .filter_map(|(strength, at)| Some((at, strength.nodes, of(strength)?)))
        .collect();
    if known.is_empty() {
        return;
    }
    let y = if title.ends_with('%') {
        let marks = [0, 25, 50, 75, 100].map(|mark| (f64::from(mark), mark.to_string()));
        Axis { label: title, from: 0.0, to: 100.0, marks: marks.into() }
    } else {
        Axis::around(title, known.iter().flat_map(|(.., ends)| *ends), 1)
    };
    let marks = report.strengths.iter().zip(1..).map(|(strength, at)| (f64::from(at), strength.nodes.to_string()));
    let count = report.strengths.len() as f64;
    let x = Axis { label: "Nodes a turn", from: 0.5, to: count + 0.5, marks: marks.collect() };
    let mut plot = Plot::new(title, x, y);
    let line: Vec<(f64, f64)> = known.iter().map(|&(at, _, [_, value, _])| (at as f64, value)).collect();
    plot.line("one", &line);
    for (at, nodes, [low, value, high]) in known {
        plot.interval("one", at as f64, low, high);
        plot.dot("one full", (at as f64, value), &format!("{nodes} nodes: {value:.1} ({low:.1} to {high:.1})"));
    }
    page.push(&format!("<figure>\n<h3>{title}</h3>\n{}<figcaption>{caption}</figcaption>\n</figure>\n", plot.finish()));
}

fn table(page: &mut Page, strengths: &[Strength]) {
    let heads = [
        "Nodes a turn",
        "Games",
        "White’s share, %",
        "Drawn, %",
        "Turns, median",
        "Turns to choose from",
        "Winner clear after, %",
        "Changes of the lead",
        "Openings of four turns",
        "Elo of a doubling",
    ];
    let mut html = table_head(&heads);
    for strength in strengths {
        let _ = writeln!(
            html,
            "<tr><td>{}<td>{}<td>{}<td>{}<td>{}<td>{:.0}<td>{}<td>{:.1}<td>{}<td>{}",
            strength.nodes,
            strength.games,
            part(&strength.first_player),
            part(&strength.drawn),
            strength.turns[1],
            strength.choices,
            part(&strength.clear),
            strength.lead_changes,
            strength.openings,
            doubling(strength),
        );
    }
    page.push(&(html + "</tbody></table></div>\n"));
}

/// The beginning of a table with these heads.
fn table_head(heads: &[&str]) -> String {
    let heads: String = heads.iter().map(|head| format!("<th scope=\"col\">{head}")).collect();
    format!("<div class=\"scroll\"><table>\n<thead><tr>{heads}</thead>\n<tbody>\n")
}

/// Elo of a doubling and its interval, as far as they are known.
fn doubling(strength: &Strength) -> String {
    match strength.doubling {
        [Some(elo), Some(low), Some(high)] => format!("{elo:+.0} ({low:+.0} to {high:+.0})"),
        [Some(elo), ..] => format!("{elo:+.0}"),
        _ => "–".to_owned(),
    }
}

/// The page of variations: what they tell in words, and a table, the most balanced first. It loads nothing.
///
/// ```
/// use hippolyta_research::quality::{Goal, Variations, variations_page};
///
/// let text = variations_page(&Variations::new("Iago & more", serde_json::Value::Null, Goal::Balance, Vec::new()));
/// assert!(text.contains("<h1>Variations of Iago &amp; more</h1>"));
/// ```
pub fn variations_page(found: &Variations) -> String {
    let title = format!("Variations of {}", found.title);
    let mut page = Page::new(&title);
    let (heading, words) = (escaped(&title), escaped(&found.words.join(" ")));
    page.push(&format!("<h1>{heading}</h1>\n<p class=\"lead\">{words}</p>\n"));
    let head = found.goal.head();
    let heads = [
        "Place",
        "Change",
        &head,
        "Games",
        "White’s share, %",
        "Drawn, %",
        "Turns, median",
        "Turns to choose from",
        "Winner clear after, %",
        "Elo of a doubling",
    ];
    let mut html = table_head(&heads);
    for varied in &found.variations {
        let Some(best) = varied.report.strengths.last() else { continue };
        let _ = writeln!(
            html,
            "<tr><td>{}<th scope=\"row\">{}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{:.0}<td>{}<td>{}",
            found.place(varied),
            escaped(&varied.change()),
            found.goal.shown(&found.goal.of(varied)),
            best.games,
            part(&best.first_player),
            part(&best.drawn),
            best.turns[1],
            best.choices,
            part(&best.clear),
            doubling(best),
        );
    }
    page.push(&(html + "</tbody></table></div>\n"));
    if let Some(best) = found.variations.first().and_then(|varied| varied.report.strengths.last()) {
        page.push(&format!(
            "<p>Balance is twice the share of the games that the side with fewer wins has won: 100 % if each side wins \
             half of them, 0 % if all are drawn. Games between equals at {} nodes a turn. The intervals are those of 95 \
             %; variations that they do not tell apart share a place.</p>\n",
            best.nodes,
        ));
    }
    page.finish("")
}
