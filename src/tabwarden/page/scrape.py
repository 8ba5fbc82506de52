"""Scrape: what a person reads of a page, as Markdown, text or HTML.

The walker reads the flat tree (shadow roots, slots; nothing that is not shown) of each frame into
plain HTML of some twenty tags (``js/readable.js``), block by block. Frames are put in their places
here, and only the blocks that are asked for are converted.
"""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from html.parser import HTMLParser
from typing import Any, Literal

from tabwarden.errors import BudgetExceeded, InvalidArgument
from tabwarden.page.result import Done
from tabwarden.page.task import Task
from tabwarden.page.walk import Walked, walk_all
from tabwarden.page.worlds import frame_not_found
from tabwarden.supervisor import Race, Tab

__all__ = ["DEFAULT_MAX_CHARS", "Format", "scrape"]

Format = Literal["markdown", "text", "html"]
DEFAULT_MAX_CHARS = 40_000
Render = Callable[[str], str]
_READ_CHARS = 2_000_000
"""So much HTML of one frame is read at most."""
# What hides text from people or reorders it: controls, bidi overrides, what is drawn as nothing,
# tag characters, variation selectors (whole messages are smuggled to models in these). Joiners and
# marks of direction belong to some scripts.
_TRICKS = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f\u115f\u1160\u17b4\u17b5\u180e\u200b\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)


async def scrape(
    task: Task,
    race: Race,
    tab: Tab,
    *,
    form: Format = "markdown",
    frame_id: str | None = None,
    selector: str | None = None,
    max_chars: int = DEFAULT_MAX_CHARS,
    offset: int = 0,
) -> Done:
    """Read a page, a frame, or what a selector matches.

    Raises:
        FrameNotFound: no such frame.
        InvalidArgument: no selector, or nothing matches it.
    """
    root = frame_id or task.state.top_frame_id(tab.tab_id)
    if root is None or root not in task.state.frames:
        raise frame_not_found(frame_id or "")

    def ask(asked: str) -> tuple[Any, ...]:
        top = asked == root
        return "readable", selector if top else None, top, _READ_CHARS

    # A parser is imported at first: beside the walk, not when its time is nearly up.
    prepared = asyncio.ensure_future(asyncio.to_thread(_RENDERERS[form]))
    walked = await walk_all(task, race, tab, root, ask)
    read = walked.get(root, "it is gone")
    if isinstance(read, str):
        raise BudgetExceeded(f"The page can't be read: {read}.")
    _check(read, selector)
    blocks = list(_blocks(root, walked))
    text, more = await _converted(race, blocks, prepared, offset + max_chars)
    shown = text[offset : offset + max_chars]
    if len(text) > offset + max_chars:
        shown, more = _cut(shown), True
    value = {
        "format": form,
        "text": shown,
        "offset": offset,
        "next_offset": offset + len(shown) if more else None,
    }
    return Done(value, _note(walked, read, text, value))


def _check(read: Walked, selector: str | None) -> None:
    kinds = {node.role for node in read.nodes}
    if "wrong" in kinds:
        raise InvalidArgument(f"{selector!r} is no CSS selector.", field="selector")
    if "nothing" in kinds and selector is not None:
        raise InvalidArgument(
            f"Nothing that is shown matches {selector!r}.",
            "Take a snapshot to see what there is; what stands in a frame needs its frame_id.",
            field="selector",
        )


def _blocks(frame_id: str, walked: Mapping[str, Walked | str]) -> Iterator[str]:
    """The blocks of a frame, those of the frames in it in their places."""
    read = walked.get(frame_id, "it was just added")
    if isinstance(read, str):
        yield f"<p>(this frame can't be read: {read})</p>"
        return
    for node in read.nodes:
        if node.role == "html":
            yield node.name
        elif node.role == "iframe" and read.owners.get(node.local_id):
            yield from _blocks(read.owners[node.local_id], walked)


