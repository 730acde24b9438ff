use super::board::{Board, Cells, FORWARD, Rank, STEPS};
use super::capture::Line;
use crate::board::{Square, zobrist};
use crate::games::{Outcome, Position, Side, Step};
use std::ops::ControlFlow;

/// The game is drawn after this number of plies in a row without a capture, a promotion or a forward step of a pedina.
pub const QUIET_LIMIT: u32 = 80;

/// Rules in which the rule sets of the family differ, besides their start positions.
///
/// ```
/// use hippolyta_rules::games::damone::{Damone, Rules};
/// use hippolyta_rules::games::{Notation, Outcome, Position, Side, variant};
///
/// // White has no damone: that loses only where the damone is the emperor.
/// let fen = "i7/8/8/8/8/8/4D3/8 w";
/// let emperor = Damone::from_fen(&variant::find("damone-imperatore")?, fen)?;
/// assert_eq!(emperor.rules(), &Rules::IMPERATORE);
/// assert_eq!(emperor.outcome(), Some(Outcome::Win(Side::Black)));
/// assert_eq!(Damone::from_fen(&variant::find("damone")?, fen)?.outcome(), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct Rules {
    /// A side without a damone has lost at once.
    pub needs_damone: bool,
}

impl Rules {
    /// The usual rules.
    pub const DAMONE: Self = Self { needs_damone: false };
    /// The last damone is the emperor.
    pub const IMPERATORE: Self = Self { needs_damone: true };
}

/// A turn: a quiet step by its cell and direction, or a capture by its number among the best ones.
///
/// ```
/// use hippolyta_rules::games::damone::{Damone, square};
/// use hippolyta_rules::games::{Notation, variant};
///
/// let variant = &variant::find("damone")?;
/// let start = Damone::from_fen(variant, variant.start())?;
/// let step = start.parse_turn("h5g6")?[0];
/// assert!(!step.is_capture());
/// let (from, to) = step.cells();
/// assert_eq!((square(from).to_string(), square(to).to_string()), ("h5".into(), "g6".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DamoneStep(u16);

impl DamoneStep {
    const CAPTURE: u16 = 1 << 15;

    fn quiet(from: usize, direction: usize) -> Self {
        Self((from << 2 | direction) as u16)
    }

    fn capture(number: usize) -> Self {
        Self(Self::CAPTURE | number as u16)
    }

    /// The number of the capture line, `None` for a quiet step.
    pub(super) fn line(self) -> Option<usize> {
        (self.0 & Self::CAPTURE != 0).then_some(usize::from(self.0 & !Self::CAPTURE))
    }

    /// Whether the step captures.
    #[must_use]
    pub fn is_capture(self) -> bool {
        self.line().is_some()
    }

    /// The cells of a quiet step, from and to. Meaningless for captures; see [`Damone::line`].
    #[must_use]
    pub fn cells(self) -> (usize, usize) {
        let (from, direction) = (usize::from(self.0 >> 2), usize::from(self.0 & 3));
        (from, (from as i32 + STEPS[direction]) as usize)
    }
}

impl Step for DamoneStep {
    #[inline]
    fn code(self) -> u16 {
        self.0
    }

    #[inline]
    fn from_code(code: u16) -> Self {
        Self(code)
    }
}

/// Keys of the positions since the last ply that cannot be taken back.
#[derive(Clone, Copy, Debug)]
struct History {
    keys: [u64; QUIET_LIMIT as usize],
    len: u8,
    /// Whether some key is there twice. To compare all pairs takes longer than the rest of a ply.
    has_repeated: bool,
}

impl History {
    const NONE: Self = Self { keys: [0; QUIET_LIMIT as usize], len: 0, has_repeated: false };

    fn known(&self) -> &[u64] {
        &self.keys[..usize::from(self.len)]
    }

    /// Whether the position of this key has occurred.
    #[inline]
    fn knows(&self, key: u64) -> bool {
        // All of them, without an early end: so the compiler compares several at once.
        self.known().iter().fold(false, |found, known| found | (*known == key))
    }

    #[inline]
    fn push(&mut self, key: u64) {
        self.has_repeated |= self.knows(key);
        // It always fits: the game is drawn before.
        if let Some(slot) = self.keys.get_mut(usize::from(self.len)) {
            *slot = key;
            self.len += 1;
        }
    }
}

/// A position of the Damone family, with the history that its draws depend on. It is `Copy`: to undo a step, keep the
/// position before it.
///
/// ```
/// use hippolyta_rules::games::damone::Damone;
/// use hippolyta_rules::games::{Game, Notation, variant};
///
/// let variant = &variant::find("damone")?;
/// let mut game = Game::new(Damone::from_fen(variant, "4i1d1/8/8/8/8/8/8/7I w")?);
/// game.play_text("h1g2")?;
/// assert_eq!(game.current().quiet(), 1); // a damone may go back, so the step is quiet
/// assert!(game.current().captures().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Damone {
    rules: &'static Rules,
    board: Board,
    side: Side,
    quiet: u32,
    pub(super) number: u32,
    /// Of board and side alone.
    board_key: u64,
    history: History,
}

