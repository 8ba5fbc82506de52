"""Parse a command line into an action's arguments, using the command table.

This module does not use the library Click, because importing Click takes longer than a mouse click
in the browser. Click is used only for help and completion.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import sys

from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.command_table.options import COMMON, LAUNCH, OPENING, OPENS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tabwarden.surfaces.command_table.types import Command, CommandOption


class NoStdin(InvalidArgument):
    """This process has no standard input. A daemon never has one, because a command's standard
    input is the client's.
    """


def text_from_stdin(field: str) -> str:
    """Return all of standard input.

    Raises:
        InvalidArgument: standard input can't be read, or is not UTF-8 text.
        NoStdin: standard input is closed.
    """
    if sys.stdin is None:
        raise NoStdin("Standard input is closed.", "Send UTF-8 text to stdin.", field=field)
    try:
        return sys.stdin.read()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise InvalidArgument(
            f"Standard input can't be read: {why}.", "Send UTF-8 text to stdin.", field=field
        ) from None


def parsed_json(text: str) -> Any:
    """Return the value of JSON text. Raises: ValueError: the text is not JSON, or is nested too
    deeply.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


_EXAMPLE = "For example: tabwarden fill e3=Ann 'Zip code=8010'."


_SELECTOR = re.compile(
    r"""(?:css|xpath|role)=|(?:label|placeholder|text|testid)=["']|.* >> """, re.S
)


def is_selector_word(word: str) -> bool:
    """Whether a word is a selector, and not the label of a field."""
    return _SELECTOR.match(word) is not None


def fields_of(word: str) -> list[Any]:
    """Return the form fields in one word of a command line.

    Raises:
        InvalidArgument: the word is neither ``NAME=VALUE`` nor JSON.
    """
    if word.lstrip().startswith(("[", "{")):
        try:
            read = parsed_json(word)
        except ValueError as error:
            raise InvalidArgument(
                f"The fields are not valid JSON: {error}.", _EXAMPLE, field="fields"
            ) from None
        return read if isinstance(read, list) else [read]
    is_selector = is_selector_word(word)
    name, equals, value = word.rpartition("=") if is_selector else word.partition("=")
    if not equals or not name:
        raise InvalidArgument(
            f"{word!r} is not in the format NAME=VALUE.", _EXAMPLE, field="fields"
        )
    return [{"ref": name, "value": value}]


def add_fields(fields: list[Any], more: Any) -> None:
    """Add form fields. If the last field has the same ref, add the value to that field's values."""
    for one in more:
        last = fields[-1] if fields else None
        if isinstance(last, dict) and isinstance(one, dict) and last.get("ref") == one.get("ref"):
            values = last["value"] if isinstance(last["value"], list) else [last["value"]]
            last["value"] = [*values, one["value"]]
        else:
            fields.append(one)


MANY = ("texts", "values", "fields")
"""The kinds of options that may be repeated."""


class Parsed:
    """The words of a command line, as an action's arguments and the command's own options."""

    def __init__(self) -> None:
        self.arguments: dict[str, object] = {}
        self.launch: dict[str, object] = {}
        """The options for starting the session's daemon."""
        self.flags: dict[str, str] = {}
        """The flag that set each option."""
        self.session = os.environ.get("TABWARDEN_SESSION") or "default"
        self.as_json = False
        self.file: str | None = None
        """The file in which to save a screenshot."""

    def take(self, option: CommandOption, value: object) -> None:
        name = option["name"]
        if option in LAUNCH or option in OPENING:
            value = os.path.abspath(str(value)) if "path" in option else value
            if option["kind"] in MANY:
                several = self.launch.setdefault(name, [])
                assert isinstance(several, list)
                several.append(value)
            else:
                self.launch[name] = value
        elif name == "session":
            self.session = str(value)
        elif name == "json":
            self.as_json = True
        elif name == "file":
            self.file = str(value)
        elif option["kind"] in MANY:
            several = self.arguments.setdefault(name, [])
            assert isinstance(several, list)
            if option["kind"] == "fields":
                add_fields(several, value)
            elif value != "[]":  # an empty list
                several.append(value)
        else:
            self.arguments[name] = value


def options_of(command: Command) -> list[CommandOption]:
    """Return all options of a command. The command's own options come first."""
    launch = LAUNCH if command["starts"] else []
    opening = OPENING if command["tool"] == OPENS else []
    return [*command["options"], *COMMON, *launch, *opening]


