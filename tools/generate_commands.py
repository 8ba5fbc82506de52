"""Generate ``surfaces/command_table/commands.json`` from the registry of actions.

The client must start in milliseconds, so it can't import the registry and its dependencies.
``--check`` fails if the file is stale.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from generated import write_or_check

from tabwarden.actions import ACTIONS, Action
from tabwarden.surfaces.command_table.options import COMMON, LAUNCH, OPENING, OPENS
from tabwarden.surfaces.command_table.types import Command, CommandOption

ROOT = Path(__file__).parent.parent
FILE = ROOT / "src/tabwarden/surfaces/command_table/commands.json"

ALIASES = {
    "eval": "script", "fill-form": "fill", "navigate": "goto", "press": "key", "select": "menu",
    "tabs": "tab",
}  # fmt: skip
"""Other names for commands, which agents also use."""

PLACES: dict[str, dict[str, list[str]]] = {
    "connect": {"": ["url"]},
    "batch": {"": ["steps"]},
    "dialog": {"": ["action", "prompt_text"]},
    "scroll": {"": ["direction", "amount"]},
    "drag": {"": ["from_ref", "to_ref"]},
    "menu": {"": ["ref", "labels"]},
    "find": {"": ["text"]},
    "screenshot": {"": ["file"]},
    "script": {"": ["script"]},
    "cdp": {"": ["method", "params"]},
    "open": {"": ["url"]},
    "download": {"": ["url", "filename"]},
    "pdf": {"": ["filename"]},
    "trace": {"": ["filename"]},
    "emulate": {"": ["device"]},
    "choose": {"": ["choice"]},
    "route": {
        "": ["url"],
        "add": ["mode", "url"],
        "list": ["mode"],
        "remove": ["mode", "route_id"],
    },
    "permission": {"": ["name", "setting"]},
    "tab": {
        "": ["mode"],
        "open": ["mode", "url"],
        "close": ["mode", "tab_id"],
        "switch": ["mode", "tab_id"],
    },
    "clipboard": {"": ["mode", "text"]},
    "coverage": {"": ["mode"]},
    "init-script": {"": ["mode"], "add": ["mode", "script"], "remove": ["mode", "script_id"]},
    "mouse": {
        "": ["mode", "x", "y"],
        "drag": ["mode", "x", "y", "to_x", "to_y"],
        "wheel": ["mode"],
    },
    "page-tool": {"": ["name", "arguments"]},
    "performance": {"": ["mode"]},
    "storage": {"": ["mode", "key", "value"]},
    "cookies": {
        "": ["mode", "name", "value"],
        "load": ["mode", "filename"],
        "save": ["mode", "filename"],
    },
}
"""Parameters that may be passed by position, in this order; the key may include the first
parameter. By default: the ref, then the required parameters."""

OUTPUT: CommandOption = {
    "name": "file",
    "kind": "text",
    "flags": ["--file"],
    "help": "Where the picture goes, - for stdout; else a new screenshot-N file in this folder. "
    "Its ending sets the format, unless --format does.",
}
BESIDE_TEXT: dict[frozenset[Any], CommandOption] = {
    frozenset({"boolean", "string"}): {"bare": True},  # type: ignore[typeddict-item]
    frozenset({"object", "string"}): {"words": True},  # type: ignore[typeddict-item]
}
"""Additional help for options with text or other values."""
STARTS = {"browser_open", "browser_connect", "browser_batch"}
"""Commands that start a daemon, in addition to those that open a browser."""
PICTURES = {"browser_screenshot"}
LINES: CommandOption = {
    "name": "steps",
    "kind": "texts",
    "flags": ["--steps", "--step"],
    "help": "Commands, each in quotation marks: 'click e3' 'key Enter'. By default, each line of "
    'stdin is one. Or JSON: a list of {"tool": "click", "ref": "e3"}.',
    "lines": True,
}
"""The steps of a batch. Each step is a command."""
FIELDS: CommandOption = {
    "name": "fields",
    "kind": "fields",
    "flags": ["--fields", "--field"],
    "help": "REF=VALUE or LABEL=VALUE: e3=Ann 'Zip code=8010' News=true. To choose several options "
    'of one field, repeat it. Or JSON: a list of {"ref": "e3", "value": "Ann"}.',
    "required": True,
    "stdin": True,
}
"""The fields of a form. Each field is an argument."""
SHOWS: CommandOption = {
    "name": "snapshot",
    "kind": "choice",
    "flags": ["--snapshot"],
    "help": "Show the page's changes afterwards (diff), or its whole outline (full).",
    "choices": ["none", "diff", "full"],
    "default": "diff; with --json: none",
}
READS = {
    "browser_upload": "filenames", "browser_drop": "filenames", "browser_route": "path",
    "browser_init_script": "path",
}  # fmt: skip
"""Parameters for the caller's files."""
READ_HELP = "Paths of your files. A plain name can also refer to a file in the upload folder."
WRITES: dict[str, Literal["document", "download"]] = {
    "browser_pdf": "document", "browser_download": "download", "browser_wait": "download",
}  # fmt: skip
"""Actions whose ``filename`` is not the name of a result file."""
WRITTEN_HELP = "A relative path is relative to the current directory."
STATES = {"browser_cookies", "browser_storage_state"}
STATE_HELP = (
    "Path of your file to load or save. A file to load can also be a name in the state folder."
)
BOTH = {"trace"}
"""Commands of which only one subcommand is an action."""
OWN = {"steps": LINES, "fields": FIELDS, "snapshot": SHOWS}
"""Parameters whose options differ from their schemas."""
LAUNCHED = {option["name"] for option in [*LAUNCH, *OPENING]}
"""The daemon's options. `open` passes them to the daemon, so that they also apply to its next
browser."""
STDIN = {"script", "password"}
"""Parameters whose text can be read from stdin (-), if it is long or must not be in the process
list."""


