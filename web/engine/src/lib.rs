//! Hippolyta as WebAssembly: the JSON lines of `hippolyta analyse` (see docs/protocols/json-lines.md) inside a Web Worker.
//!
//! The worker calls [`answer`] with a line and gets the answers by its `postMessage`, one string for each line. The
//! call returns when all is said. Where page and worker share memory, the worker's `isStopped` ends a search; else a
//! page that wants an end sooner ends the worker.

use hippolyta::engine::{Control, bench};
use hippolyta::host::{self, Host};
use hippolyta_protocol::Output;
use hippolyta_protocol::analysis::{Options, Service};
use hippolyta_protocol::records::{Decoded, set_decoder};
use std::io::{self, Write};
use std::sync::LazyLock;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// The worker's own: sends a text to the page.
    #[wasm_bindgen(js_name = postMessage)]
    fn post_message(text: &str);

    /// The worker's own: whether the page wants an end of the search.
    #[wasm_bindgen(js_name = isStopped)]
    fn is_stopped() -> bool;

    /// The worker's own: a file that lies compressed beside the engine. It returns when the file is there, and throws
    /// if it cannot be had: then the worker has failed.
    #[wasm_bindgen(js_name = readPart)]
    fn read_part(name: &str) -> Vec<u8>;

    /// The worker's own: the name of the encoding with this label; `None` if there is none.
    #[wasm_bindgen(js_name = encodingOf)]
    fn encoding_of(label: &str) -> Option<String>;

    /// The worker's own: a text in an encoding that is known.
    #[wasm_bindgen(js_name = textIn)]
    fn text_in(encoding: &str, bytes: &[u8]) -> String;
}

/// The worker, which asks a browser or Node.
const WORKER: Host = Host {
    // A damaged file reads as an empty one, and the engine reports it.
    read: |name| miniz_oxide::inflate::decompress_to_vec_zlib(&read_part(name)).unwrap_or_default(),
};

/// Browsers know encodings, and so does Node.
fn decode(label: &str, bytes: &[u8]) -> Option<Decoded> {
    let encoding = encoding_of(label)?;
    Some(Decoded { text: text_in(&encoding, bytes), encoding })
}

/// Sends what is written to the page, a message for each line.
#[derive(Default)]
struct Messages(Vec<u8>);

impl Write for Messages {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let text = std::mem::take(&mut self.0);
        String::from_utf8_lossy(&text).lines().for_each(post_message);
        Ok(())
    }
}

/// MiB for tree and table. A worker's memory only grows, and a phone has little.
const HASH: usize = 64;

static SERVICE: LazyLock<(Service, Output)> = LazyLock::new(|| {
    host::set(WORKER);
    set_decoder(decode);
    let options = Options { hash: HASH, interrupt: Some(is_stopped), ..Options::default() };
    (Service::new(options, 1), Output::new(Messages::default()))
});

/// Answers one line.
#[wasm_bindgen]
pub fn answer(line: &str) {
    let (service, output) = &*SERVICE;
    service.answer(line.as_bytes(), output);
}

/// The nodes of the fixed searches of `hippolyta bench`: they are the same on every machine. Takes seconds. NaN if the
/// memory does not suffice.
#[wasm_bindgen]
pub fn bench() -> f64 {
    host::set(WORKER);
    let mut nodes = 0.0;
    bench::run(bench::DEPTH, &Control::default(), &mut |searched| {
        nodes += searched.map_or(f64::NAN, |searched| searched.analysis.nodes as f64);
    });
    nodes
}
