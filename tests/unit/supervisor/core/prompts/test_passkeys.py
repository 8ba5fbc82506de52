"""Passkeys: the authenticator exists only while it answers a request."""

from __future__ import annotations

import json

import pytest
from support.machine_kit import Play

from tabwarden.protocol import web_authn
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.policy import PromptsScript
from tabwarden.supervisor.core.state.transition import Ask

REMOVAL = "WebAuthn.removeVirtualAuthenticator"


def accepted(play: Play) -> Ask:
    """Let a page ask for a passkey, and the agent create it. Return the ask of the command that
    adds the authenticator."""
    play.open_page()
    play.context(1)
    report = {"kind": "opened", "number": 1, "type": "passkey", "site": "a.test", "new": True}
    about = {"name": "_binding", "executionContextId": 1, "payload": json.dumps(report)}
    play.event("Runtime.bindingCalled", about, "S1")
    (request,) = play.state.prompts
    play.give(inputs.AnswerPrompt(request.id, "create"))
    (ask,) = [
        one.ask
        for one in play.commands
        if isinstance(one.command, web_authn.AddVirtualAuthenticator)
    ]
    assert ask is not None
    return ask


@pytest.mark.parametrize("leaves", ["before the authenticator", "after it"])
def test_authenticator_goes_with_the_document_that_asked_for_it(leaves: str) -> None:
    play = Play.connected(prompts=PromptsScript("_binding", "", "event", is_ours=True))
    ask = accepted(play)
    if leaves == "after it":
        play.reply(ask, {"authenticatorId": "A1"})
        play.navigated("T1", loader="L2")
    else:
        play.navigated("T1", loader="L2")
        play.reply(ask, {"authenticatorId": "A1"})
    assert play.state.prompts == ()
    assert play.sent("S1").count(REMOVAL) == 1
