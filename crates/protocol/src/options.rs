use hippolyta::engine::{DEFAULT_ELO, ELO_RANGE};
use hippolyta::games::general::RulesFile;
use hippolyta::games::variant::{self, Variant};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::PathBuf;
use std::time::Duration;

/// A change that a client asks for with `setoption`.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Rule sets of one's own from a file, to be offered beside those built in; without a file none.
    Rules(Option<PathBuf>),
    /// Another rule set.
    Variant(Variant),
    /// Threads of a search.
    Threads(usize),
    /// Memory of the search, MiB.
    Hash(usize),
    /// Results of earlier searches are forgotten.
    ClearHash,
    /// Lines to report.
    MultiPv(usize),
    /// Subtracted from the time of each turn.
    MoveOverhead(Duration),
    /// Whether reports have chances of win, draw and loss.
    ShowWdl(bool),
    /// Whether [`Elo`](Self::Elo) counts.
    LimitStrength(bool),
    /// A rating to play at.
    Elo(u32),
    /// Seed of the search.
    Seed(u64),
    /// Points by which turns of the opening may be worse than the best.
    Variety(u32),
    /// Whether turns that are images of each other count as one.
    MergeMirrored(bool),
    /// Whether turns of the book are played.
    OwnBook(bool),
    /// A book; without a file none.
    Book(Option<PathBuf>),
    /// Weights; without a file those that are built in.
    Weights(Option<PathBuf>),
    /// Endgame tables of Damone; without a file none.
    DamoneTables(Option<PathBuf>),
    /// A net that the host loads; without a name the evaluation that the session began with.
    Net(Option<PathBuf>),
    /// Tells what the client does; nothing here depends on it.
    Nothing,
}

/// The values that an option takes, and the change that a value asks for.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// `true` or `false`; `false` at the start.
    Check(fn(bool) -> Change),
    /// A whole number.
    Spin {
        /// Value at the start.
        default: u64,
        /// Least value.
        min: u64,
        /// Greatest value.
        max: u64,
        #[allow(missing_docs)]
        change: fn(u64) -> Change,
    },
    /// The name of a rule set.
    Variant,
    /// The name of a file; `None` for what is built in.
    File(fn(Option<PathBuf>) -> Change),
    /// No value: setting it does something.
    Button(fn() -> Change),
}

/// An option as clients see it.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// Its name; upper and lower case are the same.
    pub name: &'static str,
    /// Its values, and what they ask for.
    pub kind: Kind,
}

const fn spec(name: &'static str, kind: Kind) -> Spec {
    Spec { name, kind }
}

const fn spin(name: &'static str, default: u64, min: u64, max: u64, change: fn(u64) -> Change) -> Spec {
    Spec { name, kind: Kind::Spin { default, min, max, change } }
}

/// The most points by which a turn of the opening may be shown worse than the best.
pub(super) const MOST_VARIETY: u64 = 50;

/// The seed of a client that has chosen none: with variety another one each time, so that no two games need be alike.
pub(super) fn seed_of_variety(points: u32) -> u64 {
    if points == 0 { 0 } else { RandomState::new().build_hasher().finish() >> 1 }
}

const ELO: [u64; 3] = [DEFAULT_ELO as u64, ELO_RANGE[0] as u64, ELO_RANGE[1] as u64];

/// All options, in the order in which they are listed.
pub const OPTIONS: &[Spec] = &[
    // Before the rule sets that it adds: some clients set options in this order.
    spec("VariantPath", Kind::File(Change::Rules)),
    spec("UCI_Variant", Kind::Variant),
    spin("Threads", 1, 1, 1024, |threads| Change::Threads(threads as usize)),
    spin("Hash", 256, 1, 32_768, |hash| Change::Hash(hash as usize)),
    spec("Clear Hash", Kind::Button(|| Change::ClearHash)),
    spin("MultiPV", 1, 1, 500, |lines| Change::MultiPv(lines as usize)),
    spec("MergeMirrored", Kind::Check(Change::MergeMirrored)),
    spec("Ponder", Kind::Check(|_| Change::Nothing)),
    spin("Move Overhead", 10, 0, 5_000, |time| Change::MoveOverhead(Duration::from_millis(time))),
    spec("UCI_ShowWDL", Kind::Check(Change::ShowWdl)),
    spec("UCI_AnalyseMode", Kind::Check(|_| Change::Nothing)),
    spec("UCI_LimitStrength", Kind::Check(Change::LimitStrength)),
    spin("UCI_Elo", ELO[0], ELO[1], ELO[2], |elo| Change::Elo(elo as u32)),
    spin("Seed", 0, 0, i64::MAX as u64, Change::Seed),
    spin("Variety", 0, 0, MOST_VARIETY, |points| Change::Variety(points as u32)),
    spec("OwnBook", Kind::Check(Change::OwnBook)),
    spec("BookFile", Kind::File(Change::Book)),
    spec("EvalFile", Kind::File(Change::Weights)),
    spec("DamoneTables", Kind::File(Change::DamoneTables)),
];

