//! A run: which games it has, and how its files name it.

use super::error::RunError;
use super::options::Options;
use crate::training::fingerprint::fingerprint;
use crate::training::record::Header;
use hippolyta::engine::{Board, Model};
use hippolyta::games::variant::Variant;

/// A run, or a shard of one.
pub struct Run {
    /// Rule set.
    pub variant: Variant,
    /// The FEN that games begin at; `None` is the rule set's start position.
    pub start: Option<String>,
    /// Number of games of the whole run.
    pub games: u64,
    /// Seed of the whole run. Each game has its own, from this one and its number.
    pub seed: u64,
    /// The shard, as remainder and divisor: it has the games whose number leaves this remainder. `[0, 1]` is all.
    pub shard: [u64; 2],
    /// The other options.
    pub options: Options,
    /// The evaluation to play with.
    pub model: Model,
    /// The number of games at once, divided among the threads of the rayon pool; `None` for one on each. Those of a
    /// thread fill the batches of evaluators that take many positions in one call
    /// ([`Evaluator::batch`](hippolyta::eval::Evaluator::batch)).
    pub at_once: Option<usize>,
}

impl Run {
    /// The header of the run's files; `evaluation` is the identity of its evaluator.
    pub(super) fn header(&self, evaluation: &[u8]) -> Header {
        let options = serde_json::to_value(&self.options).unwrap_or_default();
        Header {
            engine: concat!("hippolyta ", env!("CARGO_PKG_VERSION")).to_owned(),
            evaluation: fingerprint(evaluation),
            config: fingerprint(format!("{} {} {options}", self.variant.text(), self.seed).as_bytes()),
            variant: self.variant.text(),
            start: self.start.clone(),
            games: self.games,
            seed: self.seed,
            options,
            shard: self.shard,
        }
    }

    /// Where games begin.
    pub(super) fn start(&self) -> Result<Board, RunError> {
        let unfit = |what: &dyn std::fmt::Display| RunError::Unfit(format!("start position: {what}"));
        let start = Board::from_fen(&self.variant, self.start.as_deref().unwrap_or(self.variant.start()));
        let start = start.map_err(|error| unfit(&error))?;
        if start.outcome().is_some() { Err(unfit(&"the game is over there")) } else { Ok(start) }
    }

    /// The numbers of the shard's games.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u64> + use<> {
        let [remainder, divisor] = self.shard;
        (remainder..self.games).step_by(usize::try_from(divisor).unwrap_or(usize::MAX))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use hippolyta::games::variant;

    /// A run of quick games.
    pub(in crate::training::selfplay) fn quick(name: &str, games: u64) -> Run {
        let options = Options { nodes: 40, hash: 1, opening_turns: 3, sampled_turns: 4, ..Options::default() };
        let (variant, model) = (variant::find(name).unwrap(), Model::default());
        Run { variant, start: None, games, seed: 7, shard: [0, 1], options, model, at_once: None }
    }

    #[test]
    fn each_game_belongs_to_one_shard_and_headers_know_which() {
        for (games, shards) in [(0, 1), (1, 3), (13, 1), (13, 3), (13, 20)] {
            let mut found = Vec::new();
            for remainder in 0..shards {
                let run = Run { shard: [remainder, shards], ..quick("amazons6", games) };
                let header = run.header(b"");
                let numbers: Vec<u64> = run.numbers().collect();
                assert!((0..games + 5).all(|number| header.has(number) == numbers.contains(&number)));
                found.extend(numbers);
            }
            found.sort_unstable();
            assert_eq!(found, (0..games).collect::<Vec<_>>());
        }
    }

    #[test]
    fn whatever_games_depend_on_is_in_the_header() {
        let header = quick("amazons6", 9).header(b"weights");
        let difference = |run: Run, evaluation: &[u8]| header.difference(&run.header(evaluation));
        let is = |field: &str| Some(field.to_owned());
        assert_eq!(difference(quick("amazons6", 9), b"weights"), None);
        assert_eq!(difference(quick("amazons6", 9), b"others"), is("evaluation"));
        assert_eq!(difference(quick("amazons", 9), b"weights"), is("variant"));
        let start = Some("q3/4/4/3Q w - - 0 1".to_owned());
        assert_eq!(difference(Run { start, ..quick("amazons6", 9) }, b"weights"), is("start position"));
        assert_eq!(difference(Run { seed: 8, ..quick("amazons6", 9) }, b"weights"), is("seed"));
        assert_eq!(difference(quick("amazons6", 8), b"weights"), is("number of games"));
        assert_eq!(difference(Run { shard: [1, 2], ..quick("amazons6", 9) }, b"weights"), None);
        let with = |change: fn(&mut Options)| {
            let mut run = quick("amazons6", 9);
            change(&mut run.options);
            difference(run, b"weights")
        };
        let changes: [fn(&mut Options); 10] = [
            |options| options.nodes += 1,
            |options| options.hash += 1,
            |options| options.opening_turns += 1,
            |options| options.sampled_turns += 1,
            |options| options.temperature += 0.1,
            |options| options.noise += 0.1,
            |options| options.adjudicate = false,
            |options| options.inner_visits += 1,
            |options| options.inner_most += 1,
            |options| options.longest += 1,
        ];
        let found: Vec<_> = changes.into_iter().map(|change| with(change).unwrap()).collect();
        let expected = [
            "--nodes 40 → 41",
            "--hash 1 → 2",
            "--opening-turns 3 → 4",
            "--sampled-turns 4 → 5",
            "--temperature 1.0 → 1.1",
            "--noise 0.5 → 0.6",
            "--play-on false → true",
            "--inner-visits 0 → 1",
            "--inner-most 16 → 17",
            "--longest 400 → 401",
        ];
        assert_eq!(found, expected);
    }
}
