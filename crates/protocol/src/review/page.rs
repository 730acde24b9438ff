//! A review as an HTML page.

use super::text::{
    count, expected, outcome_for, per_cent, reasons, remark, short_value_for, side_name, squares, summary, title,
    value_for,
};
use super::{Ends, Judgement, Kind, Lesson, LostSquare, Review, Selection, Verdict};
use crate::pictures::{Arrow, ArrowKind, Clip, Mark, Page, Picture, Viewer, escaped, score_graph};
use hippolyta::engine::{Board, Owner};
use hippolyta::games::{Side, Turn};
use std::fmt::Write as _;

/// Tags that are shown under the title, in this order.
const FACTS: [&str; 5] = ["Event", "Site", "Date", "Round", "TimeControl"];

/// With more diagrams than this, those of inaccuracies come last and folded up.
const MOST_PUZZLES: usize = 12;

/// Of a square that a mistake costs an owner is marked who has so much of it.
const LEAST: f64 = 0.25;

pub(super) fn write(review: &Review, selection: Selection) -> String {
    let title = title(review);
    let mut page = Page::new(&format!("{title} – review"));
    head(&mut page, review);
    if review.verdicts.is_empty() {
        if let Some(last) = review.judgements.last() {
            let (side, value) = (side_name(last.side), value_for(last.side, last));
            page.push(&format!("<p>No turn was played. {side} to move: {value}.</p>\n"));
        }
        return page.finish("");
    }
    figures(&mut page, review);
    graph(&mut page, review);
    let mut viewer = Viewer::default();
    viewer.add(clip(review, &title));
    page.push("<h2>The game</h2>\n");
    page.push(&viewer.html());
    mistakes(&mut page, review, selection);
    end(&mut page, review);
    turns(&mut page, review);
    method(&mut page, review);
    page.finish(Viewer::SCRIPT)
}

/// The address of the position after `turns` turns.
fn address(turns: usize) -> String {
    format!("#g1-{turns}")
}

fn head(page: &mut Page, review: &Review) {
    let [white, black] = [Side::White, Side::Black].map(|side| escaped(&review.player(side)));
    let record = &review.record;
    let result = match record.result() {
        "1-0" => "1–0",
        "0-1" => "0–1",
        "1/2-1/2" => "½–½",
        _ => "no result",
    };
    page.push(&format!("<header>\n<h1>{white} against {black}</h1>\n"));
    let mut facts = vec![record.variant.name().to_owned(), result.to_owned(), count(review.verdicts.len())];
    facts.extend(FACTS.iter().filter_map(|name| Some(escaped(&fact(name, record.tags.get(*name)?)?))));
    page.push(&format!("<p class=\"lead\">{}</p>\n</header>\n", facts.join(" · ")));
}

/// The text of a tag for a reader; nothing where PGN marks it as unknown (`?`) or as not applying (`-`). Of a date the
/// known part.
fn fact(name: &str, value: &str) -> Option<String> {
    let value = value.trim_matches(|c: char| c.is_whitespace() || name == "Date" && "?.-/".contains(c));
    if value.chars().all(|c| "?-.*".contains(c)) {
        return None;
    }
    Some(if name == "Round" { format!("round {value}") } else { value.to_owned() })
}

/// Accuracy and what it is made of, a card for each side.
fn figures(page: &mut Page, review: &Review) {
    page.push("<div class=\"figures\">\n");
    for side in [Side::White, Side::Black] {
        let (played, colour) = (review.summary(side), side_name(side));
        let name = review.player(side);
        let name = if name == colour { name } else { format!("{name} ({colour})") };
        let accuracy = played.accuracy().map_or_else(|| "–".to_owned(), per_cent);
        let loss = played.average_loss().map_or_else(|| "–".to_owned(), |loss| format!("{:.1} %", 100.0 * loss));
        let best = played.best_share().map_or_else(|| "–".to_owned(), per_cent);
        let mut html = format!(
            "<section class=\"card\">\n<h3><span class=\"chip {}\" aria-hidden=\"true\"></span>{}</h3>\n\
             <div class=\"big\">{accuracy} <small>accuracy</small></div>\n<ul class=\"counts\">\
             <li>{} judged</li><li>{loss} average loss</li><li>best turn in {best}</li></ul>\n<ul class=\"counts\">",
            side.name(),
            escaped(&name),
            count(played.turns),
        );
        for kind in Kind::ALL {
            let number = played.kinds[kind as usize];
            let name = if number == 1 { kind.name() } else { kind.plural() };
            let _ = write!(
                html,
                "<li><span class=\"graph-mark {}\" aria-hidden=\"true\"></span> {number} {name}</li>",
                kind.name()
            );
        }
        page.push(&html);
        page.push("</ul>\n</section>\n");
    }
    page.push("</div>\n");
}

