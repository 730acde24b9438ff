//! What runs beside other things in a process of its own, so that all processors have work.

use crate::tests::there_is;
use crate::{book, python, run, target_folder, web};
use anyhow::{Context, Result, ensure};
use clap::Subcommand;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

/// What can run beside other things.
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
                    ensure!(doc.status().context("cargo doc")?.success(), "cargo doc has warnings");
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
        Ok(Begun { task: self, process: Some((process, log)) })
    }
}

/// A task in its process, or one that is to be done in the end where nothing has a priority.
pub struct Begun {
    task: Task,
    process: Option<(Child, PathBuf)>,
}

impl Begun {
    /// Waits for the end of it, and shows what it had to say.
    pub fn finish(mut self) -> Result<()> {
        let Some((process, log)) = &mut self.process else { return self.task.run() };
        let status = process.wait()?;
        println!("{}", fs::read_to_string(&*log).with_context(|| log.display().to_string())?.trim_end());
        ensure!(status.success(), "{} beside the tests failed: {status}", self.task.name());
        self.process = None;
        Ok(())
    }
}

impl Drop for Begun {
    /// Where a test has failed nobody waits for it. A compiler that runs just then ends by itself.
    fn drop(&mut self) {
        if let Some((process, _)) = &mut self.process {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}
