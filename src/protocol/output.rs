use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// Where lines go. Clones share the writer; a line is never torn.
#[derive(Clone)]
pub struct Output(Arc<Shared>);

struct Shared {
    writer: Mutex<Box<dyn Write + Send>>,
    lost: AtomicBool,
    on_loss: Box<dyn Fn(&io::Error) + Send + Sync>,
}

/// Longest message that is shown of what went wrong.
const LONGEST_MESSAGE: usize = 400;

impl Output {
    /// Lines go to `writer`. Once writing has failed, nothing more is written, and whoever serves this output stops.
    pub fn new(writer: impl Write + Send + 'static) -> Self {
        Self::or_else(writer, |_| ())
    }

    /// The same; `on_loss` is called with the error, once, by the thread that wrote.
    pub fn or_else(writer: impl Write + Send + 'static, on_loss: impl Fn(&io::Error) + Send + Sync + 'static) -> Self {
        let (writer, on_loss) = (Mutex::new(Box::new(writer) as _), Box::new(on_loss));
        Self(Arc::new(Shared { writer, lost: AtomicBool::new(false), on_loss }))
    }

    /// Writes `text` and a line feed, at once. Blocks while the reader is slow.
    pub fn line(&self, text: &str) {
        if self.is_lost() {
            return;
        }
        let mut writer = self.0.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let written = writer.write_all(format!("{text}\n").as_bytes()).and_then(|()| writer.flush());
        drop(writer);
        if let Err(error) = written
            && !self.0.lost.swap(true, Relaxed)
        {
            (self.0.on_loss)(&error);
        }
    }

    /// Whether writing has failed: nobody reads any more, or there is no room.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.0.lost.load(Relaxed)
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
