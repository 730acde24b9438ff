use super::{Flips, Leaves, Rules};
use crate::board::flood::king_step;
use crate::board::{Bitboard, Direction, Geometry, Square, zobrist};
use crate::games::move_fire::{MoveFireStep, StepKind};
use crate::games::{Outcome, PiecesError, Position, Side};
use std::cmp::Ordering;
use std::ops::ControlFlow;

/// Piece kinds of the Zobrist table: amazons take their side's index.
const NEUTRAL: usize = 2;
/// The amazon about to fire, beside its own piece.
const SHOOTER: usize = 3;
/// And the side's index.
const STONE: usize = 4;
/// Entries of the table for what is no piece.
const BLACK_TO_MOVE: usize = 0;
const MOVE_ONLY: usize = 1;

/// A position of the Desdemona family, at the start of a turn or between move and shot. It is `Copy`: to undo a step,
/// keep the position before it.
///
/// ```
/// use hippolyta_rules::games::desdemona::Desdemona;
/// use hippolyta_rules::games::{Notation, Outcome, Position, Side, variant};
///
/// // Black cannot move, so the game is over. White has more stones.
/// let position = Desdemona::from_fen(&variant::find("iago")?, "QSS/SSS/SSq b")?;
/// assert_eq!(position.stones(Side::White).count(), 7);
/// assert_eq!(position.margin(), 7);
/// assert_eq!(position.outcome(), Some(Outcome::Win(Side::White)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Desdemona {
    geometry: &'static Geometry,
    rules: &'static Rules,
    amazons: [Bitboard; 2],
    stones: [Bitboard; 2],
    empty: Bitboard,
    key: u64,
    pub(super) quiet: u32,
    pub(super) number: u32,
    side: Side,
    /// The turn of the side to move ends with its move: the first of a game.
    move_only: bool,
    /// The amazon that has moved and not yet fired.
    shooter: Option<Square>,
}

impl PartialEq for Desdemona {
    /// Same rules, board, side and half-turn; counters do not count.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.geometry, other.geometry)
            && self.rules == other.rules
            && (self.amazons, self.stones, self.empty) == (other.amazons, other.stones, other.empty)
            && (self.side, self.move_only, self.shooter) == (other.side, other.move_only, other.shooter)
    }
}

impl Eq for Desdemona {}

/// The pieces on a board, for [`Desdemona::from_pieces`]. The sets must be disjoint.
///
/// ```
/// use hippolyta_rules::board::{Bitboard, Geometry};
/// use hippolyta_rules::games::desdemona::{Desdemona, Pieces, Rules};
/// use hippolyta_rules::games::{PiecesError, Side};
///
/// let [a1, c3] = [Bitboard::of("a1".parse()?), Bitboard::of("c3".parse()?)];
/// let pieces = Pieces { amazons: [a1, c3], stones: [c3, Bitboard::EMPTY], neutral: Bitboard::EMPTY };
/// let made = Desdemona::from_pieces(Geometry::get(3, 3)?, &Rules::IAGO, &pieces, Side::White, false);
/// assert_eq!(made, Err(PiecesError::Shared("c3".parse()?)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pieces {
    /// White's amazons, then Black's.
    pub amazons: [Bitboard; 2],
    /// White's stones, then Black's.
    pub stones: [Bitboard; 2],
    /// Neutral stones.
    pub neutral: Bitboard,
}

impl Desdemona {
    /// A position at the start of a turn, made without a FEN. With `move_only` the first turn is a move without a shot.
    ///
    /// ```
    /// use hippolyta_rules::board::{Bitboard, Geometry, Square};
    /// use hippolyta_rules::games::desdemona::{Desdemona, Pieces, Rules};
    /// use hippolyta_rules::games::{Notation, Side};
    ///
    /// let on = |file, rank| Bitboard::of(Square::at(file, rank).expect("on every board"));
    /// let pieces = Pieces { amazons: [on(0, 0), on(2, 2)], stones: [on(1, 0), on(1, 2)], neutral: on(1, 1) };
    /// let position = Desdemona::from_pieces(Geometry::get(3, 3)?, &Rules::IAGO, &pieces, Side::Black, false)?;
    /// assert_eq!(position.fen(), "1sq/1*1/QS1 b - - 0 1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If two pieces share a square, a piece is not on the board, or there is no amazon.
    pub fn from_pieces(
        geometry: &'static Geometry,
        rules: &'static Rules,
        pieces: &Pieces,
        side: Side,
        move_only: bool,
    ) -> Result<Self, PiecesError> {
        let Pieces { amazons, stones, neutral } = *pieces;
        PiecesError::check(geometry, &[amazons[0], amazons[1], stones[0], stones[1], neutral])?;
        if (amazons[0] | amazons[1]).is_empty() {
            return Err(PiecesError::NoAmazon);
        }
        Ok(Self::new(geometry, rules, pieces, side, move_only))
    }

