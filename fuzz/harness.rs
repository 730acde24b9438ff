//! Functions to fuzz, and the promises that must hold whatever comes in. Shared by the fuzzers and
//! `tests/program/fuzzing.rs`, which runs the kept corpora and mutations of them.
//!
//! Each function takes any bytes. Nothing may panic, hang or need memory without bound; besides, what is accepted
//! must keep its promises.

use hippolyta::engine::{Board, Control, Engine, Include, Limits, Model, Settings};
use hippolyta::eval::Weights;
use hippolyta::eval::weights::Tables;
use hippolyta::games::general::RulesFile;
use hippolyta::games::variant::{self, VARIANTS, Variant};
use hippolyta::games::{Game, GameTask, Notation, legal_turns};
use hippolyta_lab::arena::{GameRecord, openings};
use hippolyta_lab::training::record as data_file;
use hippolyta_protocol::analysis::{self, Options};
use hippolyta_protocol::gtp::{self, serve_gtp};
use hippolyta_protocol::records::{Format, ReadError, Reader, Record, Writer};
use hippolyta_protocol::{Output, serve};
use std::io::Write;
use std::sync::{Arc, Mutex};

/// A rule set by the first byte, and the rest as text.
fn variant_and_text(data: &[u8]) -> Option<(Variant, String)> {
    let (first, rest) = data.split_first()?;
    let variant = &VARIANTS[usize::from(*first) % VARIANTS.len()];
    Some((variant.clone(), String::from_utf8_lossy(rest).into_owned()))
}

/// A FEN: what is accepted is written so that it reads as the same position.
pub fn fen(data: &[u8]) {
    struct Read(String);
    impl GameTask for Read {
        type Output = ();

        fn run<P: Notation>(self, variant: &Variant) {
            let Ok(position) = P::from_fen(variant, &self.0) else { return };
            let written = position.fen();
            let again = P::from_fen(variant, &written).unwrap_or_else(|error| panic!("{written}: {error}"));
            assert_eq!((again.fen(), again.key()), (written, position.key()));
            assert!(!position.diagram().is_empty());
            // There is a turn just if the game goes on, and what is written reads as the same turn.
            let mut some = 0;
            let _ = position.for_each_step(|_| {
                some += 1;
                std::ops::ControlFlow::Break(())
            });
            if position.outcome().is_none() {
                assert_eq!(some, 1);
                let turns = legal_turns(&position);
                let last = turns.last().unwrap_or_else(|| panic!("no turn in {}", position.fen()));
                assert_eq!(position.parse_turn(&position.turn_text(last)).as_ref(), Ok(last));
            }
        }
    }
    if let Some((variant, text)) = variant_and_text(data) {
        variant.run(Read(text));
    }
}

/// Moves from the start position, one a line: what is accepted is legal, and written so that it reads as the same
/// turn.
pub fn turn(data: &[u8]) {
    struct Play(String);
    impl GameTask for Play {
        type Output = ();

        fn run<P: Notation>(self, variant: &Variant) {
            let Ok(start) = P::from_fen(variant, variant.start()) else { return };
            let mut game = Game::new(start);
            for text in self.0.lines().take(300) {
                let position = game.current().clone();
                let Ok(turn) = position.parse_turn(text) else { continue };
                assert!(position.outcome().is_none() && legal_turns(&position).contains(&turn), "{text}");
                assert_eq!(position.parse_turn(&position.turn_text(&turn)).as_ref(), Ok(&turn));
                game.play(turn);
            }
        }
    }
    if let Some((variant, text)) = variant_and_text(data) {
        variant.run(Play(text));
    }
}

