"""Spool: keeps a long recording on the disk until it becomes a file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from tabwarden.endpoints import Scratch
from tabwarden.private_folder import make_private_folder
from tabwarden.recording.records import Record
from tabwarden.secret_file import open_private, write_private_file


class Spool:
    """A private folder beside the files that it becomes. Use it in one thread at a time."""

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
        """Return the pictures by name. Each is read when it is asked for."""
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
