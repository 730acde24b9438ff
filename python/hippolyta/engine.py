"""The engine inside this process: play, analysis, streams of results, many positions at once."""

import asyncio
import os
from collections import deque
from collections.abc import AsyncIterator, Collection, Iterable, Iterator
from types import TracebackType
from typing import Any

from ._hippolyta import Board, EngineError, Search, Searcher, seconds, whole
from ._progress import bar
from .info import Info, PlayResult, made
from .limit import BOUNDS, Limit

__all__ = ["Analysis", "Engine"]


class Analysis:
    """A search whose results are read while it goes on; `Engine.analysis` begins one.

    It is an iterator, and an asynchronous one: it gives each interim result and, at last, the final one. As a context
    manager it stops the search at the end of the block. The engine lives at least as long as its analyses.

    A search goes on in the process that began it: in one that was forked since, all methods but `stop`, which does
    nothing there, raise `EngineError`.
    """

    def __init__(self, search: Search) -> None:
        self._search = search
        self._is_over = False
        self._changed: asyncio.Event | None = None

    def stop(self) -> None:
        """Ends the search as soon as possible, in milliseconds. Returns at once."""
        self._search.stop()

    def result(self) -> Info:
        """Blocks until the search is over, and returns its last result.

        Raises `Stopped` if it was stopped before it began, and `EngineError` if the engine was closed before.
        """
        return made(self._search.result())

    @property
    def done(self) -> bool:
        """Whether the search is over."""
        return self._search.done

    def ponder_hit(self) -> None:
        """The opponent has played the expected turn: the limits of a search with `ponder=True` count from now on."""
        self._search.ponder_hit()

    def __iter__(self) -> Iterator[Info]:
        return self

    def __next__(self) -> Info:
        if self._is_over:
            raise StopIteration
        told = self._search.next()
        if told is not None:
            return made(told)
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

    async def wait(self) -> Info:
        """What `result` returns; other tasks of the event loop run meanwhile. To cancel it stops the search."""
        await self._until_over()
        return self.result()

    def __aiter__(self) -> AsyncIterator[Info]:
        return self

    async def __anext__(self) -> Info:
        if self._is_over:
            raise StopAsyncIteration
        changed = self._listen()
        while True:
            changed.clear()
            told = self._search.take()
            if told is not None:
                return made(told)
            if self._search.done:
                self._is_over = True
                return self.result()
            await self._next_change(changed)

    async def __aenter__(self) -> "Analysis":
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _listen(self) -> asyncio.Event:
        if self._changed is None:
            loop, changed = asyncio.get_running_loop(), asyncio.Event()

            def listener() -> None:
                # The loop may be closed by now; then nobody waits.
                if not loop.is_closed():
                    loop.call_soon_threadsafe(changed.set)

            self._changed = changed
            self._search.listen(listener)
        return self._changed

    async def _next_change(self, changed: asyncio.Event) -> None:
        try:
            await changed.wait()
        except asyncio.CancelledError:
            self.stop()
            raise

    async def _until_over(self) -> None:
        changed = self._listen()
        while not self._search.done:
            changed.clear()
            if not self._search.done:
                await self._next_change(changed)


