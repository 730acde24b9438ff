//! The search where the truth is known: a small game solved by recursion, and small boards solved by brute force.

use crate::common::amazons;
use crate::common::naive::Grid;
use hippolyta::eval::amazons::AmazonsEvaluator;
use hippolyta::eval::{Evaluation, Evaluator, Term, Value};
use hippolyta::games::amazons::Amazons;
use hippolyta::games::{Game, Notation, Outcome, Position, Side, Step, legal_turns};
use hippolyta::search::{Control, Limits, Report, Score, Search, Settings};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// A pile of stones. A turn has two steps: take one to three stones, then none or one more if any are left. Who takes
/// the last stone wins; a pile of seven at the start of a turn is a draw.
#[derive(Clone, Debug)]
struct Pile {
    stones: u16,
    side: Side,
    half: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Take(u16);

impl Step for Take {
    fn code(self) -> u16 {
        self.0
    }
    fn from_code(code: u16) -> Self {
        Self(code)
    }
}

const DRAWN: u16 = 7;

impl Position for Pile {
    type Step = Take;

    fn side_to_move(&self) -> Side {
        self.side
    }
    fn at_turn_start(&self) -> bool {
        !self.half
    }
    fn outcome(&self) -> Option<Outcome> {
        match self.stones {
            _ if self.half => None,
            0 => Some(Outcome::Win(!self.side)),
            DRAWN => Some(Outcome::Draw),
            _ => None,
        }
    }
    fn for_each_step(&self, mut f: impl FnMut(Take) -> ControlFlow<()>) -> ControlFlow<()> {
        let most = if self.half { 1 } else { 3 };
        (u16::from(!self.half)..=most.min(self.stones)).try_for_each(|stones| f(Take(stones)))
    }
    fn play(&mut self, step: Take) {
        self.stones -= step.0;
        self.half = !self.half;
        if !self.half {
            self.side = !self.side;
        }
    }
    fn key(&self) -> u64 {
        let state = u64::from(self.stones) * 4 + self.side.index() as u64 * 2 + u64::from(self.half);
        (state + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
    fn turns_to_think_about(&self) -> u32 {
        10
    }
}

/// Knows nothing.
struct Flat;

impl<P: Position> Evaluator<P> for Flat {
    fn evaluate(&self, _: &P) -> Evaluation {
        Evaluation::Estimate(Value { white: 0.5, draw: 0.0 })
    }
    fn policy(&self, _: &P, _: &[P::Step], logits: &mut [f32]) {
        logits.fill(0.0);
    }
    fn explain(&self, _: &P) -> (Value, Vec<Term>) {
        (Value { white: 0.5, draw: 0.0 }, Vec::new())
    }
    fn identity(&self) -> Vec<u8> {
        Vec::new()
    }
}

/// +1, 0, −1 for the side to move, at the start of a turn.
fn pile_value(stones: u16, known: &mut HashMap<u16, i32>) -> i32 {
    if let Some(&value) = known.get(&stones) {
        return value;
    }
    let value = match stones {
        0 => -1,
        DRAWN => 0,
        _ => {
            let takes =
                (1..=3.min(stones)).flat_map(|first| (0..=1.min(stones - first)).map(move |second| first + second));
            takes.map(|taken| -pile_value(stones - taken, known)).max().unwrap()
        }
    };
    known.insert(stones, value);
    value
}

fn search<P: Position, E: Evaluator<P>>(search: &mut Search<P, E>, position: P, limits: &Limits<P>) -> Report<P> {
    search.run(&Game::new(position), limits, &Control::default(), &mut |_| ())
}

fn nodes<P: Position>(nodes: u64) -> Limits<P> {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn settings(threads: usize) -> Settings {
    Settings { threads, hash: 1, ..Settings::default() }
}

#[test]
fn piles_are_solved_rightly_with_wins_draws_and_losses() {
    let mut known = HashMap::new();
    let mut values = Vec::new();
    for threads in [1, 2] {
        let mut pile_search = Search::new(Flat, settings(threads)).unwrap();
        for stones in (1..40).filter(|&stones| stones != DRAWN) {
            for side in [Side::White, Side::Black] {
                let report = search(&mut pile_search, Pile { stones, side, half: false }, &nodes(1_000_000));
                let value = match report.lines[0].score {
                    Score::Win { plies } if plies % 2 == 1 => 1,
                    Score::Loss { plies } if plies % 2 == 0 && plies > 0 => -1,
                    Score::Draw => 0,
                    other => panic!("{stones}: {other:?}"),
                };
                assert_eq!(value, pile_value(stones, &mut known), "{stones} stones");
                values.push(value);
            }
        }
    }
    assert!([-1, 0, 1].iter().all(|value| values.contains(value)));
}

#[test]
fn a_finished_root_is_reported_for_the_side_to_move() {
    let mut pile_search = Search::new(Flat, settings(1)).unwrap();
    let mut finished = |stones| {
        let report = search(&mut pile_search, Pile { stones, side: Side::Black, half: false }, &nodes(10));
        assert!(report.lines.is_empty());
        report.score
    };
    assert_eq!(finished(0), Score::Loss { plies: 0 });
    assert_eq!(finished(DRAWN), Score::Draw);
}

/// A random small position with few empty squares, as brute force likes it.
fn small_grid(random: &mut Xoshiro256PlusPlus, side: usize, amazons: usize, empty: usize) -> Grid {
    let mut pieces: Vec<char> = "Qq".repeat(amazons).chars().collect();
    pieces.resize(side * side - empty, '*');
    pieces.resize(side * side, '.');
    for last in (1..pieces.len()).rev() {
        pieces.swap(last, random.random_range(0..=last));
    }
    Grid { cells: pieces.chunks(side).map(<[char]>::to_vec).collect(), white_to_move: random.random() }
}

#[test]
fn every_proven_result_on_small_boards_is_right() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(21);
    let mut engines = [1, 2].map(|threads| Search::new(AmazonsEvaluator::default(), settings(threads)).unwrap());
    let mut flat = Search::new(Flat, Settings { hash: 64, ..settings(1) }).unwrap();
    let (mut wins, mut losses) = (0, 0);
    for round in 0..400 {
        let (side, amazons_each) = (3 + round % 2, 1 + round / 2 % 2);
        let most = if side == 3 { 9 - 2 * amazons_each } else { 7 };
        let empty = random.random_range(2..=most);
        let grid = small_grid(&mut random, side, amazons_each, empty);
        let expected = grid.mover_wins(&mut HashMap::new());
        let position = amazons(&grid.fen());
        if position.outcome().is_some() {
            assert!(!expected);
            continue;
        }
        let check = |report: Report<Amazons>| {
            let line = &report.lines[0];
            match line.score {
                Score::Win { .. } => assert!(expected, "{}", grid.fen()),
                Score::Loss { .. } => assert!(!expected, "{}", grid.fen()),
                other => panic!("{}: {other:?} after {} nodes", grid.fen(), report.nodes),
            }
            if expected {
                // The move it plays wins, too.
                let text = position.turn_text(&line.turns[0]);
                let (_, after) = grid.turns().into_iter().find(|(name, _)| *name == text).unwrap();
                assert!(!after.mover_wins(&mut HashMap::new()), "{} {text}", grid.fen());
            }
        };
        engines.iter_mut().for_each(|engine| check(search(engine, position, &nodes(1_000_000))));
        check(search(&mut flat, position, &nodes(10_000_000)));
        if expected { wins += 1 } else { losses += 1 }
    }
    assert!(wins > 50 && losses > 50, "{wins} {losses}");
}

#[test]
fn whole_small_boards_are_solved() {
    for fen in ["q2/3/2Q w", "1q1/3/1Q1 w", "q3/4/4/3Q w"] {
        let expected = Grid::from_fen(fen).mover_wins(&mut HashMap::new());
        let mut engine = Search::new(AmazonsEvaluator::default(), settings(1)).unwrap();
        let report = search(&mut engine, amazons(fen), &nodes(10_000_000));
        assert_eq!(matches!(report.lines[0].score, Score::Win { .. }), expected, "{fen}");
        assert!(!matches!(report.lines[0].score, Score::Estimate { .. }), "{fen}");
    }
}

#[test]
fn one_thread_and_a_node_limit_give_the_same_search_every_time() {
    let position = amazons("4q2*2/1q2*Q4/10/9q/9*/3q4*1/1*1**4Q/*9/6Q3/1*1Q6 b");
    let run = |seed| {
        let mut engine = Search::new(AmazonsEvaluator::default(), Settings { seed, hash: 1, ..settings(1) }).unwrap();
        let mut log = BTreeMap::new();
        let mut note = |report: &Report<Amazons>| {
            let line = &report.lines[0];
            log.insert(report.nodes, (report.hash_full, line.score, line.turns.clone()));
        };
        let limits = Limits { report_every: Some(Duration::MAX), ..nodes(30_000) };
        let last = engine.run(&Game::new(position), &limits, &Control::default(), &mut note);
        assert!((30_000..30_010).contains(&last.nodes));
        log
    };
    let (first, second, other) = (run(5), run(5), run(6));
    // On a busy machine a report may come later or not at all. The reports of both at a number of nodes are equal.
    let both: Vec<_> = first.keys().filter(|nodes| second.contains_key(nodes)).collect();
    assert!(both.len() > 1, "{first:?} {second:?}");
    assert!(both.into_iter().all(|nodes| first[nodes] == second[nodes]), "{first:?} {second:?}");
    assert_eq!(first.last_key_value(), second.last_key_value());
    assert_ne!(first.last_key_value(), other.last_key_value());
}

#[test]
fn node_limits_hold_for_several_threads() {
    let mut engine = Search::new(AmazonsEvaluator::default(), settings(3)).unwrap();
    for limit in [1, 2, 17, 1_000] {
        engine.clear();
        let report = search(&mut engine, amazons("4q2*2/1q2*Q4/10/9q/9*/3q4*1/1*1**4Q/*9/6Q3/1*1Q6 b"), &nodes(limit));
        assert!((limit..limit + 30).contains(&report.nodes), "{limit}: {}", report.nodes);
        assert!(!report.lines.is_empty());
    }
}

#[test]
fn only_the_turns_asked_for_are_searched() {
    let position = amazons("4q2*2/1q2*Q4/10/9q/9*/3q4*1/1*1**4Q/*9/6Q3/1*1Q6 b");
    let turns: Vec<_> = legal_turns(&position).into_iter().step_by(301).collect();
    let mut engine = Search::new(AmazonsEvaluator::default(), Settings { multi_pv: 9, ..settings(1) }).unwrap();
    let report = search(&mut engine, position, &Limits { turns: turns.clone(), ..nodes(3_000) });
    assert!(report.lines.len() > 1 && report.lines.len() <= turns.len());
    assert!(report.lines.iter().all(|line| turns.contains(&line.turns[0])));
    // And a proof among a few losing turns is not taken for the truth afterwards.
    let won = amazons("q2/3/2Q w");
    let losing = legal_turns(&won).into_iter().find(|turn| {
        let after = turn.iter().fold(won, |position, &step| position.after(step));
        Grid::from_fen(&after.fen()).mover_wins(&mut HashMap::new())
    });
    let mut engine = Search::new(AmazonsEvaluator::default(), settings(1)).unwrap();
    let report = search(&mut engine, won, &Limits { turns: vec![losing.unwrap()], ..nodes(1_000_000) });
    assert!(matches!(report.lines[0].score, Score::Loss { .. }));
    assert!(matches!(search(&mut engine, won, &nodes(1_000_000)).lines[0].score, Score::Win { .. }));
}

#[test]
fn many_lines_are_different() {
    let position = amazons("4q2*2/1q2*Q4/10/9q/9*/3q4*1/1*1**4Q/*9/6Q3/1*1Q6 b");
    let mut engine = Search::new(AmazonsEvaluator::default(), Settings { multi_pv: 5, ..settings(1) }).unwrap();
    let report = search(&mut engine, position, &nodes(20_000));
    let first: HashSet<_> = report.lines.iter().map(|line| line.turns[0].clone()).collect();
    assert_eq!((report.lines.len(), first.len()), (5, 5));
    for line in &report.lines {
        let mut game = Game::new(position);
        for turn in &line.turns {
            assert!(legal_turns(game.current()).contains(turn));
            game.play(turn.clone());
        }
    }
}

#[test]
fn the_tree_of_the_last_search_is_used_again() {
    let mut game = Game::new(amazons("4q2*2/1q2*Q4/10/9q/9*/3q4*1/1*1**4Q/*9/6Q3/1*1Q6 b"));
    let mut engine = Search::new(AmazonsEvaluator::default(), Settings { hash: 64, ..settings(1) }).unwrap();
    let report = engine.run(&game, &nodes(20_000), &Control::default(), &mut |_| ());
    report.lines[0].turns[..2].iter().for_each(|turn| game.play(turn.clone()));
    let again = engine.run(&game, &nodes(16), &Control::default(), &mut |_| ());
    assert!(again.lines[0].visits > 16, "{}", again.lines[0].visits);
    engine.clear();
    let fresh = engine.run(&game, &nodes(16), &Control::default(), &mut |_| ());
    assert!(fresh.lines[0].visits <= 16);
}

#[test]
fn limits_in_time_depth_and_mate_end_the_search() {
    let start = amazons(hippolyta::games::variant::DEFAULT.start());
    let mut engine = Search::new(AmazonsEvaluator::default(), Settings { hash: 16, ..settings(2) }).unwrap();
    let began = Instant::now();
    search(&mut engine, start, &Limits { move_time: Some(Duration::from_millis(50)), ..Limits::default() });
    assert!(began.elapsed() >= Duration::from_millis(50));
    engine.clear();
    let report = search(&mut engine, start, &Limits { depth: Some(3), ..Limits::default() });
    assert!(report.depth >= 3);
    engine.clear();
    let mate = search(&mut engine, amazons("q2/3/2Q w"), &Limits { mate: Some(4), ..Limits::default() });
    assert!(matches!(mate.lines[0].score, Score::Win { plies } if plies <= 7));
}

#[test]
fn an_infinite_search_waits_for_stop_and_a_pondering_one_for_the_hit() {
    let solved = Game::new(amazons("9q/10/10/10/10/10/10/10/***7/Q1*7 w"));
    let mut engine = Search::new(AmazonsEvaluator::default(), settings(1)).unwrap();
    for ponder in [false, true] {
        let control = Control::new(ponder);
        let began = Instant::now();
        let pause = Duration::from_millis(100);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(pause);
                if ponder { control.ponder_hit() } else { control.stop() }
            });
            let limits = Limits { infinite: !ponder, ponder, nodes: Some(50), ..Limits::default() };
            let report = engine.run(&solved, &limits, &control, &mut |_| ());
            assert_eq!(report.lines.len(), 1);
        });
        assert!(began.elapsed() >= pause);
    }
}

