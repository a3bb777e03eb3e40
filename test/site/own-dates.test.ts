import { describe, expect, test } from 'vitest';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/base/time/duration.ts';
import { alertOf } from '../support/alerts.ts';
import { START } from '../support/rows.ts';
import { startSite } from '../support/site.ts';
import { partOf, WON, wordsOf } from './observed-site.ts';

const on = (market: number, at: number, given: Partial<Alert> = {}) =>
  alertOf({
    id: market,
    ...{ marketId: `0xm${market}`, eventTitle: `Market ${market}?`, eventSlug: `market-${market}` },
    ...{
      wallet: `0x${String(market).repeat(40)}`,
      createdAt: at,
      publishedAt: at,
      tradedAt: at,
      detectedAt: at,
    },
    ...given,
  });

/** Three alerts of one day; the second is settled. The newest is `ageMs` old. */
async function startWith(source: string, ageMs: number) {
  const server = await startSite({}, { MARKET_SOURCE: source });
  const at = START - ageMs;
  await server.append(
    on(1, at - 2 * HOUR_MS),
    on(2, at - HOUR_MS, { resolution: WON }),
    on(3, at, { score: 90 }),
  );
  const part = async (path: string, id: string) => wordsOf(partOf((await server.page(path)).text, id));
  const json = async (path: string) => JSON.parse((await server.page(`/api/v1${path}`)).text);
  return { ...server, part, json };
}

describe('windows end at the newest alert of a tape, which is named', () => {
  test.for([
    ['of 2022', 'replay:midterms.jsonl', START - Date.UTC(2022, 10, 10, 12), '2022-11-10'],
    ['of six weeks ago', 'replay:autumn.jsonl', 42 * DAY_MS, '2025-11-21'],
    ['that ended 25 hours ago', 'tail:growing.jsonl', 25 * HOUR_MS, '2025-12-31'],
    ['from before a year without a market', 'replay:old.jsonl', 20 * 365 * DAY_MS, '2006-01-07'],
  ] as const)('of one %s', async ([, source, ageMs, day]) => {
    const { part, json } = await startWith(source, ageMs);
    expect(await part('/', 'list')).toContain(`3 bets to ${day}`);
    expect(await part('/?days=1', 'list')).toContain(`3 bets to ${day}`);
    expect(await part('/markets', 'open')).toContain('Market 3?');
    expect(await part('/markets', 'settled-list')).toContain('Market 2?');
    const { most_alerts: hot } = await json('/hot-markets?period=1h');
    expect(hot.map((market: { event_slug: string }) => market.event_slug)).toEqual(['market-2', 'market-3']);
  });
});

test.for([
  ['a tape that plays now', 'replay:moved.jsonl', HOUR_MS],
  ['a live market', 'polymarket', HOUR_MS],
] as const)('of %s windows end now, and have no date', async ([, source, ageMs]) => {
  const { part } = await startWith(source, ageMs);
  expect(await part('/', 'list')).toMatch(/3 bets 24 h /);
});

test('the windows of a live market that is silent for two days still end now', async () => {
  const { part } = await startWith('polymarket', 2 * DAY_MS + MINUTE_MS);
  expect(await part('/?days=1', 'list')).toMatch(/0 bets 24 h /);
});
