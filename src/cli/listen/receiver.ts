import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, RequestListener } from 'node:http';

const TOLERANCE_SECONDS = 5 * 60;
const BODY_MAX_BYTES = 256 * 1_024;
const REMEMBERED = 10_000;

export type Verified = { ok: true; id: string } | { ok: false; reason: string };

/**
 * Checks a delivery by Standard Webhooks: `rawBody` is what came, byte for byte, before any parsing. `secret` is the
 * `whsec_…` of the registration. While a secret is being changed there are two signatures; one that fits is enough.
 * A `webhook-id` that was seen before is for you to drop.
 */
export function verifyWebhook(
  headers: Readonly<IncomingHttpHeaders>,
  rawBody: Uint8Array,
  secret: string,
): Verified {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') {
    return { ok: false, reason: 'a header is missing' };
  }
  const ageSeconds = Date.now() / 1_000 - (/^\d+$/.test(timestamp) ? Number(timestamp) : Number.NaN);
  if (!(Math.abs(ageSeconds) <= TOLERANCE_SECONDS))
    return { ok: false, reason: 'the timestamp is not current' };
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody).digest();
  const fits = signatures.split(' ').some((signature) => {
    const [version, text = ''] = signature.split(',');
    const given = Buffer.from(text, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
  return fits ? { ok: true, id } : { ok: false, reason: 'no signature matches' };
}

export interface ReceiverOptions {
  readonly secret: string;
  /** Called once for each delivery, after it was answered. */
  onDelivery(delivery: { readonly id: string; readonly body: string }): void;
  /** Called with the reason when a delivery was answered 401. */
  onRefused(reason: string): void;
}

/** Answers 200 to a delivery that is signed with the secret, 401 to any other. */
export function createReceiver({ secret, onDelivery, onRefused }: ReceiverOptions): RequestListener {
  const seen = new Set<string>();
  return async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405, { allow: 'POST' }).end();
    const rawBody = await readBody(request);
    if (rawBody === null) return void response.writeHead(413, { connection: 'close' }).end();
    const verified = verifyWebhook(request.headers, rawBody, secret);
    if (!verified.ok) {
      onRefused(verified.reason);
      return void response.writeHead(401).end(verified.reason);
    }
    response.writeHead(200).end();
    if (seen.has(verified.id)) return;
    seen.add(verified.id);
    const [oldest] = seen;
    if (seen.size > REMEMBERED && oldest !== undefined) seen.delete(oldest);
    onDelivery({ id: verified.id, body: rawBody.toString('utf8') });
  };
}

/** Null: it is larger than any alert, or was broken off. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes <= BODY_MAX_BYTES) chunks.push(chunk);
    }
  } catch {
    return null;
  }
  return bytes > BODY_MAX_BYTES ? null : Buffer.concat(chunks);
}
