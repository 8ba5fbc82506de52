"""What members read: pages, screenshots and logs."""

from __future__ import annotations

import json
from collections.abc import Sequence

from tabwarden.errors import InvalidArgument
from tabwarden.integrations.members.call import MemberCall, Outcome

MOST_CHARS = 50_000
"""The longest text of the vendors' contracts."""
MOST_PIXELS = 2_000
"""The longest edge of a screenshot, in pixels."""


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
    """Take a screenshot of the viewport, in which a pixel is a CSS pixel."""
    answer = await call.do("screenshot", scale=1)
    return Outcome(picture=answer.picture)


async def zoom(call: MemberCall, region: Sequence[int]) -> Outcome:
    """Take a screenshot of a region, scaled up to the size of the viewport.

    Args:
        call: the call.
        region: left, top, right and bottom, in CSS pixels of the viewport.
    """
    if len(region) != 4:
        raise InvalidArgument(
            f"region must have 4 numbers, not {len(region)}.",
            "Give left, top, right and bottom.",
            field="region",
        )
    left, top, right, bottom = region
    if right <= left or bottom <= top:
        raise InvalidArgument(
            "region is empty.", "right must be greater than left, bottom than top.", field="region"
        )
    width, height = right - left, bottom - top
    scale = max(1.0, min(4.0, 1280 / width, 1280 / height))
    clip = {"x": left, "y": top, "width": width, "height": height}
    answer = await call.do("screenshot", clip=clip, scale=scale)
    return Outcome(picture=answer.picture)


async def new_log(call: MemberCall, source: str) -> Outcome:
    """Read the messages (``console``) or requests (``network``) since the last such read."""
    answer = await call.do(source, new=True)
    return Outcome(text=call.vendors(_body(answer.words)) or f"No new entries in the {source} log.")


async def log(call: MemberCall, source: str, limit: int) -> Outcome:
    """Read the last messages (``console``) or requests (``network``)."""
    answer = await call.do(source)
    lines = _body(call.vendors(answer.words)).split("\n")[-limit:]
    return Outcome(text="\n".join(lines))


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
