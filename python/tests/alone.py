"""Whether the package works where there is nothing else: `cargo xtask python` runs this file in an environment that has
the wheel alone. It imports every module and runs every documented example; what needs another library must say how to
get it.
"""

import doctest
import importlib
import importlib.metadata
import pkgutil
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import hippolyta

#: Modules, functions and methods that need a library beside the package, and the extra that brings it.
NEED = {
    "hippolyta.cluster": "cluster",
    "hippolyta.envs._picture": "envs",
    "hippolyta.envs.gymnasium": "envs",
    "hippolyta.envs.openspiel": "envs",
    "hippolyta.envs.openspiel_game": "envs",
    "hippolyta.envs.parallel": "envs",
    "hippolyta.envs.pettingzoo": "envs",
    "hippolyta.envs.vector": "envs",
    "hippolyta.Board.grid": "data",
    "hippolyta.encoding.Boards": "data",
    "hippolyta.evaluators": "data",
    "hippolyta.evaluators.Onnx": "onnx",
    "hippolyta.encoding.State.mask": "data",
    "hippolyta.nets": "data",
    "hippolyta.encoding.Symmetry": "data",
    "hippolyta.encoding.State.planes": "data",
    "hippolyta.figures.overview": "figures",
    "hippolyta.records.Records.samples": "data",
    "hippolyta.records.Records.to_arrow": "arrow",
    "hippolyta.cluster.TensorBoard": "tensorboard",
    "hippolyta.records.Records.torch_dataset": "torch",
    "hippolyta.engine.Engine.analyse_many": "progress",
    "hippolyta.engine.Engine.evaluate with its policy": "data",
}
REPOSITORY = Path(__file__).resolve().parents[2]
DOCUMENTS = ["README.md", "python/README.md"]


def modules() -> Iterator[str]:
    """The names of all modules of the package."""
    found = pkgutil.walk_packages(hippolyta.__path__, "hippolyta.", onerror=lambda _: None)
    yield from (name for _, name, _ in found)


def refuses(name: str, use: object) -> None:
    """Something that needs another library says which, and the extra that brings it."""
    assert callable(use)
    try:
        use()
    except ImportError as error:
        wanted = rf"needs [\w.]+: it comes with hippolyta\[{NEED[name]}\]"
        assert re.search(wanted, str(error), re.IGNORECASE), f"{name}: {error}"
        assert isinstance(error, Exception)
    else:
        raise AssertionError(f"{name} needs nothing, or something is installed besides")


def main() -> None:
    others = {
        package.metadata["Name"]
        for package in importlib.metadata.distributions()
        if package.metadata["Name"] not in ("hippolyta", "pip", "setuptools", "wheel")
    }
    assert not others, f"this environment has {others} besides"
    assert importlib.metadata.version("hippolyta") == hippolyta.__version__
    imported = examples = 0
    for name in modules():
        if name.endswith("__main__") or name in ("hippolyta.cluster.leash", "hippolyta._torch"):
            continue  # programs, not parts of the package; and what needs PyTorch
        if name in NEED and name.startswith("hippolyta.envs"):
            refuses(name, lambda name=name: importlib.import_module(name))
            continue
        module = importlib.import_module(name)
        imported += 1
        finder = doctest.DocTestFinder()
        for test in finder.find(module, name):
            if test.name in NEED:
                continue
            result = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL).run(test)
            assert result.failed == 0, test.name
            examples += result.attempted
    assert imported > 25 and examples > 50, (imported, examples)

    from hippolyta import (
        Board,
        Engine,
        Limit,
        cluster,
        evaluators,
        figures,
        records,
        review,
        training,
    )
    from hippolyta.encoding import Boards, Encoding, State, symmetries

    refuses("hippolyta.Board.grid", Board().grid)
    boards = Boards("amazons6", 2)
    step, turns = lambda: boards.step([0, 1]), lambda: boards.turns
    for method in (boards.legal, boards.mask, boards.observe, boards.sample, step, turns):
        refuses("hippolyta.encoding.Boards", method)
    refuses("hippolyta.encoding.State.planes", State().planes)
    refuses("hippolyta.encoding.State.mask", State().mask)
    refuses("hippolyta.encoding.Symmetry", symmetries(Encoding())[0].actions)
    refuses("hippolyta.evaluators", lambda: Engine(evaluator=lambda planes: (planes, planes)))
    refuses("hippolyta.evaluators.Onnx", lambda: evaluators.Onnx("net.onnx"))
    board = Board("amazons6")
    with Engine(hash=1) as engine:
        many = engine.analyse_many([board], Limit(nodes=1), progress=True)
        refuses("hippolyta.engine.Engine.analyse_many", lambda: list(many))
        refuses(
            "hippolyta.engine.Engine.evaluate with its policy",
            lambda: engine.evaluate([board], policy=True),
        )
        judged = review.review(board, engine, Limit(nodes=1))
    refuses("hippolyta.figures.overview", lambda: figures.overview(judged))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "games.dat")
        training.selfplay(path, variant="amazons6", games=1, nodes=2, progress=False)
        found = records.open(path)
        refuses("hippolyta.records.Records.samples", found.samples)
        refuses("hippolyta.records.Records.to_arrow", found.to_arrow)
        refuses("hippolyta.cluster.TensorBoard", lambda: cluster.TensorBoard(folder))
        refuses("hippolyta.records.Records.torch_dataset", found.torch_dataset)
        try:
            cluster.learn(f"{folder}/run", ["--generations=1", "--games=1", "--nodes=1"])
        except cluster.ClusterError as error:
            assert "it comes with hippolyta[cluster]" in str(error), error
        else:
            raise AssertionError("a cluster without Ray")

    for name in DOCUMENTS:
        document = REPOSITORY / name
        text = document.read_text(encoding="utf-8")
        text = text.replace(
            'uci.Engine("hippolyta"', f"uci.Engine([{sys.executable!r}, '-m', 'hippolyta']"
        )
        for block in re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
            if ">>>" not in block:
                exec(compile(block, name, "exec"), {})  # noqa: S102
                examples += 1
        parsed = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
        assert doctest.DocTestRunner(verbose=False).run(parsed).failed == 0, name
    print(f"the package alone: {imported} modules imported, {examples} lines of examples run")


if __name__ == "__main__":
    main()
