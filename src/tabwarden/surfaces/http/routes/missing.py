"""Routes of similar APIs that this server does not have: each says why, and what to do instead."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field
from starlette.requests import Request

from tabwarden.dialects.openclaw import TargetId, form
from tabwarden.errors import NotSupported
from tabwarden.surfaces.http.routes.status import StatusRoute


def _missing(name: str, why: str, instead: str, *fields: str) -> StatusRoute:
    async def refuse(request: Request, given: dict[str, Any]) -> Any:
        _ = request, given
        raise NotSupported(why, instead)

    unused: tuple[Any, None] = (Annotated[Any, Field(description="Unused.")], None)
    return StatusRoute(
        form=form(name, targetId=(TargetId, None), **dict.fromkeys(fields, unused)),
        needs="read",
        words=f"Not supported. {why} {instead}",
        serve=refuse,
    )


_NO_TRACES = "Tabwarden records no traces of a page yet."
_INSTEAD = "Follow GET /events, and read GET /requests, GET /console and GET /errors."
MISSING = (
    _missing("POST /trace/start", _NO_TRACES, _INSTEAD, "screenshots", "snapshots", "sources"),
    _missing("POST /trace/stop", _NO_TRACES, _INSTEAD, "path"),
    _missing(
        "POST /screencast",
        "Tabwarden streams no pictures of a page yet.",
        "Ask for pictures one by one: POST /screenshot.",
        "maxWidth",
        "maxHeight",
        "quality",
    ),
)
