//! GTP: every command with a real child process, and a client that knows no rules, as GoGui does.

use crate::child::{Engine, command};
use crate::dialogue::scripts;
use hippolyta::engine::{Board, Control, Engine as Searcher, Limits, Model, Settings};
use hippolyta::games::variant::{VARIANTS, find};
use hippolyta_protocol::gtp::COMMANDS;
use std::collections::BTreeSet;

fn gtp(arguments: &[&str]) -> Engine {
    let nodes = if arguments.contains(&"--nodes") { &[][..] } else { &["--nodes", "200"] };
    Engine::start_with(&[&["gtp", "--hash", "1"], nodes, arguments].concat())
}

/// The answer to a line, up to the empty line that ends it.
fn raw(engine: &mut Engine, line: &str) -> String {
    engine.send(line);
    let mut lines = Vec::new();
    loop {
        match engine.next() {
            Some(line) if line.is_empty() => return lines.join("\n"),
            Some(line) => lines.push(line),
            None => panic!("the engine ended after '{line}': {lines:?}"),
        }
    }
}

/// The answer to a command that succeeds.
fn ok(engine: &mut Engine, line: &str) -> String {
    let answer = raw(engine, line);
    let text = answer.strip_prefix('=').unwrap_or_else(|| panic!("{line}: {answer}"));
    text.trim_start_matches([' ', '\n']).to_owned()
}

/// The answer to a command that fails: one line.
fn fails(engine: &mut Engine, line: &str) -> String {
    let answer = raw(engine, line);
    let text = answer.strip_prefix("? ").unwrap_or_else(|| panic!("{line}: {answer}"));
    assert!(!text.contains('\n'), "{text}");
    text.to_owned()
}

#[test]
fn every_command_is_documented() {
    let document = include_str!("../../docs/protocols/gtp.md");
    for command in COMMANDS {
        let row = format!("{} {}", command.name, command.arguments);
        assert!(document.contains(&format!("`{}`", row.trim_end())), "docs/protocols/gtp.md lacks {row}");
    }
    let rows = document.lines().skip_while(|line| !line.starts_with("| command |")).skip(2);
    let documented: Vec<_> = rows
        .take_while(|line| line.starts_with('|'))
        .flat_map(|row| row.split('|').nth(1).unwrap().split('`').skip(1).step_by(2))
        .map(|command| command.split(' ').next().unwrap())
        .collect();
    let known: Vec<_> = COMMANDS.iter().map(|command| command.name).collect();
    assert_eq!(documented, known);
}

#[test]
fn administration_is_as_gtp_wants_it() {
    let mut engine = gtp(&[]);
    assert_eq!(raw(&mut engine, "protocol_version"), "= 2");
    assert_eq!(raw(&mut engine, "1 name"), "=1 Hippolyta");
    assert_eq!(ok(&mut engine, "version"), env!("CARGO_PKG_VERSION"));
    assert_eq!(ok(&mut engine, "known_command genmove"), "true");
    assert_eq!(ok(&mut engine, "known_command castle"), "false");
    let listed: Vec<_> = ok(&mut engine, "list_commands").lines().map(str::to_owned).collect();
    assert_eq!(listed, COMMANDS.iter().map(|command| command.name).collect::<Vec<_>>());
    assert_eq!(raw(&mut engine, "7 castle long"), "?7 unknown command");
    assert_eq!(raw(&mut engine, "7"), "?7 a command is expected");
    // Comments, tabs, carriage returns and control characters.
    assert_eq!(raw(&mut engine, "\n# a comment\n\r\n \t\n\t3\tname\x07 # here\r"), "=3 Hippolyta");
    assert_eq!(ok(&mut engine, "komi 6.5"), "");
    assert!(fails(&mut engine, "komi").starts_with("syntax error"));
    assert_eq!(ok(&mut engine, "boardsize 10"), "");
    assert_eq!(ok(&mut engine, "boardsize 10 10"), "");
    assert_eq!(fails(&mut engine, "boardsize 19"), "unacceptable size: the board has 10 columns and 10 rows");
    assert_eq!(ok(&mut engine, "gogui-interrupt"), "");
    assert_eq!(ok(&mut engine, "clear_cache"), "");
    assert_eq!(raw(&mut engine, "quit"), "= ");
    let (rest, status) = engine.end();
    assert!(rest.is_empty() && status.success(), "{rest:?}");
}

