"""Recorded conversations: calls as an agent sends them, and what it must get back.

A file has ``source`` (the documentation or schema that it follows), ``pages`` (path to HTML),
``files`` (name to text, in the upload folder) and ``turns``. A turn has ``call`` and what is
expected of the answer:

- ``error``: its code; left out: none.
- ``says``, ``hides``: what its text has, and has not.
- ``json``: its JSON, by ``matches``.
- ``keep``: name to a pattern whose group is kept, for ``{name}`` in later turns.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from support.site import Site

__all__ = ["Answered", "Conversation", "conversations"]

FOLDER = Path(__file__).parent / "conversations"
_KINDS = {"<str>": str, "<int>": int, "<number>": (int, float), "<list>": list, "<dict>": dict}
_KEPT = re.compile(r"\{(\w+)\}")


def conversations(dialect: str) -> list[Path]:
    """The recorded conversations for a dialect."""
    found = sorted((FOLDER / dialect).glob("*.json"))
    assert found
    return found


class Answered:
    """A result: the text that a model reads, its JSON if it is JSON, and the error code."""

    def __init__(self, text: str, data: dict[str, Any], error: str | None) -> None:
        self.text, self.data, self.error = text, data, error


class Conversation:
    """One recorded conversation, on pages that ``site`` serves."""

    def __init__(self, path: Path, site: Site, uploads: Path) -> None:
        self._recorded = json.loads(path.read_text("utf-8"))
        assert self._recorded["source"]
        self._kept: dict[str, str] = {"here": site.here, "there": site.there}
        for where, body in self._recorded.get("pages", {}).items():
            site.page(where, self._filled(body), title=where.strip("/").capitalize() or "Home")
        uploads.mkdir(exist_ok=True)
        for name, text in self._recorded.get("files", {}).items():
            (uploads / name).write_text(text)

    @property
    def turns(self) -> list[dict[str, Any]]:
        """The keys are used in order; ``filled`` and ``check`` each when reached."""
        turns: list[dict[str, Any]] = self._recorded["turns"]
        return turns

    def call(self, turn: dict[str, Any]) -> Any:
        """The call that the agent sends."""
        return self._filled(turn["call"])

    def check(self, turn: dict[str, Any], answered: Answered) -> None:
        """Compare a result with the expectations, and store the values to keep."""
        shown = f"{self.call(turn)}\n{answered.text}"
        assert answered.error == turn.get("error"), shown
        for words in turn.get("says", ()):
            assert self._filled(words) in answered.text, f"not said: {words!r}\n{shown}"
        for words in turn.get("hides", ()):
            assert self._filled(words) not in answered.text, f"said: {words!r}\n{shown}"
        if "json" in turn:
            wrong = list(differences(self._filled(turn["json"]), answered.data))
            assert not wrong, f"{wrong}\n{shown}"
        for name, pattern in turn.get("keep", {}).items():
            found = re.search(self._filled(pattern), _readable(answered))
            assert found, f"nothing to keep as {name}: {pattern!r}\n{shown}"
            self._kept[name] = found[1]

    def _filled(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self._filled(one) for key, one in value.items()}
        if isinstance(value, list):
            return [self._filled(one) for one in value]
        if isinstance(value, str):
            return _KEPT.sub(lambda found: self._kept.get(found[1], found[0]), value)
        return value


def differences(expected: Any, got: Any, at: str = "") -> list[str]:
    """How a value differs from what is expected.

    Objects may have more keys. ``"<int>"`` and the like are any value of a kind, ``"~text"`` is a
    string that has the text, ``"!"`` a key that must not be there; a list has the same length.
    """
    if isinstance(expected, dict):
        if not isinstance(got, dict):
            return [f"{at}: {got!r} is no object"]
        wrong = []
        for key, wanted in expected.items():
            if wanted == "!":
                wrong += [f"{at}.{key} is there"] if key in got else []
            elif key not in got:
                wrong.append(f"{at}.{key} is missing")
            else:
                wrong += differences(wanted, got[key], f"{at}.{key}")
        return wrong
    if isinstance(expected, list):
        if not isinstance(got, list | tuple) or len(got) != len(expected):
            return [f"{at}: {got!r} is not {expected!r}"]
        pairs = zip(expected, got, strict=True)
        return [w for i, (e, g) in enumerate(pairs) for w in differences(e, g, f"{at}[{i}]")]
    if isinstance(expected, str) and expected in _KINDS:
        fits = isinstance(got, _KINDS[expected]) and not isinstance(got, bool)
    elif isinstance(expected, str) and expected.startswith("~"):
        fits = isinstance(got, str) and expected[1:] in got
    else:
        fits = type(got) is type(expected) and got == expected
    return [] if fits else [f"{at}: {got!r} is not {expected!r}"]


def _readable(answered: Answered) -> str:
    """The page outline alone if the result is JSON, so that patterns need no escapes."""
    snapshot = answered.data.get("snapshot")
    if isinstance(snapshot, str):
        return snapshot
    return answered.text
