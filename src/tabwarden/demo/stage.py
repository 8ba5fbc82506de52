"""The objects that the scripted agent's steps share: the shop, the browser, and the printer."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from tabwarden.browser import Browser
from tabwarden.demo.reading import has_line
from tabwarden.demo.server import ShopServer
from tabwarden.demo.surprise import Surprise
from tabwarden.demo.telling import Teller
from tabwarden.errors import TabwardenError
from tabwarden.page import Snapshot
from tabwarden.supervisor.core.state.dialog_values import PendingDialog

POLL_S = 0.02
"""The pause between checks of the page."""
ELEMENT_WAIT_S = 10.0
"""How long the demo waits for a page element or a dialog that its script needs."""
T = TypeVar("T")
E = TypeVar("E", bound=TabwardenError)


@dataclass
class Stage:
    """The objects that all steps share.

    Attributes:
        output: the folder for pictures. It exists.
        opened: the browser, after a step has launched it.
        titles: the titles of the steps that have run, keyed by name.
        pictures: the picture files written so far.
    """

    shop: ShopServer
    teller: Teller
    output: Path
    headed: bool = False
    opened: Browser | None = None
    titles: dict[str, str] = field(default_factory=dict)
    pictures: list[Path] = field(default_factory=list)

    @property
    def browser(self) -> Browser:
        """The browser. Raises ``Surprise`` if no step has launched it yet."""
        if self.opened is None:
            raise Surprise("No browser is open.", "The step that opens the browser must run first.")
        return self.opened

    async def call(
        self, words: str, call: Awaitable[T], came_of_it: Callable[[T], str] | None = None
    ) -> T:
        """Make a call, and print the call and its duration."""
        with self.teller.doing(words) as deed:
            result = await call
            deed.came_of_it = came_of_it(result) if came_of_it else ""
        return result

    async def refused(self, words: str, kind: type[E], call: Awaitable[object]) -> E:
        """Make and print a call that must fail with a certain error. Return the error.

        Raises:
            Surprise: the call succeeded.
        """
        with self.teller.doing(words) as deed:
            try:
                result = await call
            except kind as error:
                deed.came_of_it = error.code
                return error
            raise Surprise(
                f"That call should have failed with {kind.code}, but returned {result!r}."
            )

    async def look(self) -> Snapshot:
        return await self.call("snapshot", self.browser.snapshot(), _size_of)

    async def look_until(self, role: str, name: str) -> Snapshot:
        """Take snapshots until one has this element. Raise ``Surprise`` if it does not appear."""
        until = time.monotonic() + ELEMENT_WAIT_S
        with self.teller.doing(f'snapshot until there is a {role} "{name}"') as deed:
            for looks in range(1, 10_000):
                seen = await self.browser.snapshot()
                if has_line(seen.text, role, name):
                    deed.came_of_it = f"{_size_of(seen)}, look {looks}"
                    return seen
                if time.monotonic() > until:
                    break
                await asyncio.sleep(POLL_S)
            raise Surprise(f"No {role} {name!r} appeared within {ELEMENT_WAIT_S:.0f} s.")

    async def picture(self, name: str) -> None:
        """Save a picture of the whole page in the output folder."""
        path = self.output / name
        await self.call(
            f"screenshot to {path}",
            self.browser.screenshot(path, full_page=True),
            lambda taken: f"{len(taken.data):,} bytes of {taken.format}",
        )
        self.pictures.append(path)

    async def next_dialog(self) -> PendingDialog:
        """Wait until the state shows a dialog, without calling the browser.

        Raises:
            Surprise: no dialog appeared.
        """
        until = time.monotonic() + ELEMENT_WAIT_S
        with self.teller.doing("wait and poll the state") as deed:
            while time.monotonic() < until:
                for dialog in self.browser.state.pending_dialogs:
                    deed.came_of_it = f"found {dialog.type} {dialog.id}"
                    return dialog
                await asyncio.sleep(POLL_S)
            raise Surprise(f"No dialog appeared within {ELEMENT_WAIT_S:.0f} s.")

    async def tidy(self) -> None:
        """Dismiss open dialogs after a failed step, so that they don't block the next step."""
        if self.opened is None or not self.opened.is_open:
            return
        for dialog in self.opened.state.pending_dialogs:
            with contextlib.suppress(TabwardenError):
                await self.opened.dialog("dismiss", dialog_id=dialog.id)

    async def close(self) -> None:
        if self.opened is not None:
            await self.opened.close()


@dataclass(frozen=True)
class Step:
    """One step of the story.

    Attributes:
        name: the step's name in other steps' ``needs``.
        about: an explanation in a sentence or two.
        needs: the steps that must have succeeded before this step.
    """

    name: str
    title: str
    about: str
    run: Callable[[Stage], Awaitable[None]]
    needs: tuple[str, ...] = ()


def _size_of(seen: Snapshot) -> str:
    lines = seen.text.count("\n") + 1
    return f"{lines} lines, {len(seen.refs)} refs" + (", marked stale" if seen.stale else "")
