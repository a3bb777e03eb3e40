import type { Alert, Resolution } from '../../core/alerts/alert.ts';
import { stakeOf } from '../../core/alerts/bet.ts';
import { resultTone, resultWords } from '../../core/alerts/describe-alert.ts';
import type { Exit } from '../../core/alerts/exits/exit.ts';
import { exitWords, positionWords } from '../../core/alerts/exits/exit-words.ts';
import { alertPath } from '../../core/alerts/site-paths.ts';
import { cents, dollars, signedCents, timeSpan, utcMinute } from '../../core/base/text/formats.ts';
import { type EpochMs, HOUR_MS, SECOND_MS } from '../../core/base/time/duration.ts';
import type { AlertReport } from '../alert-report.ts';
import { type Html, html, section } from '../html.ts';
import { timeElement } from '../parts/labels.ts';

interface Happening {
  readonly at: EpochMs;
  /** What stands in place of the time. */
  readonly label?: string;
  readonly words: Html | string;
}

/** Later alerts of the same bet with a line of their own: the newest. */
const LATER_SHOWN = 4;

/** What became of the bet, by time: what a follower could pay, more buys, sales, the price now, the settlement with the result. */
export function sincePart(report: AlertReport): Html {
  const { alert, newest, position } = report;
  const happenings: Happening[] = [
    traded(alert),
    ...followerPrice(report),
    ...laterAlerts(report),
    ...position.exits.map(exitOf),
    ...(newest.resolution === null ? openNow(report) : [settled(report, newest.resolution)]),
  ];
  const lines = happenings.toSorted((a, b) => a.at - b.at).map(lineOf);
  const body = html`<dl class="facts">${lines}</dl>
    <p class="muted small">UTC. Sales on the market only, before fees.</p>`;
  return section('since', 'Since then', body, 'live');
}

/** `now 45¢, +5.0¢ since the bet`: against the mean price of the bet. Null without a price, and once it is settled. */
export function priceNowWords({ newest, priceNow }: AlertReport): string | null {
  if (newest.resolution !== null || priceNow === null) return null;
  return `now ${cents(priceNow)}, ${movedSince(newest, priceNow)}`;
}

/** `alerts 2, 3`, each as a link. */
export function alertLinks(ids: readonly number[]): Html {
  const links = ids.map((id, index) => html`${index > 0 && ', '}<a href="${alertPath(id)}">${id}</a>`);
  return html`${ids.length === 1 ? 'alert' : 'alerts'} ${links}`;
}

function traded({ tradedAt, publishedAt }: Alert): Happening {
  const late = publishedAt - tradedAt;
  return {
    at: tradedAt,
    words: late < SECOND_MS ? 'Traded.' : `Traded, and published ${timeSpan(late)} later.`,
  };
}

function followerPrice({ alert, followerPrice: point, watched, until }: AlertReport): readonly Happening[] {
  if (alert.side === 'SELL') return [];
  if (point !== null) return [{ at: point.at, words: `A follower could pay ${cents(point.price)}.` }];
  const end = alert.publishedAt + HOUR_MS;
  if (watched === null || until < end) return [];
  return [{ at: end, words: 'No order followed in the next hour, so a follower had no price.' }];
}

function laterAlerts({ alert, thread }: AlertReport): readonly Happening[] {
  const later = thread.filter(({ id }) => id > alert.id);
  const before = later.slice(0, -LATER_SHOWN);
  const [first] = before;
  const shown = later.slice(-LATER_SHOWN).map((other) => {
    const { putInUsdc, meanPrice } = stakeOf(other);
    const words = html`Grew to ${dollars(putInUsdc)} at ${cents(meanPrice)}: ${alertLinks([other.id])}`;
    return { at: other.tradedAt, words };
  });
  if (first === undefined) return shown;
  return [{ at: first.tradedAt, words: html`Grew in ${alertLinks(before.map(({ id }) => id))}` }, ...shown];
}

/** Its signs stay with their sums. */
function exitOf(exit: Exit): Happening {
  const sentence = `${exitWords(exit)}.`.replaceAll('−$', '−\u2060$');
  return { at: exit.tradedAt, words: html`${sentence} <span class="muted">Exit ${exit.number}</span>` };
}

/** The price now, and the end that the market states. */
function openNow(report: AlertReport): readonly Happening[] {
  const { newest, watched, priceNow, until } = report;
  const price =
    priceNow === null ? 'No trade since is known' : `${cents(priceNow)}, ${movedSince(newest, priceNow)}`;
  const now = { at: until, label: 'Now', words: `${price}.${unsold(report)}` };
  const endsAt = watched?.endsAt ?? null;
  return endsAt === null ? [now] : [now, { at: endsAt, words: 'The market’s stated end.' }];
}

function settled(report: AlertReport, { payout }: Resolution): Happening {
  const { newest, exit, watched, until } = report;
  const tone = resultTone(newest, exit) ?? 'muted';
  const result = html`<strong class="${tone}">${resultWords(newest, exit)}</strong>`;
  const words = html`Settled at ${cents(payout)}, ${movedSince(newest, payout)}: ${result}.${unsold(report)}`;
  const at = watched?.settledAt ?? null;
  return at === null ? { at: until, label: 'At the end', words } : { at, words };
}

/** What is said of a bet without an exit. */
function unsold({ exit, position }: AlertReport): string {
  return exit === null ? ` ${positionWords(position)}` : '';
}

function movedSince(bet: Alert, price: number): string {
  return `${signedCents(price - stakeOf(bet).meanPrice)} since the bet`;
}

function lineOf({ at, label, words }: Happening): Html {
  return html`<dt>${label ?? timeElement(at, utcMinute(at).slice(0, 16))}</dt><dd>${words}</dd>`;
}
