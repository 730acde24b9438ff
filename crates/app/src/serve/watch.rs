//! The folder of a match, to look at: the same text as `match --results`, and the games as they end.

use super::complaints::Complaints;
use crate::results;
use anyhow::{Context, Error, Result};
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use hippolyta::json::read;
use hippolyta_lab::arena;
use serde::Deserialize;
use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;
use tokio::sync::Semaphore;

/// Bytes of games in one answer.
const MOST: u64 = 1 << 20;
/// Bytes of a match that is shown: some 20,000 long games. More would take seconds of every look at it.
const MOST_OF_MATCH: u64 = 256 << 20;
const MOST_OF_DESCRIPTION: u64 = 16 << 20;
/// Looks at the folder at a time.
const MOST_LOOKS: usize = 4;

/// The folder of a match. Others may write to it, so it may hold anything.
pub(super) struct Watched {
    folder: PathBuf,
    looks: Arc<Semaphore>,
    /// The results as they were when the files were such.
    known: Mutex<Option<(Stamps, String)>>,
    complaints: Arc<Complaints>,
}

/// When files were written last, and their lengths.
type Stamps = [Option<(SystemTime, u64)>; 2];

/// Where to go on.
#[derive(Deserialize)]
pub(super) struct Position {
    #[serde(default)]
    from: u64,
}

type Folder = State<Option<Arc<Watched>>>;

const NONE: (StatusCode, &str) = (StatusCode::NOT_FOUND, "no match is shown here: hippolyta serve --match FOLDER\n");

impl Watched {
    /// # Errors
    ///
    /// If there is no match in the folder.
    pub fn new(folder: &Path, complaints: Arc<Complaints>) -> Result<Self> {
        open(&folder.join("match.json")).with_context(|| format!("--match: no match in {}", folder.display()))?;
        let looks = Arc::new(Semaphore::new(MOST_LOOKS));
        Ok(Self { folder: folder.to_owned(), looks, known: Mutex::default(), complaints })
    }

    fn results(&self) -> Result<String> {
        let path = self.folder.join("match.json");
        let (description, described) = open(&path).with_context(|| path.display().to_string())?;
        let games = self.folder.join("games.jsonl");
        let (file, played) = match open(&games) {
            // No game has ended yet.
            Err(error) if error.kind() == ErrorKind::NotFound => (None, None),
            other => {
                other.map(|(file, data)| (Some(file), stamp(&data))).with_context(|| games.display().to_string())?
            }
        };
        let stamps = [stamp(&described), played];
        // Whoever comes meanwhile waits, and finds it.
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, text)) = known.as_ref().filter(|(known, _)| *known == stamps) {
            return Ok(text.clone());
        }
        for (path, length, most) in [
            (&path, described.len(), MOST_OF_DESCRIPTION),
            (&games, played.map_or(0, |(_, length)| length), MOST_OF_MATCH),
        ] {
            anyhow::ensure!(length <= most, "{} has more than {} MiB", path.display(), most >> 20);
        }
        let mut text = Vec::new();
        description.take(MOST_OF_DESCRIPTION).read_to_end(&mut text)?;
        let configuration = read(&text).map_err(Error::msg).with_context(|| path.display().to_string())?;
        // It may have grown since.
        let records = arena::games_of(&games, file.map(|file| file.take(MOST_OF_MATCH)));
        let (lines, left_out) = results::text(&self.folder, configuration, records)?;
        let left_out = left_out.iter().map(|what| format!("left out: {what}"));
        let text = lines.into_iter().chain(left_out).collect::<Vec<_>>().join("\n");
        *known = Some((stamps, text.clone()));
        Ok(text)
    }
}

fn stamp(data: &Metadata) -> Option<(SystemTime, u64)> {
    Some((data.modified().ok()?, data.len()))
}

/// The results so far, as text for people.
pub(super) async fn results(State(watched): Folder) -> Response {
    // Every page asks for it, and browsers call a 404 an error.
    if watched.is_none() {
        return StatusCode::NO_CONTENT.into_response();
    }
    answer("text/plain; charset=utf-8", watched, Watched::results).await
}

