//! How many positions are won, drawn and lost.

use super::index::Material;
use super::{Tables, Verdict};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Positions of one material by their verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The side to move wins.
    pub wins: u64,
    /// Neither.
    pub draws: u64,
    /// The side to move loses.
    pub losses: u64,
    /// Plies of the longest game that is not drawn.
    pub longest: u8,
    /// The number of a position from which that game begins, the least one; `None` if all are drawn.
    pub longest_at: Option<usize>,
}

impl Counts {
    /// All of them.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        // A greater number of a position counts less, and none least of all.
        let key = |counts: &Self| (counts.longest, counts.longest_at.map(std::cmp::Reverse));
        let Self { longest, longest_at, .. } = if key(&other) > key(&self) { other } else { self };
        Self {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
            longest,
            longest_at,
        }
    }
}

/// Counts all positions with one side to move, mirror images included, by material: fewest pieces first.
#[must_use]
pub fn statistics(tables: &Tables) -> Vec<(Material, Counts)> {
    let index = tables.index();
    let of_class = |numbers: &std::ops::Range<usize>| {
        let mut counts = BTreeMap::<Material, Counts>::new();
        for number in numbers.clone() {
            let Some(verdict) = tables.verdict(number) else { continue };
            let images = index.images(number);
            let mut found = Counts::default();
            let mut decided = |plies| (found.longest, found.longest_at) = (plies, Some(number));
            match verdict {
                Verdict::Win(plies) => {
                    decided(plies);
                    found.wins = images;
                }
                Verdict::Draw => found.draws = images,
                Verdict::Loss(plies) => {
                    decided(plies);
                    found.losses = images;
                }
            }
            let sum = counts.entry(index.material(number)).or_default();
            *sum = sum.plus(found);
        }
        counts
    };
    let mut all: Vec<_> = index.classes().par_iter().flat_map_iter(|class| of_class(&class.numbers)).collect();
    all.sort_by_key(|(material, _)| (material.iter().sum::<u8>(), material[..3].iter().sum::<u8>(), *material));
    all
}
