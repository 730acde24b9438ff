//! Rule sets from a file: the commands, and the guide to them.

use crate::analysis::answers;
use crate::child::{Engine, command};
use crate::common::folder::Folder;
use hippolyta::eval::Weights;
use hippolyta::games::variant::find;
use serde_json::{Value, json};
use std::fs;

const KNIGHTS: &str =
    "[knights]\nlike = \"amazons6\"\nmoves = \"N\"\nfires = \"N\"\n\n[kings]\nlike = \"knights\"\nmoves = \"K\"\n";

/// Output, errors and exit code of a command; `FILE` in it stands for a file with this text.
fn run(folder: &Folder, name: &str, text: &str, words: &str) -> (String, String, i32) {
    let file = folder.0.join(name);
    fs::write(&file, text).unwrap();
    let path = file.display().to_string();
    let words: Vec<_> = words.split(' ').map(|word| if word == "FILE" { path.as_str() } else { word }).collect();
    let (output, errors, code) = command(&words);
    (output, errors.replace(&path, name), code)
}

#[test]
fn a_file_is_checked_and_its_games_are_played() {
    let folder = Folder::new("own-games");
    let knights = |words: &str| run(&folder, "my.toml", KNIGHTS, words);
    let (output, errors, code) = knights("rules check FILE");
    assert_eq!((errors.as_str(), code), ("", 0));
    assert!(output.starts_with("knights on 6 × 6 squares\n\nA turn moves a piece as a knight"), "{output}");
    assert!(output.contains("Turns at the start: 68; sequences of two turns: 4,"), "{output}");
    assert_eq!(knights("legal --rules FILE").0.lines().count(), 68);
    let kings = knights("legal --rules FILE --variant kings").0;
    assert!(kings.contains("b1a1,a1c2\n") && kings.lines().count() != 68, "{kings}");
    assert!(knights("perft --rules FILE 1").0.starts_with("Nodes searched: 68\n"));
    let (output, errors, code) = knights("go --rules FILE --nodes 100 --hash 1");
    assert!(code == 0 && output.contains("bestmove "), "{output}{errors}");
    let (_, errors, code) = knights("legal --rules FILE --variant chess");
    assert!(errors.contains("unknown variant 'chess': known are amazons,"), "{errors}");
    assert!(errors.contains("; in the file knights, kings") && code == 2, "{errors}");
    // Built-in rule sets are there beside those of the file.
    assert_eq!(knights("legal --rules FILE --variant amazons6").0.lines().count(), 544);
}

#[test]
fn the_example_files_are_games_that_can_be_played() {
    let folder = concat!(root!(), "/examples/rules");
    let files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(files.len() >= 6);
    for file in files {
        let path = file.to_str().unwrap();
        let (output, errors, code) = command(&["rules", "check", path]);
        assert_eq!((errors.as_str(), code), ("", 0), "{path}");
        let name = file.file_stem().unwrap().to_str().unwrap();
        // The page shows the title in its list.
        assert!(output.starts_with(&format!("{name}: ")) && output.contains("Turns at the start: "), "{output}");
        let (output, errors, code) = command(&["go", "--rules", path, "--nodes", "200", "--hash", "1"]);
        assert!(code == 0 && output.contains("bestmove "), "{path}: {output}{errors}");
    }
}

