//! Many positions at once, as JSON lines: `hippolyta analyse`. In the manner of KataGo's analysis engine;
//! `docs/protocols/json-lines.md` is the reference for users. In short:
//!
//! | module | its one idea |
//! | --- | --- |
//! | `query` | queries as they are written, with errors that name the field |
//! | `fields` | what their fields may hold |
//! | `request` | what a line asks for, found to make sense |
//! | `queue` | what waits and what runs, by priority and in bounded memory |
//! | `errand` | the answer to a line, or what becomes of it |
//! | `job` | one worker |
//! | `games` | games as text, in and out; verdicts on their moves |
//! | `answer` | what is said |
//! | `field_schemas` | how fields stand in the schema; for tests only
//! | `schema_tests` | the schema, generated from `query` and `answer`; for tests only, as the result is in `schema.json` |
//!
//! One thread reads, and hears at once what ends other work. A second one does errands: it checks lines and answers
//! what needs no search. Each job is a thread that takes positions from the queue and an engine from the pool. All they
//! do obeys a [`Control`], so that nothing holds a client up for longer than it may. An answer depends on the query
//! alone: nothing is kept from one position to the next.
//! [`Service`] does this for several clients at once, or for one line at a time on the caller's thread.

mod answer;
mod errand;
#[cfg(test)]
mod field_schemas;
mod fields;
mod games;
mod job;
mod query;
mod queue;
mod request;
#[cfg(test)]
mod schema_tests;

use super::lines::{Read, read_line};
use super::output::Output;
use answer::{AllTerminated, Analysis, Answer, Refusal, Terminated};
use hippolyta::engine::{self, Model, Pool, Settings};
use hippolyta::files::{UTF_8_MARK, UTF_16};
use hippolyta::search::Control;
use job::Job;
use query::{Ended, Fault, Line};
use queue::{Errand, Queue, Room, Work};
use request::{Action, Request};
use std::io::{self, BufRead};
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
    /// The longest time that anything takes, whatever a query says; none by default. A search answers by what it has
    /// found then, all else by an error.
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
/// use hippolyta_protocol::{Output, analysis};
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
        let (searches, errands) = self.queues(output);
        let (searches, errands) = (&searches, &errands);
        let job = self.job(output, searches);
        std::thread::scope(|scope| {
            let abandon = || [errands, searches].iter().for_each(|queue| queue.abandon());
            let thread = |name: String| std::thread::Builder::new().name(name);
            let spawned = thread("errands".to_owned()).spawn_scoped(scope, move || {
                job.work(errands);
                searches.close();
            });
            spawned.inspect_err(|_| abandon())?;
            for number in 0..self.options.jobs.max(1) {
                let spawned = thread(format!("job-{number}")).spawn_scoped(scope, move || job.work(searches));
                if let (Err(error), 0) = (spawned, number) {
                    abandon();
                    return Err(error);
                }
            }
            let reader = Reader { job, errands };
            let mut line = Vec::new();
            let mut number = 0;
            loop {
                if output.is_lost() {
                    abandon();
                    return Ok(());
                }
                // Whoever asked is gone if it cannot be read.
                let read = read_line(&mut input, &mut line, LONGEST_LINE).inspect_err(|_| abandon())?;
                number += 1;
                match read {
                    Read::Line => reader.obey(std::mem::take(&mut line), Some(number)),
                    Read::TooLong => {
                        let message = format!("a line of more than {LONGEST_LINE} bytes was ignored");
                        reader.refuse(Some(number), None, Fault::of(message));
                    }
                    Read::Utf16 => reader.refuse(Some(number), None, Fault::of(UTF_16)),
                    Read::End => {
                        errands.close();
                        return Ok(());
                    }
                }
            }
        })
    }

    /// Those of one client: of positions, and of lines.
    fn queues<'a>(&self, output: &'a Output) -> (Queue<'a>, Queue<'a>) {
        let Options { longest, interrupt, .. } = self.options;
        let searches = Queue::new(Room::POSITIONS, output).with_longest(longest).interrupted_by(interrupt);
        (searches, Queue::new(Room::LINES, output).with_longest(longest))
    }

    fn job<'a>(&'a self, output: &'a Output, searches: &'a Queue<'a>) -> Job<'a> {
        Job { options: &self.options, output, pool: &self.pool, searches }
    }

    /// Answers one line on the caller's thread and starts no other: for hosts without threads, such as WebAssembly.
    /// Returns when all is said; [`Options::interrupt`] alone can end it sooner.
    ///
    /// ```
    /// use hippolyta_protocol::{Output, analysis};
    ///
    /// let options = analysis::Options { interrupt: Some(|| true), ..Default::default() };
    /// let service = analysis::Service::new(options, 1);
    /// service.answer(br#"{"id":"a","variant":"amazons6","nodes":1000000000}"#, &Output::new(std::io::stdout()));
    /// ```
    pub fn answer(&self, line: &[u8], output: &Output) {
        let (searches, errands) = self.queues(output);
        let job = self.job(output, &searches);
        Reader { job, errands: &errands }.obey(line.to_owned(), None);
        errands.close();
        job.work(&errands);
        searches.close();
        job.work(&searches);
    }
}

