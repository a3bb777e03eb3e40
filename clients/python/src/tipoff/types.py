# Written by `npm run clients`. Do not edit.
"""The shapes of the API by their documented names. At run time they are plain dictionaries, lists and values."""

from __future__ import annotations

import sys
from typing import Any, Literal, TypedDict

if sys.version_info >= (3, 11):
    from typing import NotRequired
else:
    from typing_extensions import NotRequired

from typing import TypeAlias


class Alert(TypedDict):
    """One suspicious trade."""

    id: int
    """Unique alert identifier."""
    alert_type: AlertType
    """Why the trade was suspicious."""
    wallet_address: str
    """Address of the trading wallet."""
    market_id: str
    """Market identifier."""
    event_title: str
    """Market question text."""
    event_slug: str
    """Market slug."""
    side: Side
    """Direction of the trade."""
    outcome: str
    """Outcome traded."""
    entry_price: float
    """Mean price of the order in USDC per share. An order is all fills of one wallet, outcome and side in one second."""
    usdc_value: float
    """Size of the whole order in USDC."""
    signal_score: int
    """Signal score, 0 to 100."""
    category: Category
    """Category of the market."""
    trade_count: int
    """Orders in the alert: 1 for `fresh`, the buys so far for `fresh_accumulator`, those of all members for `cluster`."""
    created_at: str
    """When the alert was created: `YYYY-MM-DD HH:MM:SS`, UTC."""
    resolved: bool
    """Whether the market has resolved."""
    won: bool | None
    """Whether the outcome bought came true; null while unresolved."""
    profit_usdc: float | None
    """Profit of the order if held to the end, in USDC before fees; null while unresolved."""
    details: AlertDetails
    log: LogHead | None
    """The entry of the log that holds this alert: the head of the log when the alert was published; null for an invented alert."""


class AlertDetails(TypedDict):
    """Context of the trade."""

    wallet_age_days: int
    """Age of the wallet at the order, in whole days. For a cluster, this and the position figures below are those of its last wallet."""
    is_accumulating: bool
    """Whether the wallet keeps buying this outcome: at least 3 buys and 2,500 USDC, neither sold nor hedged."""
    market_buy_count: int
    """Buys (orders) of the wallet in this outcome so far, this one included; those at or below 1¢ and at or above 95¢ do not count."""
    market_total_bought: float
    """Cost of these buys, in USDC."""
    market_avg_price: float
    """Average price of these buys, weighted by shares, in USDC per share."""
    position_shares: float
    """Shares of these buys."""
    position_known: bool
    """Whether all trades of the position are known, so that its exits will be. False where the wallet, or a member of the cluster, may have traded before the source began."""
    to_win_usdc: float
    """What is won if the alert is right, in USDC before fees: the order of `fresh`, the position of `fresh_accumulator`, the sum of a cluster. USDC × (1 / price − 1), the larger part of the score."""
    role: Literal["taker", "maker"] | None
    """The role of the wallet in the order: `taker` crossed the spread, `maker` had a resting order; null if unknown, or if the fills differ. Gives no points."""
    wallets: NotRequired[list[str]]
    """Members of the cluster; only on a cluster."""
    cluster_total: NotRequired[float]
    """Sum of their buys, in USDC; only on a cluster."""
    cluster_shares: NotRequired[float]
    """Shares of their buys, to 6 decimals; only on a cluster."""
    cluster_avg_price: NotRequired[float]
    """Average price of their buys, weighted by shares, in USDC per share; only on a cluster."""
    position_profit_usdc: float | None
    """Profit of the whole position (for a cluster, of all its buys) if held to the end, in USDC before fees; null while unresolved, and for a SELL."""
    reasons: list[ScoreReason]
    """The parts of the score. Their points add up to the score, which is at most 100."""
    bet: Bet
    exits: NotRequired[AlertExits]
    market_url: str
    """The market on Polymarket. While the event of the market is unknown, a search for its question."""
    rule_version: str
    """Version of the detection rules."""
    thread_id: int
    """First alert of the thread: of one wallet on one outcome of a market, or of the clusters on it. The `id` of this alert when it is the first."""
    supersedes: int | None
    """The alert before it in its thread; null when it is the first."""
    traded_at: str
    """Time of the order, to the second, UTC."""
    detected_at: str
    """When it was detected, UTC."""
    published_at: str
    """When the alert was published, UTC."""


class AlertExits(TypedDict):
    """What became of the position of an alert's thread before the end; only in `GET /alerts/{id}`."""

    state: ExitState
    """`none`: it was not sold on the market. `half`, `out`: the lowest level of its exits. `unknown`: no exit is known, and there may be one, because trades were missed or happened before the source began."""
    exits: list[Exit]
    """All exits of the thread, ascending: at most one per level."""


class AlertItem(TypedDict):
    """An alert in lists: the short form. The optional fields are present with `expand=details` only."""

    id: int
    """Unique alert identifier."""
    alert_type: AlertType
    """Why the trade was suspicious."""
    wallet_address: str
    """Address of the trading wallet."""
    market_id: str
    """Market identifier."""
    event_title: str
    """Market question text."""
    event_slug: NotRequired[str]
    """Market slug."""
    side: Side
    """Direction of the trade."""
    outcome: str
    """Outcome traded."""
    entry_price: float
    """Mean price of the order in USDC per share. An order is all fills of one wallet, outcome and side in one second."""
    usdc_value: float
    """Size of the whole order in USDC."""
    signal_score: int
    """Signal score, 0 to 100."""
    category: Category
    """Category of the market."""
    trade_count: NotRequired[int]
    """Orders in the alert: 1 for `fresh`, the buys so far for `fresh_accumulator`, those of all members for `cluster`."""
    created_at: str
    """When the alert was created: `YYYY-MM-DD HH:MM:SS`, UTC."""
    resolved: NotRequired[bool]
    """Whether the market has resolved."""
    won: NotRequired[bool | None]
    """Whether the outcome bought came true; null while unresolved."""
    profit_usdc: NotRequired[float | None]
    """Profit of the order if held to the end, in USDC before fees; null while unresolved."""
    details: NotRequired[AlertDetails]
    log: NotRequired[LogHead | None]
    """The entry of the log that holds this alert: the head of the log when the alert was published; null for an invented alert."""


class AlertPage(TypedDict):
    """One page of the archive."""

    alerts: list[AlertItem]
    """The alerts of the page, newest first; with `since_id`, oldest first."""
    total: int
    """Number of matches; with a cursor, only of those beyond it."""
    page: int
    """Page number; with a cursor, among the matches beyond it."""
    page_size: int
    """Page size used."""
    has_more: bool
    """Whether there is a next page: older alerts, or newer ones with `since_id`. `Link` leads to it."""


