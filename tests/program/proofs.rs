//! Whatever a search claims to be proven is true, however early it is cut short: against brute force that knows only
//! the rules.

use crate::child::Engine;
use crate::common;
use crate::common::naive::Grid;
use crate::common::naive_damone::DraughtsGrid;
use crate::common::naive_rules::RulesGrid;
use hippolyta::eval::amazons::AmazonsEvaluator;
use hippolyta::eval::damone::DamoneEvaluator;
use hippolyta::eval::desdemona::DesdemonaEvaluator;
use hippolyta::eval::{Evaluator, Playouts};
use hippolyta::games::variant::{Family, VARIANTS, Variant};
use hippolyta::games::{Game, Notation, Side, legal_turns};
use hippolyta::search::{Control, Limits, Report, Score, Search, Settings};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::hash::Hash;
use std::time::Duration;

/// A game by its rules alone.
pub trait Twin: Clone + Eq + Hash {
    fn turns(&self) -> Vec<(String, Self)>;
    /// The positions after them.
    fn after(&self) -> Vec<Self> {
        self.turns().into_iter().map(|(_, after)| after).collect()
    }
    /// +1, 0, −1 for the side to move if the game is over, given whether there is a turn.
    fn result(&self, has_turn: bool) -> Option<i32>;
}

impl Twin for Grid {
    fn turns(&self) -> Vec<(String, Self)> {
        self.turns()
    }
    fn after(&self) -> Vec<Self> {
        // Without the texts, which take most of the time.
        self.after().into_iter().map(|(_, after)| after).collect()
    }
    fn result(&self, has_turn: bool) -> Option<i32> {
        (!has_turn).then_some(-1)
    }
}

impl Twin for RulesGrid {
    fn turns(&self) -> Vec<(String, Self)> {
        self.turns()
    }
    fn result(&self, has_turn: bool) -> Option<i32> {
        let mover = if self.white_to_move { Side::White } else { Side::Black };
        self.outcome(has_turn).map(|outcome| i32::from(outcome.half_points(mover)) - 1)
    }
}

/// A position of Damone with its quiet plies; too near to the limit of 80 for a third occurrence.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Draughts {
    grid: DraughtsGrid,
    quiet: u32,
    needs_damone: bool,
}

impl Twin for Draughts {
    fn turns(&self) -> Vec<(String, Self)> {
        let quiet = |irreversible| if irreversible { 0 } else { self.quiet + 1 };
        let turn = |turn: common::naive_damone::DraughtsTurn| {
            (turn.text, Self { grid: turn.after, quiet: quiet(turn.irreversible), ..self.clone() })
        };
        self.grid.turns().into_iter().map(turn).collect()
    }
    fn result(&self, _: bool) -> Option<i32> {
        let white = self.grid.white_to_move;
        let lost = self.grid.loser_is_white(self.needs_damone).map(|loser| if loser == white { -1 } else { 1 });
        lost.or((self.quiet >= 80).then_some(0))
    }
}

/// The truth about a position, for the side to move: bounds of its value, and the plies to the end with best play if it
/// is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Truth {
    low: i32,
    high: i32,
    plies: u32,
}

pub const LONG: u32 = u32::MAX;

/// The truth, looking `depth` turns ahead.
pub fn truth<T: Twin>(position: &T, depth: u32, seen: &mut HashMap<(T, u32), Truth>) -> Truth {
    let key = (position.clone(), depth);
    if let Some(&known) = seen.get(&key) {
        return known;
    }
    let next = position.after();
    let found = if let Some(value) = position.result(!next.is_empty()) {
        Truth { low: value, high: value, plies: 0 }
    } else if depth == 0 {
        Truth { low: -1, high: 1, plies: LONG }
    } else {
        let after: Vec<_> = next.iter().map(|next| truth(next, depth - 1, seen)).collect();
        truth_among(after.iter())
    };
    seen.insert(key, found);
    found
}

/// The truth about a position in which only some turns may be played, from the truth after each of them.
pub fn truth_among<'a>(after: impl Iterator<Item = &'a Truth>) -> Truth {
    let after: Vec<_> = after.collect();
    let (low, high) = (after.iter().map(|t| -t.high).max().unwrap(), after.iter().map(|t| -t.low).max().unwrap());
    let plies = |t: &&Truth| t.plies.saturating_add(1);
    let plies = match (low, high) {
        // The winner hurries, the loser holds out.
        (1, _) => after.iter().filter(|t| t.high == -1).map(plies).min().unwrap(),
        (_, -1) => after.iter().map(plies).max().unwrap(),
        _ => LONG,
    };
    Truth { low, high, plies }
}

