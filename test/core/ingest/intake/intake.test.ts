import { expect, test, vi } from 'vitest';
import { DAY_MS, SECOND_MS } from '../../../../src/core/base/time/duration.ts';
import type { Row } from '../../../../src/core/trades/trade.ts';
import { noMetrics } from '../../../support/no-metrics.ts';
import { START } from '../../../support/rows.ts';
import {
  ANSWER_MS,
  big,
  closeSeconds,
  eventLoopTurn,
  fill,
  heldFacts,
  liveMarket,
  settledFacts,
  small,
  startIntake,
  told,
  tradesOf,
  transactionsOf,
} from './intake-fixture.ts';

test('a trade that needs nothing is passed on when its second is closed, and does not wait for one that needs facts', async () => {
  const { facts, settle } = heldFacts();
  const run = startIntake({ facts });
  await run.intake.enqueue([big('0xa'), small('0xb'), small('0xa'), small('0xc')]);
  await closeSeconds(run);
  expect(told(run.handed)).toEqual(['trade 0xb', 'trade 0xc']);
  expect(run.intake.status()).toMatchObject({
    trades: 2,
    wallets: 1,
    asking: 1,
    oldest: { wallet: '0xa', at: START, trades: 2, facts: 'asked' },
  });

  settle('0xa');
  await run.clock.advance(SECOND_MS);
  expect(told(run.handed).slice(2)).toEqual(['wallet 0xa', 'market 0xm1', 'trade 0xa', 'trade 0xa']);
  expect(run.intake.status()).toMatchObject({ trades: 0, wallets: 0, oldest: null });
});

test('a trade that was judged, is in flight or comes twice is skipped and counted', async () => {
  const counts = { new: 0, known: 0 };
  const metrics = {
    ...noMetrics,
    feedTrades(kind: 'new' | 'known', n: number) {
      counts[kind] += n;
    },
  };
  const run = startIntake({ ...heldFacts(), metrics });
  const [one, two] = [small('0xa'), big('0xb')];
  await run.intake.enqueue([one, one, two]);
  expect(run.intake.isInFlight((one.row as Extract<Row, { kind: 'trade' }>).trade)).toBe(true);
  await closeSeconds(run);
  await run.intake.enqueue([one, two]);
  await closeSeconds(run);
  expect(told(run.handed)).toEqual(['trade 0xa']);
  expect(counts).toEqual({ new: 2, known: 3 });
});

test('oldestWaiting covers the queue, open seconds, those aside, and the batch that is not judged yet', async () => {
  const run = startIntake(heldFacts());
  expect(run.intake.oldestWaiting()).toBeNull();
  run.hold = true;
  await run.intake.enqueue([big('0xa', START + 5), small('0xb', START + 3)]);
  await closeSeconds(run);
  await run.intake.enqueue([small('0xc', START + 4)]);
  expect(run.intake.oldestWaiting()).toBe(START + 3);
  run.hold = false;
  await eventLoopTurn();
  await eventLoopTurn();
  expect(run.intake.oldestWaiting()).toBe(START + 4);
  await closeSeconds(run);
  expect(run.intake.oldestWaiting()).toBe(START + 5);
});

test('at most 500 rows go over together, and an offer beyond 50,000 trades waits until there is room', async () => {
  const run = startIntake();
  run.hold = true;
  const trades = Array.from({ length: 50_010 }, (_, n) => small(`0x${n}`, START + n * SECOND_MS));
  const last = small('0xlast', START + DAY_MS);
  let isTaken = false;
  const offered = run.intake.enqueue(trades).then(() => {
    isTaken = true;
  });
  const after = run.intake.enqueue([last]);
  await eventLoopTurn();
  await run.intake.enqueue([liveMarket('0xm9')]);
  await eventLoopTurn();
  expect(isTaken).toBe(false);
  run.hold = false;
  await Promise.all([offered, after]);
  await closeSeconds(run);
  while (run.intake.oldestWaiting() !== null) await eventLoopTurn();
  expect(Math.max(...run.batches.map((batch) => told(batch).length))).toBe(500);
  const expected = [...trades, last].map(({ row }) => row);
  expect(told(run.handed.filter(({ kind }) => kind === 'trade'))).toEqual(told(expected));
});

test('an abort ends every question and every offer that waits, leaves no sleeper, and still says what was not judged', async () => {
  const ask = (_wallet: string, _before: number, signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const run = startIntake({ facts: { ask }, markets: { describe: async () => [] } });
  await run.intake.enqueue(Array.from({ length: 40 }, (_, n) => big(`0x${n}`, START, `0xm${n}`)));
  await closeSeconds(run);
  run.hold = true;
  const blocked = run.intake.enqueue(Array.from({ length: 50_000 }, (_, n) => small(`0x${n}`)));
  run.stop();
  await Promise.all([run.ended, blocked]);
  await eventLoopTurn();
  expect(run.clock.sleepers).toBe(0);
  expect(run.intake.status()).toMatchObject({ asking: 0 });
  expect(run.intake.oldestWaiting()).toBe(START);
});

function countedFacts() {
  const asked: string[] = [];
  const ask = async (wallet: string) => {
    asked.push(wallet);
    return settledFacts(wallet);
  };
  return { asked, facts: { ask } };
}

test('40 fills of one order, from two sources in six offers, ask for facts once, by their sum and mean price, and go over in one batch', async () => {
  const { asked, facts } = countedFacts();
  const run = startIntake({ facts });
  const needsFacts = vi.spyOn(run.detector, 'needsFacts');
  const fills = Array.from({ length: 40 }, (_, n) =>
    fill({ wallet: '0xa', usdc: 10, price: n < 20 ? 0.25 : 0.5 }),
  );
  const [polled, streamed] = [fills.slice(0, 30), fills.slice(20)];
  for (let third = 0; third < 3; third += 1) {
    await run.intake.enqueue([
      ...polled.slice(third * 10, third * 10 + 10),
      fill({ wallet: `0xother${third}` }),
    ]);
    await run.clock.advance(SECOND_MS);
    await run.intake.enqueue(streamed.slice(third * 7, third * 7 + 7));
  }
  await closeSeconds(run);
  await run.clock.advance(ANSWER_MS);

  expect(asked).toEqual(['0xa']);
  const order = needsFacts.mock.calls.map(([trade]) => trade).find(({ wallet }) => wallet === '0xa');
  expect(order?.shares).toBeCloseTo(20 * 40 + 20 * 20, 9);
  expect(order?.price).toBeCloseTo(400 / 1_200, 12);
  const batch = run.batches.find((rows) => tradesOf(rows).some(({ wallet }) => wallet === '0xa')) ?? [];
  expect(transactionsOf(batch).toSorted()).toEqual(transactionsOf(fills).toSorted());
  expect(batch.map(({ kind }) => kind)).toEqual(['wallet', 'market', ...fills.map(() => 'trade'), 'close']);
  const closed = START / SECOND_MS;
  expect(run.live.at(-1)).toEqual({ row: { kind: 'close', at: START }, line: `{"close":${closed}}` });
});

test('a batch never holds a part of an order: the last one may exceed 500 rows', async () => {
  const run = startIntake();
  const rows = Array.from({ length: 499 }, (_, n) => fill({ wallet: `0xa${n}` }));
  const order = Array.from({ length: 40 }, () => fill({ wallet: '0xb', usdc: 1 }));
  await run.intake.enqueue([...order, ...rows, fill({ wallet: '0xc' })]);
  await closeSeconds(run);
  expect(run.batches.map((batch) => tradesOf(batch).length)).toEqual([539, 1]);
});
