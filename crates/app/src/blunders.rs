use crate::partial::Kept;
use crate::signals::{INTERRUPTED, or_end};
use crate::{NameOfRuleSet, RuleSetArgs, Threads, print_line, progress, rule_sets};
use anyhow::{Context, Result, bail, ensure};
use clap::{Args, Subcommand};
use hippolyta::files::{self, read_file};
use hippolyta::games::variant::Family;
use hippolyta_lab::arena::EngineSpec;
use hippolyta_lab::differences::described;
use hippolyta_lab::options::many;
use hippolyta_research::blunders::{Decided, Half, Level, Plan, Positions, Row, Trial, choices, collect, rows};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Measure how often an engine throws away a result that is proven
#[derive(Debug, Args)]
#[command(after_help = "\
A blunder is a turn after which its player does not win any more where a win was proven, or loses where a draw was. The
measure needs no opponent, and its limit is 0.

Examples:
  hippolyta blunders make --variant amazons6 --count 300 --out amazons6.jsonl
  hippolyta blunders test amazons6.jsonl --nodes 1000,10000
  hippolyta blunders test amazons6.jsonl --movetime 10 --engine cmd=self --engine cmd=./other --threads 1")]
pub(super) struct Blunders {
    #[command(subcommand)]
    command: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Make(Box<Make>),
    Test(Test),
}

impl Blunders {
    pub(super) fn run(&self) -> Result<()> {
        match &self.command {
            Action::Make(command) => command.run(),
            Action::Test(command) => command.run(),
        }
    }
}

/// The largest file of positions.
const LARGEST: u64 = 64 << 20;

/// Collect positions whose result is proven, and write them as a file
#[derive(Debug, Args)]
#[command(after_help = "\
The engine plays games with itself, and from the end of each it goes back as far as it can prove the result. Positions
in which the side to move wins, or draws and does not win, are kept if counting alone does not tell the result and some
turn throws it away. In Damone positions are drawn from endgame tables of four pieces instead, which it makes first.

The file has a JSON object in each line: first the options, then variant, fen, result (win or draw) and half: tuning,
or apart, which is for measuring alone. Positions of one game are in the same half. 'cat' joins files.

Each game depends on the options and its number alone, so the same options give the same file on every machine. While
the run goes on, its positions are kept in a file beside that of --out, with '.partial' behind its name. Ctrl-C ends the
run; --resume goes on with it.

Examples:
  hippolyta blunders make --variant iago --count 200 --out iago.jsonl
  hippolyta blunders make --variant amazons --from 26 --effort 1000000 --count 100 --out amazons.jsonl")]
struct Make {
    #[arg(help = rule_sets())]
    #[arg(long, value_parser = NameOfRuleSet, hide_possible_values = true)]
    variant: Option<String>,
    /// Position in which games begin [default: the start position of the rule set]
    #[arg(long)]
    fen: Option<String>,
    /// Positions to collect
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    count: u64,
    #[command(flatten)]
    plan: Plan,
    #[command(flatten)]
    kept: Kept,
}

/// A line of an unfinished run but the first: a game.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Found {
    number: u64,
    positions: Vec<Decided>,
}

