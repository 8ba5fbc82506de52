"""Links: where they lead, in as few characters as tell it."""

from __future__ import annotations

import re

__all__ = ["short_url"]

_MOST = 80
_MOST_INLINE = 24
# Who sent the visitor: it changes nothing of what is shown.
_TRACKING = re.compile(
    r"(?<=[?&])(?:utm_\w+|gclid|dclid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|ttclid|igshid"
    r"|mc_cid|mc_eid|_ga|_gl|_hsenc|_hsmi|mkt_tok|vero_id|oly_enc_id|oly_anon_id)=[^&#]*(?:&|(?=#|$))",
    re.IGNORECASE,
)


def short_url(url: str) -> str:
    """A link's URL without what tracks visitors, cut (…) where it is long.

    Empty for one that leads nowhere: a click is all there is to it.
    """
    if url[:1] == "/" and len(url) <= _MOST and "?" not in url:
        return url  # as most links within a site are
    if "?" in url:
        url = re.sub(r"[?&](?=#|$)", "", _TRACKING.sub("", url))
    if url == "#" or url[:11].lower() == "javascript:":
        return ""
    most = _MOST_INLINE if url.startswith(("data:", "blob:")) else _MOST
    return url if len(url) <= most else f"{url[: most - 1]}…"
