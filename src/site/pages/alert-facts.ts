import type { Alert } from '../../core/alerts/alert.ts';
import { cents, counted, dollars, utcMinute } from '../../core/base/text/formats.ts';
import type { ScorePart } from '../../core/detection/candidate.ts';
import { type Html, html } from '../html.ts';
import { bar } from '../parts/figures.ts';
import { type HiddenWallets, walletLink, walletList } from '../parts/labels.ts';
import { tableOf } from '../parts/table.ts';

const FACTORS: Readonly<Record<ScorePart['factor'], string>> = {
  wallet_age: 'Age of the wallet',
  markets: 'Markets before',
  size: 'Size',
  odds: 'Price',
  timing: 'Timing',
  accumulator: 'Repeated buys',
  cluster: 'Other new wallets',
};

/** The parts of the score: points of the most there are, with the reason. */
export function reasonsPart({ score, details: { reasons } }: Alert): Html {
  const columns = [{ name: 'Part' }, { name: 'Reason' }, { name: 'Points', isNumber: true }];
  return html`<section class="stack reasons" aria-labelledby="reasons-title">
    <h2 id="reasons-title">Why it is suspicious</h2>
    <p class="muted">
      A score of ${score} is not a chance of ${score} %: it adds up how closely the trade matches the pattern.
    </p>
    ${tableOf({ name: 'Parts of the score', columns, rows: reasons.map(reasonRow) })}
  </section>`;
}

function reasonRow({ factor, points, max, note }: ScorePart) {
  const share = max > 0 ? points / max : 0;
  return [FACTORS[factor], html`${note} ${bar(share)}`, `${points < 0 ? `−${-points}` : points} of ${max}`];
}

/** The order and its position in figures. */
export function factsPart(alert: Alert, hidden: HiddenWallets): Html {
  const { type, side, usdc, entryPrice, wallet, details } = alert;
  const { marketBuyCount, marketTotalBought, marketAvgPrice, walletAgeDays, role } = details;
  const isMore = side === 'BUY' && marketBuyCount > 1;
  const facts = [
    [type === 'cluster' ? 'Last wallet' : 'Wallet', walletLink(wallet, hidden)],
    ['Its age then', counted(walletAgeDays, 'day')],
    ['Order', `${dollars(usdc)} at ${cents(entryPrice)}`],
    ...(isMore
      ? [
          [
            'Position',
            `${dollars(marketTotalBought)} in ${marketBuyCount} buys at ${cents(marketAvgPrice)} on average`,
          ] as const,
        ]
      : []),
    ...(role === 'maker' || role === 'taker'
      ? [
          [
            'Role',
            role === 'maker' ? 'maker: its order rested' : 'taker: it matched a resting order',
          ] as const,
        ]
      : []),
    ['Rules', `version ${details.ruleVersion}`],
  ] as const;
  return html`<section class="stack" aria-labelledby="facts-title">
    <h2 id="facts-title">The trade</h2>
    <dl class="facts">
      ${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}
    </dl>
  </section>`;
}

/** The wallets of a cluster. */
export function membersPart({ type, details: { wallets = [] } }: Alert, hidden: HiddenWallets): Html | null {
  if (type !== 'cluster') return null;
  return html`<section class="stack" aria-labelledby="members-title">
    <h2 id="members-title">${counted(wallets.length, 'wallet')} of the cluster</h2>
    ${walletList(wallets, hidden)}
  </section>`;
}

/** When it was traded, detected and published. */
export function clocksPart({ tradedAt, detectedAt, publishedAt }: Alert): Html {
  const clocks = [
    ['Traded', tradedAt, 'the second of the order, as the market reports it'],
    ['Detected', detectedAt, 'when the order was recognised as suspicious'],
    ['Published', publishedAt, 'when the alert got its number; it appeared here when free keys saw it'],
  ] as const;
  return html`<section class="stack" aria-labelledby="clocks-title">
    <h2 id="clocks-title">Three clocks</h2>
    <dl class="facts">
      ${clocks.map(
        ([name, at, meaning]) =>
          html`<dt>${name}</dt>
            <dd>
              <time datetime="${new Date(at).toISOString()}">${utcMinute(at)}</time><br />
              <span class="muted small">${meaning}</span>
            </dd>`,
      )}
    </dl>
  </section>`;
}

/** Its entry in the public log, and how to verify it. */
export function logPart({ log, createdAt }: Alert, publicUrl: string): Html {
  const month = new Date(createdAt).toISOString().slice(0, 7);
  const entry =
    log === undefined
      ? html`<p>This alert was published before the log began.</p>`
      : html`<p>
            Entry <a href="/log/${month}.jsonl" rel="nofollow">${log.sequence}</a> of the public log. Its hash covers the
            alert and all entries before it:
          </p>
          <p><code>${log.hash}</code></p>
          <p>To compare the whole log with its hashes, in the folder of Tipoff's source after <code>npm ci</code>:</p>
          <pre tabindex="0" aria-label="Command that verifies the log">npx --no tipoff verify-log ${publicUrl}</pre>`;
  return html`<section class="stack" aria-labelledby="log-title">
    <h2 id="log-title">In the log</h2>
    ${entry}
  </section>`;
}

/** What an alert is, and what it is not (docs/reading-alerts.md). */
export function meaningPart(): Html {
  return html`<p class="note prose">
    An alert calls a trade unusual and says why. It is no proof that a person acted wrongly or knew more, no forecast and
    no investment advice; most such wallets belong to new users. <a href="/about">What an alert means</a> ·
    <a href="/record">How often such alerts were right</a>
  </p>`;
}
