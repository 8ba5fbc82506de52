"""Parsing of a command line into an action's arguments."""

from __future__ import annotations

import io
from typing import Any

import pytest

from tabwarden.actions import ACTIONS
from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.command_table import command_named, table
from tabwarden.surfaces.command_table.arguments import Parsed, parsed
from tabwarden.surfaces.command_table.options import LAUNCH, OPENING
from tabwarden.surfaces.command_table.steps import steps_of

TABLE = table()

DEEP = "[" * 200_000


def read(line: list[str]) -> Parsed:
    return parsed(line[0], TABLE["commands"][line[0]], line[1:])


@pytest.mark.parametrize(
    ("line", "arguments"),
    [
        (["click", "e3"], {"ref": "e3"}),
        (["click", "--x", "-5", "--y=7.5"], {"x": -5.0, "y": 7.5}),
        (["click", "e3", "--modifier", "Shift", "--modifiers=Alt"],
         {"ref": "e3", "modifiers": ["Shift", "Alt"]}),
        (["type", "e4", "some text", "--press-enter"],
         {"ref": "e4", "text": "some text", "press_enter": True}),
        (["type", "some text"], {"text": "some text"}),
        (["type", "--text", "e4"], {"text": "e4"}),
        (["type", "e4", "--", "--clear"], {"ref": "e4", "text": "--clear"}),
        (["type", "css=input", "-"], {"ref": "css=input", "text": "-"}),
        (["type", "e4", "x", "--press_enter"], {"ref": "e4", "text": "x", "press_enter": True}),
        (["menu", "e7", "Austria", "Bhutan"], {"ref": "e7", "labels": ["Austria", "Bhutan"]}),
        (["upload", "a.txt", "b.txt"], {"filenames": ["a.txt", "b.txt"]}),
        (["upload", "@e5", "a.txt"], {"ref": "@e5", "filenames": ["a.txt"]}),
        (["scroll", "up", "300"], {"direction": "up", "amount": 300.0}),
        (["tab"], {}),
        (["tab", "open", "https://a.example"], {"mode": "open", "url": "https://a.example"}),
        (["tab", "close", "t2"], {"mode": "close", "tab_id": "t2"}),
        (["dialog", "accept", "--prompt-text", ""], {"action": "accept", "prompt_text": ""}),
        (["fill", '[{"ref": "e1", "value": true}]'],
         {"fields": [{"ref": "e1", "value": True}]}),
        (["fill", "e1=a=b", "Zip code=", "css=[name=x]=7", "e3=One", "e3=Two"],
         {"fields": [{"ref": "e1", "value": "a=b"}, {"ref": "Zip code", "value": ""},
                     {"ref": "css=[name=x]", "value": "7"},
                     {"ref": "e3", "value": ["One", "Two"]}]}),
        (["cdp", "Page.enable", "{}"], {"method": "Page.enable", "params": {}}),
        (["script", "f", "--arg", "1", "--arg", "one"], {"script": "f", "args": [1, "one"]}),
        (["pdf", "--no-background", "--margin-mm", "[1, 2, 3, 4]"],
         {"background": False, "margin_mm": [1, 2, 3, 4]}),
        (["resize", "800", "600"], {"width": 800, "height": 600}),
        (["wait", "--text", "Thanks", "--timeout-ms", "500"],
         {"text": "Thanks", "timeout_ms": 500.0}),
        (["wait", "--download"], {"download": True}),
        (["wait", "--download", "--filename", "a.pdf"], {"download": True, "filename": "a.pdf"}),
        (["wait", "--download", "dl-3"], {"download": "dl-3"}),
        (["wait", "--download=true"], {"download": True}),
        (["emulate", "--network", "Slow 3G"], {"network": "Slow 3G"}),
        (["mouse", "click", "10", "20"], {"mode": "click", "x": 10, "y": 20}),
        (["page-tool", "add", '{"a": 1}'], {"name": "add", "arguments": {"a": 1}}),
        (["init-script", "remove", "i-1"], {"mode": "remove", "script_id": "i-1"}),
        (["emulate", "--network", '{"latency_ms": 9}'], {"network": {"latency_ms": 9}}),
        (["route", "**/a", "--body", "x"], {"url": "**/a", "body": "x"}),
        (["route", "remove", "ro-1"], {"mode": "remove", "route_id": "ro-1"}),
        (["type", "e4", "-9", "--clear"], {"ref": "e4", "text": "-9", "clear": True}),
    ],
    ids=" ".join,
)  # fmt: skip
def test_command_line_arguments_become_valid_action_arguments(
    line: list[str], arguments: dict[str, Any]
) -> None:
    given = read(line)
    assert given.arguments == arguments
    action = ACTIONS[TABLE["commands"][line[0]]["tool"]]
    assert action.check(given.arguments).coerced == ()


