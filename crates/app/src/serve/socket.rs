//! One client's lines: a WebSocket whose messages are the lines of `hippolyta analyse`, a query or an answer each.

use super::complaints::Complaints;
use super::connections::Place;
use super::until;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{Extension, State};
use axum::http::header::{CONNECTION, HeaderMap, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_VERSION, UPGRADE};
use axum::http::{StatusCode, Version};
use axum::response::{IntoResponse, Response};
use hippolyta_protocol::Output;
use hippolyta_protocol::analysis::{LONGEST_LINE, Service};
use std::borrow::Cow;
use std::io::{self, BufRead, ErrorKind, Read, Write};
use std::sync::{Arc, mpsc};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::watch::Receiver;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc as messages, oneshot};
use tokio::time::timeout;

/// State that all sockets share.
pub(super) struct Sockets {
    service: Service,
    free: Arc<Semaphore>,
    most: u16,
    stopped: Receiver<bool>,
    complaints: Arc<Complaints>,
}

/// Messages that may wait to be obeyed, or to be sent, and their bytes together: one message as long as a line of
/// `analyse`, or several shorter ones. A client that sends more without reading is kept waiting.
///
/// A client takes most while a file of 16 MiB with one game is read and the same waits twice: its line, its fields, its
/// bytes, its text, the record, the answer, the fields of the next line and the next message. If it does not read, what
/// waits to be sent comes on top: some 350 MiB, and all `--sessions` clients as many times that. One that sends no
/// files takes next to nothing.
const MOST_WAITING: usize = 64;
const MOST_BYTES: usize = LONGEST_LINE;
/// How often a client is asked whether it is still there, and how long it may be silent, or not read.
const PING: Duration = Duration::from_secs(20);
const LONGEST_SILENCE: Duration = Duration::from_secs(60);
/// How long a client may take to answer that the connection ends.
const FAREWELL: Duration = Duration::from_secs(1);

