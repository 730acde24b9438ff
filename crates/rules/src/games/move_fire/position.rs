use super::{FireAt, Flips, Kind, Leaves, MoveFireStep, Rules, StepKind, StoneSets, Stuck, Tie, Turns};
use crate::board::flood::Portable;
use crate::board::{Bitboard, Direction, Geometry, STRIDE, Square, zobrist};
use crate::games::{Outcome, PiecesError, Position, Side};
use std::cmp::Ordering;
use std::ops::ControlFlow;

/// Where turns need not fire, this number of turns in a row without fire is a draw. The first turn of a game that
/// begins with a move is none of them.
pub const QUIET_LIMIT: u32 = 80;

/// Kinds of the Zobrist table: amazons take their side's index.
const NEUTRAL: usize = 2;
/// The amazon about to fire, beside its own kind.
const SHOOTER: usize = 3;
/// And the side's index.
const STONE: usize = 4;
/// The square that is left, where only that may be fired at.
const LEFT: usize = 6;
/// Entries of the table for what is no piece.
const BLACK_TO_MOVE: usize = 0;
const MOVE_ONLY: usize = 1;

/// The middle of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Half {
    from: Square,
    to: Square,
}

/// A position of a game of move and fire, at the start of a turn or between move and fire: of the Amazons
/// ([`Amazons`](crate::games::amazons::Amazons)), of [`Desdemona`](crate::games::desdemona::Desdemona) and its relatives,
/// or by rules from a file ([`General`](crate::games::general::General)). It is `Copy`: to undo a step, keep the position
/// before it.
///
/// A step that ends a turn without fire is a fire at the square where the amazon stands.
///
/// ```
/// use hippolyta_rules::board::{Bitboard, Geometry, Reach};
/// use hippolyta_rules::games::general::{General, GeneralRules, Rules};
/// use hippolyta_rules::games::move_fire::Pieces;
/// use hippolyta_rules::games::{Position, Side, legal_turns};
///
/// let on = |name: &str| name.parse().map(Bitboard::of);
/// let pieces = Pieces { amazons: [on("a1")?, on("e5")?], ..Pieces::default() };
/// let knights = GeneralRules::new(&Rules { moves: [Reach::KNIGHT; 2], fires: [Reach::KNIGHT; 2], ..Rules::AMAZONS });
/// let start = General::from_pieces(knights, Geometry::get(5, 5)?, &pieces, Side::White, false)?;
/// assert_eq!((start.count_steps(), legal_turns(&start).len()), (2, 12));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct MoveFire<K: Kind> {
    geometry: &'static Geometry,
    kind: K,
    amazons: [Bitboard; 2],
    stones: K::Stones,
    empty: Bitboard,
    key: u64,
    pub(super) quiet: u32,
    pub(super) number: u32,
    side: Side,
    /// The turn of the side to move ends with its move: the first of a game.
    move_only: bool,
    /// The move of a turn that has not ended.
    half: Option<Half>,
}

impl<K: Kind> PartialEq for MoveFire<K> {
    /// Same rules, board, side and half-turn; counters do not count.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.geometry, other.geometry)
            && self.kind == other.kind
            && (self.amazons, self.stones, self.empty) == (other.amazons, other.stones, other.empty)
            && (self.side, self.move_only, self.shooter()) == (other.side, other.move_only, other.shooter())
            && self.left() == other.left()
    }
}

impl<K: Kind> Eq for MoveFire<K> {}

/// Amazons, stones and arrows on a board, for [`MoveFire::from_pieces`]. The sets must be disjoint.
///
/// ```
/// use hippolyta_rules::board::{Bitboard, Geometry};
/// use hippolyta_rules::games::desdemona::{Desdemona, DesdemonaRules};
/// use hippolyta_rules::games::move_fire::{Pieces, Rules};
/// use hippolyta_rules::games::{PiecesError, Side};
///
/// let [a1, c3] = [Bitboard::of("a1".parse()?), Bitboard::of("c3".parse()?)];
/// let pieces = Pieces { amazons: [a1, c3], stones: [c3, Bitboard::EMPTY], neutral: Bitboard::EMPTY };
/// let iago = DesdemonaRules(&Rules::IAGO);
/// let made = Desdemona::from_pieces(iago, Geometry::get(3, 3)?, &pieces, Side::White, false);
/// assert_eq!(made, Err(PiecesError::Shared("c3".parse()?)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pieces {
    /// White's amazons, then Black's.
    pub amazons: [Bitboard; 2],
    /// White's stones, then Black's. In games without stones they are arrows.
    pub stones: [Bitboard; 2],
    /// Arrows and neutral stones.
    pub neutral: Bitboard,
}

