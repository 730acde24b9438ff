//! UCI dialogues with a real child process.

use crate::child::Engine;
use crate::common;
use crate::common::folder::Folder;
use crate::dialogue::scripts;
use hippolyta::games::variant::{VARIANTS, Variant};
use std::collections::HashSet;
use std::time::{Duration, Instant};

const LATE: &str = "position fen 9q/10/10/10/10/10/10/10/***7/Q1*7 w - - 0 2";

fn best_move(lines: &[String]) -> &str {
    let words: Vec<_> = lines.last().unwrap().split(' ').collect();
    assert_eq!(words[0], "bestmove");
    words[1]
}

#[test]
fn nothing_is_said_before_the_first_command() {
    let mut engine = Engine::start();
    engine.silent_for(Duration::from_millis(200));
    engine.quit();
}

#[test]
fn the_greeting_names_the_engine_and_its_options() {
    let mut engine = Engine::start();
    let began = Instant::now();
    let lines = engine.ask("uci", "uciok");
    assert!(began.elapsed() < Duration::from_secs(5));
    assert!(lines[0].starts_with("id name Hippolyta ") && lines[1].starts_with("id author "));
    let names: String = VARIANTS.iter().map(|variant| format!(" var {}", variant.name())).collect();
    assert!(lines.contains(&format!("option name UCI_Variant type combo default amazons{names}")));
    assert!(lines.contains(&"option name Hash type spin default 256 min 1 max 32768".to_owned()));
    assert_eq!(lines.iter().filter(|line| line.starts_with("option name ")).count(), lines.len() - 3);
    engine.quit();
}

#[test]
fn a_variant_is_announced_and_sets_its_start() {
    let mut engine = Engine::uci();
    assert_eq!(
        engine.one_answer("setoption name uci_variant value AMAZONS8"),
        "info string variant amazons8 files 8 ranks 8 pocket 0 template fairy startpos 2q2q2/8/q6q/8/8/Q6Q/8/2Q2Q2 w - - 0 1"
    );
    assert!(engine.ask("d", "State").contains(&"Fen: 2q2q2/8/q6q/8/8/Q6Q/8/2Q2Q2 w - - 0 1".to_owned()));
    engine.quit();
}

#[test]
fn every_rule_set_is_announced_counted_shown_explained_and_searched() {
    let mut engine = Engine::uci();
    for variant in VARIANTS {
        let announced = engine.one_answer(&format!("setoption name UCI_Variant value {}", variant.name()));
        assert!(announced.starts_with(&format!("info string variant {} files ", variant.name())), "{announced}");
        assert!(announced.ends_with(&format!(" template fairy startpos {}", variant.start())), "{announced}");
        assert!(engine.ask("d", "State").contains(&format!("Fen: {}", variant.start())));
        let count = engine.ask("go perft 1", "Nodes searched").len() - 2;
        assert_eq!(count, hippolyta_legal(variant).len());
        assert!(engine.ask("eval", "Final evaluation").len() > 3);
        let lines = engine.ask("go nodes 500", "bestmove");
        assert!(lines[lines.len() - 2].contains(" score cp "), "{lines:#?}");
        assert!(hippolyta_legal(variant).contains(&best_move(&lines).to_owned()));
    }
    assert!(engine.one_answer("setoption name UCI_Variant value Lago").starts_with("info string variant iago "));
    engine.quit();
}

/// The legal turns by the subcommand.
fn hippolyta_legal(variant: &Variant) -> Vec<String> {
    let (text, _, code) = crate::child::command(&["legal", "--variant", variant.name()]);
    assert_eq!(code, 0);
    text.lines().map(str::to_owned).collect()
}

#[test]
fn finished_games_are_won_lost_or_drawn_for_the_side_to_move() {
    let mut engine = Engine::uci();
    engine.quietly("setoption name UCI_ShowWDL value true");
    for (variant, fen, score) in [
        (
            "desdemona",
            "4Q5/1********Q/1*1****1*1/1***1**1*1/q**1sS2*1/Q***SS2*Q/1**1S****1/1*****1**q/1*1***1**1/3q3q2 w - - 0 25",
            "mate 1 wdl 1000 0 0",
        ),
        (
            "desdemona",
            "7Q2/1********1/Q*1****q*1/1********1/1**1sSS**1/1***SSq**1/1**1Q****1/q********1/1********1/5Q2q1 b - - 0 28",
            "mate 0 wdl 0 0 1000",
        ),
        (
            "desdemona",
            "1qq1QQ4/1********1/q*****1**1/1**3***1/1*1*sS***1/1*2Ss2*1/1*1***1**1/Q***1*1**q/1*1******1/4Q5 b - - 0 24",
            "cp 0 wdl 0 1000 0",
        ),
        ("damone", "8/8/8/8/8/8/8/7I b - - 0 9", "mate 0 wdl 0 0 1000"),
        ("damone", "i7/8/8/8/8/8/8/7I w - - 80 90", "cp 0 wdl 0 1000 0"),
        ("damone-imperatore", "i7/8/8/8/8/8/6P1/8 b - - 0 9", "mate 1 wdl 1000 0 0"),
    ] {
        engine.one_answer(&format!("setoption name UCI_Variant value {variant}"));
        engine.quietly(&format!("position fen {fen}"));
        let expected = [format!("info depth 0 score {score}"), "bestmove (none)".to_owned()];
        assert_eq!(engine.ask("go movetime 100", "bestmove"), expected, "{variant} {fen}");
    }
    engine.quit();
}

