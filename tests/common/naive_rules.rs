//! Any game of move and fire on a grid of characters, square by square: a twin that shares nothing with the engine but
//! the rules as data.

use super::library::board::{Reach, Square};
use super::library::games::general::{FireAt, Flips, Leaves, Rules, Stuck, Tie, Turns};
use super::library::games::variant::Variant;
use super::library::games::{Outcome, Side};
use std::collections::HashMap;
use std::hash::{Hash, Hasher};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesGrid {
    rules: Rules,
    /// Ranks from the first.
    pub cells: Vec<Vec<char>>,
    pub white_to_move: bool,
    pub move_only: bool,
    /// Turns in a row without fire.
    held: u32,
}

impl Hash for RulesGrid {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(hash_of_cells(&self.cells, self.white_to_move));
    }
}

/// A hash of what stands on a board, and of something else. By hand (FNV-1a), as tests are built with little
/// optimisation, and the usual way calls a hasher for each square.
pub fn hash_of_cells(cells: &[Vec<char>], other: bool) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325 ^ u64::from(other);
    for row in cells {
        let mut file = 0;
        while file < row.len() {
            hash = (hash ^ row[file] as u64).wrapping_mul(0x100_0000_01b3);
            file += 1;
        }
    }
    hash
}

type At = (i32, i32);

const AROUND: [At; 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];
const LEAPS: [At; 8] = [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)];

fn name((file, rank): At) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}

impl RulesGrid {
    /// A position of a rule set, which must be one of move and fire.
    pub fn of(variant: &Variant, fen: &str) -> Self {
        Self::new(Rules::of(variant).unwrap(), fen)
    }

    pub fn new(rules: Rules, fen: &str) -> Self {
        let words: Vec<&str> = fen.split(' ').collect();
        let row = |text: &str| {
            let (mut row, mut number) = (Vec::new(), 0);
            for found in text.chars().chain(['/']) {
                match found.to_digit(10) {
                    Some(digit) => number = number * 10 + digit as usize,
                    None => {
                        row.resize(row.len() + number, '.');
                        number = 0;
                        row.push(found);
                    }
                }
            }
            row.pop();
            row
        };
        let cells = words[0].split('/').rev().map(row).collect();
        let move_only = words.get(2) == Some(&"m");
        Self { rules, cells, white_to_move: words.get(1) != Some(&"b"), move_only, held: 0 }
    }

    /// The first three fields of the FEN.
    pub fn fen(&self) -> String {
        let row = |row: &Vec<char>| {
            let (mut text, mut run) = (String::new(), 0);
            for &cell in row.iter().chain(&['/']) {
                if cell == '.' {
                    run += 1;
                    continue;
                }
                if run > 0 {
                    text += &run.to_string();
                    run = 0;
                }
                text.push(cell);
            }
            text.pop();
            text
        };
        let board = self.cells.iter().rev().map(row).collect::<Vec<_>>().join("/");
        let (side, flag) = (if self.white_to_move { 'w' } else { 'b' }, if self.move_only { 'm' } else { '-' });
        format!("{board} {side} {flag}")
    }

    fn at(&self, (file, rank): At) -> char {
        let row = usize::try_from(rank).ok().and_then(|rank| self.cells.get(rank));
        row.and_then(|row| row.get(usize::try_from(file).ok()?)).copied().unwrap_or(' ')
    }

    fn put(&mut self, (file, rank): At, cell: char) {
        self.cells[rank as usize][file as usize] = cell;
    }

    fn all(&self) -> Vec<At> {
        let (files, ranks) = (self.cells[0].len() as i32, self.cells.len() as i32);
        (0..ranks).flat_map(|rank| (0..files).map(move |file| (file, rank))).collect()
    }

    fn on_rim(&self, (file, rank): At) -> bool {
        file == 0 || rank == 0 || file + 1 == self.cells[0].len() as i32 || rank + 1 == self.cells.len() as i32
    }

    /// Own piece, own stone, enemy stone.
    fn letters(&self) -> [char; 3] {
        if self.white_to_move { ['Q', 'S', 's'] } else { ['q', 's', 'S'] }
    }

