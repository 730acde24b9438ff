//! `hippolyta selfplay` and `merge` as a user sees them, and what is in their files.

use hippolyta::eval::Weights;
use hippolyta::eval::weights::{BoardSize, Tables};

use crate::child::{kill_until_done, until};
use crate::common::folder::Folder;
use hippolyta::games::amazons::Amazons;
use hippolyta::games::damone::Damone;
use hippolyta::games::desdemona::Desdemona;
use hippolyta::games::variant::{Family, VARIANTS, Variant};
use hippolyta::games::{Notation, Outcome, Side, Step};
use hippolyta_lab::training::record::{Ending, GameData, Header, Reader};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

impl Folder {
    fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hippolyta"));
        command.args(words.split_whitespace()).current_dir(&self.0);
        command
    }

    fn run(&self, words: &str) -> Output {
        self.command(words).output().unwrap()
    }

    fn done(&self, words: &str) {
        let output = self.run(words);
        assert!(output.status.success() && output.stderr.is_empty(), "{words}: {output:?}");
    }

    /// A run that is finished already says so.
    fn finished(&self, words: &str) {
        let output = self.run(words);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success() && said.ends_with(" is finished: nothing was left to do\n"), "{words}: {said}");
    }

    fn done_quietly(&self, words: &str) {
        assert!(self.run(words).status.success(), "{words}");
    }

    fn refused(&self, words: &str) -> String {
        let output = self.run(words);
        assert!(!output.status.success() && output.stdout.is_empty(), "{words}: {output:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(error.lines().count(), 1, "{error}");
        error
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.join(name)).unwrap()
    }
}

fn games(path: &Path) -> (Header, Vec<GameData>) {
    let bytes = fs::read(path).unwrap();
    let mut reader = Reader::new(&bytes[..]).unwrap();
    let mut games = Vec::new();
    while let Some(game) = reader.next().unwrap() {
        games.push(game);
    }
    (reader.header().clone(), games)
}

#[test]
fn shards_merge_to_the_bytes_of_one_run_whatever_the_threads() {
    let folder = Folder::new("shards");
    let run = "selfplay --variant amazons6 --games 13 --nodes 60 --seed 4 --inner-visits 9";
    folder.done(&format!("{run} --threads 2 --out whole.dat"));
    for shard in 0..3 {
        folder.done(&format!("{run} --threads 1 --shard {shard}/3 --out {shard}.dat"));
    }
    folder.done("merge 2.dat 0.dat 1.dat --out merged.dat");
    assert_eq!(folder.bytes("merged.dat"), folder.bytes("whole.dat"));
    let (header, games) = games(&folder.0.join("whole.dat"));
    assert_eq!((header.games, header.shard, header.variant.as_str()), (13, [0, 1], "amazons6"));
    assert_eq!(games.iter().map(|game| game.number).collect::<Vec<_>>(), (0..13).collect::<Vec<_>>());
    // Shards that do not make a whole are refused, and nothing is written.
    folder.done(&format!("{} --shard 0/3 --out other.dat", run.replace("--seed 4", "--seed 5")));
    for (words, message) in [
        ("merge 0.dat 2.dat --out no.dat", "4 of 13 games are missing, the first is game 1"),
        ("merge 0.dat 1.dat 2.dat 0.dat --out no.dat", "game 0 is in 0.dat and in 0.dat"),
        ("merge other.dat 1.dat 2.dat --out no.dat", "1.dat is of another run than other.dat: its seed differs"),
        ("merge 0.dat missing.dat --out no.dat", "missing.dat: "),
        ("merge 0.dat 1.dat 2.dat --out no/such/folder.dat", "there is no folder no/such"),
        (&format!("{run} --out whole.dat"), "whole.dat exists already"),
        (
            &format!("{run} --nodes 61 --out whole.dat --resume").replace("--nodes 60 ", ""),
            "whole.dat is of another run: its --nodes 60 → 61 differs",
        ),
        (&format!("{run} --shard 3/3 --out no.dat"), "I/N is expected, with I from 0 to N-1"),
    ] {
        let output = folder.run(words);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && error.contains(message), "{words}: {error}");
        assert!(!folder.0.join("no.dat").exists());
    }
    folder.done("merge 0.dat 2.dat --partial --out some.dat");
    let merged = folder.bytes("merged.dat");
    let error = folder.refused("merge 0.dat 2.dat --partial --out merged.dat");
    assert_eq!(error, "hippolyta: --out: merged.dat exists already; --force writes over it\n");
    assert_eq!(folder.bytes("merged.dat"), merged);
    folder.done("merge 0.dat 2.dat --partial --out merged.dat --force");
    assert_eq!(folder.bytes("merged.dat"), folder.bytes("some.dat"));
    let mut damaged = folder.bytes("0.dat");
    let last = damaged.len() - 1;
    damaged[last] ^= 1;
    fs::write(folder.0.join("damaged.dat"), damaged).unwrap();
    let error = folder.refused("merge damaged.dat 1.dat 2.dat --out no.dat");
    assert!(error.contains("damaged.dat: damaged at byte ") && error.contains("wrong checksum"), "{error}");
}

/// Bytes of the end of a data file, as `record` describes it.
const END: usize = 20;

