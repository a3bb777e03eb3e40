import { describe, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../src/core/base/time/duration.ts';
import { FREE_DELAY_MS } from '../support/api-server.ts';
import { settleMarket } from '../support/stored.ts';
import { alertAt, minute, startObserved, wordsOf } from './observed-site.ts';

const PAGE = '/markets/will-the-measure-pass';
const [ANN, BEN] = ['a', 'b'].map((digit) => `0x${digit.repeat(40)}`) as [string, string];
const titlesOf = (chart: string) => [
  ...new Set(Array.from(chart.matchAll(/<title>([^<]*)/g), ([, title]) => title)),
];

describe('the page of a market', () => {
  test('shows the price now and over time with all alerts, and the bets with their sums, the largest first', async () => {
    const second = alertAt(1, { id: 2, wallet: ANN, threadId: 1, supersedes: 1 }, { price: 0.5 });
    const { read, words } = await startObserved({
      alerts: [
        alertAt(0, { id: 1, wallet: ANN }),
        {
          ...second,
          details: { ...second.details, marketBuyCount: 2, marketTotalBought: 4_000, marketAvgPrice: 0.4444 },
        },
        alertAt(
          2,
          { id: 3, wallet: BEN, usdc: 100, details: { ...second.details, marketTotalBought: 100 } },
          { price: 0.45, outcome: 1 },
        ),
      ],
      endsAt: minute(60 * 24),
    });
    const text = await words(PAGE);
    for (const part of [
      'Markets · Politics Follow',
      'Will the measure pass? Yes now 55¢ Market on Polymarket 2 bets: $4,000 on Yes, $100 on No Stated end 2026-01-03 00:00 UTC',
      'Bets, the largest first Score 72 strong 2026-01-02 now 55¢ +10.6¢ $4,000 on Yes at 44.4¢ to win $1,000',
    ])
      expect(text).toContain(part);
    const html = await read(PAGE);
    // One chart, on the scale of Yes: the alert on No is at 1 minus its price, in its own words and look.
    const [chart = '', ...others] = html.split('<price-chart').slice(1);
    expect(others).toEqual([]);
    expect(titlesOf(chart)).toEqual([
      'Alert 1: $2,000 put in by 2026-01-02 00:00 UTC',
      'Alert 2: $4,000 put in by 2026-01-02 00:01 UTC',
      'Alert 3: $100 put in on No by 2026-01-02 00:02 UTC',
    ]);
    expect(wordsOf(chart)).toContain('bought Yes: open bought No: open');
    expect(wordsOf(chart)).toContain('last 55¢');
    expect([...html.matchAll(/id="alert-(\d+)-row"/g)].map(([, id]) => id)).toEqual(['2', '3']);
    expect(html).not.toContain('name="robots"');
    expect(html).toContain(`<link rel="canonical" href="https://api.example.com${PAGE}" />`);
  });

  test('of a settled market names the winner, or what each outcome paid, when that has passed the free delay; a correction does not before', async () => {
    const { clock, read, words, database, feed } = await startObserved({
      alerts: [alertAt(0, { id: 1 }), alertAt(1, { id: 2 }, { price: 0.6, outcome: 1 })],
      settledAt: minute(10),
    });
    feed.announceSettlement(await settleMarket(database, { payouts: [0.5, 0.5], at: minute(10) }));
    await clock.jump(minute(10) + FREE_DELAY_MS - 1 - clock.now());
    expect(await words(PAGE)).not.toContain('Settled');
    // The page is made again after a minute.
    await clock.jump(2 * MINUTE_MS);
    expect(await words(PAGE)).toContain(
      'Split: Yes 50¢, No 50¢ Market on Polymarket 2 bets: $2,000 on Yes, $2,000 on No Settled 2026-01-02 00:10 UTC',
    );
    // Prices end at the free delay; what was paid is marked as soon as it is said.
    const settled = await read(PAGE);
    expect(settled.match(/paid 50¢<\/text/g)).toHaveLength(1);
    expect(settled).not.toContain('>last ');
    feed.announceSettlement(await settleMarket(database, { payouts: [0, 1], at: clock.now() }));
    await clock.jump(FREE_DELAY_MS - 1);
    expect(await words(PAGE)).toContain('Split: Yes 50¢, No 50¢');
    await clock.jump(2 * MINUTE_MS);
    expect(await words(PAGE)).toContain('No won Market on Polymarket');
  });

  test('shows nothing of an alert before the free delay: no row, count, price or mark', async () => {
    const { append, page, read, clock } = await startObserved({
      alerts: [alertAt(0, { id: 1, wallet: ANN })],
      orders: [{ at: minute(1), price: 0.73 }],
    });
    await append(alertAt(1, { id: 2, wallet: BEN }, { price: 0.73 }));
    await append(alertAt(1, { id: 3, marketId: '0xm2', eventSlug: 'another' }));
    const early = await read(PAGE);
    for (const hidden of ['/alerts/2', '73¢', '2 bets']) expect(early).not.toContain(hidden);
    expect((await page('/markets/another')).status).toBe(404);
    await clock.jump(MINUTE_MS);
    const later = await read(PAGE);
    for (const shown of ['/alerts/2', '73¢', '2 bets']) expect(later).toContain(shown);
    expect((await page('/markets/another')).status).toBe(200);
  });

  test('of several markets with one address the newest has it; what is no market of an alert has no page', async () => {
    const { read, page } = await startObserved({
      alerts: [
        alertAt(0, { id: 1, eventSlug: 'Ja oder Nein?/é' }),
        alertAt(1, { id: 2, marketId: '0xm2', eventSlug: 'ja oder nein?/é', eventTitle: 'The newer one' }),
      ],
    });
    expect(await read('/markets/ja%20oder%20nein%3F%2F%C3%A9')).toContain('<bdi>The newer one</bdi></h1>');
    for (const none of ['ja', '%20', 'x'.repeat(301)])
      expect((await page(`/markets/${none}`)).status).toBe(404);
  });

  test('is small with hundreds of bets, and leads to the list of all of them', async () => {
    const alerts = Array.from({ length: 300 }, (_, index) =>
      alertAt(0, {
        id: index + 1,
        wallet: `0x${index.toString(16).padStart(40, '0')}`,
        usdc: 1_000 + index,
        eventTitle: 'x'.repeat(300),
      }),
    );
    const { read } = await startObserved({ alerts });
    const first = await read(PAGE);
    expect(first.length).toBeLessThan(50_000);
    const idsOf = (html: string) => [...html.matchAll(/id="alert-(\d+)-row"/g)].map(([, id]) => Number(id));
    expect(idsOf(first)).toEqual([300, 299, 298, 297, 296, 295, 294]);
    const [, all = ''] = /href="([^"]*)#list" rel="nofollow">All 300 bets</.exec(first) ?? [];
    expect(idsOf(await read(all))).toHaveLength(22);
  });

  test('of a market that was settled years ago still shows its prices', async () => {
    const orders = [{ at: minute(1), price: 0.5 }];
    const alerts = [alertAt(0, { id: 1 })];
    const { read, clock } = await startObserved({ alerts, orders, settledAt: minute(2) });
    const lineOf = async () => /class="line" d="([^"]*)"/.exec(await read(PAGE))?.[1];
    await clock.jump(5 * MINUTE_MS);
    const fresh = await lineOf();
    clock.set(3 * 365 * DAY_MS);
    await clock.jump(2 * MINUTE_MS);
    expect(fresh).toMatch(/^M/);
    expect(await lineOf()).toBe(fresh);
  });
});