/// Collects what is written.
#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if let Ok(mut all) = self.0.lock() {
            all.extend_from_slice(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Sink {
    fn text(&self) -> String {
        let bytes = self.0.lock().map(|all| all.clone()).unwrap_or_default();
        String::from_utf8(bytes).expect("what is written is UTF-8")
    }
}

/// As the session sees it.
fn first_word(line: &str) -> Option<&str> {
    line.trim().split(|c: char| c.is_ascii_whitespace()).next()
}

/// Lines of the protocol: every `go` that is obeyed has one `bestmove`, and whatever `isready` asks is answered.
///
/// Left out is what takes its time by order (perft, bench, many threads, much memory) or reads files.
pub fn session(data: &[u8]) {
    let mut lines = String::from("setoption name Hash value 1\n");
    let mut asked = 0;
    for line in String::from_utf8_lossy(data).lines().take(40) {
        let lower = line.to_ascii_lowercase();
        let costly =
            ["perft", "bench", "threads", "hash", "evalfile", "tables"].iter().any(|word| lower.contains(word));
        if costly {
            continue;
        }
        lines.push_str(line);
        lines.push('\n');
        let word = first_word(line);
        if word == Some("quit") {
            break;
        }
        asked += usize::from(word == Some("isready"));
    }
    let sink = Sink::default();
    let input = std::io::Cursor::new(lines.clone());
    serve(input, Output::new(sink.clone()), Model::default()).expect("reading from memory");
    let said = sink.text();
    let count = |word: &str| said.lines().filter(|line| line.starts_with(word)).count();
    assert_eq!(count("readyok"), asked, "{lines}{said}");
    let searches = lines.lines().filter(|line| first_word(line) == Some("go")).count();
    assert!(count("bestmove") <= searches && !said.contains("failed") && !said.contains("lost;"), "{lines}{said}");
}

/// Lines of GTP of the rule set that the first byte says: every answer is an answer, and every command has one.
///
/// Searches are short, and what would make them long or large is left out.
pub fn gtp(data: &[u8]) {
    let Some((variant, text)) = variant_and_text(data) else { return };
    let costly = |line: &str| ["settings", "time_"].iter().any(|word| line.contains(word));
    let lines: Vec<_> = text.lines().filter(|line| !costly(line)).take(40).collect();
    let sink = Sink::default();
    let settings = Settings { hash: 1, ..Settings::default() };
    let options = gtp::Options {
        start: Board::new(&variant),
        settings,
        seconds: 0.1,
        nodes: Some(30),
        ..gtp::Options::default()
    };
    let input = std::io::Cursor::new(lines.join("\n"));
    serve_gtp(input, &Output::new(sink.clone()), options).expect("reading from memory");
    let said = sink.text();
    assert!(said.is_empty() || said.ends_with("\n\n"), "{said:?}");
    let answers = said.split("\n\n").filter(|answer| !answer.is_empty());
    let mut count = 0;
    for answer in answers {
        assert!(answer.starts_with(['=', '?']) && !answer.contains("failed"), "{lines:?}{answer:?}");
        count += 1;
    }
    let is_command = |line: &&&str| {
        let line = line.split('#').next().unwrap_or_default();
        line.chars().any(|c| !c.is_control() && c != ' ')
    };
    let quit = lines.iter().position(|line| line.trim() == "quit").unwrap_or(lines.len());
    // `quit` with an id or a comment ends it as well.
    assert!(count <= lines.iter().filter(is_command).count(), "{lines:?}{said}");
    let quits = lines.iter().any(|line| line.contains("quit"));
    assert!(quits || count == lines.iter().take(quit).filter(is_command).count(), "{lines:?}{said}");
}

/// JSON lines: every answer is a JSON object, and every position of a query has one final answer.
///
/// Node limits and depths of perft are kept low.
pub fn analysis(data: &[u8]) {
    let mut input = Vec::new();
    for line in data.split(|&byte| byte == b'\n').take(20) {
        let mut object = serde_json::from_slice::<serde_json::Value>(line).ok();
        if let Some(object) = object.as_mut().and_then(|value| value.as_object_mut()) {
            for (name, most) in [("nodes", 30.0), ("depth", 1.0)] {
                let value = object.entry(name).or_insert(serde_json::json!(most));
                if value.is_null() || value.as_f64().is_some_and(|number| number > most) {
                    *value = serde_json::json!(most);
                }
            }
        }
        match object {
            Some(object) => input.extend(object.to_string().into_bytes()),
            None => input.extend_from_slice(line),
        }
        input.push(b'\n');
    }
    let sink = Sink::default();
    let options = Options { jobs: 2, hash: 2, ..Options::default() };
    analysis::serve(&input[..], &Output::new(sink.clone()), &options).expect("reading from memory");
    for line in sink.text().lines() {
        let answer: serde_json::Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert!(answer.is_object() && !line.contains("failed"), "{line}");
    }
}

/// A text of rule sets in every action of the JSON lines that takes one, and in records of every format: each is
/// answered, and what is accepted is written so that it reads as the same.
pub fn own_rules(data: &[u8]) {
    let rules = String::from_utf8_lossy(data);
    let record = serde_json::json!({"variant": "a", "rules": rules, "moves": []});
    let tag = rules.replace('\\', "\\\\").replace('"', "\\\"");
    let pgn = format!("[Variant \"a\"]\n[Rules \"{tag}\"]\n\n*\n");
    let sgf = format!("(;GM[18]RU[{}])", rules.replace('\\', "\\\\").replace(']', "\\]"));
    let mut input = Vec::new();
    let mut ask = |action: &str, mut query: serde_json::Value| {
        query["id"] = action.into();
        query["action"] = action.into();
        input.extend(format!("{query}\n").into_bytes());
    };
    ask("analyse", serde_json::json!({"rules": rules, "nodes": 20}));
    ask("perft", serde_json::json!({"rules": rules, "depth": 1}));
    for action in ["legal_moves", "fill", "variants"] {
        ask(action, serde_json::json!({"rules": rules}));
    }
    ask("review", serde_json::json!({"rules": rules, "positions": [null]}));
    ask("write_game", serde_json::json!({"format": "pgn", "record": record}));
    for text in [&record.to_string(), &pgn, &sgf] {
        ask("read_games", serde_json::json!({"text": text, "rules": rules}));
        ask("read_games", serde_json::json!({"text": text}));
    }
    let asked = input.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).count();
    let sink = Sink::default();
    let options = Options { hash: 1, ..Options::default() };
    analysis::serve(&input[..], &Output::new(sink.clone()), &options).expect("reading from memory");
    let said = sink.text();
    assert!(!said.contains("by a fault of this program") && !said.contains("the search failed"), "{said}");
    assert_eq!(said.lines().filter(|line| !line.contains("\"warning\":")).count(), asked, "{said}");
    for (format, text) in [(0, record.to_string()), (1, pgn), (2, sgf)] {
        games(&[&[[2, 0, 1][format]][..], text.as_bytes()].concat());
    }
}