impl Make {
    fn run(&self) -> Result<()> {
        let rule_set = RuleSetArgs { variant: self.variant.clone(), rules: None };
        let board = rule_set.start(self.fen.as_deref())?;
        let drawn = matches!(board.variant().family(), Family::Damone(_));
        ensure!(!drawn || self.fen.is_none(), "--fen: positions of Damone are drawn from endgame tables");
        let plan = Plan { variant: board.variant().clone(), start: board.fen(), ..self.plan.clone() };
        let holds = |text: &str| {
            let Positions { positions, mut made } = Positions::read(text)?;
            Ok((positions.len(), made.pop()))
        };
        let asked = (self.count as usize, "positions");
        let Some((partial, known)) = self.kept.open::<Found>(asked, holds, &plan)? else { return Ok(()) };
        let known: HashMap<_, _> = known.into_iter().map(|found| (found.number, found.positions)).collect();
        let bar = progress(self.count, "{wide_bar} {pos}/{len} positions {elapsed} (eta {eta})");
        bar.inc(known.values().map(|positions| positions.len() as u64).sum());
        let tell = |number, positions: &[Decided]| {
            partial.keep(&Found { number, positions: positions.to_vec() });
            bar.inc(positions.len() as u64);
        };
        let count = self.count as usize;
        let found = self.kept.threads.pool()?.install(|| collect(&plan, count, &known, &partial.control, &tell));
        bar.finish_and_clear();
        let found = partial.whole(found?)?;
        partial.finish(&Positions { positions: found, made: vec![described(&plan)] }.text())
    }
}

/// How often engines throw away results that are proven
#[derive(Debug, Args)]
#[command(after_help = "\
A row is a group of positions, what was to be kept, and an engine with what it had for a turn. It shows the positions at
which its turn was proven, the blunders, their share with its interval of 95 %, and the positions at which the
turn took more than --effort to prove. At each position the engines take turns, so that a busy machine is the same for
all of them. Times are for one core each: --threads tells how many positions are tried at once.

Examples:
  hippolyta blunders test
  hippolyta blunders test --half tuning --group amazons,amazons8 --nodes 1000
  hippolyta blunders test positions.jsonl --movetime 10,100 --engine cmd=self --engine cmd=./other --threads 1 --json")]
struct Test {
    /// Files of positions [default: those that the program brings with it]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Only this half: tuning or apart
    #[arg(long, value_name = "HALF", value_parser = half)]
    half: Option<Half>,
    /// Only these groups, separated by commas: a rule set, or a rule set and a size, such as amazons-5x6
    #[arg(long, value_delimiter = ',')]
    group: Vec<String>,
    /// Nodes for a turn, separated by commas [default: 1000,10000 if no --movetime is given]
    #[arg(long, value_delimiter = ',', value_parser = many())]
    nodes: Vec<u64>,
    /// Milliseconds for a turn, separated by commas
    #[arg(long, value_delimiter = ',', value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    movetime: Vec<u64>,
    /// An engine, as for match: cmd=PROGRAM name=NAME option.NAME=VALUE; may be given several times [default: cmd=self]
    #[arg(long, value_name = "WORDS", num_args = 1..)]
    engine: Vec<String>,
    /// Positions that the proof of one turn may take
    #[arg(long, default_value_t = 5_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    effort: u64,
    /// Play each position to its end: it is a blunder if any turn throws the result away. The other side is the
    /// built-in engine with 10,000 nodes for a turn
    #[arg(long)]
    to_the_end: bool,
    #[command(flatten)]
    threads: Threads,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

fn half(text: &str) -> Result<Half, String> {
    match text {
        "tuning" => Ok(Half::Tuning),
        "apart" => Ok(Half::Apart),
        _ => Err("it is tuning or apart".to_owned()),
    }
}

impl Test {
    fn run(&self) -> Result<()> {
        let positions = self.positions()?;
        let engines = self.engines()?;
        let nodes = if self.nodes.is_empty() && self.movetime.is_empty() { &[1_000, 10_000] } else { &self.nodes[..] };
        let times = self.movetime.iter().map(|&ms| Level::MoveTime(ms));
        let levels: Vec<Level> = nodes.iter().map(|&nodes| Level::Nodes(nodes)).chain(times).collect();
        let stop: Arc<AtomicBool> = Arc::default();
        let reins = stop.clone();
        or_end(INTERRUPTED.to_owned(), move || reins.store(true, Ordering::Relaxed))?;
        let bar = progress(positions.len() as u64, "{wide_bar} {pos}/{len} positions {elapsed} (eta {eta})");
        let done = || bar.inc(1);
        let pool = self.threads.pool()?;
        let trial = Trial { effort: self.effort, to_the_end: self.to_the_end };
        let found = pool.install(|| choices(&positions, &engines, &levels, trial, &stop, &done));
        bar.finish_and_clear();
        let Some(found) = found? else { bail!(INTERRUPTED) };
        let rows = rows(&positions, &engines, &levels, &found);
        if self.json {
            let row = |row: &Row| {
                let mut shown = json!(row);
                shown["rate"] = json!(row.rate());
                shown["interval"] = json!(row.interval());
                shown
            };
            print_line(&json!({"rows": rows.iter().map(row).collect::<Vec<_>>()}).to_string());
            return Ok(());
        }
        let name = |row: &Row| {
            if engines.len() > 1 { format!("{}, {}", row.engine, row.level) } else { row.level.to_string() }
        };
        let width = rows.iter().map(|row| name(row).chars().count()).max().unwrap_or(0).max(5);
        print_line(&format!(
            "{:<22} {:<6} {:<width$} {:>9} {:>8} {:>21} {:>8}",
            "group", "result", "level", "positions", "blunders", "rate", "unproven"
        ));
        for row in &rows {
            let result = json!(row.result);
            let [low, high] = row.interval().map(|share| 100.0 * share);
            let rate = format!("{:.1} % ({low:.1} to {high:.1})", 100.0 * row.rate());
            print_line(&format!(
                "{:<22} {:<6} {:<width$} {:>9} {:>8} {rate:>21} {:>8}",
                row.group,
                result.as_str().unwrap_or_default(),
                name(row),
                row.positions,
                row.blunders,
                row.unproven,
            ));
        }
        Ok(())
    }

