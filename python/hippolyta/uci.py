"""Any UCI engine in a process of its own, behind the interface of `hippolyta.Engine`.

>>> import hippolyta.uci
>>> with hippolyta.uci.Engine("hippolyta", options={"Hash": 16}) as engine:  # doctest: +SKIP
...     engine.play(hippolyta.Board(), hippolyta.Limit(time=0.1)).move
'd1d7,d7g7'

What the process says never fills memory: the last lines of a search are kept and nothing else, and a line beyond 1 MiB
ends the engine. The process never outlives its `Engine` object or this program, unless this program is killed; then
its standard input closes, which ends every engine that follows the protocol.
"""

import asyncio
import contextlib
import os
import queue
import shlex
import subprocess
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import (
    AsyncIterator,
    Callable,
    Collection,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from types import TracebackType
from typing import IO, Any

from ._hippolyta import Board, EngineError, Stopped
from .engine import _bar, _check_limit, _check_play, _cores, _played
from .info import Info, Line, PlayResult, Score
from .limit import Limit

__all__ = ["Analysis", "Engine"]

Value = str | int | float | bool
Command = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]

_LONGEST_LINE = 1 << 20
#: Interim results that nobody has taken yet; older ones are dropped.
_MOST_TOLD = 1_000
#: A slice of waiting, after which Python looks for signals. Windows cannot interrupt longer waits.
_SLICE = 0.1


class _Talk:
    """The process and the thread that reads it. Whoever waits for a line says which."""

    def __init__(self, command: Command, env: Mapping[str, str] | None) -> None:
        if isinstance(command, str):
            # A path with blanks in it is more likely a path than a program with arguments.
            words: list[str] = (
                [command]
                if os.path.exists(command)
                else shlex.split(command, posix=os.name != "nt")
            )
        elif isinstance(command, os.PathLike):
            words = [os.fspath(command)]
        else:
            words = [os.fspath(word) for word in command]
        if not words:
            raise ValueError("command: it is empty")
        self.name = os.path.basename(words[0])
        group: dict[str, Any] = {}
        # Ctrl-C on the terminal is ours to handle; the engine hears `stop`.
        if sys.platform == "win32":
            group["creationflags"] = subprocess.CREATE_NEW_PROCESS_GROUP
        else:
            group["start_new_session"] = True
        try:
            self.process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=None if env is None else dict(env),
                **group,
            )
        except OSError as error:
            raise EngineError(f"{words[0]}: {error.strerror or error}") from None
        self.changed = threading.Condition()
        #: Is given each line on the thread that reads; set while somebody waits.
        self.listener: Callable[[str], None] | None = None
        #: Why nothing more will come.
        self.ended: str | None = None
        self._write_lock = threading.Lock()
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None and stdout is not None
        threading.Thread(
            target=self._read, args=(stdout,), name=f"read {self.name}", daemon=True
        ).start()
        # An engine that does not read must not block whoever writes to it.
        threading.Thread(
            target=self._write, args=(stdin,), name=f"write {self.name}", daemon=True
        ).start()

    def _read(self, stdout: IO[bytes]) -> None:
        why = "has ended"
        while line := stdout.readline(_LONGEST_LINE):
            if not line.endswith(b"\n") and len(line) >= _LONGEST_LINE:
                why = f"wrote a line of more than {_LONGEST_LINE >> 20} MiB"
                self.process.kill()
                break
            text = line.decode("utf-8", "replace").strip()
            with self.changed:
                if self.listener is not None:
                    self.listener(text)
                    self.changed.notify_all()
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = self.process.wait(2)
            if why == "has ended":
                why = f"has ended with exit code {code}"
        with self.changed:
            self.ended = why
            self.changed.notify_all()
        stdout.close()

    def _write(self, stdin: IO[bytes]) -> None:
        # A process that has ended is told of by the thread that reads.
        with contextlib.suppress(OSError, ValueError):
            while (data := self._outbox.get()) is not None:
                stdin.write(data)
                stdin.flush()
        with contextlib.suppress(OSError, ValueError):
            stdin.close()

    def send(self, line: str) -> None:
        """Puts a line on its way. Never blocks."""
        if "\n" in line or "\r" in line:
            raise ValueError(f"a line to an engine is one line: {line!r}")
        self._outbox.put(line.encode() + b"\n")

    def wait_for(
        self, is_there: Callable[[], bool], end: Callable[[], float | None], what: str
    ) -> None:
        """Blocks until `is_there`, in slices, at most until the time that `end` tells. Call it with `changed` held."""
        while not is_there():
            if self.ended is not None:
                raise EngineError(f"{self.name} {self.ended}")
            until = end()
            left = _SLICE if until is None else min(_SLICE, until - time.monotonic())
            if left <= 0:
                raise EngineError(f"{self.name} did not answer in time: there is no {what}")
            self.changed.wait(left)

    def ask(
        self, line: str, answer: str, timeout: float, listener: Callable[[str], None] | None = None
    ) -> None:
        """Sends a line and blocks until a line that begins with `answer` comes."""
        seen = False

        def listen(text: str) -> None:
            nonlocal seen
            if listener is not None:
                listener(text)
            seen = seen or text.split(" ")[0] == answer

        with self.changed:
            self.listener = listen
            try:
                self.send(line)
                end = time.monotonic() + timeout
                self.wait_for(lambda: seen, lambda: end, answer)
            finally:
                self.listener = None

    def end(self, patience: float) -> None:
        """Ends the process: by `quit`, and if that does not help, by force. Safe to call twice."""
        self._outbox.put(b"quit\n")
        self._outbox.put(None)
        try:
            self.process.wait(patience)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def _kill(process: "subprocess.Popen[bytes]") -> None:
    """For an engine that nobody has closed."""
    if process.poll() is None:
        process.kill()
        process.wait()


