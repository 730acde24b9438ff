//! Ctrl-C and SIGTERM in every command that may take long.

use crate::common::folder::Folder;
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Longer than an end takes on a busy machine, and far shorter than the work that is interrupted.
const PATIENCE: Duration = Duration::from_secs(20);

/// What a command says when it is interrupted: nothing, or how to go on.
const SILENT: &str = "";
const INTERRUPTED: &str = "hippolyta: interrupted\n";
/// The command follows, with `--resume` at its end.
const RESUME: &str = "hippolyta: interrupted; go on by: ";
/// The command follows as it was.
const AGAIN: &str = "hippolyta: interrupted; go on";

/// The words of a command whose work has no end here, a file that it has made once it works (if it makes one), and how
/// its standard error begins after a signal.
const COMMANDS: [(&str, &str, &str); 32] = [
    ("perft 9", "", SILENT),
    ("bench --depth 50", "", SILENT),
    ("analyse list.txt --nodes 1000000000", "", SILENT),
    ("review game.pgn --nodes 1000000000", "", SILENT),
    ("tables --pieces 4 --out t", "", SILENT),
    ("convert - --from pgn --out x.pgn", "", SILENT),
    ("explorer - --out x.json", "", SILENT),
    ("analyse", "", SILENT),
    ("gtp", "", SILENT),
    ("problems check --group amazons --effort 1000000000000 --threads 1", "", SILENT),
    (
        "match --engine cmd=self name=a --engine cmd=self name=b --each nodes=1 --games 200000",
        "",
        "hippolyta: interrupted; without --out the games were not kept",
    ),
    (
        "fastchess -engine cmd=self name=a -engine cmd=self name=b -each nodes=1 -rounds 100000",
        "",
        "hippolyta: no -openings: all games begin at the start position",
    ),
    (
        "match --engine cmd=self name=a --engine cmd=self name=b --each st=9999 --book-plies 0 --out m",
        "m/match.json",
        RESUME,
    ),
    ("go", "", INTERRUPTED),
    ("solve --fen 1q2q1/q4q/6/6/Q4Q/1Q2Q1~w", "", INTERRUPTED),
    ("solve --fen 1q2q1/q4q/6/6/Q4Q/1Q2Q1~w --out s", "s/solve.json", AGAIN),
    (
        "learn --generations 1 --games 9 --nodes 1000000000 --out l",
        "l/generation-1/shards",
        "hippolyta: interrupted; go on by: hippolyta learn --out l\n",
    ),
    ("selfplay --games 1 --nodes 1000000000 --out d", "d.partial", RESUME),
    ("openings --nodes 1000000000 --within 3000 --out o", "o.partial", RESUME),
    ("openings --plies 1 --nodes 1 --within 3000 --games 1000 --count 1 --out o", "o.partial", RESUME),
    ("book --nodes 1000000000 --out b", "b.partial", RESUME),
    ("problems make --effort 1000000000 --out p", "p.partial", RESUME),
    ("problems make --variant damone --out q", "q.partial", RESUME),
    ("problems test --nodes 1000000000 --group amazons", "", INTERRUPTED),
    ("blunders make --nodes 1000000000 --out j", "j.partial", RESUME),
    ("blunders make --variant damone --out k", "k.partial", RESUME),
    ("blunders test --nodes 1000000000 --group amazons", "", INTERRUPTED),
    ("assess --nodes 1000000000 --out r.json", "r.json.partial", RESUME),
    ("design --variant desdemona --vary flips --learn 0 --nodes 1000000000 --out v.json", "v.json.partial", RESUME),
    ("tune --constant c_puct=0.6,0.06 --nodes 1000000000 --out t.json", "t.json.partial", RESUME),
    ("calibrate games --only iago --nodes 1000000000", "games/iago.jsonl", AGAIN),
    ("fit games.dat --epochs 1000 --validation 4 --out w", "w.partial", RESUME),
];

/// Whether a process hears signals: the system knows that it catches them, and one that says something then has a
/// thread for them, except for matches, which have a file by then.
fn hears_signals(child: &Child, has_thread: bool) -> bool {
    let of_process = |name: &str| fs::read_to_string(format!("/proc/{}/{name}", child.id())).unwrap_or_default();
    let status = of_process("status");
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or_default();
    // SIGINT is number 2, SIGTERM 15.
    let both = 1 << 1 | 1 << 14;
    let threads = fs::read_dir(format!("/proc/{}/task", child.id())).into_iter().flatten().flatten();
    let mut names = threads.map(|thread| fs::read_to_string(thread.path().join("comm")).unwrap_or_default());
    u64::from_str_radix(caught.trim(), 16).is_ok_and(|mask| mask & both == both)
        && (!has_thread || names.any(|name| name.trim() == "signals"))
}

/// Whether a command plays a match, which looks for signals where it works.
fn is_match(words: &str) -> bool {
    words.starts_with("match") || words.starts_with("fastchess")
}

