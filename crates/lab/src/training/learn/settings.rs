//! The settings of a run: all that its results depend on. `learn.json` holds them.

use super::error::LearnError;
use crate::arena::statistics::{Model, Sprt};
use crate::calibration::Plan;
use crate::differences::{change, described, difference};
use crate::folder::Kind;
use crate::options::{many, up_to};
use crate::seeds;
use crate::training::fit::options::FitOptions;
use crate::training::selfplay::Options;
use clap::builder::ArgPredicate;
use clap::{Args, ValueEnum, value_parser};
use hippolyta::engine::Board;
use hippolyta::games::variant::{self, Variant};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::SplitMix64;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ops::Range;
use std::path::Path;

/// The run of `hippolyta learn`.
pub(super) const KIND: Kind =
    Kind { settings: "learn.json", begun_by: "--generations, --games and --nodes", shared: true, trace: None };

/// The name and the version of this program.
pub(super) fn program() -> String {
    concat!("hippolyta ", env!("CARGO_PKG_VERSION")).to_owned()
}

/// Which games stay once nothing needs them any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Keep {
    /// All files.
    All,
    /// The games of each generation in one file; not the shards.
    Games,
    /// The games that later generations are fitted to, and no others.
    Window,
}

/// The weights that a run begins with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    /// `built-in`, `bootstrap` or the path of a file.
    pub name: String,
    /// CRC-32 of the weights as a file.
    pub crc32: u32,
}

/// The test of the gate where nothing was said.
const GATE: Sprt = Sprt { elo0: 0.0, elo1: 20.0, alpha: 0.05, beta: 0.05, model: Model::Logistic };

/// The settings of a run. Each field is an option of `hippolyta learn`, in `learn.json` by its name there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Args)]
#[serde(rename_all = "kebab-case")]
#[command(mut_arg("nodes", |arg| arg.hide_default_value(true)))]
#[command(mut_arg("inner_every", |arg| {
    let arg = arg.hide_default_value(true).default_value_if("inner_visits", ArgPredicate::IsPresent, "1");
    arg.help("Learn from one of N recorded positions of the search's trees as well; 0 learns from none [default: 0, \
              or 1 with --inner-visits]")
}))]
pub struct Settings {
    /// Name and version of the program: another one may play in another way.
    #[arg(skip = program())]
    pub program: String,
    /// Rule set.
    #[arg(skip)]
    pub variant: String,
    /// The FEN that games begin at; `None` is the rule set's start position.
    #[arg(skip)]
    pub fen: Option<String>,
    /// Number of generations. It alone may grow later.
    #[arg(long, required = false, value_name = "N", value_parser = up_to(10_000))]
    pub generations: u64,
    /// Games of self-play in a generation.
    #[arg(long, required = false, value_name = "N", value_parser = many())]
    pub games: u64,
    /// Evaluated positions a turn in these games.
    #[arg(skip)]
    pub nodes: u64,
    /// Seed of the whole run.
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// The weights that the first generation plays with.
    #[arg(skip)]
    pub start: Start,
    /// Games of a task of self-play; the last ones may have one less.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = up_to(1_000_000))]
    pub shard_size: u64,
    /// The other options of self-play.
    #[command(flatten)]
    pub selfplay: Options,
    /// Fit weights to the games of the newest N generations.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = up_to(10_000))]
    pub window: u64,
    /// The options of the fit.
    #[command(flatten)]
    pub fit: FitOptions,
    /// The most pairs of games in the gate, the match of the new weights against those before.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = up_to(1_000_000))]
    pub gate_games: u64,
    /// Evaluated positions a turn in the gate; 0 for those of --nodes.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = value_parser!(u64).range(..=1_000_000_000))]
    pub gate_nodes: u64,
    /// Random turns before the gate's games, balanced by a short search.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = value_parser!(u32).range(1..=200))]
    pub gate_opening_turns: u32,
    /// Pairs of games of a task of the gate.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = up_to(1_000_000))]
    pub gate_shard_size: u64,
    /// The test that may end the gate early.
    #[arg(skip = GATE)]
    pub sprt: Sprt,
    /// Games that stay: all files, those of each generation in one file ('games'), or only those that later generations
    /// are fitted to ('window').
    #[arg(long, value_enum, default_value_t = Keep::Games, hide_possible_values = true)]
    pub keep: Keep,
    /// Games of 20,000 nodes a turn that the percentages shown are fitted to at the end; 0 fits none [default: a tenth
    /// of --games, 200 at most, of so many nodes that they cost no more than self-play; none if that is less than 20
    /// games, or 1,000 nodes].
    #[serde(default)]
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(..=1_000_000))]
    pub calibration_games: Option<u64>,
}