#[test]
fn a_client_takes_rule_sets_by_the_option_of_fairy_stockfish() {
    let folder = Folder::new("own-games-uci");
    let path = |name: &str| folder.0.join(name).display().to_string();
    for (name, text) in [
        ("my.toml", KNIGHTS),
        ("bad.toml", "[knights]\n\nmoves = \"X\"\n"),
        ("variants.ini", "[past:amazons]\nwallingRule = past\n[b:chess]\n"),
        ("chess.ini", "[b:chess]\n"),
    ] {
        fs::write(path(name), text).unwrap();
    }
    for (dialect, variant) in [("uci", "UCI_Variant"), ("ugi", "uci_variant")] {
        let mut engine = Engine::start();
        let greeting = engine.ask(dialect, &format!("{dialect}ok"));
        let start = format!("option name {variant} type combo default amazons var amazons ");
        let offered = greeting.iter().find(|line| line.starts_with(&start)).unwrap().clone();
        let set = |path: &str| format!("setoption name VariantPath value {path}");
        assert_eq!(engine.one_answer(&set(&path("my.toml"))), format!("{offered} var knights var kings"));
        let chosen = engine.one_answer(&format!("setoption name {variant} value Knights"));
        let fen = "1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1";
        assert_eq!(
            chosen,
            format!("info string variant knights files 6 ranks 6 pocket 0 template fairy startpos {fen}")
        );
        assert_eq!(engine.ask("go perft 1", "Nodes searched").last().unwrap(), "Nodes searched: 68");
        assert!(engine.ask("go nodes 50", "bestmove").last().unwrap().len() > "bestmove ".len());
        for (name, wrong) in [
            ("bad.toml", ":3: knights.moves: 'X' is not Q, R, B, K or N, nor a number behind Q, R or B"),
            ("none.toml", ": No such file or directory (os error 2)"),
            (
                "chess.ini",
                ": no game of move and fire: line 1: b: wallingRule is missing, so this is no game of move and fire",
            ),
        ] {
            let path = path(name);
            assert_eq!(engine.one_answer(&set(&path)), format!("info string ERROR: option VariantPath: {path}{wrong}"));
        }
        // The rule sets that were loaded stay, and so does the game.
        let introduced = engine.ask(dialect, &format!("{dialect}ok"));
        assert!(introduced.contains(&format!("{offered} var knights var kings")), "{introduced:#?}");
        assert!(engine.ask("d", "State").contains(&"Variant: knights".to_owned()));
        engine.send(&set(&path("variants.ini")));
        let said = engine.ask("isready", "readyok");
        let left = "line 3: b: wallingRule is missing, so this is no game of move and fire";
        assert_eq!(
            said[..2],
            [format!("{offered} var past"), format!("info string VariantPath: 1 left out as other games; {left}")]
        );
        assert!(engine.ask("d", "State").contains(&"Variant: knights".to_owned()));
        assert!(
            engine
                .one_answer(&format!("setoption name {variant} value kings"))
                .ends_with("damone-imperatore; in the file past")
        );
        assert_eq!(engine.one_answer(&set("<built-in>")), offered);
        engine.quit();
    }
}

#[test]
fn queries_bring_their_rules_along() {
    let query = |fields: Value| {
        let mut query = json!({"id": "a", "rules": KNIGHTS});
        query.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        query
    };
    let said = answers(
        &["--hash", "1"],
        &[
            query(json!({"nodes": 50})),
            query(json!({"action": "legal_moves", "moves": ["b1a3,a3b5"], "includePosition": true})),
            query(json!({"action": "legal_moves", "variant": "kings"})),
            query(json!({"action": "legal_moves", "variant": "amazons6"})),
            query(json!({"action": "variants"})),
            query(json!({"action": "read_games", "text": "1. b1a3,a3b5 *"})),
            query(json!({"action": "variants", "rules": "[a]\nfires = 7"})),
            query(json!({"action": "variants", "id": "ini", "rules": "[a:amazons]\nwallingRule = past\n[b:chess]\n"})),
            query(json!({"action": "variants", "id": "chess", "rules": "[b:chess]\n"})),
        ],
    );
    let find = |action: &'static str| said.iter().filter(move |answer| answer["action"] == action);
    let searched = said.iter().find(|answer| answer["isDuringSearch"] == false).unwrap();
    assert_eq!(searched["rootInfo"]["currentPlayer"], "white");
    let legal: Vec<_> = find("legal_moves")
        .map(|answer| (answer["variant"].as_str().unwrap(), answer["moves"].as_array().unwrap().len()))
        .collect();
    assert_eq!((legal[0].0, legal[1].0, legal[2]), ("knights", "kings", ("amazons6", 544)));
    let of = |id: &str| said.iter().find(|answer| answer["id"] == id).unwrap();
    let [past] = &of("ini")["variants"].as_array().unwrap()[..] else { panic!("{}", of("ini")) };
    assert!(past["name"] == "a" && past["line"].as_str().unwrap().contains("fire-at = 'left'"), "{past}");
    let chess = "no game of move and fire: line 1: b: wallingRule is missing, so this is no game of move and fire";
    assert_eq!(of("chess")["error"], chess);
    let told: Vec<_> = find("variants")
        .filter(|answer| answer["id"] == "a")
        .flat_map(|answer| answer["variants"].as_array().unwrap())
        .collect();
    assert_eq!(told.len(), 2);
    assert_eq!([&told[0]["name"], &told[1]["name"]], ["knights", "kings"]);
    assert_eq!(told[0]["sentences"][0], "A turn moves a piece as a knight over empty squares.");
    assert!(told[0]["line"].as_str().unwrap().starts_with("knights = { start = "), "{}", told[0]);
    assert!(told[0]["fires"] == true && told[0]["files"] == 6 && told[0].get("drawn").is_none(), "{}", told[0]);
    let record = &find("read_games").next().unwrap()["games"][0]["record"];
    assert!(record["rules"].as_str().unwrap().starts_with("knights = { start = "), "{record}");
    let refused = said.iter().find(|answer| answer["id"] == "a" && answer.get("error").is_some()).unwrap();
    assert_eq!(refused["field"], "rules");
    assert_eq!(refused["error"], "line 2: a.fires: a string is expected, not 7");
}