async def _converted(
    race: Race, blocks: list[str], prepared: asyncio.Future[tuple[Render, str]], most: int
) -> tuple[str, bool]:
    """The blocks as text, until there are so many characters; and whether there are more."""
    over = threading.Event()
    await race.finished(prepared)
    render, between = prepared.result()

    def convert() -> tuple[str, bool]:
        done: list[str] = []
        size = 0
        for number, block in enumerate(blocks):
            if over.is_set():
                break
            said = render(_TRICKS.sub("", block)).strip("\n")
            if said.strip():
                done.append(said)
                size += len(said) + len(between)
            if size > most + len(between):
                return between.join(done), number + 1 < len(blocks)
        return between.join(done), False

    work = asyncio.ensure_future(asyncio.to_thread(convert))
    try:
        await race.finished(work)
        return work.result()
    finally:
        over.set()


def _cut(text: str) -> str:
    """Cut at the end of a line, if that is near."""
    at = text.rfind("\n") + 1
    return text[:at] if at > len(text) * 0.8 else text


def _note(
    walked: Mapping[str, Walked | str], read: Walked, text: str, value: Mapping[str, Any]
) -> str:
    words = []
    left = next((node.depth for node in read.nodes if node.role == "left"), 0)
    if left:
        words.append(
            f"Left out as navigation and the like: about {left} characters; selector='body' has "
            "them too."
        )
    if value["next_offset"] is not None:
        words.append(f"There is more: call again with offset={value['next_offset']}.")
    elif value["offset"] > len(text):
        words.append(f"There are only {len(text)} characters.")
    if any(isinstance(one, Walked) and one.cut for one in walked.values()):
        words.append("The page is so long that its end was not read: name a part by selector.")
    return " ".join(words)


# -- the formats ----------------------------------------------------------------------------------


def _as_markdown() -> tuple[Render, str]:
    from markdownify import MarkdownConverter  # a parser comes with it: nobody else waits for that

    class Converter(MarkdownConverter):
        def convert_td(self, el: Any, text: str, parent_tags: Any) -> str:
            cell = text.replace("|", "\\|")
            return str(super().convert_td(el, cell, parent_tags))  # type: ignore[misc]

        def convert_th(self, el: Any, text: str, parent_tags: Any) -> str:
            cell = text.replace("|", "\\|")
            return str(super().convert_th(el, cell, parent_tags))  # type: ignore[misc]

    converter = Converter(
        heading_style="ATX",
        bullets="-",
        escape_asterisks=False,
        escape_underscores=False,
        table_infer_header=True,
    )
    return (lambda html: str(converter.convert(html))), "\n\n"


def _as_text() -> tuple[Render, str]:
    def render(html: str) -> str:
        plain = _Plain()
        plain.feed(html)
        plain.close()
        return "".join(plain.out)

    return render, "\n\n"


def _as_html() -> tuple[Render, str]:
    return (lambda html: html), "\n"


_RENDERERS: dict[str, Callable[[], tuple[Render, str]]] = {
    "markdown": _as_markdown,
    "text": _as_text,
    "html": _as_html,
}


class _Plain(HTMLParser):
    """The text of a block: a line for each item and row, a tab between cells."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.out: list[str] = []
        self._first_cell = True
        self._lists = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """What comes before the text of a tag."""
        if tag in ("ul", "ol"):
            self._lists += 1
        elif tag in ("br", "tr", "p", "li", "dt", "dd"):
            self._line()
            self._first_cell = True
            if tag == "li":
                self.out.append("  " * (self._lists - 1) + "- ")
        elif tag in ("td", "th"):
            self.out.append("" if self._first_cell else "\t")
            self._first_cell = False
        elif tag == "img":
            self.out.append(dict(attrs).get("alt") or "")

    def handle_endtag(self, tag: str) -> None:
        """Lists end."""
        if tag in ("ul", "ol"):
            self._lists -= 1

    def handle_data(self, data: str) -> None:
        """Text, unescaped."""
        self.out.append(data)

    def _line(self) -> None:
        if self.out and not self.out[-1].endswith("\n"):
            self.out.append("\n")
