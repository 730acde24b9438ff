use super::games::{changes, clear};
use super::*;
use hippolyta::engine::{Board, Control, Model};
use hippolyta::games::variant::find;
use hippolyta::games::{Outcome, Side};
use hippolyta_lab::arena::statistics::interval;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

fn plan() -> Plan {
    let variant = &find("amazons").unwrap();
    let start = Board::from_fen(variant, "1qq1/4/4/1QQ1 w").unwrap();
    Plan {
        variant: variant.clone(),
        start,
        nodes: vec![20, 60],
        games: 6,
        pairs: Some(4),
        rounds: 1,
        variety: super::games::VARIETY,
        seed: 1,
        model: Model::default(),
    }
}

fn played(plan: &Plan) -> Vec<Played> {
    let told = AtomicUsize::new(0);
    let tell = |_: &Played| _ = told.fetch_add(1, Relaxed);
    let mut games = play(plan, &tasks(plan), &Control::default(), &tell).unwrap();
    assert_eq!(told.into_inner(), games.len());
    games.sort_by_key(|game| game.number);
    games
}

#[test]
fn games_are_played_once_each_and_are_the_same_again() {
    let plan = plan();
    let tasks = tasks(&plan);
    assert_eq!(tasks.len(), 2 * (6 + 8));
    assert!(tasks.iter().zip(0..).all(|(task, number)| task.number == number));
    // A longer plan begins with a shorter one.
    let longer = super::tasks(&Plan { rounds: 3, ..plan.clone() });
    assert!(longer.len() == 3 * tasks.len() && longer.starts_with(&tasks));
    let pairs: Vec<u64> = tasks[12..16].iter().map(|task| task.pair()).collect();
    assert_eq!(pairs, [12, 12, 14, 14]);
    let games = played(&plan);
    assert_eq!(games.len(), tasks.len());
    assert_eq!(games, played(&plan));
    assert!(games.iter().all(|game| game.turns <= 12 && game.choices > 0.0 && game.clear <= game.turns));
    // Somebody wins each game, and openings differ.
    assert!(games.iter().all(|game| game.white != 1));
    let stopped = Control::default();
    stopped.stop();
    play(&plan, &tasks, &stopped, &|_| panic!("it was stopped")).unwrap();
}

#[test]
fn the_winner_is_clear_when_the_score_stays_high_and_leads_change() {
    let scores = [0.5, 0.8, 0.6, 0.76, 0.9];
    assert_eq!(clear(&scores, Outcome::Win(Side::White)), 3);
    assert_eq!(clear(&scores, Outcome::Win(Side::Black)), 5);
    assert_eq!(clear(&[0.1, 0.2], Outcome::Win(Side::Black)), 0);
    assert_eq!(clear(&scores, Outcome::Draw), 5);
    assert_eq!(changes(&scores), 0);
    assert_eq!(changes(&[0.5, 0.56, 0.5, 0.44, 0.46, 0.7]), 2);
}

/// A game with these half points of White.
fn game(number: u64, white: u8) -> Played {
    Played { number, white, turns: 10, choices: 8.0, clear: 5, changes: 1, opening: format!("a{} b", number % 3) }
}

#[test]
fn measures_are_counted_from_the_games() {
    let plan = plan();
    // White wins four games of six and draws one at the first strength; the stronger player wins three pairs of four
    // there, and shares one.
    let white = |task: &Task| match (task.strength, task.stronger) {
        (0, None) => [2, 2, 2, 2, 1, 0][task.number as usize],
        (_, Some(side)) if task.pair() > 14 => 2 * u8::from(side == Side::White),
        (_, Some(_)) => 2,
        (_, None) => 1,
    };
    let games: Vec<Played> = tasks(&plan).iter().map(|task| game(task.number, white(task))).collect();
    let report = Report::new(&plan, &games, vec![FirstTurn { turn: "b1b2,b2a1".to_owned(), score: 0.51 }]);
    let [first, second] = &report.strengths[..] else { panic!("{report:?}") };
    assert_eq!((first.nodes, first.games, first.doubling_games, first.openings), (20, 6, 8, 3));
    assert_eq!((first.first_player.mean, first.drawn.mean, first.turns), (0.75, 1.0 / 6.0, [10, 10, 10]));
    // Six games from three openings.
    let close = |interval: Interval, [low, high]: [f64; 2]| {
        assert!((interval.low - low).abs() < 1e-9 && (interval.high - high).abs() < 1e-9, "{interval:?}");
    };
    close(first.first_player, interval(0.75 * 3.0, 3.0));
    assert_eq!((first.clear.mean, first.lead_changes, first.choices), (0.5, 1.0, 8.0));
    // Six points of eight.
    let [Some(elo), Some(low), high] = first.doubling else { panic!("{:?}", first.doubling) };
    assert!(elo > 150.0 && low < elo && high.is_none_or(|high| high > elo), "{:?}", first.doubling);
    assert_eq!(second.drawn.mean, 1.0);
    close(second.drawn, interval(3.0, 3.0));
    let words = report.words.join(" ");
    assert!(words.starts_with("These games do not tell who is ahead at the start: White scores 50 % ("), "{words}");
    assert!(words.contains(" in 6 games from 3 openings at 60 nodes a turn. About 390 games"), "{words}");
    assert!(words.contains("Both sides were played by the engine with its built-in weights."), "{words}");
    assert!(words.contains("b1b2,b2a1 leaves the game most even: 51 % for White."), "{words}");
    let text = page(&report);
    assert!(text.contains("Elo of a doubling") && text.matches("<svg class=\"plot\"").count() == 4, "{text}");
    let json = serde_json::to_string(&report).unwrap();
    assert_eq!(serde_json::from_str::<Report>(&json).unwrap(), report);
}

