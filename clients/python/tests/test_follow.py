from __future__ import annotations

import asyncio
import unittest
from contextlib import aclosing
from typing import Any
from unittest.mock import patch

from tipoff import StreamEndedError, TipoffError, follow
from tipoff import _connection
from tipoff._patience import Patience

from .stand_in import StandIn, alert, outcome, send

LIMIT = 10.0


class Follower:
    """Follows until the test ends; pauses between connections are noted and take no time."""

    def __init__(self, stand_in: StandIn, **options: Any) -> None:
        self.got: list[Any] = []
        self.statuses: list[Any] = []
        self._more = asyncio.Event()
        options.setdefault("since_id", 0)
        self._alerts = follow(stand_in.url, "sk_live_test", on_status=self.statuses.append, **options)
        self.task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        async with aclosing(self._alerts) as alerts:
            async for one in alerts:
                self.got.append(one["id"] if "id" in one else (one["type"], one["data"].get("number", one["data"].get("id"))))
                self._more.set()

    async def until(self, count: int) -> list[Any]:
        while len(self.got) < count:
            self._more.clear()
            await asyncio.wait_for(self._more.wait(), LIMIT)
        return self.got

    @property
    def pauses(self) -> list[float]:
        return [status["seconds"] for status in self.statuses if status["state"] == "waiting"]


