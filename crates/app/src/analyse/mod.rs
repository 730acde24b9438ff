pub(super) mod rows;

use super::list::{Place, beginning, places};
use super::{FallbackArgs, convert, model, progress};
use anyhow::{Context, Result, ensure};
use clap::Args;
use hippolyta::engine::{Analysis, Control, Limits, Model, Pool, Settings};
use hippolyta::files::UTF_16;
use hippolyta::games::variant;
use hippolyta_lab::options::threads;
use hippolyta_protocol::analysis::{LONGEST_LINE, Options, SCHEMA, serve};
use hippolyta_protocol::records::{Format, ReadError, Reader};
use rows::{Form, Rows, View};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{self, BufRead, IsTerminal, Read};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Analyse many positions: FENs, turns, games, or queries in JSON
#[derive(Debug, Args)]
#[command(after_help = r#"A text that begins with { has queries, a JSON object a line, and is answered as it comes,
unless it has records of games. Any other text is a list: a line is a FEN, or turns from the start position, or a FEN,
'moves' and turns. Lines of turns that are one game, and the games of files, are analysed position by position. Answers
to a list come in its order; their id is the line, or the number of the game. The exit code is 1 if a line of a list
cannot be read, turns were left out, or no query can be answered.

Examples:
  hippolyta analyse positions.txt --variant amazons6 --format table
  hippolyta analyse game.pgn --view white --format csv > game.csv
  echo '{"id":"a","variant":"amazons6","multipv":3}' | hippolyta analyse
  hippolyta analyse --jobs 8 --hash 2048 < queries.jsonl > answers.jsonl

docs/protocols/json-lines.md says what fields mean; examples/ has scripts in Python."#)]
pub(super) struct Analyse {
    /// File with queries, positions or games; - is standard input
    #[arg(value_name = "FILE", default_value = "-", hide_default_value = true)]
    input: PathBuf,
    /// How answers to a list are written: queries are answered in JSON
    #[arg(long, value_enum, default_value_t = Form::Json)]
    format: Form,
    /// Whose chances tables and CSV show
    #[arg(long, value_enum, default_value_t = View::Mover)]
    view: View,
    #[command(flatten)]
    fallback: FallbackArgs,
    /// Positions searched at a time
    #[arg(long, default_value_t = 1, value_parser = threads())]
    jobs: u16,
    /// Threads of each search
    #[arg(long, default_value_t = 1, value_parser = threads())]
    threads: u16,
    /// Memory of all searches together, MiB; each has an equal share
    #[arg(long, default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
    /// Limit of positions of a list, and of queries that have none: positions evaluated
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Seed of queries that have none, for the noise that breaks ties
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Print the JSON Schema of queries and answers, and do nothing else
    #[arg(long)]
    schema: bool,
    #[command(flatten)]
    model: model::Files,
}

/// Whether a line is a record of a game, which has a result and is no query.
fn is_record(line: &[u8]) -> bool {
    let has = |line: &Value, field: &str| line.get(field).is_some();
    serde_json::from_slice(line).is_ok_and(|line: Value| has(&line, "result") && !has(&line, "id"))
}

