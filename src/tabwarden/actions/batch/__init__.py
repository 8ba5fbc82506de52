"""Batch: several actions in one call. ``read_steps`` checks them all, ``run_batch`` runs them."""

from tabwarden.actions.batch.running import run_batch
from tabwarden.actions.batch.steps import Step, read_steps
from tabwarden.actions.batch.stopping import STOPS, StopOn, stop_reason

__all__ = ["STOPS", "Step", "StopOn", "read_steps", "run_batch", "stop_reason"]
