"""Learning with nets of one's own, and matches of engines within the process."""

import runpy
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pytest
from nets import Answer, Planes

from hippolyta import Board, Engine, Limit, Rules, nets, records
from hippolyta.encoding import Encoding
from hippolyta.training import Pairing, Sprt

RULES = Rules("[duel]\nstart = 'q3/4/4/3Q w'\nmoves = 'Q'\nfires = 'K'")
QUICK: dict[str, Any] = {
    "variant": RULES,
    "games": 6,
    "nodes": 6,
    "gate_pairs": 3,
    "gate_opening_turns": 1,
    "hash": 1,
    "progress": False,
}


class Counting:
    """A net whose weights count its steps: it prefers actions the less, the more it has learned."""

    fitted: ClassVar[list[int]] = []

    def __init__(self) -> None:
        self.actions, self.steps = Encoding(RULES).actions, 0

    def __call__(self, planes: Planes) -> Answer:
        logits = np.tile(np.arange(self.actions, dtype=np.float32) % 7, (len(planes), 1))
        return logits / (1 + self.steps), np.zeros(len(planes), np.float32)

    def fit(self, games: records.Records) -> None:
        self.fitted.append(len(games))
        self.steps += 1

    def save(self, path: str) -> None:
        Path(path).write_text(str(self.steps))

    def load(self, path: str) -> None:
        self.steps = int(Path(path).read_text())


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_net_of_ones_own_learns_a_game_of_ones_own_and_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Counting, "fitted", [])
    done: list[nets.Generation] = []
    whole = tmp_path / "whole"
    net = nets.learn(whole, Counting, generations=3, window=2, on_generation=done.append, **QUICK)
    assert Counting.fitted == [6, 12, 12]
    assert [one.number for one in done] == [1, 2, 3]
    assert all(0 < one.pairing.games <= 6 and one.sprt is not None for one in done)
    assert net.steps == sum(one.accepted for one in done)
    assert len(records.open(done[-1].games)) == 6
    # It ends after the second self-play, and after the second fit.
    parted, calls = tmp_path / "parted", 0

    class Halting(Counting):
        def fit(self, games: records.Records) -> None:
            nonlocal calls
            calls += 1
            if calls == 2:
                raise KeyboardInterrupt
            super().fit(games)

    with pytest.raises(KeyboardInterrupt):
        nets.learn(parted, Halting, generations=3, window=2, **QUICK)
    assert (parted / "games-2.dat").exists() and not (parted / "net-2").exists()

    def stopped(_: nets.Generation) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        nets.learn(parted, Counting, generations=3, window=2, on_generation=stopped, **QUICK)
    (parted / "generation-2.json").unlink()
    others: dict[str, Any] = {"threads": 2, "games_at_once": 3}  # no file depends on them
    nets.learn(parted, Counting, generations=2, window=2, **QUICK, **others)
    assert nets.learn(parted, Counting, generations=3, window=2, **QUICK).steps == net.steps
    assert files(parted) == files(whole)
    with pytest.raises(ValueError, match="was begun with another nodes: 6, not 7$"):
        nets.learn(parted, Counting, generations=3, window=2, **{**QUICK, "nodes": 7})


def test_the_next_generation_is_played_beside_the_fit_and_files_are_the_same(
    tmp_path: Path,
) -> None:
    fitting, playing, stops = threading.Event(), threading.Event(), False

    class Beside(Counting):
        def __call__(self, planes: Planes) -> Answer:
            if fitting.is_set():
                playing.set()
                time.sleep(0.01)
            return super().__call__(planes)

        def fit(self, games: records.Records) -> None:
            if len(games) == 6:
                fitting.set()
                assert playing.wait(60), "nobody plays"
                if stops:
                    raise KeyboardInterrupt
                fitting.clear()
            super().fit(games)

    options: dict[str, Any] = {"generations": 3, "window": 2, "beside": True, **QUICK}
    whole, parted = tmp_path / "whole", tmp_path / "parted"
    done: list[nets.Generation] = []
    net = nets.learn(whole, Beside, on_generation=done.append, **options)
    assert net.steps == sum(one.accepted for one in done) and len(done) == 3
    stops = True
    with pytest.raises(KeyboardInterrupt):
        nets.learn(parted, Beside, **options)
    # Games that nobody waits for any more were given up, and are kept.
    assert not (parted / "games-2.dat").exists() and (parted / "games-2.dat.partial").exists()
    stops = False
    fitting.clear()
    nets.learn(parted, Beside, **options)
    assert files(parted) == files(whole)
    with pytest.raises(ValueError, match="was begun with another beside: True, not None$"):
        nets.learn(parted, Beside, **{**options, "beside": False})


