"""A recorder's data, in memory and, for long recordings, on disk."""

from __future__ import annotations

import hashlib
import json
import threading
from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from tabwarden.endpoints.profiles import Scratch
from tabwarden.files.private_folder import make_private_folder
from tabwarden.files.secret_file import open_private, write_private_file
from tabwarden.journal import Entry, Secrets
from tabwarden.recording.pictures import Screenshot
from tabwarden.recording.records import (
    Record,
    call_record,
    console_record,
    notice_record,
    request_record,
)
from tabwarden.recording.settings import Settings
from tabwarden.supervisor.core.state.network_log import Messages, NetworkRequest
from tabwarden.supervisor.core.state.notices import Notice
from tabwarden.supervisor.core.state.state import ConsoleMessage, SupervisorState


class Spool:
    """A private folder for data, next to the final files. Only one thread at a time may use it."""

    def __init__(self, beside: Path) -> None:
        make_private_folder(beside)
        self._scratch = Scratch.create("recording-", beside)
        self._folder = self._scratch.folder
        self._records = self._folder / "records.jsonl"
        self._records.touch(mode=0o600)

    def add(self, records: list[Record], images: Mapping[str, bytes]) -> None:
        for name, data in images.items():
            path = self._folder / Path(name).name
            if not path.exists():
                write_private_file(path, data)
        with open_private(self._records, "ab") as file:
            file.writelines(json.dumps(one).encode() + b"\n" for one in records)

    def read(self) -> list[Record]:
        with self._records.open(encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def images(self) -> Mapping[str, bytes]:
        """Return the images, keyed by name. Each image is read only when it is accessed."""
        return _Images(self._folder)

    def remove(self) -> None:
        self._scratch.remove()


class _Images(Mapping[str, bytes]):
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._names = [f"resources/{one.name}" for one in sorted(folder.glob("*.jpeg"))]

    def __getitem__(self, name: str) -> bytes:
        if name not in self._names:
            raise KeyError(name)
        return (self._folder / Path(name).name).read_bytes()

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


T = TypeVar("T")


class _Kept(NamedTuple, Generic[T]):
    at: float
    size: int
    value: T


class Ring(Generic[T]):
    """Stores the latest values. Thread-safe.

    Args:
        seconds: maximum age of a value.
        most_bytes: maximum total size of the values.
    """

    def __init__(self, seconds: float, most_bytes: int) -> None:
        self.seconds, self.most_bytes = seconds, most_bytes
        self.size = 0
        """The total size of the values in bytes."""
        self._kept: deque[_Kept[T]] = deque()
        self._lock = threading.Lock()

    def add(self, value: T, at: float, size: int) -> None:
        """Store a value with a size of ``size`` bytes, and drop the oldest values beyond the
        limits."""
        with self._lock:
            self._kept.append(_Kept(at, size, value))
            self.size += size
            while self._kept and (
                self.size > self.most_bytes or self._kept[0].at < at - self.seconds
            ):
                self.size -= self._kept.popleft().size

    def values(self) -> list[T]:
        """Return the values, oldest first."""
        with self._lock:
            return [one.value for one in self._kept]

    def drain(self) -> list[T]:
        """Return the values, oldest first, and remove them."""
        with self._lock:
            kept, self._kept = self._kept, deque()
            self.size = 0
            return [one.value for one in kept]


_LONG_S = 1e9
_NOTICE_BYTES = 500
_ENTRY_BYTES = 2_000
_SAME_BYTES = 200
_PICTURES_SHARE = 0.7


class Heard(NamedTuple):
    at: float
    notice: Notice


class Log:
    """A recorder's data. Any thread may add data, but only one thread at a time may use ``flush``
    and ``records``."""

    def __init__(self, settings: Settings, secrets: Secrets) -> None:
        self._secrets = secrets
        self.is_recording = settings.is_recording
        seconds = _LONG_S if self.is_recording else settings.seconds
        most = settings.most_bytes
        pictures = round(most * _PICTURES_SHARE)
        self._calls: Ring[Entry] = Ring(seconds, (most - pictures) // 2)
        self._notices: Ring[Heard] = Ring(seconds, (most - pictures) // 2)
        self._pictures: Ring[Screenshot] = Ring(seconds, pictures)
        self._seen = Seen()
        self._spool: Spool | None = None
        self._beside = _beside(settings)
        self._reading = threading.Lock()

    @property
    def size(self) -> int:
        """The estimated size in memory in bytes."""
        return self._calls.size + self._notices.size + self._pictures.size

    def call(self, entry: Entry) -> None:
        text = getattr(entry.result, "text", "") or getattr(entry.result, "value", "")
        size = _ENTRY_BYTES + (len(text) if isinstance(text, str) else 5_000)
        self._calls.add(entry, entry.ended or entry.began, size)

    def notice(self, notice: Notice, at: float) -> None:
        self._notices.add(Heard(at, notice), at, _NOTICE_BYTES)

    def picture(self, picture: Screenshot) -> None:
        size = _SAME_BYTES if picture.is_same else len(picture.data)
        self._pictures.add(picture, picture.at, size)

    def flush(self, state: SupervisorState) -> None:
        """Move the recorded data to disk if this is a long recording."""
        if not self.is_recording:
            return
        with self._reading:
            self._flush(state)

    def _flush(self, state: SupervisorState) -> None:
        if self._spool is None:
            self._spool = Spool(self._beside)
        calls = [call_record(entry) for entry in self._calls.drain()]
        notices = [
            notice_record(one.notice, one.at, self._secrets) for one in self._notices.drain()
        ]
        pictures, images = _pictures(self._pictures.drain())
        self._spool.add(
            [*calls, *notices, *self._seen.new(state, self._secrets), *pictures], images
        )

    def records(
        self, state: SupervisorState, running: list[Entry]
    ) -> tuple[list[Record], Mapping[str, bytes]]:
        """Return all records without secrets, and the images, keyed by name."""
        with self._reading:
            going_on = [call_record(entry) for entry in running]
            if self.is_recording:
                self._flush(state)
                assert self._spool is not None
                rest = self._seen.pending(state, self._secrets)
                # Tabwarden may have learned that a text is a secret only after writing the text.
                records: list[Record] = self._secrets.hide([*self._spool.read(), *going_on, *rest])
                return records, self._spool.images()
            calls = [call_record(entry) for entry in self._calls.values()]
            heard = self._notices.values()
            notices = [notice_record(one.notice, one.at, self._secrets) for one in heard]
            pictures, images = _pictures(self._pictures.values())
            seen = Seen()
            logs = [*seen.new(state, self._secrets), *seen.pending(state, self._secrets)]
            return [*calls, *going_on, *notices, *logs, *pictures], images

    def remove(self) -> None:
        """Delete the data on the disk."""
        if self._spool is not None:
            self._spool.remove()


class Seen:
    """Returns each console message and request in the supervisor's state only once."""

    def __init__(self) -> None:
        self._console = 0
        self._requests: set[int] = set()

    def new(self, state: SupervisorState, secrets: Secrets) -> list[Record]:
        """Return new console messages, and the requests that have ended since the last call."""
        both: dict[int, ConsoleMessage] = {
            one.number: one for one in (*state.console_errors, *state.console)
        }
        fresh = [one for number, one in sorted(both.items()) if number > self._console]
        self._console = max(both, default=self._console)
        requests = list(_requests(state))
        ended = [one for one in requests if one[1].ended and one[1].number not in self._requests]
        kept = {one.number for _, one, _ in requests}
        self._requests = (self._requests & kept) | {one.number for _, one, _ in ended}
        return [
            *(console_record(one, secrets) for one in fresh),
            *(request_record(one, tab_id, secrets, messages) for tab_id, one, messages in ended),
        ]

    def pending(self, state: SupervisorState, secrets: Secrets) -> list[Record]:
        """Return the requests that have not ended yet."""
        return [
            request_record(one, tab_id, secrets, messages)
            for tab_id, one, messages in _requests(state)
            if not one.ended
        ]


def _requests(state: SupervisorState) -> Iterator[tuple[str, NetworkRequest, Messages | None]]:
    for tab_id, known in state.network.items():
        for key, request in known.requests.items():
            yield tab_id, request, known.messages.get(key)


def _pictures(taken: list[Screenshot]) -> tuple[list[Record], dict[str, bytes]]:
    records: list[Record] = []
    images: dict[str, bytes] = {}
    for picture in taken:
        name = hashlib.sha1(picture.data, usedforsecurity=False).hexdigest()
        file = f"resources/{name}.jpeg"
        images[file] = picture.data
        records.append(
            {
                "type": "picture",
                "at": picture.at,
                "tab_id": picture.tab_id,
                "file": file,
                "width": picture.width,
                "height": picture.height,
                "scale": picture.scale,
            }
        )
    return records, images


def _beside(settings: Settings) -> Path:
    if settings.record is not None:
        return settings.record
    file = settings.har or settings.video
    return file.parent if file is not None else settings.folder
