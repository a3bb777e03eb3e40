import { describe, expect, test } from 'vitest';
import type { Fault } from '../support/market/faults.ts';
import { type MarketTape, tapeOf } from '../support/market/market-tape.ts';
import { conditionNo, smallTape, TAPE_START_S, walletNo } from '../support/market/small-tape.ts';
import { watchMarket } from '../support/market/watched-market.ts';

/** The service starts when the market has traded for two minutes, a trade each second. */
const START = TAPE_START_S + 120;
/** Seconds after the start at which the market falls silent, and at which it answers again. */
const SILENT = 30;
const BACK = SILENT + 90;
/** When a wallet that is new buys for 2,000 USDC: a trade that makes an alert. */
const BUY = SILENT + 15;

/** Small trades, one each second, and one that makes an alert. */
function busyTape(): MarketTape {
  const { markets, trade, count } = smallTape(360);
  const small = Array.from({ length: count }, (_, n) => ({ ...trade(n), size: 4 }));
  const buy = {
    ...trade(1),
    side: 'BUY',
    proxyWallet: walletNo(77),
    size: 4_000,
    conditionId: conditionNo(1),
  };
  const bought = { ...buy, timestamp: START + BUY, transactionHash: '0xbuy' };
  return tapeOf([...markets.filter(({ closed }) => closed === false), ...small, bought]);
}

async function watched(tape = busyTape()) {
  const service = await watchMarket(tape, START * 1_000);
  await service.pass(SILENT * 1_000);
  expect((await service.named()).readyz.checks.feed.state).toBe('live');
  return service;
}

const at = (seconds: number) => (START + seconds) * 1_000;
const FROZEN: Fault = { kind: 'freeze' };

describe('issue 8, 2: a silent feed is named within 30 s, backfilled afterwards, and recorded', () => {
  const silences: readonly (readonly [string, string, Fault])[] = [
    ['does not answer', 'unreachable', { kind: 'hang' }],
    ['refuses', 'refused', { kind: '503' }],
    ['lists only what is old', 'stalled', { kind: 'lag', byMs: 100_000 }],
  ];
  test.each(silences)('when the market %s: %s', async (_, cause, fault) => {
    const service = await watched();
    const client = await service.connect();
    service.strike(fault, FROZEN);

    await service.pass(30_000);
    const { readyz, metric, coverage } = await service.named();
    expect(readyz).toMatchObject({ checks: { feed: { ready: true, state: 'blind', cause } } });
    expect(metric).toBe(1);
    expect(coverage.windows).toMatchObject([{ cause, ended_at: null, backfilled: false }]);
    const startedAt = Date.parse(coverage.windows[0].started_at);
    expect(startedAt).toBeLessThanOrEqual(at(SILENT));

    await service.pass(35_000);
    const late = await service.connect();
    await service.pass(2_000);
    const degraded = { type: 'degraded', cause };
    expect(client.frames.filter(({ type }) => type !== 'pong').at(-1)).toMatchObject(degraded);
    expect(late.frames.at(-1)).toMatchObject(degraded);
    expect(await service.alerts()).toEqual([]);

    await service.pass(at(BACK) - service.now());
    service.strike();
    await service.pass(40_000);
    const after = await service.named();
    expect(after.readyz).toMatchObject({ checks: { feed: { state: 'live' } } });
    expect(after.metric).toBe(0);
    expect(after.coverage.windows).toMatchObject([{ cause, backfilled: true }]);
    const [window] = after.coverage.windows;
    expect(Date.parse(window.started_at)).toBe(startedAt);
    expect(Date.parse(window.ended_at)).toBeGreaterThanOrEqual(at(BACK));
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
