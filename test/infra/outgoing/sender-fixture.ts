import { afterAll, beforeAll } from 'vitest';
import type { WebhookMessage, WebhookSender } from '../../../src/core/delivery/webhooks/webhook.ts';
import { HttpWebhookSender, type WebhookSenderOptions } from '../../../src/infra/outgoing/webhook-sender.ts';
import { systemClock } from '../../../src/infra/process/system-clock.ts';
import { type FaultReceiver, startFaultReceiver } from '../../support/receivers/fault-receiver.ts';
import type { Fault, FaultName } from '../../support/receivers/faults.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import {
  type Authority,
  createAuthority,
  type ServerCertificate,
  trust,
} from '../../support/tls/authority.ts';

export const NAME = 'hooks.example.test';

const opened: { close(): Promise<unknown> }[] = [];
afterAll(() => Promise.allSettled(opened.splice(0).map((one) => one.close())));

export async function openReceiver(
  fault: FaultName | Fault,
  certificate: ServerCertificate,
): Promise<FaultReceiver> {
  const receiver = await startFaultReceiver(fault, certificate);
  opened.push(receiver);
  return receiver;
}

/** An authority that is trusted while the tests of a file run, and its certificate for the names. */
export function useAuthority(names: readonly string[] = [NAME]) {
  const given = {} as { authority: Authority; certificate: ServerCertificate };
  let distrust = () => {};
  beforeAll(async () => {
    given.authority = await createAuthority();
    distrust = trust(given.authority);
    given.certificate = await given.authority.issue({ names: [...names] });
  });
  afterAll(() => distrust());
  return given;
}

/** A sender for which every name leads to this machine, and may; closed after the tests of the file. */
export function makeSender(change: Partial<WebhookSenderOptions> = {}): WebhookSender {
  const resolve = async () => ['127.0.0.1'];
  const given = { isPublic: () => true, clock: systemClock, logger: silentLogger, resolve };
  const sender = new HttpWebhookSender({ ...given, ...change });
  opened.push(sender);
  return sender;
}

export const messageTo = ({ port }: { readonly port: number }, host = NAME): WebhookMessage => ({
  id: 'msg_1_a',
  url: `https://${host}:${port}/hook/token?key=value`,
  body: '{"id":1}',
  format: 'json',
  secrets: [`whsec_${Buffer.alloc(32).toString('base64')}`],
});

/** Runs against a receiver; afterwards the sender is closed, and with it every connection by its doing. */
export async function withReceiver<Answer>(
  fault: FaultName | Fault,
  certificate: ServerCertificate,
  run: (receiver: FaultReceiver, sender: WebhookSender) => Promise<Answer>,
  change: Partial<WebhookSenderOptions> = {},
): Promise<Answer> {
  const receiver = await openReceiver(fault, certificate);
  const sender = makeSender(change);
  const answer = await run(receiver, sender);
  await sender.close();
  await receiver.allClosed();
  return answer;
}