#[test]
fn a_turn_is_three_plays_of_one_side() {
    let mut engine = gtp(&[]);
    let side = |engine: &mut Engine| ok(engine, "gogui-rules_side_to_move");
    assert_eq!(ok(&mut engine, "gogui-rules_legal_moves"), "D1 G1 A4 K4");
    assert_eq!(ok(&mut engine, "play w d1"), "");
    assert_eq!(side(&mut engine), "white");
    assert!(ok(&mut engine, "gogui-rules_legal_moves").split(' ').any(|vertex| vertex == "D9"));
    assert!(ok(&mut engine, "gogui-rules_board_gfx").contains("SQUARE D1\nCOLOR #7fc97f "));
    assert_eq!(fails(&mut engine, "play white D1"), "illegal move: no legal turn of white begins with D1 D1");
    assert_eq!(fails(&mut engine, "play black D10"), "illegal move: it is white's turn");
    assert_eq!(fails(&mut engine, "play w I5"), "syntax error: 'I5' is not a vertex from A1 to L11");
    assert_eq!(fails(&mut engine, "play w pass"), "illegal move: nobody may pass");
    assert!(fails(&mut engine, "play w").starts_with("syntax error: 2 arguments"));
    assert_eq!(ok(&mut engine, "play WHITE D7"), "");
    assert_eq!(ok(&mut engine, "play w G7"), "");
    assert_eq!(side(&mut engine), "black");
    assert_eq!(ok(&mut engine, "hippolyta-fen"), "3q2q3/10/10/q2Q2*2q/10/10/Q8Q/10/10/6Q3 b - - 0 1");
    let board = ok(&mut engine, "showboard");
    assert!(board.starts_with("A B C D E F G H J K\n10 . . . q"), "{board}");
    assert!(board.ends_with("Black to move: choose an amazon"), "{board}");
    assert_eq!(ok(&mut engine, "gogui-rules_board").lines().nth(3), Some("X . . O . . . . . X"));
    let graphics = ok(&mut engine, "gogui-rules_board_gfx");
    assert_eq!(graphics, "COLOR #000000 G7\nTRIANGLE D1\nCIRCLE D7\nTEXT Black to move: choose an amazon");
    assert_eq!(ok(&mut engine, "undo"), "");
    assert_eq!(side(&mut engine), "white");
    assert_eq!(ok(&mut engine, "gg-undo 2"), "");
    assert_eq!(fails(&mut engine, "undo"), "cannot undo: no play is left");
    assert_eq!(ok(&mut engine, "gogui-play_sequence W D1 W D7 w G7 b D10"), "");
    assert_eq!(fails(&mut engine, "gg-undo 5"), "cannot undo: no play is left");
    let error = fails(&mut engine, "gogui-play_sequence b D9 b D8 b D8");
    assert_eq!(error, "illegal move: it is white's turn (play 3 of 3)");
    assert!(fails(&mut engine, "gogui-play_sequence b D9 b").starts_with("syntax error"));
    assert_eq!(ok(&mut engine, "gg-undo 4"), "");
    assert_eq!(ok(&mut engine, "gogui-play_sequence"), "");
    assert_eq!(ok(&mut engine, "clear_board"), "");
    assert_eq!(ok(&mut engine, "hippolyta-fen"), find("amazons").unwrap().start());
    engine.quit();
}

/// Everything that GoGui asks of a program for the rules.
fn rules(engine: &mut Engine) -> Vec<String> {
    ["board_size", "board", "board_gfx", "legal_moves", "side_to_move", "captured_count", "final_result"]
        .map(|what| ok(engine, &format!("gogui-rules_{what}")))
        .into()
}

