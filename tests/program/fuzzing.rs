//! The fuzzers' harness over the kept corpora and over mutations of them, the same at every run. Inputs that the
//! fuzzers themselves find are kept in the corpora.

#[path = "../../fuzz/harness.rs"]
mod harness;

use hippolyta::eval::Weights;
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::fs;

/// Texts that break readers: ends of ranges, separators, things that are nearly right.
const TOKENS: &[&[u8]] = &[
    b"-1",
    b"0",
    b"4294967296",
    b"18446744073709551616",
    b"1e999",
    b"\0",
    b"\xff",
    b"\n",
    b"\r\n",
    b"/",
    b" ",
    b"11",
    b"null",
    b"[]",
    b"{}",
    b"\"",
    b"\\",
    b"moves",
    b"stop",
    b"k11",
    b"a1a1,a1a1",
    "é♛".as_bytes(),
];

fn mutate(seed: &[u8], other: &[u8], random: &mut Xoshiro256PlusPlus) -> Vec<u8> {
    let mut data = seed.to_vec();
    for _ in 0..random.random_range(1..=4) {
        let place = random.random_range(0..=data.len());
        let end = (place + random.random_range(0..8)).min(data.len());
        match random.random_range(0..6) {
            0 if place < data.len() => data[place] ^= 1 << random.random_range(0..8),
            1 => drop(data.drain(place..end)),
            2 => drop(data.splice(place..end, TOKENS[random.random_range(0..TOKENS.len())].iter().copied())),
            3 => drop(data.splice(place..place, data[place..end].repeat(9))),
            4 => data.truncate(place),
            _ => {
                let from = random.random_range(0..=other.len());
                let bytes = other[from..(from + 40).min(other.len())].to_vec();
                data.splice(place..end, bytes);
            }
        }
    }
    data
}

/// Every file of a corpus, and `mutations` of each.
fn run(name: &str, mutations: u32, target: fn(&[u8])) {
    let folder = format!("{}/fuzz/corpus/{name}", root!());
    let mut paths: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let seeds: Vec<_> = paths.iter().map(|path| fs::read(path).unwrap()).collect();
    assert!(seeds.len() >= 3, "{folder}");
    let mut random = Xoshiro256PlusPlus::seed_from_u64(u64::from_le_bytes(*b"hippolyt"));
    for seed in &seeds {
        target(seed);
        for _ in 0..mutations {
            let other = &seeds[(random.next_u64() % seeds.len() as u64) as usize];
            target(&mutate(seed, other, &mut random));
        }
    }
}

#[test]
fn fens() {
    run("fen", 300, harness::fen);
}

#[test]
fn turns() {
    run("turn", 60, harness::turn);
}

#[test]
fn sessions() {
    run("session", 30, harness::session);
}

#[test]
fn gtp_sessions() {
    run("gtp", 30, harness::gtp);
}

#[test]
fn json_lines() {
    run("analysis", 30, harness::analysis);
}

#[test]
fn weights_files() {
    run("weights", 60, harness::weights);
}

/// The greatest weight that a table may have, by the ending of its name and the number of the weight. Those of
/// ownership are fractions.
fn greatest(name: &str, number: usize, size: usize) -> i32 {
    match name.rsplit_once('.').map_or("", |(_, part)| part) {
        "" => 1_000_000,
        "hidden" if number >= size - 16 => 30_000,
        "hidden" if number >= size - 34 * 16 => 1 << 19,
        "hidden" => 32_767,
        "draws" | "calibration" => 1 << 20,
        "policy" => 1 << 26,
        "shapes" if number >= size - 32 => 15_000,
        "shapes" if number >= size - 34 * 32 => 1 << 28,
        "shapes" if number >= size - (34 + 65) * 32 => 8_191,
        "policy-shapes" if number >= size - 3 * 33 * 16 => 30_000,
        "shapes" | "policy-shapes" => 900,
        _ => i32::MAX,
    }
}

#[test]
fn the_greatest_weights_do_not_overflow_and_greater_ones_are_refused() {
    let mut tables = Weights::embedded().tables();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(25);
    for sign in [1, -1, 0] {
        for (name, table) in &mut tables.tables {
            let size = table.len();
            for (number, weight) in table.iter_mut().enumerate() {
                let sign = if sign == 0 { [1, -1][random.random_range(0..2)] } else { sign };
                // Thresholds are not negative.
                let sign = if name.ends_with(".draws") { 1 } else { sign };
                *weight = sign * greatest(name, number, size);
            }
        }
        harness::evaluate_with(&Weights::from_bytes(&tables.to_bytes()).unwrap());
    }
    for (place, (name, table)) in tables.tables.iter().enumerate() {
        // To write and read all weights takes longer than all else here.
        let number = [0, table.len() - 1, table.len().saturating_sub(20 * 16)][place % 3];
        let most = greatest(name, number, table.len());
        if most == i32::MAX {
            continue;
        }
        let mut greater = tables.clone();
        greater.tables[place].1[number] = most + 1;
        let message = Weights::from_bytes(&greater.to_bytes()).unwrap_err().to_string();
        let says =
            format!("table '{name}' has a weight of {}, its number {}: weights go from −{most}", most + 1, number + 1);
        assert!(message.starts_with(&says), "{message}");
    }
}

#[test]
fn games() {
    run("games", 300, harness::games);
}

#[test]
fn rule_sets_in_queries_and_records() {
    run("own_rules", 12, harness::own_rules);
}

#[test]
fn records() {
    run("record", 1_000, harness::record);
}

#[test]
fn rule_files() {
    run("rules", 60, harness::rules);
}
