//! What else is known of a position, game by game.

use super::answer::rounded;
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

/// What a query asks for beside the search.
#[derive(Clone, Copy, Debug)]
pub(in crate::protocol) struct Wanted {
    pub ownership: bool,
    pub territory: bool,
    pub stones: bool,
}

impl Wanted {
    /// The fields that ask for it, each with whether it does.
    pub fn fields(&self) -> [(&'static str, bool); 3] {
        let Self { ownership, territory, stones } = *self;
        [("includeOwnership", ownership), ("includeTerritory", territory), ("includeStones", stones)]
    }
}

/// What was asked for; fields that were not are left out.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::protocol) struct Extra {
    #[serde(skip_serializing_if = "Option::is_none")]
    ownership: Option<Vec<Option<f64>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    territory: Option<Territory>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stones: Option<Stones>,
}

/// Something that both sides have.
#[derive(Debug, Serialize)]
struct Both<T> {
    white: T,
    black: T,
}

/// The Amazons' regions and what they are worth.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Territory {
    regions: Vec<RegionInfo>,
    turns_left: Both<[u32; 2]>,
    margin: Option<f64>,
    winner: Option<&'static str>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct RegionInfo {
    owner: &'static str,
    squares: Vec<String>,
    empty: u32,
    turns: Both<[u32; 2]>,
    worth: [i32; 2],
}

/// Stones on the board, and at the end.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Stones {
    now: Counts<u32>,
    #[serde(rename = "final")]
    at_end: Counts<f64>,
    expected_margin: f64,
}

#[derive(Debug, Serialize)]
struct Counts<T> {
    white: T,
    black: T,
    neutral: T,
}

/// What an evaluator's game has to say beside values.
pub(in crate::protocol) trait Extras<P: Position>: Evaluator<P> {
    /// The fields of a query that ask for something here.
    const KNOWN: &'static [&'static str] = &[];

    /// What is wanted, if it is known here.
    fn extra(&self, _position: &P, _wanted: &Wanted, _seed: u64) -> Extra {
        Extra::default()
    }
}

impl<P: Position> Extras<P> for Playouts {}

impl Extras<Damone> for DamoneEvaluator {}

impl Extras<Amazons> for AmazonsEvaluator {
    const KNOWN: &'static [&'static str] = &["includeOwnership", "includeTerritory"];

    fn extra(&self, position: &Amazons, wanted: &Wanted, _: u64) -> Extra {
        Extra {
            ownership: wanted.ownership.then(|| with_best_kernel(FirstThere(position))),
            territory: wanted.territory.then(|| territory(position)),
            stones: None,
        }
    }
}

impl Extras<Desdemona> for DesdemonaEvaluator {
    const KNOWN: &'static [&'static str] = &["includeOwnership", "includeStones"];

    fn extra(&self, position: &Desdemona, wanted: &Wanted, seed: u64) -> Extra {
        if !wanted.ownership && !wanted.stones {
            return Extra::default();
        }
        let outlook = play_out(self, position, seed);
        Extra {
            ownership: wanted.ownership.then(|| ownership(position, &outlook)),
            territory: None,
            stones: wanted.stones.then(|| stones(position, &outlook)),
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
