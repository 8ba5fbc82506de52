"""Profiles: the tasks, as clients of similar APIs create, list and delete them.

A profile here is a task: it has its own browser, which starts empty.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from tabwarden.actions import DEFAULT_TASK
from tabwarden.control_api import form
from tabwarden.errors import InvalidArgument, NotSupported
from tabwarden.surfaces.http.pipeline import json_response, service_of, task_of
from tabwarden.surfaces.http.routes.status import StatusRoute, state_of

_OBJECTS = {"type": "array", "items": {"type": "object"}}
_MOST = 1_000
"""How many profiles a tenant may have created."""
_ELSEWHERE = ("cdpUrl", "driver", "userDataDir")


class NoSuchProfile(InvalidArgument):
    """No profile has this name."""


class ProfileExists(InvalidArgument):
    """A profile with this name exists already."""


class TooManyProfiles(InvalidArgument):
    """The tenant has created as many profiles as it may."""


async def _profiles(request: Request, given: dict[str, Any]) -> Response:
    _ = given
    there = {n: state_of(one) for n, one in service_of(request).tasks.open_sessions().items()}
    names = sorted({task_of(request), *_known(request)} - {DEFAULT_TASK})
    return json_response(
        {
            "ok": True,
            "profiles": [
                {
                    "name": name,
                    "running": (state := there.get(name)) is not None,
                    "tabCount": len(state.tabs) if state is not None else 0,
                    "isDefault": name == DEFAULT_TASK,
                    "transport": "cdp",
                }
                for name in (DEFAULT_TASK, *names)
            ],
        }
    )


async def _create(request: Request, given: dict[str, Any]) -> Response:
    name = given.get("name")
    if not name:
        raise InvalidArgument("name is required.", "Name the new profile.", field="name")
    _check(request, name)
    for field in _ELSEWHERE:
        if given.get(field) is not None:
            raise NotSupported(
                f"A profile here has no {field}: it is a task, which starts with an empty browser.",
                f"Leave {field} out. To use another browser, send POST /connect?profile={name} "
                '{"url": "..."}.',
            )
    if name in _known(request):
        raise ProfileExists(
            f"A profile {name!r} already exists.", f"Use it: ?profile={name}.", field="name"
        )
    profiles = service_of(request).profiles
    if len(profiles) >= _MOST:
        raise TooManyProfiles(
            f"{len(profiles)} profiles were created, which is the limit.",
            "DELETE /profiles/NAME first. A task needs no profile: just name it.",
            field="name",
        )
    profiles.add(name)
    return json_response(
        {"ok": True, "profile": name, "transport": "cdp", "isRemote": False, "userDataDir": None}
    )


async def _delete(request: Request, given: dict[str, Any]) -> Response:
    name = given["name"]
    _check(request, name)
    if name == DEFAULT_TASK:
        raise InvalidArgument(
            "cannot delete the default profile.", "POST /stop closes its browser.", field="name"
        )
    if name not in _known(request):
        raise NoSuchProfile(
            f"profile {name!r} not found.", "GET /profiles lists the profiles.", field="name"
        )
    service = service_of(request)
    stopped = await service.tasks.stop(name)
    service.profiles.discard(name)
    return json_response({"ok": True, "profile": name, "stopped": stopped, "deleted": True})


async def _reset(request: Request, given: dict[str, Any]) -> Response:
    _ = given
    service, task = service_of(request), task_of(request)
    kept = next((k for k in ("profile", "user_data_dir") if getattr(service.config, k)), None)
    if kept is not None:
        raise NotSupported(
            f"The configuration gives the browser a permanent profile (browser.{kept}).",
            "Tabwarden does not delete it. POST /stop, then delete the folder yourself.",
        )
    stopped = await service.tasks.stop(task)
    return json_response({"ok": True, "profile": task, "stopped": stopped, "moved": False})


def _known(request: Request) -> set[str]:
    service = service_of(request)
    return {DEFAULT_TASK, *service.profiles, *service.tasks.open_sessions()}


def _check(request: Request, name: str) -> None:
    try:
        service_of(request).tasks.full(name)
    except InvalidArgument:
        raise InvalidArgument(
            f"invalid profile name: {name[:100]!r}.",
            "Use 1 to 64 letters, digits, dots, dashes and underscores.",
            field="name",
        ) from None


def _optional(words: str) -> tuple[Any, None]:
    return (Annotated[str | None, Field(description=words)], None)


PROFILES = (
    StatusRoute(
        form=form("GET /profiles"),
        needs="read",
        words="The tasks, as profiles. Each has its own browser, which opens on first use.",
        serve=_profiles,
        gives={"profiles": _OBJECTS},
    ),
    StatusRoute(
        form=form(
            "POST /profiles/create",
            name=_optional("The new task's name."),
            color=_optional("Has no effect."),
            **{field: _optional("Not supported: see POST /connect.") for field in _ELSEWHERE},
        ),
        needs="act",
        words="Create a task. This is not required: a task exists once a request names it.",
        serve=_create,
        gives={"profile": {"type": "string"}},
    ),
    StatusRoute(
        form=form(
            "DELETE /profiles/{name}",
            name=(Annotated[str, Field(description="The task's name.")], ...),
        ),
        needs="act",
        words="Close a task's browser and forget the task.",
        serve=_delete,
        gives={"profile": {"type": "string"}, "deleted": {"type": "boolean"}},
    ),
    StatusRoute(
        form=form("POST /reset-profile"),
        needs="act",
        words="Close the task's browser. The next one starts empty.",
        serve=_reset,
        gives={"stopped": {"type": "boolean"}},
    ),
)
