//! `hippolyta solve`: real processes, killed and two at once, and proof files that a program of its own checks.

use crate::common::folder::Folder;
use std::fs;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const CORNERS: &str = "q2q/4/4/Q2Q w";
const FOUR_BY_FIVE: &str = "1qq1/q2q/4/Q2Q/1QQ1 w";
const FOUR_BY_SIX: &str = "1qq1/q2q/4/4/Q2Q/1QQ1 w";
const FIVE_BY_FIVE: &str = "1q1q1/q3q/5/Q3Q/1Q1Q1 w";
const FOUR_BY_SEVEN: &str = "1qq1/q2q/4/4/4/Q2Q/1QQ1 w";

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
    assert!(!output.status.success() && output.stdout.is_empty(), "{arguments:?}");
    assert_eq!(errors.lines().count(), 1, "{arguments:?}: {errors}");
    errors
}

fn status(folder: &str) -> serde_json::Value {
    serde_json::from_str(&ok(&["--out", folder, "--status", "--json"])).unwrap()
}

/// Starts a run in a folder and kills it once it has written that it looked at positions: how many it had looked at.
/// Nothing if it had reached its result before it was killed.
fn killed_midway(fen: &str, folder: &str) -> Option<u64> {
    let began = Instant::now();
    let arguments = ["--fen", fen, "--out", folder, "--hash", "64", "--slice", "20000"];
    let mut process = command(&arguments).spawn().unwrap();
    let has_searched = || {
        let files = fs::read_dir(format!("{folder}/tree")).into_iter().flatten();
        files.flatten().any(|file| fs::read_to_string(file.path()).unwrap().contains("\"searched\""))
    };
    while !has_searched() {
        assert!(began.elapsed() < Duration::from_secs(120), "nothing is written");
        std::thread::sleep(Duration::from_millis(1));
    }
    process.kill().unwrap();
    process.wait().unwrap();
    let status = status(folder);
    status["wins"].is_null().then(|| status["positions"].as_u64().unwrap())
}

const LATE: &str = "1*1*2Q1*1/*1Q*2*q1*/**q1*2***/1********1/*****1**1*/**1Q**1*Q1/q**2**q**/2***1****/**2**1*1*/\
                    2**2***1 w";

#[test]
fn known_boards_come_out() {
    // The winners by a plain search of all turns, and by Song and Müller (2015).
    for (fen, expected) in [
        ("1q1/3/1Q1 w", "the side to move wins by "),
        ("1qq1/q2q/Q2Q/1QQ1 w", "the side to move loses"),
        ("1q1q1/q3q/Q3Q/1Q1Q1 w", "the side to move wins by "),
    ] {
        for more in [&["--threads", "1"][..], &["--threads", "3", "--slice", "1000"], &["--plain"]] {
            let text = ok(&[&["--fen", fen, "--hash", "16"], more].concat());
            assert!(text.starts_with(expected), "{fen} {more:?}: {text}");
        }
    }
    // Late on 10×10 squares, too wide for a rectangle. The tree search proves the same.
    assert!(ok(&["--fen", LATE, "--hash", "64", "--threads", "1"]).starts_with("the side to move wins by "));
}

