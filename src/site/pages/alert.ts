import type { Alert } from '../../core/alerts/alert.ts';
import { scoreBandOf, TYPE_NAMES } from '../../core/alerts/alert-names.ts';
import { courseWords } from '../../core/alerts/describe-alert.ts';
import { alertJsonPath, alertPath, cardPath, walletPath } from '../../core/alerts/site-paths.ts';
import { capitalised, counted, daysOld } from '../../core/base/text/formats.ts';
import { marketAddress } from '../../core/trades/other-sites.ts';
import { TOPICS } from '../../http/views/page-cache.ts';
import type { AlertReport } from '../alert-report.ts';
import { followedAlert } from '../followed.ts';
import { type Html, html, section } from '../html.ts';
import type { Page } from '../layout.ts';
import { alertList, alertRow, marketLink } from '../parts/alert-row.ts';
import { followPanel } from '../parts/follow-panel.ts';
import {
  categoryWords,
  type HiddenWallets,
  noteText,
  resultTag,
  timeTag,
  titleOf,
  tradeOf,
  walletLink,
  walletList,
} from '../parts/labels.ts';
import { priceChart } from '../parts/price-chart.ts';
import type { RunningBot } from '../service-report.ts';
import { alertLinks, priceNowWords, sincePart } from './alert-since.ts';

const UNWATCHED = html`<p class="muted">The prices of this market were not recorded.</p>`;

export function alertPage(report: AlertReport, bots: readonly RunningBot[]): Page {
  const { alert, newest, exit, chart } = report;
  const { id, type, score } = alert;
  const course = courseWords(newest, exit);
  const scored = `Score ${score} of 100, ${scoreBandOf(score).word}.${course === null ? '' : ` ${capitalised(course)}.`}`;
  return {
    title: `Alert ${id}: ${titleOf(alert)}`,
    description: `${TYPE_NAMES[type]}: ${tradeOf(alert)}. ${scored}`,
    path: alertPath(id),
    image: { path: cardPath(alert, exit), alt: `${titleOf(alert)}: ${tradeOf(newest)}. ${scored}` },
    // Also what happens to the other bets of its wallet.
    topics: [TOPICS.alerts],
    styles: ['chart.css'],
    body: html`<div class="stack one-alert">
        ${titlePart(report, bots)} ${betPart(report)} ${withdrawalNote(alert)}
      </div>
      <div class="columns">
        <div class="parts">${reasonsPart(report)} ${sincePart(report)}</div>
        <div class="parts">
          ${section('price', 'The price', chart ? priceChart(chart) : UNWATCHED, 'live')} ${othersPart(report)}
        </div>
      </div>
      ${proofPart(alert)}`,
  };
}

function titlePart({ alert, hidden }: AlertReport, bots: readonly RunningBot[]): Html {
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
      ${followPanel(followedAlert(alert, hidden), bots)}
    </div>
    <div class="title">
      <h1>${marketLink(alert)}</h1>
      <a class="out" href="${marketAddress(alert)}" rel="nofollow noopener">Market on Polymarket</a>
    </div>`;
}

/** How strong it is, what was bet, and what became of it. */
function betPart(report: AlertReport): readonly Html[] {
  const { alert, newest, exit, thread } = report;
  const said = [courseWords(newest, exit), priceNowWords(report)].filter((words) => words !== null);
  const earlier = thread.filter(({ id }) => id < alert.id).map(({ id }) => id);
  return [
    html`<p class="lead"><strong>Score ${alert.score}, ${scoreBandOf(alert.score).word}</strong> · ${tradeOf(alert)}.</p>`,
    html`<p id="result" data-live>${resultTag(newest, exit)}${said.map((words) => ` · ${words}`)}</p>`,
    ...(earlier.length === 0 ? [] : [html`<p class="muted small">Same bet as ${alertLinks(earlier)}</p>`]),
  ];
}

function withdrawalNote({ withdrawn }: Alert): Html | null {
  if (withdrawn === null) return null;
  const reason = withdrawn.reason === null ? '' : `: ${noteText(withdrawn.reason)}`;
  return html`<p class="note warn">
    The operator withdrew this alert ${timeTag(withdrawn.at)}${reason}. Its posts are deleted; the alert itself stays, as it
    was published.
  </p>`;
}

function reasonsPart({ alert, hidden }: AlertReport): Html {
  const counted = alert.details.reasons.filter(({ points }) => points !== 0);
  const rows = counted.map(
    ({ points, max, note }) =>
      html`<li>${capitalised(note)} <span class="muted">${points < 0 ? `−${-points}` : points} of ${max}</span></li>`,
  );
  const body = html`<ul class="reasons">${rows}</ul>
    ${membersPart(alert, hidden)}
    <p class="muted small">Points for the pattern. They are not a probability.</p>`;
  return section('reasons', 'Why it is suspicious', body);
}

function membersPart({ type, details: { wallets = [] } }: Alert, hidden: HiddenWallets): Html | null {
  if (type !== 'cluster') return null;
  return html`<details class="more">
    <summary>The ${counted(wallets.length, 'wallet')} of the cluster</summary>
    ${walletList(wallets, hidden)}
  </details>`;
}

function othersPart({ alert: { wallet }, others }: AlertReport): Html | null {
  if (others === null) return null;
  const rows = others.map((row) => alertRow(row));
  const body = html`${alertList(rows, 'No alert names another bet of this wallet.')}
    <p class="small"><a href="${walletPath(wallet)}">All bets of this wallet</a></p>`;
  return section('others', 'The wallet’s other bets, losses first', body, 'live');
}

/** What an alert is not, and how it can be checked. */
function proofPart({ id, log }: Alert): Html {
  return html`<div class="stack muted small">
    <p>
      Not proof, not a forecast, not advice: most such wallets belong to new users. <a href="/about">What an alert means</a> ·
      <a href="/record">How often alerts were right</a>
    </p>
    <p>
      Entry ${log.seq} of <a href="/log">the log</a>, hash <code>${log.hash}</code> ·
      <a href="${alertJsonPath(id)}" rel="nofollow">JSON</a>
    </p>
  </div>`;
}