/// Games that percentages are fitted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Calibrating {
    /// How many.
    pub games: u64,
    /// Evaluated positions for a turn.
    pub nodes: u64,
}

/// The least that says something of the searches that people look at, unless games are asked for.
const LEAST_CALIBRATING: Calibrating = Calibrating { games: 20, nodes: 1_000 };
/// The most games that are not asked for: more take too long.
const MOST_CALIBRATING: u64 = 200;
/// The cost of such a game's turn, in turns of self-play with as many nodes: its position is looked at by other
/// searches as well, and the game goes on until a small search has proven its result.
const CALIBRATION_COST: u64 = 3;

impl Settings {
    /// These options for games of a rule set from a position, with weights to begin with and, if another one is asked
    /// for, a test of the gate.
    #[must_use]
    pub fn of(self, variant: &Variant, fen: Option<String>, start: Start, sprt: Option<Sprt>) -> Self {
        let (nodes, mut fit) = (self.selfplay.nodes, self.fit);
        let gate_nodes = if self.gate_nodes == 0 { nodes } else { self.gate_nodes };
        // Of positions that are not recorded nothing is learned.
        if self.selfplay.inner_visits == 0 {
            fit.inner_every = 0;
        }
        let sprt = sprt.unwrap_or(self.sprt);
        Self { variant: variant.text(), fen, start, nodes, gate_nodes, fit, sprt, ..self }
    }

    /// Refuses what makes no sense. The board on which games begin.
    pub(super) fn check(&self) -> Result<Board, LearnError> {
        let least = [
            ("--generations", self.generations),
            ("--games", self.games),
            ("--nodes", self.nodes),
            ("--shard-size", self.shard_size),
            ("--window", self.window),
            ("--gate-games", self.gate_games),
            ("--gate-nodes", self.gate_nodes),
            ("--gate-shard-size", self.gate_shard_size),
        ];
        if let Some((option, _)) = least.into_iter().find(|(_, number)| *number == 0) {
            return Err(LearnError::Unfit(format!("{option} must be at least 1")));
        }
        let board = Board::from_fen(&self.variant()?, &self.start_fen()?)?;
        if board.outcome().is_some() {
            return Err(LearnError::Unfit("--fen: the game is over there".to_owned()));
        }
        Ok(board)
    }

    /// The rule set.
    pub(super) fn variant(&self) -> Result<Variant, LearnError> {
        Ok(variant::find(&self.variant)?)
    }

    /// Where games begin.
    pub(super) fn start_fen(&self) -> Result<String, LearnError> {
        Ok(match &self.fen {
            Some(fen) => fen.clone(),
            None => self.variant()?.start().to_owned(),
        })
    }

    /// The options of self-play.
    pub(super) fn selfplay(&self) -> Options {
        Options { nodes: self.nodes, ..self.selfplay.clone() }
    }

    /// The games that the percentages shown are fitted to at the end.
    pub(super) fn calibration(&self) -> Calibrating {
        let usual = Plan::default().nodes;
        if let Some(games) = self.calibration_games {
            return Calibrating { games, nodes: usual };
        }
        let affordable = self.generations.saturating_mul(self.games).saturating_mul(self.nodes) / CALIBRATION_COST;
        let games = (self.games / 10).min(MOST_CALIBRATING).min(affordable / LEAST_CALIBRATING.nodes);
        if games < LEAST_CALIBRATING.games {
            return Calibrating { games: 0, nodes: 0 };
        }
        Calibrating { games, nodes: (affordable / games).min(usual) }
    }

    /// Games of a task of these. The more there are, the larger it is: some fifty tasks are enough to share.
    fn calibration_shard_size(&self) -> u64 {
        self.calibration().games.div_ceil(50).max(4)
    }

    /// Number of tasks of these games.
    pub(super) fn calibration_shards(&self) -> u64 {
        self.calibration().games.div_ceil(self.calibration_shard_size())
    }

    /// The numbers of the games of such a task.
    pub(super) fn calibration_games_of(&self, shard: u64) -> Range<u64> {
        let size = self.calibration_shard_size();
        shard * size..((shard + 1) * size).min(self.calibration().games)
    }

    /// Number of tasks of self-play in a generation.
    pub fn shards(&self) -> u64 {
        self.games.div_ceil(self.shard_size)
    }

    /// Number of tasks of the gate, if it does not end early.
    pub fn gate_shards(&self) -> u64 {
        self.gate_games.div_ceil(self.gate_shard_size)
    }

    /// A seed for one generation, and for one `purpose`.
    pub(super) fn seed_of(&self, generation: u64, purpose: u64) -> u64 {
        let mixed = seeds::of(self.seed, 2 * generation + purpose);
        SplitMix64::seed_from_u64(mixed).random::<u64>() >> 1
    }

