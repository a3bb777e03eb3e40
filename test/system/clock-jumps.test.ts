import { appendFile } from 'node:fs/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createContainer } from '../../src/container.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/base/time/duration.ts';
import { systemClock } from '../../src/infra/process/system-clock.ts';
import { type Fixture, onEachDatabase } from '../infra/database/each-database.ts';
import { TAPE_START, toLines, wireTrade, writeTape } from '../infra/market/tapes/source-fixture.ts';
import { ask } from '../support/api-server.ts';
import { configOf } from '../support/config.ts';
import { createRecordingLogger } from '../support/recording-logger.ts';

/** Each trade is an alert once the next one closes its second. */
const trades = Array.from({ length: 6 }, (_, n) =>
  wireTrade({
    proxyWallet: `0x${String(n).padStart(40, '0')}`,
    conditionId: `0xm${n}`,
    asset: `${n}`,
    transactionHash: `0xt${n}`,
    size: 40_000,
    price: 0.2,
    timestamp: TAPE_START / 1_000 + n,
  }),
);

async function start({ url, database }: Fixture) {
  const file = await writeTape([{ tape: { history: 'complete' } }, ...trades.slice(0, 3)]);
  const config = configOf({
    DATABASE_URL: url,
    PORT: '0',
    ROLES: 'ingest,api',
    MARKET_SOURCE: `tail:${file}`,
    SECRET_KEY: 'x'.repeat(43),
  });
  let aheadMs = 0;
  const clock = { ...systemClock, now: () => Date.now() + aheadMs };
  const container = await createContainer(config, { clock, logger: createRecordingLogger() });
  onTestFinished(() => container.close());
  const { address } = await container.start();
  const issued = await container.keys.issue({ tier: 'pro', name: 'Trial' });
  if (!issued.ok) throw new Error(issued.reason);
  return {
    call: (path: string) =>
      ask(`${address}${path}`, { headers: { authorization: `Bearer ${issued.secret}` } }),
    stored: () => database.keys.byId(issued.key.id),
    more: (from: number, to: number) => appendFile(file, toLines(trades.slice(from, to))),
    alerts: () => database.alerts.after(0, 100),
    set(byMs: number): void {
      aheadMs += byMs;
    },
  };
}

onEachDatabase('a service on a host whose clock is set', (fixture) => {
  test.each([40 * DAY_MS, -HOUR_MS])(
    'by %i ms and back keeps keys, limits and the dates of alerts',
    async (jumpMs) => {
      const { call, stored, more, alerts, set } = await start(fixture);
      const have = (count: number) => vi.waitFor(async () => expect(await alerts()).toHaveLength(count));
      await have(2);
      const key = await stored();

      set(jumpMs);
      await more(3, 5);
      const unready = { status: 503, body: { checks: { source: { state: 'clock_set' } } } };
      await vi.waitFor(async () => expect(await call('/readyz')).toMatchObject(unready));
      expect(await alerts()).toHaveLength(2);
      const me = await call('/api/v1/me');
      expect(me.status).toBe(200);
      expect(Number(me.headers.get('ratelimit-reset'))).toBeLessThanOrEqual(60);
      set(-jumpMs);
      await more(5, 6);
      await have(5);

      for (const { createdAt } of await alerts())
        expect(Math.abs(Date.now() - createdAt)).toBeLessThan(MINUTE_MS);
      expect(await stored()).toEqual({ ...key, firstUsedAt: key?.firstUsedAt });
      expect((await call('/api/v1/me')).body.tier).toBe('pro');
      expect((await call('/readyz')).status).toBe(200);
    },
  );
});
