//! Many boards at once, for learning: each call plays on all of them, draws them or lists what is legal, on some
//! threads. Each board has its own source of chance, so results do not depend on the number of threads.

use crate::arrays::{filled, whole_numbers};
use crate::encoding::{Encoded, Encoding, Layout, Shapes, State, size_of};
use crate::errors::{check_numpy, find};
use crate::numbers::{bounds, shown, value_error, whole};
use crate::rules::variant_object;
use hippolyta::games::general::{FireAt, Turns};
use hippolyta::games::variant::{Family, Variant};
use hippolyta::games::{Notation, Outcome, Side, Step, with_family};
use numpy::{PyArray1, PyArray2, PyArray4, PyArrayMethods};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::slice::PySliceIndices;
use pyo3::types::{PyBool, PyDict, PySlice};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};

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
#[derive(Clone)]
struct Row<P: Encoded> {
    position: P,
    /// The codes of all steps since the start: a position alone does not know what has repeated.
    played: Vec<u16>,
    /// Legal steps by their numbers, in increasing order.
    legal: Vec<(u32, P::Step)>,
    /// Legal steps after the first half of a turn, while a whole turn is looked at.
    second: Vec<(u32, P::Step)>,
    lots: Lots,
}

/// A source of chance whose state is two numbers: a seed, and how often lots were drawn.
#[derive(Clone, Copy)]
struct Lots([u64; 2]);

impl Lots {
    /// The chance of the next draw.
    fn next(&mut self) -> Xoshiro256PlusPlus {
        let Self([seed, drawn]) = self;
        *drawn += 1;
        Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_add(drawn.wrapping_mul(SALT)))
    }
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
        let (position, legal, second) = (start.clone(), Vec::new(), Vec::new());
        let mut row = Self { position, played: Vec::new(), legal, second, lots: Lots([seed, 0]) };
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

    /// No step is followed by more than `most` in its turn.
    fn draw_lots(&mut self, actions: &mut [i64], layout: &Layout, most: usize) {
        actions.fill(NONE);
        let mut random = self.lots.next();
        loop {
            let Some((first, step)) = drawn(&self.legal, &mut random) else { return };
            actions[0] = first.into();
            let [_, second] = actions else { return };
            let seconds = if self.list_second(step, layout) { self.second.len() } else { 0 };
            // A first half that begins few turns is kept as rarely, so that each whole turn is as likely.
            if random.random_range(0..most) < seconds.max(1) {
                *second = drawn(&self.second[..seconds], &mut random).map_or(NONE, |(next, _)| next.into());
                return;
            }
        }
    }

    /// Plays the steps with these codes from the start. `None` if they are no game.
    fn replay(&mut self, start: &P, played: &[u16], lots: Lots, layout: &Layout) -> Option<()> {
        self.begin(start, layout);
        for &code in played {
            let &(_, step) = self.legal.iter().find(|(_, step)| step.code() == code)?;
            self.play([Some(step), None], layout);
        }
        self.lots = lots;
        Some(())
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
    pool: Mutex<Option<(u32, Arc<ThreadPool>)>>,
}

impl Crew {
    fn new(threads: usize) -> Self {
        Self { threads, pool: Mutex::new(None) }
    }

    /// The other threads; none if the system refuses them.
    fn others(&self) -> Option<Arc<ThreadPool>> {
        let process = std::process::id();
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        if pool.as_ref().is_some_and(|(of, _)| *of != process) {
            // Its threads stayed behind in the other process; to end them would wait for ever.
            std::mem::forget(pool.take());
        }
        if pool.is_none() {
            let name = |number| format!("boards {number}");
            let made = ThreadPoolBuilder::new().num_threads(self.threads - 1).thread_name(name).build();
            *pool = made.ok().map(|pool| (process, pool.into()));
        }
        pool.as_ref().map(|(_, pool)| pool.clone())
    }

