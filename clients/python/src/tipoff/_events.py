from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Generic, TypeVar

from ._patience import Patience
from .types import Exit, Outcome

_LAG_SECONDS = 1.0

Event = TypeVar("Event", Outcome, Exit)
#: `list_outcomes` or `list_exits`.
ReadPage = Callable[..., Awaitable[Any]]


class EventSequence(Generic[Event]):
    """The outcomes or exits from a number on: every number once."""

    def __init__(self, name: str, read_page: ReadPage, patience: Patience) -> None:
        # The name of the list in a page: `outcomes` or `exits`.
        self._name = name
        self._read_page = read_page
        self._patience = patience
        self._last = 0
        # An event that the stream has sent: the ones before it are read first.
        self._sent: Event | None = None
        self._is_behind = False

    @property
    def is_behind(self) -> bool:
        """Whether `read` has to be called before the next frame is taken."""
        return self._is_behind

    async def begin(self, last: int | None) -> None:
        """`last`: the number before the first; None for the newest of this moment."""
        if last is None:
            page = await self._patience.until_answered(lambda: self._read_page(limit=1))
            last = int(page["last"])
        self._last = last

    def connected(self) -> None:
        """Between two connections some may have been missed."""
        self._is_behind = True

    def take(self, event: Event) -> list[Event]:
        """An event of the stream, which leaves out those without an alert that passes the filters."""
        if event["number"] > self._last + 1:
            self._sent, self._is_behind = event, True
            return []
        return self._next([event])

    async def read(self) -> list[Event]:
        """One page of those after the last number so far."""
        after = self._last
        page = await self._patience.until_answered(lambda: self._read_page(after=after, limit=100))
        found = self._next(page[self._name])
        sent = self._sent
        if sent is not None and sent["number"] <= self._last + 1:
            found += self._next([sent])
            self._sent = None
        self._is_behind = page["has_more"] or self._sent is not None
        if self._is_behind and not found:
            # Another process of the service may be behind the one of the socket.
            await self._patience.pause(f"{self._name} are not known yet", _LAG_SECONDS)
        return found

    def _next(self, events: list[Event]) -> list[Event]:
        new = [event for event in events if event["number"] > self._last]
        if new:
            self._last = new[-1]["number"]
        return new
