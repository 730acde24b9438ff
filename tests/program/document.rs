//! The pages on protocols say what the engine does: its transcripts are replayed, its table of options is compared.

use crate::child::Engine;
use crate::schema::{self, QUERY};
use hippolyta::games::variant::VARIANTS;
use hippolyta_protocol::{Kind, OPTIONS};
use serde_json::Value;

/// The page on a protocol.
fn document(name: &str) -> String {
    std::fs::read_to_string(format!("{}/docs/protocols/{name}.md", root!())).unwrap()
}

/// Whether `line` is `pattern`, where `…` stands for anything.
fn matches(pattern: &str, line: &str) -> bool {
    let parts: Vec<_> = pattern.split('…').collect();
    let (first, rest) = parts.split_first().unwrap();
    let Some(mut left) = line.strip_prefix(first) else { return false };
    let Some((last, middle)) = rest.split_last() else { return left.is_empty() };
    for part in middle {
        let Some(at) = left.find(part) else { return false };
        left = &left[at + part.len()..];
    }
    left.ends_with(last)
}

#[test]
fn transcripts_are_what_the_engine_says() {
    let documents = ["uci", "ugi"].map(document);
    let transcripts = documents.each_ref().map(|text| text.split("```transcript\n").nth(1).unwrap());
    let transcripts = transcripts.map(|text| text.split("```").next().unwrap());
    for transcript in transcripts {
        let mut engine = Engine::start();
        let mut lines = transcript.lines().peekable();
        while let Some(command) = lines.next() {
            engine.send(command.strip_prefix("> ").unwrap_or_else(|| panic!("not a command: {command}")));
            if command == "> quit" {
                break;
            }
            while let Some(expected) = lines.next_if(|line| !line.starts_with("> ")) {
                if expected == "…" {
                    let end = lines.next().unwrap();
                    engine.until(end);
                    continue;
                }
                let said = engine.next().unwrap();
                assert!(matches(expected, &said), "after {command}\n expected: {expected}\n     said: {said}");
            }
        }
        let (rest, status) = engine.end();
        assert!(rest.is_empty() && status.success(), "{rest:?}");
    }
}

/// Figures and turns differ from machine to machine, the other words do not.
#[test]
fn the_first_session_has_the_form_that_is_shown() {
    let form = |line: &str| {
        let words = line.split(" pv ").next().unwrap().split(' ');
        words.filter(|word| !word.contains(|c: char| c.is_ascii_digit())).collect::<Vec<_>>().join(" ")
    };
    for name in ["README.md", "protocol.md"] {
        let text = std::fs::read_to_string(format!("{}/{name}", root!())).unwrap();
        let (_, block) = text.split_once("```text\n$ hippolyta\n").unwrap();
        let (typed, shown) = block.split("```").next().unwrap().split_once("\n…\n").unwrap();
        let mut engine = Engine::start();
        typed.lines().for_each(|line| engine.send(&line.replace("movetime 1000", "nodes 2000")));
        let said = engine.until("bestmove ");
        let shown: Vec<_> = shown.lines().map(form).collect();
        let last: Vec<_> = said[said.len() - shown.len()..].iter().map(|line| form(line)).collect();
        assert_eq!(last, shown, "{name}");
        engine.quit();
    }
}

#[test]
fn every_command_of_the_help_is_documented() {
    let (mut engine, document) = (Engine::start(), document("uci") + &document("ugi"));
    let help = engine.ask("help", "Moves are written");
    let first = |line: &String| line.strip_prefix("  ").filter(|rest| !rest.starts_with(' ')).map(str::to_owned);
    let rows: Vec<_> = help.iter().filter_map(first).collect();
    assert!(rows.len() > 12, "{help:#?}");
    for row in rows {
        for command in row.split("  ").next().unwrap().split(" | ") {
            let word = command.split(' ').next().unwrap();
            assert!(document.lines().any(|line| line.starts_with(&format!("| `{word}"))), "{word}");
        }
    }
    engine.quit();
}

#[test]
fn the_gtp_session_is_what_the_engine_says() {
    let document = document("gtp");
    let blocks: Vec<_> = document.split("```gtp\n").skip(1).map(|text| text.split("```").next().unwrap()).collect();
    assert_eq!(blocks.len(), 1);
    let mut engine = Engine::start_with(&["gtp", "--hash", "1", "--nodes", "100"]);
    for line in blocks[0].lines() {
        match line.strip_prefix("> ") {
            Some(command) => engine.send(command),
            None => {
                let said = engine.next().unwrap();
                // An empty answer ends with a blank.
                assert!(matches(line, said.trim_end()), " expected: {line}\n     said: {said}");
            }
        }
    }
    let (rest, status) = engine.end();
    assert!(rest.is_empty() && status.success(), "{rest:?}");
}

