//! The weights that belong to the program: a file for each group of rule sets, and one for all.

use super::{AMAZONS, BoardSize, Group, Tables, Weights, WeightsError, for_each_table, owner_and_part};
use crate::eval::calibration::Calibration;
use crate::eval::learned::Learned;
use crate::eval::{amazons, damone, desdemona};
use crate::host::{Part, part};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The learned weights of each group, by the name of its linear tables.
pub(super) const GROUPS: [(&str, Part); 10] = [
    (AMAZONS, part!("weights", "amazons.bin")),
    ("desdemona", part!("weights", "desdemona.bin")),
    ("cassio", part!("weights", "cassio.bin")),
    ("iago", part!("weights", "iago.bin")),
    ("early", part!("weights", "early.bin")),
    ("border", part!("weights", "border.bin")),
    ("damone", part!("weights", "damone.bin")),
    ("imperatore", part!("weights", "imperatore.bin")),
    ("amazons@6x6", part!("weights", "amazons-6x6.bin")),
    ("amazons@8x8", part!("weights", "amazons-8x8.bin")),
];

/// The notes, and how values are shown, of all rule sets: they are short, and wanted at once.
pub(super) const SHARED: &[u8] = include_bytes!("../shared.bin");

/// Gives the tables of a group to what it had learned before. A size of the Amazons has all tables of its own.
fn take<const FEATURES: usize, const CLASSES: usize, const STEP_FEATURES: usize>(
    group: &str,
    mut learned: Learned<FEATURES, CLASSES, STEP_FEATURES>,
) -> Learned<FEATURES, CLASSES, STEP_FEATURES> {
    if let Some((_, part)) = GROUPS.iter().find(|(name, _)| *name == group) {
        part.decoded(|bytes| {
            for_each_table(bytes, |name, table| {
                let (_, part) = owner_and_part(&name);
                learned.set(part, &table).map_err(|misfit| WeightsError::of(misfit, &name, &table))
            })
        });
    }
    learned
}

/// All weights, still undecoded.
pub(super) fn weights() -> Weights {
    // A test reads the file.
    let Tables { notes, tables } = Tables::from_bytes(SHARED).unwrap_or_default();
    let calibration = |(name, table): (String, Vec<i32>)| {
        let (owner, _) = owner_and_part(&name);
        Some((owner.to_owned(), Arc::new(Calibration::from_table(&table).ok()?)))
    };
    let sizes = GROUPS.iter().filter_map(|(name, _)| BoardSize::of_tables(name));
    Weights {
        amazons: Group::lazy(AMAZONS, |name| take(name, amazons::bootstrap())),
        amazons_sizes: sizes
            .map(|size| (size, Group::lazy(&size.tables(), |name| take(name, amazons::bootstrap()))))
            .collect::<BTreeMap<_, _>>(),
        desdemona: desdemona::GROUPS.map(|name| Group::lazy(name, |name| take(name, desdemona::bootstrap()))),
        damone: damone::GROUPS.map(|name| Group::lazy(name, |name| take(name, damone::bootstrap()))),
        own: BTreeMap::new(),
        calibrations: tables.into_iter().filter_map(calibration).collect(),
        notes,
        damone_tables: None,
        changed: BTreeSet::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::{Path, PathBuf};

    /// The file of a table's owner.
    fn file(table: &str) -> PathBuf {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/eval");
        let (owner, part) = owner_and_part(table);
        let group = GROUPS.iter().find(|(name, _)| *name == owner && part != super::super::CALIBRATION);
        folder.join(group.map_or("shared.bin", |(_, part)| part.name))
    }

    /// The tables with the weights learned on 10×10 as those of all sizes without weights of their own.
    fn shared(mut all: Tables) -> Tables {
        const LEARNED: &str = "amazons@10x10";
        let is_weights = |name: &str, of: &str| {
            let (owner, part) = owner_and_part(name);
            owner == of && part != super::super::CALIBRATION
        };
        if all.tables.iter().any(|(name, _)| is_weights(name, LEARNED)) {
            all.tables.retain(|(name, _)| !is_weights(name, AMAZONS));
            let learned = all.tables.iter_mut().filter(|(name, _)| is_weights(name, LEARNED));
            learned.for_each(|(name, _)| *name = name.replace(LEARNED, AMAZONS));
            let notes = all.notes.lines().filter(|line| !line.starts_with("amazons:"));
            all.notes = notes.map(|line| line.replace(LEARNED, AMAZONS)).collect::<Vec<_>>().join("\n");
        }
        all
    }

    /// With `HIPPOLYTA_WEIGHTS=FILE`, a file of all weights as `hippolyta fit --start built-in` writes it, the files
    /// are written anew.
    #[test]
    fn the_files_hold_all_tables_each_where_it_belongs() {
        let new = std::env::var_os("HIPPOLYTA_WEIGHTS");
        let bytes = new.as_ref().map(|path| std::fs::read(path).unwrap());
        let all =
            bytes.map_or_else(|| Weights::embedded().tables(), |bytes| shared(Tables::from_bytes(&bytes).unwrap()));
        let mut files = BTreeMap::<_, Tables>::new();
        for (name, table) in all.tables {
            files.entry(file(&name)).or_default().tables.push((name, table));
        }
        files.entry(file(super::super::CALIBRATION)).or_default().notes = all.notes;
        assert_eq!(files.len(), GROUPS.len() + 1);
        for (path, tables) in files {
            if new.is_some() {
                tables.save(&path).unwrap();
            } else {
                assert!(std::fs::read(&path).unwrap() == tables.to_bytes(), "{}", path.display());
            }
        }
    }

    #[test]
    fn sizes_have_every_table_that_the_shared_weights_have() {
        let parts = |learned: &amazons::Learned| learned.tables("").into_iter().map(|(name, _)| name);
        for own in Weights::embedded().amazons_sizes.values() {
            assert!(parts(own).eq(parts(&Weights::embedded().amazons)));
        }
    }
}
