# What a user of the client does. Tells what happened as plain data.
import asyncio
import json
import sys
from contextlib import aclosing
from typing import Any

from tipoff import AsyncClient, Client, TipoffConnectionError, follow, verify_webhook


async def main(given: dict[str, Any]) -> dict[str, Any]:
    key, delivery = given["apiKey"], given["delivery"]
    headers, body, secret = delivery["headers"], delivery["body"], delivery["secret"]
    with Client(given["url"], key) as tipoff, Client(given["closedUrl"], retries=0) as closed:
        first = tipoff.list_outcomes()["outcomes"][0]["number"]
        found: dict[str, Any] = {
            "alerts": ids_of(tipoff.iter_alerts(page_size=50)),
            "outcomes": ids_of(tipoff.iter_outcomes(limit=1)),
            "alertsOfOutcome": len(ids_of(tipoff.iter_outcome_alerts(first, limit=1))),
            "exits": ids_of(tipoff.iter_exits()),
            "logEntries": ids_of(tipoff.iter_log_entries(limit=1)),
            "deliveries": ids_of(tipoff.iter_deliveries("wh_archive", limit=1)),
            "followed": await followed(given["unstableUrl"], key),
            "refused": error_of(lambda: tipoff.get_alert(999_999)),
            "lost": error_of(closed.get_stats),
            "verified": verify_webhook(body, headers, secret).id,
            "forged": error_of(lambda: verify_webhook(body + " ", headers, secret)),
            "parsed": error_of(lambda: verify_webhook(json.loads(body), headers, secret)),
        }
    async with AsyncClient(given["url"], key) as concurrent:
        ids = [alert["id"] async for alert in concurrent.iter_alerts(page_size=50)]
    if ids != found["alerts"]:
        raise AssertionError(ids)
    return found


def ids_of(items: Any) -> list[Any]:
    return [next(item[name] for name in ("id", "number", "sequence") if name in item) for item in items]


async def followed(url: str, key: str) -> dict[str, Any]:
    """Until everything of the archive has come. The address refuses the first connection and cuts the second one."""
    found: dict[str, Any] = {"alert": [], "outcome": [], "exit": [], "pauses": []}

    def on_status(status: Any) -> None:
        if status["state"] == "waiting":
            found["pauses"].append(status["reason"])

    since = {"since_id": 0, "since_outcome": 0, "since_exit": 0}
    async with aclosing(follow(url, key, outcomes=True, exits=True, on_status=on_status, **since)) as events:
        async for event in events:
            data = event["data"]
            found[event["type"]].append(data.get("id", data.get("number")))
            if found["alert"][-1:] == [130] and len(found["outcome"]) == 2 and len(found["exit"]) == 1:
                break
    return found


def error_of(act: Any) -> list[Any]:
    try:
        act()
    except Exception as error:
        is_repeatable = error.is_repeatable if isinstance(error, TipoffConnectionError) else None
        return [type(error).__name__, getattr(error, "code", None), is_repeatable, error.__cause__ is not None]
    raise AssertionError("no error")


print(json.dumps(asyncio.run(main(json.loads(sys.argv[1])))))