/// Bytes of a weights file, as they are, and with a right beginning and right checksums: what is accepted is written
/// as it was read, and positions are evaluated with it, where overflow is checked.
pub fn weights(data: &[u8]) {
    let check = |bytes: &[u8]| {
        let known = Weights::from_bytes(bytes);
        if let Ok(known) = &known {
            evaluate_with(known);
        }
        let Ok(tables) = Tables::from_bytes(bytes) else { return assert!(known.is_err()) };
        assert_eq!(Tables::from_bytes(&tables.to_bytes()).ok(), Some(tables));
    };
    check(data);
    // A header with its length before it, and a payload.
    if let Some((length, rest)) = data.split_first_chunk::<4>()
        && let Some((header, payload)) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)
    {
        check(&container(b"HIPPOWTS\x02\0\0\0", header, [payload].into_iter()));
    }
    let frames: Vec<u8> = data.split(|&byte| byte == b'\n').flat_map(frame).collect();
    check(&[b"HIPPOWTS\x02\0\0\0", &frames[..]].concat());
}

/// Evaluates positions of every rule set with these weights: the start, crowded ones and late ones.
pub fn evaluate_with(weights: &Arc<Weights>) {
    let model = Model::Learned(weights.clone());
    let settings = Settings { hash: 1, ..Settings::default() };
    let limits = Limits {
        nodes: Some(20),
        include: Include { ownership: true, stones: true, ..Include::default() },
        ..Limits::default()
    };
    const CROWDED: [&str; 4] = [
        "QqQqQqQqQqQ/qQqQqQqQqQq/11/11/11/11/11/11/11/QqQqQqQqQqQ/qQqQqQqQqQq b",
        "SsSsSsSsSs/sSsSsSsSsS/10/10/10/QqQqQqQqQq/10/10/sSsSsSsSsS/SsSsSsSsSs w",
        "1i1i1i1i/d1d1d1d1/1p1p1p1p/8/8/P1P1P1P1/1D1D1D1D/I1I1I1I1 w",
        "8Q/8q/9/9/9/9/9/9/9 w",
    ];
    for variant in VARIANTS {
        let Ok(mut engine) = Engine::new(variant, &model, settings.clone()) else { continue };
        let mut boards = vec![Board::new(variant)];
        boards.extend(CROWDED.iter().filter_map(|fen| Board::from_fen(variant, fen).ok()));
        for mut board in boards {
            // Three turns on the way to the end of the game.
            for share in [2, 3, 5] {
                if board.outcome().is_some() {
                    break;
                }
                let explanation = engine.explain(&board).expect("a board of this rule set").expect("the game goes on");
                assert!((0.0..=1.0).contains(&explanation.value.white), "{explanation:?}");
                let analysis = engine.analyse(&board, &limits, &Control::default(), &mut |_| ()).expect("as before");
                assert!((0.0..=1.0).contains(&analysis.score.expected()), "{analysis:?}");
                let turns = board.legal_turns().all();
                board.play_turn(&turns[turns.len() / share]).expect("a legal turn");
            }
        }
    }
}

