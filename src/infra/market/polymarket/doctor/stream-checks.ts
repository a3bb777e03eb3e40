import { withTimeout } from '../../../../core/base/async/with-timeout.ts';
import type { Logger } from '../../../../core/base/logger.ts';
import { counted, dollars } from '../../../../core/base/text/formats.ts';
import { SECOND_MS } from '../../../../core/base/time/duration.ts';
import { noLogger } from '../../../telemetry/no-logger.ts';
import { BlockReader } from '../chain/block-reader.ts';
import type { ChainHeader } from '../chain/chain-block.ts';
import { type ChainNode, openNode } from '../chain/chain-node.ts';
import { exchangesOf } from '../chain/order-filled.ts';
import { SAMPLED_BLOCKS, sampleVolume } from '../chain/volume-sampler.ts';
import { UpstreamFault } from '../client/market-client.ts';
import { subscriptionTo } from '../resolutions/resolution-stream.ts';
import { refusalIn } from '../streams/refusal.ts';
import { type StreamOptions, UpstreamSocket } from '../streams/upstream-socket.ts';
import { TradeStream } from '../trades/trade-stream.ts';
import { type Check, type Examination, Misfit, UPDATE } from './check.ts';
import type { Sample } from './list-checks.ts';

const SIGN_MS = 10 * SECOND_MS;
const PING_MS = 2 * SECOND_MS;
/** The first frame contains the order books of every asset. */
const MAX_PAYLOAD = 8_000_000;
const POLYGON = 137;
/** One is produced every 1.5 to 2 s, and known about a second later. */
const BLOCK_AGE_MAX_MS = 30 * SECOND_MS;
const SILENT = 'Check the address in the settings, and that the network allows WebSockets.';
const OTHER_NODE = 'Name another node of Polygon in POLYGON_RPC_URL.';

export function streamChecks(examination: Examination, sample: Sample): readonly Check[] {
  const { streamUrl, clobUrl, rpcUrl } = examination.market;
  const node =
    rpcUrl === null
      ? { address: 'POLYGON_RPC_URL', read: async () => 'off: trades come from the list' }
      : { address: new URL(rpcUrl).host, read: () => nodeText(examination, rpcUrl) };
  return [
    {
      address: `${new URL(streamUrl).host} (live stream)`,
      needsTrade: false,
      read: () => tradeStreamText(examination),
    },
    {
      address: `${new URL(clobUrl).host}/ws/market`,
      needsTrade: true,
      read: () => orderBookText(examination, sample),
    },
    { ...node, needsTrade: false },
  ];
}

function tradeStreamText(examination: Examination): Promise<string> {
  return connected(examination, {
    url: examination.market.streamUrl,
    expected: 'trade',
    open: (options, { resolve }: PromiseWithResolvers<void>) =>
      new TradeStream({ ...options, onTrade: resolve }),
    read: async () => 'a trade came',
  });
}

/** Subscribes as `ResolutionStream` does. A resolution is rare: any frame that refuses nothing is an answer. */
function orderBookText(examination: Examination, { tokens }: Sample): Promise<string> {
  return connected(examination, {
    url: `${examination.market.clobUrl}/ws/market`,
    expected: 'answer',
    open: (options, { resolve, reject }: PromiseWithResolvers<void>) =>
      new UpstreamSocket({
        ...options,
        name: 'resolutions',
        maxPayload: MAX_PAYLOAD,
        pingMs: PING_MS,
        silenceMs: 2 * SIGN_MS,
        subscriptions: () => [subscriptionTo(tokens)],
        onFrame(text) {
          const words = refusalIn(text);
          if (words === null) resolve();
          else reject(new Misfit(`refused: ${words}. ${UPDATE}`));
          return true;
        },
      }),
    read: async () => 'a subscription was answered',
  });
}

function nodeText(examination: Examination, url: string): Promise<string> {
  return connected(examination, {
    url,
    expected: 'block',
    open: (options, { resolve }: PromiseWithResolvers<ChainHeader>) =>
      openNode({ ...options, onHead: resolve }),
    read: (head, node: ChainNode) => blocksText(examination, head, node),
  });
}

async function blocksText(
  { market, clock, signal }: Examination,
  head: ChainHeader,
  node: ChainNode,
): Promise<string> {
  const reader = new BlockReader({ node, clock, exchanges: exchangesOf(market), onDrop() {} });
  const chain = await reader.chainId(signal);
  if (chain !== POLYGON) throw new Misfit(`chain ${chain}; Polygon is ${POLYGON}. ${OTHER_NODE}`);
  const ageMs = Math.max(0, clock.now() - head.at);
  const age = `block ${head.number} is ${(ageMs / SECOND_MS).toFixed(1)} s old`;
  if (ageMs > BLOCK_AGE_MAX_MS) throw new Misfit(`${age}. ${OTHER_NODE}`);
  const { watched, combos, elsewhere } = await sampleVolume(reader, head, signal);
  if (watched + combos === 0)
    throw new Misfit(`no trades in ${SAMPLED_BLOCKS} blocks. ${OTHER_NODE} If it lasts, update Tipoff.`);
  const others = [...(elsewhere ?? [])].map(
    ([address, { fills }]) =>
      `; ${counted(fills, 'trade')} of ${address}, which is not read: if it is Polymarket’s, add it to POLYMARKET_EXTRA_EXCHANGES`,
  );
  const unknown = elsewhere === null ? '; it does not search other contracts' : '';
  return `${age}, ${dollars(watched + combos)} in ${SAMPLED_BLOCKS} blocks${unknown}${others.join('')}`;
}

interface Connecting<Sign, Connection> {
  readonly url: string;
  /** What the first sign is, for the message that it did not come. */
  readonly expected: string;
  open(options: StreamOptions, first: PromiseWithResolvers<Sign>): Connection;
  read(sign: Sign, connection: Connection): Promise<string>;
}

/** Keeps a connection until its first sign was read. Rejects when it fails once, and with what was refused when no sign comes. */
async function connected<Sign, Connection extends { run(signal: AbortSignal): Promise<void> }>(
  { market, clock, random, signal }: Examination,
  { url, expected, open, read }: Connecting<Sign, Connection>,
): Promise<string> {
  const first = Promise.withResolvers<Sign>();
  const refusals: string[] = [];
  const logger: Logger = {
    ...noLogger,
    warn(fields) {
      const { words, why, refusal, err } = fields as Warning;
      if (words !== undefined) refusals.push(`; it refused: ${words}`);
      else first.reject(err ?? unreachable(why ?? refusal));
    },
  };
  const metrics = { upstreamStream() {} };
  const over = new AbortController();
  const connection = open({ url, proxies: market.proxies, clock, random, logger, metrics }, first);
  const running = connection.run(AbortSignal.any([signal, over.signal]));
  try {
    const timeoutError = () =>
      new Misfit(`no ${expected} within ${SIGN_MS / SECOND_MS} s${refusals.join('')}. ${SILENT}`);
    return await read(
      await withTimeout({ clock, timeoutMs: SIGN_MS, timeoutError }, first.promise),
      connection,
    );
  } finally {
    over.abort();
    await running;
  }
}

/** What the connections log: the refusal of a subscription, the end of a connection, a pause that a node asks for, a failed call. */
interface Warning {
  readonly words?: string;
  readonly why?: string;
  readonly refusal?: string;
  readonly err?: unknown;
}

function unreachable(why = 'connection failed'): UpstreamFault {
  return new UpstreamFault(why, { outcome: 'unreachable', status: null });
}
