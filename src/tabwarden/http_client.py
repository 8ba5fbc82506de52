"""Create HTTP clients that report an invalid ``SSL_CERT_FILE`` as a network error."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from tabwarden.files.plain_file import check_plain_file

if TYPE_CHECKING:
    import httpx2

__all__ = ["check_authorities", "http_client"]

_FILE = "SSL_CERT_FILE"


def http_client(**options: Any) -> httpx2.AsyncClient:
    """Return ``httpx2.AsyncClient(**options)``.

    Raises:
        httpx2.ConnectError: the certificate file named by ``SSL_CERT_FILE`` can't be used.
    """
    import httpx2  # slow to import, and not needed to launch a browser

    try:
        if options.get("trust_env", True):
            check_authorities()
        return httpx2.AsyncClient(**options)
    except OSError as error:  # ssl.SSLError too
        raise httpx2.ConnectError(
            f"{_FILE} ({os.environ.get(_FILE)}) can't be used: {error.strerror or error}"
        ) from None


def check_authorities() -> None:
    """Raise ``OSError`` if ``SSL_CERT_FILE`` names a pipe or a device, which OpenSSL could read
    forever.
    """
    named = os.environ.get(_FILE)
    if named and os.path.exists(named) and not os.path.isdir(named):
        check_plain_file(named)
