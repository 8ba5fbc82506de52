"""Which browser a session opens: a profile is for a browser that Tabwarden launches."""

from __future__ import annotations

import asyncio

import pytest

from tabwarden.actions.sessions import Way, session_of
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig
from tabwarden.errors import InvalidArgument

NOBODY = "http://127.0.0.1:9"


@pytest.mark.parametrize(
    ("config", "way", "field"),
    [
        ({"endpoint": NOBODY, "profile": "work"}, Way(), "browser.profile"),
        ({"endpoint": "fleet:"}, Way(profile="work"), "profile"),
        ({"endpoint": "fleet:"}, Way(restore="shop"), "restore"),
        ({}, Way(endpoint=NOBODY, profile="work"), "profile"),
    ],
)
def test_session_open_rejects_a_profile_for_a_browser_that_it_does_not_launch(
    config: dict[str, str], way: Way, field: str
) -> None:
    session = session_of(BrowserConfig.model_validate(config))
    with pytest.raises(InvalidArgument) as refused:
        asyncio.run(session.open(way, Budget(5_000)))
    assert refused.value.data["field"] == field
