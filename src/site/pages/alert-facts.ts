import type { Alert } from '../../core/alerts/alert.ts';
import type { Exit } from '../../core/alerts/exits/exit.ts';
import { exitWords, positionWords } from '../../core/alerts/exits/exit-words.ts';
import { alertJsonPath } from '../../core/alerts/site-paths.ts';
import { rounded } from '../../core/base/rounded.ts';
import { cents, counted, dollars } from '../../core/base/text/formats.ts';
import type { EpochMs } from '../../core/base/time/duration.ts';
import type { ScorePart } from '../../core/detection/candidate.ts';
import type { AlertReport } from '../alert-report.ts';
import { type Html, html, section } from '../html.ts';
import { bar } from '../parts/figures.ts';
import { type HiddenWallets, timeTag, utcTag, walletLink, walletList } from '../parts/labels.ts';
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
  const body = html`${tableOf('Parts of the score', ['Part', 'Reason', numberColumn('Points')], rows)}
    <p class="muted small">
      A score of ${score} is not a chance of ${score} %: it adds up how closely the trade matches the pattern.
    </p>`;
  return section('reasons', 'Why it is suspicious', body);
}

export function positionPart({ alert, hidden }: AlertReport): Html {
  const { type, side, usdc, entryPrice, wallet, tradedAt, details } = alert;
  const { marketBuyCount, marketTotalBought, marketAvgPrice, role } = details;
  const isMore = side === 'BUY' && marketBuyCount > 1;
  const bought = `${dollars(marketTotalBought)} in ${marketBuyCount} buys at ${cents(marketAvgPrice)} on average`;
  const facts = factList([
    [type === 'cluster' ? 'Last wallet' : 'Wallet', walletLink(wallet, hidden)],
    [
      isMore || type === 'cluster' ? 'Last order' : 'Order',
      `${dollars(usdc)} at ${cents(rounded(entryPrice, 4))}`,
    ],
    ['Traded', utcTag(tradedAt)],
    ['Bought so far', isMore ? bought : null],
    ['Role', role === 'maker' || role === 'taker' ? ROLES[role] : null],
  ]);
  return section('position', 'The position', html`${facts} ${membersPart(alert, hidden)}`);
}

const ROLES = { maker: 'maker: its order rested', taker: 'taker: it matched a resting order' } as const;
/** Of a cluster, wallets that are named without a click. */
const MEMBERS_SHOWN = 12;

function membersPart({ type, details: { wallets = [] } }: Alert, hidden: HiddenWallets): Html | null {
  if (type !== 'cluster') return null;
  const list = walletList(wallets, hidden);
  const title = `The ${counted(wallets.length, 'wallet')} of the cluster`;
  return wallets.length > MEMBERS_SHOWN
    ? html`<details class="more"><summary>${title}</summary>${list}</details>`
    : html`<h3>${title}</h3>${list}`;
}

/** Its signs stay with their sums. */
export function exitSentence(exit: Exit): string {
  return `${exitWords(exit)}.`.replaceAll('−$', '−\u2060$');
}

/** Each exit in a sentence; without one what is known of the position. */
export function exitsPart({ position }: AlertReport): Html {
  const sentences = position.exits.map(
    (exit) =>
      html`<p>${exitSentence(exit)} <span class="muted small">Exit ${exit.number} · ${timeTag(exit.tradedAt)}</span></p>`,
  );
  const notes = html`<p class="muted small">Only trades on the market are seen: no merges, redemptions or transfers. Profits are before fees.</p>`;
  const body = sentences.length === 0 ? html`<p>${positionWords(position)}</p>` : html`${sentences} ${notes}`;
  return section('exits', 'Exits', body, 'live');
}

/** Its times, its rules and its entry in the log: for those who check the alert. */
export function detailsPart(
  { tradedAt, detectedAt, publishedAt, log, details }: Alert,
  publicUrl: string,
): Html {
  const facts = factList([
    ['Traded', clock(tradedAt, 'when the order was made, to the second, as the market reports it')],
    ['Detected', clock(detectedAt, 'when the order was recognised as suspicious')],
    [
      'Published',
      clock(publishedAt, 'when the alert got its number; it appeared here when free keys saw it'),
    ],
    ['Rules', `version ${details.ruleVersion}`],
    [
      'Log',
      html`entry ${log.sequence}, whose hash covers the alert and all entries before it:<br /><code>${log.hash}</code>`,
    ],
  ]);
  return html`<details class="more" id="details">
    <summary>Times, rules and entry in the log</summary>
    ${facts}
    <p>To check the whole log against its hashes, run this with an API key in the folder of Tipoff’s source after <code>npm ci</code>:</p>
    <pre tabindex="0" aria-label="Command that verifies the log">node bin/tipoff.js verify ${publicUrl} --key sk_live_…</pre>
  </details>`;
}

function clock(at: EpochMs, meaning: string): Html {
  const time = new Date(at).toISOString();
  return html`<time datetime="${time}">${time.slice(0, 19).replace('T', ' ')} UTC</time><br /><span class="muted small">${meaning}</span>`;
}

function factList(facts: readonly (readonly [string, Html | string | null])[]): Html {
  const known = facts.filter(([, value]) => value !== null);
  return html`<dl class="facts">${known.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

export function meaningPart({ id }: Alert): Html {
  return html`<p class="note prose">
      An alert calls a trade unusual and says why. It is not proof that a person acted wrongly or knew more, not a
      forecast and not investment advice; most such wallets belong to new users.
      <a href="/about">What an alert means</a> · <a href="/record">How often such alerts were right</a>
    </p>
    <p><a href="${alertJsonPath(id)}" rel="nofollow">This alert as JSON</a>, without a key</p>`;
}
