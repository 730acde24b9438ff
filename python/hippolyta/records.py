"""Games of self-play from data files, and batches of samples to learn from.

`open` takes files of `hippolyta selfplay` or `hippolyta.training.selfplay`. Nothing is read before it is asked for.

    records = hippolyta.records.open("games.dat")
    for batch in records.samples(batch_size=256, shuffle_seed=1):
        loss = step(batch.planes, batch.row, batch.action, batch.probability, batch.result)

`create` writes such a file of games that you have played yourself, with what a search said of each turn.

Batches need NumPy, and Arrow tables pyarrow: the extras `hippolyta[data]` and `hippolyta[arrow]`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, overload

from ._extra import needs
from ._hippolyta import Board, DataFiles, GameWriter, whole
from .encoding import Encoding, State, Symmetry
from .info import Info
from .outcome import Side

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa
    import torch
    from torch.utils.data import IterableDataset

__all__ = [
    "Batch",
    "DataError",
    "Game",
    "Inner",
    "Records",
    "SearchedTurn",
    "Writer",
    "create",
    "open",
]


class DataError(OSError, ValueError):
    """A data file cannot be read: the system refuses, or it is none, or damaged. The message names the file. If the
    system refuses, `errno` and `filename` are those of an `OSError`."""


@dataclass(frozen=True)
class Inner:
    """A position of the search's tree."""

    #: The turns that lead to it from the root; the last one may have only begun, as `d1d7`.
    path: tuple[str, ...]
    #: White's expected score, 0 to 1.
    score: float
    #: How often the search went through it.
    visits: int


@dataclass(frozen=True)
class SearchedTurn:
    """A turn that was searched and played."""

    #: The turn, as `d1d7,d7g7`.
    move: str
    #: Who played it.
    side: Side
    #: The search's expected score before it, 0 to 1, for the side that played it.
    score: float
    #: For each half-turn, how often the search went through each alternative, most visits first.
    #: The keys are the turn so far: `d1d7` for a move, `d1d7,d7g7` for the fire after it. At most
    #: 255 alternatives, at most 65535 visits. Only steps that were visited are among them: the one
    #: that was played may be missing, if it was chosen by its evaluation alone.
    visits: tuple[dict[str, int], ...]
    #: Positions of the tree with many visits, if the run recorded them (`inner_visits`).
    inner: tuple[Inner, ...]


@dataclass(frozen=True)
class Game:
    """A game of self-play."""

    #: Its rule set.
    variant: str
    #: The position in which it began.
    start_fen: str
    #: Its number in the run, from 0.
    number: int
    #: Who has won; White's points come first.
    result: Literal["1-0", "1/2-1/2", "0-1"]
    #: Whether it was played to its end, ended once its result was proven, or was drawn at the
    #: limit of turns.
    ending: Literal["rules", "proven", "too long"]
    #: White's final margin: turns left in the Amazons, stones in the Desdemona family; `None` if
    #: it is not known.
    margin: float | None
    #: Its first turns, drawn at random and not searched.
    opening: tuple[str, ...]
    #: The turns after them.
    turns: tuple[SearchedTurn, ...]
    #: The position in which it ended.
    last_fen: str

    @property
    def moves(self) -> tuple[str, ...]:
        """All turns, those of the opening first."""
        return self.opening + tuple(turn.move for turn in self.turns)


