//! The fixed searches of [`engine::bench`](mod@hippolyta::engine::bench) as text.

use super::go::Dialect;
use super::info::Style;
use super::output::Output;
use hippolyta::engine::bench;
use hippolyta::search::Control;
use std::time::Duration;

/// Prints a line for each of the fixed searches; then `N nodes P nps`. Ends early, without the last line, if `control`
/// is stopped.
pub fn run(output: &Output, depth: u32, control: &Control) {
    let style = Style { dialect: Dialect::Uci, show_wdl: false };
    let (mut nodes, mut time) = (0, Duration::ZERO);
    let all = bench::run(depth, control, &mut |searched| match searched {
        Ok(bench::Searched { variant, fen, analysis }) => {
            output.line(&format!("{variant} {fen}: {} nodes, {}", analysis.nodes, style.best_move(&analysis)));
            nodes += analysis.nodes;
            time += analysis.time;
        }
        Err(error) => output.error(&error.to_string()),
    });
    if all {
        output.line(&format!("{nodes} nodes {} nps", (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64));
    } else {
        output.remark("bench: stopped");
    }
}
