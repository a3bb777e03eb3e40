import { expect, onTestFinished, test } from 'vitest';
import {
  HttpNode,
  RpcFault,
  resultOf,
  SocketNode,
} from '../../../../../src/infra/market/polymarket/chain/chain-node.ts';
import { createFakeClock } from '../../../../support/clock.ts';
import { startChainNode } from '../../../../support/market/chain-node.ts';
import { generatedTape } from '../../../../support/market/generated-tape.ts';
import { createMarketView } from '../../../../support/market/market-view.ts';
import { startMuteServer } from '../../../../support/mute-server.ts';
import { silentLogger } from '../../../../support/silent-logger.ts';
import { until } from '../../../../support/until.ts';

const START_S = Date.UTC(2026, 9, 5) / 1_000;
const TAPE = generatedTape({ trades: 100, perSecond: 5, start: START_S, wallets: 20, markets: 5 });

async function connect() {
  const clock = createFakeClock((START_S + 5) * 1_000);
  const view = createMarketView(TAPE, { clock });
  const standIn = await startChainNode({ view, clock });
  let heads = 0;
  const node = new SocketNode({ ...depsOf(standIn.wsUrl, clock), onHead: () => (heads += 1) });
  const ending = new AbortController();
  const { signal } = ending;
  await expect(node.call('eth_chainId', [], signal)).rejects.toThrow('no connection');
  const ended = node.run(signal);
  onTestFinished(async () => {
    ending.abort();
    await ended;
    await standIn.close();
  });
  await until(() => standIn.calls.has('eth_subscribe'));
  await clock.advance(1_000);
  await until(() => heads > 0);
  return { clock, standIn, node, ending, signal };
}

function depsOf(url: string, clock: ReturnType<typeof createFakeClock>) {
  const metrics = { upstreamStream: () => {} };
  return { url, clock, random: () => 0, logger: silentLogger, metrics, onHead: () => {} };
}

test('a call in flight when the connection ends fails immediately, not at its time limit', async () => {
  const { clock, standIn, node, signal } = await connect();
  const before = clock.now();
  standIn.isFrozen = true;
  const call = node.call('eth_getLogs', [], signal);
  await until(() => standIn.calls.has('eth_getLogs'));
  standIn.dropSockets();
  await expect(call).rejects.toMatchObject({ name: 'RpcFault', message: 'connection lost' });
  expect(clock.now()).toBe(before);
});

test('a call ends after 10 s without an answer, and when it is given up', async () => {
  const { clock, standIn, node, ending, signal } = await connect();
  expect(await node.call('eth_chainId', [], signal)).toBe('0x89');
  standIn.isFrozen = true;
  const [late, givenUp] = [node.call('eth_getLogs', [], signal), node.call('eth_getLogs', [], signal)];
  const lateEnd = expect(late).rejects.toThrow('no answer within 10000 ms');
  givenUp.catch(() => {});
  await clock.advance(10_000);
  await lateEnd;
  const last = node.call('eth_getLogs', [], signal);
  ending.abort();
  await expect(last).rejects.toBe(signal.reason);
});

test('over HTTP a call ends after 10 s without an answer and leaves no connection', async () => {
  const { url, sockets } = await startMuteServer();
  const clock = createFakeClock(START_S * 1_000);
  const node = new HttpNode(depsOf(url.replace('ws:', 'http:'), clock));
  const call = node.call('eth_chainId', [], new AbortController().signal);
  const end = expect(call).rejects.toMatchObject({ name: 'RpcFault', message: 'no answer within 10000 ms' });
  await until(() => sockets.size === 1);
  await clock.advance(10_000);
  await end;
  await until(() => sockets.size === 0);
  expect(clock.sleepers).toBe(0);
});

const URL = 'wss://node.test/v2/0123456789abcdef?token=feedfacecafe';

/** Texts of geth, bor, erigon and public gateways, as reports of 2025 and 2026 quote them. */
const TEXTS: readonly (readonly [RpcFault['kind'], string])[] = [
  ['pruned', 'History has been pruned for this block. To remove restrictions, order a dedicated full node'],
  ['pruned', 'pruned history unavailable'],
  ['pruned', 'Archive requests require a personal token'],
  ['unavailable', 'invalid block range params'],
  ['unavailable', 'unknown block'],
  ['refused', 'You reached Public endpoint rate limit, please upgrade to paid plan'],
  ['unavailable', 'failed to get logs for block #24256133 (0xe366b3..729727)'],
];

test.each(TEXTS)('%s: %s', (kind, message) => {
  expect(() => resultOf({ jsonrpc: '2.0', id: 1, error: { code: -32000, message } }, URL)).toThrow(
    expect.objectContaining({ name: 'RpcFault', kind }),
  );
});

test('an answer that is none of JSON-RPC is a fault, and a result of null is a result', () => {
  for (const answer of [undefined, null, 7, 'text', [], {}])
    expect(() => resultOf(answer, URL)).toThrow(RpcFault);
  expect(resultOf({ jsonrpc: '2.0', id: 1, result: null }, URL)).toBeNull();
});

test('an error that repeats the key of the URL is passed on without it', () => {
  const message = 'project 0123456789abcdef: token feedfacecafe is invalid';
  expect(() => resultOf({ error: { message } }, URL)).toThrow('project …: token … is invalid');
});
