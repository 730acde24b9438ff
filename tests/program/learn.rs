//! `hippolyta learn` as a user sees it.

use crate::child::until;
use crate::common::files_below_all;
use crate::common::folder::Folder;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const FEN: &str = "1q1q1/q3q/5/Q3Q/1Q1Q1 w - - 0 1";
/// A run of two generations that takes seconds.
const RUN: &str = "--generations 2 --games 25 --nodes 16 --start bootstrap --seed 3 --shard-size 7 --opening-turns 2 \
                   --gate-games 7 --gate-shard-size 2 --gate-opening-turns 2 --epochs 2 --validation 5";

fn learn(folder: &Folder, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hippolyta"));
    command.arg("learn").args(words.split_whitespace()).current_dir(&folder.0).stdin(Stdio::null());
    command
}

/// The command with the settings of [`RUN`] on 5×5.
fn whole(folder: &Folder, words: &str) -> Command {
    let mut command = learn(folder, &format!("{RUN} {words}"));
    command.args(["--fen", FEN]);
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn done(mut command: Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {output:?}");
    assert_eq!(text(&output.stderr), "", "{command:?}");
    text(&output.stdout)
}

fn refused(mut command: Command, code: i32) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let error = text(&stderr);
    assert_eq!((status.code(), text(&stdout).as_str(), error.lines().count()), (Some(code), "", 1), "{error}");
    error
}

/// All files of a run but the lock, which names a process.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let name = |path: &Path| path.strip_prefix(folder).unwrap().display().to_string();
    let all = files_below_all(folder).into_iter().map(|path| (name(&path), fs::read(&path).unwrap()));
    all.filter(|(name, _)| name != "lock").collect()
}

fn assert_same(found: &BTreeMap<String, Vec<u8>>, expected: &BTreeMap<String, Vec<u8>>) {
    let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(found), names(expected));
    let differing: Vec<_> =
        found.iter().filter(|(name, bytes)| *bytes != &expected[*name]).map(|(name, _)| name).collect();
    assert!(differing.is_empty(), "{differing:?}");
}

