"""The state machine's device choosers: opened, filled, answered, closed."""

from __future__ import annotations

from typing import Any

import pytest
from support.machine_kit import Play

from tabwarden.protocol import device_access
from tabwarden.supervisor.core.prompts import PROMPT_KINDS, prompts_json
from tabwarden.supervisor.core.prompts.devices import DeviceChooser, DeviceChosen
from tabwarden.supervisor.core.state import inputs, notices

KIND = PROMPT_KINDS["device_choosers"]


def asked(play: Play, *devices: str, request: str = "R1", on: str = "S1") -> None:
    listed = [{"id": device, "name": f"The {device}"} for device in devices]
    play.event("DeviceAccess.deviceRequestPrompted", {"id": request, "devices": listed}, on)


def answers(play: Play) -> list[Any]:
    """The answers, with their sessions."""
    kinds = (device_access.SelectPrompt, device_access.CancelPrompt)
    return [(s.command, s.session_id) for s in play.commands if isinstance(s.command, kinds)]


def waiting(play: Play) -> list[str]:
    return [one.id for one in play.state.prompts if not one.answered]


def test_every_session_enables_device_choosers(one_tab: Play) -> None:
    one_tab.oopif()
    on = [s.session_id for s in one_tab.commands if isinstance(s.command, device_access.Enable)]
    assert on == ["S1", "SF"]


def test_device_chooser_stays_open_and_lists_devices_that_the_browser_finds(one_tab: Play) -> None:
    asked(one_tab)
    words = [
        KIND.words(one, repr) for one in prompts_json(one_tab.state.prompts)["device_choosers"]
    ]
    assert words == ["Device chooser dc-1 is waiting in tab t1 for a device: none found yet"]
    asked(one_tab, "a")
    asked(one_tab, "a", "b")
    (chooser,) = one_tab.state.prompts_of(DeviceChooser)
    assert (chooser.id, chooser.tab_id, chooser.frame_id) == ("dc-1", "t1", "T1")
    (shown,) = prompts_json(one_tab.state.prompts)["device_choosers"]
    assert shown["devices"] == ({"id": "a", "name": "The a"}, {"id": "b", "name": "The b"})
    assert "request_id" not in shown
    assert KIND.words(shown, repr).endswith("for a device: 'a' 'The a', 'b' 'The b'")
    assert [one.prompt.id for one in one_tab.told(notices.PromptOpened)] == ["dc-1"]


@pytest.mark.parametrize(
    ("given", "command"),
    [
        ("a", device_access.SelectPrompt(id="R1", device_id="a")),
        (None, device_access.CancelPrompt(id="R1")),
    ],
)
def test_device_answer_is_sent_once_and_closes_the_chooser(
    given: str | None, command: Any, one_tab: Play
) -> None:
    asked(one_tab, "a")
    for _ in range(2):
        one_tab.give(inputs.AnswerPrompt("dc-1", given))
    assert answers(one_tab) == [(command, "S1")]
    assert waiting(one_tab) == []
    one_tab.reply(DeviceChosen("dc-1"))
    assert one_tab.state.prompts == ()
    assert [one.prompt_id for one in one_tab.told(notices.PromptClosed)] == ["dc-1"]


@pytest.mark.parametrize(
    ("error", "left"),
    [("Cannot find device with deviceId", ["dc-1"]), ("Cannot find request with id", [])],
)
def test_device_chooser_stays_open_when_the_chosen_device_is_gone(
    error: str, left: list[str], one_tab: Play
) -> None:
    asked(one_tab, "a")
    one_tab.give(inputs.AnswerPrompt("dc-1", "a"))
    one_tab.reply(DeviceChosen("dc-1"), error=error)
    assert waiting(one_tab) == left
    assert len(one_tab.state.prompts) == len(left)


def test_next_device_chooser_on_a_page_cancels_the_previous_one(one_tab: Play) -> None:
    one_tab.oopif()
    asked(one_tab, "a")
    asked(one_tab, "a", request="R2", on="SF")
    asked(one_tab, "a", request="R3")
    assert answers(one_tab) == [(device_access.CancelPrompt(id="R1"), "S1")]
    assert waiting(one_tab) == ["dc-2", "dc-3"]


@pytest.mark.parametrize(
    "over",
    [lambda play: play.navigated(loader="L2"), lambda play: play.detach("S1")],
    ids=["another document", "its session ends"],
)
def test_device_chooser_closes_with_its_document(over: Any, one_tab: Play) -> None:
    asked(one_tab, "a")
    over(one_tab)
    assert one_tab.state.prompts == ()


def test_device_chooser_on_an_unknown_session_is_ignored(one_tab: Play) -> None:
    asked(one_tab, "a", on="S9")
    assert one_tab.state.prompts == ()
