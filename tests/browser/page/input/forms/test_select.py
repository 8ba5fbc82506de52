"""Choosing options: in native selects, and in widgets by clicks."""

from __future__ import annotations

import pytest
from support.pace import allow
from support.reading import ref_of
from support.site import Site

from tabwarden.errors import InvalidArgument, NotInteractable, Obscured
from tabwarden.sync import Browser

SIZES = """<select aria-label=Size id=size><option value=s>Small<option value=m>Medium
<option value=l>Large<option value=x disabled>Extra  large</select><script>
window.seen = [];
for (const kind of ['input', 'change'])
  addEventListener(kind, (e) => seen.push([kind, e.target.value, e.bubbles]));
</script>"""
TAGS = """<select aria-label=Tags multiple id=tags size=4>
<option selected>red<option>green<option>blue</select>"""
COMBOBOX = """<div id=box role=combobox aria-label=Fruit tabindex=0 aria-expanded=false
 aria-controls=list style="width:200px;height:30px">none</div><script>
box.onclick = (e) => {
  if (!e.isTrusted) throw new Error('not a click');
  if (document.getElementById('list')) return close();
  box.setAttribute('aria-expanded', 'true');
  setTimeout(() => {
    const list = document.body.appendChild(document.createElement('ul'));
    list.id = 'list'; list.role = 'listbox';
    for (const name of ['Apple', 'Banana', 'Cherry']) {
      const one = list.appendChild(document.createElement('li'));
      one.role = 'option'; one.textContent = name; one.dataset.value = name[0];
      if (name === 'Cherry') one.ariaDisabled = 'true';
      one.onclick = (e) => { if (e.isTrusted) { box.textContent = name; close() } };
    }
  }, 100);
};
const close = () => {
  document.getElementById('list')?.remove(); box.setAttribute('aria-expanded', 'false');
};
addEventListener('keydown', (e) => { if (e.key === 'Escape') close() });
</script>"""
SEARCHING = """<input id=city role=combobox aria-label=City aria-expanded=false
 aria-controls=cities>
<ul id=cities role=listbox></ul><script>
city.oninput = () => setTimeout(() => {
  cities.replaceChildren(...['Paris', 'Parma', 'Oslo'].filter((c) => c.startsWith(city.value))
    .map((name) => {
      const one = document.createElement('li');
      one.role = 'option'; one.textContent = name;
      one.onmousedown = () => { city.value = name; cities.replaceChildren() };
      return one;
    }));
}, 50);
</script>"""
UNLABELLED = """<select aria-label=Size><option label=''>Small<option label='' value=l>Large
</select>"""
LISTBOX = """<ul role=listbox aria-label=Days aria-multiselectable=true>
<li role=option aria-selected=true>Mon</li><li role=option aria-selected=false>Tue</li>
<li role=option aria-selected=false>Wed</li></ul><script>
for (const one of document.querySelectorAll('li')) one.onclick = () =>
  one.setAttribute('aria-selected', one.getAttribute('aria-selected') === 'false');
</script>"""


CLOSING = (
    COMBOBOX.replace("aria-label=Fruit", "aria-label=Fruit aria-multiselectable=true")
    .replace(
        "box.textContent = name; close()",
        "picked.add(name); box.textContent = [...picked]; close()",
    )
    .replace("<script>", "<script>const picked = new Set();")
    .replace(
        "one.textContent = name;", "one.textContent = name; one.ariaSelected = picked.has(name);"
    )
)


def only_ref(browser: Browser, words: str) -> str:
    return ref_of(browser.snapshot(), words)


