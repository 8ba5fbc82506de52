"""Text that looks like a key is masked, and ordinary text is not."""

from __future__ import annotations

import pytest

from tabwarden.config import load_config
from tabwarden.journal.secrets import masked
from tabwarden.vault import Vault, read_secrets

KEYS = [
    "AKIA" + "IOSFODNN7EXAMPLE", "AIza" + "Sy" + "a1" * 16 + "b", "ghp_" + "a1" * 18,
    "github_pat_" + "a1_" * 20, "glpat-" + "a1" * 10, "sk-" + "a1" * 12,
    "sk-ant-" + "api03-" + "a1" * 20,
    "sk_live_" + "a1" * 12, "xoxb-" + "12" * 8, "npm_" + "a1" * 18, "hf_" + "aB" * 17,
    "eyJhbGciOiJ9.eyJzdWIiOiJ9.c2lnbmF0dXJl",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
]  # fmt: skip


@pytest.mark.parametrize("key", KEYS)
def test_key_masking_hides_api_keys_and_private_keys(key: str) -> None:
    assert masked(f'<a title="{key}">') == '<a title="(masked)">'


def test_key_masking_hides_bearer_tokens_and_url_passwords() -> None:
    assert masked("Bearer " + "ab1." * 8) == "Bearer (masked)"
    example = "see http://user:password@host:8080 and http://me:PASSWORD@host"
    assert masked(example) == example
    assert masked("see https://ann:pw@x.example/a") == "see https://(masked)@x.example/a"


@pytest.mark.parametrize(
    "text",
    ["ask-me-anything-about-this-task-now", "task_live_", "https://x.example:8080/a@b", "risk-" * 9,
     "the bearer of this letter", "e12 button 'Save' [ref=e12]", "2026-11-27T10:00:00Z"],
)  # fmt: skip
def test_key_masking_does_not_change_ordinary_text(text: str) -> None:
    assert masked(text) == text


def test_key_masking_is_off_by_default() -> None:
    for mask in (False, True):
        vault = Vault()
        vault.hold(read_secrets(load_config(None, mask=mask).browser))
        told = vault.hidden.hide({"a": [KEYS[0], "b"]})
        assert told == {"a": ["(masked)" if mask else KEYS[0], "b"]}
