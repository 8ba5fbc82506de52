"""Find elements whose clicks a library handles in a single listener on a container.

Libraries (Svelte, Solid, jQuery) store such handlers in properties of elements. Only a script in
the page's main world can read these properties (``delegated_handlers.js``).
"""

from __future__ import annotations

from functools import cache
from importlib import resources

from tabwarden.protocol import dom, runtime
from tabwarden.supervisor.runtime import Pending, Race

_GROUP = "tabwarden-delegated"
_MOST = 1_000
"""How many elements one search returns. The script has the same limit."""


class DelegatedHandlers:
    """The elements with delegated handlers in one document."""

    def __init__(self, document: str, session_id: str) -> None:
        self._document = document
        """The ID of the document's object in the page's main world."""
        self._session_id = session_id
        self._look = ""
        """The script's function. It returns only elements that it has not returned before."""
        self.known_ids: set[int] = set()
        """The backend ids of the elements."""

    def ask(self, race: Race) -> Pending[runtime.CallFunctionOnResult]:
        """Start to search for more elements."""
        command = runtime.CallFunctionOn(
            function_declaration="function () { return this() }" if self._look else _script(),
            object_id=self._look or self._document,
            object_group=_GROUP,
            silent=True,
        )
        return race.start(command, self._session_id)

    async def learn(self, race: Race, pending: Pending[runtime.CallFunctionOnResult]) -> None:
        """Add the elements that a search found to ``known_ids``."""
        result = (await race.result(pending)).result
        if result.type == "function":
            self._look = result.object_id or ""
        if result.subtype != "array" or result.object_id is None:
            return
        command = runtime.GetProperties(object_id=result.object_id, own_properties=True)
        properties = [one.value for one in (await race.call(command, self._session_id)).result]
        values = [one for one in properties if one is not None and one.object_id is not None]
        self._look = next(
            (str(one.object_id) for one in values if one.type == "function"), self._look
        )
        handles = [str(one.object_id) for one in values if one.subtype == "node"][:_MOST]
        described = [
            race.start(dom.DescribeNode(object_id=one), self._session_id) for one in handles
        ]
        for description in described:
            self.known_ids.add((await race.result(description)).node.backend_node_id)
        for handle in [result.object_id, *handles]:
            race.supervisor.send(runtime.ReleaseObject(object_id=handle), self._session_id)


@cache
def _script() -> str:
    script = resources.files("tabwarden.page.walker") / "delegated_handlers.js"
    return script.read_text("utf-8")
