//! Play below full strength: what a rating means.

use crate::games::amazons::Amazons;
use crate::games::damone::Damone;
use crate::games::desdemona::Desdemona;
use crate::games::general::General;
use crate::games::variant::Variant;
use crate::games::with_family;

/// How a level plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Level {
    /// No search: steps are drawn from the policy, with its logits times this number
    /// ([`Limits::by_policy`](crate::search::Limits::by_policy)).
    Policy(f32),
    /// A search of N nodes.
    Nodes(u64),
}

use Level::{Nodes, Policy};

/// A level and its rating.
type Rung = (u32, Level);

/// Each rung was measured against the one below in 200 games, in 100 from 1,000 nodes on and 40 for the last: `match`
/// with `UCI_LimitStrength`, `UCI_Elo` on both sides, `--book-plies 4` and `--seed 6`, evaluations and policies of 24
/// November 2026. A difference is good to 50 to 100 Elo, the highest to 190; a rating is their sum. Sharper policies
/// than the last are no better.
const AMAZONS: &[Rung] = &[
    (0, Policy(0.0)),
    (230, Policy(0.25)),
    (405, Policy(0.5)),
    (750, Policy(1.0)),
    (1_035, Policy(2.0)),
    (1_120, Policy(4.0)),
    (1_175, Policy(8.0)),
    (1_325, Nodes(1)),
    (1_630, Nodes(16)),
    (2_005, Nodes(64)),
    (2_510, Nodes(256)),
    (2_905, Nodes(1_000)),
    (3_340, Nodes(4_000)),
    (3_705, Nodes(16_000)),
];
/// Measured with Iago, in the same way. Where many games are drawn, as in Cassio, the differences are smaller.
const DESDEMONA: &[Rung] = &[
    (0, Policy(0.0)),
    (155, Policy(0.25)),
    (345, Policy(0.5)),
    (640, Policy(1.0)),
    (830, Policy(2.0)),
    (930, Policy(4.0)),
    (985, Policy(8.0)),
    (1_030, Nodes(1)),
    (1_260, Nodes(16)),
    (1_585, Nodes(64)),
    (2_085, Nodes(256)),
    (2_395, Nodes(1_000)),
    (2_710, Nodes(4_000)),
    (3_000, Nodes(16_000)),
];
/// 200 games a rung up to 4,000 nodes. Sharper policies than the last draw all their games against each other. The
/// rungs above were not measured: each is as much better as the last that was.
const DAMONE: &[Rung] = &[
    (0, Policy(0.0)),
    (330, Policy(0.5)),
    (535, Policy(1.0)),
    (630, Policy(2.0)),
    (995, Nodes(16)),
    (1_060, Nodes(64)),
    (1_225, Nodes(256)),
    (1_380, Nodes(1_000)),
    (1_460, Nodes(4_000)),
    (1_540, Nodes(16_000)),
    (1_620, Nodes(64_000)),
];

/// A family's levels, the weakest first.
trait Ladder {
    const RUNGS: &'static [Rung];
    /// The ratings of [`STRENGTHS`] but for the last.
    const NAMED: &'static [u32];
}

/// How strong to play, by a name: for people, who know no ratings.
///
/// ```
/// use hippolyta::engine::STRENGTHS;
/// use hippolyta::games::variant;
///
/// let [amazons, damone] = ["amazons", "damone"].map(|name| variant::find(name).unwrap());
/// let skilled = &STRENGTHS[4];
/// assert_eq!((skilled.name, skilled.elo(&amazons), skilled.elo(&damone)), ("skilled", Some(1_955), Some(1_095)));
/// assert_eq!(STRENGTHS[8].elo(&amazons), None);
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct Strength {
    /// Its name, one word.
    pub name: &'static str,
    /// A description of its play, in a few words.
    pub note: &'static str,
    place: usize,
}

impl Strength {
    /// The rating to play at in a rule set; `None` for full strength.
    #[must_use]
    pub fn elo(&self, variant: &Variant) -> Option<u32> {
        with_family!(variant, P => P::NAMED).get(self.place).copied()
    }
}

const fn strength(place: usize, name: &'static str, note: &'static str) -> Strength {
    Strength { name, note, place }
}

