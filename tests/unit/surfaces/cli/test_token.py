"""``tabwarden token``: a token is printed once, and a server then accepts it."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from starlette.datastructures import Headers

from tabwarden.surfaces.cli import main
from tabwarden.surfaces.guard.token_file import read_tokens
from tabwarden.surfaces.guard.tokens import Grant, Tokens


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The token file of a configuration file."""
    path = tmp_path / "tokens.json"
    config = tmp_path / "config.yaml"
    config.write_text(f"server: {{tokens_file: {path}}}")
    monkeypatch.setenv("TABWARDEN_CONFIG", str(config))
    return path


def run(*arguments: str, status: int = 0) -> Result:
    result = CliRunner().invoke(main, ["token", *arguments])
    assert result.exit_code == status, result.output
    return result


def granted(file: Path, secret: str) -> Grant | None:
    return Tokens("own", file).grant(Headers({"Authorization": f"Bearer {secret}"}))


def test_created_token_authenticates_its_tenant(file: Path) -> None:
    options = "--tenant acme --allow read --allow live --max-tasks 3 --expires 2".split()
    secret = run("create", "ci", *options).stdout.strip()
    grant = granted(file, secret)
    assert grant is not None
    principal = grant.principal
    assert (principal.name, principal.tenant, principal.max_tasks) == ("ci", "acme", 3)
    assert principal.permissions == {"read", "live"}
    expires = read_tokens(file).named("ci").expires
    assert expires is not None
    assert timedelta(days=1.9) < expires - datetime.now(UTC) < timedelta(days=2)


def test_token_create_prints_the_token_once_and_alone(file: Path) -> None:
    told = run("create", "ci")
    secret = told.stdout.strip()
    assert len(told.stdout.splitlines()) == 1
    assert "not shown again" in told.stderr
    for listed in (run("list"), run("list", "--json")):
        assert "ci" in listed.output
        assert secret not in listed.output
        assert read_tokens(file).named("ci").sha256 not in listed.output
    assert json.loads(run("create", "bot", "--json").stdout)["token"].startswith("tabwarden_")


def test_token_list_shows_each_tokens_permissions(file: Path) -> None:
    assert str(file) in run("list").output
    assert json.loads(run("list", "--json").output) == []
    run("create", "ci", "--max-tasks", "2")
    (one,) = json.loads(run("list", "--json").output)
    assert (one["name"], one["tenant"], one["max_tasks"]) == ("ci", "ci", 2)
    assert one["allow"] == ["read", "act", "files", "scripts"]
    assert one["expires"] is None


def test_token_rotate_and_revoke_invalidate_old_secrets(file: Path) -> None:
    first = run("create", "ci").stdout.strip()
    second = run("rotate", "ci", "--keep-old", "1").stdout.strip()
    assert granted(file, first) is not None
    assert granted(file, second) is not None
    third = run("rotate", "ci").stdout.strip()
    assert [granted(file, one) for one in (first, second)] == [None, None]
    assert granted(file, third) is not None
    assert json.loads(run("revoke", "ci", "--json").output) == {"revoked": "ci"}
    assert granted(file, third) is None


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (["create", "CI"], "name"),
        (["create", "ci", "--tenant", "a/b"], "tenant"),
        (["create", "ci", "--allow", "everything"], "allow"),
        (["create", "ci", "--max-tasks", "0"], "max_tasks"),
        (["create", "ci", "--expires", "0"], "expires"),
        (["rotate", "ci"], "name"),
        (["rotate", "ci", "--keep-old", "-1"], "keep_old"),
        (["revoke", "ci"], "name"),
    ],
)
def test_token_commands_identify_an_invalid_field_and_write_nothing(
    arguments: list[str], field: str, file: Path
) -> None:
    result = CliRunner().invoke(main, ["token", *arguments, "--json"])
    assert result.exit_code != 0
    assert json.loads(result.stdout)["error"]["data"]["field"] == field
    assert read_tokens(file).tokens == ()
