"""Conversations of OpenClaw control API clients, unchanged, with ``tabwarden serve``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser.integrations.dialects.conversation import Answered, Conversation, conversations
from browser.surfaces.http.client import Api, Serving, serving
from support.site import Site

_RECORDED = conversations("openclaw")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The server's upload and download folders."""
    return tmp_path_factory.mktemp("files")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Serving]:
    with serving(
        TABWARDEN_BROWSER__UPLOAD_DIR=str(folder), TABWARDEN_BROWSER__DOWNLOAD_DIR=str(folder)
    ) as server:
        yield server


@pytest.mark.parametrize("path", _RECORDED, ids=[path.stem for path in _RECORDED])
def test_openclaw_clients_run_unchanged(
    path: Path, server: Serving, site: Site, folder: Path
) -> None:
    talk = Conversation(path, site, folder)
    with Api(server.url, task=path.stem) as api:
        for turn in talk.turns:
            request, fields = talk.call(turn)
            method, _, where = request.partition(" ")
            if method == "GET":
                response = api.http.get(where, params=fields)
            else:
                response = api.http.request(method, where, json=fields)
            body = response.json()
            assert response.is_success is not ("code" in body), body
            talk.check(turn, Answered(json.dumps(body), body, body.get("code")))
