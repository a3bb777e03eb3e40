import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import {
  verifyWebhook,
  WebhookUsageError,
  WebhookVerificationError,
} from '../../clients/typescript/src/index.ts';

interface Vectors {
  readonly secrets: readonly [string, string];
  readonly timestamp: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signatures: readonly string[];
  readonly cases: readonly Case[];
}

/** `headers`: those that differ. `right`: `verified`, or words of the refusal. */
interface Case {
  readonly title: string;
  readonly secrets: readonly string[];
  readonly now: number;
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly right: string;
}
const file = join(import.meta.dirname, '../../clients/webhook-vectors.json');
const { secrets, timestamp, body, headers, signatures, cases } = JSON.parse(
  await readFile(file, 'utf8'),
) as Vectors;
const [secret] = secrets;
const at = { now: timestamp * 1_000 };

test('the vectors of both clients are what the standardwebhooks package signs', () => {
  const id = headers['webhook-id'] ?? '';
  const signed = secrets.map((one) => new Webhook(one).sign(id, new Date(timestamp * 1_000), body));
  expect(signed).toEqual(signatures);
  expect(headers['webhook-signature']).toBe(signatures[0]);
});

test('a signed delivery gives its id, its time and the alert, whatever holds the headers and the body', async () => {
  const delivery = { id: headers['webhook-id'], timestamp, payload: JSON.parse(body) };
  const shouted = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
  );
  for (const given of [headers, new Headers(headers), shouted])
    for (const bytes of [body, Buffer.from(body)])
      expect(await verifyWebhook(bytes, given, secret, at)).toEqual(delivery);
});

test.each(cases)('$title: $right, as in the other client', async (given) => {
  const verified = verifyWebhook(given.body ?? body, { ...headers, ...given.headers }, given.secrets, {
    now: given.now * 1_000,
  });
  if (given.right === 'verified') return void (await verified);
  const refusal = given.right === 'whsec_' ? WebhookUsageError : WebhookVerificationError;
  await expect(verified).rejects.toThrow(refusal);
  await expect(verified).rejects.toThrow(given.right);
});

test.each([
  ['an object', JSON.parse(body), secret, 'before a framework parses it'],
  ['nothing', undefined, secret, 'before a framework parses it'],
  ['a body without a secret', body, undefined, 'whsec_'],
])('%s is a mistake of the program, not a false delivery', async (_what, given, secrets, words) => {
  const mistake = verifyWebhook(given as string, headers, secrets as string, at);
  await expect(mistake).rejects.toThrow(WebhookUsageError);
  await expect(mistake).rejects.toThrow(words);
});

test('a delivery without the headers of its request is a mistake of the program', async () => {
  const mistake = verifyWebhook(body, undefined as unknown as Headers, secret, at);
  await expect(mistake).rejects.toThrow(WebhookUsageError);
});
