//! Who owns what, and what is counted: what is known of a position beside the search, game by game.

use super::outlook::{Outlook, play_out};
use crate::board::flood::{Kernel, KernelTask, with_best_kernel};
use crate::board::{Bitboard, Geometry, Square};
use crate::endgame::amazons::{Effort, Owner, RegionCount, Turns, by_regions, count, margin_in_halves};
use crate::eval::amazons::AmazonsEvaluator;
use crate::eval::damone::DamoneEvaluator;
use crate::eval::desdemona::DesdemonaEvaluator;
use crate::eval::{Evaluator, Playouts};
use crate::games::amazons::Amazons;
use crate::games::damone::Damone;
use crate::games::desdemona::Desdemona;
use crate::games::{Outcome, Position, Side};
use serde::Serialize;

/// What an analysis is to tell beside the search. What a rule set does not know is left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Include {
    /// Who owns each square.
    pub ownership: bool,
    /// The Amazons' regions.
    pub territory: bool,
    /// The stones of Desdemona and its relatives.
    pub stones: bool,
}

impl Include {
    /// Its fields by their names in JSON, each with its value.
    #[must_use]
    pub fn fields(&self) -> [(&'static str, bool); 3] {
        let Self { ownership, territory, stones } = *self;
        [("includeOwnership", ownership), ("includeTerritory", territory), ("includeStones", stones)]
    }
}

/// What was asked for by [`Include`]; as JSON, fields that were not are left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Owned {
    /// For each square, ranks from the top and files from the left: 1 if it is the side to move's, −1 if it is the
    /// opponent's, 0 if both are as near, or a mean of that over many games; `None` (in JSON `null`) where nobody can
    /// ever own it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(length(max = 121), inner(range(min = -1, max = 1))))]
    pub ownership: Option<Vec<Option<f64>>>,
    /// The Amazons' regions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub territory: Option<Territory>,
    /// Stones now and at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stones: Option<Stones>,
}

/// Something that both sides have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct Both<T> {
    /// White's.
    pub white: T,
    /// Black's.
    pub black: T,
}

/// The Amazons' regions, and what they are worth.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Territory {
    /// Where amazons or empty squares are cut off from the rest.
    pub regions: Vec<RegionInfo>,
    /// Turns that each side has left in its own territories: at least, at most.
    pub turns_left: Both<[u32; 2]>,
    /// By how many turns the side to move is ahead, if that is known; negative if it is behind.
    pub margin: Option<f64>,
    /// `white` or `black`, if the winner is certain.
    #[cfg_attr(test, schemars(extend("enum" = ["white", "black", null])))]
    pub winner: Option<&'static str>,
}

/// One region of a board of the Amazons.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RegionInfo {
    /// `white`, `black` or `contested`.
    #[cfg_attr(test, schemars(extend("enum" = ["white", "black", "contested"])))]
    pub owner: &'static str,
    /// Its squares, those of amazons included.
    #[cfg_attr(test, schemars(length(min = 2)))]
    pub squares: Vec<String>,
    /// Its empty squares.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub empty: u32,
    /// Turns that each side can make in it: at least, at most.
    pub turns: Both<[u32; 2]>,
    /// White's turns less Black's with best play, in half turns: at least, at most.
    pub worth: [i32; 2],
}

/// Stones on the board, and at the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Stones {
    /// Stones now.
    pub now: Counts<u32>,
    /// Mean at the end of games by the policy.
    #[serde(rename = "final")]
    pub at_end: Counts<f64>,
    /// Stones that the side to move has more than its opponent at the end, on average.
    pub expected_margin: f64,
}

/// Numbers of stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct Counts<T> {
    /// White's.
    pub white: T,
    /// Black's.
    pub black: T,
    /// Nobody's.
    pub neutral: T,
}

/// Six decimals: more are noise.
pub(crate) fn rounded(number: f32) -> f64 {
    (f64::from(number) * 1e6).round() / 1e6
}

/// What the family of an evaluator knows of who owns what.
pub(super) trait Ownership<P: Position>: Evaluator<P> {
    /// The fields of [`Include`] that ask for something here, by their names in JSON.
    const INCLUDED: &'static [&'static str] = &[];

    /// What is wanted, if it is known here. The same seed gives the same.
    fn owned(&self, _position: &P, _include: Include, _seed: u64) -> Owned {
        Owned::default()
    }
}

impl<P: Position> Ownership<P> for Playouts {}

impl Ownership<Damone> for DamoneEvaluator {}

