"""The notebooks run, and the API's documentation is made without a warning."""

import doctest
import importlib
import json
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import hippolyta

DOCS = Path(__file__).resolve().parents[1] / "docs"
NOTEBOOKS = sorted(DOCS.glob("*.ipynb"))
# Their examples need what the tests of their own ask for.
OPTIONAL = ("hippolyta.cluster", "hippolyta.envs", "hippolyta.figures")


def modules() -> list[str]:
    found = [module.name for module in pkgutil.walk_packages(hippolyta.__path__, "hippolyta.")]
    return [
        "hippolyta",
        *(
            name
            for name in found
            if not name.endswith("__main__") and not name.startswith(OPTIONAL)
        ),
    ]


@pytest.mark.parametrize("name", modules())
def test_examples_in_docstrings(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert result.failed == 0


def test_there_are_examples() -> None:
    tried = sum(
        doctest.testmod(importlib.import_module(name)).attempted
        for name in ("hippolyta.svg", "hippolyta.limit")
    )
    assert tried > 5


def test_the_readme_does_what_it_shows() -> None:
    result = doctest.testfile(
        str(DOCS.parent / "README.md"), module_relative=False, optionflags=doctest.ELLIPSIS
    )
    assert result.failed == 0 and result.attempted > 5


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run(path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    pytest.importorskip("matplotlib")
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    nbclient.NotebookClient(notebook, timeout=120).execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert shown and not [output for output in shown if output.output_type == "error"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_kept_without_output(path: Path) -> None:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    assert not [cell for cell in cells if cell.get("outputs") or cell.get("execution_count")]


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) >= 4


def test_the_documentation_of_the_api_is_made(tmp_path: Path) -> None:
    pytest.importorskip("pdoc")
    command = [
        sys.executable,
        "-W",
        "error::UserWarning",
        "-m",
        "pdoc",
        "hippolyta",
        "-o",
        str(tmp_path),
    ]
    made = subprocess.run(command, check=False, capture_output=True, text=True)
    assert made.returncode == 0 and "Warn" not in made.stderr, made.stderr
    page = (tmp_path / "hippolyta.html").read_text(encoding="utf-8")
    for name in ("Board", "Engine", "Limit", "legal_moves", "analyse_many"):
        assert name in page
