//! Positions and half-turns as numbers, for learning: planes, and one index for each half-turn.
//!
//! Everything is from the view of the side to move. Black sees the board turned by half a circle; all rules of all
//! families are the same after such a turn with the colours swapped. `hippolyta/encoding.py` documents the numbers.

use crate::board::{Board, move_object, side_object, winner_object};
use crate::boards::Boards;
use crate::errors::{check_numpy, find, move_error};
use crate::numbers::{index, shown, value_error, whole};
use crate::rules::variant_object;
use hippolyta::board::{Bitboard, Square};
use hippolyta::eval::amazons::shapes::owners::{Fate, Fates};
use hippolyta::eval::shapes::square_index;
use hippolyta::games::amazons::{Amazons, AmazonsRules};
use hippolyta::games::damone::{self, Damone, DamoneStep, Line, Rank};
use hippolyta::games::desdemona::DesdemonaRules;
use hippolyta::games::general::GeneralRules;
use hippolyta::games::move_fire::{Kind, MoveFire};
use hippolyta::games::variant::Variant;
use hippolyta::games::{MoveFireStep, Notation, Outcome, Position, Side, Step, StepKind, Steps, Symmetry, with_family};
use numpy::ndarray::{Array1, Array3};
use numpy::{IntoPyArray, PyArray1, PyArray3};
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString, PyType};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Files and ranks of a board, and of the planes that it is drawn on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    board: (usize, usize),
    /// Width and height of the planes, at least those of the board.
    planes: (usize, usize),
}

/// The eight directions of a queen, clockwise from straight ahead, as steps of file and rank.
const QUEEN: [(i32, i32); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
/// The direction of a queen, by three times the sign of a step's ranks plus the sign of its files, each from 0.
const TOWARDS: [usize; 9] = {
    let (mut towards, mut direction) = ([0; 9], 0);
    while direction < QUEEN.len() {
        let (dx, dy) = QUEEN[direction];
        towards[(3 * (dy + 1) + dx + 1) as usize] = direction;
        direction += 1;
    }
    towards
};
/// The eight leaps of a knight, clockwise from ahead on the right.
const KNIGHT: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
/// The four directions of Damone, clockwise from ahead on the right.
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
/// Different sets of pieces that captures between two squares can take. The squares that a capture reaches are eight
/// nodes with nine jumps between them, so the sets of jumps between two of them differ by one of 2² sets of cycles.
const CAPTURED: usize = 4;

impl Layout {
    /// `size` is the width and height of the planes; without it they are as large as the board.
    pub fn new(board: (usize, usize), size: Option<usize>) -> Result<Self, String> {
        let planes = size.map_or(board, |size| (size, size));
        if planes.0 < board.0 || planes.1 < board.1 || planes.0 > 64 {
            return Err(format!(
                "size {}: a number from {} to 64 is expected for a board of {} files and {} ranks",
                planes.0,
                board.0.max(board.1),
                board.0,
                board.1
            ));
        }
        Ok(Self { board, planes })
    }

    /// Files and ranks of the board.
    pub fn board(&self) -> (usize, usize) {
        self.board
    }

    /// The number of squares of a plane.
    pub fn squares(&self) -> usize {
        self.planes.0 * self.planes.1
    }

    /// The longest move of a queen.
    fn reach(&self) -> usize {
        self.planes.0.max(self.planes.1) - 1
    }

    /// File and rank as `side` sees them.
    fn seen(&self, square: Square, side: Side) -> (usize, usize) {
        match side {
            Side::White => (square.file(), square.rank()),
            Side::Black => (self.board.0 - 1 - square.file(), self.board.1 - 1 - square.rank()),
        }
    }

    /// A plane of who owns which squares in the end, as `side` sees it: 1 the side itself, -1 the other one, 0 nobody,
    /// and not a number where that was not decided.
    pub fn owners(&self, owned: &Owned, side: Side) -> Vec<f32> {
        let mut plane = vec![0.0; self.squares()];
        for (squares, owner) in
            [(owned.by[side.index()], 1.0), (owned.by[(!side).index()], -1.0), (owned.open, f32::NAN)]
        {
            squares.into_iter().for_each(|square| plane[self.place(square, side)] = owner);
        }
        plane
    }

    /// The index of a square on a plane.
    #[inline]
    fn place(&self, square: Square, side: Side) -> usize {
        let (row, (width, height)) = (self.planes.0, self.board);
        let place = square.rank() * row + square.file();
        match side {
            Side::White => place,
            Side::Black => (height - 1) * row + width - 1 - place,
        }
    }
}

/// Who owns squares in the end of a game.
#[derive(Default)]
pub struct Owned {
    /// Those of White and of Black.
    by: [Bitboard; 2],
    /// Those of which that was not decided yet.
    open: Bitboard,
}

/// A canvas of planes.
struct Canvas<'a> {
    layout: Layout,
    side: Side,
    planes: &'a mut [u8],
}

impl Canvas<'_> {
    fn set(&mut self, plane: usize, squares: impl IntoIterator<Item = Square>) {
        for square in squares {
            self.planes[plane * self.layout.squares() + self.layout.place(square, self.side)] = 1;
        }
    }

    /// Sets a plane to one number on all squares of the board.
    fn fill(&mut self, plane: usize, number: u8) {
        if number > 0 {
            let ((width, height), row) = (self.layout.board, self.layout.planes.0);
            let plane = &mut self.planes[plane * self.layout.squares()..];
            plane.chunks_exact_mut(row).take(height).for_each(|row| row[..width].fill(number));
        }
    }
}

