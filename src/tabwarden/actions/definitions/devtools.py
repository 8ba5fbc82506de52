from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from tabwarden.actions.registry import action
from tabwarden.browser import Browser
from tabwarden.results import Audit, Coverage, Memory, Performance, Recording

__all__: list[str] = []


@action(
    "browser_performance",
    "performance",
    permission="files",
    group="devtools",
    gives=(Performance, Recording),
)
async def performance(
    browser: Browser,
    *,
    mode: Annotated[
        Literal["reload", "start", "stop"],
        Field(description="reload: measure a page load. start, stop: what you do between them."),
    ] = "reload",
    duration_s: Annotated[
        float, Field(description="For reload: record so long after the load.", ge=0, le=60)
    ] = 3.0,
    ignore_cache: Annotated[bool, Field(description="For reload: load all anew.")] = False,
    filename: Annotated[str | None, Field(description="The trace's name, such as x.json.")] = None,
    overwrite: Annotated[bool, Field(description="Replace an existing file.")] = False,
    **common: Any,
) -> Any:
    """Record a performance trace for Chrome DevTools, and tell LCP, INP, CLS, long tasks, ..."""
    return await browser.performance(
        mode,
        duration_s=duration_s,
        ignore_cache=ignore_cache,
        filename=filename,
        overwrite=overwrite,
        **common,
    )


@action(
    "browser_audit",
    "audit",
    permission="read",
    group="devtools",
    read_only=True,
    gives=Audit,
    saves={"max": 1_000},
)
async def audit(
    browser: Browser,
    *,
    rules: Annotated[
        list[str], Field(description="Only these rules of axe-core, such as color-contrast.")
    ] = [],  # noqa: B006 - never changed
    tags: Annotated[
        list[str], Field(description="Only rules with these tags: wcag2a, wcag2aa, ...")
    ] = [],  # noqa: B006 - never changed
    frame_id: Annotated[str | None, Field(description="This frame and those inside it.")] = None,
    max: Annotated[  # noqa: A002 - the contract's name
        int, Field(description="Maximum violated rules.", ge=1, le=1_000)
    ] = 20,
    **common: Any,
) -> Any:
    """Check accessibility with axe-core, in all frames: violations with refs, worst first."""
    return await browser.audit(rules=rules, tags=tags, frame_id=frame_id, max=max, **common)


@action(
    "browser_memory", "memory", permission="read", group="devtools", read_only=True, gives=Memory
)
async def memory(
    browser: Browser,
    *,
    duration_s: Annotated[
        float, Field(description="Measure for so long. Default: once.", ge=0, le=600)
    ] = 0.0,
    gc: Annotated[bool, Field(description="Collect garbage first.")] = False,
    filename: Annotated[
        str | None,
        Field(description="Also save a heap snapshot (x.heapsnapshot), and tell what is in it."),
    ] = None,
    overwrite: Annotated[bool, Field(description="Replace an existing file.")] = False,
    **common: Any,
) -> Any:
    """Measure a page's JavaScript heap, DOM nodes and event listeners."""
    return await browser.memory(
        duration_s=duration_s, gc=gc, filename=filename, overwrite=overwrite, **common
    )


@action(
    "browser_coverage", "coverage", permission="act", group="devtools", gives=(Coverage, Recording)
)
async def coverage(
    browser: Browser,
    *,
    mode: Annotated[
        Literal["reload", "start", "stop"],
        Field(description="reload: cover a page load. start, stop: what you do between them."),
    ] = "reload",
    duration_s: Annotated[
        float, Field(description="For reload: record so long after the load.", ge=0, le=60)
    ] = 1.0,
    filename: Annotated[
        str | None, Field(description="Save the used ranges of all files (x.json).")
    ] = None,
    overwrite: Annotated[bool, Field(description="Replace an existing file.")] = False,
    **common: Any,
) -> Any:
    """Tell how much of a page's scripts and style sheets is used."""
    return await browser.coverage(
        mode, duration_s=duration_s, filename=filename, overwrite=overwrite, **common
    )
