# What a user of the client does. Prints what happened as JSON.
import asyncio
import json
import sys
from contextlib import aclosing
from typing import Any

from tipoff import Client, TipoffError, WebhookVerificationError, follow, verify_webhook


async def followed(url: str, key: str) -> list[int]:
    ids: list[int] = []
    async with aclosing(follow(url, key, since_id=0)) as alerts:
        async for alert in alerts:
            ids.append(alert["id"])
            if ids[-1] == 130:
                break
    return ids


def code_of(act: Any) -> str | None:
    try:
        act()
    except TipoffError as error:
        return error.code
    return None


def is_refused(act: Any) -> bool:
    try:
        act()
    except WebhookVerificationError:
        return True
    return False


given = json.loads(sys.argv[1])
delivery = given["delivery"]
headers, body, secret = delivery["headers"], delivery["body"], delivery["secret"]
with Client(given["url"], given["apiKey"]) as tipoff:
    found = {
        "alerts": [alert["id"] for alert in tipoff.iter_alerts(page_size=50)],
        "followed": asyncio.run(followed(given["url"], given["apiKey"])),
        "refused": code_of(lambda: tipoff.get_alert(999_999)),
        "verified": verify_webhook(body, headers, secret).id,
        "isForgeryRefused": is_refused(lambda: verify_webhook(body + " ", headers, secret)),
    }
print(json.dumps(found))
