//! Whatever is asked and told in any order, at any pace, each question gets its answer, and one only.

use crate::child::Engine;
use crate::dialogue::{scripts, send_at_any_pace};
use serde_json::{Value, json};

#[test]
fn every_go_has_one_bestmove_by_uci_and_ugi() {
    const LINES: &[&str] = &[
        "go nodes 20",
        "go nodes 3000",
        "go infinite",
        "go ponder",
        "go ponder nodes 20",
        "go ponder movetime 1",
        "go ponder wtime 50 btime 50",
        "go movetime 1",
        "go wtime 9 btime 9",
        "go mate 2 nodes 500",
        "go infinite searchmoves a1a2,a2a3",
        "ponderhit",
        "ponderhit",
        "ponderhit",
        "stop",
        "stop",
        "isready",
        "isready",
    ];
    for (dialect, name) in [("uci", "UCI_Variant"), ("ugi", "uci_variant")] {
        for (seed, script) in (1..).zip(scripts(31, 12, 60, LINES)) {
            let mut engine = Engine::start();
            engine.ask(dialect, &format!("{dialect}ok"));
            engine.send("setoption name Hash value 1");
            engine.send(&format!("setoption name {name} value {}", ["amazons6", "iago", "damone"][seed as usize % 3]));
            send_at_any_pace(&mut engine, seed, script.iter().chain(&["stop", "isready", "quit"]));
            let (said, status) = engine.end();
            assert!(status.success(), "{status}");
            let of = |word: &str| said.iter().filter(|line| line.starts_with(word)).count();
            let asked = |word: &str| script.iter().filter(|line| line.starts_with(word)).count();
            let found = [of("bestmove "), of("readyok")];
            assert_eq!(found, [asked("go "), asked("isready") + 1], "{dialect}: {script:#?}\n{said:#?}");
        }
    }
}

#[test]
fn every_line_has_one_answer_by_gtp() {
    const LINES: &[&str] = &[
        "genmove w",
        "genmove b",
        "reg_genmove w",
        "hippolyta-best_turn",
        "hippolyta-lines",
        "hippolyta-ownership",
        "hippolyta-analyze w 1",
        "kata-analyze w 1",
        "undo",
        "clear_board",
        "name",
        "time_left w 1 0",
        "# interrupt",
        "# interrupt",
    ];
    for (seed, script) in (1..).zip(scripts(33, 5, 50, LINES)) {
        let mut engine = Engine::start_with(&["gtp", "--variant", "amazons6", "--time", "0.01"]);
        let lines: Vec<_> = script
            .iter()
            .enumerate()
            .map(|(id, line)| if line.starts_with('#') { (*line).to_owned() } else { format!("{id} {line}") })
            .collect();
        send_at_any_pace(&mut engine, seed, lines.iter().map(String::as_str).chain(["quit"]));
        let (said, status) = engine.end();
        assert!(status.success(), "{status}");
        let number = |line: &String| line.strip_prefix(['=', '?'])?.split(' ').next()?.parse::<usize>().ok();
        let asked = script.iter().enumerate().filter(|(_, line)| !line.starts_with('#')).map(|(id, _)| id);
        assert!(said.iter().filter_map(number).eq(asked), "{script:#?}\n{said:#?}");
    }
}

#[test]
fn every_query_has_one_answer_in_json() {
    const LINES: &[&str] =
        &["nodes 20", "nodes 20", "endless", "time", "perft", "legal", "stop last", "stop", "stop none"];
    for (seed, script) in (1..).zip(scripts(35, 8, 60, LINES)) {
        let mut engine = Engine::start_with(&["analyse", "--jobs", ["1", "2"][seed as usize % 2], "--hash", "4"]);
        let query = |(id, line): (usize, &&str)| {
            let variant = ["amazons6", "iago", "damone"][id % 3];
            let (field, value) = match *line {
                "nodes 20" => ("nodes", json!(20)),
                "endless" => ("nodes", json!(1_000_000_000_000_u64)),
                "time" => ("movetime", json!(1)),
                "perft" => return json!({"id": id.to_string(), "action": "perft", "depth": 9}).to_string(),
                "legal" => return json!({"id": id.to_string(), "action": "legal_moves"}).to_string(),
                "stop" => return json!({"id": id.to_string(), "action": "terminate_all"}).to_string(),
                other => {
                    let whom = if other == "stop last" { id.saturating_sub(1).to_string() } else { "x".to_owned() };
                    return json!({"id": id.to_string(), "action": "terminate", "terminateId": whom}).to_string();
                }
            };
            let mut query = json!({"id": id.to_string(), "variant": variant});
            query[field] = value;
            query.to_string()
        };
        let lines: Vec<_> = script.iter().enumerate().map(query).collect();
        let end = json!({"id": "end", "action": "terminate_all"}).to_string();
        send_at_any_pace(&mut engine, seed, lines.iter().chain([&end]));
        engine.close_input();
        let (said, status) = engine.end();
        assert!(status.success(), "{status}");
        let id = |line: &String| serde_json::from_str::<Value>(line).unwrap()["id"].as_str().unwrap().to_owned();
        let mut answered: Vec<_> = said.iter().map(id).collect();
        answered.sort();
        let mut asked: Vec<_> = (0..script.len()).map(|id| id.to_string()).chain(["end".to_owned()]).collect();
        asked.sort();
        assert_eq!(answered, asked, "{script:#?}\n{said:#?}");
    }
}
