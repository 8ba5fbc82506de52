# ruff: noqa: E501 - pages, one element after the other
"""Controls without an element of their own: carousels' buttons and markers, permission elements,
customizable selects; and the order that CSS gives elements. In the headless shell and in a whole
Chromium, because these are new and differ."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from support.eventually import eventually
from support.needs import needs, whole_chromium
from support.reading import body, ref_of
from support.serving_files import file
from support.site import Site

from tabwarden.errors import NotInteractable, Obscured, StaleRef
from tabwarden.sync import Browser

pytestmark = pytest.mark.whole

STYLE = """<style>
.c { overflow-x: auto; display: flex; width: 400px; height: 120px; margin: 60px; padding: 0; list-style: none; scroll-marker-group: after }
.c li { flex: 0 0 300px; height: 100px }
.c::scroll-button(right) { content: '>' / 'Next slide' }
.c::scroll-button(left) { content: '<' / 'Previous slide' }
.c li::scroll-marker { content: '' / attr(data-name); width: 12px; height: 12px; display: inline-block }
</style>"""
LIST = "<ul class=c><li data-name=One>First<li data-name=Two>Second<li data-name=Three>Third</ul>"
CAROUSEL = f"{STYLE}<h1>Shop</h1>{LIST}<p>after</p>"
LINES = [
    '- heading "Shop" level=1',
    '- button "Previous slide" [ref=e] disabled',
    '- button "Next slide" [ref=e]',
    "- list",
    '  - listitem "First" | "Second" | "Third"',
    "- navigation",
    '  - link "One" [ref=e]',
    '  - link "Two" [ref=e]',
    '  - link "Three" [ref=e]',
    '- text "after"',
]


@pytest.fixture(scope="module")
def whole() -> Iterator[Browser]:
    with Browser.launch(executable=whole_chromium()) as browser:
        yield browser


@pytest.fixture(params=["shared", pytest.param("whole", marks=needs("chromium"))])
def either(request: pytest.FixtureRequest) -> Browser:
    if request.param == "shared":
        return request.getfixturevalue("browser")  # type: ignore[no-any-return]
    browser: Browser = request.getfixturevalue("whole")
    browser.tabs("open")
    return browser


def lines(browser: Browser) -> list[str]:
    return [re.sub(r"\be\d+", "e", line) for line in body(browser.snapshot().text)]


NESTED = """<style>
.c { overflow-x: auto; display: flex; width: 400px; height: 120px; scroll-marker-group: after; & li { flex: 0 0 300px } }
@media all { ul.c { &::scroll-button(inline-start) { content: 'Previous slide' } &::scroll-button(inline-end) { content: 'Next slide' }
  & li::scroll-marker { content: attr(data-name) } } }