#[test]
fn a_client_without_rules_plays_all_rule_sets_to_their_end() {
    for variant in VARIANTS {
        // One process plays, the other is asked for the rules, as in GoGui.
        let arguments = ["--variant", variant.name(), "--elo", "900", "--no-resign"];
        let (mut player, mut referee) = (gtp(&arguments), gtp(&arguments));
        let id = ok(&mut referee, "gogui-rules_game_id");
        assert!(id.starts_with(|c: char| c.is_ascii_uppercase()) && id[1..].bytes().all(|c| c.is_ascii_lowercase()));
        let mut plays = Vec::new();
        loop {
            let asked = rules(&mut referee);
            let (legal, side) = (&asked[3], &asked[4]);
            let (size, board) = (asked[0].parse::<usize>().unwrap(), &asked[1]);
            assert!(board.lines().count() == size && board.lines().all(|rank| rank.len() == 2 * size - 1), "{board}");
            assert_eq!(asked[6].starts_with("The game is not over"), !legal.is_empty());
            if legal.is_empty() || plays.len() > 900 {
                break;
            }
            let vertex = ok(&mut player, &format!("genmove {side}"));
            assert!(legal.split(' ').any(|known| known == vertex), "{}: {vertex} of {legal}", variant.name());
            let play = format!("{side} {vertex}");
            assert_eq!(ok(&mut referee, &format!("play {play}")), "");
            // GoGui tells the rules a computer's play twice; the second must change nothing.
            fails(&mut referee, &format!("play {play}"));
            plays.push(play);
        }
        let end = rules(&mut referee);
        if end[3].is_empty() {
            assert!(fails(&mut player, "genmove b").starts_with("the game is over: "));
            let score = ok(&mut player, "final_score");
            assert!(score == "0" || score.starts_with(['W', 'B']), "{score}");
        }
        ok(&mut referee, "clear_board");
        ok(&mut referee, &format!("gogui-play_sequence {}", plays.join(" ")));
        assert_eq!(rules(&mut referee), end);
        assert_eq!(ok(&mut referee, "hippolyta-fen"), ok(&mut player, "hippolyta-fen"));
        ok(&mut referee, &format!("gg-undo {}", plays.len()));
        assert_eq!(ok(&mut referee, "hippolyta-fen"), variant.start());
        assert_eq!(fails(&mut referee, "final_score"), "the game is not over, and its result not certain");
        player.quit();
        referee.quit();
    }
}

#[test]
fn genmove_plays_the_turn_that_the_engine_finds() {
    let variant = &find("amazons6").unwrap();
    let settings = Settings { hash: 1, multi_pv: 1, ..Settings::default() };
    let limits = Limits { nodes: Some(200), ..Limits::default() };
    let mut searcher = Searcher::new(variant, &Model::default(), settings).unwrap();
    let found = searcher.analyse(&Board::new(variant), &limits, &Control::default(), &mut |_| ()).unwrap();
    let mut engine = gtp(&["--variant", "amazons6", "--seconds", "3600"]);
    let first = ok(&mut engine, "reg_genmove w");
    assert_eq!(fails(&mut engine, "undo"), "cannot undo: no play is left");
    assert_eq!(fails(&mut engine, "genmove b"), "it is white's turn");
    ok(&mut engine, "clear_cache");
    let squares = [(); 3].map(|()| ok(&mut engine, "genmove w"));
    assert_eq!(squares[0], first);
    let [from, to, fire] = squares.map(|square| square.to_lowercase());
    assert_eq!(Some(format!("{from}{to},{to}{fire}")), found.best().map(ToString::to_string));
    // A turn that another has begun is finished as it was begun.
    ok(&mut engine, "clear_board");
    ok(&mut engine, "play w A2");
    let to = ok(&mut engine, "genmove w");
    ok(&mut engine, "undo");
    let legal = ok(&mut engine, "gogui-rules_legal_moves");
    assert!(legal.split(' ').any(|vertex| vertex == to), "{to} of {legal}");
    engine.quit();
}

#[test]
fn clocks_are_heard() {
    let mut engine = Engine::start_with(&["gtp", "--hash", "1", "--time", "3600", "--variant", "iago"]);
    for settings in ["time_settings 0 1 0", "time_settings 60 0 0", "time_settings 5 30 9", "time_settings 0 1 10"] {
        assert_eq!(ok(&mut engine, settings), "");
    }
    // A tenth of a second for a turn, where without a clock it would be an hour.
    ok(&mut engine, "genmove w");
    ok(&mut engine, "genmove w");
    assert_eq!(ok(&mut engine, "time_left b 0 0"), "");
    ok(&mut engine, "genmove b");
    for wrong in
        ["time_settings 1 2", "time_settings -1 0 0", "time_settings x 0 0", "time_left w 1", "time_left red 1 1"]
    {
        assert!(fails(&mut engine, wrong).starts_with("syntax error"), "{wrong}");
    }
    engine.quit();
}

