//! `hippolyta serve` among clients that mean it harm, while somebody plays there.

use crate::serve::{Client, Server};
use serde_json::{Value, json};
use std::io::Write;
use std::time::{Duration, Instant};
use tungstenite::protocol::Message;

/// Rule sets that are each like the next one.
fn chain(length: usize) -> String {
    let links = (0..length).map(|number| format!("a{number}.like=\"a{}\"\n", number + 1));
    links.collect::<String>() + &format!("a{length}.like=\"amazons6\"\n")
}

/// Messages as text, by name.
fn messages() -> Vec<(&'static str, String)> {
    let query = |mut query: Value| {
        query["id"] = json!("h");
        query.to_string()
    };
    let with_rules = |rules: String| json!({"action": "legal_moves", "rules": rules});
    let long = "x".repeat(1 << 20);
    let games = "1. d1d7,d7g7 *\n".repeat(1 << 17);
    let many: String = (0..8_000).map(|number| format!("[b{number}]\n")).collect();
    let fan: String = (0..2_000).map(|number| format!("[c{number}]\nlike=\"c\"\n")).collect();
    let winrates = vec![json!({"winrate": 0.5, "line": vec!["d1d7,d7g7"; 200]}); 2];
    vec![
        ("chain", query(with_rules(chain(3_000)))),
        ("variants of a chain", query(json!({"action": "variants", "rules": chain(3_000)}))),
        ("games by a chain", query(json!({"action": "read_games", "text": games, "rules": chain(3_000)}))),
        (
            "record with a chain",
            query(json!({"action": "write_game", "format": "pgn", "record": {"moves": [], "rules": chain(3_000)}})),
        ),
        ("count by a chain", query(json!({"action": "perft", "depth": 9, "rules": chain(3_000)}))),
        ("circle", query(with_rules("[a]\nlike=\"b\"\n[b]\nlike=\"a\"\n".to_owned()))),
        ("10,000 rule sets", query(json!({"action": "variants", "rules": many}))),
        ("fan", query(json!({"action": "variants", "rules": format!("[c]\n{fan}")}))),
        ("long title", query(with_rules(format!("[a]\ntitle=\"{}\"\n", "x".repeat(60_000))))),
        ("count without end", query(json!({"action": "perft", "depth": 9}))),
        ("search without end", query(json!({"nodes": 1_000_000_000_000_u64}))),
        ("games without end", query(json!({"action": "read_games", "text": games, "count": 1000}))),
        ("long review", query(json!({"action": "review", "moves": ["d1d7,d7g7"], "positions": winrates}))),
        ("10,000 words for one move", query(json!({"searchmoves": vec!["d1d7,d7g7"; 10_000]}))),
        ("long variant", query(json!({"variant": long}))),
        ("long FEN", query(json!({"fen": long}))),
        ("long action", query(json!({"action": long}))),
        ("long field", query(json!({long.as_str(): 1, "nodes": 5}))),
        ("long id", json!({"id": long}).to_string()),
        ("deep", format!("{{\"id\":\"h\",\"x\":{}", "[".repeat(100_000))),
        ("control characters", query(json!({"variant": "\u{1b}[2J\u{7}\u{202e}\n"}))),
        ("byte order mark", format!("\u{feff}{}", query(json!({"action": "version"})))),
        ("unknown action", query(json!({"action": "sing"}))),
        ("no JSON", "\u{0}\u{1}\u{2}".to_owned()),
        ("terminates all", query(json!({"action": "terminate_all"}))),
    ]
}

