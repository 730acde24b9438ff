//! When a search ends by itself, and when it reports.

use super::clock;
use super::limits::Limits;
use super::report::Score;
use super::root::Root;
use super::time::Budget;
use crate::eval::Evaluator;
use crate::games::Position;
use std::time::Duration;
use web_time::Instant;

/// Watches the limits, and when to report; asked after each batch.
pub(super) struct Supervisor<'a, P: Position> {
    limits: &'a Limits<P>,
    budget: Option<Budget>,
    /// Simulations of earlier searches in the tree.
    known: u64,
    next_report: u64,
    last_report: Instant,
    /// Time that the last report took.
    report_took: Duration,
    next_depth_look: u64,
    next_clock_look: Instant,
    pub notes: Notes,
}

/// Visits before which nothing is noted: reading a score would take a share of so short a search.
const FIRST_NOTE: u64 = 1_000;

/// Scores of the root, and the visits that it had by then: from [`FIRST_NOTE`] on whenever they have doubled.
#[derive(Default)]
pub(super) struct Notes(Vec<(u64, Score)>);

impl Notes {
    fn is_due(&self, visits: u64) -> bool {
        visits >= self.0.last().map_or(FIRST_NOTE, |note| 2 * note.0)
    }

    fn take(&mut self, visits: u64, score: Score) {
        self.0.push((visits, score));
    }

    /// A score of the root when it had about a quarter of `visits`, and the visits that it had.
    pub fn earlier(&self, visits: u64) -> Option<(u64, Score)> {
        self.0.iter().rev().find(|note| 14 * note.0 <= 5 * visits).copied()
    }
}
/// Longest time between two reports by default.
const USUAL_PAUSE: Duration = Duration::from_secs(1);
/// Time between two comparisons of the best turns, if a clock runs.
const CLOCK_LOOK: Duration = Duration::from_millis(2);

impl<'a, P: Position> Supervisor<'a, P> {
    /// `known`: simulations of earlier searches in the tree.
    pub fn new(limits: &'a Limits<P>, budget: Option<Budget>, known: u64) -> Self {
        let now = clock::now();
        Self {
            limits,
            budget,
            known,
            next_report: 1,
            last_report: now,
            report_took: Duration::ZERO,
            next_depth_look: 0,
            next_clock_look: now,
            notes: Notes::default(),
        }
    }

    /// Whether a report is due at this number of nodes; asking takes note of it. Reports come at the first node, when
    /// `known` and nodes together pass a power of two, and by time. Those at powers of two wait until reporting takes
    /// less than a tenth of the time: with hundreds of lines a search would do little else at first, and a `stop` would
    /// wait for the report under way.
    pub fn report_is_due(&mut self, nodes: u64) -> bool {
        let pause = clock::since(self.last_report);
        let by_nodes = nodes >= self.next_report && pause >= 9 * self.report_took;
        let by_time = pause >= self.limits.report_every.unwrap_or(USUAL_PAUSE);
        if by_nodes {
            self.next_report = (self.known + nodes + 1).next_power_of_two() - self.known;
        }
        if by_nodes || by_time {
            self.last_report = clock::now();
        }
        by_nodes || by_time
    }

    /// Takes note of how long a report took.
    pub fn reported(&mut self) {
        self.report_took = clock::since(self.last_report);
        self.last_report = clock::now();
    }

    /// Whether the search goes on.
    pub fn go_on<E: Evaluator<P>>(&mut self, root: &Root<'_, P, E>) -> bool {
        let visits = root.context.tree.visits();
        if self.notes.is_due(visits) {
            self.notes.take(visits, root.score(&root.lines(1)));
        }
        if root.progress.control.pondering() || self.limits.infinite {
            return true;
        }
        let is_proven = !root.context.wants_many_lines() && root.proven();
        !(is_proven || self.is_deep_enough(root) || self.time_is_up(root))
    }

    /// The limits on depth and mate. They are checked at given numbers of nodes, in growing steps, so that the check
    /// does not depend on the machine.
    fn is_deep_enough<E: Evaluator<P>>(&mut self, root: &Root<'_, P, E>) -> bool {
        let Limits { depth, mate, .. } = *self.limits;
        let nodes = root.progress.nodes();
        if depth.is_none() && mate.is_none() || nodes < self.next_depth_look {
            return false;
        }
        self.next_depth_look = nodes + nodes / 16;
        let lines = root.lines(1);
        let Some(line) = lines.first() else { return false };
        let is_mate = |turns| matches!(line.score, Score::Win { plies } if plies.div_ceil(2) <= turns);
        depth.is_some_and(|depth| line.turns.len() >= depth as usize) || mate.is_some_and(is_mate)
    }

