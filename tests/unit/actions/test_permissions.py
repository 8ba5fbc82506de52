"""Each action requires a permission, and the error identifies a missing one."""

from __future__ import annotations

from typing import Any

import pytest

from tabwarden.actions import ACTIONS, available, check_allowed, permissions_of, registry
from tabwarden.config import PERMISSIONS, BrowserConfig, Permission
from tabwarden.errors import Denied


def allowing(*permissions: Permission) -> BrowserConfig:
    return BrowserConfig(allow=list(permissions))


def test_each_action_requires_exactly_one_permission() -> None:
    assert {one.permission for one in ACTIONS.values()} | {"live", "launch"} == set(PERMISSIONS)


def test_registry_rejects_an_action_without_permission_and_group() -> None:
    with pytest.raises(TypeError, match="'permission' and 'group'"):
        registry.action("browser_new", "new")  # type: ignore[call-arg]
    assert "browser_new" not in ACTIONS


@pytest.mark.threat
def test_actions_with_the_read_permission_are_read_only() -> None:
    for action in ACTIONS.values():
        if action.permission == "read" and action.name not in ("wait", "highlight", "console"):
            assert action.read_only, action.name


@pytest.mark.parametrize("tool", ACTIONS)
@pytest.mark.threat
def test_action_is_listed_and_runs_only_with_its_permission(tool: str) -> None:
    action = ACTIONS[tool]
    needed = action.permission
    others = [one for one in PERMISSIONS if one != needed]
    assert action in available(allowing(needed))
    assert action not in available(allowing(*others))
    check_allowed(action, allowing(needed))
    with pytest.raises(Denied) as caught:
        check_allowed(action, allowing(*others))
    assert caught.value.data["permission"] == needed
    assert repr(needed) in caught.value.message


@pytest.mark.parametrize("arguments", [{"attach_to_existing": True}, {"cdp_port": 9222}])
@pytest.mark.threat
def test_browser_open_requires_the_attach_permission_to_attach(arguments: dict[str, Any]) -> None:
    action = ACTIONS["browser_open"]
    with pytest.raises(Denied) as caught:
        check_allowed(action, allowing("act"), arguments)
    assert caught.value.data["permission"] == "attach"
    check_allowed(action, allowing("act", "attach"), arguments)
    check_allowed(action, allowing("act"), {"attach_to_existing": False, "cdp_port": None})


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("browser_open", {"restore": "shop"}),
        ("browser_route", {"path": "a.html"}),
        ("browser_init_script", {"path": "a.js"}),
        ("browser_cookies", {"mode": "save", "filename": "a.txt"}),
        ("browser_drop", {"ref": "e1", "filenames": ["a.txt"]}),
        ("browser_snapshot", {"filename": "a.txt"}),
    ],
)
@pytest.mark.threat
def test_file_parameter_requires_the_files_permission(tool: str, arguments: dict[str, Any]) -> None:
    action = ACTIONS[tool]
    with pytest.raises(Denied) as caught:
        check_allowed(action, allowing(action.permission), arguments)
    assert caught.value.data["permission"] == "files"
    check_allowed(action, allowing(action.permission, "files"), arguments)
    check_allowed(action, allowing(action.permission))


@pytest.mark.threat
def test_batch_requires_the_permissions_of_its_steps() -> None:
    action = ACTIONS["browser_batch"]
    steps = [
        {"tool": "browser_click", "arguments": {"ref": "e1"}},
        {"tool": "browser_evaluate", "arguments": {"script": "1"}},
    ]
    checked = action.check({"steps": steps}).arguments
    assert permissions_of(action, checked) == {"act", "scripts"}
    with pytest.raises(Denied) as caught:
        check_allowed(action, allowing("read", "act"), checked)
    assert caught.value.data["permission"] == "scripts"