/// How the positions and steps of a family become numbers.
pub trait Encoded: Notation {
    /// Names of the planes, in their order.
    const CHANNELS: &'static [&'static str];

    /// The number of planes that half-turns are numbered on.
    fn action_planes(layout: &Layout) -> usize;

    /// Whether the numbers of half-turns depend on nothing but each other under all symmetries of the rules.
    const REFLECTS: bool = true;

    /// The names of the planes of a position.
    fn channels(&self) -> &'static [&'static str] {
        Self::CHANNELS
    }

    /// Draws the position on planes of zeros.
    fn draw(&self, layout: Layout, planes: &mut [u8]);

    /// Appends all legal steps of a game that is known not to be over, with their numbers. Steps that lead to the same
    /// position may share a number.
    fn list(&self, layout: &Layout, into: &mut Vec<(u32, Self::Step)>);

    /// Who owns squares in the end of a game, by its positions before each turn and the last one.
    fn owned(_: &[Self]) -> Owned {
        Owned::default()
    }

    /// All legal steps with their numbers; none if the game is over.
    fn actions(&self, layout: &Layout) -> Vec<(u32, Self::Step)> {
        let mut actions = Vec::new();
        if !(self.at_turn_start() && self.outcome().is_some()) {
            self.list(layout, &mut actions);
        }
        actions
    }
}

/// The number of a step of a family that moves and fires.
#[inline(always)]
fn move_fire_number(layout: &Layout, side: Side, step: MoveFireStep) -> u32 {
    let (plane, square) = match step.kind() {
        StepKind::Fire { at } => (QUEEN.len() * layout.reach(), at),
        StepKind::Move { from, to } => {
            let forward = if side == Side::White { 1 } else { -1 };
            let dx = forward * (to.file() as i32 - from.file() as i32);
            let dy = forward * (to.rank() as i32 - from.rank() as i32);
            (move_plane(layout, (dx, dy)), from)
        }
    };
    (plane * layout.squares() + layout.place(square, side)) as u32
}

/// The plane of moves by so many files and ranks.
#[inline(always)]
fn move_plane(layout: &Layout, (dx, dy): (i32, i32)) -> usize {
    let reach = layout.reach();
    if (dx * dy).abs() == 2 {
        // Behind the plane of fires.
        QUEEN.len() * reach + 1 + KNIGHT.iter().position(|&leap| leap == (dx, dy)).unwrap_or(0)
    } else {
        let direction = TOWARDS[(3 * (dy.signum() + 1) + dx.signum() + 1) as usize];
        direction * reach + dx.abs().max(dy.abs()) as usize - 1
    }
}

/// The plane to which a symmetry moves the half-turns of a plane, in a family that moves and fires.
fn plane_image(layout: &Layout, symmetry: Symmetry, plane: usize) -> usize {
    let fires = QUEEN.len() * layout.reach();
    let (dx, dy) = match plane.checked_sub(fires + 1) {
        Some(leap) => KNIGHT[leap],
        None if plane == fires => return plane,
        None => {
            let ((dx, dy), distance) = (QUEEN[plane / layout.reach()], (plane % layout.reach() + 1) as i32);
            (distance * dx, distance * dy)
        }
    };
    // A symmetry moves all steps alike: as it moves those from one corner of four squares to the next.
    let corner = |file, rank| {
        let image = Square::at(file, rank).and_then(|square| symmetry.square(square, (2, 2)));
        image.map_or((0, 0), |image| (image.file() as i32, image.rank() as i32))
    };
    let ((x, y), (right_x, right_y), (up_x, up_y)) = (corner(0, 0), corner(1, 0), corner(0, 1));
    move_plane(layout, (dx * (right_x - x) + dy * (up_x - x), dx * (right_y - y) + dy * (up_y - y)))
}

/// A kind of rules of move and fire, as its positions and steps become numbers.
pub trait Drawn: Kind {
    /// Names of the planes, in their order: [`ARROWS`], or [`STONES`] where there are stones.
    const CHANNELS: &'static [&'static str];
    /// Planes of leaps behind the plane of fires.
    const LEAPS: usize = 0;

    /// As [`Encoded::owned`]: where there are stones, they tell.
    fn owned(game: &[MoveFire<Self>]) -> Owned {
        let end = game.last();
        let stones = |side| end.map_or(Bitboard::EMPTY, |end| end.stones(side));
        Owned { by: [stones(Side::White), stones(Side::Black)], open: Bitboard::EMPTY }
    }
}

const ARROWS: [&str; 5] = ["own amazons", "enemy amazons", "arrows", "about to fire", "board"];
const STONES: [&str; 8] = [
    "own amazons",
    "enemy amazons",
    "own stones",
    "enemy stones",
    "neutral stones",
    "about to fire",
    "turn without a shot",
    "board",
];
/// Where squares are protected, or pieces of the two sides go otherwise, or both.
const PROTECTED: [&str; 10] =
    before_board(before_board::<8, 9>(STONES, "protected from own shots"), "protected from enemy shots");
