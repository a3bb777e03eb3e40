import { describe, expect, test } from 'vitest';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/core/base/time/duration.ts';
import { exitOf } from '../support/alerts.ts';
import { settleMarket, storeExits } from '../support/stored.ts';
import { alertAt, minute, partOf, startObserved, WON, wordsOf } from './observed-site.ts';

const WALLET = `0x${'ab'.repeat(20)}`;
const MEMBERS = Array.from({ length: 100 }, (_, index) => `0x${index.toString(16).padStart(40, '0')}`);
const LOST = { payout: 0, won: false, profitUsdc: -2_000 };

function cluster(given: Partial<Alert> = {}): Alert {
  const alert = alertAt(0, { id: 1, type: 'cluster', wallet: MEMBERS[99] ?? '', ...given });
  return { ...alert, details: { ...alert.details, wallets: MEMBERS, clusterTotal: 90_000 } };
}

describe('the page of an alert', () => {
  test('shows the bet with its score and state, then why, what happened since, the chart, other bets and its entry in the log', async () => {
    const alert = alertAt(0, { id: 1, wallet: WALLET });
    const { read, words, clock, database } = await startObserved({
      alerts: [alert],
      orders: [{ at: minute(4), price: 0.45 }],
    });
    await clock.jump(4 * MINUTE_MS);
    const html = await read('/alerts/1');
    expect(html).toContain('<title>Alert 1: Will the measure pass? · Tipoff</title>');
    expect(html).toContain('<link rel="canonical" href="https://api.example.com/alerts/1" />');
    expect(html).toMatch(
      /<meta property="og:image" content="https:\/\/api\.example\.com\/alerts\/1\.png\?v=/,
    );
    const text = await words('/alerts/1');
    const entry = await database.log.last();
    for (const part of [
      'Score 72, strong · $2,000 on Yes at 40¢ to win $3,000. Open · now 45¢, +5.0¢ since the bet Why',
      'Wallet 1 day old 30 of 30',
      'Since then 2026-01-02 00:00 Traded, and published 10 s later. 2026-01-02 00:04 A follower could pay 45¢. Now 45¢, +5.0¢ since the bet. No sale seen.',
      `Entry 1 of the log, hash ${entry?.hash} · JSON`,
      'No alert names another bet of this wallet.',
    ])
      expect(text).toContain(part);
    for (const link of [
      '/markets/will-the-measure-pass',
      `/wallets/${WALLET}`,
      '/about',
      '/log',
      '/alerts/1.json',
      'https://polymarket.com/event/will-the-measure-pass',
    ])
      expect(html).toContain(`href="${link}"`);
    const order = ['result', 'reasons', 'since', 'price', 'others'];
    const places = order.map((id) => html.indexOf(` id="${id}"`));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(html.indexOf('href="https://polymarket.com/event/'));
  });

  test('lists the later alerts of the same bet by time, the newest four one by one, and names the earlier ones', async () => {
    const thread = Array.from({ length: 9 }, (_, index) =>
      alertAt(index, { id: index + 1, wallet: WALLET, threadId: 1, supersedes: index || null }),
    );
    const { read } = await startObserved({ alerts: thread });
    const html = await read('/alerts/3');
    expect(wordsOf(html)).toContain('Same bet as alerts 1, 2');
    const since = wordsOf(partOf(html, 'since'));
    expect(since).toContain(
      '2026-01-02 00:03 Grew in alerts 4, 5 2026-01-02 00:04 A follower could pay 40¢. 2026-01-02 00:05 Grew to $2,000 at 40¢: alert 6',
    );
    expect(since.match(/: alert \d/g)).toEqual([6, 7, 8, 9].map((id) => `: alert ${id}`));
    expect(wordsOf(await read('/alerts/9'))).not.toContain('Grew');
    expect(wordsOf(await read('/alerts/1'))).not.toContain('Same bet as');
  });

  test('lists other bets of its wallet, losses first, and none of a hidden one', async () => {
    const results = [WON, null, LOST, null, WON, { ...LOST, profitUsdc: -3_000 }];
    const others = results.map((resolution, index) => {
      const id = index + 2;
      const own = { wallet: WALLET, marketId: `0xm${id}`, eventTitle: `Will ${id} pass?`, threadId: id };
      return alertAt(id, { id, ...own, resolution });
    });
    const server = await startObserved({ alerts: [alertAt(0, { id: 1, wallet: WALLET })] });
    await server.append(...others);
    await server.clock.jump(10 * MINUTE_MS);
    const text = wordsOf(partOf(await server.read('/alerts/1'), 'others'));
    expect(text.match(/Will \d pass/g)).toEqual([7, 4, 5].map((id) => `Will ${id} pass`));
    expect(text).toContain('All bets of this wallet');
    await server.database.hiddenWallets.add({ wallet: WALLET, reason: 'asked for', at: minute(0) });
    await server.clock.jump(2 * MINUTE_MS);
    expect(await server.read('/alerts/1')).not.toMatch(/id="others"|0xabab| wallet:0x/);
  });

  test('says what a follower could pay as the record does, or that there was no price', async () => {
    const orders = [
      { at: minute(1), price: 0.9 },
      { at: minute(59), price: 0.44 },
    ];
    const followed = await startObserved({ alerts: [alertAt(0, { id: 1 })], orders });
    await followed.clock.jump(2 * HOUR_MS);
    expect(await followed.words('/alerts/1')).toContain('2026-01-02 00:59 A follower could pay 44¢.');
    const alone = await startObserved({ alerts: [alertAt(0, { id: 1 })] });
    const none = 'No order followed in the next hour, so a follower had no price.';
    expect(await alone.words('/alerts/1')).not.toContain(none);
    await alone.clock.jump(2 * HOUR_MS);
    expect(await alone.words('/alerts/1')).toContain(`2026-01-02 01:00 ${none}`);
  });

  test('says what became of its position: each exit by time, before the settlement, or what is known without one', async () => {
    const { words, database, clock } = await startObserved({
      alerts: [alertAt(0, { id: 1 })],
      settledAt: minute(300),
    });
    expect(await words('/alerts/1')).toContain('No sale seen.');
    await storeExits(database, exitOf({ number: 1 }));
    await clock.jump(4 * HOUR_MS);
    const text = await words('/alerts/1');
    expect(text).toContain('2026-01-02 03:00 Sold 60% at 71¢ after 3 h: +$7,680. Exit 1');
    await storeExits(database, exitOf({ number: 2, tradedAt: minute(240), createdAt: minute(240) }));
    await settleMarket(database, { at: minute(300) });
    await clock.jump(2 * HOUR_MS);
    const settled = await words('/alerts/1');
    expect(settled).toContain('Right · sold 60% at 71¢; won $1,200 on the 40% held');
    expect(settled).toMatch(
      /04:00 Sold 60% .* Exit 2 2026-01-02 05:00 Settled at 100¢, \+60\.0¢ since the bet: won \$1,200 on the 40% held\./,
    );
  });

  test('marks its order in the price, linked, with its result, the exit and the settlement in words', async () => {
    const server = await startObserved({
      alerts: [alertAt(0, { id: 1, outcome: '<No>' }, { outcome: 1 })],
      orders: [minute(30), minute(200)].map((at) => ({ at, price: 0.7, outcome: 1 as const })),
      settledAt: minute(300),
    });
    const exit = exitOf({
      number: 1,
      outcome: '<No>',
      tradedAt: minute(180),
      salePrice: null,
    });
    await storeExits(server.database, exit);
    await settleMarket(server.database, { at: minute(300) });
    await server.clock.jump(6 * HOUR_MS);
    const [, chart = ''] = (await server.read('/alerts/1')).split('<price-chart');
    const mark = /<a class="([^"]*)" href="([^"]*)"[^>]*><title>([^<]*)/.exec(chart)?.slice(1);
    expect(mark).toEqual([
      'mark wrong main',
      '/alerts/1',
      'Alert 1: $2,000 put in by 2026-01-02 00:00 UTC, wrong',
    ]);
    // Points down: an outcome that is not the first of its market.
    expect(chart).toContain('<path d="M0 7 7-6H-7z">');
    const legend = wordsOf(chart.split('<figcaption')[1]?.split('</figcaption')[0] ?? '');
    expect(legend).toContain('bought &lt;No&gt;: wrong sold or hedged settled');
    expect(chart).toMatch(/<title>Hedged [^<]* 2026-01-02 03:00 UTC/);
    expect(chart).toMatch(/<title>Settled: paid 0¢<.*>paid 0¢<\/text>/s);
  });

  test('appears with the free delay, and shows of its thread and price nothing that is younger', async () => {
    const first = alertAt(0, { id: 1, wallet: WALLET });
    const younger = alertAt(3, { id: 2, wallet: WALLET, threadId: 1, supersedes: 1 }, { price: 0.5 });
    const { page, clock, read, append } = await startObserved({
      alerts: [first],
      orders: [
        { at: minute(2), price: 0.44 },
        { at: minute(3), price: 0.5 },
        { at: minute(30), price: 0.9 },
      ],
    });
    await append(younger);
    const early = await read('/alerts/1');
    expect([wordsOf(early).includes('Open · now 40¢'), (await page('/alerts/2')).status]).toEqual([
      true,
      404,
    ]);
    expect(early).not.toContain('/alerts/2');
    expect(early).toContain('No other price is known yet.');
    await clock.jump(3 * MINUTE_MS - 1);
    expect((await page('/alerts/2')).status).toBe(404);
    await clock.advance(1);
    expect((await page('/alerts/2')).status).toBe(200);
    const later = await read('/alerts/1');
    expect(wordsOf(later)).toContain('Now 50¢, +0.0¢ since the bet');
    expect(later).toContain('href="/alerts/2"');
    expect(later).toContain('>40¢ to 50¢, last 50¢ at 2026-01-02 00:03 UTC</span>');
  });

  test('names the members of a cluster, but no hidden wallet', async () => {
    const server = await startObserved({ alerts: [cluster()] });
    const [hidden = ''] = MEMBERS;
    for (const wallet of [hidden, MEMBERS[99] ?? ''])
      await server.database.hiddenWallets.add({ wallet, reason: 'asked for', at: minute(0) });
    const html = await server.read('/alerts/1');
    expect([html.match(/href="\/wallets\//g)?.length, html.includes(hidden)]).toEqual([98, false]);
    expect(wordsOf(html)).toContain('2 hidden wallets');
    expect(html.length).toBeLessThan(50_000);
  });

  test('of a market of which it was not seen when it was settled says what was paid, and no time', async () => {
    const { read } = await startObserved({ alerts: [{ ...alertAt(0, { id: 1 }), resolution: WON }] });
    const html = await read('/alerts/1');
    expect(html).toContain('paid 100¢</text>');
    expect(html).toContain('<title>Settled: paid 100¢</title>');
    expect(html).not.toContain(', known ');
  });

  test('of earlier rules, without a position or prices, states what is known', async () => {
    const alert = { ...alertAt(0, { id: 1 }), marketId: '0xother', resolution: { ...WON, payout: 0.5 } };
    const { words } = await startObserved({ alerts: [alert] });
    const text = await words('/alerts/1');
    expect(text).toContain('Right · won $500');
    expect(text).toContain('The prices of this market were not recorded.');
    expect(text).toContain('At the end Settled at 50¢, +10.0¢ since the bet: won $500.');
  });

  test('says that it was withdrawn, and why, as its row in lists does', async () => {
    const withdrawn = { at: minute(1), reason: 'a test\u202e of <b>markets</b>' };
    const { words, clock } = await startObserved({ alerts: [alertAt(0, { id: 1, withdrawn })] });
    await clock.jump(MINUTE_MS);
    const text = await words('/alerts/1');
    expect(text).toContain('The operator withdrew this alert 2026-01-02 00:01 UTC');
    expect(text).toContain('a test of &lt;b&gt;markets&lt;/b&gt;.');
    expect(await words('/')).toContain('withdrawn by the operator');
  });
});
