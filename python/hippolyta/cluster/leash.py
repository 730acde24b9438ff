"""Runs the engine so that it dies with the process that started it.

    python -I -S leash.py PARENT COMMAND…
    python -I -S leash.py PARENT --module FILE ARGUMENT…

The second form runs the program that is in the package's compiled part, without the rest of the
package, so that it starts in a few milliseconds. For the same reason this file imports little.

A worker that is killed with SIGKILL cannot end its engine. Without this the engine would go on,
without anybody to take its result. Linux ends it: the setting survives `exec`. Elsewhere the engine
is started as it is.
"""

import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def run_module(file: str, arguments: list[str]) -> int:
    """Does what a command line of the program in the compiled part of the package says."""
    from importlib.machinery import ExtensionFileLoader
    from importlib.util import module_from_spec, spec_from_loader

    spec = spec_from_loader("_hippolyta", ExtensionFileLoader("_hippolyta", file))
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    # As in `python -m hippolyta`: the engine catches Ctrl-C itself where that is of use.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    code: int = module.run_command(["hippolyta", *arguments])
    return code


def main() -> int:
    """Becomes the engine. `PARENT` is the process id of the caller."""
    parent, command = int(sys.argv[1]), sys.argv[2:]
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it died before the setting took effect
            return 1
    if command[0] == "--module":
        return run_module(command[1], command[2:])
    try:
        os.execvp(command[0], command)
    except OSError as error:
        print(f"{command[0]} does not start: {error.strerror}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
