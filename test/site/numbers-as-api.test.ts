import { expect, test } from 'vitest';
import { namedWallets } from '../../src/core/alerts/alert.ts';
import { cents, dollars, shortWallet } from '../../src/core/base/text/formats.ts';
import { AFTER_MIDTERMS, playMidterms } from '../support/site/midterms.ts';
import { startSite } from '../support/site.ts';
import { partOf, wordsOf } from './observed-site.ts';

const COUNT = 20;

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

test('20 wallets and 20 markets of the midterms: the pages have the numbers of the API', async () => {
  const { database, clock, issue, get, page } = await startSite();
  await playMidterms(database);
  clock.set(AFTER_MIDTERMS - clock.now());
  const { secret } = await issue({ tier: 'enterprise' });
  const ask = async <Body>(path: string) => (await get(`${path}?page_size=1`, secret)).body as Body;
  const alerts = await database.alerts.after(0, 1_000);
  const wallets = [...new Set(alerts.flatMap(namedWallets))].slice(-COUNT);
  let positions = 0;
  for (const wallet of wallets) {
    const html = (await page(`/wallets/${wallet}`)).text;
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
