//! Proof files: who wins, so that anybody can check it who knows the rules.
//!
//! # What is proven
//!
//! One side wins. Where it moves, the file has one turn for each position that can come up; where the other side moves,
//! all turns are considered. The lines end where counting tells the result (below). Positions that are mirror images of
//! each other are one. `examples/check_proof.py` checks a file: a short program in Python that shares nothing with this
//! one.
//!
//! # The file
//!
//! It has the form of all binary files of Hippolyta: magic `HIPPOPRF`, a version, and frames with checksums. A frame is
//! the length of its body (4 bytes), the CRC-32 of its body (4 bytes) and the body; numbers are little-endian. The
//! first frame holds the header as JSON: `variant`, `fen`, `wins` (whether the side to move wins), `turns` (how many
//! there are). The bodies of the other frames, without the last one, are one zlib stream of 16-bit numbers, all low
//! bytes first, then all high bytes.
//!
//! # The positions that the turns are for
//!
//! They are not written, as they follow from the rules. A square has the number `rank × files + file`, counted from 0.
//! A position is three sets of squares as whole numbers, square `i` being bit `i`: the amazons of the side to move,
//! those of the other side, and the empty squares. Its least image under the symmetries of the board (four, eight if it
//! is square), compared set by set, stands for all. Then, from the start position on:
//!
//! 1. *Positions where the winner moves*, in ascending order, take a number from the file each. 0 says that the winner
//!    wins by counting. Otherwise the number less 1 is `2 × turn + end`, and `turn` is `(from × n + to) × n + at` on a
//!    board of `n` squares. After it the other side loses by counting, if `end` is 1; if it is 0, what follows is a
//!    position where the loser moves.
//! 2. *Positions where the loser moves*: all their turns lead to the next positions where the winner moves.
//!
//! It goes on with 1, until there are no more positions.
//!
//! # Counting
//!
//! An area is a set of empty squares connected by king steps. A side reaches the areas that its amazons touch. What
//! only one side reaches is its own. A *room* is a part of its own squares, connected by king steps over these and the
//! side's amazons. An amazon next to a square that the enemy reaches, or next to an enemy amazon, is a *door*: it may
//! stay, or leave and shoot at the square that it left. With such turns only, the enemy never gets into the room, and a
//! side has its rooms' turns for certain: as many as can be played in them alone, one after the other. On the other
//! hand, as long as the enemy stays in its rooms, a side cannot play more turns than it reaches squares, as each turn
//! fills one and none is added; a room without doors adds only as many as can be played in it. So the side to move wins
//! if it has more turns for certain than the other side can play, and loses if the other has at least as many for
//! certain as it can play itself.

use super::ProvingError;
use super::run::{EXCHANGE, Run};
use crate::folder::FolderError;
use hippolyta::board::{Bitboard, Geometry, STRIDE, Square};
use hippolyta::container::{Format, whole};
use hippolyta::endgame::amazons::{Numbers, Prover};
use hippolyta::games::amazons::{Amazons, AmazonsRules};
use hippolyta::games::move_fire::Pieces;
use hippolyta::games::{Notation, Position as _, Side};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::Serialize;
use std::array;
use std::collections::HashSet;
use std::path::PathBuf;
use web_time::Instant;

const FORMAT: Format = Format { magic: *b"HIPPOPRF", name: "proof file of Hippolyta", version: 1 };

/// The most squares of a board: three sets of 32 bits, and turns in 16.
const MOST_SQUARES: usize = 32;
/// How much of the compression's effort: the most.
const COMPRESSION: u8 = 10;

#[derive(Serialize)]
struct Header<'a> {
    variant: &'a str,
    fen: &'a str,
    wins: bool,
    turns: usize,
}

/// The side to move, the other, empty squares: in this order positions are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Place {
    own: u32,
    other: u32,
    empty: u32,
}

/// The squares of a board by number.
struct Squares {
    geometry: &'static Geometry,
    width: usize,
    count: usize,
    /// Where each byte of a set goes by a symmetry.
    symmetries: Vec<[[u32; 256]; 4]>,
}

fn ones(set: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |square| set >> square & 1 != 0)
}

