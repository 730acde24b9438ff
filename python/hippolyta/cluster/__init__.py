r"""Learning, self-play, analysis, matches, proofs and searches for rules on as many machines as there are, with
[Ray](https://ray.io): the extra `hippolyta[cluster]`.

    python -m hippolyta.cluster learn --variant amazons6 --generations 2 --games 400 \
        --nodes 100 --out DIR
    python -m hippolyta.cluster analyse positions.jsonl --nodes 100000 --out answers.jsonl
    python -m hippolyta.cluster match --engine cmd=self name=new option.EvalFile=new.bin \
        --engine cmd=self name=old --each nodes=2000 --games 20000 --sprt elo0=0 elo1=5 --out DIR
    python -m hippolyta.cluster selfplay --net net.onnx --games 20000 --out games.dat
    python -m hippolyta.cluster solve --fen '1qq1/q2q/4/4/4/Q2Q/1QQ1 w' --out DIR
    python -m hippolyta.cluster design --rules my.toml --vary fires,stuck --out found.json

A run is a set of tasks that read files and write files. Each is done by the engine's command on one core of some node,
or by a net of one's own, on a GPU if there is one. Lost nodes, killed workers and a killed driver cost only the tasks
that were running: the same command goes on with the rest. The files of `learn` have the same bytes as those of the
same run on one machine, and so have those of `design`, and the answers of `analyse` but for the times in them.
"""

from .analyse import analyse
from .driver import Interrupted
from .errors import ClusterError, OptionError
from .generation import Generation, Loss, TensorBoard
from .learn import Fit, learn
from .progress import Progress
from .run import Cluster
from .selfplay import selfplay
from .served import served
from .spread import design, match, solve

__all__ = [
    "Cluster",
    "ClusterError",
    "Fit",
    "Generation",
    "Interrupted",
    "Loss",
    "OptionError",
    "Progress",
    "TensorBoard",
    "analyse",
    "design",
    "learn",
    "match",
    "selfplay",
    "served",
    "solve",
]
