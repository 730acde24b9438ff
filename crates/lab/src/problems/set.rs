//! Problems in a file.

use super::grade::{Grader, TRIES, grade, levels};
use super::theme::Theme;
use super::tree::Tree;
use crate::alike::identity;
use crate::play::PlayError;
use hippolyta::engine::{Board, Control, Model};
use hippolyta::forks::Once;
use hippolyta::games::variant::{self, UnknownVariant, Variant};
use hippolyta::games::{FenError, TurnError};
use hippolyta::json;
use hippolyta::words::shown;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use thiserror::Error;

/// Why problems were not read, found or tried.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ProblemError {
    /// The file is no file of problems.
    #[error("not a file of problems: {0}")]
    File(String),
    /// A problem is not what it says; its id, and what is wrong.
    #[error("problem {0}: {1}")]
    Wrong(String, String),
    /// A rule set is unknown.
    #[error(transparent)]
    Variant(#[from] UnknownVariant),
    /// A FEN is bad.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A turn is bad.
    #[error(transparent)]
    Turn(#[from] TurnError),
    /// There is no engine to try them.
    #[error(transparent)]
    Engine(#[from] PlayError),
    /// A recipe finds too few: how many it found, and in how many games.
    #[error("{0} problems in {1} games, and none in the last of them: give other positions or options")]
    Few(usize, u64),
    /// Nothing is proven under these rules.
    #[error(
        "turns of {0} need not fire, so that games may go on: no proof tells that a turn wins, and there are no problems"
    )]
    NoProof(String),
}

/// A position in which exactly one turn wins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Problem {
    /// Its name, unique in a file: [`group`](super::group) and a number.
    pub id: String,
    /// The rule set.
    pub variant: String,
    /// The position.
    pub fen: String,
    /// The side to move, `white` or `black`: the one that wins.
    pub side: String,
    /// The turn that wins. Every other legal turn loses or draws.
    pub turn: String,
    /// The number of legal turns.
    pub legal: u32,
    /// Turns of both sides until the game is over if the winner hurries and the loser holds out, where exactly known.
    pub plies: Option<u32>,
    /// The rating that finds the turn in half of its tries: see [`grade`](super::grade()). `None` if no measured rating
    /// does.
    pub elo: Option<u32>,
    /// How often each of the file's levels for the rule set found the turn, the lowest level first. The list ends where
    /// three levels in a row found it in every try.
    pub found: Vec<u8>,
    /// How it was proven.
    pub proof: String,
    /// Themes of the winning turn; whoever reads a file finds them anew.
    #[serde(default)]
    pub themes: Vec<Theme>,
    /// The winning turn, the hardest replies to it, the winning answer to each, and so on.
    pub solution: Tree,
    /// Promising turns that do not win, each with a reply that refutes it.
    pub wrong: Tree,
}

impl Problem {
    /// The rule set.
    ///
    /// # Errors
    ///
    /// If it is unknown.
    pub fn variant(&self) -> Result<Variant, UnknownVariant> {
        variant::find(&self.variant)
    }

    /// The position.
    ///
    /// # Errors
    ///
    /// If the rule set is unknown or the FEN is bad.
    pub fn board(&self) -> Result<Board, ProblemError> {
        Ok(Board::from_fen(&self.variant()?, &self.fen)?)
    }

    /// The text that problems share which are no different.
    fn identity(&self) -> String {
        self.variant().map_or_else(|_| self.fen.clone(), |variant| identity(&variant, &self.fen))
    }

    /// The group that its id begins with.
    pub fn group(&self) -> &str {
        self.id.rsplit_once('-').map_or(&self.id, |(group, _)| group)
    }
}

/// A file of problems.
///
/// ```
/// use hippolyta_lab::problems::ProblemSet;
///
/// let set = ProblemSet::built_in();
/// let problem = set.get("amazons6-001").ok_or("it has a problem of 6x6")?;
/// let mut board = problem.board()?;
/// assert_eq!(board.legal_turns().len(), problem.legal as usize);
/// board.play(&problem.turn)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ProblemSet {
    /// The format of the file: [`ProblemSet::FORMAT`].
    pub format: String,
    /// How often each level tried each problem.
    pub tries: u32,
    /// The levels that tried the problems, by rule set.
    pub levels: BTreeMap<String, Vec<u32>>,
    /// The options that found the problems, named as on the command line, if one run found all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<Value>,
    /// The problems.
    pub problems: Vec<Problem>,
}

/// The largest file that is read, in bytes.
pub const LARGEST: u64 = 1 << 28;

impl ProblemSet {
    /// The JSON schema of a file.
    pub const SCHEMA: &'static str = include_str!("schema.json");

    /// The format that files of problems name.
    pub const FORMAT: &'static str = "hippolyta problems 1";

    /// A set of these problems.
    pub fn new(problems: Vec<Problem>) -> Self {
        let rule_sets = problems.iter().filter_map(|problem| problem.variant().ok());
        let levels = rule_sets.map(|variant| (variant.name().to_owned(), levels(&variant))).collect();
        Self { format: Self::FORMAT.to_owned(), tries: TRIES, levels, made: None, problems }
    }

