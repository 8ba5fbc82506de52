"""A browser that cannot create contexts, or creates one too late: reported, without leftovers."""

from __future__ import annotations

import json
from typing import Any

import pytest
from mock.mock_browser import MockBrowser, Received, Refused

from tabwarden.errors import BudgetExceeded, NotSupported
from tabwarden.supervisor.contexts import OwnContext
from tabwarden.supervisor.runtime import SupervisorRegistry
from tabwarden.sync import Browser

CREATE, DISPOSE = "Target.createBrowserContext", "Target.disposeBrowserContext"


def refuse(command: Received) -> Any:
    raise Refused(f"'{command.method}' wasn't found")


def test_connect_error_without_context_support_suggests_the_next_step() -> None:
    with MockBrowser(answers={CREATE: refuse}) as mock:
        with pytest.raises(NotSupported, match="can't create a context") as caught:
            Browser.connect(mock.url, context="own")
        assert "browser.isolate: false" in caught.value.hint
        with Browser.connect(mock.url) as browser:
            assert browser.evaluate("1 + 1").value == 2


def test_context_created_after_the_budget_is_disposed() -> None:
    with MockBrowser(silent={CREATE}) as mock:
        with pytest.raises(BudgetExceeded):
            Browser.connect(mock.url, context="own", timeout_ms=2_000)
        late = {"id": mock.wait_for(CREATE).id, "result": {"browserContextId": "LATE-CONTEXT"}}
        mock.send(json.dumps(late))
        assert mock.wait_for(DISPOSE).params == {"browserContextId": "LATE-CONTEXT"}


def test_registry_keeps_one_supervisor_per_context() -> None:
    def answers(command: Received) -> Any:
        return {"browserContextId": "SOME-CONTEXT"}

    registry = SupervisorRegistry()
    with MockBrowser(answers={CREATE: answers}) as mock:
        shared = registry.get_or_start("task", mock.url)
        mock.pages[1].context = "SOME-CONTEXT"
        own = registry.get_or_start("task", mock.url, context=OwnContext())
        assert own is not shared
        assert registry.get_or_start("task", mock.url, context=OwnContext()) is own
        through = OwnContext(proxy_server="127.0.0.1:8080", proxy_bypass_list="<-loopback>")
        assert registry.get_or_start("task", mock.url, context=through) is not own
        assert mock.wait_for(CREATE, 2).params == {
            "disposeOnDetach": False,
            "proxyServer": "127.0.0.1:8080",
            "proxyBypassList": "<-loopback>",
        }
        registry.stop_all()
