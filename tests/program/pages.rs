//! Pages that the program writes: a review, and the results of a match. They stand alone, say what happened, and their
//! games can be replayed by the data in them.

use crate::child::command;
use crate::common::folder::Folder;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// Elements without an end.
const VOID: &[&str] = &["meta", "input", "!doctype"];

/// The part of a text between two others.
fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let (_, rest) = text.split_once(from).unwrap_or_else(|| panic!("no {from}"));
    rest.split_once(to).unwrap_or_else(|| panic!("no {to} after {from}")).0
}

/// A page without the contents of its scripts and style sheets, which are no markup.
fn markup(page: &str) -> String {
    let mut text = page.to_owned();
    for name in ["script", "style"] {
        let (open, close) = (format!("<{name}"), format!("</{name}>"));
        let mut rest = text.as_str();
        let mut kept = String::new();
        while let Some((before, inside)) = rest.split_once(&open) {
            let (attributes, after) = inside.split_once('>').unwrap();
            rest = &after[after.find(&close).unwrap()..];
            kept += &format!("{before}{open}{attributes}>");
        }
        text = kept + rest;
    }
    text
}

/// Every page of ours has closed elements, names that are there once, nothing from elsewhere, one main heading.
fn stands_alone(page: &str) {
    let text = markup(page);
    let mut open = Vec::new();
    for tag in text.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').unwrap_or_else(|| panic!("a bare <: {tag}"));
        let name = tag.split([' ', '/']).next().unwrap();
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{tag}");
        } else if !tag.ends_with('/') && !VOID.contains(&name) {
            open.push(name);
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
    }
    assert!(open.is_empty(), "{open:?}");
    let values = |name: &str| {
        let begin = format!(" {name}=\"");
        let parts = text.split(&begin).skip(1);
        parts.map(|rest| rest.split('"').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let ids = values("id");
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
    for link in values("href") {
        let is_position = link.starts_with("#g") && link.contains('-');
        // A file that the page carries with it loads nothing.
        if link.starts_with("data:application/x-chess-pgn;charset=utf-8,") {
            continue;
        }
        assert!(is_position || link.strip_prefix('#').is_some_and(|id| ids.iter().any(|known| known == id)), "{link}");
    }
    // The script names the namespace of SVG, which is no address.
    let rest = page.replace("http://www.w3.org/2000/svg", "");
    assert!(["http://", "https://", "@import", " src=", "url(\""].iter().all(|part| !rest.contains(part)));
    assert!(page.contains("default-src 'none'"));
    assert_eq!(text.matches("<h1").count(), 1);
    // Pictures say what they are.
    for svg in text.split("<svg ").skip(1).map(|rest| rest.split('>').next().unwrap()) {
        assert!(svg.contains("aria-label=") || svg.contains("aria-hidden="), "{svg}");
    }
    assert_eq!(text.matches("<button ").count(), text.matches("<button type=\"button\"").count());
}

/// The games of a page.
fn games(page: &str) -> Vec<Value> {
    serde_json::from_str(between(page, "id=\"games\">", "</script>")).unwrap()
}

fn squares(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, c) in text.char_indices().filter(|(_, c)| ('a'..='k').contains(c)) {
        let digits: String = text[at + 1..].chars().take_while(char::is_ascii_digit).collect();
        if !digits.is_empty() {
            found.push(format!("{c}{digits}"));
        }
    }
    found
}

/// The pieces by their squares, from the board of a FEN.
fn read(board: &str) -> BTreeMap<String, char> {
    let ranks: Vec<_> = board.split('/').collect();
    let mut pieces = BTreeMap::new();
    for (down, rank) in ranks.iter().enumerate() {
        let (mut file, mut run) = (0, 0);
        for letter in rank.chars() {
            if let Some(digit) = letter.to_digit(10) {
                run = run * 10 + digit;
                continue;
            }
            file += std::mem::take(&mut run);
            let name = char::from(b'a' + file as u8);
            pieces.insert(format!("{name}{}", ranks.len() - down), letter);
            file += 1;
        }
    }
    pieces
}

/// The end of a game, by the rule of the page's script.
fn replayed(game: &Value) -> BTreeMap<String, char> {
    let mut pieces = read(game["s"].as_str().unwrap());
    for turn in game["t"].as_array().unwrap() {
        let way = squares(turn[0].as_str().unwrap());
        let fires = !game["k"].as_str().unwrap().starts_with("damone") && way.len() > 2;
        let piece = pieces.remove(&way[0]).unwrap();
        pieces.insert(way[if fires { 1 } else { way.len() - 1 }].clone(), piece);
        for (square, letter) in changes(turn[1].as_str().unwrap()) {
            if letter == '.' {
                pieces.remove(&square);
            } else {
                pieces.insert(square, letter);
            }
        }
    }
    pieces
}

