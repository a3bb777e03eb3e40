import { describe, expect, test } from 'vitest';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { DAY_MS, HOUR_MS } from '../../src/core/base/time/duration.ts';
import { recordAnswers } from '../../src/http/views/record-report-view.ts';
import { alertOf, exitOf } from '../support/alerts.ts';
import { FREE_DELAY_MS } from '../support/api-server.ts';
import { emptyRecord } from '../support/empty-record.ts';
import { recordReportOf } from '../support/record-report.ts';
import { START } from '../support/rows.ts';
import { startSite } from '../support/site.ts';
import { alertAt, startObserved, WON, wordsOf } from './observed-site.ts';

const LOST = { payout: 0, won: false, profitUsdc: -2_000 };
const NEWEST = '/?sort=newest';
const REASONS: Alert['details']['reasons'] = [
  { factor: 'wallet_age', points: 15, max: 15, note: 'wallet less than a day old' },
  { factor: 'to_win', points: 30, max: 55, note: '$3,000 to win with one order' },
  { factor: 'timing', points: 15, max: 15, note: '6 h before the market ends' },
];

const aged = (id: number, ageMs: number, given: Partial<Alert> = {}): Alert => {
  const at = START - ageMs;
  return alertOf({ id, createdAt: at, publishedAt: at, tradedAt: at, ...given });
};

async function startWith(...alerts: readonly Alert[]) {
  const server = await startSite();
  await server.append(...alerts);
  await server.clock.jump(FREE_DELAY_MS + HOUR_MS);
  const read = async (path = '/') => (await server.page(path)).text;
  const ids = async (path = '/') =>
    [...(await read(path)).matchAll(/<article class="alert" id="alert-(\d+)-row"/g)].map(([, id]) =>
      Number(id),
    );
  return { ...server, read, ids, count: async (path = '/') => countIn(await read(path)) };
}

const countIn = (html: string) => html.match(/<h2 id="list-title" data-live>(.*?)<\/h2>/)?.[1];
const wordsAt = (html: string, id: string) =>
  wordsOf(html.match(new RegExp(`<p [^>]*id="${id}"[^>]*>([\\s\\S]*?)</p>`))?.[1] ?? '');

