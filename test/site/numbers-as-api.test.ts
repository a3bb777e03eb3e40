import { expect, test } from 'vitest';
import { namedWallets } from '../../src/core/alerts/alert.ts';
import { rounded } from '../../src/core/base/rounded.ts';
import { cents, dollars, shortWallet, signedCents } from '../../src/core/base/text/formats.ts';
import { ASSETS } from '../../src/site/assets.ts';
import { AFTER_MIDTERMS, playMidterms } from '../support/site/midterms.ts';
import { startSite } from '../support/site.ts';
import { partOf, wordsOf } from './observed-site.ts';

const COUNT = 20;
const ALERTS = 50;
/** Of a page with its styles and scripts, before compression. */
const PAGE_BYTES = 60_000;
/** The same of a market, whose chart shows every alert. */
const MARKET_BYTES = 70_000;

const LISTS = ['/', '/markets', '/record', '/status', '/about'];

function pageBytes(html: string): number {
  const files = Object.values(ASSETS).filter(({ address }) => html.includes(`"${address}"`));
  return files.reduce((sum, { text }) => sum + Buffer.byteLength(text), Buffer.byteLength(html));
}

interface Wallet {
  readonly positions: {
    readonly newest: readonly {
      readonly outcome: string;
      readonly total_usdc: number;
      readonly avg_price: number;
      readonly payout: number | null;
    }[];
  };
}

interface Market {
  readonly event_slug: string;
  readonly threads: { readonly total: number };
  readonly resolved: boolean;
  readonly outcomes: readonly {
    readonly outcome: string;
    readonly payout: number | null;
  }[];
  readonly wallets: {
    readonly largest: readonly { wallet_address: string; alert_count: number; total_usdc: number }[];
  };
}

/** Of positions whose price now the API does not have, what both say. */
function positionWords({ positions }: Wallet): readonly string[] {
  return positions.newest.map(({ outcome, total_usdc, avg_price, payout }) =>
    [
      `Bought ${outcome} Put in ${dollars(total_usdc)} Bought at ${cents(avg_price)}`,
      payout === null ? 'Now' : `Paid ${cents(payout)}`,
    ].join(' '),
  );
}

const POSITION = /Bought (.+?)(?: in [\d,]+ buys)? · alerts? .*? (Put in \S+ Bought at \S+ (?:Now|Paid \S+))/;

function pagePositions(html: string): readonly string[] {
  return html
    .split('<article')
    .slice(1)
    .flatMap(
      (row) =>
        POSITION.exec(wordsOf(`<${row}`))
          ?.slice(1)
          .join(' ') ?? [],
    )
    .map((words) => `Bought ${words}`);
}

interface AlertData {
  readonly alert: {
    readonly [name in 'entry_price' | 'usdc_value' | 'signal_score']: number;
  } & {
    readonly resolved: boolean;
    readonly won: boolean | null;
    readonly details: {
      readonly reasons: readonly { readonly points: number; readonly max: number }[];
      readonly bet: { readonly mean_price: number; readonly result_usdc: number | null };
      readonly exits: { readonly exits: readonly { readonly number: number }[] };
    };
  };
  readonly price_now: number | null;
  readonly other_positions: Wallet['positions']['newest'] | null;
}

/** What the page of an alert must say, by its JSON. */
function alertWords({ alert, price_now }: AlertData): readonly string[] {
  const { resolved, won, details, entry_price, usdc_value, signal_score } = alert;
  const { mean_price, result_usdc } = details.bet;
  const result = won ? 'Right won' : 'Wrong lost';
  const moved = signedCents((price_now ?? 0) - mean_price);
  const price = price_now === null ? '–' : `${cents(price_now)} ${moved} ${resolved ? 'a share' : 'since'}`;
  return [
    resolved ? `Result ${result} ${dollars(Math.abs(result_usdc ?? 0))}` : 'Result Open',
    `Bought at ${cents(mean_price)}`,
    `${resolved ? 'Settled at' : 'Price now'} ${price}`,
    `Score ${signal_score} of 100`,
    `rder ${dollars(usdc_value)} at ${cents(rounded(entry_price, 4))}`,
    ...details.reasons.map(({ points, max }) => ` ${points < 0 ? `−${-points}` : points} of ${max}`),
    ...details.exits.exits.map(({ number }) => `Exit ${number} ·`),
  ];
}

test('50 alerts, 20 wallets and 20 markets of the midterms: the pages have the numbers of the API; a market’s has under 70 kB, they and all others under 60', async () => {
  const { database, clock, issue, get, page } = await startSite();
  await playMidterms(database);
  clock.set(AFTER_MIDTERMS - clock.now());
  const { secret } = await issue({ tier: 'enterprise' });
  const ask = async <Body>(path: string) => (await get(`${path}?page_size=1`, secret)).body as Body;
  for (const path of LISTS) expect(pageBytes((await page(path)).text), path).toBeLessThan(PAGE_BYTES);
  const alerts = await database.alerts.after(0, 1_000);
  for (const { id } of alerts.slice(-ALERTS)) {
    const html = (await page(`/alerts/${id}`)).text;
    expect(pageBytes(html), `${id}`).toBeLessThan(PAGE_BYTES);
    const data: AlertData = JSON.parse((await page(`/alerts/${id}.json`)).text);
    expect(data.alert, `${id}`).toEqual(await ask(`/alerts/${id}`));
    for (const words of alertWords(data)) expect(wordsOf(html), `${id}`).toContain(words);
    const others = { positions: { newest: data.other_positions ?? [] } };
    expect(pagePositions(html), `${id}`).toEqual(positionWords(others));
  }
  const wallets = [...new Set(alerts.flatMap(namedWallets))].slice(-COUNT);
  let positions = 0;
  for (const wallet of wallets) {
    const html = (await page(`/wallets/${wallet}`)).text;
    expect(pageBytes(html), wallet).toBeLessThan(PAGE_BYTES);
    const shown = pagePositions(html);
    expect(shown, wallet).toEqual(positionWords(await ask<Wallet>(`/wallets/${wallet}`)));
    positions += shown.length;
  }
  expect(positions).toBeGreaterThan(COUNT);
  const markets = [...new Set(alerts.map(({ marketId }) => marketId))].slice(0, COUNT);
  expect([wallets.length, markets.length]).toEqual([COUNT, COUNT]);
  for (const id of markets) {
    const market = await ask<Market>(`/markets/${id}`);
    const html = (await page(`/markets/${market.event_slug}`)).text;
    expect(pageBytes(html), id).toBeLessThan(MARKET_BYTES);
    expect(wordsOf(html), id).toContain(`${market.threads.total} bet`);
    const winner = market.outcomes.find(({ payout }) => payout === 1)?.outcome;
    expect(winner !== undefined, id).toBe(market.resolved);
    expect(wordsOf(html), id).toContain(winner === undefined ? ' Now ' : `${winner} won`);
    const largest = wordsOf(partOf(html, 'wallets-title'));
    for (const { wallet_address, alert_count, total_usdc } of market.wallets.largest.slice(0, 6))
      expect(largest, id).toContain(
        `${shortWallet(wallet_address)} ${alert_count === 0 ? 'in a cluster' : dollars(total_usdc)}`,
      );
  }
}, 60_000);