class AlertPrice(TypedDict):
    """The price at an alert."""

    id: int
    """Identifier of the alert."""
    created_at: str
    """When it was created: `YYYY-MM-DD HH:MM:SS`, UTC."""
    entry_price: float
    """Mean price of its order, in USDC per share of the outcome."""
    usdc_value: float
    """Size of its order, in USDC."""

AlertType: TypeAlias = 'Literal["fresh", "fresh_accumulator", "cluster"]'

AtomFeed: TypeAlias = 'str'


class Bet(TypedDict):
    """The bet: all alerts of one thread are one bet. As of its newest alert and exit that the caller may see; in frames and webhooks, as of their alert."""

    put_in_usdc: float
    """What the wallet has put in, in USDC: the cost of all its buys of the outcome; of a cluster, of those of its members."""
    mean_price: float
    """Mean price of these buys, weighted by shares, in USDC per share."""
    to_win_usdc: float
    """Profit if the outcome happens and all is held to the end, in USDC before fees."""
    held_share: float | None
    """The part of the shares that is still held, 0 to 1, as far as sales and hedges on the market show; null where trades of the position may have been missed."""
    result_usdc: float | None
    """What the part held at settlement won or lost, in USDC before fees; where `held_share` is null, all of it. Null while unresolved."""


class BlindWindow(TypedDict):
    """A period whose trades the service may not have seen when they were made."""

    started_at: str
    """The time up to which all trades were known."""
    ended_at: str | None
    """When the market was available again; null while it is not."""
    seconds: float
    """Its length; for an open window, until now."""
    cause: BlindWindowCause
    """The cause when the window began: `stopped` (the service did not run), `unreachable` (the market did not answer), `dns` (its host name could not be resolved), `tls` (the TLS connection failed), `refused` (HTTP 403 or 451: is the address of the service geo-blocked?), `not_found` (404), `rate_limited` (429), `failing` (other errors, or answers that cannot be read), `stalled` (answers out of date) or `unconfirmed` (not blind: a node delivered trades, and the list did not confirm that they were complete)."""
    backfilled: bool
    """Whether all trades that the market still listed for this time were read afterwards."""
    backfilled_at: str | None
    """When they were read; null if they were not."""

BlindWindowCause: TypeAlias = 'Literal["stopped", "unreachable", "dns", "tls", "refused", "not_found", "rate_limited", "failing", "stalled", "unconfirmed"]'

Category: TypeAlias = 'Literal["crypto", "politics", "world", "tech", "finance", "pop_culture", "other"]'


class Coverage(TypedDict):
    """Which periods the live feed covered."""

    state: Literal["live", "catching_up", "unconfirmed", "blind", "unknown"]
    """State of the live feed: `live`, `catching_up` (it works again and is reading what it just missed), `unconfirmed` (a node shows trades, and nothing confirms that they are all), `blind`, or `unknown` (it has seen nothing yet, or no feed runs)."""
    watching_since: str | None
    """When the service first watched the market; null when it never did."""
    confirmed_until: str | None
    """Every trade that the market listed up to this moment was read, except those in windows; null before anything was seen."""
    blind_now: BlindWindow | None
    """The current window, blind or unconfirmed; null while the market is seen."""
    reason: FeedReason | None
    """Why the market cannot be read, by the latest attempt: `stopped` (the service did not run), `unreachable` (the market did not answer), `dns` (its host name could not be resolved), `tls` (the TLS connection failed), `refused` (HTTP 403 or 451: is the address of the service geo-blocked?), `not_found` (404), `rate_limited` (429), `failing` (other errors, or answers that cannot be read), `stalled` (answers out of date); null while it is read, and when nothing is known."""
    message: str | None
    """The reason in words."""
    facts_delayed: FactsDelayed | None
    """Trades of new wallets that are waiting for facts, in any state; null while none is late."""
    unwatched: UnwatchedVolume | None
    """The volume that is not judged. Null: not known, because no Polygon node is set, or it has shown nothing yet."""
    windows: list[BlindWindow]
    """The windows of the period, newest first."""
    has_more: bool
    """Whether the period has older ones. `Link` leads to them."""
    summary: CoverageSummary


class CoverageSummary(TypedDict):
    """Totals of the windows."""

    since: str
    """Start of the period, not before the service first watched the market."""
    until: str
    """End of the period."""
    windows: int
    """Number of windows, at most 10,000."""
    blind_seconds: float
    """Seconds of it that were blind."""
    unconfirmed_seconds: float
    """Seconds of it that were not blind, but not confirmed when they happened."""
    not_backfilled_seconds: float
    """Seconds of it that were blind or unconfirmed, and are not backfilled."""
    covered: float | None
    """Share of it that was confirmed or backfilled, 0 to 1, up to the last confirmed moment; null before anything was confirmed."""


class CreatePreset(TypedDict):
    """Body of `createPreset`."""

    name: str
    """Any label: one line with at least one visible character. Surrounding space is removed."""
    filters: PresetFilters
    created_at: NotRequired[str | None]
    """`YYYY-MM-DD HH:MM:SS` (UTC) or ISO 8601. Default: the current time; for `PUT`, unchanged."""


class DatedLogHead(TypedDict):
    """The newest entry that this caller may see."""

    seq: int
    """Number of the entry: 1, 2, 3 … without a gap; 0 for the empty log."""
    hash: str
    """SHA-256 of the canonical JSON (RFC 8785) of the entry without `hash`, in lower-case hexadecimal. Since each entry contains the hash of the one before it, it identifies all of them. 64 zeros for the empty log."""
    at: str | None
    """When the entry was written; null for the empty log."""


class DeliveryCounts(TypedDict):
    """Deliveries of alerts and outcomes so far, by result, repeated ones included. Tests are not counted. After a crash of the service they may be slightly too low; the log of deliveries is not affected."""

    delivered: int
    """Deliveries acknowledged within 5 seconds: with 200, or with any 2xx if the `format` is not `json`."""
    failed: int
    """Deliveries that ended `failed`, `unknown` or `expired`."""
    failures_in_a_row: int
    """Deliveries that ended `failed` since the last `delivered` one."""

DeliveryError: TypeAlias = 'Literal["dns", "not_public", "refused", "tls", "reset", "protocol", "timeout", "redirect", "status"]'

DeliveryStatus: TypeAlias = 'Literal["pending", "requested", "claimed", "delivered", "failed", "unknown", "expired", "cancelled"]'


class Error(TypedDict):
    """A refusal."""

    detail: str
    """The problem, in words."""
    code: ErrorCode

