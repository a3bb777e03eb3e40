import { describe, expect, test } from 'vitest';
import { DAY_MS, SECOND_MS } from '../../src/core/base/time/duration.ts';
import type { BlindWindow } from '../../src/core/trades/coverage/blind-window.ts';
import { statusDays } from '../../src/site/pages/status.ts';
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

const REPORT = { owner: 'host/1', at: START, address: 'http://localhost' };

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
    await database.worker.put({ ...REPORT, checks: { waiting } });
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
    await database.worker.put({ ...REPORT, checks: { trade_sources } });
    site.feedChanged();
    const unknown = wordsOf(await read());
    expect(unknown).toContain('They were 1.24 % of the volume.');
    expect(unknown).toContain('is not known: the node does not search all contracts');
    expect(unknown).toContain(
      'in 1,435 blocks from 2026-01-01 00:00 UTC to 2026-01-02 00:00 UTC, with $812,346',
    );
    trade_sources.node.unwatched = { ...unwatched, other_contracts_share: 0 } as never;
    await database.worker.put({ ...REPORT, checks: { trade_sources } });
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
    expect(text).not.toContain('Blind windows of');
  });
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
