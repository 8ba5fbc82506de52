"""``tabwarden fleet``: start, join, inspect and stop a fleet."""

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
"""The pause between checks whether the node still has tasks (`fleet drain --wait`)."""
DEFAULT_PORT = 6380
"""Ray's own default is the port of Redis, which may be in use."""

address_option = click.option(
    "--address",
    default="auto",
    show_default=True,
    help="The address of the fleet's head node (HOST:PORT), or auto for the head node of this "
    "machine's fleet.",
)


@click.group(cls=Commands)
def fleet() -> None:
    """Run browsers on several machines (pip install 'tabwarden[fleet]')."""
    shows_errors(check_extra)("fleet")


@fleet.command("up")
@click.argument("head", metavar="[HOST:PORT]", required=False)
@click.option(
    "--listen",
    help="The IP address at which other machines reach this machine (default 127.0.0.1).",
)
@click.option("--port", type=int, help=f"The port of the new head node.  [default: {DEFAULT_PORT}]")
@click.option("--node", help="This machine's name in the fleet (default: the host name).")
@click.option(
    "--store", help="Where the head node stores leases: sqlite:PATH or redis://HOST:PORT."
)
@config_option
@click.option(
    "--block", is_flag=True, help="Run until SIGTERM, then leave the fleet. For services."
)
@json_option
@shows_errors
def up(
    head: str | None,
    port: int | None,
    config: Path | None,
    block: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Start a fleet on this machine, or join the fleet whose head is at HOST:PORT.

    Ray runs on this machine until `fleet stop`, or until the machine stops. With --block, this
    command keeps running, and fails if Ray ends.
    """
    from tabwarden.fleet.on_ray import await_end
    from tabwarden.fleet.on_ray import up as start

    for option, value in (("port", port), ("store", options["store"])):
        if head is not None and value is not None:
            raise InvalidArgument(
                f"--{option} applies only to the fleet's head, but this machine joins the head at "
                f"{head}.",
                f"Omit --{option}, or omit {head} to start another fleet.",
                field=option,
            )
    settings = load_config(config, fleet=options).fleet
    with working("Starting Ray and the browser host"):
        node = start(settings, head, port or DEFAULT_PORT, config)
    lines = [f"The node {node['node']} is part of the fleet at {node['address']}."]
    if head is None:
        lines.append(
            f"To add a machine, copy ray.token, ca.pem and ca.key from {node['secrets']} "
            "to the same folder on that machine (keep them secret), then run there: "
            f"tabwarden fleet up {node['address']} --listen ITS_ADDRESS"
        )
        lines.append("To use the fleet: tabwarden serve --fleet")
    show(node, lines, as_json=as_json)
    if block:
        await_end()


@fleet.command("attach")
@click.argument("head", metavar="[HOST:PORT]", required=False)
@click.option(
    "--listen",
    help="The IP address at which other machines reach this machine (default 127.0.0.1).",
)
@click.option("--store", help="Where the coordinator stores leases: redis://HOST:PORT.")
@config_option
@json_option
@shows_errors
def attach(head: str | None, config: Path | None, as_json: bool, **options: Any) -> None:
    """Join the fleet at HOST:PORT without running browsers, or start a fleet on an existing Ray
    cluster.

    With HOST:PORT, this machine joins that Ray cluster and runs no browsers, so that a server on
    this machine can use the fleet. Without HOST:PORT, another program must have started Ray on this
    machine. If the cluster has no fleet yet, this command starts one: nodes with the Ray resource
    tabwarden_node run browsers.
    """
    from tabwarden.fleet.on_ray import attach as start

    settings = load_config(config, fleet=options).fleet
    with working("Starting the fleet's coordinator"):
        state = start(settings, head)
    nodes = (
        f"with {len(state['nodes'])} node(s)" if state["nodes"] else "and its nodes are starting"
    )
    lines = [f"The fleet at {state['address']} is running, {nodes}."]
    show(state, [*lines, "To use the fleet: tabwarden serve --fleet"], as_json=as_json)


@fleet.command("secrets")
@click.option(
    "--listen",
    help="This machine's IP address. If set, the command also creates a certificate for the "
    "machine.",
)
@click.option(
    "--name",
    "names",
    multiple=True,
    help="A DNS name to include in the certificate. May be repeated.",
)
@json_option
@shows_errors
def secrets(listen: str | None, names: tuple[str, ...], as_json: bool) -> None:
    """Create the secrets that all machines in a fleet share, if they are missing.

    The secrets are Ray's token and a certificate authority, in the folder TABWARDEN_FLEET_SECRETS.
    `fleet up` also creates them, so you need this command only if you start Ray in another way.
    """
    from tabwarden.fleet.on_ray import make_secrets

    folder = make_secrets(listen, names)
    show({"secrets": str(folder)}, [f"The secrets are in {folder}."], as_json=as_json)


@fleet.command("status")
@address_option
@json_option
@shows_errors
def status(address: str, as_json: bool) -> None:
    """Show the nodes, and the number of running and waiting tasks."""
    state = _status(address)
    lines = [f"{len(state['tasks'])} task(s) running, {len(state['waiting'])} waiting"]
    show(state, [*node_lines(state), *lines], as_json=as_json)


@fleet.command("nodes")
@address_option
@json_option
@shows_errors
def nodes(address: str, as_json: bool) -> None:
    """List the nodes."""
    state = _status(address)
    show(state["nodes"], node_lines(state), as_json=as_json)


@fleet.command("tasks")
@address_option
@json_option
@shows_errors
def tasks(address: str, as_json: bool) -> None:
    """List each task with its tenant, node and generation."""
    state = _status(address)
    rows = [
        (one["task"], one["tenant"] or "-", one["node"], str(one["generation"]))
        for one in state["tasks"]
    ]
    rows += [(one["task"], one["tenant"] or "-", "waits", "") for one in state["waiting"]]
    lines = (
        _columns(("TASK", "TENANT", "NODE", "GENERATION"), rows) if rows else ["no task is running"]
    )
    show({"tasks": state["tasks"], "waiting": state["waiting"]}, lines, as_json=as_json)


@fleet.command("drain")
@click.argument("node")
@click.option("--undo", is_flag=True, help="Allow tasks on the node again.")
@click.option("--wait", is_flag=True, help="Wait until the node has no tasks.")
@address_option
@json_option
@shows_errors
def drain(node: str, undo: bool, wait: bool, address: str, as_json: bool) -> None:
    """Place no more tasks on NODE. Its tasks move to other nodes when they are idle.

    NODE stays drained until --undo, even if it restarts or disconnects in the meantime.
    """
    from tabwarden.fleet.client import connect_coordinator

    if undo and wait:
        raise InvalidArgument(
            "--undo and --wait can't be combined.", "Omit one of them.", field="wait"
        )
    coordinator = connect_coordinator(address)
    asyncio.run(coordinator.undrain(node) if undo else coordinator.drain(node))
    if wait:
        with working(f"Waiting until {node} has no tasks"):
            asyncio.run(empty(coordinator, node))
    now = (
        "drained, and has no tasks"
        if wait
        else "being drained: its tasks move to other nodes when they are idle"
    )
    words = f"{node} accepts tasks again" if undo else f"{node} is {now}"
    show({"node": node, "draining": not undo}, [words], as_json=as_json)


async def empty(coordinator: CoordinatorClient, node: str, *, poll_s: float = DRAIN_POLL_S) -> None:
    """Wait until no task has a lease on a node. Keep waiting while the coordinator is
    unreachable.
    """
    while True:
        with suppress(EndpointUnreachable):
            if all(task.node != node for task in (await coordinator.status()).tasks):
                return
        await asyncio.sleep(poll_s)


@fleet.command("stop")
@json_option
@shows_errors
def stop(as_json: bool) -> None:
    """Stop the browsers and Ray that this user's fleet started on this machine.

    Every other Ray keeps running. To end a fleet on an existing Ray cluster (`fleet attach`), run
    this command on the cluster's head.
    """
    from tabwarden.fleet.on_ray import down

    with working("Stopping the browsers and Ray"):
        ended = down()
    line = {
        "node": "This machine has left the fleet.",
        "fleet": "The fleet was stopped. Ray is still running, because another program started it.",
        "nothing": "This user has no running fleet on this machine.",
    }[ended]
    show({"ended": ended}, [line], as_json=as_json)


def _status(address: str) -> dict[str, Any]:
    from tabwarden.fleet.client import connect_coordinator

    state: dict[str, Any] = msgspec.to_builtins(asyncio.run(connect_coordinator(address).status()))
    return state


def node_lines(state: dict[str, Any]) -> list[str]:
    """Return the lines about nodes for the output of ``fleet status``."""
    rows = []
    for node in state["nodes"]:
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
    here = {node["node"] for node in state["nodes"]}
    rows += [(one, "away", "yes", "", "", "") for one in state["drained"] if one not in here]
    if not rows:
        return ["the fleet has no nodes"]
    table = _columns(("NODE", "STATE", "DRAINED", "TASKS", "WARM", "FREE MEMORY"), rows)
    return [*table, *(_late_line(node) for node in state["nodes"] if node["nearly_late"])]


def _late_line(node: dict[str, Any]) -> str:
    return (
        f"{node['node']} is too busy: {node['nearly_late']} lease renewal(s) were nearly too "
        f"late. Lower fleet.max_tasks_per_node on the node, or its browsers may be lost."
    )


def _columns(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a table as lines with aligned columns."""
    table = [headings, *rows]
    widths = [max(len(row[at]) for row in table) for at in range(len(headings))]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in table]
