import { alertPath, walletPath } from '../../core/alerts/site-paths.ts';
import type { Statement } from '../../core/alerts/statements/statement-store.ts';
import { FIGURES_FROM_MARKETS, type WalletReport } from '../../core/alerts/wallet-report.ts';
import {
  counted,
  cutText,
  oneLine,
  shortWallet,
  signedDollars,
  walletAddress,
} from '../../core/base/text/formats.ts';
import { TOPICS } from '../../http/views/page-cache.ts';
import { type Html, html } from '../html.ts';
import type { Page } from '../page.ts';
import { alertList, alertRow, marketLink } from '../parts/alert-row.ts';
import { resultBadge, timeTag, tradeOf } from '../parts/labels.ts';
import { reportPagePath } from '../report-query.ts';
import type { ListedAlert } from './home.ts';

/** In code points. */
const NOTE_LENGTH = 300;

interface WalletPageParts {
  readonly rows: readonly ListedAlert[];
  /** What operators stated about the wallet, oldest first. */
  readonly notes: readonly Statement[];
  readonly beforeId: number | undefined;
}

/** The page of a wallet: what published alerts say of it. Search engines leave it out. */
export function walletPage(address: string, report: WalletReport, parts: WalletPageParts): Page {
  const { beforeId, notes } = parts;
  const short = shortWallet(address);
  return {
    title: `Wallet ${short}`,
    description: `What the published alerts say of the wallet ${short}.`,
    path: reportPagePath(walletPath(address), beforeId),
    isIndexed: false,
    topics: beforeId === undefined ? [TOPICS.wallet(address)] : [],
    body: html`<div class="stack">
        <p class="muted small"><a href="/">Alerts</a> · Wallet</p>
        <h1>Wallet ${short}</h1>
        <p><code>${address}</code></p>
        <p class="muted">
          A wallet is not a person: one person can have many, and may bet elsewhere as well.
          <a href="${walletAddress(address)}" rel="nofollow noopener">The wallet on Polymarket</a>
        </p>
        ${notes.map(noteOf)}
        <div id="figures" data-live>${figures(report)}</div>
      </div>
      <div class="columns">
        <section class="stack" aria-labelledby="list-title">${listPart(address, report, parts)}</section>
        <section class="stack" aria-labelledby="clusters-title">${clustersPart(report)}</section>
      </div>`,
  };
}

function noteOf({ at, reason }: Statement): Html {
  return html`<p class="note">A note of the operator, ${timeTag(at)}: ${cutText(oneLine(reason ?? ''), NOTE_LENGTH)}</p>`;
}

function figures({ firstAt, ageDaysAtFirst, total, record }: WalletReport): Html {
  return html`<dl class="figures">
    <div>
      <dt>First alert</dt>
      <dd>${new Date(firstAt).toISOString().slice(0, 10)}</dd>
      <dd>${ageDaysAtFirst === null ? 'as a member of a cluster' : `${counted(ageDaysAtFirst, 'day')} old then`}</dd>
    </div>
    <div>
      <dt>Alerts</dt>
      <dd>${total}</dd>
      <dd>of its own</dd>
    </div>
    ${recordFigures(record)}
  </dl>`;
}

function recordFigures({ markets, positions, figures: known }: WalletReport['record']): Html {
  const settled = `${counted(positions, 'position')} in ${counted(markets, 'settled market')}`;
  if (known === null)
    return html`<div>
      <dt>Results</dt>
      <dd>Too few to say</dd>
      <dd>${settled}; with fewer than ${FIGURES_FROM_MARKETS} markets they may be chance</dd>
    </div>`;
  const { won, lost, winRate, profitUsdc } = known;
  return html`<div>
      <dt>Right</dt>
      <dd>${(winRate * 100).toFixed(0)} %</dd>
      <dd>${settled}: ${won} more right, ${lost} more wrong; each market counts once</dd>
    </div>
    <div>
      <dt>Profit</dt>
      <dd>${signedDollars(profitUsdc)}</dd>
      <dd>if held to the end, before fees; it may have sold earlier</dd>
    </div>`;
}

function listPart(
  address: string,
  { hasMore, alerts }: WalletReport,
  { rows, beforeId }: WalletPageParts,
): Html {
  const path = walletPath(address);
  const last = hasMore ? alerts.at(-1) : undefined;
  const list = rows.map(({ alert, priceNow }) => alertRow(alert, { priceNow }));
  return html`<h2 id="list-title">Its alerts</h2>
    <div id="alerts" data-live>${alertList(list, 'It has no alert of its own: it is a member of clusters.')}
      <p class="pages">
        ${beforeId === undefined ? null : html`<a href="${path}">Newest alerts</a>`}
        ${last === undefined ? null : html`<a href="${reportPagePath(path, last.id)}" rel="next nofollow">Older alerts</a>`}
      </p>
    </div>`;
}

function clustersPart({ clusters: { total, newest } }: WalletReport): Html {
  const title = total > newest.length ? `Clusters: the newest of ${total}` : 'Clusters';
  const list = newest.map(
    (alert) =>
      html`<p><a href="${alertPath(alert.id)}">${tradeOf(alert)}</a></p>
        <p class="muted small">${marketLink(alert)} · ${timeTag(alert.createdAt)} ${resultBadge(alert)}</p>`,
  );
  return html`<h2 id="clusters-title">${title}</h2>
    <div id="clusters" data-live>${alertList(list, 'It is no member of a cluster.')}</div>`;
}
