//! `match --html`: the results of a match as a page.

use super::tournament::{Begun, format};
use anyhow::{Context, Result, ensure};
use hippolyta::files::write_whole;
use hippolyta_lab::arena::{Agenda, Match, Order, Results, Schedule, add_games, configuration, games, results_page};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// How our pages begin.
const BEGIN: &[u8] = b"<!doctype html>";

/// Refuses to write over what is no page: results are written again and again, and a slip must cost nothing.
pub(super) fn may_write(out: &Path) -> Result<()> {
    if !out.is_file() {
        return Ok(());
    }
    let mut begin = Vec::new();
    let read = File::open(out).and_then(|file| file.take(BEGIN.len() as u64).read_to_end(&mut begin));
    read.with_context(|| format!("--html: {}", out.display()))?;
    ensure!(begin == BEGIN, "--html: {} exists and is not a page: it is left as it is", out.display());
    Ok(())
}

/// Writes the page of the match in `folder`, whether it still runs or not.
pub(super) fn write(folder: &Path, out: &Path) -> Result<()> {
    may_write(out)?;
    let damaged = || format!("{}: match.json", folder.display());
    let configuration = configuration(folder)?;
    let begun: Begun = serde_json::from_value(configuration.clone()).with_context(damaged)?;
    let names: Vec<_> = begun.engines.iter().map(|engine| engine.name.clone()).collect();
    let mut results = Results::new(names.clone(), begun.repeat, Order::test(&begun.sprt).with_context(damaged)?);
    let mut records = games(folder)?.collect::<Result<Vec<_>, _>>()?;
    records.sort_by_key(|record| record.game);
    let (format, seed) = (format(&begun.tournament), begun.openings.seed);
    let (engines, rounds) = (names.len(), begun.rounds);
    let schedule = Schedule { engines, format, rounds, games: begun.games, repeat: begun.repeat, seed };
    let mut agenda = Agenda::new(schedule);
    add_games(&mut results, &mut agenda, &names, records.iter().cloned().map(Ok))?;
    let planned = schedule.len();
    let page = results_page(&Match { configuration: &configuration, games: &records, results: &results, planned });
    write_whole(out, page.as_bytes()).with_context(|| format!("--html: {}", out.display()))
}
