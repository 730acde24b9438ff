use super::*;
use hippolyta::engine::Board;
use hippolyta::games::general::{RuleSet, RulesFile};
use hippolyta::games::variant::{DEFAULT, VARIANTS, find};
use proptest::prelude::*;
use std::io::BufReader;

const FORMATS: [Format; 3] = [Format::Pgn, Format::Sgf, Format::Jsonl];

/// All games of a text, and what is wrong with them, in its order.
pub(super) fn read(format: Format, text: &[u8]) -> (Vec<Record>, Vec<Damage>) {
    let (mut records, mut damages) = (Vec::new(), Vec::new());
    let mut reader = Reader::new(format, text, DEFAULT);
    loop {
        let found = reader.next();
        damages.extend(reader.warnings());
        match found {
            Some(Ok(record)) => records.push(record),
            Some(Err(ReadError::Damaged(damage))) => damages.push(damage),
            Some(Err(error)) => panic!("{error}"),
            None => return (records, damages),
        }
    }
}

fn turns(record: &Record) -> Vec<String> {
    record.main_line().map(|entry| entry.turn.to_string()).collect()
}

fn written(format: Format, records: &[Record]) -> String {
    let (mut writer, mut text) = (Writer::new(format), Vec::new());
    records.iter().for_each(|record| writer.write(record, &mut text).unwrap());
    String::from_utf8(text).unwrap()
}

fn only(format: Format, text: &str) -> Record {
    let (mut records, damages) = read(format, text.as_bytes());
    assert!(records.len() == 1 && damages.is_empty(), "{damages:?}\n{text}");
    records.remove(0)
}

/// A damage and its place, without the number of the game.
fn said(damage: &Damage) -> String {
    format!("{}:{}: {}", damage.line, damage.column, damage.text())
}

fn damage(format: Format, text: &str) -> String {
    let (_, damages) = read(format, text.as_bytes());
    damages.first().map(said).unwrap_or_else(|| panic!("nothing is wrong with {text}"))
}

/// Rule sets of one's own, each with something that a record must say of it.
const OWN: &str = r#"
[knights]
title = "Knight's \"Amazons\""
description = "Two\nlines ] } \\ of words."
like = "amazons6"
moves = "N"
fires = "N"

[stones]
start = "q1s2/5/2*2/5/S2Q1 w m"
moves = "Q3"
leaves = "own"
flips = "lines"
passes = ["pieces", "stones"]
stuck = "fewest-stones"
equal = "white"

[holds]
start = "2q/3/3/Q2 b"
fire-at = "left"
fire-optional = true
stuck = "wins"

[border]
like = "desdemona"
rim-barred = false
"#;

/// The rule sets of [`OWN`].
fn own() -> Vec<Variant> {
    RulesFile::parse("own", OWN).unwrap().sets.iter().map(RuleSet::variant).collect()
}

/// A random game with variations, comments, notes and tags.
fn random(variant: &Variant, choices: &[u16], words: &[String]) -> Record {
    let mut draft = Draft::new(variant);
    let mut choices = choices.iter().map(|&choice| usize::from(choice));
    let mut words = words.iter().cycle();
    let mut boards = vec![(0, Board::new(variant))];
    for name in ["White", "Event", "TimeControl", "Termination", "Annotator", "Date", "Opening"] {
        if choices.next().unwrap_or(0) % 2 == 1 {
            draft.tags.insert(name.to_owned(), words.next().cloned().unwrap_or_default());
        }
    }
    while let Some(choice) = choices.next() {
        // Mostly at the end of the main line.
        let from = if choice % 5 == 0 { choice / 5 % boards.len() } else { boards.len() - 1 };
        let (turn, mut board) = (boards[from].0, boards[from].1.clone());
        let legal = board.legal_turns().all();
        if legal.is_empty() {
            continue;
        }
        let played = &legal[choice % legal.len()];
        board.play_turn(played).unwrap();
        let turn = draft.turn(turn, played.to_string(), 0);
        boards.push((turn, board));
        let kind = choices.next().unwrap_or(0);
        if kind % 4 == 1 {
            draft.plain_comment(turn, words.next().map_or("", String::as_str));
        }
        let number = kind as u64;
        let note = Note {
            book: kind % 7 == 1,
            score: (kind % 3 > 0).then(|| {
                if kind % 3 == 1 { Score::Cp(kind as i32 - 9_999) } else { Score::Mate(kind as i32 % 40 - 20) }
            }),
            depth: (kind % 5 > 0).then_some(kind as u32),
            nodes: (kind % 6 > 0).then_some(number * 12_345),
            time_us: Some(number * 1_000),
            clock_ms: (kind % 8 > 2).then_some(number * 17),
        };
        if kind % 2 == 0 {
            draft.set_note(turn, if note.book { Note { book: true, ..Note::default() } } else { note });
        }
    }
    draft.named = true;
    draft.check(&mut Warnings::default(), &|| true).unwrap()
}