@pytest.mark.parametrize(
    ("line", "field", "words"),
    [
        (["type", "x", "--press-entr"], "--press-entr", "Did you mean --press-enter?"),
        (["click", "--presss-enter"], "--presss-enter", "tabwarden click --help"),
        (["type", "e4"], "text", "Usage: tabwarden type [REF] TEXT [OPTIONS]"),
        (["type", "e4", "two", "words"], "text", "quotation marks"),
        (["type", "e4", "-text"], "-text", "put -- before it"),
        (["type", "e4", "--", "-9", "--clear"], "arguments", "tabwarden type e4 --clear -- -9"),
        (["key", "Enter", "--times", "0"], "times", "at least 1 and at most 50"),
        (["key", "Enter", "--times", "1.5"], "times", "must be a whole number"),
        (["wait", "--time-s", "nan"], "time_s", "must be a number"),
        (["wait", "--time-s"], "time_s", "needs a value"),
        (["back", "--timeout-ms", "0"], "timeout_ms", "more than 0"),
        (["back", "e4"], "arguments", "does not take the argument 'e4'"),
        (["dialog", "acept"], "action", "Did you mean accept?"),
        (["tab", "swich", "t1"], "mode", "Did you mean switch?"),
        (["route", "remov"], "mode", "Did you mean remove?"),
        (["init-script", "window.x = 1"], "mode", "must be one of 'add', 'list', 'remove'"),
        (["type", "e4", "x", "--clear=yes"], "clear", "does not take a value"),
        (["cdp", "Page.enable", "{a: 1}"], "params", "not valid JSON"),
        (["fill", "[1"], "fields", "not valid JSON"),
        (["fill", "e1"], "fields", "not in the format NAME=VALUE"),
        (["fill"], "fields", "Usage: tabwarden fill REF=VALUE..."),
    ],
    ids=" ".join,
)
def test_command_line_error_quotes_the_invalid_argument_and_suggests_a_fix(
    line: list[str], field: str, words: str
) -> None:
    with pytest.raises(InvalidArgument) as told:
        read(line)
    assert told.value.data["field"] == field
    assert words in f"{told.value.message} {told.value.hint}"


def test_client_options_do_not_become_action_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABWARDEN_SESSION", "env")
    assert read(["back"]).session == "env"
    given = read(["open", "--session", "mine", "--json", "--headed", "--config", "/a/../c.yaml"])
    assert (given.session, given.as_json, given.arguments) == ("mine", True, {})
    assert given.launch == {"headless": False, "config": "/c.yaml"}


def test_dash_argument_reads_the_value_from_stdin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("s3cret"))
    assert read(["auth", "--username", "ann", "--password", "-"]).arguments == {
        "username": "ann", "password": "s3cret",
    }  # fmt: skip


def test_command_reports_stdin_that_is_not_utf_8(monkeypatch: pytest.MonkeyPatch) -> None:
    for line in (["type", "e1", "-"], ["batch", "-"]):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a\xff\xfe"), "utf-8"))
        with pytest.raises(InvalidArgument, match="not UTF-8"):
            steps_of(read(line).arguments.get("steps"), table())


@pytest.mark.parametrize(
    "line", [["fill", DEEP], ["route", "block", "--headers", DEEP], ["batch", DEEP]]
)
def test_command_reports_json_that_is_nested_too_deeply(line: list[str]) -> None:
    with pytest.raises(InvalidArgument, match="too deep"):
        steps_of(read(line).arguments.get("steps"), table())


@pytest.mark.parametrize(
    ("word", "name"),
    [("eval", "script"), ("browser_evaluate", "script"), ("click", "click"), ("no", None),
     ("browser_no", None)],
)  # fmt: skip
def test_command_lookup_accepts_the_names_that_agents_use(word: str, name: str | None) -> None:
    assert command_named(word, TABLE) == name


def test_every_action_is_a_command_and_every_parameter_an_option() -> None:
    assert [one["tool"] for one in TABLE["commands"].values()] == list(ACTIONS)
    for name, command in TABLE["commands"].items():
        taken = {option["name"] for option in command["options"]} - {"file"}
        of_daemon = {option["name"] for option in [*LAUNCH, *OPENING]} if name == "open" else set()
        assert taken == set(ACTIONS[command["tool"]].parameters.model_fields) - of_daemon, name
