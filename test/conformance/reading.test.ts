import { describe, expect, test } from 'vitest';
import { alertOf } from '../support/alerts.ts';
import { onRunningService, type RunningService } from './service.ts';

const ids = (alerts: { id: number }[]) => alerts.map(({ id }) => id);
const descending = (from: number, count: number) => Array.from({ length: count }, (_, index) => from - index);

async function asker({ call, key }: RunningService, tier: 'free' | 'pro' | 'enterprise' = 'pro') {
  const secret = await key(tier);
  return (path: string) => call(path, { key: secret });
}

onRunningService('contract, GET /alerts/latest', (service) => {
  test('Query: `limit` (integer, default 10, 1 to 50). Response 200: JSON array of alerts, newest first.', async () => {
    const ask = await asker(service());
    expect(ids((await ask('/alerts/latest')).body)).toEqual(descending(130, 10));
    expect(ids((await ask('/alerts/latest?limit=1')).body)).toEqual([130]);
    expect(ids((await ask('/alerts/latest?limit=50')).body)).toEqual(descending(130, 50));
    for (const limit of ['0', '51', 'ten']) {
      const { status, body } = await ask(`/alerts/latest?limit=${limit}`);
      expect([status, body.detail[0].loc]).toEqual([422, ['query', 'limit']]);
    }
  });
});

onRunningService('contract, GET /alerts/{id}', (service) => {
  test('Path: `id` (integer, required). Response 200: one alert. Response 404: see Errors.', async () => {
    const ask = await asker(service());
    const [found, unknown, wrong] = [
      await ask('/alerts/5'),
      await ask('/alerts/5000'),
      await ask('/alerts/x'),
    ];
    expect([found.status, found.body.id, unknown.status]).toEqual([200, 5, 404]);
    expect([wrong.status, wrong.body.detail[0].loc]).toEqual([422, ['path', 'id']]);
  });

  test('| `GET /alerts/{id}` with an unknown id | 404 | `{detail: <string>}` with a message that names the id and says it was not found |', async () => {
    const ask = await asker(service());
    const { status, body } = await ask('/alerts/987654');
    expect(status).toBe(404);
    expect(body).toEqual({ detail: expect.stringMatching(/987654.*not found/), code: expect.any(String) });
  });
});

