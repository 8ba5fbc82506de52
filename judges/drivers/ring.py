"""Runs the members and the scenes with every driver."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from support.site import Site

from bench.rivals.installed import Installed
from judges.drivers import members
from judges.drivers.hands import AnthropicHands, Hands, OpenAIHands
from judges.drivers.process import DriverProcess, NoAnswer
from judges.drivers.scenes import ROUGH, SCENES, TIMED, Note

__all__ = ["CONTRACTS", "MEMBERS", "Findings", "run"]

PAGES = Path(__file__).with_name("pages")
CONTRACTS: dict[str, type[Hands]] = {"anthropic": AnthropicHands, "openai": OpenAIHands}
CHECKS = {"anthropic": members.ANTHROPIC, "openai": members.OPENAI}
MEMBERS = "members"
"""The name that selects the checks of the members."""
AT_ONCE = 3
"""Drivers that play at once: they mostly wait."""
SECRET = '{{SHOP_CODE: {{value: white-raven-5, origins: ["{origin}"]}}}}'


@dataclass
class Findings:
    """What one product's driver for one contract did."""

    product: str
    contract: str
    notes: list[Note] = field(default_factory=list)
    absent: str = ""
    """Why the driver could not be started."""

    def of(self, row: str) -> list[Note]:
        return [note for note in self.notes if note.row == row]


Tell = Callable[[Findings, str, list[Note]], None]


@dataclass(frozen=True)
class Ring:
    browser: str
    installed: Installed
    tell: Tell

    @contextmanager
    def hands(self, findings: Findings) -> Iterator[Hands]:
        """Start a driver and a server with the pages; note late calls and broken rules."""
        with Site() as site:
            for page in PAGES.iterdir():
                site.pages[f"/{page.name}"] = page.read_text("utf-8")
            site.pages["/paper.txt"] = "A paper."
            secret = SECRET.format(origin=site.here)
            with DriverProcess(
                findings.product, findings.contract, self.browser, self.installed, secret
            ) as driver:
                hands = CONTRACTS[findings.contract](driver, site)
                try:
                    yield hands
                finally:
                    findings.notes += [Note("rules", False, breach) for breach in hands.breaches]
                    findings.notes += [
                        Note("late", False, f"{reply.member} ({reply.text})")
                        for reply in hands.replies
                        if reply.late
                    ]

    def play(self, findings: Findings, names: Sequence[str]) -> None:
        """Play scenes with one driver, and with a new one after a call without an answer."""
        left = list(names)
        while left:
            with self.hands(findings) as hands:
                while left and not hands.gone:
                    name = left.pop(0)
                    rows, scene = SCENES[name]
                    try:
                        notes = scene(hands)
                    except NoAnswer as error:
                        notes = [Note(row, False, f"{name}: {error}") for row in rows]
                    findings.notes += notes
                    self.tell(findings, name, notes)

    def check(self, findings: Findings) -> None:
        """Check the members, with a new driver after one that does not answer."""
        left = list(CHECKS[findings.contract].items())
        while left:
            with self.hands(findings) as hands:
                while left and not hands.gone:
                    name, check = left.pop(0)
                    try:
                        hands.open("/members.html")
                        why = check(hands)
                    except NoAnswer as error:
                        why = str(error)
                    note = Note("members", why is None, name if why is None else f"{name}: {why}")
                    findings.notes.append(note)
                    self.tell(findings, MEMBERS, [note])

    def part(self, findings: Findings, names: Sequence[str]) -> None:
        """Play all scenes of one driver. A scene that may spoil the browser gets a new one."""
        calm = [name for name in names if name in SCENES and name not in ROUGH]
        try:
            if MEMBERS in names:
                self.check(findings)
            self.play(findings, calm)
            for name in names:
                if name in ROUGH:
                    self.play(findings, [name])
        except (NoAnswer, FileNotFoundError) as error:
            findings.absent = str(error)
            self.tell(findings, "start", [Note("start", False, findings.absent)])


def run(
    products: Sequence[str],
    contracts: Sequence[str],
    names: Sequence[str],
    browser: str,
    installed: Installed,
    tell: Tell,
) -> list[Findings]:
    """Return what each driver did.

    Args:
        products: of ``PRODUCTS``.
        contracts: of ``CONTRACTS``.
        names: ``MEMBERS``, and names of ``SCENES``.
        browser: the browser's program.
        installed: the other products.
        tell: called after each scene, and after each member.
    """
    ring = Ring(browser, installed, tell)
    found = [Findings(product, contract) for contract in contracts for product in products]
    with ThreadPoolExecutor(AT_ONCE) as threads:
        mixed = [name for name in names if name not in TIMED]
        list(threads.map(lambda one: ring.part(one, _for(one, mixed)), found))
    for one in [one for one in found if not one.absent]:
        ring.part(one, _for(one, [name for name in names if name in TIMED]))
    return found


def _for(findings: Findings, names: Sequence[str]) -> list[str]:
    """The six calls are an exercise for Anthropic's contract."""
    return [name for name in names if name != "six" or findings.contract == "anthropic"]
