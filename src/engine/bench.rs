//! Fixed searches. The sum of their nodes changes with anything that changes play, and with nothing else.

use super::analysis::Analysis;
use super::handle::Engine;
use super::limits::Limits;
use super::model::Model;
use crate::games::Board;
use crate::games::variant;
use crate::search::{Control, Settings, SettingsError};
use thiserror::Error;

/// The length of the principal variation, in turns, at which a search ends.
pub const DEPTH: u32 = 7;
/// Most nodes of a search, where that would take too long.
const MOST_NODES: u64 = 100_000;
/// Memory of each search, MiB.
const HASH: usize = 64;

/// Opening, middle game and end game of every family.
const POSITIONS: &[(&str, &str)] = &[
    ("amazons", "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1"),
    ("amazons", "3*2q3/10/5q4/5*3q/q1**3Q2/10/Q3Q2*2/10/10/3Q6 b - - 5 3"),
    ("amazons", "4q2*2/1q2*Q4/10/9q/9*/3q4*1/1*1**4Q/*9/6Q3/1*1Q6 b - - 9 5"),
    ("amazons", "1Q7*/10/4q5/q*6*1/10/2*q3*2/4*1*2Q/1*3Q2q1/2*2*4/3*1Q4 b - - 11 6"),
    ("amazons", "1q7Q/*1*1**2*1/5Q1*2/4*5/5*4/2q1*5/4*1q1*1/1*6Q1/4q*4/3Q5* w - - 14 8"),
    ("amazons", "**3*4/3*4*1/2Q**1*1*1/*5Q3/4q4*/*1*1**Q**1/4*1**1*/q*2*1*1q*/3*1**q2/3**Q4 w - - 0 16"),
    (
        "amazons",
        "2*Q2*1**/*2**Q**1q/1****3*1/2*3**2/***1*2*1*/2**1**1*1/**q****Q*1/*1****q2*/*1q1*2*1*/1***2Q2* b - - 0 25",
    ),
    ("amazons8", "2q2q2/8/q6q/8/8/Q6Q/8/2Q2Q2 w - - 0 1"),
    ("amazons6", "1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1"),
    ("amazons6", "3q2/6/Q3*q/q2*1Q/6/2Q3 b - - 0 2"),
    ("desdemona", "3q2Q3/10/10/Q8q/4sS4/4Ss4/q8Q/10/10/3Q2q3 w m - 0 1"),
    ("desdemona", "5Q4/2q3*3/1*1*1*4/Q*1*2q3/1*2sS*3/Q3Ss4/3q2**2/2*q4*1/4*1*1*1/1Q8 w - - 0 9"),
    ("cassio", "1*5Q**/8*1/4*5/1*Q3q*2/*2*sS1**1/4Ss2*q/2*7/*2*3*1*/1q4Q*2/qQ*5** w - - 0 12"),
    ("iago", "7s2/1S3s4/1SSs6/4s3q1/2Q1sS1s2/1S2Ssq2S/1SSSS5/1SQS2S1s1/1SQSQ1sq2/2s2S1qs1 b - - 0 13"),
    (
        "iago",
        "s1ssss4/Sss3SSSQ/1sq1sqSQSs/ssqssSSS1s/1s1sSSQSS1/ssSSSSSS2/1s1S2SS1S/ssSS1SSS2/1sS3S2S/sqSS1Q1S2 b - - 0 28",
    ),
    ("desdemona-early", "s1q2s1s2/q2S3S1s/2s1Ss4/1s3S2s1/3SQ2S1Q/6q1sS/s4Ss1S1/7S1Q/s4S1Q2/5Sq3 b - - 0 13"),
    ("desdemona-early-border", "3q2Q3/10/10/Q8q/10/10/q8Q/10/10/3Q2q3 w m - 0 1"),
    (
        "desdemona-site",
        "1Q5Q2/1SS2S2S1/QssS3sS1/qsSsS3S1/3ssSsSs1/1sS1Ss1SSq/4ss1SSQ/1ss4SS1/1sSSs1SsS1/q4q4 w - - 0 20",
    ),
    (
        "cassio-site",
        "2SS1*sq1s/1SSs2SsSs/sS1sSSSQss/SsSSSSSsS1/*ssSSsSS1s/S1s*SS*s1s/qsSQsQSS1S/1sSSssq1s1/1*ssSsS1s1/s1sQqs4 b - - 0 35",
    ),
    ("damone", "i1d1p3/3p4/d1p5/1p5P/p5P1/5P1D/4P3/3P1D1I w - - 0 1"),
    ("damone", "i7/5p2/2d5/1d1P3D/8/1p1P1D2/8/3P3I b - - 0 18"),
    ("damone", "4i1d1/8/8/8/8/7I/8/7D b - - 22 59"),
    ("damone-three", "d1d5/3p4/d1p5/1p6/6P1/5P1D/4P3/5D1D w - - 0 1"),
    ("damone-imperatore", "i3p3/3d4/d1p1P1P1/1p6/p3P3/8/4P1D1/3P1D1I b - - 0 4"),
];

/// One of the searches.
///
/// ```
/// use hippolyta::engine::{Control, bench};
///
/// let (control, mut found) = (Control::default(), Vec::new());
/// let is_whole = bench::run(1, &control, &mut |searched| {
///     found.push(searched);
///     control.stop(); // the first one will do
/// });
/// assert!(!is_whole);
/// assert!(matches!(&found[..], [Ok(searched)] if searched.variant == "amazons" && searched.analysis.nodes > 0));
/// ```
#[derive(Clone, Debug)]
pub struct Searched {
    /// The name of the rule set.
    pub variant: &'static str,
    /// The position.
    pub fen: &'static str,
    /// The findings of the search.
    pub analysis: Analysis,
}

/// Why a position could not be searched.
///
/// ```
/// use hippolyta::engine::{SettingsError, bench::BenchError};
///
/// let error = BenchError::from(SettingsError::Memory(64));
/// assert_eq!(error.to_string(), "cannot allocate 64 MiB for the search tree");
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BenchError {
    /// The system refused the memory.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The table of positions in this module is wrong.
    #[error("{0}: {1}")]
    Position(&'static str, String),
}

/// Searches all positions to `depth` with one thread, each with an empty tree, and hands what it finds to `observer`.
/// Blocks for seconds; stopped by `control` it ends early and returns false.
///
/// ```
/// use hippolyta::engine::{Control, bench};
///
/// let control = Control::default();
/// control.stop();
/// assert!(!bench::run(bench::DEPTH, &control, &mut |_| ()));
/// ```
pub fn run(depth: u32, control: &Control, observer: &mut dyn FnMut(Result<Searched, BenchError>)) -> bool {
    for &(variant, fen) in POSITIONS {
        let found = search(variant, fen, depth, control);
        if control.stopped() {
            return false;
        }
        observer(found);
    }
    true
}

fn search(name: &'static str, fen: &'static str, depth: u32, control: &Control) -> Result<Searched, BenchError> {
    let wrong = |error: &dyn std::fmt::Display| BenchError::Position(fen, error.to_string());
    let variant = variant::find(name).map_err(|error| wrong(&error))?;
    let board = Board::from_fen(&variant, fen).map_err(|error| wrong(&error))?;
    let settings = Settings { hash: HASH, ..Settings::default() };
    let mut engine = Engine::new(&variant, &Model::default(), settings)?;
    let limits = Limits { depth: Some(depth), nodes: Some(MOST_NODES), ..Limits::default() };
    let analysis = engine.analyse(&board, &limits, control, &mut |_| ()).map_err(|error| wrong(&error))?;
    Ok(Searched { variant: name, fen, analysis })
}
