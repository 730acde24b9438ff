//! The loop of one worker.

use super::answer::{Analysis, Answer, Certain, Counted, NoResults, Refusal};
use super::query::Fault;
use super::queue::{Queue, Running, Work};
use super::request::{Perft, Searches};
use super::{Options, say};
use crate::engine::{Control, Limits, Pool, Settings};
use crate::protocol::output::Output;
use std::panic::{AssertUnwindSafe, catch_unwind};
use web_time::Instant;

/// One thread that works on the queue.
pub(super) struct Job<'a> {
    pub options: &'a Options,
    pub output: &'a Output,
    pub pool: &'a Pool,
}

impl Job<'_> {
    pub fn work(&self, queue: &Queue) {
        while let Some(running) = queue.take() {
            let Running { work, control, .. } = &running;
            let done = catch_unwind(AssertUnwindSafe(|| match work {
                Work::Search(query, turn) => self.search(query, *turn, control),
                Work::Perft(perft) => self.perft(perft, control, work),
            }));
            let fault = match done {
                Ok(Ok(())) => None,
                Ok(Err(fault)) => Some(fault),
                Err(_) => Some(Fault::of("the search failed")),
            };
            if let Some(fault) = fault {
                say(self.output, &Answer::Refusal(Refusal::new(work.id(), work.turn(), &fault)));
            }
            queue.done(&running);
        }
    }

    fn search(&self, query: &Searches, turn: u32, control: &Control) -> Result<(), Fault> {
        let fault = |error: &dyn std::fmt::Display| Fault::of(error.to_string());
        let board = query.setup.board(turn as usize)?;
        let mut engine = self.pool.take(&query.setup.variant).map_err(|error| fault(&error))?;
        let seed = query.seed.unwrap_or(self.options.seed);
        let settings = Settings { multi_pv: query.multi_pv, seed, ..engine.settings().clone() };
        engine.set(&settings).map_err(|error| fault(&error))?;
        if !query.tree_kept {
            // Results of earlier searches must not show.
            engine.clear();
        }
        let nodes = query.limits.nodes.or(query.limits.is_unlimited().then_some(self.options.nodes));
        let move_time = query.limits.move_time.into_iter().chain(self.options.longest).min();
        let limits = Limits { nodes, move_time, ..query.limits.clone() };
        let told = query.turns_told.then_some(&board);
        let decided = query.decided_told.then(|| Certain::of(&board));
        let mut last = Instant::now();
        let mut tell = |found: &_| {
            let found: &crate::engine::Analysis = found;
            if !found.last && limits.report_every.is_some_and(|every| last.elapsed() >= every) {
                last = Instant::now();
                say(self.output, &Answer::Analysis(Analysis::new(&query.id, turn, found, told, decided)));
            }
        };
        let found = engine.analyse(&board, &limits, control, &mut tell).map_err(|error| fault(&error))?;
        say(self.output, &Answer::Analysis(Analysis::new(&query.id, turn, &found, told, decided)));
        Ok(())
    }

    fn perft(&self, perft: &Perft, control: &Control, work: &Work) -> Result<(), Fault> {
        let board = perft.setup.board(usize::MAX)?;
        let count = || board.perft_while(perft.depth, &|| !control.stopped());
        let counted = match rayon::ThreadPoolBuilder::new().num_threads(self.options.threads).build() {
            Ok(pool) => pool.install(count),
            // One needs no thread of its own.
            Err(_) if self.options.threads <= 1 => count(),
            Err(error) => return Err(Fault::of(format!("cannot start {} threads: {error}", self.options.threads))),
        };
        match counted {
            Some(counted) => {
                let (depth, nodes, divide) = (perft.depth, counted.nodes, counted.divide);
                let counted = Counted { id: &perft.id, action: "perft", depth, nodes, divide };
                say(self.output, &Answer::Counted(counted));
            }
            None => no_results(self.output, work),
        }
        Ok(())
    }
}

/// Says that `work` was ended before anything came of it.
pub(super) fn no_results(output: &Output, work: &Work) {
    let (id, turn_number) = (work.id(), work.turn());
    let action = if turn_number.is_none() { Some("perft") } else { None };
    let none = NoResults { id, turn_number, action, is_during_search: false, no_results: true };
    say(output, &Answer::NoResults(none));
}
