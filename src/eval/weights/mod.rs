//! Learned weights, as the evaluators use them and as files.
//!
//! A weights file has the form that `src/container.rs` describes, with the magic `HIPPOWTS`, version 2. Its header is
//! `{"notes": "how they were learned", "tables": [["name", length], …]}`. Its payload is the tables one after the
//! other, whole numbers of 4 bytes each, little-endian. The header may have `"features": {"name": version, …}` as well:
//! which version of the features a table's weights are for. It is 1 for tables that are not named there, as in all
//! files that have no such field. Weights of another version than the program's are refused, and so are weights so
//! great that a sum of them might not fit into 32 bits. `"made"` is what the fit depended on that wrote the file.

mod embedded;
mod evaluators;

use super::calibration::Calibration;
#[doc(hidden)]
pub use super::group::Group;
use super::learned::Part;
use super::network::Misfit;
use super::{Evaluated, amazons, damone, desdemona, general};
pub use crate::container::ContainerError;
use crate::container::{self, Format};
use crate::endgame::damone::Tables as EndgameTables;
use crate::files::{read_file, write_whole};
use crate::forks::Lazy;
use crate::games::variant::{Family, VARIANTS, Variant, find};
use crate::games::with_family;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;
use std::sync::Arc;
use thiserror::Error;

const FORMAT: Format = Format { magic: *b"HIPPOWTS", name: "weights file of Hippolyta", version: 2 };
/// Upper bound on the bytes of a file: a hundred times what all tables need.
const LARGEST: u64 = 1 << 26;
/// Rule sets that a message names.
const MOST_NAMED: usize = 4;
/// The sides of boards of the Amazons.
const LEAST_SIDE: usize = 3;
const LONGEST_SIDE: usize = 11;
/// The end of the name of a calibration's table, after a rule set or `amazons@WIDTHxHEIGHT`.
const CALIBRATION: &str = ".calibration";
/// Name of the tables of the Amazons that all sizes share which have none of their own.
pub const AMAZONS: &str = "amazons";

/// Why weights cannot be used.
///
/// ```
/// use hippolyta::eval::Weights;
/// use hippolyta::eval::weights::{Tables, WeightsError};
///
/// let tables = Tables { notes: String::new(), tables: vec![("amazons".to_owned(), vec![0; 5])] };
/// let error = Weights::from_bytes(&tables.to_bytes()).unwrap_err();
/// assert!(matches!(error, WeightsError::Size { found: 5, .. }));
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// The file cannot be read, is of another kind or version, or is damaged.
    #[error(transparent)]
    File(#[from] ContainerError),
    /// The file is whole, but its contents contradict each other.
    #[error("damaged: {0}")]
    Damaged(&'static str),
    /// The file has a table that this program does not know.
    #[error("unknown table '{0}'")]
    Unknown(String),
    /// A table does not have the right number of weights.
    #[error("table '{name}' has {found} weights instead of {expected}")]
    Size {
        /// Its name.
        name: String,
        /// The number of its weights.
        found: usize,
        /// The number that it should have.
        expected: usize,
    },
    /// A weight is so great that sums of such weights might not fit into 32 bits.
    #[error("table '{name}' has a weight of {found}, its number {number}: weights go from −{most} to {most} there")]
    Bound {
        /// The table's name.
        name: String,
        /// The number of the weight, from 1.
        number: usize,
        /// The weight.
        found: i32,
        /// The greatest absolute value.
        most: u32,
    },
    /// The weights of a table are for features that meant something else.
    #[error("table '{name}' has features of version {found}, and this program's are version {expected}")]
    Features {
        /// Its name.
        name: String,
        /// The version that the file says.
        found: u32,
        /// The version of this program.
        expected: u32,
    },
}

impl WeightsError {
    /// Why a table of this name does not fit.
    fn of(misfit: Misfit, name: &str, table: &[i32]) -> Self {
        let name = name.to_owned();
        match misfit {
            Misfit::Size(expected) => Self::Size { name, found: table.len(), expected },
            Misfit::Bound { index, most } => {
                let found = table.get(index).copied().unwrap_or_default();
                Self::Bound { name, number: index + 1, found, most }
            }
            Misfit::Unknown => Self::Unknown(name),
        }
    }
}

/// The version of the features that the weights of a table are for. It is 1 until what is counted changes and the size
/// of the table does not: then the table gets an arm of its own here, and older weights are refused.
fn features_version(_table: &str) -> u32 {
    1
}

#[derive(Default, Serialize, Deserialize)]
struct Header {
    notes: String,
    tables: Vec<(String, u32)>,
    /// The versions of the tables' features that are not 1.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    features: BTreeMap<String, u32>,
    /// The inputs of the fit that wrote the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    made: Option<Value>,
}

/// The contents of a weights file.
///
/// ```
/// use hippolyta::eval::{Weights, weights::Tables};
///
/// let tables = Weights::embedded().tables();
/// assert!(tables.tables.iter().any(|(name, weights)| name == "iago.policy" && !weights.is_empty()));
/// assert_eq!(Tables::from_bytes(&tables.to_bytes())?, tables);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tables {
    /// How the weights were learned.
    pub notes: String,
    /// The tables by their names, such as `iago.policy`. A weight is a whole number of 1/65536 logit, or of a unit that
    /// its table defines.
    pub tables: Vec<(String, Vec<i32>)>,
}