const SIDED: [&str; 9] = before_board(STONES, BLACK);
const PROTECTED_SIDED: [&str; 11] = before_board(PROTECTED, BLACK);
const BLACK: &str = "black to move";

/// These planes with one more before the last.
const fn before_board<const N: usize, const MORE: usize>(
    planes: [&'static str; N],
    name: &'static str,
) -> [&'static str; MORE] {
    let mut all = [name; MORE];
    let mut plane = 0;
    while plane + 1 < N {
        all[plane] = planes[plane];
        plane += 1;
    }
    all[N] = planes[N - 1];
    all
}

impl Drawn for AmazonsRules {
    const CHANNELS: &'static [&'static str] = &ARROWS;

    fn owned(game: &[Amazons]) -> Owned {
        let mut seen = Fates::default();
        game.iter().for_each(|position| seen.see(position));
        let Some(end) = game.last() else { return Owned::default() };
        let (geometry, fates) = (end.geometry(), seen.at_end(end));
        let having = |fate| -> Bitboard {
            let squares = geometry.squares().into_iter();
            squares.filter(|&square| fates[square_index(geometry, square)] == fate).collect()
        };
        let by = [Side::White, Side::Black].map(|side| having(Fate::Owned(side)));
        Owned { by, open: having(Fate::Open) }
    }
}

impl Drawn for DesdemonaRules {
    const CHANNELS: &'static [&'static str] = &STONES;
}

impl Drawn for GeneralRules {
    const CHANNELS: &'static [&'static str] = &STONES;
    const LEAPS: usize = KNIGHT.len();
}

impl<K: Drawn> Encoded for MoveFire<K> {
    const CHANNELS: &'static [&'static str] = K::CHANNELS;

    fn action_planes(layout: &Layout) -> usize {
        QUEEN.len() * layout.reach() + 1 + K::LEAPS
    }

    fn channels(&self) -> &'static [&'static str] {
        match (self.rules().is_protected(), self.rules().has_equal_sides()) {
            (false, true) => K::CHANNELS,
            (true, true) => &PROTECTED,
            (false, false) => &SIDED,
            (true, false) => &PROTECTED_SIDED,
        }
    }

    fn draw(&self, layout: Layout, planes: &mut [u8]) {
        let side = self.side_to_move();
        let has_stones = K::CHANNELS.len() == STONES.len();
        let last = self.channels().len() - 1;
        let mut canvas = Canvas { layout, side, planes };
        canvas.set(0, self.amazons(side));
        canvas.set(1, self.amazons(!side));
        let mut plane = 2;
        if has_stones {
            canvas.set(2, self.stones(side));
            canvas.set(3, self.stones(!side));
            canvas.fill(6, u8::from(self.move_only()));
            plane = 4;
        }
        canvas.set(plane, self.neutral());
        canvas.set(plane + 1, self.shooter());
        if self.rules().is_protected() {
            let squares = self.geometry().squares();
            canvas.set(plane + 3, self.rules().protected_from(side) & squares);
            canvas.set(plane + 4, self.rules().protected_from(!side) & squares);
        }
        if !self.rules().has_equal_sides() {
            canvas.fill(last - 1, u8::from(side == Side::Black));
        }
        canvas.fill(last, 1);
    }

    fn owned(game: &[Self]) -> Owned {
        K::owned(game)
    }

    fn list(&self, layout: &Layout, into: &mut Vec<(u32, MoveFireStep)>) {
        let side = self.side_to_move();
        let _ = self.for_each_step(|step| {
            into.push((move_fire_number(layout, side, step), step));
            ControlFlow::Continue(())
        });
    }
}

/// Steps of a capture, in jumps, from its first square to its last: its number among those that are possible.
fn offset(dx: i32, dy: i32) -> usize {
    // Of the 7 × 7 offsets every second one.
    ((dy + 3) * 7 + dx + 3) as usize / 2
}

