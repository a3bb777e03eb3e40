from __future__ import annotations

import json
import unittest
from pathlib import Path

from tipoff import WebhookUsageError, WebhookVerificationError, verify_webhook

VECTORS = json.loads((Path(__file__).parents[2] / "webhook-vectors.json").read_text("utf-8"))
BODY, HEADERS, NOW = VECTORS["body"], VECTORS["headers"], VECTORS["timestamp"]
SECRET, _ = VECTORS["secrets"]


class VerifyWebhookTest(unittest.TestCase):
    def test_accepts_what_the_library_of_standard_webhooks_has_signed(self) -> None:
        delivery = verify_webhook(BODY.encode(), HEADERS, SECRET, now=NOW)
        self.assertEqual((delivery.id, delivery.timestamp), (HEADERS["webhook-id"], NOW))
        self.assertEqual(delivery.payload, json.loads(BODY))

    def test_names_of_headers_have_no_case(self) -> None:
        verify_webhook(BODY, {name.title(): value for name, value in HEADERS.items()}, SECRET, now=NOW)

    def test_verifies_and_refuses_the_same_as_the_other_client(self) -> None:
        for case in VECTORS["cases"]:
            with self.subTest(case["title"]):
                body, headers = case.get("body", BODY), {**HEADERS, **case["headers"]}
                words = case["right"]
                if words == "verified":
                    verify_webhook(body, headers, case["secrets"], now=case["now"])
                else:
                    refusal = WebhookUsageError if words == "whsec_" else WebhookVerificationError
                    with self.assertRaisesRegex(refusal, words):
                        verify_webhook(body, headers, case["secrets"], now=case["now"])

    def test_a_parsed_body_or_a_bad_secret_is_a_mistake_of_the_program_not_a_false_delivery(self) -> None:
        mistakes: list[tuple[object, object, str]] = [
            (json.loads(BODY), SECRET, "before a framework parses it"),
            (7, SECRET, "before a framework parses it"),
            (BODY, None, "whsec_"),
            (BODY, 7, "whsec_"),
        ]
        for body, secrets, words in mistakes:
            with self.subTest(words), self.assertRaisesRegex(WebhookUsageError, words):
                verify_webhook(body, HEADERS, secrets, now=NOW)  # type: ignore[arg-type]
        with self.assertRaisesRegex(WebhookUsageError, "headers"):
            verify_webhook(BODY, None, SECRET, now=NOW)  # type: ignore[arg-type]
