"""Concurrent calls on one tab do not mix, on any surface."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import permutations
from pathlib import Path

import anyio
import pytest
from browser.surfaces.cli.shell import shell
from browser.surfaces.http.client import Api, serving
from browser.surfaces.mcp.host import hosting
from support.site import Site

PAGE = "<input aria-label=F>"
WORDS = ["one-with-some-length", "TWO-WITH-SOME-LENGTH", "3333333333333333"]
ANY_ORDER = {"".join(order) for order in permutations(WORDS)}
VALUE = "document.querySelector('input').value"


@pytest.mark.anyio
async def test_concurrent_mcp_calls_on_a_tab_run_in_order(site: Site) -> None:
    answers: dict[str, str] = {}
    async with hosting() as host:
        await host.call("browser_navigate", url=site.page("/", PAGE))

        async def type_one(word: str) -> None:
            answers[word], _ = await host.call(
                "browser_type",
                ref="css=input",
                text=word,
                slowly=True,
                clear=False,
                snapshot="diff",
            )

        async with anyio.create_task_group() as group:
            for word in WORDS:
                group.start_soon(type_one, word)
        text, _ = await host.call("browser_evaluate", script=VALUE)
    so_far = [f'"{"".join(WORDS[: number + 1])}"' for number in range(len(WORDS))]
    assert so_far[-1] in text
    for word, value in zip(WORDS, so_far, strict=True):
        assert value in answers[word]  # each answer shows the page as its own call left it


def test_concurrent_control_api_requests_on_a_tab_do_not_interleave(site: Site) -> None:
    with serving() as server, Api(server.url) as api:
        api.post("/start")
        api.post("/navigate", url=site.page("/", PAGE))
        ref = api.ref('"F"')

        def type_one(word: str) -> None:
            with Api(server.url) as own:
                own.act("type", ref=ref, text=word, slowly=True)

        with ThreadPoolExecutor() as pool:
            list(pool.map(type_one, WORDS))
        assert api.value(f"() => {VALUE}") in ANY_ORDER


def test_concurrent_shell_commands_on_a_tab_do_not_interleave(site: Site, tmp_path: Path) -> None:
    with shell(tmp_path) as terminal:
        terminal.run("open", site.page("/", PAGE))
        begun = [
            terminal.begin("type", "css=input", word, "--slowly", "--no-clear") for word in WORDS
        ]
        for one in begun:
            one.communicate(timeout=60)
            assert one.returncode == 0
        value = terminal.run("eval", VALUE, "--json").out
        assert any(f'"{order}"' in value for order in ANY_ORDER)
