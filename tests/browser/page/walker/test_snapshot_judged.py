# ruff: noqa: E501 - pages, one element after the other
"""The walker's roles and names, compared with Chromium's accessibility tree."""

from __future__ import annotations

from typing import Any

import pytest
from support.reading import walked
from support.site import Site

from tabwarden.sync import Browser

CASES = {
    "text fields": """
        <label>Email <input type=email></label>
        <label for=pw>Password</label><input id=pw type=password>
        <input aria-label="By aria" placeholder=no><input placeholder="By placeholder">
        <input title="By title"><span id=l1>Two</span> <span id=l2>words</span>
        <input aria-labelledby="l1 l2"><textarea aria-label=Notes></textarea>
        <input type=search aria-label=Find><input type=tel aria-label=Phone>
        <input type=number aria-label=Count><input type=range aria-label=Volume>
        <label>Before <input value=inner aria-label=Own> after</label>
        <div contenteditable role=textbox aria-label=Rich>x</div>""",
    "buttons": """
        <button>Plain</button><button><span>Two</span> <b>parts</b></button>
        <button><div>Block</div><div>apart</div></button>
        <button aria-label="Close">x</button><button title="Tip"></button>
        <button><img src=x alt="Picture"></button><button><svg><title>Icon</title></svg></button>
        <input type=submit><input type=submit value=Send><input type=reset><input type=button value=Go>
        <input type=image alt="Map" src=x><div role=button tabindex=0>Div <i>button</i></div>
        <button><span aria-hidden=true>no</span>Yes</button><button hidden>Not there</button>
        <button><span style="display:none">no</span>Seen</button>
        <button disabled>Off</button><button aria-pressed=true>Bold</button>""",
    "links": """
        <a href=/1>One</a> <a href=/2><img src=x alt="Logo"></a> <a href=/3 aria-label="Named">x</a>
        <a href=/4><span>Two</span><span>joined</span></a> <a>No link</a>
        <a href=/5 title="Only title"></a> <span role=link tabindex=0>Role</span>""",
    "choices": """
        <label><input type=checkbox checked> Agree</label><input type=checkbox aria-label=Other>
        <label><input type=radio name=r> Red</label><label><input type=radio name=r checked>Blue</label>
        <div role=switch aria-checked=true tabindex=0>Dark</div>
        <div role=checkbox aria-checked=mixed tabindex=0>Half</div>
        <label>Size <select><option>S<option selected>M</select></label>
        <div role=tablist><div role=tab aria-selected=true tabindex=0>First</div>
        <div role=tab tabindex=-1>Second</div></div>
        <div role=menu><div role=menuitem tabindex=0>Cut</div>
        <div role=menuitemcheckbox aria-checked=true tabindex=0>Wrap</div></div>
        <div role=listbox aria-label=Pick tabindex=0><div role=option aria-selected=true>A</div>
        <div role=option>B</div></div>
        <div role=slider aria-valuenow=3 aria-label=Level tabindex=0></div>
        <div role=spinbutton aria-valuenow=3 aria-label=Years tabindex=0></div>""",
    "headings and landmarks": """
        <header><h1>Top</h1><nav aria-label=Main><a href=/>Home</a></nav></header>
        <main><h2>Part <em>one</em></h2><section aria-label=News><h3>News</h3></section>
        <section><h4>No region</h4></section><article><header>Not banner</header><h5>A</h5></article>
        <aside>Aside</aside><form aria-label=Login>in</form><form>Nameless</form>
        <div role=heading aria-level=4>Said</div><search>s</search>
        <div role=region aria-labelledby=rl><span id=rl>Labelled</span></div></main>
        <footer>Foot</footer>""",
    "images": """
        <img src=x alt="A picture"><img src=x alt=""><img src=x title="Titled">
        <svg role=img aria-label="Chart"></svg><div role=img aria-label="Drawn"></div>
        <figure><img src=x alt=Inner><figcaption>Caption</figcaption></figure>""",
    "hidden and shown": """
        <div hidden><button>h1</button></div><div style="visibility:hidden"><button>h2</button>
        <button style="visibility:visible">Back</button></div>
        <div style="display:contents"><button>Contents</button></div>
        <div aria-hidden=true><button>h3</button></div><div inert><button>h4</button></div>
        <details><summary>Closed</summary><button>h5</button></details>
        <details open><summary>Open</summary><button>Inside</button></details>
        <div style="content-visibility:hidden"><button>h6</button></div>
        <div style="opacity:0"><button>Clear</button></div>""",
    "shadow": """
        <x-box><b>Slotted</b></x-box><script>customElements.define('x-box', class extends HTMLElement {
          constructor() { super(); this.attachShadow({mode: 'open'}).innerHTML =
          '<button>In shadow</button><button><slot></slot></button><label>Lab <input></label>' } })
        </script>""",
    "references": """
        <div role=button tabindex=0 aria-labelledby=hid>own</div><span id=hid hidden>From hidden</span>
        <button id=self aria-label=Self aria-labelledby="self file">x</button><span id=file>File</span>
        <label for=multi>One</label><label for=multi>Two</label><input id=multi>
        <fieldset><legend>Group</legend><label><input type=checkbox>In</label></fieldset>
        <label>Flash <input type=number value=3 aria-label=times> times<input type=checkbox></label>
        <button aria-labelledby=missing>Fallback</button>""",
    "modal dialog": """
        <button>Behind</button><dialog id=d aria-label=Sure><button>OK</button></dialog>
        <script>d.showModal()</script>""",
    "tables": """
        <table><caption>Prices</caption><thead><tr><th>Name<th>Price</thead>
        <tr><th scope=row>Tea<td>3</tr></table>
        <table role=grid aria-label=G><tr><td>c1<td><button>c2</button></tr></table>""",
    "markup that shadows the DOM": """
        <form aria-label=Trap><input name=children aria-label=c><input name=firstChild aria-label=f>
        <input name=getAttribute aria-label=g><input name=localName aria-label=l>
        <img name=elementFromPoint alt=e src=x><button name=nodeType>Go</button></form>""",
    "form controls named twice": """
        <label>Deliver to <select><option>Home<option selected>Work</select> today</label>
        <label aria-label="no effect">Real <input></label>
        <button><label>in button</label></button><output aria-label=Sum>3</output>
        <progress aria-label=Done value=3 max=10></progress><meter aria-label=Heat value=0.5></meter>""",
    "iframes": '<iframe title="Framed" srcdoc="<p>x</p>" width=100 height=100></iframe>',
}

