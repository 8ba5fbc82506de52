"""Parameters that several actions take, with the words that a model reads."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

__all__ = ["FrameId", "OptionalRef", "Shows", "X", "Y"]

OptionalRef = Annotated[
    str | None,
    Field(
        description="The element's ref from the last snapshot, such as e12; or css=... or "
        "xpath=... that matches one visible element."
    ),
]
X = Annotated[
    float | None, Field(description="A point instead of a ref: CSS pixels from the left.")
]
Y = Annotated[float | None, Field(description="CSS pixels from the top of the viewport.")]
Shows = Annotated[
    Literal["none", "diff", "full"],
    Field(description="Add the outline after it, or what changed in it."),
]
FrameId = Annotated[
    str | None, Field(description="One frame, by its frame_id from the snapshot's frame tree.")
]
