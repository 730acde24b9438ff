//! `hippolyta assess`.

use crate::child::{command, kill_and_resume_until_done};
use crate::common::folder::Folder;
use hippolyta_research::quality::Report;
use std::fs;

#[test]
fn a_killed_report_goes_on_and_ends_with_the_same_bytes() {
    let folder = Folder::new("assess");
    let [whole, cut] = ["whole.json", "cut.json"].map(|name| folder.path(name));
    let options = ["assess", "--fen", "1qq1/4/4/1QQ1 w", "--nodes=20,60", "--games=8", "--pairs=4"];
    let (output, errors, code) = command(&[&options[..], &["--out", &whole]].concat());
    assert_eq!((errors.as_str(), code), ("", 0));
    kill_and_resume_until_done(&[&options[..], &["--out", &cut]].concat(), &folder.0.join("cut.json.partial"));
    let page = |name: &str| fs::read_to_string(folder.0.join(name)).unwrap();
    assert_eq!((page("cut.json"), page("cut.html")), (page("whole.json"), page("whole.html")));
    let report: Report = serde_json::from_str(&page("whole.json")).unwrap();
    assert_eq!(report.strengths.iter().map(|strength| strength.nodes).collect::<Vec<_>>(), [20, 60]);
    assert!(report.strengths.iter().all(|strength| strength.games == 8 && strength.doubling_games == 8));
    assert_eq!(report.words.join("\n") + "\n", output);
    assert!(page("whole.html").contains(&report.words[0]));
    let (_, errors, code) = command(&[&options[..], &["--out", &whole]].concat());
    assert!(code == 1 && errors.contains("exists already; --force writes over it"), "{errors}");
    let (_, errors, code) = command(&["assess", "--nodes=60,20", "--out", &folder.path("never.json")]);
    assert!(code == 1 && errors.contains("--nodes: the least comes first"), "{errors}");
    let (_, errors, code) = command(&["assess", "--out", &folder.path("never.html")]);
    assert!(code == 1 && errors.contains("--out: the name ends in .html"), "{errors}");
}

#[test]
fn rules_of_ones_own_have_their_report() {
    let folder = Folder::new("assess-own");
    let file = concat!(root!(), "/examples/rules/knights.toml");
    let out = folder.path("knights.json");
    let (output, errors, code) =
        command(&["assess", "--rules", file, "--nodes=10", "--games=4", "--pairs=2", "--out", &out]);
    assert_eq!((errors.as_str(), code), ("", 0));
    assert!(output.contains("These games do not tell who is ahead at the start: "), "{output}");
    assert!(output.contains(" openings at 10 nodes a turn. About "), "{output}");
    assert!(output.contains("with guesses, as nothing was learned for these rules."), "{output}");
    let report: Report = serde_json::from_str(&fs::read_to_string(&out).unwrap()).unwrap();
    assert_eq!(report.title, "Knight Amazons");
    let again = folder.path("again.json");
    let learns = ["assess", "--rules", file, "--nodes=10", "--games=4", "--pairs=2", "--learn=40", "--out", &again];
    let (output, errors, code) = command(&learns);
    assert_eq!((errors.as_str(), code), ("", 0));
    assert!(output.contains("by the engine with weights learned for these rules."), "{output}");
    let learned = folder.path("again.bin");
    let (output, errors, code) = command(&["go", "--rules", file, "--nodes=10", "--eval-file", &learned]);
    assert!(code == 0 && output.contains("bestmove "), "{errors}");
    // What is there was learned by somebody else.
    std::fs::remove_file(&again).unwrap();
    let (_, errors, code) = command(&[&learns[..learns.len() - 1], &[&again]].concat());
    assert!(code == 1 && errors.contains("exists already; --force writes over it"), "{errors}");
}
