//! The folder of a match, to look at: the same text as `match --results`, and the games as they end.

use crate::commands::tournament::results_text;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes of games in one answer.
const MOST: u64 = 1 << 20;

/// Where to go on.
#[derive(Deserialize)]
pub(super) struct Position {
    #[serde(default)]
    from: u64,
}

const NONE: (StatusCode, &str) = (StatusCode::NOT_FOUND, "no match is shown here: hippolyta serve --match FOLDER\n");

/// The results so far, as text for people.
pub(super) async fn results(State(folder): State<Arc<Option<PathBuf>>>) -> Response {
    answer("text/plain; charset=utf-8", folder, |folder| results_text(folder).map(|lines| lines.join("\n"))).await
}

/// The lines of games.jsonl from byte `from` on, whole lines only, up to a MiB of them.
pub(super) async fn games(Query(at): Query<Position>, State(folder): State<Arc<Option<PathBuf>>>) -> Response {
    answer("application/jsonl", folder, move |folder| Ok(lines(&folder.join("games.jsonl"), at.from)?)).await
}

async fn answer(
    content_type: &'static str,
    folder: Arc<Option<PathBuf>>,
    work: impl FnOnce(&Path) -> anyhow::Result<String> + Send + 'static,
) -> Response {
    let work = move || folder.as_deref().map(work);
    match tokio::task::spawn_blocking(work).await {
        Ok(Some(Ok(text))) => ([(CONTENT_TYPE, content_type), (CACHE_CONTROL, "no-store")], text).into_response(),
        Ok(Some(Err(error))) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{error:#}\n")).into_response(),
        Ok(None) => NONE.into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

fn lines(path: &Path, from: u64) -> std::io::Result<String> {
    let mut file = match std::fs::File::open(path) {
        // No game has ended yet.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(String::new()),
        other => other?,
    };
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(MOST).read_to_end(&mut bytes)?;
    bytes.truncate(bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1));
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_come_in_whole_lines_from_where_one_left_off() {
        let folder = tempfile();
        let path = folder.join("games.jsonl");
        assert_eq!(lines(&path, 0).unwrap(), "");
        std::fs::write(&path, "{\"game\":0}\n{\"game\":1}\n{\"ga").unwrap();
        assert_eq!(lines(&path, 0).unwrap(), "{\"game\":0}\n{\"game\":1}\n");
        assert_eq!(lines(&path, 11).unwrap(), "{\"game\":1}\n");
        assert_eq!(lines(&path, 22).unwrap(), "");
        std::fs::remove_dir_all(folder).unwrap();
    }

    fn tempfile() -> PathBuf {
        let folder = std::env::temp_dir().join(format!("hippolyta-watch-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }
}
