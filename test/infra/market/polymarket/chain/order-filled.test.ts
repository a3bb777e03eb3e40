import { encodeAbiParameters, pad, parseAbiParameters, toEventSelector } from 'viem/utils';
import { expect, test } from 'vitest';
import { rowOf } from '../../../../../src/infra/market/polymarket/chain/described-fills.ts';
import {
  type ChainLog,
  EXCHANGES,
  fillsOf,
  logSchema,
  ORDER_FILLED,
  volumeIn,
} from '../../../../../src/infra/market/polymarket/chain/order-filled.ts';
import { START } from '../../../../support/rows.ts';

const [STANDARD, , PROTOCOL_V2] = EXCHANGES as [string, string, string];
const WALLET = '0x00000000000000000000000000000000000000aa';
const OTHER = '0x00000000000000000000000000000000000000bb';
const MARKET = {
  marketId: `0x${'c'.repeat(64)}`,
  title: 'A question?',
  slug: 'a-question',
  eventSlug: 'questions',
  outcome: 'Yes',
  outcomeIndex: 0,
};
const WORDS = parseAbiParameters('uint8, uint256, uint256, uint256, uint256, bytes32, bytes32');
const NONE = `0x${'0'.repeat(64)}` as const;

interface Given {
  maker?: string;
  taker?: string;
  address?: string;
  isSell?: boolean;
  tokenId?: bigint;
  makerAmount: bigint;
  takerAmount: bigint;
}

let logs = 0;
function logOf({
  maker = WALLET,
  taker = OTHER,
  address = STANDARD,
  isSell = false,
  tokenId = 7n,
  ...given
}: Given): ChainLog {
  logs += 1;
  const { makerAmount, takerAmount } = given;
  return logSchema.parse({
    address: address.toUpperCase().replace('0X', '0x'),
    topics: [ORDER_FILLED, NONE, pad(maker as '0x'), pad(taker as '0x')],
    data: encodeAbiParameters(WORDS, [isSell ? 1 : 0, tokenId, makerAmount, takerAmount, 5n, NONE, NONE]),
    blockNumber: '0x1',
    blockHash: NONE,
    transactionHash: `0x${'f'.repeat(64)}`,
    logIndex: `0x${logs.toString(16)}`,
  });
}

const fills = (given: readonly Given[]) => fillsOf(given.map(logOf), (reason) => expect.unreachable(reason));

test('the topic is that of the event', () => {
  const event =
    'OrderFilled(bytes32 indexed orderHash, address indexed maker, address indexed taker, uint8 side, uint256 tokenId, uint256 makerAmountFilled, uint256 takerAmountFilled, uint256 fee, bytes32 builder, bytes32 metadata)';
  expect(toEventSelector(event)).toBe(ORDER_FILLED);
});

test('a buyer gives USDC for shares, a seller shares for USDC; fees are in neither', () => {
  const [bought, sold] = fills([
    { makerAmount: 300_000_000n, takerAmount: 1_000_000_001n },
    { isSell: true, makerAmount: 1_000_000_001n, takerAmount: 300_000_000n },
  ]);
  expect(bought).toMatchObject({ side: 'BUY', shares: 1_000_000_001n, usdc: 300_000_000n, wallet: WALLET });
  expect(sold).toMatchObject({ side: 'SELL', shares: 1_000_000_001n, usdc: 300_000_000n, tokenId: '7' });
});

test('the order that is matched with the exchange itself is the taker’s', () => {
  const roles = fills([
    { makerAmount: 1n, takerAmount: 2n },
    { makerAmount: 1n, takerAmount: 3n, taker: STANDARD },
    { makerAmount: 1n, takerAmount: 4n, taker: PROTOCOL_V2, address: PROTOCOL_V2 },
  ]).map(({ role }) => role);
  expect(roles).toEqual(['maker', 'taker', 'taker']);
});

