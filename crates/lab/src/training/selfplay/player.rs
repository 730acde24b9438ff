//! One game of the engine against itself.

use super::opening::opening;
use super::options::Options;
use super::run::Run;
use super::sampling;
use crate::seeds;
use crate::training::record::{Ending, GameData, Inner, SearchedTurn, pack_score};
use crate::training::trainable::Trainable;
use hippolyta::eval::{Evaluator, Value};
use hippolyta::games::{Outcome, Side, Step, Steps};
use hippolyta::search::{Control, Limits, Parameters, Score, Search, Settings, SettingsError};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};
use std::cmp::Reverse;

/// A search that plays both sides. It has memory of its own, and plays one game after the other.
pub(super) struct Player<P: Trainable, E: Evaluator<P>> {
    search: Search<P, E>,
    /// Where games begin.
    start: P,
}

impl<P: Trainable, E: Evaluator<P>> Player<P, E> {
    pub fn new(options: &Options, start: P, evaluator: E) -> Result<Self, SettingsError> {
        let settings = Settings { hash: options.hash, ..Settings::default() };
        let mut search = Search::new(evaluator, settings)?;
        let parameters = Parameters { root_noise: options.noise, ..*search.parameters() };
        search.set_parameters(parameters);
        Ok(Self { search, start })
    }

    /// Plays the game with this number; `None` if `control` stopped it. The game depends on the run and on the number
    /// alone.
    pub fn play(&mut self, run: &Run, number: u64, control: &Control) -> Option<GameData> {
        let options = &run.options;
        // Batches wait for this game between its searches, too.
        let _seat = self.search.evaluator().seat();
        let mut seeds = SplitMix64::seed_from_u64(seeds::of(run.seed, number));
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seeds.random());
        let settings = Settings { seed: seeds.random::<u64>() >> 1, ..self.search.settings().clone() };
        // Only memory and threads can be refused, and neither changes.
        let _ = self.search.set(settings);
        let (mut game, opening) = opening::<P>(&self.start, options.opening_turns, &mut random);
        let mut turns = Vec::new();
        let limits = Limits { nodes: Some(options.nodes), ..Limits::default() };
        let (outcome, ending) = loop {
            let position = game.current();
            if let Some(outcome) = position.outcome() {
                break (outcome, Ending::Rules);
            }
            if turns.len() as u32 >= options.longest {
                break (Outcome::Draw, Ending::TooLong);
            }
            if options.adjudicate
                && let Some(proof) = self.search.evaluator().oracle().result(position)
            {
                break (proof.outcome, Ending::Proven);
            }
            self.search.clear();
            let report = self.search.run(&game, &limits, control, &mut |_| ());
            if control.stopped() {
                return None;
            }
            let side = position.side_to_move();
            let Some(line) = report.lines.first() else { break (Outcome::Draw, Ending::TooLong) };
            let proven = report.score.outcome(side);
            if let Some(outcome) = proven.filter(|_| options.adjudicate) {
                break (outcome, Ending::Proven);
            }
            let sampled = (turns.len() as u32) < options.sampled_turns && proven.is_none();
            let turn = if sampled { self.draw(side, options.temperature, &mut random) } else { None };
            let turn = turn.unwrap_or_else(|| line.turns[0].clone());
            turns.push(self.searched(&turn, white(report.score, side), options));
            game.play(turn);
        };
        let result = outcome.half_points(Side::White);
        Some(GameData { number, result, ending, margin: game.current().final_margin(), opening, turns })
    }

    /// A turn drawn by visits, step by step, without steps that are proven to lose for `side`; `None` if there is
    /// none.
    fn draw(&self, side: Side, temperature: f32, random: &mut Xoshiro256PlusPlus) -> Option<Steps<P>> {
        let mut turn = Steps::<P>::new();
        let mut position = self.search.root()?.clone();
        loop {
            let mut steps = self.search.steps_after(&turn);
            steps.retain(|step| step.visits > 0 && step.proven != Some(Outcome::Win(!side)));
            let visits: Vec<u32> = steps.iter().map(|step| step.visits).collect();
            let step = steps[sampling::draw(&visits, temperature, random)?].step;
            turn.push(step);
            position = position.after(step);
            if position.at_turn_start() {
                return Some(turn);
            }
        }
    }

    /// The record of a search after which `turn` was played.
    fn searched(&self, turn: &Steps<P>, white: f32, options: &Options) -> SearchedTurn {
        let visits = (0..turn.len()).map(|played| {
            let mut found: Vec<_> = self
                .search
                .steps_after(&turn[..played])
                .iter()
                .filter(|step| step.visits > 0)
                .map(|step| (step.step.code(), step.visits.min(u16::MAX.into()) as u16))
                .collect();
            sort_by_visits(&mut found);
            found
        });
        SearchedTurn {
            steps: turn.iter().map(|step| step.code()).collect(),
            score: pack_score(white),
            visits: visits.collect(),
            inner: self.inner(options),
        }
    }

    /// The positions of the tree with the most visits, within the bounds of the options.
    fn inner(&self, options: &Options) -> Vec<Inner> {
        let mut inner = Vec::new();
        if options.inner_visits > 0 {
            self.search.for_each_searched(options.inner_visits, &mut |path, _, visits, white, proven| {
                let white = proven.map_or(white, |outcome| Value::of(outcome).white);
                let path = path.iter().map(|step| step.code()).collect();
                inner.push(Inner { path, score: pack_score(white), visits });
            });
            sort_inner(&mut inner);
            inner.truncate(options.inner_most.min(255) as usize);
        }
        inner
    }
}

