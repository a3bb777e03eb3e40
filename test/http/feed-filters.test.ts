import { parseFeed } from '@rowanmanning/feed-parser';
import { parseAtomFeed, parseJsonFeed } from 'feedsmith';
import { describe, expect, test, vi } from 'vitest';
import { conditionShape } from '../../src/http/query/alert-query.ts';
import { alertOf } from '../support/alerts.ts';
import { ask, FREE_DELAY_MS, startApi } from '../support/api-server.ts';
import { problem } from '../support/problem.ts';

const WALLET = `0x${'bb'.repeat(20)}`;
const WANTED = {
  ...({ category: 'crypto', side: 'SELL', usdc: 5_001, score: 80, type: 'cluster' } as const),
  ...{ wallet: WALLET, marketId: '0xwanted', eventSlug: 'a-slug', eventTitle: 'Wanted?' },
};

/** Two wanted alerts between others, when free readers see them. */
async function startWith() {
  const api = await startApi();
  const others = [1, 3, 5].map((id) => alertOf({ id, usdc: 5_000, score: 79 }));
  const wanted = [2, 4].map((id) => alertOf({ ...WANTED, id }));
  await api.append(...[...others, ...wanted].sort((one, other) => one.id - other.id));
  await api.clock.jump(FREE_DELAY_MS + 60_000);
  const { secret } = await api.issue({ tier: 'enterprise' });
  const feed = (path: string, headers = {}) => ask(api.baseUrl + path, { headers });
  return {
    ...api,
    secret,
    feed,
    json: async (query: string) => parseJsonFeed((await feed(`/feed.json?${query}`)).text),
  };
}

function idsOf(items: readonly { readonly id?: string | null }[] | undefined): number[] {
  return (items ?? []).map(({ id }) => Number(id?.split(':')[3]));
}

const QUERIES = [
  'category=crypto',
  'categories=crypto,tech',
  'side=SELL',
  'min_usdc=5000',
  'min_position=5000.01',
  'min_signal=80',
  'alert_type=cluster',
  'search=wanted',
  `search=${WALLET}`,
  `wallet=${WALLET.toUpperCase().replace('X', 'x')}`,
  'market=0xWANTED',
  'market=a-slug',
  'market=a-slug&min_signal=80&search=want',
];

describe('a filtered feed', () => {
  test('has in both formats what GET /alerts finds, by each filter', async () => {
    const { get, secret, json, feed } = await startWith();
    for (const query of [...QUERIES, 'search=nothing']) {
      const { alerts } = (await get(`/alerts?${query}`, secret)).body;
      const found = alerts.map(({ id }: { id: number }) => id);
      expect([query, found]).toEqual([query, query === 'search=nothing' ? [] : [4, 2]]);
      const { text } = await feed(`/feed.xml?${query}`);
      const read = [(await json(query)).items, parseAtomFeed(text).entries, parseFeed(text).items].map(idsOf);
      expect([query, ...read]).toEqual([query, found, found, found]);
    }
    expect(QUERIES.map((query) => query.split('=')[0])).toEqual(
      expect.arrayContaining(Object.keys(conditionShape)),
    );
  });

  test('names its filter, itself and the list with the same filter, however the query was written', async () => {
    const { json } = await startWith();
    const query = `x=1&search=${encodeURIComponent(' a & <b> ')}&min_signal=080&wallet=${WALLET}`;
    const own = `min_signal=80&search=a+%26+%3Cb%3E&wallet=${WALLET}`;
    expect(await json(query)).toMatchObject({
      title: 'Tipoff alerts: score 80 or more, wallet 0xbbbb…bbbb, “a & <b>”',
      feed_url: `https://api.example.com/feed.json?${own}`,
      home_page_url: `https://api.example.com/?${own}`,
    });
  });

  test('a hostile filter stays text in the title and a part of the address', async () => {
    const { feed } = await startWith();
    const hostile = `"></title><script>alert(1)</script>]]>&amp;\u0000\u001b\u202e\uffff`;
    const { status, text } = await feed(`/feed.xml?search=${encodeURIComponent(hostile)}`);
    expect([status, text.includes('<script')]).toEqual([200, false]);
    expect(text).not.toMatch(/[\p{Cs}\p{Bidi_Control}\uffff]|[^\P{Cc}\n]/u);
    for (const { title } of [parseFeed(text), parseAtomFeed(text)])
      expect(JSON.stringify(title)).toContain('alert(1)');
  });

  test('wrong values are a 422 as in GET /alerts, and an unknown event names those that there are', async () => {
    const { feed } = await startWith();
    expect((await feed('/feed.xml?wallet=0xaa')).body).toEqual(
      problem(['query', 'wallet'], 'string_pattern_mismatch'),
    );
    expect((await feed('/feed.json?events=alert,fill')).body).toMatchObject({
      detail: [{ loc: ['query', 'events'], msg: expect.stringContaining("'alert', 'outcome', 'exit'") }],
    });
  });

  test('many filters of one address are searched for three at a time, and do not push out a feed that others read', async () => {
    const { feed, database } = await startWith();
    const search = database.alerts.search;
    const isRefused = Promise.withResolvers<void>();
    let [running, most] = [0, 0];
    const searches = vi.spyOn(database.alerts, 'search').mockImplementation(async (...query) => {
      running += 1;
      most = Math.max(most, running);
      if (query[0].search !== undefined) await isRefused.promise;
      return search(...query).finally(() => {
        running -= 1;
      });
    });
    await feed('/feed.json');
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async (_, id) => {
        const { status } = await feed(`/feed.json?search=${id}`);
        if (status === 429) isRefused.resolve();
        return status;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(most).toBeLessThanOrEqual(3);
    const made = searches.mock.calls.length;
    await feed('/feed.json');
    expect(searches).toHaveBeenCalledTimes(made);
  });
});