    /// The problems that the program brings with it.
    ///
    /// # Panics
    ///
    /// Never: a test reads the file.
    pub fn built_in() -> &'static Self {
        static SET: Once<ProblemSet> = Once::new();
        SET.get_or_make(|| Self::read(Self::TEXT).unwrap_or_else(|error| panic!("{error}")))
    }

    /// The text of the file of the built-in problems.
    pub const TEXT: &'static str = include_str!("problems.json");

    /// Reads a file. It checks what can be seen without a proof: that ids are unique, positions and turns legal, trees
    /// of turns well formed, grades those of the tries. It proves nothing; [`check`](super::check()) does.
    ///
    /// # Errors
    ///
    /// If the text is no file of problems, or a problem is not what it says.
    pub fn read(text: &str) -> Result<Self, ProblemError> {
        let mut set: Self = json::read(text.as_bytes()).map_err(ProblemError::File)?;
        if set.format != Self::FORMAT {
            return Err(ProblemError::File(format!("it calls itself '{}'", shown(&set.format))));
        }
        if set.tries == 0 {
            return Err(ProblemError::File("its levels tried nothing: \"tries\" is 0".to_owned()));
        }
        if let Some((name, _)) = set.levels.iter().find(|(_, levels)| !levels.is_sorted_by(|low, high| low < high)) {
            return Err(ProblemError::File(format!("the levels of {name} do not rise")));
        }
        let mut ids = HashSet::new();
        for problem in &set.problems {
            let wrong = |what: &str| ProblemError::Wrong(problem.id.clone(), what.to_owned());
            if !ids.insert(&problem.id) {
                return Err(wrong("the id is there twice"));
            }
            let board = problem.board().map_err(|error| wrong(&error.to_string()))?;
            if board.outcome().is_some() {
                return Err(wrong("the game is over there"));
            }
            if board.side_to_move().name() != problem.side {
                return Err(wrong("the other side is to move"));
            }
            if board.read(&problem.turn).map_err(|error| wrong(&error.to_string()))?.to_string() != problem.turn {
                return Err(wrong("the turn is not in its usual spelling"));
            }
            if problem.solution.branches.iter().map(|(turn, _)| turn).ne([&problem.turn]) {
                return Err(wrong("the solution begins with another turn"));
            }
            if board.legal_turns().len() != problem.legal as usize {
                return Err(wrong("it has another number of legal turns"));
            }
            follow(&board, &problem.solution, true)
                .map_err(|what| ProblemError::Wrong(problem.id.clone(), format!("the solution: {what}")))?;
            if problem.wrong.branches.iter().any(|(turn, _)| *turn == problem.turn) {
                return Err(wrong("the turn that wins stands among the wrong ones"));
            }
            follow(&board, &problem.wrong, false)
                .map_err(|what| ProblemError::Wrong(problem.id.clone(), format!("the wrong turns: {what}")))?;
            set.check_grade(problem).map_err(|what| wrong(&what))?;
        }
        for problem in &mut set.problems {
            problem.themes = Theme::of(problem)?;
        }
        Ok(set)
    }

    /// Whether the grade of a problem is what the tries in the file say.
    fn check_grade(&self, problem: &Problem) -> Result<(), String> {
        let tried = problem.variant().ok().and_then(|variant| self.levels.get(variant.name()));
        let levels = tried.map_or(&[][..], Vec::as_slice);
        if problem.found.len() > levels.len() {
            return Err(format!("{} levels found it, of {} that tried", problem.found.len(), levels.len()));
        }
        if let Some(times) = problem.found.iter().find(|&&times| u32::from(times) > self.tries) {
            return Err(format!("a level found it {times} times in {} tries", self.tries));
        }
        let grade = grade(levels, &problem.found, self.tries);
        if problem.elo != grade {
            let text = |grade: Option<u32>| grade.map_or_else(|| "none".to_owned(), |grade| grade.to_string());
            return Err(format!("its grade is {}, and by the tries {}", text(problem.elo), text(grade)));
        }
        Ok(())
    }

    /// As a file: one problem a line.
    pub fn text(&self) -> String {
        // All of a set is text and numbers, so it can always be written.
        fn json(value: &impl Serialize) -> String {
            serde_json::to_string(value).unwrap_or_default()
        }
        let lines: Vec<String> = self.problems.iter().map(json).collect();
        format!(
            "{{\"format\":{},\"tries\":{},\"levels\":{},{}\"problems\":[\n{}\n]}}\n",
            json(&self.format),
            self.tries,
            json(&self.levels),
            self.made.as_ref().map_or_else(String::new, |made| format!("\"made\":{},", json(made))),
            lines.join(",\n")
        )
    }

    /// The problem with this id.
    pub fn get(&self, id: &str) -> Option<&Problem> {
        self.problems.iter().find(|problem| problem.id.eq_ignore_ascii_case(id))
    }

    /// The groups in the order of the file, each with the number of its problems.
    pub fn groups(&self) -> Vec<(&str, usize)> {
        let mut groups: Vec<(&str, usize)> = Vec::new();
        for problem in &self.problems {
            match groups.iter_mut().find(|(group, _)| *group == problem.group()) {
                Some((_, count)) => *count += 1,
                None => groups.push((problem.group(), 1)),
            }
        }
        groups
    }
}

