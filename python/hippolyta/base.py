"""The interface of all engines, inside this process (`hippolyta.Engine`) or outside it (`hippolyta.uci.Engine`).

A function that takes either has a `BaseEngine` for its argument:

>>> from typing import Any
>>> from hippolyta import Board, Engine, Limit
>>> from hippolyta.base import BaseEngine
>>> def best(engine: BaseEngine[Any], board: Board) -> str:
...     return engine.play(board, Limit(nodes=50)).move
>>> with Engine(hash=16) as engine:
...     best(engine, Board.from_fen("q1*/**1/2Q w"))
'c1c2,c2b3'
"""

import asyncio
import itertools
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Callable,
    Collection,
    Generator,
    Iterable,
    Iterator,
)
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from typing import Generic, TypeVar

from ._hippolyta import Board, State, seconds, whole
from ._progress import bar
from .info import Info, PlayResult
from .limit import BOUNDS, Limit

__all__ = ["BaseAnalysis", "BaseEngine"]

_Self = TypeVar("_Self")
_Result = TypeVar("_Result")


class BaseAnalysis(ABC):
    """A search whose results are read while it goes on; `BaseEngine.analysis` begins one.

    It is an iterator, and an asynchronous one: it gives each interim result and, at last, the final one. As a context
    manager it stops the search at the end of the block. The engine lives at least as long as its analyses.

    A search goes on in the process that began it: in one that was forked since, all methods but `stop`, which does
    nothing there, raise `EngineError`.
    """

    _is_over = False

    @abstractmethod
    def stop(self) -> None:
        """Ends the search as soon as possible. Returns at once."""

    @abstractmethod
    def result(self) -> Info:
        """Blocks until the search is over, and returns its last result.

        Raises `Stopped` if it was stopped before it began, and `EngineError` if the engine is lost or was closed.
        """

    @property
    @abstractmethod
    def done(self) -> bool:
        """Whether the search is over."""

    @abstractmethod
    def ponder_hit(self) -> None:
        """The opponent has played the expected turn: the limits of a search with `ponder=True` count from now on."""

    async def wait(self) -> Info:
        """The result, as from `result`; other tasks of the event loop run meanwhile. To cancel it stops the search."""
        await self._until(lambda: self.done)
        return self.result()

    def __iter__(self: _Self) -> _Self:
        return self

    def __next__(self) -> Info:
        if self._is_over:
            raise StopIteration
        return self._told(self._next())

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def __aiter__(self) -> AsyncIterator[Info]:
        return self

    async def __anext__(self) -> Info:
        if self._is_over:
            raise StopAsyncIteration
        told: Info | None = None

        def is_ready() -> bool:
            nonlocal told
            # In this order no interim result is missed that comes just before the end.
            is_done, told = self.done, self._take()
            return is_done or told is not None

        await self._until(is_ready)
        return self._told(told)

    async def __aenter__(self: _Self) -> _Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.stop()

    def _told(self, interim: Info | None) -> Info:
        """An interim result, or the last one if there is none."""
        if interim is not None:
            return interim
        self._is_over = True
        return self.result()

    async def _until(self, holds: Callable[[], bool]) -> None:
        loop, changed = asyncio.get_running_loop(), asyncio.Event()

        def wake() -> None:
            try:
                loop.call_soon_threadsafe(changed.set)
            except RuntimeError:  # the loop is closed, nobody waits any more
                pass

        listeners = self._listeners()
        listeners.append(wake)
        try:
            while not holds():
                await changed.wait()
                changed.clear()
        except asyncio.CancelledError:
            self.stop()
            raise
        finally:
            listeners.remove(wake)

    @abstractmethod
    def _next(self) -> Info | None:
        """Blocks until there is an interim result that was not taken yet; `None` once the search is over."""

    @abstractmethod
    def _take(self) -> Info | None:
        """An interim result that was not taken yet, if there is one."""

    @abstractmethod
    def _listeners(self) -> list[Callable[[], object]]:
        """Functions that are called after each change, from whichever thread."""


@dataclass
class Query:
    """The board of a search, its limit and its options."""

    board: Board
    limit: Limit | None
    multipv: int = 1
    #: Whether ownership, territory and stones are asked for.
    include: tuple[bool, bool, bool] = (False, False, False)
    #: The turns that alone are searched; none for all.
    root_moves: Collection[str] = ()
    every: float | None = None
    ponders: bool = False
    #: Whether somebody reads interim results.
    streams: bool = False
    #: Whether nothing of earlier searches is used.
    fresh: bool = False
    #: Whether the half-turns are asked for as arrays.
    policy: bool = False
    #: Whether of lines whose first turns are images of each other only the first is told.
    merge_mirrored: bool = False


