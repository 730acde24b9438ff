//! `hippolyta play`: a game on the terminal, or line by line through a pipe.
//!
//! | module | its one idea |
//! | --- | --- |
//! | `dialogue` | the loop: who is to move, and what each command does |
//! | `game` | the game, and the turn that has begun |
//! | `words` | lines as commands |
//! | `draw`, `status` | the board, and what stands beside it |
//! | `look` | what the terminal can show |
//! | `input` | lines that are typed |
//! | `watch` | Ctrl-C and SIGTERM |
//! | `level` | how strong the engine plays |
//! | `record` | games in files |
//! | `text` | help and rules |

mod dialogue;
mod draw;
mod game;
mod input;
mod level;
mod look;
mod record;
mod status;
mod text;
mod watch;
mod words;

use super::model::Files;
use super::{PositionArgs, SearchArgs};
use anyhow::Result;
use clap::Args;
use dialogue::Dialogue;
use level::Level;
use look::When;
use std::path::PathBuf;
use words::Seats;

pub(super) use status::{name, thousands, wrapped};

/// Play on the terminal, against the engine or each other
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hippolyta play --level 3
  hippolyta play --variant iago --side black --movetime 5000
  hippolyta play --side none --variant amazons6 --nodes 1000
  hippolyta play --load game.pgn

Type help for the commands. A board in the browser: hippolyta serve --open")]
pub(super) struct Play {
    #[command(flatten)]
    position: PositionArgs,
    /// Yours: white, black, both or none
    #[arg(long, default_value = "white")]
    side: Seats,
    /// How strong the engine plays: 1 to 9, or beginner, novice, casual, club, skilled, strong, expert, master, full
    #[arg(long, default_value = "full")]
    level: Level,
    /// Milliseconds for a turn of the engine, or a time such as 2s [default: 2000 without --nodes]
    #[arg(long, value_name = "TIME", value_parser = hippolyta_lab::times::milliseconds)]
    movetime: Option<u64>,
    /// Positions evaluated for a turn at most
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Begin with the game of a file: .pgn, .sgf or .jsonl
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "moves"])]
    load: Option<PathBuf>,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    model: Files,
    /// Draw with ASCII alone
    #[arg(long)]
    ascii: bool,
    /// Colours
    #[arg(long, value_enum, default_value_t = When::Auto)]
    color: When,
}

impl Play {
    pub(super) fn run(&self) -> Result<()> {
        Dialogue::new(self)?.run()
    }
}