class _Lines:
    """What an engine has said of one search."""

    def __init__(self, board: Board) -> None:
        self.side, self.fen = board.turn, board.fen()
        self.lines: dict[int, Line] = {}
        self.depth = self.selective_depth = self.nodes = 0
        self.milliseconds: int | None = None
        self.hash_full = 0.0
        self.exact_hits = 0
        self.begun = time.monotonic()

    def hear(self, words: list[str]) -> bool:
        """Takes note of the words behind `info`. Whether there is something new."""
        fields, pv, wdl = self._fields(words)
        points = fields.get("cp"), fields.get("mate")
        if points == (None, None):
            return False
        self.depth = fields.get("depth", self.depth)
        self.selective_depth = fields.get("seldepth", self.selective_depth)
        self.nodes = fields.get("nodes", self.nodes)
        self.milliseconds = fields.get("time", self.milliseconds)
        self.hash_full = fields.get("hashfull", 0) / 1000
        self.exact_hits = fields.get("tbhits", self.exact_hits)
        index = fields.get("multipv", 1)
        if index == 1:
            # Lines of the last report that this one does not have are out of date.
            self.lines.clear()
        if 1 <= index <= 10_000:
            self.lines[index] = Line(tuple(pv), self._score(points, wdl))
        return True

    @staticmethod
    def _fields(words: list[str]) -> tuple[dict[str, int], list[str], list[int]]:
        fields: dict[str, int] = {}
        wdl: list[int] = []
        at = 0
        while at < len(words):
            word = words[at]
            at += 1
            if word == "pv":
                return fields, words[at:], wdl
            if word == "string":
                break
            if word == "wdl":
                numbers = [_number(text) for text in words[at : at + 3]]
                wdl = [number for number in numbers if number is not None and number >= 0]
                at += 3
            elif word != "score" and at < len(words):
                number = _number(words[at])
                if number is not None:
                    fields[word] = number
                    at += 1
        return fields, [], wdl

    def _score(self, points: tuple[int | None, int | None], wdl: list[int]) -> Score:
        cp, mate = points
        if mate is not None:
            # UCI counts the winner's own turns. Without a sign for 0: lost already.
            if mate > 0:
                return Score.won(2 * mate - 1, self.side)
            return Score.won(-2 * mate, self.side.other).pov(self.side)
        cp = max(-100_000, min(100_000, cp or 0))
        if len(wdl) == 3 and sum(wdl) > 0:
            win, draw, loss = (share / sum(wdl) for share in wdl)
        else:
            # The scale of Elo differences, which Hippolyta's centipawns are on.
            win = 1 / (1 + 10 ** (-cp / 400))
            draw, loss = 0.0, 1 - win
        return Score(win + draw / 2, win, draw, loss, None, False, cp, self.side)

    def info(self, move: str | None, last: bool) -> Info:
        """What is known now. `move` is the answer, once there is one."""
        lines = [self.lines[index] for index in sorted(self.lines) if self.lines[index].moves]
        even = Score(0.5, 0.5, 0.0, 0.5, side=self.side)
        score = self.lines[1].score if 1 in self.lines else even
        if move is not None and (not lines or lines[0].moves[0] != move):
            # It plays another turn than that of its best line, or has told of none.
            same = [line for line in lines if line.moves[0] == move] or [Line((move,), score)]
            lines = same + [line for line in lines if line.moves[0] != move]
        elapsed = time.monotonic() - self.begun
        return Info(
            score=score,
            lines=tuple(lines),
            nodes=self.nodes,
            visits=self.nodes,
            time=elapsed if self.milliseconds is None else self.milliseconds / 1000,
            depth=self.depth,
            selective_depth=self.selective_depth,
            side=self.side,
            fen=self.fen,
            hash_full=self.hash_full,
            exact_hits=self.exact_hits,
            last=last,
        )


