//! Claims at every strength, with some turns only, with many lines and with few nodes: through each protocol, against
//! brute force.

use crate::child::{Engine, command};
use crate::common::naive::Grid;
use crate::common::naive_rules::RulesGrid;
use crate::proofs::{Checker, LONG, Truth, Twin, random_fen, truth, truth_among};
use hippolyta::engine::Board;
use hippolyta::games::variant::{Family, Variant, find};
use hippolyta::search::Score;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::rc::Rc;

const RATINGS: [u32; 9] = [0, 1, 500, 1_000, 1_500, 2_000, 2_500, 3_000, 4_000];

/// The truth after each turn of a position.
type After = Rc<HashMap<String, Truth>>;

fn after<T: Twin>(position: &T) -> After {
    let mut seen = HashMap::new();
    Rc::new(position.turns().into_iter().map(|(turn, after)| (turn, truth(&after, LONG, &mut seen))).collect())
}

/// A position with what is asked about it.
struct Question {
    variant: Variant,
    fen: String,
    after: After,
    elo: u32,
    nodes: u64,
    lines: usize,
    /// Only these are searched; all if empty.
    turns: Vec<String>,
}

impl Question {
    fn draw(variant: &Variant, fen: &str, after: &After, elo: u32, random: &mut Xoshiro256PlusPlus) -> Self {
        let mut all: Vec<_> = after.keys().cloned().collect();
        all.sort();
        let count = [0, 1, 1, 2, all.len().div_ceil(3)][random.random_range(0..5)];
        let turns = (0..count).map(|_| all[random.random_range(0..all.len())].clone()).collect();
        let nodes = [1, 2, 3, 5, 20, 300][random.random_range(0..6)];
        let lines = [1, 1, 3, 500][random.random_range(0..4)];
        Self { variant: variant.clone(), fen: fen.to_owned(), after: after.clone(), elo, nodes, lines, turns }
    }

    fn all() -> Vec<Self> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(2_000);
        let mut questions = Vec::new();
        for variant in ["amazons", "iago", "cassio"].map(|name| find(name).unwrap()) {
            while questions.iter().filter(|question: &&Self| question.variant == variant).count() < 12 * RATINGS.len() {
                let fen = random_fen(&variant, &mut random);
                if !Board::from_fen(&variant, &fen).is_ok_and(|board| board.outcome().is_none()) {
                    continue;
                }
                let after = match variant.family() {
                    Family::Amazons => after(&Grid::from_fen(&fen)),
                    _ => after(&RulesGrid::of(&variant, &fen)),
                };
                questions.extend(RATINGS.map(|elo| Self::draw(&variant, &fen, &after, elo, &mut random)));
            }
        }
        questions
    }

    fn sentence(&self) -> String {
        let Self { elo, nodes, lines, turns, .. } = self;
        format!("rating {elo}, {nodes} nodes, {lines} lines, {turns:?}")
    }

    /// How many claims there are, once all of them are true: of the position, and of each line by its first turn. The
    /// best turn is one of those that were to be searched.
    fn check(&self, position: Score, lines: &[(String, Score)], best: Option<&str>) -> u32 {
        let among = if self.turns.is_empty() { self.after.keys().cloned().collect() } else { self.turns.clone() };
        assert!(best.is_none_or(|best| among.iter().any(|turn| turn == best)), "{}: {best:?}", self.sentence());
        let root = truth_among(among.iter().map(|turn| &self.after[turn]));
        let mut checker = Checker::new(&self.variant, &self.fen, root, HashMap::clone(&self.after));
        checker.check(&self.sentence(), position, root);
        for (turn, score) in lines {
            assert!(among.contains(turn), "{}: {turn}", self.sentence());
            checker.check(
                &format!("{}, {turn}", self.sentence()),
                *score,
                truth_among([&self.after[turn]].into_iter()),
            );
        }
        checker.count()
    }
}

const ESTIMATE: Score = Score::Estimate { score: 0.5, draw: 0.0 };

