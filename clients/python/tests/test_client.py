from __future__ import annotations

import asyncio
import unittest
from typing import Any
from unittest.mock import patch

import httpx

from tipoff import AsyncClient, Client, TipoffConnectionError, TipoffError


def alerts(*ids: int, link: str | None = None) -> httpx.Response:
    headers = {} if link is None else {"link": link}
    return httpx.Response(200, json={"alerts": [{"id": number} for number in ids]}, headers=headers)


class ClientTest(unittest.TestCase):
    def setUp(self) -> None:
        self.requests: list[httpx.Request] = []
        self.pauses: list[float] = []

    def client(self, *answers: httpx.Response | Exception, **options: Any) -> Client:
        left = list(answers)

        def handle(request: httpx.Request) -> httpx.Response:
            self.requests.append(request)
            answer = left.pop(0) if len(left) > 1 else left[0]
            if isinstance(answer, Exception):
                raise answer
            return answer

        client = Client("https://host", "sk_live_x", transport=httpx.MockTransport(handle), **options)
        client._sleep = self.pauses.append
        self.addCleanup(client.close)
        return client

    def test_an_operation_sends_its_values_with_the_key_and_returns_the_content(self) -> None:
        client = self.client(httpx.Response(200, json={"alerts": []}))
        self.assertEqual(client.search_alerts(category="crypto", resolved=True, min_usdc=10.5), {"alerts": []})
        [request] = self.requests
        self.assertEqual(str(request.url), "https://host/api/v1/alerts?category=crypto&min_usdc=10.5&resolved=true")
        self.assertEqual(request.headers["authorization"], "Bearer sk_live_x")

    def test_values_of_the_path_are_escaped(self) -> None:
        self.client(httpx.Response(204)).delete_preset("a/b?c")
        self.assertEqual(self.requests[0].url.raw_path, b"/api/v1/presets/a%2Fb%3Fc")

    def test_a_text_comes_as_a_text_and_nothing_as_none(self) -> None:
        feed = httpx.Response(200, text="<feed/>", headers={"content-type": "application/atom+xml"})
        self.assertEqual(self.client(feed).get_atom_feed(), "<feed/>")
        self.assertIsNone(self.client(httpx.Response(204)).delete_preset("a"))

    def test_a_refusal_raises_status_detail_code_and_request_id(self) -> None:
        body = {"detail": "Alert 7 was not found.", "code": "alert_not_found"}
        client = self.client(httpx.Response(404, json=body, headers={"x-request-id": "r1"}))
        with self.assertRaises(TipoffError) as raised:
            client.get_alert(7)
        error = raised.exception
        self.assertEqual((error.status, error.detail, error.code), (404, body["detail"], body["code"]))
        self.assertEqual((error.request_id, str(error)), ("r1", "404 alert_not_found: Alert 7 was not found."))

    def test_a_422_names_each_value(self) -> None:
        detail = [{"loc": ["query", "limit"], "msg": "Too large", "type": "less_than"}]
        with self.assertRaisesRegex(TipoffError, "422: query.limit: Too large"):
            self.client(httpx.Response(422, json={"detail": detail})).get_latest_alerts(limit=1)

    def test_an_answer_of_a_proxy_is_a_refusal_too(self) -> None:
        with self.assertRaisesRegex(TipoffError, "502: Bad Gateway"):
            self.client(httpx.Response(502, text="<html>")).get_stats()

    def test_a_429_is_waited_out_as_retry_after_says(self) -> None:
        limited = httpx.Response(429, json={"detail": "Slow."}, headers={"retry-after": "17"})
        client = self.client(limited, httpx.Response(200, json={"id": "p", "name": "n"}))
        self.assertEqual(client.create_preset({"name": "n", "filters": {}})["id"], "p")
        self.assertEqual(self.pauses, [17.0])

    def test_a_429_that_lasts_too_long_or_comes_too_often_is_raised(self) -> None:
        limited = httpx.Response(429, json={"detail": "Slow."}, headers={"retry-after": "17"})
        for options, pauses in (({"longest_wait": 16.0}, []), ({"retries": 1}, [17.0]), ({"retries": 0}, [])):
            with self.subTest(options):
                self.pauses.clear()
                with self.assertRaises(TipoffError) as raised:
                    self.client(limited, **options).get_stats()
                self.assertEqual((raised.exception.retry_after, self.pauses), (17.0, pauses))

    def test_reads_are_repeated_after_an_outage_and_posts_are_not(self) -> None:
        outage, lost = httpx.Response(503, json={"detail": "Down."}), httpx.ConnectError("refused")
        with patch("tipoff._backoff.random.random", return_value=0.0):
            self.assertEqual(self.client(outage, lost, httpx.Response(200, json={"a": 1})).get_stats(), {"a": 1})
        self.assertEqual(self.pauses, [1.0, 2.0])
        with self.assertRaises(TipoffError):
            self.client(outage).rotate_webhook_secret("wh")
        self.assertEqual(self.pauses, [1.0, 2.0])

    def test_a_request_without_an_answer_raises_an_error_of_its_own_with_the_cause(self) -> None:
        half = httpx.Response(200, content=b'{"a":', headers={"content-type": "application/json"})
        for answer in (httpx.ConnectError("refused"), httpx.ReadTimeout("late"), half):
            with self.subTest(answer), self.assertRaises(TipoffConnectionError) as raised:
                self.client(answer, retries=0).get_latest_alerts(limit=5)
            self.assertIsNotNone(raised.exception.__cause__)
            self.assertTrue(raised.exception.is_repeatable)
            self.assertTrue(str(raised.exception).startswith("GET https://host/api/v1/alerts/latest: "))
        with self.assertRaises(TipoffConnectionError) as raised:
            self.client(half, retries=0).rotate_webhook_secret("wh")
        self.assertFalse(raised.exception.is_repeatable)

    def test_a_list_gives_the_items_of_all_pages_and_asks_for_the_largest_pages_unless_told_otherwise(self) -> None:
        following = '</x>; rel="first", </api/v1/alerts?min_signal=60&before_id=8>; rel="next"'
        client = self.client(alerts(9, 8, link=following), alerts(7, link='</x>; rel="prev"'))
        self.assertEqual([alert["id"] for alert in client.iter_alerts(min_signal=60)], [9, 8, 7])
        first, second = (request.url.raw_path.decode() for request in self.requests)
        self.assertEqual(first, "/api/v1/alerts?page=1&page_size=100&min_signal=60")
        self.assertEqual(second, "/api/v1/alerts?min_signal=60&before_id=8")
        list(self.client(alerts()).iter_wallet_alerts("a/b", page_size=5))
        self.assertEqual(self.requests[2].url.raw_path, b"/api/v1/wallets/a%2Fb?page_size=5")

    def test_a_list_asks_for_a_page_when_its_first_item_is_wanted_and_repeats_it_after_an_outage(self) -> None:
        link = '</api/v1/alerts?before_id=9>; rel="next"'
        outage = httpx.Response(503, json={"detail": "Down."})
        ids = (alert["id"] for alert in self.client(alerts(9, link=link), outage, alerts(8)).iter_alerts())
        self.assertEqual((next(ids), len(self.requests)), (9, 1))
        self.assertEqual((list(ids), len(self.requests)), ([8], 3))

    def test_a_list_sends_the_key_to_no_other_host_wherever_the_link_of_a_page_leads(self) -> None:
        for link in ("https://evil.example/a?b=1", "https://x//evil.example/a?b=1"):
            self.requests.clear()
            list(self.client(alerts(9, link=f'<{link}>; rel="next"'), alerts(8)).iter_alerts())
            self.assertEqual(str(self.requests[1].url), "https://host/a?b=1")


