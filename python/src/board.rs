//! Positions and games.

use crate::class::{Class, kept};
use crate::errors::{FenError, check_numpy, engine_error, find, guarded, move_error};
use crate::numbers::{index, shown, whole};
use crate::rules::variant_object;
use crate::wait::interruptible;
use hippolyta::board::Square;
use hippolyta::engine::{self, Control, PositionError};
use hippolyta::games::variant::VARIANTS;
use hippolyta::games::{Outcome, Perft, Piece, Side, Turn};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PySlice, PyString, PyTuple};
use std::sync::{Arc, OnceLock};
use std::thread::available_parallelism;

/// The names of the rule sets, the default first.
#[pyfunction]
pub fn variants() -> Vec<&'static str> {
    VARIANTS.iter().map(|variant| variant.name()).collect()
}

/// The member of `hippolyta.Side` for a side.
pub fn side_object(py: Python<'_>, side: Side) -> PyResult<&Bound<'_, PyAny>> {
    static SIDES: OnceLock<[Py<PyAny>; 2]> = OnceLock::new();
    let sides = kept(&SIDES, || {
        let class = py.import("hippolyta.outcome")?.getattr("Side")?;
        Ok([class.getattr("WHITE")?.unbind(), class.getattr("BLACK")?.unbind()])
    })?;
    Ok(sides[side.index()].bind(py))
}

/// The member of `hippolyta.Side` for the winner; `None` after a draw.
pub fn winner_object(py: Python<'_>, outcome: Outcome) -> PyResult<Option<&Bound<'_, PyAny>>> {
    match outcome {
        Outcome::Win(side) => side_object(py, side).map(Some),
        Outcome::Draw => Ok(None),
    }
}

/// A `hippolyta.Move`, which is the text of a turn.
pub fn move_object(py: Python<'_>, turn: impl ToString) -> PyResult<Bound<'_, PyAny>> {
    static CLASS: Class = Class::new("hippolyta.outcome", "Move");
    CLASS.get(py)?.call1((turn.to_string(),))
}

/// The squares of a turn by name: those on which its piece stands, first to last, and the one that it fires at.
#[pyfunction]
pub fn turn_squares(turn: &str) -> PyResult<(Vec<String>, Option<String>)> {
    let unreadable = |error| PyValueError::new_err(format!("no turn '{turn}': {error}"));
    let turn: Turn = turn.parse().map_err(unreadable)?;
    Ok((turn.path().iter().map(ToString::to_string).collect(), turn.fire().map(|square| square.to_string())))
}

fn outcome_object(py: Python<'_>, outcome: Outcome) -> PyResult<Bound<'_, PyAny>> {
    static CLASS: Class = Class::new("hippolyta.outcome", "Outcome");
    CLASS.get(py)?.call1((winner_object(py, outcome)?,))
}

fn position_error(error: PositionError) -> PyErr {
    match error {
        PositionError::Fen(error) => FenError::new_err(error.to_string()),
        error => move_error(error),
    }
}

/// A game: a position of a rule set, with the turns that led to it. `Board("iago")` is the start position of Iago; the
/// names are `variants()`. Turns are texts such as `d1d7,d7g7`: an amazon moves, then it fires. Those that come back
/// are `Move`, texts that know their squares. Other spellings, `d1-d7/g7`, are understood. No method but `perft` takes
/// noticeable time. Two boards are equal if the same turns were played from the same position. Boards can be copied and
/// pickled; they change, so they cannot be keys of a dictionary.
///
/// >>> board = Board("amazons")
/// >>> board.push("d1-d7/g7")
/// 'd1d7,d7g7'
/// >>> board.turn, len(board.legal_moves), board.move_stack
/// (<Side.BLACK: 'black'>, 1214, ['d1d7,d7g7'])
/// >>> board.pop()
/// 'd1d7,d7g7'
/// >>> board.push("a1a2,a2a3")
/// Traceback (most recent call last):
/// hippolyta.MoveError: illegal move 'a1a2,a2a3': white is to move and has no amazon on a1
/// >>> Board.from_fen("Q**/***/**q b").outcome().result
/// '1-0'
#[pyclass(module = "hippolyta")]
pub struct Board {
    pub board: engine::Board,
    /// The legal turns of the position, if somebody has asked for them.
    legal: Option<Py<LegalMoves>>,
}

impl Board {
    pub fn of(board: engine::Board) -> Self {
        Self { board, legal: None }
    }
}

/// Those of `from_fen`: the FEN, the rule set, and the turns.
type Arguments<'py> = (String, Bound<'py, PyAny>, Vec<String>);

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (variant = "amazons"))]
    fn new(variant: &str) -> PyResult<Self> {
        Ok(Self::of(engine::Board::new(&find(variant)?)))
    }

    /// The position of a FEN, after the given turns.
    #[staticmethod]
    #[pyo3(signature = (fen, variant = "amazons", moves = Vec::new()))]
    fn from_fen(fen: &str, variant: &str, moves: Vec<String>) -> PyResult<Self> {
        engine::Board::after(&find(variant)?, fen, &moves).map(Self::of).map_err(position_error)
    }

    /// The name of the rule set, or `Rules` for one's own.
    #[getter]
    fn variant<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        variant_object(py, self.board.variant())
    }

    /// The side to move.
    #[getter]
    fn turn<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyAny>> {
        side_object(py, self.board.side_to_move())
    }

    /// The turns played so far, in their usual spelling.
    #[getter]
    fn move_stack<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.board.turns().iter().map(|turn| move_object(py, turn)).collect()
    }

    /// The FEN of the position in which the game began.
    #[getter]
    fn start_fen(&self) -> String {
        self.board.start_fen()
    }

    /// The Zobrist key of the position, 64 bits.
    #[getter]
    fn key(&self) -> u64 {
        self.board.key()
    }

    /// The number of files and of ranks.
    #[getter]
    fn size(&self) -> (usize, usize) {
        self.board.size()
    }

    /// The legal turns of the position as it is now.
    #[getter]
    fn legal_moves(&mut self, py: Python<'_>) -> PyResult<Py<LegalMoves>> {
        if let Some(known) = &self.legal {
            return Ok(known.clone_ref(py));
        }
        let legal = Py::new(py, LegalMoves::of(self.board.clone()))?;
        self.legal = Some(legal.clone_ref(py));
        Ok(legal)
    }

    /// Plays a turn and returns its usual spelling.
    fn push<'py>(&mut self, py: Python<'py>, turn: &str) -> PyResult<Bound<'py, PyAny>> {
        let played = self.board.play(turn).map_err(move_error)?;
        self.legal = None;
        move_object(py, &played)
    }

    /// Takes the last turn back and returns it.
    fn pop<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let last = self.peek(py)?;
        self.board.undo();
        self.legal = None;
        Ok(last)
    }

    /// The last turn.
    fn peek<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let last = self.board.last_turn().ok_or_else(|| PyIndexError::new_err("no turn has been played"))?;
        move_object(py, &last)
    }

    /// The number of turns since the game began, by the number in its FEN: 0 before White's first turn.
    ///
    /// >>> board = Board("damone")
    /// >>> board.push(board.legal_moves[0])
    /// 'f1g2'
    /// >>> board.ply
    /// 1
    #[getter]
    fn ply(&self) -> u32 {
        2 * self.board.number().saturating_sub(1) + u32::from(self.board.side_to_move() == Side::Black)
    }

    /// Squares with the letters that a FEN has for their pieces, ranks from the top, each from the left. Empty squares
    /// are left out.
    ///
    /// >>> Board.from_fen("q2/3/*1Q w").pieces()
    /// {'a3': 'q', 'a1': '*', 'c1': 'Q'}
    fn pieces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let pieces = PyDict::new(py);
        for (square, piece) in self.board.pieces().squares() {
            if let Some(piece) = piece {
                pieces.set_item(square.to_string(), piece.letter())?;
            }
        }
        Ok(pieces)
    }

    /// The letter that a FEN has for the piece on a square; `None` if it is empty. `ValueError` if the board has no
    /// such square.
    ///
    /// >>> board = Board.from_fen("q2/3/*1Q w")
    /// >>> board.piece_at("a1"), board.piece_at("b2")
    /// ('*', None)
    fn piece_at(&self, square: &str) -> PyResult<Option<char>> {
        let (width, height) = self.board.size();
        let found = square.parse::<Square>().ok().filter(|found| found.file() < width && found.rank() < height);
        let found = found.ok_or_else(|| {
            let last = Square::at(width - 1, height - 1).map_or_else(String::new, |square| square.to_string());
            PyValueError::new_err(format!("square '{square}': one from a1 to {last} is expected"))
        })?;
        Ok(self.board.at(found).map(Piece::letter))
    }

    /// The board as an array of letters, as a FEN has them, with `.` for an empty square: (ranks, files), row 0 is
    /// rank 1, column 0 is file a. Needs NumPy.
    ///
    /// >>> Board.from_fen("q2/3/*1Q w").grid()
    /// array([['*', '.', 'Q'],
    ///        ['.', '.', '.'],
    ///        ['q', '.', '.']], dtype='<U1')
    fn grid<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        check_numpy(py)?;
        let (width, height) = self.board.size();
        let letter =
            |file, rank| Square::at(file, rank).and_then(|square| self.board.at(square)).map_or('.', Piece::letter);
        let rows: Vec<Vec<char>> =
            (0..height).map(|rank| (0..width).map(|file| letter(file, rank)).collect()).collect();
        py.import("numpy")?.getattr("array")?.call1((rows,))
    }

    /// Effects of a legal turn beside moving and firing; the turn is not played. `MoveError` if it is not legal.
    ///
    /// >>> Board.from_fen("8/8/8/8/8/3p4/2P5/8 w", "damone").effects("c2e4")
    /// Effects(captured=('d3',), flipped=(), promoted=None)
    fn effects<'py>(&self, py: Python<'py>, turn: &str) -> PyResult<Bound<'py, PyAny>> {
        static CLASS: Class = Class::new("hippolyta.outcome", "Effects");
        let turn = self.board.read(turn).map_err(move_error)?;
        let effects = self.board.effects(&turn).map_err(engine_error)?;
        let names = |squares: &[Square]| PyTuple::new(py, squares.iter().map(ToString::to_string).collect::<Vec<_>>());
        let promoted = effects.promoted.map(Piece::letter);
        let class = CLASS.get(py)?;
        class.call1((names(&effects.captured)?, names(&effects.flipped)?, promoted))
    }

    /// The FEN of the position.
    fn fen(&self) -> String {
        self.board.fen()
    }

    /// The result, if the game is over.
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.board.outcome().map(|outcome| outcome_object(py, outcome)).transpose()
    }

    /// The result, if it is certain before the game is over: by counting turns, by stones that cannot flip any more, or
    /// by endgame tables. Tens of milliseconds at most.
    ///
    /// >>> Board.from_fen("Q1*1q/2*2/2*2 w").decided()
    /// Decided(winner=<Side.BLACK: 'black'>, margin=-0.5, unit='turns', by='count', between=None)
    fn decided<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        static CLASS: Class = Class::new("hippolyta.outcome", "Decided");
        let Some(found) = py.detach(|| hippolyta::engine::decided(&self.board)) else { return Ok(None) };
        let winner = winner_object(py, found.outcome)?;
        let unit = Some(found.unit).filter(|unit| !unit.is_empty());
        let class = CLASS.get(py)?;
        let between = found.between.map(<(f64, f64)>::from);
        class.call1((winner, found.margin, unit, found.by.name(), between)).map(Some)
    }

    /// The result as records of games have it: `1-0`, `0-1`, `1/2-1/2`, or `*` while the game goes on.
    ///
    /// >>> Board().result(), Board.from_fen("Q**/***/**q b").result()
    /// ('*', '1-0')
    fn result<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.board.outcome() {
            Some(outcome) => outcome_object(py, outcome)?.getattr("result"),
            None => Ok(PyString::new(py, "*").into_any()),
        }
    }

    /// Whether the game is over.
    fn is_game_over(&self) -> bool {
        self.board.outcome().is_some()
    }

    /// The usual spelling of a legal turn, which is not played.
    fn spell<'py>(&self, py: Python<'py>, turn: &str) -> PyResult<Bound<'py, PyAny>> {
        move_object(py, &self.board.read(turn).map_err(move_error)?)
    }

    /// The ways to go on with a turn that reads `begun` so far, each with whether it is a whole turn: `""` asks for the
    /// first steps. None if no legal turn begins so, or if `begun` is a whole turn.
    ///
    /// >>> board = Board.from_fen("q2/3/2Q w")
    /// >>> board.steps()[0], board.steps("c1a1")[0]
    /// (Step(text='c1a1', complete=False), Step(text='c1a1,a1b1', complete=True))
    #[pyo3(signature = (begun = ""))]
    fn steps<'py>(&self, py: Python<'py>, begun: &str) -> PyResult<Vec<Bound<'py, PyAny>>> {
        static CLASS: Class = Class::new("hippolyta.outcome", "Step");
        let class = CLASS.get(py)?;
        // A step that does not end its turn is a move: of the turn that has begun only that is known.
        let (mut found, mut last) = (Vec::new(), None);
        for turn in self.board.legal_turns().all() {
            let moves = turn.fire().map(|_| Turn::moving(turn.from(), turn.to()).to_string());
            let (text, complete) = match moves {
                Some(moves) if begun.is_empty() => (moves, false),
                Some(moves) if begun == moves => (turn.to_string(), true),
                None if begun.is_empty() => (turn.to_string(), true),
                _ => continue,
            };
            if last.as_ref() != Some(&text) {
                found.push(class.call1((&text, complete))?);
                last = Some(text);
            }
        }
        Ok(found)
    }

    /// The number of sequences of exactly `depth` turns. Blocks, on all cores, while other Python threads go on. Ctrl-C
    /// stops it.
    ///
    /// >>> Board("amazons6").perft(2)
    /// 238532
    fn perft(&self, py: Python<'_>, depth: &Bound<'_, PyAny>) -> PyResult<u64> {
        Ok(self.counted(py, whole("depth", depth, [0, u32::MAX])?)?.nodes)
    }

    /// The counts of `perft` by first turns.
    fn perft_divide<'py>(&self, py: Python<'py>, depth: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let counts = PyDict::new(py);
        for (turn, count) in self.counted(py, whole("depth", depth, [0, u32::MAX])?)?.divide {
            counts.set_item(turn.to_string(), count)?;
        }
        Ok(counts)
    }

    /// A copy with all turns.
    fn copy(&self) -> Self {
        Self::of(self.board.clone())
    }

    fn __copy__(&self) -> Self {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.copy()
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        match other.cast::<Self>() {
            Ok(other) => Ok(PyBool::new(py, self.board == other.try_borrow()?.board).to_owned().into_any().unbind()),
            Err(_) => Ok(py.NotImplemented()),
        }
    }

    #[classattr]
    #[pyo3(name = "__hash__")]
    fn hash() -> Option<i32> {
        None
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Arguments<'py>)> {
        let restore = py.get_type::<Self>().getattr("from_fen")?;
        let turns = self.board.turns().iter().map(Turn::to_string).collect();
        Ok((restore, (self.start_fen(), self.variant(py)?, turns)))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Board.from_fen('{}', {})", self.fen(), self.variant(py)?.repr()?))
    }

    fn __str__(&self) -> String {
        self.board.diagram()
    }

    /// The position as an SVG document; the options are those of `hippolyta.svg.of_board`.
    #[pyo3(signature = (**options))]
    fn svg<'py>(slf: &Bound<'py, Self>, options: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("hippolyta.svg")?.getattr("of_board")?.call((slf,), options)
    }

    /// The SVG document that a notebook shows.
    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::svg(slf, None)
    }
}