class Engine:
    """An engine for boards of all rule sets.

    `threads` search one position together, 1 … 1024. `hash` is the memory of tree and table in MiB, taken at the first
    search, 1 … 32,768.
    `eval_file` is a file of weights, as `hippolyta fit` writes it, in place of those built in. `seed` breaks ties: with
    one thread and a limit on nodes, the same searches in the same order give the same results on every machine.

    An engine keeps what it has searched if a board continues the game of its last search. Searches of one engine run
    one after another, whichever threads ask for them; several engines run beside each other. Python's other threads go
    on during a search. Ctrl-C ends it within milliseconds and raises `KeyboardInterrupt`.

    Raises `ValueError` if a number is out of its bounds, those of UCI's options; `EngineError` if `eval_file` is no such
    file, and later if the system refuses memory or threads, or in a process that was forked after the engine was made.

    >>> with Engine(hash=16) as engine:
    ...     board = Board("amazons6")
    ...     result = engine.play(board, Limit(nodes=200))
    ...     result.move in board.legal_moves
    True
    """

    def __init__(
        self,
        threads: int = 1,
        hash: int = 64,
        eval_file: str | os.PathLike[str] | None = None,
        seed: int = 0,
        variant: str | None = None,
    ) -> None:
        self._settings: dict[str, Any] = {
            "threads": threads,
            "hash": hash,
            "eval_file": None if eval_file is None else os.fspath(eval_file),
            "seed": seed,
        }
        self._threads = threads
        self._searcher = Searcher(**self._settings)
        self._is_closed = False
        self._teams: list[Searcher] = []
        if variant is not None:
            # Whoever names it pays for memory and threads now, and hears now if there are not enough.
            self._searcher.search(Board(variant), Limit(nodes=1)).result()

    def play(
        self,
        board: Board,
        limit: Limit,
        *,
        root_moves: Collection[str] | None = None,
    ) -> PlayResult:
        """Chooses a turn. Blocks until `limit` is reached or the result is proven. The board stays as it is.

        With `root_moves`, only one of these. Raises `ValueError` if the game is over or nothing limits the search,
        `MoveError` if one of `root_moves` is not legal, and `EngineError` if the engine is closed.
        """
        _check_play(board, limit)
        return _played(self._begin(board, limit, root_moves=root_moves).result())

    async def play_async(
        self,
        board: Board,
        limit: Limit,
        *,
        root_moves: Collection[str] | None = None,
    ) -> PlayResult:
        """The same as `play` for asyncio. To cancel it stops the search."""
        _check_play(board, limit)
        return _played(await self._begin(board, limit, root_moves=root_moves).wait())

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
        """Searches a position, and blocks until `limit` is reached or the result is proven.

        `multipv` is the number of lines. `ownership`, `territory` and `stones` ask for what a rule set knows beside
        the search; what it does not know is `None`. Raises what `play` raises, but a finished game has a score.

        >>> with Engine(hash=16) as engine:
        ...     board = Board.from_fen("q1*/**1/2Q w")
        ...     info = engine.analyse(board, Limit(nodes=100))
        >>> info.score.mate, info.pv
        (1, ('c1c2,c2b3',))
        """
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
        return await self._begin(board, limit, multipv, include, root_moves).wait()

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
        every: float | None = None,
        ponder: bool = False,
    ) -> Analysis:
        """Begins a search and returns at once; its results are read while it goes on.

        Without `limit` it goes on until it is stopped or the result is proven. Interim results come when the best
        turn changes, and at least each `every` seconds (1 if not given). With `ponder`, no limit counts until
        `Analysis.ponder_hit`. Only the last result has `ownership`, `territory` and `stones`.

        >>> with Engine(hash=16) as engine, engine.analysis(Board(), Limit(nodes=500)) as analysis:
        ...     for info in analysis:
        ...         nodes = info.nodes
        >>> info.last and nodes >= 500
        True
        """
        include = (ownership, territory, stones)
        return self._begin(board, limit, multipv, include, root_moves, every, ponder, streams=True)

    def analyse_many(
        self,
        boards: Iterable[Board],
        limit: Limit,
        jobs: int | None = None,
        multipv: int = 1,
        ownership: bool = False,
        territory: bool = False,
        stones: bool = False,
        *,
        progress: bool | None = None,
    ) -> Iterator[Info]:
        """Analyses any number of boards, `jobs` at a time, and gives the results in their order, each as soon as it and
        all before it are known.

        Each board is searched with nothing known from others. So with one thread a search and a limit on nodes, the
        results do not depend on `jobs`, unless a search fills its memory. By default there are as many jobs as cores
        over `threads`. They share memory of the size of `hash`, beside the engine's own.

        A progress bar is shown on a terminal if tqdm is installed; with `progress=True` in any case, and with `False`
        never. Boards are taken from the iterable as they are needed, so it may be endless.

        >>> boards = [Board("amazons6"), Board.from_fen("q1*/**1/2Q w")]
        >>> with Engine(hash=16) as engine:
        ...     [info.score.proven for info in engine.analyse_many(boards, Limit(nodes=50))]
        [False, True]
        """
        _check_limit(limit)
        if jobs is None:
            jobs = max(1, _cores() // self._threads)
        whole("jobs", jobs, *BOUNDS["jobs"])
        whole("multipv", multipv, *BOUNDS["multipv"])
        self._check_open()
        include = (ownership, territory, stones)
        return self._many(boards, limit, jobs, multipv, include, progress)

    def _many(
        self,
        boards: Iterable[Board],
        limit: Limit,
        jobs: int,
        multipv: int,
        include: tuple[bool, bool, bool],
        progress: bool | None,
    ) -> Iterator[Info]:
        self._check_open()
        team = Searcher(jobs=jobs, **self._settings)
        self._teams.append(team)
        count = len(boards) if isinstance(boards, Collection) else None
        shown = bar(count, "board", progress)
        # Enough that no job waits for the slowest.
        ahead = 4 * jobs + 16
        begun: deque[Search] = deque()
        try:
            rest = iter(boards)
            while True:
                for board in rest:
                    begun.append(
                        team.search(board, limit, multipv=multipv, include=include, fresh=True)
                    )
                    if len(begun) >= ahead:
                        break
                if not begun:
                    break
                info = made(begun.popleft().result())
                if shown is not None:
                    shown.update()
                yield info
        finally:
            if shown is not None:
                shown.close()
            self._teams.remove(team)
            team.close()

    def close(self) -> None:
        """Stops all searches and gives memory and threads back, in milliseconds. Later calls raise `EngineError`."""
        self._is_closed = True
        for searcher in [self._searcher, *self._teams]:
            searcher.close()

    @property
    def closed(self) -> bool:
        """Whether the engine was closed."""
        return self._is_closed

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
        given = ", ".join(
            f"{name}={value!r}" for name, value in self._settings.items() if value is not None
        )
        return f"<Engine({given}){' closed' if self._is_closed else ''}>"

    def _check_open(self) -> None:
        if self._is_closed:
            raise EngineError("the engine is closed")

    def _begin(
        self,
        board: Board,
        limit: Limit | None,
        multipv: int = 1,
        include: tuple[bool, bool, bool] = (False, False, False),
        root_moves: Collection[str] | None = None,
        every: float | None = None,
        ponder: bool = False,
        streams: bool = False,
    ) -> Analysis:
        check_types(board, limit)
        moves = checked_moves(root_moves)
        if every is not None:
            seconds("every", every)
        return Analysis(
            self._searcher.search(
                board,
                limit,
                multipv=multipv,
                include=include,
                moves=moves,
                every=every,
                ponder=ponder,
                streams=streams,
            )
        )


def checked_moves(root_moves: Collection[str] | None) -> list[str]:
    """The turns that alone are searched; none for all."""
    if root_moves is None:
        return []
    if isinstance(root_moves, str):
        raise TypeError(f"root_moves: several turns are expected, not the text {root_moves!r}")
    moves = list(root_moves)
    if not moves:
        raise ValueError("root_moves: there are none")
    return moves


def check_types(board: object, limit: object) -> None:
    """Whether a search is asked of a board with a limit."""
    if not isinstance(board, Board):
        raise TypeError(f"board: a hippolyta.Board is expected, not {type(board).__name__}")
    if limit is not None and not isinstance(limit, Limit):
        raise TypeError(f"limit: a hippolyta.Limit is expected, not {type(limit).__name__}")


def _check_limit(limit: Limit) -> None:
    if not isinstance(limit, Limit):
        raise TypeError(f"limit: a hippolyta.Limit is expected, not {type(limit).__name__}")
    # A rating alone plays with the nodes that belong to it.
    if limit.is_unlimited and limit.elo is None:
        raise ValueError("nothing limits this search: give a Limit, or begin it with analysis()")


def check_not_over(board: Board) -> None:
    """Whether there is a turn to play."""
    outcome = board.outcome()
    if outcome is not None:
        raise ValueError(f"the game is over, {outcome.result}: there is no move to play")


def _check_play(board: Board, limit: Limit) -> None:
    check_types(board, limit)
    _check_limit(limit)
    check_not_over(board)


def _played(info: Info) -> PlayResult:
    line = info.pv
    return PlayResult(line[0], line[1] if len(line) > 1 else None, info)


def _cores() -> int:
    """The cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # Windows and macOS
        return os.cpu_count() or 1
