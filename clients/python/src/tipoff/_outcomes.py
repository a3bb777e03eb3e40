from __future__ import annotations

from ._patience import Patience
from .client import AsyncClient
from .types import Outcome

_LAG_SECONDS = 1.0


class OutcomeSequence:
    """The sequence of outcomes from a number on: every number once."""

    def __init__(self, client: AsyncClient, patience: Patience) -> None:
        self._client = client
        self._patience = patience
        self._last = 0
        # A number that the stream has sent: the ones before it are read first.
        self._sent: Outcome | None = None
        self._is_behind = False

    @property
    def is_behind(self) -> bool:
        """Whether `read` has to be called before the next frame is taken."""
        return self._is_behind

    async def begin(self, last: int | None) -> None:
        """`last`: the number before the first; None for the newest of this moment."""
        if last is None:
            page = await self._patience.until_answered(lambda: self._client.list_outcomes(limit=1))
            last = page["last"]
        self._last = last

    def connected(self) -> None:
        """Between two connections some may have been missed."""
        self._is_behind = True

    def take(self, outcome: Outcome) -> list[Outcome]:
        """An outcome of the stream, which leaves out those without an alert that passes the filters."""
        if outcome["number"] > self._last + 1:
            self._sent, self._is_behind = outcome, True
            return []
        return self._next([outcome])

    async def read(self) -> list[Outcome]:
        """One page of those after the last number so far."""
        after = self._last
        page = await self._patience.until_answered(lambda: self._client.list_outcomes(after=after, limit=100))
        found = self._next(page["outcomes"])
        sent = self._sent
        if sent is not None and sent["number"] <= self._last + 1:
            found += self._next([sent])
            self._sent = None
        self._is_behind = page["has_more"] or self._sent is not None
        if self._is_behind and not found:
            # Another process of the service may be behind the one of the socket.
            await self._patience.pause("outcomes are not known yet", _LAG_SECONDS)
        return found

    def _next(self, outcomes: list[Outcome]) -> list[Outcome]:
        new = [outcome for outcome in outcomes if outcome["number"] > self._last]
        if new:
            self._last = new[-1]["number"]
        return new
