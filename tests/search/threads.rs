//! Many workers on one small tree, which is recycled all the time, stopped at odd moments: what the tree says
//! afterwards still makes sense.
//!
//! `.ci/sanitizers` runs it under a race detector, too.

use hippolyta::eval::amazons::AmazonsEvaluator;
use hippolyta::eval::damone::DamoneEvaluator;
use hippolyta::eval::desdemona::DesdemonaEvaluator;
use hippolyta::eval::{Evaluator, Weights};
use hippolyta::games::amazons::Amazons;
use hippolyta::games::damone::Damone;
use hippolyta::games::desdemona::Desdemona;
use hippolyta::games::{Game, Notation, Position, Step, legal_turns, variant};
use hippolyta::search::{Control, Limits, Report, Search, Settings};
use std::collections::HashMap;
use std::time::Duration;

/// The report's lines can be played, and their numbers are in their ranges.
fn check_report<P: Position>(root: &P, report: &Report<P>) {
    assert!(!report.lines.is_empty());
    let visits: u64 = report.lines.iter().map(|line| line.visits).sum();
    assert!(visits <= report.visits, "{visits} of {}", report.visits);
    for line in &report.lines {
        assert!(line.prior.is_none_or(|prior| (0.0..=1.0).contains(&prior)));
        let mut position = root.clone();
        for turn in &line.turns {
            assert!(legal_turns(&position).contains(turn));
            turn.iter().for_each(|&step| position.play(step));
        }
    }
}

/// Whether this can be a mean of scores from 0 to 1.
fn is_mean(score: f32) -> bool {
    (-1e-3..=1.0 + 1e-3).contains(&score)
}

/// Every node that can be reached stands for a legal step, no two siblings for the same one, and no node's children
/// have more visits than went through it.
fn check_tree<P: Position, E: Evaluator<P>>(search: &Search<P, E>, root: &P, root_visits: u64) {
    let mut below: HashMap<Vec<u16>, u64> = HashMap::new();
    let mut looked_at = 0;
    let mut paths = vec![(Vec::new(), root.clone(), root_visits)];
    while let Some((path, position, visits)) = paths.pop() {
        let statistics = search.steps_after(&path);
        let legal = position.steps();
        let mut sum = 0;
        let mut codes: Vec<u16> = statistics.iter().map(|step| step.step.code()).collect();
        for step in &statistics {
            assert!(legal.contains(&step.step) && (0.0..=1.0).contains(&step.prior));
            assert!(step.white.is_none_or(is_mean), "{step:?}");
            sum += u64::from(step.visits);
            if step.visits > 20 && path.len() < 6 {
                let path = [&path[..], &[step.step]].concat();
                paths.push((path, position.after(step.step), step.visits.into()));
            }
        }
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), statistics.len());
        assert!(sum <= visits, "{sum} of {visits} after {path:?}");
        below.insert(path.iter().map(|step| step.code()).collect(), visits);
        looked_at += 1;
    }
    assert_eq!(below.len(), looked_at);
    for (path, step) in search.searched(1) {
        let before = path.iter().fold(root.clone(), |position, &step| position.after(step));
        assert!(
            before.ends_turn(step.step) && step.visits > 0 && step.white.is_some_and(is_mean),
            "{path:?}: {step:?}"
        );
    }
}

/// Searches to random stops, goes on with the best turn, and begins anew when the game is over.
fn stress<P: Notation, E: Evaluator<P>>(name: &str, evaluator: E) {
    let variant = &variant::find(name).unwrap();
    let start = P::from_fen(variant, variant.start()).unwrap();
    let settings = Settings { hash: 1, threads: 8, multi_pv: 4, ..Settings::default() };
    let mut search = Search::new(evaluator, settings).unwrap();
    let mut game = Game::new(start.clone());
    for round in 0..24u64 {
        let control = Control::default();
        let limits = Limits { nodes: Some(60_000), ..Limits::default() };
        let report = std::thread::scope(|scope| {
            if round % 3 == 1 {
                scope.spawn(|| {
                    std::thread::sleep(Duration::from_micros(round * 700));
                    control.stop();
                });
            }
            search.run(&game, &limits, &control, &mut |report| check_report(game.current(), report))
        });
        check_report(game.current(), &report);
        // Workers come home after the answer, each with what it had not told yet.
        let told_late = if round % 3 == 1 { 8 * 200 } else { 0 };
        if search.root().is_some() {
            check_tree(&search, game.current(), report.visits + told_late);
        }
        game.play(report.lines[0].turns[0].clone());
        if game.current().outcome().is_some() {
            game = Game::new(start.clone());
        }
    }
}

#[test]
fn the_amazons_tree_stays_whole() {
    stress::<Amazons, _>("amazons6", AmazonsEvaluator::default());
}

#[test]
fn the_desdemona_tree_stays_whole() {
    let variant = &variant::find("cassio").unwrap();
    let rules = Desdemona::from_fen(variant, variant.start()).unwrap().rules();
    stress::<Desdemona, _>("cassio", DesdemonaEvaluator::new(&rules, &Weights::embedded()));
}

#[test]
fn the_damone_tree_stays_whole() {
    stress::<Damone, _>("damone", DamoneEvaluator::default());
}

/// Where a side that could still move has a draw by the limit of quiet plies, two workers may come to the end of the
/// game in the same instant.
#[test]
fn a_game_that_is_over_is_not_played_on() {
    let variant = &variant::find("damone-imperatore").unwrap();
    let root = Damone::from_fen(variant, "6P1/8/4d3/5d2/4I3/8/4i3/8 b - - 79 90").unwrap();
    let over: Vec<_> = root.steps().into_iter().filter(|&step| root.after(step).outcome().is_some()).collect();
    assert!(over.iter().any(|&step| !root.after(step).steps().is_empty()));
    let settings = Settings { hash: 1, threads: 4, multi_pv: 500, ..Settings::default() };
    let mut search = Search::new(DamoneEvaluator::default(), settings).unwrap();
    let (game, limits) = (Game::new(root), Limits { nodes: Some(20), ..Limits::default() });
    for round in 0..40_000 {
        search.clear();
        search.run(&game, &limits, &Control::default(), &mut |_| ());
        assert!(over.iter().all(|&step| search.steps_after(&[step]).is_empty()), "round {round}");
    }
}
