import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { KeyService } from '../../src/core/accounts/keys/key-service.ts';
import type { Tier } from '../../src/core/accounts/tier.ts';
import { systemClock } from '../../src/infra/process/system-clock.ts';
import { argon2Hasher } from '../../src/infra/secrets/argon2-hasher.ts';
import { secureRandom } from '../../src/infra/secrets/key-crypto.ts';
import { DATABASES, type TestDatabase } from '../support/databases.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';

const mongo = DATABASES.find(({ name }) => name.startsWith('MongoDB'));
const FLUSH_MS = 1_000;
/** What a write and a busy machine may take on top. */
const GRACE_MS = 1_000;

describe.skipIf(mongo?.available !== true)(`several processes on one ${mongo?.name}`, () => {
  let opened: TestDatabase;
  let services: ServiceProcess[] = [];
  beforeEach(async () => {
    opened = (await mongo?.open()) as TestDatabase;
  });
  afterEach(async () => {
    await Promise.all(services.map((service) => service.end('SIGKILL')));
    services = [];
    await opened.drop();
  });

  async function startProcesses(count: number): Promise<string[]> {
    services = Array.from({ length: count }, () =>
      startService({ DATABASE_URL: opened.url, ROLES: 'api', MARKET_SOURCE: 'none' }),
    );
    const started = await Promise.all(services.map((service) => service.logged('listening')));
    return started.map(({ address }) => String(address));
  }

  async function issue(tier: Tier) {
    const { keys } = opened.database;
    const service = new KeyService({
      keys,
      hasher: argon2Hasher,
      random: secureRandom,
      clock: systemClock,
    });
    const issued = await service.issue({ tier, name: 'shared' });
    if (!issued.ok) throw new Error(issued.reason);
    const headers = { authorization: `Bearer ${issued.secret}` };
    const call = async (address: string, path = '/alerts/latest') => {
      const response = await fetch(`${address}/api/v1${path}`, { headers });
      await response.arrayBuffer();
      return response;
    };
    const stored = async () => {
      const today = new Date().toISOString().slice(0, 10);
      return opened.database.usage.get(issued.key.id, today);
    };
    return { call, stored };
  }

  test('share a key’s limit within 10 % and count every call of it exactly, refused ones too', async () => {
    const addresses = await startProcesses(2);
    const { call, stored } = await issue('pro');
    // The first call of a process opens connections; this one counts against nothing.
    for (const address of addresses) await call(address, '/stats');
    const statuses: number[] = [];
    for (let round = 0; round < 45; round += 1) {
      const turns = Array.from({ length: 10 }, (_, turn) => call(addresses[turn % 2] as string));
      statuses.push(...(await Promise.all(turns)).map(({ status }) => status));
    }
    const allowed = statuses.filter((status) => status === 200).length;
    expect(Math.abs(allowed - 300)).toBeLessThanOrEqual(30);
    expect(statuses.filter((status) => status === 429)).toHaveLength(450 - allowed);
    for (const address of addresses) {
      const { status, headers } = await call(address, '/stats');
      expect([status, headers.get('ratelimit-remaining')]).toEqual([200, '0']);
    }
    await vi.waitFor(async () => expect(await stored()).toBe(454), { timeout: 10_000, interval: 50 });
  });

  test('a kill loses the calls of the last second at most', async () => {
    const [address = ''] = await startProcesses(1);
    const { call, stored } = await issue('enterprise');
    const calls = async (count: number) => {
      for (let n = 0; n < count; n += 1) await call(address);
    };
    await calls(20);
    // Once they are a second old they are stored: nothing but these could be lost.
    await vi.waitFor(async () => expect(await stored()).toBe(20), {
      timeout: FLUSH_MS + GRACE_MS,
      interval: 50,
    });
    await calls(20);
    await services[0]?.end('SIGKILL');
    expect(await stored()).toBeGreaterThanOrEqual(20);
    expect(await stored()).toBeLessThanOrEqual(40);
  });
});
