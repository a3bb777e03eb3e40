import type { Alert } from '../../core/alerts/alert.ts';
import { scoreBandOf, TYPE_NAMES } from '../../core/alerts/alert-names.ts';
import { isOrderAlone, stakeOf } from '../../core/alerts/bet.ts';
import { describeStake, resultTone, resultWords } from '../../core/alerts/describe-alert.ts';
import { alertPath, cardPath } from '../../core/alerts/site-paths.ts';
import { cents, counted, daysOld, signedCents, utcDay } from '../../core/base/text/formats.ts';
import { marketAddress } from '../../core/trades/other-sites.ts';
import { TOPICS } from '../../http/views/page-cache.ts';
import type { AlertReport } from '../alert-report.ts';
import { followedAlert } from '../followed.ts';
import { type Html, html, section } from '../html.ts';
import type { Page } from '../layout.ts';
import { marketLink } from '../parts/alert-row.ts';
import { figureTiles, type Tile } from '../parts/figures.ts';
import { type FollowWays, followPanel } from '../parts/follow-panel.ts';
import {
  categoryWords,
  noteText,
  resultWord,
  timeTag,
  titleOf,
  tradeOf,
  walletLink,
} from '../parts/labels.ts';
import { priceChart } from '../parts/price-chart.ts';
import {
  detailsPart,
  exitSentence,
  exitsPart,
  meaningPart,
  positionPart,
  reasonsPart,
} from './alert-facts.ts';
import { othersPart, threadPart } from './alert-lists.ts';

const UNOBSERVED = html`<p class="muted">The prices of this market were not recorded.</p>`;

export function alertPage(report: AlertReport, ways: FollowWays): Page {
  const { alert, newest, chart } = report;
  const { id, type, score } = alert;
  const trade = tradeOf(alert);
  return {
    title: `Alert ${id}: ${titleOf(alert)}`,
    description: `${TYPE_NAMES[type]}: ${trade}. Score ${score} of 100, ${scoreBandOf(score).word}.`,
    path: alertPath(id),
    image: {
      path: cardPath(alert),
      alt: `${titleOf(alert)}: ${tradeOf(newest)}. Score ${score} of 100, ${scoreBandOf(score).word}.`,
    },
    // Also what happens to the other positions of its wallet.
    topics: [TOPICS.alerts],
    body: html`<div class="stack one-alert">
        ${titlePart(report, ways)}
        <p class="lead">${trade}.</p>
        <div class="stack" id="result" data-live>${resultPart(report)}</div>
        ${withdrawalNote(alert)}
      </div>
      <div class="columns">
        <div class="parts">
          ${reasonsPart(alert)} ${section('price', 'The price', chart ? priceChart(chart) : UNOBSERVED, 'live')}
        </div>
        <div class="parts">${positionPart(report)} ${exitsPart(report)}</div>
      </div>
      <div class="parts" id="others" data-live>${threadPart(report)} ${othersPart(report)}</div>
      <div class="stack">${detailsPart(alert, ways.publicUrl)} ${meaningPart(alert)}</div>`,
  };
}

function titlePart({ alert, hidden }: AlertReport, ways: FollowWays): Html {
  const { id, type, category, createdAt, wallet, details } = alert;
  const by =
    type === 'cluster'
      ? counted(details.wallets?.length ?? 0, 'wallet')
      : html`${walletLink(wallet, hidden)}, ${daysOld(details.walletAgeDays)}`;
  return html`<div class="crumbs">
      <p class="muted small">
        <a href="/">Alerts</a> · Alert ${id} · ${TYPE_NAMES[type]} · ${categoryWords(category)} · ${by} ·
        ${timeTag(createdAt)}
      </p>
      ${followPanel(followedAlert(alert, hidden), ways)}
    </div>
    <div class="title">
      <h1>${marketLink(alert)}</h1>
      <a class="out" href="${marketAddress(alert)}" rel="nofollow noopener">Market on Polymarket</a>
    </div>`;
}

function resultPart(report: AlertReport): Html {
  const { alert, newest, exit } = report;
  return html`${exit && html`<p><strong>${exitSentence(exit)}</strong></p>`} ${figureTiles(figuresOf(report))}
    ${newest.id > alert.id && html`<p>It grew to ${describeStake(newest)}: <a href="${alertPath(newest.id)}">alert ${newest.id}</a>.</p>`}`;
}

/** Of the bet as its newest alert states it. */
function figuresOf(report: AlertReport): readonly Tile[] {
  const { alert, newest, exit, priceNow } = report;
  const isOpen = newest.resolution === null;
  const isBuy = newest.side === 'BUY';
  const { meanPrice } = stakeOf(newest);
  const moved = priceNow === null ? null : signedCents(priceNow - meanPrice);
  return [
    {
      name: 'Result',
      value: resultWord(newest),
      tone: resultTone(newest, exit),
      note: resultWords(newest, exit) ?? endOf(report),
    },
    {
      name: isBuy ? 'Bought at' : 'Sold at',
      value: cents(meanPrice),
      note: isOrderAlone(newest) ? 'price of the order' : 'on average',
    },
    {
      name: isOpen ? 'Price now' : 'Settled at',
      value: priceNow === null ? '–' : cents(priceNow),
      note: moved === null ? 'no order since is known' : `${moved} ${isOpen ? 'since' : 'a share'}`,
    },
    { name: 'Score', value: alert.score, note: `of 100, ${scoreBandOf(alert.score).word}` },
  ];
}

function endOf({ observed, until }: AlertReport): Html {
  const endsAt = observed?.endsAt ?? null;
  if (endsAt === null) return html`until the market is settled`;
  const day = html`<time datetime="${new Date(endsAt).toISOString()}">${utcDay(endsAt)}</time>`;
  return endsAt > until ? html`market ends ${day}` : html`market ended ${day}`;
}

function withdrawalNote({ withdrawn }: Alert): Html | null {
  if (withdrawn === null) return null;
  const reason = withdrawn.reason === null ? '' : `: ${noteText(withdrawn.reason)}`;
  return html`<p class="note warn">
    The operator withdrew this alert ${timeTag(withdrawn.at)}${reason}. Its posts are deleted; the alert itself stays, as it
    was published.
  </p>`;
}
