"""The soak takes minutes on one worker and little CPU, so it starts before all other tests."""

from __future__ import annotations

import pytest


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.name != "test_short_soak_finds_no_growth")
