"""An engine that misbehaves in the way that its argument says. It speaks just enough UCI to be asked."""

import os
import subprocess
import sys
import time

how = sys.argv[1]
out = sys.stdout


def say(text: str) -> None:
    out.write(text + "\n")
    out.flush()


def forever() -> None:
    while True:
        time.sleep(60)


if how == "silent":
    forever()
if how == "dies-at-once":
    sys.stderr.write("no licence\n")
    sys.exit(3)

waiting = False
for line in sys.stdin:
    word = line.split()[0] if line.split() else ""
    if word == "uci":
        if how == "greets-badly":
            out.buffer.write(
                b"\xff\xfe id name \x80\noption\noption name\nid\ninfo score\nbestmove\n\n\r\n"
            )
            out.buffer.flush()
        say("id name Fake \u00e9")
        say("option name Hash type spin default 16 min 1 max 64")
        say("option name Style of play type combo default calm var calm var very wild")
        say("option name Clear Hash type button")
        say("uciok")
    elif word == "isready":
        say("readyok")
    elif word == "go":
        if how == "dies":
            sys.stderr.write("segmentation fault\n")
            sys.stderr.flush()
            os._exit(7)
        elif how == "floods":
            # 200 MB of which nothing is a line of the protocol, then a line without an end.
            noise = "x" * 999 + "\n"
            for _ in range(100_000):
                out.write(noise)
            for _ in range(100):
                out.write("y" * 1_000_000)
            say("")
            say("info depth 1 score cp 20 pv b1b4,b4c4")
            say("bestmove b1b4,b4c4")
        elif how == "floods-errors":
            for _ in range(20_000):
                sys.stderr.write("e" * 999 + "\n")
            say("bestmove b1b4,b4c4")
        elif how == "no-newline":
            out.write("bestmove b1b4,b4c4")
            out.flush()
        elif how == "ignores-stop":
            pass
        elif how == "late":
            waiting = True
        elif how == "illegal":
            say("info depth 1 score cp 20 pv a1a2,a2a3")
            say("bestmove a1a2,a2a3")
        elif how == "no-move":
            say("bestmove (none)")
        elif how == "closes-output":
            os.close(1)
            forever()
        elif how == "has-child":
            child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
            say(f"info string child {child.pid}")
            say(f"info depth 1 nodes {child.pid} score cp 0 pv b1b4,b4c4")
        elif how == "odd-lines":
            say("info depth x score cp nothing pv b1b4,b4c4")
            say("info depth 3 score cp 100 lowerbound pv b1b5,b5c5")
            say(
                "info depth 4 seldepth 6 multipv 1 score mate 2 nodes 77 time 1500 hashfull 250 pv b1b4,b4c4 e6e5,e5e6"
            )
            say("info depth 4 multipv 9 score cp 3 pv b1b4,b4c4")
            say("info currmove b1b4,b4c4 string score cp 1")
            say("bestmove b1b4,b4c4 ponder nonsense")
        elif how == "echo":
            say(f"info depth 1 score cp {len(line)} wdl 500 300 200 pv b1b4,b4c4")
            sys.stderr.write(line)
            sys.stderr.flush()
            waiting = "infinite" in line
            if not waiting:
                say("bestmove b1b4,b4c4")
        else:
            say("info depth 1 score cp 100 pv b1b4,b4c4")
            say("bestmove b1b4,b4c4")
    elif word == "stop" and waiting:
        waiting = False
        if how == "late":
            time.sleep(0.3)
        say("bestmove b1b4,b4c4")
    elif word == "quit" and how not in ("ignores-stop", "closes-output"):
        break
