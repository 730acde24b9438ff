//! Engines described in a file: TOML with our keys, or the `engines.json` of cutechess.

use super::spec::{EngineSpec, MatchError};
use hippolyta::files;
use hippolyta::words::{self, Language};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;
use std::fmt;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

/// An engine of the file.
#[derive(Debug, PartialEq, Eq)]
struct Entry {
    name: String,
    /// As `--engine` takes them.
    words: Vec<String>,
}

/// The engines of a file, in its order.
///
/// ```
/// use hippolyta_lab::arena::EngineFile;
///
/// let text = "[each]\nst = 0.1\n\n[quick]\ncmd = \"self\"\noption.Hash = 16\n";
/// let engine_file = EngineFile::parse("engines.toml", text)?;
/// assert_eq!(engine_file.each(), ["st=0.1"]);
/// assert_eq!(engine_file.engines(&[])?, [["name=quick", "cmd=self", "option.Hash=16"]]);
/// # Ok::<(), hippolyta_lab::arena::MatchError>(())
/// ```
#[derive(Debug)]
pub struct EngineFile {
    file: String,
    each: Vec<String>,
    entries: Vec<Entry>,
    /// Names and protocols of engines that speak another one than ours.
    foreign: Vec<[String; 2]>,
}

/// A fault: the byte at which it is, and a message.
type Wrong = (usize, String);

impl EngineFile {
    /// Reads a file: JSON if its name ends so, else TOML.
    ///
    /// # Errors
    ///
    /// If it cannot be read or understood.
    pub fn read(path: &Path) -> Result<Self, MatchError> {
        let file = path.display().to_string();
        let text = std::fs::read(path).and_then(files::text).map_err(|error| MatchError(format!("{file}: {error}")))?;
        Self::parse(&file, &text)
    }

    /// Reads the text of the file named `file`: JSON if the name ends so, else TOML.
    ///
    /// # Errors
    ///
    /// If it cannot be understood.
    pub fn parse(file: &str, text: &str) -> Result<Self, MatchError> {
        let (each, entries, foreign) = (Vec::new(), Vec::new(), Vec::new());
        let mut engine_file = Self { file: file.to_owned(), each, entries, foreign };
        let is_json = Path::new(file).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
        let read = if is_json { engine_file.json(text) } else { engine_file.toml(text) };
        read.map_err(|(at, message)| {
            let before = text.as_bytes().get(..at).unwrap_or(text.as_bytes());
            let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
            MatchError(format!("{file}:{line}: {message}"))
        })?;
        if let Some(foreign) = engine_file.passed_over().next().filter(|_| engine_file.entries.is_empty()) {
            return Err(MatchError(format!("{file}: no engine there speaks UCI or UGI: {foreign}")));
        }
        if engine_file.entries.is_empty() {
            return Err(MatchError(format!("{file}: no engine is described there")));
        }
        Ok(engine_file)
    }

    /// A line on each engine of the file that is passed over, as its protocol is not known here.
    pub fn passed_over(&self) -> impl Iterator<Item = String> {
        self.foreign.iter().map(|[name, protocol]| format!("'{name}' is passed over, as it speaks {protocol}"))
    }

    /// The words for every engine.
    pub fn each(&self) -> &[String] {
        &self.each
    }

    /// The words of the engines that play: all of the file if `chosen` is empty, else those that are chosen. There the
    /// word `conf=NAME` stands for all words of the engine with that name; what stands beside it comes after them.
    ///
    /// # Errors
    ///
    /// If the file has no engine of a name.
    pub fn engines(&self, chosen: &[Vec<String>]) -> Result<Vec<Vec<String>>, MatchError> {
        if chosen.is_empty() {
            return Ok(self.entries.iter().map(|entry| entry.words.clone()).collect());
        }
        let words = |words: &Vec<String>| {
            let (names, own): (Vec<_>, Vec<_>) = words.iter().partition(|word| word.starts_with("conf="));
            let mut all = Vec::new();
            for name in names.iter().filter_map(|word| word.strip_prefix("conf=")) {
                if let Some([_, protocol]) = self.foreign.iter().find(|[foreign, _]| foreign == name) {
                    let file = &self.file;
                    return Err(MatchError(format!("conf={name}: {file}: it speaks {protocol}, not UCI or UGI")));
                }
                let Some(entry) = self.entries.iter().find(|entry| entry.name == name) else {
                    let known: Vec<_> = self.entries.iter().map(|entry| entry.name.as_str()).collect();
                    let (file, known) = (&self.file, known.join(", "));
                    return Err(MatchError(format!("conf={name}: {file} has no such engine; it has {known}")));
                };
                all.extend_from_slice(&entry.words);
            }
            all.extend(own.into_iter().cloned());
            Ok(all)
        };
        chosen.iter().map(words).collect()
    }

