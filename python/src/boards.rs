//! Many boards at once, for learning: each call plays on all of them, draws them or lists what is legal, on some
//! threads. Each board has its own source of chance, so results do not depend on the number of threads.

use crate::arrays::{filled, whole_numbers};
use crate::encoding::{Encoded, Encoding, Layout, Shapes, State, size_of};
use crate::errors::{check_numpy, find};
use crate::numbers::{bounds, value_error, whole};
use crate::rules::variant_object;
use hippolyta::games::variant::Variant;
use hippolyta::games::{Notation, Outcome, Side, Step, with_family};
use numpy::{PyArray1, PyArray2, PyArray4, PyArrayMethods};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};

/// Boards of one object.
const MOST: u64 = 1 << 20;
/// Mixed into the seed for each board.
const SALT: u64 = 0x9e37_79b9_7f4a_7c15;
/// In place of an action: nothing is played.
const NONE: i64 = -1;

/// Two arrays of one length.
type Pair<'py, A, B> = (Bound<'py, PyArray1<A>>, Bound<'py, PyArray1<B>>);

/// The steps of a half-turn or of a whole turn.
type Chosen<S> = [Option<S>; 2];

/// One of the boards.
struct Row<P: Encoded> {
    position: P,
    /// The codes of all steps since the start: a position alone does not know what has repeated.
    played: Vec<u16>,
    /// Legal steps by their numbers, in increasing order.
    legal: Vec<(u32, P::Step)>,
    /// Legal steps after the first half of a turn, while a whole turn is looked at.
    second: Vec<(u32, P::Step)>,
    random: Xoshiro256PlusPlus,
}

/// Puts all legal steps of a game that is not over into `legal` by their numbers, each number once: the first that has
/// it, as `State` plays it. The list keeps its memory: threads that allocate wait for each other.
fn list<P: Encoded>(position: &P, layout: &Layout, legal: &mut Vec<(u32, P::Step)>) {
    legal.clear();
    position.list(layout, legal);
    let numbers = P::action_planes(layout) * layout.squares();
    ORDER.with_borrow_mut(|order| order.sort(legal, numbers));
}

thread_local! {
    static ORDER: RefCell<Order> = RefCell::default();
}

/// Sorts steps by numbers that are not large: it marks them in a set and reads the set, in six tenths of the time of a
/// sort.
#[derive(Default)]
struct Order {
    /// A bit for each number; all are 0 between two sorts.
    marked: Vec<u64>,
    /// A bit for each word of `marked` that is not 0.
    begun: Vec<u64>,
    /// The code of the step of each number that is marked.
    codes: Vec<u16>,
}

impl Order {
    /// Sorts steps whose numbers are below `numbers`. Of those that share a number the first stays.
    fn sort<S: Step>(&mut self, steps: &mut Vec<(u32, S)>, numbers: usize) {
        let blocks = numbers.div_ceil(4096);
        if self.begun.len() < blocks {
            self.marked.resize(64 * blocks, 0);
            self.begun.resize(blocks, 0);
            self.codes.resize(4096 * blocks, 0);
        }
        let Self { marked, begun, codes } = self;
        for &(number, step) in steps.iter() {
            let (word, bit) = (number as usize / 64, 1 << (number % 64));
            if marked[word] & bit == 0 {
                marked[word] |= bit;
                begun[word / 64] |= 1 << (word % 64);
                codes[number as usize] = step.code();
            }
        }
        steps.clear();
        for (block, words) in begun[..blocks].iter_mut().enumerate() {
            while *words != 0 {
                let word = 64 * block + words.trailing_zeros() as usize;
                *words &= *words - 1;
                let mut bits = std::mem::take(&mut marked[word]);
                while bits != 0 {
                    let number = 64 * word + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    steps.push((number as u32, S::from_code(codes[number])));
                }
            }
        }
    }
}