</style>"""


@pytest.mark.parametrize(
    "page",
    [
        CAROUSEL,
        CAROUSEL.replace(STYLE, NESTED),
        f"<div id=host></div><script>host.attachShadow({{mode: 'open'}}).innerHTML = `{CAROUSEL}`</script>",
    ],
    ids=["plain", "nested rules", "in a shadow tree"],
)
def test_snapshot_shows_the_buttons_and_markers_of_a_carousel(
    page: str, either: Browser, site: Site
) -> None:
    either.goto(site.page("/", page))
    assert lines(either) == LINES
    assert lines(either) == LINES  # also when the walker knows them already


def test_snapshot_of_a_carousel_from_another_sites_style_sheet_shows_its_buttons(
    either: Browser, site: Site
) -> None:
    text = STYLE.removeprefix("<style>").removesuffix("</style>").encode()
    site.pages["/style.css"] = file("text/css", text)
    link = f"<link rel=stylesheet href={site.there}/style.css>"
    either.goto(site.page("/", CAROUSEL.replace(STYLE, link)))
    assert lines(either) == LINES


def test_click_on_a_carousels_button_and_marker_scrolls_the_list_and_says_so(
    either: Browser, site: Site
) -> None:
    either.goto(site.page("/", f"<div style='height: 2000px'></div>{CAROUSEL}"))
    snapshot = either.snapshot()
    clicked = either.click(ref_of(snapshot, '"Next slide"'), snapshot="diff")
    assert re.fullmatch(r"list scrolled to \d+ px right", clicked.effect)
    assert either.evaluate("document.querySelector('ul').scrollLeft").value > 100
    assert "list scrolled to 500 px right" in either.click(ref_of(snapshot, '"Three"')).effect
    now = either.snapshot()
    assert re.search(r'button "Next slide" \[ref=e\d+\] disabled', now.text)
    with pytest.raises(NotInteractable, match="is disabled"):
        either.click(ref_of(now, '"Next slide"'))
    assert ref_of(now, '"Two"') == ref_of(snapshot, '"Two"')


def test_click_on_a_carousels_button_in_a_frame_reaches_it(either: Browser, site: Site) -> None:
    site.page("/inner", CAROUSEL)
    frames = "".join(
        f"<iframe src={one}/inner style='width: 700px; height: 500px; margin: 30px'></iframe>"
        for one in (site.here, site.there)
    )
    either.goto(site.page("/", frames))
    eventually(lambda: either.snapshot().text.count('"Next slide"') == 2)
    found = either.find(role="button", name="Next slide").value["found"]
    for one in found:
        either.click(one["ref"])
    moved = "document.querySelector('ul').scrollLeft > 100"
    ids = [one["frame_id"] for one in found]
    assert eventually(lambda: all(either.evaluate(moved, frame_id=one).value for one in ids))


def test_tabs_of_a_carousel_say_which_is_selected(either: Browser, site: Site) -> None:
    either.goto(site.page("/", CAROUSEL.replace("group: after", "group: before tabs")))
    tabs = ["- tablist", *(f'  - tab "{one}" [ref=e]' for one in ("One", "Two", "Three"))]
    assert lines(either)[3:7] == [tabs[0], f"{tabs[1]} selected", *tabs[2:]]
    either.click(ref_of(either.snapshot(), '"Three"'))
    assert eventually(lambda: lines(either)[3:7] == [*tabs[:3], f"{tabs[3]} selected"])


def test_find_returns_a_carousels_buttons_and_markers(either: Browser, site: Site) -> None:
    either.goto(site.page("/", CAROUSEL))
    by_text = either.find(text="next slide").value["found"]
    assert [(one["role"], one["tag"]) for one in by_text] == [("button", "scroll-button")]
    by_role = either.find(role="link").value["found"]
    assert [one["name"] for one in by_role] == ["One", "Two", "Three"]
    assert "scrolled" in either.click(by_role[2]["ref"]).effect


def test_click_does_not_press_a_carousels_button_that_is_covered_or_gone(
    either: Browser, site: Site
) -> None:
    either.goto(
        site.page(
            "/", f"{CAROUSEL}<div id=bar style='display: none; position: fixed; inset: 0'>Bar</div>"
        )
    )
    button = ref_of(either.snapshot(), '"Next slide"')
    either.evaluate("bar.style.display = ''")
    with pytest.raises(Obscured, match="Bar"):
        either.click(button)
    either.evaluate("bar.remove(); document.querySelector('ul').className = ''")
    with pytest.raises(NotInteractable, match="hidden"):
        either.click(button)
    assert '"Next slide"' not in either.snapshot().text
    either.evaluate("document.querySelector('ul').outerHTML = '<ul></ul>'")
    with pytest.raises(StaleRef):
        either.click(button)


PERMISSIONS = (
    "<geolocation></geolocation><usermedia></usermedia><camera></camera><microphone></microphone>"
)


def test_permission_elements_are_named_buttons_and_a_denied_permission_has_a_next_step(
    either: Browser, site: Site
) -> None:
    either.goto(site.page("/", f"{PERMISSIONS}<p>Text"))
    names = ["Use location", "Use microphone and camera", "Use camera", "Use microphone"]
    assert lines(either)[:4] == [f'- button "{name}" [ref=e]' for name in names]
    notes = list(either.click(ref_of(either.snapshot(), '"Use location"')).new_since_last.notes)

    def has_note() -> bool:
        notes.extend(either.evaluate("0").new_since_last.notes)
        return bool(notes)

    assert eventually(has_note)
    assert notes[0]["text"] in ("geolocation: denied", "geolocation: prompt")


def test_click_on_a_permission_element_that_the_browser_distrusts_says_why(
    either: Browser, site: Site
) -> None:
    either.goto(site.page("/", "<geolocation style='color: red; background: red'></geolocation>"))
    with pytest.raises(NotInteractable, match="style_invalid") as caught:
        either.click(ref_of(either.snapshot(), '"Use location"'))
    assert caught.value.data["reason"] == "unready"


PICTURE = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='20' height='20'/%3E"
PETS = f"""<style>select, ::picker(select) {{ appearance: base-select }}</style>
<label>Pet <select id=pet><button><selectedcontent></selectedcontent></button>
<optgroup><legend>Mammals</legend><option>Dog<option disabled>Cat<option><img alt=Horse src="{PICTURE}"></optgroup>
<optgroup label=Birds disabled><option>Owl</optgroup><option>Fish</select></label>"""


def test_snapshot_of_a_select_shows_groups_disabled_options_and_names_of_images(
    either: Browser, site: Site
) -> None:
    either.goto(site.page("/", PETS))
    options = '["Mammals": ["Dog", "Cat" disabled, "Horse"], "Birds": ["Owl" disabled], "Fish"]'
    assert f'- combobox "Pet" [ref=e] value="Dog" options={options}' in lines(either)


@pytest.mark.parametrize("style", ["", "appearance: auto"], ids=["customizable", "native"])
def test_select_closes_a_picker_that_was_open(style: str, either: Browser, site: Site) -> None:
    hears = "<output id=told></output><script>pet.onchange = () => told.textContent = 'heard Horse'</script>"
    page = PETS.replace("<select id", f"<select style='{style}' id") + hears
    either.goto(site.page("/", page))
    pet = ref_of(either.snapshot(), '"Pet"')
    either.click(pet)
    assert either.evaluate("pet.matches(':open')").value is True
    selected = either.select(pet, labels=["Horse"])
    assert selected.value == {"selected": ["Horse"]}
    assert "heard Horse" in selected.effect
    assert either.evaluate("[pet.matches(':open'), pet.selectedIndex]").value == [False, 2]
    either.select(pet, labels=["Fish"])
    assert either.evaluate("[pet.matches(':open'), pet.selectedIndex]").value == [False, 4]


def boxes(style: str, *styles: str) -> str:
    inner = "".join(
        f"<button style='{one}'>{name}</button>" for name, one in zip("ABCD", styles, strict=False)
    )
    return f"<style>.f {{ {style} }}</style><div class=f>{inner}</div>"


GRID = ("grid-area: 2/1", "grid-area: 1/2", "grid-area: 1/1", "grid-area: 2/2")
FLOWS = {
    "flex-visual": (boxes("display: flex; reading-flow: flex-visual", "order: 3", "order: 1", "order: 2"), "BCA"),
    "flex-visual, reversed": (boxes("display: flex; flex-direction: row-reverse; reading-flow: flex-visual", "", "", "order: -1", ""), "DBAC"),
    "flex-flow, reversed": (boxes("display: flex; flex-direction: row-reverse; reading-flow: flex-flow", "", "order: 5", "", ""), "ACDB"),
    "grid-rows": (boxes("display: grid; @media all { reading-flow: grid-rows }", *GRID), "CBAD"),
    "grid-columns": (boxes("display: grid; reading-flow: grid-columns", *GRID), "CABD"),
    "grid-rows, right to left": (boxes("direction: rtl; display: grid; reading-flow: grid-rows", *GRID), "CBAD"),
    "grid-order": (boxes("display: grid; reading-flow: grid-order", "order: 2", "", "order: 1", ""), "BDCA"),
    "source-order": (boxes("reading-flow: source-order", "reading-order: 2", "", "reading-order: -1", ""), "CBDA"),
    "none": (boxes("display: flex", "order: 3", "order: 1", "order: 2"), "ABC"),
}  # fmt: skip


@pytest.mark.parametrize("flow", FLOWS)
def test_snapshot_has_the_order_that_tab_follows(flow: str, either: Browser, site: Site) -> None:
    page, order = FLOWS[flow]
    either.goto(site.page("/", page))
    assert "".join(re.findall(r'button "(\w)"', either.snapshot().text)) == order
    reached = ""
    for _ in order:
        either.press("Tab")
        reached += either.evaluate("document.activeElement.textContent").value
    assert reached == order


def test_find_says_that_an_element_is_shown_when_a_person_searches_for_it(
    either: Browser, site: Site
) -> None:
    either.goto(
        site.page("/", "<div hidden=until-found><p>Secret sauce</div><p hidden>Other sauce")
    )
    found = either.find(text="sauce").value["found"]
    assert [(one["visible"], one.get("hidden")) for one in found] == [
        (False, "until-found"),
        (False, None),
    ]
