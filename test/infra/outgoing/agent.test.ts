import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect as connectTcp } from 'node:net';
import { request } from 'undici';
import { afterEach, expect, test } from 'vitest';
import { type Connect, createAgent } from '../../../src/infra/outgoing/agent.ts';
import { until } from '../../support/until.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A server whose answers wait for the test, and an agent that has one connection to it. */
async function oneConnection(connect?: Connect) {
  const asked: { readonly path: string; readonly response: ServerResponse }[] = [];
  const server = createServer(({ url = '' }, response) => void asked.push({ path: url, response }));
  let connections = 0;
  server.on('connection', () => (connections += 1));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const port = (server.address() as AddressInfo).port;
  const agent = createAgent({ connections: 1, ...(connect && { connect }) });
  ends.push(
    () => new Promise((closed) => server.close(closed)),
    () => agent.destroy(),
  );
  const get = (path: string, signal?: AbortSignal) =>
    request(`http://127.0.0.1:${port}${path}`, { dispatcher: agent, ...(signal && { signal }) });
  return { get, asked, port, connections: () => connections };
}

test('a request that is aborted while it waits for a connection is never sent, and the connection stays', async () => {
  const { get, asked, connections } = await oneConnection();
  const over = new AbortController();
  const first = get('/first');
  const aborted = get('/aborted', over.signal);
  const last = get('/last');
  await until(() => asked.length === 1);
  over.abort(new Error('too late'));
  asked[0]?.response.end();
  await expect(aborted).rejects.toThrow('too late');
  await (await first).body.dump();
  await until(() => asked.length === 2);
  asked[1]?.response.end();
  await (await last).body.dump();
  expect(asked.map(({ path }) => path)).toEqual(['/first', '/last']);
  expect(connections()).toBe(1);
});

test('each connection is opened under the signal of the request that waits for it', async () => {
  const signals: (AbortSignal | undefined)[] = [];
  const { get, asked } = await oneConnection(async ({ port }, signal) => {
    signals.push(signal);
    const socket = connectTcp(Number(port), '127.0.0.1');
    await new Promise((connected) => socket.once('connect', connected));
    return socket;
  });
  const [one, two] = [new AbortController().signal, new AbortController().signal];
  for (const [index, signal] of [one, two].entries()) {
    const answer = get('/', signal);
    await until(() => asked.length === index + 1);
    asked.at(-1)?.response.writeHead(200, { connection: 'close' }).end();
    await (await answer).body.dump();
  }
  expect(signals).toEqual([one, two]);
});
