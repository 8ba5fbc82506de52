# ruff: noqa: E501 - pages
"""Waiting until a page is ready to be read."""

from __future__ import annotations

import pytest
from support.pace import allow
from support.reading import ref_of
from support.site import Site

from tabwarden.sync import Browser

APP = """<div id=root></div><script src=/app.js></script><script>
setTimeout(() => { root.innerHTML = '<h1>Drawn</h1>' }, 600);
setTimeout(() => { root.innerHTML += '<button>Go</button>' }, 700);</script>"""
SPINS = "<style>@keyframes spin { to { rotate: 360deg } }</style><div class=spinner style='width:9px;height:9px;animation:spin 1s infinite'></div>"
LISTS = """<label>Query <input oninput="count.textContent = value.length; setTimeout(() => fruit.hidden = false, 300)"></label>
<p id=count>0</p><ul id=fruit hidden><li>Apple</ul>
<button onmouseover="setTimeout(() => below.innerHTML = '<button>Sub</button>', 300)">Menu</button>
<button onclick="setTimeout(() => below.innerHTML = '<p>Saved</p>', 100)">Save</button>
<button onclick="below.innerHTML = '<p aria-busy=true>Counting</p>'">Count</button><div id=below></div>"""


@pytest.fixture
def app(site: Site) -> str:
    site.pages["/app.js"] = "0"
    return site.page("/app", APP)


def test_goto_and_reload_wait_until_a_single_page_application_renders(
    browser: Browser, app: str
) -> None:
    for done in (browser.goto(app), browser.reload()):
        assert not done.note
        assert browser.evaluate("root.innerText").value.split() == ["Drawn", "Go"]


# Like Streamlit: a skip link and a toolbar, an empty main part, placeholders, the content.
FRAME = """<a href=#m>Skip to main content</a> <button>Deploy</button> <button>Menu</button><main id=m></main>
<script src=/app.js></script><script>
setTimeout(() => { m.innerHTML = '<p><i class=skeleton-x style="display:block;width:9px;height:9px"></i>'.repeat(4) + 'Fruit' }, 400);
setTimeout(() => { m.innerHTML = '<button>Go</button>' }, 900);
const until = performance.now() + 300; while (performance.now() < until);</script>"""


def test_goto_waits_while_the_main_content_is_empty_or_shows_placeholders(
    browser: Browser, site: Site
) -> None:
    site.pages["/app.js"] = "0"
    assert not browser.goto(site.page("/", FRAME)).note
    assert browser.evaluate("m.innerText").value == "Go"


def test_click_that_navigates_waits_until_the_new_application_renders(
    browser: Browser, site: Site, app: str
) -> None:
    browser.goto(site.page("/", f"<a href='{app}'>App</a>"))
    shown = browser.click(ref_of(browser.snapshot(), '"App"'), snapshot="full").snapshot
    assert shown is not None
    assert '"Go"' in shown.text


def test_first_snapshot_waits_until_a_single_page_application_renders(
    browser: Browser, app: str
) -> None:
    browser.goto(app, wait_until="commit")
    assert '"Go"' in browser.snapshot().text


@pytest.mark.long
def test_goto_reports_a_page_with_an_endless_spinner_as_still_changing(
    browser: Browser, site: Site
) -> None:
    done = browser.goto(site.page("/", SPINS + "<script>1</script>"), timeout_ms=allow(2_000))
    assert done.note == "The page is still changing."


@pytest.mark.parametrize(
    ("act", "name", "wanted"),
    [("type", "Query", "Apple"), ("hover", "Menu", "Sub"), ("click", "Save", "Saved")],
)
def test_diff_includes_changes_that_happen_shortly_after_the_action(
    browser: Browser, site: Site, act: str, name: str, wanted: str
) -> None:
    browser.goto(site.page("/", LISTS))
    ref = ref_of(browser.snapshot(), f'"{name}"')
    given = ("a", ref) if act == "type" else (ref,)
    done = getattr(browser, act)(*given, snapshot="diff")
    assert f'"{wanted}"' in done.snapshot.text
    assert "still changing" not in done.note


@pytest.mark.parametrize(
    "sign", ["<p aria-busy=true>Counting</p>", "<img alt=Running... width=9 height=9>"]
)
def test_diff_of_a_busy_page_says_that_the_page_is_still_changing(
    browser: Browser, site: Site, sign: str
) -> None:
    browser.goto(site.page("/", LISTS.replace("<p aria-busy=true>Counting</p>", sign)))
    done = browser.click(ref_of(browser.snapshot(), '"Count"'), snapshot="diff")
    assert done.note == "The page is still changing."


def test_evaluate_and_snapshot_survive_a_hanging_innertext_getter(
    browser: Browser, site: Site
) -> None:
    getter = "Object.defineProperty(HTMLElement.prototype, 'innerText', {get() { for (;;) {} }})"
    browser.goto(site.page("/", f"<p>Hello</p><script>{getter}</script>"))
    assert browser.evaluate("1 + 1", timeout_ms=allow(1_000)).value == 2
    assert "Hello" in browser.snapshot().text
