//! The files of a run, and which task writes and reads each.

use super::error::LearnError;
use super::settings::{Keep, Settings};
use serde::Serialize;
use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

/// A file of a run; generations count from 1, shards from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum File {
    /// The weights that a generation plays with. The first ones come from the settings.
    Start(u64),
    /// A shard of a generation's games.
    Shard(u64, u64),
    /// All games of a generation.
    Games(u64),
    /// The summary of them that the report needs.
    Summary(u64),
    /// The weights that were fitted to them.
    Candidate(u64),
    /// The losses of that fit.
    Losses(u64),
    /// Some games of the gate.
    Gate(u64, u64),
    /// Some of the games that the percentages shown are fitted to at the end.
    Calibration(u64, u64),
    /// The verdict of the gate.
    Result(u64),
    /// The report up to this generation.
    Page(u64),
    /// The last report.
    LastPage,
    /// The last weights.
    LastWeights,
}

impl File {
    /// Its path in the folder of the run.
    pub fn path(self) -> String {
        match self {
            Self::Start(g) => format!("generation-{g}/start.bin"),
            Self::Shard(g, i) => format!("generation-{g}/shards/{i:04}.dat"),
            Self::Games(g) => format!("generation-{g}/games.dat"),
            Self::Summary(g) => format!("generation-{g}/games.json"),
            Self::Candidate(g) => format!("generation-{g}/candidate.bin"),
            Self::Losses(g) => format!("generation-{g}/losses.json"),
            Self::Gate(g, i) => format!("generation-{g}/gate/{i:04}.json"),
            Self::Calibration(g, i) => format!("generation-{g}/calibration/{i:04}.json"),
            Self::Result(g) => format!("generation-{g}/result.json"),
            Self::Page(g) => format!("generation-{g}/report.html"),
            Self::LastPage => "report.html".to_owned(),
            Self::LastWeights => "weights.bin".to_owned(),
        }
    }

    /// The task that writes it; `None` if no task does.
    fn writer(self, settings: &Settings) -> Option<Task> {
        Some(match self {
            Self::Start(1) => return None,
            Self::Start(g) => Task::Judge(g - 1),
            Self::Shard(g, i) => Task::Play(g, i),
            Self::Games(g) | Self::Summary(g) => Task::Merge(g),
            Self::Candidate(g) | Self::Losses(g) => Task::Fit(g),
            Self::Gate(g, i) => Task::Gate(g, i),
            Self::Calibration(g, i) => Task::Calibrate(g, i),
            Self::Result(g) => Task::Judge(g),
            Self::Page(g) => Task::Report(g),
            Self::LastPage => Task::Report(settings.generations),
            Self::LastWeights => Task::Judge(settings.generations),
        })
    }
}

/// A piece of work: a pure function from files of the run to other files of it. Generations count from 1, shards from
/// 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Task {
    /// A shard of a generation's self-play.
    Play(u64, u64),
    /// The shards of a generation become one file.
    Merge(u64),
    /// Weights are fitted to the games of a generation and those before.
    Fit(u64),
    /// Some games of the new weights against those before.
    Gate(u64, u64),
    /// Some games of the last weights, which the percentages shown are fitted to.
    Calibrate(u64, u64),
    /// The games decide which weights the next generation plays with.
    Judge(u64),
    /// The page with the curves, up to a generation.
    Report(u64),
}