#[test]
fn a_killed_run_goes_on_where_it_was() {
    let folder = Folder::new("solve-killed");
    // A run writes every three seconds. The faster the machine, the larger the board must be not to be solved by then;
    // on a busy one the kill may come too late.
    let boards = [(FOUR_BY_FIVE, false), (FOUR_BY_SIX, true), (FIVE_BY_FIVE, true), (FOUR_BY_SEVEN, true)];
    let (wins, out, before) = boards
        .into_iter()
        .flat_map(|board| [(); 4].map(|()| board))
        .enumerate()
        .find_map(|(attempt, (fen, wins))| {
            let out = folder.path(&format!("run{attempt}"));
            killed_midway(fen, &out).map(|before| (wins, out, before))
        })
        .expect("every run was solved before it could be killed");
    assert!(before > 0);
    let after = status(&out);
    // Nobody works there, and nobody holds anything.
    assert_eq!(after["workers"], serde_json::json!([]));
    // As if it had been killed while it took a position: the claim has no owner.
    fs::write(format!("{out}/claims/{}", "0".repeat(34)), "").unwrap();
    let text = ok(&["--out", &out, "--hash", "64", "--slice", "20000", "--json"]);
    let result: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&result["wins"], result["turn"].is_string()), (&wins.into(), wins));
    assert!(result["positions"].as_u64().unwrap() > before);
    // Solved is solved.
    let began = Instant::now();
    assert_eq!(ok(&["--out", &out, "--json"]), text);
    assert!(began.elapsed() < Duration::from_secs(30));
    assert_eq!(status(&out)["wins"], wins);
    let expected = if wins { "the side to move wins by" } else { "the side to move loses" };
    let said = ok(&["--out", &out, "--status"]);
    assert!(said.contains(expected) && said.contains("\nprocesses now: 0, 0.0 M positions a second\n"), "{said}");
    assert_eq!(fs::read_dir(format!("{out}/claims")).unwrap().count(), 0);
}

#[test]
fn two_processes_share_what_they_prove() {
    let folder = Folder::new("solve-two");
    let out = folder.path("run");
    let arguments = ["--fen", CORNERS, "--out", &out, "--hash", "64", "--slice", "5000", "--json"];
    let processes = [(); 2].map(|()| command(&arguments).spawn().unwrap());
    let results = processes.map(|process| {
        let output = process.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()
    });
    assert!(results.iter().all(|result| result["wins"] == true), "{results:?}");
    // Both searched, each in files of its own.
    let lines = |path: std::path::PathBuf| fs::read_to_string(path).unwrap().matches("\"searched\"").count();
    let files: Vec<_> = fs::read_dir(folder.0.join("run/tree")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 2);
    assert!(files.into_iter().all(|path| lines(path) > 0));
}

#[test]
fn what_cannot_be_used_is_told_in_a_line() {
    let folder = Folder::new("solve-wrong");
    let out = folder.path("run");
    let small = ["--fen", "1qq1/q2q/Q2Q/1QQ1 w", "--out", &out, "--hash", "16", "--slice", "1000"];
    assert!(error(&["--out", &out]).contains("holds no run"));
    assert!(error(&["--out", &out, "--status"]).contains("holds no run"));
    ok(&small);
    assert!(error(&["--fen", "1q1/3/1Q1 w", "--out", &out]).contains("is about another position"));
    assert!(error(&["--fen", "1q1/3/1Q2 w"]).contains("rank"));
    assert!(error(&["--variant", "desdemona", "--fen", "1q1/3/1Q1 w"]).contains("cannot be solved like this"));
    assert!(error(&["--fen", "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w"]).contains("7×8"));
    fs::create_dir(folder.path("other")).unwrap();
    fs::write(folder.path("other/letter.txt"), "Dear").unwrap();
    assert!(error(&["--fen", "1q1/3/1Q1 w", "--out", &folder.path("other")]).contains("holds no run"));
    // A half line at the end is what a killed process leaves; a changed one is damage.
    let tree = fs::read_dir(folder.0.join("run/tree")).unwrap().next().unwrap().unwrap().path();
    let whole = fs::read_to_string(&tree).unwrap();
    fs::write(&tree, &whole[..whole.len() - 5]).unwrap();
    ok(&["--out", &out, "--status"]);
    fs::write(&tree, whole.replacen("[", "[1", 1)).unwrap();
    let text = error(&["--out", &out, "--status"]);
    assert!(text.contains("damaged line at byte 0") && text.contains(&tree.display().to_string()), "{text}");
    fs::write(&tree, &whole).unwrap();
    let manifest = fs::read_to_string(format!("{out}/solve.json")).unwrap();
    fs::write(format!("{out}/solve.json"), manifest.replace("1,", "9,")).unwrap();
    assert!(error(&["--out", &out, "--status"]).contains("format 9, and this program knows 1"));
}

