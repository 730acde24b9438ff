//! Problems: positions in which exactly one turn wins, proven and graded.
//!
//! | module | its one idea |
//! | --- | --- |
//! | `set` | [`Problem`] and [`ProblemSet`]: a file of them, and the one that the program brings with it |
//! | `tree` | [`Tree`]: what follows the winning turn |
//! | `judge` | who wins, for certain, by what each family has for it |
//! | `brute` | who wins, by the rules alone |
//! | `find` | positions from games and tables |
//! | `theme` | [`Theme`]: what the turn that wins does |
//! | `grade` | which ratings find the turn |
//! | `check` | every claim of a problem proven again |
//!
//! A turn *wins* if its player then wins the game whatever the other side does. Where games may be drawn, a draw is no
//! win: the other turns of a problem draw or lose.
//!
//! # The file that is built in
//!
//! It was found by the evaluation of commit 521e824; another one finds other problems. Each command took from one to
//! fourteen minutes on a core of a busy machine, the first one of Desdemona 27.
//!
//! ```text
//! hippolyta problems make --variant amazons6 --count 220 --turns 10 --effort 50000 --seed 1 --out amazons6.json
//! hippolyta problems make --fen '1q1q1/q3q/5/Q3Q/1Q1Q1 w' --fen '2q2/q3q/5/Q3Q/2Q2 w' --count 180 --turns 10 \
//!     --effort 50000 --seed 1 --out 5x5.json
//! hippolyta problems make --fen '1qq1/q2q/4/4/Q2Q/1QQ1 w' --count 70 --turns 10 --effort 50000 --seed 1 \
//!     --out 4x6.json
//! hippolyta problems make --fen '1q1q1/q3q/5/5/Q3Q/1Q1Q1 w' --count 70 --turns 10 --effort 50000 --seed 1 \
//!     --out 5x6.json
//! hippolyta problems make --variant amazons8 --count 150 --turns 10 --effort 50000 --seed 1 --out amazons8.json
//! hippolyta problems make --variant amazons --count 225 --turns 10 --effort 50000 --seed 1 --out amazons.json
//! hippolyta problems make --variant desdemona --count 55 --turns 8 --seed 1 --out desdemona.json
//! hippolyta problems make --variant desdemona --count 80 --turns 8 --effort 2000 --seed 2 --out desdemona2.json
//! hippolyta problems make --variant cassio --count 110 --turns 8 --seed 1 --out cassio.json
//! hippolyta problems make --variant iago --count 150 --turns 6 --seed 1 --out iago.json
//! hippolyta problems make --variant damone --count 200 --seed 1 --out damone.json
//! hippolyta problems join amazons6.json 5x5.json 5x6.json 4x6.json amazons8.json amazons.json desdemona.json \
//!     desdemona2.json cassio.json iago.json damone.json --most amazons6=150 --most amazons-5x5=120 \
//!     --most amazons-4x6=40 --most amazons-5x6=40 --most amazons8=100 --most amazons=150 --most desdemona=100 \
//!     --most cassio=80 --most iago=100 --most damone=120 --out problems.json
//! ```
//!
//! 4×4 has no problems: in 10,000 games nothing was left that counting could not decide. Damone has none from games:
//! with more than four pieces it cannot be proven that the other turns only draw.

mod brute;
mod check;
mod find;
mod grade;
mod judge;
mod set;
mod theme;
mod tree;

#[doc(hidden)]
pub use brute::Brute;
pub use check::{Checked, check};
#[doc(hidden)]
pub use find::gather;
pub use find::{Recipe, check_provable, find};
pub use grade::{TRIES, grade, levels};
#[doc(hidden)]
pub use judge::{Judge, Judged};
pub use set::{LARGEST, Problem, ProblemError, ProblemSet, join, solve_rate};
pub use theme::Theme;
pub use tree::Tree;

use hippolyta::games::Fen;
use hippolyta::games::variant::Variant;

