# Prints every alert as it is published. After a restart it continues after the last one.
import asyncio
import os
import sys
from pathlib import Path

from tipoff import StreamEndedError, follow

LAST_ID, NEXT_ID = Path("last-id"), Path("last-id.new")


async def main() -> None:
    since_id = int(LAST_ID.read_text()) if LAST_ID.exists() else 0
    url, key = os.environ["TIPOFF_URL"], os.environ["TIPOFF_API_KEY"]
    async for alert in follow(url, key, since_id=since_id, min_signal=40):
        print(alert["id"], alert["signal_score"], alert["side"], alert["outcome"], alert["event_title"], flush=True)
        NEXT_ID.write_text(str(alert["id"]))
        NEXT_ID.replace(LAST_ID)


try:
    asyncio.run(main())
except StreamEndedError as error:
    sys.exit(str(error))
