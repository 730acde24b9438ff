//! Attacks of a hostile client or a hostile system: none brings the engine down.

use crate::child::{Engine, command, ended};
use crate::common::folder::Folder;
use std::fs::{self, File};
use std::process::{Command, Stdio};

const STATES: &[(&str, &[&str])] = &[
    ("fresh", &[]),
    ("uci", &["uci"]),
    ("ugi", &["ugi"]),
    ("forfeited", &["ugi", "position startpos moves d1d1,d1d1"]),
    ("set", &["setoption name UCI_Variant value cassio", "position startpos moves d10d9"]),
    ("over", &["position fen 9q/10/10/10/10/10/10/10/**8/Q*8 w - - 0 2"]),
    ("searching", &["go infinite"]),
    ("pondering", &["setoption name UCI_Variant value damone", "go ponder wtime 1000"]),
    ("counting", &["go perft 9"]),
];

const LINES: &[&str] = &[
    "uci",
    "ugi",
    "debug on",
    "register x",
    "ucinewgame",
    "uginewgame",
    "setoption",
    "setoption name Threads value 0",
    "setoption name Threads value 1025",
    "setoption name Hash value 99999999999999999999",
    "setoption name Hash value -1",
    "setoption name MultiPV value 500",
    "setoption name Clear Hash",
    "setoption name Clear Hash value 5",
    "setoption name UCI_Variant value",
    "setoption name UCI_Variant value amazons6",
    "setoption name Seed value 9223372036854775808",
    "setoption name EvalFile value /dev/zero",
    "setoption name EvalFile value /",
    "setoption name EvalFile value .\0/x",
    "setoption name DamoneTables value /dev/random",
    "setoption name OwnBook value true",
    "setoption name BookFile value /dev/zero",
    "position",
    "position startpos moves",
    "position fen 11/11 w",
    "position fen qQ9/11/11 w m - 4294967296 0",
    "moves d1d7,d7g7",
    "moves \0",
    "go nodes 1",
    "go depth 99999999999999999999",
    "go movetime 9223372036854775807 nodes 1",
    "go wtime -9223372036854775808 btime 9223372036854775807 movestogo 4294967295",
    "go perft 4294967296",
    "go searchmoves a1a1 nodes 1",
    "query result",
    "query",
    "d",
    "eval",
    "stop",
    "ponderhit",
    "bench now",
    "help",
    "go\u{a0}infinite",
    "ещё ♛ \u{202e}",
];

#[test]
fn every_command_in_every_state_leaves_an_engine_that_answers() {
    std::thread::scope(|scope| {
        for (state, before) in STATES {
            scope.spawn(move || {
                let mut engine = Engine::start();
                engine.send("setoption name Hash value 1");
                for line in LINES {
                    before.iter().for_each(|line| engine.send(line));
                    engine.send(line);
                    engine.send("stop");
                    // `stop` also ends what waits behind it, so at most one search or count is left, and this ends it.
                    let answers = engine.ask("isready", "readyok");
                    let lost = answers.iter().find(|answer| answer.contains("failed") || answer.contains("was lost"));
                    assert_eq!(lost, None, "{state}: {line}");
                    engine.send("stop");
                    engine.send("ucinewgame");
                    engine.send("setoption name UCI_Variant value amazons");
                }
                engine.quit();
            });
        }
    });
}

#[test]
fn lines_of_megabytes_and_of_garbage_are_survived_in_little_memory() {
    let mut engine = Engine::start();
    engine.send("setoption name Hash value 1");
    for byte in [b'x', b' ', 0, 0xff, b'\r'] {
        for start in
            ["", "position fen ", "position startpos moves ", "go searchmoves ", "setoption name EvalFile value "]
        {
            engine.send_bytes(start.as_bytes());
            engine.send_bytes(&vec![byte; 5 << 20]);
            engine.send_bytes(b"\n");
            engine.send("stop");
            engine.ask("isready", "readyok");
        }
    }
    // Short of the limit: read as it is.
    engine.send(&format!("position startpos moves {}", "d1d7,d7g7 ".repeat(300_000)));
    engine.send(&format!("setoption name Threads value {}", "9".repeat(3 << 20)));
    engine.ask("isready", "readyok");
    assert!(engine.peak_memory().is_none_or(|kibibytes| kibibytes < 300 << 10), "{:?}", engine.peak_memory());
    engine.quit();
}