/// Squares with what stands there now: `a10*b2.`.
fn changes(text: &str) -> Vec<(String, char)> {
    let (mut found, mut rest) = (Vec::new(), text);
    while let Some(end) = rest.char_indices().skip(1).find(|(_, c)| !c.is_ascii_digit()).map(|(at, _)| at) {
        let letter = rest[end..].chars().next().unwrap();
        found.push((rest[..end].to_owned(), letter));
        rest = &rest[end + letter.len_utf8()..];
    }
    assert_eq!(rest, "", "{text}");
    found
}

#[test]
fn a_review_is_a_page_that_stands_alone() {
    let folder = Folder::new("page-review");
    let (file, page) = (folder.path("game.pgn"), folder.path("review.html"));
    let text = "[White \"</script><script>alert(1)</script>\"]\n[Black \"B & \\\"C\\\"\"]\n[Variant \"amazons6\"]\n\
                [Event \"A <b>club</b>\"]\n\n1. b1b4,b4c4 {book} e6e5,e5d5 {book} 2. e1e4,e4e2 a5a4,a4a3 3. a2b1,b1a1 \
                f5f3,f3e3 4. f2f1,f1e1 a4b5,b5a5 1-0\n";
    fs::write(&file, text).unwrap();
    let arguments = ["review", &file, "--nodes", "500", "--threads", "2"];
    let (out, errors, code) = command(&[&arguments[..], &["--html", &page]].concat());
    assert_eq!((out.as_str(), errors.as_str(), code), ("", "", 0));
    let (report, _, _) = command(&arguments);
    let html = fs::read_to_string(&page).unwrap();
    stands_alone(&html);
    assert!(!html.contains("<script>alert") && !html.contains("<b>") && html.contains("B &amp; &quot;C&quot;"));

    // The judgements are those of the text.
    let number = between(&report, "\nMistakes: ", "\n");
    let mistakes: usize = if number == "none" { 0 } else { number.parse().unwrap() };
    assert!(mistakes > 0, "{report}");
    assert_eq!(html.matches("<article class=\"puzzle\">").count(), mistakes);
    assert_eq!(html.matches("<summary>Show the answer</summary>").count(), mistakes);
    // What there is to learn stands in both, at most three sentences that speak of all mistakes with a reason.
    let lessons = between(&report, "\nMistakes: ", "\n\n").lines().skip(1).map(str::trim).collect::<Vec<_>>();
    assert!((1..=3).contains(&lessons.len()), "{report}");
    let told = between(&html, "<ul class=\"lessons\">\n", "</ul>");
    assert_eq!(told, lessons.iter().map(|lesson| format!("<li>{lesson}</li>\n")).collect::<String>());
    let count = |lesson: &&str| -> usize { lesson.split(' ').next().unwrap().parse().unwrap() };
    assert!(lessons.iter().map(count).sum::<usize>() <= mistakes, "{report}");
    assert_eq!(html.matches("<tr id=\"t1-").count(), 8);
    assert_eq!(html.matches("<td>book</td>").count(), 2);
    // One sign for each on the graph.
    assert_eq!(between(&html, "<div class=\"graph-box\">", "</div>").matches("graph-mark").count(), mistakes);
    for line in report.lines().filter(|line| line.starts_with("Accuracy")) {
        let shares: Vec<_> = line.split_whitespace().filter(|word| word.chars().all(|c| c.is_ascii_digit())).collect();
        let cards: Vec<_> =
            html.split("<div class=\"big\">").skip(1).map(|rest| rest.split(" %").next().unwrap()).collect();
        assert_eq!(shares, cards);
    }
    // Turns are spelled as everywhere else.
    assert!(html.contains(">a5a4,a4a3</a>") && games(&html)[0]["t"][0][0] == "b1b4,b4c4", "{html}");
    // Its numbers are said.
    assert!(html.contains("From 5 % on it is an inaccuracy, from 10 % a mistake, from 20 % a blunder"));
    assert!(html.contains("500 nodes for each position"));

    let games = games(&html);
    assert_eq!((games.len(), games[0]["t"].as_array().unwrap().len()), (1, 8));
    assert!(games[0]["t"][0][2].as_str().unwrap().ends_with("book"));
    let end = between(html.rsplit("<h2>The end</h2>").next().unwrap(), "<code>", " ");
    assert_eq!(replayed(&games[0]), read(end));
}