ErrorCode: TypeAlias = 'Literal["bad_request", "invalid_handshake", "key_missing", "key_invalid", "operator_only", "tier_required", "foreign_origin", "alert_not_found", "wallet_not_found", "market_not_found", "outcome_not_found", "exit_not_found", "preset_not_found", "webhook_not_found", "delivery_not_found", "path_not_found", "method_not_allowed", "request_timeout", "preset_limit_reached", "webhook_limit_reached", "webhook_url_taken", "delivery_not_repeatable", "body_too_large", "address_too_long", "unsupported_media_type", "expectation_failed", "invalid_request", "upgrade_required", "rate_limited", "too_many_failures", "key_check_busy", "archive_busy", "too_many_sockets", "too_many_tests", "too_many_redeliveries", "headers_too_large", "internal_error", "unavailable"]'


class EventBody(TypedDict):
    """The content; for an alert, its fields as published."""

    pass


class Event(TypedDict):
    """One event of the log, as canonical JSON (RFC 8785). It never changes."""

    at: str
    """When the entry was written. Never earlier than the entry before it."""
    body: EventBody
    """The content; for an alert, its fields as published."""
    epoch: int
    """Grows when another run of the worker writes; never smaller than in the entry before."""
    hash: str
    """SHA-256 of the canonical JSON (RFC 8785) of the entry without `hash`, in lower-case hexadecimal. Since each entry contains the hash of the one before it, it identifies all of them. 64 zeros for the empty log."""
    key: str
    """Unique in the log. Of settlements, gaps and rules it ends with the `seq` of the one before."""
    kind: str
    """`alert`, `exit`, `settlement`, `correction`, `withdrawal`, `gap`, `rules`; more kinds may be added."""
    previous: str
    """The hash of the entry before it; 64 zeros in the first."""
    seq: int
    """Its number: 1, 2, 3 … without a gap."""


class EventPage(TypedDict):
    """A page of the log."""

    events: list[Event]
    """Those after `after`, ascending."""
    head: DatedLogHead
    """The newest event that this caller may see, of any kind."""
    has_more: bool
    """Whether there are more after this page. `Link` leads to them."""


class Exit(TypedDict):
    """The position of a thread of alerts fell to half, or to 5%, of its peak since the alert. Only trades on the market are seen: no merge, redemption or transfer."""

    number: int
    """1, 2, 3 … without a gap."""
    level: ExitLevel
    """`half`: at most half of the peak since the alert is held; `out`: at most 5%."""
    thread_id: int
    """First alert of the exit’s thread: `details.thread_id` of its alerts."""
    alert_ids: list[int]
    """All alerts of the thread up to the exit, ascending."""
    wallet: str
    """The wallet whose order it was."""
    market_id: str
    """Market identifier."""
    event_title: str
    """Market question text."""
    event_slug: str
    """Market slug."""
    category: Category
    """Category of the market."""
    outcome: str
    """The outcome that was bought."""
    outcome_index: int
    """Its position among the outcomes of the market."""
    held_share: float
    """Part of the peak that is still held, 0 to 1."""
    held_shares: float
    """Shares that are neither sold nor paired; for a cluster, those of all its wallets."""
    peak_shares: float
    """The highest such number since the alert."""
    sold_shares: float
    """Shares sold since then, at any price."""
    sale_price: float | None
    """Mean price of all sales since then, in USDC per share; null if there were none."""
    realized_profit: float | None
    """What these sales brought beyond the mean cost of the shares, in USDC before fees; null if there were none."""
    traded_at: str
    """Time of the order that caused it, to the second, UTC."""
    seconds_since_alert: int
    """Seconds from the alert to that order."""
    created_at: str
    """When it was published, UTC."""
    log: LogHead
    """Its entry in the log."""


class ExitEvent(TypedDict):
    """An exit as a webhook receives it."""

    number: int
    """1, 2, 3 … without a gap."""
    level: ExitLevel
    """`half`: at most half of the peak since the alert is held; `out`: at most 5%."""
    thread_id: int
    """First alert of the exit’s thread: `details.thread_id` of its alerts."""
    alert_ids: list[int]
    """All alerts of the thread up to the exit, ascending."""
    wallet: str
    """The wallet whose order it was."""
    market_id: str
    """Market identifier."""
    event_title: str
    """Market question text."""
    event_slug: str
    """Market slug."""
    category: Category
    """Category of the market."""
    outcome: str
    """The outcome that was bought."""
    outcome_index: int
    """Its position among the outcomes of the market."""
    held_share: float
    """Part of the peak that is still held, 0 to 1."""
    held_shares: float
    """Shares that are neither sold nor paired; for a cluster, those of all its wallets."""
    peak_shares: float
    """The highest such number since the alert."""
    sold_shares: float
    """Shares sold since then, at any price."""
    sale_price: float | None
    """Mean price of all sales since then, in USDC per share; null if there were none."""
    realized_profit: float | None
    """What these sales brought beyond the mean cost of the shares, in USDC before fees; null if there were none."""
    traded_at: str
    """Time of the order that caused it, to the second, UTC."""
    seconds_since_alert: int
    """Seconds from the alert to that order."""
    created_at: str
    """When it was published, UTC."""
    log: LogHead
    """Its entry in the log."""
    type: Literal["exit"]
    """Distinguishes it from an alert, which has no `type`."""

ExitLevel: TypeAlias = 'Literal["half", "out"]'


class Exits(TypedDict):
    """A page of the exits."""

    exits: list[Exit]
    """Those after `after`, ascending."""
    last: int
    """The largest number that this caller may see, of any wallet and market; 0 if there is none."""
    has_more: bool
    """Whether there are more after this page. `Link` leads to them."""

ExitState: TypeAlias = 'Literal["none", "half", "out", "unknown"]'

Expand: TypeAlias = 'Literal["details"]'


class FactsDelayed(TypedDict):
    """The market does not answer questions about wallets: alerts on new wallets come late, but none is lost."""

    waiting: int
    """Number of these trades."""
    since: str
    """When the first of the missing facts was requested."""


class Feed(TypedDict):
    """The newest alerts as JSON Feed 1.1."""

    version: Literal["https://jsonfeed.org/version/1.1"]
    """The format."""
    title: str
    """Name of the feed, with its filter in words."""
    home_page_url: str
    """The site of the service with the same filter; without a site, the page of the API."""
    feed_url: str
    """Address of this feed."""
    description: str
    """What the feed contains."""
    language: str
    """Language of the texts."""
    items: list[FeedItem]
    """The newest alerts, outcomes and exits, at most 50, newest first."""


class FeedItem(TypedDict):
    """One alert, outcome or exit."""

    id: str
    """Stable id of the item: `urn:tipoff:alert:`, `outcome:` or `exit:` and a number."""
    url: str
    """The page of the alert or of the market; without a site, its path in the API."""
    external_url: str
    """The page of the market."""
    title: str
    """Market question and score, or what happened."""
    content_text: str
    """The trade in words and what became of the position, or the outcome or exit."""
    date_published: str
    """When it was published."""
    date_modified: NotRequired[str]
    """When the position of the alert was sold on the market; absent otherwise, and if `events` contains `exit`."""
    tags: list[str]
    """Category, and kind of alert, `outcome` or `exit`."""