def _number(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None


class Analysis:
    """A search of an engine in a process; the interface of `hippolyta.engine.Analysis`."""

    def __init__(self, engine: "Engine", board: Board, go: str) -> None:
        self._engine, self._talk = engine, engine._talk
        self._lines = _Lines(board)
        self._told: deque[Info] = deque(maxlen=_MOST_TOLD)
        self._result: Info | None = None
        self._error: EngineError | None = None
        self._is_over = self._is_done = False
        self._stopped: float | None = None
        outcome = board.outcome()
        if outcome is not None:
            # Engines answer this each in their own way, or not at all.
            self._result, self._is_done = _finished(board), True
            self._engine._free()
            return
        with self._talk.changed:
            self._talk.listener = self._hear
            self._talk.send(go)

    def _hear(self, text: str) -> None:
        words = text.split()
        if words[:1] == ["info"]:
            if self._lines.hear(words[1:]):
                self._told.append(self._lines.info(None, last=False))
        elif words[:1] == ["bestmove"]:
            move = words[1] if len(words) > 1 and words[1] not in ("(none)", "0000") else None
            info = self._lines.info(move, last=True)
            if (
                len(words) > 3
                and words[2] == "ponder"
                and info.lines
                and len(info.lines[0].moves) == 1
            ):
                best = info.lines[0]
                expected = Line((*best.moves, words[3]), best.score, best.visits, best.prior)
                info = Info(**{**vars(info), "lines": (expected, *info.lines[1:])})
            self._end(info)

    def _end(self, info: Info | None, error: EngineError | None = None) -> None:
        if self._is_done:
            return
        self._result, self._error, self._is_done = info, error, True
        self._talk.listener = None
        self._engine._free()

    def _deadline(self) -> float | None:
        """Until when a search that was stopped must answer."""
        return None if self._stopped is None else self._stopped + self._engine.timeout

    def _wait(self, is_there: Callable[[], bool]) -> None:
        """Blocks until `is_there` or the search is over."""
        with self._talk.changed:
            try:
                self._talk.wait_for(lambda: is_there() or self._is_done, self._deadline, "bestmove")
            except EngineError as error:
                self._end(None, error)
                self._talk.process.kill()
            except BaseException:
                # Ctrl-C: the search ends, and whoever waited hears of it.
                self.stop()
                try:
                    self._talk.wait_for(lambda: self._is_done, self._deadline, "bestmove")
                except EngineError as error:
                    self._end(None, error)
                    self._talk.process.kill()
                raise

    def stop(self) -> None:
        """Ends the search as soon as possible. Returns at once."""
        with self._talk.changed:
            if not self._is_done and self._stopped is None:
                self._stopped = time.monotonic()
                self._talk.send("stop")
                self._talk.changed.notify_all()

    def result(self) -> Info:
        """Blocks until the search is over, and returns its last result. Raises `EngineError` if the process ended or
        did not answer."""
        self._wait(lambda: False)
        if self._error is not None:
            raise self._error
        if self._result is None:
            raise Stopped("the search was stopped before it had a result")
        return self._result

    @property
    def done(self) -> bool:
        """Whether the search is over."""
        return self._is_done

    def ponder_hit(self) -> None:
        """The opponent has played the expected turn."""
        self._talk.send("ponderhit")

    def __iter__(self) -> Iterator[Info]:
        return self

    def __next__(self) -> Info:
        if self._is_over:
            raise StopIteration
        self._wait(lambda: bool(self._told))
        with self._talk.changed:
            if self._told:
                return self._told.popleft()
        self._is_over = True
        return self.result()

    def __enter__(self) -> "Analysis":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
        self._wait(lambda: False)

    async def wait(self) -> Info:
        """What `result` returns; other tasks of the event loop run meanwhile. To cancel it stops the search."""
        try:
            return await asyncio.to_thread(self.result)
        except asyncio.CancelledError:
            self.stop()
            raise

    def __aiter__(self) -> AsyncIterator[Info]:
        return self

    async def __anext__(self) -> Info:
        try:
            found = await asyncio.to_thread(next, self, None)
        except asyncio.CancelledError:
            self.stop()
            raise
        if found is None:
            raise StopAsyncIteration
        return found

    async def __aenter__(self) -> "Analysis":
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
        await asyncio.to_thread(self._wait, lambda: False)


def _finished(board: Board) -> Info:
    outcome, side = board.outcome(), board.turn
    winner = None if outcome is None else outcome.winner
    score = (
        Score(0.5, 0.0, 1.0, 0.0, proven=True, side=side)
        if winner is None
        else Score.won(0, winner).pov(side)
    )
    return Info(score, (), 0, 0, 0.0, 0, 0, side, board.fen())


class Engine:
    """A UCI engine in a process of its own. The methods are those of `hippolyta.Engine`.

    `command` is a program, with arguments if it is a list or a text that names no file. `options` are the engine's own,
    by name, whatever their case: `{"Hash": 64, "Threads": 2}`. The rule set is set by `UCI_Variant` if the engine has
    that option. `timeout` is how many seconds the engine may take to start, and to answer a `stop`; a search takes as
    long as its limit. `env` replaces the environment.

    Searches run one after another, whichever threads ask for them; other threads of Python go on meanwhile. Ctrl-C stops
    a search and raises `KeyboardInterrupt`.

    Raises `EngineError` if the program cannot be started, does not speak UCI, or refuses an option.
    """

    def __init__(
        self,
        command: Command,
        options: Mapping[str, Value] | None = None,
        *,
        timeout: float = 10.0,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self.timeout = timeout
        self._command, self._wanted, self._env = command, dict(options or {}), env
        self._busy = threading.Lock()
        self._is_closed = False
        #: Name and author, as the engine says them.
        self.id: dict[str, str] = {}
        #: The options that the engine has, each with the words of its type, default and range.
        self.options: dict[str, str] = {}
        self._set: dict[str, str] = {}
        self._talk = _Talk(command, env)
        self._finalizer = weakref.finalize(self, _kill, self._talk.process)
        try:
            self._talk.ask("uci", "uciok", timeout, self._hear_option)
            self.configure(self._wanted)
        except BaseException:
            self.close()
            raise

    def _hear_option(self, text: str) -> None:
        if len(self.options) > 10_000:
            return
        words = text.split()
        if words[:1] == ["id"] and len(words) > 2:
            self.id[words[1]] = " ".join(words[2:])
        elif words[:2] == ["option", "name"] and "type" in words:
            at = words.index("type")
            self.options[" ".join(words[2:at])] = " ".join(words[at:])

    def configure(self, options: Mapping[str, Value]) -> None:
        """Sets options. Blocks until the engine is ready. Raises `EngineError` for an option that it does not have."""
        with self._turn():
            for name, value in options.items():
                self._option(name, value)
            self._talk.ask("isready", "readyok", max(self.timeout, 60.0))

    def _known(self, name: str) -> str | None:
        return next((known for known in self.options if known.lower() == name.lower()), None)

    def _option(self, name: str, value: Value) -> None:
        known = self._known(name)
        if known is None:
            raise EngineError(f"{self._talk.name} has no option {name!r}")
        text = str(value).lower() if isinstance(value, bool) else str(value)
        if self._set.get(known) != text:
            self._talk.send(f"setoption name {known} value {text}")
            self._set[known] = text

    @contextlib.contextmanager
    def _turn(self) -> Iterator[None]:
        self._take()
        try:
            yield
        finally:
            self._free()

    def _take(self) -> None:
        """Waits for the engine to be free, in slices, so that Ctrl-C is heard."""
        while not self._busy.acquire(timeout=_SLICE):
            pass
        if self._is_closed:
            self._free()
            raise EngineError("the engine is closed")

    def _free(self) -> None:
        with contextlib.suppress(RuntimeError):
            self._busy.release()

    def _begin(
        self,
        board: Board,
        limit: Limit | None,
        multipv: int = 1,
        include: tuple[bool, bool, bool] = (False, False, False),
        root_moves: Collection[str] | None = None,
        ponder: bool = False,
    ) -> Analysis:
        if multipv < 1:
            raise ValueError("multipv: at least 1")
        if any(include):
            raise ValueError(
                "ownership, territory and stones are not part of UCI: hippolyta.Engine has them"
            )
        if root_moves is not None and not root_moves:
            raise ValueError("root_moves: there are none")
        if limit is not None and limit.elo is not None and limit.is_unlimited:
            raise ValueError("elo: over UCI a rating needs a limit beside it, as time or nodes")
        words = _go(limit or Limit(), ponder) + (["searchmoves", *root_moves] if root_moves else [])
        self._take()
        try:
            if self._known("UCI_Variant"):
                self._option("UCI_Variant", board.variant)
            if self._known("MultiPV"):
                self._option("MultiPV", multipv)
            elif multipv > 1:
                raise EngineError(f"{self._talk.name} has no option 'MultiPV'")
            elo = None if limit is None else limit.elo
            if elo is not None or self._set.get("UCI_LimitStrength") == "true":
                self._option("UCI_LimitStrength", elo is not None)
            if elo is not None:
                self._option("UCI_Elo", elo)
            fen = board.start_fen
            start = "startpos" if fen == Board(board.variant).fen() else f"fen {fen}"
            moves = board.move_stack
            self._talk.send(" ".join(["position", start, *(["moves", *moves] if moves else [])]))
            self._talk.ask("isready", "readyok", max(self.timeout, 60.0))
        except BaseException:
            self._free()
            raise
        # From here on the search frees the engine.
        return Analysis(self, board, " ".join(words))

    def play(
        self, board: Board, limit: Limit, *, root_moves: Collection[str] | None = None
    ) -> PlayResult:
        """Chooses a turn. Blocks until the engine answers. Raises `EngineError` if it plays what is not legal."""
        _check_play(board, limit)
        return self._played(board, self._begin(board, limit, root_moves=root_moves).result())

    async def play_async(
        self, board: Board, limit: Limit, *, root_moves: Collection[str] | None = None
    ) -> PlayResult:
        """The same as `play` for asyncio. To cancel it stops the search."""
        _check_play(board, limit)
        analysis = await asyncio.to_thread(
            self._begin, board, limit, 1, (False, False, False), root_moves
        )
        return self._played(board, await analysis.wait())

    def _played(self, board: Board, info: Info) -> PlayResult:
        if info.move is None:
            raise EngineError(
                f"{self._talk.name} has no move, and the game is not over: {board.fen()}"
            )
        try:
            board.spell(info.move)
        except ValueError as error:
            raise EngineError(f"{self._talk.name}: {error}") from None
        return _played(info)

    def analyse(
        self,
        board: Board,
        limit: Limit,
        multipv: int = 1,
        ownership: bool = False,
        territory: bool = False,
        stones: bool = False,
        root_moves: Collection[str] | None = None,
    ) -> Info:
        """Searches a position. Blocks until the engine answers. `visits` are its nodes, as UCI knows no visits."""
        _check_limit(limit)
        return self._begin(
            board, limit, multipv, (ownership, territory, stones), root_moves
        ).result()

    async def analyse_async(
        self,
        board: Board,
        limit: Limit,
        multipv: int = 1,
        ownership: bool = False,
        territory: bool = False,
        stones: bool = False,
        root_moves: Collection[str] | None = None,
    ) -> Info:
        """The same as `analyse` for asyncio. To cancel it stops the search."""
        _check_limit(limit)
        include = (ownership, territory, stones)
        analysis = await asyncio.to_thread(self._begin, board, limit, multipv, include, root_moves)
        return await analysis.wait()

    def analysis(
        self,
        board: Board,
        limit: Limit | None = None,
        multipv: int = 1,
        ownership: bool = False,
        territory: bool = False,
        stones: bool = False,
        root_moves: Collection[str] | None = None,
        *,
        ponder: bool = False,
    ) -> Analysis:
        """Begins a search; its results are read while it goes on. Without `limit` it goes on until it is stopped."""
        return self._begin(
            board, limit, multipv, (ownership, territory, stones), root_moves, ponder
        )

    def analyse_many(
        self,
        boards: Iterable[Board],
        limit: Limit,
        jobs: int | None = None,
        multipv: int = 1,
        *,
        progress: bool | None = None,
    ) -> Iterator[Info]:
        """Analyses any number of boards, `jobs` at a time, and gives the results in their order. Each job is a process
        of its own, with the options of this one; by default there are as many as cores.

        Each board is searched after `ucinewgame`, so that nothing is known from others.
        """
        _check_limit(limit)
        if jobs is not None and jobs < 1:
            raise ValueError("jobs: at least 1")
        self._check_open()
        return self._many(boards, limit, jobs or _cores(), multipv, progress)

    def _many(
        self, boards: Iterable[Board], limit: Limit, jobs: int, multipv: int, progress: bool | None
    ) -> Iterator[Info]:
        count = len(boards) if isinstance(boards, Collection) else None
        bar = _bar(count, progress)
        team: list[Engine] = []
        local = threading.local()

        def search(board: Board) -> Info:
            if not hasattr(local, "engine"):
                local.engine = Engine(
                    self._command, self._wanted, timeout=self.timeout, env=self._env
                )
                team.append(local.engine)
            local.engine._talk.send("ucinewgame")
            info: Info = local.engine.analyse(board, limit, multipv)
            return info

        pool = ThreadPoolExecutor(jobs, thread_name_prefix="uci")
        begun: deque[Future[Info]] = deque()
        try:
            rest = iter(boards)
            while True:
                for board in rest:
                    begun.append(pool.submit(search, board.copy()))
                    if len(begun) >= 2 * jobs + 2:
                        break
                if not begun:
                    break
                info = _result(begun.popleft())
                if bar is not None:
                    bar.update()
                yield info
        finally:
            if bar is not None:
                bar.close()
            for future in begun:
                future.cancel()
            for engine in team:
                engine.close(patience=0.0)
            pool.shutdown()
            # A job that was starting its engine meanwhile.
            for engine in team:
                engine.close(patience=0.0)

    def close(self, patience: float = 2.0) -> None:
        """Ends the process: by `quit`, and after `patience` seconds by force. Later calls raise `EngineError`."""
        self._is_closed = True
        self._talk.end(patience)
        self._finalizer.detach()

    @property
    def closed(self) -> bool:
        """Whether the engine was closed."""
        return self._is_closed

    def _check_open(self) -> None:
        if self._is_closed:
            raise EngineError("the engine is closed")

    def __enter__(self) -> "Engine":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<uci.Engine({self.id.get('name', self._talk.name)!r}){' closed' if self._is_closed else ''}>"


def _result(future: "Future[Info]") -> Info:
    """The result of a job, waited for in slices, so that Ctrl-C is heard."""
    while True:
        try:
            return future.result(_SLICE)
        except NotYet:
            if future.done():
                return future.result()


def _go(limit: Limit, ponder: bool) -> list[str]:
    """The words of `go`."""
    words = ["go"]
    if ponder:
        words.append("ponder")
    if limit.is_unlimited:
        return [*words, "infinite"]

    def milliseconds(seconds: float) -> str:
        return str(round(1000 * seconds))

    for name, value in (("nodes", limit.nodes), ("depth", limit.depth), ("mate", limit.mate)):
        if value is not None:
            words += [name, str(value)]
    if limit.time is not None:
        words += ["movetime", milliseconds(limit.time)]
    for name, left in zip(("wtime", "btime"), limit.clock or ()):
        if left is not None:
            words += [name, milliseconds(left)]
    if limit.clock is not None or limit.increments != (0, 0):
        for name, gained in zip(("winc", "binc"), limit.increments):
            words += [name, milliseconds(gained)]
    if limit.moves_to_go is not None:
        words += ["movestogo", str(limit.moves_to_go)]
    return words
