# Prints the newest alerts, and the details of the first.
import os
import sys

from tipoff import Client, TipoffError

with Client(os.environ["TIPOFF_URL"], os.environ["TIPOFF_API_KEY"]) as tipoff:
    try:
        alerts = tipoff.get_latest_alerts(limit=5)
        for alert in alerts:
            print(alert["id"], alert["signal_score"], alert["side"], alert["outcome"], alert["event_title"])
        if alerts:
            print(tipoff.get_alert(alerts[0]["id"])["details"]["reasons"])
    except TipoffError as error:
        sys.exit(f"{error.status} {error.code} {error.detail} {error.request_id}")
