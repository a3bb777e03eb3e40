import { expect, test } from 'vitest';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { type MarketTape, tapeOf } from '../support/market/market-tape.ts';
import { withProtocolV2 } from '../support/market/protocol-v2-tape.ts';
import { conditionNo, smallTape, TAPE_START_S, walletNo } from '../support/market/small-tape.ts';
import { watchMarket } from '../support/market/watched-market.ts';

/** The service starts when the market has traded for two minutes. */
const START = TAPE_START_S + 120;
const BOUGHT = 10;
const RESOLVED = 30;

const SECONDS = 600;
/** Of small trades in market 0, which keep the feed alive. Each is in every page that is listed after it. */
const EVERY_S = 15;

const MARKETS = 12;

/** Twelve markets, a third of Protocol V2: each is bought for 2,000 USDC by a wallet that is new, and won or lost 30 s later. */
function mixedTape(): MarketTape {
  const { markets, trade } = smallTape(SECONDS);
  const small = { size: 4, conditionId: conditionNo(0) };
  const others = Array.from({ length: SECONDS / EVERY_S }, (_, n) => ({ ...trade(n * EVERY_S), ...small }));
  const numbers = Array.from({ length: MARKETS }, (_, n) => n + 100);
  const rows = numbers.flatMap((n) => {
    const names = { title: `Question ${n}?`, slug: `question-${n}`, eventSlug: `question-${n}` };
    const market = {
      ...markets[1],
      ...{ conditionId: conditionNo(n), question: names.title, slug: names.slug },
      clobTokenIds: JSON.stringify([`${n}1`, `${n}2`]),
    };
    const prices = n % 2 === 0 ? '["1","0"]' : '["0","1"]';
    const bought = {
      ...{ ...trade(1), ...names, conditionId: conditionNo(n), asset: `${n}1`, side: 'BUY', size: 4_000 },
      ...{ proxyWallet: walletNo(n), timestamp: START + BOUGHT, transactionHash: `0xbuy${n}` },
    };
    const settled = { closed: true, outcomePrices: prices, at: START + RESOLVED };
    return [market, { ...market, ...settled }, bought];
  });
  return withProtocolV2(tapeOf([...markets.slice(0, 1), ...rows, ...others]), 1 / 3);
}

/** The alerts of the mixed tape once they are resolved, those of version 2 apart. */
async function mixedAlerts() {
  const service = await watchMarket(mixedTape(), START * 1_000);
  for (let passed = 0; passed < 700; passed += 10) {
    await service.pass(10_000);
    const alerts = await service.alerts();
    if (alerts.length < MARKETS || alerts.some(({ resolution }) => resolution === null)) continue;
    const isV2 = ({ marketId }: Alert) => /0{16}$/.test(marketId);
    return { v1: alerts.filter((alert) => !isV2(alert)), v2: alerts.filter(isV2) };
  }
  throw new Error(`not all were resolved: ${JSON.stringify(await service.alerts())}`);
}

const delaysOf = (alerts: readonly Alert[]) =>
  alerts.map(({ detectedAt, tradedAt }) => detectedAt - tradedAt);
const isWonRight = ({ eventTitle, resolution }: Alert) =>
  resolution?.won === (Number(/\d+/.exec(eventTitle)?.[0]) % 2 === 0);

test('one market in three of Protocol V2: categories, delays and outcomes as of the others', async () => {
  const { v1, v2 } = await mixedAlerts();

  expect(v2.length).toBeGreaterThan(2);
  for (const alert of [...v1, ...v2]) {
    expect(alert).toMatchObject({ category: 'politics', outcome: 'Yes', outcomeIndex: 0 });
    expect(alert.eventTitle).toMatch(/^Question \d+\?$/);
    expect(isWonRight(alert)).toBe(true);
  }
  expect(Math.max(...delaysOf(v2))).toBeLessThanOrEqual(Math.max(...delaysOf(v1)) + 1_000);
  expect(Math.max(...delaysOf(v2))).toBeLessThan(10_000);
});