describe('the first page', () => {
  test('has a row for each bet: score with its word, bet, market, what became of it, reasons, age', async () => {
    const details = { ...alertOf({ id: 1 }).details, reasons: REASONS };
    const { read } = await startWith(
      alertOf({ id: 1, score: 87, resolution: WON, details }),
      alertOf({ id: 2, score: 61, marketId: '0xm2', resolution: LOST }),
      alertOf({ id: 3, score: 12, withdrawn: { at: START, reason: null } }),
    );
    const html = await read();
    const rows = [...html.matchAll(/<article[\s\S]*?<\/article>/g)].map(([row]) => wordsOf(row));
    const [bet, market] = ['$2,000 on Yes at 40¢ to win $3,000', 'Will the measure pass?'];
    expect(rows).toEqual([
      `Score 87 very strong ${bet} ${market} Won $3,000 wallet under a day old · 6 h before close 2026-01-02`,
      `Score 61 strong ${bet} ${market} Lost $2,000 wallet 1 day old 2026-01-02`,
      `Score 12 weak ${bet} ${market} no order since withdrawn by the operator · wallet 1 day old 2026-01-02`,
    ]);
    expect(html).toContain(`<a href="/alerts/3">${bet}</a>`);
    expect(html).toContain('<a href="/markets/will-the-measure-pass"><bdi>Will the measure pass?</bdi></a>');
    expect(html).toContain(`<time datetime="${new Date(START + 3_000).toISOString()}" data-age="recent">`);
  });

  test('names what is watched, and quotes what the record says of results', async () => {
    const shown = async (report: string) => {
      const server = await startSite({ record: { read: () => recordAnswers(report, START) } });
      return (await server.page('/')).text;
    };
    const html = await shown(JSON.stringify(recordReportOf()));
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

  test('says what was sold beside the price now', async () => {
    const { read, database, clock } = await startObserved({ alerts: [alertAt(0, { id: 1 })] });
    await database.exits.append(exitOf({ number: 1, wallet: '0xw', createdAt: START }));
    await clock.jump(FREE_DELAY_MS);
    expect(wordsOf(await read('/'))).toContain('now 40¢ +0.0¢ · sold 60 % at 71¢');
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
    expect(await feed()).toBe('The feed does not see the market since 2026-01-01 23:30 UTC. Status');
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
    expect(await count()).toBe('5 bets in 24 h');
  });

  test('are of 7 days when 24 hours have fewer than five, then of 30, and the page says so', async () => {
    const week = [...many(1, 2, 5 * DAY_MS, 50), ...many(3, 4, HOUR_MS, 40)];
    expect(await (await startWith(...week)).count()).toBe('6 bets in 7 days (4 in 24 h)');
    const month = [...many(1, 4, 20 * DAY_MS, 50), aged(5, 4 * DAY_MS)];
    expect(await (await startWith(...month)).count()).toBe('5 bets in 30 days (0 in 24 h)');
  });

  test('are of the window that is chosen, however few it has', async () => {
    const { count, read } = await startWith(...many(1, 5, 20 * DAY_MS, 50), aged(6, HOUR_MS));
    const windows = async (path: string) =>
      [...(await read(path)).matchAll(/<a href="([^"]*)" rel="nofollow" aria-current="true">([^<]*)</g)].at(
        -1,
      );
    expect(await count('/?days=1')).toBe('1 bet in 24 h');
    expect(await count('/?days=7')).toBe('1 bet in 7 days');
    expect(await count('/?days=30')).toBe('6 bets in 30 days');
    expect((await windows('/?days=7'))?.slice(1)).toEqual(['/?days=7#list', '7 days']);
    expect((await windows('/'))?.slice(1)).toEqual(['/?days=30#list', '30 days']);
  });

  test('are 22 at most, and no page follows', async () => {
    const { count, ids, read } = await startWith(...many(1, 30, HOUR_MS, 50));
    expect(await ids()).toHaveLength(22);
    expect(await count()).toBe('22 of 30 bets in 24 h');
    expect(await read()).not.toContain('rel="next nofollow"');
  });

  test('that match nothing lead to the bets of all times', async () => {
    const { read } = await startWith(aged(1, 40 * DAY_MS));
    expect(wordsOf(await read())).toContain('0 bets in 30 days');
    expect(await read()).toContain('There are no bets yet. <a href="/?sort=newest" rel="nofollow">');
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
      alertAt(3, { ...soon, id: 4, score: 70, resolution: WON }),
    ];
    const { observe, read } = await startObserved({ alerts: bets, endsAt: START + 5 * HOUR_MS });
    await observe({ alerts: bets.slice(0, 1), marketId: '0xm2', endsAt: START + 3 * DAY_MS });
    const html = await read('/?sort=ending');
    expect([...html.matchAll(/id="alert-(\d+)-row"/g)].map(([, id]) => Number(id))).toEqual([3, 2, 1]);
    expect(html.match(/ends in [^<]*/g)).toEqual(['ends in 4 h', 'ends in 4 h', 'ends in 2 days']);
    expect(countIn(html)).toBe('3 open bets');
  });

  test('are none where no market states an end', async () => {
    const { read } = await startWith(alertOf({ id: 1 }));
    expect(wordsOf(await read('/?sort=ending'))).toContain('No open bet is in a market with a stated end.');
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
    expect(await ids('/?min_signal=80')).toEqual([1, 3]);
    expect(await ids('/?resolved=false')).toEqual([1, 3]);
    expect(await ids('/?search=RAIN')).toEqual([3]);
    expect(await ids('/?category=politics&min_signal=80')).toEqual([3]);
  });

  test('name the categories in which something was bet, with the number of bets', async () => {
    const { read } = await startWith(
      aged(1, 40 * DAY_MS, { category: 'tech' }),
      alertOf({ id: 2, category: 'politics' }),
      alertOf({ id: 3, category: 'crypto' }),
      alertOf({ id: 4, category: 'politics' }),
    );
    const chips = (html: string) =>
      wordsOf(/<ul class="chips" aria-label="Category[^>]*>([\s\S]*?)<\/ul>/.exec(html)?.[1] ?? '');
    expect(chips(await read())).toBe('Crypto 1 Politics 2');
    expect(chips(await read('/?category=world'))).toBe('Crypto 1 Politics 2 World 0');
  });

  test('keep each other and the order, and a chosen one leads back', async () => {
    const { read } = await startWith(...alerts);
    const html = await read('/?min_signal=80&category=politics&search=x');
    const chosen = html.split('aria-label="Chosen filters"')[1]?.split('</ul>')[0] ?? '';
    const sheet = html.split('class="filters"')[1]?.split('</nav>')[0] ?? '';
    const back = 'href="/?min_signal=80&amp;search=x#list" rel="nofollow" aria-current="true"';
    expect(chosen).toContain(back);
    expect(wordsOf(chosen)).toMatch(/Politics ×.*Score 80\+ ×.*“x” ×/);
    expect(sheet).toContain(`${back}>Politics 2</a>`);
    expect(sheet).toContain(
      'href="/?category=crypto&amp;min_signal=80&amp;search=x#list" rel="nofollow">Crypto 1</a>',
    );
    expect(html).toContain('No bet matches.');
    expect(await read('/?category=politics&sort=newest')).toContain(
      'href="/?category=crypto&amp;sort=newest#list"',
    );
  });

  test('are in the title, and the list is all that their page has, with the number of matches', async () => {
    const { read, count } = await startWith(...alerts);
    const html = await read('/?category=politics&sort=newest');
    expect(html).toContain('<title>Alerts: Politics, newest · Tipoff</title>');
    expect(html).toContain('<h1 class="hidden">Alerts: Politics, newest</h1>');
    expect(countIn(html)).toBe('2 bets');
    expect(html).not.toContain('class="hero"');
    expect(await read()).toContain('class="hero"');
    expect(await count(NEWEST)).toBe('3 bets');
    expect(await count('/?before_id=2')).toBe('1 older bet');
  });

  test('have one address each: unknown names, and values that mean nothing, are left out', async () => {
    const { read } = await startWith(...alerts);
    const canonical = async (path: string) =>
      (await read(path)).match(/<link rel="canonical" href="https:\/\/api\.example\.com([^"]*)"/)?.[1];
    expect(
      await canonical('/?utm_source=x&category=sport&min_signal=-1&resolved=maybe&search=%20&before_id=x'),
    ).toBe('/');
    expect(await canonical('/?resolved=1&category=politics&category=crypto')).toBe('/?resolved=true');
    expect(await canonical('/?sort=strongest')).toBe('/');
    expect(await canonical('/?sort=win&days=3')).toBe('/');
    expect(await canonical('/?sort=newest&days=7')).toBe(NEWEST);
    expect(await canonical('/?before_id=9&sort=newest')).toBe('/?before_id=9');
    expect(await canonical('/?before_id=9&sort=ending')).toBe('/?sort=ending');
    expect(await canonical(`/?search=${'x'.repeat(201)}&min_signal=80&category=crypto`)).toBe(
      '/?category=crypto&amp;min_signal=80',
    );
  });

  test.each(['search=rain', `wallet=0x${'ab'.repeat(20)}`, 'market=m'])(
    'that name something have all of it, the newest first, unless the strongest are asked for: %s',
    async (named) => {
      const { read } = await startWith(...alerts);
      const current = async (path: string) =>
        (await read(path)).match(/rel="nofollow" aria-current="true">(Strongest|Newest|Ending soon)</)?.[1];
      expect(await current(`/?${named}`)).toBe('Newest');
      expect(await current(`/?${named}&sort=strongest`)).toBe('Strongest');
    },
  );

  test('are for an index, searches, older pages and other orders are not', async () => {
    const { read } = await startWith(...alerts);
    const isIndexed = async (path: string) => !(await read(path)).includes('content="noindex"');
    const paths = ['/', '/?category=politics', '/?search=x', '/?before_id=2', NEWEST, '/?days=7'];
    expect(await Promise.all(paths.map(isIndexed))).toEqual([true, true, false, false, false, false]);
  });

  test('write what a person searched for as text', async () => {
    const { read } = await startWith(...alerts);
    const html = await read(`/?search=${encodeURIComponent('"><script>alert(1)</script>\u202e')}`);
    expect(html).not.toContain('<script>');
    expect(html).not.toContain('\u202e');
  });
});

