import { alertPath } from '../../core/alerts/site-paths.ts';
import { cents, dollars, shortWallet, utcDay, utcMinute } from '../../core/base/text/formats.ts';
import type { BuysAround, LargeBuy } from '../../core/record/observations/largest-buys.ts';
import { type OutcomeSide, outcomeSideOf } from '../../core/record/observations/observation-store.ts';
import { walletAddress } from '../../core/trades/other-sites.ts';
import type { AlertMoment, MarketLine } from '../alert-prices.ts';
import { type Html, html } from '../html.ts';
import { type HiddenWallets, outcomeName, walletLink } from './labels.ts';

interface BuysContext {
  readonly observed: MarketLine;
  readonly nameOf: (side: OutcomeSide) => string;
  readonly hidden: HiddenWallets;
  /** Wallets that have a page. */
  readonly known: ReadonlySet<string>;
}

/** The largest buys around some alerts. The alerts' own orders are marked as such. */
export function buysList({ moments, buys }: BuysAround<AlertMoment>, context: BuysContext): Html {
  const first = moments[0]?.alert.tradedAt ?? 0;
  const links = moments.map(
    ({ alert: { id } }, index) => html`${index > 0 && ', '}<a href="${alertPath(id)}">${id}</a>`,
  );
  return html`<div>
    <h3>Around ${moments.length === 1 ? 'alert' : 'alerts'} ${links} <span class="muted small">${utcDay(first)}</span></h3>
    <ul class="buys">${buys.map((buy) => buyRow(buy, moments, context))}</ul>
  </div>`;
}

function buyRow(buy: LargeBuy, moments: readonly AlertMoment[], context: BuysContext): Html {
  const { usdc, outcome, price } = buy;
  const at = context.observed.times.toPublished(buy.at);
  const own = moments.find((moment) => isOwn(buy, moment, context))?.alert;
  const what = own === undefined ? buy.isFresh && 'new wallet' : `alert ${own.id}`;
  return html`<li><time>${utcMinute(at).slice(11, 16)}</time> <strong>${dollars(usdc)}</strong> on
    <bdi>${outcomeName(context.nameOf(outcome))}</bdi> at ${cents(price)} · ${buyer(buy.wallet, context)}${what && html` <span class="muted">${what}</span>`}</li>`;
}

function isOwn({ at, wallet, outcome }: LargeBuy, moment: AlertMoment, { observed }: BuysContext): boolean {
  const { alert } = moment;
  return moment.at === at && alert.wallet === wallet && outcomeSideOf(alert, observed.market) === outcome;
}

function buyer(wallet: string, { hidden, known }: BuysContext): Html {
  if (known.has(wallet) || hidden.has(wallet)) return walletLink(wallet, hidden);
  return html`<a href="${walletAddress(wallet)}" rel="nofollow"><code>${shortWallet(wallet)}</code></a>`;
}
