use crate::partial::Kept;
use crate::{RuleSetArgs, print_line, progress};
use anyhow::{Result, ensure};
use clap::Args;
use hippolyta_lab::differences::described;
use hippolyta_research::tuning::{Leaning, Pair, Plan, play};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Tune constants of the search by games, all at once
#[derive(Debug, Args)]
#[command(after_help = "\
Each pair of games moves every constant by a step up or down, at random, and plays against the same constants moved the
other way: SPSA, as fishtest has it. What is won moves the constants on. The table at the end tells, for each, where it
began and ended, and the share of points with the constant moved up, less that with it moved down, with its interval of
95 %. What comes out is a proposal, and a match at equal time decides: with the feature 'tuning' the engine has an option
Tune.NAME for each constant.

A step that costs two to five Elo where the constant is good is right. A pair of games depends on the options, its
number and the pairs before its batch, not on --threads. While the run goes on, its pairs are kept in a file beside that of
--out, with '.partial' behind its name. Ctrl-C ends the run; --resume goes on with it.

Example:
  hippolyta tune --constant c_puct=0.6,0.06 --constant final_share=0.2,0.03,0,1 --pairs 5000 --out tuned.json")]
pub(super) struct Tune {
    #[command(flatten)]
    rule_set: RuleSetArgs,
    #[command(flatten)]
    plan: Plan,
    #[command(flatten)]
    kept: Kept,
}

/// The result, as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tuned {
    made: Value,
    pairs: u64,
    constants: Vec<Leaning>,
}

impl Tune {
    pub(super) fn run(&self) -> Result<()> {
        let variant = self.rule_set.variant()?;
        let plan = Plan { variant, ..self.plan.clone() };
        ensure!(plan.rate > 0.0 && plan.rate.is_finite(), "--rate: a number above 0 is expected");
        let pairs = plan.pairs;
        let holds = |text: &str| {
            let tuned: Tuned = serde_json::from_str(text)?;
            Ok((tuned.pairs as usize, Some(tuned.made)))
        };
        let Some((partial, known)) = self.kept.open::<Pair>((pairs as usize, "pairs"), holds, &plan)? else {
            return Ok(());
        };
        let bar = progress(pairs, "{wide_bar} {pos}/{len} pairs {elapsed} (eta {eta})");
        bar.inc(known.len() as u64);
        let keep = |pair: Pair| {
            partial.keep(&pair);
            bar.inc(1);
        };
        let played = self.kept.threads.pool()?.install(|| play(&plan, known, &partial.control, &keep))?;
        bar.finish_and_clear();
        let tuned = Tuned { made: described(&plan), pairs, constants: plan.leanings(&played) };
        let lines = tuned.constants.iter().map(|Leaning { name, start, end, up, interval: [low, high] }| {
            let [up, low, high] = [up, low, high].map(|share| 100.0 * share);
            format!("{name:24} {start:9.4} -> {end:9.4}   up less down {up:+.2} % ({low:+.2} to {high:+.2})")
        });
        let table = lines.collect::<Vec<_>>().join("\n");
        if partial.control.stopped() {
            print_line(&table);
            return partial.whole(None);
        }
        partial.finish(&(serde_json::to_string_pretty(&tuned)? + "\n"))?;
        print_line(&table);
        Ok(())
    }
}
