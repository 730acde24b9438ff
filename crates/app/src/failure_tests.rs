//! Writes that fail in the middle of commands: each says so in a line, loses nothing that was there, and does all of
//! its work when it is told to again.

use super::Cli;
use clap::Parser;
use hippolyta::files::faults::Fault;
use hippolyta::games::variant;
use hippolyta_lab::proving::{Ended, Options, Run};
use std::fs;
use std::path::{Path, PathBuf};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = Self(std::env::temp_dir().join(format!("hippolyta-failures-{name}-{}", std::process::id())));
        folder.clear();
        folder
    }

    fn clear(&self) {
        let _ = fs::remove_dir_all(&self.0);
        fs::create_dir_all(&self.0).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Does what a command line says, with OUT in place of a path.
fn run(line: &str, out: &Path) -> Result<(), String> {
    let words = format!("hippolyta {line}");
    let words = words.split_whitespace().map(|word| word.replace("OUT", out.to_str().unwrap()));
    Cli::try_parse_from(words).unwrap().run().map_err(|error| format!("{error:#}"))
}

/// Lets every `stride`th step of a command fail, at last one that it does not reach, and tells it to do its work again.
/// The file OUT must then be as an undisturbed run leaves it, with nothing beside it.
fn survives(name: &str, line: &str, stride: usize) {
    let folder = Folder::new(name);
    let out = folder.0.join("result");
    run(line, &out).unwrap();
    let undisturbed = fs::read(&out).unwrap();
    for step in (0..).step_by(stride) {
        folder.clear();
        let fault = Fault::at(&folder.0, step, (step / stride).is_multiple_of(2));
        let done = run(line, &out);
        if !fault.struck() {
            assert!(step > 2, "{name}: {step}");
            done.unwrap();
            return;
        }
        drop(fault);
        if let Err(error) = &done {
            assert!(error.contains("result") && error.contains("No space left"), "{name}, {step}: {error}");
            assert!(!error.contains('\n') && !out.exists(), "{name}, {step}: {error}");
        }
        run(&format!("{line} --resume"), &out).unwrap_or_else(|error| panic!("{name}, {step}: {error}"));
        assert!(fs::read(&out).unwrap() == undisturbed, "{name}, {step}");
        assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1, "{name}, {step}");
    }
}

#[test]
fn openings_and_books_are_found_to_the_end() {
    let openings = "openings --variant amazons6 --count 3 --plies 1 --nodes 50 --within 3000 --games 0 --out OUT";
    survives("openings", openings, 1);
    survives("book", "book --variant amazons6 --positions 3 --nodes 50 --out OUT", 1);
}

#[test]
fn games_of_self_play_and_what_is_learned_from_them_are_the_same() {
    survives("selfplay", "selfplay --variant amazons6 --games 4 --nodes 10 --out OUT", 1);
    let games = Folder::new("games");
    let data = games.0.join("data");
    run("selfplay --variant amazons6 --games 12 --nodes 10 --out OUT", &data).unwrap();
    survives("fit", &format!("fit {} --epochs 1 --validation 4 --threads 1 --out OUT", data.display()), 3);
}

#[test]
fn records_that_are_there_stay_until_the_new_ones_are_whole() {
    let folder = Folder::new("records");
    let [games, out] = ["games.pgn", "result.sgf"].map(|name| folder.0.join(name));
    fs::write(&games, "[Variant \"amazons6\"]\n\n1. b1b4,b4c4 *\n").unwrap();
    fs::write(&out, "mine").unwrap();
    let line = format!("convert {} --out OUT --force", games.display());
    for step in 0.. {
        let fault = Fault::at(&folder.0, step, true);
        let done = run(&line, &out);
        if !fault.struck() {
            assert_eq!((step, done), (2, Ok(())));
            break;
        }
        let error = done.unwrap_err();
        assert!(error.contains("result.sgf: No space left") && !error.contains('\n'), "{error}");
        assert_eq!((fs::read(&out).unwrap(), fs::read_dir(&folder.0).unwrap().count()), (b"mine".to_vec(), 2));
    }
    assert!(fs::read_to_string(&out).unwrap().starts_with("(;"));
}

/// Lets some steps of work in a folder fail, with all after them, and does it again.
fn goes_on(name: &str, steps: &[usize], work: impl Fn(&Path) -> Result<(), String>) {
    let folder = Folder::new(name);
    let out = folder.0.join("run");
    for &step in steps {
        folder.clear();
        let fault = Fault::at(&folder.0, step, true);
        let error = work(&out).unwrap_err();
        assert!(fault.struck() && error.contains("No space left"), "{step}: {error}");
        assert!(error.starts_with(out.to_str().unwrap()) && !error.contains('\n'), "{step}: {error}");
        drop(fault);
        work(&out).unwrap();
    }
}

#[test]
fn a_match_and_a_proof_go_on_where_they_were() {
    goes_on("match", &[1, 6, 11], |out| {
        let line = "match --variant amazons6 --games 2 --engine cmd=self name=a --engine cmd=self name=b --each nodes=5 \
                    --resume --out OUT";
        run(line, out)?;
        assert_eq!(fs::read_to_string(out.join("games.jsonl")).unwrap().lines().count(), 2);
        assert!(out.join("result.json").exists());
        Ok(())
    });
    // The command has its folder until its process ends.
    goes_on("solve", &[1, 2, 3], |out| {
        let options = Options { hash: 1 << 20, ..Options::default() };
        let run = Run::new(&variant::find("amazons").unwrap(), "1qq1/q2q/Q2Q/1QQ1 w - - 0 1", Some(out), options);
        let ended = run.and_then(|run| run.work()).map_err(|error| error.to_string())?;
        assert!(matches!(ended, Ended::Solved(solution) if !solution.wins));
        Ok(())
    });
}