def parsed(name: str, command: Command, words: list[str]) -> Parsed:
    """Parse the words after a command's name.

    Raises:
        InvalidArgument: an option is unknown (the error contains the closest option), or a value is
            invalid or missing.
    """
    result = Parsed()
    by_flag = {flag: option for option in options_of(command) for flag in option["flags"]}
    loose: list[str] = []
    rest = list(reversed(words))
    while rest:
        word = rest.pop()
        if word == "--":
            _check_after(name, by_flag, [*loose], rest[::-1])
            loose += reversed(rest)
            break
        if word.startswith("--"):
            _take(name, command, by_flag, word, rest, result)
        elif word.startswith("-") and word != "-" and not _NEGATIVE.fullmatch(word):
            raise _no_short(name, command, word, list(by_flag))
        else:
            loose.append(word)
    _place(name, command, loose, result)
    for option in command["options"]:
        if option.get("required") and option["name"] not in result.arguments:
            raise InvalidArgument(
                f"tabwarden {name} needs {_placeholder(option)}.",
                usage(name, command),
                field=option["name"],
            )
    return result


_NEGATIVE = re.compile(r"-\.?\d.*")
"""Whether a word is an option. A word like ``-1`` is a value, because no option begins with a
digit.
"""


def _check_after(
    name: str, by_flag: dict[str, CommandOption], before: list[str], after: list[str]
) -> None:
    """Raise an error if words that look like options are at the end of the words after ``--``,
    where every word is a value.
    """
    at = next((at for at, word in enumerate(after) if at and word in by_flag), None)
    if at is not None:
        words = shlex.join(["tabwarden", name, *before, *after[at:], "--", *after[:at]])
        raise InvalidArgument(
            f"{after[at]} is after --, so it is a value, not an option.",
            f"Put options before --: {words}",
            field="arguments",
        )


def _take(
    name: str,
    command: Command,
    by_flag: dict[str, CommandOption],
    word: str,
    rest: list[str],
    result: Parsed,
) -> None:
    """Parse one ``--option`` and its value, which may be the last word in ``rest``."""
    typed, equals, attached = word.partition("=")
    flag = typed.replace("_", "-")
    option = by_flag.get(flag)
    if option is None:
        raise _unknown(name, typed, list(by_flag))
    result.flags[option["name"]] = flag
    if option["kind"] in ("flag", "switch"):
        if equals:
            raise InvalidArgument(
                f"{flag} does not take a value.", usage(name, command), field=option["name"]
            )
        result.take(option, option["kind"] == "flag" or flag == option["flags"][0])
    elif option.get("bare") and not equals and (not rest or rest[-1].startswith("-")):
        result.take(option, value=True)
    else:
        value = attached if equals else rest.pop() if rest else None
        if value is None:
            raise InvalidArgument(
                f"{flag} needs a value.", usage(name, command), field=option["name"]
            )
        result.take(option, _value(flag, option, value))


def usage(name: str, command: Command) -> str:
    """Return a line that shows how to call a command."""
    own = {option["name"]: option for option in command["options"]}
    ways = command["places"].values()
    words = []
    for at in range(max(map(len, ways))):
        here = dict.fromkeys(way[at] for way in ways if len(way) > at)
        placeholder = "|".join(_placeholder(own[place]) for place in here)
        words.append(
            placeholder if all(own[place].get("required") for place in here) else f"[{placeholder}]"
        )
    return " ".join(["Usage: tabwarden", name, *words, "[OPTIONS]"])


def _placeholder(option: CommandOption) -> str:
    if option["kind"] == "fields":
        return "REF=VALUE..."
    return option["name"].upper() + ("..." if option["kind"] in MANY else "")


def _place(name: str, command: Command, loose: list[str], result: Parsed) -> None:
    """Assign the positional words to parameters."""
    own = {option["name"]: option for option in command["options"]}
    places = command["places"]
    if places[""] and own[places[""][-1]]["kind"] == "fields":
        loose = _paired(loose, result)
    names = [
        place
        for place in places.get(loose[0] if loose else "", places[""])
        if place not in result.arguments
    ]
    many = bool(names) and own[names[-1]]["kind"] in MANY
    if (
        len(names) > 1
        and names[0] == "ref"
        and not own["ref"].get("required")
        and (many or len(loose) < len(names))
        and not (loose and _is_ref(loose[0]))
    ):
        del names[0]
    if loose and len(places) > 1 and "mode" not in names:
        _check_mode(loose[0], own["mode"])
    for place, word in zip(names, loose, strict=False):
        if place == "ref" and re.fullmatch(r"t\d+", word):
            raise InvalidArgument(
                f"{word} is a tab's id, not an element's ref.",
                f"To switch to the tab, run: tabwarden tab switch {word}",
                field="ref",
            )
        result.take(own[place], _value(place.upper(), own[place], word))
    if len(loose) > len(names) and not many:
        is_text = bool(names) and own[names[-1]]["kind"] == "text"
        quote = "Put quotation marks around text that contains spaces. " if is_text else ""
        raise InvalidArgument(
            f"tabwarden {name} does not take the argument {loose[len(names)]!r}.",
            f"{quote}{usage(name, command)}",
            field=names[-1] if names else "arguments",
        )
    if many:
        for word in loose[len(names) :]:
            result.take(own[names[-1]], _value(names[-1].upper(), own[names[-1]], word))


