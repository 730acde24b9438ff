"""Data files as NumPy and Arrow."""

from __future__ import annotations

import ast
import copy
import errno
import importlib.util
import os
import pickle
import random
import re
import subprocess
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import hippolyta
from hippolyta import records, training
from hippolyta.encoding import Encoding, State, symmetries

np = pytest.importorskip("numpy")

Play = Callable[..., Path]

VARIANTS = hippolyta.variants()


@pytest.fixture(scope="session")
def play(tmp_path_factory: pytest.TempPathFactory) -> Play:
    """Plays quick games, once for each set of options."""
    folder = tmp_path_factory.mktemp("games")
    made: dict[str, Path] = {}

    def make(variant: str = "amazons6", games: int = 6, **options: Any) -> Path:
        options = {"nodes": 20, "hash": 1, "seed": 3, "longest": 30, **options}
        key = f"{variant} {games} {sorted(options.items())}"
        if key not in made:
            path = folder / f"{len(made)}.dat"
            training.selfplay(path, variant=variant, games=games, progress=False, **options)
            made[key] = path
        return made[key]

    return make


def walk(state: State, seed: int, most: int = 400) -> list[int]:
    """Plays at random to the end and returns the actions."""
    choose = random.Random(seed)
    played: list[int] = []
    while not state.is_over and len(played) < most:
        action = choose.choice(state.legal_actions())
        state.play(action)
        played.append(action)
    return played


@pytest.mark.parametrize("variant", VARIANTS)
def test_half_turns_have_numbers_within_bounds_and_texts_that_lead_back(
    variant: str,
) -> None:
    encoding, state = Encoding(variant), State(variant)
    channels, height, width = encoding.shape
    assert encoding.actions == encoding.action_shape[0] * height * width
    assert len(encoding.channels) == channels
    choose = random.Random(1)
    for _ in range(60):
        if state.is_over:
            break
        actions = state.legal_actions()
        assert actions == sorted(set(actions)) and actions[-1] < encoding.actions
        assert np.flatnonzero(state.mask()).tolist() == actions
        for action in choose.sample(actions, min(5, len(actions))):
            assert state.action_of(state.action_text(action)) == action
        planes = state.planes()
        assert planes.shape == encoding.shape and planes.dtype == np.uint8
        state.play(choose.choice(actions))


@pytest.mark.parametrize("variant", ["amazons6", "iago", "damone"])
def test_with_colours_swapped_and_the_board_turned_everything_looks_the_same(
    variant: str,
) -> None:
    state = State(variant)
    choose = random.Random(2)
    compared = 0
    while not state.is_over and compared < 40:
        if state.at_turn_start:
            board, side, *rest = state.fen().split()
            turned = board[::-1].swapcase().replace("01", "10")
            other = "b" if side == "w" else "w"
            mirror = State(variant, fen=" ".join([turned, other, *rest]))
            assert mirror.legal_actions() == state.legal_actions()
            if variant != "damone":
                assert (mirror.planes() == state.planes()).all()
            else:
                # A FEN knows nothing of repetitions.
                kept = [i for i in range(9) if i != 7]
                assert (mirror.planes()[kept] == state.planes()[kept]).all()
            compared += 1
        state.play(choose.choice(state.legal_actions()))
    assert compared > 5


def test_planes_show_the_board_as_the_side_to_move_sees_it() -> None:
    state = State("amazons")
    own, enemy, arrows, shooter, board = state.planes()
    assert [tuple(place) for place in np.argwhere(own)] == [
        (0, 3),
        (0, 6),
        (3, 0),
        (3, 9),
    ]
    assert (np.argwhere(enemy).sum(axis=0) == [9 + 9 + 6 + 6, 18]).all()
    assert arrows.sum() == shooter.sum() == 0 and board.all()
    state.play(state.action_of("d1d7"))
    own, _, _, shooter, _ = state.planes()
    assert np.argwhere(shooter).tolist() == [[6, 3]] and own[6, 3] == 1
    state.play(state.action_of("d1d7,d7g7"))
    own, enemy, arrows, shooter, _ = state.planes()
    assert np.argwhere(arrows).tolist() == [[3, 3]] and enemy[3, 6] == 1 and shooter.sum() == 0


