use crate::{Output, Style, Teller};
use hippolyta::engine::{Board, Control, Engine, Limits};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Searches, and tells `output` what is found; the last line is `bestmove`, also if the search fails.
pub(super) fn search(
    mut engine: Engine,
    board: &Board,
    limits: &Limits,
    control: &Control,
    style: Style,
    output: &Output,
) -> Engine {
    let mut teller = Teller::new(style, output);
    let mut tell = |analysis: &_| {
        teller.tell(analysis);
        if output.is_lost() {
            control.stop();
        }
    };
    let searched = catch_unwind(AssertUnwindSafe(|| engine.analyse(board, limits, control, &mut tell)));
    let failure = match searched {
        Ok(Ok(_)) => return engine,
        Ok(Err(error)) => error.to_string(),
        Err(_) => "the search failed; the answer is just a legal move".to_owned(),
    };
    engine.clear();
    if !teller.is_done() {
        output.error(&failure);
        let first = board.legal_turns().get(0);
        output.line(&format!("bestmove {}", first.map_or_else(|| "(none)".to_owned(), |turn| turn.to_string())));
    }
    engine
}

/// Counts turns to `depth` on this many threads: a line for each first turn, then the sum.
pub(super) fn perft(board: &Board, depth: u32, threads: usize, control: &Control, output: &Output) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let count = || board.perft_while(depth, &|| !control.stopped());
    let Some(perft) = pool.map_or_else(|_| count(), |pool| pool.install(count)) else {
        return output.remark("perft: stopped");
    };
    for (turn, count) in perft.divide {
        output.line(&format!("{turn}: {count}"));
    }
    output.line(&format!("\nNodes searched: {}", perft.nodes));
}
