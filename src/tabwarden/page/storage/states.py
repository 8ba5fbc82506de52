"""Read the storage state of a task's browser, save it to a file, or load a state into the
browser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from tabwarden import results
from tabwarden.budget import Budget
from tabwarden.page.call import value_without_page
from tabwarden.page.storage.state_file import folder_of, given, save, state_path
from tabwarden.page.storage.state_format import checked_origins
from tabwarden.page.storage.storage_state import STORAGE_STATE, Reading, load, read
from tabwarden.page.task import Call, Done, Task, card


@card("storage_state", permission="files", group="storage", shows=False, turn=None)
async def storage_state(
    task: Task, budget: Budget, *, origins: Sequence[str] = (), tab_id: str | None = None
) -> dict[str, Any]:
    """Return all cookies, and the localStorage of the origins that the task has visited, in
    Playwright's ``storageState`` format. The result contains secrets, such as logins.

    ``{"cookies": [...], "origins": [{"origin", "localStorage": [{"name", "value"}]}]}``, and
    ``passkeys`` if the task has some.

    To read an origin that no tab shows, Tabwarden opens an empty helper page at that origin,
    without a request to the site.

    Args:
        origins: more origins to read (``https://host``).
        tab_id: a tab in the browser context to read; the active tab by default.

    Raises:
        InvalidArgument: an item of ``origins`` is not an origin.
    """
    body = partial(read, more=checked_origins(origins))
    # Return only the value. The result of the next action reports any news.
    _, value = await value_without_page(task, STORAGE_STATE, budget, body, tab_id=tab_id)
    reading: Reading = value
    return reading.state


@card(
    "storage_state",
    method="save_storage_state",
    permission="files",
    group="storage",
    gives=results.StateFile,
    shows=False,
    acts=False,
    without_page=True,
)
async def save_storage_state(call: Call, filename: str, *, origins: Sequence[str] = ()) -> Done:
    """Save ``storage_state()`` to a file that only this user can read. ``value`` is
    ``{"path", "cookies": n, "origins": [...]}``.

    Args:
        filename: a name in the folder of saved states (``state_dir`` in the configuration).
        origins: more origins to read (``https://host``).
        tab_id: a tab in the browser context to read; the active tab by default.

    Raises:
        Denied: the file is outside the folder. InvalidArgument: the file can't be written.
    """
    path = state_path(folder_of(call.task, filename), filename)
    return await save(call, path, checked_origins(origins))


@card(
    "storage_state",
    method="load_storage_state",
    permission="files",
    group="storage",
    gives=results.StateFile,
    shows=False,
    acts=False,
    without_page=True,
)
async def load_storage_state(call: Call, state: Mapping[str, Any] | str) -> Done:
    """Restore cookies and localStorage, before or after visiting the sites. ``value`` is
    ``{"cookies": n, "origins": [...]}``.

    Existing cookies and items stay, unless the state has an entry for them. To write
    localStorage, Tabwarden opens an empty helper page, without a request to the sites.

    Args:
        state: the result of ``storage_state()``, a state from Playwright, or the name of a
            file in the folder of saved states.
        tab_id: a tab in the browser context to change; the active tab by default.

    Raises:
        InvalidArgument: ``state`` is invalid. Denied: the file is outside the folder.
    """
    return await load(call, await given(folder_of(call.task, state), state))