FeedReason: TypeAlias = 'Literal["stopped", "unreachable", "dns", "tls", "refused", "not_found", "rate_limited", "failing", "stalled"]'

FilterValue: TypeAlias = 'str | float | bool | None'


class GivenWebhookFilters(TypedDict):
    """Alert filters, named as in `GET /alerts` and presets. All must match; a null filter is not set."""

    category: NotRequired[Category | None]
    """A category value."""
    categories: NotRequired[str | None]
    """Any of these categories, separated by commas. With `category`, both must match. Default: all."""
    side: NotRequired[Side | None]
    """Direction of the trade."""
    min_usdc: NotRequired[float | None]
    """Only trades larger than this USDC amount."""
    min_position: NotRequired[float | None]
    """Only alerts whose bet has put in at least this USDC amount, as of the alert: all buys of the wallet in the outcome, or those of a cluster’s members."""
    min_signal: NotRequired[int | None]
    """Only alerts with at least this signal score."""
    search: NotRequired[str | None]
    """Words of the market question or slug, in any order; or an address, also shortened, or a URL of Polymarket or of this service. Case does not matter."""
    wallet: NotRequired[str | None]
    """Address of the wallet that traded; for a cluster, the wallet whose order triggered the alert. Case does not matter."""
    market: NotRequired[str | None]
    """Market identifier, or the market slug as given in the alert. Case does not matter."""
    alert_type: NotRequired[AlertType | None]
    """Kind of alert."""


class HotMarket(TypedDict):
    """A market with alerts."""

    market_id: str
    """Market identifier."""
    event_title: str
    """Market question text."""
    event_slug: str
    """Market slug."""
    category: Category
    """Category of the market."""
    alert_count: int
    """Alerts in the window."""
    avg_signal: float
    """Their average signal score."""
    total_usdc: float
    """Sum of their trades, in USDC."""
    latest_alert: str
    """When the newest of them was made: `YYYY-MM-DDTHH:MM:SS`, UTC."""


class HotMarkets(TypedDict):
    """The leaderboards."""

    period: str
    """The window used."""
    most_alerts: list[HotMarket]
    """By alert count, descending."""
    highest_signal: list[HotMarket]
    """By average score, descending."""
    biggest_trades: list[HotMarket]
    """By total USDC, descending."""


class KeyInfo(TypedDict):
    """The calling key."""

    name: str
    """Custom label of the key."""
    tier: Tier
    """Current tier of the key."""
    rate_limit: str
    """Limit of the key, such as `300/min`; `unlimited` without one."""
    websocket: bool
    """True when the stream is allowed."""
    webhooks: bool
    """True when webhook registration is allowed."""
    realtime: bool
    """False under the 5-minute free-tier delay."""
    max_page_size: int
    """Largest page size for `GET /alerts`."""
    requests_today: int
    """API calls made since UTC midnight, refused ones included."""
    key_id: str
    """Public id of the key, which a rotation keeps."""
    trial_ends_at: str | None
    """When the key becomes free; null without a running trial."""


class LatestAlert(TypedDict):
    """An alert without its `market_id`."""

    id: int
    """Unique alert identifier."""
    alert_type: AlertType
    """Why the trade was suspicious."""
    wallet_address: str
    """Address of the trading wallet."""
    event_title: str
    """Market question text."""
    event_slug: str
    """Market slug."""
    side: Side
    """Direction of the trade."""
    outcome: str
    """Outcome traded."""
    entry_price: float
    """Mean price of the order in USDC per share. An order is all fills of one wallet, outcome and side in one second."""
    usdc_value: float
    """Size of the whole order in USDC."""
    signal_score: int
    """Signal score, 0 to 100."""
    category: Category
    """Category of the market."""
    trade_count: int
    """Orders in the alert: 1 for `fresh`, the buys so far for `fresh_accumulator`, those of all members for `cluster`."""
    created_at: str
    """When the alert was created: `YYYY-MM-DD HH:MM:SS`, UTC."""
    resolved: bool
    """Whether the market has resolved."""
    won: bool | None
    """Whether the outcome bought came true; null while unresolved."""
    profit_usdc: float | None
    """Profit of the order if held to the end, in USDC before fees; null while unresolved."""
    details: AlertDetails
    log: LogHead | None
    """The entry of the log that holds this alert: the head of the log when the alert was published; null for an invented alert."""


class LogHead(TypedDict):
    """An entry of the log, and with it every entry before it."""

    seq: int
    """Number of the entry: 1, 2, 3 … without a gap; 0 for the empty log."""
    hash: str
    """SHA-256 of the canonical JSON (RFC 8785) of the entry without `hash`, in lower-case hexadecimal. Since each entry contains the hash of the one before it, it identifies all of them. 64 zeros for the empty log."""


class MarketThreads(TypedDict):
    """Alerts by thread."""

    total: int
    """Number of threads."""
    newest: list[MarketThread]
    """The newest of them, at most 50, newest first."""


class MarketWallets(TypedDict):
    """Wallets in the alerts."""

    total: int
    """Number of wallets, members of clusters included."""
    largest: list[MarketWallet]
    """At most 20, by what they have put in, descending."""


class Market(TypedDict):
    """What the service knows about a market."""

    market_id: str
    """Market identifier."""
    event_title: str
    """Market question text."""
    event_slug: str
    """Market slug."""
    market_url: str
    """The market on Polymarket. While the event of the market is unknown, a search for its question."""
    category: Category
    """Category of the market."""
    end_date: str | None
    """When the market ends, as announced; it may be settled earlier or later. Null if unknown. On a tape that is shifted in time, it is shifted too."""
    resolved: bool
    """Whether the market has resolved."""
    settled_at: str | None
    """When its outcome became known; null while it is not, or not recorded."""
    outcomes: list[MarketOutcome]
    """Outcomes with alerts, by what was put in, descending; then the others that were paid."""
    threads: MarketThreads
    """Alerts by thread."""
    wallets: MarketWallets
    """Wallets in the alerts."""
    total: int
    """Alerts of the market."""
    counted: int
    """The newest alerts, at most 1,000, from which outcomes, threads and wallets are compiled."""
    alerts: list[AlertItem]
    """A page of the alerts, newest first."""
    has_more: bool
    """Whether there are older ones. `Link` leads to them."""


class MarketOutcome(TypedDict):
    """An outcome of a market and the alerts on it."""

    outcome: str
    """Name of the outcome."""
    payout: float | None
    """What a share paid, in USDC: 1, 0, or a part of 1 for a split (mostly 0.5); null while the market is not settled."""
    alert_count: int
    """Alerts on it."""
    thread_count: int
    """Threads of these alerts."""
    wallet_count: int
    """Wallets in these alerts, members of clusters included."""
    total_usdc: float
    """What the bets on it have put in, in USDC; a thread is one bet."""


