//! Lines that are typed: edited and remembered on a terminal, plain elsewhere.

use super::look::{Look, When};
use anyhow::{Context, Result};
use hippolyta_protocol::{Read, read_line};
use rustyline::error::ReadlineError;
use rustyline::{Config, DefaultEditor};
use std::collections::VecDeque;
use std::io::{IsTerminal, Write, stderr, stdin, stdout};

/// A longer line is refused, in bytes.
const LONGEST_LINE: usize = 1 << 16;

/// Where lines come from.
pub(super) struct Input {
    /// On a terminal.
    editor: Option<DefaultEditor>,
    /// Lines that were pasted with the one before them.
    pasted: VecDeque<String>,
    line: Vec<u8>,
    /// Whether a person types, though the answers go elsewhere.
    prompts: bool,
}

/// A line, or another event of the input.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Typed {
    Line(String),
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-D, or the end of the file.
    End,
    TooLong,
}

impl Input {
    pub fn new() -> Result<Self> {
        let prompts = stdin().is_terminal();
        // Pasted text comes as if it were typed, so each of its lines is obeyed at once.
        let config = Config::builder().bracketed_paste(false).build();
        let editor = (prompts && stdout().is_terminal()).then(|| DefaultEditor::with_config(config)).transpose();
        let editor = editor.context("the terminal")?;
        Ok(Self { editor, pasted: VecDeque::new(), line: Vec::new(), prompts })
    }

    /// Whether a person plays on a terminal.
    pub fn is_interactive(&self) -> bool {
        self.editor.is_some()
    }

    /// Signs, colours and size that the terminal can show now.
    pub fn look(&mut self, when: When, ascii: bool) -> Look {
        let size = self.editor.as_mut().and_then(DefaultEditor::dimensions);
        let known = |(columns, rows)| (usize::from(columns), usize::from(rows));
        let size = size.map(known).filter(|&(columns, rows)| columns > 0 && rows > 0).unwrap_or((80, 24));
        Look::of_process(self.is_interactive(), when, ascii, size)
    }

    /// The next line, without its end. Blocks.
    pub fn next(&mut self, prompt: &str) -> Result<Typed> {
        if let Some(editor) = &mut self.editor {
            if let Some(line) = self.pasted.pop_front() {
                let _ = writeln!(stdout(), "{prompt}{line}");
                return Ok(Typed::Line(line));
            }
            return match editor.readline(prompt) {
                Ok(text) => {
                    // A terminal that marks what is pasted, although it was not asked to, makes one line of it.
                    self.pasted = text.lines().map(str::to_owned).collect();
                    for line in self.pasted.iter().filter(|line| !line.trim().is_empty()) {
                        editor.add_history_entry(line)?;
                    }
                    Ok(Typed::Line(self.pasted.pop_front().unwrap_or_default()))
                }
                Err(ReadlineError::Interrupted) => Ok(Typed::Interrupt),
                Err(ReadlineError::Eof) => Ok(Typed::End),
                #[cfg(unix)]
                Err(ReadlineError::Signal(rustyline::error::Signal::Interrupt)) => Ok(Typed::Interrupt),
                // The size of the terminal has changed.
                Err(ReadlineError::Signal(_)) => Ok(Typed::Line("board".to_owned())),
                Err(error) => Err(error).context("standard input"),
            };
        }
        if self.prompts {
            let _ = stderr().write_all(prompt.as_bytes());
        }
        Ok(match read_line(&mut stdin().lock(), &mut self.line, LONGEST_LINE).context("standard input")? {
            Read::End => Typed::End,
            Read::TooLong => Typed::TooLong,
            Read::Line | Read::Utf16 => Typed::Line(String::from_utf8_lossy(&self.line).into_owned()),
        })
    }
}
