//! `hippolyta play`: whole games through a pipe, and on a pseudo-terminal.

use crate::child::Engine;
use crate::common::folder::Folder;
use crate::common::leave_out;
use hippolyta::engine::Board;
use hippolyta::games::variant::{self, VARIANTS};
use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Plays the lines of `input`: standard output, standard error, exit code.
fn play(arguments: &[&str], input: &str) -> (String, String, i32) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hippolyta"))
        .args(["play", "--hash", "1"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It need not read all of it.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let Output { stdout, stderr, status } = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap().replace("\r\n", "\n");
    (text(stdout), text(stderr), status.code().unwrap_or(-1))
}

/// The output of `play`, which must end well and say on standard error at most that the game was not saved.
fn played(arguments: &[&str], input: &str) -> String {
    let (output, errors, code) = play(arguments, input);
    assert_eq!(code, 0, "{errors}");
    assert!(errors.is_empty() || errors.starts_with("The game was not saved"), "{errors}");
    output
}

/// A board on which White has 29 turns.
const SMALL: &str = "q2/3/2Q w - - 0 1";

#[test]
fn the_board_and_what_is_known_stand_side_by_side() {
    let output = played(&["--variant", "amazons6", "--nodes", "100"], "quit\n");
    let expected = "
 6  .  q  .  .  q  .    amazons6 6x6
 5  q  .  .  .  .  q    White: you
 4  .  .  .  .  .  .    Black: Hippolyta (full strength)
 3  .  .  .  .  .  .
 2  Q  .  .  .  .  Q    Turn 1, White to move: 544 legal turns.
 1  .  Q  .  .  Q  .
    a  b  c  d  e  f
";
    assert_eq!(output, expected);
}

#[test]
fn a_turn_is_typed_square_by_square() {
    let output = played(&["--fen", SMALL, "--side", "both"], "c1\nb1\n\nb1\na1\nquit\n");
    for text in [
        " 1  +  + <Q>",
        "c1 goes to a1 b1 b2 c2 c3\n",
        " 1  + <Q> + ",
        "b1 fires at ",
        "White plays c1b1,b1a1\n",
        " 1 [*][Q][.]",
        "White plays c1b1,b1a1.",
        "Turn 1, Black to move: ",
    ] {
        assert!(output.contains(text), "{text} in\n{output}");
    }
    // The empty line took b1 back, and b1 was typed again.
    assert_eq!(output.matches("b1 fires at ").count(), 2, "{output}");
    assert_eq!(output.matches("White plays c1b1,b1a1\n").count(), 1);
}

/// A number without an obvious pattern.
fn next(number: &mut u64) -> usize {
    *number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*number >> 33) as usize
}

/// A turn as a person may type it: one line or several.
fn typed(turn: &str, way: usize) -> String {
    let squares: Vec<String> = {
        let mut squares: Vec<String> = Vec::new();
        for part in turn.split(',') {
            let starts: Vec<usize> =
                part.char_indices().filter(|(_, c)| c.is_ascii_alphabetic()).map(|(at, _)| at).collect();
            for (index, &start) in starts.iter().enumerate() {
                let square = &part[start..starts.get(index + 1).copied().unwrap_or(part.len())];
                if squares.last().is_none_or(|last| last != square) {
                    squares.push(square.to_owned());
                }
            }
        }
        squares
    };
    match way % 5 {
        0 => turn.to_owned(),
        1 => squares.join(" "),
        2 => squares.join("\n"),
        3 => format!("{}\n{}", squares[..2].join("-").to_uppercase(), squares[2..].join(" ")),
        // Another piece of the turn first, taken back by an empty line.
        _ => format!("{}\n\n{}", squares[0], squares.join("-")),
    }
}

