"""Client of the Tipoff API: alerts over REST, the stream with resume, and the signatures of webhooks."""

from .client import AsyncClient, Client
from .errors import StreamEndedError, TipoffError, WebhookVerificationError
from .stream import StreamEvent, follow
from .webhooks import WebhookDelivery, verify_webhook

__all__ = [
    "AsyncClient",
    "Client",
    "StreamEndedError",
    "StreamEvent",
    "TipoffError",
    "WebhookDelivery",
    "WebhookVerificationError",
    "follow",
    "verify_webhook",
]
