"""Self-play, fits, matches and proofs: the commands of the same names as functions.

Arguments have the names and defaults of the commands' options; `hippolyta help selfplay` and so on tell more. All
functions block until they are done, on all cores unless `threads` or `concurrency` says otherwise, and leave the
interpreter free for other threads. Ctrl-C stops them: `KeyboardInterrupt` is raised, its cause tells what was kept,
and the same call with `resume=True` goes on. If the `progress` function raises something, that is raised in the same
way. Only `merge`, which takes seconds, finishes first.

    from hippolyta import training

    training.selfplay("games.dat", variant="iago", games=5_000, inner_visits=20)
    training.fit(["games.dat"], "weights.bin", inner_every=1)
    new = training.Player(name="new", options={"EvalFile": "weights.bin"})
    result = training.match([new, training.Player(name="old")], each="st=0.1", variant="iago", games=200)
    print(result.pairings[0].elo)

`progress` may be a function, which gets a `Progress` each time something was done, in the calling thread. Otherwise it
means what it means elsewhere in the package: `None` shows a bar on a terminal if tqdm is installed, `True` shows one in
any case, `False` shows nothing.
"""

from __future__ import annotations

import json
import math
import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from . import _hippolyta
from ._hippolyta import whole
from ._progress import bar
from .evaluators import Evaluator
from .outcome import Side

__all__ = [
    "Calibration",
    "Draw",
    "FitResult",
    "Losses",
    "MatchResult",
    "Openings",
    "Pairing",
    "Player",
    "Progress",
    "Resign",
    "Solution",
    "Sprt",
    "SprtState",
    "calibrate",
    "check",
    "fit",
    "interval",
    "learn",
    "match",
    "merge",
    "selfplay",
    "solve",
]

Path = str | os.PathLike[str]

#: A shard without games: what is wrong with options is told, and nothing is played.
NO_GAME = (2**63, 2**64 - 1)


@dataclass(frozen=True)
class Losses:
    """Mean losses after an epoch, in nats."""

    #: The part that is fitted.
    what: Literal["value", "policy", "ownership"]
    #: Number of epochs; 0 before the first.
    epoch: int
    #: On the games that are learned from.
    training: float
    #: On the games that are held out.
    validation: float


@dataclass(frozen=True)
class Progress:
    """The progress of a run, as a `progress` function gets it."""

    #: How much is done: games, or reports of a fit, or seconds of a proof.
    done: int
    #: How much there is to do; `None` if nobody knows.
    total: int | None
    #: A line for people.
    message: str = ""
    #: Of a fit: the newest losses.
    losses: Losses | None = None
    #: Of a match: the record of the game that has just ended, as in `games.jsonl`.
    game: Mapping[str, Any] | None = None


Listener = bool | Callable[[Progress], object] | None


class _Reporter:
    """Hands progress to a function or to a bar."""

    def __init__(self, progress: Listener, unit: str) -> None:
        self._call = progress if callable(progress) else None
        self._bar = None if callable(progress) else bar(0, unit, progress)

    def __enter__(self) -> _Reporter:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def __bool__(self) -> bool:
        return self._call is not None or self._bar is not None

    def tell(self, progress: Progress) -> None:
        if self._call is not None:
            self._call(progress)
        if self._bar is not None:
            self._bar.n, self._bar.total = progress.done, progress.total
            self._bar.set_postfix_str(progress.message)
            self._bar.refresh()


def _given(arguments: dict[str, Any], *others: str) -> dict[str, Any]:
    """The arguments of a function that are options of the command, by name."""
    return {name: value for name, value in arguments.items() if name not in others}


def _paths(name: str, paths: Iterable[Path]) -> list[str]:
    if isinstance(paths, (str, bytes, os.PathLike)):
        raise TypeError(f"{name}: several files are expected, not the text {paths!r}")
    if not (found := [os.fspath(path) for path in paths]):
        raise ValueError(f"{name}: there is no file")
    return found


