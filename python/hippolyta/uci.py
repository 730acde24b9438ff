"""Any engine that speaks UCI or UGI, as a child process, with the methods and results of `hippolyta.Engine`.

>>> import sys
>>> from hippolyta import Board, Limit, uci
>>> command = [sys.executable, "-m", "hippolyta"]  # or the name of any program
>>> with uci.Engine(command, options={"Hash": 16}) as engine:
...     engine.play(Board(), Limit(nodes=100)).move in Board().legal_moves
True

An engine is not trusted. If it dies, says nothing for too long or does not stop, the call that waits for it raises
`EngineError`, and its process is gone. Output beyond the protocol is thrown away, however much it is.
"""

import math
import os
import queue
import subprocess
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Literal

from ._hippolyta import Board, EngineError, MoveError, Stopped, seconds, whole
from ._process import Process, start_thread
from .base import BaseAnalysis, BaseEngine, Query
from .info import Info, Line, PlayResult, Score
from .limit import Limit
from .outcome import Move, Side
from .rules import Rules

__all__ = ["Analysis", "Engine", "Option"]

OptionValue = str | int | float | bool | None
Command = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]

# Interim results that wait for a slow reader; the oldest go first.
_MOST_INTERIM = 1024
# A wait is cut in slices, as Windows hears Ctrl-C only between waits.
_SLICE = 0.2


@dataclass(frozen=True)
class Option:
    """An option that an engine offers."""

    name: str
    #: `check`, `spin`, `combo`, `button` or `string`.
    type: str
    default: str | None = None
    min: int | None = None
    max: int | None = None
    #: The values of a `combo`.
    values: tuple[str, ...] = ()


@dataclass
class _Search:
    """One `go`, from the queue to its `bestmove`."""

    query: Query
    side: Side
    fen: str
    ponders: bool
    interim: deque[Info] = field(default_factory=lambda: deque(maxlen=_MOST_INTERIM))
    listeners: list[Callable[[], object]] = field(default_factory=list)
    #: Said so far: lines by their number, and words that hold for all.
    lines: dict[int, Line] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    is_flushed: bool = True
    told: tuple[float, str | None] = (-math.inf, None)
    began: float = field(default_factory=time.monotonic)
    has_started: bool = False
    is_stopped: bool = False
    is_done: bool = False
    best: str | None = None
    ponder: str | None = None
    error: EngineError | None = None
    timers: list[threading.Timer] = field(default_factory=list)

    @property
    def is_unlimited(self) -> bool:
        limit = self.query.limit
        return self.ponders or limit is None or limit.is_unlimited

    def info(self, last: bool) -> Info:
        lines = tuple(self.lines[number] for number in sorted(self.lines))
        numbers = self.numbers
        elapsed = time.monotonic() - self.began
        unknown = Score(math.nan, math.nan, math.nan, math.nan, side=self.side)
        return Info(
            score=lines[0].score if lines else unknown,
            lines=tuple(line for line in lines if line.moves),
            nodes=numbers.get("nodes", 0),
            visits=0,
            time=numbers["time"] / 1000 if "time" in numbers else elapsed,
            depth=numbers.get("depth", 0),
            selective_depth=numbers.get("seldepth", numbers.get("depth", 0)),
            side=self.side,
            fen=self.fen,
            hash_full=numbers.get("hashfull", 0) / 1000,
            exact_hits=numbers.get("tbhits", 0),
            last=last,
        )


_NUMBERS = {"depth", "seldepth", "nodes", "time", "hashfull", "tbhits", "multipv"}
# Words of an info line that begin something else than a value.
_WORDS = _NUMBERS | {
    "score",
    "wdl",
    "nps",
    "pv",
    "string",
    "cpuload",
    "currmove",
    "currmovenumber",
    "refutation",
}


def _score(words: list[str], at: int, side: Side, ugi: bool) -> Score | None:
    """The score that stands at a place of an info line: `cp C` or `mate M`, and `wdl W D L` anywhere after."""
    kind, value = words[at : at + 2]
    number = int(value)
    if kind == "mate":
        if number > 0:
            return Score.won(number if ugi else 2 * number - 1, side)
        return Score(0.0, 0.0, 0.0, 1.0, -number if ugi else -2 * number, True, -100_000, side)
    if kind != "cp":
        return None
    if "wdl" not in words:
        return Score.of_centipawns(number, side)
    place = words.index("wdl") + 1
    win, draw, loss = (int(word) / 1000 for word in words[place : place + 3])
    if abs(win + draw + loss - 1) > 0.01 or min(win, draw, loss) < 0:
        return None
    return Score(win + draw / 2, win, draw, loss, centipawns=number, side=side)