#[test]
fn the_analysis_answers_as_the_document_says() {
    let document = document("json-lines");
    let blocks: Vec<_> =
        document.split("```analysis\n").skip(1).map(|text| text.split("```").next().unwrap()).collect();
    assert_eq!(blocks.len(), 1);
    let mut engine = Engine::start_with(&["analyse"]);
    for line in blocks[0].lines() {
        if let Some(query) = line.strip_prefix("> ") {
            let query: Value = serde_json::from_str(query).unwrap();
            let documented = query.get("speed").is_none();
            assert_eq!(QUERY.is_valid(&query), documented, "{query}");
            engine.send(&query.to_string());
        } else {
            let said = engine.next().unwrap();
            assert!(matches(line, &said), " expected: {line}\n     said: {said}");
            schema::answer(&said);
        }
    }
    engine.close_input();
    let (rest, status) = engine.end();
    assert!(rest.is_empty() && status.success(), "{rest:?}");
}

#[test]
fn the_table_of_query_fields_is_that_of_the_schema() {
    let text = document("json-lines");
    let schema = schema::whole();
    let schema = schema["$defs"]["AnalyseQuery"]["properties"].as_object().unwrap();
    let rows = text.lines().skip_while(|line| !line.starts_with("| field | type")).skip(2);
    let names = rows.take_while(|line| line.starts_with('|')).flat_map(|row| {
        let cell = row.split('|').nth(1).unwrap();
        cell.split_whitespace().map(|name| name.trim_matches('`').to_owned()).collect::<Vec<_>>()
    });
    let mut names: Vec<_> = names.collect();
    names.sort();
    let mut expected: Vec<_> = schema.keys().cloned().collect();
    expected.sort();
    assert_eq!(names, expected);
}

#[test]
fn the_table_of_options_is_complete_and_right() {
    let document = document("uci");
    let rows: Vec<Vec<_>> = document
        .lines()
        .skip_while(|line| !line.starts_with("| option | type"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.split('|').map(|cell| cell.trim().trim_matches('`')).collect())
        .collect();
    assert_eq!(rows.len(), OPTIONS.len());
    for (row, option) in rows.iter().zip(OPTIONS) {
        let (kind, default, range) = match option.kind {
            Kind::File(_) => ("string", "<built-in>".to_owned(), String::new()),
            Kind::Check(_) => ("check", "false".to_owned(), String::new()),
            Kind::Spin { default, min, max, .. } => ("spin", default.to_string(), format!("{min} … {max}")),
            Kind::Button(_) => ("button", String::new(), String::new()),
            Kind::Variant => (
                "combo",
                VARIANTS[0].name().to_owned(),
                "[names](../../protocol.md#positions-and-moves) of rule sets".to_owned(),
            ),
        };
        assert_eq!(row[1..5], [option.name, kind, &default, &range]);
    }
}

#[test]
fn the_table_of_variants_is_complete_and_right() {
    let document = std::fs::read_to_string(concat!(root!(), "/protocol.md")).unwrap();
    for variant in VARIANTS {
        let row = document.lines().find(|line| line.starts_with(&format!("| `{}`", variant.name()))).unwrap();
        assert!(row.contains(&format!("`{}`", variant.start())), "{row}");
    }
}

#[test]
fn the_page_on_games_names_all_rule_sets() {
    let page = std::fs::read_to_string(concat!(root!(), "/docs/games/index.md")).unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| ["));
    let cells = rows.map(|row| row.split('|').nth(2).unwrap());
    let named: Vec<_> = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    assert_eq!(named, VARIANTS.iter().map(|variant| variant.name()).collect::<Vec<_>>());
}

#[test]
fn ci_runs_the_command_that_the_readme_gives() {
    let read = |name: &str| std::fs::read_to_string(format!("{}/{name}", root!())).unwrap();
    let (readme, ci) = (read("README.md"), read(".ci/run"));
    let commands: Vec<_> =
        readme.split("```sh\n").skip(1).take(2).map(|text| text.split("\n```").next().unwrap()).collect();
    assert_eq!(commands[0], "cargo run --release");
    // With what a contributor need not wait for beside the tests.
    assert!(ci.lines().any(|line| line == format!("{} --ci", commands[1])), "{}", commands[1]);
}
