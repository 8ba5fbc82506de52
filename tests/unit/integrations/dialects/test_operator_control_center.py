"""The operator dialect's ``control_center``: an agent's own settings."""

from __future__ import annotations

from typing import Any

import pytest

from tabwarden.actions import Answer, Session, session_of
from tabwarden.config import BrowserConfig, Config
from tabwarden.integrations.operator_use.dialect.control_center import SETTABLE
from tabwarden.toolsets import toolset_of

pytestmark = pytest.mark.anyio
OPERATOR = toolset_of("operator")
CONFIG = BrowserConfig()
KEYS = [
    f"{section}.{key}"
    for section, field in Config.model_fields.items()
    for key in type(field.default).model_fields
]


async def ask(session: Session, config: BrowserConfig = CONFIG, **given: Any) -> Answer:
    return await OPERATOR.prepare(config, "control_center", given).run(session)


async def error(session: Session, **given: Any) -> dict[str, Any]:
    answer = await ask(session, **given)
    assert answer.is_error, answer.text
    found: dict[str, Any] = answer.data["error"]
    return found


def names(config: BrowserConfig, session: Session) -> list[str]:
    return [tool.name for tool in OPERATOR.tools(config, session)]


@pytest.mark.parametrize(
    ("config", "shown"),
    [
        (CONFIG, ["browser", "control_center"]),
        (BrowserConfig(browser_use_enabled=True), ["browser", "control_center"]),
        (BrowserConfig(browser_use_enabled=False), ["control_center"]),
        (BrowserConfig(enabled=False, browser_use_enabled=True), []),
    ],
)
def test_browser_use_enabled_setting_shows_or_hides_the_browser_tool(
    config: BrowserConfig, shown: list[str]
) -> None:
    assert names(config, session_of(config)) == shown


async def test_disabled_browser_tool_rejects_calls_until_the_agent_enables_it() -> None:
    config = BrowserConfig(browser_use_enabled=False)
    session = session_of(config, auto_open=False)
    call = {"action": "back"}
    hidden = await OPERATOR.prepare(config, "browser", call).run(session)
    assert hidden.data["error"]["code"] == "disabled"
    await ask(session, config, action="set", key="browser_use_enabled", value="true")
    assert names(config, session) == ["browser", "control_center"]
    shown = await OPERATOR.prepare(config, "browser", call).run(session)
    assert shown.data["error"]["code"] == "not_open"
    assert names(config, session_of(config)) == ["control_center"], "another session is as before"


async def test_agents_setting_survives_a_configuration_file_change() -> None:
    session = session_of(CONFIG)
    answer = await ask(session, action="set", key="browser.hang_patience", value=3)
    assert answer.data["settings"] == {"hang_patience": 3}
    assert "file is unchanged" in answer.text
    session.configure(BrowserConfig(hang_patience=2, allow_file_urls=True))
    assert session.obeyed is not None
    assert (session.obeyed.hang_patience, session.obeyed.allow_file_urls) == (3, True)


async def test_control_center_without_arguments_lists_the_agents_settings() -> None:
    answer = await ask(session_of(CONFIG), BrowserConfig(default_timeout_ms=1234))
    assert answer.data["settings"] == {
        "browser_use_enabled": True,
        "default_timeout_ms": 1234,
        "hang_patience": 1,
    }


@pytest.mark.parametrize("key", sorted(set(KEYS) - {f"browser.{key}" for key in SETTABLE}))
@pytest.mark.parametrize("action", ["set", "get"])
async def test_control_center_denies_every_other_key(key: str, action: str) -> None:
    session = session_of(CONFIG)
    for written in (key, f"{key}.below", key.removeprefix("browser.")):
        found = await error(session, action=action, key=written, value=True)
        assert found["code"] == "denied"
        assert key in found["message"]
        assert f"`tabwarden config set {key} VALUE`" in found["hint"]
    assert session.adjusted(CONFIG) is CONFIG


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"key": "hang_patience"}, "value"),
        ({"value": True}, "key"),
        ({"key": "hang_patience", "value": 21}, "value"),
        ({"key": "default_timeout_ms", "value": True}, "value"),
        ({"key": "default_timeout_ms", "value": 86_400_001}, "value"),
        ({"key": "browser_use_enabled", "value": 7}, "value"),
        ({"key": "hang_patients", "value": 2}, "key"),
        ({"key": "", "value": 2}, "key"),
        ({"key": "browser.", "value": 2}, "key"),
        ({"kye": "hang_patience", "value": 2}, "kye"),
    ],
)
async def test_control_center_error_identifies_the_invalid_field(
    given: dict[str, Any], field: str
) -> None:
    session = session_of(CONFIG)
    found = await error(session, action="set", **given)
    assert (found["code"], found["data"]["field"]) == ("invalid_argument", field)
    assert session.adjusted(CONFIG) is CONFIG


async def test_control_center_is_disabled_when_the_browser_is_disabled() -> None:
    answer = await ask(session_of(CONFIG), BrowserConfig(enabled=False))
    assert answer.data["error"]["code"] == "disabled"
