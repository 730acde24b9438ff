use super::session::Session;
use crate::endgame::damone::Tables;
use crate::engine::{DEFAULT_ELO, ELO_RANGE};
use crate::eval::Weights;
use crate::games::variant::{self, Variant};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// What values an option takes, and what a session does with one.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// `true` or `false`.
    Check {
        /// Value at the start.
        default: bool,
        #[allow(missing_docs)]
        set: fn(&mut Session, bool),
    },
    /// A whole number.
    Spin {
        /// Value at the start.
        default: u64,
        /// Least value.
        min: u64,
        /// Greatest value.
        max: u64,
        #[allow(missing_docs)]
        set: fn(&mut Session, u64),
    },
    /// The name of a rule set.
    Variant(fn(&mut Session, &'static Variant)),
    /// The name of a file; `None` for what is built in.
    File(fn(&mut Session, Option<&Path>)),
    /// No value: setting it does something.
    Button(fn(&mut Session)),
}

/// An option as clients see it.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// Its name; upper and lower case are the same.
    pub name: &'static str,
    /// Its values, and what they do.
    pub kind: Kind,
}

const fn spec(name: &'static str, kind: Kind) -> Spec {
    Spec { name, kind }
}

const fn check(name: &'static str, set: fn(&mut Session, bool)) -> Spec {
    Spec { name, kind: Kind::Check { default: false, set } }
}

const fn spin(name: &'static str, default: u64, min: u64, max: u64, set: fn(&mut Session, u64)) -> Spec {
    Spec { name, kind: Kind::Spin { default, min, max, set } }
}

const ELO: [u64; 3] = [DEFAULT_ELO as u64, ELO_RANGE[0] as u64, ELO_RANGE[1] as u64];

/// All options, in the order in which they are listed.
pub const OPTIONS: &[Spec] = &[
    spec("UCI_Variant", Kind::Variant(Session::set_variant)),
    spin("Threads", 1, 1, 1024, |session, threads| session.change(|settings| settings.threads = threads as usize)),
    spin("Hash", 256, 1, 32_768, |session, hash| session.change(|settings| settings.hash = hash as usize)),
    spec("Clear Hash", Kind::Button(Session::clear)),
    spin("MultiPV", 1, 1, 500, |session, lines| session.change(|settings| settings.multi_pv = lines as usize)),
    // Tells what the client does, as does UCI_AnalyseMode; nothing here depends on it.
    check("Ponder", |_, _| ()),
    spin("Move Overhead", 10, 0, 5_000, |session, time| session.overhead = Duration::from_millis(time)),
    check("UCI_ShowWDL", |session, show| session.show_wdl = show),
    check("UCI_AnalyseMode", |_, _| ()),
    check("UCI_LimitStrength", |session, limit| session.limit_strength = limit),
    spin("UCI_Elo", ELO[0], ELO[1], ELO[2], |session, elo| session.elo = elo as u32),
    spin("Seed", 0, 0, i64::MAX as u64, |session, seed| session.change(|settings| settings.seed = seed)),
    check("OwnBook", |session, own| session.own_book = own),
    spec("BookFile", Kind::File(Session::load_book)),
    spec("EvalFile", Kind::File(|session, path| session.load("EvalFile", path, load_weights))),
    spec("DamoneTables", Kind::File(|session, path| session.load("DamoneTables", path, load_damone_tables))),
];

/// What stands for the weights, tables and books that are built in.
const BUILT_IN: &str = "<built-in>";

fn load_weights(old: &Weights, path: Option<&Path>) -> Result<Arc<Weights>, String> {
    let new = path.map_or_else(|| Ok(Weights::embedded()), Weights::load).map_err(|error| error.to_string())?;
    Ok(new.with_damone_tables(old.damone_tables.clone()))
}

fn load_damone_tables(old: &Weights, path: Option<&Path>) -> Result<Arc<Weights>, String> {
    let tables = path.map(Tables::load).transpose().map_err(|error| error.to_string())?;
    Ok(old.with_damone_tables(tables.map(Arc::new)))
}

impl Spec {
    /// The line that declares the option; UGI wants `lower_case` names.
    pub(super) fn declaration(&self, lower_case: bool) -> String {
        let name = if lower_case { self.name.to_lowercase() } else { self.name.to_owned() };
        let values = match self.kind {
            Kind::Check { default, .. } => format!("check default {default}"),
            Kind::Spin { default, min, max, .. } => format!("spin default {default} min {min} max {max}"),
            Kind::Button(_) => "button".to_owned(),
            Kind::File(_) => format!("string default {BUILT_IN}"),
            Kind::Variant(_) => {
                let names = variant::names();
                let list: Vec<_> = names.iter().map(|name| format!("var {name}")).collect();
                format!("combo default {} {}", names.first().copied().unwrap_or_default(), list.join(" "))
            }
        };
        format!("option name {name} type {values}")
    }