#[test]
fn damaged_files_are_refused_by_every_command() {
    let folder = Folder::new("damaged-games");
    let run = "selfplay --variant amazons6 --games 13 --nodes 20 --seed 4 --threads 1";
    folder.done(&format!("{run} --out whole.dat"));
    let whole = folder.bytes("whole.dat");
    fs::write(folder.0.join("damaged.dat"), &whole).unwrap();
    let commands = [
        format!("{run} --out damaged.dat --resume"),
        "merge damaged.dat --out merged.dat".to_owned(),
        "fit damaged.dat --validation 2 --check".to_owned(),
    ];
    folder.finished(&commands[0]);
    folder.done(&commands[1]);
    assert_eq!(folder.bytes("merged.dat"), whole);
    fs::remove_file(folder.0.join("merged.dat")).unwrap();
    folder.done_quietly(&commands[2]);
    let header = 20 + u32::from_le_bytes(*whole[12..].first_chunk().unwrap()) as usize;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(6);
    for round in 0..240 {
        // The header and the end are shorter than the games: they get a third each.
        let region = [0..header, header..whole.len() - END, whole.len() - END..whole.len()][round % 3].clone();
        let place = random.random_range(region);
        let (head, tail) = whole.split_at(place);
        let block = &tail[..random.random_range(1..=tail.len().min(300))];
        let damaged = match random.random_range(0..5) {
            0 => [head, &[tail[0] ^ random.random_range(1..=255)], &tail[1..]].concat(),
            1 => head.to_vec(),
            2 => [head, &tail[block.len()..]].concat(),
            3 => [head, block, tail].concat(),
            _ => [head, &[random.random()], tail].concat(),
        };
        if damaged == whole {
            continue;
        }
        fs::write(folder.0.join("damaged.dat"), &damaged).unwrap();
        let error = folder.refused(&commands[round / 3 % 3]);
        let places = ["damaged header", "at byte ", "not a data file of Hippolyta", "format version "];
        assert!(
            error.starts_with("hippolyta: damaged.dat: ") && places.iter().any(|place| error.contains(place)),
            "{place}: {error}"
        );
        assert_eq!(folder.bytes("damaged.dat"), damaged);
    }
    assert!(!folder.0.join("merged.dat").exists());
    // A file that is good, but has not all games, is not a finished run.
    folder.done(&format!("{run} --shard 1/2 --out 1.dat"));
    folder.done("merge 1.dat --partial --out some.dat");
    let error = folder.refused(&format!("{run} --out some.dat --resume"));
    assert_eq!(error, "hippolyta: some.dat: 7 of 13 games are missing, the first is game 0\n");
}

#[test]
fn what_a_run_left_is_taken_up_or_refused_but_never_lost() {
    let folder = Folder::new("left");
    let run = "selfplay --variant amazons6 --games 9 --nodes 20 --seed 4 --threads 1";
    folder.done(&format!("{run} --out whole.dat"));
    let whole = folder.bytes("whole.dat");
    let unfinished = &whole[..whole.len() - END];
    let [out, partial] = ["cut.dat", "cut.dat.partial"].map(|name| folder.0.join(name));
    let go_on = format!("{run} --out cut.dat --resume");
    // Killed when all games were there, within a game, within the header, at once; and before the last file was
    // removed.
    for left in [unfinished, &unfinished[..unfinished.len() - 9], &unfinished[..100], &[]] {
        fs::write(&partial, left).unwrap();
        folder.done(&go_on);
        assert_eq!(folder.bytes("cut.dat"), whole);
        fs::write(&partial, left).unwrap();
        folder.finished(&go_on);
        assert!(!partial.exists() && folder.bytes("cut.dat") == whole);
        fs::remove_file(&out).unwrap();
    }
    // A file that is damaged otherwise, or somebody else's, stays as it is.
    let damaged = |place: usize| {
        let mut damaged = unfinished.to_vec();
        damaged[place] ^= 1;
        damaged
    };
    let middle = unfinished.len() / 2;
    for (left, message) in [
        (damaged(50), "damaged header: wrong checksum"),
        (damaged(middle), "; to keep the games before this place, cut the file there; to begin anew, remove it"),
        (b"a diary".to_vec(), "not a data file of Hippolyta"),
    ] {
        fs::write(&partial, &left).unwrap();
        let error = folder.refused(&go_on);
        assert!(error.starts_with("hippolyta: cut.dat.partial: ") && error.contains(message), "{error}");
        assert_eq!(fs::read(&partial).unwrap(), left);
    }
    // The games of a run that is not finished serve only those who know.
    fs::write(&partial, unfinished).unwrap();
    for words in ["merge cut.dat.partial --out no.dat", "fit cut.dat.partial --validation 2 --check"] {
        let error = folder.refused(words);
        assert!(error.contains("cut.dat.partial: no end after 9 frames, at byte "), "{error}");
    }
    folder.done("merge cut.dat.partial --partial --out some.dat");
    assert_eq!(folder.bytes("some.dat"), whole);
}

