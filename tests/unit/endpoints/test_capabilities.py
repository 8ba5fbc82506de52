"""The name of an endpoint's browser determines its capabilities."""

from __future__ import annotations

import pytest
from support.requested import Requested

from tabwarden.endpoints.attaching.attach import _Version
from tabwarden.endpoints.capabilities import Capabilities, capabilities_in
from tabwarden.supervisor.core.state.policy import BridgeMode

_QT = "Mozilla/5.0 (X11) AppleWebKit/537.36 QtWebEngine/6.140.0 Chrome/140.0.0.0 Safari/537.36"
_ELECTRON = "Mozilla/5.0 AppleWebKit/537.36 App/1.0 Chrome/138.0.0.0 Electron/37.2.0 Safari/537.36"


@pytest.mark.parametrize(
    ("product", "agent", "name"),
    [
        ("app.py/", _QT, "QtWebEngine/140.0.0.0"),
        ("Chrome/138.0.7204.97", _ELECTRON, "Chrome/138.0.7204.97"),
        ("HeadlessChrome/153.0.8010.0", "", "HeadlessChrome/153.0.8010.0"),
    ],
)
def test_browser_is_named_after_its_engine(product: str, agent: str, name: str) -> None:
    assert _Version(product=product, user_agent=agent).name == name


def test_an_application_with_qtwebengine_can_do_less_than_chrome() -> None:
    declared = Capabilities()
    assert capabilities_in(declared, "Chrome/153.0.8010.0") == declared
    limited = capabilities_in(declared, "QtWebEngine/140.0.0.0")
    assert not limited.native_dialogs
    assert "QtWebEngine" in limited.note


@pytest.mark.parametrize(
    ("mode", "native_dialogs", "expected"),
    [
        (BridgeMode.AUTO, False, BridgeMode.DEBUGGER),
        (BridgeMode.AUTO, True, BridgeMode.AUTO),
        (BridgeMode.XHR, False, BridgeMode.XHR),
    ],
)
def test_dialogs_wait_in_the_debugger_where_native_dialogs_block_the_browser(
    mode: BridgeMode, native_dialogs: bool, expected: BridgeMode
) -> None:
    policy = Requested.open(mode=mode).state.policy
    limited = policy.with_limits(native_dialogs=native_dialogs, windows=True)
    assert limited.bridge is not None
    assert limited.bridge.mode is expected
