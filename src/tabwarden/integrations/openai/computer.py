"""Drivers for ``openai.lib.computer``, with a tab as the screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tabwarden.integrations.openai.screen import AsyncDriving, SyncDriving, openai_computer
from tabwarden.surfaces.frameworks.extra import needs
from tabwarden.tools.forms import data_url

with needs("openai", "openai", at_least="3.31"):
    from openai.lib.computer import AsyncComputerToolset, ComputerToolset

__all__ = ["AsyncOpenAIComputer", "OpenAIComputer"]


def _fields(name: str, action: Any) -> dict[str, Any]:
    """Return an action's fields. The SDK has checked their types."""
    fields = action.model_dump(exclude={"type"}, exclude_none=True)
    if name == "drag":
        fields["path"] = [(point["x"], point["y"]) for point in fields["path"]]
    known = openai_computer.table[name].form.parameters.model_fields
    return {field: value for field, value in fields.items() if field in known}


class OpenAIComputer(SyncDriving):
    """A driver of ``openai.lib.computer.ComputerToolset`` with a tab's viewport as the screen.

    ``driver.toolset().run(client, {"model": ..., "input": ...})``. Use ``with OpenAIComputer() as
    driver``, and ``driver.open(url)`` first, because the computer has no address bar.

    An action's result is only a screenshot. It shows a waiting dialog, and a click on its button
    answers it. A strip at its bottom names popups and errors, such as a page that hung. Only fields
    that are not valid raise an error, which ends the run.

    Args:
        source: as for ``tabwarden.tools.Tools``: an open ``Browser``, a configuration, or None.
        dialogs: ``ask``: the model answers dialogs. ``dismiss`` or ``accept``: Tabwarden does, and
            the next result says so. An open ``Browser`` keeps its own policy.
        function_tools: which tools of ours a program may offer beside the computer.

    Raises:
        InvalidArgument: an argument is not valid.
        NotSupported: the extra ``computer`` is not installed.
    """

    def toolset(self) -> ComputerToolset:
        """Return the SDK's toolset with this driver."""
        return ComputerToolset(self)  # type: ignore[arg-type]

    def screenshot(self) -> Any:
        """Return a picture. See ``openai.lib.computer.ComputerDriver``."""
        return {"type": "computer_screenshot", "image_url": data_url(self._look())}


class AsyncOpenAIComputer(AsyncDriving):
    """A driver of ``openai.lib.computer.AsyncComputerToolset``. See ``OpenAIComputer``.

    Use ``async with AsyncOpenAIComputer() as driver``.
    """

    def toolset(self) -> AsyncComputerToolset:
        """Return the SDK's toolset with this driver."""
        return AsyncComputerToolset(self)  # type: ignore[arg-type]

    async def screenshot(self) -> Any:
        """Return a picture. See ``openai.lib.computer.AsyncComputerDriver``."""
        return {"type": "computer_screenshot", "image_url": data_url(await self._look())}


def _add_actions() -> None:
    """Give both drivers a method for each action, because the SDK looks for methods."""

    def sync_action(name: str) -> Callable[..., Any]:
        def action_method(self: OpenAIComputer, action: Any) -> None:
            self._act(name, **_fields(name, action))

        return action_method

    def async_action(name: str) -> Callable[..., Any]:
        async def action_method(self: AsyncOpenAIComputer, action: Any) -> None:
            await self._act(name, **_fields(name, action))

        return action_method

    for name, one in openai_computer.table.items():
        if name == "screenshot":
            continue
        for driver, method in (
            (OpenAIComputer, sync_action(name)),
            (AsyncOpenAIComputer, async_action(name)),
        ):
            method.__name__, method.__doc__ = name, one.about
            setattr(driver, name, method)


_add_actions()
