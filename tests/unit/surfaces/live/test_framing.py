"""Binary messages: a JSON header, then bytes."""

from __future__ import annotations

import pytest

from tabwarden.surfaces.live.framing import packed, unpacked


def test_a_message_comes_back_as_it_was() -> None:
    assert unpacked(packed({"task": "ü"}, b"\0\xff")) == ({"task": "ü"}, b"\0\xff")


@pytest.mark.parametrize(
    "message",
    [b"", b"\0\0\0\0", b"\xff\xff\xff\xff{}", b"\0\0\0\2[]", b"\0\0\0\2{", b"\0\0\0\2\xff\xff"],
)
def test_other_bytes_are_refused(message: bytes) -> None:
    with pytest.raises(ValueError, match=r"header|Expecting|decode"):
        unpacked(message)