#[test]
fn draws_by_repetition_depend_on_the_moves_given() {
    let mut engine = Engine::uci();
    engine.one_answer("setoption name UCI_Variant value damone");
    let walk = "h1g2 a8b7 g2h1 b7a8";
    engine.quietly(&format!("position fen i7/8/8/8/8/8/8/7I w - - 0 1 moves {walk} {walk}"));
    assert_eq!(engine.ask("go movetime 100", "bestmove"), ["info depth 0 score cp 0", "bestmove (none)"]);
    engine.quietly(&format!("position fen i7/8/8/8/8/8/8/7I w - - 0 1 moves {walk} h1g2 a8b7"));
    engine.quietly("moves g2h1");
    assert_ne!(best_move(&engine.ask("go nodes 1000", "bestmove")), "(none)");
    engine.quit();
}

#[test]
fn a_search_ends_with_a_score_and_one_legal_bestmove() {
    let mut engine = Engine::uci();
    // As a web front end sends it: a list without moves, and line ends of another system.
    engine.send_bytes(b"position fen 3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1 moves \r\ngo movetime 100\r\n");
    let lines = engine.until("bestmove");
    let info = &lines[lines.len() - 2];
    let order = [
        "info depth ",
        " seldepth ",
        " multipv 1 score cp ",
        " nodes ",
        " nps ",
        " hashfull ",
        " tbhits ",
        " time ",
        " pv ",
    ];
    let places: Vec<_> =
        order.iter().map(|word| info.find(word).unwrap_or_else(|| panic!("{word} in {info}"))).collect();
    assert!(places.is_sorted(), "{info}");
    let best = best_move(&lines).to_owned();
    assert!(info.contains(&format!(" pv {best}")));
    assert!(lines.last().unwrap().contains(" ponder "));
    engine.quietly(&format!("position startpos moves {best}"));
    engine.silent_for(Duration::from_millis(50));
    engine.quit();
}

#[test]
fn a_game_can_be_played_to_its_end() {
    let mut engine = Engine::uci();
    engine.send("setoption name UCI_Variant value amazons6");
    let mut moves = String::new();
    for turn in 0.. {
        engine.send(&format!("position startpos moves{moves}"));
        let lines = engine.ask("go wtime 1000 btime 1000 winc 10 binc 10", "bestmove");
        let best = best_move(&lines);
        if best == "(none)" {
            assert!(turn >= 8);
            assert_eq!(lines[lines.len() - 2], "info depth 0 score mate 0");
            break;
        }
        moves = format!("{moves} {best}");
    }
    engine.quit();
}

#[test]
fn all_spellings_of_a_move_are_understood_and_incremental_moves_too() {
    let mut engine = Engine::uci();
    let mut boards = Vec::new();
    for text in ["d1d7,d7g7", "d1-d7/g7", "d1-d7(g7)", "d1d7g7", "d1–d7/g7", "D1—D7,G7", "d1−d7,d7−g7", "d1‑d7×g7"]
    {
        engine.quietly(&format!("position startpos moves {text}"));
        boards.push(engine.ask("d", "Fen: ").pop());
        engine.until("State");
        engine.quietly("position startpos");
        engine.quietly(&format!("moves {text}"));
        boards.push(engine.ask("d", "Fen: ").pop());
        engine.until("State");
    }
    assert_eq!(boards[0].as_deref(), Some("Fen: 3q2q3/10/10/q2Q2*2q/10/10/Q8Q/10/10/6Q3 b - - 0 1"));
    assert!(boards.iter().all(|board| *board == boards[0]));
    engine.quit();
}

#[test]
fn errors_are_one_line_and_the_last_good_position_stays() {
    let mut engine = Engine::uci();
    engine.quietly("position startpos moves d1d7,d7g7");
    let board = |engine: &mut Engine| engine.ask("d", "State");
    let before = board(&mut engine);
    for (line, error) in [
        ("position", "position: 'startpos' or 'fen' is expected after it"),
        ("position fen", "position fen: a FEN is expected"),
        ("position fen 3q2q2/10/9 w", "FEN: rank 2 '10' has 10 files, but the board's first line has 9"),
        ("position startpos d1d7,d7g7", "position startpos: 'moves' or nothing is expected after it"),
        (
            "position startpos moves d1d7,d7g7 a7a8,a8a9 a1a2,a2a3",
            "move 3 of 3: illegal move 'a1a2,a2a3': white is to move and has no amazon on a1",
        ),
        ("moves x", "move 1 of 1: 'x' is not a move: a square is expected at character 1"),
        ("setoption name Hash value 0", "option Hash: '0' is not a whole number from 1 to 32768"),
        ("setoption name Threads value 1025", "option Threads: '1025' is not a whole number from 1 to 1024"),
        ("setoption name Style value wild", "no such option: 'Style'"),
        ("setoption", "setoption: 'name' is expected after it"),
        ("query weather", "query 'weather': p1turn, gameover, result or margin is expected"),
    ] {
        assert_eq!(engine.one_answer(line), format!("info string ERROR: {error}"), "{line}");
        assert_eq!(board(&mut engine), before, "{line}");
    }
    assert_eq!(engine.one_answer("castle"), "info string Unknown command: 'castle'. Type help for help.");
    assert!(engine.one_answer("setoption name UCI_Variant value chess").contains("ERROR: unknown variant 'chess'"));
    engine.quit();
}

