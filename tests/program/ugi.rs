//! UGI: dialogues, and a referee that knows no rules.

use crate::child::Engine;
use hippolyta::games::variant::VARIANTS;

fn ugi() -> Engine {
    let mut engine = Engine::start();
    engine.ask("ugi", "ugiok");
    engine
}

/// A strict `query`: exactly two words.
fn query(engine: &mut Engine, what: &str) -> String {
    let answer = engine.one_answer(&format!("query {what}"));
    let words: Vec<_> = answer.split(' ').collect();
    assert_eq!((words.len(), words[0]), (2, "response"), "{answer}");
    words[1].to_owned()
}

#[test]
fn the_greeting_has_lower_case_options_and_ugiok() {
    let mut engine = Engine::start();
    let lines = engine.ask("ugi", "ugiok");
    assert!(lines[0].starts_with("id name ") && lines[1].starts_with("id author "));
    assert!(lines.contains(&"option name threads type spin default 1 min 1 max 1024".to_owned()));
    let names: String = VARIANTS.iter().map(|variant| format!(" var {}", variant.name())).collect();
    assert!(lines.contains(&format!("option name uci_variant type combo default amazons{names}")));
    engine.quietly("setoption name threads value 2");
    engine.quit();
}

#[test]
fn questions_have_answers_of_two_words() {
    let mut engine = ugi();
    engine.quietly("uginewgame");
    engine.quietly("position startpos");
    assert_eq!(["p1turn", "gameover", "result"].map(|what| query(&mut engine, what)), ["true", "false", "none"]);
    engine.quietly("position startpos moves d1d7,d7g7");
    assert_eq!(query(&mut engine, "p1turn"), "false");
    engine.quietly("position fen 9q/10/10/10/10/10/10/10/**8/Q*8 w - - 0 2");
    assert_eq!(["p1turn", "gameover", "result"].map(|what| query(&mut engine, what)), ["true", "true", "p2win"]);
    assert_eq!(engine.ask("go movetime 50", "bestmove").last().unwrap(), "bestmove (none)");
    engine.quit();
}

#[test]
fn bestmove_is_two_words_and_mates_are_in_plies() {
    let mut engine = ugi();
    engine.quietly("position startpos");
    for go in ["go nodes 3000", "go p1time 500 p2time 500 p1inc 10 p2inc 10", "go movetime 50", "go depth 2"] {
        let lines = engine.ask(go, "bestmove");
        assert_eq!(lines.last().unwrap().split(' ').count(), 2, "{lines:#?}");
    }
    engine.quietly("position fen 9q/10/10/10/10/10/10/10/***7/Q1*7 w - - 0 2");
    let lines = engine.ask("go movetime 50", "bestmove");
    assert!(lines[lines.len() - 2].contains(" score mate -2 "), "{lines:#?}");
    engine.quit();
}

#[test]
fn an_illegal_move_loses_the_game_for_its_player() {
    let mut engine = ugi();
    for (moves, result, white_to_move) in [
        ("d1d7,d7g7 a1a2,a2a3", "p1win", "false"),
        ("nonsense", "p2win", "true"),
        ("d1d7,d7g7 0000 a7a8,a8a9", "p1win", "false"),
    ] {
        engine.send(&format!("position startpos moves {moves}"));
        engine.ask("isready", "readyok");
        assert_eq!(
            ["p1turn", "gameover", "result"].map(|what| query(&mut engine, what)),
            [white_to_move, "true", result],
            "{moves}"
        );
        assert_eq!(engine.one_answer("go movetime 10"), "bestmove (none)");
    }
    engine.quietly("position startpos");
    assert_eq!(query(&mut engine, "gameover"), "false");
    engine.send("moves d1d7,d7g7 d1d2,d2d3");
    engine.ask("isready", "readyok");
    assert_eq!(query(&mut engine, "result"), "p1win");
    // A lost game stays lost.
    assert!(engine.one_answer("moves a7a8,a8a9").starts_with("info string ERROR: moves: the game is over"));
    assert_eq!(query(&mut engine, "result"), "p1win");
    assert_eq!(engine.ask("go perft 1", "Nodes searched").last().unwrap(), "Nodes searched: 1214");
    engine.ask("uci", "uciok");
    engine.ask("go movetime 10", "bestmove ");
    engine.ask("ugi", "ugiok");
    assert_eq!(query(&mut engine, "result"), "none");
    engine.quietly("uginewgame");
    assert_eq!(query(&mut engine, "result"), "none");
    engine.quit();
}

