"""Parameters that several actions share, with their descriptions for the model."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

OptionalRef = Annotated[
    str | None,
    Field(
        description="The element's ref from the last snapshot, such as e12. Or css=... or "
        "xpath=... matching one visible element."
    ),
]
X = Annotated[float | None, Field(description="Instead of ref: CSS pixels from the left.")]
Y = Annotated[float | None, Field(description="CSS pixels from the top.")]
Shows = Annotated[
    Literal["none", "diff", "full"],
    Field(description="Also return the new outline (full) or its changes (diff)."),
]
FrameId = Annotated[
    str | None, Field(description="A frame's frame_id from the snapshot's frame tree.")
]
