"""Learning with a net of your own, for any rule set: it plays itself, learns, and plays a match against what it was.

    >>> import tempfile
    >>> import numpy as np
    >>> from hippolyta import Rules, nets
    >>> from hippolyta.encoding import Encoding
    >>> rules = Rules("[knights]\\nlike = 'amazons6'\\nmoves = 'N'\\nfires = 'N'")
    >>> class Constant:
    ...     "It learns how often the side to move wins, and nothing else."
    ...     def __init__(self):
    ...         self.actions, self.value = Encoding(rules).actions, np.float32(0)
    ...     def __call__(self, planes):
    ...         values = np.full(len(planes), self.value, np.float32)
    ...         return np.zeros((len(planes), self.actions), np.float32), values
    ...     def fit(self, games):
    ...         results = [batch.result.mean() for batch in games.samples()]
    ...         self.value = np.float32(2 * np.mean(results) - 1)
    ...     def save(self, path):
    ...         with open(path, "wb") as file:
    ...             np.save(file, self.value)
    ...     def load(self, path):
    ...         self.value = np.load(path)
    >>> out = tempfile.mkdtemp()
    >>> done = []
    >>> net = nets.learn(out, Constant, variant=rules, generations=1, games=8, nodes=8, gate_pairs=4,
    ...                  on_generation=done.append)
    >>> bool(-1 < net.value < 1), done[0].number, done[0].pairing.games
    (True, 1, 8)

`match` plays such matches between any two engines of this process: two nets, or a net and what `hippolyta.training.learn`
has learned of the same game.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import random
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from . import records
from ._hippolyta import Board, judge_pairs, whole
from .base import BaseEngine
from .engine import Engine
from .evaluators import Evaluator
from .limit import Limit
from .outcome import Side
from .training import (
    NO_GAME,
    Listener,
    MatchResult,
    Pairing,
    Progress,
    Sprt,
    SprtState,
    _Reporter,
    selfplay,
)

if TYPE_CHECKING:
    from .cluster import Cluster
    from .cluster import Progress as Shown

__all__ = ["Generation", "Net", "learn", "match"]

#: Pairs of games that are played beside each other, so that batches of nets are full.
_AT_ONCE = 32
#: Turns after which a game of a match is drawn.
_LONGEST = 400
#: Options that change no byte of a run, but who does the work: a run goes on with others.
_FREE = {"threads", "games_at_once", "part", "cpus", "gpus"}


class Net(Protocol):
    """A net that learns: an evaluator, as `hippolyta.evaluators` has them, with three methods more.

    It may have more heads than the two that the search asks for: `fit` also finds margins, and owners of squares, in
    `games.samples(ownership=True)`.
    """

    def __call__(self, planes: Any, /) -> tuple[Any, Any]: ...

    def fit(self, games: records.Records, /) -> object:
        """Learns from games of self-play: `games.samples(…)` are their positions, policies and results."""

    def save(self, path: str, /) -> object:
        """Writes all that it has learned into the file `path`, and what `fit` goes on with, as an optimiser's state."""

    def load(self, path: str, /) -> object:
        """Becomes the net that was saved into the file `path`."""


_Net = TypeVar("_Net", bound=Net)


@dataclass(frozen=True)
class Generation:
    """A generation of `learn` that is over."""

    number: int
    #: The data file with its games.
    games: str
    #: The file that its net was saved into.
    net: str
    #: Whether the next generation plays with its net.
    accepted: bool
    #: The match of its net, which is `first`, against the one that had played.
    pairing: Pairing
    sprt: SprtState | None

    def numbers(self) -> dict[str, float]:
        """Numbers that make curves over the generations, by name, for `wandb.log`, `mlflow.log_metrics` or
        `tune.report`. An Elo that is infinite or not known is left out."""
        elo, error = self.pairing.elo, self.pairing.elo_error
        found = {"match/elo": elo, "match/error": error, "match/score": self.pairing.score}
        known = {name: one for name, one in found.items() if one is not None and math.isfinite(one)}
        return {"match/accepted": float(self.accepted), **known}