class FollowTest(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        async def pause(self: Patience, reason: str, seconds: float) -> None:
            self._report({"state": "waiting", "seconds": seconds, "reason": reason})

        # On a busy machine each test would report slow callbacks.
        asyncio.get_running_loop().slow_callback_duration = 60
        patched = patch.object(Patience, "pause", pause)
        patched.start()
        self.addCleanup(patched.stop)
        self.stand_in = await self.enterAsync(StandIn())
        self._followers: list[Follower] = []

    async def enterAsync(self, context: Any) -> Any:
        entered = await context.__aenter__()
        self.addAsyncCleanup(context.__aexit__, None, None, None)
        return entered

    def follow(self, **options: Any) -> Follower:
        follower = Follower(self.stand_in, **options)

        async def end() -> None:
            follower.task.cancel()
            await asyncio.gather(follower.task, return_exceptions=True)

        self.addAsyncCleanup(end)
        return follower

    async def connected(self, tier: str = "pro") -> Any:
        return await asyncio.wait_for(self.stand_in.connected(tier), LIMIT)

    async def ended(self, follower: Follower) -> Exception:
        with self.assertRaises(Exception) as raised:
            await asyncio.wait_for(follower.task, LIMIT)
        return raised.exception

    async def test_resumes_after_the_last_id_and_drops_what_it_had_before(self) -> None:
        follower = self.follow(since_id=4, categories=["crypto", "politics"], min_signal=70)
        first = await self.connected()
        for number in (5, 6):
            await send(first, alert(number))
        await follower.until(2)
        await first.close(1001)
        second = await self.connected()
        for number in (6, 7):
            await send(second, alert(number))
        self.assertEqual(await follower.until(3), [5, 6, 7])
        filters = {"api_key": "sk_live_test", "categories": "crypto,politics", "min_signal": "70"}
        self.assertEqual(self.stand_in.queries, [{**filters, "since_id": "4"}, {**filters, "since_id": "6"}])

    async def test_without_since_id_it_begins_after_the_newest_alert(self) -> None:
        self.stand_in.newest_id = 41
        self.follow(since_id=None)
        await self.connected()
        self.assertEqual(self.stand_in.asked, ["/api/v1/alerts/latest?limit=1"])
        self.assertEqual(self.stand_in.queries[0]["since_id"], "41")

    async def test_a_since_id_beyond_the_newest_alert_hides_nothing(self) -> None:
        follower = self.follow(since_id=1_000_000)
        await send(await self.connected(), alert(7))
        self.assertEqual(await follower.until(1), [7])

    async def test_waits_1_2_4_up_to_30_seconds_and_from_1_again_after_a_success(self) -> None:
        self.stand_in.handshake_refusals = [502] * 7
        follower = self.follow()
        with patch("tipoff._backoff.random.random", return_value=0.0), patch("tipoff.stream.wait_of", return_value=0):
            first = await self.connected()
            await send(first, alert(1))
            await follower.until(1)
            await first.close(1011)
            await self.connected()
        self.assertEqual(follower.pauses, [1, 2, 4, 8, 16, 30, 30, 1])

    async def test_a_handshake_that_is_limited_waits_as_the_answer_says(self) -> None:
        self.stand_in.handshake_refusals = [429]
        follower = self.follow()
        await self.connected()
        self.assertEqual(follower.pauses, [7.0])

    async def test_close_codes_that_end_it_raise_the_reason(self) -> None:
        unknown = "Unknown query parameters: min_score"
        without = ((4401, "key_ended", ""), (4403, "tier_lacks_stream", ""), (4429, "refused", ""))
        for code, reason, detail in (*without, (4400, "refused", unknown), (4499, "refused", "Under repair")):
            with self.subTest(code):
                follower = self.follow()
                await (await self.stand_in.connection()).close(code, detail)
                error = await self.ended(follower)
                assert isinstance(error, StreamEndedError)
                self.assertEqual((error.close_code, error.reason, error.detail, follower.pauses), (code, reason, detail, []))
                self.assertIn(detail, str(error))

    async def test_4403_to_a_key_that_had_the_stream_as_pro_names_the_end_of_its_trial(self) -> None:
        follower = self.follow()
        socket = await self.connected("pro")
        await send(socket, alert(1))
        await follower.until(1)
        await socket.close(4403)
        error = await self.ended(follower)
        assert isinstance(error, StreamEndedError)
        self.assertEqual(error.reason, "trial_ended")
        self.assertIn("trial of the key has ended", str(error))

    async def test_comes_back_after_other_close_codes(self) -> None:
        for code in (1001, 1011, 4408, 4409):
            with self.subTest(code):
                follower = self.follow()
                await (await self.connected()).close(code)
                await self.connected()
                follower.task.cancel()

    async def test_a_refused_key_raises_the_answer_of_the_handshake(self) -> None:
        self.stand_in.handshake_refusals = [401]
        error = await self.ended(self.follow())
        assert isinstance(error, TipoffError)
        self.assertEqual((error.status, error.detail, error.code), (401, "No.", "refused"))

    async def test_a_gap_is_read_from_the_archive_in_order_and_not_requested_again(self) -> None:
        self.stand_in.archive = list(range(1, 301))
        follower = self.follow()
        first = await self.connected()
        await send(first, {"type": "gap", "from": 1, "to": 250})
        for number in (251, 252):
            await send(first, alert(number))
        self.assertEqual(await follower.until(252), list(range(1, 253)))
        await first.close(1001)
        await self.connected()
        self.assertEqual(self.stand_in.queries[1]["since_id"], "252")
        pages = [f"/api/v1/alerts?since_id={after}&before_id=251&expand=details&page_size=100" for after in (0, 100, 200)]
        self.assertEqual(self.stand_in.asked, pages)

    async def test_a_service_that_stops_in_the_middle_of_a_gap_is_waited_for(self) -> None:
        self.stand_in.archive = list(range(1, 301))
        self.stand_in.refusals = [503, 429, 502]
        follower = self.follow(since_id=10)
        first = await self.connected()
        await send(first, {"type": "gap", "from": 11, "to": 250})
        await first.close(1001)
        await self.connected()
        self.assertEqual(await follower.until(240), list(range(11, 251)))
        self.assertEqual(self.stand_in.queries[1]["since_id"], "250")

    async def test_the_filters_apply_to_a_gap(self) -> None:
        self.stand_in.archive = [2]
        follower = self.follow(categories=["world", "tech"], min_signal=7, side="BUY")
        first = await self.connected()
        await send(first, {"type": "gap", "from": 1, "to": 2})
        await send(first, alert(3, "tech"))
        self.assertEqual(await follower.until(2), [2, 3])
        filters = "categories=world%2Ctech&side=BUY&min_signal=7"
        self.assertEqual(
            self.stand_in.asked, [f"/api/v1/alerts?{filters}&since_id=0&before_id=3&expand=details&page_size=100"]
        )

    async def test_outcomes_come_once_in_the_order_of_numbers_whatever_the_stream_left_out(self) -> None:
        self.stand_in.outcomes = 3
        follower = self.follow(outcomes=True, since_outcome=1)
        first = await self.connected()
        await send(first, alert(1))
        self.assertEqual(await follower.until(3), [("outcome", 2), ("outcome", 3), ("alert", 1)])
        self.assertEqual(self.stand_in.queries[0]["outcomes"], "true")
        for number in (3, 4):
            await send(first, outcome(number))
        await follower.until(4)
        # 5 was not sent, and the process that answers does not know 6 yet.
        self.stand_in.outcomes = 5
        await send(first, outcome(6))
        await follower.until(6)
        self.stand_in.outcomes = 7
        await first.close(1001)
        second = await self.connected()
        await send(second, outcome(7))
        await send(second, alert(2))
        numbers = [("outcome", number) for number in (4, 5, 6, 7)]
        self.assertEqual((await follower.until(8))[3:], [*numbers, ("alert", 2)])

    async def test_without_since_outcome_the_outcomes_from_now_on_come(self) -> None:
        self.stand_in.outcomes = 8
        follower = self.follow(outcomes=True)
        await send(await self.connected(), outcome(9))
        self.assertEqual(await follower.until(1), [("outcome", 9)])

    async def test_exits_come_once_in_the_order_of_numbers_beside_outcomes_or_alone(self) -> None:
        self.stand_in.exits, self.stand_in.outcomes = 3, 1
        both = self.follow(outcomes=True, since_outcome=0, exits=True, since_exit=1)
        first = await self.connected()
        await send(first, {"type": "exit", "data": {"number": 3}})
        self.stand_in.exits = 4
        await send(first, {"type": "exit", "data": {"number": 5}})
        exits = [("exit", number) for number in (2, 3, 4, 5)]
        self.assertEqual(await both.until(5), [("outcome", 1), *exits])
        alone = self.follow(exits=True)
        second = await self.connected()
        await send(second, outcome(2))
        await send(second, {"type": "exit", "data": {"number": 5}})
        self.assertEqual(await alone.until(1), [("exit", 5)])

    async def test_pings_with_the_text_and_cuts_a_connection_that_does_not_answer(self) -> None:
        with patch.object(_connection, "_PING_SECONDS", 2.1), patch.object(_connection, "_ANSWER_SECONDS", 2.0):
            self.follow()
            first = await self.connected()
            self.assertEqual(await asyncio.wait_for(first.recv(), LIMIT), "ping")
            await asyncio.wait_for(self.stand_in.connection(), LIMIT)

    async def test_gives_up_a_connection_when_too_many_alerts_wait_and_resumes_it(self) -> None:
        with patch.object(_connection, "_WAITING_MAX", 5):
            follower = self.follow()
            first = await self.stand_in.connection()
            frames = [{"type": "connected", "tier": "pro"}, *(alert(number) for number in range(1, 1_001))]
            # One write: the client has no time to take the first ones.
            for frame in frames:
                await send(first, frame)
            second = await self.connected()
            after = int(self.stand_in.queries[1]["since_id"])
            for number in range(after + 1, 1_001):
                await send(second, alert(number))
                await asyncio.sleep(0)
            # The rest may need more connections.
            while len(follower.got) < 1_000:
                done = asyncio.create_task(follower.until(1_000))
                again = asyncio.create_task(self.stand_in.connected())
                await asyncio.wait({done, again}, return_when=asyncio.FIRST_COMPLETED, timeout=LIMIT)
                if again.done():
                    for number in range(int(self.stand_in.queries[-1]["since_id"]) + 1, 1_001):
                        await send(again.result(), alert(number))
                again.cancel()
                done.cancel()
            self.assertEqual(follower.got, list(range(1, 1_001)))

    async def test_frames_that_it_does_not_know_are_passed_over_and_the_state_of_the_feed_is_reported(self) -> None:
        follower = self.follow()
        socket = await self.connected()
        for frame in ("no json", "7", "null", {"type": "new"}, {"type": "degraded", "cause": "stopped"}, alert(1)):
            await send(socket, frame)
        self.assertEqual(await follower.until(1), [1])
        notices = [status["notice"] for status in follower.statuses if status["state"] == "feed"]
        self.assertEqual(notices, [{"type": "degraded", "cause": "stopped"}])

    async def test_leaving_the_loop_closes_the_socket_with_1000(self) -> None:
        async def first_alert() -> int:
            async with aclosing(follow(self.stand_in.url, "sk_live_test", since_id=0)) as alerts:
                async for one in alerts:
                    return one["id"]
            return 0

        task = asyncio.create_task(first_alert())
        socket = await self.connected()
        await send(socket, alert(9))
        self.assertEqual(await asyncio.wait_for(task, LIMIT), 9)
        await asyncio.wait_for(socket.wait_closed(), LIMIT)
        self.assertEqual(socket.close_code, 1000)

    async def test_a_negative_id_is_refused_before_anything_is_sent(self) -> None:
        self.assertIsInstance(await self.ended(self.follow(since_id=-1)), ValueError)
        self.assertEqual(self.stand_in.asked, [])
