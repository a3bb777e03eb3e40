import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createReceiver, type ReceiverOptions, verifyWebhook } from '../../../src/cli/listen/receiver.ts';
import { alertJson } from '../../../src/http/views/alert-view.ts';
import { alertOf } from '../../support/alerts.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const NOT_NOW = 'the timestamp is not current';
const BODY = alertJson(alertOf({ id: 7, eventTitle: 'Zażółć gęślą jaźń? 🎲' }));

function signed({ id = 'msg_1', body = BODY, at = new Date(), secrets = [SECRET] } = {}) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}

describe('verifyWebhook', () => {
  const bytes = Buffer.from(BODY);

  test('takes what the standardwebhooks package signs, also with one of two signatures, and gives its id', () => {
    for (const secrets of [[SECRET], [SECRET, OTHER], [OTHER, SECRET]])
      expect(verifyWebhook(signed({ secrets }), bytes, SECRET)).toEqual({ ok: true, id: 'msg_1' });
  });

  test('refuses any changed byte of the body', () => {
    const headers = signed();
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(verifyWebhook(headers, changed, SECRET).ok, `byte ${at}`).toBe(false);
    }
    expect(verifyWebhook(headers, bytes.subarray(0, -1), SECRET).ok).toBe(false);
  });

  const headers = signed();
  const signature = headers['webhook-signature'];
  test.each<[Readonly<Record<string, string | undefined>>, string]>([
    [{ 'webhook-id': 'msg_2' }, 'no signature matches'],
    [{ 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) }, 'no signature matches'],
    [{ 'webhook-signature': signature.replace('v1,', 'v1,A') }, 'no signature matches'],
    [{ 'webhook-signature': signature.replace('v1,', 'v2,') }, 'no signature matches'],
    [{ 'webhook-signature': 'v1,' }, 'no signature matches'],
    [signed({ secrets: [OTHER] }), 'no signature matches'],
    [{ 'webhook-id': undefined }, 'a header is missing'],
    [{ 'webhook-timestamp': undefined }, 'a header is missing'],
    [{ 'webhook-signature': undefined }, 'a header is missing'],
    [{ 'webhook-timestamp': '' }, NOT_NOW],
    [{ 'webhook-timestamp': 'x' }, NOT_NOW],
    [{ 'webhook-timestamp': '1e9' }, NOT_NOW],
    [{ 'webhook-timestamp': '-5' }, NOT_NOW],
  ])('refuses %j: %s', (change, reason) => {
    expect(verifyWebhook({ ...headers, ...change }, bytes, SECRET)).toEqual({ ok: false, reason });
  });

  test.each([
    [-300, true],
    [-301, false],
    [300, true],
    [301, false],
  ])('with a timestamp %i seconds from now the answer is %j', (seconds, ok) => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 });
    onTestFinished(() => void vi.useRealTimers());
    const given = signed({ at: new Date(Date.now() + seconds * 1_000) });
    expect(verifyWebhook(given, bytes, SECRET).ok).toBe(ok);
  });
});

describe('the receiver', () => {
  async function start(options: Partial<ReceiverOptions> = {}) {
    const got: string[] = [];
    const refused: string[] = [];
    const server = createServer(
      createReceiver({
        secret: SECRET,
        onDelivery: ({ id, body }) => void got.push(`${id} ${body}`),
        onRefused: (reason) => void refused.push(reason),
        ...options,
      }),
    );
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const deliver = async (headers: Record<string, string>, body: string = BODY) =>
      (await fetch(url, { method: 'POST', headers, body })).status;
    return { url, got, refused, deliver };
  }

  test('drops a delivery that it had before, with 200', async () => {
    const { deliver, got } = await start();
    for (const id of ['msg_1', 'msg_1', 'msg_2']) expect(await deliver(signed({ id }))).toBe(200);
    expect(got).toEqual([`msg_1 ${BODY}`, `msg_2 ${BODY}`]);
  });

  test('answers 401 to what is not signed, and does nothing with it', async () => {
    const { deliver, got, refused } = await start();
    expect(await deliver({})).toBe(401);
    expect(await deliver(signed(), `${BODY} `)).toBe(401);
    expect(got).toEqual([]);
    expect(refused).toEqual(['a header is missing', 'no signature matches']);
  });

  test('answers 405 to another method and 413 to a body that no alert has', async () => {
    const { url, deliver } = await start();
    expect((await fetch(url)).status).toBe(405);
    expect(await deliver(signed(), 'x'.repeat(300_000))).toBe(413);
  });
});
