"""The JSON Schemas of answers. Those of requests are shapes (``tabwarden.control_api``)."""

from tabwarden.surfaces.http.schema.responses import SCHEMAS, answer_schema

__all__ = ["SCHEMAS", "answer_schema"]
