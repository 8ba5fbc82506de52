"""Options of other products: the error suggests the equivalent."""

from __future__ import annotations

import re
from typing import Any

import click
import pytest
from click.testing import CliRunner

from tabwarden.config import Config
from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.cli.group import main
from tabwarden.surfaces.command_table import table
from tabwarden.surfaces.command_table.arguments import options_of, parsed
from tabwarden.surfaces.command_table.peers import KEYS, OPTIONS, WORDS

TABLE = table()
PLAYWRIGHT_MCP = """allowed-hosts allowed-origins allow-unrestricted-file-access blocked-origins
block-service-workers browser caps cdp-endpoint cdp-header cdp-timeout codegen config console-level
device mobile executable-path extension endpoint file-paths grant-permissions headless host
idle-timeout ignore-https-errors init-page init-script isolated image-responses no-sandbox no-webmcp
output-dir output-max-size port profile-dir-name proxy-bypass proxy-server sandbox save-session
save-trace save-video secrets shared-browser-context snapshot-boxes snapshot-mode storage-state
test-id-attribute timeout-action timeout-navigation timeout-settle user-agent user-data-dir
viewport-size vision"""
AGENT_BROWSER = """profile session-name state auto-connect session executable-path extension
init-script enable args user-agent proxy proxy-bypass ignore-https-errors allow-file-access provider
device json screenshot-dir screenshot-quality screenshot-format headed cdp color-scheme
download-path content-boundaries max-output allowed-domains action-policy confirm-actions
confirm-interactive engine no-auto-dialog debug config"""
CHROME_DEVTOOLS = """categoryInput no-category-network autoConnect browserUrl wsEndpoint wsHeaders
headless executablePath isolated userDataDir channel proxyServer chromeArg ignoreDefaultChromeArg
viewport acceptInsecureCerts blockedUrlPattern allowedUrlPattern screenshotFormat screenshotQuality
screenshotMaxWidth logFile experimentalVision experimentalStructuredContent performanceCrux
no-performance-crux usageStatistics no-usage-statistics javascriptEvaluation
no-javascript-evaluation fileNavigations slim redactNetworkHeaders allowUnrestrictedPaths
filesystemRoot workspace config"""


def options_of_command(name: str) -> set[str]:
    if name in TABLE["commands"]:
        options = options_of(TABLE["commands"][name])
        return {flag for option in options for flag in option["flags"]}
    command = main.get_command(click.Context(main), name)
    assert command is not None, name
    return {flag for one in command.params for flag in (*one.opts, *one.secondary_opts)}


def told(*words: str) -> str:
    done = CliRunner().invoke(main, words, prog_name="tabwarden")
    assert done.exit_code == 2, done.output
    return done.stderr


@pytest.mark.parametrize(
    ("command", "flags"),
    [("mcp", PLAYWRIGHT_MCP), ("mcp", CHROME_DEVTOOLS), ("open", AGENT_BROWSER)],
    ids=["playwright-mcp", "chrome-devtools-mcp", "agent-browser"],
)
def test_every_option_of_other_products_is_supported_or_gets_a_hint(
    command: str, flags: str
) -> None:
    ours = options_of_command(command)
    for flag in (f"--{name}" for name in flags.split()):
        if flag in ours:
            continue
        kebab = re.sub("(?<=[a-z])(?=[A-Z])", "-", flag).lower()
        if command == "mcp":
            said = told("mcp", flag)
        else:
            with pytest.raises(InvalidArgument) as wrong:
                parsed(command, TABLE["commands"][command], [flag])
            said = str(wrong.value)
        words = [f"--{one.rpartition('--')[2]}" for one in OPTIONS.values()]
        named = any(one in said for one in [*words, *WORDS.values(), *KEYS.values()])
        assert named or kebab in said or "--tools" in said, said
        assert "Did you mean" not in said


def test_hints_for_other_products_options_suggest_only_existing_options() -> None:
    for ours in OPTIONS.values():
        command, _, option = ours.rpartition("--")
        flag = f"--{option.partition(' ')[0]}"
        assert flag in options_of_command(command.strip() or "open"), ours
        assert command or flag in options_of_command("mcp"), ours
    for key in KEYS.values():
        at: Any = Config
        for name in key.split("."):
            at = at.model_fields[name].annotation if hasattr(at, "model_fields") else at
        assert at is not None, key


@pytest.mark.parametrize(
    ("command", "word", "hint"),
    [
        ("mcp", "--proxy-server", "Use --proxy."),
        ("mcp", "--caps", "Use --tools vision."),
        ("mcp", "--viewport-size", "Use --viewport."),
        ("serve", "--allowed-hosts", "TABWARDEN_SERVER__ALLOWED_HOSTS"),
        ("serve", "--caps", "Use it with another command: tabwarden mcp --tools"),
        ("mcp", "--blockedUrlPattern", "browser.blocked_origins"),
        ("status", "--proxy", "Use --proxy with tabwarden open, mcp or serve."),
    ],
)
def test_management_commands_suggest_the_matching_option(
    command: str, word: str, hint: str
) -> None:
    assert hint in told(command, word)


@pytest.mark.parametrize(
    ("command", "word", "hint"),
    [
        ("goto", "--proxy-server", "Use --proxy with tabwarden open, mcp or serve."),
        ("goto", "--viewport", "Use --viewport with tabwarden open, mcp or serve."),
        ("snapshot", "-i", "Use --filter interactive."),
        ("open", "--storage-state", "use --restore NAME"),
        ("open", "--output-dir", "Use it with another command: tabwarden mcp --output-dir."),
        ("click", "--ful", "lists all options"),
    ],
)
def test_action_commands_suggest_the_matching_option(command: str, word: str, hint: str) -> None:
    with pytest.raises(InvalidArgument) as wrong:
        parsed(command, TABLE["commands"][command], [word, "x"])
    assert hint in str(wrong.value)
    assert wrong.value.data["field"] == word
