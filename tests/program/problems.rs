//! `hippolyta problems`.

use crate::child::{command, fails, kill_and_resume_until_done, ok};
use crate::common::folder::Folder;
use hippolyta_lab::problems::{Problem, ProblemSet};
use serde_json::Value;
use std::collections::HashMap;
use std::fs;

const RECIPE: [&str; 8] =
    ["problems", "make", "--variant=amazons6", "--count=3", "--turns=12", "--effort=3000", "--seed=3", "--above=400"];

#[test]
fn a_killed_run_goes_on_and_ends_with_the_same_bytes() {
    let folder = Folder::new("problems");
    let [whole, cut] = ["whole.json", "cut.json"].map(|name| folder.path(name));
    assert_eq!(ok(&[&RECIPE[..], &["--threads=2", "--out", &whole]].concat()), "");
    let partial = folder.0.join("cut.json.partial");
    kill_and_resume_until_done(&[&RECIPE[..], &["--out", &cut]].concat(), &partial);
    assert_eq!(fs::read(&cut).unwrap(), fs::read(&whole).unwrap());
    assert!(!partial.exists());
    let set = ProblemSet::read(&fs::read_to_string(&whole).unwrap()).unwrap();
    assert_eq!(set.problems.len(), 3);
    assert!(set.problems.iter().all(|problem| problem.legal >= 12 && problem.elo.is_none_or(|elo| elo >= 400)));
    // Two of one are one, numbered anew, as few as are asked for.
    let joined = folder.path("joined.json");
    ok(&["problems", "join", &whole, &cut, "--most", "amazons6=2", "--out", &joined]);
    assert_eq!(ok(&["problems", "list", "--file", &joined]).lines().count(), 2);
    fails(&["problems", "join", &whole, "--out", &joined], "exists already; --force writes over it");
}

#[test]
fn what_is_there_is_not_lost() {
    let folder = Folder::new("problems-refused");
    let out = folder.path("mine.json");
    fs::write(&out, "mine").unwrap();
    let refused = |more: &[&str], message: &str| fails(&[&RECIPE[..], &["--out", &out], more].concat(), message);
    refused(&[], "mine.json exists already; --force writes over it");
    fs::remove_file(&out).unwrap();
    let partial = folder.0.join("mine.json.partial");
    fs::write(&partial, "mine\n").unwrap();
    refused(&[], "mine.json.partial is an unfinished run: --resume goes on with it");
    refused(&["--resume"], "mine.json.partial: not an unfinished run");
    let begun = r#"{"variant":"iago","fen":[],"turns":12,"above":400,"per_game":1,"effort":3000,"seed":3}"#;
    fs::write(&partial, format!("{begun}\n")).unwrap();
    refused(&["--resume"], "the run was begun with other options: --variant iago → amazons6\n");
    refused(&["--resume", "--fen", "q2/3/2Q x"], "--fen");
    let damone = ["problems", "make", "--variant=damone", "--fen=8/7i/8/8/I1i5/5P2/8/8 b", "--out", &out];
    fails(&damone, "--fen: positions of Damone are drawn from endgame tables");
    assert!(!folder.0.join("mine.json").exists());
}

#[test]
fn problems_are_listed_and_shown_and_the_solution_only_if_asked_for() {
    let set = ProblemSet::built_in();
    let lines = ok(&["problems", "list", "--json"]);
    let listed: Vec<Problem> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(listed, set.problems);
    let some = ok(&["problems", "list", "--group", "iago,damone", "--above", "1000", "--below", "2000"]);
    let between = |problem: &&Problem| {
        ["iago", "damone"].contains(&problem.group()) && problem.elo.is_some_and(|elo| (1_000..=2_000).contains(&elo))
    };
    assert_eq!(some.lines().count(), set.problems.iter().filter(between).count());
    assert!(some.lines().count() > 20);

    let problem = set.get("iago-040").unwrap();
    let hidden = ok(&["problems", "show", "iago-040"]);
    assert!(hidden.starts_with(&format!("iago-040: iago, {} to move and win\nfen: {}\n", problem.side, problem.fen)));
    assert!(hidden.contains(&problem.board().unwrap().diagram()) && !hidden.contains(&problem.turn), "{hidden}");
    let shown = ok(&["problems", "show", "IAGO-040", "--solution"]);
    assert!(shown.contains(&format!("\n{}\n", problem.turn)) && shown.contains("\nnot "), "{shown}");
    let json: Value = serde_json::from_str(&ok(&["problems", "show", "iago-040", "--json"])).unwrap();
    assert_eq!((&json["fen"], json.get("turn"), json.get("solution")), (&problem.fen.as_str().into(), None, None));
    let all: Problem = serde_json::from_str(&ok(&["problems", "show", "iago-040", "--solution", "--json"])).unwrap();
    assert_eq!(&all, problem);
    // The place in the file will do.
    assert!(ok(&["problems", "show", "1"]).starts_with(&format!("{}: ", set.problems[0].id)));
    fails(&["problems", "show", "iago-999"], "there is no problem 'iago-999' among 1000");
    fails(&["problems", "list", "--group", "chess"], "there is no group 'chess': known are amazons");
    fails(&["problems", "list", "--file", "none.json"], "none.json: ");
}

