//! `hippolyta tables`.

use crate::child::{Engine, command};
use crate::common::folder::Folder;

#[test]
fn the_command_writes_files_that_the_engine_plays_with() {
    let folder = Folder::new("tables-command");
    let path = folder.path("two.tables");
    let (output, errors, code) = command(&["tables", "--pieces", "2", "--threads", "2", "--out", &path]);
    assert_eq!((errors.as_str(), code), ("", 0));
    assert!(output.starts_with("material  positions") && output.contains("\n4824 values in "), "{output}");
    let (output, _, code) = command(&["tables", "--verify", &path]);
    assert!(code == 0 && output.starts_with("4824 values up to 2 pieces are right"), "{output}");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[1_000] ^= 1;
    let damaged = folder.path("damaged.tables");
    std::fs::write(&damaged, &bytes).unwrap();
    let (_, errors, code) = command(&["tables", "--verify", &damaged]);
    assert_eq!(code, 1);
    assert!(errors.starts_with(&format!("hippolyta: --verify: {damaged}: damaged at byte ")), "{errors}");
    assert!(errors.ends_with(": wrong checksum\n"), "{errors}");
    let (_, errors, code) = command(&["tables", "--out", &folder.path("missing/x")]);
    assert!(code == 1 && errors.contains("--out: there is no folder "), "{errors}");
    let (_, errors, code) = command(&["tables", "--variant", "iago", "--out", &folder.path("x")]);
    assert_eq!((errors.as_str(), code), ("hippolyta: --variant: iago is not of the Damone family\n", 1));
    // What asks for tables says where they go.
    for words in [["--pieces", "2"], ["--variant", "damone"]] {
        let (output, errors, code) = command(&[&["tables"], &words[..]].concat());
        assert!(code == 2 && output.is_empty() && errors.contains("--out <FILE>"), "{output} {errors}");
    }

    let mut engine = Engine::uci();
    engine.send("setoption name UCI_Variant value damone");
    engine.send("position fen i7/8/8/8/8/8/8/7I w - - 0 1");
    let verdict = |engine: &mut Engine| {
        let answer = engine.ask("eval", "Final evaluation");
        answer.iter().filter(|line| line.starts_with("tables: ")).cloned().collect::<Vec<_>>()
    };
    let known = verdict(&mut engine);
    assert_eq!(known.len(), 1, "{known:?}");
    assert!(known[0].starts_with("tables: white wins in "), "{known:?}");
    engine.send(&format!("setoption name DamoneTables value {path}"));
    assert_eq!(verdict(&mut engine), known);
    engine.send("position fen i1i5/8/8/8/8/8/8/7I w - - 0 1");
    assert!(verdict(&mut engine).is_empty(), "the file knows two pieces only");
    for (file, message) in [(&damaged, "damaged at byte "), (&folder.path("missing"), "")] {
        let answer = engine.ask(&format!("setoption name DamoneTables value {file}"), "info string ERROR");
        assert!(answer.last().unwrap().contains(&format!("option DamoneTables: {file}: {message}")), "{answer:?}");
    }
    engine.send("setoption name DamoneTables value <built-in>");
    assert_eq!(verdict(&mut engine).len(), 1);
    engine.quit();
}

#[test]
fn tables_for_playing_are_kept_where_the_command_says_and_removed_by_it() {
    let folder = Folder::new("tables-cache");
    let (cache, home) = (folder.path("cache"), folder.path("home"));
    // macOS knows no XDG_CACHE_HOME, Windows neither of them.
    if !cfg!(target_os = "linux") {
        return;
    }
    let surroundings = [("XDG_CACHE_HOME", cache.as_str()), ("HOME", home.as_str())];
    let tables = |words: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_hippolyta"));
        let output = command.arg("tables").args(words).envs(surroundings).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let paths = ["damone", "damone-imperatore"].map(|name| format!("{cache}/hippolyta/{name}.tables"));
    assert_eq!(tables(&[]), format!("{}: none\n{}: none\n", paths[0], paths[1]));
    let made = tables(&["--cache", "--pieces", "2"]);
    assert!(made.ends_with(&format!("\nkept in {}\n", paths[0])), "{made}");
    assert_eq!(tables(&[]), format!("{}: 0.0 MB\n{}: none\n", paths[0], paths[1]));
    let begun = || {
        let mut engine = Engine::of(std::process::Command::new(env!("CARGO_BIN_EXE_hippolyta")).envs(surroundings));
        engine.ask("uci", "uciok");
        engine.send("setoption name DamoneTables value <cache>");
        engine.send("setoption name UCI_Variant value damone");
        engine.send("position fen i1i5/8/8/8/8/8/8/7I w - - 0 1");
        engine
    };
    let knows = |engine: &mut Engine| engine.ask("eval", "Final").iter().any(|line| line.starts_with("tables: "));
    let mut engine = begun();
    assert!(knows(&mut engine));
    engine.ask("go nodes 1", "bestmove");
    assert!(!knows(&mut engine), "the tables in the folder know two pieces only");
    engine.quit();
    assert_eq!(tables(&["--remove"]), format!("{}: removed\n{}: none\n", paths[0], paths[1]));
    assert_eq!(std::fs::read_dir(format!("{cache}/hippolyta")).unwrap().count(), 0);
    // They are begun in the background, and nobody waits for them.
    let mut engine = begun();
    engine.ask("go nodes 1", "bestmove");
    engine.quit();
    assert!(!std::path::Path::new(&home).exists());
    assert_eq!(std::fs::read_dir(format!("{cache}/hippolyta")).unwrap().count(), 0);
}
