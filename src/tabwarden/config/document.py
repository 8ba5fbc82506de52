"""Parse a configuration file, record each key's line number, and report errors clearly."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from platformdirs import user_config_path

from tabwarden.errors import InvalidArgument
from tabwarden.files.plain_file import read_plain_file

_MAX_BYTES = 1_000_000
_ALSO: dict[tuple[str, ...], str] = {("browser", "evaluateEnabled"): "evaluate_enabled"}
"""Maps OpenClaw's key names to Tabwarden's."""
_EXAMPLE = "Write YAML with sections and keys, such as 'browser: {headless: true}'."


class Document(NamedTuple):
    """The content of a configuration file."""

    path: Path
    text: str
    values: dict[str, Any]

    def line_of(self, keys: Sequence[str]) -> int | None:
        """Return the line number of the value at ``keys``, or of its nearest parent that exists."""
        from ruamel.yaml import YAML, nodes

        line, node = None, YAML(typ="safe", pure=True).compose(self.text)
        for depth, key in enumerate(keys):
            if not isinstance(node, nodes.MappingNode):
                return line
            pairs = [p for p in node.value if _ours(*keys[:depth], p[0].value) == key]
            if not pairs:
                return line
            line, node = pairs[-1][0].start_mark.line + 1, pairs[-1][1]
        return line

    def where(self, keys: Sequence[str]) -> str:
        """Return the file and the line of the value at ``keys``, for messages."""
        line = self.line_of(keys)
        return f"{self.path}, line {line}" if line else str(self.path)


def config_file(path: Path | str | None = None) -> Path:
    """Return the configuration file's path; the file may not exist."""
    named = path or os.environ.get("TABWARDEN_CONFIG")
    return Path(named).expanduser() if named else user_config_path("tabwarden") / "config.yaml"


def read_document(path: Path | str | None) -> Document | None:
    """Read the named file or, by default, the default file; return None if the default file is
    missing.

    Raises:
        InvalidArgument: the file is missing although it was named, can't be read, or isn't a YAML
            mapping.
    """
    file, named = config_file(path), path or os.environ.get("TABWARDEN_CONFIG")
    text = read_text(file)
    if text is not None:
        return parse_document(text, file)
    if not named:
        return None
    raise InvalidArgument(
        f"The configuration file {str(named)!r} does not exist.",
        "Check --config and TABWARDEN_CONFIG.",
        field="config",
    )


def read_text(file: Path) -> str | None:
    """Return a file's text; None if the file doesn't exist.

    Raises:
        InvalidArgument: the file can't be read, or is not UTF-8.
    """
    try:
        content = read_plain_file(file, _MAX_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        mend = "Specify another file."
        if isinstance(error, PermissionError):
            mend = f"Make it readable for this user (`chmod u+r {file}`), or use another file."
        raise _unreadable(file, error.strerror or type(error).__name__, mend) from None
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise _unreadable(file, "it is UTF-16", "Save it as UTF-8.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise _unreadable(file, f"line {line} is not UTF-8", "Save it as UTF-8.") from None


def parse_document(text: str, path: Path) -> Document:
    """Parse ``text``, the content of ``path``.

    A section without content becomes an empty mapping.

    Raises:
        InvalidArgument: the text isn't a YAML mapping. The error quotes no values.
    """
    try:
        values = parse_yaml(text)
    except ValueError as error:
        hint = (
            "Replace the tab with spaces: YAML does not allow tabs as indentation."
            if "\\t" in str(error)
            else _EXAMPLE
        )
        raise InvalidArgument(
            f"{path} is not a YAML mapping: {error}.", hint, field="config"
        ) from None
    if values is None:
        return Document(path, text, {})
    if not isinstance(values, dict) or not all(isinstance(key, str) for key in values):
        raise InvalidArgument(
            f"{path} is not a YAML mapping whose keys are names.", _EXAMPLE, field="config"
        )
    return Document(path, text, {key: _section(key, v) for key, v in values.items()})


def _section(name: str, values: Any) -> Any:
    if not isinstance(values, dict):
        return {} if values is None else values
    named: dict[Any, Any] = {}
    for key, value in values.items():
        ours = _ours(name, key)
        if ours in named:
            raise InvalidArgument(
                f"{name}.{key} and {name}.{ours} are two names for the same key.",
                f"Keep only {name}.{ours}.",
                field=f"{name}.{ours}",
            )
        named[ours] = value
    return named


def _ours(*keys: Any) -> Any:
    """Return Tabwarden's name for the last key in ``keys``."""
    return _ALSO.get(keys, keys[-1]) if isinstance(keys[-1], str) else keys[-1]


def parse_yaml(text: str) -> Any:
    """Parse YAML 1.2.

    Raises:
        ValueError: ``text`` is not YAML. The message describes the error and its position, but
            never quotes ``text``, which may contain secrets.
    """
    from ruamel.yaml import YAML
    from ruamel.yaml.constructor import ConstructorError, DuplicateKeyError
    from ruamel.yaml.error import MarkedYAMLError

    try:
        return YAML(typ="safe", pure=True).load(text)
    except DuplicateKeyError as error:
        raise ValueError(f"a key is repeated{_at(error.problem_mark)}") from None
    except MarkedYAMLError as error:
        words = "; ".join(filter(None, (error.context, error.problem)))
        # The parser doesn't escape the values that it quotes, so quotation marks may be unbalanced.
        message = _unended(words) if isinstance(error, ConstructorError) else _unquoted(words)
        raise ValueError(message + _at(error.problem_mark)) from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except Exception as error:  # noqa: BLE001 - constructors raise any error, with the values in it
        raise ValueError(f"it can't be read ({type(error).__name__})") from None


def _at(mark: Any) -> str:
    return f" (line {mark.line + 1}, column {mark.column + 1})" if mark is not None else ""


_QUOTED = re.compile(r"(['\"])((?:\\.|(?!\1)[^\\])*+)(\1?)", re.DOTALL)


def _unquoted(words: str) -> str:
    """Remove quoted text from the parser's message, except single characters and the parser's own
    terms.
    """

    def shown(match: re.Match[str]) -> str:
        inner = match[2]
        harmless = len(inner) <= len("\\t") or re.fullmatch(r"<[a-z ]+>", inner)
        return match[0] if harmless else "…"

    # any quotation mark may be the end of a value
    if not all(part[3] for part in _QUOTED.finditer(words)):
        return _unended(words)
    return _QUOTED.sub(shown, words)


def _unended(words: str) -> str:
    """Cut the message at the first quotation mark."""
    before, *quoted = re.split("['\"]", words, maxsplit=1)
    return f"{before}…" if quoted else before


def _unreadable(file: Path, why: str, mend: str) -> InvalidArgument:
    return InvalidArgument(
        f"The configuration file {file} can't be read: {why}.", mend, field="config"
    )
