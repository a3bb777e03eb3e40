import type { Alert } from '../../core/alerts/alert.ts';
import type { PriceChart } from '../../core/alerts/charts/price-chart.ts';
import { resultWords } from '../../core/alerts/describe-alert.ts';
import type { ThreadExits } from '../../core/alerts/exits/exit-reader.ts';
import { exitWords, positionWords } from '../../core/alerts/exits/exit-words.ts';
import { alertPath, cardPath, marketPath } from '../../core/alerts/site-paths.ts';
import type { Statement } from '../../core/alerts/statements/statement-store.ts';
import { capitalised, cents, marketAddress, signedCents, timeSpan } from '../../core/base/text/formats.ts';
import type { FreeFollower } from '../../core/record/follower-result.ts';
import { TOPICS } from '../../http/views/page-cache.ts';
import { followedAlert } from '../followed.ts';
import { type Html, html, section } from '../html.ts';
import type { Page } from '../layout.ts';
import { alertList, alertRow, marketLink } from '../parts/alert-row.ts';
import { figureTiles } from '../parts/figures.ts';
import { type FollowWays, followPanel } from '../parts/follow-panel.ts';
import {
  categoryWords,
  type HiddenWallets,
  noteText,
  resultBadge,
  TYPE_WORDS,
  timeTag,
  titleOf,
  tradeOf,
} from '../parts/labels.ts';
import { priceChart } from '../parts/price-chart.ts';
import { clocksPart, factsPart, logPart, meaningPart, membersPart, reasonsPart } from './alert-facts.ts';

interface AlertPageParts {
  readonly thread: readonly Alert[];
  readonly hidden: HiddenWallets;
  readonly withdrawal: Statement | null;
  /** Null where the market is not observed. */
  readonly chart: PriceChart | null;
  readonly priceNow: number | null;
  readonly position: ThreadExits;
  readonly follower: FreeFollower | null;
  readonly ways: FollowWays;
}

const UNOBSERVED = html`<p class="muted">The prices of this market were not recorded.</p>`;

export function alertPage(alert: Alert, parts: AlertPageParts): Page {
  const { id, type, category, createdAt, marketId, score } = alert;
  const { hidden, withdrawal, follower, chart, ways } = parts;
  const trade = tradeOf(alert);
  return {
    title: `Alert ${id}: ${titleOf(alert)}`,
    description: `${TYPE_WORDS[type]}: ${trade}. Score ${score} of 100.`,
    path: alertPath(id),
    image: cardPath(alert),
    topics: [TOPICS.market(marketId)],
    scripts: ['chart.js', 'copy.js'],
    body: html`<div class="stack">
        <div class="crumbs">
          <p class="muted small">
            <a href="/">Alerts</a> · Alert ${id} · ${TYPE_WORDS[type]} · ${categoryWords(category)} ·
            ${timeTag(createdAt)}
          </p>
          ${followPanel(followedAlert(alert, hidden), ways)}
        </div>
        <h1>${marketLink(alert)}</h1>
        <p class="lead">${trade}.</p>
        ${withdrawalNote(withdrawal)}
        <div id="figures" data-live>${figures(alert, parts.priceNow)}</div>
      </div>
      <div class="columns">
        <div class="parts">
          ${reasonsPart(alert)} ${section('price', 'The price', chart ? priceChart(chart) : UNOBSERVED, 'live')}
          ${section('position', 'What became of the position', positionOf(parts.position), 'live')}
          ${section('result', 'The result', resultOf(alert, follower), 'live')}
          ${section('thread', 'The same position', threadOf(alert, parts), 'live')}
        </div>
        <div class="parts">
          ${factsPart(alert, hidden)} ${membersPart(alert, hidden)} ${clocksPart(alert)} ${logPart(alert, ways.publicUrl)}
        </div>
      </div>
      ${meaningPart()}
      <p>${waysOn(alert)}</p>`,
  };
}

function withdrawalNote(withdrawal: Statement | null): Html | null {
  if (withdrawal === null) return null;
  const reason = withdrawal.reason === null ? '' : `: ${noteText(withdrawal.reason)}`;
  return html`<p class="note warn">
    The operator withdrew the posts of this alert from the channels ${timeTag(withdrawal.at)}${reason}. The alert itself
    stays, as it was published.
  </p>`;
}