/// Sorts codes of steps with their visits, most visits first. Not part of its only caller, which is compiled for each
/// game; so is [`sort_inner`]'s.
fn sort_by_visits(steps: &mut [(u16, u16)]) {
    steps.sort_by_key(|&(code, visits)| (Reverse(visits), code));
}

/// Sorts positions of a tree, most visits first.
fn sort_inner(inner: &mut [Inner]) {
    inner.sort_by(|a, b| b.visits.cmp(&a.visits).then_with(|| a.path.cmp(&b.path)));
}

/// White's expected score, from the score of `side` to move.
fn white(score: Score, side: Side) -> f32 {
    match score {
        Score::Estimate { score, .. } if side == Side::White => score,
        Score::Estimate { score, .. } => 1.0 - score,
        _ => Value::of(score.outcome(side).unwrap_or(Outcome::Draw)).white,
    }
}

#[cfg(test)]
mod tests {
    use super::super::run::tests::quick;
    use super::*;
    use hippolyta::eval::amazons::AmazonsEvaluator;
    use hippolyta::eval::damone::DamoneEvaluator;
    use hippolyta::games::amazons::Amazons;
    use hippolyta::games::damone::{Damone, Rules};

    fn amazons(run: &Run) -> Player<Amazons, AmazonsEvaluator> {
        Player::new(&run.options, run.start().unwrap(), AmazonsEvaluator::new(&run.weights)).unwrap()
    }

    fn play(run: &Run, number: u64) -> GameData {
        amazons(run).play(run, number, &Control::default()).unwrap()
    }

    fn with(change: impl Fn(&mut Options)) -> Run {
        let mut run = quick("amazons6", 9);
        change(&mut run.options);
        run
    }

    #[test]
    fn a_game_depends_on_the_run_and_its_number_alone() {
        let run = quick("amazons6", 9);
        let mut player = amazons(&run);
        let mut used = |number| player.play(&run, number, &Control::default()).unwrap();
        let games = [0, 1, 2].map(&mut used);
        assert_eq!([2, 0, 1].map(used), [2, 0, 1].map(|number| games[number as usize].clone()));
        assert_eq!(play(&run, 1), games[1]);
        // Another number, or another seed, is another game.
        assert!(games[0].turns != games[1].turns && games[1].turns != games[2].turns);
        assert_ne!(play(&Run { seed: 8, ..quick("amazons6", 9) }, 1).turns, games[1].turns);
    }

