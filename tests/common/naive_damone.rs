//! Damone on a grid of characters, square by square: a twin that shares nothing with the engine.

use super::naive::Grid;
use super::naive_rules::hash_of_cells;
use std::hash::{Hash, Hasher};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraughtsGrid {
    /// `cells[rank][file]`, rank 1 first.
    pub cells: Vec<Vec<char>>,
    pub white_to_move: bool,
}

impl Hash for DraughtsGrid {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(hash_of_cells(&self.cells, self.white_to_move));
    }
}

type Square = (i32, i32);

/// A turn of the twin.
#[derive(Clone, Debug)]
pub struct DraughtsTurn {
    pub text: String,
    pub after: DraughtsGrid,
    /// A capture, a promotion, or a step of a pedina towards the enemy's corner.
    pub irreversible: bool,
}

fn name((file, rank): Square) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}

fn rank_of(piece: char) -> usize {
    match piece.to_ascii_lowercase() {
        'p' => 1,
        'd' => 2,
        _ => 3,
    }
}

impl DraughtsGrid {
    pub fn from_fen(fen: &str) -> Self {
        let Grid { cells, white_to_move } = Grid::from_fen(fen);
        Self { cells, white_to_move }
    }

    pub fn fen(&self) -> String {
        Grid { cells: self.cells.clone(), white_to_move: self.white_to_move }.fen()
    }

    fn at(&self, (file, rank): Square) -> char {
        if !(0..8).contains(&file) || !(0..8).contains(&rank) {
            return ' ';
        }
        self.cells[rank as usize][file as usize]
    }

    fn put(&mut self, (file, rank): Square, piece: char) {
        self.cells[rank as usize][file as usize] = piece;
    }

    fn is_own(&self, piece: char) -> bool {
        piece.is_ascii_alphabetic() && piece.is_ascii_uppercase() == self.white_to_move
    }

    fn is_enemy(&self, piece: char) -> bool {
        piece.is_ascii_alphabetic() && piece.is_ascii_uppercase() != self.white_to_move
    }

    /// White's pedine go north-west, north-east and south-west, Black's the opposite ways; all others go everywhere.
    fn directions(&self, piece: char) -> Vec<Square> {
        let sign = if self.white_to_move { 1 } else { -1 };
        let mut directions = vec![(-sign, sign), (sign, sign), (-sign, -sign)];
        if rank_of(piece) > 1 {
            directions.push((sign, -sign));
        }
        directions
    }

    fn squares() -> impl Iterator<Item = Square> {
        (0..8).flat_map(|rank| (0..8).map(move |file| (file, rank)))
    }

    /// All ways to go on jumping, each as far as it goes: the squares stood on and the squares jumped.
    fn jumps(&self, piece: char, at: Square, jumped: &[Square]) -> Vec<(Vec<Square>, Vec<Square>)> {
        let mut lines = Vec::new();
        for (df, dr) in self.directions(piece) {
            let (over, to) = ((at.0 + df, at.1 + dr), (at.0 + 2 * df, at.1 + 2 * dr));
            let prey = self.at(over);
            if !self.is_enemy(prey) || rank_of(prey) > rank_of(piece) || jumped.contains(&over) || self.at(to) != '.' {
                continue;
            }
            let so_far = [jumped, &[over]].concat();
            let more = self.jumps(piece, to, &so_far);
            if more.is_empty() {
                lines.push((vec![to], so_far));
            } else {
                lines.extend(more.into_iter().map(|(path, all)| ([vec![to], path].concat(), all)));
            }
        }
        lines
    }

    fn after(&self, piece: char, path: &[Square], jumped: &[Square]) -> DraughtsTurn {
        let mut after = self.clone();
        after.put(path[0], '.');
        jumped.iter().for_each(|&square| after.put(square, '.'));
        let to = path[path.len() - 1];
        let risen = match (piece, name(to).as_str()) {
            ('P', "a6" | "c8") => 'D',
            ('D', "a8") => 'I',
            ('p', "f1" | "h3") => 'd',
            ('d', "h1") => 'i',
            _ => piece,
        };
        after.put(to, risen);
        after.white_to_move = !self.white_to_move;
        let sign = if self.white_to_move { 1 } else { -1 };
        let forward = rank_of(piece) == 1 && (to.0 - path[0].0, to.1 - path[0].1) == (-sign, sign);
        let irreversible = !jumped.is_empty() || risen != piece || forward;
        DraughtsTurn { text: path.iter().map(|&square| name(square)).collect(), after, irreversible }
    }

    /// Every turn.
    pub fn turns(&self) -> Vec<DraughtsTurn> {
        let mut captures = Vec::new();
        let mut steps = Vec::new();
        for from in Self::squares() {
            let piece = self.at(from);
            if !self.is_own(piece) {
                continue;
            }
            let mut lifted = self.clone();
            lifted.put(from, '.');
            for (path, jumped) in lifted.jumps(piece, from, &[]) {
                let count = |rank| jumped.iter().filter(|&&square| rank_of(self.at(square)) == rank).count();
                let merit = [jumped.len(), rank_of(piece), count(3), count(2)];
                captures.push((merit, self.after(piece, &[vec![from], path].concat(), &jumped)));
            }
            for (df, dr) in self.directions(piece) {
                let to = (from.0 + df, from.1 + dr);
                if self.at(to) == '.' {
                    steps.push(self.after(piece, &[from, to], &[]));
                }
            }
        }
        let Some(best) = captures.iter().map(|(merit, _)| *merit).max() else { return steps };
        captures.into_iter().filter(|(merit, _)| *merit == best).map(|(_, turn)| turn).collect()
    }

    /// Who has lost by the board alone: `Some(true)` for White.
    pub fn loser_is_white(&self, needs_damone: bool) -> Option<bool> {
        if needs_damone {
            let has = |piece| self.cells.iter().flatten().any(|&cell| cell == piece);
            for white in [self.white_to_move, !self.white_to_move] {
                if !has(if white { 'I' } else { 'i' }) {
                    return Some(white);
                }
            }
        }
        self.turns().is_empty().then_some(self.white_to_move)
    }
}
