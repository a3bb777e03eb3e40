import fc from 'fast-check';
import type { Alert } from '../../../src/core/alerts/alert.ts';
import { alertDraft } from '../../../src/core/alerts/alert-entry.ts';
import { EMPTY_LOG } from '../../../src/core/alerts/log/log-entry.ts';
import type { LogStore } from '../../../src/core/alerts/log/log-store.ts';
import { ALERT_TYPES, type ScorePart } from '../../../src/core/detection/candidate.ts';
import { CATEGORIES } from '../../../src/core/trades/trade.ts';
import { appendDrafts } from '../../support/log-entries.ts';

/** Few of each, so that filters hit and texts repeat; some hold what means something to a database. */
export const WALLETS = ['0xaa01', '0xaa02', '0xbb03'] as const;
export const MARKETS = ['0xm1', '0xm2', '0xm3'] as const;
export const TITLES = [
  'Will ÄRGER rise 100%?',
  'under_score [a-z]+ $where',
  "It's 0xaa01's turn",
  'Plain',
] as const;
export const SLUGS = ['will-it', 'plain_slug', 'x'] as const;
export const BOUNDS_USDC = [0, 1000, 4000] as const;
export const DAY = Date.UTC(2026, 0, 2);

const cents = fc.integer({ min: 0, max: 500_000 }).map((value) => value / 100);
/** Any finite number but the negative zero, which JSON does not know. */
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const text = fc.string({ unit: 'grapheme', maxLength: 12 });

const OUTCOMES = ['Yes', 'No'];
/** What the two outcomes of a market paid. */
export const settlements = fc.record({
  marketId: fc.constantFrom(...MARKETS),
  outcomes: fc.constant(OUTCOMES),
  payouts: fc.constantFrom([1, 0], [0, 1], [0.5, 0.5]),
});

const reasons: fc.Arbitrary<ScorePart> = recordOf({
  factor: fc.constantFrom('wallet_age', 'markets', 'to_win'),
  points: number,
  max: fc.nat(100),
  note: text,
});

const details: fc.Arbitrary<Alert['details']> = fc.record(
  {
    walletAgeDays: number,
    isAccumulating: fc.boolean(),
    marketBuyCount: fc.nat(),
    marketTotalBought: cents,
    marketAvgPrice: number,
    isPositionKnown: fc.boolean(),
    positionShares: cents,
    heldShare: number,
    toWinUsdc: cents,
    role: fc.constantFrom('taker', 'maker', null),
    wallets: fc.array(fc.constantFrom(...WALLETS), { maxLength: 3 }),
    clusterTotal: cents,
    clusterShares: cents,
    clusterAvgPrice: number,
    reasons: fc.array(reasons, { maxLength: 3 }),
    ruleVersion: text,
  },
  {
    noNullPrototype: true,
    requiredKeys: [
      'walletAgeDays',
      'isAccumulating',
      'isPositionKnown',
      'marketBuyCount',
      'marketTotalBought',
      'marketAvgPrice',
      'positionShares',
      'heldShare',
      'toWinUsdc',
      'role',
      'reasons',
      'ruleVersion',
    ],
  },
);

/** Of the markets that are of one. */
const EVENTS: ReadonlyMap<string, string> = new Map([
  ['0xm1', 'the-event'],
  ['0xm2', 'other-event'],
]);

/** An alert without its number and time, which the ledger gives it, and its entry. */
export type Unnumbered = Omit<Alert, 'id' | 'key' | 'createdAt' | 'publishedAt' | 'log'>;

export const unnumbered: fc.Arbitrary<Unnumbered> = recordOf({
  type: fc.constantFrom(...ALERT_TYPES),
  wallet: fc.constantFrom(...WALLETS),
  marketId: fc.constantFrom(...MARKETS),
  eventTitle: fc.constantFrom(...TITLES),
  eventSlug: fc.constantFrom(...SLUGS),
  marketEvent: fc.constant(null),
  side: fc.constantFrom('BUY', 'SELL'),
  outcome: fc.oneof(text, fc.constantFrom(...OUTCOMES)),
  outcomeIndex: fc.nat(3),
  entryPrice: number,
  usdc: fc.oneof(cents, fc.constantFrom(...BOUNDS_USDC)),
  shares: number,
  score: fc.nat(100),
  category: fc.constantFrom(...CATEGORIES.slice(0, 3)),
  tradeCount: fc.nat(50),
  tradedAt: fc.nat(),
  detectedAt: fc.nat(),
  isHistory: fc.boolean(),
  threadId: fc.integer({ min: 1 }),
  supersedes: fc.constant(null),
  details,
  resolution: fc.constant(null),
  withdrawn: fc.constant(null),
}).map((alert) => ({ ...alert, marketEvent: EVENTS.get(alert.marketId) ?? null }));

function recordOf<T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> {
  return fc.record(model, { noNullPrototype: true }) as fc.Arbitrary<T>;
}

/** From an alert to the next one of its thread. */
const STEP = 5;

/** A ledger's alerts: dense ids, a time that never goes back but may stand still, and threads of up to three alerts. */
export function numbered(alerts: readonly Unnumbered[], firstId = 1): Alert[] {
  return alerts.map((alert, index) => {
    const id = firstId + index;
    const supersedes = id > STEP && Math.floor(id / STEP) % 3 !== 0 ? id - STEP : null;
    const createdAt = DAY + Math.floor(id / 2) * 1000;
    return { ...alert, id, key: `k${id}`, supersedes, createdAt, publishedAt: createdAt, log: EMPTY_LOG };
  });
}

/** Enters alerts in the log, and returns them with their entries. */
export async function enterAlerts(log: LogStore, alerts: readonly Alert[]): Promise<Alert[]> {
  const entries = await appendDrafts(log, alerts.map(alertDraft));
  const heads = entries.map(({ seq, hash }) => ({ seq, hash }));
  return alerts.map((alert, index) => ({ ...alert, log: heads[index] ?? EMPTY_LOG }));
}
