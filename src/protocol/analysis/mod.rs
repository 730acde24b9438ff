//! Many positions at once, as JSON lines: `hippolyta analyse`. In the manner of KataGo's analysis engine; `protocol.md`
//! is the reference for users. In short:
//!
//! | module | its one idea |
//! | --- | --- |
//! | `query` | queries as they are written, with errors that name the field |
//! | `fields` | what their fields may hold |
//! | `request` | what a line asks for, found to make sense |
//! | `queue` | what waits and what runs, by priority and in bounded memory |
//! | `job` | one worker |
//! | `games` | games as text, in and out; verdicts on their moves |
//! | `answer` | what is said |
//! | `field_schemas` | how fields stand in the schema; for tests only
//! | `schema` | the schema, generated from `query` and `answer`; for tests only, as the result is in `schema.json` |
//!
//! One thread reads, checks and answers what needs no search; each job is a thread that takes positions from the queue
//! and an engine from the pool. An answer depends on the query alone: nothing is kept from one position to the next.
//! [`Service`] does this for several clients at once, or for one line at a time on the caller's thread.

mod answer;
#[cfg(test)]
mod field_schemas;
mod fields;
mod games;
mod job;
mod query;
mod queue;
mod request;
#[cfg(test)]
mod schema;

use super::lines::{Read, read_line};
use super::output::{Output, short};
use crate::engine::{self, Counter, Ending, Model, Pool, Settings};
use crate::files::{UTF_8_MARK, UTF_16};
use crate::games::Outcome;
use answer::{
    AllTerminated, Analysis, Answer, Certain, EffectsInfo, Filled, GivenId, LegalMoves, PositionInfo, Refusal,
    Terminated, TurnInfo, Variants, Version, Warning,
};
use job::{Job, no_results};
use query::Fault;
use queue::{Queue, Work};
use request::{Action, Request};
use std::io::{self, BufRead};
use std::sync::Arc;
use std::time::Duration;

/// The JSON Schema of queries and answers: `$defs/query`, `$defs/answer`. A test generates it from their types and
/// compares.
pub const SCHEMA: &str = include_str!("schema.json");

/// Longest line that is read, in bytes; more is thrown away up to its end.
/// That is a file of 16 MiB in Base64, and a little.
pub const LONGEST_LINE: usize = 24 << 20;

/// How positions are searched.
#[derive(Clone, Debug)]
pub struct Options {
    /// Positions searched at once, at least one.
    pub jobs: usize,
    /// Threads of each search.
    pub threads: usize,
    /// Memory of all searches together, MiB; at least as many as there are jobs.
    pub hash: usize,
    /// Limit of a query that has none: positions evaluated.
    pub nodes: u64,
    /// Longest search, whatever a query says; none by default.
    pub longest: Option<Duration>,
    /// Seed of a query that has none.
    pub seed: u64,
    /// Who evaluates positions.
    pub model: Model,
    /// Ends what is searched or counted once it is true. It is asked thousands of times a second: for hosts without
    /// threads, such as WebAssembly, which hear no `terminate` meanwhile.
    pub interrupt: Option<fn() -> bool>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            jobs: 1,
            threads: 1,
            hash: 256,
            nodes: 100_000,
            longest: None,
            seed: 0,
            model: Model::default(),
            interrupt: None,
        }
    }
}

/// Answers queries, one JSON object a line, until the end of `input`; then finishes what waits. An error of reading
/// ends all work.
///
/// ```
/// use hippolyta::protocol::{Output, analysis};
///
/// let input = &br#"{"id":"a","variant":"amazons6","action":"legal_moves"}"#[..];
/// analysis::serve(input, &Output::new(std::io::stdout()), &analysis::Options::default())?;
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// If `input` cannot be read, or not even one thread can be started.
pub fn serve(input: impl BufRead, output: &Output, options: &Options) -> io::Result<()> {
    Service::new(options.clone(), options.jobs).serve(input, output)
}

/// Answers several clients, each with lines of its own. They share engines.
pub struct Service {
    options: Options,
    pool: Pool,
}

impl Service {
    /// A service with at most `engines` engines, which share the memory that `options` grants. A client that wants one
    /// waits while all are in use.
    #[must_use]
    pub fn new(options: Options, engines: usize) -> Self {
        let settings = Settings { hash: options.hash, threads: options.threads, ..Settings::default() };
        let pool = Pool::new(engines, options.model.clone(), settings);
        Self { options, pool }
    }

