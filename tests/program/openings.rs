//! `hippolyta openings`, the suites that the program brings with it, and opening books.

use crate::child::{Engine, command, kill_and_resume_until_done};
use crate::common::folder::Folder;
use std::fs;
use std::process::Command;

const RECIPE: [&str; 8] =
    ["openings", "--variant=cassio", "--count=12", "--nodes", "3000", "--plies=4", "--within=60", "--games=4"];

#[test]
fn a_killed_run_goes_on_and_ends_with_the_same_bytes() {
    let folder = Folder::new("openings");
    let [whole, cut] = ["whole.epd", "cut.epd"].map(|name| folder.path(name));
    assert_eq!(command(&[&RECIPE[..], &["--threads=2", "--out", &whole]].concat()), (String::new(), String::new(), 0));
    let partial = folder.0.join("cut.epd.partial");
    kill_and_resume_until_done(&[&RECIPE[..], &["--out", &cut]].concat(), &partial);
    assert_eq!(fs::read(&cut).unwrap(), fs::read(&whole).unwrap());
    assert!(!partial.exists());
    let text = fs::read_to_string(&whole).unwrap();
    assert!(
        text.starts_with(
            r#"# made by {"variant":"cassio","plies":4,"variety":0.2,"nodes":3000,"within":60,"games":4,"seed":0}"#
        ),
        "{text}"
    );
    assert_eq!(text.lines().count(), 13);
    assert!(
        text.lines()
            .skip(1)
            .all(|line| line.contains(" w - - hmvc 0; fmvn 3; ce ") && line.contains("; acn 3000; c0 \"White scores "))
    );
    // Such a file is a book of a match.
    let book = format!("file={whole}");
    let words = ["match", "--engine", "cmd=self", "name=a", "--engine", "cmd=self", "name=b", "--each", "nodes=10"];
    let (output, errors, code) =
        command(&[&words[..], &["--variant", "cassio", "--games", "2", "--openings", &book]].concat());
    assert!(code == 0 && output.contains("Finished game 2"), "{output} {errors}");
}

#[test]
fn what_is_there_is_not_lost() {
    let folder = Folder::new("openings-refused");
    let out = folder.path("book.epd");
    fs::write(&out, "mine").unwrap();
    let refused = |more: &[&str], message: &str| {
        let (output, errors, code) = command(&[&RECIPE[..], &["--out", &out], more].concat());
        assert_eq!((output.as_str(), code), ("", 1), "{errors}");
        assert!(errors.contains(message), "{errors}");
    };
    refused(&[], "book.epd exists already; --force writes over it");
    fs::remove_file(&out).unwrap();
    let partial = folder.0.join("book.epd.partial");
    fs::write(&partial, "mine\n").unwrap();
    refused(&[], "book.epd.partial is an unfinished run: --resume goes on with it");
    refused(&["--resume"], "book.epd.partial: not an unfinished run");
    let begun = r#"{"variant":"cassio","plies":4,"variety":0.2,"nodes":3000,"within":60,"games":4,"seed":9}"#;
    fs::write(&partial, format!("{begun}\n")).unwrap();
    refused(&["--resume"], "the run was begun with other options: --seed 9 → 0\n");
    fs::write(&partial, format!("{begun}\n{{\"number\":1}}\n")).unwrap();
    refused(&["--resume", "--seed=9"], "line 2: the field 'fen' is missing");
    assert!(!folder.0.join("book.epd").exists());
}

