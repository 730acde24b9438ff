"""The engine inside this process: play, analysis, streams of results, many positions at once."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ._hippolyta import (
    Board,
    Book,
    EngineError,
    Search,
    Searcher,
    State,
    ends,
    settings_of,
    whole,
)
from .base import BaseAnalysis, BaseEngine, Query
from .evaluators import Evaluator
from .info import (
    Branch,
    Evaluation,
    Info,
    Line,
    PlayResult,
    Score,
    branches,
    evaluated,
    made,
)
from .limit import BOUNDS, Limit

__all__ = ["Analysis", "Engine"]


#: The least memory of a job with an evaluator, in MiB: there are as many jobs as a batch has positions.
_JOB_HASH = 2


class Analysis(BaseAnalysis):
    """A search of an `Engine` whose results are read while it goes on. It stops within milliseconds."""

    def __init__(self, search: Search) -> None:
        self._search = search
        self._wakers: list[Callable[[], object]] | None = None

    def stop(self) -> None:
        self._search.stop()

    def result(self) -> Info:
        return made(self._search.result())

    @property
    def done(self) -> bool:
        return self._search.done

    def ponder_hit(self) -> None:
        self._search.ponder_hit()

    def _next(self) -> Info | None:
        told = self._search.next()
        return None if told is None else made(told)

    def _take(self) -> Info | None:
        told = self._search.take()
        return None if told is None else made(told)

    def _listeners(self) -> list[Callable[[], object]]:
        if self._wakers is None:
            # The search must not hold this object, which holds the search.
            wakers: list[Callable[[], object]] = []

            def wake_all() -> None:
                for wake in wakers.copy():
                    wake()

            self._search.listen(wake_all)
            self._wakers = wakers
        return self._wakers


class Engine(BaseEngine[Analysis]):
    """An engine for boards of all rule sets.

    `threads` search one position together, 1 … 1024. `hash` is the memory of tree and table in MiB, taken at the first
    search, 1 … 32,768.
    `eval_file` is a file of weights, as `hippolyta fit` writes it, in place of those built in. `seed` breaks ties: with
    one thread and a limit on nodes, the same searches in the same order give the same results on every machine.

    `evaluator` is a net of your own in place of the built-in evaluation, called with up to `batch` positions at once:
    see `hippolyta.evaluators`. Its exceptions are raised by `analyse` and `play`.

    `book` is a file that `hippolyta book` has made: `play` takes its turns from there, without a search, where it has
    one and nothing asks for certain turns or a mate. `tables` is a file of endgame tables of Damone, as `hippolyta
    tables` makes it. `options` are those of UCI by their names, as `hippolyta.uci.Engine` takes them: `{"Hash": 64,
    "Variety": 3}`; they count more than arguments that say the same. With `UCI_LimitStrength` each search is played at
    `UCI_Elo`, unless its limit has a rating; `BookFile` wants `OwnBook`, and `Move Overhead` is 0 if it is not given.

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
        *,
        evaluator: Evaluator | None = None,
        batch: int = 256,
        book: str | os.PathLike[str] | None = None,
        tables: str | os.PathLike[str] | None = None,
        options: Mapping[str, object] | None = None,
    ) -> None:
        settings: dict[str, Any] = {
            "threads": threads,
            "hash": hash,
            "eval_file": None if eval_file is None else os.fspath(eval_file),
            "seed": seed,
            "book": None if book is None else os.fspath(book),
            "tables": None if tables is None else os.fspath(tables),
            "variant": variant,
        }
        settings |= settings_of(dict(options or {}))
        self._book_file, variant = settings.pop("book"), settings.pop("variant")
        self._book = None if self._book_file is None else Book(self._book_file)
        self._settings = settings
        if evaluator is not None:
            self._settings |= {"evaluator": evaluator, "batch": batch}
        self._batch = None if evaluator is None else batch
        self._threads: int = settings["threads"]
        self._searcher = Searcher(**self._settings)
        self._teams: list[Searcher] = []
        if variant is not None:
            # Whoever names it pays for memory and threads now, and hears now if there are not enough.
            self._begin(Query(Board(variant), Limit(nodes=1))).result()

    def evaluate(
        self,
        boards: Iterable[Board | State],
        *,
        policy: bool = False,
        ownership: bool = False,
        territory: bool = False,
        stones: bool = False,
    ) -> list[Evaluation]:
        """The evaluation of each board, without a search: the judgement that a search begins with.

        The boards may be of several rule sets, and states of `hippolyta.encoding` among them: in the middle of a turn
        the score is that of the side that goes on with it. An evaluator of your own gets them in full batches.
        `policy` asks for the priors of the half-turns that are possible now, as arrays, which need NumPy; `ownership`,
        `territory` and `stones`, of the start of a turn alone, for what they are in `analyse`. A board takes
        microseconds, with `ownership` or `territory` milliseconds, and tens of them in Desdemona and its relatives,
        whose rest is played many times. Searches of the engine go on meanwhile. Raises `EngineError` if the engine is
        closed, and what your evaluator raises.

        >>> with Engine(hash=16) as engine:
        ...     start, lost = engine.evaluate([Board(), Board.from_fen("Q1*1q/2*2/2*2 w")])
        >>> 0.5 < start.score.expected < 1, lost.score.expected, lost.score.proven
        (True, 0.0, True)
        """
        self._check_open()
        chosen = list(boards)
        for board in chosen:
            if not isinstance(board, (Board, State)):
                raise TypeError(
                    f"boards: hippolyta.Boards are expected, or States, not {type(board).__name__}"
                )
        found = self._searcher.evaluate(chosen, (ownership, territory, stones), policy)
        return [evaluated(one) for one in found]

    def tree(self, depth: int = 2, min_visits: int = 1) -> tuple[Branch, ...]:
        """The tree of the last search: the half-turns after its position that at least `min_visits` simulations went
        through, down to `depth` half-turns, those with the most visits first.

        Empty where nothing was searched, as where the result is certain, and if the search was limited to some turns; a
        search that goes on the next time gives its memory away. `analyse_many` keeps no trees. Raises `EngineError`
        while a search goes on.

        >>> with Engine(hash=16) as engine:
        ...     info = engine.analyse(Board("amazons6"), Limit(nodes=500))
        ...     first = engine.tree(depth=2, min_visits=5)[0]
        >>> first.complete, first.children[0].complete
        (False, True)
        >>> first.children[0].text.startswith(first.text + ",")
        True
        """
        whole("depth", depth, 0, 1_000)
        whole("min_visits", min_visits, 1, 2**32 - 1)
        return branches(self._searcher.tree(depth, min_visits))

    def close(self) -> None:
        """Stops all searches and gives memory and threads back, in milliseconds; after five seconds it leaves an
        evaluator that does not return to itself. Later calls raise `EngineError`."""
        for searcher in [self._searcher, *self._teams]:
            searcher.close()
        self._is_closed = True

    def __repr__(self) -> str:
        settings = {**self._settings, "book": self._book_file}
        given = ", ".join(
            f"{name}={value!r}" for name, value in settings.items() if value is not None
        )
        return f"<Engine({given}){' closed' if self._is_closed else ''}>"

    def _check_open(self) -> None:
        if self._is_closed:
            raise EngineError("the engine is closed")

    def _ends(self, limit: Limit, board: Board | None) -> bool:
        return ends(limit, board, self._settings.get("elo"))

    def _begin(self, query: Query) -> Analysis:
        return Analysis(_search(self._searcher, query))

    def _known_turn(self, query: Query) -> PlayResult | None:
        """The turn of the book."""
        asks = query.root_moves or (query.limit is not None and query.limit.mate is not None)
        entry = None if self._book is None or asks else self._book.entry(query.board)
        if entry is None:
            return None
        self._check_open()
        board, (move, centipawns, _) = query.board, entry
        score = Score.of_centipawns(centipawns, board.turn)
        lines = (Line((move,), score),)
        info = Info(score, lines, 0, 0, 0.0, 1, 1, board.turn, board.fen())
        return PlayResult(move, None, info)

    @contextmanager
    def _team(self, jobs: int) -> Iterator[Callable[[Query], Callable[[], Info]]]:
        settings = self._settings
        if self._batch is not None:
            settings = settings | {"hash": max(settings["hash"], _JOB_HASH * jobs)}
        team = Searcher(jobs=jobs, **settings)
        self._teams.append(team)
        try:
            yield lambda query: Analysis(_search(team, query)).result
        finally:
            self._teams.remove(team)
            team.close()

    def _usual_jobs(self) -> int:
        if self._batch is not None:
            return min(self._batch, BOUNDS["jobs"][1])
        return max(1, _cores() // self._threads)


def _search(searcher: Searcher, query: Query) -> Search:
    return searcher.search(
        query.board,
        query.limit,
        multipv=query.multipv,
        include=query.include,
        moves=list(query.root_moves),
        every=query.every,
        ponder=query.ponders,
        streams=query.streams,
        fresh=query.fresh,
        policy=query.policy,
        merge_mirrored=query.merge_mirrored,
    )


def _cores() -> int:
    """The cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # Windows and macOS
        return os.cpu_count() or 1