@dataclass(frozen=True, eq=False)
class Batch:
    """Samples to learn from, N of them. `hippolyta.encoding` documents planes and actions.

    The policy targets are triples (row, action, probability). The loss of a net with `logits` of shape (N, actions)
    is `-(probability * log_softmax(logits)[row, action]).sum() / N`.
    """

    #: The positions from the view of the side to move, shape (N, channels, height, width).
    planes: npt.NDArray[Any]
    #: The sample of each policy target, 0 to N - 1, in increasing order.
    row: npt.NDArray[np.int64]
    #: The half-turn of each policy target, in increasing order within a sample.
    action: npt.NDArray[np.int64]
    #: Its share of the visits. The shares of a sample add up to 1; a sample without visits has no
    #: policy target.
    probability: npt.NDArray[np.float32]
    #: N + 1 places: the targets of sample i are those from `offsets[i]` up to `offsets[i + 1]`.
    offsets: npt.NDArray[np.int64]
    #: The game's result for the side to move: 1 won, 0.5 drawn, 0 lost.
    result: npt.NDArray[np.float32]
    #: By how much the side to move wins: turns left in the Amazons, stones in the Desdemona family; not a number (nan)
    #: if nobody knows.
    margin: npt.NDArray[np.float32]
    #: The search's expected score for the side to move, 0 to 1.
    score: npt.NDArray[np.float32]
    #: The number of the game.
    game: npt.NDArray[np.int64]
    #: The number of the turn in it, from 0, not counting the opening.
    turn: npt.NDArray[np.int32]
    #: 0 at the start of a turn, 1 between move and fire.
    step: npt.NDArray[np.int8]
    #: Which actions are legal, shape (N, actions), if that was asked for.
    legal: npt.NDArray[np.bool_] | None
    #: Who owns each square in the end, if that was asked for, shape (N, height, width), seen as the planes are: 1 the
    #: side to move, -1 the other one, 0 nobody; nan where the game was over before that was decided. In the Amazons a
    #: square is a side's if the other one cannot get there any more; elsewhere it is that of the stone.
    owner: npt.NDArray[np.float32] | None

    def __len__(self) -> int:
        return len(self.result)

    def policy(self, actions: int) -> npt.NDArray[np.float32]:
        """The policy targets as a table of shape (N, actions), where `actions` is `Records.encoding().actions`."""
        with needs("a table of policies", "data"):
            import numpy as np

        table = np.zeros((len(self), actions), dtype=np.float32)
        table[self.row, self.action] = self.probability
        return table

    def image(self, symmetry: Symmetry) -> Batch:
        """The samples on a reflected board: `hippolyta.encoding.symmetries` has the ways to do so."""
        with needs("a symmetry", "data"):
            import numpy as np

        actions = symmetry.actions()
        action, legal = actions[self.action], self.legal
        # In increasing order within a sample.
        order = np.lexsort((action, self.row))
        if legal is not None:
            image = np.zeros_like(legal)
            image[:, actions] = legal
            legal = image
        return replace(
            self,
            planes=symmetry.planes(self.planes),
            action=action[order],
            probability=self.probability[order],
            legal=legal,
            owner=None if self.owner is None else symmetry.planes(self.owner),
        )


