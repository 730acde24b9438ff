//! Rules and exact endgames against brute force and against cases from elsewhere; the order of the source's layers.

#[path = "../common/mod.rs"]
mod common;

mod amazons;
mod damone;
mod desdemona;
mod endgame_amazons;
mod endgame_damone;
mod laws;
mod layers;
mod vectors;
