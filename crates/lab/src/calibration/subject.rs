//! What is calibrated by itself.

use hippolyta::eval::weights::BoardSize;
use hippolyta::games::variant::{Variant, find};
use hippolyta::games::{Board, FenError};

/// A rule set, or a size of the Amazons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The name of the rule set that the games are played by.
    pub variant: &'static str,
    /// The position that they begin at; `None` for the start of the rule set.
    pub start: Option<&'static str>,
}

const fn start_of(variant: &'static str) -> Subject {
    Subject { variant, start: None }
}

const fn amazons(start: &'static str) -> Subject {
    Subject { variant: "amazons", start: Some(start) }
}

/// All of them. Other sizes of the Amazons are shown as the nearest of these.
pub const SUBJECTS: &[Subject] = &[
    start_of("amazons"),
    start_of("amazons8"),
    start_of("amazons6"),
    amazons("1q1q1/q3q/5/Q3Q/1Q1Q1 w - - 0 1"),
    start_of("desdemona"),
    start_of("desdemona-early"),
    start_of("desdemona-early-border"),
    start_of("desdemona-site"),
    start_of("cassio"),
    start_of("cassio-site"),
    start_of("iago"),
    start_of("damone"),
    start_of("damone-three"),
    start_of("damone-imperatore"),
];

impl Subject {
    /// The rule set.
    ///
    /// # Panics
    ///
    /// Never for [`SUBJECTS`].
    #[must_use]
    pub fn rule_set(&self) -> &'static Variant {
        find(self.variant).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The board that its games begin with.
    ///
    /// # Errors
    ///
    /// Never for [`SUBJECTS`].
    pub fn board(&self) -> Result<Board, FenError> {
        let variant = self.rule_set();
        Board::from_fen(variant, self.start.unwrap_or(variant.start))
    }

    /// The name of its calibration in weights files, without the ending: `iago`, `amazons@6x6`.
    ///
    /// # Errors
    ///
    /// Never for [`SUBJECTS`].
    pub fn name(&self) -> Result<String, FenError> {
        let board = self.board()?;
        let (width, height) = board.size();
        let size = BoardSize::new(width, height).filter(|_| board.variant().traits().territories);
        Ok(size.map_or_else(|| self.variant.to_owned(), BoardSize::tables))
    }
}