class Records:
    """The games of one or several data files of one rule set and start position, in their order.

    It has a length, indices and slices, and can be iterated over. Data is checked as it is read; damage is a
    `DataError` with the file and the place. It may be used by several threads and passed to other processes, forked
    ones as well; only an iterator of `samples` stays in its process.
    """

    def __init__(self, paths: Sequence[str | os.PathLike[str]], *, partial: bool = False) -> None:
        self._paths = [os.fspath(path) for path in paths]
        self._partial = partial
        self._opened = DataFiles(self._paths, partial)
        self._process = os.getpid()

    @property
    def _files(self) -> DataFiles:
        # A forked process would read on in the same open files as its parent.
        if self._process != os.getpid():
            self._opened = DataFiles(self._paths, self._partial)
            self._process = os.getpid()
        return self._opened

    @property
    def variant(self) -> str:
        """The rule set."""
        return self._files.variant

    @property
    def start_fen(self) -> str:
        """The position that all games begin at."""
        return self._files.start_fen

    @property
    def headers(self) -> list[dict[str, Any]]:
        """Facts on the run of each file: path, format version, engine, options, seed and so on."""
        found = self._files.headers()
        return [
            {"path": str(path), "version": version, **json.loads(text)}
            for path, version, text in found
        ]

    def encoding(self, size: int | None = None) -> Encoding:
        """The shapes of planes and actions of the samples."""
        return Encoding(self.variant, fen=self.start_fen, size=size)

    def __len__(self) -> int:
        """The number of games. The first time, this reads all files."""
        return len(self._files)

    @overload
    def __getitem__(self, index: int) -> Game: ...
    @overload
    def __getitem__(self, index: slice) -> list[Game]: ...
    def __getitem__(self, index: int | slice) -> Game | list[Game]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
            if index < 0:
                raise IndexError("there are fewer games")
        found = self._files.game(index)
        turns = tuple(
            SearchedTurn(
                move=move,
                side=Side.WHITE if white else Side.BLACK,
                score=score,
                visits=tuple(dict(visits) for visits in steps),
                inner=tuple(Inner(tuple(path), whites, count) for path, whites, count in inner),
            )
            for move, white, score, steps, inner in found["turns"]
        )
        return Game(
            variant=self.variant,
            start_fen=self.start_fen,
            number=found["number"],
            result=found["result"],
            ending=found["ending"],
            margin=found["margin"],
            opening=tuple(found["opening"]),
            turns=turns,
            last_fen=found["last_fen"],
        )

    def __iter__(self) -> Iterator[Game]:
        index = 0
        while True:
            try:
                game = self[index]
            except IndexError:
                return
            yield game
            index += 1

    def __repr__(self) -> str:
        return f"<Records of {self.variant}: {', '.join(self._paths)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self._paths, self._partial)

    def samples(
        self,
        batch_size: int = 256,
        *,
        shuffle_seed: int | None = None,
        mix: int = 16_384,
        games: Iterable[int] | None = None,
        half_turns: bool = True,
        legal: bool = False,
        ownership: bool = False,
        size: int | None = None,
        dtype: Literal["uint8", "float32"] = "uint8",
    ) -> Iterator[Batch]:
        """Goes through all searched positions once, in batches.

        Turns of random openings give no samples. The same arguments give the same batches. Reading, replaying and
        encoding leave the interpreter free for other threads.

        Args:
            batch_size: Samples of a batch; the last one may have fewer.
            shuffle_seed: Seed of the order; `None` takes games and turns as they stand.
            mix: If shuffled: games are read in random order, and each sample is drawn from at least so many.
            games: Indices of games to take; `None` takes all. `range(0, len(records), 20)` is one in twenty.
            half_turns: Whether positions between move and fire are samples as well.
            legal: Whether batches tell the legal actions.
            ownership: Whether they tell who owns which squares in the end; `ValueError` where rules know no owners.
            size: Width and height of the planes; `None` takes those of the board.
            dtype: Type of the planes.

        >>> import pathlib, tempfile
        >>> from hippolyta import records, training
        >>> path = pathlib.Path(tempfile.mkdtemp(), "games.dat")
        >>> training.selfplay(path, variant="amazons6", games=3, nodes=4, progress=False)
        >>> batch = next(records.open(path).samples(batch_size=8))
        >>> batch.planes.shape[0], batch.planes.shape[2:]
        (8, (6, 6))
        """
        chosen = None if games is None else [whole("games", game, 0, _MOST) for game in games]
        if dtype not in ("uint8", "float32"):
            raise ValueError(f"dtype: uint8 or float32 is expected, not {dtype!r}")
        found = self._files.batches(
            batch_size=whole("batch_size", batch_size, 1, _MOST),
            shuffle_seed=None
            if shuffle_seed is None
            else whole("shuffle_seed", shuffle_seed, 0, _MOST),
            mix=whole("mix", mix, 0, _MOST),
            games=chosen,
            half_turns=half_turns,
            legal=legal,
            ownership=ownership,
            size=size,
            float=dtype == "float32",
        )
        return (Batch(**batch) for batch in found)

    def torch_dataset(
        self,
        *,
        augment: bool = False,
        rank: int | None = None,
        ranks: int | None = None,
        **options: Any,
    ) -> IterableDataset[dict[str, torch.Tensor]]:
        """The samples as a data set of PyTorch, whose items are whole batches: dictionaries of the arrays of `Batch` as
        tensors. Give it to a `DataLoader` with `batch_size=None`. Needs torch.

        Each worker of a loader, and each rank of `torch.distributed`, has its share of the games: one in so many. With a
        `shuffle_seed` each epoch has an order of its own: the first, second and so on of this data set, whether workers
        live for one epoch or for all (`persistent_workers`).

        Args:
            augment: Whether each batch is reflected in one of the ways that `hippolyta.encoding.symmetries` knows.
            rank: The part of the games, from 0, if not that of `torch.distributed`.
            ranks: The number of parts.
            options: Those of `samples`.
        """
        with needs("a data set of PyTorch", "torch"):
            from ._torch import Samples

        return Samples(self, augment, rank, ranks, options)

    def to_arrow(self, batch_size: int = 256) -> pa.RecordBatchReader:
        """All games as Arrow, a row for each, read as the reader is read. Needs pyarrow.

        The columns are those of `Game`, and `moves`, `scores` (of the side that moves; null in the opening).
        """
        with needs("a table of Arrow", "arrow"):
            import pyarrow as pa

        schema = pa.schema(
            [
                ("number", pa.int64()),
                ("result", pa.string()),
                ("ending", pa.string()),
                ("margin", pa.float64()),
                ("moves", pa.list_(pa.string())),
                ("scores", pa.list_(pa.float32())),
                ("last_fen", pa.string()),
            ]
        )

        def row(game: Game) -> dict[str, Any]:
            scores = [None] * len(game.opening) + [turn.score for turn in game.turns]
            return {
                "number": game.number,
                "result": game.result,
                "ending": game.ending,
                "margin": game.margin,
                "moves": list(game.moves),
                "scores": scores,
                "last_fen": game.last_fen,
            }

        def batches() -> Iterator[pa.RecordBatch]:
            rows: list[dict[str, Any]] = []
            for game in self:
                rows.append(row(game))
                if len(rows) == batch_size:
                    yield pa.RecordBatch.from_pylist(rows, schema)
                    rows = []
            if rows:
                yield pa.RecordBatch.from_pylist(rows, schema)

        return pa.RecordBatchReader.from_batches(schema, batches())

    def samples_to_arrow(self, batch_size: int = 4096, **options: Any) -> pa.RecordBatchReader:
        """The samples as Arrow, a row for each; arguments as for `samples`. Needs pyarrow.

        Columns are those of `Batch`: `planes` as a list of channels · height · width numbers, `action` and
        `probability` as lists. Numbers are not copied from the batches. The shape is in the schema's metadata.
        """
        with needs("a table of Arrow", "arrow"):
            import pyarrow as pa

        encoding = self.encoding(options.get("size"))
        channels, height, width = encoding.shape
        count = channels * height * width
        plane = pa.float32() if options.get("dtype") == "float32" else pa.uint8()
        columns = [
            ("planes", pa.list_(plane, count)),
            ("action", pa.large_list(pa.int64())),
            ("probability", pa.large_list(pa.float32())),
            ("result", pa.float32()),
            ("margin", pa.float32()),
            ("score", pa.float32()),
            ("game", pa.int64()),
            ("turn", pa.int32()),
            ("step", pa.int8()),
        ]
        shape = json.dumps([channels, height, width])
        schema = pa.schema(
            columns,
            metadata={
                "variant": self.variant,
                "shape": shape,
                "actions": str(encoding.actions),
            },
        )
        for name in ("legal", "ownership"):
            if options.get(name):
                raise ValueError(f"{name}: Arrow tables have no column for it")

        def record(batch: Batch) -> pa.RecordBatch:
            offsets = pa.array(batch.offsets)
            lists = [
                pa.LargeListArray.from_arrays(offsets, pa.array(values))
                for values in (batch.action, batch.probability)
            ]
            planes = pa.FixedSizeListArray.from_arrays(pa.array(batch.planes.reshape(-1)), count)
            numbers = [
                pa.array(values)
                for values in (
                    batch.result,
                    batch.margin,
                    batch.score,
                    batch.game,
                    batch.turn,
                    batch.step,
                )
            ]
            return pa.RecordBatch.from_arrays([planes, *lists, *numbers], schema=schema)

        samples = self.samples(batch_size, **options)
        return pa.RecordBatchReader.from_batches(schema, (record(batch) for batch in samples))


