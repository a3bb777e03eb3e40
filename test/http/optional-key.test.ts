import { describe, expect, test } from 'vitest';
import { alertOf } from '../support/alerts.ts';
import { FREE_DELAY_MS, startApi } from '../support/api-server.ts';
import { forgedKey } from '../support/key-fixture.ts';
import { START } from '../support/rows.ts';

const PATH = '/hot-markets?period=30d';

async function startWithAlerts() {
  const api = await startApi({ publicRequestsPerMinute: null });
  await api.append(
    alertOf({ id: 1, marketId: 'old', createdAt: START - FREE_DELAY_MS }),
    alertOf({ id: 2, marketId: 'new', createdAt: START - FREE_DELAY_MS + 1 }),
  );
  const marketsOf = async (authorization?: string) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const { status, body } = await api.get(PATH, undefined, headers);
    return [status, ...body.most_alerts.map(({ market_id }: { market_id: string }) => market_id)];
  };
  return { ...api, marketsOf };
}

describe('a key sent to GET /hot-markets, which needs none', () => {
  test('makes the figures current when it is a real-time key at that moment', async () => {
    const { marketsOf, issue } = await startWithAlerts();
    const keys = await Promise.all(
      (['free', 'pro', 'enterprise'] as const).map(async (tier) => (await issue({ tier })).secret),
    );
    expect(await marketsOf()).toEqual([200, 'old']);
    const seen = await Promise.all(keys.map((secret) => marketsOf(`Bearer ${secret}`)));
    expect(seen).toEqual([
      [200, 'old'],
      [200, 'new', 'old'],
      [200, 'new', 'old'],
    ]);
  });

  test('is no error when it is wrong, revoked or no key: the answer is that of a caller without one', async () => {
    const { marketsOf, issue, service, get } = await startWithAlerts();
    const [live, revoked] = [await issue(), await issue()];
    await service.revoke(revoked.id);
    const wrong = ['', 'x', forgedKey(), forgedKey(live.secret), `${live.secret}x`, revoked.secret];
    for (const text of [...wrong.map((key) => `Bearer ${key}`), live.secret, 'Basic dXNlcjpwYXNz'])
      expect([text, ...(await marketsOf(text))]).toEqual([text, 200, 'old']);
    const { headers } = await get(PATH, revoked.secret);
    expect(headers.get('cache-control')).toBe('public, max-age=2');
  });

  test.each([
    [{ reason: 'unavailable' }, 503],
    [{ reason: 'busy' }, 429],
  ] as const)(
    'that cannot be checked now (%o) is refused: its caller may be entitled to more',
    async (why, status) => {
      const refusal = { ok: false, ...why, retryAfterSeconds: 2 } as const;
      const { get } = await startApi({
        keyCheck: { recall: () => null, check: async () => refusal },
      });
      const answer = await get(PATH, forgedKey());
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, '2']);
      expect((await get(PATH)).status).toBe(200);
    },
  );
});
