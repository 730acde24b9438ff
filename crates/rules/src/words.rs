//! Words of messages: texts of others that messages quote, and messages of the readers of JSON and TOML.
//!
//! Whoever quotes a text shows it by [`shown`]. Whoever writes a message where people read it, on a terminal or in a
//! protocol, makes it one line by [`one_line`], whatever is quoted in it.

use std::fmt::Write;

/// Letters of a text that a message quotes.
const QUOTED: usize = 80;
/// Letters of a message: the first, and if there are more the last, which say what is wrong.
const BEGINNING: usize = 400;
const END: usize = 200;

/// A text of somebody else's as it stands in a message: the beginning, with an ellipsis if it goes on. What a terminal
/// would obey, and signs that turn text round or cannot be seen, are escaped.
///
/// ```
/// use hippolyta_rules::words::shown;
///
/// assert_eq!(shown("Zoë"), "Zoë");
/// assert_eq!(shown("\u{1b}[2J\n\u{202e}"), r"\u001b[2J\n\u202e");
/// assert_eq!(shown(&"x".repeat(1_000_000)), format!("{}…", "x".repeat(80)));
/// ```
#[must_use]
pub fn shown(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => escaped(text.get(..end).unwrap_or_default(), false) + "…",
        None => escaped(text, false),
    }
}

/// A message as one line of bounded length, whatever it quotes. Of a long one the beginning and the end are left.
///
/// ```
/// use hippolyta_rules::words::one_line;
///
/// assert_eq!(one_line("a\r\nb"), r"a\r\nb");
/// let long = one_line(&format!("name: {}: too long", "x".repeat(1_000_000)));
/// assert!(long.starts_with("name: xxx") && long.ends_with("xxx: too long") && long.len() < 700);
/// ```
#[must_use]
pub fn one_line(message: &str) -> String {
    let letters = message.chars().count();
    let place = |letter: usize| message.char_indices().nth(letter).map_or(message.len(), |(place, _)| place);
    if letters <= BEGINNING + END {
        return escaped(message, false);
    }
    let [beginning, end] = [&message[..place(BEGINNING)], &message[place(letters - END)..]];
    format!("{} … {}", escaped(beginning, false), escaped(end, false))
}

/// A text of several lines for a terminal, of which it obeys nothing but the ends of lines.
///
/// ```
/// assert_eq!(hippolyta_rules::words::lines("one\ntwo\u{7}"), "one\ntwo\\u0007");
/// ```
#[must_use]
pub fn lines(text: &str) -> String {
    escaped(text, true)
}

/// Whether a sign is no letter that is seen where it stands: a terminal obeys it, or it changes how others are seen.
#[must_use]
pub fn is_hidden(sign: char) -> bool {
    let turns_or_hides = matches!(
        sign,
        '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
    );
    sign.is_control() || turns_or_hides
}

fn escaped(text: &str, keeps_lines: bool) -> String {
    let mut all = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '\n' if !keeps_lines => all.push_str("\\n"),
            '\r' => all.push_str("\\r"),
            '\t' if !keeps_lines => all.push_str("\\t"),
            '\n' | '\t' => all.push(sign),
            _ if is_hidden(sign) => {
                // A text takes everything.
                let _ = write!(all, "\\u{:04x}", u32::from(sign));
            }
            _ => all.push(sign),
        }
    }
    all
}

/// The language of a text that cannot be read: what its parts are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Objects with fields.
    Json,
    /// Tables with keys.
    Toml,
}