    /// Serves one client until the end of its lines, then finishes what waits. Blocks meanwhile. Several threads may
    /// serve a client each.
    ///
    /// # Errors
    ///
    /// If `input` cannot be read, or not even one thread can be started.
    pub fn serve(&self, mut input: impl BufRead, output: &Output) -> io::Result<()> {
        let Self { options, pool } = self;
        let queue = Queue::new(options.interrupt);
        std::thread::scope(|scope| {
            for job in 0..options.jobs.max(1) {
                let builder = std::thread::Builder::new().name(format!("job-{job}"));
                let spawned = builder.spawn_scoped(scope, || Job { options, output, pool }.work(&queue));
                if let (Err(error), 0) = (spawned, job) {
                    queue.close();
                    return Err(error);
                }
            }
            let reader = Reader { options, output, queue: &queue };
            let mut line = Vec::new();
            let mut number = 0;
            let end = loop {
                if output.is_lost() {
                    queue.terminate(|_| true);
                    break Ok(());
                }
                let read = read_line(&mut input, &mut line, LONGEST_LINE);
                number += 1;
                let wrong = |message: String| {
                    say(output, &Answer::Refusal(Refusal::of_line(None, Some(number), &Fault::of(message))));
                };
                match read {
                    Ok(Read::Line) => {
                        reader.obey(&line, Some(number));
                        // A file of games is not to take memory for ever.
                        line.clear();
                        line.shrink_to(1 << 20);
                    }
                    Ok(Read::TooLong) => wrong(format!("a line of more than {LONGEST_LINE} bytes was ignored")),
                    Ok(Read::Utf16) => wrong(UTF_16.to_owned()),
                    Ok(Read::End) => break Ok(()),
                    Err(error) => {
                        // Whoever asked is gone.
                        queue.terminate(|_| true);
                        break Err(error);
                    }
                }
            };
            queue.close();
            end
        })
    }

    /// Answers one line on the caller's thread and starts no other: for hosts without threads, such as WebAssembly.
    /// Returns when all is said; [`Options::interrupt`] alone can end it sooner.
    ///
    /// ```
    /// use hippolyta::protocol::{Output, analysis};
    ///
    /// let options = analysis::Options { interrupt: Some(|| true), ..Default::default() };
    /// let service = analysis::Service::new(options, 1);
    /// service.answer(br#"{"id":"a","variant":"amazons6","nodes":1000000000}"#, &Output::new(std::io::stdout()));
    /// ```
    pub fn answer(&self, line: &[u8], output: &Output) {
        let Self { options, pool } = self;
        let queue = Queue::new(options.interrupt);
        Reader { options, output, queue: &queue }.obey(line, None);
        queue.close();
        Job { options, output, pool }.work(&queue);
    }
}

/// The answer to query `id` for the position after `turn` moves, as a line without its end.
#[must_use]
pub fn answer(id: &str, turn: u32, found: &engine::Analysis) -> String {
    text(&Answer::Analysis(Analysis::new(id, turn, found, None, None)))
}

/// The answer to query `id` that says in `message` why there is no other, as a line without its end.
#[must_use]
pub fn refusal(id: &str, message: &str) -> String {
    text(&Answer::Refusal(Refusal::new(id, None, &Fault::of(message))))
}

/// There is no answer of ours that JSON cannot say.
fn text(answer: &Answer<'_>) -> String {
    serde_json::to_string(answer).unwrap_or_default()
}

/// Writes one line.
fn say(output: &Output, answer: &Answer<'_>) {
    output.line(&text(answer));
}

/// Obeys lines: answers at once what needs no search, and puts the rest into the queue.
struct Reader<'a> {
    options: &'a Options,
    output: &'a Output,
    queue: &'a Queue,
}

/// Warnings that one line may cause.
const MOST_WARNINGS: usize = 20;

