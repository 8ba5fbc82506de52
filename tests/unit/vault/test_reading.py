"""Sources of secrets: variables, files, commands, dotenv files; errors identify their key."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tabwarden.config import load_config
from tabwarden.errors import InvalidArgument
from tabwarden.vault import Contents, Vault, read_secrets

VALUE = "s3cret value"


def contents(**keys: Any) -> Contents:
    return read_secrets(load_config(None, **keys).browser)


def test_vault_reads_a_secret_from_each_kind_of_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THERE", VALUE)
    (tmp_path / "file").write_text(f"{VALUE}\r\n")
    (tmp_path / ".env").write_text(
        f"# comment\n\nexport A='{VALUE}'\nB={VALUE} # why\nC=\"{VALUE}\"\n"
    )
    sources: dict[str, dict[str, str | list[str]]] = {
        "ENV": {"env": "THERE"},
        "FILE": {"file": str(tmp_path / "file")},
        "COMMAND": {"command": f"{sys.executable} -c \"print('{VALUE}\\nuser: ann')\""},
        "VALUE": {"value": VALUE},
        "C": {"origins": ["https://shop.example"]},
    }
    read = contents(secrets=sources, secrets_file=tmp_path / ".env")
    assert {name: one.text or one.fault for name, one in read.named.items()} == dict.fromkeys(
        ("A", "B", "C", "ENV", "FILE", "COMMAND", "VALUE"), VALUE
    )
    assert read.named["C"].origins == ("https://shop.example",)
    assert VALUE not in repr(read) + repr(read.named)


@pytest.mark.parametrize(
    ("source", "fault", "key"),
    [
        ({"env": "NO_SUCH"}, "NO_SUCH is not set", ".env"),
        ({"file": "/no/such"}, "/no/such: No such file", ".file"),
        ({"command": "no-such-program x"}, "can't be run", ".command"),
        ({"command": f"{sys.executable} -c 'exit(3)'"}, "exit status 3", ".command"),
        ({"command": f"{sys.executable} -c 'print()'"}, "it is empty", ".command"),
        ({"command": "pass 'show"}, "No closing quotation", ".command"),
        ({"value": "not base32!", "totp": True}, "base32", ".value"),
        ({"value": "otpauth://hotp/x?secret=GEZDGNBV", "totp": True}, "unsupported", ".value"),
        ({}, "no env, file, command or value", ""),
    ],
)
def test_filling_an_unreadable_secret_raises_the_reading_error(
    source: dict[str, Any], fault: str, key: str
) -> None:
    vault = Vault()
    vault.hold(contents(secrets={"PW": {**source, "origins": ["https://a.example"]}}))
    with pytest.raises(InvalidArgument) as refused:
        vault.fill("{{PW}}", "https://a.example", "text")
    assert fault in refused.value.message
    assert refused.value.data["key"] == f"browser.secrets.PW{key}"
    assert str(source.get("value")) not in str(refused.value)


@pytest.mark.parametrize("line", ["A", "A B=c", "lower=x", "=x", "A-B=x"])
def test_error_about_an_invalid_dotenv_line_gives_its_number_and_not_its_text(
    tmp_path: Path, line: str
) -> None:
    (tmp_path / ".env").write_text(f"GOOD=1234\n{line}\n")
    with pytest.raises(InvalidArgument) as refused:
        contents(secrets_file=tmp_path / ".env")
    assert "Line 2" in refused.value.message
    assert line not in refused.value.message.replace("NAME=value", "")


def test_secrets_in_a_list_are_masked_and_cannot_be_filled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("THERE", VALUE)
    vault = Vault()
    vault.hold(contents(secrets=["THERE", "4111 1111"]))
    assert vault.hidden.hide(f"{VALUE}, 4111 1111") == "(secret THERE), (secret)"
