"""Account choosers: a page offers "Sign in with ..." (FedCM), and the browser lists the accounts.

Chromium reports the chooser on the session of the page, or of the frame of another site. The page
continues to run. In the API's active mode, however, the chooser's window takes all input of the
tab until the chooser is answered (Chromium 156; a headless shell 153 rejects active mode).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from tabwarden.hints import Next
from tabwarden.protocol import Command, fed_cm
from tabwarden.supervisor.core.prompts.prompt_kind import PromptKind
from tabwarden.supervisor.core.state.prompts import Prompt
from tabwarden.supervisor.core.state.transition import Turn
from tabwarden.supervisor.core.state.values import replace

_MOST = 20
"""How many accounts to show."""
_LONGEST = 120
"""The maximum length of a shown text, in characters."""
_BUTTONS = {
    "ConfirmIdpLogin": ("ConfirmIdpLoginContinue", "Continue to the login page"),
    "Error": ("ErrorGotIt", "Close the error message"),
}
"""The button of each dialog without accounts, with a description."""


class Account(msgspec.Struct, frozen=True):
    id: str
    """The account's email address, or another unique name."""
    name: str


class AccountChooser(Prompt, frozen=True, kw_only=True):
    """A page asks which account to sign in with. The page's scripts continue to run."""

    dialog_id: str
    dialog_type: str
    title: str
    accounts: tuple[Account, ...]


def opened(turn: Turn, event: fed_cm.DialogShown, session_id: str | None) -> None:
    session = turn.state.session(session_id)
    if session is None or event.dialog_type == "AutoReauthn":  # that dialog closes by itself
        return
    ACCOUNT_CHOOSER.drop(turn, lambda one: one.session_id == session_id)
    frame_id = turn.state.frame_id_of(session)
    button = _BUTTONS.get(event.dialog_type)
    accounts = (Account(*button),) if button is not None else _accounts(event)
    ACCOUNT_CHOOSER.open(
        turn,
        session,
        frame_id=frame_id,
        dialog_id=event.dialog_id,
        dialog_type=event.dialog_type,
        title=" ".join(filter(None, (event.title, event.subtitle)))[:_LONGEST],
        accounts=accounts,
    )


def _accounts(event: fed_cm.DialogShown) -> tuple[Account, ...]:
    """Return the accounts. Each has its email address as ID, unless another account has it too."""
    emails = [one.email for one in event.accounts]
    return tuple(
        Account(
            (one.email if emails.count(one.email) == 1 else one.account_id)[:_LONGEST],
            one.name[:_LONGEST],
        )
        for one in event.accounts[:_MOST]
    )


def closed(turn: Turn, event: fed_cm.DialogClosed, session_id: str | None) -> None:
    ACCOUNT_CHOOSER.drop(
        turn, lambda one: (one.session_id, one.dialog_id) == (session_id, event.dialog_id)
    )


def answer(turn: Turn, chooser: AccountChooser, account_id: str | None) -> None:
    """Sign in with an account, or press the dialog's button; None cancels the chooser."""
    dialog_id = chooser.dialog_id
    command: Command[Any] = fed_cm.DismissDialog(dialog_id=dialog_id)
    if account_id is not None and chooser.dialog_type in _BUTTONS:
        command = fed_cm.ClickDialogButton(dialog_id=dialog_id, dialog_button=account_id)
    elif account_id is not None:
        index = [one.id for one in chooser.accounts].index(account_id)
        command = fed_cm.SelectAccount(dialog_id=dialog_id, account_index=index)
    ACCOUNT_CHOOSER.put(turn, replace(chooser, answered=True))
    turn.send(command, chooser.session_id)


def _asks(prompt: Mapping[str, Any], quote: Callable[[str], str]) -> str:
    offered = (f"{quote(one['id'])} ({quote(one['name'])})" for one in prompt["accounts"])
    title = f": {quote(prompt['title'])}" if prompt["title"] else ""
    return f"{title} with {', '.join(offered) or 'no account'}"


ACCOUNT_CHOOSER: PromptKind[AccountChooser] = PromptKind(
    prompt=AccountChooser,
    letter="ac",
    noun="Account chooser",
    step=Next("choose", choice="..."),
    asks=_asks,
    hides=frozenset({"dialog_id", "dialog_type"}),
    choices=lambda one: {account.id: account.name for account in one.accounts},
    answer=answer,
    may_cover=True,
    events=((fed_cm.DialogShown, opened), (fed_cm.DialogClosed, closed)),
    set_up=(fed_cm.Enable(disable_rejection_delay=True),),
)