    /// A position at the start of a turn.
    fn new(geometry: &'static Geometry, rules: &'static Rules, pieces: &Pieces, side: Side, move_only: bool) -> Self {
        let Pieces { amazons, stones, neutral } = *pieces;
        let taken = amazons[0] | amazons[1] | stones[0] | stones[1] | neutral;
        let empty = geometry.squares() & !taken;
        let (key, quiet, number, shooter) = (0, 0, 1, None);
        let mut position =
            Self { geometry, rules, amazons, stones, empty, key, quiet, number, side, move_only, shooter };
        position.key = position.key_from_scratch();
        position
    }

    /// The tables of the board.
    #[inline]
    #[must_use]
    pub fn geometry(&self) -> &'static Geometry {
        self.geometry
    }

    /// The rules in force.
    #[inline]
    #[must_use]
    pub fn rules(&self) -> &'static Rules {
        self.rules
    }

    /// The squares of `side`'s amazons.
    #[inline]
    #[must_use]
    pub fn amazons(&self, side: Side) -> Bitboard {
        self.amazons[side.index()]
    }

    /// The squares of `side`'s stones.
    #[inline]
    #[must_use]
    pub fn stones(&self, side: Side) -> Bitboard {
        self.stones[side.index()]
    }

    /// The empty squares.
    #[inline]
    #[must_use]
    pub fn empty(&self) -> Bitboard {
        self.empty
    }

    /// The squares of neutral stones.
    #[inline]
    #[must_use]
    pub fn neutral(&self) -> Bitboard {
        let [white, black] = self.amazons;
        self.geometry.squares() & !(self.empty | white | black | self.stones[0] | self.stones[1])
    }

    /// White's stones minus Black's.
    #[inline]
    #[must_use]
    pub fn margin(&self) -> i32 {
        self.stones[0].count() as i32 - self.stones[1].count() as i32
    }

    /// Whether this turn is a move without a shot.
    #[inline]
    #[must_use]
    pub fn move_only(&self) -> bool {
        self.move_only
    }

    /// In the middle of a turn, the amazon that has moved and is about to fire.
    #[inline]
    #[must_use]
    pub fn shooter(&self) -> Option<Square> {
        self.shooter
    }

    /// The key, computed anew. [`Position::key`] keeps it up to date instead.
    #[must_use]
    pub fn key_from_scratch(&self) -> u64 {
        let keys = zobrist::keys();
        let mut key = keys.size(self.geometry.width(), self.geometry.height());
        let kinds = [
            (0, self.amazons[0]),
            (1, self.amazons[1]),
            (NEUTRAL, self.neutral()),
            (STONE, self.stones[0]),
            (STONE + 1, self.stones[1]),
            (SHOOTER, self.shooter.into_iter().collect()),
        ];
        for (kind, set) in kinds {
            key = set.into_iter().fold(key, |key, square| key ^ keys.piece(kind, square));
        }
        for (which, holds) in [(BLACK_TO_MOVE, self.side == Side::Black), (MOVE_ONLY, self.move_only)] {
            if holds {
                key ^= keys.extra(which);
            }
        }
        key
    }

    /// The squares that the amazon of `side` on `from` can reach, whether or not it can fire from there.
    #[inline(always)]
    #[must_use]
    pub fn move_targets(&self, side: Side, from: Square) -> Bitboard {
        let own = self.amazons[side.index()] | self.stones[side.index()];
        let open = if self.rules.passes_own { self.empty | own } else { self.empty };
        self.geometry.queen_targets(from, open) & self.empty
    }

    /// Squares that a plain shot may hit.
    #[inline(always)]
    pub(super) fn plain_allowed(&self) -> Bitboard {
        if self.rules.rim_barred { !self.geometry.rim() } else { Bitboard(u128::MAX) }
    }

    /// The squares that `side` can hit from `from` by flip shots, if exactly the squares of `empty` are empty.
    #[inline(always)]
    #[must_use]
    pub fn flip_targets(&self, side: Side, from: Square, empty: Bitboard) -> Bitboard {
        let enemy = self.stones[(!side).index()];
        let beside = self.geometry.neighbours(from) & enemy;
        if beside.is_empty() || self.rules.flips == Flips::Lines {
            return Bitboard::EMPTY;
        }
        let landings = beside.into_iter().filter_map(|first| Direction::towards(from, first));
        landings.fold(Bitboard::EMPTY, |all, d| all | self.geometry.behind(d, from, enemy)) & empty
    }

    /// All squares that `side` can hit from `from`, if exactly the squares of `empty` are empty.
    #[inline(always)]
    #[must_use]
    pub fn shots(&self, side: Side, from: Square, empty: Bitboard) -> Bitboard {
        self.geometry.queen_targets(from, empty) & self.plain_allowed() | self.flip_targets(side, from, empty)
    }

    /// Whether the amazon on `from` may move to `to`, one of its targets: it must be able to fire from there.
    #[inline(always)]
    fn can_fire_after(&self, from: Square, to: Square) -> bool {
        let empty = self.empty.with(from).without(to);
        let near = self.geometry.neighbours(to) & empty & self.plain_allowed();
        !near.is_empty() || !self.shots(self.side, to, empty).is_empty()
    }

    /// The stones that flip when `side` fires from `from` at `at`.
    #[inline(always)]
    #[must_use]
    pub fn flipped(&self, side: Side, from: Square, at: Square) -> Bitboard {
        let enemy = self.stones[(!side).index()];
        match self.rules.flips {
            Flips::Run(_) => match Direction::towards(from, at) {
                Some(direction) => self.geometry.between(direction, from, at) & enemy,
                None => Bitboard::EMPTY,
            },
            Flips::Lines => {
                let own = self.stones[side.index()] | self.amazons[side.index()];
                let mut flipped = Bitboard::EMPTY;
                for first in self.geometry.neighbours(at) & enemy {
                    if let Some(direction) = Direction::towards(at, first)
                        && self.geometry.behind(direction, at, enemy).intersects(own)
                    {
                        flipped |= self.geometry.ray_targets(direction, at, enemy);
                    }
                }
                flipped
            }
        }
    }

    /// The side to move fires from `from` at `at`.
    #[inline(always)]
    fn fire(&mut self, from: Square, at: Square) {
        let keys = zobrist::keys();
        let (own, enemy) = (self.side.index(), (!self.side).index());
        let flipped = self.flipped(self.side, from, at);
        let leaves = match self.rules.flips {
            Flips::Run(leaves) if !flipped.is_empty() => leaves,
            _ => self.rules.plain,
        };
        self.stones[enemy] &= !flipped;
        self.stones[own] |= flipped;
        for square in flipped {
            self.key ^= keys.piece(STONE, square) ^ keys.piece(STONE + 1, square);
        }
        self.empty = self.empty.without(at);
        if leaves == Leaves::Own {
            self.stones[own] = self.stones[own].with(at);
            self.key ^= keys.piece(STONE + own, at);
        } else {
            self.key ^= keys.piece(NEUTRAL, at);
        }
    }

    #[inline(always)]
    fn pass_on(&mut self) {
        self.key ^= zobrist::keys().extra(BLACK_TO_MOVE);
        self.number = self.number.saturating_add(u32::from(self.side == Side::Black));
        self.side = !self.side;
    }

    /// The result by the number of stones: the side with more of them wins.
    #[must_use]
    pub fn winner_by_stones(&self) -> Outcome {
        match self.margin().cmp(&0) {
            Ordering::Greater => Outcome::Win(Side::White),
            Ordering::Equal => Outcome::Draw,
            Ordering::Less => Outcome::Win(Side::Black),
        }
    }
}

