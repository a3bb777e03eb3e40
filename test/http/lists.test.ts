import { expect, test } from 'vitest';
import { alertOf, exitOf } from '../support/alerts.ts';
import { ask } from '../support/api-server.ts';
import { startWithDocument } from '../support/documented-api.ts';
import { appendDrafts, settlementsAt } from '../support/log-entries.ts';
import { START } from '../support/rows.ts';
import { storeExits } from '../support/stored.ts';
import { webhookOf } from '../support/webhooks.ts';

const OLD = START - 600_000;
const ROWS = [1, 2, 3, 4, 5];
const WALLET = alertOf({ id: 1 }).wallet;

/** The fields that identify an item of some list; seconds are those of a window of the coverage. */
const IDS = ['id', 'number', 'seq', 'seconds'];
const DOWN = ROWS.toReversed();
/** Of the alerts, outcomes and exits. */
const ENTRIES = Array.from({ length: 3 * ROWS.length }, (_, index) => index + 1);
const SENT = DOWN.map((id) => `msg_${id}`);

/** Every list: a new one needs a row here. `paging`: its parameters. */
const LISTS = [
  { path: '/alerts', items: 'alerts', ids: DOWN, paging: 'before_id page page_size since_id' },
  { path: '/alerts/latest', items: 'alerts', ids: DOWN, paging: 'limit' },
  { path: '/wallets/{address}', items: 'alerts', ids: DOWN, paging: 'before_id page_size' },
  { path: '/markets/{market_id}', items: 'alerts', ids: DOWN, paging: 'before_id page_size' },
  { path: '/webhooks/{webhook_id}/deliveries', items: 'deliveries', ids: SENT, paging: 'before_id limit' },
  { path: '/coverage', items: 'windows', ids: DOWN, paging: 'limit' },
  { path: '/outcomes', items: 'outcomes', ids: ROWS, paging: 'after limit' },
  { path: '/outcomes/{number}', items: 'alerts', ids: ROWS, paging: 'after limit' },
  { path: '/exits', items: 'exits', ids: ROWS, paging: 'after limit' },
  { path: '/events', items: 'events', ids: ENTRIES, paging: 'after limit' },
];

/** Lists that are whole in one answer, because the number of their items is limited. */
const WHOLE = ['/hot-markets', '/presets', '/webhooks'];

const PAGING = /^(after|before_id|limit|page|page_size|since_id)$/;
const IN_PATH: Readonly<Record<string, string>> = {
  address: WALLET,
  market_id: '0xm0',
  webhook_id: 'wh_1',
  number: '1',
};

async function startWithRows() {
  const api = await startWithDocument();
  const { database } = api;
  const { id: keyId, secret } = await api.issue({ tier: 'enterprise' });
  await api.append(...ROWS.map((id) => alertOf({ id, marketId: '0xm0', createdAt: OLD })));
  await appendDrafts(database.log, settlementsAt(...ROWS.map(() => OLD)));
  await storeExits(database, ...ROWS.map((number) => exitOf({ number, createdAt: OLD, wallet: '0xw' })));
  await database.webhooks.insert(webhookOf({ id: 'wh_1', keyId }), 1);
  await database.deliveries.add(
    ROWS.map((id) => ({
      ...{ id: `msg_${id}`, webhookId: 'wh_1', alertId: id, state: 'delivered', result: null },
      ...{ createdAt: OLD + id, finishedAt: OLD + id },
    })),
  );
  await database.coverage.writePosition({ since: OLD, confirmedUntil: START, oldestWaiting: null });
  for (const id of ROWS) {
    const startedAt = START - (10 - id) * 30_000;
    const ends = { endedAt: startedAt + id * 1_000, cause: 'refused', backfilledAt: null } as const;
    await database.coverage.putWindow({ id: String(id), startedAt, ...ends });
  }
  const headers = { authorization: `Bearer ${secret}` };
  return { ...api, askWithKey: (path: string) => ask(api.baseUrl + path, { headers }) };
}

test.each(LISTS)(
  '$path: `Link` leads from page to page to the end, and each item comes once',
  async (list) => {
    const { askWithKey } = await startWithRows();
    const path = list.path.replaceAll(/\{(\w+)\}/g, (_all, name) => IN_PATH[name] ?? '');
    const size = list.paging.includes('limit') ? 'limit' : 'page_size';
    const seen: unknown[] = [];
    let pages = 0;
    for (let next: string | undefined = `/api/v1${path}?${size}=2`; next !== undefined; pages += 1) {
      const { status, headers, body } = await askWithKey(next);
      expect([next, status]).toEqual([next, 200]);
      const items: Record<string, unknown>[] = body[list.items] ?? body;
      seen.push(...items.map((item) => item[IDS.find((name) => name in item) ?? '']));
      next = /^<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
      const hasMore = body.has_more ?? body.more_alerts ?? next !== undefined;
      expect(hasMore).toBe(next !== undefined);
    }
    expect(seen).toEqual(list.ids);
    expect(pages).toBeGreaterThan(1);
  },
);

test('the document has these parameters at every list and at no other route, and `Link` at lists alone', async () => {
  const { operations } = await startWithDocument();
  for (const { method, path, operation } of operations.filter((one) => one.method === 'get')) {
    const name = path.replace('/api/v1', '');
    const list = LISTS.find((one) => one.path === name && path.startsWith('/api/v1'));
    const paging = (operation.parameters ?? []).filter((one) => PAGING.test(one.name));
    // The leaderboards have a maximum, and no further pages.
    const expected = list?.paging ?? (name === '/hot-markets' ? 'limit' : '');
    const names = paging.map((one) => one.name).toSorted();
    expect.soft([path, names.join(' ')]).toEqual([path, expected]);
    const { headers = {}, content } = operation.responses['200'] ?? {};
    expect.soft([method, path, 'Link' in headers]).toEqual([method, path, list !== undefined]);
    const isArray = content?.['application/json']?.schema['type'] === 'array';
    expect.soft(!isArray || list !== undefined || WHOLE.includes(name), `${path} pages`).toBe(true);
  }
});
