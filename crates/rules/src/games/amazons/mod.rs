//! The Game of the Amazons (Zamkauskas, 1988): one amazon moves like a queen in chess, then fires an arrow like a queen
//! from where it stands. A side without a complete turn has lost.

mod count;

use super::move_fire::{Kind, MoveFire, Rules};
use super::variant::{Family, Variant};
use super::{PiecesError, Position, Side};
use crate::board::Bitboard;
use crate::board::flood::Kernel;

/// The most amazons that a side may have.
pub const MAX_AMAZONS: usize = 8;

/// A position of the Game of the Amazons.
///
/// ```
/// use hippolyta_rules::games::{Notation, Position, Side, amazons::Amazons, variant};
///
/// let position = Amazons::from_fen(&variant::find("amazons")?, "q2/3/*1Q w")?;
/// assert!(position.amazons(Side::White).contains("c1".parse()?));
/// assert_eq!((position.empty().count(), position.neutral().count()), (6, 1));
/// let after = position.after(position.steps()[0]);
/// assert!(after.shooter().is_some_and(|square| after.amazons(Side::White).contains(square)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Amazons = MoveFire<AmazonsRules>;

/// The rules of the Amazons, all of them constants.
///
/// ```
/// use hippolyta_rules::games::amazons::AmazonsRules;
/// use hippolyta_rules::games::move_fire::{Kind, Rules};
/// use hippolyta_rules::games::variant;
///
/// let rules = AmazonsRules::of(&variant::find("amazons6")?).ok_or("another game")?;
/// assert_eq!(rules.rules(), Rules::AMAZONS);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AmazonsRules;

impl Kind for AmazonsRules {
    const FAMILY: &'static str = "Amazons";
    const CAN_BE_DRAWN: bool = false;
    /// Then territories are closed, and filling them needs no thought.
    const EMPTY_AT_END: [u32; 2] = [2, 5];
    type Stones = ();

    fn of(variant: &Variant) -> Option<Self> {
        (variant.family() == Family::Amazons).then_some(Self)
    }

    #[inline(always)]
    fn rules(&self) -> Rules {
        Rules::AMAZONS
    }

    fn check(amazons: [Bitboard; 2]) -> Result<(), PiecesError> {
        for (side, set) in [Side::White, Side::Black].into_iter().zip(amazons) {
            if !(1..=MAX_AMAZONS as u32).contains(&set.count()) {
                return Err(PiecesError::Amazons { side, count: set.count() });
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn count_pairs<N: Kernel>(kernel: N, position: &Amazons) -> u64 {
        let mut count = 0;
        for step in position.steps() {
            count += count::count_replies(kernel, &position.after(step));
        }
        count
    }
}
