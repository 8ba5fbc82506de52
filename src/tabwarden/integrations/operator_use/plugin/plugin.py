"""TabwardenPlugin: Operator-Use's tool ``browser``, and the page's state before each model call.

Operator-Use imports this module, so its classes are available.
"""

from __future__ import annotations

from typing import Any

from operator_use.agent.hooks import HookEvent, Hooks
from operator_use.agent.hooks.events import BeforeLLMCallContext
from operator_use.messages import HumanMessage
from operator_use.plugins import Plugin
from operator_use.tools import Tool, ToolResult
from pydantic import BaseModel, ConfigDict

from tabwarden.actions import Session, session_of
from tabwarden.actions import Tool as ShownTool
from tabwarden.config import BrowserConfig
from tabwarden.integrations.operator_use.dialect import OperatorTools
from tabwarden.integrations.operator_use.plugin.state import state_text

_DIALECT = OperatorTools()
_TOOL = "browser"


def _tools_of(config: BrowserConfig, session: Session) -> list[ShownTool]:
    """Return the tool ``browser``, or nothing. Operator-Use has its own ``control_center``."""
    return [tool for tool in _DIALECT.tools(config, session) if tool.name == _TOOL]


class _AnyCall(BaseModel):
    """Accepts every call, because Tabwarden validates the call and reports an invalid field."""

    model_config = ConfigDict(extra="allow")


class _BrowserTool(Tool):  # type: ignore[misc]
    def __init__(self, config: BrowserConfig, session: Session) -> None:
        (tool,) = _tools_of(config, session)
        super().__init__(tool.name, tool.description, _AnyCall)
        self._config, self._session = config, session
        self._schema = tool.input_schema
        self.function = self._run

    @property
    def json_schema(self) -> dict[str, Any]:
        return {"name": self.name, "description": self.description, "parameters": self._schema}

    async def _run(self, **arguments: Any) -> Any:
        # Operator-Use passes its own objects together with the model's arguments.
        call = {name: value for name, value in arguments.items() if not name.startswith("_")}
        answer = await _DIALECT.prepare(self._config, _TOOL, call).run(self._session)
        make_result = ToolResult.error_result if answer.is_error else ToolResult.success_result
        return make_result(answer.words)


class TabwardenPlugin(Plugin):  # type: ignore[misc]
    """Gives an Operator-Use agent the tool ``browser``.

    Args:
        enabled: whether the agent has the tool; overrides ``config``. Default:
            ``browser_use_enabled`` in ``config``, and false if that is not set, as in Operator-Use.
        config: the browser and its policy. Default: Tabwarden's defaults.
    """

    name = "browser_use"

    def __init__(self, enabled: bool | None = None, config: BrowserConfig | None = None) -> None:
        config = _DIALECT.obeyed(config or BrowserConfig())
        self._enabled = bool(config.browser_use_enabled) if enabled is None else enabled
        # From here on, only the plugin hides the tool.
        self._config = config.model_copy(update={"browser_use_enabled": True})
        self.session = session_of(self._config, auto_open=_DIALECT.auto_open)
        self.session.name_call = _DIALECT.call
        self._registry: Any = None
        self._hooks: Hooks | None = None
        self._context: Any = None

    def get_tools(self) -> list[Tool]:
        """Return the tool; nothing if the configuration turns the browser off."""
        tools = _tools_of(self._config, self.session)
        return [_BrowserTool(self._config, self.session)] if tools else []

    def get_system_prompt(self) -> str | None:
        """Return the tool's instructions, which say that page content is data; None if the tool is
        hidden."""
        return _DIALECT.instructions if self._enabled else None

    def attach_prompt(self, context: Any) -> None:
        self._context = context
        if self._enabled:
            context.register_plugin_prompt(_DIALECT.instructions)

    def detach_prompt(self, context: Any) -> None:
        context.unregister_plugin_prompt(_DIALECT.instructions)

    def register_tools(self, registry: Any) -> None:
        self._registry = registry
        if self._enabled:
            registry.register_tools(self.get_tools())

    def unregister_tools(self, registry: Any) -> None:
        if registry.get(_TOOL) is not None:
            registry.unregister(_TOOL)

    def register_hooks(self, hooks: Hooks) -> None:
        """Add the page's state to each model call. The agent's history never contains it."""
        self._hooks = hooks
        if self._enabled:
            hooks.register(HookEvent.BEFORE_LLM_CALL, self._add_state)

    def unregister_hooks(self, hooks: Hooks) -> None:
        hooks.unregister(HookEvent.BEFORE_LLM_CALL, self._add_state)

    async def enable(self) -> None:
        """Give the agent the tool, its instructions and the state (``control_center`` calls
        this)."""
        if self._enabled:
            return
        self._enabled = True
        if self._registry is not None:
            self.register_tools(self._registry)
        if self._hooks is not None:
            self.register_hooks(self._hooks)
        if self._context is not None:
            self.attach_prompt(self._context)

    async def disable(self) -> None:
        """Remove the tool, its instructions and the state. The browser stays open."""
        self._enabled = False
        if self._registry is not None:
            self.unregister_tools(self._registry)
        if self._hooks is not None:
            self.unregister_hooks(self._hooks)
        if self._context is not None:
            self.detach_prompt(self._context)

    async def close(self) -> None:
        """Close the browser, if one is open."""
        await self.session.close()

    async def _add_state(self, context: BeforeLLMCallContext) -> BeforeLLMCallContext:
        text = await state_text(self._config, self.session)
        if text:
            context.messages.append(HumanMessage(content=text))
        return context
