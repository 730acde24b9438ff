//! Fixed searches. The sum of their nodes changes with anything that changes play, and with nothing else.

use super::engine::{Judge, Order, engine_for};
use super::go::{Dialect, Go};
use super::output::Output;
use crate::games::variant;
use crate::search::{Control, Settings};
use std::time::Duration;

/// Each search goes on until its principal variation has so many turns.
pub const DEPTH: u32 = 7;
/// … or, where that would take too long, for so many nodes.
const MOST_NODES: u64 = 100_000;
/// Memory of each search, MiB.
const HASH: usize = 64;

/// Opening, middle game and end game, of several board sizes.
const POSITIONS: &[(&str, &str)] = &[
    ("amazons", "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1"),
    ("amazons", "3*2q3/10/5q4/5*3q/q1**3Q2/10/Q3Q2*2/10/10/3Q6 b - - 5 3"),
    ("amazons", "4q2*2/1q2*Q4/10/9q/9*/3q4*1/1*1**4Q/*9/6Q3/1*1Q6 b - - 9 5"),
    ("amazons", "1Q7*/10/4q5/q*6*1/10/2*q3*2/4*1*2Q/1*3Q2q1/2*2*4/3*1Q4 b - - 11 6"),
    ("amazons", "1q7Q/*1*1**2*1/5Q1*2/4*5/5*4/2q1*5/4*1q1*1/1*6Q1/4q*4/3Q5* w - - 14 8"),
    ("amazons", "**3*4/3*4*1/2Q**1*1*1/*5Q3/4q4*/*1*1**Q**1/4*1**1*/q*2*1*1q*/3*1**q2/3**Q4 w - - 0 16"),
    (
        "amazons",
        "2*Q2*1**/*2**Q**1q/1****3*1/2*3**2/***1*2*1*/2**1**1*1/**q****Q*1/*1****q2*/*1q1*2*1*/1***2Q2* b - - 0 25",
    ),
    ("amazons8", "2q2q2/8/q6q/8/8/Q6Q/8/2Q2Q2 w - - 0 1"),
    ("amazons6", "1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1"),
    ("amazons6", "3q2/6/Q3*q/q2*1Q/6/2Q3 b - - 0 2"),
];

/// Searches all positions with one thread, an empty tree each, and prints a line for each; then `N nodes P nps`.
/// Ends early, without the last line, if `control` is stopped.
pub fn run(output: &Output, depth: u32, control: &Control) {
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for (name, fen) in POSITIONS {
        let found = variant::find(name).map_err(|error| error.to_string()).and_then(|variant| {
            let settings = Settings { hash: HASH, ..Settings::default() };
            let mut engine = engine_for(variant, Judge::Evaluation, settings).map_err(|error| error.to_string())?;
            engine.set_position(fen, &[]).map_err(|error| error.to_string())?;
            let go = Go { depth: Some(depth), nodes: Some(MOST_NODES), ..Go::default() };
            let order = Order { go: &go, control, dialect: Dialect::Uci, show_wdl: false, overhead: Duration::ZERO };
            Ok(engine.search(&order, &mut |_| ()))
        });
        match found {
            _ if control.stopped() => return output.remark("bench: stopped"),
            Ok(found) => {
                output.line(&format!("{name} {fen}: {} nodes, {}", found.nodes, found.best_move));
                nodes += found.nodes;
                time += found.time;
            }
            Err(error) => output.error(&error),
        }
    }
    output.line(&format!("{nodes} nodes {} nps", (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64));
}
