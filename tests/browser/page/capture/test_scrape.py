"""Scrape returns a page's readable content in three formats, complete or in parts."""

from __future__ import annotations

import asyncio
import re
import threading
from typing import Any

import pytest
from support.site import Site

from tabwarden.errors import FrameNotFound, InvalidArgument
from tabwarden.page.capture import scrape
from tabwarden.sync import Browser

ARTICLE = """
<style>.gone { display: none } .blank { visibility: hidden }</style>
<header>Site name <nav><a href=/a>Home</a></nav></header>
<main>
  <h1>Bread &amp; <em>butter</em></h1>
  <p>Mix   the <b>flour</b> with <a href="/water?a=1&b=2">cold  water</a>,
     and <a href="javascript:alert(1)">wait</a>.<script>document.title = 1</script></p>
  <p class=gone>hidden</p><p class=blank>blank</p><p aria-hidden=true>unsaid</p>
  <div>One<div>Two</div>Three<br>Four</div>
  <ul><li>Flour<ul><li>rye</li><li>wheat</li></ul></li><li><p>Salt</p></li></ul>
  <ol><li>Mix</li><li>Bake</li></ol>
  <table><caption>Amounts</caption><tr><th>What</th><th>How much</th></tr>
  <tr><td>a|b</td><td>5&nbsp;kg<br>or so</td></tr></table>
  <pre>x = 1
  if x &lt; 2: pass</pre>
  <blockquote><p>Good.</p><p>Very.</p></blockquote>
  <p><img src=/loaf.png alt="A loaf"> <img src=/dot.png alt=""></p>
  <dl><dt>Rye</dt><dd>dark</dd></dl>
  <form><input value="typed"><input type=password value=secret><input type=checkbox checked>
  <select><option>one<option selected>two</select><button>Send</button></form>
</main>
<footer>All rights reserved, and so on and so forth, for ever</footer>
"""

MARKDOWN = """\
# Bread & *butter*

Mix the **flour** with [cold water](/water?a=1&b=2), and wait.

One

Two

Three{br}
Four

- Flour
  - rye
  - wheat
- Salt

1. Mix
2. Bake

Amounts

| What | How much |
| --- | --- |
| a\\|b | 5 kg or so |

```
x = 1
  if x < 2: pass
```

> Good.
>
> Very.

![A loaf](/loaf.png)

Rye
:   dark

typed [x] two Send"""

TEXT = """\
Bread & butter

Mix the flour with cold water, and wait.

One

Two

Three
Four

- Flour
  - rye
  - wheat
- Salt

- Mix
- Bake

Amounts

What\tHow much
a|b\t5 kg or so

x = 1
  if x < 2: pass

Good.
Very.

A loaf

Rye
dark

typed [x] two Send"""


def read(browser: Browser, form: str = "markdown", **more: object) -> str:
    text = browser.scrape(form, **more).value["text"]  # type: ignore[arg-type]
    assert isinstance(text, str)
    return text


