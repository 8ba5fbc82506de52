"""Files that members give to pages or get from pages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tabwarden.actions import check_permission
from tabwarden.errors import InvalidArgument
from tabwarden.hints import render
from tabwarden.integrations.members.call import MemberCall, Outcome


async def upload(call: MemberCall, filenames: Sequence[str], ref: str | None = None) -> Outcome:
    """Give files to a file input; without ``ref``, to the open file chooser or the only file input.

    Raises:
        InvalidArgument: no file chooser is open, and the page has no file input, or several.
    """
    check_permission("files", call.config)
    browser = call.session.current
    if ref is None and (browser is None or not browser.state.file_choosers):
        inputs = (await call.do("find", css="input[type=file]")).data["value"]["found"]
        if len(inputs) != 1:
            raise InvalidArgument(
                f"No file chooser is open, and the page has {len(inputs)} file inputs.",
                "Click the element that opens the file chooser first.",
                field="grant_id",
            )
        ref = inputs[0]["ref"]
    ref = None if ref is None else call.ref(ref)
    if call.serves_driver and browser is not None:
        result = await browser.upload(
            filenames,
            ref,
            roots=[Path(name).parent for name in filenames],
            tab_id=call.tab_id,
            timeout_ms=call.budget,
        )
        lines = (result.effect, result.note, result.next)
        named = [render(line, call.session.name_call) for line in lines if line]
        return Outcome(text=call.vendors(" · ".join(named)))
    return await call.act("upload", filenames=list(filenames), ref=ref)


async def await_download(call: MemberCall, download_id: str) -> Outcome:
    """Wait until a download has ended.

    Raises:
        InvalidArgument: there is no such download.
        Failed: the download has not ended in time.
    """
    browser = call.session.current
    downloads = () if browser is None else browser.state.downloads
    one = next((one for one in downloads if one.id == download_id), None)
    if one is None:
        raise InvalidArgument(
            f"There is no download {download_id[:100]!r}.",
            f"Downloads: {', '.join(one.id for one in downloads[-5:]) or 'none'}.",
            field="grant_id",
        )
    if one.status != "in_progress":
        return Outcome(text=f"{one.id} {one.status}.")
    return await call.act("wait", download=f"dl-{int(one.id[3:]) - 1}")
