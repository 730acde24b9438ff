//! Play below full strength: what a rating means.

use crate::games::amazons::Amazons;
use crate::games::damone::Damone;
use crate::games::desdemona::Desdemona;
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
/// with `UCI_LimitStrength`, `UCI_Elo` on both sides and `--seed 6`, evaluations and policies of November 2026. A
/// difference is good to 50 to 100 Elo, the highest to 190; a rating is their sum. Those of the Amazons up to 1,000
/// nodes were measured again with weights of generation 7: every difference was within 70 Elo of these.
const AMAZONS: &[Rung] = &[
    (0, Policy(0.0)),
    (225, Policy(0.25)),
    (380, Policy(0.5)),
    (585, Policy(1.0)),
    (860, Policy(2.0)),
    (990, Policy(4.0)),
    (1_030, Policy(8.0)),
    (1_080, Policy(32.0)),
    (1_295, Nodes(1)),
    (1_550, Nodes(16)),
    (1_955, Nodes(64)),
    (2_560, Nodes(256)),
    (2_960, Nodes(1_000)),
    (3_360, Nodes(4_000)),
    (3_700, Nodes(16_000)),
];
/// Measured with Iago, in 100 games a rung (30 for the last). Where many games are drawn, as in Cassio, the differences
/// are smaller.
const DESDEMONA: &[Rung] = &[
    (0, Policy(0.0)),
    (160, Policy(0.25)),
    (280, Policy(0.5)),
    (550, Policy(1.0)),
    (740, Policy(2.0)),
    (800, Policy(4.0)),
    (885, Policy(8.0)),
    (1_085, Nodes(1)),
    (1_415, Nodes(16)),
    (1_770, Nodes(64)),
    (2_070, Nodes(256)),
    (2_380, Nodes(1_000)),
    (2_630, Nodes(4_000)),
    (2_850, Nodes(16_000)),
];
/// 100 games a rung. Sharper policies than the last draw all their games against each other.
const DAMONE: &[Rung] = &[
    (0, Policy(0.0)),
    (370, Policy(0.5)),
    (570, Policy(1.0)),
    (655, Policy(2.0)),
    (1_050, Nodes(16)),
    (1_095, Nodes(64)),
    (1_240, Nodes(256)),
    (1_465, Nodes(1_000)),
    (1_615, Nodes(4_000)),
];

/// A family with measured levels, the weakest first.
trait Ladder {
    const RUNGS: &'static [Rung];
}

impl Ladder for Amazons {
    const RUNGS: &'static [Rung] = AMAZONS;
}

impl Ladder for Desdemona {
    const RUNGS: &'static [Rung] = DESDEMONA;
}

impl Ladder for Damone {
    const RUNGS: &'static [Rung] = DAMONE;
}

/// The lowest and the highest rating that may be asked for.
pub const ELO_RANGE: [u32; 2] = [0, 4_000];
/// The rating if none is asked for.
pub const DEFAULT_ELO: u32 = 1_500;

/// How to play with this rating; `None` for full strength, beyond the last rung.
pub(super) fn level(variant: &'static Variant, elo: u32) -> Option<Level> {
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
        for name in variant::names() {
            let Ok(variant) = variant::find(name) else { panic!("{name}") };
            let worth = |elo| match level(variant, elo) {
                Some(Policy(sharpness)) => sharpness,
                Some(Nodes(nodes)) => 1_000.0 + nodes as f32,
                None => f32::INFINITY,
            };
            let [least, greatest] = ELO_RANGE;
            assert!((least..greatest).all(|elo| worth(elo) <= worth(elo + 1)), "{name}");
            assert!(worth(greatest).is_infinite() && worth(least) < 1.0, "{name}");
            assert!(with_family!(variant, P => P::RUNGS)[0].0 == 0);
            assert!(with_family!(variant, P => P::RUNGS).is_sorted_by_key(|&(rating, _)| rating));
        }
    }
}
