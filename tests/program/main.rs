//! The program as its users see it: child processes, files, documents and examples.
// Some tests are for Unix alone, and so is what only they use.
#![cfg_attr(not(unix), allow(dead_code, unused_imports))]

/// The folder of the repository.
macro_rules! root {
    () => {
        concat!(env!("CARGO_MANIFEST_DIR"), "/../..")
    };
}

#[path = "../common/mod.rs"]
mod common;

mod analysis;
mod arena;
mod assess;
mod blunders;
mod book;
mod child;
mod commands;
mod convert;
mod design;
mod dialogue;
mod dialogues;
mod doc_examples;
mod document;
mod documents;
mod examples;
mod fastchess;
mod fuzzing;
mod games;
mod gtp;
mod hand_out;
mod hardening;
#[cfg(feature = "serve")]
mod hostile;
#[cfg(target_os = "linux")]
mod interrupts;
mod layers;
mod learn;
mod models;
mod openings;
mod own_games;
mod pages;
mod play;
mod problems;
mod proofs;
#[cfg(feature = "serve")]
mod proxies;
mod ratings;
mod resume;
mod schema;
#[cfg(feature = "serve")]
mod serve;
mod solve;
mod tables;
mod training;
mod uci;
mod ugi;
mod words;
