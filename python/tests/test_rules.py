"""Rule sets of one's own: everything that takes a name takes them."""

import copy
import pickle
import sys
from pathlib import Path

import pytest

from hippolyta import Board, Engine, FenError, Limit, Rules, games, training, uci
from hippolyta.encoding import Boards, Encoding, State

KNIGHTS = "[knights]\ntitle = \"Knight's\"\nlike = 'amazons6'\nmoves = 'N'\nfires = 'N'\n"
HOLDS = "[holds]\nlike = 'knights'\nfire-optional = true\n"


def test_rules_are_read_from_texts_and_files_and_say_what_is_wrong(tmp_path: Path) -> None:
    rules = Rules(KNIGHTS)
    assert (rules.name, rules.full_name, rules.description) == ("knights", "Knight's", "")
    assert rules.sentences[0] == "A turn moves a piece as a knight over empty squares."
    assert rules.start_fen == "1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1"
    assert Rules(rules) == rules == pickle.loads(pickle.dumps(rules)) == copy.deepcopy(rules)
    # As for boards, neither title nor description makes another rule set, but name, start and rules do.
    same = Rules("[knights]\nlike = 'amazons6'\nmoves = 'N'\nfires = 'N'\ndescription = 'Leaps.'\n")
    assert (
        str(same) != str(rules)
        and same == rules
        and (same != rules) is False
        and len({same, rules}) == 1
    )
    assert Board(same) == Board(rules)
    others = [KNIGHTS.replace("[knights]", "[leaps]"), KNIGHTS + "stuck = 'wins'\n"]
    assert len({rules, *map(Rules, others)}) == 3 and rules != "knights"
    path = tmp_path / "own.toml"
    path.write_text(KNIGHTS + HOLDS)
    assert [each.name for each in Rules.load_all(path)] == ["knights", "holds"]
    assert Rules.load(path) == rules
    assert Rules.load(path, "holds").sentences[3].startswith("A turn need not fire")
    with pytest.raises(ValueError, match="own.toml: no rule set 'kings': there are knights, holds"):
        Rules.load(path, "kings")
    with pytest.raises(
        FileNotFoundError, match=r"^\[Errno 2\] No such file or directory: .*none.toml'$"
    ):
        Rules.load(tmp_path / "none.toml")
    with pytest.raises(ValueError, match="^there are 2 rule sets, and one is expected$"):
        Rules(KNIGHTS + HOLDS)
    with pytest.raises(ValueError, match="^line 2: a.moves: 'X' is not Q, R, B, K or N"):
        Rules("[a]\nmoves = 'X'")
    path.write_text("[a]\nmoves = 'X'")
    with pytest.raises(ValueError, match=r"own.toml:2: a.moves: 'X' is not Q, R, B, K or N"):
        Rules.load(path)


def test_boards_keep_their_rules() -> None:
    rules = Rules(KNIGHTS)
    board = Board(rules)
    assert (len(board.legal_moves), board.variant, type(board.variant)) == (68, rules, Rules)
    board.push(board.legal_moves[0])
    again = pickle.loads(pickle.dumps(board))
    assert again == board and again.variant == rules
    assert eval(repr(board)).variant == rules
    assert Board.from_fen(board.fen(), rules).legal_moves[0] in board.legal_moves
    with pytest.raises(FenError):
        Board.from_fen("q2/3/2S w", rules)
    with pytest.raises(ValueError, match="unknown variant 'knights'"):
        Board("knights")


def test_engines_play_by_them() -> None:
    board = Board(Rules(KNIGHTS))
    with Engine(hash=1) as engine:
        assert engine.play(board, Limit(nodes=50)).move in board.legal_moves
    with uci.Engine([sys.executable, "-m", "hippolyta"], options={"hash": 1}, timeout=60) as engine:
        assert engine.play(board, Limit(nodes=50)).move in board.legal_moves


def test_games_bring_them_along(tmp_path: Path) -> None:
    board = Board(Rules(KNIGHTS))
    for _ in range(3):
        board.push(board.legal_moves[0])
    game = games.Game.from_board(board)
    for ending in ("pgn", "sgf", "jsonl"):
        path = tmp_path / f"games.{ending}"
        games.write(path, [game])
        (read,) = games.read(path)
        assert (read.variant, type(read.variant), read.moves) == (board.variant, Rules, game.moves)
        assert read.board() == board


def test_states_and_boards_of_numbers_play_by_them() -> None:
    pytest.importorskip("numpy")
    rules = Rules(KNIGHTS)
    state = State(rules)
    assert (state.variant, len(state.legal_actions())) == (rules, 12)
    assert pickle.loads(pickle.dumps(state)) == state
    assert pickle.loads(pickle.dumps(Encoding(rules))) == Encoding(rules) != Encoding("amazons6")
    boards = Boards(rules, 3, seed=1)
    assert boards.variant == rules
    for _ in range(4):
        boards.step(boards.sample())
    assert boards[0].variant == rules


