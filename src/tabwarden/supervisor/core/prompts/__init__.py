"""Prompts: a page's requests to the user, for files, a password or a device.

Each kind of prompt has one file here (with its value, notices, events, answers and texts) and one
field in ``Prompts``. All other code derives the kinds from these fields. Dialogs are in
``handlers`` instead, because they block their page.

To change:

- the kinds of prompts other than dialogs: ``supervisor/core/prompts/``: add one module (the
  prompt's value, events, answers and text) and one field to ``Prompts``, which every interface
  uses. A prompt with choices needs no new action: ``browser_choose`` answers it
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Generic, TypeVar, get_type_hints

import msgspec

from tabwarden.supervisor.core.prompts import in_page
from tabwarden.supervisor.core.prompts.accounts import ACCOUNT_CHOOSER
from tabwarden.supervisor.core.prompts.auth import AUTH, AuthChallenge, AuthRequired, AuthSettled
from tabwarden.supervisor.core.prompts.devices import DEVICE_CHOOSER
from tabwarden.supervisor.core.prompts.file_choosers import (
    FILE_CHOOSER,
    FileChooser,
    FileChooserClosed,
    FileChooserOpened,
)
from tabwarden.supervisor.core.prompts.in_page import answer_command
from tabwarden.supervisor.core.prompts.passkeys import PASSKEY_REQUEST, PasskeyRequest
from tabwarden.supervisor.core.prompts.prompt_kind import PromptKind
from tabwarden.supervisor.core.prompts.save_pickers import SAVE_PICKER
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.prompts import Prompt
from tabwarden.supervisor.core.state.transition import Turn

__all__ = [
    "EVENTS",
    "INPUTS",
    "PROMPT_KINDS",
    "REPLIES",
    "SET_UP",
    "AuthChallenge",
    "AuthRequired",
    "AuthSettled",
    "FileChooser",
    "FileChooserClosed",
    "FileChooserOpened",
    "PasskeyRequest",
    "Prompts",
    "answer_command",
    "kind_of",
    "prompts_json",
]

T = TypeVar("T")


class Prompts(msgspec.Struct, Generic[T], frozen=True, kw_only=True):
    """The waiting prompts, with one field for each kind."""

    file_choosers: Annotated[tuple[T, ...], FILE_CHOOSER] = ()
    auth_challenges: Annotated[tuple[T, ...], AUTH] = ()
    device_choosers: Annotated[tuple[T, ...], DEVICE_CHOOSER] = ()
    account_choosers: Annotated[tuple[T, ...], ACCOUNT_CHOOSER] = ()
    passkey_requests: Annotated[tuple[T, ...], PASSKEY_REQUEST] = ()
    save_pickers: Annotated[tuple[T, ...], SAVE_PICKER] = ()

    def each(self) -> Iterator[tuple[PromptKind[Any], T]]:
        """Yield every waiting prompt, with its kind."""
        return ((kind, one) for row, kind in PROMPT_KINDS.items() for one in getattr(self, row))


PROMPT_KINDS: Mapping[str, PromptKind[Any]] = {
    row: hint.__metadata__[0] for row, hint in get_type_hints(Prompts, include_extras=True).items()
}
"""Maps each field of ``Prompts`` to its kind."""


def kind_of(prompt: Prompt) -> PromptKind[Any]:
    return next(kind for kind in PROMPT_KINDS.values() if kind.prompt is type(prompt))


def prompts_json(prompts: Iterable[Prompt]) -> dict[str, tuple[dict[str, Any], ...]]:
    """Return the unanswered prompts as the interfaces show them, keyed by field of ``Prompts``."""
    waiting = [prompt for prompt in prompts if not prompt.answered]
    return {
        row: tuple(kind.json(one) for one in waiting if type(one) is kind.prompt)
        for row, kind in PROMPT_KINDS.items()
    }


def answer(turn: Turn, input_: inputs.AnswerPrompt) -> None:
    """Answer a prompt, unless the prompt is gone or has already been answered."""
    for prompt in turn.state.prompts:
        if prompt.id == input_.prompt_id and not prompt.answered:
            kind_of(prompt).answer(turn, prompt, input_.answer)


EVENTS = (
    *in_page.EVENTS,
    *(row for kind in PROMPT_KINDS.values() for row in kind.events),
)
INPUTS = (
    (inputs.AnswerPrompt, answer),
    *(row for kind in PROMPT_KINDS.values() for row in kind.inputs),
)
REPLIES = (
    *in_page.REPLIES,
    *(row for kind in PROMPT_KINDS.values() for row in kind.replies),
)
SET_UP = tuple(command for kind in PROMPT_KINDS.values() for command in kind.set_up)
