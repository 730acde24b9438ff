use super::strength;
use crate::games::variant;

/// What values an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`.
    Check {
        /// Value at the start.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// Value at the start.
        default: u64,
        /// Least value.
        min: u64,
        /// Greatest value.
        max: u64,
    },
    /// The name of a rule set.
    Variant,
    /// The name of a file.
    File,
    /// No value: setting it does something.
    Button,
}

/// Which option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Id {
    Variant,
    Threads,
    Hash,
    ClearHash,
    MultiPv,
    Ponder,
    MoveOverhead,
    ShowWdl,
    AnalyseMode,
    LimitStrength,
    Elo,
    Seed,
    OwnBook,
    EvalFile,
    DamoneTables,
}

/// An option as clients see it.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    pub(super) id: Id,
    /// Its name; upper and lower case are the same.
    pub name: &'static str,
    /// Its values.
    pub kind: Kind,
}

const fn spec(id: Id, name: &'static str, kind: Kind) -> Spec {
    Spec { id, name, kind }
}

/// All options, in the order in which they are listed.
pub const OPTIONS: &[Spec] = &[
    spec(Id::Variant, "UCI_Variant", Kind::Variant),
    spec(Id::Threads, "Threads", Kind::Spin { default: 1, min: 1, max: 1024 }),
    spec(Id::Hash, "Hash", Kind::Spin { default: 256, min: 1, max: 32_768 }),
    spec(Id::ClearHash, "Clear Hash", Kind::Button),
    spec(Id::MultiPv, "MultiPV", Kind::Spin { default: 1, min: 1, max: 500 }),
    spec(Id::Ponder, "Ponder", Kind::Check { default: false }),
    spec(Id::MoveOverhead, "Move Overhead", Kind::Spin { default: 10, min: 0, max: 5_000 }),
    spec(Id::ShowWdl, "UCI_ShowWDL", Kind::Check { default: false }),
    spec(Id::AnalyseMode, "UCI_AnalyseMode", Kind::Check { default: false }),
    spec(Id::LimitStrength, "UCI_LimitStrength", Kind::Check { default: false }),
    spec(
        Id::Elo,
        "UCI_Elo",
        Kind::Spin { default: strength::DEFAULT, min: strength::RANGE[0], max: strength::RANGE[1] },
    ),
    spec(Id::Seed, "Seed", Kind::Spin { default: 0, min: 0, max: i64::MAX as u64 }),
    spec(Id::OwnBook, "OwnBook", Kind::Check { default: false }),
    spec(Id::EvalFile, "EvalFile", Kind::File),
    spec(Id::DamoneTables, "DamoneTables", Kind::File),
];

/// What stands for the weights and tables that are built in.
pub(super) const BUILT_IN: &str = "<built-in>";

/// A value read for an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    Check(bool),
    Spin(u64),
    Variant(&'static variant::Variant),
    Press,
    Text(String),
}

impl Spec {
    /// The line that declares the option; UGI wants `lower_case` names.
    pub(super) fn declaration(&self, lower_case: bool) -> String {
        let name = if lower_case { self.name.to_lowercase() } else { self.name.to_owned() };
        let values = match self.kind {
            Kind::Check { default } => format!("check default {default}"),
            Kind::Spin { default, min, max } => format!("spin default {default} min {min} max {max}"),
            Kind::Button => "button".to_owned(),
            Kind::File => format!("string default {BUILT_IN}"),
            Kind::Variant => {
                let names = variant::names();
                let list: Vec<_> = names.iter().map(|name| format!("var {name}")).collect();
                format!("combo default {} {}", names.first().copied().unwrap_or_default(), list.join(" "))
            }
        };
        format!("option name {name} type {values}")
    }

    fn read(&self, value: &str) -> Result<Setting, String> {
        match self.kind {
            Kind::Button => Ok(Setting::Press),
            Kind::File => Ok(Setting::Text(value.to_owned())),
            Kind::Variant => variant::find(value).map(Setting::Variant).map_err(|error| error.to_string()),
            Kind::Check { .. } => match value.to_ascii_lowercase().as_str() {
                "true" => Ok(Setting::Check(true)),
                "false" => Ok(Setting::Check(false)),
                _ => Err(format!("option {}: '{value}' is neither true nor false", self.name)),
            },
            Kind::Spin { min, max, .. } => match value.parse() {
                Ok(number) if (min..=max).contains(&number) => Ok(Setting::Spin(number)),
                _ => Err(format!("option {}: '{value}' is not a whole number from {min} to {max}", self.name)),
            },
        }
    }
}

/// Reads `name N value V`, the words after `setoption`.
pub(super) fn parse(words: &str) -> Result<(Id, Setting), String> {
    let words: Vec<_> = words.split_ascii_whitespace().collect();
    let is = |wanted: &'static str| move |word: &&str| word.eq_ignore_ascii_case(wanted);
    let Some((first, rest)) = words.split_first().filter(|(first, _)| is("name")(first)) else {
        return Err("setoption: 'name' is expected after it".to_owned());
    };
    debug_assert!(is("name")(first));
    let split = rest.iter().position(is("value")).unwrap_or(rest.len());
    let (name, value) = rest.split_at(split);
    let name = name.join(" ");
    let value = value.iter().skip(1).copied().collect::<Vec<_>>().join(" ");
    let known = OPTIONS.iter().find(|spec| spec.name.eq_ignore_ascii_case(&name));
    let spec = known.ok_or_else(|| format!("no such option: '{name}'"))?;
    Ok((spec.id, spec.read(&value)?))
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
        assert_eq!(parse("NAME move overhead VALUE 20"), Ok((Id::MoveOverhead, Setting::Spin(20))));
        assert_eq!(parse("name Clear Hash"), Ok((Id::ClearHash, Setting::Press)));
        assert_eq!(parse("name uci_showwdl value TRUE"), Ok((Id::ShowWdl, Setting::Check(true))));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let error = |words| parse(words).err().unwrap_or_default();
        assert_eq!(error("Hash 5"), "setoption: 'name' is expected after it");
        assert_eq!(error("name Hush value 5"), "no such option: 'Hush'");
        assert_eq!(error("name Hash value 0"), "option Hash: '0' is not a whole number from 1 to 32768");
        assert_eq!(error("name Hash"), "option Hash: '' is not a whole number from 1 to 32768");
        assert_eq!(error("name Ponder value yes"), "option Ponder: 'yes' is neither true nor false");
        assert!(error("name UCI_Variant value chess").starts_with("unknown variant 'chess': known are amazons,"));
    }
}