#[cfg(unix)]
#[test]
fn whoever_has_nobody_to_read_it_ends() {
    let idle: (&[&str], &[u8]) = (&[], b"");
    for (arguments, input) in [
        idle,
        (&[], b"go perft 9\n"),
        (&[], b"go perft 9\nbench\n"),
        (&[], b"setoption name UCI_Variant value amazons6\ngo ponder\n"),
        (&["perft", "9"], b""),
        (&["go"], b""),
        (&["analyse"], b"{\"id\":\"a\",\"nodes\":1000000000000}\n"),
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_hippolyta"));
        let mut child = child.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        std::io::Write::write_all(&mut stdin, input).unwrap();
        drop(child.stdout.take());
        // Its input stays open.
        let status = ended(&mut child);
        assert!(status.success(), "{arguments:?}: {status}");
    }
}

#[test]
fn a_script_gets_its_counts_when_its_input_has_ended() {
    let mut engine = Engine::start();
    engine.send("go perft 2\nbench\ngo perft 1");
    engine.close_input();
    let (lines, status) = engine.end();
    assert!(status.success());
    assert!(lines.contains(&"Nodes searched: 4307152".to_owned()));
    assert!(lines.iter().any(|line| line.ends_with(" nps")));
    assert_eq!(lines.last().unwrap(), "Nodes searched: 2176");
}

#[test]
fn a_proof_search_keeps_to_its_memory_with_any_number_of_threads() {
    for threads in [1, 8, 1024] {
        let mut engine = Engine::start();
        engine.send(&format!("setoption name Hash value 16\nsetoption name Threads value {threads}"));
        engine.send("position fen 1q2q1/q4q/Q4Q/1Q2Q1 w - - 0 1");
        engine.ask("go mate 99 movetime 3000", "bestmove");
        let peak = engine.peak_memory();
        // The pages of the program count, too.
        assert!(peak.is_none_or(|kibibytes| kibibytes < (16 + 80) << 10), "{threads} threads: {peak:?} KiB");
        engine.quit();
    }
}

#[test]
fn many_threads_search_and_are_let_go() {
    let mut engine = Engine::start();
    engine.send("setoption name Hash value 1");
    engine.send("setoption name Threads value 1024");
    engine.ask("go nodes 20000", "bestmove");
    engine.send("setoption name Threads value 1");
    engine.ask("go nodes 200", "bestmove");
    engine.quit();
}

