"""The clipboard is read and written without page events."""

from __future__ import annotations

import pytest
from support.site import Site
from support.telling import hang

from tabwarden.errors import InvalidArgument
from tabwarden.sync import Browser

LISTENS = """<input><script>
window.heard = [];
for (const kind of ['copy', 'paste', 'cut', 'blur', 'visibilitychange'])
  addEventListener(kind, () => heard.push(kind), true);
</script>"""
STATES = """Promise.all(['clipboard-read', 'clipboard-write'].map((name) =>
  navigator.permissions.query({name}).then((it) => it.state)))"""


def test_clipboard_writes_and_reads_text_without_page_events(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", LISTENS))
    before = browser.evaluate(STATES).value
    tabs = len(browser.state.tabs)
    text = 'zwölf "\\" </script>\n\t🦊'
    assert browser.clipboard("write", text).value == {"written": True, "chars": len(text)}
    assert browser.clipboard().value == {"text": text, "chars": len(text), "truncated": False}
    assert browser.evaluate("heard").value == []
    assert browser.evaluate(STATES).value == before
    assert len(browser.state.tabs) == tabs
    assert browser.snapshot().text


def test_clipboard_shares_its_text_with_copy_and_paste_in_pages(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "<input aria-label=Field>"))
    browser.clipboard("write", "pasted")
    browser.click(browser.snapshot().ref("Field"))
    browser.press("Ctrl+V")
    assert browser.evaluate("document.querySelector('input').value").value == "pasted"
    browser.type("copied", browser.snapshot().ref("Field"), clear=True)
    browser.press("Ctrl+A")
    browser.press("Ctrl+C")
    assert browser.clipboard().value["text"] == "copied"


@pytest.mark.long
def test_clipboard_handles_empty_text_and_truncates_long_text(browser: Browser) -> None:
    browser.clipboard("write", "")
    assert browser.clipboard().value["text"] == ""
    browser.clipboard("write", "x" * 200_000)
    read = browser.clipboard().value
    assert (len(read["text"]), read["chars"], read["truncated"]) == (100_000, 200_000, True)


def test_clipboard_works_behind_a_dialog_and_on_a_hung_page(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<button onclick=\"alert('wait')\">Ask</button>"))
    assert browser.click(browser.snapshot().ref("Ask")).interrupted
    browser.clipboard("write", "behind")
    browser.dialog("accept")
    hang(browser, site)
    assert browser.clipboard().value["text"] == "behind"


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (("read", "a"), "text"),
        (("write",), "text"),
        (("write", "x" * 1_000_001), "text"),
        (("cut",), "mode"),
    ],
)
def test_clipboard_rejects_invalid_arguments(
    browser: Browser, arguments: tuple[str, ...], field: str
) -> None:
    with pytest.raises(InvalidArgument) as caught:
        browser.clipboard(*arguments)  # type: ignore[arg-type]
    assert caught.value.data["field"] == field
