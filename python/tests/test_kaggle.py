"""The agent in Kaggle's own environment."""

import json
from pathlib import Path
from typing import Any

import pytest

from hippolyta import Board, Engine, Limit
from hippolyta.games import read
from hippolyta.kaggle import Agent, board_of


def test_the_agent_beats_kaggles_random_one_and_replays_are_read(tmp_path: Path) -> None:
    kaggle = pytest.importorskip("kaggle_environments")
    env = kaggle.make("open_spiel_amazons", configuration={"includeLegalActions": True})
    for seat in range(2):
        with Engine() as engine:
            env.reset()
            agents: list[Any] = [Agent(Limit(nodes=60), engine), "random"]
            env.run(agents[:: 1 - 2 * seat])
        replay = env.toJSON()
        assert replay["rewards"][seat] == 1, replay["statuses"]
        file = tmp_path / "replay.json"
        file.write_text(json.dumps(replay))
        games = list(read(file))
        assert [game.result for game in games] == [["1-0", "0-1"][seat]]
        # Two steps come before the first action. Kaggle's own history holds those of all games since `make`.
        assert 3 * len(games[0]) == len(replay["steps"]) - 2
        assert games[0].board().is_game_over()


def test_a_turn_that_has_begun_is_gone_on_with() -> None:
    board = Board("amazons")
    cells = [["."] * 10 for _ in range(10)]
    for action in (60, 69, 93, 96):
        cells[action // 10][action % 10] = "X"
    for action in (3, 6, 30, 39):
        cells[action // 10][action % 10] = "O"
    seen: dict[str, Any] = {
        "board": cells,
        "current_player": "x",
        "from_action": 93,
        "to_action": 33,
    }
    cells[9][3], cells[3][3] = ".", "X"
    observation = {"observationString": json.dumps(seen), "currentPlayer": 0, "playerId": 0}
    found, begun = board_of(observation)
    assert (found.fen(), begun) == (board.fen(), [93, 33])
    with Engine() as engine:
        agent = Agent(Limit(nodes=20), engine)
        fire = agent(observation)["submission"]
        square = f"{'abcdefghij'[fire % 10]}{10 - fire // 10}"
        assert f"d1d7,d7{square}" in board.legal_moves
        assert agent({**observation, "playerId": 1}) == {"submission": -1}
        assert agent({}) == {"submission": -1}