#[test]
fn the_head_of_a_review_leaves_out_what_nobody_knows() {
    let folder = Folder::new("page-head");
    let (file, page) = (folder.path("game.pgn"), folder.path("review.html"));
    for (tags, expected) in [
        (
            [("Event", "?"), ("Site", "-"), ("Date", "2020.07.??"), ("Round", "1"), ("TimeControl", "-")],
            "amazons6 · no result · 1 turn · 2020.07 · round 1",
        ),
        (
            [("Event", "Cup"), ("Site", ""), ("Date", "????.??.??"), ("Round", "-"), ("TimeControl", "60+1")],
            "amazons6 · no result · 1 turn · Cup · 60+1",
        ),
    ] {
        let head: String = tags.map(|(name, value)| format!("[{name} \"{value}\"]\n")).concat();
        let text = format!("{head}[White \"?\"]\n[Black \"Ann\"]\n[Variant \"amazons6\"]\n\n1. b1b4,b4c4 *\n");
        fs::write(&file, text).unwrap();
        assert_eq!(command(&["review", &file, "--nodes", "50", "--html", &page, "--force"]).2, 0);
        let html = fs::read_to_string(&page).unwrap();
        assert_eq!(between(&html, "<p class=\"lead\">", "</p>"), expected);
        assert_eq!(between(&html, "<h1>", "</h1>"), "White against Ann");
    }
}

#[test]
fn territories_are_drawn_once_they_are_closed() {
    let folder = Folder::new("page-territory");
    let file = folder.path("game.pgn");
    // White can fill two squares at first that nobody else reaches, then fewer.
    let fen = "Q1*1q/2*2/2*2 w - - 0 1";
    fs::write(&file, format!("[FEN \"{fen}\"]\n\n1. a3a2,a2a3 e3e2,e2e3 *\n")).unwrap();
    let page = folder.path("review.html");
    let (_, errors, code) = command(&["review", &file, "--nodes", "50", "--html", &page]);
    assert_eq!((errors.as_str(), code), ("", 0));
    let html = fs::read_to_string(&page).unwrap();
    stands_alone(&html);
    let end = html.rsplit("<h2>The end</h2>").next().unwrap();
    // Five squares each with an amazon among them, four turns each.
    assert_eq!((end.matches("settled of-white").count(), end.matches("settled of-black").count()), (5, 5));
    assert!(end.contains("White 4, Black 4.") && end.contains(">4</text>"), "{end}");
    assert!(html.contains("There was no inaccuracy, no mistake and no blunder."));
}

