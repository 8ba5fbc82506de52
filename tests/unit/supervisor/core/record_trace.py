"""Record what real Chromium sends on a short visit, for ``test_machine_trace.py``.

Run ``python tests/unit/supervisor/core/record_trace.py`` from the project's root to record it anew.
"""

from __future__ import annotations

import base64
import sys
from pathlib import Path

import msgspec

ROOT = Path(__file__).resolve().parents[4]
TRACE = Path(__file__).resolve().parent / "traces" / "shop_visit.jsonl"
ASKS = ("SetUp", "FrameTreeAsked", "DialogAnswered", "ReplacementCreated")


class Line(msgspec.Struct, omit_defaults=True):
    """One input of the machine."""

    kind: str
    method: str = ""
    session_id: str | None = None
    body: str = ""
    """Parameters or result in base64: exactly the received bytes."""
    ask: dict[str, str] = {}
    error: str | None = None


def main() -> None:
    """Visit a page with frames of two sites, answer a confirm, leave, crash, and come back."""
    sys.path.insert(0, str(ROOT / "tests"))
    from support.site import Site

    from tabwarden.errors import TargetCrashed
    from tabwarden.supervisor.core import machine
    from tabwarden.supervisor.runtime import CDPSupervisor
    from tabwarden.sync import Browser

    lines: list[Line] = []
    feed = CDPSupervisor.feed

    def recording(self: CDPSupervisor, given: machine.Input) -> None:
        lines.append(_line(given))
        feed(self, given)

    CDPSupervisor.feed = recording  # type: ignore[method-assign]
    with Site() as site, Browser.launch() as browser:
        site.page("/inner", "<p>inner</p>")
        frames = f'<iframe src="{site.there}/inner"></iframe><iframe src="{site.here}/inner">'
        browser.goto(site.page("/", f"<button onclick=\"confirm('Sure?')\">Go</button>{frames}"))
        browser.click(browser.snapshot().ref("Go"))
        browser.dialog("accept")
        browser.tabs("open", url=site.page("/second", "second"))
        browser.goto(site.page("/third", "<script>console.error('boom')</script>"))
        try:
            browser.cdp("Page.crash")
        except TargetCrashed:
            browser.reload()
        browser.tabs("close")
    TRACE.parent.mkdir(exist_ok=True)
    TRACE.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    print(f"{len(lines)} inputs in {TRACE}")  # noqa: T201


def _line(given: object) -> Line:
    from tabwarden.supervisor.core.state import inputs

    match given:
        case inputs.EventReceived():
            body = base64.b64encode(bytes(given.params)).decode()
            return Line("event", given.method, given.session_id, body)
        case inputs.Replied():
            body = base64.b64encode(bytes(given.result or b"")).decode()
            ask = {"type": type(given.ask).__name__, **msgspec.to_builtins(given.ask)}
            return Line("reply", body=body, ask=ask, error=given.error)
        case inputs.AnswerDialog():
            return Line("answer", ask={"dialog_id": given.dialog_id, "accept": str(given.accept)})
        case inputs.ActivateTab():
            return Line("activate", ask={"tab_id": given.tab_id})
        case inputs.TargetSeen():
            body = base64.b64encode(msgspec.json.encode(given.info)).decode()
            return Line("seen", body=body)
        case inputs.TitleRead():
            return Line("title", ask={"tab_id": given.tab_id, "title": given.title})
        case inputs.Connected():
            return Line("connected")
        case inputs.Disconnected():
            return Line("disconnected", error=given.reason)
        case _:
            return Line("tick")


if __name__ == "__main__":
    main()