class MarketThread(TypedDict):
    """The alerts of one wallet on one outcome of the market, or of the clusters on it."""

    thread_id: int
    """Identifier of its first alert."""
    alert_type: AlertType
    """Kind of its newest alert."""
    wallet_address: str | None
    """The wallet; null for clusters."""
    outcome: str
    """Outcome traded."""
    side: Side
    """Direction of the trades."""
    signal_score: int
    """Score of its newest alert, 0 to 100."""
    alert_count: int
    """Number of its alerts."""
    prices: list[AlertPrice]
    """The newest of them, at most 20, newest first."""


class MarketWallet(TypedDict):
    """A wallet in the alerts of the market."""

    wallet_address: str
    """Address of the wallet."""
    alert_count: int
    """Its own alerts in the market; 0 for a member of a cluster without one."""
    total_usdc: float
    """What its bets have put in, in USDC."""


class Outcome(TypedDict):
    """What a market paid, and the result of its alerts."""

    number: int
    """1, 2, 3 … without a gap: its position among the outcomes and corrections of the log."""
    kind: OutcomeKind
    """`outcome` for the first one of a market, `correction` for one that replaces it."""
    market_id: str
    """Market identifier."""
    event_title: str | None
    """Market question text; null if the market has no alerts."""
    outcomes: list[str]
    """The outcomes of the market, in the order of `payouts`; empty if it never named them."""
    payouts: list[float]
    """What a share of each outcome pays, in USDC: 1 and 0, or parts of 1 for a split (mostly 0.5 each). They add up to 1."""
    settled_at: str
    """When it was entered in the log."""
    log: LogHead
    """Its entry in the log."""
    alerts: list[SettledAlert]
    """Alerts of the market that were published before it, oldest first, at most 100. Later alerts carry their own result."""
    more_alerts: bool
    """Whether there are more of them: `GET /outcomes/{number}` returns the next with `after`."""


class OutcomeEvent(TypedDict):
    """An outcome as a webhook receives it."""

    number: int
    """1, 2, 3 … without a gap: its position among the outcomes and corrections of the log."""
    kind: OutcomeKind
    """`outcome` for the first one of a market, `correction` for one that replaces it."""
    market_id: str
    """Market identifier."""
    event_title: str | None
    """Market question text; null if the market has no alerts."""
    outcomes: list[str]
    """The outcomes of the market, in the order of `payouts`; empty if it never named them."""
    payouts: list[float]
    """What a share of each outcome pays, in USDC: 1 and 0, or parts of 1 for a split (mostly 0.5 each). They add up to 1."""
    settled_at: str
    """When it was entered in the log."""
    log: LogHead
    """Its entry in the log."""
    alerts: list[SettledAlert]
    """Alerts of the market that were published before it, oldest first, at most 100. Later alerts carry their own result."""
    more_alerts: bool
    """Whether there are more of them: `GET /outcomes/{number}` returns the next with `after`."""
    type: Literal["outcome"]
    """Distinguishes it from an alert, which has no `type`."""

OutcomeKind: TypeAlias = 'Literal["settlement", "correction"]'


class Outcomes(TypedDict):
    """A page of the outcomes."""

    outcomes: list[Outcome]
    """Those after `after`, ascending. A page with many alerts may hold fewer than `limit`."""
    last: int
    """The largest number that this caller may see; 0 if there is none."""
    has_more: bool
    """Whether there are more after this page. `Link` leads to them."""


class Preset(TypedDict):
    """Saved filters."""

    id: str
    """Id of the preset."""
    name: str
    """Name of the preset."""
    filters: PresetFilters
    created_at: str
    """When it was created, or the time that was given: `YYYY-MM-DD HH:MM:SS`, UTC."""
    has_feed: bool
    """Whether `POST /presets/{id}/feed` has given it a feed."""


class PresetCreated(TypedDict):
    """The preset is saved."""

    id: str
    """Id of the preset."""
    name: str
    """Name of the preset."""


class PresetFeed(TypedDict):
    """The feed of a preset, shown this once."""

    id: str
    """Id of the preset."""
    feed_token: str
    """Lets anyone read the feed of what the preset matches. It is stored hashed."""
    feed_url: str
    """Address of that feed as Atom; `/feed.json` serves it as JSON Feed."""


class PresetFilters(TypedDict):
    """Filters by name: the query names of `GET /alerts` with the values they take there. A null filter is not set; unknown names are stored but not used, and listed in `X-Unknown-Parameters` when the preset is saved or applied."""

    page: NotRequired[int | None]
    """Page number; the preset’s if omitted."""
    page_size: NotRequired[int | None]
    """Results per page; the preset’s if omitted. Values above the `max_page_size` of the key are reduced to it."""
    category: NotRequired[Category | None]
    """A category value."""
    categories: NotRequired[str | None]
    """Any of these categories, separated by commas. With `category`, both must match. Default: all."""
    side: NotRequired[Side | None]
    """Direction of the trade."""
    min_usdc: NotRequired[float | None]
    """Only trades larger than this USDC amount."""
    min_position: NotRequired[float | None]
    """Only alerts whose bet has put in at least this USDC amount, as of the alert: all buys of the wallet in the outcome, or those of a cluster’s members."""
    min_signal: NotRequired[int | None]
    """Only alerts with at least this signal score."""
    search: NotRequired[str | None]
    """Words of the market question or slug, in any order; or an address, also shortened, or a URL of Polymarket or of this service. Case does not matter."""
    wallet: NotRequired[str | None]
    """Address of the wallet that traded; for a cluster, the wallet whose order triggered the alert. Case does not matter."""
    market: NotRequired[str | None]
    """Market identifier, or the market slug as given in the alert. Case does not matter."""
    alert_type: NotRequired[AlertType | None]
    """Kind of alert."""
    since: NotRequired[str | None]
    """Not before this time: `YYYY-MM-DD HH:MM:SS`, the same with a T (both UTC), or ISO 8601 with a zone."""
    until: NotRequired[str | None]
    """Not after this time, in the format of `since`. Without a fraction, the whole second is included."""
    resolved: NotRequired[bool | None]
    """Whether the market has resolved."""

Presets: TypeAlias = 'list[Preset]'


class PreviewDailyItem(TypedDict):
    date: str
    """The UTC day."""
    alerts: int
    """Matches on that day."""


class PreviewMarkets(TypedDict):
    """The same with each market counted once. Alerts of one market win or lose together, so a few markets prove little."""

    resolved: int
    """Markets of the resolved alerts."""
    win_rate: float | None
    """Mean over these markets; null if there are none."""
    average_entry: float | None
    """Mean over these markets."""
    edge: float | None
    """`win_rate − average_entry`."""


