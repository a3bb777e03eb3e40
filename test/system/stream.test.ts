import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { KeyService } from '../../src/core/accounts/keys/key-service.ts';
import { systemClock } from '../../src/infra/process/system-clock.ts';
import { argon2Hasher } from '../../src/infra/secrets/argon2-hasher.ts';
import { secureRandom } from '../../src/infra/secrets/key-crypto.ts';
import { alertOf } from '../support/alerts.ts';
import { DATABASES, type TestDatabase } from '../support/databases.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { connectStream } from '../support/stream-client.ts';

/** What one process writes, the sockets of every other hear: alerts, and what becomes of keys. */
describe.each(DATABASES)('the stream of two processes on $name', ({ available, open }) => {
  describe.skipIf(!available)('with a database', () => {
    let one: TestDatabase;
    let services: ServiceProcess[];
    beforeEach(async () => {
      one = await open();
      services = [1, 2].map(() => startService({ DATABASE_URL: one.url }));
    });
    afterEach(async () => {
      await Promise.all(services.map((service) => service.end('SIGKILL')));
      await one.drop();
    });

    async function issue() {
      const service = new KeyService({
        keys: one.database.keys,
        hasher: argon2Hasher,
        random: secureRandom,
        clock: systemClock,
      });
      const issued = await service.issue({ tier: 'pro', name: 'test' });
      if (!issued.ok) throw new Error(issued.reason);
      return { secret: issued.secret, revoke: () => service.revoke(issued.key.id) };
    }

    async function append(first: number, last: number) {
      for (let id = first; id <= last; id += 1) await one.database.alerts.append(alertOf({ id }));
    }

    test('a client continues at the other process where it left off; 1001 at shutdown, 4401 at revocation', async () => {
      const { secret, revoke } = await issue();
      const [here = '', there = ''] = await Promise.all(
        services.map(async (service) => String((await service.logged('listening'))['address'])),
      );
      const first = connectStream(here, `api_key=${secret}`);
      await first.received(1);
      await append(1, 30);
      await first.received(31);
      const ending = services[0]?.end('SIGTERM');
      expect((await first.closed).code).toBe(1001);
      await append(31, 40);
      const second = connectStream(there, `api_key=${secret}&since_id=${first.ids().at(-1)}`);
      await second.received(11);
      await append(41, 50);
      await second.received(21);
      expect([...first.ids(), ...second.ids()]).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
      expect(await ending).toBe(0);
      const revokedAt = performance.now();
      await revoke();
      expect((await second.closed).code).toBe(4401);
      expect(performance.now() - revokedAt).toBeLessThan(5_000);
      expect(services.map((service) => service.output()).join('\n')).not.toContain(secret);
    });
  });
});