#[test]
fn first_turns_are_told_by_how_even_they_are() {
    let turns = first_turns(&plan(), &Control::default()).unwrap();
    assert!(!turns.is_empty() && turns.len() <= 5);
    let far: Vec<f64> = turns.iter().map(|turn| (turn.score - 0.5).abs()).collect();
    assert!(far.is_sorted(), "{turns:?}");
}

/// What a report says of games of equals from this number of openings, of which White has won some, and of pairs that
/// the one with twice as many nodes has all won or lost.
fn said(games: u64, won: u64, openings: u64, pairs: u64, stronger_wins: bool) -> String {
    let plan = Plan { nodes: vec![20], games, pairs: Some(pairs), ..plan() };
    let played = tasks(&plan).into_iter().map(|task| {
        let white = match task.stronger {
            None => 2 * u8::from(task.number < won),
            Some(side) => 2 * u8::from((side == Side::White) == stronger_wins),
        };
        Played { opening: format!("a{} b", task.number % openings), ..game(task.number, white) }
    });
    Report::new(&plan, &played.collect::<Vec<_>>(), Vec::new()).words.join(" ")
}

#[test]
fn little_is_not_called_much() {
    let open = "These games do not tell who is ahead at the start: ";
    for words in [said(3, 0, 3, 0, true), said(3, 3, 3, 0, true), said(100, 100, 1, 0, true), said(20, 12, 20, 0, true)]
    {
        assert!(words.starts_with(open) && words.contains(" games from different openings would."), "{words}");
    }
    assert!(said(100, 100, 1, 0, true).contains(" to 100) in 100 games from one opening at 20 nodes"));
    let ahead = said(200, 150, 200, 0, true);
    assert!(ahead.starts_with("White, who begins, is clearly ahead: White scores 75 % (68 to 81) in 200"), "{ahead}");
    assert!(said(200, 120, 200, 0, true).starts_with("White, who begins, is ahead: "));
    assert!(said(4_000, 2_000, 4_000, 0, true).starts_with("The start is even: "));
    // Two pairs tell nothing of depth, sixty do.
    let depth = "These games do not tell whether searching more wins: twice as many nodes ";
    assert!(said(3, 0, 3, 2, true).contains(&format!("{depth}win all 4 games.")), "{}", said(3, 0, 3, 2, true));
    assert!(said(3, 0, 3, 2, false).contains(&format!("{depth}lose all 4 games.")));
    assert!(said(3, 0, 999, 60, true).contains("Searching more wins much: twice as many nodes win all 120 games."));
    assert!(said(3, 0, 999, 60, false).contains("Searching more loses: "));
}

/// A variation of whose games White has won some and drawn some, each from another opening, and in which a doubling is
/// worth `doubling`, give or take `error`.
fn varied(change: &str, [games, white, drawn]: [u64; 3], doubling: Option<f64>, error: f64) -> Varied {
    let plan = Plan { nodes: vec![20], games, pairs: Some(1), ..plan() };
    let points = |number| if number < white { 2 } else { u8::from(number < white + drawn) };
    let played = |number: u64| Played { opening: number.to_string(), ..game(number, points(number)) };
    let mut report = Report::new(&plan, &(0..games).map(played).collect::<Vec<_>>(), Vec::new());
    let high = doubling.map(|elo| elo + error);
    report.strengths[0].doubling = [doubling, Some(doubling.unwrap_or(90.0) - error), high];
    report.strengths[0].doubling_games = 2;
    let changes = if change.is_empty() { Vec::new() } else { vec![change.to_owned()] };
    Varied { changes, rules: String::new(), report, place: 0 }
}