/// Serde's message about a text, without its names for kinds of values and for parts of our code.
///
/// ```
/// use hippolyta_rules::words::{Language::*, plain};
///
/// assert_eq!(plain("invalid type: integer `5`, expected a string", Json), "a string is expected, not 5");
/// assert_eq!(plain("invalid type: sequence, expected struct Table", Toml), "a table is expected, not an array");
/// assert_eq!(plain("unknown variant `x`, expected `a` or `b`", Json), "'x' is none of a, b");
/// assert_eq!(plain("unknown field `x`, expected `a`", Toml), "'x' is no key here: known are a");
/// assert_eq!(plain("wanted string or table", Toml), "a text in quotes is expected");
/// ```
#[must_use]
pub fn plain(message: &str, language: Language) -> String {
    let (object, field) = match language {
        Language::Json => ("an object", "field"),
        Language::Toml => ("a table", "key"),
    };
    let message = message.trim_end();
    // A word that begins as nan and inf, the numbers of TOML, do.
    if message.starts_with("invalid float") {
        return "a text needs quotes, as in \"N\"".to_owned();
    }
    // A value of any kind where one of some words is expected.
    if message == "wanted string or table" {
        return "a text in quotes is expected".to_owned();
    }
    if message.starts_with("recursion limit") || message.starts_with("cannot recurse further") {
        return "more brackets or names are inside each other than can be read".to_owned();
    }
    let quoted = |start: &str| message.strip_prefix(start)?.split_once('`');
    if let Some((word, rest)) = quoted("unknown variant `") {
        return format!("'{}' is none of {}", shown(word), names(rest));
    }
    if let Some((word, rest)) = quoted("unknown field `") {
        return format!("'{}' is no {field} here: known are {}", shown(word), names(rest));
    }
    if let Some((word, _)) = quoted("missing field `") {
        return format!("the {field} '{word}' is missing");
    }
    if let Some((word, _)) = quoted("duplicate field `") {
        return format!("the {field} '{}' is there twice", shown(word));
    }
    if message.starts_with("data did not match any variant") {
        return format!("{object} with other fields is expected");
    }
    let told = ["invalid type: ", "invalid value: "].iter().find_map(|words| message.strip_prefix(words));
    if let Some((found, wanted)) = told.and_then(|told| told.rsplit_once(", expected ")) {
        return format!("{} is expected, not {}", expected(wanted, object), found_value(found, object));
    }
    let length = message.strip_prefix("invalid length ").and_then(|told| told.split_once(", expected "));
    if let Some((length, wanted)) = length {
        return format!("{} is expected, not {length} entries", expected(wanted, object));
    }
    let lines: Vec<_> = message.lines().map(|line| line.replace('`', "'")).collect();
    one_line(&lines.join(", "))
}

/// The names of a list of Serde's: "`a`, `b` or `c`".
fn names(list: &str) -> String {
    list.split('`').skip(1).step_by(2).collect::<Vec<_>>().join(", ")
}

/// A value that was found, in Serde's words.
fn found_value(found: &str, object: &str) -> String {
    let bare = ["integer `", "floating point `", "boolean `", "character `"].iter();
    if let Some(bare) = bare.filter_map(|kind| found.strip_prefix(kind)?.strip_suffix('`')).next() {
        return shown(bare);
    }
    match found {
        "sequence" => "an array".to_owned(),
        "map" => object.to_owned(),
        "null" | "unit value" => "null".to_owned(),
        _ => match found.strip_prefix("string ") {
            Some(text) => shown(text),
            None => "a value of another kind".to_owned(),
        },
    }
}

