//! `hippolyta solve`: small boards against brute force, real processes killed at any moment, and proof files that a
//! program of its own checks.

use crate::child::{PATIENCE, until};
use crate::common::folder::Folder;
use crate::common::naive::Grid;
use crate::common::tiny::Tiny;
use hippolyta::games::variant;
use hippolyta_lab::proving::{Ended, Options, Run, Solution};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const FOUR_BY_SEVEN: &str = "1qq1/q2q/4/4/4/Q2Q/1QQ1 w";
const SIX_BY_THREE: &str = "q4q/6/Q4Q w";

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hippolyta"));
    command.arg("solve").args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

fn ok(arguments: &[&str]) -> String {
    let output = run(arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && errors.is_empty(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// The one line on standard error.
fn error(arguments: &[&str]) -> String {
    let output = run(arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && output.stdout.is_empty(), "{arguments:?}");
    assert_eq!(errors.lines().count(), 1, "{arguments:?}: {errors}");
    errors
}

fn status(folder: &str) -> Value {
    let output = run(&["--out", folder, "--status", "--json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A run in this process.
fn run_of(fen: &str, folder: Option<&Path>, threads: usize, slice: u64) -> Run {
    let options = Options { threads, hash: 1 << 18, slice, learned: true };
    Run::new(&variant::find("amazons").unwrap(), fen, folder, options).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn solution(run: &Run, fen: &str) -> Solution {
    match run.work() {
        Ok(Ended::Solved(solution)) => solution,
        other => panic!("{fen}: {other:?}"),
    }
}

/// The lines of a log, without their checksums.
fn log(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("log.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line.split_once(' ').unwrap().1).unwrap()).collect()
}

/// A board whose pieces are the same if it is turned by half (and the sides are exchanged), or mirrored.
fn symmetric(random: &mut Xoshiro256PlusPlus) -> Tiny {
    let (width, height) = (random.random_range(3..=5), random.random_range(3..=5));
    let (mut cells, is_turned) = (vec![b'.'; width * height], random.random_bool(0.5));
    let image = |square: usize| {
        let (file, rank) = (square % width, square / width);
        if is_turned { cells.len() - 1 - square } else { rank * width + width - 1 - file }
    };
    let mut left: Vec<usize> = (0..cells.len()).filter(|&square| image(square) != square).collect();
    let images: Vec<usize> = (0..cells.len()).map(image).collect();
    let mut place = |piece: u8, other: u8| {
        if left.is_empty() {
            return;
        }
        let square = left[random.random_range(0..left.len())];
        (cells[square], cells[images[square]]) = (piece, other);
        left.retain(|&other| other != square && other != images[square]);
    };
    for _ in 0..2 {
        if is_turned {
            place(b'Q', b'q');
        } else {
            place(b'Q', b'Q');
            place(b'q', b'q');
        }
    }
    // At most 7 empty squares: a plain search of all turns can bear no more.
    loop {
        let empty: Vec<usize> = (0..cells.len()).filter(|&square| cells[square] == b'.').collect();
        if empty.len() <= 7 {
            break;
        }
        let square = empty[random.random_range(0..empty.len())];
        (cells[square], cells[images[square]]) = (b'*', b'*');
    }
    Tiny { width, cells, white_to_move: true, spare: 0 }
}

#[test]
fn small_symmetric_boards_come_out_and_the_rules_lead_to_whatever_was_searched() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(43);
    let folder = Folder::new("solve-symmetric");
    let (mut results, mut inner, mut longest) = ([0; 2], 0, 0);
    for round in 0..60 {
        let board = symmetric(&mut random);
        let (fen, path) = (board.fen(), folder.0.join(round.to_string()));
        if board.turns().is_empty() || !board.cells.contains(&b'q') {
            continue;
        }
        let expected = board.mover_wins(&mut HashMap::new());
        // The tiniest slices make the largest trees.
        let run = run_of(&fen, Some(&path), 1 + round % 4, [3, 10, 40][round % 3]);
        let found = solution(&run, &fen);
        assert_eq!((found.wins, found.turn.is_some()), (expected, expected), "{fen}");
        results[usize::from(expected)] += 1;
        drop(run);
        // Each path, and each turn after it, by rules of the test's own.
        for line in log(&path) {
            let (kind, line) = line.as_object().unwrap().iter().next().unwrap();
            let Some(at) = line["at"].as_str() else { continue };
            let mut grid = Grid::from_fen(&fen);
            for turn in at.split_whitespace() {
                let legal = grid.turns().into_iter().find(|(text, _)| text == turn);
                grid = legal.unwrap_or_else(|| panic!("{fen}: {turn} in '{at}'")).1;
            }
            longest = longest.max(at.split_whitespace().count());
            if kind == "expanded" {
                inner += 1;
                let legal: Vec<String> = grid.turns().into_iter().map(|(text, _)| text).collect();
                for turn in line["turns"].as_array().unwrap() {
                    assert!(legal.contains(&turn[0].as_str().unwrap().to_owned()), "{fen}: {turn} after '{at}'");
                }
            }
        }
        // Whoever reads the log has the same tree.
        assert_eq!(solution(&run_of(&fen, Some(&path), 1, 10), &fen), found, "{fen}");
        let status = Run::status_of(&path).unwrap();
        assert_eq!((status.wins, status.turn, status.positions), (Some(expected), found.turn, found.positions));
    }
    assert!(results.iter().all(|&count| count > 5) && inner > 300 && longest > 3, "{results:?} {inner} {longest}");
}

/// A placement with holes on 9 to 25 squares, small enough for a plain search of all turns.
fn placement(random: &mut Xoshiro256PlusPlus) -> Tiny {
    let (width, height) = loop {
        let size = (random.random_range(3..=8), random.random_range(3..=8));
        if size.0 * size.1 <= 25 {
            break size;
        }
    };
    let mut cells = vec![b'*'; width * height];
    let mut left: Vec<usize> = (0..cells.len()).collect();
    let empty = if random.random_bool(0.05) { 7 } else { random.random_range(1..=5) };
    let amazons = [random.random_range(1..=3), random.random_range(1..=3)];
    let pieces = [vec![b'Q'; amazons[0]], vec![b'q'; amazons[1]], vec![b'.'; empty]].concat();
    for piece in pieces.into_iter().take(width * height) {
        cells[left.swap_remove(random.random_range(0..left.len()))] = piece;
    }
    Tiny { width, cells, white_to_move: random.random_bool(0.5), spare: 0 }
}

#[test]
fn every_start_has_a_proof_whatever_its_holes() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let folder = Folder::new("solve-holes");
    let named = ["1*q/Q1*/*** w", "**1/q**/*1*/*1*/Q1* b", "*1q/*1*/***/*Q1/**1/*2 b"];
    let boards = named.map(|fen| {
        let grid = Grid::from_fen(fen);
        let cells = grid.cells.iter().rev().flatten().map(|&cell| cell as u8).collect();
        Tiny { width: grid.cells[0].len(), cells, white_to_move: grid.white_to_move, spare: 0 }
    });
    let random_boards = std::iter::repeat_with(|| placement(&mut random)).take(1_000);
    let deadline = Instant::now() + PATIENCE;
    let (mut files, mut expected, mut results) = (Vec::new(), Vec::new(), [0; 2]);
    for board in boards.into_iter().chain(random_boards).filter(|board| !board.turns().is_empty()) {
        let (fen, wins) = (board.fen(), board.mover_wins(&mut HashMap::new()));
        let run = run_of(&fen, None, 1 + files.len() % 2, 100);
        assert_eq!(solution(&run, &fen).wins, wins, "{fen}");
        results[usize::from(wins)] += 1;
        let proof = run.proof(&|| Instant::now() < deadline, &mut |_, _| ()).unwrap();
        let path = folder.path(&format!("{}.proof", files.len()));
        fs::write(&path, proof.unwrap_or_else(|| panic!("{fen}: no end"))).unwrap();
        files.push(path);
        expected.push(format!("{fen}: the side to move {}, ", if wins { "wins" } else { "loses" }));
    }
    assert!(results.iter().all(|&count| count > 200), "{results:?}");
    let arguments: Vec<&str> = [CHECKER].into_iter().chain(files.iter().map(String::as_str)).collect();
    let Some(output) = python(&arguments) else { return };
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{errors}");
    assert_eq!(text.lines().count(), files.len());
    for (line, (file, expected)) in text.lines().zip(files.iter().zip(&expected)) {
        assert!(line.starts_with(&format!("{file}: {expected}")), "{line}, not {expected}");
    }
}

/// Waits until a file of the folder that a process writes has these words.
fn wait_for(process: &mut Child, file: &str, words: &str) {
    until(words, process, || fs::read_to_string(file).is_ok_and(|text| text.contains(words)).then_some(()));
}

/// A run that takes minutes, at work.
fn long_run(folder: &str) -> Child {
    let arguments = ["--fen", FOUR_BY_SEVEN, "--out", folder, "--hash", "16", "--slice", "20000", "--threads", "2"];
    let mut child = command(&arguments).spawn().unwrap();
    let owner = format!(" {} ", child.id());
    wait_for(&mut child, &format!("{folder}/lock"), &owner);
    wait_for(&mut child, &format!("{folder}/log.jsonl"), "searched");
    child
}

#[test]
fn a_run_killed_at_any_moment_goes_on_where_it_was() {
    let folder = Folder::new("solve-killed");
    let out = folder.path("run");
    let arguments = ["--fen", SIX_BY_THREE, "--out", &out, "--hash", "16", "--slice", "5000", "--threads", "2"];
    let mut positions = 0;
    for delay in [0, 2, 5, 10, 20, 40, 80, 160, 320, 640, 1_200, 1_300, 1_050] {
        let mut process = command(&arguments).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(delay));
        process.kill().unwrap();
        process.wait().unwrap();
        if !fs::exists(format!("{out}/solve.json")).unwrap() {
            continue;
        }
        let status = status(&out);
        assert!(status["owner"].is_null());
        let now = status["positions"].as_u64().unwrap();
        assert!(now >= positions, "{now} after {positions}");
        positions = now;
    }
    // At least one of them came to write.
    while positions == 0 {
        let mut process = command(&arguments).spawn().unwrap();
        wait_for(&mut process, &format!("{out}/log.jsonl"), "searched");
        process.kill().unwrap();
        process.wait().unwrap();
        positions = status(&out)["positions"].as_u64().unwrap();
    }
    let output = run(&["--out", &out, "--hash", "16", "--json"]);
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&result["wins"], result["turn"].is_string()), (&true.into(), true));
    assert!(result["positions"].as_u64().unwrap() >= positions);
    // Solved is solved, and is said.
    let again = run(&["--out", &out, "--json"]);
    assert_eq!((again.status.code(), &again.stdout), (Some(0), &output.stdout));
    assert_eq!(
        String::from_utf8(again.stderr).unwrap(),
        format!("hippolyta: {out} is finished: nothing was left to do\n")
    );
    let said = ok(&["--out", &out, "--status"]);
    assert!(said.contains("the side to move wins by ") && said.contains("\nnobody works on it now\n"), "{said}");
}

#[cfg(unix)]
#[test]
fn a_folder_belongs_to_one_process() {
    use rustix::process::{Pid, Signal, kill_process};
    let folder = Folder::new("solve-owned");
    let out = folder.path("run");
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let child = long_run(&out);
        let owner = format!("process {} on ", child.id());
        for arguments in [&["--out", &*out][..], &["--fen", FOUR_BY_SEVEN, "--out", &out, "--threads", "2"]] {
            let text = error(arguments);
            assert!(text.contains(&format!("{out} is in use: {owner}")), "{text}");
        }
        let now = status(&out);
        assert!(now["owner"]["name"].as_str().unwrap().starts_with(&owner), "{now}");
        assert!(ok(&["--out", &out, "--status"]).contains(&format!("\n{owner}")));
        kill_process(Pid::from_child(&child), signal).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code));
        assert!(output.stdout.is_empty());
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(errors.starts_with("hippolyta: interrupted; go on by: ") && errors.lines().count() == 1, "{errors}");
        // The positions found so far were written.
        let then = status(&out);
        assert!(then["owner"].is_null() && then["positions"].as_u64() > now["positions"].as_u64(), "{then}");
    }
}