def learn(
    out: str | os.PathLike[str],
    make: Callable[[], _Net],
    *,
    generations: int,
    games: int,
    nodes: int = 64,
    variant: str = "amazons",
    fen: str | None = None,
    seed: int = 0,
    window: int = 4,
    gate_pairs: int = 50,
    gate_nodes: int | None = None,
    gate_opening_turns: int = 4,
    sprt: Sprt | None = None,
    cluster: Cluster | None = None,
    beside: bool = False,
    on_generation: Callable[[Generation], object] | None = None,
    progress: Listener = None,
    **options: Any,
) -> _Net:
    """Learns with a net of your own, generation after generation, and returns the net that is left.

    In each generation the net plays `games` games with itself; a copy of it learns from them and from those of the
    generations before, in a call of its `fit`; then both play a match, and the copy goes on if it is stronger. Nets are
    called on other threads than yours, `fit` on the one that calls this. The folder keeps all games and nets: after an
    interruption the same call goes on, and what it finds there is not made again.

    Args:
        out: The folder of the run.
        make: Makes a net, a fresh one; called once for each net that is needed.
        generations: Their number; of a finished run it may grow.
        games: Games of self-play in each.
        nodes: Evaluated positions a turn in these games.
        variant: Rule set, also one of your own.
        fen: Position that all games begin at; `None` for the start position of the rule set.
        seed: Seed of the whole run; what a net itself draws by lot is its own affair.
        window: Generations whose games are learned from, the newest ones.
        gate_pairs: The most pairs of games in the match.
        gate_nodes: Evaluated positions a turn in the match; `None` for those of self-play.
        gate_opening_turns: Random turns before the games of the match.
        sprt: The test that ends the match; `None` for 0 against 50 Elo. Without a verdict the new net goes on if the
            test leans to it.
        cluster: Self-play is played on this cluster of Ray: see `hippolyta.cluster.selfplay`. `make` is pickled then.
        beside: While `fit` and match go on, games of the next generation are played by the net that was best before, on
            a thread of their own, which shows no progress. So nothing waits, and a net meets its games a generation
            later. The files do not depend on which is faster.
        on_generation: Is called after each match; what it raises ends the run. `Generation.numbers` are for curves.
        progress: As in `hippolyta.training`.
        options: Others of `hippolyta.training.selfplay`, as `games_at_once` and `hash`.

    Raises:
        ValueError: An argument is out of its range, the folder holds a run with other options, or `save` wrote nothing.
        Whatever the net raises.
    """
    whole("generations", generations, 1, 2**31 - 1)
    whole("seed", seed, 0, 2**63 - 1)
    whole("window", window, 1, 2**31 - 1)
    whole("gate_pairs", gate_pairs, 1, 2**31 - 1)
    whole("gate_opening_turns", gate_opening_turns, 0, _LONGEST)
    if gate_nodes is not None:
        whole("gate_nodes", gate_nodes, 1, 2**64 - 1)
    sprt = Sprt(0, 50) if sprt is None else sprt
    judge_pairs([0] * 5, sprt.words())
    played = {"variant": variant, "fen": fen, "games": games, "nodes": nodes, **options}
    # Nothing is begun with wrong options.
    if cluster is None:
        none: dict[str, Any] = {"evaluator": len, "shard": NO_GAME, "resume": False}
        with tempfile.TemporaryDirectory() as aside:
            selfplay(Path(aside, "none"), progress=False, **none, **played)
    else:
        from .cluster.selfplay import checked

        checked(**played)
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    settings = played | {"seed": seed, "window": window, "gate": [gate_pairs, gate_nodes]}
    settings |= {"opening": gate_opening_turns, "sprt": asdict(sprt)}
    _check(folder / "learn.json", settings | ({"beside": True} if beside else {}))
    best = player = folder / "net-0"
    if not best.exists():
        _save(make(), best)
    over = threading.Event()
    coming: Future[None] | None = None

    def play(number: int, player: Path) -> None:
        """Plays the games of a generation."""
        file, own = folder / f"games-{number}.dat", played | {"seed": seed + number}
        if cluster is None:
            playing = _Playing(_loaded(make, player), player.read_bytes(), over)
            listener = False if beside else progress
            selfplay(file, evaluator=playing, resume=True, progress=listener, **own)
        elif not file.exists():
            from .cluster import selfplay as play_there

            net = _made(make, player.read_bytes())
            play_there(str(file), net, cluster=cluster, progress=_heeding(over), **own)

    with ExitStack() as stack:
        pool = stack.enter_context(ThreadPoolExecutor(1))
        stack.callback(over.set)
        for number in range(1, generations + 1):
            fresh, verdict = folder / f"net-{number}", folder / f"generation-{number}.json"
            if not verdict.exists():
                if coming is None:
                    play(number, player)
                else:
                    coming.result()
                if beside and number < generations:
                    coming = pool.submit(play, number + 1, best)
                learner = _loaded(make, fresh if fresh.exists() else best)
                if not fresh.exists():
                    first = max(1, number - window + 1)
                    newest = [folder / f"games-{one}.dat" for one in range(first, number + 1)]
                    learner.fit(records.open(newest))
                    _save(learner, fresh)
                together: dict[str, Any] = {"batch": 2 * _AT_ONCE, "hash": 16}
                with (
                    Engine(evaluator=learner, **together) as one,
                    Engine(evaluator=_loaded(make, best), **together) as other,
                ):
                    result = match(
                        one,
                        other,
                        Limit(nodes=nodes if gate_nodes is None else gate_nodes),
                        names=(f"generation {number}", best.name.replace("net-", "generation ")),
                        variant=variant,
                        fen=fen,
                        pairs=gate_pairs,
                        opening_turns=gate_opening_turns,
                        seed=seed + number,
                        sprt=sprt,
                        progress=progress,
                    )
                _write(verdict, json.dumps(asdict(result)).encode())
                done = _generation(folder, number)
                if on_generation is not None:
                    on_generation(done)
            player = best
            if _generation(folder, number).accepted:
                best = fresh
            if not beside:
                player = best
    return _loaded(make, best)