#[test]
fn analyses_are_text_and_graphics_that_gogui_reads() {
    let vertices = |text: &str| -> BTreeSet<String> { text.split(' ').skip(1).map(str::to_owned).collect() };
    // White has the left, Black the right.
    let mut engine = gtp(&["--fen", "Q1*1q/2*2/2*2 w"]);
    assert_eq!(ok(&mut engine, "gogui-analyze_commands").lines().next(), Some("string/Win Rate/hippolyta-win_rate"));
    for line in ok(&mut engine, "gogui-analyze_commands").lines() {
        let [_, _, command] = line.split('/').collect::<Vec<_>>()[..] else { panic!("{line}") };
        ok(&mut engine, command);
    }
    assert_eq!(ok(&mut engine, "gogui-rules_board_size"), "5 3");
    assert_eq!(ok(&mut engine, "boardsize 5"), "");
    let territory = ok(&mut engine, "hippolyta-territory");
    let lines: Vec<_> = territory.lines().collect();
    assert_eq!(vertices(lines[0]), ["D1", "D2", "D3", "E1", "E2"].map(str::to_owned).into());
    assert_eq!(vertices(lines[1]), ["A1", "A2", "B1", "B2", "B3"].map(str::to_owned).into());
    assert_eq!(lines[2], "TEXT turns left in own territory: White 5, Black 5, Black ahead by 0.5 turns");
    let ownership = ok(&mut engine, "hippolyta-ownership");
    assert!(ownership.starts_with("INFLUENCE B3 -1.00 D3 1.00 "), "{ownership}");
    assert!(ok(&mut engine, "hippolyta-win_rate").starts_with("White loses within "));
    let best = ok(&mut engine, "hippolyta-best_turn");
    assert!(best.starts_with("SQUARE A3\nCIRCLE ") && best.contains("\nMARK "), "{best}");
    assert!(ok(&mut engine, "hippolyta-eval").ends_with("(white side)"));
    assert_eq!(ok(&mut engine, "gogui-rules_captured_count"), "0 0");
    engine.quit();

    let mut engine = gtp(&["--variant", "iago", "--multipv", "3"]);
    let lines = ok(&mut engine, "hippolyta-lines");
    assert!(lines.lines().count() == 3 && lines.starts_with("1: White "), "{lines}");
    assert!(ok(&mut engine, "hippolyta-ownership").contains(" 0."));
    assert!(ok(&mut engine, "gogui-rules_board_gfx").contains("LABEL D10 Q G10 Q "));
    assert_eq!(fails(&mut engine, "hippolyta-territory"), "there is no territory in iago");
    engine.quit();

    let mut engine = gtp(&["--variant", "damone", "--fen", "8/8/8/8/8/5d2/4D3/8 w"]);
    assert_eq!(fails(&mut engine, "hippolyta-ownership"), "nobody owns squares in damone");
    assert_eq!(ok(&mut engine, "gogui-play_sequence w E2 w G4"), "");
    assert_eq!(ok(&mut engine, "gogui-rules_captured_count"), "0 1");
    assert_eq!(ok(&mut engine, "gogui-rules_final_result"), "White wins");
    assert_eq!(ok(&mut engine, "final_score"), "W+R");
    assert_eq!(ok(&mut engine, "hippolyta-lines"), "Black has lost");
    engine.quit();
}