def selfplay(
    out: Path,
    *,
    games: int,
    variant: str = "amazons",
    fen: str | None = None,
    nodes: int = 400,
    seed: int = 0,
    shard: tuple[int, int] = (0, 1),
    resume: bool = False,
    threads: int | None = None,
    opening_turns: int = 6,
    sampled_turns: int = 20,
    temperature: float = 1.0,
    noise: float = 0.5,
    play_on: bool = False,
    inner_visits: int = 0,
    inner_most: int = 16,
    longest: int = 400,
    eval_file: Path | None = None,
    tables: Path | None = None,
    hash: int = 8,
    evaluator: Evaluator | None = None,
    games_at_once: int = 256,
    progress: Listener = None,
) -> None:
    """Plays games of the engine against itself and writes what can be learned from them to `out`.

    Each game depends on the seed and its number alone. While the run goes on, the games are in a file beside `out`,
    with `.partial` behind its name; after an interruption `resume=True` goes on with it.

    Args:
        out: The data file.
        games: Games of the whole run.
        variant: Rule set.
        fen: Position that games begin at; `None` for the start position of the rule set.
        nodes: Evaluated positions a turn.
        seed: Seed of the whole run.
        shard: I and N: only the games whose number leaves the remainder I when divided by N.
        resume: Go on with an interrupted run; a finished file is checked.
        threads: Games at a time; `None` for all cores. With an `evaluator` the threads that share `games_at_once`, each
            with batches of its own; `None` for one.
        opening_turns: Upper limit of random turns at the start of a game.
        sampled_turns: Number of turns after the opening that are drawn by visits; then the best turn is played.
        temperature: They are drawn in proportion to visits to the power of 1/temperature.
        noise: Scale of the Gumbel noise on the policy at the root.
        play_on: Play on when the result is proven.
        inner_visits: Record positions of the tree with at least this number of visits as well; 0 records none.
        inner_most: The most such positions a turn.
        longest: A game with this number of turns after the opening is drawn.
        eval_file: Weights to play with; `None` for the built-in ones.
        tables: Endgame tables of Damone to play with.
        hash: Memory of each search, MiB.
        evaluator: A net of your own to play with: see `hippolyta.evaluators`. Its exceptions end the run, which can be
            resumed.
        games_at_once: Games that share the batches of `evaluator`, one position each.
        progress: See the top of this module.

    Raises:
        ValueError: An argument is out of its range, or a file of weights or tables is none.
        EngineError: The file exists, is of another run or damaged, or cannot be written; the message says which.
    """
    if evaluator is not None and threads is None:
        threads = 1
    options = _given(locals(), "evaluator", "games_at_once", "progress")
    if evaluator is not None and eval_file is not None:
        raise ValueError("evaluator: eval_file is another evaluation; give one")
    whole("games_at_once", games_at_once, 1, 4096)
    if not isinstance(shard, (tuple, list)) or len(shard) != 2:
        raise TypeError(f"shard: two numbers are expected, I and N, not {shard!r}")
    divisor = whole("shard", shard[1], 1, 2**64 - 1)
    remainder = whole("shard", shard[0], 0, divisor - 1)
    options["shard"] = f"{remainder}/{divisor}"
    there = any(os.path.exists(path) for path in (out, f"{os.fspath(out)}.partial"))
    if resume and there and evaluator is not None and not hasattr(evaluator, "identity"):
        text = "evaluator: it has no attribute identity, so nobody can tell whether it played the games that are there"
        warnings.warn(text, stacklevel=2)
    done = 0
    with _Reporter(progress, "game") as reporter:

        def listen(number: int, result: float, turns: int) -> None:
            nonlocal done
            done += 1
            message = f"game {number}: {turns} turns, White {result:g}"
            total = (games + divisor - 1 - remainder) // divisor
            reporter.tell(Progress(done, total, message))

        heard = listen if reporter else None
        _hippolyta.selfplay(options, evaluator, games_at_once, heard)


