import { describe, expect, test } from 'vitest';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { alertOf } from '../support/alerts.ts';
import { FREE_DELAY_MS } from '../support/api-server.ts';
import { START } from '../support/rows.ts';
import { startSite } from '../support/site.ts';
import { WON, wordsOf } from './observed-site.ts';

const HOUR = 3_600_000;
const LOST = { payout: 0, won: false, profitUsdc: -2_000 };

async function startWith(...alerts: readonly Alert[]) {
  const server = await startSite();
  await server.append(...alerts);
  await server.clock.jump(FREE_DELAY_MS + HOUR);
  const read = async (path = '/') => (await server.page(path)).text;
  const ids = async (path = '/') =>
    [...(await read(path)).matchAll(/<article class="alert" id="alert-(\d+)-row"/g)].map(([, id]) =>
      Number(id),
    );
  return { ...server, read, ids };
}

const part = (html: string, id: string) =>
  wordsOf(html.match(new RegExp(`id="${id}"[^>]*>([\\s\\S]*?)</(?:li|section)>`))?.[1] ?? '');

describe('the first page', () => {
  test('shows each alert with score, trade, market, price since, result, kind and age', async () => {
    const { read } = await startWith(
      alertOf({ id: 1, resolution: WON }),
      alertOf({
        id: 2,
        marketId: '0xm2',
        resolution: LOST,
        category: 'pop_culture',
        type: 'fresh_accumulator',
      }),
      alertOf({ id: 3 }),
    );
    const html = await read();
    const rows = [...html.matchAll(/<article[\s\S]*?<\/article>/g)].map(([row]) => wordsOf(row));
    expect(rows).toEqual([
      '72 $2,000 on Yes at 40¢ to win $3,000 Will the measure pass? 40¢ Open New wallet · 00:00 UTC',
      '72 $2,000 on Yes at 40¢ to win $3,000 Will the measure pass? 40¢, settled at 0¢ Wrong New wallet, 1 buy · 00:00 UTC',
      '72 $2,000 on Yes at 40¢ to win $3,000 Will the measure pass? 40¢, settled at 100¢ Right New wallet · 00:00 UTC',
    ]);
    expect(html).toContain('<a href="/alerts/3">$2,000 on Yes at 40¢ to win $3,000</a>');
    expect(html).toContain('<a href="/markets/will-the-measure-pass"><bdi>Will the measure pass?</bdi></a>');
    expect(html).toContain(`<time datetime="${new Date(START + 3_000).toISOString()}" data-age="recent">`);
  });

  test('says in one line what today has, and what the record says; never a share of right ones alone', async () => {
    const { read } = await startWith(
      alertOf({ id: 1, resolution: WON }),
      alertOf({ id: 2, resolution: LOST }),
      alertOf({ id: 3 }),
    );
    const html = await read();
    expect(part(html, 'today')).toBe('Bets today 3');
    expect(part(html, 'verdict')).toMatch(/Too early to say: 0 of the first 20 .* The record$/);
    expect(html).not.toMatch(/%<|NaN/);
  });

  test('has its alerts below the days of their publication, the newest first', async () => {
    const days = [2, 40, 50, 80].map((hours, index) => {
      const createdAt = START + hours * HOUR;
      return alertOf({ id: index + 1, tradedAt: createdAt, createdAt, publishedAt: createdAt });
    });
    const server = await startWith(...days);
    await server.clock.jump(79 * HOUR);
    const html = await server.read();
    const headings = [...html.matchAll(/<h3 class="day"[^>]*>(.*?)<\/h3>/g)].map(([, text]) =>
      wordsOf(text ?? ''),
    );
    expect(headings).toEqual([
      'Today, 5 January UTC',
      'Yesterday, 4 January UTC',
      '3 January UTC',
      '2 January UTC',
    ]);
    expect(html).toContain('>08:00 UTC</time>');
  });

  test('names a position once a page, by its newest alert, and a cluster with the alert of its order', async () => {
    const later = { threadId: 1, supersedes: 1 };
    const cluster = { ...alertOf({ id: 2 }).details, wallets: ['0xa', '0xb', '0xc'] };
    const { ids, read } = await startWith(
      alertOf({ id: 1 }),
      alertOf({ id: 2, tradedAt: START + 3_000, wallet: '0xb' }),
      alertOf({ id: 3, tradedAt: START + 3_000, wallet: '0xb', type: 'cluster', details: cluster }),
      alertOf({ id: 4, ...later }),
    );
    expect(await ids()).toEqual([4, 3, 2]);
    const html = await read();
    expect(html).toContain('<p class="notes">same bet as <a href="/alerts/1">alert 1</a></p>');
    expect(html).toContain('<p class="notes">includes <a href="/alerts/2">alert 2</a></p>');
  });

  test('has the markets of the day, and whether the feed sees', async () => {
    const { read } = await startWith(alertOf({ id: 1 }), alertOf({ id: 2 }));
    const html = await read();
    expect(wordsOf(html.match(/<ol class="hot"[^>]*>([\s\S]*?)<\/ol>/)?.[1] ?? '')).toBe(
      'Will the measure pass? 2 bets · $4,000 · mean score 72',
    );
    expect(part(html, 'feed')).toBe('No live market is watched. Status');
  });
});

