"""Turn a trace's calls into steps. This module performs no I/O.

The plan omits reads and failed calls. Each step of a batch is a separate call. The answer to a
dialog is a part of the step that opened the dialog. In the same way, a new tab and the files for a
file chooser are parts of the step that opened them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from tabwarden.errors import InvalidArgument
from tabwarden.export import pointing
from tabwarden.export.calls import RecordedCall, TraceCalls
from tabwarden.export.steps import Answer, Plan, Secret, Step, Target
from tabwarden.journal import CHARS
from tabwarden.page.elements import name_of_point
from tabwarden.page.input import fill

HIDDEN = re.compile(r"\(secret(?: (\w+))?\)|\{\{([A-Z][A-Z0-9_]*)\}\}|(?<==)…")
"""The placeholders that replace secrets in a trace, in any text and in the parameters of a URL."""


def variables_in(value: Any, target: Target | None, key: str = "") -> Any:
    """Replace the secrets that a trace masks with the environment variables that contain them."""
    if isinstance(value, str) and (match := HIDDEN.search(value)):
        name = match[1] or match[2] or key or (_name_of(target) if target is not None else "")
        variable = re.sub(r"\W+", "_", name.upper(), flags=re.A).strip("_")
        if not variable or variable[0].isdigit():
            variable = "SECRET"
        return Secret(variable, value[: match.start()], value[match.end() :])
    if isinstance(value, dict):
        return {key: variables_in(one, target, key) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [variables_in(one, target) for one in value]
    return value


def _name_of(target: Target) -> str:
    """Return an element's name. If it has none, return the last part of its selector, such as
    ``#password``."""
    last = target.locators[0].get("css", "") if target.locators else ""
    return target.name or re.split(r"[ >]+", last)[-1]


def target_of(
    element: Mapping[str, Any], point: tuple[float, float] | None, *, exactly: bool
) -> Target:
    """Return a recorded element as a target. With ``exactly``, omit locators for elements inside
    the element."""
    unique = [
        one
        for one in element["candidates"]
        if one.get("unique")
        and not (exactly and "inside" in one)
        and not any(HIDDEN.search(str(text)) for text in one.values())
    ]
    ours = ("unique", "exact", "inside")
    locators = [{key: one[key] for key in one if key not in ours} for one in unique]
    return Target(
        tag=element.get("tag", ""),
        role=element.get("role", ""),
        name=element.get("name", ""),
        text=element.get("text", ""),
        frames=tuple(element.get("frames", ())),
        locators=tuple(locators),
        point=point,
        offset=_pair(element.get("offset")),
        position=_pair(element.get("position")),
        size=_pair(element.get("size")),
    )


def by_place(target: Target) -> Target:
    """Prefer locators that don't depend on the element's text, because the text may change during a
    wait."""
    stay = [one for one in target.locators if one["by"] in ("test_id", "css")]
    others = [one for one in target.locators if one not in stay]
    return msgspec.structs.replace(target, locators=(*stay, *others))


def _pair(value: Any) -> tuple[float, float] | None:
    return None if value is None else (float(value[0]), float(value[1]))


_STRINGS = re.compile(
    r"""'(?:[^'\\\n]|\\.)*+('|\\?$)|"(?:[^"\\\n]|\\.)*+("|\\?$)|`[^`$\\]*`?""", re.MULTILINE
)
"""Matches strings, even unterminated ones. Otherwise, the regular expression would search for the
end at each quote."""
_WRITES = re.compile(
    r"\+\+|--|(?<![=!<>])=(?![=>])|\b(?:await|class|delete|new|throw|function\s*\*|yield)\b|`|[\])]\s*\("
)
"""Matches assignments, keywords that may have effects, and calls of unnamed functions."""
_CALLED = re.compile(r"(?<![\w$])([\w$]+)\s*+(?:\?\.\s*)?\(")
_READING = re.compile(
    r"querySelector(?:All)?|getElementById|getElementsBy(?:TagName|ClassName|Name)|"
    r"getAttribute(?:Names)?|hasAttribute|matches|closest|contains|getBoundingClientRect|"
    r"getClientRects|getComputedStyle|getPropertyValue|elementFromPoint|getItem|get|has|"
    r"getSelection|stringify|parse|from|of|keys|values|entries|fromEntries|isArray|map|filter|"
    r"find|findIndex|some|every|slice|split|join|trim|toLowerCase|toUpperCase|includes|indexOf|"
    r"startsWith|endsWith|match|matchAll|test|at|concat|flat|flatMap|reduce|toString|toFixed|Number|"
    r"String|Boolean|parseInt|parseFloat|isNaN|max|min|round|floor|ceil|abs|now|"
    r"if|for|while|switch|return|typeof"
)
"""Standard web functions that change nothing, and keywords that may precede a parenthesis.

``get`` and ``find`` could also be the page's own functions, but functions with these names usually
only read.
"""


