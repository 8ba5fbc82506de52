"""Exchange elements with Playwright: make a ref's element findable by Playwright's selectors, and
assign a ref to Playwright's element.

Both operations use Playwright's own isolated world in the element's frame (``js/guest.js``). The
page can't see that world, and gets no attribute, property or event.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

from tabwarden.errors import InvalidArgument, NotSupported, StaleRef
from tabwarden.integrations.playwright.timing import GUEST_MS
from tabwarden.page.elements import ElementGone, healing, node_of
from tabwarden.page.task import Call, Ref
from tabwarden.page.walker import WorldGone, frame_not_found
from tabwarden.protocol import dom, runtime
from tabwarden.supervisor.core.handlers import descendants
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.tabs import ExecutionContext
from tabwarden.supervisor.runtime import CommandRefused, Race

_GROUP = "tabwarden-playwright"


def frames_around(state: SupervisorState, frame_id: str) -> list[str]:
    """Return a frame and its ancestors, without the top frame, outermost first."""
    frame_ids: list[str] = []
    frame = state.frames.get(frame_id)
    while frame is not None and frame.parent_frame_id in state.frames:
        frame_ids.insert(0, frame.frame_id)
        frame = state.frames.get(frame.parent_frame_id or "")
    return frame_ids


def selectors(state: SupervisorState, ref: Ref, mark: str) -> list[str]:
    """Return selectors for the iframes around a ref's element, and for the element itself."""
    names = [_of_frame(one, mark) for one in frames_around(state, ref.frame_id)]
    return [f"xpath=//tabwarden[{name}]" for name in (*names, _of_ref(ref, mark))]


def selector_to_take(number: int, mark: str) -> str:
    """Return a selector that matches nothing, but records the element in which it is used."""
    return f"xpath=//tabwarden[{_to_take(number, mark)}]"


def _of_ref(ref: Ref, mark: str) -> str:
    return f"{ref.ref}_{mark}"


def _of_frame(frame_id: str, mark: str) -> str:
    return f"in{frame_id}_{mark}"


def _to_take(number: int, mark: str) -> str:
    return f"take{number}_{mark}"


async def offer(call: Call, ref: Ref, mark: str) -> None:
    """Store a ref's element, and the iframes around it, where Playwright's selectors find them.

    Args:
        call: a call on the ref's tab.
        ref: the ref.
        mark: distinguishes our names from those of other tasks.

    Raises:
        StaleRef: the element no longer exists.
        NotSupported: Playwright does not control the ref's tab.
    """
    for frame_id in frames_around(call.state, ref.frame_id):
        await _offer_iframe(call, frame_id, mark)

    async def keep(ref: Ref, world: ExecutionContext) -> None:
        try:
            await _keep(call, _of_ref(ref, mark), ref.frame_id, await node_of(call, ref, world))
        except CommandRefused as refused:
            raise ElementGone from refused

    await healing(call, ref, keep)


async def _offer_iframe(call: Call, frame_id: str, mark: str) -> None:
    frame = call.state.frames[frame_id]
    parent = call.state.frames[frame.parent_frame_id or ""]
    try:
        owner = await call.race.call(dom.GetFrameOwner(frame_id=frame_id), parent.session_id)
        await _keep(call, _of_frame(frame_id, mark), parent.frame_id, owner.backend_node_id)
    except CommandRefused as refused:
        raise frame_not_found(frame_id) from refused


async def _keep(call: Call, name: str, frame_id: str, node_id: int) -> None:
    for world in await _welcomed(call, frame_id):
        node = dom.ResolveNode(
            backend_node_id=node_id, execution_context_id=world.context_id, object_group=_GROUP
        )
        resolved = await call.race.call(node, world.session_id)
        await call.race.call(
            runtime.CallFunctionOn(
                function_declaration="function (name) { __tabwarden.keep(name, this); }",
                object_id=resolved.object.object_id or "",
                arguments=[runtime.CallArgument(value=name)],
            ),
            world.session_id,
        )
        call.race.start(runtime.ReleaseObjectGroup(object_group=_GROUP), world.session_id)


