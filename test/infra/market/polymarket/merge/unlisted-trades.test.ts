import { expect, onTestFinished, test } from 'vitest';
import { repeat } from '../../../../../src/core/base/async/repeat.ts';
import { UnlistedTrades } from '../../../../../src/infra/market/polymarket/merge/unlisted-trades.ts';
import { createFakeClock } from '../../../../support/clock.ts';
import { createRecordingLogger } from '../../../../support/recording-logger.ts';
import { START, tradeOf } from '../../../../support/rows.ts';

const MINUTE = 60_000;

function startUnlisted() {
  const clock = createFakeClock(START);
  const logger = createRecordingLogger();
  const ends: string[] = [];
  const state = { isPolling: true };
  const metrics = { unlistedTradeEnded: (end: string) => ends.push(end) };
  const trades = new UnlistedTrades({ clock, logger, metrics });
  const stop = new AbortController();
  const expire = () => trades.expire(state.isPolling);
  const ended = repeat(expire, { clock, signal: stop.signal, intervalMs: 1_000 });
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  return { clock, logger, ends, state, trades };
}

test('a trade that polling lists is confirmed, once', async () => {
  const { trades, ends, clock } = startUnlisted();
  const trade = tradeOf({ at: START });
  trades.shown(trade);
  trades.shown(trade);
  trades.listed(trade);
  trades.listed(trade);
  await clock.advance(11 * MINUTE);
  expect(ends).toEqual(['confirmed']);
});

test('what polling has not listed after 20 s is named, from the moment asked for on', async () => {
  const { trades, clock } = startUnlisted();
  trades.shown(tradeOf({ at: START - 2_000 }));
  await clock.advance(19_000);
  expect(trades.unlistedSince(START - 1)).toBeNull();
  await clock.advance(1_000);
  expect(trades.unlistedSince(START - 1)).toBe(START - 2_000);
  expect(trades.unlistedSince(START)).toBeNull();
});

test('what is not listed after ten minutes of polling is given up, counted and logged', async () => {
  const { trades, clock, ends, logger, state } = startUnlisted();
  trades.shown(tradeOf({ at: START }));
  state.isPolling = false;
  await clock.advance(30 * MINUTE);
  expect(ends).toEqual([]);
  state.isPolling = true;
  await clock.advance(10 * MINUTE);
  expect(ends).toEqual(['unconfirmed']);
  expect(logger.lines).toHaveLength(1);
});

test('an old trade that the stream shows late is not waited for', async () => {
  const { trades, clock, ends } = startUnlisted();
  trades.shown(tradeOf({ at: START - 2 * MINUTE }));
  await clock.advance(11 * MINUTE);
  expect([ends, trades.unlistedSince(0)]).toEqual([[], null]);
});

test('the completeness of the stream follows what polling lists, and ignores what it lists again or reads back', () => {
  const { trades } = startUnlisted();
  expect(trades.completeness).toBe(0);
  for (let n = 0; n < 500; n += 1) {
    const trade = tradeOf({ at: START });
    trades.shown(trade);
    trades.listed(trade);
    trades.listed(trade);
  }
  expect(trades.completeness).toBeGreaterThan(0.99);
  for (let n = 0; n < 50; n += 1) trades.missed(tradeOf({ at: START }));
  expect(trades.completeness).toBeLessThan(0.4);
  const before = trades.completeness;
  trades.missed(tradeOf({ at: START - 2 * MINUTE }));
  expect(trades.completeness).toBe(before);
});
