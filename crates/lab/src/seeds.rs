//! Seeds of numbered things, such as the games of a run: each depends on the seed of the run and its number alone.

/// An odd number without a pattern: 2^64 divided by the golden ratio.
const SALT: u64 = 0x9e37_79b9_7f4a_7c15;

/// The seed of a game or a pair of games.
pub fn of(seed: u64, number: u64) -> u64 {
    seed ^ number.wrapping_mul(SALT)
}

/// The seed of an opening or a problem: neighbouring numbers differ in a few bits.
pub fn beside(seed: u64, number: u64) -> u64 {
    seed.wrapping_mul(SALT) ^ number
}