async def welcome(call: Call) -> None:
    """Prepare all frames of a tab for ``taken``."""
    top = call.state.top_frame_id(call.tab.tab_id) or call.tab.target_id
    await _welcomed(call, top)
    for frame_id in descendants(call.state, [top]):
        for world in _guests(call.state, frame_id):
            await _evaluate(call.race, world, _script())


async def taken(call: Call, number: int, mark: str) -> str:
    """Return the ref for the element in which Playwright used ``selector_to_take``.

    Raises:
        InvalidArgument: Playwright's element is in none of the tab's frames.
    """
    for world in list(call.state.guest_worlds.values()):
        if call.state.tab_of_session(world.session_id) != call.state.tabs.get(call.tab.tab_id):
            continue
        element = await _evaluate(
            call.race, world, f"__tabwarden?.take('{_to_take(number, mark)}')"
        )
        if element is not None and element.object_id:
            return await _ref_of(call, world.frame_id, element.object_id, world.session_id)
    raise InvalidArgument(
        f"The element is not in tab {call.tab.tab_id}, or it is no longer in the page.",
        "Get the element again from a page that this warden supervises.",
        field="element",
    )


async def _ref_of(call: Call, frame_id: str, object_id: str, session_id: str) -> str:
    try:
        node = await call.race.call(dom.DescribeNode(object_id=object_id), session_id)
        world = await call.task.worlds.of(call.race, frame_id)
        ours = dom.ResolveNode(
            backend_node_id=node.node.backend_node_id,
            execution_context_id=world.context_id,
            object_group=_GROUP,
        )
        resolved = await call.race.call(ours, session_id)
        reply = await call.race.call(
            runtime.CallFunctionOn(
                function_declaration="function () { return __tabwarden.described(this); }",
                object_id=resolved.object.object_id or "",
                return_by_value=True,
            ),
            session_id,
        )
    except (CommandRefused, WorldGone) as gone:
        raise StaleRef(
            "The element's document was replaced.", "Get the element again from the new page."
        ) from gone
    call.race.start(runtime.ReleaseObjectGroup(object_group=_GROUP), session_id)
    element = reply.result.value
    return call.task.refs.assign(
        world.unique_id,
        element["id"],
        role=element["role"],
        name=element["name"],
        tab_id=call.tab.tab_id,
        frame_id=frame_id,
    )


async def _welcomed(call: Call, frame_id: str) -> list[ExecutionContext]:
    """Return Playwright's isolated worlds in a frame, prepared by our script."""
    if not await call.race.until(lambda now: bool(_guests(now, frame_id)), at_most_ms=GUEST_MS):
        raise NotSupported(
            f"Playwright does not control tab {call.tab.tab_id}: it can't run scripts there.",
            "Use a page in a browser that Playwright launched or connected to.",
        )
    worlds = _guests(call.state, frame_id)
    for world in worlds:
        await _evaluate(call.race, world, _script())
    return worlds


def _guests(state: SupervisorState, frame_id: str) -> list[ExecutionContext]:
    return [world for world in state.guest_worlds.values() if world.frame_id == frame_id]


async def _evaluate(
    race: Race, world: ExecutionContext, script: str
) -> runtime.RemoteObject | None:
    """Run a script in a world; return None if the world no longer exists or the script failed."""
    command = runtime.Evaluate(
        expression=script,
        unique_context_id=world.unique_id,
        object_group=_GROUP,
        silent=True,
    )
    try:
        done = await race.call(command, world.session_id)
    except CommandRefused:
        return None
    return done.result if done.exception_details is None else None


@cache
def _script() -> str:
    return (resources.files("tabwarden.integrations.playwright") / "js" / "guest.js").read_text(
        "utf-8"
    )