impl Analyse {
    pub(super) fn run(&self) -> Result<()> {
        if self.schema {
            super::print_line(SCHEMA.trim_end());
            return Ok(());
        }
        let (jobs, hash) = (usize::from(self.jobs), self.hash as usize);
        ensure!(hash >= jobs, "--hash {hash}: {jobs} jobs need {jobs} MiB at least");
        let options = Options {
            jobs,
            threads: usize::from(self.threads),
            hash,
            nodes: self.nodes,
            seed: self.seed,
            model: Model::Learned(self.model.weights()?),
            ..Options::default()
        };
        super::end_with_reader();
        let name = convert::name(&self.input);
        let mut input = convert::input(&self.input)?;
        let mut start = beginning(&mut input).with_context(|| name.clone())?;
        if start.trim_ascii_start().is_empty() && self.input.as_os_str() == "-" {
            // Nobody has asked anything.
            return Ok(());
        }
        let begins_query = start.trim_ascii_start().starts_with(b"{");
        if begins_query {
            // The whole first line tells queries from records of games.
            let mut line = (&mut input).take(LONGEST_LINE as u64);
            line.read_until(b'\n', &mut start).with_context(|| name.clone())?;
        }
        let input = start.chain(input);
        if begins_query && !is_record(&start) {
            ensure!(self.format == Form::Json, "--format is for lists of positions; queries are answered in JSON");
            ensure!(
                self.view == View::Mover,
                "--view is for tables and CSV; JSON names the side to move in each answer"
            );
            let is_usual = self.fallback.variant.as_deref() == Some(variant::DEFAULT.name());
            ensure!(is_usual, "--variant and --rules are for lists and games; a query has fields of these names");
            let output = super::output();
            serve(input, &output, &options).with_context(|| name.clone())?;
            ensure!(!output.only_refuses(), "{name}: no line is a query that can be answered");
            return Ok(());
        }
        ensure!(
            self.view == View::Mover || self.format != Form::Json,
            "--view white is for --format csv and --format table; JSON names the side to move in each answer"
        );
        let reader = Reader::guessing(input, Format::of_input(&self.input), &self.fallback.variant()?);
        let reader = reader.with_context(|| name.clone())?.naming(convert::NAMING);
        // Of a query in UTF-16, games would be read without what it asks for.
        let begins_utf_16 = matches!(start[..], [0xfe | 0xff, ..]);
        ensure!(!begins_utf_16 || reader.format() != Format::Jsonl, "{name}: {UTF_16}");
        let (places, damages) = places(reader).with_context(|| name.clone())?;
        convert::warn(&name, &damages);
        ensure!(!places.is_empty(), "{name}: {}", ReadError::Empty);
        let failed = self.answer(&places, &options);
        ensure!(failed == 0, "{name}: {failed} of {} positions could not be analysed", places.len());
        let lost = damages.iter().filter(|damage| damage.lost.is_some()).count();
        ensure!(lost == 0, "{name}: turns were left out in {lost} {}", if lost == 1 { "place" } else { "places" });
        Ok(())
    }

    /// Analyses positions, several at a time, and writes the answers in their order. How many have none.
    fn answer(&self, places: &[Place], options: &Options) -> usize {
        let output = super::output();
        let rows = Rows { form: self.format, view: self.view, output: &output };
        rows.head();
        let settings =
            Settings { hash: options.hash, threads: options.threads, seed: options.seed, ..Settings::default() };
        let pool = Pool::new(options.jobs, options.model.clone(), settings);
        // A bar between the rows would be in their way.
        let bar = (!io::stdout().is_terminal())
            .then(|| progress(places.len() as u64, "{wide_bar} {pos}/{len} positions {elapsed} (eta {eta})"));
        let (next, failed) = (AtomicUsize::new(0), AtomicUsize::new(0));
        // Answers that wait for one before them, and which is the next to be written.
        let waiting = Mutex::new((BTreeMap::new(), 0));
        let work = || {
            while let Some((index, place)) = Some(next.fetch_add(1, Relaxed)).and_then(|i| Some((i, places.get(i)?))) {
                let found = self.find(place, &pool, &options.model);
                failed.fetch_add(usize::from(found.is_err()), Relaxed);
                let mut waiting = waiting.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                let (answers, written) = &mut *waiting;
                answers.insert(index, found);
                while let Some(found) = answers.remove(written) {
                    rows.answer(&places[*written], &found);
                    *written += 1;
                }
                bar.iter().for_each(|bar| bar.set_position(*written as u64));
            }
        };
        std::thread::scope(|scope| (0..options.jobs).for_each(|_| _ = scope.spawn(work)));
        bar.iter().for_each(|bar| bar.finish_and_clear());
        failed.into_inner()
    }

    fn find(&self, place: &Place, pool: &Pool, model: &Model) -> Result<Analysis, String> {
        let game = place.game.as_ref().map_err(String::clone)?;
        let board = game.board(place.turn)?;
        model.check(&board)?;
        let mut engine = pool.take(&game.variant).map_err(|error| error.to_string())?;
        // An answer depends on its position alone.
        engine.clear();
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        engine.analyse(&board, &limits, &Control::default(), &mut |_| ()).map_err(|error| error.to_string())
    }
}