def command_of(action: Action) -> Command:
    """Return an action as a command."""
    schema = action.schema()
    required = schema.get("required", [])
    options = [
        OWN.get(name) or option_of(name, field, required=name in required)
        for name, field in schema["properties"].items()
        if action.tool != OPENS or name not in LAUNCHED
    ]
    options = [_with_paths(action.tool, option) for option in options]
    if action.tool in PICTURES:
        options.insert(0, OUTPUT)
    places = PLACES.get(action.command) or {"": _usual(schema["properties"], required)}
    known = {option["name"] for option in options}
    if not all(known.issuperset(names) for names in places.values()):
        raise SystemExit(f"{action.command}: PLACES names an unknown parameter")
    taken = {flag for option in [*COMMON, *LAUNCH] for flag in option["flags"]}
    if any(taken.intersection(option["flags"]) for option in options):
        raise SystemExit(
            f"{action.command}: one of its options has the name of an option of all commands"
        )
    return {
        "tool": action.tool,
        "help": action.description,
        "places": places,
        "starts": action.opens or action.tool in STARTS,
        "options": options,
    }


def _with_paths(tool: str, option: CommandOption) -> CommandOption:
    """Return the option for a path of the caller's; None if the parameter is not such a path."""
    if option["name"] == READS.get(tool):
        last = option["help"].partition(". ")[2]
        words = f"{READ_HELP} {last}".strip()
        return {**option, "help": words, "reads": True}
    if option["name"] != "filename" or tool == "browser_trace":  # which finds its files by name
        return option
    if tool in STATES:
        return {**option, "help": STATE_HELP, "reads": True, "writes": "state"}
    written: CommandOption = {**option, "help": f"{option['help']} {WRITTEN_HELP}"}
    return {**written, "flags": [*option["flags"], "--to"], "writes": WRITES.get(tool, "result")}


def option_of(name: str, field: Mapping[str, Any], *, required: bool) -> CommandOption:
    """Return a parameter as an option, from its JSON Schema."""
    wide = [one for one in field.get("anyOf", [field]) if one.get("type") != "null"]
    nullable = len(wide) < len(field.get("anyOf", [field]))
    narrow = wide[0] if len(wide) == 1 else {}
    kind = _kind(narrow, is_off=field.get("default") is False and not nullable)
    if {one.get("type") for one in wide} == {"boolean", "string"}:
        kind = "text"
    plain = f"--{name.replace('_', '-')}"
    flags = [plain]
    if kind in ("texts", "values") and plain.endswith("s"):
        flags.append(plain[:-1])
    if kind == "switch":
        flags.append(f"--no-{plain[2:]}")
    made: CommandOption = {"name": name, "kind": kind, "flags": flags, "help": field["description"]}
    if required:
        made["required"] = True
    if "enum" in narrow:
        made["choices"] = narrow["enum"]
    # pydantic writes a bound so, or, behind a validator of ours, by its own name.
    bounds = {
        "least": ("minimum", "ge"),
        "above": ("exclusiveMinimum", "gt"),
        "most": ("maximum", "le"),
    }
    for bound, words in bounds.items():
        for word in words:
            if word in narrow:
                made[bound] = narrow[word]  # type: ignore[literal-required]
    types = {one.get("type") for one in wide}
    made |= BESIDE_TEXT.get(frozenset(types), {})
    if name in STDIN or kind == "json":
        made["stdin"] = True
    if field.get("default") not in (None, False, "", []):
        made["default"] = str(field["default"])
    return made


def _kind(schema: Mapping[str, Any], *, is_off: bool) -> Any:
    match schema.get("type"):
        case "boolean":
            return "flag" if is_off else "switch"
        case "integer" | "number" as number:
            return number
        case "string":
            return "choice" if "enum" in schema else "text"
        case "array" if schema["items"].get("type") == "string":
            return "texts"
        case "array" if not schema["items"]:
            return "values"
        case _:
            return "json"


def _usual(properties: Mapping[str, Any], required: list[str]) -> list[str]:
    first = ["ref"] if "ref" in properties and "ref" not in required else []
    return [*first, *required]


def text() -> str:
    """The file's."""
    commands = {action.command: command_of(action) for action in ACTIONS.values()}
    made = {"aliases": ALIASES, "commands": commands}
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    digest = hashlib.sha256(json.dumps(made).encode()).hexdigest()[:8]
    words = sorted({*commands, *ALIASES} - BOTH)
    first = {"build": f"{version}+{digest}", "words": " ".join(words)}
    return json.dumps({**first, **made}, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    write_or_check(FILE, text())
