import type { Alert } from '../../core/alerts/alert.ts';
import { cents, counted, dollars } from '../../core/base/text/formats.ts';
import type { ScorePart } from '../../core/detection/candidate.ts';
import { type Html, html, section } from '../html.ts';
import { bar } from '../parts/figures.ts';
import { type HiddenWallets, utcTag, walletLink, walletList } from '../parts/labels.ts';
import { numberColumn, tableOf } from '../parts/table.ts';

const FACTORS: Readonly<Record<ScorePart['factor'], string>> = {
  wallet_age: 'Age of the wallet',
  markets: 'Markets before',
  to_win: 'To win',
  timing: 'Timing',
  accumulator: 'Repeated buys',
  cluster: 'Other new wallets',
};

export function reasonsPart({ score, details: { reasons } }: Alert): Html {
  const rows = reasons.map(({ factor, points, max, note }) => {
    const share = max > 0 ? points / max : 0;
    return [FACTORS[factor], html`${note} ${bar(share)}`, `${points < 0 ? `−${-points}` : points} of ${max}`];
  });
  const body = html`<p class="muted">
      A score of ${score} is not a chance of ${score} %: it adds up how closely the trade matches the pattern.
    </p>
    ${tableOf('Parts of the score', ['Part', 'Reason', numberColumn('Points')], rows)}`;
  return section('reasons', 'Why it is suspicious', body);
}

export function factsPart(alert: Alert, hidden: HiddenWallets): Html {
  const { type, side, usdc, entryPrice, wallet, details } = alert;
  const { marketBuyCount, marketTotalBought, marketAvgPrice, walletAgeDays, role } = details;
  const isMore = side === 'BUY' && marketBuyCount > 1;
  const position = `${dollars(marketTotalBought)} in ${marketBuyCount} buys at ${cents(marketAvgPrice)} on average`;
  const facts = [
    [type === 'cluster' ? 'Last wallet' : 'Wallet', walletLink(wallet, hidden)],
    ['Its age then', counted(walletAgeDays, 'day')],
    ['Order', `${dollars(usdc)} at ${cents(entryPrice)}`],
    ['Position', isMore ? position : null],
    ['Role', role === 'maker' || role === 'taker' ? ROLES[role] : null],
    ['Rules', `version ${details.ruleVersion}`],
  ] as const;
  const known = facts.filter(([, value]) => value !== null);
  const rows = known.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`);
  return section('facts', 'The trade', html`<dl class="facts">${rows}</dl>`);
}

const ROLES = { maker: 'maker: its order rested', taker: 'taker: it matched a resting order' } as const;

export function membersPart({ type, details: { wallets = [] } }: Alert, hidden: HiddenWallets): Html | null {
  if (type !== 'cluster') return null;
  return section(
    'members',
    `${counted(wallets.length, 'wallet')} of the cluster`,
    walletList(wallets, hidden),
  );
}

export function clocksPart({ tradedAt, detectedAt, publishedAt }: Alert): Html {
  const clocks = [
    ['Traded', tradedAt, 'the second of the order, as the market reports it'],
    ['Detected', detectedAt, 'when the order was recognised as suspicious'],
    ['Published', publishedAt, 'when the alert got its number; it appeared here when free keys saw it'],
  ] as const;
  const rows = clocks.map(
    ([name, at, meaning]) =>
      html`<dt>${name}</dt>
        <dd>${utcTag(at)}<br /><span class="muted small">${meaning}</span></dd>`,
  );
  return section('clocks', 'Three clocks', html`<dl class="facts">${rows}</dl>`);
}

export function logPart({ log, createdAt }: Alert, publicUrl: string): Html {
  const month = new Date(createdAt).toISOString().slice(0, 7);
  const entry = html`<p>
      Entry <a href="/log/${month}.jsonl" rel="nofollow">${log.sequence}</a> of the public log. Its hash covers the
      alert and all entries before it:
    </p>
    <p><code>${log.hash}</code></p>
    <p>To compare the whole log with its hashes, in the folder of Tipoff's source after <code>npm ci</code>:</p>
    <pre tabindex="0" aria-label="Command that verifies the log">npx --no tipoff verify-log ${publicUrl}</pre>`;
  return section('log', 'In the log', entry);
}

export function meaningPart(): Html {
  return html`<p class="note prose">
    An alert calls a trade unusual and says why. It is not proof that a person acted wrongly or knew
    more, not a forecast and not investment advice; most such wallets belong to new users. <a href="/about">What an alert means</a> ·
    <a href="/record">How often such alerts were right</a>
  </p>`;
}
