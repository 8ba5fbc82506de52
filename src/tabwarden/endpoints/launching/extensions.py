"""Load unpacked extensions into a browser that has just started.

Chrome 137 and later ignore ``--load-extension``. We therefore load them with a CDP command, which
works only over a pipe.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from tabwarden.errors import InvalidArgument, LaunchFailed
from tabwarden.files.plain_file import read_plain_text
from tabwarden.protocol import encode_params
from tabwarden.protocol.extensions import LoadUnpacked
from tabwarden.wire import Connection, Wire

FLAG = "--enable-unsafe-extension-debugging"
"""Allows ``Extensions.loadUnpacked``. Raw CDP from callers may not use that domain."""


def check_extension(folder: Path) -> None:
    """Raise ``InvalidArgument`` if a folder is not an unpacked extension."""
    try:
        manifest = json.loads(read_plain_text(folder / "manifest.json"))
    except OSError as error:
        raise _no_extension(folder, f"its manifest.json can't be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise _no_extension(folder, "its manifest.json is not JSON") from None
    if not isinstance(manifest, dict) or "manifest_version" not in manifest:
        raise _no_extension(folder, "its manifest.json has no manifest_version")


async def load_extensions(wire: Wire, folders: Iterable[Path]) -> None:
    """Load unpacked extensions. The wire can be started again afterwards.

    Raises:
        LaunchFailed: the browser rejects an extension.
    """
    connection = Connection(wire, lambda event: None, lambda reason: None)
    connection.start()
    for folder in folders:
        command = LoadUnpacked(path=str(folder))
        reply = await connection.call(command.METHOD, encode_params(command))
        if reply.result is None:
            raise LaunchFailed(
                f"The browser did not load the extension {folder}: {reply.lost or reply.error}.",
                "Check the extension's manifest, or set `executable` to another browser.",
                field="extensions",
            )


def _no_extension(folder: Path, why: str) -> InvalidArgument:
    return InvalidArgument(
        f"The folder {folder} is not an unpacked extension: {why}.",
        "Specify the folder that contains manifest.json.",
        field="extensions",
    )
