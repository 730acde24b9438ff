//! Desdemona and its relatives: amazons that place stones, which flip as in Othello.
//!
//! A turn is a move and a shot as in the Game of the Amazons, but a shot leaves a stone. A shot over a run of enemy
//! stones flips them. In Iago it is the stone itself that flips what it closes in. The game ends when the side to move
//! has no turn; the side with more stones wins. The rule sets of the family are constants of [`Rules`].

mod count;

use super::move_fire::{FireAt, Kind, MoveFire, Rules, Stuck, Tie, Turns, turns_after_each};
use super::variant::{Family, Variant};
use crate::board::flood::Kernel;
use crate::board::{Bitboard, Reach};

/// A position of the Desdemona family.
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
pub type Desdemona = MoveFire<DesdemonaRules>;

/// The rules of one of the family, as a constant of [`Rules`]: what all of them share is not looked up there.
///
/// ```
/// use hippolyta_rules::games::desdemona::DesdemonaRules;
/// use hippolyta_rules::games::move_fire::{Kind, Rules};
///
/// assert_eq!(DesdemonaRules(&Rules::IAGO).rules(), Rules::IAGO);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DesdemonaRules(pub &'static Rules);

impl Kind for DesdemonaRules {
    const FAMILY: &'static str = "Desdemona";
    const CAN_BE_DRAWN: bool = true;
    /// Random games end with about a third of the board empty.
    const EMPTY_AT_END: [u32; 2] = [1, 4];
    type Stones = [Bitboard; 2];

    fn of(variant: &Variant) -> Option<Self> {
        match variant.family() {
            Family::Desdemona(rules) => Some(Self(rules)),
            _ => None,
        }
    }

    #[inline(always)]
    fn rules(&self) -> Rules {
        Rules {
            moves: [Reach::QUEEN; 2],
            fires: [Reach::QUEEN; 2],
            fire_at: FireAt::Reach,
            protected: [Bitboard::EMPTY; 2],
            turns: Turns::MoveAndFire,
            moves_first: true,
            stuck: Stuck::MostStones(Tie::Draw),
            stuck_passes: false,
            ..*self.0
        }
    }

    #[inline(always)]
    fn count_turns<N: Kernel>(_: N, position: &Desdemona) -> u64 {
        count::count_turns(position)
    }

    #[inline(always)]
    fn count_pairs<N: Kernel>(kernel: N, position: &Desdemona) -> u64 {
        if position.move_only() { turns_after_each(kernel, position) } else { count::count_pairs(position) }
    }
}
