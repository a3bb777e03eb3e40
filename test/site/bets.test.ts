import { expect, test } from 'vitest';
import type { Alert } from '../../src/core/alerts/alert.ts';
import type { Exit } from '../../src/core/alerts/exits/exit.ts';
import { exitOf } from '../support/alerts.ts';
import { storeExits } from '../support/stored.ts';
import { alertAt, minute, startObserved } from './observed-site.ts';

const wallet = (digit: number) => `0x${String(digit).repeat(40)}`;
const WON = { payout: 1, won: true, profitUsdc: 300 };
const LOST = { payout: 0, won: false, profitUsdc: -200 };

/** Two alerts of one bet: $2,000 at 40¢, then in four buys $26,602 at 26.6¢, of which the last are 500 shares at 40¢. */
function bet(id: number, given: Partial<Alert> = {}, details: Partial<Alert['details']> = {}) {
  const market = `Will ${id} pass?`;
  const own = {
    wallet: wallet(id),
    threadId: id,
    marketId: `0xm${id}`,
    eventTitle: market,
    eventSlug: `m${id}`,
  };
  const first = alertAt(id, { ...own, ...given, id });
  const last = { usdc: 200, shares: 500, entryPrice: 0.4, supersedes: id };
  const second = alertAt(id + 0.5, { ...own, ...given, ...last, id: id + 1 });
  const bought = {
    marketBuyCount: 4,
    marketTotalBought: 26_602,
    marketAvgPrice: 0.266,
    positionShares: 100_000,
  };
  return [first, { ...second, details: { ...second.details, ...bought, ...details } }];
}

/** What is left of 80,000 shares, sold 8 minutes after the start. */
function sold(id: number, number: number, heldShares: number): Exit {
  const level = heldShares === 0 ? 'out' : 'half';
  const of = {
    threadId: id,
    alertIds: [id, id + 1],
    wallet: wallet(id),
    createdAt: minute(9),
    level,
  } as const;
  return exitOf({ number, key: `x${number}`, heldShares, ...of });
}

const ALERTS = [
  ...bet(1, { resolution: WON }),
  ...bet(3, { resolution: WON }),
  ...bet(5, { resolution: WON }),
  ...bet(7, { resolution: LOST }, { isPositionKnown: false }),
  ...bet(
    9,
    { type: 'cluster', resolution: LOST },
    {
      wallets: [wallet(7), wallet(8), wallet(9)],
      clusterTotal: 9_000,
      clusterShares: 30_000,
      clusterAvgPrice: 0.3,
      toWinUsdc: 21_000,
    },
  ),
  ...bet(11),
];
const EXITS = [sold(3, 1, 19_200), sold(5, 2, 0)];

async function start() {
  const site = await startObserved({ alerts: ALERTS });
  await storeExits(site.database, ...EXITS);
  await site.clock.jump(3_600_000);
  const rowOf = async (path: string, id: number) => {
    const html = await site.read(path);
    return html.split(`id="alert-${id}-row"`)[1]?.split('</article>')[0] ?? '';
  };
  return { ...site, rowOf };
}

test.each([
  ['held as a whole', 2, 'right">Won $73,398', 'Right · won $73,398'],
  [
    '76% sold',
    4,
    'right">Sold 76% at 71¢; won $17,616 on the 24% held',
    'Right · sold 76% at 71¢; won $17,616 on the 24% held',
  ],
  [
    'sold out',
    6,
    'muted">Sold 100% at 71¢; right, nothing was held',
    'Right · sold 100% at 71¢; right, nothing was held',
  ],
  ['not known', 8, 'wrong">Lost $26,602 if held', 'Wrong · lost $26,602 if held'],
  ['a cluster', 10, 'wrong">Lost $9,000', 'Wrong · lost $9,000'],
  ['open', 12, 'muted">no order since', 'No trade since is known. No sale seen.'],
])(
  'a bet says one price and the result of what was held, in its row, its page and its JSON: %s',
  async (_, id, course, page) => {
    const { rowOf, read, words } = await start();
    expect(await rowOf('/', id)).toContain(`<p class="price"><span class="${course}</span></p>`);
    const shown = (await words(`/alerts/${id}`)).replaceAll('\u2060', '');
    expect(shown).toContain(page);
    const { result, alert } = JSON.parse(await read(`/alerts/${id}.json`));
    if (result !== null) expect(shown).toContain(result);
    // The page of an earlier alert has the same figures.
    const earlier = JSON.parse(await read(`/alerts/${id - 1}.json`));
    expect([earlier.result, earlier.alert.details.bet]).toEqual([result, alert.details.bet]);
    expect(await words(`/alerts/${id - 1}`)).toContain(page);
  },
);

test('a bet that was sold out is neither a green win nor a red loss, on any page', async () => {
  const { read, rowOf } = await start();
  const page = (await read('/alerts/6')).split('id="result"')[1]?.split('id="price"')[0] ?? '';
  expect(page).toContain('nothing was held');
  expect(page).not.toMatch(/class="[^"]*\b(right|wrong)\b/);
  expect(await rowOf('/', 6)).not.toMatch(/class="[^"]*\b(right|wrong)\b/);
  expect(await rowOf(`/wallets/${wallet(5)}`, 6)).not.toMatch(/class="[^"]*\b(right|wrong)\b/);
});

test('lists, their filter by size, their sums and counts are of bets', async () => {
  const { words } = await start();
  expect(await words('/')).toContain('6 bets');
  const large = await words('/?min_position=26602');
  expect(large).toContain('5 bets');
  for (const text of ['$26,602 or more', '$26,602 on Yes at 26.6¢ to win $73,398'])
    expect(large).toContain(text);
  expect(await words('/?min_position=26603')).toContain('0 bets');
  const market = await words('/markets/m1');
  expect(market).toContain('1 bet: $26,602 on Yes');
  expect(await words('/markets')).toContain('Will 11 pass? 1 bet, $26,602 put in');
});
