"""A store in Redis, which survives the coordinator's machine."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import msgspec

from tabwarden.fleet.coordinating.store.base import Kept, Superseded
from tabwarden.fleet.leasing.values import LeaseRow

_PREFIX = "tabwarden:fleet:"
_TERM = _PREFIX + "term"
_KEYS = (_TERM, _PREFIX + "generation", _PREFIX + "leases", _PREFIX + "drained")
_BEGIN = """
local term = redis.call('INCR', KEYS[1])
return {term, redis.call('GET', KEYS[2]) or '0', redis.call('HVALS', KEYS[3]),
        redis.call('SMEMBERS', KEYS[4])}
"""
_WRITE = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if tonumber(ARGV[2]) > tonumber(redis.call('GET', KEYS[2]) or '0') then
  redis.call('SET', KEYS[2], ARGV[2])
end
local puts = tonumber(ARGV[3])
for at = 4, 3 + puts * 2, 2 do redis.call('HSET', KEYS[3], ARGV[at], ARGV[at + 1]) end
for at = 4 + puts * 2, #ARGV, 2 do
  if redis.call('HGET', KEYS[3], ARGV[at]) == ARGV[at + 1] then
    redis.call('HDEL', KEYS[3], ARGV[at])
  end
end
return 1
"""
_DRAINED = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[4])
for at = 2, #ARGV do redis.call('SADD', KEYS[4], ARGV[at]) end
return 1
"""
_PATIENCE_S = 2.0


class RedisStore:
    """See ``Store``. Redis runs each of our scripts atomically.

    Args:
        url: ``redis://`` or ``rediss://``, as in redis-py. It may contain a password.
    """

    def __init__(self, url: str) -> None:
        from redis.asyncio import Redis  # slow to import

        self._redis: Any = Redis.from_url(
            url, socket_timeout=_PATIENCE_S, socket_connect_timeout=_PATIENCE_S
        )

    async def begin(self) -> Kept:
        term, generation, rows, drained = await self._run(_BEGIN)
        return Kept(
            int(term),
            int(generation),
            [msgspec.json.decode(row, type=LeaseRow) for row in rows],
            frozenset(node.decode() for node in drained),
        )

    async def check(self, term: int) -> None:
        if await self._query(self._redis.get(_TERM)) != str(term).encode():
            raise Superseded

    async def write(
        self, term: int, generation: int, put: Sequence[LeaseRow], remove: Sequence[LeaseRow]
    ) -> None:
        pairs = [part for row in (*put, *remove) for part in (row.task, msgspec.json.encode(row))]
        if not await self._run(_WRITE, term, generation, len(put), *pairs):
            raise Superseded

    async def keep_drained(self, term: int, nodes: Collection[str]) -> None:
        if not await self._run(_DRAINED, term, *nodes):
            raise Superseded

    async def close(self) -> None:
        await self._redis.aclose()

    async def _run(self, script: str, *arguments: Any) -> Any:
        return await self._query(self._redis.eval(script, len(_KEYS), *_KEYS, *arguments))

    async def _query(self, question: Any) -> Any:
        from redis.exceptions import RedisError

        try:
            return await question
        except (RedisError, OSError) as error:
            raise OSError(f"Redis is not responding: {type(error).__name__}: {error}") from None
