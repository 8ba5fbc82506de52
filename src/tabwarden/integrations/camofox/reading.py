"""Read a page through a Camofox server: snapshots in the same format as for any browser."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from tabwarden.budget import Budget
from tabwarden.errors import BudgetExceeded, InvalidArgument, StaleRef
from tabwarden.hints import Hint, joined
from tabwarden.integrations.camofox.answers import Frames, Images, Links, Result
from tabwarden.integrations.camofox.calls import Calls
from tabwarden.integrations.camofox.outline import Drawn, Element, Page, drawn
from tabwarden.integrations.camofox.server import Server
from tabwarden.page import Snapshot
from tabwarden.page.task import answers, dialog_json, download_json, tab_json
from tabwarden.page.text import address, fence, quoted
from tabwarden.supervisor.core import capped, frame_tree_of
from tabwarden.supervisor.core.state.dialog_values import PendingDialog
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.tabs import Tab

__all__ = ["Reader", "scraped"]

_MOST = 500
_TEXT_OF = """(() => { const found = [...document.querySelectorAll(%s)];
  return found.length ? found.map((one) => one.innerText).join("\\n\\n") : null; })()"""
_NONE_KNOWN = "(no outline of this page is known)"


class Reader:
    """Takes a task's snapshots, and remembers each tab's last snapshot."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._last: dict[str, Page] = {}
        calls.store.observe(self._forget)

    def _forget(self, _: object, state: SupervisorState) -> None:
        for tab_id in self._last.keys() - state.tabs.keys():
            del self._last[tab_id]
            self._calls.refs.forget_tab(tab_id)

    async def read(
        self,
        budget: Budget,
        *,
        tab_id: str | None,
        ref: str | None = None,
        diff: bool = False,
        max_chars: int | None = None,
    ) -> Snapshot:
        """Read a tab. If it can't be read, show its last known outline, marked ``stale``."""
        calls = self._calls
        budget.check()
        with calls.telemetry.acting("snapshot", tab_id) as acting:
            target = calls.refs.find(ref) if ref is not None else None
            tab = calls.tab(target[0] if target is not None and tab_id is None else tab_id)
            acting.tab_id = tab.tab_id
            why = ""
            page: Page | None = None
            if calls.state.dialogs_of(tab.tab_id):
                why = "a dialog blocks the page"
            else:
                page, why = await self._page(tab, budget)
            if why:
                acting.outcome = "stale"
            before = self._last.get(tab.tab_id)
            if page is not None:
                self._last[tab.tab_id] = page
            current = page or before
            note, part = "", Drawn(_NONE_KNOWN, 0, {})
            if current is not None:
                if target is not None:
                    current = _part(current, ref or "", target[1])
                part = drawn(current, tab.tab_id, calls.refs, max_chars)
                is_same = before is not None and page is not None and before.url == page.url
                if diff and is_same and before is not None and page is not None:
                    was, now = (drawn(one, tab.tab_id, calls.refs, None) for one in (before, page))
                    body, note = _changes(was.text, now.text)
                    part = part._replace(text=body, left_out=0)
            if why:
                note = f"STALE: {why}." + (" This is the last known outline." if current else "")
            return self._snapshot(tab, part, note, why)

    async def _page(self, tab: Tab, budget: Budget) -> tuple[Page | None, str]:
        calls = self._calls
        await calls.look(budget, tab)
        try:
            result = await calls.raced(
                calls.on_tab(tab, self._read),
                budget,
                lambda dialog: dialog.tab_id == tab.tab_id,
            )
        except BudgetExceeded as late:
            if budget.cancelled is not None:
                raise
            return None, f"the page was not read in time: {late.message.rstrip('.')}"
        if isinstance(result, PendingDialog):
            return None, "a dialog blocks the page"
        return result, ""

    async def _read(self, tab: Tab) -> Page:
        calls = self._calls
        page = await calls.page(tab)
        if calls.link is not None:
            reply = await calls.server.get(f"/tabwarden/tabs/{tab.target_id}/frames")
            calls.store.framed(tab, reply.read(Frames).frames)
        return page

    def _snapshot(
        self,
        tab: Tab,
        part: Drawn,
        note: str,
        why: str,
    ) -> Snapshot:
        state = self._calls.state
        tab = state.tabs.get(tab.tab_id, tab)
        head = [f"Tab {tab.tab_id}: {quoted(tab.title)} {address(tab.url)}"]
        head += [
            Hint(
                f"Dialog {d.id} is waiting in tab {d.tab_id}: {d.type} {quoted(d.message)}",
                f" default {quoted(d.default_prompt)}" if d.default_prompt else "",
                *(" (", answers(d.id, d.type), ")"),
            )
            for d in state.pending_dialogs
        ]
        rest = f"{part.left_out} more lines: increase max_chars, or request one ref."
        if not part.left_out:
            rest = ""
        return Snapshot(
            text=joined(*head, note, part.text, rest, by="\n"),
            tab_id=tab.tab_id,
            url=tab.url,
            title=tab.title,
            refs={} if why else part.refs,
            pending_dialogs=tuple(dialog_json(d) for d in state.pending_dialogs),
            recent_dialogs=tuple(dialog_json(d) for d in state.recent_dialogs),
            downloads=tuple(download_json(d) for d in state.downloads),
            frame_tree=msgspec.to_builtins(capped(frame_tree_of(state, tab.tab_id))),
            tabs=tuple(
                tab_json(t, active=t.tab_id == state.active_tab_id) for t in state.tabs.values()
            ),
            truncated=bool(part.left_out),
            stale=bool(why),
            new_since_last=self._calls.seen.news(state),
            unknown=self._calls.capabilities.unknown_fields,
        )


