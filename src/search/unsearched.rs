//! Answers that need no search.

use super::clock;
use super::report::{Line, Report, Score};
use super::settings::Settings;
use super::task::Task;
use super::time::{Lag, beside};
use crate::endgame::Proof;
use crate::eval::{Evaluation, Evaluator, draw_turn};
use crate::games::{Outcome, Position, Steps};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The answer to a task that needs no search.
pub(super) struct Known<P: Position> {
    report: Report<P>,
    /// The evaluator knows the result and how to play.
    pub is_certain: bool,
}

impl<P: Position> Known<P> {
    /// The answer, if the task needs no search. What is exact takes half of the time at most.
    pub fn find<E: Evaluator<P>>(evaluator: &E, settings: &Settings, task: &Task<'_, P>, lag: Lag) -> Option<Self> {
        let (root, limits) = (task.root(), task.limits);
        if let Some(outcome) = root.outcome() {
            return Some(Self { report: finished(task, outcome), is_certain: false });
        }
        if let Some(sharpness) = limits.by_policy {
            return Some(Self { report: drawn(evaluator, task, sharpness, settings.seed), is_certain: false });
        }
        if settings.multi_pv > 1 || !limits.turns.is_empty() {
            return None;
        }
        let (turns, proof) =
            beside(task, lag, 2, |work| evaluator.oracle().certain_line(root, limits.is_patient(), work))?;
        Some(Self { report: certain(task, turns, proof), is_certain: true })
    }

    /// Reports the answer, and returns it when the search may end. A certain result is reported at once.
    pub fn answer(self, task: &Task<'_, P>, reporter: &mut dyn FnMut(&Report<P>)) -> Report<P> {
        if self.is_certain && (task.limits.infinite || task.limits.ponder) {
            reporter(&self.report);
        }
        task.control.wait_until_released(task.limits.infinite);
        let report = Report { last: true, ..self.report };
        reporter(&report);
        report
    }
}

/// The report on a game that is over.
fn finished<P: Position>(task: &Task<'_, P>, outcome: Outcome) -> Report<P> {
    let score = Score::proven(outcome, 0, task.root().side_to_move());
    Report::blank(score, clock::since(task.ordered()))
}

/// The report of a turn drawn by the policy ([`Limits::by_policy`](crate::search::Limits::by_policy)): the same for
/// the same seed and position.
fn drawn<P: Position, E: Evaluator<P>>(evaluator: &E, task: &Task<'_, P>, sharpness: f32, seed: u64) -> Report<P> {
    let (root, turns) = (task.root(), &task.limits.turns);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ root.key());
    let turn = if turns.is_empty() {
        draw_turn(evaluator, root, sharpness, &mut random)
    } else {
        turns[random.random_range(0..turns.len())].clone()
    };
    let evaluated = || Score::evaluated(evaluator.evaluate(root), 0, root.side_to_move());
    let score = score_of_turns(evaluator, root, turns, |_| None).unwrap_or_else(evaluated);
    let lines = vec![Line { score: score_after(evaluator, root, &turn), turns: vec![turn], visits: 0, prior: None }];
    Report { depth: 1, selective_depth: 1, nodes: 1, lines, ..Report::blank(score, clock::since(task.ordered())) }
}

/// The score of `turn` for the side to move at `root`, by evaluation alone.
pub(super) fn score_after<P: Position, E: Evaluator<P>>(evaluator: &E, root: &P, turn: &Steps<P>) -> Score {
    let mut after = root.clone();
    turn.iter().for_each(|&step| after.play(step));
    let evaluation = match after.outcome() {
        Some(outcome) => Evaluation::Exact(Proof { outcome, plies: 0 }),
        None => evaluator.evaluate(&after),
    };
    Score::evaluated(evaluation, 1, root.side_to_move())
}

/// The score of the best of `turns` for the side to move at `root`, by the `known` score of each and else by evaluation
/// alone; `None` without turns. The evaluation of `root` itself is about all of its turns.
pub(super) fn score_of_turns<P: Position, E: Evaluator<P>>(
    evaluator: &E,
    root: &P,
    turns: &[Steps<P>],
    known: impl Fn(&Steps<P>) -> Option<Score>,
) -> Option<Score> {
    let scores = turns.iter().map(|turn| known(turn).unwrap_or_else(|| score_after(evaluator, root, turn)));
    scores.reduce(Score::or)
}

