"""Call an action through the session's daemon, and start the daemon if needed.

A call returns at most one second after its budget, whatever happens to the daemon.
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
from tabwarden.surfaces.daemon import ANSWER_GRACE_S, CANCEL_S, FIRST_ANSWER_S, START_S
from tabwarden.surfaces.daemon.link import Link, door_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from tabwarden.surfaces.daemon.link import Message
    from tabwarden.surfaces.daemon.paths import SessionPaths

BRIEF_S = 2.0
"""A shorter limit for the first message, for callers that can continue without a reply."""
END_S = 20.0
"""How long a daemon may take to close its browser and exit."""


def found(place: SessionPaths, until: float | None = None) -> Link | None:
    """Connect to the session's daemon. Return None if no daemon is listening.

    Raises:
        EndpointUnreachable: the daemon is not responding.
    """
    patience = time.monotonic() + FIRST_ANSWER_S
    try:
        return Link(door_at(place.door), patience if until is None else min(patience, until))
    except (FileNotFoundError, ConnectionError):
        return None
    except TimeoutError:
        raise silent(place) from None


class Caller:
    """Calls a session's daemon.

    Args:
        build: the client's build. A daemon with a different build is replaced.
        tell: called with messages about the daemon.
        show: called with the progress once per second; None if nobody is watching.
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
        flags: Mapping[str, str],
        shows: bool = False,
        hand_over: Callable[[str | None, float], None] | None = None,
    ) -> Message:
        """Run an action.

        Args:
            arguments: the action's arguments. ``timeout_ms`` also covers the start of a daemon.
            starts: whether to start a daemon if none is running.
            launch: the options of a new daemon (``LAUNCH`` in the command-line client).
            flags: the flag that the user typed for each of these options, for errors.
            shows: whether the text of the response describes what the action changed on the page.
            hand_over: called before the call, with the daemon's inbox and the time by which it must
                return, on the clock of ``time.monotonic()``. It may change the arguments.

        Returns:
            ``{text, data, is_error}``. A screenshot adds ``picture``: ``{media_type, data}``, with
            the data in base64.

        Raises:
            TabwardenError: no daemon is running, or the daemon did not respond in time.
        """
        began = time.monotonic()
        timeout_ms = arguments.get("timeout_ms")
        until = began + (START_S if timeout_ms is None else timeout_ms / 1000) + ANSWER_GRACE_S
        link, started = self._link(starts, launch, flags, until)
        try:
            if hand_over is not None:
                hand_over(link.hello["inbox"], until)
            if (started or hand_over is not None) and timeout_ms is not None:
                spent_ms = (time.monotonic() - began) * 1000
                arguments = {**arguments, "timeout_ms": max(1.0, timeout_ms - spent_ms)}
            request: Message = {"op": "call", "tool": tool, "arguments": arguments}
            request["shows"] = shows
            if self._show is not None:
                request["progress"] = True
            return self._answer(link, request, until)
        finally:
            link.close()

    def _answer(self, link: Link, request: Message, until: float) -> Message:
        try:
            link.send(request)
            message = link.receive(min(until, time.monotonic() + FIRST_ANSWER_S))
            if message is not None and "budget_ms" in message:
                until = time.monotonic() + message["budget_ms"] / 1000 + ANSWER_GRACE_S
                message = self._wait(link, until)
        except TimeoutError:
            raise silent(self._place, BudgetExceeded) from None
        except ConnectionError:
            message = None
        if message is None:
            raise ended(self._place)
        answer: Message = message["answer"]
        if message.get("ending"):
            link.wait_for_end(until)
        return answer

    def _wait(self, link: Link, until: float) -> Message | None:
        """Wait for the response. Ctrl-C cancels the action, and the response reports the
        cancellation.
        """
        try:
            return self._past_progress(link, until)
        except KeyboardInterrupt:
            link.give_up()
            try:
                message = self._past_progress(link, time.monotonic() + CANCEL_S)
            except TimeoutError:
                message = None
            if message is None:
                raise
            return message

    def _past_progress(self, link: Link, until: float) -> Message | None:
        while (message := link.receive(until)) is not None and "progress" in message:
            if self._show is not None:
                self._show(message["progress"])
        return message

    # -- the daemon ------------------------------------------------------------------------------

    def _link(
        self, starts: bool, launch: Mapping[str, Any], flags: Mapping[str, str], until: float
    ) -> tuple[Link, bool]:
        """Return a connection to a suitable daemon, and whether this call started the daemon."""
        link = found(self._place, until)
        if link is None:
            lost = os.path.exists(self._place.door)
            why = "ended unexpectedly" if lost else ""
        else:
            build = link.hello["build"]
            other = f"had a different version ({build}; this is {self._build})"
            why = "" if build == self._build else other
            if not why and self._obeys(link, launch, flags):
                return link, False
            self._end(link, until)
        if not starts:
            raise self._nothing_open(why)
        fresh = self._started(launch, until)
        if why:
            self._tell(
                f"The daemon of session {self._place.session!r} {why}. A new daemon was started, "
                "without the old pages and refs."
            )
        return fresh, True

    def _obeys(self, link: Link, launch: Mapping[str, Any], flags: Mapping[str, str]) -> bool:
        """Whether a daemon has the requested launch options.

        Raises:
            InvalidArgument: the daemon has different options and an open browser.
        """
        options = link.hello["options"]
        others = [name for name, value in launch.items() if options.get(name) != value]
        if others and link.hello["open"]:
            link.close()
            flag = flags[others[0]]
            raise InvalidArgument(
                f"{flag} works only when a browser opens, but session {self._place.session!r} "
                "already has an open browser.",
                f"Omit {flag}, or first run: tabwarden close --session {self._place.session}.",
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
                    "Retry with a longer time limit (--timeout-ms).",
                )
        except ConnectionError:
            pass  # the daemon has already exited
        finally:
            link.close()

    def _started(self, launch: Mapping[str, Any], until: float) -> Link:
        """Start a daemon, unless another client starts one first."""
        from tabwarden.surfaces.daemon.locks import FileLock
        from tabwarden.surfaces.daemon.process import start

        lock = FileLock(self._place.starting)
        if not lock.take(until):
            raise BudgetExceeded(
                "The time limit passed while another command was still starting the daemon.",
                "Retry with a longer time limit (--timeout-ms).",
            )
        try:
            link = found(self._place, until)
            if link is None:
                start(self._place, launch, until)
                link = found(self._place, until)
        finally:
            lock.release()
        if link is None:
            raise BrowserGone("The daemon ended right after it started.", "Retry the command.")
        return link

    def _nothing_open(self, why: str) -> TabwardenError:
        session = self._place.session
        if why:
            self._tidy_up()
            return BrowserGone(
                f"The daemon of session {session!r} {why}. Its pages are lost.",
                "To start a new browser, run: tabwarden open",
            )
        return NotOpen(
            f"No browser is open in session {session!r}.", "To open one, run: tabwarden open"
        )

    def _tidy_up(self) -> None:
        """Remove the door (socket) of a crashed daemon, but not a door that was just created."""
        from tabwarden.surfaces.daemon.locks import FileLock, holder

        lock = FileLock(self._place.starting)
        if lock.take(time.monotonic()):
            if holder(self._place.life) is None:
                door_at(self._place.door).remove()
            lock.release()


def stop(place: SessionPaths) -> bool:
    """Stop a session's daemon and close its browser, by force if necessary. Return whether the
    daemon was running.
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
    # The daemon is not responding, has removed its door, or has crashed and left its door.
    pid = holder(place.life)
    if pid is not None:
        from tabwarden.surfaces.daemon.process import kill

        kill(pid, place)
    door_at(place.door).remove()
    return pid is not None


def ended(place: SessionPaths) -> TabwardenError:
    """Return the error for a daemon that ended during a call."""
    return BrowserGone(
        f"The daemon of session {place.session!r} ended during the call. The action may or may not "
        "have happened. The session's pages are lost.",
        "To start a new browser, run: tabwarden open",
    )


def silent(place: SessionPaths, kind: type[TabwardenError] = EndpointUnreachable) -> TabwardenError:
    """Return the error for a daemon that is not responding."""
    from tabwarden.surfaces.daemon.locks import holder

    pid = holder(place.life)
    process = f" (process {pid})" if pid is not None else ""
    return kind(
        f"The daemon of session {place.session!r}{process} is not responding.",
        f"To stop the daemon and its browser, run: tabwarden daemon stop --session {place.session}",
    )
