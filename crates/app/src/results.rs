//! The results of a match in a folder: as text, and as a page for `match --html`.

use super::print_line;
use anyhow::{Context, Error, Result, ensure};
use hippolyta::files::write_whole;
use hippolyta::json::of_value;
use hippolyta_lab::arena::{
    EngineSpec, Fixtures, Format, GameRecord, Match, MatchOptions, Next, Results, Schedule, TournamentError, add_games,
    configuration, games, results_page,
};
use hippolyta_lab::folder::FolderError;
use serde::Deserialize;
use serde_json::Value;
use std::borrow::Borrow;
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

/// Fields of `match.json` that the results depend on.
#[derive(Deserialize)]
struct Begun {
    engines: Vec<EngineSpec>,
    tournament: String,
    games: u64,
    repeat: bool,
    rounds: u64,
    sprt: Vec<String>,
    openings: Openings,
}

#[derive(Deserialize)]
struct Openings {
    seed: u64,
}

pub(super) fn format(tournament: &str) -> Format {
    Format::of(tournament).unwrap_or(Format::RoundRobin)
}

/// A match as far as it is played.
struct Played {
    names: Vec<String>,
    schedule: Schedule,
    fixtures: Fixtures,
    results: Results,
}

/// A match by its `match.json` and its games. `folder` names it in errors.
fn played(
    folder: &Path,
    configuration: Value,
    games_so_far: impl Iterator<Item = Result<impl Borrow<GameRecord>, FolderError>>,
) -> Result<Played> {
    let damaged = || format!("{}: match.json", folder.display());
    let Begun { engines, tournament, games, repeat, rounds, sprt, openings } =
        of_value(configuration).map_err(Error::msg).with_context(damaged)?;
    let names: Vec<_> = engines.into_iter().map(|engine| engine.name).collect();
    let mut results = Results::new(names.clone(), repeat, MatchOptions::test(&sprt).with_context(damaged)?);
    let (engines, format, seed) = (names.len(), format(&tournament), openings.seed);
    let schedule = Schedule { engines, format, rounds, games, repeat, seed };
    let mut fixtures = Fixtures::new(schedule);
    add_games(&mut results, &mut fixtures, &names, games_so_far)?;
    Ok(Played { names, schedule, fixtures, results })
}

/// The results of a match as lines for people.
pub(super) fn text(
    folder: &Path,
    configuration: Value,
    games_so_far: impl Iterator<Item = Result<GameRecord, FolderError>>,
) -> Result<Vec<String>> {
    let Played { names, schedule, mut fixtures, mut results } = played(folder, configuration, games_so_far)?;
    let least = if schedule.format == Format::Knockout { "at least " } else { "" };
    let mut lines = vec![format!("{} of {least}{} games", results.games(), schedule.len())];
    if schedule.format.depends_on_results() {
        while let Next::Game(_) = fixtures.draw().map_err(TournamentError::Pairing)? {}
        results.tell(fixtures.standing(&names));
    }
    lines.extend(results.text().lines().map(str::to_owned));
    Ok(lines)
}

/// Prints the results of the match in `folder`, whether it still runs or not.
pub(super) fn show(folder: &Path) -> Result<()> {
    text(folder, configuration(folder)?, games(folder)?)?.iter().for_each(|line| print_line(line));
    Ok(())
}

/// Writes the page of the match in `folder`, whether it still runs or not.
pub(super) fn write(folder: &Path, out: &Path) -> Result<()> {
    may_write(out)?;
    let configuration = configuration(folder)?;
    let mut records = games(folder)?.collect::<Result<Vec<_>, _>>()?;
    records.sort_by_key(|record| record.game);
    let so_far = records.iter().map(Ok);
    let Played { schedule, results, .. } = played(folder, configuration.clone(), so_far)?;
    let shown = Match { configuration: &configuration, games: &records, results: &results, planned: schedule.len() };
    write_whole(out, results_page(&shown).as_bytes()).with_context(|| format!("--html: {}", out.display()))
}