#[test]
fn a_wrong_problem_fails_the_check() {
    let folder = Folder::new("problems-wrong");
    let file = folder.path("suite.json");
    let mut problems: Vec<Problem> =
        ["amazons6-010", "amazons6-011"].iter().map(|id| ProblemSet::built_in().get(id).unwrap().clone()).collect();
    fs::write(&file, ProblemSet::new(problems.clone()).text()).unwrap();
    let check = ["problems", "check", "--brute", "10000", "--file", &file];
    let right = ok(&check);
    assert!(right.starts_with("2 of 2 problems proven\n"), "{right}");
    let json: Value = serde_json::from_str(&ok(&[&check[..], &["--json"]].concat())).unwrap();
    assert_eq!((&json["proven"], &json["wrong"]), (&2.into(), &Value::Array(Vec::new())));
    // Another legal turn, which loses.
    let (other, _) = problems[0].wrong.branches.remove(0);
    problems[0].turn.clone_from(&other);
    problems[0].solution.branches[0].0 = other;
    problems[0].solution.branches[0].1.branches.clear();
    fs::write(&file, ProblemSet::new(problems).text()).unwrap();
    let (output, errors, code) = command(&check);
    assert_eq!(code, 1, "{output}");
    assert!(output.starts_with("1 of 2 problems proven\n") && output.contains("\nproblem amazons6-010: "), "{output}");
    assert!(errors.contains("1 of 2 problems are wrong or unproven"), "{errors}");
}

#[test]
fn levels_are_tested_and_the_table_adds_up() {
    let folder = Folder::new("problems-test");
    let file = folder.path("suite.json");
    let ids = ["amazons6-001", "amazons6-002", "desdemona-001", "desdemona-002"];
    let problems: Vec<Problem> = ids.iter().map(|id| ProblemSet::built_in().get(id).unwrap().clone()).collect();
    fs::write(&file, ProblemSet::new(problems.clone()).text()).unwrap();
    let words = ["problems", "test", "--file", &file, "--elo", "400,2000", "--nodes", "3000", "--tries", "4"];
    let table = ok(&words);
    assert_eq!(ok(&[&words[..], &["--threads", "1"]].concat()), table);
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["group", "problems", "400", "2000", "3000", "n"]);
    let json: Value = serde_json::from_str(&ok(&[&words[..], &["--json"]].concat())).unwrap();
    let tried = json["problems"].as_array().unwrap();
    assert!(tried.iter().map(|tried| &tried["id"]).eq(&ids));
    let found = |problem: usize, level: usize| tried[problem]["found"][level].as_u64().unwrap();
    for (row, (group, members)) in [("amazons6", 0..2), ("desdemona", 2..4), ("all", 0..4)].into_iter().enumerate() {
        let mut expected = vec![group.to_owned(), members.len().to_string()];
        for level in 0..3 {
            let times: u64 = members.clone().map(|problem| found(problem, level)).sum();
            let share = 100.0 * times as f64 / (4 * members.len()) as f64;
            expected.extend([format!("{share:.0}"), "%".to_owned()]);
        }
        assert_eq!(rows[row + 1], expected);
    }
    // The easiest ones, at full strength.
    assert!((0..4).map(|problem| found(problem, 2)).sum::<u64>() >= 8, "{table}");
    fails(&["problems", "test", "--group", "none"], "there is no group 'none'");
}

/// The table of the document.
#[test]
fn the_document_says_how_many_there_are() {
    let document = fs::read_to_string(concat!(root!(), "/docs/problems.md")).unwrap();
    let rows: HashMap<&str, Vec<&str>> = document
        .lines()
        .filter_map(|line| line.strip_prefix("| `"))
        .filter_map(|line| line.split_once("` |"))
        .map(|(group, rest)| (group, rest.trim_end_matches('|').split('|').map(str::trim).collect()))
        .collect();
    for (group, count) in ProblemSet::built_in().groups() {
        let row = rows.get(group).unwrap_or_else(|| panic!("{group} has no row"));
        assert_eq!(row[0], count.to_string(), "{group}");
    }
}
