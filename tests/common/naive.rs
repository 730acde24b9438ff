//! The Game of the Amazons on a grid of characters, square by square: a twin that shares nothing with the engine.

use super::naive_rules::hash_of_cells;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// `cells[rank][file]`, rank 1 first: `Q`, `q`, `*` or `.`.
    pub cells: Vec<Vec<char>>,
    pub white_to_move: bool,
}

impl Hash for Grid {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(hash_of_cells(&self.cells, self.white_to_move));
    }
}

pub type Square = (usize, usize);

fn name((file, rank): Square) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}

impl Grid {
    pub fn from_fen(fen: &str) -> Self {
        let mut words = fen.split(' ');
        let mut cells = Vec::new();
        for line in words.next().unwrap().split('/') {
            let (mut row, mut run) = (Vec::new(), 0);
            for c in line.chars().chain(['|']) {
                if let Some(digit) = c.to_digit(10) {
                    run = run * 10 + digit;
                    continue;
                }
                row.extend((0..run).map(|_| '.'));
                run = 0;
                if c != '|' {
                    row.push(c);
                }
            }
            cells.insert(0, row);
        }
        Self { cells, white_to_move: words.next() == Some("w") }
    }

    /// Board and side, the first two fields of a FEN.
    pub fn fen(&self) -> String {
        let line = |row: &Vec<char>| {
            let (mut text, mut run) = (String::new(), 0);
            for &c in row.iter().chain(&['|']) {
                if c == '.' {
                    run += 1;
                    continue;
                }
                if run > 0 {
                    text += &run.to_string();
                }
                run = 0;
                if c != '|' {
                    text.push(c);
                }
            }
            text
        };
        let lines: Vec<_> = self.cells.iter().rev().map(line).collect();
        format!("{} {}", lines.join("/"), if self.white_to_move { 'w' } else { 'b' })
    }

    fn rays(&self, from: Square) -> Vec<Square> {
        let mut reached = Vec::new();
        for (df, dr) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
            let (mut file, mut rank) = (from.0 as i32 + df, from.1 as i32 + dr);
            while rank >= 0
                && file >= 0
                && self.cells.get(rank as usize).and_then(|row| row.get(file as usize)) == Some(&'.')
            {
                reached.push((file as usize, rank as usize));
                (file, rank) = (file + df, rank + dr);
            }
        }
        reached
    }

    /// Every turn with the position after it.
    pub fn turns(&self) -> Vec<(String, Self)> {
        let text = |[from, to, at]: [Square; 3]| format!("{}{},{}{}", name(from), name(to), name(to), name(at));
        self.after().into_iter().map(|(squares, after)| (text(squares), after)).collect()
    }

    /// The squares from, to and at of every turn, with the position after it.
    pub fn after(&self) -> Vec<([Square; 3], Self)> {
        let own = if self.white_to_move { 'Q' } else { 'q' };
        let mut turns = Vec::new();
        for rank in 0..self.cells.len() {
            for file in 0..self.cells[rank].len() {
                if self.cells[rank][file] != own {
                    continue;
                }
                for to in self.rays((file, rank)) {
                    let mut moved = self.clone();
                    moved.cells[rank][file] = '.';
                    moved.cells[to.1][to.0] = own;
                    for at in moved.rays(to) {
                        let mut after = moved.clone();
                        after.cells[at.1][at.0] = '*';
                        after.white_to_move = !self.white_to_move;
                        turns.push(([(file, rank), to, at], after));
                    }
                }
            }
        }
        turns
    }

    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 { 1 } else { self.after().iter().map(|(_, after)| after.perft(depth - 1)).sum() }
    }

    /// Whether the side to move wins with best play; remembers what it has seen.
    pub fn mover_wins(&self, seen: &mut HashMap<Self, bool>) -> bool {
        if let Some(&known) = seen.get(self) {
            return known;
        }
        let wins = self.after().iter().any(|(_, after)| !after.mover_wins(seen));
        seen.insert(self.clone(), wins);
        wins
    }
}