/// Ends a process as Ctrl-C or `kill` does.
#[cfg(unix)]
fn signal(child: &Child, signal: &str) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_goes_on() {
    let folder = Folder::new("interrupted");
    let partial = folder.0.join("cut.dat.partial");
    let size = || fs::metadata(&partial).map_or(0, |metadata| metadata.len());
    let begin = |words: &str, least: u64| {
        let mut child = folder.command(words).stderr(Stdio::piped()).spawn().unwrap();
        until("games", &mut child, || (size() >= least).then_some(()));
        child
    };
    // Searches that would take hours end at once, and nobody else writes the file meanwhile.
    let run = "selfplay --variant amazons6 --games 5 --nodes 1000000000 --threads 2 --out cut.dat";
    let child = begin(run, 1);
    let error = folder.refused(&format!("{run} --resume"));
    assert_eq!(error, "hippolyta: cut.dat.partial: another run is writing it\n");
    signal(&child, "-TERM");
    let output = child.wait_with_output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(143), "{error}");
    assert!(error.starts_with("hippolyta: interrupted; go on by: ") && error.ends_with(" --resume\n"), "{error}");
    fs::remove_file(&partial).unwrap();
    // An interrupted run goes on.
    let run = "selfplay --variant amazons6 --games 60 --nodes 300 --seed 8 --threads 2";
    let child = begin(&format!("{run} --out cut.dat"), 2_000);
    signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{error}");
    folder.done(&format!("{run} --out cut.dat --resume"));
    folder.done(&format!("{run} --out whole.dat"));
    assert!(folder.bytes("cut.dat") == folder.bytes("whole.dat") && !partial.exists());
}

#[test]
fn a_killed_run_goes_on_where_it_was() {
    let folder = Folder::new("killed");
    let run = "selfplay --variant amazons6 --games 40 --nodes 300 --seed 8 --threads 1";
    folder.done(&format!("{run} --out whole.dat"));
    let partial = folder.0.join("cut.dat.partial");
    let size = || fs::metadata(&partial).map_or(0, |metadata| metadata.len());
    let mut is_first = true;
    kill_until_done(
        || folder.command(&format!("{run} --out cut.dat --resume")).spawn().unwrap(),
        size,
        |before, now| now > before,
        || {
            // The last game may have been cut off in the middle of its bytes.
            if std::mem::take(&mut is_first) && size() > 0 {
                let file = fs::OpenOptions::new().write(true).open(&partial).unwrap();
                file.set_len(size() - 5).unwrap();
            }
        },
    );
    assert_eq!(folder.bytes("cut.dat"), folder.bytes("whole.dat"));
    assert!(!partial.exists());
    // Once more: nothing is left to do.
    folder.finished(&format!("{run} --out cut.dat --resume"));
}

/// Plays a recorded game by the rules.
fn replay<P: Notation>(variant: &Variant, game: &GameData) -> P {
    let mut position = P::from_fen(variant, variant.start()).unwrap();
    let play = |position: &mut P, code: u16| {
        let legal = position.steps();
        let step = legal.into_iter().find(|step| step.code() == code);
        position.play(step.unwrap_or_else(|| panic!("step {code} is not legal in {position:?}")));
    };
    for turn in &game.opening {
        turn.iter().for_each(|&code| play(&mut position, code));
        assert!(position.at_turn_start());
    }
    for turn in &game.turns {
        assert_eq!(turn.visits.len(), turn.steps.len());
        for (played, visits) in turn.steps.iter().zip(&turn.visits) {
            let legal: Vec<_> = position.steps().iter().map(|step| step.code()).collect();
            assert!(visits.iter().all(|(code, visits)| legal.contains(code) && *visits > 0));
            assert!(visits.windows(2).all(|pair| pair[0].1 >= pair[1].1));
            for inner in turn.inner.iter().filter(|_| position.at_turn_start()) {
                let mut below = position.clone();
                inner.path.iter().for_each(|&code| play(&mut below, code));
                assert!(below.at_turn_start() && inner.visits >= 7, "{inner:?}");
            }
            play(&mut position, *played);
        }
        assert!(position.at_turn_start());
    }
    position
}

fn check<P: Notation>(variant: &Variant, games: &[GameData], margin: impl Fn(&P) -> Option<i16>) {
    for game in games {
        let end: P = replay(variant, game);
        let result = |outcome| match outcome {
            Outcome::Win(Side::White) => 2,
            Outcome::Draw => 1,
            Outcome::Win(Side::Black) => 0,
        };
        match game.ending {
            Ending::Rules => assert_eq!(end.outcome().map(result), Some(game.result)),
            Ending::Proven => assert_eq!(end.outcome(), None),
            Ending::TooLong => assert_eq!((game.turns.len(), game.result), (60, 1)),
        }
        assert_eq!(game.margin, margin(&end), "{game:?}");
        if let (Some(margin), Ending::Proven) = (game.margin.filter(|&margin| margin != 0), game.ending)
            && variant.family() == Family::Amazons
        {
            assert_eq!(margin > 0, game.result == 2);
        }
    }
}

#[test]
fn recorded_games_are_legal_and_end_as_recorded_in_every_rule_set() {
    for variant in VARIANTS {
        let folder = Folder::new(&format!("records-{}", variant.name()));
        for more in ["", "--play-on"] {
            let options = "--games 6 --nodes 90 --seed 2 --inner-visits 7 --longest 60 --out";
            folder.done(&format!("selfplay --variant {} {options} a{more}.dat {more}", variant.name()));
            let (_, games) = games(&folder.0.join(format!("a{more}.dat")));
            assert_eq!(games.len(), 6);
            assert!(more.is_empty() || games.iter().all(|game| game.ending != Ending::Proven));
            assert!(games.iter().any(|game| game.turns.iter().any(|turn| !turn.inner.is_empty())));
            match variant.family() {
                Family::Amazons => {
                    check::<Amazons>(variant, &games, |end| {
                        hippolyta::endgame::amazons::margin_in_halves(end).map(|margin| margin as i16)
                    });
                }
                Family::Desdemona(_) => check::<Desdemona>(variant, &games, |end| Some(2 * end.margin() as i16)),
                Family::Damone(_) => check::<Damone>(variant, &games, |_| None),
                Family::General(_) => unreachable!("no such rule set is built in"),
            }
        }
    }
}

