# Written by `npm run clients`. Do not edit.
"""The close codes of the server: their meaning, and whether the same connection can succeed later."""

CLOSE_CODES: dict[int, tuple[str, bool]] = {
    1001: ("The server is restarting. Reconnect with backoff and `since_id`; no alert is missed.", True),
    1002: ("The client sent an invalid WebSocket frame.", False),
    1007: ("A text message of the client was not UTF-8.", False),
    1008: ("A message of the client had too many fragments.", False),
    1009: ("A message of the client was larger than 64 KiB.", False),
    4400: ("The query has an unknown parameter or a wrong value, named in the reason. Correct the query.", False),
    4401: ("The key was revoked or has expired while the socket was open. Connect with another key.", False),
    4403: ("The tier of the key has no stream: a free key, or an expired trial. `/upgrade` in the bot says how to get Pro.", False),
    4408: ("No `ping` arrived within 30 seconds. Reconnect and send one every 20 to 25 seconds.", True),
    4409: ("The client read too slowly. Reconnect with `since_id`, and read faster.", True),
    4429: ("The client sent more than 10 messages per second. A ping every 20 to 25 seconds is enough.", False),
}
