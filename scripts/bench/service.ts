import { KeyService } from '../../src/core/keys/key-service.ts';
import type { Tier } from '../../src/core/tier.ts';
import { argon2Hasher } from '../../src/infra/argon2-hasher.ts';
import { openDatabase } from '../../src/infra/database.ts';
import { secureRandom } from '../../src/infra/key-crypto.ts';
import { systemClock } from '../../src/infra/system-clock.ts';
import { startService } from '../../test/support/service-process.ts';

/** The API in a process of its own over a database that was filled before, and a key for it. */
export interface BenchService {
  readonly address: string;
  /** The key. */
  readonly secret: string;
  readonly headers: { readonly authorization: string };
  /** Value of a metric without labels. */
  metric(name: string): Promise<number>;
  stop(): Promise<void>;
}

export interface ApiOptions {
  /** Of the key; default `enterprise`, which has no limit. */
  readonly tier?: Tier;
  readonly settings?: Readonly<Record<string, string>>;
}

export async function startApi(
  databaseUrl: string,
  { tier = 'enterprise', settings = {} }: ApiOptions = {},
): Promise<BenchService> {
  const [secret = ''] = await issueKeys(databaseUrl, 1, tier);
  const service = startService({
    DATABASE_URL: databaseUrl,
    ROLES: 'api',
    PUBLIC_REQUESTS_PER_MINUTE: '0',
    ...settings,
  });
  const { address } = await service.logged('listening');
  return {
    address: String(address),
    secret,
    headers: { authorization: `Bearer ${secret}` },
    async metric(name) {
      const text = await (await fetch(`${String(address)}/metrics`)).text();
      return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
    },
    stop: async () => {
      await service.end('SIGTERM');
    },
  };
}

/** Keys of a tier, enterprise unless said otherwise; nothing else may have an SQLite file open. */
export async function issueKeys(
  databaseUrl: string,
  count: number,
  tier: Tier = 'enterprise',
): Promise<readonly string[]> {
  const database = await openDatabase(databaseUrl);
  try {
    const keys = new KeyService({
      keys: database.keys,
      hasher: argon2Hasher,
      random: secureRandom,
      clock: systemClock,
    });
    const secrets: string[] = [];
    while (secrets.length < count) {
      const issued = await keys.issue({ tier, name: 'Benchmark' });
      if (!issued.ok) throw new Error(`no key was issued: ${issued.reason}`);
      secrets.push(issued.secret);
    }
    return secrets;
  } finally {
    await database.close();
  }
}