impl Squares {
    fn new(geometry: &'static Geometry) -> Self {
        let (width, height) = (geometry.width(), geometry.height());
        let turned = |turn: usize| {
            let to = |square: usize| {
                let (mut file, mut rank) = (square % width, square / width);
                if turn & 1 != 0 {
                    file = width - 1 - file;
                }
                if turn & 2 != 0 {
                    rank = height - 1 - rank;
                }
                if turn & 4 != 0 { 1 << (file * width + rank) } else { 1 << (rank * width + file) }
            };
            let on_board = |square: &usize| *square < width * height;
            array::from_fn(|byte| {
                array::from_fn(|set| ones(set as u32).map(|bit| 8 * byte + bit).filter(on_board).map(to).sum())
            })
        };
        let symmetries = (1..if width == height { 8 } else { 4 }).map(turned).collect();
        Self { geometry, width, count: width * height, symmetries }
    }

    fn square(&self, number: usize) -> Square {
        Square::new(number / self.width * STRIDE + number % self.width)
    }

    fn take(&self, set: Bitboard) -> u32 {
        set.into_iter().fold(0, |taken, square| taken | 1 << (square.rank() * self.width + square.file()))
    }

    fn give(&self, set: u32) -> Bitboard {
        ones(set).map(|number| self.square(number)).collect()
    }

    fn place(&self, position: &Amazons) -> Place {
        let side = position.side_to_move();
        let [own, other, empty] =
            [position.amazons(side), position.amazons(!side), position.empty()].map(|set| self.take(set));
        self.least(Place { own, other, empty })
    }

    /// A position with White to move.
    fn position(&self, place: &Place) -> Amazons {
        let all = if self.count == 32 { u32::MAX } else { (1 << self.count) - 1 };
        let arrows = all & !(place.own | place.other | place.empty);
        let amazons = [self.give(place.own), self.give(place.other)];
        let pieces = Pieces { amazons, neutral: self.give(arrows), ..Pieces::default() };
        #[allow(clippy::expect_used, reason = "a place is taken from a position, and turns keep it one")]
        Amazons::from_pieces(AmazonsRules, self.geometry, &pieces, Side::White, false).expect("a position")
    }

    fn least(&self, place: Place) -> Place {
        let image = |symmetry: &[[u32; 256]; 4]| {
            let set = |set: u32| {
                let bytes = set.to_le_bytes().map(usize::from);
                symmetry.iter().zip(bytes).fold(0, |image, (of_byte, byte)| image | of_byte[byte])
            };
            Place { own: set(place.own), other: set(place.other), empty: set(place.empty) }
        };
        self.symmetries.iter().map(image).fold(place, Ord::min)
    }

    /// Where the turn of a number from the file leads, unless the line ends; `None` if there cannot be such a turn.
    fn after(&self, place: &Place, number: u16) -> Option<Option<Place>> {
        let Some(turn) = number.checked_sub(1).map(usize::from).filter(|number| number % 2 == 0) else {
            return Some(None);
        };
        let (turn, count) = (turn / 2, self.count);
        let of = |set: u32, square: usize| (square < count && set >> square & 1 != 0).then_some(1 << square);
        let (from, to) = (of(place.own, turn / count / count)?, of(place.empty, turn / count % count)?);
        let vacated = (place.empty | from) & !to;
        let at = of(vacated, turn % count)?;
        let moved = place.own & !from | to;
        Some(Some(self.least(Place { own: place.other, other: moved, empty: vacated & !at })))
    }

    /// All turns by number, with the positions after them.
    fn turns(&self, place: &Place, mut f: impl FnMut(usize, Place)) {
        let Place { own, other, empty } = *place;
        let targets =
            |from: usize, empty: u32| self.take(self.geometry.queen_targets(self.square(from), self.give(empty)));
        for from in ones(own) {
            for to in ones(targets(from, empty)) {
                let vacated = (empty | 1 << from) & !(1 << to);
                let moved = own & !(1 << from) | 1 << to;
                for at in ones(targets(to, vacated)) {
                    let next = Place { own: other, other: moved, empty: vacated & !(1 << at) };
                    f((from * self.count + to) * self.count + at, self.least(next));
                }
            }
        }
    }
}

