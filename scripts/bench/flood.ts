import { randomBytes } from 'node:crypto';
import autocannon from 'autocannon';
import { KEY_BYTES, KEY_PREFIX } from '../../src/core/accounts/keys/key-text.ts';
import { openSqliteFile } from './databases.ts';
import { exactly, type Figure, figure, seconds, whole } from './figure.ts';
import { type BenchService, metricAt, startApi } from './service.ts';

const KEYS = 10_000;
const CONNECTIONS = 50;

/** Keys that were never issued, each tried once. */
export async function benchFlood(): Promise<readonly Figure[]> {
  await using database = await openSqliteFile();
  // Trusts every forwarded address, so that one machine can act as many callers.
  await using service = await startApi(database.url, { TRUST_PROXY: 'true' });
  const fromOne = await flood(service, () => '203.0.113.7');
  const fromMany = await flood(service, (index) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`);
  const runs = await metricAt(service.address, 'tipoff_argon2_runs_total');
  return [
    figure(`${whole(KEYS)} unknown keys from one address`, fromOne),
    figure(`${whole(KEYS)} unknown keys, each from an address of its own`, fromMany),
    figure('argon2 runs in both floods', String(runs), exactly(runs, 0)),
  ];
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
  const perSecond = KEYS / seconds(startedAt);
  const answers = Object.entries(statusCodeStats).map(([status, { count }]) => `${whole(count)} × ${status}`);
  return `${whole(perSecond)} requests/s (${answers.join(', ')})`;
}
