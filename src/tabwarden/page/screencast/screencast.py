"""Stream a tab's pictures to all its listeners."""

from __future__ import annotations

import asyncio
import base64
import logging
import time
from collections.abc import Awaitable, Callable

import msgspec

from tabwarden.protocol import decode_event, page
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.runtime import CDPSupervisor
from tabwarden.wire import Reply

MAX_FPS = 15.0
"""The maximum frame rate. A higher rate would cost the browser more time for little
visible gain."""
SETTLED_S = 0.15
"""If no picture arrives for this long after a quick sequence of pictures, another picture is
requested. It is needed because the browser drops pictures while earlier pictures are
unacknowledged, and may have dropped the last one."""
COVERED_S = 0.5
"""How long after a secret was covered the browser may still send pictures without the cover."""
LONGEST_WAY_S = 2.0
"""The maximum time for a picture to arrive. If a picture seems to take longer, the browser's clock
is behind this computer's clock."""


class Picture(msgspec.Struct, frozen=True, kw_only=True):
    """An image of a tab's viewport."""

    tab_id: str
    number: int
    """The sequence number of this screencast frame in its tab, starting at 1."""
    data: bytes
    """A JPEG file."""
    width: float
    height: float
    """The viewport's size in CSS pixels. The image itself may be smaller."""
    top: float
    """The top of the viewport in the image, in CSS pixels."""
    scale: float
    """The page's zoom factor (pinch zoom)."""
    scroll_x: float
    scroll_y: float
    taken_at: float | None
    """When the browser took the picture, in wall-clock seconds since the epoch."""

    def age_s(self, most_s: float) -> float:
        """Return the picture's age in seconds, limited to ``most_s``."""
        return 0.0 if self.taken_at is None else min(max(time.time() - self.taken_at, 0.0), most_s)


def picture_of(params: msgspec.Raw | bytes, tab_id: str, number: int) -> tuple[Picture, int]:
    """Decode ``Page.screencastFrame``. Return the picture, and the number to acknowledge."""
    frame = decode_event(page.ScreencastFrame, params)
    metadata = frame.metadata
    taken_at = metadata.timestamp
    picture = Picture(
        tab_id=tab_id,
        number=number,
        data=base64.b64decode(frame.data),
        width=metadata.device_width,
        height=metadata.device_height,
        top=metadata.offset_top,
        scale=metadata.page_scale_factor,
        scroll_x=metadata.scroll_offset_x,
        scroll_y=metadata.scroll_offset_y,
        taken_at=taken_at if isinstance(taken_at, float | int) else None,
    )
    return picture, frame.session_id


log = logging.getLogger("tabwarden.screencast")

Listener = Callable[[Picture], None]