/// A frame of a container.
fn frame(body: &[u8]) -> Vec<u8> {
    [&(body.len() as u32).to_le_bytes(), &crc32fast::hash(body).to_le_bytes(), body].concat()
}

/// A container with this header and these frames of a payload.
fn container<'a>(start: &[u8], header: &[u8], payload: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    let (mut whole, mut count) = ([start, &frame(header)].concat(), 0u64);
    for body in payload {
        whole.extend(frame(body));
        count += 1;
    }
    let end = [&count.to_le_bytes()[..], &crc32fast::hash(&whole).to_le_bytes()].concat();
    whole.extend(frame(&end));
    whole
}

/// Records of games: a line of games.jsonl, a file of openings, and the data of self-play with a right beginning and
/// checksums.
pub fn record(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let Ok(record) = serde_json::from_str::<GameRecord>(&text) {
        assert!(!record.text().is_empty());
        let written = serde_json::to_string(&record).expect("a record is JSON");
        assert_eq!(serde_json::from_str::<GameRecord>(&written).ok(), Some(record));
    }
    if let Some((variant, text)) = variant_and_text(data) {
        let _ = openings::read(&variant, &text);
    }
    read_games(data);
    // A file whose games are the lines.
    let header = br#"{"engine":"","evaluation":"","config":"","variant":"amazons","games":18446744073709551615,"seed":0,"options":{},"shard":[0,1]}"#;
    read_games(&container(b"HIPPODAT\x03\0\0\0", header, data.split(|&byte| byte == b'\n')));
}