#[test]
fn a_folder_cut_off_or_changed_anywhere_is_gone_on_with_or_named() {
    let folder = Folder::new("solve-cut");
    let (out, fen) = (folder.0.join("run"), "1qq1/q2q/Q2Q/1QQ1 w");
    let found = solution(&run_of(fen, Some(&out), 1, 100), fen);
    let (path, whole) = (out.join("log.jsonl"), fs::read(out.join("log.jsonl")).unwrap());
    let last = whole[..whole.len() - 1].iter().rposition(|&byte| byte == b'\n').unwrap();
    let places = (0..150).chain((150..last).step_by(whole.len() / 70)).chain(whole.len() - 80..whole.len());
    for (index, cut) in places.enumerate() {
        fs::write(&path, &whole[..cut]).unwrap();
        let status = Run::status_of(&out).unwrap();
        let torn = cut > 0 && whole[cut - 1] != b'\n';
        assert_eq!(status.left_out.is_some(), torn);
        assert!(status.positions <= found.positions);
        assert_eq!(fs::read(&path).unwrap(), &whole[..cut], "status changes nothing");
        if index % 40 == 0 {
            let run = run_of(fen, Some(&out), 1 + index % 3, 100);
            assert_eq!((solution(&run, fen).wins, run.left_out().is_some()), (found.wins, torn));
            drop(run);
            assert_eq!(Run::status_of(&out).unwrap().left_out, None);
        }
        let mut changed = whole.clone();
        changed[cut] ^= 1 << (index % 8);
        fs::write(&path, &changed).unwrap();
        match Run::status_of(&out) {
            // It cannot be told from a line that was not written to the end.
            Ok(status) => assert!(cut >= last && status.left_out.is_some(), "{cut}"),
            Err(error) => assert!(error.to_string().starts_with(&format!("{}: damaged in line", path.display()))),
        }
        assert_eq!(fs::read(&path).unwrap(), changed);
    }
    fs::write(&path, &whole).unwrap();
    // A line with its checksum that the rules do not lead to.
    let text = String::from_utf8(whole.clone()).unwrap();
    let forged = |from: &str, to: &str| {
        let place = text.find(from).unwrap_or_else(|| panic!("{from}"));
        let start = text[..place].rfind('\n').map_or(0, |end| end + 1);
        let end = start + text[start..].find('\n').unwrap();
        let line = text[start + 9..end].replacen(from, to, 1);
        let line = format!("{:08x} {line}", crc32fast::hash(line.as_bytes()));
        fs::write(&path, [&text[..start], &line, &text[end..]].concat()).unwrap();
        Run::status_of(&out).unwrap_err().to_string()
    };
    let first = log(&out)[0]["expanded"]["turns"][0][0].as_str().unwrap().to_owned();
    assert!(forged(&first, "b1b1,b1b1").contains(": other turns than there are, or of another version in line"));
    assert!(
        forged("\"searched\":{\"at\":\"", "\"searched\":{\"at\":\"a1a1,a1a1 ").contains("no way leads to 'a1a1,a1a1 ")
    );
    assert!(forged("\"numbers\":[", "\"numbers\":[1073741825,").contains("log.jsonl: damaged in line"));
    fs::write(&path, &whole).unwrap();
    // The file of settings is written whole: cut off, it is named.
    let manifest = fs::read(out.join("solve.json")).unwrap();
    for cut in 0..manifest.len() - 2 {
        fs::write(out.join("solve.json"), &manifest[..cut]).unwrap();
        for error in [Run::status_of(&out).unwrap_err(), Run::about(&out).unwrap_err()] {
            assert!(error.to_string().contains("solve.json: "), "{error}");
        }
    }
    fs::write(out.join("solve.json"), &manifest).unwrap();
    assert_eq!(solution(&run_of(fen, Some(&out), 1, 100), fen), found);
}

