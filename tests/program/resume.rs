//! `--resume` of a run that is finished: all commands say the same, and that nothing went wrong. One with other options
//! is refused, and the option named.

use crate::book::subcommands;
use crate::child::command;
use crate::common::folder::Folder;
use std::collections::BTreeSet;
use std::fs;

/// Every command that has `--resume`, with a run that ends soon, an option that another run has in its place, and how a
/// message names that. `OUT` stands for what the run writes.
const RUNS: [(&str, &str, [&str; 2], &str); 13] = [
    (
        "selfplay",
        "selfplay --variant amazons6 --games 2 --nodes 10 --out OUT.dat",
        ["--nodes 10", "--nodes 11"],
        "is of another run: its --nodes 10 → 11 differs",
    ),
    (
        "fit",
        "fit OUT-games.dat --epochs 1 --validation 4 --out OUT.bin",
        ["--validation 4", "--validation 4 --search-share 0.3"],
        "the run was begun with other options: --search-share 0.0 → 0.3",
    ),
    (
        "book",
        "book --variant damone --positions 3 --nodes 100 --out OUT.book",
        ["--nodes 100", "--nodes 101"],
        "the run was begun with other options: --nodes 100 → 101",
    ),
    (
        "openings",
        "openings --variant amazons6 --count 1 --plies 1 --nodes 50 --within 3000 --games 0 --out OUT.epd",
        ["--within 3000", "--within 2000 --variety 0.3"],
        "the run was begun with other options: --variety 0.2 → 0.3; --within 3000 → 2000",
    ),
    (
        "problems make",
        "problems make --variant amazons6 --count 1 --turns 2 --effort 2000 --out OUT.json",
        ["--effort", "--seed 5 --effort"],
        "the run was begun with other options: --seed 0 → 5",
    ),
    (
        "blunders make",
        "blunders make --variant amazons6 --count 1 --nodes 20 --effort 2000 --out OUT.jsonl",
        ["--effort", "--seed 5 --effort"],
        "the run was begun with other options: --seed 0 → 5",
    ),
    (
        "assess",
        "assess --variant amazons6 --nodes 5 --games 2 --pairs 1 --out OUT-report.json",
        ["--games 2", "--games 2 --seed 5"],
        "the run was begun with other options: --seed 0 → 5",
    ),
    (
        "design",
        "design --variant amazons6 --nodes 5 --games 2 --rounds 2 --learn 0 --vary stuck --out OUT-vary.json",
        ["--vary stuck", "--vary stuck,leaves"],
        "the run was begun with other options: --vary",
    ),
    (
        "tune",
        "tune --variant amazons6 --constant c_puct=0.6,0.1 --nodes 5 --pairs 2 --out OUT-tuned.json",
        ["--pairs 2", "--pairs 2 --seed 5"],
        "the run was begun with other options: --seed 0 → 5",
    ),
    (
        "match",
        "match --engine cmd=self name=a --engine cmd=self name=b --each nodes=1 --variant amazons6 --adjudicate exact \
         --out OUT",
        ["--adjudicate", "--maxmoves 60 --adjudicate"],
        "with other options: --maxmoves none → 60",
    ),
    // These go on without a word for that, too.
    (
        "solve",
        "solve --fen q2/3/2Q~w --hash 1 --out OUT-solve",
        ["q2/", "q1*/"],
        "OUT-solve holds a run with other options: --fen q2/3/2Q w - - 0 1 → q1*/3/2Q w - - 0 1",
    ),
    (
        "calibrate",
        "calibrate OUT-calibration --only amazons@5x5 --games 10 --nodes 5 --many 6 --out OUT-calibrated.bin",
        ["--nodes 5", "--nodes 4"],
        "the run was begun with other options: --nodes 5 → 4",
    ),
    (
        "learn",
        "learn --variant amazons6 --generations 1 --games 40 --nodes 20 --gate-games 1 --epochs 1 --validation 4 --policy-every 1 --out OUT-run",
        ["--epochs 1", "--epochs 2"],
        "with other options: --epochs 1 → 2",
    ),
];

fn words(line: &str, out: &str) -> Vec<String> {
    line.split(' ').filter(|word| !word.is_empty()).map(|word| word.replace("OUT", out).replace('~', " ")).collect()
}

