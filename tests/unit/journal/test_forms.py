"""A secret is found however it is encoded, and ordinary text is not."""

from __future__ import annotations

import base64
import json
import string
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.writings import WRITINGS

from tabwarden.hints import Hint, Next, tool_call
from tabwarden.hints import render as rendered
from tabwarden.journal import Secrets

PASSWORD = "Wq7\"&/hünter2 'x<y>+%z"
ENCODINGS = [*WRITINGS][: [*WRITINGS].index("soft hyphens")]
"""Texts that a program decodes letter by letter."""
WAYS = [name for name in WRITINGS if "base64" not in name]


def hiding(*texts: str) -> Secrets:
    secrets = Secrets()
    secrets.configure({text: f"{{{{S{at}}}}}" for at, text in enumerate(texts)})
    return secrets


@pytest.mark.parametrize(("first", "second"), [*product(WAYS, ENCODINGS)])
def test_redaction_finds_a_secret_that_is_encoded_twice(first: str, second: str) -> None:
    form = WRITINGS[second](WRITINGS[first](PASSWORD))
    assert hiding(PASSWORD).hide(f"a {form} b") == "a {{S0}} b"


@pytest.mark.threat
@pytest.mark.parametrize("name", WRITINGS)
@pytest.mark.parametrize("secret", [PASSWORD, "correcthorse9battery"])
def test_redaction_finds_configured_and_learned_secrets_in_each_encoding(
    name: str, secret: str
) -> None:
    """Configured or learned."""
    text = f"a (={WRITINGS[name](secret)}=) b"
    assert hiding(secret).hide(text) == "a (={{S0}}=) b"
    learned = Secrets()
    learned.add([secret])
    assert learned.hide(text) == "a (=(secret)=) b"


@pytest.mark.parametrize("text", ["the moon", "the+moon", "12 34", "1\n234", "seethe\nmonth"])
def test_redaction_ignores_a_short_secret_inside_longer_words(text: str) -> None:
    hide = hiding("them", "1234").hide
    assert hide(text) == text
    assert hide("t h e m, 1 2 3 4, them") == "{{S0}}, {{S1}}, {{S0}}"


@pytest.mark.parametrize(
    "form",
    [
        PASSWORD.swapcase(), PASSWORD.encode().hex(), PASSWORD.encode().hex(" ").upper(),
        "Wq7<b class=x>\"&amp;</b>/hünter2 'x&lt;y&gt;+%z", "**Wq7\"&**/hünter2 'x<y>+%z",
        r"Wq7\x22\u0026/h\u00fcnter2 'x<y>+%z", "Wq7&#34;&#x26;/h&uuml;nter2 &apos;x&lt;y&gt;+%z",
        base64.b64encode(json.dumps({"a": PASSWORD}).encode()).decode(),
    ],
)  # fmt: skip
def test_redaction_finds_a_secret_in_other_encodings_and_letter_cases(form: str) -> None:
    hidden = hiding(PASSWORD).hide(f"a {form} b")
    assert "{{S0}}" in hidden
    assert len(hidden) < 40


def test_redaction_masks_a_secret_truncated_by_an_ellipsis() -> None:
    hide = hiding("correct-horse-9").hide
    assert (
        hide("correct-horse-9… correct-hor… correct-… corre…") == "{{S0}}… {{S0}}… {{S0}}… corre…"
    )
    assert hide("correct-horse is a word") == "correct-horse is a word"


@settings(max_examples=30)
@given(st.text(min_size=4, max_size=30), st.sampled_from(ENCODINGS), st.text(max_size=20))
def test_redaction_finds_any_secret_in_each_encoding(secret: str, way: str, around: str) -> None:
    form = WRITINGS[way](secret.encode("utf-8", "replace").decode())
    assert form not in hiding(secret).hide(f"{around}|{form}|{around}").replace("{{S0}}", "")


@pytest.mark.parametrize(
    "row", ["\\", "_", "<", "<a>", "&amp;", "&", "%25", "%", "amp;", "W", '"', " ", "\n", "\\u00"]
)
def test_hostile_page_text_cannot_make_redaction_slow(row: str) -> None:
    for secret in (PASSWORD, "W___ab", 'W\\\\\\"a&&&&b', 'W """ " a', "W\n \n\n  a"):
        text = f"{secret}{secret[:3]}{row * 20_000}{secret}"
        assert secret not in hiding(secret).hide(text)


def test_redaction_replaces_each_secret_with_its_name_despite_lone_surrogates() -> None:
    secrets = hiding("hunter2x", "hunter2xy")
    assert secrets.hide("hunter2xy hunter2x \ud800") == "{{S1}} {{S0}} \ud800"
    assert secrets.hide({"hunter2x": ["hunter2xy", 7]}) == {"{{S0}}": ["{{S1}}", 7]}


def test_redaction_finds_a_multiline_secret_beside_another_secret() -> None:
    hide = hiding("first line\nsecond line", "hunter2x").hide
    assert hide("first line\nsecond line hunter2x") == "{{S0}} {{S1}}"
    assert hide("first line\r\nsecond line, first line second line") == "{{S0}}, {{S0}}"


def test_redaction_masks_a_secret_in_a_hints_call() -> None:
    hint = Hint("Ask again", Next("handoff", reason="as hunter2x"), ("; or", Next("back")), ".")
    hidden = hiding("hunter2x").hide(hint)
    assert rendered(hidden, tool_call) == (
        'Ask again with browser_handoff(reason="as {{S0}}"); orbrowser_back.'
    )


def test_redaction_does_not_change_ordinary_pages() -> None:
    texts = [path.read_text() for path in Path("docs").rglob("*.md")]
    plain = hiding("correct-horse-9", "hunter2", "0123456789abcdef", string.punctuation)
    assert len(texts) > 30
    assert [plain.hide(text) for text in texts] == texts
