//! What only compiles, beside tests: these leave a part of the processors idle.

use crate::tests::there_is;
use crate::{python, run, web};
use anyhow::{Context, Result, ensure};
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, Command};

/// What is to be done ahead.
#[derive(Clone, Copy)]
pub struct Work {
    /// The page's engine as WebAssembly.
    pub site: bool,
    /// Documentation, lints, and the node count of `bench`.
    pub ci: bool,
}

impl Work {
    /// Does it, here and now: the Python package installed in its environment, and what is asked for.
    pub fn run(self) -> Result<()> {
        python::install()?;
        if self.site {
            web::quick_site()?;
        }
        if self.ci {
            let mut doc = Command::new("cargo");
            doc.args(["doc", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings");
            ensure!(doc.status().context("cargo doc")?.success(), "cargo doc has warnings");
            run(".", "cargo", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])?;
            run(".", ".ci/bench", &[])?;
        }
        Ok(())
    }

    /// Begins it in a process of low priority, whose output goes to a file.
    pub fn begin(self) -> Result<Begun> {
        if !there_is("nice") {
            return Ok(Begun { work: self, process: None });
        }
        let target = std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned());
        let log = PathBuf::from(target).join("ahead.log");
        let file = File::create(&log).with_context(|| log.display().to_string())?;
        let mut command = Command::new("nice");
        command.args(["-n", "15"]).arg(std::env::current_exe()?).arg("ahead");
        command.args(self.site.then_some("--site")).args(self.ci.then_some("--ci"));
        let process = command.stdout(file.try_clone()?).stderr(file).spawn().context("nice")?;
        Ok(Begun { work: self, process: Some((process, log)) })
    }
}

/// Work that goes on beside this process, or is to be done in the end where nothing has a priority.
pub struct Begun {
    work: Work,
    process: Option<(Child, PathBuf)>,
}

impl Begun {
    /// Waits for the end of it, and shows what it had to say.
    pub fn finish(mut self) -> Result<()> {
        let Some((process, log)) = &mut self.process else { return self.work.run() };
        let status = process.wait()?;
        println!("{}", fs::read_to_string(&*log).with_context(|| log.display().to_string())?.trim_end());
        ensure!(status.success(), "what ran beside the tests failed: {status}");
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