impl Encoded for Damone {
    const CHANNELS: &'static [&'static str] = &[
        "own pedine",
        "own dame",
        "own damoni",
        "enemy pedine",
        "enemy dame",
        "enemy damoni",
        "quiet plies",
        "has repeated",
        "board",
    ];

    /// Captures between two squares are numbered in an order that a reflection does not keep.
    const REFLECTS: bool = false;

    fn action_planes(_: &Layout) -> usize {
        DIAGONAL.len() + 25 * CAPTURED
    }

    fn draw(&self, layout: Layout, planes: &mut [u8]) {
        let side = self.side_to_move();
        let mut canvas = Canvas { layout, side, planes };
        for (first, of) in [(0, side), (3, !side)] {
            for (plane, rank) in (first..).zip(Rank::ALL) {
                canvas.set(plane, self.board().of(of, rank).map(damone::square));
            }
        }
        canvas.fill(6, self.quiet().min(255) as u8);
        canvas.fill(7, u8::from(self.has_repeated()));
        // The dark squares of a board of 8 × 8; they are the same for both sides.
        let plane = &mut canvas.planes[8 * layout.squares()..];
        for (rank, row) in plane.chunks_exact_mut(layout.planes.0).take(8).enumerate() {
            row[..8].iter_mut().skip((rank + 1) % 2).step_by(2).for_each(|square| *square = 1);
        }
    }

    fn list(&self, layout: &Layout, into: &mut Vec<(u32, DamoneStep)>) {
        let side = self.side_to_move();
        let captures = if self.board().can_capture(side) { self.captures() } else { Vec::new() };
        let seen = |cell: usize| {
            let (x, y) = layout.seen(damone::square(cell), side);
            (x as i32, y as i32)
        };
        // The captured pieces as the mover sees them.
        let taken = |line: &Line| {
            line.captured.fold(0u64, |set, cell| {
                let (x, y) = seen(cell);
                set | 1 << (8 * y + x)
            })
        };
        let number = |step: DamoneStep| {
            let (plane, from) = if step.is_capture() {
                // The low bits of a capture's code are its number among the captures.
                let line = &captures[usize::from(step.code() & 0x7fff)];
                let ends = |line: &Line| (line.from(), line.to());
                let mut sets: Vec<u64> = captures.iter().filter(|other| ends(other) == ends(line)).map(taken).collect();
                sets.sort_unstable();
                sets.dedup();
                let which = sets.iter().position(|&set| set == taken(line)).unwrap_or(0);
                let ((x, y), (to_x, to_y)) = (seen(line.from()), seen(line.to()));
                (DIAGONAL.len() + offset((to_x - x) / 2, (to_y - y) / 2) * CAPTURED + which, line.from())
            } else {
                let (from, to) = step.cells();
                let ((x, y), (to_x, to_y)) = (seen(from), seen(to));
                (DIAGONAL.iter().position(|&unit| unit == (to_x - x, to_y - y)).unwrap_or(0), from)
            };
            (plane * layout.squares() + layout.place(damone::square(from), side)) as u32
        };
        let _ = self.for_each_step(|step| {
            into.push((number(step), step));
            ControlFlow::Continue(())
        });
    }
}

/// The shapes of planes and actions for a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shapes {
    pub layout: Layout,
    pub channels: &'static [&'static str],
    pub action_planes: usize,
}

impl Shapes {
    /// The shapes of a position of a family.
    pub fn of<P: Encoded>(position: &P, size: Option<usize>) -> Result<Self, String> {
        let layout = Layout::new(position.board_size(), size)?;
        Ok(Self { layout, channels: position.channels(), action_planes: P::action_planes(&layout) })
    }

    /// The shapes of a position.
    pub fn new(variant: &Variant, fen: &str, size: Option<usize>) -> Result<Self, String> {
        with_family!(variant, P => {
            let position = P::from_fen(variant, fen).map_err(|error| error.to_string())?;
            Self::of(&position, size)
        })
    }

    /// Channels, height and width of the planes of a position.
    pub fn planes(&self) -> [usize; 3] {
        [self.channels.len(), self.layout.planes.1, self.layout.planes.0]
    }

    /// The number of bytes of the planes.
    pub fn len(&self) -> usize {
        self.planes().iter().product()
    }

    /// The number of numbers for half-turns.
    pub fn actions(&self) -> usize {
        self.action_planes * self.layout.squares()
    }

    /// For each square of a plane the one to which a symmetry moves it; those beside the board stay.
    fn square_images(&self, symmetry: Symmetry) -> Vec<i64> {
        let (layout, row) = (&self.layout, self.layout.planes.0);
        let image = |place: usize| {
            let moved = symmetry.square(Square::at(place % row, place / row)?, layout.board)?;
            Some(layout.place(moved, Side::White))
        };
        (0..layout.squares()).map(|place| image(place).unwrap_or(place) as i64).collect()
    }

    /// For each half-turn the one to which a symmetry moves it.
    fn action_images(&self, symmetry: Symmetry) -> Vec<i64> {
        let squares = self.square_images(symmetry);
        let is_same = symmetry == Symmetry::ALL[0];
        let plane = |plane| if is_same { plane } else { plane_image(&self.layout, symmetry, plane) };
        let planes = (0..self.action_planes).map(|number| (plane(number) * squares.len()) as i64);
        planes.flat_map(|plane| squares.iter().map(move |square| plane + square)).collect()
    }
}

/// The width and height of planes that somebody wants; `Layout::new` says which a board allows.
pub fn size_of(size: Option<&Bound<'_, PyAny>>) -> PyResult<Option<usize>> {
    size.map(|size| whole("size", size, [1, 64])).transpose()
}

/// A function without arguments that makes an `Encoding` or a `State` anew.
fn made_anew<'py>(
    class: Bound<'py, PyType>,
    variant: &Variant,
    start: &str,
    size: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = class.py();
    let named = PyDict::new(py);
    named.set_item("fen", (start != variant.start()).then_some(start))?;
    named.set_item("size", size)?;
    py.import("functools")?.getattr("partial")?.call((class, variant_object(py, variant)?), Some(&named))
}

/// Shapes and names of the numbers that positions and half-turns of a rule set become.
///
/// `fen` tells the board, if it is not that of the rule set's start position; `size` is the width and height of the
/// planes, if they are to be larger than the board. `ValueError` if there is no such rule set, FEN or size. Two
/// encodings are equal if they give the same numbers of the same rule set. They can be keys, copied and pickled.
#[pyclass(module = "hippolyta.encoding", frozen)]
pub struct Encoding {
    variant: Variant,
    shapes: Shapes,
    /// The FEN that told the board, and the size that was asked for.
    start: Box<str>,
    size: Option<usize>,
}

