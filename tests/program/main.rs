//! The program as its users see it: child processes, files, documents and examples.
// Some tests are for Unix alone, and so is what only they use.
#![cfg_attr(not(unix), allow(dead_code, unused_imports))]

#[path = "../common/mod.rs"]
mod common;

mod analysis;
mod arena;
mod book;
mod commands;
mod convert;
mod dialogues;
mod doc_examples;
mod document;
mod documents;
mod examples;
mod fastchess;
mod fuzzing;
mod games;
mod gtp;
mod hardening;
mod learn;
mod openings;
mod pages;
mod play;
mod problems;
#[cfg(feature = "serve")]
mod proxies;
#[cfg(feature = "serve")]
mod resume;
mod serve;
mod solve;
mod training;
mod uci;
mod ugi;
