//! Tips about a word that the command line does not know.

use super::{Cli, help};
use clap::FromArgMatches;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use hippolyta::words::one_line;
use std::ffi::OsString;
use std::io::IsTerminal;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};

/// Words of people and other programs for things that a command does here under another name.
const FOREIGN: [(&[&str], &str); 12] = [
    (
        &["tournament", "tourney", "cutechess", "cutechess-cli", "c-chess-cli", "sprt", "gauntlet", "arena", "engines"],
        "hippolyta match: matches and tournaments of engines",
    ),
    (
        &["export", "import", "pgn", "sgf", "pgn-extract", "extract"],
        "hippolyta convert: records from one format into another",
    ),
    (&["search", "eval", "evaluate", "bestmove", "think", "solve-position"], "hippolyta go: searches one position"),
    (&["analyze", "analysis", "json"], "hippolyta analyse: many positions, and hippolyta review: one game"),
    (&["annotate", "blunders", "mistakes"], "hippolyta review: how well a game was played"),
    (&["puzzle", "puzzles", "tactics"], "hippolyta problems: positions in which one turn wins"),
    (&["server", "web", "gui", "ui", "browser", "http"], "hippolyta serve: the page in the browser"),
    (
        &["train", "training", "tune", "tuning", "reinforce"],
        "hippolyta learn: self-play, fit and a match, again and again",
    ),
    (&["uci", "ugi", "engine"], "hippolyta without a command speaks UCI and UGI"),
    (&["moves", "movegen", "legal-moves"], "hippolyta legal: the legal turns of a position"),
    (&["prove", "proof", "weak-solve"], "hippolyta solve: who wins a small board"),
    (&["tablebase", "tablebases", "egtb", "bitbase"], "hippolyta tables: endgame tables of Damone"),
];

/// The command line, or the end of the process with a message that helps further.
pub(super) fn parse(arguments: Vec<OsString>) -> Cli {
    let found = help::command().try_get_matches_from(arguments).and_then(|found| Cli::from_arg_matches(&found));
    found.unwrap_or_else(|error| {
        let error = with_tip(printable(error));
        let Some((said, better)) = better_words(&error) else {
            // Help that cannot be written is lost like any other output.
            if let Err(lost) = error.print()
                && !error.use_stderr()
            {
                super::lost_output(&lost);
            }
            std::process::exit(error.exit_code());
        };
        let text = error.render();
        let text = if std::io::stderr().is_terminal() { text.ansi().to_string() } else { text.to_string() };
        eprint!("{}", text.replace(&said, better));
        std::process::exit(error.exit_code());
    })
}

/// The same error without anything that a terminal would obey in the words that it quotes.
fn printable(mut error: clap::Error) -> clap::Error {
    let quoted: Vec<_> = error.context().filter_map(|(kind, value)| Some((kind, printable_words(value)?))).collect();
    for (kind, value) in quoted {
        error.insert(kind, value);
    }
    error
}

fn printable_words(value: &ContextValue) -> Option<ContextValue> {
    match value {
        ContextValue::String(text) => Some(ContextValue::String(one_line(text))),
        ContextValue::Strings(texts) => Some(ContextValue::Strings(texts.iter().map(|text| one_line(text)).collect())),
        _ => None,
    }
}

/// Adds a tip to an error about an unknown command: the name that the command has here.
fn with_tip(mut error: clap::Error) -> clap::Error {
    if error.kind() == ErrorKind::InvalidSubcommand
        && let Some(ContextValue::String(said)) = error.get(ContextKind::InvalidSubcommand)
        && let Some((_, tip)) = FOREIGN.iter().find(|(words, _)| words.contains(&said.to_lowercase().as_str()))
    {
        error.remove(ContextKind::SuggestedSubcommand);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(*tip)]));
    }
    error
}

/// The standard library's message about a number, and one that helps a person.
fn better_words(error: &clap::Error) -> Option<(String, &'static str)> {
    let source = std::error::Error::source(error)?;
    let better = match source.downcast_ref::<ParseIntError>().map(ParseIntError::kind) {
        Some(IntErrorKind::PosOverflow | IntErrorKind::NegOverflow) => "the number is too large",
        Some(_) => "a whole number is expected, such as 100",
        None if source.is::<ParseFloatError>() => "a number is expected, such as 0.5",
        None => return None,
    };
    Some((source.to_string(), better))
}