#[test]
fn a_rule_set_is_solved_from_its_start() {
    let folder = Folder::new("solve-rules");
    let rules = folder.path("my.toml");
    fs::write(&rules, "[small]\nstart = \"1q1/3/1Q1 w\"\n").unwrap();
    let winner = |arguments: &[&str]| ok(arguments).lines().next().map(str::to_owned);
    assert_eq!(winner(&["--rules", &rules, "--hash", "1"]), winner(&["--fen", "1q1/3/1Q1 w", "--hash", "1"]));
    let run = folder.path("run");
    ok(&["--rules", &rules, "--hash", "1", "--out", &run]);
    assert!(ok(&["--out", &run, "--status"]).contains("the side to move wins"));
    let proof = folder.path("small.proof");
    ok(&["--rules", &rules, "--hash", "1", "--proof", &proof]);
    assert!(String::from_utf8_lossy(&fs::read(proof).unwrap()).contains(r#"{"variant":"amazons","#));
}

#[test]
fn what_cannot_be_used_is_told_in_a_line() {
    let folder = Folder::new("solve-wrong");
    let out = folder.path("run");
    let small = ["--fen", "1qq1/q2q/Q2Q/1QQ1 w", "--out", &out, "--hash", "16", "--slice", "1000"];
    assert!(error(&["--out", &out]).contains("holds no run"));
    assert!(error(&["--out", &out, "--status"]).contains("holds no run"));
    let file = folder.path("file");
    fs::write(&file, "mine").unwrap();
    assert!(error(&["--out", &file, "--status"]).contains(&format!("{file} holds no run: to begin one, say --fen")));
    ok(&small);
    assert!(error(&["--fen", "1q1/3/1Q1 w", "--out", &out]).contains("holds a run with other options: --fen "));
    assert!(error(&["--fen", "1q1/3/1Q2 w"]).contains("rank"));
    assert!(error(&["--variant", "desdemona", "--fen", "1q1/3/1Q1 w"]).contains("cannot be solved like this"));
    assert!(error(&["--fen", "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w"]).contains("7×8"));
    assert!(error(&["--fen", "qQ*/***/3 w"]).contains("the game is over there"));
    // Before it searches for days.
    let proof = folder.path("large.proof");
    let large = error(&["--fen", "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w", "--proof", &proof]);
    assert!(large.contains("7×8"), "{large}");
    let large = error(&["--fen", "1qq1/q2q/4/4/4/4/4/Q2Q/1QQ1 w", "--hash", "16", "--proof", &proof]);
    assert!(large.contains("up to 32 squares"), "{large}");
    let nowhere = error(&["--fen", "1q1/3/1Q1 w", "--proof", &folder.path("missing/a.proof")]);
    assert!(nowhere.contains("missing"), "{nowhere}");
    fs::create_dir(folder.path("other")).unwrap();
    fs::write(folder.path("other/letter.txt"), "Dear").unwrap();
    assert!(error(&["--fen", "1q1/3/1Q1 w", "--out", &folder.path("other")]).contains("holds no run"));
    // Files of a process that is killed at once are no run yet.
    fs::create_dir(folder.path("begun")).unwrap();
    fs::write(folder.path("begun/lock"), "process 1").unwrap();
    fs::write(folder.path("begun/solve.json.1-0.hippolyta-tmp"), "{").unwrap();
    ok(&["--fen", "1q1/3/1Q1 w", "--out", &folder.path("begun"), "--hash", "1"]);
    let manifest = fs::read_to_string(format!("{out}/solve.json")).unwrap();
    for (from, to) in [("1qq1", "1qx1"), ("amazons", "damone"), ("amazons", "chess"), ("}", "")] {
        fs::write(format!("{out}/solve.json"), manifest.replace(from, to)).unwrap();
        for more in [&["--out", &*out][..], &["--out", &out, "--status"]] {
            let text = error(more);
            assert!(text.contains("solve.json: "), "{to}: {text}");
        }
    }
    fs::write(format!("{out}/solve.json"), &manifest).unwrap();
    let six = error(&["--variant", "amazons6", "--fen", "1qq1/q2q/Q2Q/1QQ1 w", "--out", &out]);
    assert!(six.contains("holds a run with other options: --variant amazons → amazons6"), "{six}");
    // Folders of the time when several processes shared one.
    fs::write(format!("{out}/solve.json"), manifest.replace("2,", "1,")).unwrap();
    for more in [&["--out", &*out][..], &["--out", &out, "--status"], &small] {
        let text = error(more);
        assert!(text.contains("run holds a run of another version of this program (format 1, here 2)"), "{text}");
    }
}

/// Runs Python on `arguments`; `None`, with a word, where there is none.
fn python(arguments: &[&str]) -> Option<Output> {
    match Command::new("python3").args(arguments).output() {
        Ok(output) => Some(output),
        Err(error) => {
            crate::common::leave_out(&format!("python3: {error}"));
            None
        }
    }
}

const CHECKER: &str = concat!(root!(), "/examples/check_proof.py");
const FORGER: &str = concat!(root!(), "/tests/program/forge_proofs.py");
const PROOFS: &str = concat!(root!(), "/tests/vectors/proofs");

#[test]
fn proof_files_are_checked_by_a_program_of_its_own() {
    let folder = Folder::new("solve-proofs");
    let path = folder.path("4x4.proof");
    let fen = "1qq1/q2q/Q2Q/1QQ1 w";
    ok(&["--fen", fen, "--hash", "16", "--proof", &path]);
    assert!(error(&["--fen", fen, "--proof", &path]).contains("exists already"));
    // Positions are answered many at a time.
    let by_two = folder.path("by-two.proof");
    ok(&["--fen", fen, "--hash", "1", "--threads", "2", "--proof", &by_two]);
    let Some(output) = python(&[CHECKER, &path, &by_two]) else { return };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text} {output:?}");
    assert_eq!(text.lines().filter(|line| line.contains("the side to move loses")).count(), 2, "{text}");
    // A changed byte.
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(folder.path("changed"), bytes).unwrap();
    let output = python(&[CHECKER, &folder.path("changed")]).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && errors.contains("refused: damaged at byte"), "{errors}");
}