class Paced:
    """Passes on the newest picture at most ``fps`` times per second. Drops earlier pictures, but
    never the last one."""

    def __init__(self, listener: Listener, *, max_width: int, fps: float) -> None:
        self.max_width = max_width
        self.fps = fps
        self._listener = listener
        self._next_at = 0.0
        self._newest: Picture | None = None
        self._timer: asyncio.TimerHandle | None = None

    def offer(self, picture: Picture, loop: asyncio.AbstractEventLoop) -> None:
        self._newest = picture
        if self._timer is not None:
            return
        if loop.time() >= self._next_at:
            self._pass_on(loop)
        else:
            self._timer = loop.call_at(self._next_at, self._pass_on, loop)

    def end(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._newest = None

    def _pass_on(self, loop: asyncio.AbstractEventLoop) -> None:
        self._timer = None
        picture, self._newest = self._newest, None
        self._next_at = loop.time() + 1 / self.fps
        if picture is None:
            return
        try:
            self._listener(picture)
        except Exception:  # an error in a listener must not break the engine
            log.exception("a screencast listener failed")


MayShow = Callable[[str], Awaitable[bool]]

_QUALITY = 60
_TALLEST = 4000


class Screencast:
    """One tab's stream of pictures. It costs nothing while nobody listens. Use it only on the
    engine's event loop."""

    def __init__(
        self,
        supervisor: CDPSupervisor,
        tab_id: str,
        may_show: Callable[[], MayShow | None] = lambda: None,
    ) -> None:
        self._may_show = may_show
        self._clean_at = 0.0
        """Images from before this time may show secrets, so they are dropped."""
        self._checking: set[asyncio.Task[None]] = set()
        self.tab_id = tab_id
        self.last: Picture | None = None
        """The current session's newest image."""
        self._supervisor = supervisor
        self._paced: list[Paced] = []
        self._running: tuple[str, int] | None = None
        """The session that sends images, and the images' width."""
        self._unlisten = do_nothing
        self._number = 0
        self._free_at = 0.0
        self._may_have_dropped = False
        """Whether the browser may have dropped an image since the last start."""
        self._next_look: asyncio.TimerHandle | None = None

    def add(self, paced: Paced) -> None:
        self._paced.append(paced)
        before = self._running
        self.align(self._supervisor.state)
        if self._running == before and self.last is not None:
            paced.offer(self.last, self._supervisor.loop)

    def remove(self, paced: Paced) -> None:
        self._paced.remove(paced)
        paced.end()
        self.align(self._supervisor.state)

    @property
    def is_watched(self) -> bool:
        return bool(self._paced)

    def align(self, state: SupervisorState) -> None:
        """Start, stop or restart the screencast if the listeners or the tab's state require it."""
        tab = state.tabs.get(self.tab_id)
        ready = tab is not None and tab.status == "ready" and state.health.status == "live"
        session_id = tab.session_id if tab is not None and ready else None
        width = max((one.max_width for one in self._paced), default=0)
        stream = (session_id, width) if session_id is not None and width else None
        if stream == self._running:
            return
        if self._running is not None and (stream is None or stream[0] != self._running[0]):
            self._stop(self._running[0], state)
        self._running = stream
        if stream is not None:
            self._unlisten()
            self._unlisten = self._supervisor.listen(
                page.ScreencastFrame.METHOD, stream[0], self._on_frame
            )
            self._start()

    # -- the browser -------------------------------------------------------------------------

    def _start(self) -> None:
        assert self._running is not None
        session_id, width = self._running
        self._may_have_dropped = False
        command = page.StartScreencast(
            format="jpeg", quality=_QUALITY, max_width=width, max_height=_TALLEST
        )
        self._supervisor.send(command, session_id, _ignore_reply)

    def _stop(self, session_id: str, state: SupervisorState) -> None:
        self._unlisten()
        self._unlisten = do_nothing
        self.last = None
        if self._next_look is not None:
            self._next_look.cancel()
            self._next_look = None
        if session_id in state.sessions and state.health.status == "live":
            self._supervisor.send(page.StopScreencast(), session_id, _ignore_reply)

    def _on_frame(self, params: msgspec.Raw | bytes) -> None:
        assert self._running is not None
        session_id = self._running[0]
        self._number += 1
        picture, number = picture_of(params, self.tab_id, self._number)
        self._acknowledge(number, session_id)
        may_show = self._may_show()
        if may_show is None:
            self._offer(picture)
        else:
            checking = asyncio.ensure_future(self._offer_checked(picture, may_show))
            self._checking.add(checking)
            checking.add_done_callback(self._checking.discard)

    async def _offer_checked(self, picture: Picture, may_show: MayShow) -> None:
        """Offer a picture if it may be shown. Otherwise drop it and request another."""
        taken_at = self._supervisor.loop.time() - picture.age_s(LONGEST_WAY_S)
        if not await may_show(self.tab_id):
            self._clean_at = self._supervisor.loop.time() + COVERED_S
        if taken_at < self._clean_at:
            self._may_have_dropped = True
            self._look_again_soon()
        elif self.last is None or self.last.number < picture.number:
            self._offer(picture)

    def _offer(self, picture: Picture) -> None:
        self.last = picture
        for paced in list(self._paced):
            paced.offer(picture, self._supervisor.loop)

    def _acknowledge(self, number: int, session_id: str) -> None:
        """Acknowledge a picture when the next picture is due. This controls the frame rate."""
        loop = self._supervisor.loop
        fps = min(MAX_FPS, max(one.fps for one in self._paced)) if self._paced else MAX_FPS
        now = loop.time()
        self._free_at = max(now, self._free_at + 1 / fps)

        def acknowledge() -> None:
            if self._running is not None and self._running[0] == session_id:
                ack = page.ScreencastFrameAck(session_id=number)
                self._supervisor.send(ack, session_id, _ignore_reply)
                self._look_again_soon()

        if self._free_at > now:
            self._may_have_dropped = True
            loop.call_at(self._free_at, acknowledge)
        else:
            acknowledge()

    def _look_again_soon(self) -> None:
        if self._next_look is not None:
            self._next_look.cancel()
        self._next_look = self._supervisor.loop.call_later(SETTLED_S, self._look_again)

    def _look_again(self) -> None:
        self._next_look = None
        if self._may_have_dropped and self._running is not None:
            self._supervisor.send(page.StopScreencast(), self._running[0], _ignore_reply)
            self._start()


def do_nothing() -> None:
    pass


def _ignore_reply(reply: Reply) -> None:
    """Ignore the reply. A refusal means that the page is gone, and the state reports that."""
    _ = reply