#[test]
fn what_is_decided_is_told_and_what_is_lost_is_resigned() {
    // Both sides can fill five squares, and White must begin.
    let closed = ["--fen", "Q1*1q/2*2/2*2 w", "--nodes", "100"];
    let mut engine = gtp(&closed);
    assert_eq!(ok(&mut engine, "final_score"), "B+0.5");
    assert_eq!(
        ok(&mut engine, "gogui-rules_final_result"),
        "The game is not over, but decided: Black wins by 0.5 turns, the turns left are counted"
    );
    assert!(ok(&mut engine, "reg_genmove w").len() == 2);
    assert_eq!(ok(&mut engine, "genmove w"), "resign");
    assert!(fails(&mut engine, "genmove w").starts_with("the game is over: White resigns, Black wins"));
    assert_eq!(ok(&mut engine, "gogui-rules_legal_moves"), "");
    assert_eq!((ok(&mut engine, "final_score"), ok(&mut engine, "undo")), ("B+R".to_owned(), String::new()));
    // A play in between, and the settings, decide whether it does.
    ok(&mut engine, "hippolyta-settings resign off");
    assert_eq!(ok(&mut engine, "genmove w").len(), 2);
    assert_eq!(fails(&mut engine, "hippolyta-settings resign maybe"), "resign: 'maybe' is not on or off");
    ok(&mut engine, "clear_board");
    ok(&mut engine, "play b resign");
    assert_eq!(ok(&mut engine, "final_score"), "W+R");
    assert_eq!(fails(&mut engine, "play w resign"), "illegal move: the game is over");
    engine.quit();
    let mut engine = gtp(&[&closed[..], &["--no-resign"]].concat());
    assert_eq!(ok(&mut engine, "genmove w").len(), 2);
    engine.quit();
}

#[test]
fn settings_are_a_list_that_can_be_changed() {
    let mut engine = gtp(&["--variant", "amazons6"]);
    let before = ok(&mut engine, "hippolyta-settings");
    assert_eq!(
        before.lines().collect::<Vec<_>>(),
        [
            "[string] seconds_per_turn 5",
            "[string] positions_per_turn 200",
            "[string] level full",
            "[string] resign on",
            "[string] variety 0",
            "[string] lines 5",
            "[string] threads 1",
            "[string] hash 1",
            "[string] seed 0",
        ]
    );
    let values = ["0.5", "64", "1200", "off", "1", "2", "2", "2", "7"];
    for (line, value) in before.lines().zip(values) {
        let key = line.split(' ').nth(1).unwrap();
        assert_eq!(ok(&mut engine, &format!("hippolyta-settings {key} {value}")), "");
        assert!(fails(&mut engine, &format!("hippolyta-settings {key} x")).starts_with(&format!("{key}: 'x' is not ")));
        // Whatever is changed, the engine still searches.
        ok(&mut engine, "reg_genmove w");
        ok(&mut engine, "clear_cache");
    }
    let after = ok(&mut engine, "hippolyta-settings");
    assert!(after.lines().zip(values).all(|(line, value)| line.ends_with(&format!(" {value}"))), "{after}");
    assert_eq!(ok(&mut engine, "hippolyta-lines").lines().count(), 2);
    assert!(fails(&mut engine, "hippolyta-settings size 9").starts_with("no such setting: 'size', known are "));
    engine.quit();
}

#[test]
fn a_stream_goes_on_until_any_line() {
    for name in ["hippolyta-analyze", "kata-analyze"] {
        let mut engine = gtp(&["--variant", "amazons6"]);
        engine.send(&format!("5 {name} w 1 maxmoves 2"));
        assert_eq!(engine.next().unwrap(), "=5");
        for _ in 0..3 {
            let line = engine.next().unwrap();
            let infos: Vec<_> = line.split("info move ").skip(1).collect();
            assert!((1..=2).contains(&infos.len()), "{line}");
            for (order, info) in infos.iter().enumerate() {
                let words: Vec<_> = info.split_whitespace().collect();
                let fields: Vec<_> = words[1..10].iter().copied().step_by(2).collect();
                assert_eq!(fields, ["visits", "winrate", "prior", "order", "pv"], "{line}");
                assert_eq!((words[8], words[0]), (order.to_string().as_str(), words[10]), "{line}");
                assert!((0.0..=1.0).contains(&words[4].parse::<f64>().unwrap()), "{line}");
            }
        }
        // An empty line ends it as well, and is no command.
        engine.send("");
        while !engine.next().unwrap().is_empty() {}
        assert_eq!(ok(&mut engine, "name"), "Hippolyta");
        // Of a turn that has begun, the rest is reported.
        ok(&mut engine, "play w A2");
        engine.send(name);
        assert_eq!(engine.next().unwrap(), "=");
        let line = engine.next().unwrap();
        let legal = line.split(' ').nth(2).unwrap().to_owned();
        engine.send("8 gogui-rules_legal_moves");
        while !engine.next().unwrap().is_empty() {}
        assert!(engine.next().unwrap().split(' ').any(|vertex| vertex == legal), "{legal}");
        assert_eq!(engine.next().unwrap(), "");
        assert!(fails(&mut engine, &format!("{name} b")).starts_with("it is white's turn"));
        for wrong in ["red", "maxmoves 0", "interval", "maxmoves", "0.5"] {
            assert!(fails(&mut engine, &format!("{name} {wrong}")).starts_with("syntax error"), "{wrong}");
        }
        // The end of the input is the end of the stream.
        engine.send(name);
        engine.close_input();
        let (rest, status) = engine.end();
        assert!(rest.last().unwrap().is_empty() && status.success(), "{rest:?}");
    }
}

