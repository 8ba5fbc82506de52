"""Turn the options in a hosted browser's address into an API request."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from tabwarden.errors import InvalidArgument
from tabwarden.similar import get_close_matches

SECONDS, MILLISECONDS, MINUTES = 1.0, 0.001, 60.0
"""The length of a provider's time unit, in seconds."""

_FLAGS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


class Option(msgspec.Struct, frozen=True):
    """One option that a provider documents for new sessions.

    Attributes:
        into: the path to the option in the request's JSON, with dots between levels:
            ``session.timeout.max_duration``.
        kind: the type of the value; a duration is in seconds.
        words: the description that people see.
        unit: the unit of a duration in the request, in seconds; fractions are rounded up.
    """

    into: str
    kind: Literal["text", "flag", "duration"]
    words: str
    unit: float = SECONDS

    def read(self, name: str, text: str) -> Any:
        """Convert the option's text to the value for the request.

        Raises:
            InvalidArgument: the text is not a value of this type.
        """
        if self.kind == "flag":
            if text.lower() not in _FLAGS:
                raise _wrong(name, "true or false")
            return _FLAGS[text.lower()]
        if self.kind == "duration":
            try:
                seconds = float(text)
            except ValueError:
                seconds = 0.0
            if not (0 < seconds < math.inf):
                raise _wrong(name, "a number of seconds above 0")
            # Round before ``ceil``, because 60 / 0.001 is slightly above 60000.
            return math.ceil(round(seconds / self.unit, 6))
        if not text:
            raise _wrong(name, "some text")
        return text


def request_of(
    scheme: str, given: Mapping[str, str], known: Mapping[str, Option]
) -> dict[str, Any]:
    """Return the body of the request for a new session.

    Raises:
        InvalidArgument: an option is malformed or unknown.
    """
    body: dict[str, Any] = {}
    for name, text in given.items():
        if name not in known:
            nearest = get_close_matches(name, known, n=1, cutoff=0.0)[0]
            raise InvalidArgument(
                f"`{scheme}:` has no option {name!r}.",
                f"The closest match is {nearest}. Options: {', '.join(known)}.",
                field=name,
                nearest=nearest,
            )
        *above, last = known[name].into.split(".")
        place = body
        for level in above:
            place = place.setdefault(level, {})
        place[last] = known[name].read(name, text)
    return body


def _wrong(name: str, wanted: str) -> InvalidArgument:
    return InvalidArgument(
        f"The endpoint's option `{name}` must be {wanted}.",
        "Correct the option, or omit it to use the provider's default.",
        field=name,
    )
