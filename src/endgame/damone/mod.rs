//! Tables of all positions of Damone with few pieces: who wins, and how soon.
//!
//! | module | its one idea |
//! | --- | --- |
//! | `index` | numbers for positions |
//! | `solve` | the values, by going back from the ends of games |
//! | `verify` | a second pass that derives every value from those of the turns, by the rules themselves |
//! | `runs` | how many quiet plies in a row a win takes |
//! | `statistics` | counts by material |
//! | `file` | tables as files |
//! | `built_in` | those that the program contains |
//!
//! # What a value means
//!
//! A value is a draw, or the number of plies until the game is over if the winner hurries and the loser holds out. It
//! ignores the rules on draws by repetition and by quiet plies. Under these rules it is valid as follows:
//!
//! - *Draw*: always. A side that can avoid a loss without these rules can avoid it with them.
//! - *Win or loss in n plies*, after q quiet plies: if q + min(n, r) is at most the limit of 80, and no board has
//!   occurred twice since the last irreversible ply. Here r is the longest run of quiet plies in all games in which
//!   the winner plays any of the turns that win soonest, and the loser plays anything. The solver computes r, and the
//!   file holds it. With each turn by the table the winner comes nearer to the end, so no board occurs again from
//!   here on, none occurs for the third time, and an irreversible ply or the end comes before the limit.
//! - Otherwise the table does not say whether the winner has enough time.
//!
//! With up to four pieces the longest win takes 98 plies, and r is 64 (three pieces: 84 and 48). So a position right
//! after a capture or a forward step is always decided: 80 quiet plies are enough for all of these endings. With five
//! pieces they are 208 and 193.

mod built_in;
mod file;
pub mod index;
mod runs;
mod solve;
mod statistics;
mod verify;

pub use crate::container::ContainerError;
pub use built_in::{BUILT_IN_PIECES, built_in};
pub use file::TablesError;
pub use solve::{TooLong, solve};
pub use statistics::{Counts, statistics};
pub use verify::{Mistake, verify};

use crate::games::damone::{Board, Damone, QUIET_LIMIT, Rules};
use crate::games::{Position, Side};
use index::Index;
use std::fmt;

/// No position has this number.
const NONE: u8 = 255;
/// Nobody can force a win; while solving, also what is not known yet.
const DRAW: u8 = 254;
/// The longest game that is allowed: a turn longer still is a value.
const LONGEST: u8 = 251;

/// The result in a table, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It wins after this number of plies.
    Win(u8),
    /// It loses after this number of plies, 0 if it has lost.
    Loss(u8),
    /// Neither.
    Draw,
}

impl Verdict {
    /// Games end with a turn of the winner, so odd numbers of plies are wins.
    fn of(value: u8) -> Option<Self> {
        match value {
            NONE => None,
            DRAW => Some(Self::Draw),
            plies if plies % 2 == 1 => Some(Self::Win(plies)),
            plies => Some(Self::Loss(plies)),
        }
    }
}

/// The values of all positions up to a number of pieces, in one rule set.
pub struct Tables {
    rules: &'static Rules,
    index: Index,
    values: Vec<u8>,
    /// The most quiet plies in a row that a win takes.
    longest_run: u8,
    checksum: u32,
}

impl Tables {
    fn new(rules: &'static Rules, index: Index, values: Vec<u8>, longest_run: u8) -> Self {
        let mut tables = Self { rules, index, values, longest_run, checksum: 0 };
        tables.checksum = tables.compute_checksum();
        tables
    }

    /// The rules that it was made by.
    #[must_use]
    pub fn rules(&self) -> &'static Rules {
        self.rules
    }

    /// The most pieces that it knows.
    #[must_use]
    pub fn pieces(&self) -> usize {
        self.index.pieces()
    }

    /// The numbers of the positions.
    #[must_use]
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The most quiet plies in a row that a win takes, if the winner hurries.
    #[must_use]
    pub fn longest_run(&self) -> u8 {
        self.longest_run
    }

    /// A CRC-32 of the contents. Data files of self-play name tables by it.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// The verdict on the position with this number.
    #[must_use]
    pub fn verdict(&self, number: usize) -> Option<Verdict> {
        self.values.get(number).and_then(|&value| Verdict::of(value))
    }

    /// The verdict on a board with `side` to move; `None` if there are too many pieces, or if one side has none.
    #[inline]
    #[must_use]
    pub fn probe(&self, board: &Board, side: Side) -> Option<Verdict> {
        if (!board.empty()).count() as usize > self.pieces() {
            return None;
        }
        self.verdict(self.index.number(board, side)?)
    }

    /// The verdict on a position, and whether it is valid with the rules on draws and the turns played before. `None`
    /// as in [`probe`](Self::probe), and for other rules than those of the tables.
    #[inline]
    #[must_use]
    pub fn look_up(&self, position: &Damone) -> Option<(Verdict, bool)> {
        if position.rules() != self.rules {
            return None;
        }
        let verdict = self.probe(position.board(), position.side_to_move())?;
        let certain = match verdict {
            Verdict::Draw => true,
            Verdict::Win(plies) | Verdict::Loss(plies) => {
                let run = u32::from(plies.min(self.longest_run));
                position.quiet() + run <= QUIET_LIMIT && !position.has_repeated()
            }
        };
        Some((verdict, certain))
    }
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tables {{ pieces: {}, checksum: {:08x} }}", self.pieces(), self.checksum)
    }
}
