"""JSON with comments: one value changes, everything else stays."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwarden.surfaces.hosts.jsonc import parse, with_value

OURS = {"command": "/bin/x", "args": ["mcp"]}
KEYS = ("mcpServers", "tabwarden")

SETTINGS = """\
// Zed's settings
{
    "theme": "dark", // "not": 1,
    /* "mcpServers": {} */
    "url": "https://x.test/*no*/",
    "mcpServers": {
        "other": { "command": "npx" }, // mine
    },
}
// the end
"""


def without_ours(text: str) -> str:
    return re.sub(r",?\s*\"tabwarden\": \{.*?\}", "", text, flags=re.DOTALL)


def test_inserting_a_json_value_appends_the_entry_and_keeps_comments() -> None:
    made = with_value(SETTINGS, KEYS, OURS)
    assert parse(made)["mcpServers"] == {"other": {"command": "npx"}, "tabwarden": OURS}
    assert [line for line in made.splitlines() if line in SETTINGS.splitlines()] == (
        SETTINGS.splitlines()
    )
    assert '        "tabwarden": {\n            "command": "/bin/x",' in made


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", '{\n  "a": {\n    "b": 1\n  }\n}\n'),
        ("// only this\n", '// only this\n{\n  "a": {\n    "b": 1\n  }\n}\n'),
        ("{}", '{\n  "a": {\n    "b": 1\n  }\n}'),
        ('{"a": {"c": 2}}', '{"a": {"c": 2, "b": 1}}'),
        ('{"a": {"c": 2,}}', '{"a": {"c": 2, "b": 1}}'),
        ('{"a": {\n\t"c": 2 // two\n}\n}', '{"a": {\n\t"c": 2, // two\n\t"b": 1\n}\n}'),
        ('{\n  "a": {\n    // none\n  }\n}', '{\n  "a": {\n    // none\n    "b": 1\n  }\n}'),
        ('{"a": {"b": [0, /* x */ 2]}, "b": 3}', '{"a": {"b": 1}, "b": 3}'),
        ('{\r\n  "c": 1\r\n}\r\n', '{\r\n  "c": 1,\r\n  "a": {\r\n    "b": 1\r\n  }\r\n}\r\n'),
        ('{"a": {}} // a', '{"a": {\n  "b": 1\n}} // a'),
    ],
)  # fmt: skip
def test_inserting_a_json_value_keeps_the_text_around_it(text: str, wanted: str) -> None:
    assert with_value(text, ("a", "b"), 1) == wanted
    assert parse(wanted)["a"]["b"] == 1


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"a": 1,\n "b" 2}', "line 2, column 6"),
        ('{\n "a": {', "line 2"),
        ('{"a": 1, "a": 2}', "'a' twice"),
        ("[" * 100_000, "nested too deeply"),
        ("{'a': 1}", "line 1, column 2"),
        ('{\n\n"a": "x\n"}', "line 3"),
    ],
)
def test_jsonc_parse_error_contains_the_line(text: str, place: str) -> None:
    with pytest.raises(ValueError, match=re.escape(place)):
        parse(text)


def test_inserting_a_json_value_rejects_a_parent_that_is_not_an_object() -> None:
    with pytest.raises(ValueError, match=r"a is not an object \(line 2\)"):
        with_value('{\n"a": [1]}', ("a", "b"), 1)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda one: st.lists(one, max_size=3) | st.dictionaries(st.text(max_size=4), one, max_size=3),
    max_leaves=8,
)
COMMENTS = st.sampled_from(["", " ", "\n", '// x " {,}\n', '/* , } " */', "/**/ // \n"])


@st.composite
def written(draw: st.DrawFn, value: Any) -> str:
    """A value in an arbitrary style: with comments and trailing commas."""
    gap = draw(COMMENTS)
    if isinstance(value, dict | list):
        is_object = isinstance(value, dict)
        inner = [
            f"{gap}{json.dumps(one)}{gap}:{gap}{draw(written(value[one]))}{gap}"
            if is_object
            else f"{gap}{draw(written(one))}{gap}"
            for one in value
        ]
        last = draw(st.sampled_from(["", ","])) if value else ""
        begin, end = "{}" if is_object else "[]"
        return f"{begin}{','.join(inner)}{last}{gap}{end}"
    return json.dumps(value)


@given(st.data(), st.dictionaries(st.text(max_size=3), VALUES, max_size=4))
def test_inserting_a_json_value_changes_nothing_else_in_the_settings_file(
    data: st.DataObject, value: dict[str, Any]
) -> None:
    text = data.draw(COMMENTS) + data.draw(written(value)) + data.draw(COMMENTS)
    assert parse(text) == value
    key = data.draw(st.sampled_from([*value, "new"]))
    assert parse(with_value(text, (key,), OURS)) == {**value, key: OURS}
    below = (key, "x")
    if isinstance(value.get(key, {}), dict):
        wanted = {**value, key: {**value.get(key, {}), "x": OURS}}
        assert parse(with_value(text, below, OURS)) == wanted
    else:
        with pytest.raises(ValueError, match="is not an object"):
            with_value(text, below, OURS)
