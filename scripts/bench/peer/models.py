"""The shapes of the answers."""

from typing import List, Literal, Optional

from pydantic import BaseModel

Category = Literal["crypto", "politics", "world", "tech", "finance", "pop_culture", "other"]
Side = Literal["BUY", "SELL"]


class Reason(BaseModel):
    factor: str
    points: float
    max: float
    note: str


class Details(BaseModel):
    wallet_age_days: int
    is_accumulating: bool
    market_buy_count: int
    market_total_bought: float
    market_avg_price: float
    role: Optional[str]
    wallets: Optional[List[str]] = None
    cluster_total: Optional[float] = None
    position_profit_usdc: Optional[float]
    reasons: List[Reason]
    rule_version: str
    thread_id: int
    supersedes: Optional[int]
    traded_at: str
    detected_at: str
    published_at: str


class LogHead(BaseModel):
    sequence: int
    hash: str


class AlertItem(BaseModel):
    id: int
    alert_type: str
    wallet_address: str
    market_id: str
    event_title: str
    side: Side
    outcome: str
    entry_price: float
    usdc_value: float
    signal_score: int
    category: Category
    created_at: str


class LatestAlert(BaseModel):
    id: int
    alert_type: str
    wallet_address: str
    event_title: str
    event_slug: str
    side: Side
    outcome: str
    entry_price: float
    usdc_value: float
    signal_score: int
    category: Category
    trade_count: int
    created_at: str
    resolved: bool
    won: Optional[bool]
    profit_usdc: Optional[float]
    details: Details
    log: Optional[LogHead]


class AlertPage(BaseModel):
    alerts: List[AlertItem]
    total: int
    page: int
    page_size: int
    has_more: bool


class HotMarket(BaseModel):
    market_id: str
    event_title: str
    event_slug: str
    category: Category
    alert_count: int
    avg_signal: float
    total_usdc: float
    latest_alert: str


class HotMarkets(BaseModel):
    period: str
    most_alerts: List[HotMarket]
    highest_signal: List[HotMarket]
    biggest_trades: List[HotMarket]
