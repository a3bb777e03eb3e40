import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type IsPublicAddress, webhookUrlProblem } from '../../../src/core/delivery/webhooks/webhook-url.ts';
import { isPublicAddress } from '../../../src/infra/outgoing/public-address.ts';
import type { WebhookSenderOptions } from '../../../src/infra/outgoing/webhook-sender.ts';
import { makeSender, messageTo } from './sender-fixture.ts';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Hosts, as written in an address, that are not on the public internet. {port} follows each. */
const HOSTILE_HOSTS: readonly string[] = [
  // Loopback in every spelling of IPv4 that the URL standard reads.
  ...words(`
    127.0.0.1 127.0.0.1. 127.1 127.0.1 127.255.255.254 127.0.0.53 2130706433 017700000001 0x7f000001
    0X7F000001 0x7f.1 0x7f.0x0.0x0.0x1 0177.0.0.1 0177.0.0.01 00000177.0.0.0x1 %31%32%37.0.0.1
    127%2e0%2e0%2e1 %6c%6f%63%61%6c%68%6f%73%74 １２７.0.0.1 127。0。0。1 ①②⑦.⓪.⓪.① 0 0.0.0.0 0x0 00 0.1.2.3
    127.0.0.1%2e
  `),
  // Private, shared, link-local and reserved IPv4.
  ...words(`
    10.0.0.1 10.255.255.255 167772161 0xa.1 172.16.0.1 172.31.255.254 192.168.0.1 192.168.1.1 3232235777
    0300.0250.0.1 100.64.0.1 100.127.255.254 169.254.0.1 192.0.0.8 192.0.0.170 192.0.2.1 198.51.100.7
    203.0.113.9 198.18.0.1 198.19.255.254 192.88.99.1 224.0.0.1 239.255.255.250 240.0.0.1
    255.255.255.255 4294967295 0xffffffff
  `),
  // Where clouds tell a machine about itself.
  ...words(`
    169.254.169.254 2852039166 0xA9FEA9FE 0251.0376.0251.0376 169.254.43518 169.254.170.2
    100.100.100.200 192.0.0.192 168.63.129.16 [fd00:ec2::254] [::ffff:169.254.169.254]
    metadata.google.internal metadata.google.internal. instance-data.ec2.internal metadata
  `),
  // IPv6, and IPv4 within it.
  ...words(`
    [::1] [0:0:0:0:0:0:0:1] [0000::0001] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1]
    [::7f00:1] [0:0:0:0:0:ffff:10.0.0.1] [::ffff:0:127.0.0.1] [::5efe:10.0.0.1]
    [2606:4700::5efe:10.0.0.1] [2606:4700::200:5efe:10.0.0.1] [2606:4700:64:64::10.0.0.1]
    [2606:4700:a00:1::] [64:ff9b:1::10.0.0.1] [64:ff9b::127.0.0.1] [64:ff9b::a00:1] [64:ff9b::a9fe:a9fe]
    [64:ff9b:1::7f00:1] [64:ff9b:1:fffe::808:808] [2002:7f00:1::] [2002:a00:1::1] [2002:c0a8:101::]
    [2002:a9fe:a9fe::] [2001::1] [2001:0:4136:e378:8000:63bf:3fff:fdd2] [fe80::1] [febf::1] [fec0::1]
    [fc00::1] [fd12:3456:789a::1] [fdff::1] [ff02::1] [ff0e::1] [100::1] [2001:db8::1] [3fff::1]
    [2001:2::1] [2001:10::1] [2001:20::1] [5f00::1] [4000::1] [1::1] [fe80::1%25eth0] [::1%25lo] [::1
    ::1 [127.0.0.1] [::ffff:127.0.0.1.]
  `),
  // Names of one's own network.
  ...words(`
    tipoff.default.svc tipoff.default.svc.cluster.local hooks.corp vault.service.consul wiki.intranet
    nas.home db.private app.docker hooks.corp. localhost LOCALHOST localhost. LocalHost. localhost..
    ⓛocalhost ｌｏｃａｌｈｏｓｔ local\u00adhost a.localhost a.localhost. localhost.localdomain printer.local
    router.lan nas.home.arpa intranet host.docker.internal kubernetes.default.svc.cluster.local db
    mongo. a..example.com . ..
  `),
  // A host that is not the one it seems to be.
  ...words(`
    user@127.0.0.1 hooks.example.com@127.0.0.1 hooks.example.com:443@127.0.0.1 @127.0.0.1 a:b@localhost
    hooks.example.com%40127.0.0.1 127.0.0.1\\@hooks.example.com 127.0.0.1#
    hooks.example.com%00.127.0.0.1 127.0.0.1%00 999.1.1.1 127.0.0.256 0x100000000 1.2.3.4.5
  `),
  ...['127.0.0.1\t', '127.0.0.1\n', ' 127.0.0.1'],
];

const HOSTILE_URLS: readonly string[] = [
  ...words(`
    http://127.0.0.1:{port}/ http://hooks.example.com/ HTTP://localhost:{port}/ //127.0.0.1:{port}/
    https:127.0.0.1:{port} https:/127.0.0.1:{port}/ https:///127.0.0.1:{port}/
    https:\\\\127.0.0.1:{port}\\ file:///etc/passwd ftp://127.0.0.1:{port}/ gopher://127.0.0.1:{port}/_
    data:text/plain,x unix:/run/x wss://127.0.0.1:{port}/ javascript:alert(1) 127.0.0.1:{port} https://
    https://:{port}/ https://127.0.0.1:99999/ https://\ud800:{port}/
  `),
  ...['', ' https://127.0.0.1:{port}/', 'ht\ntps://127.0.0.1:{port}/'],
];

/** What names of others may lead to. */
const HOSTILE_ANSWERS: readonly (readonly string[])[] = [
  ['8.8.8.8', '127.0.0.1'],
  ['127.0.0.1', '8.8.8.8'],
  ['2606:4700::1111', '8.8.8.8', '::1'],
  ['8.8.8.8', '1.1.1.1', '::ffff:192.168.0.1'],
  ['127.0.0.1', '::1'],
  [''],
  ['127.0.0.1 '],
  ...words(`
    127.0.0.1 0.0.0.0 10.0.0.5 192.168.1.10 169.254.169.254 100.64.0.1 168.63.129.16 ::1 ::
    fd00:ec2::254 fe80::1 fe80::1%lo ::1%lo ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::127.0.0.1
    64:ff9b::7f00:1 64:ff9b:1::7f00:1 2002:7f00:1:: 2001:0:4136:e378:8000:63bf:3fff:fdd2 localhost 127.1
    2130706433 0x7f.0.0.1 0177.0.0.1
  `).map((address) => [address]),
];

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
  const result = await sender.send({ ...messageTo({ port: 0 }), url });
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
});

test('in development a receiver on 127.0.0.1 is sent to without TLS, and one of no other name', async () => {
  const server = createHttpServer((request, response) => {
    response.writeHead(request.headers['webhook-signature'] === undefined ? 400 : 200).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port: own } = server.address() as AddressInfo;
  const send = (host: string, isPublic: IsPublicAddress | null) =>
    makeSender({ isPublic }).send({ ...messageTo({ port: own }), url: `http://${host}:${own}/` });
  expect(await send('127.0.0.1', null)).toMatchObject({ status: 200, error: null });
  expect(await send('localhost', null)).toMatchObject({ status: null, error: 'protocol' });
  expect(await send('127.0.0.1', () => true)).toMatchObject({ status: null, error: 'protocol' });
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
