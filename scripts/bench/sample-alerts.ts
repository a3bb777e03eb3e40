import type { Alert } from '../../src/core/alerts/alert.ts';
import type { EpochMs } from '../../src/core/base/time/duration.ts';
import type { AlertType } from '../../src/core/detection/candidate.ts';
import type { Category } from '../../src/core/trades/trade.ts';
import { alertOf } from '../../test/support/alerts.ts';
import { seededRandom } from '../../test/support/random.ts';

/** Each for a tenth of the markets. */
const TITLES: readonly (readonly [Category, string])[] = [
  ['politics', 'Will the Republican nominee win the Senate election in #?'],
  ['politics', 'Will Warnock carry county #?'],
  ['politics', 'Will Hochul concede race # before midnight?'],
  ['crypto', 'Will Bitcoin close above $#00?'],
  ['crypto', 'Will Ethereum reach a new high in week #?'],
  ['finance', 'Will the Fed move by # basis points?'],
  ['other', 'Will the Lakers win game #?'],
  ['other', 'Will Arsenal score # or more?'],
  ['other', 'Will the storm make landfall on day #?'],
  ['other', 'Will Alcaraz finish in place #?'],
];
const REASONS = [
  { factor: 'wallet_age', points: 15, max: 15, note: 'wallet under a day old' },
  { factor: 'markets', points: 10, max: 10, note: 'first market' },
  { factor: 'to_win', points: 35, max: 55, note: '25,781 USDC to win with one order' },
  { factor: 'timing', points: 11, max: 15, note: 'three days before close' },
] as const;
const MARKETS = 2_000;
const WALLETS = 50_000;
const START = Date.UTC(2025, 0, 1);
const OUTCOMES = ['Yes', 'No'];

/** Half of the markets are settled, each other of them for Yes. */
export const SETTLED = Array.from({ length: MARKETS }, (_, market) => market).flatMap((market) => {
  const payouts = [[1, 0], [0, 1], null, null][Math.floor(market / TITLES.length) % 4] ?? null;
  return payouts === null ? [] : [{ marketId: marketIdOf(market), outcomes: OUTCOMES, payouts }];
});

export const SAMPLE_EVERY_MS = 30_000;

/** The same alert for the same number, so that a smaller archive is the beginning of a larger one. */
export function sampleAlert(id: number, at: EpochMs = START + id * SAMPLE_EVERY_MS): Alert {
  const random = seededRandom(spread(id));
  // Few markets and wallets have many alerts, most have some.
  const market = Math.floor(random() ** 2 * MARKETS);
  const wallet = walletOf(Math.floor(random() ** 1.5 * WALLETS));
  const [category, title] = TITLES[market % TITLES.length] ?? ['other', ''];
  const eventTitle = title.replace('#', String(market));
  const entryPrice = Math.round((0.03 + random() * 0.9) * 1_000) / 1_000;
  // From 500 USDC up; one in 500 is above 50,000.
  const usdc = Math.round(500 * (1 - random()) ** -0.75 * 100) / 100;
  const score = Math.min(100, 40 + Math.floor(random() ** 1.6 * 61));
  const outcomeIndex = random() < 0.6 ? 0 : 1;
  const alert = alertOf({
    id,
    key: `w:${hex(id, 40)}:${market}`,
    type: typeOf(random()),
    wallet,
    marketId: marketIdOf(market),
    eventTitle,
    eventSlug: eventTitle.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    side: random() < 0.85 ? 'BUY' : 'SELL',
    outcome: OUTCOMES[outcomeIndex] ?? '',
    outcomeIndex,
    entryPrice,
    usdc,
    shares: Math.round(usdc / entryPrice),
    score,
    category,
    tradeCount: 1 + Math.floor(random() * 4),
    tradedAt: at - 2_000,
    detectedAt: at,
    publishedAt: at,
    createdAt: at,
  });
  return { ...alert, details: { ...alert.details, reasons: REASONS } };
}

/** A wallet of the sample; the smaller its number, the more alerts it has. */
export function walletOf(index: number): string {
  return `0x${hex(index + 1, 40)}`;
}

function marketIdOf(market: number): string {
  return `0x${hex(market + 7_000_000, 64)}`;
}

function typeOf(part: number): AlertType {
  if (part < 0.7) return 'fresh';
  return part < 0.92 ? 'fresh_accumulator' : 'cluster';
}

function hex(value: number, length: number): string {
  return (spread(value) >>> 0).toString(16).padStart(8, '0').repeat(8).slice(0, length);
}

function spread(value: number): number {
  return Math.imul(value, 2_654_435_761);
}
