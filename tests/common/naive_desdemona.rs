//! The Desdemona family on a grid of characters, square by square: a twin that shares nothing with the engine.

use super::hash_of_cells;
use super::naive::Grid;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};

/// Differences between the rule sets, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Law {
    rim_barred: bool,
    /// Amazons step over own pieces, stones flip as in Othello, and there are no flip shots.
    iago: bool,
    plain_is_own: bool,
    flip_is_own: bool,
}

impl Law {
    pub fn of(variant: &str) -> Self {
        let (rim_barred, plain_is_own, flip_is_own) = match variant {
            "desdemona" => (true, false, true),
            "cassio" => (false, false, false),
            "iago" => (false, true, false),
            "desdemona-early" | "cassio-site" => (false, true, false),
            "desdemona-early-border" | "desdemona-site" => (true, true, true),
            other => panic!("{other}"),
        };
        Self { rim_barred, iago: variant == "iago", plain_is_own, flip_is_own }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoneGrid {
    pub law: Law,
    pub cells: Vec<Vec<char>>,
    pub white_to_move: bool,
    pub move_only: bool,
}

impl Hash for StoneGrid {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(hash_of_cells(&self.cells, self.white_to_move));
    }
}

const DIRECTIONS: [(i32, i32); 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

fn name((file, rank): (i32, i32)) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}

/// Where a shot lands and what flips.
struct Shot {
    at: (i32, i32),
    flips: Vec<(i32, i32)>,
    over_stones: bool,
}

impl StoneGrid {
    pub fn from_fen(variant: &str, fen: &str) -> Self {
        let grid = Grid::from_fen(fen);
        let move_only = fen.split(' ').nth(2) == Some("m");
        Self { law: Law::of(variant), cells: grid.cells, white_to_move: grid.white_to_move, move_only }
    }

    /// Board, side and flag, the first three fields of a FEN.
    pub fn fen(&self) -> String {
        let grid = Grid { cells: self.cells.clone(), white_to_move: self.white_to_move };
        format!("{} {}", grid.fen(), if self.move_only { 'm' } else { '-' })
    }

    /// The character of a square; a blank outside the board.
    fn at(&self, (file, rank): (i32, i32)) -> char {
        if file < 0 || rank < 0 {
            return ' ';
        }
        self.cells.get(rank as usize).and_then(|row| row.get(file as usize)).copied().unwrap_or(' ')
    }

    fn put(&mut self, (file, rank): (i32, i32), piece: char) {
        self.cells[rank as usize][file as usize] = piece;
    }

    fn on_rim(&self, (file, rank): (i32, i32)) -> bool {
        let (width, height) = (self.cells[0].len() as i32, self.cells.len() as i32);
        file == 0 || rank == 0 || file == width - 1 || rank == height - 1
    }

    /// Own amazon, own stone, enemy stone.
    fn letters(&self) -> [char; 3] {
        if self.white_to_move { ['Q', 'S', 's'] } else { ['q', 's', 'S'] }
    }

    /// Every shot from a square.
    fn shots(&self, from: (i32, i32)) -> Vec<Shot> {
        let [amazon, own, enemy] = self.letters();
        let mut shots = Vec::new();
        for (df, dr) in DIRECTIONS {
            let step = |(file, rank): (i32, i32)| (file + df, rank + dr);
            let mut at = step(from);
            while self.at(at) == '.' {
                if !(self.law.rim_barred && self.on_rim(at)) {
                    let mut flips = Vec::new();
                    for (ff, fr) in DIRECTIONS.into_iter().filter(|_| self.law.iago) {
                        let mut run = Vec::new();
                        let mut next = (at.0 + ff, at.1 + fr);
                        while self.at(next) == enemy {
                            run.push(next);
                            next = (next.0 + ff, next.1 + fr);
                        }
                        if self.at(next) == own || self.at(next) == amazon {
                            flips.extend(run);
                        }
                    }
                    shots.push(Shot { at, flips, over_stones: false });
                }
                at = step(at);
            }
            if self.law.iago {
                continue;
            }
            let mut run = Vec::new();
            let mut at = step(from);
            while self.at(at) == enemy {
                run.push(at);
                at = step(at);
            }
            if !run.is_empty() && self.at(at) == '.' {
                shots.push(Shot { at, flips: run, over_stones: true });
            }
        }
        shots
    }

    /// Every turn with the position after it.
    pub fn turns(&self) -> Vec<(String, Self)> {
        let [amazon, own, _] = self.letters();
        let mut turns = Vec::new();
        let squares =
            (0..self.cells.len() as i32).flat_map(|rank| (0..self.cells[0].len() as i32).map(move |file| (file, rank)));
        for from in squares.filter(|&square| self.at(square) == amazon) {
            for (df, dr) in DIRECTIONS {
                let mut to = (from.0 + df, from.1 + dr);
                loop {
                    let here = self.at(to);
                    if here == '.' {
                        self.turns_with_move(from, to, &mut turns);
                    } else if !(self.law.iago && (here == own || here == amazon)) {
                        break;
                    }
                    to = (to.0 + df, to.1 + dr);
                }
            }
        }
        turns
    }

    fn turns_with_move(&self, from: (i32, i32), to: (i32, i32), turns: &mut Vec<(String, Self)>) {
        let [amazon, own, _] = self.letters();
        let mut moved = self.clone();
        moved.put(from, '.');
        moved.put(to, amazon);
        if self.move_only {
            moved.move_only = false;
            moved.white_to_move = !self.white_to_move;
            turns.push((format!("{}{}", name(from), name(to)), moved));
            return;
        }
        for Shot { at, flips, over_stones } in moved.shots(to) {
            let mut after = moved.clone();
            flips.iter().for_each(|&square| after.put(square, own));
            let leaves_own = if over_stones { self.law.flip_is_own } else { self.law.plain_is_own };
            after.put(at, if leaves_own { own } else { '*' });
            after.white_to_move = !self.white_to_move;
            turns.push((format!("{}{},{}{}", name(from), name(to), name(to), name(at)), after));
        }
    }

    /// White's stones less Black's.
    pub fn margin(&self) -> i32 {
        let count = |piece| self.cells.iter().flatten().filter(|&&cell| cell == piece).count() as i32;
        count('S') - count('s')
    }

    /// +1, 0, −1 for White with best play; remembers what it has seen.
    pub fn value(&self, seen: &mut HashMap<Self, i32>) -> i32 {
        if let Some(&known) = seen.get(self) {
            return known;
        }
        let values: Vec<_> = self.turns().iter().map(|(_, after)| after.value(seen)).collect();
        let best = if self.white_to_move { values.iter().max() } else { values.iter().min() };
        let value = best.copied().unwrap_or(self.margin().signum());
        seen.insert(self.clone(), value);
        value
    }
}
