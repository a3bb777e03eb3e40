import { withTimeout } from '../../../../core/base/async/with-timeout.ts';
import { dollars } from '../../../../core/base/text/formats.ts';
import { SECOND_MS } from '../../../../core/base/time/duration.ts';
import { noLogger } from '../../../telemetry/no-logger.ts';
import { BlockReader } from '../chain/block-reader.ts';
import type { ChainHeader } from '../chain/chain-block.ts';
import { type ChainNode, openNode } from '../chain/chain-node.ts';
import { exchangesOf } from '../chain/order-filled.ts';
import { UpstreamFault } from '../client/market-client.ts';
import { ResolutionStream } from '../resolutions/resolution-stream.ts';
import type { StreamOptions } from '../streams/upstream-socket.ts';
import { TradeStream } from '../trades/trade-stream.ts';
import { type Check, type Examination, Misfit } from './check.ts';
import type { Sample } from './list-checks.ts';

const SIGN_MS = 10 * SECOND_MS;
const POLYGON = 137;
/** One is produced every 1.5 to 2 s, and known about a second later. */
const BLOCK_AGE_MAX_MS = 30 * SECOND_MS;
/** Free plans allow no more blocks in one call. */
const BLOCKS = 5;
const SILENT = 'Check the address in the settings, and that the network allows WebSockets.';
const OTHER_NODE = 'Name another node of Polygon in POLYGON_RPC_URL.';

export function streamChecks(examination: Examination, sample: Promise<Sample>): readonly Check[] {
  const { streamUrl, clobUrl, rpcUrl } = examination.market;
  const orderBooks = `${clobUrl}/ws/market`;
  return [
    {
      address: `${new URL(streamUrl).host} (live stream)`,
      read: () => connected(examination, streamUrl, openTrades),
    },
    {
      address: `${new URL(clobUrl).host}/ws/market`,
      read: async () => connected(examination, orderBooks, openOrderBooks(await sample)),
    },
    rpcUrl === null
      ? { address: 'POLYGON_RPC_URL', read: async () => 'off: trades come from the list' }
      : {
          address: new URL(rpcUrl).host,
          read: () => connected(examination, rpcUrl, openBlocks(examination)),
        },
  ];
}

/** Opens a connection. `resolve` takes, with its first sign, what remains to be read. */
type Open = (
  options: StreamOptions,
  resolve: (read: () => Promise<string>) => void,
) => { run(signal: AbortSignal): Promise<void> };

const openTrades: Open = (options, resolve) =>
  new TradeStream({ ...options, onTrade: () => resolve(async () => 'a trade came') });

/** A resolution is rare: an open connection is all that can be expected. */
function openOrderBooks({ tokens }: Sample): Open {
  return (options, resolve) => {
    const metrics = {
      upstreamStream(_name: string, isOpen: boolean) {
        if (isOpen) resolve(async () => 'connected');
      },
    };
    return new ResolutionStream({ ...options, metrics, assets: () => tokens, onResolved() {} });
  };
}

function openBlocks(examination: Examination): Open {
  return (options, resolve) => {
    const onHead = (head: ChainHeader) => resolve(() => blocksText(examination, node, head));
    const node = openNode({ ...options, onHead });
    return node;
  };
}

async function blocksText(
  { market, clock, signal }: Examination,
  node: ChainNode,
  head: ChainHeader,
): Promise<string> {
  const reader = new BlockReader({ node, clock, exchanges: exchangesOf(market), onDrop() {} });
  const chain = await reader.chainId(signal);
  if (chain !== POLYGON) throw new Misfit(`chain ${chain}; Polygon is ${POLYGON}. ${OTHER_NODE}`);
  const ageMs = Math.max(0, clock.now() - head.at);
  const age = `block ${head.number} is ${(ageMs / SECOND_MS).toFixed(1)} s old`;
  if (ageMs > BLOCK_AGE_MAX_MS) throw new Misfit(`${age}. ${OTHER_NODE}`);
  const span = { from: head.number - BLOCKS + 1, to: head.number };
  const { watched, combos } = await reader.volume({ ...span, isEverywhere: false }, signal);
  if (watched + combos === 0)
    throw new Misfit(`no trades in ${BLOCKS} blocks. ${OTHER_NODE} If it lasts, update Tipoff.`);
  return `${age}, ${dollars(watched + combos)} in ${BLOCKS} blocks`;
}

/** What the connections log: why one ended, that a node asks to wait, a call that failed. */
interface Warning {
  readonly why?: string;
  readonly refusal?: string;
  readonly err?: unknown;
}

/** Keeps a connection until it was read. Rejects when it fails once, or gives no sign. */
async function connected(
  { market, clock, random, signal }: Examination,
  url: string,
  open: Open,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<() => Promise<string>>();
  const warn = ({ err, why, refusal }: Warning) => {
    if (err !== undefined) reject(err);
    const cause = why ?? refusal;
    // A refused subscription ends nothing: another may be accepted.
    if (cause !== undefined) reject(new UpstreamFault(cause, { outcome: 'unreachable', status: null }));
  };
  const logger = { ...noLogger, warn };
  const metrics = { upstreamStream() {} };
  const over = new AbortController();
  const options = { url, proxies: market.proxies, clock, random, logger, metrics };
  const running = open(options, resolve).run(AbortSignal.any([signal, over.signal]));
  const timeoutError = () => new Misfit(`nothing came within ${SIGN_MS / SECOND_MS} s. ${SILENT}`);
  try {
    const read = await withTimeout({ clock, timeoutMs: SIGN_MS, timeoutError }, promise);
    return await read();
  } finally {
    over.abort();
    await running;
  }
}