def test_captures_of_damone_that_lead_to_different_positions_have_different_numbers() -> None:
    seen = 0
    for seed in range(30):
        state = State("damone")
        choose = random.Random(seed)
        while not state.is_over:
            actions = state.legal_actions()
            captures = [action for action in actions if action >= 4 * 64]
            seen += len(captures)
            after = set()
            for action in captures:
                next_state = state.copy()
                next_state.play(action)
                after.add(next_state.key)
            assert len(after) == len(captures)
            state.play(choose.choice(actions))
    assert seen > 200
    # The first two end on the same square and take different pieces. The third is a circle, which can be gone round in
    # both directions: the same position, so one number.
    loops = State("damone", fen="8/8/2d1d3/1I6/2d1d1d1/8/2d1d1d1/8 w")
    texts = [loops.action_text(action) for action in loops.legal_actions()]
    expected = ["b5d3f5h3f1d3b1", "b5d7f5h3f1d3b1", "b5d7f5h3f1d3b5", "b5d7f5d3f1h3f5"]
    assert texts == expected
    first, second, *_ = loops.legal_actions()
    assert (second - first) == 64
    assert loops.action_text(loops.action_of("b5d3f1h3f5d7b5")) == "b5d7f5h3f1d3b5"


def test_padding_keeps_the_board_in_the_first_rows_and_columns() -> None:
    small, large = State("amazons6"), State("amazons6", size=10)
    assert Encoding("amazons6", size=10).shape == (5, 10, 10)
    for _ in range(30):
        planes = large.planes()
        assert (planes[:, :6, :6] == small.planes()).all()
        assert planes[:, 6:].sum() == planes[:, :, 6:].sum() == 0
        texts = {small.action_text(action) for action in small.legal_actions()}
        assert {large.action_text(action) for action in large.legal_actions()} == texts
        text = min(texts)
        small.play(small.action_of(text))
        large.play(large.action_of(text))
        if small.is_over:
            break
    with pytest.raises(ValueError, match="size 5: a number from 6 to 64 is expected"):
        State("amazons6", size=5)


def test_states_are_copied_and_refuse_what_is_illegal() -> None:
    state = State("amazons6")
    twin, deep = copy.copy(state), copy.deepcopy(state)
    walk(state, 1)
    assert state.is_over and state.winner in ("white", "black") and state.legal_actions() == []
    assert not twin.is_over and twin.key == deep.key == State("amazons6").key
    with pytest.raises(IndexError, match="action 0 is not legal here"):
        State("amazons6").play(0)
    with pytest.raises(ValueError, match="illegal move"):
        twin.push("a1a2,a2a3")
    assert twin.push("b1b4/c4") == "b1b4,b4c4"
    twin.play(twin.legal_actions()[0])
    with pytest.raises(ValueError, match="in the middle of a turn"):
        twin.fen()
    with pytest.raises(ValueError, match="has begun"):
        twin.push("b1b4,b4c4")


@pytest.mark.parametrize("variant", ["amazons6", "iago", "desdemona-early", "damone"])
def test_games_follow_the_rules_and_tell_what_the_file_has(play: Play, variant: str) -> None:
    found = records.open(play(variant, inner_visits=4))
    assert len(found) == 6 and found.variant == variant
    assert found.headers[0]["options"]["nodes"] == 20
    searched, seen = 0, {True: 0, False: 0}
    for number, game in enumerate(found):
        assert game.number == number
        state = State(variant, fen=game.start_fen)
        for move in game.opening:
            assert state.push(move) == move
        for turn in game.turns:
            assert state.turn == turn.side and 0 <= turn.score <= 1
            begun = state.copy()
            for visits in turn.visits:
                texts = {begun.action_text(action) for action in begun.legal_actions()}
                if variant == "damone":
                    begun.play(begun.legal_actions()[0])
                    continue
                assert set(visits) <= texts
                # The longest: c4c1 is a beginning of c4c10, too.
                played = max((text for text in texts if turn.move.startswith(text)), key=len)
                # With few nodes a step that was only evaluated may be the best.
                seen[played in visits] += 1
                begun.play(begun.action_of(played))
            searched += len(turn.inner)
            state.push(turn.move)
        assert state.fen() == game.last_fen
        if game.ending == "rules":
            assert state.is_over
    assert searched > 0 and seen[True] >= 10 * seen[False]
    assert found[-1] == found[5] and found[1:3] == [found[1], found[2]]
    with pytest.raises(IndexError):
        found[6]
    with pytest.raises(IndexError):
        found[-7]
    again = pickle.loads(pickle.dumps(found))
    assert again[2] == found[2]


