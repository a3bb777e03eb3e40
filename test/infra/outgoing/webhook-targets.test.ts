import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type IsPublicAddress, webhookUrlProblem } from '../../../src/core/delivery/webhooks/webhook-url.ts';
import { isPublicAddress } from '../../../src/infra/outgoing/public-address.ts';
import type { WebhookSenderOptions } from '../../../src/infra/outgoing/webhook-sender.ts';
import {
  HARMLESS_URLS,
  HOSTILE_ANSWERS,
  HOSTILE_HOSTS,
  HOSTILE_URLS,
} from '../../support/receivers/hostile-targets.ts';
import { makeSender } from './sender-fixture.ts';

/** Listens on every address of this machine, IPv6 too, and counts. */
let inside: Server;
let port: number;
let connections = 0;
let bytes = 0;

beforeAll(async () => {
  inside = createServer((socket) => {
    connections += 1;
    socket.on('data', (data) => {
      bytes += data.length;
      socket.destroy();
    });
    socket.on('error', () => {});
    socket.on('end', () => socket.destroy());
  });
  await new Promise<void>((listening) => inside.listen(0, listening));
  port = (inside.address() as AddressInfo).port;
});
afterAll(() => new Promise((closed) => inside.close(closed)));

async function errorOf(url: string, change: Partial<WebhookSenderOptions> = {}) {
  const sender = makeSender({ isPublic: isPublicAddress, timeoutMs: 2_000, ...change });
  const result = await sender.send({ id: 'msg_1_a', url, body: '{}', secrets: ['whsec_AAAA'] });
  expect(result.status).toBeNull();
  return result.error;
}

const withPort = (url: string) => url.replaceAll('{port}', String(port));

describe('a target that is not of the public internet', () => {
  test.each([...HOSTILE_HOSTS.map((host) => `https://${host}:{port}/hook`), ...HOSTILE_URLS])(
    '%j is refused when it is registered, and before it is sent to',
    async (text) => {
      const url = withPort(text);
      expect(webhookUrlProblem(url, isPublicAddress)).not.toBeNull();
      expect(['not_public', 'protocol']).toContain(await errorOf(url));
      expect(connections).toBe(0);
    },
  );

  test.each(HOSTILE_ANSWERS)(
    'behind a name (%j, …) is found out before anything is connected',
    async (...answer: readonly string[]) => {
      const url = `https://hooks.example.com:${port}/hook`;
      expect(webhookUrlProblem(url, isPublicAddress)).toBeNull();
      expect(await errorOf(url, { resolve: async () => answer })).toBe('not_public');
      expect(connections).toBe(0);
    },
  );

  test.each([
    'https://127.0.0.1:{port}/',
    'https://0:{port}/',
    'https://0x7f.1:{port}/',
    'https://[::ffff:7f00:1]:{port}/',
    'https://hooks.example.com:{port}/',
  ])('would have been reached without the guard: %s', async (text) => {
    const before = connections;
    await errorOf(withPort(text), { isPublic: null });
    expect(connections).toBe(before + 1);
    connections = before;
    bytes = 0;
  });
});

test.each(HARMLESS_URLS)('%s may be registered', (url) => {
  expect(webhookUrlProblem(url, isPublicAddress)).toBeNull();
});

test('a port below 1024 other than 443 is refused before its name is asked for', async () => {
  const resolve = vi.fn(async () => ['8.8.8.8']);
  expect(await errorOf('https://hooks.example.com:1023/hook', { resolve })).toBe('refused');
  expect(resolve).not.toHaveBeenCalled();
});

describe('a name that leads elsewhere from one moment to the next', () => {
  /** As if the second address of the loopback were a public one. */
  const isSecond: IsPublicAddress = (address) => address === '127.0.0.2';

  async function reached(
    answers: readonly string[][],
  ): Promise<{ error: unknown; to: string[]; asked: number }> {
    const to: string[] = [];
    let asked = 0;
    const server = createServer((socket) => {
      to.push(socket.localAddress?.replace('::ffff:', '') ?? '');
      socket.destroy();
    });
    await new Promise<void>((listening) => server.listen(0, listening));
    const error = await errorOf(`https://hooks.example.com:${(server.address() as AddressInfo).port}/`, {
      isPublic: isSecond,
      resolve: async () => answers[asked++] ?? [],
    });
    await new Promise((closed) => server.close(closed));
    return { error, to, asked };
  }

  test('is asked for once a connection, and the connection goes to what was checked', async () => {
    expect(await reached([['127.0.0.2'], ['127.0.0.1']])).toEqual({
      error: 'reset',
      to: ['127.0.0.2'],
      asked: 1,
    });
    expect(await reached([['127.0.0.2', '127.0.0.2'], ['127.0.0.1']])).toMatchObject({
      to: ['127.0.0.2'],
      asked: 1,
    });
  });

  test('is not asked again until it answers well', async () => {
    expect(await reached([['127.0.0.1'], ['127.0.0.2']])).toEqual({ error: 'not_public', to: [], asked: 1 });
  });
});

test('where a connection went is looked at before the first byte', async () => {
  const verdicts = [true, false];
  const error = await errorOf(`https://hooks.example.com:${port}/`, {
    isPublic: () => verdicts.shift() ?? false,
  });
  expect(error).toBe('not_public');
  expect(verdicts).toEqual([]);
  expect(bytes).toBe(0);
});
