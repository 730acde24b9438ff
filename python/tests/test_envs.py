"""Environments of PettingZoo, gymnasium and OpenSpiel."""

from __future__ import annotations

import random
import warnings
from typing import Any

import pytest

import hippolyta

pytest.importorskip("numpy")

VARIANTS = hippolyta.variants()


@pytest.mark.parametrize("variant", VARIANTS)
def test_pettingzoo_finds_nothing_wrong(variant: str) -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test, seed_test

    from hippolyta.envs.pettingzoo import env

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # It would rather have no action masks, and numbers for names.
        warnings.filterwarnings("ignore", message="Observation space for each agent")
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        warnings.filterwarnings("ignore", message="We recommend agents to be named")
        api_test(env(variant), num_cycles=200, verbose_progress=False)
    if variant in ("amazons6", "iago", "damone"):
        seed_test(lambda: env(variant), num_cycles=60)


@pytest.mark.parametrize("variant", ["amazons6", "iago", "damone"])
def test_games_end_with_rewards_that_cancel(variant: str) -> None:
    pytest.importorskip("pettingzoo")
    from hippolyta.envs.pettingzoo import env

    choose = random.Random(5)
    game: Any = env(variant, render_mode="ansi")
    for _ in range(3):
        game.reset(seed=1)
        rewards = {}
        for agent in game.agent_iter():
            observation, reward, termination, truncation, _ = game.last()
            if termination or truncation:
                assert not observation["action_mask"].any()
                rewards[agent] = reward
                game.step(None)
                continue
            assert reward == 0
            other = "black" if agent == "white" else "white"
            assert not game.observe(other)["action_mask"].any()
            game.step(choose.choice(observation["action_mask"].nonzero()[0].tolist()))
        assert sum(rewards.values()) == 0 and set(rewards) == {"white", "black"}
        if variant == "amazons6":
            assert sorted(rewards.values()) == [-1, 1]
        assert "a" in game.render()


