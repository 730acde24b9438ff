//! One game of the engine against itself.

use super::opening::opening;
use super::options::Options;
use super::run::Run;
use super::sampling;
use crate::play::{self, PlayError};
use crate::seeds;
use crate::training::record::{GameData, Inner, SearchedTurn, pack_score};
use crate::training::trainable::Trainable;
use hippolyta::engine::{Board, Control, Engine, Limits, Model, Score, Settings};
use hippolyta::eval::Value;
use hippolyta::games::{Game, Outcome, Side, Step, Steps, Turn, with_family};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};
use std::cmp::Reverse;
use std::ops::ControlFlow::{Break, Continue};

/// An engine that plays both sides. It has memory of its own, and plays one game after the other.
pub(super) struct Player<'a> {
    run: &'a Run,
    /// Where games begin.
    start: &'a Board,
    engine: Engine,
}

impl<'a> Player<'a> {
    /// A player of the run, with its model as a [`Simul`](hippolyta::engine::Simul) has it.
    pub fn new(run: &'a Run, model: &Model, start: &'a Board) -> Result<Self, PlayError> {
        let settings = Settings { hash: run.options.hash, ..Settings::default() };
        let mut engine = Engine::new(&run.variant, model, settings)?;
        let known = engine.set_constant("root_noise", run.options.noise);
        debug_assert!(known);
        Ok(Self { run, start, engine })
    }

    /// Plays the game with this number; `None` if `control` stopped it. The game depends on the run and on the number
    /// alone.
    pub async fn play(&mut self, number: u64, control: &Control) -> Result<Option<GameData>, PlayError> {
        with_family!(self.run.variant, P => self.play_of::<P>(number, control).await)
    }

    async fn play_of<P: Trainable>(&mut self, number: u64, control: &Control) -> Result<Option<GameData>, PlayError> {
        let Self { run, start, engine } = self;
        let options = &run.options;
        let mut seeds = SplitMix64::seed_from_u64(seeds::of(run.seed, number));
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seeds.random());
        play::begin(engine, seeds.random::<u64>() >> 1)?;
        let mut board = opening(start, options.opening_turns, &mut random);
        let opened = board.turns().len();
        let mut turns = Vec::new();
        let limits = Limits { nodes: Some(options.nodes), ..Limits::default() };
        let stopped = || control.stopped();
        let ended = play::game_that_waits(&mut board, options.longest, &stopped, async |board: &Board| {
            if options.adjudicate
                && let Some(outcome) = engine.certain(board)
            {
                return Ok(Break(outcome));
            }
            engine.clear();
            let found = engine.think(board, &limits, control).await?;
            let proven = found.search_score.outcome(found.side);
            if let Some(outcome) = proven.filter(|_| options.adjudicate) {
                return Ok(Break(outcome));
            }
            let Some(position) = board.game::<P>().map(Game::current) else { return Ok(Continue(None)) };
            let sampled = (turns.len() as u32) < options.sampled_turns && proven.is_none();
            let drawn = if sampled { draw(engine, position, options.temperature, &mut random) } else { None };
            let turn = drawn.or_else(|| found.best().cloned());
            let steps = turn.as_ref().and_then(|turn| position.steps_of(turn).ok());
            turns.extend(
                steps.map(|steps| searched(engine, codes(&steps), white(found.search_score, found.side), options)),
            );
            Ok(Continue(turn))
        })
        .await?;
        let (Some((outcome, ending)), Some(game)) = (ended, board.game::<P>()) else { return Ok(None) };
        let opening = game.turns()[..opened].iter().map(|turn| codes(turn)).collect();
        let (result, margin) = (outcome.half_points(Side::White), game.current().final_margin());
        Ok(Some(GameData { number, result, ending, margin, opening, turns }))
    }
}

fn codes<S: Step>(steps: &[S]) -> Vec<u16> {
    steps.iter().map(|step| step.code()).collect()
}

/// A turn drawn by visits, step by step, without steps that are proven to lose for the side to move; `None` if there is
/// none.
fn draw<P: Trainable>(engine: &Engine, start: &P, temperature: f32, random: &mut Xoshiro256PlusPlus) -> Option<Turn> {
    let (mut turn, mut codes, mut position) = (Steps::<P>::new(), Vec::new(), start.clone());
    let loses = Some(Outcome::Win(!start.side_to_move()));
    loop {
        let mut halves = engine.half_turns_after(&codes);
        halves.retain(|half| half.visits > 0 && half.proven != loses);
        let visits: Vec<u32> = halves.iter().map(|half| half.visits).collect();
        codes = halves.swap_remove(sampling::draw(&visits, temperature, random)?).codes;
        let step = P::Step::from_code(*codes.last()?);
        turn.push(step);
        position.play(step);
        if position.at_turn_start() {
            return start.turn(&turn);
        }
    }
}

/// The record of a search after which a turn of these steps was played.
fn searched(engine: &Engine, steps: Vec<u16>, white: f32, options: &Options) -> SearchedTurn {
    let visits = (0..steps.len()).map(|played| {
        let halves = engine.half_turns_after(&steps[..played]);
        let visited = halves.iter().filter(|half| half.visits > 0);
        let mut found: Vec<_> =
            visited.map(|half| (half.codes[played], half.visits.min(u16::MAX.into()) as u16)).collect();
        found.sort_by_key(|&(code, visits)| (Reverse(visits), code));
        found
    });
    SearchedTurn { score: pack_score(white), visits: visits.collect(), inner: inner(engine, options), steps }
}

/// The positions of the tree with the most visits, within the bounds of the options.
fn inner(engine: &Engine, options: &Options) -> Vec<Inner> {
    if options.inner_visits == 0 {
        return Vec::new();
    }
    let halves = engine.searched(options.inner_visits).into_iter();
    let score = |white: Option<f32>| pack_score(white.unwrap_or(0.5));
    let mut inner: Vec<_> =
        halves.map(|half| Inner { path: half.codes, score: score(half.white), visits: half.visits }).collect();
    inner.sort_by(|a, b| b.visits.cmp(&a.visits).then_with(|| a.path.cmp(&b.path)));
    inner.truncate(options.inner_most.min(255) as usize);
    inner
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
    use crate::play::Ending;
    use hippolyta::eval::now;

    /// Games with these numbers, played one after the other.
    fn games(run: &Run, numbers: &[u64]) -> Vec<GameData> {
        let start = run.start().unwrap();
        let mut player = Player::new(run, &run.model, &start).unwrap();
        numbers.iter().map(|&number| now(player.play(number, &Control::default())).unwrap().unwrap()).collect()
    }

    fn play(run: &Run, number: u64) -> GameData {
        games(run, &[number]).remove(0)
    }

    fn with(change: impl Fn(&mut Options)) -> Run {
        let mut run = quick("amazons6", 9);
        change(&mut run.options);
        run
    }

    #[test]
    fn a_game_depends_on_the_run_and_its_number_alone() {
        let run = quick("amazons6", 9);
        let games = games(&run, &[0, 1, 2, 2, 0, 1]);
        assert_eq!(games[3..], [2, 0, 1].map(|number| games[number].clone()));
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
        let start = run.start().unwrap();
        let mut player = Player::new(&run, &run.model, &start).unwrap();
        let control = Control::default();
        control.stop();
        assert_eq!(now(player.play(0, &control)), Ok(None));
        let game = now(player.play(0, &Control::default())).unwrap().unwrap();
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
