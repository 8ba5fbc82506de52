"""Which tests a run includes, in which stage, and how it reports them."""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest
from _pytest._code.code import ReprTracebackNative
from hypothesis import settings
from support.cases import PICKED, pick
from support.failures import brief

from tabwarden.endpoints.finding import BROWSERS_PATH, browsers_folder

pytest_plugins = ["support.needs"]

# Some tests interrupt or disconnect child processes, which inherit an ignored signal
# (`nohup make test &`). A handler of our own is not inherited.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, lambda *_: None)


# Traces and other files of the tests do not go into the user's own folder. Browsers stay where
# `make browser` installed them.
if "TABWARDEN_TEST_DATA" not in os.environ:
    os.environ.setdefault(BROWSERS_PATH, str(browsers_folder()))
    folder = tempfile.TemporaryDirectory(prefix="tw-data-", ignore_cleanup_errors=True)
    os.environ["TABWARDEN_TEST_DATA"] = os.environ["XDG_DATA_HOME"] = folder.name

# Ray reads this when it is imported. Without it, an actor that is started below `uv run` waits for
# an environment that Ray builds anew (`fleet/on_ray/secrets_folder.py` sets it for users).
os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")


# Python looks for garbage after each 700 new objects. In a process with a million objects, that was
# a quarter of the unit tests' time.
gc.set_threshold(20_000, 20, 50)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Coroutine tests run on asyncio, which Tabwarden's engine uses."""
    return "asyncio"


# A loaded machine takes longer for an example, which is no fault of the code. A checkout that may
# not be written keeps no examples, which Hypothesis would warn of.
settings.register_profile("no deadline", deadline=None)
if not os.access(Path(__file__).parents[1], os.W_OK):
    settings.register_profile("no deadline", deadline=None, database=None)
settings.load_profile("no deadline")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--stage", choices=["busy", "calm"], help="only tests of this stage")
    parser.addoption("--results-to", type=Path, help="write what passed and failed, as JSON")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Select this run's and this stage's cases."""
    stage = config.getoption("--stage")
    config.stash[PICKED] = picked = pick(items)
    kept = [
        item
        for item in picked
        if stage is None or (stage == "calm") is bool(item.get_closest_marker("calm"))
    ]
    left_out = set(items) - set(kept)
    if left_out:
        config.hook.pytest_deselected(items=list(left_out))
    items[:] = kept


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Stop the garbage collector during collection. It never examines the tests afterwards."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show a failure in a few lines, unless ``-vv`` or another ``--tb`` requests all of them."""
    report = yield
    traceback = getattr(report.longrepr, "reprtraceback", None)
    is_native = isinstance(traceback, ReprTracebackNative)
    if is_native and call.excinfo is not None and item.config.get_verbosity() < 2:
        report.longrepr.reprtraceback = ReprTracebackNative(brief(call.excinfo.value))
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Write the data for the caller's summary, and the names to run again."""
    path = terminalreporter.config.getoption("--results-to")
    if path is not None:
        passed = len(terminalreporter.getreports("passed"))
        skipped = [one.nodeid for one in terminalreporter.getreports("skipped")]
        reports = [one for how in ("failed", "error") for one in terminalreporter.getreports(how)]
        failed = list(dict.fromkeys(one.nodeid for one in reports))
        seconds: dict[str, float] = {}
        for reports in terminalreporter.stats.values():
            for one in reports:
                if isinstance(one, pytest.TestReport):
                    seconds[one.nodeid] = seconds.get(one.nodeid, 0) + one.duration
        found = {"passed": passed, "skipped": skipped, "failed": failed, "seconds": seconds}
        path.write_text(json.dumps(found), "utf-8")