#[test]
fn no_forgery_is_believed() {
    let examples = CHECKER.trim_end_matches("/check_proof.py");
    let Some(output) = python(&[FORGER, examples, &format!("{PROOFS}/3x3.proof")]) else { return };
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && text.contains(" refused, "), "{text}{errors}");
    let refused: u32 = text.split(' ').next().unwrap().parse().unwrap();
    assert!(refused > 2_000, "{text}");
}

#[test]
fn an_interrupted_proof_file_goes_on_where_it_was() {
    let folder = Folder::new("solve-proof-kept");
    let out = folder.path("run");
    let write = |name: &str| {
        let fen = "1qq1/q2q/Q2Q/1QQ1 w";
        let output = run(&["--fen", fen, "--out", &out, "--hash", "16", "--proof", &folder.path(name)]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        fs::read(folder.path(name)).unwrap()
    };
    let file = folder.0.join("run/proof.bin");
    let framed = |body: &[u8]| {
        let (length, sum) = (body.len() as u32, crc32fast::hash(body));
        [&length.to_le_bytes(), &sum.to_le_bytes(), body].concat()
    };
    let whole = write("whole.proof");
    let all = fs::read(&file).unwrap();
    // One piece, or several where the writing took long.
    let (mut numbers, mut left) = (Vec::new(), &all[..]);
    while let Some((length, _)) = left.split_first_chunk() {
        let (piece, rest) = left.split_at(8 + u32::from_le_bytes(*length) as usize);
        assert!(piece == framed(&piece[8..]));
        numbers.extend_from_slice(&piece[8..]);
        left = rest;
    }
    assert!(numbers.len() > 3000);
    assert_eq!(write("again.proof"), whole);
    // From the middle with a frame that a kill cut off, and from the first one. The rest may differ, as the table knows
    // something else.
    let mut written = Vec::new();
    for some in [numbers.len() / 4 * 2, 2] {
        let (first, rest) = numbers.split_at(some);
        fs::write(&file, [framed(first), framed(rest)[..40].to_vec()].concat()).unwrap();
        let name = format!("after{some}.proof");
        write(&name);
        let all = fs::read(&file).unwrap();
        assert!(all.starts_with(&framed(first)) && all.len() > numbers.len() / 2);
        written.push(folder.path(&name));
    }
    if let Some(output) = python(&[&[CHECKER], &*written.iter().map(String::as_str).collect::<Vec<_>>()].concat()) {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    // The file that is there is believed, as long as it fits and has its checksum.
    let refused = |bytes: &[u8]| {
        fs::write(&file, bytes).unwrap();
        let already = format!("hippolyta: {out} is solved already\n");
        let output = run(&["--out", &out, "--hash", "16", "--proof", &folder.path("wrong.proof")]);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), errors.lines().count()), (Some(1), 2), "{errors}");
        errors.strip_prefix(&already).unwrap().to_owned()
    };
    let mut wrong = numbers.clone();
    // From a1 to a1.
    let place = wrong.chunks_exact(2).position(|number| number[0] % 2 == 1 && number != [1, 0]).unwrap();
    wrong[2 * place..2 * place + 2].copy_from_slice(&[1, 0]);
    let text = refused(&framed(&wrong));
    assert!(text.contains("run/proof.bin: a turn that does not fit this position"), "{text}");
    let text = refused(&[&all[..20], b"?", &all[21..], &framed(&[1, 0])].concat());
    assert!(text.contains("run/proof.bin: damaged at byte 0;"), "{text}");
    assert!(!fs::exists(folder.path("wrong.proof")).unwrap());
}

#[test]
fn the_proof_files_of_the_repository_prove_what_they_say() {
    let mut files: Vec<_> =
        fs::read_dir(PROOFS).unwrap().map(|entry| entry.unwrap().path().display().to_string()).collect();
    files.sort();
    assert!(files.len() > 3);
    assert!(files.iter().map(|path| fs::metadata(path).unwrap().len()).sum::<u64>() < 1 << 20);
    let mut arguments = vec![CHECKER];
    arguments.extend(files.iter().map(String::as_str));
    let Some(output) = python(&arguments) else { return };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(text.lines().count(), files.len());
    for (file, result) in [("4x4", "loses"), ("5x4", "wins")] {
        assert!(text.lines().any(|line| line.contains(&format!("/{file}.proof")) && line.contains(result)), "{text}");
    }
}
