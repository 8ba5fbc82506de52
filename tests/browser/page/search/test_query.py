# ruff: noqa: E501 - pages, one element after the other
"""Finding elements by a description in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.pace import allow
from support.site import Site
from support.telling import hang

from tabwarden.actions.result_text import result_words
from tabwarden.errors import FrameNotFound, InvalidArgument
from tabwarden.sync import Browser

PAGES = Path(__file__).parents[4] / "bench" / "pages"
HOME = """<header><a href=/><img src=x alt="Acme logo" width=20 height=20></a><form role=search><input type=search aria-label="Search products"><button>Search</button></form>
<nav aria-label=Main><a href=/home>Home</a><a href=/women>Women</a><a href=/men>Men</a><button aria-haspopup=menu>Menu</button></nav><a href=/login>Sign in</a><a href=/cart>Basket (2)</a></header>
<main><h1>Shirts</h1><label>Sort by <select><option>Price<option>Rating</select></label>
<div class=cards>
<div><a href=/p1><img src=x alt="Blue shirt" width=20 height=20></a><a href=/p1>Blue shirt</a><span>$20</span><button>Add to cart</button><button>Save for later</button></div>
<div><a href=/p2><img src=x alt="Red shirt" width=20 height=20></a><a href=/p2>Red shirt</a><span>$25</span><button>Add to cart</button><button>Save for later</button></div>
<div><a href=/p3><img src=x alt="Green trousers" width=20 height=20></a><a href=/p3>Green trousers</a><span>$30</span><button>Add to cart</button><button>Save for later</button></div>
</div>
<h2>Featured</h2><div><h3>Yellow hat</h3><p>Warm and light.</p><button>Add to cart</button></div><div><h3>Purple hat</h3><p>For the sun.</p><button>Add to cart</button></div>
<a href="?page=2" aria-label="Next page">&gt;</a></main>
<footer><h2>Newsletter</h2><input placeholder="Your e-mail address"><button>Subscribe</button><a href=/privacy-policy>Privacy policy</a><a href=/terms>Terms of use</a><a href=/help/contact>Contact us</a></footer>"""
PEOPLE = """<h1>People</h1><button>Add person</button><table><tr><th>Name<th>Role<th>Actions</tr>
<tr><td>Anna Smith<td>Admin<td><button>Edit</button><button>Delete</button></tr>
<tr><td>Ben Jones<td>Guest<td><button>Edit</button><button>Delete</button></tr>
<tr><td>Cleo Anders<td>Guest<td><button>Edit</button><button>Delete</button></tr></table>
<h2>Invitations</h2><ul><li>dora@example.com <button>Resend</button><button aria-label=Remove>x</button></li><li>emil@example.com <button>Resend</button><button aria-label=Remove>x</button></li></ul>
<section aria-label="Danger zone"><button>Delete workspace</button></section>"""
SETTINGS = """<h1>Account</h1><div role=tablist><button role=tab aria-selected=true>Profile</button><button role=tab>Notifications</button><button role=tab>Billing</button></div>
<form aria-label="Shipping address"><label>First name <input></label><label>Last name <input></label><label>Street <input></label><label>Zip code <input></label><label>Country <select><option>Portugal<option>Peru</select></label></form>
<form aria-label="Billing address"><label>First name <input></label><label>Last name <input></label><label>Street <input></label></form>
<form aria-label=Login><label>User name <input></label><label>Password <input type=password></label><label><input type=checkbox> Remember me</label><button>Log in</button><a href=/reset>Forgot your password?</a></form>
<fieldset><legend>Delivery</legend><label><input type=radio name=d> Standard</label><label><input type=radio name=d> Express</label></fieldset>
<label>Volume <input type=range></label><label>Birth date <input type=date></label><label>Guests <input type=number></label>
<label><input type=checkbox role=switch> Dark mode</label><label>Picture <input type=file></label>
<label>Beschäftigung <input></label><label>メール <input></label><button>検索する</button><button aria-label=Close>x</button><button>Cancel</button>"""

QUERIES = [
    ("home", "search bar", "searchbox Search products"),
    ("home", "search button", "button Search"),
    ("home", "main menu", "button Menu"),
    ("home", "login", "link Sign in"),
    ("home", "shopping cart", "link Basket (2)"),
    ("home", "sorting dropdown", "combobox Sort by"),
    ("home", "add the red shirt to the cart", "button Add to cart", "Red shirt"),
    ("home", "the add to cart button for the blue shirt", "button Add to cart", "Blue shirt"),
    ("home", "save green trousers for later", "button Save for later", "Green trousers"),
    ("home", "add to cart button of the purple hat", "button Add to cart", "Purple hat"),
    ("home", "add yellow hat to cart", "button Add to cart", "Yellow hat"),
    ("home", "blue shirt", "link Blue shirt"),
    ("home", "link to the privacy policy", "link Privacy policy"),
    ("home", "terms", "link Terms of use"),
    ("home", "newsletter email field", "textbox"),
    ("home", "subscribe to the newsletter", "button Subscribe"),
    ("home", "next page", "link Next page"),
    ("home", "contact", "link Contact us"),
    ("home", "company logo", "link Acme logo"),
    ("people", "delete in the row of Anna", "button Delete", "Anna Smith"),
    ("people", "delete Ben Jones", "button Delete", "Ben Jones"),
    ("people", "edit button for Cleo", "button Edit", "Cleo Anders"),
    ("people", "Anna's edit button", "button Edit", "Anna Smith"),
    ("people", "add a person", "button Add person"),
    ("people", "remove the invitation of emil@example.com", "button Remove", "emil@example.com"),
    ("people", "resend dora's invitation", "button Resend", "dora@example.com"),
    ("people", "delete the workspace", "button Delete workspace"),
    ("settings", "billing tab", "tab Billing"),
    ("settings", "street in the billing address", "textbox Street", "Billing address"),
    ("settings", "shipping address first name", "textbox First name", "Shipping address"),
    ("settings", "postal code", "textbox Zip code"),
    ("settings", "country dropdown", "combobox Country"),
    ("settings", "username", "textbox User name"),
    ("settings", "password field", "textbox Password"),
    ("settings", "forgotten password link", "link Forgot your password?"),
    ("settings", "remember me checkbox", "checkbox Remember me"),
    ("settings", "sign in button", "button Log in"),
    ("settings", "radio button for express delivery", "radio Express"),
    ("settings", "volume slider", "slider Volume"),
    ("settings", "date of birth", "textbox Birth date"),
    ("settings", "number of guests", "spinbutton Guests"),
    ("settings", "dark mode toggle", "switch Dark mode"),
    ("settings", "upload a picture", "button Picture"),
    ("settings", "beschaftigung", "textbox Beschäftigung"),
    ("settings", "メール", "textbox メール"),
    ("settings", "検索", "button 検索する"),
    ("settings", "close button", "button Close"),
    ("settings", "notification settings", "tab Notifications"),
    ("bench:dashboard", "collapse sidebar", "button Collapse the side bar"),
    ("bench:docs", "link to the page about timeouts", "link Timeouts"),
    ("bench:editor", "font size input", "textbox Font size"),
    ("bench:editor", "document title", "textbox Title"),
    ("bench:feed", "like the post of Ben Writer", "button 0 Likes. Like", "Ben Writer"),
    ("bench:form", "radio button for filming", "radio Filming"),
    (
        "bench:mail",
        "checkbox of the mail from Ben Castor",
        "checkbox Lunch on Thursday?",
        "Ben Castor",
    ),
    ("bench:map", "website of Café Majestic", "link Visit Café Majestic's website"),
    ("bench:search", "voice search", "button Search by voice"),
    ("bench:shop", "department dropdown", "combobox Search in"),
    ("bench:table", "edit order 48207", "button Edit", "48207"),
    ("bench:table", "select all checkbox", "checkbox Select all"),
]


def html(page: str) -> str:
    if page.startswith("bench:"):
        return (PAGES / f"{page[6:]}.html").read_text("utf-8")
    return {"home": HOME, "people": PEOPLE, "settings": SETTINGS}[page]


def best(browser: Browser, query: str) -> dict[str, Any]:
    found = browser.find(query=query).value["found"]
    return found[0] if found else {"role": "", "name": ""}


@pytest.mark.parametrize("page", sorted({page for page, *_ in QUERIES}))
@pytest.mark.whole
def test_query_finds_the_described_element_first(browser: Browser, site: Site, page: str) -> None:
    browser.goto(site.page("/", html(page)))
    wrong = []
    for of, query, wanted, *context in QUERIES:
        if of != page:
            continue
        first = best(browser, query)
        is_right = f"{first['role']} {first['name']}".startswith(wanted)
        if not is_right or not all(one in first.get("context", "") for one in context):
            wrong.append((query, first))
    assert wrong == [], wrong


def test_query_searches_frames_and_shadow_roots(browser: Browser, site: Site) -> None:
    site.page("/pay", "<label>Card number <input></label>")
    shadow = "<div id=host></div><script>host.attachShadow({mode: 'closed'}).innerHTML = '<button>Voucher</button>'</script>"
    frames = f"<iframe src='{site.there}/pay'></iframe><iframe src='{site.here}/pay'></iframe>"
    browser.goto(site.page("/", f"{frames}{shadow}<input aria-label='Name on card'>"))
    found = browser.find(query="card number").value["found"]
    assert [one["name"] for one in found] == ["Card number", "Card number"]
    assert len({one["frame_id"] for one in found}) == 2
    assert browser.type("42", found[0]["ref"]).status == "ok"
    (only,) = browser.find(query="card number", frame_id=found[1]["frame_id"]).value["found"]
    assert only["ref"] == found[1]["ref"]
    assert best(browser, "the voucher button")["name"] == "Voucher"


def test_query_reports_a_hung_frame_and_searches_the_other_frames(
    own_browser: Browser, site: Site
) -> None:
    browser = own_browser
    site.page("/inner", "<button>Pay</button>")
    browser.goto(site.page("/", f"<button>Pay</button><iframe src='{site.there}/inner'></iframe>"))
    assert browser.find(query="pay").value["total"] == 2
    (frame,) = browser.state.frame_tree.children
    hang(browser, site, frame_id=frame.frame_id)
    found = browser.find(query="pay", timeout_ms=allow(2_000)).value
    assert found["total"] == 1
    assert [one["frame_id"] for one in found["unread"]] == [frame.frame_id]


def test_query_result_shows_models_the_text_around_each_element(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", PEOPLE))
    result = browser.find(query="delete ben")
    ref = result.value["found"][0]["ref"]
    assert f'- button "Delete" [ref={ref}] beside "Ben Jones | Guest | Edit"' in result_words(
        result
    )


def test_query_finds_an_element_by_the_text_beside_it(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", PEOPLE))
    found = browser.find(query="Ben Jones").value["found"]
    assert [(one["name"], one["context"]) for one in found[:2]] == [
        (name, "Ben Jones | Guest | Edit | Delete".replace(f" | {name}", ""))
        for name in ("Edit", "Delete")
    ]


def test_query_without_a_match_says_so(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<button>Buy</button>"))
    result = browser.find(query='flux "capacitor"')
    assert result.value == {"found": [], "total": 0, "unread": []}
    assert result.note.startswith('No element matches "flux \\"capacitor\\"".')


def test_query_returns_at_most_max_elements_and_counts_all(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<button>Buy</button>" * 50))
    found = browser.find(query="buy button").value
    assert (len(found["found"]), found["total"]) == (20, 50)
    assert len(browser.find(query="buy button", max=3).value["found"]) == 3


def test_query_prefers_elements_that_no_dialog_covers(browser: Browser, site: Site) -> None:
    dialog = "<dialog id=d><button>Delete</button></dialog><script>d.showModal()</script>"
    browser.goto(site.page("/", f"<button id=behind>Delete</button>{dialog}"))
    first, second = browser.find(query="delete").value["found"]
    assert browser.inspect(second["ref"]).value["attributes"]["id"] == "behind"
    assert browser.click(first["ref"]).status == "ok"


def test_query_does_not_change_the_next_diff(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<button onclick='this.after(\"More\")'>Buy</button>"))
    browser.click(browser.snapshot().ref("Buy"))
    browser.find(query="buy")
    assert '+ text "More"' in browser.snapshot(diff=True).text


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"query": " "}, "query"),
        ({"query": "a", "css": "b"}, "query"),
        ({"query": "a", "max": 0}, "max"),
    ],
)
def test_find_refuses_a_query_that_it_cannot_answer(
    browser: Browser, site: Site, arguments: dict[str, Any], field: str
) -> None:
    browser.goto(site.page("/", "<p>Text"))
    with pytest.raises(InvalidArgument) as error:
        browser.find(**arguments)
    assert error.value.data["field"] == field
    with pytest.raises(FrameNotFound):
        browser.find(query="text", frame_id="F" * 32)


LANDMARKS = """<header><nav aria-label=Main><a href=/>Home</a></nav><form role=search><input></form></header>
<main><h1>News</h1><form aria-label=Login><input aria-label=Name></form><form><input aria-label=Other></form>
<section aria-label=Latest><p>First</p></section><section><p>Second</p></section>
<ul aria-label=Tags><li>tea</ul><ul><li>coffee</ul><table><caption>Prices</caption><tr><th>Tea<td>3</table>
<div role=dialog aria-label=Cookies><button>Accept</button></div></main>
<aside>Ads</aside><nav hidden aria-label=Hidden></nav><footer>Imprint</footer>"""


def test_landmarks_are_found_in_all_frames_and_read_one_by_one(
    browser: Browser, site: Site
) -> None:
    site.page("/in", "<main aria-label=Inside><button>Pay</button></main>")
    browser.goto(site.page("/", f"{LANDMARKS}<iframe src='{site.there}/in'></iframe>"))
    before = browser.snapshot()
    found = browser.find(role="landmark").value["found"]
    roles = [one["role"] for one in found]
    assert roles == [
        *("banner", "navigation", "search", "main", "form", "region", "list", "table", "dialog"),
        *("complementary", "contentinfo", "main", "navigation"),
    ]
    assert [one["visible"] for one in found] == [True] * 12 + [False]
    refs = {one["name"]: one["ref"] for one in found}
    assert "Home" in browser.snapshot(ref=refs["Main"]).text
    assert "Pay" in browser.snapshot(ref=refs["Inside"]).text
    login = browser.snapshot(ref=refs["Login"], filter="interactive").text
    assert 'textbox "Name"' in login
    assert "Other" not in login
    after = browser.snapshot().text.splitlines()
    assert after[2:-1] == before.text.splitlines()[2:-1]  # without the markers
    assert browser.snapshot(diff=True).text.endswith("Nothing changed since your last snapshot.")