def match(
    first: BaseEngine[Any],
    second: BaseEngine[Any],
    limit: Limit,
    *,
    names: tuple[str, str] = ("first", "second"),
    variant: str = "amazons",
    fen: str | None = None,
    pairs: int = 50,
    opening_turns: int = 4,
    seed: int = 0,
    sprt: Sprt | None = None,
    progress: Listener = None,
) -> MatchResult:
    """Plays two engines of this process against each other: pairs of games from random openings, colours exchanged. Many
    games go on beside each other (`analyse_many`), so batches of nets are full. A game ends with its result, or as soon
    as a search has proven it. Blocks until all are over, or until `sprt` decides.

    Args:
        first: An engine, as `Engine(evaluator=net)` or `Engine(eval_file="weights.bin")`.
        second: Its opponent.
        limit: Limit of each search, for both.
        names: How results call them.
        variant: Rule set.
        fen: Position that games begin at; `None` for the start position of the rule set.
        pairs: The most pairs of games.
        opening_turns: Random turns before the engines begin.
        seed: Seed of these.
        sprt: End as soon as this test decides.
        progress: As in `hippolyta.training`.

    >>> with Engine(hash=16) as one, Engine(hash=16, seed=1) as other:
    ...     result = match(one, other, Limit(nodes=20), variant="amazons6", pairs=2)
    >>> result.pairings[0].games, sum(result.pairings[0].pairs)
    (4, 2)
    """
    whole("pairs", pairs, 1, 2**31 - 1)
    whole("opening_turns", opening_turns, 0, _LONGEST)
    whole("seed", seed, 0, 2**64 - 1)
    words = [] if sprt is None else sprt.words()
    start = Board(variant) if fen is None else Board.from_fen(fen, variant)
    counts, tally = [0] * 5, [0, 0, 0]
    elo, test = judge_pairs(counts, words)
    with _Reporter(progress, "game") as reporter:
        for begun in range(0, pairs, _AT_ONCE):
            numbers = range(begun, min(begun + _AT_ONCE, pairs))
            openings = [_opening(start, opening_turns, f"{seed} {number}") for number in numbers]
            boards = [opening.copy() for opening in openings for _ in Side]
            points = _played((first, second), boards, limit)
            for one, other in zip(points[::2], points[1::2], strict=True):
                counts[one + other] += 1
                tally[one] += 1
                tally[other] += 1
                elo, test = judge_pairs(counts, words)
                if test is not None and test[2] is not None:
                    break
            message = f"{names[0]}: +{tally[2]} ={tally[1]} -{tally[0]}"
            reporter.tell(Progress(sum(tally), 2 * pairs, message))
            if test is not None and test[2] is not None:
                break
    losses, draws, wins = tally
    found = (counts[0], counts[1], counts[2], counts[3], counts[4])
    pairing = Pairing(*names, wins, draws, losses, found, *elo, None)
    state = None if test is None else SprtState(test[0], *test[1], test[2])
    error = "" if pairing.elo_error is None else f" ± {pairing.elo_error:.0f}"
    text = f"{names[0]} against {names[1]}: +{wins} ={draws} -{losses}, {elo[0] or 0.0:+.0f}{error} Elo"
    return MatchResult((pairing,), state, (), text)