def test_they_are_learned(tmp_path: Path) -> None:
    rules, run = Rules(KNIGHTS), tmp_path / "run"
    training.learn(run, variant=rules, generations=1, games=12, nodes=8, gate_games=2, threads=1)
    board = Board(rules)
    values = []
    for weights in (None, run / "generation-1" / "candidate.bin"):
        with Engine(hash=1, eval_file=weights) as engine:
            values.append(engine.evaluate([board])[0].score.expected)
    assert values[0] != values[1]


def test_environments_play_by_them() -> None:
    gymnasium = pytest.importorskip("hippolyta.envs.gymnasium")
    rules = Rules(KNIGHTS)
    game = gymnasium.AgainstEngine(rules, limit=Limit(nodes=8), side="white", hash=1)
    _, info = game.reset(seed=1)
    assert info["action_mask"].sum() == 12
    _, _, _, _, info = game.step(int(info["action_mask"].nonzero()[0][0]))
    assert "illegal" not in info


def test_many_games_and_games_of_two_agents_play_by_them() -> None:
    vector = pytest.importorskip("hippolyta.envs.vector")
    two = pytest.importorskip("hippolyta.envs.pettingzoo")
    rules = Rules(KNIGHTS)
    many = vector.VectorEnv(rules, num_envs=3)
    _, infos = many.reset(seed=1)
    assert infos["action_mask"].sum(axis=1).tolist() == [12, 12, 12]
    over = 0
    for _ in range(120):
        _, rewards, terminated, _, infos = many.step(infos["action_mask"].argmax(axis=1))
        assert (abs(rewards) == terminated).all()
        over += int(terminated.sum())
    assert over > 0
    game = two.env(rules)
    game.reset()
    for _ in game.agent_iter():
        observation, _, terminated, _, _ = game.last()
        game.step(None if terminated else int(observation["action_mask"].argmax()))


def test_protected_squares_have_planes_from_the_view_of_the_side_to_move() -> None:
    rules = Rules("a = { start = '1q1/3/1Q1', protect = 'b1', protect-from-white = 'c3' }")
    channels = Encoding(rules).channels
    assert channels[-3:] == ["protected from own shots", "protected from enemy shots", "board"]
    assert channels[:-3] + channels[-1:] == Encoding(Rules(KNIGHTS)).channels
    state = State(rules)
    for own, enemy in [([(0, 1), (2, 2)], [(0, 1)]), ([(2, 1)], [(0, 0), (2, 1)])]:
        planes = state.planes()
        for plane, squares in [(planes[-3], own), (planes[-2], enemy)]:
            assert [tuple(map(int, at)) for at in zip(*plane.nonzero(), strict=True)] == squares
        state.play(state.legal_actions()[0])
        state.play(state.legal_actions()[0])


def test_sides_that_differ_have_a_plane_for_black() -> None:
    rules = Rules("a = { start = '1q1/3/1Q1', black-moves = 'N', protect = 'a2' }")
    assert Encoding(rules).channels[-3:] == ["protected from enemy shots", "black to move", "board"]
    rules = Rules("a = { start = '1q1/3/1Q1', black-moves = 'N' }")
    assert Encoding(rules).channels == [
        *Encoding(Rules(KNIGHTS)).channels[:-1],
        "black to move",
        "board",
    ]
    state = State(rules)
    for is_black in (False, False, True):
        planes = state.planes()
        assert (planes[-2] == is_black).all() and planes[-1].all()
        state.play(state.legal_actions()[0])


def test_a_stuck_side_passes_by_one_action() -> None:
    fish = "fish = { fire-at = 'left', leaves = 'own', stuck = 'most-stones', stuck-passes = true }"
    state = State(Rules(fish), fen="2q1/****/Q***")
    (passes,) = state.legal_actions()
    assert state.action_text(passes) == "a1a1"
    state.play(passes)
    assert len(state.legal_actions()) == 3
    while not state.is_over:
        state.play(state.legal_actions()[0])
    squares = state.fen().split()[0]
    assert "s" in squares and "S" not in squares


def test_openspiel_plays_by_them_and_reads_the_game_from_its_text() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from hippolyta.envs import openspiel_game

    rules = Rules(KNIGHTS)
    game = pyspiel.load_game("hippolyta", {"variant": openspiel_game.quoted(rules)})
    assert game.start.variant == rules
    again = pyspiel.load_game(str(game))
    for state in (game.new_initial_state(), again.new_initial_state()):
        assert len(state.legal_actions()) == 12
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[0])
        assert sorted(state.returns()) == [-1, 1]
    # A game in which shots may be left out ends by so many turns without one.
    for key in ("fire-optional", "move-or-fire"):
        holds = Rules(f"holds = {{ like = 'amazons6', {key} = true }}")
        long = pyspiel.load_game("hippolyta", {"variant": openspiel_game.quoted(holds)})
        assert long.max_game_length() == 2 * 80 * 37
