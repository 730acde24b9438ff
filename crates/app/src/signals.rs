//! Ctrl-C and SIGTERM. They end a command at once, as long as it has nothing to say or to keep; one that has catches
//! them. The exit code is then 128 and the signal, as shells have it.

use anyhow::{Context, Result};
use hippolyta::engine::Control;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::ffi::OsString;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

/// What a command says that was interrupted and has kept nothing.
pub(crate) const INTERRUPTED: &str = "interrupted";
/// The time that a command has to end by itself. All that is to stay has been written before.
const GRACE: Duration = Duration::from_millis(350);
/// How often to look for a signal.
const LOOK: Duration = Duration::from_millis(20);

/// Whether a signal ends the process at once.
static AT_ONCE: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
/// The last signal, 0 until there is one.
static LAST: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);

/// What one says that goes on by the same command, with `--resume` if it wants that.
pub(crate) fn go_on(resume: bool) -> String {
    format!("{INTERRUPTED}; go on by: {}", command_line(given().chain(resume.then(|| "--resume".into()))))
}

/// The command line that people gave, without `--resume`: `hippolyta.cluster` calls a command that hands out its tasks.
pub(crate) fn given() -> impl Iterator<Item = OsString> {
    let mut all: Vec<OsString> = std::env::args_os().filter(|word| word != "--resume").collect();
    if all.iter().any(|word| word == "--hand-out") {
        all.retain(|word| word != "--hand-out");
        let begin = all.iter().position(|word| ["design", "match", "solve"].iter().any(|name| word == name));
        all.splice(..begin.unwrap_or(0), ["python", "-m", "hippolyta.cluster"].map(OsString::from));
    }
    all.into_iter()
}

/// A command line as a shell reads it.
pub(crate) fn command_line(arguments: impl Iterator<Item = OsString>) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+,./:@%".contains(c);
    let quoted = |word: &str| {
        if !word.is_empty() && word.chars().all(plain) {
            word.to_owned()
        } else {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
    };
    arguments.map(|word| quoted(&word.to_string_lossy())).collect::<Vec<_>>().join(" ")
}

/// Makes signals end the process at once, until they are caught.
pub(crate) fn end_at_once() -> Result<()> {
    AT_ONCE.store(true, Ordering::SeqCst);
    for signal in [SIGINT, SIGTERM] {
        flag::register_conditional_shutdown(signal, 128 + signal, AT_ONCE.clone()).context("signals")?;
    }
    Ok(())
}

/// Makes a signal set `stop` from now on, and a second one end the process at once.
pub(crate) fn catch(stop: &Arc<AtomicBool>) -> Result<()> {
    for signal in [SIGINT, SIGTERM] {
        flag::register_conditional_shutdown(signal, 128 + signal, stop.clone()).context("signals")?;
        flag::register_usize(signal, LAST.clone(), signal as usize).context("signals")?;
        flag::register(signal, stop.clone()).context("signals")?;
    }
    AT_ONCE.store(false, Ordering::SeqCst);
    Ok(())
}

/// The last signal that was caught.
pub(crate) fn caught() -> Option<i32> {
    Some(LAST.load(Ordering::SeqCst) as i32).filter(|signal| *signal != 0)
}

/// Calls `stop` soon after the first signal. A second one ends the process at once.
pub(crate) fn on_interrupt(stop: impl FnOnce(i32) + Send + 'static) -> Result<()> {
    let stopped = Arc::default();
    catch(&stopped)?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        while !stopped.load(Ordering::SeqCst) {
            std::thread::sleep(LOOK);
        }
        stop(caught().unwrap_or(SIGINT));
    })?;
    Ok(())
}

/// Calls `stop` soon after the first signal. The process has a moment to end; then it is ended, with these words.
pub(crate) fn or_end(said: String, stop: impl FnOnce() + Send + 'static) -> Result<()> {
    on_interrupt(move |signal| {
        stop();
        std::thread::sleep(GRACE);
        crate::complain(&said);
        std::process::exit(128 + signal);
    })
}

/// A control that a signal stops. A command that does not end by it is ended, with these words.
pub(crate) fn interruptible(said: String) -> Result<Arc<Control>> {
    let control = Arc::new(Control::default());
    let reins = control.clone();
    or_end(said, move || reins.stop())?;
    Ok(control)
}
