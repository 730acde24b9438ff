//! Answers in the order of the positions, as a table for people, as CSV for spreadsheets and charts, or as JSON lines.

use crate::list::Place;
use clap::ValueEnum;
use hippolyta::engine::{Analysis, Score, rounded};
use hippolyta::games::{Side, Turn};
use hippolyta::words::one_line;
use hippolyta_protocol::{Output, analysis};
use serde::Serialize;

/// How answers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// An object a line: all that the search has found
    Json,
    /// Comma-separated values with a line of names first
    Csv,
    /// Columns for people
    Table,
}

/// Whose chances are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum View {
    /// Those of the side to move
    Mover,
    /// Those of White
    White,
}

/// A row of CSV. Its fields are the columns.
#[derive(Default, Serialize)]
struct Row<'a> {
    id: &'a str,
    turn: usize,
    side: &'a str,
    best: String,
    winrate: Option<f64>,
    win: Option<u32>,
    draw: Option<u32>,
    loss: Option<u32>,
    /// Estimates alone have centipawns.
    cp: Option<i32>,
    /// Proven results alone.
    result: &'a str,
    plies: Option<u32>,
    nodes: Option<u64>,
    pv: String,
    fen: &'a str,
    error: &'a str,
}

/// Writes answers; each as soon as those before it are written.
pub(super) struct Rows<'a> {
    pub form: Form,
    pub view: View,
    pub output: &'a Output,
}

impl Rows<'_> {
    /// The names of the columns.
    pub fn head(&self) {
        match self.form {
            Form::Json => (),
            Form::Csv => {
                // The writer puts the names before the first row.
                let text = csv_text(&Row::default(), true);
                self.output.line(text.lines().next().unwrap_or_default());
            }
            Form::Table => {
                let whose = if self.view == View::White { "white" } else { "mover" };
                self.output.line(&table_line(["line", "turn", "side", "best", whose, "proven", "nodes", "then"]));
            }
        }
    }

    pub fn answer(&self, place: &Place, found: &Result<Analysis, String>) {
        let text = match (self.form, found) {
            (Form::Json, Ok(found)) => analysis::answer(&place.id, place.turn as u32, found),
            (Form::Json, Err(error)) => analysis::refusal(&place.id, error),
            (Form::Csv, Ok(found)) => csv_text(&self.row(place, found), false),
            (Form::Csv, Err(error)) => {
                csv_text(&Row { id: &place.id, turn: place.turn, error, ..Row::default() }, false)
            }
            (Form::Table, Ok(found)) => {
                let Row { side, best, winrate, result, plies, nodes, .. } = self.row(place, found);
                let percent = winrate.map_or_else(String::new, |winrate| format!("{:.1} %", winrate * 100.0));
                let proven = plies.map_or_else(|| result.to_owned(), |plies| format!("{result} in {plies}"));
                let pv = found.lines.first().map_or(&[][..], |line| &line.turns[1..]);
                let then = Turn::join(pv.iter().take(2), " ");
                let (turn, nodes) = (place.turn.to_string(), nodes.unwrap_or(0).to_string());
                table_line([&place.id, &turn, side, &best, &percent, &proven, &nodes, &then])
            }
            (Form::Table, Err(error)) => format!("{:>5} {:>5}  {}", place.id, place.turn, one_line(error)),
        };
        self.output.line(text.trim_end());
    }

    fn row<'b>(&self, place: &'b Place, found: &'b Analysis) -> Row<'b> {
        let score = match self.view {
            View::White if found.side == Side::Black => found.score.opposite(),
            _ => found.score,
        };
        let [win, draw, loss] = score.per_mille();
        let (result, plies) = match score {
            Score::Estimate { .. } => ("", None),
            Score::Win { plies } => ("win", Some(plies)),
            Score::Loss { plies } => ("loss", Some(plies)),
            Score::Draw => ("draw", None),
        };
        Row {
            id: &place.id,
            turn: place.turn,
            side: found.side.name(),
            best: found.best().map_or_else(String::new, Turn::to_string),
            winrate: Some(rounded(score.expected())),
            win: Some(win),
            draw: Some(draw),
            loss: Some(loss),
            cp: (!score.is_proven()).then(|| score.centipawns()),
            result,
            plies,
            nodes: Some(found.nodes),
            pv: found.lines.first().map_or_else(String::new, |line| Turn::join(&line.turns, " ")),
            fen: &found.fen,
            error: "",
        }
    }
}

/// A row of CSV, perhaps behind the names of its columns.
pub(crate) fn csv_text(row: &impl Serialize, with_names: bool) -> String {
    let mut writer = csv::WriterBuilder::new().has_headers(with_names).from_writer(Vec::new());
    // Neither can fail: rows have texts and numbers alone, and memory takes all of them.
    let _ = writer.serialize(row);
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

fn table_line([id, turn, side, best, chances, proven, nodes, then]: [&str; 8]) -> String {
    format!("{id:>5} {turn:>5}  {side:<5} {best:<11} {chances:>7}  {proven:<10} {nodes:>9}  {then}")
        .trim_end()
        .to_owned()
}
