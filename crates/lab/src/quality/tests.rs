use super::games::{changes, clear};
use super::*;
use hippolyta::engine::{Board, Control, Model};
use hippolyta::games::variant::find;
use hippolyta::games::{Outcome, Side};
use std::sync::Mutex;

fn plan() -> Plan {
    let variant = &find("amazons").unwrap();
    let start = Board::from_fen(variant, "1qq1/4/4/1QQ1 w").unwrap();
    Plan { variant: variant.clone(), start, nodes: vec![20, 60], games: 6, pairs: 4, seed: 1, model: Model::default() }
}

fn played(plan: &Plan) -> Vec<Played> {
    let games = Mutex::new(Vec::new());
    play(plan, &tasks(plan), &Control::default(), &|game| games.lock().unwrap().push(game)).unwrap();
    let mut games = games.into_inner().unwrap();
    games.sort_by_key(|game| game.number);
    games
}

#[test]
fn games_are_played_once_each_and_are_the_same_again() {
    let plan = plan();
    let tasks = tasks(&plan);
    assert_eq!(tasks.len(), 2 * (6 + 8));
    assert!(tasks.iter().zip(0..).all(|(task, number)| task.number == number));
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
    assert!(first.first_player.low < 0.6 && first.first_player.high == 1.0, "{:?}", first.first_player);
    assert_eq!((first.clear.mean, first.lead_changes.mean, first.choices.mean), (0.5, 1.0, 8.0));
    // Six points of eight.
    let [Some(elo), Some(low), high] = first.doubling else { panic!("{:?}", first.doubling) };
    assert!(elo > 150.0 && low < elo && high.is_none_or(|high| high > elo), "{:?}", first.doubling);
    // Six drawn games of six leave it open whether every third is decided.
    assert!((second.drawn.mean, second.drawn.high) == (1.0, 1.0) && (0.6..0.65).contains(&second.drawn.low));
    let words = report.words.join(" ");
    assert!(
        words.contains("The start is even: White scores 50 %") && words.contains("Most games are drawn"),
        "{words}"
    );
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

/// A variation of whose ten games White has won some and drawn some, and in which a doubling is worth `doubling`.
fn varied(change: &str, white: u64, drawn: u64, doubling: Option<f64>) -> Varied {
    let plan = Plan { nodes: vec![20], games: 10, pairs: 1, ..plan() };
    let points = |number| if number < white { 2 } else { u8::from(number < white + drawn) };
    let games: Vec<Played> = (0..10).map(|number| game(number, points(number))).collect();
    let mut report = Report::new(&plan, &games, Vec::new());
    report.strengths[0].doubling = [doubling; 3];
    report.strengths[0].doubling_games = 2;
    let changes = if change.is_empty() { Vec::new() } else { vec![change.to_owned()] };
    Varied { changes, rules: String::new(), report }
}

#[test]
fn variations_are_listed_by_balance_and_then_by_depth() {
    let all = vec![
        varied("", 0, 10, Some(0.0)),
        varied("a = 1", 5, 0, Some(40.0)),
        varied("b = 2", 4, 2, None),
        varied("c = 3", 10, 0, Some(90.0)),
        varied("d = 4", 5, 0, Some(60.0)),
    ];
    assert_eq!(
        all.iter().map(|varied| (10.0 * varied.balance()).round()).collect::<Vec<_>>(),
        [0.0, 10.0, 8.0, 0.0, 10.0]
    );
    let found = Variations::new("Mine & yours", serde_json::Value::Null, all);
    let order: Vec<_> = found.variations.iter().map(Varied::change).collect();
    assert_eq!(order, ["d = 4", "a = 1", "b = 2", "c = 3", "as it is"]);
    let words = found.words.join("\n");
    assert!(words.starts_with("Mine & yours as it is: White scores 50 % (50 to 50), 100 % are drawn"), "{words}");
    assert!(words.contains("Of 5 variations the most balanced is d = 4: White scores 50 %"), "{words}");
    assert!(words.contains("The deepest is b = 2: ") && words.contains("twice as many nodes win all games"), "{words}");
    assert!(words.ends_with("No other is both more balanced and deeper than: d = 4; b = 2."), "{words}");
    let table = found.table();
    assert_eq!(table.lines().nth(1), Some("  100 %   50 %    0 %     10       +60  d = 4"), "{table}");
    let page = variations_page(&found);
    assert!(page.contains("Variations of Mine &amp; yours") && page.matches("<th scope=\"row\">").count() == 5);
    let json = serde_json::to_string(&found).unwrap();
    assert_eq!(serde_json::from_str::<Variations>(&json).unwrap(), found);
}
