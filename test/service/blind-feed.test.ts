import { describe, expect, test } from 'vitest';
import type { Fault } from '../support/market/faults.ts';
import { type MarketTape, tapeOf } from '../support/market/market-tape.ts';
import {
  conditionNo,
  smallTape,
  TAPE_START_S,
  transactionNo,
  walletNo,
} from '../support/market/small-tape.ts';
import { watchMarket } from '../support/market/watched-market.ts';

/** The service starts when the market has traded for two minutes, a trade each second. */
const START = TAPE_START_S + 120;
/** Seconds after the start at which the market falls silent, and at which it answers again. */
const SILENT = 20;
const BACK = SILENT + 70;
/** When a wallet that is new buys for 2,000 USDC: a trade that makes an alert. */
const BUY = SILENT + 15;

/** Transactions of buys are numbered from here, after those of small trades. */
const BUYS = 1_000;

/** Small trades, one each second or more rarely up to an end, and those of a wallet that is new. */
function busyTape({ count = 300, everySeconds = 1, buys = [BUY] } = {}): MarketTape {
  const { markets, trade } = smallTape(count);
  const seconds = Array.from({ length: count }, (_, n) => n).filter((n) => n % everySeconds === 0);
  const small = seconds.map((n) => ({ ...trade(n), size: 4 }));
  const own = { ...trade(1), side: 'BUY', proxyWallet: walletNo(77), conditionId: conditionNo(1) };
  const bought = buys.map((second) => {
    const size = second === BUY ? 4_000 : 600;
    return { ...own, size, timestamp: START + second, transactionHash: transactionNo(BUYS + second) };
  });
  return tapeOf([...markets.filter(({ closed }) => closed === false), ...small, ...bought]);
}

async function watched(tape = busyTape(), hasNode = false) {
  const service = await watchMarket(tape, START * 1_000, { hasNode });
  await service.pass(SILENT * 1_000);
  expect((await service.named()).readyz.checks.feed.state).toBe('live');
  return service;
}

const at = (seconds: number) => (START + seconds) * 1_000;
const FROZEN: Fault = { kind: 'freeze' };

describe('a silent feed is named within 30 s, backfilled afterwards, and recorded', () => {
  test.each<[string, string, string, Fault]>([
    ['does not answer', 'unreachable', 'did not answer', { kind: 'hang' }],
    ['refuses', 'refused', 'geo-blocked', { kind: '403' }],
    ['lists only what is old', 'stalled', 'out of date', { kind: 'lag', byMs: 100_000 }],
  ])('when the market %s: %s, in words everywhere', async (_, cause, words, fault) => {
    const because = { cause, reason: cause, message: expect.stringContaining(words) };
    const service = await watched();
    const client = await service.connect();
    service.strike(fault, FROZEN);

    await service.pass(30_000);
    const { readyz, metric, coverage, page } = await service.named();
    expect(readyz).toMatchObject({ checks: { feed: { ready: true, state: 'blind', ...because } } });
    expect(metric).toBe(1);
    expect(coverage).toMatchObject({ state: 'blind', reason: cause });
    expect(page).toContain(coverage.message);
    expect(coverage.windows).toMatchObject([{ cause, ended_at: null, backfilled: false }]);
    const startedAt = Date.parse(coverage.windows[0].started_at);
    expect(startedAt).toBeLessThanOrEqual(at(SILENT));

    await service.pass(35_000);
    const late = await service.connect();
    await service.pass(2_000);
    const degraded = { type: 'degraded', ...because };
    expect(client.frames.filter(({ type }) => type !== 'pong').at(-1)).toMatchObject(degraded);
    expect(late.frames.at(-1)).toMatchObject(degraded);
    expect(await service.alerts()).toEqual([]);

    await service.pass(at(BACK) - service.now());
    service.strike();
    // A request that hangs is given up 10 s later, and a wallet's facts are asked for again up to a minute after that.
    await service.pass(75_000);
    const after = await service.named();
    expect(after.readyz).toMatchObject({ checks: { feed: { state: 'live' } } });
    expect(after.metric).toBe(0);
    expect(after.coverage.windows).toMatchObject([{ cause, backfilled: true }]);
    const [window] = after.coverage.windows;
    expect(Date.parse(window.started_at)).toBe(startedAt);
    // It ends where the first answers confirm: 11 s before them, and a round.
    expect(Date.parse(window.ended_at)).toBeGreaterThanOrEqual(at(BACK - 12));
    for (const { frames } of [client, late])
      expect(frames.map(({ type }) => type)).toEqual(
        expect.arrayContaining(['degraded', 'recovered', 'alert']),
      );
    const [alert] = await service.alerts();
    expect(alert).toMatchObject({ tradedAt: at(BUY) });
    expect(alert?.detectedAt).toBeGreaterThanOrEqual(at(BACK));
    const judged = await service.judged();
    expect(new Set(judged).size).toBe(judged.length);
  });
});

