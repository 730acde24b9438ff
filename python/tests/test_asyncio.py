"""Engines in programs of asyncio."""

import asyncio
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing

import pytest

from hippolyta import Board, Engine, EngineError, Info, Limit, uci
from hippolyta.base import Query


def boards(count: int = 40) -> list[Board]:
    found = [Board("amazons6") for _ in range(count)]
    for number, board in enumerate(found):
        board.push(board.legal_moves[number])
    return found


def test_many_boards_are_analysed_while_the_loop_goes_on() -> None:
    limit = Limit(nodes=300)
    with Engine(hash=16) as engine:
        expected = [(info.score, info.lines) for info in engine.analyse_many(boards(), limit)]
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0.001)
            ticks += 1

    async def main() -> list[Info]:
        clock = asyncio.create_task(tick())
        async with Engine(hash=16) as engine:
            found = [info async for info in engine.analyse_many_async(iter(boards()), limit, 2)]
        assert engine.closed
        clock.cancel()
        with pytest.raises(EngineError, match="closed"):
            engine.analyse_many_async(boards(), limit)
        return found

    assert [(info.score, info.lines) for info in asyncio.run(main())] == expected
    assert ticks > 10


def test_results_come_in_order_as_soon_as_they_are_known() -> None:
    taken = 0

    def endless() -> Iterator[Board]:
        nonlocal taken
        while True:
            taken += 1
            yield Board("amazons6")

    async def main() -> None:
        async with Engine(hash=16) as engine:
            many = engine.analyse_many_async(endless(), Limit(nodes=20), jobs=1)
            async with aclosing(many):
                count = 0
                async for info in many:
                    count += 1
                    if count == 30:
                        break
            assert info.nodes >= 20 and taken < 60
            # The engine is free for others.
            assert (await engine.play_async(Board("amazons6"), Limit(nodes=5))).move

    asyncio.run(main())


@pytest.mark.parametrize("kind", ["inside", "outside"])
def test_to_cancel_stops_the_searches(kind: str) -> None:
    def engine() -> Engine | uci.Engine:
        if kind == "inside":
            return Engine(hash=16)
        return uci.Engine([sys.executable, "-m", "hippolyta"], options={"Hash": 16})

    async def main() -> None:
        async with engine() as one:
            before = threading.active_count()

            async def read() -> None:
                async for _ in one.analyse_many_async(boards(8), Limit(time=600), jobs=2):
                    pass

            task = asyncio.create_task(read())
            await asyncio.sleep(0.5)
            began = time.monotonic()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert time.monotonic() - began < 60
            assert (await one.play_async(Board("amazons6"), Limit(nodes=5))).move
            assert threading.active_count() <= before + 8

    asyncio.run(main())


def test_a_search_that_begins_while_all_are_stopped_is_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked, over = threading.Event(), threading.Event()
    begin, shutdown = uci.Engine._begin, ThreadPoolExecutor.shutdown

    def late(self: uci.Engine, query: Query) -> uci.Analysis:
        asked.set()
        assert over.wait(60)
        return begin(self, query)

    def noted(self: ThreadPoolExecutor, wait: bool = True, **more: bool) -> None:
        if wait:
            over.set()
        shutdown(self, wait, **more)

    monkeypatch.setattr(uci.Engine, "_begin", late)
    monkeypatch.setattr(ThreadPoolExecutor, "shutdown", noted)

    async def main() -> None:
        async with uci.Engine([sys.executable, "-m", "hippolyta"]) as engine:

            async def read() -> None:
                async for _ in engine.analyse_many_async(boards(2), Limit(time=120), jobs=1):
                    pass

            task = asyncio.create_task(read())
            assert await asyncio.to_thread(asked.wait, 60)
            began = time.monotonic()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert time.monotonic() - began < 60

    asyncio.run(main())


def test_what_is_wrong_is_said_before_anything_begins() -> None:
    with Engine(hash=16) as engine:
        with pytest.raises(ValueError, match="nothing limits"):
            engine.analyse_many_async([], Limit())
        with pytest.raises(ValueError, match="^jobs: 0 is not from 1 to 1024$"):
            engine.analyse_many_async([], Limit(nodes=1), jobs=0)

        async def wrong() -> None:
            async for _ in engine.analyse_many_async(["start"], Limit(nodes=1)):  # type: ignore[list-item]
                pass

        with pytest.raises(TypeError):
            asyncio.run(wrong())