impl Encoding {
    /// The encoding of the board that begins at `start`.
    pub fn of(variant: &Variant, shapes: Shapes, start: &str, size: Option<usize>) -> Self {
        Self { variant: variant.clone(), shapes, start: start.into(), size }
    }
}

/// Whether columns are mirrored, whether rows are flipped, and whether both are swapped then.
type Reflection = (bool, bool, bool);
/// Images of squares and of actions, by their numbers.
type Images<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>);

/// A symmetry as a reflection of columns and rows.
fn reflection(symmetry: Symmetry) -> Reflection {
    let image = |file, rank| Square::at(file, rank).and_then(|square| symmetry.square(square, (2, 2)));
    let (first, right) = (image(0, 0), image(1, 0));
    let swaps = first.map(Square::file) == right.map(Square::file);
    let (file, rank) = first.map_or((0, 0), |square| (square.file(), square.rank()));
    // The first column goes where the swap takes it.
    if swaps { (rank == 1, file == 1, true) } else { (file == 1, rank == 1, false) }
}

#[pymethods]
impl Encoding {
    #[new]
    #[pyo3(signature = (variant = "amazons", *, fen = None, size = None))]
    fn new(variant: &str, fen: Option<&str>, size: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let variant = &find(variant)?;
        let (start, size) = (fen.unwrap_or(variant.start()), size_of(size)?);
        let shapes = Shapes::new(variant, start, size).map_err(value_error)?;
        Ok(Self { variant: variant.clone(), shapes, start: start.into(), size })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, ())> {
        Ok((made_anew(py.get_type::<Self>(), &self.variant, &self.start, self.size)?, ()))
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> Py<PyAny> {
        match other.cast::<Self>() {
            Ok(other) => {
                let other = other.get();
                let same = self.variant == other.variant && self.shapes == other.shapes;
                PyBool::new(py, same).to_owned().into_any().unbind()
            }
            Err(_) => py.NotImplemented(),
        }
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.variant.name(), self.shapes).hash(&mut hasher);
        hasher.finish()
    }

    /// The rule set's name, or `Rules` for one's own.
    #[getter]
    fn variant<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        variant_object(py, &self.variant)
    }

    /// The name of each channel.
    #[getter]
    fn channels(&self) -> Vec<&'static str> {
        self.shapes.channels.to_vec()
    }

    /// Channels, height and width of the planes.
    #[getter]
    fn shape(&self) -> (usize, usize, usize) {
        let [channels, height, width] = self.shapes.planes();
        (channels, height, width)
    }

    /// Height and width of the board, which stands in the first rows and columns of the planes.
    #[getter]
    fn board(&self) -> (usize, usize) {
        let (width, height) = self.shapes.layout.board();
        (height, width)
    }

    /// Planes, height and width of the actions: an action is an index of such an array, flattened.
    #[getter]
    fn action_shape(&self) -> (usize, usize, usize) {
        let [_, height, width] = self.shapes.planes();
        (self.shapes.action_planes, height, width)
    }

    /// The number of actions, legal or not.
    #[getter]
    fn actions(&self) -> usize {
        self.shapes.actions()
    }

    /// The reflections under which the rules stay the same, the one that changes nothing first: whether columns are
    /// mirrored and rows flipped, and whether both are swapped then.
    fn _reflections(&self) -> Vec<Reflection> {
        let (board, planes) = (self.shapes.layout.board, self.shapes.layout.planes);
        let mut symmetries = self.variant.symmetries(board);
        if !with_family!(self.variant, P => P::REFLECTS) {
            symmetries.truncate(1);
        }
        let reflections = symmetries.into_iter().map(reflection);
        let mut kept: Vec<_> =
            reflections.filter(|&(.., swaps)| !swaps || board.0 == board.1 && planes.0 == planes.1).collect();
        kept.sort_unstable_by_key(|&(mirrors, flips, swaps)| (swaps, flips, mirrors));
        kept
    }

    /// The images of the squares of a plane, and those of the actions. Needs NumPy.
    fn _images<'py>(&self, py: Python<'py>, wanted: Reflection) -> PyResult<Images<'py>> {
        check_numpy(py)?;
        let symmetry = Symmetry::ALL.into_iter().find(|&symmetry| reflection(symmetry) == wanted);
        let symmetry = symmetry.filter(|_| self._reflections().contains(&wanted));
        let symmetry = symmetry.ok_or_else(|| value_error("the rules do not stay the same under this reflection"))?;
        let images = |images| PyArray1::from_vec(py, images);
        Ok((images(self.shapes.square_images(symmetry)), images(self.shapes.action_images(symmetry))))
    }

    fn __repr__(&self) -> String {
        format!("Encoding('{}', shape={:?}, actions={})", self.variant.name(), self.shape(), self.actions())
    }
}

