"""The words of a query such as "the delete button in Anna's row", and where a text has them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from itertools import pairwise

_MOST_CHARS = 400
_MOST_WORDS = 24
_PREFIX = 4
"""The minimum length of a word that may be the beginning of another word."""
# Chinese and Japanese have no spaces, so each character is a word.
_SIGN = "\u3040-\u30ff\u3400-\u9fff"
_WORD = re.compile(f"[{_SIGN}]|[^\\W_{_SIGN}]+")

_STOP_WORDS = frozenset((
    "a", "an", "the", "and", "or", "of", "for", "in", "on", "at", "to", "from", "with",
    "by", "is", "are", "be", "it", "its", "this", "that", "these", "those", "my", "your",
    "his", "her", "their", "our", "me", "i", "you", "we", "which", "where", "who", "what",
    "when", "there", "here", "s", "please", "find", "get", "click", "press", "open", "go",
    "choose", "pick", "labeled", "labelled", "named", "called", "saying", "says", "showing",
    "element", "elements", "control", "page", "site", "row", "rows", "item", "items",
    "card", "section", "area", "part", "form", "list", "table", "column",
))  # fmt: skip
"""Words that describe the task or the page's structure and not an element."""
_BEFORE_A_PLACE = frozenset(("of", "for", "in", "from", "by", "with", "to", "on", "at"))
_VERBS = frozenset((
    "add", "apply", "archive", "buy", "cancel", "collapse", "copy", "delete", "dismiss",
    "download", "edit", "expand", "follow", "hide", "like", "mark", "pay", "pin", "play",
    "rate", "remove", "rename", "reply", "report", "save", "send", "share", "star",
    "submit", "subscribe", "upload", "view", "vote",
))  # fmt: skip
"""Words for what a control does. The words around them may say where the control is."""

FIELDS = frozenset(("textbox", "searchbox", "combobox", "spinbutton"))
_ROLES_OF: dict[str, frozenset[str]] = {
    **dict.fromkeys(("field", "input", "textbox", "textarea", "box", "bar", "entry"), FIELDS),
    "button": frozenset(("button",)),
    "link": frozenset(("link",)),
    **dict.fromkeys(
        ("dropdown", "combobox", "selector", "picker"), frozenset(("combobox", "listbox"))
    ),
    "checkbox": frozenset(("checkbox", "menuitemcheckbox", "switch")),
    **dict.fromkeys(("switch", "toggle"), frozenset(("switch", "checkbox"))),
    "radio": frozenset(("radio", "menuitemradio")),
    "option": frozenset(("option", "radio", "menuitemradio", "combobox", "listbox")),
    "tab": frozenset(("tab",)),
    "menu": frozenset(("menuitem", "menu", "button", "combobox")),
    "slider": frozenset(("slider",)),
    **dict.fromkeys(("image", "picture", "photo", "icon", "logo"), frozenset(("img",))),
    **dict.fromkeys(("dialog", "popup", "modal"), frozenset(("dialog", "alertdialog"))),
    **dict.fromkeys(("frame", "iframe"), frozenset(("iframe",))),
    "video": frozenset(("video",)),
    "heading": frozenset(("heading",)),
    **dict.fromkeys(("text", "select"), frozenset()),  # any kind of field, or an action
}
"""Words that name a role. An element may also have such a word in its name."""
_PAIRS = {
    ("check", "box"): "checkbox", ("drop", "down"): "dropdown", ("pop", "up"): "popup",
    ("radio", "button"): "radio", ("toggle", "button"): "toggle", ("text", "area"): "textarea",
}  # fmt: skip

_ALIKE = {
    "login": re.compile(r"\b(?:log|sign)[ -]?in\b"),
    "logout": re.compile(r"\b(?:log|sign)[ -]?(?:out|off)\b"),
    "signup": re.compile(r"\b(?:sign[ -]?up|register|create (?:an )?account)\b"),
    "email": re.compile(r"\be-?mail\b"),
    "username": re.compile(r"\buser[ -]?(?:name|id)\b"),
    "cart": re.compile(r"\b(?:cart|basket)\b"),
    "checkout": re.compile(r"\bcheck[ -]?out\b"),
    "phone": re.compile(r"\b(?:tele)?phone\b"),
    "birthday": re.compile(r"\b(?:birthday|birth ?date|date of birth)\b"),
    "submit": re.compile(r"\b(?:submit|send)\b"),
    "surname": re.compile(r"\b(?:surname|last name|family name)\b"),
    "zip": re.compile(r"\b(?:zip|postal|post)[ -]?code\b"),
}
"""Different spellings of a word, and words for the same control."""


