//! Regions and counts as text, and the margin.

use super::filling::Turns;
use super::margin::{Margin, best_margin, margin};
use super::proof::by_regions;
use super::regions::{Effort, Owner, RegionCount, count};
use crate::endgame::{Proof, Work};
use crate::games::Side;
use crate::games::amazons::Amazons;

/// White's exact margin in halves of a turn, once all regions amount to known numbers, with the effort for a record.
#[must_use]
pub fn margin_in_halves(position: &Amazons) -> Option<i32> {
    margin(position, &count(position, &Effort::ROOT))
}

/// The result, if the worths of the regions tell it: what [`describe`] shows decides the game. May take a second.
#[must_use]
pub fn result(position: &Amazons) -> Option<Proof> {
    by_regions(position, &count(position, &Effort::DISPLAY))
}

/// Regions and counts as text; empty while nothing is settled.
#[must_use]
pub fn describe(position: &Amazons) -> Vec<String> {
    let regions = count(position, &Effort::DISPLAY);
    lines(&regions, || best_margin(position, &regions, &Work::unlimited()))
}

/// As [`describe`], of regions that were counted.
pub(crate) fn lines(regions: &[RegionCount], margin: impl FnOnce() -> Margin) -> Vec<String> {
    let settled =
        |count: &RegionCount| count.region.owner != Owner::Contested || !(count.rooms[0] | count.rooms[1]).is_empty();
    if !regions.is_empty() && !regions.iter().any(settled) {
        return Vec::new();
    }
    let mut lines: Vec<_> = regions.iter().map(describe_region).collect();
    let squares = |wanted: Owner| -> u32 {
        let all = regions.iter().filter(|count| count.region.owner == wanted);
        all.map(|count| count.empty.count()).sum()
    };
    let turns = |side: Side| {
        let mut all = Turns::default();
        regions.iter().for_each(|count| all += count.turns[side.index()]);
        range(all.lower as i32, all.upper as i32)
    };
    lines.push(format!(
        "territory white {} black {} contested {}, turns left white {} black {}",
        squares(Owner::Territory(Side::White)),
        squares(Owner::Territory(Side::Black)),
        squares(Owner::Contested),
        turns(Side::White),
        turns(Side::Black),
    ));
    let [low, high] = margin();
    if low == high {
        lines.push(format!("margin {:+.1} for white", f64::from(low) / 2.0));
    } else if low > 0 || high < 0 {
        lines.push(format!("margin {:+.1} to {:+.1} for white", f64::from(low) / 2.0, f64::from(high) / 2.0));
    }
    lines
}

fn range(low: i32, high: i32) -> String {
    if low == high { format!("{low}") } else { format!("{low} to {high}") }
}

/// One region, named by its lowest square.
fn describe_region(count: &RegionCount) -> String {
    let name = count.region.squares.first().map(|square| square.to_string()).unwrap_or_default();
    let squares = count.empty.count();
    let turns = |side: Side| {
        let Turns { lower, upper } = count.turns[side.index()];
        range(lower as i32, upper as i32)
    };
    match count.region.owner {
        Owner::Territory(side) => format!("region {name} {side} empty {squares} turns {}", turns(side)),
        Owner::Contested => format!(
            "region {name} contested empty {squares} turns white {} black {} worth {} for white",
            turns(Side::White),
            turns(Side::Black),
            range(count.worth.low, count.worth.high),
        ),
    }
}