#[test]
fn matches_self_play_reviews_and_books_are_of_the_rules_of_a_file() {
    let folder = Folder::new("own-games-match");
    let said = |words: &str| run(&folder, "my.toml", KNIGHTS, words);
    let well = |words: &str| {
        let (output, errors, code) = said(words);
        assert_eq!(code, 0, "{words}: {output}{errors}");
        (output, errors)
    };
    let path = |name: &str| folder.0.join(name).display().to_string();
    let (out, page, rules, program) =
        (path("out"), path("page.html"), path("my.toml"), env!("CARGO_BIN_EXE_hippolyta"));
    let both = format!(
        "match --rules FILE --each nodes=20 option.Hash=1 --book-plies 2 --engine cmd=self name=a --engine cmd={program} name=b"
    );
    let (_, errors, code) = said(&both);
    assert!(errors.contains("'b' does not offer the variant knights: option.VariantPath=FILE tells it"), "{errors}");
    assert_eq!(code, 1);
    well(&format!("{both} option.VariantPath={rules} --out {out} --html {page}"));
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("<p class=\"lead\">knights") && page.contains("id=\"t2\""), "both games are there");
    // Each record has the rules, so that no file is needed any more.
    for (name, format) in [("games.jsonl", "pgn"), ("games.pgn", "sgf")] {
        let converted = path(&format!("converted.{format}"));
        let (_, errors, code) = command(&["convert", &format!("{out}/{name}"), "--out", &converted]);
        let games = fs::read_to_string(converted).unwrap();
        assert!(code == 0 && games.matches("knights = { start = ").count() == 2, "{games}{errors}");
    }
    let other = KNIGHTS.replacen("'N'", "'K'", 1).replacen("\"N\"", "\"K\"", 1);
    let resumed = run(&folder, "my.toml", &other, &format!("{both} option.VariantPath={rules} --out {out} --resume"));
    assert!(resumed.2 == 1 && resumed.1.contains("variant"), "{resumed:?}");
    let (output, _) = well(&format!("review {out}/games.pgn --game 1 --nodes 20"));
    assert!(output.contains("Accuracy"), "{output}");
    fs::write(path("list.txt"), "startpos moves b1a3,a3b5\n").unwrap();
    let (output, _) = well(&format!("analyse {} --rules FILE --nodes 20 --format csv", path("list.txt")));
    assert!(output.contains("1q2q1/q*3q/6/Q5/Q4Q/4Q1 b"), "{output}");
    well(&format!("book --rules FILE --positions 3 --nodes 20 --out {}", path("own.book")));
    let problems = path("problems.json");
    well(&format!("problems make --rules FILE --count 2 --turns 3 --effort 2000 --seed 1 --out {problems}"));
    let (output, _) = well(&format!("problems show 1 --solution --file {problems}"));
    assert!(output.starts_with("knights-001: knights, ") && output.contains("proven by proof search"), "{output}");
    let (output, _) = well(&format!("problems check --file {problems}"));
    assert!(output.starts_with("2 of 2 problems proven\n2 of them by the rules alone"), "{output}");
    let (_, errors, code) = said("solve --rules FILE --fen 1q2q1/q4q/6/6/Q4Q/1Q2Q1");
    assert!(code == 1 && errors.contains("only boards of the Amazons: 'hippolyta go --mate 99' looks for"), "{errors}");
    let mut engine = Engine::uci();
    engine.quietly(&format!("setoption name BookFile value {}", path("own.book")));
    engine.quit();
}