class Analysis(BaseAnalysis):
    """A search of an `Engine` whose results are read while it goes on. One that does not stop is killed with its engine.
    If its reader is slow, the oldest interim results are lost."""

    def __init__(self, engine: "Engine", search: _Search) -> None:
        self._engine = engine
        self._search = search

    def stop(self) -> None:
        if not self._engine._is_forked():
            self._engine._stop(self._search)

    def result(self) -> Info:
        search = self._search
        self._wait_until(lambda: search.is_done)
        if search.error is not None:
            raise search.error
        return search.info(last=True)

    @property
    def done(self) -> bool:
        self._engine._check_process()
        return self._search.is_done

    def ponder_hit(self) -> None:
        self._engine._check_process()
        self._engine._ponder_hit(self._search)

    def _next(self) -> Info | None:
        search = self._search
        self._wait_until(lambda: bool(search.interim) or search.is_done)
        return self._take()

    def _take(self) -> Info | None:
        with self._engine._changed:
            interim = self._search.interim
            return interim.popleft() if interim else None

    def _listeners(self) -> list[Callable[[], object]]:
        self._engine._check_process()
        return self._search.listeners

    def _wait_until(self, holds: Callable[[], bool]) -> None:
        self._engine._check_process()
        with self._engine._changed:
            try:
                while not holds():
                    self._engine._changed.wait(_SLICE)
            except KeyboardInterrupt:
                self.stop()
                raise