def plain(text: str) -> str:
    """Return text in lower case and without accents."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join([sign for sign in decomposed if not unicodedata.combining(sign)])


def stem(word: str) -> str:
    """Return the beginning that the forms of an English word share: ``delet`` for ``deleting``."""
    if len(word) <= 3:
        return word
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    if word.endswith("ing") and len(word) > 5:
        word = word[:-3]
    elif word.endswith("ed") and len(word) > 4:
        word = word[:-2]
    if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "ls":
        word = word[:-1]
    if len(word) > 3 and word[-1] == "e":
        return word[:-1]
    return word[:-1] if len(word) > 4 and word[-1] == "y" else word


class QueryWords:
    """The words of a query, each with a bit, and the roles that the query names.

    Attributes:
        needed: the bits of the words that describe an element.
        head: those of the words that say what the element is, not where it is; 0 if unknown.
        count: the number of bits. The bits of words that name a role follow ``needed``.
        roles: the roles that the query names.
    """

    def __init__(self, query: str) -> None:
        text = plain(query[:_MOST_CHARS])
        self._alike = [(word, form) for word, form in _ALIKE.items() if form.search(text)]
        found = _WORD.findall(self._alike_in(text))[:_MOST_WORDS]
        words = _paired(found)
        self._stems = frozenset(map(stem, found))
        named = [word for word in words if _role_word(word)]
        self.roles = frozenset().union(*(_ROLES_OF[_role_word(word)] for word in named))
        content = [word for word in words if word not in _STOP_WORDS and not _role_word(word)]
        if not content and not named:
            content = words  # such as "to"
        self.bits: dict[str, int] = {}
        for word in content:
            self.bits.setdefault(stem(word), 1 << len(self.bits))
        self.needed = (1 << len(self.bits)) - 1
        for word in named:
            self.bits.setdefault(stem(word), 1 << len(self.bits))
        self.count = len(self.bits)
        self.head = self._head(words)
        for one, other in pairwise(content):  # "user name" means "username"
            both = self.bits[stem(one)] | self.bits[stem(other)]
            if one.isascii() and other.isascii():
                self.bits.setdefault(stem(one + other), both)
        self._form = _form_of(self.bits)

    def _head(self, words: list[str]) -> int:
        verbs = [word for word in words if word in _VERBS]
        split = next((at for at, word in enumerate(words) if word in _BEFORE_A_PLACE), 0)
        head, rest = words[:split], words[split:]
        if not verbs and not any(self.bits.get(stem(word), 0) & self.needed for word in rest):
            return 0
        bits = 0
        for word in verbs or head:
            bits |= self.bits.get(stem(word), 0) & self.needed
        return bits

    def _alike_in(self, text: str) -> str:
        for word, form in self._alike:
            text = form.sub(word, text)
        return text

    def in_text(self, text: str) -> tuple[int, int]:
        """Return the bits of the words in a text, and of the words that only begin a word of it."""
        if self._form is None:
            return 0, 0
        whole = begun = 0
        for match in self._form.finditer(self._alike_in(plain(text))):
            bits = self.bits.get(stem(match[0]))
            if bits is not None:
                whole |= bits
            elif len(match[1] or "") >= _PREFIX:
                begun |= self.bits[match[1]]
        return whole, begun

    def contains(self, text: str) -> bool:
        """Whether the query has all words of a text."""
        return self._stems.issuperset(map(stem, _WORD.findall(self._alike_in(plain(text)))))


def _role_word(word: str) -> str:
    """Return the word in ``_ROLES_OF`` that this word is; "" if it names no role."""
    if word in _ROLES_OF:
        return word
    for end in ("es", "s"):
        if word.endswith(end) and word.removesuffix(end) in _ROLES_OF:
            return word.removesuffix(end)
    return ""


def _paired(words: list[str]) -> list[str]:
    """Join pairs of words that name one role, such as "radio button"."""
    joined: list[str] = []
    for word in words:
        pair = (
            _PAIRS.get((joined[-1], word.removesuffix("es").removesuffix("s"))) if joined else None
        )
        if pair is not None:
            joined[-1] = pair
        else:
            joined.append(word)
    return joined


def _form_of(stems: Mapping[str, int]) -> re.Pattern[str] | None:
    """Return the pattern of words that begin with one of these stems."""
    if not stems:
        return None
    longest_first = "|".join(sorted(map(re.escape, stems), key=len, reverse=True))
    return re.compile(f"(?<![^\\W_{_SIGN}])({longest_first})[^\\W_{_SIGN}]*")
