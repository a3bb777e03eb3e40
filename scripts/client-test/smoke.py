# What a user of the client does. Prints what happened as JSON.
import asyncio
import json
import sys
from contextlib import aclosing

from tipoff import Client, TipoffError, follow

url, key = sys.argv[1:]
found = {}


async def follow_all() -> list[int]:
    ids: list[int] = []
    async with aclosing(follow(url, key, since_id=0)) as alerts:
        async for alert in alerts:
            ids.append(alert["id"])
            if ids[-1] == 130:
                break
    return ids


with Client(url, key) as tipoff:
    found["alerts"] = [alert["id"] for alert in tipoff.iter_alerts(page_size=50)]
    found["followed"] = asyncio.run(follow_all())
    try:
        tipoff.get_alert(999_999)
    except TipoffError as error:
        found["refused"] = error.code
print(json.dumps(found))
