"""Device choosers: seen, answered, cancelled and reported, as Chromium tells of Web Bluetooth's.

``BluetoothEmulation`` stands in for the adapter and the devices nearby; all else is the browser's.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from jsonschema import Draft202012Validator
from support.eventually import eventually
from support.site import Site

from tabwarden.actions import ACTIONS
from tabwarden.actions.output_schema import output_schema
from tabwarden.budget import Budget
from tabwarden.endpoints.finding import choose
from tabwarden.errors import InvalidArgument
from tabwarden.events import PromptClosed, PromptOpened
from tabwarden.sync import Browser

ADA, BOB = "09:09:09:09:09:0A", "09:09:09:09:09:0B"
PAGE = """<button onclick="ask()">Ask</button><script>
async function ask() {
  const found = navigator.bluetooth.requestDevice({acceptAllDevices: true})
  document.title = await found.then(device => `got ${device.name}`, error => error.name)
}</script>"""


@pytest.fixture
def radio(folder: Path) -> Iterator[Browser]:
    """A browser with Web Bluetooth, an adapter and two nearby devices."""
    chromium = asyncio.run(choose(Budget(30_000))).path
    program = folder / "chromium"
    program.write_text(f'#!/bin/sh\nexec "{chromium}" "$@" --enable-blink-features=WebBluetooth\n')
    program.chmod(0o755)
    with Browser.launch(executable=program) as browser:
        browser.cdp("BluetoothEmulation.enable", {"state": "powered-on", "leSupported": True})
        for address, name in ((ADA, "Ada"), (BOB, "Bob")):
            about = {"address": address, "name": name, "manufacturerData": []}
            browser.cdp(
                "BluetoothEmulation.simulatePreconnectedPeripheral",
                {**about, "knownServiceUuids": []},
            )
        yield browser


def asked(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", PAGE))
    browser.click(browser.snapshot().ref("Ask"))
    eventually(lambda: browser.state.device_choosers)


def has_title(browser: Browser, title: str) -> bool:
    return browser.evaluate(f"document.title === {title!r}").value is True


def test_agent_sees_and_answers_a_device_chooser(radio: Browser, site: Site) -> None:
    with radio.events(PromptOpened, PromptClosed) as told:
        asked(radio, site)
        eventually(lambda: len(radio.state.device_choosers[0].devices) == 2)
        seen = radio.snapshot()
        assert (
            f'Device chooser dc-1 is waiting in tab t1 for a device: "{ADA}", "{BOB}"' in seen.text
        )
        assert [one["id"] for one in seen.device_choosers] == ["dc-1"]
        assert "1 device chooser waiting" in radio.state_message()
        with pytest.raises(InvalidArgument, match="does not offer 'Zed'"):
            radio.choose("Zed")
        chosen = radio.choose(BOB)
        assert chosen.value == {"id": "dc-1", "choice": BOB}
        answer = json.loads(msgspec.json.encode(chosen))
        Draft202012Validator(output_schema(ACTIONS["browser_choose"])).validate(answer)
        eventually(lambda: has_title(radio, "got Bob"))
        assert radio.state.device_choosers == ()
        assert "Device chooser" not in radio.snapshot().text
        kinds = [type(told.get(timeout_s=5)) for _ in range(2)]
        assert kinds == [PromptOpened, PromptClosed]


def test_choose_can_cancel_a_device_chooser(radio: Browser, site: Site) -> None:
    asked(radio, site)
    assert radio.choose(cancel=True).value == {"id": "dc-1", "choice": None}
    eventually(lambda: has_title(radio, "NotFoundError"))


def test_goto_closes_the_old_pages_device_chooser(radio: Browser, site: Site) -> None:
    asked(radio, site)
    assert [one.id for one in radio.state.device_choosers] == ["dc-1"]
    radio.goto(site.page("/2", "another"))
    assert radio.state.device_choosers == ()
    with pytest.raises(InvalidArgument, match="No prompt with choices"):
        radio.choose(BOB)


def test_choose_answers_a_device_chooser_in_a_cross_site_frame(radio: Browser, site: Site) -> None:
    site.page("/in", PAGE)
    radio.goto(site.page("/", f'<iframe allow=bluetooth src="{site.there}/in"></iframe>'))
    eventually(lambda: any("/in" in f.url for f in radio.state.frame_tree.children))
    radio.click(radio.snapshot().ref("Ask"))
    eventually(lambda: radio.state.device_choosers)
    frame = radio.state.frame_tree.children[0]
    assert radio.state.device_choosers[0].frame_id == frame.frame_id
    radio.choose(ADA)
    title = "document.title"
    eventually(lambda: radio.evaluate(title, frame_id=frame.frame_id).value == "got Ada")
