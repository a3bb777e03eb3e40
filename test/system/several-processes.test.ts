import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { alertOf } from '../support/alerts.ts';
import { DATABASES, type TestDatabase } from '../support/databases.ts';
import { runTipoff } from '../support/run-tipoff.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { connectStream } from '../support/stream-client.ts';

/** design.md, key check: "Revocation and tier changes reach every process and open socket within 5 s". */
const SEEN_WITHIN = { timeout: 5_000, interval: 100 };

async function startTwo(open: () => Promise<TestDatabase>) {
  const opened = await open();
  const services = [1, 2].map(() => startService({ DATABASE_URL: opened.url, ROLES: 'api' }));
  onTestFinished(async () => {
    await Promise.all(services.map((service) => service.end('SIGKILL')));
    await opened.drop();
  });
  const started = await Promise.all(services.map((service) => service.logged('listening')));
  const [here = '', there = ''] = started.map(({ address }) => String(address));
  return { opened, services: services as [ServiceProcess, ServiceProcess], here, there };
}

describe.each(DATABASES)('two processes and the keys command on one $name', ({ available, open }) => {
  test.skipIf(!available)(
    'a client continues at the other process where it left off; keys work immediately, and changes reach it within 5 s',
    async () => {
      const { opened, services, here, there } = await startTwo(open);
      const tipoff = async (...args: string[]) => {
        const { code, out } = await runTipoff(args, {
          ...process.env,
          DATABASE_URL: opened.url,
        });
        expect(code).toBe(0);
        return out;
      };
      const append = async (first: number, last: number) => {
        for (let id = first; id <= last; id += 1) await opened.database.alerts.append(alertOf({ id }));
      };
      const issued = JSON.parse(await tipoff('keys', 'issue', '--tier', 'pro', '--name', 'My bot', '--json'));
      expect(Object.keys(issued)).toEqual(['id', 'key', 'tier', 'name', 'trial_ends_at']);
      const headers = { authorization: `Bearer ${issued.key}` };
      const me = () => fetch(`${there}/api/v1/me`, { headers });
      expect(await (await me()).json()).toMatchObject({ name: 'My bot', tier: 'pro', requests_today: 1 });

      const first = connectStream(here, `api_key=${issued.key}`);
      await first.received(1);
      await append(1, 30);
      await first.received(31);
      const ending = services[0].end('SIGTERM');
      expect((await first.closed).code).toBe(1001);
      await append(31, 40);
      const second = connectStream(there, `api_key=${issued.key}&since_id=${first.ids().at(-1)}`);
      await second.received(11);
      await append(41, 50);
      await second.received(21);
      expect([...first.ids(), ...second.ids()]).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
      expect(await ending).toBe(0);

      await tipoff('admin', 'tier', issued.id, 'enterprise', '--yes');
      await vi.waitFor(
        async () => expect(await (await me()).json()).toMatchObject({ tier: 'enterprise' }),
        SEEN_WITHIN,
      );
      await tipoff('admin', 'revoke', issued.id, '--yes');
      const revokedAt = performance.now();
      await vi.waitFor(async () => expect((await me()).status).toBe(401), SEEN_WITHIN);
      expect((await second.closed).code).toBe(4401);
      expect(performance.now() - revokedAt).toBeLessThan(5_000);
      expect(services.map((service) => service.output()).join('\n')).not.toContain(issued.key);
    },
  );
});