def _is_closed(string: str) -> bool:
    return len(string) > 1 and string[0] == string[-1]


def only_reads(script: str) -> bool:
    """Whether a script only reads. Such a script assigns nothing, and calls only functions that
    read."""
    code = _STRINGS.sub(lambda match: '""' if _is_closed(match[0]) else "`", script)
    return _WRITES.search(code) is None and all(
        _READING.fullmatch(name) for name in _CALLED.findall(code)
    )


_ID = re.compile(
    r"(?<![\w%])(?:\d+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=[a-z]*\d)[0-9a-z]{12,})(?!\w)",
    re.IGNORECASE,
)
"""Matches an ID: a number, a UUID, or a long word with digits."""
_PLACE = re.compile(r"(\w+://[^/?#]*)?(.*)", re.DOTALL)
"""Matches a URL, and splits it into the site and the rest."""


class MadeIds:
    """Finds IDs in URLs that the recorded run itself created, such as the number of a new order.

    Another run gets other ids. A created id looks like an id, is in no earlier URL or argument, and
    appears after a request that may change the server's state.

    Args:
        writes: the start times of the requests that may have changed their server's state, in
            seconds since 1970, in ascending order.
    """

    def __init__(self, writes: Sequence[float]) -> None:
        self._writes = writes
        self._known: set[str] = set()
        self._made: set[str] = set()

    def know(self, value: Any) -> None:
        """Treat the ids in an argument or a URL as known, unless the run created them."""
        if isinstance(value, str):
            self._known |= set(_ID.findall(value)) - self._made
        elif isinstance(value, Mapping):
            self.know(list(value.values()))
        elif isinstance(value, list | tuple):
            for one in value:
                self.know(one)

    def came(self, url: str, since: float, until: float) -> str:
        """Return a URL to which a page navigated at this time, with ``*`` for created IDs."""
        at = bisect_left(self._writes, since)
        if at < len(self._writes) and self._writes[at] <= until:
            self._made |= set(_ID.findall(_PLACE.fullmatch(url)[2])) - self._known  # type: ignore[index]
        self.know(url)
        return self.pattern(url)

    def pattern(self, url: str) -> str:
        """Return a URL with ``*`` for each id that the run created."""
        site, rest = _PLACE.fullmatch(url).groups("")  # type: ignore[union-attr]
        return site + _ID.sub(lambda match: "*" if match[0] in self._made else match[0], rest)

    def part(self, url: str) -> str:
        """Return the pattern for a part of a URL that a wait contains."""
        pattern = self.pattern(url)
        return pattern if pattern == url or "*" in url else f"**{pattern}**"

    def is_in(self, text: Any) -> bool:
        """Whether a text contains an id that the run created."""
        return not self._made.isdisjoint(_ID.findall(str(text)))


READS = re.compile(
    r"answer|batch|console|control|find|handoff|highlight|inspect|network|pdf|scrape|screenshot|"
    r"snapshot|storage_state|save_storage_state|trace"
)
_MODES = {"cookies": "list", "storage": "get", "clipboard": "read", "tabs": "list"}
"""Actions that only read in this mode, which is the default mode."""
_LISTS = ("init_script", "route")
"""Actions that only read in the mode ``list``, which is not their default mode."""
_READING_COMMAND = re.compile(r"\.(get|describe|query|capture|enable|disable|resolve)", re.I)
_ELSEWHERE = frozenset(("snapshot", "tab_id", "timeout_ms"))
"""Arguments that don't affect what the call does on the page."""
_ELEMENTS = {
    "ref": "target", "x": "target", "y": "target", "from_ref": "target", "from_x": "target",
    "from_y": "target", "to_ref": "goal", "to_x": "goal", "to_y": "goal",
}  # fmt: skip
_AT_POINTS = frozenset(("mouse", "touch"))
"""Actions whose points don't identify elements."""
_OWN = frozenset(("evaluate", "wait", "cookies", "storage", "resize"))
"""Steps after which no dialog opens later. A click, in contrast, may start a timer that opens
one."""
_CHECKED = frozenset(("checkbox", "menuitemcheckbox", "menuitemradio", "radio", "switch"))
_PASSING = re.compile(r"load|wait|saving|sending|process|please|\d:\d\d|\bsec|…|\.\.\.", re.I)
"""Matches text that will probably change."""


