import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/base/time/duration.ts';
import { Detector } from '../../../src/core/detection/detector.ts';
import { DEFAULT_RULES, type DetectionRules } from '../../../src/core/detection/rules.ts';
import {
  fromChunkText,
  isSameVersion,
  STATE_FORMAT,
  stateVersionOf,
} from '../../../src/core/detection/state-chunks.ts';
import type { PlainWallet } from '../../../src/core/detection/wallet.ts';
import type { Row } from '../../../src/core/trades/trade.ts';
import { CLOSE, judgeRows } from '../../support/judge-rows.ts';
import { marketRow, START, tradeRow, walletRow } from '../../support/rows.ts';
import { KeptParts } from '../../support/state-parts.ts';

const COMPLETE = { isComplete: true };

/** Rows of a small, busy world: few wallets, markets and transactions, so that everything meets everything. */
const anyRow = (days: number): fc.Arbitrary<Row> =>
  fc
    .record({
      kind: fc.integer({ min: 0, max: 19 }),
      wallet: fc.integer({ min: 1, max: 25 }).map((n) => `0xw${n}`),
      market: fc.constantFrom(1, 1, 1, 1, 2, 3, 4, 5, 6, 7),
      outcome: fc.integer({ min: 0, max: 1 }),
      usdc: fc.constantFrom(20, 260, 800, 1_200, 5_000),
      price: fc.constantFrom(0.005, 0.08, 0.3, 0.6, 0.97),
      at: fc.integer({ min: 0, max: days * 1_440 }).map((minute) => START + minute * MINUTE_MS),
      side: fc.constantFrom('BUY' as const, 'BUY' as const, 'SELL' as const),
      transaction: fc.integer({ min: 1, max: 60 }).map((n) => `0xt${n}`),
    })
    .map(({ kind, wallet, market, outcome, ...trade }) => {
      const id = `0xm${market}`;
      if (kind === 0) return walletRow({ wallet, createdAt: trade.at - DAY_MS, marketsTraded: market % 4 });
      if (kind === 1) return marketRow({ id, volume24h: trade.usdc * 10, endsAt: trade.at + DAY_MS });
      return tradeRow({
        ...trade,
        wallet,
        marketId: id,
        asset: `${market}${outcome}`,
        outcomeIndex: outcome,
      });
    });

const removalOf = (row: Row): Row => (row.kind === 'trade' ? { ...row, kind: 'removed' } : row);

/** Mostly in order, as a market reports, with some rows out of place, some twice, and some fills removed. */
const tapeOf = (days: number) =>
  fc.array(anyRow(days), { minLength: 20, maxLength: 300, size: 'max' }).map((rows) =>
    [
      ...rows,
      ...rows.filter((_row, index) => index % 4 === 0),
      ...rows.filter((_row, index) => index % 6 === 0).map(removalOf),
    ]
      .map((row, index) => ({ row, place: (row.at ?? START) + (index % 5 === 0 ? 3 * 60 * MINUTE_MS : 0) }))
      .sort((a, b) => a.place - b.place)
      .map(({ row }) => row),
  );

const anyTape = fc.oneof(tapeOf(20), tapeOf(0.25));

/** Judges the rows with a snapshot before each row in `writeAt`, and a restart from it before each in `restartAt`. */
function interrupted(
  rules: DetectionRules,
  rows: readonly Row[],
  { writeAt, restartAt }: { readonly writeAt: ReadonlySet<number>; readonly restartAt: ReadonlySet<number> },
) {
  const source = { isComplete: rows.length % 2 === 0 };
  const stored = new KeptParts();
  let detector = new Detector(rules, source);
  const judgements = rows.map((row, index) => {
    if (writeAt.has(index) || restartAt.has(index)) stored.write(detector.parts);
    if (restartAt.has(index)) {
      detector = new Detector(rules, source);
      detector.restore(stored.chunks);
    }
    return detector.judge(row);
  });
  return { judgements, state: [...detector.snapshot()], memory: detector.memory };
}