def test_games_are_read_in_any_order(play: Play) -> None:
    path = play()
    whole = list(records.open(path))
    found = records.open(path)
    order = [4, 0, 5, 5, 1, 3, 2]
    assert [found[i] for i in order] == [whole[i] for i in order]
    both = records.open([path, play(seed=4)])
    assert len(both) == 12 and both[7] != whole[1] and both[1] == whole[1]


@pytest.mark.parametrize("variant", ["amazons6", "iago", "damone"])
def test_samples_are_the_positions_of_the_games(play: Play, variant: str) -> None:
    found = records.open(play(variant))
    encoding = found.encoding()
    batches = list(found.samples(batch_size=16, legal=True))
    assert all(len(batch) == 16 for batch in batches[:-1])
    samples = [(batch, i) for batch in batches for i in range(len(batch))]
    place = 0
    for game in found:
        state = State(variant)
        for move in game.opening:
            state.push(move)
        for number, turn in enumerate(game.turns):
            for step, visits in enumerate(turn.visits):
                batch, i = samples[place]
                place += 1
                assert (batch.planes[i] == state.planes()).all()
                assert (batch.game[i], batch.turn[i], batch.step[i]) == (
                    game.number,
                    number,
                    step,
                )
                assert batch.legal is not None
                assert (batch.legal[i] == state.mask()).all()
                assert batch.score[i] == pytest.approx(turn.score)
                white = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}[game.result]
                assert batch.result[i] == (white if turn.side == "white" else 1 - white)
                part = slice(batch.offsets[i], batch.offsets[i + 1])
                assert (batch.row[part] == i).all()
                policy = dict(zip(batch.action[part].tolist(), batch.probability[part].tolist()))
                if visits:
                    assert sum(policy.values()) == pytest.approx(1)
                if variant != "damone":
                    total = sum(visits.values())
                    named = {state.action_text(action): share for action, share in policy.items()}
                    assert named == pytest.approx({k: v / total for k, v in visits.items()})
                if step + 1 < len(turn.visits):
                    played = max((text for text in visits if turn.move.startswith(text)), key=len)
                    state.play(state.action_of(played))
                elif state.at_turn_start:
                    state.push(turn.move)
                else:
                    state.play(state.action_of(turn.move))
    assert place == len(samples)
    table = batches[0].policy(encoding.actions)
    assert table.shape == (16, encoding.actions)
    assert table.sum() == pytest.approx(len(np.unique(batches[0].row)), rel=1e-5)


def reached(planes: Any) -> Any:
    """Who gets to each empty square of the Amazons, by its planes: 1 and -1 the one who does, nan both, 0 nobody."""
    empty = planes[:3].sum(0) == 0
    getting = []
    for amazons in planes[:2]:
        known = amazons > 0
        for _ in range(empty.size):
            around = np.pad(known, 1)
            rows, columns = known.shape
            near = [around[y : y + rows, x : x + columns] for y in range(3) for x in range(3)]
            known |= np.logical_or.reduce(near) & empty
        getting.append(known & empty)
    own, other = getting
    return np.where(own & other, np.nan, own * 1.0 - other)