impl Task {
    /// The first word of its name.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Play(..) => "play",
            Self::Merge(_) => "merge",
            Self::Fit(_) => "fit",
            Self::Gate(..) => "gate",
            Self::Calibrate(..) => "calibrate",
            Self::Judge(_) => "judge",
            Self::Report(_) => "report",
        }
    }

    /// Its generation, from 1.
    pub fn generation(self) -> u64 {
        match self {
            Self::Play(g, _) | Self::Gate(g, _) | Self::Calibrate(g, _) => g,
            Self::Merge(g) | Self::Fit(g) | Self::Judge(g) | Self::Report(g) => g,
        }
    }

    /// Whether a run with these settings has it.
    pub(super) fn is_of(self, settings: &Settings) -> bool {
        let shard = match self {
            Self::Play(_, i) => i < settings.shards(),
            Self::Gate(_, i) => i < settings.gate_shards(),
            Self::Calibrate(g, i) => g == settings.generations && i < settings.calibration_shards(),
            _ => true,
        };
        shard && (1..=settings.generations).contains(&self.generation())
    }

    /// The files that it reads, where `deciding` shards of the gate say which weights won.
    pub(super) fn inputs(self, settings: &Settings, deciding: u64) -> Vec<File> {
        let gate = |g| {
            let weights = [File::Start(g), File::Candidate(g)];
            weights.into_iter().chain((0..deciding).map(move |i| File::Gate(g, i)))
        };
        match self {
            Self::Play(g, _) => vec![File::Start(g)],
            Self::Merge(g) => (0..settings.shards()).map(|i| File::Shard(g, i)).collect(),
            Self::Fit(g) => [File::Start(g)].into_iter().chain(window(g, settings).map(File::Games)).collect(),
            Self::Gate(g, _) => vec![File::Start(g), File::Candidate(g)],
            Self::Calibrate(g, _) => gate(g).collect(),
            Self::Judge(g) => gate(g).chain(calibration_files(g, settings)).collect(),
            Self::Report(g) => (1..=g).flat_map(|g| [File::Summary(g), File::Losses(g), File::Result(g)]).collect(),
        }
    }

    /// The files that it writes.
    pub(super) fn outputs(self, settings: &Settings) -> Vec<File> {
        let is_last = self.generation() == settings.generations;
        match self {
            Self::Play(g, i) => vec![File::Shard(g, i)],
            Self::Merge(g) => vec![File::Games(g), File::Summary(g)],
            Self::Fit(g) => vec![File::Candidate(g), File::Losses(g)],
            Self::Gate(g, i) => vec![File::Gate(g, i)],
            Self::Calibrate(g, i) => vec![File::Calibration(g, i)],
            Self::Judge(g) if is_last => vec![File::Result(g), File::Start(g + 1), File::LastWeights],
            Self::Judge(g) => vec![File::Result(g), File::Start(g + 1)],
            Self::Report(g) if is_last => vec![File::Page(g), File::LastPage],
            Self::Report(g) => vec![File::Page(g)],
        }
    }

    /// How much work it is: games, where there are any.
    pub(super) fn units(self, settings: &Settings) -> u64 {
        match self {
            Self::Play(_, i) => (settings.games - i).div_ceil(settings.shards()),
            Self::Merge(_) => settings.games,
            Self::Fit(g) => settings.games * window(g, settings).count() as u64,
            Self::Gate(_, i) => 2 * gate_pairs(i, settings).count() as u64,
            Self::Calibrate(_, i) => settings.calibration_games_of(i).count() as u64,
            Self::Judge(_) | Self::Report(_) => 1,
        }
    }
}

/// The generations whose games the weights of one are fitted to.
pub(super) fn window(generation: u64, settings: &Settings) -> impl Iterator<Item = u64> + use<> {
    (generation + 1).saturating_sub(settings.window).max(1)..=generation
}

/// The numbers of the pairs of games of a shard of the gate.
pub(super) fn gate_pairs(shard: u64, settings: &Settings) -> std::ops::Range<u64> {
    let first = shard * settings.gate_shard_size;
    first..(first + settings.gate_shard_size).min(settings.gate_games)
}

/// The files with the games that percentages are fitted to: of the last generation.
pub(super) fn calibration_files(generation: u64, settings: &Settings) -> impl Iterator<Item = File> + use<> {
    let shards = if generation == settings.generations { settings.calibration_shards() } else { 0 };
    (0..shards).map(move |i| File::Calibration(generation, i))
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Play(g, i) | Self::Gate(g, i) | Self::Calibrate(g, i) => write!(f, "{} {g} {i}", self.kind()),
            _ => write!(f, "{} {}", self.kind(), self.generation()),
        }
    }
}

