import { chartAlert } from '../../core/alerts/charts/price-chart.ts';
import { resultWords } from '../../core/alerts/describe-alert.ts';
import { standingExits } from '../../core/alerts/exits/exit-reader.ts';
import { alertPath, cardPath } from '../../core/alerts/site-paths.ts';
import type { Statement } from '../../core/alerts/statements/statement-store.ts';
import { capitalised, cents, counted, daysOld, signedCents, utcDay } from '../../core/base/text/formats.ts';
import { marketAddress } from '../../core/trades/other-sites.ts';
import { TOPICS } from '../../http/views/page-cache.ts';
import type { AlertReport } from '../alert-report.ts';
import { followedAlert } from '../followed.ts';
import { type Html, html, section } from '../html.ts';
import type { Page } from '../layout.ts';
import { marketLink, newsLine } from '../parts/alert-row.ts';
import { figureTiles, type Tile } from '../parts/figures.ts';
import { type FollowWays, followPanel } from '../parts/follow-panel.ts';
import {
  categoryWords,
  noteText,
  TYPE_WORDS,
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
  followerPart,
  meaningPart,
  positionPart,
  reasonsPart,
} from './alert-facts.ts';
import { othersPart, threadPart } from './alert-lists.ts';

const UNOBSERVED = html`<p class="muted">The prices of this market were not recorded.</p>`;

export function alertPage(report: AlertReport, ways: FollowWays): Page {
  const { alert, chart, withdrawal } = report;
  const { id, type, score } = alert;
  const trade = tradeOf(alert);
  return {
    title: `Alert ${id}: ${titleOf(alert)}`,
    description: `${TYPE_WORDS[type]}: ${trade}. Score ${score} of 100.`,
    path: alertPath(id),
    image: { path: cardPath(alert), alt: `${titleOf(alert)}: ${trade}. Score ${score} of 100.` },
    // Also what happens to the other positions of its wallet.
    topics: [TOPICS.alerts],
    body: html`<div class="stack one-alert">
        ${titlePart(report, ways)}
        <p class="lead">${trade}.</p>
        <div class="stack" id="result" data-live>${resultPart(report)}</div>
        ${withdrawalNote(withdrawal)}
      </div>
      <div class="columns">
        <div class="parts">
          ${reasonsPart(alert)} ${section('price', 'The price', chart ? priceChart(chart) : UNOBSERVED, 'live')}
        </div>
        <div class="parts">${positionPart(report)} ${exitsPart(report)} ${followerPart(report)}</div>
      </div>
      <div class="parts" id="others" data-live>${threadPart(report)} ${othersPart(report)}</div>
      <div class="stack">${detailsPart(alert, ways.publicUrl)} ${meaningPart(alert)}</div>
      ${newsLine('alert', 'edge')}`,
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
        <a href="/">Alerts</a> · Alert ${id} · ${TYPE_WORDS[type]} · ${categoryWords(category)} · ${by} ·
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
  const { alert, thread, position } = report;
  const exit = standingExits(position.exits).at(-1);
  const newest = thread.at(-1)?.id ?? alert.id;
  return html`${figureTiles(figuresOf(report))} ${exit && html`<p><strong>${exitSentence(exit)}</strong></p>`}
    ${newest > alert.id && html`<p>The position grew later: <a href="${alertPath(newest)}">alert ${newest}</a> has all of it.</p>`}`;
}

function figuresOf(report: AlertReport): readonly Tile[] {
  const { alert, priceNow } = report;
  const { score, side, type, entryPrice, resolution, details } = alert;
  const isOpen = resolution === null;
  const words = resultWords(alert);
  const { result } = chartAlert(alert);
  const isBuy = side === 'BUY';
  const several = details.marketBuyCount > 1 ? details.marketAvgPrice : null;
  const mean = type === 'cluster' ? (details.clusterAvgPrice ?? null) : several;
  const moved = priceNow === null ? null : signedCents(priceNow - entryPrice);
  return [
    {
      name: 'Result',
      value: capitalised(result),
      tone: result === 'open' ? null : result,
      note: words === null ? endOf(report) : `${words} if held`,
    },
    {
      name: isBuy ? 'Bought at' : 'Sold at',
      value: cents(entryPrice),
      note: isBuy && mean !== null ? `last order; ${cents(mean)} on average` : 'price of the order',
    },
    {
      name: isOpen ? 'Price now' : 'Settlement paid',
      value: priceNow === null ? '–' : cents(priceNow),
      note: moved === null ? 'no order since is known' : `${moved} ${isOpen ? 'since' : 'a share'}`,
    },
    { name: 'Score', value: score, note: 'of 100' },
  ];
}

function endOf({ observed, until }: AlertReport): Html {
  const endsAt = observed?.endsAt ?? null;
  if (endsAt === null) return html`until the market is settled`;
  const day = html`<time datetime="${new Date(endsAt).toISOString()}">${utcDay(endsAt)}</time>`;
  return endsAt > until ? html`market ends ${day}` : html`market ended ${day}`;
}

function withdrawalNote(withdrawal: Statement | null): Html | null {
  if (withdrawal === null) return null;
  const reason = withdrawal.reason === null ? '' : `: ${noteText(withdrawal.reason)}`;
  return html`<p class="note warn">
    The operator withdrew the posts of this alert from the channels ${timeTag(withdrawal.at)}${reason}. The alert itself
    stays, as it was published.
  </p>`;
}
