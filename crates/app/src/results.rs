//! The results of a match in a folder: as text, and as a page for `match --html`.

use super::{complain, may_write_as, print_line};
use anyhow::{Context, Error, Result, bail, ensure};
use hippolyta::engine::Counter;
use hippolyta::files::write_whole;
use hippolyta::games::variant;
use hippolyta::json::of_value;
use hippolyta_lab::arena::statistics::Sprt;
use hippolyta_lab::arena::{
    Adjudication, Certain, DrawRule, EngineSpec, Fixtures, Format, GameRecord, Match, Next, Opening, Replay, Resign,
    Results, Schedule, add_games, configuration, games, results_page,
};
use hippolyta_lab::folder::FolderError;
use serde::Deserialize;
use serde_json::Value;
use std::path::Path;

/// Fields of `match.json` that the results depend on.
#[derive(Deserialize)]
struct Begun {
    engines: Vec<EngineSpec>,
    variant: String,
    tournament: Format,
    games: u64,
    repeat: bool,
    rounds: u64,
    sprt: Vec<String>,
    openings: Openings,
    resign: Vec<String>,
    draw: Vec<String>,
    maxmoves: Option<u32>,
    adjudicate: Option<Certain>,
}

#[derive(Deserialize)]
struct Openings {
    seed: u64,
    /// Those of a file.
    #[serde(default)]
    openings: Vec<Opening>,
}

impl Begun {
    fn adjudication(&self) -> Result<Adjudication> {
        Ok(Adjudication {
            resign: Resign::from_words(&self.resign)?,
            draw: DrawRule::from_words(&self.draw)?,
            max_moves: self.maxmoves,
            certain: self.adjudicate,
        })
    }
}

/// A match as far as it is played.
struct Played {
    names: Vec<String>,
    schedule: Schedule,
    fixtures: Fixtures,
    results: Results,
    /// Records that do not count, and why.
    left_out: Vec<String>,
}

/// A match by its `match.json` and its games, each of which `counted` gets if it counts. `folder` names it in errors.
fn played(
    folder: &Path,
    configuration: Value,
    games_so_far: impl Iterator<Item = Result<GameRecord, FolderError>>,
    counted: &mut dyn FnMut(GameRecord),
) -> Result<Played> {
    let damaged = || format!("{}: match.json", folder.display());
    let begun: Begun = of_value(configuration).map_err(Error::msg).with_context(damaged)?;
    let variant = variant::find(&begun.variant).with_context(damaged)?;
    let (adjudication, counter) = (begun.adjudication().with_context(damaged)?, Counter::new(&variant));
    let Begun { engines, tournament, games, repeat, rounds, sprt, openings, .. } = begun;
    let names: Vec<_> = engines.into_iter().map(|engine| engine.name).collect();
    let mut results = Results::new(names.clone(), repeat, Sprt::from_words(&sprt).with_context(damaged)?);
    let (engines, format, Openings { seed, openings }) = (names.len(), tournament, openings);
    ensure!(engines >= 2 && games > 0, "{}: a match of two engines or more is expected", damaged());
    let schedule = Schedule { engines, format, rounds, games, repeat, seed };
    let mut fixtures = Fixtures::new(schedule);
    let (openings, adjudication, counter) = (&openings, &adjudication, &counter);
    let replay = Replay { names, variant, openings, schedule, adjudication, counter };
    let count = &mut |players, record: GameRecord| {
        results.add_game(players, &record);
        counted(record);
    };
    let left_out = add_games(&mut fixtures, &replay, games_so_far, count)?;
    Ok(Played { names: replay.names, schedule, fixtures, results, left_out })
}

/// The results of a match as lines for people, and which records were left out.
pub(super) fn text(
    folder: &Path,
    configuration: Value,
    games_so_far: impl Iterator<Item = Result<GameRecord, FolderError>>,
) -> Result<(Vec<String>, Vec<String>)> {
    let Played { names, schedule, mut fixtures, mut results, left_out } =
        played(folder, configuration, games_so_far, &mut |_| ())?;
    let least = if schedule.format == Format::Knockout { "at least " } else { "" };
    let mut lines = vec![format!("{} of {least}{} games", results.games(), schedule.len())];
    if schedule.format.depends_on_results() {
        while let Next::Game(_) = fixtures.draw() {}
        results.tell(fixtures.standing(&names));
    }
    lines.extend(results.text().lines().map(str::to_owned));
    Ok((lines, left_out))
}

/// Names the records that were left out; an error if there are any.
fn name_left_out(left_out: &[String]) -> Result<()> {
    left_out.iter().for_each(|what| complain(what));
    match left_out.len() {
        0 => Ok(()),
        1 => bail!("1 record is left out"),
        count => bail!("{count} records are left out"),
    }
}

/// Prints the results of the match in `folder`, whether it still runs or not.
pub(super) fn show(folder: &Path) -> Result<()> {
    let (lines, left_out) = text(folder, configuration(folder)?, games(folder)?)?;
    lines.iter().for_each(|line| print_line(line));
    name_left_out(&left_out)
}

/// Writes the page of the match in `folder`, whether it still runs or not.
pub(super) fn write(folder: &Path, out: &Path, force: bool) -> Result<()> {
    may_write_as("--html", out, force)?;
    let configuration = configuration(folder)?;
    let mut records: Vec<Result<GameRecord, FolderError>> = games(folder)?.collect();
    records.sort_by_key(|record| record.as_ref().map_or(u64::MAX, |record| record.game));
    let mut counted = Vec::new();
    let count = &mut |record| counted.push(record);
    let Played { schedule, results, left_out, .. } = played(folder, configuration.clone(), records.into_iter(), count)?;
    let shown = Match { configuration: &configuration, games: &counted, results: &results, planned: schedule.len() };
    write_whole(out, results_page(&shown).as_bytes()).with_context(|| format!("--html: {}", out.display()))?;
    name_left_out(&left_out)
}