impl<K: Kind> MoveFire<K> {
    /// A position at the start of a turn, made without a FEN. With `move_only` this turn is a move without fire, if the
    /// rules know such turns.
    ///
    /// ```
    /// use hippolyta_rules::board::{Bitboard, Geometry};
    /// use hippolyta_rules::games::amazons::{Amazons, AmazonsRules};
    /// use hippolyta_rules::games::{Notation, Side, move_fire::Pieces};
    ///
    /// let [white, black, arrow] = ["a1", "c3", "b2"].map(|name| name.parse().map(Bitboard::of));
    /// let pieces = Pieces { amazons: [white?, black?], neutral: arrow?, ..Pieces::default() };
    /// let position = Amazons::from_pieces(AmazonsRules, Geometry::get(3, 3)?, &pieces, Side::White, false)?;
    /// assert_eq!(position.fen(), "2q/1*1/Q2 w - - 0 1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If two pieces share a square, one is not on the board, or there are too few or too many amazons.
    pub fn from_pieces(
        kind: K,
        geometry: &'static Geometry,
        pieces: &Pieces,
        side: Side,
        move_only: bool,
    ) -> Result<Self, PiecesError> {
        let Pieces { amazons, stones, neutral } = *pieces;
        PiecesError::check(geometry, &[amazons[0], amazons[1], stones[0], stones[1], neutral])?;
        K::check(amazons)?;
        let mut position = Self {
            geometry,
            kind,
            amazons,
            stones: K::Stones::of(stones),
            empty: geometry.squares() & !(amazons[0] | amazons[1] | stones[0] | stones[1] | neutral),
            key: 0,
            quiet: 0,
            number: 1,
            side,
            move_only: move_only && kind.rules().moves_first,
            half: None,
        };
        position.key = position.key_from_scratch();
        Ok(position)
    }