@pytest.mark.parametrize("variant", ["amazons6", "desdemona-early"])
@pytest.mark.parametrize("play_on", [True, False])
def test_samples_tell_owners_and_margins_of_the_end(
    play: Play, variant: str, play_on: bool
) -> None:
    found = records.open(play(variant, play_on=play_on, longest=400))
    batch = next(found.samples(batch_size=10_000, ownership=True, half_turns=False))
    assert batch.owner is not None and batch.owner.shape == (
        len(batch),
        *found.encoding().shape[1:],
    )
    decided = 0
    for game in found:
        rows = np.flatnonzero(batch.game == game.number)
        state, end = State(variant, fen=game.start_fen), State(variant, fen=game.last_fen)
        for move in game.opening:
            state.push(move)
        last = end.planes()
        if variant == "amazons6":
            owner = np.zeros(last.shape[1:], np.float32)
            turns = [turn.move for turn in game.turns]
            for at, move in [*((state, move) for move in turns), (end, None)]:
                planes, side = at.planes(), at.turn
                now, empty = reached(planes), planes[:3].sum(0) == 0
                if side != end.turn:
                    now, empty = -now[::-1, ::-1], empty[::-1, ::-1]
                owner[empty] = now[empty]
                if move is not None:
                    state.push(move)
            # What was filled while both could get there is nobody's.
            owner[np.isnan(owner) & (last[:3].sum(0) > 0)] = 0
            owner[last[0] > 0], owner[last[1] > 0] = 1, -1
        else:
            owner = last[2].astype(np.float32) - last[3]
        decided += np.count_nonzero(np.nan_to_num(owner))
        for row in rows:
            side = game.turns[batch.turn[row]].side
            seen = owner if side == end.turn else -owner[::-1, ::-1]
            np.testing.assert_array_equal(batch.owner[row], seen)
            white = np.nan if game.margin is None else game.margin
            np.testing.assert_equal(batch.margin[row], white if side == "white" else -white)
    assert decided > 30 and (not play_on or np.isfinite(batch.margin).all())
    mirrored = batch.image(symmetries(found.encoding())[1])
    assert mirrored.owner is not None
    np.testing.assert_array_equal(mirrored.owner, batch.owner[:, :, ::-1])
    assert next(found.samples()).owner is None
    with pytest.raises(ValueError, match="^ownership: nobody knows who owns squares in damone$"):
        records.open(play("damone")).samples(ownership=True)


def test_shuffling_keeps_all_samples_and_the_seed_fixes_the_order(play: Play) -> None:
    found = records.open(play())

    def keys(**options: Any) -> list[tuple[int, int, int]]:
        batches = found.samples(batch_size=10, **options)
        return [k for b in batches for k in zip(b.game.tolist(), b.turn.tolist(), b.step.tolist())]

    plain = keys()
    for mix in (0, 7, 10_000):
        one = keys(shuffle_seed=1, mix=mix)
        assert one == keys(shuffle_seed=1, mix=mix) != plain
        assert sorted(one) == sorted(plain)
        assert one != keys(shuffle_seed=2, mix=mix)
    assert {key[0] for key in keys(games=[4, 2])} == {2, 4}
    assert [key for key in plain if key[2] == 0] == keys(half_turns=False)
    with pytest.raises(IndexError, match="there is no game 6"):
        keys(games=[6])


def test_floats_and_padding_change_nothing_else(play: Play) -> None:
    found = records.open(play())
    plain = next(found.samples(batch_size=8))
    padded = next(found.samples(batch_size=8, size=8, dtype="float32"))
    assert padded.planes.shape == (8, 5, 8, 8) and padded.planes.dtype == np.float32
    assert (padded.planes[:, :, :6, :6] == plain.planes).all()
    assert (padded.result == plain.result).all() and plain.planes.flags.writeable
    with pytest.raises(ValueError, match="dtype: uint8 or float32"):
        found.samples(dtype="int8")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="batch_size"):
        found.samples(batch_size=0)


def test_games_from_another_position_have_its_board(play: Play) -> None:
    found = records.open(play("amazons", fen="1q1q/q3/3Q/Q1Q1 w"))
    assert found.start_fen.startswith("1q1q/q3/3Q/Q1Q1 w")
    assert next(found.samples()).planes.shape[1:] == found.encoding().shape == (5, 4, 4)
    with pytest.raises(ValueError, match="begin at another position"):
        records.open([play("amazons", games=1), play("amazons", fen="1q1q/q3/3Q/Q1Q1 w")])