    /// That of the side to move.
    fn own(&self, [white, black]: [Reach; 2]) -> Reach {
        if self.white_to_move { white } else { black }
    }

    fn bound(reach: Reach, (df, dr): At) -> i32 {
        i32::from(if df == 0 || dr == 0 { reach.straight() } else { reach.diagonal() })
    }

    /// The empty squares that `reach` leads to, over cells of `open`.
    fn reached(&self, reach: Reach, from: At, open: &[char]) -> Vec<At> {
        let mut found = Vec::new();
        for (df, dr) in AROUND {
            for step in 1..=Self::bound(reach, (df, dr)) {
                let at = (from.0 + df * step, from.1 + dr * step);
                if self.at(at) == '.' {
                    found.push(at);
                } else if !open.contains(&self.at(at)) {
                    break;
                }
            }
        }
        if reach.knight() {
            found.extend(LEAPS.map(|(df, dr)| (from.0 + df, from.1 + dr)).into_iter().filter(|&at| self.at(at) == '.'));
        }
        found
    }

    /// Whether a fire of the side to move may land on a square, as far as protected ones go.
    fn is_open(&self, at: At) -> bool {
        let protected = self.rules.protected[usize::from(!self.white_to_move)];
        !name(at).parse::<Square>().is_ok_and(|at| protected.contains(at))
    }

    /// The fires after a move, the move already made: where they land, and the run that they go over.
    fn fires(&self, from: At, to: At) -> Vec<(At, Vec<At>)> {
        let plain = match self.rules.fire_at {
            FireAt::Reach => self.reached(self.own(self.rules.fires), to, &[]),
            FireAt::Left => vec![from],
            FireAt::Anywhere => self.all().into_iter().filter(|&at| self.at(at) == '.').collect(),
            FireAt::Edge => {
                let beside =
                    |(file, rank): At| [(file - 1, rank), (file + 1, rank), (file, rank - 1), (file, rank + 1)];
                let is_closed = |at: At| ['S', 's', '*'].contains(&self.at(at));
                let is_edge = |at: At| self.on_rim(at) || beside(at).into_iter().any(is_closed);
                self.all().into_iter().filter(|&at| self.at(at) == '.' && is_edge(at)).collect()
            }
        };
        let may_land = |at| self.is_open(at) && !(self.rules.rim_barred && self.on_rim(at));
        let allowed = plain.into_iter().filter(|&at| may_land(at));
        let mut fires: Vec<_> = allowed.map(|at| (at, Vec::new())).collect();
        if let Flips::Run(_) = self.rules.flips {
            for (df, dr) in AROUND {
                let line = |step: i32| (to.0 + df * step, to.1 + dr * step);
                let run = (1..).take_while(|&step| self.at(line(step)) == self.letters()[2]).count() as i32;
                let lands = self.at(line(run + 1)) == '.' && self.is_open(line(run + 1));
                if run > 0 && run < Self::bound(self.own(self.rules.fires), (df, dr)) && lands {
                    fires.push((line(run + 1), (1..=run).map(line).collect()));
                }
            }
        }
        fires
    }

    /// The stones that flip between a stone fired at `at` and others of its side.
    fn closed_in(&self, at: At) -> Vec<At> {
        let [piece, own, enemy] = self.letters();
        let mut flips = Vec::new();
        for (df, dr) in AROUND {
            let line = |step: i32| (at.0 + df * step, at.1 + dr * step);
            let run = (1..).take_while(|&step| self.at(line(step)) == enemy).count() as i32;
            if [piece, own].contains(&self.at(line(run + 1))) {
                flips.extend((1..=run).map(line));
            }
        }
        flips
    }

    fn passed_on(mut self, held: bool) -> Self {
        self.white_to_move = !self.white_to_move;
        if self.rules.turns != Turns::MoveAndFire && !self.move_only {
            self.held = if held { self.held + 1 } else { 0 };
        }
        self.move_only = false;
        self
    }

    /// Every turn, with what it leads to: to pass, if there is no other and the enemy has one.
    pub fn turns(&self) -> Vec<(String, Self)> {
        let (turns, passed) = (self.own_turns(), self.clone().passed_on(true));
        if !turns.is_empty() || !self.rules.stuck_passes || passed.own_turns().is_empty() {
            return turns;
        }
        let first = self.all().into_iter().find(|&at| self.at(at) == self.letters()[0]);
        first.map(|at| (name(at).repeat(2), passed)).into_iter().collect()
    }

