"""Keys: find what looks like a key or a token, in the forms of well-known services."""

from __future__ import annotations

import re

MASKED = "(masked)"
"""Answers have this text where a key was."""
_FORMS = (
    r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b",  # AWS
    r"\bAIza[\w-]{35}",  # Google
    r"\bgh[pousr]_[A-Za-z0-9]{36,}",  # GitHub
    r"\bgithub_pat_\w{40,}",
    r"\bglpat-[\w-]{20,}",  # GitLab
    r"\bsk-(?:ant-|proj-|svcacct-)?[A-Za-z0-9_-]{20,}",  # OpenAI, Anthropic
    r"\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}",  # Stripe
    r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}",  # Slack
    r"\bhooks\.slack\.com/services/[\w/]{20,}",
    r"\bnpm_[A-Za-z0-9]{36}",
    r"\bpypi-AgE[\w-]{50,}",
    r"\bhf_[A-Za-z0-9]{30,}",  # Hugging Face
    r"\bSG\.[\w-]{16,}\.[\w-]{32,}",  # SendGrid
    r"\bdop_v1_[a-f0-9]{64}",  # DigitalOcean
    r"\beyJ[\w-]{8,500}\.eyJ[\w-]{8,}\.[\w-]{8,}",  # JSON Web Tokens
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
    r"(?i:(?<=\bbearer ))[\w.~+/=-]{20,}",
    # the user and password of a URL, but not those of an example
    r"(?<=://)(?!(?:user|username|name|me):(?:pass|password|pw|PASSWORD)@)[^/\s:@]+:[^/\s:@]+(?=@)",
)
_KEYS = re.compile("|".join(_FORMS))


def masked(text: str) -> str:
    """Return a text without what looks like a key."""
    return _KEYS.sub(MASKED, text)