#[test]
fn a_match_takes_the_suite_of_its_rule_set() {
    let folder = Folder::new("openings-suite");
    let out = folder.path("results");
    // The first command of the document.
    let document = fs::read_to_string(concat!(root!(), "/docs/openings.md")).unwrap();
    let words = document.lines().find_map(|line| line.strip_prefix("hippolyta match ")).unwrap();
    let play = |variant: &str| {
        let words = format!("match {}", words.replace("--variant cassio", &format!("--variant {variant}")));
        command(&words.split(' ').chain(["--out", &out]).collect::<Vec<_>>())
    };
    let (output, errors, code) = play("cassio");
    assert!(code == 0 && output.contains("Finished game 4"), "{output} {errors}");
    let games = fs::read_to_string(folder.0.join("results/games.jsonl")).unwrap();
    let starts: Vec<String> = games
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .map(|game| game["fen"].as_str().unwrap().to_owned())
        .collect();
    let suite = fs::read_to_string(concat!(root!(), "/crates/lab/src/arena/suites/cassio.epd")).unwrap();
    for start in &starts {
        let fields = start.splitn(5, ' ').take(4).collect::<Vec<_>>().join(" ");
        assert_eq!(suite.lines().filter(|line| line.starts_with(&fields)).count(), 1, "{start}");
    }
    let different: std::collections::HashSet<_> = starts.iter().collect();
    assert_eq!((starts.len(), different.len()), (4, 2));
    let (_, errors, code) = play("damone-three");
    assert_eq!(code, 1);
    assert!(
        errors.contains("--openings: suite: there is none for damone-three; `hippolyta openings` finds"),
        "{errors}"
    );
}

/// The checksum that a farm's server compares before it uses a book.
#[cfg(target_os = "linux")]
#[test]
fn the_book_for_farms_is_the_suite() {
    let root = std::path::Path::new(root!());
    let output = Command::new("sha256sum").arg(root.join("crates/lab/src/arena/suites/amazons.epd")).output().unwrap();
    let sum = String::from_utf8(output.stdout).unwrap().split(' ').next().unwrap().to_owned();
    let book = fs::read_to_string(root.join("docs/openbench/amazons-200.epd.json")).unwrap();
    assert_eq!(serde_json::from_str::<serde_json::Value>(&book).unwrap()["sha"], sum.as_str());
}

const BOOK: [&str; 4] = ["book", "--variant=amazons6", "--nodes=3000", "--positions=40"];

