import { describe, expect, test } from 'vitest';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { DAY_MS, HOUR_MS } from '../../src/core/base/time/duration.ts';
import type { RecordReport } from '../../src/core/record/record-report.ts';
import { alertOf, exitOf } from '../support/alerts.ts';
import { FREE_DELAY_MS } from '../support/api-server.ts';
import { emptyRecord } from '../support/empty-record.ts';
import { readRecord, recordReportOf } from '../support/record-report.ts';
import { START } from '../support/rows.ts';
import { startSite } from '../support/site.ts';
import { storeExits } from '../support/stored.ts';
import { aged, countIn, startWith } from './listed-bets.ts';
import { alertAt, startObserved, WON, wordsOf } from './observed-site.ts';

const LOST = { payout: 0, won: false, profitUsdc: -2_000 };
const REASONS: Alert['details']['reasons'] = [
  { factor: 'wallet_age', points: 15, max: 15, note: 'wallet under a day old' },
  { factor: 'to_win', points: 30, max: 55, note: '$3,000 to win with one order' },
  { factor: 'timing', points: 15, max: 15, note: '6 h before close' },
];

const wordsAt = (html: string, id: string) =>
  wordsOf(html.match(new RegExp(`<p [^>]*id="${id}"[^>]*>([\\s\\S]*?)</p>`))?.[1] ?? '');

describe('the first page', () => {
  test('has a row for each bet: score with its word, age, what became of it, bet, market, reasons', async () => {
    const details = { ...alertOf({ id: 1 }).details, reasons: REASONS };
    const { read } = await startWith(
      alertOf({ id: 1, score: 87, resolution: WON, details }),
      alertOf({ id: 2, score: 61, marketId: '0xm2', resolution: LOST }),
      alertOf({ id: 3, score: 12, marketId: '0xm3', withdrawn: { at: START, reason: null } }),
    );
    const html = await read();
    const rows = [...html.matchAll(/<article[\s\S]*?<\/article>/g)].map(([row]) => wordsOf(row));
    const [bet, market] = ['$2,000 on Yes at 40¢ to win $3,000', 'Will the measure pass?'];
    expect(rows).toEqual([
      `Score 87 very strong 2026-01-02 Won $3,000 ${bet} ${market} wallet under a day old · 6 h before close`,
      `Score 61 strong 2026-01-02 Lost $2,000 ${bet} ${market} wallet 1 day old`,
      `Score 12 weak 2026-01-02 no order since ${bet} ${market} withdrawn by the operator · wallet 1 day old`,
    ]);
    expect(html).toContain(`<a href="/alerts/3">${bet}</a>`);
    expect(html).toContain('<a href="/markets/will-the-measure-pass"><bdi>Will the measure pass?</bdi></a>');
    expect(html).toContain(`<time datetime="${new Date(START + 3_000).toISOString()}" data-age="recent">`);
  });

  test('names what is watched, and quotes what the record says of results', async () => {
    const shown = async (report: RecordReport) => {
      const server = await startSite({ record: readRecord(report) });
      return (await server.page('/')).text;
    };
    const html = await shown(recordReportOf());
    expect(html).toContain('<h1>Suspicious bets on Polymarket, followed to their result</h1>');
    expect(wordsAt(html, 'verdict')).toBe(
      '3 of 8 settled bets were right (38%). Breaking even at those prices took 41%. The record',
    );
    expect(wordsAt(await shown(emptyRecord()), 'verdict')).toBe(
      'No settled bet is in the record yet. The record',
    );
  });

  test('names a bet once, by its newest alert', async () => {
    const { ids } = await startWith(
      alertOf({ id: 1 }),
      alertOf({ id: 2, wallet: '0xb' }),
      alertOf({ id: 3, threadId: 1, supersedes: 1 }),
    );
    expect(await ids()).toEqual([3, 2]);
  });

  test('lists no bets by the address of a hidden wallet, whole, shortened or as a search', async () => {
    const wallet = `0x872c${'0'.repeat(32)}41f0`;
    const { read, ids, database } = await startWith(alertOf({ id: 1, wallet }));
    await database.hiddenWallets.add({ wallet, reason: 'asked for', at: START });
    for (const query of [`wallet=${wallet}`, `search=${wallet}`, 'search=0x872c…41f0'])
      expect(await read(`/?${query}`)).not.toContain('id="alert-1-row"');
    expect(await ids()).toEqual([1]);
  });

  test('says what was sold beside the price now', async () => {
    const { read, database, clock } = await startObserved({ alerts: [alertAt(0, { id: 1 })] });
    await storeExits(database, exitOf({ number: 1, wallet: '0xw', createdAt: START }));
    await clock.jump(FREE_DELAY_MS);
    expect(wordsOf(await read('/'))).toContain('now 40¢ +0.0¢ · sold 60% at 71¢');
  });

  test('says on a live service whether the feed sees the market, and since when it does not', async () => {
    const { page, database, clock } = await startSite({}, { MARKET_SOURCE: 'polymarket' });
    const feed = async () => wordsAt((await page('/')).text, 'feed');
    expect(await feed()).toBe('The feed has not seen the market yet. Status');
    await database.coverage.writePosition({
      since: START - HOUR_MS,
      confirmedUntil: START - HOUR_MS / 2,
      oldestWaiting: null,
    });
    await clock.advance(61_000);
    expect(await feed()).toBe('The feed does not see the market (since 2026-01-01 23:30 UTC). Status');
    const { page: other } = await startSite();
    expect((await other('/')).text).not.toContain('id="feed"');
  });
});