#[test]
fn every_go_has_its_bestmove_whatever_its_numbers_are() {
    let mut engine = Engine::uci();
    engine.quietly("setoption name Hash value 1");
    for (go, said) in [
        ("go wtime 1000 btime 1000 movestogo -3", "movestogo -3, as no time control is so near"),
        ("go wtime 1000 btime 1000 movestogo 0", "movestogo 0, as no time control is so near"),
        ("go wtime 1000.5 btime 1e3 winc 0.5 movestogo 40.0", ""),
        ("go wtime btime 100", "wtime without a number"),
        ("go btime 100 wtime", "wtime without a number"),
        ("go wtime x btime 100", "wtime 'x', not a number"),
        ("go wtime -50 btime -50 winc -5 binc -5", ""),
        ("go depth 0", ""),
        ("go depth -1 nodes 5", ""),
        ("go nodes 0", ""),
        ("go nodes -1", ""),
        ("go nodes 0.3", ""),
        ("go nodes ten", "nodes 'ten', not a number"),
        ("go nodes", "nodes without a number"),
        ("go mate 0", ""),
        ("go mate -2", ""),
        ("go movetime 0", ""),
        ("go movetime 5 movetime", "movetime without a number"),
        ("go perft x", "perft 'x', not a number"),
        ("go movetime 10 searchmoves e5e6,e6e7", "searchmoves: illegal move 'e5e6,e6e7': "),
        ("go movetime 99999999999999999999 nodes 5", ""),
        ("go wtime 1e300 btime 1e300 winc 1e300 movestogo 1e300 nodes 5", ""),
        ("go depth 99999999999 nodes 5", ""),
        ("go speed 5 nodes 5", "'speed', an unknown word; '5', an unknown word"),
        ("go NODES 5 nodes 5", ""),
    ] {
        for dialect in ["uci", "ugi"] {
            engine.send(dialect);
            engine.until(&format!("{dialect}ok"));
            engine.quietly("position startpos");
            let lines = engine.ask(go, "bestmove");
            assert!(best_move(&lines).contains(','), "{go}: {lines:#?}");
            let errors: Vec<_> = lines.iter().filter(|line| line.contains("ERROR")).collect();
            assert_eq!(errors.len(), usize::from(!said.is_empty()), "{go}: {errors:?}");
            assert!(errors.iter().all(|line| line.contains("go: ") && line.contains(said)), "{go}: {errors:?}");
        }
    }
    // Of the moves to search those are left out that are not legal; if none is left, all are searched.
    let lines = engine.ask("go nodes 50 searchmoves e5e6,e6e7 g1g2,g2g3 x", "bestmove");
    assert_eq!(best_move(&lines), "g1g2,g2g3");
    let lines = engine.ask("go nodes 50 searchmoves x", "bestmove");
    let error = "go: no move of searchmoves is legal, so all are searched; left out searchmoves: 'x' is not a move: ";
    assert!(lines[0].starts_with(&format!("info string ERROR: {error}")), "{lines:#?}");
    // Where the game is over there is none.
    engine.quietly("position fen 9q/10/10/10/10/10/10/10/**8/Q*8 w - - 0 2");
    for go in ["go nodes 0", "go depth x", "go nodes 5 searchmoves a1a2,a2a3"] {
        assert_eq!(best_move(&engine.ask(go, "bestmove")), "(none)", "{go}");
    }
    assert_eq!(engine.ask("go perft -3", "Nodes searched").last().unwrap(), "Nodes searched: 1");
    engine.quit();
}

/// The answers to all these lines, sent at once, and to the end of the input.
fn said(lines: &str) -> Vec<String> {
    let mut engine = Engine::start();
    engine.send(lines);
    engine.close_input();
    let (lines, status) = engine.end();
    assert!(status.success());
    lines
}