#[test]
fn a_stuck_side_passes_in_matches_records_and_reviews() {
    let folder = Folder::new("own-games-pass");
    let path = |name: &str| folder.0.join(name).display().to_string();
    let fish = "[fish]\nstart = \"q1*2/2*2/***1Q/5 w\"\nfire-at = \"left\"\nleaves = \"own\"\nstuck = \"most-stones\"\n\
                stuck-passes = true\n";
    let well = |words: &str| {
        let (output, errors, code) = run(&folder, "fish.toml", fish, words);
        assert_eq!(code, 0, "{words}: {output}{errors}");
        output
    };
    let (out, pgn) = (path("out"), path("games.pgn"));
    well(&format!(
        "match --rules FILE --games 8 --each nodes=20 option.Hash=1 --book-plies 2 --engine cmd=self name=a --engine \
         cmd=self name=b --out {out}"
    ));
    well(&format!("convert {out}/games.jsonl --out {pgn}"));
    let games = fs::read_to_string(&pgn).unwrap();
    let passes = |word: &&str| word.len() == 4 && word[..2] == word[2..];
    assert!(games.split_whitespace().filter(passes).count() > 2, "{games}");
    assert!(well(&format!("review {pgn} --nodes 20")).contains("Accuracy"));
    let shut_in = "legal --rules FILE --fen 2q1/****/Q***";
    assert_eq!(well(shut_in), "a1a1\n");
    assert_eq!(well(&format!("{shut_in} --moves a1a1")).lines().count(), 3);
}

#[test]
fn rules_of_a_file_are_learned() {
    let folder = Folder::new("own-games-learn");
    let path = |name: &str| folder.0.join(name).display().to_string();
    let (rules, data, weights, run_folder) = (path("my.toml"), path("games.dat"), path("weights.bin"), path("run"));
    let said = |words: &str| run(&folder, "my.toml", KNIGHTS, words);
    let well = |words: &str| {
        let (output, errors, code) = said(words);
        assert_eq!(code, 0, "{words}: {output}{errors}");
        output
    };
    well(&format!("selfplay --rules FILE --variant kings --games 40 --nodes 8 --out {data}"));
    well(&format!("fit {data} --out {weights}"));
    // Each of the rule sets of the file has weights of its own, and only that which was learned plays by them.
    let explained = |variant: &str, weights: Option<&str>| {
        let mut engine = Engine::uci();
        engine.send(&format!("setoption name VariantPath value {rules}"));
        engine.send(&format!("setoption name UCI_Variant value {variant}"));
        engine.ask("isready", "readyok");
        if let Some(weights) = weights {
            engine.send(&format!("setoption name EvalFile value {weights}"));
            let said = engine.ask("isready", "readyok").join("\n");
            assert_eq!(said.contains(", and none for knights"), variant == "knights", "{said}");
        }
        engine.quietly("position startpos");
        let said = engine.ask("eval", "Final evaluation").join("\n");
        engine.quit();
        said
    };
    let guessed = "nothing was learned for these rules: the weights are guessed";
    let (before, after) = (explained("kings", None), explained("kings", Some(&weights)));
    assert!(before.contains(guessed) && !after.contains(guessed), "{before}\n{after}");
    assert_eq!(explained("knights", None), explained("knights", Some(&weights)));
    well(&format!("go --rules FILE --variant kings --eval-file {weights} --nodes 20"));
    // Games by other rules are not learned from together.
    let others = path("others.dat");
    well(&format!("selfplay --rules FILE --games 2 --nodes 8 --out {others}"));
    let (_, errors, code) = said(&format!("fit {data} {others} --out {}", path("both.bin")));
    let apart = "games of knights, which are not learned together with those of 'own@moves = 'K', fires = 'N''\n";
    assert!(code == 1 && errors.ends_with(apart), "{errors}");
    // The second generation begins with what the first has learned, and so does whoever goes on with its weights.
    let learn = "learn --rules FILE --variant kings --generations 2 --games 12 --nodes 8 --gate-games 2";
    well(&format!("{learn} --out {run_folder}"));
    let report = fs::read_to_string(format!("{run_folder}/report.html")).unwrap();
    assert!(report.contains("kings"), "the report names the rule set");
    let learned = format!("{run_folder}/weights.bin");
    assert!(explained("kings", Some(&learned)) != before);
    well(&format!("{learn} --start {learned} --out {}", path("again")));
}

