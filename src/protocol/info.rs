//! Scores and reports as text.

use super::go::Dialect;
use crate::endgame::Standing;
use crate::eval::centipawns;
use crate::games::Notation;
use crate::search::{Line, Report, Score};
use serde::Serialize;

/// How lines are to be written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    pub dialect: Dialect,
    pub show_wdl: bool,
}

/// A score as clients see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Points {
    /// Centipawns.
    Cp(i32),
    /// A proven win in so many turns, or a loss if negative; 0: lost already.
    Mate(i32),
}

impl Points {
    pub fn new(score: Score, dialect: Dialect) -> Self {
        // UCI counts the winner's turns, UGI both sides'.
        let mate = |plies: u32| (if dialect == Dialect::Ugi { plies } else { plies.div_ceil(2) }) as i32;
        match score {
            Score::Estimate { score, .. } => Self::Cp(centipawns(score)),
            // A game that is over and won has no number of its own: 0 means lost.
            Score::Win { plies } => Self::Mate(mate(plies.max(1))),
            Score::Loss { plies } => Self::Mate(-mate(plies)),
            Score::Draw => Self::Cp(0),
        }
    }
}

/// Win, draw and loss in thousandths that add up to 1000.
pub(super) fn wdl(score: Score) -> [u32; 3] {
    match score {
        Score::Estimate { score, draw } => per_mille((score - draw / 2.0).clamp(0.0, 1.0), draw),
        Score::Win { .. } => [1000, 0, 0],
        Score::Loss { .. } => [0, 0, 1000],
        Score::Draw => [0, 1000, 0],
    }
}

/// `score …` and, if wanted, `wdl …`.
fn score(score: Score, style: Style) -> String {
    let mut text = match Points::new(score, style.dialect) {
        Points::Cp(points) => format!("score cp {points}"),
        Points::Mate(turns) => format!("score mate {turns}"),
    };
    if style.show_wdl {
        let [win, draw, loss] = wdl(score);
        text.push_str(&format!(" wdl {win} {draw} {loss}"));
    }
    text
}

fn per_mille(win: f32, draw: f32) -> [u32; 3] {
    let win = (win * 1000.0).round() as u32;
    let draw = ((draw * 1000.0).round() as u32).min(1000 - win);
    [win, draw, 1000 - win - draw]
}

/// The turns of a line, written one after the other.
pub(super) fn turns_text<P: Notation>(position: &P, line: &Line<P>) -> Vec<String> {
    let mut position = position.clone();
    let mut text = Vec::new();
    for turn in &line.turns {
        text.push(position.turn_text(turn));
        turn.iter().for_each(|&step| position.play(step));
    }
    text
}

/// One info line for each of the report's lines, and one for how far a proof has come.
pub(super) fn info_lines<P: Notation>(position: &P, report: &Report<P>, style: Style) -> Vec<String> {
    if report.lines.is_empty() {
        return vec![format!("info depth 0 {}", score(report.score, style))];
    }
    let Report { depth, selective_depth, nodes, hash_full, exact_hits, .. } = report;
    let milliseconds = report.time.as_millis();
    let nps = (*nodes as f64 / report.time.as_secs_f64().max(1e-6)) as u64;
    let line = |(index, line): (usize, &Line<P>)| {
        let multi_pv = index + 1;
        // The first line speaks for the position, the others for their moves.
        let score = score(if index == 0 { report.score } else { line.score }, style);
        let pv = turns_text(position, line).join(" ");
        format!(
            "info depth {depth} seldepth {selective_depth} multipv {multi_pv} {score} nodes {nodes} nps {nps} \
             hashfull {hash_full} tbhits {exact_hits} time {milliseconds} pv {pv}"
        )
    };
    let proof = report.proof.as_ref().map(|standing| {
        let Standing { turns, refuted, best, replies, answered } = standing;
        let best = position.turn_text(best);
        format!(
            "info string proof: {refuted} of {turns} moves refuted; of {replies} replies to {best} {answered} answered"
        )
    });
    report.lines.iter().enumerate().map(line).chain(proof).collect()
}

/// The `bestmove` line.
pub(super) fn best_move<P: Notation>(position: &P, report: &Report<P>, dialect: Dialect) -> String {
    let turns = report.lines.first().map(|line| turns_text(position, line)).unwrap_or_default();
    match (turns.as_slice(), dialect) {
        ([], _) => "bestmove (none)".to_owned(),
        ([best, answer, ..], Dialect::Uci) => format!("bestmove {best} ponder {answer}"),
        ([best, ..], _) => format!("bestmove {best}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_turns_or_plies() {
        let uci = Style { dialect: Dialect::Uci, show_wdl: false };
        let ugi = Style { dialect: Dialect::Ugi, show_wdl: false };
        let text = |plies| (score(Score::Win { plies }, uci), score(Score::Win { plies }, ugi));
        assert_eq!(text(1), ("score mate 1".to_owned(), "score mate 1".to_owned()));
        assert_eq!(text(5), ("score mate 3".to_owned(), "score mate 5".to_owned()));
        assert_eq!(score(Score::Loss { plies: 4 }, uci), "score mate -2");
        assert_eq!(score(Score::Loss { plies: 0 }, uci), "score mate 0");
        assert_eq!(score(Score::Win { plies: 0 }, ugi), "score mate 1");
    }

    #[test]
    fn wdl_adds_up_to_a_thousand() {
        let style = Style { dialect: Dialect::Uci, show_wdl: true };
        assert_eq!(score(Score::Estimate { score: 0.64, draw: 0.0 }, style), "score cp 100 wdl 640 0 360");
        assert_eq!(score(Score::Draw, style), "score cp 0 wdl 0 1000 0");
        assert_eq!(per_mille(0.9996, 0.0004), [1000, 0, 0]);
    }
}
