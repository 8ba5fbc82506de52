"""The configuration keys, each with its type, default and description."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    StringConstraints,
)

from tabwarden.budget import MAX_TIMEOUT_MS
from tabwarden.config.action_names import ActionName
from tabwarden.config.fleet import FleetConfig
from tabwarden.config.keeping import HomePath, KeepingConfig, OutputConfig, PagesConfig
from tabwarden.config.launching import LaunchConfig
from tabwarden.config.secrets import SecretsConfig
from tabwarden.config.servers import DaemonConfig, ServerConfig
from tabwarden.egress.origins import OriginPattern, web_origin

PREFIX = "TABWARDEN_"
"""The prefix of the environment variables."""


_QUICK: frozenset[ActionName] = frozenset({
    "auth", "check", "choose", "click", "console", "dialog", "drag", "drop", "fill_form", "find",
    "focus", "hover", "inspect", "mouse", "network", "press", "scrape", "screenshot", "scroll",
    "select", "snapshot", "touch", "type", "uncheck", "upload",
})  # fmt: skip
"""Actions that read a page or send input. None of these actions has to wait for long."""
_QUICK_MS = 10_000.0
"""Agents and the programs that host them do not wait longer than this for a snapshot."""
_INPUT: frozenset[ActionName] = frozenset({"click", "focus", "hover", "press", "scroll"})
"""Actions that send one input event."""
_INPUT_MS = 6_000.0
"""Long enough to wait 5 s until nothing covers the element. A page whose event handler takes longer
than this is considered hung.
"""


def _key_of(action: ActionName) -> ActionName:
    return "navigate" if action == "goto" else action


def _no_switch(value: object) -> object:
    """Reject a boolean, because Python would treat ``true`` as 1 ms."""
    if isinstance(value, bool):
        raise ValueError("must be a number of milliseconds")
    return value


Permission = Literal["read", "act", "files", "scripts", "live", "attach", "launch"]
"""A permission for callers. Each action declares the permission that it needs
(``tabwarden.actions``).
"""
PERMISSIONS: tuple[Permission, ...] = get_args(Permission)

ActionKey = Annotated[ActionName, AfterValidator(_key_of)]
Milliseconds = Annotated[float, Field(gt=0, le=MAX_TIMEOUT_MS), BeforeValidator(_no_switch)]
"""A call's time limit in milliseconds: more than 0, at most one day."""


class Login(BaseModel):
    """A user name and a password."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    username: str
    password: SecretStr


def _as_text(value: object) -> object:
    """Convert a number to text: an endpoint may be just a port, which YAML parses as a number."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


Setting = Literal["granted", "denied", "prompt"]


def _as_browsers_write_it(text: str) -> str:
    origin = web_origin(text)
    if origin is None:
        raise ValueError(
            f"{text[:200]!r} is not an origin: write https://host:8443, without a path"
        )
    return origin


Origin = Annotated[
    str, StringConstraints(pattern=r"^https?://[^/@]+$"), AfterValidator(_as_browsers_write_it)
]


def _checked_origin(text: str) -> str:
    OriginPattern.parse(text)
    return text


NetworkOrigin = Annotated[str, AfterValidator(_checked_origin)]


def _checked_webhook(url: SecretStr) -> SecretStr:
    if not url.get_secret_value().startswith(("http://", "https://")):
        raise ValueError("a webhook must be an http or https URL")
    return url


Scheme = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9+.-]*$", max_length=100)]
"""A URL scheme, without the colon."""


class ControlConfig(BaseModel):
    """The ``browser.control`` section: control by people, and hand-offs from the agent to
    people.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    idle_s: float = Field(
        default=60.0,
        gt=0,
        le=86_400,
        description=(
            "Return control to the agent after this many seconds without input from the person."
        ),
    )
    notify: bool = Field(
        default=True,
        description=(
            "Show a desktop notification when an agent requests a person, if the system has "
            "notify-send or osascript."
        ),
    )
    webhook: Annotated[SecretStr, AfterValidator(_checked_webhook)] | None = Field(
        default=None,
        description="Send hand-offs to this http(s) URL, as a POST request with JSON.",
        json_schema_extra={"pattern": "^https?://"},
    )


class RecorderConfig(BaseModel):
    """The ``browser.recorder`` section: the flight recorder."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    enabled: bool = Field(
        default=True,
        description="Keep the last minutes of each task in memory, and write them to a file when "
        "a page hangs or crashes.",
    )
    minutes: float = Field(
        default=10.0, gt=0, le=1440, description="The number of minutes to keep."
    )
    megabytes: float = Field(
        default=12.0, gt=0, le=1000, description="The memory limit for each task."
    )