def merge(inputs: Iterable[Path], out: Path, *, partial: bool = False, force: bool = False) -> int:
    """Joins the shards of one run, and returns the number of games.

    The result has the bytes that one run would have written.

    Args:
        inputs: Data files of shards of one run.
        out: The merged file, written whole or not at all.
        partial: Accept that games are missing, also from the end of a file.
        force: Write over an existing file.

    Raises:
        ValueError: The files do not belong together, or games are missing or damaged, or there is no file.
        FileExistsError: `out` exists.
    """
    return _hippolyta.merge_files(_paths("inputs", inputs), os.fspath(out), partial, force)


@dataclass(frozen=True)
class FitResult:
    """The result of a fit."""

    #: Before the first epoch and after each, the evaluation's first.
    losses: tuple[Losses, ...]
    #: The note on this fit in the weights file.
    note: str


def fit(
    inputs: Iterable[Path],
    out: Path,
    *,
    force: bool = False,
    resume: bool = False,
    curves: Path | None = None,
    start: Path = "built-in",
    search_share: float = 0.0,
    inner_every: int = 0,
    inner_share: float = 1.0,
    epochs: int = 4,
    rate: float | None = None,
    validation: int = 20,
    policy_every: int = 4,
    only: str | None = None,
    seed: int = 1,
    threads: int | None = None,
    progress: Listener = None,
) -> FitResult:
    """Learns the evaluation and the policy of a rule set from games of self-play.

    The same files and options give the same weights. Weights of other rule sets stay as they are. In the
    Amazons each size of board can have weights of its own, and all other sizes share one set: files of one
    size change the weights of that size, files of several sizes the shared set. After each epoch the state is
    kept beside `out`, with `.partial` behind its name; `resume=True` goes on from there.

    Args:
        inputs: Data files, of one rule set or of several that are learned together.
        out: The weights file.
        force: Replace a weights file that exists, and the checkpoint of an interrupted fit.
        resume: Go on with an interrupted fit.
        curves: Draw the losses into this SVG file.
        start: Weights to start from: a file, or `"built-in"`, or `"bootstrap"` (those before any learning).
        search_share: Weight of the search's score in the target, 0 to 1; the rest is the game's result.
        inner_every: Learn from one of N positions of the search's trees as well; 0 learns from none.
        inner_share: Weight of the search's score in the target of these positions.
        epochs: Number of epochs.
        rate: Initial learning rate; 0 learns nothing. `None` is 0.01 or, from learned weights, 0.001 for the
            evaluation and 0.003 for the policy.
        validation: One of N games is held out for validation.
        policy_every: The policy learns from one of N turns.
        only: Learn one part of the weights alone: `"shapes"`, which Damone does not have, or `"ownership"`, which only
            the Amazons have. All others stay as they are.
        seed: Seed of the order of the samples.
        threads: Number of threads; `None` for all cores.
        progress: See the top of this module.

    Raises:
        ValueError: An argument is out of its range, a file is damaged or of another rule set, or there are too few
            games.
        FileExistsError: `out` or a checkpoint exists.
        OSError: Another file cannot be written.
    """
    options = _given(locals(), "progress") | {"inputs": _paths("inputs", inputs)}
    done, stages = 0, 0 if only == "ownership" else 2
    with _Reporter(progress, "epoch") as reporter:

        def listen(
            what: Literal["value", "policy", "ownership"], epoch: int, *losses: float
        ) -> None:
            nonlocal done, stages
            done += 1
            if what == "ownership" and epoch == 0:
                stages += 1
            found = Losses(what, epoch, *losses)
            message = f"{what} {found.training:.5f} {found.validation:.5f}"
            reporter.tell(Progress(done, stages * (epochs + 1), message, losses=found))

        rows, note = _hippolyta.fit_weights(options, listen if reporter else None)
    return FitResult(tuple(Losses(*row) for row in rows), note)