/// The group of a position: the rule set, and for boards of the Amazons that are no start position's, their size.
///
/// ```
/// use hippolyta::games::variant;
/// use hippolyta_lab::problems::group;
///
/// let amazons = &variant::find("amazons")?;
/// assert_eq!(group(amazons, amazons.start()), "amazons");
/// assert_eq!(group(amazons, "1qq1/q2q/4/4/Q2Q/1QQ1 w - - 0 1"), "amazons-4x6");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn group(variant: &Variant, fen: &str) -> String {
    let size = |fen: &str| fen.parse().map_or((0, 0), |fen: Fen| (fen.files, fen.ranks));
    let (files, ranks) = size(fen);
    if (files, ranks) == size(variant.start()) {
        variant.name().to_owned()
    } else {
        format!("{}-{files}x{ranks}", variant.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hippolyta::engine::{Board, Control, Model};
    use hippolyta::games::variant::find as rule_set;
    use std::collections::{HashMap, HashSet};

    fn recipe(name: &str) -> Recipe {
        let variant = rule_set(name).unwrap();
        let (starts, model) = (Vec::new(), Model::default());
        Recipe { variant, starts, seed: 1, effort: 5_000, per_game: 1, turns: 8, above: 0, model }
    }

    fn found(recipe: &Recipe, count: usize) -> Vec<Problem> {
        find(recipe, count, &HashMap::new(), &Control::default(), &|_, _| ()).unwrap().unwrap()
    }

    /// Whether every turn of a solution is legal and replies have answers; the number of turns.
    fn follow(board: &Board, tree: &Tree, own: bool) -> usize {
        assert!(!own || tree.branches.len() <= 1);
        let mut turns = 0;
        for (turn, after) in &tree.branches {
            let mut next = board.clone();
            assert_eq!(&next.play(turn).unwrap().to_string(), turn);
            assert!(own || !after.is_empty(), "{turn} has no answer");
            turns += 1 + follow(&next, after, !own);
        }
        turns
    }

    #[test]
    fn the_problems_that_come_with_the_program_are_what_they_say() {
        let set = ProblemSet::built_in();
        assert_eq!(set.problems.len(), 1_000);
        assert!(ProblemSet::TEXT.len() <= 700_000, "{}", ProblemSet::TEXT.len());
        assert_eq!(set.text(), ProblemSet::TEXT);
        let families: HashSet<_> = set.problems.iter().map(|problem| problem.variant.as_str()).collect();
        for name in ["amazons", "amazons8", "amazons6", "desdemona", "cassio", "iago", "damone"] {
            assert!(families.contains(name), "{name}");
        }
        let mut positions = HashSet::new();
        for problem in &set.problems {
            let variant = problem.variant().unwrap();
            let board = problem.board().unwrap();
            assert_eq!(problem.group(), group(&variant, &problem.fen));
            assert!(
                positions.insert((variant.name().to_owned(), crate::alike::identity(&variant, &problem.fen))),
                "{}",
                problem.id
            );
            assert!(problem.legal >= 5 && problem.found.len() <= levels(&variant).len());
            assert_eq!(grade(&levels(&variant), &problem.found, set.tries), problem.elo, "{}", problem.id);
            assert_eq!(set.levels[variant.name()], levels(&variant));
            assert!(follow(&board, &problem.solution, true) >= 1);
            assert!(follow(&board, &problem.wrong, false) <= 4);
            assert!(problem.wrong.branches.iter().all(|(turn, _)| *turn != problem.turn));
        }
    }

    #[test]
    fn a_sample_of_them_is_proven_again() {
        let (mut proven, mut by_rules) = (HashSet::new(), 0);
        for problem in ProblemSet::built_in().problems.iter().step_by(29) {
            let few = problem.board().unwrap().diagram().chars().filter(|c| "PpDdIi".contains(*c)).count() <= 3;
            if problem.variant != "damone" || few {
                let checked = check(problem, 1_000_000, 20_000).unwrap_or_else(|error| panic!("{error}"));
                assert!(checked.answers > 0);
                by_rules += usize::from(checked.by_rules_alone);
                proven.insert(problem.variant.as_str());
            }
        }
        assert!(proven.len() >= 6 && by_rules >= 3, "{proven:?} {by_rules}");
    }

    #[test]
    fn wrong_claims_are_refused() {
        let problem = ProblemSet::built_in().get("amazons6-005").unwrap();
        assert!(check(problem, 1_000_000, 0).is_ok());
        let refused = |change: &dyn Fn(&mut Problem)| {
            let mut wrong = problem.clone();
            change(&mut wrong);
            check(&wrong, 1_000_000, 0).unwrap_err().to_string()
        };
        let (other, refutation) = &problem.wrong.branches[0];
        let message = refused(&|wrong| wrong.turn.clone_from(other));
        assert!(message.starts_with("problem amazons6-005: ") && message.contains("win"), "{message}");
        let message = refused(&|wrong| wrong.solution = Tree::of(other.clone(), Tree::default()));
        assert!(message.contains("of the solution is not proven to win"), "{message}");
        let message = refused(&|wrong| wrong.wrong = Tree::of(problem.turn.clone(), first_reply(problem)));
        assert!(message.contains("does not refute"), "{message}");
        assert!(!refutation.is_empty());
        let message = check(problem, 1, 0).unwrap_err().to_string();
        assert!(message.contains("takes more than 1 positions"), "{message}");
    }

    /// Some reply to the turn that wins.
    fn first_reply(problem: &Problem) -> Tree {
        let mut board = problem.board().unwrap();
        board.play(&problem.turn).unwrap();
        Tree::of(board.legal_turns().all()[0].to_string(), Tree::default())
    }

    #[test]
    fn problems_of_every_family_are_found_and_the_same_each_time() {
        // Of one's own: whoever is stuck wins, and knights that leave stones, of which fewer win.
        let misere = "misere = { like = 'amazons6', stuck = 'wins' }";
        let few = "few = { like = 'amazons6', moves = 'N', fires = 'K', leaves = 'own', stuck = 'fewest-stones' }";
        for name in ["amazons6", "iago", "desdemona", misere, few] {
            let recipe = recipe(name);
            let problems = found(&recipe, 2);
            assert_eq!(problems, found(&recipe, 2), "{name}");
            for problem in &problems {
                // By another effort, and by the rules alone if that is possible.
                check(problem, 1_000_000, 50_000).unwrap_or_else(|error| panic!("{name}: {error}"));
                assert!(problem.legal >= 8);
            }
        }
    }

    /// With `HIPPOLYTA_BLESS=1` the file is written anew.
    #[test]
    fn the_schema_is_that_of_the_types_and_the_file_follows_it() {
        let schema = schemars::schema_for!(ProblemSet).to_value();
        let generated = format!("{schema:#}\n");
        if std::env::var_os("HIPPOLYTA_BLESS").is_some() {
            std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/src/problems/schema.json"), &generated).unwrap();
        } else {
            assert!(generated == ProblemSet::SCHEMA, "schema.json is not up to date: HIPPOLYTA_BLESS=1 writes it anew");
        }
        let validator = jsonschema::validator_for(&schema).unwrap();
        let mut value: serde_json::Value = serde_json::from_str(ProblemSet::TEXT).unwrap();
        assert!(validator.is_valid(&value));
        value["problems"][7]["solution"] = "d1d2".into();
        assert!(!validator.is_valid(&value));
    }

    #[test]
    fn recipes_that_find_nothing_are_given_up() {
        // Each side has a room of its own: all is counted.
        let starts = vec!["Q1*1q/2*2/2*2 w - - 0 1".to_owned()];
        let recipe = Recipe { starts, ..recipe("amazons") };
        let found = find(&recipe, 1, &HashMap::new(), &Control::default(), &|_, _| ());
        assert!(matches!(found, Err(ProblemError::Few(0, games)) if games > 20_000), "{found:?}");
    }

    #[test]
    fn files_that_are_wrong_are_refused() {
        let text = ProblemSet::new(ProblemSet::built_in().problems[..2].to_vec()).text();
        assert_eq!(ProblemSet::read(&text).unwrap().problems.len(), 2);
        let refused = |from: &str, to: &str| {
            let changed = text.replacen(from, to, 1);
            ProblemSet::read(&changed).map(|_| ()).expect_err(&format!("{from} → {to}")).to_string()
        };
        let Problem { id, turn, legal, .. } = &ProblemSet::built_in().problems[0];
        assert!(refused("problems 1", "problems 9").contains("calls itself"));
        assert!(refused("\"side\":\"", "\"side\":\"no").contains("the other side is to move"));
        assert!(refused(&format!("\"turn\":\"{turn}"), "\"turn\":\"a1a1,a1a1").contains(&format!("problem {id}: ")));
        assert!(refused(&format!("\"legal\":{legal}"), "\"legal\":3").contains("another number of legal turns"));
        let second = &ProblemSet::built_in().problems[1].id;
        assert!(refused(second, id).contains("the id is there twice"));
        assert!(ProblemSet::read("{}").is_err());
        assert!(refused("\"tries\":4", "\"tries\":0").contains("tried nothing"));
        let least = ProblemSet::built_in().levels["amazons6"][0];
        assert!(refused(&format!("[{least},"), "[9000,").contains("do not rise"));
    }

    #[test]
    fn problems_that_contradict_themselves_are_refused() {
        let problem = ProblemSet::built_in().get("amazons6-005").unwrap();
        assert!(ProblemSet::read(&ProblemSet::new(vec![problem.clone()]).text()).is_ok());
        let refused = |change: &dyn Fn(&mut Problem)| {
            let mut wrong = problem.clone();
            change(&mut wrong);
            ProblemSet::read(&ProblemSet::new(vec![wrong]).text()).unwrap_err().to_string()
        };
        let winning = &problem.turn;
        let reply = first_reply(problem).branches.remove(0).0;
        let refuted = || Tree::of(reply.clone(), Tree::default());
        let says = |what: &str, change: &dyn Fn(&mut Problem)| {
            let message = refused(change);
            assert!(message.starts_with("problem amazons6-005: ") && message.contains(what), "{message}");
        };
        says("the turn that wins stands among the wrong ones", &|p| {
            p.wrong.branches.push((winning.clone(), refuted()))
        });
        says("is there twice", &|p| p.wrong.branches.push(p.wrong.branches[0].clone()));
        says("nothing answers", &|p| p.wrong.branches[0].1 = Tree::default());
        says("the wrong turns: ", &|p| p.wrong.branches[0].0 = "a1a1,a1a1".to_owned());
        says("usual spelling", &|p| p.wrong.branches[0].0 = p.wrong.branches[0].0.replace(',', "/"));
        says("nothing answers", &|p| p.solution.branches[0].1.branches.push((reply.clone(), Tree::default())));
        says("the solution: ", &|p| p.solution.branches[0].1 = Tree::of(winning.clone(), refuted()));
        says("the solution begins with another turn", &|p| p.solution = Tree::default());
        says("its grade is none", &|p| p.elo = None);
        says("its grade is 4000", &|p| p.elo = Some(4_000));
        says("9 times in 4 tries", &|p| p.found[0] = 9);
        says("levels found it", &|p| p.found = vec![4; 99]);
        let mut unrefuted = problem.clone();
        unrefuted.wrong.branches[0].1 = Tree::default();
        assert!(check(&unrefuted, 1_000_000, 0).unwrap_err().to_string().contains("nothing refutes"));
    }

    #[test]
    fn a_joined_suite_is_spread_over_the_grades_and_numbered() {
        let all =
            ProblemSet::built_in().problems.iter().filter(|problem| problem.group() == "amazons6").cloned().collect();
        let all = ProblemSet::new(all);
        let few = join(vec![all.clone(), all.clone()], &|_| 20);
        assert_eq!(few.problems.len(), 20);
        assert_eq!((&*few.problems[0].id, &*few.problems[19].id), ("amazons6-001", "amazons6-020"));
        let grades: Vec<_> = few.problems.iter().map(|problem| problem.elo.unwrap_or(u32::MAX)).collect();
        assert!(grades.is_sorted() && grades.iter().collect::<HashSet<_>>().len() >= 8, "{grades:?}");
        assert_eq!(join(vec![all.clone(), all.clone()], &|_| 1_000).problems.len(), all.problems.len());
    }
}