describe('whether the feed sees', () => {
  test('is said with the time since when it does not', async () => {
    const { page, database, clock } = await startSite({}, { MARKET_SOURCE: 'polymarket' });
    const feed = async () => part((await page('/')).text, 'feed');
    expect(await feed()).toBe('The feed has not seen the market yet. Status');
    await database.coverage.writePosition({
      since: START - HOUR,
      confirmedUntil: START - HOUR / 2,
      oldestWaiting: null,
    });
    await clock.advance(61_000);
    expect(await feed()).toBe('The feed does not see the market since 2026-01-01 23:30 UTC. Status');
  });
});

describe('the filters of the list', () => {
  const alerts = [
    alertOf({ id: 1, category: 'crypto', score: 95 }),
    alertOf({ id: 2, category: 'politics', score: 65, type: 'fresh_accumulator', resolution: WON }),
    alertOf({ id: 3, category: 'politics', score: 85, eventTitle: 'Will it rain?' }),
  ];

  test('are links that need no script: category, kind, score, result and search', async () => {
    const { ids } = await startWith(...alerts);
    expect(await ids('/?category=politics')).toEqual([3, 2]);
    expect(await ids('/?alert_type=fresh_accumulator')).toEqual([2]);
    expect(await ids('/?min_signal=80')).toEqual([3, 1]);
    expect(await ids('/?resolved=false')).toEqual([3, 1]);
    expect(await ids('/?search=RAIN')).toEqual([3]);
    expect(await ids('/?category=politics&min_signal=80')).toEqual([3]);
  });

  test('keep each other, and a chosen one leads back', async () => {
    const { read } = await startWith(...alerts);
    const html = await read('/?min_signal=80&category=politics&search=x');
    const [chosen = '', sheet = ''] = html.split('<details');
    const back = 'href="/?min_signal=80&amp;search=x#list" rel="nofollow" aria-current="true"';
    expect(chosen).toContain(back);
    expect(wordsOf(chosen.split('aria-label="Chosen"')[1] ?? '')).toMatch(/Politics ×.*Score 80\+ ×.*“x” ×/);
    expect(sheet).toContain(`${back}>Politics</a>`);
    expect(sheet).toContain(
      'href="/?category=crypto&amp;min_signal=80&amp;search=x#list" rel="nofollow">Crypto</a>',
    );
    expect(html).toContain('<input type="hidden" name="category" value="politics" />');
    expect(html).toContain('No alert matches.');
  });

  test('are in the title, and the list is all that their page has, with the number of matches', async () => {
    const { read } = await startWith(...alerts);
    const html = await read('/?category=politics');
    expect(html).toContain('<title>Alerts: Politics · Tipoff</title>');
    expect(html).toContain('<h1 class="hidden">Alerts: Politics</h1>');
    expect(html).toContain('<h2 id="list-title" data-live>2 bets</h2>');
    expect(html).not.toContain('class="hero"');
    expect(await read()).toContain('class="hero"');
    expect(await read()).toContain('<h2 id="list-title" data-live>3 bets</h2>');
    expect(await read('/?before_id=2')).toContain('<h2 id="list-title" data-live>1 older bet</h2>');
  });

  test('keep an order, and an order keeps them', async () => {
    const { read } = await startWith(...alerts);
    const html = await read('/?category=politics&sort=strongest');
    expect(html).toContain('<title>Alerts: Politics, strongest first · Tipoff</title>');
    expect(html).toContain(
      '<a href="/?category=politics&amp;sort=strongest#list" rel="nofollow" aria-current="true">Strongest</a>',
    );
    expect(html).toContain('<a href="/?category=politics#list" rel="nofollow">Newest</a>');
    expect(html).toContain('href="/?category=crypto&amp;sort=strongest#list"');
    expect(html).toContain('<input type="hidden" name="sort" value="strongest" />');
  });

  test('have one address each: unknown names and values that mean nothing are left out', async () => {
    const { read } = await startWith(...alerts);
    const canonical = async (path: string) =>
      (await read(path)).match(/<link rel="canonical" href="https:\/\/api\.example\.com([^"]*)"/)?.[1];
    expect(
      await canonical('/?utm_source=x&category=sport&min_signal=-1&resolved=maybe&search=%20&before_id=x'),
    ).toBe('/');
    expect(await canonical('/?resolved=1&category=politics&category=crypto')).toBe('/?resolved=true');
    expect(await canonical('/?sort=newest')).toBe('/');
    expect(await canonical('/?before_id=9&sort=win')).toBe('/?sort=win');
    expect(await canonical(`/?search=${'x'.repeat(201)}&min_signal=80&category=crypto`)).toBe(
      '/?category=crypto&amp;min_signal=80',
    );
  });

  test('are for an index, searches, older pages and other orders are not', async () => {
    const { read } = await startWith(...alerts);
    const isIndexed = async (path: string) => !(await read(path)).includes('content="noindex"');
    expect(
      await Promise.all(
        ['/', '/?category=politics', '/?search=x', '/?before_id=2', '/?sort=win'].map(isIndexed),
      ),
    ).toEqual([true, true, false, false, false]);
  });

  test('write what a person searched for as text', async () => {
    const { read } = await startWith(...alerts);
    const html = await read(`/?search=${encodeURIComponent('"><script>alert(1)</script>\u202e')}`);
    expect(html).not.toContain('<script>');
    expect(html).not.toContain('\u202e</h1>');
    expect(html).toContain('value="&quot;&gt;&lt;script&gt;');
  });
});

