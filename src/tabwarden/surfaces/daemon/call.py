"""Call: one action, by way of the session's daemon, which is started if need be.

A call returns within its budget and a second, whatever has become of the daemon.
"""

from __future__ import annotations

import os
import time

from tabwarden.errors import (
    BrowserGone,
    BudgetExceeded,
    EndpointUnreachable,
    InvalidArgument,
    NotOpen,
    TabwardenError,
)
from tabwarden.surfaces.daemon.doors import door_at
from tabwarden.surfaces.daemon.link import Link

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from tabwarden.surfaces.daemon.link import Message
    from tabwarden.surfaces.daemon.places import Place

__all__ = ["BRIEF_S", "Caller", "found", "stop"]

PATIENCE_S = 5.0
"""How long a living daemon may take for its first words, which wait for no page."""
BRIEF_S = 2.0
"""The same where no answer is an answer too."""
_START_S = 30.0
_GRACE_S = 0.8
"""What answering may take beyond the budget."""
_CANCEL_S = 3.0
_END_S = 20.0


def found(place: Place, until: float | None = None) -> Link | None:
    """A connection to the session's daemon; None: there is none.

    Raises:
        EndpointUnreachable: it does not answer.
    """
    patience = time.monotonic() + PATIENCE_S
    try:
        return Link(door_at(place.door), patience if until is None else min(patience, until))
    except (FileNotFoundError, ConnectionError):
        return None
    except TimeoutError:
        raise EndpointUnreachable(*_silent(place)) from None


