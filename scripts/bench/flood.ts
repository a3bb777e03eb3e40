import { randomBytes } from 'node:crypto';
import autocannon from 'autocannon';
import { KEY_BYTES, KEY_PREFIX } from '../../src/core/keys/key-text.ts';
import { openSqliteFile } from './databases.ts';
import { type Figure, note, whole } from './figure.ts';
import { type BenchService, startApi } from './service.ts';

const KEYS = 10_000;
const CONNECTIONS = 50;

/** Keys that were never issued, each tried once. */
export async function benchFlood(): Promise<readonly Figure[]> {
  const database = await openSqliteFile();
  // Trusts every forwarded address, so that one machine can act as many callers.
  const service = await startApi(database.url, { settings: { TRUST_PROXY: 'true' } });
  try {
    const fromOne = await flood(service, () => '203.0.113.7');
    const fromMany = await flood(
      service,
      (index) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
    );
    const runs = await service.metric('tipoff_argon2_runs_total');
    return [
      note(`${whole(KEYS)} unknown keys from one address`, fromOne),
      note(`${whole(KEYS)} unknown keys, each from an address of its own`, fromMany),
      { what: 'argon2 runs in both floods', value: String(runs), aim: '0', isMet: runs === 0 },
    ];
  } finally {
    await service.stop();
    await database.drop();
  }
}

async function flood({ address }: BenchService, addressOf: (index: number) => string): Promise<string> {
  let sent = 0;
  const startedAt = performance.now();
  const { statusCodeStats } = await autocannon({
    url: `${address}/api/v1/alerts/latest`,
    connections: CONNECTIONS,
    amount: KEYS,
    requests: [
      {
        setupRequest(request) {
          sent += 1;
          const secret = KEY_PREFIX + randomBytes(KEY_BYTES).toString('base64url');
          const headers = { authorization: `Bearer ${secret}`, 'x-forwarded-for': addressOf(sent) };
          return { ...request, headers };
        },
      },
    ],
  });
  const perSecond = KEYS / ((performance.now() - startedAt) / 1_000);
  const answers = Object.entries(statusCodeStats).map(([status, { count }]) => `${whole(count)} × ${status}`);
  return `${whole(perSecond)} requests/s (${answers.join(', ')})`;
}
