//! Play below full strength: what a rating means.

use crate::games::variant::{Family, Variant};

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

/// The most likely ratings by 160 games of each rung against the one below, and 60 to 160 against one some 400 points
/// below: `match` with `--book-plies 4 --seed 6 --adjudicate exact`. Turns at random are 0. A test knows with which
/// evaluations this was measured. Sharper policies than the last are no better.
const AMAZONS: &[Rung] = &[
    (0, Policy(0.0)),
    (295, Policy(0.25)),
    (495, Policy(0.5)),
    (700, Policy(0.75)),
    (820, Policy(1.0)),
    (995, Policy(1.5)),
    (1_105, Policy(2.0)),
    (1_225, Policy(4.0)),
    (1_355, Nodes(1)),
    (1_645, Nodes(16)),
    (1_870, Nodes(32)),
    (2_125, Nodes(64)),
    (2_360, Nodes(128)),
    (2_595, Nodes(256)),
    (2_740, Nodes(512)),
    (2_950, Nodes(1_000)),
    (3_300, Nodes(2_000)),
    (3_610, Nodes(4_000)),
];
const AMAZONS_8: &[Rung] = &[
    (0, Policy(0.0)),
    (195, Policy(0.25)),
    (410, Policy(0.5)),
    (610, Policy(0.75)),
    (755, Policy(1.0)),
    (855, Policy(1.5)),
    (915, Policy(2.0)),
    (1_055, Policy(4.0)),
    (1_170, Nodes(1)),
    (1_440, Nodes(16)),
    (1_600, Nodes(32)),
    (1_840, Nodes(64)),
    (2_040, Nodes(128)),
    (2_245, Nodes(256)),
    (2_455, Nodes(512)),
    (2_580, Nodes(1_000)),
    (2_765, Nodes(2_000)),
    (2_995, Nodes(4_000)),
    (3_505, Nodes(16_000)),
];
const AMAZONS_6: &[Rung] = &[
    (0, Policy(0.0)),
    (210, Policy(0.25)),
    (370, Policy(0.5)),
    (560, Policy(0.75)),
    (630, Policy(1.0)),
    (785, Policy(1.5)),
    (805, Policy(2.0)),
    (870, Policy(4.0)),
    (920, Nodes(1)),
    (1_070, Nodes(16)),
    (1_170, Nodes(32)),
    (1_305, Nodes(64)),
    (1_400, Nodes(128)),
    (1_510, Nodes(256)),
    (1_640, Nodes(512)),
    (1_735, Nodes(1_000)),
    (1_885, Nodes(2_000)),
    (1_935, Nodes(4_000)),
    (2_175, Nodes(16_000)),
];
/// Measured with Iago. Where many games are drawn, as in Cassio, differences are smaller.
const DESDEMONA: &[Rung] = &[
    (0, Policy(0.0)),
    (205, Policy(0.25)),
    (470, Policy(0.5)),
    (610, Policy(0.75)),
    (720, Policy(1.0)),
    (855, Policy(1.5)),
    (910, Policy(2.0)),
    (1_015, Policy(4.0)),
    (1_055, Nodes(1)),
    (1_260, Nodes(16)),
    (1_405, Nodes(32)),
    (1_530, Nodes(64)),
    (1_735, Nodes(128)),
    (1_915, Nodes(256)),
    (2_100, Nodes(512)),
    (2_270, Nodes(1_000)),
    (2_470, Nodes(2_000)),
    (2_560, Nodes(4_000)),
    (2_820, Nodes(16_000)),
];
/// Draws keep ratings close.
const DAMONE: &[Rung] = &[
    (0, Policy(0.0)),
    (210, Policy(0.25)),
    (360, Policy(0.5)),
    (505, Policy(0.75)),
    (595, Policy(1.0)),
    (685, Policy(2.0)),
    (760, Nodes(1)),
    (880, Nodes(64)),
    (980, Nodes(128)),
    (1_045, Nodes(256)),
    (1_200, Nodes(512)),
    (1_290, Nodes(1_000)),
    (1_360, Nodes(2_000)),
    (1_375, Nodes(4_000)),
    (1_490, Nodes(16_000)),
    (1_575, Nodes(64_000)),
];

