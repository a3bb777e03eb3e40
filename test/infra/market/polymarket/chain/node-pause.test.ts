import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { openNode, RpcFault } from '../../../../../src/infra/market/polymarket/chain/chain-node.ts';
import { createFakeClock } from '../../../../support/clock.ts';
import { createRecordingLogger } from '../../../../support/recording-logger.ts';
import { START } from '../../../../support/rows.ts';
import { until } from '../../../../support/until.ts';

const MINUTE_MS = 60_000;

interface Refusal {
  readonly status?: number;
  readonly retryAfter?: string;
  /** Of JSON-RPC. */
  readonly error?: { readonly code: number; readonly message: string };
}

/** A node over HTTP and WebSocket that refuses while `refusal` is set, and counts what it is asked. */
async function startNode() {
  const state = { refusal: null as Refusal | null, asked: 0 };
  const bodyOf = (id: unknown) => {
    const error = state.refusal?.error;
    return JSON.stringify({ jsonrpc: '2.0', id, ...(error === undefined ? { result: '0x89' } : { error }) });
  };
  const refuse = (response: Pick<ServerResponse, 'writeHead'>, status: number) =>
    response.writeHead(status, state.refusal?.retryAfter ? { 'retry-after': state.refusal.retryAfter } : {});
  const server = createServer((_request, response) => {
    state.asked += 1;
    refuse(response, state.refusal?.status ?? 200).end(bodyOf(1));
  });
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    state.asked += 1;
    const { status, retryAfter = '' } = state.refusal ?? {};
    if (status !== undefined)
      return void socket.end(
        `HTTP/1.1 ${status} No\r\n${retryAfter && `retry-after: ${retryAfter}\r\n`}\r\n`,
      );
    sockets.handleUpgrade(request, socket, head, (client) =>
      client.on('message', (data) => {
        const { id } = JSON.parse(String(data)) as { id: number };
        if (id > 0) state.asked += 1;
        client.send(id > 0 ? bodyOf(id) : JSON.stringify({ jsonrpc: '2.0', id, result: '0x1' }));
      }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const client of sockets.clients) client.terminate();
    server.closeAllConnections();
    server.close();
  });
  return { state, port: (server.address() as AddressInfo).port };
}

async function openPaused(scheme: 'http' | 'ws') {
  const { state, port } = await startNode();
  const clock = createFakeClock(START);
  const logger = createRecordingLogger();
  const url = `${scheme}://127.0.0.1:${port}`;
  const metrics = { upstreamStream() {} };
  const node = openNode({ url, clock, random: () => 0, logger, metrics, onHead() {} });
  const ending = new AbortController();
  const call = () => node.call('eth_chainId', [], ending.signal);
  const refused = () => expect(call()).rejects.toMatchObject({ name: 'RpcFault', kind: 'refused' });
  const warnings = () => logger.lines.filter(({ message }) => message.startsWith('the node refuses'));
  const run = () => {
    const ended = node.run(ending.signal);
    onTestFinished(async () => {
      ending.abort();
      await ended;
    });
  };
  return { state, clock, node, call, refused, warnings, run };
}

test.each<[string, Refusal, number]>([
  ['429 without a time', { status: 429 }, 30_000],
  ['403 without a time', { status: 403 }, 30_000],
  ['429 with seconds', { status: 429, retryAfter: '120' }, 2 * MINUTE_MS],
  ['429 that asks for an hour', { status: 429, retryAfter: '3600' }, 10 * MINUTE_MS],
  ['403 with a date', { status: 403, retryAfter: new Date(START + 90_000).toUTCString() }, 90_000],
  [
    'a limit in words',
    { error: { code: -32005, message: 'daily request count exceeded, request rate limited' } },
    30_000,
  ],
  ['a limit by its code', { error: { code: 429, message: 'Monthly capacity exceeded' } }, 30_000],
  ['403 in words', { error: { code: -32000, message: 'Forbidden: this plan has no WebSockets' } }, 30_000],
])(
  'over HTTP %s pauses the node: nothing is asked meanwhile, and then again',
  async (_, refusal, pauseMs) => {
    const { state, clock, node, call, refused, warnings } = await openPaused('http');
    state.refusal = refusal;
    await refused();
    expect([state.asked, node.pausedUntil]).toEqual([1, START + pauseMs]);
    expect(warnings().map(({ fields }) => fields)).toMatchObject([{ pausedSeconds: pauseMs / 1_000 }]);
    await clock.advance(pauseMs - 1);
    await refused();
    expect([state.asked, warnings().length]).toEqual([1, 1]);
    state.refusal = null;
    await clock.advance(1);
    expect([await call(), node.pausedUntil, state.asked]).toEqual(['0x89', null, 2]);
  },
);

test('pauses double up to 10 minutes while the node goes on refusing, and begin anew after an answer', async () => {
  const { state, clock, call, refused, warnings } = await openPaused('http');
  const pauses = () => warnings().map(({ fields }) => (fields as { pausedSeconds: number }).pausedSeconds);
  state.refusal = { status: 429 };
  for (let refusal = 0; refusal < 7; refusal += 1) {
    await refused();
    await clock.advance(10 * MINUTE_MS);
  }
  expect(pauses()).toEqual([30, 60, 120, 240, 480, 600, 600]);
  state.refusal = null;
  await call();
  state.refusal = { status: 403 };
  await refused();
  expect(pauses().at(-1)).toBe(30);
});

test.each<[string, Refusal]>([
  ['a range that is too long', { error: { code: -32005, message: 'query exceeds max block range limit' } }],
  [
    'history that is gone, with 403',
    { status: 403, error: { code: -32701, message: 'Archive requests require a personal token' } },
  ],
  ['a server error', { status: 503 }],
])('%s is no refusal of all requests', async (_, refusal) => {
  const { state, node, call } = await openPaused('http');
  state.refusal = refusal;
  for (let asked = 1; asked <= 3; asked += 1) {
    await expect(call()).rejects.toBeInstanceOf(RpcFault);
    expect([state.asked, node.pausedUntil]).toEqual([asked, null]);
  }
});

test('over a WebSocket a handshake answered with 429 is repeated when its time has passed, not before', async () => {
  const { state, clock, node, warnings, run } = await openPaused('ws');
  state.refusal = { status: 429, retryAfter: '300' };
  run();
  await until(() => warnings().length === 1);
  await clock.advance(299_000);
  expect([state.asked, node.pausedUntil]).toEqual([1, START + 300_000]);
  state.refusal = null;
  await clock.advance(2_000);
  await until(() => state.asked === 2);
});

test('over a WebSocket a limit in an answer pauses calls, and the connection stays', async () => {
  const { state, clock, call, refused, run } = await openPaused('ws');
  run();
  await until(() => state.asked === 1);
  await expect.poll(call).toBe('0x89');
  state.refusal = { error: { code: -32029, message: 'Too Many Requests' } };
  const { asked } = state;
  await refused();
  await refused();
  expect(state.asked).toBe(asked + 1);
  state.refusal = null;
  // Shorter than its silence, after which a socket without a block is closed.
  await clock.advance(10_000);
  await refused();
  expect(state.asked).toBe(asked + 1);
});
