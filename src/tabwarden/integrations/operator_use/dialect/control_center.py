"""The tool ``control_center``, with which an agent reads and changes a few settings of its own
session.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from pydantic import Field, ValidationError

from tabwarden.actions import Answer, Checked, Session, Tool, check_permission, refused
from tabwarden.config import BrowserConfig, Config
from tabwarden.errors import Denied, Disabled, InvalidArgument, TabwardenError
from tabwarden.integrations.dialect import Fields, form
from tabwarden.similar import get_close_matches

NAME = "control_center"
SETTABLE = {
    "browser_use_enabled": "false hides the tool `browser`, true shows it",
    "default_timeout_ms": "time limit of a call without timeout_ms",
    "hang_patience": "1 to 20; multiplies the time after which a page counts as hung",
}
"""The keys that an agent may set, all in the ``browser`` section. Never add a key that extends the
access of a page or the agent: networks, files, permissions, secrets, enabled actions, dialogs.
"""
_KEYS = ", ".join(SETTABLE)


class ControlCall(Fields):
    """One call. Without arguments, it reads all settings."""

    action: Annotated[
        Literal["set", "get"], Field(description="Change a setting, or read the settings.")
    ] = "get"
    key: Annotated[str | None, Field(description=f"One of {_KEYS}.")] = None
    value: Annotated[bool | float | None, Field(description="For set: the new value.")] = None


_FORM = form(NAME, ControlCall)


def tool() -> Tool:
    """Return the tool as the model sees it."""
    keys = "; ".join(f"{key}: {about}" for key, about in SETTABLE.items())
    return Tool(
        name=NAME,
        description=f"Read or change the browser's settings. Changes last until this session "
        f"ends. {keys}.",
        input=_FORM.schema,
        destructive=False,
        idempotent=True,
        open_world=False,
    )


def checked(arguments: Mapping[str, Any]) -> Checked:
    """Return a call's fields. An error names the wrong field."""
    return _FORM.check(arguments)


def run(config: BrowserConfig, call: Checked, session: Session) -> Answer:
    """Read or change settings of ``session``. The configuration file stays unchanged.

    Args:
        config: the configuration, whose values apply until the session changes them.
    """
    try:
        return _done(config, call, session)
    except TabwardenError as error:
        return refused(session, error)


def _done(config: BrowserConfig, call: Checked, session: Session) -> Answer:
    if not config.enabled:
        raise Disabled(
            "The browser is disabled in the configuration.", "The key is browser.enabled."
        )
    arguments = call.arguments
    heading, keys = "Settings of this session:", list(SETTABLE)
    if arguments.get("key") is not None:
        keys = [_allowed(arguments["key"])]
    if arguments.get("action") == "set":
        for field in ("key", "value"):
            if arguments.get(field) is None:
                raise InvalidArgument(
                    f"'{field}' is required for action='set'.",
                    f"Call the tool again with {field}.",
                    field=field,
                )
        check_permission("act", config)
        session.change(keys[0], _valid(keys[0], arguments["value"]))
        heading = "Changed for this session only; the configuration file is unchanged:"
    session.configure(config)
    now = session.adjusted(config)
    settings = {key: getattr(now, key) for key in keys}
    if settings.get("browser_use_enabled", True) is None:
        settings["browser_use_enabled"] = True  # if unset, the tool is shown
    lines = [f"{key}: {msgspec.json.encode(value).decode()}" for key, value in settings.items()]
    text = "\n".join([heading, *lines, *call.coerced])
    return Answer(text=text, data={"status": "ok", "settings": settings})


def _allowed(written: str) -> str:
    """Return the name of a key that the agent may set, with or without its section."""
    names = written.split(".")
    section = names.pop(0) if len(names) > 1 and names[0] in Config.model_fields else "browser"
    if section == "browser" and len(names) == 1 and names[0] in SETTABLE:
        return names[0]
    known = getattr(Config(), section)
    if names[0] not in type(known).model_fields:
        near = get_close_matches(written, SETTABLE, n=1)
        meant = f"Did you mean {near[0]}? " if near else ""
        raise InvalidArgument(
            f"There is no setting {written[:100]!r}.", f"{meant}Settings: {_KEYS}.", field="key"
        )
    key = f"{section}.{names[0]}"
    raise Denied(
        f"An agent must not read or set {key}.",
        f"The person at the computer can run `tabwarden config set {key} VALUE`.",
        key=key,
    )


def _valid(key: str, value: bool | float) -> Any:
    try:
        return getattr(BrowserConfig.model_validate({key: value}), key)
    except ValidationError as error:
        raise InvalidArgument(
            f"{key} can't be {value!r}: {error.errors()[0]['msg']}.",
            f"{key}: {SETTABLE[key]}.",
            field="value",
        ) from None