/// The first line of a stream, which is ended then.
fn first_of_stream(engine: &mut Engine, words: &str) -> String {
    engine.send(&format!("kata-analyze {words}"));
    assert_eq!(engine.next().unwrap(), "=", "{words}");
    let line = engine.next().unwrap();
    engine.send("");
    while !engine.next().unwrap().is_empty() {}
    line
}

/// The first squares of the moves of a line.
fn moves_of(line: &str) -> Vec<&str> {
    line.split("info move ").skip(1).map(|info| info.split(' ').next().unwrap()).collect()
}

#[test]
fn words_of_katago_act_or_are_refused_by_their_names() {
    let mut engine = gtp(&["--variant", "amazons6"]);
    let line = first_of_stream(&mut engine, "w 5 minmoves 40 rootInfo true ownership true pvVisits false");
    assert!((1..=40).contains(&moves_of(&line).len()), "{line}");
    let (_, root) = line.split_once(" rootInfo visits ").unwrap();
    let (root, owners) = root.split_once(" ownership ").unwrap();
    let [visits, "winrate", rate] = root.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
    assert!(visits.parse::<u64>().unwrap() > 0 && (0.0..=1.0).contains(&rate.parse::<f64>().unwrap()), "{line}");
    let owners: Vec<f64> = owners.split(' ').map(|owner| owner.parse().unwrap()).collect();
    assert!(owners.len() == 36 && owners.iter().all(|owner| owner.abs() <= 1.0), "{line}");
    assert!(owners.iter().any(|&owner| owner != 0.0), "{line}");
    let line = first_of_stream(&mut engine, "interval 5 maxmoves 1 rootInfo false ownership false");
    assert!(moves_of(&line).len() == 1 && !line.contains("rootInfo") && !line.contains("ownership"), "{line}");
    // Of the amazon that moves, and of the square it goes to.
    let line = first_of_stream(&mut engine, "w 5 allow w B1,E1 1 avoid w E1 1");
    assert!(moves_of(&line).iter().all(|&at| at == "B1"), "{line}");
    ok(&mut engine, "play w B1");
    let line = first_of_stream(&mut engine, "avoid w B2,B3 1 maxmoves 100");
    assert!(moves_of(&line).iter().all(|&at| at != "B2" && at != "B3"), "{line}");
    for (words, error) in [
        ("movesOwnership true", "movesOwnership is not known to this engine"),
        ("pvVisits true", "pvVisits is not known to this engine"),
        ("pvEdgeVisits true", "pvEdgeVisits is not known to this engine"),
        ("noResultValue true", "noResultValue is not known to this engine"),
        ("ownershipStdev true", "ownershipStdev is not known to this engine"),
        ("ownership maybe", "syntax error: ownership is true or false"),
        ("ownership", "syntax error: a value is expected after ownership"),
        ("allow w", "syntax error: a value is expected after allow"),
        ("allow w B2 3", "allow is for the next play: the depth that ends it is 1"),
        ("avoid b B2 1", "it is white's turn"),
        ("allow w E1 1", "no legal turn is allowed and not avoided"),
        ("allow w X9 1", "syntax error: 'X9' is not a vertex"),
        ("minmoves -1", "syntax error: minmoves is a number from 0 to 500"),
        ("maxmoves 2 minmoves 3", "minmoves is more than maxmoves"),
        ("w 5 wide true", "syntax error: 'wide' means nothing here"),
    ] {
        let said = fails(&mut engine, &format!("kata-analyze {words}"));
        assert!(said.starts_with(error), "{words}: {said}");
    }
    engine.quit();
    let mut engine = gtp(&["--variant", "damone"]);
    assert_eq!(fails(&mut engine, "kata-analyze w ownership true"), "nobody owns squares in damone");
    engine.quit();
}