/// A random position of a rule set as FEN: few empty squares, or, in Damone, few pieces and few plies left.
pub fn random_fen(variant: &Variant, random: &mut Xoshiro256PlusPlus) -> String {
    let side = if random.random() { 'w' } else { 'b' };
    if matches!(variant.family(), Family::Damone(_)) {
        let mut grid = DraughtsGrid { cells: vec![vec!['.'; 8]; 8], white_to_move: side == 'w' };
        let count = random.random_range(2..=5);
        let mut placed = 0;
        while placed < count {
            let (file, rank) = (random.random_range(0..8), random.random_range(0..8));
            // Both have some.
            let piece = ['p', 'd', 'i', 'p', 'd'][random.random_range(0..5)];
            if (file + rank) % 2 == 1 && grid.cells[rank][file] == '.' {
                grid.cells[rank][file] =
                    if placed == 0 || placed > 1 && random.random() { piece.to_ascii_uppercase() } else { piece };
                placed += 1;
            }
        }
        return format!("{} - - {} 90", grid.fen(), random.random_range(76..80));
    }
    let (width, height) = (random.random_range(3..=5), random.random_range(3..=4));
    let amazons = random.random_range(1..=2);
    let empty = random.random_range(2..=if width * height <= 12 { 6 } else { 5 });
    let mut pieces: Vec<char> = "Qq".repeat(amazons).chars().collect();
    let is_amazons = variant.family() == Family::Amazons;
    while pieces.len() < width * height - empty {
        pieces.push(if is_amazons { '*' } else { ['S', 's', 'S', 's', '*'][random.random_range(0..5)] });
    }
    pieces.resize(width * height, '.');
    for last in (1..pieces.len()).rev() {
        pieces.swap(last, random.random_range(0..=last));
    }
    let grid = Grid { cells: pieces.chunks(width).map(<[char]>::to_vec).collect(), white_to_move: side == 'w' };
    let flag = if !is_amazons && random.random_range(0..8) == 0 { 'm' } else { '-' };
    format!("{} {flag} - 0 1", grid.fen())
}

/// The claims of one search, checked.
pub struct Checker<'a> {
    fen: &'a str,
    variant: Variant,
    root: Truth,
    after: HashMap<String, Truth>,
    claims: u32,
    wrong: Vec<String>,
}

impl<'a> Checker<'a> {
    pub fn new(variant: &Variant, fen: &'a str, root: Truth, after: HashMap<String, Truth>) -> Self {
        Self { fen, variant: variant.clone(), root, after, claims: 0, wrong: Vec::new() }
    }

    /// The number of claims, once none is false.
    pub fn count(self) -> u32 {
        assert!(self.wrong.is_empty(), "{}", self.wrong.join("\n"));
        self.claims
    }

    /// `score` is claimed of what `truth` is known of, `turns` turns from the position that `truth` is of.
    pub fn check(&mut self, what: &str, score: Score, truth: Truth) {
        let true_so_far = match score {
            Score::Estimate { .. } => return,
            Score::Win { plies } => truth.high == 1 && (truth.low < 1 || truth.plies <= plies),
            Score::Loss { plies } => truth.low == -1 && (truth.high > -1 || truth.plies <= plies),
            Score::Draw => truth.low <= 0 && truth.high >= 0,
        };
        self.claims += 1;
        if !true_so_far {
            self.wrong.push(format!("{} '{}', {what}: {score:?}, but {truth:?}", self.variant.name(), self.fen));
        }
    }

    fn report<P: Notation>(&mut self, position: &P, report: &Report<P>, what: &str) {
        self.report_among(position, report, self.root, what);
        self.winning_turn_first(position, report, self.root, what);
    }

    /// Checks a report on turns whose best has this truth.
    fn report_among<P: Notation>(&mut self, position: &P, report: &Report<P>, among: Truth, what: &str) {
        self.check(what, report.score, among);
        for line in &report.lines {
            let text = position.turn_text(&line.turns[0]);
            let after = self.after[&text];
            // Of the side that has played the turn.
            let truth = Truth { low: -after.high, high: -after.low, plies: after.plies.saturating_add(1) };
            self.check(&format!("{what}, {text}"), line.score, truth);
        }
    }