#[test]
fn whole_games_of_every_rule_set_are_played_by_two_people() {
    for variant in VARIANTS {
        let (mut board, mut input, mut number) = (Board::new(variant), String::new(), 7);
        while board.outcome().is_none() {
            let turns = board.legal_turns();
            let turn = turns.get(next(&mut number) % turns.len()).unwrap();
            input += &format!("{}\n", typed(&turn.to_string(), next(&mut number)));
            board.play_turn(&turn).unwrap();
        }
        let output = played(&["--variant", variant.name(), "--side", "both"], &format!("{input}fen\nquit\n"));
        let plays: Vec<_> = output.lines().filter(|line| line.contains(" plays ") && !line.starts_with(' ')).collect();
        let told = plays.iter().map(|line| line.split(' ').nth(2).unwrap().trim_end_matches(';').to_owned());
        // The line beside the board may stand alone on a small one.
        let told: Vec<_> = told.filter(|turn| !turn.ends_with('.')).collect();
        assert_eq!(
            told,
            board.turns().iter().map(ToString::to_string).collect::<Vec<_>>(),
            "{}: {output}",
            variant.name()
        );
        assert!(output.lines().any(|line| line == board.fen()), "{}", variant.name());
        let result = match board.outcome().unwrap().name() {
            "white" => "White wins",
            "black" => "Black wins",
            _ => ": a draw.",
        };
        assert!(
            output.lines().any(|line| !line.starts_with(' ') && line.contains(result)),
            "{}: {output}",
            variant.name()
        );
    }
}

#[test]
fn engines_play_each_other_to_the_end_of_every_game() {
    for variant in VARIANTS {
        let output = played(&["--variant", variant.name(), "--side", "none", "--level", "casual"], "");
        let mut board = Board::new(variant);
        let lines = output.lines().filter(|line| !line.starts_with(' ') && line.contains(" plays "));
        for line in lines.filter(|line| !line.ends_with('.')) {
            board.play(line.split(' ').nth(2).unwrap().trim_end_matches(';')).unwrap();
        }
        assert!(board.outcome().is_some(), "{}: {output}", variant.name());
    }
}

#[test]
fn the_engine_answers_helps_and_judges() {
    let output = played(
        &["--variant", "amazons6", "--nodes", "300"],
        "b1b4 c4\nhint\neval\nlevel\nlevel 2\nmoves\nmoves e1\nrules\nhelp\nquit\n",
    );
    assert!(output.starts_with("\n 6 "), "{output}");
    for text in [
        "White plays b1b4,b4c4\nBlack plays ",
        ": White expects ",
        "Without a search: White expects ",
        "Hippolyta plays at full strength. The levels:\n  1 beginner  plays almost at random\n",
        "Hippolyta plays at level 2, novice.",
        " legal turns: ",
        "moves e1 lists those that begin with e1.",
        "The Game of the Amazons.",
        "takes your last turn back",
    ] {
        assert!(output.contains(text), "{text} in\n{output}");
    }
    let won = played(&["--fen", "q1*/**1/2Q w", "--nodes", "1000"], "hint\nc1\nhint\nquit\n");
    assert_eq!(won.matches("c1c2,c2b3: White wins in 1 turn.").count(), 2, "{won}");
}

#[test]
fn stones_flip_and_pieces_are_captured_in_words_and_marks() {
    let flip = played(&["--variant", "iago", "--side", "both", "--fen", "q4/5/1Ss2/5/4Q w - - 0 1"], "e1e3d3\nquit\n");
    assert!(flip.contains("White plays e1e3,e3d3; flips 1 stone\n") && flip.contains("(S)"), "{flip}");
    assert!(flip.contains("Stones: White 3, Black 0"), "{flip}");
    let fen = "8/8/8/5p2/8/3p4/2D5/8 w - - 0 1";
    let won = played(&["--variant", "damone", "--side", "both", "--fen", fen], "c2\ne4\ng6\nquit\n");
    for text in [
        "       1 dama\n",
        "       2 pedine\n",
        "c2 goes to e4\n",
        "e4 goes to g6\n",
        "White plays c2e4g6; captures 2\nBlack has no piece left. White wins.\n",
    ] {
        assert!(won.contains(text), "{text} in\n{won}");
    }
}