impl PartialEq for Damone {
    /// Same rules, board, side and quiet plies, and the same positions before; the number of the turn does not count.
    fn eq(&self, other: &Self) -> bool {
        self.rules == other.rules
            && (self.board, self.side, self.quiet) == (other.board, other.side, other.quiet)
            && self.history.known() == other.history.known()
    }
}

impl Eq for Damone {}

/// Entry of the Zobrist table for what is no piece.
const BLACK_TO_MOVE: usize = 0;

fn piece_key(side: Side, rank: Rank, cell: usize) -> u64 {
    zobrist::keys().piece(3 * side.index() + rank as usize, Square::new(cell))
}

/// Spreads the number of quiet plies over all bits.
fn quiet_key(quiet: u32) -> u64 {
    u64::from(quiet).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Damone {
    /// A position without a past. `quiet` is the number of quiet plies before it. No piece may stand where it would
    /// have been promoted.
    #[must_use]
    pub fn new(rules: &'static Rules, board: Board, side: Side, quiet: u32) -> Self {
        let mut position = Self { rules, board, side, quiet, number: 1, board_key: 0, history: History::NONE };
        position.board_key = position.board_key_from_scratch();
        position
    }

    /// The pieces.
    #[inline]
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The rules in force.
    #[inline]
    #[must_use]
    pub fn rules(&self) -> &'static Rules {
        self.rules
    }

    /// The number of plies since the last capture, promotion or forward step of a pedina.
    #[inline]
    #[must_use]
    pub fn quiet(&self) -> u32 {
        self.quiet
    }

    /// The legal captures. If there are any, the side to move must choose one of them.
    #[must_use]
    pub fn captures(&self) -> Vec<Line> {
        self.board.captures(self.side)
    }

    /// The capture that a step stands for; `None` for a quiet step.
    #[must_use]
    pub fn line(&self, step: DamoneStep) -> Option<Line> {
        step.line().and_then(|number| self.captures().into_iter().nth(number))
    }

    /// The key of board and side to move, computed anew.
    #[must_use]
    pub fn board_key_from_scratch(&self) -> u64 {
        let mut key = zobrist::keys().size(8, 8);
        for side in [Side::White, Side::Black] {
            for rank in Rank::ALL {
                key = self.board.of(side, rank).fold(key, |key, cell| key ^ piece_key(side, rank, cell));
            }
        }
        if self.side == Side::Black { key ^ zobrist::keys().extra(BLACK_TO_MOVE) } else { key }
    }

    /// The key of board and side to move. It is kept up to date from step to step.
    #[must_use]
    pub fn board_key(&self) -> u64 {
        self.board_key
    }

    /// Whether the board has occurred twice before with the same side to move.
    fn is_third_occurrence(&self) -> bool {
        self.history.known().iter().filter(|&&key| key == self.board_key).count() >= 2
    }

    /// Whether some board has occurred twice, with the same side to move, since the last ply that cannot be taken back.
    /// The current board counts. Only such a board can be a draw at its next occurrence.
    #[must_use]
    pub fn has_repeated(&self) -> bool {
        self.history.has_repeated || self.history.knows(self.board_key)
    }

    /// The side that has lost by the board alone; draws are not considered.
    #[inline]
    fn loser(&self) -> Option<Side> {
        if self.rules.needs_damone {
            let lost = |side: &Side| self.board.of(*side, Rank::Damone).is_empty();
            if let Some(side) = [self.side, !self.side].into_iter().find(lost) {
                return Some(side);
            }
        }
        let moves = self.board.quiet_count(self.side) > 0 || self.board.can_capture(self.side);
        if moves { None } else { Some(self.side) }
    }

    /// Moves a piece, removes what is captured, and passes the turn on. Returns whether the ply cannot be taken back.
    #[inline(always)]
    fn shift(&mut self, from: usize, to: usize, captured: Cells, forward: bool) -> bool {
        let side = self.side;
        for rank in Rank::ALL {
            for cell in captured & self.board.of(!side, rank) {
                self.board_key ^= piece_key(!side, rank, cell);
            }
        }
        self.board.take(side, captured);
        let (rank, risen) = self.board.shift(side, from, to);
        self.board_key ^= piece_key(side, rank, from) ^ piece_key(side, risen, to);
        self.board_key ^= zobrist::keys().extra(BLACK_TO_MOVE);
        self.number = self.number.saturating_add(u32::from(side == Side::Black));
        self.side = !side;
        !captured.is_empty() || risen != rank || (rank == Rank::Pedina && forward)
    }

    /// Counts without history, which is right as long as no board can occur for the third time.
    fn count_from(rules: &Rules, board: &Board, side: Side, quiet: u32, turns: u32) -> u64 {
        if turns == 0 {
            return 1;
        }
        let lost = rules.needs_damone
            && [Side::White, Side::Black].iter().any(|&side| board.of(side, Rank::Damone).is_empty());
        if lost || quiet >= QUIET_LIMIT {
            return 0;
        }
        if turns == 1 {
            let captures = board.can_capture(side);
            return if captures { board.captures(side).len() as u64 } else { board.quiet_count(side).into() };
        }
        let mut count = 0;
        board.for_each_after(side, |after, irreversible| {
            let quiet = if irreversible { 0 } else { quiet + 1 };
            count += Self::count_from(rules, after, !side, quiet, turns - 1);
        });
        count
    }
}

