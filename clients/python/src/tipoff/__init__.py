"""Client of the Tipoff API: alerts over REST, the stream with resume, and the signatures of webhooks."""

from .client import AsyncClient, Client
from .errors import (
    StreamEndedError,
    TipoffConnectionError,
    TipoffError,
    WebhookUsageError,
    WebhookVerificationError,
)
from .stream import StreamEvent, follow
from .webhooks import WebhookDelivery, verify_webhook

__all__ = [
    "AsyncClient",
    "Client",
    "StreamEndedError",
    "StreamEvent",
    "TipoffConnectionError",
    "TipoffError",
    "WebhookDelivery",
    "WebhookUsageError",
    "WebhookVerificationError",
    "follow",
    "verify_webhook",
]
