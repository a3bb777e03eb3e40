import { timeSpan } from '../../core/base/text/formats.ts';
import { type Html, html, section } from '../html.ts';
import type { Page } from '../layout.ts';

interface AboutModel {
  readonly freeDelayMs: number;
  readonly contact: string | null;
}

export function aboutPage(model: AboutModel): Page {
  return {
    title: 'About',
    description:
      'What an alert is and is not, how it is made, what cannot be known, and how to have a page corrected.',
    path: '/about',
    body: html`<div class="stack prose">
        <h1>About</h1>
        <p class="lead">
          Tipoff watches Polymarket and publishes the bets that look as if the buyer knew something. Each comes with its
          reasons and later with its result.
        </p>
      </div>
      ${meaning()} ${method(model)} ${UNKNOWN} ${correction(model)} ${PRIVACY}`,
  };
}

function meaning(): Html {
  const body = html`<ul>
      <li>
        <strong>It is not proof.</strong> It says that a bet is unusual, and why. Most new wallets with a large bet belong to
        new users.
      </li>
      <li>
        <strong>It is not a forecast.</strong> A price of 30¢ is the estimate of the market: about 30%.
        <a href="/record">The record</a> compares alerts with such prices.
      </li>
      <li><strong>It is not investment advice.</strong> The price has usually moved when you read it.</li>
    </ul>`;
  return section('meaning', 'What an alert is not', body, 'prose');
}

function method({ freeDelayMs }: AboutModel): Html {
  const late = freeDelayMs === 0 ? 'immediately' : `${timeSpan(freeDelayMs)} later`;
  const body = html`<ol>
      <li>Trades are read from the chain and from Polymarket’s list. Sports and short-term asset prices are left out.</li>
      <li>
        Buys of at least 1,000 USDC by wallets that are at most 14 days old and trade in at most 5 markets are candidates,
        as are smaller ones that add up, and several such wallets together.
      </li>
      <li>
        Each candidate is scored, numbered, logged and published, and never changes. Pro and Enterprise keys see it
        immediately; these pages, the feeds and Free keys see it ${late}.
      </li>
      <li>When the market is settled, the alert gets its result.</li>
    </ol>
    <p>
      The score of 0 to 100 says how closely a bet matches the pattern; more than half of its points are for what the bet
      wins. <strong>A score of 80 is not a chance of 80%.</strong>
    </p>`;
  return section('method', 'How an alert is made', body, 'prose');
}

const UNKNOWN = section(
  'unknown',
  'What cannot be known',
  html`<ul>
    <li>Who owns a wallet, what its owner knew, and whether the bet is hedged elsewhere.</li>
    <li>What is traded on other markets, in combos of several markets, or while <a href="/status">the feed had a gap</a>.</li>
    <li>
      Whether an alert was withheld: <a href="/log">the log</a> shows only that what was published has not been changed.
    </li>
    <li>Whether following alerts will pay.</li>
  </ul>`,
  'prose',
);

function correction({ contact }: AboutModel): Html {
  const way =
    contact === null
      ? html`This service has no listed contact: write to its operator.`
      : html`Write to <a href="${contact}">${contact.replace(/^mailto:/, '')}</a>.`;
  const body = html`<p>
      ${way} Name the page and what is wrong. A wallet can be hidden and an alert withdrawn; the log keeps both.
    </p>`;
  return section('correction', 'Corrections', body, 'prose');
}

const PRIVACY = section(
  'privacy',
  'What is stored about you',
  html`<p>
    These pages set no cookies, load nothing from other sites and count no visitors. Your browser remembers the newest alert it
    has shown. To limit requests, your address is kept in memory for a minute or, if several processes serve the site, in their
    database for about an hour. It is not logged here; a proxy may log it. The chat account of a key is kept until you delete it
    there.
  </p>`,
  'prose',
);
