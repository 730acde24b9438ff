//! Files about the command line that a system asks for: completions and manual pages.

use super::{help, print_line};
use anyhow::{Context, Result};
use clap::Args;
use clap_complete::Shell;
use hippolyta::files::{make_folder, write_whole};
use std::path::{Path, PathBuf};

/// Print the completions of a shell
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  hippolyta completions bash > /etc/bash_completion.d/hippolyta\n  \
    mkdir -p ~/.zfunc && hippolyta completions zsh > ~/.zfunc/_hippolyta\n  \
    hippolyta completions fish > ~/.config/fish/completions/hippolyta.fish")]
pub(super) struct Completions {
    /// Which shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Print the manual page, or write the pages of all commands
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  hippolyta man | man -l -\n  hippolyta man --out ~/.local/share/man/man1")]
pub(super) struct Manual {
    /// Write hippolyta.1, hippolyta-go.1 and so on into this folder, over those of another version
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

impl Completions {
    pub(super) fn run(&self) -> Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut help::command(), "hippolyta", &mut script);
        print_line(String::from_utf8(script)?.trim_end());
        Ok(())
    }
}

impl Manual {
    pub(super) fn run(&self) -> Result<()> {
        // A page for each word that explains another would be one too many.
        let plain = |command: clap::Command| command.disable_help_subcommand(true);
        let mut command = plain(help::command().mut_subcommands(plain));
        command.build();
        let Some(folder) = &self.out else {
            print_line(page(&command)?.trim_end());
            return Ok(());
        };
        make_folder(folder).with_context(|| folder.display().to_string())?;
        write_pages(&command, folder)
    }
}

/// Writes the manual page of a command, and those of the commands below it, which it refers to.
fn write_pages(command: &clap::Command, folder: &Path) -> Result<()> {
    let name = command.get_display_name().unwrap_or(command.get_name());
    let path = folder.join(format!("{name}.1"));
    write_whole(&path, page(command)?.as_bytes()).with_context(|| path.display().to_string())?;
    command.get_subcommands().try_for_each(|command| write_pages(command, folder))
}

/// The manual page of a command.
fn page(command: &clap::Command) -> Result<String> {
    let mut page = Vec::new();
    let program = concat!("hippolyta ", env!("CARGO_PKG_VERSION"));
    clap_mangen::Man::new(command.clone()).source(program).manual("Hippolyta").render(&mut page)?;
    // What stands behind the options: examples and notes.
    Ok(String::from_utf8(page)?.replace("\n.SH EXTRA\n", "\n.SH NOTES\n"))
}