/// Weights that know nothing.
fn zeros() -> Vec<u8> {
    let mut tables = Weights::embedded().tables();
    // Shapes, owners and calibrations of which nothing is known have no table.
    tables.tables.retain(|(name, _)| ["shapes", "ownership", "calibration"].iter().all(|end| !name.ends_with(end)));
    tables.tables.iter_mut().for_each(|(_, table)| table.fill(0));
    tables.to_bytes()
}

/// The last number of the first line that begins like this.
fn number(output: &Output, line: &str) -> f64 {
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().find(|found| found.starts_with(line)).unwrap_or_else(|| panic!("{line}: {output:?}"));
    line.split(' ').next_back().unwrap().parse().unwrap()
}

fn table<'a>(tables: &'a Tables, name: &str) -> &'a [i32] {
    &tables.tables.iter().find(|(known, _)| known == name).unwrap().1
}

#[test]
fn what_is_learned_from_a_few_games_beats_what_knows_nothing() {
    let folder = Folder::new("learning");
    fs::write(folder.0.join("zero.bin"), zeros()).unwrap();
    let games = "selfplay --variant amazons6 --games 300 --nodes 100 --seed 6 --eval-file zero.bin --out games.dat";
    folder.done(games);
    let fit = "fit games.dat --start zero.bin --epochs 8 --rate 0.03 --policy-every 1 --out";
    let output = folder.run(&format!("{fit} learned.bin --curves curves.svg"));
    assert!(output.status.success(), "{output:?}");
    assert!((number(&output, "value epoch 0") - 2.0f64.ln()).abs() < 1e-4, "{output:?}");
    assert!(number(&output, "value epoch 8") < number(&output, "value epoch 0") - 0.02, "{output:?}");
    assert_eq!(String::from_utf8(folder.bytes("curves.svg")).unwrap().matches("<polyline").count(), 6);
    let refused = folder.run(&format!("{fit} another.bin --curves curves.svg"));
    assert!(String::from_utf8(refused.stderr).unwrap().contains("--curves: curves.svg exists already; --force"));
    assert!((number(&output, "ownership epoch 0") - 3.0f64.ln()).abs() < 1e-4, "{output:?}");
    assert!(number(&output, "ownership epoch 8") < 0.9, "{output:?}");
    // Searches that know nothing prefer nothing; those that have learned teach a policy.
    folder.done(&games.replace("zero.bin", "learned.bin").replace("games.dat", "second.dat"));
    let second = folder.run(&format!("{fit} second.bin").replace("games.dat", "second.dat"));
    assert!(number(&second, "policy epoch 8") < number(&second, "policy epoch 0") - 0.05, "{second:?}");
    folder.done_quietly(&format!("{fit} again.bin"));
    assert_eq!(folder.bytes("again.bin"), folder.bytes("learned.bin"));
    let output = folder.run(
        "match --engine cmd=self name=learned option.EvalFile=learned.bin --engine cmd=self name=zero option.EvalFile=zero.bin \
         --each nodes=100 option.Hash=4 --variant amazons6 --games 40 --concurrency 2 --book-plies 2 --out result",
    );
    assert!(output.status.success(), "{output:?}");
    let result: serde_json::Value = serde_json::from_slice(&folder.bytes("result/result.json")).unwrap();
    assert!(result["pairings"][0]["wins"].as_u64().unwrap() >= 30, "{result}");
    // Inputs that cannot be learned from are refused.
    folder.done("selfplay --variant iago --games 3 --nodes 10 --out iago.dat");
    fs::write(folder.0.join("bad.bin"), b"HIPPOWTS").unwrap();
    for (words, message) in [
        (
            "fit games.dat iago.dat --out no.bin",
            "iago.dat: games of iago, which are not learned together with those of 'amazons'",
        ),
        ("fit games.dat --validation 1000 --start bad.bin --out no.bin", "--start: bad.bin: not a weights file"),
        ("fit zero.bin --out no.bin", "zero.bin: not a data file of Hippolyta"),
        ("fit missing.dat --out no.bin", "missing.dat: "),
    ] {
        let error = folder.refused(words);
        assert!(error.contains(message), "{words}: {error}");
    }
}

