# Receives webhooks. It listens without TLS, for a proxy that speaks it.
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tipoff import WebhookVerificationError, verify_webhook

seen: set[str] = set()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            delivery = verify_webhook(body, dict(self.headers), os.environ["TIPOFF_WEBHOOK_SECRET"])
            self.send_response(200)
            if delivery.id not in seen:
                print(delivery.payload.get("id"), delivery.payload["event_title"], flush=True)
            seen.add(delivery.id)
        except WebhookVerificationError:
            self.send_response(401)
        self.end_headers()


server = ThreadingHTTPServer(("", int(os.environ["PORT"])), Receiver)
print("listening", flush=True)
server.serve_forever()
