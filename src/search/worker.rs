//! The loop of one worker: simulations in batches, until the round is over.

use super::batch::{BATCH, work_in_batches};
use super::progress::Progress;
use super::simulation::{Context, Done, Walker};
use super::tree::Full;
use crate::eval::{Evaluator, now};
use crate::games::Position;

/// Positions that one simulation usually evaluates at most.
const MOST_NODES: u64 = 32;

/// Runs simulations until the round is over, as one of `workers`. Calls `look` after each batch; false ends the
/// search.
pub(super) fn work<P: Position, E: Evaluator<P>>(
    context: &Context<'_, P, E>,
    progress: &Progress<'_>,
    workers: usize,
    mut look: impl FnMut() -> bool,
) {
    if let Some(most) = context.evaluator.batch() {
        return now(work_in_batches(context, progress, workers, most.max(1), false, look));
    }
    let mut walker = Walker::<P>::new(context.tree.slots(workers));
    // With fewer nodes left than a batch of all workers takes, each simulation counts its nodes at once: so the limit
    // is hardly exceeded.
    let few = BATCH * MOST_NODES * workers as u64;
    while !progress.round_is_over() {
        for _ in 0..BATCH {
            match context.simulate(&mut walker) {
                Ok(Done::Counted) => {}
                Ok(Done::Settled) => progress.finish(),
                Err(Full) => progress.end_round_for_tree(),
            }
            if progress.nodes_left() <= few {
                progress.add_nodes(walker.take_nodes());
            }
            if progress.round_is_over() {
                break;
            }
        }
        progress.add_nodes(walker.take_nodes());
        progress.add_exact_hits(walker.take_exact_hits());
        progress.reach(walker.deepest);
        if context.table.is_full() {
            progress.end_round();
        }
        // Every worker checks the clock: the system may delay any of them.
        if progress.overdue().is_some() || !look() {
            progress.finish();
        }
    }
    context.unwind(&mut walker);
}
