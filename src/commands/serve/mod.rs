//! `hippolyta serve`: the page for people, and the JSON lines of `analyse` through a WebSocket.
//!
//! | module | its one idea |
//! | --- | --- |
//! | `guard` | who may speak with us |
//! | `page` | the files of the page, which are inside the binary |
//! | `socket` | one client's lines |
//! | `watch` | the folder of a match, to look at |

mod guard;
mod page;
mod socket;
mod watch;

use super::model;
use crate::protocol::analysis::{Options, Service};
use anyhow::{Context, Result, ensure};
use axum::Router;
use axum::middleware;
use axum::routing::{any, get};
use clap::Args;
use guard::Guard;
use socket::Sockets;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch::Receiver;

/// Serve a board in the browser: play, analyse, review. Also the JSON lines of `analyse`, through a WebSocket
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hippolyta serve --open
  hippolyta serve --port 0 --match results       any free port; shows the match in this folder, too

The first line on standard output is the address. Ctrl-C ends it. protocol.md describes the WebSocket.")]
pub(super) struct Serve {
    /// Port; 0 for any that is free
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Address to listen at. With any but 127.0.0.1 or ::1, whoever reaches this machine can compute on it
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,
    /// A name, with its port if it has one, by which a proxy in front of this passes requests on; may be repeated
    #[arg(long, value_name = "HOST")]
    allow_host: Vec<String>,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Threads of each search; by default as many as there are processors
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Memory of each search, MiB
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=32_768))]
    hash: u32,
    /// Pages served at a time; each searches one position
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..=1024))]
    sessions: u16,
    /// Longest search, seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..))]
    longest: u32,
    /// Show the match in this folder, whether it still runs or not
    #[arg(long = "match", value_name = "FOLDER")]
    watched: Option<PathBuf>,
    /// Take the page from this folder instead of the one inside the program: for those who work on it
    #[arg(long, value_name = "FOLDER")]
    page: Option<PathBuf>,
    #[command(flatten)]
    model: model::Files,
}

impl Serve {
    pub(super) fn run(&self) -> Result<()> {
        if let Some(folder) = &self.watched {
            ensure!(folder.join("match.json").is_file(), "--match: no match in {}", folder.display());
        }
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let served = runtime.block_on(self.serve());
        // Searches were told to stop: nobody waits for the last of them.
        runtime.shutdown_timeout(Duration::from_secs(2));
        served
    }

    async fn serve(&self) -> Result<()> {
        let wanted = SocketAddr::new(self.address, self.port);
        let listener = TcpListener::bind(wanted).await.with_context(|| format!("cannot listen at {wanted}"))?;
        let address = listener.local_addr()?;
        let (stop, stopped) = tokio::sync::watch::channel(false);
        let (router, sockets) = self.router(address, stopped.clone())?;
        let url = format!("http://{address}/");
        super::print_line(&url);
        if self.open
            && let Err(error) = open::that_detached(&url)
        {
            eprintln!("hippolyta: cannot open a browser: {error}");
        }
        let end = tokio::spawn(async move {
            signal().await;
            let _ = stop.send(true);
        });
        axum::serve(listener, router).with_graceful_shutdown(until(stopped)).await.context("the server")?;
        sockets.closed(self.sessions).await;
        end.abort();
        Ok(())
    }

    fn router(&self, address: SocketAddr, stopped: Receiver<bool>) -> Result<(Router, Arc<Sockets>)> {
        let threads = self.threads.map(usize::from);
        let sessions = usize::from(self.sessions);
        let options = Options {
            threads: threads.or_else(|| std::thread::available_parallelism().ok().map(Into::into)).unwrap_or(1),
            hash: self.hash as usize * sessions,
            longest: Some(Duration::from_secs(self.longest.into())),
            model: self.model.load()?,
            ..Options::default()
        };
        let sockets = Arc::new(Sockets::new(Service::new(options, sessions), sessions, stopped));
        let guard = Arc::new(Guard::new(address, self.allow_host.clone()));
        let watched = Arc::new(self.watched.clone());
        let router = Router::new()
            .route("/ws", any(socket::accept).with_state(sockets.clone()))
            .route("/match/results", get(watch::results).with_state(watched.clone()))
            .route("/match/games", get(watch::games).with_state(watched))
            .route("/problems.json", get(page::problems))
            .fallback(get(page::file).with_state(Arc::new(self.page.clone())))
            .layer(middleware::from_fn_with_state(guard, guard::check));
        Ok((router, sockets))
    }
}

/// Waits for Ctrl-C or SIGTERM.
async fn signal() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}

/// Waits until the server is to stop.
async fn until(mut stopped: Receiver<bool>) {
    let _ = stopped.wait_for(|&stopped| stopped).await;
}
