//! One worker's search: made for a rule set, used for one position after the other.

use super::answer::Findings;
use super::extras::Extras;
use super::fields::Fault;
use super::request::{Query, SearchOptions};
use crate::eval::Evaluator;
use crate::games::Notation;
use crate::games::variant::Variant;
use crate::protocol::judge::{EvaluatorTask, Judge, with_evaluator};
use crate::search::{Control, Limits, Report, Search, Settings, SettingsError};
use std::time::Instant;

/// A search for any game, behind one handle.
pub(super) trait Analyst: Send {
    /// Searches the query's position after `turn` moves. `tell` gets what is found on the way, as often as the query wants.
    fn analyse(
        &mut self,
        query: &Query,
        turn: u32,
        defaults: &Defaults,
        control: &Control,
        tell: &mut (dyn FnMut(&Findings) + Send),
    ) -> Result<Findings, Fault>;
}

/// What holds for queries that say nothing else.
#[derive(Clone, Copy, Debug)]
pub(super) struct Defaults {
    /// For queries without any limit.
    pub nodes: u64,
    pub seed: u64,
}

/// A search of its own for `variant`.
pub(super) fn analyst_for(
    variant: &'static Variant,
    judge: &Judge,
    settings: Settings,
) -> Result<Box<dyn Analyst>, SettingsError> {
    with_evaluator(variant, judge, Begin(settings))
}

/// Which fields ask for something in this rule set, beside the search.
pub(super) fn known_extras(variant: &'static Variant, judge: &Judge) -> &'static [&'static str] {
    with_evaluator(variant, judge, Known)
}

struct Begin(Settings);

impl EvaluatorTask for Begin {
    type Output = Result<Box<dyn Analyst>, SettingsError>;

    fn run<P: Notation, E: Evaluator<P> + Extras<P> + 'static>(
        self,
        _: &'static Variant,
        evaluator: E,
    ) -> Self::Output {
        Ok(Box::new(Search::<P, E>::new(evaluator, self.0)?))
    }
}

struct Known;

impl EvaluatorTask for Known {
    type Output = &'static [&'static str];

    fn run<P: Notation, E: Evaluator<P> + Extras<P> + 'static>(self, _: &'static Variant, _: E) -> Self::Output {
        E::KNOWN
    }
}

impl<P: Notation, E: Evaluator<P> + Extras<P>> Analyst for Search<P, E> {
    fn analyse(
        &mut self,
        query: &Query,
        turn: u32,
        defaults: &Defaults,
        control: &Control,
        tell: &mut (dyn FnMut(&Findings) + Send),
    ) -> Result<Findings, Fault> {
        let options = &query.search;
        let game = query.setup.game::<P>(turn as usize)?;
        let position = game.current();
        let seed = options.seed.unwrap_or(defaults.seed);
        let settings = Settings { multi_pv: options.multi_pv, seed, ..self.settings().clone() };
        self.set(settings).map_err(|error| Fault::of(error.to_string()))?;
        // What was searched before must not show.
        self.clear();
        let limits = limits(position, options, defaults);
        let mut last = Instant::now();
        let mut report = |report: &Report<P>| {
            if !report.last && options.report_every.is_some_and(|every| last.elapsed() >= every) {
                last = Instant::now();
                tell(&Findings::new(position, report));
            }
        };
        let report = self.run(&game, &limits, control, &mut report);
        let mut findings = Findings::new(position, &report);
        findings.extra = self.evaluator().extra(position, &options.wanted, seed);
        Ok(findings)
    }
}

fn limits<P: Notation>(position: &P, options: &SearchOptions, defaults: &Defaults) -> Limits<P> {
    Limits {
        nodes: options.nodes.or(options.is_unlimited().then_some(defaults.nodes)),
        move_time: options.move_time,
        depth: options.depth,
        mate: options.mate,
        turns: options.search_moves.iter().filter_map(|text| position.parse_turn(text).ok()).collect(),
        report_every: options.report_every,
        ..Limits::default()
    }
}
