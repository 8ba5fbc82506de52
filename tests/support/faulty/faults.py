"""What a relay can do to a message. Each fault says which it is about; none does any I/O."""

from __future__ import annotations

import fnmatch
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from support.faulty.message import Kind, Message

__all__ = [
    "Answer",
    "Cut",
    "Delay",
    "Drop",
    "Duplicate",
    "Fault",
    "Garble",
    "Overtake",
    "Passing",
    "Refuse",
    "refuse_domain",
]

How = Literal["truncated", "no json", "no utf-8", "another shape"]


@dataclass(frozen=True)
class Passing:
    """What of a message goes on, and how."""

    text: bytes
    back: bool = False
    """To the client, in the browser's stead."""
    after_s: float = 0.0
    """Its session's later messages wait behind it, those of others don't."""
    overtaken: bool = False
    """It waits until a reply of another session has gone ahead, for some time at most."""
    cut_at: int | None = None
    """The connection ends with so many bytes of its frame, modulo its length, on the wire."""


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One thing that goes wrong, with messages of one kind whose method matches."""

    method: str = "*"
    """A pattern: ``Page.*``."""
    kind: Kind = "reply"
    times: int = 1
    """With the first so many of them."""
    session_id: str | None = None
    """Of this session only."""

    def concerns(self, message: Message) -> bool:
        """Whether it can befall this message."""
        return (
            message.kind == self.kind
            and self.session_id in (None, message.session_id)
            and fnmatch.fnmatchcase(message.method, self.method)
        )

    def befall(self, message: Message) -> list[Passing]:
        """What becomes of the message."""
        raise NotImplementedError


class Drop(Fault):
    """It never arrives: a command that the browser never sees, a reply that nobody gets."""

    def befall(self, message: Message) -> list[Passing]:
        return []


class Duplicate(Fault):
    """It comes twice."""

    def befall(self, message: Message) -> list[Passing]:
        return [Passing(message.text), Passing(message.text)]


class Overtake(Fault):
    """A reply is overtaken by one of another session."""

    def befall(self, message: Message) -> list[Passing]:
        return [Passing(message.text, overtaken=True)]


@dataclass(frozen=True, kw_only=True)
class Delay(Fault):
    """It comes late, and its session's later messages after it."""

    seconds: float

    def befall(self, message: Message) -> list[Passing]:
        return [Passing(message.text, after_s=self.seconds)]


@dataclass(frozen=True, kw_only=True)
class Cut(Fault):
    """The connection breaks in the middle of it."""

    at_byte: int

    def befall(self, message: Message) -> list[Passing]:
        return [Passing(message.text, cut_at=self.at_byte)]


@dataclass(frozen=True, kw_only=True)
class Garble(Fault):
    """It arrives, but not as it was sent."""

    how: How = "truncated"

    def befall(self, message: Message) -> list[Passing]:
        return [Passing(_GARBLED[self.how](message.text))]


_GARBLED: dict[How, Callable[[bytes], bytes]] = {
    "truncated": lambda text: text[: len(text) * 2 // 3],
    "no json": lambda text: text.replace(b":", b"="),
    "no utf-8": lambda text: text[:-1] + b',"x":"\xff\xfe"}',
    "another shape": lambda text: b"[" + text + b"]",
}


@dataclass(frozen=True, kw_only=True)
class Answer(Fault):
    """A command is answered by the relay, and never reaches the browser."""

    kind: Kind = "command"
    result: str = "{}"

    def befall(self, message: Message) -> list[Passing]:
        return [_reply(message, '"result":' + self.result)]


@dataclass(frozen=True, kw_only=True)
class Refuse(Fault):
    """A command is answered with an error, and never reaches the browser."""

    kind: Kind = "command"
    words: str = "Something went wrong"
    code: int = -32000

    def befall(self, message: Message) -> list[Passing]:
        words = self.words.replace("$method", message.method)
        return [_reply(message, f'"error":{json.dumps({"code": self.code, "message": words})}')]


def refuse_domain(domain: str) -> Refuse:
    """Every command of a domain is unknown, as with browsers that lack it."""
    words = "'$method' wasn't found"
    return Refuse(method=f"{domain}.*", times=1_000_000, words=words, code=-32601)


def _reply(message: Message, content: str) -> Passing:
    session = f',"sessionId":"{message.session_id}"' if message.session_id else ""
    return Passing(f'{{"id":{message.id},{content}{session}}}'.encode(), back=True)
