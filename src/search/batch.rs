//! The loop of one worker whose leaves are evaluated together. Visits of leaves that wait count at once (virtual
//! visits), so the next simulations look elsewhere.

use super::progress::Progress;
use super::simulation::{Context, Descent, Done, Path, Walker};
use super::tree::Full;
use crate::eval::{Evaluator, Leaf, Ticket};
use crate::games::Position;
use std::future::poll_fn;

/// Simulations between two looks at the limits.
pub(super) const BATCH: u64 = 16;

/// Simulations that wait for evaluations, and memory that is used again and again.
struct Waiting<P: Position> {
    leaves: Vec<Leaf<P>>,
    /// Leaves of earlier batches.
    old: Vec<Leaf<P>>,
    /// The ways to the leaves, in their order.
    ways: Vec<Path<P>>,
    /// The ways that ended at leaves of other simulations. Their visits count until the batch is evaluated, so the next
    /// simulation does not end there, too.
    taken: Vec<Path<P>>,
    spare: Vec<Path<P>>,
}

impl<P: Position> Waiting<P> {
    fn new() -> Self {
        Self { leaves: Vec::new(), old: Vec::new(), ways: Vec::new(), taken: Vec::new(), spare: Vec::new() }
    }

    /// Sets the way of `walker` aside.
    fn set_aside(walker: &mut Walker<P>, ways: &mut Vec<Path<P>>, spare: &mut Vec<Path<P>>) {
        ways.push(walker.set_aside(spare.pop().unwrap_or_default()));
    }

    /// Collects up to `most` leaves; fewer if as many simulations end at leaves of others. Simulations that need no
    /// evaluation are over at once; after [`BATCH`] of them it is time to look at the limits.
    fn collect<E: Evaluator<P>>(
        &mut self,
        context: &Context<'_, P, E>,
        progress: &Progress<'_>,
        walker: &mut Walker<P>,
        most: usize,
    ) {
        let mut done = 0;
        while self.leaves.len() + done < most && self.taken.len() < most && done < BATCH as usize {
            match context.descend(walker) {
                Ok(Descent::Leaf) => {
                    let Self { leaves, old, .. } = self;
                    leaves.extend(walker.position().map(|position| {
                        let (steps, logits) = old.pop().map(|leaf| (leaf.steps, leaf.logits)).unwrap_or_default();
                        Leaf::with_memory_of(position.clone(), steps, logits)
                    }));
                    Self::set_aside(walker, &mut self.ways, &mut self.spare);
                }
                Ok(Descent::Taken) => Self::set_aside(walker, &mut self.taken, &mut self.spare),
                Ok(Descent::Done(Done::Counted)) => done += 1,
                Ok(Descent::Done(Done::Settled)) => return progress.finish(),
                Err(Full) => return progress.end_round_for_tree(),
            }
        }
    }

    /// Takes what is said of the leaves into the tree, or else that nothing is.
    fn take<E: Evaluator<P>>(
        &mut self,
        context: &Context<'_, P, E>,
        progress: &Progress<'_>,
        walker: &mut Walker<P>,
        is_evaluated: bool,
    ) {
        for (way, leaf) in self.ways.drain(..).zip(&mut self.leaves) {
            let spare = walker.go_on_with(way);
            self.spare.push(spare);
            if !is_evaluated {
                context.unwind(walker);
            } else if context.take(walker, leaf) == Err(Full) {
                progress.end_round_for_tree();
            }
        }
        for way in self.taken.drain(..) {
            let spare = walker.go_on_with(way);
            self.spare.push(spare);
            context.unwind(walker);
        }
        self.old.append(&mut self.leaves);
    }
}

/// Evaluates leaves; false if they could not be. With `stops` whoever polls goes on with other searches meanwhile.
async fn evaluate<P: Position, E: Evaluator<P>>(evaluator: &E, leaves: &mut Vec<Leaf<P>>, stops: bool) -> bool {
    if !stops {
        return evaluator.evaluate_batch(leaves);
    }
    let mut ticket = Ticket::default();
    poll_fn(|_| evaluator.poll_batch(leaves, &mut ticket)).await
}

