import { describe, expect, test } from 'vitest';
import { DAY_MS, SECOND_MS } from '../../src/core/base/time/duration.ts';
import type { BlindWindow } from '../../src/core/trades/coverage/blind-window.ts';
import { publicationDelays, statusDays } from '../../src/site/pages/status.ts';
import { shareWords, sourceRows } from '../../src/site/pages/status-words.ts';
import { alertOf } from '../support/alerts.ts';
import { START } from '../support/rows.ts';
import { startSite } from '../support/site.ts';
import { wordsOf } from './observed-site.ts';

const FILLED: BlindWindow = {
  id: 'a',
  startedAt: START - 100 * SECOND_MS,
  endedAt: START - 70 * SECOND_MS,
  cause: 'failing',
  backfilledAt: START - 69 * SECOND_MS,
};
const LASTING: BlindWindow = {
  id: 'b',
  startedAt: START - 30_500,
  endedAt: null,
  cause: 'unreachable',
  backfilledAt: null,
};

async function startWatched(windows: readonly BlindWindow[]) {
  const site = await startSite({}, { MARKET_SOURCE: 'polymarket' });
  const { coverage } = site.database;
  await coverage.writePosition({
    since: START - 10 * DAY_MS,
    confirmedUntil: START - (windows.length === 0 ? 0 : 30_500),
    oldestWaiting: null,
  });
  for (const window of windows) await coverage.putWindow(window);
  return { ...site, read: async () => (await site.page('/status')).text.replaceAll(/\s+/g, ' ') };
}

