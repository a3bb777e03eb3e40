import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { openDatabase } from '../../src/infra/database/database.ts';
import { storeAlerts } from '../../test/support/stored.ts';
import { createAuthority, writeCaFile } from '../../test/support/tls/authority.ts';
import { webhookOf } from '../../test/support/webhooks.ts';
import { openSqliteFile } from './databases.ts';
import { figure, median, progress, seconds, whole } from './figure.ts';
import { sampleAlert } from './sample-alerts.ts';
import { issueKeys, startApi } from './service.ts';

const RECEIVERS = 500;
const PER_KEY = 20;
const ALERTS = 10;
const ROUNDS = 7;
const BACKLOG = 4_096;
const LIMIT_MS = 60_000;
const HOSTS = Array.from(
  { length: RECEIVERS },
  (_, index) => `127.0.${Math.floor(index / 250)}.${(index % 250) + 1}`,
);

/** From alerts in the database until every receiver has had each. */
export async function benchWebhooks(): Promise<readonly string[]> {
  await using file = await openSqliteFile();
  const authority = await createAuthority();
  const ca = await writeCaFile(authority);
  const receivers = createServer(await authority.issue({ names: HOSTS }));
  await once(receivers.listen({ port: 0, host: '0.0.0.0', backlog: BACKLOG }), 'listening');
  await register(file.url, (receivers.address() as AddressInfo).port);
  await using service = await startApi(file.url, {
    ROLES: 'all',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    NODE_EXTRA_CA_CERTS: ca.path,
  });
  await using database = await openDatabase(file.url);
  const rounds: { readonly perSecond: number; readonly cpuMicroseconds: number }[] = [];
  let lastId = 0;
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round++) {
    const alerts = Array.from({ length: ALERTS }, () => sampleAlert(++lastId));
    const before = await service.cpuSeconds();
    const startedAt = performance.now();
    const delivered = requests(receivers, ALERTS * RECEIVERS);
    await storeAlerts(database, ...alerts);
    await delivered;
    const perSecond = (ALERTS * RECEIVERS) / seconds(startedAt);
    const cpu = (await service.cpuSeconds()) - before;
    rounds.push({ perSecond, cpuMicroseconds: (cpu / ALERTS / RECEIVERS) * 1e6 });
    progress(`round ${round} of ${ROUNDS}: ${whole(perSecond)} deliveries/s`);
  }
  receivers.close();
  receivers.closeAllConnections();
  await ca.remove();
  const of = (what: 'perSecond' | 'cpuMicroseconds') =>
    whole(median(rounds.slice(1).map((round) => round[what])));
  return [
    figure(
      `matched, put in the outbox, claimed, signed, sent, outcome written (median of ${ROUNDS} rounds)`,
      `${of('perSecond')} deliveries per second, ${of('cpuMicroseconds')} µs of processor each`,
    ),
  ];
}

/** Resolves when so many requests have been answered. What fails is not sent again soon enough to wait for. */
function requests(server: Server, count: number): Promise<void> {
  let left = count;
  return new Promise((done, fail) => {
    const end = () => fail(new Error(`${left} of ${count} deliveries have not arrived`));
    const limit = setTimeout(end, LIMIT_MS);
    server.removeAllListeners('request').on('request', (request, response) => {
      request.resume().on('end', () => {
        response.end();
        left -= 1;
        if (left > 0) return;
        clearTimeout(limit);
        done();
      });
    });
  });
}

async function register(databaseUrl: string, port: number): Promise<void> {
  await issueKeys(databaseUrl, Math.ceil(RECEIVERS / PER_KEY));
  await using database = await openDatabase(databaseUrl);
  const owners = await database.keys.list();
  for (const [index, host] of HOSTS.entries()) {
    const keyId = owners[Math.floor(index / PER_KEY)]?.id ?? '';
    const url = `https://${host}:${port}/hook`;
    await database.webhooks.insert(webhookOf({ id: `wh_${index}`, keyId, url }), PER_KEY);
  }
}
