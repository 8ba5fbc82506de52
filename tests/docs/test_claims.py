"""Sentences in README and docs/ without an example: each is checked at its source."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
from support.site import Site

import tabwarden
from tabwarden.surfaces.doctor.checks import browsers
from tabwarden.surfaces.hosts.table import HOSTS
from tabwarden.sync import Browser

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
TAGLINE = "The browser an AI agent can't get stuck in"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def read(path: str) -> str:
    """A project file as one line."""
    return " ".join((ROOT / path).read_text("utf-8").split())


def test_all_pages_and_packages_use_one_tagline() -> None:
    for path in ("README.md", "docs/index.md", "mkdocs.yml", "pyproject.toml", "server.json"):
        assert f"{TAGLINE}." in read(path), path
    for words in (
        tabwarden.__doc__ or "",
        Browser.__doc__ or "",
        read("src/tabwarden/integrations/hermes/plugin/plugin.yaml"),
    ):
        assert TAGLINE.lower() in words.lower()


def test_readme_and_index_begin_with_the_alpha_notice() -> None:
    assert any("Alpha" in one for one in PROJECT["classifiers"]), "else correct the sentences"
    for page in ("README.md", "docs/index.md"):
        beginning = read(page)[:700]
        assert f"This is version {PROJECT['version']}, an alpha" in beginning
        assert "not released" in beginning


def test_security_page_contains_no_contact_address_before_one_exists() -> None:
    assert "urls" not in PROJECT, "there is an address now: tell it in SECURITY.md"
    assert "no public repository" in read("SECURITY.md").replace("has no", "no")
    assert not re.search(r"https?://", (ROOT / "SECURITY.md").read_text("utf-8"))
    assert "SECURITY.md" in README


@pytest.mark.parametrize(
    "page", ["README.md", *(f"docs/{n}.md" for n in ("limits", "budgets", "index"))]
)
def test_page_with_a_time_guarantee_states_the_idle_core_condition(page: str) -> None:
    words = read(page)
    assert "450 ms" in words.replace("450 ms late", "450 ms")
    assert "free core" in words or "core that is free" in words or "no free core" in words


def test_guides_do_not_install_tabwarden_from_pypi() -> None:
    named = re.compile(r"(?:pip|tool) install.*\btabwarden\b")
    for page in {*ROOT.glob("docs/*.md"), ROOT / "README.md"} - {ROOT / "docs/installation.md"}:
        for fence in re.findall(r"^```\w+\n(.*?)^```", page.read_text("utf-8"), re.M | re.S):
            installs = [line for line in fence.splitlines() if named.search(line)]
            assert [line for line in installs if "/path/to/tabwarden" not in line] == [], page
    assert "Tabwarden is not on PyPI yet" in read("docs/installation.md")


def test_readme_links_to_every_guide() -> None:
    pages = {path.name for path in (ROOT / "docs").glob("*.md")} - {"index.md"}
    assert pages - set(re.findall(r"\(docs/([\w-]+\.md)", README)) == set()


def test_readme_states_the_correct_number_of_hosts() -> None:
    assert f"([{len(HOSTS)} hosts](docs/hosts.md)" in README


def test_doctor_and_installation_guide_recommend_the_same_seccomp_profile() -> None:
    profile = browsers._SECCOMP.partition("seccomp=")[2]
    json.loads((ROOT / profile).read_text("utf-8"))
    assert browsers._SECCOMP in read("docs/installation.md")
    source = Path(browsers.__file__).read_text("utf-8")
    assert "seccomp=unconfined" not in source


def test_readme_shows_a_real_snapshot() -> None:
    fields = "<input aria-label=Email type=email required value=ada@example.com>"
    with Site() as site, Browser.launch() as browser:
        site.page("/payment", "<input aria-label='Card number'><button>Pay</button>")
        frame = f"<iframe title=Payment src='{site.there}/payment'></iframe>"
        page = f"<main><h1>Checkout</h1>{fields}{frame}</main>"
        browser.goto(site.page("/checkout", page, title="Checkout"))
        told = browser.snapshot().text.replace(site.here, "http://127.0.0.1:8000")
        told = told.replace(site.there, "http://localhost:8000")
    shown = README.partition("## What an agent reads")[2].partition("```text\n")[2]
    assert bare(told) == bare(shown.partition("\n```")[0])


def test_snapshot_guide_shows_real_shortened_outlines() -> None:
    guide = (ROOT / "docs/snapshots.md").read_text("utf-8")
    teas = "".join(f"<li><a href=/tea/{n}>Tea {n}</a></li>" for n in range(1, 477))
    many = "".join(f"<button>B{n}</button>" for n in range(41))
    asks = "<dialog aria-label='Delete?'><button>Yes</button></dialog>"
    for page, script, most in (
        (f"<ul>{teas}</ul>", "0", 200),
        (many + asks, "document.querySelector('dialog').showModal()", 2000),
    ):
        with Site() as site, Browser.launch() as browser:
            browser.goto(site.page("/", page))
            browser.snapshot()  # gives refs to elements that a dialog covers later
            browser.evaluate(script)
            told = browser.snapshot(max_chars=most).text
        outline = told.partition("<page ")[2].partition("\n")[2].partition("</page")[0]
        assert f"```text\n{outline}```" in guide


def bare(outline: str) -> list[str]:
    """An outline without values that differ from run to run: refs, tabs, the page's marker."""
    text = re.sub(r"ref=e\d+", "ref=e", outline)
    text = re.sub(r"page [0-9a-f]{8}", "page", text)
    return re.sub(r"Tab t\d+", "Tab t", text).strip().splitlines()
