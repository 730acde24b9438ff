"""How much faster many boards are in one call than one by one: random half-turns with their planes and legal actions.

Prints half-turns a second of processor time: a loop over `State`, and `Boards` on one thread; by the clock, so many
boards that threads are worth it on one thread and on two; and those of OpenSpiel, if it is installed, for the Amazons. Everything runs in one process, round by round.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from hippolyta.encoding import Boards, State

COUNT = 512
#: Work for two threads: with few boards a call is over before the second has begun.
MANY = 16_384
ROUNDS = 5


def states(variant: str) -> Callable[[], int]:
    all_states, chance = [State(variant) for _ in range(64)], random.Random(1)

    def play() -> int:
        for number, state in enumerate(all_states):
            state.planes()
            state.play(chance.choice(state.legal_actions()))
            if state.is_over:
                all_states[number] = State(variant)
        return len(all_states)

    return play


def boards(variant: str, threads: int, count: int = COUNT) -> Callable[[], int]:
    many = Boards(variant, count, seed=1, threads=threads)
    planes = many.observe()

    def play() -> int:
        many.observe(out=planes)
        many.legal()
        many.step(many.sample())
        return count

    return play


def openspiel() -> Callable[[], int]:
    import pyspiel

    game, chance = pyspiel.load_game("amazons"), random.Random(1)
    all_states = [game.new_initial_state() for _ in range(16)]

    def play() -> int:
        for number, state in enumerate(all_states):
            state.observation_tensor()
            state.apply_action(chance.choice(state.legal_actions()))
            if state.is_terminal():
                all_states[number] = game.new_initial_state()
        return len(all_states)

    return play


def pace(play: Callable[[], int], clock: Callable[[], float], seconds: float = 0.4) -> float:
    begun, done = clock(), 0
    while clock() - begun < seconds:
        done += play()
    return done / (clock() - begun)


for variant in ["amazons", "amazons6", "desdemona", "damone"]:
    ways = {
        "a loop": (states(variant), time.process_time),
        "Boards": (boards(variant, 1), time.process_time),
        "one thread": (boards(variant, 1, MANY), time.perf_counter),
        "two threads": (boards(variant, 2, MANY), time.perf_counter),
    }
    if variant == "amazons":
        try:
            ways["OpenSpiel"] = (openspiel(), time.process_time)
        except ImportError:
            print("OpenSpiel is not installed")
    best = {name: 0.0 for name in ways}
    for _ in range(ROUNDS):
        for name, (play, clock) in ways.items():
            best[name] = max(best[name], pace(play, clock))
    told = ", ".join(f"{name} {figure:,.0f}" for name, figure in best.items())
    print(f"{variant}: {told}; Boards / loop {best['Boards'] / best['a loop']:.1f}")