class Preview(TypedDict):
    """What the filter would have matched."""

    days: int
    """Days that a preview covers at most."""
    since: str
    """Start of the window, 30 days before its end, or the very first alert if that is later: `YYYY-MM-DD HH:MM:SS`, UTC."""
    until: str
    """End of the window: now, or 5 minutes ago for a free key; with a tape, the newest alert if none followed for a day: `YYYY-MM-DD HH:MM:SS`, UTC."""
    total: int
    """Matching alerts in the window."""
    alerts_per_day: float
    """Mean number per day; a window shorter than a day counts as one day."""
    daily: list[PreviewDailyItem]
    """Every UTC day of the window, oldest first; the first and the last are usually partial."""
    resolved: int
    """Matches whose market has resolved."""
    won: int
    """Resolved matches that were right."""
    win_rate: float | None
    """`won / resolved`, 0 to 1; null if none is resolved."""
    average_entry: float | None
    """Mean price paid for the expected outcome; for a SELL, 1 − price."""
    edge: float | None
    """`win_rate − average_entry`. Above 0, the alerts were right more often than the price implied."""
    markets: PreviewMarkets
    """The same with each market counted once. Alerts of one market win or lose together, so a few markets prove little."""
    newest: list[AlertItem]
    """The newest matches, at most three, newest first."""


class RecordCapital(TypedDict):
    """Hypothetical capital that began with 1 USDC."""

    now: float
    """Capital that is free now, in USDC; what is staked counts as lost."""
    highest: float
    """The highest it ever was, in USDC."""


class RecordCapitalPoint(TypedDict):
    """Capital at a moment."""

    at: str
    """When the first bet was opened, or when a bet was closed."""
    capital: float
    """The capital of the bettor who buys what the alert bought, in USDC."""


class RecordFigure(TypedDict):
    """A mean, its interval and its verdict, all of the same bets."""

    threshold: float
    """Capital, in USDC, that chance alone reaches with a probability of at most 1 in this number."""
    bets: int
    """Bets made."""
    open: int
    """Bets whose end is unknown."""
    mean: float | None
    """Mean of the bets with a known end, in USDC per share; null without one."""
    low: float | None
    """Lower end of the interval of the mean, valid at any time if the average is steady, in USDC per share; null if there is none."""
    high: float | None
    """Upper end of the interval; null if there is none."""
    bought: RecordCapital
    """Of a bettor who buys what the alert bought."""
    sold: RecordCapital
    """Of a bettor who buys the other outcome."""
    verdict: RecordVerdict
    """`above`: the first bettor reached the threshold. `below`: the second one did."""


class RecordReportRules(TypedDict):
    """The running rules."""

    version: str
    """Version of the running rules."""
    sha256: str
    """SHA-256 of their canonical JSON, as in the log."""


class RecordReport(TypedDict):
    """What the alerts were worth: prices after them and payouts, losses included."""

    as_of: str
    """Nothing later was used. Of a replay, like all its dates, moved as its alerts are."""
    rules: RecordReportRules
    """The running rules."""
    starts_at: str
    """Alerts published from this UTC day on count."""
    is_rehearsal: bool
    """That day has not come: these are all alerts so far, and the record starts anew with it."""
    conclusion: str
    """What can be said, in words."""
    results: str | None
    """How many settled bets were right, beside what the prices paid needed; null while none is settled."""
    alerts: int
    """Published alerts."""
    counted: int
    """The first of each wallet, market and outcome; all that follows counts only these."""
    settled: int
    """Their market is settled."""
    right: int
    """Settled, and their outcome paid the whole dollar."""
    day_later: RecordFigure
    """Price a day later minus price paid, one bet at a time."""
    payout: RecordFigure
    """Payout minus price paid, on the first alert of each event."""
    bankroll: list[RecordCapitalPoint]
    """The capital of the bettor on the price a day later, ascending by time; empty without a bet."""

RecordVerdict: TypeAlias = 'Literal["not_shown", "above", "below"]'


class RegisterWebhook(TypedDict):
    """Body of `registerWebhook`."""

    url: str
    """The URL that alerts are sent to: https, on the public internet, port 443 or a port from 1024 up."""
    format: NotRequired[WebhookFormat]
    """Format of the deliveries, which like the `url` cannot be changed later; `json` if omitted. `json`: the bodies documented here, acknowledged by 200 only. `discord`, `slack` (also Mattermost and others that accept its format), `ntfy`: human-readable messages to a webhook or topic there, acknowledged by any 2xx."""
    categories: NotRequired[str | None]
    """Comma-separated list of crypto, politics, world, tech, finance, pop_culture, other; all categories if omitted."""
    min_signal: NotRequired[int | None]
    """Only alerts with at least this score are sent; all if omitted."""
    filters: NotRequired[GivenWebhookFilters | None]
    """Only alerts that pass all of these filters are sent; all if omitted."""
    events: NotRequired[str | None]
    """Comma-separated, of alert, outcome; alerts only if omitted. An outcome is sent if at least one alert of its market passes the categories, the signal and the filters."""


class SampleAlert(TypedDict):
    """The invented alert that a webhook test sends. Its `id` is 0."""

    id: int
    """Unique alert identifier."""
    alert_type: AlertType
    """Why the trade was suspicious."""
    wallet_address: str
    """Address of the trading wallet."""
    market_id: str
    """Market identifier."""
    event_title: str
    """Market question text."""
    event_slug: str
    """Market slug."""
    side: Side
    """Direction of the trade."""
    outcome: str
    """Outcome traded."""
    entry_price: float
    """Mean price of the order in USDC per share. An order is all fills of one wallet, outcome and side in one second."""
    usdc_value: float
    """Size of the whole order in USDC."""
    signal_score: int
    """Signal score, 0 to 100."""
    category: Category
    """Category of the market."""
    trade_count: int
    """Orders in the alert: 1 for `fresh`, the buys so far for `fresh_accumulator`, those of all members for `cluster`."""
    created_at: str
    """When the alert was created: `YYYY-MM-DD HH:MM:SS`, UTC."""
    resolved: bool
    """Whether the market has resolved."""
    won: bool | None
    """Whether the outcome bought came true; null while unresolved."""
    profit_usdc: float | None
    """Profit of the order if held to the end, in USDC before fees; null while unresolved."""
    details: AlertDetails
    log: LogHead | None
    """The entry of the log that holds this alert: the head of the log when the alert was published; null for an invented alert."""
    test: bool
    """Always true. Present only in requests of `POST /webhooks/{webhook_id}/test`."""


class ScoreReason(TypedDict):
    """One part of a signal score."""

    factor: str
    """The factor: wallet_age, markets (distinct markets of the wallet), to_win (what is won if the alert is right), timing (hours to the end of the market, or 20% of its day volume and 5,000 USDC), accumulator or cluster. More may be added."""
    points: float
    """Points given."""
    max: float
    """Maximum of points."""
    note: str
    """Explanation in words."""