fn graph(page: &mut Page, review: &Review) {
    let scores: Vec<_> = review.judgements.iter().map(|judgement| judgement.white).collect();
    let mark = |verdict: &Verdict| Some(Mark { place: verdict.ply + 1, class: verdict.kind?.name() });
    let marks: Vec<_> = review.verdicts.iter().filter_map(mark).collect();
    let says = |(at, judgement): (usize, &Judgement)| {
        let turn = at.checked_sub(1).and_then(|ply| review.verdicts.get(ply));
        let name = turn.map_or_else(|| "Start".to_owned(), |verdict| format!("{} {}", verdict.number, verdict.turn));
        (address(at), format!("{name}: {} for White", value_for(Side::White, judgement)))
    };
    let links: Vec<_> = review.judgements.iter().enumerate().map(says).collect();
    let last = review.judgements.last().map(|last| value_for(Side::White, last)).unwrap_or_default();
    let label = format!(
        "White’s expected score over the game, from {} to {last}. The table of turns has all numbers.",
        review.judgements.first().map(|first| value_for(Side::White, first)).unwrap_or_default()
    );
    page.push("<h2>White’s expected score</h2>\n");
    page.push(&score_graph(&scores, &marks, &links, &label));
    let mut legend = String::from("<p class=\"legend\">");
    for kind in Kind::ALL {
        let _ = write!(
            legend,
            "<span><span class=\"graph-mark {}\" aria-hidden=\"true\"></span> {} {}</span> ",
            kind.name(),
            kind.name(),
            kind.sign()
        );
    }
    legend.push_str("<span>At the top White wins, at the bottom Black; the dashed line is even.</span></p>\n");
    page.push(&legend);
}

/// Whether squares have owners by now: where territories are counted as soon as one is closed off, in Desdemona and
/// its relatives when at most a third of the squares is empty.
fn is_endgame(board: &Board, judgement: &Judgement) -> bool {
    let traits = board.variant().traits();
    if traits.territories {
        let mut regions = judgement.owned.territory.iter().flat_map(|found| &found.regions);
        return regions.any(|region| region.owner != Owner::Contested);
    }
    let pieces = board.pieces();
    traits.stones && 3 * pieces.iter().count() >= 2 * pieces.files() * pieces.ranks()
}

/// The position before a turn of the game.
fn board_at(review: &Review, ply: usize) -> Option<Board> {
    let turns = review.verdicts.iter().take(ply).map(|verdict| &verdict.turn);
    Board::replayed(&review.record.variant, &review.record.fen, turns).ok()
}

/// A position with the turn that led to it, and in the endgame with who owns what.
fn picture(board: &Board, judgement: &Judgement) -> Picture {
    let mut picture = Picture::new(board);
    if let Some(last) = board.last_turn() {
        picture = picture.last_turn(&last);
    }
    if is_endgame(board, judgement) { picture.owned(&judgement.owned) } else { picture }
}

