//! The rules alone, no search: random games of every rule set, and how they end.
//!
//! ```text
//! cargo run --release --example rules
//! ```

use hippolyta::games::variant::{VARIANTS, Variant};
use hippolyta::games::{Game, GameTask, Notation, Outcome, Side, legal_turns, perft};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Games of each rule set.
const GAMES: u64 = 20;

/// The results of the games: wins of White and of Black, draws, and turns altogether.
#[derive(Debug, Default, PartialEq)]
pub struct Tally {
    pub wins: [u32; 2],
    pub draws: u32,
    pub turns: usize,
}

/// Random games. The rules are generic over the type of positions; `Variant::run` finds it.
struct Play;

impl GameTask for Play {
    type Output = Result<(u64, Tally), Box<dyn std::error::Error>>;

    fn run<P: Notation>(self, variant: &Variant) -> Self::Output {
        let start = P::from_fen(variant, variant.start())?;
        let mut tally = Tally::default();
        for seed in 0..GAMES {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut game = Game::new(start.clone());
            let outcome = loop {
                if let Some(outcome) = game.current().outcome() {
                    break outcome;
                }
                let turns = legal_turns(game.current());
                game.play(turns[random.random_range(0..turns.len())].clone());
            };
            match outcome {
                Outcome::Win(Side::White) => tally.wins[0] += 1,
                Outcome::Win(Side::Black) => tally.wins[1] += 1,
                Outcome::Draw => tally.draws += 1,
            }
            tally.turns += game.turns().len();
        }
        Ok((perft(&start, 1).nodes, tally))
    }
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("{:<24}{:>12}{:>7}{:>7}{:>7}{:>12}", "", "first turns", "White", "Black", "draws", "turns each");
    for variant in VARIANTS {
        let (first, tally) = variant.run(Play)?;
        let Tally { wins: [white, black], draws, turns } = tally;
        assert_eq!(u64::from(white + black + draws), GAMES);
        let each = turns as f64 / GAMES as f64;
        println!("{:<24}{first:>12}{white:>7}{black:>7}{draws:>7}{each:>12.1}", variant.name());
    }
    Ok(())
}
