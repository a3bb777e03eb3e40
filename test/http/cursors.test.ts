import { describe, expect, test } from 'vitest';
import { alertOf } from '../support/alerts.ts';
import { startApi } from '../support/api-server.ts';

const ids = (alerts: readonly { id: number }[]) => alerts.map(({ id }) => id);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Every second alert has a score of 80, the others 40. */
const numbered = (from: number, to: number) =>
  range(from, to).map((id) => alertOf({ id, score: id % 2 === 0 ? 80 : 40 }));

async function startWith(count: number, tier: 'free' | 'pro' | 'enterprise' = 'enterprise') {
  const api = await startApi();
  await api.append(...numbered(1, count));
  api.clock.set(86_400_000);
  const { secret } = await api.issue({ tier });
  const ask = (path: string) => api.get(path, secret);
  const nextOf = ({ headers }: { headers: Headers }) =>
    /^<\/api\/v1(\S+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? null;
  async function follow(first: string, between: () => Promise<void> = async () => {}) {
    const pages = [];
    for (let path: string | null = first; path !== null; ) {
      const answer = await ask(path);
      expect(answer.status).toBe(200);
      expect(nextOf(answer) !== null).toBe(answer.body.has_more);
      pages.push(answer.body);
      path = nextOf(answer);
      await between();
    }
    return pages;
  }
  return { ...api, ask, nextOf, follow, secret };
}

describe('GET /alerts with a cursor', () => {
  test('before_id: newest first below it; total counts what the cursor leaves', async () => {
    const { ask } = await startWith(30);
    const { body, headers } = await ask('/alerts?before_id=26&page_size=5');
    expect({ ...body, alerts: ids(body.alerts) }).toEqual({
      alerts: [25, 24, 23, 22, 21],
      total: 25,
      page: 1,
      page_size: 5,
      has_more: true,
    });
    expect(headers.get('link')).toBe('</api/v1/alerts?before_id=21&page_size=5>; rel="next"');
    expect((await ask('/alerts?before_id=1')).body).toMatchObject({ alerts: [], total: 0, has_more: false });
    expect(ids((await ask('/alerts?before_id=9007199254740991&page_size=1')).body.alerts)).toEqual([30]);
  });

  test('since_id: oldest first above it, so that a follower reads every alert once while more are published', async () => {
    const { append, ask, follow } = await startWith(30);
    let last = 30;
    const pages = await follow('/alerts?since_id=10&page_size=7', async () => {
      if (last >= 40) return;
      await append(...numbered(last + 1, last + 5));
      last += 5;
    });
    expect(ids(pages.flatMap(({ alerts }) => alerts))).toEqual(range(11, 40));
    expect(pages[0].total).toBe(20);
    const end = await ask('/alerts?since_id=40');
    expect(end.body).toMatchObject({ alerts: [], total: 0, has_more: false });
    await append(...numbered(41, 41));
    expect(ids((await ask('/alerts?since_id=40')).body.alerts)).toEqual([41]);
  });

  test('Link keeps the filters and leaves out what the route does not know, which may be a key', async () => {
    const { ask } = await startWith(5);
    const query = 'search=the%20measure%3E&api_key=sk_live_x&page_size=1&min_usdc=1&foo=%0d%0aa:b';
    const { headers } = await ask(`/alerts?${query.replace('%3E', '')}`);
    expect(headers.get('link')).toBe(
      '</api/v1/alerts?search=the+measure&page_size=1&min_usdc=1&page=2>; rel="next"',
    );
  });

  test('with page numbers, Link also has the page before and the first', async () => {
    const { ask } = await startWith(5);
    const linkOf = async (page: number) =>
      (await ask(`/alerts?page=${page}&page_size=1`)).headers.get('link');
    const to = (page: number, rel: string) => `</api/v1/alerts?page=${page}&page_size=1>; rel="${rel}"`;
    expect(await linkOf(1)).toBe(to(2, 'next'));
    expect(await linkOf(3)).toBe([to(4, 'next'), to(2, 'prev'), to(1, 'first')].join(', '));
    expect(await linkOf(5)).toBe([to(4, 'prev'), to(1, 'first')].join(', '));
  });
});

describe('expand=details', () => {
  test('items are the alerts of GET /alerts/{id}', async () => {
    const { ask } = await startWith(3);
    const { body } = await ask('/alerts?expand=details&since_id=0');
    for (const alert of body.alerts) {
      const { details, ...one } = (await ask(`/alerts/${alert.id}`)).body;
      const { exits, ...shared } = details;
      expect([alert, exits.state]).toEqual([{ ...one, details: shared }, 'none']);
    }
    expect((await ask('/alerts?expand=all')).body).toMatchObject({ detail: [{ loc: ['query', 'expand'] }] });
  });
});