impl Ownership<Amazons> for AmazonsEvaluator {
    const INCLUDED: &'static [&'static str] = &["includeOwnership", "includeTerritory"];

    fn owned(&self, position: &Amazons, include: Include, _: u64) -> Owned {
        Owned {
            ownership: include.ownership.then(|| with_best_kernel(FirstThere(position))),
            territory: include.territory.then(|| territory(position)),
            stones: None,
        }
    }
}

impl Ownership<Desdemona> for DesdemonaEvaluator {
    const INCLUDED: &'static [&'static str] = &["includeOwnership", "includeStones"];

    fn owned(&self, position: &Desdemona, include: Include, seed: u64) -> Owned {
        if !include.ownership && !include.stones {
            return Owned::default();
        }
        let outlook = play_out(self, position, seed);
        Owned {
            ownership: include.ownership.then(|| ownership(position, &outlook)),
            territory: None,
            stones: include.stones.then(|| stones(position, &outlook)),
        }
    }
}

/// The board as in a FEN: ranks from the top, each from the left.
fn board<T>(geometry: &'static Geometry, of: impl Fn(Square) -> T) -> Vec<T> {
    let squares = (0..geometry.height()).rev().flat_map(|rank| (0..geometry.width()).map(move |file| (file, rank)));
    squares.filter_map(|(file, rank)| Square::at(file, rank)).map(of).collect()
}

/// 1 for White as −1 for Black, or the other way round: as the side to move sees it.
fn sign(position: &impl Position) -> f64 {
    if position.side_to_move() == Side::White { 1.0 } else { -1.0 }
}

/// Who reaches each empty square in fewer queen moves.
struct FirstThere<'a>(&'a Amazons);

impl KernelTask for FirstThere<'_> {
    type Output = Vec<Option<f64>>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Self::Output {
        let position = self.0;
        let geometry = position.geometry();
        let levels = kernel.queen_levels(geometry, position.both_amazons(), position.empty());
        let own = sign(position);
        board(geometry, |square| {
            let far = |side| levels.distance(side, square).unwrap_or(usize::MAX);
            let (white, black) = (far(0), far(1));
            (white.min(black) < usize::MAX).then(|| match white.cmp(&black) {
                std::cmp::Ordering::Less => own,
                std::cmp::Ordering::Equal => 0.0,
                std::cmp::Ordering::Greater => -own,
            })
        })
    }
}

fn range(turns: Turns) -> [u32; 2] {
    [turns.lower, turns.upper]
}

fn territory(position: &Amazons) -> Territory {
    let regions = count(position, &Effort::ROOT);
    let sum = |side: Side| {
        let mut all = Turns::default();
        regions.iter().filter_map(|region| region.turns.get(side.index())).for_each(|&turns| all += turns);
        range(all)
    };
    let winner = by_regions(position, &regions).and_then(|proof| match proof.outcome {
        Outcome::Win(side) => Some(side.name()),
        Outcome::Draw => None,
    });
    Territory {
        turns_left: Both { white: sum(Side::White), black: sum(Side::Black) },
        margin: margin_in_halves(position).map(|halves| sign(position) * f64::from(halves) / 2.0),
        winner,
        regions: regions.iter().map(region_info).collect(),
    }
}

fn region_info(region: &RegionCount) -> RegionInfo {
    let [white, black] = region.turns;
    RegionInfo {
        owner: match region.region.owner {
            Owner::Territory(side) => side.name(),
            Owner::Contested => "contested",
        },
        squares: region.region.squares.into_iter().map(|square| square.to_string()).collect(),
        empty: region.empty.count(),
        turns: Both { white: range(white), black: range(black) },
        worth: [region.worth.low, region.worth.high],
    }
}

fn ownership(position: &Desdemona, outlook: &Outlook) -> Vec<Option<f64>> {
    let geometry = position.geometry();
    let own = sign(position);
    let amazons = position.amazons(Side::White) | position.amazons(Side::Black);
    board(geometry, |square| {
        let free = !amazons.contains(square) || outlook.is_ever_stone(square);
        // Plus 0 makes −0 plain 0.
        free.then(|| own * f64::from(outlook.white_less_black(square)) / f64::from(outlook.games) + 0.0)
    })
}

fn stones(position: &Desdemona, outlook: &Outlook) -> Stones {
    let count = |set: Bitboard| set.count();
    let mean = |sum: u32| rounded(sum as f32 / outlook.games as f32);
    let [white, black, neutral] = outlook.stones;
    Stones {
        now: Counts {
            white: count(position.stones(Side::White)),
            black: count(position.stones(Side::Black)),
            neutral: count(position.neutral()),
        },
        at_end: Counts { white: mean(white), black: mean(black), neutral: mean(neutral) },
        expected_margin: sign(position) * (mean(white) - mean(black)) + 0.0,
    }
}
