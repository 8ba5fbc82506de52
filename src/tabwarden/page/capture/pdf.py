"""PDF: print the page."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from pydantic import Field

from tabwarden.config import output_folder
from tabwarden.errors import InvalidArgument, NotSupported
from tabwarden.files.download_folder import PartialFile, checked_filename
from tabwarden.hints import Hint, Next
from tabwarden.page.call import between
from tabwarden.page.capture.timing import ALIVE_MS
from tabwarden.page.downloads import pieces
from tabwarden.page.task import PYTHON_ONLY, Call, Done, Overwrite, card
from tabwarden.protocol import page, runtime
from tabwarden.results import KeptFile
from tabwarden.supervisor.core.state.tabs import Tab
from tabwarden.supervisor.runtime import CommandRefused, Race

Paper = Literal["letter", "legal", "tabloid", "ledger", "a0", "a1", "a2", "a3", "a4", "a5", "a6"]
_INCHES: dict[str, tuple[float, float]] = {
    "letter": (8.5, 11), "legal": (8.5, 14), "tabloid": (11, 17), "ledger": (17, 11),
    "a0": (33.11, 46.81), "a1": (23.39, 33.11), "a2": (16.54, 23.39), "a3": (11.69, 16.54),
    "a4": (8.27, 11.69), "a5": (5.83, 8.27), "a6": (4.13, 5.83),
}  # fmt: skip
_MM = 25.4
_RANGES = re.compile(r"^\s*\d+\s*(-\s*\d*\s*)?(,\s*\d+\s*(-\s*\d*\s*)?)*$|^\s*-\s*\d+\s*$")
_ALIVE = runtime.Evaluate(expression="0", silent=True)
_NOTHING = "<span></span>"
"""An empty template. Without a template, Chromium prints its own header or footer."""


def print_command(
    *,
    landscape: bool = False,
    paper: str = "a4",
    size_mm: Sequence[float] | None = None,
    scale: float = 1.0,
    margin_mm: float | Sequence[float] = 10.0,
    page_ranges: str = "",
    background: bool = True,
    header: str | None = None,
    footer: str | None = None,
    css_page_size: bool = False,
) -> page.PrintToPDF:
    """Return the command that prints a page. Raise ``InvalidArgument`` for an invalid parameter."""
    width, height = _INCHES[paper]
    if size_mm is not None:
        width, height = (side / _MM for side in _numbers("size_mm", size_mm, 2, least=10))
    all_round = not isinstance(margin_mm, Sequence)
    top, right, bottom, left = (
        side / _MM
        for side in _numbers("margin_mm", [margin_mm] * 4 if all_round else margin_mm, 4, least=0)
    )
    if page_ranges and not _RANGES.match(page_ranges):
        raise InvalidArgument(
            f"{page_ranges[:100]!r} is not a valid value for page_ranges.",
            "Page numbers start at 1. For example: '1-3, 5, 8-'.",
            field="page_ranges",
        )
    framed = header is not None or footer is not None
    return page.PrintToPDF(
        landscape=landscape,
        display_header_footer=framed,
        header_template=header or _NOTHING if framed else msgspec.UNSET,
        footer_template=footer or _NOTHING if framed else msgspec.UNSET,
        print_background=background,
        scale=scale,
        paper_width=width,
        paper_height=height,
        margin_top=top,
        margin_right=right,
        margin_bottom=bottom,
        margin_left=left,
        page_ranges=page_ranges or msgspec.UNSET,
        prefer_css_page_size=css_page_size,
        transfer_mode="ReturnAsStream",
    )


async def print_page(
    call: Call,
    command: page.PrintToPDF,
    folder: Path | None,
    *,
    filename: str | None = None,
    overwrite: bool = False,
) -> Done:
    """Print the call's tab to a file in ``folder``. The value describes the file.

    If ``folder`` is None, the value is the PDF itself.

    Raises:
        InvalidArgument, NotSupported: the browser refused to print, or the file can't be written.
    """
    session_id, stream = await _printed(call.race, call.tab, command)
    async with aclosing(pieces(call.race, session_id, stream)) as document:
        if folder is None:
            return Done(b"".join([piece async for piece in document]))
        file = PartialFile(folder, "output_dir")
        name = filename or call.task.control.hide(call.tab.title.strip())
        return await _filed(call.race, document, file, name, overwrite)


async def _filed(
    race: Race,
    document: AsyncGenerator[bytes, None],
    file: PartialFile,
    name: str,
    overwrite: bool,
) -> Done:
    wanted = name if name.lower().endswith(".pdf") else f"{name or 'page'}.pdf"
    with file:
        async for piece in document:
            await asyncio.to_thread(file.write, piece)
        race.raise_if_ended()
        kept = await asyncio.to_thread(file.keep, wanted, "application/pdf", overwrite=overwrite)
    return Done(msgspec.to_builtins(kept))


async def _printed(race: Race, tab: Tab, command: page.PrintToPDF) -> tuple[str, str]:
    """Print, and return the session id and the handle of the PDF's stream."""
    session_id = tab.session_id or ""
    try:
        printed = await race.call(command, session_id)
    except CommandRefused as refused:
        # If the page has crashed, the refusal arrives just before the crash event. Wait for that.
        await race.answered(race.start(_ALIVE, session_id), at_most_ms=ALIVE_MS)
        raise _refused(refused) from None
    if printed.stream is None:
        raise NotSupported("The browser printed the page but returned no data stream.")
    return session_id, printed.stream