    fn add(&mut self, at: usize, words: Vec<String>) -> Result<(), Wrong> {
        let find = |key: &str| words.iter().rev().find_map(|word| word.strip_prefix(key));
        let Some(name) = find("name=").map(str::to_owned) else {
            return Err((at, "name: an engine needs one".to_owned()));
        };
        if find("cmd=").is_none() && !self.each.iter().any(|word| word.starts_with("cmd=")) {
            return Err((at, format!("{name}: cmd is missing, the program")));
        }
        if self.entries.iter().any(|entry| entry.name == name) {
            return Err((at, format!("{name}: a second engine of this name")));
        }
        self.entries.push(Entry { name, words });
        Ok(())
    }

    fn toml(&mut self, text: &str) -> Result<(), Wrong> {
        let at = |error: toml::de::Error| {
            let place = error.span().map_or(0, |span| span.start);
            (place, words::plain(error.message(), Language::Toml))
        };
        let document = DeTable::parse(text).map_err(at)?;
        let mut tables: Vec<_> = document.get_ref().iter().collect();
        tables.sort_by_key(|(name, _)| name.span().start);
        // The table for all engines comes first, wherever it stands.
        tables.sort_by_key(|(name, _)| name.get_ref() != "each");
        for (name, value) in tables {
            let (at, name) = (name.span().start, name.get_ref());
            let Some(table) = value.get_ref().as_table() else {
                return Err((at, format!("{name}: a table is expected, as in [{name}], with the keys of an engine")));
            };
            let mut words = Vec::new();
            let mut keys: Vec<_> = table.iter().collect();
            keys.sort_by_key(|(key, _)| key.span().start);
            for (key, value) in keys {
                toml_words(name, key, value, &mut words)?;
            }
            if name == "each" {
                self.each = words;
            } else {
                if !words.iter().any(|word| word.starts_with("name=")) {
                    words.insert(0, format!("name={name}"));
                }
                self.add(at, words)?;
            }
        }
        Ok(())
    }

    fn json(&mut self, text: &str) -> Result<(), Wrong> {
        for engine in parsed::<Vec<&RawValue>>(text, text, "a list of engines")? {
            let mut words = Vec::new();
            let members = parsed::<Members<'_>>(text, engine.get(), "an object")?.0;
            let member = |wanted: &str| {
                let find =
                    |(key, _): &&(&RawValue, _)| serde_json::from_str(key.get()).is_ok_and(|key: String| key == wanted);
                let (_, value) = members.iter().rev().find(find)?;
                serde_json::from_str::<String>(value.get()).ok()
            };
            if let (Some(name), Some(protocol)) = (member("name"), member("protocol"))
                && EngineSpec::check(&format!("proto={protocol}")).is_err()
            {
                self.foreign.push([name, protocol]);
                continue;
            }
            for (key, value) in members {
                json_words(text, key, value, &mut words)?;
            }
            self.add(place(text, engine.get()), words)?;
        }
        Ok(())
    }
}

/// Adds a word if an engine understands it.
fn push(words: &mut Vec<String>, at: usize, key: &str, word: String) -> Result<(), Wrong> {
    EngineSpec::check(&word).map_err(|error| (at, format!("{key}: {error}")))?;
    words.push(word);
    Ok(())
}