def _opening(start: Board, turns: int, seed: str) -> Board:
    """A position after random turns in which the game is not over, if there is one."""
    lot, board = random.Random(seed), start.copy()
    for _ in range(turns):
        board.push(lot.choice(board.legal_moves))
        if board.is_game_over():
            return _opening(start, turns - 1, seed)
    return board


def _played(engines: tuple[BaseEngine[Any], ...], boards: list[Board], limit: Limit) -> list[int]:
    """Plays on all boards to the end. The first engine is White where the number of a board is even; its half points."""
    points = [1] * len(boards)
    white = [number % 2 for number in range(len(boards))]
    going = [number for number, board in enumerate(boards) if not board.is_game_over()]
    for _ in range(_LONGEST):
        left: list[int] = []
        # White's number if White is to move, else the other.
        movers = [(boards[one].turn is Side.BLACK) ^ white[one] for one in going]
        for player, engine in enumerate(engines):
            own = [one for one, mover in zip(going, movers, strict=True) if mover == player]
            infos = engine.analyse_many([boards[one] for one in own], limit, progress=False)
            for one, info in zip(own, infos, strict=True):
                expected = info.score.expected
                if not info.score.proven:
                    boards[one].push(info.pv[0])
                    outcome = boards[one].outcome()
                    if outcome is None:
                        left.append(one)
                        continue
                    # Whoever has just moved is this player.
                    expected = {None: 0.5, info.side: 1.0}.get(outcome.winner, 0.0)
                points[one] = round(2 * (expected if player == 0 else 1 - expected))
        if not left:
            break
        going = sorted(left)
    return points


class _Playing:
    """A net that self-play knows by what was saved of it."""

    def __init__(self, net: Net, saved: bytes, over: threading.Event) -> None:
        self._net, self.identity, self._over = net, hashlib.sha256(saved).digest(), over

    def __call__(self, planes: Any, /) -> tuple[Any, Any]:
        if self._over.is_set():
            raise InterruptedError("the run that these games are for has ended")
        return self._net(planes)


def _heeding(over: threading.Event) -> Shown:
    """What a cluster shows its progress to: nothing goes on once a run is over."""
    from .cluster import Interrupted
    from .cluster import Progress as Showing

    class Heeding(Showing):
        def finished(self, done: int) -> None:
            if over.is_set():
                raise Interrupted
            super().finished(done)

    return Heeding()


def _loaded(make: Callable[[], _Net], path: Path) -> _Net:
    net = make()
    net.load(str(path))
    return net


def _made(make: Callable[[], Net], saved: bytes) -> Callable[[], Evaluator]:
    """A function that makes a net on another machine."""

    def made() -> Evaluator:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "net")
            path.write_bytes(saved)
            return _Playing(_loaded(make, path), saved, threading.Event())

    return made


def _write(path: Path, content: bytes) -> None:
    """Writes a file whole or not at all."""
    fresh = path.with_name(f"{path.name}.new")
    fresh.write_bytes(content)
    fresh.replace(path)


def _save(net: Net, path: Path) -> None:
    fresh = path.with_name(f"{path.name}.new")
    net.save(str(fresh))
    if not fresh.is_file():
        raise ValueError(f"make: the net's save has not written the file that it was told, {fresh}")
    fresh.replace(path)


def _check(path: Path, settings: dict[str, Any]) -> None:
    """Keeps the settings of a run, or holds them against those that it was begun with."""
    wanted = json.loads(json.dumps(settings, default=os.fspath))
    if not path.exists():
        _write(path, json.dumps(wanted).encode())
        return
    begun = json.loads(path.read_text(encoding="utf-8"))
    for name in sorted({*wanted, *begun} - _FREE):
        if wanted.get(name) != begun.get(name):
            there, now = begun.get(name), wanted.get(name)
            raise ValueError(f"{path.parent} was begun with another {name}: {there}, not {now}")


def _generation(folder: Path, number: int) -> Generation:
    """A generation whose match is over."""
    found = json.loads((folder / f"generation-{number}.json").read_text(encoding="utf-8"))
    row, state = found["pairings"][0], found["sprt"]
    pairing = Pairing(**{**row, "pairs": tuple(row["pairs"])})
    sprt = None if state is None else SprtState(**state)
    accepted = sprt is not None and (sprt.verdict == "H1" if sprt.verdict else sprt.llr > 0)
    games, net = (str(folder / name) for name in (f"games-{number}.dat", f"net-{number}"))
    return Generation(number, games, net, accepted, pairing, sprt)
