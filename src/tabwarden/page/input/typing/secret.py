"""Secret: put a secret into a field, and only into a document of the secret's own sites.

The walker inserts it, in the document that was checked: a document that replaces this one in
between never gets it, as it might if keys were sent.
"""

from __future__ import annotations

from tabwarden.errors import NotInteractable
from tabwarden.hints import Hint, Next
from tabwarden.page.call import until_codes_last
from tabwarden.page.task import Call, Ref, stale
from tabwarden.page.walker import WorldGone, call_walker
from tabwarden.supervisor.core.state.tabs import ExecutionContext


async def insert_secret(
    call: Call, world: ExecutionContext, ref: Ref, text: str, *, clear: bool
) -> None:
    """Insert a text with secrets in the focused field.

    Args:
        call: the running call.
        world: the world of the field's document.
        ref: the field.
        text: what the caller gave.
        clear: whether the text replaces the selection.

    Raises:
        Denied: the document is not of the secret's sites.
        NotInteractable: the field takes no inserted text.
        StaleRef: the document was replaced; nothing was filled in.
    """
    vault = call.task.vault
    try:
        await until_codes_last(call.race, vault, text)
        origin = str(await call_walker(call.race, world, "origin"))
        filled = vault.fill(text, origin, "text")
        taken = await call_walker(call.race, world, "insertSecret", ref.local_id, filled, clear)
    except WorldGone as gone:
        raise stale(ref, "its document was replaced before the secret was filled in") from gone
    call.task.control.secret_worlds[world.unique_id] = world.session_id
    if not taken:
        raise NotInteractable(
            f"{ref.ref} ({ref.role} {ref.name[:200]!r}) does not take a secret: the page moved the "
            "focus, or the field takes only keys.",
            Hint("Ask a person to type it", Next("handoff", reason="Type it"), "."),
            ref=ref.ref,
            reason="no_text",
        )