    /// Does the work of all parts. Each thread takes the next part that is left; the caller's begins at once, so short
    /// work does not wait until the others are awake.
    fn do_all<T: Send>(&self, parts: impl ExactSizeIterator<Item = T> + Send, work: impl Fn(T) + Sync) {
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
    fn each<R: Send, T: Send>(&self, rows: &mut [R], array: &mut [T], work: impl Fn(&mut R, &mut [T]) + Sync) {
        let (width, share) = (array.len() / rows.len(), self.share(rows.len()));
        let parts = rows.chunks_mut(share).zip(array.chunks_mut(share * width));
        self.do_all(parts, |(rows, array)| {
            rows.iter_mut().zip(array.chunks_exact_mut(width)).for_each(|(row, part)| work(row, part));
        });
    }
}

/// The rows, whose type of positions is forgotten.
trait AnyBoards: Send + Sync {
    fn observe(&self, crew: &Crew, planes: &mut [u8]);
    fn mask(&self, crew: &Crew, mask: &mut [i8]);
    /// How many actions are legal on all boards together.
    fn legal_count(&self) -> usize;
    /// Writes the row and the number of each legal action.
    fn legal(&self, crew: &Crew, numbers: &mut [i64], actions: &mut [i64]);
    fn draw_lots(&mut self, crew: &Crew, actions: &mut [i64]);
    /// Plays one or two actions a row. If one is not legal its row is told, and nothing is played.
    fn step(&mut self, crew: &Crew, actions: &[i64], begins_anew: bool) -> Result<Vec<(f32, bool)>, usize>;
    fn begin(&mut self, row: usize);
    fn side(&self, row: usize) -> Side;
    fn at_turn_start(&self, row: usize) -> bool;
    fn fen(&self, row: usize) -> Option<String>;
    fn played(&self, row: usize) -> &[u16];
    fn lots(&self, row: usize) -> Lots;
    /// Copies of the boards with these numbers.
    fn picked(&self, rows: &[usize]) -> Box<dyn AnyBoards>;
    /// Plays what was played on a board elsewhere. `None` if that is no game.
    fn replay(&mut self, row: usize, played: &[u16], lots: Lots) -> Option<()>;
}

struct Rows<P: Encoded> {
    layout: Layout,
    /// A bound of the second halves of a turn that has begun.
    most: usize,
    /// Where each row begins; one for all if it is the same.
    starts: Vec<P>,
    rows: Vec<Row<P>>,
}

impl<P: Encoded> Rows<P> {
    fn new(variant: &Variant, layout: Layout, starts: Vec<P>, count: usize, seed: u64) -> Self {
        let (width, height) = layout.board();
        // A queen stands on four lines; a piece of somebody's own may leap as well.
        let lines = 2 * (width + height);
        let most = match variant.family() {
            Family::General(rules) if rules.turns == Turns::MoveOrFire => 1,
            Family::General(rules) if matches!(rules.fire_at, FireAt::Anywhere | FireAt::Edge) => width * height,
            Family::General(_) => lines + 8,
            _ => lines,
        };
        let most = most.min(width * height);
        let seed_of = |row: usize| seed ^ (row as u64 + 1).wrapping_mul(SALT);
        let rows = (0..count).map(|row| Row::new(&starts[row % starts.len()], &layout, seed_of(row))).collect();
        Self { layout, most, starts, rows }
    }
}

impl<P: Encoded> AnyBoards for Rows<P> {
    fn observe(&self, crew: &Crew, planes: &mut [u8]) {
        let layout = self.layout;
        crew.each(&mut self.rows.iter().collect::<Vec<_>>(), planes, |row, planes| {
            planes.fill(0);
            row.position.draw(layout, planes);
        });
    }

    fn mask(&self, crew: &Crew, mask: &mut [i8]) {
        crew.each(&mut self.rows.iter().collect::<Vec<_>>(), mask, |row, mask| {
            mask.fill(0);
            row.legal.iter().for_each(|&(action, _)| mask[action as usize] = 1);
        });
    }

    fn legal_count(&self) -> usize {
        self.rows.iter().map(|row| row.legal.len()).sum()
    }