#[test]
fn turns_are_taken_back_and_games_resigned() {
    let output = played(
        &["--variant", "amazons6", "--nodes", "50"],
        "undo\nb1b4,b4c4\nundo\nb1b4,b4c4\ne1e4,e4e2\nundo 2\nfen\nresign\na2a3a4\nundo\nfen\nnew\nfen\nquit\n",
    );
    let variant = variant::find("amazons6").unwrap();
    let start = variant.start();
    assert!(output.contains("there is no turn of yours to take back.\n"), "{output}");
    assert_eq!(output.lines().filter(|line| *line == start).count(), 3, "{output}");
    assert!(output.contains("White resigns. Black wins.\n"), "{output}");
    assert!(output.contains("the game is over: new begins another, undo takes a turn back."), "{output}");
    // Black resigns, as the engine plays White.
    let black = played(&["--variant", "damone", "--side", "black", "--nodes", "20"], "resign\nquit\n");
    assert!(black.contains("White plays ") && black.contains("Black resigns. White wins.\n"), "{black}");
}

#[test]
fn games_that_are_decided_are_ended_filled_in_and_resigned() {
    let closed = ["--fen", "Q1*1q/2*2/2*2 w", "--nodes", "50"];
    let folder = Folder::new("decided");
    let file = folder.path("ended.pgn");
    let both = [&closed[..], &["--side", "both"]].concat();
    let output = played(&both, &format!("end\nsave {file}\nundo\nfill\nquit\n"));
    for text in [
        "The game is decided: Black wins by 0.5 turns; the turns left are counted.\n",
        "Type end to end it here, fill to have the rest filled in, or play on.\n",
        "Ended as it is decided: Black wins by 0.5 turns.\n",
        "White has no turn. Black wins",
    ] {
        assert!(output.contains(text), "{text} in\n{output}");
    }
    assert_eq!(output.matches("The game is decided").count(), 1, "{output}");
    let saved = std::fs::read_to_string(&file).unwrap();
    for tag in ["[Result \"0-1\"]", "[Termination \"exact\"]", "[Margin \"-0.5\"]"] {
        assert!(saved.contains(tag), "{tag} in\n{saved}");
    }
    let open = played(&["--variant", "amazons6"], "end\nfill\nfill x\nquit\n");
    assert_eq!(open.matches("the result is not certain yet.\n").count(), 2, "{open}");
    // The engine has White and gives up; told to play on it does.
    let output = played(&[&closed[..], &["--side", "black"]].concat(), "undo\nquit\n");
    assert!(output.contains("White resigns. Black wins.\nundo makes it play on.\n"), "{output}");
    assert!(output.contains("White plays "), "{output}");
    let weak = played(&[&closed[..], &["--side", "black", "--level", "1"]].concat(), "quit\n");
    assert!(weak.contains("White plays ") && !weak.contains("resigns"), "{weak}");
}

#[test]
fn sides_change_and_the_engine_plays_for_people() {
    let output = played(&["--variant", "damone", "--nodes", "20"], "go\nswap\nside both\nh5\n\nflip\nquit\n");
    // The engine plays White's turn and Black's, then White's again after the change.
    assert_eq!(output.lines().filter(|line| line.starts_with("White plays ")).count(), 2, "{output}");
    assert_eq!(output.lines().filter(|line| line.starts_with("Black plays ")).count(), 1, "{output}");
    assert!(output.contains("White: Hippolyta (full strength)\n") && output.contains("Black: a person\n"), "{output}");
    assert!(output.contains("\n    h  g  f  e  d  c  b  a\n"), "{output}");
}

