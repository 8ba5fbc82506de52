"""A browser that opens no tab in time: the error suggests the next step."""

from __future__ import annotations

import pytest
from support.memory_wire import MemoryWire, supervised

from tabwarden.budget import Budget
from tabwarden.errors import BudgetExceeded
from tabwarden.page.navigation.tabs import tabs
from tabwarden.page.task.task import Task

pytestmark = pytest.mark.anyio


async def test_timeout_while_a_tab_opens_includes_a_hint() -> None:
    wire = MemoryWire()
    wire.silent.add("Target.createTarget")
    supervisor = await supervised(wire)
    try:
        with pytest.raises(BudgetExceeded) as raised:
            await tabs(Task(supervisor), Budget(50), "open")
    finally:
        await supervisor.stop()
    assert "Try again" in raised.value.hint