/// What a command has said when it has ended by a signal.
fn interrupted(folder: &Folder, (words, file, says): (&str, &str, &str), signal: Signal) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hippolyta"));
    command.args(words.split(' ').map(|word| word.replace('~', " "))).current_dir(&folder.0);
    // Files, as nobody reads a pipe until the command has ended: once full, it would stop the command.
    let [stdout, stderr] = ["stdout", "stderr"].map(|name| folder.0.join(name));
    let [out, error] = [&stdout, &stderr].map(|path| fs::File::create(path).unwrap());
    let mut child = command.stdin(Stdio::piped()).stdout(out).stderr(error).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(120);
    let has_thread = !says.is_empty() && !is_match(words);
    // The checkpoint of a fit is there from the beginning, and empty until something is kept in it.
    let least = u64::from(words.starts_with("fit "));
    let is_made = || fs::metadata(folder.0.join(file)).is_ok_and(|made| made.len() >= least);
    while !hears_signals(&child, has_thread) || !is_made() {
        if let Some(status) = child.try_wait().unwrap() {
            panic!("{words}: it has ended: {status}");
        }
        assert!(Instant::now() < deadline, "{words}");
        std::thread::sleep(Duration::from_millis(2));
    }
    kill_process(Pid::from_child(&child), signal).unwrap();
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return Output { status, stdout: fs::read(&stdout).unwrap(), stderr: fs::read(&stderr).unwrap() };
        }
        if Instant::now() > deadline {
            child.kill().unwrap();
            panic!("{words}: it goes on");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn every_command_ends_soon_after_a_signal_with_its_code_and_says_how_to_go_on() {
    let folder = Folder::new("interrupts");
    fs::write(folder.0.join("list.txt"), "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1\n").unwrap();
    fs::write(folder.0.join("game.pgn"), "[Variant \"amazons6\"]\n\n1. b1b4,b4c4 *\n").unwrap();
    let played = "selfplay --variant amazons6 --games 12 --nodes 5 --out games.dat";
    let done = Command::new(env!("CARGO_BIN_EXE_hippolyta")).args(played.split(' ')).current_dir(&folder.0).status();
    assert!(done.unwrap().success());
    for (number, (words, file, says)) in COMMANDS.into_iter().enumerate() {
        let (signal, code) = if number % 2 == 0 { (Signal::INT, 130) } else { (Signal::TERM, 143) };
        let Output { status, stdout, stderr } = interrupted(&folder, (words, file, says), signal);
        let (output, error) = (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap());
        assert_eq!(status.code(), Some(code), "{words}: {output}{error}");
        // A match may have been about to begin, with nothing to say.
        let is_early = error.is_empty() && is_match(words);
        assert!(is_early || error.starts_with(says) && (!says.is_empty() || error.is_empty()), "{words}: {error}");
        assert!(!error.contains("engine '"), "{words}: {error}");
        let command = error.split_once("go on by: ").map_or("", |(_, command)| command);
        assert!(is_early || says != RESUME || command.ends_with(" --resume\n"), "{words}: {error}");
        assert!(says != AGAIN || !command.is_empty() && !command.contains("--resume"), "{words}: {error}");
        assert!(file.is_empty() || folder.0.join(file).exists(), "{words}: nothing is kept");
        assert!(words != "go" || output.lines().last().is_some_and(|line| line.starts_with("bestmove ")), "{output}");
        // The next one of this name begins anew.
        let _ = fs::remove_file(folder.0.join(file));
    }
}

#[test]
fn a_run_whose_folder_is_removed_ends_with_an_error() {
    let folder = Folder::new("removed");
    for (words, file) in [
        ("solve --fen 1q2q1/q4q/6/6/Q4Q/1Q2Q1~w --slice 2000 --out d", "log.jsonl"),
        (
            "match --engine cmd=self name=a --engine cmd=self name=b --each nodes=5 --games 2000 --book-plies 0 --out d",
            "games.jsonl",
        ),
        ("learn --generations 1 --games 100000 --nodes 1 --out d", "generation-1/shards/0000.dat.partial"),
        ("selfplay --games 100000 --nodes 1 --out d/s", "s.partial"),
        ("book --variant amazons6 --nodes 1000 --positions 100000 --out d/b", "b.partial"),
        ("assess --variant amazons6 --nodes 1 --games 100000 --out d/r.json", "r.json.partial"),
        ("tune --variant amazons6 --constant c_puct=0.6,0.06 --nodes 1 --pairs 100000 --out d/t", "t.partial"),
        ("calibrate d --only iago --nodes 10 --many 20 --games 100000", "iago.jsonl"),
    ] {
        let path = folder.0.join("d");
        fs::create_dir(&path).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_hippolyta"));
        command.args(words.split(' ').map(|word| word.replace('~', " "))).current_dir(&folder.0);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let deadline = Instant::now() + Duration::from_secs(120);
        while fs::metadata(path.join(file)).map_or(0, |made| made.len()) == 0 {
            assert!(child.try_wait().unwrap().is_none() && Instant::now() < deadline, "{words}");
            std::thread::sleep(Duration::from_millis(2));
        }
        // At once, unlike the removal of a folder to which somebody writes.
        fs::rename(&path, folder.0.join("elsewhere")).unwrap();
        let ended = child.wait_with_output().unwrap();
        let errors = String::from_utf8(ended.stderr).unwrap();
        assert!(ended.status.code() == Some(1) && errors.lines().count() == 1, "{words}: {errors}");
        assert!(errors.starts_with("hippolyta: d/") && errors.contains(" removed"), "{words}: {errors}");
        assert!(!path.exists(), "{words}");
        fs::remove_dir_all(folder.0.join("elsewhere")).unwrap();
    }
}