impl Tables {
    /// The bytes of a weights file, version 2.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let (header, payload) = self.parts();
        // Strings and numbers are always JSON, and memory never refuses.
        container::whole(&FORMAT, &header, &payload).unwrap_or_default()
    }

    /// Writes a weights file, whole or not at all. Blocks until it is on the disk.
    ///
    /// # Errors
    ///
    /// If the system refuses. Then an old file stays as it is.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        write_whole(path, &self.to_bytes())
    }

    /// The bytes of a weights file, with what the fit depended on that made them.
    #[doc(hidden)]
    pub fn made_bytes(&self, made: &Value) -> io::Result<Vec<u8>> {
        let (header, payload) = self.parts();
        container::whole(&FORMAT, &Header { made: Some(made.clone()), ..header }, &payload)
    }

    fn parts(&self) -> (Header, Vec<u8>) {
        let tables = self.tables.iter().map(|(name, table)| (name.clone(), table.len() as u32)).collect();
        let weights = self.tables.iter().flat_map(|(_, table)| table);
        let versions = self.tables.iter().map(|(name, _)| (name.clone(), features_version(name)));
        let features = versions.filter(|&(_, version)| version != 1).collect();
        (
            Header { notes: self.notes.clone(), tables, features, made: None },
            weights.flat_map(|weight| weight.to_le_bytes()).collect(),
        )
    }

    /// Reads the bytes of a weights file.
    ///
    /// # Errors
    ///
    /// If they are not a weights file of this version, or are damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, WeightsError> {
        let mut tables = Vec::new();
        let notes = for_each_table(bytes, |name, table| {
            tables.push((name, table));
            Ok(())
        })?;
        Ok(Self { notes, tables })
    }
}

/// The inputs of the fit that wrote a weights file, if the file names them.
///
/// # Errors
///
/// If its beginning cannot be read.
#[doc(hidden)]
pub fn made(path: &Path) -> Result<Option<Value>, WeightsError> {
    let bytes = read_file(path, LARGEST).map_err(ContainerError::Io)?;
    Ok(container::Reader::new(&FORMAT, &bytes[..])?.header::<Header>()?.made)
}

/// Calls `f` with the name and the weights of every table of a weights file, and returns the notes. One table is in
/// memory at a time: the program starts sooner.
fn for_each_table(
    bytes: &[u8],
    mut f: impl FnMut(String, Vec<i32>) -> Result<(), WeightsError>,
) -> Result<String, WeightsError> {
    let mut reader = container::Reader::new(&FORMAT, bytes)?;
    let (header, mut payload) = (reader.header::<Header>()?, Vec::new());
    reader.payload(&mut payload)?;
    let mut payload = &payload[..];
    let length: u64 = header.tables.iter().map(|&(_, length)| 4 * u64::from(length)).sum();
    match length.cmp(&(payload.len() as u64)) {
        Ordering::Greater => return Err(WeightsError::Damaged("a table is cut off")),
        Ordering::Less => return Err(WeightsError::Damaged("something stands after the last table")),
        Ordering::Equal => {}
    }
    for (name, length) in header.tables {
        let (table, rest) = payload.split_at(4 * length as usize);
        let (found, expected) = (header.features.get(&name).copied().unwrap_or(1), features_version(&name));
        if found != expected {
            return Err(WeightsError::Features { name, found, expected });
        }
        f(name, numbers(table))?;
        payload = rest;
    }
    Ok(header.notes)
}

/// The weights of a table.
fn numbers(bytes: &[u8]) -> Vec<i32> {
    bytes.as_chunks::<4>().0.iter().map(|&bytes| i32::from_le_bytes(bytes)).collect()
}

/// The group to which a table belongs, and which of its tables it is.
fn owner_and_part(name: &str) -> (&str, &str) {
    name.split_at(name.find('.').unwrap_or(name.len()))
}

/// Whether a table of this owner says how values are shown: of a size of the Amazons, or of another rule set.
fn is_calibrated(owner: &str) -> bool {
    let is_rule_set = |variant: &Variant| variant.name() == owner && group(variant) != AMAZONS;
    let is_known = || BoardSize::of_tables(owner).is_some() || find(owner).is_ok_and(|variant| is_rule_set(&variant));
    general::is_group(owner) || is_known()
}

/// The name of a rule set's linear weights.
fn group(variant: &Variant) -> Cow<'static, str> {
    with_family!(variant, P => P::group(variant))
}