/// The run has no task of this name.
pub(super) fn no_task(name: &str) -> LearnError {
    LearnError::Unfit(format!("no task of this run: '{name}'"))
}

impl FromStr for Task {
    type Err = LearnError;

    fn from_str(text: &str) -> Result<Self, LearnError> {
        let unknown = || no_task(text);
        let mut words = text.split_ascii_whitespace();
        let kind = words.next().unwrap_or_default();
        let numbers: Vec<u64> = words.map(str::parse).collect::<Result<_, _>>().map_err(|_| unknown())?;
        match (kind, &numbers[..]) {
            ("play", &[g, i]) => Ok(Self::Play(g, i)),
            ("merge", &[g]) => Ok(Self::Merge(g)),
            ("fit", &[g]) => Ok(Self::Fit(g)),
            ("gate", &[g, i]) => Ok(Self::Gate(g, i)),
            ("calibrate", &[g, i]) => Ok(Self::Calibrate(g, i)),
            ("judge", &[g]) => Ok(Self::Judge(g)),
            ("report", &[g]) => Ok(Self::Report(g)),
            _ => Err(unknown()),
        }
    }
}

/// A task as `--tasks` prints it. Paths are relative to the folder of the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TaskLine {
    /// Its name, which `--run` takes.
    pub task: String,
    /// The kind of its work.
    pub kind: &'static str,
    /// Its generation, from 1.
    pub generation: u64,
    /// The files that it reads, besides `learn.json`. All are there.
    pub inputs: Vec<String>,
    /// The files that it writes. At least one is missing.
    pub outputs: Vec<String>,
    /// How much work it is: games, where there are any.
    pub units: u64,
}

/// Files that are there, and shards that decide a gate.
pub(super) trait World {
    /// Whether a file is there.
    fn has(&self, file: File) -> bool;

    /// Whether there may be any shard of a generation: of its games, of its gate, or of those that percentages are
    /// fitted to.
    fn has_any(&self, of: File) -> bool;

    /// The number of shards of a generation's gate that decide; `None` as long as more games are needed.
    fn deciding(&self, generation: u64) -> Result<Option<u64>, LearnError>;
}

/// The tasks that can be done now, earlier generations first. A task is there if somebody needs what it writes, and
/// what it reads is there.
pub(super) fn ready(settings: &Settings, world: &dyn World) -> Result<Vec<Task>, LearnError> {
    let mut wanted = Wanted { settings, world, seen: HashSet::new(), ready: Vec::new() };
    for file in lasting(settings, world)? {
        wanted.want(file)?;
    }
    let place = |task: &Task| match *task {
        Task::Play(g, i) => (g, 0, i),
        Task::Merge(g) => (g, 1, 0),
        Task::Fit(g) => (g, 2, 0),
        Task::Gate(g, i) => (g, 3, i),
        Task::Calibrate(g, i) => (g, 4, i),
        Task::Judge(g) => (g, 5, 0),
        Task::Report(g) => (g, 6, 0),
    };
    wanted.ready.sort_unstable_by_key(place);
    Ok(wanted.ready)
}

/// All files that a run may have.
pub(super) fn all(settings: &Settings) -> Vec<File> {
    let mut files = vec![File::Start(settings.generations + 1), File::LastPage, File::LastWeights];
    for g in 1..=settings.generations {
        files.extend([File::Start(g), File::Games(g), File::Summary(g), File::Candidate(g), File::Losses(g)]);
        files.extend([File::Result(g), File::Page(g)]);
        files.extend((0..settings.shards()).map(|i| File::Shard(g, i)));
        files.extend((0..settings.gate_shards()).map(|i| File::Gate(g, i)));
        files.extend(calibration_files(g, settings));
    }
    files
}

