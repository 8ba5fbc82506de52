"""Django's admin: select2 in place of a select, two list boxes, a calendar, a confirmation page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.applications import free_port, python_packages, serving
from support.reading import ref_of

from tabwarden.sync import Browser

pytestmark = [pytest.mark.long, pytest.mark.calm]

PROGRAM = Path(__file__).with_name("apps") / "django_admin.py"
PERMISSION = "Authentication and Authorization | group | Can add group"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    python = python_packages("django==5.2.8") / "python"
    port = str(free_port())
    address = f"http://127.0.0.1:{port}/admin/"
    with serving([python, PROGRAM, port], address, tmp_path_factory.mktemp("django")) as url:
        yield url


@pytest.fixture
def admin(browser: Browser, url: str) -> Browser:
    """The browser on the page of the user bob."""
    browser.goto(f"{url}auth/user/2/change/")
    snapshot = browser.snapshot()
    if "Log in" in snapshot.text:
        known = {"Username:": "ann", "Password:": "secret"}
        browser.fill_form([{"ref": snapshot.ref(k), "value": v} for k, v in known.items()])
        browser.press("Enter")
        browser.wait(text="Important dates")
    return browser


def saved(browser: Browser, expression: str) -> object:
    """Save the user; return the value of the script on the page that Django then shows."""
    browser.click(browser.snapshot(full=True).ref("Save and continue editing"))
    browser.wait(text="was changed successfully")
    return browser.evaluate(expression).value


@pytest.mark.parametrize("verb", ["select", "fill_form"])
def test_select_and_fill_form_choose_options_in_a_select2_field(admin: Browser, verb: str) -> None:
    ref = ref_of(admin.snapshot(full=True), 'near="Groups"')
    labels = ["Writers", "Editors"] if verb == "select" else ["Readers", "Editors"]
    if verb == "select":
        assert admin.select(ref, labels=labels).value == {"selected": labels}
    else:
        admin.fill_form([{"ref": ref, "value": labels}])
    chosen = saved(admin, "[...document.querySelectorAll('#id_groups :checked')].map(o => o.text)")
    assert sorted(map(str, chosen if isinstance(chosen, list) else [])) == sorted(labels)


def test_click_moves_the_selected_option_to_the_other_list_box(admin: Browser) -> None:
    snapshot = admin.snapshot(full=True)
    admin.select(ref_of(snapshot, 'listbox "Available user'), labels=PERMISSION)
    admin.click(admin.snapshot(full=True).ref("Choose selected user permissions"))
    assert saved(admin, "document.querySelector('#id_user_permissions_to').length") == 1


def test_click_on_a_calendar_day_fills_the_date_field(admin: Browser) -> None:
    lines = [
        line for line in admin.snapshot(full=True).text.splitlines() if "Choose a Date" in line
    ]
    opener = re.search(r"ref=(e\d+)", lines[1])
    assert opener is not None
    diff = admin.click(opener[1], snapshot="diff").snapshot
    assert diff is not None
    day = re.search(r'link "17" \[ref=(e\d+)\]', diff.text)
    assert day is not None, diff.text
    admin.click(day[1])
    assert str(saved(admin, "document.querySelector('#id_date_joined_0').value")).endswith("-17")


def test_snapshot_shows_a_row_checkbox_with_the_rows_text_as_its_name(
    admin: Browser, url: str
) -> None:
    admin.goto(f"{url}auth/user/?q=bob")
    assert re.search(r'row: checkbox "[^"]*bob[^"]*"', admin.snapshot(full=True).text)
