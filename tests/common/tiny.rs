//! Amazons on small boards by plain recursion over bytes, with spare turns beside the board: knows nothing of
//! bitboards.

use std::collections::HashMap;

/// A board with `.`, `*`, `Q`, `q`, row by row from the highest rank, and turns that a side may play elsewhere.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Tiny {
    pub width: usize,
    pub cells: Vec<u8>,
    pub white_to_move: bool,
    /// White's spare turns; Black's if negative.
    pub spare: i32,
}

impl Tiny {
    pub fn fen(&self) -> String {
        let row = |row: &[u8]| {
            let mut text = String::new();
            for part in row.chunk_by(|a, b| *a == b'.' && *b == b'.') {
                text += &if part[0] == b'.' { part.len().to_string() } else { (part[0] as char).to_string() };
            }
            text
        };
        let rows: Vec<_> = self.cells.chunks(self.width).map(row).collect();
        format!("{} {}", rows.join("/"), if self.white_to_move { 'w' } else { 'b' })
    }

    fn rays(&self, from: usize, mut f: impl FnMut(usize)) {
        let (width, height) = (self.width as i32, (self.cells.len() / self.width) as i32);
        for (dx, dy) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
            let (mut x, mut y) = (from as i32 % width + dx, from as i32 / width + dy);
            while (0..width).contains(&x) && (0..height).contains(&y) && self.cells[(y * width + x) as usize] == b'.' {
                f((y * width + x) as usize);
                (x, y) = (x + dx, y + dy);
            }
        }
    }

    /// The positions after all turns on the board.
    pub fn turns(&self) -> Vec<Self> {
        let own = if self.white_to_move { b'Q' } else { b'q' };
        let mut after = Vec::new();
        for from in (0..self.cells.len()).filter(|&square| self.cells[square] == own) {
            self.rays(from, |to| {
                let mut moved = self.clone();
                moved.cells[from] = b'.';
                moved.cells[to] = own;
                moved.white_to_move = !self.white_to_move;
                moved.rays(to, |at| {
                    let mut shot = moved.clone();
                    shot.cells[at] = b'*';
                    after.push(shot);
                });
            });
        }
        after
    }

    /// Whether the side to move wins.
    pub fn mover_wins(&self, seen: &mut HashMap<Self, bool>) -> bool {
        if let Some(&known) = seen.get(self) {
            return known;
        }
        let mut after = self.turns();
        if self.spare != 0 && (self.spare > 0) == self.white_to_move {
            let spare = self.spare - self.spare.signum();
            after.push(Self { spare, white_to_move: !self.white_to_move, ..self.clone() });
        }
        let wins = after.iter().any(|after| !after.mover_wins(seen));
        seen.insert(self.clone(), wins);
        wins
    }

    /// The turns until the end if the winner makes haste and the loser holds out: odd if the side to move wins.
    pub fn plies(&self, seen: &mut HashMap<Self, u8>) -> u8 {
        if let Some(&known) = seen.get(self) {
            return known;
        }
        let after: Vec<_> = self.turns().iter().map(|after| after.plies(seen) + 1).collect();
        let wins = after.iter().filter(|&plies| plies % 2 == 1).min();
        let plies = *wins.or_else(|| after.iter().max()).unwrap_or(&0);
        seen.insert(self.clone(), plies);
        plies
    }

    /// The most turns that White can play if Black never moves.
    pub fn longest(&self, seen: &mut HashMap<Vec<u8>, u32>) -> u32 {
        if let Some(&known) = seen.get(&self.cells) {
            return known;
        }
        let after = self.turns().into_iter().map(|after| Self { white_to_move: true, ..after });
        let turns = after.map(|after| 1 + after.longest(seen)).max().unwrap_or(0);
        seen.insert(self.cells.clone(), turns);
        turns
    }
}

/// Rooms of White alone, for larger ones than [`Tiny::longest`] can count.
impl Tiny {
    fn neighbours(&self, square: usize) -> impl Iterator<Item = usize> {
        let (width, height) = (self.width, self.cells.len() / self.width);
        let (x, y) = (square % width, square / width);
        let around = (y.max(1) - 1..(y + 2).min(height))
            .flat_map(move |b| (x.max(1) - 1..(x + 2).min(width)).map(move |a| (a, b)));
        around.map(move |(a, b)| b * width + a).filter(move |&other| other != square)
    }

    /// Whether White reaches every empty square.
    fn reaches_all(&self) -> bool {
        let mut todo: Vec<_> = (0..self.cells.len()).filter(|&square| self.cells[square] == b'Q').collect();
        let mut seen = vec![false; self.cells.len()];
        while let Some(square) = todo.pop() {
            for next in self.neighbours(square) {
                if self.cells[next] == b'.' && !std::mem::replace(&mut seen[next], true) {
                    todo.push(next);
                }
            }
        }
        (0..self.cells.len()).all(|square| self.cells[square] != b'.' || seen[square])
    }

    /// Whether White can fill every square, found by trying shots into corners first.
    pub fn can_fill_all(&self, failed: &mut std::collections::HashSet<Vec<u8>>) -> bool {
        if !self.cells.contains(&b'.') {
            return true;
        }
        if !self.reaches_all() || failed.contains(&self.cells) {
            return false;
        }
        let open = |after: &Self| {
            let shot = (0..self.cells.len()).find(|&s| after.cells[s] == b'*' && self.cells[s] != b'*').unwrap();
            self.neighbours(shot).filter(|&next| self.cells[next] != b'*').count()
        };
        let mut after: Vec<_> = self.turns().into_iter().map(|after| Self { white_to_move: true, ..after }).collect();
        after.sort_by_cached_key(open);
        let found = after.iter().any(|after| after.can_fill_all(failed));
        if !found {
            failed.insert(self.cells.clone());
        }
        found
    }
}
