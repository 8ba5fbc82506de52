"""A browser opens although its home folder is read-only."""

from __future__ import annotations

from pathlib import Path

from browser.surfaces.cli.shell import shell
from support.site import Site

from tabwarden.endpoints.finding import BROWSERS_PATH, browsers_folder


def test_browser_opens_and_downloads_with_a_read_only_home_folder(site: Site, folder: Path) -> None:
    with shell(folder) as sh:
        sh.env |= {"HOME": "/dev/null/home", BROWSERS_PATH: str(browsers_folder())}
        for name in ("XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
            sh.env.pop(name, None)
        sh.ok("open", site.page("/", "here"))
        told = sh.json("download", site.page("/f.html", "it"))
        assert Path(told["value"]["path"]).is_relative_to(folder)
        sh.ok("close")
