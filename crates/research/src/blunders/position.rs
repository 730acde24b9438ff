//! Positions whose best result is proven, in a file.

use hippolyta::engine::Board;
use hippolyta::games::variant;
use hippolyta::json;
use hippolyta_lab::problems::{ProblemError, group};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The best result that the side to move can reach, whatever the other side does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Result {
    /// It wins.
    Win,
    /// It does not win, and need not lose.
    Draw,
}

/// Purposes that a position may serve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Half {
    /// To tune and to learn.
    Tuning,
    /// To measure alone. Nothing that learns or is tuned may see it.
    Apart,
}

impl Half {
    /// The half of the positions of game `number`: positions of one game resemble each other.
    pub fn of_game(number: u64) -> Self {
        if number.is_multiple_of(2) { Self::Tuning } else { Self::Apart }
    }
}

/// A position whose best result is proven, and in which at least one turn throws it away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decided {
    /// The rule set.
    pub variant: String,
    /// The position.
    pub fen: String,
    /// The best result that the side to move can reach.
    pub result: Result,
    /// The purpose that the position may serve.
    pub half: Half,
}

impl Decided {
    /// The group of the position: the [`group`](hippolyta_lab::problems::group) of a problem there.
    pub fn group(&self) -> String {
        variant::find(&self.variant).map_or_else(|_| String::new(), |variant| group(&variant, &self.fen))
    }
}

/// A line that says how the positions below it were collected.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Made {
    made: Value,
}

/// How lines of this kind begin.
const MADE: &str = "{\"made\":";

/// The positions of a file, and how they were collected.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Positions {
    /// The positions, in the order of the file.
    pub positions: Vec<Decided>,
    /// The options that collected them, named as on the command line: those of each run, where several files are one.
    pub made: Vec<Value>,
}

impl Positions {
    /// Reads a file of positions, a JSON object in each line. Several files one after the other are one.
    ///
    /// ```
    /// use hippolyta_research::blunders::{Half, Positions, Result};
    ///
    /// let line = r#"{"variant":"amazons","fen":"q1*/**1/2Q w - - 0 1","result":"win","half":"apart"}"#;
    /// let read = Positions::read(&format!("{{\"made\":{{\"seed\":3}}}}\n{line}"))?;
    /// assert_eq!((read.positions[0].result, read.positions[0].half), (Result::Win, Half::Apart));
    /// assert_eq!(read.made[0]["seed"], 3);
    /// assert_eq!(Positions::read(&read.text())?, read);
    /// let error = Positions::read(&format!("{line}\n{{\"variant\":\"chess\"}}")).unwrap_err();
    /// assert!(error.to_string().contains("line 2"));
    /// # Ok::<(), hippolyta_lab::problems::ProblemError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// For the first line that is no position, with its number.
    pub fn read(text: &str) -> core::result::Result<Self, ProblemError> {
        let mut read = Self::default();
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let wrong = |what: String| ProblemError::Wrong(format!("in line {}", index + 1), what);
            if line.starts_with(MADE) {
                let made: Made = json::read(line.as_bytes()).map_err(wrong)?;
                read.made.push(made.made);
                continue;
            }
            let decided: Decided = json::read(line.as_bytes()).map_err(wrong)?;
            let variant = variant::find(&decided.variant).map_err(|error| wrong(error.to_string()))?;
            let board = Board::from_fen(&variant, &decided.fen).map_err(|error| wrong(error.to_string()))?;
            if board.outcome().is_some() {
                return Err(wrong("the game is over there".to_owned()));
            }
            read.positions.push(decided);
        }
        Ok(read)
    }

    /// The file; of several that were one, the options come first.
    pub fn text(&self) -> String {
        let made = self.made.iter().map(|made| serde_json::to_string(&Made { made: made.clone() }));
        let positions = self.positions.iter().map(serde_json::to_string);
        // Names and texts alone: nothing that could fail.
        made.chain(positions).filter_map(|line| Some(line.ok()? + "\n")).collect()
    }
}
