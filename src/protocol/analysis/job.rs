//! The loop of one worker.

use super::analyst::{Analyst, Defaults, analyst_for};
use super::answer::{Analysis, Counted, NoResults, Refusal};
use super::fields::Fault;
use super::queue::{Queue, Running, Work};
use super::request::{Perft, Query};
use super::{Options, say};
use crate::games::variant::Variant;
use crate::games::{GameTask, Notation, Turn, perft_while};
use crate::protocol::output::Output;
use crate::search::{Control, Settings};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// One thread that works on the queue.
pub(super) struct Job<'a> {
    options: &'a Options,
    output: &'a Output,
    /// The search for the rule set that was searched last.
    analyst: Option<(&'static Variant, Box<dyn Analyst>)>,
}

impl<'a> Job<'a> {
    pub fn new(options: &'a Options, output: &'a Output) -> Self {
        Self { options, output, analyst: None }
    }

    pub fn work(&mut self, queue: &Queue) {
        while let Some(running) = queue.take() {
            let Running { work, control, .. } = &running;
            let done = catch_unwind(AssertUnwindSafe(|| match work {
                Work::Search(query, turn) => self.search(query, *turn, control),
                Work::Perft(perft) => self.perft(perft, control, work),
            }));
            let fault = match done {
                Ok(Ok(())) => None,
                Ok(Err(fault)) => Some(fault),
                Err(_) => {
                    self.analyst = None;
                    Some(Fault::of("the search failed"))
                }
            };
            if let Some(fault) = fault {
                say(self.output, &Refusal::new(Some(work.id()), work.turn(), &fault));
            }
            queue.done(&running);
        }
    }

    fn search(&mut self, query: &Query, turn: u32, control: &Control) -> Result<(), Fault> {
        let (id, output) = (&*query.id, self.output);
        let Options { nodes, seed, .. } = *self.options;
        let say = |findings: &_, is_during_search| {
            say(output, &Analysis { id, turn_number: turn, is_during_search, findings });
        };
        let analyst = self.analyst(query.setup.variant)?;
        let defaults = Defaults { nodes, seed };
        let findings = analyst.analyse(query, turn, &defaults, control, &mut |findings| say(findings, true))?;
        say(&findings, false);
        Ok(())
    }

    /// The search for `variant`: the last one if it was for that, else a new one in its place.
    fn analyst(&mut self, variant: &'static Variant) -> Result<&mut Box<dyn Analyst>, Fault> {
        let Options { jobs, threads, hash, .. } = *self.options;
        let fits = self.analyst.as_ref().is_some_and(|(known, _)| *known == variant);
        if !fits {
            // First of all the memory of the old one.
            self.analyst = None;
            let settings = Settings { hash: (hash / jobs.max(1)).max(1), threads, ..Settings::default() };
            let new = analyst_for(variant, &self.options.judge, settings);
            self.analyst = Some((variant, new.map_err(|error| Fault::of(error.to_string()))?));
        }
        self.analyst.as_mut().map(|(_, analyst)| analyst).ok_or_else(|| Fault::of("no search"))
    }

    fn perft(&self, perft: &Perft, control: &Control, work: &Work) -> Result<(), Fault> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.options.threads).build();
        let pool =
            pool.map_err(|error| Fault::of(format!("cannot start {} threads: {error}", self.options.threads)))?;
        match perft.setup.variant.run(Count { perft, control, pool: &pool })? {
            Some((divide, nodes)) => {
                say(self.output, &Counted { id: &perft.id, action: "perft", depth: perft.depth, nodes, divide });
            }
            None => no_results(self.output, work),
        }
        Ok(())
    }
}

struct Count<'a> {
    perft: &'a Perft,
    control: &'a Control,
    pool: &'a rayon::ThreadPool,
}

impl GameTask for Count<'_> {
    type Output = Result<Option<(Vec<(String, u64)>, u64)>, Fault>;

    fn run<P: Notation>(self, _: &'static Variant) -> Self::Output {
        let game = self.perft.setup.game::<P>(usize::MAX)?;
        let position = game.current();
        let count = || perft_while(position, self.perft.depth, &|| !self.control.stopped());
        let counted = self.pool.install(count);
        let text = |(turn, count): (Turn<P>, u64)| (position.turn_text(&turn), count);
        Ok(counted.map(|counted| (counted.divide.into_iter().map(text).collect(), counted.nodes)))
    }
}

/// Says that `work` was ended before anything came of it.
pub(super) fn no_results(output: &Output, work: &Work) {
    let (id, turn_number) = (work.id(), work.turn());
    let action = if turn_number.is_none() { Some("perft") } else { None };
    say(output, &NoResults { id, turn_number, action, is_during_search: false, no_results: true });
}
