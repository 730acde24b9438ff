"""An engine with a net of your own, over UCI: `python -m hippolyta.evaluators NET`."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence

from .._hippolyta import serve_evaluator
from ..limit import BOUNDS
from . import named


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(
        "python -m hippolyta.evaluators", description="An engine with a net of your own, over UCI."
    )
    parser.add_argument(
        "net",
        nargs="?",
        help="a file of ONNX, or `module:name` for a function of Python; without one the built-in evaluation. "
        "The option EvalNet of UCI names another one",
    )
    parser.add_argument(
        "--batch", type=int, default=16, help="the most positions in a call (default: %(default)s)"
    )
    given = parser.parse_args(arguments)
    least, most = BOUNDS["batch"]
    if not least <= given.batch <= most:
        parser.error(f"--batch: {given.batch} is not from {least} to {most}")
    sys.path.insert(0, os.getcwd())
    try:
        evaluator = None if given.net is None else named(given.net)
    except (ValueError, TypeError, OSError, ImportError, AttributeError) as error:
        parser.error(f"net: {error}")
    # As any program over UCI: Ctrl-C ends it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    serve_evaluator(evaluator, given.batch, named)


if __name__ == "__main__":
    main(sys.argv[1:])
