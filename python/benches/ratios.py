"""How many times as fast one way is as another, by processor time: a table in Markdown.

    python benches/ratios.py

All ways of a part are measured in turn in this process, round by round, and the least time of each counts. So other work
on the machine changes the ratios little. Rows of OpenSpiel need the extra `hippolyta[envs]`. A turn has three actions in
OpenSpiel's `amazons`, and two in the package: ratios are those of turns.
"""

from __future__ import annotations

import argparse
import itertools
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hippolyta import Board, Engine, Limit
from hippolyta.encoding import Boards, Encoding, State
from hippolyta.training import selfplay

#: Does some work. Returns how much that was, and the seconds of processor time in it that do not count.
Way = Callable[[], tuple[float, float]]
#: Games of self-play that share the batches of a net.
AT_ONCE = (1, 64, 256, 1024)


def states(variant: str, turns: int) -> Way:
    """Half-turns at random with their planes, one board after the other."""
    all_states, chance = [State(variant) for _ in range(64)], random.Random(1)

    def play() -> tuple[float, float]:
        for _ in range(turns // 32):
            for number, state in enumerate(all_states):
                state.planes()
                state.play(chance.choice(state.legal_actions()))
                if state.is_over:
                    all_states[number] = State(variant)
        return turns // 32 * 32, 0

    return play


def boards(variant: str, turns: int, count: int = 512) -> Way:
    """The same by `Boards`, on one thread."""
    many = Boards(variant, count, seed=1, threads=1)
    planes = many.observe()

    def play() -> tuple[float, float]:
        for _ in range(16 * turns // count):
            many.observe(out=planes)
            many.legal()
            many.step(many.sample())
        return 16 * turns // count * count / 2, 0

    return play


class Uniform:
    """A net to which all is alike, and the seconds of processor time that it takes."""

    def __init__(self, variant: str) -> None:
        self.actions, self.leaves, self.inside = Encoding(variant).actions, 0, 0.0

    def __call__(
        self, planes: npt.NDArray[np.uint8]
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        begun, count = time.thread_time(), len(planes)
        self.leaves += count
        answer = np.zeros((count, self.actions), np.float32), np.zeros(count, np.float32)
        self.inside += time.thread_time() - begun
        return answer


def leaves(variant: str, search: Callable[[Uniform], None]) -> Way:
    """Leaves of a search with a net, without what the net takes."""

    def play() -> tuple[float, float]:
        net = Uniform(variant)
        search(net)
        return net.leaves, net.inside

    return play


def one_search(variant: str, turns: int) -> Way:
    def search(net: Uniform) -> None:
        with Engine(evaluator=net, batch=256, hash=64) as engine:
            engine.analyse(Board(variant), Limit(nodes=20 * turns))

    return leaves(variant, search)


def games(variant: str, turns: int, at_once: int) -> Way:
    def play(net: Uniform) -> None:
        with tempfile.TemporaryDirectory() as folder:
            selfplay(
                Path(folder) / "games.dat",
                variant=variant,
                games=max(turns // 30, at_once),
                nodes=max(turns // 20, 2),
                longest=5,
                hash=1,
                evaluator=net,
                games_at_once=at_once,
                progress=False,
            )

    return leaves(variant, play)


def spiel_at_random(game: str, actions: int, turns: int, tensors: bool = False) -> Way:
    """Turns at random of a game of OpenSpiel."""
    import pyspiel

    loaded, chance = pyspiel.load_game(game), random.Random(1)

    def play() -> tuple[float, float]:
        state = loaded.new_initial_state()
        for _ in range(turns * actions):
            if tensors:
                state.observation_tensor()
            state.apply_action(chance.choice(state.legal_actions()))
            if state.is_terminal():
                state = loaded.new_initial_state()
        return turns, 0

    return play


def spiel_environment(game: str, actions: int, turns: int) -> Way:
    """The same in OpenSpiel's `rl_environment`."""
    from open_spiel.python import rl_environment

    env, chance = rl_environment.Environment(game), random.Random(1)

    def play() -> tuple[float, float]:
        step = env.reset()
        for _ in range(turns // 10 * actions):
            if step.last():
                step = env.reset()
            player = step.observations["current_player"]
            step = env.step([chance.choice(step.observations["legal_actions"][player])])
        return turns // 10, 0

    return play


def spiel_search(game: str, _: int, turns: int) -> Way:
    """Simulations of OpenSpiel's `mcts`, each with a game at random."""
    import pyspiel
    from open_spiel.python.algorithms import mcts

    loaded, count = pyspiel.load_game(game), max(turns // 50, 2)
    seeds = itertools.count()

    def play() -> tuple[float, float]:
        draw: Any = np.random.RandomState(next(seeds))
        rollouts = mcts.RandomRolloutEvaluator(1, draw)
        mcts.MCTSBot(loaded, 2.0, count, rollouts, random_state=draw).step(
            loaded.new_initial_state()
        )
        return count, 0

    return play


def parts(turns: int) -> list[tuple[str, dict[str, Way]]]:
    """Ways that are compared: the first one of each part is what the others are measured against."""
    found: list[tuple[str, dict[str, Way]]] = []
    for variant in ("amazons", "amazons6", "desdemona", "damone"):
        ways = {"a loop over `State`": states(variant, turns), "`Boards`": boards(variant, turns)}
        found.append((f"`{variant}`, half-turns with planes", ways))
    at_once = {f"self-play, {many:,} at once": games("amazons6", turns, many) for many in AT_ONCE}
    one = {"one search": one_search("amazons6", turns)}
    found.append(("`amazons6`, leaves besides the net", one | at_once))
    try:
        import pyspiel  # noqa: F401

        import hippolyta.envs.openspiel_game  # noqa: F401
    except ImportError:
        print("OpenSpiel is not installed: its rows are left out")
        return found
    theirs = "OpenSpiel's `amazons`"
    loop = {
        theirs: spiel_at_random("amazons", 3, turns, True),
        "`Boards`": boards("amazons", turns),
    }
    found.append(("turns with planes", loop))
    for what, way in (
        ("OpenSpiel, turns at random", spiel_at_random),
        ("OpenSpiel's `rl_environment`, turns", spiel_environment),
        ("OpenSpiel's `mcts`, simulations", spiel_search),
    ):
        game = "our game `hippolyta`"
        ways = {theirs: way("amazons", 3, turns), game: way("hippolyta", 2, turns)}
        found.append((what, ways))
    return found


def seconds(way: Way) -> float:
    """Of processor time, for each unit of work."""
    begun = time.process_time()
    done, aside = way()
    return (time.process_time() - begun - aside) / done


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--turns", type=int, default=4000, help="the work of a round, in turns")
    given = parser.parse_args()
    print("| what, and against what | times as fast |\n| --- | ---: |")
    for what, ways in parts(given.turns):
        least = dict.fromkeys(ways, float("inf"))
        for _ in range(given.rounds):
            for name, way in ways.items():
                least[name] = min(least[name], seconds(way))
        (against, base), *others = least.items()
        for name, found in others:
            print(f"| {what}: {name} against {against} | {base / found:.2f} |", flush=True)


if __name__ == "__main__":
    main()
