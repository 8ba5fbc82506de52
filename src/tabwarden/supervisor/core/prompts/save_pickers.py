"""Save pickers: a page asks where to save a file (``showSaveFilePicker``).

The page gets a file of its own private file system, because a page may write any other file only
after a question that nobody sees. When the page has written the file, the browser downloads it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tabwarden.hints import Next
from tabwarden.protocol import runtime
from tabwarden.supervisor.core.prompts.in_page import PagePrompt, follow, send_answer
from tabwarden.supervisor.core.prompts.prompt_kind import PromptKind
from tabwarden.supervisor.core.state.transition import Turn
from tabwarden.supervisor.core.state.values import replace

_SAVE = "save"


class SavePicker(PagePrompt, frozen=True, kw_only=True):
    """A page asks where to save a file. The page's scripts continue to run."""

    name: str
    """The file's name that the page suggests."""


def _reported(turn: Turn, event: runtime.BindingCalled, session_id: str | None) -> None:
    follow(
        turn,
        event,
        session_id,
        SAVE_PICKER,
        lambda _, report: {"name": report.name} if report.type == "save" else None,
    )


def answer(turn: Turn, picker: SavePicker, choice: str | None) -> None:
    """Let the page save its file; None cancels the picker."""
    SAVE_PICKER.put(turn, replace(picker, answered=True))
    send_answer(turn, picker, choice or "")


def _asks(prompt: Mapping[str, Any], quote: Callable[[str], str]) -> str:
    return f": may the page save {quote(prompt['name'])}? Choose {_SAVE}, or cancel"


SAVE_PICKER: PromptKind[SavePicker] = PromptKind(
    prompt=SavePicker,
    letter="s",
    noun="Save picker",
    step=Next("choose", choice=_SAVE),
    asks=_asks,
    hides=frozenset({"number"}),
    choices=lambda one: {_SAVE: one.name},
    answer=answer,
    events=((runtime.BindingCalled, _reported),),
)