    fn time_is_up<E: Evaluator<P>>(&mut self, root: &Root<'_, P, E>) -> bool {
        let (Some(budget), progress) = (self.budget, root.progress) else { return false };
        progress.set_deadline();
        if progress.overdue().is_some() {
            return true;
        }
        let now = clock::now();
        if !budget.saves || now < self.next_clock_look {
            return false;
        }
        self.next_clock_look = now + CLOCK_LOOK;
        let elapsed = progress.control.counts_from(progress.started).map_or(Duration::ZERO, |from| now - from);
        // Stop when the choice is clear and time is up, or the choice cannot change any more within it.
        let speed = progress.nodes() as f64 / clock::since(progress.started).as_secs_f64().max(1e-3);
        let nodes_ahead = budget.usual.saturating_sub(elapsed).as_secs_f64() * speed;
        root.comparison().is_settled(nodes_ahead)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::amazons::Amazons;
    use crate::games::{Game, Side};
    use crate::search::clock::simulated::{Simulated, pass};
    use crate::search::written::{AsWritten, BLACK_WINS, Place, Spot, To, WHITE_WINS, half, open, over};
    use crate::search::{Control, Parameters, Report, Search, Settings};

    /// At which of these nodes a report is due, on a tree with `known` visits.
    fn reports(known: u64, nodes: &[u64]) -> Vec<u64> {
        let limits = Limits::<Amazons> { report_every: Some(Duration::MAX), ..Limits::default() };
        let mut supervisor = Supervisor::new(&limits, None, known);
        nodes.iter().copied().filter(|&nodes| supervisor.report_is_due(nodes)).collect()
    }

    #[test]
    fn reports_come_at_powers_of_two_of_all_that_is_known() {
        let nodes: Vec<_> = (0..200).collect();
        assert_eq!(reports(0, &nodes), [1, 2, 4, 8, 16, 32, 64, 128]);
        assert_eq!(reports(1_000, &nodes), [1, 24]);
        assert_eq!(reports(1_024, &nodes), [1]);
    }

    /// A search of these spots for White: how many nodes it took, and its report.
    fn search(spots: &'static [Spot], limits: &Limits<Place>, multi_pv: usize) -> Report<Place> {
        let settings = Settings { hash: 1, multi_pv, ..Settings::default() };
        let mut search = Search::new(AsWritten::default(), settings).unwrap();
        search.set_parameters(Parameters { bundle_most: 1.0, ..Parameters::default() });
        search.run(&Game::new(Place::root(spots, Side::White)), limits, &Control::default(), &mut |_| ())
    }

    #[test]
    fn a_search_ends_at_its_depth() {
        const SPOTS: &[Spot] = &[open(4, &[1, 2]), open(7, &[]), open(1, &[])];
        for depth in [1, 3, 9] {
            let limits = Limits { depth: Some(depth), nodes: Some(1_000), ..Limits::default() };
            let report = search(SPOTS, &limits, 1);
            // The limits are looked at every sixteen simulations.
            assert!(report.depth >= depth && report.nodes < 40, "{depth}: {} {}", report.depth, report.nodes);
        }
        let limits = Limits { depth: Some(60), nodes: Some(1_000), ..Limits::default() };
        let report = search(SPOTS, &limits, 1);
        assert!(report.depth >= 60 && report.nodes < 100, "{} {}", report.depth, report.nodes);
    }

    #[test]
    fn the_score_at_a_quarter_of_the_visits_is_kept() {
        const SPOTS: &[Spot] = &[open(4, &[1, 2]), open(7, &[]), open(1, &[])];
        for nodes in [2_000, 4_000, 9_000] {
            let report = search(SPOTS, &Limits { nodes: Some(nodes), ..Limits::default() }, 1);
            let [least, most] = [report.visits / 6, report.visits * 5 / 14];
            match report.earlier {
                None => assert!(most < FIRST_NOTE, "{nodes}"),
                Some((visits, score)) => {
                    assert!((least..=most).contains(&visits), "{nodes}: {visits} of {}", report.visits);
                    assert_eq!(score, search(SPOTS, &Limits { nodes: Some(visits), ..Limits::default() }, 1).score);
                }
            }
        }
    }

    #[test]
    fn depth_is_looked_at_in_growing_steps() {
        // Each simulation goes one turn deeper.
        const SPOTS: &[Spot] = &[open(4, &[1]), open(4, &[])];
        // After batches of sixteen, and after a sixteenth of all.
        let mut looks = vec![16];
        for nodes in (32..700).step_by(16) {
            if looks.last().is_some_and(|last| nodes >= last + last / 16) {
                looks.push(nodes);
            }
        }
        for depth in [40, 260, 340, 500, 630] {
            let limits = Limits { depth: Some(depth), nodes: Some(3_000), ..Limits::default() };
            let end = looks.iter().find(|&&nodes| nodes > u64::from(depth));
            assert_eq!(end, Some(&search(SPOTS, &limits, 1).nodes), "{depth}");
        }
    }

    #[test]
    fn what_was_proven_of_chosen_turns_is_forgotten() {
        // The step to 1 loses if 3 follows, and wins if 4 does.
        const SPOTS: &[Spot] = &[
            open(4, &[1, 2]),
            half(4, &[3, 4]),
            half(1, &[5]),
            open(4, &[6]),
            open(7, &[]),
            open(2, &[]),
            over(BLACK_WINS),
        ];
        let mut search = Search::new(AsWritten::default(), Settings { hash: 1, ..Settings::default() }).unwrap();
        let game = Game::new(Place::root(SPOTS, Side::White));
        let mut run = |turns| {
            let limits = Limits { turns, nodes: Some(60), ..Limits::default() };
            search.run(&game, &limits, &Control::default(), &mut |_| ())
        };
        assert_eq!(run(vec![[To(1), To(3)].into_iter().collect()]).score, Score::Loss { plies: 2 });
        let all = run(Vec::new());
        assert!(matches!(all.score, Score::Estimate { .. }) && all.nodes >= 60, "{all:?}");
        assert_eq!(all.lines[0].turns[0][..], [To(1), To(4)]);
        // The tree of a search of all turns is used again.
        assert!(run(Vec::new()).visits > all.visits + 40);
    }

    #[test]
    fn a_search_for_a_win_ends_with_one_that_is_quick_enough() {
        // White wins in two turns of its own, or goes on.
        const SPOTS: &[Spot] = &[open(4, &[1, 2]), open(6, &[3]), open(4, &[]), open(6, &[4]), over(WHITE_WINS)];
        let limits = |mate| Limits { mate: Some(mate), nodes: Some(1_000), infinite: false, ..Limits::default() };
        for mate in [2, 9] {
            let report = search(SPOTS, &limits(mate), 1);
            assert!(report.score == Score::Win { plies: 3 } && report.nodes < 100, "{report:?}");
            // With two lines a proven root is no end.
            let report = search(SPOTS, &limits(mate), 2);
            assert!(report.lines[0].score == Score::Win { plies: 3 } && report.nodes < 100, "{report:?}");
        }
        let report = search(SPOTS, &limits(1), 2);
        assert!(report.lines[0].score == Score::Win { plies: 3 } && report.nodes >= 1_000, "{report:?}");
    }

    #[test]
    fn a_proven_result_ends_a_search_for_one_line() {
        const SPOTS: &[Spot] = &[open(4, &[1, 2]), over(WHITE_WINS), open(4, &[])];
        let limits = Limits { nodes: Some(1_000), ..Limits::default() };
        assert!(search(SPOTS, &limits, 1).nodes < 40);
        assert!(search(SPOTS, &limits, 2).nodes >= 1_000);
        // The node limit ends it, but neither the proof nor the depth. What it found is reported while it waits for the
        // stop, even where no report was due.
        let limits = Limits { infinite: true, depth: Some(1), ..limits };
        let (control, settings) = (Control::default(), Settings { hash: 1, ..Settings::default() });
        let mut search = Search::new(AsWritten::default(), settings).unwrap();
        let mut nodes = 0;
        let mut reporter = |report: &Report<Place>| {
            nodes = report.nodes;
            if nodes >= 1_000 {
                control.stop();
            }
        };
        search.run(&Game::new(Place::root(SPOTS, Side::White)), &limits, &control, &mut reporter);
        assert!((1_000..1_100).contains(&nodes), "{nodes}");
    }

    #[test]
    fn reports_at_powers_of_two_leave_time_for_the_search() {
        let _clock = Simulated::new();
        let limits = Limits::<Amazons> { report_every: Some(Duration::MAX), ..Limits::default() };
        let mut supervisor = Supervisor::new(&limits, None, 0);
        assert!(supervisor.report_is_due(1));
        pass(Duration::from_millis(5));
        supervisor.reported();
        pass(Duration::from_millis(44));
        assert!(!supervisor.report_is_due(5));
        // Nine times as long as the report took.
        pass(Duration::from_millis(1));
        assert!(supervisor.report_is_due(5) && !supervisor.report_is_due(6));
        supervisor.reported();
        assert!(!supervisor.report_is_due(7) && supervisor.report_is_due(8));
    }

    #[test]
    fn reports_come_by_time_whatever_the_limits_are() {
        for limits in [
            Limits::<Amazons> { nodes: Some(u64::MAX), ..Limits::default() },
            Limits { depth: Some(9), ..Limits::default() },
            Limits { infinite: true, ..Limits::default() },
        ] {
            let clock = Simulated::new();
            let mut supervisor = Supervisor::new(&limits, None, 0);
            assert!(supervisor.report_is_due(1_000));
            let mut is_due_after = |pause| {
                pass(pause);
                supervisor.report_is_due(1_000)
            };
            let moment = Duration::from_nanos(1);
            assert!(!is_due_after(USUAL_PAUSE - moment) && is_due_after(moment) && !is_due_after(moment));
            drop(clock);
        }
    }
}
