"""Names, roles and states of the walker: as the standards have them, and as Chromium has them.

Where these two differ is listed with the reason, in docs/names.md.
"""

from __future__ import annotations

from typing import Any

import pytest
from support.accname.differences import (
    AGREED_LATER,
    NAME_DIFFERENCES,
    PAGE,
    ROLE_DIFFERENCES,
    SAME_ROLES,
    STATE_DIFFERENCES,
    listed,
)
from support.accname.judge import Told, by_chromium, by_walker
from support.accname.names import NAMES
from support.accname.pages import page_of
from support.accname.roles import ROLES
from support.accname.states import STATES
from support.site import Site

from tabwarden.sync import Browser

NOWHERE = Told(role="none")


@pytest.mark.parametrize("group", NAMES)
def test_walker_computes_names_like_the_accname_standard_and_chromium(
    group: str, browser: Browser, site: Site
) -> None:
    cases = NAMES[group]
    browser.goto(site.page("/", page_of(page for page, _ in cases)))
    walker, chromium = by_walker(browser), by_chromium(browser)
    said = {page: walker[str(n)].name for n, (page, _) in enumerate(cases)}
    assert said == dict(cases)
    walking = by_walker(browser, walking=True)
    assert {page: walking[str(n)].name for n, (page, _) in enumerate(cases)} == said
    judged = {
        page: chromium[str(n)].name if str(n) in chromium else None
        for n, (page, _) in enumerate(cases)
    }
    listed = {p: NAME_DIFFERENCES[p][0] for p, _ in cases if p in NAME_DIFFERENCES}
    listed |= {p: name for p, name in cases if p in AGREED_LATER and judged[p] == name}
    assert judged == dict(cases) | listed


@pytest.mark.parametrize("group", ROLES)
def test_walker_computes_roles_like_the_aria_standard_and_chromium(
    group: str, browser: Browser, site: Site
) -> None:
    cases = ROLES[group]
    browser.goto(site.page("/", page_of(page for page, _ in cases)))
    walker, chromium = by_walker(browser), by_chromium(browser)
    assert {page: walker[str(n)].role for n, (page, _) in enumerate(cases)} == dict(cases)
    judged = {page: chromium.get(str(n), NOWHERE).role for n, (page, _) in enumerate(cases)}
    listed = {p: ROLE_DIFFERENCES[p][0] for p, _ in cases if p in ROLE_DIFFERENCES}
    wanted = dict(cases) | listed
    assert {p: same(role, wanted[p]) for p, role in judged.items()} == wanted


def same(role: str, wanted: str) -> str:
    """Map a Chromium role to ours; roles that mean nothing become generic."""
    role = SAME_ROLES.get(role, role)
    nothing = {"none", "generic"}
    return wanted if role in nothing and wanted in nothing else role


@pytest.mark.parametrize("group", STATES)
def test_walker_computes_states_like_the_aria_standard_and_chromium(
    group: str, browser: Browser, site: Site
) -> None:
    cases = STATES[group]
    browser.goto(site.page("/", page_of(page for page, _ in cases)))
    walker, chromium = by_walker(browser), by_chromium(browser)
    assert {page: walker[str(n)].states for n, (page, _) in enumerate(cases)} == dict(cases)
    judged = {page: comparable(chromium[str(n)]) for n, (page, _) in enumerate(cases)}
    wanted = {
        page: STATE_DIFFERENCES[page][0]
        if page in STATE_DIFFERENCES
        else {key: value for key, value in states.items() if key in COMPARED}
        for page, states in cases
    }
    assert judged == wanted


COMPARED = set(
    "checked pressed expanded selected disabled required readonly invalid level modal haspopup "
    "multiselectable busy description".split()
)
WORDS = {"true": True, "false": False}


def comparable(told: Told) -> dict[str, Any]:
    """Map Chromium's states to ours; false states are omitted, except for toggles."""
    toggled = {"checked", "pressed", "expanded"}
    drops_down = told.role == "combobox"
    found: dict[str, Any] = {"description": told.description} if told.description else {}
    for key, value in told.states.items():
        key, value = key.lower(), WORDS.get(value, value)
        if drops_down and key in {"expanded", "haspopup"}:
            continue  # each select has it, so the outline shows its options instead
        if key in COMPARED and (value or key in toggled):
            found[key] = value
    return found


def test_documented_differences_from_chromium_are_up_to_date() -> None:
    text = PAGE.read_text("utf-8")
    assert text.endswith(listed()), "run python tests/support/accname/differences.py"
    tables = [NAMES, ROLES, STATES]
    for differences, table in zip(
        (NAME_DIFFERENCES, ROLE_DIFFERENCES, STATE_DIFFERENCES), tables, strict=True
    ):
        wanted = {page: said for cases in table.values() for page, said in cases}  # type: ignore[attr-defined]
        assert differences.keys() <= wanted.keys()
        assert all(wanted[page] != said for page, (said, _) in differences.items())