/// All the weights and tables that the evaluators use: the embedded ones, or those of files.
///
/// ```
/// use hippolyta::engine::{Engine, Model, Settings};
/// use hippolyta::eval::Weights;
/// use hippolyta::games::variant;
///
/// let bytes = Weights::embedded().tables().to_bytes(); // as a file of `hippolyta fit` holds them
/// let model = Model::Learned(Weights::from_bytes(&bytes)?);
/// let settings = Settings { hash: 1, ..Settings::default() };
/// assert!(Engine::new(&variant::find("iago")?, &model, settings).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Weights {
    /// Of the Amazons, on boards of a size that has no weights of its own.
    #[doc(hidden)]
    pub amazons: Group<amazons::Learned>,
    /// Of the Amazons, on boards of these sizes.
    #[doc(hidden)]
    pub amazons_sizes: BTreeMap<BoardSize, Group<amazons::Learned>>,
    /// Of Desdemona and its relatives, by [`desdemona::GROUPS`].
    #[doc(hidden)]
    pub desdemona: [Group<desdemona::Learned>; desdemona::GROUPS.len()],
    /// Of the Damone family, by [`damone::GROUPS`].
    #[doc(hidden)]
    pub damone: [Group<damone::Learned>; damone::GROUPS.len()],
    /// By rules of one's own, as [`general::group`] names them.
    #[doc(hidden)]
    pub own: BTreeMap<String, Group<general::Learned>>,
    /// How values of a search are shown: for rule sets by their names, for the Amazons by [`BoardSize::tables`], for
    /// rules of one's own as their weights are named.
    #[doc(hidden)]
    pub calibrations: BTreeMap<String, Arc<Calibration>>,
    /// How the weights were learned: a line for each rule set.
    #[doc(hidden)]
    pub notes: String,
    /// Endgame tables of Damone from a file. They are computed, not learned.
    pub damone_tables: Option<Arc<EndgameTables>>,
    /// What a file has otherwise than it is built in: the names of tables up to their first point.
    changed: BTreeSet<String>,
}

static EMBEDDED: Lazy<Arc<Weights>> = Lazy::new(|| Arc::new(embedded::weights()));

impl Weights {
    /// The weights before any learning: some published, some guessed.
    #[must_use]
    pub fn bootstrap() -> Self {
        Self {
            amazons: Group::lazy(AMAZONS, |_| amazons::bootstrap()),
            amazons_sizes: BTreeMap::new(),
            desdemona: desdemona::GROUPS.map(|name| Group::lazy(name, |_| desdemona::bootstrap())),
            damone: damone::GROUPS.map(|name| Group::lazy(name, |_| damone::bootstrap())),
            own: BTreeMap::new(),
            calibrations: BTreeMap::new(),
            notes: String::new(),
            damone_tables: None,
            changed: BTreeSet::new(),
        }
    }

    /// The embedded weights.
    #[must_use]
    pub fn embedded() -> Arc<Self> {
        EMBEDDED.clone()
    }

    /// The embedded weights, with the tables of the file `path` in place of their own. Blocks until it is read.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is damaged, or has a table that is unknown, of another size, of other features, or
    /// with too great weights.
    pub fn load(path: &Path) -> Result<Arc<Self>, WeightsError> {
        Self::from_bytes(&read_file(path, LARGEST).map_err(ContainerError::Io)?)
    }

    /// The embedded weights, with the tables of these bytes of a weights file in place of their own.
    ///
    /// # Errors
    ///
    /// As [`load`](Self::load).
    pub fn from_bytes(bytes: &[u8]) -> Result<Arc<Self>, WeightsError> {
        let built_in: BTreeMap<_, _> = EMBEDDED.tables().tables.into_iter().collect();
        let mut changed = BTreeSet::new();
        for_each_table(bytes, |name, table| {
            if built_in.get(&name) != Some(&table) {
                changed.insert(owner_and_part(&name).0.to_owned());
            }
            Ok(())
        })?;
        Ok(Arc::new(Self { changed, ..EMBEDDED.with_bytes(bytes)? }))
    }

    /// Whether boards of this width and height of a rule set are evaluated otherwise than by what is built in, if a
    /// file has anything else: else nobody would notice that the file is for another game.
    ///
    /// ```
    /// use hippolyta::eval::{Weights, weights::Tables};
    /// use hippolyta::games::variant;
    ///
    /// let mut tables = Weights::embedded().tables();
    /// tables.tables.iter_mut().filter(|(name, _)| name == "iago").for_each(|(_, table)| table.fill(0));
    /// let weights = Weights::from_bytes(&tables.to_bytes())?;
    /// let check = |name| weights.check(&variant::find(name).unwrap(), (8, 8));
    /// assert_eq!(check("iago"), Ok(()));
    /// assert_eq!(check("cassio"), Err("it has learned weights for iago, and none for cassio".to_owned()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// In a line, what there is and for what there is nothing.
    pub fn check(&self, variant: &Variant, (width, height): (usize, usize)) -> Result<(), String> {
        let group = group(variant);
        let mut used = vec![variant.name().to_owned(), group.to_string()];
        if group == AMAZONS {
            let size = BoardSize::new(width, height);
            used = size.iter().map(|size| size.tables()).collect();
            if !size.is_some_and(|size| self.amazons_sizes.contains_key(&size)) {
                used.push(AMAZONS.to_owned());
            }
        }
        let size = if group == AMAZONS { format!(" on {width}×{height}") } else { String::new() };
        self.has_any(|owner| used.contains(owner), &format!("{}{size}", variant.name()))
    }

