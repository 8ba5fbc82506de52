"""A launched browser's pipe that breaks, stalls or delivers garbage."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.faulty import FaultyPipe
from support.pace import in_time, long_before

from tabwarden.endpoints.launching import start
from tabwarden.errors import BrowserGone, BudgetExceeded, NotSupported, TabwardenError
from tabwarden.sync import Browser


@pytest.fixture
def pipe(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[FaultyPipe]:
    """The pipes of browsers launched from now on."""
    pipe = FaultyPipe(getattr(request, "param", 65_536))
    monkeypatch.setattr(start, "PipeWire", pipe)
    yield pipe
    pipe.join()


@pytest.mark.parametrize("pipe", [7], indirect=True)
def test_pipe_reassembles_messages_that_arrive_in_fragments(pipe: FaultyPipe) -> None:
    with Browser.launch() as browser:
        assert browser.evaluate("'x'.repeat(5000)").value == "x" * 5000


@pytest.mark.parametrize("after_bytes", [0, 1, 57])
def test_pipe_that_breaks_at_any_byte_raises_browser_gone(
    after_bytes: int, pipe: FaultyPipe
) -> None:
    with Browser.launch() as browser:
        pipe.cut(after_bytes)
        with long_before(20), pytest.raises(BrowserGone) as caught:
            browser.evaluate("1 + 1", timeout_ms=20_000)
        assert "pipe" in caught.value.data["reason"]
        assert browser.state.health.status == "gone"
        with pytest.raises(BrowserGone):
            browser.evaluate("1")


def test_malformed_reply_fails_only_its_own_call(pipe: FaultyPipe) -> None:
    with Browser.launch() as browser:
        pipe.garble(b'"value":21')
        with pytest.raises(NotSupported, match="malformed"):
            browser.evaluate("20 + 1")
        assert browser.evaluate("20 + 1").value == 21


def test_call_on_a_stalled_pipe_ends_at_its_budget(pipe: FaultyPipe) -> None:
    with Browser.launch() as browser:
        browser.evaluate("1")
        pipe.stall()
        with in_time(0.4), pytest.raises(BudgetExceeded):
            browser.evaluate("1", timeout_ms=400)
        pipe.flow()
        assert browser.evaluate("1 + 1").value == 2


def test_launch_reports_a_pipe_that_breaks_during_the_first_reply(pipe: FaultyPipe) -> None:
    pipe.cut(30)
    with pytest.raises(TabwardenError) as caught:
        Browser.launch(timeout_ms=20_000)
    assert caught.value.code == "launch_failed"