    /// Checks that a position that is said to be won comes with a turn that wins. A limited strength may play another.
    fn winning_turn_first<P: Notation>(&mut self, position: &P, report: &Report<P>, among: Truth, what: &str) {
        if let Some(line) = report.lines.first()
            && among.low == 1
            && matches!(report.score, Score::Win { .. })
            && self.after[&position.turn_text(&line.turns[0])].low > -1
        {
            self.wrong.push(format!("{} '{}', {what}: not a winning turn first", self.variant.name(), self.fen));
        }
    }
}

struct Engines<P: Notation, E: Evaluator<P>> {
    /// With one thread, with two.
    searches: [Search<P, E>; 2],
}

impl<P: Notation, E: Evaluator<P>> Engines<P, E> {
    fn new(evaluator: impl Fn() -> E) -> Self {
        let search = |threads| Search::new(evaluator(), Settings { hash: 1, threads, ..Settings::default() }).unwrap();
        Self { searches: [1, 2].map(search) }
    }

    /// Searches a position with every limit, and on a tree that is kept; every claim is checked.
    fn run(&mut self, checker: &mut Checker, case: usize, thorough: bool) {
        let Ok(position) = P::from_fen(&checker.variant, checker.fen) else { return };
        let mut expected: Vec<_> = checker.after.keys().cloned().collect();
        expected.sort();
        assert_eq!(common::sorted_turns(&position), expected, "{}", checker.fen);
        let turns = legal_turns(&position);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(case as u64);
        for (threads, search) in (1..).zip(&mut self.searches) {
            for multi_pv in [1, 500] {
                // A quarter of all is quick, and with another quarter in each case nothing stays unseen.
                if !thorough && !(case + threads + multi_pv / 250).is_multiple_of(4) {
                    continue;
                }
                search.set(Settings { multi_pv, ..search.settings().clone() }).unwrap();
                for limit in (1..=30).chain([100, 300, 3_000]) {
                    // From 20 on the tree of the search before is gone on with.
                    if limit <= 20 {
                        search.clear();
                    }
                    let what = format!("{threads} threads, multipv {multi_pv}, {limit} nodes");
                    let limits = Limits { nodes: Some(limit), report_every: Some(Duration::ZERO), ..Limits::default() };
                    let game = Game::new(position.clone());
                    let mut interim = |report: &Report<P>| checker.report(&position, report, &what);
                    let last = search.run(&game, &limits, &Control::default(), &mut interim);
                    checker.report(&position, &last, &format!("{what}, at the end"));
                }
                // With some turns only, what is said of the position is said of them, at every strength.
                for round in 0..14 {
                    let count = if round < 7 { 1 + round / 2 } else { turns.len().div_ceil(3) };
                    let some: Vec<_> = (0..count).map(|_| turns[random.random_range(0..turns.len())].clone()).collect();
                    let among = truth_among(some.iter().map(|turn| &checker.after[&position.turn_text(turn)]));
                    let nodes = Some(if round % 7 == 6 { 40 } else { random.random_range(1..=10) });
                    let by_policy = (round % 3 == 2).then(|| [0.0, 1.0, 8.0][random.random_range(0..3)]);
                    let texts: Vec<_> = some.iter().map(|turn| position.turn_text(turn)).collect();
                    let what = format!("{threads} threads, multipv {multi_pv}, {nodes:?}, {by_policy:?}, {texts:?}");
                    let every = Some(Duration::ZERO);
                    let limits = Limits { nodes, by_policy, turns: some, report_every: every, ..Limits::default() };
                    let game = Game::new(position.clone());
                    let mut interim = |report: &Report<P>| checker.report_among(&position, report, among, &what);
                    let last = search.run(&game, &limits, &Control::default(), &mut interim);
                    checker.report_among(&position, &last, among, &format!("{what}, at the end"));
                    if by_policy.is_none() {
                        checker.winning_turn_first(&position, &last, among, &what);
                    }
                }
            }
        }
    }
}