#[test]
fn an_interruption_ends_a_search_and_nothing_is_lost() {
    let mut engine = Engine::start_with(&["gtp", "--hash", "1", "--time", "86400"]);
    engine.send("1 genmove w");
    engine.send("2 name");
    engine.send("# interrupt");
    let answers: Vec<_> = std::iter::from_fn(|| engine.next()).take(4).collect();
    assert!(answers[0].starts_with("=1 ") && answers[2] == "=2 Hippolyta", "{answers:?}");
    assert_eq!(ok(&mut engine, "3 undo"), "3 ");
    // However many lines wait before it.
    engine.send(&format!("genmove w\n{}# interrupt", "name\n".repeat(1_000)));
    for line in 0..2_002 {
        assert!(engine.next().is_some(), "{line}");
    }
    engine.quit();
}

#[test]
fn every_line_has_one_answer_in_random_dialogues() {
    const LINES: &[&str] = &[
        "genmove w",
        "genmove b",
        "genmove",
        "genmove red",
        "reg_genmove w",
        "play w D1",
        "play b pass",
        "play",
        "undo",
        "gg-undo -1",
        "gg-undo 99999999999999999999",
        "clear_board",
        "boardsize 10",
        "boardsize -1",
        "boardsize x",
        "time_settings 0 0.5 3",
        "time_settings 1e999 -0 0",
        "time_settings 5 5 -1",
        "time_left w -3 0",
        "time_left b 0.01 1",
        "time_left b nan 0",
        "komi nan",
        "hippolyta-analyze w 1",
        "kata-analyze 1 maxmoves 0",
        "hippolyta-lines",
        "hippolyta-settings lines 2",
        "hippolyta-settings nodes",
        "hippolyta-territory",
        "final_score",
        "gogui-play_sequence w D1 w D7 w",
        "known_command",
        "list_commands",
        "showboard",
        "",
        "castle",
    ];
    for script in scripts(13, 5, 60, LINES) {
        let mut engine = gtp(&["--nodes", "20"]);
        let lines: String = script.iter().enumerate().map(|(id, line)| format!("{id} {line}\n")).collect();
        engine.send_bytes(format!("\u{feff}{lines}").as_bytes());
        engine.close_input();
        let (said, status) = engine.end();
        assert!(status.success());
        let ids: Vec<_> = said
            .iter()
            .filter_map(|line| line.strip_prefix(['=', '?'])?.split(' ').next()?.parse::<usize>().ok())
            .collect();
        assert_eq!(ids, (0..script.len()).collect::<Vec<_>>(), "{script:#?}\n{said:#?}");
    }
}

#[test]
fn bad_input_gets_one_clear_line_and_the_process_lives() {
    let mut engine = gtp(&[]);
    engine.send_bytes(b"\xff\xfe name\nname \xc3\n");
    assert_eq!(engine.next().unwrap(), "? this is UTF-16; save it as UTF-8");
    assert_eq!(engine.next().unwrap(), "");
    assert_eq!(engine.next().unwrap(), "= Hippolyta");
    assert_eq!(engine.next().unwrap(), "");
    engine.send(&"x".repeat((1 << 22) + 1));
    assert_eq!(engine.next().unwrap(), "? a line of more than 4194304 bytes");
    assert_eq!(engine.next().unwrap(), "");
    assert_eq!(fails(&mut engine, &format!("play w {}", "A".repeat(9_999))).chars().count(), 603);
    assert_eq!(raw(&mut engine, "123456789012 name"), "? unknown command");
    engine.close_input();
    let (rest, status) = engine.end();
    assert!(rest.is_empty() && status.success());
    let (output, errors, code) = command(&["gtp", "--fen", "nonsense"]);
    assert!(output.is_empty() && errors.starts_with("hippolyta: FEN: ") && code == 1, "{errors}");
    let (_, errors, code) = command(&["gtp", "--time", "0"]);
    assert!(errors.contains("seconds from 0.01 to 86400 are expected") && code == 2, "{errors}");
}