    /// As [`check`](Self::check), for boards of any size: a file for one size of the Amazons is a start for another.
    ///
    /// ```
    /// use hippolyta::eval::Weights;
    /// use hippolyta::games::variant;
    ///
    /// assert!(Weights::embedded().check_any_size(&variant::find("iago")?).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As there.
    pub fn check_any_size(&self, variant: &Variant) -> Result<(), String> {
        let (name, group) = (variant.name(), group(variant));
        let is_of_a_size = |owner: &String| group == AMAZONS && BoardSize::of_tables(owner).is_some();
        self.has_any(|owner| *owner == name || *owner == group || is_of_a_size(owner), name)
    }

    /// An error if a file has something for some owners, and none of them is a wanted one.
    fn has_any(&self, wanted: impl Fn(&String) -> bool, what: &str) -> Result<(), String> {
        if self.changed.is_empty() || self.changed.iter().any(wanted) {
            return Ok(());
        }
        Err(format!("it has {}, and none for {what}", self.learned().unwrap_or_default()))
    }

    /// What a file has that is not built in so, in words: `learned weights for iago, cassio`.
    #[must_use]
    pub fn learned(&self) -> Option<String> {
        let names: Vec<_> = self.changed.iter().take(MOST_NAMED).map(|owner| general::shown(owner)).collect();
        let more = if self.changed.len() > MOST_NAMED { ", …" } else { "" };
        (!names.is_empty()).then(|| format!("learned weights for {}{more}", names.join(", ")))
    }

    /// A copy for all rule sets: those for which a file has nothing are evaluated by what is built in.
    #[must_use]
    pub fn for_any_game(&self) -> Arc<Self> {
        Arc::new(Self { changed: BTreeSet::new(), ..self.clone() })
    }

    /// The weights that were in use, with what a file has otherwise than it is built in in place of their own.
    #[must_use]
    #[doc(hidden)]
    pub fn over(&self, old: &Self) -> Self {
        let Tables { notes, mut tables } = self.tables();
        tables.retain(|(name, _)| self.changed.contains(owner_and_part(name).0));
        let known = old.with_tables(&Tables { notes, tables });
        let changed = self.changed.union(&old.changed).cloned().collect();
        Self { changed, ..known.unwrap_or_else(|_| old.clone()) }
    }

    /// Whether there are no endgame tables of Damone from a file, or the rule set can use them.
    ///
    /// # Errors
    ///
    /// In a line, what they are for.
    pub fn check_damone_tables(&self, variant: &Variant) -> Result<(), String> {
        let Some(tables) = &self.damone_tables else { return Ok(()) };
        let is_theirs =
            |variant: &Variant| matches!(variant.family(), Family::Damone(rules) if rules == tables.rules());
        if is_theirs(variant) {
            return Ok(());
        }
        let theirs = VARIANTS.iter().find(|other| is_theirs(other)).map_or("another rule set", Variant::name);
        Err(format!("they are for {theirs}, and help nothing in {}", variant.name()))
    }

    /// A copy with other endgame tables of Damone, or with none but those that are built in.
    #[must_use]
    pub fn with_damone_tables(&self, tables: Option<Arc<EndgameTables>>) -> Arc<Self> {
        Arc::new(Self { damone_tables: tables, ..self.clone() })
    }

    /// A copy with the tables of these bytes of a weights file in place of its own.
    ///
    /// # Errors
    ///
    /// If the bytes are not a weights file, are damaged, or have a table that is unknown or of another size.
    pub fn with_bytes(&self, bytes: &[u8]) -> Result<Self, WeightsError> {
        let mut weights = self.clone();
        weights.notes = for_each_table(bytes, |name, table| weights.take(&name, &table))?;
        Ok(weights)
    }

    /// A copy with these tables in place of its own.
    ///
    /// # Errors
    ///
    /// If a table is unknown or of another size.
    pub fn with_tables(&self, tables: &Tables) -> Result<Self, WeightsError> {
        let mut weights = self.clone();
        tables.tables.iter().try_for_each(|(name, table)| weights.take(name, table))?;
        weights.notes.clone_from(&tables.notes);
        Ok(weights)
    }

