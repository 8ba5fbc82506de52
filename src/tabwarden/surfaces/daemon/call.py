"""Call an action through the session's daemon, and start the daemon if needed.

A call returns within its budget plus one second, whatever happens to the daemon.
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
from tabwarden.surfaces.daemon.timing import (
    ANSWER_GRACE_S,
    BRIEF_S,
    CANCEL_S,
    END_S,
    FIRST_ANSWER_S,
    START_S,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from tabwarden.surfaces.daemon.link import Message
    from tabwarden.surfaces.daemon.paths import SessionPaths


def found(place: SessionPaths, until: float | None = None) -> Link | None:
    """Connect to the session's daemon; return None if there is none.

    Raises:
        EndpointUnreachable: the daemon does not answer.
    """
    patience = time.monotonic() + FIRST_ANSWER_S
    try:
        return Link(door_at(place.door), patience if until is None else min(patience, until))
    except (FileNotFoundError, ConnectionError):
        return None
    except TimeoutError:
        raise EndpointUnreachable(*_silent(place)) from None


class Caller:
    """Calls a session's daemon.

    Args:
        place: the session's paths.
        build: the client's build; a daemon with another build is replaced.
        tell: called with messages about the daemon.
        show: called with the progress each second; None if nobody watches.
    """

    def __init__(
        self,
        place: SessionPaths,
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
        """Run an action.

        Args:
            tool: the name of the action's tool.
            arguments: the action's arguments; ``timeout_ms`` includes the start of a daemon.
            starts: start a daemon if there is none.
            launch: the options for starting it (``LAUNCH`` in the command-line client).

        Returns:
            ``{text, data, is_error}``, and ``picture``: ``{media_type, data}`` in base64.

        Raises:
            TabwardenError: there is no daemon, or it does not answer in time.
        """
        began = time.monotonic()
        timeout_ms = arguments.get("timeout_ms")
        until = began + (START_S if timeout_ms is None else timeout_ms / 1000) + ANSWER_GRACE_S
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
            told = link.receive(min(until, time.monotonic() + FIRST_ANSWER_S))
            if told is not None and "budget_ms" in told:
                until = time.monotonic() + told["budget_ms"] / 1000 + ANSWER_GRACE_S
                told = self._wait(link, until)
        except TimeoutError:
            raise BudgetExceeded(*_silent(self._place)) from None
        except ConnectionError:
            told = None
        if told is None:
            raise BrowserGone(
                f"The daemon of session {self._place.session!r} ended during the call. The "
                "action may or may not have happened. The session's pages are lost.",
                "tabwarden open, or goto, starts a fresh one.",
            )
        answer: Message = told["answer"]
        if told.get("ending"):
            link.wait_for_end(until)
        return answer

    def _wait(self, link: Link, until: float) -> Message | None:
        """Wait for the answer. Ctrl-C stops the action in the page, and the answer says so."""
        try:
            return self._past_progress(link, until)
        except KeyboardInterrupt:
            link.give_up()
            try:
                told = self._past_progress(link, time.monotonic() + CANCEL_S)
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
        """Return a connection to a suitable daemon, and whether it was started for this call."""
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
                f"The daemon of session {self._place.session!r} {why}. A new one was started, "
                "without the old pages and refs."
            )
        return fresh, True

    def _unfit(self, link: Link) -> str:
        """Return why a daemon can't serve this client; "" if it can."""
        build = link.hello["build"]
        return (
            ""
            if build == self._build
            else (f"was another version ({build}, this is {self._build})")
        )

    def _obeys(self, link: Link, launch: Mapping[str, Any]) -> bool:
        """Return whether a daemon has the wanted launch options. If it doesn't and no browser is
        open, end it, so that a new one is started.

        Raises:
            InvalidArgument: the daemon has other options, and a browser is open.
        """
        options = link.hello["options"]
        others = [name for name, value in launch.items() if options.get(name) != value]
        if others and link.hello["open"]:
            link.close()
            flag = f"--{others[0].replace('_', '-')}"
            raise InvalidArgument(
                f"{flag} works only when a browser opens, and session {self._place.session!r} "
                "already has one.",
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
                    "The time limit passed while the previous daemon was still closing its "
                    "browser.",
                    "Call again, or allow more time (--timeout-ms).",
                )
        except ConnectionError:
            pass  # it has already ended
        finally:
            link.close()

    def _started(self, launch: Mapping[str, Any], until: float) -> Link:
        """Start a daemon, unless another client starts one first."""
        from tabwarden.surfaces.daemon.locks import FileLock
        from tabwarden.surfaces.daemon.starting import start

        lock = FileLock(self._place.starting)
        if not lock.take(until):
            raise BudgetExceeded(
                "The time limit passed while another command was still starting the daemon.",
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
            raise BrowserGone("The daemon ended right after it started.", "Call again.")
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
        """Remove the door of a crashed daemon, but not a door that was just created."""
        from tabwarden.surfaces.daemon.locks import FileLock, holder

        lock = FileLock(self._place.starting)
        if lock.take(time.monotonic()):
            if holder(self._place.life) is None:
                door_at(self._place.door).remove()
            lock.release()


def stop(place: SessionPaths) -> bool:
    """End a session's daemon and its browser. If the daemon doesn't answer, kill it.

    Returns:
        Whether there was a daemon.
    """
    from tabwarden.surfaces.daemon.locks import holder

    link = None
    try:
        link = found(place, time.monotonic() + BRIEF_S)
        if link is not None:
            link.send({"op": "stop"})
            if link.wait_for_end(time.monotonic() + END_S):
                return True
    except (EndpointUnreachable, ConnectionError):
        pass
    finally:
        if link is not None:
            link.close()
    # The daemon doesn't answer, or its door is already removed; or it crashed, and only the door is
    # left.
    pid = holder(place.life)
    if pid is not None:
        from tabwarden.surfaces.daemon.killing import kill

        kill(pid, place)
    door_at(place.door).remove()
    return pid is not None


def _silent(place: SessionPaths) -> tuple[str, str]:
    from tabwarden.surfaces.daemon.locks import holder

    pid = holder(place.life)
    process = f" (process {pid})" if pid is not None else ""
    return (
        f"The daemon of session {place.session!r}{process} does not respond.",
        f"tabwarden daemon stop --session {place.session} ends it and its browser; "
        "then tabwarden open starts a fresh one.",
    )
