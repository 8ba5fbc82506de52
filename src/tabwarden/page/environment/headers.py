"""Check the HTTP headers that a caller sets."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from tabwarden.errors import InvalidArgument
from tabwarden.hints import Hint, Next
from tabwarden.vault import names_in

_NAME = re.compile(r"^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}\Z")
HEADER_VALUE = re.compile(r"^[^\x00-\x08\x0a-\x1f\x7f]{0,8000}\Z")
_BROWSERS_OWN = {
    "host", "connection", "content-length", "transfer-encoding", "cookie", "upgrade", "te",
    "trailer", "keep-alive", "proxy-connection",
}  # fmt: skip
"""Headers that only the browser sets."""
_SET_COOKIES = Hint("Set cookies", Next("cookies", mode="set", name="...", value="..."), ".")


def checked_headers(
    headers: Mapping[str, str], *, sent: bool = True, may_be_secret: bool = False
) -> dict[str, str]:
    """Return the headers for a request (``sent``) or a response. Raise ``InvalidArgument`` if a
    name or a value is wrong, or if only the browser may set the header. A request header can't
    contain a secret, unless the header is sent only to that secret's sites (``may_be_secret``)."""
    if not isinstance(headers, Mapping) or len(headers) > 50:
        raise InvalidArgument("headers must be an object with at most 50 headers.", field="headers")
    for name, value in headers.items():
        quoted_name = json.dumps(str(name)[:100])
        if not isinstance(name, str) or not _NAME.match(name):
            raise InvalidArgument(f"{quoted_name} is not a valid header name.", field="headers")
        if sent and name.lower() in _BROWSERS_OWN:
            raise InvalidArgument(
                f"The browser sets {quoted_name} itself.",
                _SET_COOKIES if name.lower() == "cookie" else "",
                field="headers",
            )
        if not isinstance(value, str) or not HEADER_VALUE.match(value):
            raise InvalidArgument(f"The value of {quoted_name} must be one line.", field="headers")
        if sent and not may_be_secret and names_in(value):
            raise InvalidArgument(
                f"{quoted_name} can't contain a secret, because these headers are sent to every "
                "site.",
                Hint("Send the header only to the secret's own sites", Next("route"), "."),
                field="headers",
            )
    return dict(headers)
