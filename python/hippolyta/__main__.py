"""The command `hippolyta`."""

import signal
import sys

from ._hippolyta import run_command


def main() -> int:
    # The engine catches Ctrl-C itself where that is of use. Elsewhere it ends the process, as with any program.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run_command(["hippolyta", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