#[test]
fn the_last_report_is_the_answer_and_comes_once() {
    let open = amazons("4q2*2/1q2*Q4/10/9q/9*/3q4*1/1*1**4Q/*9/6Q3/1*1Q6 b");
    let small = amazons("1q2q1/q4q/Q4Q/1Q2Q1 w");
    let certain = amazons("9q/10/10/10/10/10/10/10/***7/Q1*7 w");
    let over = amazons("9q/10/10/10/10/10/10/10/**8/Q*8 w");
    let time = |milliseconds| Limits { move_time: Some(Duration::from_millis(milliseconds)), ..Limits::default() };
    for threads in [1, 3] {
        let mut engine = Search::new(AmazonsEvaluator::default(), settings(threads)).unwrap();
        for (position, limits) in [
            (open, nodes(1_000)),
            (open, time(30)),
            (open, Limits { by_policy: Some(1.0), ..time(30) }),
            (open, Limits { infinite: true, ..Limits::default() }),
            (small, Limits { mate: Some(99), ..time(50) }),
            (small, Limits { mate: Some(99), ..nodes(100_000) }),
            (amazons("1qq1/q2q/Q2Q/1QQ1 w"), Limits { mate: Some(99), ..Limits::default() }),
            (certain, nodes(10)),
            (certain, Limits { infinite: true, ..Limits::default() }),
            (over, nodes(10)),
        ] {
            let mut reports: Vec<Report<Amazons>> = Vec::new();
            let control = Control::default();
            let report = std::thread::scope(|scope| {
                if limits.infinite {
                    scope.spawn(|| {
                        std::thread::sleep(Duration::from_millis(30));
                        control.stop();
                    });
                }
                engine.run(&Game::new(position), &limits, &control, &mut |report| reports.push(report.clone()))
            });
            let answer = reports.pop().unwrap();
            assert!(answer.last && report.last && reports.iter().all(|report| !report.last), "{limits:?}");
            let said = |report: &Report<Amazons>| {
                let lines = report.lines.iter().map(|line| (line.turns.clone(), line.score, line.visits));
                (report.nodes, lines.collect::<Vec<_>>())
            };
            assert_eq!(said(&answer), said(&report), "{limits:?}");
        }
    }
}

