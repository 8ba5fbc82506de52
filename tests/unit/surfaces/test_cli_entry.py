"""The program's first moments: what ends it there ends it quietly."""

from __future__ import annotations

import pytest

from tabwarden.surfaces.cli import entry, options


def test_a_cancel_before_the_command_has_begun_is_quiet(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def cancelled() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(options, "table", cancelled)
    monkeypatch.setattr("sys.argv", ["tabwarden", "open"])
    with pytest.raises(SystemExit) as ended:
        entry.main()
    assert ended.value.code == 130
    assert capsys.readouterr() == ("", "")
