//! The loop of one worker.

use super::answer::{Analysis, Answer, Certain, Counted, NoResults, Refusal};
use super::query::Fault;
use super::queue::{Queue, Work};
use super::request::{Perft, Searches};
use super::{Options, say};
use crate::output::Output;
use hippolyta::engine::{Control, Limits, Pool, Settings};
use std::panic::{AssertUnwindSafe, catch_unwind};
use web_time::Instant;

/// One thread that works on a queue.
#[derive(Clone, Copy)]
pub(super) struct Job<'a> {
    pub options: &'a Options,
    pub output: &'a Output,
    pub pool: &'a Pool,
    /// Where errands put what is to be searched or counted.
    pub searches: &'a Queue<'a>,
}

impl Job<'_> {
    pub fn work(&self, queue: &Queue<'_>) {
        while let Some(running) = queue.take() {
            let (id, turn, number) = (running.work.id().clone(), running.work.turn(), running.number());
            let control = &running.control;
            let done = catch_unwind(AssertUnwindSafe(|| match running.work {
                Work::Errand(errand) => {
                    self.errand(*errand, control);
                    Ok(())
                }
                Work::Search(query, turn) => self.search(&query, turn, control),
                Work::Perft(perft) => self.perft(&perft, control),
            }));
            let fault = match done {
                Ok(Ok(())) => None,
                Ok(Err(fault)) => Some(fault),
                Err(_) if turn.is_some() => Some(Fault::of("the search failed")),
                Err(_) => Some(Fault::of("this failed by a fault of this program; please report it")),
            };
            if let Some(fault) = fault {
                say(self.output, &Answer::Refusal(Refusal::new(&id, turn, &fault)));
            }
            queue.done(number);
        }
    }

    /// The fault of work that was given up because it took too long.
    pub fn late(&self) -> Fault {
        let longest = self.options.longest.unwrap_or_default().as_secs_f64();
        Fault::of(format!("given up: it takes more than {longest} s, and --longest allows no more"))
    }

    fn search(&self, query: &Searches, turn: u32, control: &Control) -> Result<(), Fault> {
        let fault = |error: &dyn std::fmt::Display| Fault::of(error.to_string());
        let board = query.setup.board(turn as usize)?;
        self.options.model.check(&board).map_err(Fault::of)?;
        let mut engine = self.pool.take(&query.setup.variant).map_err(|error| fault(&error))?;
        let seed = query.seed.unwrap_or(self.options.seed);
        let settings = Settings { multi_pv: query.multi_pv, seed, ..engine.settings().clone() };
        engine.set(&settings).map_err(|error| fault(&error))?;
        if !query.tree_kept {
            // Results of earlier searches must not show.
            engine.clear();
        }
        let nodes = query.limits.nodes.or((!query.limits.ends(board.variant())).then_some(self.options.nodes));
        let move_time = query.limits.move_time.into_iter().chain(self.options.longest).min();
        let limits = Limits { nodes, move_time, ..query.limits.clone() };
        let told = query.turns_told.then_some(&board);
        let decided = query.decided_told.then(|| Certain::of(&board));
        let mut last = Instant::now();
        let mut tell = |found: &_| {
            let found: &hippolyta::engine::Analysis = found;
            if !found.last && limits.report_every.is_some_and(|every| last.elapsed() >= every) {
                last = Instant::now();
                say(self.output, &Answer::Analysis(Analysis::new(&query.id, turn, found, told, decided)));
            }
        };
        let found = engine.analyse(&board, &limits, control, &mut tell).map_err(|error| fault(&error))?;
        say(self.output, &Answer::Analysis(Analysis::new(&query.id, turn, &found, told, decided)));
        // Where nothing is ever counted was said when the query was read.
        let is_known = self.options.model.included(board.variant()).contains(&"includeTerritory");
        if limits.include.territory && is_known && found.owned.territory.is_none() {
            let warning = "territories are not counted before a turn that does not fire";
            self.warning(&query.id, "includeTerritory", warning);
        }
        Ok(())
    }

    fn perft(&self, perft: &Perft, control: &Control) -> Result<(), Fault> {
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
            None if control.is_late() => return Err(self.late()),
            None => no_results(self.output, &perft.id, None, Some("perft")),
        }
        Ok(())
    }
}

/// Says that work was ended before anything came of it: on the position after `turn_number` moves, or of an `action`
/// that is about none.
pub(super) fn no_results(output: &Output, id: &str, turn_number: Option<u32>, action: Option<&str>) {
    let none = NoResults { id, turn_number, action, is_during_search: false, no_results: true };
    say(output, &Answer::NoResults(none));
}