impl Board {
    fn counted(&self, py: Python<'_>, depth: u32) -> PyResult<Perft<Turn>> {
        let board = self.board.clone();
        let control = Arc::new(Control::default());
        let stopper = control.clone();
        let work = move || {
            // A pool of its own: the one that all share does not live on in a forked process.
            let threads = available_parallelism().map_or(1, usize::from);
            let pool =
                rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|error| error.to_string())?;
            pool.install(|| board.perft_while(depth, &|| !control.stopped())).ok_or_else(|| "stopped".to_owned())
        };
        interruptible(py, move || guarded(work), move || stopper.stop())?.map_err(crate::errors::engine_error)
    }
}

/// The legal turns of a position as a sequence of `Move`, in the order of the rules. It stays as it is when the board
/// goes on. Texts are made when they are asked for, so that `random.choice(board.legal_moves)` is quick.
#[pyclass(module = "hippolyta", frozen, sequence)]
pub struct LegalMoves {
    /// The game, for a copy in another process.
    board: engine::Board,
    turns: engine::LegalTurns,
    /// All of them, once somebody went through them.
    texts: OnceLock<Py<PyTuple>>,
}

impl LegalMoves {
    fn of(board: engine::Board) -> Self {
        let turns = board.legal_turns();
        Self { board, turns, texts: OnceLock::new() }
    }

