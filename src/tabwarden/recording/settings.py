"""The limits of a task's recorder, and the paths of its files."""

from __future__ import annotations

from pathlib import Path

import msgspec

from tabwarden.config import BrowserConfig, set_options
from tabwarden.files.data_folder import data_folder
from tabwarden.recording.records import Record


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    folder: Path
    """The folder for traces of incidents, and for traces that an agent or a person requests."""
    seconds: float
    most_bytes: int
    record: Path | None
    """The folder for the recording of the whole task."""
    har: Path | None
    video: Path | None
    launch: Record = {}
    """The browser's launch options that a page can detect, without secrets."""

    @property
    def is_recording(self) -> bool:
        """Whether a recording was requested at the start."""
        return self.record is not None or self.har is not None or self.video is not None


def settings_of(config: BrowserConfig) -> Settings | None:
    """Return a recorder's settings; None if the configuration disables the recorder."""
    wanted = config.record, config.record_har, config.record_video
    if not config.recorder.enabled and not any(wanted):
        return None
    return Settings(
        folder=trace_folder(config),
        seconds=config.recorder.minutes * 60,
        most_bytes=round(config.recorder.megabytes * 1_000_000),
        record=config.record,
        har=config.record_har,
        video=config.record_video,
        launch=_launch(config),
    )


def _launch(config: BrowserConfig) -> Record:
    """Return the launch options that differ from their defaults, as JSON data."""
    options: Record = config.model_dump(mode="json", include={*set_options(config)})
    if config.proxy is not None:
        proxy = {name: one for name, one in options["proxy"].items() if one}
        if config.proxy.password.get_secret_value():
            proxy["password"] = "(secret PROXY_PASSWORD)"
        options["proxy"] = proxy
    if config.init_scripts:
        options["init_scripts"] = [str(one) for one in config.init_scripts]
    return options


def trace_folder(config: BrowserConfig) -> Path:
    return (config.trace_dir or data_folder() / "traces").expanduser()