    fn positions(&self) -> Result<Vec<Decided>> {
        let mut known = Vec::new();
        if self.files.is_empty() {
            known.extend(Positions::read(hippolyta_research::blunders::BUILT_IN)?.positions);
        }
        for path in &self.files {
            let name = || path.display().to_string();
            let text = read_file(path, LARGEST).and_then(files::text).with_context(name)?;
            known.extend(Positions::read(&text).with_context(name)?.positions);
        }
        let mut groups: Vec<String> = known.iter().map(Decided::group).collect();
        groups.sort();
        groups.dedup();
        for wanted in &self.group {
            let is_known = groups.iter().any(|group| group.eq_ignore_ascii_case(wanted));
            ensure!(is_known, "--group: there is no group '{wanted}': known are {}", groups.join(", "));
        }
        known.retain(|position| {
            let is_in = |group: String| self.group.iter().any(|wanted| wanted.eq_ignore_ascii_case(&group));
            self.half.is_none_or(|half| half == position.half) && (self.group.is_empty() || is_in(position.group()))
        });
        ensure!(!known.is_empty(), "there is no position");
        // Engines are started for one rule set after the other.
        known.sort_by(|one, other| one.variant.cmp(&other.variant));
        Ok(known)
    }

    fn engines(&self) -> Result<Vec<EngineSpec>> {
        // Each engine begins with its command.
        let mut words: Vec<Vec<String>> = Vec::new();
        for word in &self.engine {
            if word.starts_with("cmd=") || words.is_empty() {
                words.push(Vec::new());
            }
            words.last_mut().into_iter().for_each(|words| words.push(word.clone()));
        }
        if words.is_empty() {
            words.push(vec!["cmd=self".to_owned()]);
        }
        // Each has its limit by level; the words must name one.
        let each = ["nodes=1".to_owned()];
        let engines: Vec<EngineSpec> =
            words.iter().map(|own| EngineSpec::parse(&each, own)).collect::<Result<_, _>>().context("--engine")?;
        for (number, engine) in engines.iter().enumerate() {
            let name = &engine.name;
            ensure!(
                engines[..number].iter().all(|other| other.name != *name),
                "--engine: two engines are called '{name}': name=… gives one another name"
            );
        }
        Ok(engines)
    }
}
