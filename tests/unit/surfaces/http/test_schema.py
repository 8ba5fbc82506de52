"""The HTTP API's tables, without a server: fields, parameters, targets."""

from __future__ import annotations

import pytest

from tabwarden.control_api import KINDS, NoSuchTab, tab_named
from tabwarden.errors import InvalidArgument
from tabwarden.supervisor.core import SupervisorSnapshot
from tabwarden.supervisor.core.snapshots import FrameTree
from tabwarden.supervisor.core.state.state import Health
from tabwarden.supervisor.core.state.tabs import Tab
from tabwarden.surfaces.http.routes import SERVED


def test_every_http_field_is_camel_case_and_described() -> None:
    for shape in (*KINDS.values(), *(served.shape for served in SERVED)):
        schema = shape.schema()
        assert {"timeoutMs"} <= set(schema["properties"]), shape.name
        for name, field in schema["properties"].items():
            assert "_" not in name
            assert field["description"], (shape.name, name)


def test_http_fields_become_valid_action_parameters() -> None:
    given = {
        "click": {"ref": "e1", "doubleClick": True},
        "clickCoords": {"x": 1, "y": 2, "doubleClick": False},
        "type": {"text": "a", "ref": "e1", "slowly": True, "submit": True},
        "drag": {"startRef": "e1", "endX": 1, "endY": 2},
        "fill": {"fields": [{"ref": "e1", "type": "text", "value": "a"}]},
        "wait": {"timeMs": 500},
        "evaluate": {"fn": "1", "ref": "e1"},
        "close": {"targetId": "t1"},
    }
    for kind, fields in given.items():
        shape = KINDS[kind]
        arguments = shape.check({**fields, "timeoutMs": 5})
        shape.action.check(arguments)
        assert arguments["timeout_ms"] == 5
    assert KINDS["wait"].check(given["wait"]) == {"time_s": 0.5}
    assert KINDS["type"].check(given["type"])["clear"] is False


def test_each_action_parameter_maps_back_to_its_http_field() -> None:
    assert KINDS["drag"].field_of("from_ref") == "startRef"
    assert KINDS["wait"].field_of("time_s") == "timeMs"
    assert KINDS["wait"].field_of("fields[0]") == "fields[0]"


def test_tab_lookup_finds_a_tab_by_tab_id_or_target_id_prefix() -> None:
    tabs = tuple(
        Tab(tab_id=tab_id, target_id=target_id, session_id=None, url="", title="")
        for tab_id, target_id in (("t1", "ABC1"), ("t2", "ABD2"))
    )
    state = SupervisorSnapshot(
        task_id="task", health=Health(), tabs=tabs, active_tab_id="t1", pending_dialogs=(),
        recent_dialogs=(), frame_tree=FrameTree(top=None), frame_trees={}, sessions={},
        console_errors=(), downloads=(), file_choosers=(), auth_challenges=(), notes=(),
        permissions=(),
    )  # fmt: skip
    for name, tab_id in (("t2", "t2"), ("ABD2", "t2"), ("abc", "t1"), ("ABC1", "t1")):
        assert tab_named(state, name) == tab_id
    for name in ("t3", "", "XYZ", "ABC12"):
        with pytest.raises(NoSuchTab, match="t1"):
            tab_named(state, name)
    with pytest.raises(InvalidArgument, match="Several") as caught:
        tab_named(state, "ab")
    assert caught.value.data == {"field": "targetId", "tabs": ["t1", "t2"]}