class SettledAlert(TypedDict):
    """An alert with the result that an outcome gives it."""

    id: int
    """The alert."""
    won: bool | None
    """Whether these payouts prove it right; null if they do not contain its outcome."""
    profit_usdc: float | None
    """Profit of its order with these payouts, in USDC before fees; null like `won`."""

Side: TypeAlias = 'Literal["BUY", "SELL"]'


class Stats(TypedDict):
    """Counts of all alerts. Today begins at UTC midnight."""

    total_alerts: int
    """All-time number of alerts."""
    alerts_today: int
    """Alerts since UTC midnight."""
    avg_signal_today: float
    """Average signal score of today’s alerts; 0 when there are none."""
    clusters_today: int
    """Times several fresh wallets were caught coordinating buys today."""
    win_rate: float
    """Fraction (0 to 1) of alerts on resolved markets whose trade was correct; 0 when there are none."""
    total_resolved: int
    """Alerts whose market has resolved."""
    total_won: int
    """Of those, alerts that were correct."""

Tier: TypeAlias = 'Literal["free", "pro", "enterprise"]'


class UnwatchedVolume(TypedDict):
    """Trading on the chain that is not judged, as shares of volume: the USDC of the orders that took liquidity, in 5 blocks every 5 minutes of the last 24 hours, since the service started."""

    since: str
    """Time of the oldest block of the sample."""
    until: str
    """Time of the newest."""
    blocks: int
    """Number of blocks."""
    volume_usdc: float
    """Volume of the sample on the exchanges that are watched, combos included, in USDC."""
    combos_share: float
    """Part of this volume in combos: positions in several markets, which have no market of their own."""
    other_contracts_share: float | None
    """Volume of other contracts that emit the same event, as a share of their volume plus `volume_usdc`; anyone can deploy such a contract. Null: not known, because the node does not search all contracts."""


class UpdateWebhook(TypedDict):
    """Body of `updateWebhook`."""

    categories: NotRequired[str | None]
    """Comma-separated list of crypto, politics, world, tech, finance, pop_culture, other; null for all categories."""
    min_signal: NotRequired[int | None]
    """Only alerts with at least this score are sent; null for all."""
    filters: NotRequired[GivenWebhookFilters | None]
    """Only alerts that pass all of these filters are sent; null for all."""
    events: NotRequired[str | None]
    """Comma-separated, of alert, outcome; null for alerts only."""
    paused: NotRequired[bool]
    """True pauses deliveries, false resumes them."""


class ValidationError(TypedDict):
    """The request has invalid values."""

    detail: list[ValueProblem]
    """All invalid values."""
    code: ErrorCode


class ValueProblem(TypedDict):
    """One invalid value."""

    loc: list[str]
    """Location: `body`, `query` or `path`, then the name."""
    msg: str
    """The problem, in words."""
    type: str
    """The kind of problem, for example `missing` or `int_parsing`."""


class WalletPositions(TypedDict):
    """Its positions, from its newest 1,000 alerts."""

    total: int
    """Number of positions."""
    newest: list[WalletPosition]
    """At most 50, those with the newest alerts first; `GET /exits` returns what was sold."""


class WalletClusters(TypedDict):
    """Clusters that the wallet is a member of."""

    total: int
    """Clusters that the wallet is a member of."""
    newest: list[WalletCluster]
    """The newest of them, at most 20, newest first."""


class Wallet(TypedDict):
    """What the service knows about a wallet."""

    wallet_address: str
    """Address of the wallet, in lower case."""
    first_seen: str
    """When the first alert that names the wallet was created, as its own or as a member of a cluster: `YYYY-MM-DD HH:MM:SS`, UTC."""
    age_days_at_first_alert: int | None
    """Age of the wallet at its first own alert, in whole days; null if it is a member of clusters only."""
    total: int
    """Alerts whose `wallet_address` it is."""
    alerts: list[AlertItem]
    """A page of them, newest first."""
    has_more: bool
    """Whether there are older ones. `Link` leads to them."""
    record: WalletRecord
    positions: WalletPositions
    """Its positions, from its newest 1,000 alerts."""
    clusters: WalletClusters
    """Clusters that the wallet is a member of."""


class WalletCluster(TypedDict):
    """A cluster that the wallet is a member of."""

    id: int
    """Identifier of the alert; `GET /alerts/{id}` returns its members."""
    market_id: str
    """Market identifier."""
    event_title: str
    """Market question text."""
    outcome: str
    """Outcome bought."""
    signal_score: int
    """Signal score, 0 to 100."""
    members: int
    """Wallets in the cluster."""
    total_usdc: float
    """Sum of their buys, in USDC."""
    created_at: str
    """When the alert was created: `YYYY-MM-DD HH:MM:SS`, UTC."""


class WalletPosition(TypedDict):
    """What a wallet holds or sold of one outcome, according to its newest alert on it."""

    market_id: str
    """Market identifier."""
    event_title: str
    """Market question text."""
    event_slug: str
    """Market slug."""
    side: Side
    """Direction of the trades."""
    outcome: str
    """Outcome traded."""
    total_usdc: float
    """What its buys cost, in USDC; for a sale, its proceeds."""
    shares: float
    """Shares bought, or sold."""
    avg_price: float
    """Their mean price, in USDC per share."""
    payout: float | None
    """What a share paid, in USDC; null while the market is not settled."""
    profit_usdc: float | None
    """Profit if held to the end, in USDC before fees; null while the market is not settled."""
    alert_ids: list[int]
    """Its alerts on this outcome, ascending."""


class WalletRecord(TypedDict):
    """What became of the positions of a wallet, from its newest 1,000 alerts."""

    settled_markets: int
    """Settled markets in which the wallet has alerts of its own."""
    settled_positions: int
    """Its positions in them: each outcome and side once, according to its newest alert."""
    won: int | None
    """Markets in which more of its positions were right than wrong."""
    lost: int | None
    """Markets in which more of its positions were wrong than right."""
    win_rate: float | None
    """Mean over the markets of the share of its positions that were right, 0 to 1: one market, one vote."""
    profit_usdc: float | None
    """Profit of its positions if held to the end, in USDC before fees."""
    reason: str | None
    """Why the figures are null: fewer than 10 settled markets are too few to say. Else null."""