onRunningService('contract, GET /alerts', (service) => {
  test('Response 200: `alerts` (array of alert items), `total` (integer, count of matches), `page` (integer), `page_size` (integer), `has_more` (boolean).', async () => {
    const ask = await asker(service());
    const { status, body } = await ask('/alerts?category=world&page_size=5');
    expect(status).toBe(200);
    expect(Object.keys(body).toSorted()).toEqual(['alerts', 'has_more', 'page', 'page_size', 'total']);
    // Markets 2 and 9 are of the category world: 13 alerts each.
    expect(body).toMatchObject({ total: 26, page: 1, page_size: 5, has_more: true });
    expect(ids(body.alerts)).toEqual([129, 122, 119, 112, 109]);
    expect((await ask('/alerts?category=world&page_size=5&page=6')).body).toMatchObject({
      alerts: [{ id: 2 }],
      has_more: false,
    });
  });

  test('| page | integer | 1 | Page number. |', async () => {
    const ask = await asker(service());
    const [first, second, beyond] = [
      await ask('/alerts'),
      await ask('/alerts?page=2'),
      await ask('/alerts?page=99'),
    ];
    expect([first.body.page, ids(first.body.alerts)]).toEqual([1, descending(130, 20)]);
    expect([second.body.page, ids(second.body.alerts)]).toEqual([2, descending(110, 20)]);
    expect([beyond.status, beyond.body.alerts, beyond.body.has_more]).toEqual([200, [], false]);
    expect((await ask('/alerts?page=0')).status).toBe(422);
  });

  test('| (page size) | integer | 20 | Results per page. Maximum by tier: free 20, pro 50, enterprise 100. |', async () => {
    for (const [tier, most] of [
      ['free', 20],
      ['pro', 50],
      ['enterprise', 100],
    ] as const) {
      const ask = await asker(service(), tier);
      expect((await ask('/alerts')).body.page_size).toBe(20);
      const { body } = await ask('/alerts?page_size=100');
      expect([body.page_size, body.alerts.length]).toEqual([most, most]);
      expect((await ask('/alerts?page_size=101')).status).toBe(422);
    }
  });

  test('| category | string | none | A category value. |', async () => {
    const ask = await asker(service());
    const { body } = await ask('/alerts?category=crypto&page_size=50');
    expect(body.total).toBe(26);
    expect(new Set(body.alerts.map(({ category }: { category: string }) => category))).toEqual(
      new Set(['crypto']),
    );
  });

  test('| (direction) | string | none | `BUY` or `SELL`. |', async () => {
    const ask = await asker(service());
    const totals = await Promise.all(
      ['BUY', 'SELL'].map(async (side) => (await ask(`/alerts?side=${side}`)).body.total),
    );
    expect(totals).toEqual([104, 26]);
    expect((await ask('/alerts?side=HOLD')).status).toBe(422);
  });

  test('| min_usdc | float | none | Only trades larger than this USDC amount. |', async () => {
    const ask = await asker(service());
    expect(ids((await ask('/alerts?min_usdc=2280')).body.alerts)).toEqual([130, 129]);
    expect(ids((await ask('/alerts?min_usdc=2279.99')).body.alerts)).toEqual([130, 129, 128]);
  });

  test('| min_signal | integer | none | 0 to 100; score equal or higher. |', async () => {
    const ask = await asker(service());
    const { body } = await ask('/alerts?min_signal=99&page_size=50');
    const scores = body.alerts.map(({ signal_score }: { signal_score: number }) => signal_score);
    expect([Math.min(...scores), body.total]).toEqual([99, scores.length]);
    for (const wrong of ['-1', '101', '7.5']) {
      const refused = await ask(`/alerts?min_signal=${wrong}`);
      expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ['query', 'min_signal']]);
    }
  });

  test('| (text search) | string | none | Matches market question, market slug, or an exact wallet address. |', async () => {
    const ask = await asker(service());
    const totalOf = async (text: string) =>
      (await ask(`/alerts?search=${encodeURIComponent(text)}`)).body.total;
    expect(await totalOf('QUESTION 7')).toBe(13);
    expect(await totalOf('question-slug-7')).toBe(13);
    const wallet = `0x${'0'.repeat(39)}7`;
    expect([await totalOf(wallet), await totalOf(wallet.slice(0, -1))]).toEqual([1, 0]);
    expect(await totalOf('no such thing')).toBe(0);
  });
});

onRunningService('contract, freshness', (service) => {
  describe('an alert of 4 minutes 59.999 s, one of 5 minutes', () => {
    const paths = ['/alerts/latest?limit=1', '/alerts?page_size=1'];
    test.each([
      ['free', 128],
      ['pro', 130],
      ['enterprise', 130],
    ] as const)('| Data freshness | 5-minute delay | real-time | real-time | %s', async (tier, newest) => {
      const ask = await asker(service(), tier);
      for (const path of paths) {
        const { body } = await ask(path);
        expect(ids(body.alerts ?? body)).toEqual([newest]);
      }
      expect((await ask('/alerts/129')).status).toBe(tier === 'free' ? 404 : 200);
      expect((await ask('/alerts')).body.total).toBe(newest);
    });
  });
});

onRunningService('contract, freshness of what is published', (service) => {
  test('Free-tier alerts are delayed by 5 minutes. Pro and Enterprise are real-time.', async () => {
    const { clock, publish } = service();
    const [free, pro] = [await asker(service(), 'free'), await asker(service(), 'pro')];
    await publish(alertOf({ id: 131, createdAt: clock.now() }));
    const newest = async (ask: typeof free) => ids((await ask('/alerts/latest?limit=1')).body)[0];
    expect([await free('/alerts/131'), await pro('/alerts/131')].map(({ status }) => status)).toEqual([
      404, 200,
    ]);
    expect([await newest(free), await newest(pro)]).toEqual([128, 131]);
    clock.advance(300_000);
    expect([await newest(free), await newest(pro)]).toEqual([131, 131]);
  });
});
