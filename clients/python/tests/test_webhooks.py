from __future__ import annotations

import json
import unittest
from pathlib import Path

from tipoff import WebhookUsageError, WebhookVerificationError, verify_webhook

VECTORS = json.loads((Path(__file__).parents[2] / "webhook-vectors.json").read_text("utf-8"))
BODY, HEADERS, NOW = VECTORS["body"], VECTORS["headers"], VECTORS["timestamp"]
SECRET, OTHER = VECTORS["secrets"]


class VerifyWebhookTest(unittest.TestCase):
    def refuses(self, words: str, *, body: str = BODY, secrets: object = SECRET, now: float = NOW, **changes: str) -> None:
        headers = {**HEADERS, **{f"webhook-{name}": value for name, value in changes.items()}}
        with self.assertRaisesRegex(WebhookVerificationError, words):
            verify_webhook(body, headers, secrets, now=now)  # type: ignore[arg-type]

    def test_accepts_what_the_library_of_standard_webhooks_has_signed(self) -> None:
        delivery = verify_webhook(BODY.encode(), HEADERS, SECRET, now=NOW)
        self.assertEqual((delivery.id, delivery.timestamp), (HEADERS["webhook-id"], NOW))
        self.assertEqual(delivery.payload, json.loads(BODY))

    def test_names_of_headers_have_no_case(self) -> None:
        verify_webhook(BODY, {name.title(): value for name, value in HEADERS.items()}, SECRET, now=NOW)

    def test_while_a_secret_is_changed_either_signature_and_either_secret_is_enough(self) -> None:
        one, other = VECTORS["signatures"]
        for signature in (f"{one} {other}", f"{other} {one}", one):
            for secrets in (SECRET, [OTHER, SECRET]):
                verify_webhook(BODY, {**HEADERS, "webhook-signature": signature}, secrets, now=NOW)

    def test_refuses_a_changed_body_id_time_or_signature_and_another_secret(self) -> None:
        self.refuses("no signature matches", body=BODY + " ")
        self.refuses("no signature matches", secrets=OTHER)
        self.refuses("no signature matches", id="msg_2")
        self.refuses("no signature matches", timestamp=str(NOW + 1))
        for signature in ("v1,", "v1,x", "v1", HEADERS["webhook-signature"].replace("v1,", "v2,"), "v1,AAAA é"):
            self.refuses("no signature matches", signature=signature)

    def test_refuses_what_is_not_of_the_last_or_next_5_minutes(self) -> None:
        for seconds in (-300, 300):
            verify_webhook(BODY, HEADERS, SECRET, now=NOW + seconds)
        for seconds in (-301, 301):
            self.refuses("5 minutes", now=NOW + seconds)
        for timestamp in ("x", "1e9", "-5", "nan", "٣"):
            self.refuses("5 minutes", timestamp=timestamp)

    def test_refuses_a_request_without_one_of_the_headers(self) -> None:
        for name in HEADERS:
            headers = {key: value for key, value in HEADERS.items() if key != name}
            with self.assertRaisesRegex(WebhookVerificationError, f"{name} is missing"):
                verify_webhook(BODY, headers, SECRET, now=NOW)

    def test_a_parsed_body_or_a_bad_secret_is_a_mistake_of_the_program_not_a_false_delivery(self) -> None:
        mistakes: list[tuple[object, object, str]] = [
            (json.loads(BODY), SECRET, "before a framework parses it"),
            (7, SECRET, "before a framework parses it"),
            (BODY, None, "whsec_"),
            (BODY, ["whsec_?"], "whsec_"),
            (BODY, [], "whsec_"),
            (BODY, 7, "whsec_"),
        ]
        for body, secrets, words in mistakes:
            with self.subTest(words), self.assertRaisesRegex(WebhookUsageError, words):
                verify_webhook(body, HEADERS, secrets, now=NOW)  # type: ignore[arg-type]
        with self.assertRaisesRegex(WebhookUsageError, "headers"):
            verify_webhook(BODY, None, SECRET, now=NOW)  # type: ignore[arg-type]