impl Position for Desdemona {
    type Step = MoveFireStep;

    #[inline]
    fn side_to_move(&self) -> Side {
        self.side
    }

    #[inline]
    fn at_turn_start(&self) -> bool {
        self.shooter.is_none()
    }

    fn ends_turn(&self, step: Self::Step) -> bool {
        !self.at_turn_start() || self.after(step).at_turn_start()
    }

    /// The game ends when the side to move has no complete turn. The side with more stones wins.
    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if self.shooter.is_some() {
            return None;
        }
        let goes_on = if self.rules.every_move_has_a_shot() {
            !king_step(self.geometry, self.amazons(self.side), self.empty).is_empty()
        } else {
            self.for_each_step(|_| ControlFlow::Break(())).is_break()
        };
        if goes_on { None } else { Some(self.winner_by_stones()) }
    }

    #[inline]
    fn for_each_step(&self, mut f: impl FnMut(MoveFireStep) -> ControlFlow<()>) -> ControlFlow<()> {
        match self.shooter {
            Some(shooter) => {
                for at in self.shots(self.side, shooter, self.empty) {
                    f(MoveFireStep::firing(at))?;
                }
            }
            None => {
                let free = self.move_only || self.rules.every_move_has_a_shot();
                for from in self.amazons(self.side) {
                    for to in self.move_targets(self.side, from) {
                        if free || self.can_fire_after(from, to) {
                            f(MoveFireStep::moving(from, to))?;
                        }
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn play(&mut self, step: MoveFireStep) {
        let keys = zobrist::keys();
        match step.kind() {
            StepKind::Move { from, to } => {
                let own = self.side.index();
                debug_assert!(self.amazons[own].contains(from) && self.empty.contains(to) && self.shooter.is_none());
                self.amazons[own] = self.amazons[own].without(from).with(to);
                self.empty = self.empty.with(from).without(to);
                self.key ^= keys.piece(own, from) ^ keys.piece(own, to);
                if self.move_only {
                    self.move_only = false;
                    self.key ^= keys.extra(MOVE_ONLY);
                    self.pass_on();
                } else {
                    self.key ^= keys.piece(SHOOTER, to);
                    self.shooter = Some(to);
                }
            }
            StepKind::Fire { at } => {
                debug_assert!(self.empty.contains(at) && self.shooter.is_some());
                if let Some(shooter) = self.shooter.take() {
                    self.key ^= keys.piece(SHOOTER, shooter);
                    self.fire(shooter, at);
                }
                self.pass_on();
            }
        }
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    /// Random games end with about a third of the board empty.
    fn turns_to_think_about(&self) -> u32 {
        let open = self.empty.count().saturating_sub(self.geometry.squares().count() / 4);
        (open / 2).max(8)
    }

    fn count_turns(&self, turns: u32) -> u64 {
        self.count(turns)
    }
}