class Webhook(TypedDict):
    """A registered webhook."""

    id: str
    """Id of the webhook."""
    url: str
    """The URL that alerts and outcomes are sent to."""
    format: WebhookFormat
    """Format of the deliveries: JSON, or human-readable messages for Discord, Slack or ntfy."""
    categories: str | None
    """Comma-separated; null means every category."""
    min_signal: int | None
    """Alerts with at least this score; null means all."""
    filters: WebhookFilters | None
    """Further conditions, all of which must match; null means none."""
    events: str
    """What is sent, comma-separated: alert, outcome, exit."""
    paused: bool
    """True: no alerts are sent. Alerts published while it is paused are not sent later."""
    created_at: str
    """When it was registered: `YYYY-MM-DD HH:MM:SS`, UTC."""
    secret_rotated_at: str | None
    """When the secret was last rotated: `YYYY-MM-DD HH:MM:SS`, UTC; null if never."""
    deliveries: DeliveryCounts


class WebhookDeliveries(TypedDict):
    """A page of the deliveries of a webhook."""

    deliveries: list[WebhookDelivery]
    """Newest first."""
    has_more: bool
    """Whether there are older deliveries. `Link` leads to them."""


class WebhookDelivery(TypedDict):
    """The delivery of one alert, outcome or exit, or of a test, to one webhook."""

    id: str
    """Id of the delivery: the header `webhook-id`, unless it repeats another delivery, whose header it then carries."""
    alert_id: int | None
    """The alert; null for others."""
    outcome: int | None
    """Number of the outcome; null for others."""
    exit: int | None
    """Number of the exit; null for others."""
    repeats: str | None
    """Id of the delivery that this one repeats at your request; null for others."""
    test: bool
    """True for a test."""
    status: DeliveryStatus
    """`pending`: waits for its turn; `requested`: waits to be sent again, as its owner has asked; `claimed`: is being sent; `delivered`: was answered 200 within 5 seconds, or any 2xx if the format is not `json`; `failed`: was not delivered; `error` says why; `unknown`: was being sent when its process ended: it may have arrived, and is not sent again; `expired`: waited for more than 10 minutes, and was not sent; `cancelled`: was not sent: the webhook was deleted or paused, or its key may no longer have webhooks."""
    response_status: int | None
    """HTTP status of the answer; null if there was none, or nothing was sent."""
    duration_ms: int | None
    """Duration of the attempt; null if there was none, or its outcome is unknown."""
    error: DeliveryError | None
    """Why the attempt failed; null if it did not. `dns`: the name of the host could not be resolved; `not_public`: it leads to an address that is not public, and nothing was sent there; `refused`: no connection could be made; `tls`: no secure connection: a certificate that is wrong, expired or from an unknown authority, or a server without TLS; `reset`: the connection broke before there was an answer; `protocol`: the answer is not HTTP; `timeout`: no status within 5 seconds, including the time to connect; `redirect`: it answered with a redirect (3xx); these are not followed; `status`: it answered with a status that does not acknowledge the delivery."""
    retry_after: int | None
    """Seconds that the receiver asked to wait (`Retry-After`) when it refused, for example with 429, at most 7 days; null if it did not. It does not cause a retry."""
    created_at: str
    """When it was created: `YYYY-MM-DD HH:MM:SS`, UTC."""
    finished_at: str | None
    """When it ended: `YYYY-MM-DD HH:MM:SS`, UTC; null while it is pending."""


class WebhookFilters(TypedDict):
    """Alert filters, named as in `GET /alerts` and presets. All must match; a null filter is not set."""

    category: NotRequired[Category | None]
    """A category value."""
    categories: NotRequired[str | None]
    """Any of these categories, separated by commas. With `category`, both must match. Default: all."""
    side: NotRequired[Side | None]
    """Direction of the trade."""
    min_usdc: NotRequired[float | None]
    """Only trades larger than this USDC amount."""
    min_position: NotRequired[float | None]
    """Only alerts whose bet has put in at least this USDC amount, as of the alert: all buys of the wallet in the outcome, or those of a cluster’s members."""
    min_signal: NotRequired[int | None]
    """Only alerts with at least this signal score."""
    search: NotRequired[str | None]
    """Words of the market question or slug, in any order; or an address, also shortened, or a URL of Polymarket or of this service. Case does not matter."""
    wallet: NotRequired[str | None]
    """Address of the wallet that traded; for a cluster, the wallet whose order triggered the alert. Case does not matter."""
    market: NotRequired[str | None]
    """Market identifier, or the market slug as given in the alert. Case does not matter."""
    alert_type: NotRequired[AlertType | None]
    """Kind of alert."""

WebhookFormat: TypeAlias = 'Literal["json", "discord", "slack", "ntfy"]'


class WebhookRegistered(TypedDict):
    """The webhook is registered."""

    id: str
    """Id of the webhook."""
    url: str
    """The URL that alerts and outcomes are sent to."""
    secret: str
    """Signs the deliveries (Standard Webhooks). Shown only once."""

Webhooks: TypeAlias = 'list[Webhook]'


class WebhookSecretRotated(TypedDict):
    """The secret is rotated."""

    id: str
    """Id of the webhook."""
    secret: str
    """The new secret. Shown only once."""
    previous_secret_valid_until: str
    """The time, 24 hours from now, until which deliveries are signed with the new and with the previous secret: `YYYY-MM-DD HH:MM:SS`, UTC."""


class WebhookTestResult(TypedDict):
    """The result of a test, whatever the answer of the receiver."""

    id: str
    """Id of the delivery: the header `webhook-id`, unless it repeats another delivery, whose header it then carries."""
    status: Literal["delivered", "failed"]
    """`delivered` if the receiver acknowledged it within 5 seconds."""
    response_status: int | None
    """HTTP status of the answer; null if there was none, or nothing was sent."""
    duration_ms: int
    """Duration of the attempt."""
    error: DeliveryError | None
    """Why the attempt failed; null if it did not. `dns`: the name of the host could not be resolved; `not_public`: it leads to an address that is not public, and nothing was sent there; `refused`: no connection could be made; `tls`: no secure connection: a certificate that is wrong, expired or from an unknown authority, or a server without TLS; `reset`: the connection broke before there was an answer; `protocol`: the answer is not HTTP; `timeout`: no status within 5 seconds, including the time to connect; `redirect`: it answered with a redirect (3xx); these are not followed; `status`: it answered with a status that does not acknowledge the delivery."""
    retry_after: int | None
    """Seconds that the receiver asked to wait (`Retry-After`) when it refused, for example with 429, at most 7 days; null if it did not. It does not cause a retry."""


class GetApiDescriptionAnswerInfo(TypedDict):
    title: str
    version: str


class GetApiDescriptionAnswer(TypedDict):
    """An OpenAPI 3.1 document."""

    openapi: str
    info: GetApiDescriptionAnswerInfo


class GetStreamDescriptionAnswerInfo(TypedDict):
    title: str
    version: str


class GetStreamDescriptionAnswer(TypedDict):
    """An AsyncAPI 3.0 document."""

    asyncapi: str
    info: GetStreamDescriptionAnswerInfo