def _part(page: Page, ref: str, element: Element) -> Page:
    """Return only the lines of an element and its descendants."""
    start = next((at for at, line in enumerate(page.lines) if line.element == element), None)
    if start is None:
        raise StaleRef(
            f"{ref} was {element.role} {element.name[:200]!r}, and the page no longer shows it.",
            "Take a new snapshot and use its refs.",
            ref=ref,
        )
    end, depth = start + 1, page.lines[start].depth
    while end < len(page.lines) and page.lines[end].depth > depth:
        end += 1
    lines = tuple(one._replace(depth=one.depth - depth) for one in page.lines[start:end])
    return page._replace(lines=lines)


def _changes(old: str, new: str) -> tuple[str, str]:
    """Return the removed (-) and added (+) lines, and a note if there are none.

    This takes linear time; ``difflib`` would block all tasks. Lines that only moved are omitted.
    """
    was, now = old.split("\n")[1:-1], new.split("\n")[1:-1]
    lines = [f"- {line.strip().removeprefix('- ')}" for line in _beyond(now, was)]
    lines += [f"+ {line.strip().removeprefix('- ')}" for line in _beyond(was, now)]
    return fence(lines), "" if lines else "Nothing has changed since your previous snapshot."


def _beyond(known: list[str], lines: list[str]) -> Iterator[str]:
    """Yield the lines that occur more often in ``lines`` than in ``known``."""
    left = Counter(known)
    for line in lines:
        left[line] -= 1
        if left[line] < 0:
            yield line


async def scraped(
    server: Server, tab: Tab, form: str, selector: str | None, max_chars: int, offset: int
) -> dict[str, Any]:
    """Return the page's visible text; ``markdown`` adds the page's links and images."""
    path = f"/tabs/{tab.target_id}"
    what = _TEXT_OF % json.dumps(selector or "body")
    text = (await server.post(f"{path}/evaluate", expression=what)).read(Result).result
    if not isinstance(text, str):
        raise InvalidArgument(
            f"Nothing matches the selector {selector!r}.", "Correct it.", field="selector"
        )
    if form == "markdown" and selector is None:
        links = (await server.get(f"{path}/links", limit=_MOST)).read(Links).links
        images = (await server.get(f"{path}/images", limit=_MOST)).read(Images).images
        text += _listed("Links", [(one.text, one.url) for one in links])
        text += _listed("Images", [(one.alt, one.src) for one in images])
    end = offset + max_chars
    rest = end if end < len(text) else None
    return {"format": form, "text": text[offset:end], "offset": offset, "next_offset": rest}


def _listed(title: str, links: list[tuple[str | None, str | None]]) -> str:
    lines = [f"- [{' '.join((name or '').split())}]({url})" for name, url in links if url]
    return "\n\n".join(["", f"## {title}", "\n".join(lines)]) if lines else ""