/// A [`State`] whose type of positions is forgotten.
trait AnyState: Send + Sync {
    fn boxed_clone(&self) -> Box<dyn AnyState>;
    fn side(&self) -> Side;
    fn at_turn_start(&self) -> bool;
    fn outcome(&self) -> Option<Outcome>;
    fn key(&self) -> u64;
    fn fen(&self) -> Option<String>;
    fn begun(&self) -> String;
    /// The board at the start of the turn, which knows what has repeated, and the codes of the steps since then.
    fn place(&self, variant: &Variant) -> (hippolyta::engine::Board, Vec<u16>);
    fn diagram(&self) -> String;
    fn actions(&self) -> Vec<u32>;
    fn text(&self, action: u32) -> Option<String>;
    fn number(&self, text: &str) -> Option<u32>;
    /// Plays the half-turn with this number, and returns the code of its step.
    fn play(&mut self, action: u32) -> Option<u16>;
    /// Plays the step with this code.
    fn play_code(&mut self, code: u16) -> Option<()>;
    /// Goes back to where the game began and plays the steps with these codes, which were legal.
    fn replay(&mut self, codes: &[u16]);
    /// The turns that steps with these codes make, from where the game began; one that is not whole is left out.
    fn turns(&self, codes: &[u16]) -> Vec<String>;
    /// Plays a whole turn, and returns its usual spelling and the codes of its steps.
    fn push(&mut self, turn: &str) -> Result<(String, Vec<u16>), String>;
    fn draw(&self, planes: &mut [u8]);
}

#[derive(Clone)]
struct At<P: Position> {
    layout: Layout,
    /// Where the game began.
    first: Arc<P>,
    /// The position at the start of the turn.
    start: P,
    /// The steps since then.
    begun: Steps<P>,
    position: P,
}

impl<P: Encoded> At<P> {
    /// A position at the start of a turn.
    fn new(layout: Layout, position: P) -> Self {
        Self { layout, first: Arc::new(position.clone()), start: position.clone(), begun: Steps::<P>::new(), position }
    }

    fn step(&self, action: u32) -> Option<P::Step> {
        self.position.actions(&self.layout).into_iter().find(|&(number, _)| number == action).map(|(_, step)| step)
    }

    /// Notes a step that was played.
    fn played(&mut self, step: P::Step) {
        if self.position.at_turn_start() {
            self.begun.clear();
            self.start = self.position.clone();
        } else {
            self.begun.push(step);
        }
    }

    /// The turn so far with one more step.
    fn with(&self, step: P::Step) -> String {
        let mut turn = self.begun.clone();
        turn.push(step);
        self.start.turn_text(&turn)
    }
}

impl<P: Encoded> AnyState for At<P> {
    fn boxed_clone(&self) -> Box<dyn AnyState> {
        Box::new(self.clone())
    }

    fn side(&self) -> Side {
        self.position.side_to_move()
    }

    fn at_turn_start(&self) -> bool {
        self.position.at_turn_start()
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.at_turn_start() { self.position.outcome() } else { None }
    }

    fn key(&self) -> u64 {
        self.position.key()
    }

    fn fen(&self) -> Option<String> {
        self.at_turn_start().then(|| self.position.fen())
    }

    fn begun(&self) -> String {
        if self.begun.is_empty() { String::new() } else { self.start.turn_text(&self.begun) }
    }

    fn place(&self, variant: &Variant) -> (hippolyta::engine::Board, Vec<u16>) {
        let board = hippolyta::engine::Board::at_position(variant, self.start.clone());
        (board, self.begun.iter().map(|step| step.code()).collect())
    }

    fn diagram(&self) -> String {
        self.position.diagram()
    }