    #[test]
    fn turns_are_drawn_by_visits_at_first_and_the_best_one_is_played_then() {
        let most_visited = |turn: &SearchedTurn| turn.visits[0][0].0 == turn.steps[0];
        let games = |temperature| {
            let run = with(|options| {
                options.adjudicate = false;
                (options.sampled_turns, options.temperature) = (5, temperature);
            });
            (0..5).map(|number| play(&run, number)).collect::<Vec<_>>()
        };
        let hot = games(100.0);
        let first: Vec<_> = hot.iter().flat_map(|game| &game.turns[..5]).collect();
        let bold = first.iter().filter(|turn| !most_visited(turn)).count();
        assert!(bold * 3 > first.len(), "{bold} of {}", first.len());
        // A cold draw is the step with the most visits, or one of several.
        for turn in games(0.0).iter().flat_map(|game| &game.turns[..4]) {
            let played = turn.visits[0].iter().find(|(code, _)| *code == turn.steps[0]).unwrap();
            assert_eq!(played.1, turn.visits[0][0].1);
        }
    }

    #[test]
    fn noise_changes_where_a_search_looks() {
        let visits = |noise| {
            let run = with(|options| (options.noise, options.longest) = (noise, 1));
            play(&run, 0).turns[0].visits.clone()
        };
        assert_eq!(visits(0.0), visits(0.0));
        assert_ne!(visits(0.0), visits(2.0));
    }

    #[test]
    fn inner_positions_keep_to_their_bounds() {
        let inner = |visits, most| {
            let run = with(|options| (options.nodes, options.inner_visits, options.inner_most) = (300, visits, most));
            play(&run, 0).turns.into_iter().map(|turn| turn.inner).collect::<Vec<_>>()
        };
        assert!(inner(0, 16).iter().all(Vec::is_empty));
        assert!(inner(5, 0).iter().all(Vec::is_empty));
        let (many, few) = (inner(5, 255), inner(5, 3));
        assert!(many.iter().any(|found| found.len() > 3));
        for (many, few) in many.iter().zip(&few) {
            assert!(many.iter().all(|position| position.visits >= 5 && !position.path.is_empty()));
            assert!(many.windows(2).all(|pair| pair[0].visits >= pair[1].visits));
            // The bound keeps those with the most visits.
            assert_eq!(many[..many.len().min(3)], few[..]);
        }
    }

    #[test]
    fn games_end_by_the_rules_by_proof_or_at_the_limit() {
        let long = play(&with(|options| options.longest = 2), 0);
        assert_eq!((long.turns.len(), long.result, long.ending), (2, 1, Ending::TooLong));
        let proven = (0..9).map(|number| play(&quick("amazons6", 9), number)).any(|game| game.ending == Ending::Proven);
        let played_on = with(|options| options.adjudicate = false);
        let by_rules = (0..3).map(|number| play(&played_on, number)).all(|game| game.ending == Ending::Rules);
        assert!(proven && by_rules);
        // There are no turns left, so the margin is that of the result.
        let end = play(&played_on, 0);
        assert!(end.result != 1 && end.margin.is_some());
    }

    #[test]
    fn a_stopped_game_is_none() {
        let run = quick("damone", 9);
        let evaluator = DamoneEvaluator::new(&Rules::DAMONE, &run.weights);
        let mut player: Player<Damone, _> = Player::new(&run.options, run.start().unwrap(), evaluator).unwrap();
        let control = Control::default();
        control.stop();
        assert_eq!(player.play(&run, 0, &control), None);
        let game = player.play(&run, 0, &Control::default()).unwrap();
        assert!(game.margin.is_none() && !game.turns.is_empty());
    }

    #[test]
    fn scores_are_turned_to_white() {
        let estimate = Score::Estimate { score: 0.75, draw: 0.25 };
        assert_eq!([Side::White, Side::Black].map(|side| white(estimate, side)), [0.75, 0.25]);
        assert_eq!(white(Score::Draw, Side::Black), 0.5);
        assert_eq!(estimate.outcome(Side::White), None);
    }
}
