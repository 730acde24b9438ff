//! The words and lines of fastchess. Lines for OpenBench's worker are read here as the worker reads them: by blanks,
//! colons and regular places in a line.

use crate::child::command;
use crate::common::folder::Folder;
use std::collections::HashMap;
use std::fs;

/// The words that a worker takes from a line `Finished game N (A vs B): RESULT {REASON}`.
struct Finished {
    game: u64,
    result: String,
    reason: String,
}

/// The worker's reading: words three and seven, and what stands between the first and the second colon.
fn finished(line: &str) -> Finished {
    let words: Vec<_> = line.split_whitespace().collect();
    let reason = line.split(':').nth(1).unwrap().to_owned();
    Finished { game: words[2].parse().unwrap(), result: words[6].to_owned(), reason }
}

/// The worker's sums over all lines: losses, draws and wins of the first engine, and pairs by half points. It stops at
/// the first empty line, and reads nothing but ASCII.
fn worker(output: &str) -> ([u64; 3], [u64; 5], Vec<Finished>) {
    let half = |result: &str| ["0-1", "1/2-1/2", "1-0"].iter().position(|known| *known == result).unwrap();
    let (mut games, mut single, mut pairs, mut all) = (HashMap::new(), [0; 3], [0; 5], Vec::new());
    assert!(output.is_ascii());
    for line in output.lines() {
        assert!(!line.trim().is_empty(), "{output}");
        if !line.contains("Finished game") {
            continue;
        }
        let found = finished(line);
        games.insert(found.game, found.result.clone());
        let first = found.game - (found.game + 1) % 2;
        if let (Some(a), Some(b)) = (games.get(&first), games.get(&(first + 1))) {
            let (a, b) = (half(a), 2 - half(b));
            single[a] += 1;
            single[b] += 1;
            pairs[a + b] += 1;
        }
        all.push(found);
    }
    (single, pairs, all)
}