fn step_with<S: Step>(legal: &[(u32, S)], action: i64) -> Option<S> {
    let action = u32::try_from(action).ok()?;
    legal.binary_search_by_key(&action, |known| known.0).ok().map(|at| legal[at].1)
}

impl<P: Encoded> Row<P> {
    fn new(start: &P, layout: &Layout, seed: u64) -> Self {
        let random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (position, legal, second) = (start.clone(), Vec::new(), Vec::new());
        let mut row = Self { position, played: Vec::new(), legal, second, random };
        row.begin(start, layout);
        row
    }

    fn begin(&mut self, start: &P, layout: &Layout) {
        self.position.clone_from(start);
        self.played.clear();
        self.list(self.outcome(), layout);
    }

    fn list(&mut self, outcome: Option<Outcome>, layout: &Layout) {
        self.legal.clear();
        if outcome.is_none() {
            list(&self.position, layout, &mut self.legal);
        }
    }

    /// Lists the second halves of a turn that begins with this step; false if it has none.
    fn list_second(&mut self, first: P::Step, layout: &Layout) -> bool {
        let mut position = self.position.clone();
        position.play(first);
        let is_half = !position.at_turn_start();
        if is_half {
            list(&position, layout, &mut self.second);
        }
        is_half
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.position.at_turn_start() { self.position.outcome() } else { None }
    }

    /// The steps with these numbers: of a half-turn, or of a whole turn if there are two. `None` if they are not legal.
    fn chosen(&mut self, actions: &[i64], layout: &Layout) -> Option<Chosen<P::Step>> {
        let &[first, ref rest @ ..] = actions else { return None };
        if first == NONE {
            return (self.legal.is_empty() && rest.iter().all(|&more| more == NONE)).then_some([None; 2]);
        }
        let step = step_with(&self.legal, first)?;
        let &[second] = rest else { return Some([Some(step), None]) };
        if !self.position.at_turn_start() {
            return None;
        }
        if !self.list_second(step, layout) {
            return (second == NONE).then_some([Some(step), None]);
        }
        let next = step_with(&self.second, second)?;
        Some([Some(step), Some(next)])
    }

    /// Plays these steps. The reward is that of the side that has moved; with it, whether the game is over.
    fn play(&mut self, chosen: Chosen<P::Step>, layout: &Layout) -> (f32, bool) {
        if chosen == [None; 2] {
            // It was over before.
            return (0.0, true);
        }
        let mover = self.position.side_to_move();
        for step in chosen.into_iter().flatten() {
            self.position.play(step);
            self.played.push(step.code());
        }
        let outcome = self.outcome();
        self.list(outcome, layout);
        match outcome {
            Some(Outcome::Win(side)) => (if side == mover { 1.0 } else { -1.0 }, true),
            Some(Outcome::Draw) => (0.0, true),
            None => (0.0, false),
        }
    }

    fn draw_lots(&mut self, actions: &mut [i64], layout: &Layout) {
        actions.fill(NONE);
        let Some((first, step)) = drawn(&self.legal, &mut self.random) else { return };
        actions[0] = first.into();
        if let [_, second] = actions
            && self.list_second(step, layout)
            && let Some((next, _)) = drawn(&self.second, &mut self.random)
        {
            *second = next.into();
        }
    }
}

/// One of these by lot, each as likely.
fn drawn<T: Copy>(from: &[T], random: &mut Xoshiro256PlusPlus) -> Option<T> {
    (!from.is_empty()).then(|| from[random.random_range(0..from.len())])
}

/// The threads of a `Boards`: that of the caller, and others that wait for work between two calls.
struct Crew {
    threads: usize,
    /// The others. None before their first use, and in a process that was forked since.
    pool: Option<(u32, ThreadPool)>,
}

impl Crew {
    fn new(threads: usize) -> Self {
        Self { threads, pool: None }
    }

