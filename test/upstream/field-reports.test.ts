import { expect, test } from 'vitest';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { type MarketTape, tapeOf } from '../support/market/market-tape.ts';
import { conditionNo, smallTape, TAPE_START_S, walletNo } from '../support/market/small-tape.ts';
import { watchMarket } from '../support/market/watched-market.ts';
import { startStandIn } from '../support/stream-stand-in.ts';

/** Faults that others met on the real market, given to the whole service. */

const SECONDS = 600;
const START = TAPE_START_S + 120;
const FRESH = walletNo(50);
const LARGE = {
  proxyWallet: FRESH,
  side: 'BUY',
  asset: '11',
  conditionId: conditionNo(1),
  size: 10_000,
  price: 0.3,
};
const WORDS = {
  title: 'Question 1?',
  slug: 'question-1',
  eventSlug: 'question-1',
  outcome: 'Yes',
  outcomeIndex: 0,
};

/** Small trades of known wallets; a wallet that is a minute old bought for a dollar. `more`: further trades. */
function tapeWith(...more: readonly Record<string, unknown>[]): MarketTape {
  const { markets, trade } = smallTape(SECONDS);
  const small = Array.from({ length: SECONDS / 5 }, (_, n) => ({ ...trade(n * 5), size: 4 }));
  const first = { ...LARGE, ...WORDS, size: 2, timestamp: START - 60, transactionHash: '0xfirst' };
  return tapeOf([...markets.slice(0, 2), ...small, first, ...more]);
}

const ofFresh = (alerts: readonly Alert[]) => alerts.filter(({ wallet }) => wallet === FRESH);

test('a match that only the stream shows is no alert; the same trade once it is listed is one', async () => {
  const stream = await startStandIn();
  const settings = () => ({ POLYMARKET_STREAM_URL: stream.url });
  const mined = { ...LARGE, ...WORDS, timestamp: START + 90, transactionHash: '0xmined' };
  const { pass, alerts, judged } = await watchMarket(tapeWith(mined), START * 1_000, { settings });
  await pass(2_000);
  const socket = await stream.connection();
  const ghosts = ['0xd1', '0xd2', '0xd3'].map((transactionHash, n) => ({
    ...{ ...LARGE, ...WORDS, size: LARGE.size * (n + 1), timestamp: START, transactionHash },
  }));
  for (const [n, payload] of ghosts.entries())
    socket.send({
      topic: 'activity',
      type: n === 0 ? 'orders_matched' : 'trades',
      timestamp: START * 1_000,
      payload,
    });
  for (let passed = 0; passed < 60; passed += 1) await pass(1_000);
  expect(ofFresh(await alerts())).toEqual([]);
  for (let passed = 0; passed < 60; passed += 1) await pass(1_000);
  expect(ofFresh(await alerts())).toMatchObject([{ tradedAt: (START + 90) * 1_000, shares: LARGE.size }]);
  expect((await judged()).filter((transaction) => transaction.startsWith('0xd'))).toEqual([]);
});

const COMBO = { title: 'Harbour votes yes AND the Larks win', slug: 'harbour-larks', eventSlug: '' };
const HASH = 'ab'.repeat(31);

test.each([
  ['that the market flags', { conditionId: `0x03${HASH}`, asset: '11', is_combo: true }],
  ['that only its ids show', { conditionId: `0x03${HASH}`, asset: String(BigInt(`0x03${HASH}`)) }],
  ['with an id of 62 digits', { conditionId: `0x03${HASH.slice(2)}`, asset: '11' }],
])('a trade of a combo in the list %s is no alert, and is counted once', async (_, ids) => {
  const combo = { ...LARGE, ...WORDS, ...COMBO, ...ids, timestamp: START + 5, transactionHash: '0xcombo' };
  const { pass, alerts, judged, dropped } = await watchMarket(tapeWith(combo), START * 1_000);
  for (let passed = 0; passed < 90; passed += 1) await pass(1_000);
  expect(await alerts()).toEqual([]);
  expect(await judged()).not.toContain('0xcombo');
  expect(await dropped('combo')).toBe(1);
});