    /// Reads the settings of the run in `folder`.
    pub(super) fn load(folder: &Path) -> Result<Self, LearnError> {
        let settings: Self = KIND.settings(folder)?;
        settings.check()?;
        Ok(settings)
    }

    /// The differences from these settings to `new`, each as `--games 24 → 12`. More generations are none.
    pub(super) fn differences(&self, new: &Self) -> Vec<String> {
        let mut grown = self.clone();
        grown.generations = self.generations.max(new.generations);
        let [old, new] = [&grown, new].map(described);
        let mut found = Vec::new();
        compare("", &old, &new, &mut found);
        found
    }
}

/// Adds what differs between two values called `name`.
fn compare(name: &str, old: &Value, new: &Value, found: &mut Vec<String>) {
    if let (Some(olds), Some(news)) = (old.as_object(), new.as_object()) {
        for (field, new) in news {
            let field_name = match name {
                "" | "selfplay" | "fit" if field != "seed" || name.is_empty() => field.clone(),
                name => format!("{name} {field}"),
            };
            compare(&field_name, olds.get(field).unwrap_or(&Value::Null), new, found);
        }
    } else if old != new {
        let difference = if name == "program" { change(name, old, new) } else { difference(name, old, new) };
        // The nodes stand in two places.
        if !found.contains(&difference) {
            found.push(difference);
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::options::read;

    pub fn quick() -> Settings {
        let start = Start { name: "bootstrap".to_owned(), crc32: 7 };
        let words = "--generations 2 --games 120 --nodes 30 --gate-games 20";
        let given: Settings = read(&words.split(' ').collect::<Vec<_>>()).unwrap();
        given.of(&variant::find("amazons6").unwrap(), None, start, None)
    }

    #[test]
    fn settings_are_read_as_they_were_written_and_differences_are_options() {
        let settings = quick();
        let text = serde_json::to_string(&settings).unwrap();
        assert_eq!(serde_json::from_str::<Settings>(&text).unwrap(), settings);
        let mut other = Settings { generations: 5, ..quick() };
        assert_eq!(settings.differences(&other), [""; 0]);
        assert_eq!(other.differences(&settings), ["--generations 5 → 2"]);
        other.fit.epochs = 9;
        other.selfplay.noise = 0.25;
        other.fen = Some("q3/4/4/3Q w - - 0 1".to_owned());
        other.sprt.elo1 = 50.0;
        other.keep = Keep::All;
        let mut found = settings.differences(&other);
        found.sort();
        let expected = [
            "--epochs 4 → 9",
            "--fen none → q3/4/4/3Q w - - 0 1",
            "--keep games → all",
            "--noise 0.5 → 0.25",
            "--sprt elo1 20.0 → 50.0",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn percentages_cost_no_more_than_self_play_and_rest_on_enough_or_on_nothing() {
        let of = |generations, games, nodes| Settings { generations, games, nodes, ..quick() }.calibration();
        for generations in [1, 3, 40] {
            for games in [1, 20, 199, 200, 3_000, 1_000_000_000] {
                for nodes in [1, 10, 100, 800, 1_000_000_000] {
                    let Calibrating { games: chosen, nodes: each } = of(generations, games, nodes);
                    let cost = u128::from(CALIBRATION_COST * chosen * each);
                    assert!(
                        cost <= u128::from(generations * games) * u128::from(nodes),
                        "{generations} {games} {nodes}"
                    );
                    assert!(chosen == 0 || (20..=200).contains(&chosen) && (1_000..=20_000).contains(&each));
                }
            }
        }
        assert_eq!(of(1, 200, 10), Calibrating { games: 0, nodes: 0 });
        assert_eq!(of(3, 200, 100), Calibrating { games: 20, nodes: 1_000 });
        assert_eq!(of(4, 3_000, 400), Calibrating { games: 200, nodes: 8_000 });
        assert_eq!(of(2, 30_000, 500), Calibrating { games: 200, nodes: 20_000 });
        // What is asked for is played.
        let asked = Settings { calibration_games: Some(9), ..quick() };
        assert_eq!(asked.calibration(), Calibrating { games: 9, nodes: 20_000 });
        let shards: Vec<_> = (0..asked.calibration_shards()).map(|shard| asked.calibration_games_of(shard)).collect();
        assert_eq!(shards, [0..4, 4..8, 8..9]);
    }

    #[test]
    fn seeds_differ_by_generation_and_purpose() {
        let settings = quick();
        let mut seeds: Vec<_> = (1..50).flat_map(|g| [0, 1].map(|purpose| settings.seed_of(g, purpose))).collect();
        seeds.extend((1..50).map(|g| Settings { seed: 1, ..quick() }.seed_of(g, 0)));
        let count = seeds.len();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), count);
    }
}
