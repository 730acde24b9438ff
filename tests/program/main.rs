//! The program as its users see it: child processes, files, documents and examples.

#[path = "../common/mod.rs"]
mod common;

mod analysis;
mod arena;
mod book;
mod commands;
mod convert;
mod doc_examples;
mod document;
mod documents;
mod examples;
mod fastchess;
mod fuzzing;
mod gtp;
mod hardening;
mod learn;
mod openings;
mod pages;
mod play;
#[cfg(feature = "serve")]
mod serve;
mod training;
mod uci;
mod ugi;
