"""Runs a program on a pseudo-terminal of 24 lines, for tests/program/play.rs.

Standard input is a JSON object: `command`, `columns`, `env`, and `steps`. A step is `{"until": TEXT}`, which reads on
until that text has come, `{"send": TEXT}`, or `{"signal": NUMBER}`. Standard output is a JSON object: all that the
program wrote, its exit code, and whether the terminal still echoes what is typed.
"""

import json
import os
import select
import sys
import time

try:
    import fcntl
    import pty
    import struct
    import termios
except ImportError as error:
    sys.exit(f"no pseudo-terminals here: {error}")

PATIENCE = 60

task = json.load(sys.stdin)
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, task["columns"], 0, 0))
    for name in ("LC_ALL", "LC_CTYPE", "NO_COLOR", "COLORTERM", "WT_SESSION"):
        os.environ.pop(name, None)
    os.environ.update(task["env"])
    os.execv(task["command"][0], task["command"])

written = b""
seen = 0


def read(limit: float) -> bool:
    """Whether the program goes on; waits for its next words."""
    global written
    if not select.select([terminal], [], [], max(0, limit - time.monotonic()))[0]:
        sys.exit(f"nothing comes after {written[-2000:]!r}")
    try:
        part = os.read(terminal, 65536)
    except OSError:
        return False
    written += part
    return bool(part)


for step in task["steps"]:
    if "send" in step:
        os.write(terminal, step["send"].encode())
    elif "signal" in step:
        os.kill(pid, step["signal"])
    else:
        wanted = step["until"].encode()
        limit = time.monotonic() + PATIENCE
        while written.find(wanted, seen) < 0:
            if not read(limit):
                sys.exit(f"{step['until']!r} never came: {written!r}")
        seen = written.find(wanted, seen) + len(wanted)
limit = time.monotonic() + PATIENCE
while read(limit):
    pass
_, status = os.waitpid(pid, 0)
try:
    echo = bool(termios.tcgetattr(terminal)[3] & termios.ECHO)
except termios.error:
    echo = None
json.dump({"output": written.decode(errors="replace"), "code": os.waitstatus_to_exitcode(status), "echo": echo}, sys.stdout)
