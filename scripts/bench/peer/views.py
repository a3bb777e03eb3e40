"""From the rows of Tipoff's tables to what the models take."""

import json
import math
import sqlite3
from datetime import datetime, timezone
from typing import Any, Dict


def utc(at: int) -> datetime:
    return datetime.fromtimestamp(at / 1000, timezone.utc)


def iso(at: int) -> str:
    return utc(at).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def cents(value: float) -> float:
    return math.floor(value * 100 + 0.5) / 100


def to_item(row: sqlite3.Row) -> Dict[str, Any]:
    body = json.loads(row["body"])
    return {
        "id": body["id"],
        "alert_type": body["type"],
        "wallet_address": body["wallet"],
        "market_id": body["marketId"],
        "event_title": body["eventTitle"],
        "side": body["side"],
        "outcome": body["outcome"],
        "entry_price": body["entryPrice"],
        "usdc_value": body["usdc"],
        "signal_score": body["score"],
        "category": body["category"],
        "created_at": utc(body["createdAt"]).strftime("%Y-%m-%d %H:%M:%S"),
    }


def to_latest(row: sqlite3.Row) -> Dict[str, Any]:
    body = json.loads(row["body"])
    found = body["details"]
    details = {
        "wallet_age_days": found["walletAgeDays"],
        "is_accumulating": found["isAccumulating"],
        "market_buy_count": found["marketBuyCount"],
        "market_total_bought": found["marketTotalBought"],
        "market_avg_price": found["marketAvgPrice"],
        "role": found.get("role"),
        # The sample alerts have no shares of the position.
        "position_profit_usdc": None,
        "reasons": found["reasons"],
        "rule_version": found["ruleVersion"],
        "thread_id": row["thread_id"],
        "supersedes": row["supersedes"],
        "traded_at": iso(body["tradedAt"]),
        "detected_at": iso(body["detectedAt"]),
        "published_at": iso(body["publishedAt"]),
    }
    if "wallets" in found:
        details["wallets"] = found["wallets"]
        details["cluster_total"] = found["clusterTotal"]
    return {
        **to_item(row),
        "event_slug": body["eventSlug"],
        "trade_count": body["tradeCount"],
        "resolved": row["won"] is not None,
        "won": None if row["won"] is None else row["won"] == 1,
        "profit_usdc": row["profit_usdc"],
        "details": details,
        "log": body.get("log"),
        "at": body["createdAt"],
    }