fn run(words: &[String]) -> (String, String, i32) {
    command(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn a_finished_run_is_no_error_and_is_said_in_the_same_words() {
    let folder = Folder::new("resume-finished");
    let out = folder.path("x");
    let games = words("selfplay --variant amazons6 --games 24 --nodes 30 --seed 3 --out OUT-games.dat", &out);
    assert_eq!(run(&games).2, 0);
    for (name, line, [option, other], difference) in RUNS {
        let mut words = words(line, &out);
        let target = words.last().unwrap().clone();
        // To begin by it is no error either.
        words.push("--resume".to_owned());
        let (output, errors, code) = run(&words);
        assert_eq!(code, 0, "{name}: {output}{errors}");
        assert!(!errors.contains("is finished"), "{name}: {errors}");
        let before = fs::read(&target).ok();
        for _ in 0..2 {
            let (output, errors, code) = run(&words);
            assert_eq!(code, 0, "{name}: {output}{errors}");
            assert_eq!(errors, format!("hippolyta: {target} is finished: nothing was left to do\n"), "{name}");
            assert_eq!(fs::read(&target).ok(), before, "{name}");
        }
        let mut words = self::words(&line.replace(option, other), &out);
        words.push("--resume".to_owned());
        let (output, errors, code) = run(&words);
        assert_eq!((output.as_str(), code, errors.lines().count()), ("", 1, 1), "{name}: {errors}");
        assert!(errors.contains(&difference.replace("OUT", &out)), "{name}: {errors}");
        assert_eq!(fs::read(&target).ok(), before, "{name}");
    }
}

#[test]
fn every_command_that_resumes_is_among_these() {
    let listed = |words: &[&str]| {
        let help = command(&[words, &["--help"]].concat()).0;
        subcommands(&help).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let mut found = BTreeSet::new();
    for name in &listed(&[]) {
        let below = listed(&[name]);
        let names = if below.is_empty() { vec![String::new()] } else { below };
        for second in &names {
            let words: Vec<_> = [name.as_str(), second].into_iter().filter(|word| !word.is_empty()).collect();
            let help = command(&[&words[..], &["--help"]].concat()).0;
            if help.lines().any(|line| line.trim_start().starts_with("--resume")) {
                found.insert(words.join(" "));
            }
        }
    }
    let known: BTreeSet<_> = RUNS.map(|(name, ..)| name.to_owned()).into();
    assert_eq!(found, known);
}

/// The result was written, and the kill came before the file of the unfinished run was removed.
#[test]
fn a_run_that_was_killed_at_its_very_end_is_finished_by_resume() {
    let folder = Folder::new("resume-end");
    let line =
        "openings --variant amazons6 --count 1 --plies 1 --nodes 50 --within 3000 --games 0 --out OUT.epd --resume";
    let words = words(line, &folder.path("x"));
    let (out, partial) = (folder.path("x.epd"), folder.path("x.epd.partial"));
    assert_eq!(run(&words).2, 0);
    let begun = r#"{"variant":"amazons6","plies":1,"variety":0.2,"nodes":50,"within":3000,"games":0,"seed":0}"#;
    let text = fs::read_to_string(&out).unwrap();
    fs::write(&partial, format!("{begun}\n")).unwrap();
    fs::write(&out, &text).unwrap();
    let (output, errors, code) = run(&words);
    assert_eq!(code, 0, "{output}{errors}");
    assert!(fs::read_to_string(&out).unwrap() == text && fs::metadata(&partial).is_err());
    // A file that no such run has written is left as it is, also at the end of a run.
    for (other, message) in [
        ("mine\n", "x.epd is no finished run; --force writes over it"),
        ("1q2q1/q4q/6/6/Q4Q/1Q2Q1 w\n2q1q1/q4q/1*4/6/Q4Q/1Q2Q1 w\n", "is finished with 2 openings, not 1; --force"),
    ] {
        fs::write(&out, other).unwrap();
        let (_, errors, code) = run(&words);
        assert!(code == 1 && errors.contains(message) && errors.lines().count() == 1, "{errors}");
        assert_eq!(fs::read_to_string(&out).unwrap(), other);
    }
    fs::write(&partial, format!("{begun}\n")).unwrap();
    let (_, errors, code) = run(&words);
    assert!(code == 1 && errors.ends_with("x.epd exists already; --force writes over it\n"), "{errors}");
    assert!(fs::read_to_string(&out).unwrap() != text && fs::metadata(&partial).is_ok());
    let (output, errors, code) = run(&[&words[..], &["--force".to_owned()]].concat());
    assert_eq!((code, errors.as_str()), (0, ""), "{output}");
    assert!(fs::read_to_string(&out).unwrap() == text && fs::metadata(&partial).is_err());
}
