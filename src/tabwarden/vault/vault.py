"""``Vault``: decides into which fields each secret may be filled, and masks all secrets in other
texts.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Mapping

from tabwarden.config import BrowserConfig
from tabwarden.errors import Denied, InvalidArgument, TabwardenError
from tabwarden.journal import Secrets
from tabwarden.similar import get_close_matches
from tabwarden.vault.reading import Contents, Held, read_in_thread

_PLACEHOLDER = re.compile(r"\{\{([A-Z][A-Z0-9_]*)\}\}")
"""The pattern of a placeholder. Anything else, such as ``{{ user.name }}``, is plain text."""


def placeholder(name: str) -> str:
    """Return a secret's placeholder."""
    return f"{{{{{name}}}}}"


def names_in(text: object) -> list[str]:
    """Return the names of the secrets whose placeholders a text contains, in order and without
    duplicates.

    Args:
        text: the caller's text, or a list of texts.
    """
    if isinstance(text, list | tuple):
        return [*dict.fromkeys(name for one in text for name in names_in(one))]
    return [*dict.fromkeys(_PLACEHOLDER.findall(text))] if isinstance(text, str) else []


def replaced(text: str, value_of: Callable[[str], str]) -> str:
    """Return a text with ``value_of(name)`` in place of each placeholder."""
    return _PLACEHOLDER.sub(lambda match: value_of(match[1]), text)


log = logging.getLogger("tabwarden.vault")

_ONE_LINE = re.compile(r"[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?")
_LEAST_S = 2.0
"""The minimum remaining validity, in seconds, of a one-time code that is filled in."""


class Vault:
    """One task's secrets, kept only in memory. Thread-safe."""

    def __init__(self) -> None:
        self._held: Mapping[str, Held] = {}
        self.hidden = Secrets()
        """The texts to mask in results, events, logs and recordings."""

    def hold(self, contents: Contents) -> None:
        """Use these secrets from now on."""
        self._held = contents.named
        named = {one.text: placeholder(name) for name, one in contents.named.items()}
        self.hidden.configure({**contents.hidden, **named})
        self.hidden.masks = contents.masks

    def check(self, text: object, field: str) -> None:
        """Raise an error if a text contains the placeholder of a secret that can't be filled in
        anywhere.

        Args:
            text: the text from the caller.
            field: the caller's parameter.

        Raises:
            InvalidArgument: there is no such secret, or it could not be read.
            Denied: the secret has no origins, so it is only masked.
        """
        for name in names_in(text):
            self._usable(name, field)

    def check_for(self, text: object, origin: str, field: str) -> None:
        """Do the same as ``check``, and also raise ``Denied`` if a secret is not allowed at the
        origin.
        """
        for name in names_in(text):
            held = self._usable(name, field)
            if origin not in held.origins:
                raise Denied(
                    f"The secret {name} is not allowed at {_site(origin)}: nothing was filled in.",
                    f"It is allowed at {', '.join(held.origins)}. The person who runs Tabwarden "
                    f"can add a site to browser.secrets.{name}.origins.",
                    field=field,
                    key=f"browser.secrets.{name}.origins",
                )

    def wait_s(self, text: str) -> float:
        """Return how many seconds to wait before ``fill``, so that no one-time code expires too
        soon after it is filled in.
        """
        now = time.time()
        codes = [held.totp for name in names_in(text) if (held := self._held.get(name))]
        left = [totp.left_s(now) for totp in codes if totp is not None]
        return max((one + 0.05 for one in left if one < _LEAST_S), default=0.0)

    def fill(self, text: str, origin: str, field: str) -> str:
        """Return a text with the secrets in place of their placeholders.

        Args:
            text: the text from the caller.
            origin: the origin that receives the text.
            field: the caller's parameter.

        Raises:
            InvalidArgument, Denied: as for ``check_for``.
        """
        self.check_for(text, origin, field)
        return replaced(text, self._value)

    def for_header(self, text: str, field: str) -> tuple[str, frozenset[str]]:
        """Return a header's value with the secrets in place of their placeholders, and the origins
        at which all of these secrets are allowed.

        Args:
            text: the text from the caller.
            field: the caller's parameter.

        Raises:
            InvalidArgument: there is no such secret, it can't be read, it is a one-time code, or it
                contains characters that a header can't contain.
            Denied: no site may receive all of the secrets.
        """
        held = [self._usable(name, field) for name in names_in(text)]
        origins = frozenset.intersection(*(frozenset(one.origins) for one in held))
        if not origins:
            raise Denied(
                f"No site may receive all of these secrets: {', '.join(one.name for one in held)}.",
                "Use a separate header for each secret.",
                field=field,
            )
        for one in held:
            if one.totp is not None or not _ONE_LINE.fullmatch(one.text):
                why = (
                    "is a one-time code"
                    if one.totp is not None
                    else "is not a single line of ASCII text"
                )
                raise InvalidArgument(
                    f"The secret {one.name} can't be used in a header: it {why}.", field=field
                )
        return replaced(text, self._value), origins

    def _value(self, name: str) -> str:
        held = self._held[name]
        if held.totp is None:
            return held.text
        code = held.totp.code(time.time())
        self.hidden.add_code(code, placeholder(name))
        return code

    def _usable(self, name: str, field: str) -> Held:
        held = self._held.get(name)
        if held is None:
            near = get_close_matches(name, self._held, n=3, cutoff=0.6)
            meant = f"Did you mean {' or '.join(near)}? " if near else ""
            raise InvalidArgument(
                f"There is no secret {name}: nothing was filled in.",
                f"{meant}Secrets are configured in browser.secrets. To enter the literal text, "
                f"write {{{{ {name} }}}} with spaces.",
                field=field,
                nearest=near,
            )
        if held.fault:
            raise InvalidArgument(
                f"The secret {name} can't be read: {held.fault}. Nothing was filled in.",
                f"The person who runs Tabwarden can correct {held.field}.",
                field=field,
                key=held.field,
            )
        if not held.origins:
            raise Denied(
                f"The secret {name} may not be filled in anywhere: it has no origins.",
                "The person who runs Tabwarden can set its sites: "
                f"browser.secrets.{name}.origins: [https://host].",
                field=field,
                key=f"browser.secrets.{name}.origins",
            )
        return held


async def read_again(vault: Vault, config: BrowserConfig) -> None:
    """Use the secrets of another configuration. If its secrets file can't be read, keep the old
    secrets.
    """
    try:
        vault.hold(await read_in_thread(config))
    except TabwardenError as error:
        log.warning("keeping the previous secrets: %s", error)


def _site(origin: str) -> str:
    return origin if "://" in origin else "a page without an origin"
