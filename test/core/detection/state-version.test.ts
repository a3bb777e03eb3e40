import { expect, test } from 'vitest';
import { HOUR_MS } from '../../../src/core/base/time/duration.ts';
import { Detector } from '../../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../../src/core/detection/rules.ts';
import {
  fromChunkText,
  isSameVersion,
  STATE_FORMAT,
  stateVersionOf,
} from '../../../src/core/detection/state-chunks.ts';
import { judgeRows } from '../../support/judge-rows.ts';
import { marketRow, START, tradeRow, walletRow } from '../../support/rows.ts';

const version = stateVersionOf(DEFAULT_RULES);

test('a state is continued by the rules that made it, however they are written', () => {
  const { score, ...others } = DEFAULT_RULES;
  const { toWin, ...parts } = score;
  const rewritten = { score: { toWin: { ...toWin }, ...parts }, ...others };
  expect(Object.keys(rewritten)).not.toEqual(Object.keys(DEFAULT_RULES));
  expect(isSameVersion(stateVersionOf(rewritten), version)).toBe(true);
});

test.each([
  ['a number', { significantUsdc: 999 }],
  ['a number deep inside', { fresh: { ...DEFAULT_RULES.fresh, maxMarkets: 6 } }],
  ['a step', { score: { ...DEFAULT_RULES.score, marketSteps: [[1, 9] as const] } }],
  ['the name of the version alone', { version: 'ours' }],
])('other rules do not continue it: %s', (_name, changes) => {
  expect(isSameVersion(stateVersionOf({ ...DEFAULT_RULES, ...changes }), version)).toBe(false);
});

test('another plan of the record continues it, and so does a build that had none: the hash is the same', () => {
  const record = { ...DEFAULT_RULES.record, startsAt: '2026-12-01' };
  expect(isSameVersion(stateVersionOf({ ...DEFAULT_RULES, record }), version)).toBe(true);
  expect(version.rules).toBe('fe8b4e54c1105e17');
});

test('a snapshot of another format is not continued', () => {
  expect(isSameVersion({ ...version, format: STATE_FORMAT - 1 }, version)).toBe(false);
});

/** The names of all fields as one line; of a list the different shapes of its entries. */
function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${[...new Set(value.map(shapeOf))].join(', ')}]`;
  if (typeof value !== 'object' || value === null) return typeof value;
  const fields = Object.entries(value).map(([name, part]) => `${name}: ${shapeOf(part)}`);
  return `{ ${fields.join(', ')} }`;
}

test('the format of the state goes up with its shape: a change of this picture needs a new STATE_FORMAT', () => {
  const detector = new Detector(DEFAULT_RULES, { isComplete: false });
  const wallets = ['0xa1', '0xa2', '0xa3'];
  judgeRows(detector, [
    marketRow({ endsAt: START + HOUR_MS, volume24h: 9 }),
    ...wallets.map((wallet) => walletRow({ wallet })),
    ...wallets.map((wallet, n) => tradeRow({ wallet, usdc: 4_000, at: START + n * 1_000 })),
  ]);
  detector.judge(tradeRow({ wallet: '0xa1', side: 'SELL', at: START + 9_000 }));
  const shapes = [...detector.snapshot()].map((chunk) => {
    const { part, text } = fromChunkText(chunk);
    return `${part}: ${shapeOf(JSON.parse(text))}`;
  });

  expect([STATE_FORMAT, ...shapes]).toMatchInlineSnapshot(`
    [
      5,
      "wallets: { evicted: [number], removed: [] }",
      "wallets: [{ address: string, createdAt: number, marketsInFacts: number, rank: number, firstSeenAt: number, holdings: [[string, number, boolean, [[string, { buys: number, buyUsdc: number, buyShares: number, sellUsdc: number, netShares: number, orders: [{ at: number, usdc: number, shares: number, counts: boolean, isAlerted: boolean, role: object }], lastAlert: { type: string, at: number, measure: number } }]]]] }]",
      "retired: { capacity: number, forgotten: number }",
      "markets: { evicted: [number], removed: [] }",
      "markets: [{ id: string, title: string, slug: string, category: string, tags: [string], outcomes: [string], tokenIds: [string], endsAt: number, isIgnored: boolean, statedVolume: number, volumes: [], volumeHours: [], eventSlug: object, eventTitle: object, feeRate: object, isSettled: boolean }]",
      "clusters: { evicted: [number], removed: [] }",
      "clusters: [{ key: string, buys: [{ wallet: string, at: number, usdc: number, shares: number }], lastAlert: { at: number, usdc: number } }]",
      "fills: { capacity: number, forgotten: number }",
      "fills: string",
      "pending: [{ wallet: string, side: string, asset: string, marketId: string, shares: number, price: number, at: number, title: string, slug: string, eventSlug: object, outcome: string, outcomeIndex: number, transaction: string, ordinal: number, role: object }]",
      "time: number",
    ]
  `);
});