/// The word after another.
fn word<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let mut words = line.split(' ');
    words.find(|word| *word == name).and_then(|_| words.next())
}

/// Asks all in one dialogue, in which the tree is kept, by UCI or UGI.
fn ask_all(dialect: &str) -> u32 {
    let mut engine = Engine::start();
    engine.ask(dialect, &format!("{dialect}ok"));
    let name = |name: &str| if dialect == "ugi" { name.to_lowercase() } else { name.to_owned() };
    let limited = format!("setoption name {} value true", name("UCI_LimitStrength"));
    engine.quietly(&limited);
    let mut claims = 0;
    for question in Question::all() {
        let Question { variant, fen, elo, nodes, lines, turns, .. } = &question;
        engine.send(&format!("setoption name {} value {}", name("UCI_Variant"), variant.name()));
        engine.send(&format!("setoption name MultiPV value {lines}"));
        engine.ask("isready", "readyok");
        engine.quietly(&format!("setoption name {} value {elo}", name("UCI_Elo")));
        engine.quietly(&format!("position fen {fen}"));
        let only = if turns.is_empty() { String::new() } else { format!(" searchmoves {}", turns.join(" ")) };
        let said = engine.ask(&format!("go nodes {nodes}{only}"), "bestmove");
        let best = word(said.last().unwrap(), "bestmove").unwrap();
        for line in said.iter().filter(|line| line.starts_with("info depth")) {
            let score = match word(line, "mate").map(|turns| turns.parse::<i32>().unwrap()) {
                None => ESTIMATE,
                // UCI counts the winner's turns, UGI those of both.
                Some(turns) if dialect == "ugi" && turns > 0 => Score::Win { plies: turns as u32 },
                Some(turns) if dialect == "ugi" => Score::Loss { plies: turns.unsigned_abs() },
                Some(turns) if turns > 0 => Score::Win { plies: 2 * turns as u32 },
                Some(turns) => Score::Loss { plies: 2 * turns.unsigned_abs() },
            };
            // The first line speaks for the position.
            let turn = word(line, "pv").unwrap().to_owned();
            claims += if word(line, "multipv") == Some("1") {
                question.check(score, &[(turn, ESTIMATE)], Some(best))
            } else {
                question.check(ESTIMATE, &[(turn, score)], Some(best))
            };
        }
    }
    engine.quit();
    claims
}

#[test]
fn every_rating_claims_what_is_true_by_uci_and_ugi() {
    for dialect in ["uci", "ugi"] {
        let claims = ask_all(dialect);
        assert!(claims > 150, "{dialect}: {claims}");
    }
}

#[test]
fn every_rating_claims_what_is_true_in_json() {
    let questions = Question::all();
    let mut engine = Engine::start_with(&["analyse"]);
    for (id, question) in questions.iter().enumerate() {
        let Question { variant, fen, elo, nodes, lines, turns, .. } = question;
        let mut query = json!({
            "id": id.to_string(), "variant": variant.name(), "fen": fen, "elo": elo, "nodes": nodes, "multipv": lines,
            "seed": id,
        });
        if !turns.is_empty() {
            query["searchmoves"] = json!(turns);
        }
        engine.send(&query.to_string());
    }
    engine.close_input();
    let (said, status) = engine.end();
    assert!(status.success() && said.len() == questions.len());
    let mut claims = 0;
    for line in said {
        let answer: Value = serde_json::from_str(&line).unwrap();
        let question = &questions[answer["id"].as_str().unwrap().parse::<usize>().unwrap()];
        let score = |result: &Value| {
            let plies = result["plies"].as_u64().unwrap_or_default() as u32;
            match result["outcome"].as_str() {
                Some("win") => Score::Win { plies },
                Some("loss") => Score::Loss { plies },
                Some("draw") => Score::Draw,
                _ => ESTIMATE,
            }
        };
        let text = |info: &Value| info["move"].as_str().unwrap().to_owned();
        let infos = answer["moveInfos"].as_array().unwrap();
        let lines: Vec<_> = infos.iter().map(|info| (text(info), score(&info["result"]))).collect();
        let best = lines.first().map(|(turn, _)| turn.as_str());
        claims += question.check(score(&answer["rootInfo"]["result"]), &lines, best);
    }
    assert!(claims > 300, "{claims}");
}