impl Reader<'_> {
    /// Obeys the line of this number, if it has one.
    fn obey(&self, line: &[u8], number: Option<u64>) {
        let line = line.strip_prefix(UTF_8_MARK).unwrap_or(line);
        if line.trim_ascii().is_empty() {
            return;
        }
        let Request { id, action, unknown } = match request::parse(line) {
            Ok(request) => request,
            Err((id, fault)) => {
                let id = id.as_ref().map(GivenId::Any);
                return self.say(&Answer::Refusal(Refusal::of_line(id, number, &fault)));
            }
        };
        self.warn(&id, &unknown, &action);
        match action {
            Action::Analyse(query) => {
                let work = query.turns.iter().map(|&(turn, priority)| (priority, Work::Search(query.clone(), turn)));
                self.queue.push(work.collect(), line.len());
            }
            Action::Perft(perft) => self.queue.push(vec![(perft.priority, Work::Perft(Arc::new(perft)))], line.len()),
            Action::Terminate { target, turns } => self.terminate(&id, target.as_deref(), turns.as_deref()),
            Action::LegalMoves(setup, told) => match setup.board(usize::MAX) {
                Err(fault) => self.say(&Answer::Refusal(Refusal::new(&id, None, &fault))),
                Ok(board) => {
                    let moves = board.legal_turns().all();
                    self.say(&Answer::LegalMoves(LegalMoves {
                        id: &id,
                        action: "legal_moves",
                        variant: setup.variant.name(),
                        fen: board.fen(),
                        current_player: board.side_to_move().name(),
                        outcome: board.outcome().map(Outcome::name),
                        ending: board.ending().map(Ending::name),
                        decided: told.decided.then(|| Certain::of(&board)),
                        effects: EffectsInfo::of_last(&board),
                        position: told.position.then(|| PositionInfo::new(&board)),
                        turns: told.turns.then(|| TurnInfo::all(&board, &moves)),
                        moves,
                    }))
                }
            },
            Action::Fill(setup) => match setup.board(usize::MAX) {
                Err(fault) => self.say(&Answer::Refusal(Refusal::new(&id, None, &fault))),
                Ok(board) => {
                    let moves = Counter::new(&setup.variant).fill(&board);
                    let decided = Certain::of(&board);
                    let turns = TurnInfo::line(&board, &moves);
                    self.say(&Answer::Filled(Filled { id: &id, action: "fill", decided, moves, turns }));
                }
            },
            Action::Review(setup, known) => match games::review(&id, &setup, &known) {
                Err(fault) => self.say(&Answer::Refusal(Refusal::new(&id, None, &fault))),
                Ok(reviewed) => self.say(&Answer::Reviewed(reviewed)),
            },
            Action::ReadGames(query, fallback) => {
                if let Err(fault) = games::read(&id, &query, &fallback, &mut |answer| self.say(answer)) {
                    self.say(&Answer::Refusal(Refusal::new(&id, None, &fault)));
                }
            }
            Action::WriteGame(query) => match games::write(&id, query) {
                Err(fault) => self.say(&Answer::Refusal(Refusal::new(&id, None, &fault))),
                Ok(written) => self.say(&Answer::GameWritten(written)),
            },
            Action::Variants(variants) => self.say(&Answer::Variants(Variants::new(&id, &variants))),
            Action::Version => {
                let (name, version) = ("Hippolyta", env!("CARGO_PKG_VERSION"));
                self.say(&Answer::Version(Version { id: &id, action: "version", name, version }));
            }
        }
    }

    fn say(&self, answer: &Answer<'_>) {
        say(self.output, answer);
    }

    /// Names the fields that mean nothing: in any query, or in the variant of this one.
    fn warn(&self, id: &str, unknown: &[String], action: &Action) {
        let warning = |field: &str, warning: &str| {
            self.say(&Answer::Warning(Warning { id, field: short(field), warning }));
        };
        unknown.iter().take(MOST_WARNINGS).for_each(|field| warning(field, "unknown or unused field"));
        if let Action::Analyse(query) = action {
            let known = self.options.model.included(&query.setup.variant);
            for (field, _) in
                query.limits.include.fields().into_iter().filter(|(field, asked)| *asked && !known.contains(field))
            {
                warning(field, "there is nothing to say in this variant");
            }
        }
    }

    fn terminate(&self, id: &str, target: Option<&str>, turns: Option<&[u32]>) {
        // First, so that it comes before what was found.
        self.say(&match target {
            Some(terminate_id) => {
                Answer::Terminated(Terminated { id, action: "terminate", terminate_id, turn_numbers: turns })
            }
            None => Answer::AllTerminated(AllTerminated { id, action: "terminate_all", turn_numbers: turns }),
        });
        let ended = self.queue.terminate(|work| {
            target.is_none_or(|target| **work.id() == *target)
                && turns.is_none_or(|turns| work.turn().is_some_and(|turn| turns.contains(&turn)))
        });
        ended.iter().for_each(|work| no_results(self.output, work));
    }
}
