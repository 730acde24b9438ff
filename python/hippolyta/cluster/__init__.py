r"""Learning and analysis on as many machines as there are, with [Ray](https://ray.io): `pip install
hippolyta[cluster]`.

    python -m hippolyta.cluster learn --variant amazons --generations 5 --games 200000 \
        --nodes 800 --out DIR
    python -m hippolyta.cluster analyse positions.jsonl --nodes 100000 --out answers.jsonl

A run is a set of tasks that read files and write files. Each is done by the engine's command on one
core of some node. Lost nodes, killed workers and a killed driver cost only the tasks that were
running: the same command goes on with the rest. The files have the same bytes as those of the same
run on one machine.
"""

from .analyse import analyse
from .driver import Interrupted
from .errors import ClusterError
from .learn import Cluster, Fit, learn
from .progress import Progress

__all__ = ["Cluster", "ClusterError", "Fit", "Interrupted", "Progress", "analyse", "learn"]
