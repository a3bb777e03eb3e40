# Follows the stream with the Python client, and prints a line of JSON for each alert and each change of its state.
import asyncio
import json
import os
import sys

from tipoff import StreamEndedError, follow


def show(line):
    print(json.dumps(line), flush=True)


async def main():
    _, url, since_id = sys.argv
    try:
        async for alert in follow(url, os.environ["TIPOFF_API_KEY"], since_id=int(since_id), on_status=show):
            show({"id": alert["id"], "isWhole": "details" in alert and "market_id" in alert})
    except StreamEndedError as error:
        show({"ended": error.close_code, "reason": error.reason})


asyncio.run(main())
