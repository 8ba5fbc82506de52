"""Scroll bars: the metrics of a tab leave them out, but pictures and points have them."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

import msgspec

from tabwarden.page.call.rest import own_world_question
from tabwarden.protocol import runtime
from tabwarden.supervisor.runtime import CommandRefused, Pending, Race

BARS = own_world_question(
    "visualViewport.scale === 1 ? [innerWidth - visualViewport.width,"
    " innerHeight - visualViewport.height] : [0, 0]"
)
"""Send it before a question for the metrics. Then its reply comes first."""
_Bar = Annotated[float, msgspec.Meta(ge=0, le=50)]


async def bars_told(race: Race, asked: Pending[runtime.EvaluateResult]) -> tuple[float, float]:
    """Return the width of the viewport's vertical scroll bar and the height of the horizontal one,
    in CSS pixels. Without an answer, return zeros. Never wait."""
    if await race.answered(asked, at_most_ms=0):
        with suppress(CommandRefused, msgspec.ValidationError):
            return msgspec.convert((await race.result(asked)).result.value, tuple[_Bar, _Bar])
    return 0.0, 0.0
