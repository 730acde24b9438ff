//! Blunders: how often an engine throws away a result that is proven.
//!
//! | module | its one idea |
//! | --- | --- |
//! | `position` | [`Decided`]: a position whose best result is proven, and a file of them |
//! | `collect` | such positions from games of the engine with itself, and from tables |
//! | `rate` | engines that choose a turn there, and what that turn leaves, proven again |
//!
//! No opponent is needed, nothing that the engine believes of itself can deceive this measure, and its limit is 0. A
//! turn *throws away* a win if its player does not win any more with best play of both sides, and a draw if it loses.

mod collect;
mod position;
mod rate;

pub use collect::{Plan, collect};
pub use position::{Decided, Half, Positions, Result};
pub use rate::{Choice, Level, Row, Trial, choices, rows};

/// The positions that the program brings with it: see the book's page on measurements for how they were made.
pub const BUILT_IN: &str = include_str!("positions.jsonl");

#[cfg(test)]
mod tests {
    use super::*;
    use hippolyta::engine::Control;
    use hippolyta::games::amazons::Amazons;
    use hippolyta::games::variant::find;
    use hippolyta::games::{Fen, Notation, Position, for_each_turn};
    use hippolyta_lab::arena::EngineSpec;
    use hippolyta_lab::problems::{Brute, Judged};
    use std::collections::HashMap;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    /// A board on which the rules alone tell who wins.
    fn plan() -> Plan {
        let variant = &find("amazons").unwrap();
        let start = Amazons::from_fen(variant, "1qq1/4/4/1QQ1 w").unwrap().fen();
        Plan {
            variant: variant.clone(),
            start,
            seed: 3,
            nodes: 50,
            random_turns: 4,
            from: 1,
            effort: 20_000,
            per_game: 2,
        }
    }

    fn collected() -> Vec<Decided> {
        collect(&plan(), 12, &HashMap::new(), &Control::default(), &|_, _| ()).unwrap().unwrap()
    }

    #[test]
    fn positions_are_won_by_the_rules_alone_and_can_be_thrown_away() {
        let found = collected();
        assert_eq!(found.len(), 12);
        assert_eq!(found, collected());
        for decided in &found {
            let position = Amazons::from_fen(&plan().variant, &decided.fen).unwrap();
            let side = position.side_to_move();
            assert_eq!(decided.result, Result::Win);
            let mut brute = Brute::new(side, u64::MAX);
            assert_eq!(brute.wins(&position), Some(true), "{}", decided.fen);
            let mut judge = <Amazons as Judged>::judge(&position, &plan().variant, 100_000).unwrap();
            let mut thrown_away = 0;
            for_each_turn(&position, &mut |_, after: &Amazons| {
                let wins = brute.wins(after);
                assert_eq!(collect::keeps(judge.as_mut(), after, side, Result::Win), wins, "{}", decided.fen);
                thrown_away += u32::from(wins == Some(false));
            });
            assert!(thrown_away > 0, "{}", decided.fen);
            assert!(decided.fen.parse::<Fen>().is_ok());
        }
        // Both halves have some, and a game is in one of them.
        assert!([Half::Tuning, Half::Apart].iter().all(|half| found.iter().any(|decided| decided.half == *half)));
    }

    #[test]
    fn a_stronger_level_throws_less_away() {
        let found = collected();
        let engines: Vec<EngineSpec> = ["name=weak", "name=strong"]
            .iter()
            .map(|name| {
                EngineSpec::parse(&["nodes=1".to_owned()], &["cmd=self".to_owned(), (*name).to_owned()]).unwrap()
            })
            .collect();
        let levels = [Level::Nodes(1), Level::Nodes(2_000)];
        let (stop, done) = (Arc::new(AtomicBool::default()), std::sync::atomic::AtomicU32::new(0));
        let count = || _ = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let trial = Trial { effort: 100_000, to_the_end: false };
        let choices = choices(&found, &engines, &levels, trial, &stop, &count).unwrap().unwrap();
        assert_eq!(done.into_inner(), 12);
        // Both engines are the built-in one, so their choices are equal.
        assert!(choices.iter().all(|engines| engines[0] == engines[1]));
        let rows = rows(&found, &engines, &levels, &choices);
        assert_eq!(rows.len(), 4);
        assert!(rows.iter().all(|row| row.positions == 12 && row.unproven == 0 && row.group == "amazons-4x4"));
        assert_eq!(rows[2].level, Level::Nodes(2_000));
        assert!(2 * rows[2].blunders < rows[0].blunders, "{rows:?}");
        // To the end the first turn is the same, and later ones may lose as well.
        let trial = Trial { to_the_end: true, ..trial };
        let to_the_end = super::choices(&found, &engines, &levels, trial, &stop, &|| ()).unwrap().unwrap();
        assert!(to_the_end.iter().zip(&choices).all(|(all, one)| one[0][0] == Choice::Kept || all[0][0] == one[0][0]));
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        assert_eq!(super::choices(&found, &engines, &levels, trial, &stop, &|| ()).unwrap(), None);
    }

    #[test]
    fn the_positions_that_the_program_brings_are_both_halves_of_all_rule_sets_that_are_proven() {
        let Positions { positions: known, made } = Positions::read(BUILT_IN).unwrap();
        assert_eq!(made.len(), 14);
        assert!(known.len() >= 2_000, "{}", known.len());
        let apart = known.iter().filter(|decided| decided.half == Half::Apart).count();
        assert!((2 * apart).abs_diff(known.len()) < known.len() / 5, "{apart}");
        let mut seen = std::collections::HashSet::new();
        assert!(known.iter().all(|decided| seen.insert((&decided.variant, &decided.fen))));
        for name in ["amazons", "amazons8", "amazons6", "iago", "damone"] {
            assert!(known.iter().any(|decided| decided.variant == name), "{name}");
        }
    }
}
