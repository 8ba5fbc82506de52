"""The debugger channel: dialogs that wait while the page's script is paused.

``js/dialogs.js`` replaces ``alert``, ``confirm`` and ``prompt`` in every document, and runs
``debugger;`` while a local variable holds the request. During the pause, we can read the page. A
strict Content Security Policy does not prevent this, and clients that dismiss native dialogs never
see the dialog (docs/facts.md, "Dialogs that wait in a pause").

We recognize the script by the name and hash that V8 reports (``Debugger.scriptParsed``), which a
page can't fake. In the same way, we recognize another supervisor's script (``shared_key.py``). Both
supervisors see the dialogs of both scripts, and either supervisor can close them. We resume any
other pause immediately.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from functools import lru_cache
from typing import Any, ClassVar, Literal
from urllib.parse import urlsplit

import msgspec

from tabwarden.protocol import Command, debugger, dom, network, page
from tabwarden.supervisor.core.handlers import dialogs
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.answers import on_call_frame
from tabwarden.supervisor.core.state.dialog_values import PendingDialog
from tabwarden.supervisor.core.state.policy import Bridge, BridgeMode
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.tabs import Asking, SessionInfo
from tabwarden.supervisor.core.state.transition import Ask, Turn
from tabwarden.supervisor.core.state.values import frozen, replace

_NAME = re.compile(r"([0-9a-f]{32})\.js")
_REPORTED = re.compile(rb'"[0-9a-f]{32}\.js"')


def may_be_bridge(params: bytes) -> bool:
    """Whether a ``Debugger.scriptParsed`` event, still encoded, may be about any supervisor's
    bridge."""
    return _REPORTED.search(params) is not None


def is_bridge(bridge: Bridge, name: str, sha256: str, target_id: str) -> bool:
    """Whether a script with this name and hash, in one of this target's documents, is our bridge,
    or the bridge of another program with the same secret.
    """
    number = _NAME.fullmatch(name)
    if number is None:
        return False
    return sha256 == _hash_of(bridge.template, bridge.family, number[1], target_id)


def source_in(bridge: Bridge, target_id: str) -> str:
    """Return the bridge's source for one target. If two targets of a process had the same source,
    V8 would compile it once and report it to the debugger of only one of them."""
    return f"{bridge.source}// {target_id.encode().hex()}\n"


@lru_cache(256)
def _hash_of(template: str, family: bytes, number: str, target_id: str) -> str:
    """Return the SHA-256 of a bridge's source for one target, as V8 reports it."""
    source = source_in(bridge_of(BridgeMode.DEBUGGER, template, family, number), target_id)
    return hashlib.sha256(source.encode()).hexdigest()


def bridge_of(mode: BridgeMode, template: str, family: bytes, number: str) -> Bridge:
    """Derive the bridge from the shared secret (``family``) and 32 random hexadecimal digits
    (``number``). ``template`` is the source of ``js/dialogs.js``.

    Therefore, a program that has the secret recognizes another supervisor's bridge by its name and
    hash. A page that sees the name can't create a source with the matching hash.
    """
    name = f"{number}.js"
    # If no client intercepts a request to this port, the request fails at once, before any name
    # lookup (net/base/port_util.cc).
    url = f"https://{_derived(family, number, 'host')}.invalid:1/"
    key = _derived(family, number, "key")
    word = _derived(family, number, "word")
    script = (
        template.replace("__PAUSES__", json.dumps(mode is not BridgeMode.XHR))
        .replace("__URL__", json.dumps(url))
        .replace("__KEY__", json.dumps(key))
        .replace("__WORD__", json.dumps(word))
    )
    source = f"{script}//# sourceURL={name}\n"
    return Bridge(
        mode=mode,
        template=template,
        name=name,
        source=source,
        url=url,
        key=key,
        word=word,
        family=family,
    )


def _derived(family: bytes, number: str, what: str) -> str:
    return hmac.new(family, f"{what} {number}".encode(), hashlib.sha256).hexdigest()[:32]


REREAD_S = 0.4
"""If reading a page's request has not returned a result after this time, read it again."""
PRESET_ANSWER_S = 20.0
"""A preset answer expires after this time if the page does not use it."""
_SCRIPTS_KEPT = 500
_READS = 4
_READ = "armed = true, request"
_NATIVE = "answer = {__proto__: null, native: true}"


