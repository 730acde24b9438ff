"""Libraries that not every part of the package needs: an error of import names the extra that brings them."""

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["needs"]


@contextmanager
def needs(what: str, extra: str) -> Iterator[None]:
    """Around imports: if a library is missing, the error says which, and how to get it.

    >>> with needs("this example", "data"):
    ...     import no_such_library
    Traceback (most recent call last):
    ImportError: this example needs no_such_library: it comes with hippolyta[data]
    """
    try:
        yield
    except ModuleNotFoundError as error:
        text = f"{what} needs {error.name}: it comes with hippolyta[{extra}]"
        raise ImportError(text, name=error.name) from error