fn mistakes(page: &mut Page, review: &Review, selection: Selection) {
    let found = review.mistakes(selection);
    let whose = selection.side.map_or_else(String::new, |side| format!(" – {}", side_name(side)));
    page.push(&format!("<h2 id=\"mistakes\">What would you play?{whose}</h2>\n"));
    if found.is_empty() {
        page.push("<p>There was no inaccuracy, no mistake and no blunder.</p>\n");
        return;
    }
    page.push(
        "<p class=\"soft\">In each of these positions a turn of the game lost 5 % or more. Find a better one, then ask for \
         the answer: <span class=\"key best\"></span> the best turn, <span class=\"key played\"></span> the turn of the \
         game.</p>\n",
    );
    let lessons = Lesson::of(found.iter().copied()).into_iter().map(|lesson| format!("<li>{}</li>\n", lesson.text()));
    let lessons = lessons.collect::<String>();
    if !lessons.is_empty() {
        page.push(&format!("<ul class=\"lessons\">\n{lessons}</ul>\n"));
    }
    // A long list is headed by what matters most.
    let is_small = |verdict: &&&Verdict| verdict.kind == Some(Kind::Inaccuracy);
    let small = found.iter().filter(is_small).count();
    let splits = found.len() > MOST_PUZZLES && small < found.len();
    let all = |page: &mut Page, wanted: &dyn Fn(&&&Verdict) -> bool| {
        for verdict in found.iter().filter(wanted) {
            if let Some(board) = board_at(review, verdict.ply) {
                puzzle(page, review, verdict, &board);
            }
        }
        page.push("</div>\n");
    };
    page.push("<div class=\"puzzles\">\n");
    all(page, &|verdict| !splits || !is_small(verdict));
    if splits && small > 0 {
        page.push(&format!(
            "<details class=\"more\"><summary>Inaccuracies: {small} more positions</summary>\n<div class=\"puzzles\">\n"
        ));
        all(page, &|verdict| is_small(verdict));
        page.push("</details>\n");
    }
}

fn puzzle(page: &mut Page, review: &Review, verdict: &Verdict, board: &Board) {
    let (before, [with_best, after]) = (review.before(verdict), review.compared(verdict));
    let side = side_name(verdict.side);
    let best = before.line.first();
    let mut picture = picture(board, before)
        .label(&format!("Position before turn {} {side} to move. FEN: {}", verdict.number, before.fen));
    if let Some(best) = best {
        picture = picture.arrow(Arrow::new(best, ArrowKind::Best));
    }
    let picture = picture.arrow(Arrow::new(&verdict.turn, ArrowKind::Played));
    let mut html = format!(
        "<article class=\"puzzle\">\n<h3>Turn {} {side} to move</h3>\n{}\n<details>\n\
         <summary>Show the answer</summary>\n",
        verdict.number,
        picture.embedded()
    );
    if let Some(best) = best {
        let value = value_for(verdict.side, with_best);
        let _ = writeln!(html, "<p>Best was <strong>{}</strong>: {value} for {side}.</p>", best);
    }
    if let Some(kind) = verdict.kind {
        let _ = writeln!(
            html,
            "<p>{side} played <a href=\"{}\">{}</a>, <span class=\"{}-word\">{}</span> that lost {}. After it: {}.</p>",
            address(verdict.ply + 1),
            verdict.turn,
            kind.name(),
            kind.with_article(),
            per_cent(verdict.loss),
            value_for(verdict.side, after)
        );
    }
    if !verdict.reasons.is_empty() {
        let _ = writeln!(html, "<p>{}</p>", reasons(verdict));
    }
    match &verdict.ends {
        Some(ends) => html.push_str(&both_ends(board, ends)),
        None => {
            for (after, line) in ["it", "the best"].into_iter().zip(expected(review, verdict)) {
                if !line.is_empty() {
                    let line = Turn::join(line, " ");
                    let _ = writeln!(html, "<p class=\"soft small\">Expected after {after}: {line}</p>");
                }
            }
        }
    }
    html.push_str("</details>\n</article>\n");
    page.push(&html);
}