test('equal fills of a transaction are numbered by ascending price, in whatever order their logs come', () => {
  const ladder = fills([
    { makerAmount: 620_000_000n, takerAmount: 2_000_000_000n },
    { makerAmount: 600_000_000n, takerAmount: 2_000_000_000n },
    { makerAmount: 610_000_000n, takerAmount: 2_000_000_000n, maker: OTHER },
    { makerAmount: 600_000_000n, takerAmount: 2_000_000_000n },
  ]);
  expect(ladder.map(({ ordinal }) => ordinal)).toEqual([3, 1, 1, 2]);
  expect(new Set(ladder.map(({ key }) => key)).size).toBe(4);
});

test('combos are left out and counted, for they have no market of their own', () => {
  const tokenId = 3n << 248n;
  const given = [
    { makerAmount: 1n, takerAmount: 2n, tokenId, address: PROTOCOL_V2 },
    { makerAmount: 1n, takerAmount: 2n, tokenId },
    { makerAmount: 1n, takerAmount: 2n, tokenId: 1n << 248n, address: PROTOCOL_V2 },
  ];
  const drops: string[] = [];
  const kept = fillsOf(given.map(logOf), (reason) => drops.push(reason));
  expect(drops).toEqual(['combo']);
  expect(kept.map((fill) => fill.tokenId)).toEqual([String(tokenId), String(1n << 248n)]);
});

test('volume is the USDC of the orders that took, apart for combos and for each contract that is not watched', () => {
  const combo = { tokenId: 3n << 248n, address: PROTOCOL_V2 };
  const stranger = `0x${'ab'.repeat(20)}`;
  const logs = [
    { makerAmount: 7_000_000n, takerAmount: 10_000_000n, taker: STANDARD },
    { makerAmount: 3_000_000n, takerAmount: 10_000_000n, maker: OTHER, taker: WALLET },
    { ...combo, makerAmount: 2_000_000n, takerAmount: 8_000_000n, taker: PROTOCOL_V2 },
    { ...combo, makerAmount: 6_000_000n, takerAmount: 8_000_000n, maker: OTHER, taker: WALLET },
    // No order of these took: a match by request for quote may have none.
    { address: stranger, makerAmount: 1_000_000n, takerAmount: 4_000_000n },
    { address: stranger, isSell: true, makerAmount: 4_000_000n, takerAmount: 500_000n },
    { address: stranger, makerAmount: 1n, takerAmount: 2n ** 200n },
  ].map(logOf);
  expect(volumeIn(logs, EXCHANGES)).toEqual({
    watched: 7,
    combos: 2,
    elsewhere: 1.5,
  });
  expect(volumeIn(logs, [...EXCHANGES, stranger])).toEqual({
    watched: 8.5,
    combos: 2,
    elsewhere: 0,
  });
});

test('what can be no trade is dropped and counted', () => {
  const dropped: string[] = [];
  const given = [
    { makerAmount: 0n, takerAmount: 2n },
    { makerAmount: 2n, takerAmount: 0n },
    { makerAmount: 3n, takerAmount: 2n },
    { makerAmount: 1n, takerAmount: 2n ** 200n },
  ];
  const bad = { ...logOf({ makerAmount: 1n, takerAmount: 2n }), data: '0x00' };
  expect(fillsOf([...given.map(logOf), bad], (reason) => dropped.push(reason))).toEqual([]);
  expect(dropped).toEqual(['wrong_type', 'bad_size', 'bad_size', 'bad_price', 'bad_size']);
});

test('a row says what the market’s own interfaces say of the fill, with the number among equal ones and the role', () => {
  const [, second] = fills([
    { makerAmount: 300_000n, takerAmount: 1_000_001n },
    { makerAmount: 310_000n, takerAmount: 1_000_001n },
  ]);
  const live = rowOf({ fill: second as never, at: START, row: null }, MARKET, START);
  expect(live).toMatchObject({
    row: {
      kind: 'trade',
      at: START,
      trade: {
        ...{ shares: 1.000001, price: 310_000 / 1_000_001, ordinal: 2, role: 'maker' },
        ...{ title: 'A question?', slug: 'a-question', eventSlug: 'questions' },
      },
    },
  });
  expect(JSON.parse('line' in live ? live.line : '')).toMatchObject({
    size: 1.000001,
    n: 2,
    eventSlug: 'questions',
    conditionId: MARKET.marketId,
  });
});
