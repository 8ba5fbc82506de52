"""Comboboxes that render only the visible options, beside a hidden list box."""

from __future__ import annotations

import pytest
from support.pace import allow
from support.reading import ref_of
from support.site import Site

from tabwarden.errors import InvalidArgument, Obscured
from tabwarden.page.input import select
from tabwarden.page.input.pointing.mouse import click
from tabwarden.page.task import Call
from tabwarden.protocol import runtime
from tabwarden.sync import Browser

# Like rc-select (Ant Design): the selected text covers the field, the list box has no size.
WIDGET = """<label for=f>Fruit</label>
<span id=wrap style="position:relative;display:inline-block;margin-left:200px"><input id=f readonly
 role=combobox aria-haspopup=listbox aria-controls=l aria-owns=l aria-expanded=false
 style="opacity:0"><span id=item style="position:absolute;inset:0"></span></span>
<div id=pop hidden style="width:200px;border:1px solid">
 <div id=l role=listbox style="width:0;height:0;overflow:hidden"></div>
 <div id=view style="height:100px;overflow:hidden"><div style="height:2000px;position:relative">
 <div id=rows style="position:absolute"></div></div></div></div><script>{
  let at = 0; window.picked = [];
  const show = (open) => { pop.hidden = !open; f.ariaExpanded = open };
  const option = (n, how) =>
    `<div ${how} aria-selected=${n === at} title="Fruit ${n}" style="height:20px">f${n}</div>`;
  const draw = () => {
    const first = Math.floor(view.scrollTop / 20);
    rows.style.top = `${first * 20}px`;
    rows.innerHTML = Array.from({ length: 6 }, (_, n) => option(first + n, `data-n=${first + n}`))
      .join('').replace(/>f(\\d)/g, '>Fruit $1');
    l.innerHTML = option(at, `role=option aria-label="Fruit ${at}"`);
  };
  view.onscroll = window.draw = draw;
  rows.onclick = (e) => {
    at = Number(e.target.dataset.n); picked.push([at, e.isTrusted]);
    item.textContent = `Fruit ${at}`; show(false); draw();
  };
  wrap.onmousedown = (e) => { e.preventDefault(); f.focus(); show(pop.hidden) };
  f.onkeydown = (e) => { if (e.key === 'Escape') show(false) };
  draw();
}</script>"""


@pytest.fixture
def widget(browser: Browser, site: Site) -> str:
    browser.goto(site.page("/", WIDGET))
    return ref_of(browser.snapshot(), 'combobox "Fruit"')


def test_select_clicks_the_visible_option_that_mirrors_a_hidden_list_box(
    widget: str, browser: Browser
) -> None:
    done = browser.select(widget, labels="Fruit 3")
    assert (done.value, done.note) == ({"selected": ["Fruit 3"]}, "")
    assert browser.evaluate("picked").value == [[3, True]]


def test_select_scrolls_to_an_option_that_is_not_rendered_yet(
    widget: str, browser: Browser
) -> None:
    for label in ("Fruit 50", "Fruit 2"):
        assert browser.select(widget, labels=label).value == {"selected": [label]}
    assert browser.evaluate("picked").value == [[50, True], [2, True]]


def test_select_finds_an_option_that_rerenders_before_the_click(
    widget: str, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    clicks = []

    async def clicked(call: Call, *, ref: str) -> None:
        clicks.append(ref)
        if len(clicks) == 2:  # the first opens it
            await call.race.call(runtime.Evaluate(expression="draw()"), call.tab.session_id)
        await click(call, ref=ref)

    monkeypatch.setattr(select, "click", clicked)
    assert browser.select(widget, labels="Fruit 3").value == {"selected": ["Fruit 3"]}
    assert browser.evaluate("picked").value == [[3, True]]
    assert len(clicks) == 3


@pytest.mark.long
def test_select_suggests_the_nearest_option_when_none_matches(
    widget: str, browser: Browser
) -> None:
    with pytest.raises(InvalidArgument, match="no option") as caught:
        browser.select(widget, labels="Fruit 77b")
    assert caught.value.data["options"][0] == "Fruit 77"
    assert browser.evaluate("[picked, f.ariaExpanded]").value == [[], "false"]


def test_selected_text_drawn_over_a_combobox_does_not_block_click(
    widget: str, browser: Browser
) -> None:
    browser.select(widget, labels="Fruit 3")
    assert "obscured" not in browser.snapshot().text
    browser.click(widget)
    assert browser.evaluate("f.ariaExpanded").value == "true"


@pytest.mark.long
def test_another_control_that_covers_a_combobox_blocks_click(widget: str, browser: Browser) -> None:
    over = "item.innerHTML = '<button style=width:100%>Clear</button>'"
    browser.evaluate(f"{over}; document.querySelector('label').remove()")
    with pytest.raises(Obscured):
        browser.click(widget, timeout_ms=allow(3_000))


@pytest.mark.long
def test_full_page_overlay_over_a_combobox_blocks_click(browser: Browser, site: Site) -> None:
    page = """<input role=combobox aria-label=Fruit>
    <div id=over style="position:fixed;inset:0"></div>
    <script>over.addEventListener('click', () => { document.title = 'taken' })</script>"""
    browser.goto(site.page("/", page, title="Here"))
    ref = browser.snapshot().ref("Fruit")
    with pytest.raises(Obscured):
        browser.click(ref, timeout_ms=allow(3_000))
    assert browser.evaluate("document.title").value == "Here"


@pytest.mark.long
def test_select_error_lists_the_options_shown_before_it_typed_into_the_combobox(
    browser: Browser, site: Site
) -> None:
    page = """<input id=f role=combobox aria-label=Fruit aria-controls=l aria-expanded=true>
    <div id=l role=listbox><div role=option>Plum</div><div role=option>Pear</div></div><script>
    f.oninput = () => {
      for (const one of l.children) one.hidden = !one.textContent.includes(f.value);
    }</script>"""
    browser.goto(site.page("/", page))
    with pytest.raises(InvalidArgument, match="no option") as caught:
        browser.select(browser.snapshot().ref("Fruit"), labels="Apple")
    assert sorted(caught.value.data["options"]) == ["Pear", "Plum"]
    assert "'Apple' was typed into the field" in caught.value.hint
