import { openDatabase } from '../../../src/infra/database/database.ts';
import { createAuthority, writeCaFile } from '../../../test/support/tls/authority.ts';
import { webhookOf } from '../../../test/support/webhooks.ts';
import type { BenchDatabase } from '../databases.ts';
import { Remote } from '../remote.ts';
import { issueKeys } from '../service.ts';
import { startServer } from '../stream/processes.ts';
import type { Receivers } from './receivers.ts';

const PER_KEY = 20;

export type DeliveryBench = Awaited<ReturnType<typeof openDeliveryBench>>;

/** Its disposal is that of the database, too. */
export async function openDeliveryBench(database: BenchDatabase, count: number) {
  const authority = await createAuthority();
  const ca = await writeCaFile(authority);
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: ca.path };
  const receivers = new Remote<Receivers>(new URL('./receivers.ts', import.meta.url));
  const hosts = Array.from(
    { length: count },
    (_, index) => `127.0.${Math.floor(index / 250)}.${(index % 250) + 1}`,
  );
  const port = await receivers.call('listen', await authority.issue({ names: hosts }));
  const urls = hosts.map((host) => `https://${host}:${port}/hook`);
  await register(database.url, urls);
  const service = startServer(env);
  const settings = { DATABASE_URL: database.url, ROLES: 'deliver', WEBHOOK_ALLOW_PRIVATE: 'true' };
  await service.call('start', 'service', settings);
  return {
    publish: () => service.call('publish'),
    cpuSeconds: async () => (await service.call('measure')).cpuSeconds,
    expect: (deliveries: number) => receivers.call('expect', deliveries),
    async [Symbol.asyncDispose]() {
      await Promise.all([service, receivers].map((one) => one[Symbol.asyncDispose]()));
      await ca.remove();
      await database[Symbol.asyncDispose]();
    },
  };
}

async function register(databaseUrl: string, urls: readonly string[]): Promise<void> {
  await issueKeys(databaseUrl, Math.ceil(urls.length / PER_KEY));
  await using database = await openDatabase(databaseUrl);
  const owners = await database.keys.list();
  for (const [index, url] of urls.entries()) {
    const keyId = owners[Math.floor(index / PER_KEY)]?.id ?? '';
    await database.webhooks.insert(webhookOf({ id: `wh_${index}`, keyId, url }), PER_KEY);
  }
}
