//! The search: on games whose values are known, its proofs against brute force, and with many threads.

#[path = "../common/mod.rs"]
mod common;

mod exact;
mod golden;
mod proofs;
mod ratings;
mod threads;
