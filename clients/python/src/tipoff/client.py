from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from types import TracebackType
from typing import Any

import httpx

from ._http import Retries, connection_errors, content_of, headers_of, next_request_of, request_of, rest_address
from ._operations import AsyncOperations, Operations
from .errors import TipoffConnectionError, TipoffError

_TIMEOUT = 30.0
_RETRIES = 2
_LONGEST_WAIT = 60.0
_NOTHING: Mapping[str, Any] = {}


class Client(Operations):
    """
    Every operation of the API by its documented name in snake case. Close it, or use it in a `with` statement.

    url: address of the service without a path. api_key: `sk_live_…`; public routes need none. retries: attempts after the
    first. longest_wait: a `Retry-After` of more seconds is not waited for. timeout: seconds for one attempt. transport: one of
    httpx, for tests.
    """

    def __init__(
        self,
        url: str,
        api_key: str | None = None,
        *,
        retries: int = _RETRIES,
        longest_wait: float = _LONGEST_WAIT,
        timeout: float = _TIMEOUT,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._http = httpx.Client(
            base_url=rest_address(url), headers=headers_of(api_key), timeout=timeout, transport=transport
        )
        self._retries = retries
        self._longest_wait = longest_wait
        self._sleep = time.sleep

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        traceback: TracebackType | None = None,
    ) -> None:
        self.close()

    def _call(
        self,
        method: str,
        path: str,
        *,
        values: Mapping[str, Any] = _NOTHING,
        query: Mapping[str, Any] = _NOTHING,
        body: Any = None,
    ) -> Any:
        request = request_of(self._http, method, path, values=values, query=query, body=body)
        content, _ = self._answer(request)
        return content

    def _items(
        self, name: str, path: str, *, values: Mapping[str, Any] = _NOTHING, query: Mapping[str, Any] = _NOTHING
    ) -> Iterator[Any]:
        request: httpx.Request | None = request_of(self._http, "GET", path, values=values, query=query)
        while request is not None:
            content, request = self._answer(request)
            yield from content[name]

    def _answer(self, request: httpx.Request) -> tuple[Any, httpx.Request | None]:
        """The content, and the request of the next page."""
        retries = Retries(request, self._retries, self._longest_wait)
        while True:
            try:
                with connection_errors(request):
                    response = self._http.send(request)
                    return content_of(response), next_request_of(self._http, response)
            except (TipoffError, TipoffConnectionError) as error:
                pause = retries.pause_after(error)
                if pause is None:
                    raise
            self._sleep(pause)


class AsyncClient(AsyncOperations):
    """`Client` for asyncio: the same options and operations. Close it, or use it in an `async with` statement."""

    def __init__(
        self,
        url: str,
        api_key: str | None = None,
        *,
        retries: int = _RETRIES,
        longest_wait: float = _LONGEST_WAIT,
        timeout: float = _TIMEOUT,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._http = httpx.AsyncClient(
            base_url=rest_address(url), headers=headers_of(api_key), timeout=timeout, transport=transport
        )
        self._retries = retries
        self._longest_wait = longest_wait
        self._sleep = asyncio.sleep

    async def aclose(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        traceback: TracebackType | None = None,
    ) -> None:
        await self.aclose()

    async def _call(
        self,
        method: str,
        path: str,
        *,
        values: Mapping[str, Any] = _NOTHING,
        query: Mapping[str, Any] = _NOTHING,
        body: Any = None,
    ) -> Any:
        request = request_of(self._http, method, path, values=values, query=query, body=body)
        content, _ = await self._answer(request)
        return content

    async def _items(
        self, name: str, path: str, *, values: Mapping[str, Any] = _NOTHING, query: Mapping[str, Any] = _NOTHING
    ) -> AsyncIterator[Any]:
        request: httpx.Request | None = request_of(self._http, "GET", path, values=values, query=query)
        while request is not None:
            content, request = await self._answer(request)
            for item in content[name]:
                yield item

    async def _answer(self, request: httpx.Request) -> tuple[Any, httpx.Request | None]:
        """The content, and the request of the next page."""
        retries = Retries(request, self._retries, self._longest_wait)
        while True:
            try:
                with connection_errors(request):
                    response = await self._http.send(request)
                    return content_of(response), next_request_of(self._http, response)
            except (TipoffError, TipoffConnectionError) as error:
                pause = retries.pause_after(error)
                if pause is None:
                    raise
            await self._sleep(pause)