    fn actions(&self) -> Vec<u32> {
        let mut numbers: Vec<u32> = self.position.actions(&self.layout).into_iter().map(|(number, _)| number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    fn text(&self, action: u32) -> Option<String> {
        self.step(action).map(|step| self.with(step))
    }

    fn number(&self, text: &str) -> Option<u32> {
        let mut actions = self.position.actions(&self.layout).into_iter();
        actions.find(|&(_, step)| self.with(step) == text).map(|(number, _)| number)
    }

    fn play(&mut self, action: u32) -> Option<u16> {
        let step = self.step(action)?;
        self.position.play(step);
        self.played(step);
        Some(step.code())
    }

    fn play_code(&mut self, code: u16) -> Option<()> {
        let step = play_code(&mut self.position, code)?;
        self.played(step);
        Some(())
    }

    fn replay(&mut self, codes: &[u16]) {
        self.position.clone_from(&self.first);
        self.start.clone_from(&self.first);
        self.begun.clear();
        for &code in codes {
            let step = P::Step::from_code(code);
            self.position.play(step);
            self.played(step);
        }
    }

    fn turns(&self, codes: &[u16]) -> Vec<String> {
        let mut at = Self::new(self.layout, P::clone(&self.first));
        let mut turns = Vec::new();
        for &code in codes {
            let step = P::Step::from_code(code);
            let turn = at.with(step);
            at.position.play(step);
            at.played(step);
            if at.at_turn_start() {
                turns.push(turn);
            }
        }
        turns
    }

    fn push(&mut self, turn: &str) -> Result<(String, Vec<u16>), String> {
        if !self.at_turn_start() {
            return Err(format!("'{turn}' is a whole turn, but {} has begun", self.begun()));
        }
        let steps = self.position.parse_turn(turn).map_err(|error| error.to_string())?;
        let text = self.position.turn_text(&steps);
        steps.iter().for_each(|&step| self.position.play(step));
        self.start = self.position.clone();
        Ok((text, steps.iter().map(|step| step.code()).collect()))
    }

    fn draw(&self, planes: &mut [u8]) {
        self.position.draw(self.layout, planes);
    }
}

/// A position between two half-turns, with half-turns as numbers. It begins at `fen`, or at the start of the rule set.
/// In place of the rule set's name it takes a `Board`, with the turns that were played there.
///
/// >>> from hippolyta import Board
/// >>> board = Board("amazons6")
/// >>> board.push("b1b4,b4c4")
/// 'b1b4,b4c4'
/// >>> state = State(board)
/// >>> state.undo()
/// >>> state.begun, state.action_text(state.action_of("b1b4,b4c4"))
/// ('b1b4', 'b1b4,b4c4')
///
/// `size` is the width and height of the planes, if they are to be larger than the board. `ValueError` if there is no
/// such rule set, FEN or size, and if there is a FEN beside a board. Two states are equal if the same half-turns were
/// played from the same position, and their numbers are the same. States can be copied and pickled; they change, so
/// they cannot be keys of a dictionary.
#[pyclass(module = "hippolyta.encoding")]
pub struct State {
    variant: Variant,
    shapes: Shapes,
    /// Where it began, in the usual spelling, and the size that was asked for.
    start: Arc<str>,
    size: Option<usize>,
    /// The codes of all steps since then: a position alone does not know what has repeated.
    played: Vec<u16>,
    at: Box<dyn AnyState>,
}

impl State {
    /// The state after the steps of these codes.
    pub fn after(variant: &Variant, fen: &str, size: Option<usize>, played: &[u16]) -> PyResult<Self> {
        let shapes = Shapes::new(variant, fen, size).map_err(value_error)?;
        let layout = shapes.layout;
        let (start, at): (String, Box<dyn AnyState>) = with_family!(variant, P => {
            let position = P::from_fen(variant, fen).map_err(value_error)?;
            (position.fen(), Box::new(At::new(layout, position)))
        });
        let mut state = Self { variant: variant.clone(), shapes, start: start.into(), size, played: Vec::new(), at };
        state.play_codes(played)?;
        Ok(state)
    }

    fn begun_at(variant: &str, fen: Option<&str>, size: Option<usize>) -> PyResult<Self> {
        let variant = &find(variant)?;
        Self::after(variant, fen.unwrap_or(variant.start()), size, &[])
    }

    /// The board at the start of the turn, which knows what has repeated, and the codes of the steps since then.
    pub fn place(&self) -> (hippolyta::engine::Board, Vec<u16>) {
        self.at.place(&self.variant)
    }

    fn play_codes(&mut self, codes: &[u16]) -> PyResult<()> {
        for &code in codes {
            self.at.play_code(code).ok_or_else(|| value_error("the half-turns of this state are not legal"))?;
            self.played.push(code);
        }
        Ok(())
    }
}

/// The codes of all steps of a game.
fn codes(board: &hippolyta::engine::Board) -> Vec<u16> {
    let turns = with_family!(board.variant(), P => {
        let code = |step: &<P as Position>::Step| step.code();
        board.game::<P>().map(|game| game.turns().iter().flatten().map(code).collect())
    });
    turns.unwrap_or_default()
}

#[pymethods]
impl State {
    #[new]
    #[pyo3(signature = (variant = None, *, fen = None, size = None))]
    #[pyo3(text_signature = "(variant='amazons', *, fen=None, size=None)")]
    fn new(variant: Option<&Bound<'_, PyAny>>, fen: Option<&str>, size: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let size = size_of(size)?;
        let Some(variant) = variant else { return Self::begun_at("amazons", fen, size) };
        if let Ok(name) = variant.cast::<PyString>() {
            return Self::begun_at(name.to_str()?, fen, size);
        }
        let Ok(board) = variant.cast::<Board>() else {
            let kind = variant.get_type().name()?;
            return Err(PyTypeError::new_err(format!("variant: a rule set's name or a Board is expected, not {kind}")));
        };
        if fen.is_some() {
            return Err(value_error("fen: the board tells where the game began"));
        }
        let board = &board.try_borrow()?.board;
        Self::after(board.variant(), &board.start_fen(), size, &codes(board))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (), Vec<u16>)> {
        Ok((made_anew(py.get_type::<Self>(), &self.variant, &self.start, self.size)?, (), self.played.clone()))
    }

    fn __setstate__(&mut self, played: Vec<u16>) -> PyResult<()> {
        self.play_codes(&played)
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let Ok(other) = other.cast::<Self>() else { return Ok(py.NotImplemented()) };
        let other = other.try_borrow()?;
        let is_of_same_kind = self.variant == other.variant && self.shapes == other.shapes;
        let same = is_of_same_kind && self.start == other.start && self.played == other.played;
        Ok(PyBool::new(py, same).to_owned().into_any().unbind())
    }

    #[classattr]
    #[pyo3(name = "__hash__")]
    fn hash() -> Option<i32> {
        None
    }

    /// The rule set's name, or `Rules` for one's own.
    #[getter]
    fn variant<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        variant_object(py, &self.variant)
    }

    /// The side to move. It stays the same in the middle of a turn.
    #[getter]
    fn turn<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyAny>> {
        side_object(py, self.at.side())
    }

    /// Whether no half-turn of this turn has been played.
    #[getter]
    fn at_turn_start(&self) -> bool {
        self.at.at_turn_start()
    }

    /// The turn so far, as `d1d7`; empty at its start.
    #[getter]
    fn begun(&self) -> String {
        self.at.begun()
    }

    /// Who has won; `None` after a draw, and while the game goes on.
    #[getter]
    fn winner<'py>(&self, py: Python<'py>) -> PyResult<Option<&Bound<'py, PyAny>>> {
        self.at.outcome().map_or(Ok(None), |outcome| winner_object(py, outcome))
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.at.outcome().is_some()
    }

    /// Returns of White and Black: 1 and -1 if White has won, -1 and 1 if Black has, 0 and 0 after a draw and while the
    /// game goes on.
    fn returns(&self) -> (f64, f64) {
        match self.at.outcome() {
            Some(Outcome::Win(Side::White)) => (1.0, -1.0),
            Some(Outcome::Win(Side::Black)) => (-1.0, 1.0),
            Some(Outcome::Draw) | None => (0.0, 0.0),
        }
    }

    /// The Zobrist key, 64 bits. Whether a turn has begun is part of it.
    #[getter]
    fn key(&self) -> u64 {
        self.at.key()
    }

    /// The FEN. `ValueError` in the middle of a turn.
    fn fen(&self) -> PyResult<String> {
        self.at.fen().ok_or_else(|| value_error("in the middle of a turn there is no FEN"))
    }

    /// The legal actions in increasing order; none if the game is over.
    fn legal_actions(&self) -> Vec<u32> {
        self.at.actions()
    }

    /// The turn as far as it goes with this action: `d1d7` for a move, `d1d7,d7g7` for the fire after it. `IndexError` if
    /// it is not legal.
    fn action_text(&self, action: &Bound<'_, PyAny>) -> PyResult<String> {
        let text = index("action", action)?.and_then(|number| self.at.text(number));
        text.ok_or_else(|| illegal(action))
    }

    /// The action that leads to this text, spelled as `action_text` spells it. `ValueError` if there is none.
    fn action_of(&self, text: &str) -> PyResult<u32> {
        self.at.number(text).ok_or_else(|| value_error(format!("'{text}' is no legal half-turn here")))
    }

    /// Plays a half-turn. `IndexError` if it is not legal; then nothing changes.
    fn play(&mut self, action: &Bound<'_, PyAny>) -> PyResult<()> {
        let played = index("action", action)?.and_then(|number| self.at.play(number));
        self.played.push(played.ok_or_else(|| illegal(action))?);
        Ok(())
    }

    /// Takes the last half-turn back. `IndexError` if none has been played. It plays the others again: a
    /// few microseconds, some times as long as a copy takes.
    fn undo(&mut self) -> PyResult<()> {
        self.played.pop().ok_or_else(|| PyIndexError::new_err("no half-turn has been played"))?;
        self.at.replay(&self.played);
        Ok(())
    }

    /// Plays a whole turn, in any spelling, and returns it as a `Move`, in its usual one. `MoveError` if it is not legal,
    /// or if a turn has begun; then nothing changes.
    fn push<'py>(&mut self, py: Python<'py>, turn: &str) -> PyResult<Bound<'py, PyAny>> {
        let (text, codes) = self.at.push(turn).map_err(move_error)?;
        self.played.extend(codes);
        move_object(py, text)
    }

    /// A `Board` with the whole turns that were played; the half-turns of one that has begun, `begun`, are left out.
    fn board(&self) -> PyResult<Board> {
        let board = hippolyta::engine::Board::after(&self.variant, &self.start, &self.at.turns(&self.played));
        board.map(Board::of).map_err(value_error)
    }

    /// A state of its own with the same position.
    fn copy(&self) -> Self {
        let Self { shapes, size, .. } = *self;
        let (variant, start, played) = (self.variant.clone(), self.start.clone(), self.played.clone());
        Self { variant, shapes, start, size, played, at: self.at.boxed_clone() }
    }

    fn __copy__(&self) -> Self {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.copy()
    }

    /// The position from the view of the side to move, an array of `Encoding.shape`, 8 bits without sign. Needs NumPy.
    fn planes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<u8>>> {
        check_numpy(py)?;
        let mut planes = vec![0; self.shapes.len()];
        self.at.draw(&mut planes);
        Ok(Array3::from_shape_vec(self.shapes.planes(), planes).map_err(value_error)?.into_pyarray(py))
    }

    /// 1 for each legal action, an array of `Encoding.actions` numbers of 8 bits with sign. Needs NumPy.
    fn mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        check_numpy(py)?;
        let mut mask = Array1::zeros(self.shapes.actions());
        self.at.actions().into_iter().for_each(|action| mask[action as usize] = 1);
        Ok(mask.into_pyarray(py))
    }

    fn __str__(&self) -> String {
        self.at.diagram()
    }

    fn __repr__(&self) -> String {
        let at = self.at.fen().unwrap_or_else(|| format!("after {}", self.at.begun()));
        format!("<State {} {at}>", self.variant.name())
    }
}

fn illegal(action: &Bound<'_, PyAny>) -> PyErr {
    PyIndexError::new_err(format!("action {} is not legal here", shown(action)))
}

/// Plays the step with this code and returns it; `None` if it is illegal.
pub fn play_code<P: Position>(position: &mut P, code: u16) -> Option<P::Step> {
    let step = P::Step::from_code(code);
    let is = |known| if known == step { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    if position.at_turn_start() && position.outcome().is_some() || position.for_each_step(is).is_continue() {
        return None;
    }
    position.play(step);
    Some(step)
}

pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Encoding>()?;
    module.add_class::<Boards>()?;
    module.add_class::<State>()
}