def _paired(loose: list[str], result: Parsed) -> list[str]:
    """Parse a ref and a value (``@e2 Ann``), which other tools accept, as a form field. Return the
    remaining words.
    """
    if len(loose) < 2 or not re.fullmatch(r"@?e\d+", loose[0]):
        return loose
    result.arguments["fields"] = [{"ref": loose[0].removeprefix("@"), "value": loose[1]}]
    return loose[2:]


def _check_mode(word: str, mode: CommandOption) -> None:
    """Raise ``InvalidArgument`` if a word looks like a misspelled mode."""
    from tabwarden.similar import get_close_matches

    if word not in mode["choices"] and get_close_matches(word, mode["choices"], n=1, cutoff=0.75):
        raise _no_choice("MODE", mode, word)


def _is_ref(word: str) -> bool:
    return (word.removeprefix("@")[:1] == "e" and word.removeprefix("@")[1:].isdigit()) or (
        is_selector_word(word)
    )


def _value(name: str, option: CommandOption, word: str) -> object:
    """Convert a word to the parameter's value."""
    if word == "-" and option.get("stdin"):
        word = text_from_stdin(option["name"])
    kind = option["kind"]
    if option.get("bare") and word in ("true", "false"):
        return word == "true"
    if kind in ("integer", "number"):
        return _number(name, option, word)
    if kind == "choice" and word not in option["choices"]:
        raise _no_choice(name, option, word)
    if kind == "fields":
        return fields_of(word)
    if kind in ("json", "values"):
        try:
            return parsed_json(word)
        except ValueError as error:
            if kind == "values" or option.get("words"):
                return word
            raise InvalidArgument(
                f"{name} is not valid JSON: {error}.",
                "Quote it for the shell: '{\"key\": 1}'.",
                field=option["name"],
            ) from None
    return word


def _number(name: str, option: CommandOption, word: str) -> float:
    try:
        value = int(word) if option["kind"] == "integer" else float(word)
        int(value)  # raises for infinity and NaN
    except (ValueError, OverflowError):
        what = "whole number" if option["kind"] == "integer" else "number"
        raise InvalidArgument(
            f"{name} must be a {what}, not {word!r}.", f"Use a {what}.", field=option["name"]
        ) from None
    bounds = [
        ("at least", option.get("least"), value >= option.get("least", value)),
        ("more than", option.get("above"), value > option.get("above", value - 1)),
        ("at most", option.get("most"), value <= option.get("most", value)),
    ]
    if not all(holds for _, _, holds in bounds):
        wanted = " and ".join(
            f"{words} {bound:g}" for words, bound, _ in bounds if bound is not None
        )
        raise InvalidArgument(
            f"{name} must be {wanted}, not {word}.",
            "Use a value in that range.",
            field=option["name"],
        )
    return value


def _no_choice(name: str, option: CommandOption, word: str) -> InvalidArgument:
    from tabwarden.similar import get_close_matches

    choices = option["choices"]
    near = get_close_matches(word, choices, n=1)
    return InvalidArgument(
        f"{name} must be one of {', '.join(map(repr, choices))}, not {word!r}.",
        f"Did you mean {near[0]}?" if near else "Use one of these values.",
        field=option["name"],
    )


def _no_short(name: str, command: Command, word: str, flags: list[str]) -> InvalidArgument:
    from tabwarden.surfaces.command_table.peers import instead_of

    dash = f"If a value begins with a dash, put -- before it. {usage(name, command)}"
    hint = f"{instead_of(word, flags)} {dash}".strip()
    return InvalidArgument(f"There is no option {word}.", hint, field=word)


def _unknown(name: str, typed: str, flags: list[str]) -> InvalidArgument:
    from tabwarden.similar import get_close_matches
    from tabwarden.surfaces.command_table.peers import instead_of

    near = get_close_matches(typed, flags, n=1, cutoff=0.7)
    hint = instead_of(typed, flags) or (f"Did you mean {near[0]}?" if near else "")
    hint = f"{hint} " if hint else ""
    return InvalidArgument(
        f"tabwarden {name} has no option {typed}.",
        f"{hint}tabwarden {name} --help lists all options.",
        field=typed,
    )