fn comments() -> impl Strategy<Value = Vec<String>> {
    let word = prop_oneof![
        "[ -~]{0,12}",
        "\\PC{0,6}",
        Just("} ] [ { ( ) \\ \" ; % : $1".to_owned()),
        Just("two\nlines\n\n  and three ".to_owned()),
        Just("(;FF[4]GM[18]\n(;GM[18]".to_owned()),
        Just("[Event \"x\"]\n\n[Event \"y\"]".to_owned()),
        Just("+0.35/12 1.234s, tl=3s, n=5".to_owned()),
        Just("time".to_owned()),
        Just("2026.10.03".to_owned()),
    ];
    proptest::collection::vec(word, 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// A game that is written reads as the same game, in every format, and is written again with the same bytes.
    #[test]
    fn games_survive_every_format(index in 0..VARIANTS.len() + 4, choices in proptest::collection::vec(any::<u16>(), 0..60),
                                  words in comments()) {
        let record = random(VARIANTS.iter().chain(&own()).nth(index).unwrap(), &choices, &words);
        for format in FORMATS {
            let text = written(format, std::slice::from_ref(&record));
            let first = only(format, &text);
            prop_assert_eq!(&first.turns.iter().map(|entry| (&entry.turn, entry.parent)).collect::<Vec<_>>(),
                            &record.turns.iter().map(|entry| (&entry.turn, entry.parent)).collect::<Vec<_>>());
            prop_assert_eq!((&first.variant, &first.fen, &first.final_fen, first.result()),
                            (&record.variant, &record.fen, &record.final_fen, record.result()));
            let once = written(format, std::slice::from_ref(&first));
            let again = only(format, &once);
            prop_assert_eq!(&again, &first);
            prop_assert_eq!(written(format, &[again]), once);
            if format == Format::Jsonl {
                prop_assert_eq!(&first.turns, &record.turns);
            }
        }
    }

    /// Whatever comes in, the places of errors are within it, and what is accepted is normal after one writing.
    #[test]
    fn damaged_texts_end_in_errors(format in 0..3_usize, choices in proptest::collection::vec(any::<u16>(), 0..30),
                                   words in comments(), changes in proptest::collection::vec((any::<u32>(), any::<u8>(), 0..4_u8), 1..12)) {
        let format = FORMATS[format];
        let variants = [DEFAULT, &find("damone").unwrap(), &own()[0]];
        let records = variants.map(|variant| random(variant, &choices, &words));
        let mut bytes = written(format, &records).into_bytes();
        for (place, byte, kind) in changes {
            let place = place as usize % bytes.len().max(1);
            match kind {
                0 => bytes[place] = byte,
                1 => drop(bytes.remove(place)),
                2 => bytes.insert(place, b"()[]{};\"\\\n:"[usize::from(byte) % 11]),
                _ => bytes.insert(place, byte),
            }
        }
        let (records, damages) = read(format, &bytes);
        let ends = |&byte: &u8| byte == b'\n' || byte == b'\r';
        let lines = 1 + bytes.iter().filter(|byte| ends(byte)).count();
        let longest = bytes.split(ends).map(<[u8]>::len).max().unwrap_or(0);
        for Damage { line, column, .. } in damages {
            prop_assert!(line >= 1 && line as usize <= lines, "{line}");
            prop_assert!(column >= 1 && column as usize <= longest + 1, "{column}");
        }
        let once = written(format, &records);
        let (again, damages) = read(format, once.as_bytes());
        prop_assert_eq!(damages, []);
        prop_assert_eq!(written(format, &again), once);
    }
}

#[test]
fn variations_comments_and_notes_are_read() {
    let text = "[Event \"A \\\"fine\\\" cup\"]\n[Variant \"amazons6\"]\n[White \"Ann\"]\n\n{ first } 1. b1-b4/c4! {+0.35/7 1.5s, tl=58.000s, n=900} \
                e6e5(d5) {hm} ({better} 1... e6e3,e3c3 $4 (1... e6e4/d4 ; to the end\n) 2. e1e2/e1) 2. e1e4,e4e2 1-0\n";
    let record = only(Format::Pgn, text);
    assert_eq!(
        (record.comment.as_str(), record.result(), record.tags["Event"].as_str()),
        ("first", "1-0", "A \"fine\" cup")
    );
    let [first, second, main, other, after, third] = &record.turns[..] else { panic!("{:?}", record.turns) };
    assert_eq!((first.turn.to_string().as_str(), first.comment.as_str()), ("b1b4,b4c4", "!"));
    assert_eq!((first.note.score, first.note.clock_ms), (Some(Score::Cp(35)), Some(58_000)));
    assert_eq!((second.comment.as_str(), second.parent, main.parent), ("hm", Some(0), Some(1)));
    assert_eq!(
        (other.turn.to_string().as_str(), other.comment.as_str(), other.parent),
        ("e6e3,e3c3", "better\n??", Some(0))
    );
    assert_eq!((after.turn.to_string().as_str(), after.parent), ("e1e2,e2e1", Some(3)));
    assert_eq!(
        (third.turn.to_string().as_str(), third.comment.as_str(), third.parent),
        ("e6e4,e4d4", "to the end", Some(0))
    );
    assert_eq!(turns(&record), ["b1b4,b4c4", "e6e5,e5d5", "e1e4,e4e2"]);
    let sgf = written(Format::Sgf, &[record]);
    assert!(sgf.contains(";B[bfbccc]V[0.35]BL[58.000]HN[+0.35/7 1.500s, tl=58.000s, n=900]C[!]"), "{sgf}");
}

#[test]
fn sgf_of_other_programs_is_read() {
    // White first, with the usual colours; and Black first, as the standard says.
    for (text, turn) in [
        ("(;GM[18]SZ[10]AW[dj][gj][ag][jg]AB[da][ga][ad][jd]PL[W];W[djddgd];B[dadcdb])", "d1d7,d7g7"),
        ("(;GM[18]FF[3];B[djddgd];W[dadcdb])", "d1d7,d7g7"),
        (
            "(;FF[1]GaMe[18]SiZe[8]AW[aa:ba][fa][hc]AB[ch][fh][af][hf]PL[B]PB[b]PW[w]RE[B+R];B[chcdcg]V[1.5];W[fafbfa])",
            "c1c5,c5c2",
        ),
    ] {
        let record = only(Format::Sgf, text);
        assert_eq!((record.turns[0].turn.to_string().as_str(), record.turns.len()), (turn, 2), "{text}");
        if record.tags.contains_key("White") {
            assert_eq!((record.tags["White"].as_str(), record.result()), ("b", "1-0"));
            assert_eq!(record.tags["Termination"], "resignation");
            assert_eq!(record.turns[0].note.score, Some(Score::Cp(150)));
        }
    }
}

#[test]
fn lines_of_a_match_and_files_of_the_page_are_read() {
    let line = r#"{"game":3,"opening":1,"variant":"damone","fen":"i1d1p3/3p4/d1p5/1p5P/p5P1/5P1D/4P3/3P1D1I w - - 0 1","white":"a","black":"b","moves":[{"move":"f1g2","book":true},"c8b7"],"result":"1-0","reason":"time","detail":"late","final_fen":""}"#;
    let record = only(Format::Jsonl, line);
    assert!(record.turns[0].note.book && record.tags["Game"] == "4" && record.tags["Termination"] == "time");
    let page = r#"{"format":"hippolyta-game","version":1,"variant":"amazons6","fen":null,"tags":{"White":"Ann"},"moves":["b1b4,b4c4",{"move":"e6e3,e3c3","comment":"Too far.","variations":[["e6e4,e4d4"]]}],"result":"*"}"#;
    let record = only(Format::Jsonl, page);
    assert_eq!((record.turns.len(), record.turns[1].comment.as_str()), (3, "Too far."));
    let error = damage(Format::Jsonl, &format!("\n{}", page.replace("e6e4,e4d4", "e6e4,e4e7")));
    assert!(error.starts_with("2:173: illegal move 'e6e4,e4e7'"), "{error}");
    assert!(
        damage(Format::Jsonl, r#"{"moves":[7]}"#)
            .starts_with("1:11: a turn or an object with 'move' is expected, not 7"),
        "{}",
        damage(Format::Jsonl, r#"{"moves":[7]}"#)
    );
}

#[test]
fn errors_say_where_and_hide_no_other_game() {
    for (format, text, error) in [
        (Format::Pgn, "[White \"a\"\n1. d1d7,d7g7 *", "1:1: a tag looks like"),
        (Format::Pgn, "1. d1d7,d7g7 (", "1:14: a variation ( has no end )"),
        (Format::Pgn, "1. d1d7,d7g7\n Nf6", "2:2: 'Nf6' is not a turn"),
        (Format::Pgn, "{", "1:1: a comment { has no end }"),
        (Format::Pgn, "[Variant \"chess\"]\n\n*", "1:1: unknown variant 'chess'"),
        (Format::Pgn, "é d1d7,d7g7", "1:1: 'é' is not a turn"),
        (Format::Pgn, "1. d1d7,d7g7 )", "1:14: a ) without its ("),
        (Format::Sgf, "(;GM[18];B[djddgz])", "1:10: 'djddgz' is not a turn of three points"),
        (Format::Sgf, "\n (;GM[1])", "2:3: GM[1] is another game"),
        (Format::Sgf, "(;GM[18]SZ[19])", "1:2: SZ[19]: boards go from 3 to 11"),
        (Format::Sgf, "(;GM[18];W[djddgd", "1:11: the value of W has no end ]"),
        (Format::Sgf, "(;GM[18];B[djddgd];B[gjgdgc])", "1:20: B[gjgdgc]: it is not this side's turn"),
        (Format::Sgf, "no game", "1:1: 'no game' belongs to no game"),
        (Format::Jsonl, "{\"moves\":", "1:9: EOF"),
        (Format::Jsonl, "{\"moves\":[],\"wit\":1}", "1:1: the field wit is not understood"),
        (Format::Fen, "startpos moves d1d7,d7g7 x", "1:26: 'x' behind a position is not understood"),
    ] {
        let found = damage(format, text);
        assert!(found.starts_with(error), "{found}\n{error}");
    }
    let good = random(DEFAULT, &[3, 8, 1, 9, 14, 22], &["a".to_owned()]);
    for (format, bad) in [
        (Format::Pgn, "[Event \"bad\"]\n\n1. d1d7,d7g7 {open\n\n"),
        (Format::Sgf, "(;GM[18]C[open\n"),
        (Format::Jsonl, "{\n"),
    ] {
        let game = written(format, std::slice::from_ref(&good));
        let (records, damages) = read(format, format!("{game}{bad}{game}{bad}").as_bytes());
        // Of JSON that is not whole nothing can be told, and a game of which no turn is read is none.
        let games = if format == Format::Pgn { 4 } else { 2 };
        assert_eq!((records.len(), damages.len()), (games, 2), "{damages:?}");
        for record in [&records[0], &records[games / 2]] {
            assert_eq!((&record.turns, record.tags.get("White")), (&good.turns, good.tags.get("White")));
        }
    }
    let two = "(;GM[18];B[djddgd])  (;GM[18];B[djddgx])";
    assert!(damage(Format::Sgf, two).starts_with("1:31: 'djddgx'"), "{}", damage(Format::Sgf, two));
}

#[test]
fn what_is_too_large_is_refused_and_the_next_game_read() {
    let mut text = "[Event \"large\"]\n\n{".to_owned();
    text.push_str(&("x".repeat(999) + "\n").repeat(source::MOST / 1_000 + 1));
    text.push_str("} *\n\n[Event \"small\"]\n\n1. d1d7,d7g7 *\n");
    let (records, damages) = read(Format::Pgn, text.as_bytes());
    assert_eq!((records.len(), records[0].tags["Event"].as_str()), (1, "small"));
    assert_eq!(damages[0].to_string(), "1:1: game 1: a game of more than 16 MiB; the game is left out");
    // Whatever it is of which there is too much; blanks are nothing.
    for (format, head, filler, game, message) in [
        (Format::Fen, "", "x", "startpos", "1:1: a game of more than 16 MiB"),
        (Format::Jsonl, "", "x", r#"{"moves":[]}"#, "1:1: 'x"),
        (Format::Jsonl, r#"{"moves":[]}"#, "x", r#"{"moves":[]}"#, "1:1: a game of more than 16 MiB"),
        (Format::Jsonl, r#"{"comment":""#, "x", r#"{"moves":[]}"#, "1:1: a game of more than 16 MiB"),
        (Format::Sgf, "", "x", "(;GM[18])", "1:1: 'x"),
        (Format::Sgf, "(;GM[18]C[", "x", "(;GM[18])", "1:1: a game of more than 16 MiB"),
        (Format::Fen, "", " ", "startpos", ""),
    ] {
        let text = format!("{head}{}\n{game}", filler.repeat(source::MOST + 9));
        let mut reader = Reader::new(format, text.as_bytes(), DEFAULT);
        let mut found = Vec::new();
        let record = loop {
            let game = reader.next().unwrap();
            found.extend(reader.warnings().iter().map(said));
            match game {
                Ok(record) => break record,
                Err(ReadError::Damaged(damage)) => found.push(said(&damage)),
                Err(error) => panic!("{error}"),
            }
        };
        assert_eq!((reader.line(), record.turns.len(), found.len()), (2, 0, usize::from(!message.is_empty())));
        assert!(found.iter().all(|found| found.starts_with(message)), "{format:?} {head}");
    }
    let nested = "d1d2,d2d1 (d1d3,d3d1 ".repeat(2_000);
    let message = damage(Format::Pgn, &nested);
    assert!(message.ends_with("variations ( have no end ), of which this is the first"), "{message}");
    let deep = format!("{}{}", r#"{"moves":["#, r#"{"move":"d1d2,d2d1","variations":[["#.repeat(200));
    assert!(damage(Format::Jsonl, &deep).contains("more brackets"));
}

#[test]
fn text_that_is_not_unicode_is_latin() {
    let record = read(Format::Pgn, b"\xef\xbb\xbf[White \"J\xf6rg\"]\n\n*\n").0.remove(0);
    assert_eq!(record.tags["White"], "J\u{f6}rg".to_owned());
}

#[test]
fn every_game_of_a_text_keeps_its_own_tags_turns_and_result() {
    let cases = "../../tests/vectors/records";
    let glued = std::fs::read(format!("{cases}/glued-games.pgn")).unwrap();
    let (records, damages) = read(Format::Pgn, &glued);
    assert_eq!(damages, []);
    let seen: Vec<_> = records.iter().map(|game| (game.tags["Event"].as_str(), game.result(), turns(game))).collect();
    let one = |turn: &str| vec![turn.to_owned()];
    assert_eq!(seen, [("Final", "1-0", one("d1d7,d7g7")), ("Semi", "0-1", one("d1d6,d6d7"))]);
    for (text, results) in [
        ("1. d1d7,d7g7 1-0 1. d1d6,d6d7 0-1", vec!["1-0", "0-1"]),
        ("1. d1d7,d7g7 1-0\n1. d1d6,d6d7 0-1\n", vec!["1-0", "0-1"]),
        ("[White \"a\"] [Black \"b\"] 1. d1d7,d7g7 * [White \"c\"] 1. d1d6,d6d7 ½-½", vec!["*", "1/2-1/2"]),
        ("1. d1d7,d7g7 d10d6,d6e6\r\r1. d1d6,d6d7 1:0", vec!["*", "1-0"]),
        ("1. d1d7,d7g7 (1. d1d6,d6d7 1-0) 1/2 {agreed} [White \"c\"]\n*", vec!["1-0", "*"]),
        ("1. d1d7,d7g7 (1. d1d6,d6d7 0-1\n\n1. d1d6,d6d7 1/2", vec!["0-1", "1/2-1/2"]),
        ("1. d1d7,d7g7 resigns\n", vec!["1-0"]),
        ("1. d1d7,d7g7 White resigns\n", vec!["0-1"]),
        ("[Event \"a\"]\n[Result \"1-0\"]\n\n[Event \"b\"]\n[Result \"0-1\"]\n", vec!["1-0", "0-1"]),
    ] {
        let (records, _) = read(Format::Pgn, text.as_bytes());
        assert_eq!(records.iter().map(Record::result).collect::<Vec<_>>(), results, "{text}");
    }
}

#[test]
fn a_remark_is_play_where_that_is_legal() {
    let record = only(Format::Pgn, "1. d1–d7,g7; g10–g8,d8;\n2. g1–g2,g1 ; a7-a6,a7 *\n");
    assert_eq!(turns(&record), ["d1d7,d7g7", "g10g8,g8d8", "g1g2,g2g1", "a7a6,a6a7"]);
    let record = only(Format::Pgn, "1. d1d7,d7g7 ; d1d6,d6d7;\n g10g8,g8d8 *\n");
    assert_eq!(
        (turns(&record), record.turns[0].comment.as_str()),
        (["d1d7,d7g7", "g10g8,g8d8"].map(str::to_owned).to_vec(), "d1d6,d6d7")
    );
    let (records, damages) = read(Format::Pgn, b"1. d1d7,d7g7 ; g10g8,g8d8 was better\n*\n");
    assert_eq!(
        (records[0].turns.len(), damages[0].message.as_str()),
        (1, "a turn stands in this remark; all up to the end of its line is taken for one")
    );
}

#[test]
fn an_encoding_is_known_however_its_bytes_come() {
    for big in [false, true] {
        for mark in ["\u{feff}", ""] {
            let units = format!("{mark}1. d1d7,d7g7 a7d4,d4a7 *\n").encode_utf16().collect::<Vec<_>>();
            let bytes: Vec<u8> =
                units.iter().flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect();
            let input = BufReader::with_capacity(1, &bytes[..]);
            let mut reader = Reader::guessing(input, None, DEFAULT).unwrap();
            assert_eq!(turns(&reader.next().unwrap().unwrap()), ["d1d7,d7g7", "a7d4,d4a7"], "{big} {mark:?}");
        }
    }
}

#[test]
fn a_tag_in_a_comment_with_braces_begins_no_game() {
    for text in ["; {\n;;[Event \"x\"]\n1. d1d7,d7g7 *\n", "1. d1d7,d7g7 ; {\n;;[Event \"x\"]\ng10g8,g8d8 *\n"] {
        let record = only(Format::Pgn, text);
        let once = written(Format::Pgn, std::slice::from_ref(&record));
        assert_eq!(only(Format::Pgn, &once), record, "{once}");
    }
}

#[test]
fn what_a_damaged_game_has_is_kept_and_the_rest_is_named() {
    for (format, text, kept, message) in [
        (Format::Pgn, "1. d1d7,d7g7 d1d2,d2d1 2. d7d6,d6d5 *", 1, "1:14: illegal move 'd1d2,d2d1'"),
        (Format::Pgn, "1. d1d7,d7g7 g10g8,g8d8 (1... g10a1,a1a2 2. d7d6,d6d5) 2. d7d6,d6d5 *", 3, "1:31: illegal move"),
        (Format::Pgn, "1. d1d7,d7g7 {open g10g8,g8d8 *", 1, "1:14: a comment { has no end }"),
        (Format::Pgn, "1. d1d7,d7g7 nice 1... g10g8,g8d8 *", 1, "1:14: 'nice' is not a turn; it and what"),
        (Format::Pgn, "[White \"a\"]\n[White \"b\"]\n1. d1d7,d7g7 *", 1, "2:1: the tag White is there twice"),
        (Format::Sgf, "(;GM[18];B[djddgd]", 1, "1:1: a ( has no end )"),
        (Format::Sgf, "(;GM[18];B[djddgd]))", 1, "1:20: a ) without its ("),
        (Format::Sgf, "Dear reader\n(;GM[18];B[djddgd])", 1, "1:1: 'Dear reader' belongs to no game"),
        (Format::Sgf, "(;GM[18]FOO[1];B[djddgd])", 1, "1:9: not kept: FOO"),
        (Format::Sgf, "(;GM[18]RE[maybe];B[djddgd])", 1, "1:9: RE[maybe] is not a result"),
        (Format::Sgf, "(GM[18];B[djddgd])", 1, "1:2: the property GM stands before any node"),
        (Format::Sgf, "(;GM[18];B[djddgd](;W[dada])(;W[dadcdb]))", 2, "1:21: 'dada' is not a turn"),
        (Format::Jsonl, "{\"moves\":[\"d1d7,d7g7\",\"d1d2,d2d1\"]}", 1, "1:24: illegal move"),
        (Format::Jsonl, "{\"moves\":[],\"result\":\"won\"}", 0, "1:1: 'won' is not a result"),
    ] {
        let (records, damages) = read(format, text.as_bytes());
        assert_eq!(records.len(), 1, "{text}: {damages:?}");
        assert_eq!(records[0].turns.len(), kept, "{text}: {damages:?}");
        assert!(said(&damages[0]).starts_with(message), "{text}: {damages:?}");
    }
}

#[test]
fn a_text_may_end_anywhere_within_an_escape_too() {
    for (format, text) in [
        (Format::Pgn, r#"[Event "a\\b\"c"] 1. d1d7,d7g7 {d\} *"#),
        (Format::Sgf, r"(;GM[18]C[a\]b\\];B[djddgd])"),
        (Format::Jsonl, r#"{"moves":["d1d7,d7g7"],"white":"a\"b\\"}"#),
        (Format::Replay, r#"{"header":{"x":"a\"b\\"},"moves":["d1-d7/g7"]}"#),
    ] {
        assert_eq!(read(format, text.as_bytes()).0.len(), 1, "{text}");
        for end in 1..text.len() {
            let (records, damages) = read(format, &text.as_bytes()[..end]);
            assert!(records.len() + damages.len() > 0, "{}", &text[..end]);
        }
    }
}

#[test]
fn results_of_sgf_are_read_as_people_write_them() {
    for (said, result) in [
        ("B", "1-0"),
        ("B+", "1-0"),
        ("b+r", "1-0"),
        ("B+Resign", "1-0"),
        ("Black wins", "1-0"),
        ("White resigns", "1-0"),
        ("1-0", "1-0"),
        ("W+T", "0-1"),
        ("White", "0-1"),
        ("White won by resignation", "0-1"),
        ("0-1", "0-1"),
        ("0", "1/2-1/2"),
        ("Draw", "1/2-1/2"),
        ("½-½", "1/2-1/2"),
        ("Void", "*"),
        ("?", "*"),
        ("who knows", "*"),
    ] {
        let (records, damages) = read(Format::Sgf, format!("(;GM[18]RE[{said}];B[djddgd])").as_bytes());
        assert_eq!(records[0].result(), result, "{said}");
        assert_eq!(damages.is_empty(), !["1-0", "0-1", "who knows"].contains(&said), "{said}: {damages:?}");
    }
    let record = only(Format::Sgf, "(;GM[18];B[djddgd];W[resign])");
    assert_eq!((record.result(), record.tags["Termination"].as_str(), record.turns.len()), ("1-0", "resignation", 1));
    for (name, games) in [("noclose.sgf", 1), ("re-b.sgf", 1)] {
        let (records, _) = read(Format::Sgf, &std::fs::read(format!("../../tests/vectors/records/{name}")).unwrap());
        assert_eq!((records.len(), records[0].turns.len()), (games, 2), "{name}");
    }
    // A game begins although the one before has no end.
    let (records, damages) = read(Format::Sgf, b"(;GM[18];B[djddgd](;FF[4]GM[18];B[djddgd];W[dadcdb])");
    assert_eq!((records.len(), damages.len()), (2, 1), "{damages:?}");
}

#[test]
fn texts_are_read_in_their_encodings_and_with_any_line_ends() {
    let record = |bytes: &[u8]| {
        let (mut records, damages) = read(Format::Sgf, bytes);
        assert!(records.len() == 1 && damages.is_empty(), "{damages:?}");
        records.remove(0)
    };
    assert_eq!(record(&std::fs::read("../../tests/vectors/records/gb.sgf").unwrap()).tags["White"], "张三");
    for (label, names) in [
        ("Big5", vec!["許功蓋"]),
        ("Shift_JIS", vec!["表示ソ", "ｱｲｳ"]),
        ("EUC-KR", vec!["김철수"]),
        ("GBK", vec!["乗乵", "€"]),
        ("GB18030", vec!["張三"]),
    ] {
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
        let encoded = |text: &str| {
            let (bytes, _, unknown) = encoding.encode(text);
            assert!(!unknown);
            bytes.into_owned()
        };
        // A character whose second byte is a bracket, if there is one.
        let bracket = ('\u{4e00}'..'\u{9fa0}').find(|c| encoding.encode(&c.to_string()).0[1..] == *b"]");
        let names = names.into_iter().map(str::to_owned).chain(bracket.map(String::from));
        for name in names.flat_map(|name| [format!("{name}) is the name"), format!("the name is {name}")]) {
            let game = |turn: &str| encoded(&format!("(;GM[18]CA[{label}]PB[{name}]PW[x]{turn})"));
            assert_eq!(record(&game(";B[djddgd]")).tags["White"], name, "{label}");
            let (records, damages) =
                read(Format::Sgf, &[encoded(&format!("(;CA[{label}]GM[18]PB[{name}])")), game("")].concat());
            assert_eq!((records.len(), damages), (2, vec![]), "{label} {name}");
            assert!(records.iter().all(|record| record.tags["White"] == name));
        }
    }
    let pgn = "[White \"J\u{f6}rg\"]\n[Black \"b\"]\n\n1. d1d7,d7g7\ng10g8,g8d8 *\n";
    for ends in ["\n", "\r", "\r\n"] {
        let text = pgn.replace('\n', ends);
        let mark = |mark: &[u8], units: Vec<[u8; 2]>| [mark, &units.concat()].concat();
        for bytes in [
            text.clone().into_bytes(),
            [b"\xef\xbb\xbf", text.as_bytes()].concat(),
            text.chars().map(|c| c as u8).collect(),
            mark(b"\xff\xfe", text.encode_utf16().map(u16::to_le_bytes).collect()),
            mark(b"\xfe\xff", text.encode_utf16().map(u16::to_be_bytes).collect()),
        ] {
            let (records, damages) = read(Format::Pgn, &bytes);
            assert_eq!((records.len(), &damages[..]), (1, &[][..]), "{bytes:?}");
            assert_eq!((records[0].tags["White"].as_str(), records[0].turns.len()), ("Jörg", 2));
        }
        let wrong = text.replace("g10g8,g8d8", "a1a2,a2a3");
        let message = damage(Format::Pgn, &wrong);
        assert!(message.starts_with("5:1: illegal move"), "{ends:?}: {message}");
    }
}

#[test]
fn a_game_without_a_rule_set_is_read_by_the_one_that_fits() {
    let variant = find("amazons6").unwrap();
    let start = variant.start();
    let game = format!("[FEN \"{}\"]\n\n1. b1b4,b4c4 *", start.replace(' ', "_"));
    assert_eq!(only(Format::Pgn, &game).variant.name(), "amazons6");
    let (records, damages) = read(Format::Pgn, b"1. b1b4,b4c4 e6e5,e5d5 2. e1e4,e4e2 *");
    assert_eq!((records[0].variant.name(), records[0].turns.len()), ("amazons6", 3));
    assert_eq!(damages[0].message, "'variant' names no rule set; all of it fits amazons6, not amazons");
    // Also a game that ends in the middle of a turn, if no more than that is lost.
    for end in ["g1g3,g3", "g1"] {
        let text = format!("1. d1d7,d7g7 a7d4,d4a7 2. {end}");
        let mut reader = Reader::new(Format::Pgn, text.as_bytes(), &variant).naming("--variant");
        let record = reader.next().unwrap().unwrap();
        assert_eq!((record.variant.name(), record.turns.len()), ("amazons", 2));
        let damages = reader.warnings();
        assert_eq!(damages[0].message, "--variant names no rule set; all but its end fits amazons, not amazons6");
        assert!(damages.len() == 2 && damages[1].lost.is_some(), "{damages:?}");
    }
    let more = "1. d1d7,d7g7 a7d4,d4a7 2. g1g3,g3 d4d5,d5d6";
    assert!(Reader::new(Format::Pgn, more.as_bytes(), &variant).next().unwrap().is_err());
    // A start of several rule sets is a guess, too.
    for (name, said) in [("iago", "desdemona"), ("damone-imperatore", "damone")] {
        let text = format!("[FEN \"{}\"]\n\n*", find(name).unwrap().start());
        let (records, damages) = read(Format::Pgn, text.as_bytes());
        assert_eq!((records[0].variant.name(), damages.len()), (said, 1));
        let message = &damages[0].message;
        assert!(message.contains(&format!("all of it fits {said}")) && message.contains(name), "{message}");
        assert!(message.ends_with(&format!(", not amazons; it is read as {said}")), "{message}");
    }
    // Where none fits, what is said is of the rule set that was asked for, not of one with as many ranks.
    let text = "[FEN \"1q2q1/q4q/6/6/Q4Q/1Q2X1 w - - 0 1\"]\n\n*";
    let mut reader = Reader::new(Format::Pgn, text.as_bytes(), &find("damone").unwrap());
    let error = reader.next().unwrap().unwrap_err().to_string();
    assert!(error.starts_with("1:1: game 1: FEN") && !error.contains("Qq*"), "{error}");
}

#[test]
fn the_rules_of_a_game_are_read_with_it_and_must_be_right() {
    let rules = "knights = { like = 'amazons6', moves = 'N', fires = 'N' }";
    let of = |name: &str, rules: &str| {
        let json = rules.replace('"', "\\\"");
        [
            (Format::Pgn, format!("[Event \"x\"]\n[Variant \"{name}\"]\n[Rules \"{rules}\"]\n\n1. b1a3,a3b5 *")),
            (Format::Sgf, format!("(;GM[0]\nRU[{name}]\nHR[{rules}];B[b1a3,a3b5])")),
            (Format::Jsonl, format!("{{\"variant\":\"{name}\",\"rules\":\"{json}\",\"moves\":[\"b1a3,a3b5\"]}}")),
        ]
    };
    for (format, text) in of("Knights", rules) {
        let record = only(format, &text);
        let own = record.variant.own().unwrap();
        assert_eq!(
            (own.name.as_str(), own.rules.moves[0].to_string(), turns(&record).len()),
            ("knights", "N".into(), 1)
        );
        // The file need not be there, and the rules are all that is needed.
        let again = written(format, std::slice::from_ref(&record));
        assert!(
            again.contains("knights = { start = '1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1', moves = 'N', fires"),
            "{again}"
        );
        assert_eq!(only(format, &again).variant, record.variant);
    }
    for (name, rules, at_name, wrong) in [
        ("kings", rules, true, "the rule set is said to be kings, but the rules are those of knights"),
        ("a", "a = { moves = 'X' }", false, "rule set: a.moves: 'X' is not Q, R, B, K or N"),
        ("a", "a = { moves = 'N'", false, "rule set: "),
        ("a", "", false, "unknown variant ''"),
        ("amazons", "amazons = { moves = 'N' }", false, "rule set: [amazons]: a rule set of this name is"),
        ("a", "a = {}, b = {}", false, "rule set: "),
    ] {
        for ((format, text), places) in of(name, rules).into_iter().zip([["2:1", "3:1"], ["2:1", "3:1"], ["1:13", ""]])
        {
            let said = damage(format, &text);
            let place = if format == Format::Jsonl && !at_name {
                format!("1:{}", 24 + name.len())
            } else {
                places[usize::from(!at_name)].to_owned()
            };
            assert!(said.starts_with(&format!("{place}: {wrong}")), "{said}");
            assert_eq!(read(format, text.as_bytes()).0.len(), 0);
        }
    }
    // Without its rules a game is of the rule set that was asked for, if that has the name.
    let knights = own().swap_remove(0);
    let text = "[Variant \"knights\"]\n\n1. b1a3,a3b5 *";
    let mut reader = Reader::new(Format::Pgn, text.as_bytes(), &knights);
    assert_eq!((reader.next().unwrap().unwrap().variant, reader.warnings()), (knights, Vec::new()));
    assert!(damage(Format::Pgn, text).starts_with("1:1: unknown variant 'knights'"));
}

#[test]
fn positions_are_read_as_people_have_them() {
    let variant = find("amazons6").unwrap();
    let start = variant.start();
    for line in [
        start.to_owned(),
        format!("FEN: {start}"),
        format!("position fen {start}"),
        format!("\"{start}\""),
        format!("loadfen “{start}”"),
        format!("FEN: {}", start.replace(' ', "_")),
        start.replace(' ', "_"),
        start.replace(' ', "+"),
        start.replace(' ', "%20"),
        "1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - hmvc 0; fmvn 1;".to_owned(),
    ] {
        assert_eq!(guess::guess(line.as_bytes(), DEFAULT), Some(Format::Fen), "{line}");
        let record = only(Format::Fen, &line);
        assert_eq!((record.variant.name(), record.fen.as_str()), ("amazons6", start), "{line}");
    }
    let record = only(Format::Fen, "position startpos moves d1d7,d7g7 g10g8,g8d8\n");
    assert_eq!(turns(&record), ["d1d7,d7g7", "g10g8,g8d8"]);
    assert_eq!(only(Format::Fen, &written(Format::Fen, std::slice::from_ref(&record))), record);
}

#[test]
fn formats_are_told_by_their_beginnings() {
    for (text, format) in [
        ("[Event \"x\"]\n", Some(Format::Pgn)),
        ("; a remark\n\n[Event \"x\"]\n", Some(Format::Pgn)),
        ("1. d1-d7/g7 g10g8,g8d8", Some(Format::Pgn)),
        ("{a comment} 1. d1d7,d7g7", Some(Format::Pgn)),
        ("(;GM[18])", Some(Format::Sgf)),
        ("From: me\n\n(;FF[4]GM[18])", Some(Format::Sgf)),
        ("{\n  \"format\": \"hippolyta-game\"", Some(Format::Jsonl)),
        ("[{\"moves\":[]}]", Some(Format::Jsonl)),
        ("position startpos moves d1d7,d7g7", Some(Format::Fen)),
        ("# remarks\n\n# more\nstartpos moves", Some(Format::Fen)),
        ("# remarks\n1. d1d7,d7g7", Some(Format::Pgn)),
        ("; remarks\n  1...g10g8,g8d8", Some(Format::Pgn)),
        ("1. Qdd7,g7 Qd4,a7", Some(Format::Pgn)),
        ("d1 - d7 (g7) a7 - d4 (a7)", Some(Format::Fen)),
        ("d1 d7 g7\nd1 d7 g7 a7 d4 a7", Some(Format::Fen)),
        ("1. 26-22 19x26", Some(Format::Pgn)),
        ("W:W23,K27,I32:BK14,19", Some(Format::Fen)),
        ("[93, 33, 36]", Some(Format::Replay)),
        ("...O..O...\n", Some(Format::Replay)),
        ("{\"requests\":[{\"x0\":1,\"y2\":2}]}", Some(Format::Replay)),
        ("{\"two words\": 1}", None),
        ("{\"word\" 1}", None),
        ("{word: 1}", None),
        ("[]", Some(Format::Jsonl)),
        ("[7]", None),
        ("x\n{ \"moves\": []}", Some(Format::Jsonl)),
        ("x\n ( ;Z[1])", Some(Format::Sgf)),
        ("x\n;GM[18]", Some(Format::Sgf)),
        ("(x)", None),
        ("[White \"a\n", None),
        ("Hello, world", None),
        ("", None),
    ] {
        assert_eq!(guess::guess(text.as_bytes(), DEFAULT), format, "{text}");
    }
}

/// Four times as much takes about four times as long, whatever the shape: quadratic would be sixteen times.
#[test]
fn no_shape_of_text_takes_more_than_linear_time() {
    let seconds = |format: Format, text: &str| {
        let run = || {
            let begun = std::time::Instant::now();
            read(format, text.as_bytes());
            begun.elapsed().as_secs_f64()
        };
        run().min(run())
    };
    let sgf = "(;GM[18];B[djddgd])";
    for (format, head, part, count) in [
        (Format::Sgf, "", sgf, 2_000),
        (Format::Sgf, "", "(", 30_000),
        (Format::Sgf, "(;GM[18]", "(", 30_000),
        (Format::Sgf, "(;GM[18]", "(;C[x]", 6_000),
        (Format::Sgf, "(;GM[18]", "AB[]", 10_000),
        (Format::Sgf, "(;GM[18]C[", "\n(;x", 10_000),
        (Format::Pgn, "", "1. d1d7,d7g7 * ", 2_000),
        (Format::Pgn, "", "[A \"", 10_000),
        (Format::Pgn, "1. d1d7,d7g7 ", "(", 30_000),
        (Format::Pgn, "1. d1d7,d7g7 ", "{", 30_000),
        (Format::Pgn, "1. d1d7,d7g7 ", ";x ", 10_000),
        (Format::Pgn, "", "d1d7,d7g7 ", 10_000),
        (Format::Jsonl, "", "{\"moves\":[\"d1d7,d7g7\"]}", 2_000),
        (Format::Jsonl, "", "{", 10_000),
    ] {
        let [small, large] = [1, 4].map(|times| seconds(format, &format!("{head}{}", part.repeat(times * count))));
        assert!(large < 10.0 * small + 0.3, "{head}{part}: {small} and {large} seconds");
    }
}

#[test]
fn a_position_whose_first_rank_reads_as_a_turn_is_a_position() {
    for variant in VARIANTS {
        for text in [variant.start().to_owned(), format!("{} moves", variant.start())] {
            let mut reader = Reader::guessing(text.as_bytes(), None, variant).unwrap();
            let record = reader.next().unwrap().unwrap();
            assert_eq!((reader.format(), record.fen.as_str(), record.turns.len()), (Format::Fen, variant.start(), 0));
            assert_eq!(reader.warnings(), []);
        }
    }
}

#[test]
fn formats_have_names_which_are_endings_of_files() {
    for (name, format) in [
        ("pgn", Format::Pgn),
        ("pdn", Format::Pdn),
        ("sgf", Format::Sgf),
        ("jsonl", Format::Jsonl),
        ("fen", Format::Fen),
        ("replay", Format::Replay),
    ] {
        assert_eq!((name.to_uppercase().parse(), format.name()), (Ok(format), name));
        assert_eq!(Format::of(Path::new(&format!("pgn.sgf/games.{name}"))), Some(format));
    }
    assert_eq!(("json".parse(), "epd".parse()), (Ok(Format::Jsonl), Ok(Format::Fen)));
    assert_eq!(Format::of(Path::new("pgn")), None);
    let unknown = "txt".parse::<Format>().unwrap_err();
    assert_eq!(unknown.to_string(), "'txt' is none of the formats pgn, pdn, sgf, jsonl, fen and replay");
}

#[test]
fn a_reader_says_where_a_game_begins_and_passes_over_games() {
    let text = "junk\n (;GM[18])\njunk (;GM[18];B[djddgd]) (;GM[18])";
    let mut reader = Reader::new(Format::Sgf, text.as_bytes(), DEFAULT);
    assert_eq!(reader.line(), 1);
    assert!(reader.pass().unwrap() && reader.warnings().is_empty());
    assert_eq!(reader.line(), 2);
    assert_eq!(reader.next().unwrap().unwrap().turns.len(), 1);
    let warnings = reader.warnings();
    assert_eq!((reader.line(), warnings.len(), warnings[0].game), (3, 1, None));
    assert!(reader.pass().unwrap() && !reader.pass().unwrap());
    assert!(reader.next().is_none() && reader.next().is_none());
}

#[test]
fn of_many_warnings_the_first_by_their_places_are_kept() {
    let words = |count: usize| ") ".repeat(count);
    let warnings = |text: &str| read(Format::Pgn, text.as_bytes()).1;
    assert_eq!(warnings(&format!("{}1. d1d7,d7g7", words(100))).len(), 100);
    let found = warnings(&format!("1. d1d7,d7g7 {}", words(103)));
    assert_eq!((found.len(), found[99].column), (101, 14 + 2 * 99));
    assert_eq!(found[100].text(), "3 more things in this game were not understood");
    assert_eq!((found[100].line, found[100].column), (1, 14 + 2 * 99));
    // Turns are judged last.
    let found = warnings(&format!("1. d1d7,d7g7 a1a2,a2a3 {}", words(100)));
    assert_eq!((found.len(), found[0].column, found[99].column), (101, 14, 24 + 2 * 98));
    assert_eq!(found[100].text(), "1 more things in this game were not understood");
    let found = warnings(&format!("1. d1d7,d7g7 {}", "(a1a2,a2a3) ".repeat(105)));
    assert_eq!(found[100].text(), "5 more things in this game were not understood; turns are left out");
    let found = warnings(&format!("{}1. d1d7,d7g7 a1a2,a2a3 (a1a2,a2a3)", words(100)));
    assert_eq!(found[100].text(), "1 more things in this game were not understood; turns are left out");
}

/// Variations in variations, and where each begins.
fn nested(deep: usize) -> (String, Vec<usize>) {
    let (mut board, mut text, mut places) = (Board::new(DEFAULT), String::new(), Vec::new());
    for _ in 0..deep {
        let legal = board.legal_turns().all();
        text += &format!("{} (", legal[0]);
        places.push(text.len());
        text += &format!("{} ", legal[1]);
        board.play_turn(&legal[1]).unwrap();
    }
    (text + &")".repeat(deep), places)
}

#[test]
fn variations_nest_thirty_deep() {
    let (text, _) = nested(30);
    let record = only(Format::Pgn, &text);
    assert_eq!(record.turns.len(), 60);
    let (text, places) = nested(32);
    let (records, damages) = read(Format::Pgn, text.as_bytes());
    assert_eq!(records[0].turns.len(), 61, "{damages:?}");
    let said: Vec<_> = damages.iter().map(Damage::text).collect();
    assert_eq!(said, ["variations nest deeper than 30; it and the 2 turns that hang on it are left out"]);
    assert_eq!(damages[0].column, places[30] as u64 + 1);
}

#[test]
fn a_game_has_no_more_than_twenty_thousand_turns() {
    let (mut board, mut turns, mut count) = (Board::new(DEFAULT), Vec::new(), 0);
    while count <= 20_001 {
        let legal = board.legal_turns().all();
        let variations: Vec<_> = legal[1..].iter().take(20_001 - count).map(|turn| [turn.to_string()]).collect();
        count += 1 + variations.len();
        turns.push(serde_json::json!({"move": legal[0].to_string(), "variations": variations}));
        board.play_turn(&legal[0]).unwrap();
    }
    let text = serde_json::json!({"variant": DEFAULT.name(), "moves": turns}).to_string();
    let (records, damages) = read(Format::Jsonl, text.as_bytes());
    assert_eq!(records[0].turns.len(), 20_000);
    let said: Vec<_> = damages.iter().map(Damage::text).collect();
    assert_eq!(said, ["more than 20000 turns; the others are left out"]);
}

#[test]
fn what_is_not_in_its_encoding_is_said() {
    let said = |format, text: &[u8]| read(format, text).1.iter().map(said).collect::<Vec<_>>();
    let latin = "this line is not UTF-8; it is read as windows-1252";
    assert_eq!(said(Format::Pgn, b"[White \"J\xc3\xb6rg\"]\n[Black \"J\xf6rg\"]\n\n*"), [format!("2:1: {latin}")]);
    assert_eq!(said(Format::Sgf, b"(;GM[18]CA[UTF-8]\nPB[J\xf6rg];B[djddgd])"), [format!("2:1: {latin}")]);
    assert_eq!(
        said(Format::Sgf, b"(;GM[18]CA[Shift_JIS]PB[\x81\xff];B[djddgd])"),
        ["1:25: not all of the text is shift_jis"]
    );
    let utf_16: Vec<_> = "[White \"a\"]\n\n*".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(read(Format::Pgn, &utf_16).0[0].tags["White"], "a");
    let swapped: Vec<_> = utf_16.chunks(2).flat_map(|pair| [pair[1], pair[0]]).collect();
    assert_eq!(read(Format::Pgn, &swapped).0[0].tags["White"], "a");
    // A character may be cut wherever a piece ends: the first has as many bytes as are looked at.
    let treble: Vec<_> = "[White \"a𝄞é\"]\n\n*".encode_utf16().collect();
    for bytes in [u16::to_le_bytes, u16::to_be_bytes] {
        let text: Vec<_> = treble.iter().copied().flat_map(bytes).collect();
        for capacity in 2..40 {
            let pieces = BufReader::with_capacity(capacity, &text[..]);
            let read: Vec<_> = Reader::new(Format::Pgn, pieces, DEFAULT).map(Result::unwrap).collect();
            assert_eq!(read[0].tags["White"], "a𝄞é", "{capacity}");
        }
    }
    // Files that were joined; within a line the mark is a character.
    let joined = "\u{feff}[White \"a\u{feff}b\"]\n\n*\n\u{feff}\u{feff}[White \"c\"]\r\u{feff}\n*";
    let (records, damages) = read(Format::Pgn, joined.as_bytes());
    assert_eq!(records.iter().map(|record| record.tags["White"].as_str()).collect::<Vec<_>>(), ["a\u{feff}b", "c"]);
    assert_eq!(damages, []);
    for capacity in 1..9 {
        let pieces = BufReader::with_capacity(capacity, joined.as_bytes());
        let read: Vec<_> = Reader::new(Format::Pgn, pieces, DEFAULT).map(Result::unwrap).collect();
        assert_eq!(read, records, "{capacity}");
    }
}

/// A text whose every second byte comes only when asked for again; then an error.
struct Interrupted<'a>(&'a [u8], bool);

impl io::Read for Interrupted<'_> {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        unreachable!()
    }
}

impl BufRead for Interrupted<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.1 ^= true;
        match (self.1, self.0.first()) {
            (true, _) => Err(io::ErrorKind::Interrupted.into()),
            (false, None) => Err(io::ErrorKind::BrokenPipe.into()),
            (false, Some(_)) => Ok(&self.0[..1]),
        }
    }

    fn consume(&mut self, amount: usize) {
        self.0 = &self.0[amount..];
    }
}

#[test]
fn interruptions_pass_and_errors_end_the_reading() {
    let mut reader = Reader::new(Format::Fen, Interrupted(b"startpos\nstartpos", false), DEFAULT);
    assert!(reader.next().unwrap().is_ok());
    let error = reader.next().unwrap().unwrap_err();
    assert!(matches!(&error, ReadError::Io(error) if error.kind() == io::ErrorKind::BrokenPipe), "{error}");
    assert!(reader.next().is_none());
}

#[test]
fn tags_beyond_a_hundred_are_left_out() {
    let tags: String = (0..102).map(|number| format!("[T{number} \"{number}\"]\n")).collect();
    let (records, damages) = read(Format::Pgn, format!("{tags}\n*").as_bytes());
    // With the result.
    assert_eq!((records[0].tags.len(), records[0].tags.get("T100")), (101, None));
    assert_eq!(said(&damages[0]), "101:1: more than 100 tags: T100 is left out");
    assert_eq!(damages.len(), 2);
    let letters = || 'A'..='Z';
    let names = letters().flat_map(|first| letters().map(move |second| format!("X{first}{second}[]")));
    let properties: String = names.take(101).collect();
    let said = read(Format::Sgf, format!("(;GM[18]{properties})").as_bytes()).1;
    assert_eq!(said.iter().filter(|damage| damage.message.starts_with("more than 100 properties")).count(), 2);
}

#[test]
fn a_record_that_is_made_loses_no_turn() {
    let made = |turns: &[&str]| {
        let turns = turns.iter().map(|turn| ((*turn).to_owned(), Note::default()));
        Record::new(DEFAULT, DEFAULT.start(), BTreeMap::new(), turns)
    };
    assert_eq!(made(&["d1d7,d7g7"]).map(|record| record.turns.len()), Ok(1));
    let error = made(&["d1d7,d7g7", "a1a2,a2a3"]).unwrap_err();
    assert!(error.starts_with("illegal move 'a1a2,a2a3'"), "{error}");
    assert!(Record::from_json(r#"{"moves":["d1d7,d7g7"]}"#).is_ok());
    assert!(Record::from_json(r#"{"moves":["a1a2,a2a3"]}"#).is_err_and(|error| error.starts_with("illegal move")));
    for (tags, said) in [
        (r#""":"x""#, "'' is no name of a tag"),
        (r#""a b":"x""#, "'a b' is no name of a tag"),
        (r#""Result":"won""#, "'won' is not a result"),
    ] {
        let text = format!(r#"{{"moves":["d1d7,d7g7"],"tags":{{{tags}}}}}"#);
        assert_eq!(Record::from_json(&text).unwrap_err(), said);
    }
    let unknown = r#"{"moves":["d1d7,d7g7"],"tags":{"Result":"?","White":"?","Event":""}}"#;
    assert_eq!(Record::from_json(unknown).unwrap().result(), "*");
}

/// Texts in which something is lost: how many games are read, the turns of the first, and what is said of each loss.
#[test]
fn nothing_behind_what_is_not_understood_is_played_and_a_game_of_no_turn_is_none() {
    const ENDS: &str = "it and what follows it are left out";
    const NONE: &str = "the game is left out";
    let known = "1. d1d7,d7g7 a7d4,d4a7";
    for (format, text, games, turns, lost) in [
        (Format::Pgn, format!("{known} 2. Zc4,c10 Qb8,h2 3. g1g2,g2g3 d10d9,d9c9 1-0"), 1, 2, vec![("1:27", ENDS)]),
        (Format::Pgn, "[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0".to_owned(), 0, 0, vec![("1:1", NONE)]),
        (Format::Pgn, "1. e2e4 e7e5 2. g1f3 b8c6 1-0".to_owned(), 0, 0, vec![("1:1", NONE)]),
        (Format::Pgn, format!("{known} (2. x g1g2,g2g3) 2. g1g2,g2g3 *"), 1, 3, vec![("1:28", ENDS)]),
        (Format::Pgn, format!("{known} -- 2. g1g2,g2g3 *"), 1, 2, vec![("1:24", ENDS)]),
        (Format::Pgn, format!("{known} }} 2. g1g2,g2g3 *"), 1, 2, vec![("1:24", ENDS)]),
        (Format::Pgn, format!("{known}[a] 2. g1g2,g2g3 *"), 1, 1, vec![("1:14", ENDS)]),
        (Format::Pgn, format!("{known}, 2. g1g2,g2g3 $x (2. a1a2,a2a3)"), 1, 3, vec![("1:38", ENDS)]),
        (Format::Pgn, format!("{known} White 2. g1g2,g2g3 *"), 1, 2, vec![("1:24", ENDS)]),
        (Format::Pgn, format!("{known} \u{1b}[2J"), 1, 2, vec![("1:24: '\\u001b[2J' is not a turn", ENDS)]),
        // Words before the first number are no turns.
        (Format::Pgn, format!("Dear Ann, {known}"), 1, 2, vec![("1:1", "the words before the number 1 are left out")]),
        (Format::Pgn, format!("Nf3 Nf6 2. {}", &known[3..]), 0, 0, vec![("1:1", NONE)]),
        (Format::Pgn, "Nf3 d1d7,d7g7 a7d4,d4a7".to_owned(), 0, 0, vec![("1:1", NONE)]),
        // A variation behind the result, or before any turn, is no game.
        (Format::Pgn, "1-0 (1. c1c2,c2c3)".to_owned(), 0, 0, vec![("1:5", NONE)]),
        (Format::Pgn, format!("{known} 1-0 (1... a7a6,a6a5)"), 1, 2, vec![]),
        (Format::Pgn, format!("(1. d1d2,d2d3) {known}"), 1, 2, vec![("1:1", "it is left out")]),
        // A rule set is not found by leaving turns out.
        (Format::Pgn, "1. b1b4,b4c4 e6e5,e5d5 2. e1e4,e4e9 *".to_owned(), 0, 0, vec![("1:4", NONE)]),
        (Format::Fen, "startpos moves d1d7,d7g7 Zc4 g1g2,g2g3".to_owned(), 1, 1, vec![("1:26", ENDS)]),
        (Format::Fen, "startpos moves Zc4 d1d7,d7g7".to_owned(), 0, 0, vec![("1:16", NONE)]),
        (Format::Fen, format!("{} bm d1d7,d7g7; id \"a; b\";", DEFAULT.start()), 1, 0, vec![]),
        (Format::Fen, format!("{} bm d1d7,d7g7", DEFAULT.start()), 0, 0, vec![("1:49", NONE)]),
        (Format::Sgf, "(;GM[18];B[dada];W[dadcdb])".to_owned(), 0, 0, vec![("1:10", NONE)]),
        (Format::Jsonl, r#"{"moves":["Qc4","d1d7,d7g7"]}"#.to_owned(), 0, 0, vec![("1:12", NONE)]),
        (Format::Jsonl, r#"{"moves":["d1d7,d7g7","Qc4"],"wit":1}"#.to_owned(), 1, 1, vec![("1:24", "it is left out")]),
    ] {
        let (records, damages) = read(format, text.as_bytes());
        let kept = records.first().map_or(0, |record| record.main_line().count());
        assert_eq!((records.len(), kept), (games, turns), "{text}: {damages:?}");
        let found: Vec<_> = damages.iter().filter_map(|damage| Some((said(damage), damage.lost.clone()?))).collect();
        assert_eq!(found.len(), lost.len(), "{text}: {damages:?}");
        for ((said, what), (place, expected)) in found.iter().zip(lost) {
            assert!(said.starts_with(place) && what == expected, "{text}: {said}");
        }
        assert!(damages.iter().all(|damage| damage.game == Some(1)), "{text}: {damages:?}");
    }
}

#[test]
fn a_file_of_other_games_is_told_by_one_line() {
    let chess = "[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n";
    for (text, name) in [
        (chess.repeat(3), "chess"),
        ("F5d6C3d3C4f4b5".to_owned(), "Othello"),
        ("(;GM[Othello]PC[x];B[F5])".to_owned(), "Othello"),
        ("VariantFile=Chess.zrf\nVariantName=Chess\n".to_owned(), "a game of Zillions of Games"),
        ("[GameType \"22\"]\n\n1. 21-17 12-16 2. 23-20 *\n".to_owned(), "draughts"),
    ] {
        let said = match Reader::guessing(text.as_bytes(), None, DEFAULT) {
            Err(error) => vec![error.to_string()],
            Ok(mut reader) => {
                let games: Vec<_> = reader.by_ref().map(|game| game.unwrap_err().to_string()).collect();
                assert_eq!(reader.warnings(), []);
                games
            }
        };
        assert!(said.len() == 1 && said[0].contains(&format!("this is {name}, which is none")), "{said:?}");
    }
    // A game of ours among them is read.
    let (records, damages) = read(Format::Pgn, format!("{chess}{chess}[Event \"y\"]\n\n1. d1d7,d7g7 *\n").as_bytes());
    assert_eq!((records.len(), damages.len()), (1, 1), "{damages:?}");
}

#[test]
fn what_a_format_cannot_say_is_refused() {
    let wrong = |format, text: &str| {
        let record = read(Format::Fen, text.as_bytes()).0.remove(0);
        Writer::new(format).write(&record, &mut Vec::new()).unwrap_err().to_string()
    };
    assert!(wrong(Format::Pdn, "startpos").starts_with("PDN numbers the squares of Damone"));
    assert!(wrong(Format::Replay, "q2/3/2Q w").starts_with("OpenSpiel has the Amazons of 10"));
}

#[test]
fn san_and_lan_are_written_of_every_line() {
    let text = "1. g1g6,g6d3 d10b8,b8c7 (1... g10h9,h9h8 2. a4a5,a5a6) 2. a4d4,d4d6 *";
    let record = only(Format::Pgn, text);
    for (style, turns) in [
        (Style::San, "1. Qg6,d3 Qdb8,c7 (1... Qgh9,h8 2. Qa5,a6) 2. Qad4,d6 *"),
        (Style::Lan, "1. Qg1-g6,d3 Qd10-b8,c7 (1... Qg10-h9,h8 2. Qa4-a5,a6) 2. Qa4-d4,d6 *"),
    ] {
        let mut out = Vec::new();
        Writer::new(Format::Pgn).style(style).write(&record, &mut out).unwrap();
        let out = String::from_utf8(out).unwrap();
        assert!(out.trim_end().ends_with(turns), "{out}");
        assert_eq!(only(Format::Pgn, &out).turns, record.turns);
    }
}

/// Lines of turns are positions, or one game, whichever understands more of them.
#[test]
fn a_list_of_turns_is_told_from_a_game() {
    for (text, format) in [
        ("d1d7,d7g7\nd1d7,d7g7 a7d4,d4a7\n", Format::Fen),
        ("d1d7,d7g7\na7d4,d4a7\n", Format::Pgn),
        ("d1d7,d7g7 a7d4,d4a7\nd1d7,d7g7 zz\nd1d7,d7g7", Format::Fen),
        ("d1d7,d7g7 a7d4,d4a7\ng1g2,g2g3 zz", Format::Pgn),
        ("d1d7,d7g7 d1d2,d2d1", Format::Pgn),
        ("b1b4,b4c4\nb1b4,b4c4 e6e5,e5d5", Format::Fen),
        ("d1d7,d7g7 a7d4,d4a7 1-0", Format::Pgn),
    ] {
        assert_eq!(guess::guess(text.as_bytes(), DEFAULT), Some(format), "{text}");
    }
}

#[test]
fn a_game_is_given_up_once_nobody_waits_for_it() {
    let text = format!("1. d1d7,d7g7 {}*\n\n1. d1d7,d7g7 *\n", "(1. d1d6,d6g6) ".repeat(1_000));
    for most in [0, 1, 900] {
        let asked = std::cell::Cell::new(0);
        let go_on = || asked.replace(asked.get() + 1) < most;
        let mut reader = Reader::new(Format::Pgn, text.as_bytes(), DEFAULT);
        let Some(Err(ReadError::Damaged(damage))) = reader.next_while(&go_on) else { panic!("it is given up") };
        assert_eq!(damage.text(), "reading was stopped; the game is left out");
        // A few times more for each rule set that may be meant.
        assert!(asked.get() < most + 5 * VARIANTS.len(), "{}", asked.get());
        assert_eq!(reader.next().unwrap().unwrap().turns.len(), 1);
    }
    let json = r#"{"variant":"amazons","moves":["d1d7,d7g7","a7d4,d4a7"]}"#;
    assert_eq!(Record::from_json(json).unwrap().turns.len(), 2);
    assert_eq!(Record::from_json_while(json, &|| false, &mut |_| ()).unwrap_err(), "reading was stopped");
}
