"""What members read: pages, screenshots and logs."""

from __future__ import annotations

import json
from collections.abc import Sequence

from tabwarden.actions import Answer
from tabwarden.errors import InvalidArgument
from tabwarden.integrations.members.call import MemberCall, Outcome
from tabwarden.page.text import address, bare, quoted

MOST_CHARS = 50_000
"""The longest text of the vendors' contracts."""
MOST_ENTRIES, MOST_ENTRY_CHARS = 500, 2_000
"""The longest log of the vendors' contracts, and its longest entry."""
MOST_PIXELS = 2_000
"""The longest edge of a screenshot, in pixels."""


_ZOOMED = 1_280
"""The longest edge of a zoomed region, in pixels, unless the region is larger than half of it."""
_MOST_ZOOM = 8.0


async def outline(
    call: MemberCall,
    *,
    ref: str | None = None,
    depth: int | None = None,
    only: str | None = None,
) -> Outcome:
    """Read the page as an outline."""
    ref = call.ref(ref) if ref else None
    answer = await call.do(
        "snapshot", ref=ref, depth=depth, filter=only, max_chars=MOST_CHARS - 500
    )
    page, end, rest = answer.words.rpartition("\n</page ")
    # The contracts have no frame ids, so the list of frames would only cost.
    lines = [line for line in rest.split("\n") if not line.startswith("frame ")]
    return Outcome(text=call.vendors(page + end + "\n".join(lines)))


async def find(call: MemberCall, query: str) -> Outcome:
    """Find elements by a sentence."""
    answer = await call.do("find", query=query)
    found = answer.data["value"]["found"]
    text = _body(answer.words) if found else answer.data["note"]
    return Outcome(text=call.vendors(text))


async def text_of_page(call: MemberCall) -> Outcome:
    """Read the text of the whole page."""
    answer = await call.do("scrape", format="text", selector="body", max_chars=MOST_CHARS - 500)
    return Outcome(text=_body(answer.words))


async def screenshot(call: MemberCall) -> Outcome:
    """Take a screenshot of the viewport. A pixel is a CSS pixel, unless the viewport is larger than
    ``MOST_PIXELS``."""
    answer = await call.do("screenshot", scale=1)
    picture, call.scale = answer.picture, 1.0
    if picture is not None and max(picture.width, picture.height) > MOST_PIXELS:
        call.scale = MOST_PIXELS / max(picture.width, picture.height)
        picture = (await call.do("screenshot", scale=call.scale)).picture
    return Outcome(picture=picture)


async def zoom(call: MemberCall, region: Sequence[int]) -> Outcome:
    """Take a screenshot of a region, scaled up to the size of the viewport.

    Args:
        call: the call.
        region: left, top, right and bottom, in pixels of the last screenshot.
    """
    if len(region) != 4:
        raise InvalidArgument(
            f"region must have 4 numbers, not {len(region)}.",
            "Give left, top, right and bottom.",
            field="region",
        )
    left, top, right, bottom = (edge / call.scale for edge in region)
    if right <= left or bottom <= top:
        raise InvalidArgument(
            "region is empty.", "right must be greater than left, bottom than top.", field="region"
        )
    width, height = right - left, bottom - top
    scale = max(2.0, min(_ZOOMED / width, _ZOOMED / height, _MOST_ZOOM))
    clip = {"x": left, "y": top, "width": width, "height": height}
    answer = await call.do("screenshot", clip=clip, scale=scale)
    return Outcome(picture=answer.picture)


async def new_log(call: MemberCall, source: str) -> Outcome:
    """Read the messages (``console``) or requests (``network``) since the last such read."""
    answer = await call.do(source, new=True)
    return _log(call, source, answer, MOST_ENTRIES, f"No new entries in the {source} log.")


async def log(call: MemberCall, source: str, limit: int) -> Outcome:
    """Read the last messages (``console``) or requests (``network``)."""
    return _log(call, source, await call.do(source), limit, f"The {source} log is empty.")


def _log(call: MemberCall, source: str, answer: Answer, limit: int, nothing: str) -> Outcome:
    """Return the last entries of a log, one a line, and what else happened."""
    value = answer.data["value"]
    if source == "console":
        lines = [f"{one['level']}: {quoted(one['text'][:MOST_ENTRY_CHARS])}" for one in value]
    else:
        lines = [
            f"{'pending' if one['pending'] else one['status'] or 'failed'} {bare(one['method'])} "
            f"{one['type']} {address(one['url'])}"
            for one in value["requests"]
        ]
    news = call.line_of(answer)
    return Outcome(text="\n".join([*(lines[-limit:] or [nothing]), *([news] if news else [])]))


async def scopes(call: MemberCall) -> Outcome:
    """List the parts of the page that ``outline`` can read by ref."""
    answer = await call.do("find", role="landmark")
    listed = [
        {"ref": one["ref"], "label": f"{one['role']} {one['name']}".strip()[:256]}
        for one in answer.data["value"]["found"]
    ]
    return Outcome(text=_body(answer.words), data={"scopes": listed})


async def script(call: MemberCall, source: str, *, timeout_ms: float | None = None) -> Outcome:
    """Run a script. The text is its value as JSON."""
    answer = await call.do("evaluate", script=source, timeout_ms=timeout_ms)
    if answer.data.get("status") == "interrupted":
        return Outcome(text=call.line_of(answer))
    value = answer.data.get("value")
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return Outcome(text=text)


def _body(words: str) -> str:
    """Return a text without its first line, which names the action."""
    return words.partition("\n")[2]