    fn own_turns(&self) -> Vec<(String, Self)> {
        let [piece, own, _] = self.letters();
        let mut open = Vec::new();
        if self.rules.passes_pieces {
            open.push(piece);
        }
        if self.rules.passes_stones {
            open.push(own);
        }
        let mut turns = Vec::new();
        for from in self.all().into_iter().filter(|&at| self.at(at) == piece) {
            for to in self.reached(self.own(self.rules.moves), from, &open) {
                let mut moved = self.clone();
                moved.put(from, '.');
                moved.put(to, piece);
                let text = name(from) + &name(to);
                if self.move_only || self.rules.turns != Turns::MoveAndFire {
                    turns.push((text.clone(), moved.clone().passed_on(true)));
                }
                if self.move_only || self.rules.turns == Turns::MoveOrFire {
                    continue;
                }
                for (at, run) in moved.fires(from, to) {
                    turns.push((format!("{text},{}{}", name(to), name(at)), moved.fired(at, run)));
                }
            }
        }
        if self.rules.turns != Turns::MoveOrFire || self.move_only {
            return turns;
        }
        // Written as fires of the first piece that has them.
        let mut hit = Vec::new();
        for from in self.all().into_iter().filter(|&at| self.at(at) == piece) {
            for (at, run) in self.fires(from, from) {
                if !hit.contains(&at) {
                    hit.push(at);
                    turns.push((format!("{0}{0},{0}{1}", name(from), name(at)), self.fired(at, run)));
                }
            }
        }
        turns
    }

    /// After a fire at a square, over a run of stones or none.
    fn fired(&self, at: At, run: Vec<At>) -> Self {
        let own = self.letters()[1];
        let leaves = match self.rules.flips {
            Flips::Run(leaves) if !run.is_empty() => leaves,
            _ => self.rules.plain,
        };
        let flips = if self.rules.flips == Flips::Lines { self.closed_in(at) } else { run };
        let mut fired = self.clone();
        fired.put(at, if leaves == Leaves::Own { own } else { '*' });
        flips.into_iter().for_each(|at| fired.put(at, own));
        fired.passed_on(false)
    }

    /// The result, if there is no turn or nobody has fired for long.
    pub fn outcome(&self, has_turn: bool) -> Option<Outcome> {
        if has_turn {
            return (self.held >= 80).then_some(Outcome::Draw);
        }
        let mover = if self.white_to_move { Side::White } else { Side::Black };
        let count = |stone| self.cells.iter().flatten().filter(|&&cell| cell == stone).count() as i32;
        let counted = |lead: i32, tie| match (lead.signum(), tie) {
            (1, _) => Outcome::Win(Side::White),
            (-1, _) => Outcome::Win(Side::Black),
            (_, Tie::For(side)) => Outcome::Win(side),
            (_, Tie::Draw) => Outcome::Draw,
        };
        Some(match self.rules.stuck {
            Stuck::Loses => Outcome::Win(!mover),
            Stuck::Wins => Outcome::Win(mover),
            Stuck::Draws => Outcome::Draw,
            Stuck::MostStones(tie) => counted(count('S') - count('s'), tie),
            Stuck::FewestStones(tie) => counted(count('s') - count('S'), tie),
        })
    }

    /// +1, 0, −1 for White with best play; remembers what it has seen.
    pub fn value(&self, seen: &mut HashMap<Self, i32>) -> i32 {
        if let Some(&known) = seen.get(self) {
            return known;
        }
        let values: Vec<_> = self.turns().iter().map(|(_, after)| after.value(seen)).collect();
        let value = match self.outcome(!values.is_empty()) {
            Some(Outcome::Win(side)) => {
                if side == Side::White {
                    1
                } else {
                    -1
                }
            }
            Some(Outcome::Draw) => 0,
            None => *if self.white_to_move { values.iter().max() } else { values.iter().min() }.unwrap(),
        };
        seen.insert(self.clone(), value);
        value
    }
}
