//! Scores and analyses as text.

use super::go::Dialect;
use super::output::Output;
use hippolyta::engine::{Analysis, Board, Line, ProofProgress, Score};
use hippolyta::eval::centipawns;
use hippolyta::games::{Outcome, Turn};
use serde::Serialize;
use std::fmt::Write as _;

/// How lines are written.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// The client's dialect.
    pub dialect: Dialect,
    /// Whether scores come with win, draw and loss.
    pub show_wdl: bool,
}

/// The legal turns, one a line, and their number.
pub(super) fn legal(board: &Board) -> String {
    let turns = board.legal_turns().all();
    let lines = turns.iter().map(|turn| format!("{turn}\n"));
    format!("{}Legal moves: {}", lines.collect::<String>(), turns.len())
}

/// A score as clients see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(super) enum Points {
    /// Centipawns.
    Cp(#[cfg_attr(test, schemars(range(min = -3000, max = 3000)))] i32),
    /// A proven win in this number of turns, or a loss if negative; 0: lost already.
    Mate(i32),
}

impl Points {
    pub fn new(score: Score, dialect: Dialect) -> Self {
        // UCI counts the winner's turns, UGI both sides'.
        let mate = |plies: u32| (if dialect == Dialect::Ugi { plies } else { plies.div_ceil(2) }) as i32;
        match score {
            Score::Estimate { score, .. } => Self::Cp(centipawns(score)),
            // A game that is already won counts as `mate 1`: 0 means lost.
            Score::Win { plies } => Self::Mate(mate(plies.max(1))),
            Score::Loss { plies } => Self::Mate(-mate(plies)),
            Score::Draw => Self::Cp(0),
        }
    }
}

impl Style {
    /// `score …` and, if wanted, `wdl …`.
    fn score(self, score: Score) -> String {
        let mut text = match Points::new(score, self.dialect) {
            Points::Cp(points) => format!("score cp {points}"),
            Points::Mate(turns) => format!("score mate {turns}"),
        };
        if self.show_wdl {
            let [win, draw, loss] = score.per_mille();
            let _ = write!(text, " wdl {win} {draw} {loss}");
        }
        text
    }

    /// One info line for each line of the analysis, and one for how far a proof has come.
    pub fn info(self, analysis: &Analysis) -> String {
        if analysis.lines.is_empty() {
            return format!("info depth 0 {}", self.score(analysis.score));
        }
        let Analysis { depth, selective_depth, nodes, hash_full, exact_hits, .. } = analysis;
        let (milliseconds, nps) = (analysis.time.as_millis(), analysis.nodes_per_second());
        let line = |(index, line): (usize, &Line)| {
            let multi_pv = index + 1;
            // The first line speaks for the position, the others for their moves.
            let score = self.score(if index == 0 { analysis.score } else { line.score });
            let pv = Turn::join(&line.turns, " ");
            format!(
                "info depth {depth} seldepth {selective_depth} multipv {multi_pv} {score} nodes {nodes} nps {nps} \
                 hashfull {hash_full} tbhits {exact_hits} time {milliseconds} pv {pv}"
            )
        };
        let proof = analysis.proof.as_ref().map(|progress| {
            let ProofProgress { turns, refuted, best, replies, answered } = progress;
            format!(
                "info string proof: {refuted} of {turns} moves refuted; of {replies} replies to {best} {answered} \
                 answered"
            )
        });
        analysis.lines.iter().enumerate().map(line).chain(proof).collect::<Vec<_>>().join("\n")
    }

    /// The `bestmove` line.
    pub fn best_move(self, analysis: &Analysis) -> String {
        match (analysis.best(), analysis.reply(), self.dialect) {
            (None, _, _) => "bestmove (none)".to_owned(),
            (Some(best), Some(reply), Dialect::Uci) => format!("bestmove {best} ponder {reply}"),
            (Some(best), _, _) => format!("bestmove {best}"),
        }
    }
}

/// Writes analyses as they come: info lines where something is new, and `bestmove` after the last.
pub struct Teller<'a> {
    style: Style,
    output: &'a Output,
    shown: Option<Analysis>,
}

impl<'a> Teller<'a> {
    /// A teller that has written nothing yet.
    pub fn new(style: Style, output: &'a Output) -> Self {
        Self { style, output, shown: None }
    }

    /// Whether the last analysis was written.
    pub fn is_done(&self) -> bool {
        self.shown.as_ref().is_some_and(|shown| shown.last)
    }

    /// Writes an analysis.
    pub fn tell(&mut self, analysis: &Analysis) {
        if self.shown.as_ref().is_none_or(|shown| !shown.agrees_with(analysis)) {
            self.output.line(&self.style.info(analysis));
        }
        if analysis.last {
            self.output.line(&self.style.best_move(analysis));
        }
        self.shown = Some(analysis.clone());
    }
}

/// The text that `d` shows.
pub(super) fn display(board: &Board) -> String {
    let state = match board.outcome() {
        None => format!("{} to move", board.side_to_move()),
        Some(Outcome::Draw) => "game over, drawn".to_owned(),
        Some(Outcome::Win(side)) => format!("game over, {side} has won"),
    };
    let (diagram, fen, key, name) = (board.diagram(), board.fen(), board.key(), board.variant().name());
    format!("{diagram}\nFen: {fen}\nKey: {key:016X}\nVariant: {name}\nState: {state}")
}

/// The text that `eval` shows.
#[cfg(feature = "inspect")]
pub(super) fn explanation(explanation: Option<&hippolyta::engine::Explanation>) -> String {
    use hippolyta::engine::Explanation;
    use hippolyta::eval::Value;

    let Some(Explanation { value, shown, terms, remarks }) = explanation else {
        return "Final evaluation: none (game over)".to_owned();
    };
    let mut text = format!("{:<18}{:>10}{:>10}{:>10}\n", "Term", "White", "Black", "Logit");
    for term in terms {
        let [white, black] = term.features;
        let _ = writeln!(text, "{:<18}{white:>10.2}{black:>10.2}{:>+10.3}", term.name, term.logit);
    }
    for remark in remarks {
        let _ = writeln!(text, "{remark}");
    }
    let line = |name: &str, Value { white, draw }: Value| {
        format!("{name}: cp {:+} score {white:.3} draw {draw:.3} (white side)", centipawns(white))
    };
    if shown != value {
        text += &line("Before calibration", *value);
        text.push('\n');
    }
    text += &line("Final evaluation", *shown);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_turns_or_plies() {
        let uci = Style { dialect: Dialect::Uci, show_wdl: false };
        let ugi = Style { dialect: Dialect::Ugi, show_wdl: false };
        let text = |plies| (uci.score(Score::Win { plies }), ugi.score(Score::Win { plies }));
        assert_eq!(text(1), ("score mate 1".to_owned(), "score mate 1".to_owned()));
        assert_eq!(text(5), ("score mate 3".to_owned(), "score mate 5".to_owned()));
        assert_eq!(uci.score(Score::Loss { plies: 4 }), "score mate -2");
        assert_eq!(uci.score(Score::Loss { plies: 0 }), "score mate 0");
        assert_eq!(ugi.score(Score::Win { plies: 0 }), "score mate 1");
    }

    #[test]
    fn wdl_is_shown_where_it_is_wanted() {
        let style = Style { dialect: Dialect::Uci, show_wdl: true };
        assert_eq!(style.score(Score::Estimate { score: 0.64, draw: 0.0 }), "score cp 100 wdl 640 0 360");
        assert_eq!(style.score(Score::Draw), "score cp 0 wdl 0 1000 0");
    }
}