#[test]
fn positions_are_reviewed_as_people_have_them_and_in_the_form_that_is_asked_for() {
    let folder = Folder::new("review-list");
    let start = "1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1";
    let second = "1q2q1/q4q/1Q*3/6/Q4Q/4Q1 b - - 0 1";
    let third = "1q2q1/q5/1Q*3/4*q/Q4Q/4Q1 w";
    let write = |name: &str, text: String| {
        let path = folder.path(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let turns = "b1b4,b4c4 f5f3,f3e3";
    let pgn = write("a.pgn", format!("[Variant \"amazons6\"]\n\n1. {turns} *\n"));
    let fens = write("a.txt", format!("{start}\n{second}\n{third}\n"));
    let prefixes = write("turns.txt", format!("b1b4,b4c4\n{turns}\n"));
    let review = |file: &str, more: &[&str]| {
        let words = ["review", file, "--nodes", "60", "--variant", "amazons6"];
        command(&[&words[..], more].concat())
    };
    for format in [&[][..], &["--format", "csv"], &["--format", "json", "--view", "white"]] {
        let (of_game, errors, code) = review(&pgn, format);
        assert_eq!((errors.as_str(), code), ("", 0));
        assert_eq!(review(&fens, format), (of_game.clone(), String::new(), 0));
        assert_eq!(review(&prefixes, format), (of_game, String::new(), 0));
    }
    let rows = |view: &str| {
        let text = review(&fens, &["--format", "csv", "--view", view]).0;
        let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(lines.next().unwrap()[..8].join(","), "turn,number,side,played,best,before,after,loss");
        lines.collect::<Vec<_>>()
    };
    let (mover, white) = (rows("mover"), rows("white"));
    assert_eq!((mover.len(), &mover[0], mover[1][2].as_str()), (2, &white[0], "black"));
    assert_ne!(mover[1], white[1]);
    let table = review(&fens, &["--view", "white"]).0;
    assert!(table.contains("Scores with the best turn and after the one played are White's."), "{table}");
    // A gap is said, and the games are chosen by their number.
    let gap = write("gap.txt", format!("{start}\n{third}\nno position\n"));
    let (text, errors, code) = review(&gap, &["--game", "2"]);
    assert!(code == 1 && text.contains("No turn was played. White to move"), "{text}{errors}");
    let said = [
        format!("hippolyta: {gap}:3:1: game 3: 'no position' is not a position; the game is left out"),
        format!("hippolyta: {gap}: 2 games: no turn leads from the position before to line 2"),
        format!("hippolyta: {gap}: turns were left out"),
    ];
    assert_eq!(errors.lines().collect::<Vec<_>>(), said);
    let (_, errors, code) = review(&gap, &["--game", "3"]);
    assert!(code == 1 && errors.ends_with(&format!("hippolyta: --game 3: {gap} has 2 games\n")), "{errors}");
}

#[test]
fn what_cannot_be_reviewed_gets_one_line() {
    let folder = Folder::new("page-errors");
    let file = |name: &str, text: &str| {
        let path = folder.path(name);
        fs::write(&path, text).unwrap();
        path
    };
    let good = file("good.pgn", "[Variant \"amazons6\"]\n\n1. b1b4,b4c4 *\n");
    let empty = file("empty.sgf", "\n");
    let (there, nowhere, missing) =
        (file("there.html", "mine"), folder.path("no/page.html"), folder.path("missing.pgn"));
    for (arguments, expected) in [
        (vec![missing.as_str()], "missing.pgn: "),
        (vec![&empty], "empty.sgf: there is no game"),
        (vec![&good, "--game", "2"], "--game 2: "),
        (vec![&there], "there.html: this is no PGN, SGF, JSON of games, FEN or line of turns"),
        (vec![&folder.path("")], "is a folder; give files in it"),
        (vec![&good, "--html", &there], "there.html exists already; --force writes over it"),
        (vec![&good, "--nodes", "1", "--html", &nowhere], "--html: there is no folder "),
    ] {
        let (out, errors, code) = command(&[&["review"], &arguments[..]].concat());
        assert_eq!((out.as_str(), code), ("", 1), "{arguments:?}");
        assert!(errors.contains(expected) && errors.lines().count() == 1, "{arguments:?}: {errors}");
    }
    assert_eq!(fs::read_to_string(&there).unwrap(), "mine");
    for arguments in [["--time", "0"], ["--time", "x"], ["--nodes", "0"], ["--threads", "0"]] {
        let (_, errors, code) = command(&[&["review", &good], &arguments[..]].concat());
        assert!(code == 2 && errors.contains(arguments[1]), "{errors}");
    }
    // A game without turns has nothing to judge.
    let none = file("none.pgn", "[Variant \"amazons6\"]\n\n*\n");
    let (out, _, code) = command(&["review", &none, "--nodes", "50"]);
    assert!(code == 0 && out.contains("No turn was played. White to move: "), "{out}");
    let page = folder.path("none.html");
    assert_eq!(command(&["review", &none, "--time", "0.01", "--html", &page]).2, 0);
    stands_alone(&fs::read_to_string(page).unwrap());
}

#[test]
fn results_are_a_page_with_every_game() {
    let folder = Folder::new("page-results");
    let (out, page) = (folder.path("out"), folder.path("results.html"));
    let mut arguments = vec!["match"];
    for name in ["name=<Ada>", "name=Bob", "name=Cid & Co"] {
        arguments.extend(["--engine", "cmd=self", name]);
    }
    let more = ["--each", "nodes=20", "--games", "2", "--variant", "amazons6", "--out", &out, "--html", &page];
    let (_, errors, code) = command(&[&arguments[..], &more].concat());
    assert_eq!((errors.as_str(), code), ("", 0));
    let html = fs::read_to_string(&page).unwrap();
    stands_alone(&html);
    for text in [
        "<h1>Round-robin of 3 engines</h1>",
        "amazons6 · 6 games",
        "<th scope=\"row\">&lt;Ada&gt;</th>",
        "<th scope=\"row\">by the rules</th><td class=\"number\">6</td>",
        "<h2>Strength over games</h2>",
        "<code>name=Cid &amp; Co</code>",
        "<th scope=\"row\">Games of each pairing in a round</th><td class=\"wide\">2</td>",
        "--each nodes=20 --games 2 --variant amazons6",
    ] {
        if text == "<h2>Strength over games</h2>" {
            // Six games say too little.
            assert!(!html.contains(text));
        } else {
            assert!(html.contains(text), "{text}");
        }
    }
    let records = fs::read_to_string(format!("{out}/games.jsonl")).unwrap();
    let records: Vec<Value> = records.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let games = games(&html);
    assert_eq!((records.len(), games.len()), (6, 6));
    for (number, (record, game)) in records.iter().zip(&games).enumerate() {
        let fen = record["final_fen"].as_str().unwrap();
        assert_eq!(replayed(game), read(fen.split(' ').next().unwrap()));
        let turns = record["moves"].as_array().unwrap().len();
        assert_eq!(game["t"].as_array().unwrap().len(), turns);
        assert!(html.contains(&format!("href=\"#g{}-{turns}\"", number + 1)));
    }
    // The page carries the games as PGN.
    let address = html.split("href=\"data:application/x-chess-pgn;charset=utf-8,").nth(1).unwrap();
    let mut parts = address.split('"').next().unwrap().split('%');
    let mut pgn = parts.next().unwrap().as_bytes().to_vec();
    for part in parts {
        pgn.push(u8::from_str_radix(&part[..2], 16).unwrap());
        pgn.extend_from_slice(&part.as_bytes()[2..]);
    }
    assert_eq!(pgn, fs::read(format!("{out}/games.pgn")).unwrap());
    // The points of the cross table are those of the games.
    let row = html.split("<th scope=\"row\">Bob</th>").nth(1).unwrap().split("</tr>").next().unwrap();
    let cells: Vec<_> =
        row.split("<td class=\"number\">").skip(1).map(|cell| cell.split('<').next().unwrap()).collect();
    let wins = |name: &str| {
        let won = |record: &&Value| {
            let (white, black) = (record["white"] == name, record["black"] == name);
            (white && record["result"] == "1-0") || (black && record["result"] == "0-1")
        };
        records.iter().filter(won).count().to_string()
    };
    assert_eq!((cells[1], cells[2]), (wins("Bob").as_str(), "4"));

    // The page from the folder is equal; and a file that is there is left alone, unless asked.
    let again = folder.path("again.html");
    assert_eq!(command(&["match", "--results", &out, "--html", &again]), (String::new(), String::new(), 0));
    assert_eq!(fs::read_to_string(&again).unwrap(), html);
    assert_eq!(command(&["match", "--results", &out, "--html", &again, "--force"]).2, 0);
    let (_, errors, code) = command(&["match", "--results", &out, "--html", &again]);
    assert!(code == 1 && errors.ends_with("again.html exists already; --force writes over it\n"), "{errors}");
    let (_, errors, code) = command(&["match", "--html", &again, "--engine", "cmd=self", "--engine", "cmd=self"]);
    assert!(code == 1 && errors.contains("--out is needed"), "{errors}");
    let (_, errors, code) = command(&["match", "--results", &out, "--games", "4"]);
    assert!(code == 2 && errors.contains("cannot be used with"), "{errors}");
}

#[test]
fn flips_and_captures_are_replayed() {
    let folder = Folder::new("page-flips");
    for variant in ["iago", "cassio", "damone"] {
        let (out, page) = (folder.path(variant), folder.path(&format!("{variant}.html")));
        let engines = ["--engine", "cmd=self", "name=a", "--engine", "cmd=self", "name=b", "--each", "nodes=5"];
        let more = ["--games", "8", "--variant", variant, "--out", &out, "--maxmoves", "60", "--html", &page];
        let (_, errors, code) = command(&[&["match"], &engines[..], &more[..]].concat());
        // Where draws are usual, that is said.
        let usual = errors.lines().filter(|line| line.contains("of 100 long games between equals")).count();
        assert_eq!((usual, errors.lines().count(), code), (usize::from(variant != "iago"), usual, 0), "{errors}");
        let html = fs::read_to_string(&page).unwrap();
        stands_alone(&html);
        // Unless one has won them all.
        assert_eq!(html.contains("<h2>Strength over games</h2>"), html.contains("class=\"band\""));
        let records = fs::read_to_string(format!("{out}/games.jsonl")).unwrap();
        for (line, game) in records.lines().zip(games(&html)) {
            let record: Value = serde_json::from_str(line).unwrap();
            let fen = record["final_fen"].as_str().unwrap();
            assert_eq!(replayed(&game), read(fen.split(' ').next().unwrap()), "{variant}");
        }
    }
}
