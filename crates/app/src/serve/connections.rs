//! Connections: how many there may be, and for how long. Nobody shuts others out by asking slowly, or not at all.

use super::complaints::Complaints;
use super::until;
use anyhow::{Result, ensure};
use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io::ErrorKind;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch::Receiver;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{sleep, timeout};

/// Connections at a time, beside those of sessions.
const MOST: usize = 256;
/// Open files for everything else: standard input and output, what waits for sockets, files that are read.
const RESERVE: usize = 32;
/// How long a request may take to come, and a connection may wait for the next one.
const PATIENCE: Duration = Duration::from_secs(10);
/// After this time a connection answers what was asked, and ends.
const LONGEST: Duration = Duration::from_secs(300);
const FAREWELL: Duration = Duration::from_secs(10);
/// Where there is no room for another connection, the one that is idle for longest ends. These are spared: one that
/// has come just now, and one that may still be answered.
const SPARED: Duration = Duration::from_millis(200);
const SPARED_AFTER_REQUEST: Duration = Duration::from_secs(5);
/// Bytes of the head of a request: ours has some hundred.
const LONGEST_HEAD: usize = 32 << 10;

/// A connection's share of what there may be; a handler that goes on after its answer keeps it.
pub(super) type Place = Arc<OwnedSemaphorePermit>;

/// How many sessions and other connections there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Room {
    pub sessions: u16,
    pub connections: usize,
}

impl Room {
    /// Room for this number of sessions, or for as many as the system grants this process open files.
    pub fn make(sessions: u16) -> Result<Self> {
        let wanted = RESERVE + MOST + usize::from(sessions);
        let room = Self::within(sessions, open_files(wanted));
        ensure!(room.sessions > 0, "too few open files are allowed here (ulimit -n): {wanted} are wanted");
        if room.sessions < sessions {
            crate::complain(&format!(
                "--sessions {sessions}: {} are served at a time, as few open files are allowed here; \
                 `ulimit -n {wanted}` allows all of them",
                room.sessions
            ));
        }
        Ok(room)
    }

    fn within(sessions: u16, files: usize) -> Self {
        let room = files.saturating_sub(RESERVE);
        let sessions = usize::from(sessions).min(room.saturating_sub(MOST).max(room / 2));
        Self { sessions: sessions as u16, connections: MOST.min(room - sessions) }
    }
}

/// How many files this process may open, `wanted` of them if the system lets it.
#[cfg(unix)]
fn open_files(wanted: usize) -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let enough = wanted as u64;
    if current.is_some_and(|current| current < enough) {
        let current = Some(maximum.map_or(enough, |maximum| maximum.min(enough)));
        // Where it is refused, fewer have to do.
        let _ = setrlimit(Resource::Nofile, Rlimit { current, maximum });
    }
    getrlimit(Resource::Nofile).current.map_or(wanted, |current| current.min(enough) as usize)
}

#[cfg(not(unix))]
fn open_files(wanted: usize) -> usize {
    wanted
}

/// Until when a connection is spared, in milliseconds since the first one.
struct Spared(AtomicU64);

fn now() -> u64 {
    static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGIN.elapsed().as_millis() as u64
}

impl Spared {
    fn set(&self, time: Duration) {
        self.0.store(now() + time.as_millis() as u64, Ordering::Relaxed);
    }

    fn until(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

struct Connections {
    places: Arc<Semaphore>,
    most: usize,
    tasks: JoinSet<()>,
    open: Vec<(Arc<Spared>, AbortHandle)>,
}

impl Connections {
    /// A place for one more; ends others for it if it must.
    async fn place(&mut self) -> OwnedSemaphorePermit {
        loop {
            if self.open.len() >= self.most {
                while self.tasks.try_join_next().is_some() {}
                self.open.retain(|(_, task)| !task.is_finished());
            }
            if let Ok(place) = self.places.clone().try_acquire_owned() {
                return place;
            }
            let longest = self.open.iter().min_by_key(|(spared, _)| spared.until());
            if let Some((_, task)) = longest.filter(|(spared, _)| spared.until() <= now()) {
                task.abort();
            }
            if let Ok(Ok(place)) = timeout(SPARED / 4, self.places.clone().acquire_owned()).await {
                return place;
            }
        }
    }

    fn begin(&mut self, stream: TcpStream, place: OwnedSemaphorePermit, router: &Router, stopped: &Receiver<bool>) {
        let spared = Arc::new(Spared(AtomicU64::new(0)));
        spared.set(SPARED);
        let task = converse(stream, Arc::new(place), router.clone(), spared.clone(), stopped.clone());
        self.open.push((spared, self.tasks.spawn(task)));
    }
}

/// Answers by `router` until the server is to stop.
pub(super) async fn serve(
    listener: TcpListener,
    router: Router,
    most: usize,
    stopped: Receiver<bool>,
    complaints: &Complaints,
) {
    let places = Arc::new(Semaphore::new(most));
    let mut connections = Connections { places, most, tasks: JoinSet::new(), open: Vec::new() };
    let accepting = async {
        loop {
            match listener.accept().await {
                Ok((stream, _)) => {
                    let place = connections.place().await;
                    connections.begin(stream, place, &router, &stopped);
                }
                // That connection has ended already.
                Err(error)
                    if matches!(
                        error.kind(),
                        ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset | ErrorKind::ConnectionRefused
                    ) => {}
                Err(error) => {
                    complaints.say(&format!("connections wait: {error}"));
                    sleep(Duration::from_millis(500)).await;
                }
            }
        }
    };
    tokio::select! {
        () = accepting => {}
        () = until(stopped.clone()) => {}
    }
    drop(listener);
    let rest = async { while connections.tasks.join_next().await.is_some() {} };
    let _ = timeout(Duration::from_secs(2), rest).await;
}

/// Answers the requests of one connection.
async fn converse(stream: TcpStream, place: Place, router: Router, spared: Arc<Spared>, stopped: Receiver<bool>) {
    let _ = stream.set_nodelay(true);
    let router = TowerToHyperService::new(router);
    let answer = service_fn(|mut request: Request<Incoming>| {
        spared.set(SPARED_AFTER_REQUEST);
        request.extensions_mut().insert(place.clone());
        router.call(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .max_header_size(LONGEST_HEAD)
        .serve_connection(TokioIo::new(stream), answer)
        .with_upgrades();
    let mut connection = pin!(connection);
    tokio::select! {
        _ = &mut connection => return,
        () = sleep(LONGEST) => {}
        () = until(stopped) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = timeout(FAREWELL, connection).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_and_others_share_the_files_that_there_are() {
        assert_eq!(Room::within(1024, RESERVE + MOST + 1024), Room { sessions: 1024, connections: MOST });
        assert_eq!(Room::within(64, 1024), Room { sessions: 64, connections: MOST });
        assert_eq!(Room::within(64, 64), Room { sessions: 16, connections: 16 });
        assert_eq!(Room::within(4, 64), Room { sessions: 4, connections: 28 });
        assert_eq!(Room::within(64, 20).sessions, 0);
        for files in 0..2000 {
            let room = Room::within(700, files);
            assert!(usize::from(room.sessions) + room.connections + RESERVE <= files.max(RESERVE), "{files}: {room:?}");
        }
    }
}
