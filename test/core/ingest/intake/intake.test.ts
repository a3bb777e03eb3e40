import { expect, test } from 'vitest';
import { DAY_MS, SECOND_MS } from '../../../../src/core/base/time/duration.ts';
import type { Row } from '../../../../src/core/trades/trade.ts';
import { noMetrics } from '../../../support/no-metrics.ts';
import { START } from '../../../support/rows.ts';
import {
  big,
  closeSeconds,
  eventLoopTurn,
  heldFacts,
  live,
  liveMarket,
  small,
  startIntake,
  told,
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

test('a trade that goes over together with its wallet’s facts needs no others', async () => {
  const { facts, settle, asked } = heldFacts();
  const run = startIntake({ facts });
  run.hold = true;
  await run.intake.enqueue([big('0xa'), small('0xb')]);
  await closeSeconds(run);
  settle('0xa');
  await run.clock.advance(SECOND_MS);
  await run.intake.enqueue([big('0xa', START + 1)]);
  await closeSeconds(run);
  run.hold = false;
  await eventLoopTurn();
  await eventLoopTurn();
  expect(told(run.handed).slice(1)).toEqual(['wallet 0xa', 'market 0xm1', 'trade 0xa', 'trade 0xa']);
  expect(asked).toEqual(['0xa']);
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

test('market rows go straight through, in the order offered, and do not wait for seconds to close', async () => {
  const run = startIntake();
  await run.intake.enqueue([liveMarket('0xm1'), small('0xa'), liveMarket('0xm2')]);
  await eventLoopTurn();
  expect(told(run.handed)).toEqual(['market 0xm1', 'market 0xm2']);
  expect(live(run.handed[0] as Row)).toEqual(liveMarket('0xm1'));
});
