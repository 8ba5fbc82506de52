"""Network: the requests of pages."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from tabwarden.browser.base import BrowserBase
from tabwarden.budget import Timeout
from tabwarden.config import output_folder
from tabwarden.errors import Disabled, InvalidArgument
from tabwarden.journal import journaled
from tabwarden.page import ActionResult, routing
from tabwarden.page.call import one_of, within
from tabwarden.page.input import file_in
from tabwarden.page.logs import network
from tabwarden.page.task import Call
from tabwarden.recording import har_name, save_har


class NetworkMethods(BrowserBase):
    """Methods that list, answer and change requests."""

    @journaled
    async def network(
        self,
        *,
        url: str | None = None,
        resource_type: str | None = None,
        failed: bool = False,
        since: str | None = None,
        limit: int = 50,
        request_id: str | None = None,
        max_chars: int = 20_000,
        filename: str | None = None,
        content: Literal["omit", "embed"] = "omit",
        overwrite: bool = False,
        as_bytes: bool = False,
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult:
        """Return the last requests of a tab, at most 500, oldest first. Recording starts in all
        tabs with the first call, or when the browser opens if ``record_network`` is set.

        ``value`` is ``{"recording_since", "requests": [{"id": "r-12", "method", "url", "type",
        "status", "mime_type", "started_at", "duration_ms", "size", "pending", "from_cache",
        "error"}], "left_out", "forgotten"}``. Times are seconds since the epoch, durations are
        milliseconds, sizes are bytes. In URLs, the values of parameters that look like secrets are
        removed. With ``request_id``, ``value`` is that request with ``request_headers``,
        ``response_headers``, ``post_data``, ``timings_ms`` (``blocked``, ``dns``, ``connect``,
        ``ssl``, ``send``, ``wait``, ``receive``), ``initiator``, ``redirects``, ``remote_address``,
        ``protocol``, the last ``messages`` of a WebSocket or EventSource, and the ``body`` of the
        response, the number of ``bytes`` if that is not text, or ``body_missing``, which says why
        the body is missing. Tabwarden hides headers and fields that hold secrets, unless the
        configuration sets ``network_secrets``.

        Args:
            url: only URLs that contain this text. If the text contains ``*`` (a wildcard), the
                whole URL must match it.
            resource_type: ``document``, ``script``, ``xhr``, ``fetch``, ...
            failed: only requests that failed, or got a status of 400 or above.
            since: only requests that started after this one (``r-12``).
            limit: maximum number of requests; the latest are returned.
            request_id: return only this request, with all that is known of it.
            max_chars: maximum length of the body, and of the data that the request sent.
            filename: write all requests that match to a HAR file of this name in the output folder
                instead; ``value`` is ``{"path", "size", "requests"}``.
            content: for a HAR file: ``embed`` also has the texts of responses that the browser
                still has.
            overwrite: replace an existing HAR file; otherwise the name gets a number.
            as_bytes: with ``request_id``, ``body`` is the whole body, as bytes.
            tab_id, timeout_ms: see ``Browser``.

        Raises:
            InvalidArgument: the type or the request does not exist, or nothing is recorded yet that
                a file could have.
        """
        network.checked_filter(resource_type, since, request_id)
        one_of("content", content, ("omit", "embed"))
        within("limit", limit, 1, 500)
        within("max_chars", max_chars, 1, 1_000_000)
        wanted = network.Filter(url, resource_type, failed, since, limit)
        if filename is None:

            def body(call: Call) -> Awaitable[Any]:
                return network.network(
                    call,
                    wanted,
                    request_id=request_id,
                    max_chars=max_chars,
                    as_bytes=as_bytes,
                )

        else:
            if request_id is not None:
                raise InvalidArgument(
                    "A HAR file has all requests that match, so request_id does not fit here.",
                    "Omit request_id, or filename.",
                    field="request_id",
                )
            name, folder = har_name(filename), output_folder(self._config)

            def body(call: Call) -> Awaitable[Any]:
                bodies = content == "embed"
                return save_har(call, wanted, folder, name, bodies=bodies, overwrite=overwrite)

        return await self._perform_without_page(network.NETWORK, body, tab_id, timeout_ms)

    @journaled
    async def route(
        self,
        url: str | None = None,
        *,
        mode: Literal["add", "list", "remove"] = "add",
        method: str | None = None,
        resource_type: str | Sequence[str] | None = None,
        abort: str | None = None,
        status: int | None = None,
        body: str | None = None,
        path: str | None = None,
        content_type: str | None = None,
        headers: Mapping[str, str | None] | None = None,
        delay_ms: float | None = None,
        times: int | None = None,
        route_id: str | None = None,
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[Any]:
        """Block, answer, change or delay requests of all pages and workers of the task, until the
        route is removed (docs/routes.md). The latest matching route wins.

        ``value`` is the route, ``{"id": "ro-1", "url", "does", "matches"}``, or ``{"routes"}``, or
        ``{"removed": [ids]}``.

        Args:
            url: Playwright's glob for the whole URL (``**/api/*``), or a regular expression
                between slashes. All requests by default.
            mode: add a route, list all with the number of requests that each has taken, or remove
                the one with ``route_id``, those with exactly this ``url``, or all.
            method: only requests with this HTTP method.
            resource_type: only ``document``, ``image``, ``script``, ..., or a list of them.
            abort: fail the request: ``failed``, ``timedout``, ``connectionrefused``, ...
            status: answer with this HTTP status, by default 200.
            body: answer with this text.
            path: answer with this file of the upload folder (``upload_dir``), as it is now.
            content_type: the type of the answer. Guessed by default.
            headers: the headers of the answer. Without an answer: headers to set on the request,
                or to remove from it (None). A value with ``{{SECRET}}`` goes to that secret's own
                sites only.
            delay_ms: first wait so many milliseconds.
            times: take only so many requests.
            route_id: for ``remove``.
            tab_id: the tab whose requests certainly pass the route when the call returns; the
                active tab by default.
            timeout_ms: limit for the whole call.

        Raises:
            InvalidArgument: an argument is wrong, or does not go with another; ``data["field"]``
                names it.
            Denied: ``path`` leads outside the upload folder.
            Disabled: ``evaluate_enabled`` is false, and the answer has a body or headers: it could
                be a script of the page, or lead to one.
        """
        one_of("mode", mode, ("add", "list", "remove"))
        file = None
        if path is not None:
            file = Path(file_in(self.upload_folders, path, "path"))
        asked = routing.AskedRoute(
            url, method, resource_type, abort, status, body, file, content_type, headers,
            delay_ms, times,
        )  # fmt: skip
        routing.check_mode(mode, asked, route_id)
        if asked.may_answer_with_a_script and not self._config.evaluate_enabled:
            raise Disabled(
                "The answer could run a script in the page, and evaluate_enabled: false forbids "
                "that.",
                "Answer with only a status, or use abort.",
                field="body" if body is not None else "path" if path is not None else "headers",
            )
        vault = self._task.vault
        wanted = routing.wanted_route(asked, vault) if mode == "add" else None
        return await self._perform_without_page(
            routing.LIST_ROUTES if mode == "list" else routing.ROUTE,
            lambda call: routing.route(call, mode, wanted, route_id=route_id, url=url),
            tab_id,
            timeout_ms,
        )
