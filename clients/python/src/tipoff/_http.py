"""Requests and retries, the same for both clients."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

import httpx

from ._backoff import Backoff
from .errors import TipoffConnectionError, TipoffError

_REPEATABLE = frozenset({"GET", "HEAD", "PUT", "DELETE"})


def rest_address(url: str) -> str:
    """`wss://` is accepted as well: it is the address of the stream."""
    return f"http{url[2:]}" if url.startswith("ws") else url


def headers_of(api_key: str | None) -> dict[str, str]:
    return {} if api_key is None else {"Authorization": f"Bearer {api_key}"}


def request_of(
    client: httpx.Client | httpx.AsyncClient,
    method: str,
    path: str,
    *,
    values: Mapping[str, Any],
    query: Mapping[str, Any],
    body: Any = None,
) -> httpx.Request:
    """The request of an operation. Values that are None are left out."""
    filled = path.format(**{name: quote(str(value), safe="") for name, value in values.items()})
    params = {name: _text_of(value) for name, value in query.items() if value is not None}
    content = {} if body is None else {"json": body}
    return client.build_request(method, filled, params=params, **content)


@contextmanager
def connection_errors(request: httpx.Request) -> Iterator[None]:
    """Raises TipoffConnectionError for the errors of httpx, and for JSON that is none."""
    try:
        yield
    except (httpx.RequestError, ValueError) as error:
        # The query may have what does not belong in a log.
        asked = f"{request.method} {request.url.copy_with(query=None)}"
        words = f"{asked}: {str(error) or type(error).__name__}"
        raise TipoffConnectionError(words, is_repeatable=_is_repeatable(request)) from error


def _is_repeatable(request: httpx.Request) -> bool:
    return request.method in _REPEATABLE


def _text_of(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, (str, int, float)) else ",".join(map(str, value))


def content_of(response: httpx.Response) -> Any:
    """JSON as an object, any other body as a text, None without one. Raises TipoffError unless it is a success."""
    media = response.headers.get("content-type", "").split(";")[0].strip()
    is_json = media == "application/json" or media.endswith("+json")
    if response.is_success:
        if not response.content:
            return None
        return response.json() if is_json else response.text
    raise _refusal_of(response, is_json)


def next_request_of(client: httpx.Client | httpx.AsyncClient, response: httpx.Response) -> httpx.Request | None:
    """The request of the next page; None on the last one. Without the host: the key goes to that of the client only."""
    target = response.links.get("next", {}).get("url")
    return None if target is None else client.build_request("GET", response.url.join(target).raw_path.decode())


def _refusal_of(response: httpx.Response, is_json: bool) -> TipoffError:
    body = response.json() if is_json else None
    fields: dict[str, Any] = body if isinstance(body, dict) else {}
    code, detail = fields.get("code"), fields.get("detail")
    return TipoffError(
        response.status_code,
        # An answer without a detail is that of a proxy.
        detail if isinstance(detail, (str, list)) else response.reason_phrase or "refused",
        code=code if isinstance(code, str) else None,
        request_id=response.headers.get("x-request-id"),
        retry_after=_seconds_of(response.headers.get("retry-after", "")),
    )


def _seconds_of(text: str) -> float | None:
    return float(text) if text.isascii() and text.isdigit() else None


class Retries:
    """
    Whether and when a request is repeated. A 429 is waited out as `Retry-After` says; a request that can be repeated without
    harm is also repeated after a 503 or a lost connection.
    """

    def __init__(self, request: httpx.Request, retries: int, longest_wait: float) -> None:
        self._is_repeatable = _is_repeatable(request)
        self._left = retries
        self._longest_wait = longest_wait
        self._backoff = Backoff()

    def pause_after(self, error: Exception) -> float | None:
        """Seconds before the next attempt; None if there must be none."""
        self._left -= 1
        if self._left < 0 or not self._can_retry(error):
            return None
        retry_after = error.retry_after if isinstance(error, TipoffError) else None
        seconds = self._backoff.next() if retry_after is None else retry_after
        return seconds if seconds <= self._longest_wait else None

    def _can_retry(self, error: Exception) -> bool:
        # A 429 has changed nothing. After a 503 or a lost connection that is unknown.
        if isinstance(error, TipoffError):
            return error.status == 429 or (self._is_repeatable and error.status == 503)
        return self._is_repeatable