#[test]
fn variations_that_games_tell_apart_are_ranked_and_others_share_a_place() {
    let all = |games: u64| {
        let share = |white: u64, drawn: u64| [games, games * white / 10, games * drawn / 10];
        vec![
            varied("", share(0, 10), Some(0.0), 9.0),
            varied("a = 1", share(5, 0), Some(40.0), 9.0),
            varied("b = 2", share(4, 2), None, 30.0),
            varied("c = 3", share(10, 0), Some(20.0), 9.0),
            varied("d = 4", share(3, 3), Some(10.0), 9.0),
        ]
    };
    let balances: Vec<_> = all(10).iter().map(|varied| (10.0 * varied.balance().mean).round()).collect();
    assert_eq!(balances, [0.0, 10.0, 8.0, 0.0, 6.0]);
    let found = Variations::new("Mine & yours", serde_json::Value::Null, Goal::Balance, all(10));
    assert!(found.variations[..4].iter().all(|varied| varied.place == 1), "{}", found.table());
    let words = found.words.join("\n");
    assert!(words.starts_with("Mine & yours as it is: White scores 50 % ("), "{words}");
    assert!(
        words.contains("Of 5 variations these games do not tell which is the most balanced: a = 1; b = 2; "),
        "{words}"
    );
    assert!(
        words.contains("The deepest is b = 2: ") && words.contains("twice as many nodes win all 2 games"),
        "{words}"
    );
    let table = found.table();
    assert!(table.lines().nth(1).unwrap().starts_with("1=      100 (3"), "{table}");
    let many = Variations::new("Mine & yours", serde_json::Value::Null, Goal::Balance, all(2_000));
    let order: Vec<_> = many.variations.iter().map(|varied| (varied.change(), many.place(varied))).collect();
    let order: Vec<_> = order.iter().map(|(change, place)| (change.as_str(), place.as_str())).collect();
    assert_eq!(order, [("a = 1", "1"), ("b = 2", "2"), ("d = 4", "3"), ("c = 3", "4="), ("as it is", "4=")]);
    let words = many.words.join("\n");
    assert!(words.contains("Of 5 variations the most balanced is a = 1: White scores 50 % (48 to 52)"), "{words}");
    let page = variations_page(&found);
    assert!(page.contains("Variations of Mine &amp; yours") && page.matches("<th scope=\"row\">").count() == 5);
    let json = serde_json::to_string(&found).unwrap();
    assert_eq!(serde_json::from_str::<Variations>(&json).unwrap(), found);
}

#[test]
fn goals_put_variations_in_order_and_those_that_are_surpassed_leave() {
    let varied = |turns: u32, drawn: u64| {
        let plan = Plan { nodes: vec![20], games: 100, pairs: Some(0), ..plan() };
        let white = |number: u64| if number < drawn { 1 } else { 2 * u8::from(number.is_multiple_of(2)) };
        let played = |number: u64| Played { opening: number.to_string(), turns, ..game(number, white(number)) };
        let report = Report::new(&plan, &(0..100).map(played).collect::<Vec<_>>(), Vec::new());
        Varied { changes: vec![format!("{turns} turns")], rules: String::new(), report, place: 0 }
    };
    let all = [varied(10, 0), varied(30, 60), varied(31, 2)];
    let left = |goal: Goal| goal.unsurpassed(&all, &[0, 1, 2]);
    assert_eq!(left(Goal::Decided), [0, 2]);
    assert_eq!(left(Goal::Length(30, 40)), [1, 2]);
    assert_eq!(left(Goal::Balance), [0, 2]);
    // Without pairs nothing is known of depth.
    assert_eq!(left(Goal::Depth), [0, 1, 2]);
    assert_eq!(Goal::Decided.unsurpassed(&all, &[1]), [1]);
    let found = Variations::new("Mine", serde_json::Value::Null, Goal::Length(31, 99), all.to_vec());
    let words = found.words.join(" ");
    let first = "Of 3 variations the one with most games of 31 to 99 turns is 31 turns: White scores 50 % (";
    assert!(words.contains(first) && found.table().contains(" 31–99 turns, %"), "{words}\n{}", found.table());
    for text in ["balance", "depth", "decided", "length=5-60"] {
        assert_eq!(text.parse::<Goal>().unwrap().to_string(), text);
    }
    for text in ["length=9-5", "length=5", "", "Balance\n"] {
        assert!(text.parse::<Goal>().unwrap_err().contains("is none of balance, depth"), "{text}");
    }
}
