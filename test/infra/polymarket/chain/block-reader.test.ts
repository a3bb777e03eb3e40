import { expect, test } from 'vitest';
import { BlockReader } from '../../../../src/infra/polymarket/chain/block-reader.ts';
import { createChainBlocks } from '../../../support/market/chain-blocks.ts';
import { createCalls, usualManners } from '../../../support/market/chain-calls.ts';
import { createChainLogs } from '../../../support/market/chain-logs.ts';
import { createFaults, NO_FAULTS } from '../../../support/market/faults.ts';
import { generatedTape } from '../../../support/market/generated-tape.ts';
import { createMarketView } from '../../../support/market/market-view.ts';

const START_S = Date.UTC(2026, 9, 5) / 1_000;
const TAPE = generatedTape({ trades: 100, perSecond: 5, start: START_S, wallets: 20, markets: 5 });
const signal = new AbortController().signal;

/** A reader of a chain in memory; `answer` may change what the node says. */
function readerOf(answer: (method: string, result: unknown) => unknown) {
  const clock = { now: () => (START_S + 30) * 1_000 };
  const view = createMarketView(TAPE, { clock, faults: createFaults(NO_FAULTS, clock) });
  const chain = createChainBlocks(view, clock);
  const call = createCalls({ chain, manners: usualManners(), logsOf: createChainLogs(view) });
  const asked: string[] = [];
  const sleeps: number[] = [];
  const node = {
    async call(method: string, params: readonly unknown[]) {
      asked.push(method);
      return answer(method, call(method, params));
    },
  };
  const pauses = { sleep: async (ms: number) => void sleeps.push(ms) };
  const reader = new BlockReader(node, pauses, (reason) => expect.unreachable(reason));
  const [traded] = chain.blocks.filter(({ trades }) => trades.length > 0);
  return { reader, asked, sleeps, chain, traded: traded as NonNullable<typeof traded> };
}

test('an empty list of logs is believed only the second time, since nodes that lag answer so', async () => {
  let empty = 1;
  const late = readerOf((method, result) => (method === 'eth_getLogs' && empty-- > 0 ? [] : result));
  const header = await late.reader.headerByHash(late.traded.hash, signal);
  expect(await late.reader.fillsOf(header, signal)).toHaveLength(late.traded.trades.length);
  expect(late.sleeps).toEqual([500]);
});

test('without block times in the logs they are read from the headers', async () => {
  const withoutTimes = (method: string, result: unknown) =>
    method === 'eth_getLogs'
      ? (result as object[]).map((log) => ({ ...log, blockTimestamp: undefined }))
      : result;
  const [bare, timed] = [readerOf(withoutTimes), readerOf((_, result) => result)];
  const { number } = bare.traded;
  const blocks = await bare.reader.range(number, number + 5, signal);
  expect(blocks).toEqual(await timed.reader.range(number, number + 5, signal));
  expect(bare.asked.length).toBe(timed.asked.length + 5);
});

test('a range whose last header is of another branch than its logs is a fault', async () => {
  const other = readerOf((method, result) =>
    method === 'eth_getBlockByNumber' ? { ...(result as object), hash: `0x${'e'.repeat(64)}` } : result,
  );
  const { number } = other.traded;
  await expect(other.reader.range(number, number, signal)).rejects.toThrow('two branches');
});

test('what is no header, no list of logs or no block is a fault', async () => {
  for (const answer of [null, 7, {}, { number: '0x1' }]) {
    const { reader } = readerOf(() => answer);
    await expect(reader.headerByNumber(1, signal)).rejects.toMatchObject({ name: 'RpcFault' });
    await expect(reader.range(1, 2, signal)).rejects.toMatchObject({ name: 'RpcFault' });
  }
});
