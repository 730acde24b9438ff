//! What the engine learns of a rule set before its games are judged.

use crate::signals::go_on;
use anyhow::{Context, Result, bail};
use clap::Args;
use hippolyta::engine::Control;
use hippolyta::eval::Weights;
use hippolyta::eval::general::group;
use hippolyta::files::{make_folder, write_whole};
use hippolyta::games::general::{Rules, Stuck};
use hippolyta::games::variant::{Family, Variant};
use hippolyta_lab::options::read;
use hippolyta_lab::training::FitError;
use hippolyta_lab::training::learn::{LearnError, Learning, Settings, Sharing, Start};
use hippolyta_research::quality::Plan;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// What the engine learns before its games are judged.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct Teaching<const USUAL: u64> {
    /// Games from which the engine learns first where nothing was learned for the rules, of as many nodes a turn as
    /// those of the greatest strength; 0: it learns nothing
    #[arg(long, value_name = "GAMES", default_value_t = USUAL, value_parser = games_to_learn_from)]
    pub learn: u64,
}

fn games_to_learn_from(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|games| *games == 0 || (40..=1_000_000).contains(games));
    number.ok_or_else(|| "0, or a number of games from 40 to 1000000 is expected".to_owned())
}

/// Whether weights have what was learned for a rule set.
pub(super) fn is_known(weights: &Weights, variant: &Variant) -> bool {
    match &variant.family() {
        Family::General(rules) => weights.own.contains_key(&group(rules)),
        _ => true,
    }
}

/// How the engine learns a rule set.
pub(super) struct Lesson<'a> {
    games: u64,
    nodes: u64,
    seed: u64,
    control: &'a Control,
}

impl<'a> Lesson<'a> {
    /// For the games of a plan.
    pub fn new<const USUAL: u64>(teaching: &Teaching<USUAL>, plan: &Plan, control: &'a Control) -> Self {
        Self { games: teaching.learn, nodes: plan.nodes.last().copied().unwrap_or(1), seed: plan.seed, control }
    }

    /// Weights for the rule set of a plan: those that are `known` if they are for it, else learned, beginning with those of
    /// a rule set that is near, and kept in a file. If that is there, nothing is learned; the work goes on in a folder
    /// beside it. Where games teach nothing, as they are too few or too short, it says so.
    pub fn learn(
        &self,
        plan: &Plan,
        known: &Arc<Weights>,
        near: Option<(Variant, &Weights)>,
        file: &Path,
        pool: &rayon::ThreadPool,
    ) -> Result<Arc<Weights>> {
        let (variant, at) = (&plan.variant, |path: &Path| path.display().to_string());
        let Family::General(rules) = variant.family() else { return Ok(known.clone()) };
        // Where nobody can win, there is nothing to learn.
        if self.games == 0 || is_known(known, variant) || rules.stuck == Stuck::Draws {
            return Ok(known.clone());
        }
        if !file.exists() {
            let folder = file.with_extension("learning");
            make_folder(&folder).with_context(|| at(&folder))?;
            let mut begun = Weights::embedded().with_own(variant);
            if let Some((Family::General(near), weights)) = near.map(|(near, weights)| (near.family(), weights))
                && let Some(own) = weights.own.get(&group(&near))
            {
                begun.own.insert(group(&rules), own.clone());
            }
            let (begin, run) = (folder.join("begin.bin"), folder.join("run"));
            write_own(&begun, &begin)?;
            let words = format!(
                "--generations=1 --gate-games=4 --keep=window --calibration-games=0 --games={} --nodes={} --seed={}",
                self.games, self.nodes, self.seed
            );
            let settings: Settings = read(&words.split(' ').collect::<Vec<_>>())?;
            let fen = Some(plan.start.fen()).filter(|fen| fen != variant.start());
            let learning =
                Learning::begin(&run, settings.of(variant, fen, Start::named(&at(&begin))?, None), Sharing::Alone)?;
            match pool.install(|| learning.run_all(self.control, &|_| ())) {
                Err(_) if self.control.stopped() => bail!(go_on(true)),
                Err(LearnError::Fit(FitError::Few { .. })) => {
                    let name = variant.own().map_or(variant.name(), |own| &own.title);
                    crate::complain(&format!("{name}: nothing was learned, as its games are too few or too short"));
                    return Ok(known.clone());
                }
                done => done?,
            }
            let learned = Weights::load(&run.join("weights.bin"))?;
            write_own(&learned, file)?;
            drop(learning);
            let _ = fs::remove_dir_all(&folder);
        }
        Weights::load(file).with_context(|| at(file))
    }
}

/// Writes what weights have for rules of one's own.
fn write_own(weights: &Weights, path: &Path) -> Result<()> {
    let mut tables = weights.tables();
    tables.tables.retain(|(name, _)| name.starts_with(&group(&Rules::AMAZONS)));
    write_whole(path, &tables.to_bytes()).with_context(|| path.display().to_string())
}
