"""The keys of the ``browser`` section for people who inspect pages."""

from __future__ import annotations

from pydantic import BaseModel, Field

from tabwarden.config.keeping import HomePath


class InspectingConfig(BaseModel):
    """Keys of ``BrowserConfig``."""

    axe: HomePath | None = Field(
        default=None,
        description="The script axe.min.js of axe-core, for browser_audit. Default: what "
        "`tabwarden install axe` has installed.",
    )