class Request(msgspec.Struct, frozen=True):
    type: str
    message: str
    initial: str
    url: str
    opaque: bool = False
    """Whether the document may be sandboxed. A sandboxed document has an opaque origin, but its URL
    doesn't show this.
    """


class RequestRead(Ask, frozen=True):
    """The reply with the page's request, read from the paused frame."""

    command = debugger.EvaluateOnCallFrame
    replaces: ClassVar[bool] = True

    session_id: str
    call_frame_id: str
    frame_id: str
    of_kin: bool = False


class OwnerAsked(Ask, frozen=True):
    """The reply to ``DOM.getFrameOwner``: the iframe element that contains the requesting frame."""

    command = dom.GetFrameOwner

    read: RequestRead
    request: Request
    around: str
    """The frame whose iframe element is requested: the requesting frame, then each ancestor
    frame.
    """
    session_id: str


class OwnerDescribed(Ask, frozen=True):
    """The reply to ``DOM.describeNode`` for that iframe element."""

    command = dom.DescribeNode

    owner: OwnerAsked


class LeftToNative(Ask, frozen=True):
    """The reply to the command that tells the page to use its native dialog function."""

    session_id: str


def left_to_native(turn: Turn, ask: LeftToNative, _: str | None) -> None:
    """Let the page continue. The page's native dialog function then refuses to open the dialog."""
    session = turn.state.session(ask.session_id)
    # a duplicate reply, which must not resume a later pause
    if session is None or session.asking is None:
        return
    _set_asking(turn, ask.session_id, None)
    turn.send(debugger.Resume(), ask.session_id)


def set_up(bridge: Bridge, target_id: str) -> Command[Any]:
    """Return the command that adds the bridge to a target before its first script."""
    source = source_in(bridge, target_id)
    return page.AddScriptToEvaluateOnNewDocument(source=source, run_immediately=True)


def is_foreign_script(state: SupervisorState, params: bytes | msgspec.Raw) -> bool:
    """Whether a ``Debugger.scriptParsed`` event, still encoded, is not about a bridge."""
    return state.policy.bridge is None or not may_be_bridge(bytes(params))


def script_parsed(turn: Turn, event: debugger.ScriptParsed, session_id: str | None) -> None:
    """Record a bridge script. V8 may report a single script for the bridges in several frames."""
    bridge = turn.state.policy.bridge
    session = turn.state.session(session_id)
    if bridge is None or session is None:
        return
    if not is_bridge(bridge, event.url, event.hash, session.target_id):
        return
    kept = dict(list(session.bridge_scripts.items())[-_SCRIPTS_KEPT:])
    kept[event.script_id] = "ours" if event.url == bridge.name else "kin"
    turn.put("sessions", session.session_id, replace(session, bridge_scripts=frozen(kept)))


def paused(turn: Turn, event: debugger.Paused, session_id: str | None) -> None:
    """Handle a script pause. Read the request of a paused bridge; let any other script continue."""
    session = turn.state.session(session_id)
    top = event.call_frames[0] if event.call_frames else None
    script = session.bridge_scripts.get(top.location.script_id) if session and top else None
    if session is None or top is None or script is None:
        # In a tab that this task did not open, only another client can have paused the page.
        if session is None or turn.state.agents_part(session.tab_id) == "opened":
            turn.send(debugger.Resume(), session_id)
        return
    asking = Asking(
        call_frame_id=top.call_frame_id,
        frame_id=_frame_of(turn.state, session, top.call_frame_id),
        of_kin=script == "kin",
        again_at=turn.now.monotonic + REREAD_S,
    )
    _read(turn, session.session_id, asking)


def _frame_of(state: SupervisorState, session: SessionInfo, call_frame_id: str) -> str:
    """Return the frame whose script paused. V8's call frame IDs contain the isolate, the execution
    context and the call frame (``7.3.0``). If the context no longer exists, return the target's own
    frame.
    """
    _, _, of_context = call_frame_id.partition(".")
    number = of_context.partition(".")[0]
    for context in state.contexts.values():
        if context.session_id == session.session_id and str(context.context_id) == number:
            return context.frame_id
    return session.target_id


def _read(turn: Turn, session_id: str, asking: Asking) -> None:
    _set_asking(turn, session_id, asking)
    due = turn.state.read_again_at
    if due is None or asking.again_at < due:
        turn.change(read_again_at=asking.again_at)
    read = RequestRead(session_id, asking.call_frame_id, asking.frame_id, asking.of_kin)
    turn.send(on_call_frame(asking.call_frame_id, _READ), session_id, read)


