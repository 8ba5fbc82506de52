"""Wait conditions and their required permissions."""

from __future__ import annotations

from typing import Any

import pytest

from tabwarden.actions import ACTIONS, prepare
from tabwarden.actions.permissions import permissions_of
from tabwarden.config import BrowserConfig
from tabwarden.errors import InvalidArgument
from tabwarden.page.navigation.wait import condition_of


@pytest.mark.parametrize(
    ("given", "runs"),
    [
        ({"script": "1"}, True),
        ({"any_of": [{"text": "a"}, {"script": "1"}]}, True),
        ({"any_of": [{"text": "a"}, {"script": None, "url": "b"}]}, False),
        ({"text": "a"}, False),
    ],
)
def test_wait_with_a_script_requires_the_scripts_permission(
    given: dict[str, Any], runs: bool
) -> None:
    assert condition_of(**given).runs_script is runs
    assert ("scripts" in permissions_of(ACTIONS["browser_wait"], given)) is runs
    steps = ACTIONS["browser_batch"].check({"steps": [{"tool": "wait", **given}]}).arguments
    assert ("scripts" in permissions_of(ACTIONS["browser_batch"], steps)) is runs


@pytest.mark.parametrize("odd", [1, [], {}, "x", [[]], [{1: 2}], [{"text": 1}], [{"script": {}}]])
def test_wait_any_of_rejects_an_invalid_list_of_conditions(odd: Any) -> None:
    with pytest.raises(InvalidArgument) as refused:
        condition_of(any_of=odd)
    assert refused.value.data["field"].startswith("any_of")
    prepare(BrowserConfig(), "browser_wait", {"any_of": odd})  # never raises