#[test]
fn shapes_are_learned_while_all_other_weights_stay() {
    let folder = Folder::new("shapes");
    folder.done("selfplay --variant amazons6 --games 40 --nodes 20 --seed 3 --inner-visits 5 --out games.dat");
    folder.done_quietly("fit games.dat --only shapes --epochs 3 --policy-every 1 --inner-every 1 --out learned.bin");
    let learned = Weights::load(&folder.0.join("learned.bin")).unwrap().tables();
    let known = Weights::embedded().tables();
    for part in ["", ".hidden", ".draws", ".policy", ".shapes", ".policy-shapes", ".ownership"] {
        // Those of the size, or before they had their own those that sizes share.
        let own = learned.tables.iter().find(|(name, _)| *name == format!("amazons@6x6{part}"));
        let shared = ["amazons@6x6", "amazons"].map(|group| format!("{group}{part}"));
        let before = shared.iter().find_map(|name| known.tables.iter().find(|(known, _)| known == name));
        let stayed = own.map(|(_, table)| table) == before.map(|(_, table)| table);
        assert_eq!(stayed, !part.ends_with("shapes"), "{part}");
    }
    // Another family.
    folder.done("selfplay --variant iago --games 30 --nodes 10 --seed 3 --out iago.dat");
    folder.done_quietly("fit iago.dat --only shapes --epochs 3 --policy-every 1 --out iago.bin");
    let learned = Weights::load(&folder.0.join("iago.bin")).unwrap().tables();
    let changed: Vec<_> = learned.tables.iter().filter(|table| !known.tables.contains(table)).collect();
    let names: Vec<_> = changed.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["iago.shapes", "iago.policy-shapes"]);
    assert!(folder.refused("fit iago.dat --only ownership --out no.bin").contains("no owners of squares are learned"));
    folder.done("selfplay --variant damone --games 8 --nodes 10 --longest 20 --out damone.dat");
    assert!(folder.refused("fit damone.dat --only shapes --out no.bin").contains("no shapes are learned of 'damone'"));
}

#[test]
fn a_calibration_changes_what_is_shown_and_nothing_that_is_searched() {
    let folder = Folder::new("calibration");
    let calibrate = "calibrate games --games 12 --nodes 60 --many 200 --many-every 4 --only amazons@6x6,iago";
    let first = folder.run(&format!("{calibrate} --out first.bin"));
    assert!(first.status.success() && first.stderr.is_empty(), "{first:?}");
    let text = String::from_utf8(first.stdout).unwrap();
    assert!(text.contains("## amazons@6x6\n\n12 games\n") && text.contains("## iago\n\n12 games\n"), "{text}");
    // A run that was killed goes on, and comes to the same.
    let (file, whole) = ("games/iago.jsonl", folder.bytes("games/iago.jsonl"));
    fs::write(folder.0.join(file), &whole[..whole.len() * 2 / 3]).unwrap();
    folder.done_quietly(&format!("{calibrate} --out second.bin --threads 1"));
    assert_eq!(folder.bytes("second.bin"), folder.bytes("first.bin"));
    let (known, calibrated) = (Weights::embedded().tables(), Tables::from_bytes(&folder.bytes("first.bin")).unwrap());
    let changed: Vec<_> = calibrated.tables.iter().filter(|table| !known.tables.contains(table)).collect();
    let names: Vec<_> = changed.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["amazons@6x6.calibration", "iago.calibration"]);
    // Percentages of given weights can be checked as they are, by games that they were not fitted to.
    let checked = |words: &str| {
        let output = folder.run(&format!("{calibrate} --check {words}"));
        String::from_utf8(output.stdout).unwrap()
    };
    let rows = |text: &str, name: &str| -> Vec<String> {
        text.lines().filter(|line| line.contains(name)).map(str::to_owned).collect()
    };
    let (built_in, own) = (checked(""), checked("--eval-file first.bin"));
    for checked in [&built_in, &own] {
        assert_eq!(rows(checked, "| before |"), rows(&text, "| before |"));
    }
    assert!(
        rows(&built_in, "| after |").len() == 12 && rows(&own, "| after |") != rows(&built_in, "| after |"),
        "{own}"
    );
    // Calibrated weights give equal turns with equal effort, and other percentages.
    let ask = |words: &str| {
        let mut command = folder.command(&format!("analyse {words}"));
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let query = "{\"id\":\"a\",\"variant\":\"iago\",\"maxNodes\":3000}\n";
        child.stdin.take().unwrap().write_all(query.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        serde_json::from_str::<serde_json::Value>(text.lines().next_back().unwrap()).unwrap()
    };
    let [plain, shown] = ["", "--eval-file first.bin"].map(ask);
    for field in ["searchWinrate", "searchDraw", "visits", "nodes"] {
        assert_eq!(plain["rootInfo"][field], shown["rootInfo"][field], "{field}");
    }
    assert_eq!(plain["moveInfos"][0]["pv"], shown["moveInfos"][0]["pv"]);
    assert_ne!(shown["rootInfo"]["winrate"], shown["rootInfo"]["searchWinrate"]);
    for (words, message) in [
        (format!("{calibrate} --out first.bin"), "first.bin exists already"),
        (format!("{} --out no.bin", calibrate.replace("60", "61")), "the run was begun with other options: --nodes"),
        (calibrate.replace("iago", "chess"), "--only: 'chess' is none of amazons@10x10, amazons@8x8"),
    ] {
        let error = folder.refused(&words);
        assert!(error.contains(message), "{words}: {error}");
    }
}

