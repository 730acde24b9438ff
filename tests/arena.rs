//! `hippolyta match` as a user sees it: toy engines with every misbehaviour, outside processes, killing and resuming.
#![cfg(unix)]

mod common;

use common::folder::Folder;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const BINARY: &str = env!("CARGO_BIN_EXE_hippolyta");

/// White has one legal move, a1b1,b1a1, and none after that.
const SHORT_GAME: &str = "9q/10/10/10/10/10/10/10/***7/Q1*7 w - - 0 2";

impl Folder {
    /// A toy engine for which `go` does what a piece of shell says; White's legal move is in `$white`, a legal one of Black's in `$black`.
    /// It is a script to be read by `sh` and never executed itself: a file just written may still be open in a child that another test forks,
    /// and the system then refuses to execute it ("text file busy").
    fn toy(&self, name: &str, go: &str) -> String {
        let script = format!(
            "white=a1b1,b1a1 black=j10j9,j9j10\nwhile read -r line; do\ncase \"$line\" in\n\
             uci) echo 'id name toy'; echo 'option name Foo type string default x'; echo uciok;;\n\
             isready) echo readyok;;\n\
             position*moves*) legal=$black;;\nposition*) legal=$white;;\n\
             go*) {go};;\nquit) exit 0;;\nesac\ndone\n"
        );
        let path = self.0.join(name);
        fs::write(&path, script).unwrap();
        path.display().to_string()
    }

    fn book(&self) -> String {
        let path = self.0.join("book.txt");
        fs::write(&path, format!("# one forced move\n{SHORT_GAME}\n")).unwrap();
        path.display().to_string()
    }
}

fn run(words: &[&str]) -> Output {
    Command::new(BINARY).arg("match").args(words).output().unwrap()
}

