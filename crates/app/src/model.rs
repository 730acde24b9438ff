//! Weights and tables in place of those that are built in.

use anyhow::{Context, Result};
use clap::Args;
use hippolyta::endgame::damone::Tables;
use hippolyta::engine::Model;
use hippolyta::eval::Weights;
use std::path::PathBuf;
use std::sync::Arc;

/// Files that a model is read from.
#[derive(Debug, Args)]
pub(super) struct Files {
    /// Weights from this file instead of those that are built in
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
    /// Endgame tables of Damone from this file
    #[arg(long, value_name = "FILE")]
    damone_tables: Option<PathBuf>,
}

/// A model from files, or playouts.
#[derive(Debug, Args)]
pub(super) struct Which {
    /// Evaluate positions by random games instead of weights: for comparisons
    #[arg(long, conflicts_with_all = ["eval_file", "damone_tables"])]
    playouts: bool,
    #[command(flatten)]
    files: Files,
}

impl Which {
    pub(super) fn load(&self) -> Result<Model> {
        if self.playouts { Ok(Model::Playouts) } else { self.files.load() }
    }
}

impl Files {
    pub(super) fn load(&self) -> Result<Model> {
        Ok(Model::Learned(self.weights()?))
    }

    pub(super) fn weights(&self) -> Result<Arc<Weights>> {
        let mut weights = match &self.eval_file {
            None => Weights::embedded(),
            Some(path) => Weights::load(path).with_context(|| format!("--eval-file: {}", path.display()))?,
        };
        if let Some(path) = &self.damone_tables {
            let tables = Tables::load(path).with_context(|| format!("--damone-tables: {}", path.display()))?;
            weights = weights.with_damone_tables(Some(tables.into()));
        }
        Ok(weights)
    }
}