describe('/status', () => {
  test('says that trades are seen which nothing confirms', async () => {
    const unconfirmed = await (await startWatched([{ ...LASTING, cause: 'unconfirmed' }])).read();
    expect(unconfirmed).toContain('The feed sees trades, not confirmed');
  });

  test('says that alerts of new wallets are late while the market gives no facts about them', async () => {
    const { read, site, database } = await startWatched([]);
    const waiting = { facts_delayed: { waiting: 12, since: new Date(START - 20_000).toISOString() } };
    await database.heartbeats.beat({ owner: 'a', roles: ['ingest'], at: START, checks: { waiting } });
    site.feedChanged();
    const text = await read();
    expect(text).toContain('The feed sees the market, but alerts on new wallets are late</h2>');
    expect(text).toContain('12 trades waiting for them');
  });

  test('says first whether the market is seen now, and is another one as soon as that changes', async () => {
    const { read, site, database } = await startWatched([]);
    expect(await read()).toContain('<h2 id="state">The feed sees the market</h2>');
    await database.coverage.putWindow(LASTING);
    site.feedChanged();
    expect(await read()).toContain('<h2 id="state">The feed does not see the market</h2>');
  });

  test('lists blind windows, newest first, with cause, length and whether their trades were read', async () => {
    const text = await (await startWatched([FILLED, LASTING])).read();
    const list = text.slice(text.indexOf('aria-label="Blind windows, newest first"'));
    const lasting = list.indexOf('The market did not answer');
    expect(lasting).toBeGreaterThan(0);
    expect(lasting).toBeLessThan(list.indexOf('The market answered with errors'));
    expect(list).toContain('data-name="Lasted">30.5 s so far</td>');
    expect(list).toMatch(
      /data-name="Lasted">30 s<\/td> ?<td class="text" data-name="Cause">The market answered/,
    );
    expect(text).toMatch(/Yes, at <time datetime="2026-01-01T23:58:51\.000Z"/);
    expect(text).toContain('1 of 11 watched days had a blind window');
  });

  test('says since when the market is watched and not seen, and how much was missed and read again, by cause', async () => {
    const { read } = await startWatched([FILLED, { ...FILLED, id: 'c', backfilledAt: null }, LASTING]);
    const words = wordsOf(await read());
    expect(words).toContain('This has been so since 2026-01-01 23:59 UTC, for 30.5 s.');
    expect(words).toContain('The market has been watched since 2025-12-23 00:00 UTC.');
    expect(words).toContain('is confirmed, except in the windows below');
    expect(words).toContain('The market did not answer. 1 30.5 s 30.5 s');
    expect(words).toContain('The market answered with errors. 2 60 s 30 s');
    expect(words).toContain('Not read again 60.5 s');
    expect(words).toContain('of the 10 days watched in the last 30 days');
  });

  test('says what is not watched: that it is not measured, or its share, never rounded down', async () => {
    const { read, site, database } = await startWatched([]);
    expect(wordsOf(await read())).toMatch(/What is not watched Combos: .* has not been measured/);
    const times = { since: new Date(START - DAY_MS).toISOString(), until: new Date(START).toISOString() };
    const unwatched = {
      ...times,
      blocks: 1_435,
      usdc: 812_345.67,
      combos_share: 0.012_301,
      other_contracts_share: null,
    };
    const trade_sources = {
      ...{ leader: 'node', stream: { open: true } },
      node: { at_head: true, unwatched },
    };
    const beat = { owner: 'host/1', roles: ['ingest'], at: START } as const;
    await database.heartbeats.beat({ ...beat, checks: { trade_sources } });
    site.feedChanged();
    const unknown = wordsOf(await read());
    expect(unknown).toContain('They were 1.24 % of the volume.');
    expect(unknown).toContain('is not known: the node does not search all contracts');
    expect(unknown).toContain(
      'in 1,435 blocks from 2026-01-01 00:00 UTC to 2026-01-02 00:00 UTC, with $812,346',
    );
    trade_sources.node.unwatched = { ...unwatched, other_contracts_share: 0 } as never;
    await database.heartbeats.beat({ ...beat, checks: { trade_sources } });
    site.feedChanged();
    expect(wordsOf(await read())).toContain('They account for 0 % of the volume, including their own.');
  });

  test('covers nothing while the market was never reached, however long it has been watched', async () => {
    const { database, page } = await startSite({}, { MARKET_SOURCE: 'polymarket' });
    const since = START - 2 * DAY_MS;
    await database.coverage.writePosition({ since, confirmedUntil: since, oldestWaiting: null });
    await database.coverage.putWindow({ ...LASTING, startedAt: since, cause: 'refused' });
    const words = wordsOf((await page('/status')).text);
    expect(words).toContain('The feed does not see the market The market refused this address');
    expect(words).toContain('Covered 0 % of the 2 days watched');
    expect(words).toContain('No trade has been confirmed yet.');
    expect(words).not.toContain('100 %');
  });

  test('claims nothing of any day before the first answer of the market', async () => {
    const { database, page } = await startSite({}, { MARKET_SOURCE: 'polymarket' });
    const startedAt = START - 20_000;
    const position = { since: startedAt, confirmedUntil: startedAt, oldestWaiting: null };
    await database.coverage.writePosition(position);
    const { text } = await page('/status');
    expect(text).toContain('The feed has not seen the market yet');
    expect(text).not.toContain('100 %');
    expect(text).not.toContain('Blind windows of');
  });

  test.each([
    ['none', 'This service shows what is stored.'],
    ['replay:tape.jsonl', 'The alerts come from a recorded tape that is being replayed here.'],
  ])('claims nothing with the source %s', async (source, words) => {
    const { page } = await startSite({}, { MARKET_SOURCE: source });
    const { status, text } = await page('/status');
    expect(status).toBe(200);
    expect(text).toContain('No live market is watched');
    expect(text).toContain(words);
    expect(text).not.toContain('class="figures"');
    expect(text).not.toContain('Blind windows of');
  });

  test('measures the delay from trade to alert at the free delay only, and says of how many', async () => {
    const { append, clock, read } = await startWatched([]);
    await append(alertOf({ id: 1, tradedAt: START - 4_200, publishedAt: START, createdAt: START }));
    await clock.advance(299 * SECOND_MS);
    expect(await read()).not.toContain('4.2 s');
    await clock.advance(61 * SECOND_MS);
    const text = await read();
    expect(text).toContain('<dd class="plain">4.2 s</dd>');
    expect(text).toContain('p50 of the last 1 alert');
  });

  test('shows the sources as the process that reads the market reports them', async () => {
    const { database, read } = await startWatched([]);
    const trade_sources = {
      leader: 'node',
      stream: { open: true },
      node: { at_head: true, head_age_seconds: 1 },
    };
    const checks = { trade_sources };
    await database.heartbeats.beat({ owner: 'host/1', roles: ['ingest'], at: START, checks });
    const text = await read();
    expect(wordsOf(text)).toMatch(
      /A Polygon node Orders in the events .*? block\. Up to date\. Confirms nothing\. Leads/,
    );
    expect(text).toContain('None of them is used.');
  });

  test('does not say that the list is read while the process that reads it reports a failure', async () => {
    const { database, read } = await startWatched([]);
    const trade_sources = {
      ...{ leader: 'polling', stream: { open: false }, failure: 'dns' },
    };
    const beat = { owner: 'host/1', roles: ['ingest'], at: START } as const;
    await database.heartbeats.beat({ ...beat, checks: { trade_sources } });
    const list = wordsOf(await read()).split('Polymarket’s list of trades')[1];
    expect(list).toMatch(
      /^ All trades .*? later\. Not read\. The host name of the market could not be resolved/,
    );
    expect(list).not.toContain('Read continuously');
  });

  const LIST = 'All trades that the market lists, some seconds later.';
  const read = { state: 'live', reason: null } as const;
  test.each([
    [
      'the network is down',
      { state: 'live', reason: 'dns' },
      'Not read. The host name of the market could not',
    ],
    ['it asked to wait', { state: 'blind', reason: 'rate_limited' }, 'Not read. The market asked to wait'],
    ['nothing is known', { state: 'unknown', reason: null }, 'Not read yet.'],
    ['no reason is known', { state: 'blind', reason: null }, 'Not read.'],
    [
      'it was missed',
      { state: 'catching_up', reason: null },
      'Being read again from where it was missed. Leads',
    ],
    ['it does not confirm', { state: 'unconfirmed', reason: null }, 'Not read to the end.'],
    ['all is well', read, 'Read continuously. Confirms. Leads'],
  ] as const)('says of the list of trades what it does now: %s', (_, view, words) => {
    const reported = { leader: 'polling', stream: { open: false } } as const;
    const [, , list] = sourceRows(reported, view);
    expect(list?.slice(1, 2)).toEqual([LIST]);
    expect(list?.[2]).toMatch(new RegExp(`^${words}`));
    expect(list?.[2].includes('Leads')).toBe(words.includes('Leads'));
  });

  test.each([
    [{ at_head: false, head_age_seconds: 47 }, 'Behind: its newest block came 47 s ago.'],
    [{ at_head: false, head_age_seconds: 900 }, 'Behind: its newest block came 15 min ago.'],
    [{ at_head: false, head_age_seconds: null }, 'Has shown no block yet.'],
    [
      { at_head: false, paused_until: '2026-01-02T00:10:00.000Z' },
      'Refused requests; asked again at 2026-01-02 00:10 UTC.',
    ],
  ] as const)('a node that does not work leads nothing, and says why: %j', (node, words) => {
    const [row] = sourceRows({ leader: 'node', stream: { open: false }, node }, read);
    expect(row?.[2]).toBe(words);
  });
});