#[test]
fn who_owns_the_squares_is_learned_alone_and_comes_true() {
    let folder = Folder::new("ownership");
    folder.done("selfplay --variant amazons6 --games 120 --nodes 30 --seed 4 --play-on --out games.dat");
    let fit =
        "fit games.dat --start bootstrap --only ownership --epochs 6 --policy-every 1 --validation 4 --out learned.bin";
    let output = folder.run(fit);
    assert!(output.status.success(), "{output:?}");
    assert!((number(&output, "ownership epoch 0") - 3.0f64.ln()).abs() < 1e-4, "{output:?}");
    assert!(number(&output, "ownership epoch 6") < 0.8, "{output:?}");
    let learned = Tables::from_bytes(&folder.bytes("learned.bin")).unwrap();
    let before = Weights::bootstrap().with_amazons_size(BoardSize::new(6, 6).unwrap()).tables();
    let new: Vec<_> = learned.tables.iter().filter(|table| !before.tables.contains(table)).collect();
    assert_eq!(new.iter().map(|(name, _)| name).collect::<Vec<_>>(), ["amazons@6x6.ownership"]);
    let check = folder.run("fit games.dat --start learned.bin --check --validation 4");
    let text = String::from_utf8(check.stdout).unwrap();
    let (_, owned) = text.split_once("| owned in the end |").unwrap();
    let share = |row: &str| -> [f64; 2] {
        let cell = owned.lines().find(|line| line.starts_with(row)).unwrap().split('|').nth(2).unwrap();
        let (predicted, observed) = cell.split_once('→').unwrap();
        [predicted, observed].map(|number| number.trim().parse().unwrap())
    };
    let [predicted, observed] = share("| 20–30 % |");
    assert!((20.0..=30.0).contains(&predicted) && (10.0..=40.0).contains(&observed), "{text}");
    assert!(owned.contains("| expected lead in turns | margin of the game |"), "{text}");
}

#[test]
fn with_rate_0_a_fit_changes_no_weight() {
    let folder = Folder::new("rate-0");
    // A file says by which fit it was made as well, which differs.
    let tables = |name: &str| Tables::from_bytes(&folder.bytes(name)).unwrap();
    let embedded = Weights::embedded().tables();
    let fit = "--epochs 1 --rate 0 --validation 4 --threads 1 --inner-every 1";
    // A rule set of each group of weights.
    for variant in [
        "amazons6",
        "desdemona",
        "cassio",
        "iago",
        "desdemona-early",
        "desdemona-early-border",
        "damone",
        "damone-imperatore",
    ] {
        folder.done(&format!(
            "selfplay --variant {variant} --games 24 --nodes 30 --seed 3 --inner-visits 6 --out {variant}.dat"
        ));
        let output = folder.run(&format!("fit {variant}.dat {fit} --out {variant}.bin"));
        assert!(output.status.success(), "{variant}: {output:?}");
        assert!(tables(&format!("{variant}.bin")) == embedded, "{variant}");
        for what in ["value", "policy"] {
            let [before, after] = [0, 1].map(|epoch| number(&output, &format!("{what} epoch {epoch}")));
            assert_eq!(before, after, "{variant}");
        }
        // The positions that were learned from, evaluated as in play. Desdemona and its relatives are learned from just
        // those that are not certain.
        if !variant.starts_with("damone") && !variant.starts_with("amazons") {
            let calibrated =
                folder.run(&format!("fit {variant}.dat --calibrate --validation 4 --out calibrated-{variant}"));
            let [learned, in_use] =
                [(&output, "value epoch 0"), (&calibrated, "before")].map(|(output, line)| number(output, line));
            // In play, sums of shapes are cut to 8/255 of a square. Cassio has none.
            let tolerance = if variant == "cassio" { 2e-5 } else { 1e-3 };
            assert!((learned - in_use).abs() < tolerance, "{variant}: {learned} {in_use}");
        }
    }
    // From other weights: those of before, none at all, and with one table that was learned, and a calibration.
    let bootstrap = Weights::bootstrap().tables();
    let zero = Tables::from_bytes(&zeros()).unwrap();
    zero.save(&folder.0.join("zero.bin")).unwrap();
    for variant in ["amazons6", "iago", "damone"] {
        let data = format!("{variant}.dat {fit}");
        folder.done_quietly(&format!("fit {data} --start bootstrap --out bootstrap-{variant}.bin"));
        assert!(tables(&format!("bootstrap-{variant}.bin")) == bootstrap, "{variant}");
        folder.done_quietly(&format!("fit {data} --start zero.bin --out zero-{variant}.bin"));
        assert!(tables(&format!("zero-{variant}.bin")) == zero, "{variant}");
        folder.done_quietly(&format!("fit {variant}.dat --epochs 2 --validation 4 --out learned-{variant}.bin"));
        folder.done_quietly(&format!("fit {data} --start learned-{variant}.bin --out again-{variant}.bin"));
        let learned = tables(&format!("learned-{variant}.bin"));
        assert!(learned != embedded && tables(&format!("again-{variant}.bin")) == learned, "{variant}");
    }
    folder.done_quietly(&format!("fit iago.dat {fit} --start calibrated-iago --out again-calibrated"));
    assert!(tables("again-calibrated") == tables("calibrated-iago"));
    folder.done_quietly(&format!("fit iago.dat {fit} --start built-in --out built-in.bin"));
    assert!(tables("built-in.bin") == embedded);
}