#[test]
fn games_are_saved_and_loaded_in_every_format() {
    let folder = Folder::new("play");
    for (ending, variant, turns) in [
        ("pgn", "amazons6", "b1b4,b4c4"),
        ("sgf", "iago", "d1d7"),
        ("jsonl", "damone", "h5g6"),
        ("pgn", "desdemona-early", "d1d7"),
    ] {
        let file = folder.path(&format!("{variant} game.{ending}"));
        let first = ["--variant", variant, "--nodes", "30"];
        let saved =
            played(&first, &format!("{turns}\nresign\nsave {file}\nsave {file}\nsave {file} --force\nfen\nquit\n"));
        assert!(saved.contains(&format!("2 turns saved: {file}\n")), "{saved}");
        assert!(saved.contains("exists already") && saved.matches("2 turns saved").count() == 2, "{saved}");
        let fen = saved.lines().find(|line| line.contains('/') && line.ends_with(" 2")).unwrap();
        // Another rule set is in force; the file's comes with it.
        let loaded = played(&[], &format!("load {file}\nfen\nquit\n"));
        let told = format!("{file}: ? against Hippolyta (full strength), 0-1, 2 turns. ");
        assert!(loaded.replace('\n', " ").contains(&told), "{loaded}");
        assert!(loaded.lines().any(|line| line == fen), "{loaded}");
        let (begun, errors, code) = play(&["--load", &file, "--nodes", "10"], "fen\n");
        assert!(begun.lines().any(|line| line == fen) && errors.is_empty() && code == 0, "{begun}{errors}");
    }
    let (many, damaged) = (folder.path("many.pgn"), folder.path("damaged.sgf"));
    std::fs::write(&many, "[Variant \"amazons6\"]\n\n1. b1b4,b4c4 *\n\n[Variant \"damone\"]\n\n1. h5g6 *\n").unwrap();
    std::fs::write(&damaged, "(;GM[18]SZ[10];B[zz])").unwrap();
    let output = played(
        &["--side", "both"],
        &format!(
            "load {many}\nload {many} 2\nload {many} 3\nload {damaged}\nload {many}x\nload none.pgn\nsave x\nquit\n"
        ),
    );
    for text in [
        &format!("{many}, game 1: ? against ?, *, 1 turn.\nload {many} 2 reads the next game.\n") as &str,
        &format!("{many}, game 2: "),
        "there are 2 games in it, and no number 3",
        &format!("{damaged}:1:"),
        "the name must end in .pgn, .sgf or .jsonl",
        "none.pgn: ",
    ] {
        assert!(output.replace('\n', " ").contains(&text.replace('\n', " ")), "{text} in\n{output}");
    }
    // A script ends where turns of the game that it asks for are lost.
    let cut = folder.path("cut.pgn");
    std::fs::write(&cut, "[Variant \"amazons6\"]\n\n1. b1b4,b4c4 b6b6,b1b1 *\n").unwrap();
    let (_, errors, code) = play(&["--load", &cut], "fen\n");
    assert!(code == 1 && errors.starts_with(&format!("hippolyta: {cut}:3:14: game 1: ")), "{errors}");
    assert_eq!(errors.lines().count(), 1, "{errors}");
    // After a game that ends with White's turn, the person who loads it plays Black.
    let loaded = played(&["--load", &many, "--nodes", "10"], "quit\n");
    assert!(loaded.contains("White: Hippolyta") && loaded.contains("Black: you"), "{loaded}");
}

#[test]
fn bad_input_is_answered_with_what_is_wrong_and_an_example() {
    let lines = [
        ("castle", "'castle' is neither a turn nor a command; help lists the commands. A turn is, for example, "),
        ("a1", "white is to move and has no piece on a1. A legal turn is, for example, "),
        ("b1b4,b4c9", "c9 is not on the board. A legal turn is, for example, "),
        ("b1b4", ""),
        ("k11", "'k11' does not continue b1b4, and is no turn of its own. A legal turn is"),
        ("pass", "nobody may pass in these games. A turn is, for example, "),
        ("cancel now", "nothing is expected after cancel, and 'now' stands there."),
        ("cancel", ""),
        ("cancel", "no turn has begun; undo takes a whole turn back."),
        ("moves c3", "no legal turn begins with c3."),
        ("new chess", "unknown variant 'chess': known are "),
        ("level 12", "a level is a number from 1 to 9 or one of "),
        ("load", "a file is expected: load game.pgn."),
        ("\u{1b}[2J", r"'\u001b[2J' is neither a turn nor a command"),
    ];
    let input: String = lines.iter().map(|(line, _)| format!("{line}\n")).collect();
    let input = format!("{input}{}\nfen\n", "x".repeat(100_000));
    let output = played(&["--variant", "amazons6", "--side", "both"], &input);
    let joined = output.replace('\n', " ");
    let mut rest = joined.as_str();
    for (line, answer) in lines {
        let at = rest.find(answer).unwrap_or_else(|| panic!("{line}: {answer} in\n{output}"));
        rest = &rest[at + answer.len()..];
    }
    assert!(rest.contains("That line is too long."), "{output}");
    assert!(output.contains(variant::find("amazons6").unwrap().start()));
    assert!(output.lines().all(|line| line.len() <= 80), "{output}");
    for (arguments, message) in [
        (&["--level", "12"][..], "a level is a number from 1 to 9"),
        (&["--side", "up"], "a side is white, black, both or none"),
        (&["--fen", "9x w"], "hippolyta: FEN: "),
        (&["--load", "none.pgn"], "hippolyta: none.pgn: "),
        (&["--load", "."], "hippolyta: .: not a file"),
    ] {
        let (output, errors, code) = play(arguments, "");
        assert!(errors.contains(message) && output.is_empty() && code > 0, "{arguments:?}: {errors}");
    }
}