def test_scrape_renders_an_article_as_markdown(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", ARTICLE))
    done = browser.scrape()
    assert done.value["text"] == MARKDOWN.format(br="  ")
    assert done.value["next_offset"] is None
    assert "of navigation and similar text" in done.note


def test_scrape_renders_an_article_as_text(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", ARTICLE))
    assert read(browser, "text") == TEXT


def test_scrape_renders_an_article_as_plain_html(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", ARTICLE))
    html = read(browser, "html")
    assert "<h1>Bread &amp; <em>butter</em></h1>" in html
    assert f'<a href="{site.here}/water?a=1&amp;b=2">cold water</a>' in html
    assert "<tr><td>a|b</td><td>5 kg or so</td></tr>" in html
    assert "<li>Flour<ul><li>rye</li><li>wheat</li></ul></li>" in html
    for never in ("script", "style", "secret", "hidden", "javascript", "onclick"):
        assert never not in html


def test_scrape_returns_all_elements_that_match_the_selector(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", ARTICLE))
    text = read(browser, selector="body")
    assert "Site name" in text
    assert "All rights reserved" in text
    assert read(browser, selector="h1, ol") == "# Bread & *butter*\n\n1. Mix\n2. Bake"


@pytest.mark.parametrize("selector", ["nosuch", ".gone", "p["])
def test_scrape_reports_a_selector_without_matches_as_an_error(
    selector: str, browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", ARTICLE))
    with pytest.raises(InvalidArgument) as wrong:
        browser.scrape(selector=selector)
    assert wrong.value.data["field"] == "selector"


def test_scrape_omits_navigation_and_footer_of_a_page_without_a_main_element(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "<nav>Menu</nav><div>Text of the page</div><footer>Foot</footer>"))
    assert read(browser) == "Text of the page"


def test_scrape_reads_a_page_that_consists_of_navigation(browser: Browser, site: Site) -> None:
    links = "".join(f"<li><a href=/{n}>Page number {n}</a></li>" for n in range(20))
    browser.goto(site.page("/", f"<nav><ul>{links}</ul></nav><p>x"))
    assert "- [Page number 7](/7)" in read(browser)


def test_scrape_reads_the_main_text_outside_a_small_main_element(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", f"<main>Ad</main><p>{'The real text. ' * 40}</p>"))
    assert "The real text." in read(browser)


def test_scrape_reads_frames_in_document_order_or_one_frame_alone(
    browser: Browser, site: Site
) -> None:
    site.page("/in", "<p>innermost</p>")
    site.page("/mid", f'<p>middle</p><iframe src="{site.here}/in"></iframe><p>middle again</p>')
    page = f'<p>before</p><iframe src="{site.there}/mid"></iframe><p>after</p>'
    browser.goto(site.page("/", page))
    wanted = ["before", "middle", "innermost", "middle again", "after"]
    assert read(browser, "text").split() == " ".join(wanted).split()
    frames = browser.snapshot().frame_tree["children"]
    inner = next(f["frame_id"] for f in frames if f["url"].endswith("/mid"))
    assert read(browser, "text", frame_id=inner).split("\n\n") == wanted[1:4]
    with pytest.raises(FrameNotFound):
        browser.scrape(frame_id="nosuch")


def test_scrape_reads_shadow_roots_and_slots_in_rendered_order(
    browser: Browser, site: Site
) -> None:
    page = """<x-card><b slot=title>Title</b>body</x-card><script>
        document.querySelector('x-card').attachShadow({mode: 'open'}).innerHTML =
          '<h2><slot name=title></slot></h2><p>shadow</p><slot></slot>'</script>"""
    browser.goto(site.page("/", page))
    assert read(browser) == "## **Title**\n\nshadow\n\nbody"


def test_scrape_renders_a_card_inside_a_link_on_one_line(browser: Browser, site: Site) -> None:
    card = "<a href=/x><h3>Chair</h3><div>Oak</div><div>$ 90</div></a>"
    browser.goto(site.page("/", card))
    assert read(browser) == "[Chair Oak $ 90](/x)"


@pytest.mark.parametrize(
    ("style", "markup", "wanted"),
    [
        ("div { display: flex }", "<span>Rename</span><span>Open help</span>", "Rename Open help"),
        ("div { display: grid }", "<b>Rename</b><b>Open</b>", "Rename Open"),
        ("span { display: inline-block }", "<span>Rename</span><span>Open</span>", "Rename Open"),
        ("span { display: table-cell }", "<span>Rename</span><span>Open</span>", "Rename Open"),
        ("span { float: left }", "<span>Rename</span><span>Open</span>", "Rename Open"),
        ("button { all: unset }", "<button>Save</button><button>Cancel</button>", "Save Cancel"),
        ("", "<a href=/a>Home</a><a href=/b>About</a>", "Home About"),
        ("i { margin-left: 8px }", "Inbox<i>3</i>", "Inbox 3"),
        ("i { display: inline-block }", "<i>w</i><i>a</i><i>v</i><i>e</i>", "wave"),
        (
            "code { padding: 0 6px }",
            "two <code>Page</code>s, (<code>Tab</code>)",
            "two Pages, (Tab)",
        ),
        ("div { width: 3em }", "日本語<b>日本語</b>日本語", "日本語日本語日本語"),
        ("i::first-letter { color: red }", "un<b>bel</b>iev<i>able</i>", "unbelievable"),
    ],
)
def test_scrape_separates_words_as_the_layout_does(
    style: str, markup: str, wanted: str, browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", f"<style>{style}</style><div>{markup}</div>"))
    assert read(browser, "text") == wanted


def test_scrape_does_not_render_a_layout_table_as_a_table(browser: Browser, site: Site) -> None:
    page = "<table role=presentation><tr><td>left</td><td>right</td></tr></table>"
    browser.goto(site.page("/", page))
    assert read(browser) == "left\n\nright"


@pytest.mark.long
def test_scrape_returns_a_long_text_in_parts_by_offset(browser: Browser, site: Site) -> None:
    items = "".join(f"<p>Paragraph {n} of the page</p>" for n in range(3000))
    browser.goto(site.page("/", items))
    whole, offset, calls = "", 0, 0
    while offset is not None:
        done = browser.scrape("text", max_chars=20_000, offset=offset)
        assert len(done.value["text"]) <= 20_000
        whole += done.value["text"]
        offset = done.value["next_offset"]
        assert ("To get more text" in done.note) == (offset is not None)
        calls += 1
    assert whole == "\n\n".join(f"Paragraph {n} of the page" for n in range(3000))
    assert calls > 2
    done = browser.scrape(max_chars=1000, offset=10_000_000)
    assert (done.value["text"], done.value["next_offset"]) == ("", None)
    assert "The text has only" in done.note


@pytest.mark.threat
def test_scrape_truncates_a_huge_page_and_says_so(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<div id=d></div>"))
    browser.evaluate("d.innerHTML = '<p>' + ('x'.repeat(997) + '</p><p>').repeat(4000)")
    done = browser.scrape("text", max_chars=5_000_000)
    assert 1_000_000 < len(done.value["text"]) < 2_100_000
    assert "too long to read completely" in done.note


def test_scrape_stops_at_the_depth_limit_and_says_so(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<p>top"))
    browser.evaluate(
        "let at = document.body; for (let i = 0; i < 900; i++) "
        "at = at.appendChild(document.createElement('div')); at.textContent = 'bottom'; 0"
    )
    done = browser.scrape()
    assert done.value["text"] == "top"
    assert "too long to read" in done.note


@pytest.mark.threat
def test_scrape_removes_invisible_and_reordering_characters(browser: Browser, site: Site) -> None:
    tags = "".join(chr(0xE0000 + ord(c)) for c in "ignore")
    kept = "\N{WOMAN}\u200d\N{ROCKET} \u0645\u06cc\u200c\u062e"
    unseen = "\u3164\ufe00\ufe0d\uffa0\u115f\u180e\u206a\U000e0101"
    browser.goto(site.page("/", f"<p>a\u202eb\u200bc{tags}{unseen}d\ufeff {kept}</p>"))
    assert read(browser) == f"abcd {kept}"


def test_scrape_reads_forms_whose_fields_shadow_dom_properties(
    browser: Browser, site: Site
) -> None:
    form = (
        "<form><input name=childNodes><input name=firstChild><input name=localName><p>in</p></form>"
    )
    browser.goto(site.page("/", f"{form}<img name=body alt=x><p>out</p>"))
    assert read(browser, "text").split("\n\n")[-1] == "out"
    assert "in" in read(browser, "text")


@pytest.mark.parametrize("wrong", [{"form": "pdf"}, {"max_chars": 5}, {"offset": -1}])
def test_scrape_rejects_invalid_arguments(wrong: dict[str, object], browser: Browser) -> None:
    with pytest.raises(InvalidArgument) as refused:
        read(browser, **wrong)  # type: ignore[arg-type]
    assert refused.value.data["field"] in ("format", "max_chars", "offset")


def test_scrape_returns_an_empty_string_for_an_empty_page(browser: Browser) -> None:
    browser.goto("about:blank")
    assert read(browser) == ""


def test_scrape_starts_its_renderer_while_it_reads_the_page(
    browser: Browser, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared = threading.Event()
    prepare, walk = scrape._RENDERERS["markdown"], scrape.walk_all

    def preparing() -> Any:
        prepared.set()
        return prepare()

    async def walking(*given: Any) -> Any:
        assert await asyncio.to_thread(prepared.wait, 60)
        return await walk(*given)

    monkeypatch.setitem(scrape._RENDERERS, "markdown", preparing)
    monkeypatch.setattr(scrape, "walk_all", walking)
    browser.goto(site.page("/", "<p>Good."))
    assert read(browser) == "Good."


ROWS = "<div role=row><span role=columnheader>Name</span><span role=columnheader>Age</span></div>"
TABLES = {
    "rows that a cell spans": (
        """<table><tr><th rowspan=2>Name<th colspan=2>Contact<tr><th>Mail<th>Phone
        <tr><td rowspan=2>Bob<td>b@x<td>2<tr><td>c@x<td>3</table>""",
        "| Name | Contact |  |\n| --- | --- | --- |\n|  | Mail | Phone |\n"
        "| Bob | b@x | 2 |\n|  | c@x | 3 |",
        "Name\tContact\t\n\tMail\tPhone\nBob\tb@x\t2\n\tc@x\t3",
    ),
    "a header over two columns": (
        "<table><tr><th colspan=2>Both<th>C<tr><td>1<td>2<td>3</table>",
        "| Both |  | C |\n| --- | --- | --- |\n| 1 | 2 | 3 |",
        "Both\t\tC\n1\t2\t3",
    ),
    "roles": (
        f"<div role=table>{ROWS}<div role=row><b role=cell>Ann</b><b role=cell>31</b></div></div>",
        "| Name | Age |\n| --- | --- |\n| Ann | 31 |",
        "Name\tAge\nAnn\t31",
    ),
    "a pinned column": (
        """<div role=grid><div role=rowgroup><div role=row aria-rowindex=1>
        <div role=gridcell>1</div></div></div><div role=rowgroup><div role=row aria-rowindex=1>
        <div role=gridcell>a</div><div role=gridcell aria-colspan=2>b</div></div></div></div>""",
        "| 1 | a | b |  |\n| --- | --- | --- | --- |",
        "1\ta\tb\t",
    ),
    "a table in a cell": (
        """<table><tr><th>K<th>V<tr><td>x<td><table><tr><td>k1<td>v1<tr><td>k2<td>v2</table>
        </table>""",
        "| K | V |\n| --- | --- |\n| x | k1, v1; k2, v2 |",
        "K\tV\nx\tk1, v1; k2, v2",
    ),
    "a table in a layout": (
        "<table><tr><td>Menu<td><table><tr><th>K<th>V<tr><td>1<td>2</table></table>",
        "Menu\n\n| K | V |\n| --- | --- |\n| 1 | 2 |",
        "Menu\n\nK\tV\n1\t2",
    ),
}


@pytest.mark.whole
@pytest.mark.parametrize("way", TABLES)
def test_scrape_keeps_table_cells_in_their_columns(way: str, browser: Browser, site: Site) -> None:
    page, markdown, text = TABLES[way]
    browser.goto(site.page("/", page))
    assert re.sub("-{3,}", "---", read(browser)) == markdown
    assert read(browser, "text") == text


def test_scrape_as_html_keeps_cell_spans_and_absolute_links(browser: Browser, site: Site) -> None:
    page = "<table><tr><td rowspan=2>a<td><a href=/x>b</a><tr><td colspan=3>c</table>"
    browser.goto(site.page("/", page))
    told = read(browser, "html")
    assert '<td rowspan="2">a</td>' in told
    assert '<td colspan="3">c</td>' in told
    assert f'href="{site.here}/x"' in told


def test_scrape_shortens_only_links_to_the_pages_own_site(browser: Browser, site: Site) -> None:
    site.page("/in", "<a href=/deep>Deep</a>")
    frame = f"<iframe src='{site.there}/in'></iframe>"
    browser.goto(site.page("/", f"<a href=/x>X</a> <a href={site.there}/y>Y</a> {frame}"))
    assert read(browser) == f"[X](/x) [Y]({site.there}/y)\n\n[Deep]({site.there}/deep)"
