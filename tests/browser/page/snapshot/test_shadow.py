"""Open and closed shadow trees in snapshots, and actions on their elements."""

from __future__ import annotations

import pytest
from support.accname.judge import ask
from support.reading import ref_of
from support.site import Site

from tabwarden.sync import Browser

ATTACH = """<script>function closed(host, html) {
  const root = host.attachShadow({ mode: 'closed' }); root.innerHTML = html; return root }
</script>"""


@pytest.mark.parametrize(
    "page",
    [
        "<x-buy id=h></x-buy><script>closed(h, INNER)</script>",
        "<div id=h></div><script>closed(h, INNER)</script>",
        "<div id=h><p>not slotted</p></div><script>closed(h, INNER)</script>",
        "<x-buy id=h><p>slotted</p></x-buy><script>closed(h, '<slot></slot>' + INNER)</script>",
        "<div><template shadowrootmode=closed>INNER</template></div>",
        """<div id=h></div><script>const outer = closed(h, '<section></section>');
        closed(outer.firstChild, INNER)</script>""",
        """<div id=h></div><script>h.attachShadow({ mode: 'open' }).innerHTML = '<p></p>';
        closed(h.shadowRoot.firstChild, INNER)</script>""",
        """<script>customElements.define('x-buy', class extends HTMLElement {
        connectedCallback() { closed(this, INNER) } })</script><x-buy></x-buy>""",
    ],
)
def test_snapshot_click_and_type_reach_into_a_closed_shadow_tree(
    page: str, browser: Browser, site: Site
) -> None:
    inner = '<button onclick="window.bought = 1">Buy</button><label>Mail <input></label>'
    quoted = f"`{inner}`" if "template" not in page else inner
    browser.goto(site.page("/", ATTACH + page.replace("INNER", quoted)))
    snapshot = browser.snapshot()
    assert "not slotted" not in snapshot.text
    browser.type("a@b.c", ref_of(snapshot, 'textbox "Mail"'))
    browser.click(ref_of(snapshot, 'button "Buy"'))
    assert browser.evaluate("bought").value == 1
    assert 'value="a@b.c"' in browser.snapshot().text
    assert browser.snapshot().refs.keys() == snapshot.refs.keys()


@pytest.mark.parametrize(
    "page",
    [
        "<x-buy id=h></x-buy><script>closed(h, INNER)</script>",
        "<div id=h></div><script>closed(h, INNER)</script>",
        "<div id=h><p>not slotted</p></div><script>closed(h, INNER)</script>",
        """<div id=h></div><script>const outer = closed(h, '<section></section>');
        closed(outer.firstChild, INNER)</script>""",
    ],
)
def test_find_and_click_by_selector_reach_into_a_closed_shadow_tree(
    page: str, browser: Browser, site: Site
) -> None:
    inner = "`<button onclick='window.bought = 1'>Buy</button><label>Mail <input></label>`"
    browser.goto(site.page("/", ATTACH + page.replace("INNER", inner)))
    assert [one["role"] for one in browser.find("Mail").value["found"]] == ["generic", "textbox"]
    (buy,) = browser.find(role="button").value["found"]
    assert browser.find(css="button").value["found"] == [buy]
    browser.click("css=button")
    assert browser.evaluate("bought").value == 1
    assert f"[ref={buy['ref']}]" in browser.snapshot().text


def test_click_hits_a_button_with_slotted_text_in_a_closed_shadow_tree(
    browser: Browser, site: Site
) -> None:
    page = """<x-tab id=h><b>Open</b></x-tab><script>closed(h,
    `<button onclick="window.opened = 1"><slot></slot></button>`)</script>"""
    browser.goto(site.page("/", ATTACH + page))
    browser.click(ref_of(browser.snapshot(), 'button "Open"'))
    assert browser.evaluate("opened").value == 1


@pytest.mark.parametrize("mode", ["open", "closed"])
def test_slotted_text_labels_its_button_and_does_not_cover_it(
    mode: str, browser: Browser, site: Site
) -> None:
    page = f"""<x-buy id=h>Real</x-buy><script>
    h.attachShadow({{ mode: '{mode}' }}).innerHTML = `<button style="border:0;padding:0"
      onclick="window.bought = 1"><slot>Fallback</slot></button>`</script>"""
    browser.goto(site.page("/", page))
    snapshot = browser.snapshot()
    assert "obscured" not in snapshot.text
    browser.click(ref_of(snapshot, 'button "Real"'))
    assert browser.evaluate("bought").value == 1