# Of any count.
_MOST = 2**63 - 1


def _again(paths: list[str], partial: bool) -> Records:
    return Records(paths, partial=partial)


_POINTS = {"1-0": 2, "1/2-1/2": 1, "0-1": 0}


class Writer:
    """Games that become a data file, which is written whole at the end of the block, or by `close`. See `create`."""

    def __init__(
        self, path: str | os.PathLike[str], variant: str, fen: str | None, maker: str
    ) -> None:
        self._writer = GameWriter(os.fspath(path), variant, fen, maker)
        self._start = Board(variant) if fen is None else Board.from_fen(fen, variant)

    def add(
        self,
        board: Board,
        searches: Sequence[Info],
        *,
        result: Literal["1-0", "1/2-1/2", "0-1"] | None = None,
    ) -> int:
        """Adds the game of `board`, and returns its number in the file, from 0.

        Args:
            board: The game with all its turns.
            searches: What `Engine.analyse(…, policy=True)` said before each of its last turns; turns before them are
                the opening.
            result: Who has won, if the game is not over: proven, or drawn by agreement.

        Raises:
            ValueError: The game is of another rule set or begins elsewhere, there are more searches than turns, one has
                no policy or is of another position, or the game is not over and has no result, or another one.
        """
        for what, given, own in (
            ("rule set", board.variant, self._start.variant),
            ("start", board.start_fen, self._start.start_fen),
        ):
            if given != own:
                raise ValueError(f"board: its {what} is {given}, that of the file is {own}")
        if result is not None and result not in _POINTS:
            raise ValueError(f"result: {result!r} is none of {', '.join(_POINTS)}")
        turns = board.move_stack
        if len(searches) > len(turns):
            raise ValueError(f"searches: {len(searches)} are given for {len(turns)} turns")
        opening = turns[: len(turns) - len(searches)]
        at = Board.from_fen(board.start_fen, board.variant, opening)
        searched = []
        for number, (info, turn) in enumerate(zip(searches, turns[len(opening) :], strict=True)):
            if info.policy is None:
                raise ValueError(f"searches: number {number} has no policy; ask for policy=True")
            if info.fen != at.fen():
                raise ValueError(f"searches: number {number} is of {info.fen}, not of {at.fen()}")
            state = State(at.variant, fen=at.fen())
            policy, halves = info.policy.after(), []
            for text in _halves(turn):
                rows = zip(policy.action.tolist(), policy.visits.tolist(), strict=True)
                halves.append(list(rows))
                action = state.action_of(text)
                state.play(action)
                policy = info.policy.after(action)
            searched.append((turn, info.score.white().expected, halves))
            at.push(turn)
        points = None if result is None else _POINTS[result]
        return self._writer.add(opening, searched, points)

    def close(self) -> None:
        """Writes the file, or raises `DataError`. Nothing can be added after it."""
        self._writer.close()

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        # A program that failed has not added all.
        if kind is None:
            self.close()


