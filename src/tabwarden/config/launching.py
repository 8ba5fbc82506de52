"""The ``browser`` keys for launching a browser: proxy, switches, window, language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar
from urllib.parse import unquote, urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    WithJsonSchema,
)

from tabwarden.config.keeping import HomePath
from tabwarden.egress.origins import OriginPattern, canonical_host
from tabwarden.errors import InvalidArgument

if TYPE_CHECKING:
    from pydantic import GetJsonSchemaHandler
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core import CoreSchema

_SCHEMES = {"http": 80, "https": 443, "socks5": 1080}
_SIZE = re.compile(r"([0-9]{1,5})[x,]([0-9]{1,5})")
_LARGEST = 8192
"""The maximum width and height of a window, in CSS pixels."""
_LOCALE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_ZONE = re.compile(r"[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*")
_LONGEST_AGENT = 1000


def _checked_server(server: str) -> str:
    """Return ``scheme://host:port``."""
    text = server.strip()
    parts = urlsplit(text if "://" in text else f"http://{text}")
    try:
        port = parts.port
    except ValueError:
        port = 0
    host = canonical_host(parts.hostname or "")
    if parts.username is not None or parts.password is not None:
        raise ValueError(
            "write the login in username and password, or write the whole URL as proxy"
        )
    if parts.scheme not in _SCHEMES:
        raise ValueError("a proxy is http://host:port, https://host:port or socks5://host:port")
    if host is None or port == 0 or parts.path not in ("", "/") or parts.query:
        raise ValueError("a proxy is scheme://host:port, without a path")
    host_text = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{host_text}:{port or _SCHEMES[parts.scheme]}"


def _checked_bypass(bypass: str) -> str:
    for one in bypass_of(bypass):
        OriginPattern.parse(one)
    return bypass


def bypass_of(text: str) -> list[str]:
    """Return the entries in a bypass list, with ``.example.com`` written as ``*.example.com``."""
    entries = [one.strip() for one in re.split("[,;]", text)]
    return [f"*{one}" if one.startswith(".") else one for one in entries if one]


class Proxy(BaseModel):
    """The ``browser.proxy`` section: the user's own proxy, to which Tabwarden's egress proxy
    connects.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    server: Annotated[str, AfterValidator(_checked_server)] = Field(
        description=(
            "The proxy's URL: http://host:port, https://host:port (TLS to the proxy) or "
            "socks5://host:port."
        )
    )
    bypass: Annotated[str, AfterValidator(_checked_bypass)] = Field(
        default="",
        description=(
            "Hosts to reach without the proxy, separated by commas: .example.com, localhost. This "
            "machine's own addresses are always reached directly."
        ),
    )
    username: str = Field(default="", description="The user name for the proxy.")
    password: SecretStr = Field(default=SecretStr(""), description="The password for the proxy.")


def _parts_of(value: Any) -> Any:
    """Convert a proxy URL to the fields of ``Proxy``. Errors do not quote the URL."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    login, at, host = text.rpartition("@")
    scheme, slashes, login = login.rpartition("://")
    if not at:
        return {"server": text}
    name, _, password = login.partition(":")
    server = f"{scheme}{slashes}{host}"
    return {"server": server, "username": unquote(name), "password": unquote(password)}


class CallersProxy(Proxy):
    """A proxy that a caller chose. The network policy also applies to the proxy's own address."""


