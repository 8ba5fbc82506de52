"""Verbs: each serves one action of the tool ``browser`` with actions of the registry."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple

from tabwarden.actions import ACTIONS, Action, Performed, Session, checked_call, perform
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig
from tabwarden.control_api.acts import perform_act
from tabwarden.control_api.answers import (
    IMPORTED,
    closing,
    imported,
    outcome,
    outcome_with_value,
    tabs_json,
    target_of,
)
from tabwarden.control_api.names import camel_keys
from tabwarden.control_api.tab_names import Labels, checked_label, tab_named, with_tab
from tabwarden.errors import InvalidArgument
from tabwarden.hints import render
from tabwarden.integrations.openclaw.dialect.fields import act_of
from tabwarden.page import Screenshot

Given = Mapping[str, Any]
Json = dict[str, Any]


class DialectCall(NamedTuple):
    """One call of the tool. See ``Acting``."""

    session: Session
    config: BrowserConfig
    budget: Budget
    labels: Labels

    async def run(self, action: Action, arguments: Mapping[str, Any]) -> Performed:
        given = {name: value for name, value in arguments.items() if value is not None}
        checked = checked_call(action, self.config, given)
        return await perform(self.session, action, checked.arguments, self.budget, aim=with_tab)

    @property
    def tabs(self) -> list[Json]:
        now = self.session.current
        return tabs_json(now.state if now is not None else None, self.labels.of(now))


class Reply(NamedTuple):
    body: Json
    text: str = ""
    """The text that the model reads. If empty, the model reads the body as JSON."""
    picture: Screenshot | None = None


class Verb(NamedTuple):
    tool: str
    """The registry tool that must be available."""
    serve: Callable[[DialectCall, Given], Awaitable[Reply]]


def _plain(
    tool: str,
    fields: Mapping[str, str],
    *,
    needs: tuple[str, ...] = (),
    key: str = "",
    **fixed: Any,
) -> Verb:
    """Return a verb that runs an action of the registry. ``fields`` maps its parameters to the
    tool's fields.

    Args:
        needs: the fields that the call must have.
        key: OpenClaw's name for the action's value in the response.
    """

    async def serve(call: DialectCall, given: Given) -> Reply:
        for field in needs:
            if given.get(field) is None:
                raise InvalidArgument(f"{field} is required.", f"Call again with {field}.",
                                      field=field)  # fmt: skip
        arguments = {parameter: given.get(field) for parameter, field in fields.items()}
        if "tab_id" in ACTIONS[tool].parameters.model_fields:
            arguments.setdefault("tab_id", given.get("targetId"))
        done = await call.run(ACTIONS[tool], {**arguments, **fixed})
        if key and not done.result.interrupted:
            return Reply({**outcome(done), key: camel_keys(done.result.value)})
        return Reply(outcome_with_value(done))

    return Verb(tool, serve)


async def _status(call: DialectCall, given: Given) -> Reply:
    browser = call.session.current
    running = browser is not None
    state = browser.state_message() if browser is not None else "No browser is open."
    return Reply({"ok": True, "enabled": True, "running": running, "profile": "default",
                  "state": state, "tabs": call.tabs})  # fmt: skip


async def _doctor(call: DialectCall, given: Given) -> Reply:
    body = (await _status(call, given)).body
    return Reply({**body, "note": "`tabwarden doctor` on its machine checks the installation."})


async def _start(call: DialectCall, given: Given) -> Reply:
    if call.session.current is None:
        await call.run(ACTIONS["browser_open"], {})
    return await _status(call, given)


async def _stop(call: DialectCall, given: Given) -> Reply:
    if call.session.current is not None:
        await call.run(ACTIONS["browser_close"], {})
    return await _status(call, given)


async def _profiles(call: DialectCall, given: Given) -> Reply:
    running = call.session.current is not None
    one = {"name": "default", "running": running, "tabCount": len(call.tabs), "isDefault": True}
    return Reply({"ok": True, "profiles": [one]})


async def _import(call: DialectCall, given: Given) -> Reply:
    """Load the login cookies that the user has copied from their own browser. Agents can't copy
    them.
    """
    await _start(call, given)
    name = given.get("into") or IMPORTED
    state = {"mode": "load", "filename": name}
    return Reply(imported(await call.run(ACTIONS["browser_storage_state"], state), "default"))


async def _tabs(call: DialectCall, given: Given) -> Reply:
    return Reply({"ok": True, "running": call.session.current is not None, "tabs": call.tabs,
                  "tabCount": len(call.tabs)})  # fmt: skip


async def _open(call: DialectCall, given: Given) -> Reply:
    url, label = given.get("targetUrl") or given.get("url"), given.get("label")
    before = call.session.current
    if label is not None:
        state = before.state if before is not None else None
        label = checked_label(label, state, call.labels.of(before))
    done = await call.run(ACTIONS["browser_tabs"], {"mode": "open", "url": url})
    now = call.session.current
    if label is not None and now is not None and done.result.tab_id is not None:
        call.labels.give(now, done.result.tab_id, label)
    return Reply({**outcome(done), "tabs": call.tabs})


async def _close(call: DialectCall, given: Given) -> Reply:
    given = {"mode": "close", "tab_id": given.get("targetId")}
    return Reply(closing(await call.run(ACTIONS["browser_tabs"], given)))


async def _snapshot(call: DialectCall, given: Given) -> Reply:
    size = given.get("maxChars")
    arguments: dict[str, Any] = {"full": True} if size == 0 else {"max_chars": size}
    if given.get("interactive"):
        arguments["filter"] = "interactive"
    arguments["depth"] = given.get("depth")
    ref = given.get("ref") or (f"css={given['selector']}" if given.get("selector") else None)
    done = await call.run(
        ACTIONS["browser_snapshot"], {**arguments, "ref": ref, "tab_id": given.get("targetId")}
    )
    read = done.result
    text = render(read.text, call.session.name_call)
    if given.get("query"):
        words = given["query"].lower().split()
        lines = [ln for ln in text.splitlines() if all(word in ln.lower() for word in words)]
        text = "\n".join([f"{len(lines)} lines match {given['query']!r}:", *lines])
    body = {"ok": True, "format": "ai", "targetId": target_of(done.state, read.tab_id),
            "url": read.url, "refs": len(read.refs), "truncated": read.truncated,
            "pendingDialogs": camel_keys(read.pending_dialogs)}  # fmt: skip
    return Reply(body, f"targetId: {body['targetId']}\n{text}")


async def _screenshot(call: DialectCall, given: Given) -> Reply:
    ref = given.get("ref") or (f"css={given['element']}" if given.get("element") else None)
    done = await call.run(ACTIONS["browser_screenshot"], {
        "ref": ref, "full_page": given.get("fullPage"), "annotate": given.get("labels"),
        "format": given.get("type"), "tab_id": given.get("targetId"),
    })  # fmt: skip
    picture: Screenshot = done.result
    body = {"ok": True, "targetId": target_of(done.state, done.asked_tab), "width": picture.width,
            "height": picture.height, "mediaType": picture.media_type}  # fmt: skip
    return Reply({**body, "note": picture.note} if picture.note else body, picture=picture)


async def _navigate(call: DialectCall, given: Given) -> Reply:
    url = given.get("targetUrl") or given.get("url")
    if url is None:
        raise InvalidArgument("targetUrl is required.", "Give a full URL.", field="targetUrl")
    tab = {"tab_id": given.get("targetId")}
    done = await call.run(ACTIONS["browser_navigate"], {"url": url, "snapshot": "full", **tab})
    return Reply(outcome(done))


async def _errors(call: DialectCall, given: Given) -> Reply:
    done = await call.run(ACTIONS["browser_console"], {
        "level": "error", "clear": given.get("clear"), "tab_id": given.get("targetId"),
    })  # fmt: skip
    errors = [{"message": one["text"], **camel_keys(one)} for one in done.result.value]
    latest = errors[-(given.get("limit") or 50) :]
    return Reply({**outcome(done), "errors": latest, "total": len(errors),
                  "returned": len(latest)})  # fmt: skip


async def _download(call: DialectCall, given: Given) -> Reply:
    tab = {"tab_id": given.get("targetId")}
    if given.get("ref") is not None:
        browser, _ = await call.session.browser(may_open=False, budget=call.budget)
        known = browser.state.downloads
        await call.run(ACTIONS["browser_click"], {**tab, "ref": given["ref"]})
        return await _landed(call, given, known[-1].id if known else True)
    url = given.get("targetUrl") or given.get("url")
    if url is None:
        raise InvalidArgument("ref is required.", "Pass ref or targetUrl.", field="ref")
    given = {"url": url, "filename": given.get("path"), **tab}
    done = await call.run(ACTIONS["browser_download"], given)
    return Reply({**outcome(done), "download": camel_keys(done.result.value)})


async def _wait_for_download(call: DialectCall, given: Given) -> Reply:
    return await _landed(call, given, True)


async def _landed(call: DialectCall, given: Given, after: str | bool) -> Reply:
    done = await call.run(ACTIONS["browser_wait"], {
        "download": after, "filename": given.get("path"), "tab_id": given.get("targetId"),
    })  # fmt: skip
    value = done.result.value or {}
    return Reply(
        {**outcome(done), **camel_keys({k: value[k] for k in ("download",) if k in value})}
    )


async def _upload(call: DialectCall, given: Given) -> Reply:
    ref = given.get("inputRef") or given.get("ref")
    if ref is None and given.get("element"):
        ref = f"css={given['element']}"
    done = await call.run(ACTIONS["browser_upload"], {
        "filenames": given.get("paths"), "ref": ref, "tab_id": given.get("targetId"),
    })  # fmt: skip
    return Reply(outcome_with_value(done))


async def _dialog(call: DialectCall, given: Given) -> Reply:
    if given.get("accept") is None:
        raise InvalidArgument("accept is required.", "true: OK; false: Cancel.", field="accept")
    named = given.get("dialogId")
    now = call.session.current
    if named is None and given.get("targetId") is not None and now is not None:
        tab_id = tab_named(now.state, given["targetId"])
        named = next((d.id for d in now.state.pending_dialogs if d.tab_id == tab_id), None)
    done = await call.run(ACTIONS["browser_dialog"], {
        "action": "accept" if given["accept"] else "dismiss", "dialog_id": named,
        "prompt_text": given.get("promptText"),
    })  # fmt: skip
    return Reply({**outcome(done), "closed": camel_keys(done.result.value)})


async def _act(call: DialectCall, given: Given) -> Reply:
    return Reply(await perform_act(call, act_of(given)))


VERBS: Mapping[str, Verb] = {
    "doctor": Verb("browser_snapshot", _doctor),
    "status": Verb("browser_snapshot", _status),
    "start": Verb("browser_open", _start),
    "stop": Verb("browser_close", _stop),
    "profiles": Verb("browser_snapshot", _profiles),
    "importprofile": Verb("browser_storage_state", _import),
    "tabs": Verb("browser_tabs", _tabs),
    "open": Verb("browser_tabs", _open),
    "focus": _plain("browser_tabs", {"tab_id": "targetId"}, needs=("targetId",), mode="switch"),
    "close": Verb("browser_tabs", _close),
    "snapshot": Verb("browser_snapshot", _snapshot),
    "screenshot": Verb("browser_screenshot", _screenshot),
    "navigate": Verb("browser_navigate", _navigate),
    "console": _plain("browser_console", {"level": "level", "clear": "clear"}, key="messages"),
    "requests": _plain("browser_network", {"url": "filter", "limit": "limit"}),
    "errors": Verb("browser_console", _errors),
    "text": _plain("browser_scrape", {"selector": "selector", "max_chars": "maxChars"},
                   format="text"),
    "emulate": _plain("browser_emulate", {"device": "device", "color_scheme": "colorScheme",
                                          "timezone": "timezoneId", "locale": "locale"}),
    "pdf": _plain("browser_pdf", {"filename": "path"}),
    "download": Verb("browser_download", _download),
    "waitfordownload": Verb("browser_wait", _wait_for_download),
    "upload": Verb("browser_upload", _upload),
    "dialog": Verb("browser_dialog", _dialog),
    "act": Verb("browser_click", _act),
}  # fmt: skip
"""The verbs, keyed by name, in the same order as in OpenClaw."""
