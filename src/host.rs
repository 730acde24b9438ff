//! Files that only some rule sets want, which are learned weights and endgame tables: a part of the program, or from
//! its host.
//!
//! Built with the feature `embedded`, the program has all of them. Without the feature whoever uses the library hands
//! one in when it is wanted: so a page whose visitor plays one game does not load the data of all.

use std::borrow::Cow;
use std::fmt::Display;
use std::sync::OnceLock;

/// Where the program gets what it has not itself.
#[derive(Clone, Copy, Debug)]
pub struct Host {
    /// Returns a file by its name: `weights/iago.bin` is `src/eval/weights/iago.bin` of the repository, and
    /// `endgames/damone.bin` is `src/endgame/damone/damone.bin`. A file is asked for once, when a search wants it. The
    /// search waits for it, and panics if what comes is not this file.
    pub read: fn(name: &str) -> Vec<u8>,
}

static HOST: OnceLock<Host> = OnceLock::new();

/// Sets the host. Only the first call counts. With the feature `embedded` the host is never asked.
///
/// ```
/// use hippolyta::engine::{Board, Control, Engine, Limits, Model, Settings};
/// use hippolyta::games::variant;
/// use hippolyta::host::{self, Host};
///
/// # #[cfg(feature = "embedded")]
/// host::set(Host { read: |name| panic!("{name} is embedded") });
/// # #[cfg(not(feature = "embedded"))]
/// # host::set(Host { read: |name| std::fs::read(format!("src/eval/{name}")).unwrap() });
/// let board = Board::new(&variant::find("iago")?);
/// let mut engine = Engine::new(board.variant(), &Model::default(), Settings { hash: 1, ..Settings::default() })?;
/// let limits = Limits { nodes: Some(100), ..Limits::default() };
/// assert!(engine.analyse(&board, &limits, &Control::default(), &mut |_| ())?.best().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn set(host: Host) {
    let _ = HOST.set(host);
}

#[cfg(not(feature = "embedded"))]
fn host() -> &'static Host {
    HOST.get().expect("without the feature `embedded`, host::set comes before all else")
}

/// A file that only some rule sets want.
pub(crate) struct Part {
    pub name: &'static str,
    #[cfg(feature = "embedded")]
    pub embedded: &'static [u8],
}

/// The file that lies beside the source, as one in a folder of the program.
macro_rules! part {
    ($folder:literal, $file:literal) => {
        $crate::host::Part {
            name: concat!($folder, "/", $file),
            #[cfg(feature = "embedded")]
            embedded: include_bytes!($file),
        }
    };
}
pub(crate) use part;

impl Part {
    /// The bytes of the file.
    pub fn bytes(&self) -> Cow<'static, [u8]> {
        #[cfg(feature = "embedded")]
        return self.embedded.into();
        #[cfg(not(feature = "embedded"))]
        return (host().read)(self.name).into();
    }

    /// The value that `decode` makes of the file. An error is a panic: the tests decode what is embedded, and without a
    /// file that it was promised the program would play badly and not say so.
    pub fn decoded<T, E: Display>(&self, decode: impl FnOnce(&[u8]) -> Result<T, E>) -> T {
        decode(&self.bytes()).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }
}
