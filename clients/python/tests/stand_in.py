"""The service, as far as a client of the stream knows it, doing what a test says."""

from __future__ import annotations

import asyncio
import json
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response


class StandIn:
    def __init__(self) -> None:
        self.newest_id = 0
        #: The ids of the archive.
        self.archive: list[int] = []
        #: The newest outcome.
        self.outcomes = 0
        #: The newest exit.
        self.exits = 0
        #: What the next requests of REST are answered with, instead of a success.
        self.refusals: list[int] = []
        #: What the next handshakes are answered with, instead of a success.
        self.handshake_refusals: list[int] = []
        self.asked: list[str] = []
        self.queries: list[dict[str, str]] = []
        self._connections: asyncio.Queue[ServerConnection] = asyncio.Queue()

    async def __aenter__(self) -> StandIn:
        self._over = asyncio.Event()
        self._server = await serve(
            self._handle, "127.0.0.1", 0, process_request=self._answer, ping_interval=None, close_timeout=0.2
        )
        port = self._server.sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        return self

    async def __aexit__(self, *_error: object) -> None:
        self._over.set()
        self._server.close()
        await self._server.wait_closed()

    async def connection(self) -> ServerConnection:
        return await self._connections.get()

    async def connected(self, tier: str = "pro") -> ServerConnection:
        socket = await self.connection()
        await send(socket, {"type": "connected", "message": "Send ping.", "tier": tier})
        return socket

    async def _handle(self, socket: ServerConnection) -> None:
        self._connections.put_nowait(socket)
        await self._over.wait()

    def _answer(self, connection: ServerConnection, request: Request) -> Response | None:
        address = urlsplit(request.path)
        query = {name: values[0] for name, values in parse_qs(address.query).items()}
        if address.path == "/ws/alerts":
            self.queries.append(query)
            return _json(connection, self.handshake_refusals.pop(0), REFUSED) if self.handshake_refusals else None
        self.asked.append(request.path)
        if self.refusals:
            return _json(connection, self.refusals.pop(0), REFUSED)
        for name, last in (("outcomes", self.outcomes), ("exits", self.exits)):
            if address.path == f"/api/v1/{name}":
                after = int(query.get("after", 0))
                end = min(last, after + 2)
                found = [{"number": one} for one in range(after + 1, end + 1)]
                return _json(connection, 200, {name: found, "last": last, "has_more": end < last})
        if address.path != "/api/v1/alerts":
            return _json(connection, 200, [{"id": self.newest_id}])
        newer = [one for one in self.archive if int(query["since_id"]) < one < int(query["before_id"])]
        size = int(query["page_size"])
        page = {"alerts": [alert(one)["data"] for one in newer[:size]], "has_more": len(newer) > size}
        return _json(connection, 200, page)


REFUSED = {"detail": "No.", "code": "refused"}


def _json(connection: ServerConnection, status: int, body: Any) -> Response:
    response = connection.respond(HTTPStatus(status), json.dumps(body))
    del response.headers["Content-Type"]
    response.headers["Content-Type"] = "application/json"
    response.headers["Retry-After"] = "7"
    return response


def alert(number: int, category: str = "politics") -> dict[str, Any]:
    return {"type": "alert", "data": {"id": number, "category": category}}


def outcome(number: int) -> dict[str, Any]:
    return {"type": "outcome", "data": {"number": number}}


async def send(socket: ServerConnection, frame: Any) -> None:
    await socket.send(frame if isinstance(frame, str) else json.dumps(frame))