def plan_of(trace: TraceCalls) -> Plan:
    """Return the steps of a trace.

    Raises:
        InvalidArgument: a call has no locators for its element.
    """
    planning = _Planning(trace.writes)
    for call in trace.calls:
        planning.add(call)
    if planning.lost:
        raise InvalidArgument(
            "The trace has no locators for the elements of these calls: "
            f"{', '.join(planning.lost)}.",
            "Record with --record (browser.record), which keeps locators for each call.",
            field="file",
        )
    titles = [call.title for call in trace.calls if call.title]
    return Plan(
        steps=planning.steps,
        tabs=list(planning.tabs.values()),
        title=titles[-1] if titles else "",
        viewport=trace.viewport,
        launch={name: variables_in(one, None) for name, one in trace.launch.items()},
        credentials=planning.credentials,
    )


class _Planning:
    def __init__(self, writes: Sequence[float]) -> None:
        self._ids = MadeIds(writes)
        self._noted: dict[str, float] = {}
        """When each tab's URL last changed."""
        self.steps: list[Step] = []
        self.tabs: dict[str, str] = {}
        self.lost: list[str] = []
        self.credentials: tuple[Any, Any] | None = None
        self._urls: dict[str, str] = {}
        self._buttons: set[str] = set()
        """The mouse buttons that are pressed."""
        self._asks: Step | None = None
        """The step that a dialog interrupted."""

    def add(self, call: RecordedCall) -> None:
        if call.status in ("failed", "cancelled", "running"):
            return
        self._ids.know(call.arguments)
        special = _SPECIAL.get(call.action)
        if call.arguments.get("mode") == "remove":
            self.remove(call)
        if special is not None:
            special(self, call)
        elif not _reads(call):
            self._add_steps(call)
        elif call.tab_id:
            self.tab_of(call)
        self._note_url(call)

    @property
    def _last(self) -> Step | None:
        return self.steps[-1] if self.steps else None

    def tab_of(self, call: RecordedCall) -> str:
        """Return the variable for the call's tab. A tab that no call opened is a popup."""
        tab_id = call.tab_id or next(iter(self.tabs), "t1")
        if tab_id not in self.tabs:
            self.tabs[tab_id] = f"page{len(self.tabs) + 1}" if self.tabs else "page"
            if self._last is not None and len(self.tabs) > 1 and not self._last.opens:
                self._last.opens = self.tabs[tab_id]
        return self.tabs[tab_id]

    def _add_steps(self, call: RecordedCall) -> None:
        tab = self.tab_of(call)
        if call.action == "fill_form":
            for place, field in enumerate(call.arguments.get("fields", ())):
                target = self._target(call, {"ref": field.get("ref")})
                value = variables_in(_filled(call, place, field.get("value"), target), target)
                self.steps.append(
                    Step(number=call.number, action="fill", tab=tab, target=target,
                         arguments={"value": value})
                )  # fmt: skip
            return
        arguments = {name: one for name, one in call.arguments.items() if name not in _ELSEWHERE}
        if call.action == "wait" and arguments.get("url"):
            arguments["url"] = self._ids.part(arguments["url"])
        target = goal = None
        at_points = call.action in _AT_POINTS
        if arguments.get("ref") or (arguments.get("x") is not None and not at_points):
            target = self._target(call, arguments)
        elif call.action == "drag":
            source = {
                _bare(name): one for name, one in arguments.items() if name.startswith("from_")
            }
            ends = {_bare(name): one for name, one in arguments.items() if name.startswith("to_")}
            target, goal = self._target(call, source), self._target(call, ends)
        conditions = arguments.pop("any_of", None) or ()
        beside: tuple[str, ...] = ("to_x", "to_y") if arguments.get("to_ref") else ()
        if at_points:
            beside = ("x", "y", "to_x", "to_y")
        step = Step(
            number=call.number,
            action=call.action,
            tab=tab,
            target=target,
            goal=goal,
            way=call.points,
            any_of=[self._condition(call, tab, one) for one in conditions],
            arguments={
                name: variables_in(one, target)
                for name, one in arguments.items()
                if name not in _ELEMENTS or name in beside
            },
            cut=next((name for name, one in arguments.items() if _is_cut(one)), ""),
            made=_made(call),
            fills=call.action != "type" or _fills(call),
        )
        if (
            call.text_appeared
            and not _PASSING.search(call.text_appeared)
            and not HIDDEN.search(call.text_appeared)
            and not self._ids.is_in(call.text_appeared)
        ):
            step.text = call.text_appeared
        self.steps.append(step)
        if call.status == "interrupted":
            self._asks = step

    def _condition(self, call: RecordedCall, tab: str, condition: Mapping[str, Any]) -> Step:
        target = self._target(call, condition) if condition.get("ref") else None
        arguments = {
            name: variables_in(one, target) for name, one in condition.items() if name != "ref"
        }
        return Step(number=call.number, action="wait", tab=tab, target=target, arguments=arguments)

    def _target(self, call: RecordedCall, arguments: Mapping[str, Any]) -> Target | None:
        ref, x, y = arguments.get("ref"), arguments.get("x"), arguments.get("y")
        named = str(ref) if ref else name_of_point(x or 0, y or 0)
        recorded = next(
            (one for one in call.locators if named in (one["named"], one.get("ref"))), None
        )
        if recorded is None and len(call.locators) == 1:
            recorded = call.locators[0]
        point = None if ref or x is None or y is None else (float(x), float(y))
        if recorded is not None:
            target = target_of(
                self._lasting(recorded), point, exactly=call.action == "drag" or point is not None
            )
            if arguments.get("has_text") or arguments.get("state") in ("enabled", "disabled"):
                target = by_place(target)
            if target.locators:
                return target
        element = call.element or {}
        if element.get("name") and element.get("ref", named) == named:
            locator = {"by": "role", "role": element["role"], "name": element["name"]}
            return Target(tag="", role=element["role"], name=element["name"], frames=(),
                          locators=(locator,), is_verified=False)  # fmt: skip
        if point is None:
            self.lost.append(f"{call.number} {call.action} {named}")
            return None
        return Target(tag="", role="", name="", frames=(), locators=(), point=point)

    def _lasting(self, element: dict[str, Any]) -> dict[str, Any]:
        """Remove created IDs from a recorded element, and locators that contain such an ID."""
        stay = [one for one in element["candidates"] if not self._ids.is_in(list(one.values()))]
        if not any(one.get("unique") for one in stay):
            return element
        texts = {name: "" for name in ("name", "text") if self._ids.is_in(element.get(name, ""))}
        return {**element, **texts, "candidates": stay}

    def _note_url(self, call: RecordedCall) -> None:
        """Record in the tab's last step that the page navigated to another URL."""
        tab = self.tabs.get(call.tab_id or "")
        if tab is None or not call.url:
            return
        before, self._urls[tab] = self._urls.get(tab), call.url
        came = self._came(call, tab) if call.url != before else ""
        last = next((one for one in reversed(self.steps) if one.tab == tab), None)
        if before is None and (last is None or last.action not in ("goto", "open_tab")):
            self._begin_at(call, tab)
            return
        if last is None or call.url == before:
            return
        if HIDDEN.search(call.url):
            return
        if last.action != "goto" or f"{last.arguments.get('url')}".rstrip("/") != call.url.rstrip(
            "/"
        ):
            last.url = came
            last.text = "" if self._ids.is_in(last.text) else last.text

    def _came(self, call: RecordedCall, tab: str) -> str:
        """Return a tab's new URL, with ``*`` for created ids."""
        since, self._noted[tab] = self._noted.get(tab, 0), call.ended or call.began
        return self._ids.came(call.url, since, self._noted[tab])

    def _begin_at(self, call: RecordedCall, tab: str) -> None:
        """Open the page that the tab showed when the recording began."""
        if tab == "page" and not call.url.startswith("about:"):
            begin = Step(number=0, action="goto", tab=tab, arguments={"url": call.url})
            self.steps.insert(0, begin)

    def answer(self, call: RecordedCall) -> None:
        others = (step for step in reversed(self.steps) if step.action not in _OWN)
        last = self._asks or next(others, self._last)
        if last is None:
            return
        self._asks = (
            last if call.status == "interrupted" else None
        )  # another dialog interrupted the answer
        text = variables_in(call.arguments.get("prompt_text"), None)
        last.answers = [*last.answers, Answer(call.arguments.get("action", "accept"), text)]
        last.text = ""  # the dialog appeared before the answer

    def upload(self, call: RecordedCall) -> None:
        """Files without an element belong to the file chooser that the previous step opened."""
        last = self._last
        if call.arguments.get("ref") or call.arguments.get("x") is not None or last is None:
            self._add_steps(call)
        else:
            last.files = [str(one) for one in call.arguments.get("filenames", ())]

    def use_mouse(self, call: RecordedCall) -> None:
        arguments = call.arguments
        if pointing.is_lost(call):
            self.lost.append(f"{call.number} mouse {arguments.get('mode')}")
            return
        self._add_steps(pointing.at_elements(call, is_held=bool(self._buttons)))
        button = str(arguments.get("button", "left"))
        if arguments.get("mode") == "down":
            self._buttons.add(button)
        elif arguments.get("mode") == "up":
            self._buttons.discard(button)

    def touch(self, call: RecordedCall) -> None:
        if pointing.is_lost(call):
            self.lost.append(f"{call.number} touch {call.arguments.get('mode')}")
        else:
            self._add_steps(pointing.in_css_pixels(call))

    def remove(self, call: RecordedCall) -> None:
        """In the step that added a route or a script, record that this call removes it."""
        named = call.arguments.get("route_id") or call.arguments.get("script_id")
        for step in self.steps:
            if step.made and step.made == named:
                step.is_removed = True

    def authenticate(self, call: RecordedCall) -> None:
        if not call.arguments.get("cancel"):
            self.credentials = (
                    variables_in(call.arguments.get("username", ""), None), Secret("HTTP_PASSWORD")
            )  # fmt: skip

    def change_tabs(self, call: RecordedCall) -> None:
        mode = call.arguments.get("mode", "list")
        if mode == "open":
            before = len(self.tabs)
            last, opens = self._last, self._last.opens if self._last is not None else ""
            tab = self.tab_of(call)
            if last is not None:
                last.opens = opens
            if len(self.tabs) > before:
                url = call.arguments.get("url", "")
                self.steps.append(
                    Step(number=call.number, action="open_tab", tab=tab, arguments={"url": url})
                )
        elif mode == "switch":
            self.tab_of(call)
        elif mode == "close":
            closed = self.tabs.get(str(call.arguments.get("tab_id") or call.tab_id))
            if closed is not None:
                self.steps.append(Step(number=call.number, action="close_tab", tab=closed))


