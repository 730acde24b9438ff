use hippolyta::words::one_line;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// Where lines go. Clones share the writer; a line is never torn.
#[derive(Clone)]
pub struct Output(Arc<Shared>);

struct Shared {
    writer: Mutex<Box<dyn Write + Send>>,
    lost: AtomicBool,
    /// Whether a query was refused, and whether one was answered.
    refused: AtomicBool,
    answered: AtomicBool,
    on_loss: Box<dyn Fn(&io::Error) + Send + Sync>,
}

impl Output {
    /// Lines go to `writer`. Once writing has failed, nothing more is written, and everything that serves this output
    /// stops.
    pub fn new(writer: impl Write + Send + 'static) -> Self {
        Self::or_else(writer, |_| ())
    }

    /// As [`new`](Self::new). When writing fails, the thread that wrote calls `on_loss` with the error, once.
    pub fn or_else(writer: impl Write + Send + 'static, on_loss: impl Fn(&io::Error) + Send + Sync + 'static) -> Self {
        let (writer, on_loss) = (Mutex::new(Box::new(writer) as _), Box::new(on_loss));
        let [lost, refused, answered] = [false; 3].map(AtomicBool::new);
        Self(Arc::new(Shared { writer, lost, refused, answered, on_loss }))
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

    /// Remembers that a query was answered, or refused.
    pub(super) fn tell(&self, refused: bool) {
        let known = if refused { &self.0.refused } else { &self.0.answered };
        known.store(true, Relaxed);
    }

    /// Whether every query so far was refused, if there was one.
    pub fn only_refuses(&self) -> bool {
        self.0.refused.load(Relaxed) && !self.0.answered.load(Relaxed)
    }

    /// Whether writing has failed: nobody reads any more, or the disk is full.
    pub fn is_lost(&self) -> bool {
        self.0.lost.load(Relaxed)
    }

    /// A function for whoever learns that nobody reads any more: nothing more is written then, and everything that
    /// serves this output stops. It does not keep the writer alive.
    pub fn closer(&self) -> impl Fn() + Send + use<> {
        let shared = Arc::downgrade(&self.0);
        move || shared.upgrade().into_iter().for_each(|shared| shared.lost.store(true, Relaxed))
    }

    /// `info string` with a message.
    pub fn remark(&self, message: &str) {
        self.line(&format!("info string {}", one_line(message)));
    }

    /// `info string ERROR:` with what is wrong and where.
    pub fn error(&self, message: &str) {
        self.remark(&format!("ERROR: {message}"));
    }
}

/// Keeps what is written, for a test to look at.
#[cfg(test)]
#[derive(Clone, Default)]
pub(super) struct Buffer(Arc<Mutex<Vec<u8>>>);

#[cfg(test)]
impl Buffer {
    /// All lines so far.
    pub fn lines(&self) -> Vec<String> {
        String::from_utf8_lossy(&self.0.lock().unwrap()).lines().map(str::to_owned).collect()
    }

    /// The lines since it was last emptied; empties it.
    pub fn take(&self) -> Vec<String> {
        let bytes = std::mem::take(&mut *self.0.lock().unwrap());
        String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect()
    }
}

#[cfg(test)]
impl Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::ErrorKind;
    use std::sync::atomic::AtomicUsize;

    /// Takes N lines; then nobody reads any more.
    struct Pipe(usize);

    impl Write for Pipe {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(1).ok_or(ErrorKind::BrokenPipe)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_loss_is_told_once_and_nothing_more_is_written() {
        let losses = Arc::new(AtomicUsize::new(0));
        let output = Output::or_else(Pipe(2), {
            let losses = losses.clone();
            move |error| {
                assert_eq!(error.kind(), ErrorKind::BrokenPipe);
                losses.fetch_add(1, Relaxed);
            }
        });
        for line in 0..5 {
            assert_eq!((output.is_lost(), losses.load(Relaxed)), (line > 2, usize::from(line > 2)));
            output.line("a line");
        }
    }

    #[test]
    fn whoever_serves_a_lost_output_stops() {
        /// Lines without end.
        struct Lines(&'static [u8]);

        impl io::Read for Lines {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                io::Read::read(&mut self.0, buffer)
            }
        }

        impl io::BufRead for Lines {
            fn fill_buf(&mut self) -> io::Result<&[u8]> {
                if self.0.is_empty() {
                    self.0 = b"isready\n{\"id\":\"a\",\"action\":\"version\"}\ngo infinite\n";
                }
                Ok(self.0)
            }

            fn consume(&mut self, count: usize) {
                self.0 = &self.0[count..];
            }
        }
        for lines in [0, 1, 7] {
            let output = || Output::new(Pipe(lines));
            crate::serve(Lines(b""), output(), hippolyta::engine::Model::default()).unwrap();
            crate::analysis::serve(Lines(b""), &output(), &Default::default()).unwrap();
        }
    }
}
