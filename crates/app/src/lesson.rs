//! What the engine learns of a rule set before its games are judged.

use crate::partial::Partial;
use anyhow::{Context, Result};
use clap::Args;
use hippolyta::engine::Control;
use hippolyta::eval::Weights;
use hippolyta::eval::general::group;
use hippolyta::eval::weights::{Tables, WeightsError};
use hippolyta::files::make_folder;
use hippolyta::games::general::Stuck;
use hippolyta::games::variant::{Family, UnknownVariant, Variant, find};
use hippolyta_lab::options::read;
use hippolyta_lab::training::FitError;
use hippolyta_lab::training::learn::{LearnError, Learning, Settings, Sharing, Start};
use hippolyta_research::quality::Plan;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
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

/// Tables of weights and their notes, as a task sends them.
pub(super) type Sent = (String, Vec<(String, Vec<i32>)>);

/// What weights have otherwise than they are built in.
pub(super) fn sent(weights: &Weights) -> Sent {
    let built_in: HashMap<_, _> = Weights::embedded().tables().tables.into_iter().collect();
    let Tables { notes, mut tables } = weights.tables();
    tables.retain(|(name, table)| built_in.get(name) != Some(table));
    (notes, tables)
}

/// The built-in weights with what was sent in place of their own.
pub(super) fn received((notes, tables): Sent) -> Result<Weights, WeightsError> {
    Weights::embedded().with_tables(&Tables { notes, tables })
}

/// How the engine learns a rule set, and all that the result depends on.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Lesson {
    rules: String,
    /// Where games begin, if not where the rules say.
    fen: Option<String>,
    games: u64,
    nodes: u64,
    seed: u64,
    begin: Sent,
}

impl Lesson {
    /// For the games of a plan, beginning with the weights of a rule set that is near. `None` where nothing is learned: it
    /// was not asked for, is `known`, or nobody can win.
    pub fn new<const USUAL: u64>(
        teaching: &Teaching<USUAL>,
        plan: &Plan,
        known: &Weights,
        near: Option<(Variant, &Weights)>,
    ) -> Option<Self> {
        let variant = &plan.variant;
        let Family::General(rules) = variant.family() else { return None };
        if teaching.learn == 0 || is_known(known, variant) || rules.stuck == Stuck::Draws {
            return None;
        }
        let mut begun = Weights::embedded().with_own(variant);
        if let Some((Family::General(near), weights)) = near.map(|(near, weights)| (near.family(), weights))
            && let Some(own) = weights.own.get(&group(&near))
        {
            begun.own.insert(group(&rules), own.clone());
        }
        Some(Self {
            rules: variant.text(),
            fen: Some(plan.start.fen()).filter(|fen| fen != variant.start()),
            games: teaching.learn,
            nodes: plan.nodes.last().copied().unwrap_or(1),
            seed: plan.seed,
            begin: sent(&begun),
        })
    }

    /// The rule set.
    pub fn variant(&self) -> Result<Variant, UnknownVariant> {
        find(&self.rules)
    }

    /// Learns in a folder, in which it goes on with what is there, and removes it. `None` if the games teach nothing.
    pub fn learn(&self, folder: &Path, control: &Control, pool: &rayon::ThreadPool) -> Result<Option<Sent>> {
        make_folder(folder).with_context(|| folder.display().to_string())?;
        let (begin, run) = (folder.join("begin.bin"), folder.join("run"));
        write(&begin, &self.begin)?;
        let words = format!(
            "--generations=1 --gate-games=4 --keep=window --calibration-games=0 --games={} --nodes={} --seed={}",
            self.games, self.nodes, self.seed
        );
        let settings: Settings = read(&words.split(' ').collect::<Vec<_>>())?;
        let start = Start::named(&begin.display().to_string())?;
        let settings = settings.of(&self.variant()?, self.fen.clone(), start, None);
        let learning = Learning::begin(&run, settings, Sharing::Alone)?;
        let learned = match pool.install(|| learning.run_all(control, &|_| ())) {
            Err(LearnError::Fit(FitError::Few { .. })) => None,
            done => {
                done?;
                let learned = Weights::load(&run.join("weights.bin"))?;
                Some(sent(&learned))
            }
        };
        drop(learning);
        let _ = fs::remove_dir_all(folder);
        Ok(learned)
    }

    /// What a file has of it, or else learns it, beside that file, and keeps it there.
    pub fn kept_or_learned(
        &self,
        known: &Arc<Weights>,
        file: &Path,
        partial: &Partial<'_>,
        pool: &rayon::ThreadPool,
    ) -> Result<Arc<Weights>> {
        if file.exists() {
            return kept(file);
        }
        let learned = self.learn(&file.with_extension("learning"), &partial.control, pool);
        self.keep(partial.unless_stopped(learned)?, known, file)
    }

    /// Keeps in a file what was learned. Where games taught nothing, as they are too few or too short, it says so, and
    /// gives what was `known`.
    pub fn keep(&self, learned: Option<Sent>, known: &Arc<Weights>, file: &Path) -> Result<Arc<Weights>> {
        let Some(learned) = learned else {
            let variant = self.variant()?;
            let name = variant.own().map_or(variant.name(), |own| &own.title);
            crate::complain(&format!("{name}: nothing was learned, as its games are too few or too short"));
            return Ok(known.clone());
        };
        write(file, &learned)?;
        kept(file)
    }
}

/// Weights that were kept in a file.
fn kept(file: &Path) -> Result<Arc<Weights>> {
    Weights::load(file).with_context(|| file.display().to_string())
}

fn write(path: &Path, (notes, tables): &Sent) -> Result<()> {
    let tables = Tables { notes: notes.clone(), tables: tables.clone() };
    tables.save(path).with_context(|| path.display().to_string())
}
