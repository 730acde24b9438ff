//! Who plays whom, in which order.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// Pairs of games that may follow a drawn match-up of a knockout, one pair after the other.
pub(super) const MOST_EXTRA: u64 = 4;

/// Which pairings there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody against everybody.
    RoundRobin,
    /// The first against all others.
    Gauntlet,
    /// In each round everybody against somebody with a like score that it has not met.
    Swiss,
    /// Whoever loses a match-up is out; the first engine is the favourite, and so on.
    Knockout,
}

impl Format {
    /// Whether pairings depend on results.
    pub fn depends_on_results(self) -> bool {
        matches!(self, Self::Swiss | Self::Knockout)
    }

    /// The number of rounds, if nothing is said. A Swiss tournament needs so many that one engine can have won all its
    /// games, and two more; but no more than there are engines to meet.
    pub fn rounds(self, engines: usize) -> u64 {
        let halvings = u64::from(engines.next_power_of_two().trailing_zeros());
        match self {
            Self::RoundRobin | Self::Gauntlet => 1,
            Self::Swiss => (halvings + 2).min((engines - 1 + engines % 2) as u64).max(1),
            Self::Knockout => halvings,
        }
    }
}

/// The games of a tournament, numbered from 0; the meaning of a number does not depend on `rounds`, so rounds can be
/// added later. Who plays a game of a Swiss tournament or a knockout follows from the results before it: see
/// [`Fixtures`](super::Fixtures).
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    /// Number of engines.
    pub engines: usize,
    /// Which pairings there are.
    pub format: Format,
    /// Number of rounds, each with all pairings.
    pub rounds: u64,
    /// Games of each pairing in a round.
    pub games: u64,
    /// Whether each opening is played twice, with colours swapped.
    pub repeat: bool,
    /// Draws lots where colours of a Swiss tournament or a knockout are equal.
    pub seed: u64,
}

/// One game of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fixture {
    /// Its number.
    pub game: u64,
    /// The engines, White first.
    pub players: [usize; 2],
    /// The number of its opening.
    pub opening: u64,
}

impl Schedule {
    /// All pairings that there can be, the lower number first.
    pub fn pairings(&self) -> Vec<[usize; 2]> {
        let first = if self.format == Format::Gauntlet { 1 } else { self.engines };
        (0..first).flat_map(|a| (a + 1..self.engines).map(move |b| [a, b])).collect()
    }

    /// Number of games; of a knockout the least, without further games for a tie.
    pub fn len(&self) -> u64 {
        match self.format {
            Format::Swiss => return self.rounds * self.games * (self.engines / 2) as u64,
            Format::Knockout => return self.games * (self.engines as u64 - 1),
            Format::RoundRobin | Format::Gauntlet => {}
        }
        self.rounds * self.games * self.pairings().len() as u64
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of different openings needed.
    pub fn openings(&self) -> u64 {
        let extra = if self.format == Format::Knockout { 2 * self.rounds * MOST_EXTRA } else { 0 };
        let of_pairing = self.rounds * self.games + extra;
        if self.repeat { of_pairing.div_ceil(2) } else { of_pairing }
    }

    /// The game with this number, where it does not depend on results. Colours alternate within a pairing.
    pub fn fixture(&self, game: u64) -> Fixture {
        let pairings = self.pairings();
        let of_round = self.games * pairings.len() as u64;
        let (round, rest) = (game / of_round, game % of_round);
        let [a, b] = pairings[(rest / self.games) as usize];
        let of_pairing = round * self.games + rest % self.games;
        let players = if of_pairing.is_multiple_of(2) { [a, b] } else { [b, a] };
        Fixture { game, players, opening: if self.repeat { of_pairing / 2 } else { of_pairing } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn every_opening_is_played_by_every_pairing_with_both_colours() {
        let schedule = Schedule { engines: 4, format: Format::RoundRobin, rounds: 3, games: 2, repeat: true, seed: 0 };
        assert_eq!((schedule.len(), schedule.openings()), (36, 3));
        let mut seen: HashMap<([usize; 2], u64), u32> = HashMap::new();
        for game in 0..schedule.len() {
            let fixture = schedule.fixture(game);
            *seen.entry((fixture.players, fixture.opening)).or_default() += 1;
        }
        assert_eq!(seen.len(), 36);
        assert!((0..3).all(|opening| seen.contains_key(&([0, 3], opening)) && seen.contains_key(&([3, 0], opening))));
    }

    #[test]
    fn rounds_are_as_many_as_engines_call_for() {
        let swiss = |engines| Format::Swiss.rounds(engines);
        assert_eq!([2, 3, 4, 8, 9, 64].map(swiss), [1, 3, 3, 5, 6, 8]);
        assert_eq!([2, 3, 4, 5, 8].map(|engines| Format::Knockout.rounds(engines)), [1, 2, 2, 3, 3]);
    }

    #[test]
    fn more_rounds_do_not_change_the_first_ones() {
        let few = Schedule { engines: 3, format: Format::Gauntlet, rounds: 2, games: 4, repeat: true, seed: 0 };
        let many = Schedule { rounds: 9, ..few };
        assert_eq!(few.pairings(), [[0, 1], [0, 2]]);
        assert!((0..few.len()).all(|game| few.fixture(game) == many.fixture(game)));
    }
}
