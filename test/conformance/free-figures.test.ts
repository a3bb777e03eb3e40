import { expect, test } from 'vitest';
import { alertOf } from '../support/alerts.ts';
import type { Answer } from '../support/api-server.ts';
import { NOON } from '../support/archive.ts';
import { settleMarket } from '../support/stored.ts';
import { onRunningService, type RunningService } from './service.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Figures may be this old (API description). */
const KEPT = 10 * SECOND + 1;
const DELAY = 5 * MINUTE;
const SECRET_MARKET = '0xsecret';

const callers = ['nobody', 'free', 'pro'] as const;
type Caller = (typeof callers)[number];
type Ask = (caller: Caller, path: string, headers?: Record<string, string>) => Promise<Answer>;

/** All callers use the same address, as through one proxy. */
async function askers({ call, key }: RunningService): Promise<Ask> {
  const keys = { nobody: undefined, free: await key('free'), pro: await key('pro') };
  return (caller, path, headers = {}) => {
    const secret = keys[caller];
    return call(path, { headers, ...(secret !== undefined && { key: secret }) });
  };
}

/** An alert of now in a market that is settled now. */
async function enter({ publish, container, clock }: RunningService, id: number): Promise<void> {
  await publish(
    alertOf({
      id,
      marketId: SECRET_MARKET,
      createdAt: clock.now(),
      usdc: 777_777,
      score: 99,
      type: 'cluster',
    }),
  );
  await settleMarket(container.database, { marketId: SECRET_MARKET, at: clock.now() });
  await container.database.alertIndex.refresh();
}

onRunningService(
  'Free-tier alerts are delayed by 5 minutes. Pro and Enterprise are real-time. – also in figures over many alerts',
  (service) => {
    test('a new alert changes no figures of others until it is 5 minutes old; a pro key sees it immediately', async () => {
      const { clock } = service();
      const ask = await askers(service());
      // By now all of the archive is old enough, and nothing of it leaves the 30 days.
      clock.advance(DELAY);
      const figures = async () => {
        const seen = {} as Record<Caller, { text: string; stats: unknown }>;
        for (const caller of callers) {
          const { text } = await ask(caller, '/hot-markets?period=30d&limit=25');
          const stats = caller === 'nobody' ? null : (await ask(caller, '/stats')).body;
          seen[caller] = { text, stats };
        }
        return seen;
      };
      const before = await figures();
      expect(before.nobody.text).toBe(before.free.text);
      clock.advance(KEPT);
      await enter(service(), 131);

      for (const age of [0, KEPT, MINUTE, DELAY - SECOND]) {
        clock.advance(NOON + DELAY + KEPT + age - clock.now());
        const { nobody, free, pro } = await figures();
        expect([age, nobody, free]).toEqual([age, before.nobody, before.free]);
        expect(JSON.parse(pro.text).biggest_trades[0]).toMatchObject({
          market_id: SECRET_MARKET,
          alert_count: 1,
          avg_signal: 99,
          total_usdc: 777_777,
        });
        const { total_resolved, total_won } = before.pro.stats as Record<string, number>;
        expect(pro.stats).toMatchObject({
          total_alerts: 131,
          total_resolved: Number(total_resolved) + 1,
          total_won: Number(total_won) + 1,
        });
      }

      clock.advance(SECOND + KEPT);
      const after = await figures();
      for (const caller of callers) expect(after[caller].text).toContain(SECRET_MARKET);
      expect(after.free.stats).toEqual(after.pro.stats);
    });
  },
);

onRunningService('a shared cache before hot markets', (service) => {
  const path = '/hot-markets?period=1h';

  test('can tell the classes apart: no common ETag, 304 only within one, current figures are private', async () => {
    const ask = await askers(service());
    const [nobody, free, pro] = await Promise.all(callers.map((caller) => ask(caller, path)));
    const tags = [nobody, free, pro].map((answer) => answer?.headers.get('etag') ?? '');
    expect(tags[0]).toBe(tags[1]);
    expect(tags[2]).not.toBe(tags[0]);
    const statuses = async (etag = '') =>
      Promise.all(callers.map(async (caller) => (await ask(caller, path, { 'if-none-match': etag })).status));
    expect(await statuses(tags[0])).toEqual([304, 304, 200]);
    expect(await statuses(tags[2])).toEqual([200, 200, 304]);
    expect([nobody, free, pro].map((answer) => answer?.headers.get('cache-control'))).toEqual([
      'public, max-age=2',
      'private, max-age=2',
      'private, max-age=2',
    ]);
    for (const answer of [nobody, free, pro])
      expect(answer?.headers.get('vary')).toBe('accept-encoding, origin, authorization');
  });
});