COMPARED = frozenset(
    (
        "button link textbox searchbox checkbox radio combobox listbox option menuitem "
        "menuitemcheckbox tab switch slider spinbutton heading img navigation main banner "
        "contentinfo complementary region form search article figure group table row cell gridcell "
        "columnheader rowheader dialog iframe status progressbar meter tablist menu list listitem"
    ).split()
)
ALIASES = {
    "image": "img", "Iframe": "iframe", "ComboBoxSelect": "combobox", "MenuListPopup": "listbox",
    "SvgRoot": "img", "DisclosureTriangle": "button", "DisclosureTriangleGrouped": "button",
    "InputTime": "textbox", "Date": "textbox", "ColorWell": "button", "Figure": "figure",
    "Canvas": "canvas", "Legend": "generic", "Details": "group",
}  # fmt: skip
# The outline shows the content of these instead of a name made of it, and leaves out what has
# neither a name nor anything in it.
NAMELESS = {"row", "cell", "gridcell", "columnheader", "rowheader", "listitem", "group", "iframe",
            "contentinfo", "complementary", "banner", "article", "status", "list", "figure",
            "search"}  # fmt: skip
# Parts that the outline shows in the parent's line, and unnamed parts that it omits.
SAID_BY = {"combobox": ("option", "listbox"), "button": ("img",), "link": ("img",)}
UNSAID_NAMELESS = ("form", "group", "img")


def judged(browser: Browser) -> list[tuple[str, str]]:
    """``(role, name)`` of every node of Chromium's accessibility tree, in order."""
    value: Any = browser.cdp("Accessibility.getFullAXTree").value
    nodes = {node["nodeId"]: node for node in value["nodes"]}
    found: list[tuple[str, str]] = []

    def visit(node: Any, above: str) -> None:
        role = node.get("role", {}).get("value", "")
        role = ALIASES.get(role, role)
        if not node.get("ignored") and role in COMPARED:
            name = " ".join(node.get("name", {}).get("value", "").split())
            said = role in SAID_BY.get(above, ()) or (not name and role in UNSAID_NAMELESS)
            if not said:
                found.append((role, name))
        for child in node.get("childIds", ()):
            if child in nodes:
                visit(nodes[child], role if role in SAID_BY else above)

    visit(value["nodes"][0], "")
    return found


def named(browser: Browser) -> list[tuple[str, str]]:
    """The walker's ``(role, name)`` pairs."""
    return [(node.role, node.name) for node in walked(browser) if node.role in COMPARED]


def comparable(nodes: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return sorted((role, "" if role in NAMELESS else name) for role, name in nodes)


@pytest.mark.parametrize("case", CASES)
def test_walker_roles_and_names_match_the_accessibility_tree(
    case: str, browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", CASES[case]))
    assert comparable(named(browser)) == comparable(judged(browser))