/// Whether every turn of a tree is legal, in its usual spelling and there once. Where the winner is to move (`own`) there
/// is one answer; every reply to it has one.
fn follow(board: &Board, tree: &Tree, own: bool) -> Result<(), String> {
    let mut seen = HashSet::new();
    for (turn, after) in &tree.branches {
        let mut next = board.clone();
        let spelled = next.play(turn).map_err(|error| error.to_string())?.to_string();
        if spelled != *turn {
            return Err(format!("{turn} is not in its usual spelling, {spelled}"));
        }
        if !seen.insert(turn) {
            return Err(format!("{turn} is there twice"));
        }
        if own && tree.branches.len() > 1 {
            return Err(format!("{turn} is not the only answer"));
        }
        if !own && after.is_empty() {
            return Err(format!("nothing answers {turn}"));
        }
        follow(&next, after, !own)?;
    }
    Ok(())
}

/// One set of several: of each group at most as many problems as `most` says, spread over the grades, without those
/// that are alike. Groups stay in the order in which they first occur; within one the easiest is number 1, and those
/// that no rating finds are the last.
pub fn join(sets: Vec<ProblemSet>, most: &dyn Fn(&str) -> usize) -> ProblemSet {
    let mut taken = HashSet::new();
    let mut groups: Vec<(String, Vec<Problem>)> = Vec::new();
    for problem in sets.into_iter().flat_map(|set| set.problems) {
        if !taken.insert((problem.variant.clone(), problem.identity())) {
            continue;
        }
        let group =
            problem.variant().map_or_else(|_| problem.variant.clone(), |variant| super::group(&variant, &problem.fen));
        match groups.iter_mut().find(|(known, _)| *known == group) {
            Some((_, problems)) => problems.push(problem),
            None => groups.push((group, vec![problem])),
        }
    }
    let mut chosen = Vec::new();
    for (group, mut problems) in groups {
        problems.sort_by_key(|problem| (problem.elo.unwrap_or(u32::MAX), problem.identity()));
        for (index, mut problem) in spread(problems, most(&group)).into_iter().enumerate() {
            problem.id = format!("{group}-{:03}", index + 1);
            chosen.push(problem);
        }
    }
    ProblemSet::new(chosen)
}

/// At most `most` of these, which are sorted by grade, as evenly over the grades as there are problems: from each span
/// of 200 the same number, where there are enough.
fn spread(problems: Vec<Problem>, most: usize) -> Vec<Problem> {
    let mut spans: BTreeMap<u32, Vec<Problem>> = BTreeMap::new();
    for problem in problems {
        spans.entry(problem.elo.map_or(u32::MAX, |elo| elo / 200)).or_default().push(problem);
    }
    let (mut left, mut share) = (most, BTreeMap::new());
    // The smallest spans first: what they lack, the others may have.
    let mut sizes: Vec<(usize, u32)> = spans.iter().map(|(&span, problems)| (problems.len(), span)).collect();
    sizes.sort_unstable();
    let number = sizes.len();
    for (index, (size, span)) in sizes.into_iter().enumerate() {
        let fair = left.div_ceil(number - index).min(size);
        share.insert(span, fair);
        left -= fair;
    }
    let mut chosen = Vec::new();
    for (span, problems) in spans {
        let (size, fair) = (problems.len(), share.get(&span).copied().unwrap_or(0));
        let every = |index: usize| index * fair / size != (index + 1) * fair / size;
        chosen.extend(problems.into_iter().enumerate().filter(|(index, _)| every(*index)).map(|(_, problem)| problem));
    }
    chosen
}

/// How often a rating, or full strength with `nodes` nodes a turn, finds the turn of each problem in `tries` tries. The
/// same on every machine. Blocks, and works on the rayon pool it is called from; ends with `None` soon after `control`
/// says so. `done` is called after each problem.
///
/// # Errors
///
/// If there is no memory for the searches.
pub fn solve_rate(
    problems: &[&Problem],
    elo: Option<u32>,
    nodes: Option<u64>,
    tries: u32,
    control: &Control,
    done: &(dyn Fn() + Sync),
) -> Result<Option<Vec<u32>>, ProblemError> {
    let one = |graders: &mut BTreeMap<String, Grader>, problem: &&Problem| {
        if control.stopped() {
            return Ok(None);
        }
        let variant = problem.variant()?;
        let grader = match graders.entry(problem.variant.clone()) {
            std::collections::btree_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::btree_map::Entry::Vacant(slot) => slot.insert(Grader::new(&variant, &Model::default())?),
        };
        let board = problem.board()?;
        let mut times = 0;
        for seed in 1..=tries {
            times += u32::from(grader.finds(&board, &problem.turn, elo, nodes, seed.into(), control)?);
        }
        done();
        Ok((!control.stopped()).then_some(times))
    };
    let found: Result<Option<Vec<u32>>, ProblemError> = problems.par_iter().map_init(BTreeMap::new, one).collect();
    found
}
