//! The endgame tables of Damone against slow twins, and what the engine makes of them.

use crate::common::folder::Folder;
use crate::common::naive_damone::DraughtsGrid;
use hippolyta::endgame::damone::{ContainerError, Mistake, Tables, TablesError, Verdict, solve, statistics, verify};
use hippolyta::eval::Weights;
use hippolyta::eval::damone::DamoneEvaluator;
use hippolyta::games::damone::{Damone, Rules};
use hippolyta::games::variant::{self, Variant};
use hippolyta::games::{Game, Notation, Outcome, Position, Side};
use hippolyta::search::{Control, Limits, Score, Search, Settings};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

static THREE: LazyLock<Arc<Tables>> = LazyLock::new(|| Arc::new(solve(&Rules::DAMONE, 3, &|_| ()).unwrap()));

fn damone() -> Variant {
    variant::find("damone").unwrap()
}

/// The verdict as plies, odd for wins; `None` for draws.
fn plies(verdict: Verdict) -> Option<u8> {
    match verdict {
        Verdict::Win(plies) | Verdict::Loss(plies) => Some(plies),
        Verdict::Draw => None,
    }
}

fn probe(tables: &Tables, position: &Damone) -> Option<u8> {
    plies(tables.probe(position.board(), position.side_to_move()).unwrap())
}

/// The plies that follow from those after the turns: `None` for a draw.
fn from_turns(turns: impl Iterator<Item = Option<u8>>) -> Option<u8> {
    let turns: Vec<_> = turns.collect();
    let wins = turns.iter().flatten().filter(|&&plies| plies % 2 == 0).min();
    let losses = || {
        turns.iter().copied().collect::<Option<Vec<_>>>().map(|all| all.into_iter().max().map_or(0, |plies| plies + 1))
    };
    wins.map(|plies| plies + 1).or_else(losses)
}

/// Plies to the end of the game from each of `grids`, `None` for draws, by going over all of them again and again. A
/// board that is not among them has lost.
fn solve_slowly(grids: &[DraughtsGrid], needs_damone: bool) -> Vec<Option<u8>> {
    let places: HashMap<_, _> = grids.iter().zip(0..).collect();
    let turns = |grid: &DraughtsGrid| -> Vec<Option<usize>> {
        let over = grid.loser_is_white(needs_damone).is_some();
        let turns = if over { Vec::new() } else { grid.turns() };
        turns.iter().map(|turn| places.get(&turn.after).copied()).collect()
    };
    let turns: Vec<_> = grids.iter().map(turns).collect();
    let mut values = vec![None; grids.len()];
    for plies in 0..=30 {
        for (place, turns) in turns.iter().enumerate() {
            let value = from_turns(turns.iter().map(|next| next.map_or(Some(0), |next| values[next])));
            if values[place].is_none() && value == Some(plies) {
                values[place] = value;
            }
        }
    }
    values
}

/// Every position with one of these pieces each.
fn positions_of_two(variant: &Variant) -> Vec<Damone> {
    let dark =
        || (0..8).flat_map(|rank| (0..8).filter(move |file| (rank + file) % 2 == 1).map(move |file| (file, rank)));
    let mut found = Vec::new();
    for (white, black) in "PDI".chars().flat_map(|white| "pdi".chars().map(move |black| (white, black))) {
        for (first, second) in dark().flat_map(|first| dark().map(move |second| (first, second))) {
            for white_to_move in [true, false] {
                let mut grid = DraughtsGrid { cells: vec![vec!['.'; 8]; 8], white_to_move };
                grid.cells[first.1][first.0] = white;
                grid.cells[second.1][second.0] = black;
                if first != second {
                    found.extend(Damone::from_fen(variant, &grid.fen()));
                }
            }
        }
    }
    found
}

#[test]
fn two_pieces_are_what_a_slow_solver_says() {
    for (name, rules) in [("damone", &Rules::DAMONE), ("damone-imperatore", &Rules::IMPERATORE)] {
        let variant = &variant::find(name).unwrap();
        let tables = solve(rules, 2, &|_| ()).unwrap();
        let mut positions = positions_of_two(variant);
        // Where the game is over for want of a damone of the side that is not to move, there is no value.
        positions.retain(|position| position.outcome() != Some(Outcome::Win(position.side_to_move())));
        let grids: Vec<_> = positions.iter().map(|position| DraughtsGrid::from_fen(&position.fen())).collect();
        let known = solve_slowly(&grids, rules.needs_damone);
        for (position, value) in positions.iter().zip(&known) {
            assert_eq!(probe(&tables, position), *value, "{name} {}", position.fen());
        }
        assert!(known.contains(&None) && known.iter().flatten().count() > 100);
    }
}