/// The files that a finished run has.
fn lasting(settings: &Settings, world: &dyn World) -> Result<Vec<File>, LearnError> {
    let mut files = Vec::new();
    for g in 1..=settings.generations {
        files.extend([File::Start(g), File::Summary(g), File::Candidate(g), File::Losses(g), File::Result(g)]);
        if settings.keep != Keep::Window {
            files.push(File::Games(g));
        }
        if settings.keep == Keep::All {
            files.extend((0..settings.shards()).map(|i| File::Shard(g, i)));
            // Which games of the gate count is known at its end.
            if world.has(File::Result(g)) {
                let shards = world.deciding(g)?.unwrap_or_else(|| settings.gate_shards());
                files.extend((0..shards).map(|i| File::Gate(g, i)));
                files.extend(calibration_files(g, settings));
            }
        }
        files.push(File::Page(g));
    }
    files.extend([File::Start(settings.generations + 1), File::LastWeights, File::LastPage]);
    Ok(files)
}

struct Wanted<'a> {
    settings: &'a Settings,
    world: &'a dyn World,
    seen: HashSet<Task>,
    ready: Vec<Task>,
}

impl Wanted<'_> {
    /// Somebody needs a file: finds the tasks that can be done now so that it will be there.
    fn want(&mut self, file: File) -> Result<(), LearnError> {
        if self.world.has(file) {
            return Ok(());
        }
        let Some(task) = file.writer(self.settings) else { return Ok(()) };
        if !self.seen.insert(task) {
            return Ok(());
        }
        let mut inputs = task.inputs(self.settings, self.settings.gate_shards());
        if let Task::Judge(g) | Task::Calibrate(g, _) = task {
            let weights = [File::Start(g), File::Candidate(g)];
            if weights.iter().any(|&file| !self.world.has(file)) {
                // Who plays in the gate is not known yet.
                inputs = weights.to_vec();
            } else if let Some(deciding) = self.world.deciding(g)? {
                inputs = task.inputs(self.settings, deciding);
            } else {
                // Nor is it known who has won.
                inputs.retain(|file| !matches!(file, File::Calibration(..)));
            }
        }
        let missing: Vec<_> = inputs.into_iter().filter(|&file| !self.world.has(file)).collect();
        if missing.is_empty() {
            self.ready.push(task);
        }
        missing.into_iter().try_for_each(|file| self.want(file))
    }
}