class _UrlOrFields:
    """The JSON Schema of a proxy. It is made when needed, because that takes some milliseconds."""

    def __get_pydantic_json_schema__(
        self, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        fields = handler.resolve_ref_schema(handler(core_schema))
        url = {"type": "string", "format": "password", "writeOnly": True}
        return {"anyOf": [url, dict(fields)]}


ProxySetting = Annotated[Proxy, BeforeValidator(_parts_of), _UrlOrFields()]


def _sides_of(value: Any) -> Any:
    if isinstance(value, Mapping) and value.keys() == {"width", "height"}:  # Playwright's form
        value = [value["width"], value["height"]]
    elif isinstance(value, str):
        match = _SIZE.fullmatch(value.strip())
        value = [int(match[1]), int(match[2])] if match else None
    is_pair = isinstance(value, (list, tuple)) and len(value) == 2
    if not is_pair or not all(
        isinstance(side, int) and not isinstance(side, bool) and 1 <= side <= _LARGEST
        for side in value
    ):
        raise ValueError(f"write WIDTHxHEIGHT, such as 1280x800; each side is at most {_LARGEST}")
    return tuple(value)


Size = Annotated[
    tuple[int, int],
    BeforeValidator(_sides_of),
    WithJsonSchema({"type": "string", "pattern": "^[0-9]+x[0-9]+$"}),
]


def _list_of(value: Any) -> Any:
    return [value] if isinstance(value, (str, Path)) else value


Folders = Annotated[list[HomePath], BeforeValidator(_list_of)]


def _checked_args(args: list[str]) -> list[str]:
    for arg in args:
        if not arg.startswith("--") or len(arg) == len("--") or "\0" in arg:
            raise ValueError(f"{arg[:100]!r} is not a switch; switches begin with --")
    return args


Args = Annotated[list[str], BeforeValidator(_list_of), AfterValidator(_checked_args)]


def _checked_agent(agent: str) -> str:
    if not agent.isprintable() or not agent.strip() or len(agent) > _LONGEST_AGENT:
        raise ValueError(f"write one line of at most {_LONGEST_AGENT} characters")
    return agent.strip()


def _checked_locale(locale: str) -> str:
    text = locale.strip().replace("_", "-")
    if not _LOCALE.fullmatch(text):
        raise ValueError("a locale looks like de-DE")
    language, *others = text.split("-")
    cased = (o.upper() if len(o) == 2 else o.title() if len(o) == 4 else o for o in others)
    return "-".join([language.lower(), *cased])


def _checked_zone(zone: str) -> str:
    from zoneinfo import available_timezones

    known = available_timezones()  # empty on a system without the time zone database
    if not _ZONE.fullmatch(zone) or (known and zone not in known):
        from tabwarden.similar import get_close_matches

        near = get_close_matches(zone, known, n=1, cutoff=0.5)
        meant = f" The closest match is {near[0]}." if near else ""
        raise ValueError(
            f"write a name from the IANA time zone database, such as Europe/Berlin.{meant}"
        )
    return zone


UserAgent = Annotated[str, AfterValidator(_checked_agent)]
Locale = Annotated[str, AfterValidator(_checked_locale)]
TimeZone = Annotated[str, AfterValidator(_checked_zone)]
Channel = Annotated[
    Literal["chrome", "edge", "chromium", "brave"],
    BeforeValidator(lambda name: "edge" if name == "msedge" else name),  # Playwright's name
]


class LaunchConfig(BaseModel):
    """The ``browser`` keys that apply only to browsers that Tabwarden launches."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    sandbox: bool | None = Field(
        default=None,
        description=(
            "Run pages in Chromium's sandbox. true: always; a browser that can't use the sandbox "
            "does not start. false: never. Default: if this system supports it."
        ),
    )
    channel: Channel | None = Field(
        default=None, description="Which browser to look for. Default: the first one that works."
    )
    proxy: ProxySetting | None = Field(
        default=None,
        description=(
            "Your proxy: a URL (http://user:password@host:port, https://..., socks5://...), or a "
            "mapping with server, username, password and bypass. Default: the environment's proxy "
            "variables, such as HTTPS_PROXY."
        ),
    )
    args: Args = Field(
        default=[],
        description="Additional switches for the browser's command line: [--force-dark-mode].",
    )
    window_size: Size | None = Field(
        default=None, description="The window's size in CSS pixels. Default: 1280x800."
    )
    viewport: Size | None = Field(
        default=None,
        description=(
            "The size of each page in CSS pixels: 1280x720. Default: the device's size, or the "
            "window's content area."
        ),
    )
    device: str | None = Field(
        default=None,
        description=(
            "The device that pages see, as in browser_emulate: iPhone 15, Pixel 9 landscape."
        ),
    )
    ignore_https_errors: bool = Field(
        default=False, description="Accept every certificate, even if it is invalid or expired."
    )
    ca: HomePath | None = Field(
        default=None,
        description="A PEM file with additional CA certificates to trust.",
    )
    extensions: Folders = Field(
        default=[], description="Folders of unpacked extensions to load into the browser."
    )
    user_agent: UserAgent | None = Field(
        default=None,
        description=(
            "The user agent for all requests, pages and workers. Client hints are turned off."
        ),
    )
    locale: Locale | None = Field(
        default=None,
        description="The language for pages and requests (Accept-Language): de-DE.",
    )
    timezone: TimeZone | None = Field(
        default=None, description="The time zone for pages and workers: Europe/Berlin."
    )


LAUNCH_KEYS = tuple(LaunchConfig.model_fields)
"""The names of the launch options."""
ConfigT = TypeVar("ConfigT", bound=LaunchConfig)


def with_launch(config: ConfigT, given: Mapping[str, Any]) -> ConfigT:
    """Return a copy of ``config`` with the launch options of one call. Options that are None are
    ignored.

    Raises:
        InvalidArgument: an option is invalid; ``field`` is its name. The error quotes no secrets.
    """
    chosen = {name: value for name, value in given.items() if value is not None}
    if not chosen:
        return config
    try:
        made = LaunchConfig.model_validate(chosen)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        message = first["msg"].removeprefix("Value error, ").removesuffix(".")
        raise InvalidArgument(f"{field}: {message}.", "Call again.", field=field) from None
    return config.model_copy(update={name: getattr(made, name) for name in chosen})


_OF_THIS_MACHINE = ("channel", "sandbox")
"""Options about this machine, not about what pages see."""


EMULATED = ("viewport", "device", "user_agent", "locale", "timezone")
"""Options that also apply to a browser or browser context that Tabwarden did not launch, if it
belongs to the task.
"""


def set_options(config: LaunchConfig) -> list[str]:
    """Return the names of the options that affect pages and differ from their defaults."""
    return [
        name
        for name, field in LaunchConfig.model_fields.items()
        if name not in _OF_THIS_MACHINE and getattr(config, name) != field.default
    ]
