import type { MarketReport, MarketThread } from '../../core/alerts/market-report.ts';
import { alertPath } from '../../core/alerts/site-paths.ts';
import { cents, dollars } from '../../core/base/text/formats.ts';
import { outcomeNamed } from '../../core/trades/outcome-named.ts';
import { type Html, html } from '../html.ts';
import { outcomeName } from '../parts/outcome-name.ts';
import { tableOf } from '../parts/table.ts';
import { type HiddenWallets, walletLink } from '../parts/wallet-link.ts';

const OUTCOMES_SHOWN = 10;
const THREADS_SHOWN = 10;
const WALLETS_SHOWN = 10;

const number = (name: string) => ({ name, isNumber: true });

/** The outcomes with alerts, and what those of a settled market paid. */
export function outcomesTable({ outcomes, resolution }: MarketReport): Html {
  const payout = (outcome: string) => {
    const paid = resolution?.payouts[outcomeNamed(resolution.outcomes, outcome)];
    return paid === undefined ? '–' : cents(paid);
  };
  const columns = [{ name: 'Outcome' }, ...['Paid', 'Alerts', 'Orders'].map(number)];
  const rows = outcomes
    .slice(0, OUTCOMES_SHOWN)
    .map(({ outcome, alerts, usdc }) => [
      html`<bdi>${outcomeName(outcome)}</bdi>`,
      ...[payout(outcome), `${alerts}`, dollars(usdc)],
    ]);
  return part('outcomes', 'Outcomes', tableOf({ name: 'Alerts by outcome', columns, rows }));
}

/** The newest positions: one wallet, or the clusters, on one outcome. */
export function threadsTable({ threads }: MarketReport, hidden: HiddenWallets): Html {
  const columns = ['Who', 'What', 'Newest'].map((name) => ({ name }));
  const rows = threads.newest.slice(0, THREADS_SHOWN).map((thread) => threadRow(thread, hidden));
  const title = threads.total > rows.length ? `Positions: the newest of ${threads.total}` : 'Positions';
  return part('positions', title, tableOf({ name: 'Newest positions', columns, rows }));
}

function threadRow({ wallet, side, outcome, prices }: MarketThread, hidden: HiddenWallets) {
  const [newest] = prices;
  return [
    wallet === null ? 'New wallets together' : walletLink(wallet, hidden),
    html`${side === 'BUY' ? 'bought' : 'sold'} <bdi>${outcomeName(outcome)}</bdi>`,
    newest === undefined ? '–' : html`<a href="${alertPath(newest.id)}">alert ${newest.id}</a>`,
  ];
}

/** The wallets with the largest orders. */
export function walletsTable({ wallets }: MarketReport, hidden: HiddenWallets): Html {
  const columns = [{ name: 'Wallet' }, ...['Alerts', 'Orders'].map(number)];
  const rows = wallets.largest
    .slice(0, WALLETS_SHOWN)
    .map(({ wallet, alerts, usdc }) => [
      walletLink(wallet, hidden),
      `${alerts}`,
      alerts === 0 ? 'in a cluster' : dollars(usdc),
    ]);
  const title = wallets.total > rows.length ? `Wallets: the largest of ${wallets.total}` : 'Wallets';
  return part('wallets', title, tableOf({ name: 'Largest wallets', columns, rows }));
}

function part(id: string, title: string, table: Html): Html {
  return html`<section class="stack" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    ${table}
  </section>`;
}