describe('the pages of the list', () => {
  test('have 22 bets each and lead through all of them', async () => {
    const { read, ids } = await startWith(
      ...Array.from({ length: 60 }, (_, index) => alertOf({ id: index + 1 })),
    );
    const seen: number[] = [];
    let path: string | undefined = NEWEST;
    while (path !== undefined) {
      seen.push(...(await ids(path)));
      path = (await read(path)).match(/<a href="([^"]+)" rel="next nofollow">/)?.[1];
    }
    expect(seen).toEqual(Array.from({ length: 60 }, (_, index) => 60 - index));
    expect((await ids(NEWEST)).length).toBe(22);
    expect(await read('/?before_id=9')).toContain('<a href="/?sort=newest">Newest bets</a>');
  });

  test('skip no bet behind a wallet that bought a hundred times', async () => {
    const many = Array.from({ length: 100 }, (_, index) =>
      alertOf({ id: index + 2, threadId: 2, supersedes: index === 0 ? null : index + 1 }),
    );
    const { read, ids, count } = await startWith(alertOf({ id: 1 }), ...many);
    expect(await ids(NEWEST)).toEqual([101, 1]);
    expect(await count(NEWEST)).toBe('2 bets');
    expect(await read(NEWEST)).not.toContain('rel="next nofollow"');
  });
});
