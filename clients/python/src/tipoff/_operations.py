# Written by `npm run clients`. Do not edit.
"""The operations of the API as methods."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any, Literal

from . import types

_NOTHING: Mapping[str, Any] = {}


class Operations:
    def _call(
        self,
        method: str,
        path: str,
        *,
        values: Mapping[str, Any] = _NOTHING,
        query: Mapping[str, Any] = _NOTHING,
        body: Any = None,
    ) -> Any:
        raise NotImplementedError

    def _items(
        self, name: str, path: str, *, values: Mapping[str, Any] = _NOTHING, query: Mapping[str, Any] = _NOTHING
    ) -> Iterator[Any]:
        raise NotImplementedError

    def get_json_feed(self, *, category: types.Category | None = None, categories: str | None = None, side: types.Side | None = None, min_usdc: float | None = None, min_position: float | None = None, min_signal: int | None = None, search: str | None = None, wallet: str | None = None, market: str | None = None, alert_type: types.AlertType | None = None, preset: str | None = None, events: str | None = None) -> types.Feed:
        """The newest alerts as JSON Feed: `GET /feed.json`."""
        return self._call("GET", "/feed.json", query={"category": category, "categories": categories, "side": side, "min_usdc": min_usdc, "min_position": min_position, "min_signal": min_signal, "search": search, "wallet": wallet, "market": market, "alert_type": alert_type, "preset": preset, "events": events})  # type: ignore[no-any-return]

    def get_atom_feed(self, *, category: types.Category | None = None, categories: str | None = None, side: types.Side | None = None, min_usdc: float | None = None, min_position: float | None = None, min_signal: int | None = None, search: str | None = None, wallet: str | None = None, market: str | None = None, alert_type: types.AlertType | None = None, preset: str | None = None, events: str | None = None) -> str:
        """The newest alerts as an Atom feed: `GET /feed.xml`."""
        return self._call("GET", "/feed.xml", query={"category": category, "categories": categories, "side": side, "min_usdc": min_usdc, "min_position": min_position, "min_signal": min_signal, "search": search, "wallet": wallet, "market": market, "alert_type": alert_type, "preset": preset, "events": events})  # type: ignore[no-any-return]

    def get_public_record(self) -> types.RecordReport:
        """What the alerts were worth, without a key: `GET /record.json`."""
        return self._call("GET", "/record.json")  # type: ignore[no-any-return]

    def get_hot_markets(self, *, period: Literal["1h", "6h", "24h", "7d", "30d"] | None = None, limit: int | None = None, category: types.Category | None = None) -> types.HotMarkets:
        """Markets by alerts, signal and size: `GET /api/v1/hot-markets`."""
        return self._call("GET", "/api/v1/hot-markets", query={"period": period, "limit": limit, "category": category})  # type: ignore[no-any-return]

    def get_coverage(self, *, since: str | None = None, until: str | None = None, limit: int | None = None) -> types.Coverage:
        """Gaps of the live feed: `GET /api/v1/coverage`."""
        return self._call("GET", "/api/v1/coverage", query={"since": since, "until": until, "limit": limit})  # type: ignore[no-any-return]

    def iter_coverage_windows(self, *, since: str | None = None, until: str | None = None, limit: int | None = None) -> Iterator[types.BlindWindow]:
        """Gaps of the live feed, through all pages: `windows` of `GET /api/v1/coverage`."""
        return self._items("windows", "/api/v1/coverage", query={"since": since, "until": until, "limit": 100 if limit is None else limit})

    def list_events(self, *, after: int | None = None, kind: str | None = None, limit: int | None = None) -> types.EventPage:
        """Read the log: `GET /api/v1/events`."""
        return self._call("GET", "/api/v1/events", query={"after": after, "kind": kind, "limit": limit})  # type: ignore[no-any-return]

    def iter_events(self, *, after: int | None = None, kind: str | None = None, limit: int | None = None) -> Iterator[types.Event]:
        """Read the log, through all pages: `events` of `GET /api/v1/events`."""
        return self._items("events", "/api/v1/events", query={"after": after, "kind": kind, "limit": 500 if limit is None else limit})

    def get_api_description(self) -> types.GetApiDescriptionAnswer:
        """This description: `GET /api/v1/openapi.json`."""
        return self._call("GET", "/api/v1/openapi.json")  # type: ignore[no-any-return]

    def get_stream_description(self) -> types.GetStreamDescriptionAnswer:
        """Description of the stream: `GET /api/v1/asyncapi.json`."""
        return self._call("GET", "/api/v1/asyncapi.json")  # type: ignore[no-any-return]

    def get_latest_alerts(self, *, limit: int | None = None) -> list[types.LatestAlert]:
        """The newest alerts: `GET /api/v1/alerts/latest`."""
        return self._call("GET", "/api/v1/alerts/latest", query={"limit": limit})  # type: ignore[no-any-return]

    def search_alerts(self, *, page: int | None = None, page_size: int | None = None, before_id: int | None = None, since_id: int | None = None, category: types.Category | None = None, categories: str | None = None, side: types.Side | None = None, min_usdc: float | None = None, min_position: float | None = None, min_signal: int | None = None, search: str | None = None, wallet: str | None = None, market: str | None = None, alert_type: types.AlertType | None = None, since: str | None = None, until: str | None = None, resolved: bool | None = None, expand: types.Expand | None = None, preset: str | None = None) -> types.AlertPage:
        """Search the archive: `GET /api/v1/alerts`."""
        return self._call("GET", "/api/v1/alerts", query={"page": page, "page_size": page_size, "before_id": before_id, "since_id": since_id, "category": category, "categories": categories, "side": side, "min_usdc": min_usdc, "min_position": min_position, "min_signal": min_signal, "search": search, "wallet": wallet, "market": market, "alert_type": alert_type, "since": since, "until": until, "resolved": resolved, "expand": expand, "preset": preset})  # type: ignore[no-any-return]

    def iter_alerts(self, *, page: int | None = None, page_size: int | None = None, before_id: int | None = None, since_id: int | None = None, category: types.Category | None = None, categories: str | None = None, side: types.Side | None = None, min_usdc: float | None = None, min_position: float | None = None, min_signal: int | None = None, search: str | None = None, wallet: str | None = None, market: str | None = None, alert_type: types.AlertType | None = None, since: str | None = None, until: str | None = None, resolved: bool | None = None, expand: types.Expand | None = None, preset: str | None = None) -> Iterator[types.AlertItem]:
        """Search the archive, through all pages: `alerts` of `GET /api/v1/alerts`."""
        return self._items("alerts", "/api/v1/alerts", query={"page": 1 if page is None else page, "page_size": 100 if page_size is None else page_size, "before_id": before_id, "since_id": since_id, "category": category, "categories": categories, "side": side, "min_usdc": min_usdc, "min_position": min_position, "min_signal": min_signal, "search": search, "wallet": wallet, "market": market, "alert_type": alert_type, "since": since, "until": until, "resolved": resolved, "expand": expand, "preset": preset})

    def preview_filter(self, *, category: types.Category | None = None, categories: str | None = None, side: types.Side | None = None, min_usdc: float | None = None, min_position: float | None = None, min_signal: int | None = None, search: str | None = None, wallet: str | None = None, market: str | None = None, alert_type: types.AlertType | None = None, since: str | None = None, until: str | None = None, resolved: bool | None = None, preset: str | None = None) -> types.Preview:
        """Try a filter on the last 30 days: `GET /api/v1/alerts/preview`."""
        return self._call("GET", "/api/v1/alerts/preview", query={"category": category, "categories": categories, "side": side, "min_usdc": min_usdc, "min_position": min_position, "min_signal": min_signal, "search": search, "wallet": wallet, "market": market, "alert_type": alert_type, "since": since, "until": until, "resolved": resolved, "preset": preset})  # type: ignore[no-any-return]

    def get_alert(self, id: int) -> types.Alert:
        """One alert: `GET /api/v1/alerts/{id}`."""
        return self._call("GET", "/api/v1/alerts/{id}", values={"id": id})  # type: ignore[no-any-return]

    def get_wallet(self, address: str, *, before_id: int | None = None, page_size: int | None = None, expand: types.Expand | None = None) -> types.Wallet:
        """One wallet: `GET /api/v1/wallets/{address}`."""
        return self._call("GET", "/api/v1/wallets/{address}", values={"address": address}, query={"before_id": before_id, "page_size": page_size, "expand": expand})  # type: ignore[no-any-return]

    def iter_wallet_alerts(self, address: str, *, before_id: int | None = None, page_size: int | None = None, expand: types.Expand | None = None) -> Iterator[types.AlertItem]:
        """One wallet, through all pages: `alerts` of `GET /api/v1/wallets/{address}`."""
        return self._items("alerts", "/api/v1/wallets/{address}", values={"address": address}, query={"before_id": before_id, "page_size": 100 if page_size is None else page_size, "expand": expand})

    def get_market(self, market_id: str, *, before_id: int | None = None, page_size: int | None = None, expand: types.Expand | None = None) -> types.Market:
        """One market: `GET /api/v1/markets/{market_id}`."""
        return self._call("GET", "/api/v1/markets/{market_id}", values={"market_id": market_id}, query={"before_id": before_id, "page_size": page_size, "expand": expand})  # type: ignore[no-any-return]

    def iter_market_alerts(self, market_id: str, *, before_id: int | None = None, page_size: int | None = None, expand: types.Expand | None = None) -> Iterator[types.AlertItem]:
        """One market, through all pages: `alerts` of `GET /api/v1/markets/{market_id}`."""
        return self._items("alerts", "/api/v1/markets/{market_id}", values={"market_id": market_id}, query={"before_id": before_id, "page_size": 100 if page_size is None else page_size, "expand": expand})

    def get_stats(self) -> types.Stats:
        """Counts of all alerts: `GET /api/v1/stats`."""
        return self._call("GET", "/api/v1/stats")  # type: ignore[no-any-return]

    def list_outcomes(self, *, after: int | None = None, limit: int | None = None) -> types.Outcomes:
        """The outcomes of markets: `GET /api/v1/outcomes`."""
        return self._call("GET", "/api/v1/outcomes", query={"after": after, "limit": limit})  # type: ignore[no-any-return]

    def iter_outcomes(self, *, after: int | None = None, limit: int | None = None) -> Iterator[types.Outcome]:
        """The outcomes of markets, through all pages: `outcomes` of `GET /api/v1/outcomes`."""
        return self._items("outcomes", "/api/v1/outcomes", query={"after": after, "limit": 500 if limit is None else limit})

    def get_outcome(self, number: int, *, after: int | None = None, limit: int | None = None) -> types.Outcome:
        """One outcome: `GET /api/v1/outcomes/{number}`."""
        return self._call("GET", "/api/v1/outcomes/{number}", values={"number": number}, query={"after": after, "limit": limit})  # type: ignore[no-any-return]

    def iter_outcome_alerts(self, number: int, *, after: int | None = None, limit: int | None = None) -> Iterator[types.SettledAlert]:
        """One outcome, through all pages: `alerts` of `GET /api/v1/outcomes/{number}`."""
        return self._items("alerts", "/api/v1/outcomes/{number}", values={"number": number}, query={"after": after, "limit": 500 if limit is None else limit})

    def list_exits(self, *, after: int | None = None, limit: int | None = None, wallet: str | None = None, market_id: str | None = None) -> types.Exits:
        """What was sold before the end: `GET /api/v1/exits`."""
        return self._call("GET", "/api/v1/exits", query={"after": after, "limit": limit, "wallet": wallet, "market_id": market_id})  # type: ignore[no-any-return]

    def iter_exits(self, *, after: int | None = None, limit: int | None = None, wallet: str | None = None, market_id: str | None = None) -> Iterator[types.Exit]:
        """What was sold before the end, through all pages: `exits` of `GET /api/v1/exits`."""
        return self._items("exits", "/api/v1/exits", query={"after": after, "limit": 500 if limit is None else limit, "wallet": wallet, "market_id": market_id})

    def get_exit(self, number: int) -> types.Exit:
        """One exit: `GET /api/v1/exits/{number}`."""
        return self._call("GET", "/api/v1/exits/{number}", values={"number": number})  # type: ignore[no-any-return]

    def get_record(self) -> types.RecordReport:
        """What the alerts were worth: `GET /api/v1/record`."""
        return self._call("GET", "/api/v1/record")  # type: ignore[no-any-return]

    def get_key_info(self) -> types.KeyInfo:
        """The calling key: `GET /api/v1/me`."""
        return self._call("GET", "/api/v1/me")  # type: ignore[no-any-return]

    def create_preset(self, body: types.CreatePreset) -> types.PresetCreated:
        """Save filters as a preset: `POST /api/v1/presets`."""
        return self._call("POST", "/api/v1/presets", body=body)  # type: ignore[no-any-return]

    def list_presets(self) -> types.Presets:
        """The presets of the calling key: `GET /api/v1/presets`."""
        return self._call("GET", "/api/v1/presets")  # type: ignore[no-any-return]

    def get_preset(self, id: str) -> types.Preset:
        """One preset: `GET /api/v1/presets/{id}`."""
        return self._call("GET", "/api/v1/presets/{id}", values={"id": id})  # type: ignore[no-any-return]

    def replace_preset(self, id: str, body: types.CreatePreset) -> types.Preset:
        """Replace a preset: `PUT /api/v1/presets/{id}`."""
        return self._call("PUT", "/api/v1/presets/{id}", values={"id": id}, body=body)  # type: ignore[no-any-return]

    def delete_preset(self, id: str) -> None:
        """Delete a preset: `DELETE /api/v1/presets/{id}`."""
        return self._call("DELETE", "/api/v1/presets/{id}", values={"id": id})  # type: ignore[no-any-return]

    def renew_preset_feed(self, id: str) -> types.PresetFeed:
        """Create or renew the feed of a preset: `POST /api/v1/presets/{id}/feed`."""
        return self._call("POST", "/api/v1/presets/{id}/feed", values={"id": id})  # type: ignore[no-any-return]

    def end_preset_feed(self, id: str) -> None:
        """End the feed of a preset: `DELETE /api/v1/presets/{id}/feed`."""
        return self._call("DELETE", "/api/v1/presets/{id}/feed", values={"id": id})  # type: ignore[no-any-return]

    def register_webhook(self, body: types.RegisterWebhook) -> types.WebhookRegistered:
        """Register a webhook: `POST /api/v1/webhooks`."""
        return self._call("POST", "/api/v1/webhooks", body=body)  # type: ignore[no-any-return]

    def list_webhooks(self) -> types.Webhooks:
        """The webhooks of the calling key: `GET /api/v1/webhooks`."""
        return self._call("GET", "/api/v1/webhooks")  # type: ignore[no-any-return]

    def get_webhook(self, webhook_id: str) -> types.Webhook:
        """One webhook: `GET /api/v1/webhooks/{webhook_id}`."""
        return self._call("GET", "/api/v1/webhooks/{webhook_id}", values={"webhook_id": webhook_id})  # type: ignore[no-any-return]

    def update_webhook(self, webhook_id: str, body: types.UpdateWebhook) -> types.Webhook:
        """Change or pause a webhook: `PATCH /api/v1/webhooks/{webhook_id}`."""
        return self._call("PATCH", "/api/v1/webhooks/{webhook_id}", values={"webhook_id": webhook_id}, body=body)  # type: ignore[no-any-return]

    def delete_webhook(self, webhook_id: str) -> None:
        """Delete a webhook: `DELETE /api/v1/webhooks/{webhook_id}`."""
        return self._call("DELETE", "/api/v1/webhooks/{webhook_id}", values={"webhook_id": webhook_id})  # type: ignore[no-any-return]

    def list_webhook_deliveries(self, webhook_id: str, *, limit: int | None = None, before_id: str | None = None, status: types.DeliveryStatus | None = None) -> types.WebhookDeliveries:
        """The deliveries of a webhook: `GET /api/v1/webhooks/{webhook_id}/deliveries`."""
        return self._call("GET", "/api/v1/webhooks/{webhook_id}/deliveries", values={"webhook_id": webhook_id}, query={"limit": limit, "before_id": before_id, "status": status})  # type: ignore[no-any-return]

    def iter_deliveries(self, webhook_id: str, *, limit: int | None = None, before_id: str | None = None, status: types.DeliveryStatus | None = None) -> Iterator[types.WebhookDelivery]:
        """The deliveries of a webhook, through all pages: `deliveries` of `GET /api/v1/webhooks/{webhook_id}/deliveries`."""
        return self._items("deliveries", "/api/v1/webhooks/{webhook_id}/deliveries", values={"webhook_id": webhook_id}, query={"limit": 100 if limit is None else limit, "before_id": before_id, "status": status})

    def rotate_webhook_secret(self, webhook_id: str) -> types.WebhookSecretRotated:
        """Rotate the secret of a webhook: `POST /api/v1/webhooks/{webhook_id}/rotate-secret`."""
        return self._call("POST", "/api/v1/webhooks/{webhook_id}/rotate-secret", values={"webhook_id": webhook_id})  # type: ignore[no-any-return]

    def test_webhook(self, webhook_id: str) -> types.WebhookTestResult:
        """Send a test to a webhook: `POST /api/v1/webhooks/{webhook_id}/test`."""
        return self._call("POST", "/api/v1/webhooks/{webhook_id}/test", values={"webhook_id": webhook_id})  # type: ignore[no-any-return]

    def redeliver_webhook(self, webhook_id: str, delivery_id: str) -> types.WebhookDelivery:
        """Repeat a delivery: `POST /api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver`."""
        return self._call("POST", "/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver", values={"webhook_id": webhook_id, "delivery_id": delivery_id})  # type: ignore[no-any-return]


class AsyncOperations:
    async def _call(
        self,
        method: str,
        path: str,
        *,
        values: Mapping[str, Any] = _NOTHING,
        query: Mapping[str, Any] = _NOTHING,
        body: Any = None,
    ) -> Any:
        raise NotImplementedError

    def _items(
        self, name: str, path: str, *, values: Mapping[str, Any] = _NOTHING, query: Mapping[str, Any] = _NOTHING
    ) -> AsyncIterator[Any]:
        raise NotImplementedError

    async def get_json_feed(self, *, category: types.Category | None = None, categories: str | None = None, side: types.Side | None = None, min_usdc: float | None = None, min_position: float | None = None, min_signal: int | None = None, search: str | None = None, wallet: str | None = None, market: str | None = None, alert_type: types.AlertType | None = None, preset: str | None = None, events: str | None = None) -> types.Feed:
        """The newest alerts as JSON Feed: `GET /feed.json`."""
        return await self._call("GET", "/feed.json", query={"category": category, "categories": categories, "side": side, "min_usdc": min_usdc, "min_position": min_position, "min_signal": min_signal, "search": search, "wallet": wallet, "market": market, "alert_type": alert_type, "preset": preset, "events": events})  # type: ignore[no-any-return]

    async def get_atom_feed(self, *, category: types.Category | None = None, categories: str | None = None, side: types.Side | None = None, min_usdc: float | None = None, min_position: float | None = None, min_signal: int | None = None, search: str | None = None, wallet: str | None = None, market: str | None = None, alert_type: types.AlertType | None = None, preset: str | None = None, events: str | None = None) -> str:
        """The newest alerts as an Atom feed: `GET /feed.xml`."""
        return await self._call("GET", "/feed.xml", query={"category": category, "categories": categories, "side": side, "min_usdc": min_usdc, "min_position": min_position, "min_signal": min_signal, "search": search, "wallet": wallet, "market": market, "alert_type": alert_type, "preset": preset, "events": events})  # type: ignore[no-any-return]

    async def get_public_record(self) -> types.RecordReport:
        """What the alerts were worth, without a key: `GET /record.json`."""
        return await self._call("GET", "/record.json")  # type: ignore[no-any-return]

    async def get_hot_markets(self, *, period: Literal["1h", "6h", "24h", "7d", "30d"] | None = None, limit: int | None = None, category: types.Category | None = None) -> types.HotMarkets:
        """Markets by alerts, signal and size: `GET /api/v1/hot-markets`."""
        return await self._call("GET", "/api/v1/hot-markets", query={"period": period, "limit": limit, "category": category})  # type: ignore[no-any-return]

    async def get_coverage(self, *, since: str | None = None, until: str | None = None, limit: int | None = None) -> types.Coverage:
        """Gaps of the live feed: `GET /api/v1/coverage`."""
        return await self._call("GET", "/api/v1/coverage", query={"since": since, "until": until, "limit": limit})  # type: ignore[no-any-return]

    def iter_coverage_windows(self, *, since: str | None = None, until: str | None = None, limit: int | None = None) -> AsyncIterator[types.BlindWindow]:
        """Gaps of the live feed, through all pages: `windows` of `GET /api/v1/coverage`."""
        return self._items("windows", "/api/v1/coverage", query={"since": since, "until": until, "limit": 100 if limit is None else limit})

    async def list_events(self, *, after: int | None = None, kind: str | None = None, limit: int | None = None) -> types.EventPage:
        """Read the log: `GET /api/v1/events`."""
        return await self._call("GET", "/api/v1/events", query={"after": after, "kind": kind, "limit": limit})  # type: ignore[no-any-return]

    def iter_events(self, *, after: int | None = None, kind: str | None = None, limit: int | None = None) -> AsyncIterator[types.Event]:
        """Read the log, through all pages: `events` of `GET /api/v1/events`."""
        return self._items("events", "/api/v1/events", query={"after": after, "kind": kind, "limit": 500 if limit is None else limit})

    async def get_api_description(self) -> types.GetApiDescriptionAnswer:
        """This description: `GET /api/v1/openapi.json`."""
        return await self._call("GET", "/api/v1/openapi.json")  # type: ignore[no-any-return]

    async def get_stream_description(self) -> types.GetStreamDescriptionAnswer:
        """Description of the stream: `GET /api/v1/asyncapi.json`."""
        return await self._call("GET", "/api/v1/asyncapi.json")  # type: ignore[no-any-return]

    async def get_latest_alerts(self, *, limit: int | None = None) -> list[types.LatestAlert]:
        """The newest alerts: `GET /api/v1/alerts/latest`."""
        return await self._call("GET", "/api/v1/alerts/latest", query={"limit": limit})  # type: ignore[no-any-return]

    async def search_alerts(self, *, page: int | None = None, page_size: int | None = None, before_id: int | None = None, since_id: int | None = None, category: types.Category | None = None, categories: str | None = None, side: types.Side | None = None, min_usdc: float | None = None, min_position: float | None = None, min_signal: int | None = None, search: str | None = None, wallet: str | None = None, market: str | None = None, alert_type: types.AlertType | None = None, since: str | None = None, until: str | None = None, resolved: bool | None = None, expand: types.Expand | None = None, preset: str | None = None) -> types.AlertPage:
        """Search the archive: `GET /api/v1/alerts`."""
        return await self._call("GET", "/api/v1/alerts", query={"page": page, "page_size": page_size, "before_id": before_id, "since_id": since_id, "category": category, "categories": categories, "side": side, "min_usdc": min_usdc, "min_position": min_position, "min_signal": min_signal, "search": search, "wallet": wallet, "market": market, "alert_type": alert_type, "since": since, "until": until, "resolved": resolved, "expand": expand, "preset": preset})  # type: ignore[no-any-return]

    def iter_alerts(self, *, page: int | None = None, page_size: int | None = None, before_id: int | None = None, since_id: int | None = None, category: types.Category | None = None, categories: str | None = None, side: types.Side | None = None, min_usdc: float | None = None, min_position: float | None = None, min_signal: int | None = None, search: str | None = None, wallet: str | None = None, market: str | None = None, alert_type: types.AlertType | None = None, since: str | None = None, until: str | None = None, resolved: bool | None = None, expand: types.Expand | None = None, preset: str | None = None) -> AsyncIterator[types.AlertItem]:
        """Search the archive, through all pages: `alerts` of `GET /api/v1/alerts`."""
        return self._items("alerts", "/api/v1/alerts", query={"page": 1 if page is None else page, "page_size": 100 if page_size is None else page_size, "before_id": before_id, "since_id": since_id, "category": category, "categories": categories, "side": side, "min_usdc": min_usdc, "min_position": min_position, "min_signal": min_signal, "search": search, "wallet": wallet, "market": market, "alert_type": alert_type, "since": since, "until": until, "resolved": resolved, "expand": expand, "preset": preset})

    async def preview_filter(self, *, category: types.Category | None = None, categories: str | None = None, side: types.Side | None = None, min_usdc: float | None = None, min_position: float | None = None, min_signal: int | None = None, search: str | None = None, wallet: str | None = None, market: str | None = None, alert_type: types.AlertType | None = None, since: str | None = None, until: str | None = None, resolved: bool | None = None, preset: str | None = None) -> types.Preview:
        """Try a filter on the last 30 days: `GET /api/v1/alerts/preview`."""
        return await self._call("GET", "/api/v1/alerts/preview", query={"category": category, "categories": categories, "side": side, "min_usdc": min_usdc, "min_position": min_position, "min_signal": min_signal, "search": search, "wallet": wallet, "market": market, "alert_type": alert_type, "since": since, "until": until, "resolved": resolved, "preset": preset})  # type: ignore[no-any-return]

    async def get_alert(self, id: int) -> types.Alert:
        """One alert: `GET /api/v1/alerts/{id}`."""
        return await self._call("GET", "/api/v1/alerts/{id}", values={"id": id})  # type: ignore[no-any-return]

    async def get_wallet(self, address: str, *, before_id: int | None = None, page_size: int | None = None, expand: types.Expand | None = None) -> types.Wallet:
        """One wallet: `GET /api/v1/wallets/{address}`."""
        return await self._call("GET", "/api/v1/wallets/{address}", values={"address": address}, query={"before_id": before_id, "page_size": page_size, "expand": expand})  # type: ignore[no-any-return]

    def iter_wallet_alerts(self, address: str, *, before_id: int | None = None, page_size: int | None = None, expand: types.Expand | None = None) -> AsyncIterator[types.AlertItem]:
        """One wallet, through all pages: `alerts` of `GET /api/v1/wallets/{address}`."""
        return self._items("alerts", "/api/v1/wallets/{address}", values={"address": address}, query={"before_id": before_id, "page_size": 100 if page_size is None else page_size, "expand": expand})

    async def get_market(self, market_id: str, *, before_id: int | None = None, page_size: int | None = None, expand: types.Expand | None = None) -> types.Market:
        """One market: `GET /api/v1/markets/{market_id}`."""
        return await self._call("GET", "/api/v1/markets/{market_id}", values={"market_id": market_id}, query={"before_id": before_id, "page_size": page_size, "expand": expand})  # type: ignore[no-any-return]

    def iter_market_alerts(self, market_id: str, *, before_id: int | None = None, page_size: int | None = None, expand: types.Expand | None = None) -> AsyncIterator[types.AlertItem]:
        """One market, through all pages: `alerts` of `GET /api/v1/markets/{market_id}`."""
        return self._items("alerts", "/api/v1/markets/{market_id}", values={"market_id": market_id}, query={"before_id": before_id, "page_size": 100 if page_size is None else page_size, "expand": expand})

    async def get_stats(self) -> types.Stats:
        """Counts of all alerts: `GET /api/v1/stats`."""
        return await self._call("GET", "/api/v1/stats")  # type: ignore[no-any-return]

    async def list_outcomes(self, *, after: int | None = None, limit: int | None = None) -> types.Outcomes:
        """The outcomes of markets: `GET /api/v1/outcomes`."""
        return await self._call("GET", "/api/v1/outcomes", query={"after": after, "limit": limit})  # type: ignore[no-any-return]

    def iter_outcomes(self, *, after: int | None = None, limit: int | None = None) -> AsyncIterator[types.Outcome]:
        """The outcomes of markets, through all pages: `outcomes` of `GET /api/v1/outcomes`."""
        return self._items("outcomes", "/api/v1/outcomes", query={"after": after, "limit": 500 if limit is None else limit})

    async def get_outcome(self, number: int, *, after: int | None = None, limit: int | None = None) -> types.Outcome:
        """One outcome: `GET /api/v1/outcomes/{number}`."""
        return await self._call("GET", "/api/v1/outcomes/{number}", values={"number": number}, query={"after": after, "limit": limit})  # type: ignore[no-any-return]

    def iter_outcome_alerts(self, number: int, *, after: int | None = None, limit: int | None = None) -> AsyncIterator[types.SettledAlert]:
        """One outcome, through all pages: `alerts` of `GET /api/v1/outcomes/{number}`."""
        return self._items("alerts", "/api/v1/outcomes/{number}", values={"number": number}, query={"after": after, "limit": 500 if limit is None else limit})

    async def list_exits(self, *, after: int | None = None, limit: int | None = None, wallet: str | None = None, market_id: str | None = None) -> types.Exits:
        """What was sold before the end: `GET /api/v1/exits`."""
        return await self._call("GET", "/api/v1/exits", query={"after": after, "limit": limit, "wallet": wallet, "market_id": market_id})  # type: ignore[no-any-return]

    def iter_exits(self, *, after: int | None = None, limit: int | None = None, wallet: str | None = None, market_id: str | None = None) -> AsyncIterator[types.Exit]:
        """What was sold before the end, through all pages: `exits` of `GET /api/v1/exits`."""
        return self._items("exits", "/api/v1/exits", query={"after": after, "limit": 500 if limit is None else limit, "wallet": wallet, "market_id": market_id})

    async def get_exit(self, number: int) -> types.Exit:
        """One exit: `GET /api/v1/exits/{number}`."""
        return await self._call("GET", "/api/v1/exits/{number}", values={"number": number})  # type: ignore[no-any-return]

    async def get_record(self) -> types.RecordReport:
        """What the alerts were worth: `GET /api/v1/record`."""
        return await self._call("GET", "/api/v1/record")  # type: ignore[no-any-return]

    async def get_key_info(self) -> types.KeyInfo:
        """The calling key: `GET /api/v1/me`."""
        return await self._call("GET", "/api/v1/me")  # type: ignore[no-any-return]

    async def create_preset(self, body: types.CreatePreset) -> types.PresetCreated:
        """Save filters as a preset: `POST /api/v1/presets`."""
        return await self._call("POST", "/api/v1/presets", body=body)  # type: ignore[no-any-return]

    async def list_presets(self) -> types.Presets:
        """The presets of the calling key: `GET /api/v1/presets`."""
        return await self._call("GET", "/api/v1/presets")  # type: ignore[no-any-return]

    async def get_preset(self, id: str) -> types.Preset:
        """One preset: `GET /api/v1/presets/{id}`."""
        return await self._call("GET", "/api/v1/presets/{id}", values={"id": id})  # type: ignore[no-any-return]

    async def replace_preset(self, id: str, body: types.CreatePreset) -> types.Preset:
        """Replace a preset: `PUT /api/v1/presets/{id}`."""
        return await self._call("PUT", "/api/v1/presets/{id}", values={"id": id}, body=body)  # type: ignore[no-any-return]

    async def delete_preset(self, id: str) -> None:
        """Delete a preset: `DELETE /api/v1/presets/{id}`."""
        return await self._call("DELETE", "/api/v1/presets/{id}", values={"id": id})  # type: ignore[no-any-return]

    async def renew_preset_feed(self, id: str) -> types.PresetFeed:
        """Create or renew the feed of a preset: `POST /api/v1/presets/{id}/feed`."""
        return await self._call("POST", "/api/v1/presets/{id}/feed", values={"id": id})  # type: ignore[no-any-return]

    async def end_preset_feed(self, id: str) -> None:
        """End the feed of a preset: `DELETE /api/v1/presets/{id}/feed`."""
        return await self._call("DELETE", "/api/v1/presets/{id}/feed", values={"id": id})  # type: ignore[no-any-return]

    async def register_webhook(self, body: types.RegisterWebhook) -> types.WebhookRegistered:
        """Register a webhook: `POST /api/v1/webhooks`."""
        return await self._call("POST", "/api/v1/webhooks", body=body)  # type: ignore[no-any-return]

    async def list_webhooks(self) -> types.Webhooks:
        """The webhooks of the calling key: `GET /api/v1/webhooks`."""
        return await self._call("GET", "/api/v1/webhooks")  # type: ignore[no-any-return]

    async def get_webhook(self, webhook_id: str) -> types.Webhook:
        """One webhook: `GET /api/v1/webhooks/{webhook_id}`."""
        return await self._call("GET", "/api/v1/webhooks/{webhook_id}", values={"webhook_id": webhook_id})  # type: ignore[no-any-return]

    async def update_webhook(self, webhook_id: str, body: types.UpdateWebhook) -> types.Webhook:
        """Change or pause a webhook: `PATCH /api/v1/webhooks/{webhook_id}`."""
        return await self._call("PATCH", "/api/v1/webhooks/{webhook_id}", values={"webhook_id": webhook_id}, body=body)  # type: ignore[no-any-return]

    async def delete_webhook(self, webhook_id: str) -> None:
        """Delete a webhook: `DELETE /api/v1/webhooks/{webhook_id}`."""
        return await self._call("DELETE", "/api/v1/webhooks/{webhook_id}", values={"webhook_id": webhook_id})  # type: ignore[no-any-return]

    async def list_webhook_deliveries(self, webhook_id: str, *, limit: int | None = None, before_id: str | None = None, status: types.DeliveryStatus | None = None) -> types.WebhookDeliveries:
        """The deliveries of a webhook: `GET /api/v1/webhooks/{webhook_id}/deliveries`."""
        return await self._call("GET", "/api/v1/webhooks/{webhook_id}/deliveries", values={"webhook_id": webhook_id}, query={"limit": limit, "before_id": before_id, "status": status})  # type: ignore[no-any-return]

    def iter_deliveries(self, webhook_id: str, *, limit: int | None = None, before_id: str | None = None, status: types.DeliveryStatus | None = None) -> AsyncIterator[types.WebhookDelivery]:
        """The deliveries of a webhook, through all pages: `deliveries` of `GET /api/v1/webhooks/{webhook_id}/deliveries`."""
        return self._items("deliveries", "/api/v1/webhooks/{webhook_id}/deliveries", values={"webhook_id": webhook_id}, query={"limit": 100 if limit is None else limit, "before_id": before_id, "status": status})

    async def rotate_webhook_secret(self, webhook_id: str) -> types.WebhookSecretRotated:
        """Rotate the secret of a webhook: `POST /api/v1/webhooks/{webhook_id}/rotate-secret`."""
        return await self._call("POST", "/api/v1/webhooks/{webhook_id}/rotate-secret", values={"webhook_id": webhook_id})  # type: ignore[no-any-return]

    async def test_webhook(self, webhook_id: str) -> types.WebhookTestResult:
        """Send a test to a webhook: `POST /api/v1/webhooks/{webhook_id}/test`."""
        return await self._call("POST", "/api/v1/webhooks/{webhook_id}/test", values={"webhook_id": webhook_id})  # type: ignore[no-any-return]

    async def redeliver_webhook(self, webhook_id: str, delivery_id: str) -> types.WebhookDelivery:
        """Repeat a delivery: `POST /api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver`."""
        return await self._call("POST", "/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver", values={"webhook_id": webhook_id, "delivery_id": delivery_id})  # type: ignore[no-any-return]
