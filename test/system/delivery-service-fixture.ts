import type { IncomingHttpHeaders } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { vi } from 'vitest';
import { KeyService } from '../../src/core/accounts/keys/key-service.ts';
import type { Database } from '../../src/core/database.ts';
import type { Webhook } from '../../src/core/delivery/webhooks/webhook.ts';
import { systemClock } from '../../src/infra/process/system-clock.ts';
import { argon2Hasher } from '../../src/infra/secrets/argon2-hasher.ts';
import { secureRandom } from '../../src/infra/secrets/key-crypto.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { type Authority, createAuthority, writeCaFile } from '../support/tls/authority.ts';
import { bodyOf, startHttpsServer } from '../support/tls/https-server.ts';
import { webhookOf } from '../support/webhooks.ts';

export interface Received {
  /** What is behind the host. */
  readonly path: string;
  readonly alert: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Receivers on this machine that every process of the kit trusts, and the processes. */
export interface DeliveryServiceFixture {
  readonly received: readonly Received[];
  /** How many of them have had their answer. */
  answered(): number;
  /** Address of the receiver that answers 200, after so many milliseconds. */
  url(name: string, afterMs?: number): string;
  start(databaseUrl: string, settings?: Readonly<Record<string, string>>): ServiceProcess;
  close(): Promise<void>;
}

export const WITHIN = { timeout: 60_000, interval: 50 };
export const SECRET_KEY = 'what the secrets of these tests come from';

export async function openDeliveryServiceFixture(): Promise<DeliveryServiceFixture> {
  const authority: Authority = await createAuthority();
  const ca = await writeCaFile(authority);
  const received: Received[] = [];
  let answered = 0;
  const server = await startHttpsServer(
    await authority.issue({ names: ['127.0.0.1'] }),
    async (request, response) => {
      const body = (await bodyOf(request)).toString();
      const { pathname, searchParams } = new URL(request.url ?? '/', 'https://receiver');
      const { id } = JSON.parse(body) as { id: number };
      received.push({ path: pathname, alert: id, headers: request.headers, body });
      await sleep(Number(searchParams.get('after') ?? 0));
      response.end();
      answered += 1;
    },
  );
  const services: ServiceProcess[] = [];
  return {
    received,
    answered: () => answered,
    url: (name, afterMs = 0) => `https://127.0.0.1:${server.port}/${name}?after=${afterMs}`,
    start(databaseUrl, settings = {}) {
      const service = startService({
        DATABASE_URL: databaseUrl,
        MARKET_SOURCE: 'none',
        ROLES: 'deliver',
        WEBHOOK_ALLOW_PRIVATE: 'true',
        NODE_EXTRA_CA_CERTS: ca.path,
        SECRET_KEY,
        ...settings,
      });
      services.push(service);
      return service;
    },
    async close() {
      await Promise.all(services.map((service) => service.end('SIGKILL')));
      await server.close();
      await ca.remove();
    },
  };
}

/** A receiver that takes connections and never says a word of TLS, so that nothing can be sent to it. */
export async function startSilentReceiver() {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    socket.on('error', () => {});
    sockets.add(socket);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as { port: number };
  return {
    url: `https://127.0.0.1:${port}/silent`,
    /** Connections so far. */
    connections: () => sockets.size,
    async close() {
      const closed = new Promise((done) => server.close(done));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** A new Enterprise key: its id and the key itself. */
export async function issueEnterpriseKey({ keys }: Pick<Database, 'keys'>) {
  const service = new KeyService({ keys, hasher: argon2Hasher, random: secureRandom, clock: systemClock });
  const issued = await service.issue({ tier: 'enterprise', name: 'Receiver' });
  if (!issued.ok) throw new Error(issued.reason);
  return { keyId: issued.key.id, secret: issued.secret };
}

export async function register({ webhooks }: Pick<Database, 'webhooks'>, keyId: string, url: string) {
  const webhook = webhookOf({ id: `wh_${secureRandom.base64url(12)}`, keyId, url });
  await webhooks.insert(webhook, 100);
  return webhook;
}

/** How the deliveries of a webhook stand, by alert. */
export async function logOf({ deliveries }: Pick<Database, 'deliveries'>, { id }: Pick<Webhook, 'id'>) {
  const log = await deliveries.list(id, { limit: 100 });
  return log
    .toSorted((a, b) => Number(a.alertId) - Number(b.alertId))
    .map(({ alertId, state, result }) => [alertId, state, result?.error ?? null] as const);
}

export function eventually(check: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(check, WITHIN);
}