    /// Takes one table in place of its own. How values are shown was fitted to the weights that there were, so linear
    /// weights, which every new evaluation has, reset it.
    fn take(&mut self, name: &str, table: &[i32]) -> Result<(), WeightsError> {
        let (owner, part) = owner_and_part(name);
        if Part::of_ending(part) == Some(Part::Linear) {
            self.forget_calibrations(owner);
        }
        let place = |groups: &[&str]| groups.iter().position(|group| *group == owner);
        let taken = if part == CALIBRATION && is_calibrated(owner) {
            Calibration::from_table(table).map(|taken| {
                self.calibrations.insert(owner.to_owned(), Arc::new(taken));
            })
        } else if owner == AMAZONS {
            self.amazons.change(|learned| learned.set(part, table))
        } else if let Some(size) = BoardSize::of_tables(owner) {
            let begun = || self.amazons.clone();
            self.amazons_sizes.entry(size).or_insert_with(begun).change(|learned| learned.set(part, table))
        } else if let Some(group) = place(&desdemona::GROUPS) {
            self.desdemona[group].change(|learned| learned.set(part, table))
        } else if let Some(group) = place(&damone::GROUPS) {
            self.damone[group].change(|learned| learned.set(part, table))
        } else if general::is_group(owner) {
            self.own.entry(owner.to_owned()).or_insert_with(general::blank).change(|learned| learned.set(part, table))
        } else {
            Err(Misfit::Unknown)
        };
        taken.map_err(|misfit| WeightsError::of(misfit, name, table))
    }

    /// All tables, as a weights file holds them.
    #[must_use]
    pub fn tables(&self) -> Tables {
        let mut tables = self.amazons.tables(AMAZONS);
        for (name, learned) in desdemona::GROUPS.iter().zip(&self.desdemona) {
            tables.extend(learned.tables(name));
        }
        for (name, learned) in damone::GROUPS.iter().zip(&self.damone) {
            tables.extend(learned.tables(name));
        }
        for (size, learned) in &self.amazons_sizes {
            tables.extend(learned.tables(&size.tables()));
        }
        for (name, learned) in &self.own {
            tables.extend(learned.tables(name));
        }
        for (owner, calibration) in &self.calibrations {
            tables.push((format!("{owner}{CALIBRATION}"), calibration.table().to_vec()));
        }
        Tables { notes: self.notes.clone(), tables }
    }

    /// Forgets how values of the rule sets are shown whose tables have this name.
    #[doc(hidden)]
    pub fn forget_calibrations(&mut self, name: &str) {
        let sizes = &self.amazons_sizes;
        self.calibrations.retain(|owner, _| match (BoardSize::of_tables(owner), find(owner)) {
            (Some(size), _) if name == AMAZONS => sizes.contains_key(&size),
            (None, Ok(variant)) => group(&variant) != name,
            _ => owner != name,
        });
    }

    /// How values of a search are shown for a rule set, on a board of this width and height; `None`: as they are. A size
    /// that was not calibrated takes the nearest that was and has the same weights, by its number of squares; a rule
    /// set one that has the same weights. What other weights say is on another scale.
    #[doc(hidden)]
    #[must_use]
    pub fn calibration(&self, variant: &Variant, (width, height): (usize, usize)) -> Option<&Arc<Calibration>> {
        if group(variant) == AMAZONS {
            let distance = |size: BoardSize| {
                let [short, long] = size.sides();
                ((short * long).abs_diff(width * height), long.abs_diff(width.max(height)))
            };
            let own = |size: BoardSize| self.amazons_sizes.contains_key(&size).then_some(size);
            let weights = BoardSize::new(width, height).and_then(own);
            let sizes = self.calibrations.iter().filter_map(|(name, known)| Some((BoardSize::of_tables(name)?, known)));
            return sizes
                .filter(|&(size, _)| own(size) == weights)
                .min_by_key(|&(size, _)| distance(size))
                .map(|(_, known)| known);
        }
        let known = |name: &str| self.calibrations.get(name);
        let mut related = VARIANTS.iter().filter(|other| group(other) == group(variant));
        let name = variant.as_built_in().map_or_else(|| group(variant), |same| same.name().into());
        known(&name).or_else(|| related.find_map(|other| known(other.name())))
    }

    /// A copy in which a rule set of one's own has weights: those of before any learning, if it had none.
    #[must_use]
    pub fn with_own(&self, variant: &Variant) -> Self {
        let mut weights = self.clone();
        if let Family::General(rules) = &variant.family() {
            weights.own.entry(general::group(rules)).or_insert_with(|| general::begun(rules));
        }
        weights
    }

    /// A copy in which the boards of `size` have weights of the Amazons of their own. If they had none, these are what
    /// they played by until now: the shared ones.
    #[must_use]
    pub fn with_amazons_size(&self, size: BoardSize) -> Self {
        let mut weights = self.clone();
        weights.amazons_sizes.entry(size).or_insert_with(|| self.amazons.clone());
        weights
    }
}

/// The size of a board that may have weights of its own. Boards that are each other's image when turned by a right
/// angle count as one size.
///
/// ```
/// use hippolyta::eval::weights::BoardSize;
///
/// let size = BoardSize::new(7, 5).unwrap();
/// assert_eq!(size.sides(), [5, 7]);
/// assert_eq!(size.tables(), "amazons@5x7");
/// assert_eq!(BoardSize::new(12, 5), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BoardSize {
    short: u8,
    long: u8,
}

impl BoardSize {
    /// The size of a board of `width` × `height` squares, each 3 to 11; `None` outside of this range.
    #[must_use]
    pub fn new(width: usize, height: usize) -> Option<Self> {
        let fits = |length: usize| (LEAST_SIDE..=LONGEST_SIDE).contains(&length).then_some(length as u8);
        let (width, height) = (fits(width)?, fits(height)?);
        Some(Self { short: width.min(height), long: width.max(height) })
    }

