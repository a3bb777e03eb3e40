import { betOf, isRight, putInOf } from '../../core/alerts/bet.ts';
import { walletPath } from '../../core/alerts/site-paths.ts';
import { FIGURES_FROM_MARKETS, type WalletReport } from '../../core/alerts/wallet-report.ts';
import {
  capitalised,
  counted,
  daysOld,
  dollars,
  shortWallet,
  signedDollars,
  utcDay,
} from '../../core/base/text/formats.ts';
import { chainAddress, walletAddress } from '../../core/trades/other-sites.ts';
import { TOPICS } from '../../http/views/page-cache.ts';
import { followedWallet } from '../followed.ts';
import { type Html, html, section } from '../html.ts';
import type { Page } from '../layout.ts';
import { listPath } from '../list-query.ts';
import { alertList, alertRow, type ListedAlert } from '../parts/alert-row.ts';
import { followPanel } from '../parts/follow-panel.ts';
import type { RunningBot } from '../service-report.ts';

interface WalletPageParts {
  /** Losses first. */
  readonly bets: readonly ListedAlert[];
  readonly clusters: readonly ListedAlert[];
  /** What the record says of all alerts; null while it cannot be read. */
  readonly conclusion: string;
  readonly bots: readonly RunningBot[];
}

export function walletPage(address: string, report: WalletReport, parts: WalletPageParts): Page {
  const { bets, clusters, conclusion, bots } = parts;
  const short = shortWallet(address);
  const { total, newest } = report.positions;
  const which = total > newest.length ? `the newest ${newest.length} of ${total}, ` : '';
  return {
    title: `Wallet ${short}`,
    description: `What the published alerts say about the wallet ${short}.`,
    path: walletPath(address),
    isIndexed: false,
    // Also the settlements of its markets.
    topics: [TOPICS.alerts],
    body: html`<div class="stack">
        <div class="crumbs">
          <p class="muted small"><a href="/">Alerts</a></p>
          ${followPanel(followedWallet(address), bots)}
        </div>
        <h1>Wallet ${short}</h1>
        <p class="line"><code class="copy">${address}</code>
          <a href="${walletAddress(address)}" rel="nofollow noopener">Polymarket profile</a>
          <a href="${chainAddress(address)}" rel="nofollow noopener">Polygonscan</a>
        </p>
        ${figuresLine(report, bets)}
      </div>
      <div class="parts" id="report" data-live="list">
        ${section('bets', `Bets, ${which}losses first`, betsPart(address, report, bets))}
        ${clustersPart(report, clusters)}
      </div>
      <div class="stack prose muted small">
        <p>A wallet is not a person: one person can have many, and may bet elsewhere as well.</p>
        <p>Of all alerts: ${conclusion} <a href="/record">The record</a></p>
      </div>`,
  };
}

/** The sums of the bets that are listed. */
function figuresLine({ firstAt, ageDaysAtFirst }: WalletReport, bets: readonly ListedAlert[]): Html {
  const age = ageDaysAtFirst === null ? null : capitalised(daysOld(ageDaysAtFirst));
  const first = html`<strong>${utcDay(firstAt)}</strong>`;
  const bought = bets.filter(({ alert }) => alert.side === 'BUY');
  const putIn = sumOf(bought.map(({ alert }) => putInOf(alert)));
  const settled = bets.filter(({ alert }) => alert.resolution !== null);
  return html`<ul class="line" id="figures" data-live>
    <li>${age === null ? html`First alert ${first}, as a member of a cluster` : html`${age} at its first alert, ${first}`}</li>
    ${bought.length === 0 ? null : html`<li><strong>${dollars(putIn)}</strong> put in, in ${counted(bought.length, 'bet')}</li>`}
    ${settled.length === 0 ? null : html`<li>${resultsOf(settled)}</li>`}
  </ul>`;
}

function resultsOf(settled: readonly ListedAlert[]): Html {
  const right = settled.filter(({ alert }) => isRight(alert)).length;
  const results = settled.map(({ alert, exit }) => betOf(alert, exit));
  const sum = signedDollars(sumOf(results.map(({ resultUsdc }) => resultUsdc ?? 0)));
  const held = results.some(({ heldShare }) => heldShare === null) ? 'if held' : 'on what was held';
  const count = counted(settled.length, 'settled bet');
  const judged = settled.length < FIGURES_FROM_MARKETS ? ': too few to judge' : '';
  return html`${count}: <strong>${right} right, ${settled.length - right} wrong</strong>, ${sum} ${held}${judged}`;
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, usdc) => sum + usdc, 0);
}

function betsPart(address: string, { total }: WalletReport, bets: readonly ListedAlert[]): Html {
  if (bets.length === 0)
    return html`<p class="muted">It has no alert of its own: it is a member of clusters.</p>`;
  const rows = bets.map((bet) => alertRow(bet));
  return html`${alertList(rows)}
    <p class="muted small">
      As of the newest alerts, before fees. <a href="${listPath({ wallet: address })}#list" rel="nofollow">${total === 1 ? 'Its alert' : `All ${counted(total, 'alert')}`}</a>
    </p>`;
}

function clustersPart({ clusters: { total } }: WalletReport, clusters: readonly ListedAlert[]): Html | null {
  if (total === 0) return null;
  const title = total > clusters.length ? `Clusters: the newest of ${total}` : 'Clusters';
  const list = clusters.map((row) => alertRow(row, { idPrefix: 'cluster' }));
  return section('clusters', title, alertList(list));
}