fn tasks(folder: &Folder, out: &str) -> Vec<Value> {
    let lines = done(learn(folder, &format!("--out {out} --tasks")));
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_bytes_are_the_same_whoever_does_the_tasks_and_however_often_a_run_is_killed() {
    let folder = Folder::new("learn");
    let said = done(whole(&folder, "--out plain --threads 1"));
    let steps: Vec<_> = said.lines().map(|line| line.split(": ").take(2).collect::<Vec<_>>().join(": ")).collect();
    let of = |g: u32| ["games", "fit", "verdict", "report"].map(|step| format!("generation {g}: {step}"));
    assert_eq!(steps, [of(1), of(2)].concat());
    let plain = files(&folder.0.join("plain"));
    for name in ["learn.json", "weights.bin", "report.html", "generation-2/games.dat", "generation-3/start.bin"] {
        assert!(plain.contains_key(name), "{name}: {:?}", plain.keys());
    }
    assert!(!plain.keys().any(|name| name.contains("shards") || name.contains("gate") || name.contains("partial")));
    let start = &plain["generation-1/start.bin"];
    assert!(plain["generation-1/candidate.bin"] != *start, "nothing was learned");
    let again = learn(&folder, "--out plain").output().unwrap();
    assert!(again.status.success() && again.stdout.is_empty(), "{again:?}");
    assert_eq!(text(&again.stderr), "hippolyta: plain is finished: nothing was left to do\n");

    // Killed at random moments.
    let mut random = Xoshiro256PlusPlus::seed_from_u64(Instant::now().elapsed().subsec_nanos().into());
    let mut kills = 0;
    let deadline = Instant::now() + Duration::from_secs(300);
    loop {
        let mut child = whole(&folder, "--out killed --threads 2").stdout(Stdio::null()).spawn().unwrap();
        let end = Instant::now() + Duration::from_millis(random.random_range(20..600));
        while child.try_wait().unwrap().is_none() && (Instant::now() < end || kills >= 12) {
            assert!(Instant::now() < deadline, "killed {kills} times, and no end");
            std::thread::sleep(Duration::from_millis(1));
        }
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success());
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
    }
    assert!(kills >= 2, "{kills}");
    assert_same(&files(&folder.0.join("killed")), &plain);

    // Task by task in any order, from another folder.
    done(whole(&folder, "--out shared --tasks"));
    let elsewhere = Folder::new("learn-elsewhere");
    let out = folder.path("shared");
    let mut names = Vec::new();
    loop {
        let ready = tasks(&elsewhere, &out);
        if ready.is_empty() {
            break;
        }
        let task = &ready[random.random_range(0..ready.len())];
        let there = |paths: &Value| {
            let paths =
                paths.as_array().unwrap().iter().map(|path| folder.0.join("shared").join(path.as_str().unwrap()));
            paths.map(|path| path.exists()).collect::<Vec<_>>()
        };
        assert!(there(&task["inputs"]).iter().all(|&there| there), "{task}");
        assert!(there(&task["outputs"]).contains(&false), "{task}");
        let name = task["task"].as_str().unwrap();
        let mut command = learn(&elsewhere, &format!("--out {out} --threads 2 --run"));
        command.arg(name);
        done(command);
        if !["merge", "fit", "judge"].contains(&task["kind"].as_str().unwrap()) {
            assert!(!there(&task["outputs"]).contains(&false), "{task}");
        }
        assert!(!names.contains(&name.to_owned()), "{name} twice");
        names.push(name.to_owned());
    }
    assert!(names.contains(&"play 1 3".to_owned()) && names.contains(&"report 2".to_owned()), "{names:?}");
    assert_same(&files(&folder.0.join("shared")), &plain);

    damage_is_found(&folder, &plain);
}

/// Damages files of the finished run, and lets it make them again.
fn damage_is_found(folder: &Folder, plain: &BTreeMap<String, Vec<u8>>) {
    let damaged = [
        "generation-1/games.dat",
        "generation-2/candidate.bin",
        "generation-1/result.json",
        "generation-2/report.html",
    ];
    for name in damaged {
        let mut bytes = plain[name].clone();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(folder.0.join("plain").join(name), bytes).unwrap();
    }
    let output = learn(folder, "--out plain --threads 2").output().unwrap();
    let error = text(&output.stderr);
    assert!(output.status.success(), "{error}");
    for name in damaged {
        let line = error.lines().find(|line| line.contains(name)).unwrap_or_else(|| panic!("{name}: {error}"));
        assert!(line.ends_with("; the file was removed, to be made again"), "{line}");
    }
    assert_same(&files(&folder.0.join("plain")), plain);
}

