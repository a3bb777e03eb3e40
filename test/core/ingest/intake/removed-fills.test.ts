import { expect, test } from 'vitest';
import { SECOND_MS } from '../../../../src/core/base/time/duration.ts';
import type { WalletFactsAnswer } from '../../../../src/core/trades/source/facts-sources.ts';
import type { LiveRow } from '../../../../src/core/trades/source/source.ts';
import type { Trade } from '../../../../src/core/trades/trade.ts';
import { START, tradeOf } from '../../../support/rows.ts';
import {
  closeSeconds,
  eventLoopTurn,
  live,
  liveMarket,
  liveTrade,
  settledFacts,
  startIntake,
} from './intake-fixture.ts';

const removed = (trade: Trade): LiveRow => live({ kind: 'removed', at: trade.at, trade });
const kinds = (rows: readonly { kind: string }[]) => rows.map(({ kind }) => kind);

test('a fill that was judged is removed with the next batch, and is not seen any more', async () => {
  const run = startIntake();
  const fill = tradeOf({ usdc: 900 });
  await run.intake.enqueue([liveTrade(fill)]);
  await closeSeconds(run);
  await run.clock.advance(SECOND_MS);
  expect(run.detector.hasSeen(fill)).toBe(true);

  await run.intake.enqueue([removed(fill)]);
  await eventLoopTurn();
  expect(kinds(run.batches.at(-1) ?? [])).toEqual(['removed']);
  expect([run.detector.hasSeen(fill), run.intake.isInFlight(fill)]).toEqual([false, false]);
});

test.each([
  ['before its second is closed', 0],
  ['while its order waits for facts', 2 * SECOND_MS],
])(
  'a fill that is removed %s goes over with its removal behind it, and its order is judged without it',
  async (_name, afterMs) => {
    let settle = (_answer: WalletFactsAnswer) => {};
    const run = startIntake({
      facts: {
        ask: () =>
          new Promise((resolve) => {
            settle = resolve;
          }),
      },
    });
    const [gone, kept] = [tradeOf({ wallet: '0xa', usdc: 5_000 }), tradeOf({ wallet: '0xa', usdc: 1_200 })];
    await run.intake.enqueue([liveTrade(gone), liveTrade(kept)]);
    await eventLoopTurn();
    await run.clock.advance(afterMs);
    await run.intake.enqueue([removed(gone)]);
    await closeSeconds(run);
    expect(run.handed).toEqual([]);
    expect(run.intake.isInFlight(gone)).toBe(true);

    settle(settledFacts('0xa'));
    await run.clock.advance(SECOND_MS);
    await eventLoopTurn();
    expect(kinds(run.handed)).toEqual(['wallet', 'market', 'trade', 'removed', 'trade', 'close']);
    expect(run.alerts).toHaveLength(1);
    expect([run.detector.hasSeen(gone), run.detector.hasSeen(kept)]).toEqual([false, true]);
    expect([gone, kept].map(run.intake.isInFlight)).toEqual([false, false]);
    expect(run.intake.oldestWaiting()).toBeNull();
  },
);

test('a fill that is shown again before its removal went over stays', async () => {
  const run = startIntake();
  const fill = tradeOf({ usdc: 10 });
  await run.intake.enqueue([liveTrade(fill)]);
  await run.intake.enqueue([removed(fill)]);
  await run.intake.enqueue([liveTrade(fill)]);
  await closeSeconds(run);
  expect(kinds(run.handed)).toEqual(['trade', 'close']);
  expect(run.detector.hasSeen(fill)).toBe(true);
});

test('a fill that comes again after it was removed is taken as new', async () => {
  const run = startIntake();
  const fill = tradeOf({ usdc: 10 });
  for (const row of [liveTrade(fill), removed(fill), liveTrade(fill)]) {
    await run.intake.enqueue([row]);
    await closeSeconds(run);
  }
  expect(kinds(run.handed)).toEqual(['trade', 'close', 'removed', 'trade', 'close']);
  expect(run.detector.hasSeen(fill)).toBe(true);
});

test('a removal does not overtake its fill where that waits for room', async () => {
  const run = startIntake();
  run.hold = true;
  const many = Array.from({ length: 50_000 }, (_, n) =>
    liveTrade(tradeOf({ usdc: 1, at: START + n * SECOND_MS })),
  );
  const fill = tradeOf({ wallet: '0xlast', usdc: 1, at: START });
  const offers = [
    run.intake.enqueue(many),
    run.intake.enqueue([liveTrade(fill)]),
    run.intake.enqueue([removed(fill)]),
  ];
  run.hold = false;
  await closeSeconds(run);
  await Promise.all(offers);
  await closeSeconds(run);
  while (run.intake.oldestWaiting() !== null) await eventLoopTurn();
  const own = run.handed.filter((row) => 'trade' in row && row.trade.wallet === '0xlast');
  expect(kinds(own)).toEqual(['trade', 'removed']);
});

test('the removal of a fill that was never taken is passed on to be counted, and delays nothing', async () => {
  const run = startIntake();
  await run.intake.enqueue([removed(tradeOf()), liveMarket('0xm1')]);
  await eventLoopTurn();
  expect(run.batches.map(kinds)).toEqual([['removed', 'market']]);
});