/// The kind of value that was expected, in Serde's words or in our own.
fn expected(wanted: &str, object: &str) -> String {
    let number =
        |signs: &str| wanted.strip_prefix(signs).is_some_and(|bits| bits == "size" || bits.parse::<u8>().is_ok());
    let entries = |words: &str| wanted.rsplit_once(words).map(|(_, count)| count.trim_end_matches(" elements"));
    let words = match wanted {
        "a map" | "map" => object,
        "a sequence" | "sequence" => "an array",
        "a boolean" | "bool" => "true or false",
        "a character" | "char" => "one letter",
        "unit" | "null" => "null",
        "string or map" => "a string",
        "a borrowed string" | "a path string" | "string" | "field identifier" | "variant identifier" => "a string",
        "value" | "option" => "a value",
        _ if wanted.starts_with("struct ") => object,
        _ if wanted.starts_with("enum ") => "a string",
        _ if wanted.starts_with("unit struct ") => "null",
        _ if wanted.starts_with("a nonzero ") => "a whole number from 1",
        _ if number("u") => match wanted {
            "u8" => "a whole number from 0 to 255",
            "u16" => "a whole number from 0 to 65535",
            "u32" => "a whole number from 0 to 4294967295",
            _ => "a whole number from 0",
        },
        _ if number("i") => "a whole number",
        _ if number("f") => "a number",
        _ => match entries("a tuple of size ")
            .or(entries("an array of length "))
            .or(wanted.strip_prefix("tuple ").and_then(|_| entries(" with ")))
        {
            Some(count) => return format!("an array of {count} entries"),
            None if wanted.starts_with("tuple ") => "an array",
            None => return wanted.replace('`', "'"),
        },
    };
    words.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use std::collections::BTreeMap;
    use std::num::NonZeroU32;

    #[test]
    #[allow(dead_code, reason = "the types are only read")]
    fn no_message_has_names_of_the_code() {
        #[derive(Debug, Default, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        struct Everything {
            _flag: bool,
            _small: u8,
            _count: usize,
            _least: Option<NonZeroU32>,
            _signed: i64,
            _share: f32,
            _letter: char,
            _text: String,
            _word: Word,
            _pair: (u8, String),
            _three: [u8; 3],
            _list: Vec<u16>,
            _wrapped: Wrapped,
            _inner: Inner,
            _named: BTreeMap<String, u64>,
            _nothing: (),
            _either: Option<Either>,
        }
        #[derive(Debug, Default, Deserialize)]
        struct Wrapped(u8, u8);
        #[derive(Debug, Default, Deserialize)]
        struct Inner {
            _needed: u32,
        }
        #[derive(Debug, Default, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        enum Word {
            #[default]
            OneWord,
            _Other(u8),
        }
        #[derive(Debug, Deserialize)]
        #[serde(untagged)]
        enum Either {
            _Number(u8),
            _Text(String),
        }
        let fields = [
            "flag", "small", "count", "least", "signed", "share", "letter", "text", "word", "pair", "three", "list",
            "wrapped", "inner", "named", "nothing", "either",
        ];
        let values = [
            "null",
            "true",
            "-5",
            "300",
            "1e30",
            "2.5",
            "\"x\"",
            "[]",
            "[1]",
            "[true,true]",
            "[1,2,3,4]",
            "{}",
            "{\"x\":[]}",
        ];
        let mut seen = 0;
        let mut check = |message: String, language: Language| {
            let said = plain(&message, language);
            let words: Vec<_> = said.split(|sign: char| !sign.is_alphanumeric()).collect();
            let names = [
                "struct",
                "enum",
                "tuple",
                "variant",
                "map",
                "sequence",
                "u8",
                "u16",
                "u32",
                "u64",
                "usize",
                "i64",
                "f32",
                "unit",
                "Everything",
                "Inner",
                "Wrapped",
                "Word",
                "Either",
                "newtype",
                "untagged",
            ];
            assert!(!names.iter().any(|name| words.contains(name)) && !said.contains('`'), "{message}: {said}");
            seen += 1;
        };
        for field in fields {
            for value in values {
                let text = format!("{{\"_{field}\":{value}}}");
                if let Err(error) = serde_json::from_str::<Everything>(&text) {
                    check(error.to_string().split(" at line ").next().unwrap().to_owned(), Language::Json);
                }
            }
        }
        for text in ["[]", "[1,2]", "5", "null", "\"x\"", "{\"x\":1}", "{\"_flag\":true,\"_flag\":true}"] {
            if let Err(error) = serde_json::from_str::<Everything>(text) {
                check(error.to_string().split(" at line ").next().unwrap().to_owned(), Language::Json);
            }
        }
        assert!(seen > 150, "{seen}");
    }

    #[test]
    fn long_texts_of_others_are_shortened_between_letters() {
        assert_eq!(shown(&"ä".repeat(81)), "ä".repeat(80) + "…");
        assert_eq!(shown(&"ä".repeat(80)), "ä".repeat(80));
        let message = one_line(&"\u{85}".repeat(601));
        assert_eq!(message.matches("\\u0085").count(), BEGINNING + END);
        assert!(!message.chars().any(is_hidden));
    }
}
