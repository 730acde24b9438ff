"""What goes wrong on a cluster."""


class ClusterError(RuntimeError):
    """A run that cannot go on. The message is one line that says why, for people."""