/// How it goes on after the best turn and after the one that was played, side by side, and the squares that this costs.
fn both_ends(board: &Board, ends: &Ends) -> String {
    let mut html = String::from("<div class=\"ends\">\n");
    let owners: [fn(&LostSquare) -> f64; 2] = [|lost| lost.best, |lost| lost.played];
    let lines = [("After the best", &ends.best, owners[0]), ("In the game", &ends.played, owners[1])];
    for (name, line, owner) in lines {
        let mut board = board.clone();
        if line.iter().any(|turn| board.play_turn(turn).is_err()) {
            return String::new();
        }
        let whose = |lost: &LostSquare| {
            let owner = owner(lost);
            (owner.abs() >= LEAST).then_some((lost.square, if owner > 0.0 { Side::White } else { Side::Black }))
        };
        let marked: Vec<_> = ends.lost.iter().filter_map(whose).collect();
        let turns = Turn::join(line, " ");
        let picture = Picture::new(&board).without_coordinates().hatched(&marked).label(&format!("{name}: {turns}"));
        let _ = writeln!(
            html,
            "<figure>{}<figcaption class=\"soft small\">{name}: {turns}</figcaption></figure>",
            picture.embedded()
        );
    }
    html.push_str("</div>\n");
    if !ends.lost.is_empty() {
        let (count, are) = (ends.lost.len(), if ends.lost.len() == 1 { "is" } else { "are" });
        let _ = writeln!(html, "<p>It costs {}, which {are} marked.</p>", squares(count as u32));
    }
    html
}

fn clip(review: &Review, title: &str) -> Clip {
    // Legal, as it was searched.
    let start = board_at(review, 0).unwrap_or_else(|| Board::new(&review.record.variant));
    let mut clip = Clip::new(title, &start);
    for verdict in &review.verdicts {
        let [_, after] = review.compared(verdict);
        let mut words = vec![format!("White {}", value_for(Side::White, after))];
        if verdict.book {
            words.push("book".to_owned());
        }
        if let Some(kind) = verdict.kind {
            words.push(format!("{} that lost {}", kind.with_article(), per_cent(verdict.loss)));
        }
        if clip.play(&verdict.turn, &words.join(" · ")).is_err() {
            break;
        }
    }
    clip
}

/// The last position, with who owns what.
fn end(page: &mut Page, review: &Review) {
    let (Some(board), Some(last)) = (board_at(review, review.verdicts.len()), review.judgements.last()) else { return };
    let picture = picture(&board, last).label(&format!("The last position. FEN: {}", last.fen));
    page.push(&format!("<h2>The end</h2>\n<div class=\"end\">\n<div>{}</div>\n<div>\n", picture.embedded()));
    let reason = ["Detail", "Termination"].iter().find_map(|name| review.record.tags.get(*name));
    if let Some(reason) = reason.filter(|reason| !reason.is_empty() && board.outcome().is_none()) {
        page.push(&format!("<p>The record says: {}.</p>\n", escaped(reason.trim_end_matches('.'))));
    }
    let side = side_name(last.side);
    let value = match (board.outcome(), outcome_for(last.side, last)) {
        (Some(_), Some("draw")) => "The game is over: a draw.".to_owned(),
        (Some(_), Some(outcome)) => {
            let winner = if outcome == "win" { last.side } else { !last.side };
            format!("The game is over by the rules: {} has won.", side_name(winner))
        }
        _ => format!("{side} to move: {} for {side}.", value_for(last.side, last)),
    };
    page.push(&format!("<p>{value}</p>\n"));
    if let Some(territory) = &last.owned.territory {
        let range =
            |[least, most]: [u32; 2]| if least == most { least.to_string() } else { format!("{least} to {most}") };
        let left = territory.turns_left;
        page.push(&format!(
            "<p>Turns left in territories of their own: White {}, Black {}.</p>\n",
            range(left.white),
            range(left.black)
        ));
    }
    if is_endgame(&board, last) {
        let traits = board.variant().traits();
        let words = match (traits.territories, traits.ownership) {
            (true, true) => {
                "Hatched squares are settled, White’s in blue and Black’s in orange, with the number of turns in them. \
                 Marks on other squares say who comes there first: White’s are round, Black’s square. The positions \
                 above show this as soon as the first territory is closed off."
            }
            (true, false) => {
                "Hatched squares are settled, White’s in blue and Black’s in orange, with the number of turns in them. \
                 The positions above show this as soon as the first territory is closed off."
            }
            _ => {
                "Marks say who owns a square at the end of games as the engine plays them, larger where it is more \
                 certain: White’s are round and blue, Black’s square and orange. The positions above show this when at \
                 most a third of the squares is empty."
            }
        };
        page.push(&format!("<p class=\"soft small\">{words}</p>\n"));
    }
    page.push(&format!("<p class=\"soft small\">FEN: <code>{}</code></p>\n</div>\n</div>\n", escaped(&last.fen)));
}

