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
}
const file = join(import.meta.dirname, '../../clients/webhook-vectors.json');
const { secrets, timestamp, body, headers, signatures } = JSON.parse(await readFile(file, 'utf8')) as Vectors;
const [secret, other] = secrets;
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

test('while a secret is changed either signature and either secret is enough', async () => {
  for (const signature of [signatures.join(' '), signatures.toReversed().join(' ')])
    for (const given of [secret, [other], [other, secret]])
      await verifyWebhook(body, { ...headers, 'webhook-signature': signature }, given, at);
});

const NO_MATCH = 'no signature matches';
const NOT_NOW = 'more than 5 minutes from now';
const missing = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
test.each<
  [string, { text?: string; change?: Record<string, string | undefined>; given?: readonly string[] }]
>([
  [NO_MATCH, { text: `${body} ` }],
  [NO_MATCH, { given: [other] }],
  [NO_MATCH, { change: { 'webhook-id': 'msg_2' } }],
  [NO_MATCH, { change: { 'webhook-timestamp': String(timestamp + 1) } }],
  ...['v1,', 'v1,!', 'v1', signatures[0]?.replace('v1,', 'v2,')].map((signature): [string, object] => [
    NO_MATCH,
    { change: { 'webhook-signature': signature } },
  ]),
  ...['x', '1e9', '-5', 'NaN'].map((text): [string, object] => [
    NOT_NOW,
    { change: { 'webhook-timestamp': text } },
  ]),
  ...missing.map((name): [string, object] => [`${name} is missing`, { change: { [name]: undefined } }]),
])('%s: %j is refused', async (words, { text = body, change = {}, given = [secret] }) => {
  const refused = verifyWebhook(text, { ...headers, ...change }, given, at);
  await expect(refused).rejects.toThrow(WebhookVerificationError);
  await expect(refused).rejects.toThrow(words);
});

test.each([
  [-300, true],
  [-301, false],
  [300, true],
  [301, false],
])('a delivery that is %i seconds from now is accepted: %j', async (seconds, isAccepted) => {
  const now = (timestamp + seconds) * 1_000;
  const result = verifyWebhook(body, headers, secret, { now });
  await (isAccepted ? result : expect(result).rejects.toThrow(NOT_NOW));
});

test.each([
  ['an object', JSON.parse(body), secret, 'before a framework parses it'],
  ['nothing', undefined, secret, 'before a framework parses it'],
  ['a body without a secret', body, undefined, 'whsec_'],
  ['a body with a secret that is not base64', body, ['whsec_?'], 'whsec_'],
  ['a body with an empty list of secrets', body, [], 'whsec_'],
])('%s is a mistake of the program, not a false delivery', async (_what, given, secrets, words) => {
  const mistake = verifyWebhook(given as string, headers, secrets as string, at);
  await expect(mistake).rejects.toThrow(WebhookUsageError);
  await expect(mistake).rejects.toThrow(words);
});

test('a delivery without the headers of its request is a mistake of the program', async () => {
  const mistake = verifyWebhook(body, undefined as unknown as Headers, secret, at);
  await expect(mistake).rejects.toThrow(WebhookUsageError);
});
