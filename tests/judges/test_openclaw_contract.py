"""OpenClaw's agent contract, case by case."""

from __future__ import annotations

from pathlib import Path

import pytest

from judges.judge_openclaw import APART, CASES, judge, unknown


@pytest.mark.long
def test_every_openclaw_contract_case_passes() -> None:
    failed = {name: why for name, why in judge() if why}
    assert not failed


def test_contract_check_finds_new_upstream_cases(tmp_path: Path) -> None:
    known, apart = next(iter(CASES)), next(iter(APART))
    tests = f'it("{known}", () => 1);\nit.each([\n{{a: "b"}},\n])("{apart}", async () => 1);\n'
    folder = tmp_path / "extensions" / "browser" / "src" / "browser"
    folder.mkdir(parents=True)
    (folder / "server.agent-contract.test.ts").write_text(
        tests + 'it.runIf(process.platform !== "win32")(\n  "a case nobody knows",\n async () => {'
    )
    assert unknown(tmp_path) == ["a case nobody knows"]
