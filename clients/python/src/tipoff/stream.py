from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable, Sequence
from typing import Any, Literal, TypedDict, overload
from urllib.parse import urlencode

import httpx
from websockets.exceptions import InvalidHandshake, InvalidStatus

from ._backoff import Backoff
from ._connection import Connection, Frame
from ._events import EventSequence
from ._http import content_of
from ._patience import Patience, Report, is_final, wait_of
from ._stream_end import stream_end_of
from .client import AsyncClient
from .errors import TipoffError
from .types import Alert, Exit, Outcome

_PAGE_SIZE = 100


class AlertFrame(TypedDict):
    type: Literal["alert"]
    data: Alert


class OutcomeFrame(TypedDict):
    type: Literal["outcome"]
    data: Outcome


class ExitFrame(TypedDict):
    type: Literal["exit"]
    data: Exit


StreamEvent = AlertFrame | OutcomeFrame | ExitFrame


@overload
def follow(
    url: str,
    api_key: str,
    *,
    since_id: int | None = None,
    category: str | None = None,
    categories: Iterable[str] = (),
    side: str | None = None,
    min_usdc: float | None = None,
    min_position: float | None = None,
    min_signal: int | None = None,
    alert_type: str | None = None,
    search: str | None = None,
    wallet: str | None = None,
    market: str | None = None,
    outcomes: Literal[False] = False,
    exits: Literal[False] = False,
    on_status: Report | None = None,
) -> AsyncGenerator[Alert, None]: ...


@overload
def follow(
    url: str,
    api_key: str,
    *,
    since_id: int | None = None,
    category: str | None = None,
    categories: Iterable[str] = (),
    side: str | None = None,
    min_usdc: float | None = None,
    min_position: float | None = None,
    min_signal: int | None = None,
    alert_type: str | None = None,
    search: str | None = None,
    wallet: str | None = None,
    market: str | None = None,
    outcomes: Literal[True],
    since_outcome: int | None = None,
    exits: bool = False,
    since_exit: int | None = None,
    on_status: Report | None = None,
) -> AsyncGenerator[StreamEvent, None]: ...


@overload
def follow(
    url: str,
    api_key: str,
    *,
    since_id: int | None = None,
    category: str | None = None,
    categories: Iterable[str] = (),
    side: str | None = None,
    min_usdc: float | None = None,
    min_position: float | None = None,
    min_signal: int | None = None,
    alert_type: str | None = None,
    search: str | None = None,
    wallet: str | None = None,
    market: str | None = None,
    outcomes: Literal[False] = False,
    exits: Literal[True],
    since_exit: int | None = None,
    on_status: Report | None = None,
) -> AsyncGenerator[StreamEvent, None]: ...


async def follow(
    url: str,
    api_key: str,
    *,
    since_id: int | None = None,
    category: str | None = None,
    categories: Iterable[str] = (),
    side: str | None = None,
    min_usdc: float | None = None,
    min_position: float | None = None,
    min_signal: int | None = None,
    alert_type: str | None = None,
    search: str | None = None,
    wallet: str | None = None,
    market: str | None = None,
    outcomes: bool = False,
    since_outcome: int | None = None,
    exits: bool = False,
    since_exit: int | None = None,
    on_status: Report | None = None,
) -> AsyncGenerator[Any, None]:
    """
    Every alert from `since_id` on, once, in the order of ids, through lost connections and restarts of the server. Without
    `since_id`: the alerts from now on. Raises StreamEndedError when the server has ended the stream, as for a wrong filter
    (4400), and TipoffError when it refuses the key (401).

    With `outcomes` it yields events, `{"type": "alert", "data": …}` and `{"type": "outcome", "data": …}`: every outcome and
    correction after the number `since_outcome` as well, once, in order. The filters apply to alerts: outcomes of markets without
    an alert that passes come with the next one that has, or after a reconnect. With `exits` it yields
    `{"type": "exit", "data": …}` after the number `since_exit` in the same way.

    To leave the loop early, use `async with contextlib.aclosing(follow(…)) as alerts`, which closes the socket.

    on_status gets mappings with a `state`: `connecting` (`since_id`), `connected` (`tier`), `filling` (`from`, `to`: more than
    10,000 alerts were missed, and are read from the archive first), `waiting` (`seconds`, `reason`), `feed` (`notice`: the frame
    `degraded` or `recovered`).
    """
    for given in (since_id, since_outcome, since_exit):
        if given is not None and given < 0:
            raise ValueError(f"{given} is no id")
    filters = {
        "category": category,
        "categories": ",".join(categories) or None,
        "side": side,
        "min_usdc": min_usdc,
        "min_position": min_position,
        "min_signal": min_signal,
        "alert_type": alert_type,
        "search": search,
        "wallet": wallet,
        "market": market,
    }
    chosen = {name: value for name, value in filters.items() if value is not None}
    async with AsyncClient(url, api_key, retries=0) as client:
        following = _Following(client, url, api_key, chosen, on_status)
        try:
            await following.start(since_id)
            if outcomes:
                await following.add_outcomes(since_outcome)
            if exits:
                await following.add_exits(since_exit)
            while True:
                for event in await following.step():
                    yield event if outcomes or exits else event["data"]
        finally:
            await following.close()