#[test]
fn a_book_is_the_same_whoever_makes_it_and_is_played() {
    let folder = Folder::new("book");
    let [whole, cut] = ["whole.book", "cut.book"].map(|name| folder.path(name));
    assert_eq!(command(&[&BOOK[..], &["--threads=2", "--out", &whole]].concat()), (String::new(), String::new(), 0));
    let partial = folder.0.join("cut.book.partial");
    kill_and_resume_until_done(&[&BOOK[..], &["--out", &cut]].concat(), &partial);
    let text = fs::read_to_string(&whole).unwrap();
    assert_eq!(fs::read_to_string(&cut).unwrap(), text);
    assert!(!partial.exists());
    let lines: Vec<_> = text.lines().collect();
    assert_eq!((lines.len(), lines[0]), (42, "# variant amazons6"));
    assert_eq!(lines[41], r#"# made by {"variant":"amazons6","nodes":3000}"#);
    let turn_of = |line: &str| line.split(" bm ").nth(1).unwrap().split(';').next().unwrap().to_owned();
    assert!(lines[1].starts_with("1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - bm ") && lines[1].ends_with("; acn 3000;"));
    // Both sides find their turns in it.
    assert!(lines[1..41].iter().any(|line| line.contains(" b - - bm ")));

    let mut engine = Engine::uci();
    let mut answer = |lines: &str, last: &str| {
        engine.send(lines);
        let said = engine.until(last);
        let is_from_the_book = said.iter().any(|line| line.contains(" is from the book, by a search of 3000 nodes"));
        (said.last().unwrap().clone(), is_from_the_book)
    };
    answer(
        &format!("setoption name UCI_Variant value amazons6\nsetoption name BookFile value {whole}\nisready"),
        "ready",
    );
    let first = format!("bestmove {}", turn_of(lines[1]));
    assert!(!answer("go nodes 5", "bestmove").1, "nobody has asked for it");
    answer("setoption name OwnBook value true\nisready", "ready");
    assert_eq!(answer("go nodes 5", "bestmove"), (first.clone(), true));
    assert_eq!(answer("go wtime 60000 btime 60000", "bestmove"), (first.clone(), true));
    // Who analyses or ponders wants a search.
    for words in
        ["go infinite\nstop", "go mate 1 nodes 5", "go ponder nodes 5\nstop", "go searchmoves b1b2,b2b3 nodes 5"]
    {
        assert!(!answer(words, "bestmove").1, "{words}");
    }
    // Another rule set, and back; a bad file takes nothing away.
    assert!(!answer("setoption name UCI_Variant value amazons8\ngo nodes 5", "bestmove").1);
    let bad = folder.path("bad.book");
    fs::write(&bad, text.replacen("bm ", "bm a1a1,", 1)).unwrap();
    let (error, _) = answer(&format!("setoption name BookFile value {bad}"), "info string ERROR");
    assert!(error.contains(&format!("option BookFile: {bad}: line 2: ")), "{error}");
    assert_eq!(answer("setoption name UCI_Variant value amazons6\ngo nodes 5", "bestmove"), (first, true));
    assert!(!answer("setoption name BookFile value <built-in>\ngo nodes 5", "bestmove").1);
    engine.quit();
}

#[test]
fn text_files_are_read_without_their_byte_order_mark_and_not_in_utf_16() {
    let folder = Folder::new("byte-order-marks");
    let path = |name: &str| folder.path(name);
    let start = "1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - -";
    let play = |words: &[&str]| {
        let fixed = ["match", "--each", "nodes=5", "--variant", "amazons6", "--games", "2", "--rounds", "1"];
        fixed.iter().chain(words).map(|word| (*word).to_owned()).collect::<Vec<_>>()
    };
    let openings = |name: &str| {
        let openings = format!("file={}", path(name));
        play(&["--engine", "cmd=self", "name=a", "--engine", "cmd=self", "name=b", "--openings", &openings])
    };
    let engines = |name: &str| play(&["--engines", &path(name)]);
    let epd = format!("{start} hmvc 0; fmvn 1;\n");
    let genfens = format!("genfens 1 seed 5 book {} variant amazons6", path("book.epd"));
    for (name, text, words) in [
        ("book.epd", epd.clone(), openings("book.epd")),
        ("book.epd", epd, vec![genfens]),
        ("book.txt", "startpos moves b1b4,b4c4\n".to_owned(), openings("book.txt")),
        (
            "engines.json",
            r#"[{"name":"a","command":"self"},{"name":"b","command":"self"}]"#.to_owned(),
            engines("engines.json"),
        ),
        ("engines.toml", "[a]\ncmd = \"self\"\n[b]\ncmd = \"self\"\n".to_owned(), engines("engines.toml")),
        ("queries.jsonl", "{\"id\":\"a\",\"nodes\":5}\n".to_owned(), vec!["analyse".to_owned(), path("queries.jsonl")]),
        (
            "problems.jsonl",
            hippolyta_lab::problems::ProblemSet::built_in().text(),
            ["problems", "list", "--file", &path("problems.jsonl")].map(str::to_owned).to_vec(),
        ),
    ] {
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        fs::write(path(name), format!("\u{feff}{text}")).unwrap();
        let (output, errors, code) = command(&words);
        assert!(code == 0 && !output.is_empty(), "{words:?}: {errors}");
        let utf_16: Vec<u8> = format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
        fs::write(path(name), utf_16).unwrap();
        let (_, errors, code) = command(&words);
        // Game records are read in UTF-16 as well.
        let is_refused = code == 1 && errors.contains("this is UTF-16; save it as UTF-8");
        assert!(is_refused != (name.starts_with("book.") && code == 0), "{words:?}: {errors}");
    }
    let book = path("own.epd");
    fs::write(&book, format!("\u{feff}# variant amazons6\n{start} bm b1b4,b4c4; ce 35; acn 100000;\n")).unwrap();
    let mut engine = Engine::uci();
    engine.quietly(&format!("setoption name BookFile value {book}"));
    engine.quit();
}
