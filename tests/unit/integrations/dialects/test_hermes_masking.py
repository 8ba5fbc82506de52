"""Secrets and JavaScript values in Hermes' formats."""

from __future__ import annotations

from typing import Any

import pytest

from tabwarden.integrations.hermes.dialect import masked, masked_cdp, runtime_value

KEY = "sk-0123456789abcdefghij"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"key {KEY}.", "key sk-012...ghij."),
        ("sk-short12345", "***"),
        ("ghp_0123456789abcdefghij", "ghp_01...ghij"),
        ("task-0123456789abcdef", "task-0123456789abcdef"),
        ("Authorization: Bearer abcdefghijklmnopqrstuv", "Authorization: Bearer abcdef...stuv"),
        ("postgres://ada:hunter22@db/x", "postgres://ada:***@db/x"),
        ('{"password": "correct horse battery"}', '{"password": "correc...tery"}'),
        ("API_KEY=abc", "API_KEY=***"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIi", "eyJhbG...dWIi"),
        ("-----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----", "[a private key, masked]"),
        ("A page about tokens and passwords.", "A page about tokens and passwords."),
    ],
)
def test_hermes_dialect_masks_secrets_in_text(text: str, shown: str) -> None:
    assert masked(text) == shown


def test_hermes_dialect_masks_secrets_in_keys_and_nested_values() -> None:
    assert KEY not in str(masked({KEY: [{"a": (KEY,)}]}))


@pytest.mark.parametrize(
    ("method", "result"),
    [
        ("Page.captureScreenshot", {"data": "iVB+gAAAA" + "B" * 60}),
        ("Network.getResponseBody", {"body": "q9Z+gAAAA" + "B" * 60, "base64Encoded": True}),
        ("CacheStorage.requestCachedResponse", {"response": {"body": "I/gAAAA" + "B" * 60}}),
    ],
)
def test_hermes_dialect_keeps_base64_of_cdp_results(method: str, result: dict[str, Any]) -> None:
    assert masked_cdp(method, result) == result
    assert KEY not in str(masked_cdp(method, {**result, "note": KEY}))


def test_page_cannot_bypass_masking_by_labeling_its_value_as_base64() -> None:
    claimed = {"result": {"value": {"base64Encoded": True, "data": KEY}}}
    assert KEY not in str(masked_cdp("Runtime.evaluate", claimed))
    assert KEY not in str(masked_cdp("Network.getResponseBody", {"body": KEY}))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (42, (42, "number")),
        (True, (True, "boolean")),
        ("a", ("a", "string")),
        (None, (None, "undefined")),
        ({"foo": "bar"}, ({"foo": "bar"}, "object")),
        ({"$type": "h1", "value": "<h1>"}, ({}, "object")),
        ({"$type": "number", "value": "Infinity"}, ("Infinity", "number")),
        ({"$type": "bigint", "value": "10"}, ("10n", "bigint")),
        ({"$type": "function", "value": "f"}, ({}, "function")),
        (
            {"a": {"$type": "undefined", "value": None}, "b": [{"$type": "date", "value": ""}]},
            ({"b": [{}]}, "object"),
        ),
    ],
)  # fmt: skip
def test_hermes_runtime_value_matches_the_values_of_runtime_evaluate(
    value: Any, expected: tuple[Any, str]
) -> None:
    assert runtime_value(value) == expected
