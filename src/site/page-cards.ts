import type { PageSubject } from '../core/alerts/cards/page-card.ts';
import type { MarketReport } from '../core/alerts/market-report.ts';
import { marketPath, pageCardPath } from '../core/alerts/site-paths.ts';
import { capitalised, counted, dollars, signedCents } from '../core/base/text/formats.ts';
import type { RecordReport } from '../core/record/record-report.ts';
import { chartOf, knownPrices, type MarketLine } from './alert-prices.ts';
import { outcomeName, titleOf, winnerWords } from './parts/labels.ts';

/** A picture that previews of links show. */
export interface PageImage {
  /** From the root; another one when it must be asked for again. */
  readonly path: string;
  readonly alt: string;
}

/** Where phones look for the icon of a page, without being told. */
export const TOUCH_ICON = '/apple-touch-icon.png';

/** Of every page without a picture of its own. */
export const SERVICE_CARD: PageSubject = {
  kind: 'page',
  titles: ['Prediction-market trades that look informed'],
  lead: 'New wallets that bet large, keep buying, or buy the same outcome together. Each alert has its reasons and, once its market is settled, its result: right or wrong.',
  figures: [
    { value: '0 to 100', name: 'the score of each alert, with its parts' },
    { value: 'Right, wrong', name: 'a public record of all alerts, losses included' },
    { value: 'No account', name: 'is needed for pages, feeds and the record' },
  ],
  chart: null,
  reference: 'Polymarket',
};
export const SERVICE_IMAGE: PageImage = {
  path: pageCardPath('/card', 'service'),
  alt: 'Tipoff: prediction-market trades that look informed, each with a score, its reasons and its result',
};

const RECORD_TITLE = 'What the alerts were worth';
const UNREAD = 'The record cannot be read at the moment.';

export function recordImage(report: RecordReport | null): PageImage {
  return {
    path: pageCardPath('/record', report?.as_of.slice(0, 10) ?? 'unread'),
    alt: `The record of all alerts: ${report?.conclusion ?? UNREAD}`,
  };
}

export function recordCard(report: RecordReport | null): PageSubject {
  const [newest] = report?.stages ?? [];
  return {
    kind: 'page',
    titles: [RECORD_TITLE],
    lead: report?.conclusion ?? UNREAD,
    figures: newest === undefined ? [] : recordFigures(newest),
    chart: null,
    reference: report === null ? 'Record' : `Record · ${report.as_of.slice(0, 10)}`,
  };
}

function recordFigures({ counts, figures, bettor }: RecordReport['stages'][number]): PageSubject['figures'] {
  const { won_minus_price: won } = figures;
  const ends = [bettor.low, bettor.high].map((end) => (end === null ? 'no end' : signedCents(end)));
  return [
    {
      value: counted(counts.counted, 'alert'),
      name: `count, of ${counts.alerts.toLocaleString('en-US')} published`,
    },
    { value: shownCents(bettor.mean), name: `the price a day later, 96 % interval ${ends.join(' to ')}` },
    { value: shownCents(won.mean), name: `payout minus price, ${counted(won.events, 'event')}` },
  ];
}

function shownCents(mean: number | null): string {
  return mean === null ? 'Not measured' : signedCents(mean);
}

export function marketImage({ newest, threads, resolution }: MarketReport): PageImage {
  const state = resolution === null ? 'open' : `paid-${resolution.payouts.join('-')}`;
  return {
    path: pageCardPath(marketPath(newest.eventSlug) ?? '/markets', state),
    alt: `${titleOf(newest)}: ${counted(threads.total, 'bet')}, and the price over time`,
  };
}

interface KnownMarket {
  readonly report: MarketReport;
  readonly observed: MarketLine | null;
  readonly pricesNow: ReadonlyMap<string, number>;
}

export function marketCard({ report, observed, pricesNow }: KnownMarket): PageSubject {
  const { newest, threads, outcomes, resolution } = report;
  const putIn = outcomes.reduce((sum, { putInUsdc }) => sum + putInUsdc, 0);
  const alerts = report.alerts.filter(({ outcome }) => outcome === newest.outcome);
  const payout = alerts[0]?.resolution?.payout ?? null;
  return {
    kind: 'page',
    titles: [
      titleOf(newest),
      capitalised(newest.eventSlug.replaceAll(/[-_]+/g, ' ')),
      'A market on Polymarket',
    ],
    lead: `${resolution === null ? openWords(report, pricesNow) : settledWords(report)}${observed === null ? '' : `. Chart: ${outcomeName(newest.outcome)}`}.`,
    figures: [
      { value: counted(threads.total, 'bet'), name: `on ${counted(outcomes.length, 'outcome')}` },
      { value: dollars(putIn), name: 'put in' },
    ],
    chart:
      observed &&
      chartOf(observed, [newest, ...alerts.filter(({ id }) => id !== newest.id)], { exits: [], payout }),
    reference: resolution === null ? 'Market' : 'Settled market',
  };
}

function settledWords({ resolution, newest }: MarketReport): string {
  if (resolution === null) return '';
  const { winner, words } = winnerWords(resolution, newest);
  return winner === null ? words : `${winner} ${words}`;
}

function openWords(report: MarketReport, prices: ReadonlyMap<string, number>): string {
  const known = knownPrices(report, prices).map(({ name, price }) => `${name} ${price}`);
  return known.length === 0 ? 'Open' : `Now ${known.join(', ')}`;
}