impl Position for Damone {
    type Step = DamoneStep;

    #[inline]
    fn side_to_move(&self) -> Side {
        self.side
    }

    #[inline]
    fn at_turn_start(&self) -> bool {
        true
    }

    fn ends_turn(&self, _: Self::Step) -> bool {
        true
    }

    /// A side without a piece or without a move has lost. Otherwise the game is drawn if a board occurs for the third
    /// time with the same side to move, or after [`QUIET_LIMIT`] quiet plies in a row.
    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if let Some(loser) = self.loser() {
            return Some(Outcome::Win(!loser));
        }
        let drawn = self.quiet >= QUIET_LIMIT || self.history.len >= 8 && self.is_third_occurrence();
        drawn.then_some(Outcome::Draw)
    }

    fn for_each_step(&self, mut f: impl FnMut(DamoneStep) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.board.can_capture(self.side) {
            for number in 0..self.captures().len() {
                f(DamoneStep::capture(number))?;
            }
            return ControlFlow::Continue(());
        }
        for direction in 0..4 {
            for to in self.board.quiet_targets(self.side, direction) {
                f(DamoneStep::quiet((to as i32 - STEPS[direction]) as usize, direction))?;
            }
        }
        ControlFlow::Continue(())
    }

    fn play(&mut self, step: DamoneStep) {
        let before = self.board_key;
        let irreversible = match self.line(step) {
            Some(line) => self.shift(line.from(), line.to(), line.captured, false),
            None => {
                debug_assert!(!step.is_capture());
                let (from, to) = step.cells();
                let forward = usize::from(step.code() & 3) == FORWARD[self.side.index()];
                self.shift(from, to, Cells::NONE, forward)
            }
        };
        if irreversible {
            self.quiet = 0;
            (self.history.len, self.history.has_repeated) = (0, false);
        } else {
            self.quiet += 1;
            self.history.push(before);
        }
    }

    /// Of board, side and quiet plies.
    #[inline]
    fn key(&self) -> u64 {
        self.board_key ^ quiet_key(self.quiet)
    }

    /// Draws depend on what was played since the last ply that cannot be taken back.
    fn forgets_history(&self) -> bool {
        self.quiet == 0
    }

    fn turns_to_think_about(&self) -> u32 {
        let pieces = (!self.board.empty()).count();
        10 + pieces
    }

    fn count_turns(&self, turns: u32) -> u64 {
        // A third occurrence takes eight plies, and does not matter after the last.
        if u32::from(self.history.len) + turns <= 8 {
            return Self::count_from(self.rules, &self.board, self.side, self.quiet, turns);
        }
        if turns == 0 {
            return 1;
        }
        if self.outcome().is_some() {
            return 0;
        }
        if turns == 1 {
            return Self::count_from(self.rules, &self.board, self.side, self.quiet, 1);
        }
        let mut count = 0;
        let _ = self.for_each_step(|step| {
            count += self.after(step).count_turns(turns - 1);
            ControlFlow::Continue(())
        });
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Notation, variant};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn has_repeated_is_what_a_comparison_of_all_positions_says() {
        let start = &variant::find("damone").unwrap();
        let start = Damone::from_fen(start, start.start()).unwrap();
        let (mut random, mut repeated, mut position) = (Xoshiro256PlusPlus::seed_from_u64(5), 0, start);
        for _ in 0..20_000 {
            let keys = [position.history.known(), &[position.board_key]].concat();
            let twice = keys.iter().enumerate().any(|(index, key)| keys[..index].contains(key));
            assert_eq!(position.has_repeated(), twice);
            repeated += u32::from(twice);
            let steps = position.steps();
            let over = position.outcome().is_some();
            position = if over { start } else { position.after(steps[random.random_range(0..steps.len())]) };
        }
        assert!(repeated > 100, "{repeated}");
    }
}
