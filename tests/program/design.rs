//! `hippolyta design`.

use crate::child::{command, kill_and_resume_until_done};
use crate::common::folder::Folder;
use hippolyta_research::quality::Variations;
use std::fs;

#[test]
fn variations_play_round_after_round_and_a_killed_run_ends_with_the_same_bytes() {
    let folder = Folder::new("design");
    let [whole, cut] = ["whole.json", "cut.json"].map(|name| folder.path(name));
    let options = ["design", "--fen", "1qq1/4/4/1QQ1 w", "--vary=stuck,moves", "--nodes=6", "--games=6", "--rounds=3"];
    let options = [&options[..], &["--learn=40", "--list=2", "--goal=length=1-7"]].concat();
    let (output, errors, code) = command(&[&options[..], &["--out", &whole]].concat());
    let little = "hippolyta: amazons, moves = \"B\": nothing was learned, as its games are too few or too short\n";
    assert_eq!((errors.as_str(), code), (little, 0));
    kill_and_resume_until_done(&[&options[..], &["--out", &cut]].concat(), &folder.0.join("cut.json.partial"));
    let text = |name: &str| fs::read_to_string(folder.0.join(name)).unwrap();
    for (one, other) in [("cut.json", "whole.json"), ("cut.html", "whole.html"), ("cut/1.toml", "whole/1.toml")] {
        assert_eq!(text(one), text(other));
    }
    assert!(!folder.0.join("whole/learned").exists() && !folder.0.join("whole/3.toml").exists());
    let found: Variations = serde_json::from_str(&text("whole.json")).unwrap();
    assert_eq!(output, format!("{}\n{}\n", found.table(), found.words.join("\n")));
    // The board is that of three squares on a line: bounds of three are none.
    let mut changes: Vec<_> = found.variations.iter().map(|varied| varied.change()).collect();
    changes.sort_unstable();
    let expected = ["as it is", "moves = \"B\"", "moves = \"K\"", "moves = \"N\"", "moves = \"Q2\"", "moves = \"R\""];
    assert_eq!(changes, [&expected[..], &["stuck = \"draws\"", "stuck = \"wins\""]].concat());
    // Whoever left has played fewer games.
    let games = |place: usize| found.variations[place].report.strengths[0].games;
    assert!(games(0) >= games(changes.len() - 1) && games(0) <= 18, "{}", found.table());
    assert!(found.variations.iter().any(|one| one.report.evaluation == "weights learned for these rules"));
    // The best can be played at once, with what was learned.
    let rules = folder.path("whole/1.toml");
    let (shown, errors, code) = command(&["rules", "check", &rules]);
    assert!(code == 0 && shown.contains(" on 4 × 4 squares"), "{shown}{errors}");
    assert!(text("whole/1.html").contains("Elo of a doubling") || text("whole/1.html").contains("Length of a game"));
    if folder.0.join("whole/1.bin").exists() {
        let learned = folder.path("whole/1.bin");
        let (output, errors, code) = command(&["go", "--rules", &rules, "--eval-file", &learned, "--nodes", "20"]);
        assert!(code == 0 && output.contains("bestmove "), "{output}{errors}");
    }
    for (options, says) in [
        (["--vary=rim", "--variant=iago"], "--vary: 'rim' is no key that can be varied: known are moves, fires, "),
        (["--vary=stuck", "--variant=damone"], "--vary: damone is no game of move and fire"),
        (["--goal=beauty", "--variant=iago"], "'beauty' is none of balance, depth, decided, or length=FROM-TO"),
        (["--learn=3", "--variant=iago"], "0, or a number of games from 40 to 1000000 is expected"),
        (["--changes=9", "--variant=iago"], "9 is not in 1..=3"),
    ] {
        let (_, errors, code) = command(&[&["design"], &options[..], &["--out", &folder.path("never.json")]].concat());
        assert!(code > 0 && errors.contains(says), "{errors}");
    }
    fs::create_dir(folder.0.join("mine")).unwrap();
    for (out, says) in [("mine.json", "mine exists already"), ("mine", "a name with an ending is expected")] {
        let (_, errors, code) = command(&["design", "--variant=iago", "--out", &folder.path(out)]);
        assert!(code == 1 && errors.contains(says), "{errors}");
    }
}
