//! Supervision of a running search: looks at the limits, reports, and gives the answer.

use super::proof::Prover;
use super::report::Report;
use super::root::Root;
use super::supervisor::Supervisor;
use super::task::Task;
use super::unsearched::certain;
use crate::endgame::Proof;
use crate::eval::Evaluator;
use crate::games::{Position, Steps};
use std::time::Duration;

/// Who hears of a search.
pub(super) type Reporter<'a, P> = &'a mut (dyn FnMut(&Report<P>) + Send);

/// State that only one thread at a time may use. It belongs to no worker. After a batch, a worker that finds it free
/// looks at the limits ([`Reporting::look`]). The first thread that finds time to be up answers
/// ([`Reporting::answer`]). So neither reports nor the answer wait for one worker that the system delays.
pub(super) struct Reporting<'a, P: Position> {
    task: Task<'a, P>,
    supervisor: Supervisor<'a, P>,
    /// `None` if nobody listens.
    reporter: Option<Reporter<'a, P>>,
    /// The prover's result, once it is known.
    solution: Option<(Vec<Steps<P>>, Proof)>,
    /// The last report, once it was made.
    answer: Option<Report<P>>,
    /// Time from the deadline to the answer.
    late: Duration,
}

impl<'a, P: Position> Reporting<'a, P> {
    pub fn new(task: Task<'a, P>, supervisor: Supervisor<'a, P>, reporter: Option<Reporter<'a, P>>) -> Self {
        Self { task, supervisor, reporter, solution: None, answer: None, late: Duration::ZERO }
    }

    /// Looks at the limits, and reports if a report is due. False if the search is over.
    pub fn look<E: Evaluator<P>>(&mut self, root: &Root<'_, P, E>, prover: Option<&Prover<P>>) -> bool {
        // The last report will say it all.
        if self.solution.is_some() || root.progress.is_over() || !self.supervisor.go_on(root) {
            return false;
        }
        if let Some(reporter) = &mut self.reporter
            && self.supervisor.report_is_due(root.progress.nodes())
            && root.can_report()
        {
            let Some(report) = root.interim_report() else { return false };
            let earlier = self.supervisor.notes.earlier(report.visits);
            reporter(&Report { earlier, proof: prover.and_then(Prover::status), ..report });
            self.supervisor.reported();
        }
        true
    }

    /// Takes the prover's result: it will be the answer.
    pub fn solve(&mut self, solution: (Vec<Steps<P>>, Proof)) {
        self.solution = Some(solution);
    }

    /// Reports how the search ended, if it may not answer yet: whoever waits sees all that was found.
    pub fn announce<E: Evaluator<P>>(&mut self, root: &Root<'_, P, E>) {
        if !self.task.control.is_released(self.task.limits.infinite) {
            self.tell(&Report { last: false, ..self.conclusion(root) });
        }
    }

    /// The answer. Makes the last report unless that has been done.
    pub fn answer<E: Evaluator<P>>(&mut self, root: &Root<'_, P, E>) -> Report<P> {
        if let Some(answer) = &self.answer {
            return answer.clone();
        }
        let report = self.conclusion(root);
        self.late = root.progress.overdue().unwrap_or_default();
        self.tell(&report);
        self.answer.insert(report).clone()
    }

    fn tell(&mut self, report: &Report<P>) {
        if let Some(reporter) = &mut self.reporter {
            reporter(report);
        }
    }

    /// Time from the deadline to the answer.
    pub fn late(&self) -> Duration {
        self.late
    }

    /// The final report: the prover's result if there is one, else what the tree says.
    fn conclusion<E: Evaluator<P>>(&self, root: &Root<'_, P, E>) -> Report<P> {
        let report = match self.solution.clone() {
            Some((turns, proof)) => Report { nodes: root.progress.nodes(), ..certain(&self.task, turns, proof) },
            None => root.report(),
        };
        Report { last: true, earlier: self.supervisor.notes.earlier(report.visits), ..report }
    }
}
