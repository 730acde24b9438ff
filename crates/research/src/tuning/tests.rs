use super::*;
use hippolyta::engine::{Control, Model};
use hippolyta::games::variant::find;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Mutex;

fn plan(constants: &[&str]) -> Plan {
    let constants = constants.iter().map(|text| text.parse().unwrap()).collect();
    let variant = &find("amazons6").unwrap();
    let (nodes, plies, model) = (20, 2, Model::default());
    Plan { variant: variant.clone(), nodes, plies, pairs: 6, together: 4, constants, rate: 0.5, seed: 3, model }
}

#[test]
fn games_are_the_same_again_and_go_on_where_they_ended() {
    let plan = plan(&["c_puct=0.6,0.3", "first_play_reduction=0,0.2,-1,1"]);
    let kept = Mutex::new(Vec::new());
    let all = play(&plan, Vec::new(), &Control::default(), &|pair| kept.lock().unwrap().push(pair)).unwrap();
    let numbers: Vec<u64> = all.iter().map(|pair| pair.number).collect();
    assert_eq!(numbers, [0, 1, 2, 3, 4, 5]);
    let mut kept = kept.into_inner().unwrap();
    kept.sort_by_key(|pair| pair.number);
    assert_eq!(kept, all);
    let some = vec![all[4], all[1], all[0]];
    assert_eq!(play(&plan, some, &Control::default(), &|_| ()).unwrap(), all);
    let stopped = Control::default();
    stopped.stop();
    assert_eq!(play(&plan, Vec::new(), &stopped, &|_| panic!("it was stopped")).unwrap(), []);
    assert!(all.iter().any(|pair| pair.points != 0) && plan.values(&all) != [0.6, 0.0]);
}

#[test]
fn an_unknown_constant_is_named() {
    let error = play(&plan(&["speed=1,1"]), Vec::new(), &Control::default(), &|_| ()).unwrap_err();
    assert_eq!(error.to_string(), "no constant of the search has the name 'speed'");
}

#[test]
fn constants_are_read_with_and_without_bounds() {
    let constant: Constant = "c_puct=0.6,0.1".parse().unwrap();
    assert_eq!((constant.start, constant.step, constant.bounds[0]), (0.6, 0.1, 0.0));
    let constant: Constant = "first_play_reduction=-0.1,0.05".parse().unwrap();
    assert!(constant.bounds[0] < -1e9);
    for text in ["c_puct=0.6,0.1", "first_play_reduction=-0.1,0.05", "final_share=0.2,0.04,0,1"] {
        assert_eq!(text.parse::<Constant>().unwrap().to_string(), text);
    }
    for wrong in ["c_puct", "c_puct=0.6", "c_puct=0.6,0.1,0", "c_puct=x,1", "c_puct=0.6,0", "c_puct=0.6,0.1,1,2"] {
        assert!(wrong.parse::<Constant>().is_err(), "{wrong}");
    }
}

/// Games whose results depend on a bowl over the constants: SPSA finds its middle.
#[test]
fn the_best_values_are_found() {
    let middle = [2.0, 1.0];
    let plan = Plan { pairs: 6_000, together: 8, rate: 0.02, ..plan(&["a=1,0.2", "b=1.5,0.1"]) };
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let strength = |values: &[f64]| -> f64 {
        let far = values.iter().zip(middle).zip(&plan.constants).map(|((value, best), of)| (value - best) / of.step);
        far.map(|far| -0.01 * far * far).sum()
    };
    let mut played = Vec::new();
    for batch in 0..plan.batches() {
        let values = plan.values(&played);
        for number in plan.batch(batch) {
            let [first, second] = plan.of_players(number, &values).map(|values| strength(&values));
            let wins = 0.5 + (first - second) / 2.0;
            let points = (0..2).map(|_| if random.random::<f64>() < wins { 1 } else { -1 }).sum();
            played.push(Pair { number, points });
        }
    }
    let leanings = plan.leanings(&played);
    assert!((leanings[0].end - 2.0).abs() < 0.2 && (leanings[1].end - 1.0).abs() < 0.1, "{leanings:?}");
    let width = |of: &Leaning| of.interval[1] - of.interval[0];
    assert!(leanings.iter().all(|of| (0.03..0.07).contains(&width(of))), "{leanings:?}");
}

#[test]
fn a_constant_leans_the_way_that_wins() {
    let plan = plan(&["a=1,0.2", "b=1.5,0.1"]);
    let won_by = |number| Pair { number, points: if plan.moved_up(number)[0] { 2 } else { -2 } };
    let leanings = plan.leanings(&(0..6).map(won_by).collect::<Vec<_>>());
    assert!(leanings[0].up == 1.0 && leanings[0].interval[0] < 0.2 && leanings[0].interval[1] == 1.0, "{leanings:?}");
    assert!(leanings[0].end > 1.0 && leanings[1].up < 1.0, "{leanings:?}");
}

#[test]
fn no_game_is_played_outside_the_bounds() {
    let plan = plan(&["c_puct=0.1,0.2", "final_share=0.2,0.1,0.15,0.25"]);
    for number in 0..6 {
        for values in plan.of_players(number, &[0.1, 0.2]) {
            assert!(values[0] >= 0.0 && (0.15..=0.25).contains(&values[1]), "{values:?}");
        }
    }
    let up = Pair { number: 0, points: 2 };
    assert!(
        plan.values(&[up, Pair { number: 1, ..up }])
            .iter()
            .zip(&plan.constants)
            .all(|(value, constant)| { (constant.bounds[0]..=constant.bounds[1]).contains(value) })
    );
}