/// The words of one key of an engine's table.
fn toml_words(
    engine: &str,
    key: &Spanned<DeString<'_>>,
    value: &Spanned<DeValue<'_>>,
    words: &mut Vec<String>,
) -> Result<(), Wrong> {
    let (at, name) = (key.span().start, key.get_ref().as_ref());
    let full = format!("{engine}.{name}");
    match (name, value.get_ref()) {
        ("option" | "options", DeValue::Table(options)) => {
            let mut options: Vec<_> = options.iter().collect();
            options.sort_by_key(|(option, _)| option.span().start);
            for (option, value) in options {
                let (at, option) = (option.span().start, option.get_ref());
                let full = format!("{full}.{option}");
                let text = plain(value.get_ref()).ok_or_else(|| (at, format!("{full}: one value is expected")))?;
                push(words, at, &full, format!("option.{option}={text}"))?;
            }
            Ok(())
        }
        ("option" | "options", _) => Err((at, format!("{full}: a table is expected, as in option.Hash = 64"))),
        ("arg" | "args", DeValue::Array(all)) => {
            for value in all.iter() {
                let text = plain(value.get_ref());
                let text = text.ok_or_else(|| (value.span().start, format!("{full}: a list of texts is expected")))?;
                push(words, at, &full, format!("arg={text}"))?;
            }
            Ok(())
        }
        (_, value) => {
            let text = plain(value).ok_or_else(|| (at, format!("{full}: one value is expected")))?;
            let name = if name == "args" { "arg" } else { name };
            push(words, at, &full, format!("{name}={text}"))
        }
    }
}

/// A value of TOML as it stands in a word.
fn plain(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) => Some(i64::from_str_radix(number.as_str(), number.radix()).ok()?.to_string()),
        DeValue::Float(number) => Some(number.as_str().to_owned()),
        DeValue::Boolean(truth) => Some(truth.to_string()),
        DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => None,
    }
}

/// A value of JSON as it stands in a word.
fn plain_json(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// The words of one key of an engine of cutechess. Our own keys are understood as well. `text` is the whole file, `key`
/// and `value` are parts of it.
fn json_words(text: &str, key: &RawValue, value: &RawValue, words: &mut Vec<String>) -> Result<(), Wrong> {
    let at = place(text, key.get());
    let key: &str = &parsed::<String>(text, key.get(), "a text")?;
    if key == "options" {
        for option in parsed::<Vec<&RawValue>>(text, value.get(), "a list of options")? {
            let (mut name, mut value, mut at) = (None, None, place(text, option.get()));
            for (key, found) in parsed::<Members<'_>>(text, option.get(), "an object")?.0 {
                match parsed::<String>(text, key.get(), "a text")?.as_str() {
                    "name" => (name, at) = (plain_json(&parsed(text, found.get(), "a value")?), place(text, key.get())),
                    "value" => value = plain_json(&parsed(text, found.get(), "a value")?),
                    // Declared by the engine: the type, bounds, the default.
                    _ => {}
                }
            }
            let name = name.ok_or_else(|| (at, "options: an option has no name".to_owned()))?;
            // Buttons have no value.
            if let Some(value) = value {
                push(words, at, &format!("options.{name}"), format!("option.{name}={value}"))?;
            }
        }
        return Ok(());
    }
    let value: Value = parsed(text, value.get(), "a value")?;
    let one = || plain_json(&value).ok_or_else(|| (at, format!("{key}: one value is expected")));
    let texts = || match &value {
        Value::Array(all) => all.iter().map(plain_json).collect::<Option<Vec<_>>>(),
        one => plain_json(one).map(|one| vec![one]),
    };
    let texts = || texts().ok_or_else(|| (at, format!("{key}: a list of texts is expected")));
    let name = match key {
        "command" => "cmd",
        "workingDirectory" if value.as_str().is_some_and(str::is_empty) => return Ok(()),
        "workingDirectory" => "dir",
        "protocol" => "proto",
        "arg" | "args" | "arguments" => {
            return texts()?.into_iter().try_for_each(|text| push(words, at, key, format!("arg={text}")));
        }
        "initStrings" => {
            for text in texts()?.iter().flat_map(|text| text.lines()) {
                let option = text.trim().strip_prefix("setoption name ").and_then(|rest| rest.split_once(" value "));
                let (name, value) =
                    option.ok_or_else(|| (at, format!("{key}: '{text}' is no setoption name … value …")))?;
                push(words, at, key, format!("option.{}={}", name.trim(), value.trim()))?;
            }
            return Ok(());
        }
        // Unless it is asked for, engines are started anew after a fault only.
        "restart" if value != "on" => return Ok(()),
        // Of no meaning for a referee that knows the rules and takes scores as UCI has them.
        "stderrFile" | "whitepov" | "variants" | "validateClaims" | "debug" => return Ok(()),
        own => own,
    };
    push(words, at, key, format!("{name}={}", one()?))
}

