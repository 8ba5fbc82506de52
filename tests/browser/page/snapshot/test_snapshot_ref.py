"""Looking up a ref by element name, for scripts written for a known page."""

from __future__ import annotations

import pytest
from support.site import Site

import tabwarden
from tabwarden.errors import InvalidArgument, UnknownRef
from tabwarden.sync import Browser

PAGE = """<label>Username: <input></label><label>Password * <input type=password></label>
<label>City (optional) <input></label><button>Send</button><button>Send:</button>
<label>E-mail <input></label><label>E-mail: <input></label><label>e-mail <input></label>"""


@pytest.fixture
def page(browser: Browser, site: Site) -> tabwarden.Snapshot:
    browser.goto(site.page("/", PAGE))
    return browser.snapshot()


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Username", "Username:"),
        ("Username:", "Username:"),
        ("password", "Password *"),
        ("City", "City (optional)"),
        ("Send", "Send"),
        ("E-mail", "E-mail"),
    ],
)
def test_snapshot_ref_lookup_ignores_state_markers_after_a_name(
    name: str, found: str, page: tabwarden.Snapshot
) -> None:
    assert page.refs[page.ref(name)]["name"] == found


def test_snapshot_ref_lookup_rejects_a_name_shared_by_several_elements(
    page: tabwarden.Snapshot,
) -> None:
    with pytest.raises(InvalidArgument, match="3 elements"):
        page.ref("E-MAIL")
    with pytest.raises(UnknownRef):
        page.ref("*")