/// How a turn stands in the file.
fn code(turn: usize, end: bool) -> u16 {
    (1 + 2 * turn + usize::from(end)) as u16
}

/// How far a proof file has come: positions where the winner moves, so far, and in this layer.
pub type Progress<'a> = dyn FnMut(usize, usize) + 'a;

/// Keeps the numbers so far; the second argument is the number of positions in this layer.
type Keep<'a> = dyn FnMut(&[u16], usize) -> Result<(), ProvingError> + 'a;

/// Positions that are answered at a time, for each thread: they do not see each other's answers before all are there.
const AT_A_TIME: usize = 256;
/// Positions whose turns are played at a time.
const EXPANDED_AT_A_TIME: usize = 1 << 14;

/// The file's answer to a position where the winner moves.
enum Answer {
    /// The line ends, or goes on with a position that the proof has already.
    Settled(u16),
    /// The chosen one of these turns leads to a new position. Another may lead to one that the proof gets at the same
    /// time.
    New { turns: Vec<(usize, Place)>, chosen: usize },
    /// The winner does not win here: what was said to be found out is false.
    Lost,
}

/// Makes the proof for a position, by a prover that knows who wins or finds it out.
struct Writer<'a> {
    prover: &'a Prover,
    squares: Squares,
    threads: ThreadPool,
    /// The file of the numbers that are known.
    kept: PathBuf,
    go_on: &'a (dyn Fn() -> bool + Sync),
}

