import { expect, test } from 'vitest';
import { RpcFault, resultOf } from '../../../../../src/infra/market/polymarket/chain/chain-node.ts';

const URL = 'wss://node.test/v2/0123456789abcdef?token=feedfacecafe';

/** Texts of geth, bor, erigon and public gateways, as reports of 2025 and 2026 quote them. */
const TEXTS: readonly (readonly [RpcFault['kind'], string])[] = [
  ['pruned', 'History has been pruned for this block. To remove restrictions, order a dedicated full node'],
  ['pruned', 'pruned history unavailable'],
  ['pruned', 'Archive requests require a personal token'],
  ['unavailable', 'invalid block range'],
  ['unavailable', 'invalid block range params'],
  ['unavailable', 'block range extends beyond current head block'],
  ['unavailable', 'unknown block'],
  ['unavailable', 'header not found'],
  ['unavailable', 'You reached Public endpoint rate limit, please upgrade to paid plan'],
  ['unavailable', 'eth_getLogs is limited to a 5 range'],
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