/// Every turn in a table.
fn turns(page: &mut Page, review: &Review) {
    page.push(
        "<h2 id=\"turns\">Every turn</h2>\n<div class=\"scroll tall\" role=\"region\" aria-labelledby=\"turns\" \
         tabindex=\"0\">\n<table>\n<thead><tr><th scope=\"col\">No.</th><th scope=\"col\">Played</th>\
         <th scope=\"col\">Judged</th><th scope=\"col\" class=\"number\">Loss</th><th scope=\"col\">Best</th>\
         <th scope=\"col\" class=\"number\">Before</th><th scope=\"col\" class=\"number\">After</th></tr></thead>\n<tbody>\n",
    );
    for verdict in &review.verdicts {
        let [before, after] = review.compared(verdict).map(|judgement| {
            let value = short_value_for(verdict.side, judgement);
            if outcome_for(verdict.side, judgement).is_some() { value } else { value + " %" }
        });
        let best = match review.before(verdict).line.first() {
            Some(_) if verdict.is_best => "the same".to_owned(),
            Some(best) => best.to_string(),
            None => "–".to_owned(),
        };
        let judged = match verdict.kind {
            Some(kind) => format!("<span class=\"{0}-word\">{0} {1}</span>", kind.name(), kind.sign()),
            None => remark(verdict).to_owned(),
        };
        let loss = if verdict.book { "–".to_owned() } else { format!("{:.1} %", 100.0 * verdict.loss) };
        page.push(&format!(
            "<tr id=\"t1-{}\"><td>{}</td><th scope=\"row\"><a href=\"{}\">{}</a></th><td>{judged}</td>\
             <td class=\"number\">{loss}</td><td>{best}</td><td class=\"number\">{before}</td>\
             <td class=\"number\">{after}</td></tr>\n",
            verdict.ply + 1,
            verdict.number,
            address(verdict.ply + 1),
            verdict.turn,
        ));
    }
    page.push("</tbody>\n</table>\n</div>\n");
    // A table of the figures that the review as text has, so that both can be compared.
    page.push(
        "<details class=\"small\"><summary>The summary as a table</summary>\n<div class=\"scroll\"><table>\n<thead><tr><td></td>\
         <th scope=\"col\" class=\"number\">White</th><th scope=\"col\" class=\"number\">Black</th></tr></thead>\n<tbody>\n",
    );
    for (name, [white, black]) in summary(review) {
        page.push(&format!(
            "<tr><th scope=\"row\">{name}</th><td class=\"number\">{white}</td><td class=\"number\">{black}</td></tr>\n"
        ));
    }
    page.push("</tbody>\n</table></div></details>\n");
}

fn method(page: &mut Page, review: &Review) {
    let book = if review.verdicts.iter().any(|verdict| verdict.book) {
        " Turns of the opening (book) are not judged."
    } else {
        ""
    };
    page.push(&format!(
        "<h2>How this was judged</h2>\n<p>Every position was searched: {}. Expected scores are those of the side that \
         moved; a draw counts as half a win. A turn loses what its player’s expected score fell by; where that \
         is 3 % or more, what the position after the best turn is better, searched as long; nothing if it was the \
         engine’s choice. From 5 % on it is an inaccuracy, from 10 % a mistake, from 20 % a blunder; less than 5 % is \
         within the noise of such a search.{book} Accuracy is the share of a side’s judged turns that were none of \
         these.</p>\n",
        review.effort
    ));
}