def test_select_by_label_or_value_fires_input_and_change_once(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", SIZES))
    size = only_ref(browser, '"Size"')
    assert browser.select(size, labels=["Large"]).value == {"selected": ["Large"]}
    assert browser.select(size, values="m").value == {"selected": ["Medium"]}
    assert browser.select(size, labels="l").value == {"selected": ["Large"]}
    assert browser.evaluate("seen").value == [
        [kind, value, True] for value in "lml" for kind in ("input", "change")
    ]
    browser.select(size, labels="Large")
    assert len(browser.evaluate("seen").value) == 6, "nothing changed, so nothing is told"


def test_select_accepts_the_value_of_a_widgets_option_as_its_label(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", COMBOBOX))
    result = browser.select(only_ref(browser, '"Fruit"'), labels="B")
    assert (result.value, result.note) == ({"selected": ["Banana"]}, "")


def test_select_chooses_exactly_the_given_options_of_a_multiple_select(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", TAGS))
    tags = only_ref(browser, '"Tags"')
    assert browser.select(tags, labels=["blue", "green"]).value == {"selected": ["green", "blue"]}
    assert browser.select(tags, labels=[]).value == {"selected": []}


def test_select_with_an_unknown_label_lists_the_closest_options_first(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", SIZES))
    with pytest.raises(InvalidArgument) as caught:
        browser.select(only_ref(browser, '"Size"'), labels="Larger")
    assert caught.value.data["field"] == "labels"
    assert caught.value.data["options"][0] == "Large"
    assert set(caught.value.data["options"]) == {"Small", "Medium", "Large", "Extra large"}
    assert browser.evaluate("size.value").value == "s"


@pytest.mark.parametrize(
    ("select", "given", "error", "words"),
    [
        (SIZES, {"labels": "Extra large"}, NotInteractable, "disabled"),
        (SIZES.replace("id=size", "disabled"), {"labels": "Large"}, NotInteractable, "disabled"),
        (SIZES, {"labels": ["Small", "Large"]}, InvalidArgument, "accepts one option, not 2"),
        (SIZES, {"labels": []}, InvalidArgument, "accepts one option, not 0"),
        (SIZES, {}, InvalidArgument, "either labels or values"),
        (SIZES, {"labels": "Small", "values": "s"}, InvalidArgument, "either labels or values"),
        ("<button>Size</button>", {"labels": "Small"}, NotInteractable, "has no options"),
    ],
)
def test_select_reports_why_it_cannot_choose_an_option(
    select: str,
    given: dict[str, object],
    error: type[Exception],
    words: str,
    browser: Browser,
    site: Site,
) -> None:
    browser.goto(site.page("/", select))
    with pytest.raises(error, match=words):
        browser.select(only_ref(browser, '"Size"'), **given)


@pytest.mark.long
def test_select_fails_on_a_covered_field(browser: Browser, site: Site) -> None:
    cover = '<div style="position:fixed;inset:0;background:#fff">cover</div>'
    browser.goto(site.page("/", SIZES + cover))
    with pytest.raises(Obscured):
        browser.select(only_ref(browser, '"Size"'), labels="Large", timeout_ms=allow(2_000))


@pytest.mark.parametrize("where", ["here", "there"])
def test_select_works_in_a_frame_by_ref_and_at_a_point(
    where: str, browser: Browser, site: Site
) -> None:
    site.page("/inner", SIZES)
    source = f"{getattr(site, where)}/inner"
    browser.goto(site.page("/", f'<iframe src="{source}" style="border:7px solid"></iframe>'))
    inner = browser.state.frame_tree.children[0].frame_id
    browser.select(only_ref(browser, '"Size"'), labels="Large")
    assert browser.evaluate("size.value", frame_id=inner).value == "l"
    assert browser.select(x=40, y=35, labels="Medium").value == {"selected": ["Medium"]}
    assert browser.evaluate("size.value", frame_id=inner).value == "m"


def test_select_opens_a_combobox_and_clicks_its_option(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", COMBOBOX))
    fruit = only_ref(browser, '"Fruit"')
    assert browser.select(fruit, labels="Banana").value == {"selected": ["Banana"]}
    assert browser.select(fruit, values="A").value == {"selected": ["Apple"]}
    with pytest.raises(InvalidArgument, match="no option") as caught:
        browser.select(fruit, labels="Bananas")
    assert caught.value.data["options"][0] == "Banana"
    assert browser.evaluate("box.getAttribute('aria-expanded')").value == "false"
    with pytest.raises(NotInteractable, match="disabled"):
        browser.select(fruit, labels="Cherry")
    with pytest.raises(InvalidArgument, match="accepts one option, not 2"):
        browser.select(fruit, labels=["Apple", "Banana"])
    assert browser.evaluate("box.getAttribute('aria-expanded')").value == "false"


@pytest.mark.long
def test_select_reopens_a_combobox_that_closes_after_each_choice(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", CLOSING))
    fruit = only_ref(browser, '"Fruit"')
    browser.select(fruit, labels=["Apple", "Banana"])
    assert browser.evaluate("[...picked]").value == ["Apple", "Banana"]


def test_select_types_the_label_into_a_searchable_combobox(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", SEARCHING))
    city = only_ref(browser, '"City"')
    assert browser.select(city, labels="Parma").value == {"selected": ["Parma"]}
    assert browser.evaluate("city.value").value == "Parma"


def test_select_does_not_mistake_a_highlighted_option_for_a_chosen_option(
    browser: Browser, site: Site
) -> None:
    """Choices.js sets ``aria-selected`` on the option that has the keyboard highlight."""
    highlights = """<div role=combobox aria-label=Fruit aria-expanded=true tabindex=0>
<select id=own multiple hidden><option>Apple<option>Lemon<option>Pear</select>
<div role=listbox aria-multiselectable=true><div role=option aria-selected=true>Apple</div>
<div role=option>Lemon</div><div role=option>Pear</div></div></div><script>
for (const one of document.querySelectorAll('[role=option]')) one.onmousedown = () => {
  [...own.options].find((each) => each.label === one.textContent).selected = true;
  one.remove();
};</script>"""
    browser.goto(site.page("/", highlights))
    browser.select("css=[role=combobox]", labels=["Lemon"])
    chosen = browser.evaluate("[...own.selectedOptions].map((one) => one.label)").value
    assert chosen == ["Lemon"]


def test_select_clicks_list_box_options_until_they_have_the_requested_state(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", LISTBOX))
    days = only_ref(browser, '"Days"')
    assert browser.select(days, labels=["Tue", "Wed"]).value == {"selected": ["Tue", "Wed"]}


def test_select_types_a_datalist_suggestion(browser: Browser, site: Site) -> None:
    browser.goto(
        site.page(
            "/",
            """<input list=cities aria-label=City id=city value=x><datalist id=cities>
            <option value=PAR label=Paris><option value=Oslo></datalist>""",
        )
    )
    city = only_ref(browser, '"City"')
    assert browser.select(city, labels="Paris").value == {"selected": ["PAR"]}
    assert browser.select(city, values="Oslo").value == {"selected": ["Oslo"]}
    with pytest.raises(InvalidArgument, match="no option") as caught:
        browser.select(city, labels="Pariss")
    assert caught.value.data["options"][0] == "Paris"
    assert browser.evaluate("city.value").value == "Oslo"


def test_select_sets_a_hidden_select_and_reports_that_it_is_hidden(
    browser: Browser, site: Site
) -> None:
    """The state in which libraries leave a select that they replace with their own widget."""
    page = """<label for=fruit>Fruit</label><select id=fruit style="display:none"><option>Apple
    <option>Plum</select><div role=combobox tabindex=0>Apple</div>"""
    browser.goto(site.page("/", page))
    done = browser.select(only_ref(browser, '"Fruit"'), labels="Plum")
    assert done.value == {"selected": ["Plum"]}
    assert "is hidden" in done.note


def test_dialog_in_onchange_interrupts_select(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", SIZES + "<script>size.onchange = () => alert(size.value)</script>"))
    result = browser.select(only_ref(browser, '"Size"'), labels="Large")
    assert result.interrupted
    assert result.by is not None
    assert result.by["dialog"]["message"] == "l"
    browser.dialog("accept")


OTHERS = """<script>picked = []; const did = (e) => picked.push(e.id)</script>
<div role=listbox aria-label=Sizes><div role=option id=size onclick="did(this)">Red</div></div>"""
UNTIED = """<button role=combobox aria-haspopup=listbox aria-expanded=false id=cb aria-label=Colour
 onclick="this.ariaExpanded = true; setTimeout(() => pop.hidden = false, LATER)">Pick</button>
<div id=pop hidden role=listbox style="position:absolute;top:300px">
<div role=option id=colour
 onclick="did(this); pop.hidden = true; cb.ariaExpanded = false; cb.textContent = 'SHOWN'">Red
</div></div>"""


def untied(later: int = 0, shown: str = "Red") -> str:
    return UNTIED.replace("LATER", str(later)).replace("SHOWN", shown)


@pytest.mark.parametrize("later", [0, 300])
def test_select_uses_a_list_box_that_appears_for_a_combobox_without_aria_controls(
    later: int, browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", OTHERS + untied(later)))
    done = browser.select(only_ref(browser, '"Colour"'), labels="Red")
    assert browser.evaluate("picked").value == ["colour"]
    assert (done.value, done.note) == ({"selected": ["Red"]}, "")


@pytest.mark.long
def test_select_ignores_the_list_box_of_another_combobox(browser: Browser, site: Site) -> None:
    """No list appears: both lists are always there, and the unrelated one is nearer."""
    page = """<input role=combobox aria-label=Colour id=mine>
    <div role=listbox id=its><div role=option id=not onclick="did(this)">Red</div></div>
    <input role=combobox aria-label=Other aria-controls=its>
    <div style="height:100px"></div><div role=listbox>
    <div role=option id=right onclick="did(this); mine.value = 'Red'">Red</div></div>
    <div style="height:100px"></div>"""
    browser.goto(site.page("/", page + OTHERS))
    browser.select(only_ref(browser, '"Colour"'), labels="Red")
    assert browser.evaluate("picked").value == ["right"]


def test_select_finds_the_list_box_labeled_like_its_open_combobox(
    browser: Browser, site: Site
) -> None:
    page = """<b id=l1>Colour</b> <b id=l2>Size</b><div style="height:100px"></div>
    <button role=combobox aria-labelledby=l1 aria-expanded=true>x</button>
    <div role=listbox aria-labelledby=l2><div role=option onclick="did(this)">Red</div></div>
    <div style="height:100px"></div>
    <div role=listbox aria-labelledby=l1><div role=option id=c onclick="did(this)">Red</div></div>
    """
    browser.goto(site.page("/", page + OTHERS))
    browser.select(ref_of(browser.snapshot(), 'combobox "Colour"'), labels="Red")
    assert browser.evaluate("picked").value == ["c"]


@pytest.mark.parametrize("mode", ["open", "closed"])
@pytest.mark.parametrize("where", ["inside", "around"])
def test_select_works_on_a_combobox_in_a_shadow_tree(
    where: str, mode: str, browser: Browser, site: Site
) -> None:
    page = """<my-s></my-s><script>customElements.define('my-s', class extends HTMLElement {
      constructor() { super();
        const root = this.attachShadow({mode: 'MODE'});
        root.innerHTML = `<button role=combobox aria-label=Size aria-haspopup=listbox
          aria-expanded=false>S</button>`;
        const box = root.firstChild, list = document.createElement('div');
        list.role = 'listbox'; list.hidden = true;
        list.innerHTML = '<div role=option>S</div><div role=option>XL</div>';
        PLACE.append(list);
        const show = (open) => { list.hidden = !open; box.ariaExpanded = open };
        box.onclick = () => show(list.hidden);
        list.onclick = (e) => { box.textContent = e.target.textContent; show(false) };
      }});</script>"""
    place = {"inside": "root", "around": "document.body"}[where]
    browser.goto(site.page("/", page.replace("MODE", mode).replace("PLACE", place) + OTHERS))
    done = browser.select(only_ref(browser, '"Size"'), labels="XL")
    assert (done.value, done.note) == ({"selected": ["XL"]}, "")


@pytest.mark.long
def test_select_reports_when_the_field_shows_another_option(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", OTHERS + untied(shown="Blue")))
    ref = only_ref(browser, '"Colour"')
    done = browser.select(ref, labels="Red")
    assert done.value == {"selected": ["Blue"]}
    assert "'Blue', not 'Red'" in done.note
    back = SIZES + "<script>size.onchange = () => size.value = 's'</script>"
    browser.goto(site.page("/", back + untied(shown="Colour: red, dark")))
    page = browser.snapshot()
    assert "'Small', not 'Large'" in browser.select(ref_of(page, '"Size"'), labels="Large").note
    browser.evaluate("did = () => 0; null")
    done = browser.fill_form([{"ref": ref_of(page, '"Size"'), "value": "Large"}])
    assert "'Small', not 'Large'" in done.value["filled"][0]["note"]
    assert browser.select(ref_of(page, '"Colour"'), labels="Red").note == ""


def test_select_finds_an_option_with_an_empty_label_by_its_text(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", UNLABELLED))
    chosen = browser.select(ref_of(browser.snapshot(), '"Size"'), labels=["Large"])
    assert chosen.value["selected"] == ["Large"]
    assert 'value="Large" options=["Small", "Large"]' in browser.snapshot().text
