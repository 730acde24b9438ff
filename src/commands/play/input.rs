//! Lines that are typed: edited and remembered on a terminal, plain elsewhere.

use super::look::{Look, When};
use crate::protocol::{Read, read_line};
use anyhow::{Context, Result};
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;
use std::io::{IsTerminal, Write, stderr, stdin, stdout};

/// A longer line is refused, in bytes.
const LONGEST_LINE: usize = 1 << 16;

/// Where lines come from.
pub(super) struct Input {
    /// On a terminal.
    editor: Option<DefaultEditor>,
    line: Vec<u8>,
    /// Whether a person types, though the answers go elsewhere.
    prompts: bool,
}

/// What came.
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
        let editor = (prompts && stdout().is_terminal()).then(DefaultEditor::new).transpose();
        Ok(Self { editor: editor.context("the terminal")?, line: Vec::new(), prompts })
    }

    /// Whether a person plays on a terminal.
    pub fn is_interactive(&self) -> bool {
        self.editor.is_some()
    }

    /// What the terminal can show now.
    pub fn look(&mut self, when: When, ascii: bool) -> Look {
        let size = self.editor.as_mut().and_then(DefaultEditor::dimensions);
        let known = |(columns, rows)| (usize::from(columns), usize::from(rows));
        let size = size.map(known).filter(|&(columns, rows)| columns > 0 && rows > 0).unwrap_or((80, 24));
        Look::of_process(self.is_interactive(), when, ascii, size)
    }

    /// The next line, without its end. Blocks.
    pub fn next(&mut self, prompt: &str) -> Result<Typed> {
        if let Some(editor) = &mut self.editor {
            return match editor.readline(prompt) {
                Ok(line) => {
                    if !line.trim().is_empty() {
                        editor.add_history_entry(&line)?;
                    }
                    Ok(Typed::Line(line))
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
