import { expect, test } from 'vitest';
import {
  BlockReader,
  isInBloom,
  mayHaveFills,
} from '../../../../../src/infra/market/polymarket/chain/block-reader.ts';
import type { ReadBlock } from '../../../../../src/infra/market/polymarket/chain/chain-block.ts';
import { RpcFault } from '../../../../../src/infra/market/polymarket/chain/chain-node.ts';
import { EXCHANGES, ORDER_FILLED } from '../../../../../src/infra/market/polymarket/chain/order-filled.ts';
import { createChain } from '../../../../support/market/chain-calls.ts';
import { bloomOf, type StandInLog } from '../../../../support/market/chain-logs.ts';
import { generatedTape } from '../../../../support/market/generated-tape.ts';
import { createMarketView } from '../../../../support/market/market-view.ts';

const START_S = Date.UTC(2026, 9, 5) / 1_000;
const TAPE = generatedTape({ trades: 100, perSecond: 5, start: START_S, wallets: 20, markets: 5 });
const signal = new AbortController().signal;

/** A reader of a chain in memory; `answer` may change what the node says. */
function readerOf(
  answer: (method: string, result: unknown) => unknown,
  onLogs: (params: readonly unknown[]) => void = () => {},
) {
  const clock = { now: () => (START_S + 30) * 1_000 };
  const { chain, call } = createChain(createMarketView(TAPE, { clock }), clock);
  const asked: string[] = [];
  const sleeps: number[] = [];
  const node = {
    async call(method: string, params: readonly unknown[]) {
      asked.push(method);
      if (method === 'eth_getLogs') onLogs(params);
      return answer(method, call(method, params));
    },
  };
  const pauses = { sleep: async (ms: number) => void sleeps.push(ms) };
  const reader = new BlockReader({
    ...{ node, clock: pauses, exchanges: EXCHANGES },
    onDrop: (reason) => expect.unreachable(reason),
  });
  const [traded] = chain.blocks.filter(({ trades }) => trades.length > 0);
  return { reader, asked, sleeps, chain, traded: traded as NonNullable<typeof traded> };
}

async function whole(range: AsyncIterable<ReadBlock>): Promise<readonly ReadBlock[]> {
  const blocks: ReadBlock[] = [];
  for await (const block of range) blocks.push(block);
  return blocks;
}

/** The first block with trades of a node that answers with empty lists of logs, so many times. */
async function readEmpty(times: number) {
  let left = times;
  const run = readerOf((method, result) => (method === 'eth_getLogs' && left-- > 0 ? [] : result));
  const header = await run.reader.headerByHash(run.traded.hash, signal);
  return { ...run, block: await run.reader.block(header, signal) };
}

test('an empty list of logs of a block whose bloom allows fills is asked for again, since nodes that lag answer so', async () => {
  const { block, traded, sleeps } = await readEmpty(1);
  expect(block.fills).toHaveLength(traded.trades.length);
  expect(sleeps).toEqual([500]);
});

test('a block that stays empty although its bloom allows fills is passed on, also at the end of a range', async () => {
  const { reader, block, traded } = await readEmpty(Number.POSITIVE_INFINITY);
  expect(block).toMatchObject({ number: traded.number, fills: [] });
  const [last] = await whole(reader.range(traded.number, traded.number, signal));
  expect(last).toMatchObject({ number: traded.number, fills: [] });
});

test('a block whose bloom allows no fill is believed to be empty the first time', async () => {
  const { reader, chain, asked, sleeps } = readerOf((_, result) => result);
  const header = await reader.headerByHash(chain.blocks[1]?.hash as string, signal);
  asked.length = 0;
  expect(await reader.block(header, signal)).toMatchObject({ number: 1, fills: [] });
  expect([asked, sleeps]).toEqual([['eth_getLogs'], []]);
});

test('a header without a bloom proves no empty block: it is asked for again', async () => {
  const { reader, chain, sleeps } = readerOf((method, result) =>
    method === 'eth_getBlockByHash' ? { ...(result as object), logsBloom: null } : result,
  );
  const header = await reader.headerByHash(chain.blocks[1]?.hash as string, signal);
  expect(await reader.block(header, signal)).toMatchObject({ fills: [] });
  expect(sleeps).toEqual([500]);
});