#[test]
fn values_of_three_pieces_follow_from_their_turns() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut seen = [0; 3];
    for _ in 0..20_000 {
        let number = random.random_range(0..THREE.index().len());
        let Some(board) = THREE.index().board(number) else { continue };
        let position = Damone::new(&Rules::DAMONE, board, Side::White, 0);
        let after = |grid: &DraughtsGrid| {
            let over = grid.turns().is_empty();
            let value = || probe(&THREE, &Damone::from_fen(&damone(), &grid.fen()).unwrap());
            if over { Some(0) } else { value() }
        };
        let turns = DraughtsGrid::from_fen(&position.fen()).turns();
        let value = probe(&THREE, &position);
        assert_eq!(value, from_turns(turns.iter().map(|turn| after(&turn.after))), "{}", position.fen());
        seen[value.map_or(2, |plies| usize::from(plies % 2))] += 1;
    }
    assert!(seen.iter().all(|&count| count > 1_000), "{seen:?}");
}

#[test]
fn the_second_pass_agrees_and_finds_mistakes() {
    verify(&THREE, &|_| ()).unwrap();
    let folder = Folder::new("damone-tables");
    let path = std::path::PathBuf::from(folder.path("two.tables"));
    let tables = solve(&Rules::DAMONE, 2, &|_| ()).unwrap();
    tables.save(&path).unwrap();
    let new = std::fs::read(&path).unwrap();
    let values = new[new.len() - 20 - tables.index().len()..new.len() - 20].to_vec();
    // A file whose checksums are right.
    let frame = |body: &[u8]| [&(body.len() as u32).to_le_bytes(), &crc32fast::hash(body).to_le_bytes(), body].concat();
    let file = |run: u8, values: &[u8]| {
        let header = format!(r#"{{"rules":"damone","pieces":2,"longest_run":{run}}}"#);
        let begun = [b"HIPPODMT\x02\0\0\0", &frame(header.as_bytes())[..], &frame(values)].concat();
        let end = [&1u64.to_le_bytes()[..], &crc32fast::hash(&begun).to_le_bytes()].concat();
        [begun, frame(&end)].concat()
    };
    assert!(file(tables.longest_run(), &values) == new);
    let verified = |file: &[u8]| {
        std::fs::write(&path, file).unwrap();
        verify(&Tables::load(&path).unwrap(), &|_| ())
    };
    assert!(matches!(verified(&file(9, &values)), Err(Mistake::Run { said: 9, .. })));
    let mut noticed = 0;
    for place in (0..values.len()).step_by(41) {
        let mut wrong = values.clone();
        // Wins become draws, other values wins.
        wrong[place] = if wrong[place] % 2 == 1 { 254 } else { 9 };
        let mistake = verified(&file(tables.longest_run(), &wrong)).unwrap_err();
        noticed += u32::from(matches!(mistake, Mistake::Value(_)));
    }
    assert!(noticed > 50);
}

#[test]
fn positions_are_counted_right() {
    let mut all = statistics(&THREE);
    for (material, counts) in &all {
        let longest = counts.longest_at.map(|number| {
            assert_eq!(THREE.index().material(number), *material);
            match THREE.verdict(number).unwrap() {
                Verdict::Win(plies) | Verdict::Loss(plies) => plies,
                Verdict::Draw => panic!("{material:?}"),
            }
        });
        assert_eq!(longest, (counts.wins + counts.losses > 0).then_some(counts.longest), "{material:?}");
    }
    assert_eq!(all.iter().map(|(_, counts)| counts.longest).max(), Some(84));
    all.retain(|(material, _)| material.iter().sum::<u8>() == 2);
    let all: u64 = all.iter().map(|(_, counts)| counts.positions()).sum();
    let by_hand = positions_of_two(&damone()).iter().filter(|position| position.side_to_move() == Side::White).count();
    assert_eq!(all, by_hand as u64);
}

fn search(tables: Option<&Arc<Tables>>) -> Search<Damone, DamoneEvaluator> {
    let weights = Weights::embedded().with_damone_tables(tables.cloned());
    let settings = Settings { hash: 8, ..Settings::default() };
    Search::new(DamoneEvaluator::new(&Rules::DAMONE, &weights), settings).unwrap()
}

#[test]
fn the_engine_wins_what_is_won_in_the_plies_that_the_tables_say() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(8);
    let mut engine = search(None);
    let limits = Limits { nodes: Some(50), ..Limits::default() };
    let (mut won, mut longest) = (0, 0);
    while won < 60 {
        let number = random.random_range(0..THREE.index().len());
        let Some(Verdict::Win(plies)) = THREE.verdict(number) else { continue };
        let board = THREE.index().board(number).unwrap();
        let mut game = Game::new(Damone::new(&Rules::DAMONE, board, Side::White, 0));
        let mut played = 0;
        while game.current().outcome().is_none() {
            let report = engine.run(&game, &limits, &Control::default(), &mut |_| ());
            let left = u32::from(plies) - played;
            let score = report.lines[0].score;
            let expected = if played % 2 == 0 { Score::Win { plies: left } } else { Score::Loss { plies: left } };
            assert_eq!(score, expected, "{}", game.current().fen());
            game.play(report.lines[0].turns[0].clone());
            played += 1;
        }
        assert_eq!((game.current().outcome(), played), (Some(Outcome::Win(Side::White)), plies.into()));
        (won, longest) = (won + 1, longest.max(plies));
    }
    assert!(longest > 30);
}

