//! The files of the page. They are built from `web/` into `crates/app/page`, and part of the binary.

use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderMap, IF_NONE_MATCH};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use hippolyta_lab::arena::explorer::EXPLORER;
use hippolyta_lab::problems::ProblemSet;
use include_dir::{Dir, include_dir};
use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

static PAGE: Dir = include_dir!("$CARGO_MANIFEST_DIR/page");

/// Where the page looks for its engine: as built in a worker of the browser, from here through the socket.
const IN_A_WORKER: &str = r#"<meta name="hippolyta-host" content="worker""#;
const BY_SOCKET: &str = r#"<meta name="hippolyta-host" content="socket""#;

/// The file that a path names; from the folder, if there is one.
pub(super) async fn file(uri: Uri, headers: HeaderMap, State(folder): State<Arc<Option<PathBuf>>>) -> Response {
    let path = uri.path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    let found = match &*folder {
        None => PAGE.get_file(path).map(|file| Cow::Borrowed(file.contents())),
        Some(folder) => read(folder, path).map(Cow::Owned),
    };
    let Some(content) = found else { return (StatusCode::NOT_FOUND, "no such file\n").into_response() };
    // Names of assets change with their content.
    let cache = if path.starts_with("assets/") { "max-age=31536000, immutable" } else { "no-cache" };
    match std::str::from_utf8(&content) {
        Ok(text) if path == "index.html" => {
            answer(&headers, path, cache, text.replacen(IN_A_WORKER, BY_SOCKET, 1).into_bytes().into())
        }
        _ => answer(&headers, path, cache, content),
    }
}

/// The problems that come with the program, which the page asks for when somebody wants to see them.
pub(super) async fn problems(headers: HeaderMap) -> Response {
    answer(&headers, "problems.json", "no-cache", ProblemSet::TEXT.as_bytes().into())
}

/// The openings that were played, which the page asks for as it does for the problems.
pub(super) async fn explorer(headers: HeaderMap) -> Response {
    answer(&headers, "explorer.json", "no-cache", EXPLORER.as_bytes().into())
}

/// The content, or that it is the one that the client has.
fn answer(asked: &HeaderMap, path: &str, cache: &'static str, content: Cow<'static, [u8]>) -> Response {
    // Weak: the same tag stands for the compressed bytes.
    let tag = format!("W/\"{:08x}-{:x}\"", crc32fast::hash(&content), content.len());
    let known = asked.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    if known.flat_map(|value| value.split(',')).any(|known| known.trim().trim_start_matches("W/") == &tag[2..]) {
        return (StatusCode::NOT_MODIFIED, [(ETAG, tag.as_str()), (CACHE_CONTROL, cache)]).into_response();
    }
    ([(CONTENT_TYPE, content_type(path)), (CACHE_CONTROL, cache), (ETAG, tag.as_str())], content).into_response()
}

/// A file below `folder`.
fn read(folder: &Path, path: &str) -> Option<Vec<u8>> {
    let path = Path::new(path);
    let stays_below = path.components().all(|part| matches!(part, Component::Normal(_)));
    if stays_below { std::fs::read(folder.join(path)).ok() } else { None }
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("json" | "webmanifest") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_what_serving_it_relies_on() {
        let index = PAGE.get_file("index.html").and_then(|file| file.contents_utf8()).unwrap();
        assert!(index.contains(IN_A_WORKER));
        let mut folders = vec![&PAGE];
        while let Some(folder) = folders.pop() {
            folders.extend(folder.dirs());
            for file in folder.files() {
                let path = file.path().to_str().unwrap();
                assert_ne!(content_type(path), "application/octet-stream", "{path}");
            }
        }
    }
}
