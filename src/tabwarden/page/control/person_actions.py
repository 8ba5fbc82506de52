"""Summarize for the agent what a person did while in control. The summary never contains typed
text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tabwarden.page.text import address
from tabwarden.supervisor.core.state.state import SupervisorState

_MOST = 3
"""The maximum number of URLs in the summary, and of answers."""


class _TabUrl(NamedTuple):
    url: str
    documents: int


class PersonActions:
    """The actions of one person since they took control."""

    def __init__(self, state: SupervisorState) -> None:
        self._before = _urls(state)
        self._after: dict[str, _TabUrl] | None = None
        self._fields: set[tuple[str, int]] = set()
        self._clicks = 0
        self._keys = 0
        self._answers: list[str] = []

    def add_field(self, world: str, element: int) -> None:
        """Count a field that the person typed in. Fields are identified by their world and their ID
        in that world."""
        self._fields.add((world, element))

    def add_click(self) -> None:
        self._clicks += 1

    def add_key(self) -> None:
        """Count a key press that typed no text into a field."""
        self._keys += 1

    def add_answer(self, prompt_id: str) -> None:
        """Count the answer to a dialog or another prompt."""
        if prompt_id not in self._answers:
            self._answers.append(prompt_id)

    def end(self, state: SupervisorState) -> None:
        """Stop observing, because control has ended."""
        self._after = _urls(state)

    def summary(self) -> str:
        """Summarize the actions for the agent: ``went to https://..., typed in 2 fields (values
        hidden), answered d-3``."""
        return ", ".join(self._parts()) or "did nothing"

    def _parts(self) -> Iterator[str]:
        yield from _navigations(self._before, self._after or self._before)
        if self._fields:
            yield f"typed in {_count(len(self._fields), 'field')} (values hidden)"
        if self._clicks:
            yield f"clicked {_count(self._clicks, 'time')}"
        if self._keys and not self._fields:
            yield f"pressed {_count(self._keys, 'key')}"
        if self._answers:
            ids = ", ".join(self._answers[:_MOST])
            more = len(self._answers) - _MOST
            yield f"answered {ids}" + (f" and {more} more" if more > 0 else "")


def _urls(state: SupervisorState) -> dict[str, _TabUrl]:
    return {
        tab_id: _TabUrl(state_url(state, tab_id), state.documents_in(tab_id))
        for tab_id in state.tabs
    }


def state_url(state: SupervisorState, tab_id: str) -> str:
    top = state.top_frame(tab_id)
    return top.url if top is not None else state.tabs[tab_id].url


def _navigations(before: dict[str, _TabUrl], now: dict[str, _TabUrl]) -> Iterator[str]:
    moved = []
    for tab_id, current in now.items():
        earlier = before.get(tab_id)
        where = f" in {tab_id}" if len(now) > 1 else ""
        if earlier is None:
            moved.append(f"opened {address(current.url)}{where}")
        elif current.url != earlier.url:
            moved.append(f"went to {address(current.url)}{where}")
        elif current.documents != earlier.documents:
            moved.append(f"loaded the page again{where}")
    moved += [f"closed {tab_id}" for tab_id in before if tab_id not in now]
    yield from moved[:_MOST]
    if len(moved) > _MOST:
        yield f"and more in {len(moved) - _MOST} other tabs"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
