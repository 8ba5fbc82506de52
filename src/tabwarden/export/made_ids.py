"""Made ids: the parts of URLs that the recorded run itself made, such as the number of a new order.

Another run gets others. Such a part looks like an id, is in no earlier URL or argument, and came
after a request that is no GET.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any

_ID = re.compile(
    r"(?<![\w%])(?:\d+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=[a-z]*\d)[0-9a-z]{12,})(?!\w)",
    re.IGNORECASE,
)
"""A number, a UUID, or a long word with digits."""
_PLACE = re.compile(r"(\w+://[^/?#]*)?(.*)", re.DOTALL)
"""A URL's site, and the rest."""


class MadeIds:
    """The ids of one recording, in the order of its calls.

    Args:
        writes: when each request began that is no GET, in seconds since 1970, in this order.
    """

    def __init__(self, writes: Sequence[float]) -> None:
        self._writes = writes
        self._known: set[str] = set()
        self._made: set[str] = set()

    def know(self, value: Any) -> None:
        """Take the ids in an argument or a URL as given, unless the run has made them."""
        if isinstance(value, str):
            self._known |= set(_ID.findall(value)) - self._made
        elif isinstance(value, Mapping):
            self.know(list(value.values()))
        elif isinstance(value, list | tuple):
            for one in value:
                self.know(one)

    def came(self, url: str, since: float, until: float) -> str:
        """Return the URL to which a page went between these times, with ``*`` for made ids."""
        at = bisect_left(self._writes, since)
        if at < len(self._writes) and self._writes[at] <= until:
            self._made |= set(_ID.findall(_PLACE.fullmatch(url)[2])) - self._known  # type: ignore[index]
        self.know(url)
        return self.pattern(url)

    def pattern(self, url: str) -> str:
        """Return a URL with ``*`` for each id that the run made."""
        site, rest = _PLACE.fullmatch(url).groups("")  # type: ignore[union-attr]
        return site + _ID.sub(lambda found: "*" if found[0] in self._made else found[0], rest)

    def part(self, url: str) -> str:
        """Return the same for a part of a URL, as a wait names it."""
        pattern = self.pattern(url)
        return pattern if pattern == url or "*" in url else f"**{pattern}**"

    def is_in(self, text: Any) -> bool:
        """Whether a text has an id that the run made."""
        return not self._made.isdisjoint(_ID.findall(str(text)))
