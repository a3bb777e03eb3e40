import { walletPath } from '../../core/alerts/site-paths.ts';
import type { WalletReport } from '../../core/alerts/wallet-report.ts';
import { capitalised, counted, daysOld, dollars, shortWallet, utcDay } from '../../core/base/text/formats.ts';
import { chainAddress, walletAddress } from '../../core/trades/other-sites.ts';
import { TOPICS } from '../../http/views/page-cache.ts';
import { followedWallet } from '../followed.ts';
import { type Html, html, section } from '../html.ts';
import type { Page } from '../layout.ts';
import { listPath } from '../list-query.ts';
import { alertList, alertRow, type ListedAlert } from '../parts/alert-row.ts';
import { copyButton } from '../parts/copy-button.ts';
import { conclusionLine } from '../parts/figures.ts';
import { type FollowWays, followPanel } from '../parts/follow-panel.ts';
import { type ListedPosition, positionRow } from '../parts/position-row.ts';

interface WalletPageParts {
  readonly positions: readonly ListedPosition[];
  readonly clusters: readonly ListedAlert[];
  readonly conclusion: string | null;
  readonly ways: FollowWays;
}

export function walletPage(address: string, report: WalletReport, parts: WalletPageParts): Page {
  const { positions, conclusion } = parts;
  const short = shortWallet(address);
  const { total } = report.positions;
  const title = total > positions.length ? `Bets: the newest ${positions.length} of ${total}` : 'Bets';
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
          ${followPanel(followedWallet(address), parts.ways)}
        </div>
        <h1>Wallet ${short}</h1>
        <p class="line"><code>${address}</code> ${copyButton(address, 'the address')}
          <a href="${walletAddress(address)}" rel="nofollow noopener">Polymarket profile</a>
          <a href="${chainAddress(address)}" rel="nofollow noopener">Polygonscan</a>
        </p>
      </div>
      <div class="parts" id="report" data-live="list">
        ${section('positions', title, [figuresLine(report), positionsPart(address, report, positions)])}
        ${clustersPart(report, parts.clusters)}
      </div>
      <div class="stack">
        <p class="muted small">A wallet is not a person: one person can have many, and may bet elsewhere as well.</p>
        ${conclusionLine(conclusion)}
      </div>`,
  };
}

function figuresLine({ firstAt, ageDaysAtFirst, record, positions: { newest, total } }: WalletReport): Html {
  const { markets, positions, figures } = record;
  const age = ageDaysAtFirst === null ? null : capitalised(daysOld(ageDaysAtFirst));
  const first = html`<strong>${utcDay(firstAt)}</strong>`;
  const bought = newest.filter(({ newest: { side } }) => side === 'BUY');
  const putIn = bought.reduce((sum, { usdc }) => sum + usdc, 0);
  const where = `in ${total > newest.length ? 'the newest ' : ''}${counted(bought.length, 'bet')}`;
  const settled = counted(positions, 'settled bet');
  return html`<ul class="line" id="figures" data-live>
    <li>${age === null ? html`First alert ${first}, as a member of a cluster` : html`${age} at its first alert, ${first}`}</li>
    ${bought.length === 0 ? null : html`<li><strong>${dollars(putIn)}</strong> put in, ${where}</li>`}
    ${figures === null && positions > 0 ? html`<li>${settled} in ${counted(markets, 'market')}: too few to judge</li>` : null}
    ${
      figures &&
      html`<li><strong>${(figures.winRate * 100).toFixed(0)} %</strong> right: ${settled} in ${counted(markets, 'market')}, ${figures.won} more right, ${figures.lost} more wrong; each market counts once</li>`
    }
  </ul>`;
}

function positionsPart(address: string, { total }: WalletReport, positions: readonly ListedPosition[]): Html {
  if (positions.length === 0)
    return html`<p class="muted">It has no alert of its own: it is a member of clusters.</p>`;
  return html`<ol class="alerts">
      ${positions.map((position) => html`<li>${positionRow(position)}</li>`)}
    </ol>
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
