"""Documents that need a description: images, audio, video, PDFs, long text files, documents whose
scripts are off, and the browser's error pages.

Chromium shows a PDF in a viewer, which is a page of an extension in a frame of another process. We
read the text from the viewer's fields. A browser without that viewer downloads the file instead.
"""

from __future__ import annotations

import json
from typing import Literal

import msgspec

from tabwarden.protocol import runtime
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.tabs import Frame
from tabwarden.supervisor.runtime import CommandRefused, Race

_VIEWER_MS = 4_000.0
"""How long the PDF viewer may take to appear. The first viewer in a browser takes up to 2 s."""
_PDF_MS = 5_000.0
"""How long a viewer may take to load a PDF and return its text: 25 ms for a few pages."""
_VIEWER = "chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/"
_UNLOCK_MS = 1_500.0
"""How long a viewer may take to open a PDF with a password. Then the password counts as wrong."""
_ASK_VIEWER = """(async (wantsText, patienceMs, password, unlockMs) => {
  let viewer = null;
  const isLoaded = () => viewer.loadProgress_ === 100 && viewer.docLength_ > 0;
  const isLocked = () => Boolean(viewer.showPasswordDialog_) && !isLoaded();
  const is = () => (viewer = document.querySelector("pdf-viewer")) && (isLocked() || isLoaded());
  const until = async (done, ms) => {
    const end = performance.now() + ms;
    while (!done() && performance.now() < end) await new Promise((later) => setTimeout(later, 20));
  };
  await until(is, patienceMs);
  if (password !== null && isLocked()) {
    viewer.pluginController_.getPasswordComplete(password);
    await until(isLoaded, unlockMs);
  }
  const pdf = { pages: viewer.docLength_, locked: isLocked(), text: "" };
  if (wantsText && !pdf.locked) {
    viewer.pluginController_.selectAll();
    pdf.text = (await viewer.pluginController_.getSelectedText()).selectedText;
  }
  return pdf;
})"""
"""This script reads private fields of the viewer (Chromium 156). Another version may rename
them."""


class Pdf(msgspec.Struct, frozen=True):
    pages: int
    locked: bool
    """Whether the PDF needs a password."""
    text: str
    """The text of all pages, if requested."""


class DocumentKind(msgspec.Struct, frozen=True):
    """The kind of a document that needs a description."""

    words: str = ""
    """The kind of document and how to read the document; "" for an ordinary page."""
    text: str = ""
    """The text of a PDF."""


async def document_kind(
    race: Race, frame_id: str, kind: str, reads: Literal["", "outline", "text"] = ""
) -> DocumentKind:
    """Describe a frame's document.

    Args:
        kind: the document's kind from the walker (``js/document/kind.js``).
        reads: with ``text``, read the text of a PDF. This selects the text in the viewer. With
            ``outline``, also describe documents that have an outline.
    """
    frame = race.supervisor.state.frames.get(frame_id)
    if frame is not None and frame.unreachable:
        return DocumentKind("the browser's own error page, not the server's")
    name, _, size = kind.partition(" ")
    match name:
        case "image" if size == "broken":
            return DocumentKind(
                "an image that the browser can't display; use the download tool to save it"
            )
        case "image":
            return DocumentKind(
                f"an image{f' of {size} pixels' * bool(size)}; take a screenshot to see it"
            )
        case "stream":
            return DocumentKind("a stream of parts; the browser shows only streams of images")
        case "long" if reads == "outline":
            return DocumentKind("a long text file; read all of it with the scrape tool")
        case "scriptless" if reads == "outline":
            return DocumentKind(
                "scripts are off in this document, so controls that need them do nothing"
            )
        case "pointer" if reads == "outline":
            return DocumentKind(
                "this page has locked the mouse pointer, so clicks reach only the element that "
                "locked it; press Escape to release the pointer"
            )
        case "full" if reads == "outline":
            return DocumentKind(
                "an element fills the screen and covers the rest; press Escape to leave full screen"
            )
        case "audio" | "video":
            return DocumentKind(
                f"{'a video' if name == 'video' else 'audio'}; use the download tool to save it"
            )
        case "pdf":
            return _of_pdf(await _pdf(race, frame_id, wants_text=reads == "text"))
        case _:
            return DocumentKind()


def _of_pdf(pdf: Pdf | None) -> DocumentKind:
    if pdf is None:
        return DocumentKind("a PDF; use the download tool to save it")
    if pdf.locked:
        return DocumentKind(
            "a PDF that needs a password; read it with the scrape tool and its parameter password"
        )
    if not pdf.pages:
        return DocumentKind("a PDF that the browser can't read; use the download tool to save it")
    pages = f"{pdf.pages} page{'s' * (pdf.pages != 1)}"
    return DocumentKind(
        f"a PDF of {pages}; read its text with the scrape tool, or save it with the download tool",
        pdf.text,
    )


async def unlock_pdfs(race: Race, tab_id: str, password: str) -> bool:
    """Give a password to the viewers in a tab. Return whether a viewer shows its PDF now."""
    state = race.supervisor.state
    frames = [one for one in state.frames_of(tab_id) if one.url.startswith(_VIEWER)]
    pdfs = [
        await _pdf(race, one.parent_frame_id or "", wants_text=False, password=password)
        for one in frames
    ]
    return any(pdf is not None and pdf.pages > 0 for pdf in pdfs)


async def _pdf(
    race: Race, frame_id: str, *, wants_text: bool, password: str | None = None
) -> Pdf | None:
    """Read a PDF from its viewer. Return None if there is no known viewer."""

    def is_there(state: SupervisorState) -> bool:
        viewer = _viewer(state, frame_id)
        return viewer is not None and viewer.is_parsed and viewer.frame_id in state.contexts

    at_most_ms = min(_VIEWER_MS, race.budget.remaining_ms() * 0.5)
    if not await race.until(is_there, at_most_ms=at_most_ms):
        return None
    viewer = _viewer(race.supervisor.state, frame_id)
    assert viewer is not None
    world = race.supervisor.state.contexts[viewer.frame_id]
    at_most_ms = min(_PDF_MS, race.budget.remaining_ms() * 0.5)
    arguments = json.dumps([wants_text, at_most_ms / 2, password, _UNLOCK_MS])
    command = runtime.Evaluate(
        expression=f"{_ASK_VIEWER}(...{arguments})",
        unique_context_id=world.unique_id,
        await_promise=True,
        return_by_value=True,
        silent=True,
    )
    pending = race.start(command, world.session_id)
    if not await race.answered(pending, at_most_ms=at_most_ms):
        return None
    try:
        return msgspec.convert((await race.result(pending)).result.value, Pdf)
    except (CommandRefused, msgspec.ValidationError):
        return None


def _viewer(state: SupervisorState, frame_id: str) -> Frame | None:
    return next(
        (
            one
            for one in state.frames.values()
            if one.parent_frame_id == frame_id and one.url.startswith(_VIEWER)
        ),
        None,
    )
