//! `hippolyta match` as a user sees it: toy engines with every misbehaviour, outside processes, killing and resuming.
#![cfg(unix)]

use crate::child::{PATIENCE, ended, kill_until_done, poll, until};
use crate::common::folder::Folder;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const BINARY: &str = env!("CARGO_BIN_EXE_hippolyta");

/// White has one legal move, a1b1,b1a1, and none after that.
const SHORT_GAME: &str = "9q/10/10/10/10/10/10/10/***7/Q1*7 w - - 0 2";

impl Folder {
    /// A toy engine for which `go` does what a piece of shell says; White's legal move is in `$white`, a legal one of
    /// Black's in `$black`. It is a script to be read by `sh` and never executed itself: a file just written may still
    /// be open in a child that another test forks, and the system then refuses to execute it ("text file busy").
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

    /// A book of four balanced positions: to find as many takes longer than most games of a test.
    fn starts(&self) -> String {
        let starts = ["2q1q1/6/q5/5Q/6/1Q1Q2", "q4q/6/6/6/6/Q4Q", "1q2q1/6/6/6/6/1Q2Q1", "6/q1q3/6/6/3Q1Q/6"];
        let path = self.0.join("starts.txt");
        fs::write(&path, starts.map(|board| format!("{board} w - - 0 1\n")).concat()).unwrap();
        format!("file={}", path.display())
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

/// Runs a match to its end, which must come: what it printed, and the most memory that it had, in KiB, where the system
/// tells.
fn run_measured(words: &[&str]) -> (Output, Option<u64>) {
    let mut child = piped(Command::new(BINARY).arg("match").args(words));
    let mut peak = None;
    let end = poll(|| {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        peak = line.and_then(|line| line.split_whitespace().next()?.parse().ok()).or(peak);
        child.try_wait().unwrap()
    });
    if end.is_none() {
        child.kill().unwrap();
        panic!("{words:?} does not end: {:?}", child.wait_with_output());
    }
    (child.wait_with_output().unwrap(), peak)
}

fn piped(command: &mut Command) -> Child {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

fn games(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("games.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Plays a toy against our engine, once with each colour; the results from the toy's side with their reasons.
fn against_toy(name: &str, go: &str, limit: &str) -> Vec<(String, String)> {
    against_toy_measured(name, go, limit).0.into_iter().map(|[result, reason, _]| (result, reason)).collect()
}

/// The results with reasons and details, and the most memory that the referee had.
fn against_toy_measured(name: &str, go: &str, limit: &str) -> (Vec<[String; 3]>, Option<u64>) {
    let folder = Folder::new(&format!("toy-{name}"));
    let (toy, book, out) = (folder.toy("toy", go), folder.book(), folder.path("out"));
    let script = format!("arg={toy}");
    let words = ["--engine", "cmd=sh", &script, "name=toy", limit, "--engine", "cmd=self", "nodes=2", "option.Hash=4"];
    let book = format!("file={book}");
    let (output, peak) = run_measured(&[&words[..], &["--openings", &book, "--out", &out, "--patience", "3"]].concat());
    assert!(output.status.success(), "{name}: {output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("Finished game 2 (self vs toy): "), "{text}");
    let seen = |game: &Value| {
        let won = if game["white"] == "toy" { "1-0" } else { "0-1" };
        let result = if game["result"] == won { "won" } else { "lost" };
        [result, game["reason"].as_str().unwrap(), game["detail"].as_str().unwrap()].map(str::to_owned)
    };
    let found: Vec<_> = games(Path::new(&out)).iter().map(seen).collect();
    let fault = |reason: &str| ["illegal-move", "time", "crash", "silence"].contains(&reason);
    let faults = found.iter().all(|[_, reason, _]| fault(reason));
    assert_eq!(text.contains("\ntoy lost 2 games by faults: "), faults, "{text}");
    (found, peak)
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
fn a_flag_falls_in_time_and_its_margin_is_told() {
    for (limit, told) in
        [("st=0.2", " ms of 200 ms, with a margin of 20 ms, "), ("tc=0.3", " ms of 300 ms, with a margin of 20 ms, ")]
    {
        let (found, _) = against_toy_measured("margin", "while :; do sleep 1; done", limit);
        for [_, reason, detail] in found {
            assert!(reason == "time" && detail.contains(told) && detail.ends_with("with no move"), "{detail}");
        }
    }
}

#[test]
fn an_engine_that_floods_the_referee_loses_on_time_and_takes_no_memory() {
    let (_, quiet) = against_toy_measured("quiet", "echo \"bestmove $legal\"", "st=5");
    let endless_line = "exec tr '\\0' z </dev/zero";
    let many_lines = "exec yes 'info depth 1 score cp 5 nodes 7 pv a1b1,b1a1'";
    let long_lines =
        "exec awk 'BEGIN { s = \"z\"; while (length(s) < 32000) s = s s; while (1) print substr(s, 1, 32000) }'";
    for (name, go) in [("endless", endless_line), ("lines", many_lines), ("long", long_lines)] {
        let (found, flooded) = against_toy_measured(name, go, "st=0.2");
        for [result, reason, detail] in found {
            assert!(result == "lost" && reason == "time", "{name}: {reason}, {detail}");
            let used = detail.split_once("on time: ").and_then(|(_, rest)| rest.split(' ').next()?.parse::<u64>().ok());
            // The flag falls at 220 ms; for its move, if late, an engine gets half a second more.
            assert!(used.is_some_and(|used| (220..5_000).contains(&used)), "{name}: {detail}");
        }
        if let (Some(quiet), Some(flooded)) = (quiet, flooded) {
            assert!(flooded < quiet + 40_000, "{name}: {flooded} KiB, and {quiet} KiB without a flood");
        }
    }
    // Nobody reads while the other engine thinks.
    let folder = Folder::new("flood-after");
    let flood = format!("arg={}", folder.toy("flood", &format!("echo \"bestmove $legal\"; {endless_line}")));
    let slow = format!("arg={}", folder.toy("slow", "sleep 3; echo \"bestmove $legal\""));
    let (book, out) = (format!("file={}", folder.book()), folder.path("out"));
    let engines =
        ["--engine", "cmd=sh", &flood, "name=flood", "--engine", "cmd=sh", &slow, "name=slow", "--each", "st=30"];
    let (_, flooded) = run_measured(&[&engines[..], &["--openings", &book, "--out", &out, "--games", "1"]].concat());
    assert_eq!(games(&folder.0.join("out"))[0]["reason"], "rules");
    assert!(quiet.zip(flooded).is_none_or(|(quiet, flooded)| flooded < quiet + 40_000), "{quiet:?} {flooded:?}");
}

#[test]
fn an_engine_that_floods_or_does_not_read_at_the_start_is_refused() {
    let folder = Folder::new("flood-start");
    let scripts = [
        ("options", "exec yes 'option name x type string default y'"),
        ("ready", "echo uciok; exec yes 'info string wait'"),
        ("deaf", "echo uciok; while :; do sleep 1; done"),
    ];
    // More than a pipe holds.
    let option = format!("option.Foo={}", "x".repeat(100_000));
    for (name, script) in scripts {
        let path = folder.path(name);
        fs::write(&path, script).unwrap();
        let script = format!("arg={path}");
        let engine =
            ["--engine", "cmd=sh", "proto=uci", "name=toy", &script, &option, "--each", "nodes=5", "--patience", "1"];
        let (output, peak) = run_measured(&[&["--engine", "cmd=self"], &engine[..]].concat());
        let error = String::from_utf8(output.stderr).unwrap();
        // Before, perhaps, that it is waited for.
        let error = error.lines().last().unwrap();
        assert!(error.starts_with("hippolyta: engine 'toy': 'sh' was sent '"), "{error}");
        assert!(
            error.contains(" (UCI): it does not answer within ") && peak.is_none_or(|peak| peak < 200_000),
            "{error} {peak:?}"
        );
    }
}

/// Whether a process runs.
#[cfg(target_os = "linux")]
fn runs(process: &str) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    status.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
}

/// A toy that does not end by itself, nor when its input does, and starts a process that does not either. Both say who
/// they are in files.
#[cfg(target_os = "linux")]
fn stubborn_toy(folder: &Folder) -> String {
    let here = folder.0.display();
    let script = format!(
        "trap '' INT TERM\nsleep 600 & echo $! >>{here}/children\necho $$ >>{here}/toys\n\
         while read -r line; do\ncase \"$line\" in\nuci) echo uciok;;\nisready) echo readyok;;\nesac\ndone\n\
         while :; do sleep 1; done\n"
    );
    fs::write(folder.path("toy"), script).unwrap();
    format!("arg={}", folder.path("toy"))
}

/// The processes that a stubborn toy has written down.
#[cfg(target_os = "linux")]
fn numbers(folder: &Folder, file: &str) -> Vec<String> {
    fs::read_to_string(folder.path(file)).unwrap_or_default().lines().map(str::to_owned).collect()
}

#[cfg(target_os = "linux")]
fn end_children(folder: &Folder) {
    for child in numbers(folder, "children") {
        if fs::read_to_string(format!("/proc/{child}/comm")).is_ok_and(|name| name == "sleep\n") {
            let _ = kill_process(Pid::from_raw(child.parse().unwrap()).unwrap(), Signal::KILL);
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn no_engine_is_left_behind_however_a_match_ends() {
    for (name, how) in
        [("end", None), ("int", Some(Signal::INT)), ("term", Some(Signal::TERM)), ("kill", Some(Signal::KILL))]
    {
        let folder = Folder::new(&format!("left-{name}"));
        let toy = stubborn_toy(&folder);
        let limit = if how.is_some() { "st=600" } else { "st=0.1" };
        let words = ["--engine", "cmd=sh", &toy, "name=toy", "--engine", "cmd=self", "option.Hash=4", "--each", limit];
        let mut child =
            piped(Command::new(BINARY).arg("match").args(words).args(["--games", "1", "--book-plies", "0"]));
        // Tried, then started for the game.
        until("second toy", &mut child, || (numbers(&folder, "toys").len() >= 2).then_some(()));
        if let Some(how) = how {
            signal(&child, how);
        }
        ended(&mut child);
        let mut processes = numbers(&folder, "toys");
        // Only the engine itself is told of a death that leaves no time.
        if how != Some(Signal::KILL) {
            processes.extend(numbers(&folder, "children"));
        }
        poll(|| (!processes.iter().any(|process| runs(process))).then_some(())).expect("the engines end");
        end_children(&folder);
    }
}

/// A match of 24 games in a folder, with a name that a shell must see quoted.
fn long_match(folder: &Folder) -> Vec<String> {
    let words = "--engine cmd=self name=a nodes=1200 --engine cmd=self nodes=400 --each option.Hash=4 --variant amazons6 \
                 --games 24 --concurrency 2 --seed 3";
    let mut words: Vec<_> = words.split_whitespace().map(str::to_owned).collect();
    words.insert(5, "name=it's b".to_owned());
    words.extend(["--openings".to_owned(), folder.starts(), "--out".to_owned(), folder.path("out")]);
    words
}

#[test]
fn a_stopped_match_shows_its_results_and_how_to_go_on() {
    for (how, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let folder = Folder::new(&format!("stopped-{code}"));
        let (out, path) = (folder.path("out"), folder.0.join("out"));
        let mut child = piped(Command::new(BINARY).arg("match").args(long_match(&folder)));
        until("third game", &mut child, || (count(&path) >= 3).then_some(()));
        signal(&child, how);
        let status = ended(&mut child);
        let output = child.wait_with_output().unwrap();
        let (text, error) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        let played = count(&path);
        assert!((3..24).contains(&played) && status.code() == Some(code), "{played} {status}");
        // The file holds whole games, and the results shown are those of the file.
        assert_eq!(games(&path).len(), played);
        assert_eq!(text.matches("Finished game").count(), played);
        let shown = run(&["--results", &out]);
        let results = String::from_utf8(shown.stdout).unwrap();
        let (first, results) = results.split_once('\n').unwrap();
        assert_eq!(first, format!("{played} of 24 games"));
        assert!(results.contains("Elo difference: ") && text.ends_with(results), "{text}\n{results}");
        let command = error.strip_prefix("hippolyta: interrupted; go on by: ").unwrap_or_else(|| panic!("{error}"));
        let resumed = Command::new("sh").arg("-c").arg(command).output().unwrap();
        assert!(resumed.status.success(), "{resumed:?}");
        let text = String::from_utf8(resumed.stdout).unwrap();
        assert_eq!(text.matches("Finished game").count(), 24 - played);
        assert_eq!(essence(&path).len(), 24);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_second_signal_ends_a_match_at_once() {
    // The first lets stubborn engines have a second; the second may come too late for that if the machine is busy.
    let ended_at_once = || {
        let folder = Folder::new("twice");
        let toy = stubborn_toy(&folder);
        let words = ["--engine", "cmd=sh", &toy, "name=a", "--engine", "cmd=sh", &toy, "name=b", "--each", "st=600"];
        let mut child = piped(Command::new(BINARY).arg("match").args(words).args(["--out", &folder.path("out")]));
        until("toys in a game", &mut child, || (numbers(&folder, "toys").len() >= 4).then_some(()));
        signal(&child, Signal::INT);
        std::thread::sleep(Duration::from_millis(60));
        let _ = kill_process(Pid::from_child(&child), Signal::INT);
        let status = ended(&mut child);
        let output = child.wait_with_output().unwrap();
        end_children(&folder);
        status.code() == Some(130) && output.stdout.is_empty() && output.stderr.is_empty()
    };
    assert!((0..5).any(|_| ended_at_once()));
}

#[test]
fn a_running_match_has_its_folder_for_itself_and_can_be_watched() {
    let folder = Folder::new("running");
    let (out, path) = (folder.path("out"), folder.0.join("out"));
    let words = long_match(&folder);
    let mut child = piped(Command::new(BINARY).arg("match").args(&words));
    // Both files grow with each game.
    until("two games", &mut child, || (count(&path) >= 2).then_some(()));
    let pgn = until("two games for people", &mut child, || {
        let text = fs::read_to_string(path.join("games.pgn")).unwrap_or_default();
        (text.matches("[Result ").count() >= 2).then_some(text)
    });
    signal(&child, Signal::STOP);
    assert!(pgn.matches("[Result ").count() < 24 && !path.join("result.json").exists());
    let shown = run(&["--results", &out]);
    let results = String::from_utf8(shown.stdout).unwrap();
    assert!(shown.status.success() && results.contains(" of 24 games\nScore of a vs it's b: "), "{results}");
    let second = run(&words.iter().map(String::as_str).chain(["--resume"]).collect::<Vec<_>>());
    let error = String::from_utf8(second.stderr).unwrap();
    let holder = format!("hippolyta: {out} is in use: process {} on ", child.id());
    assert!(error.starts_with(&holder) && error.contains(", since 20") && error.ends_with(" UTC\n"), "{error}");
    assert_eq!(second.status.code(), Some(1));
    signal(&child, Signal::CONT);
    assert!(ended(&mut child).success());
    let numbers = |text: &str| {
        let lines = text.lines().filter_map(|line| line.strip_prefix("[Game \"")?.strip_suffix("\"]"));
        lines.map(|number| number.parse::<u64>().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(numbers(&fs::read_to_string(path.join("games.pgn")).unwrap()), (1..=24).collect::<Vec<_>>());
    let order: Vec<_> = games(&path).iter().map(|game| game["game"].as_u64().unwrap()).collect();
    assert_eq!(order, (0..24).collect::<Vec<_>>());
    // Games of who knows what are not mixed with others.
    fs::remove_file(path.join("match.json")).unwrap();
    let strange = run(&words.iter().map(String::as_str).chain(["--resume"]).collect::<Vec<_>>());
    assert!(String::from_utf8(strange.stderr).unwrap().contains("is not empty and holds no run; name another folder"));
    let missing = run(&["--results", &folder.path("none")]);
    let error = String::from_utf8(missing.stderr).unwrap();
    assert!(
        error.ends_with("none holds no run: to begin one, say --engine\n") && error.lines().count() == 1,
        "{error}"
    );
}

#[test]
fn engines_that_do_not_start_are_named_before_the_first_game() {
    let folder = Folder::new("no-start");
    let silent = folder.path("silent");
    fs::write(&silent, "sleep 9\n").unwrap();
    let toy = folder.toy("toy", "echo bestmove");
    for (command, message) in [
        ("cmd=no/such/program", "engine 'b': cannot start 'no/such/program': "),
        (&*format!("cmd=sh arg={silent}"), "engine 'b': "),
        ("cmd=self arg=--what", "engine 'b': unknown argument '--what'"),
        ("cmd=self option.Hush=4", "engine 'b': no such option: 'Hush'"),
        ("cmd=self option.Hash=0", "engine 'b': option Hash: '0' is not a whole number from 1 to 32768"),
        (&*format!("cmd=sh arg={toy} option.Hash=4 option.Bar=1"), "engine 'b': option Hash: the engine has no such"),
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
        let others = error.lines().filter(|line| !line.contains(" is waited for, "));
        assert!(others.count() == 1 && output.stdout.is_empty(), "{error}");
    }
}

/// The block of docs/tournaments.md in `language` that begins so.
fn guide(language: &str, begins: &str) -> String {
    let text = fs::read_to_string(concat!(root!(), "/docs/tournaments.md")).unwrap();
    let fence = format!("```{language}\n");
    let mut blocks = text.split(&fence).skip(1).map(|block| block.split("```").next().unwrap());
    blocks.find(|block| block.starts_with(begins)).expect(begins).to_owned()
}

#[test]
fn engines_come_from_a_file_as_the_guide_shows() {
    let folder = Folder::new("roster");
    fs::write(folder.path("engines.toml"), guide("toml", "[each]")).unwrap();
    let command = guide("sh", "hippolyta match --engines");
    for (line, said) in command.lines().zip(["Finished game 1 (small vs large): ", "\nWinner: "]) {
        let words: Vec<_> = line.split_whitespace().skip(1).collect();
        let output = Command::new(BINARY).args(&words).current_dir(&folder.0).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && text.contains(said), "{text}");
    }
    // Two of three from cutechess' file, with a word changed.
    let json = r#"[{"name": "a", "command": "self", "options": [{"name": "Hash", "type": "spin", "value": 4}]},
        {"name": "b", "command": "no/such/program"}, {"name": "c", "command": "self"}]"#;
    fs::write(folder.path("engines.json"), json).unwrap();
    let file = folder.path("engines.json");
    let out = folder.path("out");
    let fixed = ["--engines", &file, "--each", "nodes=5", "--variant", "amazons6", "--out", &out, "--engine", "conf=c"];
    let output = run(&[&fixed[..], &["option.Hash=4", "--engine", "conf=a", "nodes=9"]].concat());
    assert!(output.status.success(), "{output:?}");
    let described: Value = serde_json::from_slice(&fs::read(folder.path("out/match.json")).unwrap()).unwrap();
    assert_eq!((&described["engines"][0]["name"], &described["engines"][1]["name"]), (&"c".into(), &"a".into()));
    assert_eq!(described["engines"][1]["allowance"]["nodes"], 9);
    for (words, message) in [
        (
            vec!["--engines", &file, "--engine", "conf=d"],
            format!("--engine: conf=d: {file} has no such engine; it has a, b, c"),
        ),
        (vec!["--engine", "conf=a"], "--engine: conf= picks an engine from a file, which --engines names".to_owned()),
        (vec!["--engines", "no/such/file"], "--engines: no/such/file: ".to_owned()),
    ] {
        let output = run(&words);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && error.starts_with(&format!("hippolyta: {message}")), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

#[test]
fn games_that_are_counted_have_the_results_of_games_that_are_played_out() {
    let folder = Folder::new("counted");
    let play = |out: &str, more: &[&str]| {
        let path = folder.path(out);
        // Enough nodes for the count at the root: with fewer an engine may throw away what the referee knows to be won.
        let words = "--engine cmd=self name=a nodes=1000 --engine cmd=self name=b nodes=400 --each option.Hash=4 \
                     --variant amazons6 --games 12 --seed 1 --out";
        let output = run(&[&words.split_whitespace().collect::<Vec<_>>()[..], &[&path], more].concat());
        assert!(output.status.success(), "{output:?}");
        (games(Path::new(&path)), String::from_utf8(output.stdout).unwrap())
    };
    let ((whole, full), (counted, text)) = (play("whole", &[]), play("counted", &["--adjudicate", "exact"]));
    assert!(text.contains("wins by exact count}") && full.contains("\nMargin: "), "{text}\n{full}");
    let turns = |game: &Value| game["moves"].as_array().unwrap().iter().map(|m| m["move"].clone()).collect::<Vec<_>>();
    let mut shorter = 0;
    for (whole, counted) in whole.iter().zip(&counted) {
        assert_eq!((&whole["reason"], &whole["result"]), (&"rules".into(), &counted["result"]));
        // The counted game is the whole one, broken off.
        assert!(turns(whole).starts_with(&turns(counted)), "{whole}\n{counted}");
        let sign = if whole["result"] == "1-0" { 1.0 } else { -1.0 };
        assert!(whole["margin"].as_f64().unwrap() * sign > 0.0, "{whole}");
        assert!(counted["margin"].as_f64().is_none_or(|margin| margin * sign > 0.0), "{counted}");
        shorter += usize::from(counted["reason"] == "exact");
    }
    assert!(shorter >= 10, "{shorter}");
    // Some turns later the margin is known, too.
    let (margins, _) = play("margins", &["--adjudicate", "count"]);
    assert!(margins.iter().all(|game| game["margin"].is_f64()));
    for (exact, counted) in counted.iter().zip(&margins) {
        assert!(
            turns(counted).starts_with(&turns(exact)) && counted["result"] == exact["result"],
            "{exact}\n{counted}"
        );
    }
    // A proof comes earlier than a count.
    let (proven, text) = play("proven", &["--adjudicate", "proof"]);
    assert!(text.contains("wins by proof}"), "{text}");
    for (exact, proven) in counted.iter().zip(&proven) {
        assert!(turns(exact).starts_with(&turns(proven)) && proven["reason"] == "exact", "{exact}\n{proven}");
    }
    let earlier = counted.iter().zip(&proven).filter(|(exact, proven)| turns(exact).len() > turns(proven).len());
    assert!(earlier.count() >= 6);
    let tagged = fs::read_to_string(folder.path("margins/games.pgn")).unwrap();
    assert!(tagged.contains("[Termination \"exact\"]") && tagged.contains("[Margin \""), "{tagged}");
}

#[test]
fn engines_that_differ_in_memory_or_threads_are_told() {
    let play = |more: &[&str]| {
        let engines = ["--engine", "cmd=self", "name=a", "--engine", "cmd=self", "name=b"];
        let fixed = ["--variant", "amazons6", "--games", "1", "--book-plies", "0", "--each", "nodes=1"];
        let output = run(&[&engines[..], more, &fixed, &["option.hash=4"]].concat());
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert_eq!(play(&[]), "");
    let told = "hippolyta: the engines differ in Hash: a has 4, b has 8\n\
                hippolyta: the engines differ in Threads: a has 1, b has 2\n";
    assert_eq!(play(&["option.Hash=8", "option.Threads=2"]), told);
}

#[test]
fn bad_command_lines_get_one_clear_line() {
    let two = ["--engine", "cmd=self", "name=a", "--engine", "cmd=self", "name=b", "--each", "nodes=5"];
    let folder = Folder::new("bad-lines");
    fs::write(folder.0.join("book.txt"), "startpos moves a1a1,a1a1\n").unwrap();
    let file = folder.path("book.txt");
    let (book, beneath) = (format!("file={file}"), format!("{file}/below"));
    for (more, message) in [
        (&["--sprt", "elo0=5", "elo1=1"][..], "--sprt: elo0 must be less than elo1"),
        (&["--sprt", "elo2=5"], "--sprt: 'elo2=5' is none of"),
        (&["--resign", "movecount=2"], "--resign: score=CENTIPAWNS is needed"),
        (&["--resign", "movecount=0", "score=5"], "'movecount=0': a number from 1 up is expected"),
        (&["--draw", "movecount=0"], "'movecount=0': a number from 1 up is expected"),
        (&["--openings", "suite", "start=0"], "'start=0': a number from 1 up is expected"),
        (&["--openings", &book], "book.txt: 1:16: game 1: illegal move 'a1a1,a1a1'"),
        (&["--openings", "file=no/such/file"], "--openings: no/such/file: "),
        (&["--variant", "chess"], "unknown variant 'chess'"),
        (&["--book-plies", "200", "--variant", "amazons6"], "no game of amazons6 goes on after 200 random moves"),
        (&["--tournament", "knockout", "--rounds", "2"], "--rounds: a knockout has as many as"),
        (&["--tournament", "league"], "[possible values: round-robin, gauntlet, swiss, knockout]"),
        (&["--engine", "cmd=self", "name=b"], "two engines are called 'b'"),
        (&["--out", &file], "book.txt: a file is there, where a folder is wanted"),
        (&["--out", &beneath], "below: a file is there, where a folder is wanted"),
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
        // Where draws are usual, that is said; on a busy machine also that an engine is waited for.
        let said = String::from_utf8_lossy(&output.stderr);
        let expected = |line: &str| line.contains("of 100 long games") || line.contains(" is waited for, ");
        assert!(text.contains("Rank Name") && said.lines().all(expected), "{output:?}");
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

/// Number of games in a folder that are written to their end.
fn count(folder: &Path) -> usize {
    fs::read(folder.join("games.jsonl")).map_or(0, |text| text.iter().filter(|&&byte| byte == b'\n').count())
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
        let fixed = "--engine cmd=self name=a nodes=600 --engine cmd=self name=b nodes=240 --each option.Hash=4 --variant amazons6 \
                     --games 24 --concurrency 2 --seed 3 --resume --out";
        let book = ["--openings".to_owned(), folder.starts()];
        fixed.split_whitespace().map(str::to_owned).chain([folder.path(out)]).chain(book).collect::<Vec<_>>()
    };
    let start = |out: &str| {
        Command::new(BINARY).arg("match").args(words(out)).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    assert!(start("whole").wait().unwrap().success());
    let state = || count(&folder.0.join("cut"));
    kill_until_done(
        || start("cut"),
        state,
        |before, now| *now >= before + 2,
        || {
            // Half a line, as a kill may leave it.
            let cut = folder.0.join("cut/games.jsonl");
            let last = fs::read(&cut).unwrap().split(|&byte| byte == b'\n').next().unwrap()[..100].to_vec();
            fs::OpenOptions::new().append(true).open(&cut).unwrap().write_all(&last).unwrap();
        },
    );
    assert_eq!(essence(&folder.0.join("cut")).len(), 24);
    assert_eq!(essence(&folder.0.join("cut")), essence(&folder.0.join("whole")));
    // Nothing is left to play, more rounds may follow, but another match may not.
    let whole = folder.path("whole");
    let mut more = words("whole");
    more.extend(["--rounds".to_owned(), "2".to_owned()]);
    assert!(run(&more.iter().map(String::as_str).collect::<Vec<_>>()).status.success());
    assert_eq!(games(Path::new(&whole)).len(), 48);
    let other = more.iter().map(|word| if word == "24" { "8" } else { word }).chain(["--repeat", "false"]);
    let output = run(&other.collect::<Vec<_>>());
    let error = String::from_utf8(output.stderr).unwrap();
    let named =
        "whole holds a run with other options: --games 24 → 8; --repeat true → false; more games are more --rounds";
    assert!(error.contains(named), "{error}");
    let more = words("whole").iter().map(|word| word.replace("nodes=240", "nodes=250")).collect::<Vec<_>>();
    let output = run(&more.iter().map(String::as_str).chain(["--maxmoves", "60"]).collect::<Vec<_>>());
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        error.contains("with other options: engine 'b': nodes 240 → 250; --maxmoves none → 60; to go on"),
        "{error}"
    );
    assert_eq!(games(Path::new(&whole)).len(), 48);
}

#[test]
fn pairings_by_results_go_on_after_a_kill_as_they_would_have_been() {
    for (format, ends) in
        [("swiss", ["Swiss, round 3 of 3\nRank Name", "1 bye"]), ("knockout", ["Final: ", "\nWinner: "])]
    {
        let folder = Folder::new(&format!("resume-{format}"));
        let words = |out: &str| {
            let fixed = "--engine cmd=self name=a nodes=600 --engine cmd=self name=b nodes=400 --engine cmd=self name=c nodes=200 \
                         --engine cmd=self name=d nodes=100 --engine cmd=self name=e nodes=50 --each option.Hash=4 --variant \
                         amazons6 --games 2 --concurrency 2 --seed 3 --resume --tournament";
            let rounds = if format == "swiss" { &["--rounds", "3"][..] } else { &[] };
            let words = fixed.split_whitespace().chain([format]).chain(rounds.iter().copied());
            let book = ["--openings".to_owned(), folder.starts(), "--out".to_owned(), folder.path(out)];
            words.map(str::to_owned).chain(book).collect::<Vec<_>>()
        };
        let start = |out: &str| {
            let mut command = Command::new(BINARY);
            command.arg("match").args(words(out)).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
        };
        let whole = Command::new(BINARY).arg("match").args(words("whole")).output().unwrap();
        let text = String::from_utf8(whole.stdout).unwrap();
        assert!(whole.status.success() && ends.iter().all(|end| text.contains(end)), "{text}");
        let state = || count(&folder.0.join("cut"));
        kill_until_done(|| start("cut"), state, |before, now| *now >= before + 2, || {});
        assert_eq!(essence(&folder.0.join("cut")), essence(&folder.0.join("whole")), "{format}");
        let shown = String::from_utf8(run(&["--results", &folder.path("cut")]).stdout).unwrap();
        let report = shown.split_once('\n').unwrap().1;
        assert!(text.ends_with(report) && ends.iter().all(|end| report.contains(end)), "{shown}\n{text}");
        // Each round has five engines, so one rests: two match-ups of a Swiss round; of a knockout four in all.
        let played = essence(&folder.0.join("cut")).len();
        assert!(if format == "swiss" { played == 12 } else { played >= 8 }, "{played}");
    }
}

#[test]
fn engines_ponder_on_the_reply_that_they_expect_and_their_clocks_stand_meanwhile() {
    let folder = Folder::new("ponder");
    // The child's input is kept in a file.
    fs::write(folder.path("tapped"), format!("tee -a {} | {BINARY}", folder.path("told"))).unwrap();
    let (tapped, out) = (format!("arg={}", folder.path("tapped")), folder.path("out"));
    let engines = ["--engine", "cmd=sh", &tapped, "name=child", "proto=uci", "--engine", "cmd=self", "name=within"];
    let each = "--each nodes=150 tc=600+1 ponder=true option.Hash=4 --variant amazons6 --seed 2 --out";
    let output = run(&[&engines[..], &each.split(' ').collect::<Vec<_>>(), &[&out]].concat());
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    // A search on the opponent's time ends by a hit or by a stop, before anything else is asked.
    let told = fs::read_to_string(folder.path("told")).unwrap();
    let words = |line: &str| ["go", "ponderhit", "stop", "position"].contains(&line.split(' ').next().unwrap());
    let lines: Vec<_> = told.lines().filter(|line| words(line)).collect();
    let (mut hits, mut misses) = (0, 0);
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.starts_with("go ponder ")) {
        assert!(line.contains(" wtime ") && line.ends_with(" nodes 150"), "{line}");
        let before = lines[at - 1];
        match lines[at + 1] {
            "ponderhit" => hits += 1,
            "stop" => {
                misses += 1;
                // The position that follows is another one, or another game's.
                assert!(
                    lines.get(at + 2).is_none_or(|line| line.starts_with("position ") && *line != before),
                    "{told}"
                );
            }
            other => panic!("{other} while it ponders"),
        }
    }
    assert!(told.contains("setoption name Ponder value true") && hits > 0 && misses > 0, "{hits} {misses}");
    let (mut recorded, mut within) = (0, 0);
    for game in games(Path::new(&out)) {
        assert_eq!(game["reason"], "rules");
        let played: Vec<_> = game["moves"].as_array().unwrap().iter().filter(|played| played["book"] != true).collect();
        for side in 0..2 {
            let own: Vec<_> = played.iter().skip(side).step_by(2).collect();
            // With four moves of the opening White begins. Only what a turn took is taken off, pondering is not.
            let name = if side == 0 { &game["white"] } else { &game["black"] };
            let mut left = 600_000.0;
            for played in own {
                left += 1_000.0 - played["time_us"].as_f64().unwrap() / 1_000.0;
                let shown = played["clock_ms"].as_f64().unwrap();
                assert!((left - shown).abs() < 2.0, "{left} {shown}");
                left = left.min(shown + 1.0);
                let hit = usize::from(played["ponderhit"] == true);
                *(if name == "child" { &mut recorded } else { &mut within }) += hit;
            }
        }
    }
    assert_eq!(recorded, hits);
    assert!(within > 0);
    // Without the word nobody ponders.
    fs::remove_file(folder.path("told")).unwrap();
    let quiet = "--each nodes=20 option.Hash=4 --variant amazons6 --games 1";
    assert!(run(&[&engines[..], &quiet.split(' ').collect::<Vec<_>>()].concat()).status.success());
    assert!(!fs::read_to_string(folder.path("told")).unwrap().contains("ponder"));
}

#[test]
fn a_test_ends_a_match_early() {
    let folder = Folder::new("sprt");
    // To make a book for so many games takes longer than to play them.
    let book = folder.path("book.txt");
    fs::write(&book, "1q2/3q/Q3/2Q1 w - - 0 1\n").unwrap();
    let words = format!(
        "--engine cmd=self name=a nodes=60 --engine cmd=self name=b nodes=1 option.UCI_LimitStrength=true \
         option.UCI_Elo=100 --each option.Hash=4 --games 1000 --sprt elo0=0 elo1=200 --openings file={book}"
    );
    let output = run(&words.split_whitespace().collect::<Vec<_>>());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains(" - H1 was accepted\n"), "{text}");
    assert!(text.matches("Finished game").count() < 100, "{text}");
}

#[test]
fn a_silent_engine_is_named_soon_and_given_up_soon() {
    let folder = Folder::new("silent");
    let silent = folder.0.join("silent");
    fs::write(&silent, "exec sleep 60").unwrap();
    let script = format!("arg={}", silent.display());
    for (proto, patience, lines) in [
        ("proto=auto", "2", [": 'uci' was sent, 'uciok' is waited for, 2 s", "'sh' speaks neither UCI nor UGI: it"]),
        ("proto=ugi", "2", [": 'ugi' was sent, 'ugiok' is waited for, 2 s", "'sh' was sent 'ugi' (UGI): it does not"]),
    ] {
        let words = ["--engine", "cmd=sh", "name=toy", &script, proto, "--engine", "cmd=self", "--each", "nodes=5"];
        let begun = Instant::now();
        let output = run(&[&words[..], &["--patience", patience]].concat());
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(begun.elapsed() < PATIENCE && output.status.code() == Some(1), "{error}");
        let (first, last) = (error.lines().next().unwrap(), error.lines().last().unwrap());
        assert!(first.starts_with("hippolyta: engine 'toy'") && first.contains(lines[0]), "{error}");
        assert!(last.contains(lines[1]) && last.ends_with("within 2 s"), "{error}");
    }
}

/// Between these two places there are 26 hours, so their calendars never show the same day.
#[test]
fn games_have_the_day_of_the_place_and_numbers_from_that_of_the_position_on() {
    let folder = Folder::new("local-day");
    let book = folder.path("book.epd");
    fs::write(&book, "1q2q1/q4q/1Q*3/6/Q4Q/4Q1 b - - hmvc 0; fmvn 17;\n").unwrap();
    let days = ["<+14>-14", "<-12>12"].map(|zone| {
        let (out, pgn) = (folder.path("out"), folder.path("farm.pgn"));
        let ours = format!(
            "match --engine cmd=self name=a --engine cmd=self name=b --each nodes=1 --games 2 --variant amazons6 \
             --openings file={book} --out {out}"
        );
        let farm = format!(
            "fastchess -variant amazons6 -rounds 1 -engine cmd=self name=a nodes=1 -engine cmd=self name=b nodes=1 \
             -openings file={book} format=epd -pgnout file={pgn}"
        );
        for line in [ours, farm] {
            let output = Command::new(BINARY).args(line.split_whitespace()).env("TZ", zone).output().unwrap();
            assert!(output.status.success(), "{output:?}");
        }
        let converted = folder.path("again.pgn");
        let lines = format!("{out}/games.jsonl");
        let output = Command::new(BINARY).args(["convert", &lines, "--out", &converted, "--force"]).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let days = [format!("{out}/games.pgn"), pgn.clone(), converted].map(|file| {
            let text = fs::read_to_string(file).unwrap();
            assert!(text.contains("\n17... ") && text.contains(" 18. ") && !text.contains(" 1. "), "{text}");
            text.lines().find(|line| line.starts_with("[Date ")).unwrap().to_owned()
        });
        fs::remove_file(pgn).unwrap();
        fs::remove_dir_all(out).unwrap();
        assert!(days.iter().all(|day| *day == days[0]), "{days:?}");
        days[0].clone()
    });
    assert_ne!(days[0], days[1]);
}

#[test]
fn a_match_has_the_title_event_site_and_date_that_it_was_given() {
    let folder = Folder::new("occasion");
    let (out, html) = (folder.path("out"), folder.path("page.html"));
    let engines = ["--engine", "cmd=self", "name=a", "--engine", "cmd=self", "name=b", "--each", "nodes=1"];
    let more = ["--variant", "amazons6", "--out", &out, "--html", &html, "--title", "The <Spring> Cup"];
    let match_ = |words: &[&str]| {
        let output = run(&[&engines[..], &more[..], words].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    match_(&["--event", "Round \"one\"", "--site", "Here", "--date", "2026-03-01"]);
    let pgn = fs::read_to_string(folder.path("out/games.pgn")).unwrap();
    for tag in ["[Event \"Round \\\"one\\\"\"]", "[Site \"Here\"]", "[Date \"2026.03.01\"]"] {
        assert_eq!(pgn.matches(tag).count(), 2, "{pgn}");
    }
    let read = |name: &str| -> Value { serde_json::from_slice(&fs::read(folder.path(name)).unwrap()).unwrap() };
    for file in ["out/result.json", "out/match.json"] {
        let found = read(file);
        assert_eq!(found["title"], "The <Spring> Cup");
        assert_eq!([&found["event"], &found["site"], &found["date"]], ["Round \"one\"", "Here", "2026.03.01"]);
    }
    let line = fs::read_to_string(folder.path("out/games.jsonl")).unwrap();
    let record: Value = serde_json::from_str(line.lines().next().unwrap()).unwrap();
    assert_eq!(record["tags"]["Site"], "Here");
    let page = fs::read_to_string(&html).unwrap();
    assert!(page.contains("<title>The &lt;Spring&gt; Cup</title>") && page.contains("<h1>The &lt;Spring&gt; Cup</h1>"));
    assert!(page.contains("amazons6 · Round &quot;one&quot; · Here · 2026.03.01 · 2 games"), "{page}");
    // The title is the event where none is named.
    fs::remove_dir_all(&out).unwrap();
    match_(&["--force"]);
    let pgn = fs::read_to_string(folder.path("out/games.pgn")).unwrap();
    assert_eq!(pgn.matches("[Event \"The <Spring> Cup\"]\n[Site \"?\"]\n").count(), 2, "{pgn}");
    for date in ["26.11.2026", "2026.13.01", "2026", "today"] {
        let output = run(&[&engines[..], &["--date", date]].concat());
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(error, format!("hippolyta: --date: '{date}': a date such as 2026.11.26 is expected\n"));
    }
}

#[test]
fn draws_that_are_usual_are_said_before_and_games_that_were_all_drawn_after() {
    let engines = ["--engine", "cmd=self", "name=a", "--engine", "cmd=self", "name=b", "--each", "nodes=1"];
    for (variant, usual) in [("cassio", true), ("amazons6", false)] {
        let output = run(&[&engines[..], &["--variant", variant, "--maxmoves", "6"]].concat());
        let [text, error] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let said = "hippolyta: cassio: of 100 long games between equals 100 are drawn";
        assert_eq!(error.starts_with(said), usual, "{error}");
        assert_eq!(error.lines().count(), usize::from(usual), "{error}");
        assert!(text.ends_with("\nAll 2 games were drawn: they do not tell the engines apart\n"), "{text}");
    }
}

#[test]
fn a_test_with_bounds_that_no_match_tells_is_refused() {
    let engines = ["--engine", "cmd=self", "name=a", "--engine", "cmd=self", "name=b", "--each", "nodes=1", "--sprt"];
    for (words, message) in [
        (["elo0=0", "elo1=2001"], "elo0 and elo1 must be between -2000 and 2000: no match can tell more"),
        (["elo0=-1e9", "elo1=0"], "elo0 and elo1 must be between -2000 and 2000"),
        (["elo0=5", "elo1=5"], "elo0 must be less than elo1"),
    ] {
        let output = run(&[&engines[..], &words, &["model=normalized"]].concat());
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.starts_with(&format!("hippolyta: --sprt: {message}")) && error.lines().count() == 1, "{error}");
    }
}

#[test]
fn games_without_a_book_differ_by_variety_and_are_the_same_each_time() {
    let folder = Folder::new("variety");
    let played = |out: &str| {
        let words = "--engine cmd=self name=a --engine cmd=self name=b --each nodes=40 option.Hash=4 option.Variety=50 \
                     --variant amazons6 --games 8 --repeat false --book-plies 0 --out";
        let output = run(&words.split_whitespace().chain([&*folder.path(out)]).collect::<Vec<_>>());
        assert!(output.status.success(), "{output:?}");
        essence(&folder.0.join(out))
    };
    let first = played("first");
    let turns: std::collections::HashSet<_> = first.values().map(|(.., turns)| turns).collect();
    assert!(turns.len() > 5, "{first:?}");
    assert_eq!(first, played("second"));
}

#[test]
fn a_match_goes_on_with_the_same_files_alone() {
    let folder = Folder::new("files");
    let (book, out) = (folder.path("a.book"), folder.path("out"));
    let make = |positions: &str| {
        let words = ["book", "--variant", "amazons6", "--nodes", "10", "--positions", positions, "--force", "--out"];
        assert!(Command::new(BINARY).args(words).arg(&book).status().unwrap().success());
    };
    let option = format!("option.BookFile={book}");
    let words = "--engine cmd=self name=a --engine cmd=self name=b --each nodes=2 --variant amazons6 --resume --out";
    let words: Vec<&str> = words.split_whitespace().chain([&*out, "--engine", "cmd=self", "name=c", &option]).collect();
    make("2");
    assert!(run(&words).status.success());
    assert!(run(&words).status.success());
    make("3");
    let error = String::from_utf8(run(&words).stderr).unwrap();
    assert!(error.contains(&format!("engine 'c': {option} has other contents now")), "{error}");
}

#[test]
fn engines_of_a_file_that_speak_another_protocol_are_passed_over_by_name() {
    let folder = Folder::new("xboard");
    let file = folder.path("engines.json");
    let text = r#"[{"name": "old", "command": "crafty", "protocol": "xboard"}, {"name": "a", "command": "self"},
                   {"name": "b", "command": "self", "protocol": "uci"}]"#;
    fs::write(&file, text).unwrap();
    let words = ["--engines", &file, "--each", "nodes=1", "--variant", "amazons6", "--games", "1"];
    let output = run(&words);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(error, format!("hippolyta: --engines: {file}: 'old' is passed over, as it speaks xboard\n"));
    assert!(output.status.success());
    let output = run(&[&words[..], &["--engine", "conf=old", "--engine", "conf=a"]].concat());
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("it speaks xboard, not UCI or UGI") && !output.status.success(), "{error}");
}