def test_numbers_of_a_generation_are_for_curves() -> None:
    pairing = Pairing("new", "old", 3, 2, 1, (0, 0, 1, 2, 0), 120.0, 80.0, 0.9, None)
    done = nets.Generation(2, "games-2.dat", "net-2", True, pairing, None)
    curves = {"match/accepted": 1.0, "match/elo": 120.0, "match/error": 80.0}
    assert done.numbers() == {**curves, "match/score": pytest.approx(4 / 6)}
    won = replace(done, pairing=replace(pairing, elo=float("inf"), elo_error=None))
    assert won.numbers().keys() == {"match/accepted", "match/score"}


def test_a_net_that_saves_nothing_is_told(tmp_path: Path) -> None:
    class Elsewhere(Counting):
        def save(self, path: str) -> None:
            super().save(path + ".npz")

    with pytest.raises(ValueError, match="^make: the net's save has not written the file"):
        nets.learn(tmp_path, Elsewhere, generations=1, **QUICK)


def test_wrong_options_are_told_before_anything_is_kept(tmp_path: Path) -> None:
    for name, wrong in {
        "variant": "nonsense",
        "fen": "x",
        "nodes": 0,
        "games": "6",
        "seed": -1,
        "gate_pairs": 0,
        "gate_nodes": 0,
        "gate_opening_turns": -1,
        "sprt": Sprt(50, 0),
        "hash": 0,
        "resume": True,
    }.items():
        with pytest.raises((TypeError, ValueError), match=name.replace("sprt", "elo0")):
            nets.learn(tmp_path / "run", Counting, **{**QUICK, "generations": 1, name: wrong})
    assert not list(tmp_path.iterdir())


def decided(wins: bool) -> Any:
    """A net that likes what it does, or what the other one does."""
    actions = Encoding("amazons6").actions

    def net(planes: Planes) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        # Few free squares beside the own amazons are bad, beside the other's good.
        own, other, arrows = (planes[:, plane].astype(np.float32) for plane in range(3))
        taken = np.pad(own + other + arrows, ((0, 0), (1, 1), (1, 1)), constant_values=1)
        room = sum(1 - taken[:, y : y + 6, x : x + 6] for y in range(3) for x in range(3))
        value = np.tanh((room * (own - other)).sum((1, 2)) / 8)
        logits = np.zeros((len(planes), actions), np.float32)
        return logits, value if wins else -value

    return net


def test_a_match_of_engines_finds_the_stronger_one_and_ends_by_its_test() -> None:
    limit, told = Limit(nodes=30), []
    with (
        Engine(evaluator=decided(True), batch=64, hash=16) as good,
        Engine(evaluator=decided(False), batch=64, hash=16) as bad,
    ):
        for first, second in ((good, bad), (bad, good)):
            result = nets.match(
                first,
                second,
                limit,
                variant="amazons6",
                pairs=64,
                sprt=Sprt(0, 200),
                progress=told.append,
            )
            (pairing,), test = result.pairings, result.sprt
            assert test is not None and test.verdict == ("H1" if first is good else "H0")
            assert pairing.games == 2 * sum(pairing.pairs) == told[-1].done < 128
            assert (pairing.score > 0.8) == (first is good)
            assert "first against second: +" in result.text
        with pytest.raises(ValueError, match="^seed: -1 is not from 0 to"):
            nets.match(good, bad, limit, seed=-1)
        again = nets.match(good, bad, limit, variant="amazons6", pairs=2, seed=5)
        assert again == nets.match(good, bad, limit, variant="amazons6", pairs=2, seed=5)
    fen = "q1*/**1/2Q w"
    with Engine(hash=16) as one, Engine(hash=16) as other:
        # White wins at once, whoever that is.
        even = nets.match(one, other, limit, fen=fen, pairs=3, opening_turns=0)
    assert even.pairings[0].pairs == (0, 0, 3, 0, 0) and Board.from_fen(fen).turn == "white"


def test_a_game_is_invented_and_learned(capsys: pytest.CaptureFixture[str]) -> None:
    script = Path(__file__).parents[1] / "examples" / "invent.py"
    words = ["--minutes", "0.01", "--games", "24", "--nodes", "8", "--pairs", "4"]
    runpy.run_path(str(script))["main"](words)
    out = capsys.readouterr().out
    assert "net 1 goes on" in out or "net 1 is dropped" in out
    assert "the net against the built-in learner: +" in out
