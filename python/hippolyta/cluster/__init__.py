r"""Learning and analysis on as many machines as there are, with [Ray](https://ray.io): `pip install
hippolyta[cluster]`.

    python -m hippolyta.cluster learn --variant amazons6 --generations 2 --games 400 \
        --nodes 100 --out DIR
    python -m hippolyta.cluster analyse positions.jsonl --nodes 100000 --out answers.jsonl

A run is a set of tasks that read files and write files. Each is done by the engine's command on one
core of some node. Lost nodes, killed workers and a killed driver cost only the tasks that were
running: the same command goes on with the rest. The files of `learn` have the same bytes as those of
the same run on one machine, and so have the answers of `analyse` but for the times in them.
"""

from .analyse import analyse
from .driver import Interrupted
from .errors import ClusterError, OptionError
from .learn import Cluster, Fit, learn
from .progress import Progress

__all__ = [
    "Cluster",
    "ClusterError",
    "Fit",
    "Interrupted",
    "OptionError",
    "Progress",
    "analyse",
    "learn",
]