test('the covered share is never rounded up to 100 %', () => {
  expect([0.999_999, 1, null].map(shareWords)).toEqual(['99.99 %', '100 %', '–']);
});

test('delays of publication are those of alerts that were made live, by the nearest rank', () => {
  const delayed = (ms: number, isHistory = false) => ({ tradedAt: 0, publishedAt: ms, isHistory });
  const delays = Array.from({ length: 100 }, (_, index) => delayed((index + 1) * 100));
  const all = [...delays.toReversed(), delayed(1, true)];
  expect(publicationDelays(all)).toEqual({ alerts: 100, p50: 5_000, p95: 9_500 });
  expect(publicationDelays([delayed(700)])).toEqual({ alerts: 1, p50: 700, p95: 700 });
  expect(publicationDelays([delayed(1, true)])).toBeNull();
});

test('a window over midnight counts for both days, a lasting one until now', () => {
  const today = Date.UTC(2026, 0, 2);
  const now = today + DAY_MS / 2;
  const over = { ...FILLED, startedAt: today - 2_000, endedAt: today + 3_000, backfilledAt: null };
  const windows = [{ ...LASTING, startedAt: now - 5_000 }, over];
  const days = statusDays({ windows, since: today - DAY_MS, now }, 3);
  expect(days.map(({ missedMs, unfilledMs, isWatched }) => [missedMs, unfilledMs, isWatched])).toEqual([
    [0, 0, false],
    [2_000, 2_000, true],
    [8_000, 8_000, true],
  ]);
});