def read_again(turn: Turn, _: inputs.Tick) -> None:
    """Read a paused page's request again if no result arrived, because the reply may have been
    lost.
    """
    now = turn.now.monotonic
    if turn.state.read_again_at is None or now < turn.state.read_again_at:
        return
    asking = {s.session_id: s.asking for s in turn.state.sessions.values() if s.asking is not None}
    left = {one: request for one, request in asking.items() if request.reads < _READS}
    turn.change(
        read_again_at=min((a.again_at for a in left.values() if a.again_at > now), default=None)
    )
    for session_id, request in left.items():
        if request.again_at <= now:
            again = replace(request, again_at=now + REREAD_S, reads=request.reads + 1)
            _read(turn, session_id, again)


def request_known(
    turn: Turn, ask: RequestRead, result: debugger.EvaluateOnCallFrameResult | None
) -> None:
    asking = _asking(turn, ask)
    if asking is None:  # the reply arrived too late
        return
    value = result.result.value if result is not None else None
    try:
        request = msgspec.json.decode(value if isinstance(value, str) else "", type=Request)
    except msgspec.DecodeError:
        if asking.reads < _READS:  # try again, because only the reply may have been lost
            _read(turn, ask.session_id, replace(asking, reads=asking.reads + 1))
            return
        _set_asking(turn, ask.session_id, None)
        turn.send(debugger.Resume(), ask.session_id)
        return
    _look_around(turn, ask, request, ask.frame_id)


def owner_known(turn: Turn, ask: OwnerAsked, owner: dom.GetFrameOwnerResult | None) -> None:
    """Request the attributes of the iframe element that contains the frame."""
    if owner is None:
        _allowed_around(turn, ask.read, ask.request)
        return
    describe = dom.DescribeNode(backend_node_id=owner.backend_node_id)
    turn.send(describe, ask.session_id, OwnerDescribed(ask))


def owner_described(
    turn: Turn, ask: OwnerDescribed, described: dom.DescribeNodeResult | None
) -> None:
    """Check the iframe's attributes: a sandbox without ``allow-modals`` forbids dialogs."""
    owner = ask.owner
    words = (described.node.attributes or []) if described is not None else []
    attributes = dict(zip(words[::2], words[1::2], strict=False))
    request = owner.request
    if "sandbox" in attributes:
        allowed = attributes["sandbox"].lower().split()
        if "allow-modals" not in allowed:
            _leave_to_native(turn, owner.read)
            return
        if "allow-same-origin" not in allowed:  # the sandbox explains the opaque origin
            request = replace(request, opaque=False)
    around = turn.state.frames.get(owner.around)
    _look_around(turn, owner.read, request, (around and around.parent_frame_id) or "")


def resumed(turn: Turn, event: debugger.Resumed, session_id: str | None) -> None:
    """Handle the end of a pause. If the pause's dialog is still open, something other than our
    answer has closed it.
    """
    _ = event
    _set_asking(turn, session_id, None)
    for dialog in turn.state.pending_dialogs:
        ours = dialog.channel == "debugger" and dialog.session_id == session_id
        if ours and dialog.answer is None:
            dialogs.close(turn, dialog, accepted=None, prompt_text=None)
            if not dialog.of_kin:
                say(turn, dialog, "refused")


def _asking(turn: Turn, read: RequestRead) -> Asking | None:
    """Return the pause to which ``read`` belongs, if the session is still in that pause."""
    session = turn.state.session(read.session_id)
    asking = session.asking if session is not None else None
    return asking if asking is not None and asking.call_frame_id == read.call_frame_id else None


def _set_asking(turn: Turn, session_id: str | None, asking: Asking | None) -> None:
    session = turn.state.session(session_id)
    if session is not None and session.asking != asking:
        turn.put("sessions", session.session_id, replace(session, asking=asking))


def say(turn: Turn, dialog: PendingDialog, word: Literal["native", "refused"]) -> None:
    """Set a cookie that tells a blocked page how to continue if the debugger and the request
    channel no longer work. The bridge's script can read a new cookie even while it blocks the
    page's thread, because the browser process sets the cookie.
    """
    _set_word(turn, dialog.url, dialog.session_id, word, turn.now.wall + PRESET_ANSWER_S)


