import { onTestFinished } from 'vitest';
import type { Clock } from '../../../src/core/base/time/clock.ts';
import type { EpochMs } from '../../../src/core/base/time/duration.ts';
import { fillKey } from '../../../src/core/detection/fill-hash.ts';
import type { BlindCause, TimeRange } from '../../../src/core/trades/coverage/blind-window.ts';
import type { Trade } from '../../../src/core/trades/trade.ts';
import type {
  MarketAnswer,
  MarketRequest,
} from '../../../src/infra/market/polymarket/client/market-client.ts';
import { TradeSources } from '../../../src/infra/market/polymarket/trades/trade-sources.ts';
import { createFakeClock } from '../clock.ts';
import { noMetrics } from '../no-metrics.ts';
import { seededRandom } from '../random.ts';
import { createRecordingLogger } from '../recording-logger.ts';
import { type StandInSocket, startStandIn } from '../stream-stand-in.ts';
import { startChainNode } from './chain-node.ts';
import { passing, tokensOf } from './followed-chain.ts';
import type { MarketTape } from './market-tape.ts';
import { createMarketView } from './market-view.ts';

interface Given {
  readonly tape: MarketTape;
  readonly startAt: EpochMs;
  readonly wantedFrom: EpochMs;
  readonly hasNode?: boolean;
  /** The market's REST APIs. Rejects or never resolves where the market does. */
  readonly get: (request: MarketRequest, clock: Clock) => Promise<unknown>;
}

/** All sources of trades of one run, merged, on one clock that a test moves. */
export async function runTradeSources({ tape, startAt, wantedFrom, hasNode = true, get }: Given) {
  const clock = createFakeClock(startAt);
  const logger = createRecordingLogger();
  const view = createMarketView(tape, { clock });
  const node = await startChainNode({ view, clock });
  const streamServer = await startStandIn();
  const listeners: StandInSocket[] = [];
  streamServer.onHandshake = () => void streamServer.connection().then((socket) => listeners.push(socket));
  const send = (payload: unknown) => {
    for (const socket of listeners) socket.send({ payload });
  };
  const enqueued: Trade[] = [];
  const known = new Set<string>();
  const confirmed: TimeRange[] = [];
  const causes: BlindCause[] = [];
  const provisional: { readonly isProvisional: boolean; readonly since: EpochMs | undefined }[] = [];
  const tokens = tokensOf(tape);
  const sources = new TradeSources({
    client: {
      async get(request, signal): Promise<MarketAnswer> {
        const asOf = clock.now();
        const { promise: aborted, reject } = Promise.withResolvers<never>();
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        return { body: await Promise.race([get(request, clock), aborted]), ageMs: 0, asOf };
      },
    },
    market: { streamUrl: streamServer.url, rpcUrl: hasNode ? node.wsUrl : null, extraExchanges: [] },
    clock,
    random: seededRandom(1),
    logger,
    metrics: noMetrics,
    onDrop: () => {},
    wantedFrom,
    coverage: {
      fresh: () => {},
      confirmed: (span) => void confirmed.push(span),
      failed: (cause) => void causes.push(cause),
      provisional: (isProvisional, since) => void provisional.push({ isProvisional, since }),
    },
    tokens: { get: (id) => tokens.get(id) ?? null, lookUp: async () => {} },
    knows: (trade) => known.has(fillKey(trade)),
    async enqueue(rows) {
      for (const { row } of rows) {
        if (row.kind !== 'trade' || known.has(fillKey(row.trade))) continue;
        known.add(fillKey(row.trade));
        enqueued.push(row.trade);
      }
    },
    onTrade: () => {},
  });
  const stop = new AbortController();
  const ended = sources.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await ended;
    await node.close();
  });

  return {
    sources,
    clock,
    node,
    stream: { send },
    tokens,
    logger,
    enqueued,
    confirmed,
    causes,
    provisional,
    pass: passing(clock, node),
  };
}
