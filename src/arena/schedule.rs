//! Who plays whom, in which order.

/// Which pairings there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Everybody against everybody.
    RoundRobin,
    /// The first against all others.
    Gauntlet,
}

impl Format {
    /// Its name on the command line and in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::RoundRobin => "round-robin",
            Self::Gauntlet => "gauntlet",
        }
    }
}

/// The games of a tournament, numbered from 0; the meaning of a number does not depend on `rounds`, so rounds can be
/// added later.
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
}

/// One game of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its number.
    pub game: u64,
    /// The engines, White first.
    pub players: [usize; 2],
    /// The number of its opening.
    pub opening: u64,
}

impl Schedule {
    /// All pairings, the lower number first.
    #[must_use]
    pub fn pairings(&self) -> Vec<[usize; 2]> {
        let first = if self.format == Format::Gauntlet { 1 } else { self.engines };
        (0..first).flat_map(|a| (a + 1..self.engines).map(move |b| [a, b])).collect()
    }

    /// Number of games.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.rounds * self.games * self.pairings().len() as u64
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of different openings needed.
    #[must_use]
    pub fn openings(&self) -> u64 {
        let of_pairing = self.rounds * self.games;
        if self.repeat { of_pairing.div_ceil(2) } else { of_pairing }
    }

    /// The game with this number. Colours alternate within a pairing.
    #[must_use]
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
        let schedule = Schedule { engines: 4, format: Format::RoundRobin, rounds: 3, games: 2, repeat: true };
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
    fn more_rounds_do_not_change_the_first_ones() {
        let few = Schedule { engines: 3, format: Format::Gauntlet, rounds: 2, games: 4, repeat: true };
        let many = Schedule { rounds: 9, ..few };
        assert_eq!(few.pairings(), [[0, 1], [0, 2]]);
        assert!((0..few.len()).all(|game| few.fixture(game) == many.fixture(game)));
    }
}
