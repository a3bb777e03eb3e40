import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { resolutionOf } from '../../src/core/alerts/settlement.ts';
import { Detector } from '../../src/core/detection/detector.ts';
import { DEFAULT_RULES } from '../../src/core/detection/rules.ts';
import type { Row } from '../../src/core/trades/trade.ts';
import { bothOver } from '../support/reference/compare.ts';
import { closeRow, marketRow, tradeRow, walletRow } from '../support/rows.ts';

interface KnownCase {
  readonly case: string;
  readonly title: string;
  readonly condition_id: string;
  readonly event_slug: string;
  readonly wallets: readonly Facts[];
}

const { cases } = JSON.parse(
  readFileSync(new URL('../fixtures/known-cases.json', import.meta.url), 'utf8'),
) as { cases: readonly KnownCase[] };

type Facts = Readonly<Record<string, string | number>>;

interface Assumed {
  /** Buys of one size, from the first moment to the last, evenly spread. */
  readonly buys: number;
  readonly usdc: number;
  readonly price: number;
  readonly from: string;
  readonly until: string;
  readonly createdAt: string | null;
  /** Distinct markets before the first of these buys. */
  readonly marketsBefore: number;
}

/** What a partial tape of the case would hold: the market, the wallet's facts, its buys of Yes, and the outcome. */
function tapeOf(known: KnownCase, facts: Facts, assumed: Assumed): readonly Row[] {
  const { buys, usdc, price } = assumed;
  const wallet = String(facts['wallet']);
  const [from, until] = [Date.parse(assumed.from), Date.parse(assumed.until)];
  const market = { id: known.condition_id, question: known.title, slug: known.event_slug };
  const tokens = { outcomes: ['Yes', 'No'], tokenIds: ['11', '12'] };
  const createdAt = assumed.createdAt === null ? null : Date.parse(assumed.createdAt);
  return [
    marketRow({ ...market, ...tokens, category: 'world', at: from }),
    walletRow({ wallet, createdAt, marketsTraded: assumed.marketsBefore, at: from }),
    ...Array.from({ length: buys }, (_, n) =>
      tradeRow({
        wallet,
        marketId: known.condition_id,
        asset: '11',
        outcome: 'Yes',
        price,
        usdc: usdc / buys,
        at: from + (buys === 1 ? 0 : Math.floor(((until - from) * n) / (buys - 1))),
      }),
    ),
    marketRow({ ...market, ...tokens, payouts: [1, 0], at: until + 86_400_000 }),
  ];
}

/** The alerts of a partial tape, with their outcome; docs/detection.md, implemented a second time, finds the same. */
function alertsOf(name: string, wallet: number, assume: (facts: Facts) => Assumed) {
  const known = cases.find((entry) => entry.case === name) as KnownCase;
  const facts = known.wallets[wallet] as Facts;
  const rows = tapeOf(known, facts, assume(facts));
  const { found, expected } = bothOver(rows, { isComplete: false });
  expect(found).toEqual(expected);
  const detector = new Detector(DEFAULT_RULES, { isComplete: false });
  const candidates = [...rows, closeRow()].flatMap((row) => detector.judge(row).candidates);
  const settlement = { outcomes: ['Yes', 'No'], payouts: [1, 0] };
  return candidates.map((candidate) => ({ ...candidate, resolution: resolutionOf(candidate, settlement) }));
}

describe('published cases', () => {
  test('Maduro, first wallet: alerted from its early buys, and books its win', () => {
    const alerts = alertsOf('maduro_2026', 0, (facts) => ({
      // Published: created 2025-12-26, first trade 2025-12-27, last 2026-01-03 02:58, 32,538 USDC at 0.075, 4 markets.
      createdAt: '2025-12-26T00:00:00Z', // assumed: at midnight of the day
      from: '2025-12-27T12:00:00Z', // assumed: at noon of the day
      until: '2026-01-03T02:58:00Z',
      usdc: Number(facts['usdc']), // assumed: all of it in this market
      price: Number(facts['avg_price']), // assumed: each buy at the average
      buys: 10, // assumed: not published
      marketsBefore: 3, // assumed: the other three came first, the least favourable order
    }));
    expect(alerts.length).toBeGreaterThan(0);
    expect(alerts.every(({ resolution }) => resolution?.won === true)).toBe(true);
    expect(alerts.some(({ type, score }) => type === 'fresh_accumulator' && score >= 60)).toBe(true);
  });

  test('Maduro, second wallet: alerted although its buys are smaller, and books its win', () => {
    const alerts = alertsOf('maduro_2026', 1, (facts) => ({
      // Published: created 2025-12-24, first trade 2026-01-02, 5,783 USDC at 0.072, this market alone.
      createdAt: '2025-12-24T00:00:00Z', // assumed: at midnight of the day
      from: '2026-01-02T12:00:00Z', // assumed: at noon of the day
      until: '2026-01-03T02:00:00Z', // assumed: before the other wallet's last trade
      usdc: Number(facts['usdc']),
      price: Number(facts['avg_price']), // assumed: each buy at the average
      buys: 7, // assumed: not published; at this count no single buy reaches 1,000 USDC
      marketsBefore: 0,
    }));
    expect(alerts.map(({ type }) => type)).toContain('fresh_accumulator');
    expect(alerts.every(({ resolution }) => resolution?.won === true)).toBe(true);
  });

  test('Maduro, third wallet: nothing is known of its age, so it is not alerted', () => {
    const alerts = alertsOf('maduro_2026', 2, (facts) => ({
      createdAt: null, // published: nothing
      from: '2026-01-02T12:00:00Z', // assumed: not published
      until: '2026-01-03T02:00:00Z', // assumed: not published
      usdc: Number(facts['usdc']),
      price: 0.15, // assumed: 25,000 USDC that made 145,600 bought near 0.15
      buys: 5, // assumed: not published
      marketsBefore: 0, // assumed: the most favourable count
    }));
    expect(alerts).toEqual([]);
  });

  test('Nobel: the buy at 03:41 is alerted whichever of the disputed prices is right, and books its win', () => {
    for (const price of [0.036, 0.7]) {
      const alerts = alertsOf('nobel_peace_2025', 0, (facts) => ({
        // Published: first seen 2025-10, 5 trades, 3 markets, 68,340 USDC at 03:41 on 2025-10-10; price disputed.
        createdAt: '2025-10-01T00:00:00Z', // assumed: the first of the month, the oldest it can be
        from: '2025-10-10T03:41:00Z',
        until: '2025-10-10T03:41:00Z',
        usdc: Number(facts['usdc_reported']),
        price,
        buys: 1, // assumed: one order
        marketsBefore: 2, // assumed: the other two came first, the least favourable order
      }));
      expect(alerts).toMatchObject([{ type: 'fresh', usdc: 68_340, resolution: { won: true } }]);
    }
  });

  test('d4vd: an account of the year before with 29 markets is an expected miss', () => {
    const alerts = alertsOf('google_yis_2025', 0, (facts) => ({
      // Published: created in 2024, 29 markets, 10,647 USDC on this outcome at about 0.06.
      createdAt: '2024-12-31T23:59:59Z', // assumed: the last second of the year, the youngest it can be
      from: String(facts['window_first_trade']),
      until: String(facts['window_last_trade']),
      usdc: Number(facts['d4vd_usdc']),
      price: Number(facts['d4vd_avg_price_approx']),
      buys: 5, // assumed: not published
      marketsBefore: 28, // assumed: this market is the last of the 29
    }));
    expect(alerts).toEqual([]);
  });
});