#[test]
fn a_search_that_is_stopped_before_its_first_node_tells_the_evaluation() {
    for fen in ["4q2*2/1q2*Q4/10/9q/9*/3q4*1/1*1**4Q/*9/6Q3/1*1Q6 b", "3q2/6/Q3*q/q2*1Q/6/2Q3 b"] {
        let position = amazons(fen);
        let evaluator = AmazonsEvaluator::default();
        let expected = evaluator.evaluate(&position).value().for_side(position.side_to_move());
        assert!((expected - 0.5).abs() > 0.01);
        let mut engine = Search::new(evaluator, settings(1)).unwrap();
        let control = Control::default();
        control.stop();
        let report = engine.run(&Game::new(position), &Limits::default(), &control, &mut |_| ());
        match report.score {
            Score::Estimate { score, .. } => assert_eq!(score, expected),
            other => panic!("{other:?}"),
        }
        assert!(legal_turns(&position).contains(&report.lines[0].turns[0]));
    }
}

#[test]
fn a_tiny_hash_is_recycled_again_and_again() {
    let mut engine = Search::new(AmazonsEvaluator::default(), settings(2)).unwrap();
    let start = amazons(hippolyta::games::variant::DEFAULT.start());
    let report = search(&mut engine, start, &nodes(300_000));
    // A worker may be kept waiting by the system with a batch of sixteen simulations that it has not counted yet.
    assert!((300_000..301_000).contains(&report.nodes), "{}", report.nodes);
    assert!(report.hash_full <= 1_000);
    assert!(legal_turns(&start).contains(&report.lines[0].turns[0]));
}