/// A PGN file as the worker cuts it: tags to an empty line, moves to an empty line.
fn sliced(text: &str) -> Vec<(HashMap<String, String>, String)> {
    let mut lines = text.lines();
    let mut games = Vec::new();
    loop {
        let tags: Vec<_> = lines.by_ref().take_while(|line| !line.trim().is_empty()).collect();
        let moves: Vec<_> = lines.by_ref().take_while(|line| !line.trim().is_empty()).collect();
        if tags.is_empty() || moves.is_empty() {
            return games;
        }
        let tag = |line: &&str| {
            let (name, value) = line[1..].split_once(' ').unwrap();
            (name.to_owned(), value.split('"').nth(1).unwrap().to_owned())
        };
        games.push((tags.iter().map(tag).collect(), moves.join(" ")));
    }
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

#[test]
fn a_farms_command_line_is_played_and_its_lines_are_read() {
    let folder = Folder::new("fastchess");
    let book = folder.path("openings.epd");
    let start = "1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - -";
    fs::write(&book, format!("{start} hmvc 0; fmvn 1;\n2q1q1/q4q/1*4/6/Q4Q/1Q2Q1 w - - hmvc 0; fmvn 1;\n")).unwrap();
    let pgn = folder.path("1.2.3.0.pgn");
    let line = format!(
        "fastchess -recover -variant standard -testEnv -concurrency 2 -force-concurrency -rounds 2 -games 2 -resign movecount=3 score=900 \
         -engine dir=. cmd=self proto=auto tc=inf nodes=40 option.UCI_Variant=amazons6 option.Hash=4 name=H-dev \
         -engine dir=. cmd=self proto=auto tc=inf nodes=40 option.UCI_Variant=amazons6 option.Hash=4 name=H-base \
         -openings file={book} format=epd order=random start=1 -srand 42 \
         -pgnout file={pgn} seldepth=true nodes=true match_line=^info"
    );
    let (output, errors, code) = command(&words(&line));
    assert_eq!((code, errors.lines().count()), (0, 1), "{output}{errors}");
    assert!(errors.starts_with("hippolyta: -pgnout match_line=^info is ignored: "), "{errors}");
    let (single, pairs, all) = worker(&output);
    assert_eq!((single.iter().sum::<u64>(), pairs.iter().sum::<u64>(), all.len()), (4, 2, 4), "{output}");
    for game in &all {
        assert!(!["disconnect", "stalls", "on time", "illegal"].iter().any(|word| game.reason.contains(word)));
    }
    let [losses, draws, wins] = single;
    assert!(
        output.contains(&format!("Games: 4, Wins: {wins}, Losses: {losses}, Draws: {draws}, Points: ")),
        "{output}"
    );
    let [a, b, c, d, e] = pairs;
    assert!(output.contains(&format!("\nPtnml(0-2): [{a}, {b}, {c}, {d}, {e}], WL/DD Ratio: ")), "{output}");
    assert!(output.contains("\nResults of H-dev vs H-base (40 nodes, NULL, 4MB, openings.epd):\nElo: "), "{output}");
    assert!(output.contains("\nFinished match\nTotal Time: 00:") && output.ends_with(" (hours:minutes:seconds)\n"));
    for number in 1..=4 {
        assert!(output.contains(&format!("Started game {number} of 4 (H-")), "{output}");
    }
    let games = sliced(&fs::read_to_string(&pgn).unwrap());
    assert_eq!(games.len(), 4);
    for (tags, moves) in &games {
        for name in ["Event", "Site", "Date", "Round", "Result", "FEN", "Termination", "TimeControl", "PlyCount"] {
            assert!(tags.contains_key(name), "{name}");
        }
        assert_eq!(tags["Variant"], "amazons6");
        // Move, then one comment with score/depth, time, nodes and the longest line.
        let plies: usize = tags["PlyCount"].parse().unwrap();
        assert_eq!(
            (moves.matches('{').count(), moves.matches(" n=").count(), moves.matches(" sd=").count()),
            (plies, plies, plies)
        );
        assert!(moves.ends_with(tags["Result"].as_str()), "{moves}");
    }
    // Our own PGN can be read.
    let out = folder.path("games.jsonl");
    let (_, errors, code) = command(&["convert", &pgn, "--out", &out]);
    assert_eq!((code, errors.as_str()), (0, ""));
    assert_eq!(fs::read_to_string(&out).unwrap().lines().count(), 4);
}

#[test]
#[cfg(unix)]
fn faults_have_the_words_that_workers_look_for() {
    let folder = Folder::new("fastchess-faults");
    let engine = |name: &str, answer: &str| {
        let path = folder.path(name);
        let script = format!(
            "while read line; do case $line in uci) echo uciok;; isready) echo readyok;; go*) {answer};; quit) exit;; esac; done"
        );
        fs::write(&path, script).unwrap();
        path
    };
    for (name, answer, limit, word, termination) in [
        ("illegal", "echo bestmove a1a1,a1a1", "nodes=10", "illegal", "illegal move"),
        ("crash", "exit", "nodes=10", "disconnect", "abandoned"),
        ("late", "sleep 1; echo bestmove a1a1,a1a1", "st=0.1", "on time", "time forfeit"),
    ] {
        let (script, pgn) = (engine(name, answer), folder.path(&format!("{name}.pgn")));
        let line = format!(
            "fastchess -recover -engine cmd=sh args={script} name={name} proto=uci {limit} -engine cmd=self nodes=10 name=self \
             -variant amazons6 -rounds 1 -games 2 -pgnout file={pgn}"
        );
        let (output, _, code) = command(&words(&line));
        assert_eq!(code, 0, "{output}");
        let (single, _, all) = worker(&output);
        assert_eq!(single, [2, 0, 0], "{output}");
        let text = fs::read_to_string(&pgn).unwrap();
        for game in &all {
            assert!(game.reason.contains(word), "{}", game.reason);
        }
        // The worker looks for the reason, from its brace on, in the lines of the file.
        let games = sliced(&text);
        assert!(games.iter().all(|(tags, _)| tags["Termination"] == termination), "{text}");
        if name != "illegal" {
            let reason = all[0].reason.split('{').nth(1).unwrap();
            assert!(text.lines().any(|line| line.contains(reason)), "{reason}\n{text}");
        }
    }
}

#[test]
fn what_is_not_understood_is_one_line() {
    for (line, error) in [
        ("fastchess", "the following required arguments were not provided: -engine"),
        ("fastchess -tb /tables", "-tb: not known here"),
        ("fastchess -frobnicate", "-frobnicate: this option is not known here"),
        ("fastchess -engine cmd=self nodes=9", "two engines at least"),
        ("fastchess -engine cmd=self nodes=9 -engine cmd=self nodes=9 name=b -variant chess", "chess"),
        (
            "fastchess -engine cmd=self nodes=9 -engine cmd=self nodes=9 name=b -sprt elo0=0",
            "elo0= and elo1= are needed",
        ),
        (
            "fastchess -openings file=a.epd format=xyz -engine cmd=self nodes=9 -engine cmd=self name=b nodes=9",
            "format=xyz",
        ),
    ] {
        let (output, errors, code) = command(&words(line));
        let last = errors.lines().last().unwrap();
        assert_eq!((output.as_str(), code), ("", 1), "{line}: {errors}");
        assert!(last.starts_with("hippolyta: ") && last.contains(error), "{line}: {errors}");
    }
    let (output, _, code) = command(&["fastchess", "-version"]);
    assert!(code == 0 && output.starts_with("fastchess 1.8.1 "), "{output}");
}

#[test]
fn a_test_ends_with_its_decision() {
    let line = "fastchess -engine cmd=self nodes=600 name=strong -engine cmd=self args=--playouts nodes=1 name=weak \
                -variant amazons6 -rounds 300 -games 2 -repeat -ratinginterval 5 -sprt elo0=0 elo1=300 alpha=0.2 beta=0.2";
    let (output, errors, code) = command(&words(line));
    assert_eq!((code, errors.as_str()), (0, FROM_START), "{output}");
    assert!(output.contains("\nSPRT ([0.00, 300.00]) completed - H1 was accepted\n"), "{output}");
    let ratio = output.lines().rfind(|line| line.starts_with("LLR: ")).unwrap();
    assert!(ratio.ends_with(" (-1.39, 1.39) [0.00, 300.00]"), "{ratio}");
}

/// The message where no book is named.
const FROM_START: &str = "hippolyta: no -openings: all games begin at the start position\n";

#[test]
fn lines_of_cutechess_are_printed_if_asked_for() {
    let line = "fastchess -engine cmd=self nodes=2 name=a -engine cmd=self nodes=2 name=b -variant amazons6 -rounds 3 \
                -output format=cutechess -scoreinterval 2 -ratinginterval 4 -sprt elo0=-1 elo1=1 alpha=0.05 beta=0.05";
    let (output, errors, code) = command(&words(line));
    assert_eq!((code, errors.as_str()), (0, FROM_START), "{output}");
    let begin = |word: &str| output.lines().filter(|line| line.starts_with(word)).collect::<Vec<_>>();
    let scores = begin("Score of a vs b: ");
    assert_eq!(scores.len(), 3, "{output}");
    assert!(scores[2].ends_with("] 6") && scores[0].contains("  ["), "{output}");
    let differences = begin("Elo difference: ");
    assert_eq!(differences.len(), 2, "{output}");
    assert!(
        differences.iter().all(|line| {
            line.contains(" +/- ") && line.contains(", LOS: ") && line.contains(" %, DrawRatio: 0.00 %")
        })
    );
    assert!(begin("SPRT: llr ").iter().all(|line| line.ends_with(", lbound -2.94, ubound 2.94")), "{output}");
    assert!(output.contains("\nTournament finished\nFinished match\n"), "{output}");
    assert!(!output.contains("Ptnml") && !output.contains("-----"), "{output}");
}

#[test]
#[cfg(unix)]
fn without_recover_a_crash_or_a_stall_ends_the_match_with_code_1() {
    let folder = Folder::new("fastchess-stop");
    let script = |name: &str, answer: &str| {
        let path = folder.path(name);
        let text = format!(
            "while read line; do case $line in uci) echo uciok;; isready) echo readyok;; go*) {answer};; quit) exit;; esac; done"
        );
        fs::write(&path, text).unwrap();
        path
    };
    for (name, answer, more) in [("crash", "exit", ""), ("stall", "sleep 9", "-ping-ms 1000")] {
        let script = script(name, answer);
        let pgn = folder.path(&format!("{name}.pgn"));
        let line = |more: &str| {
            format!(
                "fastchess -engine cmd=sh args={script} name={name} nodes=10 -engine cmd=self nodes=2 name=self \
                 -variant amazons6 -rounds 2 -pgnout file={pgn} {more}"
            )
        };
        let (output, errors, code) = command(&words(&line(more)));
        assert_eq!((code, errors.as_str()), (1, FROM_START), "{output}");
        let stopped = "Game 1 stalled / disconnected and no recover option set for engine, stopping tournament.\nFinished game 1 (";
        assert!(output.contains(stopped), "{output}");
        assert_eq!(worker(&output).2.len(), 1, "{output}");
        assert!(output.contains("\nTournament was interrupted.\nFinished match\nTotal Time: "), "{output}");
        assert!(output.contains("\nGames: 1, Wins: 0, Losses: 1, Draws: 0, "), "{output}");
        // Nothing of it is lost.
        assert_eq!(sliced(&fs::read_to_string(&pgn).unwrap()).len(), 1);
        if name == "crash" {
            let (output, _, code) = command(&words(&line("-recover")));
            assert_eq!((code, worker(&output).2.len()), (0, 4), "{output}");
        }
    }
}

#[test]
#[cfg(unix)]
fn arguments_keep_what_stands_in_quotes_and_engines_are_started_anew_if_asked_for() {
    let folder = Folder::new("fastchess-arguments");
    let (script, log) = (folder.path("engine"), folder.path("log"));
    let text = format!(
        "echo \"[$1][$2]\" >> {log}\nwhile read line; do case $line in uci) echo uciok;; isready) echo readyok;; \
         go*) echo bestmove resign;; quit) exit;; esac; done"
    );
    fs::write(&script, text).unwrap();
    for (restart, starts) in [("off", 2), ("on", 4)] {
        fs::write(&log, "").unwrap();
        let engine = format!("args={script} 'two words' \"it's\"");
        let each = format!("restart={restart}");
        let line = ["fastchess", "-recover", "-engine", "cmd=sh", "name=toy", "nodes=1", &engine];
        let rest = "-engine cmd=self name=self nodes=1 -variant amazons6 -rounds 3 -games 1 -each";
        let (output, errors, code) = command(&[&line[..], &words(rest), &[&each]].concat());
        assert_eq!((code, errors.as_str()), (0, FROM_START), "{output}");
        let log = fs::read_to_string(&log).unwrap();
        // The first time is before the match.
        assert!(log.lines().all(|line| line == "[two words][it's]"), "{log}");
        assert_eq!(log.lines().count(), starts, "{log}");
    }
}
