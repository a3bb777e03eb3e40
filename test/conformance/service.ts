import { afterAll, beforeAll, beforeEach, describe, vi } from 'vitest';
import { type Container, createContainer } from '../../src/container.ts';
import type { Tier } from '../../src/core/accounts/tier.ts';
import type { Alert } from '../../src/core/alerts/alert.ts';
import { systemClock } from '../../src/infra/process/system-clock.ts';
import { createArgon2Hasher } from '../../src/infra/secrets/argon2-hasher.ts';
import { type Answer, ask } from '../support/api-server.ts';
import { archive, NOON } from '../support/archive.ts';
import { configOf } from '../support/config.ts';
import { DATABASES, type TestDatabase } from '../support/databases.ts';
import { type MovingDate, movingDate } from '../support/moving-date.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { storeAlerts } from '../support/stored.ts';

/** The service's hash at a fraction of its cost (test/wiring/key-hash.test.ts): the suite makes keys by the hundred. */
const cheapHasher = createArgon2Hasher({ memoryCost: 64, timeCost: 2, parallelism: 1 });

type Settings = Readonly<Record<string, string>>;

interface Call {
  readonly key?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The whole service as its container builds it, asked over HTTP. Only `Date` is the suite's: it stands
 * still until it is moved, while waits take their real time. */
export interface RunningService {
  readonly address: string;
  readonly clock: MovingDate;
  readonly container: Container;
  readonly databaseUrl: string;
  /** `path` is relative to the base address of the contract. */
  call(path: string, call?: Call): Promise<Answer>;
  key(tier: Tier, name?: string): Promise<string>;
  publish(alert: Alert): Promise<void>;
}

/** Runs a suite against a service over each database, filled with `archive()`; for each test the clock stands at
 * `NOON`. Without other settings it has the role `api` alone. A function is asked for them once a database. */
export function onRunningService(
  title: string,
  suite: (service: () => RunningService) => void,
  settings: Settings | (() => Promise<Settings>) = {},
): void {
  for (const { name, available, open } of DATABASES) {
    describe.skipIf(!available)(`${title} (${name})`, () => {
      let database: TestDatabase;
      let running: RunningService;
      beforeAll(async () => {
        vi.useFakeTimers({ toFake: ['Date'], now: NOON });
        database = await open();
        await storeAlerts(database.database, ...archive());
        running = await start(database.url, typeof settings === 'function' ? await settings() : settings);
      });
      beforeEach(() => void vi.setSystemTime(NOON));
      afterAll(async () => {
        await running.container.close();
        await database.drop();
        vi.useRealTimers();
      });
      suite(() => running);
    });
  }
}

async function start(url: string, settings: Settings): Promise<RunningService> {
  const standing = {
    DATABASE_URL: url,
    PORT: '0',
    ROLES: 'api',
    MARKET_SOURCE: 'none',
    SECRET_KEY: 'x'.repeat(43),
  };
  const config = configOf({ ...standing, ...settings });
  // The service's own clock would not follow a `Date` that jumps.
  const overrides = { clock: systemClock, logger: silentLogger, hasher: cheapHasher };
  const container = await createContainer(config, overrides);
  const { address } = await container.start();
  return {
    address: address ?? '',
    clock: movingDate,
    container,
    databaseUrl: url,
    call: (path, { key, method = 'GET', headers = {}, body } = {}) =>
      ask(`${address}/api/v1${path}`, {
        method,
        headers: {
          ...headers,
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    async key(tier, name = 'Conformance') {
      const issued = await container.keys.issue({ tier, name });
      if (!issued.ok) throw new Error(issued.reason);
      return issued.secret;
    },
    async publish(alert) {
      await storeAlerts(container.database, alert);
      await container.database.alertIndex.refresh();
      container.feed.announce((await container.database.alerts.byId(alert.id)) as Alert);
    },
  };
}