class Engine(BaseEngine[Analysis]):
    """An engine in a process of its own.

    `command` is the program, or the program and its arguments; no shell reads it. `options` are set before the first
    search; names are read in any case. `timeout` is how many seconds the engine may take to greet, to be ready, to
    obey `stop`, and how long it may overrun its time; then it is killed. `protocol` is `uci` or `ugi`.

    Blocks until the engine has greeted. Raises `EngineError` if it cannot be started, does not greet or does not have
    one of the options.

    One engine does one search at a time: those that are begun meanwhile wait for it, except that an unlimited one is
    stopped for them. Rule sets are chosen by `UCI_Variant`. Positions are sent as a start position and turns, so
    repetitions count. A game that is over is not sent: `analysis` refuses it with a `ValueError`. A rating alone limits
    no search. An engine that reports no win, draw and loss gets its expected scores from its centipawns by
    the formula of Hippolyta, 1 / (1 + 10^(-cp / 400)). Fields that UCI does not have are `None`: visits of a line,
    priors, ownership and territory; an engine that reports no score at all has the score NaN.
    """

    _idle_rating = "a rating alone limits no UCI engine"

    def __init__(
        self,
        command: Command,
        options: Mapping[str, OptionValue] | None = None,
        *,
        timeout: float = 10.0,
        protocol: Literal["uci", "ugi"] = "uci",
    ) -> None:
        if protocol not in ("uci", "ugi"):
            raise ValueError(f"protocol: {protocol!r} is neither 'uci' nor 'ugi'")
        if not 0 < seconds("timeout", timeout) < threading.TIMEOUT_MAX:
            raise ValueError(f"timeout: {timeout} is not a time in which an engine can answer")
        words = [command] if isinstance(command, (str, os.PathLike)) else list(command)
        if not words:
            raise ValueError("command: it is empty")
        self._owner = os.getpid()
        self._command = [os.fspath(word) for word in words]
        self._given = dict(options or {})
        self._timeout = timeout
        self._ugi = protocol == "ugi"
        self._changed = threading.Condition(threading.RLock())
        self._current: _Search | None = None
        self._waiting: deque[_Search] = deque()
        self._error: EngineError | None = None
        self._heard: set[str] = set()
        self._set: dict[str, str] = {}
        self._game: tuple[str, str, Sequence[str]] | None = None
        self._teams: list[Engine] = []
        #: The name that the engine gives itself.
        self.name = os.path.basename(self._command[0])
        self.author = ""
        #: Options that the engine offers, by name.
        self.options: dict[str, Option] = {}
        # The threads hold the engine weakly, so that one that is forgotten goes away.
        me: weakref.ref[Engine] = weakref.ref(self)
        with self._changed:  # so that nothing is heard before there is a process
            self._process = Process(
                self._command, lambda line: _call(me, "_line", line), lambda: _call(me, "_ended")
            )
        try:
            self._ask(protocol, f"{protocol}ok")
            self.configure(self._given)
            if self._find("UCI_ShowWDL") and "uci_showwdl" not in {
                name.lower() for name in self._given
            }:
                self._option("UCI_ShowWDL", True)
            self._ask("isready", "readyok")
        except BaseException:
            self.close()
            raise

    def configure(self, options: Mapping[str, OptionValue]) -> None:
        """Sets options; `None` presses a button. They count from the next search on.

        Raises `EngineError` if the engine does not have one, and `ValueError` for a value that it cannot take.
        """
        self._check_process()
        for name, value in options.items():
            self._option(name, value)

    @contextmanager
    def _team(self, jobs: int) -> Iterator[Callable[[Query], Callable[[], Info]]]:
        idle: queue.SimpleQueue[Engine] = queue.SimpleQueue()
        idle.put(self)
        team: list[Engine] = []
        running: set[Analysis] = set()
        is_over = threading.Event()

        def work(query: Query) -> Info:
            engine = idle.get()
            try:
                known = engine._known(query.board)
                if known is not None:
                    return known
                analysis = engine._begin(query)
                running.add(analysis)
                # Who stops all may not have seen this one.
                if is_over.is_set():
                    analysis.stop()
                try:
                    return analysis.result()
                finally:
                    running.remove(analysis)
            finally:
                idle.put(engine)

        def begin(query: Query) -> Callable[[], Info]:
            future = pool.submit(work, replace(query, board=query.board.copy()))
            return lambda: _wait(future)

        pool = ThreadPoolExecutor(jobs, thread_name_prefix="uci analyse_many")
        protocol: Literal["uci", "ugi"] = "ugi" if self._ugi else "uci"
        try:
            for _ in range(jobs - 1):
                team.append(
                    Engine(self._command, self._given, timeout=self._timeout, protocol=protocol)
                )
                idle.put(team[-1])
            self._teams.extend(team)
            yield begin
        finally:
            is_over.set()
            pool.shutdown(wait=False, cancel_futures=True)
            for analysis in list(running):
                analysis.stop()
            for engine in team:
                engine.close()
                if engine in self._teams:
                    self._teams.remove(engine)
            pool.shutdown(wait=True)

    def _usual_jobs(self) -> int:
        return 1

    def close(self) -> None:
        """Ends the engine: asks it to quit, and kills it if it does not within a second. Later calls raise
        `EngineError`. To close twice is fine, and does nothing in a process that was forked since."""
        if self._is_forked():
            return
        with self._changed:
            if self._is_closed:
                return
            self._is_closed = True
            lost = self._error is not None
            self._fail("the engine is closed", kill=False)
        for engine in list(self._teams):
            engine.close()
        if not lost:
            self._process.send("stop")
            self._process.send("quit")
        self._process.end(patience=0.0 if lost else 1.0)

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._process.child.pid

    def __repr__(self) -> str:
        state = " closed" if self._is_closed else " lost" if self._error else ""
        return f"<uci.Engine {self.name!r}{state}>"

    def _known(self, board: Board) -> Info | None:
        """The analysis of a game that is over."""
        outcome = board.outcome()
        if outcome is None:
            return None
        side = board.turn
        if outcome.winner is None:
            score = Score(0.5, 0.0, 1.0, 0.0, None, True, 0, side)
        elif outcome.winner == side:
            score = Score.won(0, side)
        else:
            score = Score(0.0, 0.0, 0.0, 1.0, 0, True, -100_000, side)
        return Info(score, (), 0, 0, 0.0, 0, 0, side, board.fen())

    def _played(self, analysis: Analysis, info: Info) -> PlayResult:
        search = analysis._search
        if search.best is None:
            raise EngineError(f"{self.name} gave no move")
        try:
            move = search.query.board.spell(search.best)
        except MoveError as error:
            raise EngineError(f"{self.name} played an illegal move: {error}") from None
        ponder = None
        if search.ponder is not None:
            after = search.query.board.copy()
            after.push(move)
            with suppress(MoveError):
                ponder = after.spell(search.ponder)
        return PlayResult(move, ponder, info)

    # Methods from here on run with the lock, on whichever thread.

    def _is_forked(self) -> bool:
        """Whether this process was forked from that of the engine, whose threads are missing here; a lock that one of
        them held stays locked for ever."""
        return os.getpid() != self._owner

    def _check_process(self) -> None:
        if self._is_forked():
            text = "was made before the process was forked: make one in each process"
            raise EngineError(f"this engine {text}")

    def _most_lines(self) -> int:
        option = self._find("MultiPV")
        return super()._most_lines() if option is None or option.max is None else option.max

    def _check_open(self) -> None:
        self._check_process()
        if self._is_closed:
            raise EngineError("the engine is closed")
        if self._error is not None:
            raise EngineError(str(self._error))

    def _find(self, name: str) -> Option | None:
        return next(
            (option for known, option in self.options.items() if known.lower() == name.lower()),
            None,
        )

    def _option(self, name: str, value: OptionValue) -> None:
        option = self._find(name)
        if option is None:
            known = ", ".join(self.options) or "none"
            raise EngineError(f"{self.name} has no option '{name}': it has {known}")
        if option.type == "button":
            self._send(f"setoption name {option.name}")
            return
        text = (
            ("true" if value else "false")
            if isinstance(value, bool)
            else ""
            if value is None
            else str(value)
        )
        if option.type == "spin":
            try:
                number = int(text)
            except ValueError:
                raise ValueError(f"option {option.name}: {text!r} is not a whole number") from None
            least, most = option.min, option.max
            if (least is not None and number < least) or (most is not None and number > most):
                raise ValueError(f"option {option.name}: {number} is not from {least} to {most}")
        words = () if isinstance(value, Rules) else option.values
        if (
            words
            and option.type == "combo"
            and text.lower() not in {word.lower() for word in words}
        ):
            raise ValueError(
                f"option {option.name}: {text!r} is none of {', '.join(option.values)}"
            )
        if self._set.get(option.name) != text:
            self._send(f"setoption name {option.name} value {text}")
            self._set[option.name] = text

    def _send(self, line: str) -> None:
        if "\n" in line or "\r" in line:
            raise ValueError(f"a line for an engine has no line breaks: {line!r}")
        self._process.send(line)

    def _ask(self, question: str, answer: str) -> None:
        """Sends a line and waits for the one that begins with `answer`."""
        until = time.monotonic() + self._timeout
        with self._changed:
            self._heard.discard(answer)
            self._send(question)
            while answer not in self._heard:
                self._check_open()
                if time.monotonic() > until:
                    self._fail(
                        f"{self.name} did not answer '{question}' within {self._timeout:g} s"
                    )
                else:
                    self._changed.wait(_SLICE)

    def _begin(self, query: Query) -> Analysis:
        self._check_process()
        if query.streams and query.board.is_game_over():
            raise ValueError("the game is over: there is nothing to analyse")
        board = query.board.copy()
        moves = [board.spell(move) for move in query.root_moves]
        query = replace(query, board=board, root_moves=moves)
        search = _Search(query, board.turn, board.fen(), query.ponders)
        with self._changed:
            self._check_open()
            self._check_options(query)
            self._waiting.append(search)
            running = self._current
            if running is not None and running.is_unlimited:
                self._stop(running)
            self._advance()
        return Analysis(self, search)

    def _check_options(self, query: Query) -> None:
        variant = self._find("UCI_Variant")
        name = self._named(query.board.variant)
        known = variant is None or isinstance(name, Rules)
        values = () if variant is None else variant.values
        if not known and name.lower() not in {value.lower() for value in values}:
            raise EngineError(f"{self.name} does not play {name}: it plays {', '.join(values)}")
        if query.multipv > 1 and self._find("MultiPV") is None:
            raise EngineError(f"{self.name} has no option 'MultiPV'")
        if query.merge_mirrored and self._find("MergeMirrored") is None:
            raise EngineError(f"{self.name} has no option 'MergeMirrored'")
        if query.limit is not None and query.limit.elo is not None:
            option = self._find("UCI_Elo")
            if option is None:
                raise EngineError(f"{self.name} has no option 'UCI_Elo'")
            if option.min is not None and option.max is not None:
                whole("elo", query.limit.elo, option.min, option.max)

    def _named(self, variant: str) -> str:
        """By what the engine knows a rule set: Hippolyta reads rules of one's own, others know only a name."""
        if isinstance(variant, Rules) and not self.name.startswith("Hippolyta "):
            return variant.name
        return variant

    def _advance(self) -> None:
        """Begins the next search, if there is one and none runs."""
        while self._current is None and self._waiting and self._error is None:
            search = self._waiting.popleft()
            try:
                self._start(search)
            except (ValueError, EngineError) as error:
                self._finish(search, EngineError(str(error)))

    def _start(self, search: _Search) -> None:
        query = search.query
        board, limit = query.board, query.limit
        variant, start, moves = board.variant, board.start_fen, board.move_stack
        if self._find("UCI_Variant") is not None:
            self._option("UCI_Variant", self._named(variant))
        if self._find("MultiPV") is not None:
            self._option("MultiPV", query.multipv)
        if query.merge_mirrored or (
            "MergeMirrored" in self._set and "MergeMirrored" not in self._given
        ):
            self._option("MergeMirrored", query.merge_mirrored)
        if self._find("UCI_LimitStrength") is not None and self._find("UCI_Elo") is not None:
            if limit is not None and limit.elo is not None:
                self._option("UCI_LimitStrength", True)
                self._option("UCI_Elo", limit.elo)
            elif "UCI_LimitStrength" in self._set and "UCI_LimitStrength" not in self._given:
                self._option("UCI_LimitStrength", False)
        known = self._game
        same = known is not None and known[:2] == (variant, start) and not query.fresh
        if not same or known is None or not _is_continued(known[2], moves):
            self._send("uginewgame" if self._ugi else "ucinewgame")
        self._game = (variant, start, moves)
        self._send(f"position fen {start}" + (f" moves {' '.join(moves)}" if moves else ""))
        self._send(self._go(search))
        self._current = search
        search.has_started = True
        search.began = time.monotonic()
        if not search.ponders:
            self._watch(search)

    def _go(self, search: _Search) -> str:
        limit = search.query.limit or Limit()
        words = ["go"]
        if search.ponders:
            words.append("ponder")
        if limit.time is not None:
            words.append(f"movetime {max(1, round(limit.time * 1000))}")
        if limit.clock is not None:
            names = ("p1", "p2") if self._ugi else ("w", "b")
            for name, left in zip(names, limit.clock):
                if left is not None:
                    words.append(f"{name}time {round(left * 1000)}")
            for name, gained in zip(names, limit.increments):
                if gained:
                    words.append(f"{name}inc {round(gained * 1000)}")
            if limit.moves_to_go is not None:
                words.append(f"movestogo {limit.moves_to_go}")
        for name in ("nodes", "depth", "mate"):
            value = getattr(limit, name)
            if value is not None:
                words.append(f"{name} {value}")
        if len(words) == 1:
            words.append("infinite")
        if search.query.root_moves:
            words.append(f"searchmoves {' '.join(search.query.root_moves)}")
        return " ".join(words)

    def _watch(self, search: _Search) -> None:
        """Stops a search that overruns its time."""
        limit = search.query.limit
        if limit is None:
            return
        times = [] if limit.time is None else [limit.time]
        if limit.clock is not None:
            own = limit.clock[0 if search.side is Side.WHITE else 1]
            times += [] if own is None else [own]
        if times:
            self._later(search, min(times) + self._timeout, "_stop")

    def _later(self, search: _Search, seconds: float, method: str) -> None:
        me: weakref.ref[Engine] = weakref.ref(self)
        timer = threading.Timer(
            min(seconds, threading.TIMEOUT_MAX), lambda: _call(me, method, search)
        )
        timer.daemon = True
        search.timers.append(timer)
        timer.start()

    def _stop(self, search: _Search) -> None:
        with self._changed:
            if search.is_done or search.is_stopped:
                return
            search.is_stopped = True
            if not search.has_started:
                if search in self._waiting:
                    self._waiting.remove(search)
                self._finish(search, Stopped("stopped before the search began"))
            else:
                self._send("stop")
                self._later(search, self._timeout, "_give_up")

    def _give_up(self, search: _Search) -> None:
        with self._changed:
            if not search.is_done:
                self._fail(f"{self.name} did not answer 'stop' within {self._timeout:g} s")

    def _ponder_hit(self, search: _Search) -> None:
        with self._changed:
            if search is self._current and search.ponders:
                search.ponders = False
                self._send("ponderhit")
                self._watch(search)

    def _finish(self, search: _Search, error: EngineError | None = None) -> None:
        for timer in search.timers:
            timer.cancel()
        search.error = error
        search.is_done = True
        if search is self._current:
            self._current = None
        self._tell(search)

    def _tell(self, search: _Search) -> None:
        self._changed.notify_all()
        for listener in list(search.listeners):
            listener()

    def _fail(self, message: str, kill: bool = True) -> None:
        """The engine is of no use any more."""
        with self._changed:
            if self._error is None:
                self._error = EngineError(message)
            current = self._current
            searches = ([current] if current is not None else []) + list(self._waiting)
            self._waiting.clear()
            for search in searches:
                self._finish(search, EngineError(message))
            self._changed.notify_all()
        if kill:
            start_thread(self._process.end)

    def _ended(self) -> None:
        with self._changed:
            child = self._process.child
        try:
            code: int | None = child.wait(1)
        except subprocess.TimeoutExpired:
            code = None
        said = self._process.last_words()
        how = "has closed its output" if code is None else f"has ended with code {code}"
        self._fail(f"{self.name} {how}" + (f": {said[:300]}" if said else ""))

    def _line(self, line: str) -> None:
        words = line.split()
        if not words:
            return
        with self._changed:
            try:
                self._obey(words)
            except (ValueError, IndexError):
                # A line that is none of the protocol.
                pass

    def _obey(self, words: list[str]) -> None:
        first = words[0]
        search = self._current
        if first == "info":
            if search is not None:
                self._info(search, words)
        elif first == "bestmove":
            if search is None:
                return
            best = words[1] if len(words) > 1 else "(none)"
            search.best = None if best in ("(none)", "none", "0000") else best
            search.ponder = words[3] if len(words) > 3 and words[2] == "ponder" else None
            self._finish(search)
            self._advance()
        elif first in ("uciok", "ugiok", "readyok"):
            self._heard.add(first)
            self._changed.notify_all()
        elif first == "id" and len(words) > 2:
            if words[1] == "name":
                self.name = " ".join(words[2:])
            elif words[1] == "author":
                self.author = " ".join(words[2:])
        elif first == "option" and len(self.options) < 10_000:
            option = _read_option(words)
            self.options[option.name] = option

    def _info(self, search: _Search, words: list[str]) -> None:
        if "string" in words:
            words = words[: words.index("string")]
        pv: list[str] = []
        if "pv" in words:
            pv = words[words.index("pv") + 1 :]
            words = words[: words.index("pv")]
        numbers: dict[str, int] = {}
        for name, value in pairwise(words):
            if name in _NUMBERS and value not in _WORDS:
                numbers[name] = max(0, int(value))
        number = numbers.pop("multipv", 1)
        score = None
        if "score" in words:
            score = _score(words, words.index("score") + 1, search.side, self._ugi)
        bound = "lowerbound" in words or "upperbound" in words
        if score is not None and not bound and 1 <= number <= search.query.multipv:
            if number == 1:
                self._flush(search)
                search.lines.clear()
            search.lines[number] = Line(tuple(map(Move, pv)), score)
            search.is_flushed = False
        search.numbers.update(numbers)
        if len(search.lines) == search.query.multipv:
            self._flush(search)

    def _flush(self, search: _Search) -> None:
        """An interim result is complete."""
        if search.is_flushed or not search.query.streams:
            return
        search.is_flushed = True
        info = search.info(last=False)
        now = time.monotonic()
        then, move = search.told
        every = search.query.every
        if every is not None and info.move == move and now - then < every:
            return
        search.told = (now, info.move)
        search.interim.append(info)
        self._tell(search)