/// The reason for closing a socket: a code, and a sentence for people, which the page shows.
type Ending = (u16, Cow<'static, str>);

impl Sockets {
    pub fn new(service: Service, most: u16, stopped: Receiver<bool>, complaints: Arc<Complaints>) -> Self {
        Self { service, free: Arc::new(Semaphore::new(most.into())), most, stopped, complaints }
    }

    /// Waits until no socket is open, or for two seconds.
    pub async fn closed(&self) {
        let _ = timeout(2 * FAREWELL, self.free.acquire_many(self.most.into())).await;
    }
}

/// Takes on a client, unless there are too many: then its socket is closed with the reason. An answer of another kind
/// would not tell a page anything.
pub(super) async fn accept(
    State(sockets): State<Arc<Sockets>>,
    Extension(place): Extension<Place>,
    version: Version,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let upgrade = match upgrade {
        Ok(upgrade) if version != Version::HTTP_10 => upgrade,
        _ => return no_upgrade(&sockets, &headers),
    };
    let Ok(seat) = sockets.free.clone().try_acquire_owned() else {
        let sessions = if sockets.most == 1 { "1 session is".into() } else { format!("{} sessions are", sockets.most) };
        sockets.complaints.say(&format!("refused: {sessions} open, and --sessions allows no more"));
        let ending = (close_code::AGAIN, format!("The server is full: {sessions} open.").into());
        return upgrade.on_upgrade(|mut socket| async move {
            close(&mut socket, ending).await;
            // As long as it lasts, it is one of the connections that there may be.
            drop(place);
        });
    };
    // Longer ones end the connection before they fill our memory.
    upgrade.max_message_size(LONGEST_LINE).max_frame_size(LONGEST_LINE).on_upgrade(|socket| async move {
        serve(socket, sockets).await;
        drop(seat);
    })
}

/// The answer to what is no WebSocket, or is none any more after a proxy.
fn no_upgrade(sockets: &Sockets, headers: &HeaderMap) -> Response {
    const MESSAGE: &str = "This address is for WebSockets. A proxy in front of this server has to pass on the headers \
                           Upgrade and Connection, by HTTP/1.1.";
    if headers.contains_key(SEC_WEBSOCKET_KEY) {
        sockets.complaints.say(
            "refused: a WebSocket without its upgrade; the proxy in front has to pass on the headers Upgrade and \
             Connection, by HTTP/1.1 (docs/proxies.md has the lines)",
        );
    }
    let headers = [(UPGRADE, "websocket"), (CONNECTION, "upgrade"), (SEC_WEBSOCKET_VERSION, "13")];
    (StatusCode::UPGRADE_REQUIRED, headers, format!("{MESSAGE}\n")).into_response()
}

/// A message, and the room that it takes as long as it waits.
type Queued = (String, OwnedSemaphorePermit);

/// Room for the messages of one direction.
fn room() -> Arc<Semaphore> {
    Arc::new(Semaphore::new(MOST_BYTES))
}

/// The part of this room that a message takes.
fn bytes(message: &str) -> u32 {
    message.len().clamp(MOST_BYTES / MOST_WAITING, MOST_BYTES) as u32
}

async fn serve(mut socket: WebSocket, sockets: Arc<Sockets>) {
    let (lines, input) = mpsc::channel();
    let (output, answers) = messages::unbounded_channel();
    let (stopped, complaints) = (sockets.stopped.clone(), sockets.complaints.clone());
    let (end, ended) = oneshot::channel();
    // Reads, computes and writes in the manner of a pipe, so on a thread of its own, which may block.
    let runtime = Handle::current();
    let output = Output::new(Answers { line: Vec::new(), output, room: room(), runtime });
    let closer = output.closer();
    let session = move || {
        let _ = end.send(sockets.service.serve(Lines { input, line: Vec::new(), read: 0, room: None }, &output));
    };
    let ending = match std::thread::Builder::new().name("session".to_owned()).spawn(session) {
        Ok(_) => converse(&mut socket, lines, answers, stopped).await,
        Err(error) => {
            complaints.say(&format!("refused: no thread for a session: {error}"));
            Some((close_code::AGAIN, "The server is full: it has no thread left.".into()))
        }
    };
    // It may not be reading now, as too much waits.
    closer();
    if let Some(ending) = ending {
        close(&mut socket, ending).await;
    } else {
        finish(&mut socket).await;
    }
    let _ = ended.await;
}

/// Passes messages on until one side ends. What to close the socket with, unless the client has closed it.
async fn converse(
    socket: &mut WebSocket,
    lines: mpsc::Sender<Queued>,
    mut answers: messages::UnboundedReceiver<Queued>,
    stopped: Receiver<bool>,
) -> Option<Ending> {
    const LOST: Ending = (close_code::AGAIN, Cow::Borrowed("The server has no room to compute."));
    const SILENT: Ending = (close_code::POLICY, Cow::Borrowed("Nothing was heard from this page for a minute."));
    let room = room();
    let mut waiting: Option<String> = None;
    let mut ping = tokio::time::interval_at(tokio::time::Instant::now() + PING, PING);
    let mut heard = tokio::time::Instant::now();
    loop {
        let (message, _place) = tokio::select! {
            // Until there is room, no more is read: the client's writing stalls.
            place = room.clone().acquire_many_owned(waiting.as_deref().map_or(0, bytes)), if waiting.is_some() => {
                let (Some(line), Ok(place)) = (waiting.take(), place) else { return Some(LOST) };
                if lines.send((line, place)).is_err() {
                    return Some(LOST);
                }
                heard = tokio::time::Instant::now();
                continue;
            }
            message = socket.recv(), if waiting.is_none() => {
                heard = tokio::time::Instant::now();
                match message {
                    Some(Ok(Message::Text(text))) => {
                        waiting = Some(text.as_str().to_owned());
                        continue;
                    }
                    Some(Ok(Message::Binary(_))) => {
                        return Some((close_code::UNSUPPORTED, "Messages are text.".into()));
                    }
                    // It is sent before more is read: those to a client that does not read would fill our memory.
                    Some(Ok(Message::Ping(data))) => (Message::Pong(data), None),
                    Some(Ok(Message::Pong(_))) => continue,
                    Some(Err(error)) => return broken(error),
                    Some(Ok(Message::Close(_))) | None => return None,
                }
            }
            answer = answers.recv() => match answer {
                Some((answer, place)) => (Message::Text(answer.into()), Some(place)),
                None => return Some(LOST),
            },
            _ = ping.tick() => {
                if waiting.is_none() && heard.elapsed() > LONGEST_SILENCE {
                    return Some(SILENT);
                }
                (Message::Ping(Default::default()), None)
            }
            () = until(stopped.clone()) => return Some((close_code::AWAY, "The server is ending.".into())),
        };
        if !matches!(timeout(LONGEST_SILENCE, socket.send(message)).await, Ok(Ok(()))) {
            return None;
        }
    }
}

/// The reason for closing the socket of a client whose message cannot be read; nothing if it is gone.
fn broken(error: axum::Error) -> Option<Ending> {
    use tungstenite::error::{Error, ProtocolError};
    match error.into_inner().downcast_ref() {
        Some(Error::Capacity(_)) => Some((close_code::SIZE, format!("A query may have {LONGEST_LINE} bytes.").into())),
        Some(Error::Utf8(_)) => Some((close_code::INVALID, "Messages are UTF-8.".into())),
        Some(Error::Protocol(ProtocolError::ResetWithoutClosingHandshake)) => None,
        Some(Error::Protocol(_)) => Some((close_code::PROTOCOL, "This is not the protocol of WebSockets.".into())),
        _ => None,
    }
}

/// Says why, and reads what the client still sends until it has heard: a connection that is dropped with something
/// unread in it is reset, and then the client may never hear.
async fn close(socket: &mut WebSocket, (code, reason): Ending) {
    let frame = CloseFrame { code, reason: String::from(reason).into() };
    if let Ok(Ok(())) = timeout(FAREWELL, socket.send(Message::Close(Some(frame)))).await
        && !finish(socket).await
    {
        // Its messages cannot be read any more: it has this long to hear.
        tokio::time::sleep(FAREWELL).await;
    }
}

/// Waits for the client's word that it has heard, or answers its own. Whether there was anything more to read.
async fn finish(socket: &mut WebSocket) -> bool {
    let mut heard = false;
    let _ = timeout(FAREWELL, async {
        while let Some(Ok(_)) = socket.recv().await {
            heard = true;
        }
    })
    .await;
    heard
}

/// A client's messages as lines.
struct Lines {
    input: mpsc::Receiver<Queued>,
    line: Vec<u8>,
    read: usize,
    /// That of the line, until the next one is asked for: only then it is obeyed.
    room: Option<OwnedSemaphorePermit>,
}

impl BufRead for Lines {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.read == self.line.len() {
            self.room = None;
            // An error, not the end: what was asked for is of no use to anybody any more.
            let (line, room) = self.input.recv().map_err(|_| ErrorKind::ConnectionAborted)?;
            (self.line, self.room) = (line.into_bytes(), Some(room));
            // A message is one line.
            self.line.iter_mut().filter(|byte| **byte == b'\n').for_each(|byte| *byte = b' ');
            self.line.push(b'\n');
            self.read = 0;
        }
        self.line.get(self.read..).ok_or_else(|| ErrorKind::InvalidData.into())
    }

    fn consume(&mut self, count: usize) {
        self.read += count;
        if self.read == self.line.len() {
            (self.line, self.read) = (Vec::new(), 0);
        }
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
    output: messages::UnboundedSender<Queued>,
    room: Arc<Semaphore>,
    runtime: Handle,
}

impl Write for Answers {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut text = String::from_utf8(std::mem::take(&mut self.line)).map_err(|_| ErrorKind::InvalidData)?;
        text.truncate(text.trim_end().len());
        let room = self.room.clone().acquire_many_owned(bytes(&text));
        let room = self.runtime.block_on(room).map_err(|_| ErrorKind::BrokenPipe)?;
        self.output.send((text, room)).map_err(|_| ErrorKind::BrokenPipe.into())
    }
}
