import { walletPath } from '../../core/alerts/site-paths.ts';
import { counted, shortWallet } from '../../core/base/text/formats.ts';
import { type Html, html } from '../html.ts';

/** Wallets whose address is not shown. */
export type HiddenWallets = ReadonlySet<string>;

/** The short address of a wallet with a link to its page; none of both for a hidden one. */
export function walletLink(wallet: string, hidden: HiddenWallets): Html {
  if (hidden.has(wallet)) return html`a hidden wallet`;
  return html`<a href="${walletPath(wallet)}"><code>${shortWallet(wallet)}</code></a>`;
}

/** Wallets as a list of links; hidden ones are counted only. */
export function walletList(wallets: readonly string[], hidden: HiddenWallets): Html {
  const open = wallets.filter((wallet) => !hidden.has(wallet));
  const left = wallets.length - open.length;
  return html`<ul class="wallets">
    ${open.map((wallet) => html`<li>${walletLink(wallet, hidden)}</li>`)}
    ${left === 0 ? null : html`<li>${counted(left, 'hidden wallet')}</li>`}
  </ul>`;
}