    /// The rules in force.
    #[inline(always)]
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.kind.rules()
    }

    /// The kind of the rules, with what amazons can reach.
    #[inline(always)]
    #[must_use]
    pub fn kind(&self) -> &K {
        &self.kind
    }

    /// The tables of the board.
    #[inline]
    #[must_use]
    pub fn geometry(&self) -> &'static Geometry {
        self.geometry
    }

    /// The squares of `side`'s amazons.
    #[inline]
    #[must_use]
    pub fn amazons(&self, side: Side) -> Bitboard {
        self.amazons[side.index()]
    }

    /// The amazons of both sides, White's first.
    #[inline]
    #[must_use]
    pub fn both_amazons(&self) -> [Bitboard; 2] {
        self.amazons
    }

    /// The squares of `side`'s stones.
    #[inline]
    #[must_use]
    pub fn stones(&self, side: Side) -> Bitboard {
        self.stones.both()[side.index()]
    }

    /// The stones of both sides, White's first.
    #[inline]
    #[must_use]
    pub fn both_stones(&self) -> [Bitboard; 2] {
        self.stones.both()
    }

    /// The empty squares.
    #[inline]
    #[must_use]
    pub fn empty(&self) -> Bitboard {
        self.empty
    }

    /// The squares of arrows and neutral stones.
    #[inline]
    #[must_use]
    pub fn neutral(&self) -> Bitboard {
        let (amazons, stones) = (self.amazons, self.stones.both());
        self.geometry.squares() & !(self.empty | amazons[0] | amazons[1] | stones[0] | stones[1])
    }

    /// White's stones minus Black's.
    #[inline]
    #[must_use]
    pub fn margin(&self) -> i32 {
        let [white, black] = self.stones.both();
        white.count() as i32 - black.count() as i32
    }

    /// Whether this turn is a move without fire.
    #[inline]
    #[must_use]
    pub fn move_only(&self) -> bool {
        self.move_only && self.rules().moves_first
    }

    /// In the middle of a turn, the amazon that has moved and is about to fire.
    #[inline]
    #[must_use]
    pub fn shooter(&self) -> Option<Square> {
        self.half.map(|half| half.to)
    }

    /// In the middle of a turn, the square that is left, if that decides anything.
    #[inline(always)]
    pub(super) fn left(&self) -> Option<Square> {
        self.half.filter(|_| self.rules().fire_at == FireAt::Left).map(|half| half.from)
    }

    /// The key, computed anew. [`Position::key`] keeps it up to date instead.
    #[must_use]
    pub fn key_from_scratch(&self) -> u64 {
        let keys = zobrist::keys();
        let mut key = keys.size(self.geometry.width(), self.geometry.height());
        let ([white, black], stones) = (self.amazons, self.stones.both());
        let kinds = [(0, white), (1, black), (NEUTRAL, self.neutral()), (STONE, stones[0]), (STONE + 1, stones[1])];
        for (kind, set) in kinds {
            key = set.into_iter().fold(key, |key, square| key ^ keys.piece(kind, square));
        }
        for (which, holds) in [(BLACK_TO_MOVE, self.side == Side::Black), (MOVE_ONLY, self.move_only)] {
            if holds {
                key ^= keys.extra(which);
            }
        }
        key ^ self.key_of_half()
    }

    /// The part of the key that says which turn has begun.
    #[inline(always)]
    fn key_of_half(&self) -> u64 {
        let of = |kind, square: Option<Square>| square.map_or(0, |square| zobrist::keys().piece(kind, square));
        of(SHOOTER, self.shooter()) ^ of(LEFT, self.left())
    }

    /// The squares that the amazon of `side` on `from` can move to, whether or not it can fire from there.
    #[inline(always)]
    #[must_use]
    pub fn move_targets(&self, side: Side, from: Square) -> Bitboard {
        self.kind.moves(Portable, self.geometry, side, from, self.empty | self.passed(side)) & self.empty
    }

    /// Occupied squares that amazons of `side` may move over.
    #[inline(always)]
    #[must_use]
    pub fn passed(&self, side: Side) -> Bitboard {
        let set = |passed: bool, all: [Bitboard; 2]| if passed { all[side.index()] } else { Bitboard::EMPTY };
        let rules = self.rules();
        set(rules.passes_pieces, self.amazons) | set(rules.passes_stones, self.stones.both())
    }

    /// Squares that a plain fire of `side` may hit, if they are empty.
    #[inline(always)]
    #[must_use]
    pub fn plain_allowed(&self, side: Side) -> Bitboard {
        let open = !self.rules().protected_from(side);
        if self.rules().rim_barred { open & !self.geometry.rim() } else { open }
    }

    /// The squares that `side` can hit from `from` over runs of enemy stones, if exactly the squares of `empty` are
    /// empty.
    #[inline(always)]
    #[must_use]
    pub fn flip_targets(&self, side: Side, from: Square, empty: Bitboard) -> Bitboard {
        let enemy = self.stones(!side);
        let beside = self.geometry.neighbours(from) & enemy;
        if beside.is_empty() || !matches!(self.rules().flips, Flips::Run(_)) {
            return Bitboard::EMPTY;
        }
        let landing = |d| self.geometry.behind(d, from, enemy) & self.kind.fire_ray(side, d, from);
        let directions = beside.into_iter().filter_map(|first| Direction::towards(from, first));
        directions.fold(Bitboard::EMPTY, |all, d| all | landing(d)) & empty & !self.rules().protected_from(side)
    }

    /// The rim, and the squares beside one that is closed, along a rank or file.
    pub(super) fn edge(&self) -> Bitboard {
        let geometry = self.geometry;
        let closed = geometry.squares() & !(self.empty | self.amazons[0] | self.amazons[1]);
        let beside = closed << 1 & geometry.not_first_file() | closed >> 1 & geometry.not_last_file();
        geometry.rim() | beside | closed << STRIDE as u32 | closed >> STRIDE as u32
    }

    /// The squares that `side` can hit after a move, if exactly the squares of `empty` are empty.
    #[inline(always)]
    fn shots(&self, side: Side, moved: Half, empty: Bitboard) -> Bitboard {
        if K::HAS_ANY_RULES { self.any_shots(side, moved, empty) } else { self.shots_in_line(side, moved, empty) }
    }

    #[inline(never)]
    fn any_shots(&self, side: Side, moved: Half, empty: Bitboard) -> Bitboard {
        self.shots_in_line(side, moved, empty)
    }

    #[inline(always)]
    fn shots_in_line(&self, side: Side, moved: Half, empty: Bitboard) -> Bitboard {
        let plain = match self.rules().fire_at {
            FireAt::Reach => self.kind.fires(Portable, self.geometry, side, moved.to, empty),
            FireAt::Left => Bitboard::of(moved.from) & empty,
            FireAt::Anywhere => empty,
            FireAt::Edge => empty & self.edge(),
        };
        plain & self.plain_allowed(side) | self.flip_targets(side, moved.to, empty)
    }

    /// In the middle of a turn, the squares that can be hit; else none.
    #[must_use]
    pub fn fire_targets(&self) -> Bitboard {
        self.half.map_or(Bitboard::EMPTY, |half| self.shots(self.side, half, self.empty))
    }

    /// Where a turn is a move or a fire, the squares that the amazon on `from` can hit from there.
    pub(super) fn shots_from(&self, from: Square) -> Bitboard {
        self.shots(self.side, Half { from, to: from }, self.empty)
    }

    /// At the start of a turn, the squares that the side to move can hit instead of moving.
    #[inline(always)]
    pub(super) fn shots_instead(&self) -> Bitboard {
        let may_fire = self.rules().turns == Turns::MoveOrFire && !self.move_only();
        if may_fire { self.shots_from_all() } else { Bitboard::EMPTY }
    }

    #[inline(never)]
    fn shots_from_all(&self) -> Bitboard {
        self.amazons(self.side).into_iter().fold(Bitboard::EMPTY, |all, from| all | self.shots_from(from))
    }

    /// Whether the amazon on `from` may move to `to`, one of its targets: it must be able to fire from there.
    #[inline(always)]
    fn can_fire_after(&self, from: Square, to: Square) -> bool {
        if K::HAS_ANY_RULES { self.any_can_fire_after(from, to) } else { self.can_fire_in_line(from, to) }
    }

    #[inline(never)]
    fn any_can_fire_after(&self, from: Square, to: Square) -> bool {
        self.can_fire_in_line(from, to)
    }

    #[inline(always)]
    fn can_fire_in_line(&self, from: Square, to: Square) -> bool {
        let empty = self.empty.with(from).without(to);
        let near = self.kind.fires_near(self.geometry, self.side, to) & empty & self.plain_allowed(self.side);
        self.rules().fire_at == FireAt::Reach && !near.is_empty()
            || !self.shots(self.side, Half { from, to }, empty).is_empty()
    }

    /// The stones that flip when `side`, after its move to `from`, fires at `at`.
    #[inline(always)]
    #[must_use]
    pub fn flipped(&self, side: Side, from: Square, at: Square) -> Bitboard {
        let enemy = self.stones(!side);
        match self.rules().flips {
            Flips::None => Bitboard::EMPTY,
            // A leap is over nothing.
            Flips::Run(_) => match Direction::towards(from, at) {
                Some(direction) => self.geometry.between(direction, from, at) & enemy,
                None => Bitboard::EMPTY,
            },
            Flips::Lines => {
                let own = self.stones(side) | self.amazons(side);
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
        let (rules, mut stones) = (self.rules(), self.stones.both());
        let leaves = match rules.flips {
            Flips::Run(leaves) if !flipped.is_empty() => leaves,
            _ => rules.plain,
        };
        stones[enemy] &= !flipped;
        stones[own] |= flipped;
        for square in flipped {
            self.key ^= keys.piece(STONE, square) ^ keys.piece(STONE + 1, square);
        }
        self.empty = self.empty.without(at);
        if leaves == Leaves::Own {
            stones[own] = stones[own].with(at);
            self.key ^= keys.piece(STONE + own, at);
        } else {
            self.key ^= keys.piece(NEUTRAL, at);
        }
        self.stones = K::Stones::of(stones);
    }

    #[inline(always)]
    fn pass_on(&mut self) {
        self.key ^= zobrist::keys().extra(BLACK_TO_MOVE);
        self.number = self.number.saturating_add(u32::from(self.side == Side::Black));
        self.side = !self.side;
    }

    /// Whether the side to move, which is at the start of a turn, has one that moves or fires.
    #[inline(always)]
    pub(super) fn has_turn(&self) -> bool {
        if !(self.move_only() || self.rules().every_move_has_a_fire()) || !self.passed(self.side).is_empty() {
            return self.for_each_own_step(|_| ControlFlow::Break(())).is_break();
        }
        let (geometry, side) = (self.geometry, self.side);
        self.kind.can_move(geometry, side, self.amazons(side), self.empty) || !self.shots_instead().is_empty()
    }

    /// The step by which the side to move passes, if it must: a fire at its first amazon itself. A side without amazons
    /// cannot.
    #[inline(always)]
    pub(super) fn pass(&self) -> Option<MoveFireStep> {
        if K::HAS_ANY_RULES && self.rules().stuck_passes && self.half.is_none() { self.pass_if_stuck() } else { None }
    }

    #[inline(never)]
    fn pass_if_stuck(&self) -> Option<MoveFireStep> {
        let other = Self { side: !self.side, move_only: false, ..*self };
        let first = self.amazons(self.side).first().filter(|_| !self.has_turn() && other.has_turn());
        first.map(MoveFireStep::firing)
    }

    /// Calls `f` for every legal step that does not pass.
    #[inline(always)]
    fn for_each_own_step(&self, mut f: impl FnMut(MoveFireStep) -> ControlFlow<()>) -> ControlFlow<()> {
        match self.half {
            Some(half) => {
                for at in self.shots(self.side, half, self.empty) {
                    f(MoveFireStep::firing(at))?;
                }
                if self.rules().may_hold() {
                    f(MoveFireStep::firing(half.to))?;
                }
            }
            None => {
                let free = self.move_only() || self.rules().every_move_has_a_fire();
                for from in self.amazons(self.side) {
                    for to in self.move_targets(self.side, from) {
                        if free || self.can_fire_after(from, to) {
                            f(MoveFireStep::moving(from, to))?;
                        }
                    }
                }
                for at in self.shots_instead() {
                    f(MoveFireStep::firing(at))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The most turns that a game can still have in which every turn fires.
    ///
    /// ```
    /// use hippolyta_rules::games::{Notation, amazons::Amazons, variant};
    ///
    /// let start = Amazons::from_fen(&variant::find("amazons")?, "q2/3/*1Q w")?;
    /// assert_eq!(start.most_turns(), 6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn most_turns(&self) -> u32 {
        // One for each empty square, before which there may be one that passes, and a first one that only moves.
        let of_each = if self.rules().stuck_passes { 2 } else { 1 };
        of_each * self.empty.count() + u32::from(self.move_only())
    }

    /// Whether the game is drawn because too many turns in a row did not fire.
    pub(super) fn is_quiet(&self) -> bool {
        self.rules().may_hold() && self.quiet >= QUIET_LIMIT
    }

    /// The result of every game that goes on from here, where the rules alone decide it: nobody can win, or stones are
    /// counted that nothing can change.
    ///
    /// ```
    /// use hippolyta_rules::board::{Bitboard, Geometry};
    /// use hippolyta_rules::games::general::{General, GeneralRules, Rules, Stuck};
    /// use hippolyta_rules::games::{Outcome, Side, move_fire::Pieces};
    ///
    /// let on = |name: &str| name.parse().map(Bitboard::of);
    /// let pieces = Pieces { amazons: [on("a1")?, on("e5")?], ..Pieces::default() };
    /// let board = Geometry::get(5, 5)?;
    /// let of = |rules| General::from_pieces(GeneralRules::new(&rules), board, &pieces, Side::White, false);
    /// assert_eq!(of(Rules { stuck: Stuck::Draws, ..Rules::AMAZONS })?.settled(), Some(Outcome::Draw));
    /// assert_eq!(of(Rules::AMAZONS)?.settled(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn settled(&self) -> Option<Outcome> {
        let (rules, [white, black]) = (self.rules(), self.stones.both());
        let changes = rules.plain == Leaves::Own || rules.flips != Flips::None && !(white | black).is_empty();
        match rules.stuck {
            Stuck::Draws => Some(Outcome::Draw),
            Stuck::MostStones(_) | Stuck::FewestStones(_) if !changes => {
                Some(self.result()).filter(|&result| !rules.may_hold() || result == Outcome::Draw)
            }
            _ => None,
        }
    }

    /// The result if the side to move is stuck.
    #[must_use]
    pub fn result(&self) -> Outcome {
        let by_stones = |margin: i32, tie: Tie| match (margin.cmp(&0), tie) {
            (Ordering::Greater, _) => Outcome::Win(Side::White),
            (Ordering::Less, _) => Outcome::Win(Side::Black),
            (Ordering::Equal, Tie::For(side)) => Outcome::Win(side),
            (Ordering::Equal, Tie::Draw) => Outcome::Draw,
        };
        match self.rules().stuck {
            Stuck::Loses => Outcome::Win(!self.side),
            Stuck::Wins => Outcome::Win(self.side),
            Stuck::Draws => Outcome::Draw,
            Stuck::MostStones(tie) => by_stones(self.margin(), tie),
            Stuck::FewestStones(tie) => by_stones(-self.margin(), tie),
        }
    }
}

impl<K: Kind> Position for MoveFire<K> {
    type Step = MoveFireStep;
    const CAN_BE_DRAWN: bool = K::CAN_BE_DRAWN;

    #[inline]
    fn side_to_move(&self) -> Side {
        self.side
    }

    #[inline]
    fn at_turn_start(&self) -> bool {
        self.half.is_none()
    }

    fn ends_turn(&self, step: Self::Step) -> bool {
        let fires = matches!(step.kind(), StepKind::Fire { .. });
        fires || self.move_only() || self.rules().turns == Turns::MoveOrFire
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if self.half.is_some() {
            return None;
        }
        if !self.has_turn() && self.pass().is_none() {
            return Some(self.result());
        }
        self.is_quiet().then_some(Outcome::Draw)
    }

    #[inline]
    fn for_each_step(&self, mut f: impl FnMut(MoveFireStep) -> ControlFlow<()>) -> ControlFlow<()> {
        match self.pass() {
            Some(pass) => f(pass),
            None => self.for_each_own_step(f),
        }
    }

    #[inline]
    fn play(&mut self, step: MoveFireStep) {
        let keys = zobrist::keys();
        match step.kind() {
            StepKind::Move { from, to } => {
                let own = self.side.index();
                debug_assert!(self.amazons[own].contains(from) && self.empty.contains(to) && self.half.is_none());
                self.amazons[own] = self.amazons[own].without(from).with(to);
                self.empty = self.empty.with(from).without(to);
                self.key ^= keys.piece(own, from) ^ keys.piece(own, to);
                if self.move_only() {
                    self.move_only = false;
                    self.key ^= keys.extra(MOVE_ONLY);
                    self.pass_on();
                } else if self.rules().turns == Turns::MoveOrFire {
                    self.quiet = self.quiet.saturating_add(1);
                    self.pass_on();
                } else {
                    self.half = Some(Half { from, to });
                    self.key ^= self.key_of_half();
                }
            }
            StepKind::Fire { at } => {
                debug_assert!(self.empty.contains(at) || self.shooter() == Some(at) || self.pass() == Some(step));
                self.key ^= self.key_of_half();
                let moved = self.half.take().map(|half| half.to);
                let instead = self.rules().turns == Turns::MoveOrFire;
                if K::HAS_ANY_RULES && moved.is_none() && !self.empty.contains(at) {
                    // It passes.
                    if self.move_only() {
                        self.move_only = false;
                        self.key ^= keys.extra(MOVE_ONLY);
                    } else if self.rules().may_hold() {
                        self.quiet = self.quiet.saturating_add(1);
                    }
                // It does not matter then which of several amazons fires.
                } else if let Some(from) = if instead { Some(at) } else { moved } {
                    let may_hold = self.rules().may_hold();
                    let fires = !may_hold || instead || at != from;
                    if fires {
                        self.fire(from, at);
                    }
                    if may_hold {
                        self.quiet = if fires { 0 } else { self.quiet.saturating_add(1) };
                    }
                }
                self.pass_on();
            }
        }
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    fn forgets_history(&self) -> bool {
        !self.rules().may_hold()
    }

    /// Each turn fills a square.
    fn turns_to_think_about(&self) -> u32 {
        let [share, of] = K::EMPTY_AT_END;
        let open = self.empty.count().saturating_sub(self.geometry.squares().count() * share / of);
        (open / 2).max(8)
    }

    fn count_turns(&self, turns: u32) -> u64 {
        self.count(turns)
    }

    fn count_steps(&self) -> usize {
        match self.half {
            Some(half) => {
                let fires = self.shots(self.side, half, self.empty).count();
                fires as usize + usize::from(self.rules().may_hold())
            }
            None if self.move_only() || self.rules().every_move_has_a_fire() => {
                let targets = |from| self.move_targets(self.side, from).count() as usize;
                let moves: usize = self.amazons(self.side).into_iter().map(targets).sum();
                moves + self.shots_instead().count() as usize + usize::from(self.pass().is_some())
            }
            None => {
                let mut count = 0;
                let _ = self.for_each_step(|_| {
                    count += 1;
                    ControlFlow::Continue(())
                });
                count
            }
        }
    }
}
