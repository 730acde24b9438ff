//! Play below full strength: what `UCI_Elo` means.

use crate::games::variant::Family;

/// How a level plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Level {
    /// No search: steps drawn by the policy, this sharp ([`Limits::by_policy`](crate::search::Limits::by_policy)).
    Policy(f32),
    /// A search of so many positions.
    Nodes(u64),
}

use Level::{Nodes, Policy};

/// A level and its rating.
type Rung = (u32, Level);

/// Each rung above the lowest was measured in 100 to 200 games against the one below, with evaluations and policies of November 2026 (`match` with
/// these options on both sides): differences of some hundred Elo, give or take 50 to 100 each. The sum is the rating.
const AMAZONS: &[Rung] = &[
    (0, Policy(0.0)),
    (120, Policy(0.5)),
    (230, Policy(1.0)),
    (480, Policy(2.0)),
    (730, Policy(4.0)),
    (950, Policy(8.0)),
    (1_040, Policy(32.0)),
    (1_520, Nodes(1)),
    (1_790, Nodes(16)),
    (2_250, Nodes(64)),
    (2_860, Nodes(256)),
    (3_110, Nodes(1_000)),
    (3_510, Nodes(4_000)),
    (3_900, Nodes(16_000)),
];
/// As Iago was measured; where draws are many, as in Cassio, the differences are smaller.
const DESDEMONA: &[Rung] = &[
    (0, Policy(0.0)),
    (160, Policy(0.5)),
    (290, Policy(1.0)),
    (510, Policy(2.0)),
    (680, Policy(4.0)),
    (710, Policy(8.0)),
    (890, Nodes(1)),
    (1_200, Nodes(16)),
    (1_610, Nodes(64)),
    (1_890, Nodes(256)),
    (2_120, Nodes(1_000)),
    (2_460, Nodes(4_000)),
    (2_680, Nodes(16_000)),
];
/// Sharper policies than the last draw all their games against each other.
const DAMONE: &[Rung] = &[
    (0, Policy(0.0)),
    (360, Policy(0.5)),
    (560, Policy(1.0)),
    (640, Policy(2.0)),
    (670, Nodes(16)),
    (750, Nodes(64)),
    (900, Nodes(256)),
    (1_120, Nodes(1_000)),
    (1_280, Nodes(4_000)),
];

fn ladder(family: Family) -> &'static [Rung] {
    match family {
        Family::Amazons => AMAZONS,
        Family::Desdemona(_) => DESDEMONA,
        Family::Damone(_) => DAMONE,
    }
}

/// Least and greatest rating that may be asked for.
pub(super) const RANGE: [u64; 2] = [100, 4_000];
/// Rating at the start: a club player's, one would hope.
pub(super) const DEFAULT: u64 = 1_500;

/// How to play with this rating; `None` for full strength, beyond the last rung.
pub(super) fn level(family: Family, elo: u32) -> Option<Level> {
    let mut rungs = ladder(family).iter().copied();
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
        // Each doubling is worth about as much as the last one.
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
            let worth = |elo| match level(variant.family, elo) {
                Some(Policy(sharpness)) => sharpness,
                Some(Nodes(nodes)) => 1_000.0 + nodes as f32,
                None => f32::INFINITY,
            };
            let [least, greatest] = RANGE.map(|rating| rating as u32);
            assert!((least..greatest).all(|elo| worth(elo) <= worth(elo + 1)), "{name}");
            assert!(worth(greatest).is_infinite() && worth(least) < 1.0, "{name}");
            assert!(ladder(variant.family)[0].0 == 0);
            assert!(ladder(variant.family).is_sorted_by_key(|&(rating, _)| rating));
        }
    }
}
