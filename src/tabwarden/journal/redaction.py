"""Decide which arguments and results of calls are secret.

Typed text is shown only if the page has reported that its field is not secret. Everything else is
shown, except known secrets (``Secrets``) and the cases below.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from tabwarden.journal.brief import brief
from tabwarden.journal.secrets import SECRET, Secrets
from tabwarden.telemetry.redaction import logs_in, url_without_secrets, without_credentials

if TYPE_CHECKING:
    from tabwarden.journal.entry import Entry

_QUOTED = re.compile(
    r"""\"(?:\\.|[^\"\\])*+(?:\"|\\?\Z)|'(?:\\.|[^'\\])*+(?:'|\\?\Z)|`(?:\\.|[^`\\])*+(?:`|\\?\Z)""",
    re.DOTALL,
)
"""A string without a closing quote extends to the end of the text. Otherwise, each quotation mark
would cause another search.
"""
_READS_SECRETS = re.compile(
    r"cookie|localStorage|sessionStorage|authorization|passw|secret|token|indexedDB", re.IGNORECASE
)
_NO_WORD = 8
"""The minimum length of the value of a cookie or storage item that is masked in all texts."""
_OPEN_DOMAINS = ("Page", "DOM", "CSS", "Emulation", "Browser", "Target", "Accessibility")
"""CDP domains whose parameters and results contain no secrets."""


def redacted_arguments(entry: Entry) -> dict[str, Any]:
    """Return a call's arguments as JSON types, without secrets."""
    arguments = {
        name: brief(value) for name, value in entry.arguments.items() if name != "timeout_ms"
    }
    rule = _ARGUMENTS.get(entry.action)
    if rule is not None:
        rule(entry, arguments)
    if isinstance(arguments.get("url"), str):
        arguments["url"] = url_without_secrets(arguments["url"])
    plain: dict[str, Any] = hidden(
        entry, msgspec.to_builtins(arguments, str_keys=True, enc_hook=str)
    )
    return plain


def redacted_result(entry: Entry) -> Any:
    """Return a call's result as JSON types, without secrets; None if there is no result."""
    value = value_of(entry.result)
    rule = _RESULTS.get(entry.action)
    if rule is not None:
        value = rule(entry, value)
    return hidden(entry, msgspec.to_builtins(brief(value), str_keys=True, enc_hook=str))


def hidden(entry: Entry, value: Any) -> Any:
    return hidden_with(entry.secrets, value)


def hidden_with(secrets: Secrets, value: Any) -> Any:
    """Mask credentials and known secrets in a JSON-like value."""
    return secrets.hide(_without_credentials(value))


def secrets_in(entry: Entry) -> Iterator[Any]:
    """Yield the secrets in a call's arguments and result, so that these secrets can be masked in
    other texts.
    """
    arguments = entry.arguments
    yield from entry.typed_secrets
    if entry.action in ("auth", "scrape"):
        yield arguments.get("password")
    if entry.action in ("cookies", "storage"):
        yield from _long((arguments.get("value"), *_values(value_of(entry.result))))
    if entry.action in ("storage_state", "load_storage_state"):
        yield from _long((*_values(entry.result), *_values(arguments.get("state"))))
    if entry.action in ("emulate", "route") and isinstance(arguments.get("headers"), Mapping):
        yield from _secret_headers(entry).values()


def value_of(result: Any) -> Any:
    """Return the main part of a method's result."""
    made: Any = result
    if isinstance(result, msgspec.Struct):
        if hasattr(result, "text") and hasattr(result, "refs"):
            return {"text": made.text}
        if hasattr(result, "data") and hasattr(result, "width"):
            return {"format": made.format, "width": made.width, "height": made.height}
        return getattr(result, "value", None)
    return result


def _long(values: Iterable[Any]) -> Iterator[str]:
    """Yield the values that are too long to be common words, such as ``true`` or ``dark``."""
    return (one for one in values if isinstance(one, str) and len(one) >= _NO_WORD)