#[test]
fn a_few_games_do_not_spoil_what_was_learned() {
    let folder = Folder::new("few-games");
    for variant in ["amazons6", "iago"] {
        folder.done(&format!("selfplay --variant {variant} --games 90 --nodes 60 --seed 5 --out {variant}.dat"));
        let output = folder.run(&format!("fit {variant}.dat --validation 3 --out {variant}.bin"));
        let text = String::from_utf8(output.stdout).unwrap();
        for what in ["value", "policy"] {
            // Losses of training and validation after each epoch.
            let losses: Vec<[f64; 2]> = text
                .lines()
                .filter(|line| line.starts_with(what))
                .map(|line| {
                    let words: Vec<&str> = line.split(' ').collect();
                    [words[4], words[6]].map(|loss| loss.parse().unwrap())
                })
                .collect();
            assert_eq!(losses.len(), 5, "{text}");
            assert!(losses.iter().all(|[_, validation]| *validation < losses[0][1] + 0.01), "{variant}: {text}");
            assert!(losses[4][0] < losses[0][0] - 0.0002, "{variant}: {text}");
        }
    }
}

#[test]
fn a_fit_replaces_nothing_unasked_and_needs_enough_games() {
    let folder = Folder::new("refused-fits");
    folder.done("selfplay --variant amazons6 --games 24 --nodes 30 --seed 3 --out games.dat");
    fs::write(folder.0.join("out.bin"), "mine").unwrap();
    for more in ["", " --calibrate"] {
        let fit = format!("fit games.dat --epochs 1 --validation 4{more} --out");
        assert!(folder.refused(&format!("{fit} out.bin")).contains("out.bin exists already"));
        assert_eq!(folder.bytes("out.bin"), b"mine");
        assert!(folder.refused(&format!("{fit} .")).contains(". is a folder"));
        folder.done_quietly(&format!("{fit} out.bin --force"));
        assert!(Tables::from_bytes(&folder.bytes("out.bin")).is_ok());
        fs::write(folder.0.join("out.bin"), "mine").unwrap();
    }
    // The checkpoint of a fit stays as well, and so does the fit when its weights cannot be written.
    let (partial, fit) = (folder.0.join("cut.bin.partial"), "fit games.dat --epochs 1 --validation 4 --out cut.bin");
    fs::write(&partial, "mine").unwrap();
    assert!(folder.refused(fit).contains("cut.bin.partial is an unfinished run: --resume goes on with it"));
    let foreign = "cut.bin.partial: not a checkpoint of a fit; remove it to begin anew";
    assert!(folder.refused(&format!("{fit} --resume")).contains(foreign));
    assert_eq!(fs::read(&partial).unwrap(), b"mine");
    folder.done_quietly(&format!("{fit} --force"));
    assert!(!partial.exists());
    // Of a fit that was killed between writing its weights and removing the checkpoint, both are there.
    let whole = folder.bytes("cut.bin");
    assert!(folder.refused(fit).contains("cut.bin exists already"));
    folder.done_quietly(&format!("{fit} --resume --force"));
    assert!(folder.bytes("cut.bin") == whole);
    // Too few games: of eight one is left aside; of those with odd numbers, none is.
    folder.done("selfplay --variant amazons6 --games 8 --nodes 30 --seed 3 --out few.dat");
    folder.done("selfplay --variant amazons6 --games 48 --nodes 30 --seed 3 --shard 1/2 --out odd.dat");
    for (words, message) in [
        ("few.dat", "not enough games: 7 games to learn from, and at least 8 must be there"),
        ("odd.dat --validation 2", "not enough games: 0 positions in games left aside"),
        ("few.dat --calibrate", "not enough games: 7 games to learn from"),
    ] {
        let error = folder.refused(&format!("fit {words} --out no.bin"));
        assert!(error.contains(message), "{words}: {error}");
    }
    assert!(folder.refused("fit odd.dat --check --validation 2").contains("0 positions in games left aside"));
    assert!(!folder.0.join("no.bin").exists() && folder.bytes("cut.bin") == whole);
}

