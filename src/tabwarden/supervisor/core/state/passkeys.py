"""Passkeys: a task's credentials for sites without passwords. Their private keys are secrets."""

from __future__ import annotations

import msgspec

from tabwarden.protocol import web_authn

MOST_PASSKEYS = 100
"""How many passkeys a task keeps: the newest."""


class Passkey(msgspec.Struct, frozen=True):
    """A passkey. No text and no interface shows ``credential``, which has the private key."""

    credential: web_authn.Credential

    @property
    def id(self) -> str:
        return self.credential.credential_id

    @property
    def site(self) -> str:
        """The relying party's ID, such as ``example.com``."""
        return self.credential.rp_id or ""

    @property
    def is_discoverable(self) -> bool:
        """Whether a site can ask for it without its ID."""
        return self.credential.is_resident_credential

    @property
    def user(self) -> str:
        return self.credential.user_name or self.credential.user_display_name or ""

    def __repr__(self) -> str:
        return "Passkey(…)"

    __str__ = __repr__