    /// The other threads; none if the system refuses them.
    fn others(&mut self) -> Option<&ThreadPool> {
        let process = std::process::id();
        if self.pool.as_ref().is_some_and(|(of, _)| *of != process) {
            // Its threads stayed behind in the other process; to end them would wait for ever.
            std::mem::forget(self.pool.take());
        }
        if self.pool.is_none() {
            let name = |number| format!("boards {number}");
            let made = ThreadPoolBuilder::new().num_threads(self.threads - 1).thread_name(name).build();
            self.pool = made.ok().map(|pool| (process, pool));
        }
        self.pool.as_ref().map(|(_, pool)| pool)
    }

    /// Does the work of all parts. Each thread takes the next part that is left; the caller's begins at once, so short
    /// work does not wait until the others are awake.
    fn do_all<T: Send>(&mut self, parts: impl ExactSizeIterator<Item = T> + Send, work: impl Fn(T) + Sync) {
        // Who would find no part is not woken.
        let helpers = self.threads.min(parts.len()).saturating_sub(1);
        let parts = Mutex::new(parts);
        let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
        let help = || {
            while let Some(part) = next() {
                work(part);
            }
        };
        let others = if helpers > 0 { self.others() } else { None };
        match others {
            Some(pool) => pool.in_place_scope(|scope| {
                (0..helpers).for_each(|_| scope.spawn(|_| help()));
                help();
            }),
            None => help(),
        }
    }

    /// The number of rows in a part: each thread has several parts, so that all end together.
    fn share(&self, rows: usize) -> usize {
        if self.threads == 1 { rows.max(1) } else { rows.div_ceil(8 * self.threads).max(1) }
    }

    /// Does `work` on all rows, each with its part of an array.
    fn each<R: Send, T: Send>(&mut self, rows: &mut [R], array: &mut [T], work: impl Fn(&mut R, &mut [T]) + Sync) {
        let (width, share) = (array.len() / rows.len(), self.share(rows.len()));
        let parts = rows.chunks_mut(share).zip(array.chunks_mut(share * width));
        self.do_all(parts, |(rows, array)| {
            rows.iter_mut().zip(array.chunks_exact_mut(width)).for_each(|(row, part)| work(row, part));
        });
    }
}

/// The rows, whose type of positions is forgotten.
trait AnyBoards: Send + Sync {
    fn observe(&mut self, crew: &mut Crew, planes: &mut [u8]);
    fn mask(&mut self, crew: &mut Crew, mask: &mut [i8]);
    /// How many actions are legal on all boards together.
    fn legal_count(&self) -> usize;
    /// Writes the row and the number of each legal action.
    fn legal(&self, crew: &mut Crew, numbers: &mut [i64], actions: &mut [i64]);
    fn draw_lots(&mut self, crew: &mut Crew, actions: &mut [i64]);
    /// Plays one or two actions a row. If one is not legal its row is told, and nothing is played.
    fn step(&mut self, crew: &mut Crew, actions: &[i64], begins_anew: bool) -> Result<Vec<(f32, bool)>, usize>;
    fn begin(&mut self, row: usize);
    fn side(&self, row: usize) -> Side;
    fn at_turn_start(&self, row: usize) -> bool;
    fn fen(&self, row: usize) -> Option<String>;
    fn played(&self, row: usize) -> &[u16];
}

struct Rows<P: Encoded> {
    layout: Layout,
    /// Where each row begins; one for all if it is the same.
    starts: Vec<P>,
    rows: Vec<Row<P>>,
}

impl<P: Encoded> Rows<P> {
    fn new(layout: Layout, starts: Vec<P>, count: usize, seed: u64) -> Self {
        let seed_of = |row: usize| seed ^ (row as u64 + 1).wrapping_mul(SALT);
        let rows = (0..count).map(|row| Row::new(&starts[row % starts.len()], &layout, seed_of(row))).collect();
        Self { layout, starts, rows }
    }
}

impl<P: Encoded> AnyBoards for Rows<P> {
    fn observe(&mut self, crew: &mut Crew, planes: &mut [u8]) {
        let layout = self.layout;
        crew.each(&mut self.rows, planes, |row, planes| {
            planes.fill(0);
            row.position.draw(layout, planes);
        });
    }