#[test]
fn a_size_of_board_is_learned_for_itself() {
    let folder = Folder::new("sizes");
    let boards = [("square", "1q1q1/5/5/5/1Q1Q1 w"), ("upright", "q2q/4/4/4/4/Q2Q w"), ("wide", "q4q/6/6/Q4Q w")];
    for (name, fen) in boards {
        let mut command = folder.command("selfplay --games 300 --nodes 30 --opening-turns 2 --out");
        let output = command.arg(format!("{name}.dat")).args(["--fen", fen]).output().unwrap();
        assert!(output.status.success(), "{name}: {output:?}");
    }
    let changed = |files: &str, start: &str, out: &str| {
        folder.done_quietly(&format!("fit {files} --start {start} --epochs 1 --validation 4 --out {out}"));
        let tables = |bytes: Vec<u8>| Tables::from_bytes(&bytes).unwrap().tables;
        let before = match start {
            "built-in" => Weights::embedded().tables().tables,
            file => tables(folder.bytes(file)),
        };
        let after = tables(folder.bytes(out));
        let new = after.iter().filter(|table| !before.contains(table));
        let owners: BTreeSet<String> = new.map(|(name, _)| name.split('.').next().unwrap().to_owned()).collect();
        // Tables that were fitted anew are shown without the calibration of before.
        let mut lasting = before.iter().filter(|(name, _)| !name.ends_with(".calibration"));
        assert!(lasting.all(|(name, _)| after.iter().any(|(known, _)| known == name)));
        owners.into_iter().collect::<Vec<_>>()
    };
    assert_eq!(changed("square.dat", "built-in", "one.bin"), ["amazons@5x5"]);
    // It is played with on boards of that size.
    for (fen, code) in [(boards[0].1, 0), (boards[1].1, 1)] {
        let mut play = folder.command("play --nodes 1 --eval-file one.bin --fen");
        let output = play.arg(fen).stdin(Stdio::null()).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{fen}: {output:?}");
    }
    // A second size leaves the first alone, and a board turned by a right angle is no other one.
    assert_eq!(changed("upright.dat", "one.bin", "two.bin"), ["amazons@4x6"]);
    assert_eq!(changed("wide.dat upright.dat", "two.bin", "three.bin"), ["amazons@4x6"]);
    // Games of several sizes teach what those share that have nothing of their own.
    assert_eq!(changed("square.dat wide.dat", "three.bin", "four.bin"), ["amazons"]);
    // On boards of other sizes the evaluation is the same as before.
    let evaluation = |fen: &str, weights: &str| {
        let mut engine = folder.command("").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input = format!("setoption name EvalFile value {weights}\nposition fen {fen}\neval\nquit\n");
        engine.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let text = String::from_utf8(engine.wait_with_output().unwrap().stdout).unwrap();
        text.lines().skip_while(|line| !line.starts_with("Term ")).collect::<Vec<_>>().join("\n")
    };
    for (fen, same) in [("1q4/6/6/6/6/4Q1 w", true), (boards[0].1, false), (boards[1].1, false), (boards[2].1, false)] {
        assert_eq!(evaluation(fen, "<built-in>") == evaluation(fen, "three.bin"), same, "{fen}");
    }
}

/// Learns a rule set from nothing, and checks that only its tables have changed, and that predictions get better and
/// roughly come true.
fn learn(variant: &str, group: &str, games: &str) -> Folder {
    let folder = Folder::new(&format!("learning-{group}"));
    fs::write(folder.0.join("zero.bin"), zeros()).unwrap();
    folder.done(&format!(
        "selfplay --variant {variant} {games} --inner-visits 6 --seed 6 --eval-file zero.bin --out games.dat"
    ));
    let fit = "fit games.dat --start zero.bin --epochs 3 --validation 4 --inner-every 1 --out learned.bin";
    let output = folder.run(fit);
    assert!(output.status.success(), "{output:?}");
    assert!(number(&output, "value epoch 3") < number(&output, "value epoch 0") - 0.02, "{output:?}");
    let [before, after] = ["zero.bin", "learned.bin"].map(|name| Tables::from_bytes(&folder.bytes(name)).unwrap());
    for (name, old) in &before.tables {
        let own = name.split('.').next() == Some(group);
        assert_eq!(table(&after, name) != &old[..], own, "{name}");
    }
    assert!(after.notes.lines().any(|line| line.starts_with(&format!("{group}: fitted to "))), "{}", after.notes);
    let output = folder.run("fit games.dat --start learned.bin --validation 4 --check");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().filter(|line| line.starts_with("| ")).count(), 12, "{text}");
    let line = text.lines().find(|line| line.starts_with("Mean error")).unwrap();
    let errors: Vec<f64> = line.split(" %").filter_map(|part| part.split(' ').next_back()?.parse().ok()).collect();
    assert!(errors.len() == 3 && errors.iter().all(|&error| error < 25.0), "{text}");
    folder
}

#[test]
fn a_rule_set_with_stones_is_learned_from_a_few_games() {
    learn("iago", "iago", "--games 200 --nodes 40");
}

#[test]
fn damone_is_learned_from_a_few_games_and_a_killed_fit_goes_on() {
    let folder = learn("damone", "damone", "--games 60 --nodes 100");
    let fit = "fit games.dat --start zero.bin --epochs 12 --inner-every 1 --policy-every 1 --out";
    folder.done_quietly(&format!("{fit} whole.bin --curves whole.svg"));
    let partial = folder.0.join("cut.bin.partial");
    let words = format!("{fit} cut.bin --resume --curves cut.svg");
    kill_until_done(
        || folder.command(&words).stdout(Stdio::null()).spawn().unwrap(),
        || fs::read(&partial).ok(),
        |before, now| now != before,
        || _ = fs::copy(&partial, folder.0.join("other.bin.partial")).unwrap(),
    );
    for (cut, whole) in [("cut.bin", "whole.bin"), ("cut.svg", "whole.svg")] {
        assert_eq!(folder.bytes(cut), folder.bytes(whole));
    }
    assert!(!partial.exists());
    // Checkpoints of another fit and of other versions are refused.
    let error = folder.refused(&format!("{fit} other.bin --resume --policy-every 2").replace("--policy-every 1 ", ""));
    assert!(
        error.contains("other.bin.partial is of a fit with other options: --policy-every 1 → 2; remove it to"),
        "{error}"
    );
    fs::remove_file(folder.0.join("cut.bin")).unwrap();
    fs::write(&partial, b"HIPPOFI2\x07\x01\0\0{").unwrap();
    let error = folder.refused(&format!("{fit} cut.bin --resume"));
    assert!(
        error.contains("cut.bin.partial: the checkpoint of another version of this program; go on with "),
        "{error}"
    );
}
