//! The weights that are a part of the program. A test reads them as a file; here they are not checked again.

use super::{AMAZONS, BoardSize, EMBEDDED, Group, Header, Weights};
use crate::container;
use crate::eval::learned::Learned;
use crate::eval::{amazons, damone, desdemona};
use crate::forks::Lazy;
use std::collections::BTreeMap;

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

    /// Gives the tables of a group to what it had learned before.
    fn take<const FEATURES: usize, const CLASSES: usize, const STEP_FEATURES: usize>(
        &self,
        group: &str,
        mut learned: Learned<FEATURES, CLASSES, STEP_FEATURES>,
    ) -> Learned<FEATURES, CLASSES, STEP_FEATURES> {
        let mut start = 0;
        for (name, length) in &self.header.tables {
            let length = 4 * *length as usize;
            let (owner, part) = super::owner_and_part(name);
            if owner == group {
                // A test reads all of them.
                let _ = learned.set(part, &super::numbers(&self.payload(start, length)));
            }
            start += length;
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
        notes: CONTENTS.header.notes.clone(),
        damone_tables: None,
    }
}
