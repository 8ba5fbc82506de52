"""The comparison of drivers: its rules for results, and its tables. A driver that hangs does not
hang the judge."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from support.needs import require
from support.toolset_rules import AnthropicRules, OpenAIRules

require("vendor-sdks", "linux")

from bench.rivals.installed import Installed  # noqa: E402 - it needs the SDKs
from judges.drivers import process  # noqa: E402
from judges.drivers.__main__ import main  # noqa: E402
from judges.drivers.process import DriverProcess, NoAnswer  # noqa: E402
from judges.drivers.ring import Findings  # noqa: E402
from judges.drivers.scenes import SCENES, Note  # noqa: E402
from judges.drivers.table import failures, markdown  # noqa: E402

TAB = {"tab_id": "t1", "title": "Shop", "url": "http://shop.example/", "active": True}
STATE = {"type": "browser_state", "tabs": [TAB]}
TEXT = {"type": "text", "text": "Clicked."}


def claude(member: str, content: Any, **fields: Any) -> list[str]:
    call = {"id": "toolu_1", "name": member, "toolset_name": "browser"}
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": content}
    return AnthropicRules().breaches(call, {**result, "toolset_name": "browser", **fields})


@pytest.mark.parametrize(
    ("member", "content", "fields", "breach"),
    [
        ("left_click", [TEXT, STATE], {}, None),
        ("left_click", [TEXT], {"is_error": True}, None),
        ("list_tabs", [STATE], {}, None),
        ("left_click", [TEXT, STATE], {"toolset_name": None}, "does not echo"),
        ("left_click", [STATE, TEXT], {}, "not the last"),
        ("left_click", [TEXT], {}, "0 browser_state blocks"),
        ("left_click", [TEXT, STATE], {"is_error": True}, "an error has the blocks"),
        ("new_tab", [TEXT, STATE], {}, "a tab member's result"),
        ("left_click", [{**TEXT, "text": "no /root/a.txt"}, STATE], {}, "names a local path"),
        ("read_page", [{**TEXT, "text": "see /root/a.txt"}, STATE], {}, None),
        ("left_click", [TEXT, {**STATE, "tabs": [TAB, TAB]}], {}, "two tabs have one id"),
        ("left_click", [TEXT, {**STATE, "tabs": [{**TAB, "active": False}]}], {}, "0 of 1 tabs"),
        ("left_click", [TEXT, {**STATE, "state_changes": []}], {}, "an empty list"),
        (
            "left_click",
            [TEXT, {**STATE, "state_changes": [{"type": "tab_opened", "tab_id": "t9"}]}],
            {},
            "not in the tabs",
        ),
        (
            "left_click",
            [TEXT, {**STATE, "tabs": [{**TAB, "tab_id": f"t{at}"} for at in range(101)]}],
            {},
            "101 tabs",
        ),
    ],
)
def test_rules_of_anthropics_api_find_each_breach(
    member: str, content: Any, fields: dict[str, Any], breach: str | None
) -> None:
    found = claude(member, content, **fields)
    if breach is None:
        assert found == []
    else:
        assert any(breach in one for one in found), found


def openai(rules: OpenAIRules, at: int, **body: Any) -> list[str]:
    call_id = f"call_{at}"
    text = json.dumps({"ok": True, "result": "Clicked.", **body})
    output = {
        "type": "function_call_output", "call_id": call_id,
        "output": [{"type": "input_text", "text": text}],
    }  # fmt: skip
    return rules.breaches({"call_id": call_id, "name": "browser_click"}, output)


def observed(*tabs: str, dropped: int = 0, **more: Any) -> dict[str, Any]:
    changes = [
        {"type": "tab_opened", "sequence": dropped + at + 1, "tab_id": tab}
        for at, tab in enumerate(tabs)
    ]
    observation = {
        "version": 1, "sequence": dropped + len(tabs), "dropped_changes": dropped,
        "title_truncated": False, "changes": changes, **more,
    }  # fmt: skip
    tab = {"id": "t1", "title": "Shop", "url": "http://shop.example", "active": True}
    return {"tabs": [tab], "observation": observation}


def test_rules_of_openais_sdk_allow_a_window_that_grows_and_loses_its_oldest_entries() -> None:
    rules = OpenAIRules()
    states = [observed("a"), observed("a", "b"), observed("b", "c", dropped=1)]
    assert [openai(rules, at, state=state) for at, state in enumerate(states)] == [[], [], []]


@pytest.mark.parametrize(
    ("state", "breach"),
    [
        (observed("a", "x"), "change 2 is another"),
        (observed("a"), "went back"),
        (observed("a", "b", sequence=5), "is not 0 dropped + 2 changes"),
        ({"tabs": observed()["tabs"]}, "the observation is gone"),
    ],
)
def test_rules_of_openais_sdk_follow_the_observation_over_a_run(
    state: dict[str, Any], breach: str
) -> None:
    rules = OpenAIRules()
    assert openai(rules, 1, state=observed("a", "b")) == []
    assert any(breach in one for one in openai(rules, 2, state=state))


def test_rules_of_openais_sdk_find_an_ok_that_has_an_error() -> None:
    assert openai(OpenAIRules(), 1, error="no") == ["browser_click: a success has an error"]


FOUND = [
    Findings(
        "tabwarden",
        "openai",
        [Note("members", True, "click"), Note("hangs", True, "click: calls of 6.0 s", 6.0)],
    ),
    Findings(
        "stagehand",
        "openai",
        [
            Note("members", False, "click: the page did not report | click"),
            Note("hangs", False, "click: no answer in 32 s", 32.0),
            Note("late", False, "click (no answer in 32 s)"),
        ],
    ),
]


def test_table_counts_what_works_and_lists_what_does_not() -> None:
    text = markdown(FOUND)
    assert "| members that work | 1 of 1 | 0 of 1 |" in text
    assert "1 of 1, longest call 6 s | 0 of 1, longest call 32 s" in text
    assert "| calls without an answer in 32 s | 0 | 1 |" in text
    assert failures(FOUND[0]) == []
    assert r"- members: click: the page did not report \| click" in failures(FOUND[1])


def test_table_says_that_a_driver_was_not_run() -> None:
    absent = Findings("stagehand", "openai", absent="it did not start")
    assert "| members that work | 1 of 1 | not run |" in markdown([FOUND[0], absent])


def test_each_scene_names_the_rows_that_it_fills() -> None:
    assert all(rows for rows, _ in SCENES.values())


def test_driver_that_hangs_does_not_hang_the_judge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker = tmp_path / "worker.py"
    worker.write_text('import time\nprint("{}", flush=True)\ntime.sleep(600)\n')
    monkeypatch.setattr(process, "WORKER", worker)
    monkeypatch.setattr(process, "STOP_S", 0.1)
    began = time.monotonic()
    with DriverProcess("tabwarden", "openai", "none", Installed(tmp_path)) as driver:
        with pytest.raises(NoAnswer, match="no answer in"):
            driver.order("call", wait_s=0.1, id="1", name="click", input={})
        pid = driver.pid
    assert not Path(f"/proc/{pid}").exists()
    assert time.monotonic() - began < 60


def test_driver_that_is_not_installed_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="not installed"):
        DriverProcess("stagehand", "openai", "none", Installed(tmp_path))


def test_command_refuses_an_unknown_scene(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--only", "lamp"])
    assert "hang-click" in capsys.readouterr().err
