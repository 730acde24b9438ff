//! The search: on games whose values are known and with many threads.

/// The folder of the repository.
macro_rules! root {
    () => {
        env!("CARGO_MANIFEST_DIR")
    };
}

#[path = "../common/mod.rs"]
mod common;

mod exact;
mod golden;
mod threads;