/// The report on a position whose result is certain: `turns` keep it.
pub(super) fn certain<P: Position>(task: &Task<'_, P>, turns: Vec<Steps<P>>, proof: Proof) -> Report<P> {
    let score = Score::proven(proof.outcome, proof.plies.into(), task.root().side_to_move());
    let depth = turns.len() as u32;
    let lines = vec![Line { score, turns, visits: 1, prior: None }];
    let blank = Report::blank(score, clock::since(task.ordered()));
    Report { depth, selective_depth: depth, nodes: 1, visits: 1, exact_hits: 1, lines, ..blank }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Game, Side};
    use crate::search::written::{AsWritten, Place, Spot, To, WHITE_WINS, half, open, over};
    use crate::search::{Control, Limits, Search};

    const SPOTS: &[Spot] = &[open(4, &[1, 2]), open(7, &[]), open(1, &[])];
    /// Knows that White wins in two turns of its own.
    const SURE: AsWritten = AsWritten {
        takes: std::time::Duration::ZERO,
        warmer: 0.0,
        lacks: 0.0,
        draws: 0.0,
        known: &[],
        certain: Some((&[1, 1, 1], Proof { outcome: WHITE_WINS, plies: 3 })),
    };

    /// All reports of a search, the last of which is its answer.
    fn reports(
        evaluator: AsWritten,
        spots: &'static [Spot],
        settings: Settings,
        limits: &Limits<Place>,
        control: &Control,
    ) -> Vec<Report<Place>> {
        let mut search = Search::new(evaluator, Settings { hash: 1, ..settings }).unwrap();
        let mut reports = Vec::new();
        let game = Game::new(Place::root(spots, Side::White));
        let answer = search.run(&game, limits, control, &mut |report| reports.push(report.clone()));
        let last = reports.last().unwrap();
        assert!(reports.iter().filter(|report| report.last).count() == 1 && last.last && answer.last);
        assert_eq!((answer.score, answer.nodes, answer.lines.len()), (last.score, last.nodes, last.lines.len()));
        reports
    }

    #[test]
    fn a_finished_game_has_no_line() {
        const OVER: &[Spot] = &[over(WHITE_WINS)];
        let reports = reports(SURE, OVER, Settings::default(), &Limits::default(), &Control::default());
        assert_eq!((reports.len(), reports[0].lines.len(), reports[0].score), (1, 0, Score::Win { plies: 0 }));
    }

    #[test]
    fn a_certain_result_is_the_answer_where_one_line_of_all_turns_is_wanted() {
        let limits = Limits { nodes: Some(50), ..Limits::default() };
        let certain = reports(SURE, SPOTS, Settings::default(), &limits, &Control::default());
        let [report] = &certain[..] else { panic!("{} reports", certain.len()) };
        assert_eq!(report.score, Score::Win { plies: 3 });
        assert_eq!((report.depth, report.selective_depth, report.lines[0].turns.len()), (3, 3, 3));
        assert_eq!((report.nodes, report.visits, report.exact_hits), (1, 1, 1));
        // A certain result is no answer to another question.
        let one = Limits { turns: vec![[To(2)].into_iter().collect()], ..limits.clone() };
        let two_lines = Settings { multi_pv: 2, ..Settings::default() };
        for (settings, limits) in [(two_lines, &limits), (Settings::default(), &one)] {
            let searched = reports(SURE, SPOTS, settings, limits, &Control::default());
            assert!(searched.last().is_some_and(|report| report.nodes >= 50));
        }
    }

    #[test]
    fn a_certain_result_is_reported_before_the_search_may_end() {
        for (limits, count) in [
            (Limits { infinite: true, ..Limits::default() }, 2),
            (Limits { ponder: true, ..Limits::default() }, 2),
            (Limits::default(), 1),
        ] {
            let control = Control::new(limits.ponder);
            control.stop();
            assert_eq!(reports(SURE, SPOTS, Settings::default(), &limits, &control).len(), count);
        }
        // A drawn turn is no certain result.
        let limits = Limits { infinite: true, by_policy: Some(1.0), ..Limits::default() };
        let control = Control::default();
        control.stop();
        assert_eq!(reports(SURE, SPOTS, Settings::default(), &limits, &control).len(), 1);
    }

    #[test]
    fn a_drawn_turn_is_whole_and_counts_as_one_node() {
        const HALVES: &[Spot] = &[open(4, &[1, 2]), half(4, &[3]), half(4, &[3]), open(4, &[])];
        let limits = Limits { by_policy: Some(1.0), ..Limits::default() };
        let drawn = reports(AsWritten::default(), HALVES, Settings::default(), &limits, &Control::default());
        let [report] = &drawn[..] else { panic!("{} reports", drawn.len()) };
        assert_eq!((report.depth, report.selective_depth, report.nodes), (1, 1, 1));
        assert_eq!((report.lines.len(), report.lines[0].turns.len(), report.lines[0].turns[0].len()), (1, 1, 2));
    }

    #[test]
    fn each_bit_of_the_seed_changes_what_is_drawn() {
        const EIGHT: &[Spot] = &[
            open(4, &[1, 2, 3, 4, 5, 6, 7, 8]),
            open(4, &[]),
            open(4, &[]),
            open(4, &[]),
            open(4, &[]),
            open(4, &[]),
            open(4, &[]),
            open(4, &[]),
            open(4, &[]),
        ];
        let (game, limits) = (Game::new(Place::root(EIGHT, Side::White)), Limits::default());
        let control = Control::default();
        let task = Task::new(&game, &limits, &control);
        let draw = |seed| drawn(&AsWritten::default(), &task, 1.0, seed).lines[0].turns[0][0];
        let same = (0..64).filter(|bit| draw(1 << bit) == draw(0)).count();
        // One in eight by chance.
        assert!(same < 20, "{same} of 64");
    }
}
