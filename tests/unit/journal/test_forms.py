"""A secret is found however it is encoded, and ordinary text is not."""

from __future__ import annotations

import base64
import html
import json
import string
from collections.abc import Callable
from itertools import product
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabwarden.hints import Hint, Next, tool_call
from tabwarden.hints import render as rendered
from tabwarden.journal import Secrets

PASSWORD = "Wq7\"&/hünter2 'x<y>+%z"
Encode = Callable[[str], str]
WAYS: dict[str, Encode] = {
    "json": lambda text: json.dumps(text)[1:-1],
    "json as it is": lambda text: json.dumps(text, ensure_ascii=False)[1:-1],
    "html": html.escape,
    "text of html": lambda text: html.escape(text, quote=False),
    "url": lambda text: quote(text, safe=""),
    "form": quote_plus,
    "address": lambda text: quote(text, safe="!#$&'()*+,/:;=?@[]~%"),
}


def hiding(*texts: str) -> Secrets:
    secrets = Secrets()
    secrets.configure({text: f"{{{{S{at}}}}}" for at, text in enumerate(texts)})
    return secrets


@pytest.mark.parametrize(("first", "second"), [*product(WAYS, WAYS)])
def test_a_secret_is_found_when_it_is_encoded_twice(first: str, second: str) -> None:
    form = WAYS[second](WAYS[first](PASSWORD))
    assert hiding(PASSWORD).hide(f"a {form} b") == "a {{S0}} b"


@pytest.mark.parametrize(
    "form",
    [
        PASSWORD.swapcase(), PASSWORD.encode().hex(), PASSWORD.encode().hex(" ").upper(),
        "Wq7<b class=x>\"&amp;</b>/hünter2 'x&lt;y&gt;+%z", "**Wq7\"&**/hünter2 'x<y>+%z",
        r"Wq7\x22\u0026/h\u00fcnter2 'x<y>+%z", "Wq7&#34;&#x26;/h&uuml;nter2 &apos;x&lt;y&gt;+%z",
        base64.b64encode(json.dumps({"a": PASSWORD}).encode()).decode(),
    ],
)  # fmt: skip
def test_a_secret_is_found_in_other_forms(form: str) -> None:
    hidden = hiding(PASSWORD).hide(f"a {form} b")
    assert "{{S0}}" in hidden
    assert len(hidden) < 40


def test_a_secret_that_is_cut_leaves_nothing() -> None:
    hide = hiding("correct-horse-9").hide
    assert (
        hide("correct-horse-9… correct-hor… correct-… corre…") == "{{S0}}… {{S0}}… {{S0}}… corre…"
    )
    assert hide("correct-horse is a word") == "correct-horse is a word"


@settings(max_examples=30)
@given(st.text(min_size=4, max_size=30), st.sampled_from(sorted(WAYS)), st.text(max_size=20))
def test_any_text_is_found_in_each_of_its_forms(secret: str, way: str, around: str) -> None:
    form = WAYS[way](secret.encode("utf-8", "replace").decode())
    assert form not in hiding(secret).hide(f"{around}|{form}|{around}").replace("{{S0}}", "")


@pytest.mark.parametrize(
    "row", ["\\", "_", "<", "<a>", "&amp;", "&", "%25", "%", "amp;", "W", '"', " ", "\n", "\\u00"]
)
def test_a_page_that_has_the_secret_cannot_make_the_search_endless(row: str) -> None:
    for secret in (PASSWORD, "W___ab", 'W\\\\\\"a&&&&b', 'W """ " a', "W\n \n\n  a"):
        text = f"{secret}{secret[:3]}{row * 20_000}{secret}"
        assert secret not in hiding(secret).hide(text)


def test_several_secrets_have_their_own_names_and_half_characters_hide_none() -> None:
    secrets = hiding("hunter2x", "hunter2xy")
    assert secrets.hide("hunter2xy hunter2x \ud800") == "{{S1}} {{S0}} \ud800"
    assert secrets.hide({"hunter2x": ["hunter2xy", 7]}) == {"{{S0}}": ["{{S1}}", 7]}


def test_a_secret_of_several_lines_is_found_beside_another() -> None:
    hide = hiding("first line\nsecond line", "hunter2x").hide
    assert hide("first line\nsecond line hunter2x") == "{{S0}} {{S1}}"
    assert hide("first line\r\nsecond line, first line second line") == "{{S0}}, {{S0}}"


def test_a_call_in_a_hint_has_no_secret() -> None:
    hint = Hint("Ask again", Next("handoff", reason="as hunter2x"), ("; or", Next("back")), ".")
    hidden = hiding("hunter2x").hide(hint)
    assert rendered(hidden, tool_call) == (
        'Ask again with browser_handoff(reason="as {{S0}}"); orbrowser_back.'
    )


def test_ordinary_pages_have_no_secret_in_them() -> None:
    texts = [path.read_text() for path in Path("docs").rglob("*.md")]
    plain = hiding("correct-horse-9", "hunter2", "0123456789abcdef", string.punctuation)
    assert len(texts) > 30
    assert [plain.hide(text) for text in texts] == texts
