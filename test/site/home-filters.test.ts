import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/core/base/time/duration.ts';
import { alertOf } from '../support/alerts.ts';
import { aged, countIn, NEWEST, startWith } from './listed-bets.ts';
import { WON, wordsOf } from './observed-site.ts';

describe('the filters of the list', () => {
  const alerts = [
    alertOf({ id: 1, category: 'crypto', score: 95 }),
    alertOf({
      ...{ id: 2, category: 'politics', score: 65, type: 'fresh_accumulator' },
      ...{ marketId: '0xm2', resolution: WON },
    }),
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
