"""``tabwarden fleet``: start, join and stop a fleet on this machine, and look at the fleet."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from tabwarden.config import load_config
from tabwarden.errors import EndpointUnreachable, InvalidArgument
from tabwarden.surfaces.cli.commands.base import Commands, config_option, json_option, shows_errors
from tabwarden.surfaces.cli.output import show
from tabwarden.surfaces.cli.progress import working
from tabwarden.surfaces.requirements import check_extra

if TYPE_CHECKING:
    from tabwarden.fleet.client import CoordinatorClient

DRAIN_POLL_S = 1.0
"""How often `fleet drain --wait` asks whether tasks are left."""
DEFAULT_PORT = 6380
"""Ray's own default is Redis's port, which may be taken."""

address_option = click.option(
    "--address",
    default="auto",
    show_default=True,
    help="The fleet's head, HOST:PORT, of which this machine is a part. auto: find it.",
)


@click.group(cls=Commands)
def fleet() -> None:
    """Run browsers on several machines (pip install 'tabwarden[fleet]')."""
    shows_errors(check_extra)("fleet")


@fleet.command("up")
@click.argument("head", metavar="[HOST:PORT]", required=False)
@click.option("--listen", help="This machine's IP address for the others (default 127.0.0.1).")
@click.option("--port", type=int, help=f"The new head's port.  [default: {DEFAULT_PORT}]")
@click.option("--node", help="This machine's name in the fleet (default: its host name).")
@click.option("--store", help="Where the head keeps leases: sqlite:PATH or redis://HOST:PORT.")
@config_option
@click.option(
    "--block", is_flag=True, help="Stay until SIGTERM, then leave the fleet; for services."
)
@json_option
@shows_errors
def up(
    head: str | None,
    port: int | None,
    config: Path | None,
    block: bool,
    as_json: bool,
    **given: Any,
) -> None:
    """Start a fleet on this machine, or join the fleet whose head is at HOST:PORT.

    Ray runs on this machine until `fleet stop`, or until the machine stops. With --block, this
    command stays, and fails if Ray ends.
    """
    from tabwarden.fleet.on_ray import await_end
    from tabwarden.fleet.on_ray import up as start

    for option, value in (("port", port), ("store", given["store"])):
        if head is not None and value is not None:
            raise InvalidArgument(
                f"--{option} is for the head, and this machine joins the one at {head}.",
                f"Leave out --{option}, or leave out {head} to start another fleet.",
                field=option,
            )
    settings = load_config(config, fleet=given).fleet
    with working("Starting Ray and this node's browser host"):
        told = start(settings, head, port or DEFAULT_PORT, config)
    lines = [f"The node {told['node']} is part of the fleet at {told['address']}."]
    if head is None:
        lines.append(
            f"To add a machine, copy ray.token, ca.pem and ca.key from {told['secrets']} "
            "to the same folder there (keep them secret), then run on it: "
            f"tabwarden fleet up {told['address']} --listen ITS_ADDRESS"
        )
        lines.append("To use the fleet: tabwarden serve --fleet")
    show(told, lines, as_json=as_json)
    if block:
        await_end()


@fleet.command("attach")
@click.argument("head", metavar="[HOST:PORT]", required=False)
@click.option("--listen", help="This machine's IP address for the others (default 127.0.0.1).")
@click.option("--store", help="Where the coordinator keeps leases: redis://HOST:PORT.")
@config_option
@json_option
@shows_errors
def attach(head: str | None, config: Path | None, as_json: bool, **given: Any) -> None:
    """Join the fleet at HOST:PORT without browsers, or start a fleet on another's Ray.

    With HOST:PORT, this machine joins that cluster of Ray and runs no browsers, so that a server
    here can use the fleet. Without HOST:PORT, something else must have started Ray here. If the
    cluster has no fleet yet, it gets one: nodes with Ray's resource tabwarden_node run browsers.
    """
    from tabwarden.fleet.on_ray import attach as start

    settings = load_config(config, fleet=given).fleet
    with working("Starting the fleet's coordinator"):
        told = start(settings, head)
    nodes = f"with {len(told['nodes'])} node(s)" if told["nodes"] else "and its nodes start now"
    lines = [f"The fleet at {told['address']} runs, {nodes}."]
    show(told, [*lines, "To use it: tabwarden serve --fleet"], as_json=as_json)


@fleet.command("secrets")
@click.option("--listen", help="This machine's IP address, to make its certificate too.")
@click.option("--name", "names", multiple=True, help="A DNS name for its certificate. Repeatable.")
@json_option
@shows_errors
def secrets(listen: str | None, names: tuple[str, ...], as_json: bool) -> None:
    """Make the secrets that all machines of a fleet share, if they are missing.

    They are Ray's token and a certificate authority, in the folder TABWARDEN_FLEET_SECRETS. `fleet
    up` makes them itself; only what starts Ray otherwise needs this command.
    """
    from tabwarden.fleet.on_ray import make_secrets

    folder = make_secrets(listen, names)
    show({"secrets": str(folder)}, [f"The secrets are in {folder}."], as_json=as_json)


@fleet.command("status")
@address_option
@json_option
@shows_errors
def status(address: str, as_json: bool) -> None:
    """Show the nodes, and how many tasks run and wait."""
    told = _status(address)
    lines = [f"{len(told['tasks'])} task(s) running, {len(told['waiting'])} waiting"]
    show(told, [*node_lines(told), *lines], as_json=as_json)


@fleet.command("nodes")
@address_option
@json_option
@shows_errors
def nodes(address: str, as_json: bool) -> None:
    """List the nodes."""
    told = _status(address)
    show(told["nodes"], node_lines(told), as_json=as_json)


@fleet.command("tasks")
@address_option
@json_option
@shows_errors
def tasks(address: str, as_json: bool) -> None:
    """List the tasks, the node of each, and its generation."""
    told = _status(address)
    rows = [
        (one["task"], one["tenant"] or "-", one["node"], str(one["generation"]))
        for one in told["tasks"]
    ]
    rows += [(one["task"], one["tenant"] or "-", "waits", "") for one in told["waiting"]]
    lines = (
        _columns(("TASK", "TENANT", "NODE", "GENERATION"), rows) if rows else ["no task is running"]
    )
    show({"tasks": told["tasks"], "waiting": told["waiting"]}, lines, as_json=as_json)


@fleet.command("drain")
@click.argument("node")
@click.option("--undo", is_flag=True, help="Let the node have tasks again.")
@click.option("--wait", is_flag=True, help="Return when no task is left on the node.")
@address_option
@json_option
@shows_errors
def drain(node: str, undo: bool, wait: bool, address: str, as_json: bool) -> None:
    """Place no more tasks on NODE. Its tasks move to other nodes when they are idle.

    NODE stays drained until --undo, also if it restarts or is away meanwhile.
    """
    from tabwarden.fleet.client import connect_coordinator

    if undo and wait:
        raise InvalidArgument(
            "--undo and --wait don't go together.", "Leave out one.", field="wait"
        )
    coordinator = connect_coordinator(address)
    asyncio.run(coordinator.undrain(node) if undo else coordinator.drain(node))
    if wait:
        with working(f"Waiting until {node} has no tasks"):
            asyncio.run(empty(coordinator, node))
    now = "empty and drained" if wait else "drained, and its tasks move when they are idle"
    words = f"{node} can have tasks again" if undo else f"{node} is {now}"
    show({"node": node, "draining": not undo}, [words], as_json=as_json)


async def empty(coordinator: CoordinatorClient, node: str, *, poll_s: float = DRAIN_POLL_S) -> None:
    """Wait until no task has a lease on a node. A coordinator that is away may come back."""
    while True:
        with suppress(EndpointUnreachable):
            if all(task.node != node for task in (await coordinator.status()).tasks):
                return
        await asyncio.sleep(poll_s)


@fleet.command("stop")
@json_option
@shows_errors
def stop(as_json: bool) -> None:
    """End what this user's fleet started on this machine: browsers and Ray.

    Every other Ray goes on. If the fleet is attached to one (`fleet attach`), run this on its head:
    it ends the fleet there.
    """
    from tabwarden.fleet.on_ray import down

    with working("Ending the browsers and Ray"):
        ended = down()
    line = {
        "node": "This machine has left the fleet.",
        "fleet": "The fleet has ended. Ray goes on, because something else started it.",
        "nothing": "No fleet of this user runs on this machine.",
    }[ended]
    show({"ended": ended}, [line], as_json=as_json)


def _status(address: str) -> dict[str, Any]:
    from tabwarden.fleet.client import connect_coordinator

    told: dict[str, Any] = msgspec.to_builtins(asyncio.run(connect_coordinator(address).status()))
    return told


def node_lines(told: dict[str, Any]) -> list[str]:
    """Return the lines that ``fleet status`` shows of the nodes."""
    rows = []
    for node in told["nodes"]:
        free = node["free_memory_mb"]
        rows.append(
            (
                node["node"],
                node["state"],
                "yes" if node["is_draining"] else "",
                f"{node['tasks']} of {node['max_tasks']}",
                str(node["warm"]),
                "?" if free is None else f"{free} MB",
            )
        )
    here = {node["node"] for node in told["nodes"]}
    rows += [(one, "away", "yes", "", "", "") for one in told["drained"] if one not in here]
    if not rows:
        return ["the fleet has no nodes"]
    table = _columns(("NODE", "STATE", "DRAINED", "TASKS", "WARM", "FREE MEMORY"), rows)
    return [*table, *(_late_line(node) for node in told["nodes"] if node["nearly_late"])]


def _late_line(node: dict[str, Any]) -> str:
    return (
        f"{node['node']} is too busy: {node['nearly_late']} renewal(s) of its leases came nearly "
        "too late. Lower fleet.max_tasks_per_node there, or its browsers may be lost."
    )


def _columns(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a table as lines of equal columns."""
    table = [headings, *rows]
    widths = [max(len(row[at]) for row in table) for at in range(len(headings))]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in table]
