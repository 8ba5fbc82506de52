"""The keys of the ``browser`` section about the files in which results are saved."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field

_HomePath = Annotated[Path, AfterValidator(Path.expanduser)]


class OutputConfig(BaseModel):
    """Keys of ``BrowserConfig``."""

    output_dir: _HomePath | None = Field(
        default=None,
        description="The folder for results that a call saves (filename), such as snapshots. "
        "Default: download_dir if it is set, else Tabwarden's own folder.",
    )
