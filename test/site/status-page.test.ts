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
    expect(await read()).toContain('<h2 class="right" id="state">The feed sees the market</h2>');
    await database.coverage.putWindow(LASTING);
    site.feedChanged();
    expect(await read()).toContain('<h2 class="wrong" id="state">The feed does not see the market</h2>');
  });

  test('lists the last gaps, newest first, with cause, length and whether their trades were read', async () => {
    const unread = { ...FILLED, id: 'c', startedAt: START - 200 * SECOND_MS, backfilledAt: null };
    const { read } = await startWatched([unread, FILLED, LASTING]);
    const list = wordsOf((await read()).split('<ul>').find((part) => part.includes('so far')) ?? '');
    expect(list).toMatch(
      /^2026-01-01 23:59 UTC, 30 s so far\. The market did not answer\. 2026-01-01 23:58 UTC, 30 s\. The market answered with errors\. Read later\. 2026-01-01 23:56 UTC, .+\. The market answered with errors\. Still missing\./,
    );
  });

  test('lists ten gaps at most, and leads to all of them', async () => {
    const gaps = Array.from({ length: 11 }, (_, index): BlindWindow => {
      const startedAt = FILLED.startedAt - index * 3_600 * SECOND_MS;
      return { ...FILLED, id: `gap ${index}`, startedAt, endedAt: startedAt + 30 * SECOND_MS };
    });
    const text = await (await startWatched(gaps)).read();
    expect(text.match(/<li><time/g)).toHaveLength(10);
    expect(text).toContain('<a href="/api/v1/coverage?limit=100">All 11 gaps as JSON</a>');
  });

  test('has a bar for each of 90 days, and counts the days that had a gap', async () => {
    const text = await (await startWatched([FILLED, LASTING])).read();
    expect(text.match(/<rect/g)).toHaveLength(90);
    expect(text.match(/<rect class="muted"/g)).toHaveLength(79);
    expect(text).toContain('The last 90 days: 1 of 11 watched days had a gap.');
  });

  test('shows every day since the first start as a gap while the market was never reached', async () => {
    const { database, page } = await startSite({}, { MARKET_SOURCE: 'polymarket' });
    const since = START - 2 * DAY_MS;
    await database.coverage.writePosition({ since, confirmedUntil: since, oldestWaiting: null });
    await database.coverage.putWindow({ ...LASTING, startedAt: since, cause: 'refused' });
    const words = wordsOf((await page('/status')).text);
    expect(words).toContain('The feed does not see the market The market refused this address');
    expect(words).toContain('2 of 3 watched days had a gap.');
  });

  test('claims nothing of any day before the first answer of the market', async () => {
    const { database, page } = await startSite({}, { MARKET_SOURCE: 'polymarket' });
    const startedAt = START - 20_000;
    const position = { since: startedAt, confirmedUntil: startedAt, oldestWaiting: null };
    await database.coverage.writePosition(position);
    const { text } = await page('/status');
    expect(text).toContain('The feed has not seen the market yet');
    expect(text).not.toContain('The last gaps');
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
    expect(text).not.toContain('The last gaps');
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