def _check_type(limit: object) -> None:
    if not isinstance(limit, Limit):
        raise TypeError(f"limit: a hippolyta.Limit is expected, not {type(limit).__name__}")


@contextmanager
def _shown(boards: Iterable[object], progress: bool | None) -> Iterator[Callable[[Info], Info]]:
    """A function that takes note of a result, for a progress bar."""
    shown = bar(len(boards) if isinstance(boards, Collection) else None, "board", progress)

    def told(info: Info) -> Info:
        if shown is not None:
            shown.update()
        return info

    try:
        yield told
    finally:
        if shown is not None:
            shown.close()


async def _whole(work: Callable[[], _Result]) -> _Result:
    """Does work in another thread, to its end even if the task is cancelled meanwhile."""
    done = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(done)
    finally:
        await asyncio.wait([done])


_Analysis = TypeVar("_Analysis", bound=BaseAnalysis)


class BaseEngine(ABC, Generic[_Analysis]):
    """An engine for boards. As a context manager, `with` or `async with`, it is closed at the end of the block."""

    #: Why a rating ends no search.
    _idle_rating = "{elo} is full strength in {variant}, which ends no search"
    _is_closed = False

    def play(
        self, board: Board | State, limit: Limit, *, root_moves: Collection[str] | None = None
    ) -> PlayResult:
        """Chooses a turn. Blocks until `limit` is reached or the result is proven. The board stays as it is.

        A `hippolyta.encoding.State` will do as well: in the middle of a turn only turns that go on with it are searched,
        here and in the other methods. With `root_moves`, only one of these. Raises `ValueError` if the game is over or nothing limits the search,
        `MoveError` if one of `root_moves` is not legal, and `EngineError` if the engine is closed, lost, or answers
        with an illegal turn.
        """
        query = self._to_play(board, limit, root_moves)
        known = self._known_turn(query)
        if known is not None:
            return known
        analysis = self._begin(query)
        return self._played(analysis, analysis.result())

    async def play_async(
        self, board: Board | State, limit: Limit, *, root_moves: Collection[str] | None = None
    ) -> PlayResult:
        """`play` for asyncio. To cancel it stops the search."""
        query = self._to_play(board, limit, root_moves)
        known = self._known_turn(query)
        if known is not None:
            return known
        analysis = self._begin(query)
        return self._played(analysis, await analysis.wait())

    def analyse(
        self,
        board: Board | State,
        limit: Limit,
        multipv: int = 1,
        ownership: bool = False,
        territory: bool = False,
        stones: bool = False,
        root_moves: Collection[str] | None = None,
        *,
        policy: bool = False,
        merge_mirrored: bool = False,
    ) -> Info:
        """Searches a position, and blocks until `limit` is reached or the result is proven.

        `multipv` is the number of lines. `ownership`, `territory` and `stones` ask for what a rule set knows beside
        the search; what it does not know is `None`, and so is all of it in UCI, which has no words for it. `policy` asks
        for visits, priors and values of half-turns as arrays, which need NumPy; in UCI they are `None` as well. With
        `merge_mirrored`, of lines whose first turns are images of each other in a symmetric position only the first is
        told. Raises what `play` raises, but a finished game has a score.

        >>> from hippolyta import Board, Engine, Limit
        >>> with Engine(hash=16) as engine:
        ...     board = Board.from_fen("q1*/**1/2Q w")
        ...     info = engine.analyse(board, Limit(nodes=100))
        >>> info.score.mate, info.pv
        (1, ('c1c2,c2b3',))
        """
        include = (ownership, territory, stones)
        query = self._query(board, limit, multipv, include, root_moves)
        self._check_limit(query.board, limit)
        query.policy, query.merge_mirrored = policy, merge_mirrored
        return self._known(query.board) or self._begin(query).result()

    async def analyse_async(
        self,
        board: Board | State,
        limit: Limit,
        multipv: int = 1,
        ownership: bool = False,
        territory: bool = False,
        stones: bool = False,
        root_moves: Collection[str] | None = None,
        *,
        policy: bool = False,
        merge_mirrored: bool = False,
    ) -> Info:
        """`analyse` for asyncio. To cancel it stops the search."""
        include = (ownership, territory, stones)
        query = self._query(board, limit, multipv, include, root_moves)
        self._check_limit(query.board, limit)
        query.policy, query.merge_mirrored = policy, merge_mirrored
        return self._known(query.board) or await self._begin(query).wait()

    def analysis(
        self,
        board: Board | State,
        limit: Limit | None = None,
        multipv: int = 1,
        ownership: bool = False,
        territory: bool = False,
        stones: bool = False,
        root_moves: Collection[str] | None = None,
        *,
        every: float | None = None,
        ponder: bool = False,
        merge_mirrored: bool = False,
    ) -> _Analysis:
        """Begins a search and returns at once; its results are read while it goes on.

        Without `limit` it goes on until it is stopped or the result is proven. Interim results come when the best
        turn changes, and at least each `every` seconds (1 if not given); an engine in a process of its own decides when
        it reports, and `every` leaves out reports with the same best turn within so many seconds. With `ponder`, no
        limit counts until `BaseAnalysis.ponder_hit`. Only the last result has `ownership`, `territory` and `stones`.

        >>> from hippolyta import Board, Engine, Limit
        >>> with Engine(hash=16) as engine, engine.analysis(Board(), Limit(nodes=500)) as analysis:
        ...     for info in analysis:
        ...         nodes = info.nodes
        >>> info.last and nodes >= 500
        True
        """
        query = self._query(
            board, limit, multipv, (ownership, territory, stones), root_moves, every
        )
        query.ponders, query.streams, query.merge_mirrored = ponder, True, merge_mirrored
        return self._begin(query)

    def analyse_many(
        self,
        boards: Iterable[Board | State],
        limit: Limit,
        jobs: int | None = None,
        multipv: int = 1,
        ownership: bool = False,
        territory: bool = False,
        stones: bool = False,
        *,
        policy: bool = False,
        merge_mirrored: bool = False,
        progress: bool | None = None,
    ) -> Iterator[Info]:
        """Analyses any number of boards, `jobs` at a time, and gives the results in their order, each as soon as it and
        all before it are known.

        Each board is searched with nothing known from others. So with one thread a search and a limit on nodes, the
        results do not depend on `jobs`, unless a search fills its memory. By default there are as many jobs as cores
        over `threads`, which share memory of the size of `hash`, beside the engine's own; engines outside have a process
        for each job, 1 if not given. With an evaluator of your own there are as many jobs as its batch has positions,
        each with 2 MiB at least; with fewer, each search collects several positions, and may find something else.

        A progress bar is shown on a terminal if tqdm is installed; with `progress=True` in any case, and with `False`
        never. Boards are taken from the iterable as they are needed, so it may be endless.

        >>> from hippolyta import Board, Engine, Limit
        >>> boards = [Board("amazons6"), Board.from_fen("q1*/**1/2Q w")]
        >>> with Engine(hash=16) as engine:
        ...     [info.score.proven for info in engine.analyse_many(boards, Limit(nodes=50))]
        [False, True]
        """
        include = (ownership, territory, stones)
        query = self._query_of_many(limit, multipv, include, policy, merge_mirrored)
        jobs = self._jobs(jobs)

        def results() -> Iterator[Info]:
            with _shown(boards, progress) as told, closing(self._many(boards, query, jobs)) as many:
                for result in many:
                    yield told(result())

        return results()

    def analyse_many_async(
        self,
        boards: Iterable[Board | State],
        limit: Limit,
        jobs: int | None = None,
        multipv: int = 1,
        ownership: bool = False,
        territory: bool = False,
        stones: bool = False,
        *,
        policy: bool = False,
        merge_mirrored: bool = False,
        progress: bool | None = None,
    ) -> AsyncGenerator[Info, None]:
        """`analyse_many` for asyncio: `async for info in engine.analyse_many_async(…)`. To cancel it stops the
        searches, and so does to leave the loop, once its generator is closed (`contextlib.aclosing`)."""
        include = (ownership, territory, stones)
        query = self._query_of_many(limit, multipv, include, policy, merge_mirrored)
        jobs = self._jobs(jobs)

        async def results() -> AsyncGenerator[Info, None]:
            many = self._many(boards, query, jobs)
            try:
                with _shown(boards, progress) as told:
                    while (result := await _whole(lambda: next(many, None))) is not None:
                        yield told(await asyncio.to_thread(result))
            finally:
                # A result that is waited for ends with the searches.
                await _whole(many.close)

        return results()

    def _query_of_many(
        self,
        limit: Limit,
        multipv: int,
        include: tuple[bool, bool, bool],
        policy: bool,
        merge_mirrored: bool,
    ) -> Callable[[Board | State], Query]:
        """The query for each of many boards, from arguments that are checked here."""
        self._check_limit(None, limit)
        whole("multipv", multipv, 1, self._most_lines())
        self._check_open()

        def query(board: Board | State) -> Query:
            found = self._query(board, limit, multipv, include)
            self._check_limit(found.board, limit)
            found.policy, found.merge_mirrored, found.fresh = policy, merge_mirrored, True
            return found

        return query

    def _jobs(self, jobs: int | None) -> int:
        return self._usual_jobs() if jobs is None else whole("jobs", jobs, *BOUNDS["jobs"])

    def _many(
        self, boards: Iterable[Board | State], query: Callable[[Board | State], Query], jobs: int
    ) -> Generator[Callable[[], Info], None, None]:
        """For each board a function that blocks until its search is over. All searches end with the generator."""
        self._check_open()
        with self._team(jobs) as begin:
            begun: deque[Callable[[], Info]] = deque()
            rest = iter(boards)
            while True:
                # Enough that no job waits for the slowest.
                for board in itertools.islice(rest, 4 * jobs + 16 - len(begun)):
                    begun.append(begin(query(board)))
                if not begun:
                    break
                yield begun.popleft()

    @abstractmethod
    def close(self) -> None:
        """Stops all searches and ends the engine. Later calls raise `EngineError`."""

    @property
    def closed(self) -> bool:
        """Whether the engine was closed."""
        return self._is_closed

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self: _Self) -> _Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self.close)

    def _to_play(
        self, board: Board | State, limit: Limit, root_moves: Collection[str] | None
    ) -> Query:
        """The query for a turn to play."""
        query = self._query(board, limit, root_moves=root_moves)
        self._check_limit(query.board, limit)
        outcome = query.board.outcome()
        if outcome is not None:
            raise ValueError(f"the game is over, {outcome.result}: there is no move to play")
        return query

    def _query(
        self,
        board: Board | State,
        limit: Limit | None,
        multipv: int = 1,
        include: tuple[bool, bool, bool] = (False, False, False),
        root_moves: Collection[str] | None = None,
        every: float | None = None,
    ) -> Query:
        """A query, from arguments that are checked here."""
        begun = ""
        if isinstance(board, State):
            begun, board = board.begun, board.board()
        if not isinstance(board, Board):
            kind = type(board).__name__
            raise TypeError(f"board: a hippolyta.Board is expected, or a State, not {kind}")
        if limit is not None:
            _check_type(limit)
        whole("multipv", multipv, 1, self._most_lines())
        if isinstance(root_moves, str):
            raise TypeError(f"root_moves: several turns are expected, not the text {root_moves!r}")
        moves = [] if root_moves is None else list(root_moves)
        if root_moves is not None and not moves:
            raise ValueError("root_moves: there are none")
        if begun:
            goes_on = f"{begun},"
            for move in moves:
                if not board.spell(move).startswith(goes_on):
                    raise ValueError(f"root_moves: {move} does not go on with {begun}")
            moves = moves or [move for move in board.legal_moves if move.startswith(goes_on)]
        if every is not None:
            seconds("every", every)
        return Query(board, limit, multipv, include, moves, every)

    def _check_limit(self, board: Board | None, limit: Limit) -> None:
        _check_type(limit)
        if not self._ends(limit, board):
            idle = self._idle_rating.format(elo=limit.elo, variant=board and board.variant)
            rating = "" if limit.elo is None else f"; {idle}"
            raise ValueError(
                f"nothing limits this search: give a Limit, or begin it with analysis(){rating}"
            )

    def _ends(self, limit: Limit, board: Board | None) -> bool:
        """Whether the limit ends a search of the board, or perhaps of some board, whatever is proven."""
        return not limit.is_unlimited

    @abstractmethod
    def _check_open(self) -> None:
        """Raises `EngineError` if there is no engine any more."""

    @abstractmethod
    def _begin(self, query: Query) -> _Analysis:
        """Begins a search and returns at once."""

    @abstractmethod
    def _team(self, jobs: int) -> AbstractContextManager[Callable[[Query], Callable[[], Info]]]:
        """A function that begins a search, one of `jobs` that run beside each other, and returns at once; what it
        returns blocks until the search is over. At the end of the block all of them are stopped."""

    @abstractmethod
    def _usual_jobs(self) -> int:
        """The number of jobs if none is given."""

    def _most_lines(self) -> int:
        return BOUNDS["multipv"][1]

    def _known_turn(self, query: Query) -> PlayResult | None:
        """A turn for which the engine is not needed."""
        return None

    def _known(self, board: Board) -> Info | None:
        """An analysis for which the engine is not needed."""
        return None

    def _played(self, analysis: _Analysis, info: Info) -> PlayResult:
        """The turn that a search has chosen."""
        line = info.pv
        return PlayResult(line[0], line[1] if len(line) > 1 else None, info)