fn games(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("games.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Plays a toy against our engine, once with each colour; the results from the toy's side with their reasons.
fn against_toy(name: &str, go: &str, limit: &str) -> Vec<(String, String)> {
    let folder = Folder::new(&format!("toy-{name}"));
    let (toy, book, out) = (folder.toy("toy", go), folder.book(), folder.path("out"));
    let script = format!("arg={toy}");
    let words = ["--engine", "cmd=sh", &script, "name=toy", limit, "--engine", "cmd=self", "nodes=2", "option.Hash=4"];
    let book = format!("file={book}");
    let output = run(&[&words[..], &["--openings", &book, "--out", &out, "--patience", "3"]].concat());
    assert!(output.status.success(), "{name}: {output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("Finished game 2 (self vs toy): "), "{text}");
    let seen = |game: &Value| {
        let won = if game["white"] == "toy" { "1-0" } else { "0-1" };
        let result = if game["result"] == won { "won" } else { "lost" };
        (result.to_owned(), game["reason"].as_str().unwrap().to_owned())
    };
    games(Path::new(&out)).iter().map(seen).collect()
}

#[test]
fn a_toy_that_keeps_the_rules_wins_and_loses_by_them() {
    let by_rules = vec![("lost".to_owned(), "rules".to_owned()), ("won".to_owned(), "rules".to_owned())];
    assert_eq!(against_toy("good", "echo \"bestmove $legal\"", "st=5"), by_rules);
    // Garbage and words that mean nothing are passed over, other spellings understood.
    let noisy = "printf '\\377\\000\\n\\n'; echo bestmoove x; echo info score cp; head -c 3000000 /dev/zero | tr '\\0' z; \
                 echo; case $legal in $white) legal=a1b1/a1;; esac; echo \"bestmove $legal ponder a1\"";
    let found = against_toy("noisy", noisy, "st=20");
    assert_eq!(found, by_rules);
}

#[test]
fn every_misbehaviour_loses_with_its_reason_and_the_match_goes_on() {
    let cases = [
        ("illegal", "echo 'bestmove a1a2,a2a3'", "st=5", "illegal-move"),
        ("unreadable", "echo 'bestmove castle'", "st=5", "illegal-move"),
        ("nothing", "echo bestmove", "st=5", "illegal-move"),
        ("none", "echo 'bestmove (none)'", "st=5", "illegal-move"),
        ("crash", "exit 3", "st=5", "crash"),
        ("killed", "kill -9 $$", "nodes=5", "crash"),
        ("hang", "while :; do sleep 1; done", "nodes=5", "silence"),
        ("deaf", "while :; do sleep 1; done", "st=0.2", "time"),
        ("late", "sleep 0.4; echo \"bestmove $legal\"", "st=0.2", "time"),
        ("slow", "sleep 0.4; echo \"bestmove $legal\"", "tc=0.2+0.1", "time"),
        ("wrong-words", "echo \"move $legal\"", "nodes=5", "silence"),
        ("resigns", "echo 'bestmove resign'", "st=5", "resignation"),
    ];
    // Most of these wait: so all at once.
    std::thread::scope(|scope| {
        for (name, go, limit, reason) in cases {
            scope.spawn(move || {
                let lost = ("lost".to_owned(), reason.to_owned());
                assert_eq!(against_toy(name, go, limit), [lost.clone(), lost], "{name}");
            });
        }
    });
}

#[test]
fn engines_that_do_not_start_are_named_before_the_first_game() {
    let folder = Folder::new("no-start");
    let silent = folder.path("silent");
    fs::write(&silent, "sleep 9\n").unwrap();
    for (command, message) in [
        ("cmd=no/such/program", "engine 'b': cannot start 'no/such/program': "),
        (&*format!("cmd=sh arg={silent}"), "engine 'b': "),
        ("cmd=self arg=--what", "engine 'b': unknown argument '--what'"),
        // Or the match would compare something else than was meant.
        ("cmd=self option.EvalFile=no.bin", "engine 'b': option EvalFile: no.bin: "),
        (&*format!("cmd={BINARY} option.Hash=abc"), "engine 'b': "),
    ] {
        let mut words = vec!["--engine", "cmd=self", "name=a", "--engine", "name=b"];
        words.extend(command.split(' '));
        words.extend(["--each", "nodes=5", "--patience", "3"]);
        let output = run(&words);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && error.contains(message), "{error}");
        assert!(error.lines().count() == 1 && output.stdout.is_empty(), "{error}");
    }
}

#[test]
fn bad_command_lines_get_one_clear_line() {
    let two = ["--engine", "cmd=self", "name=a", "--engine", "cmd=self", "name=b", "--each", "nodes=5"];
    let folder = Folder::new("bad-lines");
    fs::write(folder.0.join("book.txt"), "startpos moves a1a1,a1a1\n").unwrap();
    let book = format!("file={}", folder.path("book.txt"));
    for (more, message) in [
        (&["--sprt", "elo0=5", "elo1=1"][..], "--sprt: elo0 must be less than elo1"),
        (&["--sprt", "elo2=5"], "--sprt: 'elo2=5' is none of"),
        (&["--resign", "movecount=2"], "--resign needs score="),
        (&["--openings", &book], "line 1: move 1: "),
        (&["--openings", "file=no/such/file"], "--openings: no/such/file: "),
        (&["--variant", "chess"], "unknown variant 'chess'"),
        (&["--book-plies", "200", "--variant", "amazons6"], "no game of amazons6 goes on after 200 random moves"),
        (&["--engine", "cmd=self", "name=b"], "two engines are called 'b'"),
    ] {
        let output = run(&[&two[..], more].concat());
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && error.contains(message), "{more:?}: {error}");
    }
}

#[test]
fn our_binary_plays_over_uci_and_ugi_in_every_family() {
    for (variant, plies) in [("amazons6", "2"), ("iago", "40"), ("damone", "6")] {
        let folder = Folder::new(&format!("protocols-{variant}"));
        let command = format!("cmd={BINARY}");
        let output = run(&[
            "--engine",
            &command,
            "name=uci",
            "proto=uci",
            "--engine",
            &command,
            "name=ugi",
            "proto=ugi",
            "--engine",
            "cmd=self",
            "name=within",
            "tc=20+0.05",
            "--each",
            "nodes=30",
            "option.hash=4",
            "--variant",
            variant,
            "--book-plies",
            plies,
            "--concurrency",
            "2",
            "--out",
            &folder.path("out"),
        ]);
        assert!(output.status.success(), "{output:?}");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("Rank Name") && output.stderr.is_empty(), "{output:?}");
        let games = games(&folder.0.join("out"));
        assert_eq!(games.len(), 6);
        for game in games {
            assert_eq!(game["reason"], "rules", "{game}");
            let played = game["moves"].as_array().unwrap().iter().filter(|played| played["book"] != true);
            assert!(played.clone().count() > 0 && played.clone().all(|played| played["score"].is_object()), "{game}");
        }
        let result: Value = serde_json::from_slice(&fs::read(folder.0.join("out/result.json")).unwrap()).unwrap();
        assert_eq!((&result["games"], result["pairings"].as_array().unwrap().len()), (&Value::from(6), 3));
    }
}

