//! Texts, what is wrong with them, and the games read from them as some format writes them.

use super::tests::read;
use super::*;
use std::io::BufReader;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/record-cases.txt");

/// The cases of the file, each with what this version makes of it. A case is `=== FORMAT TITLE`, a text, and sections:
/// `--- warnings` if there are any, and `--- FORMAT` for each format in which the games are written. Whoever adds one
/// writes the text and the names of the sections; `HIPPOLYTA_BLESS=1` fills them.
fn cases() -> Vec<(String, String)> {
    let text = std::fs::read_to_string(PATH).unwrap();
    let cases = text.strip_prefix("=== ").unwrap().split("\n=== ");
    cases
        .map(|case| {
            let (head, rest) = case.split_once('\n').unwrap();
            let (text, sections) = rest.split_once("\n--- ").unwrap();
            let format: Format = head.split(' ').next().unwrap().parse().unwrap();
            let (records, damages) = read(format, text.as_bytes());
            for ends in ["\r\n", "\r"] {
                assert_eq!(
                    read(format, text.replace('\n', ends).as_bytes()),
                    (records.clone(), damages.clone()),
                    "{head}"
                );
            }
            // In pieces whose borders fall into words.
            let mut pieces = Reader::new(format, BufReader::with_capacity(7, text.as_bytes()), variant::DEFAULT);
            assert_eq!(pieces.by_ref().filter_map(Result::ok).collect::<Vec<_>>(), records, "{head}");
            let mut found = format!("{head}\n{text}");
            if !damages.is_empty() {
                found += "\n--- warnings\n";
                found += &damages.iter().map(Damage::to_string).collect::<Vec<_>>().join("\n");
            }
            let names = sections.split("\n--- ").map(|section| section.split('\n').next().unwrap());
            for name in names.filter(|name| *name != "warnings") {
                let (mut writer, mut out) = (Writer::new(name.parse().unwrap()), Vec::new());
                records.iter().for_each(|record| writer.write(record, &mut out).unwrap());
                found += &format!("\n--- {name}\n{}", String::from_utf8(out).unwrap().trim_end());
            }
            // Without a game the last section is empty.
            (case.trim_end().to_owned(), found.trim_end().to_owned())
        })
        .collect()
}

#[test]
fn texts_are_read_and_games_written_as_in_the_vectors() {
    let cases = cases();
    if std::env::var_os("HIPPOLYTA_BLESS").is_some() {
        let all: String = cases.iter().map(|(_, found)| format!("=== {found}\n")).collect();
        return std::fs::write(PATH, all).unwrap();
    }
    for (case, found) in cases {
        assert_eq!(found, case);
    }
}
