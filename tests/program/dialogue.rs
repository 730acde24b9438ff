//! Dialogues of lines in random order. All protocols draw them here, so what one of them loses is looked for in all.

use super::child::Engine;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::Duration;

/// `count` scripts of `length` lines each.
pub fn scripts<'a>(seed: u64, count: usize, length: usize, lines: &'a [&'a str]) -> Vec<Vec<&'a str>> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut script = || (0..length).map(|_| lines[random.random_range(0..lines.len())]).collect();
    (0..count).map(|_| script()).collect()
}

/// Sends lines as a client does: some at once, some when what was sent before may have begun, or ended.
pub fn send_at_any_pace(engine: &mut Engine, seed: u64, lines: impl IntoIterator<Item = impl AsRef<str>>) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    for line in lines {
        engine.send(line.as_ref());
        if random.random_range(0..3) == 0 {
            std::thread::sleep(Duration::from_micros(random.random_range(0..4_000)));
        }
    }
}