class _Following:
    def __init__(
        self,
        client: AsyncClient,
        url: str,
        api_key: str,
        filters: dict[str, Any],
        on_status: Report | None,
    ) -> None:
        self._client = client
        self._url = url
        self._api_key = api_key
        self._filters = filters
        self._report: Report = on_status or (lambda _status: None)
        self._patience = Patience(self._report)
        self._outcomes: EventSequence[Outcome] | None = None
        self._exits: EventSequence[Exit] | None = None
        self._backoff = Backoff()
        self._connection: Connection | None = None
        # Where the next connection begins.
        self._last_id = 0
        # The newest alert of this run. A `since_id` that does not exist yet must not hide what comes.
        self._seen = 0
        # The ids that the stream has left out: read from the archive before the next frame is taken.
        self._gap: tuple[int, int] | None = None
        self._tier: str | None = None

    async def start(self, since_id: int | None) -> None:
        if since_id is None:
            latest = await self._patience.until_answered(lambda: self._client.get_latest_alerts(limit=1))
            since_id = latest[0]["id"] if latest else 0
        self._last_id = since_id

    async def add_outcomes(self, since: int | None) -> None:
        self._outcomes = EventSequence[Outcome]("outcomes", self._client.list_outcomes, self._patience)
        await self._outcomes.begin(since)

    async def add_exits(self, since: int | None) -> None:
        self._exits = EventSequence[Exit]("exits", self._client.list_exits, self._patience)
        await self._exits.begin(since)

    async def step(self) -> Sequence[StreamEvent]:
        """The next events: of a frame, or of a page of REST. Empty after anything else that happened."""
        if self._gap is not None:
            return await self._fill(*self._gap)
        if self._outcomes is not None and self._outcomes.is_behind:
            return _outcome_events(await self._outcomes.read())
        if self._exits is not None and self._exits.is_behind:
            return _exit_events(await self._exits.read())
        if self._connection is None:
            await self._connect()
            return ()
        frame = await self._connection.next()
        if frame is None:
            await self._after_end(self._connection)
            return ()
        return self._take(frame)

    async def close(self) -> None:
        if self._connection is not None:
            await self._connection.close()
            self._connection = None

    async def _connect(self) -> None:
        self._report({"state": "connecting", "since_id": self._last_id})
        try:
            self._connection = await Connection.open(self._address())
        except InvalidStatus as error:
            # The answer of REST, with the reason.
            response = error.response
            headers = list(response.headers.raw_items())
            refusal = _refusal_of(response.status_code, headers, bytes(response.body or b""))
            if is_final(refusal):
                raise refusal from error
            await self._patience.pause(str(refusal), max(self._backoff.next(), wait_of(refusal)))
        except (OSError, asyncio.TimeoutError, InvalidHandshake, EOFError):
            await self._patience.pause("service unavailable", self._backoff.next())

    def _take(self, frame: Frame) -> Sequence[StreamEvent]:
        kind = frame["type"]
        if kind == "connected":
            self._tier = str(frame.get("tier"))
            self._backoff.reset()
            self._report({"state": "connected", "tier": self._tier})
            if self._outcomes is not None:
                self._outcomes.connected()
            if self._exits is not None:
                self._exits.connected()
        elif kind == "alert":
            return self._new([frame["data"]])
        elif kind == "outcome" and self._outcomes is not None:
            return _outcome_events(self._outcomes.take(frame["data"]))
        elif kind == "exit" and self._exits is not None:
            return _exit_events(self._exits.take(frame["data"]))
        elif kind == "gap":
            self._gap = (frame["from"] - 1, frame["to"])
            self._report({"state": "filling", "from": frame["from"], "to": frame["to"]})
        elif kind in ("degraded", "recovered"):
            self._report({"state": "feed", "notice": frame})
        return ()

    def _new(self, alerts: Iterable[Alert]) -> Sequence[StreamEvent]:
        new = [alert for alert in alerts if alert["id"] > self._seen]
        if new:
            self._seen = self._last_id = new[-1]["id"]
        return [{"type": "alert", "data": alert} for alert in new]

    async def _fill(self, after: int, to: int) -> Sequence[StreamEvent]:
        """One page of the alerts that the stream has left out, oldest first."""
        cursors = {"since_id": after, "before_id": to + 1}
        query: dict[str, Any] = {**self._filters, **cursors, "expand": "details", "page_size": _PAGE_SIZE}
        page = await self._patience.until_answered(lambda: self._client._call("GET", "/api/v1/alerts", query=query))
        alerts = page["alerts"]
        end = alerts[-1]["id"] if alerts and page["has_more"] else to
        self._gap = (end, to) if end < to else None
        new = self._new(alerts)
        if self._gap is None:
            self._seen = self._last_id = max(self._seen, to)
        return new

    async def _after_end(self, connection: Connection) -> None:
        """Waits before the next connection; raises if there must be none."""
        await self.close()
        end = stream_end_of(connection.code, self._tier, connection.detail)
        if end is not None:
            raise end
        await self._patience.pause(connection.reason, self._backoff.next())

    def _address(self) -> str:
        query: dict[str, Any] = {"api_key": self._api_key, "since_id": self._last_id, **self._filters}
        if self._outcomes is not None:
            query["outcomes"] = "true"
        if self._exits is not None:
            query["exits"] = "true"
        root = str(httpx.URL(self._url).join("/ws/alerts"))
        return f"{'ws' + root[4:] if root.startswith('http') else root}?{urlencode(query)}"


def _outcome_events(outcomes: Sequence[Outcome]) -> Sequence[StreamEvent]:
    return [{"type": "outcome", "data": outcome} for outcome in outcomes]


def _exit_events(exits: Sequence[Exit]) -> Sequence[StreamEvent]:
    return [{"type": "exit", "data": exit_} for exit_ in exits]


def _refusal_of(status: int, headers: list[tuple[str, str]], body: bytes) -> TipoffError:
    try:
        content_of(httpx.Response(status, headers=headers, content=body))
    except TipoffError as refusal:
        return refusal
    except ValueError:
        pass
    return TipoffError(status, "the handshake was refused")
