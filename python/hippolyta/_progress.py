"""Progress bars."""

import sys
import warnings
from typing import Any

from ._extra import needs

__all__ = ["bar"]


def bar(total: int | None, unit: str, progress: bool | None) -> Any:
    """A bar of tqdm: with `None` on a terminal if tqdm is installed, with `True` in any case, with `False` never. `None`
    if there is none.

    Raises `ImportError` if one is wanted in any case and tqdm is missing.
    """
    if progress is False or (progress is None and not (sys.stderr and sys.stderr.isatty())):
        return None
    try:
        with needs("a progress bar", "progress"), warnings.catch_warnings():
            # In a notebook without ipywidgets tqdm warns that its bar is plain text.
            warnings.simplefilter("ignore")
            from tqdm.auto import tqdm
    except ImportError:
        if progress is None:
            return None
        raise
    return tqdm(total=total, unit=unit)