    fn mask(&mut self, crew: &mut Crew, mask: &mut [i8]) {
        crew.each(&mut self.rows, mask, |row, mask| {
            mask.fill(0);
            row.legal.iter().for_each(|&(action, _)| mask[action as usize] = 1);
        });
    }

    fn legal_count(&self) -> usize {
        self.rows.iter().map(|row| row.legal.len()).sum()
    }

    fn legal(&self, crew: &mut Crew, mut numbers: &mut [i64], mut actions: &mut [i64]) {
        let (share, mut parts, mut first) = (crew.share(self.rows.len()), Vec::new(), 0);
        for rows in self.rows.chunks(share) {
            let count = rows.iter().map(|row| row.legal.len()).sum();
            let (own_numbers, own_actions);
            (own_numbers, numbers) = numbers.split_at_mut(count);
            (own_actions, actions) = actions.split_at_mut(count);
            parts.push((first, rows, own_numbers, own_actions));
            first += rows.len();
        }
        let write = |(first, rows, mut numbers, mut actions): (usize, &[Row<P>], &mut [i64], &mut [i64])| {
            for (number, row) in (first..).zip(rows) {
                let (own_numbers, own_actions);
                (own_numbers, numbers) = numbers.split_at_mut(row.legal.len());
                (own_actions, actions) = actions.split_at_mut(row.legal.len());
                own_numbers.fill(number as i64);
                own_actions.iter_mut().zip(&row.legal).for_each(|(to, &(action, _))| *to = action.into());
            }
        };
        crew.do_all(parts.into_iter(), write);
    }

    fn draw_lots(&mut self, crew: &mut Crew, actions: &mut [i64]) {
        let layout = self.layout;
        crew.each(&mut self.rows, actions, |row, actions| row.draw_lots(actions, &layout));
    }

    fn step(&mut self, crew: &mut Crew, actions: &[i64], begins_anew: bool) -> Result<Vec<(f32, bool)>, usize> {
        let Self { layout, starts, rows } = self;
        let width = actions.len() / rows.len();
        let mut chosen = vec![None; rows.len()];
        let mut numbered: Vec<_> = rows.iter_mut().zip(actions.chunks_exact(width)).collect();
        crew.each(&mut numbered, &mut chosen, |(row, actions), chosen| chosen[0] = row.chosen(actions, layout));
        drop(numbered);
        if let Some(wrong) = chosen.iter().position(Option::is_none) {
            return Err(wrong);
        }
        let mut told = vec![(0.0, false); rows.len()];
        let mut both: Vec<_> = rows.iter_mut().zip(chosen).enumerate().collect();
        crew.each(&mut both, &mut told, |(number, (row, chosen)), told| {
            if let Some(chosen) = *chosen {
                told[0] = row.play(chosen, layout);
            }
            if told[0].1 && begins_anew {
                row.begin(&starts[*number % starts.len()], layout);
            }
        });
        Ok(told)
    }

    fn begin(&mut self, row: usize) {
        self.rows[row].begin(&self.starts[row % self.starts.len()], &self.layout);
    }

    fn side(&self, row: usize) -> Side {
        self.rows[row].position.side_to_move()
    }

    fn at_turn_start(&self, row: usize) -> bool {
        self.rows[row].position.at_turn_start()
    }

    fn fen(&self, row: usize) -> Option<String> {
        let position = &self.rows[row].position;
        position.at_turn_start().then(|| position.fen())
    }

    fn played(&self, row: usize) -> &[u16] {
        &self.rows[row].played
    }
}

