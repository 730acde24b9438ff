//! `hippolyta assess`.

use crate::child::{command, kill_and_resume_until_done};
use crate::common::folder::Folder;
use hippolyta_research::quality::{Report, Variations};
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
}

#[test]
fn variations_are_assessed_side_by_side_and_a_killed_run_goes_on() {
    let folder = Folder::new("assess-vary");
    let [whole, cut] = ["whole.json", "cut.json"].map(|name| folder.path(name));
    let options = ["assess", "--fen", "1qq1/4/4/1QQ1 w", "--vary=stuck,leaves", "--nodes=20", "--games=4", "--pairs=2"];
    let (output, errors, code) = command(&[&options[..], &["--out", &whole]].concat());
    assert_eq!((errors.as_str(), code), ("", 0));
    kill_and_resume_until_done(&[&options[..], &["--out", &cut]].concat(), &folder.0.join("cut.json.partial"));
    let page = |name: &str| fs::read_to_string(folder.0.join(name)).unwrap();
    assert_eq!((page("cut.json"), page("cut.html")), (page("whole.json"), page("whole.html")));
    let found: Variations = serde_json::from_str(&page("whole.json")).unwrap();
    let mut changes: Vec<_> = found.variations.iter().map(|varied| varied.change()).collect();
    changes.sort_unstable();
    // Stones that nobody counts, flips or passes are arrows by another name.
    let expected = ["as it is", "stuck = \"draws\"", "stuck = \"wins\""];
    assert_eq!(changes, expected);
    assert_eq!(output, format!("{}\n{}\n", found.table(), found.words.join("\n")));
    assert!(page("whole.html").contains("Variations of amazons") && page("whole.html").contains("stuck = "));
    // Each can be written to a file and played.
    let own = found.variations.iter().find(|varied| varied.change() == "stuck = \"wins\"").unwrap();
    fs::write(folder.0.join("own.toml"), &own.rules).unwrap();
    let (shown, errors, code) = command(&["rules", "check", &folder.path("own.toml")]);
    assert!(code == 0 && shown.contains("wins"), "{shown}{errors}");
    for (options, says) in [
        (["--vary=rim", "--variant=iago"], "--vary: 'rim' is no key that can be varied: known are moves, fires, "),
        (["--vary=stuck", "--variant=damone"], "--vary: damone is no game of move and fire"),
        (["--changes=2", "--variant=iago"], "--vary <KEYS>"),
    ] {
        let (_, errors, code) = command(&[&["assess"], &options[..], &["--out", &folder.path("never.json")]].concat());
        assert!(code > 0 && errors.contains(says), "{errors}");
    }
}