#[test]
fn weights_for_other_rules_are_refused_by_name() {
    let folder = Folder::new("own-games-weights");
    let path = |name: &str| folder.0.join(name).display().to_string();
    fs::write(path("my.toml"), KNIGHTS).unwrap();
    let knights = "knights = { like = 'amazons6', moves = 'N', fires = 'N' }";
    let mut tables = Weights::embedded().with_own(&find(knights).unwrap()).tables();
    tables.tables.retain(|(name, _)| name.starts_with("own@"));
    tables.tables.iter_mut().for_each(|(_, table)| table.fill(0));
    fs::write(path("knights.bin"), tables.to_bytes()).unwrap();
    fs::write(path("game.pgn"), "[Variant \"amazons6\"]\n\n1. b1b4,b4c4 e6e5,e5d5 *\n").unwrap();
    fs::write(path("start.fen"), "1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1\n").unwrap();
    let run = |words: &str| {
        let words = words.split(' ').map(|word| if word.contains('.') { path(word) } else { word.to_owned() });
        let words: Vec<_> = words.collect();
        command(&words.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let has = "it has learned weights for rules with moves = 'N', fires = 'N', and none for";
    for (words, game) in [
        ("go --rules my.toml --variant kings --nodes 10", "kings"),
        ("go --variant iago --nodes 10", "iago"),
        ("gtp --variant amazons6", "amazons6 on 6×6"),
        ("play --variant damone", "damone"),
        ("assess --rules my.toml --variant kings --games 2 --nodes 4 --out a.json", "kings"),
        ("review game.pgn --nodes 10", "amazons6 on 6×6"),
        ("book --rules my.toml --variant kings --positions 1 --nodes 10 --out b.book", "kings"),
        ("openings --rules my.toml --variant kings --count 1 --nodes 10 --out o.epd", "kings"),
        ("problems make --rules my.toml --variant kings --count 1 --out p.json", "kings"),
        ("selfplay --rules my.toml --variant kings --games 1 --nodes 4 --out s.dat", "kings"),
        ("analyse start.fen --variant amazons6", "amazons6 on 6×6"),
    ] {
        let (output, errors, code) = run(&format!("{words} --eval-file knights.bin"));
        let says = format!("{output}{errors}");
        assert!(code != 0 && says.contains(&format!("{has} {game}")), "{words}: {code} {says}");
    }
    // Nor is anything learned from them.
    let (_, errors, code) = run("selfplay --variant iago --games 1 --nodes 4 --out iago.dat");
    assert_eq!(code, 0, "{errors}");
    for words in ["--out no.bin", "--calibrate --out no.bin", "--check"] {
        let (_, errors, code) = run(&format!("fit iago.dat --start knights.bin {words}"));
        assert!(code == 1 && errors.contains(&format!("--start: {has} iago\n")), "{words}: {errors}");
    }
    let (_, errors, code) =
        run("learn --variant amazons6 --generations 1 --games 9 --nodes 5 --start knights.bin --out no.run");
    assert!(code == 1 && errors.contains(&format!("knights.bin: {has} amazons6 on 6×6\n")), "{errors}");
    assert!(!folder.0.join("no.run").exists() && !folder.0.join("no.bin.partial").exists());
    for words in [
        "go --rules my.toml --nodes 10",
        "book --rules my.toml --positions 1 --nodes 10 --out b.book",
        "openings --rules my.toml --count 1 --plies 1 --nodes 10 --games 0 --within 3000 --out o.epd",
        "problems make --rules my.toml --count 1 --turns 2 --effort 2000 --out p.json",
        "design --rules my.toml --vary stuck --learn 0 --games 2 --nodes 4 --rounds 1 --out d.json",
    ] {
        let (output, errors, code) = run(&format!("{words} --eval-file knights.bin"));
        assert_eq!(code, 0, "{words}: {output}{errors}");
    }
    let mut json = Engine::start_with(&["analyse", "--eval-file", &path("knights.bin")]);
    for (variant, is_refused) in [("iago", true), (knights, false)] {
        json.send(&json!({"id": "a", "variant": variant, "nodes": 5}).to_string());
        let answer: Value = serde_json::from_str(&json.next().unwrap()).unwrap();
        assert_eq!(answer["error"].as_str().is_some_and(|error| error.contains(has)), is_refused, "{answer}");
    }
    json.close_input();
    json.end();
    // In UCI they are kept for the rules that they are for, and the others are evaluated as before.
    let mut uci = Engine::uci();
    let value = |uci: &mut Engine| uci.ask("eval", "Final evaluation").pop().unwrap();
    let built_in = value(&mut uci);
    let file = path("knights.bin");
    let said = uci.one_answer(&format!("setoption name EvalFile value {file}"));
    assert_eq!(said, format!("info string ERROR: option EvalFile: {file}: {has} amazons on 10×10"));
    assert_eq!(value(&mut uci), built_in);
    uci.one_answer(&format!("setoption name UCI_Variant value {knights}"));
    let guessed = "nothing was learned for these rules";
    let said = uci.ask("eval", "Final evaluation");
    assert!(!said.iter().any(|line| line.contains(guessed)), "{said:#?}");
    uci.send("setoption name UCI_Variant value iago");
    uci.ask("isready", &format!("info string EvalFile: {has} iago"));
    uci.send(&format!("setoption name UCI_Variant value {knights}"));
    uci.send("setoption name UCI_Variant value amazons");
    uci.send("position fen q2/3/2Q w");
    uci.ask("isready", &format!("info string EvalFile: {has} amazons on 3×3"));
    uci.quit();
}

#[test]
fn what_the_rules_alone_decide_is_shown_as_proven_and_ends_a_search() {
    const DULL: &str = "dull = { like = 'amazons6', stuck = 'draws', fire-optional = true }";
    // Black has two stones, White one, and nothing changes that.
    const COUNTED: &str = "counted = { start = '3q/s2S/s3/Q3', stuck = 'most-stones' }";
    for (variant, limits, score) in [
        (DULL, "--mate 3", "cp 0 wdl 0 1000 0"),
        (DULL, "--depth 50", "cp 0 wdl 0 1000 0"),
        (DULL, "--nodes 30 --multipv 3", "cp 0 wdl 0 1000 0"),
        (DULL, "--searchmoves b1b4,b4c4 --mate 2", "cp 0 wdl 0 1000 0"),
        (COUNTED, "--mate 3", "mate -6 wdl 0 0 1000"),
    ] {
        let words = ["go", "--hash", "1", "--wdl", "--variant", variant];
        let words: Vec<_> = words.into_iter().chain(limits.split(' ')).collect();
        let (output, errors, code) = command(&words);
        let last = output.lines().rev().find(|line| line.starts_with("info depth") && !line.contains("multipv 2"));
        let said = last.unwrap_or_default();
        assert!(code == 0 && output.contains(&format!(" score {score}")), "{limits}: {said}\n{output}{errors}");
        assert!(output.contains("bestmove "), "{output}");
    }
    let mut json = Engine::start_with(&["analyse"]);
    for elo in [json!(null), json!(0), json!(2_000)] {
        json.send(&json!({"id": "a", "variant": DULL, "elo": elo, "nodes": 20}).to_string());
        let answer: Value = serde_json::from_str(&json.next().unwrap()).unwrap();
        assert_eq!(answer["rootInfo"]["result"]["outcome"], "draw", "{answer}");
        assert_eq!(answer["rootInfo"]["wdl"], json!([0, 1_000, 0]), "{answer}");
    }
    json.close_input();
    json.end();
    let (output, errors, code) = command(&["problems", "make", "--variant", DULL, "--out", "/nowhere/problems.json"]);
    let says = "turns of dull need not fire, so that games may go on: no proof tells that a turn wins, and there are no problems";
    assert!(code == 1 && errors.contains(says), "{code} {output}{errors}");
}

#[test]
fn a_line_of_rules_is_as_good_as_a_name() {
    let line = "k = { like = 'amazons6', moves = 'N', fires = 'N' }";
    assert_eq!(command(&["legal", "--variant", line]).0.lines().count(), 68);
    let mut engine = Engine::uci();
    assert!(engine.one_answer(&format!("setoption name UCI_Variant value {line}")).contains("variant k files 6"));
    let wrong = engine.one_answer("setoption name UCI_Variant value k = { moves = 'X' }");
    assert_eq!(
        wrong,
        "info string ERROR: rule set: k.moves: 'X' is not Q, R, B, K or N, nor a number behind Q, R or B"
    );
    engine.quit();
}

#[test]
fn what_is_wrong_with_a_file_is_one_line() {
    let folder = Folder::new("own-games-wrong");
    let said = |name: &str, text: &str| run(&folder, name, text, "rules check FILE");
    let wrong = "hippolyta: my.toml:2: a.moves: 'X' is not Q, R, B, K or N, nor a number behind Q, R or B\n";
    assert_eq!(said("my.toml", "[a]\nmoves = \"X\"\n"), (String::new(), wrong.to_owned(), 1));
    // All faults, one a line.
    let (_, errors, code) = said("my.toml", "[a]\nmoves = N\n[b]\nfires = \"X\"\n[c]\nstuck = \"lost\"\n");
    let lines: Vec<_> = errors.lines().map(|line| line.split(": ").nth(1).unwrap()).collect();
    assert_eq!((&lines[..], code), (&["my.toml:2", "my.toml:4", "my.toml:6"][..], 1), "{errors}");
    let (output, _, code) = run(&folder, "my.toml", KNIGHTS, "rules check FILE --variant kings");
    assert!(output.starts_with("kings on 6 × 6 squares") && !output.contains("knights on") && code == 0, "{output}");
    let (_, errors, code) = run(&folder, "my.toml", KNIGHTS, "rules check FILE --variant pawns");
    assert_eq!((errors.as_str(), code), ("hippolyta: --variant: 'pawns' is none of knights, kings\n", 1));
    let (output, errors, code) = said("variants.ini", "[a:amazons]\n[b:amazons]\nwallingRule = duck\n");
    assert!(output.starts_with("a on 10 × 10 squares\n") && code == 0, "{output}");
    let left = "hippolyta: variants.ini: left out: line 3: b: wallingRule = duck: arrow, past, static and edge are known here\n";
    assert_eq!(errors, left);
    let (output, _, code) = command(&["rules", "check", "nowhere.toml"]);
    assert_eq!((output.as_str(), code), ("", 1));
    let (output, ..) = command(&["rules", "schema"]);
    assert!(
        serde_json::from_str::<serde_json::Value>(&output).unwrap()["additionalProperties"]["properties"]["fire-at"]
            .is_object()
    );
}

/// With `HIPPOLYTA_BLESS=1` what the check prints is written anew.
#[test]
fn the_guide_says_what_the_commands_say() {
    let page = concat!(root!(), "/docs/own-game.md");
    let guide = fs::read_to_string(page).unwrap();
    let blocks = |language: &str| -> Vec<String> {
        guide
            .split(&format!("```{language}\n"))
            .skip(1)
            .map(|rest| rest.split("```").next().unwrap().to_owned())
            .collect()
    };
    let folder = Folder::new("own-game-guide");
    let (tables, shell) = (blocks("toml"), blocks("sh"));
    let [first, more] = &tables[..] else { panic!("{tables:?}") };
    let commands: Vec<_> = shell.iter().flat_map(|block| block.lines()).collect();
    assert_eq!((commands.len(), commands[0]), (10, "hippolyta rules check knights.toml"));
    let mut said = String::new();
    for line in commands.iter().filter(|line| !line.contains(" play ") && !line.contains('"')) {
        let words = line.strip_prefix("hippolyta ").unwrap().replace("knights.toml", "FILE");
        let words = ["knights.json", "found.json", "learned"]
            .iter()
            .fold(words, |words, name| words.replace(name, &folder.path(name)));
        let (output, errors, code) = run(&folder, "knights.toml", first, &words);
        assert_eq!((errors.as_str(), code), ("", 0), "{line}");
        if said.is_empty() {
            said = output;
        }
    }
    let shown = blocks("text");
    if std::env::var_os("HIPPOLYTA_BLESS").is_some() {
        fs::write(page, guide.replace(&format!("```text\n{}```", shown[0]), &format!("```text\n{said}```"))).unwrap();
    } else {
        assert_eq!(shown, [said], "HIPPOLYTA_BLESS=1 writes docs/own-game.md anew");
    }
    let (output, errors, code) = run(&folder, "more.toml", more, "rules check FILE");
    assert_eq!((errors.as_str(), code, output.matches("FEN: ").count()), ("", 0, 6), "{output}");
}
