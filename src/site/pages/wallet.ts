import { walletPath } from '../../core/alerts/site-paths.ts';
import type { Statement } from '../../core/alerts/statements/statement-store.ts';
import { FIGURES_FROM_MARKETS, type WalletReport } from '../../core/alerts/wallet-report.ts';
import { counted, shortWallet, signedDollars, walletAddress } from '../../core/base/text/formats.ts';
import type { EpochMs } from '../../core/base/time/duration.ts';
import { TOPICS } from '../../http/views/page-cache.ts';
import { type Html, html, section } from '../html.ts';
import type { Page } from '../layout.ts';
import { type ReportPageQuery, reportPath } from '../list-query.ts';
import { alertDays } from '../parts/alert-days.ts';
import { alertList, alertPages, alertRow, type ListedAlert } from '../parts/alert-row.ts';
import { conclusionLine, figureTiles, type Tile } from '../parts/figures.ts';
import { noteText, timeTag } from '../parts/labels.ts';

interface WalletPageParts {
  readonly now: EpochMs;
  readonly rows: readonly ListedAlert[];
  readonly notes: readonly Statement[];
  readonly conclusion: string | null;
  readonly query: ReportPageQuery;
}

export function walletPage(address: string, report: WalletReport, parts: WalletPageParts): Page {
  const { query, notes } = parts;
  const short = shortWallet(address);
  return {
    title: `Wallet ${short}`,
    description: `What the published alerts say of the wallet ${short}.`,
    path: reportPath(walletPath(address), query),
    isIndexed: false,
    topics: query.before_id === undefined ? [TOPICS.wallet(address)] : [],
    body: html`<div class="stack">
        <p class="muted small"><a href="/">Alerts</a> · Wallet</p>
        <h1>Wallet ${short}</h1>
        <p><code>${address}</code></p>
        <p class="muted">
          A wallet is not a person: one person can have many, and may bet elsewhere as well.
          <a href="${walletAddress(address)}" rel="nofollow noopener">The wallet on Polymarket</a>
        </p>
        ${notes.map(({ at, reason }) => html`<p class="note">A note of the operator, ${timeTag(at)}: ${noteText(reason)}</p>`)}
        <div id="figures" class="stack" data-live>${figureTiles(tilesOf(report))} ${conclusionLine(parts.conclusion)}</div>
      </div>
      <div class="columns">
        ${section('list', 'Its alerts', listPart(walletPath(address), report, parts))}
        ${clustersPart(report)}
      </div>`,
  };
}

function tilesOf({ firstAt, ageDaysAtFirst, total, record }: WalletReport): readonly Tile[] {
  const { markets, positions, figures } = record;
  const known = [
    {
      name: 'First alert',
      value: new Date(firstAt).toISOString().slice(0, 10),
      note:
        ageDaysAtFirst === null ? 'as a member of a cluster' : `${counted(ageDaysAtFirst, 'day')} old then`,
    },
    { name: 'Alerts', value: total, note: 'of its own' },
  ];
  const settled = `${counted(positions, 'position')} in ${counted(markets, 'settled market')}`;
  if (figures === null) {
    const note = `${settled}; with fewer than ${FIGURES_FROM_MARKETS} markets they may be chance`;
    return [...known, { name: 'Results', value: 'Too few to say', note }];
  }
  const { won, lost, winRate, profitUsdc } = figures;
  return [
    ...known,
    {
      name: 'Right',
      value: `${(winRate * 100).toFixed(0)} %`,
      note: `${settled}: ${won} more right, ${lost} more wrong; each market counts once`,
    },
    {
      name: 'Profit',
      value: signedDollars(profitUsdc),
      note: 'if held to the end, before fees; it may have sold earlier',
    },
  ];
}

function listPart(path: string, { hasMore, alerts }: WalletReport, parts: WalletPageParts): Html {
  const { rows, now, query } = parts;
  const none = 'It has no alert of its own: it is a member of clusters.';
  const last = hasMore ? alerts.at(-1) : undefined;
  return alertPages(alertDays(rows, { now, none }), {
    newest: query.before_id === undefined ? null : path,
    older: last === undefined ? null : reportPath(path, { before_id: last.id }),
  });
}

function clustersPart({ clusters: { total, newest } }: WalletReport): Html {
  const title = total > newest.length ? `Clusters: the newest of ${total}` : 'Clusters';
  const list = newest.map((alert) => alertRow({ alert, priceNow: null }, { idPrefix: 'cluster' }));
  return section('clusters', title, alertList(list, 'It is not in a cluster.'), 'live');
}
