import { createPublicClient, http, type PublicClient, parseAbiItem, webSocket } from 'viem';
import { polygon } from 'viem/chains';
import { expect, onTestFinished, test } from 'vitest';
import { EXCHANGES } from '../../src/infra/market/polymarket/chain/order-filled.ts';
import { createFakeClock } from '../support/clock.ts';
import { startChainNode } from '../support/market/chain-node.ts';
import { createFaults, NO_FAULTS } from '../support/market/faults.ts';
import { generatedTape } from '../support/market/generated-tape.ts';
import { createMarketView } from '../support/market/market-view.ts';
import { until } from '../support/until.ts';

const START_S = Date.UTC(2026, 9, 5) / 1_000;
const TAPE = generatedTape({ trades: 300, perSecond: 5, start: START_S, wallets: 20, markets: 5 });
const EVENT = parseAbiItem(
  'event OrderFilled(bytes32 indexed orderHash, address indexed maker, address indexed taker, uint8 side, uint256 tokenId, uint256 makerAmountFilled, uint256 takerAmountFilled, uint256 fee, bytes32 builder, bytes32 metadata)',
);
const ADDRESSES = EXCHANGES as readonly `0x${string}`[] as `0x${string}`[];

/** The simulator as third-party clients see it. */
async function startWithClients() {
  const clock = createFakeClock((START_S + 30) * 1_000);
  const view = createMarketView(TAPE, { clock, faults: createFaults(NO_FAULTS, clock) });
  const node = await startChainNode({ view, clock });
  onTestFinished(node.close);
  const options = { retryCount: 0, timeout: 5_000 };
  const overHttp = createPublicClient({ chain: polygon, transport: http(node.httpUrl, options) });
  const transport = webSocket(node.wsUrl, { ...options, keepAlive: false, reconnect: false });
  const overSocket = createPublicClient({ chain: polygon, transport });
  return { clock, node, clients: [overHttp, overSocket] as PublicClient[], overSocket };
}

test('viem’s own client reads chain, blocks and decoded logs from it, over HTTP and WebSocket', async () => {
  const { node, clients } = await startWithClients();
  for (const client of clients) {
    expect(await client.getChainId()).toBe(137);
    const head = await client.getBlock();
    expect(head).toMatchObject({ number: BigInt(node.chain.head.number), hash: node.chain.head.hash });
    expect(await client.getBlock({ blockHash: head.parentHash })).toMatchObject({
      number: (head.number ?? 0n) - 1n,
    });
    const logs = await client.getLogs({
      address: ADDRESSES,
      event: EVENT,
      fromBlock: 0n,
      toBlock: head.number ?? 0n,
    });
    const trades = node.chain.blocks.flatMap((block) => block.trades.map((index) => TAPE.trade(index)));
    expect(logs).toHaveLength(trades.length);
    for (const [index, { args, transactionHash }] of logs.entries()) {
      const {
        proxyWallet,
        asset,
        side,
        size,
        price,
        transactionHash: hash,
      } = trades[index] as (typeof trades)[number];
      const [usdc, shares] = [BigInt(Math.round(size * price * 1e6)), BigInt(Math.round(size * 1e6))];
      const [makerAmountFilled, takerAmountFilled] = side === 'BUY' ? [usdc, shares] : [shares, usdc];
      expect(transactionHash).toBe(hash);
      expect({ ...args, maker: args.maker?.toLowerCase() }).toMatchObject({
        ...{ maker: proxyWallet, side: side === 'BUY' ? 0 : 1, tokenId: BigInt(asset) },
        ...{ makerAmountFilled, takerAmountFilled },
      });
    }
  }
});

test('viem’s own client is shown new blocks', async () => {
  const { clock, node, overSocket } = await startWithClients();
  const heads: bigint[] = [];
  const end = overSocket.watchBlocks({ onBlock: ({ number }) => heads.push(number) });
  await until(() => node.calls.get('eth_subscribe') === 1);
  await clock.advance(1_000);
  await until(() => heads.length === 1);
  expect(heads[0]).toBe(BigInt(node.chain.head.number));
  end();
  await until(() => node.calls.get('eth_unsubscribe') === 1);
});

test('errors are those of public nodes: a range too wide, a lagging node, pruned history', async () => {
  const { node, clients } = await startWithClients();
  const [client] = clients as [PublicClient];
  const head = BigInt(node.chain.head.number);
  const read = (fromBlock: bigint, toBlock: bigint) =>
    client.getLogs({ address: ADDRESSES, fromBlock, toBlock });
  await expect(read(0n, head + 1n)).rejects.toThrow('invalid block range');
  node.manners.widestRange = 10;
  await expect(read(0n, 10n)).rejects.toThrow('exceed maximum block range');
  node.manners.prunedBefore = 5;
  await expect(read(4n, 5n)).rejects.toThrow('History has been pruned for this block');
  node.manners.lagBlocks = 2;
  await expect(client.getLogs({ blockHash: node.chain.head.hash as `0x${string}` })).rejects.toThrow(
    'unknown block',
  );
});