_SPECIAL: dict[str, Callable[[_Planning, RecordedCall], None]] = {
    "dialog": _Planning.answer,
    "upload": _Planning.upload,
    "auth": _Planning.authenticate,
    "tabs": _Planning.change_tabs,
    "mouse": _Planning.use_mouse,
    "touch": _Planning.touch,
}


def _filled(call: RecordedCall, place: int, value: Any, target: Target | None) -> Any:
    """Return a form field's value after the call, if this value is a bool or a list.

    The recorded argument may differ: a checkbox also accepts the text "true", and a select accepts
    an option's form value.
    """
    fields = call.result.get("filled") if isinstance(call.result, dict) else None
    held = fields[place].get("value") if isinstance(fields, list) and place < len(fields) else None
    if isinstance(held, bool | list):
        return held
    is_checked = target is not None and target.role in _CHECKED
    if is_checked and isinstance(value, str):
        return fill.BOOLEANS.get(value.strip().lower(), value)
    return value


def _reads(call: RecordedCall) -> bool:
    if call.action == "cdp":
        return _READING_COMMAND.search(str(call.arguments.get("method", ""))) is not None
    if call.action == "evaluate":
        return only_reads(str(call.arguments.get("script", "")))
    if call.action == "page_tool":
        return not call.arguments.get("name")
    reading, mode = _MODES.get(call.action), call.arguments.get("mode")
    return (
        READS.fullmatch(call.action) is not None
        or (reading is not None and mode in (None, reading))
        or (call.action in _LISTS and mode == "list")
        or (call.action == "cookies" and mode == "save")
    )


def _made(call: RecordedCall) -> str:
    """Return the ID of the route or script that a call added."""
    is_named = call.action in _LISTS and isinstance(call.result, dict)
    return str(call.result.get("id") or "") if is_named else ""


def _is_cut(value: Any) -> bool:
    """Whether a value is text that the journal shortened."""
    return isinstance(value, str) and len(value) > CHARS and value.endswith("…")


def _fills(call: RecordedCall) -> bool:
    """Whether, according to the trace, the field had exactly the typed text afterwards."""
    value = call.result
    while isinstance(value, dict):
        value = value.get("value")
    text = call.arguments.get("text")
    return (
        value is None
        or value == text
        or HIDDEN.search(str(text)) is not None
        or set(str(value)) == {"•"}
    )


def _bare(name: str) -> str:
    return name.partition("_")[2]