#[test]
fn every_rating_claims_what_is_true_by_gtp() {
    let variant = &find("amazons6").unwrap();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2_001);
    let mut engine = Engine::start_with(&["gtp", "--variant", variant.name(), "--nodes", "30"]);
    let mut ask = |line: &str| {
        engine.send(line);
        let mut said = engine.until("");
        while said.last().is_some_and(|line| !line.is_empty()) {
            said.push(engine.next().unwrap());
        }
        assert!(said[0].starts_with('='), "{line}: {said:#?}");
        said
    };
    let mut claims = 0;
    for _ in 0..5 {
        // A game of random turns, until brute force sees its end.
        let (mut grid, mut plays) = (Grid::from_fen(variant.start()), Vec::new());
        let is_long = |grid: &Grid| grid.cells.iter().flatten().filter(|&&cell| cell == '.').count() > 7;
        while is_long(&grid) && !grid.turns().is_empty() {
            let turns = grid.turns();
            let (turn, next) = &turns[random.random_range(0..turns.len())];
            let side = if grid.white_to_move { "w" } else { "b" };
            plays.extend([&turn[..2], &turn[2..4], &turn[7..]].map(|square| format!("{side} {square}")));
            grid = next.clone();
        }
        if grid.turns().is_empty() {
            continue;
        }
        ask("clear_board");
        ask(&format!("gogui-play_sequence {}", plays.join(" ")));
        let (fen, after) = (grid.fen(), after(&grid));
        for elo in RATINGS {
            let question = Question { turns: Vec::new(), ..Question::draw(variant, &fen, &after, elo, &mut random) };
            ask(&format!("hippolyta-settings level {elo}"));
            ask(&format!("hippolyta-settings positions_per_turn {}", question.nodes));
            ask(&format!("hippolyta-settings lines {}", question.lines));
            for line in ask("hippolyta-lines").iter().filter(|line| line.contains(" visits: ")) {
                let plies = || line.split_once("within ").unwrap().1.split(' ').next().unwrap().parse::<u32>().unwrap();
                let score = match () {
                    () if line.contains("wins within") => Score::Win { plies: 2 * plies() },
                    () if line.contains("loses within") => Score::Loss { plies: 2 * plies() },
                    () => ESTIMATE,
                };
                let squares: Vec<_> = line.split_once("visits: ").unwrap().1.split([' ', ',']).take(3).collect();
                let [from, to, at] = squares[..] else { panic!("{line}") };
                let turn = format!("{from}{to},{to}{at}").to_lowercase();
                claims += question.check(ESTIMATE, &[(turn, score)], None);
            }
        }
    }
    engine.quit();
    assert!(claims > 50, "{claims}");
}

/// The numbers after ` nodes ` of the last line about each search.
fn nodes(said: &[String]) -> u64 {
    said.iter().filter_map(|line| word(line, "nodes")?.parse().ok()).next_back().unwrap()
}

