"""The endpoints that `npm run bench` measures, in FastAPI as one would write them there.

It reads Tipoff's own SQLite file. Pydantic models shape every answer; the newest alerts are kept in memory; the hot
markets are remembered for two seconds; a search counts its matches and reads its page, each with one query.
"""

import asyncio
import hashlib
import json
import math
import os
import sqlite3
import threading
import time
from typing import Any, Dict, List, Literal, Optional, Tuple

from fastapi import APIRouter, Depends, FastAPI, Header, HTTPException, Query, Response
from starlette.concurrency import run_in_threadpool

from models import AlertPage, Category, HotMarkets, LatestAlert, Side
from views import cents, to_item, to_latest, utc

DATABASE = os.environ["PEER_DATABASE"]
# SHA-256 of every key whose verification is remembered, and its tier.
VERIFIED: Dict[str, str] = json.loads(os.environ["PEER_KEYS"])
READY_BYTES = os.environ.get("PEER_READY_TEXT", "[]").encode()

REQUESTS_PER_MINUTE = {"free": 60, "pro": 300, "enterprise": None}
PAGE_SIZE_MAX = {"free": 20, "pro": 50, "enterprise": 100}
DELAY_SECONDS = {"free": 300, "pro": 0, "enterprise": 0}
PERIOD_HOURS = {"1h": 1, "6h": 6, "24h": 24, "7d": 7 * 24, "30d": 30 * 24}
WINDOW_ALERTS = 1_000
WINDOW_REFRESH_SECONDS = 0.1
HOT_SECONDS = 2.0

app = FastAPI()
api = APIRouter(prefix="/api/v1")
local = threading.local()


def database() -> sqlite3.Connection:
    """A read-only connection for each thread of the pool."""
    if not hasattr(local, "connection"):
        local.connection = sqlite3.connect(f"file:{DATABASE}?mode=ro", uri=True)
        local.connection.row_factory = sqlite3.Row
    return local.connection


# The calls of each key in the window of a minute that began with the first of them.
windows: Dict[str, Tuple[float, int]] = {}


def take(digest: str, tier: str, response: Response) -> None:
    limit = REQUESTS_PER_MINUTE[tier]
    if limit is None:
        return
    now = time.monotonic()
    began, calls = windows.get(digest, (now, 0))
    if now - began >= 60:
        began, calls = now, 0
    windows[digest] = (began, calls + 1)
    headers = {
        "RateLimit-Limit": str(limit),
        "RateLimit-Remaining": str(max(0, limit - calls - 1)),
        "RateLimit-Reset": str(math.ceil(began + 60 - now)),
    }
    if calls >= limit:
        headers["Retry-After"] = headers["RateLimit-Reset"]
        raise HTTPException(429, f"Rate limit exceeded. {tier} tier: {limit} req/min.", headers)
    response.headers.update(headers)


async def caller(response: Response, authorization: Optional[str] = Header(None)) -> str:
    scheme, _, key = (authorization or "").partition(" ")
    digest = hashlib.sha256(key.strip().encode()).hexdigest()
    tier = VERIFIED.get(digest)
    if scheme.lower() != "bearer" or tier is None:
        raise HTTPException(401, "Invalid API key.", {"WWW-Authenticate": "Bearer"})
    take(digest, tier, response)
    return tier


newest: List[Dict[str, Any]] = []


def read_newest(known: int) -> Optional[List[Dict[str, Any]]]:
    last = database().execute("SELECT MAX(id) FROM alerts").fetchone()[0] or 0
    if last == known:
        return None
    rows = database().execute("SELECT * FROM alerts ORDER BY id DESC LIMIT ?", (WINDOW_ALERTS,))
    return [to_latest(row) for row in rows]


async def refresh_newest() -> None:
    found = await run_in_threadpool(read_newest, newest[0]["id"] if newest else 0)
    if found is not None:
        newest[:] = found


async def follow_newest() -> None:
    while True:
        await asyncio.sleep(WINDOW_REFRESH_SECONDS)
        await refresh_newest()


@app.on_event("startup")
async def start() -> None:
    await refresh_newest()
    app.state.following = asyncio.create_task(follow_newest())


@api.get("/alerts/latest", response_model=List[LatestAlert], response_model_exclude_unset=True)
async def latest(limit: int = Query(10, ge=1, le=50), tier: str = Depends(caller)):
    visible = (time.time() - DELAY_SECONDS[tier]) * 1000
    return [alert for alert in newest if DELAY_SECONDS[tier] == 0 or alert["at"] <= visible][:limit]