/// Knows nothing of the game: asks both players everything and wants them to agree.
struct Referee {
    players: [Engine; 2],
    position: String,
}

impl Referee {
    fn ask_both(&mut self, what: &str) -> String {
        let [first, second] = self.players.each_mut().map(|player| query(player, what));
        assert_eq!(first, second, "{what}");
        first
    }

    /// Plays a game to its end; returns the result and the number of turns.
    fn play(&mut self, go: &str, incremental: bool) -> (String, usize) {
        let (mut moves, mut decided) = (Vec::new(), "none".to_owned());
        for player in &mut self.players {
            player.quietly("uginewgame");
            player.quietly(&self.position);
        }
        while self.ask_both("gameover") == "false" {
            let certain = self.ask_both("result");
            // Milliseconds may be over before a busy machine has found a turn that keeps a result.
            assert!(go.contains("time") || decided == "none" || decided == certain);
            decided = certain;
            let to_move = usize::from(self.ask_both("p1turn") == "false");
            let lines = self.players[to_move].ask(go, "bestmove");
            let words: Vec<_> = lines.last().unwrap().split(' ').collect();
            assert_eq!(words.len(), 2);
            moves.push(words[1].to_owned());
            assert!(moves.len() < 1_000, "this game does not end");
            for player in &mut self.players {
                if incremental {
                    player.quietly(&format!("moves {}", words[1]));
                } else {
                    player.quietly(&format!("{} moves {}", self.position, moves.join(" ")));
                }
            }
        }
        (self.ask_both("result"), moves.len())
    }
}

#[test]
fn a_referee_without_rules_plays_games_to_their_end() {
    for (position, go, incremental) in [
        ("position startpos", "go nodes 200", false),
        ("position fen 1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1", "go nodes 100", true),
        ("position fen 2q2q2/8/q6q/8/8/Q6Q/8/2Q2Q2 w - - 0 1", "go movetime 5", false),
        (
            "position fen 5q5/11/11/11/11/11/11/11/11/11/5Q5 b - - 0 1",
            "go p1time 2000 p2time 2000 p1inc 5 p2inc 5",
            true,
        ),
        ("position fen q2/3/3/3/3/2Q w - - 0 1", "go depth 3", false),
    ] {
        let mut referee = Referee { players: [ugi(), ugi()], position: position.to_owned() };
        let (result, turns) = referee.play(go, incremental);
        assert!(["p1win", "p2win"].contains(&result.as_str()), "{result}");
        assert!(turns >= 4, "{turns}");
        referee.players.into_iter().for_each(Engine::quit);
    }
}

#[test]
fn every_rule_set_is_played_to_its_end() {
    let mut results = Vec::new();
    for variant in VARIANTS {
        for incremental in [false, true] {
            let mut referee = Referee { players: [ugi(), ugi()], position: "position startpos".to_owned() };
            for (seed, player) in referee.players.iter_mut().enumerate() {
                let seed = 2 * seed + usize::from(incremental);
                player.quietly(&format!("setoption name seed value {seed}"));
                player.one_answer(&format!("setoption name uci_variant value {}", variant.name()));
            }
            let (result, turns) = referee.play("go nodes 25", incremental);
            // Players that look no farther than this may agree on a repetition soon.
            assert!(turns >= 8, "{}: {turns}", variant.name());
            results.push(result);
            referee.players.into_iter().for_each(Engine::quit);
        }
    }
    assert!(["p1win", "p2win", "draw"].iter().all(|result| results.iter().any(|other| other == result)), "{results:?}");
}