#[test]
fn levels_act_under_own_rules_and_above_what_was_measured() {
    const OWN: &str = "own = { like = 'amazons6', moves = 'N', stuck = 'wins' }";
    // With 20,000 nodes at most, but for what a rating leaves.
    let levels = [(OWN, 0, 1..=1), (OWN, 1_070, 16..=40), (OWN, 1_735, 1_000..=1_100), (OWN, 4_000, 20_000..=21_000)];
    let damone =
        [("damone", 1_290, 1_000..=1_100), ("damone", 1_450, 4_000..=16_000), ("damone", 1_700, 20_000..=21_000)];
    let mut uci = Engine::uci();
    uci.quietly("setoption name UCI_LimitStrength value true");
    let mut json = Engine::start_with(&["analyse"]);
    for (variant, elo, expected) in levels.into_iter().chain(damone) {
        uci.send(&format!("setoption name UCI_Variant value {variant}"));
        uci.send(&format!("setoption name UCI_Elo value {elo}"));
        let said = uci.ask("go nodes 20000", "bestmove");
        assert!(expected.contains(&nodes(&said)), "{variant} {elo}: {said:#?}");
        json.send(&json!({"id": "a", "variant": variant, "elo": elo, "nodes": 20_000}).to_string());
        let answer: Value = serde_json::from_str(&json.next().unwrap()).unwrap();
        assert!(expected.contains(&answer["rootInfo"]["nodes"].as_u64().unwrap()), "{variant} {elo}: {answer}");
    }
    uci.quit();
    // A rating of its own ends a search.
    json.send(&json!({"id": "b", "variant": OWN, "elo": 1_000}).to_string());
    let answer: Value = serde_json::from_str(&json.next().unwrap()).unwrap();
    assert!(answer["rootInfo"]["nodes"].as_u64().unwrap() <= 16, "{answer}");
    json.close_input();
    json.end();
    let mut gtp = Engine::start_with(&["gtp", "--variant", OWN, "--time", "60"]);
    for level in ["0", "1500"] {
        gtp.ask(&format!("hippolyta-settings level {level}"), "=");
        // The first square of a turn; with all of its minute the test would time out.
        gtp.ask("genmove w", "=");
    }
    gtp.quit();
    // Of the names of levels each is another.
    let mut page = Engine::start_with(&["analyse"]);
    page.send(
        &json!({"id": "c", "action": "variants", "rules": "[own]\nlike = 'amazons6'\nmoves = 'N'\n"}).to_string(),
    );
    let answer: Value = serde_json::from_str(&page.next().unwrap()).unwrap();
    let strengths = answer["variants"][0]["strengths"].as_array().unwrap();
    let named: Vec<_> = strengths.iter().map(|level| level["elo"].as_u64().unwrap_or(u64::MAX)).collect();
    assert!(named.len() == 9 && named.windows(2).all(|pair| pair[0] < pair[1]), "{answer}");
    page.close_input();
    page.end();
}

#[test]
fn ratings_out_of_range_are_refused_in_a_line_that_names_the_range() {
    let mut engine = Engine::uci();
    let mut gtp = Engine::start_with(&["gtp"]);
    for wrong in ["-1", "4001", "1e3", "1500.5", "99999999999999999999", "strong"] {
        let answer = engine.one_answer(&format!("setoption name UCI_Elo value {wrong}"));
        let expected = format!("info string ERROR: option UCI_Elo: '{wrong}' is not a whole number from 0 to 4000");
        assert_eq!(answer, expected);
        let answer = gtp.ask(&format!("hippolyta-settings level {wrong}"), "?");
        assert_eq!(*answer.last().unwrap(), format!("? level: '{wrong}' is not full, or a rating from 0 to 4000"));
        let (_, message, status) = command(&["gtp", &format!("--elo={wrong}")]);
        assert!(status == 2 && message.contains(&format!("'{wrong}' for '--elo ")), "{message}");
    }
    engine.quit();
    gtp.quit();
    let mut analyse = Engine::start_with(&["analyse"]);
    for wrong in [json!(-1), json!(4001), json!(1500.5), json!("1500")] {
        analyse.send(&json!({"id": "e", "elo": wrong}).to_string());
        let answer: Value = serde_json::from_str(&analyse.next().unwrap()).unwrap();
        assert_eq!((&answer["id"], &answer["field"]), (&json!("e"), &json!("elo")), "{answer}");
        assert!(answer["error"].as_str().unwrap().contains("4000"), "{answer}");
    }
    analyse.close_input();
    analyse.end();
}
