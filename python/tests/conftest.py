"""Signals and skips, for all tests."""

import os
import signal
from collections.abc import Generator

import pytest

# Where the tests run in the background, Ctrl-C may be ignored, and children inherit that. Some tests send it to theirs.
signal.signal(signal.SIGINT, signal.default_int_handler)


def without_skips(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Notes a test that is skipped for the summary of all tests; in CI it fails."""
    if report.outcome != "skipped":
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    if notes := os.environ.get("HIPPOLYTA_LEFT_OUT"):
        with open(notes, "a", encoding="utf-8") as file:
            file.write(f"{report.nodeid}: {reason}\n")
    if os.environ.get("HIPPOLYTA_NO_SKIPS") == "true":
        report.outcome = "failed"
        report.longrepr = f"{report.nodeid} was skipped: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    without_skips(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    without_skips(report)
    return report
