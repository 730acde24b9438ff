//! The match of new weights against those before: pairs of games from balanced random openings, colours exchanged.
//! A game depends on the settings, both weights and its number alone.

use super::error::LearnError;
use super::files::gate_pairs;
use super::settings::Settings;
use crate::arena::openings::balanced;
use crate::arena::statistics::{Counts, Elo, Sprt, Verdict};
use crate::play::{self, PlayError};
use hippolyta::engine::{Board, Control, Engine, Model};
use hippolyta::eval::Weights;
use hippolyta::games::variant::Variant;
use hippolyta::games::{Outcome, Side, Turn};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::ControlFlow::{Break, Continue};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The purpose of the gate's seeds.
const PURPOSE: u64 = 1;

/// Two games from one opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Pair {
    /// The turns of the opening.
    pub opening: Vec<String>,
    /// Half points of the new weights: with White, with Black.
    pub half_points: [u64; 2],
    /// Turns of these games, without the opening.
    pub turns: [u32; 2],
}

/// A shard of the gate, as a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Shard {
    /// The number of its first pair.
    pub first: u64,
    pub pairs: Vec<Pair>,
}

/// The outcome of the games of a gate.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Decision {
    /// Pairs of games by the points of the new weights.
    pub counts: Counts<5>,
    /// Losses, draws and wins of the new weights.
    pub games: Counts<3>,
    /// The log-likelihood ratio of the test.
    pub ratio: f64,
    /// The decision of the test; `None` if the last pair came first.
    pub verdict: Option<Verdict>,
}

impl Decision {
    /// Whether the next generation plays with the new weights: if the test says so, or if there are no more games and
    /// they speak for the greater difference rather than the smaller.
    pub fn accepted(&self) -> bool {
        self.verdict.map_or(self.ratio > 0.0, |verdict| verdict == Verdict::H1)
    }

    /// The difference of the new weights to those before.
    pub fn elo(&self) -> Elo {
        self.counts.elo()
    }
}

/// Goes through pairs in the order of their numbers, up to the one that decides. `None` if none does and `most` have not
/// been played.
pub(super) fn decide<'a>(pairs: impl IntoIterator<Item = &'a Pair>, most: u64, sprt: &Sprt) -> Option<Decision> {
    let (mut counts, mut games) = (Counts([0; 5]), Counts([0; 3]));
    for pair in pairs {
        counts.0[pair.half_points.iter().sum::<u64>().min(4) as usize] += 1;
        pair.half_points.iter().for_each(|&points| games.0[points.min(2) as usize] += 1);
        let ratio = sprt.ratio(&counts);
        let verdict = sprt.verdict(ratio);
        if verdict.is_some() || counts.total() == most {
            return Some(Decision { counts, games, ratio, verdict });
        }
    }
    None
}

/// A gate to be played.
pub(super) struct Gate<'a> {
    pub settings: &'a Settings,
    pub variant: Variant,
    pub generation: u64,
    /// The new ones and those before.
    pub weights: [Arc<Weights>; 2],
}

/// The engines of a thread.
struct Engines {
    /// With the new weights, and with those before.
    players: [Engine; 2],
    /// With the built-in weights, for openings.
    book: Engine,
}

/// State that the threads share.
struct Shared<'a> {
    /// The shards that are not complete, with the pairs that are.
    begun: BTreeMap<u64, Vec<Option<Pair>>>,
    /// Takes a complete shard; true once no more games are needed.
    finish: &'a mut (dyn FnMut(u64, Shard) -> Result<bool, LearnError> + Send),
    failed: Option<LearnError>,
}