    fn texts<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyTuple>> {
        let make = || {
            let texts = self.turns.all().iter().map(|turn| move_object(py, turn)).collect::<PyResult<Vec<_>>>()?;
            Ok(PyTuple::new(py, texts)?.unbind())
        };
        kept(&self.texts, make).map(|texts| texts.bind(py))
    }

    /// Where a text stands; `None` if it is none of the turns.
    fn place(&self, turn: &Bound<'_, PyAny>) -> Option<usize> {
        let turn = self.board.read(turn.extract::<&str>().ok()?).ok()?;
        self.turns.index(&turn)
    }

    /// The texts as a list, which has the methods of one.
    fn list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        Ok(self.texts(py)?.to_list())
    }
}

#[pymethods]
impl LegalMoves {
    fn __len__(&self) -> usize {
        self.turns.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if index.cast::<PySlice>().is_ok() {
            return self.list(py)?.as_any().get_item(index);
        }
        let count = self.turns.len() as i128;
        let at = self::index::<i64>("index", index)?.map(i128::from);
        let at = at.map(|at| if at < 0 { at + count } else { at });
        let turn = at.and_then(|at| usize::try_from(at).ok()).and_then(|at| self.turns.get(at));
        let turn = turn.ok_or_else(|| PyIndexError::new_err(format!("there are {count} legal moves")))?;
        move_object(py, &turn)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.texts(py)?.as_any().try_iter()?.into_any())
    }

    fn __reversed__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.list(py)?.as_any().call_method0("__reversed__")
    }

    fn __contains__(&self, turn: &Bound<'_, PyAny>) -> bool {
        self.place(turn).is_some()
    }

    /// Where a turn stands among them, counted from 0; with `start` and `stop`, only from there and before there. Any
    /// spelling will do. `ValueError` if it is not among them.
    #[pyo3(
        signature = (turn, start = None, stop = None, /),
        text_signature = "($self, turn, start=0, stop=9223372036854775807, /)"
    )]
    fn index(
        &self,
        turn: &Bound<'_, PyAny>,
        start: Option<&Bound<'_, PyAny>>,
        stop: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<usize> {
        let count = self.turns.len() as i128;
        let end = |name, given: Option<&Bound<'_, PyAny>>, default| -> PyResult<i128> {
            let Some(given) = given else { return Ok(default) };
            let far = if given.lt(0)? { 0 } else { count };
            let at = self::index::<i64>(name, given)?.map_or(far, i128::from);
            Ok(if at < 0 { (at + count).max(0) } else { at })
        };
        let within = end("start", start, 0)?..end("stop", stop, count)?;
        let place = self.place(turn).filter(|&place| within.contains(&(place as i128)));
        place.ok_or_else(|| PyValueError::new_err(format!("{} is not among the legal moves", shown(turn))))
    }

    /// 1 if the turn is legal, else 0.
    #[pyo3(signature = (turn, /))]
    fn count(&self, turn: &Bound<'_, PyAny>) -> usize {
        usize::from(self.place(turn).is_some())
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        match other.cast::<Self>() {
            Ok(other) => self.texts(py)?.eq(other.get().texts(py)?),
            Err(_) => self.list(py)?.eq(other),
        }
    }

    /// It is equal to a list of its texts, and so cannot be a key either.
    #[classattr]
    #[pyo3(name = "__hash__")]
    fn hash() -> Option<i32> {
        None
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Board, &'static str))> {
        let attribute = py.import("builtins")?.getattr("getattr")?;
        Ok((attribute, (Board::of(self.board.clone()), "legal_moves")))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let texts = self.texts(py)?;
        let first: Vec<String> = texts.iter().take(3).map(|text| text.extract()).collect::<PyResult<_>>()?;
        let more = if texts.len() > 3 { ", …" } else { "" };
        Ok(format!("<{} legal moves: {}{more}>", texts.len(), first.join(", ")))
    }
}