def _refused(refused: CommandRefused) -> InvalidArgument | NotSupported:
    why = str(refused.error)
    message = why.lower()
    if "range" in message:
        return InvalidArgument(
            f"page_ranges contains pages that don't exist: {why}.",
            "Omit page_ranges.",
            field="page_ranges",
        )
    if any(word in message for word in ("margin", "paper", "content area", "printable")):
        return InvalidArgument(
            f"The browser can't print on paper of this size: {why}.",
            "Use larger paper or smaller margins.",
            field="margin_mm",
        )
    return NotSupported(
        f"The browser could not print the page: {why}.",
        Hint(
            "The browser can't print its internal pages or a page that shows a PDF. Download the "
            "PDF",
            Next("download", url="..."),
            ". Some browsers can print only without a window, so launch a headless browser.",
        ),
        method=refused.data.get("method"),
    )


def _numbers(field: str, value: Any, count: int, *, least: float) -> list[float]:
    if isinstance(value, str | bytes) or not isinstance(value, Sequence) or len(value) != count:
        raise InvalidArgument(f"{field} must be {count} numbers, not {value!r}.", field=field)
    for number in value:
        between(field, number, least, 5_000)
    return [float(number) for number in value]


@card(
    "pdf",
    about="Print the page to a PDF file and return the file's path.",
    permission="files",
    group="files",
    gives=KeptFile,
    shows=False,
)
async def pdf(
    call: Call,
    filename: Annotated[
        str | None, Field(description="The file's name. Default: the page's title.")
    ] = None,
    *,
    paper: Annotated[Paper, Field(description="Paper size.")] = "a4",
    size_mm: Annotated[
        Sequence[float] | None,
        Field(description="The paper's [width, height] in mm, instead of `paper`."),
    ] = None,
    landscape: Annotated[bool, Field(description="Landscape orientation.")] = False,
    scale: Annotated[float, Field(description="The page's scale.", ge=0.1, le=2)] = 1.0,
    margin_mm: Annotated[
        float | Sequence[float],
        Field(description="All margins, or [top, right, bottom, left], in mm."),
    ] = 10.0,
    page_ranges: Annotated[
        str, Field(description="The pages to print, such as '1-3, 5'. Default: all.")
    ] = "",
    background: Annotated[bool, Field(description="Print backgrounds.")] = True,
    header: Annotated[
        str | None,
        Field(
            description="HTML for the top of each page. The browser fills elements with the class "
            "date, title, url, pageNumber or totalPages."
        ),
    ] = None,
    footer: Annotated[str | None, Field(description="HTML for the bottom of each page.")] = None,
    css_page_size: Annotated[bool, Field(description="Use the page's CSS @page size.")] = False,
    overwrite: Overwrite = False,
    as_bytes: Annotated[bool, PYTHON_ONLY] = False,
) -> Done:
    """Print the page to a PDF file in the output folder. ``value`` is ``{"path", "filename",
    "size", "mime_type", "sha256"}``.

    Args:
        filename: a file name without folders; by default the page's title.
        paper: letter, legal, tabloid, ledger, or a0 to a6.
        size_mm: the paper's (width, height) in millimeters, instead of ``paper``.
        landscape: print in landscape orientation.
        scale: the page's scale, 0.1 to 2.
        margin_mm: one margin for all sides, or (top, right, bottom, left), in millimeters.
        page_ranges: the pages to print, such as ``"1-3, 5"``; all pages if empty.
        background: print backgrounds.
        header, footer: HTML with inline styles. The browser fills in elements with the classes
            ``date``, ``title``, ``url``, ``pageNumber`` and ``totalPages``.
        css_page_size: use the paper size from the page's ``@page`` rule.
        overwrite: replace an existing file. By default, the new file's name gets a number.
        as_bytes: return the document as bytes in ``value`` instead of writing a file.

    Raises:
        InvalidArgument: a parameter is wrong, or the document does not have these pages.
        Denied: the file would be outside the output folder.
        NotSupported: this browser can't print this page.
        DialogPending: a dialog blocks the page.
    """
    name = None if filename is None else checked_filename(filename, "output")
    command = print_command(
        paper=paper,
        size_mm=size_mm,
        landscape=landscape,
        scale=scale,
        margin_mm=margin_mm,
        page_ranges=page_ranges,
        background=background,
        header=header,
        footer=footer,
        css_page_size=css_page_size,
    )
    folder = None if as_bytes else output_folder(call.task.config)
    return await print_page(call, command, folder, filename=name, overwrite=overwrite)
