use super::{Bitboard, Geometry, Square};

/// The eight directions of a queen. Opposite directions differ by 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Direction {
    East,
    NorthEast,
    North,
    NorthWest,
    West,
    SouthWest,
    South,
    SouthEast,
}

/// All directions, in the order of their numbers. The first four lead to higher squares.
pub(super) const DIRECTIONS: [Direction; 8] = [
    Direction::East,
    Direction::NorthEast,
    Direction::North,
    Direction::NorthWest,
    Direction::West,
    Direction::SouthWest,
    Direction::South,
    Direction::SouthEast,
];

impl Direction {
    /// All eight, in the order of their numbers: opposites are four apart.
    pub const ALL: [Self; 8] = DIRECTIONS;

    /// The direction in which `to` lies from `from`; `None` if the two are not on a line or the same.
    #[must_use]
    pub const fn towards(from: Square, to: Square) -> Option<Self> {
        let files = to.file() as i32 - from.file() as i32;
        let ranks = to.rank() as i32 - from.rank() as i32;
        if files != 0 && ranks != 0 && files.abs() != ranks.abs() {
            return None;
        }
        match (files.signum(), ranks.signum()) {
            (1, 0) => Some(Self::East),
            (1, 1) => Some(Self::NorthEast),
            (0, 1) => Some(Self::North),
            (-1, 1) => Some(Self::NorthWest),
            (-1, 0) => Some(Self::West),
            (-1, -1) => Some(Self::SouthWest),
            (0, -1) => Some(Self::South),
            (1, -1) => Some(Self::SouthEast),
            _ => None,
        }
    }

    /// The other way.
    #[inline]
    #[must_use]
    pub const fn opposite(self) -> Self {
        DIRECTIONS[self as usize ^ 4]
    }

    /// Change of (file, rank) in one step.
    #[must_use]
    pub const fn delta(self) -> (i32, i32) {
        match self {
            Self::East => (1, 0),
            Self::NorthEast => (1, 1),
            Self::North => (0, 1),
            Self::NorthWest => (-1, 1),
            Self::West => (-1, 0),
            Self::SouthWest => (-1, -1),
            Self::South => (0, -1),
            Self::SouthEast => (1, -1),
        }
    }
}

/// The empty squares of some rays from a square, by direction, each up to its first square outside `empty`. The rays need
/// not go on to the board's edge.
///
/// Obstruction difference, line by line: with `upper` and `lower` the blockers above and below,
/// `2·lsb(upper) − 2^msb(lower)` has ones just from the nearest blocker below to the nearest above.
#[inline(always)]
pub(super) fn line_targets(rays: &[Bitboard; 8], empty: Bitboard) -> Bitboard {
    let mut targets = 0u128;
    for line in 0..4 {
        let (up, down) = (rays[line].0, rays[line + 4].0);
        let upper = up & !empty.0;
        let lower = down & !empty.0;
        let below = u128::MAX << (127 - (lower | 1).leading_zeros());
        let nearest_above = upper & upper.wrapping_neg();
        targets |= nearest_above.wrapping_mul(2).wrapping_add(below) & (up | down);
    }
    Bitboard(targets & empty.0)
}

impl Geometry {
    /// The empty squares that a queen on `square` reaches: along the eight rays up to the first square
    /// outside `empty`. Whether `square` itself is in `empty` does not matter.
    #[inline(always)]
    #[must_use]
    pub fn queen_targets(&self, square: Square, empty: Bitboard) -> Bitboard {
        line_targets(&self.around(square).rays, empty)
    }

    /// The empty squares of one ray from `square`, up to the first square outside `empty`.
    #[inline(always)]
    #[must_use]
    pub fn ray_targets(&self, direction: Direction, square: Square, empty: Bitboard) -> Bitboard {
        let ray = self.around(square).rays[direction as usize].0;
        let blockers = ray & !empty.0;
        if blockers == 0 {
            return Bitboard(ray);
        }
        Bitboard(if (direction as usize) < 4 {
            ray & (blockers & blockers.wrapping_neg()).wrapping_sub(1)
        } else {
            ray & !(u128::MAX >> blockers.leading_zeros())
        })
    }

    /// The square behind the unbroken run of squares of `run` that begins next to `square` in `direction`; empty if the
    /// edge is behind it. Without a run it is the next square.
    #[inline(always)]
    #[must_use]
    pub fn behind(&self, direction: Direction, square: Square, run: Bitboard) -> Bitboard {
        let others = self.around(square).rays[direction as usize].0 & !run.0;
        if others == 0 {
            return Bitboard::EMPTY;
        }
        Bitboard(if (direction as usize) < 4 {
            others & others.wrapping_neg()
        } else {
            1 << (127 - others.leading_zeros())
        })
    }

    /// The squares between two squares on a line in `direction` from the first.
    #[inline(always)]
    #[must_use]
    pub fn between(&self, direction: Direction, from: Square, to: Square) -> Bitboard {
        self.ray(direction, from) & self.ray(direction.opposite(), to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Walks square by square.
    fn walk(geometry: &Geometry, direction: Direction, from: Square, empty: Bitboard) -> Bitboard {
        let (df, dr) = direction.delta();
        let (mut file, mut rank) = (from.file() as i32, from.rank() as i32);
        let mut reached = Bitboard::EMPTY;
        loop {
            file += df;
            rank += dr;
            if !(0..geometry.width() as i32).contains(&file) || !(0..geometry.height() as i32).contains(&rank) {
                return reached;
            }
            let square = Square::at(file as usize, rank as usize).unwrap();
            if !empty.contains(square) {
                return reached;
            }
            reached = reached.with(square);
        }
    }

    #[test]
    fn rays_agree_with_walking_on_every_board_size() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for width in 3..=11 {
            for height in 3..=11 {
                let geometry = Geometry::get(width, height).unwrap();
                for round in 0..40 {
                    let mut empty = geometry.squares() & Bitboard(random.random());
                    if round % 2 == 0 {
                        empty |= geometry.squares() & Bitboard(random.random());
                    }
                    for square in geometry.squares() {
                        let mut all = Bitboard::EMPTY;
                        for direction in Direction::ALL {
                            let expected = walk(geometry, direction, square, empty);
                            assert_eq!(geometry.ray_targets(direction, square, empty), expected);
                            all |= expected;
                        }
                        assert_eq!(geometry.queen_targets(square, empty), all, "{width}x{height} {square} {empty:?}");
                    }
                }
            }
        }
    }
}
