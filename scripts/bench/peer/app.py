"""`/alerts/latest` and a search in FastAPI, over the SQLite file of Tipoff and its indexes, as one would write them."""

import hashlib
import os
import sqlite3
import threading
import time
from datetime import datetime, timezone
from typing import Optional

from fastapi import Depends, FastAPI, Header, HTTPException, Response

# Kept in memory, as the service keeps it; and the SHA-256 of the key that was verified before.
LATEST = os.environ["PEER_LATEST"].encode()
VERIFIED = os.environ["PEER_KEY"]
FIELDS = {
    **{"id": "id", "alert_type": "type", "wallet_address": "wallet", "market_id": "market_id"},
    **{"event_title": "event_title", "side": "side", "outcome": "outcome", "entry_price": "entry_price"},
    **{"usdc_value": "usdc", "signal_score": "score", "category": "category", "created_at": "created_at"},
}
MATCHES = "FROM alerts WHERE category = ? AND score >= ? AND usdc >= ?"
COUNT = f"SELECT COUNT(*) {MATCHES}"
PAGE = f"SELECT {', '.join(FIELDS.values())} {MATCHES} ORDER BY id DESC LIMIT ? OFFSET ?"

app = FastAPI()
local = threading.local()


def caller(authorization: Optional[str] = Header(None)) -> None:
    key = (authorization or "").removeprefix("Bearer ")
    if hashlib.sha256(key.encode()).hexdigest() != VERIFIED:
        raise HTTPException(401, "Invalid API key.")


def rows(sql: str, *values) -> list:
    if not hasattr(local, "database"):
        local.database = sqlite3.connect(f"file:{os.environ['PEER_DATABASE']}?mode=ro", uri=True)
    return local.database.execute(sql, values).fetchall()


def item(row: tuple) -> dict:
    at = datetime.fromtimestamp(row[-1] / 1000, timezone.utc)
    return {**dict(zip(FIELDS, row)), "created_at": at.strftime("%Y-%m-%d %H:%M:%S")}


@app.get("/api/v1/alerts/latest", dependencies=[Depends(caller)])
async def latest() -> Response:
    return Response(LATEST, media_type="application/json")


@app.get("/api/v1/alerts", dependencies=[Depends(caller)])
def search(category: str, min_signal: int, min_usdc: float, page: int = 1, page_size: int = 20):
    values = (category, min_signal, min_usdc)
    [[total]] = rows(COUNT, *values)
    alerts = [item(row) for row in rows(PAGE, *values, page_size, (page - 1) * page_size)]
    has_more = page * page_size < total
    return {"alerts": alerts, "total": total, "page": page, "page_size": page_size, "has_more": has_more}


@app.get("/cpu")
async def cpu() -> float:
    return time.process_time()
