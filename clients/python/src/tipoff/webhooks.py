from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from .errors import WebhookUsageError, WebhookVerificationError
from .types import Alert, ExitEvent, OutcomeEvent, SampleAlert

_TOLERANCE_SECONDS = 5 * 60


class WebhookDelivery(NamedTuple):
    """A delivery whose signature is right."""

    #: The same for the same alert or event and webhook: use it to drop duplicates.
    id: str
    #: When it was sent, in seconds since 1970.
    timestamp: int
    #: The alert; a sample that was requested has `test: True`. An outcome or exit has a `type`, which no alert has.
    payload: Alert | SampleAlert | OutcomeEvent | ExitEvent


def verify_webhook(
    body: bytes | str,
    headers: Mapping[str, str],
    secrets: str | Iterable[str],
    *,
    now: float | None = None,
) -> WebhookDelivery:
    """
    Verifies a delivery by Standard Webhooks (HMAC-SHA256, compared in constant time), and returns its content.

    body: the bytes as received, before any parsing. secrets: the `whsec_…` of the registration; several while you change it.
    Raises WebhookVerificationError, and WebhookUsageError for a body or secret that cannot be verified.
    """
    raw = _bytes_of(body)
    all_secrets = list(secrets) if isinstance(secrets, Iterable) and not isinstance(secrets, (str, bytes)) else [secrets]
    keys = [_key_of(secret) for secret in all_secrets or [""]]
    if not hasattr(headers, "items"):
        raise WebhookUsageError("The headers of the request are missing.")
    given = {name.lower(): value for name, value in headers.items()}
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        if not isinstance(given.get(name), str) or not given[name]:
            raise WebhookVerificationError(f"{name} is missing")
    message_id, timestamp = given["webhook-id"], given["webhook-timestamp"]
    seconds = int(timestamp) if re.fullmatch("[0-9]{1,15}", timestamp) else None
    current = time.time() if now is None else now
    if seconds is None or abs(current - seconds) > _TOLERANCE_SECONDS:
        raise WebhookVerificationError("the timestamp is more than 5 minutes from now")
    signatures = [_signature_of(text) for text in given["webhook-signature"].split(" ")]
    for key in keys:
        expected = hmac.new(key, f"{message_id}.{timestamp}.".encode() + raw, hashlib.sha256).digest()
        # A list: each signature is compared, whichever matches.
        if any([hmac.compare_digest(expected, signature) for signature in signatures]):
            return WebhookDelivery(message_id, seconds, json.loads(raw))
    raise WebhookVerificationError("no signature matches")


def _bytes_of(body: object) -> bytes:
    if isinstance(body, str):
        return body.encode()
    if isinstance(body, (bytes, bytearray, memoryview)):
        return bytes(body)
    raise WebhookUsageError("The body must be the bytes or the text as received. Verify before a framework parses it.")


def _key_of(secret: object) -> bytes:
    key = _decoded(secret.strip().removeprefix("whsec_")) if isinstance(secret, str) else b""
    if not key:
        raise WebhookUsageError("A secret is missing or invalid: it is whsec_ and base64.")
    return key


def _signature_of(text: str) -> bytes:
    """The bytes of `v1,BASE64`; empty for another version and for what is not base64."""
    version, _, encoded = text.partition(",")
    return _decoded(encoded) if version == "v1" else b""


def _decoded(text: str) -> bytes:
    """The bytes of base64, with or without its padding; empty for other text."""
    digits = text.rstrip("=")
    if not re.fullmatch("[A-Za-z0-9+/]+={0,2}", text) or len(digits) % 4 == 1:
        return b""
    return base64.b64decode(digits + "=" * (-len(digits) % 4))
