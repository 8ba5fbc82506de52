"""Text, values and dates in third-party field libraries."""

from __future__ import annotations

import re
from functools import partial
from http.server import BaseHTTPRequestHandler

import pytest
from support.applications import bundle, npm_packages
from support.site import Site

from tabwarden.errors import NotInteractable
from tabwarden.sync import Browser

pytestmark = [pytest.mark.long, pytest.mark.whole]

PAGE = """<label>F<input id=f ATTRIBUTES></label><label id=l>S<select id=s><option>Apple<option>Pear
</select></label><div id=d style="width:200px;margin:40px"></div><script src=/script.js></script>"""
LIBRARIES = {
    "autonumeric": ("autonumeric@4.10.10", "import A from 'autonumeric'; new A(f);"),
    "cleave": ("cleave.js@1.6.0", "import C from 'cleave.js'; new C(f, {numeral: true});"),
    "imask": (
        "imask@7.6.1",
        "import I from 'imask';"
        " I(f, {mask: Number, scale: 2, radix: '.', thousandsSeparator: ','});",
    ),
    "inputmask": ("inputmask@5.0.10", "import I from 'inputmask'; I('currency').mask(f);"),
    "flatpickr": ("flatpickr@4.6.13", "import F from 'flatpickr'; F(f);"),
    "air": ("air-datepicker@3.6.0", "import A from 'air-datepicker'; new A(f);"),
    "pikaday": ("pikaday@1.8.2", "import P from 'pikaday'; new P({field: f});"),
    "nouislider": (
        "nouislider@15.8.1",
        "import N from 'nouislider'; N.create(d, {start: 30, range: {min: 0, max: 100},"
        " handleAttributes: [{'aria-label': 'Volume'}]});",
    ),
    "choices": ("choices.js@11.2.4", "import C from 'choices.js'; new C(s);"),
}
STYLES = {
    "flatpickr": "dist/flatpickr.css",
    "air": "air-datepicker.css",
    "nouislider": "dist/nouislider.css",
    "choices": "public/assets/styles/choices.css",
}


def script(body: bytes, to: BaseHTTPRequestHandler) -> None:
    to.send_response(200)
    to.send_header("Content-Type", "text/javascript; charset=utf-8")
    to.send_header("Content-Length", str(len(body)))
    to.end_headers()
    to.wfile.write(body)


def opened(library: str, browser: Browser, site: Site, attributes: str = "") -> str:
    """Open a page with a library's field ``F``; return the snapshot's text."""
    package, source = LIBRARIES[library]
    folder = npm_packages(package)
    site.pages["/script.js"] = partial(script, bundle(folder, source).encode())
    style = ""
    if library in STYLES:
        path = folder / "node_modules" / package.partition("@")[0] / STYLES[library]
        style = f"<style>{path.read_text('utf-8')}</style>"
    browser.goto(site.page("/", style + PAGE.replace("ATTRIBUTES", attributes)))
    return browser.snapshot().text


@pytest.mark.parametrize("way", ["type", "fill"])
@pytest.mark.parametrize("library", ["autonumeric", "cleave", "imask", "inputmask"])
def test_masked_field_keeps_a_number_after_it_loses_focus(
    library: str, way: str, browser: Browser, site: Site
) -> None:
    opened(library, browser, site)
    if way == "type":
        browser.type("1234.56", browser.snapshot().ref("F"))
    else:
        (filled,) = browser.fill_form([{"ref": "F", "value": "1234.56"}]).value["filled"]
        assert filled == {"ref": "F", "value": "1,234.56"}
    browser.evaluate("document.activeElement.blur()")
    assert browser.evaluate("f.value").value == "1,234.56"


@pytest.mark.parametrize("library", ["flatpickr", "air", "pikaday"])
def test_type_into_a_read_only_date_field_suggests_choosing_a_day(
    library: str, browser: Browser, site: Site
) -> None:
    opened(library, browser, site, attributes="readonly")
    with pytest.raises(NotInteractable, match="Click it, take a snapshot, and choose there"):
        browser.fill_form([{"ref": "F", "value": "2024-05-06"}])


@pytest.mark.parametrize("library", ["flatpickr", "air", "pikaday"])
def test_snapshot_gives_a_ref_to_each_calendar_day(
    library: str, browser: Browser, site: Site
) -> None:
    opened(library, browser, site, attributes="readonly")
    browser.click(browser.snapshot().ref("F"))
    text = browser.snapshot().text
    days = re.findall(r'"(?:\w+ )?(\d+)(?:, \d+)?" \[ref=', text)
    assert {str(day) for day in range(1, 29)} <= {*days}


def test_fill_form_finds_a_field_by_label_after_its_library_renamed_it(
    browser: Browser, site: Site
) -> None:
    opened("pikaday", browser, site)
    browser.click(browser.snapshot().ref("F"))
    assert "arrow keys" in browser.snapshot().text
    (filled,) = browser.fill_form([{"ref": "F", "value": "2024-05-06"}]).value["filled"]
    assert filled["ref"] == "F"


def test_press_reports_the_new_value_of_a_custom_slider(browser: Browser, site: Site) -> None:
    opened("nouislider", browser, site)
    ref = browser.snapshot().ref("Volume")
    browser.focus(ref)
    assert 'slider "Volume" shows "40.00"' in browser.press("ArrowRight").effect
    (filled,) = browser.fill_form([{"ref": ref, "value": 72}]).value["filled"]
    assert filled["value"] == "70.00"
    assert "closest number" in filled["note"]


def test_note_about_a_hidden_select_identifies_its_visible_control(
    browser: Browser, site: Site
) -> None:
    opened("choices", browser, site)
    (filled,) = browser.fill_form([{"ref": "css=#s", "value": "Pear"}]).value["filled"]
    assert filled["value"] == ["Pear"]
    assert "This <select> element is hidden" in filled["note"]