/// `count` boards of a rule set, one by default, on each of which a game goes on by itself. They begin at `fen`, or
/// at the start of the rule set. `size` is the width and height of the planes, if they are to be larger than the
/// board.
///
/// Where a game is over it begins anew at once, unless `auto_reset` is false. Random choices depend on `seed` and on
/// the board, not on `threads`, the number of threads of each call, one by default. While a call computes, other
/// threads of Python go on. `ValueError` if there is no such rule set, FEN or size, or a number is out of bounds. Needs
/// NumPy.
///
///     >>> from hippolyta.encoding import Boards
///     >>> boards = Boards("amazons6", 1000, seed=1, threads=2)
///     >>> planes = boards.observe()
///     >>> planes.shape, len(boards.legal()[1])
///     ((1000, 5, 6, 6), 40000)
///     >>> finished = 0
///     >>> for _ in range(60):
///     ...     rewards, done = boards.step(boards.sample())
///     ...     planes = boards.observe(out=planes)
///     ...     finished += int(done.sum())
///     >>> finished > 500
///     True
///     >>> boards[0].variant
///     'amazons6'
#[pyclass(module = "hippolyta.encoding")]
pub struct Boards {
    variant: Variant,
    shapes: Shapes,
    size: Option<usize>,
    /// FENs where the boards begin, as many as there are starts.
    starts: Vec<Arc<str>>,
    count: usize,
    crew: Crew,
    auto_reset: bool,
    boards: Box<dyn AnyBoards>,
}

struct Options<'a, 'py> {
    size: Option<&'a Bound<'py, PyAny>>,
    seed: Option<&'a Bound<'py, PyAny>>,
    threads: Option<&'a Bound<'py, PyAny>>,
    auto_reset: bool,
}

impl Boards {
    fn make(variant: &str, fens: &[&str], count: usize, options: &Options<'_, '_>) -> PyResult<Self> {
        let (variant, size) = (&find(variant)?, size_of(options.size)?);
        let seed = options.seed.map_or(Ok(0), |seed| whole("seed", seed, bounds("seed")))?;
        let threads = options.threads.map_or(Ok(1), |threads| whole("threads", threads, bounds("threads")))?;
        let fens = if fens.is_empty() { &[variant.start()] } else { fens };
        let wrong = |row: usize, error: &dyn std::fmt::Display| match fens.len() {
            1 => value_error(error),
            _ => value_error(format!("board {row}: {error}")),
        };
        let shapes = Shapes::new(variant, fens[0], size).map_err(|error| wrong(0, &error))?;
        let layout = shapes.layout;
        let mut starts = Vec::new();
        let boards: Box<dyn AnyBoards> = with_family!(variant, P => {
            let mut positions = Vec::new();
            for (row, fen) in fens.iter().enumerate() {
                let position = P::from_fen(variant, fen).map_err(|error| wrong(row, &error))?;
                if position.board_size() != layout.board() {
                    return Err(wrong(row, &"its board is not as large as that of board 0"));
                }
                starts.push(position.fen().into());
                positions.push(position);
            }
            Box::new(Rows::new(layout, positions, count, seed))
        });
        Ok(Self {
            variant: variant.clone(),
            shapes,
            size,
            starts,
            count,
            crew: Crew::new(threads),
            auto_reset: options.auto_reset,
            boards,
        })
    }

    fn planes_shape(&self) -> [usize; 4] {
        let [channels, height, width] = self.shapes.planes();
        [self.count, channels, height, width]
    }

    /// A fact of each board.
    fn all<T>(&self, fact: impl Fn(&dyn AnyBoards, usize) -> T) -> Vec<T> {
        (0..self.count).map(|row| fact(&*self.boards, row)).collect()
    }

    fn row(&self, row: &Bound<'_, PyAny>) -> PyResult<usize> {
        let number: i64 = whole("board", row, [i64::MIN, i64::MAX])?;
        let counted = if number < 0 { number + self.count as i64 } else { number };
        let found = usize::try_from(counted).ok().filter(|&at| at < self.count);
        found.ok_or_else(|| PyIndexError::new_err(format!("board {number}: there are {}", self.count)))
    }
}