/// Positions of a rule set; most of Damone's are drawn. `HIPPOLYTA_PROOF_CASES` asks for more, and then nothing is left
/// out.
fn cases(variant: &Variant) -> (usize, bool) {
    match std::env::var("HIPPOLYTA_PROOF_CASES").ok().and_then(|count| count.parse().ok()) {
        Some(count) => (count, true),
        None => (if matches!(variant.family(), Family::Damone(_)) { 80 } else { 40 }, false),
    }
}

fn examine<T: Twin, P: Notation, E: Evaluator<P>>(
    variant: &Variant,
    twin: impl Fn(&str) -> T,
    depth: u32,
    evaluator: impl Fn() -> E,
) {
    let (count, thorough) = cases(variant);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1_600 + variant.name().len() as u64);
    let mut engines = Engines::<P, E>::new(evaluator);
    // Knows nothing for certain: every claim comes from the tree.
    let mut ignorant = Engines::<P, Playouts>::new(|| Playouts);
    let (mut claims, mut done, mut wrong, mut decided) = (0, 0, Vec::new(), [0; 3]);
    while done < count {
        let fen = random_fen(variant, &mut random);
        let Ok(position) = P::from_fen(variant, &fen) else { continue };
        if position.outcome().is_some() {
            continue;
        }
        let root = twin(&fen);
        let mut seen = HashMap::new();
        let after =
            root.turns().iter().map(|(name, after)| (name.clone(), truth(after, depth - 1, &mut seen))).collect();
        let root = truth(&root, depth, &mut seen);
        if root.low == root.high {
            decided[(root.low + 1) as usize] += 1;
        }
        let mut checker = Checker::new(variant, &fen, root, after);
        if thorough || done % 3 > 0 {
            engines.run(&mut checker, done, thorough);
        }
        if thorough || done % 3 == 0 {
            ignorant.run(&mut checker, done, thorough);
        }
        claims += checker.claims;
        wrong.append(&mut checker.wrong);
        done += 1;
    }
    assert!(
        wrong.is_empty(),
        "{} of {claims} claims are false, among them\n{}",
        wrong.len(),
        wrong[..wrong.len().min(20)].join("\n")
    );
    // Enough was there to be got wrong.
    let few = if matches!(variant.family(), Family::Damone(_)) { 0 } else { count / 20 };
    assert!(
        claims as usize > 20 * count && decided[0] > few && decided[2] > few,
        "{}: {claims} claims, {decided:?}",
        variant.name()
    );
    assert!(decided[1] > 0 || variant.family() == Family::Amazons, "{}: no draw", variant.name());
}

fn examine_family(wanted: impl Fn(&Family) -> bool) {
    for variant in VARIANTS.iter().filter(|variant| wanted(&variant.family())) {
        match variant.family() {
            Family::Amazons => {
                examine::<_, hippolyta::games::amazons::Amazons, _>(
                    variant,
                    Grid::from_fen,
                    LONG,
                    AmazonsEvaluator::default,
                );
            }
            Family::Desdemona(rules) => {
                let twin = |fen: &str| RulesGrid::of(variant, fen);
                let evaluator = || DesdemonaEvaluator::new(rules, &hippolyta::eval::Weights::embedded());
                examine::<_, hippolyta::games::desdemona::Desdemona, _>(variant, twin, LONG, evaluator);
            }
            Family::Damone(rules) => {
                let needs_damone = variant.name() == "damone-imperatore";
                let twin = |fen: &str| Draughts {
                    grid: DraughtsGrid::from_fen(fen),
                    quiet: fen.split(' ').nth(4).unwrap().parse().unwrap(),
                    needs_damone,
                };
                let evaluator = || DamoneEvaluator::new(rules, &hippolyta::eval::Weights::embedded());
                examine::<_, hippolyta::games::damone::Damone, _>(variant, twin, 5, evaluator);
            }
            Family::General(_) => unreachable!("no such rule set is built in"),
        }
    }
}

#[test]
fn claims_in_the_amazons_are_true() {
    examine_family(|family| *family == Family::Amazons);
}

#[test]
fn claims_in_the_desdemona_family_are_true() {
    examine_family(|family| matches!(family, Family::Desdemona(_)));
}

#[test]
fn claims_in_damone_are_true() {
    examine_family(|family| matches!(family, Family::Damone(_)));
}