def check(inputs: Iterable[Path], *, start: Path = "built-in", validation: int = 20) -> str:
    """How often wins, draws and losses come true in the validation games, by predicted probability.

    It is `hippolyta fit --check`, and returns its table in Markdown.
    """
    return _hippolyta.check_weights(
        _given(locals()) | {"inputs": _paths("inputs", inputs), "check": True}
    )


def interval(points: float, results: float) -> tuple[float, float]:
    """The interval of 95 % for the mean of independent results from 0 to 1, of which the seen ones sum to `points`.

    It is that of Clopper and Pearson: exact for results that are 0 or 1, and wider than need be for others.

    >>> low, high = interval(10, 100)
    >>> f"{low:.3f} {high:.3f}"
    '0.049 0.176'
    """
    low, high = _hippolyta.interval(points, results)
    return low, high


@dataclass(frozen=True)
class Calibration:
    """The result of a calibration. Losses are means in nats."""

    #: Factor of the logit.
    scale: float
    #: Factor of the thresholds of draws.
    width: float
    #: Offset of the thresholds, added after the factor.
    offset: float
    #: Loss of the results before, on training and on validation games.
    before: tuple[float, float]
    #: Loss of the results afterwards, on those games.
    after: tuple[float, float]


def calibrate(
    inputs: Iterable[Path],
    out: Path,
    *,
    force: bool = False,
    start: Path = "built-in",
    validation: int = 20,
    threads: int | None = None,
) -> Calibration:
    """Learns only the scale of the logit and the width of draws, so that probabilities come true in these games.

    It is `hippolyta fit --calibrate`. Arguments and errors are those of `fit`.
    """
    options = _given(locals()) | {"inputs": _paths("inputs", inputs), "calibrate": True}
    scale, width, offset, before, after = _hippolyta.calibrate_weights(options)
    return Calibration(scale, width, offset, (before[0], before[1]), (after[0], after[1]))


@dataclass(frozen=True)
class Player:
    """An engine of a match. Its limits are here or in the match's `each`.

    >>> Player(name="new", options={"EvalFile": "weights.bin"}, nodes=100).words()
    ['cmd=self', 'name=new', 'option.EvalFile=weights.bin', 'nodes=100']
    """

    #: The program, or `"self"`: this engine, within the process.
    command: str = "self"
    #: The engine's name in the results; `None` for the program's name.
    name: str | None = None
    #: How to speak with it; `None` is `"auto"`: UCI if it answers `uci`, else UGI.
    proto: Literal["auto", "uci", "ugi"] | None = None
    #: Arguments of the program; `--playouts` is known to `"self"`.
    arguments: Sequence[str] = ()
    #: Its working directory.
    directory: str | None = None
    #: Options to set, as `Threads`, `Hash`, `EvalFile`.
    options: Mapping[str, str | int | bool] = field(default_factory=dict)
    #: A clock: `[MOVES/]TIME[+INCREMENT]` in seconds, as `10+0.1`.
    tc: str | None = None
    #: Time for each move in seconds.
    st: float | None = None
    #: Nodes for each move.
    nodes: int | None = None
    #: Depth of each search.
    depth: int | None = None
    #: How much later than allowed a move may come, in milliseconds; `None` for 20.
    timemargin: int | None = None
    #: Whether it thinks on while its opponent does.
    ponder: bool = False

    def words(self) -> list[str]:
        """The words that the command `match` takes for this engine."""
        words = [f"cmd={self.command}"]
        named = {"name": self.name, "proto": self.proto, "dir": self.directory}
        words += [f"{key}={value}" for key, value in named.items() if value is not None]
        words += [f"arg={argument}" for argument in self.arguments]
        for name, value in self.options.items():
            text = str(value).lower() if isinstance(value, bool) else str(value)
            words.append(f"option.{name}={text}")
        limits = {
            "tc": self.tc,
            "st": self.st,
            "nodes": self.nodes,
            "depth": self.depth,
            "timemargin": self.timemargin,
            "ponder": "true" if self.ponder else None,
        }
        return words + [f"{key}={value}" for key, value in limits.items() if value is not None]


