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
  /** One for each secret. */
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

test('a changed body, id, time or signature and another secret are refused', async () => {
  const changes: [string, Record<string, string>, string | readonly string[]][] = [
    [`${body} `, {}, secret],
    [body, {}, other],
    [body, {}, []],
    [body, { 'webhook-id': 'msg_2' }, secret],
    [body, { 'webhook-timestamp': String(timestamp + 1) }, secret],
    ...['v1,', 'v1,!', 'v1', signatures[0]?.replace('v1,', 'v2,') ?? ''].map(
      (signature): [string, Record<string, string>, string] => [
        body,
        { 'webhook-signature': signature },
        secret,
      ],
    ),
  ];
  for (const [text, changed, given] of changes) {
    const refused = verifyWebhook(text, { ...headers, ...changed }, given, at);
    await expect(refused, JSON.stringify(changed)).rejects.toThrow(WebhookVerificationError);
    await expect(refused).rejects.toThrow('no signature matches');
  }
});

test.each([
  [-300, true],
  [-301, false],
  [300, true],
  [301, false],
])('a delivery that is %i seconds from now is accepted: %j', async (seconds, isAccepted) => {
  const now = (timestamp + seconds) * 1_000;
  const result = verifyWebhook(body, headers, secret, { now });
  await (isAccepted ? result : expect(result).rejects.toThrow('more than 5 minutes from now'));
});

test.each(['x', '1e9', '-5', 'NaN'])('the timestamp "%s" is refused', async (text) => {
  const refused = verifyWebhook(body, { ...headers, 'webhook-timestamp': text }, secret, at);
  await expect(refused).rejects.toThrow('more than 5 minutes from now');
});

test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
  'one without %s is refused',
  async (name) => {
    const refused = verifyWebhook(body, { ...headers, [name]: undefined }, secret, at);
    await expect(refused).rejects.toThrow(`${name} is missing`);
  },
);

test.each([
  ['an object', JSON.parse(body), secret, 'before a framework parses it'],
  ['nothing', undefined, secret, 'before a framework parses it'],
  ['a body without a secret', body, undefined, 'whsec_'],
  ['a body with a secret that is not base64', body, ['whsec_?'], 'whsec_'],
])('%s is a mistake of the program, not a false delivery', async (_what, given, secrets, words) => {
  const mistake = verifyWebhook(given as string, headers, secrets as string, at);
  await expect(mistake).rejects.toThrow(WebhookUsageError);
  await expect(mistake).rejects.toThrow(words);
});
