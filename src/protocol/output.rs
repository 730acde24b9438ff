use std::io::{ErrorKind, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Where lines go. Clones share the writer; a line is never torn.
#[derive(Clone)]
pub struct Output(Arc<Mutex<Box<dyn Write + Send>>>);

/// Longest message that is shown of what went wrong.
const LONGEST_MESSAGE: usize = 400;

impl Output {
    /// Lines go to `writer`.
    pub fn new(writer: impl Write + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(Box::new(writer))))
    }

    /// Writes `text` and a line feed, at once. If nobody reads any more, the process ends quietly; if there is no room for it, with
    /// a word on standard error and exit code 1.
    pub fn line(&self, text: &str) {
        let mut writer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let written = writer.write_all(format!("{text}\n").as_bytes()).and_then(|()| writer.flush());
        match written {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
            Err(error) => {
                eprintln!("hippolyta: standard output: {error}");
                std::process::exit(1);
            }
        }
    }

    /// `info string` with a message.
    pub fn remark(&self, message: &str) {
        self.line(&format!("info string {}", printable(message)));
    }

    /// `info string ERROR:` with what is wrong and where.
    pub fn error(&self, message: &str) {
        self.remark(&format!("ERROR: {message}"));
    }
}

/// One line of bounded length without control characters: messages quote what the client sent.
fn printable(message: &str) -> String {
    short(message).chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

/// The beginning of a text that may be long.
pub(super) fn short(text: &str) -> String {
    let mut short: String = text.chars().take(LONGEST_MESSAGE).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
