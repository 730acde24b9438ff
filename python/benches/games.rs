//! Games of random turns, as `python/benches/games.py` plays them: `games playouts|every_move N` prints the number of
//! turns.

use hippolyta::engine::Board;
use hippolyta::games::variant;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, what, games] = &arguments[..] else { return Err("usage: games playouts|every_move N".into()) };
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut turns = 0;
    for _ in 0..games.parse::<u32>()? {
        let mut board = Board::new(variant::DEFAULT);
        loop {
            let turn = if what == "every_move" {
                let legal = board.legal_turns().all();
                legal.get(random.random_range(0..legal.len().max(1))).cloned()
            } else {
                let legal = board.legal_turns();
                legal.get(random.random_range(0..legal.len().max(1)))
            };
            let Some(turn) = turn else { break };
            board.play_turn(&turn)?;
            turns += 1;
        }
    }
    println!("{turns}");
    Ok(())
}
