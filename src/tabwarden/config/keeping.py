"""The configuration keys for files: profiles and login states (which outlive a browser), scripts
for pages, and the folders for results.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationInfo, field_validator

from tabwarden.errors import InvalidArgument

_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?")
_RULE = "use 1 to 64 letters, digits, dots, dashes and underscores; begin and end with a letter or "
_RULE += "digit"


def checked_kept_name(name: object, field: str) -> str:
    """Check the name of a profile or of a restored state, and return it.

    Args:
        name: the name.
        field: the parameter's name for the error.

    Raises:
        InvalidArgument: the name is not valid.
    """
    if not isinstance(name, str) or not _is_name(name):
        raise InvalidArgument(
            f"{str(name)[:100]!r} is not a valid {field} name.",
            f"{_RULE[0].upper()}{_RULE[1:]}.",
            field=field,
        )
    return name


def _is_name(name: str) -> bool:
    from pathvalidate import is_valid_filename  # slow to import, and seldom needed

    return bool(_NAME.fullmatch(name)) and is_valid_filename(name, platform="universal")


def _checked(name: str) -> str:
    if not _is_name(name):
        raise ValueError(f"{name[:100]!r} is not a valid name: {_RULE}")
    return name


KeptName = Annotated[str, AfterValidator(_checked)]
HomePath = Annotated[Path, AfterValidator(Path.expanduser)]
"""A path in which ``~`` means the user's home folder."""


class KeepingConfig(BaseModel):
    """The keys in the ``browser`` section for data that outlives a browser."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    user_data_dir: HomePath | None = Field(
        default=None,
        description="Folder of a permanent profile. Default: a new temporary profile for "
        "each launch.",
    )
    profile: KeptName | None = Field(
        default=None,
        description=(
            "Name of a permanent profile, which Tabwarden keeps in `profiles_dir`. Only one "
            "browser at a time can use it. Can't be combined with `user_data_dir`."
        ),
    )
    profiles_dir: HomePath | None = Field(
        default=None,
        description="The folder for named profiles. Default: Tabwarden's own folder.",
    )
    restore: KeptName | None = Field(
        default=None,
        description=(
            "Name of a state in `state_dir`. Tabwarden loads its cookies and storage when a "
            "browser opens, and saves them every 30 seconds if they changed, and when the browser "
            "closes. Can't be combined with `profile` or `user_data_dir`, which already keep them."
        ),
    )

    @field_validator("profile", "restore")
    @classmethod
    def _is_only_keeper(cls, name: str | None, info: ValidationInfo) -> str | None:
        others = [key for key in ("user_data_dir", "profile") if info.data.get(key) is not None]
        if name is not None and others:
            raise ValueError(f"can't be combined with {others[0]}: omit one of the two")
        return name


class PagesConfig(BaseModel):
    """The keys for permanent profiles, as fields of ``BrowserConfig``."""

    init_scripts: list[HomePath] = Field(
        default=[],
        description="Files with scripts that run in every document before the page's own scripts.",
    )
    network_secrets: bool = Field(
        default=False,
        description=(
            "true: the network log and HAR files show secret headers, such as Cookie and "
            "Authorization, and passwords in sent data. Applies to browsers that open from now on."
        ),
    )


class OutputConfig(BaseModel):
    """The keys for folders, as fields of ``BrowserConfig``."""

    axe: HomePath | None = Field(
        default=None,
        description=(
            "The axe-core script (axe.min.js) for browser_audit. Default: the script that "
            "`tabwarden install axe` installed."
        ),
    )
    output_dir: HomePath | None = Field(
        default=None,
        description=(
            "The folder for results that a call saves to a file (filename), such as snapshots. "
            "Default: download_dir if it is set, else Tabwarden's own folder."
        ),
    )
