import type { Schemas } from './operations.ts';

/** A delivery whose signature is right. */
export interface WebhookDelivery {
  /** The same for the same alert or event and webhook: use it to drop duplicates. */
  readonly id: string;
  /** When it was sent, in seconds since 1970. */
  readonly timestamp: number;
  /** The alert; a sample that was requested has `test: true`. An outcome or exit has a `type`, which no alert has. */
  readonly payload:
    | Schemas['Alert']
    | Schemas['SampleAlert']
    | Schemas['OutcomeEvent']
    | Schemas['ExitEvent'];
}

/** A request that is not a delivery of the service, or is not of now. Answer it with 401. */
export class WebhookVerificationError extends Error {
  override name = 'WebhookVerificationError';
}

/** A mistake of the program that verifies: a body that was parsed before, no headers, or a secret that is missing or not one. */
export class WebhookUsageError extends Error {
  override name = 'WebhookUsageError';
}

export type WebhookHeaders =
  | Pick<Headers, 'get'>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

const TOLERANCE_SECONDS = 5 * 60;
const HMAC = { name: 'HMAC', hash: 'SHA-256' } as const;

/**
 * Verifies a delivery by Standard Webhooks (HMAC-SHA256, compared in constant time), and returns its content.
 *
 * @param body the bytes as received, before any parsing.
 * @param secrets the `whsec_…` of the registration; several while you change it.
 * @throws WebhookVerificationError
 * @throws WebhookUsageError
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { now = Date.now() }: { now?: number } = {},
): Promise<WebhookDelivery> {
  const bytes = bytesOfBody(body);
  const given = [secrets].flat();
  const keys = await Promise.all((given.length === 0 ? [''] : given).map(keyOf));
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature').split(' ').map(signatureOf);
  const seconds = /^\d{1,15}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  if (!(Math.abs(now / 1_000 - seconds) <= TOLERANCE_SECONDS)) {
    throw new WebhookVerificationError('the timestamp is more than 5 minutes from now');
  }
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const checks = keys.flatMap((key) =>
    signatures.map((signature) => crypto.subtle.verify(HMAC, key, signature, signed)),
  );
  if (!(await Promise.all(checks)).includes(true)) throw new WebhookVerificationError('no signature matches');
  return { id, timestamp: seconds, payload: JSON.parse(new TextDecoder().decode(bytes)) };
}

function bytesOfBody(body: unknown): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  // Not `instanceof`: a test runner may have a class of its own.
  if (ArrayBuffer.isView(body)) {
    return new Uint8Array(body.buffer as ArrayBuffer, body.byteOffset, body.byteLength);
  }
  throw new WebhookUsageError(
    'The body must be the bytes or the text as received. Verify before a framework parses it.',
  );
}

function headerOf(headers: WebhookHeaders, name: string): string {
  if (typeof headers !== 'object' || headers === null)
    throw new WebhookUsageError('The headers of the request are missing.');
  const value = isObject(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof value !== 'string' || value === '') throw new WebhookVerificationError(`${name} is missing`);
  return value;
}

function isObject(headers: WebhookHeaders): headers is Pick<Headers, 'get'> {
  return typeof headers['get'] === 'function';
}

/** The bytes of `v1,BASE64`; empty for another version and for what is not base64. */
function signatureOf(text: string): Uint8Array<ArrayBuffer> {
  return bytesOf(/^v1,(.*)$/s.exec(text)?.[1] ?? '');
}

function keyOf(secret: unknown): ReturnType<typeof crypto.subtle.importKey> {
  const key = bytesOf(typeof secret === 'string' ? secret.trim().replace(/^whsec_/, '') : '');
  if (key.length === 0)
    throw new WebhookUsageError('A secret is missing or invalid: it is whsec_ and base64.');
  return crypto.subtle.importKey('raw', key, HMAC, false, ['verify']);
}

/** The bytes of base64, with or without its padding; empty for other text. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const digits = text.replace(/=+$/, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || digits.length % 4 === 1) return new Uint8Array();
  return Uint8Array.from(atob(digits), (character) => character.charCodeAt(0));
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