/// Positions that were once claimed to be lost or drawn after a few nodes, and are won.
const WON: &[(&str, &str)] = &[
    ("amazons", "***q*/*1*1*/*1***/*****/*Q1**/**qq* b - - 0 1"),
    ("amazons", "*q**1q/Q***Q*/**q***/****Q*/**1**q/*Q**** w - - 0 1"),
    ("amazons", "2**Q1/2q1*1/q***1*/*Qq*Qq/1*****/Q1**2 w - - 0 1"),
    ("desdemona-early", "2S1/Q1ss/Qq2 w - - 0 1"),
];

#[test]
fn a_session_claims_no_loss_of_a_won_position() {
    let mut engine = Engine::uci();
    let mut claims = 0;
    for multi_pv in [1, 3] {
        engine.quietly(&format!("setoption name MultiPV value {multi_pv}"));
        engine.quietly("setoption name UCI_ShowWDL value true");
        for (variant, fen) in WON {
            engine.send(&format!("setoption name UCI_Variant value {variant}"));
            engine.ask("isready", "readyok");
            engine.quietly(&format!("position fen {fen}"));
            for nodes in (1..=30).chain([100, 300, 1_000]) {
                engine.quietly("setoption name Clear Hash");
                for line in engine.ask(&format!("go nodes {nodes}"), "bestmove") {
                    if line.contains(" multipv 1 ") {
                        assert!(!line.contains("mate -") && !line.contains("wdl 0 1000 0"), "{fen}: {line}");
                        claims += u32::from(line.contains("mate "));
                    }
                }
            }
        }
    }
    engine.quit();
    assert!(claims > 50, "{claims}");
}

#[test]
fn an_analysis_claims_no_loss_or_draw_of_a_won_position() {
    let mut engine = Engine::start_with(&["analyse"]);
    let mut asked = 0;
    for (index, (variant, fen)) in WON.iter().enumerate() {
        for nodes in [1, 3, 10, 30, 300, 1_000] {
            for multipv in [1, 3, 500] {
                let id = format!("{index}-{nodes}-{multipv}");
                let query = json!({"id": id, "variant": variant, "fen": fen, "nodes": nodes, "multipv": multipv});
                engine.send(&query.to_string());
                asked += 1;
            }
        }
    }
    engine.close_input();
    let (lines, status) = engine.end();
    assert!(status.success() && lines.len() == asked);
    let mut wins = 0;
    for line in lines {
        let answer: Value = serde_json::from_str(&line).unwrap();
        let root = &answer["rootInfo"];
        let outcome = &root["result"]["outcome"];
        assert!(outcome.is_null() || outcome == "win", "{line}");
        wins += u32::from(outcome == "win");
        // A move may be called lost or drawn, and the position is worth what its best move is.
        assert!(root["winrate"].as_f64() > Some(0.0));
    }
    assert!(wins > 10, "{wins}");
}

/// A win of the position is no win of every turn that a weak level draws.
#[test]
fn a_turn_drawn_by_the_policy_is_called_by_its_own_result() {
    let fen = "***q*/*1*1*/*1***/*****/*Q1**/**qq* b - - 0 1";
    let position = common::amazons(fen);
    let grid = Grid::from_fen(fen);
    let mut seen = HashMap::new();
    let root = truth(&grid, LONG, &mut seen);
    let after = grid.turns().into_iter().map(|(name, after)| (name, truth(&after, LONG, &mut seen))).collect();
    let mut checker = Checker::new(&VARIANTS[0], fen, root, after);
    let mut search = Search::new(AmazonsEvaluator::default(), Settings { hash: 1, ..Settings::default() }).unwrap();
    let mut lost = 0;
    for seed in 0..200 {
        search.set(Settings { seed, ..search.settings().clone() }).unwrap();
        let limits = Limits { by_policy: Some(0.0), ..Limits::default() };
        let report = search.run(&Game::new(position), &limits, &Control::default(), &mut |_| ());
        for line in &report.lines {
            let truth = checker.after[&position.turn_text(&line.turns[0])];
            lost += u32::from(truth.low == 1);
            let truth = Truth { low: -truth.high, high: -truth.low, plies: truth.plies + 1 };
            checker.check("drawn", line.score, truth);
        }
        checker.check("root", report.score, root);
    }
    assert!(checker.wrong.is_empty(), "{:#?}", checker.wrong);
    assert!(lost > 20 && root.low == 1);
}
