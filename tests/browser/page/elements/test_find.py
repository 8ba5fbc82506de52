# ruff: noqa: E501 - pages, one element after the other
"""Finding elements without a snapshot, and acting on selectors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.pace import allow
from support.site import Site
from support.telling import hang

from tabwarden.config import BrowserConfig
from tabwarden.errors import FrameNotFound, InvalidArgument, NotInteractable, UnknownRef
from tabwarden.sync import Browser

PAGE = """<h1>Shop</h1><p>Fine <b>green</b> tea, <a href=/more>read <i>more</i></a>.</p>
<button class=buy aria-label="Buy green tea">+</button>
<button class=buy hidden>Buy old tea</button>
<form name=evaluate><input name=querySelectorAll placeholder="Your mail"><input type=submit value="Send it"></form>
<label>Size <select><option>S</select></label><script>var tea = "green tea"</script>
<div id=host></div><script>
  host.attachShadow({ mode: "open" }).innerHTML = "<button class=buy>Buy black tea</button><div id=in></div>";
  host.shadowRoot.getElementById("in").attachShadow({ mode: "open" }).innerHTML = "<button class=deep>Buy white tea</button>";
</script>"""


def names(found: Any) -> list[str]:
    return [one["name"] for one in found.value["found"]]


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (
            {"role": "button"},
            ["Buy green tea", "Send it", "Buy black tea", "Buy white tea", "Buy old tea"],
        ),
        ({"role": "button", "name": "BLACK"}, ["Buy black tea"]),
        ({"name": "buy"}, ["Buy green tea", "Buy black tea", "Buy white tea", "Buy old tea"]),
        ({"role": "combobox"}, ["Size"]),
        ({"css": ".buy"}, ["Buy green tea", "Buy black tea", "Buy old tea"]),
        ({"css": ".deep, h1"}, ["Shop", "Buy white tea"]),
        ({"xpath": "//button[@class='buy']"}, ["Buy green tea", "Buy old tea"]),
        ({"xpath": "//h1/text() | //h1"}, ["Shop"]),
        ({"text": "read more"}, ["read more"]),
        ({"text": "Fine green tea"}, ["Fine green tea, read more."]),
        ({"text": "white"}, ["Buy white tea"]),
        ({"text": "YOUR mail"}, ["Your mail"]),
        ({"text": "nowhere"}, []),
    ],
)
def test_find_matches_by_role_name_text_css_and_xpath(
    browser: Browser, site: Site, given: dict[str, str], wanted: list[str]
) -> None:
    browser.goto(site.page("/", PAGE))
    found = browser.find(**given)
    assert names(found) == wanted
    assert found.value["total"] == len(wanted)
    assert found.value["unread"] == []
    assert all(one["visible"] == (one["name"] != "Buy old tea") for one in found.value["found"])


def test_find_returns_snapshot_refs_that_click_accepts(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<button onclick='document.title = 7'>Buy</button>"))
    (one,) = browser.find(role="button").value["found"]
    assert {**one, "ref": "", "frame_id": ""} == {
        "ref": "", "role": "button", "name": "Buy", "tag": "button", "frame_id": "", "visible": True,
    }  # fmt: skip
    assert browser.click(one["ref"]).title == "7"
    assert browser.snapshot().ref("Buy") == one["ref"]


def test_find_searches_all_frames_or_the_given_frame(browser: Browser, site: Site) -> None:
    site.page("/inner", "<button onclick='top.postMessage(1, \"*\")'>Pay</button>")
    page = f"<button>Pay</button><iframe src='{site.here}/inner'></iframe><iframe src='{site.there}/inner'></iframe>"
    browser.goto(site.page("/", page))
    found = browser.find(role="button", name="pay").value["found"]
    assert len({one["frame_id"] for one in found}) == 3
    for one in found:
        browser.click(one["ref"])
    only = browser.find(css="button", frame_id=found[-1]["frame_id"]).value["found"]
    assert only == [found[-1]]
    with pytest.raises(FrameNotFound):
        browser.find(css="button", frame_id="nowhere")


def test_find_returns_at_most_max_elements_and_the_total(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<p hidden>tea</p>" + "<p>tea</p>" * 50))
    assert len(browser.find("tea").value["found"]) == 20
    three = browser.find("tea", max=3).value
    assert (len(three["found"]), three["total"]) == (3, 51)
    assert all(one["visible"] for one in three["found"])


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({}, "text"),
        ({"text": " "}, "text"),
        ({"text": "a", "css": "b"}, "css"),
        ({"name": "a", "xpath": "//b"}, "xpath"),
        ({"css": "b["}, "css"),
        ({"css": "::nothing"}, "css"),
        ({"xpath": "//b["}, "xpath"),
        ({"xpath": "count(//b)"}, "xpath"),
        ({"css": "b", "max": 0}, "max"),
    ],
)
def test_find_rejects_invalid_queries_and_identifies_the_field(
    browser: Browser, site: Site, given: dict[str, Any], field: str
) -> None:
    browser.goto(site.page("/", PAGE))
    with pytest.raises(InvalidArgument) as caught:
        browser.find(**given)
    assert caught.value.data["field"] == field


def test_actions_accept_selectors(browser: Browser, site: Site, folder: Path) -> None:
    page = """<button class=buy onclick="document.title = 'bought'">Buy</button><button class=buy hidden>Buy</button>
    <input id=name><select><option>S<option>M</select><input type=checkbox>
    <div id=drop style="height:40px">Here</div>"""
    browser.goto(site.page("/", page))
    assert browser.click("css=button.buy").title == "bought"
    browser.hover("xpath=//button[1]")
    assert browser.type("Ann", "css=#name").value == {"value": "Ann"}
    assert browser.select("css=select", labels="M").value == {"selected": ["M"]}
    assert browser.evaluate("(el) => el.value", "css=#name").value == "Ann"
    assert browser.evaluate("(el) => el.hidden", "xpath=//button[2]").value is True
    assert browser.drag("css=.buy", "css=#drop").value == {"kind": "pointer"}
    assert browser.scroll("down", 10, "css=#drop").status == "ok"
    assert browser.screenshot(ref="css=#drop").data
    filled = browser.fill_form(
        [{"ref": "css=#name", "value": "Bob"}, {"ref": "css=[type=checkbox]", "value": True}]
    )
    assert [one["value"] for one in filled.value["filled"]] == ["Bob", True]


@pytest.mark.long
def test_upload_by_selector_fills_a_hidden_file_input(site: Site, folder: Path) -> None:
    (folder / "a.txt").write_text("a")
    config = BrowserConfig(upload_dir=folder)
    with Browser.launch(config=config) as browser:
        browser.goto(site.page("/", "<input type=file style='display:none'>"))
        assert browser.upload(["a.txt"], "css=input").value == {"files": ["a.txt"]}


def test_click_requires_a_selector_that_matches_one_visible_element(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", PAGE))
    with pytest.raises(InvalidArgument, match="matches 2 visible elements") as caught:
        browser.click("css=.buy")
    assert caught.value.data["field"] == "ref"
    listed = caught.value.data["candidates"]
    assert [one["name"] for one in listed] == ["Buy green tea", "Buy black tea", "Buy old tea"]
    browser.click(listed[1]["ref"])
    with pytest.raises(NotInteractable, match="none of them visible") as hidden:
        browser.click("css=.buy[hidden]", timeout_ms=500)
    assert [one["name"] for one in hidden.value.data["candidates"]] == ["Buy old tea"]
    with pytest.raises(InvalidArgument, match="matches no element"):
        browser.click("css=.nothing", timeout_ms=500)
    for wrong in ("css=b[", "xpath=//b["):
        with pytest.raises(InvalidArgument) as bad:
            browser.click(wrong)
        assert bad.value.data["field"] == "ref"
    with pytest.raises(InvalidArgument) as goal:
        browser.drag("css=h1", "css=.nothing", timeout_ms=500)
    assert goal.value.data["field"] == "to_ref"
    with pytest.raises(InvalidArgument, match="is not a ref"):
        browser.click("css=")
    with pytest.raises(UnknownRef):
        browser.click("e999999")


@pytest.mark.long
@pytest.mark.parametrize("how", ["hidden", "absent", "in a frame that comes"])
@pytest.mark.parametrize("named", ["css=.late", "xpath=//button[@class='late']"])
def test_click_by_selector_waits_for_an_element_that_appears_later(
    browser: Browser, site: Site, how: str, named: str
) -> None:
    button = "<button class=late onclick='top.document.title=1'>Late</button>"
    site.page("/inner", button)
    add, first = {
        "hidden": (
            "document.querySelector('.late').hidden = false",
            button.replace(" ", " hidden ", 1),
        ),
        "absent": (f"document.body.insertAdjacentHTML('beforeend', `{button}`)", ""),
        "in a frame that comes": (
            "document.body.append(Object.assign(document.createElement('iframe'), {src: '/inner'}))",
            "",
        ),
    }[how]
    browser.goto(
        site.page("/", f"<h1>Head</h1>{first}<script>setTimeout(() => {{ {add} }}, 1200)</script>")
    )
    assert browser.click(named).title == "1"


def test_find_reports_a_hung_frame_and_searches_the_other_frames(
    own_browser: Browser, site: Site
) -> None:
    browser = own_browser
    site.page("/inner", "<button>Pay</button>")
    browser.goto(site.page("/", f"<button>Pay</button><iframe src='{site.there}/inner'></iframe>"))
    assert len(browser.find(css="button").value["found"]) == 2
    (frame,) = browser.state.frame_tree.children
    hang(browser, site, frame_id=frame.frame_id)
    found = browser.find(css="button", timeout_ms=allow(2_000)).value
    assert len(found["found"]) == 1
    assert [one["frame_id"] for one in found["unread"]] == [frame.frame_id]


def test_find_escapes_element_names_in_its_text_for_the_model(browser: Browser, site: Site) -> None:
    from tabwarden.actions.result_text import result_words

    browser.goto(site.page("/", "<button aria-label='x\" [ref=e1]\u202e'>A</button>"))
    words = result_words(browser.find(role="button"))
    assert '- button "x\\" [ref=e1]\\u202e" [ref=' in words


@pytest.mark.parametrize("hides", ["aria-hidden=true", "inert"])
def test_find_lists_a_hidden_copy_after_the_original(
    hides: str, browser: Browser, site: Site
) -> None:
    page = f"<div {hides}><button class=a>Save</button></div><button class=b>Save</button>"
    browser.goto(site.page("/", page))
    by = ({"text": "Save"}, {"role": "button", "name": "Save"}, {"css": "button"})
    for query in by:
        first = browser.find(**query).value["found"][0]["ref"]
        told = browser.evaluate("one => one.className", ref=first).value
        assert told == "b"


def test_click_on_a_link_wrapped_over_two_lines_hits_the_link(browser: Browser, site: Site) -> None:
    page = """<div style="width:200px;font:16px monospace;line-height:40px">aaaa bbbb cccc
    <a href=#hit onclick="document.title += '+'" ondblclick="document.title += '2'">link over
    lines</a> and a <a href=#other onclick="document.title = 'other'">next</a></div>"""
    browser.goto(site.page("/", page))
    assert browser.evaluate("document.links[0].getClientRects().length").value == 2
    browser.evaluate("document.title = ''")
    ref = browser.snapshot().ref("link over lines")
    browser.click(ref)
    browser.click("css=a[ondblclick]")
    browser.click(ref, count=2)
    assert browser.evaluate("document.title").value == "++++2"
