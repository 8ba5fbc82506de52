"""Routes that create, list and delete profiles, for clients of similar APIs. A profile is a task,
which has its own browser. The browser starts empty.
"""

from __future__ import annotations

from starlette.responses import Response

from tabwarden.actions import DEFAULT_TASK
from tabwarden.errors import InvalidArgument, NotSupported
from tabwarden.surfaces.http.pipeline import json_response, optional, required
from tabwarden.surfaces.http.plain_routes import RouteRequest, plain_route
from tabwarden.surfaces.http.routes.status import state_of
from tabwarden.surfaces.http.schema import OBJECTS

_MOST = 1_000
"""The maximum number of a tenant's profiles."""
_ELSEWHERE = ("cdpUrl", "driver", "userDataDir")


class NoSuchProfile(InvalidArgument):
    """The profile does not exist."""


class ProfileExists(InvalidArgument):
    """A profile with this name already exists."""


class TooManyProfiles(InvalidArgument):
    """The tenant has reached the limit of profiles."""


@plain_route(
    "GET /profiles",
    needs="read",
    words="List the tasks as profiles. Each has its own browser, which opens on first use.",
    gives={"profiles": OBJECTS},
)
async def _profiles(request: RouteRequest) -> Response:
    there = {n: state_of(one) for n, one in request.service.tasks.open_sessions().items()}
    names = sorted({request.task, *_known(request)} - {DEFAULT_TASK})
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


@plain_route(
    "POST /profiles/create",
    needs="act",
    words="Create a task. This is not required, because a task is created when a request first "
    "uses its name.",
    name=optional(str, "The new task's name."),
    color=optional(str, "Has no effect."),
    **{field: optional(str, "Not supported: see POST /connect.") for field in _ELSEWHERE},
    gives={"profile": {"type": "string"}},
)
async def _create(request: RouteRequest) -> Response:
    name = request.fields.get("name")
    if not name:
        raise InvalidArgument("name is required.", "Send the new profile's name.", field="name")
    _check(request, name)
    for field in _ELSEWHERE:
        if request.fields.get(field) is not None:
            raise NotSupported(
                f"A profile can't have {field}, because each profile is a task, whose browser "
                f"starts empty.",
                f"Omit {field}. To use another browser, send POST /connect?profile={name} "
                '{"url": "..."}.',
            )
    if name in _known(request):
        raise ProfileExists(
            f"A profile {name!r} already exists.", f"Use it: ?profile={name}.", field="name"
        )
    profiles = request.service.profiles
    if len(profiles) >= _MOST:
        raise TooManyProfiles(
            f"{len(profiles)} profiles were created, which is the limit.",
            "Delete one with DELETE /profiles/NAME. Or use a task without creating a profile, by "
            "its name.",
            field="name",
        )
    profiles.add(name)
    return json_response(
        {"ok": True, "profile": name, "transport": "cdp", "isRemote": False, "userDataDir": None}
    )


@plain_route(
    "DELETE /profiles/{name}",
    needs="act",
    words="Close a task's browser and forget the task.",
    name=required(str, "The task's name."),
    gives={"profile": {"type": "string"}, "deleted": {"type": "boolean"}},
)
async def _delete(request: RouteRequest) -> Response:
    name = request.fields["name"]
    _check(request, name)
    if name == DEFAULT_TASK:
        raise InvalidArgument(
            "cannot delete the default profile.",
            "To close its browser, send POST /stop.",
            field="name",
        )
    if name not in _known(request):
        raise NoSuchProfile(
            f"profile {name!r} not found.",
            "To list the profiles, send GET /profiles.",
            field="name",
        )
    service = request.service
    stopped = await service.tasks.stop(name)
    service.profiles.discard(name)
    return json_response({"ok": True, "profile": name, "stopped": stopped, "deleted": True})


@plain_route(
    "POST /reset-profile",
    needs="act",
    words="Close the task's browser. The task's next browser starts empty.",
    gives={"stopped": {"type": "boolean"}},
)
async def _reset(request: RouteRequest) -> Response:
    service, task = request.service, request.task
    kept = next((k for k in ("profile", "user_data_dir") if getattr(service.config, k)), None)
    if kept is not None:
        raise NotSupported(
            f"The configuration sets a permanent browser profile (browser.{kept}).",
            "Tabwarden does not delete it. Send POST /stop, then delete the folder yourself.",
        )
    stopped = await service.tasks.stop(task)
    return json_response({"ok": True, "profile": task, "stopped": stopped, "moved": False})


def _known(request: RouteRequest) -> set[str]:
    service = request.service
    return {DEFAULT_TASK, *service.profiles, *service.tasks.open_sessions()}


def _check(request: RouteRequest, name: str) -> None:
    try:
        request.service.tasks.full(name)
    except InvalidArgument:
        raise InvalidArgument(
            f"invalid profile name: {name[:100]!r}.",
            "Use 1 to 64 letters, digits, dots, dashes and underscores.",
            field="name",
        ) from None


PROFILES = (_profiles, _create, _delete, _reset)
