"""The control API under valid and invalid requests from its own description (Schemathesis)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from browser.surfaces.http.client import TOKEN, Serving, serving
from hypothesis import given
from hypothesis import strategies as st
from requests import PreparedRequest, Session
from requests.auth import AuthBase
from support.fuzzing import searched

from tabwarden import errors
from tabwarden.surfaces.http.openapi import description

if TYPE_CHECKING:
    from schemathesis import Case
    from schemathesis.core.transport import Response

CODES = {getattr(errors, name).code for name in errors.__all__}
LEFT_OUT = {"GET /events", "POST /stop", "POST /connect", "POST /disconnect"}
"""Excluded: an endless stream, and routes that close the browser for other calls."""


# The tests import Schemathesis themselves: the import takes over a second, and each run collects.
@cache
def api() -> Any:
    import schemathesis

    return schemathesis.openapi.from_dict(description())


@cache
def operations() -> dict[str, Any]:
    return {
        name: found
        for found in (one.ok() for one in api().get_all_operations())
        if (name := f"{found.method.upper()} {found.path}") not in LEFT_OUT
    }


@cache
def checks() -> list[Any]:
    from schemathesis.specs.openapi import checks

    return [
        checks.content_type_conformance,
        checks.response_headers_conformance,
        checks.response_schema_conformance,
        checks.status_code_conformance,
    ]


class Shown(AuthBase):
    """Send the token regardless of the headers that Schemathesis generated or omitted."""

    def __init__(self, words: str | None) -> None:
        self.words = words

    def __call__(self, request: PreparedRequest) -> PreparedRequest:
        request.headers.pop("Authorization", None)
        if self.words is not None:
            request.headers["Authorization"] = self.words
        return request


def called(case: Case, server: Serving, words: str | None = f"Bearer {TOKEN}") -> Response:
    with Session() as session:
        session.auth = Shown(words)
        return case.call(base_url=server.url, session=session, timeout=30)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    folder = tmp_path_factory.mktemp("served")
    with serving(
        TABWARDEN_BROWSER__DEFAULT_TIMEOUT_MS="1500",
        TABWARDEN_BROWSER__DOWNLOAD_DIR=str(folder / "down"),
        TABWARDEN_BROWSER__STATE_DIR=str(folder / "states"),
    ) as server:
        yield server


@st.composite
def cases(draw: st.DrawFn) -> tuple[Case, bool]:
    """Send a request to one task and check the response against the description, in time."""
    from schemathesis import GenerationMode

    operation = operations()[draw(st.sampled_from(sorted(operations())))]
    fits = draw(st.booleans())
    mode = GenerationMode.POSITIVE if fits else GenerationMode.NEGATIVE
    case = draw(operation.as_strategy(generation_mode=mode))
    case.query = {
        name: value for name, value in (case.query or {}).items() if name not in ("task", "profile")
    }
    for held in (case.body, case.query):
        if isinstance(held, dict) and isinstance(held.get("timeoutMs"), int | float):
            held["timeoutMs"] = min(held["timeoutMs"], 1_500)
    return case, fits


@pytest.mark.timeout(600)
@searched(40, slow=True)
@given(made=cases())
@pytest.mark.long
def test_control_api_responses_match_its_openapi_description(
    server: Serving, made: tuple[Case, bool]
) -> None:
    case, fits = made
    answer = called(case, server)
    assert answer.status_code != 401, answer.text
    if answer.status_code == 500:  # only the failures on the page that the contract of /act allows
        assert answer.json()["code"] == "ACT_OPERATION_FAILED", answer.text
    case.validate_response(answer, checks=checks())
    if answer.status_code >= 400:
        told = answer.json()
        assert told["tabwarden"]["code"] in CODES, told
        assert told["tabwarden"]["message"]
    if fits:
        # A valid request may fail on the page, but never because of its format.
        assert answer.status_code not in (405, 413, 415), answer.text


@searched(20, slow=True)
@given(made=cases(), token=st.sampled_from([None, "", "Bearer", "Bearer no", f"Basic {TOKEN}"]))
def test_control_api_rejects_every_request_without_the_token(
    server: Serving, made: tuple[Case, bool], token: str | None
) -> None:
    case, _ = made
    answer = called(case, server, token)
    assert answer.status_code == 401
    assert answer.json()["tabwarden"]["code"] == "denied"


def test_control_api_still_works_after_fuzzed_requests(server: Serving) -> None:
    case = api()["/snapshot"]["GET"].Case(query={"task": "another"})
    answer = called(case, server)
    assert answer.json()["tabwarden"]["code"] == "not_open"
    assert server.process.poll() is None
    assert not [line for line in server.told if "Traceback" in line]
