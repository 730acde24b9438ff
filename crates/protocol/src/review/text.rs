//! A review for a terminal.

use super::{Judgement, Kind, Lesson, Review, Selection, Verdict};
use hippolyta::engine::Score;
use hippolyta::games::{Side, Turn};
use std::fmt::Write as _;

/// `20,000`.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `12 %`, `under 1 %`.
pub(super) fn per_cent(share: f64) -> String {
    if share > 0.0 && share < 0.005 { "under 1 %".to_owned() } else { format!("{} %", (share * 100.0 + 0.5).floor()) }
}

pub(super) fn side_name(side: Side) -> &'static str {
    if side == Side::White { "White" } else { "Black" }
}

/// `win`, `draw` or `loss` of a side, if that is proven.
pub(super) fn outcome_for(side: Side, judgement: &Judgement) -> Option<&'static str> {
    let is_own = side == judgement.side;
    match judgement.score {
        Score::Estimate { .. } => None,
        Score::Draw => Some("draw"),
        Score::Win { .. } => Some(if is_own { "win" } else { "loss" }),
        Score::Loss { .. } => Some(if is_own { "loss" } else { "win" }),
    }
}

/// The expected score of a side, or what is proven, in words.
pub(super) fn value_for(side: Side, judgement: &Judgement) -> String {
    let Some(outcome) = outcome_for(side, judgement) else { return per_cent(judgement.expected(side)) };
    match judgement.score {
        Score::Win { plies: 0 } | Score::Loss { plies: 0 } => format!("the game is over, a {outcome}"),
        Score::Win { plies } | Score::Loss { plies } => {
            let turns = plies.div_ceil(2);
            format!("a {outcome} in {turns} {}, proven", if turns == 1 { "turn" } else { "turns" })
        }
        _ => format!("a {outcome}, proven"),
    }
}

/// The value of a judgement for `side` in the fewest characters, for a table.
pub(super) fn short_value_for(side: Side, judgement: &Judgement) -> String {
    outcome_for(side, judgement).map_or_else(|| format!("{:.1}", 100.0 * judgement.expected(side)), str::to_owned)
}

/// The remark on a turn in a table.
pub(super) fn remark(verdict: &Verdict) -> &'static str {
    if verdict.book { "book" } else { verdict.kind.map_or("", Kind::name) }
}