    /// The number of squares on the shorter side, and on the longer one.
    #[must_use]
    pub fn sides(self) -> [usize; 2] {
        [self.short.into(), self.long.into()]
    }

    /// The name of the linear tables of this size in weights files: `amazons@6x6`.
    #[must_use]
    pub fn tables(self) -> String {
        format!("{AMAZONS}@{}x{}", self.short, self.long)
    }

    /// The size whose tables have this name.
    fn of_tables(name: &str) -> Option<Self> {
        let (width, height) = name.strip_prefix(AMAZONS)?.strip_prefix('@')?.split_once('x')?;
        let size = Self::new(width.parse().ok()?, height.parse().ok()?)?;
        (size.tables() == name).then_some(size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tables() -> Tables {
        let table = amazons::bootstrap().value.linear_weights().to_vec();
        Tables { notes: "a test".to_owned(), tables: vec![(AMAZONS.to_owned(), table)] }
    }

    #[test]
    fn the_embedded_weights_can_be_read() {
        let parts = embedded::GROUPS.iter().map(|(_, part)| part.bytes());
        for bytes in parts.chain([embedded::SHARED.into()]) {
            assert!(EMBEDDED.with_bytes(&bytes).is_ok());
        }
    }

    #[test]
    fn tables_for_other_features_are_refused() {
        let payload: Vec<u8> = tables().tables[0].1.iter().flat_map(|weight| weight.to_le_bytes()).collect();
        let file = |features: &str| {
            let length = payload.len() / 4;
            let header = format!(r#"{{"notes":"","tables":[["amazons",{length}]]{features}}}"#);
            let header: serde_json::Value = serde_json::from_str(&header).unwrap();
            Weights::from_bytes(&container::whole(&FORMAT, &header, &payload).unwrap())
        };
        // Versions that are 1 may be left out.
        assert!(file("").is_ok() && file(r#","features":{"amazons":1}"#).is_ok());
        let refused = file(r#","features":{"amazons":2}"#).unwrap_err();
        assert_eq!(refused.to_string(), "table 'amazons' has features of version 2, and this program's are version 1");
    }

    #[test]
    fn shapes_that_are_too_great_are_refused_and_not_cut() {
        for (name, most) in [("iago.shapes", 900), ("iago.policy-shapes", 900), ("amazons.shapes", 900)] {
            let mut tables = EMBEDDED.tables();
            let (_, table) = tables.tables.iter_mut().find(|(known, _)| known == name).unwrap();
            table[4] = -901;
            let error = Weights::from_bytes(&tables.to_bytes()).unwrap_err().to_string();
            let bounds = format!("weights go from −{most} to {most} there");
            assert_eq!(error, format!("table '{name}' has a weight of -901, its number 5: {bounds}"));
        }
    }

    #[test]
    fn everything_embedded_was_learned() {
        let nothing = Weights::bootstrap().tables();
        let embedded = EMBEDDED.tables().tables;
        let find = |tables: &[(String, Vec<i32>)], name: &str| {
            tables.iter().find(|(known, _)| known == name).map(|(_, table)| table.clone())
        };
        for (name, guessed) in &nothing.tables {
            assert!(find(&embedded, name).is_some_and(|learned| learned != *guessed), "{name}");
        }
        // Each rule set and the usual sizes are calibrated.
        let (calibrations, embedded): (Vec<_>, Vec<_>) =
            embedded.into_iter().partition(|(name, _)| name.ends_with(CALIBRATION));
        assert_eq!(calibrations.len(), 14);
        assert!(calibrations.iter().all(|(_, table)| table.iter().any(|&number| number != 0)));
        // Shapes have no table before they are learned, nor has a size of its own.
        let begun: Vec<_> = embedded.iter().filter(|(name, _)| find(&nothing.tables, name).is_none()).collect();
        assert!(begun.iter().all(|(_, table)| table.iter().any(|&weight| weight != 0)));
        let parts = ["", ".hidden", ".policy", ".shapes", ".policy-shapes", ".ownership"];
        let sizes = ["6x6", "8x8"].map(|size| parts.map(|part| format!("amazons@{size}{part}")));
        // Cassio's were learned and made no difference in play.
        let shapes = ["desdemona", "iago", "early", "border"]
            .map(|group| [".shapes", ".policy-shapes"].map(|part| [group, part].concat()));
        let shared = ["amazons.shapes", "amazons.policy-shapes", "amazons.ownership"].map(str::to_owned);
        let expected: Vec<_> = shared.iter().chain(shapes.iter().flatten()).chain(sizes.iter().flatten()).collect();
        assert_eq!(begun.iter().map(|(name, _)| name).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_size_has_weights_of_its_own_and_the_others_keep_theirs() {
        let size = BoardSize::new(6, 4).unwrap();
        assert_eq!(
            (size, size.tables().as_str(), size.sides()),
            (BoardSize::new(4, 6).unwrap(), "amazons@4x6", [4, 6])
        );
        assert_eq!((BoardSize::new(2, 6), BoardSize::new(6, 12)), (None, None));
        let begun = EMBEDDED.with_amazons_size(size);
        assert_eq!(begun.amazons_sizes[&size], EMBEDDED.amazons);
        assert_eq!(begun.with_amazons_size(size).tables(), begun.tables());
        // A table for one size changes that size, whatever came before.
        let table = amazons::bootstrap().value.linear_weights().to_vec();
        let file = Tables { notes: String::new(), tables: vec![("amazons@4x6".to_owned(), table)] };
        for from in [&**EMBEDDED, &begun] {
            let changed = from.with_tables(&file).unwrap();
            assert_eq!(changed.amazons_sizes[&size].value, amazons::bootstrap().value);
            assert_eq!(changed.amazons_sizes[&size].steps, EMBEDDED.amazons.steps);
            assert_eq!(changed.amazons, EMBEDDED.amazons);
            let again = Weights::bootstrap().with_tables(&changed.tables()).unwrap();
            assert_eq!((again.amazons_sizes, again.amazons), (changed.amazons_sizes, changed.amazons));
        }
    }

    #[test]
    fn weights_of_a_size_and_of_own_rules_are_a_start_for_boards_of_any_size() {
        let knights = find("knights = { like = 'amazons6', moves = 'N' }").unwrap();
        let (amazons, iago) = (find("amazons").unwrap(), find("iago").unwrap());
        for (owner, theirs) in [("own@moves = 'N'", &knights), ("amazons@6x6", &amazons), ("iago", &iago)] {
            let known = Weights { changed: BTreeSet::from([owner.to_owned()]), ..Weights::bootstrap() };
            for variant in [&knights, &amazons, &iago] {
                assert_eq!(known.check_any_size(variant).is_ok(), variant == theirs, "{owner} {}", variant.name());
            }
        }
    }

    #[test]
    fn sizes_and_rule_sets_that_were_not_calibrated_are_shown_as_the_nearest() {
        let table = |number| vec![number; crate::eval::calibration::SIZE];
        let names = ["amazons@6x6", "amazons@10x10", "desdemona-early", "cassio", "damone", "cassio-site"];
        let tables = names.iter().zip(1..).map(|(name, number)| (format!("{name}.calibration"), table(number)));
        let file = Tables { notes: String::new(), tables: tables.collect() };
        let known = Weights::bootstrap().with_tables(&file).unwrap();
        let number = |variant: &str, size| {
            known.calibration(&find(variant).unwrap(), size).map(|calibration| calibration.table()[0])
        };
        let amazons = |width, height| number("amazons", (width, height));
        assert_eq!([amazons(6, 6), amazons(10, 10), amazons(11, 11)], [Some(1), Some(2), Some(2)]);
        assert_eq!([amazons(3, 5), amazons(8, 6), amazons(9, 9)], [Some(1), Some(1), Some(2)]);
        assert_eq!(number("amazons8", (8, 8)), Some(1));
        assert_eq!([number("desdemona-early", (8, 8)), number("cassio", (10, 10))], [Some(3), Some(4)]);
        // Both have the same rules: the start tells.
        let mine = |like: &str| number(&format!("mine = {{ like = '{like}' }}"), (10, 10));
        assert_eq!([mine("desdemona-early"), mine("cassio-site")], [Some(3), Some(6)]);
        // Rule sets with the same weights are shown alike, others as the search has them.
        for variant in VARIANTS.iter().filter(|variant| group(variant) != AMAZONS) {
            let is_alike = |name: &str| find(name).is_ok_and(|other| group(&other) == group(variant));
            let alike: Vec<_> = names.iter().zip(1..).filter(|(name, _)| is_alike(name)).map(|(_, it)| it).collect();
            let shown = number(variant.name(), (8, 8));
            assert_eq!(shown.is_some(), !alike.is_empty(), "{}", variant.name());
            assert!(shown.is_none_or(|shown| alike.contains(&shown)), "{}", variant.name());
        }
        // A size with weights of its own does not lend others its calibration.
        let size = BoardSize::new(6, 6).unwrap();
        let own = known.with_amazons_size(size);
        let first = own.calibration(&find("amazons").unwrap(), (5, 5)).map(|calibration| calibration.table()[0]);
        assert_eq!(first, Some(2));
        assert_eq!(Weights::bootstrap().calibration(&find("iago").unwrap(), (8, 8)), None);
        // They pass from one set of weights to another.
        let again = Weights::bootstrap().with_tables(&known.tables()).unwrap();
        assert_eq!(again.calibrations, known.calibrations);
        for name in ["amazons", "amazons6", "amazons10", "chess", "amazons@6x6.hidden"] {
            let file = Tables { notes: String::new(), tables: vec![(format!("{name}.calibration"), table(1))] };
            assert!(matches!(known.with_tables(&file), Err(WeightsError::Unknown(_))), "{name}");
        }
    }

    #[test]
    fn other_weights_are_not_shown_by_the_calibration_of_those_that_were() {
        let calibrated = |name: &str| (format!("{name}.calibration"), vec![1; crate::eval::calibration::SIZE]);
        let of = |tables| Tables { notes: String::new(), tables };
        let names = ["amazons@6x6", "amazons@10x10", "cassio", "iago"];
        let known = EMBEDDED.with_tables(&of(names.map(calibrated).to_vec())).unwrap();
        let after = |name: &str| {
            let tables = known.tables().tables;
            let linear = tables.into_iter().find(|(known, _)| known == name).unwrap();
            let changed = known.with_tables(&of(vec![linear])).unwrap();
            names.map(|name| changed.calibrations.contains_key(name))
        };
        // Boards of 6×6 have weights of their own.
        assert_eq!(after("amazons"), [true, false, true, true]);
        assert_eq!(after("amazons@6x6"), [false, true, true, true]);
        assert_eq!(after("iago"), [true, true, true, false]);
        assert_eq!(after("iago.policy"), [true; 4]);
    }

    #[test]
    fn files_are_read_as_they_were_written() {
        let bytes = tables().to_bytes();
        assert_eq!(Tables::from_bytes(&bytes).unwrap(), tables());
        assert_eq!(EMBEDDED.with_bytes(&bytes).unwrap().amazons.value, amazons::bootstrap().value);
        // All tables pass from one set of weights to another.
        let again = Weights::bootstrap().with_tables(&EMBEDDED.tables()).unwrap();
        assert_eq!(again.tables(), EMBEDDED.tables());
        assert_eq!(
            (&again.amazons, &again.amazons_sizes, &again.desdemona, &again.damone),
            (&EMBEDDED.amazons, &EMBEDDED.amazons_sizes, &EMBEDDED.desdemona, &EMBEDDED.damone)
        );
    }

    #[test]
    fn the_embedded_files_are_read_as_any_other() {
        let parts = embedded::GROUPS.iter().map(|(_, part)| part.bytes());
        let read = parts.chain([embedded::SHARED.into()]).map(|bytes| Tables::from_bytes(&bytes).unwrap());
        let whole = read.reduce(|mut all, more| {
            all.tables.extend(more.tables);
            Tables { notes: more.notes, ..all }
        });
        assert_eq!(EMBEDDED.tables(), whole.unwrap());
    }

    #[test]
    fn damage_is_noticed_wherever_it_is() {
        let bytes = tables().to_bytes();
        for place in (0..200).chain((200..bytes.len()).step_by(997)).chain(bytes.len() - 30..bytes.len()) {
            let mut damaged = bytes.clone();
            damaged[place] ^= 0x10;
            assert!(Tables::from_bytes(&damaged).is_err(), "byte {place}");
            assert!(Tables::from_bytes(&bytes[..place]).is_err(), "cut at {place}");
        }
        let few = Tables { notes: "three".to_owned(), tables: vec![("a".to_owned(), vec![1, -2, 3])] };
        for (damage, damaged) in container::damages(&few.to_bytes()) {
            assert!(Tables::from_bytes(&damaged).is_err(), "{damage}");
        }
    }

    #[test]
    fn headers_and_payloads_that_do_not_fit_together_are_refused() {
        let error = |header: &str, payload: &[u8]| {
            let header: serde_json::Value = serde_json::from_str(header).unwrap();
            Tables::from_bytes(&container::whole(&FORMAT, &header, payload).unwrap()).unwrap_err().to_string()
        };
        let header = r#"{"notes": "", "tables": [["a", 2]]}"#;
        assert_eq!(error(header, &[0; 7]), "damaged: a table is cut off");
        assert_eq!(error(header, &[0; 9]), "damaged: something stands after the last table");
        assert!(error("[]", &[0; 8]).starts_with("damaged header: "));
        assert_eq!(Tables::from_bytes(b"HIPPOWTS").unwrap_err().to_string(), "not a weights file of Hippolyta");
        let newer = Tables::from_bytes(b"HIPPOWTS\x03\0\0\0").unwrap_err();
        assert_eq!(newer.to_string(), "format version 3, and this program reads 2");
    }

    #[test]
    fn tables_that_do_not_fit_are_refused() {
        let with =
            |name: &str, length| Tables { notes: String::new(), tables: vec![(name.to_owned(), vec![0; length])] };
        let error = |tables: Tables| EMBEDDED.with_bytes(&tables.to_bytes()).unwrap_err().to_string();
        assert_eq!(error(with("chess", 1)), "unknown table 'chess'");
        for name in
            ["amazons@", "amazons@6", "amazons@8x6", "amazons@06x6", "amazons@2x6", "amazons@6x12", "amazons@6x6@"]
        {
            assert_eq!(error(with(name, 1)), format!("unknown table '{name}'"));
        }
        assert!(
            error(with("amazons@4x6.policy", 7)).starts_with("table 'amazons@4x6.policy' has 7 weights instead of ")
        );
        assert!(error(with(AMAZONS, 5)).starts_with("table 'amazons' has 5 weights instead of "));
    }
}
