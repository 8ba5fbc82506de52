"""Batch: several actions in one call. ``read_steps`` checks all steps. ``prepare_batch`` returns a
function that runs the steps, and an entry point passes ``prepare_batch`` to ``Browser``."""

from tabwarden.actions.batch.running import prepare_batch
from tabwarden.actions.batch.steps import Step, read_steps
from tabwarden.actions.batch.stopping import STOPS, StopOn, stop_reason

__all__ = ["STOPS", "Step", "StopOn", "prepare_batch", "read_steps", "stop_reason"]
