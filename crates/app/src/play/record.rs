//! Games in files: PGN, SGF and JSON lines.

use super::game::Game;
use crate::convert;
use anyhow::{Context, Result, bail, ensure};
use hippolyta::engine::{Analysis, Score, decided};
use hippolyta::files::write_whole_with;
use hippolyta::games::variant::Variant;
use hippolyta_lab::arena::today;
use hippolyta_protocol::records::{self, Damage, Format, Note, Record, Writer};
use std::env;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// A path as it was typed; `~/` is the folder of one's own.
pub(super) fn path(typed: &str) -> PathBuf {
    let typed = typed.trim();
    match (typed.strip_prefix("~/"), env::var_os("HOME")) {
        (Some(rest), Some(home)) => Path::new(&home).join(rest),
        _ => PathBuf::from(typed),
    }
}

/// By the name's ending.
fn format(path: &Path) -> Result<Format> {
    Format::of(path)
        .with_context(|| format!("{}: the name must end in .pgn, .sgf or .jsonl, as game.pgn does", path.display()))
}

/// The engine's note on its turn.
pub(super) fn note(analysis: &Analysis) -> Note {
    let turns = |plies: u32| i32::try_from(plies.div_ceil(2)).unwrap_or(i32::MAX);
    let score = match analysis.score {
        Score::Win { plies } => records::Score::Mate(turns(plies)),
        Score::Loss { plies } => records::Score::Mate(-turns(plies)),
        Score::Draw => records::Score::Cp(0),
        score @ Score::Estimate { .. } => records::Score::Cp(score.centipawns()),
    };
    Note {
        score: Some(score),
        depth: Some(analysis.depth),
        nodes: Some(analysis.nodes),
        time_us: u64::try_from(analysis.time.as_micros()).ok(),
        ..Note::default()
    }
}

/// Writes a game, whole or not at all. `players` are White's and Black's names for a game that began here.
pub(super) fn save(game: &Game, path: &Path, players: &[String; 2], force: bool) -> Result<()> {
    let format = format(path)?;
    let shown = path.display();
    ensure!(force || !path.exists(), "{shown} exists already; `save {shown} --force` writes over it");
    let mut tags = game.tags.clone();
    if tags.is_empty() {
        let [white, black] = players.clone();
        tags.extend(
            [("White", white), ("Black", black), ("Date", today())].map(|(tag, value)| (tag.to_owned(), value)),
        );
    }
    // A file may say who won a game that was broken off.
    if game.outcome().is_some() || !game.saved {
        tags.remove("Termination");
        tags.insert("Result".to_owned(), game.result().to_owned());
        if game.board().outcome().is_none() && game.resigned().is_some() {
            tags.insert("Termination".to_owned(), "resignation".to_owned());
        }
        if game.board().outcome().is_none() && game.ended().is_some() {
            tags.insert("Termination".to_owned(), "exact".to_owned());
        }
        tags.remove("Margin");
        if game.resigned().is_none()
            && game.outcome().is_some()
            && let Some(margin) = decided(game.board()).and_then(|decided| decided.margin)
        {
            tags.insert("Margin".to_owned(), format!("{margin:+}"));
        }
    }
    let board = game.board();
    let turns = board.turns().into_iter().map(|turn| turn.to_string()).zip(game.notes().iter().copied());
    let record = Record::new(board.variant(), &board.start_fen(), tags, turns).map_err(anyhow::Error::msg)?;
    write_whole_with(path, |file| {
        let mut out = BufWriter::new(file);
        Writer::new(format).write(&record, &mut out)?;
        out.flush()
    })
    .with_context(|| shown.to_string())
}

/// A game of a file.
pub(super) struct Loaded {
    pub record: Record,
    /// Parts of it that were not understood.
    pub warnings: Vec<Damage>,
    /// Whether others follow.
    pub more: bool,
}

/// The game of this number, from 1. `fallback` is the rule set of games that name none.
pub(super) fn load(path: &Path, number: usize, fallback: &Variant) -> Result<Loaded> {
    let shown = path.display();
    // To open a pipe may block.
    ensure!(path.metadata().with_context(|| shown.to_string())?.is_file(), "{shown}: not a file");
    let mut reader = convert::open(path, None, fallback)?;
    let mut seen = 0;
    while let Some(found) = reader.next() {
        seen += 1;
        let warnings = reader.warnings();
        if seen == number {
            let record = found.map_err(|error| anyhow::anyhow!("{shown}:{error}"))?;
            return Ok(Loaded { record, warnings, more: reader.next().is_some() });
        }
    }
    match seen {
        0 => bail!("{shown}: there is no game in it"),
        1 => bail!("{shown}: there is one game in it, and no number {number}"),
        _ => bail!("{shown}: there are {seen} games in it, and no number {number}"),
    }
}