#[cfg(unix)]
#[test]
fn the_commands_of_the_guide_do_what_it_says() {
    let guide = include_str!("../../docs/learning.md");
    let commands: Vec<_> = guide.lines().filter(|line| line.starts_with("hippolyta learn ")).collect();
    assert_eq!(commands.len(), 4);
    // The last takes minutes: here with less of everything.
    let short = |command: &str| {
        let pairs = [("30000", "40"), ("500", "20"), ("300", "4"), ("1000", "20")];
        let words = command.split(' ').map(|word| pairs.iter().find(|pair| pair.0 == word).map_or(word, |pair| pair.1));
        words.collect::<Vec<_>>().join(" ")
    };
    let folder = Folder::new("learn-readme");
    let bin = Path::new(env!("CARGO_BIN_EXE_hippolyta")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    let said = commands.iter().map(|command| {
        let mut shell = Command::new("sh");
        shell.args(["-c", &short(command)]).current_dir(&folder.0).env("PATH", &path);
        done(shell).lines().count()
    });
    assert_eq!(said.collect::<Vec<_>>(), [4, 4, 0, 4]);
    for name in ["five/report.html", "five/weights.bin"] {
        assert!(guide.contains(&format!("`{name}`")) && folder.0.join(name).exists(), "{name}");
    }
}

#[test]
fn mistakes_get_one_clear_line_and_change_nothing() {
    let folder = Folder::new("learn-mistakes");
    let all = |words: &str| learn(&folder, &format!("{words} --generations 1 --games 9 --nodes 5"));
    assert!(refused(learn(&folder, "--out none"), 1).contains("none holds no run: to begin one, say --generations"));
    assert!(
        refused(learn(&folder, "--out none --games 5"), 1)
            .contains("a run begins with --generations, --games and --nodes")
    );
    assert!(refused(all("--out none --start no.bin"), 1).contains("--start: no.bin: No such file"));
    assert!(refused(all("--out none --fen q/Q"), 1).contains("--fen: FEN: a board of 1 files"));
    assert!(refused(all("--out none --sprt elo0=0"), 1).contains("--sprt: elo0= and elo1= are needed"));
    assert!(!folder.0.join("none").exists());
    fs::create_dir(folder.0.join("mine")).unwrap();
    fs::write(folder.0.join("mine/diary"), "dear").unwrap();
    assert!(refused(all("--out mine"), 1).contains("mine is not empty and holds no run; name another folder"));
    assert_eq!(files(&folder.0.join("mine")).len(), 1);

    done(all("--out run --tasks --variant amazons6 --start bootstrap"));
    let error = refused(all("--out run --variant amazons6 --window 3 --seed 8"), 1);
    assert!(error.contains("run holds a run with other options: "), "{error}");
    for difference in ["--seed 0 → 8", "--window 2 → 3", "--start name bootstrap → built-in"] {
        assert!(error.contains(difference), "{difference}: {error}");
    }
    let run = |task: &str| {
        let mut command = learn(&folder, "--out run --run");
        command.arg(task);
        command
    };
    assert!(refused(run("dance 1"), 1).contains("no task of this run: 'dance 1'"));
    assert!(refused(run("play 2 0"), 1).contains("no task of this run: 'play 2 0'"));
    let waits = refused(run("merge 1"), 75);
    assert!(waits.contains("'merge 1' must wait: ") && waits.contains("0000.dat is not there yet"), "{waits}");
    fs::write(folder.0.join("run/learn.json"), "{}").unwrap();
    assert!(refused(learn(&folder, "--out run --tasks"), 1).contains("learn.json: the field '"));
}

#[test]
fn a_folder_belongs_to_one_run_at_a_time_and_tasks_wait() {
    let folder = Folder::new("learn-lock");
    let mut child =
        learn(&folder, "--out run --variant amazons6 --generations 1 --games 9 --nodes 100000000").spawn().unwrap();
    until("first shard", &mut child, || folder.0.join("run/generation-1/shards").exists().then_some(()));
    let said = format!("run is in use: process {} on ", child.id());
    assert!(refused(learn(&folder, "--out run"), 1).contains(&said));
    let mut command = learn(&folder, "--out run --run");
    command.arg("play 1 0");
    assert!(refused(command, 75).contains(&said));
    // Who only looks is let in.
    assert_eq!(tasks(&folder, "run")[0]["task"], "play 1 0");
    child.kill().unwrap();
    child.wait().unwrap();
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_one_line() {
    let folder = Folder::new("learn-full");
    let words = "learn --out run --variant amazons6 --generations 1 --games 9 --nodes 5 --start bootstrap --threads 1";
    let mut command = Command::new("sh");
    let program = env!("CARGO_BIN_EXE_hippolyta");
    command.args(["-c", &format!("ulimit -f 20; exec {program} {words}")]).current_dir(&folder.0);
    let error = refused(command, 1);
    assert!(error.starts_with("hippolyta: run/generation-1/start.bin: "), "{error}");
}