#[test]
fn what_was_not_saved_is_told_with_the_way_to_go_on() {
    let (_, errors, code) = play(&["--fen", SMALL, "--side", "both"], "c1b1,b1a1\n");
    let command = format!("  hippolyta play --variant amazons --side both --fen '{SMALL}' --moves 'c1b1,b1a1'\n");
    assert_eq!(
        (errors, code),
        (format!("The game was not saved (save game.pgn does so). To go on with it:\n{command}"), 0)
    );
    let again = play(&["--fen", SMALL, "--side", "both", "--moves", "c1b1,b1a1"], "fen\nnew\n");
    assert!(again.0.contains("q2/3/*Q1 b - - 0 1") && again.1.is_empty(), "{again:?}");
    let output = played(&["--fen", SMALL, "--side", "both"], "c1b1,b1a1\nnew\nquit\n");
    assert!(
        output
            .contains(&format!("The game before was not saved (save game.pgn does so). To go on with it:\n{command}"))
    );
}

#[test]
fn the_guide_shows_what_is_said() {
    let guide = std::fs::read_to_string(concat!(root!(), "/docs/terminal.md")).unwrap();
    let (_, rest) = guide.split_once("```play\n$ hippolyta ").unwrap();
    let (session, _) = rest.split_once("\n```").unwrap();
    let (arguments, lines) = session.split_once('\n').unwrap();
    let mut engine = Engine::start_with(&arguments.split(' ').collect::<Vec<_>>());
    let mut typed = 0;
    for line in lines.lines() {
        match line.strip_prefix("> ") {
            Some(command) => {
                engine.send(command);
                typed += 1;
            }
            None => assert_eq!(engine.next().unwrap(), line),
        }
    }
    assert!(typed >= 4, "{typed}");
    let (rest, status) = engine.end();
    assert!(rest.is_empty() && status.success(), "{rest:?}");
}

/// Runs the program on a terminal; `None` where there is no Python with pseudo-terminals. The steps are those of
/// `terminal.py`.
#[cfg(unix)]
mod on_a_terminal {
    use super::*;
    use serde_json::{Value, json};

