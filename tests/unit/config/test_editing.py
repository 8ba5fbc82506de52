"""Editing a configuration file: one key changes, everything else stays byte for byte."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.fuzzing import searched

from tabwarden.config.document import parse_yaml
from tabwarden.config.editing import flow, text_with, text_without
from tabwarden.errors import InvalidArgument

FILE = Path("config.yaml")

FULL = """\
# Ours.
browser:  # what browsers do
  headless: true   # no window

  # How long.
  timeouts_ms:
    evaluate: 5000 # scripts
    # more to come

# Who may come in.
server:
  port: 1 # low
"""


@pytest.mark.parametrize(
    ("before", "keys", "value", "after"),
    [
        ("", "browser.headless", False, "browser:\n  headless: false\n"),
        ("# mine\n", "browser.headless", False, "# mine\nbrowser:\n  headless: false\n"),
        ("---\n# mine", "server.port", 1, "---\n# mine\nserver:\n  port: 1\n"),
        ("browser:\n", "browser.headless", True, "browser:\n  headless: true\n"),
        ("browser: # b\nserver:", "browser.a", 1, "browser: # b\n  a: 1\nserver:"),
        ("browser:\n# off\n\nserver: {}\n", "browser.a", 1,
         "browser:\n  a: 1\n# off\n\nserver: {}\n"),
        ("browser: {}", "browser.a.b", 1, "browser: {a: {b: 1}}"),
        ("browser: {x: 1}  # c", "browser.a", "w", "browser: {x: 1, a: w}  # c"),
        ("{browser: {x: 1}}", "server.port", 2, "{browser: {x: 1}, server: {port: 2}}"),
        ("browser:\n    x: 1\nserver: {}\n", "browser.a", 1,
         "browser:\n    x: 1\n    a: 1\nserver: {}\n"),
        ("browser:\n  x: 'old' # why\n", "browser.x", "new", "browser:\n  x: new # why\n"),
        ("browser:\n  x: |\n    a\n    b\n\n# c\n", "browser.x", 1, "browser:\n  x: 1\n\n# c\n"),
        ("browser:\n  x: # why\n", "browser.x", 3, "browser:\n  x: 3 # why\n"),
        ("browser:\n  x: ~\n", "browser.x", 3, "browser:\n  x: 3\n"),
        ("browser:\n  x:\n    a: 1\n  y: 2\n", "browser.x", {"b": 1},
         "browser:\n  x: {b: 1}\n  y: 2\n"),
        ("browser:\r\n  x: 1\r\n# c\r\n", "browser.y", 2,
         "browser:\r\n  x: 1\r\n  y: 2\r\n# c\r\n"),
        ("? browser\n: x: 1\n", "browser.x", 2, "? browser\n: x: 2\n"),
        ("browser:\n  'x': \"1\"\n", "browser.x", "y: #z", 'browser:\n  \'x\': "y: #z"\n'),
    ],
)  # fmt: skip
def test_config_edit_inserts_a_value_in_the_expected_position(
    before: str, keys: str, value: Any, after: str
) -> None:
    assert text_with(before, keys.split("."), value, FILE) == after


@pytest.mark.parametrize(
    ("before", "keys", "after"),
    [
        ("browser:\n  x: 1 # c\n  y: 2\n", "browser.x", "browser:\n  y: 2\n"),
        ("browser:\n  x: 1\n", "browser.x", "browser:\n"),
        ("browser: {x: 1, y: 2}\n", "browser.x", "browser: {y: 2}\n"),
        ("browser: {x: 1, y: 2}\n", "browser.y", "browser: {x: 1}\n"),
        ("browser: {x: 1}\n", "browser.x", "browser: {}\n"),
        ("browser:\n  t: {e: 1}\n  y: 2\n", "browser.t.e", "browser:\n  y: 2\n"),
        ("browser:\n  t:\n    e: 1\n# c\n", "browser.t.e", "browser:\n# c\n"),
        ("browsr:\n  a: 1\n\nserver:\n", "browsr", "\nserver:\n"),
    ],
)
def test_config_edit_removes_a_keys_line_and_its_emptied_mapping(
    before: str, keys: str, after: str
) -> None:
    assert text_without(before, keys.split("."), FILE) == after


def test_config_edit_keeps_all_comments() -> None:
    for keys in ("browser.headless", "browser.new", "browser.timeouts_ms.click", "server.host"):
        after = text_with(FULL, keys.split("."), 7, FILE)
        assert re.findall("#.*", after) == re.findall("#.*", FULL)
        changed = set(after.splitlines()) ^ set(FULL.splitlines())
        assert all("7" in line or "headless" in line for line in changed)


@pytest.mark.parametrize(
    "text",
    [
        "base: &b {x: 1}\nbrowser: *b\n",  # the edit would change both
        "base: &b {x: 1}\nbrowser:\n  <<: *b\n",
        "browser: 7\n",
    ],
)
def test_config_edit_rejects_a_change_that_it_cannot_make_safely(text: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        text_with(text, ["browser", "x"], 2, FILE)
    assert "editor" in caught.value.hint


names = st.sampled_from(["a", "b", "c", "headless", "timeouts_ms"])
scalars = st.one_of(
    st.booleans(), st.integers(-9, 99999), st.none(), st.text(max_size=12),
    st.sampled_from(["null", "~", "yes", "1e3", "- x", "a: b", "#", "0x1f", "''", "x ", "…", "\t"]),
)  # fmt: skip
mappings = st.dictionaries(names, scalars, max_size=3)
comments = st.sampled_from(["", "# one", "#", "  # two: {x}", "   # 'three"])


@st.composite
def texts(draw: st.DrawFn) -> str:
    """A typical file: two sections, comments everywhere, any YAML style."""
    lines = []
    for section in draw(st.permutations(["browser", "server"])):
        eol = draw(st.sampled_from(["", "  # why", " #"]))
        lines.append(draw(comments))
        values = draw(mappings)
        if draw(st.booleans()):
            inner = ", ".join(f"{k}: {flow(v)}" for k, v in values.items())
            lines.append(f"{section}: {{{inner}}}{eol}")
        else:
            lines.append(f"{section}:{eol}")
            indent = " " * draw(st.integers(1, 4))
            for key, value in values.items():
                lines.append(draw(comments))
                lines.append(f"{indent}{key}: {flow(value)}{eol}")
        lines.append(draw(comments))
    return draw(st.sampled_from(["\n", "\r\n"])).join(lines)


@searched(60)
@given(texts(), st.sampled_from(["browser", "server"]), names, scalars)
def test_config_edit_changes_one_value_and_no_comments_in_any_file(
    text: str, section: str, name: str, value: Any
) -> None:
    before = {key: held or {} for key, held in parse_yaml(text).items()}
    after = text_with(text, [section, name], value, FILE)
    assert parse_yaml(after) == {
        **parse_yaml(text), section: {**before[section], name: value}
    }  # fmt: skip
    lines = iter(after.splitlines())
    kept = [line for line in text.splitlines() if line.strip().startswith("#")]
    assert all(line in lines for line in kept)  # each of them, in their order
    removed = text_without(after, [section, name], FILE)
    assert (parse_yaml(removed)[section] or {}) == {
        key: held for key, held in before[section].items() if key != name
    }