#[cfg(target_os = "linux")]
#[test]
fn memory_that_is_not_there_is_an_error_not_an_end() {
    // From where there is next to nothing up to where all is granted.
    for limit in [200_000, 300_000, 400_000, 500_000, 540_000, 560_000, 600_000, 700_000, 900_000] {
        for first in ["setoption name Hash value 1\n", ""] {
            let script = format!("ulimit -v {limit}; exec {}", env!("CARGO_BIN_EXE_hippolyta"));
            let mut child = Command::new("sh");
            child.args(["-c", &script]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = child.spawn().unwrap();
            let input = format!("{first}setoption name Hash value 512\nisready\ngo nodes 50\ngo nodes 5\n");
            std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes()).unwrap();
            let output = child.wait_with_output().unwrap();
            let (said, errors) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
            let case = format!("{limit}, {first}: {said} {errors}");
            assert!(output.status.success() && errors.is_empty() && said.contains("readyok"), "{case}");
            let count = |start: &str| said.lines().filter(|line| line.starts_with(start)).count();
            assert_eq!(count("bestmove "), 2, "{case}");
            // The size that was asked for is refused; the usual one is taken as far as memory goes, which is said once.
            let refused = count("info string ERROR: cannot allocate 512 MiB");
            let less = count("info string Hash: the system has only ");
            assert!(refused == 1 || refused == 0 && limit > 500_000, "{case}");
            assert!(less == 0 || less == 1 && first.is_empty(), "{case}");
            assert!(less == 1 || limit > 200_000 || !first.is_empty(), "{case}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said_clearly_and_old_files_stay() {
    let full = |arguments: &[&str]| {
        let child = Command::new(env!("CARGO_BIN_EXE_hippolyta"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(File::create("/dev/full").unwrap())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = child.unwrap();
        // It may have ended before it reads this.
        let _ = std::io::Write::write_all(
            &mut child.stdin.take().unwrap(),
            b"{\"id\":\"a\",\"action\":\"version\"}\nuci\n",
        );
        let output = child.wait_with_output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {errors}");
        assert_eq!(errors, "hippolyta: standard output: No space left on device (os error 28)\n", "{arguments:?}");
    };
    for arguments in [
        &[][..],
        &["legal"],
        &["go", "--nodes", "5"],
        &["analyse"],
        &["man"],
        &["completions", "bash"],
        &["help", "go"],
    ] {
        full(arguments);
    }
    let fails = |arguments: &[&str], message: &str| {
        let (_, errors, code) = command(arguments);
        assert_eq!(code, 1, "{arguments:?}: {errors}");
        assert!(errors.contains(message), "{arguments:?}: {errors}");
    };
    let folder = Folder::new("full-disk");
    let data = folder.path("games.dat");
    let (_, errors, code) =
        command(&["selfplay", "--variant", "amazons6", "--games", "2", "--nodes", "10", "--seed", "1", "--out", &data]);
    assert_eq!(code, 0, "{errors}");
    fails(&["merge", &data, "--out", "/dev/full"], "/dev/full: No space left on device");
    fails(&["tables", "--pieces", "2", "--out", "/dev/full"], "/dev/full: No space left on device");
    // What is written bit by bit fails before its end.
    let games = folder.path("games.pgn");
    fs::write(&games, "[Variant \"amazons6\"]\n\n1. b1b4,b4c4 *\n\n".repeat(400)).unwrap();
    fails(&["convert", &games, "--out", "/dev/full", "--to", "sgf"], "/dev/full: No space left on device");
    full(&["convert", &games, "--out", "-", "--to", "pgn"]);
    fails(&["man", "--out", "/proc"], "/proc/hippolyta.1: ");
    let self_play = ["selfplay", "--variant", "amazons6", "--games", "2", "--nodes", "10", "--seed", "1", "--out"];
    fails(&[&self_play[..], &["/proc/games.dat"]].concat(), "/proc/games.dat");
    let nowhere = folder.path("none/x.json");
    let mine = ["assess", "--variant", "amazons6", "--games", "2"];
    for words in [&self_play[..9], &["merge", &data], &["tables", "--pieces", "2"], &["convert", &games], &mine] {
        fails(&[words, &["--out", &nowhere]].concat(), "hippolyta: --out: there is no folder ");
    }
    assert!(!fs::metadata("/dev/full").unwrap().is_file());
    // A file that is in the way stays as it is.
    let before = fs::read(&data).unwrap();
    fails(&[&self_play[..], &[&data]].concat(), "exists already");
    fails(&["merge", &data, "--out", &data], "exists already; --force writes over it");
    fails(&["merge", &folder.path("missing.dat"), "--out", &data, "--force"], "missing.dat");
    assert_eq!(fs::read(&data).unwrap(), before);
}

/// Runs a subcommand in `folder` with `words` before it, as `sh` reads them: standard error, exit code.
#[cfg(unix)]
fn in_shell(folder: &Folder, before: &str, words: &str) -> (String, Option<i32>) {
    let script = format!("{before} exec {} {words}", env!("CARGO_BIN_EXE_hippolyta"));
    let output = Command::new("sh").args(["-c", &script]).current_dir(&folder.0).stdin(Stdio::null()).output().unwrap();
    (String::from_utf8(output.stderr).unwrap(), output.status.code())
}

#[cfg(target_os = "linux")]
#[test]
fn a_limit_on_the_size_of_files_is_an_error_like_any_other() {
    let folder = Folder::new("file-size");
    let run = "selfplay --variant amazons6 --games 40 --nodes 10 --seed 1";
    assert_eq!(in_shell(&folder, "", &format!("{run} --out games.dat")), (String::new(), Some(0)));
    let before = fs::read(folder.path("games.dat")).unwrap();
    let fit = "fit games.dat --validation 2 --epochs 1";
    for (words, file) in [
        (format!("{run} --out new.dat").as_str(), "new.dat.partial"),
        ("merge games.dat --out merged.dat", "merged.dat"),
        ("merge games.dat --out games.dat --force", "games.dat"),
        ("tables --pieces 2 --out two.tables", "two.tables"),
        ("book --variant amazons6 --nodes 10 --positions 2 --out new.book", "new.book.partial"),
        ("man --out .", "hippolyta.1"),
        (&format!("{fit} --out weights.bin"), "weights.bin.partial"),
        (&format!("{fit} --calibrate --out weights.bin"), "weights.bin"),
        (
            "match --engine cmd=self name=a --engine cmd=self name=b --each nodes=5 --games 2 --out result",
            "result/lock",
        ),
        ("completions bash > standard-output", "standard output"),
    ] {
        let (errors, code) = in_shell(&folder, "ulimit -f 0;", words);
        assert_eq!(code, Some(1), "{words}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{words}: {errors}");
        assert!(errors.contains(&format!("{file}: File too large")), "{words}: {errors}");
    }
    assert_eq!(fs::read(folder.path("games.dat")).unwrap(), before);
    // Nothing else is there but what was made for standard output, and the match's folder.
    let mut names: Vec<_> = fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["games.dat", "result", "standard-output"]);
    // A run that comes to the limit later says where its games are, and goes on from there.
    let (errors, code) = in_shell(&folder, "ulimit -f 4;", &format!("{run} --threads 1 --out new.dat"));
    let kept = " games are in new.dat.partial: go on by --resume\n";
    assert!(code == Some(1) && errors.contains("File too large") && errors.ends_with(kept), "{errors}");
    assert!(!errors.contains("; 0 of 40"), "{errors}");
    assert_eq!(in_shell(&folder, "", &format!("{run} --out new.dat --resume")), (String::new(), Some(0)));
    assert_eq!(fs::read(folder.path("new.dat")).unwrap(), before);
    // One whose partial file is full says so once, and that what it has is kept.
    let book = "book --variant amazons6 --nodes 10 --positions 60";
    let (errors, code) = in_shell(&folder, "ulimit -f 4;", &format!("{book} --out a.book"));
    let lines: Vec<_> = errors.lines().collect();
    let [not_kept, not_written] = lines[..] else { panic!("{errors}") };
    assert!(not_kept.ends_with("; what cannot be kept is found again after an interruption"), "{errors}");
    assert!(code == Some(1) && not_written.ends_with("; what was found is kept: go on by --resume"), "{errors}");
    assert_eq!(in_shell(&folder, "", &format!("{book} --out a.book --resume")), (String::new(), Some(0)));
    assert_eq!(in_shell(&folder, "", &format!("{book} --out b.book")), (String::new(), Some(0)));
    assert_eq!(fs::read(folder.path("a.book")).unwrap(), fs::read(folder.path("b.book")).unwrap());
    // The error cannot be written either.
    assert_eq!(in_shell(&folder, "", "merge no.dat --out merged.dat 2> /dev/full"), (String::new(), Some(1)));
}

#[test]
fn weights_that_are_damaged_are_refused_and_the_old_ones_stay() {
    let folder = Folder::new("damaged-weights");
    let file = folder.path("weights.bin");
    let mut engine = Engine::uci();
    let eval = |engine: &mut Engine| engine.ask("eval", "Final evaluation");
    let before = eval(&mut engine);
    let whole = hippolyta::eval::Weights::embedded().tables().to_bytes();
    for cut in [0, 7, 16, 17, 400, whole.len() / 2, whole.len() - 15, whole.len() - 1] {
        fs::write(&file, &whole[..cut]).unwrap();
        let answer = engine.one_answer(&format!("setoption name EvalFile value {file}"));
        assert!(answer.starts_with("info string ERROR: option EvalFile: "), "{cut}: {answer}");
    }
    for place in [0, 9, 13, 17, 20, 1_000, whole.len() / 2, whole.len() - 15, whole.len() - 1] {
        let mut flipped = whole.clone();
        flipped[place] ^= 4;
        fs::write(&file, &flipped).unwrap();
        let answer = engine.one_answer(&format!("setoption name EvalFile value {file}"));
        assert!(answer.starts_with("info string ERROR: option EvalFile: "), "{place}: {answer}");
    }
    assert_eq!(eval(&mut engine), before);
    fs::write(&file, whole).unwrap();
    engine.quietly(&format!("setoption name EvalFile value {file}"));
    assert_eq!(eval(&mut engine), before);
    engine.quit();
}
