"""Find the ``backendNodeId`` for many refs, for programs that also use CDP.

Each id costs a round trip, so a snapshot includes only ids that are already known. ``refs="full"``
requests all ids in a pipeline (2,000 in about 70 ms).
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable

from tabwarden.errors import BudgetExceeded, TargetCrashed
from tabwarden.page.elements import frame_ms
from tabwarden.page.task import Call, Ref, Task
from tabwarden.protocol import dom, runtime
from tabwarden.supervisor.core.state.tabs import ExecutionContext
from tabwarden.supervisor.runtime import CommandRefused, Interrupted, Race

_GROUP = "tabwarden-nodes"
_AT_ONCE = 1_000


async def learn_nodes(call: Call, refs: Iterable[int]) -> None:
    """Request the ids of refs whose id is unknown. Give up if the page does not reply soon."""
    wanted: defaultdict[str, list[Ref]] = defaultdict(list)
    for number in refs:
        ref = call.task.refs.at(number)
        if ref is not None and ref.backend_node_id is None:
            wanted[ref.frame_id].append(ref)
    worlds = ((call.state.worlds.get(frame_id), some) for frame_id, some in wanted.items())
    budget = call.race.budget.child(at_most_ms=frame_ms(call.race))
    try:
        with Race(call.task.supervisor, budget, call.tab.tab_id) as inner:
            await asyncio.gather(
                *(
                    _learn(call.task, inner, world, some)
                    for world, some in worlds
                    if world is not None
                )
            )
    except (BudgetExceeded, Interrupted, TargetCrashed):
        call.race.raise_if_ended()


async def _learn(task: Task, race: Race, world: ExecutionContext, refs: list[Ref]) -> None:
    for start in range(0, len(refs), _AT_ONCE):
        some = [ref for ref in refs[start : start + _AT_ONCE] if ref.world_id == world.unique_id]
        try:
            for ref, node_id in zip(some, await _nodes(race, world, some), strict=True):
                if node_id is not None:
                    task.refs.learn(ref, node_id)
        except CommandRefused:  # the document and its refs are gone
            return


async def _nodes(race: Race, world: ExecutionContext, refs: list[Ref]) -> list[int | None]:
    ids = [ref.local_id for ref in refs]
    elements = await race.call(
        runtime.Evaluate(
            expression=f"{ids}.map((id) => __tabwarden.element(id))",
            unique_context_id=world.unique_id,
            object_group=_GROUP,
            silent=True,
        ),
        world.session_id,
    )
    try:
        listed = await race.call(
            runtime.GetProperties(object_id=elements.result.object_id or "", own_properties=True),
            world.session_id,
        )
        objects = {one.name: one.value for one in listed.result}
        requests = [
            race.start(dom.DescribeNode(object_id=value.object_id), world.session_id)
            if (value := objects.get(str(at))) is not None and value.object_id
            else None
            for at in range(len(refs))
        ]
        return [
            (await race.result(one)).node.backend_node_id if one is not None else None
            for one in requests
        ]
    finally:
        race.supervisor.send(runtime.ReleaseObjectGroup(object_group=_GROUP), world.session_id)