function figures(alert: Alert, priceNow: number | null): Html {
  const { score, entryPrice, resolution } = alert;
  const moved = priceNow === null ? null : signedCents(priceNow - entryPrice);
  const isOpen = resolution === null;
  return figureTiles([
    { name: 'Score', value: score, note: 'of 100' },
    { name: 'Price then', value: cents(entryPrice), note: 'of the order' },
    {
      name: isOpen ? 'Price now' : 'Paid',
      value: priceNow === null ? '–' : cents(priceNow),
      note: moved === null ? 'no order since is known' : `${moved} since`,
    },
    {
      name: 'Result',
      value: resultBadge(alert),
      note: isOpen ? 'until the market is settled' : 'at the settlement',
    },
  ]);
}

function threadOf(alert: Alert, { thread }: AlertPageParts): Html {
  if (thread.length < 2) return html`<p class="muted">This is its only alert.</p>`;
  const rows = thread.map((other) =>
    other.id === alert.id
      ? html`<p><strong>This alert</strong>: ${tradeOf(alert)}</p>`
      : alertRow({ alert: other, priceNow: null }, { isOfMarket: true }),
  );
  return html`<p class="muted">Later alerts add to the same position: they are one bet, not several. Oldest first.</p>
    ${alertList(rows)}`;
}

/** Each exit in a sentence; without one what is known of the position. */
function positionOf(position: ThreadExits): Html {
  if (position.exits.length === 0) return html`<p>${positionWords(position)}</p>`;
  const sentences = position.exits.map(
    (exit) =>
      html`<p>${exitWords(exit)}. <span class="muted small">Exit ${exit.number} · ${timeTag(exit.tradedAt)}</span></p>`,
  );
  return html`${sentences}
    <p class="muted">Only trades on the market are seen: no merges, redemptions or transfers. Profits are before fees.</p>`;
}

function waysOn({ id, eventSlug }: Alert): Html {
  const market = html`<a href="${marketAddress(eventSlug)}" rel="nofollow noopener">The market on Polymarket</a> · `;
  return html`${marketPath(eventSlug) === null ? null : market}<a href="/api/v1/alerts/${id}" rel="nofollow">This alert as JSON</a> (with a key) ·
    <a href="/developers">How to get a key</a>`;
}

function resultOf(alert: Alert, follower: FreeFollower | null): Html {
  const words = resultWords(alert);
  const result =
    words === null
      ? html`<p>The market is not settled yet.</p>`
      : html`<p>${resultBadge(alert)} ${capitalised(words)}.</p>
          <p class="muted">
            Profit if held to the end: payout minus price, before fees. The wallet itself may have sold earlier.
          </p>`;
  return html`${result} ${follower && html`<p>${followerWords(follower, words !== null)}</p>`}`;
}

/** A follower as the record measures one: docs/method.md. */
function followerWords(
  { state, filledAt, price, fee, result, publicAt }: FreeFollower,
  isSettled: boolean,
): string {
  const bought =
    price === null || filledAt === null
      ? ''
      : `A reader who followed this page could have bought at ${cents(price)}, ${timeSpan(filledAt - publicAt)} after ` +
        'the alert appeared here: the first such buy from the second minute on.';
  switch (state) {
    case 'settled':
      return `${bought} Result: ${signedCents(result ?? 0)} a share, after a fee of ${cents(fee ?? 0)}.`;
    case 'settlement':
      return isSettled
        ? `${bought} The result follows in some minutes.`
        : `${bought} The result is known when the market is settled.`;
    case 'fee_unknown':
      return `${bought} The fee of this market is not known, so no result is stated.`;
    case 'not_fillable':
      return 'In the hour after the alert appeared here this outcome was not bought again: there is no price that a reader could have paid.';
    case 'waiting':
      return 'What a reader of this page could have paid is known an hour after the alert appeared here.';
    case 'unobserved':
      return 'The prices of the hour after the alert appeared here were not recorded: nothing can be said of readers who followed it.';
  }
}
