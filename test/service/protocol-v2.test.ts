import { expect, test } from 'vitest';
import type { Alert } from '../../src/core/alert.ts';
import { type MarketTape, tapeOf } from '../support/market/market-tape.ts';
import { conditionNo, smallTape, TAPE_START_S, walletNo } from '../support/market/small-tape.ts';
import { watchMarket } from '../support/market/watched-market.ts';
import { V2_ID, V2_POSITIONS } from '../support/polymarket/protocol-v2.ts';

/** The service starts when the market has traded for two minutes, a trade each second. */
const START = TAPE_START_S + 120;
const BOUGHT = 10;
const RESOLVED = 30;

/** Market 1 of the small tape as one of Protocol V2, which a wallet that is new buys for 2,000 USDC, and which it wins. */
function tape(): MarketTape {
  const { markets, trade, count } = smallTape(600);
  const v2 = { version: 'v2', conditionId: V2_ID, clobTokenIds: JSON.stringify(V2_POSITIONS) };
  const others = Array.from({ length: count }, (_, n) => ({
    ...trade(n),
    size: 4,
    conditionId: conditionNo(0),
  }));
  const bought = {
    ...trade(1),
    ...{ conditionId: V2_ID, asset: V2_POSITIONS[0], side: 'BUY', size: 4_000 },
    ...{ proxyWallet: walletNo(77), timestamp: START + BOUGHT, transactionHash: '0xbuy' },
  };
  const settled = { closed: true, outcomePrices: '["1","0"]', at: START + RESOLVED };
  return tapeOf([
    ...markets.slice(0, 1),
    { ...markets[1], ...v2 },
    { ...markets[1], ...v2, ...settled },
    ...others,
    bought,
  ]);
}

test('a market of Protocol V2, whose id Gamma writes with 62 digits, has its category, and its alert is resolved', async () => {
  const service = await watchMarket(tape(), START * 1_000);

  const alerts = async (isThere: (alert: Alert) => boolean) => {
    for (let passed = 0; passed < 700; passed += 10) {
      await service.pass(10_000);
      const found = await service.alerts();
      if (found.some(isThere)) return found;
    }
    throw new Error('it never came to that');
  };
  expect(await alerts(() => true)).toMatchObject([{ marketId: V2_ID, category: 'politics' }]);
  const resolved = await alerts(({ resolution }) => resolution !== null);
  expect(resolved).toMatchObject([{ resolution: { payout: 1, won: true } }]);
});