#[pymethods]
impl Boards {
    #[new]
    #[pyo3(signature = (variant = "amazons", count = None, *, fen = None, size = None, seed = None, threads = None,
        auto_reset = true))]
    #[allow(clippy::too_many_arguments, reason = "in Python they have names")]
    fn new(
        variant: &str,
        count: Option<&Bound<'_, PyAny>>,
        fen: Option<&str>,
        size: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
        threads: Option<&Bound<'_, PyAny>>,
        auto_reset: bool,
    ) -> PyResult<Self> {
        let count = count.map_or(Ok(1), |count| whole("count", count, [1, MOST]))?;
        Self::make(variant, fen.as_slice(), count, &Options { size, seed, threads, auto_reset })
    }

    /// Boards that begin at these positions, one at each; also after a game is over.
    #[staticmethod]
    #[pyo3(signature = (fens, variant = "amazons", *, size = None, seed = None, threads = None, auto_reset = true))]
    fn from_fens(
        fens: Vec<String>,
        variant: &str,
        size: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
        threads: Option<&Bound<'_, PyAny>>,
        auto_reset: bool,
    ) -> PyResult<Self> {
        if fens.is_empty() || fens.len() as u64 > MOST {
            return Err(value_error(format!("fens: {} is not from 1 to {MOST}", fens.len())));
        }
        let texts: Vec<&str> = fens.iter().map(String::as_str).collect();
        Self::make(variant, &texts, texts.len(), &Options { size, seed, threads, auto_reset })
    }

    fn __len__(&self) -> usize {
        self.count
    }

    /// The rule set's name, or `Rules` for one's own.
    #[getter]
    fn variant<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        variant_object(py, &self.variant)
    }

    /// The shapes of planes and actions.
    #[getter]
    fn encoding(&self) -> Encoding {
        Encoding::of(&self.variant, self.shapes, &self.starts[0], self.size)
    }

    /// Whether games that are over begin anew at once.
    #[getter]
    fn auto_reset(&self) -> bool {
        self.auto_reset
    }

    /// 0 where White is to move and 1 where Black is, 8 bits with sign.
    #[getter]
    fn turns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        check_numpy(py)?;
        Ok(PyArray1::from_vec(py, self.all(|boards, row| i8::from(boards.side(row) == Side::Black))))
    }

    /// Whether no half-turn of the turn has been played, for each board.
    #[getter]
    fn at_turn_start<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        check_numpy(py)?;
        Ok(PyArray1::from_vec(py, self.all(|boards, row| boards.at_turn_start(row))))
    }

    /// The planes of all boards, each from the view of its side to move: an array of (count, channels, height,
    /// width), 8 bits without sign. They are written to `out`, if it is given.
    #[pyo3(signature = (out = None))]
    fn observe<'py>(&mut self, py: Python<'py>, out: Option<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyArray4<u8>>> {
        let shape = self.planes_shape();
        let Self { crew, boards, .. } = self;
        filled(py, out, shape, |planes| boards.observe(crew, planes))
    }

    /// 1 for each legal action of each board: an array of (count, `Encoding.actions`), 8 bits with sign. It is
    /// written to `out`, if that is given.
    #[pyo3(signature = (out = None))]
    fn mask<'py>(&mut self, py: Python<'py>, out: Option<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let shape = [self.count, self.shapes.actions()];
        let Self { crew, boards, .. } = self;
        filled(py, out, shape, |mask| boards.mask(crew, mask))
    }

    /// The legal actions of all boards as two arrays of 64 bits: the board of each, and the action. They are in
    /// increasing order; a game that is over has none.
    fn legal<'py>(&mut self, py: Python<'py>) -> PyResult<Pair<'py, i64, i64>> {
        check_numpy(py)?;
        let Self { crew, boards, .. } = self;
        let (numbers, actions) = py.detach(|| {
            let count = boards.legal_count();
            let (mut numbers, mut actions) = (vec![0; count], vec![0; count]);
            boards.legal(crew, &mut numbers, &mut actions);
            (numbers, actions)
        });
        Ok((PyArray1::from_vec(py, numbers), PyArray1::from_vec(py, actions)))
    }

    /// A legal action of each board by lot, each as likely: what `step` takes; -1 where a game is over. With
    /// `whole_turns` an array of (count, 2): the first half-turn, and the second, or -1 if the turn has none.
    #[pyo3(signature = (*, whole_turns = false))]
    fn sample<'py>(&mut self, py: Python<'py>, whole_turns: bool) -> PyResult<Bound<'py, PyAny>> {
        check_numpy(py)?;
        let mut actions = vec![NONE; self.count * if whole_turns { 2 } else { 1 }];
        let Self { crew, boards, .. } = self;
        py.detach(|| boards.draw_lots(crew, &mut actions));
        let flat = PyArray1::from_vec(py, actions);
        if whole_turns { Ok(flat.reshape([self.count, 2])?.into_any()) } else { Ok(flat.into_any()) }
    }

    /// Plays an action on each board, and returns the rewards, 32 bits, and whether games are over: arrays of
    /// `count`. A reward is that of the side that has just moved: 1 for a win, -1 for a loss, 0 for a draw and while
    /// the game goes on.
    ///
    /// `actions` are whole numbers, `TypeError` names the first other one: (count,) half-turns, or (count, 2) whole turns of boards at the start of a turn,
    /// whose second is -1 if the turn has none. Where a game is over, which can be without `auto_reset` alone, it is
    /// -1. `IndexError` names the first board whose action is not legal; then nothing is played on any.
    fn step<'py>(&mut self, py: Python<'py>, actions: &Bound<'py, PyAny>) -> PyResult<Pair<'py, f32, bool>> {
        let (shape, actions) = whole_numbers("actions", actions)?;
        if !matches!(shape[..], [count] | [count, 2] if count == self.count) {
            let count = self.count;
            return Err(value_error(format!("actions: shape {shape:?}, expected is [{count}] or [{count}, 2]")));
        }
        let Self { boards, crew, auto_reset, .. } = self;
        let told = py.detach(|| boards.step(crew, &actions, *auto_reset)).map_err(|row| {
            let width = actions.len() / self.count;
            let given = actions[row * width..][..width].iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
            PyIndexError::new_err(format!("board {row}: action {given} is not legal there"))
        })?;
        let (rewards, done) = told.into_iter().unzip();
        Ok((PyArray1::from_vec(py, rewards), PyArray1::from_vec(py, done)))
    }

    /// Begins the games of these boards anew; of all without `boards`. `IndexError` if there is no such board.
    #[pyo3(signature = (boards = None))]
    fn reset(&mut self, boards: Option<Vec<Bound<'_, PyAny>>>) -> PyResult<()> {
        let rows: Vec<usize> = match boards {
            Some(boards) => boards.iter().map(|board| self.row(board)).collect::<PyResult<_>>()?,
            None => (0..self.count).collect(),
        };
        rows.into_iter().for_each(|row| self.boards.begin(row));
        Ok(())
    }

    /// The FEN of each board. `ValueError` if one is in the middle of a turn.
    fn fens(&self) -> PyResult<Vec<String>> {
        let fens = self.all(|boards, row| boards.fen(row));
        let named = fens.into_iter().enumerate().map(|(row, fen)| {
            fen.ok_or_else(|| value_error(format!("board {row}: in the middle of a turn there is no FEN")))
        });
        named.collect()
    }

    /// A board as a `State` of its own. `IndexError` if there is none of this number; -1 is the last.
    fn __getitem__(&self, board: &Bound<'_, PyAny>) -> PyResult<State> {
        let row = self.row(board)?;
        let start = &self.starts[row % self.starts.len()];
        State::after(&self.variant, start, self.size, self.boards.played(row))
    }

    fn __repr__(&self) -> String {
        format!("<Boards {} × {}>", self.count, self.variant.name())
    }
}