/// Runs Python on `arguments`; `None`, with a word, where there is none.
fn python(arguments: &[&str]) -> Option<Output> {
    match Command::new("python3").args(arguments).output() {
        Ok(output) => Some(output),
        Err(error) => {
            assert!(std::env::var_os("CI").is_none(), "python3: {error}");
            eprintln!("skipped: there is no python3");
            None
        }
    }
}

const CHECKER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/check_proof.py");
const PROOFS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/proofs");

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
    // In a file without damage: the opposite result, too few and too many turns, ends that are none, an illegal turn.
    let script = format!(
        "import sys; sys.path.insert(0, {:?}); import check_proof as c\n\
         header, numbers = c.read({path:?})\n\
         numbers = list(numbers)\n\
         def refused(header, numbers):\n    \
             try: c.check(header, numbers)\n    \
             except c.Wrong as wrong: return True\n    \
             return False\n\
         assert not refused(header, numbers)\n\
         assert refused(dict(header, wins=True), numbers)\n\
         assert refused(header, numbers[:-1]) and refused(header, numbers + [0])\n\
         places = [i for i, number in enumerate(numbers) if number % 2]\n\
         for i in places[:3] + places[-3:]:\n    \
             for wrong in (0, numbers[i] + 1, 1 + 2 * (16 * 16 * 5 + 16 * 5 + 5)):\n        \
                 changed = numbers[:i] + [wrong] + numbers[i + 1 :]\n        \
                 assert refused(header, changed), (i, wrong)\n",
        CHECKER.trim_end_matches("/check_proof.py"),
    );
    let output = python(&["-c", &script]).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn an_interrupted_proof_file_goes_on_where_it_was() {
    let folder = Folder::new("solve-proof-kept");
    let out = folder.path("run");
    let write = |name: &str| {
        ok(&["--fen", "1qq1/q2q/Q2Q/1QQ1 w", "--out", &out, "--hash", "16", "--proof", &folder.path(name)]);
        fs::read(folder.path(name)).unwrap()
    };
    let kept = || {
        let mut files = fs::read_dir(folder.0.join("run/proof")).unwrap().map(|entry| entry.unwrap().path());
        let file = files.next().unwrap();
        assert_eq!(files.next(), None, "what the dead have written is removed");
        (fs::read(&file).unwrap(), file)
    };
    let framed = |body: &[u8]| {
        let (length, sum) = (body.len() as u32, crc32fast::hash(body));
        [&length.to_le_bytes(), &sum.to_le_bytes(), body].concat()
    };
    let whole = write("whole.proof");
    let (all, _) = kept();
    let numbers = &all[8..];
    assert!(numbers.len() > 3000 && all == framed(numbers));
    assert_eq!(write("again.proof"), whole);
    // From the middle with a frame that a kill cut off, and from the first one. The rest may differ, as the table knows
    // something else.
    let mut written = Vec::new();
    for some in [numbers.len() / 4 * 2, 2] {
        let (first, rest) = numbers.split_at(some);
        fs::write(kept().1, [framed(first), framed(rest)[..40].to_vec()].concat()).unwrap();
        let name = format!("after{some}.proof");
        write(&name);
        let (all, _) = kept();
        assert!(all.starts_with(&framed(first)) && all.len() > numbers.len() / 2);
        written.push(folder.path(&name));
    }
    if let Some(output) = python(&[&[CHECKER], &*written.iter().map(String::as_str).collect::<Vec<_>>()].concat()) {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    // What is there is believed, as long as it fits and has its checksum.
    let refused = |bytes: &[u8]| {
        fs::write(kept().1, bytes).unwrap();
        error(&["--out", &out, "--hash", "16", "--proof", &folder.path("wrong.proof")])
    };
    let mut wrong = numbers.to_vec();
    // From a1 to a1.
    let place = wrong.chunks_exact(2).position(|number| number[0] % 2 == 1 && number != [1, 0]).unwrap();
    wrong[2 * place..2 * place + 2].copy_from_slice(&[1, 0]);
    let text = refused(&framed(&wrong));
    assert!(text.contains("a turn that does not fit this position"), "{text}");
    let text = refused(&[&all[..20], b"?", &all[21..]].concat());
    assert!(text.contains("damaged at byte 0") && text.contains("proof"), "{text}");
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
