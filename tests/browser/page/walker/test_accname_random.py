"""Random pages: interactive elements have the role and name that Chromium computes."""

from __future__ import annotations

import pytest
from support.accname.differences import SAME_ROLES
from support.accname.grammar import random_page
from support.accname.judge import Told, by_chromium, outlined
from support.site import Site

from tabwarden.sync import Browser

PAGES = 200
AT_ONCE = 25

INTERACTIVE = frozenset(
    (
        "button link textbox searchbox checkbox radio combobox listbox option menuitem "
        "menuitemcheckbox menuitemradio tab switch slider spinbutton treeitem scrollbar"
    ).split()
)
# The outline folds the only text in one of these, which have no name from it, into its line; and
# leaves the content of a tree item inside of it instead of making it the name.
FOLDED = frozenset("textbox searchbox combobox listbox slider spinbutton scrollbar".split())
UNFOLDED = frozenset(["treeitem"])


def comparable(told: dict[str, Told]) -> dict[str, tuple[str, str]]:
    """``{n: (role, name)}``. White space between inline pieces is left open by accname, and goes by
    boxes of the layout in Chromium, so it is not compared; the written cases do."""
    named = {n: (SAME_ROLES.get(one.role, one.role), one.name) for n, one in told.items()}
    return {
        n: (role, "".join(name.split())) for n, (role, name) in named.items() if role in INTERACTIVE
    }


def folded(ours: tuple[str, str], theirs: tuple[str, str]) -> bool:
    (role, _), (wanted_role, wanted_name) = ours, theirs
    return role == wanted_role and ((role in FOLDED and not wanted_name) or role in UNFOLDED)


@pytest.mark.parametrize("first", range(0, PAGES, AT_ONCE))
def test_walker_roles_and_names_match_chromium_on_random_pages(
    first: int, browser: Browser, site: Site
) -> None:
    pages = [random_page(seed) for seed in range(first, first + AT_ONCE)]
    browser.goto(site.page("/", "\n".join(pages)))
    walker, chromium = comparable(outlined(browser)), comparable(by_chromium(browser))
    assert len(chromium) >= 10
    assert walker.keys() == chromium.keys()
    differing = {n: (ours, chromium[n]) for n, ours in walker.items() if ours != chromium[n]}
    assert {n: pair for n, pair in differing.items() if not folded(*pair)} == {}
