"""The fleet on Ray: thin actors around ``Coordinator`` and ``Host``, and the cluster's commands.

Only this package imports Ray. ``actors`` has the two kinds of actors. ``remote_coordinator`` calls
the coordinator's actor. ``cluster`` starts and stops Ray on this machine, with its token and TLS
(``secrets_folder``).
"""

from tabwarden.fleet.on_ray.cluster import down, up
from tabwarden.fleet.on_ray.connecting import connect

__all__ = ["connect", "down", "up"]