/// The lines of games.jsonl from byte `from` on, whole lines only, up to a MiB of them.
pub(super) async fn games(Query(at): Query<Position>, State(watched): Folder) -> Response {
    if i64::try_from(at.from).is_err() {
        return (StatusCode::BAD_REQUEST, format!("from: no file has a byte {}\n", at.from)).into_response();
    }
    answer("application/jsonl", watched, move |watched| {
        let path = watched.folder.join("games.jsonl");
        lines(&path, at.from).with_context(|| path.display().to_string())
    })
    .await
}

async fn answer(
    content_type: &'static str,
    watched: Option<Arc<Watched>>,
    work: impl FnOnce(&Watched) -> Result<String> + Send + 'static,
) -> Response {
    let Some(watched) = watched else { return NONE.into_response() };
    let look = watched.looks.clone().acquire_owned().await;
    let looking = watched.clone();
    let work = move || {
        let found = work(&looking);
        drop(look);
        found
    };
    match tokio::task::spawn_blocking(work).await {
        Ok(Ok(text)) => ([(CONTENT_TYPE, content_type), (CACHE_CONTROL, "no-store")], text).into_response(),
        Ok(Err(error)) => {
            watched.complaints.say(&format!("--match: {error:#}"));
            (StatusCode::INTERNAL_SERVER_ERROR, format!("{error:#}\n")).into_response()
        }
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

fn lines(path: &Path, from: u64) -> io::Result<String> {
    let (mut file, data) = match open(path) {
        // No game has ended yet.
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(String::new()),
        other => other?,
    };
    // Not every system lets a file be read so far behind its end.
    if from >= data.len() {
        return Ok(String::new());
    }
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(MOST).read_to_end(&mut bytes)?;
    bytes.truncate(bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1));
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Opens a file to read it. A link is not followed: it may lead anywhere. Pipes and devices are refused, and so that
/// nothing can take their place meanwhile, it is the open file that is looked at.
fn open(path: &Path) -> io::Result<(File, Metadata)> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        // To open a pipe would block.
        options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32);
    }
    let no_file = || io::Error::new(ErrorKind::InvalidInput, "not a file of this folder");
    if std::fs::symlink_metadata(path)?.is_symlink() {
        return Err(no_file());
    }
    let file = options.open(path)?;
    let data = file.metadata()?;
    if data.is_file() { Ok((file, data)) } else { Err(no_file()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_come_in_whole_lines_from_where_one_left_off() {
        let folder = tempfile("lines");
        let path = folder.join("games.jsonl");
        assert_eq!(lines(&path, 0).unwrap(), "");
        std::fs::write(&path, "{\"game\":0}\n{\"game\":1}\n{\"ga").unwrap();
        assert_eq!(lines(&path, 0).unwrap(), "{\"game\":0}\n{\"game\":1}\n");
        assert_eq!(lines(&path, 11).unwrap(), "{\"game\":1}\n");
        assert_eq!(lines(&path, 22).unwrap(), "");
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    #[cfg(unix)]
    fn links_and_what_is_no_file_are_not_read() {
        let folder = tempfile("links");
        std::fs::write(folder.join("secret"), "{}\n").unwrap();
        for (target, name) in [("secret", "link"), ("/dev/zero", "zero"), ("nothing", "dangling")] {
            std::os::unix::fs::symlink(target, folder.join(name)).unwrap();
        }
        rustix::fs::mknodat(rustix::fs::CWD, folder.join("pipe"), rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
        for name in ["link", "zero", "dangling", "pipe", "."] {
            assert_eq!(lines(&folder.join(name), 0).unwrap_err().kind(), ErrorKind::InvalidInput, "{name}");
        }
        assert_eq!(lines(&folder.join("secret"), 0).unwrap(), "{}\n");
        std::fs::remove_dir_all(folder).unwrap();
    }

    fn tempfile(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("hippolyta-watch-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }
}