describe('the strongest', () => {
  const many = (first: number, count: number, ageMs: number, score: number) =>
    Array.from({ length: count }, (_, index) => aged(first + index, ageMs - index, { score }));

  test('are those of 24 hours, the highest score first, of equal ones the newest', async () => {
    const { ids, count } = await startWith(
      aged(1, 2 * DAY_MS, { score: 99 }),
      ...many(2, 4, 3 * HOUR_MS, 50),
      aged(6, HOUR_MS, { score: 90 }),
    );
    expect(await ids()).toEqual([6, 5, 4, 3, 2]);
    expect(await count()).toBe('5 bets');
  });

  test('are of 7 days when 24 hours have fewer than five, then of 30, and the page says so', async () => {
    const week = [...many(1, 2, 5 * DAY_MS, 50), ...many(3, 4, HOUR_MS, 40)];
    expect(await (await startWith(...week)).count()).toBe('6 bets (4 in 24 h)');
    const month = [...many(1, 4, 20 * DAY_MS, 50), aged(5, 4 * DAY_MS)];
    expect(await (await startWith(...month)).count()).toBe('5 bets (0 in 24 h)');
  });

  test('are of the window that is chosen, however few it has', async () => {
    const { count, read } = await startWith(...many(1, 5, 20 * DAY_MS, 50), aged(6, HOUR_MS));
    const windows = async (path: string) =>
      [...(await read(path)).matchAll(/<a href="([^"]*)" rel="nofollow" aria-current="true">([^<]*)</g)].at(
        -1,
      );
    expect(await count('/?days=1')).toBe('1 bet');
    expect(await count('/?days=7')).toBe('1 bet');
    expect(await count('/?days=30')).toBe('6 bets');
    expect((await windows('/?days=7'))?.slice(1)).toEqual(['/?days=7#list', '7 days']);
    expect((await windows('/'))?.slice(1)).toEqual(['/?days=30#list', '30 days']);
  });

  test('are 22 at most, and no page follows', async () => {
    const { count, ids, read } = await startWith(...many(1, 30, HOUR_MS, 50));
    expect(await ids()).toHaveLength(22);
    expect(await count()).toBe('22 of 30 bets');
    expect(await read()).not.toContain('rel="next nofollow"');
  });

  test('that match nothing lead to the bets of all times', async () => {
    const { read } = await startWith(aged(1, 40 * DAY_MS));
    expect(wordsOf(await read())).toContain('0 bets 24 h 7 days 30 days');
    expect(await read()).toContain('There are none in this window. <a href="/?sort=newest" rel="nofollow">');
  });
});

describe('bets in markets that end soon', () => {
  test('are the open ones, by the stated end, the strongest of a market first, with the time that is left', async () => {
    const [soon, late] = [
      { marketId: '0xm1', eventSlug: 'soon' },
      { marketId: '0xm2', eventSlug: 'late' },
    ];
    const bets = [
      alertAt(0, { ...late, id: 1 }),
      alertAt(1, { ...soon, id: 2, score: 50 }),
      alertAt(2, { ...soon, id: 3, score: 60 }),
      alertAt(3, { marketId: '0xm3', eventSlug: 'settled', id: 4, score: 70, resolution: WON }),
    ];
    const endsAt = START + 5 * HOUR_MS;
    const { observe, read } = await startObserved({ alerts: bets, endsAt });
    await observe({ alerts: bets.slice(3), marketId: '0xm3', endsAt });
    await observe({ alerts: bets.slice(0, 1), marketId: '0xm2', endsAt: START + 3 * DAY_MS });
    const html = await read('/?sort=ending');
    expect([...html.matchAll(/id="alert-(\d+)-row"/g)].map(([, id]) => Number(id))).toEqual([3, 2, 1]);
    expect(html.match(/ends in [^<]*/g)).toEqual(['ends in 4 h', 'ends in 4 h', 'ends in 2 days']);
    expect(countIn(html)).toBe('3 open bets');
  });

  test('are 22 at most, of a number that is named', async () => {
    const alerts = Array.from({ length: 24 }, (_, index) => alertAt(index, { id: index + 1 }));
    const { read } = await startObserved({ alerts, endsAt: START + 5 * HOUR_MS });
    expect(countIn(await read('/?sort=ending'))).toBe('22 of 24 open bets');
  });

  test('are none where no market states an end that is to come, and all bets are one link away, with the same filter', async () => {
    const { read } = await startObserved({ alerts: [alertAt(0, { id: 1 })], endsAt: START - HOUR_MS });
    const html = await read('/?sort=ending&category=politics');
    expect(wordsOf(html)).toContain(
      'No open bet ends soon Those that are open are past the stated end of their market, or it states none. All bets',
    );
    expect(html).toContain('<a href="/?category=politics&amp;sort=newest" rel="nofollow">All bets</a>');
  });
});