/// Files of rule sets: any text, or tables that are like each other in chains, fans and circles. Faults are one line, of
/// the text; what is accepted can be played, and reads as the same from its own line.
pub fn rules(data: &[u8]) {
    const KEYS: [&str; 16] = [
        "title = 'Ü'",
        "moves = 'N'",
        "moves = 'QQR2B3KN'",
        "fires = 'K'",
        "fire-at = 'left'",
        "leaves = 'own'",
        "flips = 'run'",
        "passes = ['pieces', 'stones']",
        "start = 'q2/3/2Q b'",
        "stuck = 'most-stones'",
        "equal = 'black'",
        "rim-barred = 1",
        "protect = 'a1 *2'",
        "move-or-fire = true",
        "stuck-passes = true",
        "fire-at = 'edge'",
    ];
    const ROWS: [&str; 8] = [
        "",
        "wallingRule = past",
        "customPiece1 = q:mRmB2",
        "startFen = q2/3/2Q b - - 0 1",
        "maxRank = 3",
        "maxFile = c",
        "wallingRegion = a* *3 b2",
        "wallOrMove = true",
    ];
    let [shape, times, rest @ ..] = data else { return };
    let is_ini = shape & 1 == 1;
    let text = if shape & 2 == 0 {
        String::from_utf8_lossy(rest).into_owned()
    } else {
        let pairs = rest.as_chunks::<2>().0;
        let table = |(number, &[link, key]): (usize, &[u8; 2])| {
            let like = match link {
                0..64 => format!("a{}", number + 1),
                64..128 => format!("a{}", number.saturating_sub(1)),
                128..192 => format!("a{}", link - 128),
                192.. => VARIANTS[usize::from(link) % VARIANTS.len()].name().to_owned(),
            };
            let key = usize::from(key);
            match is_ini {
                true => format!("[a{number}:{like}]\n{}\n", ROWS[key % ROWS.len()]),
                false => format!("[a{number}]\nlike = '{like}'\n{}\n", KEYS[key % KEYS.len()]),
            }
        };
        pairs.iter().cycle().take(pairs.len() * usize::from(*times)).take(2_000).enumerate().map(table).collect()
    };
    match RulesFile::parse(if is_ini { "a.ini" } else { "a.toml" }, &text) {
        Ok(read) => {
            for set in &read.sets {
                assert_eq!(set.check(), Ok(()), "{text}");
                let variant = set.variant();
                assert!(!Board::new(&variant).legal_turns().is_empty());
                assert_eq!(variant::find(&variant.text()).as_ref(), Ok(&variant));
            }
            assert!(read.left_out.iter().all(|left| (1..=text.lines().count()).contains(&left.line)));
        }
        Err(error) => assert!((1..=text.lines().count().max(1)).contains(&error.line), "{error}"),
    }
}

/// Games in PGN, SGF and JSON lines, by the first byte: errors have places within the text, and what is accepted is
/// written so that it reads as the same games and is written again with the same bytes. All other formats are read.
pub fn games(data: &[u8]) {
    let Some((first, text)) = data.split_first() else { return };
    let format = [Format::Pgn, Format::Sgf, Format::Jsonl][usize::from(*first) % 3];
    let read = |text: &[u8]| {
        let (mut games, mut damages) = (Vec::new(), Vec::new());
        for found in Reader::new(format, text, variant::DEFAULT) {
            match found {
                Ok(game) => games.push(game),
                Err(ReadError::Damaged(damage)) => damages.push(damage),
                Err(error) => panic!("{error}"),
            }
        }
        (games, damages)
    };
    let written = |games: &[Record]| {
        let (mut writer, mut text) = (Writer::new(format), Vec::new());
        games.iter().for_each(|game| writer.write(game, &mut text).expect("a vector takes everything"));
        text
    };
    // Any text may come as one of these.
    for format in [Format::Fen, Format::Pdn, Format::Replay] {
        Reader::new(format, text, variant::DEFAULT).for_each(drop);
    }
    let (games, damages) = read(text);
    let plain = String::from_utf8_lossy(text).replace("\r\n", "\n").replace('\r', "\n");
    let lines: Vec<_> = plain.split('\n').collect();
    for damage in damages {
        let line = lines[damage.line as usize - 1];
        assert!(damage.column >= 1 && damage.column as usize <= line.len() + 1, "{damage}");
    }
    let once = written(&games);
    let (again, damages) = read(&once);
    assert_eq!((damages.len(), again.len()), (0, games.len()), "{damages:?}");
    assert_eq!(written(&again), once);
}

/// Whatever is read as a game is written as the same.
fn read_games(bytes: &[u8]) {
    let Ok(mut reader) = data_file::Reader::new(bytes) else { return };
    while let Ok(Some(game)) = reader.next() {
        let mut again = data_file::start(reader.header()).expect("a header is JSON");
        again.extend(data_file::frame(&game).expect("it was read"));
        let mut again = data_file::Reader::new(&again[..]).expect("a good header");
        assert_eq!(again.next().expect("a good frame"), Some(game));
    }
}
