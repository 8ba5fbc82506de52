"""The page's files, and the headers that keep other pages and other scripts away from it."""

from __future__ import annotations

from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_FILES = {
    file.name: file.read_bytes()
    for file in files("tabwarden.surfaces.live").joinpath("static").iterdir()
    if file.name.endswith(tuple(_TYPES))
}


def page_headers(host: str) -> dict[str, str]:
    """Return the headers of the page: it loads only its own files, and nothing may frame it.

    Args:
        host: the server's name and port, as the browser knows it.
    """
    rules = [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob:",
        f"connect-src 'self' ws://{host} wss://{host}",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ]
    return {
        "content-security-policy": "; ".join(rules),
        "cross-origin-opener-policy": "same-origin",
        "permissions-policy": "camera=(), microphone=(), geolocation=(), display-capture=()",
        "referrer-policy": "no-referrer",
        "x-frame-options": "DENY",
    }


async def page(request: Request) -> Response:
    """Serve one of the page's files. They contain nothing of a task."""
    name = request.path_params.get("file") or "index.html"
    body = _FILES.get(name)
    if body is None:
        return Response("Not found.", 404, media_type="text/plain")
    kind = _TYPES[name[name.rindex(".") :]]
    headers = page_headers(request.headers["host"])
    return Response(body, headers={**headers, "content-type": kind})
