"""The search of mctx, in JAX, on many boards at once: a callback plays on `Boards`. What it says has the names of PGX.

python mctx_search.py --simulations 64
"""

import argparse
from typing import NamedTuple

import jax
import jax.numpy as jnp
import mctx
import numpy as np

from hippolyta.encoding import Boards


class State(NamedTuple):
    """Many positions. Rewards are those of the side that has just moved."""

    observation: jax.Array
    legal_action_mask: jax.Array
    rewards: jax.Array
    terminated: jax.Array
    current_player: jax.Array


def after(boards, paths, lengths):
    """The states after these actions, `lengths` of them from each of the boards."""
    count, encoding = len(boards), boards.encoding
    state = State(
        np.zeros((count, *encoding.shape), np.float32),
        np.zeros((count, encoding.actions), bool),
        np.zeros(count, np.float32),
        np.zeros(count, bool),
        np.zeros(count, np.int32),
    )
    for length in np.unique(lengths):
        rows = np.flatnonzero(lengths == length)
        part, rewards, over = (
            boards[rows],
            np.zeros(len(rows), np.float32),
            np.zeros(len(rows), bool),
        )
        for actions in paths[rows, :length].T:
            rewards, over = part.step(np.where(over, -1, actions))
        told = (part.observe(), part.mask(), rewards, over, part.turns)
        for array, values in zip(state, told, strict=True):
            array[rows] = values
    return state


def search(boards, net, simulations, key):
    """The policy of mctx's Gumbel MuZero on boards without `auto_reset`. `net` gets observations, and gives logits of
    all actions and values for the side to move."""
    count = len(boards)
    shapes = jax.tree.map(
        lambda array: jax.ShapeDtypeStruct(array.shape, array.dtype),
        after(boards, np.zeros((count, 0), np.int32), np.zeros(count, np.int32)),
    )

    def states(paths, lengths):
        def play(*given):
            return after(boards, *map(np.asarray, given))

        return jax.pure_callback(play, shapes, paths, lengths)

    def output(state):
        logits, values = net(state.observation)
        # Whatever is drawn where a game is over, nothing is played there.
        known = state.legal_action_mask | state.terminated[:, None]
        logits = jnp.where(known, logits, jnp.finfo(logits.dtype).min)
        return logits, jnp.where(state.terminated, 0.0, values)

    def recurrent(_, key, action, embedding):
        paths, lengths, before = embedding
        paths = paths.at[jnp.arange(count), lengths].set(action)
        state = states(paths, lengths + 1)
        logits, values = output(state)
        # A turn has two half-turns: whoever has moved may be to move again.
        signs = jnp.where(state.current_player == before, 1.0, -1.0)
        discount = jnp.where(state.terminated, 0.0, signs)
        said = mctx.RecurrentFnOutput(
            reward=state.rewards, discount=discount, prior_logits=logits, value=values
        )
        return said, (paths, lengths + 1, state.current_player)

    @jax.jit
    def policy(key):
        paths, lengths = jnp.zeros((count, simulations), jnp.int32), jnp.zeros(count, jnp.int32)
        state = states(paths, lengths)
        logits, values = output(state)
        embedding = (paths, lengths, state.current_player)
        root = mctx.RootFnOutput(prior_logits=logits, value=values, embedding=embedding)
        return mctx.gumbel_muzero_policy(
            None,
            key,
            root,
            recurrent,
            simulations,
            invalid_actions=~state.legal_action_mask,
            max_num_considered_actions=32,
            gumbel_scale=0.0,  # no lots: to play, not to learn
        )

    return policy(key)


def even(observation):
    """A net that knows nothing."""
    _, _, height, width = observation.shape
    actions = (8 * (max(height, width) - 1) + 1) * height * width
    return jnp.zeros((len(observation), actions)), jnp.zeros(len(observation))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fen", default="4*1/**4/*1Q***/**1*2/q1**2/***3 w", help="of 6×6")
    parser.add_argument("--boards", type=int, default=4)
    parser.add_argument("--simulations", type=int, default=64)
    given = parser.parse_args()
    boards = Boards("amazons6", given.boards, fen=given.fen, auto_reset=False)
    found = search(boards, even, given.simulations, jax.random.key(0))
    for number, action in enumerate(found.action.tolist()):
        print(f"board {number}: {boards[number].action_text(action)}")


if __name__ == "__main__":
    main()
