//! Tasks that run beside other things in processes of their own, so that all processors are busy.

use crate::tests::there_is;
use crate::{book, python, run, status, target_folder, web};
use anyhow::{Context, Result, anyhow, ensure};
use clap::Subcommand;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant, SystemTime};

/// A task that can run beside other things.
#[derive(Clone, Subcommand)]
pub enum Task {
    /// The Python package, installed in an environment of its own, and its tests.
    Python,
    /// The page: its packages, what of it is tested outside a browser, its engine as WebAssembly.
    Page {
        /// The program that its tests play against.
        engine: PathBuf,
    },
    /// The book.
    Documents {
        /// Beside it documentation of the library, lints, and the node count of `bench`.
        #[arg(long)]
        ci: bool,
    },
}

impl Task {
    /// Does it here and now.
    pub fn run(&self) -> Result<()> {
        match self {
            Self::Python => python::test(),
            Self::Page { engine } => {
                web::quick_site()?;
                web::check(engine)
            }
            Self::Documents { ci } => {
                book::build(Path::new("target/book/site"))?;
                if *ci {
                    let mut doc = Command::new("cargo");
                    doc.args(["doc", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings");
                    ensure!(status(&mut doc).context("cargo doc")?.success(), "cargo doc has warnings");
                    run(".", "cargo", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])?;
                    run(".", ".ci/bench", &[])?;
                }
                Ok(())
            }
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::Page { .. } => "page",
            Self::Documents { .. } => "documents",
        }
    }

    /// Begins it in a process whose output goes to a file; of a priority lower by `nice`, if there is such a thing.
    pub fn begin(self, nice: u8) -> Result<Begun> {
        if nice > 0 && !there_is("nice") {
            return Ok(Begun { task: self, process: None });
        }
        let began = SystemTime::now();
        let log = target_folder()?.join(format!("aside-{}.log", self.name()));
        let file = File::create(&log).with_context(|| log.display().to_string())?;
        let program = std::env::current_exe()?;
        let mut command = Command::new(if nice > 0 { "nice".as_ref() } else { program.as_os_str() });
        if nice > 0 {
            command.args(["-n", &nice.to_string()]).arg(&program);
        }
        command.args(["aside", self.name()]);
        match &self {
            Self::Page { engine } => _ = command.arg(engine),
            Self::Documents { ci: true } => _ = command.arg("--ci"),
            _ => (),
        }
        let process = command.stdout(file.try_clone()?).stderr(file).spawn().context("a process beside the tests")?;
        Ok(Begun { task: self, process: Some(Aside { process, log, began }) })
    }
}

/// A task in its process, or one that is to be done in the end where nothing has a priority.
pub struct Begun {
    task: Task,
    process: Option<Aside>,
}

struct Aside {
    process: Child,
    log: PathBuf,
    began: SystemTime,
}

impl Begun {
    /// Waits for the end of it, and shows its output. How long it took, and whether it failed.
    pub fn finish(mut self) -> Result<(Duration, Result<()>)> {
        let Some(Aside { process, log, began }) = &mut self.process else {
            let began = Instant::now();
            let result = self.task.run();
            return Ok((began.elapsed(), result));
        };
        let status = process.wait()?;
        println!("{}", fs::read_to_string(&*log).with_context(|| log.display().to_string())?.trim_end());
        // It ended when it wrote last, perhaps long ago.
        let took = fs::metadata(&*log)?.modified()?.duration_since(*began).unwrap_or_default();
        self.process = None;
        let failed = || format!("{} beside the tests failed: {status}", self.task.name());
        Ok((took, if status.success() { Ok(()) } else { Err(anyhow!(failed())) }))
    }
}

impl Drop for Begun {
    /// Where a test has failed nobody waits for it. A compiler that runs just then ends by itself.
    fn drop(&mut self) {
        if let Some(Aside { process, .. }) = &mut self.process {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}