class BrowserConfig(LaunchConfig, PagesConfig, KeepingConfig, SecretsConfig, OutputConfig):
    """The ``browser`` section."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    enabled: bool = Field(
        default=True, description="false: Tabwarden offers no tools and refuses all calls."
    )
    browser_use_enabled: bool | None = Field(
        default=None,
        description=(
            "Whether the operator dialect and Operator-Use's plugin show the tool `browser`. "
            "Default: the dialect shows it, the plugin hides it."
        ),
    )
    dialog_policy: Literal["must_respond", "auto_dismiss", "auto_accept"] = Field(
        default="must_respond", description="How Tabwarden handles a new JavaScript dialog."
    )
    dialog_bridge: Literal["auto", "debugger", "xhr", "native"] = Field(
        default="auto",
        description=(
            "How a dialog waits: natively (native), in a paused request (xhr), or in a debugger "
            "pause (debugger), which keeps the page readable. auto: the best of these; native in "
            "tabs that a person or another client may use."
        ),
    )
    dialog_timeout_s: float = Field(
        default=300.0,
        gt=0,
        description="With must_respond, Tabwarden dismisses a dialog that nobody has answered for "
        "this many seconds.",
    )
    allow: list[Permission] = Field(
        default=[*PERMISSIONS],
        description=(
            "What callers over MCP, HTTP and the command line may do: read pages, act on them, use "
            "files, run scripts (also raw CDP, cookies and storage), get links to a server's live "
            "view, attach to browsers at endpoints that the caller chooses, launch browsers with "
            "options that the caller chooses."
        ),
    )
    evaluate_enabled: bool = Field(
        default=True, description="false: Tabwarden hides evaluate and refuses calls to it."
    )
    cdp_enabled: bool = Field(
        default=True, description="false: Tabwarden hides raw CDP and refuses calls to it."
    )
    page_tools: bool = Field(
        default=True,
        description=(
            "Let pages offer tools to the agent (WebMCP). false: snapshots do not list page tools, "
            "calls to them are refused, and browsers that Tabwarden launches do not support WebMCP."
        ),
    )
    default_timeout_ms: Milliseconds = Field(
        default=30_000,
        description=(
            "Time limit for a call without timeout_ms, in milliseconds. Default: 6000 for "
            "click, hover, press and scroll, 10000 for other calls that read a page or send "
            "input, and 30000 for all others."
        ),
    )
    timeouts_ms: dict[ActionKey, Milliseconds] = Field(
        default={},
        description="Time limits by action, in milliseconds: {evaluate: 5000, navigate: 60000}.",
    )
    hang_patience: float = Field(
        default=1.0,
        ge=1,
        le=20,
        description=(
            "A factor for how long a page may take to respond before it counts as hung. Increase "
            "it on slow or busy machines."
        ),
    )
    kill_busy_processes: bool = Field(
        default=True,
        description="As a last resort, guess from CPU usage which process is blocking a page (a "
        "renderer or the GPU process), and kill that process if Tabwarden launched the browser.",
    )
    headless: bool = Field(default=True, description="Launch without a window.")
    executable: HomePath | None = Field(
        default=None, description="The browser to launch. Default: Tabwarden finds one."
    )
    environment: list[str] = Field(
        default=[],
        description=(
            "Names of additional environment variables to pass to a launched browser: "
            "[LD_PRELOAD]. By default, it gets only the variables that browsers need."
        ),
    )
    transport: Literal["pipe", "port"] | None = Field(
        default=None,
        description=(
            "How Tabwarden communicates with the browsers that it launches. With port, other "
            "programs on this computer can connect too (Browser.address). Default: pipe; on "
            "Windows, port."
        ),
    )
    endpoint: Annotated[str | None, BeforeValidator(_as_text)] = Field(
        default=None,
        description="Attach to this browser (http://, ws://, steel:, ...) instead of launching "
        "one.",
        repr=False,  # the query of the endpoint's URL may contain an API key
    )
    isolate: bool | None = Field(
        default=None,
        description="In an attached browser, true gives each task its own context (cookies, tabs, "
        "downloads, permissions), and false shares the existing context. Default: true if a "
        "server has several tasks on `endpoint`, else false.",
    )
    upload_dir: HomePath | None = Field(
        default=None,
        description="The folder with the files for uploads. Default: Tabwarden's own folder.",
    )
    upload_roots: list[HomePath] = Field(
        default=[],
        description=(
            "Paths of additional folders whose files may be uploaded. `tabwarden mcp` adds its "
            "host's roots."
        ),
    )
    download_dir: HomePath | None = Field(
        default=None, description="The folder for downloads. Default: Tabwarden's own folder."
    )
    passkeys: Literal["agent", "person"] = Field(
        default="agent",
        description="Who may create and use passkeys: the agent, or only a person (live view).",
    )
    credentials: dict[Origin, Login] = Field(
        default={},
        description="Credentials for HTTP authentication by origin: {https://host: {username, "
        "password}}.",
    )
    permissions: dict[str, Setting | dict[str, Setting]] = Field(
        default={},
        description=(
            "Permissions for pages: {geolocation: granted}, or by origin: {https://host: {camera: "
            "denied}}."
        ),
    )
    state_dir: HomePath | None = Field(
        default=None,
        description="The only folder for storage states (saved logins). Default: a folder that "
        "Tabwarden creates.",
    )
    record_network: bool = Field(
        default=False,
        description=(
            "true: record requests from the start. false: record them from the first call of "
            "browser_network. Default: true for tabwarden mcp if its --tools include that tool, "
            "else false. Recording makes pages with many cached scripts load up to 1.2 times "
            "slower."
        ),
    )
    allowed_origins: list[NetworkOrigin] = Field(
        default=[],
        description="The only hosts that pages may reach: https://example.com, *.example.com, "
        "example.com, http://localhost:*. Empty: all public hosts. An entry without a "
        "wildcard is allowed at any address, even in a private network.",
    )
    blocked_origins: list[NetworkOrigin] = Field(
        default=[],
        description=(
            "Hosts that pages may never reach, in the same format as allowed_origins. Overrides "
            "all other settings."
        ),
    )
    allow_private_networks: bool = Field(
        default=False,
        description=(
            "Let pages reach this machine and private networks. false: pages can reach only the "
            "hosts and ports there that the caller has used in a URL. Cloud metadata services "
            "stay "
            "blocked."
        ),
    )
    allow_file_urls: bool = Field(default=False, description="Allow file: URLs.")
    external_schemes: list[Scheme] = Field(
        default=[],
        description=(
            "URL schemes with which pages may start other programs on this machine: [mailto]. "
            "Empty: pages can't start programs. Applies to browsers that open from now on."
        ),
    )
    control: ControlConfig = Field(
        default=ControlConfig(),
        description="Control of a browser by people, and hand-offs to them.",
    )
    recorder: RecorderConfig = Field(
        default=RecorderConfig(),
        description="The flight recorder, which keeps the last minutes of each task.",
    )
    trace_dir: HomePath | None = Field(
        default=None,
        description=(
            "The folder for traces of incidents and traces that an agent saves. Default: "
            "Tabwarden's own folder."
        ),
    )
    record: HomePath | None = Field(
        default=None,
        description="Record each task from its start, and write its trace to this folder when the "
        "browser closes.",
    )
    record_har: HomePath | None = Field(
        default=None, description="Write each task's requests to this HAR file."
    )
    record_video: HomePath | None = Field(
        default=None,
        description="Write each task's video to this file (.webm or .mp4). Needs the extra "
        "tabwarden[video].",
    )

    def timeout_of(self, action: ActionName) -> float:
        """Return the default budget of ``action``, in milliseconds."""
        usual = self.default_timeout_ms
        if "default_timeout_ms" not in self.model_fields_set and action in _QUICK:
            usual = _INPUT_MS if action in _INPUT else _QUICK_MS
        return self.timeouts_ms.get(_key_of(action), usual)


class Config(BaseModel):
    """The complete configuration. ``Config()`` has only defaults; ``load_config`` reads a file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    browser: BrowserConfig = Field(
        default=BrowserConfig(), description="Which browser to use, and how."
    )
    server: ServerConfig = Field(
        default=ServerConfig(), description="Settings of `tabwarden serve`."
    )
    daemon: DaemonConfig = Field(
        default=DaemonConfig(),
        description=(
            "Settings of the daemon, which keeps the command line's browsers open between commands."
        ),
    )
    fleet: FleetConfig = Field(
        default=FleetConfig(),
        description=(
            "Settings of `tabwarden fleet`: this node's capacity, and the coordinator's leases."
        ),
    )
