//! One client's lines: a WebSocket whose messages are the lines of `hippolyta analyse`, a query or an answer each.

use super::until;
use crate::protocol::Output;
use crate::protocol::analysis::{LONGEST_LINE, Service};
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use std::io::{self, BufRead, ErrorKind, Read, Write};
use std::sync::{Arc, mpsc};
use std::time::Duration;
use tokio::sync::watch::Receiver;
use tokio::sync::{Semaphore, mpsc as messages};

/// What all sockets share.
pub(super) struct Sockets {
    service: Service,
    free: Arc<Semaphore>,
    stopped: Receiver<bool>,
}

/// Messages that may wait to be obeyed or to be sent. A client that sends more without reading is kept waiting.
const MOST_WAITING: usize = 64;
/// How often a client is asked whether it is still there, and how long it may be silent.
const PING: Duration = Duration::from_secs(20);
const LONGEST_SILENCE: Duration = Duration::from_secs(60);
/// How long a client may take to answer that the connection ends.
const FAREWELL: Duration = Duration::from_secs(1);

impl Sockets {
    pub fn new(service: Service, most: usize, stopped: Receiver<bool>) -> Self {
        Self { service, free: Arc::new(Semaphore::new(most)), stopped }
    }

    /// Waits until none of the `most` sockets is open, or for two seconds.
    pub async fn closed(&self, most: u16) {
        let _ = tokio::time::timeout(2 * FAREWELL, self.free.acquire_many(most.into())).await;
    }
}

/// Takes on a client, unless there are too many.
pub(super) async fn accept(State(sockets): State<Arc<Sockets>>, upgrade: WebSocketUpgrade) -> Response {
    let Ok(place) = sockets.free.clone().try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many sessions\n").into_response();
    };
    // Longer ones end the connection before they fill our memory; what lies between gets its error as a line.
    upgrade.max_message_size(2 * LONGEST_LINE).max_frame_size(2 * LONGEST_LINE).on_upgrade(|socket| async move {
        serve(socket, sockets).await;
        drop(place);
    })
}

async fn serve(mut socket: WebSocket, sockets: Arc<Sockets>) {
    let (lines, input) = mpsc::sync_channel(MOST_WAITING);
    let (output, mut answers) = messages::channel(MOST_WAITING);
    let stopped = sockets.stopped.clone();
    // Reads, computes and writes in the manner of a pipe, so on threads that may block.
    let session = tokio::task::spawn_blocking(move || {
        let output = Output::new(Answers { line: Vec::new(), output });
        sockets.service.serve(Lines { input, line: Vec::new(), read: 0 }, &output)
    });
    let mut lines = Some(lines);
    let mut waiting = None;
    let mut ping = tokio::time::interval_at(tokio::time::Instant::now() + PING, PING);
    let mut heard = tokio::time::Instant::now();
    loop {
        // A full queue is tried again soon, and no more is read meanwhile: the client's writing stalls.
        if let (Some(line), Some(queue)) = (waiting.take(), &lines) {
            match queue.try_send(line) {
                Err(mpsc::TrySendError::Full(line)) => waiting = Some(line),
                Err(mpsc::TrySendError::Disconnected(_)) => break,
                Ok(()) => {}
            }
        }
        tokio::select! {
            message = socket.recv(), if waiting.is_none() => {
                heard = tokio::time::Instant::now();
                match message {
                    Some(Ok(Message::Text(text))) => waiting = Some(text.as_str().to_owned()),
                    Some(Ok(Message::Binary(_))) => {
                        close(&mut socket, close_code::UNSUPPORTED, "messages are text").await;
                        break;
                    }
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    Some(Ok(Message::Close(_)) | Err(_)) | None => break,
                }
            }
            () = tokio::time::sleep(Duration::from_millis(5)), if waiting.is_some() => {}
            answer = answers.recv() => {
                let Some(answer) = answer else { break };
                if socket.send(Message::Text(String::into(answer))).await.is_err() {
                    break;
                }
            }
            _ = ping.tick() => {
                if heard.elapsed() > LONGEST_SILENCE || socket.send(Message::Ping(Default::default())).await.is_err() {
                    break;
                }
            }
            () = until(stopped.clone()) => {
                close(&mut socket, close_code::AWAY, "the server ends").await;
                break;
            }
        }
    }
    // The session sees both as the loss of its client, and stops what it searches.
    drop((lines.take(), answers));
    let _ = session.await;
}

/// Says why, and reads what the client still sends until it has heard: a connection that is dropped with something
/// unread in it is reset, and then the client may never hear.
async fn close(socket: &mut WebSocket, code: u16, reason: &'static str) {
    if socket.send(Message::Close(Some(CloseFrame { code, reason: reason.into() }))).await.is_ok() {
        let _ = tokio::time::timeout(FAREWELL, async { while let Some(Ok(_)) = socket.recv().await {} }).await;
    }
}

/// A client's messages as lines.
struct Lines {
    input: mpsc::Receiver<String>,
    line: Vec<u8>,
    read: usize,
}

impl BufRead for Lines {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.read == self.line.len() {
            // An error, not the end: what was asked for is of no use to anybody any more.
            self.line = self.input.recv().map_err(|_| ErrorKind::ConnectionAborted)?.into_bytes();
            // A message is one line.
            self.line.iter_mut().filter(|byte| **byte == b'\n').for_each(|byte| *byte = b' ');
            self.line.push(b'\n');
            self.read = 0;
        }
        self.line.get(self.read..).ok_or_else(|| ErrorKind::InvalidData.into())
    }

    fn consume(&mut self, count: usize) {
        self.read += count;
    }
}

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

/// Lines as messages to a client.
struct Answers {
    line: Vec<u8>,
    output: messages::Sender<String>,
}

impl Write for Answers {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let text = String::from_utf8(std::mem::take(&mut self.line)).map_err(|_| ErrorKind::InvalidData)?;
        self.output.blocking_send(text.trim_end().to_owned()).map_err(|_| ErrorKind::BrokenPipe.into())
    }
}