impl Writer<'_> {
    /// The numbers of the proof that `wins` is the result of `position`, the first of which are known; `None` if
    /// `go_on` said no. If that is not so, `doubted` gets a position that was found to be won and is lost, and those
    /// before it.
    fn numbers(
        &self,
        position: &Amazons,
        wins: bool,
        mut numbers: Vec<u16>,
        keep: &mut Keep<'_>,
        doubted: &mut Vec<Amazons>,
    ) -> Result<Option<Vec<u16>>, ProvingError> {
        let mut before = 0;
        let start = self.squares.place(position);
        let mut parents = if wins { Vec::new() } else { vec![start] };
        let mut winner = if wins { vec![start] } else { self.after_all(&parents) };
        loop {
            // One thread answers one by one, so that each answer sees those before.
            let threads = self.threads.current_num_threads();
            let known = numbers[before..].len().min(winner.len());
            let mut loser = self.told(&winner[..known], &numbers[before..])?;
            before += winner.len();
            for places in winner[known..].chunks(if threads > 1 { threads * AT_A_TIME } else { 1 }) {
                keep(&numbers, winner.len())?;
                let answer = |place: &Place| self.answer(place, &loser);
                let answers: Option<Vec<Answer>> =
                    self.threads.install(|| places.par_iter().with_max_len(1).map(answer).collect());
                let Some(answers) = answers else { return Ok(None) };
                for (place, answer) in places.iter().zip(answers) {
                    numbers.push(match answer {
                        Answer::Settled(number) => number,
                        Answer::New { turns, chosen } => {
                            let there = turns.iter().find(|(_, next)| loser.contains(next));
                            let &(turn, next) = there.unwrap_or(&turns[chosen]);
                            loser.insert(next);
                            code(turn, false)
                        }
                        Answer::Lost => {
                            let leads = |parent: &&Place| {
                                let mut leads = false;
                                self.squares.turns(parent, |_, next| leads |= next == *place);
                                leads
                            };
                            let before: Vec<_> = self.threads.install(|| parents.par_iter().filter(leads).collect());
                            let places = before.into_iter().chain([place]);
                            doubted.extend(places.map(|place| self.squares.position(place)));
                            return Err(ProvingError::Unproven);
                        }
                    });
                }
            }
            if loser.is_empty() {
                return Ok(Some(numbers));
            }
            parents = Vec::from_iter(loser);
            winner = self.after_all(&parents);
        }
    }

    /// Where the turns lead that are known for some positions.
    fn told(&self, places: &[Place], numbers: &[u16]) -> Result<HashSet<Place>, ProvingError> {
        let next = |(place, &number): (&Place, &u16)| self.squares.after(place, number);
        let after: Option<Vec<_>> = self.threads.install(|| places.par_iter().zip(numbers).map(next).collect());
        let what = "a turn that does not fit this position; without the file, it is written anew";
        let wrong = || FolderError::damaged(&self.kept, what);
        let after = after.ok_or_else(wrong)?;
        Ok(after.into_iter().flatten().collect())
    }

    /// The positions after all turns of some positions, in ascending order.
    fn after_all(&self, places: &[Place]) -> Vec<Place> {
        let ordered = |found: &mut Vec<Place>| {
            found.par_sort_unstable();
            found.dedup();
        };
        self.threads.install(|| {
            let (mut found, mut known) = (Vec::new(), 0);
            for places in places.chunks(EXPANDED_AT_A_TIME) {
                let after = |place: &Place| {
                    let mut after = Vec::new();
                    self.squares.turns(place, |_, next| after.push(next));
                    after
                };
                found.par_extend(places.par_iter().flat_map_iter(after));
                if found.len() > 2 * known + (1 << 24) {
                    ordered(&mut found);
                    known = found.len();
                }
            }
            ordered(&mut found);
            found
        })
    }

    /// The file's answer to a position where the winner moves, if the proof has `loser` already.
    fn answer(&self, place: &Place, loser: &HashSet<Place>) -> Option<Answer> {
        let (prover, squares) = (self.prover, &self.squares);
        let worker = rayon::current_thread_index().unwrap_or(0);
        let position = squares.position(place);
        if prover.by_counting(worker, &position) == Some(true) {
            return Some(Answer::Settled(0));
        }
        let mut turns = Vec::new();
        squares.turns(place, |turn, next| turns.push((turn, next)));
        let after: Vec<Amazons> = turns.iter().map(|(_, next)| squares.position(next)).collect();
        if let Some(end) = after.iter().position(|next| prover.by_counting(worker, next) == Some(false)) {
            return Some(Answer::Settled(code(turns[end].0, true)));
        }
        if let Some((turn, _)) = turns.iter().find(|(_, next)| loser.contains(next)) {
            return Some(Answer::Settled(code(*turn, false)));
        }
        // The turn that leaves the fewest replies makes the shortest proof.
        let mut order: Vec<(u64, usize)> =
            after.iter().enumerate().map(|(index, next)| (next.count_turns(1), index)).collect();
        order.sort_unstable();
        let best = |order: &[(u64, usize)]| {
            order
                .iter()
                .find(|&&(_, index)| prover.known(worker, &after[index]) == Some(false))
                .map(|&(_, index)| index)
        };
        const FREE: Numbers = Numbers { proof: Numbers::INFINITE, disproof: Numbers::INFINITE };
        let mut positions = 100_000;
        let chosen = loop {
            if let Some(index) = best(&order) {
                break index;
            }
            if !(self.go_on)() {
                return None;
            }
            // The table has forgotten it.
            let result = prover.search(worker, &position, positions, FREE, self.go_on).0.result();
            if let Some(index) = best(&order) {
                break index;
            }
            match result {
                Some(false) => return Some(Answer::Lost),
                Some(true) => {
                    let mut is_open = false;
                    let lost = order.iter().find(|&&(_, index)| {
                        let result = prover.search(worker, &after[index], positions, FREE, self.go_on).0.result();
                        is_open |= result.is_none();
                        result == Some(false)
                    });
                    match lost {
                        Some(&(_, index)) => break index,
                        None if !is_open => return Some(Answer::Lost),
                        None => {}
                    }
                }
                None => {}
            }
            positions = positions.saturating_mul(4);
        };
        Some(Answer::New { turns, chosen })
    }
}

impl Run {
    /// Whether there can be a proof file for this board.
    ///
    /// # Errors
    ///
    /// If the board has more than 32 squares.
    pub fn check_board(&self) -> Result<(), ProvingError> {
        let (width, height) = self.position().board_size();
        let too_large = || format!("proof files are for boards of up to {MOST_SQUARES} squares");
        if width * height > MOST_SQUARES { Err(ProvingError::Unfit(too_large())) } else { Ok(()) }
    }

