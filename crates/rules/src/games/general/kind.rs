use super::Rules;
use crate::board::flood::Kernel;
use crate::board::{Bitboard, Direction, Geometry, ReachTable, Square};
use crate::games::Side;
use crate::games::move_fire::{Kind, MoveFire};
use crate::games::variant::Variant;

/// A position of a game by any rules, built in or from a file.
///
/// ```
/// use hippolyta_rules::games::amazons::Amazons;
/// use hippolyta_rules::games::general::General;
/// use hippolyta_rules::games::{Notation, Position, variant};
///
/// let (variant, fen) = (variant::find("amazons")?, "q2/3/*1Q w - - 0 1");
/// assert_eq!(General::from_fen(&variant, fen)?.fen(), fen);
/// assert_eq!(General::from_fen(&variant, fen)?.count_turns(2), Amazons::from_fen(&variant, fen)?.count_turns(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type General = MoveFire<GeneralRules>;

/// Any rules, with the tables of what amazons can reach.
///
/// ```
/// use hippolyta_rules::games::general::{GeneralRules, Rules};
/// use hippolyta_rules::games::move_fire::Kind;
///
/// assert_eq!(GeneralRules::new(&Rules::IAGO).rules(), Rules::IAGO);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct GeneralRules {
    rules: Rules,
    /// White's, then Black's.
    moves: [&'static ReachTable; 2],
    fires: [&'static ReachTable; 2],
}

impl GeneralRules {
    /// These rules.
    #[must_use]
    pub fn new(rules: &Rules) -> Self {
        Self { rules: *rules, moves: rules.moves.map(ReachTable::get), fires: rules.fires.map(ReachTable::get) }
    }
}

impl PartialEq for GeneralRules {
    fn eq(&self, other: &Self) -> bool {
        self.rules == other.rules
    }
}

impl Kind for GeneralRules {
    const FAMILY: &'static str = "general";
    const CAN_BE_DRAWN: bool = true;
    /// The last third of the board is mostly filled by one side alone.
    const EMPTY_AT_END: [u32; 2] = [1, 3];
    const HAS_ANY_RULES: bool = true;
    type Stones = [Bitboard; 2];

    fn of(variant: &Variant) -> Option<Self> {
        Rules::of(variant).map(|rules| Self::new(&rules))
    }

    #[inline(always)]
    fn rules(&self) -> Rules {
        self.rules
    }

    #[inline(always)]
    fn moves<N: Kernel>(&self, kernel: N, _: &Geometry, side: Side, from: Square, open: Bitboard) -> Bitboard {
        self.moves[side.index()].targets_by(kernel, from, open)
    }

    #[inline(always)]
    fn near(&self, _: &Geometry, side: Side, from: Square) -> Bitboard {
        self.moves[side.index()].near(from)
    }

    #[inline(always)]
    fn can_move(&self, geometry: &Geometry, side: Side, amazons: Bitboard, empty: Bitboard) -> bool {
        amazons.into_iter().any(|from| self.near(geometry, side, from).intersects(empty))
    }

    #[inline(always)]
    fn fires<N: Kernel>(&self, kernel: N, _: &Geometry, side: Side, from: Square, empty: Bitboard) -> Bitboard {
        self.fires[side.index()].targets_by(kernel, from, empty)
    }

    #[inline(always)]
    fn fires_near(&self, _: &Geometry, side: Side, from: Square) -> Bitboard {
        self.fires[side.index()].near(from)
    }

    #[inline(always)]
    fn fire_ray(&self, side: Side, direction: Direction, from: Square) -> Bitboard {
        self.fires[side.index()].ray(direction, from)
    }
}
