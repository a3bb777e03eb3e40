import type { IncomingHttpHeaders } from 'node:http';
import { Webhook as Verifier } from 'standardwebhooks';
import { vi } from 'vitest';
import { KeyService } from '../../src/core/accounts/keys/key-service.ts';
import type { Database } from '../../src/core/database.ts';
import type { Webhook } from '../../src/core/delivery/webhooks/webhook.ts';
import { systemClock } from '../../src/infra/process/system-clock.ts';
import { argon2Hasher } from '../../src/infra/secrets/argon2-hasher.ts';
import { secureRandom } from '../../src/infra/secrets/key-crypto.ts';
import { createWebhookSecrets } from '../../src/infra/secrets/secret-key.ts';
import { PATIENT } from '../support/lanes/patient.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { type Authority, createAuthority, writeCaFile } from '../support/tls/authority.ts';
import { bodyOf, startHttpsServer } from '../support/tls/https-server.ts';
import { webhookOf } from '../support/webhooks.ts';

interface Received {
  readonly alert: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver on this machine that every process of the kit trusts, and the processes. */
export async function openDeliveryServiceFixture() {
  const authority: Authority = await createAuthority();
  const ca = await writeCaFile(authority);
  const received: Received[] = [];
  const server = await startHttpsServer(
    await authority.issue({ names: ['127.0.0.1'] }),
    async (request, response) => {
      const body = (await bodyOf(request)).toString();
      const { id } = JSON.parse(body) as { id: number };
      received.push({ alert: id, headers: request.headers, body });
      response.end();
    },
  );
  const services: ServiceProcess[] = [];
  return {
    received: received as readonly Received[],
    url: `https://127.0.0.1:${server.port}/`,
    start(databaseUrl: string, settings: Readonly<Record<string, string>>) {
      const service = startService({
        DATABASE_URL: databaseUrl,
        WEBHOOK_ALLOW_PRIVATE: 'true',
        NODE_EXTRA_CA_CERTS: ca.path,
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

export async function issueKey({ keys }: Pick<Database, 'keys'>) {
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

/** Throws unless everything received is signed with the webhook's secret, as the standardwebhooks package checks it. */
export async function checkSignatures(
  received: readonly Received[],
  { secrets }: Pick<Database, 'secrets'>,
  webhook: Webhook,
): Promise<void> {
  const options = { secretKey: null, secrets, random: secureRandom, logger: silentLogger };
  const secretOf = createWebhookSecrets(options);
  const verifier = new Verifier(await secretOf(webhook));
  for (const { body, headers } of received) verifier.verify(body, headers as Record<string, string>);
}

export function eventually(check: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(check, { ...PATIENT, interval: 50 });
}
