"""Nets that several tests play with."""

import threading
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from hippolyta import Board
from hippolyta.encoding import Encoding

Planes = npt.NDArray[np.uint8]
Answer = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]


class Uniform:
    """All half-turns are equally likely, and all is even. It counts its calls."""

    def __init__(self, board: Board) -> None:
        self.actions = Encoding(board.variant, fen=board.fen()).actions
        self.sizes: list[int] = []
        self.threads: set[int] = set()

    def __call__(self, planes: Planes) -> Answer:
        self.sizes.append(len(planes))
        self.threads.add(threading.get_ident())
        logits = np.zeros((len(planes), self.actions), np.float32)
        return logits, np.zeros(len(planes), np.float32)


class Random(Uniform):
    """Random weights in sixty-fourths: sums are exact, whatever the size of the batch."""

    def __init__(self, board: Board) -> None:
        super().__init__(board)
        random = np.random.default_rng(5)
        inputs = int(np.prod(Encoding(board.variant, fen=board.fen()).shape))

        def weights(*shape: int) -> npt.NDArray[np.float32]:
            return (random.integers(-16, 17, shape) / 64).astype(np.float32)

        self.hidden, self.policy = weights(inputs, 8), weights(8, self.actions)
        self.value = weights(8)

    def __call__(self, planes: Planes) -> Answer:
        super().__call__(planes)
        hidden = np.maximum(planes.reshape(len(planes), -1).astype(np.float32) @ self.hidden, 0)
        return hidden @ self.policy, np.clip(hidden @ self.value / 4, -1, 1)


def onnx_net(path: Path, board: Board) -> None:
    """Writes `Random`, without its last clip, as a file of ONNX."""
    onnx = pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    from onnx import TensorProto, helper, numpy_helper

    net = Random(board)
    shape = Encoding(board.variant).shape
    weights = {"hidden": net.hidden, "policy": net.policy, "value": net.value[:, None]}
    nodes = [
        helper.make_node("Flatten", ["planes"], ["flat"]),
        helper.make_node("MatMul", ["flat", "hidden"], ["sums"]),
        helper.make_node("Relu", ["sums"], ["units"]),
        helper.make_node("MatMul", ["units", "policy"], ["logits"]),
        helper.make_node("MatMul", ["units", "value"], ["worth"]),
        helper.make_node("Tanh", ["worth"], ["values"]),
    ]
    graph = helper.make_graph(
        nodes,
        "net",
        [helper.make_tensor_value_info("planes", TensorProto.FLOAT, ["n", *shape])],
        [
            helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["n", net.actions]),
            helper.make_tensor_value_info("values", TensorProto.FLOAT, ["n", 1]),
        ],
        [numpy_helper.from_array(array, name) for name, array in weights.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    onnx.save(model, path)