/// Whoever sends a message and goes on to the next.
fn attack(server: &Server) {
    for (name, message) in messages() {
        let began = Instant::now();
        let mut client = server.connect();
        client.say(&message);
        let answer = client.hear();
        let length = answer.to_string().len();
        assert!(answer.get("id").is_some() || answer.get("error").is_some(), "{name}: {answer}");
        assert!(
            length < 6 << 20 && (name == "long id" || answer["error"].to_string().len() < 2_000),
            "{name}: {length}"
        );
        assert!(began.elapsed() < Duration::from_secs(30), "{name}: {:?}", began.elapsed());
        // Half a message, and away.
        let half = [&[0x81, 0x80 | 126, 0x10, 0, 0, 0, 0, 0], message.as_bytes()].concat();
        let _ = client.0.get_mut().write_all(&half[..half.len().min(50)]);
    }
    for frame in [&[0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28][..], &[0x82, 0x80, 0, 0, 0, 0], &[0xff; 40]] {
        let mut client = server.connect();
        client.0.get_mut().write_all(frame).unwrap();
        while client.0.read().is_ok_and(|message| !matches!(message, Message::Close(_))) {}
    }
    // Much that is never read.
    let mut client = server.connect();
    client.0.get_ref().set_write_timeout(Some(Duration::from_millis(100))).unwrap();
    for number in 0..2_000 {
        let query = json!({"id": number.to_string(), "action": "perft", "depth": 9});
        if client.0.send(Message::text(query.to_string())).is_err() {
            break;
        }
    }
}

/// Plays a game to its end, and is answered each time.
fn play(mut client: Client) -> usize {
    let mut moves: Vec<Value> = Vec::new();
    let rules = "[small]\nlike=\"amazons6\"\nstart=\"q3q/5/5/5/Q3Q w - - 0 1\"\nmoves=\"K\"\n";
    loop {
        let began = Instant::now();
        let id = moves.len().to_string();
        let legal = client.ask(&json!({"id": id, "action": "legal_moves", "rules": rules, "moves": moves}));
        assert_eq!(legal["id"], id, "{legal}");
        if !legal["outcome"].is_null() {
            return moves.len();
        }
        let found = client.ask(&json!({"id": id, "nodes": 20, "rules": rules, "moves": moves}));
        moves.push(found["moveInfos"][0]["move"].clone());
        assert!(moves.last().is_some_and(Value::is_string), "{found}");
        assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
    }
}

#[test]
fn a_game_goes_on_among_hostile_messages_and_memory_stays_bounded() {
    let server = Server::start(&["--longest", "2"]);
    let games = std::thread::scope(|scope| {
        let attacked = scope.spawn(|| attack(&server));
        let mut games = 0;
        while games == 0 || !attacked.is_finished() {
            assert!(play(server.connect()) > 4);
            games += 1;
        }
        attacked.join().unwrap();
        games
    });
    assert!(games > 0);
    #[cfg(target_os = "linux")]
    assert!(crate::serve::peak(&server.process) < 600, "{} MiB", crate::serve::peak(&server.process));
    assert_eq!(server.connect().ask(&json!({"id": "v", "action": "version"}))["id"], "v");
}

#[test]
fn all_work_is_ended_by_terminate_by_its_time_and_by_leaving() {
    let server = Server::start(&["--longest", "2", "--sessions", "1"]);
    let mut client = server.connect();
    let count = json!({"id": "p", "action": "perft", "depth": 9});
    let late = client.ask(&count);
    let said = late["error"].as_str().unwrap();
    assert!(late["id"] == "p" && said.starts_with("given up: it takes more than 2 s"), "{late}");
    client.say(&count.to_string());
    client.say(&json!({"id": "t", "action": "terminate_all"}).to_string());
    assert_eq!(client.hear()["id"], "t");
    assert_eq!(client.hear(), json!({"id": "p", "action": "perft", "isDuringSearch": false, "noResults": true}));
    // A thousand counts wait, so that nothing more is read; whoever leaves takes them along.
    for _ in 0..1_500 {
        client.0.get_ref().set_write_timeout(Some(Duration::from_millis(200))).unwrap();
        if client.0.send(Message::text(count.to_string())).is_err() {
            break;
        }
    }
    drop(client);
    let began = Instant::now();
    loop {
        let mut client = server.connect();
        let _ = client.0.send(Message::text(json!({"id": "v", "action": "version"}).to_string()));
        match client.0.read().unwrap() {
            Message::Text(_) => break,
            _ => std::thread::sleep(Duration::from_millis(20)),
        }
        assert!(began.elapsed() < Duration::from_secs(30), "the place is still taken");
    }
}
