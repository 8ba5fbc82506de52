"""What the session of ``Tools`` obeys when the configuration changes."""

from __future__ import annotations

import json
from pathlib import Path

from tabwarden.config import load_config
from tabwarden.live_config import LiveConfig
from tabwarden.tools.sync import Tools


def test_a_changed_configuration_keeps_the_dialects_defaults(tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    file.write_text("{}")
    config = LiveConfig(lambda: load_config(file), file)
    with Tools(config, toolset="operator") as tools:
        file.write_text(json.dumps({"browser": {"hang_patience": 3}}))
        assert tools.definitions("openai")
        now = tools._session.obeyed
        assert now is not None
        assert (now.hang_patience, now.dialog_policy) == (3, "auto_accept")
