//! Files about the command line that a system asks for: completions and manual pages.

use super::{help, print_line};
use anyhow::{Context, Result};
use clap::Args;
use clap_complete::Shell;
use hippolyta::files::{make_folder, write_whole};
use std::path::PathBuf;

/// Print the completions of a shell
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  hippolyta completions bash > /etc/bash_completion.d/hippolyta\n  \
    hippolyta completions zsh > ~/.zfunc/_hippolyta\n  \
    hippolyta completions fish > ~/.config/fish/completions/hippolyta.fish")]
pub(super) struct Completions {
    /// Which shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Print the manual page, or write the pages of all commands
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  hippolyta man | man -l -\n  hippolyta man --out /usr/local/share/man/man1")]
pub(super) struct Manual {
    /// Write hippolyta.1, hippolyta-go.1 and so on into this folder, over those of another version
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

impl Completions {
    pub(super) fn run(&self) -> Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut help::command(), "hippolyta", &mut script);
        print(&script);
        Ok(())
    }
}

impl Manual {
    pub(super) fn run(&self) -> Result<()> {
        let mut command = help::command();
        command.build();
        let Some(folder) = &self.out else {
            print(&page(&command)?);
            return Ok(());
        };
        make_folder(folder).with_context(|| folder.display().to_string())?;
        for command in
            std::iter::once(&command).chain(command.get_subcommands().filter(|command| command.get_name() != "help"))
        {
            let name = command.get_display_name().unwrap_or(command.get_name());
            let path = folder.join(format!("{name}.1"));
            write_whole(&path, &page(command)?).with_context(|| path.display().to_string())?;
        }
        Ok(())
    }
}

/// The manual page of a command.
fn page(command: &clap::Command) -> Result<Vec<u8>> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    Ok(page)
}

/// To standard output, whole.
fn print(text: &[u8]) {
    print_line(String::from_utf8_lossy(text).trim_end());
}
