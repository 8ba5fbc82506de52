"""The keys of the ``browser`` section about what runs in pages, and what is shown of requests."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field

_HomePath = Annotated[Path, AfterValidator(Path.expanduser)]


class PagesConfig(BaseModel):
    """Keys of ``BrowserConfig``."""

    init_scripts: list[_HomePath] = Field(
        default=[],
        description="Files with scripts that run in every document before the page's own scripts.",
    )
    network_secrets: bool = Field(
        default=False,
        description="true: the network log and HAR files show headers that hold secrets, such as "
        "Cookie and Authorization, and passwords in sent data. Applies to browsers that open from "
        "now on.",
    )