@dataclass(frozen=True)
class Openings:
    """Openings from a file: one a line, a FEN or `startpos`, then `moves` and the moves; or the main lines of games.

    >>> Openings(order="random").words()
    ['suite', 'order=random', 'start=1']
    """

    #: The file; `None` for the suite of balanced openings that comes with the package, for seven rule sets.
    file: str | None = None
    #: Their order.
    order: Literal["sequential", "random"] = "sequential"
    #: The first to be played, from 1.
    start: int = 1
    #: The format of the file; `None`: its name's ending tells.
    format: Literal["text", "epd", "pgn", "sgf", "jsonl"] | None = None
    #: Turns that are taken from a line or game; `None` for all.
    plies: int | None = None

    def words(self) -> list[str]:
        """The words that the command takes."""
        words = ["suite"] if self.file is None else [f"file={self.file}"]
        words += [f"order={self.order}", f"start={self.start}"]
        rest = {"format": self.format, "plies": self.plies}
        return words + [f"{key}={value}" for key, value in rest.items() if value is not None]


@dataclass(frozen=True)
class Sprt:
    """A sequential test of two differences: the match ends as soon as it decides."""

    #: Difference under the null hypothesis.
    elo0: float
    #: Difference under the alternative, greater than `elo0`.
    elo1: float
    #: Greatest probability of accepting the alternative wrongly, between 0 and 0.5.
    alpha: float = 0.05
    #: Greatest probability of accepting the null hypothesis wrongly, between 0 and 0.5.
    beta: float = 0.05
    #: Unit of the differences.
    model: Literal["logistic", "normalized"] = "logistic"

    def words(self) -> list[str]:
        """The words that the command takes."""
        numbers = {
            "elo0": self.elo0,
            "elo1": self.elo1,
            "alpha": self.alpha,
            "beta": self.beta,
        }
        return [f"{key}={value}" for key, value in numbers.items()] + [f"model={self.model}"]


@dataclass(frozen=True)
class Resign:
    """When the referee resigns for an engine."""

    #: After consecutive scores of minus this or less, in hundredths of the engine's unit.
    score: int
    #: The number of such scores.
    movecount: int = 3
    #: Whether the other engine must agree.
    twosided: bool = False

    def words(self) -> list[str]:
        """The words that the command takes."""
        twosided = str(self.twosided).lower()
        return [
            f"movecount={self.movecount}",
            f"score={self.score}",
            f"twosided={twosided}",
        ]


@dataclass(frozen=True)
class Draw:
    """When the referee draws a game."""

    #: After consecutive scores of both within plus and minus this, in hundredths of the engines'
    #: unit.
    score: int
    #: Not before this move of each side.
    movenumber: int = 0
    #: The number of such scores of each side.
    movecount: int = 8

    def words(self) -> list[str]:
        """The words that the command takes."""
        return [
            f"movenumber={self.movenumber}",
            f"movecount={self.movecount}",
            f"score={self.score}",
        ]


