import { expect, test, vi } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '../../../../src/core/base/time/duration.ts';
import type { Judgement } from '../../../../src/core/detection/detector.ts';
import type { Trade } from '../../../../src/core/trades/trade.ts';
import { START, tradeOf } from '../../../support/rows.ts';
import {
  ANSWER_MS,
  closeSeconds,
  eventLoopTurn,
  fill,
  liveMarket,
  liveTrade,
  settledFacts,
  startIntake,
  tradesOf,
  transactionsOf,
} from './intake-fixture.ts';

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
});

test('no facts are asked for an order whose mean price is ignored, though sums of rounded amounts lie beside it', async () => {
  const { asked, facts } = countedFacts();
  const run = startIntake({ facts });
  const pieces = [30_004.200071, 30_779.770074, 39_005.460092];
  await run.intake.enqueue(
    pieces.map((shares) => liveTrade(tradeOf({ wallet: '0xa', shares, price: 0.01 }))),
  );
  await closeSeconds(run);
  expect(asked).toEqual([]);
  expect(tradesOf(run.handed)).toHaveLength(3);
});

test('a batch with trades ends with one close row of its largest second; one without has none', async () => {
  const run = startIntake();
  const lines: string[] = [];
  await run.intake.enqueue([liveMarket('0xm1')]);
  await eventLoopTurn();
  await run.intake.enqueue([fill({ at: START + 3_000 }), fill({ at: START + 1_999 }), liveMarket('0xm2')]);
  await closeSeconds(run);
  for (const { line } of run.live) lines.push(line);
  expect(run.batches.map((rows) => rows.map(({ kind }) => kind))).toEqual([
    ['market'],
    ['market'],
    ['trade', 'trade', 'close'],
  ]);
  expect(run.handed.at(-1)).toEqual({ kind: 'close', at: START + 3_000 });
  expect(lines.at(-1)).toBe(`{"close":${START / SECOND_MS + 3}}`);
});

test('an old order that is listed in two pages while the market continues is judged and published whole', async () => {
  const run = startIntake();
  const judge = vi.spyOn(run.detector, 'judge');
  const pageOf = (page: string) =>
    Array.from({ length: 20 }, (_, n) =>
      fill({ wallet: '0xbig', usdc: 1_250, at: START - 5 * MINUTE_MS, transaction: `${page}${n}` }),
    );
  await run.intake.enqueue([fill({ wallet: '0xlive', usdc: 1 })]);
  await run.clock.advance(1_900);
  await run.intake.enqueue(pageOf('0xa'));
  await run.clock.advance(200);
  expect(tradesOf(run.handed)).toHaveLength(1);
  await run.intake.enqueue(pageOf('0xb'));
  await closeSeconds(run);
  await run.clock.advance(ANSWER_MS);
  const found = judge.mock.results.flatMap(({ value }) => (value as Judgement).candidates);
  expect(found).toMatchObject([{ wallet: '0xbig', usdc: 50_000 }]);
  expect(run.batches.map((batch) => tradesOf(batch).length)).toEqual([1, 40]);
});

test('a wallet’s older order that is closed after a newer one is judged at its own time, behind the same facts', async () => {
  const { asked, facts } = countedFacts();
  const run = startIntake({ facts });
  const of = (at: number) => fill({ wallet: '0xa', usdc: 2_000, asset: `${at}`, at: START + at });
  await run.intake.enqueue([of(0), of(SECOND_MS)]);
  await run.clock.advance(SECOND_MS);
  await run.intake.enqueue([fill({ wallet: '0xa', usdc: 1_000, asset: '0', at: START })]);
  await closeSeconds(run);
  await run.clock.advance(ANSWER_MS);
  expect(asked).toEqual(['0xa']);
  expect(tradesOf(run.handed).map(({ at }) => at - START)).toEqual([1_000, 0, 0]);
  expect(run.alerts).toEqual(
    [START + SECOND_MS, START].map((at) => expect.stringContaining(`${at / SECOND_MS}`)),
  );
});

test('orders of a second are sorted by wallet, asset and side, the fills of one as they came', async () => {
  const run = startIntake();
  const of = (wallet: string, asset: string, side: Trade['side'], transaction: string) =>
    fill({ wallet, asset, side, transaction });
  await run.intake.enqueue([
    of('0xb', '1', 'BUY', 'e'),
    of('0xa', '2', 'BUY', 'd'),
    of('0xa', '10', 'SELL', 'c'),
    of('0xa', '10', 'BUY', 'b'),
    of('0xa', '10', 'BUY', 'a'),
    of('0xB', '1', 'BUY', 'f'),
  ]);
  await closeSeconds(run);
  expect(transactionsOf(run.handed).join('')).toBe('fbacde');
});

test('a batch never holds a part of an order: the last one may exceed 500 rows', async () => {
  const run = startIntake();
  const rows = Array.from({ length: 499 }, (_, n) => fill({ wallet: `0xa${n}` }));
  const order = Array.from({ length: 40 }, () => fill({ wallet: '0xb', usdc: 1 }));
  await run.intake.enqueue([...order, ...rows, fill({ wallet: '0xc' })]);
  await closeSeconds(run);
  expect(run.batches.map((batch) => tradesOf(batch).length)).toEqual([539, 1]);
});

test('rows of a whole second that find no room together are not closed before the last of them is taken', async () => {
  const run = startIntake();
  const small = Array.from({ length: 49_999 }, (_, n) =>
    fill({ wallet: `0x${n % 7}`, usdc: 0.001, at: START + SECOND_MS }),
  );
  await run.intake.enqueue(small);
  const rows = [fill({ wallet: '0xa', transaction: '0x1' }), fill({ wallet: '0xa', transaction: '0x2' })];
  const taken = run.intake.enqueue(rows, { isWhole: true });
  for (let n = 0; n < 200; n += 1) await eventLoopTurn();
  await taken;
  await closeSeconds(run);
  const batches = run.batches.map(transactionsOf);
  expect(batches.filter((batch) => batch.includes('0x1') || batch.includes('0x2'))).toEqual([
    expect.arrayContaining(['0x1', '0x2']),
  ]);
});