test('without block times in the logs they are read from the headers', async () => {
  const withoutTimes = (method: string, result: unknown) =>
    method === 'eth_getLogs'
      ? (result as object[]).map((log) => ({ ...log, blockTimestamp: undefined }))
      : result;
  const [bare, timed] = [readerOf(withoutTimes), readerOf((_, result) => result)];
  const { number } = bare.traded;
  const blocks = await whole(bare.reader.range(number, number + 5, signal));
  expect(blocks).toEqual(await whole(timed.reader.range(number, number + 5, signal)));
  expect(bare.asked.length).toBe(timed.asked.length + 5);
});

test('a range whose last header is of another branch than its logs is a fault', async () => {
  const other = readerOf((method, result) =>
    method === 'eth_getBlockByNumber' ? { ...(result as object), hash: `0x${'e'.repeat(64)}` } : result,
  );
  const { number } = other.traded;
  await expect(whole(other.reader.range(number, number, signal))).rejects.toThrow('two branches');
});

test('what is no header, no list of logs or no block is a fault', async () => {
  for (const answer of [null, 7, {}, { number: '0x1' }]) {
    const { reader } = readerOf(() => answer);
    await expect(reader.headerByNumber(1, signal)).rejects.toMatchObject({ name: 'RpcFault' });
    await expect(whole(reader.range(1, 2, signal))).rejects.toMatchObject({ name: 'RpcFault' });
  }
});

test('a range that fails is read in halves, down to single blocks; what the node allows again is asked for again', async () => {
  let most = 1;
  const widths: number[] = [];
  const { reader, chain } = readerOf(
    (_, result) => result,
    (params) => {
      const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }];
      const width = Number(toBlock) - Number(fromBlock) + 1;
      widths.push(width);
      if (width > most) throw new RpcFault('an unforeseen refusal');
    },
  );
  const numbers = async () =>
    (await whole(reader.range(1, chain.head.number, signal))).map(({ number }) => number);
  expect(await numbers()).toEqual(Array.from({ length: chain.head.number }, (_, at) => at + 1));
  expect(widths.slice(0, 9)).toEqual([100, 50, 25, 13, 7, 4, 2, 1, 1]);
  expect(widths.filter((width) => width > 1).length).toBeLessThan(widths.length / 5 + 7);
  most = 1_000;
  for (let times = 0; times < 5; times++) await numbers();
  widths.length = 0;
  await numbers();
  expect(widths[0]).toBe(100);
});

/** The example of `Bloom.contains` in the documentation of ox: places and values of the digits that are not 0. */
const EXAMPLE = [
  [40, '1'],
  [199, '2'],
  [201, '2'],
  [247, '8'],
  [256, '1'],
  [310, '1'],
] as const;
const HOLDER = '0xef2d6d194084c2de36e0dabfce45d046b37d1106';

function bloomFrom(digits: readonly (readonly [number, string])[]): string {
  const text = new Array<string>(512).fill('0');
  for (const [place, digit] of digits) text[place] = digit;
  return `0x${text.join('')}`;
}

const logOf = (address: string, topic: string) => ({ address, topics: [topic] }) as unknown as StandInLog;
const [exchange = '', other = ''] = EXCHANGES;
const transfer = `0x${'1'.repeat(64)}`;

test('an address is found in a bloom that others made, and not in one that lacks one of its bits', () => {
  expect(isInBloom(bloomFrom(EXAMPLE), HOLDER)).toBe(true);
  expect(isInBloom(bloomFrom(EXAMPLE), exchange)).toBe(false);
  const lacking = EXAMPLE.map((_, left) => bloomFrom(EXAMPLE.filter((_, place) => place !== left)));
  expect(lacking.filter((bloom) => !isInBloom(bloom, HOLDER))).toHaveLength(3);
});

test('a bloom allows fills only with the event and one of the exchanges', () => {
  expect(mayHaveFills(bloomOf([logOf(exchange, ORDER_FILLED)]), EXCHANGES)).toBe(true);
  expect(mayHaveFills(bloomOf([logOf(exchange, transfer)]), EXCHANGES)).toBe(false);
  expect(mayHaveFills(bloomOf([logOf(HOLDER, ORDER_FILLED)]), EXCHANGES)).toBe(false);
  expect(mayHaveFills(bloomOf([logOf(exchange, ORDER_FILLED)]), [other])).toBe(false);
  expect(mayHaveFills(bloomOf([]), EXCHANGES)).toBe(false);
});
