"""Which arguments and results of calls are secret."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tabwarden.journal import SECRET, Journal
from tabwarden.page import ActionResult

HIDDEN: list[tuple[str, dict[str, Any]]] = [
    ("type", {"text": "topsecret"}),
    ("press", {"key": "t"}),
    ("fill_form", {"fields": [{"ref": "e1", "value": "topsecret"}]}),
    ("auth", {"username": "ann", "password": "topsecret"}),
    ("scrape", {"download": "dl-1", "password": "topsecret"}),
    ("cookies", {"mode": "set", "name": "sid", "value": "topsecret"}),
    ("storage", {"mode": "set", "key": "k", "value": "topsecret"}),
    ("clipboard", {"text": "topsecret"}),
    ("emulate", {"headers": {"X-Key": "topsecret"}}),
    ("route", {"headers": {"X-Own": "topsecret"}, "url": "**"}),
    ("route", {"headers": {"Set-Cookie": "topsecret"}, "body": "b"}),
    ("drop", {"data": {"text/plain": "topsecret"}}),
    ("load_storage_state", {"state": {"cookies": [{"value": "topsecret"}]}}),
    ("evaluate", {"script": "document.cookie = 'sid=topsecret'", "args": ["topsecret"]}),
    ("cdp", {"method": "Network.setExtraHTTPHeaders", "params": {"headers": {"a": "topsecret"}}}),
    ("batch", {"steps": [{"action": "type", "text": "topsecret"}]}),
    ("goto", {"url": "https://ann:topsecret@example.com/?token=topsecret"}),
    ("evaluate", {"script": "fetch('/', {headers: {'Authorization': 'Bearer topsecret'}})"}),
]


@pytest.mark.parametrize(("action", "arguments"), HIDDEN, ids=lambda given: str(given)[:30])
def test_journal_redacts_secret_arguments(action: str, arguments: dict[str, Any]) -> None:
    journal = Journal()
    with journal.call(action, arguments) as entry:
        assert "topsecret" not in str(entry.redacted_arguments())
    assert "topsecret" not in str(entry.redacted_arguments())
    if action == "press":
        assert entry.redacted_arguments()["key"] == SECRET


def test_journal_does_not_redact_ordinary_headers_of_a_mocked_response() -> None:
    journal = Journal()
    headers = {"Content-Type": "text/plain", "X-Api-Key": "topsecret"}
    with journal.call("route", {"body": "b", "headers": headers}) as entry:
        pass
    told = entry.redacted_arguments()["headers"]
    assert told == {"Content-Type": "text/plain", "X-Api-Key": SECRET}
    with journal.call("find", {"text": "text/plain"}) as entry:
        pass
    assert entry.redacted_arguments() == {"text": "text/plain"}


RESULTS: list[tuple[str, dict[str, Any], Any]] = [
    ("cookies", {}, [{"name": "sid", "value": "topsecret"}]),
    ("storage", {}, {"items": [{"name": "k", "value": "topsecret"}]}),
    ("clipboard", {}, {"text": "topsecret"}),
    ("evaluate", {"script": "localStorage.k"}, "topsecret"),
    ("network", {"request_id": "r-1"}, {"id": "r-1", "body": "topsecret"}),
    ("evaluate", {"script": "x"}, "Authorization: Bearer topsecret"),
    ("batch", {}, {"steps": [{"result": "topsecret"}]}),
]


@pytest.mark.parametrize(("action", "arguments", "value"), RESULTS)
def test_journal_redacts_secret_results(action: str, arguments: dict[str, Any], value: Any) -> None:
    journal = Journal()
    with journal.call(action, arguments) as entry:
        entry.result = ActionResult(action=action, value=value)
    assert "topsecret" not in str(entry.redacted_result())


def test_journal_masks_a_known_secret_in_later_results() -> None:
    journal = Journal()
    with journal.call("auth", {"password": 'a"b c&d'}):
        pass
    with journal.call("evaluate", {"script": "x"}) as entry:
        entry.result = ['seen a"b c&d', "a%22b%20c%26d", {'a\\"b c&d': 1}]
    assert entry.redacted_result() == [f"seen {SECRET}", SECRET, {SECRET: 1}]


def test_journal_replaces_configured_secrets_with_their_names() -> None:
    journal = Journal()
    journal.guarded.configure({"hunter2x": "(secret SHOP_PASSWORD)", "4111-1111": "(secret)"})
    with journal.call("find", {"text": "hunter2x 4111-1111"}) as entry:
        pass
    assert entry.redacted_arguments() == {"text": "(secret SHOP_PASSWORD) (secret)"}


def test_journal_shortens_large_results_and_keeps_small_ones() -> None:
    journal = Journal()
    small = ActionResult(action="evaluate", value={"a": [1, 2]})
    with journal.call("evaluate", {}) as entry:
        entry.result = small
    assert entry.result is small
    for large in ("x" * 100_000, list(range(100_000)), {"a": [["y" * 50_000]]}):
        with journal.call("evaluate", {}) as entry:
            entry.result = ActionResult(action="evaluate", value=large)
        assert len(str(entry.redacted_result())) < 25_000


def test_journal_accepts_arguments_that_are_not_plain_data() -> None:
    class Checked(msgspec.Struct):
        parameters: type

    journal = Journal()
    with journal.call("batch", {"steps": [(Checked(int), {"text": "topsecret"})]}) as entry:
        entry.result = 1
    assert "topsecret" not in str(entry.redacted_arguments())
    assert entry.redacted_result() is None
