//! The fuzzers' harness over the kept corpora and over mutations of them, the same at every run. What the fuzzers
//! themselves find is kept in the corpora.

#[path = "../../fuzz/harness.rs"]
mod harness;

use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::fs;

/// What breaks readers: ends of ranges, separators, things that are nearly right.
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
    let folder = format!("{}/fuzz/corpus/{name}", env!("CARGO_MANIFEST_DIR"));
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
    run("weights", 1_000, harness::weights);
}

#[test]
fn games() {
    run("games", 300, harness::games);
}

#[test]
fn records() {
    run("record", 1_000, harness::record);
}
