"""Environments for people who train agents. Each needs its own library: the extra `hippolyta[envs]`.

| module | what it is for |
| --- | --- |
| `hippolyta.envs.pettingzoo` | two agents: an AEC environment with action masks |
| `hippolyta.envs.gymnasium` | one agent: `AgainstEngine`, whose opponent is the engine at a given level |
| `hippolyta.envs.parallel` | many games at once: a parallel environment of PettingZoo, two agents a game |
| `hippolyta.envs.vector` | many games at once: a vector environment, whose agent plays both sides |
| `hippolyta.envs.openspiel_game` | every rule set as a game of OpenSpiel, `hippolyta` |
| `hippolyta.envs.openspiel` | the engine as a `Bot` for this game, and for OpenSpiel's own `amazons` |

In all but the last an action is a half-turn: an amazon moves, or it fires. `hippolyta.encoding` documents the numbers
of actions and the planes of observations; both are from the view of the side to move.
"""