/// Games without their times.
fn essence(folder: &Path) -> BTreeMap<u64, (String, String, Vec<String>)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let moves = |game: &Value| game["moves"].as_array().unwrap().iter().map(|played| text(&played["move"])).collect();
    games(folder)
        .iter()
        .map(|game| (game["game"].as_u64().unwrap(), (text(&game["white"]), text(&game["result"]), moves(game))))
        .collect()
}

#[test]
fn a_killed_match_goes_on_where_it_was() {
    let folder = Folder::new("resume");
    let words = |out: &str| {
        let fixed = "--engine cmd=self name=a nodes=150 --engine cmd=self name=b nodes=60 --each option.Hash=4 --variant amazons6 \
                     --games 24 --concurrency 2 --seed 3 --resume --out";
        fixed.split_whitespace().map(str::to_owned).chain([folder.path(out)]).collect::<Vec<_>>()
    };
    let start = |out: &str| {
        Command::new(BINARY).arg("match").args(words(out)).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    assert!(start("whole").wait().unwrap().success());
    let mut killed = 0;
    let deadline = Instant::now() + Duration::from_secs(120);
    loop {
        let before = fs::read_dir(folder.0.join("cut/games")).map_or(0, Iterator::count);
        let mut child = start("cut");
        // Until two more games are there.
        loop {
            assert!(Instant::now() < deadline, "the match does not come to an end");
            let now = fs::read_dir(folder.0.join("cut/games")).map_or(0, Iterator::count);
            if child.try_wait().unwrap().is_some() || now >= before + 2 {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        if child.try_wait().unwrap().is_some() {
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        killed += 1;
    }
    assert!(killed >= 2, "killed {killed} times");
    assert_eq!(essence(&folder.0.join("cut")).len(), 24);
    assert_eq!(essence(&folder.0.join("cut")), essence(&folder.0.join("whole")));
    // Nothing is left to play, more rounds may follow, but another match may not.
    let whole = folder.path("whole");
    let mut more = words("whole");
    more.extend(["--rounds".to_owned(), "2".to_owned()]);
    assert!(run(&more.iter().map(String::as_str).collect::<Vec<_>>()).status.success());
    assert_eq!(games(Path::new(&whole)).len(), 48);
    more.extend(["--repeat".to_owned(), "false".to_owned()]);
    let output = run(&more.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(String::from_utf8(output.stderr).unwrap().contains("its 'repeat' is true, not false"));
    assert_eq!(games(Path::new(&whole)).len(), 48);
}

#[test]
fn a_test_ends_a_match_early() {
    let words = "--engine cmd=self name=a nodes=200 --engine cmd=self name=b nodes=1 --each option.Hash=4 --variant amazons6 \
                 --games 1000 --sprt elo0=0 elo1=200";
    let output = run(&words.split_whitespace().collect::<Vec<_>>());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.trim_end().ends_with("H1 was accepted"), "{text}");
    assert!(text.matches("Finished game").count() < 100, "{text}");
}