    /// A proof file for a position that was solved. The form of the file is described in
    /// `crates/lab/src/proving/certificate.rs`. `None` if `go_on` said no. What there is of it is kept in the folder of the run,
    /// and the next call goes on with it.
    ///
    /// # Errors
    ///
    /// If the board has more than 32 squares, if the result is not known, or if the folder cannot be written to, holds
    /// damaged files or a false result: the first line with one is named.
    pub fn proof(
        &self,
        go_on: &(dyn Fn() -> bool + Sync),
        progress: &mut Progress<'_>,
    ) -> Result<Option<Vec<u8>>, ProvingError> {
        self.check_board()?;
        let unknown = || ProvingError::Unfit("who wins is not known".to_owned());
        let (position, wins) = (self.position(), self.result().ok_or_else(unknown)?);
        let io = FolderError::at("proof".as_ref());
        let threads = ThreadPoolBuilder::new().num_threads(self.threads()).build();
        let threads = threads.map_err(|error| io(std::io::Error::other(error)))?;
        let (prover, squares) = (self.prover(), Squares::new(position.geometry()));
        let writer = Writer { prover, squares, threads, kept: self.proof_path(), go_on };
        let known = self.begin_proof()?;
        let (mut kept, mut when) = (known.len(), Instant::now());
        let mut keep = |numbers: &[u16], layer: usize| {
            progress(numbers.len(), layer);
            if when.elapsed() < EXCHANGE {
                return Ok(());
            }
            self.keep_proof(&numbers[kept..], [numbers.len(), layer])?;
            (kept, when) = (numbers.len(), Instant::now());
            Ok(())
        };
        let (was_begun, mut doubted) = (!known.is_empty(), Vec::new());
        let numbers = writer.numbers(position, wins, known, &mut keep, &mut doubted);
        if matches!(numbers, Err(ProvingError::Unproven)) {
            let damaged = |what| FolderError::damaged(&self.proof_path(), what).into();
            return match self.first_false_line(&doubted, go_on)? {
                Some(error) => Err(error),
                None if !go_on() => Ok(None),
                None if was_begun => Err(damaged("its turns lead to a loss; without the file, it is written anew")),
                None => Err(ProvingError::Unproven),
            };
        }
        let rest = match &numbers {
            Ok(Some(numbers)) => self.keep_proof(&numbers[kept..], [numbers.len(), 0]),
            _ => Ok(()),
        };
        rest?;
        let Some(numbers) = numbers? else { return Ok(None) };
        let bytes = |shift: u32| numbers.iter().map(move |number| (number >> shift) as u8);
        let plain: Vec<u8> = bytes(0).chain(bytes(8)).collect();
        let packed = miniz_oxide::deflate::compress_to_vec_zlib(&plain, COMPRESSION);
        let header = Header { variant: self.variant().name(), fen: &position.fen(), wins, turns: numbers.len() };
        let file = whole(&FORMAT, &header, &packed);
        Ok(Some(file.map_err(io)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hippolyta::games::variant;

    #[test]
    fn turns_are_those_of_the_rules() {
        let position = Amazons::from_fen(&variant::find("amazons").unwrap(), "1q2/*q2/1Q2/4/3Q w").unwrap();
        let squares = Squares::new(position.geometry());
        let place = squares.place(&position);
        let mut count = 0;
        squares.turns(&place, |turn, next| {
            count += 1;
            assert_eq!(squares.after(&place, code(turn, false)), Some(Some(next)));
            assert_eq!(squares.after(&place, code(turn, true)), Some(None));
            assert_eq!(squares.place(&squares.position(&next)), next);
        });
        assert_eq!(count, position.count_turns(1));
        assert_eq!(squares.after(&place, 0), Some(None));
        // From an empty square, to and at one that is not empty, and from beyond the board.
        let [own, other, empty] = [place.own, place.other, place.empty].map(|set| ones(set).next().unwrap());
        for (from, to, at) in
            [(empty, empty, own), (own, other, empty), (own, empty, other), (squares.count, empty, own)]
        {
            assert_eq!(squares.after(&place, code((from * squares.count + to) * squares.count + at, false)), None);
        }
    }
}
