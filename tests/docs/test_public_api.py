"""The type-checked example program also runs."""

from __future__ import annotations

import asyncio

from docs import public_api


def test_program_that_uses_the_whole_public_api_runs() -> None:
    told = asyncio.run(public_api.main())
    assert told["answered"] == "Sure? agent"
    assert told["used"] == "3 True True t1"
    assert told["failed"] == ["js_error 1", "js_error 1", "unknown_ref", "headless"]
    assert told["sync"] == ("42 Shop", 1)
    assert "Shop" in str(told["tools"])
