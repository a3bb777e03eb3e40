import { timeSpan } from '../../core/base/text/formats.ts';
import { type Html, html, section } from '../html.ts';
import type { Page } from '../layout.ts';
import { tableOf } from '../parts/table.ts';

interface AboutModel {
  readonly freeDelayMs: number;
  readonly contact: string | null;
}

export function aboutPage(model: AboutModel): Page {
  return {
    title: 'About',
    description:
      'What an alert is and is not, how it is made and measured, and how to have a page corrected.',
    path: '/about',
    body: html`<div class="stack prose">
        <h1>About</h1>
        <p class="lead">
          Tipoff watches the public trades of a prediction market, and publishes those that look as if the buyer knew
          something. Each comes with its reasons, and later with its result.
        </p>
      </div>
      ${meaning()} ${method(model)} ${score()} ${record()} ${wording()} ${correction(model)} ${privacy()}`,
  };
}

function meaning(): Html {
  const body = html`<p>
      An alert states that a trade is unusual, and why: a new wallet made a large buy, a new wallet kept buying, or
      several new wallets bought the same outcome within an hour.
    </p>
    <ul>
      <li>
        <strong>It is not proof.</strong> It never states that a person acted wrongly or had inside knowledge. A wallet is
        not a person, and most new wallets with a large bet belong to new users. A bet may be hedged elsewhere.
      </li>
      <li>
        <strong>It is not a forecast.</strong> A price of 30¢ is the estimate of the market: about 30 %. How often alerts were right, compared with such prices, is in <a href="/record">the record</a>.
      </li>
      <li>
        <strong>It is not investment advice.</strong> The price has usually moved when you read it. Results of alerts
        exclude fees, and do not use the price that a reader would have paid.
      </li>
    </ul>`;
  return section('meaning', 'What an alert is, and is not', body, 'prose');
}

function method({ freeDelayMs }: AboutModel): Html {
  const late = freeDelayMs === 0 ? 'immediately' : `${timeSpan(freeDelayMs)} later`;
  const body = html`<ol>
      <li>Trades are read from the chain and from the market’s list of trades.</li>
      <li>
        Those of one wallet, outcome and second are one order. Buys of at least 1,000 USDC by wallets that are at most 14 days old and trade in at most 5 markets are candidates, as are smaller ones that add up, and several such wallets
        together. Sports, and markets about the price of an asset at a moment, are left out.
      </li>
      <li>A candidate gets a score, a number and an entry in the log, and is an alert. Its text never changes.</li>
      <li>Pro and Enterprise keys see it immediately. These pages, the feeds and Free keys see it ${late}.</li>
      <li>When the market is settled, the alert gets its result, right or wrong.</li>
    </ol>
    <p>
      Everything that is published is in a log, in which each entry contains the hash of the one before it. Anyone who kept
      an earlier head can check with <code>tipoff verify</code> that nothing before it was changed or removed later. Without
      one, the log proves nothing about the past. <a href="/api/v1/log/head">Its newest entry</a>
    </p>`;
  return section('method', 'How an alert is made', body, 'prose');
}

function score(): Html {
  const rows = [
    ['Age of the wallet', 'the younger, the more'],
    ['Its markets', 'the fewer it has traded in, the more'],
    [
      'To win',
      'the more the order, the position or the cluster wins if it is right, the more: over half of all points',
    ],
    ['Timing', 'the closer to the end of the market, the more; or an order that is much of its volume'],
    ['Pattern', 'a wallet that keeps buying, or several wallets together'],
  ];
  const body = html`<p>
      The score of 0 to 100 adds up its parts. It ranks how closely a trade matches the pattern.
      <strong>A score of 80 is not a chance of 80 %.</strong>
    </p>
    ${tableOf('Parts of the score', ['Part', 'Points'], rows)}`;
  return section('score', 'The score', body, 'prose');
}

function record(): Html {
  const body = html`<p>
      <a href="/record">The record</a> states what alerts were worth, losses included: what the price did after a reader
      could have bought, and what the outcomes paid. Only the first alert of a wallet, market and outcome counts. Its verdict is that of hypothetical test bets, one
      at a time: if prices were fair, at most 1 in 50 such records would ever show anything.
    </p>`;
  return section('record', 'The record', body, 'prose');
}

function wording(): Html {
  const body = html`<p>
      <strong>Suspicious</strong> means unusual by the rules above: a statistical remark about a trade, not an accusation.
      <strong>Right</strong> and <strong>wrong</strong> describe an outcome, not a person. Amounts are what
      was still held at the settlement made or lost; what was sold before is said beside it.
    </p>`;
  return section('wording', 'Words', body, 'prose');
}

function correction({ contact }: AboutModel): Html {
  const way =
    contact === null
      ? html`This service has no listed contact: write to its operator, for example in the channel where you found it.`
      : html`Write to <a href="${contact}">${contact.replace(/^mailto:/, '')}</a>.`;
  const body = html`<p>${way} Name the page and what is wrong.</p>
    <ul>
      <li>A wallet can be hidden: pages, pictures and chat then say “a hidden wallet”, and it has no page.</li>
      <li>An alert can be withdrawn: its posts are deleted, and it is marked wherever it is shown.</li>
    </ul>
    <p>
      The log keeps what was published, including the address of a hidden wallet: anyone who kept an earlier head can check that nothing before it was changed.
    </p>`;
  return section('correction', 'Corrections', body, 'prose');
}

function privacy(): Html {
  const body = html`<p>
      These pages set no cookies, load nothing from other sites and count no visitors. The address of a request is used
      to limit requests: it is kept in memory for a minute or, if several processes serve the site, in their database for about an hour. The service does not log it; a proxy in front of the service may. People with a key are identified by the chat account through which they got it, until they delete it there.
    </p>`;
  return section('privacy', 'What is stored about you', body, 'prose');
}
