import { describe, expect, test } from 'vitest';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { MINUTE_MS } from '../../src/core/base/time/duration.ts';
import { exitOf } from '../support/alerts.ts';
import { storeExits } from '../support/stored.ts';
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

const idsIn = (html: string) => [...html.matchAll(/id="alert-(\d+)-row"/g)].map(([, id]) => Number(id));

describe('the page of a wallet', () => {
  test('lists each of its bets once, losses first, then what is open, then gains, with what sales brought', async () => {
    const { database, words, read, clock } = await startObserved({
      alerts: [
        ...position(1, { marketId: '0xm1' }),
        ...position(3, { resolution: WON }),
        ...position(5, { resolution: LOST }),
        alertAt(7, { id: 7, wallet: WALLET, marketId: '0xm7' }),
        alertAt(8, { id: 8, wallet: WALLET, marketId: '0xm8', resolution: LOST }),
      ],
      orders: [{ at: minute(9), price: 0.45 }],
    });
    await clock.jump(5 * MINUTE_MS);
    expect(idsIn(await read(PAGE))).toEqual([6, 8, 7, 2, 4]);
    await storeExits(
      database,
      exitOf({ number: 1, threadId: 5, alertIds: [5, 6], wallet: WALLET, createdAt: minute(8) }),
    );
    await clock.jump(2 * MINUTE_MS);
    expect(idsIn(await read(PAGE))).toEqual([8, 7, 2, 4, 6]);
    expect(await words(PAGE)).toContain('$4,000 on Yes at 40¢ to win $6,000');
    expect(await read(PAGE)).toContain(`<a href="/?wallet=${WALLET}#list" rel="nofollow">All 8 alerts</a>`);
  });

  test('has the sums of the bets that it lists: put in, right, wrong, and what was won on what was held', async () => {
    const few = await startObserved({ alerts: settled(9) });
    expect(await few.words(PAGE)).toContain(
      '1 day old at its first alert, 2026-01-02 $18,000 put in, in 9 bets 9 settled bets: 6 right, 3 wrong, +$12,000 on what was held: too few to judge',
    );
    const enough = await startObserved({ alerts: settled(12) });
    const html = await enough.read(PAGE);
    expect(await enough.words(PAGE)).toContain(
      '12 settled bets: 8 right, 4 wrong, +$16,000 on what was held Bets, losses first',
    );
    expect(html).toContain('<meta name="robots" content="noindex" />');
  });

  test('sums what was held where a part was sold, and says so where trades were missed', async () => {
    const sold = position(1, { marketId: '0xm1', resolution: WON });
    const missed = alertAt(3, { id: 3, wallet: WALLET, marketId: '0xm3', resolution: LOST });
    const details = { ...missed.details, isPositionKnown: false };
    const { database, words, clock } = await startObserved({
      alerts: [...sold, { ...missed, details }],
    });
    await storeExits(database, exitOf({ number: 1, alertIds: [1, 2], wallet: WALLET, createdAt: minute(4) }));
    await clock.jump(5 * MINUTE_MS);
    expect(await words(PAGE)).toContain('2 settled bets: 1 right, 1 wrong, +$400 if held: too few to judge');
  });

  test('leads to the profile and the chain, and has the whole address', async () => {
    const { read } = await startObserved({ alerts: settled(1) });
    const html = await read(PAGE);
    for (const part of [
      `<code class="copy">${WALLET}</code>`,
      `href="https://polymarket.com/profile/${WALLET}"`,
      `href="https://polygonscan.com/address/${WALLET}"`,
      '/assets/site.js',
    ])
      expect(html).toContain(part);
  });

  test('names its newest bets, and leads to the other alerts', async () => {
    const { read, words } = await startObserved({ alerts: settled(60) });
    expect(await words(PAGE)).toContain('Bets, the newest 50 of 60, losses first');
    const html = await read(PAGE);
    expect(idsIn(html)).toHaveLength(50);
    expect(html.length).toBeLessThan(60_000);
    expect(await words(PAGE)).toContain('$100,000 put in, in 50 bets');
  });

  test('lists the clusters that it is a member of, also where it has no alert of its own', async () => {
    const { words, read } = await startObserved({ alerts: [clusterAt(1)] });
    expect(await words(PAGE)).toContain(
      'Clusters Score 72 strong 2026-01-02 now 40¢ +0.0¢ 3 wallets, $9,000 on Yes at 40¢ to win $3,000 Will the measure pass?',
    );
    const ids = [...(await read(PAGE)).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual([...new Set(ids)]);
    const other = `0x${'cd'.repeat(20)}`;
    const member = { ...clusterAt(1), wallet: '0xaa' };
    const details = { ...member.details, wallets: ['0xaa', other] };
    const joined = await startObserved({ alerts: [{ ...member, details }] });
    expect(await joined.words(`/wallets/${other}`)).toContain(
      'First alert 2026-01-02, as a member of a cluster Bets, losses first It has no alert of its own: it is a member of clusters.',
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
