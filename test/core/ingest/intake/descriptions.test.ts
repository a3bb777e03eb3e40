import { expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../src/core/base/time/duration.ts';
import type { LiveRow } from '../../../../src/core/trades/source/source.ts';
import type { Row, Trade } from '../../../../src/core/trades/trade.ts';
import { START, tradeOf } from '../../../support/rows.ts';
import {
  closeSeconds,
  eventLoopTurn,
  liveMarket,
  liveTrade,
  small,
  startIntake,
  tradesOf,
} from './intake-fixture.ts';

const UNLABELLED = { title: '', slug: '', outcome: '', outcomeIndex: 999 };
const buy = (wallet: string, given: Partial<Trade> = {}) =>
  liveTrade(tradeOf({ wallet, usdc: 5_000, marketId: '0xdark', ...given }));
const wordless = (wallet: string, given: Partial<Trade> = {}) => buy(wallet, { ...UNLABELLED, ...given });
const trades = (rows: readonly Row[]) => tradesOf(rows).map(({ wallet }) => wallet);

/** Gamma that knows the dark market only once it is let. */
function gamma() {
  const asked: string[] = [];
  const state = { asked, knowsAll: false };
  const describe = async (ids: readonly string[]): Promise<LiveRow[]> => {
    asked.push(...ids);
    return ids.filter((id) => state.knowsAll || !id.startsWith('0xdark')).map(liveMarket);
  };
  return Object.assign(state, { markets: { describe } });
}

test('an order without words waits until its market is described, which goes before it', async () => {
  const it = gamma();
  const run = startIntake(it);
  await run.intake.enqueue([wordless('0xa')]);
  await closeSeconds(run);
  await run.clock.advance(HOUR_MS);
  expect(trades(run.handed)).toEqual([]);
  const since = START + 1.5 * SECOND_MS;
  expect(run.intake.status()).toMatchObject({
    undescribed: { markets: 1, oldest: { marketId: '0xdark', since } },
  });

  it.knowsAll = true;
  await run.clock.advance(10 * MINUTE_MS);

  expect(run.handed.map(({ kind }) => kind)).toEqual(['wallet', 'market', 'trade', 'close']);
  expect(run.intake.status()).toMatchObject({ undescribed: { markets: 0, oldest: null } });
});

test('its description is requested at growing intervals, at most every 10 minutes', async () => {
  const it = gamma();
  const run = startIntake(it);
  await run.intake.enqueue([wordless('0xa')]);
  await closeSeconds(run);
  await run.clock.advance(MINUTE_MS);
  const inFirstMinute = it.asked.length;
  await run.clock.advance(10 * HOUR_MS);
  expect(inFirstMinute).toBeGreaterThanOrEqual(6);
  expect(it.asked.length - inFirstMinute).toBeGreaterThan(60);
  expect(it.asked.length - inFirstMinute).toBeLessThan(95);
});

test('orders with words wait for a minute; then they pass those without, also in the same outcome', async () => {
  const it = gamma();
  const run = startIntake(it);
  await run.intake.enqueue([
    wordless('0xa'),
    buy('0xb'),
    buy('0xc', { asset: '1002' }),
    buy('0xd', { marketId: '0xm2' }),
  ]);
  await closeSeconds(run);
  await run.clock.advance(59 * SECOND_MS);
  expect(trades(run.handed)).toEqual(['0xd']);
  expect([it.asked.slice(0, 2), it.asked.filter((id) => id === '0xm2')]).toEqual([
    ['0xdark', '0xm2'],
    ['0xm2'],
  ]);

  await run.clock.advance(SECOND_MS);
  expect(trades(run.handed)).toEqual(['0xd', '0xb', '0xc']);
  await run.intake.enqueue([buy('0xe')]);
  await closeSeconds(run);
  expect(trades(run.handed)).toEqual(['0xd', '0xb', '0xc', '0xe']);
});

test('an order without a description is passed on without it after 20 hours, which is logged; others pass it', async () => {
  const run = startIntake(gamma());
  await run.intake.enqueue([wordless('0xa')]);
  await closeSeconds(run);
  await run.clock.advance(MINUTE_MS);
  await run.intake.enqueue([small('0xb', START + 13 * HOUR_MS), small('0xc', START + 20 * HOUR_MS - 1)]);
  await closeSeconds(run);
  await run.clock.advance(HOUR_MS);
  expect(trades(run.handed)).toEqual(['0xb', '0xc']);

  await run.intake.enqueue([small('0xd', START + 20 * HOUR_MS)]);
  await closeSeconds(run);
  await run.clock.advance(11 * MINUTE_MS);

  expect(trades(run.handed)).toEqual(['0xb', '0xc', '0xd', '0xa']);
  expect(run.intake.status()).toMatchObject({ undescribed: { givenUp: 1, markets: 0 } });
  expect(run.logger.lines).toMatchObject([{ level: 'warn', fields: { marketId: '0xdark', trades: 1 } }]);
});

test('an order without words waits 20 hours by the clock where the source’s time stands still', async () => {
  const run = startIntake(gamma());
  await run.intake.enqueue([wordless('0xa')]);
  await closeSeconds(run);
  await run.clock.advance(19 * HOUR_MS);
  expect(trades(run.handed)).toEqual([]);
  await run.clock.advance(HOUR_MS + 10 * MINUTE_MS);
  expect(trades(run.handed)).toEqual(['0xa']);
});

test('orders without a description that fill the intake do not stop the feed: they are passed on without it, market by market', async () => {
  const run = startIntake(gamma());
  const rows = Array.from({ length: 50_001 }, (_, n) =>
    wordless(`0x${n % 60}`, { marketId: n % 3 === 0 ? '0xdark1' : '0xdark2' }),
  );
  let isTaken = false;
  const offered = run.intake.enqueue(rows).then(() => {
    isTaken = true;
  });
  await closeSeconds(run);
  await run.clock.advance(57 * SECOND_MS);
  expect(isTaken).toBe(false);

  await run.clock.advance(2 * SECOND_MS);
  while (!isTaken) await eventLoopTurn();
  await offered;

  expect(run.intake.status().undescribed.givenUp).toBe(1);
  const handed = run.handed.flatMap((row) => (row.kind === 'trade' ? row.trade.marketId : []));
  expect(new Set(handed).size).toBe(1);
  expect(run.logger.lines).toMatchObject([{ level: 'warn', fields: { marketId: handed[0] } }]);
});