describe('an order of the list', () => {
  const details = (toWinUsdc: number) => ({ ...alertOf({ id: 1 }).details, toWinUsdc });

  test('has the highest score, the most to win, or the most put in first, and a position once', async () => {
    const { ids, read } = await startWith(
      alertOf({ id: 1, score: 90, details: details(5_000) }),
      alertOf({ id: 2, score: 50, details: details(9_000), supersedes: 1, threadId: 1 }),
      alertOf({ id: 3, score: 70, usdc: 9_000, details: details(1_000) }),
      alertOf({ id: 4, score: 90, details: details(7_000) }),
    );
    expect(await ids('/?sort=strongest')).toEqual([4, 3, 2]);
    expect(await ids('/?sort=win')).toEqual([2, 4, 3]);
    expect(await ids('/?sort=put_in')).toEqual([3, 4, 2]);
    expect(await read('/?sort=win')).toContain('data-live>3 bets in 30 days</h2>');
  });

  test('is one page: the first 22 of the last 30 days', async () => {
    const createdAt = START - 31 * 24 * HOUR;
    const old = alertOf({ id: 1, score: 100, createdAt, publishedAt: createdAt, tradedAt: createdAt });
    const newer = Array.from({ length: 30 }, (_, index) => alertOf({ id: index + 2, score: index }));
    const { ids, read } = await startWith(old, ...newer);
    expect(await ids('/?sort=strongest')).toEqual(Array.from({ length: 22 }, (_, index) => 31 - index));
    const html = await read('/?sort=strongest&before_id=9');
    expect(html).toContain('data-live>Top 22 of 30 bets in 30 days</h2>');
    expect(html).not.toContain('rel="next nofollow"');
  });
});

describe('the pages of the list', () => {
  test('have 22 alerts each and lead through all of them', async () => {
    const { read, ids } = await startWith(
      ...Array.from({ length: 60 }, (_, index) => alertOf({ id: index + 1 })),
    );
    const seen: number[] = [];
    let path: string | undefined = '/';
    while (path !== undefined) {
      seen.push(...(await ids(path)));
      path = (await read(path)).match(/<a href="([^"]+)" rel="next nofollow">/)?.[1];
    }
    expect(seen).toEqual(Array.from({ length: 60 }, (_, index) => 60 - index));
    expect((await ids()).length).toBe(22);
  });

  test('skip no position behind a wallet that bought a hundred times', async () => {
    const many = Array.from({ length: 100 }, (_, index) =>
      alertOf({ id: index + 2, threadId: 2, supersedes: index === 0 ? null : index + 1 }),
    );
    const { read, ids } = await startWith(alertOf({ id: 1 }), ...many);
    expect(await ids()).toEqual([101, 1]);
    const html = await read();
    expect(html).toContain('<h2 id="list-title" data-live>2 bets</h2>');
    expect(html).not.toContain('rel="next nofollow"');
  });
});
