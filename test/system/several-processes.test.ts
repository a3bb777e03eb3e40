import { MongoClient } from 'mongodb';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { alertOf } from '../support/alerts.ts';
import { DATABASES, type TestDatabase } from '../support/databases.ts';
import { runTipoff } from '../support/run-tipoff.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { storeAlerts } from '../support/stored.ts';
import { connectStream } from '../support/stream-client.ts';

const TAPE = 'data/tapes/midterms-2022.jsonl.gz';

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
        for (let id = first; id <= last; id += 1) await storeAlerts(opened.database, alertOf({ id }));
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

describe.each(DATABASES)('two full processes on one $name', ({ available, open }) => {
  test.skipIf(!available)(
    'one does the work, and carries out what the command line asks; the other serves, stands by, and takes over when the first is killed',
    async () => {
      const opened = await open();
      const settings = { DATABASE_URL: opened.url, MARKET_SOURCE: `replay:${TAPE}`, REPLAY_SPEED: '10000' };
      const first = startService(settings);
      await first.logged('ingesting');
      const second = startService(settings);
      onTestFinished(async () => {
        await Promise.all([first, second].map((service) => service.end('SIGKILL')));
        await opened.drop();
      });
      const { address } = await second.logged('listening');
      await second.logged('another process does the work on this database; standing by');
      const source = async () => {
        const answer = await fetch(`${address}/readyz`);
        const { checks } = (await answer.json()) as { checks: { source: object } };
        return [answer.status, checks.source];
      };
      await vi.waitFor(async () => expect(await source()).toMatchObject([200, { state: 'elsewhere' }]));

      const { err, out } = await runTipoff(['admin', 'pause', 'posts'], {
        ...process.env,
        DATABASE_URL: opened.url,
      });
      expect([err, out]).toEqual([
        expect.stringContaining('Sent to the running service'),
        expect.stringContaining('posts'),
      ]);
      const [begun] = await opened.database.audit.list({ limit: 1 });
      expect(begun).toMatchObject({ command: 'pause', outcome: expect.stringContaining('done') });

      await first.end('SIGKILL');
      await second.logged('ingesting');
      await vi.waitFor(async () => expect(await source()).toMatchObject([200, { state: 'playing' }]));
    },
  );
});

const MONGO = DATABASES.filter(({ name }) => name === 'MongoDB');
/** Questions to the database, each second and in the whole test. */
const ASKED_MOST = 8;
const ASKED = 4 * ASKED_MOST;

describe.each(MONGO)('a process that serves the API on $name', ({ available, open }) => {
  test.skipIf(!available)(
    'asks its database at most 8 times a second at rest, also with a client of the stream',
    async () => {
      const { opened, services, here } = await startTwo(open);
      await services[1].end('SIGKILL');
      const { out } = await runTipoff(['keys', 'issue', '--tier', 'pro', '--name', 'My bot', '--json'], {
        ...process.env,
        DATABASE_URL: opened.url,
      });
      const stream = connectStream(here, `api_key=${JSON.parse(out).key}&outcomes=true&exits=true`);
      await stream.received(1);
      const client = await MongoClient.connect(opened.url);
      onTestFinished(() => client.close());
      const db = client.db();

      await db.command({ profile: 2 });
      const since = performance.now();
      await vi.waitFor(
        async () => {
          const asked = await db.collection('system.profile').countDocuments({ ns: { $not: /system/ } });
          expect(asked).toBeGreaterThanOrEqual(ASKED);
        },
        { timeout: 30_000, interval: 200 },
      );
      expect(performance.now() - since).toBeGreaterThanOrEqual((1_000 * ASKED) / ASKED_MOST);
    },
  );
});
