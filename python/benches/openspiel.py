"""How fast OpenSpiel's algorithms are on the game `hippolyta`, side by side with its own `amazons`: a JSON line for each.

    python benches/openspiel.py

Times are microseconds of processor time, the least of several runs in turn; `ratio` is above 1 where ours is the faster.
A turn has three actions in `amazons` and two in `hippolyta`. `an empty game` is what a game in Python costs at least.
"""

import argparse
import json
import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import mcts

import hippolyta.envs.openspiel_game

ACTIONS = {"amazons": 3, "hippolyta": 2}


def environment(game: str, seed: int) -> float:
    """A turn of games at random in `rl_environment`."""
    env, draw, actions = rl_environment.Environment(game), random.Random(seed), 0
    began = time.process_time()
    for _ in range(4):
        step = env.reset()
        while not step.last():
            player = step.observations["current_player"]
            step = env.step([draw.choice(step.observations["legal_actions"][player])])
            actions += 1
    return (time.process_time() - began) / actions * ACTIONS[game]


def playouts(game: str, seed: int) -> float:
    """A turn of games at random."""
    loaded, draw, actions = pyspiel.load_game(game), random.Random(seed), 0
    began = time.process_time()
    for _ in range(20):
        state = loaded.new_initial_state()
        while not state.is_terminal():
            state.apply_action(draw.choice(state.legal_actions()))
            actions += 1
    return (time.process_time() - began) / actions * ACTIONS[game]


def search(game: str, seed: int) -> float:
    """A simulation of `mcts`, with a game at random."""
    loaded, draw = pyspiel.load_game(game), np.random.RandomState(seed)
    bot = mcts.MCTSBot(loaded, 2.0, 30, mcts.RandomRolloutEvaluator(1, draw), random_state=draw)
    state = loaded.new_initial_state()
    began = time.process_time()
    bot.step(state)
    return (time.process_time() - began) / 30


class Empty(hippolyta.envs.openspiel_game.State):
    """A state that knows nothing, and leaves OpenSpiel's own methods as they are."""

    legal_actions = pyspiel.State.legal_actions

    def __init__(self, game: Any) -> None:
        pyspiel.State.__init__(self, game)

    def current_player(self) -> int:
        return 0

    def is_terminal(self) -> bool:
        return False

    def _legal_actions(self, player: int) -> list[int]:
        return [0]

    def _apply_action(self, action: int) -> None:
        pass


def least(call: Callable[[], object]) -> float:
    """The time of a call."""
    times = []
    for _ in range(7):
        began = time.process_time()
        for _ in range(5_000):
            call()
        times.append((time.process_time() - began) / 5_000)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    for run in (environment, playouts, search):
        times = {
            game: min(run(game, seed) for seed in range(options.runs)) * 1e6 for game in ACTIONS
        }
        row = {"what": run.__doc__, **times, "ratio": times["amazons"] / times["hippolyta"]}
        print(json.dumps(row))
    own = pyspiel.load_game("amazons").new_initial_state()
    empty = Empty(pyspiel.load_game("hippolyta"))
    times = {"amazons": least(own.legal_actions), "an empty game": least(empty.legal_actions)}
    print(
        json.dumps({"what": "A list of actions.", **{game: 1e6 * at for game, at in times.items()}})
    )


if __name__ == "__main__":
    main()