#[test]
fn ponderhit_and_stop_reach_the_search_that_they_were_sent_for() {
    let mut engine = Engine::uci();
    // Behind what has to be finished first. Without the hit, nothing would end it.
    for work in ["go perft 1", "go perft 2", "bench\nstop", "eval", "setoption name Hash value 32", "isready"] {
        for go in ["go ponder wtime 300 btime 300", "go ponder nodes 100", "go ponder movetime 20"] {
            engine.send(&format!("position startpos\n{work}\n{go}\nponderhit\nponderhit"));
            assert!(best_move(&engine.until("bestmove")).contains(','), "{work}, {go}");
            engine.quietly("ponderhit");
        }
    }
    // A hit is for the last go before it: this one came before, and the second search is still pondering.
    engine.send("go perft 1\ngo ponder nodes 10\nponderhit\ngo ponder nodes 10");
    engine.until("bestmove");
    let lines = engine.ask("isready", "readyok");
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{lines:#?}");
    engine.ask("ponderhit", "bestmove");
    // A stop ends all that was sent before it, and nothing after it.
    engine.send("go perft 9\ngo ponder\nstop\ngo infinite");
    engine.until("info string perft: stopped");
    engine.until("bestmove");
    engine.until("info depth");
    let lines = engine.ask("isready", "readyok");
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{lines:#?}");
    engine.ask("stop", "bestmove");
    engine.send("stop\ngo nodes 100");
    engine.until("bestmove");
    engine.quit();
}

#[test]
fn a_stop_is_heard_however_many_lines_wait_before_it() {
    let mut engine = Engine::uci();
    engine.send(&format!("go perft 9\n{}stop", "position startpos\n".repeat(3_000)));
    engine.until("info string perft: stopped");
    // A count to a depth that no game has never comes to its last turn, where it once looked for a stop.
    for variant in ["amazons6", "iago", "damone"] {
        engine.one_answer(&format!("setoption name UCI_Variant value {variant}"));
        engine.send("go perft 99999999999");
        std::thread::sleep(Duration::from_millis(200));
        engine.ask("stop", "info string perft: stopped");
    }
    engine.quit();
}

#[test]
fn every_go_of_a_script_has_its_answer_though_the_input_ends() {
    let of = |lines: &[String], word: &str| lines.iter().filter(|line| line.starts_with(word)).count();
    for (script, moves, counts) in [
        ("go perft 1\ngo ponder wtime 300 btime 300", 1, 1),
        ("go ponder\nponderhit\nquit\ngo nodes 5", 1, 0),
        ("go infinite\ngo infinite\ngo perft 1\ngo nodes 20", 3, 1),
        ("go perft 1\nstop\nquit", 0, 1),
        ("go depth x\ngo perft\nponderhit\nstop", 2, 0),
    ] {
        let lines = said(script);
        let counted = of(&lines, "Nodes searched: ") + of(&lines, "info string perft: stopped");
        assert_eq!((of(&lines, "bestmove "), counted), (moves, counts), "{script}: {lines:#?}");
    }
}

#[test]
fn random_dialogues_lose_no_answer() {
    const LINES: &[&str] = &[
        "go nodes 20",
        "go depth 1",
        "go infinite",
        "go ponder nodes 20",
        "go movetime 1",
        "go wtime 20 btime 20 winc x",
        "go mate 0 nodes 30",
        "go searchmoves x nodes 10",
        "go perft 1",
        "go perft",
        "ponderhit",
        "stop",
        "isready",
        "position startpos",
        "position startpos moves b1b4,b4c4",
        "position fen 9",
        "moves b1b2",
        "ucinewgame",
        "setoption name MultiPV value 2",
        "setoption name Hash value 0",
        "d",
        "eval",
        "legal",
        "query result",
        "query",
        "debug on",
        "",
        "castle",
        "\u{feff}isready",
    ];
    for script in scripts(11, 25, 40, LINES) {
        let begin = "setoption name Hash value 1\nsetoption name UCI_Variant value amazons6\n";
        let lines = said(&format!("{begin}{}", script.join("\n")));
        let of = |words: &[&str]| lines.iter().filter(|line| words.iter().any(|word| line.starts_with(word))).count();
        let asked = |is: &dyn Fn(&str) -> bool| script.iter().filter(|line| is(line)).count();
        let wanted = [
            asked(&|line| line.starts_with("go ") && line != "go perft 1"),
            asked(&|line| line == "go perft 1"),
            asked(&|line| line.ends_with("isready")),
            asked(&|line| line == "d"),
            asked(&|line| line == "eval"),
            asked(&|line| line == "legal"),
            asked(&|line| line == "query result"),
            asked(&|line| ["query", "position fen 9", "setoption name Hash value 0"].contains(&line)),
            asked(&|line| line == "castle"),
        ];
        let found = [
            of(&["bestmove "]),
            of(&["Nodes searched: ", "info string perft: stopped"]),
            of(&["readyok"]),
            of(&["State: "]),
            of(&["Final evaluation: "]),
            of(&["Legal moves: "]),
            of(&["response "]),
            of(&["info string ERROR: query ''", "info string ERROR: FEN", "info string ERROR: option Hash"]),
            of(&["info string Unknown command: 'castle'"]),
        ];
        assert_eq!(found, wanted, "{script:#?}\n{lines:#?}");
    }
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_command_and_utf_16_is_refused() {
    for (bytes, answer) in [
        (&b"\xef\xbb\xbfisready\r\n"[..], "readyok"),
        (b"\xef\xbb\xbf\n\xef\xbb\xbfisready", "readyok"),
        (b"\xff\xfeu\0c\0i\0\n", "info string ERROR: this is UTF-16; save it as UTF-8"),
    ] {
        let mut engine = Engine::start();
        engine.send_bytes(bytes);
        engine.close_input();
        let (lines, status) = engine.end();
        assert!(status.success());
        assert_eq!(lines, [answer]);
    }
}

#[test]
fn legal_moves_are_listed_with_their_number() {
    let mut engine = Engine::uci();
    engine.send("setoption name UCI_Variant value amazons6");
    let lines = engine.ask("legal", "Legal moves: ");
    assert_eq!(lines[lines.len() - 1], "Legal moves: 544");
    assert_eq!(lines[1..lines.len() - 1], hippolyta_legal(&hippolyta::games::variant::find("amazons6").unwrap()));
    engine.quietly("position fen 9q/10/10/10/10/10/10/10/**8/Q*8 w - - 0 2");
    assert_eq!(engine.one_answer("legal"), "Legal moves: 0");
    assert_eq!(engine.one_answer("query result"), "response p2win");
    engine.quit();
}

#[test]
fn hostile_bytes_do_no_harm() {
    let mut engine = Engine::uci();
    engine.send_bytes(b"\0\xff\xfe position \x07\n\n   \n\t\r\n");
    engine.send_bytes(&[vec![b'x'; 1 << 20], b"\n".to_vec()].concat());
    engine.send_bytes(&[b"position startpos moves ".to_vec(), vec![b'a'; 5 << 20], b"\n".to_vec()].concat());
    engine.send_bytes(&[b"position fen ".to_vec(), b"Q/".repeat(100_000), b"\n".to_vec()].concat());
    engine.send("setoption name Hash value \u{1F600}");
    let lines = engine.ask("isready", "readyok");
    assert!(lines.len() > 4 && lines.iter().all(|line| line.len() < 1_000), "{}", lines.len());
    assert!(lines[..lines.len() - 1].iter().all(|line| line.starts_with("info string ")));
    engine.ask("go nodes 10", "bestmove");
    engine.quit();
}

#[test]
fn during_a_search_isready_answers_at_once_and_stop_ends_it() {
    let mut engine = Engine::uci();
    engine.send("go infinite");
    engine.until("info depth");
    for _ in 0..3 {
        engine.ask("isready", "readyok");
    }
    let began = Instant::now();
    engine.ask("stop", "bestmove");
    assert!(began.elapsed() < Duration::from_secs(5));
    engine.quietly("stop");
    engine.quit();
}

#[test]
fn other_commands_during_a_search_let_it_answer_first() {
    let mut engine = Engine::uci();
    for command in [
        "position startpos",
        "ucinewgame",
        "setoption name Hash value 32",
        "setoption name MultiPV value 2",
        "d",
        "go nodes 5",
    ] {
        engine.send("go infinite");
        engine.until("info depth");
        engine.send(command);
        let lines = engine.until("bestmove");
        assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove")).count(), 1);
        if command.starts_with("go") {
            engine.until("bestmove");
        }
        let rest = engine.ask("isready", "readyok");
        assert!(!rest.iter().any(|line| line.starts_with("bestmove")), "{command}");
    }
    engine.quit();
}

#[test]
fn an_infinite_search_of_a_solved_position_holds_its_bestmove() {
    let mut engine = Engine::uci();
    engine.send(LATE);
    engine.send("go infinite");
    engine.until("info depth 2 ");
    std::thread::sleep(Duration::from_millis(100));
    let lines = engine.ask("isready", "readyok");
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")));
    let lines = engine.ask("stop", "bestmove");
    assert_eq!(best_move(&lines), "a1b1,b1a1");
    engine.quit();
}

#[test]
fn pondering_waits_for_the_hit_and_then_keeps_to_the_clock() {
    let mut engine = Engine::uci();
    engine.send("position startpos moves d1d7,d7g7");
    engine.send("go ponder wtime 500 btime 500");
    std::thread::sleep(Duration::from_millis(700));
    let lines = engine.ask("isready", "readyok");
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")));
    engine.ask("ponderhit", "bestmove");
    engine.send("go ponder movetime 10");
    engine.ask("stop", "bestmove");
    engine.quietly("ponderhit");
    engine.quit();
}

#[test]
fn a_finished_position_has_no_bestmove() {
    let mut engine = Engine::uci();
    engine.send("position fen 9q/10/10/10/10/10/10/10/**8/Q*8 w - - 0 2");
    let lines = engine.ask("go movetime 1000", "bestmove");
    assert_eq!(lines, ["info depth 0 score mate 0", "bestmove (none)"]);
    assert!(engine.ask("d", "State").contains(&"State: game over, black has won".to_owned()));
    assert_eq!(engine.one_answer("eval"), "Final evaluation: none (game over)");
    engine.quit();
}

#[test]
fn mates_are_proven_and_counted_in_turns_of_the_winner() {
    let mut engine = Engine::uci();
    engine.send(LATE);
    let lines = engine.ask("go depth 20", "bestmove");
    // One move, fired back into the corner, then Black moves for ever.
    assert!(lines[lines.len() - 2].contains(" score mate -1 "), "{lines:#?}");
    engine.send("position fen 10/10/10/10/10/10/4q5/10/**8/Q9 b - - 0 2");
    let lines = engine.ask("go mate 1", "bestmove");
    assert!(lines[lines.len() - 2].contains(" score mate 1 "), "{lines:#?}");
    engine.quit();
}

#[test]
fn strength_can_be_limited() {
    let mut engine = Engine::uci();
    engine.quietly("setoption name UCI_LimitStrength value true");
    let play = |engine: &mut Engine, elo: u32, seed: u32| {
        engine.quietly(&format!("setoption name UCI_Elo value {elo}"));
        engine.quietly(&format!("setoption name Seed value {seed}"));
        engine.send("position startpos");
        let lines = engine.ask("go movetime 5000", "bestmove");
        let nodes = lines[lines.len() - 2].split_once(" nodes ").unwrap().1.split(' ').next().unwrap();
        (lines.last().unwrap().clone(), nodes.parse::<u64>().unwrap())
    };
    // A beginner moves at once, now so, now so, but the same with the same seed.
    let moves: HashSet<_> = (0..8).map(|seed| play(&mut engine, 0, seed)).collect();
    assert!(moves.len() > 4 && moves.iter().all(|&(_, nodes)| nodes == 1), "{moves:?}");
    assert_eq!(play(&mut engine, 0, 3), play(&mut engine, 0, 3));
    // The better, the more is searched, long before the time is over.
    let nodes: Vec<_> = [1_600, 2_200, 2_800].map(|elo| play(&mut engine, elo, 0).1).into();
    assert!(nodes.is_sorted_by(|a, b| 2 * a < *b) && nodes[2] < 50_000, "{nodes:?}");
    assert_eq!(
        engine.one_answer("setoption name UCI_Elo value 5000"),
        "info string ERROR: option UCI_Elo: '5000' is not a whole number from 0 to 4000"
    );
    engine.quit();
}

#[test]
fn small_boards_are_solved() {
    let mut engine = Engine::uci();
    engine.quietly("setoption name Hash value 64");
    // Five files and four ranks are White's, four files and four ranks Black's.
    for (fen, score) in [("1q1q1/q3q/Q3Q/1Q1Q1", " score mate "), ("1qq1/q2q/Q2Q/1QQ1", " score mate -")] {
        engine.send(&format!("position fen {fen} w - - 0 1"));
        let lines = engine.ask("go mate 99", "bestmove");
        assert!(lines[lines.len() - 2].contains(score), "{lines:#?}");
        assert!(score.ends_with('-') || !lines[lines.len() - 2].contains(" mate -"), "{lines:#?}");
        engine.send("go infinite");
        while !engine.next().unwrap().contains(score) {}
        engine.ask("stop", "bestmove");
    }
    engine.quit();
}

#[test]
fn late_positions_with_stones_are_solved() {
    const WON: &str = "sssssssSSS/s1ssqssS1S/sssssssSSS/ssqs1sSqQS/Ss1sSSSQSS/\
                       SSSSSsSs1S/SSS1QsS1ss/sS2SsQS1s/SSS1S1q1ss/SSSSSsssss w";
    const DRAWN: &str = "2sSSSQ3/1sSsss2S1/qSSssSssS1/1ssSSSsS2/1ssSSssSSq/\
                         QsSSsSsSsQ/SsssSsqsS1/SssSssSSS1/1ssssSS3/q2sS3Q1 b";
    let mut engine = Engine::uci();
    for setting in ["Hash value 16", "UCI_ShowWDL value true"] {
        engine.quietly(&format!("setoption name {setting}"));
    }
    // The tree search needs 956 nodes, and more than 100,000.
    for (variant, fen, nodes, score) in
        [("iago", WON, 600, " mate 7 wdl 1000 0 0 "), ("desdemona-site", DRAWN, 40_000, " cp 0 wdl 0 1000 0 ")]
    {
        engine.one_answer(&format!("setoption name UCI_Variant value {variant}"));
        engine.send(&format!("position fen {fen}"));
        let lines = engine.ask(&format!("go mate 99 nodes {nodes}"), "bestmove");
        assert!(lines[lines.len() - 2].contains(score), "{lines:#?}");
    }
    engine.quit();
}

#[test]
fn how_far_a_proof_has_come_is_told() {
    let fen = "1q2q1/q4q/Q4Q/1Q2Q1 w - - 0 1";
    let mut engine = Engine::uci();
    engine.send(&format!("position fen {fen}"));
    let lines = engine.ask("go mate 99 nodes 300000", "bestmove");
    let told: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("info string proof: ")).collect();
    // How often depends on the time that the search takes.
    assert!(!told.is_empty(), "{lines:#?}");
    let legal = common::sorted_turns(&common::amazons(fen));
    for line in told {
        let words: Vec<&str> = line.split(' ').collect();
        let [refuted, "of", turns, "moves", "refuted;", "of", replies, "replies", "to", best, answered, "answered"] =
            words[..]
        else {
            panic!("{line}")
        };
        let number = |word: &str| word.parse::<usize>().unwrap();
        assert!(number(turns) == legal.len() && number(refuted) < legal.len(), "{line}");
        assert!(legal.contains(&best.to_owned()) && number(answered) <= number(replies), "{line}");
    }
    assert!(!engine.ask("go nodes 3000", "bestmove").iter().any(|line| line.contains("proof")));
    engine.quit();
}

#[test]
fn all_threads_solve_small_boards() {
    let mut engine = Engine::uci();
    engine.quietly("setoption name Hash value 64");
    let boards = [("1q1q1/q3q/Q3Q/1Q1Q1 w - - 0 1", false), ("1qq1/q2q/Q2Q/1QQ1 w - - 0 1", true)];
    for threads in [2, 4, 2, 4, 2, 4] {
        engine.quietly(&format!("setoption name Threads value {threads}"));
        for (fen, lost) in boards {
            let legal = common::sorted_turns(&common::amazons(fen));
            engine.send(&format!("position fen {fen}"));
            let lines = engine.ask("go mate 99", "bestmove");
            let result = &lines[lines.len() - 2];
            assert!(result.contains(" score mate ") && result.contains(" mate -") == lost, "{lines:#?}");
            assert!(legal.contains(&best_move(&lines).to_owned()), "{lines:#?}");
        }
    }
    // All threads heed limits and `stop`: this board takes minutes.
    engine.send("position fen 1q2q1/q4q/Q4Q/1Q2Q1 w - - 0 1");
    for command in ["go mate 99 movetime 100", "go mate 99 nodes 100000"] {
        assert!(best_move(&engine.ask(command, "bestmove")).contains(','));
    }
    engine.send("go mate 99");
    engine.until("info ");
    let stopped = Instant::now();
    engine.ask("stop", "bestmove");
    assert!(stopped.elapsed() < Duration::from_secs(5));
    engine.quit();
}

#[test]
fn many_lines_and_wdl_are_shown_when_asked_for() {
    let mut engine = Engine::uci();
    engine.quietly("setoption name MultiPV value 3");
    engine.quietly("setoption name UCI_ShowWDL value true");
    let lines = engine.ask("go nodes 2000", "bestmove");
    let last: Vec<_> = lines[lines.len() - 4..lines.len() - 1].to_vec();
    for (index, line) in last.iter().enumerate() {
        assert!(line.contains(&format!(" multipv {} score cp ", index + 1)), "{line}");
        let wdl = line.split(" wdl ").nth(1).unwrap();
        let sum: u32 = wdl.split(' ').take(3).map(|number| number.parse::<u32>().unwrap()).sum();
        assert_eq!(sum, 1000);
    }
    let lines = engine.ask("go nodes 300 searchmoves d1d2,d2d3 g1g2,g2g3", "bestmove");
    assert!(["d1d2,d2d3", "g1g2,g2g3"].contains(&best_move(&lines)));
    engine.quit();
}

/// An info line without the words that depend on the machine.
fn steady(line: &str) -> String {
    let mut words: Vec<_> = line.split(' ').collect();
    while let Some(at) = words.iter().position(|word| ["nps", "time"].contains(word)) {
        words.drain(at..at + 2);
    }
    words.join(" ")
}

#[test]
fn the_same_search_says_the_same() {
    let run = || {
        let mut engine = Engine::uci();
        engine.send("setoption name Seed value 7");
        let lines = engine.ask("go nodes 20000", "bestmove");
        engine.quit();
        // On a slow machine there are more lines on the way.
        lines[lines.len() - 2..].iter().map(|line| steady(line)).collect::<Vec<_>>()
    };
    assert_eq!(run(), run());
}

#[test]
fn no_line_is_said_twice_nor_many_times_on_a_tree_that_is_kept() {
    let mut engine = Engine::uci();
    for (position, go) in [
        ("position startpos", "go nodes 16384"),
        ("position startpos", "go nodes 30000"),
        ("position startpos", "go depth 2"),
        ("position startpos", "go movetime 100"),
        (LATE, "go nodes 100"),
        ("position fen 1qq1/q2q/Q2Q/1QQ1 w - - 0 1", "go mate 99"),
    ] {
        for kept in [false, true] {
            engine.quietly(position);
            let began = Instant::now();
            let lines = engine.ask(go, "bestmove");
            let seconds = began.elapsed().as_secs() as usize;
            let infos: Vec<_> = lines.iter().filter(|line| line.contains(" pv ")).map(|line| steady(line)).collect();
            assert!(!infos.is_empty() && infos.windows(2).all(|pair| pair[0] != pair[1]), "{go}: {lines:#?}");
            // The first, those at one or two powers of two, the last, and one a second.
            assert!(!kept || infos.len() <= 4 + seconds, "{go}: {lines:#?}");
        }
    }
    // A certain result is said at once, and not again when the search is stopped.
    engine.send(LATE);
    engine.send("go infinite");
    engine.until("info depth 2 ");
    assert_eq!(engine.ask("stop", "bestmove").len(), 1);
    engine.quit();
}

#[test]
fn an_option_set_to_the_value_it_has_keeps_the_tree() {
    let folder = Folder::new("same-options");
    let mut tables = hippolyta::eval::Weights::embedded().tables();
    tables.notes = "by another name".to_owned();
    std::fs::write(folder.path("weights.bin"), tables.to_bytes()).unwrap();
    let weights = format!("EvalFile value {}", folder.path("weights.bin"));
    let mut engine = Engine::uci();
    for option in ["Hash value 8", "Threads value 2", "Seed value 5", &weights, "UCI_ShowWDL value true"] {
        engine.quietly(&format!("setoption name {option}"));
    }
    let hash_full = |engine: &mut Engine, go: &str| {
        engine.quietly("position startpos moves d1d7,d7g7");
        let lines = engine.ask(go, "bestmove");
        lines[lines.len() - 2].split_once(" hashfull ").unwrap().1.split(' ').next().unwrap().parse::<u32>().unwrap()
    };
    let before = hash_full(&mut engine, "go nodes 20000");
    assert!(before > 20, "{before}");
    let same = [
        "UCI_Variant value amazons",
        "Hash value 8",
        "Threads value 2",
        "Seed value 5",
        "MultiPV value 1",
        &weights,
        "DamoneTables value <built-in>",
        "UCI_LimitStrength value false",
        "UCI_Elo value 1500",
        "Move Overhead value 10",
        "UCI_ShowWDL value true",
        "Ponder value false",
    ];
    for option in same {
        engine.send(&format!("setoption name {option}"));
        engine.ask("isready", "readyok");
        let after = hash_full(&mut engine, "go nodes 1");
        assert!(after >= before, "{option}: {before}, then {after}");
    }
    for option in ["EvalFile value <built-in>", "Seed value 6", "Hash value 16"] {
        assert!(hash_full(&mut engine, "go nodes 20000") >= 20);
        engine.quietly(&format!("setoption name {option}"));
        assert!(hash_full(&mut engine, "go nodes 1") < 20, "{option}");
    }
    // The rule set's start position, as ever.
    engine.one_answer("setoption name UCI_Variant value amazons");
    assert!(engine.ask("d", "State").contains(&"Fen: 3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1".to_owned()));
    engine.quit();
}

#[test]
fn a_search_that_is_stopped_at_once_has_a_bestmove() {
    let mut engine = Engine::uci();
    for go in ["go infinite", "go ponder wtime 1000", "go mate 99", "go nodes 100000000", "go movetime 100000"] {
        engine.send(&format!("position fen 1q2q1/q4q/Q4Q/1Q2Q1 w - - 0 1\n{go}\nstop"));
        assert!(best_move(&engine.until("bestmove")).contains(','), "{go}");
    }
    engine.quit();
}

#[test]
fn perft_divides() {
    let mut engine = Engine::uci();
    engine.send("position fen 9q/10/10/10/10/10/10/10/***7/Q1*7 w - - 0 2");
    assert_eq!(engine.ask("go perft 1", "Nodes searched"), ["a1b1,b1a1: 1", "", "Nodes searched: 1"]);
    assert_eq!(engine.ask("go perft 0", "Nodes searched"), ["", "Nodes searched: 1"]);
    engine.quit();
}

#[test]
fn a_count_is_finished_before_the_next_command_but_stop_and_isready_are_heard() {
    let mut engine = Engine::uci();
    // As a script does it: everything at once.
    engine.send("go perft 2\nposition fen 9q/10/10/10/10/10/10/10/***7/Q1*7 w - - 0 2\ngo perft 1");
    assert_eq!(engine.until("Nodes searched").last().unwrap(), "Nodes searched: 4307152");
    assert_eq!(engine.until("Nodes searched"), ["a1b1,b1a1: 1", "", "Nodes searched: 1"]);
    engine.send("position startpos");
    for (work, stopped) in [("go perft 9", "info string perft: stopped"), ("bench", "info string bench: stopped")] {
        engine.send(work);
        engine.ask("isready", "readyok");
        engine.send("d");
        engine.ask("isready", "readyok");
        let began = Instant::now();
        engine.ask("stop", stopped);
        assert!(began.elapsed() < Duration::from_secs(5), "{work}: {:?}", began.elapsed());
        engine.until("State: white to move");
    }
    // Also what still waits for its turn when the stop comes.
    engine.send("go perft 9\ngo perft 8\nbench\nstop");
    for stopped in ["info string perft: stopped", "info string perft: stopped", "info string bench: stopped"] {
        engine.until(stopped);
    }
    engine.send("go perft 2\nquit");
    let (lines, status) = engine.end();
    assert!(status.success());
    assert_eq!(lines.last().unwrap(), "Nodes searched: 4307152");
}

#[test]
fn a_clock_of_the_other_side_alone_does_not_mean_forever() {
    let mut engine = Engine::uci();
    for go in ["go btime 5000", "go winc 50", "go binc 50", "go btime 5000 movestogo 3"] {
        let began = Instant::now();
        engine.ask(go, "bestmove");
        assert!(began.elapsed() < Duration::from_secs(5), "{go}");
    }
    engine.quit();
}

#[test]
fn eval_explains_territories_and_margin() {
    let mut engine = Engine::uci();
    engine.send("position fen Q2*2q/3*3/3*3 w");
    let lines = engine.ask("eval", "Final evaluation");
    assert!(
        lines.contains(&"territory white 8 black 8 contested 0, turns left white 8 black 8".to_owned()),
        "{lines:#?}"
    );
    assert!(lines.contains(&"margin -0.5 for white".to_owned()));
    engine.quit();
}

#[test]
fn the_end_of_input_stops_a_search_that_still_answers() {
    let mut engine = Engine::uci();
    engine.send("go infinite");
    engine.until("info depth");
    engine.close_input();
    let (rest, status) = engine.end();
    assert!(status.success());
    assert_eq!(rest.iter().filter(|line| line.starts_with("bestmove")).count(), 1);
}

#[test]
fn quit_during_a_search_ends_at_once() {
    let mut engine = Engine::uci();
    engine.send("go infinite");
    engine.until("info depth");
    let began = Instant::now();
    engine.quit();
    assert!(began.elapsed() < Duration::from_secs(5));
}

#[test]
fn time_limits_are_kept() {
    let mut engine = Engine::uci();
    engine.send("setoption name Threads value 2");
    for (go, least, most) in [
        ("go movetime 200", 150, 1_000),
        ("go wtime 1000 btime 1000", 0, 900),
        ("go wtime 0 btime 0", 0, 500),
        ("go wtime -50 btime 100", 0, 500),
        ("go wtime 60000 btime 60000 movestogo 40 movetime 100", 0, 500),
        ("go movetime 100000 nodes 500", 0, 2_000),
    ] {
        // A machine busy with other work may keep the engine waiting: one quick answer of five shows that it is quick.
        let mut took = (0..5).map(|_| {
            engine.quietly("ucinewgame");
            let began = Instant::now();
            engine.ask(go, "bestmove");
            let took = began.elapsed().as_millis();
            assert!(took >= least, "{go}: {took} ms");
            took
        });
        assert!(took.any(|took| took < most), "{go}: more than {most} ms, five times");
    }
    engine.quit();
}

#[test]
fn weights_come_from_a_file_and_bad_files_change_nothing() {
    let folder = Folder::new("eval-file");
    let file = |name: &str| folder.path(name);
    let mut tables = hippolyta::eval::Weights::embedded().tables();
    tables.tables.retain(|(name, _)| name == "amazons");
    tables.tables.iter_mut().for_each(|(_, table)| table.fill(0));
    assert_eq!(tables.tables.len(), 1);
    std::fs::write(file("zero.bin"), tables.to_bytes()).unwrap();
    std::fs::write(file("cut.bin"), &tables.to_bytes()[..5_000]).unwrap();
    let mut engine = Engine::uci();
    engine.send("position startpos moves d1d7,d7g7");
    let value = |engine: &mut Engine| engine.ask("eval", "Final evaluation").pop().unwrap();
    let built_in = value(&mut engine);
    for (name, message) in [("cut.bin", "cut off in the frame that begins at byte "), ("missing.bin", "missing.bin: ")]
    {
        let answer = engine.ask(&format!("setoption name EvalFile value {}", file(name)), "info string ERROR");
        assert!(answer.last().unwrap().contains(message), "{answer:?}");
        assert_eq!(value(&mut engine), built_in);
    }
    engine.send(&format!("setoption name EvalFile value {}", file("zero.bin")));
    assert!(value(&mut engine).starts_with("Final evaluation: cp +0 score 0.500"));
    assert!(engine.ask("d", "Fen:").pop().unwrap().contains("10/10/q2Q2*2q/10/10/Q8Q"));
    engine.send("setoption name UCI_Variant value iago");
    engine.send("setoption name UCI_Variant value amazons");
    engine.send("position startpos moves d1d7,d7g7");
    assert!(value(&mut engine).starts_with("Final evaluation: cp +0 score 0.500"));
    engine.send("setoption name evalfile value <built-in>");
    assert_eq!(value(&mut engine), built_in);
}

/// `stop` is aimed at 10 ms on a quiet machine, some 50 times what `isready` takes there. Both are slower on a busy one.
#[test]
fn stop_takes_at_most_fifty_times_as_long_as_isready() {
    const TIMES: usize = 15;
    let mut engine = Engine::uci();
    for variant in ["amazons", "iago", "damone"] {
        engine.one_answer(&format!("setoption name UCI_Variant value {variant}"));
        let (mut ready, mut stop) = ([Duration::ZERO; TIMES], [Duration::ZERO; TIMES]);
        for (ready, stop) in ready.iter_mut().zip(&mut stop) {
            engine.send("ucinewgame");
            engine.send("go infinite");
            std::thread::sleep(Duration::from_millis(50));
            let began = Instant::now();
            engine.ask("isready", "readyok");
            *ready = began.elapsed();
            let began = Instant::now();
            engine.ask("stop", "bestmove");
            *stop = began.elapsed();
        }
        // Medians: one delay of the system says nothing.
        let [ready, stop] = [ready, stop].map(|mut times| {
            times.sort();
            times[TIMES / 2]
        });
        assert!(stop <= 50 * ready, "{variant}: stop {stop:?}, isready {ready:?}");
    }
    engine.quit();
}
