import { expect, test } from 'vitest';
import { SECOND_MS } from '../../src/core/base/time/duration.ts';
import type { Fault } from '../support/market/faults.ts';
import { type MarketTape, tapeOf } from '../support/market/market-tape.ts';
import { conditionNo, smallTape, TAPE_START_S, walletNo } from '../support/market/small-tape.ts';
import { type WatchedMarket, watchMarket } from '../support/market/watched-market.ts';

/** They ask the service each second of minutes: a loaded machine takes half a minute. */
const TIMEOUT_MS = 120_000;
/** The service starts when the market has traded for two minutes, a trade each second. */
const START = TAPE_START_S + 120;
/** Seconds after the start. */
const FAULT = { from: 20, until: 65 };

/** Small trades, one each second, and buys of new wallets for 2,000 USDC, every so many seconds of a span. */
function tapeWithBuys({ from, until, every }: { from: number; until: number; every: number }): MarketTape {
  const { markets, trade } = smallTape(900);
  const small = Array.from({ length: 900 }, (_, n) => ({ ...trade(n), size: 4 }));
  const buys = [];
  for (let second = from; second <= until; second += every) {
    const wallet = { proxyWallet: walletNo(1_000 + second), conditionId: conditionNo(1) };
    const bought = { side: 'BUY', size: 4_000, timestamp: START + second, transactionHash: `0xbuy${second}` };
    buys.push({ ...trade(1), ...wallet, ...bought });
  }
  return tapeOf([...markets.filter(({ closed }) => closed === false), ...small, ...buys]);
}

/** What `/coverage` said at a second after the start. */
interface Said {
  readonly second: number;
  readonly state: string;
  readonly delayed: { readonly waiting: number; readonly since: string } | null;
}

async function sayEachSecond(service: WatchedMarket, from: number, until: number): Promise<readonly Said[]> {
  const said: Said[] = [];
  for (let second = from; second < until; second += 1) {
    await service.pass(SECOND_MS);
    const { coverage } = await service.named();
    said.push({ second: second + 1, state: coverage.state, delayed: coverage.facts_delayed ?? null });
  }
  return said;
}

async function newWalletAlerts(service: WatchedMarket) {
  return (await service.alerts()).filter(({ key }) => key.startsWith('w:'));
}

test.each<[string, Fault]>([
  ['HTML with status 200', { kind: 'html' }],
  ['404', { kind: '404' }],
])(
  '45 s of %s on every route: the last alert leaves within 60 s of the end, and it is said within 30 s that facts are late',
  async (_name, fault) => {
    const service = await watchMarket(
      tapeWithBuys({ from: FAULT.from, until: FAULT.until, every: 5 }),
      START * 1_000,
    );
    await service.pass(FAULT.from * SECOND_MS);
    service.strike(fault);
    const said = await sayEachSecond(service, FAULT.from, FAULT.until);
    service.strike();
    await service.pass(60 * SECOND_MS);
    const bought = (FAULT.until - FAULT.from) / 5 + 1;
    const inTime = await newWalletAlerts(service);
    const { coverage } = await service.named();
    expect(inTime).toHaveLength(bought);
    const first = said.find(({ delayed }) => delayed !== null);
    expect(first?.second).toBeLessThanOrEqual(FAULT.from + 30);
    expect(Date.parse(first?.delayed?.since ?? '')).toBeLessThan((START + FAULT.from + 20) * 1_000);
    expect(said.at(-1)?.delayed?.waiting).toBeGreaterThanOrEqual(bought - 4);
    expect(coverage).toMatchObject({ state: 'live', facts_delayed: null });
  },
  TIMEOUT_MS,
);

test(
  '429 on /v2/user-stats alone, with Retry-After 90: polling continues, and other sources date new wallets',
  async () => {
    const service = await watchMarket(tapeWithBuys({ from: 20, until: 100, every: 2 }), START * 1_000);
    await service.pass(20 * SECOND_MS);
    service.strike({ kind: '429', path: '/v2/user-stats', byMs: 90_000 });
    const first = await sayEachSecond(service, 20, 30);
    service.strike();
    const said = [...first, ...(await sayEachSecond(service, 30, 115))];
    const alerts = await newWalletAlerts(service);
    const latest = Math.max(...alerts.map(({ detectedAt, tradedAt }) => detectedAt - tradedAt));
    expect(new Set(said.map(({ state }) => state))).toEqual(new Set(['live']));
    expect(alerts).toHaveLength(41);
    expect(latest).toBeLessThan(30 * SECOND_MS);
  },
  TIMEOUT_MS,
);
