//! Rules and exact endgames against brute force and against cases from elsewhere.

/// The folder of the repository.
macro_rules! root {
    () => {
        env!("CARGO_MANIFEST_DIR")
    };
}

#[path = "../common/mod.rs"]
mod common;

mod amazons;
mod damone;
mod desdemona;
mod endgame_amazons;
mod endgame_damone;
mod laws;
mod vectors;