def test_damage_is_told(play: Play, tmp_path: Path) -> None:
    path = play()
    data = path.read_bytes()
    (tmp_path / "cut.dat").write_bytes(data[:-200])
    with pytest.raises(ValueError, match=r"cut\.dat: "):
        len(records.open(tmp_path / "cut.dat"))
    partial = records.open(tmp_path / "cut.dat", partial=True)
    assert 0 < len(partial) <= 6 and partial[0] == records.open(path)[0]
    (tmp_path / "other.dat").write_bytes(b"something else entirely")
    with pytest.raises(ValueError, match="not a data file of Hippolyta"):
        records.open(tmp_path / "other.dat")
    with pytest.raises(records.DataError, match=r"No such file or directory: .*none\.dat"):
        records.open(tmp_path / "none.dat")
    with pytest.raises(ValueError, match="games of iago, and .* has games of amazons6"):
        records.open([path, play("iago")])
    with pytest.raises(ValueError, match="no data file"):
        records.open([])
    flipped = bytearray(data)
    flipped[len(data) // 2] ^= 1
    (tmp_path / "flipped.dat").write_bytes(flipped)
    with pytest.raises(ValueError, match=r"flipped\.dat: damaged at byte"):
        list(records.open(tmp_path / "flipped.dat").samples())


def test_what_the_system_refuses_has_number_and_file(tmp_path: Path) -> None:
    for path, number in ((tmp_path / "none.dat", errno.ENOENT), (tmp_path, errno.EISDIR)):
        with pytest.raises(records.DataError) as raised:
            records.open(path)
        error = raised.value
        assert (error.errno, error.filename) == (number, str(path))
        assert str(error) == f"[Errno {number}] {os.strerror(number)}: {str(path)!r}"
        assert isinstance(error, OSError) and isinstance(error, ValueError)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_records_are_read_in_forked_processes_while_their_parent_reads_on(play: Play) -> None:
    found = records.open(play(games=40, nodes=4))
    # The parent stands in the middle of its open file.
    first = found[3]
    batches = found.samples(batch_size=8)
    next(batches)
    expected = [game.moves for game in records.open(play(games=40, nodes=4))]
    children = []
    for _ in range(4):
        child = os.fork()
        if child == 0:
            code = 1
            try:
                code = 0 if [game.moves for game in found] == expected else 2
                with pytest.raises(hippolyta.EngineError, match="forked"):
                    next(batches)
            except BaseException:  # noqa: BLE001
                code = 3
            os._exit(code)
        children.append(child)
    assert [game.moves for game in found] == expected and found[3] == first
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 4
    assert sum(len(batch) for batch in batches) > 0


def test_arrow_has_the_games_and_the_samples(play: Play) -> None:
    pa = pytest.importorskip("pyarrow")
    found = records.open(play())
    games = found.to_arrow(batch_size=4).read_all()
    assert games.num_rows == 6
    assert games.column("moves").to_pylist() == [list(game.moves) for game in found]
    assert games.column("scores").to_pylist()[0][-1] == pytest.approx(found[0].turns[-1].score)
    reader = found.samples_to_arrow(batch_size=32)
    assert isinstance(reader, pa.RecordBatchReader)
    table = reader.read_all()
    batches = list(found.samples(batch_size=32))
    assert table.num_rows == sum(map(len, batches))
    shape = found.encoding().shape
    first = np.array(table.column("planes")[0].as_py(), dtype=np.uint8).reshape(shape)
    assert (first == batches[0].planes[0]).all()
    end = batches[0].offsets[1]
    assert table.column("action")[0].as_py() == batches[0].action[:end].tolist()
    assert table.schema.metadata[b"variant"] == b"amazons6"
    # Numbers are those of the batch, not copies.
    batch = batches[0]
    assert pa.array(batch.result).buffers()[1].address == batch.result.ctypes.data


def test_a_net_learns_from_the_batches(play: Play) -> None:
    """Softmax regression on the planes: what `examples/train_torch.py` does, with NumPy alone."""
    found = records.open(play(games=24))
    encoding = found.encoding()
    inputs = int(np.prod(encoding.shape))
    weights = np.zeros((inputs, encoding.actions), dtype=np.float32)
    losses = []
    for epoch in range(6):
        total, count = 0.0, 0
        for batch in found.samples(batch_size=64, shuffle_seed=epoch, dtype="float32"):
            x = batch.planes.reshape(len(batch), inputs)
            logits = x @ weights
            logits -= logits.max(axis=1, keepdims=True)
            logits -= np.log(np.exp(logits).sum(axis=1, keepdims=True))
            total -= float((batch.probability * logits[batch.row, batch.action]).sum())
            count += len(batch)
            weights -= 0.1 * x.T @ (np.exp(logits) - batch.policy(encoding.actions)) / len(batch)
        losses.append(total / count)
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < 0.85 * losses[0], losses


def test_the_torch_example_uses_what_there_is() -> None:
    """PyTorch is large, so the example runs only where it is; here its calls are compared with the package."""
    path = Path(__file__).parent.parent / "examples" / "train_torch.py"
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = {"records": records.Records, "batch": records.Batch, "encoding": Encoding}
    known = {name: set(dir(kind)) for name, kind in names.items()}
    known["batch"] |= set(records.Batch.__dataclass_fields__)
    used = {name: 0 for name in names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            name = node.value.id
            if name in known:
                used[name] += 1
                assert node.attr in known[name], f"{name}.{node.attr}"
    assert all(used.values()), used


def python_with_torch(folder: Path) -> tuple[str, dict[str, str]]:
    """A Python that has PyTorch: this one, or the system's, as Debian has a small package of it."""
    if importlib.util.find_spec("torch") is not None:
        return sys.executable, dict(os.environ)
    # The compiled part runs in every Python since 3.10.
    (folder / "hippolyta").symlink_to(Path(hippolyta.__file__).parent, target_is_directory=True)
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    system = "/usr/bin/python3"
    needs = [system, "-c", "import torch, hippolyta.records"]
    found = (
        Path(system).exists()
        and subprocess.run(needs, check=False, env=environment).returncode == 0
    )
    if not found:
        pytest.skip("there is no PyTorch")
    return system, environment


def test_a_data_set_of_torch_divides_the_games_among_ranks_and_workers(
    play: Play, tmp_path: Path
) -> None:
    python, environment = python_with_torch(tmp_path)
    path = Path(__file__).parent / "torch_dataset.py"
    done = subprocess.run(
        [python, str(path), str(play())],
        check=False,
        capture_output=True,
        text=True,
        env=environment,
    )
    assert done.returncode == 0, done.stderr


def test_the_torch_example_runs(play: Play, tmp_path: Path) -> None:
    python, environment = python_with_torch(tmp_path)
    path = Path(__file__).parent.parent / "examples" / "train_torch.py"
    done = subprocess.run(
        [python, str(path), str(play())],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    losses = [float(line.split()[-1]) for line in done.stdout.splitlines()]
    assert losses[-1] < losses[0]


def test_a_net_of_pytorch_plays_itself_and_learns(tmp_path: Path) -> None:
    python, environment = python_with_torch(tmp_path)
    path = Path(__file__).parent.parent / "examples" / "alphazero.py"
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 80
    small = ["--games", "8", "--nodes", "8", "--match", "2"]
    of = {
        ("amazons", 2): ["--fen", "q2/3/3/2Q w", "--minutes", "60"],
        ("damone", 1): ["--minutes", "0.001"],
    }
    for (variant, generations), start in of.items():
        command = [python, str(path), variant, *start, *small]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as run:
            assert run.stdout is not None
            lines = list(islice(run.stdout, generations))
            if variant == "damone":
                assert run.wait() == 0
            run.kill()  # it would go on for an hour
        told = re.findall(r"(\d+) generations, loss ([\d.]+): ([\d.]+) points", "".join(lines))
        assert len(told) == generations, lines
        for number, (generation, loss, points) in enumerate(told, 1):
            assert int(generation) == number and 0 < float(loss) < 20
            assert float(points) in (0, 0.25, 0.5, 0.75, 1)