def _halves(turn: str) -> list[str]:
    """The texts of a turn's half-turns."""
    move, comma, _ = turn.partition(",")
    return [move, turn] if comma else [turn]


def create(
    path: str | os.PathLike[str],
    variant: str = "amazons",
    *,
    fen: str | None = None,
    maker: str = "records.create",
) -> Writer:
    """Begins a data file of games of `variant` that begin at `fen`, or at the rule set's start position. `maker` names who
    made them; `training.fit` and `open` read it like any other.

    `FileExistsError` if the file is there already, `ValueError` if there is no such rule set or FEN.

        with hippolyta.records.create("mine.dat", "amazons6") as out:
            board, searches = Board("amazons6"), []
            while not board.is_game_over():
                searches.append(engine.analyse(board, Limit(nodes=400), policy=True))
                board.push(searches[-1].move)
            out.add(board, searches)
    """
    return Writer(path, variant, fen, maker)


def open(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    partial: bool = False,
) -> Records:
    """Opens data files of one rule set.

    Only their headers are read. Raises `DataError` if the system refuses a file, or if it is of another kind or rule
    set.

    Args:
        paths: A file, or several, whose games then follow each other.
        partial: Whether a file may be unfinished, as that of a run that goes on: its games up to there are taken.

    >>> import pathlib, tempfile
    >>> from hippolyta import records, training
    >>> path = pathlib.Path(tempfile.mkdtemp(), "games.dat")
    >>> training.selfplay(path, variant="amazons6", games=3, nodes=4, progress=False)
    >>> games = records.open(path)
    >>> len(games), games.variant, len(games[0].moves) > 10
    (3, 'amazons6', True)
    """
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    return Records(list(paths), partial=partial)