def _values(value: Any) -> Iterator[Any]:
    """Yield each ``value`` in a list of cookies or storage items, or in a storage state."""
    if isinstance(value, Mapping):
        for name, one in value.items():
            if name == "value":
                yield one
            else:
                yield from _values(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _values(one)


def _hide(*names: str) -> Callable[[Entry, dict[str, Any]], None]:
    def rule(_: Entry, arguments: dict[str, Any]) -> None:
        arguments.update({name: SECRET for name in names if arguments.get(name)})

    return rule


def _typed(entry: Entry, arguments: dict[str, Any]) -> None:
    arguments["text"] = _if_plain(entry, arguments.get("text"))


def _pressed(entry: Entry, arguments: dict[str, Any]) -> None:
    key = arguments.get("key")
    if isinstance(key, str) and (len(key) == 1 or " " in key or key in entry.typed_secrets):
        arguments["key"] = _if_plain(entry, key)


def _filled(entry: Entry, arguments: dict[str, Any]) -> None:
    fields = arguments.get("fields")
    if isinstance(fields, Sequence) and not isinstance(fields, str):
        arguments["fields"] = [
            {**one, "value": _if_plain(entry, one.get("value"))}
            if isinstance(one, Mapping)
            else "…"
            for one in fields
        ]


def _if_plain(entry: Entry, value: Any) -> Any:
    if isinstance(value, bool) or value is None:
        return value
    texts = [str(one) for one in value] if isinstance(value, list | tuple) else [typed_form(value)]
    is_plain = entry.typed_plain.issuperset(texts) and entry.typed_secrets.isdisjoint(texts)
    return value if is_plain else SECRET


def typed_form(value: Any) -> str:
    """Return a value as the text that is typed for it."""
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def _script(_: Entry, arguments: dict[str, Any]) -> None:
    if _reads_secrets(arguments):
        arguments["script"] = _QUOTED.sub(f'"{SECRET}"', str(arguments.get("script", "")))
        if arguments.get("args"):
            arguments["args"] = SECRET


def _reads_secrets(arguments: Mapping[str, Any]) -> bool:
    return _READS_SECRETS.search(str(arguments.get("script", ""))) is not None


def _script_result(entry: Entry, value: Any) -> Any:
    return SECRET if value is not None and _reads_secrets(entry.arguments) else value


def _cdp(entry: Entry, arguments: dict[str, Any]) -> None:
    if not _is_open(entry) and arguments.get("params"):
        arguments["params"] = SECRET


def _is_open(entry: Entry) -> bool:
    return str(entry.arguments.get("method", "")).partition(".")[0] in _OPEN_DOMAINS


def _state(_: Entry, arguments: dict[str, Any]) -> None:
    if not isinstance(arguments.get("state"), str):
        arguments["state"] = SECRET


def _headers(entry: Entry, arguments: dict[str, Any]) -> None:
    if isinstance(arguments.get("headers"), Mapping):
        arguments["headers"] = {
            **arguments["headers"],
            **dict.fromkeys(_secret_headers(entry), SECRET),
        }


def _secret_headers(entry: Entry) -> dict[str, Any]:
    """Return the authentication headers of a response. For requests, return all headers that a
    route sets, because a site can use any header name for a secret. A header that a route removes
    has no value.
    """
    arguments = entry.arguments
    is_answer = any(arguments.get(name) is not None for name in _ANSWERS)
    return {
        name: value
        for name, value in arguments["headers"].items()
        if value is not None and (not is_answer or logs_in(str(name)))
    }


_ANSWERS = ("status", "body", "path", "content_type")
"""The arguments for a route that responds to a request itself."""


def _data(_: Entry, arguments: dict[str, Any]) -> None:
    if isinstance(arguments.get("data"), Mapping):
        arguments["data"] = dict.fromkeys(arguments["data"], SECRET)


def _proxy(_: Entry, arguments: dict[str, Any]) -> None:
    proxy = arguments.get("proxy")
    if isinstance(proxy, Mapping):
        arguments["proxy"] = {n: SECRET if n == "password" else v for n, v in proxy.items()}


def _steps(_: Entry, arguments: dict[str, Any]) -> None:
    """Replace a batch's steps with their names, because each step has its own entry."""
    steps = arguments.get("steps")
    if isinstance(steps, list | tuple):
        arguments["steps"] = [
            str(one.get("tool") or one.get("action")) if isinstance(one, Mapping) else "…"
            for one in steps
        ]


_ARGUMENTS: dict[str, Callable[[Entry, dict[str, Any]], None]] = {
    "auth": _hide("password"),
    "batch": _steps,
    "cdp": _cdp,
    "clipboard": _hide("text"),
    "cookies": _hide("value", "text"),
    "drop": _data,
    "emulate": _headers,
    "evaluate": _script,
    "fill_form": _filled,
    "load_storage_state": _state,
    "open": _proxy,
    "press": _pressed,
    "route": _headers,
    "scrape": _hide("password"),
    "storage": _hide("value"),
    "type": _typed,
}


def _no_value(_: Entry, value: Any) -> Any:
    return None if value is None else SECRET


def _without_values(_: Entry, value: Any) -> Any:
    """Mask each ``value`` in a list of cookies or storage items."""
    if isinstance(value, Mapping):
        return {
            name: SECRET if name == "value" and one else _without_values(_, one)
            for name, one in value.items()
        }
    if isinstance(value, list | tuple):
        return [_without_values(_, one) for one in value]
    return value


def _without_body(_: Entry, value: Any) -> Any:
    if isinstance(value, Mapping) and "body" in value:
        return {name: one for name, one in value.items() if name != "body"}
    return value


_RESULTS: dict[str, Callable[[Entry, Any], Any]] = {
    "batch": lambda _entry, _value: None,
    "cdp": lambda entry, value: value if _is_open(entry) else _no_value(entry, value),
    "clipboard": _no_value,
    "cookies": _without_values,
    "evaluate": _script_result,
    "load_storage_state": lambda _entry, _value: None,
    "network": _without_body,
    "storage": _without_values,
    "storage_state": _no_value,
}


def _without_credentials(value: Any) -> Any:
    if isinstance(value, str):
        return without_credentials(value)
    if isinstance(value, Mapping):
        return {name: _without_credentials(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_without_credentials(one) for one in value]
    return value