test('while the list fails a node leads, and the feed is unconfirmed within 30 s; nothing is lost or doubled', async () => {
  // The first buy is small, and makes its facts known before polling fails, which lists a wallet's trades as well.
  const service = await watched(busyTape({ buys: [2, BUY] }), true);
  const client = await service.connect();
  service.strike({ kind: 'hang', path: '/v2/trades' });

  await service.pass(30_000);
  const { readyz, metric, coverage } = await service.named();
  expect(readyz).toMatchObject({ checks: { feed: { state: 'unconfirmed', reason: 'unreachable' } } });
  expect(coverage.windows).toMatchObject([{ cause: 'unconfirmed', ended_at: null, backfilled: false }]);
  expect(metric).toBe(0);
  const [early] = await service.alerts();
  expect(early).toMatchObject({ tradedAt: at(BUY) });
  expect(early?.detectedAt).toBeLessThan(at(BUY + 5));

  service.strike();
  await service.pass(45_000);
  expect((await service.named()).coverage).toMatchObject({
    state: 'live',
    windows: [{ cause: 'unconfirmed', backfilled: true }],
  });
  expect(await service.alerts()).toEqual([early]);
  expect(client.frames.map(({ type }) => type)).toContain('alert');
  const judged = await service.judged();
  expect(judged.filter((transaction) => transaction === transactionNo(BUYS + BUY))).toHaveLength(1);
  expect(new Set(judged).size).toBe(judged.length);
  expect(judged.length).toBeGreaterThan(150);
});

/**
 * Failures that leave less than 25 s without a confirmed round, whatever the waits by chance: a round each second, and
 * of what hangs two requests of 10 s with waits of 1.5 s, or after a refusal a last wait of 5 s.
 */
const HANGS = { kind: 'hang', ms: 14_000 } as const;
const REFUSES = { kind: '503', ms: 18_000 } as const;

test('no window is claimed for a frozen stream, facts or Gamma down, short failures, and a quiet market', async () => {
  // Rarely enough that by its own pace a silence of 90 s is no stall.
  const service = await watched(busyTape({ count: 225, everySeconds: 3 }));
  const client = await service.connect();
  service.strike(FROZEN, { kind: 'facts-down' }, { kind: 'gamma-down' });
  await service.pass(40_000);
  // Facts that are refused pause polling for 2 s each time: a failure that follows directly would be a longer one.
  service.strike();
  await service.pass(5_000);
  for (const failure of [HANGS, REFUSES]) {
    service.strike({ kind: failure.kind });
    await service.pass(failure.ms);
    service.strike();
    await service.pass(30_000 - failure.ms);
  }
  expect(service.now()).toBeGreaterThan(at(225 - 120));
  await service.pass(90_000);
  service.strike({ kind: REFUSES.kind });
  await service.pass(REFUSES.ms);
  service.strike();
  await service.pass(30_000);

  const { readyz, metric, coverage } = await service.named();
  expect(coverage).toMatchObject({ state: 'live', blind_now: null, windows: [] });
  expect(readyz).toMatchObject({ checks: { feed: { state: 'live' } } });
  expect(metric).toBe(0);
  const told = client.frames.map(({ type }) => type);
  expect(told).toContain('alert');
  expect(told).not.toContain('degraded');
});
