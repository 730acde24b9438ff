//! `hippolyta serve`: the page for people, and the JSON lines of `analyse` through a WebSocket.
//!
//! | module | its one idea |
//! | --- | --- |
//! | `connections` | how many connections there may be, and for how long |
//! | `guard` | who may speak with us |
//! | `complaints` | what whoever runs it should know |
//! | `page` | the files of the page, which are inside the binary |
//! | `socket` | one client's lines |
//! | `watch` | the folder of a match, to look at |

mod complaints;
mod connections;
mod guard;
mod page;
mod socket;
mod watch;

use super::{model, signals};
use anyhow::{Context, Result, ensure};
use axum::Router;
use axum::middleware;
use axum::routing::{any, get};
use clap::Args;
use complaints::Complaints;
use connections::Room;
use guard::{Ancestor, Guard, Name};
use hippolyta::engine::Model;
use hippolyta_lab::options::{mebibytes, threads};
use hippolyta_protocol::analysis::{Options, Service};
use socket::Sockets;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch::Receiver;
use tower_http::compression::CompressionLayer;
use watch::Watched;

/// Serve a board in the browser, to play, analyse and review
///
/// Through a WebSocket it speaks the JSON lines of `analyse`, too.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hippolyta serve --open
  hippolyta serve --port 0 --match results

The first line on standard output is the address. Ctrl-C ends it. docs/protocols/json-lines.md describes the WebSocket.")]
pub(super) struct Serve {
    /// Port; 0 for any that is free
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Address to listen at. With any but 127.0.0.1 or ::1, whoever reaches this machine can compute on it
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,
    /// A name of this server beside its addresses, as browsers show it: NAME or NAME:PORT. A proxy in front of this
    /// needs the public one; may be repeated
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<Name>,
    /// A site whose pages may show this one in a frame: https://site.example or https://*.site.example; may be
    /// repeated. By default none may
    #[arg(long, value_name = "ORIGIN")]
    frame_ancestors: Vec<Ancestor>,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Threads of each search; by default as many as there are processors
    #[arg(long, value_parser = threads())]
    threads: Option<u16>,
    /// Memory of each search, MiB
    #[arg(long, default_value_t = 64, value_parser = mebibytes())]
    hash: usize,
    /// Pages served at a time; each searches one position
    #[arg(long, default_value_t = 64, value_parser = threads())]
    sessions: u16,
    /// Longest time that a query takes, seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = seconds)]
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

/// Seconds, as `--longest` takes them.
fn seconds(text: &str) -> Result<u32, String> {
    hippolyta_lab::times::seconds(text, 1.0, f64::from(u32::MAX)).map(|time| time.as_secs() as u32)
}

impl Serve {
    pub(super) fn run(&self) -> Result<()> {
        if let Some(page) = &self.page {
            ensure!(page.join("index.html").is_file(), "--page: {} has no index.html", page.display());
        }
        // Before the runtime, which panics where it may open too few files.
        let room = Room::make(self.sessions)?;
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let served = runtime.block_on(self.serve(room));
        // Searches were told to stop: nobody waits for the last of them.
        runtime.shutdown_timeout(Duration::from_secs(2));
        served
    }

    async fn serve(&self, room: Room) -> Result<()> {
        let complaints = Arc::new(Complaints::default());
        let watched = self.watched.as_deref().map(|folder| Watched::new(folder, complaints.clone())).transpose()?;
        let wanted = SocketAddr::new(self.address, self.port);
        let listener = TcpListener::bind(wanted).await.with_context(|| format!("cannot listen at {wanted}"))?;
        let address = listener.local_addr()?;
        let (stop, stopped) = tokio::sync::watch::channel(false);
        signals::on_interrupt(move |_| _ = stop.send(true))?;
        let sockets = Arc::new(Sockets::new(self.service()?, room.sessions, stopped.clone(), complaints.clone()));
        let guard = Guard::new(address, self.allow_host.clone(), &self.frame_ancestors, complaints.clone());
        let router = self.router(guard, sockets.clone(), watched.map(Arc::new));
        let url = format!("http://{address}/");
        super::print_line(&url);
        // Its error names a code of the system, which tells nobody anything.
        if self.open && open::that_detached(&url).is_err() {
            crate::complain("no browser could be opened: open this address in one");
        }
        connections::serve(listener, router, room.connections, stopped, &complaints).await;
        sockets.closed().await;
        Ok(())
    }

    fn service(&self) -> Result<Service> {
        let threads = self.threads.map(usize::from);
        let sessions = usize::from(self.sessions);
        let options = Options {
            threads: threads.or_else(|| std::thread::available_parallelism().ok().map(Into::into)).unwrap_or(1),
            hash: self.hash * sessions,
            longest: Some(Duration::from_secs(self.longest.into())),
            model: self.model()?,
            ..Options::default()
        };
        Ok(Service::new(options, sessions))
    }

    /// Weights for some rule sets leave those that are built in to all others.
    fn model(&self) -> Result<Model> {
        let weights = self.model.weights()?;
        if let Some(learned) = weights.learned() {
            eprintln!("hippolyta: --eval-file: it has {learned}; all others are those that are built in");
        }
        Ok(Model::Learned(weights.for_any_game()))
    }

    fn router(&self, guard: Guard, sockets: Arc<Sockets>, watched: Option<Arc<Watched>>) -> Router {
        Router::new()
            .route("/match/results", get(watch::results).with_state(watched.clone()))
            .route("/match/games", get(watch::games).with_state(watched))
            .route("/problems.json", get(page::problems))
            .route("/explorer.json", get(page::explorer))
            .fallback(get(page::file).with_state(Arc::new(self.page.clone())))
            .layer(CompressionLayer::new())
            .route("/ws", any(socket::accept).with_state(sockets))
            .layer(middleware::from_fn_with_state(Arc::new(guard), guard::check))
    }
}

/// Waits until the server is to stop.
async fn until(mut stopped: Receiver<bool>) {
    let _ = stopped.wait_for(|&stopped| stopped).await;
}