@dataclass(frozen=True)
class Pairing:
    """The games of two engines, from the view of the first."""

    first: str
    second: str
    wins: int
    draws: int
    losses: int
    #: Pairs of games of one opening by the first engine's half points, 0 to 4; all 0 without
    #: `repeat`.
    pairs: tuple[int, int, int, int, int]
    #: Difference in Elo, by pairs where there are any; infinite if one has won all games, `None`
    #: without a game.
    elo: float | None
    #: Half the width of its interval of 95 %; `None` while there are too few games to tell, or all went alike.
    elo_error: float | None
    #: The probability that the first is the stronger one, 0 to 1.
    superiority: float | None
    #: By how much the first wins a game on average, in the game's own units (moves left, stones); `None` if no
    #: game's margin is known.
    margin: float | None

    @property
    def games(self) -> int:
        """How many were played."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """The share of the points, 0 to 1; nan without a game."""
        return (self.wins + self.draws / 2) / self.games if self.games else math.nan


@dataclass(frozen=True)
class SprtState:
    """How far a test has come."""

    #: The log-likelihood ratio.
    llr: float
    #: At or below this, H0 is accepted.
    lower: float
    #: At or above this, H1 is accepted.
    upper: float
    #: The hypothesis that was accepted; `None` if the games ended before the test.
    verdict: Literal["H0", "H1"] | None


@dataclass(frozen=True)
class MatchResult:
    """The result of a match."""

    #: One for two engines; for more, one for each two that met.
    pairings: tuple[Pairing, ...]
    #: The test, if there was one.
    sprt: SprtState | None
    #: Remarks of engines on their options.
    remarks: tuple[str, ...]
    #: The report of the command.
    text: str


def match(
    engines: Sequence[Player | str] = (),
    *,
    engines_file: Path | None = None,
    each: Sequence[str] | str = (),
    variant: str = "amazons",
    games: int = 2,
    rounds: int | None = None,
    repeat: bool = True,
    concurrency: int = 1,
    openings: Openings | None = None,
    book_plies: int = 4,
    seed: int = 0,
    sprt: Sprt | None = None,
    resign: Resign | None = None,
    draw: Draw | None = None,
    maxmoves: int | None = None,
    adjudicate: Literal["exact", "count", "proof"] | None = None,
    tournament: Literal["round-robin", "gauntlet", "swiss", "knockout"] = "round-robin",
    recover: bool = True,
    patience: int = 60,
    out: Path | None = None,
    resume: bool = False,
    progress: Listener = None,
) -> MatchResult:
    """Plays engine against engine under the rules of this library.

    Args:
        engines: Two or more: `Player`, or the words of the command, as `"cmd=./old name=old st=0.1"`.
        engines_file: A file that describes engines, TOML or the `engines.json` of cutechess. All of them play, or
            those that `engines` picks by `"conf=NAME"`.
        each: Words for every engine, as `"tc=10+0.1"`; an engine's own come after them.
        variant: Rule set.
        games: Games of each pairing in a round.
        rounds: How often all pairings are gone through (1), or the rounds of a Swiss tournament (two more than one
            engine needs to win all).
        repeat: Play each opening twice, with colours swapped.
        concurrency: Games at a time.
        openings: A file of openings; `None` for random balanced ones.
        book_plies: Their number of moves; 0: the start position.
        seed: For random openings and their order.
        sprt: End as soon as this test decides; for two engines.
        resign: When engines resign; `None`: never.
        draw: When games are drawn by score; `None`: never.
        maxmoves: Games are drawn after this number of moves of both sides.
        adjudicate: `"exact"`: a game ends as soon as its result is certain; `"count"`: as soon as its margin is;
            `"proof"`: as soon as a short proof search finds its result.
        tournament: Everybody against everybody, the first against all others, in each round like scores, or whoever
            loses is out.
        recover: Go on after a crash, with the engine started anew.
        patience: Seconds for which an engine may owe an answer where no clock runs.
        out: Folder for `games.jsonl` and `games.pgn`, which grow game by game, and at the end `result.json`; the
            command `hippolyta match` can go on with it, and the other way round. `hippolyta match --results FOLDER
            --html FILE` makes a page of it.
        resume: Go on with the match in the folder, if one was begun there.
        progress: See the top of this module.

    Raises:
        ValueError: An argument makes no sense.
        EngineError: An engine cannot be started, or results cannot be kept; an engine crashed and `recover` is off.
    """
    options = _given(locals(), "progress", "engines_file")
    if resume and out is None:
        raise ValueError("resume: a folder is needed, out=")
    if isinstance(engines, str):
        raise TypeError(f"engines: several are expected, not the text {engines!r}")
    lists = {"openings": openings, "sprt": sprt, "resign": resign, "draw": draw}
    options |= {name: None if value is None else value.words() for name, value in lists.items()}
    options["each"] = each.split() if isinstance(each, str) else list(each)
    options["engines"] = engines_file
    options["engine"] = [
        engine.split() if isinstance(engine, str) else engine.words() for engine in engines
    ]
    if openings is not None:
        del options["book_plies"]
    with _Reporter(progress, "game") as reporter:

        def listen(done: int, total: int, message: str, record: str | None) -> None:
            game = None if record is None else json.loads(record)
            reporter.tell(Progress(done, total, message, game=game))

        found, remarks, bounds = _hippolyta.play_match(options, listen if reporter else None)
    state = None
    if found["sprt"] is not None and bounds is not None:
        llr, verdict = found["sprt"]
        state = SprtState(llr, *bounds, verdict)
    pairings = []
    for row in found["pairings"]:
        first, second, (losses, draws, wins), pairs, (elo, error, superiority), margin = row
        pairings.append(
            Pairing(
                first,
                second,
                wins,
                draws,
                losses,
                tuple(pairs),
                elo,
                error,
                superiority,
                margin,
            )
        )
    return MatchResult(tuple(pairings), state, tuple(remarks), found["text"])


class _Game(Protocol):
    """The parts of a board that `solve` needs."""

    @property
    def variant(self) -> str: ...
    @property
    def start_fen(self) -> str: ...
    @property
    def move_stack(self) -> Sequence[str]: ...
    @property
    def turn(self) -> Side: ...


@dataclass(frozen=True)
class Solution:
    """A proven result, with best play of both sides."""

    #: Who wins; `None` if it is a draw.
    winner: Side | None
    #: Turns of both sides until the game is over, at most, if the winner plays well, as in `hippolyta.Score`; `None` for
    #: a draw.
    plies: int | None
    #: Turns that keep the result, the side to move's first; empty if the game is over.
    line: tuple[str, ...]


def solve(
    board: _Game,
    *,
    time: float | None = None,
    nodes: int | None = None,
    threads: int | None = None,
    hash: int = 256,
    eval_file: Path | None = None,
    tables: Path | None = None,
    progress: Listener = None,
) -> Solution | None:
    """Proves who wins, or returns `None` if there is no proof within the limits.

    Without `time` and `nodes` it goes on until there is a proof, or Ctrl-C. The Amazons and the Desdemona
    family have a proof search, which needs a board that is small or mostly filled, and Damone has endgame tables.

    Args:
        board: A `hippolyta.Board`.
        time: Seconds.
        nodes: Positions to evaluate.
        threads: Number of threads; `None` for all cores.
        hash: Memory in MiB.
        eval_file: Weights to search with; `None` for the built-in ones.
        tables: Endgame tables of Damone, a file of `hippolyta tables`.
        progress: See the top of this module.
    """
    options = _given(locals(), "board", "progress")
    options["threads"] = os.cpu_count() if threads is None else threads
    side = board.turn
    with _Reporter(progress, "s") as reporter:

        def listen(seconds: float, count: int, proof: tuple[int, int] | None) -> None:
            total = None if time is None else math.ceil(time)
            refuted = "" if proof is None else f", {proof[0]} of {proof[1]} turns refuted"
            reporter.tell(Progress(int(seconds), total, f"{count} positions{refuted}"))

        found = _hippolyta.solve_position(
            board.variant,
            board.start_fen,
            list(board.move_stack),
            options,
            listen if reporter else None,
        )
    if found is None:
        return None
    outcome, plies, line = found
    winner = None if outcome == 0 else side if outcome > 0 else side.other
    return Solution(winner, plies, tuple(line))


def learn(
    out: Path,
    *,
    generations: int | None = None,
    games: int | None = None,
    nodes: int | None = None,
    variant: str = "amazons",
    fen: str | None = None,
    start: Path = "built-in",
    seed: int = 0,
    window: int = 2,
    keep: Literal["all", "games", "window"] = "games",
    shard_size: int = 50,
    opening_turns: int = 6,
    sampled_turns: int = 20,
    inner_visits: int = 0,
    epochs: int = 4,
    rate: float | None = None,
    search_share: float = 0.0,
    inner_every: int | None = None,
    validation: int = 20,
    policy_every: int = 4,
    gate_games: int = 200,
    gate_nodes: int | None = None,
    gate_opening_turns: int = 4,
    gate_shard_size: int = 8,
    calibration_games: int | None = None,
    sprt: Sprt | None = None,
    threads: int | None = None,
    progress: Listener = None,
) -> None:
    """Learns generation after generation: plays, fits, and keeps the weights that win a match.

    The folder then holds `weights.bin` and `report.html`. After an interruption, even by `kill -9`, the same call
    goes on, and so does `learn(out)` alone; the results have the same bytes.

    Args:
        out: The folder of the run.
        generations: Number of generations; of a finished run it may grow.
        games: Games of self-play in each generation.
        nodes: Evaluated positions a turn in these games.
        variant: Rule set.
        fen: Position that games begin at; in the Amazons its board may have any size.
        start: Weights to begin with: a file, or `"built-in"`, or `"bootstrap"` (those before any learning).
        seed: Seed of the whole run.
        window: Number of generations whose games weights are fitted to, the newest ones.
        keep: Games that stay: all files, those of each generation, or those that later generations are fitted to.
        shard_size: Games of a task of self-play.
        opening_turns: Upper limit of random turns at the start of a game of self-play.
        sampled_turns: Number of turns after the opening that are drawn by visits.
        inner_visits: Record positions of the tree with at least this number of visits as well; 0 records none.
        epochs: Epochs of each fit.
        rate: Initial learning rate; `None` as in `fit`.
        search_share: Weight of the search's score in the target, 0 to 1.
        inner_every: Learn from one of N recorded positions of the trees; `None`: from all, if there are any.
        validation: One of N games is held out for validation.
        policy_every: The policy learns from one of N turns.
        gate_games: The most pairs of games in the gate.
        gate_nodes: Evaluated positions a turn in the gate; `None` for those of self-play.
        gate_opening_turns: Random turns before the games of the gate.
        gate_shard_size: Pairs of games of a task of the gate.
        calibration_games: Games of 20,000 nodes a turn that the percentages shown are fitted to at the end; 0 fits none,
            `None` is for a tenth of `games`, 200 at most, of so few nodes that they cost no more than self-play, and
            none if that is less than 20 games, or 1,000 nodes.
        sprt: The test that ends the gate; `None` for 0 against 20 Elo.
        threads: Games or fits at a time; `None` for all cores.
        progress: See the top of this module; it is told of the step that is being done.

    Raises:
        ValueError: An argument is out of its range.
        EngineError: The folder holds something else, or another run, or a file is damaged or cannot be written.
    """
    options = _given(locals(), "progress") | {"sprt": None if sprt is None else sprt.words()}
    if generations is games is nodes is None:
        options = {"out": out, "threads": threads}
    step, done, total = "", 0, 0
    with _Reporter(progress, "unit") as reporter:

        def listen(kind: str, generation: int | None, number: int, text: str) -> None:
            nonlocal step, done, total
            if kind == "begun":
                step, done, total = f"generation {generation}: {text}", 0, number
            elif kind == "progress":
                done += number
            message = step if kind in ("begun", "progress") else text
            reporter.tell(Progress(done, total, message))

        _hippolyta.learn_folder(options, listen if reporter else None)