/// Why a turn was a mistake, in sentences.
pub(super) fn reasons(verdict: &Verdict) -> String {
    verdict.reasons.iter().map(|reason| reason.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// The squares that a mistake costs by the end of the lines compared.
pub(super) fn lost(verdict: &Verdict) -> Vec<String> {
    verdict.ends.iter().flat_map(|ends| &ends.lost).map(|lost| lost.square.to_string()).collect()
}

/// `5 squares`.
pub(super) fn squares(number: u32) -> String {
    several(number, "square", "squares")
}

/// A number with the word for one or for more.
pub(super) fn several(number: u32, one: &str, more: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
}

/// What is expected after the turn that was played and after the best one.
pub(super) fn expected<'a>(review: &'a Review, verdict: &'a Verdict) -> [&'a [Turn]; 2] {
    match &verdict.ends {
        Some(ends) => [&ends.played, &ends.best].map(|line| &line[1..]),
        None => [&verdict.refutation[..], review.before(verdict).line.get(1..).unwrap_or_default()]
            .map(|line| &line[..line.len().min(SHOWN)]),
    }
}

/// The turns of a line that are shown.
pub(super) const SHOWN: usize = 5;

/// Who played, and how it ended.
pub(super) fn title(review: &Review) -> String {
    let [white, black] = [Side::White, Side::Black].map(|side| {
        let (name, colour) = (review.player(side), side_name(side));
        if name == colour { name } else { format!("{name} ({colour})") }
    });
    format!("{white} against {black}, {}: {}", review.record.variant.name(), review.record.result())
}

/// The rows of the summary: a name, and the figures of White and Black.
pub(super) fn summary(review: &Review) -> Vec<(String, [String; 2])> {
    let sides = [Side::White, Side::Black].map(|side| review.summary(side));
    let none = || "-".to_owned();
    let mut rows = vec![
        ("Turns judged".to_owned(), sides.map(|side| side.turns.to_string())),
        ("Accuracy".to_owned(), sides.map(|side| side.accuracy().map_or_else(none, per_cent))),
        (
            "Average loss".to_owned(),
            sides.map(|side| side.average_loss().map_or_else(none, |loss| format!("{:.1} %", 100.0 * loss))),
        ),
        ("Best turn found".to_owned(), sides.map(|side| side.best_share().map_or_else(none, per_cent))),
    ];
    for kind in Kind::ALL {
        let name = kind.plural();
        let (first, rest) = name.split_at(1);
        rows.push((first.to_uppercase() + rest, sides.map(|side| side.kinds[kind as usize].to_string())));
    }
    rows
}

/// How many turns.
pub(super) fn count(turns: usize) -> String {
    several(turns as u32, "turn", "turns")
}

pub(super) fn write(review: &Review, selection: Selection) -> String {
    let mut text = format!("{}\n{}; {}\n\n", title(review), count(review.verdicts.len()), review.effort);
    if review.verdicts.is_empty() {
        if let Some(last) = review.judgements.last() {
            let (side, value) = (side_name(last.side), value_for(last.side, last));
            let _ = writeln!(text, "No turn was played. {side} to move: {value}.");
        }
        return text;
    }
    turns(&mut text, review, selection);
    mistakes(&mut text, review, selection);
    let _ = writeln!(text, "\n{:<16} {:>8} {:>8}", "", "White", "Black");
    for (name, [white, black]) in summary(review) {
        let _ = writeln!(text, "{name:<16} {white:>8} {black:>8}");
    }
    if review.verdicts.iter().any(|verdict| verdict.book) {
        text.push_str("\nTurns of the opening (book) are not judged.\n");
    }
    text
}

/// Every turn with the best one, the mover's or White's expected score with either, and the loss.
fn turns(text: &mut String, review: &Review, selection: Selection) {
    if selection.white {
        text.push_str("Scores with the best turn and after the one played are White's.\n");
    }
    let _ = writeln!(text, "{:>5} {:<14} {:<14} {:>6} {:>6} {:>6}", "", "turn", "best", "before", "after", "loss");
    for verdict in &review.verdicts {
        let side = if selection.white { Side::White } else { verdict.side };
        let [before, after] = review.compared(verdict).map(|judgement| short_value_for(side, judgement));
        let best = review.before(verdict).line.first().map_or_else(|| "-".to_owned(), Turn::to_string);
        let row = format!(
            "{:>5} {:<14} {best:<14} {before:>6} {after:>6} {:6.1}  {}",
            verdict.number,
            verdict.turn,
            100.0 * verdict.loss,
            remark(verdict)
        );
        let _ = writeln!(text, "{}", row.trim_end());
    }
}

/// The mistakes, each with the position that it was made in and what was better.
fn mistakes(text: &mut String, review: &Review, selection: Selection) {
    let found = review.mistakes(selection);
    let whose = selection.side.map_or_else(String::new, |side| format!(" of {}", side_name(side)));
    let number = if found.is_empty() { "none".to_owned() } else { found.len().to_string() };
    let _ = writeln!(text, "\nMistakes{whose}: {number}");
    for lesson in Lesson::of(found.iter().copied()) {
        let _ = writeln!(text, "    {}", lesson.text());
    }
    for verdict in found {
        let (before, [with_best, after]) = (review.before(verdict), review.compared(verdict));
        let side = side_name(verdict.side);
        let kind = verdict.kind.map_or("", Kind::with_article);
        let (turn, loss) = (&verdict.turn, per_cent(verdict.loss));
        let _ = writeln!(text, "\n{} {side} played {turn}, {kind} that lost {loss}.", verdict.number);
        for reason in &verdict.reasons {
            let _ = writeln!(text, "    {}", reason.text);
        }
        let _ = writeln!(text, "    Before it: {}", before.fen);
        if let Some(best) = before.line.first() {
            let _ = writeln!(text, "    Best was {best}: {} for {side}.", value_for(verdict.side, with_best));
        }
        let _ = writeln!(text, "    After the turn in the game: {}.", value_for(verdict.side, after));
        for (what, line) in ["it", "the best"].into_iter().zip(expected(review, verdict)) {
            if !line.is_empty() {
                let _ = writeln!(text, "    Expected after {what}: {}", Turn::join(line, " "));
            }
        }
        let lost = lost(verdict);
        if !lost.is_empty() {
            let _ = writeln!(text, "    Where these end, it costs {}: {}.", squares(lost.len() as u32), lost.join(" "));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_as_people_write_them() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([0.0, 0.004, 0.125, 1.0].map(per_cent), ["0 %", "under 1 %", "13 %", "100 %"]);
    }
}