    fn run(arguments: &[&str], columns: u32, env: Value, steps: Value) -> Option<(String, i64, Value)> {
        let command: Vec<_> = [env!("CARGO_BIN_EXE_hippolyta")].iter().chain(arguments).collect();
        let task = json!({"command": command, "columns": columns, "env": env, "steps": steps});
        let mut child = match Command::new("python3")
            .args(["-B", concat!(root!(), "/tests/program/terminal.py")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
        {
            Ok(child) => child,
            Err(error) => {
                leave_out(&format!("python3: {error}"));
                return None;
            }
        };
        child.stdin.take().unwrap().write_all(task.to_string().as_bytes()).unwrap();
        let Output { stdout, stderr, status } = child.wait_with_output().unwrap();
        let errors = String::from_utf8_lossy(&stderr);
        if errors.starts_with("no pseudo-terminals here") {
            eprintln!("not run: {errors}");
            return None;
        }
        assert!(status.success(), "{errors}");
        let found: Value = serde_json::from_slice(&stdout).unwrap();
        Some((found["output"].as_str().unwrap().to_owned(), found["code"].as_i64().unwrap(), found["echo"].clone()))
    }

    #[test]
    fn commands_say_that_they_read_what_is_typed() {
        for words in [&["analyse"][..], &["review", "-"], &["convert", "-", "--out", "-", "--to", "pgn"]] {
            let steps = json!([{"until": "hippolyta: what is typed is read"}, {"signal": 15}]);
            let Some((_, code, _)) = run(words, 100, json!({}), steps) else { return };
            assert_eq!(code, 143, "{words:?}");
        }
    }

    fn many_colours() -> Value {
        json!({"TERM": "xterm-256color", "LANG": "C.UTF-8"})
    }

    #[test]
    fn the_program_alone_greets_and_speaks_uci() {
        let steps = json!([{"until": "Type help"}, {"send": "uci\n"}, {"until": "uciok"}, {"send": "quit\n"}]);
        let Some((output, code, _)) = run(&[], 80, many_colours(), steps) else { return };
        let greeting =
            format!("Hippolyta {}. Type help, or quit. For a game: hippolyta play", env!("CARGO_PKG_VERSION"));
        assert!(output.starts_with(&greeting) && code == 0, "{output}");
        // A pipe sees nothing until it asks.
        let mut engine = Engine::start();
        assert!(engine.ask("isready", "readyok").len() == 1);
        engine.quit();
    }

    #[test]
    fn colours_and_signs_are_used_where_the_terminal_has_them() {
        let board = |env: Value, columns: u32, more: &[&str]| {
            let steps = json!([{"until": "White> "}, {"send": "\u{4}"}]);
            let arguments = [&["play", "--variant", "iago", "--hash", "1"], more].concat();
            run(&arguments, columns, env, steps).map(|(output, code, echo)| {
                assert_eq!((code, echo), (0, json!(true)), "{output}");
                output
            })
        };
        let Some(output) = board(many_colours(), 80, &[]) else { return };
        assert!(output.contains("\u{1b}[48;5;") && output.contains('♛') && output.contains('●'), "{output}");
        let output = board(json!({"TERM": "linux", "LANG": "C.UTF-8"}), 80, &[]).unwrap();
        assert!(output.contains("\u{1b}[1m♕\u{1b}[0m") && !output.contains("38;5"), "{output}");
        let output = board(json!({"TERM": "xterm-256color", "LANG": "C.UTF-8", "NO_COLOR": "1"}), 80, &[]).unwrap();
        assert!(output.contains("10  ·  ·  ·  ♛  ·  ·  ♕  ·  ·  ·  "), "{output}");
        assert!(!output.contains("\u{1b}[1m"), "{output}");
        for (env, more) in [
            (json!({"TERM": "dumb", "LANG": "C.UTF-8"}), &[][..]),
            (json!({"TERM": "xterm-256color", "LANG": "C", "NO_COLOR": "1"}), &[]),
            (many_colours(), &["--ascii", "--color", "never"]),
        ] {
            let output = board(env, 80, more).unwrap();
            assert!(output.contains("10  .  .  .  q  .  .  Q  .  .  .  "), "{output}");
            assert!(output.is_ascii() && !output.contains("\u{1b}[1m"), "{output}");
        }
        let narrow = board(json!({"TERM": "dumb", "LANG": "C"}), 40, &[]).unwrap();
        assert!(narrow.contains("\r\n10  . . . q . . Q . . .\r\n"), "{narrow}");
    }

    #[test]
    fn ctrl_c_makes_the_engine_play_and_then_ends_the_game() {
        // Without it the engine would think for an hour.
        let steps = json!([
            {"until": "White> "}, {"send": "b1b4,b4c4\r"}, {"until": "Hippolyta thinks"}, {"send": "\u{3}"},
            {"until": "Black plays"}, {"until": "White> "}, {"send": "\u{3}"},
        ]);
        let arguments = ["play", "--variant", "amazons6", "--movetime", "3600000", "--hash", "16"];
        let Some((output, code, echo)) = run(&arguments, 80, many_colours(), steps) else { return };
        assert_eq!((code, echo), (130, json!(true)), "{output}");
        assert!(output.contains("The game was not saved"), "{output}");
        assert!(output.contains("  hippolyta play --variant amazons6 --moves 'b1b4,b4c4 "), "{output}");
    }

    #[test]
    fn ctrl_c_pauses_engines_that_play_each_other() {
        let steps = json!([
            {"until": "Hippolyta thinks"}, {"send": "\u{3}"}, {"until": "The engines wait"}, {"until": "Black> "},
            {"send": "go\r"}, {"until": "Hippolyta thinks"}, {"send": "\u{3}"}, {"until": "White> "},
            {"send": "quit\r"}, {"until": "The game was not saved"},
        ]);
        let arguments = ["play", "--variant", "damone", "--side", "none", "--movetime", "3600000", "--hash", "16"];
        let Some((output, code, _)) = run(&arguments, 80, many_colours(), steps) else { return };
        assert_eq!(code, 0, "{output}");
    }

    #[test]
    fn a_signal_leaves_the_terminal_as_it_was() {
        let steps = json!([
            {"until": "White> "}, {"send": "c1b1,b1a1\r"}, {"until": "Black> "}, {"signal": 15},
            {"until": "The game was not saved"},
        ]);
        let arguments = ["play", "--fen", SMALL, "--side", "both", "--hash", "1"];
        let Some((output, code, echo)) = run(&arguments, 80, many_colours(), steps) else { return };
        assert_eq!((code, echo), (143, json!(true)), "{output}");
    }

    #[test]
    fn every_pasted_line_is_read() {
        let moves = ["b1b4,b4c4", "b6b5,b5b6", "e1e2,e2e1", "e6e5,e5e6", "b4b3,b3b4"];
        let turns = moves.join(" ");
        for (begin, end) in [("", ""), ("\u{1b}[200~", "\u{1b}[201~")] {
            for line_end in ["\r", "\n", "\r\n"] {
                let pasted = format!("{begin}{}{line_end}quit{end}\r", moves.join(line_end));
                let steps = json!([{"until": "White> "}, {"send": pasted}, {"until": "The game was not saved"}]);
                let arguments = ["play", "--variant", "amazons6", "--side", "both", "--hash", "1"];
                let Some((output, code, _)) = run(&arguments, 80, many_colours(), steps) else { return };
                assert_eq!(code, 0, "{output}");
                assert!(output.contains(&format!("--side both --moves '{turns}'")), "{pasted:?}: {output}");
            }
        }
        // While the engine thinks, too; and more than fits one read of the terminal.
        let lines = ["fen\r"; 400].concat();
        let steps = json!([
            {"until": "White> "}, {"send": format!("b1b4,b4c4\r{lines}quit\r")}, {"until": "The game was not saved"},
        ]);
        let arguments = ["play", "--variant", "amazons6", "--nodes", "500", "--hash", "16"];
        let (output, code, _) = run(&arguments, 80, many_colours(), steps).unwrap();
        assert_eq!((code, output.matches(" w - - 0 2\r\n").count()), (0, 400), "{output}");
    }

    #[test]
    fn lines_are_edited_and_remembered() {
        // Typed wrong, corrected by the cursor keys, and called back.
        let steps = json!([
            {"until": "White> "}, {"send": "c1b,b1a1\u{1b}[D\u{1b}[D\u{1b}[D\u{1b}[D\u{1b}[D1\r"}, {"until": "Black> "},
            {"send": "undo\r"}, {"until": "White> "}, {"send": "\u{1b}[A\u{1b}[A\r"}, {"until": "Black> "},
            {"send": "fen\r"}, {"until": "q2/3/*Q1 b"}, {"until": "Black> "}, {"send": "\u{4}"},
        ]);
        let arguments = ["play", "--fen", SMALL, "--side", "both", "--hash", "1"];
        let Some((output, code, _)) = run(&arguments, 80, many_colours(), steps) else { return };
        assert_eq!(code, 0, "{output}");
    }
}