def test_an_illegal_action_loses() -> None:
    pytest.importorskip("pettingzoo")
    from hippolyta.envs.pettingzoo import env, raw_env

    game: Any = env("amazons6")
    game.reset()
    mask = game.observe("white")["action_mask"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        game.step(int(mask.argmin()))
    assert game.terminations["white"] and game.rewards["white"] == -1
    raw: Any = raw_env("amazons6")
    raw.reset()
    with pytest.raises(IndexError, match="is not legal here"):
        raw.step(int(mask.argmin()))


def test_gymnasium_finds_nothing_wrong() -> None:
    pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    from hippolyta.envs.gymnasium import AgainstEngine

    for variant in ["amazons6", "iago", "damone"]:
        env = AgainstEngine(variant, level=400, hash=1)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.filterwarnings("ignore", message=".*A Box observation space")
            warnings.filterwarnings("ignore", message=".*not within the observation space")
            warnings.filterwarnings("ignore", message=".*is not registered", category=UserWarning)
            warnings.filterwarnings("ignore", message=".*different render_modes")
            check_env(env, skip_render_check=True)
        env.close()


def test_a_level_that_ends_no_search_is_refused_at_once() -> None:
    pytest.importorskip("gymnasium")
    from hippolyta.envs.gymnasium import AgainstEngine

    with pytest.raises(ValueError, match=r"^Limit\(elo=4000\) ends no search of damone"):
        AgainstEngine("damone", level=4000)
    env = AgainstEngine("damone", level=1500, hash=1, side="black")
    env.reset(seed=1)
    env.close()


def test_gymnasium_makes_environments_by_their_ids() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    from hippolyta.envs.gymnasium import AgainstEngine
    from hippolyta.envs.vector import VectorEnv

    assert {f"hippolyta/{variant}-v0" for variant in VARIANTS} <= set(gymnasium.registry)
    env = gymnasium.make("hippolyta/amazons6-v0", level=400, hash=1, render_mode="rgb_array")
    assert isinstance(env.unwrapped, AgainstEngine)
    assert env.unwrapped.encoding.variant == "amazons6"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*A Box observation space")
        warnings.filterwarnings("ignore", message=".*not within the observation space")
        check_env(env.unwrapped)
    env.reset(seed=1)
    assert env.render().shape == (6 * 48, 6 * 48, 3)
    env.close()
    many = gymnasium.make_vec(
        "hippolyta.envs.gymnasium:hippolyta/iago-v0", 3, vectorization_mode="vector_entry_point"
    )
    assert isinstance(many.unwrapped, VectorEnv) and many.unwrapped.boards.variant == "iago"
    assert many.reset(seed=2)[0].shape == (3, 8, 10, 10)
    many.close()


@pytest.mark.parametrize("variant", ["amazons6", "iago", "damone"])
def test_a_picture_shows_what_stands_where_whoever_is_to_move(variant: str) -> None:
    pytest.importorskip("pettingzoo")
    import numpy as np

    from hippolyta.envs.pettingzoo import raw_env

    choose = random.Random(4)
    game: Any = raw_env(variant, size=11, render_mode="rgb_array")
    game.reset()
    for _ in range(12):
        picture = game.render()
        # At the start of a turn the board is known; a picture of it has nothing on empty squares.
        if game.state_of_play.at_turn_start:
            board = hippolyta.Board.from_fen(game.state_of_play.fen(), variant)
            letters = board.grid()[::-1]
            height, width = letters.shape
            assert picture.dtype == np.uint8 and picture.shape == (48 * height, 48 * width, 3)
            seen: dict[str, set[bytes]] = {}
            for rank, file in np.ndindex(height, width):
                square = picture[48 * rank : 48 * rank + 48, 48 * file : 48 * file + 48]
                is_plain = (square == square[0, 0]).all()
                assert is_plain == (letters[rank, file] == "."), (rank, file)
                middle = square[16:32, 16:32].tobytes()
                seen.setdefault(str(letters[rank, file]), set()).add(middle)
            pieces = [seen[letter] for letter in seen if letter != "."]
            assert all(len(looks) == 1 for looks in pieces)
            assert len(set.union(*pieces)) == len(pieces)
        else:
            board_only = game.encoding.channels.index("about to fire")
            assert game.state_of_play.planes()[board_only].sum() == 1
        game.step(choose.choice(game.state_of_play.legal_actions()))
    with pytest.raises(ValueError, match="'ansi' or 'rgb_array' or None is expected, not 'human'"):
        raw_env(variant, render_mode="human")


@pytest.mark.parametrize("variant", ["amazons6", "iago", "damone"])
def test_pettingzoo_finds_nothing_wrong_with_games_in_parallel(variant: str) -> None:
    pytest.importorskip("pettingzoo")
    import gymnasium
    from pettingzoo.test import parallel_api_test

    from hippolyta.envs.parallel import parallel_env

    env: Any = parallel_env(variant, games=3)
    for number, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(number)
    assert isinstance(env.observation_space("white_0"), gymnasium.spaces.Dict)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(env, num_cycles=2_000)


def test_games_in_parallel_are_those_of_states() -> None:
    pytest.importorskip("pettingzoo")
    from hippolyta.encoding import State
    from hippolyta.envs.parallel import parallel_env

    choose = random.Random(2)
    env: Any = parallel_env("amazons6", games=4, threads=2)
    for _ in range(2):
        observations, _ = env.reset()
        states = [State("amazons6") for _ in range(4)]
        gains: dict[str, float] = {}
        assert env.agents == env.possible_agents
        while env.agents:
            actions = {}
            for agent in env.acting:
                side, _, game = agent.partition("_")
                state = states[int(game)]
                assert state.turn == side and not state.is_over
                seen = observations[agent]
                assert (seen["observation"] == state.planes()).all()
                assert seen["action_mask"].nonzero()[0].tolist() == state.legal_actions()
                other = ("black_" if side == "white" else "white_") + game
                assert not observations[other]["action_mask"].any()
                actions[agent] = choose.choice(state.legal_actions())
                state.play(actions[agent])
            before = list(env.agents)
            observations, rewards, ended, truncated, infos = env.step(actions)
            assert set(observations) == set(rewards) == set(ended) == set(before) == set(infos)
            assert not any(truncated.values())
            for agent in before:
                state = states[int(agent.partition("_")[2])]
                assert ended[agent] == state.is_over and (agent in env.agents) != ended[agent]
                gains[agent] = gains.get(agent, 0) + rewards[agent]
        for game, state in enumerate(states):
            assert (gains[f"white_{game}"], gains[f"black_{game}"]) == state.returns()
    observations, _ = env.reset()
    with pytest.raises(ValueError, match="^white_1 is to act"):
        env.step({"white_0": State("amazons6").legal_actions()[0]})
    with pytest.raises(IndexError):
        env.step(dict.fromkeys(env.acting, 0))


def test_many_games_are_one_environment() -> None:
    pytest.importorskip("gymnasium")
    from hippolyta.encoding import State
    from hippolyta.envs.vector import VectorEnv

    for variant in ["amazons6", "damone-imperatore"]:
        env = VectorEnv(variant, 6)
        observations, infos = env.reset(seed=4)
        start, over = State(variant).planes(), 0
        for _ in range(300):
            assert observations in env.observation_space
            actions = env.sample()
            assert actions in env.action_space
            assert infos["action_mask"][range(6), actions].all()
            observations, rewards, terminated, truncated, infos = env.step(actions)
            assert not truncated.any() and not rewards[~terminated].any()
            for game in terminated.nonzero()[0]:
                over += 1
                assert (observations[game] == start).all()
                assert (infos["final_obs"][game] != start).any()
                assert infos["_final_obs"][game]
        assert over > 0
        first = env.sample()
        again, other = VectorEnv(variant, 6), VectorEnv(variant, 6)
        assert (again.reset(seed=4)[0] == other.reset(seed=4)[0]).all()
        assert (again.sample() == other.sample()).all()
        assert first.shape == (6,)
        env.close()


@pytest.mark.parametrize("side", ["white", "black"])
def test_a_game_against_the_engine_ends(side: Any) -> None:
    pytest.importorskip("gymnasium")
    from hippolyta import Limit
    from hippolyta.envs.gymnasium import AgainstEngine

    env = AgainstEngine("amazons6", limit=Limit(nodes=30), side=side, hash=1, render_mode="ansi")
    played = []
    for _ in range(2):
        observation, info = env.reset(seed=7)
        env.action_space.seed(3)
        assert env.agent == side and env.state.turn == side
        actions, over, reward = [], False, 0.0
        while not over:
            assert (env.action_masks() == info["action_mask"].astype(bool)).all()
            action = env.action_space.sample(info["action_mask"])
            actions.append(int(action))
            observation, reward, over, truncated, info = env.step(action)
            assert observation in env.observation_space and not truncated
        assert reward in (-1.0, 1.0)
        played.append((actions, reward))
    assert played[0] == played[1]
    assert "a" in str(env.render())
    _, info = env.reset()
    observation, reward, over, _, info = env.step(int(info["action_mask"].argmin()))
    assert (reward, over, info["illegal"]) == (-1.0, True, True)
    env.close()
    with pytest.raises(ValueError, match="side: white, black or random"):
        AgainstEngine(side="red")  # type: ignore[arg-type]


def test_the_bot_plays_games_of_openspiel_to_their_end() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from hippolyta import Limit
    from hippolyta.envs.openspiel import Bot

    game = pyspiel.load_game("amazons")
    for seat in range(2):
        bots: list[Any] = [
            Bot(Limit(nodes=40)),
            pyspiel.make_uniform_random_bot(1 - seat, 7),
        ]
        results = pyspiel.evaluate_bots(game.new_initial_state(), bots[:: 1 - 2 * seat], 0)
        assert results[seat] == 1, results


def test_the_bot_goes_on_with_turns_that_others_have_begun() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from hippolyta import Limit
    from hippolyta.envs.openspiel import Bot, board_of

    choose = random.Random(1)
    bot = Bot(Limit(nodes=20))
    state = pyspiel.load_game("amazons").new_initial_state()
    for _ in range(5):
        for begun in range(3):
            for _ in range(begun):
                state.apply_action(choose.choice(state.legal_actions()))
            for _ in range(3 - begun):
                state.apply_action(bot.step(state))
    board, squares = board_of(state)
    assert squares == [] and len(board.move_stack) == 15
    # OpenSpiel's state has those 15 turns, too.
    rows = str(state).split()
    empty = sum(row.count(".") for row in rows)
    assert empty == 100 - 8 - 15
    with pytest.raises(ValueError, match="game 'amazons' is expected"):
        board_of(pyspiel.load_game("tic_tac_toe").new_initial_state())


@pytest.mark.parametrize("variant", VARIANTS)
def test_openspiel_finds_nothing_wrong_with_a_rule_set(variant: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from hippolyta.encoding import State
    from hippolyta.envs import openspiel_game

    game = pyspiel.load_game(f"hippolyta(variant={variant})")
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
    choose = random.Random(3)
    state, ours = game.new_initial_state(), State(variant)
    shape, tensor = game.observation_tensor_shape(), game.make_py_observer()
    assert shape == list(ours.planes().shape)
    while not state.is_terminal():
        assert state.current_player() == (0 if ours.turn == "white" else 1)
        assert state.legal_actions() == ours.legal_actions()
        # Our own methods say what OpenSpiel's would.
        for name in ("legal_actions", "is_chance_node", "is_simultaneous_node"):
            assert getattr(state, name)() == getattr(pyspiel.State, name)(state)
        for player in range(2):
            assert state.legal_actions(player) == pyspiel.State.legal_actions(state, player)
            seen = pyspiel.State.observation_tensor(state, player)
            assert state.observation_tensor(player) == seen
        action = choose.choice(state.legal_actions())
        assert state.action_to_string(action) == ours.action_text(action)
        tensor.set_from(state, 0)
        assert (tensor.dict["observation"] == ours.planes()).all()
        twin = state.clone()
        state.apply_action(action)
        ours.play(action)
        assert twin.position != state.position == ours
    assert tuple(state.returns()) == ours.returns() and len(state.history()) > 10
    board, begun = openspiel_game.board_of(state)
    assert begun == "" and State(board) == ours


def test_a_game_of_openspiel_begins_at_a_fen_and_the_bot_plays_it() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from hippolyta import Limit
    from hippolyta.envs import openspiel, openspiel_game

    game = pyspiel.load_game("hippolyta", {"variant": "amazons", "fen": "q1*/**1/2Q w"})
    assert isinstance(game, openspiel_game.Game) and game.max_game_length() == 20
    state, bot = game.new_initial_state(), openspiel.Bot(Limit(nodes=100))
    for text in ("c1c2", "c1c2,c2b3"):
        action = bot.step(state)
        assert state.action_to_string(action) == text
        state.apply_action(action)
    assert state.is_terminal() and state.returns() == [1, -1]
    choose = random.Random(6)
    for variant in ("damone", "amazons6"):
        state = pyspiel.load_game("hippolyta", {"variant": variant}).new_initial_state()
        # Each second half-turn is somebody else's.
        for number in range(10):
            mine = bot.step(state)
            assert mine in state.legal_actions()
            state.apply_action(choose.choice(state.legal_actions()) if number % 2 else mine)
    for seat in range(2):
        game = pyspiel.load_game("hippolyta(variant=amazons6)")
        bots: list[Any] = [
            openspiel.Bot(Limit(nodes=60)),
            pyspiel.make_uniform_random_bot(1 - seat, 7),
        ]
        results = pyspiel.evaluate_bots(game.new_initial_state(), bots[:: 1 - 2 * seat], 0)
        assert results[seat] == 1, results
    with pytest.raises(Exception, match="unknown variant 'chess'"):
        pyspiel.load_game("hippolyta(variant=chess)")


def test_openspiel_has_the_same_rules() -> None:
    """Every legal action of random games, from both."""
    pyspiel = pytest.importorskip("pyspiel")
    from hippolyta.encoding import State
    from hippolyta.envs.openspiel import _action, _squares

    choose = random.Random(9)
    for _ in range(3):
        state, ours = pyspiel.load_game("amazons").new_initial_state(), State("amazons")
        while not state.is_terminal():
            moves = [_text_squares(ours.action_text(action)) for action in ours.legal_actions()]
            assert {_action(move[0], 10) for move in moves} == set(state.legal_actions())
            move = choose.choice(moves)
            state.apply_action(_action(move[0], 10))
            targets = {_action(other[1], 10) for other in moves if other[0] == move[0]}
            assert targets == set(state.legal_actions())
            state.apply_action(_action(move[1], 10))
            ours.play(ours.action_of("".join(move)))
            fires = [ours.action_text(action) for action in ours.legal_actions()]
            assert {_action(_squares(fire)[2], 10) for fire in fires} == set(state.legal_actions())
            fire = choose.choice(fires)
            state.apply_action(_action(_squares(fire)[2], 10))
            ours.play(ours.action_of(fire))
        assert ours.is_over
        assert state.returns() == ([1, -1] if ours.winner == "white" else [-1, 1])


def _text_squares(move: str) -> list[str]:
    """The two squares of a move."""
    at = next(i for i in range(2, len(move)) if move[i].isalpha())
    return [move[:at], move[at:]]