/// The files that are there and that nobody needs any more.
pub(super) fn useless(settings: &Settings, world: &dyn World) -> Result<Vec<File>, LearnError> {
    let mut files = Vec::new();
    for g in 1..=settings.generations {
        let fitted = |g: u64| [File::Candidate(g), File::Losses(g)].into_iter().all(|file| world.has(file));
        let needed = (g..g + settings.window).any(|later| !fitted(later));
        let merged = world.has(File::Summary(g)) && (world.has(File::Games(g)) || !needed);
        if settings.keep != Keep::All && merged && world.has_any(File::Shard(g, 0)) {
            files.extend((0..settings.shards()).map(|i| File::Shard(g, i)));
        }
        if settings.keep == Keep::Window && merged && !needed {
            files.push(File::Games(g));
        }
        if world.has_any(File::Gate(g, 0)) && world.has(File::Result(g)) && world.has(File::Start(g + 1)) {
            let kept = if settings.keep == Keep::All { world.deciding(g)? } else { Some(0) };
            let kept = kept.unwrap_or_else(|| settings.gate_shards());
            files.extend((kept..settings.gate_shards()).map(|i| File::Gate(g, i)));
        }
        let judged = world.has(File::Result(g)) && world.has(File::Start(g + 1));
        if settings.keep != Keep::All && judged && world.has_any(File::Calibration(g, 0)) {
            files.extend(calibration_files(g, settings));
        }
    }
    files.retain(|&file| world.has(file));
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::super::settings::tests::quick;
    use super::*;

    /// Files that are there, and how many shards decide each gate.
    struct Pretended {
        files: HashSet<File>,
        decide: u64,
    }

    impl World for Pretended {
        fn has(&self, file: File) -> bool {
            self.files.contains(&file)
        }

        fn has_any(&self, of: File) -> bool {
            self.files.iter().any(|file| match (file, of) {
                (File::Shard(g, _), File::Shard(other, _))
                | (File::Gate(g, _), File::Gate(other, _))
                | (File::Calibration(g, _), File::Calibration(other, _)) => *g == other,
                _ => false,
            })
        }

        fn deciding(&self, generation: u64) -> Result<Option<u64>, LearnError> {
            let there = (0..self.decide).all(|i| self.has(File::Gate(generation, i)));
            Ok(there.then_some(self.decide))
        }
    }

    fn names(tasks: &[Task]) -> Vec<String> {
        tasks.iter().map(Task::to_string).collect()
    }

    fn begun() -> Pretended {
        Pretended { files: HashSet::from([File::Start(1)]), decide: 2 }
    }

    /// Until no task can be done: does the last one of those that can. Gives all tasks in the order in which they were
    /// done.
    fn finish(settings: &Settings, world: &mut Pretended) -> Vec<Task> {
        let mut done = Vec::new();
        while let Some(task) = ready(settings, world).unwrap().pop() {
            assert!(!done.contains(&task), "{task} twice");
            world.files.extend(task.outputs(settings));
            useless(settings, world).unwrap().iter().for_each(|file| assert!(world.files.remove(file)));
            done.push(task);
        }
        done
    }

    #[test]
    fn tasks_are_there_once_their_inputs_are_and_as_long_as_their_outputs_are_not() {
        let (settings, mut world) = (quick(), begun());
        let at = |world: &Pretended| names(&ready(&settings, world).unwrap());
        assert_eq!(at(&world), ["play 1 0", "play 1 1", "play 1 2"]);
        world.files.insert(File::Shard(1, 1));
        assert_eq!(at(&world), ["play 1 0", "play 1 2"]);
        world.files.extend([File::Shard(1, 0), File::Shard(1, 2)]);
        assert_eq!(at(&world), ["merge 1"]);
        world.files.extend([File::Games(1), File::Summary(1)]);
        assert_eq!(at(&world), ["fit 1"]);
        world.files.extend([File::Candidate(1), File::Losses(1)]);
        assert_eq!(at(&world), ["gate 1 0", "gate 1 1", "gate 1 2"]);
        world.files.insert(File::Gate(1, 1));
        assert_eq!(at(&world), ["gate 1 0", "gate 1 2"]);
        world.files.insert(File::Gate(1, 0));
        assert_eq!(at(&world), ["judge 1"]);
        world.files.extend([File::Result(1), File::Start(2)]);
        assert_eq!(at(&world), ["report 1", "play 2 0", "play 2 1", "play 2 2"]);
    }

    #[test]
    fn percentages_are_fitted_to_games_of_the_last_weights_shard_by_shard() {
        for keep in [Keep::All, Keep::Games] {
            let settings = Settings { keep, calibration_games: Some(6), ..quick() };
            let mut world = begun();
            let done = finish(&settings, &mut world);
            assert_eq!(done.len(), 2 * (3 + 3 + 4) + 2, "{:?}", names(&done));
            let last = ["calibrate 2 1", "calibrate 2 0", "judge 2", "report 2", "report 1"];
            assert_eq!(names(&done[done.len() - 5..]), last);
            assert_eq!(world.has(File::Calibration(2, 1)), keep == Keep::All);
            // Which of them are there already is not played again.
            world.files.extend([File::Calibration(2, 0)]);
            world.files.retain(|file| !matches!(file, File::Result(2) | File::Calibration(2, 1)));
            let again = names(&finish(&settings, &mut world));
            assert!(again.contains(&"calibrate 2 1".to_owned()) && !again.contains(&"calibrate 2 0".to_owned()));
        }
    }

    #[test]
    fn a_run_ends_in_any_order_and_with_the_files_that_are_to_stay() {
        for keep in [Keep::All, Keep::Games, Keep::Window] {
            let settings = Settings { keep, generations: 4, ..quick() };
            let mut world = begun();
            let done = finish(&settings, &mut world);
            // Three shards, two or three of the gate, four other tasks; the last of each gate came first.
            assert_eq!(done.len(), 4 * (3 + 3 + 4), "{:?}", names(&done));
            let count = |of: fn(&File) -> bool| world.files.iter().filter(|&file| of(file)).count();
            let shards = count(|file| matches!(file, File::Shard(..)));
            let gates = count(|file| matches!(file, File::Gate(..)));
            let games = count(|file| matches!(file, File::Games(_)));
            let expected = match keep {
                Keep::All => (12, 8, 4),
                Keep::Games => (0, 0, 4),
                // A fifth generation would be fitted to the games of the fourth.
                Keep::Window => (0, 0, 1),
            };
            assert_eq!((shards, gates, games), expected);
            assert!(world.has(File::LastPage) && world.has(File::LastWeights) && world.has(File::Start(5)));
        }
    }

    #[test]
    fn what_is_missing_is_made_again_with_all_that_it_needs() {
        let settings = quick();
        let mut world = begun();
        finish(&settings, &mut world);
        let again = |lost: &[File]| {
            let mut files = world.files.clone();
            lost.iter().for_each(|file| assert!(files.remove(file)));
            names(&finish(&settings, &mut Pretended { files, decide: 2 }))
        };
        assert_eq!(again(&[]), [""; 0]);
        assert_eq!(again(&[File::Losses(1)]), ["fit 1"]);
        assert_eq!(again(&[File::Games(2)]), ["play 2 2", "play 2 1", "play 2 0", "merge 2"]);
        assert_eq!(again(&[File::Result(1)]), ["gate 1 2", "gate 1 1", "gate 1 0", "judge 1"]);
        assert_eq!(again(&[File::LastPage]), ["report 2"]);
    }

    #[test]
    fn more_generations_go_on_from_the_last() {
        let mut world = begun();
        finish(&quick(), &mut world);
        let more = Settings { generations: 3, ..quick() };
        let done = finish(&more, &mut world);
        assert!(done.iter().all(|task| task.generation() == 3), "{:?}", names(&done));
        assert!(world.has(File::LastPage) && world.has(File::LastWeights));
    }

    #[test]
    fn names_of_tasks_are_read_and_others_refused() {
        let settings = Settings { calibration_games: Some(5), ..quick() };
        let with_shards = [Task::Play(1, 2), Task::Gate(2, 0), Task::Calibrate(2, 1)];
        for task in with_shards.into_iter().chain([Task::Merge(2), Task::Fit(1), Task::Judge(2), Task::Report(1)]) {
            assert_eq!(task.to_string().parse::<Task>().unwrap(), task);
            assert!(task.is_of(&settings));
        }
        for name in ["", "play", "play 1", "play 1 2 3", "fit one", "dance 1", "judge 1 2", "play -1 0"] {
            assert!(name.parse::<Task>().is_err(), "{name}");
        }
        for task in [
            Task::Play(1, 3),
            Task::Play(0, 0),
            Task::Merge(3),
            Task::Gate(1, 3),
            Task::Calibrate(1, 0),
            Task::Calibrate(2, 2),
        ] {
            assert!(!task.is_of(&settings), "{task}");
        }
    }

    #[test]
    fn units_are_games_and_add_up() {
        let settings = Settings { games: 101, gate_games: 20, ..quick() };
        let played: u64 = (0..settings.shards()).map(|i| Task::Play(1, i).units(&settings)).sum();
        let gate: u64 = (0..settings.gate_shards()).map(|i| Task::Gate(1, i).units(&settings)).sum();
        assert_eq!((played, gate, Task::Fit(1).units(&settings), Task::Fit(2).units(&settings)), (101, 40, 101, 202));
    }
}
