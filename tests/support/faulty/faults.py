"""The faults that a relay can inject. Each states its messages; none does any I/O."""

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
    """The forwarded parts of a message, and how they are forwarded."""

    text: bytes
    back: bool = False
    """A reply to the client in place of the browser's."""
    after_s: float = 0.0
    """Later messages of its session wait behind it; other sessions' messages do not."""
    overtaken: bool = False
    """It waits, for a limited time, until a reply of another session overtakes it."""
    cut_at: int | None = None
    """The connection ends after this many bytes of its frame, modulo its length."""


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One fault, for messages of one kind whose method matches."""

    method: str = "*"
    """A pattern: ``Page.*``."""
    kind: Kind = "reply"
    times: int = 1
    """The number of messages to affect."""
    session_id: str | None = None
    """Only messages of this session."""

    def concerns(self, message: Message) -> bool:
        """Whether the fault applies to this message."""
        return (
            message.kind == self.kind
            and self.session_id in (None, message.session_id)
            and fnmatch.fnmatchcase(message.method, self.method)
        )

    def befall(self, message: Message) -> list[Passing]:
        """The delivery of the message."""
        raise NotImplementedError


class Drop(Fault):
    """The message never arrives: a lost command or a lost reply."""

    def befall(self, message: Message) -> list[Passing]:
        return []


class Duplicate(Fault):
    """The message is delivered twice."""

    def befall(self, message: Message) -> list[Passing]:
        return [Passing(message.text), Passing(message.text)]


class Overtake(Fault):
    """A reply is overtaken by a reply of another session."""

    def befall(self, message: Message) -> list[Passing]:
        return [Passing(message.text, overtaken=True)]


@dataclass(frozen=True, kw_only=True)
class Delay(Fault):
    """The message is delayed, and so are its session's later messages."""

    seconds: float

    def befall(self, message: Message) -> list[Passing]:
        return [Passing(message.text, after_s=self.seconds)]


@dataclass(frozen=True, kw_only=True)
class Cut(Fault):
    """The connection breaks in the middle of the message."""

    at_byte: int

    def befall(self, message: Message) -> list[Passing]:
        return [Passing(message.text, cut_at=self.at_byte)]


@dataclass(frozen=True, kw_only=True)
class Garble(Fault):
    """The message arrives modified."""

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
    """The relay answers a command, which never reaches the browser."""

    kind: Kind = "command"
    result: str = "{}"

    def befall(self, message: Message) -> list[Passing]:
        return [_reply(message, '"result":' + self.result)]


@dataclass(frozen=True, kw_only=True)
class Refuse(Fault):
    """The relay answers a command with an error; it never reaches the browser."""

    kind: Kind = "command"
    words: str = "Something went wrong"
    code: int = -32000

    def befall(self, message: Message) -> list[Passing]:
        words = self.words.replace("$method", message.method)
        return [_reply(message, f'"error":{json.dumps({"code": self.code, "message": words})}')]


def refuse_domain(domain: str) -> Refuse:
    """Every command of a domain is unknown, as in browsers that lack the domain."""
    words = "'$method' wasn't found"
    return Refuse(method=f"{domain}.*", times=1_000_000, words=words, code=-32601)


def _reply(message: Message, content: str) -> Passing:
    session = f',"sessionId":"{message.session_id}"' if message.session_id else ""
    return Passing(f'{{"id":{message.id},{content}{session}}}'.encode(), back=True)
