import { describe, expect, test } from 'vitest';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { MINUTE_MS } from '../../src/core/base/time/duration.ts';
import { exitOf } from '../support/alerts.ts';
import { alertAt, minute, startObserved, WON } from './observed-site.ts';

const WALLET = `0x${'ab'.repeat(20)}`;
const PAGE = `/wallets/${WALLET}`;
const LOST = { payout: 0, won: false, profitUsdc: -2_000 };

/** Alerts of the wallet in settled markets: one in three was wrong. */
function settled(count: number): readonly Alert[] {
  return Array.from({ length: count }, (_, index) =>
    alertAt(index, {
      ...{ id: index + 1, wallet: WALLET, marketId: `0xm${index}` },
      resolution: index % 3 === 0 ? LOST : WON,
    }),
  );
}

function clusterAt(id: number): Alert {
  const alert = alertAt(0, { id, type: 'cluster', wallet: WALLET });
  return { ...alert, details: { ...alert.details, wallets: ['0xaa', '0xbb', WALLET], clusterTotal: 9_000 } };
}

/** Bought in six buys; the second alert states the position. */
function position(id: number, given: Partial<Alert> = {}): readonly Alert[] {
  const [first, second] = [id, id + 1].map((each) =>
    alertAt(each, { id: each, wallet: WALLET, threadId: id, marketId: `0xm${id}`, ...given }),
  ) as [Alert, Alert];
  const sums = { marketBuyCount: 6, marketTotalBought: 4_000, marketAvgPrice: 0.4, positionShares: 10_000 };
  return [first, { ...second, supersedes: id, details: { ...second.details, ...sums } }];
}

const rowOf = (text: string, title = 'Will the measure pass?') => text.split(title).slice(1);

describe('the page of a wallet', () => {
  test('has one row for each position: put in, price, now or paid, its exits, and the result of what was held; losses look like gains', async () => {
    const { database, words, read, clock } = await startObserved({
      alerts: [
        ...position(1, { marketId: '0xm1' }),
        ...position(3, { resolution: WON }),
        ...position(5, { resolution: LOST }),
        alertAt(7, { id: 7, wallet: WALLET, marketId: '0xm7' }),
      ],
      orders: [{ at: minute(9), price: 0.45 }],
    });
    await clock.jump(5 * MINUTE_MS);
    await database.exits.append(
      exitOf({ number: 1, threadId: 5, alertIds: [5, 6], wallet: WALLET, createdAt: minute(8) }),
    );
    const rows = rowOf(await words(PAGE));
    expect(rows).toHaveLength(4);
    const bought = 'Bought Yes in 6 buys · alerts';
    const money = 'Put in $4,000 Bought at 40¢';
    expect(rows[0]).toContain(
      'Open Bought Yes · alert 7, 2026-01-02 Put in $2,000 Bought at 40¢ Now – Exits No sale seen Result –',
    );
    expect(rows[1]).toContain(`Wrong ${bought} 6, 5,`);
    expect(rows[1]).toContain(
      `${money} Paid 0¢ Exits sold 60 % at 71¢: +$7,680 Result −$1,600 on the 40 % held`,
    );
    expect(rows[2]).toContain(`Right ${bought} 4, 3,`);
    expect(rows[2]).toContain(`${money} Paid 100¢ Exits No sale seen Result +$6,000`);
    expect(rows[3]).toContain(`${money} Now 45¢ Exits No sale seen Result +$500 so far`);
    const html = await read(PAGE);
    const sums = [...html.matchAll(/<span class="(right|wrong)">([+−][^<]+)/g)].map(([, ...found]) => found);
    expect(sums).toEqual([
      ['wrong', '−$1,600'],
      ['right', '+$6,000'],
      ['right', '+$500'],
    ]);
    expect(html).toContain(`<a href="/?wallet=${WALLET}#list" rel="nofollow">All 7 alerts</a>`);
  });

  test('shows when it was first seen, what it put in, and results once there are enough; no search engine has it', async () => {
    const few = await startObserved({ alerts: settled(9) });
    expect(await few.words(PAGE)).toContain(
      '1 day old at its first alert, 2026-01-02 $18,000 put in, in 9 bets 9 settled bets in 9 markets: too few to judge',
    );
    const enough = await startObserved({ alerts: settled(12) });
    expect(await enough.words(PAGE)).toContain(
      '67 % right: 12 settled bets in 12 markets, 8 more right, 4 more wrong; each market counts once',
    );
    const html = await enough.read(PAGE);
    expect(html).toContain('<meta name="robots" content="noindex" />');
  });

  test('leads to the profile and the chain, and has the address to copy', async () => {
    const { read } = await startObserved({ alerts: settled(1) });
    const html = await read(PAGE);
    for (const part of [
      `<code>${WALLET}</code>`,
      `data-copy="${WALLET}"`,
      `href="https://polymarket.com/profile/${WALLET}"`,
      `href="https://polygonscan.com/address/${WALLET}"`,
      '/assets/site.js',
    ])
      expect(html).toContain(part);
  });

  test('names its newest positions, and leads to the other alerts', async () => {
    const { read, words } = await startObserved({ alerts: settled(60) });
    expect(await words(PAGE)).toContain('Bets: the newest 20 of 60 ');
    const html = await read(PAGE);
    expect(html.match(/<article/g)).toHaveLength(20);
    expect(html.length).toBeLessThan(40_000);
    expect(await words(PAGE)).toContain('$100,000 put in, in the newest 50 bets');
  });

  test('lists the clusters that it is a member of, also where it has no alert of its own', async () => {
    const { words, read } = await startObserved({ alerts: [clusterAt(1)] });
    expect(await words(PAGE)).toContain(
      'Clusters 72 3 wallets, $9,000 on Yes at 40¢ to win $3,000 Will the measure pass?',
    );
    const ids = [...(await read(PAGE)).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual([...new Set(ids)]);
    const other = `0x${'cd'.repeat(20)}`;
    const member = { ...clusterAt(1), wallet: '0xaa' };
    const details = { ...member.details, wallets: ['0xaa', other] };
    const joined = await startObserved({ alerts: [{ ...member, details }] });
    expect(await joined.words(`/wallets/${other}`)).toContain(
      'First alert 2026-01-02, as a member of a cluster It has no alert of its own: it is a member of clusters.',
    );
  });

  test('a hidden wallet has none, and looks like one that is not known', async () => {
    const { read, page, clock, database } = await startObserved({ alerts: settled(1) });
    await database.hiddenWallets.add({ wallet: WALLET, reason: 'asked for', at: minute(0) });
    await clock.jump(MINUTE_MS + 1);
    const unknown = await page(`/wallets/0x${'cd'.repeat(20)}`);
    expect([(await page(PAGE)).status, await read(PAGE)]).toEqual([404, unknown.text]);
  });
});
