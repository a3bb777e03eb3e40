from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from ._backoff import Backoff
from .errors import TipoffConnectionError, TipoffError

# A `Retry-After` above this is not believed.
_LONGEST_WAIT = 60.0

_Answer = TypeVar("_Answer")
Report = Callable[[Mapping[str, Any]], None]


class Patience:
    """Repeats requests until they are answered, or refused in a way that repeating does not change."""

    def __init__(self, report: Report) -> None:
        self._report = report

    async def until_answered(self, ask: Callable[[], Awaitable[_Answer]]) -> _Answer:
        backoff = Backoff()
        while True:
            try:
                return await ask()
            except (TipoffError, TipoffConnectionError) as error:
                if is_final(error):
                    raise
                words = str(error) if isinstance(error, TipoffError) else "service unavailable"
                await self.pause(words, max(backoff.next(), wait_of(error)))

    async def pause(self, reason: str, seconds: float) -> None:
        self._report({"state": "waiting", "seconds": seconds, "reason": reason})
        await asyncio.sleep(seconds)


def is_final(error: Exception) -> bool:
    """Whether the same request would be refused again."""
    return isinstance(error, TipoffError) and 400 <= error.status < 500 and error.status not in (408, 429)


def wait_of(error: Exception) -> float:
    """Seconds that the service asked to wait."""
    seconds = error.retry_after if isinstance(error, TipoffError) else None
    return min(seconds or 0.0, _LONGEST_WAIT)
