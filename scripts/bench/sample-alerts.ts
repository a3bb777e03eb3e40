import type { Alert } from '../../src/core/alerts/alert.ts';
import { resolutionOf, type Settlement } from '../../src/core/alerts/settlement.ts';
import { seededRandom } from '../../src/core/base/random.ts';
import type { EpochMs } from '../../src/core/base/time/duration.ts';
import type { AlertType, ScorePart } from '../../src/core/detection/candidate.ts';
import type { Category } from '../../src/core/trades/trade.ts';

interface Theme {
  readonly subjects: readonly string[];
  readonly questions: readonly string[];
}

const words = (text: string): readonly string[] => text.split(',').map((word) => word.trim());

const THEMES: Readonly<Record<Category, Theme>> = {
  politics: {
    subjects: words(`the Republican nominee, the Democratic nominee, the incumbent governor, an independent,
      Hochul, DeSantis, Fetterman, Warnock, Kelly, Whitmer, Newsom, the challenger`),
    questions: words(`win the Senate election in #, win the House election in district #, carry county #,
      be ahead in poll #, concede race # before midnight`),
  },
  crypto: {
    subjects: words('Bitcoin, Ethereum, Solana, XRP, Dogecoin, Monad, MegaETH, Hyperliquid'),
    questions: words('close above $#00, reach a new high in week #, fall below $#0, list on exchange #'),
  },
  world: {
    subjects: words('Iran, Israel, Ukraine, Russia, Venezuela, Taiwan, the UN, NATO'),
    questions: words('agree to ceasefire #, hold a general election by day #, sign treaty #, close border #'),
  },
  tech: {
    subjects: words('OpenAI, Google, Apple, Anthropic, Nvidia, xAI, Tesla'),
    questions: words('release model # this quarter, lead benchmark #, announce product #'),
  },
  finance: {
    subjects: words('the Fed, the ECB, the S&P 500, gold, crude oil, inflation'),
    questions: words('move by # basis points, close above #, beat estimate #'),
  },
  pop_culture: {
    subjects: words('Taylor Swift, the Nobel Peace Prize winner, Oppenheimer, MrBeast, the Oscars host'),
    questions: words('top chart #, win award #, gross # million, post # times in a week'),
  },
  other: {
    subjects: words('the Lakers, Arsenal, the storm, the Chiefs, Alcaraz'),
    questions: words('win game #, score # or more, make landfall on day #, finish in place #'),
  },
};

const CATEGORY_SHARES: readonly (readonly [Category, number])[] = [
  ['politics', 30],
  ['crypto', 20],
  ['world', 15],
  ['other', 12],
  ['finance', 9],
  ['tech', 8],
  ['pop_culture', 6],
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

const markets = Array.from({ length: MARKETS }, (_, index) => marketOf(index));

export function sampleMoment(id: number): EpochMs {
  return START + id * EVERY_MS;
}

/** The same alert for the same number, so that a smaller archive is the beginning of a larger one. */
export function sampleAlert(id: number, shiftMs = 0): Alert {
  const random = randomOf(id);
  // Few markets and wallets have many alerts, most have some.
  const market = markets[Math.floor(random() ** 2 * MARKETS)] as SampleMarket;
  const wallet = walletOf(Math.floor(random() ** 1.5 * WALLETS));
  const entryPrice = Math.round((0.03 + random() * 0.9) * 1_000) / 1_000;
  // From 500 USDC up; one in 500 is above 50,000.
  const usdc = Math.round(500 * (1 - random()) ** -0.75 * 100) / 100;
  const score = Math.min(100, 40 + Math.floor(random() ** 1.6 * 61));
  const outcomeIndex = random() < 0.6 ? 0 : 1;
  const at = sampleMoment(id) + shiftMs;
  const alert: Alert = {
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
    tradedAt: at - 2_000,
    detectedAt: at,
    publishedAt: at,
    createdAt: at,
    isHistory: false,
    // Alone in its thread: a sample follows from its number alone.
    threadId: id,
    supersedes: null,
    resolution: null,
    details: detailsOf(score, usdc, entryPrice),
  };
  return { ...alert, resolution: market.settlement === null ? null : resolutionOf(alert, market.settlement) };
}

/** A wallet of the sample; the smaller its number, the more alerts it has. */
export function walletOf(index: number): string {
  return `0x${hex(index + 1, 40)}`;
}

function marketOf(index: number): SampleMarket {
  const random = randomOf(index + 1_000_000_007);
  const category = categoryAt(random() * 100);
  const { subjects, questions } = THEMES[category];
  const pick = (texts: readonly string[]) => texts[Math.floor(random() * texts.length)] ?? '';
  const title = `Will ${pick(subjects)} ${pick(questions).replace('#', String(index))}?`;
  const slug = title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const settlement = { outcomes: OUTCOMES, payouts: random() < 0.5 ? [1, 0] : [0, 1] };
  const isSettled = random() < 0.5;
  return {
    id: `0x${hex(index + 7_000_000, 64)}`,
    category,
    title,
    slug,
    settlement: isSettled ? settlement : null,
  };
}

function categoryAt(hundredth: number): Category {
  let left = hundredth;
  for (const [category, share] of CATEGORY_SHARES) {
    left -= share;
    if (left < 0) return category;
  }
  return 'other';
}

function typeOf(part: number): AlertType {
  if (part < 0.7) return 'fresh';
  return part < 0.92 ? 'fresh_accumulator' : 'cluster';
}

function detailsOf(score: number, usdc: number, price: number): Alert['details'] {
  const part = (factor: ScorePart['factor'], share: number, text: string): ScorePart => ({
    factor,
    points: Math.round(score * share),
    max: 30,
    note: text,
  });
  return {
    walletAgeDays: score % 30,
    isAccumulating: false,
    marketBuyCount: 1,
    marketTotalBought: usdc,
    marketAvgPrice: price,
    positionShares: usdc / price,
    profitAtStake: usdc / price - usdc,
    reasons: [
      part('wallet_age', 0.3, `wallet ${score % 30} days old`),
      part('markets', 0.2, 'second market of this wallet'),
      part('size', 0.25, `${Math.round(usdc)} USDC in one trade`),
      part('odds', 0.15, `bought at ${price}`),
      part('timing', 0.1, 'three days before the market ends'),
    ],
    ruleVersion: '1',
  };
}

function hex(value: number, length: number): string {
  return (Math.imul(value, 2_654_435_761) >>> 0).toString(16).padStart(8, '0').repeat(8).slice(0, length);
}

function randomOf(seed: number): () => number {
  return seededRandom(Math.imul(seed, 2_654_435_761));
}
