import type { Alert } from '../../src/core/alerts/alert.ts';
import { resolutionOf, type Settlement } from '../../src/core/alerts/settlement.ts';
import type { EpochMs } from '../../src/core/base/time/duration.ts';
import type { AlertType } from '../../src/core/detection/candidate.ts';
import type { Category } from '../../src/core/trades/trade.ts';
import { alertOf } from '../../test/support/alerts.ts';
import { seededRandom } from '../../test/support/random.ts';

interface Theme {
  readonly category: Category;
  /** Of 100 markets, those up to this one. */
  readonly upto: number;
  readonly subjects: readonly string[];
  readonly questions: readonly string[];
}

const THEMES: readonly Theme[] = [
  {
    ...{ category: 'politics', upto: 30 },
    subjects: ['the Republican nominee', 'the incumbent governor', 'Hochul', 'DeSantis', 'Warnock', 'Kelly'],
    questions: ['win the Senate election in #', 'carry county #', 'concede race # before midnight'],
  },
  {
    ...{ category: 'crypto', upto: 50 },
    subjects: ['Bitcoin', 'Ethereum', 'Solana', 'XRP', 'Dogecoin', 'Hyperliquid'],
    questions: ['close above $#00', 'reach a new high in week #', 'fall below $#0', 'list on exchange #'],
  },
  {
    ...{ category: 'finance', upto: 65 },
    subjects: ['the Fed', 'the ECB', 'the S&P 500', 'gold', 'crude oil', 'inflation'],
    questions: ['move by # basis points', 'close above #', 'beat estimate #'],
  },
  {
    ...{ category: 'other', upto: 100 },
    subjects: ['the Lakers', 'Arsenal', 'the storm', 'the Chiefs', 'Alcaraz'],
    questions: ['win game #', 'score # or more', 'make landfall on day #', 'finish in place #'],
  },
];

const MARKETS = 2_000;
const WALLETS = 50_000;
const START = Date.UTC(2025, 0, 1);
const EVERY_MS = 30_000;
const OUTCOMES = ['Yes', 'No'];

interface SampleMarket {
  readonly id: string;
  readonly category: Category;
  readonly title: string;
  readonly slug: string;
  readonly settlement: Settlement | null;
}

const markets: SampleMarket[] = [];

export function sampleMoment(id: number): EpochMs {
  return START + id * EVERY_MS;
}

/** The same alert for the same number, so that a smaller archive is the beginning of a larger one. */
export function sampleAlert(id: number, shiftMs = 0): Alert {
  const random = randomOf(id);
  // Few markets and wallets have many alerts, most have some.
  const number = Math.floor(random() ** 2 * MARKETS);
  markets[number] ??= marketOf(number);
  const market = markets[number];
  const wallet = walletOf(Math.floor(random() ** 1.5 * WALLETS));
  const entryPrice = Math.round((0.03 + random() * 0.9) * 1_000) / 1_000;
  // From 500 USDC up; one in 500 is above 50,000.
  const usdc = Math.round(500 * (1 - random()) ** -0.75 * 100) / 100;
  const score = Math.min(100, 40 + Math.floor(random() ** 1.6 * 61));
  const outcomeIndex = random() < 0.6 ? 0 : 1;
  const at = sampleMoment(id) + shiftMs;
  const alert = alertOf({
    id,
    key: `w:${hex(id, 40)}:${market.id.slice(-6)}`,
    type: typeOf(random()),
    wallet,
    marketId: market.id,
    eventTitle: market.title,
    eventSlug: market.slug,
    side: random() < 0.85 ? 'BUY' : 'SELL',
    outcome: OUTCOMES[outcomeIndex] ?? '',
    outcomeIndex,
    entryPrice,
    usdc,
    shares: Math.round(usdc / entryPrice),
    score,
    category: market.category,
    tradeCount: 1 + Math.floor(random() * 4),
    ...{ tradedAt: at - 2_000, detectedAt: at, publishedAt: at, createdAt: at },
    details: detailsOf(score, usdc, entryPrice),
  });
  return { ...alert, resolution: market.settlement === null ? null : resolutionOf(alert, market.settlement) };
}

/** A wallet of the sample; the smaller its number, the more alerts it has. */
export function walletOf(index: number): string {
  return `0x${hex(index + 1, 40)}`;
}

function marketOf(index: number): SampleMarket {
  const random = randomOf(index + 1_000_000_007);
  const hundredth = random() * 100;
  const { category, subjects, questions } = THEMES.find(({ upto }) => hundredth < upto) as Theme;
  const pick = (texts: readonly string[]) => texts[Math.floor(random() * texts.length)] ?? '';
  const title = `Will ${pick(subjects)} ${pick(questions).replace('#', String(index))}?`;
  const slug = title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const payouts = random() < 0.5 ? [1, 0] : [0, 1];
  const settlement = random() < 0.5 ? { outcomes: OUTCOMES, payouts } : null;
  return { id: `0x${hex(index + 7_000_000, 64)}`, category, title, slug, settlement };
}

function typeOf(part: number): AlertType {
  if (part < 0.7) return 'fresh';
  return part < 0.92 ? 'fresh_accumulator' : 'cluster';
}

function detailsOf(score: number, usdc: number, price: number): Alert['details'] {
  const notes = {
    wallet_age: `wallet ${score % 30} days old`,
    markets: 'second market of this wallet',
    to_win: `${Math.round(usdc / price - usdc)} USDC to win with one order`,
    timing: 'three days before the market ends',
  } as const;
  return {
    ...{ walletAgeDays: score % 30, isAccumulating: false, marketBuyCount: 1, marketTotalBought: usdc },
    ...{
      marketAvgPrice: price,
      isPositionKnown: true,
      heldShare: 1,
      positionShares: usdc / price,
      toWinUsdc: usdc / price - usdc,
    },
    reasons: Object.entries(notes).map(([factor, note]) => ({
      ...{ factor: factor as keyof typeof notes, points: Math.round(score / 4), max: 30, note },
    })),
    ruleVersion: '1',
  };
}

function hex(value: number, length: number): string {
  return (Math.imul(value, 2_654_435_761) >>> 0).toString(16).padStart(8, '0').repeat(8).slice(0, length);
}

function randomOf(seed: number): () => number {
  return seededRandom(Math.imul(seed, 2_654_435_761));
}