/// Reads `part` of the JSON `text`, which should be `wanted`.
fn parsed<'a, T: Deserialize<'a>>(text: &str, part: &'a str, wanted: &str) -> Result<T, Wrong> {
    serde_json::from_str(part).map_err(|error| {
        let lines = part.split_inclusive('\n').take(error.line().saturating_sub(1));
        let at = place(text, part) + lines.map(str::len).sum::<usize>();
        if error.is_data() {
            return (at, format!("{wanted} is expected"));
        }
        let said = error.to_string();
        (at, words::plain(said.split(" at line ").next().unwrap_or_default(), Language::Json))
    })
}

/// The byte of `text` at which `part` of it begins.
fn place(text: &str, part: &str) -> usize {
    part.as_ptr().addr() - text.as_ptr().addr()
}

/// The keys and values of a JSON object in their order, as they stand in the text.
struct Members<'a>(Vec<(&'a RawValue, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InMatchOptions;
        impl<'de> Visitor<'de> for InMatchOptions {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(InMatchOptions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOML: &str = "\
# all of them
[each]
tc = \"10+0.1\"
option.Hash = 64

[new]
cmd = \"./new\"
args = [\"-x\", \"y z\"]
option.Threads = 2
st = 0.5

[\"old one\"]
cmd = \"./old\"
[\"old one\".options]
\"Move Overhead\" = 0x10
OwnBook = true
";

    #[test]
    fn tables_are_engines_with_the_keys_of_the_command_line() {
        let engine_file = EngineFile::parse("e.toml", TOML).unwrap();
        assert_eq!(engine_file.each(), ["tc=10+0.1", "option.Hash=64"]);
        let all = engine_file.engines(&[]).unwrap();
        assert_eq!(all[0], ["name=new", "cmd=./new", "arg=-x", "arg=y z", "option.Threads=2", "st=0.5"]);
        assert_eq!(all[1], ["name=old one", "cmd=./old", "option.Move Overhead=16", "option.OwnBook=true"]);
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let chosen = engine_file.engines(&[words("conf=new st=2"), words("cmd=self nodes=5")]).unwrap();
        assert_eq!(chosen[0].last().unwrap(), "st=2");
        assert_eq!(chosen[1], ["cmd=self", "nodes=5"]);
        let error = engine_file.engines(&[words("conf=newer")]).unwrap_err();
        assert_eq!(error.to_string(), "conf=newer: e.toml has no such engine; it has new, old one");
        assert_eq!(EngineSpec::parse(engine_file.each(), &all[0]).unwrap().arguments, ["-x", "y z"]);
    }

    #[test]
    fn engines_of_cutechess_are_understood() {
        let text = r#"[
    {
        "command" : "./fairy",
        "name" : "Fairy",
        "options" : [
            { "default" : 16, "max" : 1024, "min" : 1, "name" : "Hash", "type" : "spin", "value" : 64 },
            { "name" : "Clear Hash", "type" : "button" },
            { "alias": "", "name" : "Ponder", "type" : "check", "value" : false }
        ],
        "protocol" : "uci",
        "initStrings" : ["setoption name Threads value 2"],
        "stderrFile" : "",
        "variants" : ["amazons"],
        "workingDirectory" : "/opt/fairy"
    },
    {"name": "b", "command": "self", "workingDirectory": "", "args": ["--playouts"], "nodes": 50}
]
"#;
        let engine_file = EngineFile::parse("engines.json", text).unwrap();
        let all = engine_file.engines(&[]).unwrap();
        let first =
            "cmd=./fairy name=Fairy option.Hash=64 option.Ponder=false proto=uci option.Threads=2 dir=/opt/fairy";
        assert_eq!(all[0].join(" "), first);
        assert_eq!(all[1], ["name=b", "cmd=self", "arg=--playouts", "nodes=50"]);
    }

    #[test]
    fn engines_of_other_protocols_are_passed_over_unless_one_is_chosen() {
        let text = r#"[{"name": "old", "command": "crafty", "protocol": "xboard", "initStrings": ["xboard", "st 5"]},
            {"name": "new", "command": "./new", "protocol": "uci"}]"#;
        let engine_file = EngineFile::parse("engines.json", text).unwrap();
        assert_eq!(engine_file.engines(&[]).unwrap(), [["name=new", "cmd=./new", "proto=uci"]]);
        assert_eq!(engine_file.passed_over().collect::<Vec<_>>(), ["'old' is passed over, as it speaks xboard"]);
        let chosen = |name: &str| engine_file.engines(&[vec![format!("conf={name}")]]);
        assert!(chosen("new").is_ok());
        assert_eq!(chosen("old").unwrap_err().to_string(), "conf=old: engines.json: it speaks xboard, not UCI or UGI");
    }

    #[test]
    fn mistakes_have_file_line_and_key() {
        let error = |file: &str, text: &str| EngineFile::parse(file, text).unwrap_err().to_string();
        let toml = |text: &str| error("e.toml", text);
        assert_eq!(
            toml("[a]\ncmd = \"x\"\ntc = \"soon\"\n"),
            "e.toml:3: a.tc: 'tc=soon': [MOVES/]TIME[+INCREMENT] in seconds, such as 10+0.1, is expected"
        );
        assert!(toml("[a]\ncmd = \"x\"\n\nclock = 5\n").starts_with("e.toml:4: a.clock: 'clock=5': unknown key"));
        assert_eq!(toml("[a]\nst = 1\n"), "e.toml:1: a: cmd is missing, the program");
        assert_eq!(
            toml("\ncmd = \"x\"\n"),
            "e.toml:2: cmd: a table is expected, as in [cmd], with the keys of an engine"
        );
        assert!(toml("[a]\ncmd = \"x\"\n[a]\n").starts_with("e.toml:3: "));
        assert!(toml("[a]\ncmd = x\n").starts_with("e.toml:2: "));
        assert_eq!(toml("[a]\ncmd = [1]\n"), "e.toml:2: a.cmd: one value is expected");
        assert_eq!(toml("[a]\ncmd=\"x\"\n[b]\ncmd=\"x\"\nname=\"a\"\n"), "e.toml:3: a: a second engine of this name");
        assert_eq!(toml("# nothing\n[each]\nst = 1\n"), "e.toml: no engine is described there");
        let json = |text: &str| error("e.json", text);
        assert_eq!(
            json("[{\"name\": \"a\",\n\"command\": \"x\",\n\"protocol\": \"xboard\"}]"),
            "e.json: no engine there speaks UCI or UGI: 'a' is passed over, as it speaks xboard"
        );
        assert!(json("[{\"name\": \"a\",\n\"colour\": 1}]").starts_with("e.json:2: colour: 'colour=1': unknown key"));
        assert_eq!(json("[\n{\"command\": \"x\"}]"), "e.json:2: name: an engine needs one");
        assert!(json("[{\"name\": \"a\",\n\"command\": x}]").starts_with("e.json:2: expected value"));
        assert_eq!(json("{}"), "e.json:1: a list of engines is expected");
        assert_eq!(json("[\n5]"), "e.json:2: an object is expected");
        assert_eq!(json("[]\n[]"), "e.json:2: trailing characters");
        assert_eq!(json("[{\"name\": \"a\", \"command\": \"b\"}\n"), "e.json:2: EOF while parsing a list");
        assert_eq!(
            json("[{\"name\":\"a\",\"command\":\"b\",\n\"initStrings\":[\"xboard\"]}]"),
            "e.json:2: initStrings: 'xboard' is no setoption name … value …"
        );
    }
}