/// The answer to query `id` for the position after `turn` moves, as a line without its end.
pub fn answer(id: &str, turn: u32, found: &engine::Analysis) -> String {
    text(&Answer::Analysis(Analysis::new(id, turn, found, None, None)))
}

/// The answer to query `id` that says in `message` why there is no other, as a line without its end.
pub fn refusal(id: &str, message: &str) -> String {
    text(&Answer::Refusal(Refusal::new(id, None, &Fault::of(message))))
}

/// There is no answer of ours that JSON cannot say.
fn text(answer: &Answer<'_>) -> String {
    serde_json::to_string(answer).unwrap_or_default()
}

/// Writes one line.
fn say(output: &Output, answer: &Answer<'_>) {
    if !matches!(answer, Answer::Warning(_)) {
        output.tell(matches!(answer, Answer::Refusal(_)));
    }
    output.line(&text(answer));
}

/// Obeys at once what ends other work, and lets all else wait for its turn.
struct Reader<'a> {
    job: Job<'a>,
    errands: &'a Queue<'a>,
}

impl Reader<'_> {
    /// Obeys the line of this number, if it has one.
    fn obey(&self, line: Vec<u8>, number: Option<u64>) {
        let text = line.strip_prefix(UTF_8_MARK).unwrap_or(&line);
        if text.trim_ascii().is_empty() {
            return;
        }
        let read = Line::read(text);
        // Its fields take as much memory.
        drop(line);
        match read {
            Ok(line) if line.ends_others() => self.terminate(line),
            Ok(line) => self.push(line.length, Errand::Obey(line)),
            Err((id, fault)) => self.refuse(number, id, fault),
        }
    }

    /// Refuses a line, after what was said of those before it.
    fn refuse(&self, number: Option<u64>, id: Option<serde_json::Value>, fault: Fault) {
        self.push(0, Errand::Refuse(number, id, fault));
    }

    fn push(&self, bytes: usize, errand: Errand) {
        self.errands.push(vec![(0, Work::Errand(Box::new(errand)))], bytes);
    }

    fn terminate(&self, line: Line) {
        let id = &line.id.clone();
        let target = match Request::of(line, &Control::default()).map(|request| request.action) {
            Ok(Action::Terminate(target)) => target,
            Err(Ended::Wrong(fault)) => {
                return self.refuse(None, Some(serde_json::Value::from(&**id)), fault);
            }
            _ => return,
        };
        // First, so that it comes before what was found.
        let turn_numbers = target.turns.as_deref();
        say(
            self.job.output,
            &match &target.id {
                Some(terminate_id) => {
                    Answer::Terminated(Terminated { id, action: "terminate", terminate_id, turn_numbers })
                }
                None => Answer::AllTerminated(AllTerminated { id, action: "terminate_all", turn_numbers }),
            },
        );
        let ended = self.errands.terminate(|id, turn| target.means(id, turn));
        let stopped = Control::default();
        stopped.stop();
        for work in ended {
            if let Work::Errand(errand) = work {
                self.job.errand(*errand, &stopped);
            }
        }
        self.job.end(&target);
        if !self.errands.is_idle() {
            self.push(0, Errand::End(target));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Buffer;
    use serde_json::{Value, json};

    /// Queries of every action but those that end others, in which there is something to do.
    fn queries() -> Vec<Value> {
        let known = vec![json!({"winrate": 0.5}); 2];
        vec![
            json!({"action": "analyse", "moves": ["b1b4,b4c4"], "nodes": 5}),
            json!({"action": "legal_moves", "moves": ["b1b4,b4c4"]}),
            json!({"action": "fill", "moves": ["b1b4,b4c4"]}),
            json!({"action": "perft", "moves": ["b1b4,b4c4"], "depth": 1}),
            json!({"action": "review", "moves": ["b1b4,b4c4"], "positions": known}),
            json!({"action": "read_games", "text": "b1b4,b4c4"}),
            json!({"action": "write_game", "format": "pgn", "record": {"moves": []}}),
            json!({"action": "variants"}),
            json!({"action": "version"}),
        ]
        .into_iter()
        .map(|mut query| {
            query["id"] = json!("a");
            if !["variants", "version", "write_game"].contains(&query["action"].as_str().unwrap()) {
                query["variant"] = json!("amazons6");
            }
            query
        })
        .collect()
    }

    /// The answers to lines, all of which are read before any work is done.
    fn answers(lines: &[Value], options: Options) -> Vec<Value> {
        let (buffer, service) = (Buffer::default(), Service::new(Options { hash: 1, ..options }, 1));
        let output = Output::new(buffer.clone());
        let (searches, errands) = service.queues(&output);
        let job = service.job(&output, &searches);
        let reader = Reader { job, errands: &errands };
        lines.iter().for_each(|line| reader.obey(line.to_string().into_bytes(), None));
        errands.close();
        job.work(&errands);
        searches.close();
        job.work(&searches);
        buffer.take().iter().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn every_action_is_ended_by_terminate_and_none_that_comes_after_it() {
        let (id, all) = (
            json!({"id": "t", "action": "terminate", "terminateId": "a"}),
            json!({"id": "t", "action": "terminate_all"}),
        );
        for query in queries() {
            let action = query["action"].as_str().unwrap();
            let ended = if action == "analyse" {
                json!({"id": "a", "turnNumber": 1, "isDuringSearch": false, "noResults": true})
            } else {
                json!({"id": "a", "action": action, "isDuringSearch": false, "noResults": true})
            };
            for terminate in [&id, &all] {
                let said = answers(&[query.clone(), terminate.clone()], Options::default());
                assert_eq!(said, [terminate.clone(), ended.clone()], "{query}");
                let said = answers(&[terminate.clone(), query.clone()], Options::default());
                assert!(said.len() == 2 && said[1].get("noResults").is_none(), "{said:?}");
            }
            let other = json!({"id": "t", "action": "terminate", "terminateId": "b"});
            let said = answers(&[query.clone(), other], Options::default());
            assert!(said.len() == 2 && said[1].get("noResults").is_none(), "{said:?}");
        }
        // Of some positions, also those that are not yet known when it comes.
        let query =
            json!({"id": "a", "variant": "amazons6", "moves": ["b1b4,b4c4"], "analyseTurns": [0, 1], "nodes": 5});
        let terminate = json!({"id": "t", "action": "terminate", "terminateId": "a", "turnNumbers": [0]});
        let said = answers(&[query, terminate], Options::default());
        let ended: Vec<_> = said[1..].iter().map(|answer| (&answer["turnNumber"], answer.get("noResults"))).collect();
        assert_eq!(ended, [(&json!(0), Some(&json!(true))), (&json!(1), None)], "{said:?}");
    }

    #[test]
    fn every_action_is_given_up_when_it_takes_too_long() {
        for query in queries() {
            let said =
                answers(std::slice::from_ref(&query), Options { longest: Some(Duration::ZERO), ..Options::default() });
            let error = json!({"id": "a", "error": "given up: it takes more than 0 s, and --longest allows no more"});
            assert_eq!(said, [error], "{query}");
        }
    }

    #[test]
    fn answers_are_of_bounded_length_however_small_the_text_of_their_rules() {
        let rules: String = (0..200).map(|number| format!("[a{number}]\n")).collect();
        let said = answers(&[json!({"id": "a", "action": "variants", "rules": rules})], Options::default());
        assert_eq!(said, [json!({"id": "a", "field": "rules", "error": "200 rule sets: 100 are possible here"})]);
        let games = "?\n".repeat(50_000) + &"(;GM[18]XX[]YY[])\n".repeat(50_000);
        let query = json!({"id": "a", "action": "read_games", "text": games, "name": "a.sgf", "count": 1_000});
        let length = answers(&[query], Options::default())[0].to_string().len();
        assert!(length < 6 << 20, "{length}");
        let long = "x".repeat(1 << 20);
        for query in [
            json!({"id": "a", "variant": long}),
            json!({"id": "a", "action": long}),
            json!({"id": "a", "moves": [long]}),
            json!({"id": "a", "nodes": 5, "variant": "amazons6", long.as_str(): 1}),
            json!({"id": "a", "fen": 5, long.as_str(): {"x": 1, "y": 2}}),
        ] {
            for said in answers(&[query], Options::default()) {
                assert!(said.to_string().len() < 2_000, "{said}");
            }
        }
    }
}