def _call(reference: "weakref.ref[Engine]", method: str, *arguments: Any) -> None:
    engine = reference()
    if engine is not None:
        getattr(engine, method)(*arguments)


def _is_continued(before: Sequence[str], now: Sequence[str]) -> bool:
    """Whether two lists of turns may belong to one game: one of them begins with the other."""
    short = min(len(before), len(now))
    return before[:short] == now[:short]


def _read_option(words: list[str]) -> Option:
    keys = {"name", "type", "default", "min", "max", "var"}
    found: dict[str, list[list[str]]] = {}
    key = ""
    for word in words[1:]:
        # A name may have words such as `min` in it; it ends at `type`.
        if word in keys and not (key == "name" and word != "type"):
            key = word
            found.setdefault(key, []).append([])
        elif key:
            found[key][-1].append(word)

    def text(key: str) -> str | None:
        return " ".join(found[key][0]) if key in found else None

    def number(key: str) -> int | None:
        value = text(key)
        return None if value is None else int(value)

    name = text("name")
    if not name:
        raise ValueError("an option without a name")
    values = tuple(" ".join(value) for value in found.get("var", []))
    return Option(
        name, text("type") or "string", text("default"), number("min"), number("max"), values
    )


def _wait(future: "Future[Info]") -> Info:
    """Waits so that Ctrl-C is heard on Windows, too."""
    while True:
        try:
            return future.result(_SLICE)
        except TimeoutError:
            if future.done():
                raise
        except BaseException as error:
            # Python 3.10 has another class of this name.
            if type(error).__name__ != "TimeoutError" or future.done():
                raise
