from __future__ import annotations

import asyncio
import json
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

# The contract advises 20 to 25 seconds. Pings of the protocol, which the library would send, do not count.
_PING_SECONDS = 20.0
# The time for `connected`, and for any frame after a ping.
_ANSWER_SECONDS = 10.0
# With this many frames waiting the connection is closed; it is resumed when they have been taken.
_WAITING_MAX = 20_000
_MESSAGE_BYTES_MAX = 16 * 1_024 * 1_024
_CLOSE_SECONDS = 1.0

Frame = dict[str, Any]


class Connection:
    """One connection to the stream: sends pings, and keeps the frames until they are taken."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._frames: asyncio.Queue[Frame | None] = asyncio.Queue()
        self._watchdog: asyncio.TimerHandle | None = None
        self.code = 1006
        self.reason = "lost"
        # The reason that the server sent.
        self.detail = ""
        # Before the first frame can be read.
        self._expect_a_frame()
        self._tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._keep_alive())]

    @classmethod
    async def open(cls, address: str) -> Connection:
        socket = await connect(
            address,
            ping_interval=None,
            compression=None,
            max_size=_MESSAGE_BYTES_MAX,
            open_timeout=_ANSWER_SECONDS,
            close_timeout=_CLOSE_SECONDS,
        )
        return cls(socket)

    async def next(self) -> Frame | None:
        """The next frame; None when the connection has ended and all frames have been taken."""
        return await self._frames.get()

    async def close(self) -> None:
        self._calm()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._socket.close()

    async def _read(self) -> None:
        try:
            async for message in self._socket:
                frame = _parsed(message)
                if frame is None:
                    continue
                self._calm()
                if self._frames.qsize() >= _WAITING_MAX:
                    self.reason = "too many alerts wait to be taken"
                    return
                self._frames.put_nowait(frame)
        except ConnectionClosed:
            pass
        finally:
            self._calm()
            if self._socket.close_code is not None:
                self.code = self._socket.close_code
                self.detail = self._socket.close_reason or ""
                self.reason = f"closed with {self.code} {self.detail}".strip()
            self._frames.put_nowait(None)

    async def _keep_alive(self) -> None:
        try:
            while True:
                await asyncio.sleep(_PING_SECONDS)
                self._expect_a_frame()
                await self._socket.send("ping")
        except ConnectionClosed:
            return

    def _expect_a_frame(self) -> None:
        """Cuts a connection that stays silent: a network that is gone would never answer a close frame."""
        self._calm()
        loop = asyncio.get_running_loop()
        # Not `wait_for`, which before Python 3.12 may miss that its task was cancelled.
        self._watchdog = loop.call_later(_ANSWER_SECONDS, self._socket.transport.abort)

    def _calm(self) -> None:
        if self._watchdog is not None:
            self._watchdog.cancel()


def _parsed(message: str | bytes) -> Frame | None:
    try:
        frame = json.loads(message)
    except ValueError:
        return None
    return frame if isinstance(frame, dict) and isinstance(frame.get("type"), str) else None
