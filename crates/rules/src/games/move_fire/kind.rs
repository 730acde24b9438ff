use super::{MoveFire, Rules, turns_after_each};
use crate::board::flood::{Kernel, king_step};
use crate::board::{Bitboard, Direction, Geometry, Square};
use crate::games::variant::Variant;
use crate::games::{PiecesError, Side};
use std::fmt::Debug;

/// The stones of both sides, White's first: two sets, or nothing in games without stones.
///
/// ```
/// use hippolyta_rules::board::Bitboard;
/// use hippolyta_rules::games::move_fire::StoneSets;
///
/// let none: () = StoneSets::of([Bitboard::EMPTY; 2]);
/// assert_eq!(none.both(), [Bitboard::EMPTY; 2]);
/// ```
pub trait StoneSets: Copy + Eq + Debug + Send + Sync + 'static {
    /// Keeps these sets, if there are stones.
    fn of(sets: [Bitboard; 2]) -> Self;
    /// The sets.
    fn both(self) -> [Bitboard; 2];
}

impl StoneSets for [Bitboard; 2] {
    #[inline(always)]
    fn of(sets: [Bitboard; 2]) -> Self {
        sets
    }

    #[inline(always)]
    fn both(self) -> [Bitboard; 2] {
        self
    }
}

impl StoneSets for () {
    #[inline(always)]
    fn of(_: [Bitboard; 2]) -> Self {}

    #[inline(always)]
    fn both(self) -> [Bitboard; 2] {
        [Bitboard::EMPTY; 2]
    }
}

/// A kind of rules: those of a type of positions. [`rules`](Self::rules) is inlined, so a rule that all of them share
/// is a constant. Amazons move and fire as queens, unless a kind says otherwise.
///
/// ```
/// use hippolyta_rules::games::amazons::AmazonsRules;
/// use hippolyta_rules::games::move_fire::Kind;
///
/// assert_eq!(AmazonsRules::FAMILY, "Amazons");
/// assert!(!AmazonsRules.rules().moves_first);
/// ```
pub trait Kind: Copy + PartialEq + Debug + Send + Sync + 'static {
    /// Its name in messages.
    const FAMILY: &'static str;
    /// Whether games may end in a draw.
    const CAN_BE_DRAWN: bool;
    /// The share of the board that is still empty when nobody has to think any more: its numerator and denominator.
    const EMPTY_AT_END: [u32; 2];
    /// Whether rules are data, so that the code for where fires land is long, and stands in one place.
    const HAS_ANY_RULES: bool = false;
    /// Stones of both sides, or `()`.
    type Stones: StoneSets;

    /// The rules of a rule set, if it is of this kind.
    fn of(variant: &Variant) -> Option<Self>;

    /// The rules as data.
    fn rules(&self) -> Rules;

    /// Whether these amazons make a position.
    ///
    /// # Errors
    ///
    /// If there are too few or too many.
    fn check(amazons: [Bitboard; 2]) -> Result<(), PiecesError> {
        if (amazons[0] | amazons[1]).is_empty() { Err(PiecesError::NoAmazon) } else { Ok(()) }
    }

    /// The squares of `open` that a move of `side` leads to from `from`, over squares of `open`.
    #[inline(always)]
    fn moves<N: Kernel>(&self, kernel: N, geometry: &Geometry, _side: Side, from: Square, open: Bitboard) -> Bitboard {
        kernel.queen_targets(geometry, from, open)
    }

    /// The squares next to `from`, as amazons of `side` move. If none of them is empty, no move leads anywhere.
    #[inline(always)]
    fn near(&self, geometry: &Geometry, _side: Side, from: Square) -> Bitboard {
        geometry.neighbours(from)
    }

    /// Whether any of these amazons of `side` can move to one of the squares of `empty`.
    #[inline(always)]
    fn can_move(&self, geometry: &Geometry, _side: Side, amazons: Bitboard, empty: Bitboard) -> bool {
        !king_step(geometry, amazons, empty).is_empty()
    }

    /// The empty squares that a plain fire of `side` may hit from `from`, where it is the reach of the amazon that decides.
    #[inline(always)]
    fn fires<N: Kernel>(&self, kernel: N, geometry: &Geometry, _side: Side, from: Square, empty: Bitboard) -> Bitboard {
        kernel.queen_targets(geometry, from, empty)
    }

    /// The squares next to `from`, as amazons of `side` fire.
    #[inline(always)]
    fn fires_near(&self, geometry: &Geometry, _side: Side, from: Square) -> Bitboard {
        geometry.neighbours(from)
    }

    /// The squares of a ray that a fire of `side` may hit over stones.
    #[inline(always)]
    fn fire_ray(&self, _side: Side, _: Direction, _: Square) -> Bitboard {
        Bitboard(u128::MAX)
    }

    /// The number of turns from a position at the start of a turn that is not drawn.
    #[inline(always)]
    fn count_turns<N: Kernel>(kernel: N, position: &MoveFire<Self>) -> u64 {
        position.count_open(kernel)
    }

    /// The number of sequences of two turns from such a position.
    #[inline(always)]
    fn count_pairs<N: Kernel>(kernel: N, position: &MoveFire<Self>) -> u64 {
        turns_after_each(kernel, position)
    }
}
