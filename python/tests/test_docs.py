"""Examples in the documentation work: README, docstrings, notebooks, the reference."""

import doctest
import importlib
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import hippolyta
from hippolyta import nets, training
from hippolyta.cluster import Generation, Loss

PYTHON = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((PYTHON / "docs").glob("*.ipynb"))
MODULES = [
    "base",
    "encoding",
    "engine",
    "figures",
    "game_tree",
    "games",
    "info",
    "kaggle",
    "limit",
    "nets",
    "outcome",
    "records",
    "review",
    "rules",
    "svg",
    "training",
    "uci",
]

needs_sources = pytest.mark.skipif(not NOTEBOOKS, reason="run outside the repository")


def stripped(text: str) -> str:
    """Python code without the marks that a shell may have changed."""
    return text.replace(
        'uci.Engine("hippolyta"', f"uci.Engine([{sys.executable!r}, '-m', 'hippolyta']"
    )


@needs_sources
def test_the_readme_does_what_it_says() -> None:
    text = stripped((PYTHON / "README.md").read_text(encoding="utf-8"))
    examples = doctest.DocTestParser().get_doctest(text, {}, "README.md", "README.md", 0)
    assert len(examples.examples) > 15
    results = doctest.DocTestRunner(verbose=False).run(examples)
    assert results.failed == 0


@needs_sources
def test_the_readme_of_the_project_plays_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    text = (PYTHON.parent / "README.md").read_text(encoding="utf-8")
    shown = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(shown) == 1
    exec(compile(shown[0], "README.md", "exec"), {})  # noqa: S102
    assert capsys.readouterr().out.split()[-1] in ("1-0", "0-1")


@needs_sources
def test_the_callbacks_of_the_guide_take_what_a_generation_has(tmp_path: Path) -> None:
    text = (PYTHON / "docs" / "cluster.md").read_text(encoding="utf-8")
    told: dict[str, Any] = {}

    def library(name: str, call: str) -> SimpleNamespace:
        return SimpleNamespace(
            **{call: lambda numbers, **options: told.update({name: (numbers, options)})}
        )

    libraries = {
        "wandb": library("wandb", "log"),
        "mlflow": library("mlflow", "log_metrics"),
        "tune": library("tune", "report"),
    }
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    exec(compile(code, "cluster.md", "exec"), libraries)  # noqa: S102
    pairing = training.Pairing("new", "old", 1, 0, 1, (0, 0, 1, 0, 0), 0.0, None, None, None)
    mine = nets.Generation(3, "games-3.dat", "net-3", True, pairing, None)
    losses = {"value": Loss(0.5, 0.6)}
    theirs = Generation(3, 100, 0.5, losses, False, None, None, 7.0, tmp_path)
    for done in (mine, theirs):
        for name in ("to_wandb", "to_mlflow", "to_tune"):
            libraries[name](done)  # type: ignore[operator]
        step = ({"step": 3},)
        assert [told[name][1] for name in libraries if name in told] == [*step, *step, {}]
        assert all(numbers == done.numbers() for numbers, _ in told.values())
        assert all(isinstance(number, float | int) for number in done.numbers().values())


@needs_sources
def test_ratios_are_those_of_the_guide_by_name() -> None:
    pytest.importorskip("pyspiel")
    script = [sys.executable, str(PYTHON / "benches" / "ratios.py"), "--rounds", "1"]
    done = subprocess.run(
        [*script, "--turns", "64"], capture_output=True, text=True, check=False, timeout=300
    )
    head, line, *rows = done.stdout.splitlines()
    assert done.returncode == 0 and (head, line) == (
        "| what, and against what | times as fast |",
        "| --- | ---: |",
    ), done.stderr
    parts = [re.fullmatch(r"\| (.+) \| (\d+\.\d\d) \|", row) for row in rows]
    names = [part[1] for part in parts if part is not None]
    assert len(names) == len(rows)
    guide = (PYTHON.parent / "docs" / "measurements.md").read_text(encoding="utf-8")
    table = guide.partition(f"{head}\n{line}\n")[2].partition("\n\n")[0]
    assert names == [row.split(" | ")[0].removeprefix("| ") for row in table.splitlines()]


@needs_sources
def test_the_cluster_command_of_the_readme_is_understood() -> None:
    pytest.importorskip("ray")
    text = (PYTHON.parent / "README.md").read_text(encoding="utf-8")
    shown = re.findall(r"^python (-m hippolyta\.cluster .*)$", text, re.MULTILINE)
    assert len(shown) == 1
    # Wrong words are an error before the help is printed.
    run = [sys.executable, *shown[0].split(), "--help"]
    assert subprocess.run(run, capture_output=True, check=True, text=True).stdout.startswith(
        "usage: "
    )


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_run(name: str) -> None:
    results = doctest.testmod(importlib.import_module(f"hippolyta.{name}"))
    assert results.failed == 0
    assert results.attempted > 0 or name == "figures"


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_to_its_end_and_is_kept_without_outputs(
    notebook: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Notebooks that learn for minutes learn one generation.
    monkeypatch.setenv("NOTEBOOK_MINUTES", "0.01")
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    if notebook.stem.endswith("kaggle"):
        pytest.importorskip("kaggle_environments")
    book = nbformat.read(notebook, as_version=4)
    nbformat.validate(book)
    cells = [cell for cell in book.cells if cell.cell_type == "code"]
    assert cells and all(not cell.outputs and cell.execution_count is None for cell in cells)
    nbclient.NotebookClient(book, timeout=300, kernel_name="python3").execute()
    outputs = [output for cell in cells for output in cell.outputs]
    said = "".join(output.get("text", "") for output in outputs)
    assert "Warning" not in said
    pictures = [
        kind for output in outputs for kind in output.get("data", {}) if kind.startswith("image/")
    ]
    assert pictures, "every notebook shows a picture"


@needs_sources
def test_the_index_names_every_notebook_and_the_command_makes_the_reference(tmp_path: Path) -> None:
    pytest.importorskip("pdoc")
    index = (PYTHON / "docs" / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"\]\(([^)]+\.ipynb)\)", index) == [path.name for path in NOTEBOOKS]
    command = re.search(r"```sh\npdoc (.*) -o site\n```", index.replace("\\\n", ""))
    assert command is not None
    run = [
        sys.executable,
        "-W",
        "error::UserWarning",
        "-m",
        "pdoc",
        *command[1].split(),
        "-o",
        str(tmp_path),
    ]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "Warn" not in done.stderr, done.stderr
    page = (tmp_path / "hippolyta.html").read_text(encoding="utf-8")
    missing = [name for name in hippolyta.__all__ if f'id="{name}"' not in page]
    assert missing == []
    base, uci = (
        (tmp_path / "hippolyta" / f"{name}.html").read_text(encoding="utf-8")
        for name in ("base", "uci")
    )
    assert 'id="BaseEngine.analyse_many"' in base
    assert 'href="base.html#BaseEngine.analyse_many"' in uci