    /// Has `session` take a value.
    fn set(&self, session: &mut Session, value: &str) -> Result<(), String> {
        match self.kind {
            Kind::Button(press) => press(session),
            Kind::File(load) => {
                let path = Some(value).filter(|path| !["", "<empty>", BUILT_IN].contains(path));
                load(session, path.map(Path::new));
            }
            Kind::Variant(set) => set(session, variant::find(value).map_err(|error| error.to_string())?),
            Kind::Check { set, .. } => match value.to_ascii_lowercase().as_str() {
                "true" => set(session, true),
                "false" => set(session, false),
                _ => return Err(format!("option {}: '{value}' is neither true nor false", self.name)),
            },
            Kind::Spin { min, max, set, .. } => match value.parse() {
                Ok(number) if (min..=max).contains(&number) => set(session, number),
                _ => return Err(format!("option {}: '{value}' is not a whole number from {min} to {max}", self.name)),
            },
        }
        Ok(())
    }
}

/// Reads `name N value V`, the words after `setoption`.
fn parse(words: &str) -> Result<(&'static Spec, String), String> {
    let words: Vec<_> = words.split_ascii_whitespace().collect();
    let is = |wanted: &'static str| move |word: &&str| word.eq_ignore_ascii_case(wanted);
    let Some((_, rest)) = words.split_first().filter(|(first, _)| is("name")(first)) else {
        return Err("setoption: 'name' is expected after it".to_owned());
    };
    let split = rest.iter().position(is("value")).unwrap_or(rest.len());
    let (name, value) = rest.split_at(split);
    let name = name.join(" ");
    let value = value.iter().skip(1).copied().collect::<Vec<_>>().join(" ");
    let known = OPTIONS.iter().find(|spec| spec.name.eq_ignore_ascii_case(&name));
    Ok((known.ok_or_else(|| format!("no such option: '{name}'"))?, value))
}

/// Obeys `setoption` with these words. The error is what is wrong with them.
pub(super) fn set(session: &mut Session, words: &str) -> Result<(), String> {
    let (spec, value) = parse(words)?;
    spec.set(session, &value)
}

/// Reads `name Tune.NAME value V`.
#[cfg(feature = "tuning")]
pub(super) fn constant(words: &str) -> Option<(String, f32)> {
    let words: Vec<_> = words.split_ascii_whitespace().collect();
    match words[..] {
        [_, name, _, value] => Some((name.strip_prefix("Tune.")?.to_owned(), value.parse().ok()?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session() -> Session {
        Session::new(crate::protocol::Output::new(std::io::sink()), crate::engine::Model::default())
    }

    #[test]
    fn names_and_words_are_read_in_any_case() {
        let mut session = session();
        for words in ["NAME move overhead VALUE 20", "name Clear Hash", "name uci_showwdl value TRUE"] {
            assert_eq!(set(&mut session, words), Ok(()), "{words}");
        }
        assert_eq!((session.overhead, session.show_wdl), (Duration::from_millis(20), true));
    }

    #[test]
    fn a_session_begins_with_the_defaults() {
        let mut with_defaults = session();
        for spec in OPTIONS {
            let value = match spec.kind {
                Kind::Check { default, .. } => default.to_string(),
                Kind::Spin { default, .. } => default.to_string(),
                Kind::Variant(_) => variant::DEFAULT.name.to_owned(),
                Kind::File(_) => BUILT_IN.to_owned(),
                Kind::Button(_) => continue,
            };
            assert_eq!(set(&mut with_defaults, &format!("name {} value {value}", spec.name)), Ok(()));
        }
        assert_eq!(with_defaults.options(), session().options());
    }

    #[test]
    fn what_is_wrong_is_said() {
        let mut session = session();
        let mut error = |words| set(&mut session, words).err().unwrap_or_default();
        assert_eq!(error("Hash 5"), "setoption: 'name' is expected after it");
        assert_eq!(error("name Hush value 5"), "no such option: 'Hush'");
        assert_eq!(error("name Hash value 0"), "option Hash: '0' is not a whole number from 1 to 32768");
        assert_eq!(error("name Hash"), "option Hash: '' is not a whole number from 1 to 32768");
        assert_eq!(error("name Ponder value yes"), "option Ponder: 'yes' is neither true nor false");
        assert!(error("name UCI_Variant value chess").starts_with("unknown variant 'chess': known are amazons,"));
    }
}