@api.get("/alerts", response_model=AlertPage)
def search_alerts(
    page: int = Query(1, ge=1),
    page_size: int = Query(20, ge=1, le=100),
    category: Optional[Category] = None,
    side: Optional[Side] = None,
    min_usdc: Optional[float] = None,
    min_signal: Optional[int] = Query(None, ge=0, le=100),
    search: Optional[str] = Query(None, max_length=200),
    tier: str = Depends(caller),
):
    size = min(page_size, PAGE_SIZE_MAX[tier])
    conditions = {
        "category = ?": category,
        "side = ?": side,
        "usdc > ?": min_usdc,
        "score >= ?": min_signal,
        "created_at <= ?": (time.time() - DELAY_SECONDS[tier]) * 1000 if DELAY_SECONDS[tier] else None,
    }
    where = [sql for sql, value in conditions.items() if value is not None]
    values: List[Any] = [value for value in conditions.values() if value is not None]
    if search:
        where.append(
            "(listing IN (SELECT id FROM listings WHERE instr(title_lower, ?) OR instr(slug_lower, ?))"
            " OR id IN (SELECT id FROM alerts WHERE wallet = ?))"
        )
        values += [search.lower()] * 3
    matches = f"FROM alert_facets WHERE {' AND '.join(where) or 'TRUE'}"
    total = database().execute(f"SELECT COUNT(*) {matches}", values).fetchone()[0]
    rows = database().execute(
        f"SELECT body FROM alerts WHERE id IN (SELECT id {matches} ORDER BY id DESC LIMIT ? OFFSET ?)"
        " ORDER BY id DESC",
        [*values, size, (page - 1) * size],
    )
    return {
        "alerts": [to_item(row) for row in rows],
        "total": total,
        "page": page,
        "page_size": size,
        "has_more": page * size < total,
    }


hot: Dict[Tuple[str, int, Optional[str]], Tuple[float, Dict[str, Any]]] = {}
hot_lock = asyncio.Lock()


def read_hot(period: str, limit: int, category: Optional[str]) -> Dict[str, Any]:
    since = (time.time() - PERIOD_HOURS[period] * 3600) * 1000
    # Beside MAX, SQLite gives the other columns of the row that has it.
    rows = database().execute(
        """SELECT market_id, title, slug, f.category, COUNT(*) AS count, AVG(score) AS signal, SUM(usdc) AS usdc,
             MAX(f.id), f.created_at AS at
           FROM alert_facets f JOIN listings ON listings.id = listing
           WHERE f.created_at >= ? AND (? IS NULL OR f.category = ?) GROUP BY market_id""",
        (since, category, category),
    ).fetchall()

    def best(metric: str) -> List[Dict[str, Any]]:
        return [
            {
                "market_id": row["market_id"],
                "event_title": row["title"],
                "event_slug": row["slug"],
                "category": row["category"],
                "alert_count": row["count"],
                "avg_signal": cents(row["signal"]),
                "total_usdc": cents(row["usdc"]),
                "latest_alert": utc(row["at"]).strftime("%Y-%m-%dT%H:%M:%S"),
            }
            for row in sorted(rows, key=lambda row: (-row[metric], row["market_id"]))[:limit]
        ]

    return {
        "period": period,
        "most_alerts": best("count"),
        "highest_signal": best("signal"),
        "biggest_trades": best("usdc"),
    }


@api.get("/hot-markets", response_model=HotMarkets)
async def hot_markets(
    period: Literal["1h", "6h", "24h", "7d", "30d"] = "24h",
    limit: int = Query(10, ge=1, le=25),
    category: Optional[Category] = None,
):
    name = (period, limit, category)
    if name in hot and time.monotonic() - hot[name][0] < HOT_SECONDS:
        return hot[name][1]
    async with hot_lock:
        if name not in hot or time.monotonic() - hot[name][0] >= HOT_SECONDS:
            hot[name] = (time.monotonic(), await run_in_threadpool(read_hot, *name))
    return hot[name][1]


app.include_router(api)


@app.get("/ready-bytes")
async def ready_bytes():
    """The quickest that FastAPI answers: no key, no model, bytes made before."""
    return Response(READY_BYTES, media_type="application/json")


@app.get("/cpu")
async def cpu():
    return {"seconds": time.process_time()}
