"""Memory, threads and files of a process that makes 10,000 searches. Prints a JSON line for each thousand.

python benches/leaks.py
"""

import gc
import json
import os
import threading

from hippolyta import Board, Engine, Limit

board = Board("amazons6")
engine = Engine(hash=1)
for number in range(1, 10_001):
    engine.analyse(board, Limit(nodes=10), multipv=3)
    if number % 100 == 0:
        with Engine(hash=4) as short:
            list(short.analyse_many([board] * 4, Limit(nodes=10), jobs=2))
    if number % 1000 == 0:
        gc.collect()
        with open("/proc/self/statm") as file:
            resident = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        row = {
            "searches": number,
            "resident_mib": round(resident / 2**20, 2),
            "python_threads": threading.active_count(),
            "threads": len(os.listdir("/proc/self/task")),
            "files": len(os.listdir("/proc/self/fd")),
        }
        print(json.dumps(row), flush=True)