/// The levels of a rule set, the weakest first. Nothing is measured for rules of one's own: fewer positions and a more
/// even policy are weaker under any rules, so the rungs of the Amazons order the levels; what a difference is worth
/// they do not say.
fn rungs(variant: &Variant) -> &'static [Rung] {
    let ranks = variant.start().split(' ').next().unwrap_or_default().split('/').count();
    match (variant.family(), ranks) {
        (Family::Amazons | Family::General(_), ..=6) => AMAZONS_6,
        (Family::Amazons | Family::General(_), 7..=8) => AMAZONS_8,
        (Family::Amazons | Family::General(_), _) => AMAZONS,
        (Family::Desdemona(_), _) => DESDEMONA,
        (Family::Damone(_), _) => DAMONE,
    }
}

/// How strong to play, by a name: for people, who know no ratings.
///
/// ```
/// use hippolyta::engine::STRENGTHS;
/// use hippolyta::games::variant;
///
/// let [amazons, damone] = ["amazons", "damone"].map(|name| variant::find(name).unwrap());
/// let skilled = &STRENGTHS[4];
/// assert_eq!((skilled.name, skilled.elo(&amazons), skilled.elo(&damone)), ("skilled", Some(2_125), Some(880)));
/// assert_eq!(STRENGTHS[8].elo(&amazons), None);
/// ```
#[derive(Debug, PartialEq)]
pub struct Strength {
    /// Its name, one word.
    pub name: &'static str,
    /// A description of its play, in a few words.
    pub note: &'static str,
    level: Option<Level>,
}

impl Strength {
    /// The rating to play at in a rule set; `None` for full strength. A name is one level everywhere, and means another
    /// rating in each game.
    #[must_use]
    pub fn elo(&self, variant: &Variant) -> Option<u32> {
        let level = self.level?;
        rungs(variant).iter().find(|rung| rung.1 == level).map(|rung| rung.0)
    }
}

const fn strength(name: &'static str, note: &'static str, level: Option<Level>) -> Strength {
    Strength { name, note, level }
}

/// The names, the weakest first.
pub const STRENGTHS: [Strength; 9] = [
    strength("beginner", "plays almost at random", Some(Policy(0.25))),
    strength("novice", "often sees a good turn, often misses one", Some(Policy(0.75))),
    strength("casual", "plays by feeling, without looking ahead", Some(Policy(2.0))),
    strength("club", "weighs every turn, but looks no further", Some(Nodes(1))),
    strength("skilled", "looks a little ahead", Some(Nodes(64))),
    strength("strong", "looks ahead and rarely errs", Some(Nodes(256))),
    strength("expert", "a hard opponent for anybody", Some(Nodes(1_000))),
    strength("master", "hardly to be beaten", Some(Nodes(4_000))),
    strength("full", "all that it can do in its time", None),
];

/// The lowest and the highest rating that may be asked for.
pub const ELO_RANGE: [u32; 2] = [0, 4_000];
/// The rating if none is asked for.
pub const DEFAULT_ELO: u32 = 1_500;

/// How to play with this rating; `None` for full strength, beyond the last rung.
pub(super) fn level(variant: &Variant, elo: u32) -> Option<Level> {
    let mut rungs = rungs(variant).iter().copied();
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
    use crate::eval::{Evaluated, Evaluator, Weights};
    use crate::games::{variant, with_family};

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
            let named: Vec<u32> = STRENGTHS.iter().filter_map(|strength| strength.elo(&variant)).collect();
            assert_eq!(named.len(), STRENGTHS.len() - 1, "{name}");
            assert!(named.is_sorted_by(|low, high| worth(*low) < worth(*high)), "{name}");
            assert!(rungs(&variant)[0].0 == 0 && rungs(&variant).is_sorted_by_key(|&(rating, _)| rating), "{name}");
        }
    }

    /// Ratings belong to what plays. After a change of evaluations or constants measure them again, as the ladders say,
    /// and put the new numbers here.
    #[test]
    fn ratings_were_measured_with_the_evaluations_that_play() {
        let weights = Weights::embedded();
        let of = |name| {
            let variant = variant::find(name).unwrap();
            with_family!(&variant, P => {
                let evaluator = P::evaluator(&variant, &weights);
                let constants = format!("{:?} {}", evaluator.parameters(), evaluator.policy_temperature());
                crc32fast::hash(&[evaluator.identity(), constants.into_bytes()].concat())
            })
        };
        assert_eq!(["amazons", "iago", "damone"].map(of), [1_723_076_078, 1_833_899_520, 3_280_156_398]);
    }
}
