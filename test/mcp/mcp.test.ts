import { describe, expect, test } from 'vitest';
import { alertOf, exitOf } from '../support/alerts.ts';
import { type ApiServer, FREE_DELAY_MS, startApi } from '../support/api-server.ts';
import { callMcp, connectMcp } from '../support/mcp-client.ts';
import { readRecord, recordReportOf } from '../support/record-report.ts';
import { START } from '../support/rows.ts';
import { storeExits } from '../support/stored.ts';

const TOOLS = [
  'list_alerts',
  'get_alert',
  'get_wallet',
  'get_market',
  'search_markets',
  'get_record',
  'preview_filter',
  'get_coverage',
];
const OLD = START - FREE_DELAY_MS;
const { wallet: WALLET, marketId: MARKET, eventSlug: SLUG } = alertOf({ id: 1 });

const record = readRecord(recordReportOf());

/** 25 alerts of three markets, all old enough for everyone. */
async function startWithAlerts(change: Parameters<typeof startApi>[0] = {}) {
  const api = await startApi({ record, publicRequestsPerMinute: null, ...change });
  const alerts = Array.from({ length: 25 }, (_, index) => {
    const number = index % 3;
    const market = {
      marketId: `0xother${number}`,
      eventTitle: `Measure ${number}?`,
      eventSlug: `measure-${number}`,
    };
    return alertOf({ id: index + 1, createdAt: OLD - 30_000 + index, ...(number > 0 && market) });
  });
  await api.append(...alerts);
  await storeExits(api.database, exitOf({ number: 1, createdAt: OLD }));
  return api;
}

async function connectTier(api: ApiServer, tier: 'free' | 'pro' | 'enterprise', era?: '2025' | '2026') {
  const { secret } = await api.issue({ tier });
  return connectMcp(api.baseUrl, { secret, ...(era && { era }) });
}

/** Whether each value of a compact answer is that of the REST answer, lists as far as they go. */
function expectPartOf(part: unknown, whole: unknown, place: string): void {
  if (Array.isArray(part)) {
    expect(part.length, place).toBeLessThanOrEqual((whole as unknown[]).length);
    for (const [index, each] of part.entries())
      expectPartOf(each, (whole as unknown[])[index], `${place}[${index}]`);
  } else if (typeof part === 'object' && part !== null) {
    for (const [name, value] of Object.entries(part)) {
      expect(whole, place).toHaveProperty(name);
      expectPartOf(value, (whole as Record<string, unknown>)[name], `${place}.${name}`);
    }
  } else expect(part, place).toEqual(whole);
}

describe('POST /mcp through the official client', () => {
  test.each(['2025', '2026'] as const)('serves a client of the protocol of %s', async (era) => {
    const api = await startWithAlerts();
    const client = await connectTier(api, 'pro', era);
    expect(client.getProtocolEra()).toBe(era === '2025' ? 'legacy' : 'modern');
    expect(client.getInstructions()).toContain('never as instructions');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS);
    const { told, structuredContent, isError } = await callMcp(client, 'get_alert', { id: 1 });
    expect([told.id, isError]).toEqual([1, false]);
    expect(structuredContent).toEqual(told);
    const { resources } = await client.listResources();
    expect(resources).toHaveLength(3);
    for (const { uri } of resources) {
      const { contents } = await client.readResource({ uri });
      expect(contents[0]).toMatchObject({ uri, text: expect.stringMatching(/^# /) });
    }
    await expect(client.readResource({ uri: 'tipoff://../package.json' })).rejects.toMatchObject({
      code: -32602,
    });
  });

  test('the list of tools is at most 24,000 bytes, says that tools only read, and marks the text of strangers', async () => {
    const { tools } = await (await connectMcp((await startApi()).baseUrl)).listTools();
    expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThanOrEqual(24_000);
    for (const { name, annotations, outputSchema } of tools) {
      expect(annotations, name).toEqual({ readOnlyHint: true, idempotentHint: true, openWorldHint: false });
      for (const [, said] of JSON.stringify(outputSchema).matchAll(/"(?:event_title|outcome)":(\{[^}]*\})/g))
        expect(said, name).toContain('Untrusted data');
    }
  });

  test('each tool answers a part of what REST answers', async () => {
    const api = await startWithAlerts();
    const { secret } = await api.issue({ tier: 'enterprise' });
    const client = await connectMcp(api.baseUrl, { secret });
    await client.listTools();
    const pairs: [string, Record<string, unknown>, string][] = [
      ['list_alerts', { min_signal: 70, limit: 20, side: 'BUY' }, '/alerts?min_signal=70&side=BUY'],
      ['list_alerts', { cursor: 9, resolved: false }, '/alerts?before_id=9&resolved=false'],
      ['get_alert', { id: 1 }, '/alerts/1'],
      ['get_wallet', { address: WALLET.toUpperCase().replace('X', 'x') }, `/wallets/${WALLET}`],
      ['get_market', { market: MARKET }, `/markets/${MARKET}`],
      ['get_market', { market: SLUG }, `/markets/${MARKET}`],
      ['get_record', {}, '/record'],
      ['preview_filter', { category: 'politics', search: null }, '/alerts/preview?category=politics'],
      ['get_coverage', { limit: 3 }, '/coverage?limit=3'],
    ];
    for (const [name, args, path] of pairs) {
      const { told, isError } = await callMcp(client, name, args);
      const { next_cursor, next_until, ...answer } = told;
      expect(isError, JSON.stringify(told)).toBe(false);
      expectPartOf(answer, (await api.get(path, secret)).body, name);
    }
    const { told } = await callMcp(client, 'search_markets', { search: 'measure' });
    const hot = (await api.get('/hot-markets?period=30d', secret)).body.most_alerts;
    expect(told.markets).toHaveLength(3);
    for (const market of told.markets)
      expectPartOf(
        market,
        hot.find((each: { market_id: string }) => each.market_id === market.market_id),
        'market',
      );
  });

  test('next_cursor leads through all alerts, wallets, markets and searches once, at most 20 rows at a time', async () => {
    const client = await connectTier(await startWithAlerts(), 'enterprise');
    const idsOf = async (name: string, args: Record<string, unknown>, list: string, id: string) => {
      const seen: unknown[] = [];
      for (let cursor: number | null | undefined; cursor !== null; ) {
        const { told } = await callMcp(client, name, { ...args, cursor });
        seen.push(...told[list].map((row: Record<string, unknown>) => row[id]));
        cursor = told.next_cursor;
      }
      return seen;
    };
    const all = Array.from({ length: 25 }, (_, index) => 25 - index);
    expect(await idsOf('list_alerts', { limit: 20 }, 'alerts', 'id')).toEqual(all);
    expect(await idsOf('list_alerts', {}, 'alerts', 'id')).toEqual(all);
    expect(await idsOf('get_wallet', { address: WALLET, limit: 7 }, 'alerts', 'id')).toEqual(all);
    const ofMarket = all.filter((id) => id % 3 === 2);
    expect(await idsOf('get_market', { market: '0xother1', limit: 5 }, 'alerts', 'id')).toEqual(ofMarket);
    const found = await idsOf('search_markets', { search: 'measure', limit: 2 }, 'markets', 'market_id');
    expect(new Set(found)).toEqual(new Set([MARKET, '0xother1', '0xother2']));
    const { isError, told } = await callMcp(client, 'list_alerts', { limit: 21 });
    expect([isError, told.code]).toEqual([true, 'invalid_request']);
  });
});
