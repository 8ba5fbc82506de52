"""JSON responses. Their hints name HTTP requests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec
from starlette.responses import Response

from tabwarden.surfaces.http.hints import in_requests


def json_response(
    body: Mapping[str, Any], status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a JSON response. Its hints name HTTP requests."""
    told = json.dumps(msgspec.to_builtins(body, enc_hook=in_requests), default=str)
    return Response(told, status, headers, media_type="application/json")