/// Runs simulations until the round is over, as one of `workers`, with `most` leaves in a batch. Calls `look` after
/// [`BATCH`] simulations or more; false ends the search. Unless it `stops` at its leaves, it is ready when first polled.
pub(super) async fn work_in_batches<P: Position, E: Evaluator<P>>(
    context: &Context<'_, P, E>,
    progress: &Progress<'_>,
    workers: usize,
    most: usize,
    stops: bool,
    mut look: impl FnMut() -> bool,
) {
    let mut walker = Walker::<P>::new(context.tree.slots(workers));
    let mut waiting = Waiting::new();
    let mut next_look = 0;
    while !progress.round_is_over() {
        let left = usize::try_from(progress.nodes_left()).unwrap_or(usize::MAX);
        waiting.collect(context, progress, &mut walker, most.min(left));
        let is_evaluated = waiting.leaves.is_empty() || evaluate(context.evaluator, &mut waiting.leaves, stops).await;
        waiting.take(context, progress, &mut walker, is_evaluated);
        if !is_evaluated {
            progress.finish();
        }
        progress.add_nodes(walker.take_nodes());
        progress.add_exact_hits(walker.take_exact_hits());
        progress.reach(walker.deepest);
        if context.table.is_full() {
            progress.end_round();
        }
        if progress.overdue().is_some() {
            progress.finish();
        }
        if progress.nodes() >= next_look {
            next_look = progress.nodes() + BATCH;
            if !look() {
                progress.finish();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::{Board, Engine, Evaluators, Model};
    use crate::eval::{Evaluation, Evaluator, Leaf, Term, Together, Value};
    use crate::games::amazons::Amazons;
    use crate::games::variant::{self, Variant};
    use crate::games::{Game, MoveFireStep, Notation, Position, Step};
    use crate::search::{Control, Limits, Search, Settings};
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    use std::sync::{Arc, Mutex};
    use std::task::{Context, Waker};

    /// A net of no weights: value and logits from the position's key. It knows how large its batches were.
    struct Hashed {
        batch: usize,
        sizes: Mutex<Vec<usize>>,
        /// Fails once this number of batches was evaluated.
        lasts: AtomicUsize,
    }

    impl Hashed {
        fn new(batch: usize) -> Self {
            Self { batch, sizes: Mutex::default(), lasts: AtomicUsize::new(usize::MAX) }
        }
    }

    fn hashed(key: u64, salt: u64) -> f32 {
        ((key ^ salt).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as f32 / (1u64 << 24) as f32
    }

    impl Evaluator<Amazons> for Hashed {
        fn evaluate(&self, position: &Amazons) -> Evaluation {
            Evaluation::Estimate(Value { white: 0.25 + 0.5 * hashed(position.key(), 1), draw: 0.0 })
        }
        fn policy(&self, position: &Amazons, _: &[MoveFireStep], logits: &mut [f32]) {
            let mut salt = 1;
            for logit in logits {
                salt += 1;
                *logit = 2.0 * hashed(position.key(), salt);
            }
        }
        fn explain(&self, position: &Amazons) -> (Value, Vec<Term>) {
            (self.evaluate(position).value(), Vec::new())
        }
        fn identity(&self) -> Vec<u8> {
            b"hashed".to_vec()
        }
        fn batch(&self) -> Option<usize> {
            Some(self.batch)
        }
        fn evaluate_batch(&self, leaves: &mut Vec<Leaf<Amazons>>) -> bool {
            self.sizes.lock().unwrap().push(leaves.len());
            for leaf in leaves {
                leaf.value = self.evaluate_with_policy(&leaf.position, &leaf.steps, &mut leaf.logits).value();
            }
            self.lasts.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_ok()
        }
    }

    fn game(name: &str) -> Game<Amazons> {
        let variant = &variant::find(name).unwrap();
        Game::new(Amazons::from_fen(variant, variant.start()).unwrap())
    }

    fn nodes(nodes: u64) -> Limits<Amazons> {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    fn small() -> Settings {
        Settings { hash: 16, ..Settings::default() }
    }

    /// Visits, priors and means of the first steps.
    fn found<E: Evaluator<Amazons>>(search: &mut Search<Amazons, E>, count: u64) -> Vec<(u16, u32, f32, Option<f32>)> {
        let report = search.run(&game("amazons6"), &nodes(count), &Control::default(), &mut |_| ());
        assert_eq!((report.nodes, report.visits), (count, count));
        steps(search)
    }

    fn steps<E: Evaluator<Amazons>>(search: &Search<Amazons, E>) -> Vec<(u16, u32, f32, Option<f32>)> {
        let steps = search.steps_after(&[]);
        steps.iter().map(|step| (step.step.code(), step.visits, step.prior, step.white)).collect()
    }

    #[test]
    fn every_simulation_evaluates_one_half_turn_and_the_limit_on_nodes_is_exact() {
        for batch in [1, 7, 64] {
            let mut search = Search::new(Hashed::new(batch), small()).unwrap();
            let steps = found(&mut search, 500);
            assert_eq!(steps.iter().map(|step| step.1).sum::<u32>(), 499);
            let sizes = search.evaluator().sizes.lock().unwrap().clone();
            assert!(sizes.iter().all(|&size| size <= batch) && sizes[0] == 1);
            assert_eq!(sizes.iter().sum::<usize>(), 500);
            // Once the tree has some leaves, batches are nearly full.
            assert!(500 * 3 > batch * sizes.len() * 2, "{sizes:?}");
            let again = found(&mut Search::new(Hashed::new(batch), small()).unwrap(), 500);
            assert_eq!(again, steps);
        }
    }

    #[test]
    fn a_search_whose_evaluator_fails_ends_and_its_visits_do_not_count() {
        let evaluator = Hashed { lasts: AtomicUsize::new(9), ..Hashed::new(8) };
        let mut search = Search::new(evaluator, small()).unwrap();
        let report = search.run(&game("amazons6"), &nodes(10_000), &Control::default(), &mut |_| ());
        let sizes = search.evaluator().sizes.lock().unwrap().clone();
        assert_eq!(sizes.len(), 10);
        assert_eq!(report.visits, sizes[..9].iter().sum::<usize>() as u64);
        // Nothing is left under way: the search goes on from there.
        search.evaluator().lasts.store(usize::MAX, Relaxed);
        let report = search.run(&game("amazons6"), &nodes(100), &Control::default(), &mut |_| ());
        assert_eq!(report.nodes, 100);
    }

    #[test]
    fn a_full_tree_is_recycled_and_the_search_goes_on() {
        let mut search = Search::new(Hashed::new(16), Settings { hash: 1, ..Settings::default() }).unwrap();
        let report = search.run(&game("amazons"), &nodes(5_000), &Control::default(), &mut |_| ());
        assert_eq!(report.nodes, 5_000);
        assert!(report.lines[0].visits > 0);
    }

    impl std::fmt::Debug for Hashed {
        fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            formatter.write_str("Hashed")
        }
    }

    impl Evaluators for Hashed {
        fn amazons(&self, _: &Variant) -> Option<Box<dyn Evaluator<Amazons>>> {
            Some(Box::new(Self::new(self.batch)))
        }
    }

    #[test]
    fn what_is_certain_is_found_and_many_lines_and_chosen_turns_are_as_ever() {
        let variant = &variant::find("amazons").unwrap();
        let settings = Settings { multi_pv: 3, ..small() };
        let mut engine = Engine::new(variant, &Model::own(Hashed::new(8)), settings.clone()).unwrap();
        let limits = crate::engine::Limits { nodes: Some(2_000), ..Default::default() };
        let analyse = |engine: &mut Engine, fen: &str, limits: &crate::engine::Limits| {
            let board = Board::from_fen(variant, fen).unwrap();
            engine.analyse(&board, limits, &Control::default(), &mut |_| ()).unwrap()
        };
        assert_eq!(analyse(&mut engine, variant.start(), &limits).lines.len(), 3);
        engine.set(&Settings { multi_pv: 1, ..settings }).unwrap();
        let chosen = crate::engine::Limits { turns: vec!["d1d7,d7d2".parse().unwrap()], ..limits.clone() };
        assert_eq!(analyse(&mut engine, variant.start(), &chosen).lines[0].turns[0].to_string(), "d1d7,d7d2");
        let won = analyse(&mut engine, "q1*/**1/2Q w", &limits);
        assert!(won.score.is_proven() && won.nodes < 2_000);
        assert_eq!(won.best(), Some(&"c1c2,c2b3".parse().unwrap()));
    }

    /// The game after a turn that is another one for each number.
    fn game_after(number: usize) -> Game<Amazons> {
        let mut position = *game("amazons6").current();
        for _ in 0..2 {
            let step = Leaf::new(position).steps[number];
            position.play(step);
        }
        Game::new(position)
    }

    /// Searches all games in turn, this number of nodes each, but gives the first ones up after fifty batches. Returns
    /// how many searches were under way at each batch.
    fn in_turn(searches: &mut [Search<Amazons, Together<Amazons>>], count: u64, given_up: usize) -> Vec<usize> {
        let together = searches[0].evaluator().clone();
        let (limits, control) = (nodes(count), Control::default());
        let think = async |search: &mut Search<_, _>, game: Game<_>| {
            search.think(&game, &limits, &control).await;
        };
        let numbered = searches.iter_mut().enumerate();
        let mut thoughts: Vec<_> =
            numbered.map(|(number, search)| Box::pin(think(search, game_after(number)))).collect();
        let (mut context, mut sizes) = (Context::from_waker(Waker::noop()), Vec::new());
        while !thoughts.is_empty() {
            thoughts.retain_mut(|thought| thought.as_mut().poll(&mut context).is_pending());
            sizes.push(thoughts.len());
            if sizes.len() == 50 {
                thoughts.drain(..given_up);
            }
            together.evaluate_waiting();
        }
        sizes
    }

    #[test]
    fn searches_in_turn_fill_batches_and_each_is_the_same_as_alone() {
        let alone = |search: &mut Search<_, Together<_>>, number| {
            search.run(&game_after(number), &nodes(200), &Control::default(), &mut |_| ());
            steps(search)
        };
        let evaluator = Arc::new(Hashed::new(1));
        let together = Together::new(evaluator.clone());
        let mut searches: Vec<_> = (0..8).map(|_| Search::new(together.clone(), small()).unwrap()).collect();
        for given_up in [0, 3] {
            in_turn(&mut searches, 200, given_up);
            // The last leaves of those that are given up are in the fiftieth batch.
            let sizes = std::mem::take(&mut *evaluator.sizes.lock().unwrap());
            assert_eq!(sizes, [vec![8; 50], vec![8 - given_up; 150]].concat());
            for (number, search) in searches.iter_mut().enumerate() {
                let found = (number >= given_up).then(|| steps(search));
                search.clear();
                let expected = alone(search, number);
                assert!(found.is_none_or(|found| found == expected), "{number}, {given_up} given up");
                search.clear();
            }
            evaluator.sizes.lock().unwrap().clear();
        }
    }

    #[test]
    fn a_failure_ends_all_searches_of_the_batch() {
        let together = Together::new(Arc::new(Hashed { lasts: AtomicUsize::new(20), ..Hashed::new(1) }));
        let mut searches: Vec<_> = (0..8).map(|_| Search::new(together.clone(), small()).unwrap()).collect();
        // The twenty-first batch fails.
        assert_eq!(in_turn(&mut searches, 1_000, 0), [vec![8; 21], vec![0]].concat());
    }
}
