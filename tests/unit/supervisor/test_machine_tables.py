"""The machine's tables: every input and every expected reply has a handler."""

from __future__ import annotations

from tabwarden.supervisor.core import machine
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.transition import Ask


def test_every_state_machine_input_has_a_handler() -> None:
    given = {one for one in vars(inputs).values() if isinstance(one, type)}
    wanted = {one for one in given if issubclass(one, inputs.Input)} - {inputs.Input}
    assert machine.INPUTS.keys() == wanted


def test_every_expected_state_machine_reply_has_a_handler() -> None:
    assert machine.REPLIES.keys() == set(Ask.__subclasses__())


def test_frame_navigated_revives_the_tab_before_it_changes_the_frames() -> None:
    _, handlers = machine.EVENTS["Page.frameNavigated"]
    assert [one.__module__.rsplit(".", 1)[1] for one in handlers] == [
        "requests",
        "targets",
        "outgoing",
        "frames",
        "page_tools",
    ]