class Caller:
    """Calls a session's daemon.

    Args:
        place: the session's.
        build: the client's; a daemon of another one is replaced.
        tell: is told what there is to say about the daemon.
        show: is told each second how far a call is; None: nobody looks.
    """

    def __init__(
        self,
        place: Place,
        build: str,
        tell: Callable[[str], None],
        show: Callable[[Message], None] | None = None,
    ) -> None:
        self._place = place
        self._build = build
        self._tell = tell
        self._show = show

    def call(
        self,
        tool: str,
        arguments: Mapping[str, Any],
        *,
        starts: bool,
        launch: Mapping[str, Any],
    ) -> Message:
        """Have an action done.

        Args:
            tool: which.
            arguments: its own; ``timeout_ms`` is for all of it, a daemon's start too.
            starts: start a daemon if there is none.
            launch: how: see ``tabwarden.surfaces.cli.options.LAUNCH``.

        Returns:
            ``{text, data, is_error}``, and ``picture``: ``{media_type, data}`` in base64.

        Raises:
            TabwardenError: there is no daemon, or none that answers in time.
        """
        began = time.monotonic()
        timeout_ms = arguments.get("timeout_ms")
        until = began + (_START_S if timeout_ms is None else timeout_ms / 1000) + _GRACE_S
        link, started = self._link(starts, launch, until)
        if started and timeout_ms is not None:
            spent_ms = (time.monotonic() - began) * 1000
            arguments = {**arguments, "timeout_ms": max(1.0, timeout_ms - spent_ms)}
        try:
            request: Message = {"op": "call", "tool": tool, "arguments": arguments}
            if self._show is not None:
                request["progress"] = True
            return self._answer(link, request, until)
        finally:
            link.close()

    def _answer(self, link: Link, request: Message, until: float) -> Message:
        try:
            link.send(request)
            told = link.receive(min(until, time.monotonic() + PATIENCE_S))
            if told is not None and "budget_ms" in told:
                until = time.monotonic() + told["budget_ms"] / 1000 + _GRACE_S
                told = self._wait(link, until)
        except TimeoutError:
            raise BudgetExceeded(*_silent(self._place)) from None
        except ConnectionError:
            told = None
        if told is None:
            raise BrowserGone(
                f"The daemon of session {self._place.session!r} ended during the call. "
                "Whether the action was done is not known; the session's pages are lost.",
                "tabwarden open, or goto, starts a fresh one.",
            )
        answer: Message = told["answer"]
        if told.get("ending"):
            link.wait_for_end(until)
        return answer

    def _wait(self, link: Link, until: float) -> Message | None:
        """Wait for the answer; Ctrl-C stops what the page does, and the answer says so."""
        try:
            return self._past_progress(link, until)
        except KeyboardInterrupt:
            link.give_up()
            try:
                told = self._past_progress(link, time.monotonic() + _CANCEL_S)
            except TimeoutError:
                told = None
            if told is None:
                raise
            return told

    def _past_progress(self, link: Link, until: float) -> Message | None:
        while (told := link.receive(until)) is not None and "progress" in told:
            if self._show is not None:
                self._show(told["progress"])
        return told

    # -- the daemon ------------------------------------------------------------------------------

    def _link(self, starts: bool, launch: Mapping[str, Any], until: float) -> tuple[Link, bool]:
        """A connection to a daemon that does as the call wants; whether it was started for it."""
        link = found(self._place, until)
        if link is None:
            lost = os.path.exists(self._place.door)
            why = "had ended unexpectedly" if lost else ""
        else:
            why = self._unfit(link)
            if not why and self._obeys(link, launch):
                return link, False
            self._end(link, until)
        if not starts:
            raise self._nothing_open(why)
        fresh = self._started(launch, until)
        if why:
            self._tell(
                f"The daemon of session {self._place.session!r} {why}; a fresh one was started, "
                "without the old one's pages and refs."
            )
        return fresh, True

    def _unfit(self, link: Link) -> str:
        """Why a daemon can't serve any call; "" if it can."""
        build = link.hello["build"]
        return (
            ""
            if build == self._build
            else (f"was of another version ({build}, this is {self._build})")
        )

    def _obeys(self, link: Link, launch: Mapping[str, Any]) -> bool:
        """Whether a daemon was started as is wanted; where no browser is open, another may be.

        Raises:
            InvalidArgument: it was not, and a browser is open.
        """
        options = link.hello["options"]
        others = [name for name, value in launch.items() if options.get(name) != value]
        if others and link.hello["open"]:
            link.close()
            flag = f"--{others[0].replace('_', '-')}"
            raise InvalidArgument(
                f"{flag} is for opening a browser, and session {self._place.session!r} has one.",
                f"tabwarden close --session {self._place.session} ends it; or leave {flag} out.",
                field=others[0],
            )
        return not others

    @staticmethod
    def _end(link: Link, until: float) -> None:
        try:
            link.send({"op": "stop"})
            if not link.wait_for_end(until):
                raise BudgetExceeded(
                    "The last daemon was still ending its browser when the time was over.",
                    "Call again, or allow more time (--timeout-ms).",
                )
        except ConnectionError:
            pass  # it has ended
        finally:
            link.close()

    def _started(self, launch: Mapping[str, Any], until: float) -> Link:
        """Start a daemon, unless another client is quicker."""
        from tabwarden.surfaces.daemon.locks import FileLock
        from tabwarden.surfaces.daemon.starting import start

        lock = FileLock(self._place.starting)
        if not lock.take(until):
            raise BudgetExceeded(
                "Another command was still starting the daemon when the time was over.",
                "Call again, or allow more time (--timeout-ms).",
            )
        try:
            link = found(self._place, until)
            if link is None:
                start(self._place, launch, until)
                link = found(self._place, until)
        finally:
            lock.release()
        if link is None:
            raise BrowserGone("The daemon ended as soon as it had started.", "Call again.")
        return link

    def _nothing_open(self, why: str) -> TabwardenError:
        session = self._place.session
        if why:
            self._tidy_up()
            return BrowserGone(
                f"The daemon of session {session!r} {why}: its pages are lost.",
                "tabwarden open, or goto, starts a fresh one.",
            )
        return NotOpen(
            f"No browser is open in session {session!r}.",
            "tabwarden open, or goto, opens one.",
        )

    def _tidy_up(self) -> None:
        """Take away a crashed daemon's door, which was told of; not one that is just made."""
        from tabwarden.surfaces.daemon.locks import FileLock, holder

        lock = FileLock(self._place.starting)
        if lock.take(time.monotonic()):
            if holder(self._place.life) is None:
                door_at(self._place.door).remove()
            lock.release()


def stop(place: Place) -> bool:
    """End a session's daemon and its browser, by force if it does not answer.

    Returns:
        Whether there was one.
    """
    from tabwarden.surfaces.daemon.locks import holder

    link = None
    try:
        link = found(place, time.monotonic() + BRIEF_S)
        if link is not None:
            link.send({"op": "stop"})
            if link.wait_for_end(time.monotonic() + _END_S):
                return True
    except (EndpointUnreachable, ConnectionError):
        pass
    finally:
        if link is not None:
            link.close()
    # It does not answer, or its door was taken away; or there is none but a crashed one's door.
    pid = holder(place.life)
    if pid is not None:
        from tabwarden.surfaces.daemon.killing import kill

        kill(pid, place)
    door_at(place.door).remove()
    return pid is not None


def _silent(place: Place) -> tuple[str, str]:
    from tabwarden.surfaces.daemon.locks import holder

    pid = holder(place.life)
    process = f" (process {pid})" if pid is not None else ""
    return (
        f"The daemon of session {place.session!r}{process} does not answer.",
        f"tabwarden daemon stop --session {place.session} ends it and its browser; "
        "then tabwarden open starts a fresh one.",
    )