def _set_word(turn: Turn, url: str, session_id: str, word: str, expires: float) -> None:
    bridge = turn.state.policy.bridge
    if bridge is None or not url.startswith(("http:", "https:")):
        return
    cookie = network.SetCookie(name=bridge.word, value=word, url=url, path="/", expires=expires)
    turn.send(cookie, session_id)
    partition = _partition_around(turn, url, session_id)
    if partition is not None:
        theirs = replace(cookie, secure=True, same_site="None", partition_key=partition)
        turn.send(theirs, session_id)


def take_back(turn: Turn, url: str, session_id: str) -> None:
    """Delete the cookie, which the page may not have read."""
    _set_word(turn, url, session_id, "", 1)


def _partition_around(turn: Turn, url: str, session_id: str) -> network.CookiePartitionKey | None:
    """Return the cookie partition that a cross-site frame can read. The partition depends on the
    top-level page (CHIPS; for ``https:`` and loopback addresses).
    """
    tab = turn.state.tab_of_session(session_id)
    try:
        page_at, frame_at = urlsplit(tab.url if tab is not None else ""), urlsplit(url)
    except ValueError:  # a browser may report an invalid URL
        return None
    if page_at.scheme not in ("http", "https") or page_at.hostname == frame_at.hostname:
        return None
    site = f"{page_at.scheme}://{page_at.netloc.rpartition('@')[2]}"
    return network.CookiePartitionKey(top_level_site=site, has_cross_site_ancestor=True)


def ask_again(turn: Turn, session: SessionInfo) -> None:
    """After a reattach, make the page reopen its lost dialogs as native dialogs."""
    for dialog in turn.state.pending_dialogs:
        is_its = dialog.tab_id == session.tab_id and not dialog.of_kin
        if dialog.is_left_behind and is_its:
            say(turn, replace(dialog, session_id=session.session_id), "native")
    for target_id, tab_id in turn.state.unheard.items():
        if tab_id == session.tab_id:
            say_where_left(turn, target_id, session.session_id)
            turn.drop("unheard", target_id)


def say_where_left(turn: Turn, target_id: str, session_id: str) -> None:
    """Make a target reopen, as native dialogs, the dialogs that were open when the connection
    broke. The cookies are deleted after the target has responded.
    """
    for url in sorted(turn.state.left_at.get(target_id, ())):
        _set_word(turn, url, session_id, "native", turn.now.wall + PRESET_ANSWER_S)
    turn.change(word_said=turn.state.word_said | {target_id})


def _look_around(turn: Turn, read: RequestRead, request: Request, frame_id: str) -> None:
    """Open the dialog if every iframe around the requesting frame allows it."""
    frame = turn.state.frames.get(frame_id)
    parent = turn.state.frames.get(frame.parent_frame_id or "") if frame is not None else None
    if frame is None or parent is None:
        _allowed_around(turn, read, request)
        return
    ask = OwnerAsked(read, request, frame_id, parent.session_id)
    turn.send(dom.GetFrameOwner(frame_id=frame_id), parent.session_id, ask)


def _allowed_around(turn: Turn, read: RequestRead, request: Request) -> None:
    """Open the dialog, because no iframe forbids it. But if the document is sandboxed by its own
    response (``Content-Security-Policy: sandbox``) or by its opener, use the native function."""
    if request.opaque:
        _leave_to_native(turn, read)
    else:
        _open(turn, read, request)


def _leave_to_native(turn: Turn, read: RequestRead) -> None:
    if _asking(turn, read) is None:
        return
    refusal = on_call_frame(read.call_frame_id, _NATIVE)
    turn.send(refusal, read.session_id, LeftToNative(read.session_id))


def _open(turn: Turn, read: RequestRead, request: Request) -> None:
    if _asking(turn, read) is None:
        return
    _set_asking(turn, read.session_id, None)
    dialogs.open_dialog(
        turn,
        turn.state.sessions[read.session_id],
        kind=request.type,
        message=request.message,
        default_prompt=request.initial,
        frame_id=read.frame_id,
        url=request.url,
        channel="debugger",
        held_by=read.call_frame_id,
        of_kin=read.of_kin,
    )


EVENTS = (
    (debugger.ScriptParsed, script_parsed),
    (debugger.Paused, paused),
    (debugger.Resumed, resumed),
)
INPUTS = ((inputs.Tick, read_again),)
REPLIES = (
    (RequestRead, request_known),
    (OwnerAsked, owner_known),
    (OwnerDescribed, owner_described),
    (LeftToNative, left_to_native),
)
