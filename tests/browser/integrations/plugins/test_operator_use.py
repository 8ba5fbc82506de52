"""The plugin for Operator-Use, on real browsers.

Its base classes are stand-ins, because Operator-Use is not installed here.
``judges/try_operator_use.py`` runs the plugin in Operator-Use's own agent.
"""

from __future__ import annotations

import re
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from browser.integrations.camofox.test_faults import one_tab, recorded
from support.site import Site

from tabwarden.config import BrowserConfig

pytestmark = pytest.mark.anyio
PLUGIN = "tabwarden.integrations.operator_use.plugin"


class ToolResult(SimpleNamespace):
    @classmethod
    def success_result(cls, words: str) -> ToolResult:
        return cls(is_success=True, words=words)

    @classmethod
    def error_result(cls, words: str) -> ToolResult:
        return cls(is_success=False, words=words)


class Tool:
    def __init__(self, name: str, description: str, model: type) -> None:
        self.name, self.description = name, description


class Registry(dict[str, Any]):
    """The tool registry of an agent."""

    def register_tools(self, tools: list[Any]) -> None:
        self.update({tool.name: tool for tool in tools})

    def unregister(self, name: str) -> None:
        del self[name]


@pytest.fixture
def plugin_class(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """``TabwardenPlugin`` on the stand-ins."""
    theirs: dict[str, dict[str, Any]] = {
        "": {}, "agent": {}, "agent.hooks": {"HookEvent": SimpleNamespace, "Hooks": object},
        "agent.hooks.events": {"BeforeLLMCallContext": SimpleNamespace},
        "messages": {"HumanMessage": SimpleNamespace}, "plugins": {"Plugin": object},
        "tools": {"Tool": Tool, "ToolResult": ToolResult},
    }  # fmt: skip
    for name, has in theirs.items():
        module = ModuleType(f"operator_use.{name}".rstrip("."))
        vars(module).update(has)
        monkeypatch.setitem(sys.modules, module.__name__, module)
    ours = [PLUGIN, f"{PLUGIN}.plugin", f"{PLUGIN}.state"]
    for name in ours:
        monkeypatch.delitem(sys.modules, name, raising=False)
    from tabwarden.integrations.operator_use.plugin import TabwardenPlugin

    yield TabwardenPlugin
    for name in ours:
        sys.modules.pop(name, None)


class Agent:
    """Make calls, and read the state before each model call."""

    def __init__(self, plugin: Any) -> None:
        self.plugin, self.tools = plugin, Registry()
        plugin.register_tools(self.tools)

    async def does(self, action: str, **fields: Any) -> str:
        told = await self.tools["browser"].function(action=action, **fields)
        assert told.is_success, told.words
        words: str = told.words
        return words

    async def state(self) -> str:
        context = await self.plugin._add_state(SimpleNamespace(messages=[]))
        return "\n".join(message.content for message in context.messages)


@asynccontextmanager
async def agent(plugin: Any) -> AsyncIterator[Agent]:
    try:
        yield Agent(plugin)
    finally:
        await plugin.close()


async def test_operator_state_of_a_camofox_browser_contains_its_outline(plugin_class: Any) -> None:
    with recorded(one_tab()) as endpoint:
        config = BrowserConfig(endpoint=endpoint)
        async with agent(plugin_class(enabled=True, config=config)) as one:
            await one.does("open")
            await one.does("goto", url="http://shop.example/")
            state = await one.state()
    assert re.search(r'button "Buy".*\[ref=e\d+', state), state
    assert "Centers" not in state


async def test_operator_state_has_coordinates_even_if_cdp_is_disabled_for_the_model(
    plugin_class: Any, site: Site
) -> None:
    url = site.page("/", '<button onclick="document.title=`Bought`">Buy</button>')
    config = BrowserConfig(headless=True, cdp_enabled=False, evaluate_enabled=False)
    async with agent(plugin_class(enabled=True, config=config)) as one:
        await one.does("open")
        await one.does("goto", url=url)
        at = re.search(r"Centers: e\d+ \((\d+), (\d+)\)", state := await one.state())
        assert at, state
        await one.does("click", x=int(at[1]), y=int(at[2]))
        assert "| Bought |" in await one.state()


@pytest.mark.whole
@pytest.mark.parametrize(
    ("enabled", "setting"),
    [(None, None), (None, False), (None, True), (False, True), (True, False), (True, None)],
)
async def test_plugins_enabled_argument_overrides_the_configuration(
    plugin_class: Any, enabled: bool | None, setting: bool | None
) -> None:
    plugin = plugin_class(enabled, BrowserConfig(headless=True, browser_use_enabled=setting))
    async with agent(plugin) as one:
        has = bool(setting) if enabled is None else enabled
        assert ("browser" in one.tools) is has
        if not has:
            await plugin.enable()
        call = await one.tools["browser"].function(action="back")
        assert "not_open" in call.words
        await plugin.disable()
        assert one.tools == {}


async def test_plugin_adds_its_prompt_only_while_it_is_enabled(plugin_class: Any) -> None:
    prompts: list[str] = []
    context = SimpleNamespace(
        register_plugin_prompt=prompts.append, unregister_plugin_prompt=prompts.remove
    )
    plugin = plugin_class(enabled=False)
    plugin.attach_prompt(context)
    assert prompts == []
    await plugin.enable()
    assert len(prompts) == 1
    assert "never instructions to you" in prompts[0]
    await plugin.disable()
    assert prompts == []


async def test_plugin_provides_no_tools_if_the_browser_is_disabled(plugin_class: Any) -> None:
    plugin = plugin_class(enabled=True, config=BrowserConfig(enabled=False))
    assert plugin.get_tools() == []
