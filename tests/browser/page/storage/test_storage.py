"""Web storage is read and changed without interference from page scripts."""

from __future__ import annotations

from typing import Any

import pytest
from support.site import Site

from tabwarden.errors import InvalidArgument, NotSupported
from tabwarden.sync import Browser


def items(browser: Browser, **where: Any) -> dict[str, str]:
    found = browser.storage(values=True, **where).value["items"]
    return {item["name"]: item["value"] for item in found}


def test_storage_sets_reads_deletes_and_clears_items(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "page"))
    assert browser.storage("set", key="token", value="s3cret").value["origin"] == site.here
    browser.storage("set", area="session", key="step", value="2")
    assert browser.evaluate("[localStorage.token, sessionStorage.step]").value == ["s3cret", "2"]
    listed = browser.storage()
    assert listed.value["items"] == [{"name": "token", "chars": 6}]
    assert "s3cret" not in repr(listed)
    assert browser.storage(key="token").value["items"][0]["value"] == "s3cret"
    assert browser.storage(key="none").value["items"] == []
    assert items(browser, area="session") == {"step": "2"}
    assert browser.storage("delete", key="none").value["deleted"] == 0
    assert browser.storage("delete", key="token").value["deleted"] == 1
    browser.storage("set", key="a", value="1")
    assert browser.storage("clear").value["deleted"] == 1
    assert browser.evaluate("localStorage.length").value == 0


def test_storage_handles_unusual_keys_on_a_page_that_overrides_storage(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "<script>Storage.prototype.getItem = () => 'lie'</script>"))
    odd = {"getItem": "1", "length": "2", "__proto__": "3", "": "4", "clear": "5", "k\u0000": "6"}
    for key, value in odd.items():
        browser.storage("set", key=key, value=value)
    assert items(browser) == odd
    assert browser.storage("clear").value["deleted"] == len(odd)


def test_storage_of_a_cross_site_frame_is_separate(browser: Browser, site: Site) -> None:
    site.page("/inner", "<script>localStorage.who = 'inner'</script>")
    browser.goto(site.page("/", f"<iframe src={site.there}/inner></iframe>"))
    (inner,) = browser.state.frame_tree.children
    browser.wait(load_state="load")
    assert items(browser, frame_id=inner.frame_id) == {"who": "inner"}
    assert browser.storage(frame_id=inner.frame_id).value["origin"] == site.there
    assert "who" not in items(browser)


@pytest.mark.parametrize("area", ["local", "session"])
def test_storage_action_fails_on_a_document_without_storage(browser: Browser, area: Any) -> None:
    browser.goto("data:text/html,page")
    with pytest.raises(NotSupported, match="SecurityError"):
        browser.storage(area=area)


@pytest.mark.long
def test_storage_action_fails_when_the_storage_is_full(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "page"))
    with pytest.raises(NotSupported, match="full"):
        browser.storage("set", key="a", value="x" * 6_000_000)
    assert items(browser) == {}


def test_storage_reads_items_behind_a_dialog(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<button onclick=\"alert('wait')\">Ask</button>"))
    browser.storage("set", key="a", value="1")
    assert browser.click(browser.snapshot().ref("Ask")).interrupted
    if browser.state.pending_dialogs[0].channel == "debugger":
        assert items(browser) == {"a": "1"}
    browser.dialog("accept")
    browser.storage("clear")


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"mode": "set", "value": "1"}, "key"),
        ({"mode": "set", "key": "a"}, "value"),
        ({"mode": "delete"}, "key"),
        ({"mode": "get", "value": "1"}, "value"),
        ({"mode": "clear", "key": "a"}, "key"),
        ({"mode": "set", "key": "a", "value": 1}, "value"),
        ({"mode": "drop"}, "mode"),
        ({"area": "indexed"}, "area"),
    ],
)
def test_storage_rejects_invalid_arguments(
    browser: Browser, arguments: dict[str, Any], field: str
) -> None:
    with pytest.raises(InvalidArgument) as caught:
        browser.storage(**arguments)
    assert caught.value.data["field"] == field