    fn legal(&self, crew: &Crew, mut numbers: &mut [i64], mut actions: &mut [i64]) {
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

    fn draw_lots(&mut self, crew: &Crew, actions: &mut [i64]) {
        let Self { layout, most, .. } = *self;
        crew.each(&mut self.rows, actions, |row, actions| row.draw_lots(actions, &layout, most));
    }

    fn step(&mut self, crew: &Crew, actions: &[i64], begins_anew: bool) -> Result<Vec<(f32, bool)>, usize> {
        let Self { layout, starts, rows, .. } = self;
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

    fn lots(&self, row: usize) -> Lots {
        self.rows[row].lots
    }

    fn picked(&self, rows: &[usize]) -> Box<dyn AnyBoards> {
        let starts = picked(&self.starts, rows);
        let Self { layout, most, .. } = *self;
        Box::new(Self { layout, most, starts, rows: rows.iter().map(|&row| self.rows[row].clone()).collect() })
    }

    fn replay(&mut self, row: usize, played: &[u16], lots: Lots) -> Option<()> {
        let Self { layout, starts, rows, .. } = self;
        rows[row].replay(&starts[row % starts.len()], played, lots, layout)
    }
}

/// The starts of the boards with these numbers: one for all if it is the same.
fn picked<T: Clone>(starts: &[T], rows: &[usize]) -> Vec<T> {
    if let [one] = starts { vec![one.clone()] } else { rows.iter().map(|&row| starts[row].clone()).collect() }
}

/// `count` boards of a rule set, one by default, on each of which a game goes on by itself. They begin at `fen`, or
/// at the start of the rule set. `size` is the width and height of the planes, if they are to be larger than the
/// board.
///
/// Where a game is over it begins anew at once, unless `auto_reset` is false. Random choices depend on `seed` and on
/// the board, not on `threads`, the number of threads of each call, one by default. While a call computes, other
/// threads of Python go on; any number of them may read. `ValueError` if there is no such rule set, FEN or size, or a
/// number is out of bounds. Needs NumPy.
///
/// Boards can be copied and pickled, with all that was played and the lots to come. They are equal if the same was
/// played on each from the same start. A slice, or whole numbers, gives copies of some of them.
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
///     >>> some = boards[10:14]
///     >>> len(some), some == boards[[10, 11, 12, 13]]
///     (4, True)
#[pyclass(module = "hippolyta.encoding", frozen)]
pub struct Boards {
    variant: Variant,
    shapes: Shapes,
    size: Option<usize>,
    count: usize,
    crew: Crew,
    auto_reset: bool,
    held: RwLock<Held>,
}

struct Held {
    /// FENs where the boards begin, as many as there are starts.
    starts: Vec<Arc<str>>,
    boards: Box<dyn AnyBoards>,
}

/// What a pickle has: starts, and for each board the codes that were played and its lots.
type Pickled = (Vec<String>, Vec<(Vec<u16>, [u64; 2])>);

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
            Box::new(Rows::new(variant, layout, positions, count, seed))
        });
        Ok(Self {
            variant: variant.clone(),
            shapes,
            size,
            count,
            crew: Crew::new(threads),
            auto_reset: options.auto_reset,
            held: RwLock::new(Held { starts, boards }),
        })
    }

    /// Reads the boards. Whoever waits for a writer does so without the GIL.
    fn read<T: Send>(&self, py: Python<'_>, read: impl FnOnce(&Held) -> T + Send) -> T {
        py.detach(|| read(&self.held()))
    }

    /// The boards, for whoever has no GIL.
    fn held(&self) -> RwLockReadGuard<'_, Held> {
        self.held.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write<T: Send>(&self, py: Python<'_>, write: impl FnOnce(&mut dyn AnyBoards) -> T + Send) -> T {
        py.detach(|| write(&mut *self.held.write().unwrap_or_else(PoisonError::into_inner).boards))
    }

    /// Copies of the boards with these numbers.
    fn picked(&self, py: Python<'_>, rows: &[usize]) -> Self {
        let copied = |held: &Held| Held { starts: picked(&held.starts, rows), boards: held.boards.picked(rows) };
        Self {
            variant: self.variant.clone(),
            shapes: self.shapes,
            size: self.size,
            count: rows.len(),
            crew: Crew::new(self.crew.threads),
            auto_reset: self.auto_reset,
            held: RwLock::new(self.read(py, copied)),
        }
    }

    fn planes_shape(&self) -> [usize; 4] {
        let [channels, height, width] = self.shapes.planes();
        [self.count, channels, height, width]
    }

    /// A fact of each board.
    fn all<T: Send>(&self, py: Python<'_>, fact: impl Fn(&dyn AnyBoards, usize) -> T + Sync) -> Vec<T> {
        self.read(py, |held| (0..self.count).map(|row| fact(&*held.boards, row)).collect())
    }

    /// The place of a board by its number, which counts from the end if it is negative.
    fn row(&self, number: i128) -> PyResult<usize> {
        let counted = if number < 0 { number + self.count as i128 } else { number };
        let found = usize::try_from(counted).ok().filter(|&at| at < self.count);
        found.ok_or_else(|| PyIndexError::new_err(format!("board {number}: there are {}", self.count)))
    }

    /// The places of boards by a list of their numbers, or by an array; `None` for one number alone.
    fn rows(&self, boards: &Bound<'_, PyAny>) -> PyResult<Option<Vec<usize>>> {
        let (shape, numbers) = whole_numbers("boards", boards)?;
        match shape.len() {
            0 => Ok(None),
            1 => numbers.into_iter().map(|number| self.row(number.into())).collect::<PyResult<_>>().map(Some),
            _ => Err(value_error(format!("boards: shape {shape:?}, a row of numbers is expected"))),
        }
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
    fn encoding(&self, py: Python<'_>) -> Encoding {
        let start = self.read(py, |held| held.starts[0].clone());
        Encoding::of(&self.variant, self.shapes, &start, self.size)
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
        Ok(PyArray1::from_vec(py, self.all(py, |boards, row| i8::from(boards.side(row) == Side::Black))))
    }

    /// Whether no half-turn of the turn has been played, for each board.
    #[getter]
    fn at_turn_start<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        check_numpy(py)?;
        Ok(PyArray1::from_vec(py, self.all(py, |boards, row| boards.at_turn_start(row))))
    }

    /// The planes of all boards, each from the view of its side to move: an array of (count, channels, height,
    /// width), 8 bits without sign. They are written to `out`, if it is given.
    #[pyo3(signature = (out = None))]
    fn observe<'py>(&self, py: Python<'py>, out: Option<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyArray4<u8>>> {
        filled(py, out, self.planes_shape(), |planes| self.held().boards.observe(&self.crew, planes))
    }

    /// 1 for each legal action of each board: an array of (count, `Encoding.actions`), 8 bits with sign. It is
    /// written to `out`, if that is given.
    #[pyo3(signature = (out = None))]
    fn mask<'py>(&self, py: Python<'py>, out: Option<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        filled(py, out, [self.count, self.shapes.actions()], |mask| self.held().boards.mask(&self.crew, mask))
    }

    /// The legal actions of all boards as two arrays of 64 bits: the board of each, and the action. They are in
    /// increasing order; a game that is over has none.
    fn legal<'py>(&self, py: Python<'py>) -> PyResult<Pair<'py, i64, i64>> {
        check_numpy(py)?;
        let (numbers, actions) = self.read(py, |held| {
            let count = held.boards.legal_count();
            let (mut numbers, mut actions) = (vec![0; count], vec![0; count]);
            held.boards.legal(&self.crew, &mut numbers, &mut actions);
            (numbers, actions)
        });
        Ok((PyArray1::from_vec(py, numbers), PyArray1::from_vec(py, actions)))
    }

    /// A legal action of each board by lot, each as likely: what `step` takes; -1 where a game is over. With
    /// `whole_turns` an array of (count, 2), each turn as likely: the first half-turn, and the second, or -1 if the
    /// turn has none.
    #[pyo3(signature = (*, whole_turns = false))]
    fn sample<'py>(&self, py: Python<'py>, whole_turns: bool) -> PyResult<Bound<'py, PyAny>> {
        check_numpy(py)?;
        let mut actions = vec![NONE; self.count * if whole_turns { 2 } else { 1 }];
        self.write(py, |boards| boards.draw_lots(&self.crew, &mut actions));
        let flat = PyArray1::from_vec(py, actions);
        if whole_turns { Ok(flat.reshape([self.count, 2])?.into_any()) } else { Ok(flat.into_any()) }
    }

    /// Plays an action on each board, and returns the rewards, 32 bits, and whether games are over: arrays of
    /// `count`. A reward is that of the side that has just moved: 1 for a win, -1 for a loss, 0 for a draw and while
    /// the game goes on.
    ///
    /// `actions` are whole numbers, `TypeError` names the first other one: (count,) half-turns, or (count, 2) whole
    /// turns of boards at the start of a turn, whose second is -1 if the turn has none. Where a game is over, which can
    /// be without `auto_reset` alone, it is -1. `IndexError` names the first board whose action is not legal; then
    /// nothing is played on any.
    fn step<'py>(&self, py: Python<'py>, actions: &Bound<'py, PyAny>) -> PyResult<Pair<'py, f32, bool>> {
        let (shape, actions) = whole_numbers("actions", actions)?;
        if !matches!(shape[..], [count] | [count, 2] if count == self.count) {
            let count = self.count;
            return Err(value_error(format!("actions: shape {shape:?}, expected is [{count}] or [{count}, 2]")));
        }
        let told = self.write(py, |boards| boards.step(&self.crew, &actions, self.auto_reset)).map_err(|row| {
            let width = actions.len() / self.count;
            let given = actions[row * width..][..width].iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
            PyIndexError::new_err(format!("board {row}: action {given} is not legal there"))
        })?;
        let (rewards, done) = told.into_iter().unzip();
        Ok((PyArray1::from_vec(py, rewards), PyArray1::from_vec(py, done)))
    }

    /// Begins the games of these boards anew; of all without `boards`. `IndexError` if there is no such board.
    #[pyo3(signature = (boards = None))]
    fn reset(&self, py: Python<'_>, boards: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let rows = match boards {
            Some(boards) => {
                let rows = self.rows(boards)?;
                rows.ok_or_else(|| {
                    PyTypeError::new_err(format!("boards: numbers are expected, not {}", shown(boards)))
                })?
            }
            None => (0..self.count).collect(),
        };
        self.write(py, |boards| rows.into_iter().for_each(|row| boards.begin(row)));
        Ok(())
    }

    /// The FEN of each board. `ValueError` if one is in the middle of a turn.
    fn fens(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let fens = self.all(py, |boards, row| boards.fen(row));
        let named = fens.into_iter().enumerate().map(|(row, fen)| {
            fen.ok_or_else(|| value_error(format!("board {row}: in the middle of a turn there is no FEN")))
        });
        named.collect()
    }

    /// A board as a `State` of its own, or copies of several: of a slice, or of a row of numbers. `IndexError` if there
    /// is none of this number; -1 is the last.
    fn __getitem__<'py>(&self, py: Python<'py>, board: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let rows = if let Ok(slice) = board.cast::<PySlice>() {
            let PySliceIndices { start, step, slicelength, .. } = slice.indices(self.count as isize)?;
            Some((0..slicelength as isize).map(|number| (start + number * step) as usize).collect())
        } else if board.hasattr("__len__")? {
            self.rows(board)?
        } else {
            None
        };
        let Some(rows) = rows else {
            let row = self.row(whole("board", board, [i128::MIN, i128::MAX])?)?;
            let (start, played) =
                self.read(py, |held| (held.starts[row % held.starts.len()].clone(), held.boards.played(row).to_vec()));
            return State::after(&self.variant, &start, self.size, &played)?.into_bound_py_any(py);
        };
        if rows.is_empty() {
            return Err(PyIndexError::new_err("boards: none is asked for"));
        }
        self.picked(py, &rows).into_bound_py_any(py)
    }

    /// Copies of all boards.
    fn copy(&self, py: Python<'_>) -> Self {
        self.picked(py, &(0..self.count).collect::<Vec<_>>())
    }

    fn __copy__(&self, py: Python<'_>) -> Self {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> Self {
        self.copy(py)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (), Pickled)> {
        let pickled: Pickled = self.read(py, |held| {
            let row = |row| (held.boards.played(row).to_vec(), held.boards.lots(row).0);
            (held.starts.iter().map(ToString::to_string).collect(), (0..self.count).map(row).collect())
        });
        let named = PyDict::new(py);
        named.set_item("size", self.size)?;
        named.set_item("threads", self.crew.threads)?;
        named.set_item("auto_reset", self.auto_reset)?;
        // The board's size comes with the first start.
        named.set_item("fen", &pickled.0[0])?;
        let words = (py.get_type::<Self>(), variant_object(py, &self.variant)?, self.count);
        Ok((py.import("functools")?.getattr("partial")?.call(words, Some(&named))?, (), pickled))
    }

    fn __setstate__(&self, py: Python<'_>, state: Pickled) -> PyResult<()> {
        let (starts, rows) = state;
        let starts: Vec<&str> = starts.iter().map(String::as_str).collect();
        let size = self.size.map(|size| size.into_bound_py_any(py)).transpose()?;
        let options = Options { size: size.as_ref(), seed: None, threads: None, auto_reset: self.auto_reset };
        let made = Self::make(&self.variant.text(), &starts, self.count, &options)?;
        let mut held = made.held.into_inner().unwrap_or_else(PoisonError::into_inner);
        for (row, (played, lots)) in rows.iter().enumerate().take(self.count) {
            let replayed = held.boards.replay(row, played, Lots(*lots));
            replayed.ok_or_else(|| value_error(format!("board {row}: what was played is no game")))?;
        }
        *self.held.write().unwrap_or_else(PoisonError::into_inner) = held;
        Ok(())
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> Py<PyAny> {
        let Ok(other) = other.cast::<Self>() else { return py.NotImplemented() };
        let other = other.get();
        let games = |boards: &Self| {
            boards.read(py, |held| {
                let game =
                    |row: usize| (held.starts[row % held.starts.len()].clone(), held.boards.played(row).to_vec());
                (0..boards.count).map(game).collect::<Vec<_>>()
            })
        };
        let is_of_same_kind = self.variant == other.variant && self.shapes == other.shapes;
        let same = is_of_same_kind && self.count == other.count && games(self) == games(other);
        PyBool::new(py, same).to_owned().into_any().unbind()
    }

    #[classattr]
    #[pyo3(name = "__hash__")]
    fn hash() -> Option<i32> {
        None
    }

    fn __repr__(&self) -> String {
        format!("<Boards {} × {}>", self.count, self.variant.name())
    }
}