/// The names, the weakest first. Their ratings are rungs of the ladders, or lie between two: a rating means something
/// else in each family.
pub const STRENGTHS: [Strength; 9] = [
    strength(0, "beginner", "plays almost at random"),
    strength(1, "novice", "often sees a good turn, often misses one"),
    strength(2, "casual", "plays by feeling, without looking ahead"),
    strength(3, "club", "weighs every turn, but looks no further"),
    strength(4, "skilled", "looks a little ahead"),
    strength(5, "strong", "looks ahead and rarely errs"),
    strength(6, "expert", "a hard opponent for anybody"),
    strength(7, "master", "hardly to be beaten"),
    strength(8, "full", "all that it can do in its time"),
];

impl Ladder for Amazons {
    const RUNGS: &'static [Rung] = AMAZONS;
    const NAMED: &'static [u32] = &[225, 585, 1_080, 1_295, 1_955, 2_560, 2_960, 3_360];
}

impl Ladder for Desdemona {
    const RUNGS: &'static [Rung] = DESDEMONA;
    const NAMED: &'static [u32] = &[160, 550, 885, 1_085, 1_770, 2_070, 2_380, 2_630];
}

impl Ladder for Damone {
    const RUNGS: &'static [Rung] = DAMONE;
    const NAMED: &'static [u32] = &[185, 370, 655, 1_050, 1_095, 1_240, 1_380, 1_460];
}

/// Nothing is measured for rules of one's own. Fewer positions and a more even policy are weaker under any rules, so
/// the rungs of the Amazons order the levels; what a difference is worth they do not say.
impl Ladder for General {
    const RUNGS: &'static [Rung] = AMAZONS;
    const NAMED: &'static [u32] = Amazons::NAMED;
}

/// The lowest and the highest rating that may be asked for.
pub const ELO_RANGE: [u32; 2] = [0, 4_000];
/// The rating if none is asked for.
pub const DEFAULT_ELO: u32 = 1_500;

/// How to play with this rating; `None` for full strength, beyond the last rung.
pub(super) fn level(variant: &Variant, elo: u32) -> Option<Level> {
    let mut rungs = with_family!(variant, P => P::RUNGS).iter().copied();
    let mut below = None;
    let (to, high) = loop {
        let rung = rungs.next()?;
        if rung.0 >= elo {
            break rung;
        }
        below = Some(rung);
    };
    let Some((from, low)) = below else { return Some(high) };
    let share = (elo - from) as f32 / (to - from) as f32;
    Some(match (low, high) {
        (Policy(low), Policy(high)) => Policy(low + (high - low) * share),
        // Each doubling of the nodes is worth about as much as the one before.
        (Nodes(low), Nodes(high)) => Nodes((low as f32 * libm::powf(high as f32 / low as f32, share)).round() as u64),
        _ => {
            if share < 0.5 {
                low
            } else {
                high
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::variant;

    #[test]
    fn higher_ratings_play_better_levels() {
        for name in variant::names().into_iter().chain(["own = { like = 'amazons6', moves = 'N' }"]) {
            let Ok(variant) = variant::find(name) else { panic!("{name}") };
            let worth = |elo| match level(&variant, elo) {
                Some(Policy(sharpness)) => sharpness,
                Some(Nodes(nodes)) => 1_000.0 + nodes as f32,
                None => f32::INFINITY,
            };
            let [least, greatest] = ELO_RANGE;
            assert!((least..greatest).all(|elo| worth(elo) <= worth(elo + 1)), "{name}");
            assert!(worth(greatest).is_infinite() && worth(least) < 1.0, "{name}");
            // Each name is a level of its own.
            let named = with_family!(variant, P => P::NAMED);
            assert!(named.windows(2).all(|pair| worth(pair[0]) < worth(pair[1])), "{name}");
            assert!(named.len() == STRENGTHS.len() - 1 && worth(named[7]).is_finite(), "{name}");
            assert!(with_family!(variant, P => P::RUNGS)[0].0 == 0);
            assert!(with_family!(variant, P => P::RUNGS).is_sorted_by_key(|&(rating, _)| rating));
        }
    }
}