/// The option of a session whose host loads nets.
pub(super) const EVAL_NET: Spec = spec("EvalNet", Kind::File(Change::Net));

/// The value that stands for the weights, tables and books that are built in.
const BUILT_IN: &str = "<built-in>";

impl Spec {
    /// The line that declares the option, where `own` are rule sets from a file; UGI wants `lower_case` names.
    pub(super) fn declaration(&self, lower_case: bool, own: &RulesFile) -> String {
        let name = if lower_case { self.name.to_lowercase() } else { self.name.to_owned() };
        let values = match self.kind {
            Kind::Check(_) => "check default false".to_owned(),
            Kind::Spin { default, min, max, .. } => format!("spin default {default} min {min} max {max}"),
            Kind::Button(_) => "button".to_owned(),
            Kind::File(_) => format!("string default {BUILT_IN}"),
            Kind::Variant => {
                let own = own.sets.iter().map(|set| set.name.as_str());
                let list: String = variant::names().into_iter().chain(own).map(|name| format!(" var {name}")).collect();
                format!("combo default {}{list}", variant::DEFAULT.name())
            }
        };
        format!("option name {name} type {values}")
    }

    /// The change that a value asks for.
    fn read(&self, value: &str, own: &RulesFile) -> Result<Change, String> {
        Ok(match self.kind {
            Kind::Button(change) => change(),
            Kind::File(change) => {
                change(Some(value).filter(|path| !["", "<empty>", BUILT_IN].contains(path)).map(PathBuf::from))
            }
            Kind::Variant => Change::Variant(own.choose(Some(value)).map_err(|error| error.to_string())?),
            Kind::Check(change) => match value.to_ascii_lowercase().as_str() {
                "true" => change(true),
                "false" => change(false),
                _ => return Err(format!("option {}: '{value}' is neither true nor false", self.name)),
            },
            Kind::Spin { min, max, change, .. } => match value.parse() {
                Ok(number) if (min..=max).contains(&number) => change(number),
                _ => return Err(format!("option {}: '{value}' is not a whole number from {min} to {max}", self.name)),
            },
        })
    }
}

/// The change that `setoption` with these words asks for, where `own` are rule sets from a file and `specs` all
/// options. The error is the fault of the words.
pub(super) fn read<'a>(
    words: &str,
    own: &RulesFile,
    mut specs: impl Iterator<Item = &'a Spec>,
) -> Result<Change, String> {
    let words: Vec<_> = words.split_ascii_whitespace().collect();
    let is = |wanted: &'static str| move |word: &&str| word.eq_ignore_ascii_case(wanted);
    let Some((_, rest)) = words.split_first().filter(|(first, _)| is("name")(first)) else {
        return Err("setoption: 'name' is expected after it".to_owned());
    };
    let split = rest.iter().position(is("value")).unwrap_or(rest.len());
    let (name, value) = rest.split_at(split);
    let name = name.join(" ");
    let known = specs.find(|spec| spec.name.eq_ignore_ascii_case(&name));
    let spec = known.ok_or_else(|| format!("no such option: '{name}'"))?;
    spec.read(&value.iter().skip(1).copied().collect::<Vec<_>>().join(" "), own)
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

    #[test]
    fn names_and_words_are_read_in_any_case() {
        for (words, change) in [
            ("NAME move overhead VALUE 20", Change::MoveOverhead(Duration::from_millis(20))),
            ("name Clear Hash", Change::ClearHash),
            ("name uci_showwdl value TRUE", Change::ShowWdl(true)),
            ("name EvalFile value my weights.bin", Change::Weights(Some("my weights.bin".into()))),
            ("name EvalFile value <built-in>", Change::Weights(None)),
        ] {
            assert_eq!(read(words, &RulesFile::default(), OPTIONS.iter()), Ok(change), "{words}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let error = |words| read(words, &RulesFile::default(), OPTIONS.iter()).err().unwrap_or_default();
        assert_eq!(error("Hash 5"), "setoption: 'name' is expected after it");
        assert_eq!(error("name Hush value 5"), "no such option: 'Hush'");
        assert_eq!(error("name Hash value 0"), "option Hash: '0' is not a whole number from 1 to 32768");
        assert_eq!(error("name Hash"), "option Hash: '' is not a whole number from 1 to 32768");
        assert_eq!(error("name Ponder value yes"), "option Ponder: 'yes' is neither true nor false");
        assert!(error("name UCI_Variant value chess").starts_with("unknown variant 'chess': known are amazons,"));
    }
}
