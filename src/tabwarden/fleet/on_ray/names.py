"""Names in Ray: the namespace, the actors and the resources."""

NAMESPACE = "tabwarden"
COORDINATOR = "coordinator"
NODE_RESOURCE = "tabwarden_node"
"""Each node in the fleet has one unit of this Ray resource. A Ray autoscaler adds nodes that have
the resource.
"""
HEAD_RESOURCE = "tabwarden_head"
"""Only the head has this resource. The coordinator needs it if its store is a file there."""
RAYS_HEAD = "node:__internal_head__"
"""The resource with which Ray marks its head."""


def host_actor(node_id: str) -> str:
    """Return the actor name for a node's host."""
    return f"host-{node_id}"
