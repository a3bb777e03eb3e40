"""The errors of the client."""

from __future__ import annotations

from typing import Any, Literal

StreamEndReason = Literal["key_ended", "tier_lacks_stream", "trial_ended", "refused"]


class TipoffError(Exception):
    """An answer of the service other than a success."""

    def __init__(
        self,
        status: int,
        detail: str | list[Any],
        *,
        code: str | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(f"{status}{'' if code is None else ' ' + code}: {_in_words(detail)}")
        #: The HTTP status.
        self.status = status
        #: The cause in words; of a 422 the invalid values, each with `loc`, `msg` and `type`.
        self.detail = detail
        #: The cause as a word, such as `rate_limited`; None from a server that sends none.
        self.code = code
        #: For a report to the operator.
        self.request_id = request_id
        #: Seconds after which the request may succeed; None if the server named none.
        self.retry_after = retry_after


class TipoffConnectionError(Exception):
    """
    A request got no answer that can be read: no connection, a connection that was lost, or the time limit. Its cause is the
    error of httpx.
    """

    def __init__(self, words: str, *, is_repeatable: bool) -> None:
        super().__init__(words)
        #: Whether the same request can be sent again without harm: the client has done so `retries` times. Wait some
        #: seconds before you do. If False, the service may have done what was asked: look before you ask again.
        self.is_repeatable = is_repeatable


class StreamEndedError(Exception):
    """The server has closed the stream, and connecting again unchanged would fail."""

    def __init__(self, close_code: int, reason: StreamEndReason, words: str, detail: str = "") -> None:
        super().__init__(f"{close_code}: {words}")
        #: The close code of the WebSocket, such as 4403.
        self.close_code = close_code
        #: `trial_ended`: the Pro trial of the key has ended, and its tier is Free now.
        self.reason = reason
        #: The words of the server, such as the name of an unknown filter; empty if it sent none.
        self.detail = detail


class WebhookVerificationError(Exception):
    """A request that is not a delivery of the service, or is not of now. Answer it with 401."""


class WebhookUsageError(Exception):
    """A mistake of the program that verifies: a body parsed before, no headers, or a secret that is missing or not one."""


def _in_words(detail: str | list[Any]) -> str:
    if isinstance(detail, str):
        return detail
    return "; ".join(f"{'.'.join(map(str, value['loc']))}: {value['msg']}" for value in detail)