def test_snapshot_reads_a_shadow_tree_attached_later(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", f"{ATTACH}<x-late id=h></x-late><p>Rest</p>"))
    assert "Buy" not in browser.snapshot().text
    browser.evaluate("void closed(h, '<button>Buy</button>')")
    assert 'button "Buy"' in browser.snapshot().text


@pytest.mark.long
def test_walker_checks_each_element_for_a_closed_shadow_root_only_once(
    browser: Browser, site: Site
) -> None:
    page = "<x-a>text</x-a>" * 40 + "<div style='width:9px;height:9px'></div>" * 40
    browser.goto(site.page("/", f"{page}<p>text</p><div><b>text</b></div>"))
    assert ask(browser, "[1, 2].map(suspected)") == [80, 0]


def test_snapshot_resolves_aria_references_and_labels_in_a_closed_shadow_tree(
    browser: Browser, site: Site
) -> None:
    page = """<x-form id=h></x-form><script>closed(h, `<label for=f>First</label><input id=f>
    <span id=l>Second</span><input aria-labelledby=l>`)</script>"""
    browser.goto(site.page("/", ATTACH + page))
    names = {ref["name"] for ref in browser.snapshot().refs.values()}
    assert names == {"First", "Second"}


SHOWN = "<dialog aria-label={0}><button>In {0}</button><slot></slot></dialog>"

MODALS = {
    "open": """<x-ask id=h></x-ask><script>
        h.attachShadow({ mode: 'open' }).innerHTML = `INNER`; show(h.shadowRoot)</script>""",
    "closed": "<x-ask id=h></x-ask><script>show(closed(h, `INNER`))</script>",
    "nested": """<x-page id=h></x-page><script>
        const outer = h.attachShadow({ mode: 'open' });
        outer.innerHTML = '<button>Beside</button><x-ask></x-ask>';
        const inner = outer.lastChild.attachShadow({ mode: 'open' });
        inner.innerHTML = `INNER`; show(inner)</script>""",
    "its content slotted": """<x-ask id=h><a href=/slotted>Slotted</a></x-ask><script>
        h.attachShadow({ mode: 'open' }).innerHTML = `INNER`; show(h.shadowRoot)</script>""",
    "over one of the document": """<dialog id=d><button>Below</button></dialog><x-ask id=h></x-ask>
        <script>h.attachShadow({ mode: 'open' }).innerHTML = `INNER`;
        d.showModal(); show(h.shadowRoot)</script>""",
    "in one of the document": """<dialog id=d><button>Around</button><x-ask id=h></x-ask></dialog>
        <script>h.attachShadow({ mode: 'open' }).innerHTML = `INNER`;
        d.showModal(); show(h.shadowRoot)</script>""",
}


@pytest.mark.parametrize("how", MODALS)
def test_snapshot_shows_only_a_modal_dialog_in_a_shadow_tree(
    how: str, browser: Browser, site: Site
) -> None:
    inner = SHOWN.format("Ask")
    show = (
        "<script>const show = (root) => (shown = root.querySelector('dialog')).showModal()</script>"
    )
    page = MODALS[how].replace("INNER", inner)
    browser.goto(site.page("/", f"<button>Behind</button>{ATTACH}{show}{page}"))
    first = browser.snapshot()
    assert [one["name"] for one in first.refs.values() if one["role"] == "button"] == ["In Ask"]
    assert ("Slotted" in first.text) == ("Slotted" in page)
    again = browser.snapshot().text.splitlines()[2:-1]
    assert [line.partition(" more=")[0] for line in again] == [
        line.partition(" more=")[0] for line in first.text.splitlines()[2:-1]
    ]
    browser.evaluate("shown.close()")
    behind = {"over one of the document": "Below", "in one of the document": "Around"}
    assert f'button "{behind.get(how, "Behind")}"' in browser.snapshot(full=True).text


def test_snapshot_shows_the_topmost_of_two_modal_dialogs(browser: Browser, site: Site) -> None:
    page = f"""<x-ask id=h></x-ask><dialog id=d><button>Last</button></dialog><script>
    h.attachShadow({{ mode: 'open' }}).innerHTML = `{SHOWN.format("Ask")}`;
    h.shadowRoot.querySelector('dialog').showModal()</script>"""
    browser.goto(site.page("/", page))
    assert 'button "In Ask"' in browser.snapshot().text
    browser.evaluate("d.showModal()")
    assert "In Ask" not in browser.snapshot().text
    browser.evaluate("d.close()")
    assert 'button "In Ask"' in browser.snapshot(full=True).text