class AsyncClientTest(unittest.TestCase):
    def test_has_the_same_operations_and_retries(self) -> None:
        answers = [httpx.Response(429, json={"detail": "Slow."}, headers={"retry-after": "3"})]
        answers.append(httpx.Response(200, json=[{"id": 7}]))
        pauses: list[float] = []

        async def sleep(seconds: float) -> None:
            pauses.append(seconds)

        async def run() -> Any:
            transport = httpx.MockTransport(lambda _request: answers.pop(0))
            async with AsyncClient("https://host", "sk_live_x", transport=transport) as client:
                client._sleep = sleep
                return await client.get_latest_alerts(limit=1)

        self.assertEqual((asyncio.run(run()), pauses), ([{"id": 7}], [3.0]))
        public = {name for name in dir(Client) if not name.startswith("_")} - {"close"}
        self.assertEqual(public, {name for name in dir(AsyncClient) if not name.startswith("_")} - {"aclose"})

    def test_has_the_same_lists(self) -> None:
        answers = [alerts(9, link='</api/v1/alerts?before_id=9>; rel="next"'), alerts(8)]

        async def run() -> list[int]:
            transport = httpx.MockTransport(lambda _request: answers.pop(0))
            async with AsyncClient("https://host", "sk_live_x", transport=transport) as client:
                return [alert["id"] async for alert in client.iter_alerts()]

        self.assertEqual(asyncio.run(run()), [9, 8])
