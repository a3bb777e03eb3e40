import { KeyService } from '../../src/core/accounts/keys/key-service.ts';
import type { Tier } from '../../src/core/accounts/tier.ts';
import type { Database } from '../../src/core/database.ts';
import type { ApiDocument } from '../../src/http/documents/describe-api.ts';
import { openDatabase } from '../../src/infra/database/database.ts';
import { systemClock } from '../../src/infra/process/system-clock.ts';
import { argon2Hasher } from '../../src/infra/secrets/argon2-hasher.ts';
import { secureRandom } from '../../src/infra/secrets/key-crypto.ts';
import { exitOf } from './alerts.ts';
import { archive, NOON } from './archive.ts';
import { appendDrafts, settlementsAt } from './log-entries.ts';
import { startService } from './service-process.ts';
import { storeAlerts, storeExits } from './stored.ts';
import { webhookOf } from './webhooks.ts';

/** A service in a process of its own over a small archive, and what is needed to ask it. */
export type ServiceOverArchive = Awaited<ReturnType<typeof startServiceOverArchive>>;

export async function startServiceOverArchive(databaseUrl: string) {
  const keys = await prepare(databaseUrl);
  const service = startService({
    DATABASE_URL: databaseUrl,
    ROLES: 'api',
    LOG_LEVEL: 'debug',
    PUBLIC_REQUESTS_PER_MINUTE: '0',
    SECRET_KEY: secureRandom.base64url(32),
    NODE_OPTIONS: `--import ${new URL('no-names.ts', import.meta.url).href}`,
  });
  const address = String((await service.logged('listening'))['address']);
  const document = (await (await fetch(`${address}/api/v1/openapi.json`)).json()) as ApiDocument;
  const secrets = Object.values(keys).map((secret) => secret.slice(18));
  const isLeak = (line: string) =>
    secrets.some((secret) => line.includes(secret)) ||
    /"stack"|\\n +at |node_modules|"level":(50|60|"error")/.test(line);
  return {
    address,
    document,
    keys,
    /** What of the inside its log shows so far, line by line. */
    leaks: () => service.output().split('\n').filter(isLeak),
    stop: async () => void (await service.end('SIGTERM')),
  };
}

async function prepare(databaseUrl: string) {
  await using database = await openDatabase(databaseUrl);
  const service = new KeyService({
    keys: database.keys,
    hasher: argon2Hasher,
    random: secureRandom,
    clock: systemClock,
  });
  const issue = async (tier: Tier) => {
    const issued = await service.issue({ tier, name: 'Test' });
    if (!issued.ok) throw new Error(issued.reason);
    return issued;
  };
  await storeAlerts(database, ...archive());
  await storeExits(database, exitOf({ number: 1, createdAt: NOON }));
  await appendDrafts(database.log, settlementsAt(NOON, NOON + 1));
  const revoked = await issue('pro');
  await service.revoke(revoked.key.id);
  const [enterprise, pro, free] = [await issue('enterprise'), await issue('pro'), await issue('free')];
  await addDelivery(database, enterprise.key.id);
  return {
    enterprise: enterprise.secret,
    pro: pro.secret,
    free: free.secret,
    revoked: revoked.secret,
  };
}

/** A webhook of a key, oldest of all, with two deliveries that have failed and can be repeated. */
async function addDelivery({ webhooks, deliveries }: Database, keyId: string): Promise<void> {
  const id = 'wh_archive';
  await webhooks.insert(webhookOf({ id, keyId, createdAt: NOON }), 1);
  const ended = { state: 'failed', createdAt: Date.now(), finishedAt: Date.now(), result: null } as const;
  await deliveries.add(
    [1, 2].map((alertId) => ({ id: `msg_${alertId}_archive`, webhookId: id, alertId, ...ended })),
  );
}