impl Gate<'_> {
    /// Plays shards in their order, pairs of games on several threads. `finish` takes each shard, and says whether the
    /// rest is not needed any more. Calls `report` after each pair.
    pub fn play(
        &self,
        shards: &[u64],
        threads: usize,
        control: &Control,
        report: &(dyn Fn() + Sync),
        finish: &mut (dyn FnMut(u64, Shard) -> Result<bool, LearnError> + Send),
    ) -> Result<(), LearnError> {
        let pairs: Vec<_> =
            shards.iter().flat_map(|&shard| gate_pairs(shard, self.settings).map(move |pair| (shard, pair))).collect();
        let next = AtomicUsize::new(0);
        let enough = AtomicBool::new(false);
        let shared = Mutex::new(Shared { begun: BTreeMap::new(), finish, failed: None });
        let lock = || shared.lock().unwrap_or_else(PoisonError::into_inner);
        let work = || -> Result<(), LearnError> {
            let mut engines = self.engines()?;
            let stop = || control.stopped() || enough.load(Ordering::Relaxed);
            while let Some(&(shard, number)) = pairs.get(next.fetch_add(1, Ordering::Relaxed)) {
                let Some(pair) = self.pair(&mut engines, number, control, &stop)? else { break };
                report();
                let mut shared = lock();
                let numbers = gate_pairs(shard, self.settings);
                let first = numbers.start;
                let played = shared.begun.entry(shard).or_insert_with(|| numbers.map(|_| None).collect());
                played[(number - first) as usize] = Some(pair);
                if played.iter().all(Option::is_some) {
                    let pairs = shared.begun.remove(&shard).unwrap_or_default().into_iter().flatten().collect();
                    if (shared.finish)(shard, Shard { first, pairs })? {
                        enough.store(true, Ordering::Relaxed);
                    }
                }
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            for _ in 0..threads.clamp(1, pairs.len().max(1)) {
                scope.spawn(|| {
                    if let Err(error) = work() {
                        enough.store(true, Ordering::Relaxed);
                        lock().failed.get_or_insert(error);
                    }
                });
            }
        });
        match shared.into_inner().unwrap_or_else(PoisonError::into_inner).failed {
            Some(error) => Err(error),
            None if control.stopped() => Err(LearnError::Interrupted),
            None => Ok(()),
        }
    }

    fn engines(&self) -> Result<Engines, PlayError> {
        let engine = |model: Model| play::engine(&self.variant, &model, 0);
        let [new, old] = self.weights.clone().map(Model::Learned);
        Ok(Engines { players: [engine(new)?, engine(old)?], book: engine(Model::default())? })
    }

    /// Plays a pair of games; `None` if it was stopped.
    fn pair(
        &self,
        engines: &mut Engines,
        number: u64,
        control: &Control,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Pair>, LearnError> {
        let settings = self.settings;
        let seed = settings.seed_of(self.generation, PURPOSE).wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let start = Board::from_fen(&self.variant, &settings.start_fen()?)?;
        let opening = balanced(&mut engines.book, &start, settings.gate_opening_turns, seed, stop)?;
        let Some(opening) = opening else { return Ok(None) };
        let (mut half_points, mut turns) = ([0; 2], [0; 2]);
        for (game, side) in [Side::White, Side::Black].into_iter().enumerate() {
            for engine in &mut engines.players {
                play::begin(engine, (seed ^ game as u64) >> 1)?;
            }
            let mut board = opening.clone();
            let Some(outcome) = self.game(&mut engines.players, &mut board, side, control, stop)? else {
                return Ok(None);
            };
            half_points[game] = outcome.half_points(side).into();
            turns[game] = (board.turns().len() - opening.turns().len()) as u32;
        }
        let opening = opening.turns().iter().map(Turn::to_string).collect();
        Ok(Some(Pair { opening, half_points, turns }))
    }

    /// Plays a game to its end, or until its result is proven. The new weights have `side`.
    fn game(
        &self,
        players: &mut [Engine; 2],
        board: &mut Board,
        side: Side,
        control: &Control,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Outcome>, PlayError> {
        let ended = play::game(board, self.settings.selfplay.longest, stop, &mut |board| {
            let mover = board.side_to_move();
            let engine = &mut players[usize::from(mover != side)];
            let found = play::search(engine, board, self.settings.gate_nodes, control)?;
            Ok(found.score.outcome(mover).map_or_else(|| Continue(found.best().cloned()), Break))
        })?;
        Ok(ended.map(|(outcome, _)| outcome))
    }
}

#[cfg(test)]
mod tests {
    use super::super::settings::tests::quick;
    use super::*;
    use hippolyta::games::variant::find;

    fn pairs(points: &[[u64; 2]]) -> Vec<Pair> {
        points.iter().map(|&half_points| Pair { opening: Vec::new(), half_points, turns: [9; 2] }).collect()
    }

    #[test]
    fn the_first_pair_that_decides_ends_the_gate_whatever_comes_after_it() {
        let sprt = quick().sprt;
        let won = pairs(&[[2, 2]; 100]);
        let decision = decide(&won, 100, &sprt).unwrap();
        assert!(decision.accepted() && decision.verdict == Some(Verdict::H1));
        let needed = decision.counts.total() as usize;
        assert!((20..90).contains(&needed), "{needed}");
        assert_eq!(decide(&won[..needed - 1], 100, &sprt), None);
        let lost_then = [&won[..needed], &pairs(&[[0, 0]; 100])].concat();
        assert_eq!(decide(&lost_then, 200, &sprt), Some(decision));
        let lost = decide(&pairs(&[[0, 0]; 100]), 100, &sprt).unwrap();
        assert!(!lost.accepted() && lost.verdict == Some(Verdict::H0));
    }

    #[test]
    fn at_the_last_pair_the_likelier_difference_wins() {
        let sprt = quick().sprt;
        let of = |points: &[[u64; 2]]| decide(&pairs(points), points.len() as u64, &sprt).unwrap();
        let good = of(&[[2, 2], [2, 0], [0, 2], [2, 2]]);
        assert_eq!((good.verdict, good.accepted()), (None, true));
        assert_eq!((good.counts.0, good.games.0), ([0, 0, 2, 0, 2], [2, 0, 6]));
        let even = of(&[[2, 0], [0, 2], [2, 2], [0, 0]]);
        assert_eq!((even.verdict, even.accepted()), (None, false));
        assert_eq!(decide(&pairs(&[[2, 2]; 3]), 4, &sprt), None);
    }

    #[test]
    fn a_pair_depends_on_its_number_and_the_weights_alone() {
        let settings = Settings { gate_nodes: 20, gate_games: 6, gate_shard_size: 2, ..quick() };
        let weights = [Weights::embedded(), Arc::new(Weights::bootstrap())];
        let gate = Gate { settings: &settings, variant: find("amazons6").unwrap(), generation: 1, weights };
        let play = |shards: &[u64], threads| {
            let mut found = BTreeMap::new();
            let mut finish = |shard, played| {
                found.insert(shard, played);
                Ok(false)
            };
            gate.play(shards, threads, &Control::default(), &|| (), &mut finish).unwrap();
            found
        };
        let all = play(&[0, 1, 2], 2);
        assert_eq!(play(&[0, 1, 2], 1), all);
        assert_eq!(play(&[1], 3)[&1], all[&1]);
        let openings: Vec<_> = all.values().flat_map(|shard| shard.pairs.iter().map(|pair| &pair.opening)).collect();
        assert!(openings.len() == 6 && openings[1..].iter().all(|opening| *opening != openings[0]), "{openings:?}");
        assert!(openings.iter().all(|opening| opening.len() == 4));
    }

    #[test]
    fn a_stopped_gate_keeps_no_half_shard() {
        let settings = Settings { gate_nodes: 20, gate_games: 6, gate_shard_size: 2, ..quick() };
        let weights = [Weights::embedded(), Weights::embedded()];
        let gate = Gate { settings: &settings, variant: find("amazons6").unwrap(), generation: 1, weights };
        let control = Control::default();
        let mut finished = Vec::new();
        let mut finish = |shard, _| {
            finished.push(shard);
            Ok(true)
        };
        gate.play(&[0, 1, 2], 1, &control, &|| (), &mut finish).unwrap();
        let stopped = gate.play(&[0, 1, 2], 2, &control, &|| control.stop(), &mut |_, _| Ok(false));
        assert_eq!(finished, [0], "the first shard was enough");
        assert!(matches!(stopped, Err(LearnError::Interrupted)), "{stopped:?}");
    }
}