describe('detector state', () => {
  test.each([
    [
      'rules that find clusters often',
      {
        ...DEFAULT_RULES,
        cluster: { minWallets: 2, windowMinutes: 600, minWalletUsdc: 250, minTotalUsdc: 500 },
      },
    ],
    [
      'a memory that is full',
      {
        ...DEFAULT_RULES,
        memory: {
          wallets: 6,
          positions: 12,
          markets: 3,
          fills: 40,
          retiredWallets: 4,
          clusters: 2,
          buysPerCluster: 3,
          followed: 6,
        },
      },
    ],
  ])(
    'snapshots of what changed, taken at any rows, give the state of an uninterrupted run byte for byte: %s',
    (_, rules) => {
      const anyRows = fc.uniqueArray(fc.nat(300), { maxLength: 30, size: 'max' }).map((at) => new Set(at));
      fc.assert(
        fc.property(anyTape, anyRows, anyRows, (rows, writeAt, restartAt) => {
          const none = new Set<number>();
          const whole = interrupted(rules, rows, { writeAt: none, restartAt: none });
          expect(interrupted(rules, rows, { writeAt, restartAt })).toEqual(whole);
        }),
        { numRuns: 40 },
      );
    },
  );

  test('buys that no late fill can join any more are kept as sums, which count for an accumulation', () => {
    const detector = new Detector(DEFAULT_RULES, COMPLETE);
    const buy = (hours: number) => tradeRow({ wallet: '0xw1', usdc: 900, at: START + hours * HOUR_MS });
    for (const row of [buy(0), buy(20), tradeRow({ wallet: '0xw2', at: START + 27 * HOUR_MS })])
      detector.judge(row);
    const wallets = [...detector.snapshot()].find((chunk) => chunk.startsWith('wallets=[')) ?? '';
    const [plain] = JSON.parse(fromChunkText(wallets).text) as PlainWallet[];
    const position = plain?.holdings[0]?.[3][0]?.[1];
    expect(position).toMatchObject({ buys: 2, buyUsdc: 1_800_000_000 });
    expect(position?.orders.map(({ at }) => at)).toEqual([START + 20 * HOUR_MS]);
    expect(judgeRows(detector, [buy(28)])).toMatchObject([
      { type: 'fresh_accumulator', tradeCount: 3, details: { marketTotalBought: 2_700 } },
    ]);
  });

  test('memory stays within its bounds, and a forgotten wallet is never taken for a fresh one', () => {
    const memory = { ...DEFAULT_RULES.memory, wallets: 50, markets: 20, retiredWallets: 1_000 };
    const detector = new Detector({ ...DEFAULT_RULES, memory }, { isComplete: true });
    const row = (n: number, usdc: number) =>
      tradeRow({
        wallet: `0xw${n}`,
        marketId: `0xm${n % 40}`,
        asset: `${n % 40}`,
        usdc,
        at: START + n * 1_000,
      });
    for (let n = 0; n < 5_000; n++) detector.judge(row(n, 20));
    expect(detector.memory.wallets).toBeLessThanOrEqual(50);
    expect(detector.memory.markets).toBeLessThanOrEqual(20);
    const late = tradeRow({ wallet: '0xw1', usdc: 5_000, at: START + 5_001_000 });
    expect(detector.judge(late).candidates).toEqual([]);
  });

  test('of a market that is left out only that the wallet traded it is kept', () => {
    const detector = new Detector(DEFAULT_RULES, COMPLETE);
    const ignored = { slug: 'btc-updown-15m-1763740800', title: 'Bitcoin Up or Down', usdc: 9_000 };
    const markets = [1, 2, 3, 4, 5].map((n) => tradeRow({ ...ignored, marketId: `0xm${n}`, asset: `${n}` }));
    for (const row of markets) detector.judge(row);
    expect(judgeRows(detector, [CLOSE])).toEqual([]);
    expect(detector.memory).toMatchObject({ wallets: 1, positions: 0 });
    expect(judgeRows(detector, [tradeRow({ marketId: '0xm6', usdc: 5_000, at: START + 1_000 })])).toEqual([]);
  });
});

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
  expect(version.rules).toBe('07911fdc8303db34');
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
      12,
      "wallets: { evicted: [number], removed: [] }",
      "wallets: [{ address: string, createdAt: number, marketsInFacts: number, rank: number, firstSeenAt: number, holdings: [[string, number, boolean, [[string, { buys: number, buyUsdc: number, buyShares: number, sellUsdc: number, netShares: number, orders: [{ at: number, usdc: number, shares: number, counts: boolean, isAlerted: boolean, role: object }], lastAlert: { type: string, at: number, measure: number } }]]]] }]",
      "retired: { capacity: number, forgotten: number }",
      "markets: { evicted: [number], removed: [] }",
      "markets: [{ id: string, title: string, slug: string, category: string, tags: [string], outcomes: [string], tokenIds: [string], endsAt: number, isIgnored: boolean, statedVolume: number, volumes: [], volumeHours: [], eventSlug: object, isSettled: boolean }]",
      "clusters: { evicted: [number], removed: [] }",
      "clusters: [{ key: string, buys: [{ wallet: string, at: number, usdc: number, shares: number }], lastAlert: { at: number, usdc: number } }]",
      "fills: { capacity: number, forgotten: number }",
      "fills: string",
      "pending: [{ wallet: string, side: string, asset: string, marketId: string, shares: number, price: number, at: number, title: string, slug: string, eventSlug: object, outcome: string, outcomeIndex: number, transaction: string, ordinal: number, role: object }]",
      "followed: { evicted: [number], removed: [] }",
      "followed: [{ id: string, isBinary: boolean, threads: [{ asset: string, outcome: string, outcomeIndex: number, at: number, wallet: string, members: [{ address: string, shares: number, usdc: number, others: number }], peak: number, level: object, soldShares: number, soldUsdc: number, soldCost: number }, { asset: string, outcome: string, outcomeIndex: number, at: number, wallet: object, members: [{ address: string, shares: number, usdc: number, others: number }], peak: number, level: object, soldShares: number, soldUsdc: number, soldCost: number }] }]",
      "time: { now: number, knownSince: number }",
    ]
  `);
});