#[test]
fn nothing_is_claimed_that_the_rules_on_draws_may_spoil() {
    let board = "i7/8/8/8/8/8/8/7I w";
    let at = |quiet: u32| Damone::from_fen(&damone(), &format!("{board} - - {quiet} 60")).unwrap();
    let (Verdict::Win(plies), true) = THREE.look_up(&at(0)).unwrap() else { panic!("not won") };
    for quiet in 0..80 {
        let (verdict, certain) = THREE.look_up(&at(quiet)).unwrap();
        assert_eq!((verdict, certain), (Verdict::Win(plies), quiet + u32::from(plies) <= 80));
    }
    // To and fro: the board occurs for the second time, and later boards may be drawn by a third time.
    let mut game = Game::new(at(0));
    for turn in ["h1g2", "a8b7", "g2h1", "b7a8"] {
        assert!(THREE.look_up(game.current()).unwrap().1, "before {turn}");
        game.play_text(turn).unwrap();
    }
    assert!(!THREE.look_up(game.current()).unwrap().1);
}

#[test]
fn tables_of_other_rules_are_left_aside() {
    let tables = Arc::new(solve(&Rules::IMPERATORE, 2, &|_| ()).unwrap());
    let position = Damone::from_fen(&damone(), "i7/8/8/8/8/8/8/7I w - - 0 1").unwrap();
    assert_eq!(tables.look_up(&position), None);
    let report = search(Some(&tables)).run(
        &Game::new(position),
        &Limits { nodes: Some(50), ..Limits::default() },
        &Control::default(),
        &mut |_| (),
    );
    assert!(matches!(report.lines[0].score, Score::Win { .. }));
}

#[test]
fn files_of_other_kinds_are_refused() {
    let folder = Folder::new("tables-foreign");
    let path = std::path::PathBuf::from(folder.path("x"));
    std::fs::write(&path, b"short").unwrap();
    let foreign = |tables| matches!(tables, Err(TablesError::File(ContainerError::Foreign(_))));
    assert!(foreign(Tables::load(&path)));
    std::fs::write(&path, Weights::embedded().tables().to_bytes()).unwrap();
    assert!(foreign(Tables::load(&path)));
    for version in [1, 3] {
        std::fs::write(&path, [b"HIPPODMT", &[version, 0, 0, 0][..]].concat()).unwrap();
        let Err(TablesError::File(ContainerError::Version { found, known: 2 })) = Tables::load(&path) else {
            panic!("version {version} is read")
        };
        assert_eq!(found, u32::from(version));
    }
}
