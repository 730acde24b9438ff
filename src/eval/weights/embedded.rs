//! The weights that are a part of the program. A test reads them as a file; here they are not checked again.

use super::{AMAZONS, BoardSize, EMBEDDED, Group, Header, Weights};
use crate::container;
use crate::eval::calibration::Calibration;
use crate::eval::learned::Learned;
use crate::eval::{amazons, damone, desdemona};
use crate::forks::Lazy;
use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) const FILE: &[u8] = include_bytes!("../weights.bin");

static CONTENTS: Lazy<Contents> = Lazy::new(|| {
    let whole =
        container::in_place(FILE).and_then(|(header, bodies)| Some((serde_json::from_slice(header).ok()?, bodies)));
    let (header, bodies) = whole.unwrap_or_default();
    Contents { header, bodies }
});

struct Contents {
    header: Header,
    /// Of the frames of the payload.
    bodies: Vec<&'static [u8]>,
}

impl Contents {
    /// The bytes from `start` on of the payload.
    fn payload(&self, mut start: usize, mut length: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(length);
        for body in &self.bodies {
            let after = &body[start.min(body.len())..];
            let part = &after[..length.min(after.len())];
            bytes.extend(part);
            (start, length) = (start.saturating_sub(body.len()), length - part.len());
        }
        bytes
    }

    /// The tables with their names.
    fn tables(&self) -> impl Iterator<Item = (&str, impl Fn() -> Vec<i32>)> {
        let mut start = 0;
        self.header.tables.iter().map(move |(name, length)| {
            let (from, length) = (start, 4 * *length as usize);
            start += length;
            (name.as_str(), move || super::numbers(&self.payload(from, length)))
        })
    }

    /// How values are shown. A test reads all of them.
    fn calibrations(&self) -> BTreeMap<String, Arc<Calibration>> {
        let calibration = |(name, table): (&str, &dyn Fn() -> Vec<i32>)| {
            let owner = name.strip_suffix(super::CALIBRATION)?;
            Some((owner.to_owned(), Arc::new(Calibration::from_table(&table()).ok()?)))
        };
        self.tables().filter_map(|(name, table)| calibration((name, &table))).collect()
    }

    /// Gives the tables of a group to what it had learned before.
    fn take<const FEATURES: usize, const CLASSES: usize, const STEP_FEATURES: usize>(
        &self,
        group: &str,
        mut learned: Learned<FEATURES, CLASSES, STEP_FEATURES>,
    ) -> Learned<FEATURES, CLASSES, STEP_FEATURES> {
        for (name, table) in self.tables() {
            let (owner, part) = super::owner_and_part(name);
            if owner == group {
                // A test reads all of them.
                let _ = learned.set(part, &table());
            }
        }
        learned
    }
}

/// All weights, still undecoded.
pub(super) fn weights() -> Weights {
    let sizes = CONTENTS.header.tables.iter().filter_map(|(name, _)| BoardSize::of_tables(name));
    Weights {
        amazons: Group::lazy(AMAZONS, |name| CONTENTS.take(name, amazons::bootstrap())),
        amazons_sizes: sizes
            .map(|size| {
                let decode = |name: &str| CONTENTS.take(name, amazons::Learned::clone(&EMBEDDED.amazons));
                (size, Group::lazy(&size.tables(), decode))
            })
            .collect::<BTreeMap<_, _>>(),
        desdemona: desdemona::GROUPS.map(|name| Group::lazy(name, |name| CONTENTS.take(name, desdemona::bootstrap()))),
        damone: damone::GROUPS.map(|name| Group::lazy(name, |name| CONTENTS.take(name, damone::bootstrap()))),
        calibrations: CONTENTS.calibrations(),
        notes: CONTENTS.header.notes.clone(),
        damone_tables: None,
    }
}
