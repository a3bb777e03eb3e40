import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DATABASES, type TestDatabase } from '../support/databases.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';

const ROOT = join(import.meta.dirname, '../..');

async function keys(url: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, DATABASE_URL: url };
  const { stdout } = await promisify(execFile)(process.execPath, ['src/cli/tipoff.ts', 'keys', ...args], {
    cwd: ROOT,
    env,
  });
  return stdout;
}

/** They wait for the service most of the time. */
const AT_ONCE = { concurrent: true };

/** design.md, key check: "Revocation and tier changes reach every process and open socket within 5 s". */
describe.each(DATABASES)(
  'the keys command beside a running service on $name',
  AT_ONCE,
  ({ available, open }) => {
    describe.skipIf(!available)('with a database', () => {
      let one: TestDatabase;
      let service: ServiceProcess;
      beforeEach(async () => {
        one = await open();
        service = startService({ DATABASE_URL: one.url });
      });
      afterEach(async () => {
        await service.end('SIGTERM');
        await one.drop();
      });

      test('a key works as soon as it is issued, and the service follows its tier and its end within 5 s', async () => {
        const address = String((await service.logged('listening'))['address']);
        const issued = JSON.parse(
          await keys(one.url, 'issue', '--tier', 'pro', '--name', 'My bot', '--json'),
        );
        expect(Object.keys(issued)).toEqual(['id', 'key', 'tier', 'name', 'trial_ends_at']);
        const me = () =>
          fetch(`${address}/api/v1/me`, { headers: { authorization: `Bearer ${issued.key}` } });
        expect(await (await me()).json()).toMatchObject({ name: 'My bot', tier: 'pro', requests_today: 1 });

        await keys(one.url, 'set-tier', issued.id, 'enterprise');
        const within = { timeout: 5_000, interval: 100 };
        await vi.waitFor(
          async () => expect(await (await me()).json()).toMatchObject({ tier: 'enterprise' }),
          within,
        );

        await keys(one.url, 'revoke', issued.id);
        await vi.waitFor(async () => expect((await me()).status).toBe(401), within);
        expect(service.output()).not.toContain(issued.key);
      });
    });
  },
);
